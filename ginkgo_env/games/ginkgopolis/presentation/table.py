"""The whole table: the current decision, the city, the sides, the piles."""

from __future__ import annotations

from collections.abc import Sequence

from ginkgo_env.core.fields import Fields
from ginkgo_env.drawing.shapes import heading, row
from ginkgo_env.drawing.svg import GAP, PAGE, Box, below, paragraph
from ginkgo_env.games.ginkgopolis.constants import NONE, WILLIAM
from ginkgo_env.games.ginkgopolis.presentation.city import city_box
from ginkgo_env.games.ginkgopolis.presentation.parts import asked_of
from ginkgo_env.games.ginkgopolis.presentation.pieces import cards_of
from ginkgo_env.games.ginkgopolis.presentation.piles import legend, piles_box
from ginkgo_env.games.ginkgopolis.presentation.players import player_box
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import NAMES
from ginkgo_env.games.ginkgopolis.text.describe import event_text, headline
from ginkgo_env.games.ginkgopolis.text.words import say


def draw(record: State, seat: int | None, names: Sequence[str], since: State | None) -> Box:
    """Draw the table.

    seat : the viewer: what only others know is face down, and its picks are parts if it acts; None: all information visible
    """
    g = Fields(record)
    asked = asked_of(g, seat)
    shown = [seat] if seat is not None else list(range(1 if g.solo else g.players))
    before = None if since is None else Fields(since)
    event = event_text(g)
    head = [heading(headline(g, names, shown))]
    if event:
        head.append(paragraph(say("Event of {name}: {event}", name=names[g.player], event=event), PAGE))
    if seat is None and g.solo and g.card[WILLIAM] != NONE and g.player != WILLIAM:
        head.append(row(say("{name} has face down", name=names[WILLIAM]), cards_of([NAMES[g.card[WILLIAM]]])))
    players = [player_box(g, p, names[p], shown, asked if p == seat else None) for p in range(g.players)]
    return below([below(head, 4), city_box(g, before, asked), legend(g), *players, piles_box(g, asked)], GAP)
