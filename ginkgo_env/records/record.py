"""Records of games, like PGN for chess (``docs/design/text-forms.md``).

A record has the seed, every random outcome, every decision and the result. Seed and decisions determine the game; a replay
checks the rest.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ginkgo_env import __version__
from ginkgo_env.core.batch import checked_seed
from ginkgo_env.core.checks import difference, integer, is_scalar
from ginkgo_env.core.errors import FinishedGameError, GinkgoError, IllegalActionError, RecordError, join_names
from ginkgo_env.core.errors import short_repr as value_shown
from ginkgo_env.core.files import is_writable
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.language import shared as translate
from ginkgo_env.core.playback import Playback, Rows
from ginkgo_env.pictures.picture import Picture
from ginkgo_env.pictures.svg import escape
from ginkgo_env.records import format as text
from ginkgo_env.records.format import FORMAT, VERSION, Line, fail, shown
from ginkgo_env.registry import game_class, make_game

VIEW_FORMAT = "ginkgo-view"


@dataclass(frozen=True)
class Step:
    """A step of a replay: the setup, a decision with its consequences, or the result.

    >>> import ginkgo_env
    >>> record = ginkgo_env.Record.from_actions(ginkgo_env.make_game("my_city"), seed=7, actions=[])
    >>> [(step.number, step.actor) for step in ginkgo_env.replay(record)]
    [(0, None), (1, None)]
    """

    number: int
    """0 for the setup, then 1, 2, ..."""
    line: int
    """The number of the line of the record where the step begins, from 1."""
    entry: Line
    """The line of the record where the step begins."""
    state: States
    """A copy (1,) of the state after the step, hidden fields included."""
    actor: int | None
    """The seat that decided; None for the setup and the result."""
    action: str | None
    """The action in notation; None for the setup and the result."""
    narration: list[str]
    """Sentences that describe the step; in the replay of a seat, only what the seat learns."""
    visible_lines: list[Line] = field(default_factory=list)
    """In the replay of a seat, the lines of :meth:`~ginkgo_env.Record.seen_by` for this step."""


class Record:
    """The record of one game.

    Parameters
    ----------
    lines : the lines of the record as plain data, the header first

    Raises RecordError for lines that do not have the format of a record.

    >>> import ginkgo_env
    >>> game = ginkgo_env.make_game("ginkgopolis", players=2)
    >>> record = ginkgo_env.Record.from_actions(game, seed=7, actions=[])
    >>> record.header["seed"], record.result is None
    (7, True)
    >>> ginkgo_env.Record.read(record.dumps()) == record
    True
    """

    def __init__(self, lines: Sequence[Mapping[str, Any]]) -> None:
        if not isinstance(lines, Sequence) or not all(isinstance(line, Mapping) for line in lines):
            raise RecordError(f"lines must be a list of dicts, got {value_shown(lines)}")
        copies: list[Line] = [dict(line) for line in lines]
        text.check(copies)
        self.header, self.lines = copies[0], copies[1:]
        self._game: Game | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and (self.header, self.lines) == (other.header, other.lines)

    __hash__ = None  # type: ignore[assignment]  # lines are lists, which may be changed

    def __repr__(self) -> str:
        return f"Record({self.header.get('game')!r}, seed={self.header.get('seed')!r}, {len(self.lines)} lines)"

    def _repr_html_(self) -> str:
        """Show game, options, seed and scores, and a picture of the last position, in a notebook."""
        *_, last = replay(self)
        game, result = self.game, self.result
        options = ", ".join(f"{key} {text}" for key, text in game.option_texts(self.header["config"]).items())
        scores = [f"{name} {score}" for name, score in zip(self.names, result["scores"], strict=True)] if result else []
        parts = [f"{game.title}: {options}", f"seed {self.header['seed']}", "; ".join(scores) or "not finished"]
        picture = game.picture(last.state, None, self.names, caption=last.narration if last.number else [])
        return f"<p>{escape(' · '.join(parts))}</p>{picture.svg()}"

    @classmethod
    def from_actions(
        cls,
        game: Game,
        seed: int,
        actions: Sequence[int],
        players: Sequence[str] | None = None,
        identities: Mapping[str, list[dict[str, Any]]] | None = None,
    ) -> Record:
        """Play actions from a seed and record the game, which may be unfinished.

        seed : seed of the game
        actions : ids of the actions, in order
        players : a name for each seat, 1 to 40 printable characters; by default ``player_0``, ...
        identities : what the agents among the players are, as plain data by name

        Raises IllegalActionError for an illegal action, FinishedGameError for an action after the end, BatchError for an
        invalid seed, RecordError for invalid names.
        """
        playback = Playback(game)
        seed = checked_seed(seed)
        start = playback.start(seed)
        game = game.game_of(playback.states)  # a mixture draws one of its games
        header, lines = _header(game, seed, players), _random_lines(game, start)
        header |= {"identities": dict(identities)} if identities else {}
        if not isinstance(actions, Sequence | np.ndarray) or is_scalar(actions):
            raise IllegalActionError(f"actions must be a list of integers, got {value_shown(actions)}")
        for k, action in enumerate(actions):
            _require_legal(playback, k, action)
            seat = playback.actor
            lines.append({"seat": seat, "action": game.action_text(playback.states, action)})
            lines += _random_lines(game, playback.play(action))
        lines.append({"result": _result(playback)})
        record = cls([header, *lines])
        record._game = game
        return record

    @classmethod
    def read(cls, source: str | os.PathLike[str], **files: str) -> Record:
        """Read a record from a path or from its text. Raises RecordError.

        files : paths of the game's files, such as ``board``, which replace those in the header; their digests must be the same

        Only format and configuration are checked; :func:`replay` checks the rest.
        """
        record = cls(text.load(source))
        config, components = record.header["config"], record.header.get("components", {})
        if others := [name for name in files if name not in components or name not in config]:
            expected = join_names(name for name in components if name in config) or "none"
            fail(1, f"config: {join_names(map(value_shown, others))} cannot be replaced; the files of the game are: {expected}")
        record.header["config"] = config | files
        record._game = _make_game(record.header)
        return record

    def dumps(self) -> str:
        """Return the text of the record."""
        return text.dump([self.header, *self.lines])

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file. Raises RecordError if the file cannot be written."""
        try:
            if not is_writable(path):
                raise ValueError("it is not a regular file")
            Path(path).write_text(self.dumps(), encoding="utf-8", newline="\n")
        except (OSError, ValueError, TypeError) as error:
            raise RecordError(f"cannot write {value_shown(path)}: {getattr(error, 'strerror', None) or error}") from None

    @property
    def game(self) -> Game:
        """The game in its configuration. Raises RecordError if the configuration is invalid or not canonical."""
        if self._game is None:
            self._game = _make_game(self.header)
        return self._game

    @property
    def names(self) -> list[str]:
        """A unique name for each side; equal names get the number of the seat."""
        given = [str(name) for name in self.header["players"]]
        names = [f"{name}_{seat}" if given.count(name) > 1 else name for seat, name in enumerate(given)]
        game = self.game
        return names + [game.automaton.capitalize()] * (game.sides - game.seats)

    @property
    def result(self) -> Line | None:
        """The ending, scores and winners, or None for an unfinished game."""
        result: Line | None = self.lines[-1]["result"]
        return result

    def seen_by(self, seat: int) -> list[Line]:
        """Return the record as a seat sees it: without the seed, and without what is hidden from the seat.

        The lines are a header (format ``ginkgo-view``), the lines of :meth:`ginkgo_env.Game.visible` in order, and the result.
        Raises RecordError like :func:`replay`.
        """
        header = {key: value for key, value in self.header.items() if key != "seed"} | {"format": VIEW_FORMAT, "seat": seat}
        return [header, *(line for step in replay(self, seat) for line in step.visible_lines)]


