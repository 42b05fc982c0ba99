"""Reset and step a first batch of each game, with an empty folder of machine code: nothing may be compiled."""

import os
import time
from pathlib import Path

import ginkgo_env

for name in ginkgo_env.GAMES:
    start = time.process_time()
    batch = ginkgo_env.Batch(ginkgo_env.make_game(name), 1)
    batch.reset(seed=0)
    batch.step(batch.sample())
    batch.observe()
    print(f"{name}: first batch after {time.process_time() - start:.2f} s of processor time")
compiled = list(Path(os.environ["GINKGO_CACHE_DIR"]).iterdir())
assert not compiled, compiled
