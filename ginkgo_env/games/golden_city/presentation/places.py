"""Places: rewards, houses, and the id with the sign of the landscape."""

from __future__ import annotations

from collections.abc import Sequence

from ginkgo_env.core.fields import Fields
from ginkgo_env.drawing.shapes import card_sign
from ginkgo_env.drawing.svg import Box, cached, circle, rect, text, text_width, titled
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import FIRST_DISTRICT, Kind, Landscape, Reward
from ginkgo_env.games.golden_city.presentation.layout import ID_SIZE, PILL, pill_width
from ginkgo_env.games.golden_city.presentation.pieces import house
from ginkgo_env.games.golden_city.presentation.signs import HUES, LANDSCAPE_SIGNS, REWARD_SIGNS, coin_sign, key_sign, river_sign
from ginkgo_env.games.golden_city.text.describe_players import MARKS
from ginkgo_env.games.golden_city.text.reading import LANDSCAPES, REWARDS, owners_of
from ginkgo_env.games.golden_city.text.words import say

_EFFECTS = {
    Reward.CARD: "a house here gains a landscape card (G6.1)",
    Reward.COIN: "a house here gains a coin (G6.1)",
    Reward.TWO_COINS: "a house here gains two coins (G6.1)",
    Reward.KEY: "a house here gains a key card, for inner districts (G6.1)",
    Reward.BONUS: "a house here gains a bonus card, which brings letters at the end (G6.4)",
    Reward.GOODS: "a house here gains a goods card (G6.2)",
}
_R = 17.0  # radius of a coast place or suburb


def place_box(g: Fields, board: Board, i: int, width: float, height: float) -> Box:
    """A place with its houses."""
    return _box(board, i, tuple(owners_of(g, i)), width, height)


@cached
def _box(board: Board, i: int, owners: tuple[int, ...], width: float, height: float) -> Box:
    drawn = _district(board, i, owners, width, height) if i >= FIRST_DISTRICT else _road_place(board, i, owners, width)
    return Box(width, height, titled(_tooltip(board, i, owners), drawn + _id(board, i, width / 2, height - PILL / 2)))


def _tooltip(board: Board, i: int, owners: Sequence[int]) -> str:
    """The tooltip of a place."""
    t, river = board.tables[0], board.places[i]["river"]
    kind = Kind(int(t.kind[i])).name.lower()
    label = "coast place" if kind == "coast" else f"{kind}{'' if kind == 'suburb' else ' district'}"
    words = [say(label)]
    words += [] if kind == "coast" else [say(LANDSCAPES[t.landscape[i]])]
    words += [say("river {name}", name=river)] if river else []
    words += [say(REWARDS[t.reward[i]].replace("_", " "))] if i < FIRST_DISTRICT else []
    words += [say("house of {sides}", sides=", ".join(MARKS[p] for p in owners))] if owners else []
    return f"{board.place_ids[i]}: {', '.join(words)}; {_effect(board, i)}"


def _effect(board: Board, i: int) -> str:
    """What a house on a place brings."""
    t = board.tables[0]
    if i < FIRST_DISTRICT:
        return say(_EFFECTS[Reward(int(t.reward[i]))])
    first, second = int(t.letters_first[i]), int(t.letters_second[i])
    more = [thing for n, thing in ((t.coins_first[i], "a coin"), (t.cards_first[i], "a landscape card")) if n]
    letters = say("letters for the first house: {first}, for the second: {second} (G6.5)", first=first, second=second)
    besides = say("the first house also gains {things}", things=say.joined([say(thing) for thing in more])) if more else ""
    key = say("costs a key card too (G5.3)") if t.kind[i] == Kind.INNER else ""
    return "; ".join(filter(None, (letters, besides, key)))


def _id(board: Board, i: int, x: float, y: float) -> str:
    """The id of a place with the sign of its landscape."""
    name, landscape = board.place_ids[i], Landscape(int(board.tables[0].landscape[i]))
    wide = pill_width(name)
    left = x - wide / 2
    back = rect(left, y - PILL / 2, wide, PILL, f"f-panel s-{HUES[landscape]}", r=PILL / 2, stroke_width=1.2)
    words = text(left + 15.5, y, name, size=ID_SIZE, bold=True)
    return back + LANDSCAPE_SIGNS[landscape](left + 8.5, y, 5.5) + words


def _road_place(board: Board, i: int, owners: Sequence[int], width: float) -> str:
    """A coast place or suburb: its reward, smaller if there is a house."""
    t, river = board.tables[0], board.places[i]["river"]
    x, y, hue = width / 2, _R + 1, HUES[Landscape(int(t.landscape[i]))]
    body = circle(x, y, _R, f"f-panel s-{hue}", stroke_width=3)
    body += river_sign(river, x - _R + 2, y - 7, 8.5) if river else ""
    sign = REWARD_SIGNS[Reward(int(t.reward[i]))]
    if not owners:
        return body + sign(x, y - 2, 10)
    body += circle(x + _R - 3, y - 9, 7.5, f"f-panel s-{hue}", stroke_width=1) + sign(x + _R - 3, y - 9, 5)
    return body + house(owners[0], x, y, 10.5, MARKS[owners[0]])


def _district(board: Board, i: int, owners: Sequence[int], width: float, height: float) -> str:
    """A district: letters for both houses, further rewards of the first one, and the houses."""
    t, high = board.tables[0], height - PILL / 2
    hue, inner = HUES[Landscape(int(t.landscape[i]))], t.kind[i] == Kind.INNER
    x, gains = width / 2, [coin_sign] * int(t.coins_first[i]) + [card_sign] * int(t.cards_first[i])
    body = rect(1.5, 1.5, width - 3, high - 3, f"f-panel s-{hue}", r=5, stroke_width=3)
    body += rect(4, 4, width - 8, high - 8, f"none s-{hue}", r=3, stroke_width=1) if inner else ""
    words = f"{t.letters_first[i]}/{t.letters_second[i]}"
    wide = text_width(words, 13)
    left = x - (wide + 12 * len(gains)) / 2
    body += text(left, 12, words, size=13, fit=width - 8 - 12 * len(gains))
    body += "".join(sign(left + wide + 8 + 12 * k, 12, 5.5) for k, sign in enumerate(gains))
    body += key_sign(x, 29, 8) if inner and not owners else ""
    r, gap, tall = (9.5, 3, 1.0) if len(owners) <= 2 else (5.7, 1.2, 1.5)
    left = x - (2 * r + gap) * (len(owners) - 1) / 2
    return body + "".join(house(p, left + (2 * r + gap) * k, 30, r, MARKS[p], tall=tall) for k, p in enumerate(owners))
