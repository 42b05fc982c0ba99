"""Hidden choices of others in a resampled world, which a policy makes again one by one (R10).

Resampling makes them as a player who chooses uniformly (``resample``). The choices, in the order of their decisions:

* In the draft, the pick of each seat that has picked in this turn of packets (R2.7, X6.1). The record does not say which card a
  player kept last, so it is one at random. Earlier picks stay.
* The commitment of each player in turn order: card and tile, lower tile, event, card to keep (X7.3). So does the lower tile on a
  revealed card (X6.4), and the card kept by players whose turn is over.
* The tiles set aside by each player who has finished doing so (R7.1), one by one.

In the copy the asked player decides, and players who choose later have chosen nothing. The board is the present one, not that of
the choice. Event tiles kept in the setup (X4.1) and what lies under buildings (X6.4) stay as resampled.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import add, count, list_into, nth, remove
from ginkgo_env.core.compile.intrinsics import scratch
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.rng import mix, reduce
from ginkgo_env.games.ginkgopolis.actions import (
    COMMIT,
    DRAFT,
    EVENT,
    KEEP,
    LOWER,
    RETURN,
    clear_mask,
    first,
    n_tiles,
    tile_at,
    tile_index,
)
from ginkgo_env.games.ginkgopolis.constants import (
    N_ALL_CARDS,
    N_ALL_TILES,
    N_CHARACTERS,
    N_GREEN_SPACES,
    NOBODY,
    NONE,
    PACKET_EXPERTS,
    Expert,
    Stage,
)
from ginkgo_env.games.ginkgopolis.modules import EXPANSION, is_expert
from ginkgo_env.games.ginkgopolis.observe import is_committing, is_in_sequence
from ginkgo_env.games.ginkgopolis.resample import EVENT as SEEN_EVENT
from ginkgo_env.games.ginkgopolis.resample import (
    KEPT,
    MOST_EVENTS,
    MOST_LOWERS,
    N_SEEN,
    PAYABLE_THEN,
    TILES,
    agreeing,
    commit_pair,
    level_of,
    list_events,
    list_lowers,
    list_tiles,
    take_aside_back,
    take_back,
    weigh,
)
from ginkgo_env.games.ginkgopolis.rules.resolve import legal_returns, set_aside
from ginkgo_env.games.ginkgopolis.rules.round import in_turn_order, legal_kept
from ginkgo_env.games.ginkgopolis.rules.setup import legal_picks
from ginkgo_env.games.ginkgopolis.rules.tiles import count_tiles, put_behind, take_from_behind
from ginkgo_env.games.ginkgopolis.state import State

_STAGES = np.array([Stage.COMMIT, Stage.LOWER, Stage.EVENT, Stage.KEEP])
"""The decisions of a commitment, in order (X7.3)."""
_MOST_RETURNS = N_ALL_TILES + N_GREEN_SPACES
"""The most decisions of a player who sets tiles aside: each tile, and done."""


@kernel
def n_stages() -> int:
    """Return the number of decisions of a commitment."""
    return _STAGES.size if EXPANSION else 1


@kernel
def ask(g: State, t: None, seat: int, k: int, mask: np.ndarray) -> int:
    """Turn a copy of a resampled world into the k-th hidden choice of others; see ``Scalars.ask``."""
    if g.stage == Stage.DRAFT:
        return ask_pick(g, seat, k, mask)
    if g.solo != 0 or g.stage == Stage.EVENTS or g.stage == Stage.OVER:  # R9.2: William does not choose
        return -1
    place, stage = k // n_stages(), _STAGES[k % n_stages()]
    if place >= g.players:
        return ask_return(g, seat, k - n_stages() * int(g.players), mask)
    q = in_turn_order(g, place)
    if q == seat or not has_chosen(g, q, stage):
        return 0
    return ask_commitment(g, q, place, stage, mask)


@kernel
def answer(g: State, t: None, k: int, action: int) -> None:
    """Replace the k-th hidden choice in a world; see ``Scalars.answer``."""
    if g.stage == Stage.DRAFT:
        move_pick(g, k, last_pick(g, k), -1)
        move_pick(g, k, action - first(DRAFT), 1)
        return
    place, stage = k // n_stages(), _STAGES[k % n_stages()]
    if place >= g.players:
        answer_return(g, k - n_stages() * int(g.players), action)
        return
    q = in_turn_order(g, place)
    take_aside_back(g, q)  # R7.1: asked for later, out of what is left behind the screen
    if stage == Stage.COMMIT:
        commit_again(g, q, action - first(COMMIT))
    elif EXPANSION:
        choose_again(g, q, stage, action)


# --- commitments (R3.1, X7.3) ------------------------------------------------------------------------------------------------


@kernel
def has_chosen(g: State, q: int, stage: int) -> bool:
    """Whether q has decided about a part of the commitment, and it is hidden."""
    if stage == Stage.KEEP:
        return g.kept[q] != NONE
    if g.player == q:
        return stage == Stage.LOWER and g.lower[q] != NONE
    if g.card[q] == NONE or is_in_sequence(g, q):  # X7.3: one who is choosing has begun again
        return False
    if stage == Stage.LOWER:
        return g.tile[q] != NONE and is_expert(g, q, Expert.ARCHITECT)
    return stage == Stage.COMMIT or g.events[q] != 0 or g.event[q] != NONE


@kernel
def ask_commitment(g: State, q: int, place: int, stage: int, mask: np.ndarray) -> int:
    """Turn a copy into a part of the commitment of q; return the number of actions that agree.

    They agree with what everybody sees of it.
    """
    card, tile, lower, event = int(g.card[q]), int(g.tile[q]), int(g.lower[q]), int(g.event[q])
    choosing, is_revealed = is_committing(g), g.player == q
    seen = np.zeros((2, N_SEEN), np.int64)
    g.player, g.draws = NOBODY, 0  # revealed cards are taken back as well
    take_back(g, q, choosing, seen[0])
    for later in range(place + 1, g.players):
        take_back(g, in_turn_order(g, later), choosing, seen[1])
    g.stage, g.actor, g.cursor = stage, q, place
    clear_mask(mask)
    level = PAYABLE_THEN if is_revealed else level_of(g, q, seen[0])
    if stage == Stage.COMMIT:
        return allow_commits(g, q, seen[0], level, mask)
    n = 0
    if EXPANSION:
        if stage == Stage.LOWER:
            n = allow_lowers(g, q, int(seen[0, TILES]) - 1, level, card, tile, mask)
        elif stage == Stage.EVENT:
            n = allow_events(g, q, int(seen[0, SEEN_EVENT]), level, card, mask)
        lay_again(g, q, stage, card, tile, lower, event)
        if stage == Stage.KEEP:
            n = legal_kept(g, mask)
    return n


@kernel
def allow_commits(g: State, q: int, seen: np.ndarray, level: int, mask: np.ndarray) -> int:
    """Allow the pairs of card and tile that agree with what is seen; return their number.

    A New Hand is none of them, as everybody would have seen it (R3.2).
    """
    cards, tiles, n = np.empty(N_ALL_CARDS, np.int64), np.empty(N_ALL_TILES + 1, np.int64), 0
    listed = list_tiles(g, q, seen, tiles)
    for i in range(list_into(g.hand[q], cards)):
        for j in range(listed):
            if weigh(g, q, seen, level, int(cards[i]), int(tiles[j])) > 0:
                mask[first(COMMIT) + i * (1 + n_tiles()) + 1 + tile_index(int(tiles[j]))] = 1  # ALONE = 1 + NONE
                n += 1
    return n


@kernel
def allow_lowers(g: State, q: int, seen: int, level: int, card: int, tile: int, mask: np.ndarray) -> int:
    """Allow the lower tiles that agree with what is seen, as for :func:`agreeing`; return their number."""
    lowers, start = scratch(MOST_LOWERS), 1 if seen == 1 else 0
    n = agreeing(list_lowers(g, q, level, card, tile, lowers), seen)
    for i in range(start, start + n):
        mask[first(LOWER) + 1 + tile_index(int(lowers[i]))] = 1  # NOTHING = 1 + NONE
    return n


@kernel
def allow_events(g: State, q: int, seen: int, level: int, card: int, mask: np.ndarray) -> int:
    """Allow the events that agree with what is seen, as for :func:`agreeing`; return their number."""
    events, start = scratch(MOST_EVENTS), 1 if seen == 1 else 0
    n = agreeing(list_events(g, q, level, card, events), seen)
    for i in range(start, start + n):
        mask[first(EVENT) + 1 + events[i]] = 1
    return n


@kernel
def lay_again(g: State, q: int, stage: int, card: int, tile: int, lower: int, event: int) -> None:
    """Commit again what q had committed before a stage."""
    if card != NONE:
        g.card[q] = card
        remove(g.hand[q], card)
    if tile != NONE:
        g.tile[q] = tile
        take_from_behind(g, q, tile)
    if stage > Stage.LOWER and lower != NONE:
        g.lower[q] = lower
        take_from_behind(g, q, lower)
    if stage > Stage.EVENT and event != NONE:
        g.event[q] = event
        g.events[q] &= ~(1 << event)


@kernel
def commit_again(g: State, q: int, choice: int) -> None:
    """Commit another card and tile, and for now the first of what else agrees with what everybody sees."""
    seen = np.zeros(N_SEEN, np.int64)
    take_back(g, q, is_committing(g), seen)
    card, tile = nth(g.hand[q], choice // (1 + n_tiles())), tile_at(choice % (1 + n_tiles()) - 1)
    commit_pair(g, q, seen, level_of(g, q, seen), card, tile, 0)
    if EXPANSION and seen[KEPT] == 1:
        g.kept[q] = nth(g.hand[q], 0)
        remove(g.hand[q], g.kept[q])


@kernel
def choose_again(g: State, q: int, stage: int, action: int) -> None:
    """Replace the lower tile, the event or the card kept."""
    if stage == Stage.LOWER:
        if g.lower[q] != NONE:
            put_behind(g, q, int(g.lower[q]))
        g.lower[q] = tile_at(action - first(LOWER) - 1)
        if g.lower[q] != NONE:
            take_from_behind(g, q, int(g.lower[q]))
    elif stage == Stage.EVENT:
        if g.event[q] != NONE:
            g.events[q] |= 1 << g.event[q]
        g.event[q] = action - first(EVENT) - 1
        if g.event[q] != NONE:
            g.events[q] &= ~(1 << g.event[q])
    else:
        add(g.hand[q], g.kept[q])
        g.kept[q] = nth(g.hand[q], action - first(KEEP))
        remove(g.hand[q], g.kept[q])


# --- tiles set aside (R7.1) --------------------------------------------------------------------------------------------------


@kernel
def ask_return(g: State, seat: int, k: int, mask: np.ndarray) -> int:
    """Turn a copy into the choice of the next tile to set aside, if the player had not finished by then."""
    place, i = k // _MOST_RETURNS, k % _MOST_RETURNS
    if g.stage != Stage.RETURN or place >= g.returner:
        return -1
    q = in_turn_order(g, place)
    if q == seat or (i > 0 and i != count_tiles(g.aside[q], int(g.green_aside[q]))):
        return 0
    if i == 0:
        take_aside_back(g, q)
    g.actor, g.returner = q, place
    clear_mask(mask)
    return legal_returns(g, mask)


@kernel
def answer_return(g: State, k: int, action: int) -> None:
    """Set a tile aside, or finish; the first choice begins with nothing set aside."""
    q, index = in_turn_order(g, k // _MOST_RETURNS), action - first(RETURN)
    if k % _MOST_RETURNS == 0:
        take_aside_back(g, q)
    if index != n_tiles():
        set_aside(g, q, tile_at(index))


# --- picks of the draft (R2.7, X6.1) -----------------------------------------------------------------------------------------


@kernel
def ask_pick(g: State, seat: int, k: int, mask: np.ndarray) -> int:
    """Turn a copy into the pick of seat k in this turn of packets."""
    if k >= g.actor:
        return -1
    pick = last_pick(g, k)
    if k == seat or pick == NONE:
        return 0
    move_pick(g, k, pick, -1)
    g.actor = k
    clear_mask(mask)
    return legal_picks(g, mask)


@kernel
def last_pick(g: State, q: int) -> int:
    """Return the card that q kept last, one at random; NONE if q was passed over (X6.1).

    It is numbered as in the block of picks.
    """
    n, own = 0, 1 if g.expert[q] != NONE else 0
    for c in range(N_CHARACTERS):
        n += int(g.characters[q, c])
    if n + own <= g.pick:
        return NONE
    n += own if count(g.packet_experts[q]) < PACKET_EXPERTS else 0  # no packet has more
    if n == 0:  # in positions made by hand
        return NONE
    rest = reduce(mix(g.seed + np.uint64(q + 1)), n)
    for c in range(N_CHARACTERS):
        rest -= int(g.characters[q, c])
        if rest < 0:
            return c
    return N_CHARACTERS + int(g.expert[q])


@kernel
def move_pick(g: State, q: int, pick: int, n: int) -> None:
    """Keep a card of the packet (n = 1), or put a card kept back into it (n = -1)."""
    expert = pick - N_CHARACTERS
    if expert < 0:
        g.characters[q, pick] += n
        g.packet[q, pick] -= n
    elif n > 0:
        g.expert[q] = expert
        remove(g.packet_experts[q], expert)
    else:
        g.expert[q] = NONE
        add(g.packet_experts[q], expert)
