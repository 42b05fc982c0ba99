"""The sides: public counters, the area in front of the screen, and what the viewer knows behind it."""

from __future__ import annotations

from collections.abc import Iterable

from ginkgo_env.core.fields import Fields
from ginkgo_env.drawing.shapes import INNER, badge_box, panel, rows
from ginkgo_env.drawing.svg import SMALL, Box, below, beside, flow, label, text
from ginkgo_env.games.ginkgopolis.constants import NONE, WILLIAM, Stage
from ginkgo_env.games.ginkgopolis.presentation.city import sign_of
from ginkgo_env.games.ginkgopolis.presentation.parts import counter_with_part, group_of
from ginkgo_env.games.ginkgopolis.presentation.pieces import (
    bonuses,
    card_backs,
    cards_of,
    counter_of,
    tile_backs,
    tiles_of,
)
from ginkgo_env.games.ginkgopolis.tables import EVENT_NAMES, NAMES
from ginkgo_env.games.ginkgopolis.text.describe_players import (
    PRIVATE,
    count_kept_in_draft,
    counts,
    doing,
    drafts_in_secret,
    known,
    mark,
)
from ginkgo_env.games.ginkgopolis.text.notation import names_in
from ginkgo_env.games.ginkgopolis.text.position.player import FIELD
from ginkgo_env.games.ginkgopolis.text.reading import (
    UNTESTED,
    characters,
    count_cards_of,
    count_events_of,
    count_tiles_of,
    expert_of,
    is_shown,
)
from ginkgo_env.games.ginkgopolis.text.words import say

_NAME = 120.0  # width of a name
_Rows = Iterable[tuple[str, list[Box]]]
_TILES = ("tiles", "returning", "lower_tiles")  # fields that hold tiles; the others hold cards
_WORDS = {"returning": "giving back", "lower_tiles": "in the city", "packet_experts": "packet"}


def player_box(g: Fields, p: int, name: str, shown: list[int], asked: Stage | None) -> Box:
    """One side.

    shown : sides of which everything is visible
    asked : the kind of decision that this side, the viewer, has to make
    """
    sign = badge_box(sign_of(g, p), mark(g, p), 10)
    who = Box(_NAME, sign.height, sign.body + text(30, sign.height / 2, name, bold=True, fit=_NAME - 32))
    counters = beside([counter_with_part(counter_of(key, n), asked, key) for key, n in counts(g, p).items()], 8)
    head = flow([who, counters, label(doing(g, p), size=SMALL)], INNER, 12, 2)
    behind = [*_behind(g, p, asked), *_passed(g, p)] if p in shown else _closed(g, p)
    front = [*_in_front(g, p, shown), *_shown_card(g, p)]
    return panel(below([head, rows(_said(front)), rows(_said(behind))], 6), active=g.actor == p)


def _said(groups: _Rows) -> _Rows:
    """Rows with their names in the current language."""
    return [(say(words), boxes) for words, boxes in groups]


def hand_rows(g: Fields, p: int, asked: Stage | None) -> dict[str, list[Box]]:
    """What the viewer has behind the screen, by name."""
    return _joined(_behind(g, p, asked))


def side_rows(g: Fields, p: int, seat: int | None, asked: Stage | None) -> dict[str, list[Box]]:
    """Counters, what lies in front of the screen, and what the viewer knows behind it, without the hand."""
    shown = seat in (None, p) and not (g.solo and p == WILLIAM)
    counters = [counter_with_part(counter_of(key, n), asked if p == seat else None, key) for key, n in counts(g, p).items()]
    passed = [(name, boxes) for name, (_, boxes) in zip(("left", "right"), _passed(g, p), strict=False)]
    behind = [*([] if p == seat else _behind(g, p, None)), *passed] if shown else _closed(g, p)
    return _joined([("counters", counters), *_shown_card(g, p), *_in_front(g, p, [p] if shown else []), *behind])


def _joined(rows: _Rows) -> dict[str, list[Box]]:
    """Rows by name; those of the same name are one."""
    joined: dict[str, list[Box]] = {}
    for name, boxes in rows:
        joined.setdefault(name, []).extend(boxes)
    return joined


def _in_front(g: Fields, p: int, shown: list[int]) -> _Rows:
    """The tableau and its bonuses for each action (R1.5)."""
    if drafts_in_secret(g, p, shown):
        return [("tableau", [card_backs(count_kept_in_draft(g, p))])]
    cards = [*expert_of(g, p), *characters(g.characters[p]), *names_in(g.tableau[p])]
    return [("tableau", cards_of(cards)), ("brings", bonuses(g.bonus[p]))]


def _shown_card(g: Fields, p: int) -> _Rows:
    """The card that was revealed, with its tile until that is built."""
    if g.card[p] == NONE or not is_shown(g, p):
        return []
    tile = g.tile[p] if g.phase in UNTESTED else NONE
    return [("plays", [*cards_of([NAMES[g.card[p]]]), *tiles_of([] if tile == NONE else [NAMES[tile]])])]


def _behind(g: Fields, p: int, asked: Stage | None) -> _Rows:
    """Everything behind the screen."""
    for key in PRIVATE:
        if key == "commitment":
            yield ("chosen", _chosen(g, p))
        else:
            names, drawn = FIELD[key].names(g, p), tiles_of if key in _TILES else cards_of
            yield (_WORDS.get(key, key), drawn(names, group_of(asked, key)))
    yield ("played", cards_of(FIELD["events_played"].names(g, p)))


def _chosen(g: Fields, p: int) -> list[Box]:
    """The chosen card with its tiles; after the reveal, what is still hidden."""
    tiles = [NAMES[tile] for tile in (g.lower[p], NONE if is_shown(g, p) else g.tile[p]) if tile != NONE]
    if is_shown(g, p) or g.card[p] == NONE:
        return tiles_of(tiles)
    event = [] if g.event[p] == NONE else [EVENT_NAMES[g.event[p]]]
    return [*cards_of([NAMES[g.card[p]]]), *tiles_of(tiles), *cards_of(event)]


def _closed(g: Fields, p: int) -> _Rows:
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


def _passed(g: Fields, p: int) -> _Rows:
    """Cards that neighbors know of each other because hands are passed (R10.3)."""
    if g.solo:
        return []
    left, right = (p + 1) % g.players, (p - 1) % g.players
    seen = (
        (say("{side} has", side=mark(g, left)), g.passed[p]),
        (say("{side} knows", side=mark(g, right)), g.passed[right]),
    )
    return [(words, cards_of(names_in(cards))) for words, cards in seen]
