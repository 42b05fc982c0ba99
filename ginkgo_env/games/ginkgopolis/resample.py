"""Resampling (determinization): replace what a seat cannot know, given what it knows (R10).

There are three steps: everything hidden from the seat goes back to where it was chosen from; tiles, cards and event tiles are
dealt again; then the hidden choices of others are made again. The distribution:

* Deals are uniform over the places that the seat cannot look into, among the deals that allow everything that lies visibly on
  committed cards (one tile, two, an event).
* Commitments, cards kept and tiles set aside are those of a player who chooses uniformly at each decision (X7.3, R7.1): each way
  that agrees with what everybody sees has the product of 1 / number of legal actions as its weight.
* What could be paid now stands for what could be paid when it was chosen (R3.3), unless nothing could.

A player who is choosing is put back to the beginning of the choice, as the others see it (X7.3). The result depends only on
what the seat knows and on the random key: two states that the seat cannot tell apart are resampled alike.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, add, clear, count, has, list_into, lowest, popcount, remove
from ginkgo_env.core.compile.intrinsics import scratch
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.rng import below, mix, reduce, shuffle
from ginkgo_env.games.ginkgopolis.components import CHARACTER_COPIES, EVENT_PAIRS, RANK, is_letter
from ginkgo_env.games.ginkgopolis.constants import (
    DRAFT_PICKS,
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    GREEN_SPACE,
    MAX_PLAYERS,
    N_ALL_CARDS,
    N_ALL_TILES,
    N_CHARACTER_CARDS,
    N_CHARACTERS,
    N_EVENT_PAIRS,
    N_EVENTS,
    N_EXPERTS,
    N_TILES,
    NONE,
    PACKET_EXPERTS,
    WORDS,
    EventTile,
    Expert,
    Module,
    Stage,
)
from ginkgo_env.games.ginkgopolis.modules import EXPANSION, has_module, is_expert
from ginkgo_env.games.ginkgopolis.observe import is_committing, is_in_sequence
from ginkgo_env.games.ginkgopolis.rules.effects import can_pay
from ginkgo_env.games.ginkgopolis.rules.resolve import set_aside
from ginkgo_env.games.ginkgopolis.rules.round import can_go, is_of_another
from ginkgo_env.games.ginkgopolis.rules.tiles import put_behind, take_from_behind
from ginkgo_env.games.ginkgopolis.state import State

_ATTEMPTS = 10_000
"""Deals to try. The rarest condition is that one of some 40 cards is in a hand: so many are hardly ever needed."""


@kernel
def resample(g: State, t: None, seat: int, key: np.uint64) -> None:
    """Replace everything hidden from a seat, in place; `key` seeds the deal and later chance."""
    g.rng = mix(key)
    g.seed = key
    if g.stage == Stage.OVER:  # nothing hidden matters any more
        return
    if g.stage == Stage.DRAFT:
        resample_draft(g, seat)
    seen = np.zeros((MAX_PLAYERS, N_SEEN), np.int64)
    choosing = is_committing(g)
    for q in range(g.players):
        if q != seat:
            take_back(g, q, choosing, seen[q])
    if EXPANSION:
        deal_possible(g, seat, choosing, seen)
    else:
        resample_tiles(g, seat)
        resample_cards(g, seat)
    choose(g, seat, choosing, seen)
    for q in range(g.players):
        left = (q + 1) % g.players  # R11.2
        if q != seat and left != seat:
            resample_passed(g, q, left, choosing)


@kernel
def deal_possible(g: State, seat: int, choosing: bool, seen: np.ndarray) -> None:
    """Deal until everything that the seat sees is possible, which is uniform among such deals.

    The true deal is restored if no such deal comes up, as may happen in positions made by hand.
    """
    hand, deck, events, new_buildings = g.hand.copy(), g.deck.copy(), g.events.copy(), g.new_buildings.copy()
    tiles, supply, removed = g.tiles.copy(), g.supply.copy(), g.removed.copy()
    lower_tiles, green, green_lower = g.lower_tiles.copy(), g.green.copy(), g.green_lower.copy()
    for _ in range(_ATTEMPTS):
        resample_events(g, seat)
        resample_tiles(g, seat)
        resample_cards(g, seat)
        if is_possible(g, seat, choosing, seen):
            return
    g.hand[:], g.deck[:], g.events[:], g.new_buildings[:] = hand, deck, events, new_buildings
    g.tiles[:], g.supply[:], g.removed[:] = tiles, supply, removed
    g.lower_tiles[:], g.green[:], g.green_lower[:] = lower_tiles, green, green_lower


@kernel
def choose(g: State, seat: int, choosing: bool, seen: np.ndarray) -> None:
    """Make the hidden choices of the others again, seat by seat."""
    for q in range(g.players):
        if q == seat:
            continue
        if seen[q, CARD] == 1:
            if g.solo:  # R9.2: William has one card
                commit_only_card(g, q)
            else:
                commit(g, q, seen[q])
        if EXPANSION:
            resample_rest(g, q, seen[q])
        if g.stage == Stage.RETURN:
            resample_aside(g, q)  # last: out of what is left behind the screen
    if EXPANSION and choosing and g.actor != seat:
        restart_choice(g)


@kernel
def resample_cards(g: State, seat: int) -> None:
    """Deal other hands and the order of the deck again (R10.4)."""
    pool = np.zeros(WORDS, np.uint64)
    need = np.zeros(MAX_PLAYERS, np.int64)
    for i in range(g.deck_size):
        add(pool, g.deck[i])
    left = (seat + 1) % g.players
    for q in range(g.players):
        if q == seat:
            continue
        for w in range(WORDS):
            hidden = g.hand[q, w]
            if q == left:  # R10.3: cards that the seat passed stay
                hidden &= ~g.passed[seat, w]
            pool[w] |= hidden
            g.hand[q, w] &= ~hidden
            need[q] += popcount(hidden)
    items = np.empty(N_ALL_CARDS, np.int64)
    n = list_into(pool, items)
    shuffle(g, items, n)
    for q in range(g.players):
        for _ in range(need[q]):
            n -= 1
            add(g.hand[q], items[n])
    for i in range(n):
        g.deck[i] = items[i]


@kernel
def resample_passed(g: State, q: int, left: int, choosing: bool) -> None:
    """Choose again which cards of the left neighbor q knows (R10.3).

    Their number stays until the neighbor's card is revealed, which may have been one of them or not.
    """
    items = np.empty(N_ALL_CARDS, np.int64)
    known = count(g.passed[q])
    clear(g.passed[q])
    n = list_into(g.hand[left], items)
    if g.card[left] != NONE and g.player != left:  # not revealed yet
        items[n] = g.card[left]
        n += 1
    if EXPANSION and g.kept[left] != NONE:
        items[n] = g.kept[left]
        n += 1
    if known > 0 and not choosing and (g.card[left] == NONE or g.player == left):
        passed = n - 1 if has_module(g, Module.KEEP_CARD) else n  # besides what was drawn, and kept from the last round
        shown = reduce(mix(g.seed + np.uint64(q + 1)), n + 1) < passed
        known = max(0, passed - 1 if shown or passed == 1 else passed)
    shuffle(g, items, n)
    for i in range(min(known, n)):
        add(g.passed[q], items[i])


# --- the draft (R2.7, X6.1) --------------------------------------------------------------------------------------------------


_CARDS = 4 + PACKET_EXPERTS  # R2.7, X6.1: in a full packet


@kernel
def resample_draft(g: State, seat: int) -> None:
    """Deal packets and kept cards of the others out of all that the seat does not have (R10.4)."""
    if EXPANSION and has_module(g, Module.EXPERTS):  # without the first, the experts would always be compiled
        resample_with_experts(g, seat)
        return
    pool = np.empty(N_CHARACTER_CARDS, np.int64)
    n = characters_elsewhere(g, seat, pool)
    while True:
        shuffle(g, pool, n)
        left = n
        for q in range(g.players):
            if q != seat:
                left = deal_characters(g.characters[q], pool, left)
                left = deal_characters(g.packet[q], pool, left)
        if g.actor == seat or kinds_in(g.packet[g.actor]) > 1:  # everybody sees that there is a choice
            return


@kernel
def characters_elsewhere(g: State, seat: int, pool: np.ndarray) -> int:
    """Write the characters that the seat does not have into pool; return their number."""
    n = 0
    for c in range(N_CHARACTERS):
        for _ in range(CHARACTER_COPIES[c] - g.characters[seat, c] - g.packet[seat, c]):
            pool[n] = c
            n += 1
    return n


@kernel
def kinds_in(packet: np.ndarray) -> int:
    """Count the different characters of a packet: equal ones are one choice (R2.7)."""
    kinds = 0
    for c in range(N_CHARACTERS):
        kinds += 1 if packet[c] > 0 else 0
    return kinds


@kernel
def deal_characters(counts: np.ndarray, pool: np.ndarray, n: int) -> int:
    """Replace characters by as many from the end of the pool; return the size of the rest of the pool."""
    size = 0
    for c in range(N_CHARACTERS):
        size += int(counts[c])
        counts[c] = 0
    for _ in range(size):
        n -= 1
        counts[pool[n]] += 1
    return n


@kernel
def resample_with_experts(g: State, seat: int) -> None:
    """Resample a draft with experts, where it is also hidden which of the cards kept are experts (X6.1).

    Each packet was dealt with two experts in it and lost one card at each pick to the player who held it. So experts are put at
    random places of all packets until everybody has kept what is allowed and the seat has what it has: uniform among the ways
    that the draft can have gone. Positions made by hand may allow none; then nothing changes.
    """
    characters, packet = g.characters.copy(), g.packet.copy()
    expert, packet_experts = g.expert.copy(), g.packet_experts.copy()
    places = np.zeros(MAX_PLAYERS, np.int64)
    for _ in range(_ATTEMPTS):
        for r in range(g.players):
            first, second = below(g, _CARDS), below(g, _CARDS - 1)
            places[r] = 1 << first | 1 << (second + 1 if second >= first else second)
        if is_draft(g, seat, places):
            deal_draft(g, seat, places)
            if g.actor == seat or choices(g, int(g.actor)) > 1:  # everybody sees that there is a choice
                return
            g.characters[:], g.packet[:] = characters, packet
            g.expert[:], g.packet_experts[:] = expert, packet_experts


@kernel
def place_of(g: State, places: np.ndarray, p: int, j: int) -> int:
    """Return 1 if the card at place j of the packet that p held at pick j is an expert, else 0.

    Cards of a packet are in the order in which they are kept.
    """
    return places[(p - j) % g.players] >> j & 1  # R2.7: packets move to the left


@kernel
def in_packet(g: State, places: np.ndarray, p: int, start: int) -> int:
    """Count the experts in the packet that p holds, from a place on."""
    n = 0
    for j in range(start, _CARDS):
        n += places[(p - g.pick) % g.players] >> j & 1
    return n


@kernel
def cards_kept(g: State, places: np.ndarray, p: int) -> int:
    """Count the cards that p has kept; NONE if more than three characters and one expert (X6.1)."""
    pick, experts = int(g.pick), 0
    for j in range(pick):
        experts += place_of(g, places, p, j)
    if experts > 1:
        return NONE
    if p >= g.actor:  # has not picked yet in this turn of packets
        return pick
    takes = place_of(g, places, p, pick)
    if experts == 0 and pick == DRAFT_PICKS:
        if in_packet(g, places, p, pick) == 0:
            return pick  # X6.1: no expert in the last packet, so passed over
        return pick + 1 if takes == 1 else NONE
    return NONE if experts + takes > 1 else pick + 1


@kernel
def is_draft(g: State, seat: int, places: np.ndarray) -> bool:
    """Whether everybody has kept what is allowed, and the seat what the record says."""
    for p in range(g.players):
        kept = cards_kept(g, places, p)
        if kept == NONE or (p == seat and not is_own(g, p, places, kept)):
            return False
    return True


@kernel
def is_own(g: State, p: int, places: np.ndarray, kept: int) -> bool:
    """Whether the record agrees about a player's cards, kept and in the packet."""
    experts, cards = 0, 1 if g.expert[p] != NONE else 0
    for j in range(kept):
        experts += place_of(g, places, p, j)
    for c in range(N_CHARACTERS):
        cards += int(g.characters[p, c])
    own = 1 if g.expert[p] != NONE else 0
    return kept == cards and experts == own and in_packet(g, places, p, kept) == count(g.packet_experts[p])


