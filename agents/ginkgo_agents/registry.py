"""The registry of agents by name, and the games that they play."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from importlib.metadata import entry_points
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple

from ginkgo_agents.base import Agent, digests_of
from ginkgo_agents.checkpoints import Checkpoint, read_checkpoint
from ginkgo_agents.process import PREFIX, process_options
from ginkgo_env.core.errors import ConfigError, MissingPackageError, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.imports import imported
from ginkgo_env.core.mixture import Mixture

Factory = Callable[..., Agent]
Read = Callable[[Path], Checkpoint]
CHECKPOINT_SUFFIX = ".npz"
GROUP = "ginkgo_env.checkpoints"
"""The group of entry points with which other packages register agents for their kinds of checkpoint."""
_KINDS: dict[str, str | Factory] = {
    "lookahead": "ginkgo_agents.lookahead:LookaheadAgent",
    "ppo": "ginkgo_agents.ppo:PpoAgent",
    "search": "ginkgo_agents.search:SearchAgent",
}
"""Factories of the agents that play checkpoints, by kind of checkpoint."""
PRETRAINED = tuple(_KINDS)
"""Names of pretrained agents."""


class _Entry(NamedTuple):
    factory: str | Factory | Agent
    games: tuple[str, ...] | None
    held_out: bool = False
    by_command: bool = False

    @property
    def listed(self) -> bool:
        """Whether its name is that of an agent to train and play with."""
        return not self.held_out and not self.by_command

    def plays(self, game: str | None) -> bool:
        return game is None or self.games is None or game in self.games


_ALL = ("ginkgopolis", "golden_city", "my_city")
_AGENTS: dict[str, list[_Entry]] = {
    "random": [_Entry("ginkgo_agents.base:RandomAgent", None)],
    "greedy": [
        _Entry("ginkgo_agents.ginkgopolis:GreedyAgent", ("ginkgopolis",)),
        _Entry("ginkgo_agents.golden_city:GreedyAgent", ("golden_city",)),
        _Entry("ginkgo_agents.my_city:GreedyAgent", ("my_city",)),
    ],
    "william": [_Entry("ginkgo_agents.ginkgopolis:WilliamAgent", ("ginkgopolis",))],
    "builder": [
        _Entry("ginkgo_agents.golden_city:BuilderAgent", ("golden_city",)),
        _Entry("ginkgo_agents.my_city:BuilderAgent", ("my_city",)),
    ],
    "lookahead": [_Entry("ginkgo_agents.pretrained:PretrainedLookahead", _ALL)],
    "ppo": [_Entry("ginkgo_agents.pretrained:PretrainedPpo", ("ginkgopolis", "golden_city"))],
    "search": [_Entry("ginkgo_agents.pretrained:PretrainedSearch", None)],
    "process": [_Entry("ginkgo_agents.process:ProcessAgent", None, by_command=True)],
    "held_out_lookahead": [_Entry("ginkgo_agents.pretrained:HeldOutLookahead", _ALL, held_out=True)],
    "held_out_ppo": [_Entry("ginkgo_agents.pretrained:HeldOutPpo", _ALL, held_out=True)],
    "best_response": [_Entry("ginkgo_agents.pretrained:BestResponse", ("ginkgopolis",), held_out=True)],
}
"""Agents by name. A name may mean a different agent in each game; without a game it means the first one."""
SUGGESTED_AGENTS: dict[str, tuple[str, ...]] = {
    "ginkgopolis": ("random", "william", "greedy", "ppo", "lookahead"),
    "golden_city": ("random", "builder", "greedy", "lookahead"),
    "my_city": ("random", "builder", "greedy", "lookahead"),
}
"""By the name of a game, the agents that its leaderboard includes. Other packages may add their games."""


def register_agent(
    name: str, factory: str | Factory | Agent, games: Iterable[str] | None = None, *, held_out: bool = False
) -> None:
    """Register an agent under a name.

    factory : a callable without arguments that returns a new agent; or an agent; or ``"module:attribute"`` of either, which is
        imported when first used
    games : names of the games that it plays; None for all games. In other games the name may belong to another agent
    held_out : whether it serves evaluation alone: trainers refuse it, and :func:`agent_names` does not list it

    A class or function that is redefined, as by running a cell of a notebook again, replaces the old one. Raises ConfigError if
    another agent has the name.

    >>> from ginkgo_agents import FunctionAgent
    >>> register_agent("first", FunctionAgent(lambda decision: decision.legal[0]))  # doctest: +SKIP
    >>> make_agent("first")  # doctest: +SKIP
    FunctionAgent()
    """
    entry = _Entry(factory, None if games is None else tuple(games), held_out)
    others = []
    for taken in _AGENTS.get(name, []):
        if taken.games is not None and not any(entry.plays(game) for game in taken.games):
            others.append(taken)
        elif taken != entry and not _is_redefinition(taken.factory, factory):
            raise ConfigError(f"duplicate agent {name!r}")
    _AGENTS[name] = [*others, entry]


def _is_redefinition(old: Any, new: Any) -> bool:
    """Whether both have the same name in an interactive session."""
    one, other = ((getattr(f, "__module__", None), getattr(f, "__qualname__", None)) for f in (old, new))
    return one == other and one[0] == "__main__" and one[1] is not None


def register_kind(kind: str, factory: str | Factory) -> None:
    """Register the agent that plays a kind of checkpoint. Raises ConfigError if the kind has another one.

    factory : takes a checkpoint, and the options in an agent's name, and returns the agent; or ``"module:attribute"`` of one. A
        package that is installed can name it in the entry points of the group ``ginkgo_env.checkpoints`` instead
    """
    if _KINDS.get(kind, factory) != factory and not _is_redefinition(_KINDS[kind], factory):
        raise ConfigError(f"duplicate kind of checkpoint {kind!r}")
    _KINDS[kind] = factory


def agent_names(game: str | None = None) -> list[str]:
    """The names of all agents, or of those that play a game, except those held out for evaluation.

    >>> "greedy" in agent_names("golden_city")
    True
    """
    return [name for name, entries in _AGENTS.items() if any(entry.plays(game) and entry.listed for entry in entries)]


def suggested_agents(game: str) -> tuple[str, ...]:
    """The agents that a leaderboard of a game includes; of a game without suggestions, ``random`` alone."""
    return SUGGESTED_AGENTS.get(game, ("random",))


def suggested_agents_for(game: Game) -> list[str]:
    """The suggested agents that can play it. Raises MissingPackageError without their networks."""
    names = []
    for name in suggested_agents(game.name):
        try:
            make_agent(name, game.name).check(game)
            names.append(name)
        except MissingPackageError:
            raise
        except ConfigError:  # trained for other configurations only
            continue
    return names


def make_agent(name: str, game: str | None = None, read: Read = read_checkpoint) -> Agent:
    """Make an agent from a name, a checkpoint's path, a factory's ``module:attribute`` or a process.

    Options follow after colons: ``lookahead:worlds=16``, ``process:seconds=5:python bot.py``. Raises ConfigError for an
    unknown agent or option, and for an agent that does not play the game.

    game : name of the game that the agent is to play
    read : function that reads a checkpoint (``.npz``) from its path

    >>> make_agent("lookahead:worlds=2", "my_city")
    PretrainedLookahead(worlds=2, prior=True)
    """
    factory, options, held_out = _found(name, game, read)
    agent = _checked(name, factory, options)
    if held_out:
        agent.held_out = True
    return agent


def _found(name: str, game: str | None, read: Read) -> tuple[Factory | Agent, dict[str, Any], bool]:
    """The factory of an agent, its options, and whether the agent is held out."""
    plain, options = plain_name(name)
    path = path_of(plain)
    if path is not None:
        checkpoint = read(path)
        return _player_of(path, checkpoint), options, checkpoint.about.get("held_out") is True
    entry = next((entry for entry in _AGENTS.get(plain, [_Entry(plain, None)]) if entry.plays(game)), None)
    if entry is None:
        raise ConfigError(f"agent {name!r} does not play {game}; agents that do: {', '.join(agent_names(game))}")
    factory = _imported(plain, entry.factory, game) if isinstance(entry.factory, str) else entry.factory
    return factory, options, entry.held_out


def identities_of(name: str, games: Iterable[Game]) -> list[dict[str, Any]]:
    """What an agent is in some games, as plain data: agents of the same identity play alike.

    An identity has the agent's name without options, all ``options``, and what :meth:`Agent.identity
    <ginkgo_agents.base.Agent.identity>` returns; for ``module:attribute`` it has the digest of the module's file. If it
    differs among the games, the ``configurations`` of each are listed. A mixture stands for its games.

    >>> from ginkgo_env.registry import make_game
    >>> identities_of("greedy", [make_game("my_city")])
    [{'name': 'greedy', 'options': {'closed': 1.0, 'nearly': 0.25}}]
    """
    found, configurations = dict[str, dict[str, Any]](), dict[str, list[Any]]()
    for game in games:
        for one in game.games if isinstance(game, Mixture) else [game]:
            identity = _identity_of(name, one)
            key = json.dumps(identity, sort_keys=True)
            found[key] = identity
            configurations.setdefault(key, []).append(one.config_dict)
    if len(found) == 1:
        return [*found.values()]
    return [identity | {"configurations": configurations[key]} for key, identity in found.items()]


def _identity_of(name: str, game: Game) -> dict[str, Any]:
    factory, options, _ = _found(name, game.name, read_checkpoint)
    own = _checked(name, factory, options).identity(game)
    plain = plain_name(name)[0]
    if callable(factory) and not isinstance(factory, Agent):
        with suppress(ValueError, TypeError):  # a builtin without a signature
            arguments = signature(factory).bind(**options)
            arguments.apply_defaults()
            options = arguments.arguments
    module, colon, _ = plain.partition(":")
    if colon and (path := getattr(sys.modules.get(module), "__file__", None)):
        own["files"] = digests_of([path]) | own.get("files", {})
    if path_of(plain):
        plain = Path(plain).name  # its digest says which it is
    return {"name": plain, "options": {key: value for key, value in options.items() if key not in own}} | own


def path_of(name: str) -> Path | None:
    """The path in the name of an agent, without options; None unless it is a checkpoint."""
    plain, _ = plain_name(name)
    return Path(plain) if plain.endswith(CHECKPOINT_SUFFIX) else None


def choice_key(name: str, game: Game) -> str:
    """The text from which an agent's random choices in a game derive.

    This is its name, with digests in place of the paths of checkpoints, so that it stays the same when files are moved or copied.
    Versions of pretrained agents after the first have a key of their own, whether the name states the version or not.

    Raises ConfigError for a checkpoint that cannot be read.
    """
    plain, options = plain_name(name)
    for text in (plain, *options.values()) if path_of(plain) else ():  # only checkpoints have other checkpoints as options
        if isinstance(text, str) and (path := path_of(text)) is not None:
            name = name.replace(text, read_checkpoint(path).digest)
    if plain not in PRETRAINED:
        return name
    games = game.games if isinstance(game, Mixture) else [game]
    version = max(int(make_agent(name, game.name).identity(one).get("version", 1)) for one in games)
    return with_version(name, version if version > 1 else None)


def with_version(name: str, version: int | None) -> str:
    """The name of a pretrained agent with a version, or without one.

    >>> with_version("search:simulations=64", 1)
    'search:version=1:simulations=64'
    """
    plain, *options = name.split(":")
    kept = [option for option in options if not option.startswith("version=")]
    return ":".join([plain, *([] if version is None else [f"version={version}"]), *kept])


def as_published(name: str) -> str:
    """What the name of an agent means in a task of the benchmark: without a version, the first.

    >>> as_published("lookahead"), as_published("ppo:version=2"), as_published("greedy")
    ('lookahead:version=1', 'ppo:version=2', 'greedy')
    """
    plain, options = plain_name(name)
    return with_version(name, 1) if plain in PRETRAINED and "version" not in options else name


def plain_name(name: str) -> tuple[str, dict[str, Any]]:
    """Split the name of an agent from its options."""
    if name.startswith(PREFIX):
        return PREFIX[:-1], process_options(name)
    plain, *rest = name.split(":")
    while rest and "=" not in rest[0] and plain not in _AGENTS and not plain.endswith(CHECKPOINT_SUFFIX):
        plain += ":" + rest.pop(0)
    options, texts = {}, list[str]()
    for text in rest:
        if texts and "=" not in text:  # a colon in the value
            texts[-1] += f":{text}"
        else:
            texts.append(text)
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise ConfigError(f"invalid option {short_repr(text)} of agent {short_repr(plain)}; expected name=value")
        try:
            options[key] = json.loads(value)
        except (ValueError, RecursionError):
            options[key] = value
    return plain, options


def _player_of(path: Path, checkpoint: Checkpoint) -> Factory:
    kinds = {point.name: point.value for point in entry_points(group=GROUP)} | _KINDS
    factory = kinds.get(checkpoint.kind)
    if factory is None:
        raise ConfigError(
            f"{path.name}: unknown kind of agent {short_repr(checkpoint.kind)}; expected one of: {', '.join(kinds)}"
        )
    return partial(_imported(path.name, factory, None) if isinstance(factory, str) else factory, checkpoint)


def _checked(name: str, factory: Factory | Agent, options: dict[str, Any]) -> Agent:
    if isinstance(factory, Agent):
        if options:
            raise ConfigError(f"agent {name!r} takes no options")
        return factory  # agents keep no memory: one object serves all
    if not callable(factory):
        raise ConfigError(f"agent {name!r} is not a ginkgo_agents.Agent but {type(factory).__name__}")
    try:
        agent = factory(**options)
    except TypeError as error:  # options are texts of users, and a function of one decision lacks its argument
        hint = "decorate a function of one decision with ginkgo_agents.FunctionAgent"
        problem = f"does not take these options: {error}" if options else f"takes no default options: {error}; {hint}"
        raise ConfigError(f"agent {name!r} {problem}") from error
    if not isinstance(agent, Agent):
        raise ConfigError(f"agent {name!r} is not a ginkgo_agents.Agent but {type(agent).__name__}")
    return agent


def _imported(name: str, where: str, game: str | None) -> Factory:
    if ":" not in where:
        known = ", ".join(agent_names(game))
        others = "the path of a checkpoint, module:attribute or process:COMMAND"
        raise ConfigError(f"unknown agent {short_repr(name)}; expected one of: {known}; {others}")
    factory: Factory = imported(where, "agent")
    return factory
