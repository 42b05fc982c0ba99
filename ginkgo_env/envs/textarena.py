"""The games for TextArena. Importing this registers them, and requires the package ``textarena``.

>>> import textarena
>>> import ginkgo_env.envs.textarena
>>> env = textarena.make("ginkgo_env/GoldenCity-v0")
>>> env.reset(num_players=3, seed=7)
>>> player, observation = env.get_observation()
>>> done, info = env.step("bid:a")
"""

from __future__ import annotations

from typing import Any

from ginkgo_env.core.game import Game
from ginkgo_env.core.imports import extra
from ginkgo_env.envs.registration import gymnasium_ids
from ginkgo_env.envs.text import COUNTS, text_env
from ginkgo_env.registry import DEFAULT_GAME, playable_games

with extra("textarena"):
    import textarena

__all__ = ["ArenaEnv"]


class ArenaEnv(textarena.Env):  # type: ignore[misc, unused-ignore]
    """A game as an environment of TextArena, in which all seats are players.

    The prompt of a player has the rules. Before each decision the player gets the text of :class:`~ginkgo_env.text_env`, as an
    observation of the type ``GAME_BOARD``. ``close()`` returns the rewards of the game and, for each player, ``reason``,
    ``turn_count``, ``invalid_move`` (whether an illegal answer of this player ended the game) and the counts of ``text_env``.

    game, **options : as for ``text_env``; ``reset`` takes the number of players
    """

    def __init__(self, game: str | type[Game] = DEFAULT_GAME, **options: Any) -> None:
        self._game, self._options = game, options

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Start the game of a seed, or the next game."""
        self._env = text_env(self._game, **{**self._options, "seat": "all", "players": num_players})  # type: ignore[arg-type]
        self.state = textarena.MinimalMultiPlayerState(num_players)  # with a seed it would set the one of Python's random
        observation, info = self._env.reset(seed=seed)
        self._totals = [0.0] * num_players
        self.state.reset(player_prompt_function=self._prompt)
        self._ask(observation, info)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Play the action that an answer of the current player names.

        Returns whether the game is over, and an empty info.
        """
        player = self.state.current_player_id
        self.state.add_observation(action, textarena.ObservationType.PLAYER_ACTION, from_id=player, to_id=player)
        observation, _, terminated, truncated, info = self._env.step(action)
        self._totals = [total + reward for total, reward in zip(self._totals, info["rewards"], strict=True)]
        self.state.made_invalid_move = info["action"] is None
        if terminated or truncated:
            self.state.set_game_outcome(dict(enumerate(self._totals)), info["error"] or observation.rpartition("\n\n")[2])
            self.state.game_info[player]["invalid_move"] = "illegal_action" in info
            for seat in range(self.state.num_players):
                self.state.game_info[seat] |= {name: info[name][seat] for name in COUNTS}
        done, step_info = self.state.step(rotate_player=False)
        if not done:
            self._ask(observation, info)
        return done, step_info

    def _prompt(self, player_id: int, game_state: Any) -> str:
        return f"You are player_{player_id} in {self._env.game.title}.\n\n{self._env.rules()}".strip()

    def _ask(self, observation: str, info: dict[str, Any]) -> None:
        self.state.current_player_id = info["seat"]
        self.state.add_observation(observation, textarena.ObservationType.GAME_BOARD, to_id=info["seat"])


for _name in playable_games():
    textarena.register(
        next(iter(gymnasium_ids(_name))),
        entry_point=ArenaEnv,
        default_wrappers=[textarena.wrappers.GameBoardObservationWrapper],
        game=_name,
    )
