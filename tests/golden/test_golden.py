"""The golden games play and read as they did. Run as a script, this file writes them anew (see README.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ginkgo_env
from ginkgo_env.cli.telling import Telling
from ginkgo_env.games.ginkgopolis.tables import MODULE_NAMES

HERE = Path(__file__).parent
GAMES: dict[str, tuple[dict[str, Any], int, list[str]]] = {
    "solo_advanced": ({"players": 1, "level": "advanced"}, 4, ["ann"]),
    "two_players": ({"players": 2}, 3, ["ann", "bob"]),
    "three_players_expansion": ({"players": 3, "modules": MODULE_NAMES}, 996, ["ann", "bob", "cid"]),
}


def fresh(name: str) -> ginkgo_env.Record:
    """The golden game as it is played now."""
    config, seed, players = GAMES[name]
    game = ginkgo_env.make_game("ginkgopolis", **config)
    batch = ginkgo_env.Batch(game, 1)
    batch.reset([seed])
    actions = []
    while not batch.over.all():
        actions.append(int(batch.sample()[0]))
        batch.step([actions[-1]])
    return ginkgo_env.Record.from_actions(game, seed, actions, players)


def told(record: ginkgo_env.Record) -> str:
    """The text of ``ginkgo replay``."""
    return "".join(f"{block}\n" for block in Telling(record).blocks())


@pytest.mark.parametrize("name", GAMES)
def test_record_is_unchanged(name: str) -> None:
    record, golden = fresh(name), ginkgo_env.Record.read(HERE / f"{name}.jsonl")
    record.header["package"] = golden.header["package"]  # a release alone does not change games
    assert record.dumps() == golden.dumps()


@pytest.mark.parametrize("name", GAMES)
def test_text_is_unchanged(name: str) -> None:
    record = ginkgo_env.Record.read(HERE / f"{name}.jsonl")
    assert told(record) == (HERE / f"{name}.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    for name in GAMES:
        record = fresh(name)
        record.write(HERE / f"{name}.jsonl")
        (HERE / f"{name}.txt").write_text(told(record), encoding="utf-8", newline="\n")
