"""Positions that are slightly wrong: single junk values in every place, and pieces moved about."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import ginkgo_env
from ginkgo_env.core.game import Game
from ginkgo_env.games.ginkgopolis.tables import EXPERT_NAMES
from ginkgo_env.testing import visited

from ..rules.ginkgopolis.extras import EVENTS, MODULES
from . import mutants_expansion
from .mutants_expansion import ORDER

Json = dict[str, Any]

CONFIGS: list[Json] = [
    {"players": 1, "level": "advanced"},
    {"players": 2, "setup": "draft"},
    {"players": 3, "setup": "draft", "strict": True, "max_rounds": 40},
    {"players": 5, "setup": "introductory"},
    {"players": 2, "modules": MODULES},
    {"players": 4, "modules": MODULES, "hand_size": 5, "strict": True, "max_rounds": 40},
    {"players": 3, "modules": ["prestige", "events", "keep_card"], "setup": "introductory"},
]

NESTED: Any = []
for _ in range(400):
    NESTED = [NESTED]

JUNK: list[Any] = [
    *(None, True, False, -1, 0, 1, 2, 3, 61, 127, 128, 255, -128, 30_000, 32_768, 2**31, 2**63, -(2**63), 2**64, 10**30),
    *(
        10**5000,
        0.0,
        1.0,
        1.5,
        float("nan"),
        float("inf"),
        -float("inf"),
        "",
        " ",
        "0",
        "1",
        "B",
        "R7",
        "r7",
        "R07",
        "Y20",
        "Y21",
    ),
    *("A", "RE", "over", "commit", "draft", "token", "return", "take", "tiles", "resources", "exploit", "construct"),
    *(
        "\ud800",
        "\x00",
        "\u0661",
        "x" * 100_000,
        "0x" + "f" * 16,
        "0x-000000000000001",
        "0x0123_4567_89ab_cd",
        "0x 00000000000000",
    ),
    *([], {}, [[]], [None], ["R7"], ["R7", "R7"], ["A"], ["RE"], [0], [0, 0], [1.0, 2.0], [10**30, 0], [True, False], NESTED),
    *("R21", "Y24", "GS", "artist", "press", "expropriation", "timing", "split", "pay", "keep", "before", "after", "events"),
    *(["GS", "GS"], ["design", "press"], ["events"], {"cell": [0, 0], "center": True}, {"cell": [0, -1], "center": False}),
    *([["R7"]], ["B"] * 1000, [{}], {"a": 1}, {1: 2}, {"card": "R7", "tile": None}, {None: None}, (0, 1), {"R7"}, b"R7"),
]


def seeds_of_positions(game: Game, n: int = 2) -> list[Json]:
    """Valid positions of every kind of decision, and of a finished game; more are wanted of rare kinds."""
    found: dict[str, list[Json]] = {}
    for seed in range(12):
        states = visited(game, seed=seed, n=40, rows=4, finished=True)
        for k in np.random.default_rng(seed).permutation(len(states)):
            position = game.position(states[k : k + 1])
            kind = position["decision"]["kind"]
            if len(found.setdefault(kind, [])) < n:
                found[kind].append(position)
    return [position for positions in found.values() for position in positions]


# --- moves that keep the components together -------------------------------------------------------------------------------

Piles = list[tuple[Callable[[], list[str]], Callable[[list[str]], None]]]
LETTERS = list("ABCDEFGHIJKL")
CHARACTERS = ["RE", "RU", "RC", "BE", "BU", "BC", "YE", "YU", "YC"]


def _pile(home: Json, key: str) -> tuple[Callable[[], list[str]], Callable[[list[str]], None]]:
    def write(items: list[str]) -> None:
        home[key] = items if key in ("supply", "deck") else sorted(items, key=ORDER.__getitem__)

    return lambda: list(home[key]), write


def _single(player: Json, key: str) -> tuple[Callable[[], list[str]], Callable[[list[str]], None]]:
    more = {"lower": None, "event": None} if "kept" in player else {}

    def read() -> list[str]:
        pair = player["commitment"]
        return [] if pair is None or pair[key] is None else [pair[key]]

    def write(items: list[str]) -> None:
        pair = player["commitment"]
        if key == "card" and not items:
            player["commitment"] = None
        elif pair is None and key == "card":
            player["commitment"] = {"card": items[-1], "tile": None, **more}
        elif pair is not None:
            pair[key] = items[-1] if items else None

    return read, write


def _move(piles: Piles, rng: random.Random) -> None:
    full = [pile for pile in piles if pile[0]()]
    if not full:
        return
    source, target = rng.choice(full), rng.choice(piles)
    items = source[0]()
    item = items.pop(rng.randrange(len(items)))
    source[1](items)
    target[1]([*target[0](), item])


def move_card(p: Json, rng: random.Random) -> None:
    players = p["players"]
    piles = [_pile(p, "deck"), _pile(p, "discard"), *(_pile(q, key) for q in players for key in ("hand", "tableau"))]
    _move([*piles, *(_single(q, "card") for q in players)], rng)


def move_tile(p: Json, rng: random.Random) -> None:
    players = p["players"]
    piles = [_pile(p, "supply"), _pile(p, "removed"), *(_pile(q, key) for q in players for key in ("tiles", "returning"))]
    _move([*piles, *(_single(q, "tile") for q in players)], rng)


def empty_pile(p: Json, rng: random.Random) -> None:
    """All of one pile onto another."""
    key, other = rng.choice([("deck", "discard"), ("supply", "removed"), ("removed", "supply"), ("discard", "deck")])
    for item in p[key]:
        p[other].append(item)
    p[key] = []
    if other not in ("deck", "supply"):
        p[other].sort(key=ORDER.__getitem__)


def drop_commitment(p: Json, rng: random.Random) -> None:
    """A committed card goes to the deck, its tile to the supply."""
    player = rng.choice(p["players"])
    if player["commitment"] is not None:
        p["deck"].append(player["commitment"]["card"])
        if player["commitment"]["tile"] is not None:
            p["supply"].append(player["commitment"]["tile"])
        player["commitment"] = None


def take_commitment(p: Json, rng: random.Random) -> None:
    """A card of the hand is committed."""
    player = rng.choice(p["players"])
    if player["commitment"] is None and player["hand"]:
        _single(player, "card")[1]([player["hand"].pop()])


def fill_hand(p: Json, rng: random.Random) -> None:
    """Four cards in a hand."""
    player = rng.choice(p["players"])
    while p["deck"] and len(player["hand"]) < 4:
        player["hand"].append(p["deck"].pop())
    player["hand"].sort(key=ORDER.__getitem__)


def change_turn(p: Json, rng: random.Random) -> None:
    seats = p["config"]["players"]
    what = rng.randrange(5)
    if what == 0:
        p["decision"]["actor"] = rng.randrange(seats)
    elif what == 1 and p["first_player"] is not None:
        p["first_player"] = rng.randrange(seats)
    elif what == 2:
        p["round"] = rng.choice([0, 1, 2, p["round"] + 1, p["config"]["max_rounds"]])
    elif what == 3:
        p["decision"]["kind"] = rng.choice(["draft", "commit", "take", "token", "return"])
        if p["decision"]["kind"] in ("commit", "draft"):
            p["pending"] = None
        elif p["pending"] is None:
            action = rng.choice(["exploit", "urbanize", "construct"])
            p["pending"] = {"player": rng.randrange(len(p["players"])), "action": action, "draws": rng.randrange(3)}
    elif p["pending"] is not None:
        key = rng.choice(["player", "action", "draws"])
        table = {"player": range(len(p["players"])), "action": ["exploit", "urbanize", "construct"], "draws": [0, 1, 5, 1000]}
        p["pending"][key] = rng.choice(list(table[key]))


def change_end(p: Json, rng: random.Random) -> None:
    if rng.random() < 0.5:
        p["ending"] = rng.choice([None, "tiles", "resources", "william", "max_rounds"])
    else:
        p["exhaustions"] = rng.randrange(3)


def move_city(p: Json, rng: random.Random) -> None:
    dx, dy = rng.choice([-60, -1, 0, 1, 60, 97]), rng.choice([-97, -60, 0, 2, 60])
    for building in p["city"]:
        building["cell"] = [building["cell"][0] + dx, building["cell"][1] + dy]
    p["tokens"] = {name: cell and [cell[0] + dx, cell[1] + dy] for name, cell in p["tokens"].items()}


def move_building(p: Json, rng: random.Random) -> None:
    """Another order of buildings, another cell for one, or another owner."""
    what = rng.randrange(3)
    if what == 0:
        rng.shuffle(p["city"])
    elif what == 1:
        x, y = rng.choice(p["city"])["cell"]
        rng.choice(p["city"])["cell"] = [x + rng.choice([-1, 1]), y]
    else:
        building = rng.choice(p["city"])
        for owner, sign in ((building["owner"], 1), (rng.choice([None, *range(len(p["players"]))]), -1)):
            if owner is not None:
                key = rng.choice(["resources", "supply"])
                p["players"][owner][key] += sign * building["floors"]
            building["owner"] = owner


def change_pawn(p: Json, rng: random.Random) -> None:
    """A pawn comes or goes, and the card with it."""
    building = rng.choice(p["city"])
    if building["pawn"]:
        p["deck"].append(building["tile"])
    elif building["tile"] in p["deck"]:
        p["deck"].remove(building["tile"])
    building["pawn"] = not building["pawn"]


def move_token(p: Json, rng: random.Random) -> None:
    a, b = rng.sample(list(p["tokens"]), 2)
    if rng.random() < 0.5:
        p["tokens"][a], p["tokens"][b] = p["tokens"][b], p["tokens"][a]
    else:
        x, y = rng.choice(p["city"])["cell"]
        p["tokens"][a] = rng.choice([None, [x, y + 1], [x + 1, y], [x - 1, y]])


def change_knowledge(p: Json, rng: random.Random) -> None:
    what = rng.randrange(3)
    n = len(p["players"])
    q = rng.randrange(n)
    player, left = p["players"][q], p["players"][(q + 1) % n]
    if what == 0:
        mine = [*player["tiles"], *player["returning"]]
        player["known_tiles"] = sorted(rng.sample(mine, rng.randint(0, len(mine))), key=ORDER.__getitem__)
    elif what == 1:
        held = [*left["hand"], *([left["commitment"]["card"]] if left["commitment"] else [])]
        player["passed"] = sorted(rng.sample(held, rng.randint(0, len(held))), key=ORDER.__getitem__)
    else:
        some = [*p["supply"], *p["removed"], *p["buried"], *player["tiles"]]
        p["returned"] = sorted(rng.sample(some, rng.randint(0, len(some))), key=ORDER.__getitem__)


def move_numbers(p: Json, rng: random.Random) -> None:
    player = rng.choice(p["players"])
    what = rng.randrange(3)
    if what == 0:
        player["points"] = rng.choice([0, 1, 255, 256, 1_000, 10_000])
    elif what == 1:
        n = player["resources"] + player["supply"]
        player["resources"] = rng.choice([0, n, rng.randint(0, n)])
        player["supply"] = n - player["resources"]
    else:
        player["new_hands"] = rng.randrange(3)


def move_character(p: Json, rng: random.Random) -> None:
    player = rng.choice(p["players"])
    a, b = rng.choice([("characters", "packet"), ("packet", "characters"), ("packet", "packet")])
    if player[a]:
        name = player[a].pop()
        player[b].append(rng.choice([name, rng.choice(CHARACTERS)]))
        player[b].sort(key=CHARACTERS.index)


MOVES = [
    *(
        move_card,
        move_tile,
        move_card,
        move_tile,
        empty_pile,
        drop_commitment,
        take_commitment,
        fill_hand,
        change_turn,
        change_turn,
    ),
    *(change_end, move_city, move_building, change_pawn, move_token, change_knowledge, move_numbers, move_character),
]


def mutants(position: Json, rng: random.Random, n: int) -> Iterator[tuple[str, Json]]:
    """Positions made by one to three moves, each with the names of the moves."""
    for _ in range(n):
        mutant, names = copy.deepcopy(position), []
        for _ in range(rng.choice([1, 1, 2, 2, 3])):
            more = "new_buildings" in mutant and rng.random() < 0.6
            move = rng.choice(mutants_expansion.MOVES if more else MOVES)
            move(mutant, rng)
            names.append(move.__name__)
        yield " + ".join(names), mutant


def draft_mutants(position: Json) -> Iterator[tuple[str, Json]]:
    """Drafts that have gone too far, or are told at the wrong time."""
    if position["decision"]["kind"] != "draft":
        return
    for kept in range(5):
        other = copy.deepcopy(position)
        for p, player in enumerate(other["players"]):
            own = sorted([*player["characters"], *player["packet"]], key=CHARACTERS.index)
            k = min(4, kept + (p < other["decision"]["actor"]))
            player["characters"], player["packet"] = own[:k], own[k:]
        yield f"draft with {kept} kept", other
    for pile, key in (("deck", "hand"), ("supply", "tiles")):
        other = copy.deepcopy(position)
        other["players"][0][key] = sorted((other[pile].pop() for _ in range(3)), key=ORDER.__getitem__)
        yield f"draft with {key}", other
    other = copy.deepcopy(position)
    other["removed"] = sorted([*other["removed"], *other["supply"]], key=ORDER.__getitem__)
    other["supply"] = []
    yield "draft without supply", other
    other = copy.deepcopy(position)
    other["discard"] = sorted([*other["discard"], *other["deck"]], key=ORDER.__getitem__)
    other["deck"] = []
    yield "draft without deck", other


def sort_lists(position: Json) -> None:
    """Bring all lists whose order is fixed into it, so that the reader looks at what is in them."""
    orders = [list(ORDER), CHARACTERS, EVENTS, list(EXPERT_NAMES)]
    for home in (position, *position["players"]):
        for key, value in home.items():
            order = next((order for order in orders if isinstance(value, list) and {*map(str, value)} <= {*order}), None)
            if order and key not in ("supply", "deck", "new_buildings"):
                value.sort(key=order.index)


def accepted(config: Json, per_position: int, seed: int) -> list[tuple[str, Json]]:
    """Mutants that the reader takes, other than the positions that they were made from."""
    game = ginkgo_env.make_game("ginkgopolis", **config)
    rng = random.Random(seed)
    found = []
    for position in seeds_of_positions(game):
        for name, mutant in [*mutants(position, rng, per_position), *draft_mutants(position)]:
            sort_lists(mutant)
            try:
                game.from_position(mutant)
            except ginkgo_env.PositionError:
                continue
            if mutant != position:
                found.append((name, mutant))
    return found
