"""Tiles, cards and counters by their names in texts, their titles, and the picks of an action.

A commitment is a card and a tile, ``{"card": "R3", "tile": "none"}``. Every other action is one pick in the group of its verb,
``{"take": "resource"}``. Cells are named by the tile or token that lies there: ``cell:R3``, ``cell:A``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ginkgo_env.core.state import VisibleState
from ginkgo_env.games.ginkgopolis.components import (
    CARD_ACTION,
    CARD_ENDGAME,
    CARD_ENDGAME_COLOR,
    CARD_GAIN,
    CHARACTER_ACTION,
    CHARACTER_GAIN,
    CHARACTER_IDS,
    COLOR_LETTERS,
    DX,
    DY,
    EVENT_NAMES,
    IDS,
    NAMES,
    TILE_COLOR,
    TILE_NUMBER,
    TILE_VALUE,
)
from ginkgo_env.games.ginkgopolis.constants import (
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    GREEN_SPACE,
    N_DIRECTIONS,
    N_LETTERS,
    N_TILES,
    NOBODY,
    NONE,
    Action,
    Endgame,
    Side,
    Stage,
)
from ginkgo_env.games.ginkgopolis.notation import Readable, action_text
from ginkgo_env.games.ginkgopolis.queries import LETTERS, expert_of, translate
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.pictures import svg
from ginkgo_env.pictures.presenter import Choice
from ginkgo_env.pictures.svg import SMALL, TEXT, Box, cached
from ginkgo_env.pictures.widgets import backs, card, card_sign, counter, cube, disc, gold_star, square_sign, tile

# --- actions as picks, with the cells of the city that they are about --------------------------------------------------------


NO_TILE = "none"
"""The tile of a card that is committed alone."""
NEW_HAND = "new-hand"

Cell = tuple[int, int]

_STEPS = [(int(DX[side]), int(DY[side])) for side in range(N_DIRECTIONS)]
_WAYS = {"after": 1, "before": -1}


def choice(g: State, action: int) -> Choice:
    """The picks and places of an action of the seat to act."""
    text = action_text(g, action)
    verb, colon, name = text.partition(":")
    if not colon:
        return _commit(g, text)
    if verb == "keep":
        return Choice({verb: name}, (place_of(name),))
    if verb == "token" and name in _WAYS:
        return Choice({verb: name}, _beyond(g, _WAYS[name]))
    return Choice({verb: name})


def _commit(g: State, text: str) -> Choice:
    """A New Hand, or a card alone or with a tile; the place is the building or token that the card names."""
    card, _, tile = text.partition("+")
    if card == NEW_HAND:
        return Choice({"card": card})
    return Choice({"card": card, "tile": tile or NO_TILE}, (place_of(card),), sentence=_sentence(g, IDS[card], tile))


def _sentence(g: State, card: int, tile: str) -> str:
    """A commitment with what it would bring or cost if it were resolved now (R4 to R6)."""
    name, slot = NAMES[card], NONE if card in LETTERS else int(g.slot[card])
    if slot == NONE and not tile:
        return translate("Exploit {card}: take a resource or a tile", card=name)
    if slot == NONE:
        return translate("Urbanize with {tile} at {card}", tile=tile, card=name)
    floors, color = int(g.floors[slot]), TILE_COLOR[card]
    if not tile:
        return translate("Exploit {card}: gain {items}", card=name, items=translate.counted(floors, _ITEM_NOUNS[color]))
    built, experts = IDS[tile], expert_of(g, g.actor)
    points = 0 if "artist" in experts else max(0, int(TILE_NUMBER[card] - TILE_NUMBER[built]))
    resources = floors + 1 + int(TILE_COLOR[built] != color and "mayor" not in experts)
    price = items_text([resources, 0, points])
    return translate("Build {tile} on {card}: pay {price}, keep card {card}", tile=tile, card=name, price=price)


def place_of(name: str) -> str:
    """The part of the picture with a building, named by its top tile, or with a token."""
    return f"cell:{name}"


# --- where the token goes (R6.2, R6.3) -------------------------------------------------------------------------------------


def free_sides(g: Readable) -> dict[str, Cell]:
    """The empty cells beside the building that was just urbanized, by direction (R6.2)."""
    taken, (x, y) = {*_buildings(g), *_tokens(g)}, (int(g.x[g.building]), int(g.y[g.building]))
    cells = {Side(side).name: (x + dx, y + dy) for side, (dx, dy) in enumerate(_STEPS)}
    return {name: cell for name, cell in cells.items() if cell not in taken}


def _beyond(g: State, way: int) -> tuple[str, ...]:
    """The token after or before which the current one goes; tokens in holes are skipped (R6.3)."""
    letter, tokens, land = int(g.card[g.player]) - N_TILES, list(_tokens(g)), _open_land(g)
    others = ((letter - way * k) % N_LETTERS for k in range(1, N_LETTERS))
    return next(((place_of(NAMES[N_TILES + other]),) for other in others if tokens[other] in land), ())


def _open_land(g: Readable) -> set[Cell]:
    """The empty cells up to one step beyond the city, except holes."""
    built = set(_buildings(g))
    west, east = min(x for x, _ in built) - 1, max(x for x, _ in built) + 1
    north, south = min(y for _, y in built) - 1, max(y for _, y in built) + 1
    reached, new = {(west, north)}, [(west, north)]
    while new:
        x, y = new.pop()
        beside = [(x + dx, y + dy) for dx, dy in _STEPS if west <= x + dx <= east and north <= y + dy <= south]
        new += (more := [cell for cell in beside if cell not in built and cell not in reached])
        reached.update(more)
    return reached


def _buildings(g: Readable) -> Iterator[Cell]:
    return ((int(g.x[s]), int(g.y[s])) for s in range(g.n_buildings))


def _tokens(g: Readable) -> Iterator[Cell]:
    return ((int(g.token_x[k]), int(g.token_y[k])) for k in range(N_LETTERS))


# --- clickable parts of a picture --------------------------------------------------------------------------------------------


_HELD: Mapping[Stage | None, Mapping[str, str]] = {
    Stage.DRAFT: {"packet": "draft", "packet_experts": "draft"},
    Stage.COMMIT: {"hand": "card", "tiles": "tile"},
    Stage.RETURN: {"tiles": "return"},
    Stage.LOWER: {"tiles": "lower"},
    Stage.EVENT: {"events": "event"},
    Stage.KEEP: {"hand": "keep"},
}
"""By kind of decision: fields with cards and tiles that can be picked, and the group of the picks."""

_COUNTED: Mapping[Stage | None, Mapping[str, str]] = {
    Stage.COMMIT: {"New Hands": f"card:{NEW_HAND}"},
    Stage.TAKE: {"supply": "take:resource", "tile supply": "take:tile"},
    Stage.SPLIT: {"tile supply": "split:done", "new buildings": "split:new-building", "green spaces": "split:green-space"},
}
"""By kind of decision: counters that can be picked, and the pick."""

COLORS = dict(zip(COLOR_LETTERS, ("red", "blue", "yellow"), strict=True))


def asked_of(g: VisibleState) -> Stage | None:
    """The kind of decision of the viewer; None if another seat acts, as the picture has no parts then."""
    return Stage(g.stage) if g.viewer == g.actor else None


def group_of(g: VisibleState, p: int, field: str) -> str:
    """The group of picks in a field of a side; empty if nothing in it can be picked."""
    return _HELD.get(asked_of(g), {}).get(field, "") if p == g.viewer else ""


def with_parts(boxes: Iterable[Box], group: str, names: Iterable[str]) -> list[Box]:
    """Boxes as parts of a group; unchanged without a group."""
    if not group:
        return list(boxes)
    return [box._replace(body=svg.named(f"{group}:{name}", box.body)) for box, name in zip(boxes, names, strict=True)]


def counter_with_part(g: VisibleState, name: str, n: int) -> Box:
    """A counter as a part with all of its area, if it can be picked now."""
    box, part = counter_of(name, n), _COUNTED.get(asked_of(g), {}).get(name, "")
    return box._replace(body=svg.named(part, box.body + click_area(0, 0, box.width, box.height))) if part else box


def click_area(x: float, y: float, width: float, height: float) -> str:
    """An invisible area that can be clicked."""
    return svg.rect(x, y, width, height, fill="none", pointer_events="all")


# --- titles of pieces: what they are and bring, with the paragraph of the rules ----------------------------------------------


_ITEM_NOUNS = ("resource", "tile", "SP")  # by Item; the native items of red, blue and yellow
_COLORS = ("red", "blue", "yellow")
_BONUSES = {
    Action.EXPLOIT: "{items} whenever you exploit",
    Action.URBANIZE: "{items} whenever you urbanize",
    Action.CONSTRUCT: "{items} whenever you construct",
}
_ENDGAMES = {
    Endgame.LOW_BUILDINGS: "1 SP at the end for each own building of 1 or 2 floors",
    Endgame.HIGH_BUILDINGS: "3 SP at the end for each own building of 3 or more floors",
    Endgame.EXPLOIT_CARDS: "2 SP at the end for each own card with an exploit bonus",
    Endgame.URBANIZE_CARDS: "2 SP at the end for each own card with an urbanize bonus",
    Endgame.CONSTRUCT_CARDS: "2 SP at the end for each own card with a construct bonus",
    Endgame.FIXED: "9 SP at the end",
    Endgame.PERMANENT_CARDS: "1 SP at the end for each own permanent bonus card",
    Endgame.ACTION_SETS: "5 SP at the end for each set of an exploit, an urbanize and a construct card",
    Endgame.COLOR_SETS: "4 SP at the end for each set of cards of the three colors",
}
COUNTERS = {
    "SP": "Success points so far, behind the screen (R8.2)",
    "resources": "Resources behind the screen: each building costs some (R5.3, R6.1)",
    "supply": "Own resources still in the general supply (R2.5)",
    "tiles": "Tiles behind the screen, to build with (R3.1)",
    "cards": "Cards in hand (R3.1)",
    "New Hands": "New Hand tokens: a new hand for one (R3.2), or 2 points each at the end (R8.2)",
    "events": "Event tiles (X4.2)",
    "kept": "A card kept for the next round (X5.1)",
    "tile supply": "Tiles to draw: the second time that they run out the game ends (R7.3)",
    "deck": "Cards to draw (R3.5)",
    "discarded": "Cards that a new deck is made of (R3.6)",
    "new buildings": "New buildings: tiles of two rights (X0.1)",
    "green spaces": "Green spaces: one may be drawn in a turn (X3.1)",
}
"""The titles of counters by name."""


def card_title(name: str) -> str:
    """The title of a card, a character, an expert or an event."""
    if name in CHARACTER_IDS:
        return f"{translate.label('pick', 'draft', name)} (R1.6)"
    if name in EVENT_NAMES:
        return f"{translate.label('pick', 'event', name)} (X4.4)"
    if name not in IDS:
        return f"{translate.label('pick', 'draft', name)} (X6.2)"
    card = IDS[name]
    if card in LETTERS:
        return translate(
            "{card}: with a tile, a new building at token {card} (R6.1); alone, a resource or a tile (R4.1)", card=name
        )
    item = translate.counted(1, _ITEM_NOUNS[TILE_COLOR[card]])
    use = translate(
        "{card}: with a tile, build on {card} (R5.2); alone, {item} for each of its floors (R4.2)", card=name, item=item
    )
    return f"{use}. {translate('Once built, it brings {bonus} (R1.5)', bonus=bonus_text(card))}"


def bonus_text(card: int) -> str:
    """What a building card brings in a tableau (R1.5)."""
    if CARD_ACTION[card] != NONE:
        return translate(_BONUSES[Action(int(CARD_ACTION[card]))], items=items_text(CARD_GAIN[card].tolist()))
    kind, color = Endgame(int(CARD_ENDGAME[card])), int(CARD_ENDGAME_COLOR[card])
    if kind == Endgame.RESOURCES_ON_COLOR:
        return translate(f"1 SP at the end for each own resource on {_COLORS[color]} buildings")
    if kind == Endgame.COLOR_CARDS:
        return translate(f"2 SP at the end for each own {_COLORS[color]} card")
    return translate(_ENDGAMES[kind])


def items_text(numbers: Sequence[int]) -> str:
    """Numbers of resources, tiles and SP as a text."""
    return translate.joined([translate.counted(n, item) for n, item in zip(numbers, _ITEM_NOUNS, strict=True) if n])


def tile_title(name: str) -> str:
    """The title of a tile."""
    tile = IDS[name]
    if tile == GREEN_SPACE:
        return translate("GS: a green space, laid with a letter card (X3.1)")
    color, number, value = _COLORS[TILE_COLOR[tile]], int(TILE_NUMBER[tile]), int(TILE_VALUE[tile])
    text = translate(f"{{tile}}: a {color} tile, number {{n}}", tile=name, n=number)
    if tile >= FIRST_PRESTIGE:
        return f"{text} (X2)"
    return f"{text} (X1)" if tile >= FIRST_NEW_BUILDING else f"{text} (R1.1)" if value == 1 else text


def building_title(tile: int, floors: int, owner: int, pawn: int, mark: str, district: int) -> str:
    """The title of a building in the city; district 0 is none."""
    if tile == GREEN_SPACE:
        texts = [translate("green space: 1 SP at the end for each floor beside it (X3.4)")]
    else:
        kind = f"{{tile}}: a {_COLORS[TILE_COLOR[tile]]} building of {{floors}}"
        texts = [translate(kind, tile=NAMES[tile], floors=translate.counted(floors, "floor"))]
        if tile < FIRST_PRESTIGE:
            item = translate.counted(floors, _ITEM_NOUNS[TILE_COLOR[tile]])
            texts.append(translate("it brings {items} to who exploits it (R4.2) or urbanizes beside it (R6.4)", items=item))
        texts += [translate("a construction site: its card is not in the deck yet (R5.4)")] if pawn else []
    texts += [translate("owned by {side}", side=mark)] if owner != NOBODY else []
    texts += [translate("in district {n} (R8.3)", n=district)] if district else []
    return "; ".join(texts)


def token_title(name: str) -> str:
    """The title of an urbanization token."""
    return translate("token {token}: where a tile with the card {token} is laid (R6.1)", token=name)


# --- pieces ------------------------------------------------------------------------------------------------------------------


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
    trunk = svg.rect(x - 0.12 * r, y + 0.1 * r, 0.24 * r, 0.85 * r, "f-edge")
    return trunk + svg.circle(x, y - 0.25 * r, 0.68 * r, f"{cls} s-edge")


SIGNS: dict[str, Callable[[float, float, float], str]] = {
    "SP": gold_star,
    "resources": cube,
    "supply": lambda x, y, r: cube(x, y, r, "f-grey"),
    "tiles": square_sign,
    "tile supply": square_sign,
    "new buildings": lambda x, y, r: square_sign(x, y, r, "f-sky"),
    "New Hands": lambda x, y, r: disc(x, y, r, "f-sky", text="N", on="on-sky"),
    "green spaces": tree_sign,
    "events": lambda x, y, r: disc(x, y, r, "f-purple", text="!", on="on-purple"),
}
"""Signs of counters by their names in descriptions; other counters have a card."""

_ITEMS = ("resources", "tiles", "SP")  # by Item


def counter_of(name: str, n: int) -> Box:
    """A counter by its name in descriptions."""
    return _titled(translate(COUNTERS[name]), counter(SIGNS.get(name, card_sign), n, translate(name)))


def bonuses(bonus: Sequence[Sequence[int]]) -> list[Box]:
    """The bonus of each action, indexed by action and item."""
    actions = [action for action in Action if any(bonus[action])]
    names = {
        action: [Box(16, 16, action_sign(action)(8, 8, 7)), svg.label(translate(action.name.lower()), size=SMALL)]
        for action in actions
    }
    return [svg.beside([*names[action], *_items(bonus[action]), Box(8, 0)], 4) for action in actions]


def _items(numbers: Sequence[int]) -> list[Box]:
    return [
        svg.beside([svg.label(f"+{n}", size=SMALL, bold=True), Box(16, 16, SIGNS[item](8, 8, 7))], 2)
        for item, n in zip(_ITEMS, numbers, strict=True)
        if n
    ]


# --- what cards bring ------------------------------------------------------------------------------------------------------

_Sign = Callable[[float, float, float], str]
_SIZE, _HIGH = 15.0, 40.0  # of a sign on a card, and of the card
_FRAME = 2.0, 4.0  # above and beside the signs


def _titled(text: str, box: Box) -> Box:
    return box._replace(body=svg.titled(text, box.body))


@cached
def _card(name: str) -> Box:
    """A card with its name and, in signs, what it brings: the action and its items, or the points at the end (R1.5)."""
    signs = _signs(name)
    if not signs.width:
        return _titled(card_title(name), card(translate(name), hue_of(name)))
    width, hue = max(36.0, signs.width + 2 * _FRAME[1], svg.text_width(name, TEXT, bold=True) + 10), hue_of(name)
    frame = svg.rect(0.75, 0.75, width - 1.5, _HIGH - 1.5, f"soft-{hue} s-{hue}", r=5, stroke_width=1.5)
    title = svg.text(width / 2, 11, name, anchor="middle", bold=True)
    return _titled(card_title(name), Box(width, _HIGH, frame + title + signs.at((width - signs.width) / 2, _HIGH - _SIZE - 4)))


def _signs(name: str) -> Box:
    if name in CHARACTER_IDS:
        character = CHARACTER_IDS[name]
        return _bonus_signs(Action(int(CHARACTER_ACTION[character])), CHARACTER_GAIN[character].tolist())
    card = IDS.get(name)
    if card is None:
        return Box(0, 0)
    if card in LETTERS:
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
    return svg.beside([svg.label(points, size=SMALL, bold=True), _row([gold_star]), signs], 3)


def _row(signs: Sequence[_Sign]) -> Box:
    return svg.beside([Box(_SIZE, _SIZE, sign(_SIZE / 2, _SIZE / 2, 6.5)) for sign in signs], 1)


def _colored_card(hue: str) -> _Sign:
    return lambda x, y, r: card_sign(x, y, r, f"f-{hue}")


def _on_building(hue: str) -> _Sign:
    return lambda x, y, r: square_sign(x, y, 1.1 * r, f"f-{hue}") + cube(x, y, 0.6 * r)


def _floors(text: str) -> Box:
    number = svg.label(text, "on-light", size=SMALL, bold=True)
    width = number.width + 4
    frame = svg.rect(0.5, 1, width - 1, _SIZE - 2, "f-light s-edge", r=2)
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
        return svg.path(arrows[action].format(**at), "none s-ink", stroke_width=2, stroke_linecap="round")

    return drawn
