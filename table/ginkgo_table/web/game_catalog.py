"""What can be opened at a table: games, the values of their options, agents. People choose from this and from nothing else."""

from __future__ import annotations

import json
import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache, lru_cache
from typing import Any

from ginkgo_agents.agents.base import Agent
from ginkgo_agents.agents.registry import agent_names, make_agent
from ginkgo_agents.evaluation.options import describe_named_values
from ginkgo_env.core.errors import ConfigError, shown, some
from ginkgo_env.core.game import Game
from ginkgo_env.registry import game_class, make_game, playable_games
from ginkgo_table.hints import hint_agents
from ginkgo_table.web.limits import TableError

Plain = dict[str, Any]
_KEPT = 256  # games and agents in memory
_FOLDERS = re.compile(r"[^:=]*[/\\]")


class GameCatalog:
    """Games, options and agents.

    more : names of further agents, as in ``ginkgo leaderboard --agents``; people see checkpoints without their folders

    Raises ConfigError for an agent that cannot be made, or that would have the name of another one.
    """

    def __init__(self, more: Sequence[str] = ()) -> None:
        self.options = {name: _options_of(game_class(name)) for name in playable_games()}
        self._more = {_shown_as(name): name for name in more}
        if len(self._more) < len(set(more)) or self._more.keys() & set(agent_names()):
            raise ConfigError(f"two agents are called {_twice([*map(_shown_as, more), *agent_names()])}")
        for name in more:
            self._check(name)
        self._game = lru_cache(_KEPT)(_made)
        self._agent = lru_cache(_KEPT)(self._made_agent)
        self._able = lru_cache(_KEPT)(self._agents_of)

    # --- games

    def game(self, name: Any, options: Any) -> Game:
        """The game that a client asks for.

        Raises TableError for options that are not offered, ConfigError for what the game refuses.
        """
        if not isinstance(name, str) or name not in self.options:
            raise TableError(422, f"unknown game {shown(name)}; expected one of: {some(self.options)}")
        if not isinstance(options, Mapping):
            raise TableError(422, f"options must be an object, not {shown(options)}")
        for option, value in options.items():
            self._check_option(name, option, value)
        return self.remade(name, options)

    def remade(self, name: str, options: Mapping[str, Any]) -> Game:
        """A game by options that were checked before; the same object for the same options."""
        return self._game(name, json.dumps(options, sort_keys=True))

    def _check_option(self, game: str, option: str, value: Any) -> None:
        offered = next((one for one in self.options[game] if one["name"] == option), None)
        if offered is None:
            raise TableError(422, f"{game} offers no option {shown(option)} here")
        values = value if offered["many"] and isinstance(value, list) else [value]
        for one in values:
            if not any(type(one) is type(other) and one == other for other in offered["values"]):
                raise TableError(422, f"{option}: {shown(one)} is not offered; expected one of: {some(offered['values'])}")

    def check_config(self, game: str, config: Mapping[str, Any]) -> None:
        """Raise TableError for a configuration with text that is not offered, such as a path: nobody else names files here."""
        if game not in self.options:
            raise TableError(422, f"unknown game {shown(game)}; expected one of: {some(self.options)}")
        words = {word for words in game_class(game).option_values.values() for word in words}
        words |= {word for one in _all_values(game_class(game)).values() for word in one if isinstance(word, str)}
        for option, value in config.items():
            for word in _texts(value):
                if word not in words:
                    raise TableError(422, f"{shown(option)}: {shown(word)} is not offered here")

    # --- agents

    def agents(self, game: Game) -> list[str]:
        """The names of agents that can play a game, as people see them."""
        return list(self._able(game))

    def agent(self, name: str, game: Game) -> Agent:
        """The agent of a name that people see. Raises ConfigError if it is not offered or cannot play the game."""
        if name not in self._able(game):
            raise ConfigError(f"agent {shown(name)} is not offered for this game; agents: {some(self._able(game))}")
        return self._agent(name, game)

    def hint_agents(self, game: Game) -> list[str]:
        """The names of agents that give hints, the best first: then those that were offered on top."""
        able = self._able(game)
        return [name for name in (*hint_agents(game), *self._more) if name in able]

    def _check(self, name: str) -> None:
        """Raise ConfigError for an agent that plays none of the games."""
        problem: ConfigError | None = None
        for game in self.options:
            try:
                make_agent(name, game)
                return
            except ConfigError as error:
                problem = problem or error
            except Exception as error:  # a module of its own may raise anything
                raise ConfigError(f"agent {name!r} cannot be loaded: {type(error).__name__}: {error}") from error
        raise problem or ConfigError("there is no game to play")

    def _made_agent(self, name: str, game: Game) -> Agent:
        agent = make_agent(self._more.get(name, name), game.name)
        agent.check(game)
        return agent

    def _agents_of(self, game: Game) -> tuple[str, ...]:
        found = []
        for name in (*agent_names(game.name), *self._more):
            try:
                self._agent(name, game)
            except ConfigError:
                continue
            except Exception:  # a module of its own may raise anything
                traceback.print_exc(file=sys.stderr)
                continue
            found.append(name)
        return tuple(found)

    # --- plain data

    def to_dict(self) -> Plain:
        """All that is offered, ready for JSON: see ``/api/offer``."""
        from ginkgo_env import __version__
        from ginkgo_table.translations import languages

        games = [self._game_dict(name) for name in self.options]
        hints = {game["name"]: game["seats"]["hint_agents"] for game in games}
        agents = list(dict.fromkeys([*agent_names(), *self._more]))
        return {"games": games, "agents": agents, "hint_agents": hints, "languages": languages(), "package": __version__}

    def _game_dict(self, name: str) -> Plain:
        game = self.game(name, {})
        return {
            "name": name,
            "title": game.title,
            "options": self.options[name],
            "agents": self.agents(game),
            "seats": self.seats_of(game),
        }

    def seats_of(self, game: Game) -> Plain:
        """Who can sit at a table of a game: see ``/api/seats_of``."""
        return {
            "seats": game.seats,
            "sides": game.sides,
            "names": list(game.side_names),
            "agents": self.agents(game),
            "hint_agents": self.hint_agents(game),
            "note": " ".join(describe_named_values([game])),
            "idle": [option["name"] for option in self.options[game.name] if not self._matters(game, option)],
        }

    def _matters(self, game: Game, option: Plain) -> bool:
        """Whether another value of an option, all else as it is, would give another game."""
        config = asdict(game.config)
        now = config[option["name"]]
        for value in option["values"]:
            other = _toggled(now, value) if option["many"] else value
            try:
                made = self.remade(game.name, {**config, option["name"]: other})
            except ConfigError:
                continue  # the game does not have it with these options
            if not made.shares_states(game):
                return True
        return False


