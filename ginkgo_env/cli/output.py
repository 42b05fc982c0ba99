"""What commands print: tables of games, the text of a recorded game, a progress bar."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from rich.table import Table
from rich.text import Text

from ginkgo_env.core.game import WIDTH, Game
from ginkgo_env.core.state import States
from ginkgo_env.core.text import Line, fitted
from ginkgo_env.pictures.viewer.page import choices_of
from ginkgo_env.records import Record, Step, replay
from ginkgo_env.registry import game_class, make_game, playable_games, refused_games

# --- tables of ``ginkgo games`` ----------------------------------------------------------------------------------------------


def games_tables() -> Iterator[Table | Text]:
    """Yield a table of configurations and tables of named options for each game, then refused games."""
    for name in playable_games():
        yield configurations_table(name)
        for option in game_class(name).option_values:
            yield values_table(name, option)
    for sentence in refused_games():
        yield Text(sentence, style="red")


def configurations_table(name: str) -> Table:
    """Return a table with a row for each configuration of a game."""
    cls = game_class(name)
    table = Table(title=f"{name}-v{cls.version}")
    table.add_column("configuration")
    for heading in ("actions", "observation", "state"):
        table.add_column(heading, justify="right", no_wrap=True)
    for config in cls.configurations():
        game = make_game(cls, **config)
        texts = [f"{key}={text}" for key, text in cls.option_texts(config).items()] + [f"({game.variant})"] * bool(game.variant)
        table.add_row(" ".join(texts) or "no options", *_sizes(game))
    table.caption = "actions: number of ids; observation: numbers; state: bytes of one game"
    return table


def values_table(name: str, option: str) -> Table:
    """Return a table with a row for each value of an option of a game."""
    cls = game_class(name)
    table = Table(option, "meaning", title=f"{option.replace('_', ' ').capitalize()} of {name}")
    table.columns[0].no_wrap = True
    for value, text in cls.option_values[option].items():
        table.add_row(value, text)
    table.caption = cls.option_notes.get(option)
    return table


def _sizes(game: Game) -> tuple[str, str, str]:
    observation = f"{game.observation.size} {np.dtype(game.observation_dtype).name}"
    return str(game.actions.size), observation, f"{game.template.dtype.itemsize} B"


# --- the text of ``ginkgo replay`` -------------------------------------------------------------------------------------------


_INDENT, _SHORTEST_NAME = 4, 8


class Transcript:
    """A record as text, from setup to result; with a seat, only what that seat knows.

    width : column at which lines are wrapped; None: no wrapping, and descriptions of the default width of ``Game.describe``
    every_step : describe the table after each step instead of once a round; always true for games without rounds
    """

    def __init__(self, record: Record, seat: int | None = None, *, every_step: bool = False, width: int | None = None) -> None:
        self.record, self.seat, self.every_step, self.width = record, seat, every_step, width
        self.game, self.names = record.game, record.names

    def blocks(self, first: int = 0, last: int | None = None) -> Iterator[str]:
        """Yield the text of each step from round ``first`` to round ``last``, and check the record to its end.

        For games without rounds, ``first`` and ``last`` are steps; 0 is the setup.
        """
        at = 0  # round in which the step was taken
        for step in replay(self.record, self.seat):
            rounds = self.game.round_of(step.state)
            now = step.number if rounds is None else rounds
            text = self._step(step) if _within(now if rounds is None else at, first, last) else []
            after_step = bool(text) and (self.every_step or rounds is None)
            new_round = rounds is not None and now != at and self.game.actor(step.state)[0] >= 0  # the result has its own table
            new_table = after_step or new_round or step.number == 0 or "result" in step.entry
            if new_table and _within(now, first, last):
                text += ["", *self._table(step.state), ""]
            if "result" in step.entry and _within(now, first, last):
                text += [*map(Line, step.narration), *self._scores(step.state)]
            if text:
                yield "\n".join(text if self.width is None else fitted(text, self.width))
            at = now

    def _head(self) -> list[str]:
        options = ", ".join(f"{key} {text}" for key, text in self.game.option_texts(self.record.header["config"]).items())
        seed = "" if self.seat is not None else f", seed {self.record.header['seed']}"
        who = "" if self.seat is None else f", as seen by {self.names[self.seat]}"
        title = self.game.title + (f" ({self.game.variant})" if self.game.variant else "")
        notes = [Line(f"{name} ({note})", _INDENT) for name, note in self.game.named_values.items()]
        return [Line(f"{title}: {options}{seed}{who}", _INDENT), *notes]

    def _table(self, state: States) -> list[str]:
        width = WIDTH if self.width is None else self.width
        return ["-" * width, self.game.describe(state, self.seat, self.names, width=width), "-" * width]

    def _step(self, step: Step) -> list[str]:
        if "result" in step.entry:
            return []
        if step.number == 0:
            return [*self._head(), *_sentences(step)]
        return [*self._choices(step), *_sentences(step)]

    def _choices(self, step: Step) -> list[str]:
        """Lines with the choices of a step, or only who chose. Seats get no step numbers: they would reveal hidden choices."""
        number = f"#{step.number} " if self.seat is None else ""
        choices = choices_of(step, self.seat, self.game.sides)
        return [f"{number}{self.names[seat]}{' has chosen' if action is None else f': {action}'}" for seat, action in choices]

    def _scores(self, state: States) -> list[str]:
        """Tabulate final scores by source, with a row for each side or, if that is too wide, for each source."""
        if self.record.result is None:
            return []
        sources = [*self.game.sources, "total"]
        headings = [source.replace("_", " ") for source in sources]
        numbers = [[*map(str, points), str(sum(points))] for points in self.game.points(state)[0].tolist()]
        lines = _columns(headings, list(self.names), numbers)
        if self.width is not None and len(lines[0]) > self.width:
            room = (self.width - max(map(len, headings))) // len(numbers) - len("  ")
            names = [name[: max(_SHORTEST_NAME, room)] for name in self.names]
            lines = _columns(names, headings, [list(row) for row in zip(*numbers, strict=True)])
        return ["", *lines]


def _columns(headings: list[str], names: list[str], rows: list[list[str]]) -> list[str]:
    """Format a table: names on the left, a heading above each column of numbers."""
    width = max(map(len, names))
    lines = [" " * width + "".join(f"  {heading}" for heading in headings)]
    for name, row in zip(names, rows, strict=True):
        lines.append(f"{name:<{width}}" + "".join(f"  {n:>{len(h)}}" for n, h in zip(row, headings, strict=True)))
    return lines


def _sentences(step: Step) -> list[str]:
    """The sentences of a step, indented."""
    return [Line(" " * _INDENT + sentence, _INDENT + 2) for sentence in step.narration]


def _within(number: int, first: int, last: int | None) -> bool:
    return first <= number and (last is None or number <= last)


# --- progress ----------------------------------------------------------------------------------------------------------------


def with_bar(steps: Iterable[Any]) -> Iterable[Any]:
    """Iterate over the steps of a game with a progress bar on stderr, if that is a terminal."""
    from rich.console import Console
    from rich.progress import track

    return track(steps, "drawing", console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
