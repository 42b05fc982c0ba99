"""The table as text, and sentences: complete, within the width, and without what a seat cannot know (M10)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from ginkgo_env.cli.output import Transcript
from ginkgo_env.games.my_city.constants import Event
from ginkgo_env.games.my_city.describe import SIGNS
from ginkgo_env.pictures.export import colored

from ..rules.my_city.positions import made_up, table
from .played import MIDROUND, PLAYERS, examples, files, game, opening, played, record_of, steps

Json = dict[str, Any]
NAMES = ["Anna", "Berta", "Carla", "Dora"]
CARDS = [*game(1).buildings.cards]
CELL = r"[A-Z]\d |[A-Z]\d|[.trwv^&] "


def told(data: Json, seat: int | None = None, width: int = 100) -> str:
    table = game(data["config"]["players"])
    return table.describe(table.from_position(data), seat, NAMES[: table.seats], width=width)


def line(text: str, label: str) -> str:
    """What stands behind a label, on one line."""
    found = re.search(rf"^{re.escape(label)} *(.*(?:\n {{12}}.*)*)", text, re.MULTILINE)
    assert found, (label, text)
    return re.sub(r"\s+", " ", found[1])


def cells(text: str) -> list[list[str]]:
    """What the rows of the first board show, cell by cell; the river is checked and left out."""
    rows = [row[3:36] for row in text.split("\n") if re.match(r"[ 1][0-9] [ ║]", row)]
    assert all(row[i] in " ║" for row in rows for i in range(0, 33, 3))
    return [[row[i : i + 2].strip() for i in range(1, 33, 3)] for row in rows]


@pytest.mark.parametrize("width", [40, 77, 100, 160])
@pytest.mark.parametrize("players", PLAYERS)
def test_it_fits_the_width(players: int, width: int) -> None:
    for step in steps(players)[:: 7 * players]:
        for seat in (None, *range(players)):
            text = game(players).describe(step.after, seat, width=width)
            assert max(map(len, text.split("\n"))) <= width
            for p in range(players):
                assert text.count(f"player_{p}: ") == 1
    abreast = max(row.count(" points") for row in text.split("\n"))
    assert abreast == min(players, {40: 1, 77: 2, 100: 2, 160: 4}[width])


def test_every_building_can_be_told_from_its_neighbors() -> None:
    """Each cell shows the building on it, all marks that are not covered, mountain and forest."""
    table = game(1)
    for step in steps(1)[::4]:
        placed = table.position(step.after)["players"][0]["placed"]
        wanted = [[dict(zip(".trwvMF", SIGNS, strict=True))[letter] for letter in row] for row in table.board.terrain]
        for entry in placed:
            building = table.buildings.list[table.buildings.ids.index(entry["building"])]
            shape = building.turned("NESW".index(entry["at"][-1]))
            row, column = int(entry["at"][1:-1]) - 1, ord(entry["at"][0]) - ord("a") - shape[0][1]
            for r, c in shape:
                wanted[row + r][column + c] = entry["building"]
        assert cells(table.describe(step.after, width=40)) == wanted


def test_the_river() -> None:
    """17 river sides (M1.9): 11 between cells of a row, 6 between cells of a column."""
    text = told(opening(1, CARDS)).split("_")[0].split("cards left")[0]
    rows = [row for row in text.split("\n") if re.match(r"[ 1][0-9] ", row)]
    between = [row for row in text.split("\n") if "═" in row]
    assert [row.count("║") for row in rows] == [1] * 11 and sum(row.count("══") for row in between) == 6
    assert rows[0][:18] + rows[0][18] == " 1  ^  ^  ^  .  . ║"
    assert [row.strip() for row in between] == ["╔══╝", "╚══╗", "╚══╗", "╔══╝", "╔══╝", "╚══╗"]


def test_where_three_banks_meet(tmp_path: Path) -> None:
    table = game(2, **files(tmp_path))
    rows = table.describe(next(played(table, 1)).after, width=40).split("\n")
    first = rows.index("    a   b   c   d   e   f")
    assert rows[first + 1 : first + 6] == [
        " 1  .   t  ║.   .  ║.   w",
        " 2  .   .  ║v   .  ║r   .",
        "           ╚═══════╣",
        " 3  ^   .   .   .  ║.   &",
        " 4  .   .   .   .  ║.   .",
    ]


def test_a_decision_in_mid_round() -> None:
    text = told(MIDROUND)
    assert text.startswith("Round 2: C1, a church of 3 cells; Berta decides\n")
    assert line(text, "chosen:") == "Anna f1E"
    assert line(text, "blocked:") == "R3"
    assert line(text, "cards left:").startswith("24: Y2 Y3 Y4") and line(text, "cards left:").endswith("B8 C2 C3")
    assert line(text, "gold:") == "for all who are the first to cover every vein"
    assert "Anna: -65 points" in text and "Berta: -69 points" in text
    assert "start 10, trees 12, rocks -12, yellow 1, empty -76" in re.sub(r"\s+", " ", told(MIDROUND, width=40))
    assert "passed: Y1" in text and "counter 9" in text


def test_the_shape_in_each_heading() -> None:
    """The cell that names the place is marked: it need not be at the corner (M11.5, M14.20)."""
    rows = told(opening(1, ["C2", *[card for card in CARDS if card != "C2"]])).split("\n")
    assert rows[2:5] == ["    N  @    E @      S @#    W @##", "       #      ###      #         #", "      ##               #"]
    rows = told(opening(1, ["Y4", *[card for card in CARDS if card != "Y4"]])).split("\n")
    assert rows[2:5] == ["    N @#", "      ##", ""]


def test_the_end_and_the_gold() -> None:
    for example, playback in examples():
        if playback.actor is None:
            text = playback.game.describe(playback.states, names=NAMES[: example["players"]])
            assert text.startswith(f"The game is over after round {example['rounds']} (ending: {example['ending']})\n\nAnna: ")
            assert all(f"{name}: {score} points" in text for name, score in zip(NAMES, example["scores"], strict=False))
            if example["gold_round"]:
                assert line(text, "gold:").startswith(f"given in round {example['gold_round']} to ")
            if example["name"].startswith("two players do the same"):
                assert line(text, "gold:") == "given in round 15 to Anna and Berta"


def test_only_the_own_choice_shows() -> None:
    """M10.2: of the others not even whether they have chosen, nor who decides now."""
    data = opening(3, CARDS)
    for actor, choices in ((0, [None] * 3), (1, ["e1E", None, None]), (2, ["e1E", "pass", None])):
        data["decision"]["actor"] = actor
        for player, choice in zip(data["players"], choices, strict=True):
            player["choice"] = choice
        text = told(data, 2)
        assert "chosen" not in text and ("Carla decides" in text) == (actor == 2)
        assert "Anna decides" not in text and "Berta decides" not in text
        if actor:
            assert line(told(data, 0), "chosen:") == "Anna e1E" and "decides" not in told(data, 0)
    assert line(told(data), "chosen:") == "Anna e1E, Berta pass"


def test_the_order_of_the_deck_does_not_show() -> None:
    assert told(MIDROUND) == told(MIDROUND | {"deck": MIDROUND["deck"][::-1]})


def test_another_board(tmp_path: Path) -> None:
    """Ids of other lengths; a vein that alone brings gold."""
    table = game(2, **files(tmp_path))
    for step in played(table, 2):
        text = table.describe(step.after, 0, width=60)
        assert max(map(len, text.split("\n"))) <= 60 and table.narrate(step.rows, table.side_names) is not None
    assert "A12" in text


# --- sentences --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_every_game_has_its_sentences(players: int) -> None:
    table = game(players)
    said = [sentence for step in steps(players) for sentence in table.narrate(step.rows, NAMES[:players])]
    assert all(re.fullmatch(r"[A-Z].*[a-zA-Z0-9]\.", sentence) for sentence in said), said
    assert sum(sentence.startswith("Round ") for sentence in said) == table.round_of(steps(players)[-1].after)
    built = sum(len(player["placed"]) for player in table.position(steps(players)[-1].after)["players"])
    assert sum(" builds " in sentence for sentence in said) == built
    seen = [sentence for step in steps(players) for sentence in table.narrate(table.visible(0, *step).rows, NAMES[:players])]
    assert seen == said


def test_sentences() -> None:
    table, names = game(3), NAMES[:3]
    y1, c1, x = CARDS.index("Y1"), CARDS.index("C1"), CARDS.index("X")
    rows = {
        (Event.ROUND, 3, y1, 0): "Round 3: Y1, a yellow building of 2 cells, is turned up.",
        (Event.ROUND, 4, c1, 0): "Round 4: C1, a church of 3 cells, is turned up.",
        (Event.REVEAL, x, 0, 0): "The blocking card is turned up.",
        (Event.BLOCKED, c1, 0, 0): "C1 is lost to everybody.",
        (Event.BUILD, 1, y1, table.parse_action(steps(3)[0].after, "e1E")): "Berta builds Y1 at e1E.",
        (Event.PASS, 0, y1, 0): "Anna passes Y1 for 1 point.",
        (Event.END, 2, y1, 0): "Carla ends.",
        (Event.END, 2, c1, 1): "Carla can neither build nor pass C1 and has to end.",
        (Event.GOLD, 0, 0, 0): "Anna has covered all veins and gets the gold: 3 points.",
        (Event.ENDING, 1, 0, 0): "All players have ended: the game is over.",
        (Event.ENDING, 2, 0, 0): "The deck has run out: the game is over.",
    }
    assert {row: table.narrate([row], names) for row in rows} == {row: [text] for row, text in rows.items()}
    assert table.narrate([(Event.OUTCOME, 0, 1, 0), (Event.ITEM, 3, 0, 0), (Event.REVEAL, y1, 0, 0)], names) == []


def test_a_replay_of_one_player_tells_the_points_and_no_winner() -> None:
    record = record_of(1)
    *_, last = Transcript(record).blocks()
    assert record.result is not None
    assert f"player_0 has {record.result['scores'][0]} points." in last and "wins" not in last


def test_buildings_are_shown_in_their_colors(tmp_path: Path) -> None:
    """Also those of a file, whose ids need not begin with the letter of a color."""
    board = "......... ......... .........", "aaaabbbbb aaaabbbbb aaaabbbbb"
    for game_, ids in (
        (game(2), {"Y1": 33, "R2": 31, "B3": 94, "C1": 0}),
        (
            made_up(tmp_path, *board, "A7 red #", "Y1 blue ##", "R12 yellow #", "Q3 church #"),
            {"A7": 31, "Y1": 94, "R12": 33, "Q3": 0},
        ),
    ):
        text = colored(game_.describe(table(next(iter(ids)), players=game_.seats, game=game_).state), game_.presenter.text_styles)
        shown = {name: set(re.findall(rf"\x1b\[(?:1;)?([0-9]+)m{name}\x1b", text)) for name in ids}
        assert shown == {name: {str(code)} if code else set() for name, code in ids.items()}, text