def _made(name: str, options: str) -> Game:
    return make_game(name, **json.loads(options))


@cache
def _all_values(cls: type[Game]) -> dict[str, list[Any]]:
    """For each option its default and what occurs in the game's configurations; of a list, what occurs in these."""
    found: dict[str, list[Any]] = {}
    for config in (asdict(cls().config), *(asdict(cls(**config).config) for config in cls.configurations())):
        for option, value in config.items():
            values = found.setdefault(option, [])
            many = list(value) if isinstance(value, list | tuple | set | frozenset) else [value]
            values.extend(one for one in many if one not in values)
    return found


@cache
def _options_of(cls: type[Game]) -> list[Plain]:
    """The options that leave a choice, ready for JSON."""
    defaults, found = asdict(cls().config), []
    for option, values in _all_values(cls).items():
        many = isinstance(defaults[option], list | tuple | set | frozenset)
        values = list(cls.option_values.get(option, values)) if many else _in_order(values)
        if len(values) > 1:
            default = list(defaults[option]) if many else defaults[option]
            found.append({"name": option, "values": values, "default": default, "many": many})
    return found


def _toggled(values: Sequence[Any], value: Any) -> list[Any]:
    return [one for one in values if one != value] if value in values else [*values, value]


def _in_order(values: list[Any]) -> list[Any]:
    return sorted(values) if all(type(value) is int for value in values) else values


def _texts(value: Any) -> list[str]:
    """All texts in plain data, however deep it is nested."""
    found, ahead = list[str](), [value]
    while ahead:
        one = ahead.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, dict | list):
            ahead += [*one.keys(), *one.values()] if isinstance(one, dict) else one
    return found


def _shown_as(name: str) -> str:
    """An agent's name without the folders of checkpoints in it."""
    return _FOLDERS.sub("", name)


def _twice(names: Sequence[str]) -> str:
    return next((repr(name) for name in names if names.count(name) > 1), "alike")
