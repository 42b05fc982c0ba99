"""What a position must be so that kernels can trust its record: every component in one place, a moment that a game can reach."""

from __future__ import annotations

from collections import Counter
from typing import Any

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
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import CHARACTER_COPIES, HAS_CARD, NAMES
from ginkgo_env.games.ginkgopolis.text.notation import names_in
from ginkgo_env.games.ginkgopolis.text.position.checks_expansion import check_expansion
from ginkgo_env.games.ginkgopolis.text.position.data import fail
from ginkgo_env.games.ginkgopolis.text.position.moment import check_moment
from ginkgo_env.games.ginkgopolis.text.position.write import full_hand
from ginkgo_env.games.ginkgopolis.text.reading import tiles_in, with_module

_LETTERS = NAMES[N_TILES:N_CARDS]


def check_position(g: State) -> None:
    """Every component in one place, and everything that the decision needs there."""
    _check_tiles(g)
    _check_floors(g)
    _check_cards(g)
    _check_characters(g)
    for p in range(int(g.players)):
        _check_player(g, p)
        _check_knowledge(g, p)
    if g.solo and (names_in(g.hand[WILLIAM]) or names_in(g.tiles[WILLIAM]) or g.tile[WILLIAM] != NONE):
        raise fail("players[1]", "William has no hand and no tiles")
    if g.expansion:
        check_expansion(g)
    check_moment(g)


def _names(numbers: Any) -> list[str]:
    return [NAMES[i] for i in numbers if i != NONE]


def _tops(g: State) -> list[int]:
    return [int(t) for t in g.top[: int(g.n_buildings)]]


def _check_tiles(g: State) -> None:
    """Every tile that is in the box is in one place, every green space too (R1.1, X)."""
    found = Counter(_names(g.top))
    for tiles in (g.supply, g.tile, g.lower, g.new_buildings):
        found.update(_names(tiles))
    for words in (g.buried, g.removed, g.prestige):
        found.update(names_in(words))
    for pile in ("tiles", "aside", "lower_tiles") if g.expansion else ("tiles", "aside"):
        for p in range(int(g.players)):
            found.update(tiles_in(g, pile, p))
    box = Counter(NAMES[:N_TILES])
    if with_module(g, Module.NEW_BUILDINGS):
        box.update(NAMES[FIRST_NEW_BUILDING:FIRST_PRESTIGE])
    if with_module(g, Module.PRESTIGE):
        box.update(NAMES[FIRST_PRESTIGE:GREEN_SPACE])
    if g.expansion:
        found[NAMES[GREEN_SPACE]] += int(g.green_stack)
        box[NAMES[GREEN_SPACE]] = N_GREEN_SPACES if with_module(g, Module.GREEN_SPACES) else 0
    _compare("tiles", found, box)


def _compare(what: str, found: Counter[str], wanted: Counter[str]) -> None:
    for name in sorted({*found, *wanted}, key=NAMES.index):
        if found[name] != wanted[name]:
            raise fail(what, f"{name} is in {found[name]} places, not {wanted[name]}")


def _check_floors(g: State) -> None:
    buildings, floors = int(g.n_buildings), int(g.floors[: int(g.n_buildings)].sum())
    covered = len(names_in(g.buried))
    if g.expansion:
        covered += sum(len(tiles_in(g, "lower_tiles", p)) for p in range(int(g.players)))
    if floors != buildings + covered:
        raise fail("city", f"{floors} floors do not go with {buildings} buildings and {covered} tiles under others")


def _check_cards(g: State) -> None:
    """A card is in play once its tile lies open without a pawn, or is covered; then it is in one place (R5.4, R3.6)."""
    held = _names(g.deck) + _names(g.card) + _names(g.kept) + [name for words in (*g.hand, g.discard) for name in names_in(words)]
    tops = _tops(g)
    for s, top in enumerate(tops):
        if g.pawn[s] and not HAS_CARD[top]:
            raise fail(f"city[{s}].pawn", f"{NAMES[top]} has no card")
    built = [NAMES[top] for s, top in enumerate(tops) if HAS_CARD[top] and not g.pawn[s]]
    wanted = Counter([*names_in(g.buried), *built, *_LETTERS])
    _compare("cards", Counter(held + [name for words in g.tableau for name in names_in(words)]), wanted)
    # That of a building just constructed on is the only one outside tableaus whose tile is covered.
    usable = {*built, *_LETTERS, *(_names([g.card[g.player]]) if g.action == Action.CONSTRUCT else [])}
    for name in held:
        if name not in usable:
            raise fail("cards", f"{name} is in play, but its tile is not on top of a building")


def _check_characters(g: State) -> None:
    if ((g.characters + g.packet).sum(axis=0) > CHARACTER_COPIES).any():
        raise fail("players", "there are more characters than the box holds")
    for p in range(0 if g.stage == Stage.DRAFT else int(g.players)):
        wanted = 0 if g.solo else DRAFT_PICKS
        if int(g.characters[p].sum()) != wanted or g.packet[p].any():
            raise fail(f"players[{p}].characters", f"expected {wanted} characters and no packet")


def _check_player(g: State, p: int) -> None:
    placed = sum(int(g.floors[s]) for s in range(int(g.n_buildings)) if g.owner[s] == p)
    total = RESOURCES[1 if g.solo else int(g.players)]
    if int(g.resources[p]) + int(g.supply_resources[p]) + placed != total:
        raise fail(f"players[{p}]", f"resources here, in the supply and on buildings are not {total} together")
    if len(_cards_of(g, p)) > full_hand(g):
        raise fail(f"players[{p}].hand", f"more than {full_hand(g)} cards")


def _cards_of(g: State, p: int) -> list[str]:
    """The cards in hand, committed or kept."""
    return names_in(g.hand[p]) + _names([g.card[p], *g.kept[p : p + 1]])


def _check_knowledge(g: State, p: int) -> None:
    """What is known to be somewhere is there (R10.3, X7.4)."""
    behind = Counter(tiles_in(g, "tiles", p) + tiles_in(g, "aside", p) + _names([g.tile[p], *g.lower[p : p + 1]]))
    if not Counter(tiles_in(g, "known_tiles", p)) <= behind:
        raise fail(f"players[{p}].known_tiles", "not all are behind this screen or committed")
    passed = names_in(g.passed[p])
    if not set(passed) <= set(_cards_of(g, (p + 1) % int(g.players))) or (g.solo and passed):
        raise fail(f"players[{p}].passed", "the left neighbor does not have all of them")
