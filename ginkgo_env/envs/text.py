"""The games as text, for language models.

An observation describes the table; an action is the answer of the model.

>>> import ginkgo_env
>>> env = ginkgo_env.text_env("my_city", players=2, opponents="random")
>>> observation, info = env.reset(seed=7)
>>> observation, reward, terminated, truncated, info = env.step(f"I play {info['legal_actions'][0]}, at the river.")
>>> info["error"], info["illegal_answers"]
('', [0, 0])
"""

from __future__ import annotations

import copy
import re
import string
from collections.abc import Sequence
from typing import Any, ClassVar, Literal, Self, Unpack, cast, get_args, overload

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ginkgo_env.core.batch import checked_seed
from ginkgo_env.core.checks import flag, integer
from ginkgo_env.core.errors import ConfigError, FinishedGameError, IllegalActionError, NotationError, short_repr
from ginkgo_env.core.game import MAX_WIDTH, MIN_WIDTH, WIDTH, Game, Outcome, States
from ginkgo_env.core.language import shared
from ginkgo_env.core.rewards import Reward
from ginkgo_env.envs.aec import raw_env
from ginkgo_env.envs.answers import AnswerReader
from ginkgo_env.envs.gym import GinkgoEnv
from ginkgo_env.envs.interface import EnvOptions, Integer
from ginkgo_env.envs.learner import ILLEGAL_REWARD, SeatChoice
from ginkgo_env.envs.one_game import OVER, EnvState, Restorable
from ginkgo_env.envs.opponents import RANDOM
from ginkgo_env.envs.rendering import OFFERED_MODES, checked_render_mode, ignored, rendered
from ginkgo_env.registry import DEFAULT_GAME, GameName, GameOptions, completes, game_class

ALL_SEATS = "all"
IllegalAnswer = Literal["penalty", "random"]

_LONGEST_TEXT, _MOST_RETRIES = 1_000_000, 1_000
COUNTS = ("answers", "illegal_answers", "random_actions")
"""The keys of infos that count what happened in the game, for each seat."""


class TextOptions(GameOptions, EnvOptions, total=False):
    """The options of text environments, for type checkers."""

    seat: SeatChoice | Literal["all"]
    opponents: Any
    rules: bool
    legal_actions: bool
    effects: bool
    retries: int
    illegal_action: IllegalAnswer
    width: int


class AnyText(spaces.Text):
    """All texts up to a length, of any characters; samples are printable ASCII."""

    def __init__(self, max_length: int) -> None:
        super().__init__(max_length, min_length=0, charset=string.printable)

    def contains(self, x: Any) -> bool:
        """Return whether a value is such a text."""
        return isinstance(x, str) and len(x) <= self.max_length


def count_tokens(text: str) -> int:
    """Count the tokens of a text by a rule that depends on no model.

    A token is a word (letters), a number (digits), or any other single character that is not blank.

    >>> count_tokens("R7+B12: 2 floors")
    8
    """
    return len(re.findall(r"[^\W\d_]+|\d+|[^\w\s]|_", text))


def observation_text(
    game: Game,
    state: States,
    seat: int,
    actions: Sequence[str] | None = None,
    effects: Sequence[str] = (),
    width: int = WIDTH,
) -> str:
    """Return what a seat may know of a state (1,) and, if it decides, the question.

    actions : the legal actions to list, which may be none; None if the seat does not decide
    effects : what each of them brings, or none
    """
    parts = [game.describe(state, seat, width=width)]
    if actions is not None:
        parts.append(f"You are {game.side_names[seat]}. Write one action on the last line of your answer.")
    if actions and effects:
        lines = [f"{action} {effect}" for action, effect in zip(actions, effects, strict=True)]
        parts.append("\n".join(["Legal actions, each with the change of your points:", *lines]))
    elif actions:
        parts.append(f"Legal actions: {', '.join(actions)}")
    return "\n\n".join(parts)


