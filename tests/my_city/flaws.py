"""What cannot be in My City: the table of flaws (``tests/contract/flaws.py``).

A position is replayed, so it cannot say what play cannot lead to (M14.26). Flaws of records are made in the records themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ginkgo_env.games.my_city.constants import NOBODY, Ending, Source, Stage
from ginkgo_env.games.my_city.validity import Flaw

from ..contract.flaws import Edit, Json, Says, add, lose, more, put, reverse, to
from ..rules.my_city.positions import table
from .played import MIDROUND, examples, game, opening, steps


def four() -> Json:
    """Seats 0 and 1 have chosen, seat 2 decides; one has passed, one has ended."""
    found = table("Y1", "R1", "X", "C1", "B1", players=4).play("e1E", "pass", "d1N", "end", "f1E", "e1E", "pass")
    found.play("pass", "f1N")
    return found.game.position(found.state)


def three(choices: tuple[str | None, ...] = ("e1E", "pass", None), actor: int = 2) -> Json:
    """Round 1 of three players, with Y1."""
    data = opening(3, [*game(3).buildings.cards])
    data["decision"]["actor"] = actor
    for player, choice in zip(data["players"], choices, strict=True):
        player["choice"] = choice
    return data


def forced() -> Json:
    """M5.4: nothing but the end is left for a church that seat 0 cannot place, so that it is not asked."""
    (found,) = (
        data
        for example, playback in examples()
        if example["name"].startswith("forced end at a church with points left, the others") and playback.actor == 1
        if (data := playback.game.position(playback.states))["players"][0]["choice"] == "end"
    )
    return found


def last(players: int) -> Json:
    """A finished game."""
    return game(players).position(steps(players)[-1].after)


BASES: dict[str, Callable[[], Json]] = {
    "midround": lambda: MIDROUND,  # the position of the rules (M11.9)
    "four": four,
    "three": three,
    "forced": forced,
    "over": lambda: last(1),
    "over for three": lambda: last(3),
}

END = 4 * 121 + 1  # the last action
CARDS = "deck: expected each card once, revealed or in the deck"
Y1_AT = "players.0.placed.0.at"


def exchange(one: str, other: str) -> Edit:
    """Two cards change places."""

    def edit(data: Json) -> None:
        for key in ("revealed", "deck"):
            data[key] = [{one: other, other: one}.get(card, card) for card in data[key]]

    return edit


POSITIONS: list[tuple[Any, Says, *tuple[Edit, ...]]] = [
    # --- cards
    ("midround", "revealed: unexpected 'Y9'", put("revealed.0", "Y9")),
    ("midround", CARDS, put("revealed", ["Y1", "X", "R3", "C1", "Y1"])),
    ("midround", CARDS, put("revealed", ["Y1", "X", "R3", "C1", "Y2"])),
    ("midround", CARDS, lose("deck.3")),
    ("midround", CARDS, add("deck", "Y1")),
    ("midround", "blocked: expected 'R3', got 'Y2'", put("blocked", "Y2")),
    ("midround", "players[0]: expected Y2 among the buildings placed or passed, or the end in round 2", exchange("X", "Y2")),
    ("midround", "players[0]: expected R3 among the buildings placed or passed, or the end in round 2", exchange("X", "R3")),
    ("midround", "players[0]: expected Y2 among", exchange("Y1", "Y2")),
    # --- where the game stands
    ("midround", "round: expected 2, got 3", put("round", 3)),
    ("midround", "round: expected 2, got 2.0", put("round", 2.0)),
    ("midround", "decision.kind: expected 'build', got 'over'", put("decision.kind", "over")),
    ("midround", "decision.actor: expected 1, got 0", put("decision.actor", 0)),
    ("midround", "decision.actor: expected 1, got True", put("decision.actor", True)),
    ("midround", "ending: expected None, got 'cards'", put("ending", "cards")),
    ("midround", "gold_round: expected None, got 1", put("gold_round", 1)),
    # --- players
    ("midround", "players[1].points: expected 9, got 10", put("players.1.points", 10)),
    ("midround", "players[0].gold: expected False, got True", put("players.0.gold", True)),
    ("midround", "players[0].gold: expected False, got 0", put("players.0.gold", 0)),
    ("midround", "players[0].ended: expected None, got 2", put("players.0.ended", 2)),
    ("midround", "players[0].choice: f1E is not legal with C1 in round 2", put(Y1_AT, "d4E")),  # it lies apart
    ("midround", "players[0].placed[0].at: e2E is not legal with Y1 in round 1", put(Y1_AT, "e2E")),
    ("midround", "players[0].placed[0].at: expected a cell and a heading, got 'pass'", put(Y1_AT, "pass")),
    ("midround", "players[0].placed[0].at: 'e12N': the board ends at k11", put(Y1_AT, "e12N")),
    ("midround", "players[0].placed[0].at: 'e01E': expected a cell and a heading such as a1N", put(Y1_AT, "e01E")),
    ("midround", "players[0].placed[0].building: unexpected 'X'", put("players.0.placed.0.building", "X")),
    ("midround", "players[0]: expected Y1 among", put("players.0.placed.0.building", "Y2")),
    ("midround", "players[0].passed[0]: Y1 was built or passed before", put("players.0.passed", ["Y1"])),
    ("midround", "players[1].passed[1]: Y1 was built or passed before", put("players.1.passed", ["Y1", "Y1"])),
    ("midround", "players[1]: expected Y1 among", put("players.1.passed", [])),
    ("midround", "players[1].passed: expected a list of 1, got 2", put("players.1.passed", ["Y1", "R3"])),
    ("midround", "players[1].passed[1]: pass is not legal with C1 in round 2", put("players.1.passed", ["Y1", "C1"])),
    ("over", "players[0].placed[0].building: expected", reverse("players.0.placed")),
    ("four", "players[0].placed", reverse("players.0.placed")),
    ("four", "players[0].placed[1].at: e1E is not legal", put("players.0.placed.1.at", "e1E")),
    ("midround", "round: expected 3, got 2", put("players.1.passed", []), put("players.1.ended", 1)),
    ("midround", "players[1]: expected Y1 among", put("players.1.passed", []), put("players.1.ended", 1.0)),
    ("four", "players[3]: expected Y1 among", put("players.3.ended", 2)),
    # --- choices are there exactly for the seats before the actor
    ("midround", "decision.actor: expected 0, got 1", put("players.0.choice", None)),
    ("midround", "players[0].choice: pass is not legal with C1 in round 2", put("players.0.choice", "pass")),
    ("midround", "players[0].choice: 'C1': expected a cell and a heading", put("players.0.choice", "C1")),
    ("midround", "round: expected 3, got 2", put("players.1.choice", "end")),
    ("four", "round: expected 4, got 3", put("players.2.choice", "pass")),
    ("four", "players[3].choice: expected None", put("players.3.choice", "pass")),
    ("four", "players[1].choice: f3N is not legal", put("players.1.choice", "f3N")),
    (lambda: three(("e1E", None, None), 2), "decision.actor: expected 1"),
    (lambda: three(("e1E", "pass", None), 1), "decision.actor: expected 2"),
    (lambda: three(("e1E", None, "pass"), 1), "players[2].choice: expected None"),
    (lambda: three((None, "pass", None), 0), "players[1].choice: expected None"),
    (lambda: three(("e1E", "pass", "end"), 0), "round: expected 2"),
    ("forced", "decision.actor: expected 1, got 0", put("players.0.choice", None), put("decision.actor", 0)),
    ("forced", "players[0].choice: expected 'end', got None", put("players.0.choice", None)),
]  # fmt: skip

STATES: list[tuple[str, Says, *tuple[Edit, ...]]] = [
    ("midround", "expected states of this configuration", to("board", 7)),
    ("midround", Flaw.DECK, to("drawn", 0)),
    ("midround", Flaw.DECK, to("drawn", 31)),
    ("midround", Flaw.ROUND, to("rounds", 3)),
    ("midround", Flaw.ROUND, to("blocked", 0)),
    ("midround", Flaw.ROUND, to("current", 0)),
    ("midround", Flaw.ENDED, to("ended", 2, 0)),
    ("midround", Flaw.STAGE, to("ending", Ending.CARDS)),
    ("midround", Flaw.STAGE, to("actor", NOBODY)),
    ("over", Flaw.STAGE, to("actor", 0)),
    ("over", Flaw.STAGE, to("ending", Ending.NONE)),
    ("midround", Flaw.BUILDINGS, lambda g: to("passed", g.placed[0], 0)(g)),
    ("midround", Flaw.BUILDINGS, to("passed", 0, 1)),
    ("midround", Flaw.PLACE, to("at", 0, 1, 0)),
    ("midround", Flaw.BOARD, to("covered", 1, 0, 0, 0)),
    ("midround", Flaw.BOARD, to("anchors", 1, 0, 0)),
    ("midround", Flaw.BOARD, to("east", 1, 0, 0)),
    ("midround", Flaw.BOARD, to("south", 1, 0, 0)),
    ("midround", Flaw.POINTS, more("points", 1, 0)),
    *(("midround", Flaw.POINTS, more("sources", 1, 0, source)) for source in Source),
    ("midround", Flaw.GOLD, to("gold_round", 1)),
    ("midround", Flaw.GOLD, to("gold", 1, 0), more("points", 3, 0), more("sources", 3, 0, Source.GOLD)),
    ("midround", Flaw.GOLD, to("gold", 1, 0), more("points", 3, 0), more("sources", 3, 0, Source.GOLD), to("gold_round", 1)),
    ("midround", Flaw.CHOICE, to("choice", -1, 0)),
    ("midround", Flaw.CHOICE, to("choice", 0, 1)),
    ("midround", Flaw.CHOICE, to("choice", 0, 0)),
    ("four", Flaw.CHOICE, to("choice", 0, 3)),
    ("four", Flaw.ACTOR, to("choice", END, 2), to("actor", 3)),
    ("forced", Flaw.ACTOR, to("choice", -1, 0), to("actor", 0)),
    ("over", Flaw.ROUND, to("stage", Stage.BUILD)),
]
