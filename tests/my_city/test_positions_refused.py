"""Positions that are malformed or that no game comes to are refused, with a sentence that names the place (M11.9, M14.26)."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from ginkgo_env import PositionError

from .played import MIDROUND, TWO, accepted, examples, game, opening, steps

Json = dict[str, Any]

P0, P1 = ("players", 0), ("players", 1)


def put(*path: Any) -> Any:
    """Set what a path leads to; the last argument is the value."""

    def edit(data: Any) -> None:
        *way, key, value = path
        for step in way:
            data = data[step]
        data[key] = value

    return edit


def drop(*path: Any) -> Any:
    def edit(data: Any) -> None:
        *way, key = path
        for step in way:
            data = data[step]
        del data[key]

    return edit


def all_of(*edits: Any) -> Any:
    return lambda data: [edit(data) for edit in edits]


def swap(one: str, other: str) -> Any:
    """Two cards change places."""

    def edit(data: Any) -> None:
        for key in ("revealed", "deck"):
            data[key] = [{one: other, other: one}.get(card, card) for card in data[key]]

    return edit


Y1_AT = ("placed", 0, "at")
REFUSED: list[tuple[Any, str]] = [
    # --- form
    (put("config", {"players": 2}), "config: missing board, buildings"),
    (put("config", "players", 3), "config.players: expected 2, got 3"),
    (put("config", "players", 5), "config.players: expected 2, got 5"),
    (put("config", "board", "x"), "config.board: expected 'own', got 'x'"),
    (put("config", "buildings", None), "config.buildings: expected 'own', got None"),
    # --- cards
    (put("revealed", 0, "Y9"), "revealed: unexpected 'Y9'"),
    (put("revealed", ["Y1", "X", "R3", "C1", "Y1"]), "deck: expected each card once, revealed or in the deck"),
    (put("revealed", ["Y1", "X", "R3", "C1", "Y2"]), "deck: expected each card once, revealed or in the deck"),
    (drop("deck", 3), "deck: expected each card once, revealed or in the deck"),
    (put("deck", []), "deck: expected each card once, revealed or in the deck"),
    (put("blocked", None), "blocked: expected 'R3', got None"),
    (put("blocked", "Y2"), "blocked: expected 'R3', got 'Y2'"),
    (swap("X", "Y2"), "players[0]: expected Y2 among the buildings placed or passed, or the end in round 2"),
    (swap("X", "R3"), "players[0]: expected R3 among the buildings placed or passed, or the end in round 2"),
    (swap("Y1", "Y2"), "players[0]: expected Y2 among"),
    # --- where the game stands
    (put("round", 3), "round: expected 2, got 3"),
    (put("round", 2.0), "round: expected 2, got 2.0"),
    (put("decision", "kind", "over"), "decision.kind: expected 'build', got 'over'"),
    (put("decision", "actor", 0), "decision.actor: expected 1, got 0"),
    (put("decision", "actor", True), "decision.actor: expected 1, got True"),
    (put("ending", "cards"), "ending: expected None, got 'cards'"),
    (put("gold_round", 1), "gold_round: expected None, got 1"),
    # --- players
    (put(*P1, "points", 10), "players[1].points: expected 9, got 10"),
    (put(*P0, "gold", True), "players[0].gold: expected False, got True"),
    (put(*P0, "gold", 0), "players[0].gold: expected False, got 0"),
    (put(*P0, "ended", 2), "players[0].ended: expected None, got 2"),
    (put(*P0, *Y1_AT, "d4E"), "players[0].choice: f1E is not legal with C1 in round 2"),  # it lies apart
    (put(*P0, *Y1_AT, "e2E"), "players[0].placed[0].at: e2E is not legal with Y1 in round 1"),
    (put(*P0, *Y1_AT, "pass"), "players[0].placed[0].at: expected a cell and a heading, got 'pass'"),
    (put(*P0, *Y1_AT, "e12N"), "players[0].placed[0].at: 'e12N': the board ends at k11"),
    (put(*P0, *Y1_AT, "e01E"), "players[0].placed[0].at: 'e01E': expected a cell and a heading such as a1N"),
    (put(*P0, "placed", 0, "building", "X"), "players[0].placed[0].building: unexpected 'X'"),
    (put(*P0, "placed", 0, "building", "Y2"), "players[0]: expected Y1 among"),
    (put(*P0, "passed", ["Y1"]), "players[0].passed[0]: Y1 was built or passed before"),
    (put(*P1, "passed", ["Y1", "Y1"]), "players[1].passed[1]: Y1 was built or passed before"),
    (put(*P1, "passed", []), "players[1]: expected Y1 among"),
    (put(*P1, "passed", ["Y1", "R3"]), "players[1].passed: expected a list of 1, got 2"),
    (put(*P1, "passed", ["Y1", "C1"]), "players[1].passed[1]: pass is not legal with C1 in round 2"),
    (put(*P0, "choice", None), "decision.actor: expected 0, got 1"),
    (put(*P0, "choice", "pass"), "players[0].choice: pass is not legal with C1 in round 2"),
    (put(*P0, "choice", "e1E"), "players[0].choice: e1E is not legal with C1 in round 2"),
    (put(*P0, "choice", "C1"), "players[0].choice: 'C1': expected a cell and a heading"),
    (put(*P1, "choice", "end"), "round: expected 3, got 2"),
    (put(*P1, "ended", 1), "players[1].ended: expected None, got 1"),
    (all_of(put(*P1, "passed", []), put(*P1, "ended", 1)), "round: expected 3, got 2"),
    (all_of(put(*P1, "passed", []), put(*P1, "ended", 1.0)), "players[1]: expected Y1 among"),
]  # fmt: skip


@pytest.mark.parametrize("i", range(len(REFUSED)))
def test_refused(i: int) -> None:
    """M14.26."""
    edit, message = REFUSED[i]
    data = copy.deepcopy(MIDROUND)
    edit(data)
    with pytest.raises(PositionError) as error:
        TWO.from_position(data)
    assert str(error.value).startswith(f"position: {message}"), str(error.value)


@pytest.mark.parametrize("thing", [None, 3, "build", [], {}])
def test_things_that_are_no_position(thing: Any) -> None:
    with pytest.raises(PositionError, match="position: "):
        TWO.from_position(thing)


def three(choices: list[str | None], actor: int) -> Json:
    """Round 1 of three players, with Y1."""
    data = opening(3, [*game(3).buildings.cards])
    data["decision"]["actor"] = actor
    for player, choice in zip(data["players"], choices, strict=True):
        player["choice"] = choice
    return data


def test_choices_are_there_exactly_for_the_seats_before_the_actor() -> None:
    accepted(three(["e1E", "pass", None], 2))
    wrong: list[tuple[list[str | None], int]] = [
        (["e1E", None, None], 2),
        (["e1E", "pass", None], 1),
        (["e1E", None, "pass"], 1),
        ([None, "pass", None], 0),
        (["e1E", "pass", "end"], 0),
    ]
    for choices, actor in wrong:
        with pytest.raises(PositionError):
            game(3).from_position(three(choices, actor))


def test_an_order_that_play_cannot_have() -> None:
    """Placements are legal in the order in which the buildings came up, and stand in it."""
    data = copy.deepcopy(game(1).position(steps(1)[-1].after))
    placed = data["players"][0]["placed"]
    placed[0], placed[1] = placed[1], placed[0]
    with pytest.raises(PositionError, match=r"players\[0\].placed\[0\].building: expected"):
        game(1).from_position(data)


def test_a_position_does_not_wait_where_there_is_one_action() -> None:
    """M5.4: nothing but the end is left for a church that cannot be placed, so that is not asked."""
    table = game(3)
    (forced,) = (
        table.position(playback.states)
        for example, playback in examples()
        if example["name"].startswith("forced end at a church with points left, the others") and playback.actor == 1
        if table.position(playback.states)["players"][0]["choice"] == "end"
    )
    accepted(forced)
    forced["players"][0]["choice"] = None
    forced["decision"]["actor"] = 0
    with pytest.raises(PositionError, match=r"decision.actor: expected 1, got 0"):
        table.from_position(forced)
    forced["decision"]["actor"] = 1
    with pytest.raises(PositionError, match=r"players\[0\].choice: expected 'end', got None"):
        table.from_position(forced)
