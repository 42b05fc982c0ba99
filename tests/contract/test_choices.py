"""The promise about choices is able to fail: picks that are alike, places that are not drawn, hidden things are found out."""

from __future__ import annotations

from typing import Any

import pytest

from ginkgo_env.core.game import Game
from ginkgo_env.games.ginkgopolis.game import Ginkgopolis
from ginkgo_env.pictures.presenter import Choice, Presenter
from ginkgo_env.testing.pictures import check_choices


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
