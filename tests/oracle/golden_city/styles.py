"""Ways of playing for tests: uniform play seldom reaches the city. A style picks one of the legal actions (in notation)."""

import random
from collections.abc import Callable
from typing import Any

from .bidding import NAMES
from .board import Board, Place, own_board
from .careful import careful, place_of

Style = Callable[[random.Random, list[str], dict[str, Any], int], str]


def uniform(chance: random.Random, legal: list[str], position: dict[str, Any], seat: int) -> str:
    """Any action."""
    return chance.choice(legal)


def builder(chance: random.Random, legal: list[str], position: dict[str, Any], seat: int) -> str:
    """The pair best for the next house, the most valuable site (careful play of the rules text)."""
    return careful(chance, legal, position, seat)


def hoarder(chance: random.Random, legal: list[str], position: dict[str, Any], seat: int) -> str:
    """Seldom builds and takes cards: full hands, discards, decks that run out; may end blocked."""
    if "build:done" in legal and chance.random() < 0.9:
        return "build:done"
    places = own_board().places
    cards = [text for text in legal if text.startswith("build:") and place_of(text, places).reward == "card"]
    return chance.choice(cards or legal)


def displacer(chance: random.Random, legal: list[str], position: dict[str, Any], seat: int) -> str:
    """Bids where another's hand lies whenever it can pay, and builds where coins are: high prices."""
    places = own_board().places
    taken = [f"bid:{name}" for name, pair in zip(NAMES, position["pairs"], strict=False) if pair["seat"] is not None]
    coins = [text for text in legal if text.startswith("build:") and "coin" in place_of(text, places).reward]
    return chance.choice(coins or [text for text in legal if text in taken] or legal)


def eager(chance: random.Random, legal: list[str], position: dict[str, Any], seat: int) -> str:
    """Builds whenever it can, the second house too: houses run out."""
    return chance.choice([text for text in legal if text != "build:done"])


def coaster(chance: random.Random, legal: list[str], position: dict[str, Any], seat: int) -> str:
    """Fills the coast and stays there: others run short of sites."""
    places = own_board().places
    coast = [text for text in legal if text.startswith("build:") and place_of(text, places).kind == "coast"]
    return chance.choice(coast or [text for text in legal if text == "build:done"] or legal)


def trader(chance: random.Random, legal: list[str], position: dict[str, Any], seat: int) -> str:
    """Goods and bonus cards before anything else: fifth goods cards, empty stacks."""
    places = own_board().places
    wanted = [text for text in legal if text.startswith("build:") and place_of(text, places).reward in ("goods", "bonus")]
    return chance.choice(wanted or [text for text in legal if text != "build:done"])


def racer(chance: random.Random, legal: list[str], position: dict[str, Any], seat: int) -> str:
    """Goes for the city: inner districts, outer ones, keys, then whatever lies nearest to a district."""
    if not legal[0].startswith("build:"):
        return careful(chance, legal, position, seat) if legal[0].startswith("bid:") else chance.choice(legal)
    places, steps = own_board().places, steps_to_city(own_board())
    coast_houses: int = sum(name.startswith("C") for name, seats in position["houses"].items() if seat in seats)

    def worth(text: str) -> float:
        place = place_of(text, places)
        if place.name == "":
            return -3.5  # done: rather than a third house on the coast
        rank = {"inner": 10.0, "outer": 8.0}.get(place.kind, 5.0 if place.reward == "key" else -steps[place.name])
        return rank - 4.0 * (place.kind == "coast" and coast_houses > 1)

    best = max(map(worth, legal))
    return chance.choice([text for text in legal if worth(text) == best])


STYLES: tuple[Style, ...] = (uniform, builder, hoarder, displacer, eager, coaster, trader, racer)


def sometimes(style: Style, often: float) -> Style:
    """The style, and now and then any action."""

    def choose(chance: random.Random, legal: list[str], position: dict[str, Any], seat: int) -> str:
        return style(chance, legal, position, seat) if chance.random() < often else chance.choice(legal)

    return choose


def seat_styles(chance: random.Random, seats: int) -> list[Style]:
    """A style for each seat; in some games all have the same, which leads far into one corner."""
    if chance.random() < 0.25:
        return [chance.choice(STYLES)] * seats
    return [sometimes(chance.choice(STYLES), chance.choice([1.0, 0.85])) for _ in range(seats)]


def steps_to_city(found: Board) -> dict[str, int]:
    """Roads from each place to the nearest district."""
    near: list[Place] = [place for place in found.places.values() if place.is_district]
    steps = {place.name: 0 for place in near}
    waiting = [place.name for place in near]
    for name in waiting:
        for neighbor in found.neighbors[name]:
            if neighbor not in steps:
                steps[neighbor] = steps[name] + 1
                waiting.append(neighbor)
    return steps
