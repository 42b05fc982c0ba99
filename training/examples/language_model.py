"""A language model as an agent, behind any endpoint that answers as OpenAI's chat completions do.

From this folder, with the key of the endpoint, if it needs one, in the environment variable OPENAI_API_KEY:

    ginkgo benchmark "language_model:LanguageModel:base_url=http://localhost:8000/v1:model=NAME" --quick --out runs/model
    python language_model.py answers.jsonl

The first command writes the results; whatever asks agents by name can ask it. Each decision adds a line to ``answers.jsonl``:
tokens as the endpoint counts them, refused answers, and requests that were repeated because the endpoint failed. The second
command prints their sums. If the endpoint keeps failing the run stops, and the same command goes on where it stopped.
"""

from __future__ import annotations

import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any, cast
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents import Agent, DecisionBatch
from ginkgo_agents.base import sample_legal
from ginkgo_env import ConfigError, Game, NotationError
from ginkgo_env.core.state import States
from ginkgo_env.envs.answers import AnswerReader
from ginkgo_env.envs.text import observation_text

PAUSE = 1.0  # seconds before the first repetition of a request, doubled each time
SECONDS = 600.0  # time limit of a request
REPEATED = (408, 409, 429, 500, 502, 503, 504)  # statuses of failures that may pass
LOCK = Lock()


class LanguageModel(Agent):
    """Plays the actions that a model names; after too many refused answers, a random one.

    base_url, model : the endpoint, to which ``/chat/completions`` is added, and the name of the model there
    retries : how often the model may answer a decision again
    repeats : how often a request is repeated when the endpoint fails
    at_once : number of requests at a time
    log : the file to add lines to
    """

    def __init__(
        self, base_url: str, model: str, retries: int = 2, repeats: int = 5, at_once: int = 8, log: str = "answers.jsonl"
    ) -> None:
        self.url, self.model, self.log = f"{base_url.rstrip('/')}/chat/completions", model, Path(log)
        self.retries, self.repeats, self.at_once = retries, repeats, at_once

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        actions, states = sample_legal(turn.masks, turn.keys), turn.resampled_states(1)

        def decide(i: int) -> None:
            legal = np.flatnonzero(turn.masks[i])
            if len(legal) > 1:
                named = self.decide(turn.game, cast(States, states[i : i + 1]), int(turn.seats[i]), legal)
                actions[i] = actions[i] if named is None else named

        with ThreadPoolExecutor(self.at_once) as threads:
            list(threads.map(decide, range(len(turn))))  # a list, so that errors are raised
        return actions

    def decide(self, game: Game, state: States, seat: int, legal: NDArray[np.int64]) -> int | None:
        """Return the action that the model names, or None after too many answers that name none."""
        reader, action = AnswerReader(game, state, legal), None
        prompt = f"{game.rules_summary}\n{observation_text(game, state, seat, reader.texts)}".strip()
        messages = [{"role": "user", "content": prompt}]
        counts = {"prompt_tokens": 0, "completion_tokens": 0, "illegal_answers": 0, "repeated_requests": 0}
        while action is None and counts["illegal_answers"] <= self.retries:
            answer = self.ask(messages, counts)
            try:
                action = reader.read(answer)
            except NotationError as error:
                counts["illegal_answers"] += 1
                again = f"Your answer was not accepted: {error}."
                messages += [{"role": "assistant", "content": answer}, {"role": "user", "content": again}]
        line = {"model": self.model, "game": game.name, "decisions": 1, **counts, "random_actions": int(action is None)}
        with LOCK, self.log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        return action

    def ask(self, messages: list[dict[str, str]], counts: dict[str, int]) -> str:
        """Return the model's answer, and add to the counts. Raises ConfigError if the endpoint keeps failing."""
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', 'none')}"}
        body = json.dumps({"model": self.model, "messages": messages}).encode()
        for repeat in count():
            try:
                with urlopen(Request(self.url, body, headers), timeout=SECONDS) as response:
                    reply = json.load(response)
                break
            except (OSError, HTTPException, ValueError) as error:
                if repeat == self.repeats or (isinstance(error, HTTPError) and error.code not in REPEATED):
                    raise ConfigError(f"{self.url} failed: {error}") from error
            counts["repeated_requests"] += 1
            time.sleep(PAUSE * 2**repeat)
        for name in ("prompt_tokens", "completion_tokens"):
            counts[name] += reply.get("usage", {}).get(name, 0)
        return str(reply["choices"][0]["message"]["content"] or "")


def main(path: str) -> dict[str, Any]:
    """Print the sums of a log."""
    lines = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    sums = {name: sum(line[name] for line in lines) for name in lines[0] if name not in ("model", "game")}
    print(json.dumps(sums, indent=2))
    return sums


if __name__ == "__main__":
    main(sys.argv[1])
