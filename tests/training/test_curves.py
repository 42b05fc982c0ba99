"""Learning curves from logs: lines are read, means are right, the command draws and refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from typer.testing import CliRunner

from ginkgo_env.cli.app import app
from ginkgo_env.core.errors import ConfigError
from ginkgo_training.curves import figure_of, mean_curve, panels_of
from ginkgo_training.logs import LOG, EvaluationPoint, TrainingLog, read_log, read_logs, write_log

STORED = Path(__file__).resolve().parents[2] / "training" / "logs"


def a_line(decisions: int, **wins: float) -> dict[str, Any]:
    evaluation = {name: {"games": 200, "win": [win, win - 0.05, win + 0.05], "margin": [1, 0, 2]} for name, win in wins.items()}
    return {"game": "ginkgopolis", "seconds": decisions / 50, "decisions": decisions, "evaluation": evaluation, "entropy": 1.5}


def written(path: Path, *lines: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_log(path, lines)
    return path


def straight(name: str, last: float, **more: Any) -> TrainingLog:
    """A log with a curve that rises from 0 to `last` in 10 minutes."""
    points = [EvaluationPoint(minutes, 1000 * minutes, last * minutes / 10, 0.0, 1.0) for minutes in more.get("at", (0, 5, 10))]
    return TrainingLog(name, more.get("game", "ginkgopolis"), {"greedy": tuple(points)})


def test_a_line_is_read(tmp_path: Path) -> None:
    log = read_log(written(tmp_path / "one" / LOG, a_line(3000, greedy=0.5, random=0.9)).parent)
    assert log == read_log(written(tmp_path / "one.jsonl", a_line(3000, greedy=0.5), a_line(3000, random=0.9)))
    assert log.name == "one" and log.curves["greedy"] == (EvaluationPoint(1.0, 3000, 0.5, 0.45, 0.55),)


def test_what_a_resumed_run_repeats_counts_once(tmp_path: Path) -> None:
    lines = [a_line(n, greedy=win) for n, win in ((1000, 0.1), (2000, 0.2), (2000, 0.3), (3000, 0.4))]
    found = read_log(written(tmp_path / "run.jsonl", *lines)).curves["greedy"]
    assert [(point.decisions, point.mean) for point in found] == [(1000, 0.1), (2000, 0.3), (3000, 0.4)]


def test_a_folder_of_logs_and_seeds_of_one_recipe(tmp_path: Path) -> None:
    for name in ("two-seed1", "two_s2", "bus7", "seed3"):
        written(tmp_path / f"{name}.jsonl", a_line(10, greedy=0.5))
    logs = read_logs([tmp_path])
    assert {log.name: log.recipe for log in logs} == {"two-seed1": "two", "two_s2": "two", "bus7": "bus7", "seed3": "seed3"}
    with pytest.raises(ConfigError, match="two runs are named"):
        read_logs([tmp_path, tmp_path / "bus7.jsonl"])


A_SCORE, NOBODY = a_line(5, x=31.0), {"evaluation": {}, "seconds": 1}
EARLIER = {"rollouts": 1, "decisions": 5, "minutes": 1, "against": "x", "games": 100, "mean": 0.5, "low": 0.4, "high": 0.6}


@pytest.mark.parametrize("text", ["[1]", "{", "{}", json.dumps(A_SCORE), json.dumps(NOBODY), json.dumps(EARLIER), ""])
def test_what_is_no_log_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(text)
    with pytest.raises(ConfigError, match=r"log\.jsonl"):
        read_log(tmp_path)


def test_the_mean_is_taken_where_all_runs_are() -> None:
    runs = [straight("a", 0.4), straight("b", 0.6, at=(2, 4, 8)), straight("c", 0.8, at=(1, 9))]
    x, mean, low, high = mean_curve([run.curves["greedy"] for run in runs], lambda point: point.minutes)
    assert x.tolist() == [2, 4, 5, 8]
    np.testing.assert_allclose(mean, 0.06 * x)
    np.testing.assert_allclose(low, 0.04 * x)  # all three draws are the worst run in 1 of 27 resamples, more than 2.5 %
    np.testing.assert_allclose(high, 0.08 * x)
    assert np.isinf(mean_curve([run.curves["greedy"] for run in runs[:2]], lambda point: point.minutes)[2]).all()


def test_nothing_is_cut_and_each_recipe_has_a_line() -> None:
    logs = [
        straight("a-seed1", 0.4),
        straight("a-seed2", 0.5),
        straight("b-seed1", 0.9),
        TrainingLog("c", "other", {"greedy": (EvaluationPoint(1, 1, 1, 1, 1),)}),
    ]
    figure = figure_of(logs)
    FigureCanvasAgg(figure).draw()
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["ginkgopolis, against greedy", "", "other, against greedy", ""]
    texts = [text for ax in figure.axes if (legend := ax.get_legend()) for text in legend.get_texts()]
    assert [text.get_text() for text in texts] == ["a, mean of 2 seeds", "b-seed1", "c"]
    for text in [*texts, *(label for ax in figure.axes for label in (ax.xaxis.label, ax.yaxis.label))]:
        box = text.get_window_extent()
        assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= figure.bbox.width and box.y1 <= figure.bbox.height
    drawn = [tuple(line.get_ydata()) for line in figure.axes[0].lines if len(line.get_xdata())]
    assert (0, 45 / 2, 45) in drawn and (0, 45, 90) in drawn
    assert len(figure.axes[0].collections) == 1, "an interval of the single run; none of two seeds"


def test_opponents_that_nearly_always_win_or_lose_are_not_drawn(tmp_path: Path) -> None:
    """Unless they are asked for, or there is no other."""
    written(
        tmp_path / "run" / LOG,
        a_line(1000, random=0.9, william=0.8, greedy=0.0),
        a_line(2000, random=1.0, william=0.94, greedy=0.06),
    )
    written(tmp_path / "easy.jsonl", a_line(1000, random=0.97, greedy=0.99))
    log, easy = read_logs([tmp_path / "run", tmp_path / "easy.jsonl"])
    assert [panels_of([log])["ginkgopolis"][1], panels_of([easy])["ginkgopolis"][1]] == [["william", "greedy"], ["random"]]
    assert panels_of([log], ["random"])["ginkgopolis"][1] == ["random"]
    labels = [text.get_text() for text in figure_of([log]).axes[1].get_legend().get_texts()]
    assert labels == ["run, against william", "run, against greedy"]


def test_scores_alone_have_a_row_of_their_own(tmp_path: Path) -> None:
    alone = {"game": "my_city", "seconds": 60, "decisions": 10, "evaluation": {"alone": {"score": [31.5, 30.5, 32.5]}}}
    logs = read_logs([written(tmp_path / "one.jsonl", alone), written(tmp_path / "two.jsonl", a_line(10, greedy=0.5))])
    figure = figure_of(logs, ["greedy"])
    titles, labels = [ax.get_title(loc="left") for ax in figure.axes], [ax.get_ylabel() for ax in figure.axes]
    assert titles == ["my_city", "", "ginkgopolis, against greedy", ""]
    assert labels == ["score, 95 % interval", "", "win rate in %, 95 % interval", ""]
    assert [line.get_ydata()[0] for ax in figure.axes for line in ax.lines if len(line.get_xdata())] == [31.5, 31.5, 50, 50]
    assert figure.axes[0].get_ylim()[0] > 25 and figure.axes[2].get_ylim() == (-2, 102)


@pytest.mark.full
def test_the_command(tmp_path: Path) -> None:
    written(tmp_path / "run" / LOG, a_line(1000, greedy=0.4, random=0.8), a_line(2000, greedy=0.6, random=0.9))
    for name in ("curves.png", "curves.svg"):
        out = tmp_path / name
        done = CliRunner().invoke(app, ["train", "curves", str(tmp_path / "run"), "--out", str(out), "--against", "greedy"])
        assert done.exit_code == 0 and "1 run" in done.output and out.stat().st_size > 5000
    (tmp_path / "run" / "agent.npz").touch()
    done = CliRunner().invoke(app, ["train", "curves", str(tmp_path / "run"), "--out", str(out)])
    assert done.output.splitlines()[-1] == f"next: ginkgo evaluate {tmp_path / 'run' / 'agent.npz'}"
    first = out.read_bytes()
    CliRunner().invoke(app, ["train", "curves", str(tmp_path / "run"), "--out", str(out)])
    assert out.read_bytes() == first, "the same logs give the same bytes"
    for more in (["--against", "nobody"], ["--out", str(tmp_path / "curves.txt")], ["--out", str(tmp_path / "none" / "x.png")]):
        refused = CliRunner().invoke(app, ["train", "curves", str(tmp_path / "run"), *more])
        assert refused.exit_code == 2 and "ginkgo: " in refused.output
    assert CliRunner().invoke(app, ["train", "curves", str(tmp_path / "nothing")]).exit_code == 2


def test_stored_logs_are_read_and_small() -> None:
    assert read_logs([STORED])
    assert all(path.stat().st_size < 20_000 for path in STORED.iterdir())
