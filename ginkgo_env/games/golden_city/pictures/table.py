"""The whole table as a picture: the round, the island, players, piles; labels and the presenter.

The labels of payments and of goods cards are composed of texts. The letters of bonus cards are filled in, as a board may differ
from the rule book (G1.6.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import permutations

from ginkgo_env.core.language import LANGUAGES, Texts, speaking
from ginkgo_env.core.state import OBSERVER, PlainRecord, States, VisibleState
from ginkgo_env.games.golden_city.actions import SOURCES_OF_TWO
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import JOKER, MAX_PLAYERS, N_BONUS, NOBODY, Good, Kind, Landscape, Stage
from ginkgo_env.games.golden_city.describe import (
    COUNTS,
    MARKS,
    cards_to_come,
    headline,
    letters_text,
    notes_of,
    price_text,
    turn_facts,
)
from ginkgo_env.games.golden_city.game import GoldenCity
from ginkgo_env.games.golden_city.narrate import area_text
from ginkgo_env.games.golden_city.notation import action_text
from ginkgo_env.games.golden_city.pictures.island import island_box
from ginkgo_env.games.golden_city.pictures.pieces import (
    CARD,
    GOOD_SIGNS,
    LANDSCAPE_SIGNS,
    PAIR,
    REWARD_SIGNS,
    Sign,
    area_sign,
    bonus_card,
    bonus_sign,
    card_of_pair,
    coin_sign,
    framed,
    goods_card,
    goods_cards,
    goods_sign,
    house,
    key_sign,
    landscape_card,
    landscape_cards,
    letter_sign,
    marked,
    name_box,
    piled,
    river_sign,
    scoring_card,
    scoring_title,
)
from ginkgo_env.games.golden_city.queries import (
    LANDSCAPES,
    PAIRS,
    Readable,
    bonus_left,
    bonus_of,
    counts_of,
    translate,
    turn_order,
)
from ginkgo_env.pictures import svg
from ginkgo_env.pictures.presenter import Areas, Choice, Presenter, Rows
from ginkgo_env.pictures.svg import GAP, PAGE, SMALL, Box
from ginkgo_env.pictures.widgets import INNER, TIMES, backs, badge, badge_box, card_sign, counter, heading, panel, rows

# --- labels ------------------------------------------------------------------------------------------------------------------


def texts_of(board: Board) -> Texts:
    """The texts of a game on a board: its letters are filled in, and some labels are composed."""
    labels = {}
    for language in LANGUAGES:
        with speaking(language):
            labels[language] = _filled_in(translate.labels(language), board) | dict(_composed())
    return Texts(labels, translate)


def _filled_in(labels: Mapping[str, str], board: Board) -> dict[str, str]:
    """Fill in the letters of the board's bonus cards."""
    each = zip(board.bonus_names, board.components[0].letters_each.tolist(), strict=True)
    letters = {card: translate.counted(n, "letter") for card, n in each}
    return {key: text.format(**letters) for key, text in labels.items()}


def _composed() -> Iterator[tuple[str, str]]:
    """Labels of payments as cards (G5.3, G5.4) and of goods cards."""
    landscapes = [translate(name) for name in LANDSCAPES]
    for needed, name in enumerate(LANDSCAPES):
        payments = [[source] for source in Landscape] if needed == Landscape.COAST else SOURCES_OF_TWO.tolist()
        for sources in payments:
            cards = {source: sources.count(source) * (1 if source == needed else JOKER) for source in sources}
            payment = "+".join(LANDSCAPES[source] for source in sources)
            yield f"pick:pay_{name}:{payment}", " + ".join(f"{n} {landscapes[source]}" for source, n in cards.items())
    for first, second in permutations([good.name.lower() for good in Good], 2):
        for group in ("goods", "box"):
            yield f"pick:{group}:{first}+{second}", f"{translate(first)} + {translate(second)}"


# --- actions as picks: a pair, a site, cards ---------------------------------------------------------------------------------


_GROUPS = {"build": "site", "discard": "card"}
"""Groups whose names differ from the verb of the notation, so that a site is the same part for all actions."""


