"""Configurations that are solved exactly in seconds: games of files beside this one."""

from __future__ import annotations

from pathlib import Path

import pyspiel

import ginkgo_env.envs.openspiel  # noqa: F401 (registers the games)

HERE = Path(__file__).parent
OPTIONS = {
    "my_city": f"board={HERE}/tiny_board.txt,buildings={HERE}/tiny_buildings.csv",
    "golden_city": f"players=2,position={HERE}/late_golden_city.json",
    "ginkgopolis": f"players=2,position={HERE}/late_ginkgopolis.json",
}
"""By game: two buildings on eight cells; the last round of a game, from its last bids or cards on."""


def small(name: str, rest: str = "deals=4,reward=win") -> pyspiel.Game:
    return pyspiel.load_game(f"python_{name}({OPTIONS[name]},{rest})")
