"""The whole table: the current decision, the city, the sides, the piles."""

from __future__ import annotations

from collections.abc import Sequence

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.game import OBSERVER
from ginkgo_env.drawing.presenter import Areas
from ginkgo_env.drawing.shapes import heading, row
from ginkgo_env.drawing.svg import GAP, PAGE, Box, below, paragraph
from ginkgo_env.games.ginkgopolis.constants import NONE, WILLIAM
from ginkgo_env.games.ginkgopolis.presentation.city import city_alone, city_box
from ginkgo_env.games.ginkgopolis.presentation.parts import asked_of
from ginkgo_env.games.ginkgopolis.presentation.pieces import cards_of
from ginkgo_env.games.ginkgopolis.presentation.piles import legend, piles_box, piles_rows
from ginkgo_env.games.ginkgopolis.presentation.players import hand_rows, player_box, side_rows
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import NAMES
from ginkgo_env.games.ginkgopolis.text.describe import event_text, headline, open_seats_of
from ginkgo_env.games.ginkgopolis.text.words import say

_EVENT, _LEGEND = 300.0, 330.0  # widths


def draw(record: State, seat: int | None, names: Sequence[str], since: State | None) -> Box:
    """Draw the table.

    seat : the viewer: what only others know is face down, and its picks are parts if it acts; None: all information visible
    """
    g = Fields(record)
    asked = asked_of(g, seat)
    shown = open_seats_of(g, seat)
    before = None if since is None else Fields(since)
    event = event_text(g)
    head = [heading(headline(g, names, shown))]
    if event:
        head.append(paragraph(say("Event of {name}: {event}", name=names[g.player], event=event), PAGE))
    if seat is None and g.solo and g.card[WILLIAM] != NONE and g.player != WILLIAM:
        head.append(row(say("{name} has face down", name=names[WILLIAM]), cards_of([NAMES[g.card[WILLIAM]]])))
    players = [player_box(g, p, names[p], shown, asked if p == seat else None) for p in range(g.players)]
    return below([below(head, 4), city_box(g, before, asked), legend(g), *players, piles_box(g, asked)], GAP)


def areas(record: State, seat: int | None, since: State | None) -> Areas:
    """The table in areas; arguments as in :func:`draw`."""
    g = Fields(record)
    asked, before = asked_of(g, seat), None if since is None else Fields(since)
    hand = {} if seat is None or seat == OBSERVER else hand_rows(g, seat, asked)
    sides = [side_rows(g, p, seat, asked) for p in range(g.players)]
    event = event_text(g)
    table = {"event": [paragraph(event, _EVENT)] if event else [], **piles_rows(g, asked), "signs": [legend(g, _LEGEND)]}
    return Areas(city_alone(g, before, asked), hand, sides, table)
