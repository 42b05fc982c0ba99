"""G2 Setup."""

from pathlib import Path
from typing import Any

from .board import COINS, COINS_AT_START, COPIES, DISPLAY, HOUSES, KEYS, LANDSCAPES, load_board
from .cards import draw_unseen
from .table import Chance, Player, Table


def board_of(config: dict[str, Any], folder: Path | str | None) -> Path | str | None:
    """The folder of a configuration's board, None for the shipped one (G1.6.3)."""
    return folder if folder is not None or config["board"] == "own" else str(config["board"])


def set_up(config: dict[str, Any], chance: Chance, folder: Path | str | None) -> Table:
    """The table before round 1; the random outcomes in the order of G11.2."""
    if config.keys() != {"players", "board"} or config["players"] not in HOUSES:
        raise ValueError(f"invalid configuration {config}")
    n, board = int(config["players"]), load_board(board_of(config, folder))
    players = [Player(HOUSES[n], COINS_AT_START, hand=["coast"], known=["coast"]) for _ in range(n)]
    table = Table(dict(config), board, chance, players, keys=KEYS, coins=COINS - n * COINS_AT_START)
    copies = dict.fromkeys(LANDSCAPES, COPIES) | {"coast": COPIES - n}
    table.deck = list(chance("landscapes", [name for name in LANDSCAPES for _ in range(copies[name])]))
    goods = list(chance("goods", [card for card, number in board.goods_copies.items() for _ in range(number)]))
    table.display, table.goods_stack = goods[:DISPLAY], goods[DISPLAY:]
    for back in (1, 2, 3):
        table.scoring_stack += chance(f"scoring_{back}", [c.name for c in board.scoring.values() if c.back == back])
    table.first_player = chance("first_player", list(range(n)))
    for seat in table.seats:
        draw_unseen(table, seat)
    return table
