"""Agents made from functions of one decision."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from ginkgo_agents import Decision, FunctionAgent, MatchConfig, make_agent, play_match, register_agent
from ginkgo_agents.base import RandomAgent
from ginkgo_agents.ginkgopolis import WilliamAgent
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import BatchError, ConfigError, IllegalActionError


@FunctionAgent
def longest_text(decision: Decision) -> Any:
    """The action with the longest notation; of several a random one."""
    lengths = np.array([len(text) for text in decision.texts])
    return decision.random.choice(decision.legal[lengths == lengths.max()])


@FunctionAgent
def curious(decision: Decision) -> int:
    """A number that follows from everything that a function is told, of the state too."""
    told = (decision.state.tobytes(), decision.observation.vector.tobytes(), decision.key, decision.seat, decision.kind)
    return decision.legal[hash(told) % len(decision.legal)]


NAME = f"{__name__}:longest_text"


def test_a_function_decides_as_an_agent_would(played, turn_of):
    batch = played(20, 30, players=3)
    turn = turn_of(batch)
    for row, action in enumerate(longest_text.act(turn)):
        texts = {int(a): batch.game.action_text(batch.state(row), int(a)) for a in np.flatnonzero(turn.masks[row])}
        assert len(texts[int(action)]) == max(map(len, texts.values()))


def test_a_function_does_not_see_what_is_hidden(played, turn_of):
    batch = played(30, 40, players=3)
    other = Batch(batch.game, batch.size)
    other.set_states(np.arange(batch.size), batch.states)
    other.resample(seed=99)
    assert (batch.states != other.states).any()
    np.testing.assert_array_equal(curious.act(turn_of(batch)), curious.act(turn_of(other)))


def test_the_state_looks_as_the_truth_to_the_seat(played, turn_of):
    batch, seen = played(25, 20, players=2), []
    turn = turn_of(batch)
    FunctionAgent(lambda decision: seen.append(decision) or decision.legal[0]).act(turn)
    for row, decision in enumerate(seen):
        texts = [batch.game.describe(state, decision.seat) for state in (batch.state(row), decision.state)]
        assert texts[0] == texts[1] and decision.kind == batch.game.decisions[batch.kind[row]]
        one = Batch(batch.game, 1)
        one.set_states([0], decision.state)
        np.testing.assert_array_equal(one.observe()[0], decision.observation.vector)
        np.testing.assert_array_equal(np.flatnonzero(one.mask[0]), decision.legal)
    assert any(batch.state(row).tobytes() != decision.state.tobytes() for row, decision in enumerate(seen))


def test_games_are_reproducible(trial_game):
    table = MatchConfig(trial_game, (NAME, "random"))
    first, again = (play_match(table, 8, seed=1, threads=threads).totals for threads in (1, 2))
    np.testing.assert_array_equal(first, again)


def test_an_agent_by_name():
    register_agent("longest", longest_text)
    assert make_agent("longest") is longest_text is make_agent(NAME)
    for name in ("longest", NAME):
        with pytest.raises(ConfigError, match="takes no options"):
            make_agent(f"{name}:worlds=3")
    with pytest.raises(ConfigError, match="duplicate"):
        register_agent("longest", curious)


@pytest.mark.full
def test_a_file_in_the_working_directory(tmp_path):
    """The console script finds it, and does not lie there itself."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "script.py").write_text("from ginkgo_env.cli import main\nmain()\n")
    code = "import ginkgo_agents\n\n@ginkgo_agents.FunctionAgent\ndef first(decision):\n    return decision.legal[0]\n"
    (tmp_path / "bots_of_mine.py").write_text(code)
    command = [sys.executable, str(tmp_path / "bin" / "script.py"), "leaderboard", "--agents", "bots_of_mine:first,random"]
    done = subprocess.run([*command, "--games", "0"], check=False, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert "invalid games 0" in done.stderr, "agents are made before games are counted"


def test_what_is_no_action_is_refused(trial_game):
    for name, answer, error in (("nothing", None, BatchError), ("wrong", 10**6, IllegalActionError)):
        register_agent(f"function {name}", FunctionAgent(lambda decision, answer=answer: answer))
        with pytest.raises(error):
            play_match(MatchConfig(trial_game, (f"function {name}", "random")), 1, seed=0)


def test_a_cell_of_a_notebook_may_be_run_again():
    def define(module: str, base: type = RandomAgent) -> type:
        return type("Mine", (base,), {"__module__": module})

    register_agent("from a cell", define("__main__"))
    register_agent("from a cell", define("__main__", WilliamAgent))
    assert isinstance(make_agent("from a cell"), WilliamAgent)
    with pytest.raises(ConfigError, match="duplicate"):
        register_agent("from a cell", define("elsewhere"))
    register_agent("from a module", define("elsewhere"))
    with pytest.raises(ConfigError, match="duplicate"):
        register_agent("from a module", define("elsewhere"))


def careless(decision: Decision) -> int:
    return int(decision.legal[0])


def test_a_function_that_is_no_agent_is_told_of() -> None:
    with pytest.raises(ConfigError, match="decorate a function"):
        make_agent(f"{__name__}:careless")
