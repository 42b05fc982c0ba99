"""The command ``ginkgo play``. Heavy modules are imported when the command runs."""

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
            help="Agent as in ginkgo leaderboard --agents, for all other seats; or repeated, one for each.",
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
        Path | None,
        typer.Option(metavar="FILE", help="Write the record to a new file, updated after each decision.", show_default=False),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Resume an unfinished record; without --out it is continued in place.", show_default=False
        ),
    ] = None,
) -> None:
    """Play a game in the terminal, against agents and with others at the same keyboard.

    Type ? for help while playing. Without a terminal, lines are read from standard input and plain text is printed.

    Ctrl-C ends the game; with --out the record is saved, and --resume continues it.
    """
    from ginkgo_agents.evaluation.options import read_configuration
    from ginkgo_env.core.errors import ConfigError
    from ginkgo_env.core.language import Texts
    from ginkgo_env.registry import DEFAULT_GAME, game_class, make_game
    from ginkgo_table.terminal.app import Terminal
    from ginkgo_table.terminal.screen import Screen
    from ginkgo_table.terminal.seating import Autosave, PlayerArguments, check_new, new_game, resume_game
    from ginkgo_table.terminal.translator import Translator
    from ginkgo_table.translations import SOURCE, checked_language

    if out is not None and out != resume:
        check_new(out)
    person = Texts(SOURCE, language=checked_language(language))("Player")
    arguments = PlayerArguments(seats or [0], agents or [], names or [], person)
    if resume is None:
        name = game or DEFAULT_GAME
        texts = [*([f"players={players}"] if players is not None else []), *(options or [])]
        live = new_game(make_game(game_class(name), **read_configuration(name, texts)), seed, arguments)
    elif game is not None or options or players is not None or seed is not None:
        raise ConfigError("--resume takes game, options and seed from the record: leave out GAME, --set, --players and --seed")
    else:
        live = resume_game(resume, arguments)
    screen = Screen(live.game)
    autosave = Autosave(resume if out is None else out)
    terminal = Terminal(
        live, Translator(language, live.game), autosave, width=screen.width, height=screen.height, hint_agent=hint_agent
    )
    _run(terminal, screen)
    if terminal.has_failed:
        raise typer.Exit(1)


def _run(terminal: Terminal, screen: Screen) -> None:
    """Run the dialog until the game is over, a person quits, or the input ends."""
    try:
        screen.show(terminal.start())
        while not terminal.is_finished:
            line = screen.read(terminal.prompt)
            if line is None:
                terminal.autosave.save(terminal.live)
                screen.show(terminal.farewell(terminal.translate("End of input: the game was not finished.")))
                return
            screen.show(terminal.respond(line))
    except KeyboardInterrupt:
        terminal.autosave.save(terminal.live)
        where = "" if terminal.autosave.file is None else f": the record is in {terminal.autosave.file}"
        typer.echo(f"interrupted{where}", err=True)
        raise typer.Exit(_INTERRUPTED) from None
