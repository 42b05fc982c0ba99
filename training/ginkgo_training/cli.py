"""``ginkgo train`` and ``ginkgo evaluate``. Everything heavy is imported when a command runs."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from ginkgo_agents.evaluation.command import ADDRESS, RAY, WORKERS
from ginkgo_training.curves import curves
from ginkgo_training.ppo import DEVICE, ppo

_BAD_INPUT, _INTERRUPTED = 2, 130
_SHARDS = 4  # of games on a cluster unless the setting says otherwise; it must not depend on the number of workers
_SET = typer.Option(
    "--set", metavar="KEY=VALUE", help="An option of the game, for instance players=3 or modules=all. Repeatable."
)


train = typer.Typer(help="Train an agent.", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
train.command("ppo")(ppo)
train.command("curves")(curves)


@train.command("lookahead")
def lookahead(
    game: Annotated[str | None, typer.Option(help="Name of the game (see ginkgo games).", show_default="ginkgopolis")] = None,
    options: Annotated[list[str] | None, _SET] = None,
    players: Annotated[str | None, typer.Option(help="Number of players. Same as --set players=.", show_default=False)] = None,
    minutes: Annotated[float | None, typer.Option(help="Minutes of processor time.", show_default="10")] = None,
    rollouts: Annotated[int | None, typer.Option(help="Stop after this many rollouts instead; reproduces exactly.")] = None,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    device: Annotated[str, typer.Option(help=DEVICE)] = "auto",
    out: Annotated[Path, typer.Option(help="Folder for checkpoints, the agent and logs.")] = Path("run"),
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the folder's checkpoint.")] = False,
    settings: Annotated[
        list[str] | None, typer.Option("--setting", metavar="KEY=VALUE", help="A setting of the trainer. Repeatable.")
    ] = None,
    against: Annotated[str | None, typer.Option(help="Baselines to evaluate against.", show_default="those of the game")] = None,
    ray: Annotated[bool, RAY] = False,
    ray_address: Annotated[str | None, ADDRESS] = None,
    ray_workers: Annotated[int | None, WORKERS] = None,
) -> None:
    """Train an agent that looks one action ahead, by afterstate PPO in self-play. Ctrl-C saves, and --resume goes on.

    With --ray the setting shards says in how many parts the games are played on workers (4); the networks learn here.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from ginkgo_agents.agents.registry import PRETRAINED, suggested_agents_for
    from ginkgo_agents.evaluation.cluster import chosen_cluster
    from ginkgo_env.core.errors import GinkgoError
    from ginkgo_env.registry import DEFAULT_GAME, make_game

    name = game or DEFAULT_GAME
    try:
        config = _config(name, [*(options or []), *([f"players={players}"] if players else [])])
        made = make_game(name, **config)
        runs, chosen = _settings(settings or [], _SHARDS if ray or ray_address or ray_workers else 1)
        budget = runs.Budget(minutes if minutes is not None or rollouts is not None else 10.0, rollouts)
        baselines = _opponents(against, made) or [other for other in suggested_agents_for(made) if other not in PRETRAINED]
        columns = (BarColumn(), TaskProgressColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
        console = Console(stderr=True)
        with chosen_cluster(ray, ray_address, ray_workers) as cluster:
            trainer = _trainer(made, chosen, seed, cluster, device)
            with Progress(*columns, console=console) as bar:
                task = bar.add_task("", total=1.0)
                path = runs.train(
                    *(trainer, budget, out),
                    resume=resume,
                    baselines=baselines,
                    tell=lambda text, left: bar.update(task, completed=1 - left, description=text),
                )
        print(f"the agent is {path}")
    except GinkgoError as error:
        _refuse(str(error))
    except KeyboardInterrupt:
        from ginkgo_training.runs import CHECKPOINT

        saved = (out / CHECKPOINT).exists()
        typer.echo(f"interrupted: saved in {out}; go on with --resume" if saved else "interrupted before it began", err=True)
        raise typer.Exit(_INTERRUPTED) from None


def evaluate(
    checkpoint: Annotated[str, typer.Argument(help="A checkpoint, or any agent, as in ginkgo leaderboard --agents.")],
    game: Annotated[str | None, typer.Option(help="Name of the game; by default the checkpoint's.", show_default=False)] = None,
    options: Annotated[list[str] | None, _SET] = None,
    against: Annotated[str | None, typer.Option(help="Opponents, separated by commas.", show_default="those of the game")] = None,
    games: Annotated[int, typer.Option(help="Games against each, rounded up to whole deals.")] = 1000,
    seed: Annotated[int, typer.Option(help="Random seed of deals and choices.")] = 0,
    threads: Annotated[int | None, typer.Option(help="Number of threads.", show_default="all cores")] = None,
    ray: Annotated[bool, RAY] = False,
    ray_address: Annotated[str | None, ADDRESS] = None,
    ray_workers: Annotated[int | None, WORKERS] = None,
) -> None:
    """Win rates and margins of an agent against others, with 95 % intervals over duplicate deals; alone its mean score."""
    from rich.console import Console
    from rich.table import Table

    from ginkgo_agents.agents.checkpoints import read_checkpoint
    from ginkgo_agents.agents.registry import path_of, suggested_agents_for
    from ginkgo_agents.evaluation.cluster import chosen_runner
    from ginkgo_agents.evaluation.options import describe_named_values
    from ginkgo_agents.evaluation.strength import ALONE
    from ginkgo_agents.evaluation.strength import evaluate as play_against
    from ginkgo_env.core.errors import GinkgoError
    from ginkgo_env.registry import DEFAULT_GAME, make_game

    try:
        where = path_of(checkpoint)
        found = read_checkpoint(where) if where is not None else None
        name = game or (found.game if found else DEFAULT_GAME)
        config = (dict(found.config) if found else {}) | _config(name, options or [])
        made = make_game(name, **config)
        opponents = _opponents(against, made) or suggested_agents_for(made)
        with chosen_runner(ray, ray_address, ray_workers, threads) as play:
            results = play_against(checkpoint, made, opponents, games, seed, play)
    except GinkgoError as error:
        _refuse(str(error))
    for note in describe_named_values([made]):
        Console().print(note, highlight=False, markup=False)
    if ALONE in results:
        score = results[ALONE]["score"]
        table = Table("Games", "Score", "95 %", title=checkpoint)
        table.add_row(f"{results[ALONE]['games']:,}", f"{score[0]:.1f}", f"{score[1]:.1f} to {score[2]:.1f}")
        Console().print(table)
        return
    table = Table("Against", "Games", "Win %", "95 %", "Margin", "95 %", title=checkpoint)
    for opponent, result in results.items():
        win, margin = [100 * number for number in result["win"]], result["margin"]
        table.add_row(
            *(opponent, f"{result['games']:,}", f"{win[0]:.1f}", f"{win[1]:.1f} to {win[2]:.1f}"),
            *(f"{margin[0]:+.1f}", f"{margin[1]:+.1f} to {margin[2]:+.1f}"),
        )
    Console().print(table)


def _settings(texts: list[str], shards: int) -> tuple[Any, Any]:
    """What runs a training, and the settings KEY=VALUE, with so many shards unless they say otherwise."""
    from ginkgo_env.core.errors import ConfigError

    try:
        from ginkgo_training import runs
        from ginkgo_training.lookahead import Settings
    except ImportError as error:
        raise ConfigError(f"training needs more packages: pip install ginkgo-env[train] ({error})") from None
    chosen = Settings(shards=shards)
    known = {field.name: getattr(chosen, field.name) for field in fields(chosen)}
    for text in texts:
        key, _, value = text.partition("=")
        if key not in known:
            raise ConfigError(f"no setting {key!r}; settings: {', '.join(known)}")
        kind = type(known[key])
        try:
            changed: dict[str, Any] = {key: tuple(filter(None, value.split(","))) if kind is tuple else kind(value)}
            chosen = replace(chosen, **changed)
        except ValueError:
            raise ConfigError(f"setting {key}: {value!r} is not {kind.__name__}") from None
    return runs, chosen


def _opponents(text: str | None, game: Any) -> list[str]:
    """The agents in a list separated by commas. Raises ConfigError for one that cannot play the game."""
    from ginkgo_agents.agents.registry import make_agent

    names = [name.strip() for name in (text or "").split(",") if name.strip()]
    for name in names:
        make_agent(name, game.name).check(game)
    return names


def _trainer(game: Any, settings: Any, seed: int, cluster: Any, device: str) -> Any:
    from ginkgo_env.core.errors import ConfigError
    from ginkgo_training.lookahead import Trainer
    from ginkgo_training.shards import ShardedTrainer

    if cluster is not None and settings.shards == 1:
        raise ConfigError("training on workers requires the setting shards to be at least 2")
    if settings.shards == 1:
        return Trainer(game, settings, seed, device)
    return ShardedTrainer(game, settings, seed, cluster, device)


def _config(game: str, texts: list[str]) -> dict[str, Any]:
    """One configuration from options KEY=VALUE. Raises ConfigError if an option has several values."""
    from ginkgo_agents.evaluation.options import read_options
    from ginkgo_env.core.errors import ConfigError

    pairs = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise ConfigError(f"--set requires KEY=VALUE, got {text[:40]!r}")
        pairs.append((name.strip(), value))
    found = read_options(game, pairs)
    several = [name for name, values in found.items() if len(values) > 1]
    if several:
        raise ConfigError(f"one value for {several[0]!r}, please")
    return {name: values[0] for name, values in found.items()}


def _refuse(sentence: str) -> NoReturn:
    typer.secho(f"ginkgo: {sentence}", fg=typer.colors.RED, err=True)
    raise typer.Exit(_BAD_INPUT)
