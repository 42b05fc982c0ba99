"""What a game gives to everything above it: layouts, kernels and text. Front ends, agents and records know nothing else.

A game object holds one configuration. Its methods take a *state*: a record array of shape (1,), a row ``states[i : i + 1]``
of a batch.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.errors import FinishedGameError, IllegalActionError, shown
from ginkgo_env.core.layout import Layout

States = np.recarray[Any, Any]


class Kernels(NamedTuple):
    """The compiled loops of a game over rows start..stop (see ``games/ginkgopolis/rules/loops.py`` for their arguments)."""

    play: Callable[..., None]
    legal: Callable[..., None]
    observe: Callable[..., None]
    score: Callable[..., None]
    resample: Callable[..., None]


class Chance(NamedTuple):
    """A random outcome: its name and the names of what came out, in order (or a name or number)."""

    name: str
    outcome: list[str] | list[int] | str | int


class Seen(NamedTuple):
    """What a seat learns from one step."""

    lines: list[dict[str, Any]]
    """In the words of records: what the seat chose itself, that others chose, and what everybody sees."""
    rows: list[tuple[int, int, int, int]]
    """The rows of the log as that seat hears them, for ``narrate``."""


@dataclass(frozen=True)
class Outcome:
    """How a game ended, or stands."""

    ending: str | None
    """The name of what ended it; None while it goes on."""
    truncated: bool
    """Whether it was cut off (a bound on rounds) and has no real end."""
    scores: tuple[int, ...]
    """Total score of each side."""
    winners: tuple[int, ...]
    """Sides with the highest score; empty while it goes on."""
    breakdown: tuple[dict[str, Any], ...]
    """For each side the points by source."""


class Game(ABC):
    """One game in one configuration."""

    name: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[int]
    """Raised by any change that can alter learning results; the v of environment ids."""
    modules: ClassVar[Mapping[str, str]] = {}
    """Modules that the option ``modules`` can add, and what each brings."""
    decisions: tuple[str, ...]
    """Kinds of decision by the number in ``Batch.kind``. The number of a game that is over has the name ``over``, or none."""
    over: int
    """The number in ``Batch.kind`` of a game that is over."""
    sources: tuple[str, ...]
    """Sources of points: the columns of a score."""
    automaton: ClassVar[str] = ""
    """Name of the side beyond the seats, if the configuration has one."""

    config: Any
    compiled_as: str
    """What the machine code of the kernels is announced as: configurations whose records have one dtype share it."""
    compile_seconds: int
    """About how long it takes to compile that."""
    seats: int
    """How many players decide."""
    sides: int
    """How many score: the seats, and an automaton if there is one."""
    actions: Layout
    observation: Layout
    observation_dtype: type[np.generic]
    kernels: Kernels
    template: States
    """The record that every game starts from, shape (1,)."""
    config_fields: ClassVar[tuple[str, ...]]
    """Fields of the record that hold the configuration."""

    @classmethod
    @abstractmethod
    def configurations(cls) -> list[dict[str, Any]]:
        """The configurations that tests and lists go through."""

    @classmethod
    def module_combinations(cls) -> list[dict[str, Any]]:
        """Configurations with every combination of modules and number of players; none in a game without modules."""
        return []

    @classmethod
    def option_texts(cls, options: Mapping[str, Any]) -> dict[str, str]:
        """Options in few words: every module together is ``all``."""
        texts = {name: str(value) for name, value in options.items()}
        if "modules" in options:
            names = set(options["modules"])
            texts["modules"] = "all" if names == set(cls.modules) else ",".join(name for name in cls.modules if name in names)
        return texts

    @property
    def config_dict(self) -> dict[str, Any]:
        """The configuration as plain data."""
        return asdict(self.config)

    @property
    def side_names(self) -> tuple[str, ...]:
        """``player_0``, ...; the automaton by its name."""
        names = tuple(f"player_{seat}" for seat in range(self.seats))
        return names if self.sides == self.seats else (*names, self.automaton)

    @abstractmethod
    def actor(self, states: States) -> NDArray[np.int8]:
        """Seat to decide in each row, negative when over: a view (B,)."""

    @abstractmethod
    def kind(self, states: States) -> NDArray[np.int8]:
        """Kind of decision in each row, an index into ``decisions``; ``over`` when over: a view (B,)."""

    def illegal_action(self, state: States, action: int) -> IllegalActionError:
        """The error that says why an action is not legal here."""
        actor = int(self.actor(state)[0])
        if actor < 0:
            return FinishedGameError("the game is over: reset it")
        if not 0 <= action < self.actions.size:
            return IllegalActionError(f"{shown(action)} is no action: they are 0..{self.actions.size - 1}")
        block, place = self.actions.locate(action)
        return IllegalActionError(
            f"action {action} ({block.name} {list(place)}) is not legal: "
            f"player_{actor} has to decide on {self.decisions[int(self.kind(state)[0])]!r}; see the mask"
        )

    @abstractmethod
    def truncated(self, states: States) -> NDArray[np.bool_]:
        """Which rows were cut off instead of ending by the rules (B,)."""

    @abstractmethod
    def outcome(self, state: States) -> Outcome:
        """How the game ended, or how it would be scored now."""

    @abstractmethod
    def action_text(self, state: States, action: int) -> str:
        """The notation of an action of the actor."""

    @abstractmethod
    def parse_action(self, state: States, text: str) -> int:
        """The action that a text means here. Raises NotationError if it cannot be read or names nothing at hand."""

    @abstractmethod
    def position(self, state: States) -> dict[str, Any]:
        """The complete state as plain data."""

    @abstractmethod
    def from_position(self, position: Mapping[str, Any]) -> States:
        """The state that a position describes. Raises PositionError."""

    @abstractmethod
    def chances(self, rows: Sequence[tuple[int, int, int, int]]) -> list[Chance]:
        """The random outcomes among the rows of a log."""

    @abstractmethod
    def narrate(self, rows: Sequence[tuple[int, int, int, int]], names: Sequence[str]) -> list[str]:
        """The rows of a log as sentences; names are the sides'."""

    @abstractmethod
    def visible(
        self, seat: int, before: States | None, action: int, after: States, rows: Sequence[tuple[int, int, int, int]]
    ) -> Seen:
        """What a seat learns from a step: an action between two states and the rows of its log.

        ``before`` is None for the start of a game. Two steps that differ only in what the seat cannot know give equal results.
        """

    @abstractmethod
    def describe(self, state: States, seat: int | None = None, names: Sequence[str] | None = None) -> str:
        """The table as text; with a seat only what that seat may know."""
