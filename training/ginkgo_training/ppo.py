"""``ginkgo train ppo``: reinforcement learning with MaskablePPO. Everything heavy is imported when the command runs."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from ginkgo_training.ppo_run import Budget, PpoRun

DEVICE = "Where networks are trained: cpu, cuda, or auto, which takes a GPU if there is one."
_BAD_INPUT, _INTERRUPTED = 2, 130
_SAVE_EVERY = 60.0  # seconds
_MISSING = 'training requires further packages: pip install "ginkgo-env[train]"'
_FURTHER = 1_000_000  # what is added to the seed for evaluation on other deals


def ppo(
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for agent.npz, training.npz and TensorBoard's files.", show_default="ppo, or that of --resume"),
    ] = None,
    game: Annotated[str | None, typer.Option(help="Name of the game (see ginkgo games).", show_default="ginkgopolis")] = None,
    options: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="An option of the game, for instance players=3. Repeatable."),
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(help="How long to learn, without evaluation.", min=0.01, show_default="8")
    ] = None,
    rollouts: Annotated[int | None, typer.Option(help="How many rollouts to learn from, instead of minutes.", min=1)] = None,
    seed: Annotated[int, typer.Option(help="Random seed.", min=0)] = 0,
    threads: Annotated[int, typer.Option(help="Number of threads.", min=1)] = 1,
    device: Annotated[str, typer.Option(help=DEVICE)] = "auto",
    imitate: Annotated[str | None, typer.Option(help="An agent to imitate first, such as greedy.")] = None,
    imitate_games: Annotated[int, typer.Option(help="How many of its games to learn from.", min=1)] = 400,
    opponents: Annotated[
        str | None,
        typer.Option(help="Agents to play against now and then, besides itself; separated by commas.", show_default="random"),
    ] = None,
    evaluate: Annotated[
        str | None, typer.Option(help="Agents to measure the strength against; separated by commas.", show_default="random")
    ] = None,
    evaluate_every: Annotated[float, typer.Option(help="Minutes of learning from one evaluation to the next.", min=0.01)] = 2.0,
    evaluate_games: Annotated[int, typer.Option(help="Games of an evaluation against each agent.", min=1)] = 200,
    settings: Annotated[Path | None, typer.Option(help="A JSON file with settings of PPO: see PpoSettings.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with a run: its folder. Its game, seed and settings stay.")] = None,
) -> None:
    """Train a policy by PPO against itself, its past and other agents.

    The network plays at once, without lookahead. Ctrl-C ends the run after the present rollout, and saves; a second one at once.
    """
    try:
        from ginkgo_training.ppo_run import TRAINING, Budget, PpoRun, limit_threads
    except ImportError as error:
        _refuse(f"{_MISSING} ({error})")
    from rich.console import Console

    from ginkgo_agents.agents.registry import make_agent
    from ginkgo_env.core.errors import ConfigError, GinkgoError

    console = Console(stderr=True)
    home = resume.parent if resume is not None and resume.is_file() else resume
    out = out or home or Path("ppo")
    try:
        budget = Budget(rollouts=rollouts) if rollouts and minutes is None else Budget(minutes or 8.0, rollouts)
        if resume is None and (out / TRAINING).exists():
            raise ConfigError(f"{out} holds a training run: resume it, or choose another folder")
        limit_threads(threads)
        if resume is not None:
            run = PpoRun.resume(resume, device)
        else:
            run = _new_run(game, options or [], seed, settings, opponents, device)
        rivals = _names(evaluate) or ("random",)
        for name in (*rivals, *([imitate] if imitate else [])):
            make_agent(name, run.game.name).check(run.game)
        run.log_to(out)
        with _interruptible() as stopped, _bar(console) as bar:
            if imitate is not None and resume is None:
                task = bar.add_task(f"imitating {imitate}", total=1.0, note="")
                run.imitate(imitate, imitate_games, lambda share: _shown(bar, task, share, stopped))
            _learn(run, budget, out, stopped, bar, rivals, evaluate_every, evaluate_games)
        run.save(out)
        if not stopped.is_set():
            for name in rivals:
                found = run.evaluate(name, evaluate_games, _FURTHER + run.seed)
                console.print(f"against {name}: {_told(found, run)} over {evaluate_games} games of other deals", highlight=False)
        run.save(out)
        console.print(f"{out / 'agent.npz'} plays; go on with --resume {out}", highlight=False, markup=False)
    except GinkgoError as error:
        _refuse(str(error))
    except KeyboardInterrupt:
        typer.echo("interrupted: nothing was learned since the last save, if there was one", err=True)
        raise typer.Exit(_INTERRUPTED) from None
    if stopped.is_set():
        raise typer.Exit(_INTERRUPTED)


def _new_run(
    game: str | None, options: list[str], seed: int, settings: Path | None, opponents: str | None, device: str
) -> PpoRun:
    """A run from the command line's words. Raises ConfigError."""
    import json

    from ginkgo_agents.agents.registry import make_agent
    from ginkgo_agents.evaluation.options import read_options
    from ginkgo_env.core.errors import ConfigError
    from ginkgo_env.registry import DEFAULT_GAME, make_game
    from ginkgo_training.ppo_run import PpoRun
    from ginkgo_training.ppo_settings import PpoSettings

    chosen = game or DEFAULT_GAME
    config = {}
    for name, values in read_options(chosen, [_pair(text) for text in options]).items():
        if len(values) != 1:
            raise ConfigError(f"training requires one value of {name}, got {len(values)}")
        config[name] = values[0]
    try:
        data = json.loads(settings.read_text()) if settings else {}
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read the settings: {error}") from None
    if not isinstance(data, dict):
        raise ConfigError("the settings must be a JSON object")
    if names := _names(opponents):
        data["opponents"] = data.get("opponents", {}) | {"baselines": names}
    made = PpoSettings.from_dict(data)
    for name in made.opponents.baselines:
        make_agent(name, chosen).check(make_game(chosen, **config))
    return PpoRun(chosen, config, made, seed, device=device)


