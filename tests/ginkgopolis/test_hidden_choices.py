"""Hidden choices of others, asked for again in resampled worlds (R10, X7.3): all of them, and nothing of what they were shows."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.game import Game, States
from ginkgo_env.games.ginkgopolis.components import MODULE_NAMES, RANK
from ginkgo_env.games.ginkgopolis.constants import GREEN_SPACE, N_CHARACTERS, NOBODY, NONE, Expert, Stage
from ginkgo_env.games.ginkgopolis.notation import members
from ginkgo_env.games.ginkgopolis.queries import CHOOSING
from ginkgo_env.testing import at, visited
from ginkgo_env.testing.hidden import require_same_view
from ginkgo_env.testing.play import each

from ..rules.ginkgopolis.extras import MODULES
from ..rules.ginkgopolis.positions import Builder, Table, game
from ..tiers import by_tier
from .invariants import check_invariants
from .ways import styled

Json = dict[str, Any]
CONFIGS: list[Json] = [
    {"players": 2},
    {"players": 3, "strict": True},
    {"players": 4},
    *({"players": 3, "modules": (name,)} for name in MODULE_NAMES),
    {"players": 2, "modules": MODULE_NAMES, "strict": True},
    {"players": 4, "modules": MODULE_NAMES, "hand_size": 5},
]
TIERED = by_tier(CONFIGS, [CONFIGS[1], CONFIGS[-1]])


def id_of(config: Json) -> str:
    modules = config.get("modules", ())
    return "-".join([str(config["players"]), *(modules if len(modules) == 1 else ["all"] if modules else [])])


Choose = Callable[[Any, list[int]], int]
"""Chooses, seeing the copy, one of the legal actions."""
Question = tuple[int, States, bytes]
"""The number of a choice, the copy that shows it, its mask."""


def ask_all(table: Game, world: States, seat: int, choose: Choose) -> list[Question]:
    """Ask for all choices that are hidden from a seat, and answer each in the world."""
    kernels, seats, counts = table.kernels, np.array([seat]), np.zeros(1, np.int64)
    questions: list[Question] = []
    k = n = 0
    while n >= 0:
        copy, mask = world.copy().view(np.recarray), np.full((1, table.actions.size), 7, np.int8)
        kernels.ask(0, 1, copy, table.components, seats, k, mask, counts)
        n = counts[0]
        if n > 0:
            legal = np.flatnonzero(mask[0]).tolist()
            assert len(legal) == n == mask.sum(), "the number is not that of the actions in the mask"
            questions.append((k, copy, mask.tobytes()))
            action = choose(copy[0], legal)
            assert action in legal, f"{table.action_text(copy, action)} is not among the answers"
            kernels.answer(0, 1, world, table.components, k, np.array([action]))
        else:
            assert copy.tobytes() == world.tobytes() and (mask == 7).all(), "something changes without a question"
        k += 1
    return questions


def worlds_of(config: Json, seed: int, n: int) -> list[tuple[int, States]]:
    """Resampled states of play, with the seat that they are resampled for."""
    table, found = game(**config), []
    for i, state in enumerate(each(visited(game(**config), seed=seed, n=n, policy=styled(table, seed)))):
        for seat in range(table.seats):
            batch = at(table, state)
            batch.resample(seat, seed=i)
            found.append((seat, batch.states.copy().view(np.recarray)))
    return found


def by_chance(seed: int) -> Choose:
    rng = random.Random(seed)
    return lambda copy, legal: rng.choice(legal)


# --- the choices that a world has, read from its record ----------------------------------------------------------------------


def tile_number(tile: int) -> int:
    """1 + its number in blocks of actions, which have no gap for the letters; 0 for none."""
    return int(tile) + 1 - (12 if tile >= 72 else 0)


def tiles_aside(g: Any, q: int) -> list[int]:
    """In the order in which they are set aside, green spaces as often as there are."""
    tiles = members(g.aside[q]) + [GREEN_SPACE] * (int(g.green_aside[q]) - 1)
    return sorted(tiles, key=lambda tile: int(RANK[tile]))


def as_before(table: Game, world: States) -> Choose:
    """Chooses what the world had before any question."""
    g, index = world.copy().view(np.recarray)[0], table.actions.index

    def choose(copy: Any, legal: list[int]) -> int:
        q, hand = int(copy.actor), members(copy.hand[copy.actor])
        if copy.stage == Stage.COMMIT:
            return index("commit", hand.index(g.card[q]), tile_number(g.tile[q]))
        if copy.stage == Stage.LOWER:
            return index("lower", tile_number(g.lower[q]))
        if copy.stage == Stage.EVENT:
            return index("event", g.event[q] + 1)
        if copy.stage == Stage.KEEP:
            return index("keep", hand.index(g.kept[q]))
        if copy.stage == Stage.RETURN:
            rest = tiles_aside(g, q)[len(tiles_aside(copy, q)) :]
            return index("return", tile_number(rest[0]) - 1) if rest else table.actions["return"].stop - 1
        assert copy.stage == Stage.DRAFT
        taken = np.flatnonzero(g.characters[q] != copy.characters[q]).tolist()
        return index("draft", taken[0] if taken else N_CHARACTERS + g.expert[q])

    return choose


def hidden_choices(g: Any, seat: int) -> list[tuple[int, int]]:
    """Stage and seat of all decisions in which others made hidden choices."""
    if g.stage == Stage.DRAFT:
        kept = [int(g.characters[q].sum()) + (g.expert[q] != NONE) for q in range(g.actor)]
        return [(Stage.DRAFT, q) for q in range(g.actor) if q != seat and kept[q] > g.pick]
    if g.solo or g.stage in (Stage.EVENTS, Stage.OVER):
        return []
    found, order = [], [(int(g.first) + k) % int(g.players) for k in range(g.players)]
    for q in order:
        is_out = g.card[q] != NONE and g.player != q and not (g.stage in CHOOSING and g.actor == q)
        is_made = {
            Stage.COMMIT: is_out,
            Stage.LOWER: (is_out and g.tile[q] != NONE and g.expert[q] == Expert.ARCHITECT) or g.lower[q] != NONE,
            Stage.EVENT: is_out and (g.events[q] != 0 or g.event[q] != NONE),
            Stage.KEEP: g.kept[q] != NONE,
        }
        found += [(stage, q) for stage, made in is_made.items() if q != seat and made]
    for q in order[: g.returner] if g.stage == Stage.RETURN else ():
        found += [(Stage.RETURN, q)] * (len(tiles_aside(g, q)) + 1) if q != seat else []
    return found


# --- tests -------------------------------------------------------------------------------------------------------------------


def check_worlds(config: Json, worlds: list[tuple[int, States]], *, by_hand: bool = False) -> Counter[tuple[int, bool]]:
    """Check all questions of resampled worlds; count them by stage, and by whether the card has been revealed.

    by_hand : whether play need not lead there
    """
    table, met = game(**config), Counter[tuple[int, bool]]()
    for i, (seat, world) in enumerate(worlds):
        g, same, other = world[0], world.copy().view(np.recarray), world.copy().view(np.recarray)
        copies = [copy[0] for _, copy, _ in ask_all(table, same, seat, as_before(table, same))]
        asked = [(int(copy.stage), int(copy.actor)) for copy in copies]
        assert asked == hidden_choices(g, seat), "a hidden choice is missing, or one that nobody made is asked for"
        assert same.tobytes() == world.tobytes(), "the same answers make another world"
        assert all((copy.player, copy.draws) == (NOBODY, 0) for copy in copies if copy.stage in CHOOSING)
        met.update((stage, bool(g.player == q)) for stage, q in asked)

        ask_all(table, other, seat, by_chance(i))
        old, new = at(table, world), at(table, other)
        require_same_view(table, old, new, seat, f"world {i}")
        assert (old.observe(seat) == new.observe(seat)).all() and (old.features(seat) == new.features(seat)).all()
        if not by_hand:
            check_invariants(table, other)

        if g.stage != Stage.DRAFT:  # there, which card was kept last is not in the record
            again = other.copy().view(np.recarray)
            ours, theirs = (ask_all(table, one, seat, by_chance(-i)) for one in (same, again))
            for (k, copy, mask), (other_k, other_copy, other_mask) in zip(ours, theirs, strict=True):
                assert (k, mask) == (other_k, other_mask), "the answers depend on what was chosen before"
                for look in ("observe", "features"):
                    views = [getattr(at(table, one, check=False), look)(int(one[0].actor)) for one in (copy, other_copy)]
                    assert (views[0] == views[1]).all(), f"{look} shows what was chosen before"
            assert same.tobytes() == again.tobytes(), "what was chosen before is left in the world"
    return met


def kinds_of(config: Json) -> set[int]:
    """The stages of all hidden choices that come up in any game of a configuration."""
    kinds = {"events": Stage.EVENT, "keep_card": Stage.KEEP}
    base = {Stage.DRAFT, Stage.COMMIT, Stage.RETURN} if config["players"] > 1 else set()
    return base | {kind for module, kind in kinds.items() if module in config.get("modules", ())}


@pytest.mark.parametrize("config", TIERED, ids=id_of)
def test_hidden_choices_are_made_again(config: Json) -> None:
    met = check_worlds(config, worlds_of(config, 3, 24))
    assert {stage for stage, _ in met} >= kinds_of(config)


@pytest.mark.parametrize("config", TIERED, ids=id_of)
def test_who_is_asked_again_sees_what_was_seen_at_the_decision(config: Json) -> None:
    """As long as the others choose, the question in the true state is the decision: what is seen, and the actions."""
    table, rng = game(**config), random.Random(5)
    asked: dict[tuple[int, int], list[tuple[Any, ...]]] = {}
    phase, compared = None, set()
    for start in (0, 1):
        batch = ginkgo_env.Batch(table, 1)
        batch.reset(seed=start)
        while not batch.over.all():
            state, seat = batch.state(0), int(batch.actor[0])
            if table.choice_phase(state) != phase:
                phase, asked = table.choice_phase(state), {}
            g, legal = state[0], batch.mask[0].copy()
            legal[table.actions["new_hand"].start] = 0
            if g.stage != Stage.DRAFT or g.pick == 0:  # later, which card was kept last is not in the record
                again: dict[tuple[int, int], list[tuple[Any, ...]]] = {}
                for _, copy, mask in ask_all(table, state, seat, as_before(table, state)):
                    if sum(mask) > 1:  # a single legal action is played without asking
                        again.setdefault((int(copy[0].stage), int(copy[0].actor)), []).append(seen(table, copy, mask))
                for key in (key for key in asked if key[1] != seat):
                    assert again[key] == asked[key], f"the question of {key} is not the decision"
                    compared.add(key[0])
            if phase is not None and legal.sum() > 1:
                asked.setdefault((int(g.stage), seat), []).append(seen(table, state, legal.tobytes()))
            batch.step([rng.choice(np.flatnonzero(legal).tolist())])
    assert compared >= kinds_of(config)


def seen(table: Game, state: States, mask: bytes) -> tuple[Any, ...]:
    """What the actor sees, the mask, and where the game stands."""
    g, batch = state[0], at(table, state, check=False)
    seat, stand = int(g.actor), [int(g[name]) for name in ("stage", "actor", "cursor", "player", "returner", "draws")]
    return mask, stand, batch.observe(seat).tobytes(), batch.features(seat).tobytes()


def architect(*texts: str) -> Table:
    """Seat 0, who chooses first, may put two tiles on a card."""
    builder = Builder(3, modules=MODULES).expert(0, "architect").events(0, "press", "expropriation").hand(0, "A", "B", "R1")
    builder.tiles(0, "Y9", "R4", "B8", "R5").hand(1, "C", "D", "Y1").hand(2, "E", "F").other(first_player=0)
    return builder.start().play(*texts)


def check_table(table: Table, seat: int, n: int = 8) -> Counter[tuple[int, bool]]:
    """Check the questions of worlds that the seat may take for the real one."""
    batch = at(table.game, np.repeat(table.batch.states, n).view(np.recarray))
    batch.resample(seat, seed=1)
    return check_worlds(table.config, [(seat, world) for world in each(batch.states.copy())], by_hand=True)


@pytest.mark.parametrize(
    ("texts", "is_revealed"), [((), False), (("keep:D", "E"), True)], ids=["while players choose", "on the table"]
)
def test_a_second_tile_is_asked_for_also_under_a_revealed_card(texts: tuple[str, ...], is_revealed: bool) -> None:
    met = check_table(architect("A+Y9", "lower:R4", "event:press", "keep:B", "C", *texts), 1)
    assert met[Stage.LOWER, is_revealed] > 0
    assert met[Stage.LOWER, not is_revealed] == 0


def revealed(**config: Any) -> Builder:
    """Seat 0, whose event is asked for or under way, has two tiles on a card, and can pay for none."""
    builder = Builder(3, modules=MODULES, **config).expert(0, "architect").events(0, "expropriation").player(0, resources=0)
    builder.hand(0, "R1").keeps(0, "B").keeps(1, "D").keeps(2, "E").committed(1, "F").committed(2, "G")
    return builder.tiles(0, "B8", "R5", "R6").committed(0, "A", "Y9", lower="R4").other(first_player=0)


def test_a_second_tile_that_cannot_be_paid_now_may_have_been_put_under_the_first() -> None:
    met = check_table(revealed(strict=True).asked("timing", 0, event="press").start(), 1)
    assert met[Stage.LOWER, True] > 0


def test_tiles_are_set_aside_out_of_what_a_second_tile_leaves() -> None:
    builder = revealed().supply().other(exhaustions=1)
    met = check_table(builder.asked("return", 1, player=0, draws=1, phase="before", timing="before", event="press").start(), 1)
    assert met[Stage.LOWER, True] > 0 and met[Stage.RETURN, True] > met[Stage.LOWER, True]


def test_a_tile_that_cannot_be_paid_now_may_have_been_committed() -> None:
    builder = Builder(2, strict=True).player(1, resources=0).tiles(1, "B8", "R5").hand(1, "B", "C", "D").committed(1, "E", "Y9")
    met = check_table(builder.hand(0, "G", "H", "I").committed(0, "A").other(first_player=0).asked("take", 0).start(), 0)
    assert met[Stage.COMMIT, False] > 0


def test_in_positions_made_by_hand_an_expropriation_may_have_no_building() -> None:
    builder = Builder(2, modules=["events"]).hand(1, "B", "C", "D").committed(1, "R1", event="expropriation").events(1, "press")
    met = check_table(builder.hand(0, "G", "H", "I").committed(0, "A").other(first_player=0).asked("take", 0).start(), 0, n=2)
    assert met[Stage.EVENT, False] > 0
