"""Reading and formatting of text, and breaking of lines to a width."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from ginkgo_env.core.errors import ConfigError, short_repr


def pairs_of(texts: Iterable[str]) -> list[tuple[str, str]]:
    """Split the texts ``KEY=VALUE`` of ``--set``. Raises ConfigError for any other text."""
    pairs = [(text, *text.partition("=")) for text in texts]
    for text, key, equals, _ in pairs:
        if not equals or not key.strip():
            raise ConfigError(f"--set requires KEY=VALUE, got {short_repr(text)}")
    return [(key.strip(), value) for _, key, _, value in pairs]


class Line(str):
    """A line that may be broken between words; further lines are indented by `indent` columns."""

    indent: int

    def __new__(cls, text: str, indent: int = 0) -> Line:
        """Create a line with an indent."""
        line = super().__new__(cls, text)
        line.indent = indent
        return line


_INDENT = 14  # of labelled lines


def labelled(label: str, text: str) -> list[str]:
    """A line with a label in the margin."""
    return [Line(f"{label:<{_INDENT}}{text}", _INDENT)]


def markdown_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table in Markdown, as whole lines."""
    return "".join(f"| {' | '.join(map(str, cells))} |\n" for cells in (heads, ["---"] * len(heads), *rows))


def fitted(lines: Iterable[str], width: int) -> list[str]:
    """Break each :class:`Line` into lines of at most `width` columns, unless a word is longer.

    Other lines stay as they are.

    >>> fitted([Line("tiles: R1 R2 R3", 7), "as it is, however long"], 12)
    ['tiles: R1 R2', '       R3', 'as it is, however long']
    """
    broken: list[str] = []
    for line in lines:
        if not isinstance(line, Line):
            broken.append(line)
            continue
        indent = " " * line.indent
        broken += textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False) or [""]
    return broken
