"""Checks that a game can reach a moment: who has chosen, who acts, what goes with the decision."""

from __future__ import annotations

from collections.abc import Callable

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.validation import fail
from ginkgo_env.games.ginkgopolis.constants import (
    DISCARDED_CARDS,
    DRAFT_PICKS,
    FEW_PLAYERS,
    N_GREEN_SPACES,
    N_LETTERS,
    N_NEW_BUILDINGS,
    N_PRESTIGE,
    N_START,
    N_TILES,
    NEW_HANDS,
    NONE,
    NOWHERE,
    PACKET_EXPERTS,
    WILLIAM,
    Action,
    Ending,
    Expert,
    Module,
    Stage,
)
from ginkgo_env.games.ginkgopolis.tables import CHARACTER_START, NAMES
from ginkgo_env.games.ginkgopolis.text.notation import members, names_in
from ginkgo_env.games.ginkgopolis.text.position.check_turn import check_turn
from ginkgo_env.games.ginkgopolis.text.reading import (
    CHOOSING,
    DRAWING,
    RESOLVING,
    is_letter,
    is_put_away,
    is_tested,
    removed_tiles,
    tiles_in,
    with_module,
)

_FIRST_PACKET = 4


def check_moment(g: Fields) -> None:
    """Check the decision and all that goes with it."""
    _check_tokens(g)
    _check_set_aside(g)
    if g.stage in _MOMENTS:
        _MOMENTS[Stage(g.stage)](g)
    if g.stage in RESOLVING:
        _check_pending(g)
    if g.stage in CHOOSING or g.stage in RESOLVING:
        _check_supply(g)
        for p in range(1 if g.solo else g.players):
            _check_rest_of_hand(g, p)
            _check_commitment(g, p)


# --- the table -------------------------------------------------------------------------------------------------------------


def _check_tokens(g: Fields) -> None:
    in_hand = [N_TILES + i for i in range(N_LETTERS) if g.token_x[i] == NOWHERE]
    if in_hand != ([g.card[g.player]] if g.stage == Stage.TOKEN else []):
        raise fail("tokens", "only during a token decision is a token in hand, that of the card being resolved")


def _check_new_building(g: Fields) -> None:
    """Check that the last building is the one whose token is in hand."""
    newest, p = g.n_buildings - 1, g.player
    two = g.expert[p] == Expert.ARCHITECT and any(g.lower_tiles[p])
    if g.owner[newest] != p or not 1 <= g.floors[newest] <= (2 if two else 1):
        raise fail("city", "expected the new building, whose token is in hand, as the last one")


def _check_set_aside(g: Fields) -> None:
    held = [p for p in range(g.players) if any(g.aside[p])]
    if held and g.stage != Stage.RETURN:
        raise fail("players", "tiles are set aside only during return decisions")
    if any(_turn_of(g, p) > g.returner for p in held):
        raise fail("players", "a player who has not chosen yet has set no tiles aside")


def _check_supply(g: Fields) -> None:
    """Check that an empty supply has triggered the end, after which nobody chooses (R7.3, R8.1, R9.5)."""
    _check_returned(g)
    empty = g.supply_size == 0 and g.stage != Stage.RETURN
    if (empty or g.exhaustions == 2) and g.ending == Ending.NONE:
        raise fail("ending", "expected an ending: the supply of tiles has run out")
    if g.stage in CHOOSING and g.ending != Ending.NONE:
        raise fail("ending", "expected null: no round begins once the end is triggered")


def _check_returned(g: Fields) -> None:
    """Check that after the first exhaustion the supply consists of the tiles returned (R7.1)."""
    returned = set(names_in(g.returned))
    if (g.solo or g.exhaustions == 0 or g.stage == Stage.RETURN) and returned:
        raise fail("returned", "no tiles have been returned yet")
    supply = {NAMES[t] for t in g.supply[: g.supply_size]}
    if returned & set(names_in(g.removed)) or (g.exhaustions > 0 and not supply <= returned):
        raise fail("returned", "expected all tiles of the supply and none out of the game")
    if g.exhaustions == 1 and not g.solo and g.stage != Stage.RETURN and not returned:
        raise fail("returned", "if no tile was returned, the supply counts as exhausted for the second time")


