"""The piles (supply, stacks, deck, discard pile) and the legend of the map."""

from __future__ import annotations

from ginkgo_env.core.fields import Fields
from ginkgo_env.drawing.presenter import Rows
from ginkgo_env.drawing.shapes import badge_box, heading, panel, row
from ginkgo_env.drawing.svg import PAGE, SMALL, Box, below, beside, flow, label
from ginkgo_env.games.ginkgopolis.constants import Module, Stage
from ginkgo_env.games.ginkgopolis.presentation.city import floors_sign, number_sign, pawn_sign, token_sign
from ginkgo_env.games.ginkgopolis.presentation.parts import counter_with_part, prestige_with_parts
from ginkgo_env.games.ginkgopolis.presentation.pieces import cards_of, counter_of, tiles_of, tree_sign
from ginkgo_env.games.ginkgopolis.text.describe import EXHAUSTED, split_text
from ginkgo_env.games.ginkgopolis.text.notation import names_in
from ginkgo_env.games.ginkgopolis.text.reading import with_module
from ginkgo_env.games.ginkgopolis.text.words import say


def piles_box(g: Fields, asked: Stage | None) -> Box:
    """Everything beside the city.

    asked : the kind of decision that the viewer has to make
    """
    notes = [say(EXHAUSTED[g.exhaustions])] if g.exhaustions else []
    if g.stage == Stage.SPLIT:
        notes.append(f"{say('to be drawn:')} {split_text(g)}")
    elif g.draws:
        notes.append(say("still to be drawn: {n}", n=g.draws))
    title = heading(say("Supply"), PAGE - 20, "; ".join(notes))
    counters, *others = piles_rows(g, asked).items()
    return panel(below([title, beside(counters[1], 18), *(row(say(name), boxes) for name, boxes in others)], 6))


def piles_rows(g: Fields, asked: Stage | None) -> Rows:
    """The piles by name; their counters are the row ``supply``."""
    discard, prestige = names_in(g.discard), names_in(g.prestige)
    return {
        "supply": [counter_with_part(box, asked, name) for name, box in _counters(g, len(discard)).items()],
        "prestige": prestige_with_parts(tiles_of(prestige), asked, prestige),
        "given back": tiles_of(names_in(g.returned)),
        "discarded": cards_of(discard),
    }


def _counters(g: Fields, discarded: int) -> dict[str, Box]:
    """The counters by name."""
    numbers = {"tile supply": g.supply_size, "deck": g.deck_size, "discarded": discarded}
    if with_module(g, Module.NEW_BUILDINGS):
        numbers["new buildings"] = g.n_new_buildings
    counters = {name: counter_of(name, n) for name, n in numbers.items()}
    if with_module(g, Module.GREEN_SPACES):
        counters["green spaces"] = counter_of("green spaces", g.green_stack)
    return counters


def legend(g: Fields, width: float = PAGE) -> Box:
    """The meaning of the signs on the map."""
    signs = [
        (badge_box(0, "a", 7), "owner"),
        (Box(22, 16, floors_sign(2, 0, 0, 22, 16)), "floors"),
        (Box(12, 18, pawn_sign(6, 8, 7)), "construction site"),
        (Box(18, 18, token_sign("A", 9, 9, 8)), "token"),
        (Box(18, 18, number_sign(1, 9, 9, 8)), "district"),
    ]
    if with_module(g, Module.GREEN_SPACES):
        signs.append((Box(16, 18, tree_sign(8, 9, 8)), "green space"))
    return flow([beside([sign, label(say(words), "dim", size=SMALL)], 5) for sign, words in signs], width, 18)
