"""The texts of page and terminal: complete in both languages, used, and overruled by a game's own."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ginkgo_agents import agent_names
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.language import LANGUAGES, Texts
from ginkgo_env.registry import OWN_GAMES, make_game
from ginkgo_table import translations
from ginkgo_table.terminal.translator import COMMANDS
from ginkgo_table.translations import texts_of

TABLE = Path(translations.__file__).parent
COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
PAGES = "\n".join(COMMENT.sub("", path.read_text("utf-8")) for path in sorted((TABLE / "web" / "page").rglob("*.*")))
TERMINAL = [ast.parse(path.read_text("utf-8")) for path in sorted((TABLE / "terminal").glob("*.py"))]
IN_SCRIPTS = re.compile(r'\bt\(\s*"([^"]+)"|\btn\(\s*"([^"]+)",\s*"([^"]+)"')
IN_HTML = re.compile(r'data-t(?:-\w+)?="([^"]+)"')
ANYWHERE = re.compile(r'"([^"\n]+)"')


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)", text))


def in_pages() -> set[str]:
    """Texts that pages ask for by literals."""
    return {
        text for found in (*IN_SCRIPTS.findall(PAGES), *((text,) for text in IN_HTML.findall(PAGES))) for text in found if text
    }


def in_terminal() -> set[str]:
    """Strings of the terminal."""
    nodes = (node for tree in TERMINAL for node in ast.walk(tree))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def is_label(key: str) -> bool:
    return key in texts_of("en")


def test_languages_say_the_same_things() -> None:
    assert sorted(path.name for path in (TABLE / "translations").iterdir()) == ["de.json", "en.json"]
    labels, german = texts_of("en"), texts_of("de")
    assert labels.keys() <= german.keys()
    assert [key for key, text in german.items() if not isinstance(text, str) or not text.strip()] == []
    assert [key for key, text in german.items() if placeholders(text) != placeholders(labels.get(key, key))] == []
    assert list(german) == [*sorted(labels), *sorted(german.keys() - labels)] and list(labels) == sorted(labels)


def test_few_texts_are_the_same_in_both_languages() -> None:
    """An untranslated text is found here; these are words of both languages, signs and names."""
    same = {key for key, text in texts_of("de").items() if texts_of("en").get(key, key) == text and re.search("[a-z]{4}", text)}
    assert {key for key in same if not placeholders(key)} <= {"Chance %"}


def test_german_is_written_in_german_signs() -> None:
    """Quotation marks as in German, and no umlaut written as two letters."""
    for key, text in texts_of("de").items():
        assert not re.search(r"[“][^”]*”|\"|fuer|ueber|koenn|moegl|zurueck", text), key
        assert text.count("„") == text.count("“"), key


def test_every_text_asked_for_is_there() -> None:
    """Those of the terminal are in ``test_language``."""
    assert len(in_pages()) > 50 and in_pages() - texts_of("de").keys() == set()


def test_every_text_is_used() -> None:
    known = in_pages() | in_terminal() | set(ANYWHERE.findall(PAGES))
    assert [key for key in texts_of("de") if key not in known and not is_label(key)] == []
    names = {key.partition(":")[2] for key in texts_of("en") if key.startswith(("help:", "spellings:"))}
    assert names == {*COMMANDS, "yes"}


@pytest.mark.parametrize("language", ["fr", "", "EN", "../en", "en.json"])
def test_an_unknown_language_is_refused(language: str) -> None:
    with pytest.raises(ConfigError, match=r"unknown language .*; expected one of: en, de"):
        texts_of(language)


def a_game(**texts: dict[str, str]) -> Any:
    return SimpleNamespace(presenter=SimpleNamespace(texts=Texts(texts)))


def test_pages_have_the_labels_of_a_game() -> None:
    game = a_game(
        en={"option:players": "How many", "agent:random": "Dice", "option:hands": "Cards"}, de={"option:players": "Wie viele"}
    )
    assert texts_of("en", game)["option:players"] == "How many" and texts_of("en", game)["agent:random"] == "Dice"
    assert texts_of("de", game)["option:players"] == "Wie viele" and texts_of("de", game)["option:hands"] == "Cards"
    assert texts_of("de", game)["Language"] == "Sprache" and "option:players" not in texts_of("de")


@pytest.mark.parametrize("name", OWN_GAMES)
def test_pages_have_no_sentences_of_games(name: str) -> None:
    """Which have other translations of short ones."""
    texts = texts_of("de", make_game(name))
    assert all(":" in key or key == "tie_break" for key in texts.keys() - texts_of("de").keys())


@pytest.mark.parametrize("name", OWN_GAMES)
def test_every_ending_is_told_in_words(name: str) -> None:
    endings = importlib.import_module(f"ginkgo_env.games.{name}.constants").Ending
    for language in LANGUAGES:
        labels = make_game(name).presenter.texts.labels(language)
        assert all(labels[f"ending:{ending.name.lower()}"].endswith(".") for ending in endings if ending)


@pytest.mark.parametrize("name", OWN_GAMES)
def test_every_agent_is_described(name: str) -> None:
    """Beginners choose by these words: names such as ``ppo`` tell them nothing."""
    for language in LANGUAGES:
        assert [agent for agent in agent_names(name) if f"agent:{agent}" not in texts_of(language, make_game(name))] == []
