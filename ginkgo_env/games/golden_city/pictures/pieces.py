"""Signs, cards and houses of The Golden City, and frames around changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ginkgo_env.core.state import VisibleState
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import Good, Landscape, Reward, River
from ginkgo_env.games.golden_city.narrate import scoring_text
from ginkgo_env.games.golden_city.queries import LANDSCAPES, pair_text, translate
from ginkgo_env.pictures import svg
from ginkgo_env.pictures.svg import SMALL, TEXT, Box, Points, cached, number
from ginkgo_env.pictures.theme import SEAT_HUES
from ginkgo_env.pictures.widgets import card_sign, disc, gold_star

# --- signs of landscapes, goods, rewards, rivers and letters, drawn around (x, y) with radius r ------------------------------


Sign = Callable[[float, float, float], str]

HUES = {
    Landscape.COAST: "blue",
    Landscape.FOREST: "green",
    Landscape.MEADOW: "yellow",
    Landscape.MOUNTAIN: "grey",
    Landscape.DESERT: "red",
}


def _d(x: float, y: float, r: float, commands: str) -> str:
    """Scale a path by r and move it to (x, y).

    commands : M, L, Q, C and Z, and coordinates, separated by spaces
    """
    parts, odd = [], False
    for item in commands.split():
        if item.isalpha():
            parts.append(item)
            odd = False
        else:
            parts.append(number((y if odd else x) + r * float(item)))
            odd = not odd
    return " ".join(parts)


def _corners(x: float, y: float, r: float, points: Points) -> Points:
    return [(x + a * r, y + b * r) for a, b in points]


def _stroke(d: str, cls: str, width: float) -> str:
    """A thick line with a dark edge."""
    ends = {"stroke_linecap": "round", "stroke_linejoin": "round"}
    under = svg.path(d, "none s-ink", stroke_width=width + 1.6, **ends)
    return under + svg.path(d, f"none {cls}", stroke_width=width, **ends)


# --- landscapes ------------------------------------------------------------------------------------------------------------


def _waves(x: float, y: float, r: float) -> str:
    d = " ".join(_d(x, y, r, f"M -0.9 {k} Q -0.45 {k - 0.5} 0 {k} Q 0.45 {k + 0.5} 0.9 {k}") for k in (-0.5, 0.0, 0.5))
    return svg.path(d, "none s-blue", stroke_width=0.26 * r, stroke_linecap="round")


def _trees(x: float, y: float, r: float) -> str:
    trunk = svg.rect(x - 0.14 * r, y + 0.5 * r, 0.28 * r, 0.5 * r, "f-edge")
    points = ((0, -1.0), (0.5, -0.25), (0.25, -0.25), (0.75, 0.6), (-0.75, 0.6), (-0.25, -0.25), (-0.5, -0.25))
    return trunk + svg.polygon(_corners(x, y, r, points), "f-green s-ink", stroke_width=0.8)


def _flower(x: float, y: float, r: float) -> str:
    petals = ((0, -0.55), (0.52, -0.17), (0.32, 0.45), (-0.32, 0.45), (-0.52, -0.17))
    leaves = "".join(svg.circle(x + a * r, y + b * r, 0.4 * r, "f-yellow s-ink", stroke_width=0.8) for a, b in petals)
    return leaves + svg.circle(x, y, 0.3 * r, "f-orange s-ink", stroke_width=0.8)


def _peaks(x: float, y: float, r: float) -> str:
    behind = svg.polygon(_corners(x, y, r, ((-0.1, 0.75), (0.45, -0.35), (1, 0.75))), "f-grey s-ink")
    front = svg.polygon(_corners(x, y, r, ((-1, 0.75), (-0.25, -0.85), (0.5, 0.75))), "f-grey s-ink")
    snow = _corners(x, y, r, ((-0.53, -0.25), (-0.25, -0.85), (0.03, -0.25), (-0.25, -0.05)))
    return behind + front + svg.polygon(snow, "f-light s-ink", stroke_width=0.6)


def _cactus(x: float, y: float, r: float) -> str:
    d = _d(x, y, r, "M 0 0.9 L 0 -0.75 M -0.65 -0.35 L -0.65 0.15 L 0 0.15 M 0.65 -0.5 L 0.65 -0.05 L 0 -0.05")
    return _stroke(d, "s-red", 0.36 * r)


LANDSCAPE_SIGNS: dict[Landscape, Sign] = {
    Landscape.COAST: _waves,
    Landscape.FOREST: _trees,
    Landscape.MEADOW: _flower,
    Landscape.MOUNTAIN: _peaks,
    Landscape.DESERT: _cactus,
}


# --- goods -----------------------------------------------------------------------------------------------------------------


def _jar(x: float, y: float, r: float) -> str:
    outline = "M -0.35 -0.95 L 0.35 -0.95 L 0.28 -0.6 Q 0.85 -0.2 0.7 0.3 Q 0.6 0.75 0.3 0.95 L -0.3 0.95"
    d = _d(x, y, r, f"{outline} Q -0.6 0.75 -0.7 0.3 Q -0.85 -0.2 -0.28 -0.6 Z")
    return svg.path(d, "f-red s-ink") + svg.path(_d(x, y, r, "M -0.72 0.1 L 0.72 0.1"), "none s-ink", stroke_width=0.14 * r)


def _grapes(x: float, y: float, r: float) -> str:
    berries = ((-0.55, -0.25), (0, -0.25), (0.55, -0.25), (-0.28, 0.22), (0.28, 0.22), (0, 0.68))
    stalk = svg.path(_d(x, y, r, "M 0 -0.4 L 0.2 -0.95"), "none s-green", stroke_width=0.22 * r)
    return stalk + "".join(svg.circle(x + a * r, y + b * r, 0.31 * r, "f-purple s-ink", stroke_width=0.8) for a, b in berries)


def _cloth(x: float, y: float, r: float) -> str:
    d = "M -0.85 -0.6 Q -0.4 -0.95 0 -0.6 Q 0.4 -0.25 0.85 -0.6 L 0.85 0.6 Q 0.4 0.95 0 0.6 Q -0.4 0.25 -0.85 0.6 Z"
    stripe = "M -0.85 0 Q -0.4 -0.35 0 0 Q 0.4 0.35 0.85 0"
    return svg.path(_d(x, y, r, d), "f-sky s-ink") + svg.path(_d(x, y, r, stripe), "none s-ink", stroke_width=0.16 * r)


def _spices(x: float, y: float, r: float) -> str:
    heap = svg.polygon(_corners(x, y, r, ((-0.65, 0.1), (0, -0.9), (0.65, 0.1))), "f-orange s-ink")
    return heap + svg.path(_d(x, y, r, "M -0.95 0.1 L 0.95 0.1 Q 0.85 0.9 0 0.9 Q -0.85 0.9 -0.95 0.1 Z"), "f-light s-ink")


GOOD_SIGNS: dict[Good, Sign] = {Good.POTTERY: _jar, Good.WINE: _grapes, Good.CLOTH: _cloth, Good.SPICES: _spices}


# --- rewards and counters --------------------------------------------------------------------------------------------------


def key_sign(x: float, y: float, r: float) -> str:
    """A key."""
    shaft = _stroke(_d(x, y, r, "M -0.1 0 L 0.9 0 L 0.9 0.5 M 0.5 0 L 0.5 0.4"), "s-orange", 0.26 * r)
    ring = svg.circle(x - 0.5 * r, y, 0.36 * r, "none s-ink", stroke_width=0.28 * r + 1.6)
    return ring + shaft + svg.circle(x - 0.5 * r, y, 0.36 * r, "none s-orange", stroke_width=0.28 * r)


def bonus_sign(x: float, y: float, r: float) -> str:
    """A bonus card."""
    return card_sign(x, y, r) + gold_star(x, y, 0.5 * r)


def goods_sign(x: float, y: float, r: float) -> str:
    """A crate, for goods cards."""
    side = 0.8 * r
    slats = f"M{number(x - side)} {number(y - 0.3 * r)}h{number(2 * side)}m0 {number(0.6 * r)}h{number(-2 * side)}"
    return svg.rect(x - side, y - side, 2 * side, 2 * side, "f-orange s-ink", r=1) + svg.path(slats, "none s-ink")


def coin_sign(x: float, y: float, r: float) -> str:
    """A coin."""
    return disc(x, y, 0.9 * r) + svg.circle(x, y, 0.55 * r, "none s-edge", stroke_width=0.7)


def coins_sign(x: float, y: float, r: float) -> str:
    """Two coins."""
    return coin_sign(x - 0.4 * r, y - 0.3 * r, 0.68 * r) + coin_sign(x + 0.4 * r, y + 0.3 * r, 0.68 * r)


def letter_sign(x: float, y: float, r: float) -> str:
    """A letter, for a point."""
    flap = _d(x, y, r, "M -0.9 -0.62 L 0 0.1 L 0.9 -0.62")
    return svg.rect(x - 0.9 * r, y - 0.65 * r, 1.8 * r, 1.3 * r, "f-light s-edge", r=1) + svg.path(flap, "none s-edge")


REWARD_SIGNS: dict[Reward, Sign] = {
    Reward.CARD: card_sign,
    Reward.COIN: coin_sign,
    Reward.TWO_COINS: coins_sign,
    Reward.KEY: key_sign,
    Reward.BONUS: bonus_sign,
    Reward.GOODS: goods_sign,
}


# --- rivers and quarters ---------------------------------------------------------------------------------------------------


def river_sign(name: str, x: float, y: float, r: float) -> str:
    """A drop with the letter of a river."""
    drop = _d(x, y, r, "M 0 -1.25 Q 0.95 -0.35 0.95 0.15 Q 0.95 1 0 1 Q -0.95 1 -0.95 0.15 Q -0.95 -0.35 0 -1.25 Z")
    return svg.path(drop, "f-blue s-panel", stroke_width=1) + svg.text(
        x, y + 0.12 * r, name, "on-blue", size=max(SMALL, 1.35 * r), anchor="middle", bold=True
    )


def area_sign(board: Board, card: int, x: float, y: float, r: float) -> str:
    """The river of a scoring card, or its quarter as a piece of the city wall."""
    t = board.components[0]
    rivers = t.at_river.tolist()
    if int(t.area[card]) in rivers:
        return river_sign(River(rivers.index(int(t.area[card]))).name, x, y + 0.1 * r, 0.95 * r)
    landscape = Landscape(1 + t.in_quarter.tolist().index(int(t.area[card])))
    return svg.rect(x - r, y - r, 2 * r, 2 * r, "f-panel s-ink", r=2, stroke_width=1.5) + LANDSCAPE_SIGNS[landscape](
        x, y, 0.8 * r
    )


# --- cards and houses --------------------------------------------------------------------------------------------------------


CARD = 26.0, 34.0  # width and height of a landscape card in a hand
PAIR = 66.0, 48.0  # width and height of a landscape card in a pair, with its name


def piled(group: str, names: Sequence[str], counts: Sequence[int], draw: Callable[[int], Box]) -> list[Box]:
    """Cards counted by kind; all cards of a kind are the part ``group:name``."""
    piles = [(name, [draw(kind)] * n) for kind, (name, n) in enumerate(zip(names, counts, strict=False)) if n]
    return [svg.beside(cards, 4).named(f"{group}:{name}") for name, cards in piles]


def framed(box: Box, before: Box) -> Box:
    """A box with a frame if it differs from `before`."""
    if before == box or not box.width:
        return box
    frame = svg.rect(-4, -2.5, box.width + 8, box.height + 5, "none s-mark", r=5, stroke_width=2, stroke_dasharray="5 2.5")
    return box._replace(body=box.body + frame)


def marked(g: VisibleState, draw: Callable[..., Box], *arguments: Any) -> Box:
    """A part of the table as drawn from the state and further arguments, with a frame if it has changed."""
    box = draw(g, *arguments)
    return box if g.since is None else framed(box, draw(g.since, *arguments))


def name_box(text: str, room: float, cls: str = "ink", *, size: float = TEXT, bold: bool = False) -> Box:
    """Text wrapped to a width; only single words that are too wide are scaled down or truncated."""
    lines, high = svg.wrapped(text, room, size, bold=bold), 1.4 * size
    drawn = [svg.text(0, high * (k + 0.5), line, cls, size=size, bold=bold, fit=room) for k, line in enumerate(lines)]
    return Box(room, high * len(lines), "".join(drawn))


# --- cards -----------------------------------------------------------------------------------------------------------------


def _frame(width: float, height: float, hue: str) -> str:
    return svg.rect(0.75, 0.75, width - 1.5, height - 1.5, f"soft-{hue} s-{hue}", r=4, stroke_width=1.5)


def _landscape_title(landscape: int) -> str:
    return translate("{card}: a landscape card, to pay for houses (G5.3)", card=translate(LANDSCAPES[landscape]))


@cached
def landscape_card(landscape: int) -> Box:
    """A landscape card in a hand, with its sign."""
    (width, height), kind = CARD, Landscape(landscape)
    body = _frame(width, height, HUES[kind]) + LANDSCAPE_SIGNS[kind](width / 2, height / 2, 9)
    return Box(width, height, svg.titled(_landscape_title(landscape), body))


def landscape_cards(counts: Sequence[int]) -> list[Box]:
    """Landscape cards by their numbers, each drawn separately."""
    return [landscape_card(landscape) for landscape, number in enumerate(counts) for _ in range(number)]


@cached
def card_of_pair(landscape: int) -> Box:
    """A landscape card with its name."""
    (width, height), kind = PAIR, Landscape(landscape)
    name = svg.text(width / 2, height - 10, translate(LANDSCAPES[landscape]), size=SMALL, anchor="middle", fit=width - 6)
    drawn = _frame(width, height, HUES[kind]) + LANDSCAPE_SIGNS[kind](width / 2, 18, 12) + name
    return Box(width, height, svg.titled(_landscape_title(landscape), drawn))


@cached
def goods_card(board: Board, kind: int) -> Box:
    """A goods card with its two goods."""
    signs = [GOOD_SIGNS[Good(good)] for good in board.components[0].shown[kind].tolist()]
    body = svg.rect(0.75, 0.75, 46.5, 26.5, "f-panel s-dim", r=4, stroke_width=1.5)
    effect = "{card}: 2 letters when one of its goods is scored, 2 more for the only one (G7.1)"
    title = translate(effect, card=pair_text(board.goods_names[kind]))
    return Box(48, 28, svg.titled(title, body + signs[0](14, 14, 9) + signs[1](34, 14, 9)))


def goods_cards(board: Board, counts: Sequence[int]) -> list[Box]:
    """Goods cards by their numbers, each drawn separately."""
    return [goods_card(board, kind) for kind in range(len(board.goods_names)) for _ in range(counts[kind])]


@cached
def scoring_card(board: Board, card: int) -> Box:
    """A scoring card with its id, good, and river or quarter."""
    name = board.scoring_names[card]
    good = GOOD_SIGNS[Good(int(board.components[0].scoring_good[card]))]
    wide = 7 + svg.text_width(name, 13, bold=True)
    body = svg.rect(0.75, 0.75, wide + 35.5, 24.5, "f-panel s-dim", r=4, stroke_width=1)
    body += svg.text(4, 13, name, size=13, bold=True) + good(wide + 7.5, 13, 7.5) + area_sign(board, card, wide + 26, 13, 8.5)
    return Box(wide + 37, 26, svg.titled(scoring_title(board, card), body))


def scoring_title(board: Board, card: int) -> str:
    """The title of a scoring card."""
    effect = translate("2 letters for the good and 2 for a house in the area, each time 2 more for who alone has most (G7)")
    return f"{scoring_text(board, card)}: {effect}"


@cached
def bonus_card(board: Board, card: int) -> Box:
    """A bonus card with its letters for each thing that it counts."""
    name, n = board.bonus_names[card], int(board.components[0].letters_each[card])
    line = svg.beside(
        [svg.label(translate(name), size=SMALL, bold=True), svg.label(n, size=SMALL), Box(16, 16, letter_sign(8, 8, 7))], 4
    )
    box = line.padded(5)
    frame = svg.rect(0.75, 0.75, box.width - 1.5, box.height - 1.5, "soft-purple s-purple", r=5, stroke_width=1.5)
    title = translate(
        "{card}: at the end {letters} for each (G9.1)", card=translate(name), letters=translate.counted(n, "letter")
    )
    return Box(box.width, box.height, svg.titled(title, frame + box.body))


# --- houses ----------------------------------------------------------------------------------------------------------------


@cached
def house(sign: int, x: float, y: float, r: float, letter: str, *, tall: float = 1.0) -> str:
    """A house of a side, 2r wide, in the shape and color of its sign, with its letter."""
    cls = f"f-{SEAT_HUES[sign]} s-edge"
    form = _FORMS[sign % len(_FORMS)](x, y, r, tall * r, cls)
    if not letter:
        return form
    size = max(13.0, 1.3 * r)
    return form + svg.text(x, y + 0.2 * tall * r, letter, f"on-{SEAT_HUES[sign]}", size=size, anchor="middle", bold=True)


_Form = Callable[[float, float, float, float, str], str]  # (x, y), half of width and height, class


def _domed(x: float, y: float, r: float, high: float, cls: str) -> str:
    left, right, top, low = map(number, (x - r, x + r, y - 0.1 * high, y + high))
    d = f"M{left} {low}V{top}A{number(r)} {number(high)} 0 0 1 {right} {top}V{low}Z"
    return svg.path(d, cls, stroke_width=1.2)


def _shape(corners: Sequence[tuple[float, float]]) -> _Form:
    return lambda x, y, r, high, cls: svg.polygon([(x + a * r, y + b * high) for a, b in corners], cls, stroke_width=1.2)


_TOWER = (
    *((-1, 1), (-1, -1.1), (-0.5, -1.1), (-0.5, -0.75), (-0.25, -0.75), (-0.25, -1.1)),
    *((0.25, -1.1), (0.25, -0.75), (0.5, -0.75), (0.5, -1.1), (1, -1.1), (1, 1)),
)
_GABLED = ((-1, 1), (-1, -0.25), (0, -1.25), (1, -0.25), (1, 1))
_HIPPED = ((-0.8, 1), (-0.8, -0.1), (-1.05, -0.1), (-0.55, -1.1), (0.55, -1.1), (1.05, -0.1), (0.8, -0.1), (0.8, 1))
_FORMS = (_domed, _shape(_TOWER), _shape(_GABLED), _shape(_HIPPED))
