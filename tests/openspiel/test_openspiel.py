"""The games of OpenSpiel: parameters, types, chance, utilities, copies."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import rl_environment
from open_spiel.python.algorithms import cfr, exploitability, generate_playthrough, ismcts, mcts, outcome_sampling_mccfr
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
from open_spiel.python.bots.uniform_random import UniformRandomBot
from open_spiel.python.policy import UniformRandomPolicy
from pettingzoo.test import api_test

import ginkgo_env.envs.openspiel
from ginkgo_env import ConfigError, IllegalActionError, PositionError, make_game
from ginkgo_env.envs.openspiel import register

from ..tiers import by_tier
from .small import HERE, OPTIONS, small

PLAYERS = {"ginkgopolis": range(1, 6), "golden_city": range(2, 5), "my_city": range(1, 5)}
EVERY = [f"python_{name}(players={n},deals=8)" for name, numbers in PLAYERS.items() for n in numbers] + [
    "python_ginkgopolis(players=3,modules=all)",
    "python_ginkgopolis(players=2,modules=events+keep_card,hand_size=5,strict=True)",
    "python_ginkgopolis(players=1,level=advanced,reward=outcome)",
    "python_ginkgopolis(players=2,setup=introductory,reward=win)",
    "python_golden_city(players=4,reward=win)",
    "python_my_city(players=3,reward=margin,seed=1000)",
]


def at_random(game: pyspiel.Game, seed: int = 0, end: int = 10**6) -> pyspiel.State:
    """The state after at most ``end`` random moves."""
    words, state = np.random.default_rng(seed), game.new_initial_state()
    while not state.is_terminal() and state.move_number() < end:
        state.apply_action(int(words.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize("name", PLAYERS)
def test_names_and_players(name: str) -> None:
    kind = pyspiel.load_game(f"python_{name}").get_type()
    assert [kind.min_num_players, kind.max_num_players] == [PLAYERS[name][0], PLAYERS[name][-1]]
    assert kind.utility == pyspiel.GameType.Utility.GENERAL_SUM
    assert kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert f"python_{name}" in pyspiel.registered_names()
    for players in PLAYERS[name]:
        assert pyspiel.load_game(f"python_{name}(players={players},deals=64)").num_players() == players


@pytest.mark.parametrize("text", by_tier(EVERY, ["python_my_city(players=2,deals=8)"]))
def test_random_simulation(text: str, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(text), 1, serialize="modules" not in text, verbose=False)


@pytest.mark.full
@pytest.mark.parametrize("name", OPTIONS)
def test_random_simulation_of_small_games(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(small(name), 10, serialize=True, verbose=False)


def test_a_game_of_another_package(trial_game: str) -> None:
    register(trial_game)
    state = at_random(pyspiel.load_game("python_three_cards"))
    assert state.is_terminal()


def test_the_deal_is_a_seed() -> None:
    game = pyspiel.load_game("python_my_city(players=3,deals=5,seed=10)")
    root = game.new_initial_state()
    assert root.is_chance_node() and root.chance_outcomes() == [(deal, 0.2) for deal in range(5)]
    assert game.max_chance_outcomes() == 5 and game.max_chance_nodes_in_history() == 1
    for deal in range(5):
        child = root.child(deal)
        assert child.ginkgo.state.tobytes() == make_game("my_city", players=3).initial_state(10 + deal).tobytes()
    assert root.action_to_string(3) == "deal:3"
    with pytest.raises(IllegalActionError, match="invalid deal 5"):
        root.apply_action(5)


@pytest.mark.parametrize("name", ["golden_city", "ginkgopolis"])
def test_deals_of_a_position_differ_in_what_is_hidden(name: str) -> None:
    root = small(name).new_initial_state()
    game, states = root.ginkgo.game, [root.child(deal).ginkgo.state for deal in range(4)]
    positions = [game.position(state) for state in states]
    assert len({state.tobytes() for state in states}) == 4
    for key in ("round", "tokens", "discard", "houses", "pairs", "coins"):
        assert all(position.get(key) == positions[0].get(key) for position in positions)
    assert any(position != positions[0] for position in positions)


def test_utilities() -> None:
    totals = {}
    for reward in ("score", "win", "margin", "outcome"):
        game = pyspiel.load_game(f"python_my_city(players=3,reward={reward})")
        state = at_random(game)
        totals[reward], outcome = state.returns(), state.ginkgo.game.outcome(state.ginkgo.state)
        assert game.min_utility() <= min(state.returns()) and max(state.returns()) <= game.max_utility()
        zero_sum = game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
        assert zero_sum == (reward in ("win", "margin"))
        assert not zero_sum or abs(sum(state.returns())) < 1e-12
    assert totals["score"] == list(outcome.scores)
    assert [u > 0 for u in totals["win"]] == [seat in outcome.winners for seat in range(3)]
    mean = np.mean(totals["score"])
    assert np.allclose(totals["margin"], [(score - mean) * 1.5 / 100 for score in totals["score"]])
    assert at_random(game, end=5).returns() == [0.0, 0.0, 0.0]
    assert pyspiel.load_game("python_my_city(reward=outcome)").get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    solo = pyspiel.load_game("python_ginkgopolis(players=1,reward=win)")
    assert solo.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM  # William is no player


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("python_my_city(players=5)", ConfigError, "players"),
        ("python_my_city(deals=0)", ConfigError, "invalid deals 0"),
        ("python_my_city(seed=-1)", ConfigError, "invalid seed"),
        ("python_my_city(recall=0)", ConfigError, "invalid recall"),
        ("python_my_city(strings=yaml)", ConfigError, "invalid strings 'yaml'; expected json or text"),
        ("python_my_city(reward=points)", ConfigError, "invalid reward 'points'"),
        ("python_my_city(players=1,reward=win)", ConfigError, "compares sides"),
        ("python_my_city(position=nowhere.json)", ConfigError, "nowhere.json"),
        ("python_ginkgopolis(modules=event)", ConfigError, "unknown module 'event'"),
        (f"python_ginkgopolis(players=3,{OPTIONS['ginkgopolis'].split(',')[1]})", PositionError, "players"),
    ],
)
def test_wrong_parameters(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        pyspiel.load_game(text)


def test_positions_that_are_none(tmp_path: Path) -> None:
    for content, error in (("[", ConfigError), ("[]", PositionError), ("{}", PositionError)):
        (tmp_path / "position.json").write_text(content)
        with pytest.raises(error, match="position"):
            pyspiel.load_game(f"python_ginkgopolis(position={tmp_path}/position.json)")


def test_an_illegal_action_changes_nothing() -> None:
    state = at_random(pyspiel.load_game("python_my_city"), end=6)
    before = state.ginkgo.state.tobytes(), state.history()
    with pytest.raises(IllegalActionError):
        state.apply_action(min({*range(400)} - {*state.legal_actions()}))
    assert (state.ginkgo.state.tobytes(), state.history()) == before


def test_copies_go_their_own_ways() -> None:
    state = at_random(pyspiel.load_game("python_my_city"), end=6)
    text = state.information_state_string(0)
    for other in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert type(other) is type(state) and other.history() == state.history()
        assert other.ginkgo.state.tobytes() == state.ginkgo.state.tobytes() and str(other) == str(state)
        assert other.information_state_string(0) == text
        other.apply_action(other.legal_actions()[0])
        assert other.ginkgo.state.tobytes() != state.ginkgo.state.tobytes()
    assert state.information_state_string(0) == text
    game = pickle.loads(pickle.dumps(state.get_game()))
    assert str(game) == str(state.get_game()) and game.ginkgo.template.tobytes() == state.get_game().ginkgo.template.tobytes()


@pytest.mark.full
def test_pickles_of_another_process(tmp_path: Path) -> None:
    state = at_random(pyspiel.load_game("python_my_city(players=3)"), end=6)
    resampled = state.resample_from_infostate(state.current_player(), np.random.default_rng(1).random)
    (tmp_path / "states").write_bytes(pickle.dumps((state.get_game(), state, resampled)))
    code = (
        "import pickle, sys\n"
        "game, *states = pickle.load(open(sys.argv[1], 'rb'))\n"
        "print(game.num_players(), *(state.ginkgo.state.tobytes().hex() for state in states))\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "states")]
    run = subprocess.run(command, capture_output=True, text=True, check=True)  # also ends without a crash
    assert run.stdout.split() == ["3", state.ginkgo.state.tobytes().hex(), resampled.ginkgo.state.tobytes().hex()]


def test_openspiel_is_imported_on_request_only() -> None:
    code = "import sys, ginkgo_env; ginkgo_env.make_game('my_city'); assert not {'pyspiel', 'open_spiel'} & {*sys.modules}"
    subprocess.run([sys.executable, "-c", code], check=True)


# --- bots, rl_environment, playthroughs, PettingZoo's test -------------------------------------------------------------------


PLAYTHROUGH = HERE / "playthrough.txt"


class SearchBot(ismcts.ISMCTSBot):  # type: ignore[misc]
    """OpenSpiel's IS-MCTS with the methods that ``evaluate_bots`` calls."""

    def restart_at(self, state: pyspiel.State) -> None:
        pass

    def inform_action(self, state: pyspiel.State, player: int, action: int) -> None:
        pass


