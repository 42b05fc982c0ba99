"""The agents made for My City."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import ginkgo_env
from ginkgo_agents import act, make_agent
from ginkgo_agents.evaluation.console import show
from ginkgo_agents.evaluation.leaderboard import Plan, play_plan, report_of
from ginkgo_agents.evaluation.matches import MatchConfig, play_match
from ginkgo_agents.evaluation.plot import figure_of
from ginkgo_agents.evaluation.statistics import student, wilson
from ginkgo_agents.my_city import CLOSED, NEARLY, GreedyAgent
from ginkgo_agents.registry import agent_names
from ginkgo_env.core.errors import ConfigError

from ..my_city import playing, slow
from ..rules.my_city.positions import Table, game_of, made_up, table

GAME = "my_city"
MADE = ("builder", "greedy")


def keys_for(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(2**63, size=n).astype(np.uint64)


def batch_of(players: int, rows: int = 6, seed: int = 0, rounds: int = 0) -> ginkgo_env.Batch:
    """Games after some decisions of builders; every other seat still has to choose."""
    batch, random = ginkgo_env.Batch(game_of(players), rows), np.random.default_rng(seed)
    batch.reset(seed=seed)
    for _ in range(rounds * players + players // 2):
        batch.step(playing.as_builder(batch, random))
    return batch


def chosen(agent: Any, found: Table) -> str:
    """What an agent chooses in a position."""
    batch = playing.batch_of(found.game, found.state)
    return found.game.action_text(found.state, int(act(agent, batch, keys_for(1))[0]))


def test_names() -> None:
    assert isinstance(make_agent("greedy", GAME), GreedyAgent)
    assert type(make_agent("builder", GAME)) is not type(make_agent("builder", "golden_city"))
    assert set(agent_names(GAME)) >= {"random", *MADE} and "william" not in agent_names(GAME)


# --- the builder ---------------------------------------------------------------------------------------------------------------


def test_the_builder_takes_any_placement_as_likely() -> None:
    """42 for the first domino (M13, 2); never a pass, never an end."""
    start = table("Y1", players=2)
    batch = playing.batch_of(start.game, np.repeat(start.state, 4200).view(np.recarray))
    counts = np.bincount(act(make_agent("builder", GAME), batch, keys_for(4200)), minlength=486)
    placements = np.flatnonzero(start.mask[0][:484])
    assert len(placements) == 42 and counts[placements].sum() == 4200
    assert 60 < counts[placements].min() <= counts[placements].max() < 150  # 100 each


def test_the_builder_passes_if_it_cannot_build(tmp_path: Path) -> None:
    """Two cells on each bank, and a third domino."""
    game = made_up(tmp_path, "....", "aabb", "Y1 yellow ##", "Y2 yellow ##", "Y3 yellow ##", "Y4 yellow #")
    found = table("Y1", "Y2", "Y3", game=game).play("a1N", "c1N")
    assert found.legal == ["pass", "end"] and chosen(make_agent("builder", GAME), found) == "pass"


def test_the_builder_never_ends() -> None:
    batch, keys, asked = batch_of(2, rows=20, seed=5), keys_for(20), 0
    end = batch.game.actions["end"].start
    while not batch.over.all():
        actions = act(make_agent("builder", GAME), batch, keys)
        assert not (actions == end).any()
        asked += int((batch.mask[:, end] > 0).sum())
        batch.step(actions)
        keys += np.uint64(20)
    assert asked > 500


# --- greedy --------------------------------------------------------------------------------------------------------------------


def worth(game: Any, g: Any, seat: int, building: Any, cells: frozenset[slow.Cell] | None) -> float:
    """The board after a placement, or a pass: the score, less what enclosed land will cost, by sets of cells."""
    after = g.copy()
    number = game.buildings.list.index(building)
    if cells is None:
        after["passed"][seat] = int(after["passed"][seat]) | 1 << number
    else:
        after["at"][seat, number] = next(at for at, own in slow.placements(game.board, building).items() if own == cells)
    free = set(slow.light(game.board)) - set().union(*slow.built(game, after, seat).values())
    banks = game.board.banks
    near = [sum(o in free and banks[o[0]][o[1]] == banks[r][c] for o in slow.sides(game.board, (r, c))) for r, c in free]
    veins = {cell for cell, kind in slow.kinds(game.board).items() if kind == "vein"}
    if veins and not veins & free and not g["gold"].any():
        after["gold"][seat] = 1
    return float(sum(slow.sources(game, after, seat).values()) - CLOSED * near.count(0) - NEARLY * near.count(1))


@pytest.mark.full
@pytest.mark.parametrize("rounds", [0, 5, 16])
def test_greedy_takes_the_best_board_the_first_of_equal_ones(rounds: int) -> None:
    batch = batch_of(2, rows=12, seed=20 + rounds, rounds=rounds)
    game: Any = batch.game
    assert not batch.over.any()
    actions = act(make_agent("greedy", GAME), batch, keys_for(12))
    for row in range(12):
        g, seat = batch.states[row], int(batch.actor[row])
        building = game.buildings.list[g["current"]]
        offered = slow.placements(game.board, building)
        legal = [action for action in slow.legal(game, g, seat) if action < 485]
        values = {action: worth(game, g, seat, building, offered.get(action)) for action in sorted(legal)}
        assert actions[row] == max(values, key=lambda action: values[action])


def small(folder: Path, *buildings: str) -> Any:
    """Three cells on the bank above, four below."""
    return made_up(folder, "...M ....", "aaaa bbbb", *buildings)


def test_greedy_does_not_enclose_land(tmp_path: Path) -> None:
    """Above, a domino leaves a cell alone; below, in the middle, two; at an end it leaves two cells together."""
    found = table("Y1", game=small(tmp_path, "Y1 yellow ##", "Y2 yellow ##"))
    assert found.legal == ["a1N", "b1N", "a2N", "b2N", "c2N", "pass", "end"]
    assert chosen(make_agent("greedy", GAME), found) == "a2N"  # c2N is worth as much
    assert chosen(GreedyAgent(closed=0, nearly=0), found) == "a1N"  # all placements are worth the same


def test_greedy_ends_at_the_last_card_only(tmp_path: Path) -> None:
    """Nothing can be built: a pass costs a point, and at the last card an end costs nothing."""
    game = small(tmp_path, "Y1 yellow ####", "Y2 yellow ###", "Y3 yellow ##", "Y4 yellow ##")
    found = table("Y1", "Y2", "Y3", "X", game=game, last=("Y4",)).play("a2N", "a1N")
    assert found.current == "Y3" and found.legal == ["pass", "end"]
    assert chosen(make_agent("greedy", GAME), found) == "pass"
    last = table("X", "Y4", "Y1", "Y2", game=game, last=("Y3",)).play("a2N", "a1N")
    assert last.current == "Y3" and last.legal == ["pass", "end"]
    assert chosen(make_agent("greedy", GAME), last) == "end"


def test_greedy_builds_at_the_last_card_if_that_pays(tmp_path: Path) -> None:
    game = small(tmp_path, "Y1 yellow ####", "Y2 yellow ##", "Y3 yellow #")
    found = table("X", "Y3", "Y1", game=game, last=("Y2",)).play("a2N")
    assert found.current == "Y2" and found.legal == ["a1N", "b1N", "pass", "end"]
    assert chosen(make_agent("greedy", GAME), found) == "a1N"


@pytest.mark.parametrize(("options", "sentence"), [
    ("closed=-1", "must be at least 0 and below .*, got -1"),
    ("nearly=true", "got True"),
    ("closed=many", "got 'many'"),
    ("nearly=1e9", "below 100"),
    ("closed=NaN", "got nan"),
    ("luck=1", "does not take these options"),
])  # fmt: skip
def test_bad_options_of_greedy_are_refused(options: str, sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        make_agent(f"greedy:{options}", GAME)


# --- matches and leaderboards --------------------------------------------------------------------------------------------------


def test_nobody_changes_seats_as_seats_are_alike() -> None:
    """One game a deal: all at the table meet the same cards in it (M14.23), an agent in two seats too."""
    table = MatchConfig(GAME, ("builder", "greedy", "random", "builder"), {"players": 4})
    met = play_match(table, 12, seed=3, record=12)
    assert (met.games, met.deals, met.totals.shape) == (12, 12, (12, 1, 4))
    assert {game.players for game in met.recorded} == {table.agents} and len({game.seed for game in met.recorded}) == 12
    assert (met.totals[:, 0, 0] != met.totals[:, 0, 3]).any()  # its seats choose apart
    assert met.positions_of("builder").tolist() == [0, 3]


def test_the_leaderboard_says_whose_design_it_is_played_with() -> None:
    plan, finished = Plan(GAME, ("random", "builder"), games=8), []
    play_plan(plan, finished)
    report = report_of(plan, finished)
    assert [row["configuration"] for row in report["results"][::2]] == [
        "alone (variant)",
        "2 players",
        "3 players",
        "3 players",
        "4 players",
    ]
    assert all((row["deals"], row["games"]) == (8, 8) for row in report["results"])
    assert all(("quantiles" in row) == (row["players"] == 1) for row in report["results"])
    (note,) = report["notes"]
    assert note.count("our own design") == 2
    console = Console(width=100, record=True)
    show(report, console)
    assert " ".join(console.export_text().split()).find(note) > 0
    assert figure_of(report).get_supxlabel().replace("\n", " ") == note


def test_another_board_is_not_our_own_design(tmp_path: Path) -> None:
    config = {"board": small(tmp_path, "Y1 yellow ##").config.board}
    assert list(game_of(1).named_values) == ["board own", "buildings own"]
    assert list(ginkgo_env.make_game(GAME, **config).named_values) == ["buildings own"]


# --- strength ------------------------------------------------------------------------------------------------------------------


def alone(agent: str, games: int) -> np.ndarray:
    return play_match(MatchConfig(GAME, (agent,), {"players": 1}), games, seed=4).totals[:, 0, 0]


def test_the_order_of_strength() -> None:
    random, builder, greedy = (student(alone(name, 40).astype(float)) for name in ("random", *MADE))
    assert random.high < builder.low and builder.high < greedy.low


@pytest.mark.full
def test_scores_alone() -> None:
    """Means of 500 games, as M15 has them."""
    assert alone("builder", 500).mean() == pytest.approx(-3, abs=1.4)  # a deviation of 7: three standard errors and rounding
    assert alone("greedy", 500).mean() >= 19


@pytest.mark.full
@pytest.mark.parametrize(("agent", "other", "players", "least"), [
    ("builder", "random", 2, 0.85),
    ("greedy", "builder", 2, 0.95),
    ("greedy", "builder", 4, 0.90),
])  # fmt: skip
def test_agents_are_as_strong_as_they_are_said_to_be(agent: str, other: str, players: int, least: float) -> None:
    played = play_match(MatchConfig(GAME, (agent,) + (other,) * (players - 1), {"players": players}), 300, seed=4)
    assert wilson(float(played.wins[:, 0, 0].sum()), 300).low > least
