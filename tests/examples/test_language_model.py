"""The example that asks a language model, with a scripted endpoint in its place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from typing import Any

import pytest
from typer.testing import CliRunner

from ginkgo_agents.registry import make_agent
from ginkgo_env import make_game
from ginkgo_env.cli.app import app

from .loading import EXAMPLES, example


class Endpoint(ThreadingHTTPServer):
    """Answers with the last legal action, which ends a game of My City; every fifth answer is illegal.

    status : of the response to the first request
    legal : whether any answer is legal
    """

    def __init__(self, status: int, legal: bool) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.status, self.legal, self.requests, self.lock = status, legal, list[dict[str, Any]](), Lock()
        self.keys, self.url = set[str](), f"http://127.0.0.1:{self.server_port}/v1/"


class Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.requests.append(body)
            self.server.keys.add(self.headers["Authorization"])
            n = len(self.server.requests)
        assert self.path == "/v1/chat/completions" and body["model"] == "scripted"
        self.send_response(self.server.status if n == 1 else 200)
        self.end_headers()
        prompt, *rest = body["messages"]
        action = prompt["content"].rpartition("Legal actions: ")[2].split(", ")[-1]
        is_legal = self.server.legal and (n % 5 != 0 or len(rest) > 0)
        reply = {
            "choices": [{"message": {"role": "assistant", "content": f"I play {action}." if is_legal else "I resign."}}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 3},
        }
        self.wfile.write(json.dumps(reply).encode())

    def log_message(self, format: str, *arguments: Any) -> None: ...


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.chdir(tmp_path)
    module = example("language_model")
    monkeypatch.setattr(module, "PAUSE", 0.0)
    return module


@contextmanager
def serving(status: int = 503, legal: bool = True) -> Iterator[Endpoint]:
    with Endpoint(status, legal) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def named(endpoint: Endpoint, *options: str) -> str:
    return ":".join([f"language_model:LanguageModel:base_url={endpoint.url}:model=scripted", *options])


def test_the_benchmark_asks_it_and_writes_its_results(module: Any, tmp_path: Path) -> None:
    with serving() as endpoint:
        words = ["benchmark", named(endpoint), "--task", "my_city/solo*", "--quick", "--out", str(tmp_path / "run")]
        run = CliRunner().invoke(app, words)
    assert run.exit_code == 0, run.output
    report = json.loads((tmp_path / "run" / "benchmark.json").read_text())
    assert report["agent"]["name"] == named(endpoint) and report["tasks"][0]["games"] > 0
    lines = [json.loads(line) for line in (tmp_path / "answers.jsonl").read_text().splitlines()]
    asked, refused = len(endpoint.requests), sum(len(request["messages"]) > 1 for request in endpoint.requests)
    sums = example("language_model").main(str(tmp_path / "answers.jsonl"))
    assert sums == {
        "decisions": len(lines),
        "prompt_tokens": 100 * (asked - 1),
        "completion_tokens": 3 * (asked - 1),
        "illegal_answers": refused,
        "repeated_requests": 1,
        "random_actions": 0,
    }
    assert refused > 0 and asked == len(lines) + refused + 1
    assert endpoint.keys == {"Bearer secret"} and "secret" not in (tmp_path / "run" / "benchmark.json").read_text()


def test_the_prompt_has_rules_and_position(module: Any) -> None:
    game, counts = make_game("my_city"), dict.fromkeys(("prompt_tokens", "completion_tokens", "repeated_requests"), 0)
    state = game.initial_state(7)
    with serving() as endpoint:
        agent: Any = make_agent(named(endpoint))
        assert agent.decide(game, state, 0, game.legal_actions(state)) == game.legal_actions(state)[-1]
        (message,) = endpoint.requests[-1]["messages"]
        assert agent.ask([message], counts).startswith("I play ") and counts["prompt_tokens"] == 100
    assert message["role"] == "user" and message["content"].startswith(game.rules_summary)
    assert game.describe(state, 0) in message["content"]


def test_after_too_many_illegal_answers_the_action_is_random(module: Any, tmp_path: Path) -> None:
    game = make_game("my_city")
    state = game.initial_state(7)
    with serving(200, legal=False) as endpoint:
        agent: Any = make_agent(named(endpoint, "retries=1"))
        assert agent.decide(game, state, 0, game.legal_actions(state)) is None
    assert len(endpoint.requests) == 2 and "I resign." in json.dumps(endpoint.requests[1])
    line = json.loads((tmp_path / "answers.jsonl").read_text())
    assert (line["illegal_answers"], line["random_actions"]) == (2, 1)


@pytest.mark.parametrize(("status", "options"), [(401, []), (503, ["repeats=0"])])
def test_an_endpoint_that_fails_stops_the_run(module: Any, status: int, options: list[str]) -> None:
    with serving(status) as endpoint:
        run = CliRunner().invoke(app, ["benchmark", named(endpoint, *options), "--task", "my_city/solo*", "--quick"])
    assert run.exit_code == 2 and f"/v1/chat/completions failed: HTTP Error {status}" in " ".join(run.output.split())


def test_it_is_short() -> None:
    assert len((EXAMPLES / "language_model.py").read_text().splitlines()) <= 120
