"""A description of the table as text, for all to see or as a seat may know it (G10)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.state import PlainRecord, VisibleState, members
from ginkgo_env.core.text import Line, fitted, labelled
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import (
    BACKS,
    FIRST_DISTRICT,
    N_BONUS,
    N_SCORING,
    NOBODY,
    NONE,
    Ending,
    Landscape,
    Reward,
    Stage,
)
from ginkgo_env.games.golden_city.narrate import scoring_text
from ginkgo_env.games.golden_city.queries import (
    ENDINGS,
    LANDSCAPES,
    LETTER_SOURCES,
    PAIRS,
    REWARDED,
    bonus_left,
    bonus_of,
    counts_of,
    names_of,
    owners_of,
    pair_text,
    translate,
)

# --- players: public information, and what a seat alone may know -------------------------------------------------------------


MARKS = "abcd"  # of owners, by seat
COUNTS: dict[str, Callable[[PlainRecord, int], int]] = {
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
    return ", ".join(f"{n} {translate(name)}" for name, n in zip(LANDSCAPES, counts, strict=True) if n) or "-"


def player_rows(g: VisibleState) -> list[str]:
    """Return a row of numbers for each player."""
    player, columns = translate("player"), [translate(column) for column in COUNTS]
    width = max(len(player), *map(len, g.names))
    lines: list[str] = [Line(f"   {player:<{width}}" + "".join(f"  {column}" for column in columns), width + 5)]
    for p in range(g.players):
        numbers = "".join(f"  {count(g, p):>{len(column)}}" for column, count in zip(columns, COUNTS.values(), strict=True))
        lines.append(Line(f" {MARKS[p]} {g.names[p]:<{width}}{numbers}  {notes_of(g, p)}".rstrip(), width + 5))
    return lines


def notes_of(g: PlainRecord, p: int) -> str:
    """Return whether a player is first, decides, or is blocked, as text."""
    notes = {"first": g.first == p, "decides": g.actor == p, "blocked": g.blocked[p]}
    return ", ".join(translate(note) for note, holds in notes.items() if holds)


def what_players_have(g: VisibleState) -> list[str]:
    """Return letters, hands, goods and bonus cards of all players, as far as the viewer may know them."""
    lines = []
    for p in range(g.players):
        lines += labelled(translate("letters of {side}:", side=MARKS[p]), letters_text(g, p) or "-")
        lines += labelled(translate("cards of {side}:", side=MARKS[p]), _hand(g, p))
        goods = " ".join(map(pair_text, names_of(g.goods[p], g.board.goods_names)))
        lines += labelled(translate("goods of {side}:", side=MARKS[p]), goods or "-")
        lines += labelled(translate("bonus of {side}:", side=MARKS[p]), _bonus(g, p))
    return lines


def letters_text(g: PlainRecord, p: int) -> str:
    """Return a player's letters by source."""
    return ", ".join(f"{translate(name)} {n}" for name, n in zip(LETTER_SOURCES, g.letters[p], strict=True) if n)


def _hand(g: VisibleState, p: int) -> str:
    """Return the hand if the viewer may see it, else its size; and the part that everybody knows (G10.3)."""
    known = tallied(g.known[p])
    if p in g.open_seats:
        return translate("{cards} (known to all: {known})", cards=tallied(g.hand[p]), known=known)
    return translate("{cards}, of these known: {known}", cards=translate.counted(sum(g.hand[p]), "card"), known=known)


def _bonus(g: VisibleState, p: int) -> str:
    """Return the bonus cards of a player; for others their number, until they are shown (G9.1)."""
    cards = bonus_of(g, p)
    if p not in g.open_seats and g.stage != Stage.OVER:
        return translate.counted(len(cards), "card") if cards else "-"
    own = " ".join(translate(g.board.bonus_names[card]) for card in cards) or "-"
    others = " ".join(map(translate, bonus_left(g, g.board)))
    if g.stage == Stage.BONUS and g.actor == p:
        return translate("{cards} (to choose from: {others})", cards=own, others=others)
    if g.viewer == p and cards and g.stage != Stage.OVER:
        return translate("{cards} (left after the last take: {others})", cards=own, others=others or "-")
    return own


# --- the table ---------------------------------------------------------------------------------------------------------------


