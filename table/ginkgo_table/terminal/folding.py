"""Folds the description of a position to the rows of a screen."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

Sections = list[list[str]]
"""The parts of a description between blank lines, as lines."""


def sections_of(text: str) -> Sections:
    """Return the sections of a description; the first one is its headline."""
    return [part.strip("\n").split("\n") for part in re.split(r"\n{2,}", text.strip("\n"))]


def folded(text: str, rows: int, reserved: int, order: Sequence[str], note: Callable[[int, int], str], width: int) -> str:
    """Return a description in at most ``rows`` lines, or in one line for each section.

    All sections keep their first line. The remaining rows go to the sections in order of importance.

    Parameters
    ----------
    rows : the rows of the screen for the description
    reserved : the rows to keep free if possible without folding the most important section
    order : regular expressions for the beginnings of the most important sections; the other sections follow in order
    note : returns the end of a folded section, given its number (from 1) and its number of missing lines
    """
    if text.count("\n") + 1 <= rows - reserved:
        return text
    sections = sections_of(text)
    ranked = sorted(
        range(1, len(sections)),
        key=lambda k: next((i for i, start in enumerate(order) if re.match(start, sections[k][0])), len(order)),
    )
    least = len(sections[0]) + (len(sections[ranked[0]]) + len(ranked) - 1 if ranked else 0)
    free = min(rows, max(rows - reserved, least)) - len(sections)
    shown = [1] * len(sections)
    for k in [0, *ranked]:
        extra = max(0, min(len(sections[k]) - 1, free))
        shown[k], free = 1 + extra, free - extra
    return "\n".join(line for k, lines in enumerate(sections) for line in _cut(lines, shown[k], k + 1, note, width))


def _cut(lines: list[str], shown: int, number: int, note: Callable[[int, int], str], width: int) -> list[str]:
    """Return the first lines of a section, the last of them with a note if there are more."""
    if shown == len(lines):
        return lines
    end = note(number, len(lines) - shown)
    return [*lines[: shown - 1], f"{lines[shown - 1][: width - len(end) - 1]} {end}"]
