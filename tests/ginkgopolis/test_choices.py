"""Actions as people pick them: picks, places, what can be clicked in the picture of who decides, and words for all of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from ginkgo_env import Batch
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.language import speaking
from ginkgo_env.games.ginkgopolis.components import CHARACTER_NAMES, CHARACTER_START, MODULE_NAMES
from ginkgo_env.games.ginkgopolis.constants import Ending
from ginkgo_env.games.ginkgopolis.game import Ginkgopolis
from ginkgo_env.pictures.presenter import Choice
from ginkgo_env.testing.pictures import check_choices

from ..rules.ginkgopolis.positions import Builder, Table, game, solo, table_from_seed
from ..rules.ginkgopolis.test_r6_urbanize import EDGE, HOLE, free_tokens, long_city, picture_without
from ..tiers import by_tier
from .parts import Part, drawn, names

ALL: dict[str, Any] = {"modules": MODULE_NAMES}
Make = Callable[[], Table]


def choices(table: Table) -> list[Choice]:
    state = table.batch.state(0)
    return [table.game.presenter.choice(state, action) for action in np.flatnonzero(table.batch.mask[0]).tolist()]


def asked_picture(table: Table) -> list[Part]:
    return drawn(table.game.picture(table.batch.state(0), int(table.batch.actor[0])))


def parts_of(table: Table) -> set[str]:
    """Names of parts other than cells."""
    return {part.name for part in asked_picture(table) if not part.name.startswith("cell:")}


# --- each kind of decision -------------------------------------------------------------------------------------------------


def test_a_commitment_is_a_card_and_a_tile_about_what_the_card_names() -> None:
    table = Builder(2).hand(0, "R1", "A").tiles(0, "B6").start()
    assert choices(table) == [
        Choice({"card": "R1", "tile": "none"}, ("cell:R1",), sentence="Exploit R1: gain 1 resource"),
        Choice({"card": "R1", "tile": "B6"}, ("cell:R1",), sentence="Build B6 on R1: pay 3 resources, keep card R1"),
        Choice({"card": "A", "tile": "none"}, ("cell:A",), sentence="Exploit A: take a resource or a tile"),
        Choice({"card": "A", "tile": "B6"}, ("cell:A",), sentence="Urbanize with B6 at A"),
        Choice({"card": "new-hand"}),
    ]
    assert parts_of(table) == {"card:R1", "card:A", "tile:B6", "card:new-hand"}


@pytest.mark.parametrize(
    ("expert", "language", "prices"),
    [
        ("", "en", ("3 resources and 7 SP", "4 resources")),
        ("artist", "en", ("3 resources", "4 resources")),
        ("mayor", "en", ("3 resources and 7 SP", "3 resources")),
        ("", "de", ("3 Ressourcen und 7 EP", "4 Ressourcen")),
    ],
)
def test_a_commitment_says_what_it_costs(expert: str, language: str, prices: tuple[str, str]) -> None:
    """R5.2, R5.3: the lower number, the other color, and a resource for each floor; some experts pay less (X6.2)."""
    builder = new().building((2, 0), "R12", owner=1, floors=2).hand(0, "R12").tiles(0, "R5", "B20").player(0, points=9)
    table = (builder.expert(0, expert) if expert else builder).start()
    with speaking(language):
        told = {choice.picks["tile"]: choice.sentence for choice in choices(table) if "tile" in choice.picks}
    ends = {"en": "keep card R12", "de": "Karte R12 behalten"}[language]
    assert [prices[k] in told[tile] and told[tile].endswith(ends) for k, tile in enumerate(("R5", "B20"))] == [True, True], told
    assert ("SP" in told["R5"] or "EP" in told["R5"]) == (expert != "artist")
    assert "2" in told["none"]


def new() -> Builder:
    return Builder(3, **ALL)


def controlling() -> Table:
    builder = new().building((2, 0), "B3", owner=1, floors=2).committed(0, "B3", "Y9")
    return builder.player(1, points=9).asked("pay", 1, player=0, event="control", phase="before", timing="before").start()


def returning() -> Table:
    table = Builder(2).building((0, 0), "B7", owner=1).hand(0, "B7", "A").supply("R20").tiles(0, "R4", "Y5").start()
    return table.play("B7", "return:R20")


ONE_PICK: dict[str, tuple[Make, str, set[str], set[str] | None]] = {
    "take": (lambda: Builder(2).hand(0, "A", "B").start().play("A"), "take", {"resource", "tile"}, None),
    "token": (lambda: Builder(2).hand(0, "A", "B").tiles(0, "B6").start().play("A+B6"), "token", {"N", "W"}, None),
    "token of William": (lambda: solo().hand(0, "Y1").william("D").start().play("Y1"), "token", {"N", "E"}, None),
    "return": (returning, "return", {"Y5", "done"}, {"return:R4", "return:Y5"}),
    "draft": (lambda: table_from_seed(0, players=5), "draft", {"RU", "BE", "BU", "BC"}, None),
    "draft with experts": (
        lambda: table_from_seed(0, players=2, **ALL),
        "draft",
        {"RU", "RC", "BC", "YE", "architect", "artist"},
        None,
    ),
    "events": (
        lambda: table_from_seed(0, players=2, setup="introductory", modules=("events",)),
        "events",
        {
            "design+press",
            "design+expropriation",
            "design+control",
            "press+expropriation",
            "press+control",
            "expropriation+control",
        },
        set(),
    ),
    "lower": (
        lambda: new().expert(0, "architect").tiles(0, "GS", "GS", "B24").committed(0, "R2", "Y9").asked("lower").start(),
        "lower",
        {"none", "GS", "B24"},
        {"lower:GS", "lower:B24"},
    ),
    "event": (
        lambda: new().events(0, "press").committed(0, "A", "GS").hand(0, "B").asked("event").start(),
        "event",
        {"none", "press"},
        {"event:press"},
    ),
    "keep": (lambda: new().hand(0, "B", "R3").committed(0, "A").asked("keep").start(), "keep", {"B", "R3"}, None),
    "timing": (
        lambda: new().committed(0, "A", "GS").asked("timing", event="press").start(),
        "timing",
        {"before", "after"},
        set(),
    ),
    "split": (
        lambda: new().committed(0, "R2").asked("split", action="exploit", draws=9).start(),
        "split",
        {"red", "blue", "yellow", "new-building", "green-space", "done"},
        None,
    ),
    "pay": (controlling, "pay", {"0", "1", "2"}, set()),
}
"""Positions, the group, its names, and what is drawn of them if that is not all."""


@pytest.mark.parametrize("kind", ONE_PICK)
def test_other_decisions_are_one_pick_in_the_group_of_the_verb(kind: str) -> None:
    make, group, wanted, shown = ONE_PICK[kind]
    table = make()
    assert [{**choice.picks} for choice in choices(table)] == [{group: name} for name in named(table)]
    assert set(named(table)) == wanted
    assert parts_of(table) == ({f"{group}:{name}" for name in wanted} if shown is None else shown)


def named(table: Table) -> list[str]:
    """What follows the verb in the legal actions, in their order."""
    state = table.batch.state(0)
    texts = [table.game.action_text(state, action) for action in np.flatnonzero(table.batch.mask[0]).tolist()]
    return [text.partition(":")[2] for text in texts]


def test_a_card_to_keep_is_about_the_building_that_it_names() -> None:
    make, *_ = ONE_PICK["keep"]
    assert [choice.places for choice in choices(make())] == [("cell:R3",), ("cell:B",)]


def test_without_a_free_cell_the_token_goes_after_or_before_a_token_that_can_be_clicked() -> None:
    table = picture_without((1, 0), "D", free_tokens({"C": EDGE[4], "E": EDGE[6], "A": EDGE[1]}))
    assert choices(table) == [Choice({"token": "after"}, ("cell:C",)), Choice({"token": "before"}, ("cell:E",))]
    assert parts_of(table) == set()


def test_tokens_in_holes_are_passed_over() -> None:
    table = picture_without((1, 0), "D", free_tokens({"C": HOLE, "B": EDGE[4], "E": EDGE[6], "A": EDGE[1]}))
    assert [choice.places for choice in choices(table)] == [("cell:B",), ("cell:E",)]
    table = picture_without((1, 0), "D", free_tokens({"C": EDGE[2], "E": HOLE, "F": EDGE[6], "A": EDGE[1]}))
    assert [choice.places for choice in choices(table)] == [("cell:C",), ("cell:F",)]


# --- where it can be clicked -----------------------------------------------------------------------------------------------

SIDES = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def sides(table: Table) -> dict[str, list[Part]]:
    """The parts of the cells to which a token can go."""
    found: dict[str, list[Part]] = {}
    for part in asked_picture(table):
        if part.name.startswith("token:"):
            found.setdefault(part.name.removeprefix("token:"), []).append(part)
    return found


def is_beside(part: Part, other: Part, side: str) -> bool:
    """Whether a part lies at this side of another, as far as it goes within that one's row or column."""
    (left, top, right, bottom), (x0, y0, x1, y1) = part.extent, other.extent
    dx, _ = SIDES[side]
    across = abs(top - y0) < 3 and abs(bottom - y1) < 3 if dx else abs(left - x0) < 3 and abs(right - x1) < 3
    touching = {"N": bottom - y0, "E": left - x1, "S": top - y1, "W": right - x0}[side]
    return across and abs(touching) < 3