_LONGEST_NAME, _INDENT = 12, 4
_DECIDES = {
    Stage.BID: "bids for a pair of landscape cards",
    Stage.BUILD: "may build a house",
    Stage.PAY: "pays for a house",
    Stage.GOODS: "takes a goods card",
    Stage.BOX: "has five goods cards and puts one out of the game",
    Stage.BONUS: "takes a bonus card",
    Stage.DISCARD: "has too many cards and discards one",
}
_LEGEND = (
    "F1·bonus~W=a: place F1 brings a bonus card, lies at river W, has a house of a. "
    "FO2·5/3+coin: letters for the first and the second house here, and what the first one gets besides"
)


def describe(g: VisibleState, width: int) -> str:
    """Return the table as text of at most `width` columns."""
    g.names = [name[:_LONGEST_NAME] for name in g.names[: g.players]]
    lines = [Line(headline(g), _INDENT), "", *_scoring(g), *_pairs(g), *_turn(g), ""]
    lines += [*player_rows(g), "", *what_players_have(g), ""]
    lines += [*_places(g), Line(translate(_LEGEND), _INDENT), "", *_piles(g)]
    return "\n".join(fitted(lines, width))


def headline(g: VisibleState) -> str:
    """Return the round, who decides and the kind of decision."""
    if g.stage == Stage.OVER:
        return translate("The game is over after round {n} ({reason})", n=g.rounds, reason=_reason(g))
    last = "" if g.ending == Ending.NONE else translate(" · last round ({reason})", reason=_reason(g))
    when = translate("Round {n} of {most}", n=g.rounds, most=N_SCORING)
    return f"{when} · {g.names[g.actor]} {translate(_DECIDES[Stage(g.stage)])}{last}"


def _reason(g: PlainRecord) -> str:
    return translate("ending: {ending}", ending=translate(str(ENDINGS[g.ending])))


# --- the round -------------------------------------------------------------------------------------------------------------


def _scoring(g: VisibleState) -> list[str]:
    """Return lines with the scoring card of the round and those to come, by their backs (G10.1)."""
    label = "scored last:" if g.stage == Stage.OVER else "scoring card:"
    lines = labelled(translate(label), scoring_text(g.board, g.scoring))
    for back, cards in cards_to_come(g).items():
        lines += labelled(translate("with back {back}:", back=back), ", ".join(scoring_text(g.board, card) for card in cards))
    return lines


def cards_to_come(g: PlainRecord) -> dict[int, list[int]]:
    """Return the scoring cards to come by back, sorted, as their order is hidden (G10.1, G10.5)."""
    to_come, first, by_back = sorted(g.scoring_stack[: g.n_scoring]), 0, {}
    for back, n in enumerate(BACKS, 1):
        if cards := [card for card in to_come if first <= card < first + n]:
            by_back[back] = cards
        first += n
    return by_back


def _pairs(g: VisibleState) -> list[str]:
    if g.stage != Stage.BID:
        return []
    pairs = []
    for i in range(g.players):
        seat = g.pair_seat[i]
        whose = translate("free") if seat == NOBODY else translate("hand of {name}", name=g.names[seat])
        pairs.append(f"{PAIRS[i]} {translate(LANDSCAPES[g.pairs[i][0]])}+{translate(LANDSCAPES[g.pairs[i][1]])} ({whose})")
    return labelled(translate("pairs:"), ", ".join(pairs)) + labelled(translate("price:"), price_text(g))


def price_text(g: PlainRecord) -> str:
    """Return the price of displacing a hand (G4.3)."""
    return translate("{coins} to displace a hand", coins=translate.counted(g.displacements + 1, "coin"))


def _turn(g: VisibleState) -> list[str]:
    facts = turn_facts(g)
    return labelled(translate("turn of {side}:", side=MARKS[g.actor]), ", ".join(facts)) if facts else []


def turn_facts(g: VisibleState) -> list[str]:
    """Return the state of the current building turn, if there is one."""
    if g.stage in (Stage.BID, Stage.OVER):
        return []
    facts = [translate("{houses} built", houses=translate.counted(g.built, "house"))]
    if g.place != NONE:
        fact = "reward of {place}" if g.stage in REWARDED else "pays for {place}"
        facts.append(translate(fact, place=g.board.place_ids[g.place]))
    if g.discarded != NONE:
        facts.append(translate("has discarded {card}", card=translate(LANDSCAPES[g.discarded])))
    return facts