def replay(record: Record, seat: int | None = None) -> Iterator[Step]:
    """Replay a record from its seed and check every line; return an iterator over the steps.

    seat : limit ``narration`` and ``visible_lines`` to what this seat may know; states stay complete

    Raises RecordError, which names the line, at the first difference.

    >>> import ginkgo_env
    >>> record = ginkgo_env.Record.from_actions(ginkgo_env.make_game("my_city"), seed=7, actions=[])
    >>> [step.narration[0] for step in ginkgo_env.replay(record)]
    ['Round 1: B2, a blue building of 3 cells, is turned up.', 'The game was not played on from here.']
    """
    if not isinstance(record, Record):
        raise RecordError(f"record must be a Record, got {value_shown(record)}")
    text.check([record.header, *record.lines])  # the lines may have been changed
    game = record.game
    _require_config(record.header, game)
    if len(record.header["players"]) != game.seats:
        fail(1, f"players must have {game.seats} names, got {len(record.header['players'])}")
    seat = None if seat is None else integer(seat, 0, game.seats - 1, "seat", RecordError)
    return _Replay(record, seat).steps()


class _Replay:
    """A record being replayed."""

    def __init__(self, record: Record, seat: int | None) -> None:
        self.record, self.seat, self.game, self.names = record, seat, record.game, record.names
        self.playback = Playback(self.game)
        self.at = 0  # index of the next line after the header
        self.number = 0

    def steps(self) -> Iterator[Step]:
        """All steps of the game."""
        rows = self.playback.start(self.record.header["seed"])
        self._check_random_outcomes(rows)
        yield self._step(1, self.record.header, None, 0, rows)
        while "action" in self._line():
            yield self._decision()
        yield self._result_step()

    def _line(self) -> Line:
        return self.record.lines[self.at]

    def _decision(self) -> Step:
        entry, line, before, actor = self._line(), self.at + 2, self.playback.state(), self.playback.actor
        if actor is None:
            fail(line, "expected the result: the game is over")
        if entry["seat"] != actor:
            fail(line, f"seat {actor} decides here, not seat {shown(entry['seat'])}")
        try:
            action = self.game.parse_action(self.playback.states, entry["action"])
        except GinkgoError as error:
            fail(line, str(error))
        if not self.playback.is_legal(action):
            fail(line, f"{entry['action']!r} is not legal")
        if self.game.action_text(self.playback.states, action) != entry["action"]:
            fail(line, f"{entry['action']!r} is not the canonical notation of the action")
        self.at += 1
        rows = self.playback.play(action)
        self._check_random_outcomes(rows)
        return self._step(line, entry, before, action, rows)

    def _check_random_outcomes(self, rows: Rows) -> None:
        """Raise RecordError unless the next lines are exactly the random outcomes of the game."""
        for expected in _random_lines(self.game, rows):
            if self._line() != expected:
                fail(self.at + 2, f"expected {shown(expected)}, got {shown(self._line())}")
            self.at += 1
        if "random" in self._line():
            fail(self.at + 2, f"expected no random outcome, got {shown(self._line())}")

    def _step(self, line: int, entry: Line, before: States | None, action: int, rows: Rows) -> Step:
        visible_lines: list[Line] = []
        state = self.playback.state()
        if self.seat is not None:
            visible_lines, rows = self.game.visible(self.seat, before, action, state, rows)
        narration = self.game.narrate(rows, self.names)
        self.number += 1
        return Step(self.number - 1, line, entry, state, entry.get("seat"), entry.get("action"), narration, visible_lines)

    def _result_step(self) -> Step:
        entry, line = self._line(), self.at + 2
        result = _result(self.playback)
        if entry["result"] != result:
            fail(line, f"expected the result {shown(result)}, got {shown(entry['result'])}")
        narration = _result_sentences(result, self.names)
        if result is not None and (tie_break := self.game.presenter.tie_break(self.game.outcome(self.playback.states))):
            narration.append(tie_break)
        return Step(
            self.number, line, entry, self.playback.state(), None, None, narration, [entry] if self.seat is not None else []
        )