# --- choosing and acting ---------------------------------------------------------------------------------------------------


def _turn_of(g: Fields, p: int) -> int:
    return (p - g.first) % g.players


def _has_card_out(g: Fields, p: int) -> bool:
    """Whether a player who had cards has one committed: from choosing until it is put away."""
    if g.stage in CHOOSING:
        return _turn_of(g, p) < g.cursor + (g.stage != Stage.COMMIT)
    if g.solo:
        return bool(p == g.player)
    return _turn_of(g, p) >= g.cursor + is_put_away(g)


def _check_commitment(g: Fields, p: int) -> None:
    """Check that exactly the players who have chosen and not acted have a card committed (R3.1, R3.4)."""
    where, out = f"players[{p}].commitment", _has_card_out(g, p)
    if not out and (g.card[p] != NONE or g.tile[p] != NONE):
        raise fail(where, "this player has not chosen yet, or has acted already")
    if out and g.card[p] == NONE and (names_in(g.hand[p]) or _keeps(g, p)):
        raise fail(where, "this player has cards and must have chosen one")
    if g.stage in RESOLVING and p == g.player and g.tile[p] != NONE and is_tested(g):
        raise fail(f"{where}.tile", "expected null: the tile has left the card already")


def _keeps(g: Fields, p: int) -> bool:
    return bool(g.kept[p] != NONE)


def _check_rest_of_hand(g: Fields, p: int) -> None:
    """Check the numbers of cards in hands and of kept cards (R3.1, R9.2, X5.1)."""
    cards, kept, where = len(names_in(g.hand[p])), _keeps(g, p), f"players[{p}]"
    chosen = g.stage in RESOLVING or _turn_of(g, p) < g.cursor
    if chosen and not g.solo and cards + kept > g.hand_size - 1:
        raise fail(f"{where}.hand", f"more than {g.hand_size - 1} cards after choosing")
    if chosen and g.solo and p != g.player and cards:
        raise fail(f"{where}.hand", "the cards not played were discarded before William acts")
    if chosen and cards and not kept and with_module(g, Module.KEEP_CARD):
        raise fail(f"{where}.kept", "this player has cards left and must have kept one")
    if kept and not chosen:
        raise fail(f"{where}.kept", "this player has not chosen yet")


def _check_chooser(g: Fields) -> None:
    if not names_in(g.hand[g.actor]):
        raise fail("decision", "the actor has no card")


def _check_sequence(g: Fields) -> None:
    """Check that the actor has the choice that the decision asks for (X7.3)."""
    p = g.actor
    where = f"players[{p}].commitment"
    if g.card[p] == NONE:
        raise fail(where, "expected a card: the actor has just committed one")
    if g.stage == Stage.LOWER and (g.tile[p] == NONE or g.lower[p] != NONE or g.expert[p] != Expert.ARCHITECT):
        raise fail(where, "a lower decision requires an architect with one tile on the card")
    if g.stage in (Stage.LOWER, Stage.EVENT) and g.event[p] != NONE:
        raise fail(where, "the event is chosen later")
    if g.stage == Stage.EVENT and not g.events[p]:
        raise fail("decision", "the actor has no event")


def _check_pending(g: Fields) -> None:
    """Check that decision, action and card of the player whose turn it is fit."""
    p = g.player
    if g.stage in _ACTION_OF and (g.action != _ACTION_OF[Stage(g.stage)] or g.draws or (g.actor != p and not g.solo)):
        raise fail("pending", "inconsistent with the decision")
    if g.solo and p == WILLIAM and g.stage != Stage.TOKEN:
        raise fail("pending", "William never takes anything")
    if g.card[p] == NONE and not is_put_away(g):
        raise fail(f"players[{p}].commitment", "expected a card: this player's action is under way")
    if g.card[p] != NONE and is_tested(g) and g.stage in DRAWING:
        _check_action(g)
    if g.expansion:
        check_turn(g)


def _check_action(g: Fields) -> None:
    """Check that the action under way fits its card."""
    card = g.card[g.player]
    covered = not is_letter(card) and NAMES[card] in names_in(g.buried)
    if (g.action == Action.CONSTRUCT) != covered or (g.action == Action.URBANIZE and not is_letter(card)):
        raise fail("pending.action", "inconsistent with the card")


