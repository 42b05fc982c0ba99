"""What texts, pictures and positions ask of a record; translations.

German uses the terms of the German edition.
"""

from __future__ import annotations

from typing import Any

from ginkgo_env.core.compile.specialize import interpreted
from ginkgo_env.core.language import Texts, shared
from ginkgo_env.core.state import PlainRecord, first_things
from ginkgo_env.games.ginkgopolis.components import CHARACTER_NAMES, EVENT_NAMES, EXPERT_NAMES
from ginkgo_env.games.ginkgopolis.constants import (
    N_CARDS,
    N_CHARACTERS,
    N_EVENTS,
    N_TILES,
    NONE,
    WILLIAM,
    Module,
    Phase,
    Stage,
)
from ginkgo_env.games.ginkgopolis.notation import Readable, members, names_at, names_in
from ginkgo_env.games.ginkgopolis.observe import cards_shown, tiles_shown
from ginkgo_env.games.ginkgopolis.rules.setup import draft_picks

translate = Texts(__package__, shared)

CHOOSING = frozenset({Stage.COMMIT, Stage.LOWER, Stage.EVENT, Stage.KEEP})
"""Decisions of a player's choice in a round, which others cannot tell apart (R3.1, X7.3)."""
RESOLVING = frozenset({Stage.TAKE, Stage.TOKEN, Stage.RETURN, Stage.TIMING, Stage.SPLIT, Stage.PAY})
"""Decisions during an action, which have ``pending`` in a position."""
UNTESTED = frozenset({Phase.TIMING, Phase.BEFORE})
"""Phases in which R5.7 has not been tested yet, and tiles still lie on the card."""
LETTERS = range(N_TILES, N_CARDS)
"""The urbanization cards."""
PILES = {"tiles": "green", "aside": "green_aside", "known_tiles": "green_known", "lower_tiles": "green_lower"}
"""Sets of tiles of each player, with the field that counts the green spaces in them."""

draft_picks_of = interpreted(draft_picks)


def tiles_in(g: Readable, pile: str, p: int) -> list[str]:
    """Return the tiles in a player's pile, in order."""
    return names_in(getattr(g, pile)[p], int(getattr(g, PILES[pile])[p]))


def characters(counts: Any) -> list[str]:
    """Return the names of characters, each as often as counted."""
    return [CHARACTER_NAMES[c] for c in range(N_CHARACTERS) for _ in range(int(counts[c]))]


def expert_of(g: Readable, p: int) -> list[str]:
    """Return the name of a player's expert, if any."""
    return [] if g.expert[p] == NONE else [EXPERT_NAMES[g.expert[p]]]


def packet_of(g: Readable, p: int) -> list[str]:
    """Return a player's packet: characters, then experts."""
    return characters(g.packet[p]) + [EXPERT_NAMES[e] for e in members(g.packet_experts[p])]


def is_shown(g: Readable, p: int) -> bool:
    """Whether a player's card has been revealed, with what lies on it."""
    return bool(g.player == p)


def tiles_on_card(g: Readable, p: int) -> int:
    """Count the tiles on a player's card."""
    return int(g.tile[p] != NONE) + int(g.lower[p] != NONE)


def events_known(g: Readable, p: int) -> list[str]:
    """Return the event tiles known to all that are behind the screen or committed (X7.4).

    With experts these are all (X4.1), otherwise those taken back (X4.4).
    """
    held = events_held(g, p)
    return names_at(held if g.modules[Module.EXPERTS] else held & int(g.events_known[p]), EVENT_NAMES)


def events_held(g: Readable, p: int) -> int:
    """Return the bits of the event tiles that are behind the screen, or committed and not revealed yet."""
    is_hidden = g.event[p] != NONE and not is_shown(g, p)
    return int(g.events[p]) | (1 << int(g.event[p]) if is_hidden else 0)


# --- public numbers (R10.1, X7.3): what is chosen in secret still counts as held --------------------------------------------


count_tiles_of, count_cards_of = interpreted(tiles_shown), interpreted(cards_shown)


def count_events_of(g: Readable, p: int) -> int:
    """Count event tiles behind the screen; while players choose, also the one on the card."""
    on_card = g.stage in CHOOSING and g.event[p] != NONE
    return int(g.events[p]).bit_count() + on_card


def count_kept_of(g: Readable, p: int) -> int:
    """Return 1 if a card is kept for the next round, which is visible when all have chosen, else 0."""
    return int(g.stage not in CHOOSING and g.kept[p] != NONE)


# --- what others cannot know (R10, X7.3) -------------------------------------------------------------------------------------


def hide_from(g: PlainRecord, seat: int) -> None:
    """Hide what the declarations of the state do not say from a seat or OBSERVER, in place."""
    nothing = first_things(0, len(g.discard))
    for p in range(g.players):
        if p != seat:
            _hide_cards(g, p)
        if p not in (seat, (seat - 1) % g.players) or seat >= g.players:
            g.passed[p] = nothing
    if g.stage in CHOOSING and g.actor != seat:
        g.stage = Stage.COMMIT


def _hide_cards(g: PlainRecord, p: int) -> None:
    """Replace what others cannot know of a side by as many of the first things, and by nothing where even that is secret."""
    choosing, words = g.stage in CHOOSING, len(g.discard)
    cards, tiles, lower, held = count_cards_of(g, p), count_tiles_of(g, p), len(tiles_in(g, "lower_tiles", p)), events_held(g, p)
    if g.stage == Stage.DRAFT:
        g.characters[p], g.packet[p] = [0] * N_CHARACTERS, [0] * N_CHARACTERS
        g.expert[p], g.packet_experts[p] = NONE, [0]
    if choosing:
        g.tile[p] = g.lower[p] = g.event[p] = g.kept[p] = NONE
        g.card[p] = NONE if p == g.actor else g.card[p]
        cards -= g.card[p] != NONE and not (g.solo and p == WILLIAM)
    if not is_shown(g, p):
        g.card[p], g.tile[p] = min(g.card[p], 0), min(g.tile[p], 0)  # 0 is the first one
    if g.stage == Stage.RETURN:
        tiles -= tiles_on_card(g, p)
    g.hand[p], g.tiles[p], g.lower_tiles[p] = (first_things(n, words) for n in (cards, tiles, lower))
    g.aside[p] = first_things(0, words)
    _hide_events(g, p, held)


def _hide_events(g: PlainRecord, p: int, held: int) -> None:
    """Replace the event tiles of a side, committed or not, by as many of the same that others know of, then of the first ones."""
    known = held if g.modules[Module.EXPERTS] else held & g.events_known[p]
    others = [1 << kind for kind in range(N_EVENTS) if not known >> kind & 1]
    g.events[p] = known | sum(others[: held.bit_count() - known.bit_count()])
    if g.event[p] != NONE and not is_shown(g, p):
        g.event[p] = (g.events[p] & -g.events[p]).bit_length() - 1
        g.events[p] ^= 1 << g.event[p]