@kernel
def deal_draft(g: State, seat: int, places: np.ndarray) -> None:
    """Deal characters and experts to the others, to keep and in packets."""
    characters, experts = np.empty(N_CHARACTER_CARDS, np.int64), np.empty(N_EXPERTS, np.int64)
    n, m = characters_elsewhere(g, seat, characters), 0
    for e in range(N_EXPERTS):
        if g.expert[seat] != e and not has(g.packet_experts[seat], e):
            experts[m] = e
            m += 1
    shuffle(g, characters, n)
    shuffle(g, experts, m)
    for p in range(g.players):
        if p == seat:
            continue
        kept = cards_kept(g, places, p)
        g.characters[p, :] = 0
        g.packet[p, :] = 0
        clear(g.packet_experts[p])
        g.expert[p] = NONE
        for j in range(_CARDS):
            is_expert = place_of(g, places, p, j) if j < kept else places[(p - g.pick) % g.players] >> j & 1
            if is_expert == 1:
                m -= 1
                if j < kept:
                    g.expert[p] = experts[m]
                else:
                    add(g.packet_experts[p], experts[m])
            else:
                n -= 1
                if j < kept:
                    g.characters[p, characters[n]] += 1
                else:
                    g.packet[p, characters[n]] += 1


@kernel
def choices(g: State, p: int) -> int:
    """Count the different cards that a player may keep (X6.1)."""
    kept = 0
    for c in range(N_CHARACTERS):
        kept += int(g.characters[p, c])
    n = kinds_in(g.packet[p]) if kept < DRAFT_PICKS else 0
    return n + (count(g.packet_experts[p]) if g.expert[p] == NONE else 0)


