"""Pictures of recorded games: each step with what changed and what happened."""

from __future__ import annotations

from collections.abc import Iterator

from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import RecordError
from ginkgo_env.drawing.picture import Picture
from ginkgo_env.records.record import Record, Step, replay


def is_noticed(step: Step, seat: int | None) -> bool:
    """Whether a view shows a step: not those of which a seat learns nothing, as their number is hidden from it."""
    return seat is None or step.number == 0 or "result" in step.entry or bool(step.seen or step.said)


def pictures(record: Record, seat: int | None = None) -> Iterator[Picture]:
    """A picture of each step; with a seat, of each that it notices, with what it knows. Raises RecordError as ``replay`` does."""
    before = None
    for step in replay(record, seat):
        if is_noticed(step, seat):
            yield _drawn(record, step, before, seat)
            before = step


def picture_at(record: Record, step: int | None = None, seat: int | None = None) -> Picture:
    """The picture of a step: 0 is the setup, None the end. Raises RecordError for a step that is not there."""
    number = None if step is None else integer(step, 0, None, "step", RecordError)
    before = found = None
    for one in replay(record, seat):
        before, found = found, one
        if one.number == number:
            break
    assert found is not None  # a replay has a setup at least
    if number is not None and found.number != number:
        raise RecordError(f"step {number} is not in the record, which has the steps 0..{found.number}")
    return _drawn(record, found, before, seat)


def _drawn(record: Record, step: Step, before: Step | None, seat: int | None) -> Picture:
    """A step with what changed and what happened; the result is told by the table of scores, after a game that was played."""
    since = None if before is None or "result" in step.entry else before.state
    picture: Picture = record.game.picture(step.state, seat, record.names, since=since, caption=step.said if step.number else [])
    return picture
