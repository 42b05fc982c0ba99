"""The files of settings that come with the trainers."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from ginkgo_agents.policy import policy_columns, policy_slots
from ginkgo_env.registry import make_game
from ginkgo_training.settings import PpoSettings, SearchSettings, read_settings, settings_of

PLAYERS = {"ginkgopolis": range(1, 6), "golden_city": range(2, 5), "my_city": range(1, 5)}
FILES = sorted((Path(__file__).parents[2] / "training" / "settings").glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_settings_fit_every_number_of_players(path: Path) -> None:
    trainer, _, game = path.stem.partition("_")
    settings = settings_of(PpoSettings if trainer == "ppo" else SearchSettings, read_settings([str(path)]))
    if isinstance(settings, SearchSettings):
        for players in PLAYERS[game]:
            for options in [{}, {"modules": "all"}] if game == "ginkgopolis" and players > 1 else [{}]:
                configured = make_game(game, players=players, **options)
                assert policy_columns(configured, settings.network).size
                assert bool(policy_slots(configured, settings.network).inputs.size) == bool(settings.network.slots)


def test_there_are_settings() -> None:
    assert {path.stem for path in FILES} >= {"ppo_2p", "search_ginkgopolis", "search_golden_city", "search_my_city"}
