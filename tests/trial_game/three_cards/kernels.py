"""What Python calls."""

from __future__ import annotations

from ginkgo_env.core.loops import Scalars, make_loops
from three_cards.knowledge.observe import observe, resample
from three_cards.rules.betting import legal, reset, step
from three_cards.rules.scoring import score, standing

KERNELS = make_loops(Scalars(reset, step, legal, observe, score, standing, resample), home=__name__)