def choice(g: Readable, board: Board, action: int) -> Choice:
    """An action of the seat to act as one pick: the text after the colon of its notation."""
    verb, _, text = action_text(g, board, action).partition(":")
    if verb == "pay":
        return _payment(g, board, text)
    sentence = _bid(g, PAIRS.index(text)) if verb == "bid" else _house(board, text) if text in board.place_ids else ""
    return Choice({_GROUPS.get(verb, verb): text}, sentence=sentence)


def _bid(g: Readable, pair: int) -> str:
    """A bid with the cards of the pair and the price, if a hand lies there (G4)."""
    cards = translate.joined([translate(LANDSCAPES[landscape]) for landscape in g.pairs[pair]])
    if g.pair_seat[pair] == NOBODY:
        return translate("Take pair {pair}, {cards}: it is free", pair=PAIRS[pair], cards=cards)
    coins = translate.counted(g.displacements + 1, "coin")
    return translate("Drive the hand off pair {pair}, {cards}: pay {coins}", pair=PAIRS[pair], cards=cards, coins=coins)


def _house(board: Board, place: str) -> str:
    """A house with its price in cards (G5.3); other cards may stand for them."""
    t, i = board.components[0], board.place_ids.index(place)
    landscape = LANDSCAPES[t.landscape[i]]
    cards = translate(landscape if t.kind[i] == Kind.COAST else f"two {landscape}")
    price = translate("{cards} and a key card", cards=cards) if t.kind[i] == Kind.INNER else cards
    return translate("Build a house on {place}: pay {price}", place=place, price=price)


def _payment(g: Readable, board: Board, sources: str) -> Choice:
    """The payment for a house. Its landscape is in the group, as the number of cards depends on it (G5.4)."""
    landscape = LANDSCAPES[board.components[0].landscape[g.place]]
    paid = dict.fromkeys(f"card:{source}" for source in sources.split("+"))
    return Choice({f"pay_{landscape}": sources}, (f"site:{board.place_ids[g.place]}", *paid))


# --- the round: scoring cards, pairs with bidding hands, and building turns --------------------------------------------------


_GAP = 8.0  # between pairs
_SLOT = 148.0  # width of a pair in a row of its own


def scoring_box(g: VisibleState) -> Box:
    """The scoring card of the round, and the cards to come."""
    to_come = [
        (translate("back {n}", n=back), [scoring_card(g.board, card) for card in cards])
        for back, cards in cards_to_come(g).items()
    ]
    return panel(svg.below([marked(g, _scored), rows(to_come)], 8))


def round_rows(g: VisibleState) -> dict[str, list[Box]]:
    """The pairs or the building turns, the scoring card of the round, and those to come."""
    to_come = {f"back {back}": [scoring_card(g.board, card) for card in cards] for back, cards in cards_to_come(g).items()}
    phase: dict[str, list[Box]] = {}
    if g.stage != Stage.OVER:
        text = price_text(g) if g.stage == Stage.BID else ", ".join(turn_facts(g))
        facts = [svg.paragraph(text, _SLOT, "dim")] if text else []
        phase["pairs" if g.stage == Stage.BID else "turns"] = [*_slots(g, _SLOT), *facts]
    return {**phase, "scoring card": [_scored(g)], **to_come}


def _scored(g: VisibleState) -> Box:
    """The scoring card of the round in texts and signs."""
    good = Good(int(g.board.components[0].scoring_good[g.scoring]))
    name = "scored last" if g.stage == Stage.OVER else "scoring card"
    parts = [
        svg.label(translate(name), "dim", size=SMALL),
        svg.label(g.board.scoring_names[g.scoring], size=18, bold=True),
        Box(26, 28, GOOD_SIGNS[good](13, 14, 12)),
        svg.label(translate(good.name.lower())),
        Box(28, 28, area_sign(g.board, g.scoring, 14, 14, 11)),
        svg.label(area_text(g.board, g.scoring)),
    ]
    box = svg.beside(parts, 8)
    return box._replace(body=svg.titled(scoring_title(g.board, g.scoring), box.body))