class text_env(Restorable, gymnasium.Env[str, str]):
    """A game as a ``gymnasium.Env`` whose observations and actions are texts.

    Parameters
    ----------
    game : the game's name, see ``ginkgo_env.GAMES``
    seat : the model's seat, as for :class:`~ginkgo_env.GinkgoEnv`. ``"all"``: the caller answers for all seats in turn; each
        observation is for the seat that decides, ``info["seat"]``
    opponents, reward, render_mode, **config : as for ``GinkgoEnv``; with ``seat="all"`` there are no opponents
    rules : whether the first observation of each seat begins with :meth:`rules`
    legal_actions : whether observations list the legal actions
    effects : whether this list has a line for each action with what it brings, see :meth:`Game.action_effects
        <ginkgo_env.core.game.Game.action_effects>`; for My City
    retries : how often a model may answer a decision again, after an answer that names no legal action
    illegal_action : the consequence of the next such answer. ``"penalty"``: the episode ends with reward -1 and
        ``info["illegal_action"]``, as in ``GinkgoEnv``; ``"random"``: a uniform legal action is played, from ``np_random``
    width : width of descriptions, in columns

    :mod:`ginkgo_env.envs.answers` says how answers are read. A refused answer is a step with reward 0, whose observation begins
    with a sentence that explains the problem; the game is unchanged.

    Every info has

    * ``seat``, ``legal_actions`` (notation) and ``action_mask`` of the next decision, as long as the game is running
    * ``action`` : the notation of the action played in this step, None if there was none
    * ``error`` : the problem with the answer, empty if it was accepted
    * ``retries_left`` : number of retries left for this decision
    * ``answers``, ``illegal_answers``, ``random_actions`` : their numbers in this game, for each seat
    * with ``seat="all"``, ``rewards``, those of all seats in this step; ``step`` returns that of the seat that answered
    * when the game is over, ``scores`` and ``winners`` and, for one learner and several sides, ``is_success``

    Seeds are those of ``GinkgoEnv``. A copy (``copy.deepcopy`` or ``pickle``) plays on as the original would.

    >>> env = text_env("my_city")
    >>> text, info = env.reset(seed=7)
    >>> info["legal_actions"][:2]
    ['d1N', 'f1N']
    """

    _changing = ("_env", "_over", "_seat", "_failures", "_counts", "_informed")
    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(OFFERED_MODES), "render_fps": 1}  # type: ignore[misc]

    @overload
    def __init__(self, game: GameName = DEFAULT_GAME, **options: Unpack[TextOptions]) -> None: ...
    @overload
    def __init__(self, game: type[Game], **options: Any) -> None: ...
    @completes()
    def __init__(
        self,
        game: str | type[Game] = DEFAULT_GAME,
        *,
        seat: SeatChoice | Literal["all"] = 0,
        opponents: Any = RANDOM,
        reward: Reward | None = None,
        rules: bool = False,
        legal_actions: bool = True,
        effects: bool = False,
        retries: int = 2,
        illegal_action: IllegalAnswer = "penalty",
        width: int = WIDTH,
        render_mode: str | None = None,
        **config: Any,
    ) -> None:
        if not isinstance(illegal_action, str) or illegal_action not in get_args(IllegalAnswer):
            raise ConfigError(f"invalid illegal_action {short_repr(illegal_action)}; expected 'penalty' or 'random'")
        self.render_mode = checked_render_mode(render_mode)
        self._with_rules = flag(rules, "rules", ConfigError)
        self._with_actions = flag(legal_actions, "legal_actions", ConfigError)
        self._with_effects = flag(effects, "effects", ConfigError)
        self.retries = integer(retries, 0, _MOST_RETRIES, "retries", ConfigError)
        self.illegal_action: IllegalAnswer = illegal_action
        self.width = integer(width, MIN_WIDTH, MAX_WIDTH, "width", ConfigError)
        self._env: GinkgoEnv[Any] | raw_env[Any]
        options: dict[str, Any] = {"reward": reward, **config}
        if isinstance(seat, str) and seat == ALL_SEATS:
            if not isinstance(opponents, str) or opponents != RANDOM:
                raise ConfigError("invalid opponents; expected none, since seat='all' leaves no seat for them")
            self._env = raw_env(game_class(game), **options)
        else:
            options |= {"seat": seat, "opponents": opponents, "illegal_action": "raise"}
            self._env = GinkgoEnv(game_class(game), **options)
        self.game: Game = self._env.game
        if self._with_effects and type(self.game).action_effects is Game.action_effects:
            raise ConfigError(f"effects=True requires a game with texts for the effects of actions, got {self.game.name}")
        self.observation_space, self.action_space = AnyText(_LONGEST_TEXT), AnyText(_LONGEST_TEXT)
        self._over, self._seat, self._failures = True, 0, 0
        self._counts: dict[str, list[int]] = {}
        self._informed = set[int]()  # seats that have received the rules

    def __repr__(self) -> str:
        return f"text_env({self.game!r})"

    # --- Gymnasium ---------------------------------------------------------------------------------------------------------

    def reset(self, *, seed: Integer | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Start the game of a seed, or the next game, and play it up to the caller's first decision."""
        ignored(self, options)
        seed = None if seed is None else checked_seed(seed)
        super().reset(seed=seed)
        self._env.reset(seed=seed)
        self._counts = {name: [0] * self.game.seats for name in COUNTS}
        self._informed.clear()
        self._ask()
        return self._results()

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Play the action that an answer names, and then the actions of the opponents.

        Raises FinishedGameError when the episode is over, IllegalActionError unless the answer is a text.
        """
        if self._over:
            raise FinishedGameError("the episode is over: call reset first")
        if not isinstance(action, str):
            raise IllegalActionError(f"invalid answer {short_repr(action)}; expected a text")
        seat, error = self._seat, ""
        self._counts["answers"][seat] += 1
        try:
            chosen = self.parse(action)
        except NotationError as refused:
            error = str(refused)
            self._counts["illegal_answers"][seat] += 1
            self._failures += 1
            if self._failures <= self.retries:
                return self._stepped(seat, [0.0] * self.game.seats, error=error)
            if self.illegal_action == "penalty":
                self._over = True
                rewards = [ILLEGAL_REWARD * (other == seat) for other in range(self.game.seats)]
                return self._stepped(seat, rewards, True, error=error, illegal_action=True)
            chosen = int(self.np_random.choice(np.flatnonzero(self._mask())))
            self._counts["random_actions"][seat] += 1
        text = self.game.action_text(self._state(), chosen)
        rewards, terminated, truncated = self._play(chosen)
        self._ask()
        return self._stepped(seat, rewards, terminated, truncated, action=text, error=error)

    def render(self) -> Any:
        """Return the table as the seat that decides sees it, or print it in mode ``"human"``.

        When the game is over, all of it is visible.
        """
        return rendered(self.game, self.render_mode, self._state(), None if self._is_finished() else self._seat)

    # --- beyond Gymnasium --------------------------------------------------------------------------------------------------

    def parse(self, text: str) -> int:
        """Return the id of the legal action that an answer to the current decision names.

        Raises NotationError, whose message explains the problem.
        """
        if self._over:
            raise NotationError("no action is legal: the episode is over")
        return self._reader.read(text)

    def describe(self) -> str:
        """Return the table as the seat that decides may know it."""
        return self.game.describe(self._state(), self._seat, width=self.width)

    def rules(self) -> str:
        """Return the rules in short, with the notation of actions; empty for a game without such a summary.

        For a mixture these are the rules of the current game's configuration.
        """
        return self._configured().rules_summary

    def outcome(self) -> Outcome:
        """Return the outcome of the game; if it is not over, as it would be scored now."""
        return self._env.outcome()

    def _snapshot(self) -> tuple[Game, States]:
        """Return the game and the state that ``ginkgo_env.draw`` draws."""
        return self._env._snapshot()

    def __copy__(self) -> Self:
        """Return an independent copy."""
        return copy.deepcopy(self)

    def set_state(self, state: EnvState) -> None:
        """Go back to a state of this environment, as in other environments."""
        super().set_state(state)
        self._read()

    # --- the environment inside --------------------------------------------------------------------------------------------

    def _state(self) -> States:
        return self._env._snapshot()[1]

    def _configured(self) -> Game:
        return self.game.game_of(self._state())

    def _is_finished(self) -> bool:
        return int(self.game.actor(self._state())[0]) == OVER

    def _mask(self) -> NDArray[np.int8]:
        return self._env.action_masks() if isinstance(self._env, GinkgoEnv) else self._env._one.legal.copy()

    def _play(self, action: int) -> tuple[list[float], bool, bool]:
        """Play an action; return the rewards of all seats as far as they are known, terminated and truncated."""
        if isinstance(self._env, raw_env):
            self._env.step(action)
            ended, finished = self._env._one.truncated, self._is_finished()
            return [*self._env.rewards.values()], finished and not ended, finished and ended
        _, reward, terminated, truncated, _ = cast("GinkgoEnv[Any]", self._env).step(action)
        return [reward * (seat == self._seat) for seat in range(self.game.seats)], terminated, truncated

    def _ask(self) -> None:
        """Begin the next decision."""
        self._over, self._failures = self._is_finished(), 0
        if isinstance(self._env, GinkgoEnv):
            self._seat = int(self._env.learner.seats[0])
        elif not self._over:
            self._seat = self._env._one.actor
        self._read()

    def _read(self) -> None:
        if not self._over:
            self._reader = AnswerReader(self.game, self._state().copy(), np.flatnonzero(self._mask()))

    # --- texts and infos ---------------------------------------------------------------------------------------------------

    def _stepped(
        self, seat: int, rewards: list[float], terminated: bool = False, truncated: bool = False, **info: Any
    ) -> tuple[str, float, bool, bool, dict[str, Any]]:
        if isinstance(self._env, raw_env):
            info["rewards"] = rewards
        observation, info = self._results(**info)
        return observation, rewards[seat], terminated, truncated, info

    def _results(self, *, action: str | None = None, error: str = "", **more: Any) -> tuple[str, dict[str, Any]]:
        """Return observation and info."""
        info: dict[str, Any] = {"seat": self._seat, "action": action, "error": error}
        info |= {name: counts.copy() for name, counts in self._counts.items()} | more
        if self._over:
            info |= self._ending() if self._is_finished() else {}
        else:
            info |= {"legal_actions": self._reader.texts.copy(), "action_mask": self._mask()}
            info["retries_left"] = self.retries - self._failures
        if self.render_mode == "human":
            self.render()
        return self._observation(error), info

    def _ending(self) -> dict[str, Any]:
        outcome = self.outcome()
        info: dict[str, Any] = {"scores": np.array(outcome.scores, np.int32), "winners": outcome.winners}
        if isinstance(self._env, GinkgoEnv) and self._configured().sides > 1:
            info["is_success"] = self._seat in outcome.winners
        return info

    def _observation(self, error: str) -> str:
        parts = [f"Your answer was not accepted: {error}."] if error else []
        if self._with_rules and self._seat not in self._informed and self.rules():
            parts.append(self.rules().strip())
        self._informed.add(self._seat)
        state, effects = self._state(), list[str]()
        actions = None if self._over else self._reader.texts if self._with_actions else []
        if actions and self._with_effects:
            effects = self.game.action_effects(state, np.flatnonzero(self._mask()).tolist())
        parts.append(observation_text(self.game, state, self._seat, actions, effects, self.width))
        if self._over and self._is_finished():
            parts.append(_result(self._configured(), self.outcome()))
        return "\n\n".join(parts)


def _result(game: Game, outcome: Outcome) -> str:
    """Return a sentence with scores and winners."""
    scores = ", ".join(f"{name} {score}" for name, score in zip(game.side_names, outcome.scores, strict=True))
    return f"Scores: {scores}. Won by {shared.joined([game.side_names[side] for side in outcome.winners])}."
