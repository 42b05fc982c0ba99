"""SVG by hand: text that fits, boxes that know their size, and nothing in it that a name could break."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from ginkgo_env import BatchError
from ginkgo_env.pictures.animation import animated
from ginkgo_env.pictures.picture import Picture
from ginkgo_env.pictures.svg import (
    OWN,
    SMALL,
    TEXT,
    Box,
    below,
    beside,
    circle,
    escape,
    fitted_text,
    flow,
    label,
    listing,
    rect,
    text,
    text_width,
    wrapped,
)
from ginkgo_env.pictures.theme import HUES, SEAT_HUES, THEMES, style_sheet
from ginkgo_env.pictures.widgets import backs, badge, hatched, row, rows

HOSTILE = ['<script>alert("x")</script>', "a & b", "]]>", "\x00-hatch", "\ud800", "\x1b[31m", "\u202e", "'\"", "🦊", "名前"]


@pytest.mark.parametrize("string", HOSTILE, ids=ascii)
def test_any_text_gives_xml(string: str) -> None:
    picture = Picture(10, 10, text(0, 5, string) + rect(0, 0, 1, 1, string), string, string)
    root = ElementTree.fromstring(picture.svg().encode())
    drawn = root.find("{http://www.w3.org/2000/svg}text")
    kept = string.replace("\x00", "\ufffd").replace("\ud800", "\ufffd").replace("\x1b", "\ufffd")
    assert drawn is not None and drawn.text == kept and OWN not in escape(string)


@pytest.mark.parametrize("style", [{}, {"bold": True}, {"mono": True}], ids=str)
@pytest.mark.parametrize("string", ["", "i", "Round 13", "somebody with a very long name", "mmmmmmmmmmmmmmm"])
def test_fitted_text_fits(string: str, style: dict[str, Any]) -> None:
    for room in (20, 60, 110, 400):
        shown, size = fitted_text(string, room, TEXT, **style)
        assert text_width(shown, size, **style) <= room + 1e-9
        assert size == TEXT or size >= 0.72 * TEXT - 1e-9
        assert shown == string or shown.endswith("…")


def test_wrapped_text_keeps_its_words() -> None:
    string = "a long sentence about nothing in particular " * 4 + "unbreakablewordthatiswider"
    lines = wrapped(string, 120)
    assert " ".join(lines).split() == string.split()
    assert all(text_width(line) <= 120 for line in lines[:-1])
    assert wrapped("", 10) == [""]


def test_boxes_know_their_size() -> None:
    a, b = Box(10, 20, rect(0, 0, 10, 20)), Box(30, 5, circle(1, 1, 1))
    assert beside([a, b, Box(0, 0)], 4)[:2] == (44, 20)
    assert below([a, b, Box(0, 0)], 4)[:2] == (30, 29)
    assert flow([a, b, a, b], 50, 4, 2)[:2] == (44, 42) and flow([a] * 3, 5)[:2] == (10, 76)
    assert "translate(0 7.5)" in beside([Box(3, 5, "<g/>"), Box(1, 20)]).body
    assert a.padded(3, "f-panel")[:2] == (16, 26)
    assert beside([]) == below([]) == (0, 0, "")
    assert listing(["a", "", "  b"]).height == pytest.approx(3 * label("a").height)


def test_rows_are_aligned_and_leave_out_what_is_not_there() -> None:
    assert row("hand", []) == row("hand", [Box(0, 0)]) == (0, 0, "")
    assert rows([("hand", []), ("tiles", [])]).height == 0
    things = [Box(40, 10, rect(0, 0, 40, 10))] * 4
    both = rows([("hand", things), ("none", []), ("tiles", things)], 600)
    apart = rows([("hand", things), ("none", []), ("tiles", things)], 300)
    assert apart.height > both.height and both.width <= 600 and apart.width <= 300
    assert backs(0, 10, 10) == (0, 0, "") and "\u00d73" in backs(3, 10, 10).body


# --- themes and pages with several pictures --------------------------------------------------------------------------------


def test_themes() -> None:
    picture = Picture(10, 10, "", "nothing")
    assert len({picture.svg(theme) for theme in THEMES}) == 3
    assert "prefers-color-scheme:dark" in picture.svg() and "@media" not in picture.svg("dark")
    for bad in ("pink", None, 3):
        with pytest.raises(BatchError, match="invalid theme"):
            picture.svg(bad)  # type: ignore[arg-type]
    assert len(set(SEAT_HUES)) == 6 and {f".on-{hue}" for hue in HUES} <= set(style_sheet("light").replace("{", " ").split())


def test_pictures_in_one_page_do_not_clash() -> None:
    """Rules hold inside their own theme's pictures, and ids are those of one picture."""
    first, second = (Picture(10, 10, hatched(0, 0, n, 5, "hatch"), "hatched") for n in (4, 5))
    ids = [set(ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}pattern")) for svg in (first.svg(), second.svg())]
    names = [{pattern.get("id") for pattern in patterns} for patterns in ids]
    assert len(names[0]) == 3 and not names[0] & names[1]
    assert all(f"url(#{name})" in first.svg() for name in names[0] if name and name.endswith("-hatch"))
    for theme in THEMES:
        rules = style_sheet(theme).replace("@media (prefers-color-scheme:dark){", "").split("}")
        assert all(rule.strip().startswith(f".gk-{theme} ") for rule in rules if rule.strip())


def test_signs_of_sides_differ_in_more_than_color() -> None:
    shapes = {badge(k, 0, 0, 10, "").split("class")[0] + badge(k, 0, 0, 10, "").split('points="')[-1][:9] for k in range(6)}
    assert len(shapes) == 6
    assert badge(9, 0, 0, 10, "w") == badge(5, 0, 0, 10, "w")


def test_shown_width_and_moving_pictures() -> None:
    picture = Picture(100, 50, rect(0, 0, 1, 1), "a square")
    assert 'viewBox="0 0 100 50" width="400" height="200"' in picture.svg(width=400)
    svg = animated([picture, picture.enlarged(100, 50)], 1.0, 3)
    assert svg.count("<animate") == 2 and 'dur="4s"' in svg
    assert SMALL < TEXT