# --- tiles: behind screens, in the supply, under buildings, out of the game (R10.4, X7.4) ------------------------------------


_FRESH, _RETURNED, _NEW = 0, 1, 2  # kinds of tiles that everybody can tell apart


@kernel
def resample_tiles(g: State, seat: int) -> None:
    """Deal the tiles behind other screens again; committed ones must have been put back there.

    Tiles returned by R7.1 are known as a set, and it is known how many of them each player has drawn since; the same holds for
    tiles of value II. So there are pools of returned tiles, of others of value I and of value II, and each player gets as many of
    each as before. Prestige tiles and green spaces are taken openly; an architect's may lie behind the screen or in the city.
    """
    under = np.zeros(MAX_PLAYERS, np.int64)
    if EXPANSION:
        for q in range(g.players):
            if q != seat:
                under[q] = gather_lower_tiles(g, q)
    for kind in range(3 if EXPANSION else 2):
        pool = np.zeros(WORDS, np.uint64)
        need = np.zeros(MAX_PLAYERS, np.int64)
        for q in range(g.players):
            if q != seat:
                need[q] = take_unknown(g, q, kind, pool)
        collect_tiles(g, kind, pool)
        items = np.empty(N_TILES, np.int64)
        n = list_into(pool, items)
        shuffle(g, items, n)
        for q in range(g.players):
            for _ in range(need[q]):
                n -= 1
                add(g.tiles[q], items[n])
        lay_back(g, kind, items, n)
    if EXPANSION:
        for q in range(g.players):
            if q != seat:
                lay_under_again(g, q, under[q])


