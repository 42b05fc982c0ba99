"""What is hidden from whom in Ginkgopolis (R10, X7.3, X7.4): the table for ``tests/contract/hidden.py``."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from ginkgo_env.games.ginkgopolis.components import MODULE_NAMES
from ginkgo_env.games.ginkgopolis.constants import GREEN_SPACE, N_EVENTS, NONE, Stage
from ginkgo_env.games.ginkgopolis.notation import members
from ginkgo_env.games.ginkgopolis.queries import CHOOSING

from ..contract.hidden import Change, Place, counted, entry, flip, member

WITHOUT_EXPERTS = tuple(name for name in MODULE_NAMES if name != "experts")
CONFIGS: list[dict[str, Any]] = [
    {"players": 1, "level": "advanced"},
    {"players": 2, "setup": "draft"},
    {"players": 3, "setup": "draft", "strict": True},
    {"players": 5, "setup": "introductory"},
    {"players": 3, "modules": WITHOUT_EXPERTS},
    {"players": 3, "modules": MODULE_NAMES},
]
PLACES = {
    *(
        "deck",
        "other hand",
        "commitment",
        "kept",
        "supply",
        "removed",
        "screen",
        "tile on a card",
        "tile below",
        "under the city",
    ),
    *("new buildings", "draft", "experts"),
}
SHOWN = {
    *("points", "resources", "supply_resources", "new_hands", "known_tiles", "tableau", "characters", "buried", "discard"),
    *("returned", "rounds", "supply_size", "deck_size", "exhaustions", "draws", "hand", "tiles", "aside", "passed", "card"),
}
SECRET = {"draft", "events", "commit", "lower", "event", "keep", "return"}
VALUE_II = range(72, 81)


def others(g: Any, seat: int) -> list[int]:
    return [q for q in range(g.players) if q != seat]


def is_out(g: Any, q: int) -> bool:
    """Whether a card of q is out and not revealed."""
    return bool(g.card[q] != NONE and g.player != q and g.stage != Stage.OVER)


def hidden_things(g: Any, seat: int) -> Iterator[Place]:
    """Cards, tiles, characters and experts."""
    yield from hidden_cards(g, seat)
    yield from hidden_tiles(g, seat)
    for q in others(g, seat) if g.stage == Stage.DRAFT else ():
        for counts in (g.characters[q], g.packet[q]):
            for character in range(len(counts)):
                if counts[character]:
                    yield counted("draft", "character", counts, character)
        for expert in members(g.packet_experts[q]):
            yield member("experts", "expert", g.packet_experts[q], expert)
        if g.expert[q] != NONE:
            yield entry("experts", "expert", g.expert, q)


def hidden_cards(g: Any, seat: int) -> Iterator[Place]:
    """Those that the seat has not passed to the left (R10.3)."""
    for i in range(g.deck_size):
        yield entry("deck", "card", g.deck, i)
    for q in others(g, seat):
        known = members(g.passed[seat]) if q == (seat + 1) % g.players else []
        for card in members(g.hand[q]):
            if card not in known:
                yield member("other hand", "card", g.hand[q], card)
        for name, cards, hidden in (("commitment", g.card, is_out(g, q)), ("kept", g.kept, True)):
            if hidden and cards[q] not in (NONE, *known):
                yield entry(name, "card", cards, q)


def hidden_tiles(g: Any, seat: int) -> Iterator[Place]:
    """Those not known to all; of which value a tile is, and whether it was returned by R7.1, is known (X7.4)."""
    returned = members(g.returned)

    def kind(tile: int) -> tuple[str, bool, bool]:
        return "tile", tile in VALUE_II, tile in returned

    for i in range(g.supply_size):
        yield entry("supply", kind(g.supply[i]), g.supply, i)
    for i in range(g.n_new_buildings):
        yield entry("new buildings", kind(g.new_buildings[i]), g.new_buildings, i)
    for tile in members(g.removed):
        yield member("removed", kind(tile), g.removed, tile)
    for q in others(g, seat):
        known = [*members(g.known_tiles[q]), GREEN_SPACE, NONE]
        for name, tiles in (("screen", g.tiles[q]), ("screen", g.aside[q]), ("under the city", g.lower_tiles[q])):
            for tile in members(tiles):
                if tile not in known:
                    yield member(name, kind(tile), tiles, tile)
        for name, tiles, hidden in (("tile on a card", g.tile, is_out(g, q)), ("tile below", g.lower, True)):
            if hidden and tiles[q] not in known:
                yield entry(name, kind(tiles[q]), tiles, q)


# --- changes that are no exchanges -------------------------------------------------------------------------------------------


def what_lies_on_cards(g: Any, seat: int, rng: random.Random) -> bool:
    """R10.1: while players choose nobody sees how many tiles lie on a card, nor whether an event does."""
    changed = False
    for q in others(g, seat) if g.stage in CHOOSING and not g.solo else ():
        for tiles in (g.lower, g.tile):
            if is_out(g, q) and tiles[q] not in (NONE, GREEN_SPACE):
                flip(g.tiles[q], int(tiles[q]))
                tiles[q], changed = NONE, True
        if is_out(g, q) and g.event[q] != NONE:
            g.events[q] |= 1 << g.event[q]
            g.event[q], changed = NONE, True
    return changed


def tiles_set_aside(g: Any, seat: int, rng: random.Random) -> bool:
    """R7.1: which tiles others return, green spaces too, and how far the one who chooses has come."""
    changed = False
    for q in others(g, seat) if g.stage == Stage.RETURN else ():
        tiles = [tile for tile in members(g.tiles[q]) if tile != GREEN_SPACE and rng.random() < 0.5]
        if (q - g.first) % g.players <= g.returner:
            for tile in tiles[1 if g.actor == q else 0 :]:  # who chooses has something left
                flip(g.tiles[q], tile)
                flip(g.aside[q], tile)
                changed = True
            if g.green[q] > 1:
                if not g.green_aside[q]:
                    flip(g.aside[q], GREEN_SPACE)
                g.green_aside[q], g.green[q], changed = g.green_aside[q] + 1, g.green[q] - 1, True
    return changed


def knowledge(g: Any, seat: int, rng: random.Random) -> bool:
    """What others know of each other's hands."""
    changed = False
    for q in others(g, seat) if not g.solo else ():
        left = (q + 1) % g.players
        held = [card for card in members(g.hand[left]) if rng.random() < 0.5] if left != seat else []
        changed |= left != seat and held != members(g.passed[q])
        if left != seat:
            g.passed[q] = 0
            for card in held:
                flip(g.passed[q], card)
    return changed


