"""What else of OpenSpiel, and of Shimmy, takes the games: bots, rl_environment, playthroughs, PettingZoo's test."""

from __future__ import annotations

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import rl_environment
from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
from open_spiel.python.bots.uniform_random import UniformRandomBot
from pettingzoo.test import api_test

import ginkgo_env.openspiel

from .small import HERE, small

PLAYTHROUGH = HERE / "playthrough.txt"


class SearchBot(ismcts.ISMCTSBot):  # type: ignore[misc]
    """OpenSpiel's IS-MCTS with the methods that ``evaluate_bots`` calls."""

    def restart_at(self, state: pyspiel.State) -> None:
        pass

    def inform_action(self, state: pyspiel.State, player: int, action: int) -> None:
        pass


@pytest.mark.full
@pytest.mark.parametrize(("text", "games"), [("my_city", 4), ("golden_city", 6), ("ginkgopolis", 6)])
def test_search_beats_random_play(text: str, games: int) -> None:
    """Python IS-MCTS, in both seats of each deal."""
    game = pyspiel.load_game(f"python_{text}(players=2,reward=outcome)")
    margins, words = [], np.random.RandomState(1)
    for k in range(games):
        search = SearchBot(game, mcts.RandomRolloutEvaluator(1, words), 1.0, 40, random_state=words)
        if k:  # without a resampler, the state's own with OpenSpiel's random numbers
            search.set_resampler(lambda state, player: state.resample_from_infostate(player, words.uniform))
        bots = [UniformRandomBot(seat, words) for seat in range(2)]
        bots[k % 2] = search
        returns = evaluate_bots(game.new_initial_state().child(k // 2), bots, words)
        margins.append(returns[k % 2] - returns[1 - k % 2])
    assert np.mean(margins) > 0 and np.mean(np.array(margins) > 0) > 0.5


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
    """As in OpenSpiel's integration tests; ``python -m tests.openspiel.test_tools`` writes the file anew."""
    assert playthrough() == PLAYTHROUGH.read_text(encoding="utf-8")


def test_the_package_lists_its_names() -> None:
    assert ginkgo_env.openspiel.__doc__ and {"register", "SpielGame", "SpielState"} < {*ginkgo_env.openspiel.__all__}


if __name__ == "__main__":
    PLAYTHROUGH.write_text(playthrough(), encoding="utf-8")
