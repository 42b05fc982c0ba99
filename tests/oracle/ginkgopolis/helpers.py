"""Positions built by hand, and the checks that hold in every position."""

from collections import Counter
from typing import Any

from .components import (
    CHARACTERS,
    GREEN,
    GREEN_SPACES,
    LETTERS,
    NEW_BUILDINGS,
    PRESTIGE,
    RESOURCES_PER_SIDE,
    TILES,
    bonus_items,
    has_card,
    in_order,
)
from .ginkgopolis import PICKS, Oracle

Json = dict[str, Any]


class Scripted:
    """A chance that leaves the order as it is, or plays what it is told to, and remembers what it was asked."""

    def __init__(self, **outcomes: list[Any]) -> None:
        self.outcomes = outcomes
        self.asked: list[tuple[str, list[Any]]] = []

    def __call__(self, name: str, items: list[Any]) -> Any:
        self.asked.append((name, list(items)))
        if self.outcomes.get(name):
            return self.outcomes[name].pop(0)
        return items[0] if name in PICKS else list(items)


def config(players: int, **changes: Any) -> Json:
    """A configuration; the game ends after the first round unless told otherwise."""
    plain = {"players": players, "setup": "introductory", "level": "standard", "strict": False, "max_rounds": 1}
    return plain | changes


def blank(players: int, *modules: str, **changes: Any) -> Json:
    """A commit decision of seat 0 in round 1; nobody has cards, tiles, points, events, bonus cards or New Hands."""
    if modules:
        changes = {"modules": list(modules), "hand_size": 4} | changes
        changes |= {"setup": "draft"} if "experts" in modules else {}
    position = Oracle(config(players, **changes), Scripted()).position()
    for side in position["players"]:
        total = RESOURCES_PER_SIDE[players]
        side |= {"points": 0, "resources": 5, "supply": total - 5, "new_hands": 0, "commitment": None}
        side |= {"characters": [], "packet": [], "hand": [], "tiles": [], "tableau": [], "passed": []}
        side |= {"packet_experts": [], "events": []} if modules else {}
    if players == 1:
        position["players"][1] |= {"resources": 25, "supply": 0}
    position["deck"], position["discard"] = [f"R{number}" for number in range(8, 20)], []
    position |= {"decision": {"kind": "commit", "actor": 0}, "first_player": 0, "round": 1}
    return position


def building(x: int, y: int, tile: str, floors: int = 1, owner: int | None = None, pawn: bool = False) -> Json:
    """One building of a position's city."""
    return {"cell": [x, y], "tile": tile, "floors": floors, "owner": owner, "pawn": pawn}


def play(position: Json, *actions: str, chance: Scripted | None = None) -> Oracle:
    """The game after these actions."""
    oracle = Oracle.from_position(position, chance or Scripted())
    for action in actions:
        oracle.apply(action)
    return oracle


def kinds_of(oracle: Oracle) -> list[str]:
    """The legal actions without what stands before the colon."""
    return [text.partition(":")[2] for text in oracle.legal()]


def find(position: Json, tile: str) -> Json:
    """The building that shows this tile."""
    return next(entry for entry in position["city"] if entry["tile"] == tile)


def edge_by_flood(city: list[Json]) -> set[tuple[int, int]]:
    """Cells next to a building that can be reached from outside (R6.3), found without a walk."""
    built = {tuple(entry["cell"]) for entry in city}
    xs, ys = [x for x, _ in built], [y for _, y in built]
    start = (min(xs) - 2, min(ys) - 2)
    outside, waiting = {start}, [start]
    while waiting:
        x, y = waiting.pop()
        for cell in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)):
            inside_frame = min(xs) - 2 <= cell[0] <= max(xs) + 2 and min(ys) - 2 <= cell[1] <= max(ys) + 2
            if inside_frame and cell not in built and cell not in outside:
                outside.add(cell)
                waiting.append(cell)
    return {cell for cell in outside if beside(cell, built)}


def beside(cell: tuple[int, ...], built: set[tuple[int, ...]]) -> bool:
    """Whether a cell is orthogonally adjacent to a building."""
    x, y = cell
    return bool({(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)} & built)


