"""The interface of a game: layouts, kernels and text. Front ends, agents and records use nothing else.

A game object holds one configuration. Its methods take a *state*: a record array of shape (1,), a row ``states[i : i + 1]``
of a batch.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pkgutil import resolve_name
from typing import Any, ClassVar, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.checks import integer, whole
from ginkgo_env.core.errors import BatchError, ConfigError, FinishedGameError, IllegalActionError, shown, some
from ginkgo_env.core.layout import Layout
from ginkgo_env.core.loops import Kernels
from ginkgo_env.core.state import State as State
from ginkgo_env.core.state import States as States

WIDTH, MIN_WIDTH = 100, 40
"""Default and least width of texts, in columns."""

Config = TypeVar("Config")


class Chance(NamedTuple):
    """A random outcome: its name and its value, a list of names in order, one name or a number."""

    name: str
    outcome: list[str] | list[int] | str | int


class Seen(NamedTuple):
    """What a seat learns from one step."""

    lines: list[dict[str, Any]]
    """Lines as in records: what the seat itself chose, that others chose, and what is public."""
    rows: list[tuple[int, int, int, int]]
    """The rows of the log as the seat may know them, for ``narrate``."""


def checked_config(game: str, kind: type[Config], options: Mapping[str, Any]) -> Config:
    """A game's options as its dataclass. Raises ConfigError for an option that it does not have."""
    known = [option.name for option in fields(cast(Any, kind))]
    if unknown := [shown(name) for name in options if name not in known]:
        raise ConfigError(f"{game} has no option {some(unknown)}; its options are {', '.join(known)}")
    return kind(**options)


@dataclass(frozen=True)
class Outcome:
    """How a game ended, or its current standing."""

    ending: str | None
    """The name of what ended the game; None if not terminal."""
    truncated: bool
    """Whether it was truncated instead of ending by the rules."""
    scores: tuple[int, ...]
    """Total score of each side."""
    standings: tuple[int, ...]
    """What ranks the sides, higher is better: the score, unless the game breaks ties or ranks by something else."""
    winners: tuple[int, ...]
    """Sides with the highest standing; empty if not terminal."""
    breakdown: tuple[dict[str, Any], ...]
    """For each side the points by source."""


