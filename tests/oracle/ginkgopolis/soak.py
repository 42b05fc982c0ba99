"""Compare kernels and oracle for as many decisions as asked: ``python tests/oracle/ginkgopolis/soak.py --decisions 1000000``.

Every configuration of the base game, or with ``--modules`` every combination of modules with 2 to 5 players, some of them
strict, with hands of five or introductory sets: one game of each in turn, the game's seed counting up from ``--seed``. Stops at
the first difference and prints how to see it again.

What is drawn by chance, who decides and what is legal is compared after every decision, whole positions and scores after every
fourth, what seats are shown after every eighth.
"""

import sys
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from ginkgo_env.registry import game_class
from tests.oracle.ginkgopolis.compare import play_match
from tests.oracle.soaking import options_of_a_soak, soak


def _configs(modules: bool) -> list[dict[str, Any]]:
    game = game_class("ginkgopolis")
    plain = [config for config in game.configurations() if "modules" not in config]
    if not modules:
        return plain + [config | {"strict": True} for config in plain] + [config | {"max_rounds": 8} for config in plain]
    played = [config for config in game.module_combinations() if config["modules"]]
    strict = [config | {"strict": True} for config in played if len(config["modules"]) >= 4]
    five = [config | {"hand_size": 5} for config in played if "keep_card" in config["modules"] and config["players"] < 5]
    simple = [config | {"setup": "introductory"} for config in played if "experts" not in config["modules"]]
    return played + strict + five[::3] + simple[::4]


if __name__ == "__main__":
    parser = options_of_a_soak(__doc__)
    parser.add_argument("--modules", action="store_true", help="every combination of modules instead of the base game")
    options = parser.parse_args()
    sys.exit(soak(partial(play_match, views=8, positions=4), _configs(options.modules), options))