@pytest.mark.full
@pytest.mark.parametrize("name", OPTIONS)
def test_search_beats_random_play(name: str) -> None:
    """Python IS-MCTS with two hundred simulations in the last round, in both seats of each deal."""
    game, words, margins = small(name, "deals=16,reward=score"), np.random.RandomState(1), []
    for deal in range(16):
        for seat in range(2):
            search = SearchBot(game, mcts.RandomRolloutEvaluator(1, words), 2.0, 200, random_state=words)
            if deal % 2:  # without a resampler, the state's own with OpenSpiel's random numbers
                search.set_resampler(lambda state, player: state.resample_from_infostate(player, words.uniform))
            bots = [UniformRandomBot(other, words) for other in range(2)]
            bots[seat] = search
            returns = evaluate_bots(game.new_initial_state().child(deal), bots, words)
            margins.append(returns[seat] - returns[1 - seat])
    of_deals = np.reshape(margins, (-1, 2)).sum(axis=1)
    assert np.mean(of_deals > 0) > 0.6 and of_deals.mean() > 2 * of_deals.std() / 4


@pytest.mark.full
@pytest.mark.parametrize("text", ["python_my_city(players=3)", "python_ginkgopolis(reward=win)", "python_golden_city"])
def test_rl_environment(text: str) -> None:
    for kind, size in (("INFORMATION_STATE", "information_state_tensor_size"), ("OBSERVATION", "observation_tensor_size")):
        game = pyspiel.load_game(text)
        env = rl_environment.Environment(game, observation_type=rl_environment.ObservationType[kind])
        env.seed(1)
        step, words = env.reset(), np.random.default_rng(1)
        assert len(step.observations["info_state"][0]) == getattr(game, size)()
        while not step.last():
            player = step.observations["current_player"]
            step = env.step([int(words.choice(step.observations["legal_actions"][player]))])
        assert len(step.rewards) == game.num_players() and any(step.rewards)