def _make_game(header: Line) -> Game:
    """Make the game of a header. Raises RecordError if the header is invalid."""
    try:
        game = make_game(game_class(header["game"]), **header["config"])
    except (GinkgoError, TypeError) as error:
        fail(1, f"config: {error}")
    _require_config(header, game)
    return game


def _require_config(header: Line, game: Game) -> None:
    """Raise RecordError unless the configuration is in canonical form and the components are those of the game."""
    if differs := difference(header["config"], game.config_dict):
        fail(1, f"config: {differs}")
    if differs := difference(header.get("components", {}), game.component_ids):
        fail(1, f"components: {differs}")


def _header(game: Game, seed: int, players: Sequence[str] | None) -> Line:
    if not isinstance(players, Sequence | None):
        raise RecordError(f"players must be a list of names, got {value_shown(players)}")
    names = list(game.side_names[: game.seats]) if players is None else list(players)
    if len(names) != game.seats:
        raise RecordError(f"players must have {game.seats} names, got {len(names)}")
    for name in names:
        if not text.is_printable(name):
            raise RecordError(f"players must be names of 1 to {text.MAX_NAME} printable characters, got {shown(name)}")
    header = {"format": FORMAT, "version": VERSION, "package": __version__, "game": game.name, "config": game.config_dict}
    components = {"components": game.component_ids} if game.component_ids else {}
    return header | components | {"seed": seed, "players": names}


