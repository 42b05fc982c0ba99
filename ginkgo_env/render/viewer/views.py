"""The steps of a recorded game as somebody sees them: sentences, actions, pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ginkgo_env.core.state import States
from ginkgo_env.records import Record, Step, replay
from ginkgo_env.records.pictures import is_noticed
from ginkgo_env.render.viewer.parts import Parts, body


class Shown(NamedTuple):
    """A step that a view shows."""

    step: Step
    since: States | None
    """The state that the same view showed before; None where nothing is to be highlighted."""
    round: int | None
    """The round in which the step was taken; None in a game without rounds."""


class Steps:
    """The steps of all views, one view after another; the length counts those as well that a view leaves out."""

    def __init__(self, record: Record, seats: list[int | None]) -> None:
        self.record, self.seats = record, seats

    def __len__(self) -> int:
        return len(self.seats) * (2 + sum("action" in line for line in self.record.lines))

    def __iter__(self) -> Iterator[tuple[int, Shown | None]]:
        for view, seat in enumerate(self.seats):
            for shown in _shown(self.record, seat):
                yield view, shown


def _shown(record: Record, seat: int | None) -> Iterator[Shown | None]:
    """What a view shows of each step; None for those of which a seat learns nothing: their number is hidden from it."""
    since, number = None, record.game.round_of(record.game.template)
    for step in replay(record, seat):
        last = "result" in step.entry
        if is_noticed(step, seat):
            yield Shown(step, None if last else since, number)
            since = step.state
        else:
            yield None
        number = record.game.round_of(step.state)


def entry_of(record: Record, seat: int | None, shown: Shown, number: int, elements: Parts, lines: Parts) -> dict[str, Any]:
    """A step as plain data: its number in the view, who did what, the picture, and the table as text."""
    step = shown.step
    picture = record.game.picture(step.state, seat, record.names, since=shown.since)
    return {
        "n": number,
        "round": shown.round,
        "choices": choices_of(step, seat, record.game.sides),
        "said": step.said,
        "size": [picture.width, picture.height],
        "picture": elements.elements(body(picture)),
        "told": lines.lines(picture.description),
    }


def choices_of(step: Step, seat: int | None, sides: int) -> list[tuple[int, str | None]]:
    """Who decided and on what, as a view may know it: for a seat from the lines that it saw, not from the record.

    Where all choose at once there are several: they become known together.
    """
    if seat is None:
        return [] if step.actor is None else [(step.actor, step.action)]
    found = []
    for line in step.seen:
        seat, action = line.get("seat"), line.get("action")
        if type(seat) is int and 0 <= seat < sides and (isinstance(action, str) or "chooses" in line):
            found.append((seat, action))
    return found
