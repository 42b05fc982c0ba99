"""Training by PPO with tiny budgets, which show nothing about strength."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("tensorboard")

import torch
from msgspec.structs import replace
from typer.testing import CliRunner

from ginkgo_agents.base import Agent, DecisionBatch
from ginkgo_agents.checkpoints import Checkpoint, read_checkpoint, write_checkpoint
from ginkgo_agents.evaluation.benchmark.tasks import Training, training_in
from ginkgo_agents.evaluation.matches import MatchConfig, play_match
from ginkgo_agents.evaluation.strength import evaluate
from ginkgo_agents.ppo import CRITIC, POLICY, Network, NetworkSettings, PpoAgent
from ginkgo_agents.registry import register_agent
from ginkgo_env.cli.app import app
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.registry import make_game
from ginkgo_training import runs
from ginkgo_training.command import _progress
from ginkgo_training.curves import payoff_figure
from ginkgo_training.devices import chosen_device
from ginkgo_training.logs import read_log
from ginkgo_training.opponents import OpponentPool
from ginkgo_training.ppo import PpoTrainer
from ginkgo_training.settings import OpponentSettings, PpoSettings, read_settings, settings_of
from ginkgo_training.trainer import AGENT, CHECKPOINT

SMALL: dict[str, Any] = {"hidden": 16, "width": 8}
GAME: dict[str, Any] = {"players": 2, "max_rounds": 2, "setup": "introductory"}
TINY = PpoSettings(
    games=8,
    n_steps=8,
    batch_size=32,
    network=NetworkSettings("both", **SMALL),
    opponents=OpponentSettings(
        baselines=("random", "greedy"), baseline_share=0.3, past_share=0.4, priority=1.0, snapshot_every=2, snapshots=2
    ),
)


class FirstLegal(Agent):
    def act(self, turn: DecisionBatch) -> np.ndarray:
        return turn.masks.argmax(axis=1)


@pytest.fixture(autouse=True)
def first_legal(agents_as_before: None) -> None:
    register_agent("first legal", FirstLegal)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Small networks are slower on several threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def tiny(seed: int = 3, **settings: Any) -> PpoTrainer:
    return PpoTrainer(make_game("ginkgopolis", **GAME), replace(TINY, **settings), seed)


def bytes_of(trainer: PpoTrainer) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in trainer.checkpoint(training=True).arrays.items()}


@pytest.mark.parametrize("modules", [(), pytest.param(("events", "experts"), marks=pytest.mark.full)], ids=["base", "modules"])
@pytest.mark.parametrize("observation", ["both", "features"])
def test_torch_and_numpy_agree(observation: Any, modules: tuple[str, ...]) -> None:
    game = make_game("ginkgopolis", players=2, modules=modules)
    network = Network(game, NetworkSettings(observation, **SMALL))
    weights = network.first_weights(1) | network.scales(1, steps=40, size=4)
    weights = {name: array + np.float32(0.01) for name, array in weights.items()}
    batch = Batch(game, 9)
    for _ in range(25):
        batch.step(batch.sample())
    x = network.input_of(DecisionBatch(batch, np.arange(9), np.zeros(9, np.uint64)))
    ours, values = network.forward(np, weights, x, critic=True)
    tensors = {name: torch.from_numpy(array) for name, array in weights.items()}
    theirs, others = network.forward(torch, tensors, torch.from_numpy(x), critic=True)
    assert ours.shape == (9, game.actions.size) and ours.dtype == np.float32 and np.ptp(ours) > 0.1
    assert np.allclose(ours, theirs.numpy(), rtol=0, atol=1e-4) and np.allclose(values, others.numpy(), rtol=0, atol=1e-4)


def test_a_run_that_was_stopped_and_resumed_equals_an_unbroken_one(tmp_path: Path) -> None:
    unbroken, first, budget = tiny(), tiny(), runs.Budget(rollouts=6)
    start = bytes_of(first)
    runs.train(unbroken, budget, tmp_path / "unbroken", games=2)

    def stop(text: str, remaining: float) -> None:
        if first.rollouts == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runs.train(first, budget, tmp_path / "cut", report=stop)
    again = tiny()
    again.restore(read_checkpoint(tmp_path / "cut" / CHECKPOINT))
    assert bytes_of(again) == bytes_of(first) != start and again.rollouts == 3
    assert PpoAgent(tmp_path / "cut" / AGENT)
    runs.train(again, budget, tmp_path / "cut", resume=True, games=2)
    assert bytes_of(again) == bytes_of(unbroken) and again.rollouts == 6
    assert 6 * 64 * 0.5 < again.decisions == unbroken.decisions < 6 * 64  # some are those of opponents


def test_another_seed_learns_something_else() -> None:
    one, other = tiny(3), tiny(4)
    assert bytes_of(one)["games/seeds"] != bytes_of(other)["games/seeds"]
    assert bytes_of(one)["policy/trunk_1"] != bytes_of(other)["policy/trunk_1"]


def test_imitation_learns_what_the_other_does() -> None:
    """The policy learns quickly to take the first legal action; the checkpoint describes the imitation."""
    trainer, seen = tiny(imitate="first legal", imitate_games=40), []
    trainer.prepare(lambda text, remaining: seen.append(remaining))
    told = trainer.checkpoint().about["imitation"]
    assert told["games"] == 40 and told["decisions"] > 100 and seen[-1] == 0.0
    twin = tiny(imitate="random", imitate_games=40)
    twin.prepare(lambda text, remaining: None)
    assert told["same_actions"] > 1.3 * twin.about["imitation"]["same_actions"]


def test_imitation_alone(tmp_path: Path) -> None:
    """With no rollouts a run ends after it, evaluated once; resumed with more, it learns from its own games."""
    options: dict[str, Any] = {"imitate": "random", "imitate_games": 5}
    cloned = tiny(**options)
    cloned.prepare(lambda text, remaining: None)
    trainer = tiny(**options)
    agent = runs.train(trainer, runs.Budget(rollouts=0), tmp_path / "run", games=2)
    assert trainer.rollouts == 0 and trainer.decisions == cloned.about["imitation"]["decisions"]
    assert training_in(read_checkpoint(agent).about).training_decisions == trainer.decisions
    assert bytes_of(trainer) == bytes_of(cloned) and read_checkpoint(agent).about["evaluation"]
    assert len((tmp_path / "run" / "log.jsonl").read_text().splitlines()) == 1
    again = tiny(**options)
    runs.train(again, runs.Budget(rollouts=1), tmp_path / "run", resume=True, games=2)
    assert again.rollouts == 1 and again.decisions > cloned.decisions


def test_the_critic_alone_learns() -> None:
    """Not even the encoders change that both share; the critic explains more of the results. Then the policy learns as well."""
    trainer = tiny(critic_share=0.5, opponents=OpponentSettings(), learning_rate=3e-3, games=64, n_steps=16, batch_size=256)

    def weights(critic: bool) -> dict[str, bytes]:
        names = {name for name in trainer.policy.state_dict() if name.startswith(CRITIC) == critic}
        return {name: bytes_of(trainer)[POLICY + name] for name in names}

    policy, critic = weights(False), weights(True)
    explained = [trainer.training_step(1 - step / 40)["explained"] for step in range(20)]
    assert weights(False) == policy and all(weights(True)[name] != array for name, array in critic.items())
    assert np.mean(explained[-5:]) > np.mean(explained[:5]) + 0.1, explained
    trainer.training_step(0.5)
    assert weights(False) != policy
    with pytest.raises(ConfigError, match="critic_share requires the network of ppo"):
        PpoSettings(critic_share=0.5, network_class="torch.nn:Linear")


def a_pool(games: int = 4000, players: int = 3, **settings: Any) -> OpponentPool:
    """A pool whose snapshots always take the first legal action."""
    batch = Batch(make_game("ginkgopolis", players=players), games)
    shares: dict[str, Any] = {"baselines": ("random", "william"), "baseline_share": 0.5, "past_share": 0.25, "snapshots": 2}
    return OpponentPool(batch, OpponentSettings(**shares | settings), 7, lambda weights: lambda rows, keys: first(batch, rows))


def first(batch: Batch, rows: np.ndarray) -> np.ndarray:
    return np.asarray(batch.mask[rows].argmax(axis=1), np.int64)


def drawn(pool: OpponentPool) -> np.ndarray:
    """How often each player was drawn for a seat that is not certainly the learner's."""
    pool._draw(np.arange(len(pool.players)))
    counts = np.bincount(pool.players.ravel(), minlength=len(pool.rates)).astype(float)
    assert ((pool.players == 0).sum(axis=1) >= 1).all()
    counts[0] -= len(pool.players)
    return np.asarray(counts / counts.sum())


