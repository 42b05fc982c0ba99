"""Networks, rewards and kinds of checkpoint of users, which are named as ``module:attribute``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from msgspec.structs import replace
from typer.testing import CliRunner

from ginkgo_agents import registry
from ginkgo_agents.base import Agent, DecisionBatch, RandomAgent
from ginkgo_agents.checkpoints import Checkpoint, read_checkpoint, write_checkpoint
from ginkgo_agents.evaluation.strength import evaluate
from ginkgo_agents.lookahead import LookaheadAgent, outcome_of
from ginkgo_agents.policy import PolicySettings
from ginkgo_agents.registry import choice_key, make_agent, register_agent, register_kind
from ginkgo_agents.search import SearchAgent
from ginkgo_env.cli.app import app
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import BatchError, ConfigError
from ginkgo_env.registry import make_game
from ginkgo_training import runs
from ginkgo_training.lookahead import LookaheadTrainer
from ginkgo_training.networks import own_network
from ginkgo_training.ppo import PpoTrainer
from ginkgo_training.search import SearchTrainer
from ginkgo_training.settings import LookaheadSettings, OpponentSettings, PpoSettings, SearchSettings
from ginkgo_training.torch_agent import TorchAgent, TorchLookaheadAgent
from ginkgo_training.trainer import AGENT, CHECKPOINT

from .checkpoints import same

CODE = """
import numpy as np
import torch
from torch import nn

import ginkgo_env
from ginkgo_env.core import rewards


class Net(nn.Module):
    def __init__(self, game):
        super().__init__()
        self.norm = nn.BatchNorm1d(game.features.size)
        self.body = nn.Sequential(nn.Linear(game.features.size, 16), nn.Dropout(0.2), nn.ReLU())
        self.heads = nn.ModuleList([nn.Linear(16, game.actions.size), nn.Linear(16, 1)])

    def forward(self, x):
        h = self.body(self.norm(x))
        return self.heads[0](h), self.heads[1](h)[:, 0]


class Both(Net):
    observation = "both"

    def __init__(self, game):
        super().__init__(game)
        self.first = nn.Linear(game.observation.size + game.features.size, game.features.size)

    def forward(self, x):
        return super().forward(self.first(x))


class Wide(Net):
    def __init__(self, game):
        super().__init__(game)
        self.heads[0] = nn.Linear(16, game.actions.size + 1)


class Estimator(nn.Module):
    def __init__(self, game):
        super().__init__()
        self.norm = nn.BatchNorm1d(game.features.size)
        self.body = nn.Sequential(nn.Linear(game.features.size, 8), nn.Dropout(0.2), nn.ReLU(), nn.Linear(8, 2), nn.Tanh())

    def forward(self, x):
        return self.body(self.norm(x))


class Blind(Net):
    observation = "nothing"


def no_module(game):
    return game


def win(end):
    return rewards.win(end.after.standings)


def lose(end):
    return -rewards.win(end.after.standings)


def nothing(end):
    return end.after.totals * np.nan


@ginkgo_env.each_step
def gains(step):
    return (step.after.totals - step.before.totals) / 30


shaped_win = ginkgo_env.shaped("win", lambda states: states.totals / 30)


def flat(end):
    return np.zeros(3)


number = 3
"""
SMALL = PpoSettings(
    games=8,
    n_steps=8,
    batch_size=32,
    network_class="mine:Net",
    opponents=OpponentSettings(past_share=0.5, snapshot_every=2, snapshots=2),
)
pytestmark = pytest.mark.usefixtures("trial_game")


@pytest.fixture(autouse=True)
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A module of the user."""
    folder = tmp_path / "own_code"
    folder.mkdir()
    (folder / "mine.py").write_text(CODE)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))
    yield
    sys.modules.pop("mine", None)


def trainer(seed: int = 3, **settings: Any) -> PpoTrainer:
    return PpoTrainer(make_game("three_cards"), replace(SMALL, **settings), seed)


def arrays_of(one: PpoTrainer) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in one.checkpoint(training=True).arrays.items()}


