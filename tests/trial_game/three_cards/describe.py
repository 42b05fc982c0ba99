"""What lies on the table."""

from __future__ import annotations

from collections.abc import Sequence

from three_cards.actions import ACTION_NAMES
from three_cards.constants import Stage
from three_cards.narrate import DEALER
from three_cards.state import State
from three_cards.tables import RANKS


def describe(g: State, seat: int | None, names: Sequence[str]) -> str:
    """The table, with a seat as that seat sees it."""
    over = g.stage == Stage.OVER
    lines = []
    for hand, owner in enumerate((*names, DEALER)[:2]):
        shown = seat is None or hand == seat or g.open or g.shown
        lines.append(f"{owner}: {RANKS[g.hand[hand]] if shown else 'face down'}")
    acts = [ACTION_NAMES[act - 1] for act in g.acts[: g.n_acts]]
    return "\n".join([*lines, f"so far: {', '.join(acts) or 'nothing'}", "over" if over else f"{names[g.actor]} to act"])