@pytest.mark.full
@pytest.mark.parametrize(("name", "players"), [("my_city", 3), ("ginkgopolis", 1), ("golden_city", 4)])
def test_shimmy(name: str, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    shimmy = pytest.importorskip("shimmy.openspiel_compatibility")
    api_test(shimmy.OpenSpielCompatibilityV0(game_name=f"python_{name}", config={"players": players}), num_cycles=200)


def playthrough() -> str:
    """A game move by move with all that OpenSpiel asks of its states, without the places of files."""
    game = small("my_city", "deals=4,reward=win,recall=8")
    text: str = generate_playthrough.playthrough(str(game), [1], alsologtostdout=False, seed=1)
    return text.replace(f"{HERE}/", "") + "\n"


def test_playthrough() -> None:
    """As in OpenSpiel's integration tests; ``python -m tests.openspiel.test_openspiel`` writes the file anew."""
    assert playthrough() == PLAYTHROUGH.read_text(encoding="utf-8")


def test_the_package_lists_its_names() -> None:
    assert ginkgo_env.envs.openspiel.__doc__ and {"register", "SpielGame", "SpielState"} < {*ginkgo_env.envs.openspiel.__all__}


# --- small configurations are solved: exact exploitability, which CFR lowers -------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize("name", OPTIONS)
def test_cfr_lowers_exploitability(name: str) -> None:
    game, started = small(name), time.process_time()
    before = exploitability.exploitability(game, UniformRandomPolicy(game))
    assert time.process_time() - started < 60
    assert before > 0.2  # else there would be nothing to solve
    solver = cfr.CFRSolver(game)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    after = exploitability.exploitability(game, solver.average_policy())
    assert 0 <= after < before / 3


@pytest.mark.full
@pytest.mark.parametrize("name", OPTIONS)
def test_the_solver_in_c(name: str) -> None:
    """The solvers in C++ take Python games, and find the same."""
    game = small(name)
    solvers = cfr.CFRSolver(game), pyspiel.CFRSolver(game)
    for solver in solvers:
        for _ in range(2):
            solver.evaluate_and_update_policy()
    one, two = (exploitability.nash_conv(game, solver.average_policy()) for solver in solvers)
    assert one == pytest.approx(two)


@pytest.mark.full
def test_the_best_response_in_c() -> None:
    """It works as long as something else refers to the policy; else it ends the process, on OpenSpiel's own games as well."""
    game = small("my_city")
    policy, root = pyspiel.UniformRandomPolicy(game), game.new_initial_state()
    values = [pyspiel.TabularBestResponse(game, player, policy).value_from_state(root) for player in range(2)]
    assert sum(values) / 2 == pytest.approx(exploitability.exploitability(game, UniformRandomPolicy(game)))


@pytest.mark.full
def test_general_sum_utilities() -> None:
    """With points as utilities players do not only fight each other: NashConv."""
    game = small("my_city", "deals=4,reward=score")
    solver = cfr.CFRSolver(game)
    before = exploitability.nash_conv(game, UniformRandomPolicy(game))
    for _ in range(10):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(game, solver.average_policy()) < before / 3
    with pytest.raises(ValueError, match="zero-sum"):
        exploitability.exploitability(game, solver.average_policy())


@pytest.mark.full
def test_outcome_sampling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np.random, "choice", np.random.RandomState(1).choice)
    game = small("my_city")
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    before = exploitability.exploitability(game, UniformRandomPolicy(game))
    for _ in range(2000):
        solver.iteration()
    assert exploitability.exploitability(game, solver.average_policy()) < before


@pytest.mark.full
def test_outcome_sampling_of_a_whole_game() -> None:
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(pyspiel.load_game("python_my_city(deals=2,reward=win)"))
    solver.iteration()
    assert len(solver._infostates) > 10


if __name__ == "__main__":
    PLAYTHROUGH.write_text(playthrough(), encoding="utf-8")
