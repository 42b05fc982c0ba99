"""Titles of pieces: what they are and bring, with the paragraph of the rules."""

from __future__ import annotations

from collections.abc import Sequence

from ginkgo_env.core.language import ENGLISH, current_language
from ginkgo_env.drawing.presenter import read_translations
from ginkgo_env.games.ginkgopolis.constants import FIRST_NEW_BUILDING, FIRST_PRESTIGE, GREEN_SPACE, NOBODY, NONE, Action, Endgame
from ginkgo_env.games.ginkgopolis.tables import (
    CARD_ACTION,
    CARD_ENDGAME,
    CARD_ENDGAME_COLOR,
    CARD_GAIN,
    CHARACTER_IDS,
    EVENT_NAMES,
    IDS,
    NAMES,
    TILE_COLOR,
    TILE_NUMBER,
    TILE_VALUE,
)
from ginkgo_env.games.ginkgopolis.text.reading import is_letter
from ginkgo_env.games.ginkgopolis.text.words import say

_TEXTS = read_translations(__package__)
_ITEMS = ("resource", "tile", "SP")  # by Item; the native items of red, blue and yellow
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
    texts = _TEXTS.get(current_language(), _TEXTS[ENGLISH])
    if name in CHARACTER_IDS:
        return f"{texts[f'pick:draft:{name}']} (R1.6)"
    if name in EVENT_NAMES:
        return f"{texts[f'pick:event:{name}']} (X4.4)"
    if name not in IDS:
        return f"{texts[f'pick:draft:{name}']} (X6.2)"
    card = IDS[name]
    if is_letter(card):
        return say("{card}: with a tile, a new building at token {card} (R6.1); alone, a resource or a tile (R4.1)", card=name)
    item = say.counted(1, _ITEMS[TILE_COLOR[card]])
    use = say("{card}: with a tile, build on {card} (R5.2); alone, {item} for each of its floors (R4.2)", card=name, item=item)
    return f"{use}. {say('Once built, it brings {bonus} (R1.5)', bonus=bonus_text(card))}"


def bonus_text(card: int) -> str:
    """What a building card brings in a tableau (R1.5)."""
    if CARD_ACTION[card] != NONE:
        return say(_BONUSES[Action(int(CARD_ACTION[card]))], items=items_text(CARD_GAIN[card].tolist()))
    kind, color = Endgame(int(CARD_ENDGAME[card])), int(CARD_ENDGAME_COLOR[card])
    if kind == Endgame.RESOURCES_ON_COLOR:
        return say(f"1 SP at the end for each own resource on {_COLORS[color]} buildings")
    if kind == Endgame.COLOR_CARDS:
        return say(f"2 SP at the end for each own {_COLORS[color]} card")
    return say(_ENDGAMES[kind])


def items_text(numbers: Sequence[int]) -> str:
    """Numbers of resources, tiles and SP in words."""
    return say.joined([say.counted(n, item) for n, item in zip(numbers, _ITEMS, strict=True) if n])


def tile_title(name: str) -> str:
    """The title of a tile."""
    tile = IDS[name]
    if tile == GREEN_SPACE:
        return say("GS: a green space, laid with a letter card (X3.1)")
    color, number, value = _COLORS[TILE_COLOR[tile]], int(TILE_NUMBER[tile]), int(TILE_VALUE[tile])
    text = say(f"{{tile}}: a {color} tile, number {{n}}", tile=name, n=number)
    if tile >= FIRST_PRESTIGE:
        return f"{text} (X2)"
    return f"{text} (X1)" if tile >= FIRST_NEW_BUILDING else f"{text} (R1.1)" if value == 1 else text


def building_title(tile: int, floors: int, owner: int, pawn: int, mark: str, district: int) -> str:
    """The title of a building in the city; district 0 is none."""
    if tile == GREEN_SPACE:
        words = [say("green space: 1 SP at the end for each floor beside it (X3.4)")]
    else:
        kind = f"{{tile}}: a {_COLORS[TILE_COLOR[tile]]} building of {{floors}}"
        words = [say(kind, tile=NAMES[tile], floors=say.counted(floors, "floor"))]
        if tile < FIRST_PRESTIGE:
            item = say.counted(floors, _ITEMS[TILE_COLOR[tile]])
            words.append(say("it brings {items} to who exploits it (R4.2) or urbanizes beside it (R6.4)", items=item))
        words += [say("a construction site: its card is not in the deck yet (R5.4)")] if pawn else []
    words += [say("owned by {side}", side=mark)] if owner != NOBODY else []
    words += [say("in district {n} (R8.3)", n=district)] if district else []
    return "; ".join(words)


def token_title(name: str) -> str:
    """The title of an urbanization token."""
    return say("token {token}: where a tile with the card {token} is laid (R6.1)", token=name)
