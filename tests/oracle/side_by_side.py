"""A game played by the kernels and by an oracle side by side: what the comparisons of all games share.

An oracle has no generator: it is told the random outcomes that the kernels report, and must ask for them in the same order
and of the same items.
"""

import itertools
from collections import Counter, deque
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

import ginkgo_env
from ginkgo_env.core.playback import Playback

Json = dict[str, Any]
Chance = Callable[[str, list[Any]], Any]
CLOCKED = ("random", "seed")  # of a position: the generator, which an oracle does not have
RELOADED = 16  # after every so many decisions the oracle goes on from the kernels' position instead of its own


class Difference(AssertionError):
    """Kernels and oracle disagree."""


class Oracle(Protocol):
    """A second implementation of a game: one game, played in notation. ``chance`` supplies each random outcome."""

    def __init__(self, config: Json, chance: Chance) -> None: ...

    @classmethod
    def from_position(cls, position: Json, chance: Chance) -> "Oracle": ...

    def decision(self) -> tuple[str, int | None]: ...

    def legal(self) -> list[str]: ...

    def apply(self, text: str) -> None: ...

    def position(self) -> Json: ...

    def view(self, seat: int) -> Json: ...

    def scores(self) -> list[Json]: ...

    def winners(self) -> list[int]: ...


class Logged(Playback):
    """One game played by the kernels; its random outcomes wait until the oracle asks for them."""

    def __init__(self, game: ginkgo_env.Game, seed: int) -> None:
        super().__init__(game)
        self.chances = deque(game.chances(self.start(seed)))
        self._texts: dict[int, str] = {}
        self._seen = np.zeros((1, game.observation.size), game.observation_dtype)

    def apply(self, text: str) -> None:
        self.chances = deque(self.game.chances(self.play(self.game.parse_action(self.states, text))))

    def decision(self) -> tuple[str, int | None]:
        kind = "over" if self.actor is None else self.game.decisions[int(self.game.kind(self.states)[0])]
        return kind, self.actor

    def legal(self) -> list[str]:
        """In the order of the actions."""
        return [self.text(int(action)) for action in np.flatnonzero(self.mask[0])]

    def text(self, action: int) -> str:
        """The notation of an action, for games where it does not depend on the position."""
        if action not in self._texts:
            self._texts[action] = self.game.action_text(self.states, action)
        return self._texts[action]

    def position(self) -> Json:
        return {key: value for key, value in self.game.position(self.states).items() if key not in CLOCKED}

    def observation(self, seat: int) -> ginkgo_env.Observation:
        """What a seat is shown; overwritten by the next call."""
        game = self.game
        game.kernels.observe(0, 1, self.states, game.components, np.array([seat]), self._seen, game.observation.offsets)
        return ginkgo_env.Observation(game.observation, self._seen[0])


class Match:
    """A game played by both. The class for a game names the game and its oracle, and adds what only that game has."""

    game: str
    oracle: type[Oracle]
    kernels: type[Logged] = Logged
    in_order = True  # the oracle's legal actions stand in the order of the actions

    def __init__(self, config: Json, seed: int) -> None:
        self.config, self.seed = config, seed
        self.played: list[str] = []
        self.ours = self.kernels(ginkgo_env.make_game(self.game, **config), seed)
        self.theirs = self.oracle(self.ours.position()["config"], self._chance)
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

    def expect_equal(self, name: str, ours: Any, theirs: Any) -> None:
        """Raise Difference where the two are not equal."""
        if ours != theirs:
            raise self.difference(first_difference(ours, theirs, name))

    @property
    def over(self) -> bool:
        return self.ours.actor is None

    def compare(self) -> None:
        """Raise Difference unless both stand at the same position with the same legal actions and scores."""
        self.compare_decision()
        self.compare_position()
        self.compare_scores()

    def compare_decision(self) -> None:
        """Raise Difference unless the same was drawn by chance, and the same seat decides with the same legal actions."""
        if self.ours.chances:
            raise self.difference(f"the oracle did not ask for {self.ours.chances[0]}")
        self.expect_equal("decision", self.ours.decision(), self.theirs.decision())
        ours, theirs = self.ours.legal(), self.theirs.legal()
        if (ours if self.in_order else sorted(ours)) != (theirs if self.in_order else sorted(theirs)):
            raise self.difference(f"legal actions differ: {sorted(set(ours) ^ set(theirs)) or 'their order or number'}")

    def compare_position(self) -> None:
        """Raise Difference unless the positions are the same."""
        self.expect_equal("position", self.ours.position(), self.theirs.position())

    def compare_scores(self) -> None:
        """Raise Difference unless scores by source, totals, winners and the ending are the same."""
        outcome, scores = self.ours.game.outcome(self.ours.states), self.theirs.scores()
        self.expect_equal("scores", list(outcome.breakdown), scores)
        self.expect_equal("totals", list(outcome.scores), [score["total"] for score in scores])
        self.expect_equal("winners", list(outcome.winners), self.theirs.winners() if self.over else [])
        self.expect_equal("ending", outcome.ending, self.theirs.position()["ending"] if self.over else None)

    def compare_views(self) -> None:
        """Raise Difference unless every seat is shown the same, block by block."""
        for seat in range(self.ours.game.seats):
            seen = self.ours.observation(seat)
            ours, theirs = {name: seen[name].tolist() for name in seen}, self.theirs.view(seat)
            self.expect_equal("blocks", list(ours), list(theirs))
            self.expect_equal(f"seen by {seat}", ours, theirs)

    def play(self, text: str, *, whole: bool = True) -> None:
        """Both play an action and are compared; without ``whole`` only the decision is, unless the game is over."""
        self.played.append(text)
        self.ours.apply(text)
        self.theirs.apply(text)
        if whole or self.over:
            self.compare()
        else:
            self.compare_decision()

    def reload(self) -> None:
        """The oracle goes on from the kernels' position: nothing that matters is missing there."""
        self.theirs = self.oracle.from_position(self.ours.position(), self._chance)

    def play_out(self, choose: Callable[[int], str], *, views: int, positions: int) -> int:
        """Play to the end with ``choose(seat)``; return how many decisions were compared.

        What is drawn by chance, who decides and what is legal is compared after each decision; positions and scores after
        every ``positions``-th, what seats are shown after every ``views``-th and at the end.
        """
        while not self.over:
            _, actor = self.theirs.decision()
            assert actor is not None
            n = len(self.played) + self.seed
            self.play(choose(actor), whole=n % positions == 0)
            if n % views == 0 or self.over:
                self.compare_views()
            if n % RELOADED == 0:
                self.reload()
        return len(self.played)


def first_difference(ours: Any, theirs: Any, where: str = "") -> str:
    """Where two trees of dicts and lists differ first, and how."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted({*ours, *theirs}, key=str):
            if ours.get(key) != theirs.get(key):
                return first_difference(ours.get(key), theirs.get(key), f"{where}.{key}")
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for i, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            if a != b:
                return first_difference(a, b, f"{where}[{i}]")
    return f"{where}: kernels {ours!r}, oracle {theirs!r}"


def play_matches(play_match: Callable[[Json, int], int], config: Json, decisions: int, seed: int) -> None:
    """Games of a configuration, the seed counting up, until so many decisions were compared."""
    seeds = itertools.count(seed)
    while decisions > 0:
        decisions -= play_match(config, next(seeds))
