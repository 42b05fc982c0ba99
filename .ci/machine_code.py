"""Compile the kernels of the package for nearly all x86-64 processors, into a folder that the next wheel contains.

Only processes with the same versions of Python, Numba, llvmlite and NumPy load the result; others compile as without it. So run
it with each version of Python, and the newest versions of the others, before ``python -m build``.
"""

import json
import os
import subprocess
import sys

from ginkgo_env.core.compile.cache import PORTABLE, SHIPPED
from ginkgo_env.registry import OWN_GAMES, game_class

USE = """
import json
import sys

import ginkgo_agents
import ginkgo_env
from ginkgo_agents.registry import suggested_agents_for

name, config = sys.argv[1], json.loads(sys.argv[2])
game = ginkgo_env.make_game(name, **config)
batch = ginkgo_env.Batch(game, 2, autoreset=True)
batch.reset(seed=0)
for _ in range(3):
    batch.step(batch.sample())
    batch.observe(), batch.features(), batch.scores(), batch.mask, batch.legal_actions()
batch.outcome(0), batch.resample(seed=0), batch.afterstates(seed=0)
env = ginkgo_env.env(name, **config)
env.reset(seed=0)
observation, *_ = env.last()
env.step(env.action_space(env.agent_selection).sample(observation["action_mask"]))
for agent in [*suggested_agents_for(game), "search:simulations=2"]:
    ginkgo_agents.play_match(ginkgo_agents.MatchConfig(name, (agent,) * game.seats, config), deals=1, seed=0)
"""


def main() -> None:
    """Compile what each game uses in its layouts and default configurations."""
    SHIPPED.mkdir(exist_ok=True)
    variables = {"NUMBA_CPU_NAME": PORTABLE[0], "NUMBA_CPU_FEATURES": PORTABLE[1], "GINKGO_CACHE_DIR": str(SHIPPED)}
    for name in OWN_GAMES:
        kind = game_class(name)
        for config in (*kind.layouts().values(), *kind.leaderboard_configs()):
            subprocess.run([sys.executable, "-c", USE, name, json.dumps(config)], env=os.environ | variables, check=True)
    sizes = [path.stat().st_size for path in SHIPPED.iterdir()]
    print(f"{SHIPPED}: {len(sizes)} files, {sum(sizes) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
