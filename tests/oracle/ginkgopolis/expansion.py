"""The Experts: modules, configuration, events and the printed data of the experts (X0, X4.1, X6)."""

from dataclasses import dataclass
from typing import Any

MODULES = ["new_buildings", "prestige", "green_spaces", "events", "keep_card", "experts"]  # X7.5
TILE_MODULES = MODULES[:3]
REMOVED_FOR_EACH = 3  # more tiles leave the base supply for each module with tiles

EVENTS = ["design", "press", "expropriation", "control"]  # X4; the order of the box (X7.5)
EVENTS_KEPT = 2  # X4.1


@dataclass(frozen=True)
class Expert:
    """An expert card as it is printed: its event tiles and what it changes during the game."""

    events: tuple[str, ...] = ()  # X4.1
    lower_cost: int = 1  # SP for each step down when a lower number is constructed (R5.2)
    color_cost: int = 1  # resources for another color (R5.2)
    buys: bool = False  # missing resources are bought (banker)
    for_each_resource_back: int = 1  # SP when another player constructs (R5.1)
    same_color: int = 0  # SP for urbanizing next to the new tile's color (controller)
    for_each_tile_returned: int = 1  # SP in R7.1
    start_tiles: int = 0
    two_tiles: bool = False  # may build two floors at once (architect)


NO_EXPERT = Expert()

# X6, in the order of X7.5. The end points are in experts.py.
EXPERTS = {
    "artist": Expert(("design", "press"), lower_cost=0),
    "banker": Expert(("expropriation", "control"), buys=True),
    "lawyer": Expert(("press", "control"), for_each_resource_back=2),
    "controller": Expert(("design", "expropriation"), same_color=2),
    "entrepreneur": Expert(("design", "press")),
    "professor": Expert(("press", "control")),
    "journalist": Expert(("design", "expropriation")),
    "engineer": Expert(("expropriation", "control"), for_each_tile_returned=2),
    "mayor": Expert(("design", "control"), color_cost=0),
    "architect": Expert(("press", "expropriation"), start_tiles=2, two_tiles=True),
}


def events_in_order(names: list[str]) -> list[str]:
    """Event tiles by kind."""
    return sorted(names, key=EVENTS.index)


def experts_in_order(names: list[str]) -> list[str]:
    """Experts in the order of the box."""
    return sorted(names, key=list(EXPERTS).index)


def check_config(config: dict[str, Any]) -> None:
    """Refuses what cannot be combined. Raises ValueError."""
    modules, players, cards = config.get("modules", []), config["players"], config.get("hand_size", 4)
    refused = {
        "modules are for 2 to 5 players": bool(modules) and players == 1,
        "experts are drafted": "experts" in modules and config["setup"] != "draft",
        "hands of five need keep_card": cards == 5 and "keep_card" not in modules,
        "hands of five are for 2 to 4 players": cards == 5 and players == 5,
    }
    for reason, wrong in refused.items():
        if wrong:
            raise ValueError(reason)
