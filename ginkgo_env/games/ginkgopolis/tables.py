"""The printed components as arrays, read once from the tables in ``data/``.

Kernels see these arrays as constants. Ids: tile and building card = 20 x color + number - 1; letter = 60 + letter.
"""

from __future__ import annotations

import csv
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.games.ginkgopolis.constants import (
    N_CARDS,
    N_CHARACTERS,
    N_COLORS,
    N_LETTERS,
    N_NUMBERS,
    N_SETS,
    N_TILES,
    NONE,
    Action,
    Color,
    Endgame,
)

_ITEMS = ("resource", "tile", "points")


def _rows(name: str) -> list[dict[str, str]]:
    text = (files(__package__) / "data" / name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def _frozen(array: NDArray[np.generic]) -> NDArray[np.generic]:
    array.setflags(write=False)
    return array


CARD_NAMES: tuple[str, ...] = tuple(row["card"] for row in _rows("cards.csv")) + tuple("ABCDEFGHIJKL")
"""Names of cards by id; the first 60 are also the names of the tiles, the last 12 those of the tokens."""
CARD_IDS: dict[str, int] = {name: i for i, name in enumerate(CARD_NAMES)}
CHARACTER_NAMES: tuple[str, ...] = tuple(row["character"] for row in _rows("characters.csv"))
CHARACTER_IDS: dict[str, int] = {name: i for i, name in enumerate(CHARACTER_NAMES)}

TILE_COLOR = np.repeat(np.arange(N_COLORS, dtype=np.int64), N_NUMBERS)
TILE_NUMBER = np.tile(np.arange(1, N_NUMBERS + 1, dtype=np.int64), N_COLORS)

CARD_ACTION = np.full(N_TILES, NONE, np.int64)  # the Action whose bonus a permanent card is, else NONE
CARD_GAIN = np.zeros((N_TILES, N_COLORS), np.int64)  # its items, by Item
CARD_ENDGAME = np.zeros(N_TILES, np.int64)  # Endgame
CARD_ENDGAME_COLOR = np.full(N_TILES, NONE, np.int64)
for _i, _row in enumerate(_rows("cards.csv")):
    if _row["kind"] == "permanent":
        CARD_ACTION[_i] = Action[_row["action"].upper()]
        CARD_GAIN[_i] = [int(_row[item]) for item in _ITEMS]
    else:
        CARD_ENDGAME[_i] = Endgame[_row["endgame"].upper()]
    if _row["endgame_color"]:
        CARD_ENDGAME_COLOR[_i] = Color[_row["endgame_color"].upper()]

CHARACTER_COLOR = np.zeros(N_CHARACTERS, np.int64)
CHARACTER_ACTION = np.zeros(N_CHARACTERS, np.int64)
CHARACTER_COPIES = np.zeros(N_CHARACTERS, np.int64)
CHARACTER_START = np.zeros((N_CHARACTERS, N_COLORS), np.int64)  # items at the start, by Item
CHARACTER_GAIN = np.zeros((N_CHARACTERS, N_COLORS), np.int64)
for _i, _row in enumerate(_rows("characters.csv")):
    CHARACTER_COLOR[_i] = Color[_row["color"].upper()]
    CHARACTER_ACTION[_i] = Action[_row["action"].upper()]
    CHARACTER_COPIES[_i] = int(_row["copies"])
    CHARACTER_START[_i] = [int(_row[f"start_{item}"]) for item in ("resources", "tiles", "points")]
    CHARACTER_GAIN[_i] = [int(_row[f"bonus_{item}"]) for item in _ITEMS]

SETS = np.array([[CHARACTER_IDS[c] for c in row["characters"].split()] for row in _rows("sets.csv")], np.int64)

TOKEN_X = np.array([int(row["x"]) for row in _rows("tokens.csv")], np.int64)
TOKEN_Y = np.array([int(row["y"]) for row in _rows("tokens.csv")], np.int64)

DX = np.array([0, 1, 0, -1], np.int64)  # N E S W (R11.2: y down)
DY = np.array([-1, 0, 1, 0], np.int64)

for _table in (
    *(TILE_COLOR, TILE_NUMBER, CARD_ACTION, CARD_GAIN, CARD_ENDGAME, CARD_ENDGAME_COLOR),
    *(CHARACTER_COLOR, CHARACTER_ACTION, CHARACTER_COPIES, CHARACTER_START, CHARACTER_GAIN),
    *(SETS, TOKEN_X, TOKEN_Y, DX, DY),
):
    _frozen(_table)

if (len(CARD_NAMES), len(SETS), len(TOKEN_X)) != (N_CARDS, N_SETS, N_LETTERS):
    raise RuntimeError("the data tables of Ginkgopolis are incomplete")
