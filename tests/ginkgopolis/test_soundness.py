"""Each flaw of a record is found: one change to a state of play, and the flaw that it makes."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from ginkgo_env import Batch
from ginkgo_env.core.game import States
from ginkgo_env.games.ginkgopolis.constants import Module, Stage
from ginkgo_env.games.ginkgopolis.validity import Flaw
from ginkgo_env.testing import visited

from ..rules.ginkgopolis.positions import Builder, game

MODULES = ("events", "keep_card")
Change = Callable[[Any], None]


def to(name: str, value: Any, *at: int) -> Change:
    """Set a field, or an entry of it."""

    def change(g: Any) -> None:
        if at:
            g[name][at] = value
        else:
            g[name] = value

    return change


def add(name: str, more: int, *at: int) -> Change:
    """Add to a field, or to an entry of it."""

    def change(g: Any) -> None:
        to(name, (g[name][at] if at else g[name]) + more, *at)(g)

    return change


def copy_into(source: str, target: str) -> Change:
    """What seat 0 has in one set is also in another."""

    def change(g: Any) -> None:
        g[target][0] |= g[source][0]

    return change


def discard_hand(g: Any) -> None:
    g.discard |= g.hand[g.actor]
    g.hand[g.actor] = 0


def forget_tile(g: Any) -> None:
    g.removed &= g.removed - 1  # without its lowest member


CHANGES: dict[str, tuple[Stage, Change, Flaw | str]] = {
    "nine players": (Stage.COMMIT, to("players", 9), "expected states of this configuration"),
    "a module twice": (Stage.COMMIT, to("modules", 2, Module.EVENTS), "expected states of this configuration"),
    "a stage in which nobody decides": (Stage.COMMIT, to("stage", Stage.DEAL), "stage: expected Stage 0..12"),
    "an expert that does not exist": (
        Stage.COMMIT,
        to("expert", 10, 0),
        "expert: expected expert 0..9 or -1, and -1 beyond players",
    ),
    "a supply that counts more": (Stage.COMMIT, add("supply_size", 1), "supply: expected tile 0..59, and -1 beyond supply_size"),
    "a deck with a gap": (Stage.COMMIT, to("deck", -1, 0), "deck: expected card 0..80, and -1 beyond deck_size"),
    "a building moved": (Stage.COMMIT, add("x", 1, 4), Flaw.CITY),
    "another neighbor": (Stage.COMMIT, to("adjacent", 0, 0, 0), Flaw.CITY),
    "another building of a tile": (Stage.COMMIT, to("slot", 0, 59), Flaw.CITY),
    "a token moved away": (Stage.COMMIT, add("token_x", 9, 0), Flaw.TOKENS),
    "another corner": (Stage.COMMIT, add("west", -1), Flaw.EDGE),
    "a tile lost": (Stage.COMMIT, forget_tile, "each tile must be in one place"),
    "a floor more": (Stage.COMMIT, add("floors", 1, 0), Flaw.TILES),
    "green spaces without their module": (Stage.COMMIT, add("green_stack", 1), "each tile must be in one place"),
    "cards in two hands": (Stage.COMMIT, copy_into("hand", "tableau"), "there are too many cards"),
    "a character more": (Stage.COMMIT, add("characters", 1, 0, 0), Flaw.CHARACTERS),
    "an expert without the module": (Stage.COMMIT, to("expert", 0, 0), Flaw.CHARACTERS),
    "tiles set aside": (Stage.COMMIT, lambda g: swap(g, "tiles", "aside"), Flaw.SEAT),
    "a resource more": (Stage.COMMIT, add("resources", 1, 0), Flaw.RESOURCES),
    "a debt": (Stage.COMMIT, to("points", -1, 0), "points: expected 0..30000, and 0 beyond players"),
    "another bonus": (Stage.COMMIT, add("bonus", 1, 0, 0, 0), Flaw.BONUS),
    "all events": (Stage.COMMIT, to("events", 15, 0), Flaw.EVENTS),
    "cards passed to nobody": (Stage.COMMIT, copy_into("hand", "passed"), Flaw.KNOWN),
    "tiles known to be elsewhere": (Stage.COMMIT, lambda g: to("known_tiles", g.tiles[1], 0)(g), Flaw.KNOWN),
    "another place in turn order": (Stage.COMMIT, lambda g: to("cursor", 1 - g.cursor)(g), Flaw.ROUND),
    "before the first round": (Stage.COMMIT, to("rounds", 0), Flaw.ROUND),
    "a supply that ran out twice": (Stage.COMMIT, to("exhaustions", 2), Flaw.SUPPLY),
    "an event with no card": (Stage.COMMIT, to("stage", Stage.EVENT), Flaw.CHOICE),
    "another pick": (Stage.DRAFT, add("pick", 1), Flaw.DRAFT),
    "a packet that is passed on": (Stage.DRAFT, lambda g: to("packet", 0, g.actor)(g), Flaw.DRAFT),
    "a phase of nobody's turn": (Stage.COMMIT, to("phase", 1), Flaw.TURN),
    "an action of another card": (Stage.TAKE, to("action", 2), Flaw.TURN),
    "draws while nobody draws": (Stage.COMMIT, to("draws", 1), Flaw.DRAWS),
    "a zone elsewhere": (Stage.TIMING, to("zone", 99, 0), Flaw.ZONE),
    "a hand of no card": (Stage.COMMIT, discard_hand, Flaw.ACTION),
}


def swap(g: Any, one: str, other: str) -> None:
    g[one][0], g[other][0] = g[other][0].copy(), g[one][0].copy()


@cache
def state_at(stage: Stage) -> States:
    board = game(players=2, modules=MODULES)
    if stage == Stage.TIMING:
        builder = (
            Builder(2, modules=MODULES, setup="draft")
            .building((0, 0), "R2", owner=1)
            .committed(0, "R2")
            .hand(0, "B")
            .keeps(0, "C")
        )
        return board.from_position(builder.committed(1, "A").asked("timing", event="expropriation").position())
    states = visited(board, seed=1, n=200, rows=8)
    wanted = (states.stage == stage) & ((states.tiles[:, :2, 0] > 0).all(axis=1) | (stage != Stage.COMMIT))
    return states[wanted][:1]


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_makes_a_flaw(name: str) -> None:
    stage, change, flaw = CHANGES[name]
    state = state_at(stage).copy()
    board = game(players=2, modules=MODULES)
    assert board.flaw_of(state) == ""
    change(state[0])
    assert board.flaw_of(state) == (flaw.sentence if isinstance(flaw, Flaw) else flaw)


def test_what_is_refused_says_which_row_and_why() -> None:
    batch = Batch(game(players=2), 3)
    states = batch.states.copy()
    states[2].points[1] = -1
    with pytest.raises(Exception, match=r"^invalid states; row 2: points: expected 0..30000, and 0 beyond players$"):
        batch.set_states([0, 1, 2], states)