@kernel
def kind_of(g: State, tile: int) -> int:
    """Return the kind of a tile, NONE for prestige tiles and green spaces."""
    if EXPANSION and tile >= FIRST_NEW_BUILDING:
        return _NEW if tile < FIRST_PRESTIGE else NONE  # X7.4: taken openly
    return _RETURNED if has(g.returned, tile) else _FRESH  # R10.3


@kernel
def take_unknown(g: State, q: int, kind: int, pool: np.ndarray) -> int:
    """Move unknown tiles of a kind from behind q's screen to the pool; return their number."""
    n = 0
    for w in range(WORDS):
        rest = g.tiles[q, w] & ~g.known_tiles[q, w]
        while rest != ZERO:
            tile = (w << 6) + lowest(rest)
            rest &= rest - ONE
            if kind_of(g, tile) == kind:
                add(pool, tile)
                remove(g.tiles[q], tile)
                n += 1
    return n


@kernel
def collect_tiles(g: State, kind: int, pool: np.ndarray) -> None:
    """Add the tiles of a kind in the supply or stack, and of those out of the game, to the pool."""
    if kind == _NEW:
        if EXPANSION:
            for i in range(g.n_new_buildings):
                add(pool, g.new_buildings[i])
        return
    for i in range(g.supply_size):
        if kind_of(g, int(g.supply[i])) == kind:
            add(pool, g.supply[i])
    if kind == _FRESH:  # R2.3: removed unseen
        for w in range(WORDS):
            pool[w] |= g.removed[w]


