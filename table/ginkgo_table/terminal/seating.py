"""The game of ``ginkgo play``, created from options or an unfinished record, and its record file."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ginkgo_agents.registry import agent_names
from ginkgo_env.core.errors import ConfigError, GinkgoError, RecordError, short_repr
from ginkgo_env.core.files import check_targets, write_file
from ginkgo_env.core.game import Game
from ginkgo_env.core.language import shared
from ginkgo_env.records import Record, replay
from ginkgo_table.hints import hint_agents
from ginkgo_table.live import LiveGame, SeatAssignment

_SEEDS = 1 << 32


class PlayerArguments(NamedTuple):
    """The players as given on the command line."""

    seats: Sequence[int]
    """The seats of persons."""
    agents: Sequence[str]
    """Empty, one agent for all other seats, or one for each."""
    names: Sequence[str]
    """The names of persons, in the order of their seats; missing ones are the default."""
    default: str = "Player"


def new_game(game: Game, seed: int | None, arguments: PlayerArguments) -> LiveGame:
    """Start a new game; without a seed it gets a random one."""
    agents = _agents(game, arguments, [None] * game.seats)
    names = _names(game, arguments, agents)
    seats = [SeatAssignment(name, agent) for name, agent in zip(names, agents, strict=True)]
    return LiveGame(game, secrets.randbelow(_SEEDS) if seed is None else seed, seats)


def resume_game(file: Path, arguments: PlayerArguments) -> LiveGame:
    """Resume the game of an unfinished record.

    Unless arguments say otherwise, a player with the name of an agent is that agent.

    Raises RecordError if the record is invalid or the game is over.
    """
    try:
        record = Record.read(file)
    except RecordError as error:
        raise error if file.name in str(error) else RecordError(f"{short_repr(file.name)}: {error}") from None
    if record.result is not None:
        raise RecordError(f"the game in {short_repr(str(file))} is over: ginkgo replay shows it")
    game, before, actions = record.game, None, []
    for step in replay(record):
        if step.action is not None and before is not None:
            actions.append(game.parse_action(before, step.action))
        before = step.state
    recorded = [str(name) for name in record.header["players"]]
    agents = _agents(game, arguments, recorded)
    names = list(recorded)
    if arguments.names:
        given = iter(_names(game, arguments, agents))
        names = [old if agent is not None else new for old, new, agent in zip(recorded, given, agents, strict=True)]
    seats = [SeatAssignment(name, agent) for name, agent in zip(names, agents, strict=True)]
    return LiveGame(game, record.header["seed"], seats, actions)


def resume_command(file: Path, live: LiveGame) -> str:
    """Return the command that resumes a game from its record, with the same persons and agents."""
    persons = [seat for seat, assignment in enumerate(live.seats) if assignment.agent is None]
    agents = [assignment.agent for assignment in live.seats if assignment.agent is not None]
    recorded = all(
        assignment.agent in (None, assignment.name) and assignment.agent in (None, *agent_names(live.game.name))
        for assignment in live.seats
    )
    command = ["ginkgo", "play", "--resume", str(file)]
    command += [] if persons == [0] else [text for seat in persons for text in ("--seat", str(seat))]
    command += [] if recorded else [text for agent in agents for text in ("--agent", agent)]
    return shlex.join(command)


def _agents(game: Game, arguments: PlayerArguments, recorded: Sequence[str | None]) -> list[str | None]:
    """Return the agent of each seat; None for persons."""
    persons = list(dict.fromkeys(arguments.seats))
    if wrong := [seat for seat in persons if not 0 <= seat < game.seats]:
        raise ConfigError(f"seat must be between 0 and {game.seats - 1} in {game.title}, got {short_repr(wrong[0])}")
    others = [seat for seat in range(game.seats) if seat not in persons]
    if len(arguments.agents) not in (0, 1, len(others)) or (arguments.agents and not others):
        agents, seats = shared.counted(len(arguments.agents), "agent"), shared.counted(len(others), "seat")
        raise ConfigError(f"{agents} for {seats}: name one for all or one for each")
    by_seat: list[str | None] = [None] * game.seats
    default = next(iter(hint_agents(game)), "random") if others else None
    for k, seat in enumerate(others):
        known = recorded[seat] if recorded[seat] in agent_names(game.name) else default
        by_seat[seat] = arguments.agents[k % len(arguments.agents)] if arguments.agents else known
    return by_seat


def _names(game: Game, arguments: PlayerArguments, agents: Sequence[str | None]) -> list[str]:
    persons = list(dict.fromkeys(arguments.seats))
    if len(arguments.names) > len(persons):
        raise ConfigError(f"{shared.counted(len(arguments.names), 'name')} for {shared.counted(len(persons), 'person')}")
    given = {seat: arguments.names[k] if k < len(arguments.names) else arguments.default for k, seat in enumerate(persons)}
    return [given[seat] if agent is None else _player_name(agent) for seat, agent in enumerate(agents)]


def _player_name(agent: str) -> str:
    """Return an agent's name as the name of a player: without folders, and not too long."""
    return agent.rpartition("/")[2][:40]


# --- the record file, rewritten after each decision ---------------------------------------------------------------------------


class Autosave:
    """Writes the record of a game to a file.

    file : the file; None writes nothing
    """

    def __init__(self, file: Path | None = None) -> None:
        self.file = file

    def save(self, live: LiveGame) -> None:
        """Write the record so far, if there is a file. Raises GinkgoError, which leaves the file as it was."""
        if self.file is not None:
            write_file(self.file, live.record().dumps())

    def move(self, file: Path, live: LiveGame) -> None:
        """Write to a new file from now on. Raises GinkgoError for a file that exists or cannot be written."""
        check_new(file)
        before, self.file = self.file, file
        try:
            self.save(live)
        except GinkgoError:
            self.file = before
            raise


def check_new(file: Path) -> None:
    """Raise GinkgoError if a file exists or cannot be written."""
    check_targets([file])
    if file.exists():
        raise GinkgoError(f"the file {short_repr(str(file))} already exists: choose another one, or continue it by --resume")
