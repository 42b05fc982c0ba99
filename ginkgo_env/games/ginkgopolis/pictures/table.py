"""The whole table as a picture: the decision, the city, the sides, the piles; the presenter.

German texts use the terms of the German edition: Planen, Hochbauen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ginkgo_env.core.state import OBSERVER, PlainRecord, States, VisibleState
from ginkgo_env.games.ginkgopolis.components import EVENT_NAMES, NAMES
from ginkgo_env.games.ginkgopolis.constants import NONE, WILLIAM, Module, Stage
from ginkgo_env.games.ginkgopolis.describe import (
    EXHAUSTED,
    PRIVATE,
    count_kept_in_draft,
    counts,
    doing,
    drafts_in_secret,
    event_text,
    has_face_down_card,
    headline,
    known,
    mark,
    split_text,
)
from ginkgo_env.games.ginkgopolis.notation import names_in
from ginkgo_env.games.ginkgopolis.pictures.city import (
    city_alone,
    city_box,
    floors_sign,
    number_sign,
    pawn_sign,
    sign_of,
    token_sign,
)
from ginkgo_env.games.ginkgopolis.pictures.pieces import (
    COLORS,
    asked_of,
    bonuses,
    card_backs,
    cards_of,
    choice,
    counter_of,
    counter_with_part,
    group_of,
    tile_backs,
    tiles_of,
    tree_sign,
    with_parts,
)
from ginkgo_env.games.ginkgopolis.position import FIELD
from ginkgo_env.games.ginkgopolis.queries import (
    UNTESTED,
    characters,
    count_cards_of,
    count_events_of,
    count_tiles_of,
    expert_of,
    is_shown,
    translate,
)
from ginkgo_env.pictures import svg
from ginkgo_env.pictures.presenter import Areas, Choice, Presenter, Rows
from ginkgo_env.pictures.svg import GAP, PAGE, SMALL, Box
from ginkgo_env.pictures.widgets import INNER, badge_box, heading, panel, row, rows

# --- sides: public counters, the area in front of the screen, what the viewer knows behind it --------------------------------


_NAME = 120.0  # width of a name
_Rows = Iterable[tuple[str, list[Box]]]
_TILES = ("tiles", "returning", "lower_tiles")  # fields that hold tiles; the others hold cards
_LABELS = {"returning": "giving back", "lower_tiles": "in the city", "packet_experts": "packet"}


def player_box(g: VisibleState, p: int) -> Box:
    """One side."""
    sign = badge_box(sign_of(g, p), mark(g, p), 10)
    who = Box(_NAME, sign.height, sign.body + svg.text(30, sign.height / 2, g.names[p], bold=True, fit=_NAME - 32))
    head = svg.flow([who, svg.beside(_counters(g, p), 8), svg.label(doing(g, p), size=SMALL)], INNER, 12, 2)
    behind = [*_behind(g, p), *_passed(g, p)] if p in g.open_seats else _closed(g, p)
    front = [*_in_front(g, p), *_shown_card(g, p)]
    return panel(svg.below([head, rows(_said(front)), rows(_said(behind))], 6), active=g.actor == p)


def _said(groups: _Rows) -> _Rows:
    """Rows with their names in the current language."""
    return [(translate(name), boxes) for name, boxes in groups]


def _counters(g: VisibleState, p: int) -> list[Box]:
    """The public numbers of a side; those of the viewer are parts if they can be picked."""
    return [counter_with_part(g, name, n) if p == g.viewer else counter_of(name, n) for name, n in counts(g, p).items()]


def hand_rows(g: VisibleState, p: int) -> dict[str, list[Box]]:
    """What the viewer has behind the screen, by name."""
    return _joined(_behind(g, p))


def side_rows(g: VisibleState, p: int) -> dict[str, list[Box]]:
    """Counters, what lies in front of the screen, and what the viewer knows behind it, without the hand."""
    passed = [(name, boxes) for name, (_, boxes) in zip(("left", "right"), _passed(g, p), strict=False)]
    behind = [*([] if p == g.viewer else _behind(g, p)), *passed] if p in g.open_seats else _closed(g, p)
    return _joined([("counters", _counters(g, p)), *_shown_card(g, p), *_in_front(g, p), *behind])


def _joined(rows: _Rows) -> dict[str, list[Box]]:
    """Rows by name; those of the same name are one."""
    joined: dict[str, list[Box]] = {}
    for name, boxes in rows:
        joined.setdefault(name, []).extend(boxes)
    return joined


def _in_front(g: VisibleState, p: int) -> _Rows:
    """The tableau and its bonuses for each action (R1.5)."""
    if drafts_in_secret(g, p):
        return [("tableau", [card_backs(count_kept_in_draft(g, p))])]
    cards = [*expert_of(g, p), *characters(g.characters[p]), *names_in(g.tableau[p])]
    return [("tableau", cards_of(cards)), ("brings", bonuses(g.bonus[p]))]


def _shown_card(g: PlainRecord, p: int) -> _Rows:
    """The card that was revealed, with its tile until that is built."""
    if g.card[p] == NONE or not is_shown(g, p):
        return []
    tile = g.tile[p] if g.phase in UNTESTED else NONE
    return [("plays", [*cards_of([NAMES[g.card[p]]]), *tiles_of([] if tile == NONE else [NAMES[tile]])])]


def _behind(g: VisibleState, p: int) -> _Rows:
    """Everything behind the screen."""
    for key in PRIVATE:
        if key == "commitment":
            yield ("chosen", _chosen(g, p))
        else:
            names, drawn = FIELD[key].names(g, p), tiles_of if key in _TILES else cards_of
            yield (_LABELS.get(key, key), drawn(names, group_of(g, p, key)))
    yield ("played", cards_of(FIELD["events_played"].names(g, p)))


def _chosen(g: PlainRecord, p: int) -> list[Box]:
    """The chosen card with its tiles; after the reveal, what is still hidden."""
    tiles = [NAMES[tile] for tile in (g.lower[p], NONE if is_shown(g, p) else g.tile[p]) if tile != NONE]
    if is_shown(g, p) or g.card[p] == NONE:
        return tiles_of(tiles)
    event = [] if g.event[p] == NONE else [EVENT_NAMES[g.event[p]]]
    return [*cards_of([NAMES[g.card[p]]]), *tiles_of(tiles), *cards_of(event)]


def _closed(g: PlainRecord, p: int) -> _Rows:
    """The public knowledge about what is behind the screen: numbers and known items (R10.3, X7.4)."""
    facts = known(g, p)
    tiles, events = facts["tiles"], facts["events"]
    return [
        ("hand", [card_backs(count_cards_of(g, p))]),
        ("tiles", [*tiles_of(tiles), tile_backs(count_tiles_of(g, p) - len(tiles))]),
        ("events", [*cards_of(events), card_backs(count_events_of(g, p) - len(events))]),
        ("played", cards_of(facts["events played"])),
        ("in the city", [tile_backs(int(n)) for n in facts["hidden tiles in the city:"]]),
    ]


def _passed(g: PlainRecord, p: int) -> _Rows:
    """Cards that neighbors know of each other because hands are passed (R10.3)."""
    if g.solo:
        return []
    left, right = (p + 1) % g.players, (p - 1) % g.players
    seen = (
        (translate("{side} has", side=mark(g, left)), g.passed[p]),
        (translate("{side} knows", side=mark(g, right)), g.passed[right]),
    )
    return [(name, cards_of(names_in(cards))) for name, cards in seen]


# --- piles (supply, stacks, deck, discard pile), and the legend of the map ---------------------------------------------------


def piles_box(g: VisibleState) -> Box:
    """Everything beside the city."""
    notes = [translate(EXHAUSTED[g.exhaustions])] if g.exhaustions else []
    if g.stage == Stage.SPLIT:
        notes.append(f"{translate('to be drawn:')} {split_text(g)}")
    elif g.draws:
        notes.append(translate("still to be drawn: {n}", n=g.draws))
    title = heading(translate("Supply"), PAGE - 20, "; ".join(notes))
    counters, *others = piles_rows(g).items()
    return panel(svg.below([title, svg.beside(counters[1], 18), *(row(translate(name), boxes) for name, boxes in others)], 6))


def piles_rows(g: VisibleState) -> Rows:
    """The piles by name; their counters are the row ``supply``."""
    discard, prestige = names_in(g.discard), names_in(g.prestige)
    numbers = {"tile supply": g.supply_size, "deck": g.deck_size, "discarded": len(discard)}
    if g.modules[Module.NEW_BUILDINGS]:
        numbers["new buildings"] = g.n_new_buildings
    if g.modules[Module.GREEN_SPACES]:
        numbers["green spaces"] = g.green_stack
    stacks = "split" if asked_of(g) == Stage.SPLIT else ""
    return {
        "supply": [counter_with_part(g, name, n) for name, n in numbers.items()],
        "prestige": with_parts(tiles_of(prestige), stacks, (COLORS[name[0]] for name in prestige)),
        "given back": tiles_of(names_in(g.returned)),
        "discarded": cards_of(discard),
    }


def legend(g: PlainRecord, width: float = PAGE) -> Box:
    """The meaning of the signs on the map."""
    signs = [
        (badge_box(0, "a", 7), "owner"),
        (Box(22, 16, floors_sign(2, 0, 0, 22, 16)), "floors"),
        (Box(12, 18, pawn_sign(6, 8, 7)), "construction site"),
        (Box(18, 18, token_sign("A", 9, 9, 8)), "token"),
        (Box(18, 18, number_sign(1, 9, 9, 8)), "district"),
    ]
    if g.modules[Module.GREEN_SPACES]:
        signs.append((Box(16, 18, tree_sign(8, 9, 8)), "green space"))
    return svg.flow([svg.beside([sign, svg.label(translate(text), "dim", size=SMALL)], 5) for sign, text in signs], width, 18)


# --- the table ---------------------------------------------------------------------------------------------------------------


_EVENT, _LEGEND = 300.0, 330.0  # widths


# --- the presenter -----------------------------------------------------------------------------------------------------------


class GinkgopolisPresenter(Presenter):
    """Draws city, sides and piles; a commitment is picked as a card and a tile."""

    text_styles: Mapping[str, str] = {
        **{rf"\b{letter}[0-9]+(?=\b|\u00b7)": style for letter, style in (("R", "red"), ("B", "bright_blue"), ("Y", "yellow"))},
        r"\bGS\b": "green",
        r"^[a-zN][A-Za-z ]{3,12}:": "dim",
    }
    text_order = (r" +-?\d", "only ", " +player")
    texts = translate
    how_to_play_file = "how_to_play/{language}.md"

    def draw(self, g: VisibleState) -> Box:
        """Draw city, sides and piles."""
        head = [heading(headline(g))]
        if event := event_text(g):
            head.append(svg.paragraph(translate("Event of {name}: {event}", name=g.names[g.player], event=event), PAGE))
        if has_face_down_card(g):
            head.append(row(translate("{name} has face down", name=g.names[WILLIAM]), cards_of([NAMES[g.card[WILLIAM]]])))
        players = [player_box(g, p) for p in range(g.players)]
        return svg.below([svg.below(head, 4), city_box(g), legend(g), *players, piles_box(g)], GAP)

    def draw_areas(self, g: VisibleState) -> Areas:
        """The city; hand and tiles of the viewer; the sides; the piles."""
        hand = {} if g.viewer in (None, OBSERVER) else hand_rows(g, g.viewer)
        sides = [side_rows(g, p) for p in range(g.players)]
        event = event_text(g)
        events = [svg.paragraph(event, _EVENT)] if event else []
        return Areas(city_alone(g), hand, sides, {"event": events, **piles_rows(g), "signs": [legend(g, _LEGEND)]})

    def choice(self, state: States, action: int) -> Choice:
        """A card and a tile for a commitment, one pick for other actions; unpaid tiles have a note."""
        return self.choices(state, [action])[0]

    def choices(self, state: States, actions: Sequence[int]) -> list[Choice]:
        """Each of some legal actions of one decision, whose payment is tried once for all."""
        g, strict = self.game.checked_state(state)[0], state.copy()
        strict["strict"] = True  # only what can be paid now is legal (R3.3)
        payable = set(self.game.legal_actions(strict).tolist())
        note = translate("The tile cannot be paid now: the card counts alone (R5.7)")
        return [choice(g, action)._replace(note="" if action in payable else note) for action in actions]

    def counters(self, state: States, seat: int) -> Mapping[str, int]:
        """What a side has, as everybody counts it (R10.1); SP are points."""
        return {translate(name): n for name, n in counts(PlainRecord(state[0]), seat).items() if name != "SP"}
