"""A game at one keyboard: turns lines of input into output, without reading or printing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from shlex import quote

from ginkgo_env.core.errors import GinkgoError, plain, truncate
from ginkgo_env.core.language import ENGLISH, speaking
from ginkgo_table.hints import hint, hint_agents
from ginkgo_table.live import LiveGame
from ginkgo_table.terminal import formatting
from ginkgo_table.terminal.formatting import by_importance, folded, sections_of
from ginkgo_table.terminal.seating import Autosave, resume_command
from ginkgo_table.terminal.selection import InputError, LegalAction, Selection, legal_actions, parse
from ginkgo_table.terminal.translator import COMMANDS, Output, TextBlock, TextKind, Translator, in_columns
from ginkgo_table.view import decision_of

_MAX_ERROR_LENGTH = 300
_HELP = """\
Choose an action:
  3         by its number in the list (also #3)
  {example}  by its notation; an unmistakable beginning is enough
  step by step: name what you pick, then what goes with it
  Enter     plays what you have put together
Commands:"""
_SHORT_NAME = 12  # descriptions may cut longer names


class Terminal:
    """The dialog with the people at a keyboard.

    Parameters
    ----------
    live : a game with at least one person
    translate : gives the texts in the language of the people
    autosave : writes the record after each decision of a person
    width : columns of the output
    height : rows of the screen, to which descriptions are folded; None for unlimited output
    hint_agent : the agent that gives hints; by default the best that the game suggests
    """

    def __init__(
        self,
        live: LiveGame,
        translate: Translator,
        autosave: Autosave,
        *,
        width: int = 80,
        height: int | None = None,
        hint_agent: str | None = None,
    ) -> None:
        self.live, self.translate, self.autosave, self.width, self.height = live, translate, autosave, width, height
        self.has_quit = self.has_failed = False
        """Whether a person has quit the game, and whether an agent has raised an error."""
        self._hint_agent = hint_agent
        self._people = [seat for seat, assignment in enumerate(live.seats) if assignment.agent is None]
        self._reported = {seat: self._last_decision(seat) for seat in self._people}  # number of history entries printed so far
        self._seat: int | None = self._people[0] if len(self._people) == 1 else None  # the view on the screen
        self._is_hidden = False
        self._is_quitting = False
        self._turn: tuple[int, int | None] | None = None  # seat and round of the board that was printed last
        self._selection = Selection(())
        self._unconfirmed: LegalAction | None = None
        self._commands = translate.commands()
        self._handlers: dict[str, Callable[[str], Iterator[Output]]] = {name: getattr(self, f"_{name}") for name in COMMANDS}

    @property
    def is_finished(self) -> bool:
        """Whether the dialog is over."""
        return self.has_quit or self.has_failed or self.live.is_over

    @property
    def prompt(self) -> str:
        """The prompt for the next line."""
        if self._is_quitting:
            return self.translate("y/n")
        if self._is_hidden:
            return self.translate("{name}: Enter", name=self._name)
        if self._unconfirmed is not None:
            return self.translate("Enter or u")
        return " ".join([self._name, *(pick[1] for pick in self._selection.picks)])

    def start(self) -> Iterator[Output]:
        """Yield the output up to the first prompt."""
        yield from formatting.opening(self.live, self.translate)
        yield self.translate.block("Choose by number, by name or step by step; ? shows help, quit ends.", TextKind.DIM)
        yield from self._advance()

    def respond(self, line: str) -> Iterator[Output]:
        """Process a line of input and yield the output up to the next prompt."""
        line = line.strip()
        first, _, rest = line.partition(" ")
        command = self._commands.get(first.casefold())
        if self._is_quitting:
            yield from self._save(rest.strip()) if command == "save" else self._confirm_quit(line)
        elif command is not None and (not self._is_hidden or command in ("quit", "save")):
            yield from self._handlers[command](rest.strip())
        elif self._is_hidden:
            yield from self._reveal(line)
        elif self._unconfirmed is not None:
            yield from self._confirm(line)
        elif line:
            yield from self._select(line)
        else:
            yield from self._question()

    # --- course of the game ----------------------------------------------------------------------------------------------

    @property
    def _actor(self) -> int:
        assert self.live.actor is not None
        return self.live.actor

    @property
    def _name(self) -> str:
        return self.live.names[self._actor]

    def _advance(self) -> Iterator[Output]:
        """Play the decisions of agents until it is a person's turn or the game is over."""
        while self.live.is_agent_turn:
            yield self.translate.block("{name} is thinking", TextKind.BUSY, name=self._name)
            try:
                self.live.advance()
            except Exception as error:  # an agent of the user may raise any exception
                yield from self._fail(error)
                return
            if len(self._people) == 1:
                yield from self._report_history()
        if self.live.is_over:
            yield from self._write_record()
            yield from self._ending()
        elif self._seat != self._actor:
            self._is_hidden, self._seat = True, None
            yield self.translate.block(
                "The next decision is {name}'s. {name}, press Enter when nobody else looks.", TextKind.HIDE, name=self._name
            )
        else:
            yield from self._start_decision()

    def _fail(self, error: Exception) -> Iterator[Output]:
        """End the dialog with the error of the agent whose turn it is."""
        self.has_failed = True
        reason = self.translate(
            "{name}, played by the agent {agent}, has failed: {error}",
            name=self._name,
            agent=self.live.seats[self._actor].agent,
            error=_sentence(error),
        )
        yield from self._write_record()
        yield from self.farewell(reason)

    def _last_decision(self, seat: int) -> int:
        """Return the index in the history after a seat's last decision, for a resumed game."""
        history = self.live.history(seat)
        return max((k + 1 for k, entry in enumerate(history) if any(who == seat for who, _ in entry.choices)), default=0)

    def _report_history(self) -> Iterator[Output]:
        """Yield the part of the history that is new to the person at the screen."""
        if self._seat is not None:
            history = self.live.history(self._seat)
            yield from formatting.history(history, self._reported[self._seat], self.live.names, self.translate)
            self._reported[self._seat] = len(history)

    def _start_decision(self) -> Iterator[Output]:
        """Yield the news, the board at the beginning of a turn, and the question."""
        yield from self._report_history()
        turn = (self._actor, self.live.game.round_of(self.live.state))
        self._selection, self._unconfirmed = Selection(legal_actions(decision_of(self.live, self._actor)["actions"])), None
        if turn != self._turn or turn[1] is None:
            self._turn = turn
            yield from self._table("")
        yield from self._question()

    def _question(self) -> Iterator[Output]:
        game = self.live.game
        kind = game.decisions[int(game.kind(self.live.state)[0])]
        question = self.translate.label("question", kind)
        yield TextBlock(self.translate("{name}: {question}", name=self._name, question=question), TextKind.STRONG, 2)
        if self.height is not None and (start := game.presenter.text_asked):
            sections = sections_of(self._description(self.translate.language))
            yield from (TextBlock("\n".join(lines), TextKind.TABLE) for lines in sections if re.match(start, lines[0]))
        yield from formatting.choices(self._selection, self.translate, self.width)

    def _reveal(self, line: str) -> Iterator[Output]:
        if line:
            yield self.translate.block(
                "The table is hidden. Enter shows it to {name}; quit ends.", TextKind.ERROR, name=self._name
            )
            return
        self._is_hidden, self._seat, self._turn = False, self._actor, None
        yield from self._start_decision()

    def _play(self, action: LegalAction) -> Iterator[Output]:
        self.live.act(self._actor, action.id)
        yield from self._write_record()
        self._selection, self._unconfirmed = Selection(()), None
        if len(self._people) == 1:
            yield from self._report_history()
        yield from self._advance()

    def _write_record(self) -> Iterator[Output]:
        """Write the record; the game continues if that fails."""
        try:
            self.autosave.save(self.live)
        except GinkgoError as error:
            yield TextBlock(str(error), TextKind.ERROR)

    def _ending(self) -> Iterator[Output]:
        if len(self._people) == 1:
            yield from self._report_history()
            yield from self._table("")
        yield from formatting.result(self.live, self.translate)
        yield formatting.scores(self.live, self.translate, self.width)
        yield self.translate.block("Seed {seed}: --seed {seed} deals the same game again.", TextKind.DIM, seed=self.live.seed)
        if self.autosave.file is not None:
            yield self.translate.block("The record is in {file}.", TextKind.LITERAL, file=self.autosave.file)
            yield self.translate.block(
                "Watch it:\n  ginkgo replay {file} --html page.html", TextKind.LITERAL, file=quote(str(self.autosave.file))
            )

    # --- choosing --------------------------------------------------------------------------------------------------------------

    def _select(self, line: str) -> Iterator[Output]:
        try:
            parsed = parse(self._selection, line, self.translate.pick_note)
        except InputError as error:
            yield TextBlock(formatting.input_error(error, self._selection, self.translate), TextKind.ERROR, 2)
            return
        if parsed.chosen is not None and parsed.is_complete:
            yield from self._play(parsed.chosen)
            return
        self._selection, self._unconfirmed = parsed.selection, parsed.chosen
        if parsed.chosen is not None:
            yield self.translate.block(
                "{action}: Enter plays it, u takes it back", TextKind.STRONG, action=self.translate.describe_action(parsed.chosen)
            )
        else:
            yield from formatting.choices(self._selection, self.translate, self.width)

    def _confirm(self, line: str) -> Iterator[Output]:
        chosen = self._unconfirmed
        assert chosen is not None
        if not line or self.translate.says_yes(line):
            yield from self._play(chosen)
        else:
            yield self.translate.block(
                "{action}: Enter plays it, u takes it back", TextKind.ERROR, action=self.translate.describe_action(chosen)
            )

    # --- commands --------------------------------------------------------------------------------------------------------------

    def _help(self, rest: str) -> Iterator[Output]:
        yield self.translate.block(_HELP, example=f"{self._selection.remaining[0].text:<8}")
        spellings = [", ".join(spelling for spelling, command in self._commands.items() if command == name) for name in COMMANDS]
        column = max(map(len, spellings)) + 4
        for name, spelled in zip(COMMANDS, spellings, strict=True):
            yield TextBlock(f"  {spelled:<{column - 2}}{self.translate.label('help', name)}", indent=column)

    def _undo(self, rest: str) -> Iterator[Output]:
        if not self._selection.picks and self._unconfirmed is None:
            yield self.translate.block("There is nothing to take back: what has been played stays.")
            return
        undone = self.translate.describe_pick(self._selection.picks[-1]) if self._selection.picks else self._unconfirmed.text  # type: ignore[union-attr]
        self._selection, self._unconfirmed = self._selection.without_last_pick(), None
        yield self.translate.block("Taken back: {pick}", pick=undone)
        yield from formatting.choices(self._selection, self.translate, self.width)

    def _table(self, rest: str) -> Iterator[Output]:
        text = self._description(self.translate.language)
        sections = sections_of(text)
        if rest.isdecimal() and 1 <= int(rest[:9]) <= len(sections):
            text = "\n".join(sections[int(rest) - 1])
        elif not rest and self.height is not None:
            text = self._folded(text, self.height)
        yield TextBlock(text, TextKind.TABLE)

    def _description(self, language: str) -> str:
        live = self.live
        with speaking(language):
            text = live.game.describe(live.state, self._seat, live.names, width=self.width)
            return "\n\n".join(filter(None, [text, live.game.presenter.text_map(live.state, self.width)]))

    def _folded(self, text: str, height: int) -> str:
        """Fold a description to the screen, with the question below if there is room."""
        name = re.escape(self.live.names[self._seat or 0][:_SHORT_NAME])
        order = [start.replace("{name}", name) for start in self.live.game.presenter.text_order]
        ranked = by_importance(self._description(ENGLISH), order)
        asked = [block for block in self._question() if isinstance(block, TextBlock)] if not self.live.is_over else []
        reserved = sum(block.text.count("\n") + 1 for block in asked)
        note = lambda number, n: self.translate("[{n} more: table {number}]", n=n, number=number)  # noqa: E731  # needs the translator
        return folded(text, height - 1, reserved, ranked, note, self.width)

    def _moves(self, rest: str) -> Iterator[Output]:
        texts = [action.text for action in self._selection.actions]
        heading = "{n} actions are possible, in notation:" if len(texts) > 1 else "1 action is possible, in notation:"
        yield self.translate.block(heading, TextKind.DIM, n=len(texts))
        yield TextBlock("\n".join(in_columns(texts, self.width)))

    def _log(self, rest: str) -> Iterator[Output]:
        if self._seat is not None:
            yield from formatting.history(self.live.history(self._seat), 0, self.live.names, self.translate)

    def _score(self, rest: str) -> Iterator[Output]:
        yield self.translate.block("Scores as they are now, with what all know:", TextKind.STRONG)
        yield formatting.scores(self.live, self.translate, self.width)
        yield from formatting.score_details(self.live, self.translate)

    def _hint(self, rest: str) -> Iterator[Output]:
        agent = rest or self._hint_agent or next(iter(hint_agents(self.live.game)), None)
        if agent is None:
            yield self.translate.block("No trained agent gives hints here; hint NAME asks another one.", TextKind.ERROR)
            return
        yield self.translate.block("{name} is thinking", TextKind.BUSY, name=agent)
        try:
            advice = hint(self.live, agent)
        except KeyboardInterrupt:
            yield self.translate.block("The hint was cancelled.")
            return
        except Exception as error:  # an agent of the user may raise any exception; the game continues
            yield TextBlock(_sentence(error), TextKind.ERROR)
            return
        yield from formatting.hint(advice, self.translate)

    def _save(self, rest: str) -> Iterator[Output]:
        if not rest and self.autosave.file is None:
            yield self.translate.block("Where to? save FILE writes the record to a new file.")
            return
        try:
            if rest:
                self.autosave.move(Path(rest), self.live)
            else:
                self.autosave.save(self.live)
        except GinkgoError as error:
            yield TextBlock(str(error), TextKind.ERROR)
            return
        yield self.translate.block("The record is in {file}.", TextKind.LITERAL, file=self.autosave.file)

    def _quit(self, rest: str) -> Iterator[Output]:
        self._is_quitting = True
        question = "End the game here? The record stays in {file}. (y/n)"
        if self.autosave.file is None:
            question = "End the game here? It is not recorded: save FILE keeps it. (y/n)"
        yield self.translate.block(question, TextKind.STRONG, file=self.autosave.file)

    def _confirm_quit(self, line: str) -> Iterator[Output]:
        self._is_quitting = False
        if self.translate.says_yes(line):
            self.has_quit = True
            self.autosave.save(self.live)
            yield from self.farewell(self.translate("The game was not finished."))
        else:
            yield self.translate.block("The game goes on.")

    def farewell(self, reason: str) -> Iterator[Output]:
        """Yield what to print when an unfinished game ends, with the command that resumes it."""
        yield TextBlock(reason)
        if self.autosave.file is not None:
            yield self.translate.block(
                "Go on with:\n  {command}", TextKind.LITERAL, command=resume_command(self.autosave.file, self.live)
            )


def _sentence(error: Exception) -> str:
    """Return an error as one printable line."""
    name = "" if isinstance(error, GinkgoError) else f"{type(error).__name__}: "
    return truncate(plain(f"{name}{error}"), _MAX_ERROR_LENGTH)
