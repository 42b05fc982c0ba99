"""Checks that every component of a position is in one place, as kernels require."""

from __future__ import annotations

from collections import Counter

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.validation import fail
from ginkgo_env.games.ginkgopolis.constants import (
    DRAFT_PICKS,
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    GREEN_SPACE,
    N_CARDS,
    N_GREEN_SPACES,
    N_TILES,
    NONE,
    RESOURCES,
    WILLIAM,
    Action,
    Module,
    Stage,
)
from ginkgo_env.games.ginkgopolis.tables import CHARACTER_COPIES, HAS_CARD, NAMES
from ginkgo_env.games.ginkgopolis.text.notation import names_in
from ginkgo_env.games.ginkgopolis.text.position.check_expansion import check_expansion
from ginkgo_env.games.ginkgopolis.text.position.check_moment import check_moment
from ginkgo_env.games.ginkgopolis.text.reading import is_shown, tiles_in, with_module

_LETTERS = NAMES[N_TILES:N_CARDS]
_TILE_PILES = ("tiles", "aside", "lower_tiles")


def check_position(g: Fields) -> None:
    """Check that every component is in one place, and that the decision fits."""
    _check_tiles(g)
    _check_floors(g)
    _check_cards(g)
    _check_characters(g)
    for p in range(g.players):
        _check_player(g, p)
        _check_knowledge(g, p)
    if g.solo and (any(g.hand[WILLIAM]) or any(g.tiles[WILLIAM]) or g.tile[WILLIAM] != NONE):
        raise fail("players[1]", "William has no hand and no tiles")
    if g.expansion:
        check_expansion(g)
    check_moment(g)


def _names(numbers: list[int]) -> list[str]:
    return [NAMES[i] for i in numbers if i != NONE]


def _check_tiles(g: Fields) -> None:
    """Check that every tile of the box is in one place, and the number of green spaces (R1.1, X3.1)."""
    counts = Counter(_names([*g.top, *g.supply, *g.tile, *g.lower, *g.new_buildings]))
    for words in (g.buried, g.removed, g.prestige):
        counts.update(names_in(words))
    for pile in _TILE_PILES:
        for p in range(g.players):
            counts.update(tiles_in(g, pile, p))
    counts[NAMES[GREEN_SPACE]] += g.green_stack
    box = Counter(NAMES[:N_TILES])
    if with_module(g, Module.NEW_BUILDINGS):
        box.update(NAMES[FIRST_NEW_BUILDING:FIRST_PRESTIGE])
    if with_module(g, Module.PRESTIGE):
        box.update(NAMES[FIRST_PRESTIGE:GREEN_SPACE])
    box[NAMES[GREEN_SPACE]] = N_GREEN_SPACES if with_module(g, Module.GREEN_SPACES) else 0
    _compare("tiles", counts, box)


def _compare(what: str, counts: Counter[str], expected: Counter[str]) -> None:
    if counts == expected:
        return
    name = min((name for name in {*counts, *expected} if counts[name] != expected[name]), key=NAMES.index)
    raise fail(what, f"{name} must be in {expected[name]} places, got {counts[name]}")


def _check_floors(g: Fields) -> None:
    buildings, floors = g.n_buildings, sum(g.floors[: g.n_buildings])
    covered = len(names_in(g.buried)) + sum(len(tiles_in(g, "lower_tiles", p)) for p in range(g.players))
    if floors != buildings + covered:
        raise fail("city", f"{floors} floors are inconsistent with {buildings} buildings and {covered} covered tiles")


def _check_cards(g: Fields) -> None:
    """Check that each card in play is in one place: its tile is open without pawn, or covered (R5.4)."""
    held = _names([*g.deck, *g.card, *g.kept]) + [name for words in (*g.hand, g.discard) for name in names_in(words)]
    tops = g.top[: g.n_buildings]
    for s, top in enumerate(tops):
        if g.pawn[s] and not HAS_CARD[top]:
            raise fail(f"city[{s}].pawn", f"expected false: {NAMES[top]} has no card")
    built = [NAMES[top] for top, pawn in zip(tops, g.pawn, strict=False) if HAS_CARD[top] and not pawn]
    expected = Counter([*names_in(g.buried), *built, *_LETTERS])
    _compare("cards", Counter(held + [name for words in g.tableau for name in names_in(words)]), expected)
    # That of a building just constructed on is the only one outside tableaus whose tile is covered.
    usable = {*built, *_LETTERS, *(_names([g.card[g.player]]) if g.action == Action.CONSTRUCT else [])}
    for name in held:
        if name not in usable:
            raise fail("cards", f"{name} is in play, but its tile is not on top of a building")


def _check_characters(g: Fields) -> None:
    for counts, most in zip(zip(*g.characters, *g.packet, strict=True), CHARACTER_COPIES, strict=True):
        if sum(counts) > most:
            raise fail("players", "there are more characters than the box holds")
    for p in range(0 if g.stage == Stage.DRAFT else g.players):
        expected = 0 if g.solo else DRAFT_PICKS
        if sum(g.characters[p]) != expected or any(g.packet[p]):
            raise fail(f"players[{p}].characters", f"expected {expected} characters and no packet")


def _check_player(g: Fields, p: int) -> None:
    placed = sum(floors for floors, owner in zip(g.floors[: g.n_buildings], g.owner, strict=False) if owner == p)
    total = RESOURCES[1 if g.solo else g.players]
    if g.resources[p] + g.supply_resources[p] + placed != total:
        raise fail(f"players[{p}]", f"resources here, in the supply and on buildings do not add up to {total}")
    if len(names_in(g.hand[p]) + _names([g.card[p], g.kept[p]])) > g.hand_size:
        raise fail(f"players[{p}].hand", f"more than {g.hand_size} cards")


def _check_knowledge(g: Fields, p: int) -> None:
    """Check that components known to be in a place are there (R10.3, X7.4)."""
    behind = Counter(tiles_in(g, "tiles", p) + tiles_in(g, "aside", p) + _names([g.tile[p], g.lower[p]]))
    if not Counter(tiles_in(g, "known_tiles", p)) <= behind:
        raise fail(f"players[{p}].known_tiles", "some are neither behind this screen nor committed")
    left = (p + 1) % g.players
    hidden = names_in(g.hand[left]) + _names([g.kept[left], NONE if is_shown(g, left) else g.card[left]])
    passed = names_in(g.passed[p])
    if not set(passed) <= set(hidden) or (g.solo and passed):
        raise fail(f"players[{p}].passed", "the left neighbor has some of them neither in hand nor committed unseen")
