"""Positions: reading them back into records.

Reading is strict. A position that says too little, too much or something impossible is refused with the place where it
goes wrong; one that is accepted gives a record that kernels can trust.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from ginkgo_env.core.errors import ConfigError, shown
from ginkgo_env.core.game import States
from ginkgo_env.games.ginkgopolis.config import GinkgopolisConfig
from ginkgo_env.games.ginkgopolis.constants import (
    GREEN_SPACE,
    N_CARDS,
    N_CHARACTERS,
    N_TILES,
    NEW_HANDS,
    NOBODY,
    NONE,
    RESOURCES,
    Action,
    Ending,
    Module,
    Stage,
)
from ginkgo_env.games.ginkgopolis.kernels import KERNELS
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import (
    CARD_ACTION,
    CARD_GAIN,
    CHARACTER_ACTION,
    CHARACTER_GAIN,
    CHARACTER_IDS,
    HAS_CARD,
    IDS,
)
from ginkgo_env.games.ginkgopolis.text.notation import card_ids, layout_of, names_in, tile_ids
from ginkgo_env.games.ginkgopolis.text.position.checks import check_position
from ginkgo_env.games.ginkgopolis.text.position.city import read_city
from ginkgo_env.games.ginkgopolis.text.position.data import choice, count_up, fail, fields_of, listed, named, number, put, word
from ginkgo_env.games.ginkgopolis.text.position.moment import cards_kept
from ginkgo_env.games.ginkgopolis.text.position.read_expansion import read_event, read_more_of_player, read_stacks, read_turn
from ginkgo_env.games.ginkgopolis.text.position.write import FORMAT, GAME, RESOLVING, VERSION
from ginkgo_env.games.ginkgopolis.text.reading import CHOOSING, PILES

_KEYS = {
    *("format", "version", "game", "config", "random", "seed", "round", "first_player", "decision", "ending"),
    *("exhaustions", "pending", "city", "tokens", "buried", "supply", "removed", "returned", "deck", "discard", "players"),
}
_PLAYER_KEYS = {
    *("points", "resources", "supply", "new_hands", "characters", "packet", "hand", "commitment", "tiles"),
    *("returning", "known_tiles", "tableau", "passed"),
}
_PENDING_KEYS = {"player", "action", "draws"}
_COMMITMENT_KEYS = {"card", "tile"}
# What the expansion adds to each.
_STACK_KEYS = {"new_buildings", "prestige", "green_spaces"}
_MORE_OF_PLAYER_KEYS = {"expert", "packet_experts", "events", "events_played", "kept", "lower_tiles"}
_TURN_KEYS = {"phase", "timing", "event", "zone", "split", "green_drawn", "received"}
_MORE_ON_CARD_KEYS = {"lower", "event"}
_CONFIG_KEYS = {"modules", "hand_size"}

_KINDS = {stage.name.lower(): stage for stage in Stage if stage < Stage.DEAL}
_ACTIONS = {action.name.lower(): action for action in Action}
_ENDINGS: dict[str | None, Ending] = {e.name.lower() if e else None: e for e in Ending}
_BASE_TILES = {name: i for name, i in IDS.items() if i < N_TILES}
_BUILDING_CARDS = {name: i for name, i in IDS.items() if HAS_CARD[i] and not N_TILES <= i < N_CARDS}
_MAX_POINTS, _MAX_DRAWS = 20_000, 1_000
_NEEDS = {
    Stage.EVENTS: {Module.EVENTS},
    Stage.LOWER: {Module.EXPERTS},
    Stage.EVENT: {Module.EVENTS},
    Stage.KEEP: {Module.KEEP_CARD},
    Stage.TIMING: {Module.EVENTS},
    Stage.SPLIT: {Module.NEW_BUILDINGS, Module.PRESTIGE, Module.GREEN_SPACES},
    Stage.PAY: {Module.EVENTS},
}
"""Decisions that there are only with one of these modules."""


def read_config(position: Any) -> GinkgopolisConfig:
    """The configuration of a position. Raises PositionError."""
    if not isinstance(position, Mapping):
        raise fail("the whole", f"expected an object, not {shown(position)}")
    given, keys = position.get("config"), set(asdict(GinkgopolisConfig()))
    with_modules = isinstance(given, Mapping) and "modules" in given
    fields = fields_of(given, keys if with_modules else keys - _CONFIG_KEYS, "config")
    if with_modules and (not isinstance(fields["modules"], list) or not fields["modules"]):
        raise fail("config.modules", "expected a list of names; without any, modules and hand_size are left out")
    try:
        return GinkgopolisConfig(**fields)
    except (ConfigError, TypeError) as error:
        raise fail("config", str(error)) from None


def read_position(position: Any, template: States) -> States:
    """A record of shape (1,) from plain data; `template` is the blank record of the configuration. Raises PositionError."""
    states: States = template.copy().view(np.recarray)
    g = states[0]
    data = fields_of(position, _keys(g, _KEYS, _STACK_KEYS), "the whole")
    for key, wanted in (("format", FORMAT), ("version", VERSION), ("game", GAME)):
        if type(data[key]) is not type(wanted) or data[key] != wanted:
            raise fail(key, f"expected {wanted!r}, not {shown(data[key])}")
    _read_status(g, data)
    read_city(g, data)
    _read_piles(g, data)
    if g.expansion:
        read_stacks(g, data)
    players = data["players"]
    if not isinstance(players, list) or len(players) != g.players:
        raise fail("players", f"expected a list of {int(g.players)} players")
    for p, player in enumerate(players):
        _read_player(g, p, player, f"players[{p}]")
    check_position(g)
    _derive(g)
    if g.stage != Stage.OVER:
        KERNELS[bool(g.expansion)].legal(0, 1, states, None, mask := np.zeros((1, layout_of(g).size), np.int8))
        if not mask.any():
            raise fail("decision", "the actor has no legal action, so this would not be asked")
    return states


def _keys(g: State, base: set[str], more: set[str]) -> set[str]:
    """The keys of an object: with modules it has more."""
    return base | more if g.expansion else base


def _read_status(g: State, data: Mapping[str, Any]) -> None:
    seats = 1 if g.solo else int(g.players)
    g.rng, g.seed = word(data["random"], "random"), word(data["seed"], "seed")
    g.rounds = number(data["round"], 0, int(g.max_rounds), "round")
    first = data["first_player"]
    g.first = NOBODY if first is None else number(first, 0, seats - 1, "first_player")
    decision = fields_of(data["decision"], {"kind", "actor"}, "decision")
    g.stage = choice(decision["kind"], _kinds(g), "decision.kind")
    if g.stage == Stage.OVER:
        if decision["actor"] is not None:
            raise fail("decision.actor", "nobody acts when the game is over")
        g.actor = NOBODY
    else:
        g.actor = number(decision["actor"], 0, seats - 1, "decision.actor")
    setup = g.stage in (Stage.DRAFT, Stage.EVENTS)
    if setup != (g.first == NOBODY) or setup != (g.rounds == 0):
        raise fail("first_player", "it is null, and the round 0, exactly during the setup")
    g.ending = choice(data["ending"], _ENDINGS, "ending")
    g.exhaustions = number(data["exhaustions"], 0, 2, "exhaustions")
    if (g.stage == Stage.OVER) and g.ending == Ending.NONE:
        raise fail("ending", "a game that is over has ended somehow")
    if g.stage in RESOLVING:
        _read_pending(g, data["pending"])
    elif data["pending"] is not None:
        raise fail("pending", "expected null, as no action is under way")
    elif g.stage in CHOOSING:
        g.cursor = (int(g.actor) - int(g.first)) % int(g.players)


def _kinds(g: State) -> dict[str, Stage]:
    """The decisions that there are in this configuration."""
    modules = {module for module, on in zip(Module, g.modules, strict=False) if on}
    kinds = {name: stage for name, stage in _KINDS.items() if stage not in _NEEDS or _NEEDS[stage] & modules}
    if not g.draft:
        del kinds["draft"]
    if Module.EXPERTS in modules:  # they bring their events (X4.1)
        kinds.pop("events", None)
    return kinds


def _read_pending(g: State, pending: Any) -> None:
    fields = fields_of(pending, _keys(g, _PENDING_KEYS, _TURN_KEYS), "pending")
    g.player = number(fields["player"], 0, int(g.players) - 1, "pending.player")
    g.draws = number(fields["draws"], 0, _MAX_DRAWS, "pending.draws")
    if g.expansion:
        read_turn(g, fields)
    if fields["action"] is not None or not g.expansion:
        g.action = choice(fields["action"], _ACTIONS, "pending.action")
    if g.stage == Stage.RETURN:
        if g.solo:
            raise fail("decision.kind", "alone no tiles are returned (R9.5)")
        g.returner = (int(g.actor) - int(g.first)) % int(g.players)
    if not g.solo:
        g.cursor = (int(g.player) - int(g.first)) % int(g.players)


def _read_piles(g: State, data: Mapping[str, Any]) -> None:
    supply, deck = listed(data["supply"], _BASE_TILES, "supply"), listed(data["deck"], card_ids(g), "deck")
    g.supply_size, g.deck_size = len(supply), len(deck)
    g.supply[: len(supply)] = supply[::-1]
    g.deck[: len(deck)] = deck[::-1]
    put(g.buried, listed(data["buried"], _building_cards(g), "buried"))
    put(g.removed, listed(data["removed"], _BASE_TILES, "removed"))
    put(g.returned, listed(data["returned"], _BASE_TILES, "returned"))
    put(g.discard, listed(data["discard"], card_ids(g), "discard"))


def _building_cards(g: State) -> dict[str, int]:
    """Building cards, which name the tiles that can be built on."""
    return _BUILDING_CARDS if g.expansion else _BASE_TILES


def _read_player(g: State, p: int, player: Any, where: str) -> None:
    fields = fields_of(player, _keys(g, _PLAYER_KEYS, _MORE_OF_PLAYER_KEYS), where)
    total = RESOURCES[1 if g.solo else int(g.players)]
    g.points[p] = number(fields["points"], 0, _MAX_POINTS, f"{where}.points")
    g.resources[p] = number(fields["resources"], 0, total, f"{where}.resources")
    g.supply_resources[p] = number(fields["supply"], 0, total, f"{where}.supply")
    g.new_hands[p] = number(fields["new_hands"], 0, 0 if g.solo else NEW_HANDS, f"{where}.new_hands")
    for key in ("characters", "packet"):
        names = listed(fields[key], CHARACTER_IDS, f"{where}.{key}", range(N_CHARACTERS))
        count_up(g[key][p], names)
    put(g.hand[p], listed(fields["hand"], card_ids(g), f"{where}.hand"))
    put(g.passed[p], listed(fields["passed"], card_ids(g), f"{where}.passed"))
    put(g.tableau[p], listed(fields["tableau"], _building_cards(g), f"{where}.tableau"))
    for pile, key in (("tiles", "tiles"), ("aside", "returning"), ("known_tiles", "known_tiles")):
        _read_tiles(g, pile, p, fields[key], f"{where}.{key}")
    if fields["commitment"] is not None:
        _read_commitment(g, p, fields["commitment"], f"{where}.commitment")
    if g.expansion:
        _read_tiles(g, "lower_tiles", p, fields["lower_tiles"], f"{where}.lower_tiles")
        read_more_of_player(g, p, fields, where)


def _read_tiles(g: State, pile: str, p: int, value: Any, where: str) -> None:
    """A pile of tiles that a player has; green spaces are equal (X3)."""
    tiles = listed(value, tile_ids(g), where, (GREEN_SPACE,))
    put(g[pile][p], tiles)
    if g.expansion:
        g[PILES[pile]][p] = tiles.count(GREEN_SPACE)


def _read_commitment(g: State, p: int, commitment: Any, where: str) -> None:
    card = fields_of(commitment, _keys(g, _COMMITMENT_KEYS, _MORE_ON_CARD_KEYS), where)
    g.card[p] = named(card["card"], card_ids(g), f"{where}.card")
    tiles = ("tile", "lower") if g.expansion else ("tile",)
    for key in tiles:
        if card[key] is not None:
            g[key][p] = named(card[key], tile_ids(g), f"{where}.{key}")
    if g.expansion:
        read_event(g, p, card["event"], f"{where}.event")


def _derive(g: State) -> None:
    """Fields that follow from others."""
    if g.stage == Stage.TOKEN:
        g.building = int(g.n_buildings) - 1
    if g.stage == Stage.DRAFT:
        g.pick = cards_kept(g, int(g.actor))
        return
    for p in range(1 if g.solo else int(g.players)):
        for c in range(N_CHARACTERS):
            g.bonus[p, CHARACTER_ACTION[c]] += (int(g.characters[p, c]) * CHARACTER_GAIN[c]).astype(np.int8)
        for name in names_in(g.tableau[p]):
            card = IDS[name]
            if CARD_ACTION[card] != NONE:
                g.bonus[p, CARD_ACTION[card]] += CARD_GAIN[card].astype(np.int8)
