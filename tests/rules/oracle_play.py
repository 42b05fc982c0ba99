"""A game played by an oracle: what the tables of all games share."""

from __future__ import annotations

from typing import Any, Self

from ginkgo_env.core.game import Chance

Json = dict[str, Any]


class Generator:
    """The random outcomes of a seed ("Random outcomes" in text-forms.md), in plain Python."""

    def __init__(self, state: int | str) -> None:
        self.state = int(state, 16) if isinstance(state, str) else state

    def below(self, n: int) -> int:
        """The high half of (upper 32 bits of the next output of splitmix64) x n."""
        mask = 2**64 - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        bits = self.state
        bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & mask
        bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & mask
        bits ^= bits >> 31
        return ((bits >> 32) * n) >> 32

    def shuffled(self, items: list[Any]) -> list[Any]:
        """Fisher and Yates from the last item down."""
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items


class Outcome:
    """The scores as the oracle counts them, in the words of ``ginkgo_env.Outcome``."""

    def __init__(self, oracle: Any) -> None:
        self.breakdown = tuple(oracle.scores())
        self.scores = tuple(score["total"] for score in self.breakdown)
        over = oracle.decision()[0] == "over"
        self.winners = tuple(oracle.winners()) if over else ()
        self.ending = oracle.position()["ending"] if over else None
        self.truncated = self.ending == "max_rounds"
        self.standings = tuple(oracle.standings()) if hasattr(oracle, "standings") else ()


class OraclePlay:
    """A part of tables: an oracle plays, and draws its random outcomes from a generator with the seed."""

    game: Any
    oracle: Any
    generator: Generator
    seed: str
    drawn: list[Chance]
    picks: tuple[str, ...] = ("first_player",)  # outcomes that are one of the items; the others are the items shuffled

    def draw_from(self, state: int | str, seed: int | str) -> None:
        """The random outcomes that follow are those of a generator in this state."""
        self.generator, self.drawn = Generator(state), []
        self.seed = seed if isinstance(seed, str) else f"0x{seed:016x}"

    def draw(self, name: str, items: list[Any]) -> Any:
        """The oracle's next random outcome."""
        outcome = items[self.generator.below(len(items))] if name in self.picks else self.generator.shuffled(items)
        self.drawn.append(Chance(name, outcome))
        return outcome

    def copy(self) -> Self:
        """Another table, at which the same game is played."""
        return type(self)(self.game).set_position(self.position)

    def play(self, *texts: str) -> Self:
        """Play actions of whoever decides; raises ValueError for one that is not legal."""
        for text in texts:
            self.oracle.apply(text)
        return self

    def seen(self, seat: int = 0) -> Any:
        """What a seat is shown: each block as nested lists."""
        return self.oracle.view(seat)

    @property
    def chances(self) -> list[Chance]:
        """The random outcomes since the game was set up, or a position was set."""
        return self.drawn

    @property
    def position(self) -> Json:
        return self.oracle.position() | {"seed": self.seed, "random": f"0x{self.generator.state:016x}"}

    @property
    def legal(self) -> Any:
        return self.oracle.legal()

    @property
    def outcome(self) -> Any:
        return Outcome(self.oracle)


def without_words(position: Json) -> Json:
    """A position as oracles read it: they have no generator."""
    return {key: value for key, value in position.items() if key not in ("seed", "random")}