@kernel
def lay_back(g: State, kind: int, items: np.ndarray, n: int) -> None:
    """Lay the rest of the pool back: into the supply or stack first, then out of the game."""
    if kind == _NEW:
        if EXPANSION:
            for i in range(n):
                g.new_buildings[i] = items[i]
        return
    old = g.supply.copy()
    for i in range(g.supply_size):
        if kind_of(g, int(old[i])) == kind:
            n -= 1
            g.supply[i] = items[n]
    if kind == _FRESH:
        clear(g.removed)
        for i in range(n):
            add(g.removed, items[i])


@kernel
def gather_lower_tiles(g: State, q: int) -> int:
    """Put the lower tiles of q in the city back behind the screen (X6.4); return their number."""
    n = 0
    for w in range(WORDS):
        rest = g.lower_tiles[q, w]
        while rest != ZERO:
            tile = (w << 6) + lowest(rest)
            rest &= rest - ONE
            copies = int(g.green_lower[q]) if tile == GREEN_SPACE else 1
            for _ in range(copies):
                put_behind(g, q, tile)
                n += 1
    clear(g.lower_tiles[q])
    g.green_lower[q] = 0
    return n


@kernel
def lay_under_again(g: State, q: int, n: int) -> None:
    """Put n tiles back under buildings: any that are not known to be behind the screen.

    Tiles returned by R7.1 are taken last: they cannot lie under older buildings, and the record does not say which are newer.
    """
    tiles = np.empty(N_ALL_TILES + MAX_PLAYERS + MAX_PLAYERS, np.int64)
    for kind in range(2):
        n_tiles = 0
        for w in range(WORDS):
            rest = g.tiles[q, w] & ~g.known_tiles[q, w]
            while rest != ZERO:
                tile = (w << 6) + lowest(rest)
                rest &= rest - ONE
                if has(g.returned, tile) == (kind == 1) and tile != GREEN_SPACE:
                    tiles[n_tiles] = tile
                    n_tiles += 1
        for _ in range(g.green[q] - g.green_known[q] if kind == 0 else 0):
            tiles[n_tiles] = GREEN_SPACE
            n_tiles += 1
        shuffle(g, tiles, n_tiles)
        for i in range(min(n, n_tiles)):
            take_from_behind(g, q, tiles[i])
            add(g.lower_tiles[q], tiles[i])
            g.green_lower[q] += 1 if tiles[i] == GREEN_SPACE else 0
        n -= min(n, n_tiles)


# --- hidden choices of others: commitments, events, kept cards, tiles set aside (R10.1, X7.3) --------------------------------


# Columns of `seen`, what everybody sees of a player's choice: whether a card lies face down, how many tiles and events lie on
# it, whether another card is kept, and whether a tile lies under the one on a revealed card.
CARD, TILES, EVENT, KEPT, UNDER = range(5)
N_SEEN = 5
UNSEEN = -1  # numbers of tiles and events while players choose (R10.1)

# Which commitments are possible, each level only if the one before has none: payable now; payable when chosen; in positions made
# by hand also expropriation (X4.4) of any building.
PAYABLE_NOW, PAYABLE_THEN, ANY_BUILDING, _N_LEVELS = 0, 1, 2, 3

_WHOLE = 720_720
"""The weight of a card with a tile of which everything agrees: divisible by 1 to 16, for numbers of lower tiles and events."""
MOST_LOWERS, MOST_EVENTS = N_ALL_TILES + 1, N_EVENTS + 1  # NONE included


# --- undoing choices -------------------------------------------------------------------------------------------------------


