"""One call that draws whatever shows a table: a position, a state, a record, a batch, an environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import BatchError, shown
from ginkgo_env.core.game import Game, States
from ginkgo_env.drawing.picture import Picture
from ginkgo_env.records import Record
from ginkgo_env.records.pictures import picture_at
from ginkgo_env.records.record import Step
from ginkgo_env.registry import position_game


def draw(
    thing: Any,
    seat: int | None = None,
    *,
    game: Game | None = None,
    names: Sequence[str] | None = None,
    step: int | None = None,
    row: int = 0,
) -> Picture:
    """A picture of a table, which a notebook shows, and which has ``svg()``.

    Parameters
    ----------
    thing : a position (a dict), a :class:`~ginkgo_env.Record`, a :class:`~ginkgo_env.Batch`, an environment that plays one game;
        with `game` also a state (a record array of shape (1,)) or a step of ``replay``
    seat : whose view: what that seat cannot know is face down. None: everything is open
    names : the sides' names; a record has its own
    step : which step of a record: 0 is the setup, None the end
    row : which game of a batch

    Raises BatchError for anything else, and PositionError or RecordError for a bad position or record.

    >>> import ginkgo_env
    >>> batch = ginkgo_env.Batch(ginkgo_env.make_game("ginkgopolis", players=2), size=1)
    >>> batch.reset(seed=7)
    >>> ginkgo_env.draw(batch, seat=0).title
    'Ginkgopolis, as player_0 sees it'
    """
    if isinstance(thing, Record):
        return picture_at(thing, step, seat)
    made, state = _table(thing, game, row)
    picture: Picture = made.picture(state, seat, names)
    return picture


def _table(thing: Any, game: Game | None, row: int) -> tuple[Game, States]:
    """The game and the state in something that shows a table."""
    if isinstance(thing, Batch):
        return thing.game, thing.state(row)
    if isinstance(thing, Mapping):
        made = game or position_game(thing)
        return made, made.from_position(thing)
    if isinstance(thing, Step | np.ndarray):
        if game is None:
            raise BatchError("a state does not say which game it is of: draw(state, game=batch.game)")
        return game, thing.state if isinstance(thing, Step) else game.checked_state(cast(States, thing))
    shows = getattr(getattr(thing, "unwrapped", thing), "_table", None)
    if shows is None:
        raise BatchError(f"cannot draw {shown(thing)}; expected a position, record, batch, environment, or a state with its game")
    found: tuple[Game, States] = shows()
    return found
