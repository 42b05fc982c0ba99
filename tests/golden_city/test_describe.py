"""Descriptions of the table, and sentences: complete, within the width, and without what a seat cannot know (G10)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import ginkgo_env
from ginkgo_env.core.game import Game
from ginkgo_env.games.golden_city.constants import Event

from ..rules.golden_city.boards import four_kinds
from ..rules.golden_city.positions import all_coasts, bidding, game_of, over, turn
from .random_games import PLAYERS, played, states, steps

Json = dict[str, Any]
NAMES = ["Anna", "Berta", "Carla", "Dora"]


def told(data: Json, seat: int | None = None, width: int = 100) -> str:
    table = game_of(data["config"]["players"])
    return table.describe(table.from_position(data), seat, NAMES[: table.seats], width=width)


def line(text: str, label: str) -> str:
    """What stands behind a label, on one line."""
    found = re.search(rf"^{re.escape(label)} *(.*(?:\n {{14}}.*)*)", text, re.MULTILINE)
    assert found, (label, text)
    return re.sub(r"\s+", " ", found[1])


@pytest.mark.parametrize("width", [40, 77, 100])
@pytest.mark.parametrize("players", PLAYERS)
def test_it_fits_the_width(players: int, width: int) -> None:
    for state in states(players).values():
        for seat in (None, *range(players)):
            text = game_of(players).describe(state, seat, width=width)
            assert max(map(len, text.split("\n"))) <= width
            assert text.count("player_0") >= 1


def test_a_bidding() -> None:
    text = told(bidding("cd ff em", bids=[0], card="1B", rounds=2))
    assert text.startswith("Round 2 of 16 · Berta bids for a pair of landscape cards")
    wanted = "a coast+desert (hand of Anna), b forest+forest (free), c meadow+mountain (free)"
    assert line(text, "pairs:") == wanted
    assert line(text, "price:") == "1 coin to displace a hand"
    assert line(text, "scoring card:") == "1B (pottery, river E)"
    assert line(text, "with back 1:") == "1C (cloth, river S), 1D (spices, river W)"
    assert "3D (wine, desert quarter)" in line(text, "with back 3:")


def test_a_building_turn() -> None:
    houses = {"C2": 0, "F1": 0, "F5": 0, "FO1": [0, 1], "C3": 1, "F3": 1, "F6": 1}
    taken = [[1, "rivers"], [0, "city"]]
    text = told(turn("", "", "", kind="bonus", houses=houses, built=1, place="F1", bonus_taken=taken))
    assert text.startswith("Round 1 of 16 · Anna takes a bonus card")
    assert line(text, "turn of a:") == "1 house built, reward of F1"
    assert line(text, "bonus of a:") == "city (to choose from: goods coins forest meadow mountain desert)"
    forest = line(text, "forest:").split()
    assert {"F1·bonus~W=a", "F2·card", "F3·goods=b", "F4·coin~N", "FO1·5/3=ab", "FO2·5/3+coin", "FI·10/6+card"} <= {*forest}
    assert line(text, "coast:").split()[:2] == ["C1·card", "C2·coin=a"]
    assert line(text, "left:") == "6 bonus cards, 6 key cards, 26 coins"


def test_all_places_are_there() -> None:
    text = told(turn("c", "", ""))
    for label, n in (("coast:", 16), ("forest:", 10), ("meadow:", 11), ("mountain:", 10), ("desert:", 11)):
        assert len(line(text, label).split()) == n


def map_of(text: str) -> list[str]:
    """The section before that of the places."""
    sections = text.split("\n\n")
    k = next(k for k, section in enumerate(sections) if section.startswith("coast:"))
    return sections[k - 1].split("\n")


def test_the_map_has_places_houses_and_roads() -> None:
    houses = {"C2": 0, "F1": 0, "F5": 0, "FO1": [0, 1], "C3": 1, "F3": 1, "F6": 1}
    taken = [[1, "rivers"], [0, "city"]]
    text = told(turn("", "", "", kind="bonus", houses=houses, built=1, place="F1", bonus_taken=taken), width=80)
    rows = map_of(text)
    found = {name: (y, row.index(name)) for y, row in enumerate(rows) for name in re.findall(r"[A-Z]+\d*(?:=\w+)?", row)}
    at = {name.partition("=")[0]: where for name, where in found.items()}
    assert len(rows) == 15 and at.keys() == {*game_of(3).board.place_ids}  # type: ignore[attr-defined]
    assert {name for name in found if "=" in name} == {"C2=a", "F1=a", "F5=a", "FO1=ab", "C3=b", "F3=b", "F6=b"}
    assert at["C4"][0] == at["C5"][0] == 0 and at["C12"][0] == at["C13"][0] == 14  # the north is above
    assert at["C1"] < at["C16"] and at["FO1"][1] < at["FI"][1] < at["MI"][1] < at["C8"][1]
    assert any(re.match(r"C16··+D4", row) for row in rows)  # a road
    assert "Dots on the map are roads." in text and max(map(len, rows)) <= 80


def test_without_room_there_is_no_map(tmp_path: Path) -> None:
    table: Game = ginkgo_env.make_game("golden_city", players=3, board=str(four_kinds(tmp_path / "four")))
    has_map = [len(map_of(table.describe(table.template, width=width))) == 15 for width in (100, 60, 40)]
    assert has_map == [True, True, False]


def test_goods_cards_and_the_last_round() -> None:
    ends = {"blocked": [0], "ending": "blocked"}
    text = told(turn("", "ffff", "", seat=1, first=0, houses=all_coasts(1, 2), goods=[["pottery+wine"]], **ends))
    assert "last round (ending: blocked)" in text
    assert line(text, "goods of a:") == "pottery+wine"
    assert line(text, "goods cards:").startswith("display pottery+wine pottery+cloth pottery+spices")
    assert re.search(r"a Anna .*first, blocked", text) and re.search(r"b Berta .*decides", text)


def test_hands_of_others_are_numbers_and_their_known_part() -> None:
    taken = [[1, "city"], [0, "goods"], [1, "rivers"]]
    data = turn("cff", "ed", "m", known=["", "e", ""], bonus_taken=taken)
    text = told(data, 0)
    assert line(text, "cards of a:") == "1 coast, 2 forest (known to all: -)"
    assert line(text, "cards of b:") == "2 cards, of these known: 1 meadow"
    assert line(text, "cards of c:") == "1 card, of these known: -"
    assert line(text, "bonus of a:") == "goods (left after the last take: coins rivers forest meadow mountain desert)"
    assert line(text, "bonus of b:") == "2 cards"
    every = told(data)
    assert line(every, "cards of b:") == "1 meadow, 1 desert (known to all: 1 meadow)"
    assert line(every, "bonus of b:") == "city rivers"


def test_when_the_game_is_over_bonus_cards_are_shown() -> None:
    data = over(3, bonus_taken=[[1, "city"]])
    text = told(data, 0)
    assert text.startswith("The game is over after round 16 (ending: cards)")
    assert line(text, "scored last:") == "3D (wine, desert quarter)"
    assert line(text, "bonus of b:") == "city"


def hidden_moved(data: Json, seat: int) -> Json:
    """The same position for this seat: all that it cannot know in another order or another hand."""
    moved: Json = data | {"deck": data["deck"][::-1], "players": [dict(player) for player in data["players"]]}
    moved["goods"] = data["goods"] | {"stack": data["goods"]["stack"][::-1]}
    n, first = len(data["scoring_stack"]), 16 - len(data["scoring_stack"])
    for low, high in ((0, 4), (4, 12), (12, 16)):
        part = slice(max(0, low - first), max(0, high - first))
        moved["scoring_stack"] = [*moved["scoring_stack"]]
        moved["scoring_stack"][part] = data["scoring_stack"][part][::-1]
    assert len(moved["scoring_stack"]) == n
    deck, order = moved["deck"], ["coast", "forest", "meadow", "mountain", "desert"]
    for p, player in enumerate(moved["players"]):
        unknown = [*player["hand"]]
        for card in player["known"]:
            unknown.remove(card)
        if p != seat and p != data["decision"]["actor"]:
            deck[len(deck) :] = unknown
            drawn = [deck.pop(0) for _ in unknown]
            player["hand"] = sorted([*player["known"], *drawn], key=order.index)
    return moved


@pytest.mark.parametrize("players", PLAYERS)
def test_what_a_seat_cannot_know_does_not_show(players: int) -> None:
    table, moved = game_of(players), 0
    for step in steps(players)[::5]:
        data = table.position(step.after)
        for seat in range(players):
            other = table.from_position(hidden_moved(data, seat))
            moved += other.tobytes() != step.after.tobytes()
            assert table.describe(other, seat) == table.describe(step.after, seat)
    assert moved > 20


def test_hidden_bonus_cards_do_not_show() -> None:
    data = turn("c", "", "", bonus_taken=[[1, "city"], [2, "rivers"], [0, "goods"], [1, "coins"]])
    swapped = data | {"bonus_taken": [[1, "rivers"], [2, "city"], [0, "goods"], [1, "forest"]]}
    assert told(data, 0) == told(swapped, 0)
    assert told(data, 1) != told(swapped, 1)


# --- sentences --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_every_game_has_its_sentences(players: int) -> None:
    table, names = game_of(players), NAMES[:players]
    said = [sentence for step in steps(players) for sentence in table.narrate(step.rows, names)]
    assert all(re.fullmatch(r"[A-Z].*[a-z0-9)]\.", sentence) for sentence in said), said
    assert sum(sentence.startswith("Round ") for sentence in said) == table.round_of(steps(players)[-1].after)
    assert said[0].startswith("Goods cards on display: ")


def test_sentences() -> None:
    table, names = game_of(3), NAMES[:3]
    places, seats = table.board.place_ids, range(3)  # type: ignore[attr-defined]
    rows = {
        (Event.DRAW, 0, 4, 0): "Anna draws desert.",
        (Event.DRAW, 0, -1, 0): "Anna draws a landscape card.",
        (Event.ROUND, 3, 1, 1): "Round 3 begins, Berta is first; scoring card 1B (pottery, river E).",
        (Event.TAKE_PAIR, 2, 0, 4): "Carla gets coast+desert.",
        (Event.BLOCKED, 1, 0, 0): "Berta has no site left and is blocked.",
        (Event.COINS, 1, 2, 0): "Berta gains 2 coins.",
        (Event.COINS, 1, 0, 0): "Berta gains no coin: the supply is empty.",
        (Event.KEY, 1, 0, 0): "Berta gains a key card.",
        (Event.LETTERS, 0, 0, 5): "Anna gains 5 letters for a house in an outer district.",
        (Event.GOODS, 0, 3, 1): "Anna takes wine+cloth from the stack.",
        (Event.REFILL, 3, 0, 0): "New on display: wine+cloth.",
        (Event.BOX, 0, 3, 0): "Anna puts wine+cloth out of the game.",
        (Event.BONUS, 0, 3, 0): "Anna takes the bonus card rivers.",
        (Event.BONUS, 0, -1, 0): "Anna takes a bonus card.",
        (Event.NOTHING, 0, 4, 0): "No bonus card is left for Anna.",
        (Event.DONE, 0, 0, 0): "Anna builds no more.",
        (Event.DISCARD, 0, 1, 0): "Anna discards forest.",
        (Event.SCORING, 15, 0, 0): "The scoring card 3D (wine, desert quarter) is scored.",
        (Event.ENDING, 1, 0, 0): "Anna has built all houses: this is the last round.",
        (Event.ENDING, 2, 0, 0): "Anna can never build again: this is the last round.",
        (Event.ENDING, 3, -1, 0): "The last scoring card is scored: the game is over.",
    }
    assert {row: table.narrate([row], names) for row in rows} == {row: [text] for row, text in rows.items()}
    inner = [(Event.PAY, 1, 4, 4), (Event.HOUSE, 1, places.index("FI"), 0)]
    assert table.narrate(inner, names) == ["Berta builds on FI for two desert and two desert and a key card."]
    coast = [(Event.PAY, 1, 0, -1), (Event.HOUSE, 1, 0, 0)]
    assert table.narrate(coast, names) == ["Berta builds on C1 for coast."]
    bids = [(Event.BID, 0, 1, -1), (Event.BID, 1, 1, 0), (Event.PRICE, 1, 2, 0)]
    assert table.narrate(bids, names) == ["Anna takes pair b.", "Berta pays 2 coins and drives Anna off pair b."]
    new_deck = [(Event.OUTCOME, 0, 3, 0), *((Event.ITEM, card, 0, 0) for card in seats)]
    assert table.narrate(new_deck, names) == ["The discard pile is shuffled and becomes the deck: 3 cards."]
    assert table.narrate(new_deck[:1], names) == table.narrate(new_deck, names)


def test_another_board(tmp_path: Path) -> None:
    table: Game = ginkgo_env.make_game("golden_city", players=3, board=str(four_kinds(tmp_path / "four")))
    for step in played(table, 2):
        text = table.describe(step.after, 0)
        assert "XC1·card" in text and table.narrate(step.rows, table.side_names) is not None
    assert "S3" in text
