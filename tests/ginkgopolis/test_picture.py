"""Pictures of Ginkgopolis: everything that lies on the table is in them, where it lies, and nothing more than may be known."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from ginkgo_env import Batch, Game, make_game
from ginkgo_env.core.state import PlainRecord
from ginkgo_env.games.ginkgopolis.components import MODULE_NAMES, NAMES
from ginkgo_env.games.ginkgopolis.constants import GREEN_SPACE, N_CARDS, N_IDS, N_TILES, NOWHERE
from ginkgo_env.games.ginkgopolis.describe import counts
from ginkgo_env.pictures.picture import Picture
from ginkgo_env.pictures.svg import SMALL
from ginkgo_env.pictures.widgets import letters
from ginkgo_env.testing.pictures import extents, texts_in

from ..rules.ginkgopolis.test_r6_urbanize import long_city
from ..tiers import by_tier

CASES = [
    *[{"players": 1, "level": "advanced"}, {"players": 2, "modules": MODULE_NAMES}],
    *[{"players": 5}, {"players": 3, "setup": "introductory"}, {"players": 4, "modules": MODULE_NAMES}],
]


def played(decisions: int, seed: int = 3, **config: Any) -> tuple[Game, Batch]:
    batch = Batch(make_game("ginkgopolis", **config), 1)
    batch.reset(seed=seed)
    for _ in range(decisions):
        if batch.actor[0] < 0:
            break
        batch.step(batch.sample())
    return batch.game, batch


def cells_of(picture: Picture, x: int, y: int) -> list[str]:
    """The texts in a cell of a map in one part, found by the coordinates in its margins."""
    there = [(what.removeprefix("text "), extent) for what, extent in extents(picture) if what.startswith("text ")]
    top = min(extent[1] for what, extent in there if re.fullmatch(r"-?\d+", what) and extent[1] < 160)
    columns = {what: (e[0] + e[2]) / 2 for what, e in there if abs(e[1] - top) < 1}
    numbers = [(what, e) for what, e in there if re.fullmatch(r"-?\d+", what) and e[1] > top + 1]
    (left, _), *_ = Counter(round(e[2], 1) for what, e in numbers).most_common(1)  # all end there
    rows = {what: (e[1] + e[3]) / 2 for what, e in numbers if round(e[2], 1) == left}
    size = abs(next(iter(rows.values())) - list(rows.values())[1])
    near = [
        what
        for what, e in there
        if abs((e[0] + e[2]) / 2 - columns[str(x)]) < size / 2 and abs((e[1] + e[3]) / 2 - rows[str(y)]) < size / 2
    ]
    return near


@pytest.mark.parametrize("config", by_tier(CASES, CASES[:2]), ids=lambda config: f"{config['players']}-{len(config)}")
def test_everything_on_the_table_is_drawn(config: dict[str, Any]) -> None:
    game, batch = played(20 if config["players"] == 1 else 70, **config)
    position, picture = batch.position(0), game.picture(batch.state(0))
    marks = letters(game)
    for building in position["city"]:
        owner = [] if building["owner"] is None else [marks[building["owner"]]]
        words, wanted = (
            Counter(cells_of(picture, *building["cell"])),
            Counter([building["tile"], str(building["floors"]), *owner]),
        )
        assert wanted <= words and (words - wanted).total() <= 1  # the number of a district
    for letter, cell in position["tokens"].items():
        assert cell is None or cells_of(picture, *cell) == [letter]
    words = Counter(texts_in(picture))
    g, wanted = PlainRecord(batch.states[0]), Counter[str]()
    for p, player in enumerate(position["players"]):
        wanted += Counter(str(n) for n in counts(g, p).values())
        wanted += Counter([*player["characters"], *player["tableau"]])
        if p < game.seats:
            wanted += Counter([*player["hand"], *player["tiles"]])
    wanted += Counter([*position["discard"], str(len(position["supply"])), str(len(position["deck"]))])
    assert not wanted - words, "what is counted or lies somewhere is missing"
    listed = [word for word in texts_in(picture) if re.fullmatch(r"[RBY]\d+|[A-L]", word)]  # cards have points on them
    assert not position["discard"] or listed[-len(position["discard"]) :] == position["discard"]


def test_the_end_shows_scores_by_source_and_who_won() -> None:
    game, batch = played(10_000, players=2)
    outcome, words = game.outcome(batch.state(0)), texts_in(game.picture(batch.state(0), 0, ["Ann", "Bob"]))
    points, _ = game.points(batch.state(0))
    start = words.index("total") + 1
    for side, name in enumerate(("Ann", "Bob")):
        assert words[start : start + 7] == ["ab"[side], name, *map(str, [*points[side], outcome.scores[side]])]
        start += 7
    winners = " and ".join(("Ann", "Bob")[side] for side in outcome.winners)
    assert any(word.startswith(f"Game over: {winners} win") for word in words)


def test_a_seat_sees_backs_where_others_hide_something() -> None:
    """Names that lie only behind the other screen appear nowhere."""
    game, batch = played(60, seed=4, players=2)
    position = batch.position(0)
    assert position["decision"]["kind"] == "commit" and any(player["known_tiles"] for player in position["players"])
    for seat in range(2):
        picture = game.picture(batch.state(0), seat)
        words = set(texts_in(picture))
        public = {building["tile"] for building in position["city"]} | set(position["discard"])
        public |= {name for player in position["players"] for name in (*player["tableau"], *player["known_tiles"])}
        own, other = position["players"][seat], position["players"][1 - seat]
        known = public | {*own["hand"], *own["tiles"], *own["passed"], *other["passed"], *"ABCDEFGHIJKL"}
        known |= set((own["commitment"] or {}).values())
        secret = {*other["hand"], *other["tiles"]} - known
        assert secret and not secret & words
        chosen = (other["commitment"] or {}).get("tile") is not None  # it still counts as held
        hidden = len(other["tiles"]) + chosen - len(other["known_tiles"])
        row = " ".join(["tiles", *other["known_tiles"], *[f"\u00d7{hidden}"] * bool(hidden)])
        assert f" {row} " in " ".join(texts_in(picture))


def test_a_choice_shows_to_nobody_else() -> None:
    game, batch = played(60, players=3)
    while int(batch.actor[0]) != (int(batch.states["first"][0]) + 1) % 3 or batch.kind[0] != 1:
        batch.step(batch.sample())
    chooser = int(batch.actor[0])
    before, actions = batch.state(0).copy(), batch.mask[0].nonzero()[0]
    pictures: dict[int, set[str]] = {seat: set() for seat in range(3)}
    for action in actions[:6]:
        twin = Batch(game, 1)
        twin.set_states([0], before)
        twin.step([int(action)])
        for seat in range(3):
            pictures[seat].add(game.picture(twin.state(0), seat, since=before).svg())
    assert len(pictures[chooser]) > 1
    assert all(len(pictures[seat]) == 1 for seat in range(3) if seat != chooser)


# --- cities of any shape ---------------------------------------------------------------------------------------------------


def sizes(picture: Picture) -> list[float]:
    """Sizes of texts that say something; single letters stand on signs."""
    root = ElementTree.fromstring(picture.svg())
    words = root.iter("{http://www.w3.org/2000/svg}text")
    return [float(element.attrib["font-size"]) for element in words if len(element.text or "") > 1]


@pytest.mark.parametrize("turned", [False, True])
def test_a_long_city_fits(turned: bool) -> None:
    """It is shown in parts: nothing gets smaller than elsewhere, and the picture no wider."""
    table = long_city().hand(0, "A", "Y1").start()
    position = table.position
    if turned:
        for piece in position["city"]:
            piece["cell"].reverse()
        position["tokens"] = {letter: cell and cell[::-1] for letter, cell in position["tokens"].items()}
    game = make_game("ginkgopolis", players=2, setup="introductory")
    picture = game.picture(game.from_position(position))
    normal = game.picture(played(0, players=2, setup="introductory")[1].state(0))
    assert picture.width == normal.width
    words = Counter(texts_in(picture))
    assert not Counter(building["tile"] for building in position["city"]) - words
    assert not Counter("ABCDEFGHIJKL") - words
    assert min(sizes(picture)) >= 0.9 * SMALL <= min(sizes(normal))
    assert picture.height < 6000


SHAPES: dict[str, Callable[[int], tuple[int, int]]] = {
    "line": lambda k: (k - 40, 0),
    "column": lambda k: (0, k - 40),
    "staircase": lambda k: (k // 2 - 20, (k + 1) // 2),
    "square": lambda k: (k % 9, k // 9),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_eighty_buildings(shape: str) -> None:
    """More than any game has built, in shapes that the rules allow."""
    _, batch = played(60, players=2, modules=MODULE_NAMES)
    state = batch.state(0).copy()
    g, tiles = state[0], [*(i for i in range(N_IDS) if not N_TILES <= i < N_CARDS), *[GREEN_SPACE] * 4]
    assert len(tiles) == 80
    g["n_buildings"], g["token_x"], g["token_y"] = 80, NOWHERE, NOWHERE
    for k, top in enumerate(tiles):
        g["top"][k], g["slot"][top], (g["x"][k], g["y"][k]) = top, k, SHAPES[shape](k)
        g["floors"][k], g["owner"][k], g["pawn"][k] = 1 + k % 12, k % 2, k % 3 == 0
    picture = batch.game.picture(state, 0)
    words = Counter(texts_in(picture))
    assert not Counter(NAMES[top] for top in tiles) - words and words["12"] >= 6, "two-digit floors too"
    assert picture.width == 672 and picture.height < 4500
    assert min(sizes(picture)) >= 0.9 * SMALL
    for what, (left, top_end, right, bottom) in extents(picture):
        assert left >= 0 and top_end >= 0 and right <= picture.width and bottom <= picture.height + 0.01, what


def test_long_names_fit() -> None:
    game, batch = played(10_000, players=3)
    for seat in (None, 1):
        picture = game.picture(batch.state(0), seat, ["M" * 40] * 3, caption=["M" * 40 + " did it."])
        for what, (left, _, right, _) in extents(picture):
            assert left >= 0 and right <= picture.width, what


def test_texts_do_not_lie_on_each_other() -> None:
    for config in CASES[:3]:
        game, batch = played(90, **config)
        boxes = [(what, e) for what, e in extents(game.picture(batch.state(0))) if what.startswith("text ")]
        for k, (what, a) in enumerate(boxes):
            for other, b in boxes[k + 1 :]:
                across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
                assert across <= 1 or down <= 1, f"{what} lies on {other}"
