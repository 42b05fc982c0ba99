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

import ginkgo_env.envs.openspiel

from .small import HERE, OPTIONS, small

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
    """As in OpenSpiel's integration tests; ``python -m tests.openspiel.test_tools`` writes the file anew."""
    assert playthrough() == PLAYTHROUGH.read_text(encoding="utf-8")


def test_the_package_lists_its_names() -> None:
    assert ginkgo_env.envs.openspiel.__doc__ and {"register", "SpielGame", "SpielState"} < {*ginkgo_env.envs.openspiel.__all__}


if __name__ == "__main__":
    PLAYTHROUGH.write_text(playthrough(), encoding="utf-8")