def _check_take(g: Fields) -> None:
    if not is_letter(g.card[g.player]):
        raise fail("decision", "a take decision requires an urbanization card")


def _check_return(g: Fields) -> None:
    if g.supply_size or g.exhaustions != 1:
        raise fail("decision", "a return decision requires that the supply has run out for the first time")


# --- setup -----------------------------------------------------------------------------------------------------------------


def _check_setup(g: Fields) -> None:
    """Check that in setup nothing has happened yet but for start items (R2)."""
    cards = N_START + N_LETTERS - (DISCARDED_CARDS if g.players <= FEW_PLAYERS else 0)
    tiles = N_TILES - N_START - removed_tiles(g)
    players = g.players
    behind = sum(len(tiles_in(g, "tiles", p)) for p in range(players))
    sets = (*g.hand, *g.aside, *g.tableau, *g.known_tiles, g.buried, g.returned, g.pawn)
    if (
        g.n_buildings != N_START
        or (g.supply_size + behind, g.deck_size) != (tiles, cards)
        or g.exhaustions
        or g.ending
        or any(map(any, sets))
        or {*g.card, *g.owner, *g.kept} != {NONE}
        or {*g.new_hands[:players]} != {NEW_HANDS}
        or (g.expansion and not _stacks_are_full(g))
    ):
        raise fail("decision", "inconsistent with the table: nothing has happened yet during the setup")
    for p in range(players):
        start = [0, 0, 0] if g.stage == Stage.DRAFT else (g.characters[p] @ CHARACTER_START).tolist()
        if [g.resources[p], len(tiles_in(g, "tiles", p)), g.points[p]] != start:
            raise fail(f"players[{p}]", "during the setup a player has exactly what the characters bring, once they are known")


def _stacks_are_full(g: Fields) -> bool:
    stacks = (g.n_new_buildings, len(names_in(g.prestige)), g.green_stack)
    return stacks == tuple(n * on for n, on in zip((N_NEW_BUILDINGS, N_PRESTIGE, N_GREEN_SPACES), g.modules, strict=False))


def cards_kept(g: Fields, p: int) -> int:
    """Count the cards that a player has kept in the draft."""
    return int(sum(g.characters[p])) + (g.expert[p] != NONE)


def _check_draft(g: Fields) -> None:
    """Check packets and cards kept in the draft (R2.7, X6.1)."""
    experts = with_module(g, Module.EXPERTS)
    picks, packet = DRAFT_PICKS + experts, _FIRST_PACKET + PACKET_EXPERTS * experts
    pick = cards_kept(g, g.actor)
    if pick >= picks:
        raise fail("decision", f"no player keeps more than {picks} cards")
    for p in range(g.players):
        kept, left = cards_kept(g, p), sum(g.packet[p])
        offered = len(members(g.packet_experts[p])) if experts else 0
        skipped = experts and p < g.actor and pick == DRAFT_PICKS == kept and g.expert[p] == NONE and not offered
        if (kept != pick + (p < g.actor) and not skipped) or left + offered != packet - kept or offered > PACKET_EXPERTS:
            raise fail(f"players[{p}].packet", "packets and kept cards are inconsistent with the pick")
        if sum(g.characters[p]) > DRAFT_PICKS:
            raise fail(f"players[{p}].characters", f"no player keeps more than {DRAFT_PICKS} characters")
    _check_setup(g)


_ACTION_OF = {Stage.TAKE: Action.EXPLOIT, Stage.TOKEN: Action.URBANIZE}
_MOMENTS: dict[Stage, Callable[[Fields], None]] = {
    Stage.DRAFT: _check_draft,
    Stage.EVENTS: _check_setup,
    Stage.COMMIT: _check_chooser,
    Stage.LOWER: _check_sequence,
    Stage.EVENT: _check_sequence,
    Stage.KEEP: _check_sequence,
    Stage.TAKE: _check_take,
    Stage.TOKEN: _check_new_building,
    Stage.RETURN: _check_return,
}
"""Further checks, by kind of decision."""
