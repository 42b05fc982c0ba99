"""Play the kernels and the oracle side by side (R11.4) and compare whole positions after every decision."""

import random
from typing import Any

import numpy as np

import ginkgo_env
from ginkgo_env.core.layout import Layout
from ginkgo_env.games.ginkgopolis.components import NAMES
from ginkgo_env.games.ginkgopolis.notation import members

from ..side_by_side import Json, Logged, Match
from .decode import decode, decode_view
from .ginkgopolis import Oracle
from .styles import seat_styles


class LoggedGinkgopolis(Logged):
    """One game played by the kernels. Actions with a card name it, so their notation depends on the hand."""

    def __init__(self, game: ginkgo_env.Game, seed: int) -> None:
        super().__init__(game, seed)
        self._places = [_locate(game.actions, action) for action in range(game.actions.size)]
        self._tiles: dict[int, str] = {}

    def legal(self) -> list[str]:
        hand = [] if self.actor is None else names_in_places(self.states[0].hand[self.actor])
        return [self._text_with(int(action), hand) for action in np.flatnonzero(self.mask[0])]

    def _text_with(self, action: int, hand: list[str]) -> str:
        """As ``Game.action_text``, which for actions with a card is asked only for what comes after it."""
        block, place = self._places[action]
        if block not in ("commit", "keep"):
            return self.text(action)
        if block == "keep":
            return f"keep:{hand[place[0]]}"
        if place[1] not in self._tiles:
            self._tiles[place[1]] = self.game.action_text(self.states, action).removeprefix(hand[place[0]])
        return hand[place[0]] + self._tiles[place[1]]


def _locate(layout: Layout, action: int) -> tuple[str, tuple[int, ...]]:
    block, place = layout.locate(action)
    return block.name, place


def names_in_places(words: Any) -> list[str]:
    """The cards of a hand in the places that actions name."""
    return [NAMES[i] for i in members(words)]


class GinkgopolisMatch(Match):
    """A game of Ginkgopolis played by both."""

    game, oracle, kernels = "ginkgopolis", Oracle, LoggedGinkgopolis
    in_order = False

    def compare_views(self) -> None:
        """Raise Difference unless every seat is shown what the oracle's statement of R10 says."""
        for seat in range(self.ours.game.seats):
            theirs = decode_view(self.theirs.view(seat), self.ours.game.sides)
            self.expect_equal(f"seen by {seat}", decode(self.ours.observation(seat), seat), theirs)

    def reload(self) -> None:
        """Only where the oracle can go on: when an action is to be chosen, or when the game is over."""
        if self.theirs.decision()[0] in ("commit", "over"):
            super().reload()


def play_match(config: Json, seed: int, *, views: int = 4, positions: int = 1) -> int:
    """Play a game with a style for each seat, chosen by the seed; return how many decisions were compared."""
    chance = random.Random(seed)
    match = GinkgopolisMatch(config, seed)
    styles = seat_styles(chance, match.ours.game.seats)
    return match.play_out(lambda seat: styles[seat](chance, sorted(match.ours.legal())), views=views, positions=positions)
