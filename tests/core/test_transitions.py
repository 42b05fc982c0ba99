"""Rewards that are paid at each step, and shaping by potentials."""

from __future__ import annotations

import copy
import pickle
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env import Batch, BatchError, ConfigError, Transition, each_step, shaped
from ginkgo_env.core.masks import NO_ACTION
from ginkgo_env.core.rewards import final_rewards
from ginkgo_env.core.transitions import StateBatch

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("my_city", {"players": 1}),
    ("my_city", {"players": 2}),
    ("ginkgopolis", {"players": 1}),
    ("ginkgopolis", {"players": 3}),
    ("golden_city", {"players": 2}),
]


@each_step
def gains(step: Transition) -> np.ndarray:
    """What the reward ``score`` pays."""
    return step.after.totals - step.before.totals


def lead(states: StateBatch) -> np.ndarray:
    return (states.totals - states.totals.mean(axis=1, keepdims=True)) / 30 + 0.25


def features(states: StateBatch) -> np.ndarray:
    """A potential that reads the features of each seat."""
    seats = [states.features(seat).mean(axis=1) for seat in range(states.game.seats)]
    return np.stack(seats + [seats[0]] * (states.game.sides - states.game.seats), axis=1)


@pytest.mark.parametrize("autoreset", [False, True])
@pytest.mark.parametrize(("game", "config"), GAMES)
def test_a_function_of_each_step_pays_what_score_pays(game: str, config: dict[str, Any], autoreset: bool) -> None:
    """Byte for byte, also where some rows wait, and where a row goes on with the next game."""
    made = ginkgo_env.make_game(game, **config)
    batches = [Batch(made, 12, reward=reward, autoreset=autoreset, threads=2) for reward in (gains, "score")]
    rng, ended = np.random.default_rng(0), 0
    for batch in batches:
        batch.reset(seed=3)
    for _ in range(160):
        actions = batches[0].sample()
        actions[rng.random(12) < 0.2] = NO_ACTION
        for batch in batches:
            batch.step(actions)
        assert batches[0].rewards.tobytes() == batches[1].rewards.tobytes()
        ended += int(batches[0].done.sum())
    assert ended


def test_what_a_transition_holds() -> None:
    game, seen = ginkgo_env.make_game("ginkgopolis", players=2), list[Transition]()

    @each_step
    def watching(step: Transition) -> np.ndarray:
        seen.append(step)
        return np.zeros((len(step.ended), 2))

    batch = Batch(game, 5, reward=watching, autoreset=True)
    batch.reset(seed=1)
    ends = 0
    for k in range(150):
        before, actions = copy.deepcopy(batch), batch.sample()
        actions[k % 5] = NO_ACTION
        rows = np.flatnonzero(actions != NO_ACTION)
        batch.step(actions)
        step = seen.pop()
        assert not seen and step.ended.tolist() == batch.done[rows].tolist()
        assert step.actions.tolist() == actions[rows].tolist() and step.seats.tolist() == before.actor[rows].tolist()
        assert step.before.states.tobytes() == before.states[rows].tobytes()
        assert step.before.scores.tolist() == before.scores()[rows].tolist()
        assert step.before.features(step.seats).tolist() == before.features()[rows].tolist()
        assert isinstance(step.after, StateBatch)
        assert step.after.features(1)[~step.ended].tolist() == batch.features(1)[rows[~step.ended]].tolist()
        assert step.after.totals[step.ended].tolist() == batch.totals[rows[step.ended]].tolist()
        assert step.after.standings[step.ended].tolist() == batch.standings[rows[step.ended]].tolist()
        assert ((step.after.actor < 0) == step.ended).all()  # the end of that game, not the start of the next
        ends += int(step.ended.sum())
    assert ends
    with pytest.raises(BatchError, match="seats"):
        step.before.features(2)


