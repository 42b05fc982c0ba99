"""The implementation of ``ginkgo train lookahead``, ``ppo`` and ``search``, and of ``ginkgo exploit``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from shlex import quote
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from ginkgo_agents.evaluation.cluster import Cluster, chosen_cluster
from ginkgo_agents.evaluation.options import read_configuration
from ginkgo_agents.evaluation.statistics import interval_text
from ginkgo_agents.evaluation.strength import opponents_of
from ginkgo_agents.pretrained import PretrainedPpo
from ginkgo_agents.registry import PRETRAINED, suggested_agents_for
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game
from ginkgo_env.core.imports import require_passed
from ginkgo_env.core.mixture import Mixture
from ginkgo_env.registry import DEFAULT_GAME, game_class, make_game
from ginkgo_training import runs
from ginkgo_training.lookahead import LookaheadTrainer
from ginkgo_training.ppo import PpoTrainer
from ginkgo_training.search import SearchTrainer
from ginkgo_training.settings import (
    LookaheadSettings,
    PpoSettings,
    SearchSettings,
    ShardedSettings,
    merged,
    read_settings,
    settings_of,
)
from ginkgo_training.shards import ShardedPpoTrainer, ShardedSearchTrainer, ShardedTrainer
from ginkgo_training.torch_agent import KIND, LOOKAHEAD_KIND
from ginkgo_training.trainer import Report, Trainer, progress_of, start_checkpoint

_MINUTES = 10.0
_GAMES, _EVALUATE_GAMES = 20_000, 1000  # to train a response in, and to measure it
_RESPONSE = {"critic_share": 0.1, "learning_rate": 1e-4, "final_rate": 0.03, "ent_coef": 0.002, "gae_lambda": 0.95}
"""Settings of a response that starts from a strong policy."""
_TRAINED_BY = {KIND: "ppo", LOOKAHEAD_KIND: "lookahead"}  # the command that trains a kind of checkpoint, where the names differ
_TRAINERS: dict[str, tuple[type[ShardedSettings], Any, Any]] = {
    "lookahead": (LookaheadSettings, LookaheadTrainer, ShardedTrainer),
    "ppo": (PpoSettings, PpoTrainer, ShardedPpoTrainer),
    "search": (SearchSettings, SearchTrainer, ShardedSearchTrainer),
}
"""The settings of each trainer, and its classes for one process and for shards."""
_SHARDS = 4  # of games on a cluster unless the settings say otherwise; it must not depend on the number of workers


def train_agent(
    kind: str,
    folder: Path,
    resume: bool,
    *,
    minutes: float | None,
    rollouts: int | None,
    against: str | None,
    evaluate_games: int | None,
    evaluate_every: float | None,
    device: str,
    threads: int | None = None,
    ray: bool = False,
    ray_address: str | None = None,
    ray_workers: int | None = None,
    **new: Any,
) -> str:
    """Train an agent with the options of a command; return its path and what to type next, as sentences.

    kind : kind of agent: ``lookahead``, ``ppo`` or ``search``
    resume : continue the run in the folder, whose checkpoint holds every option that is None
    new : options that define a new run: out, game, players, options, settings, reward, network, start, seed. A run that is
        resumed has its own; only those that name code of the user are passed again

    Raises ConfigError for options that do not exist or cannot be combined.
    """
    chosen = {"reward": new.pop("reward", None), "network_class": new.pop("network", None), "start": new.pop("start", None)}
    given = (f"{name}={value}" for name, value in chosen.items() if value)
    new["settings"] = read_settings([*(new["settings"] or []), *given])
    is_given = minutes is not None or rollouts is not None
    budget = runs.Budget(minutes, rollouts) if is_given else None if resume else runs.Budget(_MINUTES)
    game, settings, seed = _resumed_run(kind, folder, **new) if resume else _new_run(kind, **new)
    opponents: list[str] | None = opponents_of(against, game)
    if not opponents:
        opponents = None if resume else [name for name in suggested_agents_for(game) if name not in PRETRAINED]
    with chosen_cluster(ray, ray_address, ray_workers, threads) as cluster, _progress() as (report, evaluated):
        trainer = _trainer(kind, game, settings, seed, cluster, device)
        trainer.threads.count = threads or 1
        agent = runs.train(
            *(trainer, budget, folder),
            resume=resume,
            against=opponents,
            every=evaluate_every,
            games=evaluate_games,
            report=report,
            evaluated=evaluated,
        )
    wins = {name: result["win"][0] for name, result in trainer.about.get("evaluation", {}).items() if "win" in result}
    against = f" --against {quote(min(wins, key=lambda name: wins[name]))}" if wins and game.seats > 1 else ""
    steps = [f"ginkgo evaluate {quote(f'{agent}{trainer.agent_options}')}{against}"]
    steps += [f"ginkgo train curves {quote(str(folder))}"] if wins else []
    return f"the agent is {agent}\nnext: " + "\n      ".join(steps)


def train_response(
    agent: str,
    folder: Path,
    resume: bool,
    *,
    games: int | None,
    evaluate_games: int | None,
    start: str | None,
    settings: list[str] | None,
    threads: int | None = None,
    **new: Any,
) -> str:
    """Train a best response with the options of ``ginkgo exploit``; return its result, as sentences.

    agent : plays all other seats
    games : number of training games; None: those of the run that is resumed
    evaluate_games : number of games that measure the response
    start : a checkpoint or ``ppo``; empty: random weights; None: ``ppo`` if it was trained for the configuration, else random
        weights
    new : options that define a new run: out, game, players, options, seed

    Raises ConfigError as :func:`train_agent` does, and for configurations for one player and mixtures.
    """
    own: dict[str, Any] = {"opponents": {"baselines": [agent], "baseline_share": 1.0, "past_share": 0.0}}
    if not resume:
        game = _game(new["game"], new["players"], new["options"])
        if game.seats < 2 or isinstance(game, Mixture):
            raise ConfigError("a response requires one configuration for at least two players")
        start = _start_for(game) if start is None else start
        own |= _RESPONSE if start else {}
    own |= {} if start is None else {"start": start}
    budget = None if resume and games is None else runs.Budget(games=games or _GAMES)
    new["settings"] = merged(own, read_settings(settings or []))
    game, chosen, seed = _resumed_run("ppo", folder, **new) if resume else _new_run("ppo", **new)
    with _progress() as (report, evaluated):
        trainer = PpoTrainer(game, settings_of(PpoSettings, chosen), seed)
        trainer.threads.count = threads or 1
        evaluated(f"the response starts from {trainer.settings.start or 'random weights'}")
        path = runs.train(
            *(trainer, budget, folder),
            resume=resume,
            against=[agent],
            every=None if budget is None else budget.size,  # only at the end, so that no choice depends on these deals
            games=evaluate_games or (None if resume else _EVALUATE_GAMES),
            report=report,
        )
    result, fair = trainer.about["evaluation"][agent], 100 / game.seats
    wins = f"{interval_text(result['win'], scale=100, separator=', ')} % of {result['games']:,} games against {agent}"
    bound = f"the fair share is {fair:.0f} %, so this is a lower bound of how far {agent} can be exploited"
    if 100 * result["win"][1] <= fair:
        bound = f"the interval does not lie above the fair share of {fair:.0f} %: no best response was found"
    return f"the response wins {wins}\n{bound}\nthe response is {path}"


def _start_for(game: Game) -> str:
    """The name of the pretrained policy that was trained for a configuration; empty if there is none."""
    with suppress(ConfigError):
        if dict(start_checkpoint(PretrainedPpo.name, game).config) == game.config_dict:
            return PretrainedPpo.name
    return ""


@contextmanager
def _progress() -> Iterator[tuple[Report, Callable[[str], None]]]:
    """Show progress on stderr: evaluations as lines, and a bar or, without a terminal, a line for each 5 %."""
    console, last = Console(stderr=True), -1

    def line(text: str) -> None:
        console.print(text, highlight=False, markup=False, soft_wrap=True)

    def report(text: str, remaining: float) -> None:
        nonlocal last
        bar.update(task, completed=1 - remaining, description=text)
        if bar.disable and int(20 * (1 - remaining)) > last:
            last = int(20 * (1 - remaining))
            line(f"{100 * (1 - remaining):3.0f} %, {text}")

    columns = (BarColumn(20), TaskProgressColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=1.0)
        yield report, line


def _new_run(
    kind: str,
    out: Path | None,
    game: str | None,
    players: str | None,
    options: list[str] | None,
    settings: dict[str, Any],
    seed: int | None,
) -> tuple[Game, Mapping[str, Any], int]:
    made = _game(game, players, options)
    if kind != "lookahead" and (start := settings.get("start")) and isinstance(start, str):
        checkpoint = start_checkpoint(start, made)
        settings = merged({"network": dict(checkpoint.settings)} if checkpoint.kind == kind else {}, settings)
    return made, settings, seed or 0


def _game(game: str | None, players: str | None, options: list[str] | None) -> Game:
    name = game or DEFAULT_GAME
    config = read_configuration(name, [*(options or []), *([f"players={players}"] if players else [])])
    return make_game(game_class(name), **config)


def _resumed_run(kind: str, folder: Path, settings: dict[str, Any], **new: Any) -> tuple[Game, Mapping[str, Any], int]:
    for name, value in new.items():
        if value not in (None, []):
            option = "set" if name == "options" else name
            raise ConfigError(f"--resume continues a run with its own game, settings and seed: remove --{option}")
    checkpoint = runs.read_training_checkpoint(folder)
    trained_by = _TRAINED_BY.get(checkpoint.kind, checkpoint.kind)
    if trained_by != kind:
        raise ConfigError(f"{folder} must be a run of ginkgo train {kind}, got a run of ginkgo train {trained_by}")
    progress = progress_of(checkpoint)
    if merged(progress.training, settings) != progress.training:
        raise ConfigError("--resume continues a run with its own settings: remove --settings that differ from them")
    require_passed(progress.training, settings, "--settings, --reward or --network, as when the run began")
    return make_game(game_class(checkpoint.game), **checkpoint.config), progress.training, progress.seed


def _trainer(kind: str, game: Game, settings: Mapping[str, Any], seed: int, cluster: Cluster | None, device: str) -> Trainer:
    read, one, sharded = _TRAINERS[kind]
    by_workers = {} if cluster is None else {"shards": _SHARDS, "opponents": {}}  # opponents play in this process alone
    chosen = settings_of(read, by_workers | dict(settings))
    if chosen.shards > 1:
        return sharded(game, chosen, seed, cluster, device)
    if cluster is not None:
        raise ConfigError("training on workers requires the setting shards to be at least 2, got 1")
    return one(game, chosen, seed, device)
