"""A bot in plain Python, without ginkgo_env: `ginkgo benchmark "process:python benchmarks/client.py"` (docs/protocol.md)."""

import json
import random
import sys


def choose(message, generator):
    """Return the id of a legal action: here any, but for passing and the like only if there is nothing else."""
    longest = max(len(action["text"]) for action in message["legal"])
    return generator.choice([action["id"] for action in message["legal"] if 2 * len(action["text"]) > longest])


def main():
    """Answer each line of stdin by a line on stdout, game after game, until stdin ends."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            if message["protocol"] != 1:
                answer = {"type": "unable", "reason": f"protocol {message['protocol']} is not known"}
            else:
                generator = random.Random(message["seed"])
                answer = {"type": "ready"}
        elif message["type"] == "decide":
            answer = {"action": choose(message, generator)}
        else:
            continue  # the end of a game, which asks for no answer
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
