"""A bot in plain Python, without ginkgo_env (docs/protocol.md): it plays any legal action."""

import json
import random
import sys


def answer_to(message, memory):
    """Return what to answer, or None. `memory` is a dict to keep things in during a game."""
    if message["type"] == "hello":
        if message["protocol"] != 2:
            return {"type": "unable", "reason": f"unknown protocol {message['protocol']}"}
        memory["random"] = random.Random(message["seed"])
        return {"type": "ready", "protocol": 2, "numbers": False}
    if message["type"] == "decide":
        return {"action": memory["random"].choice(message["legal"])["id"]}
    memory.clear()  # the end of a game
    return None


def main():
    """Answer line by line, game after game, until stdin ends."""
    memory = {}
    for line in sys.stdin:
        answer = answer_to(json.loads(line), memory)
        if answer is not None:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
