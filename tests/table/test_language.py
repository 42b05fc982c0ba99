"""One language: what a German page is sent and shows over whole games, and what the server refuses, is German."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ginkgo_env
import ginkgo_table
from ginkgo_env.core.language import shared, speaking
from ginkgo_env.pictures.viewer import contents, replay_page
from ginkgo_env.records import Record
from ginkgo_env.registry import OWN_GAMES, make_game
from ginkgo_table.translations import texts_of
from ginkgo_table.web.limits import translated

from .served import ANN, BOB, GAME, LocalServer

ROOTS = Path(ginkgo_env.__file__).parent, Path(ginkgo_table.__file__).parent
GERMAN = {"accept-language": "de-DE,de;q=0.9"}
WORD = re.compile(r"[A-Za-zÄÖÜäöüß]{2,}")
NAMES = {"Ann", "Bob", "Rob", "My", "City", "The", "Golden", "own"}  # of people, games and options
CATALOGS = sorted(path for root in ROOTS for path in root.rglob("translations/de.json"))
MODULES = {"players": 2, "modules": ["new_buildings", "prestige", "green_spaces", "events", "keep_card", "experts"]}
GAMES: list[Any] = [
    pytest.param("my_city", {"players": 2}, 30),
    pytest.param("golden_city", {"players": 2}, 30),
    pytest.param("ginkgopolis", {"players": 2}, 30),
    pytest.param("my_city", {"players": 2}, 1_000, marks=pytest.mark.full),
    pytest.param("golden_city", {"players": 2}, 1_000, marks=pytest.mark.full),
    pytest.param("ginkgopolis", {"players": 2}, 1_000, marks=pytest.mark.full),
    pytest.param("ginkgopolis", MODULES, 1_000, marks=pytest.mark.full),
]


def catalog(path: Path) -> dict[str, str]:
    """The texts of a file by their English texts, or by key."""
    texts: dict[str, str] = json.loads(path.read_text("utf-8"))
    return texts


def english_labels(path: Path) -> dict[str, str]:
    beside = path.with_name("en.json")
    return catalog(beside) if beside.exists() else {}


def words(texts: Any) -> set[str]:
    return {word for text in texts for word in WORD.findall(re.sub(r"\{\w+\}", "", text))}


def english_words() -> set[str]:
    """Words that English texts have and German ones have not."""
    english, german = set[str](), set[str]()
    for path in CATALOGS:
        texts = catalog(path)
        german |= words(texts.values())
        english |= words({**{key: key for key in texts}, **english_labels(path)}.values())
    for name in OWN_GAMES:
        german |= words(make_game(name).presenter.texts.labels("de").values())
    return english - german - NAMES


ENGLISH_WORDS = english_words()


def english_in(texts: Iterator[str]) -> set[str]:
    return {text for text in texts if words([text]) & ENGLISH_WORDS}


def bodies_of(drawn: Any) -> Iterator[str]:
    """The drawings in the areas of a picture."""
    if isinstance(drawn, dict) and "body" in drawn:
        yield drawn["body"]
    elif isinstance(drawn, dict | list):
        for inner in drawn.values() if isinstance(drawn, dict) else drawn:
            yield from bodies_of(inner)


def shown_of(view: dict[str, Any]) -> Iterator[str]:
    """Everything that a page shows of a view; keys and notation, which it translates or hides, left out."""
    yield from re.findall(r">([^<>]+)</(?:text|title)>", " ".join(bodies_of(view["picture"])))
    yield from view["description"].split("\n")
    for entry in view["log"]:
        yield from entry["sentences"]
    yield view["trouble"] or ""


def shown_by_labels(view: dict[str, Any], labels: dict[str, str]) -> Iterator[str]:
    """Texts of labels that a page looks up for what it is sent."""
    keys = [f"option:{name}" for name, _ in view["options"]]
    for action in (view["decision"] or {"actions": []})["actions"]:
        keys += [key for group, name in action["picks"] for key in (f"group:{group}", f"pick:{group}:{name}")]
    keys += [key for source in view["scores"][0]["sources"] for key in (f"source:{source['name']}", f"note:{source['name']}")]
    yield from (labels[key] for key in keys if key in labels)
    assert all(
        key in labels for key in keys if key.startswith(("group:", "source:", "note:", "option:")) and key != "group:action"
    )


def test_the_words_tell_the_languages_apart() -> None:
    assert {"the", "and", "takes", "reveals", "tile", "building", "card", "gains"} <= ENGLISH_WORDS and len(ENGLISH_WORDS) > 500
    assert english_in(iter(["Ann takes a tile.", "Ann nimmt ein Plättchen."])) == {"Ann takes a tile."}


@pytest.mark.full
@pytest.mark.parametrize(("name", "options", "most"), GAMES)
def test_a_german_page_has_no_english_sentence(server: LocalServer, name: str, options: dict[str, Any], most: int) -> None:
    """In a game of a person against an agent: pictures, texts, log and labels; at the end the replay."""
    (token,) = server.open(ANN, {"name": "Rob", "agent": "random"}, seed=5, game=name, options=options)
    labels = server.get(f"/api/labels/de/{name}")
    found, played = set[str](), 0
    while played < most:
        server.settled(token)
        view = server.get(f"/api/seats/{token}", headers=GERMAN)
        assert view["language"] == "de"
        found |= english_in(shown_of(view)) | english_in(shown_by_labels(view, labels))
        if view["result"] is not None:
            break
        server.play(token, most=1, seed=played)
        played += 1
    assert found == set()
    assert any("Ann" in sentence for entry in view["log"] for sentence in entry["sentences"])
    english = server.get(f"/api/seats/{token}")
    assert english["language"] == "en" and len(english_in(shown_of(english))) > 10


@pytest.mark.parametrize("name", OWN_GAMES)
def test_a_german_replay_has_no_english_sentence(name: str) -> None:
    game = make_game(name, players=2)
    record = Record.from_actions(game, 7, [], ["Ann", "Bob"])
    with speaking("de"):
        page = contents(replay_page(record))
    said = (sentence for view in page["views"] for entry in view["entries"] for sentence in entry["sentences"])
    drawn = (part.rpartition(">")[2] for part in page["elements"])
    assert page["language"] == "de" and page["texts"]["Moves"] == "Züge"
    assert english_in((*said, *page["lines"], *drawn, *page["options"])) == set()


def test_refusals_are_in_the_language_of_the_page(server: LocalServer) -> None:
    """What somebody can come upon at a table."""
    first, second = server.open(ANN, BOB, game="golden_city", options={"players": 2}, seed=None)
    act, refused = {"decision": 0, "action": 0}, []
    waiting = second if server.view(first)["decision"] else first
    refused.append(server.post(f"/api/seats/{waiting}/act", act, 409))
    for path, data, status in (
        (f"/api/seats/{waiting}/act", act, 409),
        (f"/api/seats/{waiting}/hint", {}, 409),
        (f"/api/seats/{waiting}/replay", {}, 409),
        (f"/api/seats/{waiting}/remove", {}, 409),
        ("/api/seats/none/act", act, 404),
        ("/api/tables", {**GAME, "seats": [{"name": "", "agent": None}] * 2}, 422),
    ):
        answer = server.client.post(path, json=data, headers=GERMAN)
        assert answer.status_code == status
        refused.append(answer.json())
    english, *german = [answer["error"] for answer in refused]
    assert english == "it is not your turn" and german[0] == "Du bist nicht am Zug."
    assert english_in(iter(german)) == set()


def test_an_unknown_refusal_is_quoted() -> None:
    with speaking("de"):
        assert translated("something odd") == "Das geht nicht (auf Englisch): something odd"
    assert translated("something odd") == "something odd"


def sentences_refused() -> set[str]:
    """The sentences with which modules of the server refuse, with ``x`` for values."""
    found = set()
    for path in sorted((ROOTS[1] / "web").glob("*.py")):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in ("TableError", "AddressLimit", "error_response"):
                for argument in call.args[1:]:
                    for node in [argument.body, argument.orelse] if isinstance(argument, ast.IfExp) else [argument]:
                        if isinstance(node, ast.Constant):
                            found.add(str(node.value))
                        elif isinstance(node, ast.JoinedStr):
                            parts = (part.value if isinstance(part, ast.Constant) else "x" for part in node.values)
                            found.add("".join(map(str, parts)))
    return found


def test_every_refusal_of_the_server_has_a_german_sentence() -> None:
    refused = sentences_refused()
    with speaking("de"):
        assert len(refused) > 30 and [text for text in refused if translated(text).startswith("Das geht nicht (")] == []


# --- the files -------------------------------------------------------------------------------------------------------------


def test_translations_keep_the_placeholders() -> None:
    for path in CATALOGS:
        english = english_labels(path)
        for key, text in catalog(path).items():
            named = set(re.findall(r"\{\w+\}", text))
            assert named <= set(re.findall(r"\{\w+\}", english.get(key, key))), (path, key)


CALLS = {"translate", "self.translate", "translate.block", "self.translate.block"}


def called(call: ast.Call) -> str:
    return ast.unparse(call.func)


def texts_said() -> Iterator[tuple[Path, str]]:
    """Texts given as literals to ``translate``, with the folder of their package."""
    for path in sorted(file for root in ROOTS for file in root.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and called(call) in CALLS and isinstance(call.args[0], ast.Constant):
                yield path, call.args[0].value


def test_every_text_said_is_translated() -> None:
    """Others, from tables, are found in whole games."""
    common = set(shared.catalog("de"))
    known = {name: set(make_game(name).presenter.texts.catalog("de")) for name in OWN_GAMES}
    table, said = set(texts_of("de")), list(texts_said())
    assert len(said) > 150
    for path, text in said:
        name = next((name for name in OWN_GAMES if name in path.parts), "")
        assert text in (table if path.is_relative_to(ROOTS[1]) else common | known.get(name, set())), (path, text)