def test_opponents_by_their_shares() -> None:
    pool = a_pool()
    assert drawn(pool)[3:].sum() == 0  # no snapshot yet
    for _ in range(3):
        pool.add({"w": np.zeros(1, np.float32)})
    assert pool.names == {1: "random", 2: "william", 3: "snapshot_2", 4: "snapshot_1"}
    np.testing.assert_allclose(drawn(pool), [0.25, 0.25, 0.25, 0.125, 0.125], atol=0.02)
    learners = (pool.players == 0).mean(axis=0)
    assert np.ptp(learners) < 0.05  # from all seats


def test_opponents_by_weight_and_win_rate() -> None:
    pool = a_pool(weights=(3.0, 1.0), priority=2.0, past_share=0.0)
    pool.rates[1:3] = 0.75, 0.5  # 3 / 16 to 1 / 4
    np.testing.assert_allclose(drawn(pool)[:3], [0.5, 0.5 * 3 / 7, 0.5 * 4 / 7], atol=0.02)
    pool.rates[1:3] = 1.0
    assert drawn(pool)[1] > drawn(pool)[2] > 0.05  # those that always lose still play


def test_each_opponent_is_asked_once_for_all_its_rows() -> None:
    register_agent("counting", counting := FirstLegal())
    calls: list[int] = []
    counting.act = lambda turn: (calls.append(len(turn)), turn.masks.argmax(axis=1))[1]  # type: ignore[method-assign]
    pool = a_pool(games=200, players=2, baselines=("counting",), baseline_share=0.5, past_share=0.25)
    pool.add({})
    pool._draw(np.arange(200))
    batch = pool._batch
    actions = np.full(200, -5)
    seats = pool.decide(actions)
    deciding = pool.players[np.arange(200), batch.actor]
    assert calls == [np.count_nonzero(deciding == 1)] and calls[0] > 20
    assert (actions[deciding == 0] == -5).all() and (actions[deciding > 0] == first(batch, np.flatnonzero(deciding > 0))).all()
    assert (seats == np.where(deciding == 0, batch.actor, -1)).all()


