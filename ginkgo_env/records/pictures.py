"""Pictures of the steps of recorded games."""

from __future__ import annotations

from collections.abc import Iterator

from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import RecordError
from ginkgo_env.pictures.picture import Picture
from ginkgo_env.records.record import Record, Step, replay


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
