"""Records as Python code reads them, with or without the fields of the expansion: what texts, views and positions ask."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.games.ginkgopolis.constants import DRAFT_PICKS, N_CARDS, N_CHARACTERS, N_TILES, NONE, WILLIAM, Module, Stage
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import CHARACTER_NAMES, EVENT_NAMES, EXPERT_NAMES
from ginkgo_env.games.ginkgopolis.text.notation import members, names_at, names_in

CHOOSING = frozenset({Stage.COMMIT, Stage.LOWER, Stage.EVENT, Stage.KEEP})
"""The decisions that make a player's choice of a round, which nobody else tells apart (R3.1, X7.3)."""
PILES = {"tiles": "green", "aside": "green_aside", "known_tiles": "green_known", "lower_tiles": "green_lower"}
"""The sets of tiles that each player has, and where the green spaces in them are counted."""


def is_letter(card: int) -> bool:
    """Whether a card is an urbanization card."""
    return N_TILES <= card < N_CARDS


def extra(g: State, name: str, place: int = 0, empty: int = 0) -> int:
    """A number of the expansion; `empty` without modules."""
    if not g.expansion:
        return empty
    value = np.ravel(g[name])
    return int(value[place])


def with_module(g: State, module: Module) -> bool:
    """Whether the game is played with this module."""
    return extra(g, "modules", module) != 0


def tiles_in(g: State, pile: str, p: int) -> list[str]:
    """The tiles in a player's pile, in order."""
    return names_in(g[pile][p], extra(g, PILES[pile], p)) if g.expansion or pile != "lower_tiles" else []


def characters(counts: Any) -> list[str]:
    """Characters counted, by name."""
    return [CHARACTER_NAMES[c] for c in range(N_CHARACTERS) for _ in range(int(counts[c]))]


def expert_of(g: State, p: int) -> list[str]:
    """A player's expert, if there is one."""
    expert = extra(g, "expert", p, NONE)
    return [] if expert == NONE else [EXPERT_NAMES[expert]]


def packet_of(g: State, p: int) -> list[str]:
    """What a player may keep in the draft: characters, then experts."""
    experts = members(g.packet_experts[p]) if g.expansion else []
    return characters(g.packet[p]) + [EXPERT_NAMES[e] for e in experts]


def draft_picks_of(g: State) -> int:
    """How many cards everybody keeps in the draft."""
    return DRAFT_PICKS + with_module(g, Module.EXPERTS)


def is_shown(g: State, p: int) -> bool:
    """Whether everybody sees what lies on a player's card."""
    return bool(g.player == p)


def tiles_on_card(g: State, p: int) -> int:
    """How many tiles lie on a player's card."""
    return int(g.tile[p] != NONE) + int(extra(g, "lower", p, NONE) != NONE)


def events_held(g: State, p: int) -> list[str]:
    """Event tiles behind the screen, with one that lies on a card and is not shown yet."""
    bits = extra(g, "events", p)
    event = extra(g, "event", p, NONE)
    if event != NONE and not is_shown(g, p):
        bits |= 1 << event
    return names_at(bits, EVENT_NAMES)


# --- what everybody can count (R10.1, X7.3): what is chosen in secret still counts as held ----------------------------------


def count_tiles_of(g: State, p: int) -> int:
    """Tiles behind the screen; while players choose also those on the card or set aside."""
    n = len(tiles_in(g, "tiles", p))
    if g.stage in CHOOSING or g.stage == Stage.RETURN:
        n += len(tiles_in(g, "aside", p)) + tiles_on_card(g, p)
    return n


def count_cards_of(g: State, p: int) -> int:
    """Cards in hand; while players choose also the one committed and the one kept."""
    n = len(members(g.hand[p]))
    if g.stage in CHOOSING and not (g.solo and p == WILLIAM):
        n += int(g.card[p] != NONE) + int(extra(g, "kept", p, NONE) != NONE)
    return n


def count_events_of(g: State, p: int) -> int:
    """Event tiles behind the screen; while players choose also the one on the card."""
    on_card = g.stage in CHOOSING and extra(g, "event", p, NONE) != NONE
    return len(names_at(extra(g, "events", p), EVENT_NAMES)) + on_card


def count_kept_of(g: State, p: int) -> int:
    """1 if a card lies apart for the next round, which shows when all have chosen."""
    return int(g.stage not in CHOOSING and extra(g, "kept", p, NONE) != NONE)
