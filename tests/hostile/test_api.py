"""Every public name of the reference with wrong arguments: it works, or raises a GinkgoError with a sentence.

Names come from the pages of ``docs/api``; a name whose parameters are not in the table below fails by its name.
"""

from __future__ import annotations

import inspect
import random
import re
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ginkgo_agents
import ginkgo_env
from ginkgo_agents.agents import checkpoints, lookahead, network, playouts, policy, ppo, pretrained, search
from ginkgo_agents.datasets.generate import GenerationJob, generate
from ginkgo_agents.evaluation import matches, ratings
from ginkgo_agents.evaluation.benchmark.tasks import tasks_like
from ginkgo_env import Batch, GinkgoError, Record, make_game
from ginkgo_env.core import running_games
from ginkgo_env.core.compile.threads import KernelThreads
from ginkgo_env.core.layout import Block
from ginkgo_env.core.playback import Playback
from ginkgo_env.datasets import DataError
from ginkgo_env.envs import observation_writer, opponents, row_subset
from ginkgo_env.pictures.svg import Box
from ginkgo_env.testing.batches import check_reproducible

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "api").glob("*.md"))
DIRECTIVE = re.compile(r"\.\. (currentmodule|autofunction|autoclass|automodule):: (\S+)")

NOT_CALLED = {
    "total_of": "compiled: kernels trust their arguments",
    "rewards_of": "compiled: kernels trust their arguments",
    "pay_many": "compiled: kernels trust their arguments",
    "prepare_block": "compiled: kernels trust their arguments",
    "evaluate_block": "compiled: kernels trust their arguments",
    "evaluate_many": "compiled: kernels trust their arguments",
    "layer_of": "compiled: kernels trust their arguments",
    "MatchResults.means": "computes with arrays of numpy, which raise their own errors",
    "numbers_of": "computes with arrays of numpy, which raise their own errors",
    "plain_interval": "converts the results of other functions of the module",
    "Presenter.draw": "called by Presenter.picture, which checks its arguments",
    "Presenter.draw_areas": "called by Presenter.areas, which checks its arguments",
    "KernelThreads.run": "calls kernels, which trust their arguments",
    "Network.forward": "computes with arrays of numpy or torch, which raise their own errors",
    "Evaluator.forward": "a method of torch's modules, called by torch",
    "require": "asks for the truth of any object",
    "Cluster": "starts processes",
    "Cluster.put": "starts processes",
    "Cluster.starmap": "starts processes",
    "Cluster.play": "starts processes",
}


# --- what the reference lists ----------------------------------------------------------------------------------------------


def found(module: str, name: str) -> Any:
    """The object of a name in the reference."""
    for full in (f"{module}.{name}".lstrip("."), name):
        parts = full.split(".")
        for k in range(len(parts), 0, -1):
            try:
                value: Any = import_module(".".join(parts[:k]))
                for part in parts[k:]:
                    value = getattr(value, part)
            except (ImportError, AttributeError):
                continue
            return value
    raise LookupError(name)


def directives() -> Iterator[tuple[Any, dict[str, str]]]:
    """The objects that the pages document, with the options of each."""
    for page in PAGES:
        module, options = "", dict[str, str]()
        for line in page.read_text(encoding="utf-8").splitlines():
            if directive := DIRECTIVE.fullmatch(line):
                kind, name = directive.groups()
                if kind == "currentmodule":
                    module = name
                    continue
                options = {}
                yield found(module, name), options
            elif option := re.fullmatch(r"   :([\w-]+):(.*)", line):
                options[option[1]] = option[2].strip()


def reference() -> dict[str, tuple[Any, type | None]]:
    """Functions, classes and methods by their short names, with the class of a method."""
    calls: dict[str, tuple[Any, type | None]] = {}
    for thing, options in [*directives()]:  # options follow their directive
        documented = [thing]
        hidden = re.split(r",\s*", options.get("exclude-members", ""))
        if inspect.ismodule(thing):
            hidden = list(vars(thing)) if "no-members" in options else hidden
            documented = [  # as Sphinx does
                value
                for name, value in vars(thing).items()
                if callable(value)
                and not name.startswith("_")
                and name not in hidden
                and getattr(value, "__module__", "") == thing.__name__
                and isinstance(getattr(value, "__name__", None), str)
            ]
        for value in documented:
            name = value.__name__ if value.__name__ not in calls else f"{value.__module__.rsplit('.', 1)[-1]}.{value.__name__}"
            if calls.get(value.__name__, (None,))[0] is value:
                continue
            calls[name] = value, None
            for inner, member in vars(value).items() if isinstance(value, type) and "no-members" not in options else ():
                method = getattr(member, "__func__", member)
                if not inner.startswith("_") and inner not in hidden and inspect.isfunction(method):
                    calls[f"{name}.{inner}"] = (getattr(value, inner) if method is not member else method), value
    return calls


# --- what each parameter takes ---------------------------------------------------------------------------------------------


