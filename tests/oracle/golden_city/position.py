"""The table in text form and back (G11.5)."""

from pathlib import Path
from typing import Any

from .board import Board, landscapes_in_order, load_board
from .setup import board_of
from .table import Chance, Decision, Pair, Player, Table, Turn

Json = dict[str, Any]


def to_position(table: Table, decision: Decision) -> Json:
    """A position without "random" and "seed"; lists that are not drawn from are in order."""
    board, turn = table.board, table.turn
    return {
        "format": "ginkgo-position",
        "version": 1,
        "game": "golden_city",
        "config": dict(table.config),
        "board_digest": board.digest,
        "round": table.round,
        "first_player": table.first_player,
        "decision": {"kind": decision.kind, "actor": decision.actor},
        "ending": table.ending,
        "blocked": sorted(table.blocked),
        "scoring_card": table.scoring_card,
        "scoring_stack": list(table.scoring_stack),
        "pairs": [{"cards": list(pair.cards), "seat": pair.seat} for pair in table.pairs],
        "displacements": table.displacements,
        "turn": None if turn is None else dict(vars(turn)),
        "houses": {name: sorted(table.houses[name]) for name in board.places if table.houses.get(name)},
        "deck": list(table.deck),
        "discard": landscapes_in_order(table.discard),
        "goods": {
            "display": board.goods_in_order(table.display),
            "stack": list(table.goods_stack),
            "box": board.goods_in_order(table.boxed),
        },
        "bonus_taken": [[seat, card] for seat, card in table.bonus_taken],
        "keys": table.keys,
        "coins": table.coins,
        "players": [player_to_json(board, player) for player in table.players],
    }


def player_to_json(board: Board, player: Player) -> Json:
    return {
        "letters": dict(player.letters),
        "coins": player.coins,
        "keys": player.keys,
        "houses_left": player.houses_left,
        "hand": landscapes_in_order(player.hand),
        "known": landscapes_in_order(player.known),
        "goods": board.goods_in_order(player.goods),
    }


def from_position(position: Json, chance: Chance, folder: Path | str | None = None) -> tuple[Table, Decision]:
    """The table and the open decision of a position. Refuses another board's digest; nothing else is checked."""
    board = load_board(board_of(position["config"], folder))
    if position["board_digest"] != board.digest:
        raise ValueError(f"the position is of another board: {position['board_digest']}, not {board.digest}")
    goods, turn = position["goods"], position["turn"]
    players = [
        Player(
            *(entry["houses_left"], entry["coins"], dict(entry["letters"]), entry["keys"]),
            *(list(entry["hand"]), list(entry["known"]), list(entry["goods"])),
        )
        for entry in position["players"]
    ]
    table = Table(
        dict(position["config"]),
        board,
        chance,
        players,
        first_player=position["first_player"],
        round=position["round"],
        ending=position["ending"],
        blocked=list(position["blocked"]),
        scoring_card=position["scoring_card"],
        scoring_stack=list(position["scoring_stack"]),
        pairs=[Pair(list(pair["cards"]), pair["seat"]) for pair in position["pairs"]],
        displacements=position["displacements"],
        turn=None if turn is None else Turn(**turn),
        houses={name: list(seats) for name, seats in position["houses"].items()},
        deck=list(position["deck"]),
        discard=list(position["discard"]),
        display=list(goods["display"]),
        goods_stack=list(goods["stack"]),
        boxed=list(goods["box"]),
        bonus_taken=[(seat, card) for seat, card in position["bonus_taken"]],
        keys=position["keys"],
        coins=position["coins"],
    )
    return table, Decision(**position["decision"])