def test_rates_follow_the_results() -> None:
    """After each game the rate moves towards 1 or 0, by whether the learner finished above the opponent."""
    pool = a_pool(games=400, players=2, baselines=("william",), baseline_share=1.0, past_share=0.0)
    players, batch = pool.players.copy(), pool._batch
    batch.done[:10] = True
    batch.standings[:10] = np.where(players[:10] == 0, 5, 3)
    pool.update()
    assert pool.rates[1] == pytest.approx(1 - 0.5 * 0.95**10)
    assert (pool.players[10:] == players[10:]).all()
    batch.standings[:10] = 4
    for _ in range(30):
        pool.update()
    assert pool.rates[1] == pytest.approx(0.5, abs=1e-3)


def test_the_pay_off_matrix() -> None:
    """A snapshot's row is the learner's when it was taken; a new snapshot is unknown to all."""
    pool = a_pool(baseline_share=0.5, past_share=0.5, snapshots=2)
    assert pool.payoff() == {} == pool.numbers()
    pool.games_played[1], pool.rates[1] = 3, 0.75
    pool.add({})
    assert pool.payoff() == {"learner": {"random": 0.75}, "snapshot_0": {"random": 0.75}}
    pool.games_played[2:4], pool.rates[2:4] = 1, 0.25
    pool.add({})
    row = {"random": 0.75, "william": 0.25, "snapshot_0": 0.25}
    assert pool.payoff() == {"learner": row, "snapshot_0": {"random": 0.75}, "snapshot_1": row}
    assert pool.numbers() == {f"win_rate/{name}": rate for name, rate in row.items()}
    pool.add({})  # in place of the first
    rest = {"random": 0.75, "william": 0.25}
    assert pool.payoff() == {"learner": rest, "snapshot_2": rest, "snapshot_1": rest}
    names = [tick.get_text() for tick in payoff_figure(pool.payoff()).axes[0].get_yticklabels()]
    assert names == ["learner", "snapshot_1", "snapshot_2"]


