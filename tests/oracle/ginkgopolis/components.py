"""What is in the box: names, their order, and the printed data of cards and characters (R1, R11, X7.5)."""

from dataclasses import dataclass

COLORS = "RBY"  # R11.1: red, blue, yellow
LETTERS = "ABCDEFGHIJKL"
ACTIONS = ("exploit", "urbanize", "construct")

TILES = [f"{color}{number}" for color in COLORS for number in range(1, 21)]  # R1.1
START_TILES = [tile for tile in TILES if int(tile[1:]) <= 3]  # R2.1
CARDS = TILES + list(LETTERS)  # R1.2
CHARACTERS = ["RE", "RU", "RC", "BE", "BU", "BC", "YE", "YU", "YC"]  # R11.1

GREEN = "GS"  # X3: nine equal tiles
GREEN_SPACES = 9
NEW_BUILDINGS = [f"{color}{number}" for color in COLORS for number in range(21, 24)]  # X1: tiles, and a card for each
PRESTIGE = [f"{color}{number}" for color in COLORS for number in range(24, 26)]  # X2: tiles without cards

ORDER = [f"{color}{number}" for color in COLORS for number in range(1, 26)] + [GREEN] + list(LETTERS)  # X0.4, R11.1
CARD_RANK = {name: rank for rank, name in enumerate(ORDER)}
CHARACTER_RANK = {name: rank for rank, name in enumerate(CHARACTERS)}


def in_order(names: list[str]) -> list[str]:
    """Tiles and cards in the order of R11.1 and X0.4."""
    return sorted(names, key=CARD_RANK.__getitem__)


def characters_in_order(names: list[str]) -> list[str]:
    """Characters by color, then action (R11.1)."""
    return sorted(names, key=CHARACTER_RANK.__getitem__)


def is_letter(card: str) -> bool:
    """Whether a card is an urbanization card; `B` is a letter, `B12` a tile or building card (R11.1)."""
    return card in LETTERS


def color_of(tile: str) -> str:
    """Color letter of a tile or building card."""
    return tile[0]


def number_of(tile: str) -> int:
    """Number of a tile or building card."""
    return int(tile[1:])


def has_card(tile: str) -> bool:
    """Whether there is a card for a tile: not for prestige buildings (X2) and green spaces (X3)."""
    return tile != GREEN and tile not in PRESTIGE


@dataclass(frozen=True)
class Items:
    """Some resources, tiles and success points (R1.4)."""

    resources: int = 0
    tiles: int = 0
    points: int = 0

    def __add__(self, other: "Items") -> "Items":
        return Items(self.resources + other.resources, self.tiles + other.tiles, self.points + other.points)


NOTHING = Items()
RESOURCE, TILE, POINT = Items(resources=1), Items(tiles=1), Items(points=1)


def native(color: str, count: int = 1) -> Items:
    """What buildings of a color produce (R1.4)."""
    return {"R": Items(resources=count), "B": Items(tiles=count), "Y": Items(points=count)}[color]


# R1.5, cards 1-9: number -> (action, red, blue, yellow)
PERMANENT: dict[int, tuple[str, Items, Items, Items]] = {
    1: ("exploit", RESOURCE, TILE, POINT),
    2: ("urbanize", RESOURCE, TILE, POINT),
    3: ("construct", RESOURCE, TILE, POINT),
    4: ("exploit", RESOURCE, TILE, POINT),
    5: ("urbanize", RESOURCE, TILE, POINT),
    6: ("construct", RESOURCE, TILE, POINT),
    7: ("exploit", RESOURCE + POINT, TILE + POINT, POINT + POINT),
    8: ("urbanize", RESOURCE + POINT, TILE + POINT, POINT + POINT),
    9: ("construct", RESOURCE + POINT, TILE + POINT, POINT + POINT),
}

# R1.5, cards 10-13: number -> color counted by the red, the blue and the yellow card
COUNTED_COLOR = {10: "RBY", 11: "YRR", 12: "BYB", 13: "RBY"}

# R1.5, cards 16-18: number -> action counted
COUNTED_ACTION = {16: "exploit", 17: "urbanize", 18: "construct"}

# R1.6: character -> (copies, items at the start)
CHARACTER_DATA = {
    "RE": (4, Items(resources=1, points=1, tiles=1)),
    "RU": (4, Items(resources=1, points=1, tiles=1)),
    "RC": (4, Items(tiles=1)),
    "BE": (3, Items(resources=2, points=1)),
    "BU": (3, Items(resources=2, points=1)),
    "BC": (3, Items(resources=1)),
    "YE": (2, Items(resources=2, points=2, tiles=1)),
    "YU": (2, Items(resources=2, points=2, tiles=1)),
    "YC": (2, Items(resources=2, points=1, tiles=1)),
}

ALL_CHARACTERS = [name for name in CHARACTERS for _ in range(CHARACTER_DATA[name][0])]

# R1.6: set -> its red, yellow and blue card (this is the order in which the rules print the actions)
SETS = {
    1: ["RU", "YC", "BC"],
    2: ["RC", "YC", "BE"],
    3: ["RE", "YU", "BU"],
    4: ["RU", "YU", "BC"],
    5: ["RE", "YE", "BC"],
    6: ["RU", "YE", "BE"],
}

CHARACTER_ACTION = {"E": "exploit", "U": "urbanize", "C": "construct"}

RESOURCES_PER_SIDE = {1: 25, 2: 25, 3: 20, 4: 18, 5: 16}  # R2.5, R9.1


def few_players(players: int) -> bool:
    """Whether 6 tiles leave the game and 7 cards are discarded (R2.3, R2.4; alone as with 2: R9.1)."""
    return players <= 3


def bonus_action(card: str) -> str | None:
    """The action whose bonus a card in front of a screen gives; None for endgame cards (R1.5, R1.6)."""
    if card in CHARACTER_RANK:
        return CHARACTER_ACTION[card[1]]
    return PERMANENT[number_of(card)][0] if number_of(card) in PERMANENT else None


def bonus_items(card: str) -> Items:
    """What a permanent bonus card gives each time (R1.5, R1.6)."""
    if card in CHARACTER_RANK:
        return native(color_of(card))
    _, red, blue, yellow = PERMANENT[number_of(card)]
    return {"R": red, "B": blue, "Y": yellow}[color_of(card)]
