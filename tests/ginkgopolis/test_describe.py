"""The table and the story as text: complete, and silent about what a seat cannot know (R10)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import pytest

import ginkgo_env
from ginkgo_env.games.ginkgopolis.components import IDS
from ginkgo_env.games.ginkgopolis.constants import NONE, Ending, Event, Item, Shuffle
from ginkgo_env.games.ginkgopolis.game import Ginkgopolis
from ginkgo_env.games.ginkgopolis.narrate import visible_rows

from .cases import CONFIGURATIONS

NAMES = ["ann", "bob", "cid"]
R4, R7, B2, B12, Y3 = (IDS[name] for name in ("R4", "R7", "B2", "B12", "Y3"))
A, C, Y4 = (IDS[name] for name in ("A", "C", "Y4"))

# --- sentences -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "sentences"),
    [
        ([(Event.REVEAL, 0, R7, B12)], ["ann reveals R7 with B12."]),
        ([(Event.REVEAL, 1, A, NONE)], ["bob reveals A."]),
        (
            [
                *[(Event.REVEAL, 0, R7, B12), (Event.RETURN_RESOURCES, 1, 2, 2), (Event.PAY, 0, Item.POINT, 3)],
                *[(Event.PAY, 0, Item.RESOURCE, 1), (Event.PLACE, 0, B12, 3), (Event.GAIN, 0, Item.RESOURCE, 1)],
                *[(Event.GAIN, 0, Item.POINT, 2), (Event.DRAW, 0, R4, 0), (Event.DRAW, 0, Y3, 0), (Event.KEEP_CARD, 0, R7, 0)],
            ],
            [
                "ann reveals R7 with B12.",
                "bob takes back 2 resources for 2 SP.",
                "ann pays 1 resource and 3 SP, puts B12 on R7 (3 floors now), gains 1 resource and 2 SP, draws R4 and Y3"
                " and keeps the card R7.",
            ],
        ),
        (
            [(Event.REVEAL, 0, R7, B12), (Event.RETURN_RESOURCES, 0, 1, 0), (Event.PLACE, 0, B12, 2)],
            ["ann reveals R7 with B12.", "ann takes back 1 resource and puts B12 on R7 (2 floors now)."],
        ),
        (
            [
                (Event.REVEAL, 2, R7, B12),
                (Event.FALLBACK, 2, R7, B12),
                (Event.OPERATE, 2, R7, 1),
                (Event.GAIN, 2, Item.RESOURCE, 1),
            ],
            [
                "cid reveals R7 with B12.",
                "cid cannot pay for B12 on R7: the tile goes back, the card counts alone.",
                "cid operates R7 (1 floor) and gains 1 resource.",
            ],
        ),
        ([(Event.FALLBACK, 2, A, B12)], ["cid cannot pay for B12 at A: the tile goes back, the card counts alone."]),
        (
            [(Event.REVEAL, 0, A, B12), (Event.PLACE, 0, B12, 1), (Event.TOKEN, 0, 3, -1), (Event.TOKEN, 1, 4, -1)],
            ["ann reveals A with B12.", "ann lays B12 as a new building.", "Token A goes to (3, -1), pushing B to (4, -1)."],
        ),
        (
            [
                (Event.OPERATE, 0, R7, 2),
                (Event.GAIN, 0, Item.RESOURCE, 2),
                (Event.OPERATE, 0, B2, 1),
                (Event.GAIN, 0, Item.RESOURCE, 1),
            ],
            ["ann operates R7 (2 floors) and B2 (1 floor) and gains 3 resources."],
        ),
        ([(Event.DRAW, 0, NONE, 0)], ["ann draws a tile."]),
        ([(Event.DRAW, 0, NONE, 0)] * 3, ["ann draws 3 tiles."]),
        ([(Event.DRAW, 0, R4, 0), (Event.DRAW, 1, B2, 0)], ["ann draws R4.", "bob draws B2."]),
        ([(Event.NEW_HAND, 1, 4, 0)], ["bob spends a New Hand token and exchanges 4 cards."]),
        ([(Event.EXHAUSTED, 1, 0, 0)], ["The tile supply is exhausted for the first time."]),
        (
            [(Event.GIVE_BACK, 0, 2, 0), (Event.GAIN, 0, Item.POINT, 2), (Event.OUTCOME, Shuffle.RETURNED_TILES, 2, 0)],
            ["ann gives back 2 tiles and gains 2 SP.", "The tiles given back are shuffled and become the new supply of 2."],
        ),
        ([(Event.REPLACED, C, Y4, Y4)], ["bob's second card Y4 replaces C."]),
        ([(Event.REPLACED, C, A, C)], ["bob's second card A is no better and is discarded."]),
        ([(Event.DRAW, 1, R4, 0), (Event.ENDING, Ending.WILLIAM, 0, 0)], ["bob draws R4.", "bob cannot pay: the game ends."]),
        ([(Event.OUTCOME, Shuffle.DECK, 23, 0)], ["The deck is shuffled anew: 23 cards."]),
        ([(Event.ROUND, 5, 2, 0)], ["Round 5 begins, cid is first."]),
        ([], []),
    ],
)
def test_sentences(rows: list[tuple[int, int, int, int]], sentences: list[str]) -> None:
    assert Ginkgopolis(players=3).narrate(rows, NAMES) == sentences


def test_every_event_has_words() -> None:
    game = Ginkgopolis(players=3)
    for event in Event:
        if event != Event.ITEM:
            game.narrate([(event, 1, 2, 3)], NAMES)
    for reason in Ending:
        if reason != Ending.NONE:
            assert game.narrate([(Event.ENDING, reason, 0, 0)], NAMES)


def test_what_others_draw_is_not_heard() -> None:
    draws = [(Event.DRAW, 1, R4, 0), (Event.DRAW, 0, B2, 0)]
    assert visible_rows(0, False, draws) == [(Event.DRAW, 1, NONE, 0), (Event.DRAW, 0, B2, 0)]
    assert visible_rows(0, True, draws) == draws  # William's tile lies open (R9.3)


def test_orders_of_shuffles_are_not_heard() -> None:
    def shuffled(which: Shuffle, *items: int) -> list[tuple[int, int, int, int]]:
        return [(Event.OUTCOME, which, len(items), 0), *((int(Event.ITEM), item, 0, 0) for item in items)]

    for which in (Shuffle.TILES, Shuffle.CHARACTERS, Shuffle.SETS):
        assert visible_rows(0, False, shuffled(which, 1, 2)) == []
    for which in (Shuffle.DECK, Shuffle.RETURNED_TILES):
        assert (
            visible_rows(0, False, shuffled(which, 1, 2))
            == visible_rows(0, False, shuffled(which, 2, 1))
            == [(Event.OUTCOME, which, 2, 0)]
        )
    for which in (Shuffle.START_TILES, Shuffle.FIRST_PLAYER):
        assert visible_rows(0, False, shuffled(which, 1)) == shuffled(which, 1)


# --- the table -------------------------------------------------------------------------------------------------------------


def look_through(config: dict[str, Any], seed: int, look: Callable[[ginkgo_env.Batch], None], every: int = 1) -> None:
    """Call look(batch) at every n-th decision of a random game and at its end."""
    batch = ginkgo_env.Batch(Ginkgopolis(**config), 1)
    batch.reset([seed])
    for n in itertools.count():
        if n % every == 0 or batch.over.all():
            look(batch)
        if batch.over.all():
            return
        batch.step(batch.sample())


@pytest.mark.parametrize("config", CONFIGURATIONS)
def test_tables_are_readable(config: dict[str, Any]) -> None:
    def look(batch: ginkgo_env.Batch) -> None:
        for seat in (None, 0):
            text = batch.game.describe(batch.state(0), seat, ["n" * 40] * batch.game.sides)
            lines = text.split("\n")
            assert max(map(len, lines)) <= 100
            assert len(lines) <= (60 if "modules" in config else 50)
            assert not any(line != line.rstrip() for line in lines)

    look_through(config, 5, look, every=2)


@pytest.mark.full
@pytest.mark.parametrize("config", CONFIGURATIONS)
def test_tables_of_a_seat_tell_no_secrets(config: dict[str, Any]) -> None:
    """Paired: dealing anew what the seat cannot know changes nothing in its text."""
    other = ginkgo_env.Batch(Ginkgopolis(**config), 1)
    varied = 0

    def look(batch: ginkgo_env.Batch) -> None:
        nonlocal varied
        for seat in range(batch.game.seats):
            other.set_states([0], batch.states)
            other.resample(seat, seed=seat)
            assert other.game.describe(other.state(0), seat) == batch.game.describe(batch.state(0), seat)
            varied += other.game.describe(other.state(0)) != batch.game.describe(batch.state(0))

    look_through(config, 5, look, every=3)
    assert varied > 5  # the full text does tell them


def test_table_shows_the_whole_city() -> None:
    def look(batch: ginkgo_env.Batch) -> None:
        text, position = batch.game.describe(batch.state(0)), batch.position(0)
        for building in position["city"]:
            owner = "" if building["owner"] is None else "abcde"[building["owner"]]
            cell = f"{building['tile']}·{building['floors']}{owner}{'*' if building['pawn'] else ''}"
            assert re.search(rf"(?<!\S){re.escape(cell)}(?!\S)", text)
        rows = [line.split() for line in text.split("\n")[3:] if re.match(r" *-?\d+ ", line)]
        columns = text.split("\n")[2].split()
        for letter, cell in position["tokens"].items():
            if cell is not None:
                row = next(row for row in rows if row[0] == str(cell[1]))
                assert row[1 + columns.index(str(cell[0]))] == letter

    look_through({"players": 4}, 8, look)


def test_table_shows_what_everybody_counts() -> None:
    def look(batch: ginkgo_env.Batch) -> None:
        text, position = batch.game.describe(batch.state(0), 1, NAMES), batch.position(0)
        for name, player in zip(NAMES, position["players"], strict=True):
            row = next(line.split() for line in text.split("\n") if line[3:].startswith(f"{name} "))
            assert row[2:5] == [str(player[key]) for key in ("points", "resources", "supply")]
            committed = player["commitment"] or {"tile": None}
            choosing = position["decision"]["kind"] in ("commit", "return")
            tiles = len(player["tiles"]) + choosing * (len(player["returning"]) + (committed["tile"] is not None))
            cards = len(player["hand"]) + (player["commitment"] is not None and position["decision"]["kind"] == "commit")
            assert row[5:8] == [str(tiles), str(cards), str(player["new_hands"])]
        assert f"tile supply:  {len(position['supply'])} tile" in text
        assert f"deck:         {len(position['deck'])} card" in text

    look_through({"players": 3}, 8, look)


def test_own_cards_are_shown_and_others_are_not() -> None:
    batch = ginkgo_env.Batch(Ginkgopolis(players=2, setup="introductory"), 1)
    batch.reset([3])
    position = batch.position(0)
    mine, theirs = (set(position["players"][p]["hand"] + position["players"][p]["tiles"]) for p in (0, 1))
    text = batch.game.describe(batch.state(0), 0, NAMES)
    only = [line for line in text.split("\n") if line.startswith("only ")]
    assert len(only) == 1
    assert only[0].startswith("only a sees:")
    words = set(re.findall(r"[RBYA-L]\d*", only[0]))
    assert mine <= words
    assert not theirs & words
