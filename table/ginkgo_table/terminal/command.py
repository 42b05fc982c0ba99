"""``ginkgo play``. Everything heavy is imported when the command runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ginkgo_table.terminal.app import Terminal
    from ginkgo_table.terminal.screen import Screen

_INTERRUPTED = 130


def play(
    game: Annotated[str | None, typer.Argument(help="Name of the game (see ginkgo games).", show_default="ginkgopolis")] = None,
    options: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="An option of the game, for instance modules=all. Repeatable."),
    ] = None,
    players: Annotated[
        str | None, typer.Option(help="Number of players. Same as --set players=.", show_default="the game's own")
    ] = None,
    seats: Annotated[
        list[int] | None,
        typer.Option("--seat", help="Seat of a person, from 0. Repeat it for several persons at one keyboard.", show_default="0"),
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            help="Agent as in ginkgo leaderboard --agents, for all other seats; or repeat it, one for each.",
            show_default="the game's best",
        ),
    ] = None,
    names: Annotated[
        list[str] | None, typer.Option("--name", help="Name of a person, in the order of --seat. Repeatable.", show_default=False)
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Random seed: the same seed deals the same game.", show_default="drawn at random")
    ] = None,
    hint_agent: Annotated[str | None, typer.Option(help="Agent that gives hints.", show_default="the game's best")] = None,
    language: Annotated[str, typer.Option(help="Language of questions and help: en or de.")] = "en",
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the record to a new file, kept up to date.", show_default=False)
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Go on from an unfinished record; without --out it is continued in place.", show_default=False
        ),
    ] = None,
) -> None:
    """Play a game in the terminal, against agents and with others at the same keyboard.

    Type ? for help while playing. Without a terminal lines are read from standard input and plain text is printed.

    Ctrl-C ends the game; with --out the record is kept, and --resume goes on with it.
    """
    from ginkgo_agents.evaluation.options import read_configuration
    from ginkgo_env.core.errors import ConfigError
    from ginkgo_env.registry import DEFAULT_GAME, make_game
    from ginkgo_table.terminal.app import Terminal
    from ginkgo_table.terminal.autosave import Autosave, check_new
    from ginkgo_table.terminal.screen import Screen
    from ginkgo_table.terminal.seating import PlayerArguments, opened, resumed
    from ginkgo_table.terminal.words import Wording
    from ginkgo_table.translations import labels_of

    if out is not None and out != resume:
        check_new(out)
    labels = labels_of(language)
    asked = PlayerArguments(seats or [0], agents or [], names or [], labels["terminal.person"])
    if resume is None:
        name = game or DEFAULT_GAME
        texts = [*([f"players={players}"] if players is not None else []), *(options or [])]
        live = opened(make_game(name, **read_configuration(name, texts)), seed, asked)
    elif game is not None or options or players is not None or seed is not None:
        raise ConfigError("--resume has the game, its options and its seed: leave out GAME, --set, --players and --seed")
    else:
        live = resumed(resume, asked)
    screen = Screen(live.game)
    keeper = Autosave(resume if out is None else out)
    session = Terminal(live, Wording(language, live.game), keeper, width=screen.width, hint_agent=hint_agent)
    _converse(session, screen)


def _converse(session: Terminal, screen: Screen) -> None:
    """Ask and answer until the game is over, somebody quits, or nothing more can be read."""
    try:
        screen.show(session.begin())
        while not session.finished:
            line = screen.read(session.prompt)
            if line is None:
                session.keeper.save(session.live)
                screen.show(session.parting(session.words("input_ended")))
                return
            screen.show(session.answer(line))
    except KeyboardInterrupt:
        session.keeper.save(session.live)
        where = "" if session.keeper.file is None else f": the record is in {session.keeper.file}"
        typer.echo(f"interrupted{where}", err=True)
        raise typer.Exit(_INTERRUPTED) from None
