"""Options of a game: read from a command line, combined into configurations, described in words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from itertools import product
from typing import Any

import ginkgo_env
from ginkgo_env.core.errors import ConfigError, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.mixture import MIXTURE
from ginkgo_env.core.text import pairs_of
from ginkgo_env.registry import game_class, make_game

ALL = "all"
Config = dict[str, Any]


def names_in(text: str | None) -> list[str]:
    """The names in a comma-separated text."""
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def read_options(game: str, texts: Iterable[tuple[str, str]]) -> dict[str, list[Any]]:
    """Read the values of options from pairs (name, text): one or more values for each option.

    A text is JSON, a word, or a list of these separated by commas: one value of a list option (``modules=events,prestige``),
    several values of any other option (``players=2,3``). A mixture is a name or a list of objects. ``all`` stands for every
    name that the option takes. Several texts of one option are joined. Raises ConfigError for an option that the game does not
    have and for a list without values.
    """
    defaults = game_class(game)().config
    known = [*(field.name for field in fields(defaults)), MIXTURE]
    options: dict[str, list[Any]] = {}
    for name, text in texts:
        if name not in known:
            raise ConfigError(f"{game} has no option {short_repr(name)}; options: {', '.join(known)}")
        options.setdefault(name, []).extend(_values(text))
    for name, values in options.items():
        if not values:
            raise ConfigError(f"no value for the option {name!r}")
        names = game_class(game).option_values.get(name)
        if names and ALL in values:
            if len(values) > 1:
                raise ConfigError(f"{name}: {ALL!r} is a value on its own")
            values[:] = names
        is_list = isinstance(getattr(defaults, name, None), list | tuple | set | frozenset)
        if is_list or (name == MIXTURE and isinstance(values[0], Mapping)):
            values[:] = [list(values)]
    return options


def read_configuration(game: str, texts: Iterable[str]) -> Config:
    """Read one configuration from texts ``KEY=VALUE``.

    Raises ConfigError as :func:`read_options` does, and if an option has several values.
    """
    options = read_options(game, pairs_of(texts))
    for name, values in options.items():
        if len(values) > 1:
            raise ConfigError(f"option {name!r} takes a single value, got {len(values)}")
    return {name: values[0] for name, values in options.items()}


def _values(text: str) -> list[Any]:
    whole = _value(text)
    if isinstance(whole, list):
        return whole
    return [_value(part) for part in text.split(",") if part.strip()]


def _value(text: str) -> Any:
    """Parse JSON (also ``True`` and ``False``), or return the text itself."""
    try:
        return json.loads(text.lower() if text.strip() in ("True", "False") else text)
    except ValueError:
        return text.strip()


def configurations(game: str, options: Mapping[str, Sequence[Any]]) -> tuple[list[Config], list[str]]:
    """The configurations that a leaderboard plays, all different, and sentences on those left out.

    Without options these are the game's own (``Game.leaderboard_configs``). Options replace those of each configuration, in every
    combination of their values. Configurations that the game refuses are left out; the sentences name those whose own options
    were not replaced.

    Raises ConfigError if the game refuses a combination of values in all of them.
    """
    chosen: dict[str, tuple[tuple[int, int], Config]] = {}
    refused: dict[str, list[str]] = {}
    for values in product(*options.values()):
        combination, fitting = dict(zip(options, values, strict=True)), 0
        problem = ConfigError(f"{game} suggests no configurations")
        for base in game_class(game).leaderboard_configs():
            config = base | combination
            try:
                key = json.dumps(make_game(game_class(game), **config).config_dict, sort_keys=True)
            except ConfigError as error:
                problem = error
                if not options.keys() & base.keys():
                    refused.setdefault(str(error), []).append(describe_config(make_game(game_class(game), **base), base))
                continue
            fitting += 1
            plain = (sum(base.get(name) != value for name, value in config.items()), len(config))
            if key not in chosen or plain < chosen[key][0]:  # configurations of the same game: keep the simplest
                chosen[key] = (plain, config)
        if not fitting:
            raise problem
    notes = [f"Not played: {'; '.join(descriptions)} ({why})." for why, descriptions in refused.items()]
    return [config for _, config in chosen.values()], notes


def describe_config(game: Game, config: Mapping[str, Any]) -> str:
    """Describe a configuration in words, for instance ``2 players, introductory setup``."""
    automaton = " and ".join(name.capitalize() for name in game.side_names[game.seats :])
    level = {"level": game.config_dict["level"]} if automaton and "level" in game.config_dict else {}
    config = level | dict(config)
    playing = "alone" if game.seats == 1 else f"{game.seats} players"
    playing += f" ({game.variant})" if game.variant else ""
    words = [_describe_option(game, name, value) for name, value in config.items() if name != "players"]
    return ", ".join(word for word in (playing + (f" against {automaton}" if automaton else ""), *words) if word)


def versions_of(game: str) -> dict[str, str]:
    """The versions on which results depend: of the package, and of the rules of the game."""
    return {"ginkgo_env": ginkgo_env.__version__, "game": f"{game}-v{game_class(game).version}"}


def describe_conditions(versions: Mapping[str, str], seed: int) -> str:
    """What results depend on besides the configuration, in words."""
    return f"{versions['game']}, seed {seed}, ginkgo_env {versions['ginkgo_env']}"


def label_of(name: str, game: str, alone: bool = False) -> str:
    """The name of an agent in results, which marks a player with the name of the game's automaton.

    alone : whether the automaton itself is meant, the opponent of the game for one player
    """
    automaton = game_class(game).automaton
    return name if name != automaton else f"{name.capitalize()} (automaton)" if alone else f"{name} (player)"


def notes_on_names(names: Iterable[str], game: str) -> list[str]:
    """A sentence on the agent that has the name of the game's automaton, if it is among the names."""
    automaton = game_class(game).automaton
    about = "is an agent in a player's seat that chooses at random as the automaton does; it says nothing about the game against"
    return (
        [f"{label_of(automaton, game)} {about} {label_of(automaton, game, alone=True)}."] if automaton in {*names} - {""} else []
    )


def timed_text(name: str, playouts: float) -> str:
    """A sentence on an agent whose decisions time has limited to a mean number of playouts."""
    return f"{name} decides by time, {playouts:,.1f} playouts a decision here: these results do not repeat."


def describe_named_values(games: Iterable[Game]) -> list[str]:
    """A sentence on the meaning of named values, such as a board of our own design, if there are any."""
    named = {name: text for game in games for name, text in game.named_values.items()}
    return [f"With {'; '.join(f'{name} ({text})' for name, text in named.items())}."] if named else []


def _describe_option(game: Game, name: str, value: Any) -> str:
    title = name.replace("_", " ")
    match value:
        case list() | tuple() if name == MIXTURE:
            return ""  # the variant says how many
        case bool():
            return title if value else f"not {title}"
        case str():
            return f"{value} {title}"
        case list() | tuple() | set() | frozenset():
            names = list(game.option_values.get(name, ()))
            if len(value) > 1 and set(value) == set(names):
                return f"all {title}"
            parts = [str(part) for part in sorted(value, key=lambda part: names.index(part) if part in names else len(names))]
            return f"{title} {' and '.join(filter(None, [', '.join(parts[:-1]), parts[-1]]))}" if parts else ""
        case _:
            return f"{title} {value}"
