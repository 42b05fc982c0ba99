"""What happened, in sentences, and what a seat learns of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ginkgo_env.core.game import Chance, VisibleStep
from three_cards.actions import ACTION_NAMES
from three_cards.components import RANK_NAMES, RANKS
from three_cards.constants import Event
from three_cards.state import State

Rows = Sequence[tuple[int, int, int, int]]
DEALER = "the dealer"


def chances(rows: Rows) -> list[Chance]:
    """The cards that were dealt."""
    dealt = [RANKS[rank] for event, _, rank, _ in rows if event == Event.DEAL]
    return [Chance("deal", dealt)] if dealt else []


def narrate(rows: Rows, names: Sequence[str]) -> list[str]:
    """The rows of a log as sentences."""
    verbs = {Event.DEAL: "gets", Event.SHOW: "shows"}
    owners = (*names, DEALER)
    return [
        f"{owners[who]} {'passes' if ACTION_NAMES[what] == 'pass' else 'bets'}."
        if event == Event.ACT
        else f"{owners[who]} {verbs[Event(event)]} a {RANK_NAMES[what]}."
        for event, who, what, _ in rows
    ]


def visible(seat: int, after: State, rows: Rows) -> VisibleStep:
    """What a seat learns: the other card only if it lies open or is shown."""
    heard = [row for row in rows if row[0] != Event.DEAL or row[1] == seat or after.open]
    lines: list[dict[str, Any]] = [
        {"seat": who, "action": ACTION_NAMES[what]} if event == Event.ACT else {"hand": who, "card": RANKS[what]}
        for event, who, what, _ in heard
    ]
    return VisibleStep(lines, heard)
