"""R10: what a seat cannot know shows nowhere, and what it must know does.

Pairs of states are made by hand, on positions: each swap moves hidden things about in one way (:data:`SWAPS`). Neither the
code that deals hidden things anew nor the one that looks takes part in making them.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy import stats

import ginkgo_env
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.log import new_log, read_log
from ginkgo_env.core.loops import PlayMode
from ginkgo_env.testing import at, visited

from ..tiers import by_tier

Json = dict[str, Any]
Swap = Callable[[Json, int, random.Random], bool]

CONFIGS: list[Json] = [
    {"players": 1, "level": "advanced"},
    {"players": 2, "setup": "draft"},
    {"players": 3, "setup": "draft", "strict": True},
    {"players": 5, "setup": "introductory"},
]
CASES = by_tier(range(len(CONFIGS)), [2])
ORDER = {name: i for i, name in enumerate([f"{c}{n}" for c in "RBY" for n in range(1, 21)] + list("ABCDEFGHIJKL"))}
CHARACTERS = {"RE": 4, "RU": 4, "RC": 4, "BE": 3, "BU": 3, "BC": 3, "YE": 2, "YU": 2, "YC": 2}  # R1.6


@cache
def game_of(i: int) -> Game:
    return ginkgo_env.make_game("ginkgopolis", **CONFIGS[i])


@cache
def table_of(i: int) -> ginkgo_env.Batch:
    """A batch of one row, used again and again."""
    return ginkgo_env.Batch(game_of(i), 1)


@cache
def states_of(i: int) -> list[States]:
    """Some states of each kind of decision, those while tiles are returned most of all."""
    game = game_of(i)
    found = [visited(game, seed=0, n=14, rows=6)]
    for seed in range(2, 6) if game.seats > 1 else ():
        some = visited(game, seed=seed, n=60, rows=3)
        found.append(some[some["stage"] == game.decisions.index("return")][-2:])
    every = np.concatenate(found).view(np.recarray)
    return [every[k : k + 1] for k in range(len(every))]


# --- what is hidden, in the words of positions -----------------------------------------------------------------------------


def others(p: Json, seat: int) -> list[int]:
    return [q for q in range(len(p["players"])) if q != seat]


def alone(p: Json) -> bool:
    return bool(p["config"]["players"] == 1)


def is_revealed(p: Json, q: int) -> bool:
    return p["pending"] is not None and p["pending"]["player"] == q


def unknown_cards(p: Json, q: int, seat: int) -> list[str]:
    """Cards in q's hand that the seat has not passed there (R10.3)."""
    known = p["players"][seat]["passed"] if q == (seat + 1) % len(p["players"]) else []
    return [card for card in p["players"][q]["hand"] if card not in known]


def hidden_commitment(p: Json, q: int) -> Json | None:
    found: Json | None = p["players"][q]["commitment"]
    return None if is_revealed(p, q) or p["decision"]["kind"] == "over" else found


def unknown_tiles(p: Json, q: int) -> list[str]:
    return [tile for tile in p["players"][q]["tiles"] if tile not in p["players"][q]["known_tiles"]]


def place(p: Json, name: str, old: str, new: str, q: int | None = None) -> None:
    """Put a card or tile into another's place in a list; sorted lists stay sorted."""
    home = p if q is None else p["players"][q]
    home[name] = [new if item == old else item for item in home[name]]
    if name not in ("deck", "supply"):
        home[name].sort(key=ORDER.__getitem__)


def mend_passed(p: Json, seat: int) -> None:
    """What the others know of each other follows the cards."""
    n = len(p["players"])
    for q in range(n):
        left = p["players"][(q + 1) % n]
        held = [*left["hand"], *([left["commitment"]["card"]] if left["commitment"] else [])]
        if q != seat and (q + 1) % n != seat:
            p["players"][q]["passed"] = [card for card in p["players"][q]["passed"] if card in held]


