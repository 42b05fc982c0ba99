"""The text environment in other libraries: TextArena, and OpenEnv over a socket."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

import ginkgo_env
from ginkgo_env import ConfigError
from ginkgo_env.registry import OWN_GAMES

ROOT = Path(__file__).parents[2]
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
    assert env.step("nothing") == (False, {})
    again, observation = env.get_observation()
    assert again == player and "Your answer was not accepted: " in observation
    assert env.step("nothing") == (True, {})
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
        for form in ("{}", '{{"action": "{}"}}', "I play {}."):
            answer = form.format(info["legal_actions"][0])
            result = client.step(as_verifiers(answer, schema))
            text, reward, *_, info = env.step(answer)
            assert info["error"] == "" and (result.observation["text"], result.reward) == (text, reward)
        assert "not accepted" in client.step(as_verifiers("9", schema)).observation["text"]  # a number of JSON
        state = client.state()
        assert (state["episode_id"], state["step_count"], state["answers"], state["illegal_answers"]) == (
            "one",
            4,
            [4, 0],
            [1, 0],
        )
        result = client.step({"action": "nothing"})
        assert result.done and result.reward == -1


class Model(BaseHTTPRequestHandler):
    """An endpoint like OpenAI's that streams the first legal action; after three answers the last one, which ends the game."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = json.loads(body["messages"][-1]["content"])["observation"]["text"]
        action = text.rpartition("Legal actions: ")[2].split(", ")[0 if len(body["messages"]) < 6 else -1]
        chunk: dict[str, Any] = {"id": "one", "object": "chat.completion.chunk", "created": 0, "model": body["model"]}
        chunk["choices"] = [{"index": 0, "finish_reason": "stop", "delta": {"role": "assistant", "content": action}}]
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode())

    def log_message(self, format: str, *arguments: Any) -> None: ...


@pytest.fixture
def scripted_model() -> Iterator[str]:
    """The address of an endpoint."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Model) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_verifiers(served: str, scripted_model: str, tmp_path: Path) -> None:
    """Its command plays whole games with the settings of the page, against a scripted model."""
    pytest.importorskip("verifiers")
    page = (ROOT / "docs" / "language_models.md").read_text()
    (settings,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    settings = settings.replace("http://localhost:8000", served).replace("http://localhost:8001", scripted_model)
    (tmp_path / "eval.toml").write_text(settings)
    scripts = Path(sys.executable).parent
    variables = os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}  # its programs are run by uv
    command = [scripts / "vf-eval", "@", "eval.toml", "--run.dir", "run"]
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    episodes = [json.loads(line) for line in (tmp_path / "outputs" / "run" / "traces.jsonl").read_text().splitlines()]
    assert sorted(episode["task"]["data"]["reset"]["seed"] for episode in episodes) == [7, 8]
    for episode in episodes:
        assert episode["ok"], episode
        total, answers, (trace,) = 0.0, 0, episode["traces"]
        env = ginkgo_env.text_env("my_city", players=2, retries=1)
        _, info = env.reset(**episode["task"]["data"]["reset"])
        while "legal_actions" in info:
            _, reward, *_, info = env.step(info["legal_actions"][0 if answers < 3 else -1])
            total, answers = total + reward, answers + 1
        assert trace["rewards"]["openenv_reward"]["score"] == total and len(trace["calls"]) == answers


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
