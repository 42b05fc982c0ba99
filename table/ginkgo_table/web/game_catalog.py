"""The games, values of options, and agents that clients can choose from."""

from __future__ import annotations

import json
import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache, lru_cache
from typing import Any

from ginkgo_agents.base import Agent
from ginkgo_agents.evaluation.options import describe_named_values
from ginkgo_agents.registry import agent_names, make_agent
from ginkgo_agents.strengths import LEVELS, levels
from ginkgo_env.core.errors import ConfigError, join_names, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.language import LANGUAGES
from ginkgo_env.registry import game_class, make_game, playable_games
from ginkgo_table.hints import hint_agents
from ginkgo_table.web.limits import TableError

JsonObject = dict[str, Any]
_CACHE_SIZE = 256  # games and agents in memory
_FOLDERS = re.compile(r"[^:=]*[/\\]")


class GameCatalog:
    """The games, their options and the agents of a server.

    extra_agents : names of further agents, as in ``ginkgo leaderboard --agents``; clients see checkpoints without their folders

    Raises ConfigError for an agent that cannot be made, or that has the same name as another one.
    """

    def __init__(self, extra_agents: Sequence[str] = ()) -> None:
        self.options = {name: _option_dicts(game_class(name)) for name in playable_games()}
        self._extra_agents = {_display_name(name): name for name in extra_agents}
        if len(self._extra_agents) < len(set(extra_agents)) or self._extra_agents.keys() & set(agent_names()):
            raise ConfigError(
                f"two agents have the same name: {_first_duplicate([*map(_display_name, extra_agents), *agent_names()])}"
            )
        for name in extra_agents:
            self._check(name)
        self._game_cache = lru_cache(_CACHE_SIZE)(_make_game)
        self._agent_cache = lru_cache(_CACHE_SIZE)(self._make_agent)
        self._agents_cache = lru_cache(_CACHE_SIZE)(self._find_agents)

    # --- games

    def game(self, name: Any, options: Any) -> Game:
        """Return the game of a request.

        Raises TableError for options or values outside the catalog, ConfigError for combinations that the game refuses.
        """
        if not isinstance(name, str) or name not in self.options:
            raise TableError(422, f"unknown game {short_repr(name)}; expected one of: {join_names(self.options)}")
        if not isinstance(options, Mapping):
            raise TableError(422, f"options must be an object, got {short_repr(options)}")
        for option, value in options.items():
            self._check_option(name, option, value)
        return self.cached_game(name, options)

    def cached_game(self, name: str, options: Mapping[str, Any]) -> Game:
        """Return the game for options that were checked before; the same object for the same options."""
        return self._game_cache(name, json.dumps(options, sort_keys=True))

    def _check_option(self, game: str, option: str, value: Any) -> None:
        entry = next((entry for entry in self.options[game] if entry["name"] == option), None)
        if entry is None:
            raise TableError(422, f"{game} has no option {short_repr(option)} here")
        for given in value if entry["many"] and isinstance(value, list) else [value]:
            if not any(type(given) is type(allowed) and given == allowed for allowed in entry["values"]):
                raise TableError(422, f"{option} must be one of {join_names(entry['values'])}; got {short_repr(given)}")

    def check_config(self, game: str, config: Mapping[str, Any]) -> None:
        """Raise TableError for text outside the catalog: a path would make the server read a file."""
        if game not in self.options:
            raise TableError(422, f"unknown game {short_repr(game)}; expected one of: {join_names(self.options)}")
        cls = game_class(game)
        allowed = {text for texts in cls.option_values.values() for text in texts}
        allowed |= {text for values in _values_by_option(cls).values() for text in values if isinstance(text, str)}
        for option, value in config.items():
            for text in _nested_texts(value):
                if text not in allowed:
                    raise TableError(422, f"{short_repr(option)}: {short_repr(text)} is not available here")

    # --- agents

    def agents(self, game: Game) -> list[str]:
        """Return the display names of agents that can play a game, the weakest first."""
        return list(self._agents_cache(game))

    def agent(self, name: str, game: Game) -> Agent:
        """Return an agent by its display name.

        Raises ConfigError if it is not in the catalog or cannot play the game.
        """
        if name not in self._agents_cache(game):
            raise ConfigError(f"agent must be one of {join_names(self._agents_cache(game))}; got {short_repr(name)}")
        return self._agent_cache(name, game)

    def hint_agents(self, game: Game) -> list[str]:
        """Return the display names of agents that give hints: the best first, then the extra ones."""
        agents = self._agents_cache(game)
        return [name for name in (*hint_agents(game), *self._extra_agents) if name in agents]

    def first_opponent(self, game: Game) -> str:
        """Return the strongest of the agents called easy; without one, the first that gives hints."""
        by_level = levels(game, self.agents(game)).items()
        easy = [name for name, level in by_level if level == LEVELS[0]]
        return [*self.agents(game), *reversed(self.hint_agents(game)), *easy][-1]

    def _check(self, name: str) -> None:
        """Raise ConfigError for an agent that can play none of the games."""
        problem: ConfigError | None = None
        for game in self.options:
            try:
                make_agent(name, game)
                return
            except ConfigError as error:
                problem = problem or error
            except Exception as error:  # agents from other modules may raise anything
                raise ConfigError(f"agent {name!r} cannot be loaded: {type(error).__name__}: {error}") from error
        raise problem or ConfigError("there is no game to play")

    def _make_agent(self, name: str, game: Game) -> Agent:
        agent = make_agent(self._extra_agents.get(name, name), game.name)
        agent.check(game)
        return agent

    def _find_agents(self, game: Game) -> tuple[str, ...]:
        agents = []
        for name in (*agent_names(game.name), *self._extra_agents):
            try:
                self._agent_cache(name, game)
            except ConfigError:
                continue
            except Exception:  # agents from other modules may raise anything
                traceback.print_exc(file=sys.stderr)
                continue
            agents.append(name)
        return tuple(levels(game, agents))

    # --- plain data

    def to_dict(self) -> JsonObject:
        """Return the whole catalog as JSON data: see ``/api/offer``."""
        from ginkgo_env import __version__

        games = [self._game_dict(name) for name in self.options]
        hints = {game["name"]: game["seats"]["hint_agents"] for game in games}
        agents = list(dict.fromkeys([*agent_names(), *self._extra_agents]))
        return {"games": games, "agents": agents, "hint_agents": hints, "languages": list(LANGUAGES), "package": __version__}

    def _game_dict(self, name: str) -> JsonObject:
        game = self.game(name, {})
        return {
            "name": name,
            "title": game.title,
            "sentence": game.presenter.texts.get("lobby:sentence"),
            "minutes": game.presenter.texts.get("lobby:minutes"),
            "has_guide": bool(game.presenter.how_to_play_file),
            "options": self.options[name],
            "agents": self.agents(game),
            "seats": self.seats_of(game),
        }

    def seats_of(self, game: Game) -> JsonObject:
        """Return the seats of a game and the agents that can play it: see ``/api/seats_of``."""
        return {
            "seats": game.seats,
            "sides": game.sides,
            "names": list(game.side_names),
            "agents": self.agents(game),
            "levels": levels(game, self.agents(game)),
            "first_opponent": self.first_opponent(game),
            "hint_agents": self.hint_agents(game),
            "note": " ".join(describe_named_values([game])),
            "idle": [option["name"] for option in self.options[game.name] if not self._makes_difference(game, option)],
        }

    def _makes_difference(self, game: Game, option: JsonObject) -> bool:
        """Return whether another value of an option, all else equal, gives a different game."""
        config = asdict(game.config)
        current = config[option["name"]]
        for value in option["values"]:
            other_value = _toggled(current, value) if option["many"] else value
            try:
                other = self.cached_game(game.name, {**config, option["name"]: other_value})
            except ConfigError:
                continue  # the game refuses this combination
            if not other.shares_states(game):
                return True
        return False


