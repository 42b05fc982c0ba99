"""A single function that draws positions, states, records, batches and environments."""

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
    """Draw a picture, which notebooks show and ``svg()`` returns as a document.

    Parameters
    ----------
    thing : a position (a dict), a :class:`~ginkgo_env.Record`, a :class:`~ginkgo_env.Batch`, an environment that plays one game;
        with `game` also a state (a record array of shape (1,)) or a step of ``replay``
    seat : the viewer: what this seat cannot know is face down; None: all information visible
    names : the names of the sides; a record has its own
    step : the step of a record: 0 is the setup, None the end
    row : the row of a batch

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
    """The game and the state of an object that can be drawn."""
    if isinstance(thing, Batch):
        return thing.game, thing.state(row)
    if isinstance(thing, Mapping):
        made = game or position_game(thing)
        return made, made.from_position(thing)
    if isinstance(thing, Step | np.ndarray):
        if game is None:
            raise BatchError("a state needs the argument game to say which game it is of: draw(state, game=batch.game)")
        return game, thing.state if isinstance(thing, Step) else game.checked_state(cast(States, thing))
    table_of = getattr(getattr(thing, "unwrapped", thing), "_table", None)
    if table_of is None:
        raise BatchError(f"cannot draw {shown(thing)}; expected a position, record, batch, environment, or a state with its game")
    table: tuple[Game, States] = table_of()
    return table
