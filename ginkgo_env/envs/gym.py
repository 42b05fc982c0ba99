"""The games for Gymnasium, one at a time, for one learner whose opponents play inside ``step``.

>>> import gymnasium
>>> env = gymnasium.make("ginkgo_env:ginkgo_env/Ginkgopolis-v0", players=3, opponents="random")
>>> observation, info = env.reset(seed=7)
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Unpack, cast, overload

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ginkgo_env.core.batch import checked_seed
from ginkgo_env.core.game import Game, Outcome, States
from ginkgo_env.core.mixture import Mixture
from ginkgo_env.envs.interface import (
    Action,
    Array,
    AsDict,
    AsVector,
    DictObservation,
    GinkgopolisLearner,
    GoldenCityLearner,
    Integer,
    LearnerOptions,
    MyCityLearner,
    Observed,
)
from ginkgo_env.envs.learner import Learner, LearnerEnv
from ginkgo_env.envs.one_game import Restorable, checked_integer
from ginkgo_env.envs.rendering import OFFERED_MODES, PICTURES, checked_render_mode, ignored, rendered
from ginkgo_env.registry import DEFAULT_GAME, completes


class GinkgoEnv(Restorable, LearnerEnv, gymnasium.Env[Observed, Action]):
    """A game as a ``gymnasium.Env`` for one seat.

    Parameters
    ----------
    game : the game's name, see ``ginkgo_env.GAMES``, or its class
    opponents : the players of the other seats, see :mod:`ginkgo_env.envs.opponents`: ``"random"``, the name of another agent,
        an agent, a function, or a list with one for each other seat, beginning with the seat after the learner's
    seat : the learner's seat; ``"random"``: a random seat in each game; ``"rotating"``: the next seat in each game
    reward : ``"win"``, ``"margin"``, ``"outcome"``, ``"score"`` or a function, see :mod:`ginkgo_env.core.rewards`; None:
        ``"win"`` or, with one side, ``"score"``
    observation : ``"blocks"``: a vector, with blocks as in ``env.unwrapped.game.observation``; ``"features"``: a vector as
        in ``env.unwrapped.game.features``; ``"both"``: both, one after the other; ``"dict"``: a dict of the blocks as
        ``observation`` and the ``action_mask``
    illegal_action : ``"penalty"``: an action that the mask forbids ends the episode with reward -1 and
        ``info["illegal_action"]``; ``"raise"``: it raises IllegalActionError and changes nothing
    render_mode : ``"human"`` prints the table after ``reset`` and each ``step``. The others make ``render`` return it: ``"ansi"``
        as text in colors, ``"svg"`` as a picture, ``"rgb_array"`` as its pixels, (h, w, 3) uint8
    **config : the game's options, for instance ``players=3``

    ``step`` plays the action and then the opponents, until the learner decides again or the game is over, and pays all
    rewards of the learner's seat in the meantime. The returned arrays are always new. Every info has the same keys, with
    values of numpy:

    * ``action_mask`` (A,) int8, 1 = legal, as does :meth:`action_masks`. It is never all zero: when the game is over it is all
      one, as no action matters then
    * ``seat``, the learner's seat
    * for a mixture, ``configuration``, the index of the game's configuration in the mixture
    * ``illegal_action``, whether the step was one
    * ``scores`` (sides,) int32 and, with several sides, ``is_success``: whether no side ranks higher. They are 0 and False until
      the game is over

    ``reset(seed=s)`` starts the game of seed s, as :class:`~ginkgo_env.Batch` does; ``reset()`` starts the game whose seed
    follows from the last one's; the first seed is random. The opponents' choices and a random seat follow from the same seed:
    ``np_random`` is seeded, but not used.

    A copy (``copy.copy``, ``copy.deepcopy`` or ``pickle``) plays on as the original would, independently of it.

    >>> GinkgoEnv("golden_city", players=3, seat="rotating").action_space
    Discrete(109)
    """

    _changing = ("learner", "_since")
    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(OFFERED_MODES), "render_fps": 1}  # type: ignore[misc]

    @overload
    def __init__(
        self: GinkgoEnv[DictObservation],
        game: Literal["ginkgopolis"] = ...,
        *,
        observation: AsDict,
        **options: Unpack[GinkgopolisLearner],
    ) -> None: ...
    @overload
    def __init__(
        self: GinkgoEnv[Array],
        game: Literal["ginkgopolis"] = ...,
        *,
        observation: AsVector = ...,
        **options: Unpack[GinkgopolisLearner],
    ) -> None: ...
    @overload
    def __init__(
        self: GinkgoEnv[DictObservation],
        game: Literal["golden_city"],
        *,
        observation: AsDict,
        **options: Unpack[GoldenCityLearner],
    ) -> None: ...
    @overload
    def __init__(
        self: GinkgoEnv[Array], game: Literal["golden_city"], *, observation: AsVector = ..., **options: Unpack[GoldenCityLearner]
    ) -> None: ...
    @overload
    def __init__(
        self: GinkgoEnv[DictObservation], game: Literal["my_city"], *, observation: AsDict, **options: Unpack[MyCityLearner]
    ) -> None: ...
    @overload
    def __init__(
        self: GinkgoEnv[Array], game: Literal["my_city"], *, observation: AsVector = ..., **options: Unpack[MyCityLearner]
    ) -> None: ...
    @overload
    def __init__(self: GinkgoEnv[Any], game: type[Game], **options: Any) -> None: ...
    @completes(LearnerOptions.__annotations__)
    def __init__(self, game: str | type[Game] = DEFAULT_GAME, *, render_mode: str | None = None, **options: Any) -> None:
        self.render_mode = checked_render_mode(render_mode)
        self._begin(game, 1, options)
        self._since: bytes | None = None  # the state before the last step, to highlight its changes
        self.observation_space = cast(Any, self.learner.view.space)
        self.action_space = spaces.Discrete(self.game.actions.size)

    def __repr__(self) -> str:
        return f"GinkgoEnv({self.game!r})"

    # --- Gymnasium ---------------------------------------------------------------------------------------------------------

    def reset(self, *, seed: Integer | None = None, options: dict[str, Any] | None = None) -> tuple[Observed, dict[str, Any]]:
        """Start the game of a seed, or the next game, and play it up to the learner's first decision."""
        ignored(self, options)
        seed = None if seed is None else checked_seed(seed)
        super().reset(seed=seed)
        self.learner.reset([seed])
        self._since = None
        return self._shown(), self._info()

    def step(self, action: Action) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Play an action of the learner, and then the actions of the opponents."""
        learner, number = self.learner, checked_integer(action)
        self._since = learner.batch.states.tobytes() if self.render_mode in PICTURES else None
        learner.step([max(-1, min(number, self.game.actions.size))])
        result = self._shown(), learner.rewards.item(), learner.terminated.item(), learner.truncated.item()
        return *result, self._info()

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the table as the learner sees it, or print it in mode ``"human"``.

        When the game is over, all of it is visible.

        Pictures highlight what the last step changed.
        """
        return cast("str | NDArray[np.uint8] | None", render_row(self.learner, 0, self.render_mode, self._since))

    # --- beyond Gymnasium --------------------------------------------------------------------------------------------------

    def action_masks(self) -> NDArray[np.int8]:
        """Return the action mask (A,), for sb3-contrib."""
        mask: NDArray[np.int8] = self.learner.masks()[0]
        return mask

    def outcome(self) -> Outcome:
        """Return the outcome of the game; if it is not over, as it would be scored now."""
        return self.learner.batch.outcome(0)

    def _snapshot(self) -> tuple[Game, States]:
        """Return the game and the state that ``ginkgo_env.draw`` draws."""
        return self.game, self.learner.batch.state(0)

    # --- inside ------------------------------------------------------------------------------------------------------------

    def _shown(self) -> Any:
        if self.render_mode == "human":
            self.render()
        return self.learner.view.at(self.learner.observe(), 0)

    def _info(self) -> dict[str, Any]:
        learner = self.learner
        info = {"action_mask": self.action_masks(), "seat": learner.seats[0]}
        if isinstance(self.game, Mixture):
            info["configuration"] = learner.batch.configurations[0]
        return info | {name: values[0] for name, values in learner.endings(np.arange(1)).items()}


def render_row(learner: Learner, row: int, mode: str | None, since: bytes | None = None) -> Any:
    """Return the table in a row as the learner sees it; when the game is over, all of it is visible."""
    over = bool(learner.batch.over[row])
    return rendered(learner.game, mode, learner.batch.state(row), None if over else int(learner.seats[row]), since)