@pytest.mark.parametrize(
    ("paid", "message"), [(np.zeros(3), r"shape \(4, 2\), got float64 of shape \(3,\)"), (np.full((4, 2), np.nan), "finite")]
)
def test_errors(paid: np.ndarray, message: str) -> None:
    batch = Batch(ginkgo_env.make_game("my_city", players=2), 4, reward=each_step(lambda step: paid))
    with pytest.raises(BatchError, match=message):
        batch.step(batch.sample())
    assert not batch.rewards.any()
    batch = Batch(batch.game, 2, reward=shaped("win", lambda states: states.totals[:, 0]))
    with pytest.raises(BatchError, match=r"the potential must return numbers of shape \(2, 2\), got int32 of shape \(2,\)"):
        batch.step(batch.sample())
    with pytest.raises(ConfigError, match="paid at each step; expected one that is paid at the end"):
        final_rewards(gains, np.array([[1, 2]]), np.array([[1, 2]]))


def test_a_side_that_a_game_lacks_gets_nothing() -> None:
    game = ginkgo_env.make_game("ginkgopolis", padded=True, mixture=[{"players": 2}, {"players": 3}])
    batch = Batch(game, 8, reward=each_step(lambda step: np.ones((len(step.ended), 3))))
    batch.reset(seed=0)
    batch.step(batch.sample())
    assert batch.rewards.sum(axis=1).tolist() == (batch.configurations + 2).tolist()
    assert 0 < batch.configurations.sum() < 8


# --- shaping -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("potential", [lead, features])
@pytest.mark.parametrize(("name", "config"), GAMES)
def test_shaping_telescopes(name: str, config: dict[str, Any], potential: Any) -> None:
    """Undiscounted, a game pays its base reward less the potential of its start; also in games that follow."""
    game = ginkgo_env.make_game(name, **config)
    base = "score" if game.sides == 1 else "outcome"
    batches = [Batch(game, 6, reward=reward, autoreset=True) for reward in (shaped(base, potential), base)]
    sums = np.zeros((2, 6, game.seats))
    for batch in batches:
        batch.reset(seed=5)
    start, games = potential(StateBatch(game, batches[0].states.copy(), batches[0].run))[:, : game.seats], 0
    for _ in range(400):
        actions = batches[0].sample()
        for total, batch in zip(sums, batches, strict=True):
            batch.step(actions)
            total += batch.rewards
        for row in np.flatnonzero(batches[0].done):
            np.testing.assert_allclose(sums[0, row], sums[1, row] - start[row], atol=1e-4)
            sums[:, row], games = 0, games + 1
            start[row] = potential(StateBatch(game, batches[0].state(row).copy(), batches[0].run))[0, : game.seats]
    assert games > 3


class Chain:
    """Three states in a row; action 1 goes right, 0 ends the game. The rewards on the way are such that going on is best."""

    rewards = ((0.2, 0.0), (0.1, 0.0), (1.0, 1.0))  # of (state, action)

    def best(self, discount: float, potential: list[float]) -> list[tuple[int, float]]:
        """The best action of each state, and by how much, by backward induction with shaped rewards."""
        value, found = [0.0] * 4, []
        for state in (2, 1, 0):
            later = [0.0, potential[state + 1] if state < 2 else 0.0]
            following = [0.0, value[state + 1] if state < 2 else 0.0]
            values = [self.rewards[state][a] + discount * later[a] - potential[state] + discount * following[a] for a in (0, 1)]
            value[state] = max(values)
            found.append((int(values[1] > values[0]), values[1] - values[0]))
        return found


class Walk:
    """States for ``shaped``: numbers of states of the chain, -1 at the end."""

    def __init__(self, places: list[int]) -> None:
        self.places, self.actor = np.array(places), np.array([-1 if place < 0 else 0 for place in places])
        self.states, self.game = None, SimpleNamespace(sides=1, seats=1, seats_of=lambda states: np.ones(1))


