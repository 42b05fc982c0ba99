"""The whole table as a picture: the round, the island, players, piles; labels and the presenter.

The labels of payments and of goods cards are composed of words. The letters of bonus cards are filled in, as a board may differ
from the rule book (G1.6.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import permutations

from ginkgo_env.core.game import OBSERVER
from ginkgo_env.core.language import LANGUAGES, Texts, speaking
from ginkgo_env.core.state import Fields, States
from ginkgo_env.games.golden_city.actions import SOURCES_OF_TWO
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import JOKER, MAX_PLAYERS, N_BONUS, NOBODY, Good, Landscape, Stage
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
    left_after_own_take,
    translate,
    turn_order,
)
from ginkgo_env.games.golden_city.state import State
from ginkgo_env.pictures.presenter import Areas, Choice, Presenter, Rows
from ginkgo_env.pictures.svg import GAP, PAGE, SMALL, Box, below, beside, flow, label, paragraph, rect, text, titled
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
    each = zip(board.bonus_names, board.tables[0].letters_each.tolist(), strict=True)
    letters = {card: translate.counted(n, "letter") for card, n in each}
    return {key: text.format(**letters) for key, text in labels.items()}


def _composed() -> Iterator[tuple[str, str]]:
    """Labels of payments as cards (G5.3, G5.4) and of goods cards."""
    words = [translate(name) for name in LANDSCAPES]
    for needed, name in enumerate(LANDSCAPES):
        payments = [[source] for source in Landscape] if needed == Landscape.COAST else SOURCES_OF_TWO.tolist()
        for sources in payments:
            cards = {source: sources.count(source) * (1 if source == needed else JOKER) for source in sources}
            payment = "+".join(LANDSCAPES[source] for source in sources)
            yield f"pick:pay_{name}:{payment}", " + ".join(f"{n} {words[source]}" for source, n in cards.items())
    for first, second in permutations([good.name.lower() for good in Good], 2):
        for group in ("goods", "box"):
            yield f"pick:{group}:{first}+{second}", f"{translate(first)} + {translate(second)}"


# --- actions as picks: a pair, a site, cards ---------------------------------------------------------------------------------


_GROUPS = {"build": "site", "discard": "card"}
"""Groups whose names differ from the verb of the notation, so that a site is the same part for all actions."""


def choice(g: Readable, board: Board, action: int) -> Choice:
    """An action of the seat to act as one pick: the text after the colon of its notation."""
    verb, _, word = action_text(g, board, action).partition(":")
    return _payment(g, board, word) if verb == "pay" else Choice({_GROUPS.get(verb, verb): word})


def _payment(g: Readable, board: Board, sources: str) -> Choice:
    """The payment for a house. Its landscape is in the group, as the number of cards depends on it (G5.4)."""
    landscape = LANDSCAPES[board.tables[0].landscape[g.place]]
    paid = dict.fromkeys(f"card:{source}" for source in sources.split("+"))
    return Choice({f"pay_{landscape}": sources}, (f"site:{board.place_ids[g.place]}", *paid))


# --- the round: scoring cards, pairs with bidding hands, and building turns --------------------------------------------------


_GAP = 8.0  # between pairs
_SLOT = 148.0  # width of a pair in a row of its own


def scoring_box(g: Fields, board: Board, since: Fields | None) -> Box:
    """The scoring card of the round, and the cards to come."""
    now = framed(_scored(g, board), None if since is None else _scored(since, board))
    to_come = [
        (translate("back {n}", n=back), [scoring_card(board, card) for card in cards]) for back, cards in cards_to_come(g).items()
    ]
    return panel(below([now, rows(to_come)], 8))


def round_rows(g: Fields, board: Board, names: Sequence[str], since: Fields | None) -> dict[str, list[Box]]:
    """The pairs or the building turns, the scoring card of the round, and those to come."""
    to_come = {f"back {back}": [scoring_card(board, card) for card in cards] for back, cards in cards_to_come(g).items()}
    phase: dict[str, list[Box]] = {}
    if g.stage != Stage.OVER:
        words = price_text(g) if g.stage == Stage.BID else ", ".join(turn_facts(g, board))
        facts = [paragraph(words, _SLOT, "dim")] if words else []
        phase["pairs" if g.stage == Stage.BID else "turns"] = [*_slots(g, names, since, _SLOT), *facts]
    return {**phase, "scoring card": [_scored(g, board)], **to_come}


def _scored(g: Fields, board: Board) -> Box:
    """The scoring card of the round in words and signs."""
    good = Good(int(board.tables[0].scoring_good[g.scoring]))
    name = "scored last" if g.stage == Stage.OVER else "scoring card"
    words = [
        label(translate(name), "dim", size=SMALL),
        label(board.scoring_names[g.scoring], size=18, bold=True),
        Box(26, 28, GOOD_SIGNS[good](13, 14, 12)),
        label(translate(good.name.lower())),
        Box(28, 28, area_sign(board, g.scoring, 14, 14, 11)),
        label(area_text(board, g.scoring)),
    ]
    box = beside(words, 8)
    return box._replace(body=titled(scoring_title(board, g.scoring), box.body))


def phase_box(g: Fields, board: Board, names: Sequence[str], since: Fields | None) -> Box:
    """The pairs during bidding, then the building turns in the same height; empty after the end."""
    if g.stage == Stage.OVER:
        return Box(0, 0)
    boxes = beside(_slots(g, names, since, (INNER - _GAP * (g.players - 1)) / g.players), _GAP)
    if g.stage != Stage.BID:
        return panel(
            below([heading(translate("Turn of {side}", side=MARKS[g.actor]), INNER, ", ".join(turn_facts(g, board))), boxes], 6)
        )
    return panel(below([heading(translate("Pairs of landscape cards"), INNER, price_text(g)), boxes], 6))


def _slots(g: Fields, names: Sequence[str], since: Fields | None, width: float) -> list[Box]:
    """The pairs with frames around changes, or the building turns."""
    low = max(30.0, *(name_box(name, width - 62, size=SMALL).height + 8 for name in names[: g.players]))
    if g.stage != Stage.BID:
        return [_turn(g, k, names, width, low) for k in range(g.players)]
    boxes = []
    for i in range(g.players):
        before = None if since is None else _pair(since, i, names, width, low) if since.stage == Stage.BID else Box(0, 0)
        boxes.append(framed(_pair(g, i, names, width, low), before))
    return boxes


def _slot(width: float, low: float, body: str) -> Box:
    """The background of a pair or a turn; `low` is the height of the lower part."""
    high = PAIR[1] + low + 8
    return Box(width, high, rect(0.5, 0.5, width - 1, high - 1, "f-well s-line", r=6) + body)


def _pair(g: Fields, i: int, names: Sequence[str], width: float, low: float) -> Box:
    """A pair and the bidding hand on it."""
    seat, top = g.pair_seat[i], PAIR[1] + 6
    cards = beside([card_of_pair(landscape) for landscape in g.pairs[i]], 4)
    body = cards.at((width - cards.width) / 2, 6) + text(10, top + low / 2, PAIRS[i], bold=True)
    whose = label(translate("free"), "dim") if seat == NOBODY else name_box(names[seat], width - 62, size=SMALL)
    body += "" if seat == NOBODY else badge(seat, 38, top + low / 2, 10, MARKS[seat])
    body += whose.at(30 if seat == NOBODY else 54, top + (low - whose.height) / 2)
    return _slot(width, low, body).named(f"bid:{PAIRS[i]}")


def _turn(g: Fields, k: int, names: Sequence[str], width: float, low: float) -> Box:
    """The k-th building turn of the round, with its player and state (G3)."""
    order = turn_order(g)
    now, seat, top = order.index(g.actor), order[k], PAIR[1] + 6
    sign = badge(seat, 30, top / 2 + 3, 16, MARKS[seat])
    sign += rect(1.5, 1.5, width - 3, top + low - 1, "none s-mark", r=6, stroke_width=2) if k == now else ""
    state = translate("builds" if k == now else "done" if k < now else "to come")
    words = text(56, top / 2 + 3, state, "ink" if k == now else "dim", fit=width - 60)
    name = name_box(names[seat], width - 24, size=SMALL)
    return _slot(width, low, sign + words + name.at(12, top + (low - name.height) / 2))


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


def player_box(g: Fields, board: Board, p: int, name: str, seat: int | None, since: Fields | None) -> Box:
    """One player, with frames around changes."""
    counters = beside(_counters(g, p, since), 10)
    room = INNER - counters.width - 12
    notes = notes_of(g, p)
    called = below([name_box(name, room - 30, bold=True), *([label(notes, "dim", size=SMALL)] if notes else [])], 1)
    who = Box(room, max(38, called.height + 3), badge_box(p, MARKS[p], 10).body + called.at(30, 2.5))
    shown = [(translate(words), boxes) for words, boxes in _shown(g, board, p, seat, since).items()]
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
        box = counter(_SIGNS.get(name, _HOUSES[p]), COUNTS[name](g, p), translate(name))
        return box._replace(body=titled(translate(_TITLES[name]), box.body))

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


# --- piles: what lies beside the board, and the legend of the map ------------------------------------------------------------


_COUNTERS: dict[str, Sign] = {
    "deck": card_sign,
    "discarded": card_sign,
    "goods stack": goods_sign,
    "bonus left": bonus_sign,
    "keys left": key_sign,
    "coins left": coin_sign,
}


def piles_box(g: Fields, board: Board, since: Fields | None) -> Box:
    """Everything beside the board, with frames around changes."""
    counters, *others = piles_rows(g, board, since).items()
    return panel(below([beside(counters[1], 14), rows((translate(words), boxes) for words, boxes in others)], 8))


def piles_rows(g: Fields, board: Board, since: Fields | None) -> Rows:
    """The piles by name; their counters are the row ``supply``."""
    now, then = _piles(g, board), {} if since is None else _piles(since, board)
    numbers, past = _numbers(g), {} if since is None else _numbers(since)
    counters = [
        framed(counter(sign, numbers[name], translate(name)), counter(sign, past[name], translate(name)) if past else None)
        for name, sign in _COUNTERS.items()
    ]
    return {"supply": counters, **{words: [framed(box, then.get(words))] for words, box in now.items()}}


def _numbers(g: Fields) -> dict[str, int]:
    values = (g.deck_size, sum(g.discard), g.goods_size, N_BONUS - g.n_bonus, g.key_stack, g.supply)
    return dict(zip(_COUNTERS, values, strict=True))


def _piles(g: Fields, board: Board) -> dict[str, Box]:
    """Public cards. The content of the stack of goods cards is public, its order is not (G10.1)."""
    discard = [
        beside([landscape_card(landscape), label(f"{TIMES}{number}", bold=True)], 4)
        for landscape, number in enumerate(g.discard)
        if number
    ]
    stack = counts_of(g.goods_stack[: g.goods_size], len(g.display))
    display = piled("goods", board.goods_names, g.display, lambda kind: goods_card(board, kind))
    return {
        "display": beside(display, 4),
        "goods stack": beside(goods_cards(board, stack), 4).named("goods:stack"),
        "out of the game": beside(goods_cards(board, g.boxed), 4),
        "discarded": beside(discard, 10),
    }


def legend(width: float = PAGE) -> Box:
    """The meaning of the signs."""
    signs: list[tuple[Sign, str]] = [
        *[(sign, landscape.name.lower()) for landscape, sign in LANDSCAPE_SIGNS.items()],
        (partial(river_sign, "N"), "river"),
        *[(sign, reward.name.lower().replace("_", " ")) for reward, sign in REWARD_SIGNS.items()],
        *[(sign, good.name.lower()) for good, sign in GOOD_SIGNS.items()],
    ]
    entries = [beside([Box(16, 16, sign(8, 8, 8)), label(translate(words), "dim", size=SMALL)], 5) for sign, words in signs]
    notes = [
        label(translate(words), "dim", size=SMALL)
        for words in ("5/3: letters for the first and the second house", "double frame: costs a key too")
    ]
    return flow([*entries, *notes], width, 14, 4)


# --- the table ---------------------------------------------------------------------------------------------------------------


_LEGEND = 330.0  # width


def draw(record: State, board: Board, seat: int | None, names: Sequence[str], since: State | None) -> Box:
    """Draw the table; with a seat, what only others know is face down."""
    g, before = Fields(record), None if since is None else Fields(since)
    island = island_box(g, board, before)
    players = [player_box(g, board, p, names[p], seat, before) for p in range(g.players)]
    top = [name_box(headline(g, names), PAGE, bold=True), scoring_box(g, board, before), phase_box(g, board, names, before)]
    boxes = [*top, island, legend(), *players, piles_box(g, board, before)]
    return below([_centered(box, island.width) for box in boxes], GAP)


def areas(record: State, board: Board, seat: int | None, names: Sequence[str], since: State | None) -> Areas:
    """The table in areas; arguments as in :func:`draw`."""
    g, before = Fields(record), None if since is None else Fields(since)
    hand = {} if seat is None or seat == OBSERVER else hand_rows(g, board, seat)
    sides = [side_rows(g, board, p, seat, before) for p in range(g.players)]
    table = {**round_rows(g, board, names, before), **piles_rows(g, board, before), "signs": [legend(_LEGEND)]}
    return Areas(island_box(g, board, before), hand, sides, table)


def _centered(box: Box, width: float) -> Box:
    """Center a box of the default width in a wider picture (boards with long ids)."""
    return Box(width, box.height, box.at((width - PAGE) / 2, 0)) if box.height and box.width < width else box


# --- the presenter -----------------------------------------------------------------------------------------------------------


class GoldenCityPresenter(Presenter):
    """Draws the round, the island, players and piles."""

    game: GoldenCity

    def __init__(self, game: GoldenCity) -> None:
        super().__init__(game)
        self.texts = texts_of(game.board)

    def draw(self, state: States, seat: int | None, names: Sequence[str], since: States | None) -> Box:
        """Draw the round, the island, players and piles."""
        return draw(state[0], self.game.board, seat, names, None if since is None else since[0])

    def draw_areas(self, state: States, seat: int | None, names: Sequence[str], since: States | None) -> Areas:
        """The island; the viewer's cards; the players; the round and the piles."""
        return areas(state[0], self.game.board, seat, names, None if since is None else since[0])

    def choice(self, state: States, action: int) -> Choice:
        """A pair, a site or cards."""
        return choice(self.game.checked_state(state)[0], self.game.board, action)

    def counters(self, state: States, seat: int) -> Mapping[str, int]:
        """What a player has, as everybody counts it (G10.1); letters are points."""
        return {translate(name): count(Fields(state[0]), seat) for name, count in COUNTS.items() if name != "letters"}
