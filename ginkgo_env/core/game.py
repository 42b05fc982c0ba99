"""The interface of a game: layouts, kernels and text. Front ends, agents and records use only this.

A game object holds one configuration. Its methods take a *state*, a record array of shape (1,), such as a row
``states[i : i + 1]`` of a batch. They trust its fields: :meth:`Game.find_flaw` checks states from elsewhere.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from importlib.resources import files
from math import prod
from pkgutil import resolve_name
from string import Template
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.checks import difference, int_or_none, integer
from ginkgo_env.core.errors import (
    BatchError,
    ConfigError,
    FinishedGameError,
    IllegalActionError,
    PositionError,
    UnknownOptionError,
    join_names,
    short_repr,
)
from ginkgo_env.core.events import SILENT, Row
from ginkgo_env.core.forms import check_same
from ginkgo_env.core.layout import Layout
from ginkgo_env.core.loops import Kernels, PlayArrays, PlayMode
from ginkgo_env.core.masks import RESET, n_words
from ginkgo_env.core.state import OBSERVER as OBSERVER
from ginkgo_env.core.state import Flaws, PlainRecord, VisibleState, hide_fields
from ginkgo_env.core.state import State as State
from ginkgo_env.core.state import States as States
from ginkgo_env.core.validity import Declarations, Pieces, declarations

WIDTH, MIN_WIDTH, MAX_WIDTH = 100, 40, 10_000
"""Default, minimum and maximum width of texts, in columns."""
_MAX_SEED = 2**64 - 1
_OTHER_CONFIGURATION = -(2**60)  # as the number of a flaw

Config = TypeVar("Config")
_Seat = TypeVar("_Seat", int, int | None)


class Chance(NamedTuple):
    """A random outcome: its name and its value, which is a list in order, a name or a number.

    >>> Chance("card", "R7").outcome
    'R7'
    """

    name: str
    outcome: list[str] | list[int] | str | int


class VisibleStep(NamedTuple):
    """What a seat learns from one step.

    >>> VisibleStep(lines=[{"event": "choice", "seat": 1}], rows=[]).lines[0]["seat"]
    1
    """

    lines: list[dict[str, Any]]
    """Lines as in records: the seat's own choices, public events, and that others have made a choice."""
    rows: list[Row]
    """Rows of the log as far as the seat may know them, for ``narrate``."""


def checked_config(game: str, kind: type[Config], options: Mapping[str, Any]) -> Config:
    """Build a game's configuration from its options. Raises UnknownOptionError."""
    known = [option.name for option in fields(cast(Any, kind))]
    if unknown := [short_repr(name) for name in options if name not in known]:
        message = f"{game} has no option {join_names(unknown)}; its options are {', '.join(known) or 'none'}"
        raise UnknownOptionError(f"{message} (unexpected keyword argument {unknown[0]})")  # TorchRL looks for this phrase
    return kind(**options)


@dataclass(frozen=True)
class NoOptions:
    """The configuration of a game without options."""


@dataclass(frozen=True)
class Outcome:
    """The result of a game, or the current scores if it is not over.

    >>> import ginkgo_env
    >>> batch = ginkgo_env.Batch(ginkgo_env.make_game("my_city"), 1)
    >>> batch.reset(seed=7)
    >>> batch.outcome(0).scores
    (-68, -68)
    """

    ending: str | None
    """The name of the event that ended the game; None if not terminal."""
    truncated: bool
    """Whether the game was truncated instead of ending by the rules."""
    scores: tuple[int, ...]
    """Total score of each side."""
    standings: tuple[int, ...]
    """Numbers that rank the sides, higher is better: the scores, unless the game breaks ties or ranks differently."""
    winners: tuple[int, ...]
    """Sides with the highest standing; empty if not terminal."""
    breakdown: tuple[dict[str, Any], ...]
    """Points by source for each side."""

    @property
    def is_tie_broken(self) -> bool:
        """Whether another side has the score of a winner: the standings broke a tie."""
        others = [score for side, score in enumerate(self.scores) if side not in self.winners]
        return any(self.scores[side] in others for side in self.winners)


