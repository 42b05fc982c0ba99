"""Words for people: everything that people are asked, pick or get points for has some, in every language."""

from __future__ import annotations

import re
from collections import Counter
from itertools import permutations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ginkgo_env.core.game import Game
from ginkgo_env.core.language import speaking
from ginkgo_env.games.golden_city.constants import Ending
from ginkgo_env.games.golden_city.game import GoldenCity

from ..rules.golden_city.boards import copied, with_cells
from ..rules.golden_city.components import LANDSCAPES
from ..rules.golden_city.positions import game_of, start, turn
from .random_games import crafted

RULES = Path(__file__).parents[2] / "docs" / "rules" / "golden_city.md"
GOODS = ("pottery", "wine", "cloth", "spices")
LANGUAGES = ("en", "de")
TRANSLATIONS = {language: GoldenCity().presenter.texts.labels(language) for language in LANGUAGES}
RULE_BOOK = {"goods": 3, "coins": 2, "city": 1, "rivers": 2, "forest": 1, "meadow": 1, "mountain": 1, "desert": 1}  # G9.1
ONE_OF_EACH = ("C1", "F1", "M1", "T1", "D1")


def picked(game: Game) -> set[tuple[str, str]]:
    """Groups and names of all actions that can come up; payments for a place of each landscape."""
    names = game.board.place_ids  # type: ignore[attr-defined]
    found = set()
    for place in map(names.index, ONE_OF_EACH):
        state = crafted(4, place=place)
        for action in range(game.actions.size):
            block = game.actions.locate(action)[0].name
            if block != ("pay_two" if place < 16 else "pay_one"):  # a coast place costs one card, another one two
                found |= set(game.presenter.choice(state, action).picks.items())
    return found - {("site", name) for name in names}


def expected(game: Game) -> set[str]:
    """The keys that labels have: no other one is of use, and none of these may be missing."""
    picks = picked(game) | {(group, "+".join(pair)) for group in ("goods", "box") for pair in permutations(GOODS, 2)}
    keys = {f"question:{kind}" for kind in game.decisions} | {f"pick:{group}:{name}" for group, name in picks}
    keys |= {f"group:{group}" for group, _ in picks} | {f"{what}:{s}" for what in ("source", "note") for s in game.sources}
    for options in [game.config_dict, *game.configurations()]:
        keys |= {key for name, value in options.items() for key in (f"option:{name}", f"value:{name}:{value}")}
    keys |= {key.replace("question", "guide") for key in keys} | {"lobby:sentence", "lobby:minutes"}
    keys |= {"tie_break", "elsewhere:bid", "elsewhere:build"}
    return keys | {f"ending:{ending.name.lower()}" for ending in Ending if ending}


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_has_words(language: str) -> None:
    labels = TRANSLATIONS[language]
    assert {key for key in labels if not key.startswith("row:")} == expected(game_of(4))  # tests/drawing has the rows
    assert all(text and text == text.strip() and "{" not in text for text in labels.values())
    for key in ("question", "group"):
        told = [text for name, text in labels.items() if name.startswith(f"{key}:")]
        assert len(set(told)) == len(told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_picks_of_a_group_have_words_of_their_own(language: str) -> None:
    told = Counter((key.split(":")[1], text) for key, text in TRANSLATIONS[language].items() if key.startswith("pick:"))
    assert not [twice for twice, n in told.items() if n > 1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_notes_tell_the_paragraph(language: str) -> None:
    rules = RULES.read_text(encoding="utf-8")
    for key, text in TRANSLATIONS[language].items():
        if key.startswith("note:"):
            [paragraph] = re.findall(r" \((G[679]\.\d)\)\.$", text)
            assert f"**{paragraph} " in rules, key


@pytest.mark.parametrize(("place", "hand"), [("F1", "ccccffd"), ("F1", "cceedff"), ("D2", "ccccddf"), ("C3", "ceeffdd")])
def test_payments_tell_the_cards_that_go(place: str, hand: str) -> None:
    data = turn(hand, "", "", houses={"C2": 0, "C14": 0}, deck="ccff", display=["wine+spices"])
    table = start(data).play(f"build:{place}")
    before, offered = table.state.copy(), table.legal
    assert len(offered) > 2
    for text in offered:
        [(group, name)] = table.game.presenter.choice(before, table.game.parse_action(before, text)).picks.items()
        after = start(data).play(f"build:{place}", text).state
        gone = (before["hand"][0, 0] - after["hand"][0, 0]).tolist()
        told = TRANSLATIONS["en"][f"pick:{group}:{name}"].split(" + ")
        cards = {word: int(n) for n, word in (one.split() for one in told)}
        assert cards == {name: n for name, n in zip(LANDSCAPES, gone, strict=True) if n}, text


def test_bonus_cards_tell_the_letters_of_their_board(tmp_path: Path) -> None:
    for card, n in RULE_BOOK.items():
        words = TRANSLATIONS["en"][f"pick:bonus:{card}"]
        assert words.startswith(f"{card}: {n} letter{'s' * (n > 1)} for"), "the shipped board has the numbers of the rule book"
    folder = with_cells(copied(tmp_path / "other"), "bonus", (1, "letters_each", "1"), (3, "letters_each", "-4"))
    texts = game_of(3, str(folder)).presenter.texts
    labels = {language: texts.labels(language) for language in LANGUAGES}
    assert labels["en"]["pick:bonus:goods"] == "goods: 1 letter for each goods card"
    assert "-4 Handelsbriefe" in labels["de"]["note:bonus_city"]
    for language in LANGUAGES:
        differs = {key for key, text in labels[language].items() if text != TRANSLATIONS[language][key]}
        assert differs == {f"{what}{card}" for what in ("pick:bonus:", "note:bonus_") for card in ("goods", "city")}


@pytest.mark.parametrize(("language", "start"), [("en", "The scores are tied: more houses"), ("de", "Gleichstand: Es gewinnt")])
def test_g9_3_a_broken_tie_is_explained(language: str, start: str) -> None:
    tied: Any = SimpleNamespace(is_tie_broken=True)
    with speaking(language):
        assert game_of(3).presenter.tie_break(tied).startswith(start)
