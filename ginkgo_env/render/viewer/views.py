"""The steps of a recorded game as a viewer sees them: sentences, actions, pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ginkgo_env.core.state import States
from ginkgo_env.records import Record, Step, replay
from ginkgo_env.records.pictures import is_noticed
from ginkgo_env.render.viewer.parts import Parts, body


class ViewStep(NamedTuple):
    """A step in a view."""

    step: Step
    since: States | None
    """The previous state in the same view; None if no changes are highlighted."""
    round: int | None
    """The round in which the step was taken; None in a game without rounds."""


class Steps:
    """The steps of all views, one view after another.

    Steps that a view omits are None, and the length includes them.
    """

    def __init__(self, record: Record, seats: list[int | None]) -> None:
        self.record, self.seats = record, seats

    def __len__(self) -> int:
        return len(self.seats) * (2 + sum("action" in line for line in self.record.lines))

    def __iter__(self) -> Iterator[tuple[int, ViewStep | None]]:
        for view, seat in enumerate(self.seats):
            for step in _steps(self.record, seat):
                yield view, step


def _steps(record: Record, seat: int | None) -> Iterator[ViewStep | None]:
    """The steps of a view; None for steps of which the seat learns nothing."""
    since, number = None, record.game.round_of(record.game.template)
    for step in replay(record, seat):
        last = "result" in step.entry
        if is_noticed(step, seat):
            yield ViewStep(step, None if last else since, number)
            since = step.state
        else:
            yield None
        number = record.game.round_of(step.state)


def entry_of(record: Record, seat: int | None, visible: ViewStep, number: int, elements: Parts, lines: Parts) -> dict[str, Any]:
    """A step as plain data: its number in the view, choices, sentences, picture and text."""
    step = visible.step
    picture = record.game.picture(step.state, seat, record.names, since=visible.since)
    return {
        "n": number,
        "round": visible.round,
        "choices": choices_of(step, seat, record.game.sides),
        "said": step.narration,
        "size": [picture.width, picture.height],
        "picture": elements.elements(body(picture)),
        "told": lines.lines(picture.description),
    }


def choices_of(step: Step, seat: int | None, sides: int) -> list[tuple[int, str | None]]:
    """Seats that decided and their actions, as far as a viewer knows them.

    Simultaneous choices become known together. A seat's view takes them from the lines that the seat saw.
    """
    if seat is None:
        return [] if step.actor is None else [(step.actor, step.action)]
    choices = []
    for line in step.visible_lines:
        seat, action = line.get("seat"), line.get("action")
        if type(seat) is int and 0 <= seat < sides and (isinstance(action, str) or "chooses" in line):
            choices.append((seat, action))
    return choices
