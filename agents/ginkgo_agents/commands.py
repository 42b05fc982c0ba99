"""The commands of agents.

These are ``ginkgo agents``, ``leaderboard``, ``evaluate``, ``compare``, ``benchmark``, ``analyze`` and ``generate``.

Slow imports wait until a command runs.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from ginkgo_env.cli import INTERRUPTED
from ginkgo_env.cli.options import Files
from ginkgo_env.core.text import pairs_of

GAME = typer.Option(help="Name of the game (see ginkgo games).", show_default="ginkgopolis")
SET = typer.Option(
    "--set",
    metavar="KEY=VALUE",
    help="An option of the game, for instance players=3 or modules=all. Repeatable.",
    show_default="the game's defaults",
)
RAY = typer.Option("--ray", help="Run on worker processes of Ray, on this machine or in the cluster at --ray-address.")
ADDRESS = typer.Option(help="Join the Ray cluster at HOST:PORT, or auto. Implies --ray.", show_default=False)
WORKERS = typer.Option(help="Number of worker processes on this machine. Implies --ray.", show_default="all cores")
PLAYERS = typer.Option(help="Number of players. Same as --set players=.", show_default=False)
THREADS = typer.Option(min=1, help="Number of threads; results do not depend on it.", show_default="all cores")
_LIST = "separated by commas, or repeat the option"


@contextmanager
def progress_bar(unit: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """Show a progress bar on stderr; yields ``Progress.update`` of rich for its only task."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn(unit), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield partial(bar.update, bar.add_task("", total=total))


def _exit_interrupted(outcome: str) -> NoReturn:
    """End the command with the exit status of Ctrl-C, and say what is there."""
    typer.echo(f"interrupted: {outcome}", err=True)
    raise typer.Exit(INTERRUPTED)


def leaderboard(
    game: Annotated[str | None, GAME] = None,
    agents: Annotated[
        str | None,
        typer.Option(
            help="Agents to compare: names or module:attribute, separated by commas.", show_default="those that suit the game"
        ),
    ] = None,
    games: Annotated[int, typer.Option(help="Games of each match; rounded up to whole deals.")] = 500,
    options: Annotated[list[str] | None, SET] = None,
    players: Annotated[
        list[str] | None, typer.Option(help=f"Numbers of players: {_LIST}. Same as --set players=.", show_default=False)
    ] = None,
    level: Annotated[
        list[str] | None, typer.Option(help=f"Levels of an automaton: {_LIST}. Same as --set level=.", show_default=False)
    ] = None,
    modules: Annotated[
        list[str] | None,
        typer.Option(help=f"Modules of an expansion: {_LIST}, or all. Same as --set modules=.", show_default=False),
    ] = None,
    hand_size: Annotated[
        list[str] | None, typer.Option(help="Cards in a hand. Same as --set hand_size=.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed: the same seed gives the same results.")] = 0,
    threads: Annotated[int | None, THREADS] = None,
    ray: Annotated[bool, RAY] = False,
    ray_address: Annotated[str | None, ADDRESS] = None,
    ray_workers: Annotated[int | None, WORKERS] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Write leaderboard.json, .csv and .png, ratings.csv, deals.json and records to this folder."),
    ] = None,
) -> None:
    """Rank the agents of a game, against each other and, in configurations for one player, alone.

    Matches are duplicate: each deal is played with the seats rotated.

    Without options of the game (--set) its default configurations are played; several values of an option make several
    configurations.

    Ctrl-C ends the run early; the finished games are shown and written. The exit status is 1 if an agent lost all its games by
    errors of its own.
    """
    from rich.console import Console
    from rich.markup import escape

    from ginkgo_agents.evaluation.cluster import chosen_runner
    from ginkgo_agents.evaluation.console import show
    from ginkgo_agents.evaluation.files import check_folder, write_files
    from ginkgo_agents.evaluation.leaderboard import Plan, play_plan, report_of
    from ginkgo_agents.evaluation.matches import MatchResults
    from ginkgo_agents.evaluation.options import names_in, read_options
    from ginkgo_env.core.errors import ConfigError
    from ginkgo_env.registry import DEFAULT_GAME

    game = game or DEFAULT_GAME
    named = {"players": players, "level": level, "modules": modules, "hand_size": hand_size}
    pairs = [(name, text) for name, texts in named.items() for text in texts or []]
    chosen = tuple(names_in(agents))
    if agents is not None and not chosen:
        raise ConfigError("a leaderboard requires at least one agent")
    plan = Plan(game, chosen, games, seed, read_options(game, [*pairs, *pairs_of(options or [])]))
    if out is not None:
        check_folder(out)
    finished, interrupted = list[MatchResults](), True
    with chosen_runner(ray, ray_address, ray_workers, threads) as runner, suppress(KeyboardInterrupt):
        with progress_bar("games", plan.all_games) as update:
            play_plan(plan, finished, runner, lambda match, n: update(advance=n, description=escape(match.title)))
        interrupted = False
    if finished:
        report, console = report_of(plan, finished), Console()
        show(report, console, plan.omissions)
        if out is not None:
            console.print(f"{len(write_files(report, finished, out))} files are in {out}", highlight=False, markup=False)
        if report["failed"]:
            raise typer.Exit(1)
    if interrupted:
        _exit_interrupted("the results are of the finished games" if finished else "no game was finished")


