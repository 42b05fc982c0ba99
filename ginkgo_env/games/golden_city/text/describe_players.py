"""The players in a description of the table: public information, and what a seat alone may know (G10)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.text import Line, labelled
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import Stage
from ginkgo_env.games.golden_city.text.reading import (
    LANDSCAPES,
    LETTER_SOURCES,
    bonus_left,
    bonus_of,
    left_after_own_take,
    names_of,
)
from ginkgo_env.games.golden_city.text.words import pair_text, say

MARKS = "abcd"  # of owners, by seat
COUNTS: dict[str, Callable[[Fields, int], int]] = {
    "letters": lambda g, p: sum(g.letters[p]),
    "coins": lambda g, p: int(g.coins[p]),
    "keys": lambda g, p: int(g.keys[p]),
    "houses left": lambda g, p: int(g.houses_left[p]),
    "cards": lambda g, p: sum(g.hand[p]),
    "goods": lambda g, p: sum(g.goods[p]),
    "bonus": lambda g, p: len(bonus_of(g, p)),
}
"""Public numbers of a player, by name (G10.1)."""


def tallied(counts: Sequence[int]) -> str:
    """Return numbers of landscape cards as text."""
    return ", ".join(f"{n} {say(name)}" for name, n in zip(LANDSCAPES, counts, strict=True) if n) or "-"


def player_rows(g: Fields, names: Sequence[str]) -> list[str]:
    """Return a row of numbers for each player."""
    player, columns = say("player"), [say(column) for column in COUNTS]
    width = max(len(player), *map(len, names))
    lines: list[str] = [Line(f"   {player:<{width}}" + "".join(f"  {column}" for column in columns), width + 5)]
    for p in range(g.players):
        numbers = "".join(f"  {count(g, p):>{len(column)}}" for column, count in zip(columns, COUNTS.values(), strict=True))
        lines.append(Line(f" {MARKS[p]} {names[p]:<{width}}{numbers}  {notes_of(g, p)}".rstrip(), width + 5))
    return lines


def notes_of(g: Fields, p: int) -> str:
    """Return whether a player is first, decides, or is blocked, as text."""
    notes = {"first": g.first == p, "decides": g.actor == p, "blocked": g.blocked[p]}
    return ", ".join(say(note) for note, holds in notes.items() if holds)


def what_players_have(g: Fields, board: Board, seat: int | None) -> list[str]:
    """Return letters, hands, goods and bonus cards of all players, as far as the seat may know them."""
    lines = []
    for p in range(g.players):
        lines += labelled(say("letters of {side}:", side=MARKS[p]), letters_text(g, p) or "-")
        lines += labelled(say("cards of {side}:", side=MARKS[p]), _hand(g, p, seat))
        lines += labelled(
            say("goods of {side}:", side=MARKS[p]), " ".join(map(pair_text, names_of(g.goods[p], board.goods_names))) or "-"
        )
        lines += labelled(say("bonus of {side}:", side=MARKS[p]), _bonus(g, board, p, seat))
    return lines


def letters_text(g: Fields, p: int) -> str:
    """Return a player's letters by source."""
    return ", ".join(f"{say(name)} {n}" for name, n in zip(LETTER_SOURCES, g.letters[p], strict=True) if n)


def _hand(g: Fields, p: int, seat: int | None) -> str:
    """Return the hand if the seat may see it, else its size; and the part that everybody knows (G10.3)."""
    known = tallied(g.known[p])
    if seat in (None, p):
        return say("{cards} (known to all: {known})", cards=tallied(g.hand[p]), known=known)
    return say("{cards}, of these known: {known}", cards=say.counted(sum(g.hand[p]), "card"), known=known)


def _bonus(g: Fields, board: Board, p: int, seat: int | None) -> str:
    """Return the bonus cards of a player; for other seats their number, until they are shown (G9.1)."""
    cards = bonus_of(g, p)
    if seat not in (None, p) and g.stage != Stage.OVER:
        return say.counted(len(cards), "card") if cards else "-"
    own = " ".join(say(board.bonus_names[card]) for card in cards) or "-"
    if g.stage == Stage.BONUS and g.actor == p:
        return say("{cards} (to choose from: {others})", cards=own, others=" ".join(map(say, bonus_left(g, board))))
    if seat == p and cards and g.stage != Stage.OVER:
        left = " ".join(map(say, left_after_own_take(g, board, p))) or "-"
        return say("{cards} (left after the last take: {others})", cards=own, others=left)
    return own
