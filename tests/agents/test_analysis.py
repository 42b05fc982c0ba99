"""The analysis of records and positions: values that must be exact, losses, what it depends on, its data and pictures."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from ginkgo_agents import Analysis, analyze
from ginkgo_agents.analysis import run
from ginkgo_agents.analysis.run import Evaluator, final_values, values_of
from ginkgo_agents.base import Agent, DecisionBatch
from ginkgo_agents.evaluation.statistics import mean_rate
from ginkgo_agents.registry import make_agent
from ginkgo_env.core.batch import Batch
from ginkgo_env.records import Record
from ginkgo_env.registry import make_game

from ..tiers import by_tier
from .analysed import actions_of, after, before_last, record_of

GAMES = [("ginkgopolis", {"players": 2}), ("golden_city", {"players": 3}), ("my_city", {"players": 1})]


WIDE = 10
"""After so many decisions of seed 3 there are many legal actions."""


def wide() -> Batch:
    """A game of Ginkgopolis in which many actions are legal."""
    game = make_game("ginkgopolis", players=2)
    batch = after(game, 3, actions_of(game, 3, WIDE))
    assert batch.mask.sum() > 6
    return batch


class First(Agent):
    """Takes the first legal action, and holds every position for even."""

    def act(self, turn):
        return turn.masks.argmax(axis=1).astype(np.int64)

    def value(self, turn):
        return np.full(len(turn), 0.5)


class Guessing(First):
    """The same with a judgement that differs from position to position; remembers whose positions it judged."""

    def __init__(self):
        self.seats = set[int]()

    def value(self, turn):
        self.seats |= set(turn.seats.tolist())
        return turn.observe().sum(axis=1, dtype=np.int64) % 97 / 97.0


class Blunt(First):
    """The same without a judgement, so that all is played to the end."""

    def value(self, turn):
        return None


@pytest.fixture(scope="module")
def two() -> Analysis:
    """Ginkgopolis for two players, a random game, by an agent that judges positions."""
    return analyze(record_of("ginkgopolis", players=2), Guessing(), worlds=4)


def data(analysis: Analysis) -> Any:
    return json.loads(analysis.to_json())


# --- values ------------------------------------------------------------------------------------------------------------------


@pytest.mark.full
def test_a_decision_that_wins_at_once_is_worth_exactly_a_win(trial_game: str):
    """With the king in hand a call wins; to pass loses. Nothing that is hidden changes that."""
    game = make_game(trial_game, players=2)
    for seed in range(60):
        batch = after(game, seed, [])
        batch.step([int(np.flatnonzero(batch.mask[0])[-1])])
        values = {}
        for option in analyze(batch.position(0), Blunt(), worlds=8).decisions[0].options:
            assert len(set(option.values)) <= 2
            values[option.id] = option.value
        won = [value for value in values.values() if value.mean == 1.0]
        if won:
            assert won[0].low > 0.5 and won[0].high == 1.0
            assert min(value.mean for value in values.values()) == 0.0
            return
    raise AssertionError("in no game does the second player hold the best card")


@pytest.mark.parametrize("case", by_tier(GAMES, GAMES[1:]), ids=str)
def test_where_the_game_ends_at_once_values_are_what_the_rules_say(case: tuple[str, dict[str, Any]]):
    name, config = case
    game = make_game(name, **config)
    actions = actions_of(game, 5)
    found = analyze(Record.from_actions(game, 5, actions), Blunt(), worlds=4, step=len(actions))
    ended = after(game, 5, actions)
    seat = found.decisions[0].seat
    shares = ended.standings == ended.standings.max()
    real = float(ended.totals[0, 0]) if game.sides == 1 else float(shares[0, seat] / shares.sum())
    assert found.decisions[0].taken is not None and found.decisions[0].taken.value.mean == real


def test_a_shared_first_place_counts_as_its_share():
    totals, standings = np.zeros((3, 3)), np.array([[5, 5, 1], [2, 2, 2], [0, 9, 4]])
    assert final_values(totals, standings, 0).tolist() == [1 / 2, 1 / 3, 0.0]
    assert final_values(np.array([[7], [-3]]), np.zeros((2, 1)), 0).tolist() == [7.0, -3.0]


def test_of_a_finished_record_the_end_is_told(two: Analysis):
    record = record_of("ginkgopolis", players=2)
    assert record.result is not None
    assert two.end == tuple(float(seat in record.result["winners"]) / len(record.result["winners"]) for seat in (0, 1))
    alone = analyze(record_of("my_city", players=1), Blunt(), worlds=2, step=1)
    assert alone.end == (alone.record["result"]["scores"][0],) and alone.unit == "score"


def test_the_judgement_counts_only_where_the_game_goes_on():
    found = analyze(record_of("ginkgopolis", players=2), First(), worlds=2, step=1)
    assert {option.value.mean for option in found.decisions[0].options} == {0.5}
    game = make_game("ginkgopolis", players=2)
    ended = analyze(before_last(game, 5), First(), worlds=2)
    assert 0.5 not in ended.decisions[0].best.values


def test_how_far_ahead_it_is_judged():
    class Counting(First):
        def __init__(self):
            self.asked = 0

        def act(self, turn):
            self.asked += len(turn)
            return super().act(turn)

    record, played = record_of("my_city", players=2), {}
    for ahead in (1, 2, 3):
        agent = Counting()
        assert analyze(record, agent, worlds=4, ahead=ahead, step=1).ahead == ahead
        played[ahead] = agent.asked
    assert played[1] < played[2] < played[3]
    assert analyze(record, Blunt(), worlds=2, ahead=2, step=1).ahead == 0, "an agent without a judgement plays to the end"


# --- losses ------------------------------------------------------------------------------------------------------------------


def test_a_position_is_judged_by_the_seat_that_decides():
    record = record_of("ginkgopolis", players=2)
    for step in (7, 8):
        agent = Guessing()
        found = analyze(record, agent, worlds=4, step=step)
        assert agent.seats == {found.decisions[0].seat}


def test_losses_are_paired_differences_and_that_of_the_best_is_exactly_0(two: Analysis):
    assert any(decision.lost > 0 for decision in two.decisions)
    for decision in two.decisions:
        best = decision.best
        assert best.loss == (0.0, 0.0, 0.0)
        for option in decision.options:
            assert option.value.mean == pytest.approx(option.values.mean())
            if option is best:
                continue
            paired = mean_rate(best.values - option.values, -1.0, 1.0)
            assert option.loss[1:] == paired[1:] and option.loss.mean == pytest.approx(paired.mean) and option.loss.mean >= 0
        means = [option.value.mean for option in decision.options]
        assert means == pytest.approx(sorted(means, reverse=True))
        assert decision.taken in decision.options and decision.lost == decision.taken.loss.mean


def test_a_position_is_worth_the_mean_of_what_the_agent_plays(two: Analysis):
    """Not the value of the best action: this agent plays one action alone."""
    worth = [decision.value.mean for decision in two.decisions]
    best = [decision.best.value.mean for decision in two.decisions]
    assert all(
        any(value == option.value.mean for option in decision.options)
        for value, decision in zip(worth, two.decisions, strict=True)
    )
    assert all(a <= b for a, b in zip(worth, best, strict=True)) and worth != best


def test_no_interval_of_a_value_collapses(two: Analysis):
    """But for the loss of the best action, which is 0 by its definition."""
    for decision in two.decisions:
        for option in decision.options:
            assert option.value.high - option.value.low > 0.001 and option.value.low <= option.value.mean <= option.value.high
            assert option is decision.best or option.loss.high - option.loss.low > 0.001
    assert all(player.loss is not None and player.loss.high > player.loss.low for player in two.players)


def test_an_action_against_itself_loses_nothing_in_any_world():
    """Common random numbers: the same worlds, the same chance, and whoever draws actions draws the same."""
    batch = wide()
    turn = DecisionBatch(batch, np.zeros(1, np.int64), np.array([7], np.uint64))
    random = make_agent("random")
    action = int(np.flatnonzero(batch.mask[0])[0])
    one, again = values_of(Evaluator(random, random, 0), turn, np.array([action, action]), 12)
    assert (one == again).all() and len(set(one)) > 1


def test_the_summary_counts_what_the_decisions_say(two: Analysis):
    assert [player.decisions for player in two.players] == [len(two.of(0)), len(two.of(1))]
    for player in two.players:
        losses = [decision.lost for decision in two.of(player.seat)]
        assert player.loss is not None and player.loss.mean == pytest.approx(np.mean(losses))
        assert player.best == sum(decision.taken is decision.best for decision in two.of(player.seat))
        assert [decision.lost for decision in player.worst] == sorted((lost for lost in losses if lost > 0), reverse=True)[:3]


@pytest.mark.full
def test_who_always_takes_the_best_loses_nothing(trial_game: str):
    """The player who takes what the analysis holds best has lost nothing by the same analysis."""
    game = make_game(trial_game, players=2)
    best = analyze(after(game, 4, []).position(0), Blunt(), worlds=8).decisions[0].best
    found = analyze(Record.from_actions(game, 4, [best.id]), Blunt(), worlds=8)
    assert found.players[0].loss is not None and (found.players[0].loss.mean, found.players[0].worst) == (0.0, ())


# --- what it depends on ------------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_numbers_and_another_seed_others():
    record = record_of("my_city", players=2, steps=6)
    one, again, other = (analyze(record, "random", worlds=4, seed=seed).to_json() for seed in (1, 1, 2))
    assert one == again and one != other.replace('"seed": 2', '"seed": 1')


def test_a_decision_has_the_same_numbers_alone_among_others_and_as_a_position():
    record = record_of("my_city", players=2, steps=6)
    whole = data(analyze(record, "random", worlds=4))["decisions"]
    seat = whole[3]["seat"]
    assert data(analyze(record, "random", worlds=4, step=4))["decisions"] == [whole[3]]
    assert data(analyze(record, "random", seat, worlds=4))["decisions"] == [row for row in whole if row["seat"] == seat]
    position = after(record.game, 3, actions_of(record.game, 3, 3)).position(0)
    chosen = {row["action"]: row for row in data(analyze(position, "random", worlds=4))["decisions"][0]["actions"]}
    assert all(chosen[row["action"]]["value"] == row["value"] for row in whole[3]["actions"] if row["action"] in chosen)


def test_more_worlds_begin_with_the_same_ones_and_narrow_the_interval():
    position = wide().position(0)
    few, many = (analyze(position, "random", worlds=worlds, top=3).decisions[0].options for worlds in (8, 64))
    assert {option.id for option in few} == {option.id for option in many}
    for option in few:
        twin = next(other for other in many if other.id == option.id)
        assert (twin.values[:8] == option.values).all() and option.value.high > option.value.low
        assert twin.value.high - twin.value.low < option.value.high - option.value.low


def test_large_numbers_of_worlds_are_played_in_parts(monkeypatch: pytest.MonkeyPatch):
    record = record_of("my_city", players=1, steps=3)
    whole = analyze(record, "random", worlds=9, step=2).to_json()
    monkeypatch.setattr("ginkgo_agents.analysis.run._MOST_ROWS", 7)
    assert analyze(record, "random", worlds=9, step=2).to_json() == whole


# --- which actions -----------------------------------------------------------------------------------------------------------


class Drawing(First):
    """Draws among the last legal actions, the last one most of all."""

    def probabilities(self, turn: DecisionBatch):
        weights = turn.masks * (np.arange(turn.masks.shape[1]) + 1.0) ** 20
        return weights / weights.sum(axis=1, keepdims=True)


def test_the_likeliest_actions_are_looked_at_and_the_one_taken_always():
    batch = wide()
    legal = np.flatnonzero(batch.mask[0]).tolist()
    found = analyze(batch.position(0), Drawing(), worlds=2, top=3).decisions[0]
    assert sorted(option.id for option in found.options) == legal[-3:] and found.legal == len(legal)
    record = Record.from_actions(batch.game, 3, [*actions_of(batch.game, 3, WIDE), legal[0]])
    found = analyze(record, Drawing(), worlds=2, top=3, step=WIDE + 1).decisions[0]
    assert sorted(option.id for option in found.options) == [legal[0], *legal[-3:]]
    assert found.taken is not None and found.taken.id == legal[0]


def test_an_agent_that_does_not_draw_finds_the_promising_ones_by_trying(monkeypatch: pytest.MonkeyPatch):
    """Of all actions, the two that would do best are looked at, and what the agent itself would do."""
    batch = wide()
    legal = np.flatnonzero(batch.mask[0]).tolist()

    def values(judge: Any, turn: DecisionBatch, actions: Any, worlds: int, salt: int = 0) -> Any:
        return np.repeat(actions[:, None] / 1000.0, worlds, axis=1)

    monkeypatch.setattr("ginkgo_agents.analysis.run.values_of", values)
    monkeypatch.setattr(run, "values_of", values)
    found = analyze(batch.position(0), First(), worlds=2, top=3).decisions[0]
    assert sorted(option.id for option in found.options) == [legal[0], *legal[-2:]]


# --- any game, any agent -----------------------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize("config", [{"players": 2}, {"players": 1}], ids=str)
def test_a_game_of_another_package(trial_game: str, config: dict[str, Any]):
    found = analyze(record_of(trial_game, **config), "random", worlds=4)
    assert found.decisions and found.ahead == 0 and found.complete
    assert {player.name for player in found.players} <= set(found.names)


@pytest.mark.full
def test_lookahead_judges_and_plays_on_in_one_world():
    """Under its name, and as the agent of the configuration."""
    batch, pretrained = wide(), make_agent("lookahead", "ginkgopolis")
    turn = DecisionBatch(batch, np.zeros(1, np.int64), np.zeros(1, np.uint64))
    agent = pretrained.agent_for(batch.game)
    chance, _ = agent.expectation(turn)
    assert pretrained.value(turn) == agent.value(turn) == chance
    assert (agent.worlds, agent.fast_variant().worlds, pretrained.fast_variant().agent_for(batch.game).worlds) == (8, 1, 1)
    assert agent.fast_variant().checkpoint is agent.checkpoint and agent.fast_variant().prior is agent.prior is not None


@pytest.mark.parametrize("game", ["ginkgopolis", "golden_city"])
def test_greedy_plays_on_in_one_world(game: str):
    agent = make_agent("greedy:worlds=3", game)
    assert (agent.fast_variant().worlds, agent.worlds, type(agent.fast_variant())) == (1, 3, type(agent))


@pytest.mark.full
@pytest.mark.parametrize("agent", ["lookahead", "greedy", "random"])
@pytest.mark.parametrize(("name", "config"), [*GAMES, ("ginkgopolis", {"players": 1}), ("my_city", {"players": 3})], ids=str)
def test_every_game_by_every_agent(name: str, config: dict[str, Any], agent: str):
    found = analyze(record_of(name, steps=12, **config), agent, worlds=4)
    assert len(found.decisions) == 12 and found.end is None
    for decision in found.decisions:
        for option in decision.options:
            assert found.unit == "score" or 0.0 <= option.value.low <= option.value.mean <= option.value.high <= 1.0


@pytest.mark.full
def test_lookahead_knows_a_blunder_from_its_own_choice():
    """Over a whole game its own choices lose less than random ones, by a margin."""
    game, agents = make_game("ginkgopolis", players=2), [make_agent("lookahead:worlds=2", "ginkgopolis"), make_agent("random")]
    batch, taken = Batch(game, 1), []
    batch.reset([1])
    for key in np.random.SeedSequence(1).generate_state(500, np.uint64):
        if batch.over[0]:
            break
        turn = DecisionBatch(batch, np.zeros(1, np.int64), np.array([key], np.uint64))
        taken.append(int(agents[int(batch.actor[0])].act(turn)[0]))
        batch.step(taken[-1:])
    lost = [player.loss for player in analyze(Record.from_actions(game, 1, taken), worlds=16).players]
    assert lost[0] is not None and lost[1] is not None and 3 * lost[0].mean < lost[1].mean


# --- data, notebook, picture -------------------------------------------------------------------------------------------------


def numbers(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from numbers(item)
    else:
        yield value


@pytest.mark.full
def test_a_single_decision_has_a_wide_interval_and_json_no_infinity(trial_game: str):
    game = make_game(trial_game, players=2)
    found = analyze(Record.from_actions(game, 4, actions_of(game, 4, 1)), "random", worlds=4)
    row = data(found)["summary"][0]
    assert row["decisions"] == 1 and row["loss_low"] <= row["loss"] <= row["loss_high"] and row["loss_high"] > 0.7
    assert all(not isinstance(n, float) or np.isfinite(n) for n in numbers(data(found)))


def test_json_is_small(two: Analysis):
    assert len(two.to_json()) < 1000 * len(two.decisions)
    assert all(round(n, 4) == n for n in numbers(two.to_dict()) if isinstance(n, float))


def test_in_a_notebook(two: Analysis):
    html = two._repr_html_()
    assert html == two._repr_html_(), "the same analysis gives the same page"
    assert html.count("<svg") == 1 and "All decisions" in html and two.players[0].name in html
    record = record_of("ginkgopolis", players=2)
    named = Record([{**record.header, "players": ["<b>", "x"]}, *record.lines])
    single = analyze(named, "random", worlds=2, step=1)._repr_html_()
    assert "<svg" not in single and "&lt;b&gt;" in single and "<b></" not in single
    assert repr(two) == f"<Analysis of a record of ginkgopolis by Guessing: {len(two.decisions)} decisions>"


def test_any_name_is_in_the_legend_of_the_picture(two: Analysis):
    names = ["$x_$", "_bot"]
    figure = dataclasses.replace(two, names=tuple(names)).plot()
    FigureCanvasAgg(figure).draw()
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()][:2] == names


def test_the_picture_has_a_line_for_each_seat_and_nothing_is_cut(two: Analysis):
    figure = two.plot()
    FigureCanvasAgg(figure).draw()
    (ax,) = figure.axes
    for player in two.players:
        line = next(line for line in ax.lines if line.get_label() == player.name)
        assert line.get_xdata().tolist() == [decision.step for decision in two.of(player.seat)]
        assert line.get_ydata() == pytest.approx([100 * decision.value.mean for decision in two.of(player.seat)])
    for text in [ax.xaxis.label, ax.yaxis.label, *ax.get_legend().get_texts()]:
        box = text.get_window_extent()
        assert box.x0 >= 0 and box.x1 <= figure.bbox.width and box.y0 >= 0 and box.y1 <= figure.bbox.height
    single = analyze(record_of("ginkgopolis", players=2), First(), worlds=2, step=1)
    labels = [text.get_text() for text in single.plot().axes[0].get_yticklabels()]
    assert sorted(labels) == sorted(o.action + " (taken)" * (o is single.decisions[0].taken) for o in single.decisions[0].options)