def phase_box(g: VisibleState) -> Box:
    """The pairs during bidding, then the building turns in the same height; empty after the end."""
    if g.stage == Stage.OVER:
        return Box(0, 0)
    boxes = svg.beside(_slots(g, (INNER - _GAP * (g.players - 1)) / g.players), _GAP)
    if g.stage != Stage.BID:
        return panel(
            svg.below([heading(translate("Turn of {side}", side=MARKS[g.actor]), INNER, ", ".join(turn_facts(g))), boxes], 6)
        )
    return panel(svg.below([heading(translate("Pairs of landscape cards"), INNER, price_text(g)), boxes], 6))


def _slots(g: VisibleState, width: float) -> list[Box]:
    """The pairs with frames around changes, or the building turns."""
    low = max(30.0, *(name_box(name, width - 62, size=SMALL).height + 8 for name in g.names[: g.players]))
    if g.stage != Stage.BID:
        return [_turn(g, k, width, low) for k in range(g.players)]
    return [marked(g, _pair, i, width, low) for i in range(g.players)]


def _slot(width: float, low: float, body: str) -> Box:
    """The background of a pair or a turn; `low` is the height of the lower part."""
    high = PAIR[1] + low + 8
    return Box(width, high, svg.rect(0.5, 0.5, width - 1, high - 1, "f-well s-line", r=6) + body)


def _pair(g: VisibleState, i: int, width: float, low: float) -> Box:
    """A pair and the bidding hand on it; empty when not bidding."""
    if g.stage != Stage.BID:
        return Box(0, 0)
    seat, top = g.pair_seat[i], PAIR[1] + 6
    cards = svg.beside([card_of_pair(landscape) for landscape in g.pairs[i]], 4)
    body = cards.at((width - cards.width) / 2, 6) + svg.text(10, top + low / 2, PAIRS[i], bold=True)
    whose = svg.label(translate("free"), "dim") if seat == NOBODY else name_box(g.names[seat], width - 62, size=SMALL)
    body += "" if seat == NOBODY else badge(seat, 38, top + low / 2, 10, MARKS[seat])
    body += whose.at(30 if seat == NOBODY else 54, top + (low - whose.height) / 2)
    return _slot(width, low, body).named(f"bid:{PAIRS[i]}")


def _turn(g: VisibleState, k: int, width: float, low: float) -> Box:
    """The k-th building turn of the round, with its player and state (G3)."""
    order = turn_order(g)
    now, seat, top = order.index(g.actor), order[k], PAIR[1] + 6
    sign = badge(seat, 30, top / 2 + 3, 16, MARKS[seat])
    sign += svg.rect(1.5, 1.5, width - 3, top + low - 1, "none s-mark", r=6, stroke_width=2) if k == now else ""
    state = translate("builds" if k == now else "done" if k < now else "to come")
    text = svg.text(56, top / 2 + 3, state, "ink" if k == now else "dim", fit=width - 60)
    name = name_box(g.names[seat], width - 24, size=SMALL)
    return _slot(width, low, sign + text + name.at(12, top + (low - name.height) / 2))


# --- players: public counters, and cards as far as the viewer may know them --------------------------------------------------


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


def player_box(g: VisibleState, p: int) -> Box:
    """One player, with frames around changes."""
    counters = svg.beside(_counters(g, p), 10)
    room = INNER - counters.width - 12
    notes = notes_of(g, p)
    called = svg.below([name_box(g.names[p], room - 30, bold=True), *([svg.label(notes, "dim", size=SMALL)] if notes else [])], 1)
    who = Box(room, max(38, called.height + 3), badge_box(p, MARKS[p], 10).body + called.at(30, 2.5))
    shown = [(translate(name), boxes) for name, boxes in _shown(g, p).items()]
    return panel(svg.below([svg.beside([who, counters], 12, align=0), rows(shown)], 8), active=g.actor == p)


def hand_rows(g: VisibleState, p: int) -> dict[str, list[Box]]:
    """The cards that the viewer has, by name."""
    return {name: boxes for name, boxes in _has(g, p).items() if name != "letters"}