def evaluate(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="A checkpoint, or any agent, as in ginkgo leaderboard --agents.")],
    game: Annotated[str | None, typer.Option(help="Name of the game; by default the checkpoint's.", show_default=False)] = None,
    players: Annotated[str | None, PLAYERS] = None,
    options: Annotated[list[str] | None, SET] = None,
    against: Annotated[str | None, typer.Option(help="Opponents, separated by commas.", show_default="those of the game")] = None,
    games: Annotated[int, typer.Option(help="Games against each, rounded up to whole deals.")] = 1000,
    seed: Annotated[int, typer.Option(help="Random seed of deals and choices.")] = 0,
    threads: Annotated[int | None, THREADS] = None,
    ray: Annotated[bool, RAY] = False,
    ray_address: Annotated[str | None, ADDRESS] = None,
    ray_workers: Annotated[int | None, WORKERS] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the result as JSON, with each deal.")] = None,
) -> None:
    """Measure win rates and margins of an agent against others, or its mean score in solo games.

    The 95 % intervals are over duplicate deals: each deal is played once from every seat. The exit status is 1 if an agent lost
    all its games by errors of its own.
    """
    from rich.console import Console

    from ginkgo_agents.checkpoints import read_checkpoint
    from ginkgo_agents.evaluation.cluster import chosen_runner
    from ginkgo_agents.evaluation.console import show
    from ginkgo_agents.evaluation.leaderboard import evaluation_of
    from ginkgo_agents.evaluation.options import read_configuration
    from ginkgo_agents.evaluation.strength import opponents_of, play_against
    from ginkgo_agents.registry import path_of, suggested_agents_for
    from ginkgo_env.core.files import check_targets, write_file
    from ginkgo_env.registry import DEFAULT_GAME, game_class, make_game

    check_targets([out] if out else [])
    path = path_of(agent)
    saved = read_checkpoint(path) if path is not None else None
    name = game or (saved.game if saved else DEFAULT_GAME)
    chosen = read_configuration(name, [*(options or []), *([f"players={players}"] if players else [])])
    config = (dict(saved.options if chosen else saved.config) if saved else {}) | chosen
    made = make_game(game_class(name), **config)
    opponents = opponents_of(against, made) or suggested_agents_for(made)
    with chosen_runner(ray, ray_address, ray_workers, threads) as play:
        played = play_against(agent, made, opponents, games, seed, play)
    report = evaluation_of(agent, made, config, games, seed, [results for own in played.values() for results in own])
    show(report, Console())
    if out is not None:
        write_file(out, json.dumps(report) + "\n")
    if report["failed"]:
        raise typer.Exit(1)


def compare(
    agent: Annotated[str, typer.Argument(metavar="A", help="An agent in the results.")],
    other: Annotated[str, typer.Argument(metavar="B", help="Another one, which met the same opponents on the same deals.")],
    results: Annotated[
        list[Path],
        typer.Argument(metavar="RESULTS", help="What ginkgo leaderboard, evaluate and benchmark wrote with --out."),
    ],
) -> None:
    """Compare two agents on the deals that both played: mean differences with 95 % intervals.

    Each deal counts with the difference between the results of the two against the same opponents, which varies less than the
    results do. Games of the two against each other do not count.
    """
    from rich.console import Console

    from ginkgo_agents.evaluation.compare import differences, read_results
    from ginkgo_agents.evaluation.console import show_differences

    rows = differences([row for path in results for row in read_results(path)], agent, other)
    show_differences(f"{agent} minus {other}", rows, Console())


