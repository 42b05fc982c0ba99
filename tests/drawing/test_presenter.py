"""Presenters: everything has a default, they are imported when first needed, and translations say the same in each language."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cached_property
from importlib.resources import files

import numpy as np
import pytest

from ginkgo_env import Batch, make_game
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.language import Texts, shared, speaking
from ginkgo_env.core.state import VisibleState
from ginkgo_env.games.ginkgopolis.components import MODULE_NAMES
from ginkgo_env.games.golden_city.game import GoldenCity
from ginkgo_env.pictures.presenter import Areas, Choice, Presenter
from ginkgo_env.pictures.svg import Box, named, text
from ginkgo_env.registry import OWN_GAMES
from ginkgo_env.testing.hidden import check_seen
from ginkgo_env.testing.pictures import check_areas, check_choices, check_pictures, parts_in, texts_in
from ginkgo_env.testing.play import each, visited

PLACEHOLDER = re.compile(r"\{\w*\}")


def game_with(presenter: type[Presenter]) -> Game:
    kind = type("Shown", (GoldenCity,), {"presenter": cached_property(presenter)})
    kind.presenter.__set_name__(kind, "presenter")
    return kind(players=2)  # type: ignore[no-any-return]


def start(game: Game) -> States:
    batch = Batch(game, 1)
    batch.reset(seed=1)
    return batch.state(0)


class Drawing(Presenter):
    """Only draws."""

    def draw(self, g: VisibleState) -> Box:
        return Box(640, 40, named("table", text(0, 20, ", ".join(g.names) + f" {g.supply}")))


class Areal(Drawing):
    """Draws in areas, too, but leaves out what can be clicked."""

    def draw_areas(self, g: VisibleState) -> Areas:
        return Areas(Box(640, 40, text(0, 20, ", ".join(g.names))))


class Choices(Presenter):
    """Only has choices."""

    def choice(self, state: States, action: int) -> Choice:
        return Choice({"number": str(action)})


def test_without_areas_the_whole_picture_is_the_board() -> None:
    game = game_with(Drawing)
    picture, (board, hand, sides, table) = game.picture(start(game), 0), game.presenter.areas(start(game), 0)
    check_areas(game, n=1)
    assert board == (picture.width, picture.height, picture.body) and not hand and not sides and not table
    with pytest.raises(AssertionError, match=r"table.* in the picture of seat \d, but not in its areas"):
        check_areas(game_with(Areal), n=1)


@pytest.mark.parametrize("name", OWN_GAMES)
def test_rows_have_words_and_no_others_do(name: str) -> None:
    """The rows of many states, as players see them."""
    game = make_game(name, players=3, **({"modules": MODULE_NAMES} if name == "ginkgopolis" else {}))
    areas = [game.presenter.areas(state, seat) for state in each(visited(game, n=30)) for seat in range(game.seats)]
    rows = {row for one in areas for rows in (one.hand, one.table, *one.sides) for row in rows}
    told = {key.removeprefix("row:") for key in game.presenter.texts.labels("de") if key.startswith("row:")}
    assert rows == told


def test_a_game_without_a_presenter_is_shown_as_text() -> None:
    game = type("Plain", (GoldenCity,), {"presenter_entry_point": Game.presenter_entry_point})(players=2)
    assert type(game.presenter) is Presenter and game.presenter.texts is shared and not game.presenter.text_styles
    state = start(game)
    assert game.describe(state, 0, width=72).split("\n")[0] in texts_in(game.picture(state, 0))
    action = int(np.flatnonzero(Batch(game, 1).mask[0])[0])
    assert game.presenter.choice(state, action) == Choice({"action": game.action_text(state, action)})
    for check in (check_pictures, check_seen, check_choices, check_areas):
        check(game)


def test_a_presenter_may_only_draw() -> None:
    game = game_with(Drawing)
    state = start(game)
    assert parts_in(game, state, 0) == {"table"} and list(game.presenter.choice(state, 0).picks) == ["action"]
    check_pictures(game)
    check_choices(game)


def test_a_presenter_may_only_have_choices() -> None:
    game = game_with(Choices)
    assert game.presenter.choice(start(game), 3) == Choice({"number": "3"})
    check_pictures(game)
    check_choices(game)


@pytest.mark.parametrize("place", ["", "no_such_module:Class", "ginkgo_env.pictures.presenter:Nothing", "ginkgo_env", "a b:c"])
def test_a_name_that_is_no_class_is_refused(place: str) -> None:
    game = type("Misnamed", (GoldenCity,), {"presenter_entry_point": place})(players=2)
    with pytest.raises(ConfigError, match="presenter_entry_point of golden_city must name a class as 'module:Class', got '"):
        game.picture(start(game))


@pytest.mark.full
@pytest.mark.parametrize("name", OWN_GAMES)
def test_playing_imports_no_pictures(name: str) -> None:
    code = (
        "import sys, ginkgo_env\n"
        f"batch = ginkgo_env.Batch(ginkgo_env.make_game({name!r}), 2)\n"
        f"loaded = lambda: 'ginkgo_env.games.{name}.pictures' in sys.modules\n"
        "before = loaded(); batch._repr_html_(); print(before, loaded())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def without_repetition(pairs: list[tuple[str, str]]) -> dict[str, str]:
    assert len(dict(pairs)) == len(pairs), "a key stands twice in a file"
    return dict(pairs)


@pytest.mark.parametrize("name", OWN_GAMES)
def test_translations_have_labels_in_every_language(name: str) -> None:
    folder = files(f"ginkgo_env.games.{name}") / "translations"
    assert sorted(file.name for file in folder.iterdir()) == ["de.json", "en.json"]
    english, german = (
        json.loads((folder / f"{language}.json").read_text("utf-8"), object_pairs_hook=without_repetition)
        for language in ("en", "de")
    )
    assert list(german)[: len(english)] == list(english)
    for key, words in [*english.items(), *german.items()]:
        assert isinstance(words, str) and words, key
    for key, words in english.items():
        assert words == words.strip() and german[key] == german[key].strip(), key
        assert sorted(PLACEHOLDER.findall(words)) == sorted(PLACEHOLDER.findall(german[key])), key


def test_texts_are_found_in_a_language_then_in_english() -> None:
    common = Texts({"en": {"a:b": "shared"}, "de": {"and": "und", "a:b": "gemeinsam"}})
    texts = Texts({"en": {"a:x_y": "an x", "a:z": "a z"}, "de": {"a:x_y": "ein X", "{n} more": "noch {n}"}}, common)
    assert [texts.label("a", name) for name in ("x_y", "z", "b", "no_text")] == ["an x", "a z", "shared", "no text"]
    assert texts("{n} more", n=2) == "2 more" and texts.get("a:none") == ""
    with speaking("de"):
        assert [texts.label("a", name) for name in ("x_y", "z", "b", "no_text")] == ["ein X", "a z", "gemeinsam", "no text"]
        assert texts("{n} more", n=2) == "noch 2" and texts("unknown") == "unknown" and texts.joined("ab") == "a und b"
    assert Texts({}, texts, "de")("{n} more", n=2) == "noch 2"
    assert texts.labels("de") == {"a:b": "gemeinsam", "a:x_y": "ein X", "a:z": "a z"}
