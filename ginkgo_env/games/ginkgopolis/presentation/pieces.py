"""Tiles, cards and counters, by their names in texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ginkgo_env.drawing.shapes import backs, card, card_sign, counter, cube, disc, gold_star, square_sign, tile
from ginkgo_env.drawing.svg import SMALL, TEXT, Box, beside, cached, circle, label, path, rect, text, text_width, titled
from ginkgo_env.games.ginkgopolis.constants import NONE, Action, Endgame
from ginkgo_env.games.ginkgopolis.presentation.parts import COLORS, with_parts
from ginkgo_env.games.ginkgopolis.presentation.titles import COUNTERS, card_title, tile_title
from ginkgo_env.games.ginkgopolis.tables import (
    CARD_ACTION,
    CARD_ENDGAME,
    CARD_ENDGAME_COLOR,
    CARD_GAIN,
    CHARACTER_ACTION,
    CHARACTER_GAIN,
    CHARACTER_IDS,
    IDS,
)
from ginkgo_env.games.ginkgopolis.text.reading import is_letter
from ginkgo_env.games.ginkgopolis.text.words import say

_LONGEST = 3  # length of names that begin with the letter of a color


def hue_of(name: str) -> str:
    """The hue of a tile, a card or a character; grey for letters, experts and events."""
    if name == "GS":
        return "green"
    return COLORS.get(name[0], "grey") if 1 < len(name) <= _LONGEST else "grey"


def tiles_of(names: Sequence[str], group: str = "") -> list[Box]:
    """Tiles, face up; with a group, as its picks."""
    return with_parts([_titled(tile_title(name), tile(name, hue_of(name))) for name in names], group, names)


def cards_of(names: Sequence[str], group: str = "") -> list[Box]:
    """Cards, characters, experts and events; with a group, as its picks."""
    return with_parts([_card(name) for name in names], group, names)


def tile_backs(n: int) -> Box:
    """Tiles face down."""
    return backs(n, 32, 32, r=3)


def card_backs(n: int) -> Box:
    """Cards face down."""
    return backs(n, 36, 24, r=5)


def tree_sign(x: float, y: float, r: float, cls: str = "f-green") -> str:
    """A ginkgo tree, for a green space."""
    trunk = rect(x - 0.12 * r, y + 0.1 * r, 0.24 * r, 0.85 * r, "f-edge")
    return trunk + circle(x, y - 0.25 * r, 0.68 * r, f"{cls} s-edge")


SIGNS: dict[str, Callable[[float, float, float], str]] = {
    "SP": gold_star,
    "resources": cube,
    "supply": lambda x, y, r: cube(x, y, r, "f-grey"),
    "tiles": square_sign,
    "tile supply": square_sign,
    "new buildings": lambda x, y, r: square_sign(x, y, r, "f-sky"),
    "New Hands": lambda x, y, r: disc(x, y, r, "f-sky", words="N", on="on-sky"),
    "green spaces": tree_sign,
    "events": lambda x, y, r: disc(x, y, r, "f-purple", words="!", on="on-purple"),
}
"""Signs of counters by their names in descriptions; other counters have a card."""

_ITEMS = ("resources", "tiles", "SP")  # by Item


def counter_of(name: str, n: int) -> Box:
    """A counter by its name in descriptions."""
    return _titled(say(COUNTERS[name]), counter(SIGNS.get(name, card_sign), n, say(name)))


def bonuses(bonus: Sequence[Sequence[int]]) -> list[Box]:
    """The bonus of each action, indexed by action and item."""
    actions = [action for action in Action if any(bonus[action])]
    names = {
        action: [Box(16, 16, action_sign(action)(8, 8, 7)), label(say(action.name.lower()), size=SMALL)] for action in actions
    }
    return [beside([*names[action], *_items(bonus[action]), Box(8, 0)], 4) for action in actions]


def _items(numbers: Sequence[int]) -> list[Box]:
    return [
        beside([label(f"+{n}", size=SMALL, bold=True), Box(16, 16, SIGNS[item](8, 8, 7))], 2)
        for item, n in zip(_ITEMS, numbers, strict=True)
        if n
    ]


# --- what cards bring ------------------------------------------------------------------------------------------------------

_Sign = Callable[[float, float, float], str]
_SIZE, _HIGH = 15.0, 40.0  # of a sign on a card, and of the card
_FRAME = 2.0, 4.0  # above and beside the signs


def _titled(words: str, box: Box) -> Box:
    return box._replace(body=titled(words, box.body))


@cached
def _card(name: str) -> Box:
    """A card with its name and, in signs, what it brings: the action and its items, or the points at the end (R1.5)."""
    signs = _signs(name)
    if not signs.width:
        return _titled(card_title(name), card(say(name), hue_of(name)))
    width, hue = max(36.0, signs.width + 2 * _FRAME[1], text_width(name, TEXT, bold=True) + 10), hue_of(name)
    frame = rect(0.75, 0.75, width - 1.5, _HIGH - 1.5, f"soft-{hue} s-{hue}", r=5, stroke_width=1.5)
    words = text(width / 2, 11, name, anchor="middle", bold=True)
    return _titled(card_title(name), Box(width, _HIGH, frame + words + signs.at((width - signs.width) / 2, _HIGH - _SIZE - 4)))


def _signs(name: str) -> Box:
    if name in CHARACTER_IDS:
        character = CHARACTER_IDS[name]
        return _bonus_signs(Action(int(CHARACTER_ACTION[character])), CHARACTER_GAIN[character].tolist())
    card = IDS.get(name)
    if card is None:
        return Box(0, 0)
    if is_letter(card):
        return _row([action_sign(Action.URBANIZE)])
    if CARD_ACTION[card] != NONE:
        return _bonus_signs(Action(int(CARD_ACTION[card])), CARD_GAIN[card].tolist())
    return _endgame_signs(Endgame(int(CARD_ENDGAME[card])), int(CARD_ENDGAME_COLOR[card]))


def _bonus_signs(action: Action, gain: Sequence[int]) -> Box:
    return _row([action_sign(action), *(SIGNS[item] for item, n in zip(_ITEMS, gain, strict=True) for _ in range(n))])


def _endgame_signs(kind: Endgame, color: int) -> Box:
    """Points, and what brings them."""
    hue = "" if color == NONE else list(COLORS.values())[color]
    actions = [action_sign(action) for action in (Action.EXPLOIT, Action.URBANIZE, Action.CONSTRUCT)]
    brings: dict[Endgame, tuple[int, Box]] = {
        Endgame.RESOURCES_ON_COLOR: (1, _row([_on_building(hue)])),
        Endgame.LOW_BUILDINGS: (1, _floors("1-2")),
        Endgame.HIGH_BUILDINGS: (3, _floors("3+")),
        Endgame.EXPLOIT_CARDS: (2, _row(actions[:1])),
        Endgame.URBANIZE_CARDS: (2, _row(actions[1:2])),
        Endgame.CONSTRUCT_CARDS: (2, _row(actions[2:])),
        Endgame.COLOR_CARDS: (2, _row([_colored_card(hue)])),
        Endgame.FIXED: (9, Box(0, 0)),
        Endgame.PERMANENT_CARDS: (1, _row([card_sign])),
        Endgame.ACTION_SETS: (5, _row(actions)),
        Endgame.COLOR_SETS: (4, _row([_colored_card(hue) for hue in COLORS.values()])),
    }
    points, signs = brings[kind]
    return beside([label(points, size=SMALL, bold=True), _row([gold_star]), signs], 3)


def _row(signs: Sequence[_Sign]) -> Box:
    return beside([Box(_SIZE, _SIZE, sign(_SIZE / 2, _SIZE / 2, 6.5)) for sign in signs], 1)


def _colored_card(hue: str) -> _Sign:
    return lambda x, y, r: card_sign(x, y, r, f"f-{hue}")


def _on_building(hue: str) -> _Sign:
    return lambda x, y, r: square_sign(x, y, 1.1 * r, f"f-{hue}") + cube(x, y, 0.6 * r)


def _floors(words: str) -> Box:
    number = label(words, "on-light", size=SMALL, bold=True)
    width = number.width + 4
    frame = rect(0.5, 1, width - 1, _SIZE - 2, "f-light s-edge", r=2)
    return Box(width, _SIZE, frame + number.at(2, (_SIZE - number.height) / 2))


def action_sign(action: Action) -> _Sign:
    """The sign of an action: exploiting turns, urbanizing goes outward, constructing upward."""
    arrows = {
        Action.EXPLOIT: "M{l} {y}A{r} {r} 0 1 1 {x} {b}M{x} {b}l{s} {n}M{x} {b}l{s} {p}",
        Action.URBANIZE: "M{l} {y}H{e}M{e} {y}l-{p} -{p}M{e} {y}l-{p} {p}",
        Action.CONSTRUCT: "M{x} {b}V{t}M{x} {t}l-{p} {p}M{x} {t}l{p} {p}",
    }

    def drawn(x: float, y: float, r: float) -> str:
        far, tip = 0.85 * r, round(0.5 * r, 2)
        at = {"x": x, "y": y, "l": x - far, "e": x + far, "t": y - far, "b": y + far, "r": far, "p": tip, "n": -tip, "s": tip}
        return path(arrows[action].format(**at), "none s-ink", stroke_width=2, stroke_linecap="round")

    return drawn
