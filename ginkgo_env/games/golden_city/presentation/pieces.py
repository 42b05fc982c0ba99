"""Cards and houses of The Golden City, and frames around changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ginkgo_env.drawing.svg import SMALL, TEXT, Box, beside, cached, label, path, polygon, rect, text, text_width, titled, wrapped
from ginkgo_env.drawing.svg import number as n
from ginkgo_env.drawing.theme import SEAT_HUES
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import Good, Landscape
from ginkgo_env.games.golden_city.presentation.signs import GOOD_SIGNS, HUES, LANDSCAPE_SIGNS, area_sign, letter_sign
from ginkgo_env.games.golden_city.text.narrate import scoring_text
from ginkgo_env.games.golden_city.text.reading import LANDSCAPES
from ginkgo_env.games.golden_city.text.words import pair_text, say

CARD = 26.0, 34.0  # width and height of a landscape card in a hand
PAIR = 66.0, 48.0  # width and height of a landscape card in a pair, with its name


def piled(group: str, names: Sequence[str], counts: Sequence[int], draw: Callable[[int], Box]) -> list[Box]:
    """Cards counted by kind; all cards of a kind are the part ``group:name``."""
    piles = [(name, [draw(kind)] * n) for kind, (name, n) in enumerate(zip(names, counts, strict=False)) if n]
    return [beside(cards, 4).named(f"{group}:{name}") for name, cards in piles]


def framed(box: Box, before: Box | None) -> Box:
    """A box with a frame if it differs from `before`, which is None without an earlier state."""
    if before is None or before == box or not box.width:
        return box
    frame = rect(-4, -2.5, box.width + 8, box.height + 5, "none s-mark", r=5, stroke_width=2, stroke_dasharray="5 2.5")
    return box._replace(body=box.body + frame)


def name_box(words: str, room: float, cls: str = "ink", *, size: float = TEXT, bold: bool = False) -> Box:
    """Text wrapped to a width; only single words that are too wide are scaled down or truncated."""
    lines, high = wrapped(words, room, size, bold=bold), 1.4 * size
    drawn = [text(0, high * (k + 0.5), words, cls, size=size, bold=bold, fit=room) for k, words in enumerate(lines)]
    return Box(room, high * len(lines), "".join(drawn))


# --- cards -----------------------------------------------------------------------------------------------------------------


def _frame(width: float, height: float, hue: str) -> str:
    return rect(0.75, 0.75, width - 1.5, height - 1.5, f"soft-{hue} s-{hue}", r=4, stroke_width=1.5)


def _landscape_title(landscape: int) -> str:
    return say("{card}: a landscape card, to pay for houses (G5.3)", card=say(LANDSCAPES[landscape]))


@cached
def landscape_card(landscape: int) -> Box:
    """A landscape card in a hand, with its sign."""
    (width, height), kind = CARD, Landscape(landscape)
    body = _frame(width, height, HUES[kind]) + LANDSCAPE_SIGNS[kind](width / 2, height / 2, 9)
    return Box(width, height, titled(_landscape_title(landscape), body))


def landscape_cards(counts: Sequence[int]) -> list[Box]:
    """Landscape cards by their numbers, each drawn separately."""
    return [landscape_card(landscape) for landscape, number in enumerate(counts) for _ in range(number)]


@cached
def card_of_pair(landscape: int) -> Box:
    """A landscape card with its name."""
    (width, height), kind = PAIR, Landscape(landscape)
    name = text(width / 2, height - 10, say(LANDSCAPES[landscape]), size=SMALL, anchor="middle", fit=width - 6)
    drawn = _frame(width, height, HUES[kind]) + LANDSCAPE_SIGNS[kind](width / 2, 18, 12) + name
    return Box(width, height, titled(_landscape_title(landscape), drawn))


@cached
def goods_card(board: Board, kind: int) -> Box:
    """A goods card with its two goods."""
    signs = [GOOD_SIGNS[Good(good)] for good in board.tables[0].shown[kind].tolist()]
    body = rect(0.75, 0.75, 46.5, 26.5, "f-panel s-dim", r=4, stroke_width=1.5)
    words = "{card}: 2 letters when one of its goods is scored, 2 more for the only one (G7.1)"
    title = say(words, card=pair_text(board.goods_names[kind]))
    return Box(48, 28, titled(title, body + signs[0](14, 14, 9) + signs[1](34, 14, 9)))


def goods_cards(board: Board, counts: Sequence[int]) -> list[Box]:
    """Goods cards by their numbers, each drawn separately."""
    return [goods_card(board, kind) for kind in range(len(board.goods_names)) for _ in range(counts[kind])]


@cached
def scoring_card(board: Board, card: int) -> Box:
    """A scoring card with its id, good, and river or quarter."""
    name = board.scoring_names[card]
    good = GOOD_SIGNS[Good(int(board.tables[0].scoring_good[card]))]
    wide = 7 + text_width(name, 13, bold=True)
    body = rect(0.75, 0.75, wide + 35.5, 24.5, "f-panel s-dim", r=4, stroke_width=1)
    body += text(4, 13, name, size=13, bold=True) + good(wide + 7.5, 13, 7.5) + area_sign(board, card, wide + 26, 13, 8.5)
    return Box(wide + 37, 26, titled(scoring_title(board, card), body))


def scoring_title(board: Board, card: int) -> str:
    """The title of a scoring card."""
    effect = say("2 letters for the good and 2 for a house in the area, each time 2 more for who alone has most (G7)")
    return f"{scoring_text(board, card)}: {effect}"


@cached
def bonus_card(board: Board, card: int) -> Box:
    """A bonus card with its letters for each thing that it counts."""
    name, n = board.bonus_names[card], int(board.tables[0].letters_each[card])
    words = beside([label(say(name), size=SMALL, bold=True), label(n, size=SMALL), Box(16, 16, letter_sign(8, 8, 7))], 4)
    box = words.padded(5)
    frame = rect(0.75, 0.75, box.width - 1.5, box.height - 1.5, "soft-purple s-purple", r=5, stroke_width=1.5)
    title = say("{card}: at the end {letters} for each (G9.1)", card=say(name), letters=say.counted(n, "letter"))
    return Box(box.width, box.height, titled(title, frame + box.body))


# --- houses ----------------------------------------------------------------------------------------------------------------


@cached
def house(sign: int, x: float, y: float, r: float, letter: str, *, tall: float = 1.0) -> str:
    """A house of a side, 2r wide, in the shape and color of its sign, with its letter."""
    cls = f"f-{SEAT_HUES[sign]} s-edge"
    form = _FORMS[sign % len(_FORMS)](x, y, r, tall * r, cls)
    if not letter:
        return form
    size = max(13.0, 1.3 * r)
    return form + text(x, y + 0.2 * tall * r, letter, f"on-{SEAT_HUES[sign]}", size=size, anchor="middle", bold=True)


_Form = Callable[[float, float, float, float, str], str]  # (x, y), half of width and height, class


def _domed(x: float, y: float, r: float, high: float, cls: str) -> str:
    d = f"M{n(x - r)} {n(y + high)}V{n(y - 0.1 * high)}A{n(r)} {n(high)} 0 0 1 {n(x + r)} {n(y - 0.1 * high)}V{n(y + high)}Z"
    return path(d, cls, stroke_width=1.2)


def _shape(corners: Sequence[tuple[float, float]]) -> _Form:
    return lambda x, y, r, high, cls: polygon([(x + a * r, y + b * high) for a, b in corners], cls, stroke_width=1.2)


_TOWER = (
    *((-1, 1), (-1, -1.1), (-0.5, -1.1), (-0.5, -0.75), (-0.25, -0.75), (-0.25, -1.1)),
    *((0.25, -1.1), (0.25, -0.75), (0.5, -0.75), (0.5, -1.1), (1, -1.1), (1, 1)),
)
_GABLED = ((-1, 1), (-1, -0.25), (0, -1.25), (1, -0.25), (1, 1))
_HIPPED = ((-0.8, 1), (-0.8, -0.1), (-1.05, -0.1), (-0.55, -1.1), (0.55, -1.1), (1.05, -0.1), (0.8, -0.1), (0.8, 1))
_FORMS = (_domed, _shape(_TOWER), _shape(_GABLED), _shape(_HIPPED))
