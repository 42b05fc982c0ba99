"""Options of a game: read, combined, told in words."""

from __future__ import annotations

import pytest

from ginkgo_agents.evaluation.options import configurations, describe_config, read_options
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.games.ginkgopolis.game import Ginkgopolis
from ginkgo_env.registry import make_game

GAME = "ginkgopolis"
ALL = list(Ginkgopolis.modules)
SOLO = [{"players": 1, "level": "standard"}, {"players": 1, "level": "advanced"}]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([], {}),
        ([("players", "3")], {"players": [3]}),
        ([("players", "2, 3"), ("players", "5")], {"players": [2, 3, 5]}),
        ([("players", "[2,3]")], {"players": [2, 3]}),
        ([("strict", "true,False")], {"strict": [True, False]}),
        ([("setup", "draft"), ("max_rounds", "1e1")], {"setup": ["draft"], "max_rounds": [10.0]}),
        ([("setup", '"draft"')], {"setup": ["draft"]}),
        ([("modules", "events,prestige")], {"modules": [["events", "prestige"]]}),
        ([("modules", "events"), ("modules", '["prestige"]')], {"modules": [["events", "prestige"]]}),
        ([("modules", "all")], {"modules": [ALL]}),
        ([("players", "9" * 5000)], {"players": ["9" * 5000]}),
    ],
)
def test_texts_of_options(texts, expected):
    assert read_options(GAME, texts) == expected


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        ([("walls", "2")], "ginkgopolis has no option 'walls'; options: players, setup, level"),
        ([("modules", "[]")], "no value for the option 'modules'"),
        ([("players", " , ")], "no value for the option 'players'"),
        ([("modules", "all"), ("modules", "events")], "modules: 'all' is a value on its own"),
    ],
)
def test_texts_that_cannot_be_read(texts, sentence):
    with pytest.raises(ConfigError, match=sentence):
        read_options(GAME, texts)


@pytest.mark.parametrize(
    ("texts", "expected", "left_out"),
    [
        ([], [*SOLO, {"players": 2}], 0),
        ([("players", "3")], [{"players": 3}], 0),
        ([("players", "2,1")], [{"players": 2}, *SOLO], 0),
        ([("players", "2,2")], [{"players": 2}], 0),
        ([("level", "advanced")], [SOLO[1]], 1),
        ([("setup", "introductory")], [{"players": 2, "setup": "introductory"}], 1),
        ([("modules", "all")], [{"players": 2, "modules": ALL}], 1),
        ([("strict", "true")], [{**SOLO[0], "strict": True}, {**SOLO[1], "strict": True}, {"players": 2, "strict": True}], 0),
        ([("players", "2"), ("setup", "draft,introductory")], [{"players": 2, "setup": s} for s in ("draft", "introductory")], 0),
    ],
)
def test_configurations(texts, expected, left_out):
    found, notes = configurations(GAME, read_options(GAME, texts))
    assert found == expected
    assert len(notes) == left_out


def test_what_no_configuration_goes_with_is_refused():
    with pytest.raises(ConfigError, match="unknown module 'parks'"):
        configurations(GAME, {"modules": [["parks"]]})
    with pytest.raises(ConfigError, match="players must be between 1 and 5, got 6"):
        configurations(GAME, {"players": [2, 6]})
    with pytest.raises(ConfigError, match="level must be 'standard' or 'advanced', got 'hard'"):
        configurations(GAME, {"level": ["advanced", "hard"]})


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({}, "2 players"),
        ({"players": 1}, "alone against William, standard level"),
        ({"players": 1, "level": "advanced"}, "alone against William, advanced level"),
        ({"players": 4, "setup": "introductory", "strict": True}, "4 players, introductory setup, strict"),
        ({"strict": False, "max_rounds": 9}, "2 players, not strict, max rounds 9"),
        ({"modules": []}, "2 players"),
        ({"modules": ["events"]}, "2 players, modules events"),
        ({"modules": ("events", "prestige", "experts")}, "2 players, modules prestige, events and experts"),
        ({"modules": {*ALL}, "hand_size": 5}, "2 players, all modules, hand size 5"),
    ],
    ids=lambda value: value if isinstance(value, str) else ", ".join(sorted(value)),
)
def test_words(config, words):
    assert describe_config(make_game(GAME, **config), config) == words
