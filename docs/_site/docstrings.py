"""Convert the docstrings of this project to fields of Sphinx.

A line ``name : description``, or ``name, other : description``, documents a parameter, or an attribute in a section
``Attributes``; indented lines continue it. Types come from the annotations as written: ``Reward`` is not expanded.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any, get_type_hints

from docutils import nodes  # type: ignore[import-untyped]
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.pycode.parser import VariableCommentPicker
from sphinx.util.inspect import stringify_signature
from sphinx.util.nodes import make_refnode

SECTION = re.compile(r"^(Parameters|Attributes)\b(.*)$")
NAME = re.compile(r"(?<![\w.'\"])[A-Za-z]\w*")
FIELD = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*) : (.+)$")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension with Sphinx."""
    # One signature with all options in place of the overloads for type checkers. They tell less.
    setattr(VariableCommentPicker, "add_overload_entry", lambda self, function: None)  # noqa: B010 -- for mypy
    app.connect("autodoc-process-docstring", read_docstring)
    app.connect("autodoc-process-signature", written_signature)
    app.connect("missing-reference", short_name)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def read_docstring(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Rewrite the lines of a docstring in place."""
    lines[:] = as_fields(lines, _parameters(obj), "Attributes" if what == "class" else "")


def _parameters(obj: Any) -> set[str]:
    try:
        return set(inspect.signature(obj).parameters)
    except (TypeError, ValueError):
        return set()


def written_signature(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, signature: str | None, returns: str | None
) -> tuple[str | None, str | None]:
    """Return the signature and the return annotation as written in the code."""
    if what == "attribute":  # an object that can be called has a signature too
        return signature, returns
    try:
        written = inspect.signature(obj)
    except (TypeError, ValueError):
        return signature, returns
    first = next(iter(written.parameters), "")
    if what == "method" and first in ("self", "cls"):
        written = written.replace(parameters=list(written.parameters.values())[1:])
    written = written.replace(
        parameters=[
            each.replace(annotation=_in_full(each.annotation, obj), default=_default(each))
            for each in written.parameters.values()
        ],
        return_annotation=_in_full(written.return_annotation, obj),
    )
    result = written.return_annotation
    back = result if isinstance(result, str) and what != "class" else returns
    return stringify_signature(written, show_return_annotation=False), back


class _Made:
    """A default without a value to show."""

    def __repr__(self) -> str:
        return "..."


def _default(parameter: inspect.Parameter) -> Any:
    return _Made() if re.search("<factory>|function|Ellipsis", repr(parameter.default)) else parameter.default


def _in_full(annotation: Any, obj: Any) -> Any:
    """Qualify the names of this project's classes in an annotation, so that links are resolved; leave out bounds of numbers."""
    if not isinstance(annotation, str):
        return get_type_hints(SimpleNamespace(__annotations__={"it": annotation}))["it"]
    known = vars(sys.modules[inspect.unwrap(obj).__module__])

    def full(name: re.Match[str]) -> str:
        value = known.get(name[0])
        if isinstance(value, type) and value.__module__.startswith("ginkgo_"):
            return f"{value.__module__}.{value.__qualname__}"
        return name[0]

    return NAME.sub(full, annotation)


def short_name(app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement) -> nodes.Element | None:
    """Resolve a type by its unqualified name, and a member of a class that is obj under another name."""
    if node.get("refdomain") != "py":
        return None
    objects, name = env.domains.python_domain.objects, node.get("reftarget", "")
    matches = [path for path, each in objects.items() if each.objtype == "type" and path.endswith(f".{name}")]
    owner, _, member = name.rpartition(".")
    if owner in objects:
        matches.append(f"{objects[owner].node_id}.{member}")
    if len(matches) != 1 or matches[0] not in objects:
        return None
    match = objects[matches[0]]
    return make_refnode(app.builder, node["refdoc"], match.docname, match.node_id, content, matches[0])


def as_fields(lines: list[str], parameters: Iterable[str], otherwise: str = "") -> list[str]:
    """Replace sections by fields.

    otherwise : the section of fields outside sections that are not among the parameters
    """
    known, out, fields, section = set(parameters), list[str](), list[str](), ""
    k = 0
    while k < len(lines):
        line = lines[k]
        if k + 1 < len(lines) and set(lines[k + 1]) == {"-"} and (heading := SECTION.match(line)):
            section, note = heading[1], heading[2].strip(" ()")
            out += [f"*{section}: {note}.*", ""] if note else []
            k += 2
            continue
        field = FIELD.match(line)
        names = field[1].split(", ") if field else []
        kind = section or ("Parameters" if all(name.strip("*") in known for name in names) else otherwise)
        if field and kind:
            text, k = _whole(field[2], lines, k + 1)
            fields += [each for name in names for each in _field(kind, name, text)]
            continue
        if line.strip():
            section = ""
        out.append(line)
        k += 1
    return [*out, "", *fields, ""] if fields else out


def _whole(first: str, lines: list[str], k: int) -> tuple[str, int]:
    """Join the lines of a field from line k on, and return the text and the number of the next line."""
    parts = [first]
    while k < len(lines) and lines[k].startswith("    "):
        parts.append(lines[k].strip())
        k += 1
    return " ".join(parts), k


def _field(section: str, name: str, text: str) -> list[str]:
    kind = "ivar" if section == "Attributes" else "param"
    return [f":{kind} {name.replace('*', chr(92) + '*')}: {text}"]
