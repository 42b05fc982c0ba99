"""Actions as people pick them: at the table, in the picture, in whole games."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from ginkgo_env.core.language import speaking
from ginkgo_env.pictures.presenter import Choice
from ginkgo_env.testing.pictures import check_choices, parts_in

from ..rules.golden_city.boards import four_kinds
from ..rules.golden_city.components import BONUS, LANDSCAPES
from ..rules.golden_city.positions import Table, bidding, game_of, start, table_from_seed, turn
from ..tiers import by_tier
from .random_games import EVERY, PLAYERS, states, steps

SVG = "{http://www.w3.org/2000/svg}"
PAYMENTS = {f"pay_{name}" for name in LANDSCAPES}
FIVE_GOODS = ["pottery+wine", "pottery+wine", "pottery+cloth", "wine+spices", "cloth+spices"]


def choices(table: Table) -> dict[str, Choice]:
    """By notation all that the actor can choose."""
    return {text: table.game.presenter.choice(table.state, table.game.parse_action(table.state, text)) for text in table.legal}


def drawn(table: Table, seat: int | None) -> set[str]:
    return parts_in(table.game, table.state, seat)


def pieces(parts: set[str], group: str) -> set[str]:
    """The names of a group's parts."""
    return {part.removeprefix(f"{group}:") for part in parts if part.startswith(f"{group}:")}


# --- each kind of decision -------------------------------------------------------------------------------------------------


def test_a_pair_is_picked_where_it_lies() -> None:
    table = start(bidding("cd ff em", bids=[0], card="1B", rounds=2))
    assert choices(table) == {
        "bid:a": Choice({"bid": "a"}, sentence="Drive the hand off pair a, coast and desert: pay 1 coin"),
        "bid:b": Choice({"bid": "b"}, sentence="Take pair b, forest and forest: it is free"),
        "bid:c": Choice({"bid": "c"}, sentence="Take pair c, meadow and mountain: it is free"),
    }
    with speaking("de"):
        assert choices(table)["bid:a"].sentence == "Die Hand von Paar a vertreiben, Küste und Wüste: 1 Münze zahlen"
    for seat in (None, 0, 1, 2):
        assert pieces(drawn(table, seat), "bid") == set("abc")


def test_a_site_is_picked_on_the_map_and_done_beside_it() -> None:
    table = start(turn("cdd", "", "", houses={"C14": 0, "C1": 1}))
    found = choices(table)
    assert found["build:D2"] == Choice({"site": "D2"}, sentence="Build a house on D2: pay two desert")
    assert found["build:C13"].sentence == "Build a house on C13: pay coast" and found["build:done"] == Choice({"site": "done"})
    inner = choices(start(turn("dddd", "", "", houses={"C14": 0, "D1": 0, "D5": 0, "DO1": 0}, keys=[1, 0, 0])))
    assert inner["build:DI"].sentence == "Build a house on DI: pay two desert and a key card"
    assert [*found][-1] == "build:done", "the last of the sites"
    assert {part for choice in found.values() for part in choice.parts} - drawn(table, 0) == {"site:done"}
    assert len(pieces(drawn(table, None), "site")) == 58


def test_a_payment_names_its_landscape_and_shows_site_and_cards() -> None:
    table = start(turn("fdddd", "", "", houses={"C2": 0, "C14": 0})).play("build:F1")  # T3
    assert choices(table) == {
        "pay:forest+desert": Choice({"pay_forest": "forest+desert"}, ("site:F1", "card:forest", "card:desert")),
        "pay:desert+desert": Choice({"pay_forest": "desert+desert"}, ("site:F1", "card:desert")),
    }
    table = start(turn("ccdd", "", "")).play("build:C1")
    assert choices(table) == {
        "pay:coast": Choice({"pay_coast": "coast"}, ("site:C1", "card:coast")),
        "pay:desert": Choice({"pay_coast": "desert"}, ("site:C1", "card:desert")),
    }
    assert pieces(drawn(table, 0), "card") == {"coast", "desert"}


def test_a_goods_card_is_picked_in_the_display_or_unseen_in_the_stack() -> None:
    table = start(turn("", "", "", kind="goods", houses={"C14": 0, "D2": 0}, built=1, place="D2"))
    display = set(table.position["goods"]["display"])
    assert len(display) > 1 and choices(table) == {f"goods:{name}": Choice({"goods": name}) for name in table.offered}
    assert set(table.offered) == display | {"stack"} == pieces(drawn(table, 0), "goods")


