"""The players: public counters, and hands, goods and bonus cards as far as the viewer may know them."""

from __future__ import annotations

from collections.abc import Sequence

from ginkgo_env.core.fields import Fields
from ginkgo_env.drawing.shapes import INNER, backs, badge_box, card_sign, counter, panel, rows
from ginkgo_env.drawing.svg import SMALL, Box, below, beside, flow, label, titled
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import MAX_PLAYERS, Stage
from ginkgo_env.games.golden_city.presentation.pieces import (
    CARD,
    bonus_card,
    framed,
    goods_card,
    goods_cards,
    house,
    landscape_card,
    landscape_cards,
    name_box,
    piled,
)
from ginkgo_env.games.golden_city.presentation.signs import Sign, bonus_sign, coin_sign, goods_sign, key_sign, letter_sign
from ginkgo_env.games.golden_city.text.describe_players import COUNTS, MARKS, letters_text, notes_of
from ginkgo_env.games.golden_city.text.reading import LANDSCAPES, bonus_left, bonus_of, left_after_own_take
from ginkgo_env.games.golden_city.text.words import say

_SIGNS: dict[str, Sign] = {
    "letters": letter_sign,
    "coins": coin_sign,
    "keys": key_sign,
    "cards": card_sign,
    "goods": goods_sign,
    "bonus": bonus_sign,
}


def _house_of(p: int) -> Sign:
    return lambda x, y, r: house(p, x, y, 0.8 * r, "")


_HOUSES = [_house_of(p) for p in range(MAX_PLAYERS)]
_TITLES = {
    "letters": "Letters: most of them win (G9.2)",
    "coins": "Coins: to displace bidding hands (G4.3)",
    "keys": "Key cards: each opens an inner district (G5.3)",
    "houses left": "Houses left to build: the last one ends the game (G8.1)",
    "cards": "Landscape cards in hand: at most 5 at the end of a turn (G5.8)",
    "goods": "Goods cards: at most 4 (G6.3)",
    "bonus": "Bonus cards: letters at the end (G9.1)",
}
_ROOM = INNER - 150  # beside the longest name of a row
_Rows = dict[str, list[Box]]


def player_box(g: Fields, board: Board, p: int, name: str, seat: int | None, since: Fields | None) -> Box:
    """One player, with frames around changes."""
    counters = beside(_counters(g, p, since), 10)
    room = INNER - counters.width - 12
    notes = notes_of(g, p)
    called = below([name_box(name, room - 30, bold=True), *([label(notes, "dim", size=SMALL)] if notes else [])], 1)
    who = Box(room, max(38, called.height + 3), badge_box(p, MARKS[p], 10).body + called.at(30, 2.5))
    shown = [(say(words), boxes) for words, boxes in _shown(g, board, p, seat, since).items()]
    return panel(below([beside([who, counters], 12, align=0), rows(shown)], 8), active=g.actor == p)


def hand_rows(g: Fields, board: Board, p: int) -> dict[str, list[Box]]:
    """The cards that the viewer has, by name."""
    return {words: boxes for words, boxes in _has(g, board, p, p).items() if words != "letters"}


def side_rows(g: Fields, board: Board, p: int, seat: int | None, since: Fields | None) -> dict[str, list[Box]]:
    """The counters of a player, and the cards of others as far as the viewer may know them."""
    return {"counters": _counters(g, p, since), **({} if p == seat else _shown(g, board, p, seat, since))}


def _shown(g: Fields, board: Board, p: int, seat: int | None, since: Fields | None) -> dict[str, list[Box]]:
    """What a player has by name, with frames around changes."""
    has, had = _has(g, board, p, seat), {} if since is None else _has(since, board, p, seat)
    before = {words: None if since is None else _in_lines(had.get(words, [])) for words in has}
    return {words: [framed(_in_lines(boxes), before[words])] for words, boxes in has.items()}


def _in_lines(boxes: list[Box]) -> Box:
    return flow(boxes, _ROOM, 4)


def _counters(g: Fields, p: int, since: Fields | None) -> list[Box]:
    return [_counter(g, p, name, since) for name in COUNTS]


def _counter(g: Fields, p: int, name: str, since: Fields | None) -> Box:
    def drawn(g: Fields) -> Box:
        box = counter(_SIGNS.get(name, _HOUSES[p]), COUNTS[name](g, p), say(name))
        return box._replace(body=titled(say(_TITLES[name]), box.body))

    return framed(drawn(g), None if since is None else drawn(since))


def _has(g: Fields, board: Board, p: int, seat: int | None) -> _Rows:
    letters = letters_text(g, p)
    return {
        **_hand(g, p, seat),
        "goods": _goods(g, board, p, seat),
        **_bonus(g, board, p, seat),
        "letters": [label(letters, size=SMALL)] if letters else [],
    }


def _hand(g: Fields, p: int, seat: int | None) -> _Rows:
    """The own hand, or the public part of another's hand and the number of other cards (G10.3)."""
    known = landscape_cards(g.known[p])
    if seat in (None, p):
        hand = piled("card", LANDSCAPES, g.hand[p], landscape_card) if seat == p else landscape_cards(g.hand[p])
        return {"hand": hand, "of these known to all": known}
    return {"hand": [*known, backs(sum(g.hand[p]) - len(known), *CARD)]}


def _goods(g: Fields, board: Board, p: int, seat: int | None) -> list[Box]:
    """A player's goods cards. A player with five gives one up (G6.3), so the own cards are parts."""
    if seat != p:
        return goods_cards(board, g.goods[p])
    return piled("box", board.goods_names, g.goods[p], lambda kind: goods_card(board, kind))


def _bonus(g: Fields, board: Board, p: int, seat: int | None) -> _Rows:
    """The own bonus cards and those left after the last take; of others their number until the end (G9.1)."""
    cards = bonus_of(g, p)
    if seat not in (None, p) and g.stage != Stage.OVER:
        return {"bonus": [backs(len(cards), *CARD)]}
    own: _Rows = {"bonus": [bonus_card(board, card) for card in cards]}
    if g.stage == Stage.BONUS and g.actor == p:
        left = bonus_left(g, board)
        parts = [
            box.named(f"bonus:{name}") if seat == p else box for name, box in zip(left, _bonus_cards(board, left), strict=True)
        ]
        return own | {"to choose from": parts}
    if seat == p and cards and g.stage != Stage.OVER:
        return own | {"left after the last take": _bonus_cards(board, left_after_own_take(g, board, p))}
    return own


def _bonus_cards(board: Board, names: Sequence[str]) -> list[Box]:
    return [bonus_card(board, board.bonus_names.index(name)) for name in names]