# --- the board -------------------------------------------------------------------------------------------------------------


_MAP_COLUMNS, _MAP_ROWS = 80, 15  # so that a terminal of 24 rows shows all of the map


def board_map(g: VisibleState, width: int) -> str:
    """Return places and roads by their coordinates; empty if places have no room."""
    at, roads = _roads(g.board, min(width, _MAP_COLUMNS))
    rows = [list(row) for row in roads]
    ends = [0] * _MAP_ROWS
    for i in np.argsort(at[:, 0], kind="stable").tolist():
        x, y = at[i].tolist()
        text, start = g.board.place_ids[i] + _houses(g, i), max(x, ends[y])
        rows[y][start : start + len(text)] = text
        ends[y] = start + len(text) + 1
    return "\n".join("".join(row).rstrip() for row in rows) if max(ends) <= width + 1 else ""


@lru_cache(maxsize=16)
def _roads(board: Board, width: int) -> tuple[NDArray[np.int64], list[str]]:
    """Return column and row of each place on the map, shape (58, 2), and the rows of a map that has only roads."""
    given = np.array([(int(row["x"]), int(row["y"])) for row in board.places])
    last = max(width - len("=a") - max(map(len, board.place_ids)), 1), _MAP_ROWS - 1
    at = np.rint((given - given.min(axis=0)) / np.maximum(np.ptp(given, axis=0), 1) * last).astype(np.int64)
    rows = [[" "] * width for _ in range(_MAP_ROWS)]
    for road in board.roads:
        ends = at[[board.place_ids.index(road[end]) for end in ("place_1", "place_2")]] + (1, 0)
        for x, y in np.rint(np.linspace(ends[0], ends[1], 1 + int(np.ptp(ends, axis=0).max()))).astype(int).tolist():
            rows[y][x] = "·"
    return at, ["".join(row) for row in rows]


def _houses(g: VisibleState, i: int) -> str:
    owners = "".join(MARKS[p] for p in owners_of(g, i))
    return f"={owners}" if owners else ""


def _places(g: VisibleState) -> list[str]:
    """Return all places by landscape, with reward, river and houses."""
    lines = []
    of_landscape = g.board.components[0].of_landscape.tolist()
    for landscape in Landscape:
        places = " ".join(_place(g, i) for i in members(of_landscape[landscape]))
        lines += labelled(f"{translate(LANDSCAPES[landscape])}:", places)
    return lines


def _place(g: VisibleState, i: int) -> str:
    row, t = g.board.places[i], g.board.components[0]
    if i < FIRST_DISTRICT:
        brings = translate(Reward(int(t.reward[i])).name.lower()) + (f"~{row['river']}" if row["river"] else "")
    else:
        brings = f"{t.letters_first[i]}/{t.letters_second[i]}"
        for n, thing in ((t.coins_first[i], "coin"), (t.cards_first[i], "card")):
            brings += f"+{translate(thing)}" * int(n)
    return f"{g.board.place_ids[i]}·{brings}{_houses(g, i)}"


# --- piles -----------------------------------------------------------------------------------------------------------------


def _piles(g: VisibleState) -> list[str]:
    kinds = [pair_text(name) for name in g.board.goods_names]
    stack = names_of(counts_of(g.goods_stack[: g.goods_size], len(g.display)), kinds)
    lines = labelled(translate("goods cards:"), translate("display {cards}", cards=" ".join(names_of(g.display, kinds)) or "-"))
    lines += labelled(
        "", translate("stack, {n}: {cards}", n=translate.counted(g.goods_size, "card"), cards=" ".join(stack) or "-")
    )
    if any(g.boxed):
        lines += labelled("", translate("out of the game: {cards}", cards=" ".join(names_of(g.boxed, kinds))))
    lines += labelled(translate("deck:"), translate.counted(g.deck_size, "card"))
    lines += labelled(translate("discard pile:"), f"{translate.counted(sum(g.discard), 'card')}: {tallied(g.discard)}")
    left = (
        translate.counted(N_BONUS - g.n_bonus, "bonus card"),
        translate.counted(g.key_stack, "key card"),
        translate.counted(g.supply, "coin"),
    )
    return lines + labelled(translate("left:"), ", ".join(left))
