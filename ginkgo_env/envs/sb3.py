"""The games for Stable-Baselines3, many at a time, as a ``VecEnv`` on a batch.

Importing this requires the package ``stable-baselines3``.

>>> from sb3_contrib import MaskablePPO
>>> from ginkgo_env.envs.sb3 import GinkgoVecEnv
>>> model = MaskablePPO("MlpPolicy", GinkgoVecEnv(num_envs=64, players=2), n_steps=64)
>>> model = model.learn(10_000)
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import BatchError, ConfigError, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.imports import extra
from ginkgo_env.envs.gym import render_row
from ginkgo_env.envs.interface import LearnerOptions
from ginkgo_env.envs.learner import LearnerEnv, Rows
from ginkgo_env.envs.rendering import RenderModeError, checked_render_mode
from ginkgo_env.registry import DEFAULT_GAME, completes

with extra("train"):
    from stable_baselines3.common.vec_env import VecEnv

_MASKS = "action_masks"


class _NoAttribute(ConfigError, AttributeError):
    """Raised for an attribute that does not exist; SB3 expects an AttributeError."""


class GinkgoVecEnv(LearnerEnv, VecEnv):  # type: ignore[misc, unused-ignore]
    """Games as a Stable-Baselines3 ``VecEnv``, with action masks for sb3-contrib's ``MaskablePPO``.

    Parameters
    ----------
    game, opponents, seat, reward, observation, illegal_action, **config : as for :class:`~ginkgo_env.envs.gym.GinkgoEnv`
    num_envs : number of games
    threads : number of threads that share the games
    render_mode : ``"rgb_array"`` for :meth:`get_images`, ``render`` and ``VecVideoRecorder``, or None

    The step that ends an episode starts the next game, as everywhere in Stable-Baselines3. The info of that row then has
    ``terminal_observation``, ``TimeLimit.truncated``, ``seat``, ``illegal_action``, ``scores`` unless the action was
    illegal, and ``is_success`` if there are several sides. The other rows share one empty info, which is new at each step.

    ``env_method("action_masks")`` gives all masks at once, (num_envs, A) int8, never all zero. Episode statistics are left to
    ``VecMonitor``. It wraps no single environments: methods and attributes belong to all games.

    ``seed(s)`` makes the next ``reset`` start the games of seeds s, s + 1, ...; otherwise the seeds follow from the
    last ones.
    """

    @completes(LearnerOptions.__annotations__)
    def __init__(
        self,
        game: str | type[Game] = DEFAULT_GAME,
        *,
        num_envs: int = 1,
        render_mode: Literal["rgb_array"] | None = None,
        **options: Any,
    ) -> None:
        if not (render_mode is None or (isinstance(render_mode, str) and render_mode == "rgb_array")):
            # The other modes would have VecEnv.render call itself
            raise RenderModeError(f"render_mode must be 'rgb_array' or None, got {short_repr(render_mode)}")
        self.render_mode = checked_render_mode(render_mode)
        n = integer(num_envs, 1, None, "num_envs", ConfigError)
        self._begin(game, n, options)
        self._taken: Any = None
        super().__init__(n, self.learner.view.space, spaces.Discrete(self.game.actions.size))
        self.metadata: dict[str, Any] = {**self.metadata, "render_fps": 1}

    # --- Stable-Baselines3 -------------------------------------------------------------------------------------------------

    def reset(self) -> Any:
        """Start a game in each row and return the observations."""
        self.learner.reset(self._seeds)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        return self.learner.observe()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Set the actions of the next step."""
        self._taken = actions

    def step_wait(self) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play the actions, and then those of the opponents."""
        learner = self.learner
        learner.step(self._taken)
        rewards, dones = learner.rewards.astype(np.float32), learner.over.copy()
        infos: list[dict[str, Any]] = [{}] * self.num_envs
        ended: Rows = np.flatnonzero(dones)
        if ended.size:
            seen, endings = learner.observe_rows(ended), learner.endings(ended)
            for k, row in enumerate(ended.tolist()):
                infos[row] = {
                    "terminal_observation": learner.view.at(seen, k),
                    "TimeLimit.truncated": bool(learner.truncated[row]),
                    "seat": learner.seats[row],
                } | {name: values[k] for name, values in endings.items()}
            learner.reset(rows=ended)
        return learner.observe(), rewards, dones, infos

    def get_images(self) -> list[NDArray[np.uint8]]:
        """Return each game as the learner sees it, in pixels (h, w, 3) of one shape throughout."""
        return [render_row(self.learner, row, "rgb_array") for row in range(self.num_envs)]

    def close(self) -> None:
        """End the threads, if any."""
        self.learner.batch.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return the value of an attribute for each row."""
        return [self._attribute(attr_name)] * len(self._rows(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of the environment. Raises ConfigError unless ``indices`` is None."""
        if indices is not None:
            raise ConfigError("indices must be None: an attribute belongs to all games")
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """Return the masks (rows, A) for ``"action_masks"``; call any other method once for all rows."""
        rows = self._rows(indices)
        if method_name == _MASKS:
            masks = self.action_masks()
            return masks if indices is None else masks[rows]
        method = self._attribute(method_name)
        if not callable(method):
            raise ConfigError(f"{short_repr(method_name)} is not a method")
        return [method(*args, **kwargs)] * len(rows)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Return False for each row."""
        return [False] * len(self._rows(indices))

    def _rows(self, indices: Any) -> list[int]:
        """Return the rows that SB3's indices name: None, an integer, or several."""
        try:
            return [integer(row, 0, self.num_envs - 1, "indices") for row in self._get_indices(indices)]
        except TypeError:
            raise BatchError(f"invalid indices {short_repr(indices)}; expected None, an integer or integers") from None

    def _attribute(self, name: str) -> Any:
        try:
            return getattr(self, name)
        except AttributeError as error:
            raise _NoAttribute(f"{error}") from None
