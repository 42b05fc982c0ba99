"""The table and the story as text with modules: every sentence, and everything that lies on the table."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.playback import Playback
from ginkgo_env.games.ginkgopolis.components import IDS, MODULE_NAMES
from ginkgo_env.games.ginkgopolis.constants import NONE, Event, EventTile, Expert, Item, Shuffle, Stage
from ginkgo_env.games.ginkgopolis.game import Ginkgopolis
from ginkgo_env.games.ginkgopolis.narrate import visible_rows

NAMES = ["ann", "bob", "cid"]
ALL = {"players": 3, "modules": MODULE_NAMES}
R7, R24, B2, B12, B22, Y3, A, GS = (IDS[name] for name in ("R7", "R24", "B2", "B12", "B22", "Y3", "A", "GS"))
DESIGN, PRESS, EXPROPRIATION, CONTROL = EventTile
Rows = list[tuple[int, int, int, int]]

# --- sentences -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "sentences"),
    [
        ([(Event.REVEAL, 0, R7, NONE), (Event.SHOW_EVENT, 0, PRESS, 0)], ["ann reveals R7 with a press campaign."]),
        ([(Event.REVEAL, 0, R7, B12), (Event.SHOW_LOWER, 0, 0, 0)], ["ann reveals R7 with B12 on a hidden tile."]),
        (
            [(Event.REVEAL, 0, R7, B12), (Event.SHOW_EVENT, 0, DESIGN, 0), (Event.OPERATE, 0, R7, 1)],
            ["ann reveals R7 with B12 and a design competition.", "ann operates R7 (1 floor)."],
        ),
        (
            [(Event.REVEAL, 1, A, GS), (Event.SHOW_LOWER, 1, 0, 0), (Event.SHOW_EVENT, 1, CONTROL, 0)],
            ["bob reveals A with GS on a hidden tile and a quality control."],
        ),
        # two tiles
        (
            [(Event.REVEAL, 0, R7, B12), (Event.SHOW_LOWER, 0, 0, 0), (Event.PLACE, 0, B12, 4)],
            ["ann reveals R7 with B12 on a hidden tile.", "ann puts B12 and a hidden tile under it on R7 (4 floors now)."],
        ),
        (
            [(Event.REVEAL, 0, A, B12), (Event.SHOW_LOWER, 0, 0, 0), (Event.PLACE, 0, B12, 2)],
            ["ann reveals A with B12 on a hidden tile.", "ann lays B12 on a hidden tile as a new building of 2 floors."],
        ),
        (
            [(Event.REVEAL, 0, R7, B12), (Event.SHOW_LOWER, 0, 0, 0), (Event.FALLBACK, 0, R7, B12)],
            [
                "ann reveals R7 with B12 on a hidden tile.",
                "ann cannot pay for B12 on R7: both tiles go back, the card counts alone.",
            ],
        ),
        # an action after an event, in a step of its own
        ([(Event.ACT, 0, R7, 1), (Event.PLACE, 0, B12, 2)], ["ann puts B12 on R7 (2 floors now)."]),
        ([(Event.ACT, 0, A, 2), (Event.PLACE, 0, B12, 2)], ["ann lays B12 on a hidden tile as a new building of 2 floors."]),
        (
            [(Event.ACT, 0, B22, 2), (Event.FALLBACK, 0, B22, R7)],
            ["ann cannot pay for R7 on B22: both tiles go back, the card counts alone."],
        ),
        # green spaces
        ([(Event.ACT, 0, A, 1), (Event.PLACE, 0, GS, 1)], ["ann lays out a green space."]),
        ([(Event.ACT, 0, A, 2), (Event.PLACE, 0, GS, 2)], ["ann lays out a green space on a hidden tile."]),
        (
            [
                *[(Event.OPERATE, 0, R7, 2), (Event.GAIN, 0, Item.RESOURCE, 2), (Event.PARK, 0, 1, 2)],
                *[(Event.GAIN, 0, Item.POINT, 2), (Event.PARK, 0, 3, 6), (Event.GAIN, 0, Item.POINT, 6)],
            ],
            [
                "ann operates R7 (2 floors) and urbanizes beside a park of 1 green space and a park of 3 green spaces"
                " and gains 2 resources and 8 SP."
            ],
        ),
        # draws
        (
            [(Event.DRAW, 0, R24, 3), (Event.DRAW, 0, B22, 2), (Event.DRAW, 0, GS, 1), (Event.DRAW, 0, Y3, 0)],
            ["ann draws R24, B22, GS and Y3."],
        ),
        (
            [
                *[(Event.DRAW, 0, R24, 3), (Event.DRAW, 0, NONE, 2), (Event.DRAW, 0, NONE, 2)],
                *[(Event.DRAW, 0, GS, 1), (Event.DRAW, 0, NONE, 0)],
            ],
            ["ann draws R24, GS, 2 new buildings and a tile."],
        ),
        ([(Event.DRAW, 0, NONE, 2)], ["ann draws a new building."]),
        # events
        (
            [
                *[(Event.TAKE_EFFECT, 0, PRESS, 4), (Event.GAIN, 0, Item.POINT, 4), (Event.ACT, 0, R7, 0)],
                *[(Event.OPERATE, 0, R7, 1), (Event.GAIN, 0, Item.RESOURCE, 1)],
            ],
            [
                "ann holds a press campaign for 4 resources in the zone and gains 4 SP.",
                "ann operates R7 (1 floor) and gains 1 resource.",
            ],
        ),
        (
            [(Event.KEEP_CARD, 0, R7, 0), (Event.TAKE_EFFECT, 0, DESIGN, 1), (Event.DRAW, 0, B2, 0)],
            ["ann keeps the card R7.", "ann holds a design competition for 1 resource in the zone and draws B2."],
        ),
        ([(Event.TAKE_EFFECT, 0, PRESS, 0)], ["ann holds a press campaign for no resources in the zone."]),
        (
            [(Event.TAKE_EFFECT, 0, EXPROPRIATION, 2), (Event.GAIN, 0, Item.POINT, 2), (Event.EXPROPRIATE, 1, B22, 2)],
            [
                "ann carries out an expropriation with 2 resources and gains 2 SP.",
                "bob loses B22 and takes back 2 resources.",
            ],
        ),
        (
            [(Event.REVEAL, 2, R7, NONE), (Event.SHOW_EVENT, 2, EXPROPRIATION, 0), (Event.EVENT_BACK, 2, EXPROPRIATION, 0)],
            ["cid reveals R7 with an expropriation.", "cid cannot carry out an expropriation: the event tile goes back."],
        ),
        (
            [
                *[(Event.TAKE_EFFECT, 1, CONTROL, 3), (Event.CONTROL, 2, 1, 2), (Event.GAIN, 1, Item.POINT, 2)],
                *[(Event.CONTROL, 0, 2, 0), (Event.ROUND, 3, 1, 0)],
            ],
            [
                "bob holds a quality control.",
                "cid pays 1 resource and 2 SP for the quality control.",
                "bob gains 2 SP.",
                "ann pays 2 resources for the quality control.",
                "Round 3 begins, bob is first.",
            ],
        ),
        # experts
        (
            [(Event.ACT, 0, R7, 1), (Event.PAY, 0, Item.POINT, 3), (Event.BUY, 0, 2, 0), (Event.PLACE, 0, B12, 3)],
            ["ann pays 3 SP, buys 2 resources for 2 SP and puts B12 on R7 (3 floors now)."],
        ),
        (
            [(Event.OUTCOME, Shuffle.RANDOM_EXPERT, 1, 2), (Event.ITEM, Expert.MAYOR, 0, 0)],
            ["cid has found no expert and gets one of those left over: mayor."],
        ),
        (
            [(Event.OUTCOME, Shuffle.RETURNED_TILES, 5, 0), (Event.OUTCOME, Shuffle.NEW_BUILDINGS, 7, 0)],
            [
                "The tiles given back are shuffled and become the new supply of 5.",
                "The new buildings given back are shuffled into their stack: 7 tiles.",
            ],
        ),
        # with hands of five the deal itself exhausts the deck
        (
            [
                *[(Event.OUTCOME, Shuffle.START_TILES, 0, 0), (Event.OUTCOME, Shuffle.DECK, 21, 0)],
                *[(Event.OUTCOME, Shuffle.NEW_BUILDINGS, 9, 0), (Event.OUTCOME, Shuffle.DECK, 7, 0)],
            ],
            ["The start square: .", "The deck is shuffled anew: 7 cards."],
        ),
    ],
)
def test_sentences(rows: Rows, sentences: list[str]) -> None:
    assert Ginkgopolis(**ALL).narrate(rows, NAMES) == sentences


def test_what_others_draw_is_heard_by_value() -> None:
    """X7.4: prestige buildings and green spaces lie open; of a new building everybody sees that it is one."""
    draws = [(Event.DRAW, 1, R24, 3), (Event.DRAW, 1, B22, 2), (Event.DRAW, 1, GS, 1), (Event.DRAW, 1, Y3, 0)]
    assert visible_rows(1, False, draws) == draws
    hidden = [(Event.DRAW, 1, R24, 3), (Event.DRAW, 1, NONE, 2), (Event.DRAW, 1, GS, 1), (Event.DRAW, 1, NONE, 0)]
    assert visible_rows(0, False, draws) == visible_rows(2, False, draws) == hidden


def test_shuffles_are_heard_without_their_order() -> None:
    def shuffled(which: Shuffle, *items: int) -> Rows:
        return [(Event.OUTCOME, which, len(items), 0), *((int(Event.ITEM), item, 0, 0) for item in items)]

    assert visible_rows(0, False, shuffled(Shuffle.EXPERTS, 1, 2)) == []
    assert visible_rows(0, False, shuffled(Shuffle.NEW_BUILDINGS, 75, 76)) == [(Event.OUTCOME, Shuffle.NEW_BUILDINGS, 2, 0)]
    assert visible_rows(0, False, shuffled(Shuffle.RANDOM_EXPERT, 3)) == shuffled(Shuffle.RANDOM_EXPERT, 3)


# --- the table -------------------------------------------------------------------------------------------------------------


def look_through(config: dict[str, Any], seed: int, look: Callable[[ginkgo_env.Batch], None]) -> None:
    """Call look(batch) at every decision of a random game and at its end."""
    batch = ginkgo_env.Batch(Ginkgopolis(**config), 1)
    batch.reset([seed])
    while True:
        look(batch)
        if batch.over.all():
            return
        batch.step(batch.sample())


def row_of(text: str, heading: str) -> str:
    """What follows a label, with the lines that go on."""
    lines = text.split("\n")
    start = next((i for i, line in enumerate(lines) if line.startswith(heading)), None)
    if start is None:
        return ""
    rest = itertools.takewhile(lambda line: line.startswith(" " * 14), lines[start + 1 :])
    return " ".join([lines[start][len(heading) :].strip(), *(line.strip() for line in rest)])


@pytest.mark.full
def test_table_shows_the_whole_city() -> None:
    """Green spaces too; what lies under a tile shows in the floors only."""

    def look(batch: ginkgo_env.Batch) -> None:
        g, text = batch.states[0], batch.game.describe(batch.state(0), 0)
        for s in range(int(g.n_buildings)):
            owner = "" if g.owner[s] < 0 else "abcde"[g.owner[s]]
            cell = f"{next(n for n, i in IDS.items() if i == g.top[s])}·{g.floors[s]}{owner}{'*' if g.pawn[s] else ''}"
            assert re.search(rf"(?<!\S){re.escape(cell)}(?!\S)", text)

    look_through(ALL, 75, look)


def test_table_shows_stacks_and_splits() -> None:
    def look(batch: ginkgo_env.Batch) -> None:
        text, position = batch.game.describe(batch.state(0), 1, NAMES), batch.position(0)
        stacks = row_of(text, "stacks:")
        assert stacks.startswith(f"{len(position['new_buildings'])} new buildings; prestige ")
        assert " ".join(position["prestige"]) in stacks
        assert f"; {position['green_spaces']} green space" in stacks
        if position["decision"]["kind"] == "split":
            split, chosen = position["pending"]["split"], row_of(text, "to be drawn:")
            assert chosen.endswith(f"; rights left: {position['pending']['draws']}")
            assert chosen.startswith("nothing chosen yet; ") == (not any(split.values()))
        else:
            assert row_of(text, "to be drawn:") == ""

    look_through(ALL, 75, look)


def test_table_shows_how_a_draw_is_split() -> None:
    table = Playback(Ginkgopolis(**ALL))
    table.start(75)
    while table.states["stage"][0] != Stage.SPLIT:
        table.play(int(np.flatnonzero(table.mask[0])[-1]))
    state = table.state()
    state["draws"][0] = 15
    table.continue_from(state)
    shown = []
    for choice in ("red", "red", "yellow", "new-building", "new-building", "green-space"):
        shown.append(row_of(table.game.describe(table.state(), 0), "to be drawn:"))
        table.play(table.game.parse_action(table.state(), f"split:{choice}"))
    assert shown == [
        "nothing chosen yet; rights left: 15",
        "R24; rights left: 12",
        "R24, R25; rights left: 9",
        "R24, R25, Y24; rights left: 6",
        "R24, R25, Y24, 1 new building; rights left: 4",
        "R24, R25, Y24, 2 new buildings; rights left: 2",
    ]


def test_table_shows_experts_and_events() -> None:
    def look(batch: ginkgo_env.Batch) -> None:
        text, position = batch.game.describe(batch.state(0), 1, NAMES), batch.position(0)
        drafting = position["decision"]["kind"] == "draft"
        for seat, player in enumerate(position["players"]):
            mark, pending = "abc"[seat], position["pending"]
            if player["expert"] is not None and (not drafting or seat == 1):
                assert player["expert"] in row_of(text, f"tableau of {mark}:").split()
            known = row_of(text, f"known of {mark}:")
            held = player["events"] + [
                event
                for event in [(player["commitment"] or {}).get("event")]
                if event is not None and event not in player["events"]
            ]
            found = re.search(r"events ((?:design|press|expropriation|control| )+)", known)
            assert sorted(held) == sorted(found[1].split() if found else [])
            assert (f"events played {' '.join(player['events_played'])}" in known) == bool(player["events_played"])
            assert (f"hidden tiles in the city: {len(player['lower_tiles'])}" in known) == bool(player["lower_tiles"])
            if pending is not None and pending["player"] == seat and pending["event"] is not None:
                event = row_of(text, f"event of {mark}:")
                x, y = pending["zone"]["cell"]
                assert event.startswith(f"{pending['event']} takes effect ")
                assert f"({x}, {y})" in event
                assert event.count(" now, ") == (pending["phase"] in ("before", "after"))
                assert (pending["timing"] or "before or after") in event
            elif pending is not None and pending["player"] == seat and pending["timing"] is not None:
                assert f"event of {mark}:   done, {pending['timing']} the action" in text.replace("now, ", "")
            else:
                assert f"event of {mark}:" not in text

    look_through(ALL, 75, look)


def test_table_shows_what_lies_on_cards() -> None:
    """X4.2: while actions are resolved everybody sees how many tiles lie on a card, and whether an event does."""
    words = {"card alone": (0, False), "card with an event": (0, True)}
    for n, tiles in ((1, "a tile"), (2, "two tiles")):
        words |= {f"card with {tiles}": (n, False), f"card with {tiles} and an event": (n, True)}
    met = set()

    def look(batch: ginkgo_env.Batch) -> None:
        text, position = batch.game.describe(batch.state(0), 1, NAMES), batch.position(0)
        if position["decision"]["kind"] in ("commit", "lower", "event", "keep"):
            assert "card with" not in text and "card alone" not in text
            return
        for seat, player in enumerate(position["players"]):
            if player["commitment"] is None or position["pending"]["player"] == seat:
                continue
            pair = player["commitment"]
            wanted = (sum(pair[key] is not None for key in ("tile", "lower")), pair["event"] is not None)
            row = " ".join(text[text.index(f" {'abc'[seat]} {NAMES[seat]} ") :].split("tableau of")[0].split())
            row = row.split(f" {'abc'[seat + 1]} {NAMES[seat + 1]} ")[0] if seat < 2 else row
            note = next(phrase for phrase in sorted(words, key=len, reverse=True) if phrase in row)
            assert words[note] == wanted
            met.add(wanted)

    for seed in (75, 3):
        look_through(ALL, seed, look)
    assert len(met) == len(words)


def test_a_card_shown_with_an_event_is_described_before_its_action() -> None:
    met = set()

    def look(batch: ginkgo_env.Batch) -> None:
        text, position = batch.game.describe(batch.state(0), 1, NAMES), batch.position(0)
        pending = position["pending"]
        if pending is None or pending["phase"] == "action":
            return
        player = position["players"][pending["player"]]
        met.add(pending["phase"])
        if player["commitment"] is None:
            assert pending["phase"] == "after"
            assert "shows" not in text
        else:
            pair = player["commitment"]
            tile = f"+{pair['tile']}" if pair["tile"] else ""
            lower = " on a hidden tile" if pair["lower"] else ""
            assert f"shows {pair['card']}{tile}{lower}" in " ".join(text.split())

    for seed in (75, 3, 85):
        look_through(ALL, seed, look)
    assert met == {"timing", "before", "after"}


def test_counts_are_those_that_everybody_can_make() -> None:
    """R10.1, X7.3: what lies on a card or is kept counts as held until all have chosen."""

    def look(batch: ginkgo_env.Batch) -> None:
        text, position = batch.game.describe(batch.state(0), 1, NAMES), batch.position(0)
        kind = position["decision"]["kind"]
        choosing = kind in ("commit", "lower", "event", "keep")
        for name, player in zip(NAMES, position["players"], strict=True):
            row = next(line.split() for line in text.split("\n") if line[3:].startswith(f"{name} "))
            pair = player["commitment"] or {"card": None, "tile": None, "lower": None, "event": None}
            out = {key: pair[key] is not None for key in pair}
            tiles = len(player["tiles"])
            if choosing or kind == "return":
                tiles += len(player["returning"]) + out["tile"] + out["lower"]
            kept = player["kept"] is not None
            cards = len(player["hand"]) + choosing * (out["card"] + kept)
            events = len(player["events"]) + choosing * out["event"]
            wanted = [tiles, cards, player["new_hands"], events, int(kept and not choosing)]
            assert row[5:10] == [str(n) for n in wanted]

    look_through(ALL, 75, look)


@pytest.mark.full
def test_a_player_sees_the_own_choice() -> None:
    """Card, tile, tile under it and event, the card kept, tiles in the city that nobody else knows."""
    met = set()

    def look(batch: ginkgo_env.Batch) -> None:
        position = batch.position(0)
        for seat, player in enumerate(position["players"]):
            only = row_of(batch.game.describe(batch.state(0), seat, NAMES), f"only {'abc'[seat]} sees:")
            only = re.split(" [abc] (?:has|knows of) ", only)[0] + ";"
            assert (f"kept {player['kept']};" in only) == (player["kept"] is not None)
            assert f"tiles {' '.join(player['tiles']) or '-'};" in only
            if player["lower_tiles"]:
                assert f"hidden tiles in the city {' '.join(player['lower_tiles'])};" in only
            pair = player["commitment"]
            if pair is not None and (position["pending"] is None or position["pending"]["player"] != seat):
                parts = [pair["card"] + (f"+{pair['tile']}" if pair["tile"] else "")]
                parts += [f"on {pair['lower']}"] if pair["lower"] else []
                parts += [f"with {pair['event']}"] if pair["event"] else []
                assert f"chosen {' '.join(parts)};" in only
                met.add((pair["lower"] is not None, pair["event"] is not None))
            elif pair is not None and pair["lower"]:
                assert f"under the tile shown {pair['lower']};" in only

    for seed in (75, 3):
        look_through(ALL, seed, look)
    assert len(met) == 4


def test_hands_of_five_exhaust_the_deck_at_the_deal() -> None:
    """X5: what the setup tells, told once: characters that lie open, and a deck shuffled anew."""
    game = Ginkgopolis(players=3, setup="introductory", modules=["keep_card"], hand_size=5)
    record = ginkgo_env.Record.from_actions(game, 1, [])
    for seat in range(3):
        view = record.seen_by(seat)
        assert [line["seat"] for line in view if "characters" in line] == [0, 1, 2]
        assert view.count({"random": "deck"}) == 3  # R3.6: 14 cards for 15; then the 7 discarded, and what is left of these
        setup = next(ginkgo_env.replay(record, seat))
        shuffles = [sentence for sentence in setup.narration if "shuffled" in sentence]
        assert shuffles == [f"The deck is shuffled anew: {n} cards." for n in (7, 6)]