def agents(
    name: Annotated[str | None, typer.Argument(help="One agent: all that is known of it.", show_default="all agents")] = None,
    game: Annotated[str | None, typer.Option(help="Name of a game.", show_default="all games")] = None,
    players: Annotated[int | None, typer.Option(help="Number of players.", show_default="2; all of them for one agent")] = None,
) -> None:
    """List the agents: how strong they are, what a decision costs, and which networks they have here.

    Strength is the share in the wins against lookahead:version=1 in all other seats, with a 95 % interval.
    """
    from rich.console import Console

    from ginkgo_agents.evaluation.console import agents_table
    from ginkgo_agents.registry import agent_names, plain_name
    from ginkgo_agents.strengths import listed_games
    from ginkgo_env.core.errors import ConfigError
    from ginkgo_env.registry import game_class, game_names

    if game is not None:
        game_class(game)  # refuses an unknown one
    plain = None if name is None else plain_name(name)[0]
    if plain is not None and plain not in agent_names(game):
        raise ConfigError(f"no agent {plain!r}; expected one of: {', '.join(agent_names(game))}")
    console, listed = Console(), 0
    for each in game_names() if game is None else [game]:
        for made in listed_games(each, players, every=name is not None):
            names = [one for one in agent_names(each) if plain in (None, one)]
            if table := agents_table(made, names, name):
                listed += 1
                console.print(table)
    if not listed:
        raise ConfigError(f"no game has {players} players" if name is None else f"{name} plays no such game")


def benchmark(
    agent: Annotated[
        str | None,
        typer.Argument(
            help="A name, a checkpoint, module:attribute, or process:COMMAND for a bot in any language.", show_default=False
        ),
    ] = None,
    task: Annotated[
        list[str] | None,
        typer.Option(metavar="PATTERN", help="Tasks to play, such as 'golden_city/*'. Repeatable.", show_default="all"),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Play fewer deals: wider intervals.")] = False,
    training_sets: Annotated[
        bool, typer.Option("--training-sets", help="Play the configurations to train on as well, and give the gap.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(help="Write benchmark.json, .md and .png and games.parquet to this folder, and go on where a run stopped."),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            help="Declare the budget of an agent: reactive, or its number of simulations.", show_default="if known, its own"
        ),
    ] = None,
    runs: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="Measure all checkpoints of a learning method. Repeatable.", show_default=False),
    ] = None,
    verify: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Replay the games of a submission, and check its figures.", show_default=False),
    ] = None,
    threads: Annotated[int | None, THREADS] = None,
) -> None:
    """Measure an agent on the tasks of the benchmark: 0 is as good as random, 100 as the reference agent.

    The agent meets each opponent of a task's panel on the same duplicate deals. Tasks that the agent cannot play are not
    scored. The exit status is 1 if the agent lost all its games by errors of its own.

    Ctrl-C ends the run early; with --out the same command goes on with the task that was interrupted.

    With --training-sets, tasks of generalization also give the score on the configurations to train on, on the same scale, and
    by how much it is higher than the score of the task.

    With --runs, which needs --out, each checkpoint of a folder is measured, as *.npz or */agent.npz: interquartile means and
    performance profiles over training runs, and probabilities of improvement between several such folders.

    With --verify nothing is played: the games of a submission are replayed from their actions, and every figure that follows
    from them is computed again.
    """
    from ginkgo_agents.evaluation.benchmark.tasks import tasks_like

    if sum(given is not None for given in (agent, runs, verify)) != 1:
        raise typer.BadParameter("expected one of: an agent, --runs DIR, --verify FOLDER")
    if verify is not None:
        _verify(verify)
        return
    tasks = tasks_like(*task or (), training=training_sets)
    if runs is None:
        _benchmark(str(agent), tasks, quick, out, budget, threads)
    elif out is None:
        raise typer.BadParameter("--runs needs --out")
    else:
        _benchmark_methods(runs, tasks, quick, out, budget, threads)


