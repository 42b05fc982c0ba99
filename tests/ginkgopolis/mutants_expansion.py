"""Moves for positions with modules of The Experts: what they have besides changes places, or turns into something else."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from ..rules.ginkgopolis.extras import ALL_NAMES, EVENTS, GREEN_SPACE, SPLIT

Json = dict[str, Any]
ORDER = {name: i for i, name in enumerate(ALL_NAMES)}
KINDS = ["lower", "event", "keep", "timing", "split", "pay", "events"]


def _players(p: Json) -> list[Json]:
    players: list[Json] = p["players"]
    return players


def _sort(p: Json, key: str) -> None:
    for player in _players(p):
        player[key].sort(key=ORDER.__getitem__)


def move_green_space(p: Json, rng: random.Random) -> None:
    """From the stack behind a screen, among what is returned, known, or under others; or back."""
    player, key = rng.choice(_players(p)), rng.choice(["tiles", "returning", "known_tiles", "lower_tiles"])
    if p["green_spaces"] and rng.random() < 0.6:
        p["green_spaces"] -= key != "known_tiles"
        player[key].append(GREEN_SPACE)
    elif GREEN_SPACE in player[key]:
        player[key].remove(GREEN_SPACE)
        p["green_spaces"] += key != "known_tiles"
    _sort(p, key)


def move_special_tile(p: Json, rng: random.Random) -> None:
    """A tile of value II or III to another place."""
    homes = [p["new_buildings"], p["prestige"], *(q[key] for q in _players(p) for key in ("tiles", "returning", "lower_tiles"))]
    full = [home for home in homes if any(int(name[1:]) > 20 for name in home if name != GREEN_SPACE)]
    if not full:
        return
    source = rng.choice(full)
    name = rng.choice([name for name in source if name != GREEN_SPACE and int(name[1:]) > 20])
    source.remove(name)
    rng.choice(homes).append(name)
    for key in ("tiles", "returning", "lower_tiles"):
        _sort(p, key)
    p["prestige"].sort(key=ORDER.__getitem__)


def build_with_two(p: Json, rng: random.Random) -> None:
    """A tile comes under a building, whose owner places another resource."""
    player = rng.choice([q for q in _players(p) if q["expert"] == "architect"] or _players(p))
    seat = _players(p).index(player)
    own = [building for building in p["city"] if building["owner"] == seat]
    if own and player["tiles"] and player["resources"]:
        rng.choice(own)["floors"] += 1
        player["resources"] -= 1
        player["lower_tiles"].append(player["tiles"].pop(rng.randrange(len(player["tiles"]))))
        _sort(p, "lower_tiles")


def change_building(p: Json, rng: random.Random) -> None:
    """Another tile on top of a building: one of the expansion."""
    building, tiles = rng.choice(p["city"]), rng.choice([p["prestige"], p["new_buildings"]])
    if building["pawn"] and tiles:
        home = p["supply"] if int(building["tile"][1:]) <= 20 else tiles
        home.append(building["tile"])
        building["tile"] = tiles.pop(0)
        building["pawn"] = building["tile"][1:] in ("21", "22", "23")
    elif p["green_spaces"] and building["floors"] == 1 and building["owner"] is not None and building["pawn"]:
        p["supply"].append(building["tile"])
        building |= {"tile": GREEN_SPACE, "pawn": False}
        p["green_spaces"] -= 1


def move_event(p: Json, rng: random.Random) -> None:
    """An event tile is somewhere else, or another one is there."""
    player = rng.choice(_players(p))
    what = rng.randrange(4)
    if what == 0 and player["events"]:
        player["events_played"].append(player["events"].pop())
    elif what == 1 and player["events_played"]:
        player["events"].append(player["events_played"].pop())
    elif what == 2 and player["commitment"]:
        out = player["commitment"]["event"]
        player["commitment"]["event"] = player["events"].pop() if player["events"] else None
        player["events"] += [out] if out else []
    else:
        player["events"] = rng.sample(EVENTS, rng.randint(0, 2))
        player["events_played"] = [event for event in EVENTS if event not in player["events"]][: 2 - len(player["events"])]
    if rng.random() < 0.3:
        player["known_events"] = [event for event in player["events"] if event == "expropriation"]
    for key in ("events", "events_played"):
        player[key].sort(key=EVENTS.index)


def exchange_experts(p: Json, rng: random.Random) -> None:
    """Two players have each other's expert, with the events or without."""
    a, b = rng.sample(_players(p), 2)
    for key in ("expert", *(("events", "events_played") if rng.random() < 0.7 else ())):
        a[key], b[key] = b[key], a[key]