def side_rows(g: VisibleState, p: int) -> dict[str, list[Box]]:
    """The counters of a player, and the cards of others as far as the viewer may know them."""
    return {"counters": _counters(g, p), **({} if p == g.viewer else _shown(g, p))}


def _shown(g: VisibleState, p: int) -> dict[str, list[Box]]:
    """What a player has by name, with frames around changes."""
    has = _has(g, p)
    had = has if g.since is None else _has(g.since, p)
    return {name: [framed(_in_lines(boxes), _in_lines(had.get(name, [])))] for name, boxes in has.items()}


def _in_lines(boxes: list[Box]) -> Box:
    return svg.flow(boxes, _ROOM, 4)


def _counters(g: VisibleState, p: int) -> list[Box]:
    return [marked(g, _counter, p, name) for name in COUNTS]


def _counter(g: VisibleState, p: int, name: str) -> Box:
    box = counter(_SIGNS.get(name, _HOUSES[p]), COUNTS[name](g, p), translate(name))
    return box._replace(body=svg.titled(translate(_TITLES[name]), box.body))


def _has(g: VisibleState, p: int) -> _Rows:
    letters = letters_text(g, p)
    return {
        **_hand(g, p),
        "goods": _goods(g, p),
        **_bonus(g, p),
        "letters": [svg.label(letters, size=SMALL)] if letters else [],
    }


def _hand(g: VisibleState, p: int) -> _Rows:
    """The own hand, or the public part of another's hand and the number of other cards (G10.3)."""
    known = landscape_cards(g.known[p])
    if p in g.open_seats:
        hand = piled("card", LANDSCAPES, g.hand[p], landscape_card) if g.viewer == p else landscape_cards(g.hand[p])
        return {"hand": hand, "of these known to all": known}
    return {"hand": [*known, backs(sum(g.hand[p]) - len(known), *CARD)]}


def _goods(g: VisibleState, p: int) -> list[Box]:
    """A player's goods cards. A player with five gives one up (G6.3), so the own cards are parts."""
    if g.viewer != p:
        return goods_cards(g.board, g.goods[p])
    return piled("box", g.board.goods_names, g.goods[p], lambda kind: goods_card(g.board, kind))


def _bonus(g: VisibleState, p: int) -> _Rows:
    """The own bonus cards and those left after the last take; of others their number until the end (G9.1)."""
    cards = bonus_of(g, p)
    if p not in g.open_seats and g.stage != Stage.OVER:
        return {"bonus": [backs(len(cards), *CARD)]}
    own: _Rows = {"bonus": [bonus_card(g.board, card) for card in cards]}
    names = bonus_left(g, g.board)
    left = [bonus_card(g.board, g.board.bonus_names.index(name)) for name in names]
    if g.stage == Stage.BONUS and g.actor == p:
        parts = [box.named(f"bonus:{name}") for name, box in zip(names, left, strict=True)]
        return own | {"to choose from": parts if g.viewer == p else left}
    if g.viewer == p and cards and g.stage != Stage.OVER:
        return own | {"left after the last take": left}
    return own


# --- piles: what lies beside the board, and the legend of the map ------------------------------------------------------------


_COUNTERS: dict[str, Sign] = {
    "deck": card_sign,
    "discarded": card_sign,
    "goods stack": goods_sign,
    "bonus left": bonus_sign,
    "keys left": key_sign,
    "coins left": coin_sign,
}


def piles_box(g: VisibleState) -> Box:
    """Everything beside the board, with frames around changes."""
    counters, *others = piles_rows(g).items()
    return panel(svg.below([svg.beside(counters[1], 14), rows((translate(name), boxes) for name, boxes in others)], 8))


def piles_rows(g: VisibleState) -> Rows:
    """The piles by name; their counters are the row ``supply``."""
    piles = _piles(g)
    before = piles if g.since is None else _piles(g.since)
    counters = [marked(g, _pile_counter, name) for name in _COUNTERS]
    return {"supply": counters, **{pile: [framed(box, before[pile])] for pile, box in piles.items()}}


