"""Play the kernels and the oracle side by side and compare whole positions after every decision.

The oracle has no generator: it is told the random outcomes that the kernels report, and checks that they are asked for in
the same order and of the same items (G11.2).
"""

import random
from collections import Counter, deque
from typing import Any

import numpy as np

import ginkgo_env
from ginkgo_env.core.playback import Playback

from .golden_city import Oracle
from .styles import seat_styles

Json = dict[str, Any]
CLOCKED = ("random", "seed")  # of a position: the generator, which the oracle does not have
RELOADED = 16  # after every so many decisions the oracle goes on from the kernels' position instead of its own


class Difference(AssertionError):
    """Kernels and oracle disagree."""


class Logged(Playback):
    """One game played by the kernels; its random outcomes wait until the oracle asks for them."""

    def __init__(self, game: ginkgo_env.Game, seed: int) -> None:
        super().__init__(game)
        self.chances = deque(game.chances(self.start(seed)))
        self._texts: dict[int, str] = {}
        self._seen = np.zeros((1, game.observation.size), game.observation_dtype)

    def apply(self, text: str) -> None:
        self.chances = deque(self.game.chances(self.play(self.game.parse_action(self.states, text))))

    def legal(self) -> list[str]:
        """In the order of the actions. The notation of an action never depends on the position (G11.4)."""
        return [self._text(int(action)) for action in np.flatnonzero(self.mask[0])]

    def _text(self, action: int) -> str:
        if action not in self._texts:
            self._texts[action] = self.game.action_text(self.states, action)
        return self._texts[action]

    def position(self) -> Json:
        return {key: value for key, value in self.game.position(self.states).items() if key not in CLOCKED}

    def view(self, seat: int) -> Json:
        """The blocks of the observation as nested lists."""
        game = self.game
        game.kernels.observe(0, 1, self.states, game.tables, np.array([seat]), self._seen, game.observation.offsets)
        seen = ginkgo_env.Observation(game.observation, self._seen[0])
        return {name: seen[name].tolist() for name in seen}


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
        self.ours = Logged(ginkgo_env.make_game("golden_city", **config), seed)
        self.theirs = Oracle(self.ours.position()["config"], self._chance)
        self.compare()

    def _chance(self, name: str, items: list[Any]) -> Any:
        if not self.ours.chances:
            raise self.difference(f"the oracle asks for {name}, the kernels had no such outcome")
        chance = self.ours.chances.popleft()
        if chance.name != name:
            raise self.difference(f"the oracle asks for {name}, the kernels had {chance.name}")
        if isinstance(chance.outcome, list):
            if Counter(chance.outcome) != Counter(items):
                raise self.difference(f"{name}: kernels shuffled {chance.outcome}, oracle {items}")
            return list(chance.outcome)
        if chance.outcome not in items:
            raise self.difference(f"{name}: kernels picked {chance.outcome}, oracle one of {items}")
        return chance.outcome

    def difference(self, what: str) -> Difference:
        return Difference(f"{what}\nconfig {self.config}, seed {self.seed}, after {self.played}")

    def compare(self) -> None:
        """Raise Difference unless both stand at the same position with the same legal actions and scores."""
        self.compare_decision()
        ours, theirs = self.ours.position(), self.theirs.position()
        if ours != theirs:
            raise self.difference(_first_difference(ours, theirs, "position"))
        if list(ours["houses"]) != list(theirs["houses"]):
            raise self.difference(f"order of houses: kernels {list(ours['houses'])}, oracle {list(theirs['houses'])}")
        self.compare_scores()

    def compare_scores(self) -> None:
        """Raise Difference unless scores by source, totals, standings, winners and the ending are the same."""
        outcome, scores = self.ours.game.outcome(self.ours.states), self.theirs.scores()
        pairs = {
            "scores": (list(outcome.breakdown), scores),
            "totals": (list(outcome.scores), [score["total"] for score in scores]),
            "standings": (list(outcome.standings), self.theirs.standings()),
            "winners": (list(outcome.winners), self.theirs.winners() if self.over else []),
            "ending": (outcome.ending, self.theirs.position()["ending"] if self.over else None),
        }
        for name, (ours, theirs) in pairs.items():
            if ours != theirs:
                raise self.difference(_first_difference(ours, theirs, name))

    def compare_decision(self) -> None:
        """Raise Difference unless the same was drawn by chance, and the same seat decides with the same legal actions."""
        if self.ours.chances:
            raise self.difference(f"the oracle did not ask for {self.ours.chances[0]}")
        game, states = self.ours.game, self.ours.states
        kind = "over" if self.over else game.decisions[int(game.kind(states)[0])]
        if (kind, self.ours.actor) != self.theirs.decision():
            raise self.difference(f"kernels wait for {kind} of {self.ours.actor}, oracle for {self.theirs.decision()}")
        if self.ours.legal() != self.theirs.legal():
            only = set(self.ours.legal()) ^ set(self.theirs.legal())
            raise self.difference(f"legal actions differ: {sorted(only) or 'their order'}")

    def compare_views(self) -> None:
        """Raise Difference unless every seat is shown what the oracle's statement of G11.6 says, block by block."""
        for seat in range(self.ours.game.seats):
            ours, theirs = self.ours.view(seat), self.theirs.view(seat)
            if list(ours) != list(theirs):
                raise self.difference(f"blocks: kernels {list(ours)}, oracle {list(theirs)}")
            if ours != theirs:
                raise self.difference(_first_difference(ours, theirs, f"seen by {seat}"))

    @property
    def over(self) -> bool:
        return self.ours.actor is None

    def reload(self) -> None:
        """The oracle goes on from the kernels' position: nothing that matters is missing there (G11.5)."""
        self.theirs = Oracle.from_position(self.ours.position(), self._chance)

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
    ``positions``-th, what seats are shown after every ``views``-th and at the end.
    """
    chance = random.Random(seed)
    match = Match(config, seed)
    styles = seat_styles(chance, match.ours.game.seats)
    while not match.over:
        _, actor = match.theirs.decision()
        assert actor is not None
        n = len(match.played) + seed
        text = styles[actor](chance, match.theirs.legal(), match.theirs.position(), actor)
        match.play(text, whole=n % positions == 0)
        if n % views == 0 or match.over:
            match.compare_views()
        if n % RELOADED == 0:
            match.reload()
    return len(match.played)
