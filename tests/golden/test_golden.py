"""The golden games play and read as they did.

Run as a script, this file writes them anew, here or into a folder (see README.md).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import ginkgo_env
from ginkgo_agents.evaluation.matches import MatchConfig, play_match
from ginkgo_env.cli.output import Transcript
from ginkgo_env.core.playback import Playback
from ginkgo_env.games.ginkgopolis.components import MODULE_NAMES

HERE = Path(__file__).parent
GAMES: dict[str, tuple[str, dict[str, Any], int, list[str]]] = {
    "solo_advanced": ("ginkgopolis", {"players": 1, "level": "advanced"}, 4, ["ann"]),
    "two_players": ("ginkgopolis", {"players": 2}, 3, ["ann", "bob"]),
    "three_players_expansion": ("ginkgopolis", {"players": 3, "modules": MODULE_NAMES}, 996, ["ann", "bob", "cid"]),
    "my_city_one": ("my_city", {"players": 1}, 256, ["ann"]),
    "my_city_three": ("my_city", {"players": 3}, 297, ["ann", "bob", "cid"]),
}
AGENTS: dict[str, tuple[dict[str, Any], int, tuple[str, ...]]] = {
    "golden_city_three": ({"players": 3}, 1, ("builder", "random", "builder")),
    "golden_city_four": ({"players": 4}, 2, ("builder", "random", "builder", "random")),
}


def fresh(name: str) -> ginkgo_env.Record:
    """The golden game as it is played now."""
    title, config, seed, players = GAMES[name]
    game = ginkgo_env.make_game(title, **config)
    batch = ginkgo_env.Batch(game, 1)
    batch.reset([seed])
    actions = []
    while not batch.over.all():
        actions.append(int(batch.sample()[0]))
        batch.step([actions[-1]])
    return ginkgo_env.Record.from_actions(game, seed, actions, players)


def by_agents(name: str) -> ginkgo_env.Record:
    """A game of The Golden City as agents play it now."""
    config, seed, lineup = AGENTS[name]
    table = MatchConfig("golden_city", lineup, config)
    (kept,) = play_match(table, 1, seed, record=1).recorded
    players = [f"{agent}_{seat}" for seat, agent in enumerate(kept.players)]
    return ginkgo_env.Record.from_actions(table.game_object, kept.seed, kept.actions, players)


def again(golden: ginkgo_env.Record) -> ginkgo_env.Record:
    """The same decisions from the same seed, however agents play now."""
    table = Playback(golden.game)
    table.start(golden.header["seed"])
    actions = []
    for line in golden.lines:
        if "action" in line:
            actions.append(golden.game.parse_action(table.states, line["action"]))
            table.play(actions[-1])
    return ginkgo_env.Record.from_actions(golden.game, golden.header["seed"], actions, golden.header["players"])


def told(record: ginkgo_env.Record) -> str:
    """The text of ``ginkgo replay``."""
    return "".join(f"{block}\n" for block in Transcript(record).blocks())


@pytest.mark.parametrize("name", [*GAMES, *AGENTS])
def test_record_is_unchanged(name: str) -> None:
    golden = ginkgo_env.Record.read(HERE / f"{name}.jsonl")
    record = fresh(name) if name in GAMES else again(golden)
    record.header["package"] = golden.header["package"]  # a release alone does not change games
    assert record.dumps() == golden.dumps()


@pytest.mark.parametrize("name", [*GAMES, *AGENTS])
def test_text_is_unchanged(name: str) -> None:
    record = ginkgo_env.Record.read(HERE / f"{name}.jsonl")
    assert told(record) == (HERE / f"{name}.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if sys.argv[1:] else HERE
    for name in [*GAMES, *AGENTS]:
        record = fresh(name) if name in GAMES else by_agents(name)
        record.write(folder / f"{name}.jsonl")
        (folder / f"{name}.txt").write_text(told(record), encoding="utf-8", newline="\n")