@pytest.mark.parametrize("network", ["mine:Net", "mine:Both"])
def test_a_run_with_an_own_network_is_resumed_exactly(network: str, tmp_path: Path) -> None:
    """With randomness and statistics of its own too: dropout and batch norm."""
    unbroken, first = trainer(network_class=network), trainer(network_class=network)
    runs.train(unbroken, runs.Budget(rollouts=5), tmp_path / "unbroken", games=2)

    def stop(text: str, remaining: float) -> None:
        if first.rollouts == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runs.train(first, runs.Budget(rollouts=5), tmp_path / "cut", report=stop)
    again = trainer(network_class=network)
    runs.train(again, runs.Budget(rollouts=5), tmp_path / "cut", resume=True, games=2)
    assert arrays_of(again) == arrays_of(unbroken) != arrays_of(first)
    assert arrays_of(unbroken)["policy/norm.running_mean"] != bytes(unbroken.policy.norm.running_mean.numel() * 4)


def test_what_comes_out_plays(tmp_path: Path) -> None:
    """The agent prefers what the module prefers, whatever rows are beside; other commands take its name."""
    one = trainer()
    one.training_step(1.0)
    path = write_checkpoint(tmp_path / AGENT, one.checkpoint())
    agent, batch = make_agent(f"{path}:network=mine:Net", "three_cards"), Batch(one.game, 70)
    keys = np.random.default_rng(1).integers(2**64, size=70, dtype=np.uint64)
    turn = DecisionBatch(batch, np.arange(70), keys)
    with torch.no_grad():
        logits = one.policy.eval()(torch.from_numpy(batch.features()))[0].numpy()
    wanted = np.where(batch.mask != 0, logits, -np.inf).argmax(axis=1)
    assert (agent.act(turn) == wanted).all()
    alone = [agent.probabilities(DecisionBatch(batch, np.array([k]), keys[k : k + 1])) for k in range(70)]
    np.testing.assert_array_equal(agent.probabilities(turn), np.concatenate(alone))
    assert choice_key(f"{path}:network=mine:Net", one.game).endswith(":network=mine:Net")
    again = TorchAgent(path, network=type(one.policy), sample=True)
    assert len({*again.act(DecisionBatch(batch, np.arange(70), keys)).tolist()}) > 1
    result = CliRunner().invoke(app, ["evaluate", f"{path}:network=mine:Net", "--against", "random", "--games", "4"])
    assert result.exit_code == 0, result.output
    board = ["leaderboard", "--game", "three_cards", "--agents", f"random,{path}:network=mine:Net", "--games", "4"]
    result = CliRunner().invoke(app, board)
    assert result.exit_code == 0, result.output


def test_a_checkpoint_names_its_network_but_does_not_bring_it(tmp_path: Path) -> None:
    one = trainer()
    path = write_checkpoint(tmp_path / AGENT, one.checkpoint())
    with pytest.raises(ConfigError, match=r"'mine:Net' plays only with it; pass it, as in agent.npz:network=module:Class"):
        make_agent(str(path))
    for wrong, message in (
        ("mine:Both", "reads both, but the checkpoint.s network reads features"),
        ("mine:Wide", "invalid outputs of network 'mine:Wide'"),
        ("mine:Blind", "invalid observation 'nothing'"),
        ("mine:no_module", "expected a torch.nn.Module, got ThreeCards"),
        ("mine:Missing", "cannot be imported"),
        ("nowhere:Net", "cannot be imported"),
    ):
        with pytest.raises(ConfigError, match=message):
            make_agent(f"{path}:network={wrong}").check(one.game)
        if wrong != "mine:Both":
            with pytest.raises(ConfigError, match=message):
                own_network(wrong, one.game)
    arrays = {**one.checkpoint().arrays, "policy/more": np.zeros(1, np.float32)}
    more = Checkpoint("torch", *list(vars(one.checkpoint()).values())[1:-1], arrays)
    with pytest.raises(ConfigError, match="unexpected arrays 'policy/more'"):
        TorchAgent(more, "mine:Net").check(one.game)


