"""The games for OpenSpiel. Importing this registers them, and requires the package ``open_spiel``.

>>> import pyspiel
>>> import ginkgo_env.envs.openspiel
>>> game = pyspiel.load_game("python_ginkgopolis(players=3,deals=64)")
>>> game.num_players(), game.num_distinct_actions()
(3, 323)
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, ClassVar, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import ConfigError, IllegalActionError, PositionError, short_repr
from ginkgo_env.core.events import new_log, read_log
from ginkgo_env.core.files import read_text
from ginkgo_env.core.game import Game, NoOptions, copied, played
from ginkgo_env.core.imports import extra
from ginkgo_env.core.masks import NO_ACTION, RESET
from ginkgo_env.core.rewards import MARGIN_UNIT, RewardName, chosen_reward, final_rewards
from ginkgo_env.core.state import States
from ginkgo_env.core.strict_json import parse
from ginkgo_env.envs.text import observation_text
from ginkgo_env.registry import game_class, playable_games
from ginkgo_env.testing.play import LONGEST

with extra("openspiel"):
    import pyspiel

__all__ = ["History", "SpielGame", "SpielObserver", "SpielState", "register"]


# --- history: the events of a game and what each seat learned, the memory behind information states --------------------------


OWN_ACTION = -1
"""Stands for an own action, in place of the index of a change."""
Changes = NDArray[np.int32]
"""Changes (k, 2): an index of the observation and its new number, or OWN_ACTION and an action."""


def compact(value: Any) -> str:
    """Return plain data as JSON without spaces."""
    return json.dumps(value, separators=(",", ":"))


def by_block(game: Game, changes: Changes) -> dict[str, dict[str, int]]:
    """Return changes of an observation by block, each with its numbers by their places in the block.

    changes : in ascending order
    """
    cuts = np.searchsorted(changes[:, 0], game.observation.offsets)
    numbers = changes.tolist()
    return {
        name: {str(index - block.start): value for index, value in numbers[start:stop]}
        for (name, block), start, stop in zip(game.observation.items(), cuts, cuts[1:], strict=False)
        if stop > start
    }


class Step:
    """A step: the deal, an action, or the resampling of hidden information.

    state : the state after the step
    action : RESET for the deal of a seed, NO_ACTION for a deal from a position and for resampling
    kept_by : the seat whose knowledge resampling kept; None for other steps
    """

    __slots__ = ("_learned", "action", "kept_by", "state")

    def __init__(self, state: States, action: int, kept_by: int | None = None) -> None:
        self.state, self.action, self.kept_by = state, action, kept_by
        self._learned: dict[int, tuple[str, Changes]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return Step, (self.state, self.action, self.kept_by)

    def learned(self, game: Game, seat: int, before: States | None) -> tuple[str, Changes]:
        """Return what a seat learned, as a line of JSON (empty for nothing) and as changes.

        before : the state before the step; None to start from zeros, so that all other numbers are changes
        """
        if seat not in self._learned:
            now = game.observe(self.state, seat)
            was = np.zeros_like(now) if before is None else game.observe(before, seat)
            where = np.flatnonzero(now != was)
            changes = np.stack([where, now[where]], axis=1).astype(np.int32)
            line: dict[str, Any] = {}
            if before is not None and self.action >= 0 and int(game.actor(before)[0]) == seat:
                line["action"] = game.action_text(before, self.action)
                changes = np.concatenate([np.array([[OWN_ACTION, self.action]], np.int32), changes])
            if events := self._events(game, seat, before):
                line["events"] = events
            if where.size:
                line["observation"] = by_block(game, changes[-where.size :])
            self._learned[seat] = compact(line) if line else "", changes
        return self._learned[seat]

    def _events(self, game: Game, seat: int, before: States | None) -> list[dict[str, Any]]:
        """Return the lines of the record as the seat sees it."""
        if self.action == NO_ACTION:
            return []
        log, start = new_log(), copied(game.template if before is None else before, game.template)
        played(game, start, self.action, int(self.state["seed"][0]), log)
        return game.visible(seat, before, max(self.action, 0), self.state, read_log(log)).lines


class History:
    """A game so far. It never changes, so that copies of an OpenSpiel state share it."""

    __slots__ = ("_legal", "game", "steps")

    def __init__(self, game: Game, steps: tuple[Step, ...] = ()) -> None:
        self.game, self.steps = game, steps
        self._legal: list[int] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return History, (self.game, self.steps)

    def __deepcopy__(self, memo: dict[int, Any]) -> History:
        return self

    @property
    def state(self) -> States:
        """The current state."""
        return self.steps[-1].state

    @property
    def actor(self) -> int:
        """The seat that decides, negative if the game is over."""
        return int(self.state["actor"][0])

    @property
    def legal(self) -> list[int]:
        """The legal actions of the actor."""
        if self._legal is None:
            self._legal = self.game.legal_actions(self.state).tolist()
        return self._legal

    def dealt(self, state: States, *, from_seed: bool) -> History:
        """Return the history that begins with a state."""
        return History(self.game, (Step(state, RESET if from_seed else NO_ACTION),))

    def played(self, action: int) -> History:
        """Return the history with one more action. Raises IllegalActionError."""
        return History(self.game, (*self.steps, Step(self.game.step(self.state, action), action)))

    def resampled(self, seat: int, seed: int) -> History:
        """Return the history in which everything that a seat cannot know is resampled."""
        state = self.game.resample(self.state, seat, seed)
        return History(self.game, (*self.steps, Step(state, NO_ACTION, seat)))

    def learned(self, seat: int) -> Iterator[tuple[str, Changes]]:
        """Yield what a seat learned, step by step.

        The past of other seats is not resampled: for them it begins with what they know after the last resampling.
        """
        kept = [step.kept_by in (None, seat) for step in self.steps]
        first = max((k for k, keeps in enumerate(kept) if not keeps), default=0)
        for k in range(first, len(self.steps)):
            yield self.steps[k].learned(self.game, seat, self.steps[k - 1].state if k > first else None)


# --- observers: tensors and strings of what a player knows -------------------------------------------------------------------


class _State(Protocol):
    ginkgo: History


class SpielObserver:
    """An observer of what a player knows (see OpenSpiel's ``observation.py``).

    Pieces of the tensor: ``player`` (players,), one-hot; blocks of the game's observation by name, with seats
    relative to the player; with perfect recall also ``history`` (recall, 2), the last changes of the observation and own actions
    in order, then zeros. A row is 1 + index and the new number, or -1 and an action.

    A block with private numbers is private information as a whole.

    Strings hold the same as JSON lines, without a limit, and information states also the events. With `text`, the string of a
    whole observation without recall is the text of :class:`~ginkgo_env.text_env` instead.

    Raises ConfigError for parameters, for information about all players, and for recall of only a part of the observation.
    """

    def __init__(self, game: Game, recall: int, kind: Any = None, params: Any = None, *, text: bool = False) -> None:
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        whole = kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if params or kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS or (kind.perfect_recall and not whole):
            raise ConfigError("invalid observer; expected no parameters, one player's information, and all of it with recall")
        self._game, self._recall, self._text = game, kind.perfect_recall, text and whole
        known = {True: kind.public_info, False: kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER}
        blocks = {name: block for name, block in game.observation.items() if known[block.seen_by == "all"]}
        self._indices = np.flatnonzero([name in blocks for name, block in game.observation.items() for _ in range(block.size)])
        pieces = {"player": (game.seats,)} | {name: block.shape for name, block in blocks.items()}
        if self._recall:
            pieces["history"] = (recall, 2)
        sizes = [int(np.prod(shape)) for shape in pieces.values()]
        self.tensor = np.zeros(sum(sizes), np.float32)
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
        self.dict = {name: part.reshape(shape) for (name, shape), part in zip(pieces.items(), parts, strict=True)}

    def set_from(self, state: _State, player: int) -> None:
        """Write what a player observes into ``tensor``, of which ``dict`` has views; zeros before the deal."""
        self.tensor.fill(0)
        history, start = state.ginkgo, self._game.seats
        if not history.steps:
            return
        self.dict["player"][player] = 1
        seen = self._game.observe(history.state, player)
        self.tensor[start : start + self._indices.size] = seen[self._indices]
        if self._recall:
            rows = np.concatenate([changes for _, changes in history.learned(player)])
            rows = rows[-len(self.dict["history"]) :] + [[1, 0]]
            rows[rows[:, 0] == 0, 0] = -1  # an own action
            self.dict["history"][: len(rows)] = rows

    def string_from(self, state: _State, player: int) -> str:
        """Return what a player observes, or with perfect recall has observed and done, as JSON lines."""
        history, who = state.ginkgo, compact({"player": player})
        if not history.steps:
            return who
        if self._recall:
            return "\n".join([who, *(line for line, _ in history.learned(player) if line)])
        if self._text:
            actions = self._game.action_texts(history.state, history.legal) if history.actor == player else None
            return observation_text(self._game, history.state, player, actions)
        seen = self._game.observe(history.state, player)
        where = self._indices[seen[self._indices] != 0]
        return f"{who}\n{compact(by_block(self._game, np.stack([where, seen[where]], axis=1)))}"


# --- games and states, and their registration --------------------------------------------------------------------------------


PREFIX = "python_"
DEFAULTS: dict[str, int | str] = {"deals": 64, "seed": 0, "position": "", "reward": "score", "recall": 8192, "strings": "json"}
"""Parameters of all games besides the options of the game."""
_MOST_DEALS, _MOST_ROWS, _MOST_SEEDS = 10**6, 10**6, 2**31 - 1
_MOST_PLAYERS = 10
_HIGHEST_SCORE = 100_000  # far above any game, since users' boards may have high numbers
_ALL, _LIST = "all", "+"  # options with several names: all of them, or names joined by +


class SpielGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """A game of this package as a game of OpenSpiel; see the page on OpenSpiel for its parameters.

    ginkgo : the :class:`~ginkgo_env.core.game.Game`
    """

    name: ClassVar[str]
    """The name in ``ginkgo_env.GAMES``; :func:`register` makes a subclass for each."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        cls = game_class(self.name)
        defaults = _options(cls)
        given = {**DEFAULTS, **defaults, **params}
        self.ginkgo = cls(**{key: _option(cls, key, given[key]) for key in defaults})
        self._deals = integer(given["deals"], 1, _MOST_DEALS, "deals", ConfigError)
        self._seed = integer(given["seed"], 0, _MOST_SEEDS, "seed", ConfigError)
        self._recall = integer(given["recall"], 1, _MOST_ROWS, "recall", ConfigError)
        self._position = _read_position(self.ginkgo, given["position"])
        if given["strings"] not in ("json", "text"):
            raise ConfigError(f"invalid strings {short_repr(given['strings'])}; expected json or text")
        self._text = given["strings"] == "text"
        self.reward = _checked_reward(given["reward"], self.ginkgo)
        chosen = {key: value for key, value in given.items() if value != (DEFAULTS | defaults)[key]}
        zero_sum = self.ginkgo.sides == self.ginkgo.seats and (
            self.reward in ("win", "margin") or (self.reward == "outcome" and self.ginkgo.sides == 2)
        )
        super().__init__(_type(self.name, zero_sum=zero_sum), self._info(zero_sum=zero_sum), chosen)

    def _info(self, *, zero_sum: bool) -> Any:
        highest = {"score": _HIGHEST_SCORE, "margin": 2 * _HIGHEST_SCORE / MARGIN_UNIT}.get(self.reward, 1)
        return pyspiel.GameInfo(
            num_distinct_actions=self.ginkgo.actions.size,
            max_chance_outcomes=self._deals,
            num_players=self.ginkgo.seats,
            min_utility=-highest,
            max_utility=highest,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=LONGEST,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (str(self),)

    def new_initial_state(self) -> SpielState:
        """Return the chance node before the deal."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """Return an observer; without a type, one of observations without memory."""
        return SpielObserver(self.ginkgo, self._recall, iig_obs_type, params, text=self._text)

    def max_chance_nodes_in_history(self) -> int:
        """Return 1: the deal."""
        return 1

    @property
    def deals(self) -> int:
        """The number of outcomes of the deal, all equally likely."""
        return self._deals

    def dealt(self, deal: int) -> History:
        """Return the game of a deal.

        It is the game of the seed ``seed + deal``, or the position with hidden information resampled.
        """
        history, seed = History(self.ginkgo), self._seed + integer(deal, 0, self._deals - 1, "deal", IllegalActionError)
        if self._position is None:
            return history.dealt(self.ginkgo.initial_state(seed), from_seed=True)
        state = self._position
        for seat in range(self.ginkgo.seats):
            state = self.ginkgo.resample(state, seat, seed * self.ginkgo.seats + seat)
        return history.dealt(state, from_seed=False)


class SpielState(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A state of OpenSpiel: the deal, then the decisions of the game.

    ginkgo : the :class:`~ginkgo_env.envs.openspiel.History`, whose ``state`` is the record
    """

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.ginkgo = History(game.ginkgo)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (pyspiel.serialize_game_and_state(self.get_game(), self),)

    def current_player(self) -> int:
        """Return the seat that decides, or OpenSpiel's id of the chance player or of a terminal state."""
        if not self.ginkgo.steps:
            return int(pyspiel.PlayerId.CHANCE)
        return self.ginkgo.actor if self.ginkgo.actor >= 0 else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return bool(self.ginkgo.steps) and self.ginkgo.actor < 0

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the deals with their probabilities."""
        deals = self.get_game().deals
        return [(deal, 1 / deals) for deal in range(deals)]

    def _legal_actions(self, player: int) -> list[int]:
        return self.ginkgo.legal

    def _apply_action(self, action: int) -> None:
        self.ginkgo = self.ginkgo.played(action) if self.ginkgo.steps else self.get_game().dealt(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.ginkgo.game.action_text(self.ginkgo.state, action) if player >= 0 else f"deal:{action}"

    def returns(self) -> list[float]:
        """Return the utilities of all players, zeros before the end."""
        game, seats = self.ginkgo.game, self.ginkgo.game.seats
        if not self.is_terminal():
            return [0.0] * seats
        points, standings = game.points(self.ginkgo.state)
        totals, spiel = points.sum(axis=1), self.get_game()
        if spiel.reward == "score":
            return [float(total) for total in totals[:seats]]
        utilities = final_rewards(spiel.reward, totals[None], standings[None])[0, :seats].astype(float)
        if spiel.utility_sum() == 0:  # without a rounding error
            utilities[np.abs(utilities).argmin()] -= utilities.sum()
        return [float(utility) for utility in utilities]

    def resample_from_infostate(self, player_id: int, rng: Any) -> SpielState:
        """Return a state that the player cannot tell from this one, with the same information state.

        rng : returns a random number from 0 to 1 at each call
        """
        copy: SpielState = self.clone()
        copy.ginkgo = self.ginkgo.resampled(player_id, int(rng() * 2**53))
        return copy

    def __str__(self) -> str:
        return self.ginkgo.game.describe(self.ginkgo.state) if self.ginkgo.steps else "before the deal"


def _loaded(text: str) -> Any:
    return pyspiel.load_game(text)  # in this module, so that unpickling registers the games


def _restored(text: str) -> SpielState:
    state: SpielState = pyspiel.deserialize_game_and_state(text)[1]
    return state


def _options(cls: type[Game]) -> dict[str, Any]:
    """Return the options of a game with their defaults, as OpenSpiel takes them."""
    config = cls().config
    known = () if isinstance(config, NoOptions) else fields(config)
    return {field.name: "" if isinstance(field.default, tuple) else field.default for field in known}


def _option(cls: type[Game], key: str, value: Any) -> Any:
    """Return a parameter of OpenSpiel as an option of the game."""
    if isinstance(next(field.default for field in fields(cls().config) if field.name == key), tuple) and value != _ALL:
        return tuple(name for name in str(value).split(_LIST) if name)
    return value


def _checked_reward(name: Any, game: Game) -> Any:
    if name not in get_args(RewardName):
        raise ConfigError(f"invalid reward {short_repr(name)}; expected one of {', '.join(get_args(RewardName))}")
    return chosen_reward(name, game.sides)


def _read_position(game: Game, path: str) -> States | None:
    """Return the state of a position file, None for an empty path. Raises PositionError or ConfigError."""
    if not path:
        return None
    try:
        position = parse(read_text(Path(path), "position"))
    except ValueError as error:
        raise ConfigError(f"position: {error}") from None
    if not isinstance(position, dict):
        raise PositionError("position: expected an object")
    return game.from_position(position)


def _players(cls: type[Game]) -> list[int]:
    """Return the numbers of players of a game."""
    if "players" not in _options(cls):
        return [cls().seats]
    possible = []
    for players in range(1, _MOST_PLAYERS + 1):
        try:
            possible.append(cls(players=players).seats)
        except ConfigError:
            continue
    return possible


def _type(name: str, *, zero_sum: bool = False) -> Any:
    """Return the type of a game: general-sum, unless the utilities of all players always add up to zero."""
    cls, kinds = game_class(name), pyspiel.GameType
    players = _players(cls)
    return kinds(
        short_name=PREFIX + name,
        long_name=cls.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(players),
        min_num_players=min(players),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=DEFAULTS | _options(cls),
    )


def register(name: str) -> None:
    """Register a game of ``ginkgo_env.GAMES`` with OpenSpiel, as ``python_`` and its name."""
    # OpenSpiel releases its references after Python has ended. Only a class survives that, as it refers to itself.
    kind = type(game_class(name).__name__, (SpielGame,), {"name": name, "__module__": __name__})
    pyspiel.register_game(_type(name), kind)


for _name in playable_games():
    register(_name)
