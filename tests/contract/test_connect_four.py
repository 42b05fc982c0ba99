"""A game of another package in one file: held to the contract, shown in the guide, played at the table."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import ginkgo_env
from ginkgo_agents.base import RandomAgent
from ginkgo_env import Batch, Record, replay
from ginkgo_env.testing import CHECKS, Check, run_contract
from ginkgo_table.live import LiveGame, SeatAssignment
from ginkgo_table.view import view_of

from ..conftest import with_metadata

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "tests" / "connect_four" / "connect_four.py"


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Connect Four is there while a test runs."""
    monkeypatch.syspath_prepend(str(FILE.parent))
    monkeypatch.syspath_prepend(
        str(with_metadata(tmp_path / "metadata", "connect_four", "connect_four = connect_four:ConnectFour"))
    )
    yield
    sys.modules.pop("connect_four", None)


def played(moves: str) -> Batch:
    batch = Batch(ginkgo_env.make_game("connect_four"), 1)
    batch.reset([0])
    for move in moves:
        batch.step([int(move) - 1])
    return batch


@pytest.mark.full
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_promises(check: Check) -> None:
    run_contract(ginkgo_env.make_game("connect_four"), [check])


@pytest.mark.full
@pytest.mark.parametrize(
    ("moves", "winner"),
    [("1212121", 0), ("1122334", 0), ("12233434544", 0), ("76655454344", 0), ("12121272", 1), ("1234567", None)],
)
def test_lines(moves: str, winner: int | None) -> None:
    batch = played(moves)
    outcome = batch.outcome(0)
    assert outcome.winners == (() if winner is None else (winner,))
    assert outcome.scores == tuple(int(seat == winner) for seat in range(2))
    assert outcome.ending == (None if winner is None else "line")


@pytest.mark.full
def test_a_full_board_is_a_draw_and_its_last_discs_drop_alone() -> None:
    batch, masks = Batch(ginkgo_env.make_game("connect_four"), 3000), []
    batch.reset(seed=1)
    while not batch.over.all():
        batch.step(batch.sample())
        masks.append(batch.mask.sum(axis=1))
    assert 1 not in np.concatenate(masks)  # a single column left is no decision
    full = [row for row in range(batch.size) if batch.states["n_moves"][row] == 42 and batch.states["winner"][row] < 0]
    assert full
    for row in full:
        outcome = batch.outcome(row)
        assert (outcome.ending, outcome.winners, outcome.scores) == ("full board", (0, 1), (0, 0))


@pytest.mark.full
def test_a_game_at_the_table() -> None:
    """A person and an agent play a whole game, which is recorded and replayed; each column is picked in the picture."""
    game = ginkgo_env.make_game("connect_four")
    live = LiveGame(game, 5, [SeatAssignment("Ann"), SeatAssignment("Rob", "random")], agent_factory=lambda *_: RandomAgent())
    while not live.is_over:
        if live.actor == 0:
            view = view_of(live, 0)
            assert view["decision"]["kind"] == "drop"
            for action in view["decision"]["actions"]:
                assert action["picks"] == [["column", action["text"]]]
                assert f'data-part="column:{action["text"]}"' in view["picture"]["board"]["body"]
            live.act(0, view["decision"]["actions"][0]["id"])
        else:
            live.advance(live.choose())
    record = Record.read(live.record().dumps())
    assert [step.state for step in replay(record)][-1].tobytes() == live.state.tobytes()
    assert np.isin(live.state["discs"], (0, 1, 2)).all()


def test_the_guide_shows_the_file() -> None:
    source = FILE.read_text(encoding="utf-8")
    assert source.count("\n") < 210
    page = (ROOT / "docs" / "howto" / "game.md").read_text(encoding="utf-8")
    section = page[page.index("## A game in one file") : page.index("## A game in a folder")]
    blocks = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    shown = [block for block in blocks if "run_contract" not in block]
    assert len(shown) >= 2 and all(block in source for block in shown)
