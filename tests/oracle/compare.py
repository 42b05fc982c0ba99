"""Play the kernels and the oracle side by side and compare whole positions after every decision.

The oracle has no generator: it is told the random outcomes that the kernels report, and checks that they are asked for in
the same order and of the same items (R11.4).
"""

import random
from collections import Counter, deque
from collections.abc import Callable
from typing import Any

import numpy as np

import ginkgo_env
from ginkgo_env.core.entries import RESET
from ginkgo_env.core.log import new_log, read_log

from .decode import decode, decode_view
from .ginkgopolis import Oracle

Json = dict[str, Any]
CLOCKED = ("random", "seed")  # of a position: the generator, which the oracle does not have


class Difference(AssertionError):
    """Kernels and oracle disagree."""


class Logged:
    """One game played by the kernels, with what they report."""

    def __init__(self, game: ginkgo_env.Game, seed: int) -> None:
        self.game, self.seed = game, seed
        self.batch = ginkgo_env.Batch(game, 1)
        self.log = new_log()
        self._kernel(RESET)

    def _kernel(self, action: int) -> None:
        batch, seeds = self.batch, np.array([self.seed], np.uint64)
        done, final = np.zeros(1, np.int8), batch.final
        arguments = (batch.states, np.array([action], np.int64), seeds, batch.mask, done, final)
        self.game.kernels.play(0, 1, *arguments, self.game.template, False, self.log)
        self.chances = deque(self.game.chances(read_log(self.log)))

    def play(self, text: str) -> None:
        self._kernel(self.game.parse_action(self.batch.state(0), text))

    def legal(self) -> list[str]:
        return [self.game.action_text(self.batch.state(0), int(a)) for a in np.flatnonzero(self.batch.mask[0])]

    def position(self) -> Json:
        return {key: value for key, value in self.batch.position(0).items() if key not in CLOCKED}


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
        self.theirs = Oracle(self.ours.game.config_dict, self._chance)
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
        if self.ours.chances:
            raise self.difference(f"the oracle did not ask for {self.ours.chances[0]}")
        ours, theirs = self.ours.position(), self.theirs.position()
        if ours != theirs:
            raise self.difference(_first_difference(ours, theirs, "position"))
        if sorted(self.ours.legal()) != sorted(self.theirs.legal()):
            only = set(self.ours.legal()) ^ set(self.theirs.legal())
            raise self.difference(f"legal actions differ: {sorted(only)}")
        outcome = self.ours.batch.outcome(0)
        if self.over and list(outcome.winners) != self.theirs.winners():
            raise self.difference(f"winners: kernels {outcome.winners}, oracle {self.theirs.winners()}")
        if list(outcome.breakdown) != self.theirs.scores():
            raise self.difference(_first_difference(list(outcome.breakdown), self.theirs.scores(), "scores"))

    def compare_views(self) -> None:
        """Raise Difference unless every seat is shown what the oracle's statement of R10 says."""
        for seat in range(self.ours.game.seats):
            seen = ginkgo_env.Observation(self.ours.game.observation, self.ours.batch.observe(seat)[0])
            ours, theirs = decode(seen, seat), decode_view(self.theirs.view(seat), self.ours.game.sides)
            if ours != theirs:
                raise self.difference(_first_difference(ours, theirs, f"seen by {seat}"))

    @property
    def over(self) -> bool:
        return bool(self.ours.batch.over[0])

    def play(self, text: str) -> None:
        self.played.append(text)
        self.ours.play(text)
        self.theirs.apply(text)
        self.compare()


# --- ways of playing: uniform play never sees many corners -------------------------------------------------------------------

Style = Callable[[random.Random, list[str]], str]


def uniform(chance: random.Random, legal: list[str]) -> str:
    """Any action."""
    return chance.choice(legal)


def builder(chance: random.Random, legal: list[str]) -> str:
    """Builds whenever it can: many floors, resources run out."""
    return chance.choice([a for a in legal if "+" in a] or legal)


def urbanizer(chance: random.Random, legal: list[str]) -> str:
    """Urbanizes, and crowds the tokens: wide cities, R6.3."""
    wide = [a for a in legal if "+" in a and not a[1].isdigit()] + [a for a in legal if a in ("token:after", "token:before")]
    return chance.choice(wide or legal)


def collector(chance: random.Random, legal: list[str]) -> str:
    """Never builds and takes tiles: the supply runs out early and often, screens fill up."""
    return chance.choice([a for a in legal if a == "take:tile"] or [a for a in legal if "+" not in a] or legal)


def swapper(chance: random.Random, legal: list[str]) -> str:
    """Takes new hands at once and returns everything: decks and the second exhaustion."""
    eager = [a for a in legal if a == "new-hand" or (a.startswith("return:") and a != "return:done")]
    return chance.choice(eager or legal)


def hoarder(chance: random.Random, legal: list[str]) -> str:
    """Collects tiles first, returns few, then builds: everything late."""
    if "return:done" in legal and chance.random() < 0.7:
        return "return:done"
    alone = [a for a in legal if "+" not in a and a != "new-hand"]
    return chance.choice(alone if alone and chance.random() < 0.6 else legal)


STYLES: tuple[Style, ...] = (uniform, builder, urbanizer, collector, swapper, hoarder)


def play_match(config: Json, seed: int, *, views: int = 4) -> int:
    """Play a game with a style for each seat, chosen by the seed; return how many decisions were compared.

    What seats are shown is compared after every ``views``-th decision.
    """
    chance = random.Random(seed)
    styles = [chance.choice(STYLES) for _ in range(5)]
    match = Match(config, seed)
    while not match.over:
        _, actor = match.theirs.decision()
        assert actor is not None
        match.play(styles[actor](chance, sorted(match.ours.legal())))
        if len(match.played) % views == seed % views:
            match.compare_views()
    return len(match.played)
