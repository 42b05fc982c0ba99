"""The games for OpenEnv, as a server. This requires the package ``openenv``.

The package ``openenv-core`` is another one, which installs files in the same folder.

>>> import uvicorn
>>> from ginkgo_env.envs.openenv import make_app
>>> uvicorn.run(make_app("my_city", players=2, opponents="greedy"), port=8000)
"""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from ginkgo_env.core.errors import ConfigError, join_names
from ginkgo_env.core.game import Game
from ginkgo_env.core.imports import extra
from ginkgo_env.envs.text import COUNTS, text_env
from ginkgo_env.registry import DEFAULT_GAME

with extra("openenv"):
    from openenv.core.env_server import Action, Environment, Observation, State, create_app
    from pydantic import ConfigDict, Field

__all__ = ["TextAction", "TextEnvironment", "TextObservation", "make_app"]


class TextAction(Action):  # type: ignore[misc, unused-ignore]
    """The answer of a model."""

    model_config = ConfigDict(coerce_numbers_to_str=True)  # clients read an answer that is a number as JSON
    action: str = Field(description="What the model writes; an action alone on the last line is always understood")


class TextObservation(Observation):  # type: ignore[misc, unused-ignore]
    """What the model reads."""

    text: str = Field(description="The observation of ginkgo_env.text_env, with the legal actions")


class TextEnvironment(Environment):  # type: ignore[misc, unused-ignore]
    """A game of :class:`~ginkgo_env.text_env` as an environment of OpenEnv.

    ``state`` has the number of steps, and ``answers``, ``illegal_answers`` and ``random_actions`` for each seat.

    game, **options : as for ``text_env``
    """

    SUPPORTS_CONCURRENT_SESSIONS: ClassVar[bool] = True

    def __init__(self, game: str | type[Game] = DEFAULT_GAME, **options: Any) -> None:
        super().__init__()
        self._env, self._state = text_env(game, **options), State()  # type: ignore[arg-type]

    def reset(self, seed: int | None = None, episode_id: str | None = None, **options: Any) -> TextObservation:
        """Start the game of a seed, or the next game.

        Raises ConfigError for options: as the path of a board or an agent, they would reach into the server.
        """
        if options:
            raise ConfigError(f"reset takes seed and episode_id alone, got {join_names(options)}")
        text, info = self._env.reset(seed=seed)
        self._update(info, episode_id=episode_id, step_count=0)
        return TextObservation(text=text)

    def step(self, action: TextAction, timeout_s: float | None = None, **options: Any) -> TextObservation:
        """Play the action that an answer names."""
        text, reward, terminated, truncated, info = self._env.step(action.action)
        self._update(info, episode_id=self._state.episode_id, step_count=self._state.step_count + 1)
        return TextObservation(text=text, reward=reward, done=terminated or truncated)

    @property
    def state(self) -> State:
        """The number of steps, and the counts of answers."""
        return self._state

    def _update(self, info: dict[str, Any], **values: Any) -> None:
        self._state = State(**values, **{name: info[name] for name in COUNTS})


def make_app(game: str | type[Game] = DEFAULT_GAME, *, max_concurrent_envs: int = 64, **options: Any) -> Any:
    """Return the FastAPI application of a server; each session plays games of its own.

    max_concurrent_envs : largest number of sessions at a time
    game, **options : as for ``text_env``
    """
    TextEnvironment(game, **options)  # raises ConfigError now rather than in each session
    environment = partial(TextEnvironment, game, **options)
    return create_app(environment, TextAction, TextObservation, env_name="ginkgo_env", max_concurrent_envs=max_concurrent_envs)
