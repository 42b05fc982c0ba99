"""The promises about pictures and choices are able to fail: what tells too much or too little is found out."""

from __future__ import annotations

from typing import Any

import pytest

from ginkgo_env import Batch
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.state import VisibleState
from ginkgo_env.games.ginkgopolis.game import Ginkgopolis
from ginkgo_env.games.ginkgopolis.pictures.table import GinkgopolisPresenter
from ginkgo_env.pictures.picture import Picture
from ginkgo_env.pictures.presenter import Choice, Presenter
from ginkgo_env.pictures.svg import Box, rect, text
from ginkgo_env.testing.hidden import check_resampling, check_seen
from ginkgo_env.testing.pictures import check_choices, check_pictures, check_pictures_open


def drawn_as(drawing: Any) -> Game:
    presenter = type("Drawn", (GinkgopolisPresenter,), {"draw": drawing})
    kind = type("Game", (Ginkgopolis,), {"presenter": property(presenter)})
    return kind(players=2, setup="introductory")  # type: ignore[no-any-return]


def test_a_text_that_shows_hands_is_found_out() -> None:
    class Leaking(Ginkgopolis):
        def describe(self, state: States, *_: Any, **__: Any) -> str:
            return super().describe(state)

    with pytest.raises(AssertionError, match="the text depends on what is not seen"):
        check_seen(Leaking(players=2))


def test_what_is_not_hidden_is_found_out() -> None:
    open_game = type("Open", (Ginkgopolis,), {"hide": lambda *_: None})(players=2)
    with pytest.raises(AssertionError, match="resampling changes what 0 sees"):
        check_resampling(open_game)


def test_a_picture_that_shows_more_than_is_seen_is_found_out() -> None:
    def drawing(self: GinkgopolisPresenter, state: States, *_: Any, **__: Any) -> str:
        return Ginkgopolis.describe(self.game, state)

    presenter = type("Drawn", (GinkgopolisPresenter,), {"picture": drawing})
    with pytest.raises(AssertionError, match="the picture depends on what is not seen"):
        check_seen(type("Game", (Ginkgopolis,), {"presenter": property(presenter)})(players=2))


def test_an_open_picture_that_hides_is_found_out() -> None:
    def hiding(self: GinkgopolisPresenter, g: VisibleState) -> Box:
        return GinkgopolisPresenter.draw(self, self.game.visible_state(self.game.template, 0, g.names))

    with pytest.raises(AssertionError, match="same picture with all information visible"):
        check_pictures_open(drawn_as(hiding))


@pytest.mark.parametrize("body", [rect(-30, 0, 5, 5), text(600, 10, "a long text at the right"), text(0, 90_000, "below")])
def test_what_lies_outside_is_found_out(body: str) -> None:
    def outside(self: GinkgopolisPresenter, g: VisibleState) -> Box:
        return Box(640, 100, text(0, 10, g.names[0]) + body)

    with pytest.raises(AssertionError, match="lies outside the picture"):
        check_pictures(drawn_as(outside))


@pytest.mark.parametrize("body", ["<g>", "a & b"])
def test_what_is_no_xml_is_found_out(body: str) -> None:
    with pytest.raises(AssertionError, match="not XML"):
        check_pictures(drawn_as(lambda *_: Box(640, 100, body)))


def test_missing_names_are_found_out() -> None:
    with pytest.raises(AssertionError, match="does not use the names"):
        check_pictures(drawn_as(lambda *_: Box(640, 100, text(0, 10, "nobody"))))


def test_a_game_without_a_drawing_shows_its_text() -> None:
    game = drawn_as(lambda *_: None)
    check_pictures(game)
    check_seen(game)
    assert isinstance(game.picture(_start(game)), Picture)


def _start(game: Game) -> States:
    batch = Batch(game, 1)
    batch.reset(seed=1)
    return batch.state(0)


# --- choices -----------------------------------------------------------------------------------------------------------------


def with_choice(choice: Any) -> Game:
    presenter = type("Chosen", (Presenter,), {"choice": choice})
    return type("Game", (Ginkgopolis,), {"presenter": property(presenter)})(players=2, setup="introductory")  # type: ignore[no-any-return]


def test_the_parts_of_a_choice_are_its_picks_and_its_places() -> None:
    assert Choice({"card": "R3", "tile": "B6"}, ("building:R3",)).parts == ("card:R3", "tile:B6", "building:R3")


@pytest.mark.parametrize(
    ("choice", "sentence"),
    [
        (lambda self, state, action: Choice({"action": "this one"}), "the same picks"),
        (lambda self, state, action: Choice({}), "no picks"),
        (lambda self, state, action: Choice({"action": str(action)}, ("cell:nowhere",)), "cell:nowhere"),
        (lambda self, state, action: Choice({"action": f"{action} {state['supply'].tobytes()!r}"}), "resampling changes"),
    ],
)
def test_bad_choices_are_found_out(choice: Any, sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check_choices(with_choice(choice))