@pytest.mark.parametrize(
    ("make", "wanted"),
    [
        (lambda: Builder(2).hand(0, "A", "B").tiles(0, "B6").start().play("A+B6"), "NW"),
        (lambda: Builder(2).hand(0, "D", "B").tiles(0, "B6").start().play("D+B6"), "NE"),
        (lambda: Builder(2).hand(0, "G", "B").tiles(0, "B6").start().play("G+B6"), "ES"),
        (lambda: long_city().hand(0, "A", "Y1").tiles(0, "R20").start().play("A+R20"), "NSW"),
        (lambda: long_city().hand(0, "G", "Y1").tiles(0, "R20").start().play("G+R20"), "NES"),
        (lambda: long_city().hand(0, "D", "Y1").tiles(0, "R20").start().play("D+R20"), "NEW"),
    ],
)
def test_a_token_can_be_put_on_the_cells_beside_the_new_building(make: Make, wanted: str) -> None:
    """Also beyond the city: the map grows by whole cells."""
    table = make()
    new_tile = "R20" if "R20" in {building["tile"] for building in table.position["city"]} else "B6"
    (building,) = (part for part in asked_picture(table) if part.name == f"cell:{new_tile}")
    found = sides(table)
    assert set(found) == set(wanted)
    for side, parts in found.items():
        left, top, right, bottom = parts[0].extent
        assert len(parts) == 1 and min(right - left, bottom - top) >= 46
        assert is_beside(parts[0], building, side), side