def test_the_policy_learns_from_all_seats_that_it_plays() -> None:
    """In self-play from every decision; against another agent only from its own, and from the reward of its own seat."""
    alone = tiny(opponents=OpponentSettings())
    rollout = alone.rollout()
    assert (rollout.seats >= 0).all() and alone.decisions == 64 and set(rollout.seats.ravel()) == {0, 1}
    other = tiny(opponents=OpponentSettings(baselines=("first legal",), baseline_share=1.0))
    for _ in range(4):
        players = other.pool.players.copy()
        rollout = other.rollout()
    assert 0.2 < (rollout.seats >= 0).mean() < 0.8 and (np.sort(players, axis=1) == [0, 1]).all()
    assert np.abs(rollout.rewards).max() > 0.1 and np.allclose(rollout.rewards.sum(axis=2), 0, atol=1e-6)


@pytest.mark.full
def test_it_learns_to_win(trial_game: str) -> None:
    settings = replace(TINY, games=64, n_steps=16, batch_size=256, network=NetworkSettings("features", hidden=32))
    trainer = PpoTrainer(make_game(trial_game), replace(settings, learning_rate=3e-3, opponents=OpponentSettings()), 1)
    for k in range(60):
        numbers = trainer.training_step(1 - k / 60)
    agent = trainer.checkpoint()
    register_agent("trained", lambda: PpoAgent(agent))
    assert evaluate("trained", trainer.game, ["random"], 2000, 1)["random"]["margin"][1] > 0.1
    assert numbers["explained"] > 0.1


def test_devices() -> None:
    assert chosen_device("cpu").type == "cpu" and chosen_device().type == "cpu" and chosen_device("auto").type in ("cpu", "cuda")
    for wrong in ("moon", "cuda:99"):
        with pytest.raises(ConfigError, match=f"cannot train on '{wrong}'"):
            chosen_device(wrong)


def test_evaluation_counts_the_agents_wins() -> None:
    game = make_game("ginkgopolis", **GAME)
    pairs = ("first legal", "random"), ("random", "first legal")
    rates = [evaluate(agent, game, [other], 60, 1)[other]["win"] for agent, other in pairs]
    played = play_match(MatchConfig("ginkgopolis", ("first legal", "random"), GAME), 30, 1)
    assert played.wins[:, :, 0].mean() < 0.45  # else the test could not tell them apart
    assert all(low < mean < high for mean, low, high in rates)
    assert rates[0][0] < 0.45 < 0.55 < rates[1][0]


def test_settings_that_make_no_sense_are_refused() -> None:
    assert settings_of(PpoSettings, TINY.as_dict()) == TINY
    for data in ({"gmaes": 3}, {"games": 0}, {"n_epochs": 0}, {"network": {"observation": "all"}}, {"network": {"x": 1}}):
        with pytest.raises(ConfigError):
            settings_of(PpoSettings, data)
    with pytest.raises(ConfigError):
        OpponentSettings(baseline_share=0.6, past_share=0.6)
    with pytest.raises(ConfigError):
        runs.Budget(minutes=1, rollouts=1)


