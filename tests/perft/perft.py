"""Perft: how many sequences of legal actions there are from a position, chance as the state's own generator deals it.

``data/*.json`` hold positions with their counts at depths 1, 2, ... and the counts at the last depth below each first action.
A change of the rules core that changes a count has changed the rules (or chance). If that is meant::

    python tests/perft/perft.py            # counts the positions in data/ anew, and makes those that are missing
    python tests/perft/perft.py --new      # makes the positions anew as well (after a change of the position format)
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

import ginkgo_env
from ginkgo_env.core.game import Game, States
from ginkgo_env.testing import visited

DATA = Path(__file__).with_name("data")
CHUNK = 4096

GINKGOPOLIS: dict[str, tuple[dict[str, Any], str, int, int]] = {
    # name: configuration, kind of decision, seed of the games in which a position is looked for, depth
    "alone_commit": ({"players": 1, "level": "standard"}, "commit", 1, 4),
    "alone_token": ({"players": 1, "level": "advanced"}, "token", 2, 4),
    "two_draft": ({"players": 2}, "draft", 3, 7),
    "two_commit": ({"players": 2, "setup": "introductory"}, "commit", 4, 3),
    "two_take": ({"players": 2}, "take", 5, 4),
    "three_commit_strict": ({"players": 3, "strict": True}, "commit", 6, 4),
    "three_return": ({"players": 3, "setup": "introductory"}, "return", 7, 4),
    "four_token": ({"players": 4}, "token", 8, 4),
    "five_draft": ({"players": 5}, "draft", 9, 8),
    "five_return": ({"players": 5, "setup": "introductory"}, "return", 10, 5),
}
GOLDEN_CITY: dict[str, tuple[dict[str, Any], str, int, int]] = {
    # "start" is the first decision of the seed's game
    "golden_two_start": ({"players": 2}, "start", 1, 6),
    "golden_three_start": ({"players": 3}, "start", 2, 6),
    "golden_four_start": ({"players": 4}, "start", 3, 6),
    "golden_two_discard": ({"players": 2}, "discard", 11, 6),
    "golden_three_bid": ({"players": 3}, "bid", 5, 5),
    "golden_three_build": ({"players": 3}, "build", 6, 5),
    "golden_four_pay": ({"players": 4}, "pay", 7, 5),
    "golden_four_goods": ({"players": 4}, "goods", 12, 5),
    "golden_three_bonus": ({"players": 3}, "bonus", 9, 5),
}
MY_CITY: dict[str, tuple[dict[str, Any], str, int, int]] = {
    "city_alone_start": ({"players": 1}, "start", 1, 4),
    "city_alone_build": ({"players": 1}, "build", 4, 4),
    "city_two_build": ({"players": 2}, "build", 2, 4),
    "city_three_build": ({"players": 3}, "build", 3, 3),
    "city_four_start": ({"players": 4}, "start", 4, 3),
}
CASES = {
    **{name: ("ginkgopolis", *case) for name, case in GINKGOPOLIS.items()},
    **{name: ("golden_city", *case) for name, case in GOLDEN_CITY.items()},
    **{name: ("my_city", *case) for name, case in MY_CITY.items()},
}


def masks_of(game: Game, states: States) -> np.ndarray:
    masks = np.zeros((len(states), game.actions.size), np.int8)
    game.kernels.legal(0, len(states), states, game.components, masks)
    return masks


def children(game: Game, states: States) -> tuple[States, np.ndarray]:
    """All states one action further, and for each the row that it comes from."""
    rows, actions = np.nonzero(masks_of(game, states))
    if not len(rows):
        return states[:0], rows
    batch = ginkgo_env.Batch(game, len(rows))
    batch.set_states(np.arange(len(rows)), states[rows].view(np.recarray))
    batch.step(actions)
    return batch.states.copy().view(np.recarray), rows


def leaves(game: Game, states: States, depth: int) -> np.ndarray:
    """For each state the number of sequences of `depth` actions (finished games have none)."""
    if depth == 1:
        return masks_of(game, states).sum(axis=1, dtype=np.int64)
    total = np.zeros(len(states), np.int64)
    for start in range(0, len(states), CHUNK):
        below, rows = children(game, states[start : start + CHUNK].view(np.recarray))
        if len(rows):
            np.add.at(total, rows + start, leaves(game, below, depth - 1))
    return total


def count(position: dict[str, Any], depth: int) -> dict[str, Any]:
    """The counts of a position: by depth, and at the last depth below each action."""
    game = ginkgo_env.make_game(position["game"], **position["config"])
    state = game.from_position(position)
    below, _ = children(game, state)
    actions = np.flatnonzero(masks_of(game, state)[0])
    last = leaves(game, below, depth - 1)
    return {
        "leaves": [int(leaves(game, state, d)[0]) for d in range(1, depth)] + [int(last.sum())],
        "below": {game.action_text(state, int(action)): int(n) for action, n in zip(actions, last, strict=True)},
    }


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return found


def write(name: str, position: dict[str, Any], depth: int) -> None:
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in position.items()]
    counts = count(position, depth)
    below = [f"  {json.dumps(key)}: {value}" for key, value in counts["below"].items()]
    text = '{\n "position": {\n' + ",\n".join(lines) + '\n },\n "leaves": ' + json.dumps(counts["leaves"])
    text += ',\n "below": {\n' + ",\n".join(below) + "\n }\n}\n"
    (DATA / f"{name}.json").write_text(text, encoding="utf-8")


def new_position(name: str, config: dict[str, Any], kind: str, seed: int) -> dict[str, Any]:
    """A position in the middle of a game with a decision of this kind, or at its start."""
    game = ginkgo_env.make_game(name, **config)
    if kind == "start":
        batch = ginkgo_env.Batch(game, 1)
        batch.reset([seed])
        return batch.position(0)
    states = visited(game, seed=seed, n=200, rows=6)
    found = np.flatnonzero(states["stage"] == game.decisions.index(kind))
    return game.position(states[found[len(found) // 2]].reshape(1).view(np.recarray))


def main() -> None:
    DATA.mkdir(exist_ok=True)
    for name, (game, config, kind, seed, depth) in CASES.items():
        is_new = "--new" in sys.argv or not (DATA / f"{name}.json").exists()
        write(name, new_position(game, config, kind, seed) if is_new else read(name)["position"], depth)
        print(name, read(name)["leaves"])


if __name__ == "__main__":
    main()
