"""Games and states of OpenSpiel, and their registration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, ClassVar, get_args

import numpy as np
import pyspiel

from ginkgo_env.core.checks import integer
from ginkgo_env.core.datafiles import read_text
from ginkgo_env.core.errors import ConfigError, IllegalActionError, PositionError, shown
from ginkgo_env.core.game import Game, NoOptions
from ginkgo_env.core.rewards import MARGIN_UNIT, RewardName, chosen_reward, final_rewards
from ginkgo_env.core.state import States
from ginkgo_env.core.strict_json import parse
from ginkgo_env.openspiel.history import History
from ginkgo_env.openspiel.observer import SpielObserver
from ginkgo_env.registry import game_class
from ginkgo_env.testing.play import LONGEST

PREFIX = "python_"
DEFAULTS: dict[str, int | str] = {"deals": 64, "seed": 0, "position": "", "reward": "score", "recall": 8192}
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
        return SpielObserver(self.ginkgo, self._recall, iig_obs_type, params)

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

    ginkgo : the :class:`~ginkgo_env.openspiel.history.History`, whose ``state`` is the record
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
        raise ConfigError(f"invalid reward {shown(name)}; expected one of {', '.join(get_args(RewardName))}")
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