def test_a_cell_in_another_part_of_the_map_can_be_clicked_there() -> None:
    """The map of 52 columns is shown in four parts; the second begins at x = 12, where the new building comes to lie."""
    table = long_city().token("D", (12, -1)).hand(0, "D", "Y1").tiles(0, "R20").start().play("D+R20")
    found = {part.name: part for part in asked_picture(table)}
    (whole,) = sides(table)["W"]
    assert whole.extent[2] - whole.extent[0] >= 46
    assert is_beside(whole, found[f"cell:{table.building((11, 0))['tile']}"], "N")


def test_a_building_and_its_place_are_drawn_in_one() -> None:
    table = Builder(2).building((0, 0), "R7", floors=3, owner=1).hand(0, "R7", "A").start()
    found = {part.name: part for part in asked_picture(table)}
    assert found["cell:R7"].texts == ["R7", "3", "b"] and found["cell:A"].texts == ["A"]
    left, top, right, bottom = found["cell:R7"].extent
    assert right - left == bottom - top > 60


def test_green_spaces_have_no_name_of_their_own() -> None:
    builder = Builder(2, modules=["green_spaces"]).green_space((3, 1), 0).green_space((3, 2), 1).hand(0, "A")
    assert "cell:GS" not in {part.name for part in asked_picture(builder.start())}


def test_prestige_tiles_are_picked_by_their_color() -> None:
    make, *_ = ONE_PICK["split"]
    found = [(part.name, part.texts) for part in asked_picture(make()) if part.name in ("split:red", "split:blue")]
    assert found == [("split:red", ["R24"]), ("split:red", ["R25"]), ("split:blue", ["B24"]), ("split:blue", ["B25"])]


