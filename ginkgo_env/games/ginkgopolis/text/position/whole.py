"""Complete positions: a state as plain data, and back (``docs/design/text-forms.md``).

Reading is strict. A position with missing, unknown or impossible values is refused with an error that names the place. Whether
the values go together is checked afterwards, in the record (``rules/soundness``). A position that is accepted is written again
exactly as it was read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from ginkgo_env.core.errors import ConfigError, shown
from ginkgo_env.core.fields import Fields
from ginkgo_env.core.game import States
from ginkgo_env.core.validation import choice, drawn_from, fail, fields_of, listed, number, or_null, pile_of, same, word
from ginkgo_env.games.ginkgopolis.config import GinkgopolisConfig
from ginkgo_env.games.ginkgopolis.constants import (
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    GREEN_SPACE,
    N_CHARACTERS,
    N_GREEN_SPACES,
    NOBODY,
    NONE,
    Ending,
    Module,
    Stage,
)
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import CARD_ACTION, CARD_GAIN, CHARACTER_ACTION, CHARACTER_GAIN, IDS, NAMES
from ginkgo_env.games.ginkgopolis.text.notation import card_ids, members, names_in
from ginkgo_env.games.ginkgopolis.text.position.city import read_city, write_city
from ginkgo_env.games.ginkgopolis.text.position.pending import read_pending, write_pending
from ginkgo_env.games.ginkgopolis.text.position.player import BASE_TILES, PLAYER, building_cards, read_all, write_all
from ginkgo_env.games.ginkgopolis.text.position.values import in_order, set_of
from ginkgo_env.games.ginkgopolis.text.reading import CHOOSING

_HEAD = {"format": "ginkgo-position", "version": 1, "game": "ginkgopolis"}
_KEYS = {
    *(*_HEAD, "config", "random", "seed", "round", "first_player", "decision", "ending", "exhaustions", "pending"),
    *("city", "tokens", "buried", "supply", "removed", "returned", "deck", "discard", "players"),
}
_STACK_KEYS = {"new_buildings", "prestige", "green_spaces"}  # with modules
_CONFIG_KEYS = {"modules", "hand_size"}  # with modules

_KINDS = {stage.name.lower(): int(stage) for stage in Stage if stage < Stage.DEAL}
_KIND_OF = {stage: kind for kind, stage in _KINDS.items()}
_ENDINGS: dict[str | None, int] = {e.name.lower() if e else None: int(e) for e in Ending}
_ENDING_OF = {ending: name for name, ending in _ENDINGS.items()}
_NEW_BUILDINGS = {name: i for name, i in IDS.items() if FIRST_NEW_BUILDING <= i < FIRST_PRESTIGE}
_PRESTIGE = {name: i for name, i in IDS.items() if FIRST_PRESTIGE <= i < GREEN_SPACE}
_NEEDS = {
    Stage.EVENTS: {Module.EVENTS},
    Stage.LOWER: {Module.EXPERTS},
    Stage.EVENT: {Module.EVENTS},
    Stage.KEEP: {Module.KEEP_CARD},
    Stage.TIMING: {Module.EVENTS},
    Stage.SPLIT: {Module.NEW_BUILDINGS, Module.PRESTIGE, Module.GREEN_SPACES},
    Stage.PAY: {Module.EVENTS},
}
"""The modules that bring a decision, any of which is enough."""


def write_position(record: State, config: GinkgopolisConfig) -> dict[str, Any]:
    """Return a record as plain data."""
    g = Fields(record)
    return {
        **_HEAD,
        "config": config.as_dict(),
        **_write_status(g),
        **write_city(g),
        **_write_piles(g),
        "players": [write_all(PLAYER, g, p) for p in range(g.players)],
    }


def read_config(position: Any) -> GinkgopolisConfig:
    """Return the configuration of a position. Raises PositionError."""
    if not isinstance(position, Mapping):
        raise fail("the whole", f"expected an object, got {shown(position)}")
    given, keys = position.get("config"), set(asdict(GinkgopolisConfig())) - {"padded"}
    with_modules = isinstance(given, Mapping) and "modules" in given
    fields = fields_of(given, keys if with_modules else keys - _CONFIG_KEYS, "config")
    if with_modules and (not isinstance(fields["modules"], list) or not fields["modules"]):
        raise fail("config.modules", "expected a list of at least one name; without modules, omit modules and hand_size")
    try:
        config = GinkgopolisConfig(**fields)
    except (ConfigError, TypeError) as error:
        raise fail("config", str(error)) from None
    if with_modules and list(config.modules) != fields["modules"]:
        raise fail("config.modules", f"expected in order: {', '.join(config.modules)}")
    return config


def read_position(position: Any, template: States) -> States:
    """Return a record of shape (1,), which may not be sound, from plain data. Raises PositionError.

    template : the blank record of the configuration
    """
    g = Fields(template[0])
    data = fields_of(position, _KEYS | _STACK_KEYS if g.expansion else _KEYS, "the whole")
    for key, expected in _HEAD.items():
        same(data[key], expected, key)
    _read_status(g, data)
    read_city(g, data)
    _read_piles(g, data)
    players = data["players"]
    if not isinstance(players, list) or len(players) != g.players:
        raise fail("players", f"expected a list of {g.players} players")
    for p, player in enumerate(players):
        read_all(PLAYER, g, p, player, f"players[{p}]")
    _derive(g)
    states: States = template.copy().view(np.recarray)
    g.store(states[0])
    return states


# --- status ----------------------------------------------------------------------------------------------------------------


def _write_status(g: Fields) -> dict[str, Any]:
    return {
        "random": f"0x{g.rng:016x}",
        "seed": f"0x{g.seed:016x}",
        "round": g.rounds,
        "first_player": or_null(g.first),
        "decision": {"kind": _KIND_OF[g.stage], "actor": or_null(g.actor)},
        "ending": _ENDING_OF[g.ending],
        "exhaustions": g.exhaustions,
        "pending": write_pending(g),
    }


def _read_status(g: Fields, data: Mapping[str, Any]) -> None:
    seats = 1 if g.solo else g.players
    g.rng, g.seed = word(data["random"], "random"), word(data["seed"], "seed")
    g.rounds = number(data["round"], 0, g.max_rounds, "round")
    first = data["first_player"]
    g.first = NOBODY if first is None else number(first, 0, seats - 1, "first_player")
    decision = fields_of(data["decision"], {"kind", "actor"}, "decision")
    g.stage = choice(decision["kind"], _kinds(g), "decision.kind")
    if g.stage == Stage.OVER:
        if decision["actor"] is not None:
            raise fail("decision.actor", "expected null, as the game is over")
        g.actor = NOBODY
    else:
        g.actor = number(decision["actor"], 0, seats - 1, "decision.actor")
    setup = g.stage in (Stage.DRAFT, Stage.EVENTS)
    if setup != (g.first == NOBODY) or setup != (g.rounds == 0):
        raise fail("first_player", "expected null and round 0 if and only if the game is in setup")
    g.ending = choice(data["ending"], _ENDINGS, "ending")
    g.exhaustions = number(data["exhaustions"], 0, 2, "exhaustions")
    if g.stage == Stage.OVER and g.ending == Ending.NONE:
        raise fail("ending", "expected an ending, as the game is over")
    if g.stage in CHOOSING:
        g.cursor = (g.actor - g.first) % g.players
    read_pending(g, data["pending"])


def _kinds(g: Fields) -> dict[str, int]:
    """Return the decisions that occur in this configuration."""
    modules = {module for module in Module if g.modules[module]}
    kinds = {name: stage for name, stage in _KINDS.items() if stage not in _NEEDS or _NEEDS[Stage(stage)] & modules}
    if not g.draft:
        del kinds["draft"]
    if Module.EXPERTS in modules:  # they bring their events (X4.1)
        kinds.pop("events", None)
    return kinds


# --- piles -----------------------------------------------------------------------------------------------------------------


def _write_piles(g: Fields) -> dict[str, Any]:
    piles = {
        "buried": names_in(g.buried),
        "supply": drawn_from(g.supply, g.supply_size, NAMES),
        "removed": names_in(g.removed),
        "returned": names_in(g.returned),
        "deck": drawn_from(g.deck, g.deck_size, NAMES),
        "discard": names_in(g.discard),
    }
    if g.expansion:
        piles["new_buildings"] = drawn_from(g.new_buildings, g.n_new_buildings, NAMES)
        piles["prestige"] = names_in(g.prestige)
        piles["green_spaces"] = g.green_stack
    return piles


def _read_piles(g: Fields, data: Mapping[str, Any]) -> None:
    supply, deck = listed(data["supply"], BASE_TILES, "supply"), listed(data["deck"], card_ids(g), "deck")
    g.supply, g.supply_size = pile_of(supply, len(g.supply)), len(supply)
    g.deck, g.deck_size = pile_of(deck, len(g.deck)), len(deck)
    g.buried = set_of(in_order(data["buried"], building_cards(g), "buried"))
    g.removed = set_of(in_order(data["removed"], BASE_TILES, "removed"))
    g.returned = set_of(in_order(data["returned"], BASE_TILES, "returned"))
    g.discard = set_of(in_order(data["discard"], card_ids(g), "discard"))
    if g.expansion:
        stack = listed(data["new_buildings"], _NEW_BUILDINGS, "new_buildings")
        g.new_buildings, g.n_new_buildings = pile_of(stack, len(g.new_buildings)), len(stack)
        g.prestige = set_of(in_order(data["prestige"], _PRESTIGE, "prestige"))
        g.green_stack = number(data["green_spaces"], 0, N_GREEN_SPACES, "green_spaces")


# --- derived fields -----------------------------------------------------------------------------------------------------


def _derive(g: Fields) -> None:
    """Set the fields that follow from others."""
    if g.stage == Stage.TOKEN:
        g.building = g.n_buildings - 1
    if g.stage == Stage.DRAFT:
        g.pick = sum(g.characters[g.actor]) + (g.expert[g.actor] != NONE)
        return
    for p in range(1 if g.solo else g.players):
        bonus = np.zeros_like(g.bonus[p])
        np.add.at(bonus, CHARACTER_ACTION, np.array(g.characters[p])[:N_CHARACTERS, None] * CHARACTER_GAIN)
        for card in members(g.tableau[p]):
            if CARD_ACTION[card] != NONE:
                bonus[CARD_ACTION[card]] += CARD_GAIN[card]
        g.bonus[p] = bonus.tolist()
