"""The picture of a leaderboard."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from ginkgo_agents.evaluation.console import show
from ginkgo_agents.evaluation.leaderboard import Plan, Report, report_of
from ginkgo_agents.evaluation.matches import MatchConfig, MatchResults, lineups
from ginkgo_agents.evaluation.plot import figure_of

NAMES = ("greedy", "random", "william", "ginkgo_agents.base:RandomAgent")


def report(*players: int, names: tuple[str, ...] = NAMES, deals: int = 9, **options: Any) -> Report:
    """Made-up games in which who is named first always wins."""
    plan = Plan("ginkgopolis", names, deals * max(players), options={"players": players, **options})
    finished = []
    for config in plan.configurations:
        for lineup in lineups(names, config["players"]):
            table = MatchConfig(plan.game, lineup, config)
            points = [len(names) - names.index(name) for name in lineup] + [0] * (table.sides - table.seats)
            totals = np.tile(np.array(points), (deals, table.rotations, 1))
            finished.append(MatchResults(table, np.arange(deals, dtype=np.uint64), totals, totals))
    return report_of(plan, finished)


def texts(found: Report) -> list[str]:
    """All that is written in the picture. Nothing of it lies beyond the edge."""
    figure = figure_of(found)
    FigureCanvasAgg(figure).draw()
    axes = [ax for ax in figure.axes if ax.get_visible()]
    numbers = [text for ax in axes for text in ax.xaxis.findobj(Text) if text is not ax.xaxis.label]  # some are not drawn
    hidden = [text for ax in figure.axes if ax not in axes for text in ax.findobj(Text)]
    found_texts: list[Any] = [text for text in figure.findobj(Text) if text.get_text() and text not in [*numbers, *hidden]]
    for text in found_texts:
        box = text.get_window_extent()
        assert box.x0 >= 0 and box.x1 <= figure.bbox.width and box.y0 >= 0 and box.y1 <= figure.bbox.height, text
    for ax in axes:
        assert ax.get_window_extent().width > figure.bbox.width / 5, "labels leave no room"
    return [" ".join(text.get_text().split()) for text in found_texts]


@pytest.mark.full
@pytest.mark.parametrize("players", [(1,), (2,), (1, 2, 3), (5,), (4, 5)], ids=str)
def test_nothing_is_cut_and_games_are_told(players):
    found = report(*players)
    said = texts(found)
    assert "100.0" in said
    for title in {row["configuration"] for row in found["results"]}:
        games = next(row["games"] for row in found["results"] if row["configuration"] == title)
        assert any(
            text.startswith(f"{title[:1].upper()}{title[1:]}, ") and text.endswith(f" {games} games each") for text in said
        )
    assert any(text.startswith("Ginkgopolis, ginkgopolis-v0, seed 0, ginkgo_env ") for text in said)


def test_the_picture_has_its_style_wherever_it_is_drawn():
    axes = figure_of(report(2)).axes
    assert not any(ax.spines[side].get_visible() for ax in axes for side in ("top", "right"))


@pytest.mark.full
def test_a_long_title_is_not_cut():
    modules = ["new_buildings", "prestige", "green_spaces", "events", "keep_card"]
    said = texts(report(2, modules=[modules], hand_size=[5]))
    assert any("green_spaces" in text and "hand size 5" in text for text in said)


@pytest.mark.full
def test_an_agent_that_always_wins_has_a_dot_and_an_interval():
    found = report(2, names=NAMES[:3])
    ratings = figure_of(found).axes[1]
    ends = {tuple(line.get_xdata()) for line in ratings.lines if line.get_marker() == "None"}
    for row in found["ratings"]:
        assert (row["elo"]["low"], row["elo"]["high"]) in ends
        assert f"{row['elo']['mean']:.0f}" in texts(found)


@pytest.mark.full
def test_an_interrupted_run_says_so():
    found = report(2)
    found["complete"] = False
    assert any("interrupted" in text for text in texts(found))


def test_one_side_alone_has_a_score():
    found = report(1)
    for row in found["results"]:
        row.update(configuration="alone", sides=1, win_rate=None, margin=None, quantiles={"10": -40, "50": 3, "90": 77})
    said = texts(found)
    assert "mean score, 95 % interval (thin: from the 10 % to the 90 % quantile)" in said and not any(
        "win rate" in text for text in said
    )


def test_quantiles_of_a_side_alone_are_thin_lines():
    found = report(1)
    found["results"][0].update(win_rate=None, margin=None, quantiles={"10": -40, "50": 3, "90": 77})
    axes = figure_of(found).axes[0]
    assert [-40, 77] in [list(line.get_xdata()) for line in axes.lines] and axes.get_xlim()[0] < -40 < 77 < axes.get_xlim()[1]


def test_notes_stand_below():
    found = report(2, names=NAMES[:2])
    found["notes"] = ["With board own (our own design: no source shows " + "the printed board, " * 8 + "nor the cards)."]
    assert any(text.startswith("With board own") and text.endswith("nor the cards).") for text in texts(found))


def test_one_deal_has_no_intervals(capsys):
    from rich.console import Console

    found = report(2, names=NAMES[:2], deals=1)
    texts(found)
    show(found, Console(width=80))
    assert "+1.0 " in capsys.readouterr().out
