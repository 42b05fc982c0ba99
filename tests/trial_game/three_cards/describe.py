"""What lies on the table."""

from __future__ import annotations

from ginkgo_env.core.state import VisibleState
from three_cards.actions import ACTION_NAMES
from three_cards.components import RANKS
from three_cards.constants import Stage
from three_cards.narrate import DEALER


def describe(g: VisibleState) -> str:
    """The table as a viewer sees it."""
    over, names = g.stage == Stage.OVER, g.names
    lines = []
    for hand, owner in enumerate((*names, DEALER)[:2]):
        shown = g.viewer in (None, hand) or g.open or g.shown
        lines.append(f"{owner}: {RANKS[g.hand[hand]] if shown else 'face down'}")
    acts = [ACTION_NAMES[act - 1] for act in g.acts[: g.n_acts]]
    return "\n".join([*lines, f"so far: {', '.join(acts) or 'nothing'}", "over" if over else f"{names[g.actor]} to act"])