@kernel
def take_back(g: State, q: int, choosing: bool, seen: np.ndarray) -> None:
    """Take back the hidden choices of q; write what everybody sees of them into `seen` (N_SEEN,)."""
    if g.card[q] != NONE and g.player != q:  # not revealed
        seen[CARD] = 1
        seen[TILES] = 1 if g.tile[q] != NONE else 0
        add(g.hand[q], g.card[q])
        g.card[q] = NONE
        if g.tile[q] != NONE:
            put_behind(g, q, int(g.tile[q]))
            g.tile[q] = NONE
        if EXPANSION:
            take_back_expansion(g, q, seen)
        if choosing:  # R3.1: seen only once actions are resolved
            seen[TILES], seen[EVENT] = UNSEEN, UNSEEN
    take_aside_back(g, q)
    if EXPANSION:
        take_back_rest(g, q, seen)


@kernel
def take_aside_back(g: State, q: int) -> None:
    """Put the tiles that q has set aside back behind the screen (R7.1)."""
    for w in range(WORDS):
        g.tiles[q, w] |= g.aside[q, w]
        g.aside[q, w] = ZERO
    if EXPANSION:
        g.green[q] += g.green_aside[q]
        g.green_aside[q] = 0


@kernel
def take_back_expansion(g: State, q: int, seen: np.ndarray) -> None:
    """Take back a lower tile and an event on a card that is not revealed (X4.2, X6.4)."""
    if is_in_sequence(g, q):
        seen[CARD] = 0  # X7.3: the choice begins again
    if g.lower[q] != NONE:
        seen[TILES] += 1
        put_behind(g, q, int(g.lower[q]))
        g.lower[q] = NONE
    if g.event[q] != NONE:
        seen[EVENT] = 1
        g.events[q] |= 1 << g.event[q]
        g.event[q] = NONE


@kernel
def take_back_rest(g: State, q: int, seen: np.ndarray) -> None:
    """Take back a kept card, and the lower tile on a revealed card."""
    if g.kept[q] != NONE:
        seen[KEPT] = 1
        add(g.hand[q], g.kept[q])
        g.kept[q] = NONE
    if g.lower[q] != NONE:  # X6.4: hidden for good
        seen[UNDER] = 1
        put_behind(g, q, int(g.lower[q]))
        g.lower[q] = NONE


# --- commitments (R3.1, X7.3) ----------------------------------------------------------------------------------------------


