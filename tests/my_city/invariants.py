"""What must be true of every record of My City, said slowly and apart from the code that keeps it so (M14.28).

All that a record keeps of a board follows from the placements, no card is lost, and points are what counting gives.
"""

from __future__ import annotations

from typing import Any

from ginkgo_env.core.game import Game, States
from ginkgo_env.games.my_city.board import Board
from ginkgo_env.games.my_city.constants import NOBODY, NONE, Ending, Stage
from ginkgo_env.games.my_city.game import MyCity

from .slow import COLORS, Cell, built, empty_by_row, members, sources


def words(board: Board, cells: set[Cell]) -> list[int]:
    """A set of cells as a record holds it."""
    bits = sum(1 << (r * len(board.terrain[0]) + c) for r, c in cells)
    return [bits & (1 << 64) - 1, bits >> 64]


def check_fields(game: MyCity, g: Any, p: int) -> None:
    """What a record keeps of a player's board besides `at` follows from it; counters are what they were paid."""
    board, on = game.board, built(game, g, p)
    for color, name in enumerate((*COLORS, "church")):
        own = [cells for building, cells in on.items() if building.color.name.lower() == name]
        assert g["covered"][p, color].tolist() == words(board, set().union(*own)), name
    assert sum(map(len, on.values())) == len(set().union(*on.values()))  # no cell twice
    same = {cell: cells for cells in on.values() for cell in cells}
    assert g["anchors"][p].tolist() == words(board, {min(cells) for cells in on.values()})
    assert g["east"][p].tolist() == words(board, {(r, c) for r, c in same if (r, c + 1) in same[r, c]})
    assert g["south"][p].tolist() == words(board, {(r, c) for r, c in same if (r + 1, c) in same[r, c]})
    assert {game.buildings.list[b] for b in members(g["placed"][p])} == set(on)
    assert g["points"][p] == 10 - len(members(g["passed"][p])) + 3 * g["gold"][p] >= 0


def check_cards(game: MyCity, g: Any) -> None:
    """Every building of every player is in the deck, current, placed, passed, blocked or unbuilt by an end (M14.28)."""
    n, drawn, now = len(game.buildings.list), int(g["drawn"]), int(g["current"])
    deck = g["deck"].tolist()
    assert sorted(deck[: n + 1]) == list(range(n + 1)) and set(deck[n + 1 :]) <= {-1}
    came = deck[:drawn]
    if n in came:
        x = came.index(n)
        assert came[x + 1 : x + 2] == ([int(g["blocked"])] if g["blocked"] >= 0 else [])
        del came[x : x + 2]
    assert len(came) == g["rounds"] and now in (came[-1:] or [-1]) + [-1]
    for p in range(game.seats):
        placed, passed = members(g["placed"][p]), members(g["passed"][p])
        rounds = g["ended"][p] - 1 if g["ended"][p] else g["rounds"] - (now >= 0)
        assert placed | passed == set(came[:rounds]) and not placed & passed


def check_moment(game: MyCity, g: Any) -> None:
    """The actor, what has been chosen in this round, and the ending fit together."""
    over = g["stage"] == Stage.OVER
    playing = [p for p in range(game.seats) if not g["ended"][p]]
    assert (g["actor"] == NOBODY) == over == (g["current"] == NONE)
    assert g["ending"] == ((Ending.CARDS if playing else Ending.ENDED) if over else Ending.NONE)
    assert [p for p in range(game.seats) if g["choice"][p] != NONE] == [p for p in playing if p < g["actor"]]
    assert bool(g["gold"].any()) == (g["gold_round"] > 0)


def check_invariants(game: Game, state: States) -> None:
    """Raise AssertionError unless everything holds, in a state (1,)."""
    assert isinstance(game, MyCity)
    g = state[0]
    found = game.outcome(state)
    for p in range(game.seats):
        check_fields(game, g, p)
        assert {s: n for s, n in found.breakdown[p].items() if s != "total"} == sources(game, g, p)
        assert sum(sources(game, g, p).values()) == found.scores[p]
        assert game.result_details(state)["empty_by_row"][p] == empty_by_row(game, g, p)
    check_cards(game, g)
    check_moment(game, g)
    assert not any(value.any() for value in (g["at"][game.seats :] + 1, g["covered"][game.seats :], g["points"][game.seats :]))
    if found.ending is not None:
        ranks = [(found.scores[p], *(-n for n in empty_by_row(game, g, p))) for p in range(game.seats)]
        assert found.winners == tuple(p for p, rank in enumerate(ranks) if rank == max(ranks))  # M8.8
        order = sorted(range(game.seats), key=lambda p: found.standings[p])
        assert [ranks[p] for p in order] == sorted(ranks)