def check(position: Json) -> None:
    """What must be true in every position of a game played from the start."""
    check_tiles(position)
    check_cards(position)
    check_resources(position)
    check_tokens(position)
    check_characters(position)
    assert position["exhaustions"] in (0, 1, 2)
    assert (position["exhaustions"] == 2) <= (position["ending"] is not None)
    assert all(side["points"] >= 0 for side in position["players"])


def check_tiles(position: Json) -> None:
    """All tiles in the box for these modules are somewhere, once (green spaces nine times)."""
    tiles = [entry["tile"] for entry in position["city"]]
    tiles += position["buried"] + position["supply"] + position["removed"]
    for side in position["players"]:
        own = side["tiles"] + side["returning"] + on_card(side)
        assert not Counter(side["known_tiles"]) - Counter(own)
        tiles += own + side.get("lower_tiles", [])
    stacks = position.get("new_buildings", []) + position.get("prestige", []) + [GREEN] * position.get("green_spaces", 0)
    assert in_order(tiles + stacks) == in_order(box(position))


def on_card(side: Json) -> list[str]:
    """The tiles on a side's committed card."""
    commitment = side["commitment"] or {}
    return [commitment[key] for key in ("tile", "lower") if commitment.get(key)]


def box(position: Json) -> list[str]:
    """The tiles of the base game and of the modules."""
    modules = position["config"].get("modules", [])
    extra = {"new_buildings": NEW_BUILDINGS, "prestige": PRESTIGE, "green_spaces": [GREEN] * GREEN_SPACES}
    return TILES + [tile for module, tiles in extra.items() if module in modules for tile in tiles]


def check_cards(position: Json) -> None:
    """Every card in play is a letter or names a top tile without pawn; cards in front of screens name covered tiles."""
    cards = position["deck"] + position["discard"]
    kept = []
    for seat, side in enumerate(position["players"]):
        cards += side["hand"] + held_back(side)
        kept += side["tableau"]
        if side["commitment"]:
            pending = position["pending"]
            covering = pending and pending["player"] == seat and pending["action"] == "construct"
            (kept if covering else cards).append(side["commitment"]["card"])
        neighbor = position["players"][(seat + 1) % len(position["players"])]
        held = neighbor["hand"] + held_back(neighbor)
        held += [neighbor["commitment"]["card"]] if neighbor["commitment"] else []
        assert set(side["passed"]) <= set(held)
    named = [entry["tile"] for entry in position["city"] if not entry["pawn"] and has_card(entry["tile"])]
    assert in_order(cards) == in_order(named + list(LETTERS))
    assert in_order(kept) == in_order(position["buried"])
    assert all(has_card(entry["tile"]) for entry in position["city"] if entry["pawn"])


def held_back(side: Json) -> list[str]:
    """The card that a side keeps for the next round (X5)."""
    return [side["kept"]] if side.get("kept") else []


def check_resources(position: Json) -> None:
    """Every side's resources are behind the screen, in the supply or in the city."""
    for seat, side in enumerate(position["players"]):
        lying = sum(entry["floors"] for entry in position["city"] if entry["owner"] == seat)
        assert side["resources"] >= 0 and side["supply"] >= 0
        assert side["resources"] + side["supply"] + lying == RESOURCES_PER_SIDE[position["config"]["players"]]
    lower = sum(len(side.get("lower_tiles", [])) for side in position["players"])
    floors = sum(entry["floors"] for entry in position["city"])
    assert floors == len(position["city"]) + len(position["buried"]) + lower


def check_tokens(position: Json) -> None:
    """Twelve tokens, at most one a cell, each beside a building; only during a token decision one is in hand."""
    built = {tuple(entry["cell"]) for entry in position["city"]}
    cells = [tuple(cell) for cell in position["tokens"].values() if cell is not None]
    assert len(built) == len(position["city"])
    assert len(cells) == 12 - (position["decision"]["kind"] == "token")
    assert len(set(cells)) == len(cells) and not set(cells) & built
    assert all(beside(cell, built) for cell in cells)


def check_characters(position: Json) -> None:
    """No character more often than it is printed."""
    counts = Counter(name for side in position["players"] for name in side["characters"] + side["packet"])
    assert set(counts) <= set(CHARACTERS)
    assert all(counts[name] <= {"R": 4, "B": 3, "Y": 2}[name[0]] for name in counts)
    assert all(bonus_items(name) for name in counts)
