"""Play the kernels and the oracle side by side and compare whole positions after every decision.

The oracle has no generator: it is told the random outcomes that the kernels report, and checks that they are asked for in
the same order and of the same items (R11.4).
"""

import random
from collections import Counter, deque
from typing import Any

import numpy as np

import ginkgo_env
from ginkgo_env.core.layout import Layout
from ginkgo_env.core.playback import Playback
from ginkgo_env.games.ginkgopolis.tables import NAMES
from ginkgo_env.games.ginkgopolis.text.notation import members

from .decode import decode, decode_view
from .ginkgopolis import Oracle
from .styles import seat_styles

Json = dict[str, Any]
CLOCKED = ("random", "seed")  # of a position: the generator, which the oracle does not have


class Difference(AssertionError):
    """Kernels and oracle disagree."""


class Logged(Playback):
    """One game played by the kernels; its random outcomes wait until the oracle asks for them."""

    def __init__(self, game: ginkgo_env.Game, seed: int) -> None:
        super().__init__(game)
        self.chances = deque(game.chances(self.start(seed)))
        self._places = [_locate(game.actions, action) for action in range(game.actions.size)]
        self._texts: dict[int, str] = {}
        self._tiles: dict[int, str] = {}
        self._seen = np.zeros((1, game.observation.size), game.observation_dtype)

    def apply(self, text: str) -> None:
        self.chances = deque(self.game.chances(self.play(self.game.parse_action(self.states, text))))

    def legal(self) -> list[str]:
        hand = [] if self.actor is None else names_in_places(self.states[0].hand[self.actor])
        return [self._text(int(action), hand) for action in np.flatnonzero(self.mask[0])]

    def _text(self, action: int, hand: list[str]) -> str:
        """As ``Game.action_text``, which for actions with a card is asked only for what comes after it."""
        block, place = self._places[action]
        if block not in ("commit", "keep"):
            if action not in self._texts:
                self._texts[action] = self.game.action_text(self.states, action)
            return self._texts[action]
        if block == "keep":
            return f"keep:{hand[place[0]]}"
        if place[1] not in self._tiles:
            self._tiles[place[1]] = self.game.action_text(self.states, action).removeprefix(hand[place[0]])
        return hand[place[0]] + self._tiles[place[1]]

    def position(self) -> Json:
        return {key: value for key, value in self.game.position(self.states).items() if key not in CLOCKED}

    def observation(self, seat: int) -> ginkgo_env.Observation:
        self.game.kernels.observe(0, 1, self.states, None, np.array([seat]), self._seen, self.game.observation.offsets)
        return ginkgo_env.Observation(self.game.observation, self._seen[0])


def _locate(layout: Layout, action: int) -> tuple[str, tuple[int, ...]]:
    block, place = layout.locate(action)
    return block.name, place


def names_in_places(words: Any) -> list[str]:
    """The cards of a hand in the places that actions name."""
    return [NAMES[i] for i in members(words)]


def _first_difference(ours: Any, theirs: Any, where: str = "") -> str:
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted({*ours, *theirs}, key=str):
            if ours.get(key) != theirs.get(key):
                return _first_difference(ours.get(key), theirs.get(key), f"{where}.{key}")
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for i, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            if a != b:
                return _first_difference(a, b, f"{where}[{i}]")
    return f"{where}: kernels {ours!r}, oracle {theirs!r}"


class Match:
    """A game played by both."""

    def __init__(self, config: Json, seed: int) -> None:
        self.config, self.seed = config, seed
        self.played: list[str] = []
        self.ours = Logged(ginkgo_env.make_game("ginkgopolis", **config), seed)
        self.theirs = Oracle(self.ours.position()["config"], self._chance)
        self.compare()

    def _chance(self, name: str, items: list[Any]) -> Any:
        if not self.ours.chances:
            raise self.difference(f"the oracle asks for {name}, the kernels had no such outcome")
        chance = self.ours.chances.popleft()
        if chance.name != name:
            raise self.difference(f"the oracle asks for {name}, the kernels had {chance.name}")
        if isinstance(chance.outcome, list) and Counter(chance.outcome) != Counter(items):
            raise self.difference(f"{name}: kernels shuffled {chance.outcome}, oracle {items}")
        return list(chance.outcome) if isinstance(chance.outcome, list) else chance.outcome

    def difference(self, what: str) -> Difference:
        return Difference(f"{what}\nconfig {self.config}, seed {self.seed}, after {self.played}")

    def compare(self) -> None:
        """Raise Difference unless both stand at the same position with the same legal actions."""
        self.compare_decision()
        ours, theirs = self.ours.position(), self.theirs.position()
        if ours != theirs:
            raise self.difference(_first_difference(ours, theirs, "position"))
        outcome = self.ours.game.outcome(self.ours.states)
        if self.over and list(outcome.winners) != self.theirs.winners():
            raise self.difference(f"winners: kernels {outcome.winners}, oracle {self.theirs.winners()}")
        if list(outcome.breakdown) != self.theirs.scores():
            raise self.difference(_first_difference(list(outcome.breakdown), self.theirs.scores(), "scores"))

    def compare_decision(self) -> None:
        """Raise Difference unless the same was drawn by chance, and the same seat decides with the same legal actions."""
        if self.ours.chances:
            raise self.difference(f"the oracle did not ask for {self.ours.chances[0]}")
        if self.ours.actor != self.theirs.decision()[1]:
            raise self.difference(f"kernels wait for {self.ours.actor}, oracle for {self.theirs.decision()}")
        if sorted(self.ours.legal()) != sorted(self.theirs.legal()):
            only = set(self.ours.legal()) ^ set(self.theirs.legal())
            raise self.difference(f"legal actions differ: {sorted(only)}")

    def compare_views(self) -> None:
        """Raise Difference unless every seat is shown what the oracle's statement of R10 says."""
        for seat in range(self.ours.game.seats):
            ours, theirs = decode(self.ours.observation(seat), seat), decode_view(self.theirs.view(seat), self.ours.game.sides)
            if ours != theirs:
                raise self.difference(_first_difference(ours, theirs, f"seen by {seat}"))

    @property
    def over(self) -> bool:
        return self.ours.actor is None

    def play(self, text: str, *, whole: bool = True) -> None:
        self.played.append(text)
        self.ours.apply(text)
        self.theirs.apply(text)
        if whole or self.over:
            self.compare()
        else:
            self.compare_decision()


def play_match(config: Json, seed: int, *, views: int = 4, positions: int = 1) -> int:
    """Play a game with a style for each seat, chosen by the seed; return how many decisions were compared.

    What is drawn by chance, who decides and what is legal is compared after each decision; positions and scores after every
    ``positions``-th, what seats are shown after every ``views``-th.
    """
    chance = random.Random(seed)
    match = Match(config, seed)
    styles = seat_styles(chance, match.ours.game.seats)
    while not match.over:
        _, actor = match.theirs.decision()
        assert actor is not None
        n = len(match.played) + seed
        match.play(styles[actor](chance, sorted(match.ours.legal())), whole=n % positions == 0)
        if n % views == 0:
            match.compare_views()
    return len(match.played)