# --- swaps: change the position, return whether there was anything to change -----------------------------------------------


def deck_order(p: Json, seat: int, rng: random.Random) -> bool:
    rng.shuffle(p["deck"])
    return len(p["deck"]) > 1


def supply_order(p: Json, seat: int, rng: random.Random) -> bool:
    rng.shuffle(p["supply"])
    return len(p["supply"]) > 1


def chance(p: Json, seat: int, rng: random.Random) -> bool:
    p["random"], p["seed"] = (f"0x{rng.getrandbits(64):016x}" for _ in range(2))
    return True


def supply_with_removed(p: Json, seat: int, rng: random.Random) -> bool:
    supply = [tile for tile in p["supply"] if tile not in p["returned"]]
    if not supply or not p["removed"]:
        return False
    a, b = rng.choice(supply), rng.choice(p["removed"])
    place(p, "supply", a, b)
    place(p, "removed", b, a)
    return True


def hand_with_deck(p: Json, seat: int, rng: random.Random) -> bool:
    choices = [(q, card) for q in others(p, seat) for card in unknown_cards(p, q, seat)]
    if not choices or not p["deck"]:
        return False
    (q, a), b = rng.choice(choices), rng.choice(p["deck"])
    place(p, "hand", a, b, q)
    place(p, "deck", b, a)
    mend_passed(p, seat)
    return True


def hand_with_hand(p: Json, seat: int, rng: random.Random) -> bool:
    choices = [(q, card) for q in others(p, seat) for card in unknown_cards(p, q, seat)]
    pairs = [(x, y) for x in choices for y in choices if x[0] < y[0]]
    if not pairs:
        return False
    (q, a), (r, b) = rng.choice(pairs)
    place(p, "hand", a, b, q)
    place(p, "hand", b, a, r)
    mend_passed(p, seat)
    return True


def committed_card_with_hand(p: Json, seat: int, rng: random.Random) -> bool:
    choices = [(q, card) for q in others(p, seat) if hidden_commitment(p, q) for card in p["players"][q]["hand"]]
    if not choices:
        return False
    q, card = rng.choice(choices)
    pair = p["players"][q]["commitment"]
    place(p, "hand", card, pair["card"], q)
    pair["card"] = card
    return True


def committed_card_with_deck(p: Json, seat: int, rng: random.Random) -> bool:
    left = (seat + 1) % len(p["players"])
    known = p["players"][seat]["passed"]
    choices = []
    for q in others(p, seat):
        pair = hidden_commitment(p, q)
        if pair is not None and not (q == left and pair["card"] in known):
            choices.append(pair)
    if not choices or not p["deck"]:
        return False
    pair, card = rng.choice(choices), rng.choice(p["deck"])
    place(p, "deck", card, pair["card"])
    pair["card"] = card
    mend_passed(p, seat)
    return True


def tile_on_card_or_not(p: Json, seat: int, rng: random.Random) -> bool:
    """R10.1: while players choose nobody sees whether a tile lies on a card."""
    choices = [q for q in others(p, seat) if hidden_commitment(p, q)]
    if p["decision"]["kind"] != "commit" or not choices or alone(p):
        return False
    player = p["players"][rng.choice(choices)]
    if player["commitment"]["tile"] is not None:
        player["tiles"] = sorted([*player["tiles"], player["commitment"]["tile"]], key=ORDER.__getitem__)
        player["commitment"]["tile"] = None
        return True
    if not player["tiles"]:
        return False
    tile = rng.choice(player["tiles"])
    player["tiles"].remove(tile)
    player["commitment"]["tile"] = tile
    return True


def committed_tile_with_screen(p: Json, seat: int, rng: random.Random) -> bool:
    choices = [(q, tile) for q in others(p, seat) if hidden_commitment(p, q) for tile in p["players"][q]["tiles"]]
    choices = [(q, tile) for q, tile in choices if p["players"][q]["commitment"]["tile"] is not None]
    if not choices:
        return False
    q, tile = rng.choice(choices)
    pair = p["players"][q]["commitment"]
    place(p, "tiles", tile, pair["tile"], q)
    pair["tile"] = tile
    return True


