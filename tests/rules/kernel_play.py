"""A game played by the kernels: what tables that play with a log share."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

import ginkgo_env
from ginkgo_env.core.game import Chance, Game, States
from ginkgo_env.core.playback import Playback, Rows

Json = dict[str, Any]


class KernelPlay:
    """A game being played by the kernels: text in, plain data out."""

    def __init__(self, game: Game) -> None:
        self.game, self.playback = game, Playback(game)
        self.rows: Rows = []
        """What has been logged since the game was set up, or a position was set."""

    def reset(self, seed: int) -> Self:
        """The beginning of a game."""
        self.rows = self.playback.start(seed)
        return self

    def set_position(self, position: Json) -> Self:
        """The game goes on from a position."""
        self.playback.continue_from(self.game.from_position(position))
        self.rows = []
        return self

    def set_state(self, state: States) -> Self:
        """The game goes on from a record, which is not checked."""
        self.playback.states[:] = state
        self.playback.refresh()
        return self

    def copy(self) -> Self:
        """Another table, at which the same game is played."""
        other = type(self)(self.game).set_state(self.state)
        other.rows = list(self.rows)
        return other

    def play(self, *texts: str) -> Self:
        """Play actions of whoever decides; raises ValueError for one that is not legal."""
        for text in texts:
            self.rows += self.playback.play(self.game.parse_action(self.state, text))
        return self

    @property
    def state(self) -> States:
        return self.playback.states

    @property
    def chances(self) -> list[Chance]:
        """The random outcomes since the game was set up, or a position was set."""
        return self.game.chances(self.rows)

    @property
    def position(self) -> Json:
        return self.game.position(self.state)

    @property
    def legal(self) -> list[str]:
        """All legal actions, in the order of their ids."""
        return [self.game.action_text(self.state, int(action)) for action in np.flatnonzero(self.playback.mask[0])]

    @property
    def outcome(self) -> ginkgo_env.Outcome:
        return self.game.outcome(self.state)

    def seen(self, seat: int) -> Json:
        """What a seat is shown: each block as nested lists."""
        game, out = self.game, np.zeros((1, self.game.observation.size), self.game.observation_dtype)
        game.kernels.observe(0, 1, self.state, game.components, np.array([seat]), out, game.observation.offsets)
        return {name: block.tolist() for name, block in ginkgo_env.Observation(game.observation, out[0]).items()}

    # --- what follows from the position

    @property
    def decision(self) -> tuple[str, int | None]:
        decision = self.position["decision"]
        return decision["kind"], decision["actor"]

    def player(self, seat: int) -> Json:
        player: Json = self.position["players"][seat]
        return player

    def by_seat(self, key: str) -> list[Any]:
        """One thing of each player."""
        return [player[key] for player in self.position["players"]]
