"""What holds for the agents made for a game, whatever the game."""

from __future__ import annotations

import numpy as np
import pytest

from ginkgo_agents import act, make_agent
from ginkgo_agents.base import DecisionBatch
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.compile.threads import KernelThreads
from ginkgo_env.core.errors import ConfigError

from ..tiers import by_tier
from .conftest import batch_after

MADE = [(game, name) for game in ("golden_city", "my_city") for name in ("builder", "greedy")]
TABLES = [("golden_city", 2), ("golden_city", 3), ("golden_city", 4), *(("my_city", n) for n in (1, 2, 3, 4))]


@pytest.mark.parametrize("table", by_tier(TABLES, [TABLES[1], TABLES[3]]), ids=str)
@pytest.mark.parametrize("name", ["random", "builder", "greedy"])
def test_agents_play_to_the_end_and_keep_no_memory(name: str, table: tuple[str, int]) -> None:
    one, two = (batch_after(0, 6, game=table[0], players=table[1]) for _ in range(2))
    keys = np.arange(6, dtype=np.uint64)
    while not one.over.all():
        actions = act(make_agent(name, table[0]), one, keys)
        assert np.array_equal(actions, act(make_agent(name, table[0]), two, keys))
        one.step(actions)
        two.step(actions)
        keys += np.uint64(6)


@pytest.mark.parametrize(("game", "name"), MADE)
def test_an_action_depends_on_its_own_row_alone(game: str, name: str) -> None:
    """Whatever rows and threads there are: with more than 16 rows a second thread gets some."""
    many, keys, agent = batch_after(31, 40, game=game, players=3), np.arange(40, dtype=np.uint64), make_agent(name, game)
    actions, with_two = act(agent, many, keys), KernelThreads(2)
    assert np.array_equal(act(agent, many, keys, with_two), actions)
    with_two.close()
    for row in range(0, 40, 8):
        alone = batch_after(0, 1, game=game, players=3)
        alone.copy_rows(many, [row], [0])
        assert act(agent, alone, keys[row : row + 1])[0] == actions[row]


@pytest.mark.parametrize(("game", "name"), MADE)
def test_agents_do_not_see_what_is_hidden(game: str, name: str) -> None:
    batch, keys, agent = batch_after(50, 16, game=game, players=4), np.arange(16, dtype=np.uint64), make_agent(name, game)
    other = Batch(batch.game, 16)
    other.copy_rows(batch, np.arange(16), np.arange(16))
    other.resample(seed=9)
    assert other.states["deck"].tobytes() != batch.states["deck"].tobytes()
    assert np.array_equal(act(agent, batch, keys), act(agent, other, keys))


@pytest.mark.parametrize("method", ["check", "act", "probabilities"])
@pytest.mark.parametrize("name", ["greedy", "builder", "william"])
def test_an_agent_of_another_game_says_so(name: str, method: str) -> None:
    """An agent that was made without a game is that of the first game with an agent of this name."""
    batch = batch_after(0, 2, game="my_city", players=2)
    subject = batch.game if method == "check" else DecisionBatch(batch, np.arange(2), np.arange(2, dtype=np.uint64))
    with pytest.raises(ConfigError, match=r"Agent plays \w+, not my_city; see make_agent"):
        getattr(make_agent(name), method)(subject)