def _make_game(name: str, options: str) -> Game:
    return make_game(game_class(name), **json.loads(options))


@cache
def _values_by_option(cls: type[Game]) -> dict[str, list[Any]]:
    """Return for each option its default and the values in the game's configurations; for a list, its items."""
    by_option: dict[str, list[Any]] = {}
    for config in (asdict(cls().config), *(asdict(cls(**config).config) for config in cls.configurations())):
        for option, value in config.items():
            values = by_option.setdefault(option, [])
            items = list(value) if isinstance(value, list | tuple | set | frozenset) else [value]
            values.extend(item for item in items if item not in values)
    return by_option


@cache
def _option_dicts(cls: type[Game]) -> list[JsonObject]:
    """Return the options with more than one value, as JSON data."""
    defaults, options = asdict(cls().config), []
    for option, values in _values_by_option(cls).items():
        many = isinstance(defaults[option], list | tuple | set | frozenset)
        values = list(cls.option_values.get(option, values)) if many else _sorted_integers(values)
        if len(values) > 1:
            default = list(defaults[option]) if many else defaults[option]
            options.append({"name": option, "values": values, "default": default, "many": many})
    return options


def _toggled(values: Sequence[Any], value: Any) -> list[Any]:
    return [other for other in values if other != value] if value in values else [*values, value]


def _sorted_integers(values: list[Any]) -> list[Any]:
    return sorted(values) if all(type(value) is int for value in values) else values


def _nested_texts(value: Any) -> list[str]:
    """Return all texts in plain data of any depth."""
    texts, stack = list[str](), [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            texts.append(item)
        elif isinstance(item, dict | list):
            stack += [*item.keys(), *item.values()] if isinstance(item, dict) else item
    return texts


def _display_name(name: str) -> str:
    """Return an agent's name without the folders of checkpoints in it."""
    return _FOLDERS.sub("", name)


def _first_duplicate(names: Sequence[str]) -> str:
    return next((repr(name) for name in names if names.count(name) > 1), "")