@kernel
def commit(g: State, q: int, seen: np.ndarray) -> None:
    """Commit a card as a player who chooses uniformly at each decision (X7.3), given what is seen."""
    cards, tiles = np.empty(N_ALL_CARDS, np.int64), np.empty(N_ALL_TILES + 1, np.int64)
    n_cards, n_tiles = list_into(g.hand[q], cards), list_tiles(g, q, seen, tiles)
    weights = np.empty(n_cards * n_tiles, np.int64)
    total, level = 0, -1
    while total == 0 and level < _N_LEVELS - 1:
        level += 1
        for i in range(n_cards):
            for j in range(n_tiles):
                weight = weigh(g, q, seen, level, int(cards[i]), int(tiles[j]))
                weights[i * n_tiles + j] = weight
                total += weight
    if total == 0:  # as may happen in positions made by hand
        return
    rest, pair = below(g, total), 0
    while rest >= weights[pair]:
        rest -= weights[pair]
        pair += 1
    commit_pair(g, q, seen, level, int(cards[pair // n_tiles]), int(tiles[pair % n_tiles]), rest)


@kernel
def commit_pair(g: State, q: int, seen: np.ndarray, level: int, card: int, tile: int, share: int) -> None:
    """Commit a card with a tile or NONE, and what else agrees with what is seen.

    share : as for :func:`commit_expansion`
    """
    g.card[q], g.tile[q] = card, tile
    if EXPANSION:
        commit_expansion(g, q, seen, level, share)
    remove(g.hand[q], card)
    if tile != NONE:
        take_from_behind(g, q, tile)


@kernel
def list_tiles(g: State, q: int, seen: np.ndarray, out: np.ndarray) -> int:
    """Write the tiles that may lie on a card into out, NONE included; return their number."""
    if seen[TILES] == 0:
        out[0] = NONE
        return 1
    n = list_into(g.tiles[q], out)
    if seen[TILES] == UNSEEN:
        out[n] = NONE
        n += 1
    return n


@kernel
def weigh(g: State, q: int, seen: np.ndarray, level: int, card: int, tile: int) -> int:
    """Return the weight of committing a card with a tile or NONE, 0 if impossible.

    All pairs of card and tile are equally likely; the weight is the share of the lower tiles and events that agree with what
    everybody sees among all that the player then chooses from.
    """
    if tile != NONE:
        if not can_go(card, tile):
            return 0
        if level == PAYABLE_NOW and g.strict and not can_pay(g, q, card, tile, NONE):  # R3.3
            return 0
    if not EXPANSION:
        return 1
    buffer = scratch(MOST_LOWERS)
    lowers, events = list_lowers(g, q, level, card, tile, buffer), list_events(g, q, level, card, buffer)
    return agreeing(lowers, seen[TILES] - 1) * agreeing(events, seen[EVENT]) * (_WHOLE // (lowers * events))


@kernel
def agreeing(n: int, seen: int) -> int:
    """Count those of n options, the first of which is NONE, that agree with what is seen of the choice.

    seen : 1 for any but NONE, 0 for NONE, negative for all
    """
    return n if seen < 0 else (n - 1 if seen == 1 else 1)


@kernel
def list_lowers(g: State, q: int, level: int, card: int, tile: int, out: np.ndarray) -> int:
    """Write the lower tiles that a player chooses from into out, NONE first (X6.4); return their number."""
    out[0] = NONE
    if tile == NONE or not is_expert(g, q, Expert.ARCHITECT):
        return 1
    if level == PAYABLE_NOW and g.strict and not can_pay(g, q, card, tile, tile):  # all lower tiles cost the same
        return 1
    n = 1
    for w in range(WORDS):
        rest = g.tiles[q, w]
        while rest != ZERO:
            lower = (w << 6) + lowest(rest)
            rest &= rest - ONE
            if lower != tile or (lower == GREEN_SPACE and g.green[q] > 1):
                out[n] = lower
                n += 1
    return n


@kernel
def list_events(g: State, q: int, level: int, card: int, out: np.ndarray) -> int:
    """Write the events that a player chooses from into out, NONE first (X4.2); return their number.

    The owner of the building named is the same as when it was chosen, as only the holder of its card can change it.
    """
    out[0] = NONE
    n = 1
    for kind in range(N_EVENTS):
        # X4.4: expropriation needs a building of another player.
        fits = kind != EventTile.EXPROPRIATION or is_of_another(g, q, card) or (level == ANY_BUILDING and not is_letter(card))
        if fits and g.events[q] >> kind & 1:
            out[n] = kind
            n += 1
    return n


@kernel
def commit_expansion(g: State, q: int, seen: np.ndarray, level: int, share: int) -> None:
    """Commit the lower tile and the event.

    share : a random number below the weight of the card with the tile, which are committed
    """
    card, tile = int(g.card[q]), int(g.tile[q])
    lowers, events = scratch(MOST_LOWERS), scratch(MOST_EVENTS)
    n_lowers, n_events = list_lowers(g, q, level, card, tile, lowers), list_events(g, q, level, card, events)
    way = share // (_WHOLE // (n_lowers * n_events))
    n = agreeing(n_events, seen[EVENT])
    g.event[q] = events[way % n + (1 if seen[EVENT] == 1 else 0)]
    if g.event[q] != NONE:
        g.events[q] &= ~(1 << g.event[q])
    g.lower[q] = lowers[way // n + (1 if seen[TILES] == 2 else 0)]
    if g.lower[q] != NONE:
        take_from_behind(g, q, int(g.lower[q]))


# --- whether a deal is possible --------------------------------------------------------------------------------------------


@kernel
def is_possible(g: State, seat: int, choosing: bool, seen: np.ndarray) -> bool:
    """Whether the deal allows what everybody sees: what lies on cards, and that the actor has a choice."""
    for q in range(g.players):
        if q != seat and seen[q, CARD] == 1 and not choosing and not can_commit(g, q, seen[q], PAYABLE_THEN):
            return False
    return not choosing or g.actor == seat or first_choice(g, int(g.actor)) != NONE


@kernel
def can_commit(g: State, q: int, seen: np.ndarray, level: int) -> bool:
    """Whether a card can have been committed as everybody sees it, on a level."""
    cards, tiles = np.empty(N_ALL_CARDS, np.int64), np.empty(N_ALL_TILES + 1, np.int64)
    n_tiles = list_tiles(g, q, seen, tiles)
    for i in range(list_into(g.hand[q], cards)):
        for j in range(n_tiles):
            if weigh(g, q, seen, level, int(cards[i]), int(tiles[j])) > 0:
                return True
    return False


@kernel
def level_of(g: State, q: int, seen: np.ndarray) -> int:
    """Return the level on which q commits a card, the last if none can have been committed."""
    level = PAYABLE_NOW
    while level < _N_LEVELS - 1 and not can_commit(g, q, seen, level):
        level += 1
    return level


@kernel
def first_choice(g: State, p: int) -> int:
    """Return the stage in which a choice begins, NONE if there is nothing to choose."""
    cards, tiles = np.empty(N_ALL_CARDS, np.int64), np.empty(N_ALL_TILES, np.int64)
    if list_into(g.hand[p], cards) > 1 or g.new_hands[p] > 0:
        return Stage.COMMIT
    card = int(cards[0])  # the only one: a decision with one legal action is not asked
    for j in range(list_into(g.tiles[p], tiles)):
        if can_go(card, int(tiles[j])) and (g.strict == 0 or can_pay(g, p, card, int(tiles[j]), NONE)):
            return Stage.COMMIT
    for kind in range(N_EVENTS):
        if g.events[p] >> kind & 1 and (kind != EventTile.EXPROPRIATION or is_of_another(g, p, card)):
            return Stage.EVENT
    return NONE


@kernel
def restart_choice(g: State) -> None:
    """Put the actor back to the beginning of the choice (X7.3)."""
    p = int(g.actor)
    g.stage = Stage.COMMIT
    if first_choice(g, p) == Stage.EVENT:
        g.stage = Stage.EVENT
        commit_only_card(g, p)


@kernel
def commit_only_card(g: State, q: int) -> None:
    """The only card in hand, such as William's (R9.2)."""
    items = np.empty(N_ALL_CARDS, np.int64)
    list_into(g.hand[q], items)
    g.card[q] = items[0]
    remove(g.hand[q], g.card[q])


# --- events, kept cards, tiles set aside -----------------------------------------------------------------------------------


@kernel
def resample_events(g: State, seat: int) -> None:
    """Deal event tiles of others again, except those played, revealed or taken back (X7.4)."""
    for q in range(g.players):
        if q == seat or has_module(g, Module.EXPERTS) or (g.stage == Stage.EVENTS and q >= g.actor):
            continue
        gone = int(g.events_played[q])
        if g.event[q] != NONE:  # on a card that has been shown
            gone |= 1 << g.event[q]
        known, n = int(g.events_known[q]) & ~gone, 0
        for kind in range(N_EVENTS):
            n += g.events[q] >> kind & 1
        if n == 0:
            continue
        while True:
            bits = EVENT_PAIRS[below(g, N_EVENT_PAIRS)] if n == 2 else 1 << below(g, N_EVENTS)
            if bits & gone == 0 and bits & known == known:
                break
        g.events[q] = bits


@kernel
def resample_rest(g: State, q: int, seen: np.ndarray) -> None:
    """Choose a card to keep (X5.1) and the lower tile on a revealed card (X6.4)."""
    if seen[KEPT] == 1:
        cards = np.empty(N_ALL_CARDS, np.int64)
        g.kept[q] = cards[below(g, list_into(g.hand[q], cards))]
        remove(g.hand[q], g.kept[q])
    if seen[UNDER] == 1:
        tiles = np.empty(N_ALL_TILES, np.int64)
        g.lower[q] = tiles[below(g, list_into(g.tiles[q], tiles))]
        take_from_behind(g, q, int(g.lower[q]))


@kernel
def resample_aside(g: State, q: int) -> None:
    """Set tiles aside as a player who chose uniformly at each decision and has finished (R7.1)."""
    position = (q + g.players - g.first) % g.players
    if position >= g.returner:  # one who is choosing begins again
        return
    tiles, last = np.empty(N_ALL_TILES, np.int64), NONE
    while True:
        n = 0
        for i in range(list_into(g.tiles[q], tiles)):
            if RANK[tiles[i]] >= last:  # ascending order; equal are only green spaces (X0.4)
                tiles[n] = tiles[i]
                n += 1
        k = below(g, n + 1)
        if k == n:  # done
            return
        last = RANK[tiles[k]]
        set_aside(g, q, int(tiles[k]))
