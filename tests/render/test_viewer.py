"""The replay viewer's file: what it holds, what it hides, and that it needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import importlib.resources
import itertools
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import ginkgo_env
from ginkgo_env.cli.app import app
from ginkgo_env.core.errors import GinkgoError, RecordError
from ginkgo_env.core.playback import Playback
from ginkgo_env.pictures.svg import OWN
from ginkgo_env.pictures.viewer import contents, page, replay_page
from ginkgo_env.pictures.viewer.page import PREFIX
from ginkgo_env.records import Record, replay

from .made_up import GOLDEN, golden, made_up_analysis, replayed

Json = dict[str, Any]
STEPS = 12  # of the golden game: the draft, secret choices, the first rounds
EVIL = ["</script><script>alert(1)</script>", '<img src=x onerror="a()">&lt;\'']


@cache
def short() -> Record:
    return golden(steps=STEPS)


@cache
def short_page(seat: int | None = None) -> str:
    return replay_page(short(), seat)


def drawn(content: Json, entry: Json) -> str:
    return "".join(content["elements"][number] for number in entry["picture"])


# --- what it holds ---------------------------------------------------------------------------------------------------------


def test_every_view_has_its_pictures_and_sentences() -> None:
    record, content = short(), contents(short_page())
    assert [view["seat"] for view in content["views"]] == [None, 0, 1]
    for view in content["views"]:
        seat, before = view["seat"], None
        steps = [step for step in replay(record, seat) if seat is None or not step.number or step.visible_lines or step.narration]
        assert [entry["n"] for entry in view["entries"]] == [step.number for step in steps]
        for entry, step in zip(view["entries"], steps, strict=True):
            last = step is steps[-1]
            picture = record.game.picture(step.state, seat, record.names, since=None if last else before)
            assert drawn(content, entry) == picture.body.replace(OWN, PREFIX)
            assert entry["size"] == [picture.width, picture.height] and entry["sentences"] == step.narration
            told = "\n".join(content["lines"][number] for number in entry["description"])
            assert told == record.game.describe(step.state, seat, record.names)
            before = step.state
    opened = content["views"][0]["entries"]
    assert [entry["choices"] for entry in opened[1:-1]] == [[list(line.values())] for line in record.lines if "action" in line]
    assert (content["seed"], content["names"]) == (str(record.header["seed"]), record.names)


def test_rounds_are_those_in_which_steps_were_taken() -> None:
    record = short()
    entries, before = contents(short_page())["views"][0]["entries"], 0
    for entry, step in zip(entries, replay(record), strict=True):
        assert entry["round"] == before
        before = record.game.round_of(step.state) or 0
    assert {entry["round"] for entry in entries} == {0, 1, 2}


@pytest.mark.parametrize("name", ["my_city_one", pytest.param("golden_city_four", marks=pytest.mark.full)])
def test_any_game_with_its_result(name: str) -> None:
    record = golden(name)
    content = contents(replay_page(record))
    assert record.result is not None and content["result"]["scores"] == record.result["scores"]
    assert len(content["views"][0]["entries"]) == sum("action" in line for line in record.lines) + 2
    assert len(content["badges"]) == len(content["hues"]) == record.game.sides


@pytest.mark.full
@pytest.mark.usefixtures("trial_game")
def test_a_game_of_another_package() -> None:
    game = ginkgo_env.make_game("three_cards")
    record = Record.from_actions(game, 0, [0, 0])
    content = contents(replay_page(record))
    words = game.describe(list(replay(record))[-1].state, None, record.names).split()[0]
    assert words in drawn(content, content["views"][0]["entries"][-1])


def test_files_are_small() -> None:
    record = golden("my_city_one")
    assert len(replay_page(record)) < 100_000
    views, raw = contents(short_page())["views"], len(short_page())
    assert raw < 90_000 < sum(len(drawn(contents(short_page()), entry)) for view in views[:1] for entry in view["entries"])


@pytest.mark.full
def test_a_whole_game_of_ginkgopolis_is_small() -> None:
    record = golden()
    assert len(replay_page(record)) < 250_000
    assert len(replay_page(record, 0)) < 180_000


# --- one file, nothing from outside ----------------------------------------------------------------------------------------


def test_nothing_is_loaded_from_elsewhere() -> None:
    page_text = re.sub(r'type="text/plain">[^<]*<', "", short_page())
    addresses = set(re.findall(r"https?://[^\s\"'<]*", page_text))
    assert addresses == {"http://www.w3.org/2000/svg"}  # a name, not a place
    assert not re.findall(r"@import|<link|<iframe|<img|\ssrc=|\bimport\(|fetch\(|XMLHttp", page_text)
    assert "default-src 'none'" in page_text
    drawings = "".join(contents(short_page())["elements"])
    assert not re.findall(r"href|<image|<script|<style|<foreignObject|\son\w+=", drawings)
    assert set(re.findall(r"url\(([^)]*)\)", drawings)) <= {f"#{PREFIX}-{name}" for name in ("hatch", "dots", "cross")}


def test_the_policy_allows_this_script_alone() -> None:
    script = short_page().rpartition("<script>")[2].partition("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in short_page() and len(script) > 5_000


def test_all_files_of_the_folder_are_used() -> None:
    folder = importlib.resources.files("ginkgo_env.pictures.viewer")
    there = {file.name for file in folder.iterdir() if file.name.endswith((".js", ".css", ".html"))}
    assert there == {*page.SCRIPTS, *page.STYLES, "template.html"}
    assert not re.search(r"\{\{\w+\}\}", short_page())


def test_names_are_text_wherever_they_stand() -> None:
    evil = golden(steps=1, names=EVIL)
    text = replay_page(evil)
    assert text.count("<script") == text.count("</script>") == 2
    for name in EVIL:
        assert name not in text
    content = contents(text)
    assert content["names"] == EVIL  # shown by textContent
    markup = "".join([*content["elements"], *content["badges"], content["patterns"]])
    assert not re.search(r"<(script|img)", markup) and "&lt;/script&gt;" in markup


def test_placeholders_in_names_stay_what_they_are() -> None:
    text = replay_page(golden(steps=1, names=["{{script}}", "\\1 \\g<data>"]))
    assert "<title>Ginkgopolis: {{script}}, \\1 \\g&lt;data&gt;</title>" in text


# --- what a seat may know --------------------------------------------------------------------------------------------------


def secret_pair() -> tuple[Record, Record]:
    """Two records that end with a secret choice of seat 1, which differs, before seat 0 has chosen."""
    first = golden(steps=7)
    texts = [line["action"] for line in first.lines if "action" in line]
    states = list(replay(first))[-1].state
    playback = Playback(first.game)
    playback.continue_from(states)
    assert playback.actor == 1
    legal = [a for a in range(first.game.actions.size) if playback.is_legal(a)]
    choices = [text for text in (first.game.action_text(states, a) for a in legal) if text != "new-hand"]
    one, two = (replayed(first, [*texts, choice]) for choice in (choices[0], choices[-1]))
    return one, two


def test_secret_choices_are_not_in_the_file() -> None:
    one, two = secret_pair()
    assert replay_page(one, 0) == replay_page(two, 0)
    assert replay_page(one, 1) != replay_page(two, 1) and replay_page(one) != replay_page(two)
    analyses = [made_up_analysis(one), made_up_analysis(two, other=0.01)]
    files = [replay_page(record, 0, analysis=found) for record, found in zip((one, two), analyses, strict=True)]
    assert files[0] == files[1] != replay_page(one, 0)


@pytest.mark.full
@pytest.mark.usefixtures("trial_game")
def test_another_deal_is_not_in_the_file() -> None:
    """Other seeds, other cards in the hand that is never shown: the file is the same."""
    game = ginkgo_env.make_game("three_cards")
    records = [Record.from_actions(game, seed, [1, 0]) for seed in range(40)]  # a bet, and a fold: nothing is shown
    same = [record for record in records if record.seen_by(0) == records[0].seen_by(0)]
    other = [record for record in same if record.lines[:-1] != records[0].lines[:-1]]
    assert other and other[0].header["seed"] != records[0].header["seed"]
    assert replay_page(records[0], 0) == replay_page(other[0], 0)
    assert replay_page(records[0], 1) != replay_page(other[0], 1)


def test_steps_that_a_seat_does_not_notice_are_not_counted() -> None:
    record = golden("three_players_expansion", steps=30)
    for seat in range(3):
        steps = list(replay(record, seat))
        silent = [step for step in steps if step.number and not step.visible_lines and not step.narration]
        entries = contents(replay_page(record, seat))["views"][0]["entries"]
        assert [entry["n"] for entry in entries] == list(range(len(steps) - len(silent)))


def test_a_seat_sees_its_own_actions_and_that_others_have_chosen() -> None:
    entries = contents(short_page(0))["views"][0]["entries"]
    hidden = {("draft", 1), ("commit", 1)}
    for entry, step, before in zip(entries[1:-1], list(replay(short(), 0))[1:], replay(short()), strict=False):
        kind = short().game.decisions[int(short().game.kind(before.state)[0])]
        secret = (kind, step.actor) in hidden and step.action != "new-hand"
        assert entry["choices"] == [[step.actor, None if secret else step.action]]
    assert sum(entry["choices"] == [[1, None]] for entry in entries) >= 3


def test_the_seed_is_not_in_the_file_of_a_seat() -> None:
    game = ginkgo_env.make_game("ginkgopolis", players=2)
    record = Record.from_actions(game, 15633256016426044310, [])
    opened, closed = replay_page(record), replay_page(record, 1)
    assert "15633256016426044310" in json.dumps(contents(opened))
    assert "15633256016426044310" not in closed + json.dumps(contents(closed))
    with_analysis = replay_page(short(), 1, analysis=made_up_analysis(short()))
    assert "seed" not in json.dumps(contents(with_analysis)["analysis"]) and contents(with_analysis)["seed"] is None


def test_a_seats_file_has_one_view() -> None:
    content = contents(short_page(1))
    assert [view["seat"] for view in content["views"]] == [1] and content["seat"] == 1
    opened = contents(short_page())
    assert not {*content["lines"]} - {*opened["lines"]}
    shown = {number for entry in content["views"][0]["entries"] for number in entry["description"]}
    assert shown == set(range(len(content["lines"])))  # no line that belongs to no picture of this seat


@pytest.mark.parametrize("seat", [-1, 2, True, "0"])
def test_other_seats_are_refused(seat: Any) -> None:
    with pytest.raises(RecordError, match="seat"):
        replay_page(short(), seat)


def test_what_is_no_record_or_no_file_is_refused() -> None:
    with pytest.raises(RecordError, match="expected a Record"):
        replay_page("record")  # type: ignore[arg-type]
    with pytest.raises(RecordError, match="not a file of the replay viewer"):
        contents("<html>")


# --- the analysis ----------------------------------------------------------------------------------------------------------


def test_the_analysis_stands_beside_the_steps() -> None:
    found = contents(replay_page(short(), analysis=made_up_analysis(short())))["analysis"]
    assert [one["step"] for one in found["decisions"]] == list(range(1, STEPS + 1))
    assert found["decisions"][0]["actions"][1]["loss"] == 0.05 and found["agent"] == "lookahead"
    assert [one["worst"] for one in found["summary"]] == [[1, 3], [2, 4]]


def test_a_seats_file_has_its_own_analysis_with_its_own_numbers() -> None:
    record = golden("three_players_expansion", steps=30)
    content = contents(replay_page(record, 1, analysis=made_up_analysis(record)))
    entries, found = content["views"][0]["entries"], content["analysis"]
    assert {one["seat"] for one in found["decisions"]} == {one["seat"] for one in found["summary"]} == {1}
    own = [line["action"] for line in record.lines if line.get("seat") == 1]
    assert (
        [entries[one["step"]]["choices"][0][1] for one in found["decisions"]]
        == own
        == [one["taken"] for one in found["decisions"]]
    )


def test_choices_made_at_once_stand_where_they_become_known() -> None:
    record = golden("my_city_three", steps=9)  # three rounds
    content = contents(replay_page(record, 1, analysis=made_up_analysis(record)))
    entries, found = content["views"][0]["entries"], content["analysis"]["decisions"]
    assert [len(entry["choices"]) for entry in entries] == [0, 3, 3, 3, 0]
    own = [line["action"] for line in record.lines if line.get("seat") == 1]
    assert [one["taken"] for one in found] == own and [one["step"] for one in found] == [1, 2, 3]
    assert all([1, one["taken"]] in entries[one["step"]]["choices"] for one in found)


def changed(**keys: Any) -> Json:
    return made_up_analysis(short()) | keys


def first_decision(**keys: Any) -> Json:
    found = made_up_analysis(short())
    return found | {"decisions": [found["decisions"][0] | keys]}


def refused(analysis: Any, problem: str) -> None:
    with pytest.raises(GinkgoError, match=f"^analysis: .*{problem}"):
        replay_page(short(), analysis=analysis)


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"format": "other"}, "expected format"),
        ({"version": 2}, "version 2"),
        ({"game": "my_city"}, "of the game 'my_city'"),
        ({"config": {}}, "other options"),
        ({"record": None}, "of a position"),
        ({"record": {"seed": 4, "steps": STEPS, "result": None}}, "another record"),
        ({"record": {"seed": 3, "steps": STEPS + 1, "result": None}}, "another record"),
        ({"decisions": None}, "decisions: expected array, got null"),
        ({"summary": [{"seat": 5}]}, "no seat 5"),
    ],
)
def test_other_analyses_are_refused(keys: Json, problem: str) -> None:
    refused(changed(**keys), problem)


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"taken": "J"}, "step 1 is not in the record"),
        ({"step": 99}, "step 99 is not"),
        ({"step": "1"}, r"decisions\[0\].step: expected int, got str"),
        ({"value": "much"}, r"decisions\[0\].value: expected float"),
        ({"loss": float("nan")}, r"decisions\[0\].loss: expected float"),
        ({"actions": [{"action": 3}]}, r"decisions\[0\].actions\[0\].action: expected str, got int"),
    ],
)
def test_other_decisions_are_refused(keys: Json, problem: str) -> None:
    refused(first_decision(**keys), problem)


@pytest.mark.parametrize("analysis", [[], "text"])
def test_an_analysis_that_is_no_object_is_refused(analysis: Any) -> None:
    refused(analysis, "expected an object")


def test_what_is_not_known_or_missing_in_an_analysis_does_no_harm() -> None:
    found = first_decision(low=None, high=None, novelty=[1])
    del found["decisions"][0]["legal"], found["summary"], found["meaning"], found["end"]
    one = contents(replay_page(short(), analysis=found))["analysis"]
    assert one["decisions"][0]["legal"] is None and "novelty" not in json.dumps(one)


# --- the command -----------------------------------------------------------------------------------------------------------


def run(*arguments: str | Path) -> Any:
    return CliRunner().invoke(app, ["replay", *map(str, arguments)])


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    short().write(tmp_path / "game.jsonl")
    return tmp_path / "game.jsonl"


def test_the_command_writes_the_file(recorded: Path) -> None:
    out = recorded.with_name("game.html")
    result = run(recorded, "--html", out)
    assert result.exit_code == 0 and re.fullmatch(r"wrote .*game\.html \(\d+ kB\)", result.output.replace("\n", ""))
    assert out.read_text(encoding="utf-8") == short_page()
    found = recorded.with_name("found.json")
    found.write_text(json.dumps(made_up_analysis(short())), encoding="utf-8")
    assert run(recorded, "--html", out, "--seat", 1, "--analysis", found).exit_code == 0  # replaces the file
    assert out.read_text(encoding="utf-8") == replay_page(short(), 1, analysis=made_up_analysis(short()))
    assert {path.name for path in recorded.parent.iterdir()} == {"game.jsonl", "game.html", "found.json"}


def test_the_command_refuses_and_loses_nothing(recorded: Path) -> None:
    folder = recorded.parent
    out, before = folder / "game.html", recorded.read_text()
    out.write_text("old")
    (folder / "no.json").write_text("no")
    cases = itertools.chain(
        [((recorded, "--html", recorded), "different files"), ((recorded, "--html", folder), "it is a folder")],
        [((recorded, "--html", folder / "none" / "x.html"), "no such folder")],
        [((recorded, "--html", out, *given), "are for text") for given in (["--step"], ["--from", 1], ["--to", 2])],
        [((recorded, "--html", out, "--seat", 2), "seat"), ((recorded, "--analysis", out), "--analysis needs --html")],
        [((recorded, "--html", out, "--analysis", folder / "no.json"), "expected the file that ginkgo analyze")],
        [((recorded, "--html", out, "--analysis", folder / "none.json"), "cannot read")],
        [((folder / "no.json", "--html", out), "invalid JSON"), ((GOLDEN / "none.jsonl", "--html", out), "cannot read")],
    )
    for arguments, problem in cases:
        result = run(*arguments)
        assert result.exit_code == 2 and problem in result.output.replace("\n", " "), (arguments, result.output)
    assert (out.read_text(), recorded.read_text()) == ("old", before)
    assert {path.name for path in folder.iterdir()} == {"game.jsonl", "game.html", "no.json"}