def keep_other(p: Json, rng: random.Random) -> None:
    """A card is kept, or the kept one is not."""
    player = rng.choice(_players(p))
    if player["kept"] is not None and rng.random() < 0.7:
        player["hand"].append(player["kept"])
        player["kept"] = None
    if player["hand"] and player["kept"] is None and rng.random() < 0.7:
        player["kept"] = player["hand"].pop(rng.randrange(len(player["hand"])))
    _sort(p, "hand")


def commit_two(p: Json, rng: random.Random) -> None:
    """A second tile lies on a card, or is gone from it."""
    out = [player for player in _players(p) if player["commitment"]]
    if not out:
        return
    player = rng.choice(out)
    on = player["commitment"]
    key = rng.choice(["lower", "tile"])
    if on[key] is not None:
        player["tiles"].append(on[key])
        on[key] = None
    elif player["tiles"]:
        on[key] = player["tiles"].pop(rng.randrange(len(player["tiles"])))
    _sort(p, "tiles")


def change_kind(p: Json, rng: random.Random) -> None:
    """Another decision of the expansion, with or without what belongs to it."""
    p["decision"]["kind"] = rng.choice(KINDS)
    p["decision"]["actor"] = rng.randrange(len(_players(p)))
    if p["decision"]["kind"] in ("lower", "event", "keep", "events"):
        p["pending"] = None
    elif p["pending"] is not None:
        p["pending"]["split"] = dict(SPLIT) if p["decision"]["kind"] == "split" else None


def change_phase(p: Json, rng: random.Random) -> None:
    """Phase, timing, event, zone, action, or more than one of them."""
    pending = p["pending"]
    if pending is None:
        return
    for _ in range(rng.choice([1, 1, 2])):
        key = rng.choice(["phase", "timing", "event", "action", "zone"])
        table: dict[str, list[Any]] = {
            "phase": ["timing", "before", "action", "after"],
            "timing": [None, "before", "after"],
            "event": [None, *EVENTS],
            "action": [None, "exploit", "urbanize", "construct"],
        }
        if key != "zone":
            pending[key] = rng.choice(table[key])
        else:
            cell = rng.choice([*(b["cell"] for b in p["city"]), *p["tokens"].values()]) or [0, 0]
            pending["zone"] = rng.choice([None, {"cell": list(cell), "center": rng.random() < 0.5}])


def show_event(p: Json, rng: random.Random) -> None:
    """An event is on, with a zone about the card: after the action, before it, or while its timing is asked."""
    pending = p["pending"]
    if pending is None:
        return
    player = _players(p)[pending["player"]]
    if player["events"] and player["commitment"]:
        card = player["commitment"]["card"]
        cells = [b["cell"] for b in p["city"] if b["tile"] == card] + [p["tokens"].get(card) or p["city"][-1]["cell"]]
        pending["event"] = player["events"].pop(rng.randrange(len(player["events"])))
        pending["zone"] = {"cell": list(cells[0]), "center": len(card) > 1}
        pending["timing"], pending["phase"] = rng.choice([("after", "action"), ("after", "after"), (None, "timing")])
        if pending["phase"] == "timing":
            pending["action"], p["decision"] = None, {"kind": "timing", "actor": pending["player"]}


def change_split(p: Json, rng: random.Random) -> None:
    """Rights, what they went to, or what was drawn and received."""
    pending = p["pending"]
    if pending is None:
        return
    what = rng.randrange(4)
    if what == 0 and pending["split"] is not None:
        pending["split"][rng.choice([*SPLIT])] = rng.choice([0, 1, 2, 3, 9])
    elif what == 1:
        pending["green_drawn"] = not pending["green_drawn"]
    elif what == 2:
        pending["received"] = rng.choice([0, 1, 5, 6])
    else:
        pending["draws"] = rng.choice([0, 1, 2, 9, 10, 60])


def move_expert(p: Json, rng: random.Random) -> None:
    """In the draft: an expert is kept, or lies in another packet."""
    a, b = rng.choice(_players(p)), rng.choice(_players(p))
    if a["packet_experts"]:
        name = a["packet_experts"].pop()
        if b["expert"] is None and rng.random() < 0.5:
            b["expert"] = name
        else:
            b["packet_experts"] = sorted([*b["packet_experts"], name])


MOVES: list[Callable[[Json, random.Random], None]] = [
    *(move_green_space, move_special_tile, build_with_two, change_building, move_event, exchange_experts, keep_other),
    *(commit_two, change_kind, change_phase, show_event, change_split, move_expert),
]
