"""Ways of playing for tests: uniform play never sees many corners. A style picks one of the legal actions (in notation)."""

import random
import re
from collections.abc import Callable

Style = Callable[[random.Random, list[str]], str]


def uniform(chance: random.Random, legal: list[str]) -> str:
    """Any action."""
    return chance.choice(legal)


def builder(chance: random.Random, legal: list[str]) -> str:
    """Builds whenever it can: many floors, resources run out."""
    return chance.choice([a for a in legal if "+" in a] or legal)


def urbanizer(chance: random.Random, legal: list[str]) -> str:
    """Urbanizes, and crowds the tokens: wide cities, R6.3."""
    wide = [a for a in legal if "+" in a and not a[1].isdigit()] + [a for a in legal if a in ("token:after", "token:before")]
    return chance.choice(wide or legal)


def collector(chance: random.Random, legal: list[str]) -> str:
    """Never builds and takes tiles: the supply runs out early and often, screens fill up."""
    return chance.choice([a for a in legal if a == "take:tile"] or [a for a in legal if "+" not in a] or legal)


def swapper(chance: random.Random, legal: list[str]) -> str:
    """Takes new hands at once and returns everything: decks and the second exhaustion."""
    eager = [a for a in legal if a == "new-hand" or (a.startswith("return:") and a != "return:done")]
    return chance.choice(eager or legal)


def hoarder(chance: random.Random, legal: list[str]) -> str:
    """Collects tiles first, returns few, then builds: everything late."""
    if "return:done" in legal and chance.random() < 0.7:
        return "return:done"
    alone = [a for a in legal if "+" not in a and a != "new-hand"]
    return chance.choice(alone if alone and chance.random() < 0.6 else legal)


def wishing(*wishes: str) -> Style:
    """Takes what the first wish that can be fulfilled matches, now and then anything."""
    patterns = [re.compile(wish) for wish in wishes]

    def choose(chance: random.Random, legal: list[str]) -> str:
        granted = [[a for a in legal if pattern.match(a)] for pattern in patterns]
        wanted = next((actions for actions in granted if actions), legal)
        return chance.choice(wanted if chance.random() < 0.85 else legal)

    return choose


EXTRA = r"(event|lower|split|return):(?!none|done)"  # a tile more, wherever one may be had, played or returned

STYLES: tuple[Style, ...] = (
    *(uniform, builder, urbanizer, collector, swapper, hoarder),
    wishing(EXTRA, r"draft:architect", r"\w+\+GS", r"\w+\+"),  # eager
    wishing(r"split:green", r"\w\+GS", r"\w\+", r"take:tile", r"B\d+$", r"event:design", r"lower:GS"),  # gardens
    wishing(r"split:(?!done)", r"\w\d+\+\w2[45]", r"[RBY]\d+\+\w2", r"\w\+GS", r"B\d+$", r"[RY]\d+$"),  # prestige only
    wishing(r"events:exp", r"event:(expr|contr)", r"[RBY]\d+$", r"timing:before", r"pay:\d", r"keep:\w$"),  # harasses
    wishing(r"draft:(banker|mayor|artist)", r"event:", r"[RBY]\d+\+", r"split:done", r"return:done"),  # constructs at any price
    wishing(r"draft:engineer", r"take:tile", r"split:new", r"\w$", r"timing:after", r"event:design", r"return:GS"),  # digs
    wishing(r"split:done", r"draft:B", r"take:tile", r"B\d+$", r"\w+\+B", r"\w+\+"),  # drains
)


def late(style: Style) -> Style:
    """The same, but saves event tiles for later."""

    def choose(chance: random.Random, legal: list[str]) -> str:
        return "event:none" if "event:none" in legal and chance.random() < 0.93 else style(chance, legal)

    return choose


def seat_styles(chance: random.Random, seats: int) -> list[Style]:
    """A style for each seat; in some games all have the same, which leads far into one corner."""
    if chance.random() < 0.25:
        styles = [chance.choice(STYLES)] * seats
    else:
        styles = [chance.choice(STYLES) for _ in range(seats)]
    return [late(style) if chance.random() < 0.5 else style for style in styles]