def test_only_who_decides_has_something_to_click() -> None:
    table = Builder(2).hand(0, "R1", "A").tiles(0, "B6").hand(1, "B").start()
    state = table.batch.state(0)
    assert Counter(part.name for part in asked_picture(table))["card:new-hand"] == 1, "that of the own panel"
    assert names(table.game.picture(state, 0)) and not names(table.game.picture(state, 1)) | names(table.game.picture(state))


# --- whole games -----------------------------------------------------------------------------------------------------------

NOT_DRAWN = re.compile(r"(tile|lower|event):none|return:done|token:(after|before)|(events|timing|pay):.*")


def decisions(table: Game, seed: int) -> Iterator[tuple[States, int, list[int]]]:
    """The decisions of a random game: state, actor, legal actions."""
    batch = Batch(table, 1)
    batch.reset(seed=seed)
    while not batch.over[0]:
        yield batch.state(0), int(batch.actor[0]), np.flatnonzero(batch.mask[0]).tolist()
        batch.step(batch.sample())


def text_of(choice: Choice) -> str:
    """The notation of a choice."""
    picks = dict(choice.picks)
    if "card" in picks:
        return picks["card"] + (f"+{picks['tile']}" if picks.get("tile", "none") != "none" else "")
    ((group, name),) = picks.items()
    return f"{group}:{name}"


@pytest.mark.parametrize(
    "case",
    by_tier(
        [({"players": n, **more}, seed) for n in (2, 3, 4, 5) for more in ({}, ALL) for seed in (1, 2)]
        + [({"players": 1}, seed) for seed in (1, 2)],
        [({"players": 1}, 1), ({"players": 3, **ALL}, 1)],
    ),
)
def test_picks_and_actions_are_the_same_in_every_position(case: tuple[dict[str, Any], int]) -> None:
    config, seed = case
    for state, _, legal in decisions(game(**config), seed):
        found = [game(**config).presenter.choice(state, action) for action in legal]
        assert [game(**config).parse_action(state, text_of(choice)) for choice in found] == legal
        groups = {tuple(choice.picks) for choice in found}
        assert groups <= {("card",), ("card", "tile")} or len(groups) == 1
        assert {f"group:{group}" for choice in found for group in choice.picks} <= set(Ginkgopolis().presenter.texts.labels("en"))


@pytest.mark.parametrize(
    "case",
    by_tier(
        [({"players": n, **more}, 4) for n in (2, 3, 5) for more in ({}, ALL)] + [({"players": 1}, 4)],
        [({"players": 1}, 4), ({"players": 2, **ALL}, 4)],
    ),
)
def test_what_is_picked_lies_on_the_table_and_is_filled(case: tuple[dict[str, Any], int]) -> None:
    """Every pick that has a thing of its own is drawn, over an area that can be hit: in some positions of each kind."""
    config, seed = case
    met: Counter[int] = Counter()
    for state, actor, legal in decisions(game(**config), seed):
        kind = int(game(**config).kind(state)[0])
        met[kind] += 1
        if met[kind] > 6 and met[kind] % 10:
            continue
        found = [game(**config).presenter.choice(state, action) for action in legal]
        shown = drawn(game(**config).picture(state, actor))
        wanted = {part for choice in found for part in choice.parts if not NOT_DRAWN.fullmatch(part)}
        assert wanted <= {part.name for part in shown}
        for part in shown:
            left, top, right, bottom = part.extent
            assert right - left >= 15 and bottom - top >= 15, part.name


@pytest.mark.parametrize("config", by_tier(Ginkgopolis.configurations(), [{"players": 1, "level": "advanced"}]), ids=str)
def test_the_promise(config: dict[str, Any]) -> None:
    check_choices(game(**config), seed=3, n=12)


# --- words -----------------------------------------------------------------------------------------------------------------

ENGLISH, GERMAN = (Ginkgopolis().presenter.texts.labels(language) for language in ("en", "de"))
PARAGRAPH = re.compile(r"\S.* \((R|X)\d(\.\d)?\)")
SPEAKING = re.compile(r"\w+:[RBY]?\d+|(card|keep):[A-L]")  # picks that say enough: tiles, cards, numbers


