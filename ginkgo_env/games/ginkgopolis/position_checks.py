"""What a position must be so that kernels can trust its record: every component in one place, a moment that a game can reach."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.errors import PositionError
from ginkgo_env.games.ginkgopolis.constants import (
    DISCARDED_CARDS,
    DRAFT_PICKS,
    FEW_PLAYERS,
    HAND_SIZE,
    N_CARDS,
    N_LETTERS,
    N_START,
    N_TILES,
    NEW_HANDS,
    NOBODY,
    NONE,
    NOWHERE,
    REMOVED_TILES,
    RESOURCES,
    SOLO_HAND_SIZE,
    WILLIAM,
    Action,
    Ending,
    Stage,
)
from ginkgo_env.games.ginkgopolis.notation import names_in
from ginkgo_env.games.ginkgopolis.tables import CARD_IDS, CARD_NAMES, CHARACTER_COPIES


def fail(where: str, problem: str) -> PositionError:
    """The error for a place in a position."""
    return PositionError(f"position: {where}: {problem}")


def check_components(g: Any) -> None:
    """Every component in one place, and everything that the decision needs there."""
    _check_tiles(g)
    _check_cards(g)
    _check_players(g)
    _check_decision(g)


def _check_tiles(g: Any) -> None:
    places = [int(t) for t in g.top[: int(g.n_buildings)]] + [int(t) for t in g.supply[: int(g.supply_size)]]
    places += [CARD_IDS[n] for words in (g.buried, g.removed, *g.tiles, *g.aside) for n in names_in(words)]
    places += [int(t) for t in g.tile if t != NONE]
    if sorted(places) != list(range(N_TILES)):
        odd = next(i for i in range(N_TILES) if places.count(i) != 1)
        raise fail("tiles", f"{CARD_NAMES[odd]} is in {places.count(odd)} places")
    floors = int(g.floors[: int(g.n_buildings)].sum())
    buried = len(names_in(g.buried))
    if floors != int(g.n_buildings) + buried:
        raise fail("city", f"{floors} floors do not go with {int(g.n_buildings)} buildings and {buried} buried tiles")


def _check_cards(g: Any) -> None:
    places = [int(c) for c in g.deck[: int(g.deck_size)]] + [int(c) for c in g.card if c != NONE]
    places += [CARD_IDS[n] for words in (g.discard, *g.hand, *g.tableau) for n in names_in(words)]
    built = [CARD_IDS[n] for n in names_in(g.buried)]
    built += [int(g.top[s]) for s in range(int(g.n_buildings)) if not g.pawn[s]]
    if sorted(places) != sorted([*built, *range(N_TILES, N_CARDS)]):
        wanted = {*built, *range(N_TILES, N_CARDS)}
        odd = next(i for i in range(N_CARDS) if places.count(i) != (i in wanted))
        raise fail("cards", f"{CARD_NAMES[odd]} is in {places.count(odd)} places, not {int(odd in wanted)}")
    tops = {int(t) for t in g.top[: int(g.n_buildings)]}
    held = [CARD_IDS[n] for words in (*g.hand, g.discard) for n in names_in(words)] + [int(c) for c in g.card]
    held += [int(c) for c in g.deck[: int(g.deck_size)]]
    for card in held:
        constructed = g.stage == Stage.RETURN and g.action == Action.CONSTRUCT and card == g.card[g.player]
        if 0 <= card < N_TILES and card not in tops and not constructed:
            raise fail("cards", f"{CARD_NAMES[card]} is in play, but its tile is not on top of a building")


def _check_players(g: Any) -> None:
    players = int(g.players)
    kept = int(g.characters.sum(axis=0).max()), (g.characters + g.packet).sum(axis=0)
    if (kept[1] > CHARACTER_COPIES).any():
        raise fail("players", "there are more characters than the box holds")
    for p in range(players):
        own = [s for s in range(int(g.n_buildings)) if g.owner[s] == p]
        placed = sum(int(g.floors[s]) for s in own)
        total = RESOURCES[1 if g.solo else players]
        if int(g.resources[p]) + int(g.supply_resources[p]) + placed != total:
            raise fail(f"players[{p}]", f"resources here, in the supply and on buildings are not {total} together")
        most = SOLO_HAND_SIZE if g.solo else HAND_SIZE
        if len(names_in(g.hand[p])) + (g.card[p] != NONE) > most:
            raise fail(f"players[{p}].hand", f"more than {most} cards")
        behind = {*names_in(g.tiles[p]), *names_in(g.aside[p])} | ({CARD_NAMES[g.tile[p]]} if g.tile[p] != NONE else set())
        if not set(names_in(g.known_tiles[p])) <= behind:
            raise fail(f"players[{p}].known_tiles", "not all are behind this screen or committed")
        left = (p + 1) % players
        cards = {*names_in(g.hand[left])} | ({CARD_NAMES[g.card[left]]} if g.card[left] != NONE else set())
        if not set(names_in(g.passed[p])) <= cards or (g.solo and names_in(g.passed[p])):
            raise fail(f"players[{p}].passed", "not all are in the left neighbor's hand or committed")
        wanted = 0 if g.solo else DRAFT_PICKS
        if g.stage != Stage.DRAFT and (int(g.characters[p].sum()) != wanted or g.packet[p].any()):
            raise fail(f"players[{p}].characters", f"expected {wanted} characters and no packet")
    if g.solo and (names_in(g.hand[WILLIAM]) or names_in(g.tiles[WILLIAM]) or g.tile[WILLIAM] != NONE):
        raise fail("players[1]", "William has no hand and no tiles")


def _check_decision(g: Any) -> None:
    held = [p for p in range(int(g.players)) if names_in(g.aside[p])]
    in_hand = [i for i in range(N_LETTERS) if g.token_x[i] == NOWHERE]
    if g.stage == Stage.TOKEN:
        card = int(g.card[g.player])
        newest = int(g.n_buildings) - 1
        if in_hand != [card - N_TILES] or g.floors[newest] != 1 or g.owner[newest] != g.player:
            raise fail("tokens", "exactly the token of the resolving card is in hand, and the last building is its new one")
    elif in_hand:
        raise fail("tokens", "a token is in hand only during a token decision")
    if held and g.stage != Stage.RETURN:
        raise fail("players", "tiles are set aside only while tiles are returned")
    if g.stage == Stage.RETURN:
        if g.supply_size or g.exhaustions != 1 or g.card[g.player] == NONE:
            raise fail("decision", "tiles are returned when the supply has run out for the first time")
        if any((p - int(g.first)) % int(g.players) > g.returner for p in held):
            raise fail("players", "who has not chosen yet has set no tile aside")
    if g.stage == Stage.RETURN:
        _check_action(g)
    if g.stage == Stage.TAKE and g.card[g.player] < N_TILES:
        raise fail("decision", "only an urbanization card lets a player take something")
    if g.stage == Stage.COMMIT and not names_in(g.hand[g.actor]):
        raise fail("decision", "the actor has no card")
    if g.stage == Stage.DRAFT:
        _check_draft(g)
        _check_setup(g)
    elif g.stage != Stage.OVER:
        _check_supply(g)
        for p in range(1 if g.solo else int(g.players)):
            _check_commitment(g, p)


def _check_action(g: Any) -> None:
    """The action under way fits its card: a building card whose tile is covered was constructed on, a letter never is."""
    card = int(g.card[g.player])
    covered = card < N_TILES and CARD_NAMES[card] in names_in(g.buried)
    if (g.action == Action.CONSTRUCT) != covered or (g.action == Action.URBANIZE and card < N_TILES):
        raise fail("pending.action", "it does not go with the card")


def _check_supply(g: Any) -> None:
    """An empty supply triggers the end (R7.3, R9.5), and after that nobody chooses again (R8.1)."""
    _check_returned(g)
    empty = g.supply_size == 0 and g.stage != Stage.RETURN
    if (empty or g.exhaustions == 2) and g.ending == Ending.NONE:
        raise fail("ending", "the supply of tiles has run out, which triggers the end")
    if g.stage == Stage.COMMIT and g.ending != Ending.NONE:
        raise fail("ending", "no further round is begun once the end is triggered")


def _check_returned(g: Any) -> None:
    """After the first exhaustion the supply consists of the tiles that were returned then (R7.1)."""
    returned = set(names_in(g.returned))
    if (g.solo or g.exhaustions == 0 or g.stage == Stage.RETURN) and returned:
        raise fail("returned", "no tiles have been returned yet")
    supply = {CARD_NAMES[t] for t in g.supply[: int(g.supply_size)]}
    if returned & set(names_in(g.removed)) or (g.exhaustions > 0 and not supply <= returned):
        raise fail("returned", "the supply, and nothing out of the game, consists of the tiles returned")
    if g.exhaustions == 1 and not g.solo and g.stage != Stage.RETURN and not returned:
        raise fail("returned", "without a tile returned the supply counts as exhausted for the second time")


def _check_commitment(g: Any, p: int) -> None:
    """Who has chosen and not acted yet has a card out, nobody else; a player without any card was skipped (R3.1, R3.4, R3.6)."""
    turn = (p - int(g.first)) % int(g.players)
    cards, where = len(names_in(g.hand[p])), f"players[{p}]"
    if g.stage == Stage.COMMIT:
        waits = turn < g.cursor
    elif g.solo:
        waits = g.player == p
        if not waits and cards:
            raise fail(f"{where}.hand", "the cards not played were discarded before William acts")
    else:
        waits = turn >= g.cursor
        if cards >= HAND_SIZE:
            raise fail(f"{where}.hand", f"more than {HAND_SIZE - 1} cards after choosing")
    if not waits and (g.card[p] != NONE or g.tile[p] != NONE):
        raise fail(f"{where}.commitment", "this player has not chosen yet, or has acted already")
    if waits and g.card[p] == NONE and cards:
        raise fail(f"{where}.commitment", "this player has cards and must have chosen one")
    if g.stage != Stage.COMMIT and p == g.player and g.tile[p] != NONE:
        raise fail(f"{where}.commitment.tile", "its tile has left the card already")


def _check_setup(g: Any) -> None:
    """During the draft nothing has happened on the table yet (R2)."""
    few = g.players <= FEW_PLAYERS
    tiles, cards = N_TILES - N_START, N_START + N_LETTERS
    full = (tiles - REMOVED_TILES, cards - DISCARDED_CARDS) if few else (tiles, cards)
    empty = (g.hand, g.tiles, g.aside, g.tableau, g.buried, g.returned, g.points, g.resources, g.exhaustions, g.ending)
    players = int(g.players)
    if (
        g.n_buildings != N_START
        or (int(g.supply_size), int(g.deck_size)) != full
        or any(np.any(field) for field in empty)
        or (g.card != NONE).any()
        or (g.owner != NOBODY).any()
        or g.pawn.any()
        or (g.new_hands[:players] != NEW_HANDS).any()
    ):
        raise fail("decision", "during the draft nothing has happened on the table yet")


def _check_draft(g: Any) -> None:
    g.pick = int(g.characters[g.actor].sum())
    if g.pick >= DRAFT_PICKS:
        raise fail("decision", f"no player keeps more than {DRAFT_PICKS} characters")
    for p in range(int(g.players)):
        picked = int(g.pick) + (p < g.actor)
        if int(g.characters[p].sum()) != picked or int(g.packet[p].sum()) != 4 - picked or picked > DRAFT_PICKS:
            raise fail(f"players[{p}].packet", "packets and kept characters do not go with the pick")