class Fixtures:
    """Right values, made when they are first used."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    game = cached_property(lambda self: make_game("my_city", players=2))
    ginkgopolis = cached_property(lambda self: make_game("ginkgopolis", players=2))
    batch = cached_property(lambda self: Batch(self.game, 3))
    last = cached_property(lambda self: Batch(self.game, 3, autoreset=True, keep_last=True))
    turn = cached_property(lambda self: ginkgo_agents.Turn(Batch(self.game, 3), np.arange(3), words(3)))
    states = cached_property(lambda self: Batch(self.game, 3).states.copy())
    record = cached_property(lambda self: Record.from_actions(self.game, 3, []))
    checkpoint = cached_property(lambda self: pretrained.pretrained("ginkgopolis_2p.npz"))
    ppo_checkpoint = cached_property(lambda self: self.ppo_trainer.checkpoint())
    match = cached_property(lambda self: matches.MatchConfig("my_city", ("random", "random"), {"players": 2}))
    match_results = cached_property(lambda self: matches.play_match(self.match, 1, 1))
    network = cached_property(lambda self: network.Network(self.game, network.NetworkSettings(hidden=4, width=4)))
    lookahead = cached_property(lambda self: lookahead.LookaheadAgent(self.checkpoint, 1))
    picture = cached_property(lambda self: self.game.picture(self.states[:1]))
    aec = cached_property(lambda self: started(ginkgo_env.raw_env("my_city", players=2)))
    parallel = cached_property(lambda self: started(ginkgo_env.parallel_env("my_city", players=2)))
    gym = cached_property(lambda self: started(ginkgo_env.GinkgoEnv("my_city", players=2)))
    text = cached_property(lambda self: started(ginkgo_env.text_env("my_city", players=2)))
    vector = cached_property(lambda self: started(ginkgo_env.GinkgoVectorEnv("my_city", num_envs=3, players=2)))

    log_rows = cached_property(lambda self: Playback(self.game).start(1))
    trainer = cached_property(lambda self: new_trainer(self))  # noqa: PLW0108 (defined below)
    ppo_trainer = cached_property(lambda self: new_ppo_trainer(self))  # noqa: PLW0108
    search_trainer = cached_property(lambda self: new_search_trainer(self))  # noqa: PLW0108
    search_agent = cached_property(lambda self: search.SearchAgent(simulations=2, horizon=1))
    playouts = cached_property(lambda self: playouts.Playouts(self.game, None, self.lookahead.critic, 1, 0.5))

    @cached_property
    def running_games(self) -> Any:
        batch = Batch(self.game, 3)
        games = running_games.RunningGames(batch)
        batch.reset(1)
        return games.of(batch)

    @cached_property
    def analysis(self) -> Any:
        return ginkgo_agents.analyze(Batch(self.game, 1).position(0), "random", worlds=2, ahead=0)

    @cached_property
    def dataset(self) -> Any:
        generate(GenerationJob("my_city", ("random",), {"players": 2}, games=4, seed=1), self.folder / "dataset")
        return ginkgo_env.datasets.load(self.folder / "dataset")

    @cached_property
    def vec(self) -> Any:
        from ginkgo_env.envs.sb3 import GinkgoVecEnv

        return started(GinkgoVecEnv("my_city", num_envs=3, players=2))


def words(n: int) -> Any:
    return np.arange(n, dtype=np.uint64)


def started(env: Any) -> Any:
    env.reset()
    return env


def new_trainer(f: Fixtures) -> Any:
    from ginkgo_training.lookahead import LookaheadTrainer
    from ginkgo_training.settings import LookaheadSettings

    return LookaheadTrainer(f.game, LookaheadSettings(games=2, n_steps=2, hidden=4, worlds=1, batch_size=4), 1, "cpu")


def new_search_trainer(f: Fixtures) -> Any:
    from ginkgo_training.search import SearchTrainer
    from ginkgo_training.settings import SearchSettings

    small = policy.PolicySettings(hidden=4, critic_hidden=4)
    chosen = SearchSettings(games=2, n_steps=2, batch_size=4, network=small, simulations=2, warm_up=4)
    return SearchTrainer(f.game, chosen, 1, "cpu")


def new_ppo_trainer(f: Fixtures) -> Any:
    from ginkgo_training.ppo import PpoTrainer
    from ginkgo_training.settings import PpoSettings

    return PpoTrainer(f.game, PpoSettings(games=2, n_steps=2, batch_size=4, network=f.network.settings), 1, "cpu")


def opponents_of(f: Fixtures) -> Any:
    return opponents.Opponents(f.game, "random", observation_writer.ObservationWriter(f.game, "blocks"))


def log_line() -> dict[str, Any]:
    return {"game": "three_cards", "seconds": 60.0, "decisions": 10, "evaluation": {"random": {"win": [0.5, 0.4, 0.6]}}}


def training_log(f: Fixtures) -> Any:
    from ginkgo_training.logs import read_log, write_log

    write_log(f.folder / "log.jsonl", [log_line()])
    return read_log(f.folder / "log.jsonl")


RECEIVERS: dict[str, Callable[[Fixtures], Any]] = {
    "Afterstates": lambda f: f.batch.afterstates(1),
    "Agent": lambda f: ginkgo_agents.make_agent("random"),
    "Analysis": lambda f: f.analysis,
    "AnalysisResults": lambda f: f.analysis,
    "Batch": lambda f: f.last,
    "Box": lambda f: Box(1.0, 1.0, ""),
    "Budget": lambda f: found("ginkgo_training.runs", "Budget")(rollouts=1),
    "Dataset": lambda f: f.dataset,
    "DatasetInfo": lambda f: f.dataset.info,
    "Evaluator": lambda f: f.trainer.scorer,
    "FunctionAgent": lambda f: ginkgo_agents.FunctionAgent(lambda decision: decision.legal[-1]),
    "Game": lambda f: f.game,
    "FunctionalGame": lambda f: f.game,
    "GinkgoEnv": lambda f: f.gym,
    "GinkgoVecEnv": lambda f: f.vec,
    "GinkgoVectorEnv": lambda f: f.vector,
    "KernelThreads": lambda f: KernelThreads(2, 1),
    "Layout": lambda f: f.game.observation,
    "LearnerEnv": lambda f: f.gym,
    "LookaheadAgent": lambda f: f.lookahead,
    "LookaheadTrainer": lambda f: f.trainer,
    "MatchResults": lambda f: f.match_results,
    "Mixture": lambda f: make_game("my_city", mixture=[{"players": 2}, {"players": 2}]),
    "NetSettings": lambda f: lookahead.NetSettings(4, (), ()),
    "Network": lambda f: f.network,
    "NetworkSettings": lambda f: network.NetworkSettings(),
    "Opponents": opponents_of,
    "Picture": lambda f: f.picture,
    "Playouts": lambda f: f.playouts,
    "PolicySettings": lambda f: policy.PolicySettings(),
    "PpoAgent": lambda f: ppo.PpoAgent(f.ppo_checkpoint),
    "PpoTrainer": lambda f: f.ppo_trainer,
    "Presenter": lambda f: f.game.presenter,
    "Record": lambda f: f.record,
    "SearchAgent": lambda f: f.search_agent,
    "SearchTrainer": lambda f: f.search_trainer,
    "ShardedTrainer": lambda f: f.trainer,
    "Trainer": lambda f: f.trainer,
    "TrainerSettings": lambda f: f.trainer.settings,
    "Task": lambda f: tasks_like("my_city/duel")[0],
    "Turn": lambda f: f.turn,
    "parallel_env": lambda f: f.parallel,
    "raw_env": lambda f: f.aec,
    "text_env": lambda f: f.text,
}
"""An object of each class that has methods."""

BY_TYPE: dict[str, Callable[[Fixtures], Any]] = {
    "Afterstates": RECEIVERS["Afterstates"],
    "Agent": RECEIVERS["Agent"],
    "Batch": lambda f: f.batch,
    "Budget": RECEIVERS["Budget"],
    "Checkpoint": lambda f: f.checkpoint,
    "Dataset": lambda f: f.dataset,
    "DatasetInfo": lambda f: f.dataset.info,
    "Game": lambda f: f.game,
    "GenerationJob": lambda f: GenerationJob("my_city", ("random",), {"players": 2}, games=2),
    "Iterable[Box]": lambda f: [Box(1.0, 1.0, ""), Box(2.0, 1.0, "")],
    "KernelThreads": lambda f: KernelThreads(2, 1),
    "Layout": lambda f: f.game.observation,
    "LegalActions": lambda f: f.batch.legal_actions(),
    "LookaheadSettings": lambda f: f.trainer.settings,
    "MatchConfig": lambda f: f.match,
    "MatchResults": lambda f: f.match_results,
    "Network": lambda f: f.network,
    "nn.Module": lambda f: f.ppo_trainer.policy,
    "InputKind": lambda f: "features",
    "Reward": lambda f: "win",
    "NetworkSettings": lambda f: f.network.settings,
    "ObservationWriter": lambda f: observation_writer.ObservationWriter(f.game, "blocks"),
    "Observation": lambda f: ginkgo_env.Observation(f.game.observation, f.batch.observe()[0]),
    "OpponentSettings": lambda f: f.ppo_trainer.settings.opponents,
    "Path": lambda f: f.folder / "file",
    "Picture": lambda f: f.picture,
    "PpoSettings": lambda f: f.ppo_trainer.settings,
    "Record": lambda f: f.record,
    "SearchSettings": lambda f: f.search_trainer.settings,
    "PolicyNet": lambda f: None,
    "Net": lambda f: f.lookahead.critic,
    "RowSubset": lambda f: row_subset.RowSubset(f.batch),
    "SeedsAndActions": lambda f: f.trainer_games,
    "Sequence[MatchResults]": lambda f: [f.match_results],
    "States": lambda f: f.states[:1],
    "TrainingLog": training_log,
    "Sequence[TrainingLog]": lambda f: [training_log(f)],
    "Trainer": lambda f: f.trainer,
    "TrainerSettings": lambda f: f.trainer.settings,
    "Turn": lambda f: f.turn,
    "Weights": lambda f: f.network.first_weights(1),
    "Words": lambda f: words(3),
    "Floats": lambda f: np.ones((2, 2)),
    "Rows": lambda f: np.arange(3),
    "Mapping[str, NDArray[Any]]": lambda f: dict(f.checkpoint.arrays),
    "Points": lambda f: [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)],
    "np.random.Generator": lambda f: np.random.default_rng(1),
    "torch.Tensor": lambda f: f.trainer.scorer.prepared(f.batch.features()),
    "torch.optim.Optimizer": lambda f: torch.optim.SGD([torch.zeros(3, requires_grad=True)], 0.1),
    "Drawing": lambda f: str,
    "Tick": lambda f: lambda share: None,
    "Report": lambda f: lambda text, share: None,
    "str": lambda f: "text",
    "int": lambda f: 1,
    "float": lambda f: 1.0,
    "bool": lambda f: False,
}
"""What a parameter takes, by its annotation or the first part of it."""

PARAMETERS: dict[str, Callable[[Fixtures], Any]] = {
    "actions": lambda f: f.batch.sample(),
    "action": lambda f: int(np.flatnonzero(f.batch.mask[0])[0]),
    "agent": lambda f: "random",
    "baselines": lambda f: ["random"],
    "folder": lambda f: f.folder / "folder",
    "games": lambda f: 2,
    "condition": lambda f: True,
    "ids": lambda f: [0, 1],
    "longest": lambda f: 100,
    "n": lambda f: 2,
    "names": lambda f: list(f.game.side_names),
    "name": lambda f: "random",
    "opponents": lambda f: "random",
    "path": lambda f: f.folder / "file",
    "picks": lambda f: {"card": "1"},
    "players": lambda f: ["one", "two"],
    "points": lambda f: f.game.points(f.states[:1])[0],
    "policy": lambda f: Batch.sample,
    "position": lambda f: f.batch.position(0),
    "record": lambda f: 0,
    "rows": lambda f: 2,
    "seat": lambda f: 0,
    "size": lambda f: 8,
    "standings": lambda f: np.array([[1, 2], [2, 2]]),
    "steps": lambda f: 3,
    "sets": lambda f: np.eye(2),
    "text": lambda f: "text",
    "value": lambda f: "text",
    "words": lambda f: "text",
    "threads": lambda f: 1,
    "totals": lambda f: np.array([[1, 2], [2, 2]]),
    "values": lambda f: np.array([1.0, 2.0]),
    "vector": lambda f: f.batch.observe(),
    "width": lambda f: 200,
    "worlds": lambda f: 1,
    # of one function
    "Agent.check.game": lambda f: f.game,
    "Game.with_layouts_of.options": lambda f: {"padded": False},
    "Turn.with_layouts_of.options": lambda f: {"padded": False},
    "Mixture.games": lambda f: [f.game, f.game],
    "MixtureConfig.mixture": lambda f: ({},),
    "Batch.copy_rows.source_rows": lambda f: [0, 1],
    "Batch.copy_rows.rows": lambda f: [1, 2],
    "Batch.reset.rows": lambda f: [1, 2],
    "Batch.set_states.rows": lambda f: [1],
    "Batch.observe.seat": lambda f: None,
    "Batch.observe.out": lambda f: None,
    "Batch.features.out": lambda f: None,
    "Dataset.record.number": lambda f: 1,
    "Dataset.select.games": lambda f: [0, 1],
    "Dataset.shards": lambda f: [0],
    "Dataset.numbers": lambda f: np.arange(2),
    "DatasetInfo.layout.name": lambda f: "observation",
    "DatasetInfo.dtype.name": lambda f: "observation",
    "DatasetInfo.width.name": lambda f: "observation",
    "DatasetInfo.loads.text": lambda f: f.dataset.info.dumps(),
    "DatasetInfo.read.folder": lambda f: f.dataset.folder,
    "Evaluator.hidden": lambda f: 4,
    "Evaluator.load.arrays": lambda f: f.trainer.scorer.arrays("scorer"),
    "Evaluator.load.prefix": lambda f: "scorer",
    "Evaluator.features": lambda f: f.batch.features(),
    "Evaluator.prepared.features": lambda f: f.batch.features(),
    "Evaluator.normalize.features": lambda f: f.batch.features(),
    "Evaluator.layout": lambda f: f.game.features,
    "Evaluator.without": lambda f: (),
    "FunctionAgent.choose": lambda f: lambda decision: decision.legal[-1],
    "Game.chances.rows": lambda f: f.log_rows,
    "Game.narrate.rows": lambda f: f.log_rows,
    "Game.visible.rows": lambda f: f.log_rows,
    "Game.option_texts.options": lambda f: {"players": 2},
    "Game.parse_action.text": lambda f: "pass",
    "KernelThreads.run.kernel": lambda f: lambda start, stop: None,
    "Layout.blocks": lambda f: [Block("one", (2,), "one"), Block("two", (), "two")],
    "Layout.view.name": lambda f: "boards",
    "Layout.index.name": lambda f: "terrain",
    "Layout.bounds.dtype": lambda f: np.float32,
    "LookaheadTrainer.learn.rollout": lambda f: f.trainer.rollout(),
    "LookaheadTrainer.training_step.remaining": lambda f: 0.5,
    "MatchResults.positions_of.name": lambda f: "random",
    "Network.forward.xp": lambda f: np,
    "Network.forward.x": lambda f: f.network.input_of(f.turn),
    "Network.scales.steps": lambda f: 4,
    "Opponents.decide.learners": lambda f: np.zeros(3, np.int64),
    "Presenter.tie_break.outcome": lambda f: f.game.outcome(f.states[:1]),
    "PpoAgent.checkpoint": lambda f: f.ppo_checkpoint,
    "PpoTrainer.learn.rollout": lambda f: f.ppo_trainer.rollout(),
    "Record.lines": lambda f: [f.record.header, *f.record.lines],
    "Record.from_actions.actions": lambda f: [],
    "Record.read.source": lambda f: f.record.dumps(),
    "Trainer.restore.checkpoint": lambda f: f.trainer.checkpoint(training=True),
    "Turn.search.agent": lambda f: f.search_agent,
    "Turn.rows": lambda f: np.arange(3),
    "act.agent": RECEIVERS["Agent"],
    "advantages_of.rewards": lambda f: np.zeros((2, 3, 2)),
    "advantages_of.values": lambda f: np.zeros((2, 3)),
    "advantages_of.actors": lambda f: np.zeros((2, 3), np.int64),
    "advantages_of.done": lambda f: np.zeros((2, 3), np.bool_),
    "advantages_of.last_values": lambda f: np.zeros((3, 2)),
    "agent_names.game": lambda f: "my_city",
    "analyze.source": lambda f: f.batch.position(0),
    "analyze.ahead": lambda f: 0,
    "analyze.worlds": lambda f: 2,
    "animation.seconds": lambda f: 1.0,
    "array_of.name": lambda f: "critic.b1",
    "array_of.own": lambda f: f.checkpoint.arrays["critic.b1"],
    "at.states": lambda f: f.states,
    "board_planes.observations": lambda f: f.batch.observe(),
    "check_every_state.invariant": lambda f: lambda batch, row: None,
    "check_resampling.deals": lambda f: 2,
    "check_simultaneous.choices": lambda f: 2,
    "chosen_device.name": lambda f: "cpu",
    "city_planes.layout": lambda f: f.ginkgopolis.observation,
    "city_planes.observations": lambda f: np.zeros((2, f.ginkgopolis.observation.size), np.uint8),
    "blocks_of.names": lambda f: ["actions"],
    "draw.thing": lambda f: f.batch,
    "each.states": lambda f: f.states,
    "elo_points.firsts": lambda f: ratings.first_places([f.match_results], ["random"]),
    "elo_points.reference": lambda f: 0,
    "first_places.names": lambda f: ["random"],
    "game_class.name": lambda f: "my_city",
    "games_arrays.games": lambda f: f.running_games,
    "generate.folder": lambda f: f.folder / "generated",
    "gymnasium_ids.game": lambda f: "my_city",
    "random_arrays.generators": lambda f: [np.random.default_rng(1)],
    "restore_random.generators": lambda f: [np.random.default_rng(1)],
    "win_chance.win": lambda f: np.zeros(2, np.float32),
    "win_chance.sides": lambda f: 2,
    "legal_actions.rows": lambda f: np.arange(3),
    "listing.lines": lambda f: ["one", "two"],
    "load.path": lambda f: f.dataset.folder,
    "look_ahead.worlds": lambda f: f.batch.states.reshape(3, 1),
    "look_ahead.seats": lambda f: np.zeros(3, np.int64),
    "outcomes_of.seats": lambda f: np.zeros(3, np.int64),
    "Afterstates.rewards.seats": lambda f: np.zeros(3, np.int64),
    "look_ahead.words": lambda f: words(3),
    "look_ahead.run": lambda f: KernelThreads().run,
    "make_game.name": lambda f: "my_city",
    "mean_curve.curves": lambda f: [training_log(f).curves["random"]],
    "mean_curve.of": lambda f: lambda point: point.win,
    "net_of.prefix": lambda f: "scorer",
    "net_shapes.prefix": lambda f: "scorer",
    "net_shapes.hidden": lambda f: 64,
    "options_of.texts": lambda f: ["one", "two"],
    "options_of.values": lambda f: np.zeros((2, 3)),
    "options_of.unit": lambda f: "win",
    "outcome_of.win": lambda f: np.zeros(3, np.float32),
    "outcome_of.margin": lambda f: np.zeros(3, np.float32),
    "packed.header": lambda f: {"one": 1},
    "packed.arrays": lambda f: {"one": np.zeros(2, np.float32)},
    "parallel_env.game": lambda f: "my_city",
    "parallel_env.step.actions": lambda f: {"player_0": 0, "player_1": 0},
    "parallel_env.observation_space.agent": lambda f: "player_0",
    "parallel_env.action_space.agent": lambda f: "player_0",
    "payoff_figure.payoff": lambda f: {"learner": {"random": 0.5}},
    "part.prefix": lambda f: "scorer.",
    "pettingzoo_id.game": lambda f: "my_city",
    "plane_names.layout": lambda f: f.ginkgopolis.observation,
    "quantiles.values": lambda f: np.arange(4),
    "raw_env.observation_space.agent": lambda f: "player_0",
    "raw_env.action_space.agent": lambda f: "player_0",
    "raw_env.observe.agent": lambda f: "player_0",
    "raw_env.render_as.mode": lambda f: "rgb_array",
    "raw_env.step.action": lambda f: int(np.flatnonzero(f.aec.observe(f.aec.agent_selection)["action_mask"])[0]),
    "rate.names": lambda f: ["random"],
    "read_log.path": lambda f: (training_log(f), f.folder / "log.jsonl")[1],
    "read_logs.paths": lambda f: [(training_log(f), f.folder / "log.jsonl")[1]],
    "read_settings.kind": lambda f: "lookahead",
    "read_settings.settings": lambda f: lookahead.NetSettings,
    "read_translations.package": lambda f: "ginkgo_env.games.my_city.pictures",
    "record_decisions.seeds": lambda f: words(2),
    "reference_of.games": lambda f: [2],
    "reference_of.names": lambda f: ["random"],
    "register_agent.factory": RECEIVERS["Agent"],
    "register_agent.name": lambda f: "mine",
    "register_agent.games": lambda f: ["my_city"],
    "register_kind.factory": lambda f: "mine:Agent",
    "register_kind.kind": lambda f: "mine",
    "replay.record": lambda f: f.record,
    "animation.record": lambda f: f.record,
    "require_arrays.shapes": lambda f: {name: array.shape for name, array in f.checkpoint.arrays.items()},
    "require_fit.layouts": lambda f: ["actions"],
    "restore_games.arrays": lambda f: {},
    "restore_optimizer.arrays": lambda f: {},
    "run_contract.checks": lambda f: [check_reproducible],
    "settings.read_settings.texts": lambda f: ["games=2"],
    "Task.track.budget": lambda f: "reactive",
    "ShardedTrainer.collect.settings": lambda f: f.trainer.settings,
    "ShardedTrainer.collect.weights": lambda f: {},
    "ShardedTrainer.collect.shard": lambda f: None,
    "some.names": lambda f: ["one", "two"],
    "strengths.counts": lambda f: np.ones((1, 2)),
    "strengths.wins": lambda f: np.ones((1, 2)),
    "strengths.start": lambda f: np.zeros(2),
    "summarize.results": lambda f: {"random": {"win": [0.5, 0.4, 0.6]}},
    "to_minari.dataset_id": lambda f: "mine/my-city-v0",
    "train.folder": lambda f: f.folder / "run",
    "train.games": lambda f: 2,
    "unpacked.data": lambda f: checkpoints.packed_checkpoint(f.checkpoint),
    "used_columns.without": lambda f: (),
    "visited.n": lambda f: 4,
    "win_shares.standings": lambda f: np.array([[1, 2], [2, 2]]),
    "write_log.lines": lambda f: [log_line()],
    "GinkgoVecEnv.has_attr.attr_name": lambda f: "render_mode",
    "GinkgoVecEnv.get_attr.attr_name": lambda f: "render_mode",
    "GinkgoVecEnv.set_attr.attr_name": lambda f: "thing",
    "GinkgoVecEnv.set_attr.value": lambda f: 1,
    "GinkgoVecEnv.env_method.method_name": lambda f: "action_masks",
    "GinkgoVecEnv.env_is_wrapped.wrapper_class": lambda f: object,
    "GinkgoVectorEnv.step.actions": lambda f: f.vector.learner.batch.sample(),
}
"""What a parameter takes, by its name, or by function and name where that differs."""


# --- the calls -------------------------------------------------------------------------------------------------------------


EXAMPLES: dict[str, Callable[[Fixtures], Any]] = {
    "Analysis": lambda f: f.analysis,
    "AnalysisResults": lambda f: f.analysis,
    "Block": lambda f: f.game.observation["boards"],
    "Checkpoint": lambda f: f.checkpoint,
    "DatasetInfo": lambda f: f.dataset.info,
    "GenerationJob": BY_TYPE["GenerationJob"],
    "MatchConfig": lambda f: f.match,
    "MatchResults": lambda f: f.match_results,
    "Outcome": lambda f: f.game.outcome(f.states[:1]),
    "Task": RECEIVERS["Task"],
    "Progress": lambda f: found("ginkgo_training.trainer", "progress_of")(f.trainer.checkpoint(training=True)),
}
"""Objects of classes that hold data: each parameter takes the attribute of its name."""


def is_data(call: Any) -> bool:
    """Whether a class only holds what it is given."""
    names = "__struct_fields__", "__dataclass_fields__"
    return isinstance(call, type) and (issubclass(call, tuple | Exception) or any(hasattr(call, name) for name in names))


def right_value(name: str, call: Any, parameter: inspect.Parameter) -> Callable[[Fixtures], Any] | None:
    annotation = str(parameter.annotation).removeprefix("Optional").split(" | ")[0]
    if f"{name}.{parameter.name}" in PARAMETERS:
        return PARAMETERS[f"{name}.{parameter.name}"]
    if name in EXAMPLES:
        return lambda f: getattr(EXAMPLES[name](f), parameter.name)
    if annotation in BY_TYPE and annotation not in ("str", "int", "float", "bool"):
        return BY_TYPE[annotation]
    if parameter.name == "game":
        return lambda f: "my_city"
    if parameter.default is not parameter.empty:
        return lambda f: parameter.default
    if is_data(call):
        return lambda f: None
    return PARAMETERS.get(parameter.name) or BY_TYPE.get(annotation)


def parameters_of(name: str) -> dict[str, inspect.Parameter]:
    """All parameters but self, and what a signature collects in ``*`` and ``**``."""
    call, owner = REFERENCE[name]
    found = dict(inspect.signature(call).parameters)
    if owner is not None and not inspect.ismethod(call):
        del found[next(iter(found))]
    return {name: each for name, each in found.items() if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)}


REFERENCE = reference()
CALLED = [name for name, (call, _) in REFERENCE.items() if name not in NOT_CALLED and not inspect.isabstract(call)]


@pytest.fixture(scope="module")
def fixtures(tmp_path_factory: pytest.TempPathFactory) -> Fixtures:
    return Fixtures(tmp_path_factory.mktemp("api"))


def test_every_parameter_is_in_the_table() -> None:
    missing = [
        f"{name}.{parameter}"
        for name in CALLED
        for parameter, each in parameters_of(name).items()
        if right_value(name, REFERENCE[name][0], each) is None
    ]
    owners = {owner.__name__ for name in CALLED if (owner := REFERENCE[name][1]) is not None}
    assert missing == [] and owners <= RECEIVERS.keys()
    assert NOT_CALLED.keys() <= REFERENCE.keys()


# --- wrong values ----------------------------------------------------------------------------------------------------------


def deep(depth: int) -> Any:
    nested: Any = 1
    for _ in range(depth):
        nested = [nested]
    return nested


ODD: list[Callable[[], Any]] = [
    *(lambda value=value: value for value in (None, True, -1, 0, 2**62, 2**63, 10**30, -(10**30), 1.5, 1e300, 1j)),
    *(lambda value=value: value for value in (float("nan"), float("inf"), "", "no such name", "x" * 5000, b"x", (), range(3))),
    *(lambda value=value: value for value in ("\x1b]0;owned\x07", "\ud800", "a\0b", object(), int, Path("no/such"))),
    *(lambda value=value: value for value in (np.float64("nan"), np.int64(7), np.uint64(2**64 - 1), np.True_, np.str_("x"))),
    *(lambda value=value: value for value in (np.timedelta64(1, "D"), np.datetime64("NaT"), np.float16(1), Fraction(1, 3))),
    list,
    lambda: [[]],
    lambda: [None],
    lambda: [1, [2, 3]],
    lambda: deep(100),
    lambda: deep(5000),
    dict,
    lambda: {"x": 1},
    lambda: {1: None},
    lambda: {1},
    lambda: iter([1]),
    lambda: np.array(0),
    lambda: np.zeros((2, 2)),
    lambda: np.zeros(0),
    lambda: np.full(3, np.nan),
    lambda: np.full(3, -1),
    lambda: np.full(3, 2**63, np.uint64),
    lambda: np.zeros((3, 0, 2), np.float32),
    lambda: np.array(["x", "y"]),
    lambda: np.array([None, 1]),
    lambda: np.zeros(2, [("rng", np.uint64)]),
    lambda: np.zeros(2, "m8[s]"),
    lambda: np.ma.masked_array([1, 2], [True, False]),
    lambda: matrix([[1, 2, 3]]),
    lambda: make_game("my_city", players=1),
    lambda: torch.zeros(3),
]
"""Values of many types, few of them right."""


def matrix(values: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        return np.matrix(values)


def changed(right: Any) -> list[Any]:
    """Values that resemble the right one: other shapes, dtypes, numbers, entries."""
    if isinstance(right, np.ndarray) and right.dtype.names is None:
        others = [
            right[..., None],
            right[:0] if right.ndim else right,
            right.astype(object),
            right.astype(str),
            right.T,
            right.tolist(),
        ]
        others += [np.full(right.shape, value) for value in (np.nan, -1, 2**62, 1e300)]
        return [
            *others,
            right.astype(np.float64),
            right[1:] if right.ndim else right,
            np.concatenate([right, right]) if right.ndim else right,
        ]
    if isinstance(right, np.ndarray):
        return [right[:0], np.concatenate([right, right]), right.view(np.uint8), right[None], right.tolist()]
    if isinstance(right, str):
        return ["", right + "x", right.upper(), f" {right}", right.encode(), [right]]
    if isinstance(right, bytes):
        return [b"", right[:-1], right[: len(right) // 2], b"x" + right, bytes(len(right))]
    if isinstance(right, dict):
        keys = list(right)[:20]
        without = [{key: value for key, value in right.items() if key != dropped} for dropped in keys]
        return [*without, *({**right, key: odd()} for key in keys for odd in ODD[:: 1 + len(keys)]), {**right, 1: 2}]
    if isinstance(right, list | tuple):
        kind = type(right) if type(right) in (list, tuple) else list
        return [
            kind([*right, *right]),
            kind([*right, None]),
            kind(right[1:]),
            [list(right)],
            *(kind([*right[1:], odd()]) for odd in ODD if not (callable(odd()) and right and callable(right[0]))),
        ]
    return []


def calls(f: Fixtures, name: str, n: int, seed: int) -> Iterator[tuple[dict[str, Any], str]]:
    """N calls of a function: its arguments, of which one is wrong or may be, and the name of that one."""
    rng, call = random.Random(f"{name} {seed}"), REFERENCE[name][0]
    parameters = parameters_of(name)
    makers = {p: right_value(name, call, each) for p, each in parameters.items()}
    for _ in range(n):
        arguments = {p: make(f) for p, make in makers.items() if make is not None}
        odd = rng.choice([*parameters]) if parameters else ""
        if odd:
            similar = changed(arguments[odd])
            value = rng.choice(similar) if similar and rng.random() < 0.5 else rng.choice(ODD)()
            function = callable(value) and (odd in FUNCTIONS or callable(arguments[odd]))  # what it does is its author's matter
            if not function and not (odd == "ray" and isinstance(value, bool | np.bool_)):
                arguments[odd] = value
        yield arguments, odd


FUNCTIONS = {"reward", "runner"}
"""Parameters that take a function, or something else."""


def problem_of(f: Fixtures, name: str, arguments: dict[str, Any]) -> str:
    """Call a function; returns what is wrong with the error that it raises."""
    call, owner = REFERENCE[name]
    positional, named = [], {}
    if owner is not None and not inspect.ismethod(call):  # the method that the object has, which may override the one documented
        call = getattr(RECEIVERS[owner.__name__](f), call.__name__)
    for p, each in parameters_of(name).items():
        if each.kind is each.POSITIONAL_ONLY:
            positional.append(arguments[p])
        else:
            named[p] = arguments[p]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = call(*positional, **named)
        if isinstance(result, Iterator):
            [*islice(result, 3)]
        elif callable(getattr(result, "close", None)):
            result.close()
    except GinkgoError as error:
        return "" if str(error) else "no sentence"
    except AssertionError as error:
        return "" if call.__module__.startswith("ginkgo_env.testing") and str(error) else f"AssertionError: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # texts are names of files
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))


HEAVY = {"Analysis.plot", "Turn.afterstates", "analyze", "chosen_cluster", "figure_of", "imitate", "plot", "rate", "train"}
"""Functions that play many games or draw when their arguments are right: called a tenth as often."""


def wrong_errors(f: Fixtures, names: list[str], n: int, seed: int) -> list[str]:
    """What n calls of each function raise that is no typed error with a sentence."""
    problems = []
    for name in names:
        for arguments, odd in calls(f, name, 1 + n // 10 if name in HEAVY else n, seed):
            if problem := problem_of(f, name, arguments):
                problems.append(f"{name}({odd}={type(arguments.get(odd)).__name__}): {problem[:200]}")
    return problems


FOUND: list[tuple[str, str, Any]] = [
    ("GinkgoVecEnv", "render_mode", np.ones(3)),
    ("GinkgoVecEnv.env_method", "method_name", "num_envs"),
    ("strengths", "counts", np.zeros_like),
    ("animation", "theme", np.ones(3)),
    ("animation", "form", np.ones(3)),
    ("Dataset.select", "games", deep(5000)),
    ("pettingzoo_id", "game", deep(5000)),
    ("escape", "text", deep(5000)),
    ("load", "path", "a\0b"),
    ("below", "boxes", iter([1])),
    ("flow", "boxes", iter([1])),
    ("record_decisions", "seeds", 3),
    ("payoff_figure", "payoff", {}),
    ("Game.action_texts", "actions", np.array(1)),
    ("SearchSettings", "network", np.int64(1)),
    ("advantages_of", "actors", np.float64),
    ("PpoTrainer", "seed", 2**70),
    ("ShardedTrainer", "seed", 2**70),
    ("DatasetInfo", "layouts", {}),
    *(("write_checkpoint", "path", path) for path in ("\ud800", "\ud800/x", "a\0b", "a\0b/x", "/proc/x/y")),
    ("win_shares", "standings", np.zeros(3, [("rng", "<u8")])),
]
"""Arguments, or functions of right ones, that once ended in other errors."""


@pytest.mark.parametrize(("name", "parameter", "value"), FOUND, ids=[f"{name}-{parameter}" for name, parameter, _ in FOUND])
def test_what_was_once_wrong(fixtures: Fixtures, name: str, parameter: str, value: Any) -> None:
    if name not in REFERENCE:
        pytest.skip("needs a package that is not installed")
    makers = {p: right_value(name, REFERENCE[name][0], each) for p, each in parameters_of(name).items()}
    arguments = {p: make(fixtures) for p, make in makers.items() if make is not None}
    arguments[parameter] = value(arguments[parameter]) if callable(value) else value
    assert problem_of(fixtures, name, arguments) == ""


@pytest.mark.parametrize("dtype", ["|inull", "<f7", "O", "", "<U8", "<f4,<f4"])
def test_layouts_of_data_sets_have_numbers(fixtures: Fixtures, dtype: str) -> None:
    layout = fixtures.dataset.info.layouts["observation"]
    with pytest.raises(DataError, match="invalid dtype"):
        type(layout)(dtype, layout.size, layout.digest, layout.blocks)


def test_wrong_arguments_of_the_core(fixtures: Fixtures) -> None:
    modules = ("ginkgo_env.core", "ginkgo_env.pictures", "ginkgo_env.registry", "ginkgo_agents.agents.registry")
    names = [name for name in CALLED if REFERENCE[name][0].__module__.startswith(modules)]
    assert len(names) > 100
    assert wrong_errors(fixtures, names, 2, seed=2) == []


@pytest.mark.parametrize(
    ("n", "seed"), [pytest.param(10, 25, marks=pytest.mark.full), pytest.param(250, 250, marks=pytest.mark.exhaustive)]
)
def test_wrong_arguments(fixtures: Fixtures, n: int, seed: int) -> None:
    assert wrong_errors(fixtures, CALLED, n, seed) == []
