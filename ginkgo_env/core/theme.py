"""The colors of pictures: CSS classes in a light and a dark theme, chosen to be told apart by color-blind people too.

Classes: for every name ``f-name`` fills, ``s-name`` strokes; for hues also ``soft-name``, a pale fill, and ``on-name``, text on
the hue. ``ink`` and ``dim`` are text on a page, ``edge`` is the outline of colored things, ``light`` is light in both themes
(with text ``on-light``); ``b`` is bold, ``m`` has characters of one width; ``none`` fills nothing.
After Okabe and Ito, "Color Universal Design" (2008), with some hues darker so that text on them is read.
"""

from __future__ import annotations

from typing import Literal, get_args

Theme = Literal["light", "dark", "auto"]
THEMES: tuple[Theme, ...] = get_args(Theme)

HUES = ("red", "blue", "yellow", "green", "orange", "sky", "purple", "grey")
SEAT_HUES = ("purple", "orange", "sky", "green", "grey", "ink")
"""The hues of seats in order; the last one is for an automaton."""

_DARK_TEXT, _LIGHT_TEXT = "#14171b", "#ffffff"
_GROUNDS = {
    "light": {
        "page": "#faf8f3",
        "panel": "#ffffff",
        "well": "#eeebe3",
        "line": "#c8c3b8",
        "ink": "#22262b",
        "dim": "#5d636b",
        "mark": "#111111",
        "edge": "#22262b",
        "light": "#ffffff",
    },
    "dark": {
        "page": "#15181c",
        "panel": "#1f242a",
        "well": "#2a3038",
        "line": "#4a525c",
        "ink": "#efece5",
        "dim": "#aab0b8",
        "mark": "#ffffff",
        "edge": "#0a0c0e",
        "light": "#f4f1ea",
    },
}
_HUES = {
    "light": {
        "red": "#c94f08",
        "blue": "#0072b2",
        "yellow": "#f0e442",
        "green": "#00805d",
        "orange": "#e69f00",
        "sky": "#56b4e9",
        "purple": "#cc79a7",
        "grey": "#9aa0a8",
    },
    "dark": {
        "red": "#c94f08",
        "blue": "#0e7cbf",
        "yellow": "#e8dc4a",
        "green": "#00805d",
        "orange": "#e69f00",
        "sky": "#56b4e9",
        "purple": "#d68fb7",
        "grey": "#9aa0a8",
    },
}
_LIGHT_ON = ("red", "blue", "green")  # hues that carry light text
_SOFT = {"light": 0.22, "dark": 0.30}  # how much of the hue a pale fill has
_FONTS = '"DejaVu Sans",Verdana,"Segoe UI",sans-serif'
_MONO_FONTS = '"DejaVu Sans Mono",Menlo,Consolas,monospace'


def style_sheet(theme: Theme) -> str:
    """The rules of a theme: they hold inside ``<svg class="gk gk-THEME">`` alone, so that pictures in one page do not clash."""
    if theme != "auto":
        return _fonts(theme) + _rules(theme, "light" if theme == "light" else "dark")
    return _fonts(theme) + _rules("auto", "light") + "@media (prefers-color-scheme:dark){" + _rules("auto", "dark") + "}"


def _fonts(name: str) -> str:
    scope = f".gk-{name}"
    return (
        f"{scope} text{{font-family:{_FONTS}}}{scope} .m{{font-family:{_MONO_FONTS}}}{scope} .b{{font-weight:bold}}"
        f"{scope} .none{{fill:none}}"
    )


def _rules(name: str, ground: str) -> str:
    colors = _GROUNDS[ground] | _HUES[ground]
    page, scope = colors["panel"], f".gk-{name}"
    rules = [f".f-{key}{{fill:{color}}}{scope} .s-{key}{{stroke:{color}}}" for key, color in colors.items()]
    for hue, color in _HUES[ground].items():
        on = _LIGHT_TEXT if hue in _LIGHT_ON else _DARK_TEXT
        rules.append(f".soft-{hue}{{fill:{_mixed(color, page, _SOFT[ground])}}}{scope} .on-{hue}{{fill:{on}}}")
    rules += [
        f".ink{{fill:{colors['ink']}}}",
        f".dim{{fill:{colors['dim']}}}",
        f".on-ink{{fill:{page}}}",
        f".on-light{{fill:{_DARK_TEXT}}}",
    ]
    return "".join(f"{scope} {rule}" for rule in rules)


def _mixed(color: str, other: str, share: float) -> str:
    parts = [(int(color[k : k + 2], 16), int(other[k : k + 2], 16)) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in parts)