class Game(ABC):
    """One game in one configuration.

    Subclasses set the attributes that are declared here without a value, in the class or in ``__init__``, which takes the options
    as keywords and raises ConfigError. The others have defaults that suit many games.
    """

    # --- the game, in every configuration

    name: ClassVar[str]
    title: ClassVar[str]
    """As people call it; in ids of Gymnasium without its article and spaces."""
    version: ClassVar[int]
    """Increased by any change that can alter learning results; the v of environment ids."""
    history: ClassVar[Mapping[int, str]] = {0: "first version"}
    """What each version brought, for the docs."""
    suggested_agents: ClassVar[tuple[str, ...]] = ("random",)
    """Names of agents that suit the game, for a leaderboard."""
    environments: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Further Gymnasium environments: for each what its id adds to the title, and the options that it has."""
    option_values: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """Options that take names: for each option its names, and what each adds to the game."""
    option_notes: ClassVar[Mapping[str, str]] = {}
    """A note on such an option: a sentence."""
    speed_targets: ClassVar[Mapping[str, float]] = {}
    """What ``ginkgo bench`` holds the game to: ``mask`` and ``observation``, the least decisions per second against those of the
    default game in the same run; ``cold``, the most time to compile against that game's; ``state``, the most bytes of a state."""
    simultaneous: ClassVar[bool] = False
    """Whether all players of a round (``round_of``) choose at once, on what was public before. They are then asked one after
    another in seat order, each once at most; until all have chosen, a choice has no effect, and others see nothing of it."""
    speed_config: ClassVar[Mapping[str, Any]] = {}
    """The configuration that is held to them; by default the game's own."""
    config_fields: ClassVar[tuple[str, ...]] = ()
    """Fields of the record that hold the configuration: states that differ there from ``template`` belong to another one."""
    observation_note: ClassVar[str] = ""
    """A note on all blocks of the observation, for the docs."""
    presenter_entry_point: ClassVar[str] = "ginkgo_env.drawing.presenter:Presenter"
    """The class that shows the game to people, as ``module:Class``; by default as the text of ``describe``."""
    automaton: ClassVar[str] = ""
    """Name of the side beyond the seats, if a configuration has one."""

    # --- this configuration

    config: Any
    """A frozen dataclass."""
    seats: int
    """Number of seats, which are the players that decide."""
    sides: int
    """Number of sides that score: the seats, and an automaton if there is one."""
    variant: str = ""
    """A word for a configuration that is another game than the rest, such as ``variant``: lists and headings tell it, and
    results of different ones are ranked apart."""
    has_chance: bool = True
    """Whether games of different seeds differ."""
    has_hidden_information: bool = True
    """Whether seats know different things (imperfect information)."""
    seats_matter: bool = True
    """Whether some seats are better than others; if not, matches do not rotate the agents."""
    decisions: tuple[str, ...]
    """Names of the kinds of decision, indexed by ``Batch.kind``. The kind of a finished game is named ``over`` or has no name."""
    over: int
    """The number in ``Batch.kind`` of a game that is over."""
    sources: tuple[str, ...]
    """Sources of points: the columns of a score."""
    actions: Layout
    observation: Layout
    observation_dtype: type[np.generic]
    template: States
    """The record that every game starts from, shape (1,)."""
    tables: NDArray[Any] | None = None
    """Read-only data passed to every kernel, usually one record of shape (1,): boards and decks that share the same machine code
    as long as the dtype is the same. None if the game has no tables."""
    kernels: Kernels
    """The value of ``core.loops.make_loops``, made once for all configurations."""

    def __reduce__(self) -> tuple[Any, ...]:
        """A game is pickled as its configuration: machine code and tables stay where they are."""
        return _remade, (type(self), self.config_dict)

    def __copy__(self) -> Game:
        """The same object, as a game object never changes."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """The same object, as a game object never changes."""
        return self

    @cached_property
    def features(self) -> Layout:
        """The layout of compact features, which learners may prefer to observations; by default the observation's."""
        return self.observation

    # --- configurations

    @classmethod
    @abstractmethod
    def configurations(cls) -> list[dict[str, Any]]:
        """The configurations that tests and ``ginkgo games`` go through."""

    @classmethod
    def layouts(cls) -> dict[str, dict[str, Any]]:
        """A configuration for each layout of actions and observations, by the layout's name; the first name is empty."""
        return {"": {}}

    @classmethod
    def leaderboard_tables(cls) -> list[dict[str, Any]]:
        """The configurations that a leaderboard plays by default."""
        return cls.configurations()[:1]

    @classmethod
    def option_texts(cls, options: Mapping[str, Any]) -> dict[str, str]:
        """Options and their values in few words, for lists and headings."""
        return {name: str(value) for name, value in options.items()}

    @property
    def config_dict(self) -> dict[str, Any]:
        """The configuration as plain data."""
        return asdict(self.config)

    @property
    def named_values(self) -> dict[str, str]:
        """The names among the values of this configuration's options, as in ``board own``, and what each adds to the game."""
        options = self.config_dict
        named = {name: value for name in self.option_values if isinstance(value := options.get(name), str)}
        return {
            f"{name} {value}": self.option_values[name][value]
            for name, value in named.items()
            if value in self.option_values[name]
        }

    @property
    def components(self) -> dict[str, str]:
        """What identifies the data files that a configuration names, such as the digest of a board; records keep it."""
        return {}

    def shares_states(self, other: Game) -> bool:
        """Whether states of the other game are states of this one: the same game, configuration and tables."""
        same = type(self) is type(other) and self.template.tobytes() == other.template.tobytes()
        return same and np.array_equal(np.asarray(self.tables), np.asarray(other.tables))

    @property
    def idle_action(self) -> int:
        """What a seat without a choice plays where all are asked at once (``simultaneous``): it is ignored. The last action."""
        return self.actions.size - 1

    # --- states: arrays of records

    def checked_states(self, states: States) -> States:
        """The states given. Raises BatchError unless they are states of this game."""
        if not isinstance(states, np.ndarray) or states.dtype != self.template.dtype:
            raise BatchError(f"invalid states {shown(states)}; expected states of {self.name}")
        return states

    def checked_state(self, state: States) -> States:
        """The state given. Raises BatchError unless it is one state of this game, of shape (1,)."""
        if self.checked_states(state).shape != (1,):
            raise BatchError(f"invalid state of shape {state.shape}; expected (1,), such as states[i : i + 1]")
        return state

    def checked_seat(self, seat: int | None) -> int | None:
        """The seat given, or None. Raises BatchError for anything else."""
        return None if seat is None else integer(seat, 0, self.seats - 1, "seat")

    def checked_names(self, names: Sequence[str] | None) -> Sequence[str]:
        """A name for each side; ``side_names`` for None. Raises BatchError unless there is one text for each side."""
        if names is None:
            return self.side_names
        if not isinstance(names, list | tuple) or len(names) < self.sides or not all(isinstance(name, str) for name in names):
            raise BatchError(f"invalid names {shown(names)}; expected a list of {self.sides}")
        return names

    @property
    def side_names(self) -> tuple[str, ...]:
        """``player_0``, ...; the automaton by its name."""
        names = tuple(f"player_{seat}" for seat in range(self.seats))
        return names if self.sides == self.seats else (*names, self.automaton)

    @property
    def marks(self) -> list[str]:
        """A letter for each side, in texts and pictures: a, b, ...; an automaton's initial."""
        return [chr(ord("a") + side) if side < self.seats else self.automaton[:1] for side in range(self.sides)]

    def actor(self, states: States) -> NDArray[np.int8]:
        """The actor in each row, negative if terminal: a view (B,)."""
        return cast(NDArray[np.int8], self.checked_states(states)["actor"])

    @abstractmethod
    def kind(self, states: States) -> NDArray[np.int8]:
        """Kind of decision in each row, an index into ``decisions``; ``over`` if terminal: a view (B,)."""

    def illegal_action(self, state: States, action: int) -> IllegalActionError:
        """The error for an action that is not legal here; its message says why."""
        actor, number = int(self.actor(self.checked_state(state))[0]), whole(action)
        if actor < 0:
            return FinishedGameError("the game is over: call reset first")
        if number is None or not 0 <= number < self.actions.size:
            return IllegalActionError(f"invalid action {shown(action)}; expected 0..{self.actions.size - 1}")
        block, place = self.actions.locate(number)
        return IllegalActionError(
            f"action {number} ({block.name} {list(place)}) is not legal: "
            f"player_{actor} has to decide on {self.decisions[int(self.kind(state)[0])]!r}; see the mask"
        )

    def truncated(self, states: States) -> NDArray[np.bool_]:
        """Which rows were truncated instead of ending by the rules: (B,) bool."""
        return np.zeros(len(self.checked_states(states)), np.bool_)

    def round_of(self, state: States) -> int | None:
        """The number of the current round, 0 before the first; None if the game has no rounds."""
        return None

    @abstractmethod
    def ending(self, state: States) -> str | None:
        """The name of what ended the game; None if not terminal."""

    def endings(self, states: States) -> list[str | None]:
        """``ending`` of each row: many at once, for games in which that is faster."""
        return [self.ending(cast(States, states[row : row + 1])) for row in range(len(self.checked_states(states)))]

    def points(self, state: States) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The current score by source, (sides, sources), and the standings, (sides,)."""
        points = np.zeros((1, self.sides, len(self.sources)), np.int32)
        standings = np.zeros((1, self.sides), np.int64)
        self.kernels.score(0, 1, state, self.tables, points, standings)
        return points[0], standings[0]

    def breakdown(self, state: States, points: NDArray[np.int32]) -> tuple[dict[str, Any], ...]:
        """For each side its points by source, which may be itemized, and their ``total``; ``points`` is (sides, sources)."""
        return tuple(dict(zip(self.sources, side.tolist(), strict=True)) | {"total": int(side.sum())} for side in points)

    def outcome(self, state: States) -> Outcome:
        """The outcome; if the game is not terminal, as it would be scored now with what all know."""
        points, standings = self.points(self.checked_state(state))
        ending = self.ending(state)
        return Outcome(
            ending=ending,
            truncated=bool(self.truncated(state)[0]),
            scores=tuple(points.sum(axis=1).tolist()),
            standings=tuple(standings.tolist()),
            winners=() if ending is None else tuple(np.flatnonzero(standings == standings.max()).tolist()),
            breakdown=self.breakdown(state, points),
        )

    def result_details(self, state: States) -> dict[str, Any]:
        """What the result in a record tells besides ending, scores and winners, as plain data; nothing in many games."""
        return {}

    # --- text

    @abstractmethod
    def action_text(self, state: States, action: int) -> str:
        """The notation of an action of the actor."""

    @abstractmethod
    def parse_action(self, state: States, text: str) -> int:
        """The action that a text means here. Raises NotationError if it cannot be read or names something not at hand."""

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
    def describe(self, state: States, seat: int | None = None, names: Sequence[str] | None = None, *, width: int = WIDTH) -> str:
        """The table as text of `width` columns where possible; with a seat, only what that seat may know."""

    # --- people

    @cached_property
    def presenter(self) -> Any:
        """The :class:`~ginkgo_env.drawing.presenter.Presenter` of this game, imported when first read.

        Nothing else in ``core`` reaches what draws. Raises ConfigError if ``presenter_entry_point`` names no class.
        """
        try:
            presenter = resolve_name(self.presenter_entry_point)
            if not isinstance(presenter, type):
                raise ValueError("not a class")
        except (ImportError, AttributeError, ValueError) as error:
            expected = f"presenter_entry_point of {self.name} must name a class as 'module:Class'"
            raise ConfigError(f"{expected}, got {shown(self.presenter_entry_point)}: {error}") from error
        return presenter(self)

    def picture(
        self,
        state: States,
        seat: int | None = None,
        names: Sequence[str] | None = None,
        *,
        since: States | None = None,
        caption: Sequence[str] | None = None,
    ) -> Any:
        """A picture of the table, which notebooks show: see :meth:`ginkgo_env.drawing.presenter.Presenter.picture`."""
        return self.presenter.picture(state, seat, names, since=since, caption=caption)


def _remade(cls: type[Game], config: dict[str, Any]) -> Game:
    """A game from its pickle."""
    return cls(**config)
