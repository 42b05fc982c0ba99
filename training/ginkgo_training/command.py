"""The implementation of ``ginkgo train lookahead``, ``ppo`` and ``search``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from ginkgo_agents.evaluation.cluster import Cluster, chosen_cluster
from ginkgo_agents.evaluation.options import read_configuration
from ginkgo_agents.evaluation.strength import opponents_of
from ginkgo_agents.registry import PRETRAINED, suggested_agents_for
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game
from ginkgo_env.core.imports import require_passed
from ginkgo_env.registry import DEFAULT_GAME, game_class, make_game
from ginkgo_training import runs
from ginkgo_training.lookahead import LookaheadTrainer
from ginkgo_training.ppo import PpoTrainer
from ginkgo_training.search import SearchTrainer
from ginkgo_training.settings import LookaheadSettings, PpoSettings, SearchSettings, merged, read_settings, settings_of
from ginkgo_training.shards import ShardedSearchTrainer, ShardedTrainer
from ginkgo_training.torch_agent import KIND, LOOKAHEAD_KIND
from ginkgo_training.trainer import Report, Trainer, progress_of, start_checkpoint

_MINUTES = 10.0
_TRAINED_BY = {KIND: "ppo", LOOKAHEAD_KIND: "lookahead"}  # the command that trains a kind of checkpoint, where the names differ
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
    new["settings"] = [*(new["settings"] or []), *(f"{name}={value}" for name, value in chosen.items() if value)]
    is_given = minutes is not None or rollouts is not None
    budget = runs.Budget(minutes, rollouts) if is_given else None if resume else runs.Budget(_MINUTES)
    game, settings, seed = _resumed_run(kind, folder, **new) if resume else _new_run(kind, **new)
    opponents: list[str] | None = opponents_of(against, game)
    if not opponents:
        opponents = None if resume else [name for name in suggested_agents_for(game) if name not in PRETRAINED]
    with chosen_cluster(ray, ray_address, ray_workers) as cluster, _progress() as (report, evaluated):
        trainer = _trainer(kind, game, settings, seed, cluster, device)
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
    settings: list[str] | None,
    seed: int | None,
) -> tuple[Game, Mapping[str, Any], int]:
    name = game or DEFAULT_GAME
    config = read_configuration(name, [*(options or []), *([f"players={players}"] if players else [])])
    made, chosen = make_game(game_class(name), **config), read_settings(settings or [])
    if kind != "lookahead" and isinstance(start := chosen.get("start"), str):
        checkpoint = start_checkpoint(start, made)
        chosen = merged({"network": dict(checkpoint.settings)} if checkpoint.kind == kind else {}, chosen)
    return made, chosen, seed or 0


def _resumed_run(kind: str, folder: Path, settings: list[str], **new: Any) -> tuple[Game, Mapping[str, Any], int]:
    for name, value in new.items():
        if value not in (None, []):
            option = "set" if name == "options" else name
            raise ConfigError(f"--resume continues a run with its own game, settings and seed: remove --{option}")
    checkpoint = runs.read_training_checkpoint(folder)
    trained_by = _TRAINED_BY.get(checkpoint.kind, checkpoint.kind)
    if trained_by != kind:
        raise ConfigError(f"{folder} must be a run of ginkgo train {kind}, got a run of ginkgo train {trained_by}")
    progress, passed = progress_of(checkpoint), read_settings(settings)
    if merged(progress.training, passed) != progress.training:
        raise ConfigError("--resume continues a run with its own settings: remove --settings that differ from them")
    require_passed(progress.training, passed, "--settings, --reward or --network, as when the run began")
    return make_game(game_class(checkpoint.game), **checkpoint.config), progress.training, progress.seed


def _trainer(kind: str, game: Game, settings: Mapping[str, Any], seed: int, cluster: Cluster | None, device: str) -> Trainer:
    if kind == "ppo":
        return PpoTrainer(game, settings_of(PpoSettings, settings), seed, device)
    read = SearchSettings if kind == "search" else LookaheadSettings
    chosen: Any = settings_of(read, {"shards": 1 if cluster is None else _SHARDS} | dict(settings))
    if chosen.shards > 1:
        return (ShardedSearchTrainer if kind == "search" else ShardedTrainer)(game, chosen, seed, cluster, device)
    if cluster is not None:
        raise ConfigError("training on workers requires the setting shards to be at least 2, got 1")
    return (SearchTrainer if kind == "search" else LookaheadTrainer)(game, chosen, seed, device)