def _require_legal(playback: Playback, k: int, action: int) -> None:
    if playback.actor is None:
        raise FinishedGameError(f"actions[{k}]: the game is over")
    if not playback.is_legal(action):
        raise IllegalActionError(f"actions[{k}]: {playback.game.illegal_action(playback.states, action)}")


def _random_lines(game: Game, rows: Rows) -> list[Line]:
    return [{"random": chance.name, "outcome": chance.outcome} for chance in game.chances(rows)]


def _result(playback: Playback) -> Line | None:
    if playback.actor is not None:
        return None
    outcome = playback.game.outcome(playback.states)
    result = {"ending": outcome.ending, "scores": list(outcome.scores), "winners": list(outcome.winners)}
    details = playback.game.result_details(playback.states)
    return result | ({"details": details} if details else {})


def _result_sentences(result: Line | None, names: Sequence[str]) -> list[str]:
    if result is None:
        return [translate("The game was not played on from here.")]
    if len(names) == 1:
        return [translate("{name} has {n} points.", name=names[0], n=result["scores"][0])]
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, result["scores"], strict=True))
    sentence = "{names} wins: {scores}." if len(result["winners"]) == 1 else "{names} share the first place: {scores}."
    return [translate(sentence, names=translate.joined([names[p] for p in result["winners"]]), scores=scores)]


# --- pictures of the steps ----------------------------------------------------------------------------------------------------


def is_noticed(step: Step, seat: int | None) -> bool:
    """Whether a seat learns anything from a step; the number of other steps stays hidden."""
    return seat is None or step.number == 0 or "result" in step.entry or bool(step.visible_lines or step.narration)


def pictures(record: Record, seat: int | None = None) -> Iterator[Picture]:
    """Pictures of all steps, or of those that a seat notices.

    Raises RecordError like :func:`~ginkgo_env.records.replay`.
    """
    before = None
    for step in replay(record, seat):
        if is_noticed(step, seat):
            yield _picture(record, step, before, seat)
            before = step


def picture_at(record: Record, step: int | None = None, seat: int | None = None) -> Picture:
    """The picture of a step of a record.

    step : number of the step, 0 for the setup, None for the end

    Raises RecordError for a step that the record does not have.
    """
    number = None if step is None else integer(step, 0, None, "step", RecordError)
    before = current = None
    for following in replay(record, seat):
        before, current = current, following
        if current.number == number:
            break
    assert current is not None  # every replay has a setup
    if number is not None and current.number != number:
        raise RecordError(f"step must be between 0 and {current.number}, got {number}")
    return _picture(record, current, before, seat)


def _picture(record: Record, step: Step, before: Step | None, seat: int | None) -> Picture:
    """Draw a step, with its changes framed and its sentences as caption."""
    since = None if before is None or "result" in step.entry else before.state
    picture: Picture = record.game.picture(
        step.state, seat, record.names, since=since, caption=step.narration if step.number else []
    )
    return picture