def _shown(bar: Any, task: Any, share: float, stopped: threading.Event) -> None:
    """Progress of imitation, which Ctrl-C ends at once: there is nothing to go on from yet."""
    if stopped.is_set():
        raise KeyboardInterrupt
    bar.update(task, completed=share)


def _learn(
    run: PpoRun, budget: Budget, out: Path, stopped: threading.Event, bar: Any, rivals: tuple[str, ...], every: float, games: int
) -> None:
    """Learn with a progress bar; evaluate and save now and then."""
    task = bar.add_task("learning", total=1.0, note="")
    saved, due = time.monotonic(), run.minutes + every

    def after(run: PpoRun) -> bool:
        nonlocal saved, due
        if run.minutes >= due and not stopped.is_set():
            due = run.minutes + every
            notes = [f"{name} {_told(run.evaluate(name, games, run.seed), run)}" for name in rivals]
            bar.update(task, note=", ".join(notes))
        if time.monotonic() - saved >= _SAVE_EVERY:
            run.save(out)
            saved = time.monotonic()
        bar.update(task, completed=budget.used(run.minutes, run.rollouts))
        return not stopped.is_set()

    run.save(out)
    run.learn(budget, after)


def _told(found: Any, run: PpoRun) -> str:
    """An interval in words: of rates in percent, with one side of scores in points."""
    times, unit = (100, " %") if run.game.sides > 1 else (1, "")
    return f"{times * found.mean:.1f}{unit} ({times * found.low:.1f} to {times * found.high:.1f})"


def _bar(console: Console) -> Any:
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    return Progress(*columns, TextColumn("{task.fields[note]}"), console=console)


@contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets. The second one interrupts as usual."""
    stopped = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return

    def stop(number: int, frame: Any) -> None:
        stopped.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGINT, before)


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in (text or "").split(",") if name.strip())


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        _refuse(f"--set requires KEY=VALUE, got {text[:40]!r}")
    return name.strip(), value


def _refuse(sentence: str) -> NoReturn:
    typer.secho(f"ginkgo: {sentence}", fg=typer.colors.RED, err=True)
    raise typer.Exit(_BAD_INPUT)
