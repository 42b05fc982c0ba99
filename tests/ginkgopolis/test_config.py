"""Configurations that do not exist are refused in one sentence."""

from typing import Any

import pytest

import ginkgo_env


@pytest.mark.parametrize(
    "options",
    [
        *({"players": n} for n in (0, 6, -1, 2.0, "2", True, None)),
        *({"setup": s} for s in ("Draft", "", None, 1)),
        *({"players": 1, "level": s} for s in ("expert", None, 2)),
        {"players": 1, "setup": "introductory"},
        {"players": 2, "level": "advanced"},
        *({"strict": s} for s in (1, "yes", None)),
        *({"max_rounds": n} for n in (0, -5, 10_001, 1.5, "10", True)),
        {"seats": 3},
        {"players": 2, "experts": True},
    ],
)
def test_an_impossible_configuration_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ginkgo_env.ConfigError) as error:
        ginkgo_env.make_game("ginkgopolis", **options)
    assert "\n" not in str(error.value) and len(str(error.value)) < 200


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(ginkgo_env.ConfigError):
        ginkgo_env.make_game("ginkgopolis2")


def test_every_listed_configuration_can_be_made() -> None:
    game = ginkgo_env.make_game("ginkgopolis")
    listed = type(game).configurations()
    assert len(listed) == 10
    for options in listed:
        assert ginkgo_env.make_game("ginkgopolis", **options).seats == options["players"]
