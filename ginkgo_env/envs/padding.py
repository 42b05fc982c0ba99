"""Observations for several numbers of players in one layout, so that one network can play all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from ginkgo_env.core.arguments import checked
from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import BatchError, ConfigError
from ginkgo_env.core.game import Game
from ginkgo_env.core.layout import Block, Layout


class SeatPadding:
    """The observations of a game in the layout that it has with more players: zeros stand for those who are not there.

    Seats are relative to the viewer in all layouts, so a number of a seat has the same place for any number of players.

    game : the game, in any configuration
    players : the number of players of the layout

    Raises ConfigError if the game has no such configuration, or fewer sides in it.

    >>> import ginkgo_env
    >>> batch = ginkgo_env.Batch(ginkgo_env.make_game("ginkgopolis", players=3), 2)
    >>> padding = ginkgo_env.SeatPadding(batch.game, players=5)
    >>> padding.pad(batch.observe()).shape
    (2, 2420)

    As a wrapper: ``gymnasium.wrappers.TransformObservation(env, padding.pad, padding.space)``.
    """

    @checked(ConfigError)
    def __init__(self, game: Game, players: int = 5) -> None:
        players = integer(players, 1, None, "players", ConfigError)
        larger = type(game)(**game.config_dict | {"players": players})
        if larger.sides < game.sides:
            raise ConfigError(f"invalid players {players}; the layout would have {larger.sides} sides, the game has {game.sides}")
        self.layout: Layout = larger.observation
        """The blocks of padded observations."""
        self.dtype = game.observation_dtype
        parts = [_places(game.observation[name], self.layout[name], game.sides, larger.sides) for name in game.observation]
        self._places, self._size = np.concatenate(parts), game.observation.size

    @checked()
    def pad(self, observations: NDArray[Any]) -> NDArray[Any]:
        """Padded observations (..., N) of observations (..., n), in an array of its own."""
        if observations.shape[-1:] != (self._size,):
            raise BatchError(f"invalid observations of shape {observations.shape}; expected (..., {self._size})")
        padded = np.zeros((*observations.shape[:-1], self.layout.size), observations.dtype)
        padded[..., self._places] = observations
        return padded

    @property
    def space(self) -> Box:
        """The space of padded observations."""
        low, high = self.layout.bounds(self.dtype)
        return Box(np.minimum(low, 0), np.maximum(high, 0), dtype=self.dtype)  # type: ignore[arg-type]


def _places(block: Block, larger: Block, sides: int, more: int) -> NDArray[np.int64]:
    """The flat index of each number of a block in the layout with more sides.

    Along the axis that grows come numbers of no seat first, then groups of one for each seat.
    """
    indices = np.arange(larger.start, larger.stop).reshape(larger.shape)
    for axis, (own, length) in enumerate(zip(block.shape, larger.shape, strict=True)):
        groups = (length - own) // max(1, more - sides)
        first = own - groups * sides
        seats = [first + group * more + np.arange(sides) for group in range(groups)]
        indices = indices.take(np.concatenate([np.arange(first), *seats]), axis)
    return indices.ravel()
