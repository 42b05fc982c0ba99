"""Checks of what The Experts adds to a position: stacks, green spaces, experts, events, cards."""

from __future__ import annotations

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.validation import fail
from ginkgo_env.games.ginkgopolis.constants import (
    GREEN_SPACE,
    N_EVENTS,
    NOBODY,
    NONE,
    PACKET_EXPERTS,
    EventTile,
    Expert,
    Module,
    Stage,
)
from ginkgo_env.games.ginkgopolis.tables import EVENT_NAMES, EVENTS_OF_EXPERT, EXPERT_NAMES
from ginkgo_env.games.ginkgopolis.text.notation import members, names_in
from ginkgo_env.games.ginkgopolis.text.reading import CHOOSING, is_letter, removed_tiles, tiles_in, with_module

_EVENTS_EACH = 2  # X4.1


def check_expansion(g: Fields) -> None:
    """Check what only games with modules have, except for the turn under way."""
    if len(names_in(g.removed)) < removed_tiles(g):
        raise fail("removed", f"at least {removed_tiles(g)} tiles leave the game at the setup")
    _check_green_spaces(g)
    _check_experts(g)
    for p in range(g.players):
        if any(g.lower_tiles[p]) and g.expert[p] != Expert.ARCHITECT:
            raise fail(f"players[{p}].lower_tiles", "only an architect builds with two tiles")
        if with_module(g, Module.EVENTS):
            _check_events(g, p)
        _check_card(g, p)


def _check_green_spaces(g: Fields) -> None:
    """Check that green spaces have owners, and only an architect's has a tile under it (X3, X6.4)."""
    for s in range(g.n_buildings):
        owner = g.owner[s]
        if g.top[s] != GREEN_SPACE:
            continue
        if owner == NOBODY:
            raise fail(f"city[{s}].owner", "expected a seat: a green space belongs to the player who placed it")
        under = g.floors[s] - 1
        if under > 1 or under > len(tiles_in(g, "lower_tiles", owner)):
            raise fail(f"city[{s}].floors", "nothing is built on a green space; only an architect places one on another tile")


def _check_experts(g: Fields) -> None:
    """Check that each player has a different expert; in the draft there are two for each player (X6.1)."""
    with_experts = with_module(g, Module.EXPERTS)
    about = [expert for expert in g.expert if expert != NONE] + [e for packet in g.packet_experts for e in members(packet)]
    if len(set(about)) != len(about):
        twice = next(expert for expert in about if about.count(expert) > 1)
        raise fail("players", f"duplicate {EXPERT_NAMES[twice]}")
    if with_experts and g.stage == Stage.DRAFT and len(about) != PACKET_EXPERTS * g.players:
        raise fail("players", f"in the draft there are {PACKET_EXPERTS} experts for each player")
    for p in range(g.players if with_experts and g.stage != Stage.DRAFT else 0):
        if g.expert[p] == NONE or any(g.packet_experts[p]):
            raise fail(f"players[{p}].expert", "after the draft everybody has an expert, and no packet")


def _check_events(g: Fields, p: int) -> None:
    """Check that each player has or had two event tiles after setup, with experts theirs (X4.1)."""
    held, played, committed = g.events[p], g.events_played[p], 0 if g.event[p] == NONE else 1 << g.event[p]
    mine = held + played + committed
    where = f"players[{p}].events"
    if held | played | committed != mine:
        raise fail(where, "an event is in two places")
    if g.stage == Stage.DRAFT:
        if mine:
            raise fail(where, "events come after the draft")
    elif g.stage == Stage.EVENTS and p >= g.actor:
        if held != (1 << N_EVENTS) - 1:
            raise fail(where, "a player who has not chosen yet has one of each kind")
    elif mine.bit_count() != _EVENTS_EACH:
        raise fail(where, f"expected {_EVENTS_EACH} with those committed and played")
    elif with_module(g, Module.EXPERTS) and mine != EVENTS_OF_EXPERT[g.expert[p]]:
        raise fail(where, f"expected those of the {EXPERT_NAMES[g.expert[p]]}")
    _check_known_events(g, p, held | committed)


def _check_known_events(g: Fields, p: int, held: int) -> None:
    """Check that only an expropriation is known to have been taken back (X4.4, X7.4)."""
    known, where = g.events_known[p], f"players[{p}].known_events"
    if known & ~(1 << EventTile.EXPROPRIATION):
        raise fail(where, f"only {EVENT_NAMES[EventTile.EXPROPRIATION]} goes back without effect")
    if known & ~held:
        raise fail(where, "some are neither behind this screen nor committed")
    if known and g.stage == Stage.EVENTS:
        raise fail(where, "no event has been committed yet")


def _check_card(g: Fields, p: int) -> None:
    """Check what lies on committed cards (X3.1, X4.4, X6.4)."""
    card, where = g.card[p], f"players[{p}].commitment"
    if card == NONE:
        return
    if g.stage == Stage.OVER:
        raise fail(where, "when the game is over all cards have been put away")
    if g.tile[p] == GREEN_SPACE and not is_letter(card):
        raise fail(f"{where}.tile", "green spaces are played with urbanization cards only")
    if g.lower[p] != NONE and (g.tile[p] == NONE or g.expert[p] != Expert.ARCHITECT):
        raise fail(f"{where}.lower", "only an architect commits a second tile, with a first one")
    if g.event[p] == EventTile.EXPROPRIATION and not _could_expropriate(g, p, card):
        raise fail(f"{where}.event", f"{EVENT_NAMES[EventTile.EXPROPRIATION]} requires a building of another player")


def _could_expropriate(g: Fields, p: int, card: int) -> bool:
    """Check that expropriation goes with a building card whose building belongs to another player."""
    if is_letter(card):
        return False
    return g.stage not in CHOOSING or g.owner[g.slot[card]] not in (NOBODY, p)
