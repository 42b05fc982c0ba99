"""The words of page and terminal: complete in both languages, used, and overruled by a game's own."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ginkgo_agents import agent_names
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.registry import OWN_GAMES, make_game
from ginkgo_table import translations
from ginkgo_table.translations import labels_of, languages, texts_of

TABLE = Path(translations.__file__).parent
COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
PAGE = TABLE / "web" / "page"
SCRIPTS = {path.name: COMMENT.sub("", path.read_text(encoding="utf-8")) for path in sorted(PAGE.rglob("*.*"))}
MODULES = {str(path.relative_to(TABLE)): path.read_text(encoding="utf-8") for path in sorted(TABLE.rglob("*.py"))}
IN_PAGES = re.compile(r"""\bt\(\s*["']([^"']+)["']|data-t(?:-\w+)?="([^"]+)\"""")
IN_PLURAL = re.compile(r"""\btn\(\s*["']([^"']+)["']""")
IN_TERMINAL = re.compile(r"""\b(?:translate|self)\(\s*"([a-z_.]+)"[,)]""")
ANYWHERE = re.compile(r"""["'`]((?:lobby|page|table)\.[a-z_.]+)["'`]""")
IN_MODULES = re.compile(r"""labels\["([^"]+)"\]""")
OF_GAMES = ("question:", "group:", "pick:", "source:", "note:", "option:", "value:", "ending:", "tie_break", "agent:", "row:")


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)", text))


def used() -> set[str]:
    """Keys that pages and terminal ask for."""
    found = {key for text in SCRIPTS.values() for pair in IN_PAGES.findall(text) for key in pair if key}
    plural = {key for text in SCRIPTS.values() for key in IN_PLURAL.findall(text)}
    found |= {key for text in SCRIPTS.values() for key in ANYWHERE.findall(text)} - plural
    found |= {f"{key}.{form}" for key in plural for form in ("one", "other")}
    found |= {key for text in MODULES.values() for key in IN_MODULES.findall(text)}
    terminal = [MODULES[f"terminal/{name}.py"] for name in ("app", "formatting", "translator", "command")]
    found |= {f"terminal.{key}" for text in terminal for key in IN_TERMINAL.findall(text)} - {"terminal.en"}
    return {key for key in found if not key.startswith(OF_GAMES)}


def is_named(key: str) -> bool:
    """Whether a text of page or terminal is named by a string, or made from a command's name."""
    short = key.removeprefix("terminal.")
    if re.match(r"(help|words)\.", short) and key.startswith("terminal."):
        short = short.partition(".")[2]
    texts = MODULES if key.startswith("terminal.") else SCRIPTS
    return any(f'"{short}"' in text or f"'{short}'" in text for text in texts.values())


def test_languages_say_the_same_things() -> None:
    assert languages() == ["en", "de"] and sorted(path.name for path in (TABLE / "translations").iterdir()) == [
        "de.json",
        "en.json",
    ]
    english = texts_of("en")
    for language in languages():
        catalog = texts_of(language)
        assert catalog.keys() == english.keys()
        assert [key for key, text in catalog.items() if not isinstance(text, str) or not text.strip()] == []
        assert [key for key, text in catalog.items() if placeholders(text) != placeholders(english[key])] == []
        assert list(catalog) == sorted(catalog)


def test_few_texts_are_the_same_in_both_languages() -> None:
    """An untranslated text is found here; these are words of both languages, signs and names."""
    same = {key for key, text in texts_of("en").items() if texts_of("de")[key] == text and re.search("[a-z]{4}", text)}
    assert {key for key in same if not placeholders(texts_of("en")[key])} <= {"terminal.hint.win"}


def test_german_is_written_in_german_signs() -> None:
    """Quotation marks as in German, and no umlaut written as two letters."""
    for key, text in texts_of("de").items():
        assert not re.search(r"[“][^”]*”|\"|fuer|ueber|koenn|moegl|zurueck", text), key
        assert text.count("„") == text.count("“"), key


def test_every_text_asked_for_is_there() -> None:
    asked = used()
    assert len(asked) > 50 and asked - texts_of("en").keys() == set()


def test_every_text_is_used() -> None:
    asked = used()
    idle = [key for key in texts_of("en") if key not in asked and not is_named(key) and not key.startswith(OF_GAMES)]
    assert idle == []


@pytest.mark.parametrize("language", ["fr", "", "EN", "../en", "en.json"])
def test_an_unknown_language_is_refused(language: str) -> None:
    with pytest.raises(ConfigError, match=r"unknown language .*; expected one of: en, de"):
        labels_of(language)


def a_game(**words: dict[str, str]) -> Any:
    return SimpleNamespace(presenter=SimpleNamespace(translations=words))


def test_the_words_of_a_game_win() -> None:
    game = a_game(en={"option:players": "How many", "page.language": "Tongue"}, de={"option:players": "Wie viele"})
    assert labels_of("en", game)["option:players"] == "How many" and labels_of("en", game)["page.language"] == "Tongue"
    assert labels_of("de", game)["option:players"] == "Wie viele"
    assert labels_of("de", game)["page.language"] == "Sprache"  # the catalog's German, not the game's English
    assert labels_of("de")["page.language"] == "Sprache" and "option:players" not in labels_of("de")
    assert texts_of("en")["page.language"] == "Language"  # the catalog is as it was


def test_what_has_no_text_is_called_otherwise() -> None:
    game = a_game(en={"option:hand_size": "Cards in hand"}, de={})
    german = labels_of("de", game)
    assert german["option:hand_size"] == "Cards in hand"  # English
    assert german["value:setup:quick_start"] == "quick start"
    assert german["kind"] == "kind" and "kind" not in german


@pytest.mark.parametrize("name", OWN_GAMES)
def test_games_have_the_same_words_in_both_languages(name: str) -> None:
    own = make_game(name).presenter.translations
    assert set(own) <= set(languages()) and len({tuple(sorted(words)) for words in own.values()}) <= 1


@pytest.mark.parametrize("name", OWN_GAMES)
def test_every_ending_is_told_in_words(name: str) -> None:
    endings = importlib.import_module(f"ginkgo_env.games.{name}.constants").Ending
    for words in make_game(name).presenter.translations.values():
        assert all(words[f"ending:{ending.name.lower()}"].endswith(".") for ending in endings if ending)


@pytest.mark.parametrize("name", OWN_GAMES)
def test_every_agent_is_described(name: str) -> None:
    """Beginners choose by these words: names such as ``ppo`` tell them nothing."""
    for language in languages():
        assert [agent for agent in agent_names(name) if f"agent:{agent}" not in labels_of(language, make_game(name))] == []
