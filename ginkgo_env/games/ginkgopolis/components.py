"""The printed components as arrays, read from the tables in ``data/``.

Kernels see these arrays as constants. Ids of the base game: tile and building card = 20 x color + number - 1; letter = 60 +
letter. Those of the expansion follow: new buildings 72 + 3 x color + number - 21, prestige buildings 81 + 2 x color + number
- 24, green space 87. Arrays by tile or card have an item for each id.
"""

from __future__ import annotations

import csv
from importlib.resources import files

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.games.ginkgopolis.constants import (
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    GREEN_SPACE,
    N_ALL_CARDS,
    N_CARDS,
    N_CHARACTERS,
    N_COLORS,
    N_EVENTS,
    N_EXPERTS,
    N_IDS,
    N_LETTERS,
    N_SETS,
    N_TILES,
    NONE,
    Action,
    Color,
    Endgame,
    EventTile,
    Expert,
    Module,
)

_ITEMS = ("resource", "tile", "points")


def _rows(name: str) -> list[dict[str, str]]:
    text = (files(__package__) / "data" / f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


TABLES = {name: _rows(name) for name in ("cards", "characters", "sets", "tokens", "new_buildings", "experts")}
"""The rows of the tables, all values as texts."""
CARD_NAMES: tuple[str, ...] = tuple(row["card"] for row in TABLES["cards"]) + tuple("ABCDEFGHIJKL")
"""Names of cards by id; the first 60 are also the names of the tiles, the last 12 those of the tokens."""
CHARACTER_NAMES: tuple[str, ...] = tuple(row["character"] for row in TABLES["characters"])
CHARACTER_IDS: dict[str, int] = {name: i for i, name in enumerate(CHARACTER_NAMES)}

COLOR_LETTERS = "RBY"
NAMES: tuple[str, ...] = (
    *CARD_NAMES,
    *(row["card"] for row in TABLES["new_buildings"]),
    *(f"{color}{number}" for color in COLOR_LETTERS for number in (24, 25)),
    "GS",
)
"""Names of cards and tiles by id."""
IDS: dict[str, int] = {name: i for i, name in enumerate(NAMES)}
EXPERT_NAMES: tuple[str, ...] = tuple(row["expert"] for row in TABLES["experts"])
EVENT_NAMES: tuple[str, ...] = tuple(kind.name.lower() for kind in EventTile)
MODULE_NAMES: tuple[str, ...] = tuple(module.name.lower() for module in Module)

GREEN = N_COLORS  # in TILE_COLOR; not a color of buildings
TILE_COLOR = np.full(N_IDS, NONE, np.int64)  # NONE for letters
TILE_NUMBER = np.full(N_IDS, NONE, np.int64)  # NONE for letters, 0 for green spaces
TILE_VALUE = np.ones(N_IDS, np.int64)  # rights that a tile costs (X0.1)
for _i, _name in enumerate(NAMES):
    if _name[1:].isdigit():
        TILE_COLOR[_i], TILE_NUMBER[_i] = COLOR_LETTERS.index(_name[0]), int(_name[1:])
TILE_COLOR[GREEN_SPACE], TILE_NUMBER[GREEN_SPACE] = GREEN, 0
TILE_VALUE[FIRST_NEW_BUILDING:FIRST_PRESTIGE], TILE_VALUE[FIRST_PRESTIGE:GREEN_SPACE] = 2, 3
SPLIT_COST = np.array([3, 3, 3, 2, 1], np.int64)  # by Split
HAS_CARD = np.arange(N_IDS) < FIRST_PRESTIGE  # tiles that have a building card (X2, X3)

CARD_ACTION = np.full(N_IDS, NONE, np.int64)  # the Action whose bonus a permanent card is, else NONE
CARD_GAIN = np.zeros((N_IDS, N_COLORS), np.int64)  # its items, by Item
CARD_ENDGAME = np.zeros(N_IDS, np.int64)  # Endgame
CARD_ENDGAME_COLOR = np.full(N_IDS, NONE, np.int64)
for _row in (*TABLES["cards"], *TABLES["new_buildings"]):
    _i = IDS[_row["card"]]
    if _row["kind"] == "permanent":
        CARD_ACTION[_i] = Action[_row["action"].upper()]
        CARD_GAIN[_i] = [int(_row[item]) for item in _ITEMS]
    else:
        CARD_ENDGAME[_i] = Endgame[_row["endgame"].upper()]
    if _row["endgame_color"]:
        CARD_ENDGAME_COLOR[_i] = Color[_row["endgame_color"].upper()]

# R11.1 with the expansion: red 1 to 25, blue, yellow, green spaces; letters after all other cards.
RANK = np.array(
    [(1000 if n in range(N_TILES, N_CARDS) else 100 * TILE_COLOR[n] + TILE_NUMBER[n]) for n in range(N_IDS)], np.int64
)
CARD_ORDER = np.argsort(RANK[:N_ALL_CARDS], kind="stable")

EVENTS_OF_EXPERT = np.array(
    [sum(1 << EventTile[row[key].upper()] for key in ("event_1", "event_2")) for row in TABLES["experts"]], np.int64
)  # X4.1, as bits
EVENT_PAIRS = np.array([1 << a | 1 << b for a in range(N_EVENTS) for b in range(a + 1, N_EVENTS)], np.int64)
COLOR_OF_EXPERT = np.full(N_EXPERTS, NONE, np.int64)  # whose buildings count for the expert at the end (X6)
COLOR_OF_EXPERT[[Expert.ENTREPRENEUR, Expert.PROFESSOR, Expert.JOURNALIST]] = list(Color)

CHARACTER_COLOR = np.zeros(N_CHARACTERS, np.int64)
CHARACTER_ACTION = np.zeros(N_CHARACTERS, np.int64)
CHARACTER_COPIES = np.zeros(N_CHARACTERS, np.int64)
CHARACTER_START = np.zeros((N_CHARACTERS, N_COLORS), np.int64)  # items at the start, by Item
CHARACTER_GAIN = np.zeros((N_CHARACTERS, N_COLORS), np.int64)
for _i, _row in enumerate(TABLES["characters"]):
    CHARACTER_COLOR[_i] = Color[_row["color"].upper()]
    CHARACTER_ACTION[_i] = Action[_row["action"].upper()]
    CHARACTER_COPIES[_i] = int(_row["copies"])
    CHARACTER_START[_i] = [int(_row[f"start_{item}"]) for item in ("resources", "tiles", "points")]
    CHARACTER_GAIN[_i] = [int(_row[f"bonus_{item}"]) for item in _ITEMS]

SETS = np.array([[CHARACTER_IDS[c] for c in row["characters"].split()] for row in TABLES["sets"]], np.int64)

TOKEN_X = np.array([int(row["x"]) for row in TABLES["tokens"]], np.int64)
TOKEN_Y = np.array([int(row["y"]) for row in TABLES["tokens"]], np.int64)

DX = np.array([0, 1, 0, -1], np.int64)  # N E S W (R11.2: y down)
DY = np.array([-1, 0, 1, 0], np.int64)

for _table in list(globals().values()):
    if isinstance(_table, np.ndarray):
        _table.setflags(write=False)

if (len(CARD_NAMES), len(SETS), len(TOKEN_X), len(NAMES), len(EXPERT_NAMES)) != (N_CARDS, N_SETS, N_LETTERS, N_IDS, N_EXPERTS):
    raise RuntimeError("the data tables of Ginkgopolis are incomplete")


@kernel
def is_letter(card: int) -> bool:
    """Whether a card is an urbanization card."""
    return N_TILES <= card < N_CARDS
