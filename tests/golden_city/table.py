"""A table at a position, played on in notation.

>>> table = start(turn("dd", "", "", houses={"C14": 0}))
>>> table.play("build:D2").decision
('goods', 0)
"""

from __future__ import annotations

from functools import cache
from typing import Any, Self

import numpy as np

import ginkgo_env
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.playback import Playback
from ginkgo_env.games.golden_city.board import load_board

from .made_up import Json


@cache
def game_of(players: int, board: str = "own") -> Game:
    return ginkgo_env.make_game("golden_city", players=players, board=board)


class Table:
    """A game being played: text in, plain data out."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.playback = Playback(game)
        self.chances: list[Any] = []
        """The random outcomes so far."""

    def begin(self, seed: int) -> Self:
        self.chances = self.game.chances(self.playback.start(seed))
        return self

    def go_on(self, state: States, check: bool = True) -> Self:
        """Continue from a state; without the check, also from one that no components make up."""
        if check:
            self.playback.continue_from(state)
        else:
            self.playback.states[:] = state
            self.playback.refresh()
        return self

    def play(self, *texts: str) -> Self:
        """Play actions of whoever decides; they must be legal."""
        for text in texts:
            self.chances += self.game.chances(self.playback.play(self.game.parse_action(self.state, text)))
        return self

    def copy(self) -> Table:
        """Another table from here."""
        return Table(self.game).go_on(self.playback.state())

    @property
    def state(self) -> States:
        return self.playback.states

    @property
    def position(self) -> Json:
        return self.game.position(self.state)

    @property
    def decision(self) -> tuple[Any, Any]:
        decision = self.position["decision"]
        return decision["kind"], decision["actor"]

    def player(self, seat: int) -> Json:
        found: Json = self.position["players"][seat]
        return found

    def by_seat(self, key: str) -> list[Any]:
        """One thing of each player."""
        return [player[key] for player in self.position["players"]]

    def letters(self, source: str) -> list[int]:
        return [player["letters"][source] for player in self.position["players"]]

    @property
    def legal(self) -> list[str]:
        """All legal actions, in the order of their ids."""
        return [self.game.action_text(self.state, int(action)) for action in np.flatnonzero(self.playback.mask[0])]

    @property
    def offered(self) -> list[str]:
        """The same without what stands before the colon."""
        return [text.partition(":")[2] for text in self.legal]

    @property
    def outcome(self) -> ginkgo_env.Outcome:
        return self.game.outcome(self.state)

    def seen(self, seat: int) -> ginkgo_env.Observation:
        """What a seat is shown."""
        out = np.zeros((1, self.game.observation.size), self.game.observation_dtype)
        self.game.kernels.observe(0, 1, self.state, self.game.tables, np.array([seat]), out, self.game.observation.offsets)
        return ginkgo_env.Observation(self.game.observation, out[0])

    def sites(self, seat: int) -> list[str]:
        return [name for name, here in zip(load_board().place_ids, self.seen(seat)["sites"], strict=True) if here]


def start(data: Json, game: Game | None = None) -> Table:
    """A table at a position."""
    game = game or game_of(len(data["players"]))
    return Table(game).go_on(game.from_position(data))


def play(data: Json, *texts: str, game: Game | None = None) -> Table:
    """A table at a position, and these actions played."""
    return start(data, game).play(*texts)
