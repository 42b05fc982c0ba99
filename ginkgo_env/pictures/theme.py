"""The colors of pictures as CSS classes, in a light and a dark theme, also for color-blind people.

For every name, the class ``f-name`` fills and ``s-name`` strokes. For hues, ``soft-name`` is a pale fill and ``on-name`` is text
on the hue. ``ink`` and ``dim`` are text on a page, ``edge`` is the outline of colored shapes, ``light`` is light in both themes
(with text ``on-light``); ``b`` is bold, ``m`` is monospaced; ``none`` is no fill.
After Okabe and Ito, "Color Universal Design" (2008), with some hues darker so that text on them is readable.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal, get_args

Theme = Literal["light", "dark", "auto"]
THEMES: tuple[Theme, ...] = get_args(Theme)

HUES = ("red", "blue", "yellow", "green", "orange", "sky", "purple", "grey")
SEAT_HUES = ("purple", "orange", "sky", "green", "grey", "ink")
"""The hues of seats in order; the last one belongs to an automaton."""

_DARK_TEXT, _LIGHT_TEXT = "#14171b", "#ffffff"
_GROUNDS = {
    "page": ("#faf8f3", "#15181c"),
    "panel": ("#ffffff", "#1f242a"),
    "well": ("#eeebe3", "#2a3038"),
    "line": ("#c8c3b8", "#4a525c"),
    "ink": ("#22262b", "#efece5"),
    "dim": ("#5d636b", "#aab0b8"),
    "mark": ("#111111", "#ffffff"),
    "edge": ("#22262b", "#0a0c0e"),
    "light": ("#ffffff", "#f4f1ea"),
}
"""Colors by name: in the light theme, in the dark theme."""
_HUES = {
    "red": ("#c94f08", "#c94f08"),
    "blue": ("#0072b2", "#0e7cbf"),
    "yellow": ("#f0e442", "#e8dc4a"),
    "green": ("#00805d", "#00805d"),
    "orange": ("#e69f00", "#e69f00"),
    "sky": ("#56b4e9", "#56b4e9"),
    "purple": ("#cc79a7", "#d68fb7"),
    "grey": ("#9aa0a8", "#9aa0a8"),
}
_LIGHT_ON = ("red", "blue", "green")  # hues that carry light text
_SOFT = {"light": 0.22, "dark": 0.30}  # share of the hue in a pale fill
_FONTS = "'DejaVu Sans',Verdana,'Segoe UI',sans-serif"
_MONO_FONTS = "'DejaVu Sans Mono',Menlo,Consolas,monospace"
_CLASS = re.compile(' class="([^"]*)"')
_STYLE = re.compile("<style>.*?</style>", re.DOTALL)


def style_sheet(theme: Theme) -> str:
    """The CSS rules of a theme.

    They apply inside ``<svg class="gk gk-THEME">`` only, so that pictures in one page do not clash.
    """
    fonts = f".gk-{theme} text{{font-family:{_FONTS}}}"
    if theme != "auto":
        return fonts + _rules(theme, theme)
    return fonts + _rules("auto", "light") + "@media (prefers-color-scheme:dark){" + _rules("auto", "dark") + "}"


def page_style_sheet() -> str:
    """The CSS rules of both themes, for ``<svg class="gk">`` in a page that sets its ``color-scheme``."""
    dark = _declarations("dark")
    values = {
        name: f"{key}:light-dark({value},{dark[name][1]})" if "#" in value else f"{key}:{value}"
        for name, (key, value) in _declarations("light").items()
    }
    return f".gk text{{font-family:{_FONTS}}}" + "".join(f".gk .{name}{{{value}}}" for name, value in values.items())


def without_classes(svg: str, ground: str) -> str:
    """Replace CSS classes by attributes with the colors of ``"light"`` or ``"dark"``.

    resvg draws such a picture in a fifth of the time.
    """
    plain = {name: f' {attribute}="{value}"' for name, (attribute, value) in _declarations(ground).items()}
    svg = _CLASS.sub(lambda match: "".join(plain.get(name, "") for name in match[1].split()), _STYLE.sub("", svg))
    return svg.replace("<svg ", f'<svg font-family="{_FONTS}" ', 1)


def _rules(name: str, ground: str) -> str:
    rules = _declarations(ground).items()
    return "".join(f".gk-{name} .{cls}{{{attribute}:{value}}}" for cls, (attribute, value) in rules)


@cache
def _declarations(ground: str) -> dict[str, tuple[str, str]]:
    """The CSS property and value of each class."""
    colors = {name: shades[ground == "dark"] for name, shades in (_GROUNDS | _HUES).items()}
    classes = {f"f-{name}": ("fill", color) for name, color in colors.items()}
    classes |= {f"s-{name}": ("stroke", color) for name, color in colors.items()}
    for hue in _HUES:
        classes[f"soft-{hue}"] = "fill", _mixed(colors[hue], colors["panel"], _SOFT[ground])
        classes[f"on-{hue}"] = "fill", _LIGHT_TEXT if hue in _LIGHT_ON else _DARK_TEXT
    classes |= {"ink": ("fill", colors["ink"]), "dim": ("fill", colors["dim"])}
    classes |= {"on-ink": ("fill", colors["panel"]), "on-light": ("fill", _DARK_TEXT)}
    return classes | {"none": ("fill", "none"), "b": ("font-weight", "bold"), "m": ("font-family", _MONO_FONTS)}


def _mixed(color: str, other: str, share: float) -> str:
    parts = [(int(color[k : k + 2], 16), int(other[k : k + 2], 16)) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in parts)