def _benchmark_methods(
    folders: list[Path], tasks: list[Any], quick: bool, out: Path, budget: str | None, threads: int | None
) -> None:
    from rich.console import Console

    from ginkgo_agents.evaluation.benchmark import methods
    from ginkgo_agents.evaluation.benchmark.reports import REPORT, text_of
    from ginkgo_agents.evaluation.console import table
    from ginkgo_agents.evaluation.files import read_json

    names = [folder.resolve().name for folder in folders]
    if len({*names}) < len(names):
        raise typer.BadParameter(f"--runs: two folders are named {max(names, key=names.count)}")
    methods.rliable()  # raises ConfigError now rather than after all games
    checkpoints = {name: methods.checkpoints_in(folder) for name, folder in zip(names, folders, strict=True)}
    reports: dict[str, list[Any]] = {name: [] for name in names}
    for name, paths in checkpoints.items():
        for path in paths:
            folder = out / name / (path.parent.name if path.name == "agent.npz" else path.stem)
            _benchmark(str(path), tasks, quick, folder, budget, threads)
            reports[name].append(read_json(folder / REPORT))
    summary, files = methods.write_methods(*methods.scores_of(reports), out)
    console = Console()
    percents = {name: f"{text_of(own, digits=0)} %" for name, own in summary["interquartile_percents"].items()}
    means = [
        [name, str(len(reports[name])), text_of(own), percents.get(name, "")]
        for name, own in summary["interquartile_means"].items()
    ]
    head = ["agent", "runs", "score", "of the ceiling"]
    console.print(table(f"Interquartile means over {len(summary['tasks'])} tasks", head, means))
    if better := summary["probabilities_of_improvement"]:
        rows = [[pair, text_of(own, digits=2)] for pair, own in better.items()]
        console.print(table("Probability of improvement", ["agents", "probability"], rows))
    console.print("In brackets: 95 % intervals by a stratified bootstrap over runs.", style="dim", highlight=False)
    console.print(f"{', '.join(files)} are in {out}", highlight=False, markup=False)


def _verify(folder: Path) -> None:
    from ginkgo_agents.evaluation.benchmark.submissions import verified

    games = 0
    for run, row in verified(folder):
        typer.echo(f"{run}: {row['task']} as stated, {row['games']:,} games")
        games += row["games"]
    typer.echo(f"{folder}: verified, {games:,} games")


def _benchmark(agent: str, tasks: list[Any], quick: bool, out: Path | None, budget: str | None, threads: int | None) -> None:
    from rich.console import Console

    from ginkgo_agents.evaluation.benchmark import reports
    from ginkgo_agents.evaluation.benchmark.runs import Columns, Row, Run, games_in, joined, play_tasks, prepare_folder
    from ginkgo_agents.evaluation.benchmark.tasks import Task, budget_of
    from ginkgo_agents.evaluation.console import table

    run = Run(agent, *budget_of(agent, budget), quick)
    if out is not None:
        prepare_folder(run, out)
    rows, games, ended, interrupted = list[Row](), list[Columns](), 0, True
    with suppress(KeyboardInterrupt), progress_bar("games", sum(games_in(run, one) for one in tasks)) as update:

        def progress(task: Task, n: int) -> None:
            update(advance=n, description=task.id)

        for one, (row, played) in zip(tasks, play_tasks(run, tasks, out, threads or os.cpu_count() or 1, progress), strict=True):
            rows.append(row)
            games += [] if played is None else [played]
            ended += games_in(run, one)
            update(completed=ended)  # of tasks that were not played, too
        interrupted = False
    if rows:
        report, console = reports.report_of(run, rows, not interrupted), Console()
        scores = [reports.cells_of_row(row) for row in rows]
        console.print(table(reports.title_of(report), reports.HEAD, scores))
        console.print(table("Raw results", reports.RAW_HEAD, reports.raw_rows(report)))
        console.print(reports.SHORT, style="dim", highlight=False)
        for note in reports.notes(report):
            console.print(note, highlight=False, markup=False)
        if out is not None:
            names, note = reports.write_files(report, joined(games), out)
            console.print(f"{', '.join(names)} are in {out}{note}", highlight=False, markup=False)
        if reports.all_lost(report):
            raise typer.Exit(1)
    if interrupted:
        _exit_interrupted("finished tasks only" if out is None else "the same command goes on")


