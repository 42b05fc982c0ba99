"""What is offered at a table, and what agents of one's own may be."""

from __future__ import annotations

from typing import Any

import pytest

from ginkgo_agents.registry import register_agent
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game
from ginkgo_env.registry import OWN_GAMES, game_class, playable_games
from ginkgo_table.web.game_catalog import GameCatalog, _display_name
from ginkgo_table.web.limits import TableError

from .served import FailingAgent, LocalServer


@pytest.mark.full
def test_every_configuration_of_every_game_is_offered(catalog: GameCatalog) -> None:
    for name in playable_games():
        cls: type[Game] = game_class(name)
        offered = {option["name"]: option for option in catalog.options[name]}
        for config in [*cls.configurations(), {}]:
            plain = {key: list(value) if isinstance(value, tuple) else value for key, value in config.items()}
            game = catalog.game(name, plain)
            assert game.config == cls(**config).config and catalog.game(name, plain) is game
        for option in offered.values():
            assert option["default"] in option["values"] or (option["many"] and set(option["default"]) <= set(option["values"]))
            assert len(option["values"]) > 1


def test_the_page_gets_all_it_needs_at_once(server: LocalServer) -> None:
    found = server.get("/api/offer")
    assert [game["name"] for game in found["games"]] == playable_games() and found["languages"] == ["en", "de"]
    ginkgopolis = found["games"][0]
    options = {option["name"]: option for option in ginkgopolis["options"]}
    assert options["players"] == {"name": "players", "values": [1, 2, 3, 4, 5], "default": 2, "many": False}
    assert options["modules"]["many"] and len(options["modules"]["values"]) == 6
    assert ginkgopolis["seats"]["seats"] == 2 and "william" in ginkgopolis["agents"] and "builder" in found["agents"]
    assert ginkgopolis["sentence"] and ginkgopolis["minutes"].isdecimal()
    german = server.get("/api/offer", headers={"accept-language": "de"})["games"][0]
    assert german["sentence"] not in ("", ginkgopolis["sentence"]) and german["minutes"] == ginkgopolis["minutes"]
    assert found["hint_agents"]["my_city"][:2] == ["search", "lookahead"] and "random" not in found["hint_agents"]["my_city"]


def test_who_can_sit_at_a_table(server: LocalServer) -> None:
    alone = server.post("/api/seats_of", {"game": "ginkgopolis", "options": {"players": 1, "level": "advanced"}})
    assert (alone["seats"], alone["sides"], len(alone["names"])) == (1, 2, 2) and alone["note"] == ""
    assert "board own" in server.post("/api/seats_of", {"game": "my_city", "options": {}})["note"]
    experts = server.post("/api/seats_of", {"game": "ginkgopolis", "options": {"players": 3, "modules": ["experts"]}})
    assert "ppo" not in experts["agents"] and "lookahead" in experts["agents"] and "ppo" not in experts["hint_agents"]
    refused = server.post("/api/seats_of", {"game": "ginkgopolis", "options": {"players": 1, "modules": ["experts"]}}, 422)
    assert refused["error"] == "modules require players >= 2: The Experts cannot be played alone against William"


def test_the_first_opponent_is_the_best_of_the_easy_ones(server: LocalServer) -> None:
    for game in server.get("/api/offer")["games"]:
        seats = game["seats"]
        assert seats["agents"] == list(seats["levels"]) and seats["first_opponent"] in seats["agents"]
        if game["name"] in OWN_GAMES:
            assert seats["levels"][seats["first_opponent"]] == "easy"
            assert seats["first_opponent"] == ("william" if game["name"] == "ginkgopolis" else "builder")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("/home/me/x.npz", "x.npz"),
        ("./a/b/x.npz:worlds=16", "x.npz:worlds=16"),
        ("lookahead:prior=/home/me/p.npz", "lookahead:prior=p.npz"),
        (r"D:\me\x.npz", "D:x.npz"),
        ("package.module:Agent", "package.module:Agent"),
        ("greedy", "greedy"),
    ],
)
def test_people_see_no_folders(name: str, shown: str) -> None:
    assert _display_name(name) == shown


@pytest.mark.full
def test_an_agent_on_top_plays_and_gives_hints() -> None:
    register_agent("mine", FailingAgent)
    for name in ("lookahead:worlds=2", "tests.table.served:FailingAgent"):
        catalog = GameCatalog([name])
        game = catalog.game("my_city", {})
        assert name in catalog.agents(game) and catalog.hint_agents(game)[-1] == name
        assert catalog.agent(name, game) is catalog.agent(name, game)
    with pytest.raises(ConfigError):
        GameCatalog().agent("lookahead:worlds=2", game)


@pytest.mark.parametrize(
    "names",
    [
        ["nobody"], ["no/such.npz"], ["os:system"], ["no_such_module:Agent"], ["lookahead:worlds=0"], ["random:x=1"], ["greedy"],
        ["a/random:x=1", "b/random:x=1"], ["tests.table.served:ANN"],
    ],
)  # fmt: skip
def test_agents_that_cannot_play_are_refused_at_the_start(names: list[str]) -> None:
    with pytest.raises(ConfigError):
        GameCatalog(names)


@pytest.mark.parametrize("config", [{"board": "/etc"}, {"board": ["x"]}, {"x": {"y": [{"/etc": 1}]}}, {"players": "2"}])
def test_a_record_names_no_files(catalog: GameCatalog, config: dict[str, Any]) -> None:
    with pytest.raises(TableError):
        catalog.check_config("my_city", config)
    catalog.check_config("my_city", {"players": 2, "board": "own", "buildings": "own"})


@pytest.mark.parametrize("value", [2.0, True, "2", [2], None])
def test_values_have_the_offered_kind(catalog: GameCatalog, value: Any) -> None:
    with pytest.raises(TableError, match="players"):
        catalog._check_option("my_city", "players", value)
    catalog._check_option("my_city", "players", 2)


def test_options_without_a_choice_are_told(catalog: GameCatalog) -> None:
    def idle(**options: Any) -> list[str]:
        found: list[str] = catalog.seats_of(catalog.game("ginkgopolis", options))["idle"]
        return found

    assert idle(players=2) == ["level", "hand_size"]  # William is not there, and the hand belongs to the module
    assert idle(players=1) == ["setup", "modules", "hand_size"]  # alone there is one way to begin, and no module
    assert idle(players=3, modules=["keep_card"]) == ["level"]
    assert catalog.seats_of(catalog.game("my_city", {}))["idle"] == []
