"""The agent ``search``: sequential halving, playouts in step, and what it may see."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_agents import analyze, make_agent
from ginkgo_agents.base import DecisionBatch, Jobs
from ginkgo_agents.checkpoints import Checkpoint, blocks_of
from ginkgo_agents.lookahead import used_columns
from ginkgo_agents.nets import CUT, net_shapes
from ginkgo_agents.playouts import Playouts, choose_again
from ginkgo_agents.policy import KIND, LAYOUTS, Policy, PolicySettings, policy_columns, policy_shapes, policy_slots
from ginkgo_agents.search import SCALE, Budget, SearchAgent, halve, joined
from ginkgo_env.core.afterstates import LegalActions
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.compile.threads import KernelThreads
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game
from ginkgo_env.core.rewards import OUTCOME_UNIT, final_rewards
from ginkgo_env.testing import at
from ginkgo_env.testing.hidden import indistinguishable_pairs

GAME = "my_city"
SMALL: dict[str, Any] = {"hidden": 12, "critic_hidden": 10, "critic_without": ("fits",), "observed": ("boards/0", "turn")}


def checkpoint_of(game: Game, seed: int = 0, **settings: Any) -> Checkpoint:
    """Random networks."""
    rng, chosen = np.random.default_rng(seed), PolicySettings(**(SMALL | settings))
    columns, critic = policy_columns(game, chosen), used_columns(game.features, chosen.critic_without)
    given = {"policy.columns": columns, "critic.columns": critic}
    shapes = policy_shapes(given, policy_slots(game, chosen), chosen.hidden)
    shapes |= net_shapes(given, "critic", chosen.critic_hidden) if chosen.critic_hidden else {}
    arrays = {name: rng.normal(0, 0.5, shape).astype(np.float32) for name, shape in shapes.items()}
    arrays |= {name: columns for name, columns in given.items() if name in shapes}
    return Checkpoint(KIND, game.name, game.config_dict, blocks_of(game, LAYOUTS), chosen.as_dict(), arrays=arrays)


def turn_of(game: Game, rows: int, steps: int = 12, seed: int = 5, threads: KernelThreads | None = None) -> DecisionBatch:
    """Decisions after some random actions."""
    batch = Batch(game, rows)
    batch.reset(seed=seed)
    for _ in range(steps):
        batch.step(batch.sample())
    own = np.flatnonzero(~batch.over)
    return DecisionBatch(batch, own, np.random.default_rng(seed).integers(2**63, size=len(own)).astype(np.uint64), threads)


# --- halving -----------------------------------------------------------------------------------------------------------------


class Judge:
    """Plays by known values, and writes down what it was asked."""

    def __init__(self, values: dict[tuple[int, int], float], noise: float = 0.0) -> None:
        self.values, self.noise = values, noise
        self.asked: list[tuple[int, int, int]] = []

    def __call__(self, rows: Any, actions: Any, keys: Any) -> Any:
        self.asked += zip(rows.tolist(), actions.tolist(), keys.tolist(), strict=True)
        luck = (np.asarray(keys % np.uint64(2001), np.float64) / 1000 - 1) * self.noise
        won = np.array([self.values[key] for key in zip(rows.tolist(), actions.tolist(), strict=True)]) + luck
        return np.stack([won, np.zeros(len(won))], axis=1).astype(np.float32)


def searched(judge: Judge, counts: list[int], simulations: int = 96, candidates: int = 8, logits: Any = None) -> Any:
    offsets = np.cumsum([0, *counts])
    legal = LegalActions(offsets, np.concatenate([np.arange(n) for n in counts]))
    logits = np.zeros(offsets[-1]) if logits is None else np.asarray(logits, float)
    keys = np.arange(len(counts)).astype(np.uint64)
    return halve(legal, logits, keys, judge, 1.0, Budget(simulations, candidates))


def test_the_best_candidate_is_chosen_and_tried_most() -> None:
    judge = Judge({(0, a): 0.1 * a - 0.4 for a in range(8)} | {(1, a): -0.2 * a for a in range(3)} | {(2, 0): 0.0}, noise=0.3)
    found = searched(judge, [8, 3, 1])
    assert found.chosen.tolist() == [7, 0, 0]
    assert found.visits[:8].tolist() == [4, 4, 4, 4, 12, 12, 28, 28]  # 96 in three stages of 8, 4 and 2 candidates
    assert found.visits[8:].tolist() == [40, 40, 16, 0] and found.worlds.tolist() == [28, 40, 0]
    assert found.visits[:8].sum() == 96
    np.testing.assert_allclose(found.scores, SCALE * found.values, atol=1e-9)
    for row, action, _ in judge.asked:  # every action meets the first worlds of its row
        tried = [key for r, a, key in judge.asked if (r, a) == (row, action)]
        assert tried == [key for r, a, key in judge.asked if (r, a) == (row, found.chosen[row])][: len(tried)]


def test_a_search_improves_the_policy_and_estimates_what_it_leads_to() -> None:
    judge = Judge({(0, 0): 0.1, (0, 1): 0.11, (0, 2): -0.5, (1, 0): 0.3})
    found = searched(judge, [3, 1], logits=[0, 0.5, 0, 0])
    weights = np.exp([10, 11.5, -50])
    np.testing.assert_allclose(found.probabilities(4), [[*weights / weights.sum(), 0], [1, 0, 0, 0]], atol=1e-6)
    np.testing.assert_allclose(found.estimates()[0], [weights @ [0.1, 0.11, -0.5] / weights.sum(), 0], atol=1e-6)
    assert np.isnan(found.estimates()[1]).all()  # nothing to decide, no playouts


def test_logits_choose_the_candidates_and_count() -> None:
    judge = Judge({(0, a): 0.01 * (a == 4) for a in range(5)})
    assert searched(judge, [5], candidates=3, logits=[3, 2, 1, 0, -1]).actions.tolist() == [0, 1, 2]
    assert searched(judge, [5], logits=[0, 0, 0, 0, -0.5]).chosen == 4
    assert searched(judge, [5], logits=[0, 0, 0, 0, -1.5]).chosen == 0


def test_few_simulations_are_at_least_one_each_and_none_is_the_likeliest() -> None:
    judge = Judge({(0, a): float(a == 1) for a in range(4)})
    assert searched(judge, [4], simulations=1).visits.min() == 1
    found = searched(judge, [4], simulations=0, logits=[0, 0, 5, 0])
    assert found.chosen == 2 and not found.visits.any()


def test_time_ends_a_search() -> None:
    judge, legal = Judge({(0, a): 0.1 * a for a in range(4)}), LegalActions(np.array([0, 4]), np.arange(4))
    found = halve(legal, np.zeros(4), np.zeros(1, np.uint64), judge, 1.0, Budget(1, 8, 0.05))
    assert found.chosen == 3 and found.visits.max() > 2
    alone = LegalActions(np.array([0, 1]), np.arange(1))
    halve(alone, np.zeros(1), np.zeros(1, np.uint64), judge, 1.0, Budget(1, 8, 1000.0))  # nothing to decide


# --- playouts ----------------------------------------------------------------------------------------------------------------


def mlp(x: Any, arrays: Any, name: str, activation: Any, output: Any) -> Any:
    """A network in plain numpy."""
    w = {key.partition(".")[2]: array.astype(np.float64) for key, array in arrays.items() if key.startswith(f"{name}.")}
    x = ((x[arrays[f"{name}.columns"]] - w["mean"]) * w["scale"]).clip(-CUT, CUT)
    h = activation(activation(x @ w["w1"] + w["b1"]) @ w["w2"] + w["b2"])
    return output(h @ w["w3"] + w["b3"])


def slowly(
    game: Game,
    checkpoint: Checkpoint,
    turn: DecisionBatch,
    row: int,
    action: int,
    key: np.uint64,
    horizon: int,
    reward: Any,
    belief: Any,
) -> Any:
    """A playout by the likeliest actions, step by step in a batch."""

    def likeliest(batch: Batch, mask: Any) -> int:
        seen = np.concatenate([batch.features()[0], batch.observe()[0]])
        logits = mlp(seen, checkpoint.arrays, "policy", lambda x: np.maximum(x, 0), lambda x: x)
        return int(np.where(mask != 0, logits, -np.inf).argmax())

    batch, seat = Batch(game, 1), int(turn.seats[row])
    state = np.empty(1, game.template.dtype)

    def keep(start: int, stop: int, jobs: Jobs) -> None:
        state[:] = jobs.states[row]

    turn._play(keep, np.array([row]), np.array([action]))  # the states of a turn can be had by loops only
    game.kernels.resample(0, 1, state, game.components, np.array([seat]), np.array([key]))
    batch.set_states([0], state.view(np.recarray))
    if belief is not None and seat == 1:  # the other has chosen
        question, mask = at(game, batch.state(0)), batch.mask.copy()
        question.run(game.kernels.ask, np.array([seat]), 0, mask, np.zeros(1, np.int64))
        batch.run(game.kernels.answer, 0, np.array([likeliest(question, mask[0])]))
    until = game.round_of(batch.state(0)) + horizon
    while True:
        batch.step([action])
        if batch.over[0] and reward is not None:
            return np.clip(np.repeat(final_rewards(reward, batch.totals, batch.standings)[0, seat], 2), -1, 1)
        if batch.over[0]:
            lead = batch.totals[0, seat] - np.delete(batch.totals[0], seat).mean()
            batch.reward = "win"
            return np.array([batch.rewards[0, seat], np.tanh(lead / OUTCOME_UNIT)])
        if batch.actor[0] == seat and game.round_of(batch.state(0)) >= until:
            return mlp(batch.features()[0], checkpoint.arrays, "critic", np.tanh, np.tanh)
        action = likeliest(batch, batch.mask[0])


def places(end: Any) -> Any:
    """A reward: how many sides are not above, beyond 1 for the first."""
    totals, standings = end.after
    return (standings[:, :, None] >= standings[:, None, :]).sum(axis=2) / totals.shape[1] + totals / 1000


@pytest.mark.full
@pytest.mark.parametrize(
    ("horizon", "reward", "belief"),
    [(0, None, None), (2, None, None), (100, None, 0.0), (1, None, 0.0), (2, places, None), (100, places, None)],
)
def test_playouts_are_those_of_a_batch(horizon: int, reward: Any, belief: Any) -> None:
    game = ginkgo_env.make_game(GAME, players=2)
    checkpoint = checkpoint_of(game)
    policy, turn = Policy(checkpoint, game), turn_of(game, 3, steps=12 if belief is None else 1)
    playouts = Playouts(game, policy.net, policy.critic, horizon, 0.0, reward=reward, belief=belief)
    legal, random = turn.legal_actions(), np.random.default_rng(1)
    rows = random.integers(len(turn), size=11)
    actions = np.array([random.choice(legal.actions[legal.offsets[row] : legal.offsets[row + 1]]) for row in rows])
    keys = random.integers(2**63, size=11).astype(np.uint64)
    values = playouts.values(turn, rows, actions, keys)
    for k, row in enumerate(rows):
        expected = slowly(game, checkpoint, turn, int(row), int(actions[k]), keys[k], horizon, reward, belief)
        np.testing.assert_allclose(values[k], expected, atol=1e-4)
    order = random.permutation(11)
    assert np.array_equal(playouts.values(turn, rows[order], actions[order], keys[order]), values[order])


def test_others_choose_by_the_policy_and_not_as_they_did(two: Game) -> None:
    """In resampled worlds the hidden choices are those of the policy: whatever was chosen, values are the same, bit for bit."""
    policy, turn = Policy(checkpoint_of(two), two), turn_of(two, 6, steps=1)
    rows = np.flatnonzero(turn.seats == 1)
    turn, worlds = turn._part(two, rows), turn._part(two, rows).resampled_batch(1)
    assert len(turn) and (worlds.states["choice"][:, 0] != -1).all()
    other = DecisionBatch(worlds, np.arange(worlds.size), turn.keys)
    each = np.arange(len(turn))
    actions = np.array([np.flatnonzero(mask)[0] for mask in turn.masks])
    found = [Playouts(two, policy.net, policy.critic, 1, 0.3, belief=belief).values(one, each, actions, turn.keys)
             for belief in (None, 1.0) for one in (turn, other)]  # fmt: skip
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[2], found[3]) and not np.array_equal(found[0], found[2])


def test_an_agent_chooses_again_in_python(two: Game) -> None:
    """By its probabilities, in what the one who chose may see."""
    worlds = turn_of(two, 1, steps=1)._part(two, np.array([0])).resampled_batch(64)
    assert (worlds.actor == 1).all()
    before = worlds.states.copy()
    choose_again(worlds, np.ones(64, np.int64), make_agent("builder", GAME), np.arange(64, dtype=np.uint64))
    after = worlds.states.copy()
    assert (after["choice"][:, 0] != before["choice"][:, 0]).any()
    after["choice"][:, 0] = before["choice"][:, 0]
    assert (after == before).all()
    for agent in ("random", "greedy"):
        other = turn_of(two, 1, steps=1)._part(two, np.array([0])).resampled_batch(64)
        one = at(two, worlds.states)
        for each in (one, other):
            choose_again(each, np.ones(64, np.int64), make_agent(agent, GAME), np.arange(64, dtype=np.uint64))
        assert (one.states == other.states).all(), "it depends on what was chosen before"


@pytest.mark.full
def test_the_policy_plays_by_its_logits_and_temperature() -> None:
    game = ginkgo_env.make_game(GAME, players=2)
    checkpoint, turn = checkpoint_of(game), turn_of(game, 5)
    legal, logits = Policy(checkpoint, game).logits(turn)
    seen = np.concatenate([turn.features(), turn.observe()], axis=1)
    for row in range(len(turn)):
        own = slice(*legal.offsets[[row, row + 1]])
        expected = mlp(seen[row], checkpoint.arrays, "policy", lambda x: np.maximum(x, 0), lambda x: x)
        np.testing.assert_allclose(logits[own], expected[legal.actions[own]], atol=1e-4)
    likeliest = SearchAgent(checkpoint, simulations=0).act(turn)
    assert [logits[slice(*legal.offsets[[row, row + 1]])].argmax() for row in range(len(turn))] == [
        int(np.flatnonzero(legal.actions[slice(*legal.offsets[[row, row + 1]])] == a)[0]) for row, a in enumerate(likeliest)
    ]


@pytest.mark.full
def test_actions_that_differ_in_the_slot_alone_share_weights() -> None:
    """Against the formula in float64, action by action."""
    game = ginkgo_env.make_game("ginkgopolis", players=2)
    chosen = {"observed": ("tiles/0",), "slots": ("commit",), "slot_features": ("hand", "hand_ids"), "critic_without": ()}
    checkpoint, turn = checkpoint_of(game, **chosen), turn_of(game, 9, steps=20)
    legal, logits = Policy(checkpoint, game).logits(turn)
    seen = np.concatenate([turn.features(), turn.observe()], axis=1)
    w = {name[7:]: array.astype(np.float64) for name, array in checkpoint.arrays.items() if name.startswith("policy.")}
    commit, hand, ids = game.actions["commit"], game.features["hand"], game.features["hand_ids"]
    tiles, of_slots = commit.shape[1], 0
    columns = checkpoint.arrays["policy.columns"]
    for row in range(len(turn)):
        inputs = np.zeros(seen.shape[1])
        inputs[columns] = np.clip((seen[row, columns] - w["mean"]) * w["scale"], -CUT, CUT)
        z = np.maximum(inputs[columns] @ w["w1"] + w["b1"], 0) @ w["w2"] + w["b2"]
        slots = np.concatenate([inputs[block.start : block.stop].reshape(block.shape) for block in (hand, ids)], axis=1)
        for k in range(legal.offsets[row], legal.offsets[row + 1]):
            slot, tile = divmod(int(legal.actions[k]) - commit.start, tiles)
            h, output = z, int(legal.actions[k]) - (commit.shape[0] - 1) * tiles
            if 0 <= slot < commit.shape[0]:
                h, output, of_slots = z * (1 + slots[slot] @ w["gain"]) + slots[slot] @ w["shift"], tile, of_slots + 1
            np.testing.assert_allclose(logits[k], np.maximum(h, 0) @ w["w3"][:, output] + w["b3"][output], atol=1e-3)
    assert of_slots > 20


@pytest.mark.parametrize(
    "settings",
    [
        {"slots": ("commit",)},
        {"slot_features": ("hand",)},
        {"slots": ("nothing",), "slot_features": ("hand",)},
        {"slots": ("commit",), "slot_features": ("nothing",)},
        {"slots": ("commit", "token"), "slot_features": ("hand",)},
        {"slots": ("commit",), "slot_features": ("districts", "own_tiles")},
        {"slots": ("commit",), "slot_features": ("hand",), "without": ("hand",)},
    ],
)
def test_slots_that_do_not_fit_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        policy_slots(ginkgo_env.make_game("ginkgopolis", players=2), PolicySettings(**settings))


# --- the agent ---------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def two() -> Game:
    return ginkgo_env.make_game(GAME, players=2)


@pytest.mark.full
def test_a_decision_depends_on_its_own_row_alone(two: Game) -> None:
    agent, threads = SearchAgent(checkpoint_of(two), simulations=24), KernelThreads(2)
    many, again = turn_of(two, 5), turn_of(two, 5, threads=threads)
    found, same = agent.search(many), again.search(agent)
    threads.close()
    assert all(np.array_equal(a, b) for a, b in zip(found, same, strict=True))
    batch = Batch(two, 5)
    batch.reset(seed=5)
    for _ in range(12):
        batch.step(batch.sample())
    keys = np.random.default_rng(5).integers(2**63, size=5).astype(np.uint64)
    parts = joined([agent.search(DecisionBatch(batch, np.array([row]), keys[row : row + 1])) for row in range(5)])
    assert all(np.array_equal(a, b) for a, b in zip(found, parts, strict=True))
    assert np.array_equal(agent.act(many), found.chosen)
    probabilities = agent.probabilities(many)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert (probabilities[many.masks == 0] == 0).all() and (agent.value(many) >= 0).all() and (agent.value(many) <= 1).all()


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "version"), [("my_city", 1), ("ginkgopolis", 1), ("ginkgopolis", 2), ("golden_city", 1)], ids=str
)
def test_it_does_the_same_whatever_is_hidden(name: str, version: int) -> None:
    game = ginkgo_env.make_game(name, players=2)
    agent, compared = make_agent(f"search:simulations=16:version={version}", name), 0
    for one, other in islice(indistinguishable_pairs(game, 0, seed=1, rows=1), 3, 12):
        turns = [DecisionBatch(batch, np.zeros(1, np.int64), np.array([7], np.uint64)) for batch in (one, other)]
        if turns[0].seats[0] == 0 == turns[1].seats[0] and np.array_equal(turns[0].masks, turns[1].masks):
            found = [agent.search(turn) for turn in turns]
            assert all(np.array_equal(a, b) for a, b in zip(*found, strict=True))
            compared += 1
    assert compared


@pytest.mark.full
@pytest.mark.usefixtures("trial_game")
def test_a_game_of_another_package_without_networks() -> None:
    """Playouts are random, and go to the end."""
    turn = turn_of(ginkgo_env.make_game("three_cards"), 4, steps=1)
    agent = make_agent("search:simulations=40", "three_cards")
    found = agent.search(turn)
    assert np.array_equal(agent.act(turn), found.chosen) and agent.value(turn) is None
    assert set(np.round(found.win * found.visits).astype(int) - found.win * found.visits) <= {0.0}, "outcomes of whole games"
    legal = turn.masks[np.arange(len(turn)), found.chosen]
    assert (legal == 1).all()


def test_options_are_checked() -> None:
    for wrong in (
        "simulations=-1",
        "horizon=-1",
        "candidates=0",
        "temperature=-1",
        "belief=-1",
        "milliseconds=0",
        "simulations=1.5",
        "version=0",
        "worlds=2",
    ):
        with pytest.raises(ConfigError):
            make_agent(f"search:{wrong}", GAME)


@pytest.mark.parametrize("name", ["slots", "slot_features", "without", "critic_without", "observed"])
def test_settings_of_wrong_types_are_refused(name: str) -> None:
    for wrong in (np.zeros(2), "hand", (1,), None):
        with pytest.raises(ConfigError, match=f"setting {name}"):
            PolicySettings(**{name: wrong})  # type: ignore[arg-type]


def test_networks_that_do_not_fit_are_refused(two: Game) -> None:
    good = checkpoint_of(two)
    with pytest.raises(ConfigError, match="does not fit"):
        SearchAgent(good).check(ginkgo_env.make_game(GAME, players=3))
    arrays = dict(good.arrays)
    for name, wrong in (
        ("policy.columns", np.arange(len(arrays["policy.columns"]))),
        ("critic.columns", np.arange(len(arrays["critic.columns"]))),
        ("policy.w3", arrays["policy.w3"][:, :-1]),
        ("policy.b1", arrays["policy.b1"] * np.float32(np.nan)),
    ):
        with pytest.raises(ConfigError):
            Policy(Checkpoint(KIND, GAME, good.config, good.layouts, good.settings, arrays=arrays | {name: wrong}), two)
    for observed in ("nothing", "boards/9", "boards/x"):
        with pytest.raises(ConfigError):
            policy_columns(two, PolicySettings(observed=(observed,)))


@pytest.mark.full
def test_an_analysis_plays_on_by_the_same_playouts(two: Game) -> None:
    batch, agent = Batch(two, 1), SearchAgent(checkpoint_of(two), simulations=8)
    batch.reset(seed=5)
    first, again = (analyze(batch.position(0), agent, worlds=4, top=3, ahead=2).to_dict() for _ in range(2))
    assert first == again
    actions = first["decisions"][0]["actions"]
    assert len(actions) == 3 and all(0 <= action["value"] <= 1 for action in actions)