def test_settings_are_read_from_files_and_pairs(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text('{"games": 4, "network": {"hidden": 8}}')
    data = read_settings([str(file), "network.width=3", "games=6", "opponents.baselines=random,william"])
    assert data == {"games": 6, "network": {"hidden": 8, "width": 3}, "opponents": {"baselines": ["random", "william"]}}
    settings = settings_of(PpoSettings, data)
    assert settings.network == NetworkSettings(hidden=8, width=3) and settings.opponents.baselines == ("random", "william")
    with pytest.raises(ConfigError, match="games: expected int, got str"):
        settings_of(PpoSettings, {"games": "many"})
    file.write_text("[1]")
    for path, message in ((file, "^the settings .* must be a JSON object, got list"), (tmp_path / "none.json", "^cannot read ")):
        with pytest.raises(ConfigError, match=message):
            read_settings([str(path)])


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("gmaes=3", "settings: unknown 'gmaes'; did you mean games?"),
        ("network.hiden=3", "settings: unknown 'network.hiden'; did you mean network.hidden?"),
        ("opponents.past_shar=1", "settings: unknown 'opponents.past_shar'; did you mean opponents.past_share?"),
        ("network.zzz=3", "settings: unknown 'network.zzz'; expected one of: observation, hidden, width"),
    ],
)
def test_an_unknown_setting_suggests_the_nearest(pair: str, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        settings_of(PpoSettings, read_settings([pair]))
    assert str(error.value) == message


def test_progress_is_printed_as_it_comes_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with _progress() as (report, evaluated):
        for remaining, line in ((0.99, "  1 %, playing\n"), (0.98, ""), (0.94, "  6 %, playing\n")):
            report("playing", remaining)
            assert capsys.readouterr().err == line
        evaluated("a long line " * 20)
        assert capsys.readouterr().err == "a long line " * 20 + "\n"
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("rollout", [0.6, 1.8, 6.0])
def test_a_minute_of_training_has_at_least_five_evaluations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rollout: float
) -> None:
    """And the first comes within 20 s. Rollouts of so many seconds, by a clock that only they advance."""
    one, now = tiny(), [0.0]
    learn = one.training_step

    def step(remaining: float) -> dict[str, float]:
        now[0] += rollout
        return learn(remaining)

    monkeypatch.setattr(one, "training_step", step)
    monkeypatch.setattr(runs, "evaluate", lambda *arguments: {"random": {"games": 2, "win": [0.5, 0.4, 0.6]}})
    monkeypatch.setattr(runs, "time", SimpleNamespace(process_time=lambda: now[0], monotonic=lambda: now[0]))
    runs.train(one, runs.Budget(minutes=1), tmp_path / "run")
    seconds = [60 * point.minutes for point in read_log(tmp_path / "run").curves["random"]]
    assert len(seconds) >= 5 and seconds[0] <= 10


def command(*arguments: object) -> Any:
    return CliRunner().invoke(app, ["train", "ppo", *map(str, arguments)], env={"COLUMNS": "120"})


