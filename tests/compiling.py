"""Compile what most tests need: ``python tests/compiling.py rules greedy my_city``, one piece after the other.

Each worker of pytest-xdist would compile the same at the same time. So two processes compile it, side by side, while the workers
start (``conftest.py``), and the workers find the machine code in the cache.
"""

from __future__ import annotations

import sys

import numpy as np

from ginkgo_agents.ginkgopolis import LOOK_AHEAD, Weight
from ginkgo_env.core.batch import Batch, prepare
from ginkgo_env.core.game import Game
from ginkgo_env.games.ginkgopolis.components import MODULE_NAMES
from ginkgo_env.games.ginkgopolis.game import Ginkgopolis
from ginkgo_env.registry import OWN_GAMES, make_game


def greedy(game: Ginkgopolis) -> None:
    """The lookahead of the greedy agent of the base game, called for no rows: that needs none of the game's own entries."""
    worlds = np.repeat(game.template, 2).view(np.recarray).reshape(1, 2)
    LOOK_AHEAD[False](0, 0, worlds, np.zeros(1, np.uint64), np.zeros(len(Weight)), np.zeros((1, game.actions.size)))


def rules(game: Game) -> None:
    """What every batch needs, the features, and what reading a position asks."""
    prepare(game)
    batch = Batch(game, 1)
    batch.features()
    game.from_position(batch.position(0))


def whole(game: Game) -> None:
    """The same, and lookahead."""
    rules(game)
    Batch(game, 1).afterstates(1)


if __name__ == "__main__":
    for piece in sys.argv[1:]:
        name, _, modules = piece.partition("-")
        if name in OWN_GAMES:
            whole(make_game(name))
        else:
            {"rules": rules, "greedy": greedy}[name](Ginkgopolis(modules=MODULE_NAMES if modules else ()))
