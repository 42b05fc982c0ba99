"""Pictures of recorded games: each step with what changed and what happened."""

from __future__ import annotations

from collections.abc import Iterator

from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import RecordError
from ginkgo_env.core.picture import Picture
from ginkgo_env.core.svg import escape
from ginkgo_env.records.record import Record, replay


def pictures(record: Record, seat: int | None = None) -> Iterator[Picture]:
    """A picture of each step; with a seat, only what that seat may know. Raises RecordError as ``replay`` does."""
    before = None
    for step in replay(record, seat):
        last = "result" in step.entry
        yield record.game.picture(
            step.state, seat, record.names, since=None if last else before, caption=step.said if step.number else ()
        )
        before = step.state


def picture_at(record: Record, step: int | None = None, seat: int | None = None) -> Picture:
    """The picture of a step: 0 is the setup, None the end. Raises RecordError for a step that is not there."""
    number = None if step is None else integer(step, 0, None, "step", RecordError)
    found, k = None, -1
    for k, found in enumerate(pictures(record, seat)):
        if k == number:
            return found
    if found is None or number is not None:
        raise RecordError(f"step {number} is not in the record, which has the steps 0..{k}")
    return found


def html(record: Record) -> str:
    """The record for a notebook: what was played, and how the game ended."""
    game, header, result = record.game, record.header, record.result
    options = ", ".join(f"{key} {text}" for key, text in game.option_texts(header["config"]).items())
    scores = [] if result is None else [f"{name} {score}" for name, score in zip(record.names, result["scores"], strict=True)]
    told = [f"{game.title}: {options}", f"seed {header['seed']}", "; ".join(scores) or "not finished"]
    return f"<p>{escape(' · '.join(told))}</p>{picture_at(record).svg()}"