def test_the_command_on_another_game(trial_game: str, tmp_path: Path) -> None:
    """The command trains, resumes, trains a single player, and reports wrong options."""
    (tmp_path / "settings.json").write_text('{"games": 4, "n_steps": 8, "batch_size": 16, "network": {"hidden": 8}}')
    out = tmp_path / "run"
    usual = ("--settings", tmp_path / "settings.json", "--evaluate-games", 10, "--against", "random")
    imitating = ("--settings", "imitate=random", "--settings", "imitate_games=5")
    result = command("--game", trial_game, "--out", out, "--rollouts", 2, *usual, *imitating)
    assert result.exit_code == 0, result.output
    assert {AGENT, CHECKPOINT} < {file.name for file in out.iterdir()} and list(out.glob("events.out.tfevents*"))
    assert read_checkpoint(out / CHECKPOINT).about["rollouts"] == 2
    assert result.stderr.splitlines()[-1].startswith("0.0 min, ") and result.stderr.endswith(" % against random\n")
    steps = [f"next: ginkgo evaluate {out / AGENT} --against random", f"      ginkgo train curves {out}"]
    assert result.stdout.splitlines() == [f"the agent is {out / AGENT}", *steps]
    result = command("--resume", out / CHECKPOINT, "--rollouts", 3, "--evaluate-games", 10, "--against", "random")
    assert result.exit_code == 0, result.output
    about = read_checkpoint(out / CHECKPOINT).about
    assert about["rollouts"] == 3 and about["imitation"]["agent"] == "random"
    described = json.loads((out / "run.json").read_text())
    assert described["training_seed"] == 0 and described["settings"]["games"] == 4 and described["rollouts"] == 3
    assert described["versions"].keys() >= {"python", "numpy", "torch"} and described["game"] == trial_game
    assert described["seconds"] == about["seconds"] and described["hardware"].keys() == {"machine", "processor", "cores"}
    assert {name: described[name] for name in Training.__struct_fields__} == msgspec.to_builtins(training_in(about))
    lines = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    assert set(lines[-1]["payoff"]) <= {"learner", "snapshot_0"} and 0 <= lines[-1]["payoff"]["learner"]["random"] <= 1
    assert lines[-1]["win_rate/random"] == lines[-1]["payoff"]["learner"]["random"]
    seen = read_log(out).curves["random"]
    assert seen[-1].decisions == about["decisions"] and seen[-1].mean == about["evaluation"]["random"]["win"][0]
    alone = command("--game", trial_game, "--players", 1, "--out", tmp_path / "alone", "--rollouts", 1, *usual[:-2])
    assert alone.exit_code == 0, alone.output
    for wrong, message in (
        (("--set", "colour=3"), "colour"),
        (("--settings", "imitate=nobody"), "nobody"),
        (("--settings", tmp_path / "none"), "cannot read"),
        (("--settings", "opponents.baselines=nobody"), "nobody"),
        (("--resume", tmp_path), "No such file"),
        (("--resume", out, "--seed", 0), "remove --seed"),
    ):
        refused = command("--rollouts", 1, *wrong)
        assert refused.exit_code == 2 and message in refused.output, (wrong, refused.output)


def test_ctrl_c_saves(trial_game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rollout is finished, and the run can be resumed."""
    step = PpoTrainer.training_step

    def interrupted(trainer: PpoTrainer, remaining: float) -> dict[str, float]:
        if trainer.rollouts == 1:
            signal.raise_signal(signal.SIGINT)
        return step(trainer, remaining)

    monkeypatch.setattr(PpoTrainer, "training_step", interrupted)
    heard = signal.default_int_handler
    before = signal.signal(signal.SIGINT, heard)  # a shell's background ignores Ctrl-C
    small = [f"--settings={setting}" for setting in ("games=4", "n_steps=8", "batch_size=16")]
    try:
        result = command("--game", trial_game, *small, "--out", tmp_path / "run", "--rollouts", 9)
        assert signal.getsignal(signal.SIGINT) is heard
    finally:
        signal.signal(signal.SIGINT, before)
    assert result.exit_code == 130 and result.output.endswith(f"continue with ginkgo train ppo --resume {tmp_path / 'run'}\n"), (
        result.output
    )
    assert read_checkpoint(tmp_path / "run" / CHECKPOINT).about["rollouts"] == 2


def test_an_agent_is_no_training_checkpoint(tmp_path: Path) -> None:
    game = make_game("ginkgopolis", **GAME)
    agent = Checkpoint("ppo", game.name, game.config_dict, {}, {}, {"training": {"games": 8}}, {"critic.w1": np.zeros(1)})
    write_checkpoint(tmp_path / CHECKPOINT, agent)
    for path in (tmp_path, tmp_path / CHECKPOINT):
        with pytest.raises(ConfigError, match=r"checkpoint\.npz is for playing only; training resumes from checkpoint\.npz"):
            runs.read_training_checkpoint(path)
    with pytest.raises(ConfigError, match="playing only"):
        tiny().restore(agent)
    with pytest.raises(ConfigError, match=r"already contains a run \(checkpoint\.npz\)"):
        runs.train(tiny(), runs.Budget(rollouts=1), tmp_path)


def test_alone_against_an_automaton(tmp_path: Path) -> None:
    """Wins count there too, and there is no opponent to draw."""
    trainer = PpoTrainer(make_game("ginkgopolis", players=1), TINY, 1)
    trainer.training_step(1.0)
    agent = write_checkpoint(tmp_path / AGENT, trainer.checkpoint())
    (result,) = evaluate(str(agent), trainer.game, ["random"], 4, 1).values()
    assert 0 <= result["win"][0] <= 1