def occurring() -> set[str]:
    """The keys that the game asks for: kinds of decision, sources, options and values, and all picks of a record."""
    base, expansion = Ginkgopolis(), Ginkgopolis(players=3, **ALL)
    found = {f"question:{kind}" for each in (base, expansion) for kind in each.decisions if kind != "over"}
    found |= {f"{word}:{source}" for source in expansion.sources for word in ("source", "note")}
    for config in [*Ginkgopolis.configurations(), base.config_dict | {"strict": True}, expansion.config_dict]:
        full = {**base.config_dict, **Ginkgopolis(**config).config_dict}
        found |= {f"option:{option}" for option in full}
        values = {(option, value) for option, given in full.items() for value in (given if isinstance(given, list) else [given])}
        found |= {f"value:{option}:{value}" for option, value in values if option != "max_rounds"}
        found |= {f"value:{option}:{text}" for option, text in Ginkgopolis.option_texts(full).items() if option == "modules"}
    found |= {f"ending:{ending.name.lower()}" for ending in Ending if ending} | {"lobby:sentence", "lobby:minutes"}
    found |= {key.replace("question", "guide") for key in found} | {"elsewhere:commit"}
    return found | set(picks_there_are(expansion))


def picks_there_are(expansion: Game) -> Iterator[str]:
    """Groups, and picks whose names do not speak, of every action of the layout."""
    batch = Batch(expansion, 1)
    batch.set_position(0, new().hand(0, "A", "B", "C", "D").start().position)
    state = batch.state(0)
    for action in range(expansion.actions.size):
        if expansion.actions.locate(action)[0].name in ("commit", "keep") and expansion.actions.locate(action)[1][0] > 3:
            continue  # no such card in the hand
        for group, name in expansion.presenter.choice(state, action).picks.items():
            yield f"group:{group}"
            if not SPEAKING.fullmatch(f"{group}:{name}"):
                yield f"pick:{group}:{name}"


def test_everything_that_occurs_has_words_in_both_languages_and_nothing_else() -> None:
    assert set(ENGLISH) == set(GERMAN)
    assert {key for key in ENGLISH if not key.startswith("row:")} == occurring()  # tests/drawing has the rows


@pytest.mark.parametrize("labels", [ENGLISH, GERMAN], ids=["en", "de"])
def test_words_are_told_apart(labels: dict[str, str]) -> None:
    assert all(words.strip() == words and words for words in labels.values())
    picks = [(key.rsplit(":", 1)[0], words) for key, words in labels.items() if key.startswith("pick:")]
    assert len(set(picks)) == len(picks)
    for key, words in labels.items():
        if key.startswith("note:"):
            assert PARAGRAPH.fullmatch(words), words


@pytest.mark.parametrize(
    ("labels", "items"),
    [(ENGLISH, ("resource", "tile", "SP")), (GERMAN, ("Ressource", "Plättchen", "Erfolgspunkt"))],
    ids=["en", "de"],
)
def test_characters_are_told_with_what_they_bring(labels: dict[str, str], items: tuple[str, ...]) -> None:
    for c, name in enumerate(CHARACTER_NAMES):
        bonus, start = re.fullmatch(r"(.*) \((?:start|Start): (.*)\)", labels[f"pick:draft:{name}"]).groups()  # type: ignore[union-attr]
        assert bonus.startswith(f"{name}: 1 {items['RBY'.index(name[0])]} ")
        told = [[int(n) for n, _ in re.findall(rf"(\d) ({item})", start)] for item in items]
        assert told == [[n] if n else [] for n in CHARACTER_START[c].tolist()]


# --- tiles that cannot be paid -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("resources", "points", "poor"), [(3, 3, set()), (2, 3, {"B8"}), (3, 2, {"R4"}), (1, 3, {"B8", "R4"})])
def test_a_tile_that_cannot_be_paid_now_has_a_note(resources: int, points: int, poor: set[str]) -> None:
    """R5.2: on R7 both tiles need two resources; B8 one more for its color, R4 three points for its number."""
    table = Builder(2).building((0, 0), "R7").hand(0, "R7", "A").tiles(0, "B8", "R4")
    found = choices(table.player(0, resources=resources, points=points).start())
    assert {choice.picks["tile"] for choice in found if choice.picks["card"] == "R7" and choice.note} == poor
    assert all("R5.7" in choice.note for choice in found if choice.note)
    assert not any(choice.note for choice in found if choice.picks.get("tile") == "none")