def _tile_with(p: Json, seat: int, rng: random.Random, pile: str) -> bool:
    """A tile returned by R7.1 changes places only with another such one: everybody counts them."""
    choices = [
        (q, a, b)
        for q in others(p, seat)
        for a in unknown_tiles(p, q)
        for b in p[pile]
        if (a in p["returned"]) == (b in p["returned"])
    ]
    if not choices:
        return False
    q, a, b = rng.choice(choices)
    place(p, "tiles", a, b, q)
    place(p, pile, b, a)
    return True


def tile_with_supply(p: Json, seat: int, rng: random.Random) -> bool:
    return _tile_with(p, seat, rng, "supply")


def tile_with_removed(p: Json, seat: int, rng: random.Random) -> bool:
    return _tile_with(p, seat, rng, "removed")


def tile_with_tile(p: Json, seat: int, rng: random.Random) -> bool:
    mine = [(q, tile) for q in others(p, seat) for tile in unknown_tiles(p, q)]
    pairs = [(x, y) for x in mine for y in mine if x[0] < y[0] and (x[1] in p["returned"]) == (y[1] in p["returned"])]
    if not pairs:
        return False
    (q, a), (r, b) = rng.choice(pairs)
    place(p, "tiles", a, b, q)
    place(p, "tiles", b, a, r)
    return True


def tiles_set_aside(p: Json, seat: int, rng: random.Random) -> bool:
    """R7.1: which tiles others return, how many, and how far the one who chooses has come."""
    if p["decision"]["kind"] != "return":
        return False
    n, actor, changed = len(p["players"]), p["decision"]["actor"], False
    for q in others(p, seat):
        player = p["players"][q]
        both = sorted([*player["tiles"], *player["returning"]], key=ORDER.__getitem__)
        turn, now = ((s - p["first_player"]) % n for s in (q, actor))
        if turn > now or not both:
            continue
        if turn == now:  # he must have something left to choose
            kept = rng.randrange(len(both))
            aside = [tile for tile in both[:kept] if rng.random() < 0.5]
        else:
            aside = [tile for tile in both if rng.random() < 0.5]
        changed |= aside != player["returning"]
        player["returning"], player["tiles"] = aside, [tile for tile in both if tile not in aside]
    return changed


def knowledge_of_others(p: Json, seat: int, rng: random.Random) -> bool:
    """What others know of each other's hands."""
    n, changed = len(p["players"]), False
    for q in others(p, seat):
        left = p["players"][(q + 1) % n]
        if (q + 1) % n == seat or alone(p):
            continue
        held = [*left["hand"], *([left["commitment"]["card"]] if hidden_commitment(p, (q + 1) % n) else [])]
        known = sorted(rng.sample(held, rng.randint(0, min(3, len(held)))), key=ORDER.__getitem__)
        changed |= known != p["players"][q]["passed"]
        p["players"][q]["passed"] = known
    return changed


def draft_of_others(p: Json, seat: int, rng: random.Random) -> bool:
    """R2.7: kept characters and packets of the others, and what stayed in the box."""
    if p["decision"]["kind"] != "draft":
        return False
    own = Counter([*p["players"][seat]["characters"], *p["players"][seat]["packet"]])
    box = [name for name, copies in CHARACTERS.items() for _ in range(copies - own[name])]
    rng.shuffle(box)
    for q in others(p, seat):
        for key in ("characters", "packet"):
            dealt = [box.pop() for _ in p["players"][q][key]]
            p["players"][q][key] = sorted(dealt, key=list(CHARACTERS).index)
    return True


