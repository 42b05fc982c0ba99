"""What the declarations of a state cannot say of states that do not come from play.

In a valid record fields that follow from others agree with them, and the decision fits what is on the table. Whether play can
have led there is not asked. Each check relies on those before it.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ZERO, add, count, has, popcount
from ginkgo_env.core.compile.intrinsics import scratch, scratch_sets
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.state import Flaws
from ginkgo_env.games.ginkgopolis.components import (
    CARD_ACTION,
    CARD_GAIN,
    CHARACTER_ACTION,
    CHARACTER_GAIN,
    DX,
    DY,
    EVENTS_OF_EXPERT,
    HAS_CARD,
    is_letter,
)
from ginkgo_env.games.ginkgopolis.constants import (
    ARCHITECT_TILES,
    DRAFT_PICKS,
    GREEN_SPACE,
    MAX_BUILDINGS,
    MOST_A_ROUND,
    MOST_POINTS,
    N_ALL_CARDS,
    N_CARDS,
    N_CHARACTERS,
    N_COLORS,
    N_DIRECTIONS,
    N_EVENTS,
    N_IDS,
    N_LETTERS,
    N_TILES,
    NOBODY,
    NONE,
    NOWHERE,
    PACKET_EXPERTS,
    PLAYER,
    RESOURCES,
    WILLIAM,
    WORDS,
    Action,
    Ending,
    EventTile,
    Expert,
    Module,
    Phase,
    Split,
    Stage,
    Timing,
)
from ginkgo_env.games.ginkgopolis.modules import EXPANSION, has_module
from ginkgo_env.games.ginkgopolis.rules.city import building_at, token_at
from ginkgo_env.games.ginkgopolis.rules.events import payer
from ginkgo_env.games.ginkgopolis.rules.round import in_turn_order
from ginkgo_env.games.ginkgopolis.rules.setup import draft_picks
from ginkgo_env.games.ginkgopolis.rules.tiles import next_prestige
from ginkgo_env.games.ginkgopolis.state import State


class Flaw(Flaws):
    """What can be wrong with a record."""

    CITY = "buildings, their neighbors and their tiles are inconsistent, too far out or not connected"
    TOKENS = "a token is not on a free cell beside a building, or not in hand during its token decision"
    EDGE = "the edge of the city has no room for all tokens"
    TILES = "the floors of the city are not as many tiles, or a tile that is out was returned"
    CARDS = "the cards in play are not those of the buildings"
    CHARACTERS = "characters or experts are too many or too few"
    SEAT = "a seat has something that it cannot have in this game"
    RESOURCES = "the resources of a player do not add up"
    POINTS = "the SP of a player are more than the rounds can have brought"
    BONUS = "the bonuses of a player are not those of the characters and cards"
    EVENTS = "the event tiles of a player are too many, too few or in two places"
    COMMITMENT = "what lies on a card does not go with it"
    KNOWN = "something is known to be where it is not"
    ROUND = "the decision does not fit the round, the first player and the actor"
    SUPPLY = "the decision does not fit the supply of tiles and the ending"
    CHOICE = "the decision does not fit the choices that the actor has made"
    DRAFT = "packets and cards kept do not fit the pick of the draft, or the supply is too small"
    TURN = "the turn under way does not fit the decision"
    DRAWS = "draws, their split or payments do not fit the decision and the stacks"
    ZONE = "the zone of an expropriation has no building"
    HAND = "the cards of a player do not fit the decision: in hand, committed or kept"
    ACTION = "the actor has no legal action"


# --- the moment: whose decision it is, and the turn under way ----------------------------------------------------------------


@kernel
def is_choosing(g: State) -> bool:
    """Whether players choose cards and what goes with them (R3.1, X7.3)."""
    return g.stage == Stage.COMMIT or g.stage == Stage.LOWER or g.stage == Stage.EVENT or g.stage == Stage.KEEP


@kernel
def is_setup(g: State) -> bool:
    """Whether the game is in setup (R2)."""
    return g.stage == Stage.DRAFT or g.stage == Stage.EVENTS


@kernel
def is_drawing(g: State) -> bool:
    """Whether the decision comes up during a draw (R7.1, X0.1)."""
    return g.stage == Stage.RETURN or g.stage == Stage.SPLIT


@kernel
def flaw_of_moment(g: State) -> int:
    """Return the first flaw of round, supply, decision and actor, 0 if there is none."""
    setup, solo = is_setup(g), g.solo != 0
    if (g.first == NOBODY) != setup or (g.rounds == 0) != setup:
        return Flaw.ROUND
    if (g.actor == NOBODY) != (g.stage == Stage.OVER) or (solo and (g.actor > PLAYER or g.first > PLAYER)) or not is_in_order(g):
        return Flaw.ROUND
    if g.stage == Stage.RETURN:  # R7.1, R9.5
        fits = not solo and g.supply_size == 0 and g.exhaustions == 1
    elif g.stage == Stage.OVER:
        fits = g.ending != Ending.NONE
    else:  # R7.2, R7.3, R9.5: where the supply has run out, the end is triggered
        fits = (g.exhaustions < 2 or g.supply_size == 0) and (g.supply_size > 0 or g.ending != Ending.NONE)
    if not fits:
        return Flaw.SUPPLY
    return 0 if can_come_up(g) else Flaw.CHOICE


@kernel
def is_in_order(g: State) -> bool:
    """Whether the places in turn order and the building under way are those of actor and player."""
    waiting = is_choosing(g) or is_setup(g) or g.stage == Stage.OVER
    if waiting != (g.player == NOBODY) or g.building != (g.n_buildings - 1 if g.stage == Stage.TOKEN else NONE):
        return False
    if is_choosing(g):
        in_order = g.actor == in_turn_order(g, int(g.cursor))
    elif waiting:
        in_order = g.cursor == 0
    else:
        in_order = g.solo != 0 or g.player == in_turn_order(g, int(g.cursor))
    if g.stage == Stage.RETURN:
        return in_order and g.actor == in_turn_order(g, int(g.returner)) and g.payer == 0
    if g.stage == Stage.PAY:
        return in_order and g.returner == 0 and g.payer < g.players - 1 and g.actor == payer(g)
    return in_order and g.returner == 0 and g.payer == 0 and (waiting or g.actor == (PLAYER if g.solo else g.player))


@kernel
def can_come_up(g: State) -> bool:
    """Whether the decision exists in this game, and the actor has made those before it (X7.3)."""
    stage, p = int(g.stage), int(g.actor)
    if stage == Stage.DRAFT:
        return g.draft != 0 and g.solo == 0
    if stage == Stage.EVENTS:
        return has_module(g, Module.EVENTS) and not has_module(g, Module.EXPERTS)
    if stage == Stage.LOWER:
        return g.tile[p] != NONE and g.lower[p] == NONE and g.event[p] == NONE and g.expert[p] == Expert.ARCHITECT
    if stage == Stage.EVENT:
        return g.card[p] != NONE and g.event[p] == NONE and g.events[p] != 0
    if stage == Stage.KEEP:
        return g.card[p] != NONE and has_module(g, Module.KEEP_CARD)
    if stage == Stage.SPLIT:  # with stacks to draw from (X0)
        return has_module(g, Module.NEW_BUILDINGS) or has_module(g, Module.PRESTIGE) or has_module(g, Module.GREEN_SPACES)
    return EXPANSION or stage <= Stage.OVER


# --- the turn under way (X7.1) -------------------------------------------------------------------------------------------------


@kernel
def flaw_of_turn(g: State) -> int:
    """Return the first flaw of the turn under way, 0 if there is none."""
    if not are_draws_possible(g):
        return Flaw.DRAWS
    if g.player == NOBODY:
        idle = g.action == Action.EXPLOIT and g.phase == Phase.ACTION and g.timing == NONE and g.green_drawn == 0
        return 0 if idle else Flaw.TURN
    if not is_phase(g) or not is_action(g):
        return Flaw.TURN
    if g.event[g.player] != EventTile.EXPROPRIATION:
        return 0
    return 0 if g.zone[2] == 1 and building_at(g, int(g.zone[0]), int(g.zone[1])) != NONE else Flaw.ZONE  # X4.3


@kernel
def are_draws_possible(g: State) -> bool:
    """Whether draws, split and payments fit the decision and the stacks (X0.1, X3.1, X4.4)."""
    split = g.stage == Stage.SPLIT
    if (g.draws > 0 and not is_drawing(g)) or (split and (g.draws == 0 or g.supply_size == 0)):
        return False
    if (g.received > 0 and g.stage != Stage.PAY) or g.green_drawn > g.modules[Module.GREEN_SPACES]:
        return False
    for choice in range(Split.DONE):
        n = int(g.split[choice])
        if n > 0 and (not split or (choice < N_COLORS and next_prestige(g, choice, n - 1) == NONE)):
            return False
    if g.split[Split.NEW_BUILDING] > g.n_new_buildings or g.split[Split.GREEN_SPACE] > min(
        int(g.green_stack), 1 - int(g.green_drawn)
    ):
        return False
    return g.is_split == (1 if EXPANSION and g.stage == Stage.RETURN else 0)


@kernel
def is_phase(g: State) -> bool:
    """Whether the decision comes up in the phase, and the event is pending until it takes effect (X4.2)."""
    phase, timing = int(g.phase), int(g.timing)
    if (g.event[g.player] != NONE) != (phase != Phase.ACTION or timing == Timing.AFTER):
        return False
    if phase == Phase.ACTION:
        fits = is_drawing(g) or g.stage == Stage.TAKE or g.stage == Stage.TOKEN
        return fits and (timing == NONE or has_module(g, Module.EVENTS))
    if phase == Phase.TIMING:
        return g.stage == Stage.TIMING and timing == NONE
    return (is_drawing(g) or g.stage == Stage.PAY) and timing == (Timing.BEFORE if phase == Phase.BEFORE else Timing.AFTER)


@kernel
def is_action(g: State) -> bool:
    """Whether the action fits the card, which has no tile any more once R5.7 has been tested."""
    p, card = int(g.player), int(g.card[g.player])
    if (card == NONE) != (g.phase == Phase.AFTER):
        return False
    if g.phase == Phase.TIMING or g.phase == Phase.BEFORE:
        return g.action == Action.EXPLOIT
    if g.tile[p] != NONE:
        return False
    if g.stage == Stage.TAKE:
        return g.action == Action.EXPLOIT and is_letter(card) and (g.solo == 0 or p == PLAYER)
    if g.stage == Stage.TOKEN:
        return g.action == Action.URBANIZE and is_letter(card)
    if card == NONE:
        return True
    return (g.action == Action.CONSTRUCT) == has(g.buried, card) and (g.action != Action.URBANIZE or is_letter(card))


# --- the city and the box: buildings, tokens, tiles, cards -------------------------------------------------------------------


FARTHEST = 120
"""How far out buildings are at most, so that coordinates stay 8-bit numbers."""
_EDGE = 12  # cells for as many tokens (R6.3)
_LETTERS = np.array([sum(1 << i % 64 for i in range(N_TILES, N_CARDS) if i // 64 == w) for w in range(WORDS)], np.uint64)


@kernel
def flaw_of_city(g: State) -> int:
    """Return the first flaw of buildings and tokens, 0 if there is none."""
    far = FARTHEST - (
        (MAX_BUILDINGS if EXPANSION else N_TILES) - int(g.n_buildings)
    )  # R6.1: each further tile may lie further out
    named = 0
    for s in range(g.n_buildings):
        if not is_building(g, s, far):
            return Flaw.CITY
        named += 1 if g.top[s] != GREEN_SPACE else 0
    for tile in range(N_IDS):
        named -= 1 if g.slot[tile] != NONE else 0
    if named != 0 or not is_connected(g):
        return Flaw.CITY
    in_hand = int(g.card[g.player]) - N_TILES if g.stage == Stage.TOKEN and g.player != NOBODY else NONE
    for letter in range(N_LETTERS):
        if not is_token(g, letter, far + 1, letter == in_hand):
            return Flaw.TOKENS
    return 0 if has_room(g) else Flaw.EDGE


@kernel
def is_building(g: State, s: int, far: int) -> bool:
    """Whether a building is alone on its cell, has its neighbors, and is named by its tile."""
    x, y, tile = int(g.x[s]), int(g.y[s]), int(g.top[s])
    for d in range(N_DIRECTIONS):
        if g.adjacent[s, d] != building_at(g, x + DX[d], y + DY[d]):
            return False
    if abs(x) > far or abs(y) > far or building_at(g, x, y) != s:
        return False
    if tile == GREEN_SPACE:  # X3.1: it belongs to the player who placed it, and no card names it
        return g.owner[s] != NOBODY and g.pawn[s] == 0
    return g.slot[tile] == s and (g.pawn[s] == 0 or HAS_CARD[tile])


@kernel
def is_connected(g: State) -> bool:
    """Whether all buildings are reached from the first one, with neighbors as recorded."""
    reached, waiting = np.zeros(MAX_BUILDINGS, np.int64), scratch(MAX_BUILDINGS)
    waiting[0], reached[0] = 0, 1
    n, done = 1, 0
    while done < n:
        for d in range(N_DIRECTIONS):
            other = int(g.adjacent[waiting[done], d])
            if other != NONE and reached[other] == 0:
                reached[other] = 1
                waiting[n] = other
                n += 1
        done += 1
    return n == g.n_buildings


@kernel
def is_token(g: State, letter: int, far: int, in_hand: bool) -> bool:
    """Whether a token lies alone on a free cell beside a building (R6.2), or nowhere if it is in hand."""
    x, y = int(g.token_x[letter]), int(g.token_y[letter])
    if in_hand:
        return x == NOWHERE and y == NOWHERE
    beside = False
    for d in range(N_DIRECTIONS):
        beside = beside or building_at(g, x + DX[d], y + DY[d]) != NONE
    return beside and abs(x) <= far and abs(y) <= far and building_at(g, x, y) == NONE and token_at(g, x, y) == letter


@kernel
def has_room(g: State) -> bool:
    """Whether the corner is recorded, and the edge (R6.3) keeps a cell for each token as the city grows.

    Each column has a cell of the edge above and one below, each building of the first and of the last column one beside it.
    """
    west, north, east, south = int(g.x[0]), int(g.y[0]), int(g.x[0]), int(g.y[0])
    for s in range(g.n_buildings):
        west, north = min(west, int(g.x[s])), min(north, int(g.y[s]))
        east, south = max(east, int(g.x[s])), max(south, int(g.y[s]))
    columns, rows = 2 * (east - west + 1), 2 * (south - north + 1)
    for s in range(g.n_buildings):
        columns += (1 if g.x[s] == west else 0) + (1 if g.x[s] == east else 0)
        rows += (1 if g.y[s] == north else 0) + (1 if g.y[s] == south else 0)
    return g.west == west and g.north == north and max(columns, rows) >= _EDGE


# --- tiles and cards -----------------------------------------------------------------------------------------------------------


@kernel
def are_floors_tiles(g: State) -> bool:
    """Whether each floor is a tile (R5.5, X6.4), and what R7.1 returned came from players.

    Tiles in the box (R2.3) did not.
    """
    covered = count(g.buried)
    for p in range(g.players):
        covered += count(g.lower_tiles[p]) + max(0, int(g.green_lower[p]) - 1)
    for s in range(g.n_buildings):
        covered -= int(g.floors[s]) - 1
    for w in range(WORDS):
        if (g.removed[w] & g.returned[w]) != ZERO:
            return False
    return covered == 0


@kernel
def has_cards(g: State) -> bool:
    """Whether the cards in play are the letters and those of buildings (R5.4, R3.6).

    A tile brings its card when it lies open without a pawn, or is covered.
    """
    sets = scratch_sets(3, WORDS)
    named, places, wanted = sets[0], sets[1], sets[2]  # cards that name covered tiles; in any place; in play
    for w in range(WORDS):
        named[w], places[w], wanted[w] = ZERO, g.discard[w], _LETTERS[w] | g.buried[w]
        for p in range(g.players):
            named[w] |= g.tableau[p, w]
            places[w] |= g.tableau[p, w] | g.hand[p, w]
        if (named[w] & _LETTERS[w]) != ZERO:
            return False
    for i in range(g.deck_size):
        add(places, int(g.deck[i]))
    for p in range(g.players):
        if g.card[p] != NONE:
            add(places, int(g.card[p]))
        if g.kept[p] != NONE:
            add(places, int(g.kept[p]))
    for s in range(g.n_buildings):
        if HAS_CARD[g.top[s]] and g.pawn[s] == 0:
            add(wanted, int(g.top[s]))
    if g.player != NOBODY and g.action == Action.CONSTRUCT and g.card[g.player] != NONE:  # R5.6: it names no building
        add(named, int(g.card[g.player]))
    wrong = ZERO
    for w in range(WORDS):
        wrong |= (places[w] ^ wanted[w]) | (g.buried[w] & ~named[w])
    return wrong == ZERO


# --- seats: what each has, what is known of it, its cards; the draft ---------------------------------------------------------


_RESOURCES = np.array(RESOURCES)
_FIRST_PACKET = 4  # R2.7
_EVENTS_EACH = 2  # X4.1


@kernel
def flaw_of_seat(g: State, p: int) -> int:
    """Return the first flaw of a seat, 0 if there is none."""
    if not can_have(g, p):
        return Flaw.SEAT
    rest = _RESOURCES[g.players]  # R2.5
    for s in range(g.n_buildings):
        rest -= int(g.floors[s]) if g.owner[s] == p else 0
    if rest != int(g.resources[p]) + int(g.supply_resources[p]):
        return Flaw.RESOURCES
    if g.points[p] > min(MOST_POINTS, MOST_A_ROUND * (1 + int(g.rounds))):
        return Flaw.POINTS
    if not has_bonus(g, p):
        return Flaw.BONUS
    if not has_events(g, p):
        return Flaw.EVENTS
    if not is_card_possible(g, p):
        return Flaw.COMMITMENT
    return 0 if is_known(g, p) else Flaw.KNOWN


@kernel
def can_have(g: State, p: int) -> bool:
    """Whether a seat has only what there is in this game, and tiles set aside only during R7.1."""
    expert = count(g.lower_tiles[p]) > 0 or g.expert[p] != NONE or g.lower[p] != NONE or g.packet_experts[p, 0] != 0
    if (expert and not has_module(g, Module.EXPERTS)) or (g.kept[p] != NONE and not has_module(g, Module.KEEP_CARD)):
        return False
    if g.solo and (g.new_hands[p] > 0 or count(g.passed[p]) > 0):
        return False
    if g.solo and p == WILLIAM and (count(g.hand[p]) + count(g.tiles[p]) > 0 or g.tile[p] != NONE):
        return False
    return g.stage == Stage.RETURN or count(g.aside[p]) == 0


@kernel
def has_bonus(g: State, p: int) -> bool:
    """Whether the bonuses are those of characters and cards (R1.5, R2.8); William has none (R9.3)."""
    bonus = np.zeros((N_COLORS, N_COLORS), np.int64)
    for item in range(0 if g.stage == Stage.DRAFT or (g.solo and p == WILLIAM) else N_COLORS):
        for c in range(N_CHARACTERS):
            bonus[CHARACTER_ACTION[c], item] += int(g.characters[p, c]) * CHARACTER_GAIN[c, item]
        for card in range(N_ALL_CARDS):
            if CARD_ACTION[card] != NONE and has(g.tableau[p], card):
                bonus[CARD_ACTION[card], item] += CARD_GAIN[card, item]
    wrong = 0
    for action in range(N_COLORS):
        for item in range(N_COLORS):
            wrong += 1 if g.bonus[p, action, item] != bonus[action, item] else 0
    return wrong == 0


@kernel
def committed_event(g: State, p: int) -> int:
    """Return the event tile on a card as bits."""
    return 0 if g.event[p] == NONE else 1 << int(g.event[p])


@kernel
def has_events(g: State, p: int) -> bool:
    """Whether each event tile is in one place; after the setup a player has or had two (X4.1)."""
    held, played, committed = int(g.events[p]), int(g.events_played[p]), committed_event(g, p)
    mine = held + played + committed
    if not has_module(g, Module.EVENTS) or g.stage == Stage.DRAFT:
        return mine == 0
    if held | played | committed != mine:
        return False
    if g.stage == Stage.EVENTS and p >= g.actor:
        return held == (1 << N_EVENTS) - 1
    return mine == EVENTS_OF_EXPERT[g.expert[p]] if has_module(g, Module.EXPERTS) else popcount(np.uint64(mine)) == _EVENTS_EACH


@kernel
def is_card_possible(g: State, p: int) -> bool:
    """Whether what lies on a card goes with it (X3.1, X4.4, X6.4); an event may outlast it (X4.2)."""
    card, tile = int(g.card[p]), int(g.tile[p])
    if tile != NONE and (card == NONE or (tile == GREEN_SPACE and not is_letter(card))):
        return False
    if g.lower[p] != NONE and (tile == NONE or g.expert[p] != Expert.ARCHITECT):
        return False
    if g.event[p] == EventTile.EXPROPRIATION and (card == NONE or is_letter(card)):
        return False
    return g.event[p] == NONE or card != NONE or g.player == p


@kernel
def is_known(g: State, p: int) -> bool:
    """Whether what is known to be behind a screen or in a hand is there (R10.3, X4.4, X7.4)."""
    greens = int(g.green[p]) + int(g.green_aside[p]) + (g.tile[p] == GREEN_SPACE) + (g.lower[p] == GREEN_SPACE)
    if g.green_known[p] > greens:
        return False
    left = p + 1 if p + 1 < g.players else 0
    hidden = NONE if g.player == left else int(g.card[left])
    for i in range(64 * WORDS):
        behind = has(g.tiles[p], i) or has(g.aside[p], i) or g.tile[p] == i or g.lower[p] == i
        if has(g.known_tiles[p], i) and not behind:
            return False
        if has(g.passed[p], i) and not (has(g.hand[left], i) or g.kept[left] == i or hidden == i):
            return False
    return int(g.events_known[p]) & ~(int(g.events[p]) | committed_event(g, p)) == 0


@kernel
def is_hand(g: State, p: int) -> bool:
    """Whether a card is out from choosing until it is put away, and not too many are passed on (R3)."""
    cards, kept, out = count(g.hand[p]), 1 if g.kept[p] != NONE else 0, 1 if g.card[p] != NONE else 0
    if is_setup(g):
        return cards + kept + out + count(g.tableau[p]) == 0
    if g.stage == Stage.OVER or (g.solo and p == WILLIAM):
        return cards + kept + out <= g.hand_size
    choosing, turn = is_choosing(g), (p + int(g.players) - int(g.first)) % int(g.players)
    if choosing:
        is_out, chosen = turn < g.cursor + (1 if g.stage != Stage.COMMIT else 0), turn < g.cursor
    else:
        is_out, chosen = p == g.player if g.solo else turn >= g.cursor + (1 if g.phase == Phase.AFTER else 0), True
    if is_out != (out == 1) and (out == 1 or cards + kept > 0):  # R3.6: one without cards was passed over
        return False
    if g.solo or not chosen:  # R9.2: what is not played is discarded before William acts
        return kept == 0 and cards + out <= g.hand_size and (choosing or is_out or cards == 0)
    if cards > 0 and kept == 0 and has_module(g, Module.KEEP_CARD):
        return False
    return cards + kept < g.hand_size


# --- the draft ---------------------------------------------------------------------------------------------------------------


@kernel
def total(counts: np.ndarray) -> int:
    """Return the sum of small numbers."""
    n = 0
    for i in range(counts.size):
        n += int(counts[i])
    return n


@kernel
def has_characters(g: State) -> bool:
    """Whether there are as many characters and experts as the draft has, or leaves (R1.6, X6.1)."""
    drafting, kept, offered = g.stage == Stage.DRAFT, 0, 0
    for p in range(g.players):
        most, n = 0 if g.solo else DRAFT_PICKS, total(g.characters[p])
        if n > most or (not drafting and (n < most or total(g.packet[p]) > 0)):
            return False
        kept += 1 if g.expert[p] != NONE else 0
        offered += count(g.packet_experts[p])
    if not has_module(g, Module.EXPERTS):
        return kept + offered == 0
    if drafting:
        return kept + offered == PACKET_EXPERTS * g.players
    return kept == g.players and offered == 0


@kernel
def is_draft(g: State) -> bool:
    """Whether packets and cards kept fit the pick (R2.7, X6.1), and the supply the start items (R2.8)."""
    if g.stage != Stage.DRAFT:
        return g.pick == 0
    experts = 1 if has_module(g, Module.EXPERTS) else 0
    if g.pick >= draft_picks(g) or g.supply_size < DRAFT_PICKS * g.players + ARCHITECT_TILES * experts:
        return False
    for p in range(g.players):
        picked, offered = 1 if p < g.actor else 0, count(g.packet_experts[p])
        kept = total(g.characters[p]) + (1 if g.expert[p] != NONE else 0)
        if picked and g.pick == DRAFT_PICKS and kept == DRAFT_PICKS and g.expert[p] == NONE and offered == 0:
            picked = 0  # X6.1: passed over, as the last packet has no expert
        packet = _FIRST_PACKET + PACKET_EXPERTS * experts - kept
        if kept != g.pick + picked or offered > PACKET_EXPERTS or total(g.packet[p]) + offered != packet:
            return False
    return True


# --- the whole record --------------------------------------------------------------------------------------------------------


@kernel
def find_flaw(g: State, t: None) -> int:
    """Return the number of the first flaw of a record, 0 if it is valid."""
    flaw = flaw_of_city(g)
    if flaw != 0:
        return flaw
    if not are_floors_tiles(g):
        return Flaw.TILES
    flaw = flaw_of_moment(g)
    if flaw != 0:
        return flaw
    if not has_cards(g):
        return Flaw.CARDS
    if not has_characters(g):
        return Flaw.CHARACTERS
    for p in range(g.players):
        flaw = flaw_of_seat(g, p)
        if flaw != 0:
            return flaw
    if not is_draft(g):
        return Flaw.DRAFT
    flaw = flaw_of_turn(g)
    if flaw != 0:
        return flaw
    for p in range(g.players):
        if not is_hand(g, p):
            return Flaw.HAND
    return 0 if has_choice(g) else Flaw.ACTION


@kernel
def has_choice(g: State) -> bool:
    """Whether an action is legal, as always but for these decisions."""
    if g.stage == Stage.COMMIT or g.stage == Stage.KEEP:
        return count(g.hand[g.actor]) > 0
    if g.stage == Stage.TAKE:  # R4.1
        return g.supply_resources[g.player] > 0 or g.supply_size > 0
    if g.stage == Stage.DRAFT:  # X6.1: no fourth character
        return count(g.packet_experts[g.actor]) > 0 or total(g.characters[g.actor]) < DRAFT_PICKS
    return True
