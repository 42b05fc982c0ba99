"""``ginkgo bench``: which configuration is measured. Nothing is played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ginkgo_env.cli import bench

Asked = list[tuple[str, dict[str, Any]]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """The games that would be played, with their options; Ginkgopolis is half as fast as the others."""
    found: Asked = []

    def playing(game: str, size: int, *, observed: bool, **options: Any) -> Callable[[], int]:
        found.append((game, options))
        return lambda: 1 if game == "ginkgopolis" else 2

    monkeypatch.setattr(bench, "_playing", playing)
    monkeypatch.setattr(bench, "_rate", lambda work, *arguments: float(work()))
    return found


def test_a_game_is_held_to_its_targets_in_a_configuration_of_its_own(asked: Asked) -> None:
    mask, seen = bench._beside("my_city", 0.01)
    assert (mask.name, mask.value, mask.target, mask.reached) == (
        "1 player: decisions against ginkgopolis, mask",
        2,
        ">= 2",
        True,
    )
    assert (seen.name, seen.target) == ("1 player: decisions against ginkgopolis, mask and observation", ">= 1.5")
    assert asked == [("my_city", {"players": 1}), ("ginkgopolis", {})] * 2


def test_by_default_in_its_first_one(asked: Asked) -> None:
    assert [measure.name[:9] for measure in bench._beside("golden_city", 0.01)] == ["3 players"] * 2
    assert asked == [("golden_city", {}), ("ginkgopolis", {})] * 2
    assert not list(bench._beside("ginkgopolis", 0.01))


@pytest.mark.parametrize(("game", "who"), [("my_city", "1 player"), ("golden_city", "3 players"), ("ginkgopolis", "2 players")])
def test_speeds_tell_the_players(asked: Asked, game: str, who: str) -> None:
    names = [measure.name for measure in bench._speeds(game, 0.01)]
    assert names[:2] == [f"{who}, batch 1,024, mask", f"{who}, batch 1,024, mask and observation"]
    assert {len(options) for _, options in asked[:4]} == {int(game == "my_city")}
