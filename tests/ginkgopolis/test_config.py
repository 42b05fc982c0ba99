"""Configurations that do not exist are refused in one sentence."""

import json
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
        {"players": 1, "modules": ["events"]},
        {"setup": "introductory", "modules": ["experts"]},
        *(
            {"modules": m}
            for m in ("events", "every", b"events", None, 3, True, [1], [None], [["events"]], {"events": 1, "x": 2})
        ),
        *({"hand_size": n} for n in (0, 3, 5, 6, 4.0, "4", True, None)),
        *({"hand_size": n, "modules": ["keep_card"]} for n in (3, 6, 5.0, "5", None)),
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
    assert len(listed) == 15
    for options in listed:
        assert ginkgo_env.make_game("ginkgopolis", **options).seats == options["players"]


# The Experts

MODULES = ("new_buildings", "prestige", "green_spaces", "events", "keep_card", "experts")


def test_every_module_is_explained() -> None:
    cls = type(ginkgo_env.make_game("ginkgopolis"))
    assert tuple(cls.modules) == MODULES and all(cls.modules.values())
    assert cls.option_texts({"players": 4, "modules": MODULES[::-1]}) == {"players": "4", "modules": "all"}
    assert cls.option_texts({"modules": {"keep_card", "prestige"}}) == {"modules": "prestige,keep_card"}


def config(**options: Any) -> Any:
    return ginkgo_env.make_game("ginkgopolis", **options).config


@pytest.mark.parametrize("kind", [set, frozenset, list, tuple, dict.fromkeys, iter])
def test_modules_are_named_in_any_order_and_collection(kind: Any) -> None:
    made = config(modules=kind(["keep_card", "prestige", "events"]))
    assert made.modules == ("prestige", "events", "keep_card")
    assert made == config(modules=("events", "keep_card", "prestige"))
    assert hash(made) == hash(config(modules=["prestige", "events", "keep_card"]))
    assert made != config(modules=("events", "keep_card"))


def test_every_combination_with_every_number_of_players_can_be_made() -> None:
    game = type(ginkgo_env.make_game("ginkgopolis"))
    combinations = game.module_combinations()
    assert len({(c["players"], c["modules"]) for c in combinations}) == len(combinations) == 64 * 4
    for options in combinations:
        template = ginkgo_env.make_game("ginkgopolis", **options).template
        on = template["modules"][0]
        assert [bool(flag) for flag in on] == [m in options["modules"] for m in MODULES]


def test_modules_as_plain_data() -> None:
    plain = {"players": 2, "setup": "draft", "level": "standard", "strict": False, "max_rounds": 200}
    assert ginkgo_env.make_game("ginkgopolis").config_dict == plain
    assert ginkgo_env.make_game("ginkgopolis", modules=set(), hand_size=4).config_dict == plain
    with_modules = ginkgo_env.make_game("ginkgopolis", modules={"keep_card", "events"}, hand_size=5).config_dict
    assert with_modules == {**plain, "modules": ["events", "keep_card"], "hand_size": 5}
    assert list(with_modules)[-2:] == ["modules", "hand_size"]
    assert ginkgo_env.make_game("ginkgopolis", **json.loads(json.dumps(with_modules))).config == config(**with_modules)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hands_of_five(players: int) -> None:
    made = ginkgo_env.make_game("ginkgopolis", players=players, modules=["keep_card"], hand_size=5)
    assert made.config.hand_size == made.template["hand_size"][0] == 5
    assert config(players=players, modules=["keep_card"]).hand_size == 4


KNOWN = "expected one of: new_buildings, prestige, green_spaces, events, keep_card, experts"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"players": 1, "modules": ["prestige"]},
            "modules require players >= 2: The Experts cannot be played alone against William",
        ),
        ({"setup": "introductory", "modules": MODULES}, "the module 'experts' requires setup='draft'"),
        ({"players": 5, "modules": ["keep_card"], "hand_size": 5}, "hand_size=5 requires players <= 4, got 5 (X5)"),
        ({"modules": ["events"], "hand_size": 5}, "hand_size=5 requires the module 'keep_card'"),
        ({"hand_size": 5}, "hand_size=5 requires the module 'keep_card'"),
        ({"modules": ["keep_card"], "hand_size": 6}, "hand_size must be 4 or 5, got 6"),
        ({"modules": ["events", "parks"]}, f"unknown module 'parks'; {KNOWN}"),
        ({"modules": ["Events"]}, f"unknown module 'Events'; {KNOWN}"),
        ({"modules": [4]}, f"unknown module 4; {KNOWN}"),
        ({"modules": "events"}, "modules must be a set or list of names"),
        ({"modules": None}, "modules must be a set or list of names"),
        ({"modules": ["events", "prestige", "events"]}, "duplicate module 'events'"),
        ({"module": ["events"]}, "ginkgopolis has no option 'module'; its options are players, setup, level, strict, "),
    ],
    ids=str,
)
def test_what_modules_do_not_go_with(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ginkgo_env.ConfigError) as error:
        ginkgo_env.make_game("ginkgopolis", **options)
    assert sentence in str(error.value)


@pytest.mark.parametrize("module", [m for m in MODULES if m != "experts"])
def test_other_modules_go_with_introductory_sets(module: str) -> None:
    assert config(setup="introductory", modules=[module]).modules == (module,)
