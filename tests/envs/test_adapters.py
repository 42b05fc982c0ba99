"""The text environment in other libraries: TextArena, and OpenEnv over a socket."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any
from urllib.request import urlopen

import pytest

import ginkgo_env
from ginkgo_env import ConfigError
from ginkgo_env.registry import OWN_GAMES

IDS = {"ginkgopolis": "ginkgo_env/Ginkgopolis-v0", "golden_city": "ginkgo_env/GoldenCity-v0", "my_city": "ginkgo_env/MyCity-v0"}


# --- TextArena ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "players"), [("ginkgopolis", 2), ("golden_city", 3), ("my_city", 1)])
def test_textarena(game: str, players: int) -> None:
    """A whole game, as the text environment plays it, with the observations of TextArena's wrapper."""
    textarena = pytest.importorskip("textarena")
    import ginkgo_env.envs.textarena

    arena, env = textarena.make(IDS[game]), ginkgo_env.text_env(game, seat="all", players=players)
    words = random.getstate()
    arena.reset(num_players=players, seed=7)
    assert random.getstate() == words
    text, info = env.reset(seed=7)
    done, totals, choices = False, [0.0] * players, random.Random(1)
    while not done:
        player, observation = arena.get_observation()
        title = ginkgo_env.make_game(game).title
        assert player == info["seat"] and observation == f"You are player_{player} in {title}.\n\n{env.rules().strip()}\n\n{text}"
        answer = f"[{choices.choice(info['legal_actions'])}]"  # as ActionFormattingWrapper writes it
        done, step_info = arena.step(answer)
        text, _, terminated, truncated, info = env.step(answer)
        assert info["error"] == "" and step_info == {}
        totals = [total + reward for total, reward in zip(totals, info["rewards"], strict=True)]
        assert done == (terminated or truncated)
    rewards, about = arena.close()
    assert rewards == dict(enumerate(totals)) and any(totals)
    assert [about[seat]["answers"] for seat in range(players)] == info["answers"]
    assert [about[seat]["turn_count"] for seat in range(players)] == info["answers"]
    assert about[0]["reason"].startswith("Scores: player_0 ") and not about[0]["invalid_move"]


def test_textarena_with_illegal_answers() -> None:
    textarena = pytest.importorskip("textarena")
    import ginkgo_env.envs.textarena  # noqa: F401 (registers the games)

    env = textarena.make(IDS["my_city"], retries=1)
    env.reset(num_players=2, seed=7)
    player, _ = env.get_observation()
    assert env.step("I pass to nobody.") == (False, {})
    again, observation = env.get_observation()
    assert again == player and "Your answer was not accepted: " in observation
    assert env.step("I pass to nobody.") == (True, {})
    rewards, about = env.close()
    assert rewards == {player: -1.0, 1 - player: 0.0}
    assert (about[player]["invalid_move"], about[1 - player]["invalid_move"]) == (True, False)
    assert about[player]["illegal_answers"] == 2 and about[player]["turn_count"] == 0 and about[0]["reason"]


# --- OpenEnv -----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def served() -> Iterator[str]:
    """The address of a server of My City."""
    pytest.importorskip("openenv")
    import uvicorn

    from ginkgo_env.envs.openenv import make_app

    server = uvicorn.Server(uvicorn.Config(make_app("my_city", players=2, retries=1), port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        thread.join(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


def as_verifiers(message: str, schema: dict[str, Any]) -> dict[str, Any]:
    """An action as the package ``verifiers`` makes it: JSON, or the value of the only required field."""
    try:
        action = json.loads(message)
    except json.JSONDecodeError:
        action = message
    (field,) = schema["required"]
    return action if isinstance(action, dict) else {field: action}


def test_openenv(served: str) -> None:
    """Two clients at the same time, each in a game of its own, which is that of the text environment."""
    from openenv import GenericEnvClient

    with urlopen(f"{served}/schema") as response:
        schema = json.load(response)["action"]
    assert schema["required"] == ["action"] and schema["properties"]["action"]["type"] == "string"
    with GenericEnvClient(base_url=served).sync() as client, GenericEnvClient(base_url=served).sync() as other:
        env = ginkgo_env.text_env("my_city", players=2, retries=1)
        text, info = env.reset(seed=7)
        result = client.reset(seed=7, episode_id="one")
        assert result.observation["text"] == text and not result.done
        assert other.reset(seed=8).observation["text"] != text
        for form in ("{}", '{{"action": "{}"}}', "I play {}.", "{id}"):
            answer = form.format(info["legal_actions"][0], id=info["action_mask"].argmax())
            result = client.step(as_verifiers(answer, schema))
            text, reward, *_, info = env.step(answer)
            assert info["error"] == "" and (result.observation["text"], result.reward) == (text, reward)
        assert "not accepted" in client.step({"action": "nothing"}).observation["text"]
        state = client.state()
        assert (state["episode_id"], state["step_count"], state["answers"], state["illegal_answers"]) == (
            "one",
            5,
            [5, 0],
            [1, 0],
        )
        result = client.step({"action": "nothing"})
        assert result.done and result.reward == -1


def test_openenv_refuses_options() -> None:
    """Of a game before it serves, and of clients, as a board's path or an agent's name would reach into the server."""
    pytest.importorskip("openenv")
    from ginkgo_env.envs.openenv import TextEnvironment, make_app

    with pytest.raises(ConfigError, match="players"):
        make_app("my_city", players=9)
    with pytest.raises(ConfigError, match="reset takes seed and episode_id alone, got board"):
        TextEnvironment("my_city").reset(seed=1, board="/etc/passwd")


@pytest.mark.parametrize("package", ["openenv", "textarena"])
def test_they_are_imported_on_request_only(package: str) -> None:
    code = f"import sys, ginkgo_env; [ginkgo_env.text_env(g) for g in {list(OWN_GAMES)!r}]; assert {package!r} not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