class Game(ABC):
    """A game in one configuration.

    Subclasses set the attributes that are declared here without a value, in the class or in ``__init__``. ``__init__`` takes the
    options as keywords and raises ConfigError for bad ones. The other attributes have defaults that suit many games.

    Tree search and other libraries take a game as functions of states (:meth:`initial_state`, :meth:`step` and so on). A state is
    a record of shape (1,). All randomness lies in it: the same state and action lead to the same state. A
    :class:`~ginkgo_env.core.batch.Batch` plays many games faster, in place.

    >>> import ginkgo_env
    >>> game = ginkgo_env.make_game("my_city")
    >>> state = game.initial_state(seed=7)
    >>> int(game.actor(state)[0]), len(game.legal_actions(state))
    (0, 80)
    """

    # --- attributes of the game

    name: ClassVar[str]
    title: ClassVar[str]
    """The name for people; Gymnasium ids use it without article and spaces."""
    version: ClassVar[int]
    """The version in environment ids; any change that can alter learning results increases it."""
    history: ClassVar[Mapping[int, str]] = {0: "first version"}
    """Changes by version, for the docs."""
    environments: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Options of further Gymnasium environments, by the suffix that their ids add to the title."""
    option_values: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """Options that take names: for each option, its names with a description of what each adds to the game."""
    option_notes: ClassVar[Mapping[str, str]] = {}
    """A sentence about such an option."""
    speed_targets: ClassVar[Mapping[str, float]] = {}
    """Limits that ``ginkgo bench`` checks: ``mask`` and ``observation``, the minimum ratio of decisions per second to those of
    the default game; ``cold``, the maximum ratio of compile times; ``state``, the maximum number of bytes of a state."""
    simultaneous: ClassVar[bool] = False
    """Whether all players of a round (``round_of``) choose at once. They are then asked in seat order, each at most once; until
    all have chosen, a choice has no effect, and the others see nothing of it."""
    speed_config: ClassVar[Mapping[str, Any]] = {}
    """The configuration that ``speed_targets`` apply to; by default the game's default configuration."""
    ending_names: ClassVar[Sequence[str]] = ()
    """Names of the endings, indexed by the field ``ending`` of the record, for games with such a field."""
    config_fields: ClassVar[tuple[str, ...]] = ()
    """Fields of the record that hold the configuration. States that differ from ``template`` in them belong to another one."""
    layout_options: ClassVar[tuple[str, ...]] = ()
    """Options, off by default, that change the layouts of observations and features alone: neither rules, states nor actions."""
    printed: ClassVar[tuple[str, ...]] = ()
    """Attributes with printed components, such as ``board``; in visible states they replace the fields with their digests."""
    state: ClassVar[type]
    """The class that declares the fields of the record (``core.state``)."""
    flaws: ClassVar[type[Flaws] | None] = None
    """The flaws whose numbers the kernel ``find_flaw`` returns, for games that give one."""
    observation_note: ClassVar[str] = ""
    """A sentence about all blocks of the observation, for the docs."""
    presenter_entry_point: ClassVar[str] = "ginkgo_env.pictures.presenter:Presenter"
    """The :attr:`presenter` as ``module:Class``; the default presenter shows the text of ``describe``."""
    automaton: ClassVar[str] = ""
    """The name of a side without a seat, for games with such a side."""
    rules_file: ClassVar[str] = ""
    """The rules in short as a Markdown file, in the package of the game's module; see :attr:`rules_summary`."""

    # --- attributes of the configuration

    config: Any
    """A frozen dataclass."""
    seats: int
    """Number of seats: players that make decisions."""
    sides: int
    """Number of sides that score: the seats, and an automaton if there is one."""
    variant: str = ""
    """A word for a configuration that differs much from the others, such as ``variant``. Lists and headings show it, and results
    of different variants are ranked separately."""
    has_chance: bool = True
    """Whether games with different seeds differ."""
    has_hidden_information: bool = True
    """Whether seats know different things (imperfect information)."""
    seats_matter: bool = True
    """Whether the result can depend on the seat; if not, matches do not rotate the agents."""
    decisions: tuple[str, ...]
    """Names of the kinds of decision, indexed by ``Batch.kind``. A name for finished games is optional and must be ``over``."""
    over: int
    """The value of ``Batch.kind`` for finished games."""
    sources: tuple[str, ...]
    """Sources of points: the columns of a score."""
    actions: Layout
    observation: Layout
    observation_dtype: type[np.generic]
    template: States
    """The record that every game starts from, shape (1,); of a mixture one for each of its games; a seed draws one."""
    components: NDArray[Any] | None = None
    """Read-only data passed to every kernel, one record of shape (1,); in a mixture one for each of its boards or decks, which
    share machine code. None if the game has no components."""
    pieces: Pieces = MappingProxyType({})
    """How many things of each kind there are, by id, for kinds whose places the declarations of the state say."""
    kernels: Kernels
    """The value of ``core.loops.make_loops``, made once for all configurations."""

    def __init__(self, **options: Any) -> None:
        self.config = checked_config(self.name, NoOptions, options)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the configuration and the identifiers of its files, without machine code and components."""
        return _remade, (type(self), self.config_dict, self.component_ids)

    def __copy__(self) -> Game:
        """Return the same object: games are immutable."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """Return the same object: games are immutable."""
        return self

    @cached_property
    def features(self) -> Layout:
        """The layout of compact features, an alternative to observations; by default the same."""
        return self.observation

    # --- configurations

    @classmethod
    def configurations(cls) -> list[dict[str, Any]]:
        """The configurations that tests cover and ``ginkgo games`` lists; by default the one without options."""
        return [{}]

    @classmethod
    def layouts(cls) -> dict[str, dict[str, Any]]:
        """One configuration for each layout of actions and observations, by its name; the first name is empty."""
        return {"": {}}

    @classmethod
    def leaderboard_configs(cls) -> list[dict[str, Any]]:
        """The configurations that a leaderboard plays by default."""
        return cls.configurations()[:1]

    @classmethod
    def option_texts(cls, options: Mapping[str, Any]) -> dict[str, str]:
        """Values of options as short texts, for lists and headings."""
        return {name: str(value) for name, value in options.items()}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.config_dict.items())})"

    @property
    def config_dict(self) -> dict[str, Any]:
        """The configuration as plain data."""
        return asdict(self.config)

    @property
    def named_values(self) -> dict[str, str]:
        """Descriptions of this configuration's named values, by option and value, such as ``board own``."""
        options = self.config_dict
        return {
            f"{name} {value}": descriptions[value]
            for name, descriptions in self.option_values.items()
            if isinstance(value := options.get(name), str) and value in descriptions
        }

    @property
    def component_ids(self) -> dict[str, str]:
        """Identifiers of the configuration's data files, such as the digest of a board, for records."""
        return {}

    @property
    def component_data(self) -> dict[str, Any]:
        """The printed components as plain data for JSON, such as tables of cards; by default empty."""
        return {}

    def shares_states(self, other: Game) -> bool:
        """Whether the other game has the same states: the same class, configuration and components."""
        same = type(self) is type(other) and self.template.tobytes() == other.template.tobytes()
        return same and np.array_equal(np.asarray(self.components), np.asarray(other.components))

    @classmethod
    def mixtures(cls) -> dict[str, list[dict[str, Any]]]:
        """Sets of configurations by name, for ``make_game(name, mixture=...)``; by default there are none."""
        return {}

    def with_layouts_of(self, options: Mapping[str, Any]) -> Game:
        """The game with the ``layout_options`` among some options, and the defaults of the others.

        Returns the same object at each call, and the game itself if it has these layouts.
        """
        wanted = {name: options[name] for name in self.layout_options if options.get(name)}
        if wanted == self._layouts:
            return self
        twins = vars(self).setdefault("_twins", {})
        key = repr(wanted)
        if key not in twins:
            twins[key] = self._with_options(dict.fromkeys(self.layout_options, False) | wanted)
        return cast(Game, twins[key])

    @cached_property
    def _layouts(self) -> dict[str, Any]:
        """The ``layout_options`` that are on."""
        options = self.config_dict
        return {name: options[name] for name in self.layout_options if options.get(name)}

    def _with_options(self, options: Mapping[str, Any]) -> Game:
        return type(self)(**{**self.config_dict, **options})

    def game_of(self, state: States) -> Game:
        """Return the game of a state (1,): this one or, in a mixture, the one with the state's configuration."""
        return self

    def configuration_of(self, states: States) -> NDArray[np.int64]:
        """Return the index in ``template`` of the record that each row was set up from, (n,).

        It is -1 for states of another configuration.

        states : (n,)
        """
        if self.checked_states(states).ndim != 1:
            raise BatchError(f"invalid states of shape {states.shape}; expected (n,)")
        given, (ordered, order) = self._configurations_in(states), self._ordered_configurations
        indices = np.minimum(np.searchsorted(ordered, given), len(ordered) - 1)
        return np.where(ordered[indices] == given, order[indices], -1)

    @cached_property
    def _ordered_configurations(self) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """The configurations in ``template`` as bytes, in ascending order, and their indices there."""
        own = self._configurations_in(self.template)
        order = np.argsort(own, kind="stable")
        return own[order], order

    def _configurations_in(self, states: States) -> NDArray[Any]:
        """The configuration of each row as bytes, (n,)."""
        fields = [states[name].reshape(len(states), prod(states[name].shape[1:])) for name in self.config_fields]
        numbers = np.concatenate([np.zeros((len(states), 1), np.int64), *fields], axis=1, dtype=np.int64)
        return numbers.view(np.dtype((np.void, numbers.itemsize * numbers.shape[1])))[:, 0]

    def seats_of(self, states: States) -> NDArray[np.int64]:
        """Return the number of seats of each row, (n,): ``seats`` or, in a mixture, at most ``seats``.

        states : (n,)
        """
        return np.full(len(self.checked_states(states)), self.seats)

    @property
    def idle_action(self) -> int:
        """The action, by default the last, of seats without a decision where all act at once; it is ignored."""
        return self.actions.size - 1

    # --- the game as functions of states: each call leaves the given state unchanged and returns something new

    def initial_state(self, seed: int) -> States:
        """Return the first decision of the game of a seed; the game may be over at its start.

        seed : 0 <= seed < 2**64
        """
        return played(self, copied(self.template, self.template), RESET, seed=integer(seed, 0, _MAX_SEED, "seed"))

    def legal_actions(self, state: States) -> NDArray[np.int64]:
        """Return the legal actions of the actor in ascending order: (k,), none in a finished game."""
        return np.flatnonzero(self._mask(copied(self.checked_state(state), self.template)))

    def step(self, state: States, action: int) -> States:
        """Return the state after an action of the actor.

        Raises IllegalActionError if the action is not legal, and FinishedGameError if the game is over.

        >>> import ginkgo_env
        >>> game = ginkgo_env.make_game("my_city")
        >>> first = game.initial_state(seed=7)
        >>> second = game.step(first, game.legal_actions(first)[0])
        >>> game.actor(first).item(), game.actor(second).item()
        (0, 1)
        """
        number, after = int_or_none(action), copied(self.checked_state(state), self.template)
        if number is None or not 0 <= number < self.actions.size or not self._mask(after)[number]:
            raise self.illegal_action(state, action)
        return played(self, after, number)

    def observe(self, state: States, seat: int) -> NDArray[Any]:
        """Return what a seat knows: (n,), in the order of the layout ``observation``."""
        row, out = copied(self.checked_state(state), self.template), np.empty((1, self.observation.size), self.observation_dtype)
        self.kernels.observe(0, 1, row, self.components, self._seat(seat), out, self.observation.offsets)
        return cast(NDArray[Any], out[0])

    def resample(self, state: States, seat: int, seed: int | None = None) -> States:
        """Return the state with all that a seat cannot know, and all further chance, drawn anew.

        The seat's observation stays the same. The result is that of ``Batch.resample`` in a batch of one row.
        """
        entropy = None if seed is None else integer(seed, 0, None, "seed")
        key = np.random.SeedSequence(entropy).generate_state(1, np.uint64).astype(np.uint64, copy=False)
        row = copied(self.checked_state(state), self.template)
        self.kernels.resample(0, 1, row, self.components, self._seat(seat), key)
        return cast(States, row.view(np.recarray))

    def _mask(self, row: NDArray[Any]) -> NDArray[np.int8]:
        """Return the mask (A,) of a copy of a state."""
        mask = np.zeros((1, self.actions.size), np.int8)
        self.kernels.legal(0, 1, row, self.components, mask)
        return cast("NDArray[np.int8]", mask[0])

    def _seat(self, seat: int) -> NDArray[np.int64]:
        return np.array([integer(seat, 0, self.seats - 1, "seat")], np.int64)

    # --- states: arrays of records

    def checked_states(self, states: States) -> States:
        """Return the states. Raises BatchError unless they are states of this game."""
        expected = self.template.dtype
        fit = isinstance(states, np.ndarray) and (states.dtype is expected or states.dtype == expected)
        if not fit or isinstance(states, np.ma.MaskedArray):
            raise BatchError(f"invalid states {short_repr(states)}; expected states of {self.name}")
        return states

    def find_flaw(self, states: States) -> str:
        """The first flaw of states of any content, such as ``row 3: ...``; empty if all are valid.

        states : (n,)

        Sound states are of this configuration and can be played, observed, resampled, scored and shown. Play need not reach them.
        """
        numbers = self.flaw_numbers(self.checked_states(states))
        if not numbers.any():
            return ""
        row = int(np.flatnonzero(numbers)[0])
        sentence = self._flaw_sentence(int(numbers[row]))
        return sentence if len(states) == 1 else f"row {row}: {sentence}"

    def flaw_numbers(self, states: States) -> NDArray[np.int64]:
        """The number of the first flaw of each state, (n,); 0 if it is valid.

        It is negative for a flaw of the configuration, of a declared field or of pieces.

        states : (n,)
        """
        rows = np.empty(len(states), self.template.dtype)
        rows[:] = states  # aligned and contiguous, as kernels require
        configurations = self.configuration_of(states)
        numbers = np.where(configurations < 0, _OTHER_CONFIGURATION, 0)
        self._declarations.check(rows, self._copies, configurations, numbers)
        self.kernels.find_flaw(0, len(rows), rows, self.components, numbers)
        return numbers

    @cached_property
    def _declarations(self) -> Declarations:
        return declarations(self.state, self.template.dtype, tuple(self.pieces))

    @cached_property
    def _copies(self) -> NDArray[np.int64]:
        """How many pieces there are of each thing, for each record of ``template``."""
        return self._declarations.copies(self.pieces)[None]

    def _flaw_sentence(self, number: int) -> str:
        if number == _OTHER_CONFIGURATION:
            return "expected states of this configuration"
        if number < 0:
            return self._declarations.sentence(number)
        return next(flaw.sentence for flaw in self.flaws or () if flaw == number)

    def validated(self, state: States, position: Any) -> States:
        """Return the state that a position describes.

        Raises PositionError if it has a flaw, or is not written as the position was read.
        """
        if flaw := self.find_flaw(self.checked_state(state)):
            raise PositionError(f"position: {flaw}")
        check_same(position, self.position(state))
        return state

    def checked_state(self, state: States) -> States:
        """Return the state. Raises BatchError unless it is a single state of this game, of shape (1,)."""
        if self.checked_states(state).shape != (1,):
            raise BatchError(f"invalid state of shape {state.shape}; expected (1,), such as states[i : i + 1]")
        return state

    def checked_seat(self, seat: _Seat) -> _Seat:
        """Return the seat, None or OBSERVER. Raises BatchError for anything else."""
        return seat if seat is None or int_or_none(seat) == OBSERVER else integer(seat, 0, self.seats - 1, "seat")

    def checked_names(self, names: Sequence[str] | None) -> Sequence[str]:
        """Return the names, or ``side_names`` for None. Raises BatchError unless each side has a name."""
        if names is None:
            return self.side_names
        if not isinstance(names, list | tuple) or len(names) < self.sides or not all(isinstance(name, str) for name in names):
            raise BatchError(f"invalid names {short_repr(names)}; expected a list of {self.sides}")
        return names

    def checked_width(self, width: int) -> int:
        """Return the width of a text. Raises BatchError unless it lies between MIN_WIDTH and MAX_WIDTH."""
        return integer(width, MIN_WIDTH, MAX_WIDTH, "width")

    @property
    def side_names(self) -> tuple[str, ...]:
        """``player_0``, ...; an automaton has its own name."""
        names = tuple(f"player_{seat}" for seat in range(self.seats))
        return names if self.sides == self.seats else (*names, self.automaton)

    def actor(self, states: States) -> NDArray[np.int8]:
        """The seat that acts in each row, negative if terminal: a view of shape (B,)."""
        return cast(NDArray[np.int8], self.checked_states(states)["actor"])

    def kind(self, states: States) -> NDArray[np.int8]:
        """The kind of decision in each row, (B,): an index into ``decisions``, or ``over``.

        By default the field ``stage`` of the record.
        """
        return cast(NDArray[np.int8], self.checked_states(states)["stage"])

    def illegal_action(self, state: States, action: int) -> IllegalActionError:
        """Build the error for an action that is not legal in a state; its message gives the reason."""
        actor, number = int(self.actor(self.checked_state(state))[0]), int_or_none(action)
        if actor < 0:
            return FinishedGameError("the game is over: call reset first")
        if number is None or not 0 <= number < self.actions.size:
            return IllegalActionError(f"invalid action {short_repr(action)}; expected 0..{self.actions.size - 1}")
        block, place = self.actions.locate(number)
        return IllegalActionError(
            f"action {number} ({block.name} {list(place)}) is not legal: "
            f"player_{actor} has to decide on {self.decisions[int(self.kind(state)[0])]!r}; see the mask"
        )

    def truncated(self, states: States) -> NDArray[np.bool_]:
        """Whether each row was truncated instead of ending by the rules: (B,) bool."""
        return np.zeros(len(self.checked_states(states)), np.bool_)

    def round_of(self, state: States) -> int | None:
        """The number of the current round, 0 before the first; None if the game has no rounds.

        By default the field ``rounds`` of the record.
        """
        return int(state["rounds"][0]) if "rounds" in self.template.dtype.names else None

    def ending(self, state: States) -> str | None:
        """The name of the event that ended the game; None if not terminal.

        Games set ``ending_names`` or override this method.
        """
        if not self.ending_names:
            raise NotImplementedError(f"{self.name} must set ending_names or override ending")
        return self.endings(self.checked_state(state))[0]

    def choice_phase(self, state: States) -> tuple[int, ...] | None:
        """Identify the simultaneous choice that a decision is part of; None if seats decide one by one.

        In a phase seats are asked in a fixed order. What a seat is asked and sees does not depend on what others choose in it.
        By default the round of a ``simultaneous`` game.
        """
        return (self.round_of(state) or 0,) if self.simultaneous and int(self.actor(state)[0]) >= 0 else None

    @property
    def with_forced_decisions(self) -> Game:
        """The game itself, or a variant that also asks for forced decisions, to hide that they are forced.

        Where leaving out a question would reveal what a seat has, it is asked with a single action, which is not recorded.
        """
        return self

    def endings(self, states: States) -> list[str | None]:
        """The ``ending`` of each row."""
        if not self.ending_names:
            return [self.ending(cast(States, states[row : row + 1])) for row in range(len(self.checked_states(states)))]
        over = (self.kind(states) == self.over).tolist()
        return [self.ending_names[k] if ended else None for k, ended in zip(states["ending"].tolist(), over, strict=True)]

    def points(self, state: States) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The current points by source, shape (sides, sources), and the standings, shape (sides,)."""
        points = np.zeros((1, self.sides, len(self.sources)), np.int32)
        standings = np.zeros((1, self.sides), np.int64)
        self.kernels.score(0, 1, self.checked_state(state), self.components, points, standings)
        return points[0], standings[0]

    def breakdown(self, state: States, points: NDArray[np.int32]) -> tuple[dict[str, Any], ...]:
        """Points by source and ``total`` of each side; games may itemize a source.

        points : shape (sides, sources)
        """
        return tuple(dict(zip(self.sources, side.tolist(), strict=True)) | {"total": int(side.sum())} for side in points)

    def outcome(self, state: States) -> Outcome:
        """The outcome; if the game is not over, the current scores according to public information."""
        points, standings = self.points(state)
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
        """Further plain data for the result in a record, besides ending, scores and winners."""
        return {}

    # --- text

    @abstractmethod
    def action_text(self, state: States, action: int) -> str:
        """The notation of an action of the actor."""

    @abstractmethod
    def parse_action(self, state: States, text: str) -> int:
        """Parse the notation of an action.

        Raises NotationError if the text is malformed or names something that the actor does not have.
        """

    def action_texts(self, state: States, actions: Iterable[int]) -> list[str]:
        """The notation of several actions of the actor."""
        return [self.action_text(state, action) for action in actions]

    def action_effects(self, state: States, actions: Sequence[int]) -> list[str]:
        """What each of some legal actions brings the actor, as text; by default there are no such texts."""
        return []

    @property
    def rules_summary(self) -> str:
        """The rules of this configuration in short, as Markdown; empty for a game without ``rules_file``.

        A section whose heading ends in ``[option=value]`` is for games in which the option has the value or includes it. A name
        of :attr:`rules_values` after ``$`` stands for its value, and ``$$`` for a dollar sign.
        """
        if not self.rules_file:
            return ""
        text = files(type(self).__module__.rpartition(".")[0]).joinpath(self.rules_file).read_text(encoding="utf-8")
        return Template(summary_for(text, self.config_dict)).substitute(self.rules_values)

    @property
    def rules_values(self) -> Mapping[str, Any]:
        """The values that the rules in short name, such as ``$roads``; by default the configuration."""
        return self.config_dict

    @abstractmethod
    def position(self, state: States) -> dict[str, Any]:
        """The complete state as plain data."""

    @abstractmethod
    def from_position(self, position: Mapping[str, Any]) -> States:
        """The state that a position describes. Raises PositionError."""

    def chances(self, rows: Sequence[Row]) -> list[Chance]:
        """The random outcomes among the rows of a log; by default there are none."""
        return []

    @abstractmethod
    def narrate(self, rows: Sequence[Row], names: Sequence[str]) -> list[str]:
        """The rows of a log as sentences, with the names of the sides."""

    def visible(self, seat: int, before: States | None, action: int, after: States, rows: Sequence[Row]) -> VisibleStep:
        """What a seat or OBSERVER learns from a step.

        Two steps that differ only in what the seat cannot know give equal results. By default everything is visible; a game with
        hidden information overrides this.

        Parameters
        ----------
        before : the state before the action; None at the start of a game
        action : the action taken; ignored at the start of a game
        after : the state after the action
        rows : the rows of the log that the action wrote
        """
        self.checked_seat(seat)
        if self.has_hidden_information:
            raise NotImplementedError(f"{self.name} has hidden information: override visible")
        lines = [] if before is None else [{"seat": int(self.actor(before)[0]), "action": self.action_text(before, action)}]
        return VisibleStep(lines, list(rows))

    @abstractmethod
    def describe(self, state: States, seat: int | None = None, names: Sequence[str] | None = None, *, width: int = WIDTH) -> str:
        """The table as text of at most `width` columns where possible.

        seat : the viewer: the text holds only what this seat, or OBSERVER, may know; None: all information visible
        names : the names of the sides; by default ``side_names``
        """

    # --- what a viewer may know of a state

    def hide(self, g: PlainRecord, seat: int) -> None:  # noqa: B027 - games without such a rule need none
        """Hide what declarations cannot say from a seat or OBSERVER, in place; by default nothing.

        Of other hidden fields it stays visible how much they hold, so what is secret even as a number is hidden here.
        """

    def seen(self, state: States, seat: int | None) -> States:
        """A copy of a state (1,) with placeholders for all that a seat, or OBSERVER, cannot know.

        States that the seat cannot distinguish become the same bytes. None: all information visible.
        """
        seen, seat = self.checked_state(state).copy(), self.checked_seat(seat)
        if seat is not None:
            g = PlainRecord(seen[0])
            self.hide(g, seat)
            hide_fields(g, self.state, seat)
            g.store(seen[0])
        return seen

    def visible_state(
        self, state: States, seat: int | None, names: Sequence[str] | None = None, since: States | None = None
    ) -> VisibleState:
        """What a viewer may know of a state (1,): all that its texts and pictures are made of.

        Raises BatchError for bad arguments.
        """
        g = VisibleState(self.seen(state, seat)[0])
        g.viewer, g.names = seat, self.checked_names(names)
        g.open_seats = [p for p in range(self.seats) if seat in (None, p)]
        g.since = None if since is None else self.visible_state(since, seat, names)
        for name in self.printed:
            setattr(g, name, getattr(self, name))
        return g

    # --- people

    @cached_property
    def presenter(self) -> Any:
        """The :class:`~ginkgo_env.pictures.presenter.Presenter` of this game, imported when first read.

        This is the only place where ``core`` reaches the layers above it. Raises ConfigError if ``presenter_entry_point`` does
        not name a class.
        """
        try:
            presenter = resolve_name(self.presenter_entry_point)
            if not isinstance(presenter, type):
                raise ValueError("not a class")
        except (ImportError, AttributeError, ValueError) as error:
            expected = f"presenter_entry_point of {self.name} must name a class as 'module:Class'"
            raise ConfigError(f"{expected}, got {short_repr(self.presenter_entry_point)}: {error}") from error
        return presenter(self)

    @property
    def picture(self) -> Callable[..., Any]:
        """The function that draws the table: see :meth:`ginkgo_env.pictures.presenter.Presenter.picture`."""
        return self.presenter.picture  # type: ignore[no-any-return]


def summary_for(text: str, config: Mapping[str, Any]) -> str:
    """Return a summary of rules without the sections that are for other configurations."""
    first, *sections = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    kept = [first]
    for section in sections:
        condition = re.match(r"## .*?( \[(\w+)=(\w+)\])$", section, re.MULTILINE)
        if condition is None:
            kept.append(section)
            continue
        note, option, expected = condition.groups()
        value = config.get(option, ())
        if expected in map(str, value if isinstance(value, list | tuple) else [value]):
            kept.append(section.replace(note, "", 1))
    return "".join(kept).rstrip() + "\n"


def _remade(cls: type[Game], config: dict[str, Any], component_ids: dict[str, str] | None = None) -> Game:
    """Rebuild a game from its pickle. Raises ConfigError if its files have changed since."""
    game = cls(**config)
    if component_ids is not None and (differs := difference(game.component_ids, component_ids)):
        raise ConfigError(f"the files of {game.name} have changed since it was pickled: {differs}")
    return game


# --- one step of one game, and the arguments of the loop that plays ----------------------------------------------------------


def played(game: Game, row: NDArray[Any], action: int, seed: int = 0, log: NDArray[np.int16] = SILENT) -> States:
    """Play a legal action, or with RESET start the game of a seed; the arguments are not checked.

    row : a state from :func:`copied`, which is played in place
    log : where to write the events (:mod:`ginkgo_env.core.events`)
    """
    size = game.actions.size
    mask, words, done = np.zeros((1, size), np.int8), np.zeros((1, n_words(size)), np.uint64), np.zeros(1, np.int8)
    points, standings = np.zeros((1, game.sides, len(game.sources)), np.int32), np.zeros((1, game.sides), np.int64)
    chosen, seeds, template = np.array([action], np.int64), np.array([seed], np.uint64), game.template.view(np.ndarray)
    arrays = PlayArrays(chosen, seeds, mask, words, done, points, standings, template, template[:0])
    game.kernels.play(0, 1, row, game.components, tuple(arrays), tuple(PlayMode(log=log)))
    return cast(States, row.view(np.recarray))


def copied(state: NDArray[Any], template: States) -> NDArray[Any]:
    """Return a copy of a state as a plain array. Numpy would copy it field by field."""
    return np.frombuffer(bytearray(state.tobytes()), template.dtype)