def event_on_a_card(g: Any, seat: int, rng: random.Random) -> bool:
    """Another of the same player's events."""
    found = [(q, kind) for q in others(g, seat) if is_out(g, q) and g.event[q] != NONE for kind in range(N_EVENTS)]
    found = [(q, kind) for q, kind in found if g.events[q] >> kind & 1]
    if found:
        q, kind = rng.choice(found)
        g.events[q] ^= 1 << kind | 1 << g.event[q]
        g.event[q] = kind
    return bool(found)


def events_behind_a_screen(g: Any, seat: int, rng: random.Random) -> bool:
    """Without experts nobody knows which events the others have, but for those that went back."""
    found = [q for q in others(g, seat) if g.events[q] and g.expert[q] == NONE and g.stage != Stage.EVENTS]
    if not found:
        return False
    q = rng.choice(found)
    known = int(g.events[q] & g.events_known[q])
    n = int(g.events[q] & ~known).bit_count()
    free = [kind for kind in range(N_EVENTS) if g.event[q] != kind and not (g.events_played[q] | known) >> kind & 1]
    g.events[q] = known | sum(1 << kind for kind in rng.sample(free, n))
    return 0 < n < len(free)


CHANGES: dict[str, Change] = {
    "what lies on cards": what_lies_on_cards,
    "tiles set aside": tiles_set_aside,
    "knowledge": knowledge,
    "event on a card": event_on_a_card,
    "events behind a screen": events_behind_a_screen,
}


def missing(config: dict[str, Any]) -> set[str]:
    """Alone there is no other hand; modules bring more; nobody else's hand is known to the other one of two."""
    modules, n = config.get("modules", ()), config["players"]
    found = {"events behind a screen"} if "experts" in modules else {"experts", "tile below", "under the city"}
    if not modules:
        found |= {"kept", "new buildings", "event on a card", "events behind a screen"}
    if n == 1:
        found |= {"screen", "tile on a card", "draft", "what lies on cards", "tiles set aside", "other hand"}
    if n <= 2:
        found.add("knowledge")
    if n > 3:
        found.add("removed")
    if config.get("setup") == "introductory":
        found.add("draft")
    return found