@pytest.mark.parametrize("discount", [1.0, 0.9])
def test_shaping_keeps_the_order_of_policies(discount: float) -> None:
    """Discounted returns of all policies of a small chain differ by the same constant, the potential of the start."""
    chain, potential = Chain(), np.array([0.7, -2.0, 1.5])
    unshaped, changed = (chain.best(discount, each) for each in ([0.0] * 3, potential.tolist()))
    assert [action for action, _ in unshaped] == [action for action, _ in changed]
    np.testing.assert_allclose([gap for _, gap in unshaped], [gap for _, gap in changed], atol=1e-12)
    base = each_step(lambda step: np.array([[chain.rewards[step.before.places[0]][step.actions[0]]]]))
    reward = shaped(base, lambda states: potential[states.places][:, None], discount)  # type: ignore[attr-defined]
    for policy in ((0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)):
        plain = total = 0.0
        place, factor = 0, 1.0
        while place >= 0:
            following = place + 1 if policy[place] and place < 2 else -1
            step: Any = Transition(np.array([following < 0]), Walk([following]), Walk([place]), [policy[place]])  # type: ignore[arg-type]
            plain += factor * float(base(step)[0, 0])
            total += factor * float(reward(step)[0, 0])
            place, factor = following, factor * discount
        assert total == pytest.approx(plain - potential[0])


def test_shaped_rewards_are_copied_with_a_batch() -> None:
    batch = Batch(ginkgo_env.make_game("my_city", players=2), 3, reward=shaped(gains, lead, 0.9))
    for twin in (copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))):
        actions = batch.sample()
        fresh = copy.deepcopy(batch)
        fresh.step(actions)
        twin.step(actions)
        assert fresh.rewards.any() and twin.rewards.tobytes() == fresh.rewards.tobytes()


# --- front ends --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_a_learner_is_paid_for_all_that_happens_up_to_its_next_decision(seat: int) -> None:
    """So a function pays the same as ``score``; shaping telescopes from the start of the game."""
    options: dict[str, Any] = {"players": 2, "seat": seat}
    envs = [
        ginkgo_env.GinkgoEnv("ginkgopolis", reward=reward, **options) for reward in (gains, "score", shaped("win", lead), "win")
    ]
    vector = ginkgo_env.GinkgoVectorEnv("ginkgopolis", num_envs=2, reward=gains, **options)
    for env in envs:
        env.reset(seed=4)
    vector.reset(seed=[4, 9])
    batch = Batch(envs[0].game, 1)
    batch.reset([4])
    start = lead(StateBatch(batch.game, batch.states.copy(), batch.run))[0, seat]
    sums, over, rng = np.zeros(4), False, np.random.default_rng(0)
    while not over:
        masks = [envs[0].action_masks(), vector.action_masks()[1]]
        actions = [int(rng.choice(np.flatnonzero(mask))) for mask in masks]
        paid = []
        for env in envs:
            _, reward, terminated, truncated, _ = env.step(actions[0])
            paid.append(float(reward))
            over = terminated or truncated
        assert paid[0] == paid[1] == vector.step(np.array(actions))[1][0]
        sums += paid
    assert sums[2] == pytest.approx(sums[3] - start)


@pytest.mark.parametrize(("game", "config"), GAMES)
def test_pettingzoo(game: str, config: dict[str, Any]) -> None:
    envs = [ginkgo_env.raw_env(game, reward=reward, **config) for reward in (gains, "score")]
    for env in envs:
        env.reset(seed=2)
    while not any(envs[0].terminations.values()):
        action = int(envs[0].infos[envs[0].agent_selection]["action_mask"].argmax())
        for env in envs:
            env.step(action)
        assert envs[0].rewards == envs[1].rewards


def test_rounds_of_a_parallel_environment_add_up_their_steps() -> None:
    env = ginkgo_env.parallel_env("my_city", players=2, reward=each_step(lambda step: np.ones((1, 2))))
    _, infos = env.reset(seed=1)
    actions = {agent: int(info["action_mask"].argmax()) for agent, info in infos.items()}
    asked = sum(info["action_mask"].sum() > 0 for info in infos.values())
    _, rewards, *_ = env.step(actions)
    assert set(rewards.values()) == {float(asked)}
