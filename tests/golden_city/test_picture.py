"""Pictures of The Golden City: all that lies on the table is in them, where it lies, and nothing more than may be known."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any
from xml.etree import ElementTree

import pytest

from ginkgo_env.core.game import States
from ginkgo_env.games.golden_city.board import Board, load_board
from ginkgo_env.games.golden_city.pictures.island import layout_of
from ginkgo_env.pictures.picture import Picture
from ginkgo_env.testing.pictures import extents, texts_in

from ..rules.golden_city.positions import bidding, game_of, over, start, turn
from ..tiers import by_tier
from .random_games import EVERY, states, steps

NAMES = ["Anna", "Berta", "Carla", "Dora"]
SVG = "{http://www.w3.org/2000/svg}"
LANDSCAPES = ("coast", "forest", "meadow", "mountain", "desert")


def shown(state: States, players: int, seat: int | None = None, since: States | None = None) -> Picture:
    return game_of(players).picture(state, seat, NAMES[:players], since=since)


def made(data: dict[str, Any], seat: int | None = None) -> Picture:
    players = data["config"]["players"]
    return shown(game_of(players).from_position(data), players, seat)


def follow(words: list[str], *wanted: str) -> bool:
    """Whether some texts stand one after the other."""
    return any(words[i : i + len(wanted)] == list(wanted) for i in range(len(words)))


def hints(picture: Picture) -> Counter[str]:
    """What browsers show when the pointer rests on a thing, counted: the names of cards without words."""
    root = ElementTree.fromstring(picture.svg())
    titles = (element.text or "" for group in root.iter(f"{SVG}g") for element in group.findall(f"{SVG}title"))
    return Counter(re.split("; |: a landscape card|: 2 letters|: at the end", title)[0] for title in titles)


def frames(picture: Picture) -> list[list[str]]:
    """The texts inside each dashed frame."""
    there = list(extents(picture))
    root = ElementTree.fromstring(picture.svg())
    dashed = [element.attrib for element in root.iter(f"{SVG}rect") if "stroke-dasharray" in element.attrib]
    sizes = {(float(one["width"]), float(one["height"])) for one in dashed}
    return [
        [
            words.removeprefix("text ")
            for words, e in there
            if words.startswith("text ") and left <= e[0] and e[2] <= right and top <= e[1] and e[3] <= bottom
        ]
        for what, (left, top, right, bottom) in there
        if what == "rect" and (round(right - left, 2), round(bottom - top, 2)) in sizes
    ]


def at_places(picture: Picture, board: Board) -> dict[str, list[str]]:
    """The texts on each place of the map but its id, found around it."""
    layout, found = layout_of(board), {}
    there = [(what.removeprefix("text "), e) for what, e in extents(picture) if what.startswith("text ")]
    for place, (width, height) in zip(board.place_ids, layout.sizes.tolist(), strict=True):
        [name] = [e for what, e in there if what == place]
        middle, bottom = (name[0] + name[2] - 12) / 2, name[3] + 4
        found[place] = [
            what
            for what, e in there
            if what != place and abs((e[0] + e[2]) / 2 - middle) < width / 2 and bottom - height < (e[1] + e[3]) / 2 < bottom
        ]
    return found


# --- what lies on the table ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", by_tier(EVERY, (4,)))
def test_every_house_stands_on_its_place(players: int) -> None:
    game, state = game_of(players), steps(players)[-20].after
    position, board = game.position(state), load_board()
    on = at_places(shown(state, players, 0), board)
    assert len(position["houses"]) > 20
    for place, row in zip(board.place_ids, board.places, strict=True):
        brings = [f"{row['letters_first']}/{row['letters_second']}"] if row["kind"] in ("outer", "inner") else []
        river = [row["river"]] if row["river"] else []
        houses = ["abcd"[seat] for seat in position["houses"].get(place, [])]
        assert on[place] == brings + river + houses, place


def test_places_tell_in_words_what_they_are() -> None:
    picture = made(turn("dd", "", "", houses={"C2": 0, "F1": 0, "C14": 2}))
    for told in (
        "C2: coast place, coin, house of a",
        "F1: suburb, forest, river W, bonus, house of a",
        "C4: coast place, two coins",
        "MI: inner district, meadow",
    ):
        assert hints(picture)[told] == 1


@pytest.mark.parametrize("players", by_tier(EVERY, (3,)))
def test_what_everybody_counts(players: int) -> None:
    state = steps(players)[-30].after
    position, words = game_of(players).position(state), texts_in(shown(state, players, 0))
    taken = Counter(seat for seat, _ in position["bonus_taken"])
    for seat, player in enumerate(position["players"]):
        counted = {
            "letters": sum(player["letters"].values()),
            "coins": player["coins"],
            "keys": player["keys"],
            "houses left": player["houses_left"],
            "cards": len(player["hand"]),
            "goods": len(player["goods"]),
            "bonus": taken[seat],
        }
        listed = [text for what, n in counted.items() for text in (str(n), what)]
        assert any(follow(words, NAMES[seat], *notes, *listed) for notes in ([], ["first"], ["decides"], ["first, decides"]))
        letters = ", ".join(f"{source} {n}" for source, n in player["letters"].items() if n)
        assert not letters or letters in words
    piles = {"deck": len(position["deck"]), "discarded": len(position["discard"]), "coins left": position["coins"]}
    piles |= {"keys left": position["keys"], "goods stack": len(position["goods"]["stack"])}
    assert all(follow(words, str(n), what) for what, n in piles.items())


def test_pairs_with_hands_and_the_price() -> None:
    words = texts_in(made(bidding("cd ff em", bids=[0], card="1B", rounds=2)))
    assert words[2] == "Round 2 of 16 · Berta bids for a pair of landscape cards"
    assert follow(words, "coast", "desert", "a", "a", "Anna")
    assert follow(words, "forest", "forest", "b", "free") and follow(words, "meadow", "mountain", "c", "free")
    assert "1 coin to displace a hand" in words


def test_the_scoring_card_and_those_to_come() -> None:
    picture = made(bidding("cd ff em", bids=[0], card="1B", rounds=2))
    words = texts_in(picture)
    start = words.index("scoring card")
    assert words[start + 1 : start + 3] == ["1B", "pottery"] and "river E" in words[start : start + 6]
    back = words.index("back 1")
    assert words[back + 1 : back + 5] == ["1C", "S", "1D", "W"]
    assert hints(picture)["3D (wine, desert quarter)"] == 1 and hints(picture)["1B (pottery, river E)"] == 1


def test_the_turn_is_told() -> None:
    houses = {"C2": 0, "F1": 0, "C3": 1}
    taken = [[1, "rivers"], [0, "city"]]
    picture = made(turn("", "", "", kind="bonus", houses=houses, built=1, place="F1", bonus_taken=taken))
    words = [word for word in texts_in(picture) if not word.isdigit()]  # letters on bonus cards
    assert follow(words, "Turn of a", "1 house built, reward of F1")
    assert follow(words, "a", "builds", "Anna", "b", "to come", "Berta", "c", "to come", "Carla")
    assert follow(words, "to choose from", "goods", "coins", "forest", "meadow", "mountain", "desert")


def test_goods_cards_lie_where_they_are() -> None:
    held = [["pottery+wine", "cloth+spices"], [], ["wine+cloth"]]
    data = turn("dd", "", "", goods=held)
    found = hints(made(data))
    wanted = Counter([card for cards in held for card in cards] + data["goods"]["display"] + data["goods"]["stack"])
    assert sum(wanted.values()) == 8 and {name: found[name] for name in wanted} == dict(wanted)


def test_the_end_has_a_row_for_each_source() -> None:
    taken = [[0, "city"], [1, "rivers"]]
    data = over(3, houses={"C2": 0, "F1": 0, "F5": 0, "FO1": 0}, letters=[{"outer": 5}, {"goods": 4}], bonus_taken=taken)
    game = game_of(3)
    state = game.from_position(data)
    points, outcome = game.points(state)[0], game.outcome(state)
    for seat in (None, 2):
        words = texts_in(shown(state, 3, seat))
        for k, source in enumerate(game.sources):
            assert follow(words, source.replace("_", " "), *map(str, points[:, k].tolist()))
        assert follow(words, "total", *map(str, outcome.scores))
        assert "city" in words and "rivers" in words, "bonus cards are shown at the end"


def test_the_island_stays_where_it_is_during_a_round() -> None:
    """Frames of an animation show it at the same height."""
    heights = set()
    for step in steps(3):
        position = game_of(3).position(step.after)
        if position["round"] == 6:
            there = [e for what, e in extents(shown(step.after, 3)) if what == "text C4"]
            heights.add(there[0][1])
    assert len(heights) == 1


# --- what a seat may know --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", by_tier(EVERY, (3,)))
def test_others_cards_are_backs_but_for_the_known_ones(players: int) -> None:
    game = game_of(players)
    state = max((step.after for step in steps(players)), key=lambda state: int((state["hand"] - state["known"]).sum()))
    position = game.position(state)
    hands = [Counter(player["hand"]) for player in position["players"]]
    known = [Counter(player["known"]) for player in position["players"]]
    assert sum(hands, Counter()).total() > sum(known, Counter()).total() + 1
    for seat in (None, *range(players)):
        picture = shown(state, players, seat)
        looked = range(players) if seat is None else [seat]
        wanted = sum(known, Counter()) + sum((hands[p] for p in looked), Counter()) + Counter(set(position["discard"]))
        if game.kind(state)[0] == 0:  # cards of pairs are named and titled
            wanted += Counter(LANDSCAPES[card] for pair in state["pairs"][0][:players] for card in pair)
        assert Counter({name: n for name, n in hints(picture).items() if name in LANDSCAPES}) == wanted
        words = texts_in(picture)
        for p in range(players):
            hidden = hands[p].total() - known[p].total()
            if p not in looked and hidden:
                assert f"\u00d7{hidden}" in words


def test_bonus_cards_of_others_are_not_named() -> None:
    data = turn("dd", "", "", houses={"C2": 0, "F1": 0, "C3": 1}, bonus_taken=[[1, "rivers"], [0, "city"]])
    shown_to = {seat: texts_in(made(data, seat)) for seat in (None, 0, 1, 2)}
    words = {seat: [word for word in some if not word.isdigit()] for seat, some in shown_to.items()}  # without letters
    assert follow(words[None], "bonus", "city") and follow(words[None], "bonus", "rivers")
    assert follow(words[0], "bonus", "city", "left after the last take") and not follow(words[0], "bonus", "rivers")
    assert follow(words[1], "bonus", "rivers", "left after the last take") and not follow(words[1], "bonus", "city")
    assert "city" not in words[2] and "rivers" not in words[2]


def test_long_names_are_written_out() -> None:
    names = ["Bartholomew the Great and Very Wise", "Dora the Elder of the House by the Sea", "C"]
    for state in states(3).values():
        picture = game_of(3).picture(state, None, names)
        words = " ".join(texts_in(picture))
        assert all(name in words for name in names)
        root = ElementTree.fromstring(picture.svg())
        small = [element.text for element in root.iter(f"{SVG}text") if float(element.attrib["font-size"]) < 12]
        assert not small, "too small to read at a width of 400 pixels"


# --- what has changed ------------------------------------------------------------------------------------------------------


def test_the_last_action_is_framed() -> None:
    table = start(bidding("cd ff em", coins=[3, 3, 3]))
    before = table.state.copy()
    table.play("bid:b")
    assert frames(shown(table.state, 3, 1, before)) == [["forest", "forest", "b", "a", "Anna"]]
    before = table.state.copy()
    table.play("bid:b")
    inside = frames(shown(table.state, 3, 1, before))
    assert inside == [["forest", "forest", "b", "b", "Berta"], ["2", "coins"], ["27", "coins left"]]


def test_a_new_house_is_framed_and_nothing_without_a_change() -> None:
    table = start(turn("cc", "", ""))
    before = table.state.copy()
    table.play("build:C2")
    inside = frames(shown(table.state, 3, 0, before))
    assert ["a", "C2"] in inside and not any("C3" in words for words in inside)
    assert shown(table.state, 3, 0, table.state).body == shown(table.state, 3, 0).body
    assert not frames(shown(table.state, 3, 0))
