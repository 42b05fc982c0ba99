"""The games for Gymnasium, many at a time, as a ``VectorEnv`` on a batch.

Opponents decide for all games at once.

>>> import gymnasium
>>> envs = gymnasium.make_vec("ginkgo_env:ginkgo_env/Ginkgopolis-v0", num_envs=64, players=2)
>>> observations, infos = envs.reset(seed=7)
>>> actions = infos["action_mask"].argmax(axis=1)
>>> observations, rewards, terminations, truncations, infos = envs.step(actions)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, Unpack, overload

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ginkgo_env.core.checks import flag, int_or_none, integer
from ginkgo_env.core.errors import BatchError, ConfigError, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.mixture import Mixture
from ginkgo_env.envs.gym import render_row
from ginkgo_env.envs.interface import (
    Array,
    AsDict,
    AsVector,
    GinkgopolisVector,
    GoldenCityVector,
    Integer,
    MyCityVector,
    Observed,
    VectorOptions,
)
from ginkgo_env.envs.learner import LearnerEnv, Rows
from ginkgo_env.envs.one_game import checked_limit
from ginkgo_env.envs.rendering import OFFERED_MODES, checked_render_mode, ignored
from ginkgo_env.registry import DEFAULT_GAME, completes

Arrays: TypeAlias = dict[str, Array]
_RESET_MASK = "reset_mask"


class GinkgoVectorEnv(LearnerEnv, VectorEnv[Observed, NDArray[np.int64], NDArray[Any]]):
    """Games as a ``gymnasium.vector.VectorEnv``.

    It behaves as a ``SyncVectorEnv`` of :class:`~ginkgo_env.envs.gym.GinkgoEnv`.

    Parameters
    ----------
    game, opponents, seat, reward, observation, illegal_action, render_mode, **config : as for ``GinkgoEnv``. With
        ``illegal_action="raise"`` an illegal action in one game leaves all games as they were
    num_envs : number of games
    autoreset_mode : an ``AutoresetMode`` or its value.
        ``NEXT_STEP`` (the default, as in Gymnasium): the step after the end of an episode starts the next game, ignores the
        action and pays 0. ``SAME_STEP``: the step that ends an episode starts the next game; how it ended is in
        ``infos["final_obs"]`` and ``infos["final_info"]``. ``DISABLED``: ``reset(options={"reset_mask": mask})``, with a bool
        array, starts the next games where the mask is True; until then a step raises FinishedGameError
    copy : whether observations and masks are new arrays at each call; False reuses them, so copy what you keep
    threads : number of threads that share the games
    max_episode_steps : an episode is truncated after this many steps, as by ``gymnasium.wrappers.TimeLimit``; None: no limit

    Seeds are Gymnasium's: ``reset(seed=s)`` starts the games of seeds s, s + 1, ...; a list has a seed for each game, or None
    for the one that follows from its last seed.

    The masks in ``infos["action_mask"]`` (num_envs, A) are never all zero. Where a game is over, the mask is all one: with
    ``NEXT_STEP`` the action there is ignored.

    >>> GinkgoVectorEnv("golden_city", num_envs=8, players=3).observation_space.shape
    (8, 506)
    """

    @overload
    def __init__(
        self: GinkgoVectorEnv[Arrays],
        game: Literal["ginkgopolis"] = ...,
        *,
        observation: AsDict,
        **options: Unpack[GinkgopolisVector],
    ) -> None: ...
    @overload
    def __init__(
        self: GinkgoVectorEnv[Array],
        game: Literal["ginkgopolis"] = ...,
        *,
        observation: AsVector = ...,
        **options: Unpack[GinkgopolisVector],
    ) -> None: ...
    @overload
    def __init__(
        self: GinkgoVectorEnv[Arrays], game: Literal["golden_city"], *, observation: AsDict, **options: Unpack[GoldenCityVector]
    ) -> None: ...
    @overload
    def __init__(
        self: GinkgoVectorEnv[Array],
        game: Literal["golden_city"],
        *,
        observation: AsVector = ...,
        **options: Unpack[GoldenCityVector],
    ) -> None: ...
    @overload
    def __init__(
        self: GinkgoVectorEnv[Arrays], game: Literal["my_city"], *, observation: AsDict, **options: Unpack[MyCityVector]
    ) -> None: ...
    @overload
    def __init__(
        self: GinkgoVectorEnv[Array], game: Literal["my_city"], *, observation: AsVector = ..., **options: Unpack[MyCityVector]
    ) -> None: ...
    @overload
    def __init__(self: GinkgoVectorEnv[Any], game: type[Game], **options: Any) -> None: ...
    @completes(VectorOptions.__annotations__)
    def __init__(
        self,
        game: str | type[Game] = DEFAULT_GAME,
        *,
        num_envs: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: str | None = None,
        max_episode_steps: int | None = None,
        **options: Any,
    ) -> None:
        self._most = checked_limit(max_episode_steps, "max_episode_steps")
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode if isinstance(autoreset_mode, str | AutoresetMode) else "")
        except ValueError:
            modes = ", ".join(mode.value for mode in AutoresetMode)
            raise ConfigError(f"invalid autoreset_mode {short_repr(autoreset_mode)}; expected one of {modes}") from None
        self.render_mode = checked_render_mode(render_mode)
        self.copy = flag(copy, "copy", ConfigError)
        self.num_envs = integer(num_envs, 1, None, "num_envs", ConfigError)
        self._begin(game, self.num_envs, options)
        self._steps = np.full(self.num_envs, -1)  # of each episode; below 0 before the first reset
        self.metadata = {"render_modes": list(OFFERED_MODES), "render_fps": 1, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = self.learner.view.space
        self.single_action_space = spaces.Discrete(self.game.actions.size)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._reused = None if self.copy else (self.learner.observe(), self.learner.masks())

    def __repr__(self) -> str:
        return f"GinkgoVectorEnv({self.game!r}, num_envs={self.num_envs})"

    # --- Gymnasium ---------------------------------------------------------------------------------------------------------

    def reset(
        self, *, seed: Integer | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Start a game in each row, or in those where ``options["reset_mask"]`` (num_envs,) bool is True.

        The infos describe all rows, including those that were not reset.
        """
        rows = self._rows_to_reset(options)
        seeds = self._seeds(seed)
        self.learner.reset([seeds[row] for row in rows], rows)
        self._steps[rows] = 0
        super().reset(seed=int_or_none(seeds[0]))
        return self._results({})

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observed, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play an action in each game, and then the actions of the opponents."""
        learner, mode = self.learner, self.autoreset_mode
        if (self._steps < 0).any():
            raise ResetNeeded("call reset before step")
        again: Rows = np.flatnonzero(learner.over)
        if mode == AutoresetMode.NEXT_STEP and again.size:
            learner.step(actions, np.flatnonzero(~learner.over))
        else:
            learner.step(actions)
        self._steps += 1
        if self._most is not None:
            learner.truncate(np.flatnonzero((self._steps >= self._most) & ~learner.over))
        paid = learner.rewards.copy(), learner.terminated.copy(), learner.truncated.copy()
        infos: dict[str, Any] = {}
        if mode == AutoresetMode.SAME_STEP:
            again = np.flatnonzero(learner.over)
            if again.size:
                infos = self._finals(again)
        if again.size:
            learner.reset(rows=again)
            self._steps[again] = 0
        observations, infos = self._results(infos)
        return observations, *paid, infos

    def render(self) -> tuple[Any, ...] | None:
        """Return all tables, or print them in mode ``"human"``."""
        if self.render_mode is None:
            return None
        mode = self.render_mode
        if mode != "human":
            return tuple(render_row(self.learner, row, mode) for row in range(self.num_envs))
        for row in range(self.num_envs):
            print("\n" * bool(row), end="")
            render_row(self.learner, row, mode)
        return None

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads, if any."""
        if hasattr(self, "learner"):  # missing if __init__ failed
            self.learner.batch.close()

    # --- inside ------------------------------------------------------------------------------------------------------------

    def _rows_to_reset(self, options: dict[str, Any] | None) -> Rows:
        if not isinstance(options, dict) or _RESET_MASK not in options:
            ignored(self, options)
            return np.arange(self.num_envs)
        mask = options[_RESET_MASK]
        if not isinstance(mask, np.ndarray) or mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise BatchError(f"invalid reset_mask; expected a bool array ({self.num_envs},) with at least one True")
        ignored(self, {name: value for name, value in options.items() if name != _RESET_MASK})
        return np.flatnonzero(mask)

    def _seeds(self, seed: Any) -> list[int | None]:
        """Return a seed for each game."""
        if seed is None:
            return [None] * self.num_envs
        if (first := int_or_none(seed)) is not None:
            return [first + i for i in range(self.num_envs)]
        if not isinstance(seed, Sequence | np.ndarray) or isinstance(seed, str) or len(seed) != self.num_envs:
            raise BatchError(
                f"invalid seed {short_repr(seed)}; expected an integer, or a list of {self.num_envs} integers or None"
            )
        return list(seed)

    def _results(self, infos: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Return the current observations and infos."""
        learner = self.learner
        observations, masks = self._reused or (None, None)
        observations, masks = learner.observe(observations), learner.masks(masks)
        return observations, infos | self._infos(np.arange(self.num_envs), masks)

    def _finals(self, rows: Rows) -> dict[str, Any]:
        """Return the last observations and infos of rows (k,) that are about to be reset."""
        seen = self.learner.observe_rows(rows)
        final: NDArray[Any] = np.full(self.num_envs, None, object)
        for k, row in enumerate(rows):
            final[row] = self.learner.view.at(seen, k)
        ended = np.zeros(self.num_envs, np.bool_)
        ended[rows] = True
        infos = self._infos(rows, self.learner.masks_rows(rows))
        return {"final_obs": final, "_final_obs": ended, "final_info": infos, "_final_info": ended.copy()}

    def _infos(self, rows: Rows, masks: NDArray[np.int8]) -> dict[str, Any]:
        """Return the infos of rows (k,) with masks (k, A). Other rows are zero, and ``_key`` marks the rows."""
        learner = self.learner
        infos: dict[str, Any] = {}
        values: dict[str, NDArray[Any]] = {"action_mask": masks, "seat": learner.seats[rows]}
        if isinstance(self.game, Mixture):
            values["configuration"] = learner.batch.configurations[rows]
        for name, value in (values | learner.endings(rows)).items():
            infos[name], infos[f"_{name}"] = value, np.ones(self.num_envs, np.bool_)
            if rows.size < self.num_envs:
                infos[name] = np.zeros((self.num_envs, *value.shape[1:]), value.dtype)
                infos[name][rows] = value
                infos[f"_{name}"][:] = False
                infos[f"_{name}"][rows] = True
        return infos