def analyze(
    file: Annotated[Path, typer.Argument(help="A game record (JSON lines) or a position (JSON).", show_default=False)],
    agent: Annotated[str, typer.Option(help="The agent that values actions, as in ginkgo leaderboard --agents.")] = "lookahead",
    seat: Annotated[int | None, typer.Option(help="Only the decisions of this seat.", show_default=False)] = None,
    step: Annotated[int | None, typer.Option(help="Only the decision of this step of the record.", show_default=False)] = None,
    worlds: Annotated[int, typer.Option(help="Resampled worlds for each decision: more make intervals narrower.")] = 32,
    top: Annotated[int, typer.Option(help="Most promising actions to value; the action taken is always included.")] = 5,
    ahead: Annotated[
        int | None,
        typer.Option(help="Own decisions to play before the agent evaluates.", show_default="3; to the end with one side"),
    ] = None,
    playouts: Annotated[bool, typer.Option("--playouts", help="Play every world to the end. Same as --ahead 0.")] = False,
    seed: Annotated[int, typer.Option(help="Random seed of the worlds: the same seed gives the same numbers.")] = 0,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Also write the analysis as JSON.", show_default=False)
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw it: FILE.png or FILE.svg.", show_default=False)
    ] = None,
    files: Files = None,
) -> None:
    """Value the actions of a position, or of each decision of a record, from what the seat could know.

    For a record, show what each decision lost, and the three worst decisions of each player.

    Ctrl-C ends the analysis early; the finished decisions are shown and written.
    """
    from rich.console import Console

    from ginkgo_agents.analysis.results import AnalysisError
    from ginkgo_agents.analysis.run import analyze as run
    from ginkgo_agents.analysis.text import show
    from ginkgo_env.core.files import atomic_write, check_targets, write_file

    if playouts and ahead:
        raise AnalysisError("--playouts and --ahead exclude each other")
    if picture is not None:
        from ginkgo_agents.analysis.picture import check_picture, write_picture

        check_picture(picture)
    check_targets([path for path in (json_file, picture) if path is not None], [file])
    options: dict[str, Any] = {"worlds": worlds, "top": top, "ahead": 0 if playouts else ahead, "seed": seed, "step": step}
    options["files"] = dict(pairs_of(files or []))
    with progress_bar("decisions") as update:
        analysis = run(file, agent, seat, progress=lambda done, total: update(completed=done, total=total), **options)
    show(analysis, Console())
    if json_file is not None:
        write_file(json_file, analysis.to_json())
    if picture is not None:
        with atomic_write(picture) as temporary:
            write_picture(analysis, temporary)
    if not analysis.complete:
        _exit_interrupted("the results are of the decisions that were finished")


def generate(
    folder: Annotated[Path, typer.Argument(help="A new folder, or one that this command began.", show_default=False)],
    game: Annotated[str | None, GAME] = None,
    players: Annotated[str | None, PLAYERS] = None,
    agents: Annotated[str, typer.Option(help="Who plays: names or module:attribute, separated by commas.")] = "lookahead",
    games: Annotated[int, typer.Option(help="Number of games.")] = 1000,
    options: Annotated[list[str] | None, SET] = None,
    rows: Annotated[
        str,
        typer.Option(help="What to write for each decision: observation, features, both; or replay: seeds and actions only."),
    ] = "observation",
    reward: Annotated[
        str | None, typer.Option(help="Kind of reward: win, margin, outcome or score.", show_default="win; score with one side")
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed: the same seed gives the same rows.")] = 0,
    shard_games: Annotated[int, typer.Option(help="Games of a shard, which are played side by side.")] = 1000,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Number of threads that play; rows do not depend on it.", show_default="1")
    ] = None,
    ray: Annotated[bool, RAY] = False,
    ray_address: Annotated[str | None, ADDRESS] = None,
    ray_workers: Annotated[int | None, WORKERS] = None,
    minari: Annotated[
        str | None, typer.Option(metavar="ID", help="Export to Minari as well, under this id.", show_default=False)
    ] = None,
) -> None:
    """Make a data set of games between agents, as Parquet files with a data card.

    Several agents play in every combination, at all seats in turn; a single agent plays all seats.

    Ctrl-C ends it early; the same command continues where it stopped. docs/data.md describes how to read the data set.
    """
    from rich.markup import escape

    from ginkgo_agents.datasets import GenerationJob
    from ginkgo_agents.datasets import generate as run
    from ginkgo_agents.evaluation.cluster import chosen_cluster
    from ginkgo_agents.evaluation.options import names_in, read_configuration
    from ginkgo_env.datasets import load
    from ginkgo_env.datasets.shards import CARD, complete_shards
    from ginkgo_env.registry import DEFAULT_GAME

    name = game or DEFAULT_GAME
    config = read_configuration(name, [*(options or []), *([f"players={players}"] if players else [])])
    job = GenerationJob(name, tuple(names_in(agents)), config, games, seed, rows, reward, shard_games)  # type: ignore[arg-type]
    if minari is not None:
        from ginkgo_env.envs.minari import modules, to_minari

        modules()  # a missing package is reported before the games are played
    interrupted = True
    with (
        suppress(KeyboardInterrupt),
        chosen_cluster(ray, ray_address, ray_workers, threads) as cluster,
        progress_bar("games", job.games) as update,
    ):
        update(description=escape(", ".join(job.agents)))
        run(job, folder, threads=threads or 1, cluster=cluster, progress=lambda n: update(advance=n))
        interrupted = False
    info = job.info
    if interrupted:
        done = len(complete_shards(folder, info))
        _exit_interrupted(f"{done} of {info.shards} shards are complete; the same command makes the others")
    typer.echo(f"{info.games:,} games are in {folder}; {folder / CARD} is their data card")
    if minari is not None:
        to_minari(load(folder), minari)
        typer.echo(f"exported to Minari: {minari}")