def test_the_fifth_goods_card_is_picked_among_the_own_ones() -> None:
    data = turn("", "", "", kind="box", houses={"C14": 0, "D2": 0}, built=1, place="D2", goods=[FIVE_GOODS, [], ["cloth+spices"]])
    table = start(data)
    assert choices(table) == {f"box:{name}": Choice({"box": name}) for name in dict.fromkeys(FIVE_GOODS)}
    assert pieces(drawn(table, 0), "box") == set(FIVE_GOODS) and pieces(drawn(table, 1), "box") == set()
    assert pieces(drawn(table, 2), "box") == {"cloth+spices"}


def test_a_bonus_card_is_picked_among_those_left() -> None:
    taken = [[1, "rivers"], [0, "city"]]
    houses = {"C2": 0, "F1": 0, "C3": 1}
    table = start(turn("", "", "", kind="bonus", houses=houses, built=1, place="F1", bonus_taken=taken))
    left = [name for name in BONUS if name not in ("rivers", "city")]
    assert choices(table) == {f"bonus:{name}": Choice({"bonus": name}) for name in left}
    assert pieces(drawn(table, 0), "bonus") == set(left)
    assert not any(pieces(drawn(table, seat), "bonus") for seat in (None, 1, 2))


def test_a_card_to_discard_is_picked_in_the_own_hand() -> None:
    table = start(turn("ccffmdd", "e", "", kind="discard"))
    assert choices(table) == {f"discard:{name}": Choice({"card": name}) for name in ("coast", "forest", "mountain", "desert")}
    assert pieces(drawn(table, 0), "card") == {"coast", "forest", "mountain", "desert"}
    assert pieces(drawn(table, 1), "card") == {"meadow"} and pieces(drawn(table, None), "card") == set()


# --- whole games -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_picks_are_actions_and_actions_picks(players: int) -> None:
    """In every decision of whole games: nothing else is asked than one group, and each pick leads back to its action."""
    game, met = game_of(players), set()
    for seed in (1, 2):
        for step in steps(players, seed):
            found = {tuple(game.presenter.choice(step.after, action).picks.items()): action for action in step.legal}
            assert sorted(found.values()) == step.legal and all(len(picks) == 1 for picks in found)
            met |= {group for [(group, _)] in found}
            for [(_, name)], action in found.items():
                assert game.action_text(step.after, action).partition(":")[2] == name
    assert {"bid", "site", "goods", "card"} <= met <= {"bid", "site", "goods", "box", "bonus", "card", *PAYMENTS}
    assert len(met & PAYMENTS) > 2


@pytest.mark.parametrize("players", by_tier(EVERY, (3,)))
def test_picks_can_be_clicked(players: int) -> None:
    """In the picture of who decides: all but payments, whose cards can be, and done."""
    game = game_of(players)
    for step in steps(players)[2::12]:
        if step.legal:
            seat = int(step.after["actor"][0])
            parts = {part for action in step.legal for part in game.presenter.choice(step.after, action).parts}
            unclickable = {part for part in parts if part.startswith("pay_")} | {"site:done"}
            assert parts - unclickable <= parts_in(game, step.after, seat)


@pytest.mark.parametrize("config", by_tier(game_of(3).configurations(), [{"players": 3}]), ids=str)
def test_the_promise_about_choices(config: dict[str, Any]) -> None:
    check_choices(game_of(config["players"]), seed=1, n=14)


# --- the parts of a picture ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", by_tier(EVERY, (4,)))
def test_who_sees_which_parts(players: int) -> None:
    """What is open to all; of hands and goods cards the own ones alone."""
    game = game_of(players)
    for state in states(players).values():
        position = game.position(state)
        assert {part.partition(":")[0] for part in parts_in(game, state, None)} <= {"bid", "site", "goods"}
        for seat in range(players):
            parts, own = parts_in(game, state, seat), position["players"][seat]
            assert pieces(parts, "card") == set(own["hand"]) and pieces(parts, "box") == set(own["goods"])


def test_parts_have_an_area_to_click_and_a_name_of_their_own() -> None:
    for kind, state in states(3).items():
        seat = max(0, int(state["actor"][0]))
        root = ElementTree.fromstring(game_of(3).picture(state, seat).svg())
        named = [element for element in root.iter(f"{SVG}g") if "data-part" in element.attrib]
        assert len({element.attrib["data-part"] for element in named}) == len(named) >= 58, kind
        for element in named:
            areas = [one.get("class", "") for one in element.iter() if one.tag in (f"{SVG}rect", f"{SVG}circle")]
            assert any(cls.startswith(("f-", "soft-")) for cls in areas), (kind, element.attrib)


def test_another_board_has_its_own_sites_and_goods(tmp_path: Path) -> None:
    folder = str(four_kinds(tmp_path / "four"))
    game = game_of(3, folder)
    check_choices(game, n=7)
    table = table_from_seed(3, board=folder)
    assert pieces(drawn(table, 0), "site") == set(game.board.place_ids) and "XC1" in game.board.place_ids  # type: ignore[attr-defined]
