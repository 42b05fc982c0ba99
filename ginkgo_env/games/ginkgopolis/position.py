"""Positions: the complete state as plain data and back (``docs/design/text-forms.md``).

Reading is strict. A position that says too little, too much or something impossible is refused with the place where it
goes wrong; one that is accepted gives a record that kernels can trust.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from ginkgo_env.core.errors import ConfigError, shown
from ginkgo_env.core.game import States
from ginkgo_env.games.ginkgopolis.actions import N_ACTIONS
from ginkgo_env.games.ginkgopolis.config import GinkgopolisConfig
from ginkgo_env.games.ginkgopolis.constants import (
    MAX_BUILDINGS,
    N_CARDS,
    N_CHARACTERS,
    N_DECISIONS,
    N_LETTERS,
    N_TILES,
    NEW_HANDS,
    NOBODY,
    NONE,
    NOWHERE,
    RESOURCES,
    WILLIAM,
    Action,
    Ending,
    Stage,
)
from ginkgo_env.games.ginkgopolis.entries import legal_many
from ginkgo_env.games.ginkgopolis.notation import names_in
from ginkgo_env.games.ginkgopolis.position_checks import check_components, fail
from ginkgo_env.games.ginkgopolis.tables import (
    CARD_ACTION,
    CARD_GAIN,
    CARD_IDS,
    CARD_NAMES,
    CHARACTER_ACTION,
    CHARACTER_GAIN,
    CHARACTER_IDS,
    CHARACTER_NAMES,
    DX,
    DY,
)

FORMAT, VERSION, GAME = "ginkgo-position", 1, "ginkgopolis"
_KINDS = {stage.name.lower(): stage for stage in Stage if stage < N_DECISIONS or stage == Stage.OVER}
_ACTIONS = {action.name.lower(): action for action in Action}
_ENDINGS: dict[str | None, Ending] = {e.name.lower() if e else None: e for e in Ending}
_WORD = 2**64
_MAX_CELL, _MAX_POINTS, _MAX_DRAWS = 60, 20_000, 1_000

# --- writing ---------------------------------------------------------------------------------------------------------------


def write_position(g: Any, config: GinkgopolisConfig) -> dict[str, Any]:
    """A record as plain data."""
    stage = Stage(int(g.stage))
    resolving = stage in (Stage.TAKE, Stage.TOKEN, Stage.RETURN)
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": GAME,
        "config": asdict(config),
        "random": f"0x{int(g.rng):016x}",
        "seed": f"0x{int(g.seed):016x}",
        "round": int(g.rounds),
        "first_player": _or_null(g.first),
        "decision": {"kind": stage.name.lower(), "actor": _or_null(g.actor)},
        "ending": Ending(int(g.ending)).name.lower() if g.ending else None,
        "exhaustions": int(g.exhaustions),
        "pending": _pending(g) if resolving else None,
        "city": [_building(g, s) for s in range(int(g.n_buildings))],
        "tokens": {CARD_NAMES[N_TILES + i]: _token(g, i) for i in range(N_LETTERS)},
        "buried": names_in(g.buried),
        "supply": [CARD_NAMES[t] for t in reversed(g.supply[: int(g.supply_size)])],
        "removed": names_in(g.removed),
        "returned": names_in(g.returned),
        "deck": [CARD_NAMES[c] for c in reversed(g.deck[: int(g.deck_size)])],
        "discard": names_in(g.discard),
        "players": [_player(g, p) for p in range(int(g.players))],
    }


def _or_null(number: Any) -> int | None:
    return None if number == NONE else int(number)


def _pending(g: Any) -> dict[str, Any]:
    return {"player": int(g.player), "action": Action(int(g.action)).name.lower(), "draws": int(g.draws)}


def _building(g: Any, s: int) -> dict[str, Any]:
    return {
        "cell": [int(g.x[s]), int(g.y[s])],
        "tile": CARD_NAMES[g.top[s]],
        "floors": int(g.floors[s]),
        "owner": _or_null(g.owner[s]),
        "pawn": bool(g.pawn[s]),
    }


def _token(g: Any, letter: int) -> list[int] | None:
    return None if g.token_x[letter] == NOWHERE else [int(g.token_x[letter]), int(g.token_y[letter])]


def _characters(counts: Any) -> list[str]:
    return [CHARACTER_NAMES[c] for c in range(N_CHARACTERS) for _ in range(int(counts[c]))]


def _player(g: Any, p: int) -> dict[str, Any]:
    card, tile = int(g.card[p]), int(g.tile[p])
    return {
        "points": int(g.points[p]),
        "resources": int(g.resources[p]),
        "supply": int(g.supply_resources[p]),
        "new_hands": int(g.new_hands[p]),
        "characters": _characters(g.characters[p]),
        "packet": _characters(g.packet[p]),
        "hand": names_in(g.hand[p]),
        "commitment": None if card == NONE else {"card": CARD_NAMES[card], "tile": None if tile == NONE else CARD_NAMES[tile]},
        "tiles": names_in(g.tiles[p]),
        "returning": names_in(g.aside[p]),
        "known_tiles": names_in(g.known_tiles[p]),
        "tableau": names_in(g.tableau[p]),
        "passed": names_in(g.passed[p]),
    }


# --- reading ---------------------------------------------------------------------------------------------------------------


def _object(value: Any, keys: set[str], where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise fail(where, f"expected an object, not {shown(value)}")
    if set(value) != keys:
        missing, extra = sorted(keys - set(value)), sorted(str(k)[:20] for k in set(value) - keys)
        raise fail(where, f"missing {', '.join(missing) or 'nothing'}; unknown {', '.join(extra[:5]) or 'nothing'}")
    return value


def _number(value: Any, low: int, high: int, where: str) -> int:
    if type(value) is not int or not low <= value <= high:
        raise fail(where, f"expected a whole number from {low} to {high}, not {shown(value)}")
    return value


def _flag(value: Any, where: str) -> int:
    if type(value) is not bool:
        raise fail(where, f"expected true or false, not {shown(value)}")
    return int(value)


def _choice(value: Any, table: Mapping[Any, Any], where: str) -> Any:
    if not isinstance(value, str | None) or value not in table:
        raise fail(where, f"expected one of {', '.join(str(k) for k in table)}, not {shown(value)}")
    return table[value]


def _names(value: Any, table: Mapping[str, int], high: int, where: str, *, unique: bool = True) -> list[int]:
    if not isinstance(value, list) or len(value) > N_CARDS:
        raise fail(where, f"expected a list of names, not {shown(value)}")
    ids = []
    for name in value:
        if not isinstance(name, str) or table.get(name, high) >= high:
            raise fail(where, f"{shown(name)} does not belong here")
        ids.append(table[name])
    if unique and len(set(ids)) != len(ids):
        raise fail(where, "something is there twice")
    return ids


def _tiles(value: Any, where: str) -> list[int]:
    return _names(value, CARD_IDS, N_TILES, where)


def _cards(value: Any, where: str) -> list[int]:
    return _names(value, CARD_IDS, N_CARDS, where)


def _cell(value: Any, where: str) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise fail(where, f"expected [x, y], not {shown(value)}")
    return _number(value[0], -_MAX_CELL, _MAX_CELL, where), _number(value[1], -_MAX_CELL, _MAX_CELL, where)


def _word(value: Any, where: str) -> np.uint64:
    if isinstance(value, str) and re.fullmatch("0x[0-9a-fA-F]{16}", value):
        return np.uint64(int(value[2:], 16))
    raise fail(where, f"expected 0x and 16 hexadecimal digits, not {shown(value)}")


def _put(words: Any, ids: list[int]) -> None:
    for i in ids:
        words[i >> 6] |= np.uint64(1 << (i & 63))


def _count_up(counts: Any, ids: list[int]) -> None:
    for i in ids:
        counts[i] += 1


_KEYS = {
    *("format", "version", "game", "config", "random", "seed", "round", "first_player", "decision", "ending"),
    *("exhaustions", "pending", "city", "tokens", "buried", "supply", "removed", "returned", "deck", "discard", "players"),
}
_PLAYER_KEYS = {
    *("points", "resources", "supply", "new_hands", "characters", "packet", "hand", "commitment", "tiles"),
    *("returning", "known_tiles", "tableau", "passed"),
}


def read_config(position: Any) -> GinkgopolisConfig:
    """The configuration of a position. Raises PositionError."""
    if not isinstance(position, Mapping):
        raise fail("the whole", f"expected an object, not {shown(position)}")
    fields = set(asdict(GinkgopolisConfig()))
    given = _object(position.get("config"), fields, "config")
    try:
        return GinkgopolisConfig(**given)
    except (ConfigError, TypeError) as error:
        raise fail("config", str(error)) from None


def read_position(position: Any, template: States) -> States:
    """A record of shape (1,) from plain data; `template` is the blank record of the configuration. Raises PositionError."""
    data = _object(position, _KEYS, "the whole")
    for key, wanted in (("format", FORMAT), ("version", VERSION), ("game", GAME)):
        if type(data[key]) is not type(wanted) or data[key] != wanted:
            raise fail(key, f"expected {wanted!r}, not {shown(data[key])}")
    states: States = template.copy().view(np.recarray)
    g = states[0]
    _read_status(g, data)
    _read_city(g, data)
    _read_piles(g, data)
    players = data["players"]
    if not isinstance(players, list) or len(players) != g.players:
        raise fail("players", f"expected a list of {int(g.players)} players")
    for p, player in enumerate(players):
        _read_player(g, p, player, f"players[{p}]")
    check_components(g)
    _derive(g)
    if g.stage != Stage.OVER:
        legal_many(0, 1, states, mask := np.zeros((1, N_ACTIONS), np.int8))
        if not mask.any():
            raise fail("decision", "the actor has no legal action, so this would not be asked")
    return states


def _read_status(g: Any, data: Mapping[str, Any]) -> None:
    seats = 1 if g.solo else int(g.players)
    g.rng, g.seed = _word(data["random"], "random"), _word(data["seed"], "seed")
    g.rounds = _number(data["round"], 0, int(g.max_rounds), "round")
    first = data["first_player"]
    g.first = NOBODY if first is None else _number(first, 0, seats - 1, "first_player")
    decision = _object(data["decision"], {"kind", "actor"}, "decision")
    g.stage = _choice(decision["kind"], _KINDS, "decision.kind")
    if g.stage == Stage.OVER:
        if decision["actor"] is not None:
            raise fail("decision.actor", "nobody acts when the game is over")
        g.actor = NOBODY
    else:
        g.actor = _number(decision["actor"], 0, seats - 1, "decision.actor")
    if (g.stage == Stage.DRAFT) != (g.first == NOBODY) or (g.stage == Stage.DRAFT) != (g.rounds == 0):
        raise fail("first_player", "it is null, and the round 0, exactly during the draft")
    if g.stage == Stage.DRAFT and not g.draft:
        raise fail("decision.kind", "there is no draft in this configuration")
    g.ending = _choice(data["ending"], _ENDINGS, "ending")
    g.exhaustions = _number(data["exhaustions"], 0, 2, "exhaustions")
    if (g.stage == Stage.OVER) and g.ending == Ending.NONE:
        raise fail("ending", "a game that is over has ended somehow")
    _read_pending(g, data["pending"], seats)


def _read_pending(g: Any, pending: Any, seats: int) -> None:
    if g.stage not in (Stage.TAKE, Stage.TOKEN, Stage.RETURN):
        if pending is not None:
            raise fail("pending", "expected null, as no action is under way")
        if g.stage == Stage.COMMIT:
            g.cursor = (int(g.actor) - int(g.first)) % int(g.players)
        return
    fields = _object(pending, {"player", "action", "draws"}, "pending")
    g.player = _number(fields["player"], 0, int(g.players) - 1, "pending.player")
    g.action = _choice(fields["action"], _ACTIONS, "pending.action")
    g.draws = _number(fields["draws"], 0, _MAX_DRAWS, "pending.draws")
    if g.stage == Stage.RETURN:
        if g.solo:
            raise fail("decision.kind", "alone no tiles are returned (R9.5)")
        g.returner = (int(g.actor) - int(g.first)) % int(g.players)
    else:
        wanted = Action.EXPLOIT if g.stage == Stage.TAKE else Action.URBANIZE
        if g.action != wanted or g.draws or (g.actor != g.player and not g.solo):
            raise fail("pending", "it does not go with the decision")
        if g.solo and g.player == WILLIAM and g.stage != Stage.TOKEN:
            raise fail("pending", "William never takes anything")
    if not g.solo:
        g.cursor = (int(g.player) - int(g.first)) % int(g.players)


def _read_city(g: Any, data: Mapping[str, Any]) -> None:
    city = data["city"]
    if not isinstance(city, list) or not 1 <= len(city) <= MAX_BUILDINGS:
        raise fail("city", "expected a list of buildings")
    cells: dict[tuple[int, int], int] = {}
    for s, building in enumerate(city):
        where = f"city[{s}]"
        fields = _object(building, {"cell", "tile", "floors", "owner", "pawn"}, where)
        x, y = cell = _cell(fields["cell"], f"{where}.cell")
        if cell in cells:
            raise fail(where, f"two buildings stand on {list(cell)}")
        cells[cell] = s
        g.x[s], g.y[s] = x, y
        g.top[s] = _tiles([fields["tile"]], f"{where}.tile")[0]
        g.floors[s] = _number(fields["floors"], 1, N_TILES, f"{where}.floors")
        owner = fields["owner"]
        g.owner[s] = NOBODY if owner is None else _number(owner, 0, int(g.players) - 1, f"{where}.owner")
        g.pawn[s] = _flag(fields["pawn"], f"{where}.pawn")
        g.slot[g.top[s]] = s
    g.n_buildings = len(city)
    g.west, g.north = min(x for x, _ in cells), min(y for _, y in cells)
    for (x, y), s in cells.items():
        for d in range(len(DX)):
            g.adjacent[s, d] = cells.get((x + int(DX[d]), y + int(DY[d])), NONE)
    _check_connected(g, len(city))
    _read_tokens(g, data["tokens"], cells)


def _check_connected(g: Any, n: int) -> None:
    reached, waiting = {0}, [0]
    while waiting:
        for other in g.adjacent[waiting.pop()]:
            if other != NONE and int(other) not in reached:
                reached.add(int(other))
                waiting.append(int(other))
    if len(reached) != n:
        raise fail("city", "the buildings are not connected")


def _read_tokens(g: Any, tokens: Any, cells: dict[tuple[int, int], int]) -> None:
    letters = CARD_NAMES[N_TILES:]
    fields = _object(tokens, set(letters), "tokens")
    taken: set[tuple[int, int]] = set()
    for i, letter in enumerate(letters):
        where = f"tokens.{letter}"
        if fields[letter] is None:
            g.token_x[i] = g.token_y[i] = NOWHERE
            continue
        cell = _cell(fields[letter], where)
        if cell in cells or cell in taken:
            raise fail(where, f"the cell {list(cell)} is not free")
        if not any((cell[0] + int(DX[d]), cell[1] + int(DY[d])) in cells for d in range(len(DX))):
            raise fail(where, f"no building lies beside {list(cell)}")
        taken.add(cell)
        g.token_x[i], g.token_y[i] = cell


def _read_piles(g: Any, data: Mapping[str, Any]) -> None:
    supply, deck = _tiles(data["supply"], "supply"), _cards(data["deck"], "deck")
    g.supply_size, g.deck_size = len(supply), len(deck)
    g.supply[: len(supply)] = supply[::-1]
    g.deck[: len(deck)] = deck[::-1]
    for key in ("buried", "removed", "returned"):
        _put(g[key], _tiles(data[key], key))
    _put(g.discard, _cards(data["discard"], "discard"))


def _read_player(g: Any, p: int, player: Any, where: str) -> None:
    fields = _object(player, _PLAYER_KEYS, where)
    total = RESOURCES[1 if g.solo else int(g.players)]
    g.points[p] = _number(fields["points"], 0, _MAX_POINTS, f"{where}.points")
    g.resources[p] = _number(fields["resources"], 0, total, f"{where}.resources")
    g.supply_resources[p] = _number(fields["supply"], 0, total, f"{where}.supply")
    g.new_hands[p] = _number(fields["new_hands"], 0, 0 if g.solo else NEW_HANDS, f"{where}.new_hands")
    for key in ("characters", "packet"):
        _count_up(g[key][p], _names(fields[key], CHARACTER_IDS, N_CHARACTERS, f"{where}.{key}", unique=False))
    _put(g.hand[p], _cards(fields["hand"], f"{where}.hand"))
    _put(g.passed[p], _cards(fields["passed"], f"{where}.passed"))
    _put(g.tableau[p], _tiles(fields["tableau"], f"{where}.tableau"))
    _put(g.tiles[p], _tiles(fields["tiles"], f"{where}.tiles"))
    _put(g.aside[p], _tiles(fields["returning"], f"{where}.returning"))
    _put(g.known_tiles[p], _tiles(fields["known_tiles"], f"{where}.known_tiles"))
    commitment = fields["commitment"]
    if commitment is not None:
        pair = _object(commitment, {"card", "tile"}, f"{where}.commitment")
        g.card[p] = _cards([pair["card"]], f"{where}.commitment.card")[0]
        if pair["tile"] is not None:
            g.tile[p] = _tiles([pair["tile"]], f"{where}.commitment.tile")[0]


# --- what follows ---------------------------------------------------------------------------------------------------------------


def _derive(g: Any) -> None:
    """Fields that follow from others."""
    if g.stage == Stage.TOKEN:
        g.building = int(g.n_buildings) - 1
    if g.stage == Stage.DRAFT:
        return
    for p in range(1 if g.solo else int(g.players)):
        for c in range(N_CHARACTERS):
            g.bonus[p, CHARACTER_ACTION[c]] += (int(g.characters[p, c]) * CHARACTER_GAIN[c]).astype(np.int8)
        for name in names_in(g.tableau[p]):
            card = CARD_IDS[name]
            if CARD_ACTION[card] != NONE:
                g.bonus[p, CARD_ACTION[card]] += CARD_GAIN[card].astype(np.int8)
