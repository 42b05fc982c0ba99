"""How lookahead continues for other players who choose in the same round: as a builder does (M15)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.masks import NO_ACTION, draw_legal
from ginkgo_env.core.rng import mix
from ginkgo_env.games.my_city.components import Components
from ginkgo_env.games.my_city.rules.placing import end_action, pass_action
from ginkgo_env.games.my_city.state import State


@kernel
def playout(g: State, t: Components, seat: int, mask: np.ndarray, key: np.uint64) -> int:
    """Return a random placement, a pass if no placement is legal, the end if neither is."""
    # M15: uniform play ends far too early, as the end is always among few legal actions
    action = draw_legal(mask[: pass_action(t)], mix(key))
    if action != NO_ACTION:
        return action
    return pass_action(t) if mask[pass_action(t)] != 0 else end_action(t)
