"""Games that draw their configuration: each equals the game of its seed in that configuration, whatever row it is in."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest

import ginkgo_env
from ginkgo_agents import FunctionAgent, make_agent
from ginkgo_agents.base import Agent, DecisionBatch, act, actions_of
from ginkgo_agents.evaluation.matches import MatchConfig, play_match
from ginkgo_agents.evaluation.strength import evaluate
from ginkgo_env import Batch, BatchError, ConfigError, PositionError, make_game
from ginkgo_env.core.mixture import Mixture
from ginkgo_env.core.rewards import ABSENT, final_rewards
from ginkgo_env.testing import CHECKS, run_contract

from ..tiers import by_tier

SHORT: dict[str, Any] = {"max_rounds": 3}
SETS: list[dict[str, Any]] = [
    {"modules": ["events"]},
    {"modules": ["experts", "prestige"]},
    {"modules": ["keep_card"], "hand_size": 5},
]
MIXTURES: dict[str, dict[str, Any]] = {
    "modules": {"players": 2, "mixture": SETS},
    "options": {"players": 3, "mixture": [{"strict": True}, {"setup": "introductory"}, {}]},
    "solo": {"players": 1, "mixture": [{"level": "advanced"}, {}]},
    "players": {"padded": True, "mixture": [{"players": 2}, {"players": 5}, {"players": 3}]},
    "both": {"padded": True, "mixture": [{"players": 4, **one} for one in SETS] + [{"players": 2, "modules": "all"}]},
}


def mixture(name: str) -> Mixture:
    game = make_game("ginkgopolis", **SHORT, **MIXTURES[name])
    assert isinstance(game, Mixture)
    return game


def seeded(game: ginkgo_env.Game, seeds: Any, **options: Any) -> Batch:
    batch = Batch(game, len(seeds), **options)
    batch.reset(seeds)
    return batch


@pytest.mark.parametrize("name", MIXTURES)
def test_each_row_equals_a_batch_of_its_configuration(name: str) -> None:
    game = mixture(name)
    batch = seeded(game, range(12), reward="outcome")
    assert len(set(batch.configurations)) == len(game.games)
    twins = [seeded(game.game_of(batch.state(row)), [row], reward="outcome") for row in range(12)]
    assert [twin.game for twin in twins] == [game.games[number] for number in batch.configurations]
    paid = np.zeros((12, game.seats))
    while not batch.over.all():
        actions = batch.sample()
        batch.step(actions)
        paid += batch.rewards
        for row, twin in enumerate(twins):
            twin.step(actions[row : row + 1])
            seats, sides = twin.game.seats, twin.game.sides
            assert twin.states.tobytes() == batch.state(row).tobytes() and (twin.mask[0] == batch.mask[row]).all()
            assert (twin.rewards[0] == batch.rewards[row, :seats]).all() and not batch.rewards[row, seats:].any()
            if twin.done[0]:
                assert (twin.totals[0] == batch.totals[row, :sides]).all() and not batch.totals[row, sides:].any()
                assert (twin.standings[0] == batch.standings[row, :sides]).all()
                assert (batch.standings[row, sides:] == ABSENT).all()
    assert paid.any()
    for seat in range(game.seats):
        observed, features = batch.observe(seat), batch.features(seat)
        for row, twin in enumerate(twins):
            if seat < twin.game.seats:
                assert (observed[row] == twin.observe(seat)[0]).all() and (features[row] == twin.features(seat)[0]).all()
            else:  # an absent seat sees nothing
                assert not observed[row].any() and not features[row].any()


@pytest.mark.full
def test_afterstates_and_resampling_equal_those_of_the_configuration() -> None:
    game = mixture("both")
    batch = seeded(game, range(6))
    for _ in range(20):
        batch.step(batch.sample())
    keys = np.arange(6, dtype=np.uint64)
    turn = DecisionBatch(batch, np.arange(6), keys)
    whole = turn.afterstates(2)
    for row in range(6):
        twin = Batch(game.game_of(batch.state(row)), 1)
        twin.set_states([0], batch.state(row))
        own, seats = DecisionBatch(twin, np.arange(1), keys[row : row + 1]).afterstates(2), twin.game.sides
        some = slice(*whole.offsets[row : row + 2])
        assert (own.views == whole.views[some]).all() and (own.actions == whole.actions[some]).all()
        assert (own.win == whole.win[some]).all() and (own.totals == whole.totals[some, :, :seats]).all()


@pytest.mark.parametrize("name", MIXTURES)
def test_resampling_changes_what_is_hidden_alone(name: str) -> None:
    batch = played(seeded(mixture(name), range(12)), 12)
    for seat in range(batch.game.seats):  # absent ones too, from whom everything is hidden
        copied = copy.deepcopy(batch)
        copied.resample(seat, seed=3)
        assert not batch.game.find_flaw(copied.states) and (copied.configurations == batch.configurations).all()
        assert (copied.observe(seat) == batch.observe(seat)).all() and (copied.features(seat) == batch.features(seat)).all()
        hands = (copied.states["hand"] != batch.states["hand"]).any(axis=2)
        present = np.arange(hands.shape[1]) < batch.game.seats_of(batch.states)[:, None]
        assert not hands[:, seat].any() and not hands[~present].any()
        others = np.delete(hands, seat, axis=1).any(axis=1)
        assert others.any() or batch.game.seats == 1


def test_games_depend_on_their_seed_alone() -> None:
    seeds = np.random.default_rng(5).integers(2**63, size=24)
    order = np.random.default_rng(6).permutation(24)

    def final(batch: Batch) -> bytes:
        for _ in range(12):
            batch.step(batch.sample())
        return batch.states.tobytes()

    game = mixture("both")
    whole = seeded(game, seeds)
    numbers = whole.configurations
    final(whole)
    for other, rows in (
        (seeded(game, seeds, threads=3), np.arange(24)),
        (seeded(game, seeds[:7]), np.arange(7)),
        (seeded(game, seeds[order]), order),
    ):
        assert (other.configurations == numbers[rows]).all()
        assert final(other) == whole.states[rows].tobytes()


SAID: dict[str, tuple[dict[str, Any], list[str]]] = {
    "modules": (MIXTURES["modules"], ["modules"]),
    "rest": (
        {"padded": True, "mixture": [{}, {"strict": True}, {"setup": "introductory"}, {"players": 3}]},
        ["configuration"],
    ),
    "both": (
        {"padded": True, "modules": ["events"], "mixture": [{}, {"strict": True}, {"players": 4}, *SETS[1:]]},
        ["modules", "configuration"],
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_the_observation_says_which(name: str) -> None:
    """The named blocks of each observation, in batches and vector environments, are those of one configuration."""
    options, blocks = SAID[name]
    envs = ginkgo_env.GinkgoVectorEnv("ginkgopolis", num_envs=12, **SHORT, **options)
    game, numbers = envs.game, set[int]()
    batch = seeded(game, range(12), autoreset=True)
    said: dict[bytes, set[int]] = {}

    def note(observations: Any, configurations: Any) -> None:
        parts = np.concatenate([game.observation.view(observations, block).reshape(len(observations), -1) for block in blocks], 1)
        for part, number in zip(parts, configurations.tolist(), strict=True):
            said.setdefault(part.tobytes(), set()).add(number)

    observations, infos = envs.reset(seed=1)
    for _ in range(60):
        note(observations, infos["configuration"])
        note(batch.observe(), batch.configurations)
        numbers |= set(batch.configurations.tolist())
        batch.step(batch.sample())
        observations, *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
    assert numbers == set(range(len(game.games)))  # type: ignore[attr-defined]
    assert len(said) == len(numbers) and all(len(those) == 1 for those in said.values())


def test_configurations_are_equally_likely() -> None:
    counts = np.bincount(seeded(mixture("both"), range(4000)).configurations, minlength=4)
    assert ((counts - 1000) ** 2 / 1000).sum() < 16.3  # chi-squared with 3 degrees of freedom, p = 0.001


@pytest.mark.parametrize("name", ["modules", "players"])
def test_autoreset_draws_anew(name: str) -> None:
    game = mixture(name)
    batch = seeded(game, range(4), autoreset=True)
    started = set()
    for _ in range(600):
        batch.step(batch.sample())
        for row in np.flatnonzero(batch.done):
            fresh = seeded(game, [int(batch.states["seed"][row])])
            assert fresh.states.tobytes() == batch.state(int(row)).tobytes() and (fresh.mask[0] == batch.mask[row]).all()
            started.add((row, int(batch.configurations[row])))
    assert len(started) == 4 * 3


@pytest.mark.parametrize("name", MIXTURES)
def test_copies_play_on(name: str) -> None:
    batch = seeded(mixture(name), range(5), autoreset=True)
    for _ in range(30):
        batch.step(batch.sample())
    for other in (copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))):
        assert other.game.shares_states(batch.game) and other.game.config_dict == batch.game.config_dict
        for _ in range(60):
            actions = other.sample()
            other.step(actions)
        assert other.states.tobytes() == played(copy.deepcopy(batch), 60).states.tobytes()


def played(batch: Batch, steps: int) -> Batch:
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


@pytest.mark.parametrize("name", MIXTURES)
def test_plain_data_makes_the_same_mixture(name: str) -> None:
    game = mixture(name)
    again = make_game("ginkgopolis", **json.loads(json.dumps(game.config_dict)))
    assert again.shares_states(game) and again.config_dict == game.config_dict and again.config == game.config


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"mixture": [{}, {"modules": "all"}]}, "the same actions (323 and 616), got modules=None"),
        ({"mixture": [{"players": 2}, {"players": 3}]}, "the same observation (1757 and 1978), got players=2 and players=3; see "
         "the option padded=True"),
        ({"padded": True, "mixture": [{"players": 1}, {"players": 3}]}, "configurations with the same number of sides"),
        ({"mixture": "evens"}, "no mixture 'evens'; it has training_modules, held_out_modules, all_modules"),
        ({"mixture": []}, "a list of at least one game"),
        ({"mixture": 7}, "mixture must be a list of options"),
        ({"mixture": [7]}, "mixture must be a list of options"),
        ({"mixture": [{"mixture": []}]}, "mixture: unknown option 'mixture'"),
        ({"mixture": [{"colour": 1}]}, "no option 'colour'"),
    ],
)  # fmt: skip
def test_what_is_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError) as error:
        make_game("ginkgopolis", **options)
    assert sentence in str(error.value)


def test_games_of_other_boards_are_refused() -> None:
    with pytest.raises(ConfigError, match="configurations of one game, got golden_city and my_city"):
        Mixture([make_game("golden_city"), make_game("my_city")])
    with pytest.raises(ConfigError, match="golden_city has no mixture 'all'; it has training_boards, held_out_boards"):
        make_game("golden_city", mixture="all")


def test_named_mixtures_are_the_sets_of_modules() -> None:
    training, held_out, every = (make_game("ginkgopolis", mixture=f"{name}_modules") for name in ("training", "held_out", "all"))
    assert [len(game.games) for game in (training, held_out, every)] == [32, 31, 63]  # type: ignore[attr-defined]
    assert every.config_dict["mixture"] == training.config_dict["mixture"] + held_out.config_dict["mixture"]
    assert every.variant == "mixture of 63 configurations"


def test_states_of_other_configurations_are_refused() -> None:
    batch = seeded(mixture("modules"), range(4))
    other = seeded(make_game("ginkgopolis", players=2, **SHORT, modules=["green_spaces"]), [1])
    with pytest.raises(BatchError, match="expected states of this configuration"):
        batch.set_states([0], other.states)
    with pytest.raises(BatchError, match="expected one of the configurations of the mixture"):
        batch.game.game_of(other.states)
    with pytest.raises(BatchError, match="same game and configuration"):
        batch.copy_rows(seeded(batch.game.game_of(batch.state(0)), [1]), [0], [0])
    assert seeded(make_game("ginkgopolis"), range(3)).configurations.tolist() == [0, 0, 0]


@pytest.mark.parametrize("name", MIXTURES)
def test_texts_positions_and_records_are_those_of_the_configuration(name: str) -> None:
    game = mixture(name)
    batch = played(seeded(game, range(6)), 15)
    for row in range(6):
        state, own = batch.state(row), game.game_of(batch.state(row))
        actions = np.flatnonzero(batch.mask[row])
        texts = [own.action_text(state, int(action)) for action in actions]
        assert [game.action_text(state, int(action)) for action in actions] == texts
        assert [game.parse_action(state, text) for text in texts] == actions.tolist()
        assert game.describe(state, 0) == own.describe(state, 0) and batch.outcome(row) == own.outcome(state)
        assert game.picture(state).svg() == own.picture(state).svg()
        position = batch.position(row)
        assert position == own.position(state) and game.from_position(position).tobytes() == state.tobytes()
    with pytest.raises(PositionError, match=r"expected one of the \d configurations of a mixture"):
        game.from_position(make_game("ginkgopolis", players=2, modules=["green_spaces"]).position(
            seeded(make_game("ginkgopolis", players=2, modules=["green_spaces"]), [0]).state(0)))  # fmt: skip
    record = ginkgo_env.Record.from_actions(game, 4, [])
    assert record.header["config"] == game.games[seeded(game, [4]).configurations[0]].config_dict
    *_, last = ginkgo_env.replay(record)
    assert last.state.tobytes() == seeded(game, [4]).states.tobytes()


@pytest.mark.parametrize("name", ["modules", "players"])
def test_vector_environments_equal_single_ones(name: str) -> None:
    options: dict[str, Any] = {**SHORT, **MIXTURES[name], "seat": "rotating"}
    envs = ginkgo_env.GinkgoVectorEnv("ginkgopolis", num_envs=4, **options)
    single = [ginkgo_env.GinkgoEnv("ginkgopolis", **options) for _ in range(4)]
    observations, infos = envs.reset(seed=3)
    alone = [env.reset(seed=3 + k) for k, env in enumerate(single)]
    ended = np.zeros(4, np.bool_)
    seen = set()
    for _ in range(60):
        for k, (observation, info) in enumerate(alone):
            assert (observation == observations[k]).all() and (info["action_mask"] == infos["action_mask"][k]).all()
            assert info["configuration"] == infos["configuration"][k] and info["seat"] == infos["seat"][k]
            seen.add((k, info["configuration"]))
        actions = infos["action_mask"].argmax(axis=1)
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        for k, env in enumerate(single):
            if ended[k]:
                alone[k] = env.reset()
            else:
                observation, reward, *flags, info = env.step(actions[k])
                assert reward == rewards[k] and flags == [terminated[k], truncated[k]]
                alone[k] = observation, info
        ended = terminated | truncated
    assert len(seen) > 6


def test_environments_of_other_libraries() -> None:
    env = gymnasium.make("ginkgo_env:ginkgo_env/Ginkgopolis-v0", players=2, mixture=SETS)
    assert env.reset(seed=1)[1]["configuration"] in range(3)
    aec = ginkgo_env.raw_env("ginkgopolis", players=2, mixture=SETS, **SHORT)
    numbers = []
    for seed in range(8):
        aec.reset(seed=seed)
        numbers.append(int(aec.game.configuration_of(aec._one.states)[0]))
    assert numbers == seeded(mixture("modules"), range(8)).configurations.tolist()
    assert copy.deepcopy(aec).game.shares_states(aec.game)
    with pytest.raises(ConfigError, match="PettingZoo takes configurations with the same number of players"):
        ginkgo_env.raw_env("ginkgopolis", padded=True, mixture=[{"players": 2}, {"players": 3}])
    with pytest.raises(ConfigError, match="invalid seat 2"):
        ginkgo_env.GinkgoEnv("ginkgopolis", seat=2, **MIXTURES["players"])


@pytest.mark.full
@pytest.mark.parametrize("name", MIXTURES)
def test_contract(name: str) -> None:
    """But for options, which are those of the configurations, and what concerns the sides of the own configuration alone."""
    unequal = {"check_resampling", "check_descriptions", "check_pictures", "check_seen"}
    unequal |= {"check_areas", "check_scores", "check_rewards"}
    game = mixture(name)
    left_out = {"check_options_refused"} | (set() if game.has_equal_seats else unequal)
    run_contract(game, [check for check in CHECKS if check.__name__ not in left_out])


# --- agents ------------------------------------------------------------------------------------------------------------------


def test_agents_take_their_argument_by_name() -> None:
    game = make_game("my_city")
    agent = make_agent("greedy", "my_city")
    agent.check(game=game)
    turn = DecisionBatch(Batch(game, 1), np.arange(1), np.ones(1, np.uint64))
    assert agent.act(turn=turn) == agent.act(turn)


class Asked(Agent):
    """Notes the configurations that it is called with."""

    def __init__(self) -> None:
        self.configs: list[tuple[str, ...]] = []

    def check(self, game: ginkgo_env.Game) -> None:
        self.configs.append(game.config.modules)

    def act(self, turn: DecisionBatch) -> Any:
        self.configs.append(turn.game.config.modules)
        return turn.masks.argmax(axis=1)


def test_agents_are_asked_for_each_configuration() -> None:
    batch, agent = seeded(mixture("modules"), range(12)), Asked()
    agent.check(batch.game)
    assert agent.configs == [("events",), ("prestige", "experts"), ("keep_card",)]
    agent.configs.clear()
    keys = np.arange(12, dtype=np.uint64)
    assert (act(agent, batch, keys) == batch.mask.argmax(axis=1)).all()
    assert agent.configs == [("events",), ("prestige", "experts"), ("keep_card",)]
    probabilities = agent.probabilities(DecisionBatch(batch, np.arange(12), keys))
    assert (probabilities.argmax(axis=1) == batch.mask.argmax(axis=1)).all()
    assert actions_of(agent, DecisionBatch(batch, np.arange(0), keys[:0])).shape == (0,)
    decided = act(FunctionAgent(lambda decision: decision.legal[len(decision.game.config.modules) - 1]), batch, keys)
    assert (np.take_along_axis(batch.mask, decided[:, None], 1) == 1).all()


@pytest.mark.parametrize("name", by_tier(["random", "greedy", "william", "ppo", "lookahead"], ["random", "ppo"]))
def test_agents_play_as_in_the_configuration(name: str) -> None:
    plain = make_game("ginkgopolis", padded=True, mixture=[{"strict": True}, {"setup": "introductory"}])
    game = plain if name == "ppo" else mixture("both")  # no pretrained policy plays modules with four players
    batch, agent = played(seeded(game, range(8)), 9), make_agent(name, "ginkgopolis")
    agent.check(game)
    keys = np.arange(8, dtype=np.uint64)
    actions = act(agent, batch, keys)
    for row in range(8):
        twin = Batch(game.game_of(batch.state(row)).with_layouts_of({}), 1)
        twin.set_states([0], batch.state(row))
        assert act(agent, twin, keys[row : row + 1])[0] == actions[row]


@pytest.mark.full
def test_matches_and_evaluations() -> None:
    game = mixture("modules")
    results = play_match(MatchConfig("ginkgopolis", ("random", "greedy"), game.config_dict), 6, seed=1, record=4)
    assert results.games == 12
    for kept in results.recorded:
        record = ginkgo_env.Record.from_actions(make_game(kept.game, **kept.config), kept.seed, kept.actions)
        assert record.result is not None and "mixture" not in kept.config
    with pytest.raises(ConfigError, match="the same number of seats"):
        MatchConfig("ginkgopolis", ("random",) * 5, MIXTURES["players"])
    strength = evaluate("greedy", mixture("players"), ["random"], 12, seed=0)["random"]
    # Two games or more with each number of players, each in all rotations.
    assert strength["games"] == 2 * 2 + 2 * 3 + 2 * 5 and 0.3 < strength["win"][0] <= 1


@pytest.mark.parametrize("reward", ["win", "margin", "outcome", lambda end: end.after.totals + 1.0])
def test_rewards_of_absent_sides(reward: Any) -> None:
    totals, standings = np.array([[10, 40, 0, 0]], np.int32), np.array([[10, 40, ABSENT, ABSENT]])
    paid = final_rewards(reward, totals, standings)
    assert (paid[:, :2] == final_rewards(reward, totals[:, :2], standings[:, :2])).all() and not paid[:, 2:].any()