SWAPS: list[Swap] = [
    *(deck_order, supply_order, chance, supply_with_removed, hand_with_deck, hand_with_hand, committed_card_with_hand),
    *(committed_card_with_deck, tile_on_card_or_not, committed_tile_with_screen, tile_with_supply, tile_with_removed),
    *(tile_with_tile, tiles_set_aside, knowledge_of_others, draft_of_others),
]
NOT_THERE = {  # swaps that cannot be made: with one other hand, with none, without removed tiles, without a draft
    0: {"hand_with_deck", "hand_with_hand", "committed_card_with_hand", "tile_on_card_or_not", "committed_tile_with_screen"}
    | {"tile_with_supply", "tile_with_removed", "tile_with_tile", "tiles_set_aside", "knowledge_of_others", "draft_of_others"},
    1: {"hand_with_hand", "tile_with_tile", "knowledge_of_others"},
    3: {"supply_with_removed", "tile_with_removed", "draft_of_others"},
}


def look(batch: ginkgo_env.Batch, state: States, seat: int) -> dict[str, Any]:
    """All that a seat is given, by name."""
    game = batch.game
    batch.set_states([0], state)
    blocks = ginkgo_env.Observation(game.observation, batch.observe(seat)[0])
    seen: dict[str, Any] = {f"block {name}": blocks[name].tolist() for name in blocks}
    seen["actor"], seen["kind"], seen["done"] = int(batch.actor[0]), int(batch.kind[0]), bool(batch.done[0])
    seen["mask"] = batch.mask[0].tolist() if batch.actor[0] == seat else None
    seen["scores"] = batch.scores().tolist()
    seen["outcome"] = game.outcome(state)
    try:
        seen["text"] = game.describe(state, seat)
    except NotImplementedError:
        seen["text"] = None
    return seen


def assert_same(first: dict[str, Any], second: dict[str, Any], where: str) -> None:
    different = [name for name in first if first[name] != second[name]]
    assert not different, f"{where}: shows in {', '.join(different)}"


@pytest.mark.full
@pytest.mark.parametrize("config", CASES)
def test_what_is_hidden_shows_nowhere(config: int) -> None:
    game, table, rng = game_of(config), table_of(config), random.Random(5)
    made: Counter[str] = Counter()
    for i, state in enumerate(states_of(config)):
        position = game.position(state)
        for seat in range(game.seats):
            before = look(table, state, seat)
            mixed = copy.deepcopy(position)
            for swap in SWAPS:
                other = copy.deepcopy(position)
                if not swap(other, seat, rng):
                    continue
                swap(mixed, seat, rng)
                if made[swap.__name__] > 30 and rng.random() < 0.7:
                    continue
                made[swap.__name__] += 1
                where = f"state {i} ({position['decision']}), seat {seat}: {swap.__name__}"
                assert_same(before, look(table, game.from_position(other), seat), where)
            assert_same(before, look(table, game.from_position(mixed), seat), f"state {i}, seat {seat}: all swaps at once")
    wanted = {swap.__name__ for swap in SWAPS} - NOT_THERE.get(config, set())
    assert set(made) == wanted


@pytest.mark.parametrize("config", CASES)
def test_states_of_every_kind_are_looked_at(config: int) -> None:
    game = game_of(config)
    kinds = {game.decisions[int(state["stage"][0])] for state in states_of(config)}
    missing = {"draft", "return"} if game.seats == 1 else ({"draft"} if CONFIGS[config]["setup"] == "introductory" else set())
    assert kinds == set(game.decisions) - missing


# --- hidden choices --------------------------------------------------------------------------------------------------------


def played(game: Game, state: States, action: int) -> tuple[States, list[tuple[int, int, int, int]]]:
    """The state after an action, and the log of the step."""
    batch = at(game, state)
    log = new_log()
    batch._actions[0] = action
    batch._run(game.kernels.play, batch._play_arrays, tuple(PlayMode(log=log)))
    return batch.states.copy().view(np.recarray), read_log(log)