def lookahead(seed: int = 3, **settings: Any) -> LookaheadTrainer:
    chosen = LookaheadSettings(games=8, n_steps=6, batch_size=16, worlds=1, network_class="mine:Estimator")
    return LookaheadTrainer(make_game("three_cards"), replace(chosen, **settings), seed)


def test_lookahead_with_an_own_network(tmp_path: Path) -> None:
    """A run is resumed exactly, snapshots play, and so does what comes out, by averages of the weights."""
    past = OpponentSettings(past_share=0.5, snapshot_every=2, snapshots=2)
    unbroken, first, again = (lookahead(opponents=past) for _ in range(3))
    runs.train(unbroken, runs.Budget(rollouts=5), tmp_path / "unbroken", games=2)

    def stop(text: str, remaining: float) -> None:
        if first.rollouts == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runs.train(first, runs.Budget(rollouts=5), tmp_path / "cut", report=stop)
    runs.train(again, runs.Budget(rollouts=5), tmp_path / "cut", resume=True, games=2)
    same(again.checkpoint(training=True), unbroken.checkpoint(training=True))
    path = tmp_path / "cut" / AGENT
    agent = make_agent(f"{path}:network=mine:Estimator:worlds=2", "three_cards")
    assert isinstance(agent, TorchLookaheadAgent) and agent.worlds == 2
    batch, keys = Batch(again.game, 70), np.random.default_rng(1).integers(2**64, size=70, dtype=np.uint64)
    turn = DecisionBatch(batch, np.arange(70), keys)
    after, values = agent.values(turn)
    with torch.no_grad():
        wanted = again._combined(again.averages["scorer"](torch.from_numpy(after.views.reshape(-1, after.views.shape[2]))))
    wanted = np.where(after.done, outcome_of(again.game, after.win, after.margin), wanted.numpy().reshape(after.done.shape))
    np.testing.assert_allclose(values, wanted.mean(axis=1), atol=1e-5)
    alone = [agent.probabilities(DecisionBatch(batch, np.array([k]), keys[k : k + 1])) for k in range(70)]
    np.testing.assert_array_equal(agent.probabilities(turn), np.concatenate(alone))
    value = agent.value(turn)
    assert value is not None and value.shape == (70,) and np.ptp(value) > 0
    with pytest.raises(ConfigError, match=r"'mine:Estimator' plays only with it"):
        make_agent(str(path))
    for wrong, message in (("mine:Net", "invalid outputs"), ("mine:no_module", "expected a torch.nn.Module")):
        with pytest.raises(ConfigError, match=message):
            make_agent(f"{path}:network={wrong}", "three_cards").check(again.game)
        with pytest.raises(ConfigError, match=message):
            lookahead(network_class=wrong)


def test_a_damaged_lookahead_with_an_own_network() -> None:
    checkpoint = lookahead().checkpoint()
    for name, array in checkpoint.arrays.items():
        wrong = [np.zeros((2, 3), array.dtype), array.astype(np.float64), *([np.full_like(array, 1e9)] if name == "tau" else [])]
        wrong += [np.full_like(array, np.nan)] if array.dtype.kind == "f" else []
        for value in wrong:
            bad = Checkpoint(*list(vars(checkpoint).values())[:6], {**checkpoint.arrays, name: value})
            with pytest.raises(ConfigError, match="array"):
                TorchLookaheadAgent(bad, "mine:Estimator").check(make_game("three_cards"))
    more = Checkpoint(*list(vars(checkpoint).values())[:6], {**checkpoint.arrays, "more": np.zeros(1, np.float32)})
    with pytest.raises(ConfigError, match="unexpected arrays 'more'"):
        TorchLookaheadAgent(more, "mine:Estimator").check(make_game("three_cards"))


