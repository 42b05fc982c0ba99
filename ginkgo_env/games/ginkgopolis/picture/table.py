"""The whole table: what happens now, the city, the piles, the sides."""

from __future__ import annotations

from collections.abc import Sequence

from ginkgo_env.core.pieces import heading
from ginkgo_env.core.svg import GAP, Box, below
from ginkgo_env.games.ginkgopolis.picture.city import city_box
from ginkgo_env.games.ginkgopolis.picture.players import player_box
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.text.describe import headline
from ginkgo_env.games.ginkgopolis.text.fields import Fields


def draw(record: State, seat: int | None, names: Sequence[str], since: State | None) -> Box:
    """The table; with a seat, what only others know is face down."""
    g = Fields(record)
    shown = [seat] if seat is not None else list(range(1 if g.solo else g.players))
    players = [player_box(g, p, names[p], p in shown) for p in range(g.players)]
    before = None if since is None else Fields(since)
    return below([heading(headline(g, names, shown)), city_box(g, before), *players], GAP)