def hidden_choices(game: Game, state: States) -> list[tuple[int, States, list[tuple[int, int, int, int]]]]:
    """Legal actions of the actor that the others must not tell apart, with the states and logs that they lead to."""
    kind = game.decisions[int(state["stage"][0])]
    if kind not in ("draft", "commit", "return"):
        return []
    legal = np.flatnonzero(at(game, state).mask[0]).tolist()
    legal = [a for a in legal if game.action_text(state, a) not in ("new-hand", "return:done")]
    found = []
    for action in legal[:: max(1, len(legal) // 8)]:
        after, rows = played(game, state, action)
        still = all(after[name][0] == state[name][0] for name in ("stage", "rounds", "pick"))
        step = int(after["cursor"][0]) - int(state["cursor"][0])
        if still and step == (kind == "commit") and (kind != "return" or after["actor"][0] == state["actor"][0]):
            found.append((action, after, rows))
    return found


@pytest.mark.parametrize("config", CASES[1:])
def test_which_hidden_choice_was_made_shows_nowhere(config: int) -> None:
    """R3.1, R2.7, R7.1: draft, commit and return are secret; the others see alike whatever was chosen, and are told alike."""
    game, table = game_of(config), table_of(config)
    compared: Counter[str] = Counter()
    for i, state in enumerate(states_of(config)):
        actor, kind = int(state["actor"][0]), game.decisions[int(state["stage"][0])]
        choices = hidden_choices(game, state)
        for seat in range(game.seats) if len(choices) > 1 else ():
            if seat == actor:
                continue
            first = look(table, choices[0][1], seat)
            told = game.visible(seat, state, choices[0][0], choices[0][1], choices[0][2])
            for action, after, rows in choices[1:]:
                where = f"state {i}, seat {seat}: {game.action_text(state, action)}"
                assert_same(first, look(table, after, seat), where)
                assert game.visible(seat, state, action, after, rows) == told, f"{where}: is told otherwise"
            if kind == "return":
                assert_same(look(table, state, seat), first, f"state {i}, seat {seat}: a tile was set aside")
            compared[kind] += 1
    assert set(compared) == {"commit", "return", *(["draft"] if CONFIGS[config]["setup"] == "draft" else [])}


# --- what must be known ----------------------------------------------------------------------------------------------------


def _flip(words: Any, i: int) -> None:
    words[i >> 6] ^= np.uint64(1 << (i & 63))


def _members(words: Any) -> list[int]:
    return [64 * w + i for w, word in enumerate(words) for i in range(64) if int(word) >> i & 1]


def _open_changes(game: Game, state: States, seat: int) -> Iterator[tuple[str, str, States]]:
    """(what changes, block where it must show, changed state); written into the record, so that nothing else changes."""

    def changed() -> States:
        return state.copy().view(np.recarray)

    n = int(state["players"][0])
    kind = game.decisions[int(state["stage"][0])]
    for q in range(n):
        for field, block in (("points", "players"), ("resources", "players"), ("supply_resources", "players")):
            s = changed()
            s[field][0, q] += 1
            yield f"{field} of {q}", block, s
        s = changed()
        _flip(s["known_tiles"][0, q], 17)
        yield f"known tile of {q}", "tiles", s
        s = changed()
        _flip(s["tableau"][0, q], 17)
        yield f"tableau of {q}", "cards", s
        if _members(state["tiles"][0, q]):
            s = changed()
            _flip(s["tiles"][0, q], _members(state["tiles"][0, q])[0])
            yield f"number of tiles of {q}", "players", s
        if _members(state["hand"][0, q]):
            s = changed()
            _flip(s["hand"][0, q], _members(state["hand"][0, q])[0])
            yield f"number of cards of {q}", "players", s
        if kind != "draft" or q == seat:
            s = changed()
            s["characters"][0, q, 3] += 1
            yield f"characters of {q}", "characters", s
        if state["card"][0, q] >= 0:
            s = changed()
            s["card"][0, q] = s["tile"][0, q] = -1
            yield f"whether {q} has a card out", "turn", s
            if kind in ("take", "token", "return") and state["player"][0] != q:
                s = changed()
                s["tile"][0, q] = -1 if s["tile"][0, q] >= 0 else 33
                yield f"whether a tile lies on the card of {q}", "turn", s
    if state["player"][0] >= 0:
        s = changed()
        s["card"][0, s["player"][0]] = (s["card"][0, s["player"][0]] + 1) % 72
        yield "the card that is resolved", "cards", s
    for field, block in (("returned", "tiles"), ("buried", "tiles"), ("discard", "cards")):
        s = changed()
        _flip(s[field][0], 23)
        yield field, block, s
    for field in ("rounds", "supply_size", "deck_size", "exhaustions", "draws"):
        s = changed()
        s[field] += 1
        yield field, "status", s
    own = {"passed": ("cards", seat), "hand": ("cards", seat), "tiles": ("tiles", seat), "aside": ("tiles", seat)}
    for field, (block, q) in own.items():
        if game.seats > 1 or field in ("hand", "tiles"):
            s = changed()
            _flip(s[field][0, q], 5)
            yield f"own {field}", block, s
    if game.seats > 1:
        s = changed()
        _flip(s["passed"][0, (seat - 1) % n], 6)
        yield "what the right neighbor knows", "cards", s
    if state["card"][0, seat] >= 0:
        s = changed()
        s["card"][0, seat] = (s["card"][0, seat] + 1) % 72
        yield "the own committed card", "cards", s
        s = changed()
        s["tile"][0, seat] = (s["tile"][0, seat] + 1) % 60
        yield "the own committed tile", "tiles", s
    if kind == "draft":
        s = changed()
        s["packet"][0, seat, 2] += 1
        yield "the own packet", "packet", s


@pytest.mark.parametrize("config", CASES)
def test_what_is_known_does_show(config: int) -> None:
    game = game_of(config)
    for i, state in enumerate(states_of(config)[::5]):
        for seat in range(game.seats):
            before = ginkgo_env.Observation(game.observation, at(game, state).observe(seat)[0].copy())
            for what, block, other in _open_changes(game, state, seat):
                batch = at(game, state)
                batch.states[:] = other  # not set_states: such records need not make sense
                after = ginkgo_env.Observation(game.observation, batch.observe(seat)[0])
                assert (before[block] != after[block]).any(), f"state {i}, seat {seat}: {what} does not show in {block}"


# --- resampling ------------------------------------------------------------------------------------------------------------

DEALS = 4000
UNLIKELY = 1e-4


def dealt(game: Game, state: States, seat: int, n: int = DEALS) -> States:
    batch = at(game, np.repeat(state, n).view(np.recarray))
    batch.resample(seat, seed=7)
    return batch.states


def assert_uniform(counts: list[int], each: int, what: str) -> None:
    """Counts of equally likely places that are drawn `each` at a time without repetition, ``DEALS`` times."""
    n = len(counts)
    p = each / n
    statistic = sum((c - DEALS * p) ** 2 / (DEALS * p * (1 - p)) for c in counts) * (n - 1) / n
    value = float(stats.chi2.sf(statistic, n - 1))
    assert value > UNLIKELY, f"{what}: {counts} are not uniform (p = {value:.1e})"


def first_state(game: Game, kind: str, wanted: Callable[[Any], bool] = lambda g: True, seeds: int = 40) -> States:
    for seed in range(seeds):
        states = visited(game, seed=seed, n=300)
        for k in range(len(states)):
            if game.decisions[int(states[k].stage)] == kind and wanted(states[k]):
                return states[k : k + 1]
    raise AssertionError(f"no {kind} decision of this sort in {seeds} games")


def test_unknown_tiles_are_dealt_uniformly() -> None:
    game = ginkgo_env.make_game(players=2, setup="introductory")
    state = first_state(game, "commit", lambda g: g.rounds == 1 and g.cursor == 0)
    mine = set(_members(state["tiles"][0, 0]))
    pool = sorted(set(range(60)) - mine - {int(t) for t in state["top"][0, :9]})
    states = dealt(game, state, 0)
    screens = [set(_members(words)) for words in states["tiles"][:, 1]]
    each = len(_members(state["tiles"][0, 1]))
    assert each > 0 and set().union(*screens) == set(pool)
    assert_uniform([sum(tile in screen for screen in screens) for tile in pool], each, "tiles behind the other screen")
    following = states["supply"][:, int(state["supply_size"][0]) - 1].tolist()
    assert_uniform([following.count(tile) for tile in pool], 1, "the next tile of the supply")
    removed = [set(_members(words)) for words in states["removed"]]
    assert_uniform([sum(tile in some for some in removed) for tile in pool], 6, "tiles out of the game")


def test_unknown_cards_are_dealt_uniformly_and_passed_ones_stay() -> None:
    game = ginkgo_env.make_game(players=2, setup="introductory")
    state = first_state(game, "commit", lambda g: g.rounds == 2 and g.cursor == 0 and len(_members(g.passed[0])) == 3)
    known = set(_members(state["passed"][0, 0]))
    pool = sorted((set(_members(state["hand"][0, 1])) - known) | {int(c) for c in state["deck"][0] if c >= 0})
    states = dealt(game, state, 0)
    hands = [set(_members(words)) for words in states["hand"][:, 1]]
    assert all(known < hand for hand in hands)
    assert_uniform([sum(card in hand for hand in hands) for card in pool], 1, "the card that was not passed")
    following = states["deck"][:, int(state["deck_size"][0]) - 1].tolist()
    assert_uniform([following.count(card) for card in pool], 1, "the next card of the deck")


def test_hidden_commitments_are_dealt_uniformly() -> None:
    """While players choose: every card of the dealt hand, with no tile or any tile, is as likely."""
    game = ginkgo_env.make_game(players=2, setup="introductory")
    state = first_state(game, "commit", lambda g: g.cursor == 1 and len(_members(g.tiles[1 - g.actor])) >= 2)
    seat = int(state["actor"][0])
    q = 1 - seat
    n_tiles = len(_members(state["tiles"][0, q])) + int(state["tile"][0, q] >= 0)
    states = dealt(game, state, seat)
    with_none = int((states["tile"][:, q] < 0).sum())
    assert_uniform([with_none, *[(DEALS - with_none) // n_tiles] * n_tiles], 1, "no tile among the choices of tiles")
    ranks = [sum(card < int(s) for card in _members(h)) for s, h in zip(states["card"][:, q], states["hand"][:, q], strict=True)]
    assert_uniform([ranks.count(k) for k in range(4)], 1, "the place of the committed card in the hand")


def test_williams_card_is_dealt_uniformly() -> None:
    game = ginkgo_env.make_game(players=1)
    state = first_state(game, "commit", lambda g: g.rounds == 3)
    pool = sorted({int(state["card"][0, 1])} | {int(c) for c in state["deck"][0] if c >= 0})
    cards = dealt(game, state, 0)["card"][:, 1].tolist()
    assert_uniform([cards.count(card) for card in pool], 1, "William's card")


def test_draft_packets_are_dealt_by_copies() -> None:
    game = ginkgo_env.make_game(players=3)
    state = first_state(game, "draft", lambda g: g.pick == 1 and g.actor == 1)
    states = dealt(game, state, 0)
    own = state["characters"][0, 0] + state["packet"][0, 0]
    left = np.array(list(CHARACTERS.values())) - own
    got = states["packet"][:, 1].sum(axis=0) + states["characters"][:, 1].sum(axis=0)
    share = got / left.clip(1)
    assert (share[left > 0] > 0).all() and (got[left == 0] == 0).all()
    assert share[left > 0].max() < 1.1 * share[left > 0].min()
    for q in (1, 2):
        assert (states["packet"][:, q].sum(axis=1) == state["packet"][0, q].sum()).all()
        assert (states["characters"][:, q].sum(axis=1) == state["characters"][0, q].sum()).all()


def behind(states: States, q: int) -> list[set[int]]:
    """All tiles that a player has behind the screen, aside, or on the card."""
    found = []
    for row in range(len(states)):
        tiles = {*_members(states["tiles"][row, q]), *_members(states["aside"][row, q])}
        found.append(tiles | ({int(states["tile"][row, q])} - {-1}))
    return found


def test_each_screen_keeps_its_number_of_returned_tiles() -> None:
    """R7.1, R10.3: the returned set is known, and so is how many of it each player has drawn since."""
    game = ginkgo_env.make_game(players=4, setup="introductory")

    def drawn(g: Any) -> bool:
        returned = set(_members(g.returned))
        return sum(bool(set(_members(g.tiles[q])) & returned) for q in range(4)) >= 3 and g.supply_size > 1

    state = first_state(game, "commit", drawn)
    returned = set(_members(state["returned"][0]))
    supply = {int(t) for t in state["supply"][0] if t >= 0}
    for seat in range(4):
        states = dealt(game, state, seat, n=300)
        moved = set()
        for q in range(4):
            before, after = behind(state, q)[0], behind(states, q)
            assert all(len(tiles & returned) == len(before & returned) for tiles in after)
            assert all(len(tiles) == len(before) for tiles in after)
            if q == seat:
                assert all(tiles == before for tiles in after)
            else:
                moved |= set().union(*after) - before
        assert moved & returned & supply, "returned tiles of the supply are never dealt to others"
        assert all({int(t) for t in row if t >= 0} <= returned for row in states["supply"])


def test_known_tiles_stay_behind_their_screen() -> None:
    game = ginkgo_env.make_game(players=3, setup="introductory")
    state = first_state(game, "commit", lambda g: any(len(_members(g.known_tiles[q])) for q in range(3)))
    for seat in range(3):
        states = dealt(game, state, seat, n=200)
        for q in range(3):
            known = set(_members(state["known_tiles"][0, q]))
            assert all(known <= tiles for tiles in behind(states, q))


def test_while_tiles_are_returned_committed_ones_stay_committed() -> None:
    """R7.1, R3.1: a tile seen on a card can not be returned; it stays one of the player's tiles, whichever."""
    game = ginkgo_env.make_game(players=3)

    def two_have_chosen(g: Any) -> bool:
        chosen = [(int(g.first) + k) % 3 for k in range(int(g.returner))]
        return any(g.tile[q] >= 0 for q in chosen)

    state = first_state(game, "return", two_have_chosen)
    for seat in range(3):
        states = dealt(game, state, seat, n=400)
        for q in range(3):
            assert ((states["tile"][:, q] >= 0) == (state["tile"][0, q] >= 0)).all()
            assert {len(tiles) for tiles in behind(states, q)} == {len(behind(state, q)[0])}
        every = [set().union(*(behind(states[k : k + 1], q)[0] for q in range(3))) for k in range(len(states))]
        assert {len(tiles) for tiles in every} == {sum(len(behind(state, q)[0]) for q in range(3))}


def test_tiles_set_aside_are_dealt_both_ways() -> None:
    game = ginkgo_env.make_game(players=3, setup="introductory")
    state = first_state(game, "return", lambda g: g.returner == 1 and len(_members(g.tiles[g.first])) > 1)
    q, seat = int(state["first"][0]), int(state["actor"][0])
    states = dealt(game, state, seat, n=600)
    sizes = Counter(len(_members(words)) for words in states["aside"][:, q])
    assert len(sizes) >= 2, f"the number set aside by {q} is always the same: {sizes}"
    third = 3 - q - seat
    assert not states["aside"][:, third].any(), "who has not chosen yet has set nothing aside"