def _pile_counter(g: VisibleState, name: str) -> Box:
    numbers = (g.deck_size, sum(g.discard), g.goods_size, N_BONUS - g.n_bonus, g.key_stack, g.supply)
    return counter(_COUNTERS[name], dict(zip(_COUNTERS, numbers, strict=True))[name], translate(name))


def _piles(g: VisibleState) -> dict[str, Box]:
    """Public cards. The content of the stack of goods cards is public, its order is not (G10.1)."""
    board = g.board
    discard = [
        svg.beside([landscape_card(landscape), svg.label(f"{TIMES}{number}", bold=True)], 4)
        for landscape, number in enumerate(g.discard)
        if number
    ]
    stack = counts_of(g.goods_stack[: g.goods_size], len(g.display))
    display = piled("goods", board.goods_names, g.display, lambda kind: goods_card(board, kind))
    return {
        "display": svg.beside(display, 4),
        "goods stack": svg.beside(goods_cards(board, stack), 4).named("goods:stack"),
        "out of the game": svg.beside(goods_cards(board, g.boxed), 4),
        "discarded": svg.beside(discard, 10),
    }


def legend(width: float = PAGE) -> Box:
    """The meaning of the signs."""
    signs: list[tuple[Sign, str]] = [
        *[(sign, landscape.name.lower()) for landscape, sign in LANDSCAPE_SIGNS.items()],
        (partial(river_sign, "N"), "river"),
        *[(sign, reward.name.lower().replace("_", " ")) for reward, sign in REWARD_SIGNS.items()],
        *[(sign, good.name.lower()) for good, sign in GOOD_SIGNS.items()],
    ]
    entries = [svg.beside([Box(16, 16, sign(8, 8, 8)), svg.label(translate(text), "dim", size=SMALL)], 5) for sign, text in signs]
    notes = [
        svg.label(translate(text), "dim", size=SMALL)
        for text in ("5/3: letters for the first and the second house", "double frame: costs a key too")
    ]
    return svg.flow([*entries, *notes], width, 14, 4)


# --- the table ---------------------------------------------------------------------------------------------------------------


_LEGEND = 330.0  # width


def _centered(box: Box, width: float) -> Box:
    """Center a box of the default width in a wider picture (boards with long ids)."""
    return Box(width, box.height, box.at((width - PAGE) / 2, 0)) if box.height and box.width < width else box


# --- the presenter -----------------------------------------------------------------------------------------------------------


class GoldenCityPresenter(Presenter):
    """Draws the round, the island, players and piles."""

    text_order = (r" {4,}\S", " +player")  # the map, the numbers of players
    game: GoldenCity
    how_to_play_file = "how_to_play/{language}.md"

    def __init__(self, game: GoldenCity) -> None:
        super().__init__(game)
        self.texts = texts_of(game.board)

    def draw(self, g: VisibleState) -> Box:
        """Draw the round, the island, players and piles."""
        island, players = island_box(g), [player_box(g, p) for p in range(g.players)]
        top = [name_box(headline(g), PAGE, bold=True), scoring_box(g), phase_box(g)]
        return svg.below([_centered(box, island.width) for box in (*top, island, legend(), *players, piles_box(g))], GAP)

    def draw_areas(self, g: VisibleState) -> Areas:
        """The island; the viewer's cards; the players; the round and the piles."""
        hand = {} if g.viewer in (None, OBSERVER) else hand_rows(g, g.viewer)
        sides = [side_rows(g, p) for p in range(g.players)]
        return Areas(island_box(g), hand, sides, {**round_rows(g), **piles_rows(g), "signs": [legend(_LEGEND)]})

    def choice(self, state: States, action: int) -> Choice:
        """A pair, a site or cards."""
        return choice(self.game.checked_state(state)[0], self.game.board, action)

    def counters(self, state: States, seat: int) -> Mapping[str, int]:
        """What a player has, as everybody counts it (G10.1); letters are points."""
        return {translate(name): count(PlainRecord(state[0]), seat) for name, count in COUNTS.items() if name != "letters"}
