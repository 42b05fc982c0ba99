"""Positions built by hand, and the checks that hold in every position."""

from collections import Counter
from typing import Any

from .components import CARDS, CHARACTERS, RESOURCES_PER_SIDE, TILES, bonus_items, in_order
from .ginkgopolis import Oracle

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
        return 0 if name == "first_player" else list(items)


def config(players: int, **changes: Any) -> Json:
    """A configuration; the game ends after the first round unless told otherwise."""
    plain = {"players": players, "setup": "introductory", "level": "standard", "strict": False, "max_rounds": 1}
    return plain | changes


def blank(players: int, **changes: Any) -> Json:
    """A commit decision of seat 0 in round 1; nobody has cards, tiles, points, bonus cards or New Hands."""
    position = Oracle(config(players, setup="introductory", **changes), Scripted()).position()
    for side in position["players"]:
        total = RESOURCES_PER_SIDE[players]
        side |= {"points": 0, "resources": 5, "supply": total - 5, "new_hands": 0, "commitment": None}
        side |= {"characters": [], "hand": [], "tiles": [], "tableau": [], "passed": []}
    if players == 1:
        position["players"][1] |= {"resources": 25, "supply": 0}
    position["deck"], position["discard"] = [f"R{number}" for number in range(8, 20)], []
    position["decision"] = {"kind": "commit", "actor": 0}
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
    """All 60 tiles are somewhere, once."""
    tiles = [entry["tile"] for entry in position["city"]]
    tiles += position["buried"] + position["supply"] + position["removed"]
    for side in position["players"]:
        own = side["tiles"] + side["returning"]
        own += [side["commitment"]["tile"]] if side["commitment"] and side["commitment"]["tile"] else []
        assert set(side["known_tiles"]) <= set(own)
        tiles += own
    assert in_order(tiles) == TILES


def check_cards(position: Json) -> None:
    """Every card in play is a letter or names a top tile without pawn; cards in front of screens name covered tiles."""
    cards = position["deck"] + position["discard"]
    kept = []
    for seat, side in enumerate(position["players"]):
        cards += side["hand"]
        kept += side["tableau"]
        if side["commitment"]:
            pending = position["pending"]
            covering = pending and pending["player"] == seat and pending["action"] == "construct"
            (kept if covering else cards).append(side["commitment"]["card"])
        neighbor = position["players"][(seat + 1) % len(position["players"])]
        held = neighbor["hand"] + ([neighbor["commitment"]["card"]] if neighbor["commitment"] else [])
        assert set(side["passed"]) <= set(held)
    named = [entry["tile"] for entry in position["city"] if not entry["pawn"]]
    assert in_order(cards) == in_order(named + CARDS[60:])
    assert in_order(kept) == in_order(position["buried"])


def check_resources(position: Json) -> None:
    """Every side's resources are behind the screen, in the supply or on buildings."""
    for seat, side in enumerate(position["players"]):
        lying = sum(entry["floors"] for entry in position["city"] if entry["owner"] == seat)
        assert side["resources"] >= 0 and side["supply"] >= 0
        assert side["resources"] + side["supply"] + lying == RESOURCES_PER_SIDE[position["config"]["players"]]
    assert sum(entry["floors"] for entry in position["city"]) == len(position["city"]) + len(position["buried"])


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
