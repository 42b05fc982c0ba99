"""Train agents in self-play, plot their learning curves, and train responses to agents.

The commands of ``ginkgo train``, and ``ginkgo exploit``. Everything heavy is imported when a command runs.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from ginkgo_agents.commands import ADDRESS, GAME, RAY, SET, WORKERS
from ginkgo_env.cli import INTERRUPTED
from ginkgo_env.core.imports import extra

Options = Annotated[list[str] | None, SET]
Players = Annotated[str | None, typer.Option(help="Number of players. Same as --set players=.", show_default=False)]
Settings = Annotated[
    list[str] | None,
    typer.Option(metavar="FILE|KEY=VALUE", help="Settings of the trainer: a JSON file, or one setting. Repeatable."),
]
Seed = Annotated[int | None, typer.Option(help="Random seed.", min=0, show_default="0")]
Minutes = Annotated[float | None, typer.Option(help="Minutes of processor time for learning.", show_default="10")]
Rollouts = Annotated[int | None, typer.Option(help="Stop after this many rollouts instead; reproduces exactly.")]
Against = Annotated[
    str | None, typer.Option(help="Opponents of evaluations, separated by commas.", show_default="those of the game")
]
EvaluateGames = Annotated[
    int | None, typer.Option(help="Games of an evaluation against each opponent.", min=1, show_default="200")
]
EvaluateEvery = Annotated[
    float | None,
    typer.Option(
        help="Minutes (rollouts, with --rollouts) before the first evaluation.",
        min=0,
        show_default="0.15, less in short runs; a tenth of the rollouts",
    ),
]
Device = Annotated[str, typer.Option(help="Where networks are trained: cpu, or (untested) cuda or auto, a GPU if there is one.")]
Threads = Annotated[
    int | None,
    typer.Option(help="Number of threads for searches and opponents; results do not depend on it.", min=1, show_default="1"),
]
Reward = Annotated[str | None, typer.Option(help="win, margin, outcome, score or module:function.", show_default="outcome")]
OwnNetwork = Annotated[
    str | None, typer.Option(metavar="MODULE:CLASS", help="A torch module to train as the network.", show_default=False)
]
Start = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="A checkpoint, or ppo, with whose weights to start.", show_default="random weights"),
]
Seeds = Annotated[
    int, typer.Option(help="Train with this many seeds, from --seed on, in the folders OUT-seed0 and so on.", min=1)
]
Processes = Annotated[int | None, typer.Option(help="Processes at a time, with --seeds.", min=1, show_default="all cores")]
Out = Annotated[Path | None, typer.Option(help="Folder of a new run.", show_default="run")]
Resume = Annotated[Path | None, typer.Option(help="Folder of a run to continue, with its own options.")]
Ray = Annotated[bool, RAY]
Address = Annotated[str | None, ADDRESS]
Workers = Annotated[int | None, WORKERS]

train = typer.Typer(help="Train an agent.", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


def _trainer(kind: str, text: str, *lacking: str) -> None:
    """Add the command of a trainer, with a text as its help and without the options that are lacking."""

    def command(
        game: Annotated[str | None, GAME] = None,
        players: Players = None,
        options: Options = None,
        settings: Settings = None,
        reward: Reward = None,
        network: OwnNetwork = None,
        start: Start = None,
        seed: Seed = None,
        seeds: Seeds = 1,
        workers: Processes = None,
        minutes: Minutes = None,
        rollouts: Rollouts = None,
        against: Against = None,
        evaluate_games: EvaluateGames = None,
        evaluate_every: EvaluateEvery = None,
        device: Device = "cpu",
        threads: Threads = None,
        out: Out = None,
        resume: Resume = None,
        ray: Ray = False,
        ray_address: Address = None,
        ray_workers: Workers = None,
    ) -> None:
        _train(**{"kind": kind, **locals()})

    signature = inspect.signature(command, eval_str=True)
    kept = [parameter for name, parameter in signature.parameters.items() if name not in lacking]
    command.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    train.command(kind, help=text)(command)


def exploit(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="The agent to exploit, as in ginkgo leaderboard --agents.")],
    game: Annotated[str | None, GAME] = None,
    players: Players = None,
    options: Options = None,
    games: Annotated[int | None, typer.Option(help="Training games.", min=1, show_default="20000")] = None,
    start: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A checkpoint to start with; '' for none.", show_default="ppo, where it has a model"),
    ] = None,
    settings: Settings = None,
    seed: Seed = None,
    evaluate_games: Annotated[
        int | None, typer.Option(help="Games that measure the response.", min=1, show_default="1000")
    ] = None,
    threads: Threads = None,
    out: Out = None,
    resume: Resume = None,
) -> None:
    """Train a best response to an agent, a lower bound of how far it can be exploited.

    A policy learns by PPO in one seat while the agent plays all others. The result is its win rate over deals that training did
    not use, with a 95 % interval. Ctrl-C saves, and --resume continues.
    """
    given, folder = {**locals(), "resume": resume is not None}, _folder(out, resume)
    with _run(folder, f"exploit {quote(agent)} --resume {quote(str(folder))}"):
        from ginkgo_training.command import train_response

        print(train_response(folder=folder, **given))


def _folder(out: Path | None, resume: Path | None) -> Path:
    folder = resume or out or Path("run")
    return folder.parent if folder.name == "checkpoint.npz" else folder


def _train(kind: str, out: Path | None, resume: Path | None, seeds: int, workers: int | None, **options: Any) -> None:
    folder = _folder(out, resume)
    again = f"train {kind} --resume {quote(str(folder))}{f' --seeds {seeds}' if seeds > 1 else ''}"
    with _run(folder, again, saved=seeds > 1):
        if seeds > 1:
            from ginkgo_training.seeds import train_seeds

            print(train_seeds(folder, resume is not None, options["seed"] or 0, seeds, workers))
            return
        from ginkgo_training.command import train_agent

        print(train_agent(kind, folder, resume is not None, out=out, **options))


@contextmanager
def _run(folder: Path, again: str, saved: bool = False) -> Iterator[None]:
    """Require torch, and after Ctrl-C report the command that goes on with the run in a folder."""
    with extra("train"):
        import torch  # noqa: F401
    try:
        yield
    except KeyboardInterrupt:
        saved = saved or (folder / "checkpoint.npz").exists()
        typer.echo(
            f"interrupted{f': continue with ginkgo {again}' if saved else ' before training began: run it again'}", err=True
        )
        raise typer.Exit(INTERRUPTED) from None


_trainer(
    "lookahead",
    """Train an agent that looks one action ahead, by afterstate PPO in self-play.

    Ctrl-C saves, and --resume continues.

    With --ray the setting shards says in how many parts the games are played on workers (4); the networks learn here.
    """,
)
_trainer(
    "ppo",
    """Train a policy by PPO against itself, its past and other agents.

    Ctrl-C saves, and --resume continues. The policy plays without lookahead.

    With --ray the setting shards says in how many parts the games are played on workers (4), in self-play alone; the network
    learns here.
    """,
)
_trainer(
    "search",
    """Train the policy and critic of a search on its results in self-play (expert iteration).

    Ctrl-C saves, and --resume continues. With --settings teacher=lookahead the policy learns from another agent.

    With --ray the setting shards says in how many parts the games are played on workers (4); the networks learn here.
    """,
    "network",
)


@train.command()
def curves(
    logs: Annotated[list[Path], typer.Argument(metavar="LOGS", help="Folders of runs, log files, or folders of log files.")],
    out: Annotated[Path, typer.Option(help="The picture to write: .png, .svg or .pdf.")] = Path("learning_curves.png"),
    against: Annotated[
        str | None, typer.Option(help="Opponents to show, separated by commas.", show_default="those not decided")
    ] = None,
) -> None:
    """Draw win rates with 95 % intervals against processor minutes and decisions, for one or more runs.

    Runs whose names differ only in a seed at the end, as in two_players-seed1, are drawn as thin lines with their mean, and from
    three runs on a bootstrap interval.
    """
    from ginkgo_agents.evaluation.options import names_in
    from ginkgo_training.curves import panels_of, plot
    from ginkgo_training.logs import read_logs

    runs = read_logs(logs)
    plot(runs, out, names_in(against))
    print(f"{out}: {len(runs)} {'run' if len(runs) == 1 else 'runs'}")
    drawn = {name for _, opponents in panels_of(runs, names_in(against)).values() for name in opponents}
    omitted = [*dict.fromkeys(name for log in runs for name in log.curves if name not in drawn)]
    if omitted and against is None:
        print(f"not drawn, as nearly all games are won or lost: {', '.join(omitted)}; --against {','.join(omitted)} draws them")
    if agents := [path / "agent.npz" for path in logs if (path / "agent.npz").exists()]:
        print(f"next: ginkgo evaluate {quote(str(agents[0]))}")
