"""The game that ``ginkgo play`` opens, from what the command line says or an unfinished record."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ginkgo_agents.agents.registry import agent_names
from ginkgo_env.core.errors import ConfigError, RecordError, shown
from ginkgo_env.core.game import Game
from ginkgo_env.records import Record, replay
from ginkgo_table.hints import hint_agents
from ginkgo_table.live import LiveGame, SeatAssignment

_SEEDS = 1 << 32


class PlayerArguments(NamedTuple):
    """Who plays, as the command line says it."""

    seats: Sequence[int]
    """Of persons."""
    agents: Sequence[str]
    """None, one for all other seats, or one for each."""
    names: Sequence[str]
    """Of persons, in the order of their seats; those that are missing are called the default."""
    default: str = "Player"


def opened(game: Game, seed: int | None, asked: PlayerArguments) -> LiveGame:
    """A new game; without a seed it is dealt at random."""
    agents = _agents(game, asked, [None] * game.seats)
    names = _names(game, asked, agents)
    places = [SeatAssignment(name, agent) for name, agent in zip(names, agents, strict=True)]
    return LiveGame(game, secrets.randbelow(_SEEDS) if seed is None else seed, places)


def resumed(file: Path, asked: PlayerArguments) -> LiveGame:
    """The game of an unfinished record. Agents that are not asked for come from the names, where these are agents' names.

    Raises RecordError if the record is bad or the game is over.
    """
    try:
        record = Record.read(file)
    except RecordError as error:
        raise error if file.name in str(error) else RecordError(f"{shown(file.name)}: {error}") from None
    if record.result is not None:
        raise RecordError(f"the game in {shown(str(file))} is over: ginkgo replay shows it")
    game, before, actions = record.game, None, []
    for step in replay(record):
        if step.action is not None and before is not None:
            actions.append(game.parse_action(before, step.action))
        before = step.state
    recorded = [str(name) for name in record.header["players"]]
    agents = _agents(game, asked, recorded)
    names = list(recorded)
    if asked.names:
        given = iter(_names(game, asked, agents))
        names = [old if agent is not None else new for old, new, agent in zip(recorded, given, agents, strict=True)]
    places = [SeatAssignment(name, agent) for name, agent in zip(names, agents, strict=True)]
    return LiveGame(game, record.header["seed"], places, actions)


def resume_command(file: Path, live: LiveGame) -> str:
    """The command that goes on with a game from its record, with the same persons and agents."""
    persons = [seat for seat, place in enumerate(live.places) if place.agent is None]
    agents = [place.agent for place in live.places if place.agent is not None]
    recorded = all(
        place.agent in (None, place.name) and place.agent in (None, *agent_names(live.game.name)) for place in live.places
    )
    words = ["ginkgo", "play", "--resume", str(file)]
    words += [] if persons == [0] else [word for seat in persons for word in ("--seat", str(seat))]
    words += [] if recorded else [word for agent in agents for word in ("--agent", agent)]
    return shlex.join(words)


def _agents(game: Game, asked: PlayerArguments, recorded: Sequence[str | None]) -> list[str | None]:
    """For each seat its agent; None for persons."""
    persons = list(dict.fromkeys(asked.seats))
    if wrong := [seat for seat in persons if not 0 <= seat < game.seats]:
        raise ConfigError(f"there is no seat {shown(wrong[0])}: {game.title} has the seats 0..{game.seats - 1} here")
    others = [seat for seat in range(game.seats) if seat not in persons]
    if len(asked.agents) not in (0, 1, len(others)) or (asked.agents and not others):
        raise ConfigError(f"{len(asked.agents)} agents for {len(others)} seats: name one for all or one for each")
    found: list[str | None] = [None] * game.seats
    default = next(iter(hint_agents(game)), "random") if others else None
    for k, seat in enumerate(others):
        known = recorded[seat] if recorded[seat] in agent_names(game.name) else default
        found[seat] = asked.agents[k % len(asked.agents)] if asked.agents else known
    return found


def _names(game: Game, asked: PlayerArguments, agents: Sequence[str | None]) -> list[str]:
    persons = list(dict.fromkeys(asked.seats))
    if len(asked.names) > len(persons):
        raise ConfigError(f"{len(asked.names)} names for {len(persons)} persons")
    given = {seat: asked.names[k] if k < len(asked.names) else asked.default for k, seat in enumerate(persons)}
    return [given[seat] if agent is None else _short(agent) for seat, agent in enumerate(agents)]


def _short(agent: str) -> str:
    """An agent's name as a player's: without folders and module, and not too long."""
    return agent.rpartition("/")[2][:40]