def test_rewards_by_their_name_pay_the_same_as_functions() -> None:
    """A run with ``mine:win`` learns, bit for bit, what one with ``win`` does, and something else than by default."""
    named, own, default = (trainer(reward=reward, network_class="") for reward in ("win", "mine:win", ""))
    for one in (named, own, default):
        for _ in range(3):
            one.training_step(1.0)
    assert arrays_of(named) == arrays_of(own) and callable(own.batch.reward)
    assert arrays_of(named)["policy/value_1"] != arrays_of(default)["policy/value_1"]


def test_wrong_rewards() -> None:
    game = make_game("three_cards")
    for wrong, message in (
        ("mine:number", "invalid reward 3; expected one of win, margin, outcome, score, a function or module:function"),
        ("mine:missing", "cannot be imported"),
        ("nowhere:win", "cannot be imported"),
        (":", "cannot be imported"),
        ("mine:", "cannot be imported"),
        ("wins", "invalid reward 'wins'"),
    ):
        with pytest.raises(ConfigError, match=message):
            Batch(game, 2, reward=wrong)
        with pytest.raises(ConfigError, match=message):
            trainer(reward=wrong)
    with pytest.raises(BatchError, match="must return numbers of shape"):
        batch = Batch(game, 4, reward="mine:flat")
        while not batch.over.all():
            batch.step(batch.sample())


def test_ppo_learns_from_rewards_of_each_step() -> None:
    """``gains`` pays what ``score`` does; shaping changes what is learned."""
    score, own, plain, shaped = (
        trainer(reward=reward, network_class="") for reward in ("score", "mine:gains", "mine:win", "mine:shaped_win")
    )
    for one in (score, own, plain, shaped):
        for _ in range(2):
            one.training_step(1.0)
    assert arrays_of(score) == arrays_of(own) and arrays_of(plain) != arrays_of(shaped)
    message = "paid at each step; expected one that is paid at the end"
    with pytest.raises(ConfigError, match=message):
        trainer(reward="mine:gains", imitate="random")
    for kind in ("lookahead", "search"):
        with pytest.raises(ConfigError, match=message):
            self_play(kind, "mine:shaped_win")


def self_play(kind: str, reward: str, **settings: Any) -> LookaheadTrainer | SearchTrainer:
    game, sizes = make_game("three_cards"), {"games": 16, "n_steps": 6, "batch_size": 32, "reward": reward} | settings
    if kind == "search":
        nets = PolicySettings(hidden=8, critic_hidden=8)
        return SearchTrainer(game, SearchSettings(**sizes, simulations=4, horizon=1, warm_up=8, window=2, network=nets), 3)
    return LookaheadTrainer(game, LookaheadSettings(**{"worlds": 1, "hidden": 8} | sizes), 3)


@pytest.mark.parametrize("kind", ["lookahead", "search"])
def test_agents_that_estimate_learn_an_own_reward(kind: str, tmp_path: Path) -> None:
    """By its name it is learned as by the function; the file names the function, which is passed again."""
    own, named, default = (self_play(kind, reward) for reward in ("mine:win", "win", ""))
    for one in (own, named, default):
        for _ in range(3):
            one.training_step(1.0)
    learned = [{k: v.tobytes() for k, v in one.checkpoint(training=True).arrays.items()} for one in (own, named, default)]
    assert learned[0] == learned[1] and learned[0] != learned[2]
    path = write_checkpoint(tmp_path / AGENT, own.checkpoint())
    sys.modules.pop("mine")
    with pytest.raises(ConfigError, match=r"reward 'mine:win' plays only with it; pass it, as in agent.npz:reward="):
        make_agent(str(path))
    assert "mine" not in sys.modules
    batch = Batch(own.game, 20)
    turn = DecisionBatch(batch, np.arange(20), np.arange(20, dtype=np.uint64))
    agents = [
        make_agent(f"{write_checkpoint(tmp_path / AGENT, one.checkpoint())}{one.agent_options}", "three_cards")
        for one in (own, named, default)
    ]
    actions, values = zip(*((agent.act(turn), agent.value(turn)) for agent in agents), strict=True)
    assert np.array_equal(actions[0], actions[1]) and values[0] is values[1] is None and values[2] is not None
    with pytest.raises(ConfigError, match="estimate win and margin, no other reward"):
        make_agent(f"{tmp_path / AGENT}:reward=mine:win")


