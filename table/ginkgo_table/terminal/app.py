"""A game at one keyboard: takes lines of input and gives what to show. It neither reads nor prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from shlex import quote

from ginkgo_env.core.errors import GinkgoError, plain, short
from ginkgo_table.hints import hint, hint_agents
from ginkgo_table.live import LiveGame
from ginkgo_table.terminal import formatting
from ginkgo_table.terminal.autosave import Autosave
from ginkgo_table.terminal.output import Kind, Piece, Shown
from ginkgo_table.terminal.picking import LegalAction, Picking, UnclearError, offers_of, read
from ginkgo_table.terminal.seating import resume_command
from ginkgo_table.terminal.words import COMMANDS, Wording, in_columns
from ginkgo_table.view import decision_of

_LONGEST = 300  # characters of an error
_NOTHING: LegalAction | None = None


class Terminal:
    """The conversation with the persons at a keyboard.

    Parameters
    ----------
    live : the game; at least one person plays
    words : in which language
    keeper : writes the record after each decision of a person
    width : columns
    hint_agent : who is asked for hints; by default the best that the game suggests
    """

    def __init__(
        self, live: LiveGame, words: Wording, keeper: Autosave, *, width: int = 80, hint_agent: str | None = None
    ) -> None:
        self.live, self.words, self.keeper, self.width = live, words, keeper, width
        self.left = False
        """Whether a person has ended the game early."""
        self._hint_agent = hint_agent
        self._people = [seat for seat, place in enumerate(live.places) if place.agent is None]
        self._told = {seat: self._answered(seat) for seat in self._people}  # how much of its log each person has been told
        self._seat: int | None = self._people[0] if len(self._people) == 1 else None  # whose view is on the screen
        self._hidden = False
        self._leaving = False
        self._turn: tuple[int, int | None] | None = None  # whose table was shown last, and in which round
        self._picking, self._chosen = Picking(()), _NOTHING
        self._commands = words.commands()
        self._do: dict[str, Callable[[str], Iterator[Shown]]] = {name: getattr(self, f"_{name}") for name in COMMANDS}

    @property
    def finished(self) -> bool:
        """Whether there is nothing more to ask."""
        return self.left or self.live.is_over

    @property
    def prompt(self) -> str:
        """What stands before the input."""
        if self._leaving:
            return self.words("quit_prompt")
        if self._hidden:
            return self.words("hide_prompt", name=self._name)
        if self._chosen is not None:
            return self.words("confirm_prompt")
        return " ".join([self._name, *(pick[1] for pick in self._picking.taken)])

    def begin(self) -> Iterator[Shown]:
        """What to show first, up to the first question."""
        yield from formatting.opening(self.live, self.words)
        yield Piece(self.words("start"), Kind.DIM)
        yield from self._go_on()

    def answer(self, line: str) -> Iterator[Shown]:
        """What to show after a line of input, up to the next question."""
        line = line.strip()
        first, _, rest = line.partition(" ")
        command = self._commands.get(first.casefold())
        if self._leaving:
            yield from self._save(rest.strip()) if command == "save" else self._decide_to_leave(line)
        elif command is not None and (not self._hidden or command in ("quit", "save")):
            yield from self._do[command](rest.strip())
        elif self._hidden:
            yield from self._reveal(line)
        elif self._chosen is not None:
            yield from self._confirm(line)
        elif line:
            yield from self._read(line)
        else:
            yield from self._help("")

    # --- the course of the game ----------------------------------------------------------------------------------------------

    @property
    def _actor(self) -> int:
        assert self.live.actor is not None
        return self.live.actor

    @property
    def _name(self) -> str:
        return self.live.names[self._actor]

    def _go_on(self) -> Iterator[Shown]:
        """Let the agents play until a person is asked or the game is over."""
        while self.live.is_agent_turn:
            yield Piece(self.words("thinking", name=self._name), Kind.BUSY)
            self.live.advance()
            if len(self._people) == 1:
                yield from self._news()
        if self.live.is_over:
            yield from self._keep()
            yield from self._ending()
        elif self._seat != self._actor:
            self._hidden, self._seat = True, None
            yield Piece(self.words("hide", name=self._name), Kind.HIDE)
        else:
            yield from self._ask()

    def _answered(self, seat: int) -> int:
        """Where in its log a seat took its last decision; what came before need not be told again when a game goes on."""
        log = self.live.history(seat)
        return max((k + 1 for k, entry in enumerate(log) if any(who == seat for who, _ in entry.choices)), default=0)

    def _news(self) -> Iterator[Shown]:
        """What the person at the screen has not been told yet."""
        if self._seat is not None:
            log = self.live.history(self._seat)
            yield from formatting.news(log, self._told[self._seat], self.live.names, self.words)
            self._told[self._seat] = len(log)

    def _ask(self) -> Iterator[Shown]:
        """What has happened, the table where it is another turn, and the question."""
        yield from self._news()
        turn = (self._actor, self.live.game.round_of(self.live.state))
        if turn != self._turn or turn[1] is None:
            self._turn = turn
            yield from self._table("")
        self._picking, self._chosen = Picking(offers_of(decision_of(self.live, self._actor)["actions"])), None
        yield from self._question()

    def _question(self) -> Iterator[Shown]:
        game = self.live.game
        kind = game.decisions[int(game.kind(self.live.state)[0])]
        yield Piece(self.words("asked", name=self._name, question=self.words.label("question", kind)), Kind.STRONG, 2)
        yield from formatting.choices(self._picking, self.words, self.width)

    def _reveal(self, line: str) -> Iterator[Shown]:
        if line:
            yield Piece(self.words("hidden", name=self._name), Kind.ERROR)
            return
        self._hidden, self._seat, self._turn = False, self._actor, None
        yield from self._ask()

    def _play(self, offer: LegalAction) -> Iterator[Shown]:
        self.live.act(self._actor, offer.id)
        yield from self._keep()
        self._picking, self._chosen = Picking(()), None
        if len(self._people) == 1:
            yield from self._news()
        yield from self._go_on()

    def _keep(self) -> Iterator[Shown]:
        """Write the record; the game goes on also where that fails."""
        try:
            self.keeper.save(self.live)
        except GinkgoError as error:
            yield Piece(str(error), Kind.ERROR)

    def _ending(self) -> Iterator[Shown]:
        if len(self._people) == 1:
            yield from self._news()
            yield from self._table("")
        yield from formatting.verdict(self.live, self.words)
        yield formatting.scores(self.live, self.words, self.width)
        yield Piece(self.words("seed", seed=self.live.seed), Kind.DIM)
        if self.keeper.file is not None:
            yield Piece(self.words("saved", file=self.keeper.file), Kind.LITERAL)
            yield Piece(self.words("watch", file=quote(str(self.keeper.file))), Kind.LITERAL)

    # --- choosing --------------------------------------------------------------------------------------------------------------

    def _read(self, line: str) -> Iterator[Shown]:
        try:
            found = read(self._picking, line, self.words.pick)
        except UnclearError as error:
            yield Piece(formatting.unclear(error, self._picking, self.words), Kind.ERROR, 2)
            return
        if found.chosen is not None and found.sure:
            yield from self._play(found.chosen)
            return
        self._picking, self._chosen = found.picking, found.chosen
        if found.chosen is not None:
            yield Piece(self.words("confirm", action=self.words.action(found.chosen)), Kind.STRONG)
        else:
            yield from formatting.choices(self._picking, self.words, self.width)

    def _confirm(self, line: str) -> Iterator[Shown]:
        chosen = self._chosen
        assert chosen is not None
        if not line or self.words.says_yes(line):
            yield from self._play(chosen)
        else:
            yield Piece(self.words("confirm", action=self.words.action(chosen)), Kind.ERROR)

    # --- commands --------------------------------------------------------------------------------------------------------------

    def _help(self, rest: str) -> Iterator[Shown]:
        yield Piece(self.words("help", example=f"{self._picking.left[0].text:<8}"))
        called = [", ".join(word for word, command in self._commands.items() if command == name) for name in COMMANDS]
        column = max(map(len, called)) + 4
        for name, words in zip(COMMANDS, called, strict=True):
            yield Piece(f"  {words:<{column - 2}}{self.words('help.' + name)}", indent=column)

    def _undo(self, rest: str) -> Iterator[Shown]:
        if not self._picking.taken and self._chosen is None:
            yield Piece(self.words("nothing_to_undo"))
            return
        what = self.words.picked(self._picking.taken[-1]) if self._picking.taken else self._chosen.text  # type: ignore[union-attr]
        self._picking, self._chosen = self._picking.undone(), None
        yield Piece(self.words("undone", pick=what))
        yield from formatting.choices(self._picking, self.words, self.width)

    def _table(self, rest: str) -> Iterator[Shown]:
        live = self.live
        yield Piece(live.game.describe(live.state, self._seat, live.names, width=self.width), Kind.TABLE)

    def _moves(self, rest: str) -> Iterator[Shown]:
        texts = [offer.text for offer in self._picking.offers]
        yield Piece(self.words("moves", n=len(texts)), Kind.DIM)
        yield Piece("\n".join(in_columns(texts, self.width)))

    def _log(self, rest: str) -> Iterator[Shown]:
        if self._seat is not None:
            yield from formatting.news(self.live.history(self._seat), 0, self.live.names, self.words)

    def _score(self, rest: str) -> Iterator[Shown]:
        yield Piece(self.words("scores_now"), Kind.STRONG)
        yield formatting.scores(self.live, self.words, self.width)
        yield from formatting.explained(self.live, self.words)

    def _hint(self, rest: str) -> Iterator[Shown]:
        agent = rest or self._hint_agent or next(iter(hint_agents(self.live.game)), None)
        if agent is None:
            yield Piece(self.words("no_hint_agent"), Kind.ERROR)
            return
        yield Piece(self.words("thinking", name=agent), Kind.BUSY)
        try:
            found = hint(self.live, agent)
        except Exception as error:  # whatever a person's own agent does, the game goes on
            name = "" if isinstance(error, GinkgoError) else f"{type(error).__name__}: "
            yield Piece(short(plain(f"{name}{error}"), _LONGEST), Kind.ERROR)
            return
        yield from formatting.hinted(found, self.words)

    def _save(self, rest: str) -> Iterator[Shown]:
        if not rest and self.keeper.file is None:
            yield Piece(self.words("save_where"))
            return
        try:
            if rest:
                self.keeper.move(Path(rest), self.live)
            else:
                self.keeper.save(self.live)
        except GinkgoError as error:
            yield Piece(str(error), Kind.ERROR)
            return
        yield Piece(self.words("saved", file=self.keeper.file), Kind.LITERAL)

    def _quit(self, rest: str) -> Iterator[Shown]:
        self._leaving = True
        file = self.keeper.file
        yield Piece(self.words("quit") if file is None else self.words("quit_kept", file=file), Kind.STRONG)

    def _decide_to_leave(self, line: str) -> Iterator[Shown]:
        self._leaving = False
        if self.words.says_yes(line):
            self.left = True
            self.keeper.save(self.live)
            yield from self.parting(self.words("left"))
        else:
            yield Piece(self.words("going_on"))

    def parting(self, why: str) -> Iterator[Shown]:
        """What is said at the end of a game that is not finished."""
        yield Piece(why)
        if self.keeper.file is not None:
            yield Piece(self.words("resume", command=resume_command(self.keeper.file, self.live)), Kind.LITERAL)