@pytest.mark.parametrize("kind", ["lookahead", "search"])
def test_who_is_paid_for_losing_learns_to_lose(kind: str) -> None:
    shares = []
    for reward in ("mine:lose", ""):
        one = self_play(kind, reward, games=64, n_steps=12, batch_size=128)
        for _ in range(12):
            one.training_step(1.0)
        register_agent(f"{kind} {reward}", make(one))
        shares.append(evaluate(f"{kind} {reward}", one.game, ["random"], 400, 1)["random"]["win"][0])
    assert shares[0] < 0.4 and shares[0] < shares[1] - 0.15, shares


def make(one: LookaheadTrainer | SearchTrainer) -> Agent:
    if isinstance(one, SearchTrainer):
        return SearchAgent(one.checkpoint(), simulations=32, reward=one.settings.reward)
    return LookaheadAgent(one.checkpoint(), reward=one.settings.reward)


@pytest.mark.parametrize("kind", ["lookahead", "search"])
def test_rewards_that_cannot_be_estimated(kind: str) -> None:
    for wrong, message in (
        ("score", "invalid reward 'score', which is paid at each step"),
        ("wins", "invalid reward 'wins'"),
        ("nowhere:win", "cannot be imported"),
    ):
        with pytest.raises(ConfigError, match=message):
            self_play(kind, wrong)
    one = self_play(kind, "mine:nothing")
    with pytest.raises(BatchError, match="must return finite numbers"):
        for _ in range(9):
            one.training_step(1.0)
    with pytest.raises(ConfigError, match=r"network.reward must be 'win'"):
        SearchSettings(reward="win", network=PolicySettings(reward="margin"))


def test_kinds_of_checkpoint_are_an_open_registry(tmp_path: Path) -> None:
    path = write_checkpoint(tmp_path / "x.npz", replace_kind(trainer().checkpoint(), "mine"))
    with pytest.raises(ConfigError, match=r"unknown kind of agent 'mine'; expected one of: .*torch"):
        make_agent(str(path))
    given: list[Any] = []

    def play(checkpoint: Checkpoint, luck: int = 1) -> RandomAgent:
        given.append((checkpoint.kind, luck))
        return RandomAgent()

    register_kind("mine", play)
    register_kind("mine", play)
    assert isinstance(make_agent(f"{path}:luck=7"), RandomAgent) and given == [("mine", 7)]
    with pytest.raises(ConfigError, match="duplicate kind of checkpoint 'ppo'"):
        register_kind("ppo", play)


def replace_kind(checkpoint: Checkpoint, kind: str) -> Checkpoint:
    return Checkpoint(kind, *list(vars(checkpoint).values())[1:])


def test_the_command_passes_code_again(tmp_path: Path) -> None:
    out = tmp_path / "run"
    small = [f"--settings={setting}" for setting in ("games=4", "n_steps=8", "batch_size=16")]
    usual = ["--against", "random", "--evaluate-games", "4"]
    own = ["--network", "mine:Net", "--reward", "mine:win"]
    new = ["train", "ppo", "--game", "three_cards", *small, *own, "--out", str(out), "--rollouts", "1", *usual]
    result = CliRunner().invoke(app, new)
    assert result.exit_code == 0, result.output
    resume = ["train", "ppo", "--resume", str(out / CHECKPOINT), "--rollouts", "2", *usual]
    for passed, message in (
        ([], "this run uses 'mine:Net'"),
        (["--network", "mine:Net"], "this run uses 'mine:win'"),
        (["--network", "mine:Both", "--reward", "mine:win"], "remove --settings that differ"),
    ):
        refused = CliRunner().invoke(app, [*resume, *passed], env={"COLUMNS": "200"})
        assert refused.exit_code == 2 and message in refused.output, refused.output
    result = CliRunner().invoke(app, [*resume, *own])
    assert result.exit_code == 0, result.output
    assert read_checkpoint(out / CHECKPOINT).about["rollouts"] == 2
