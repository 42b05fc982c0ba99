"""Count the tokens of texts for language models, by a public tokenizer and by ``count_tokens``.

Prints the table of docs/language_models.md. The tokenizer is o200k_base of the npm package ``gpt-tokenizer``, so this requires
node and npm.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from itertools import chain, islice
from statistics import mean
from tempfile import TemporaryDirectory

import typer

from ginkgo_env import text_env
from ginkgo_env.core.text import markdown_table
from ginkgo_env.envs.text import count_tokens
from ginkgo_env.registry import game_class

PLAYERS = {"ginkgopolis": range(1, 6), "golden_city": range(2, 5), "my_city": range(1, 5)}
GAMES, SEED = 4, 1
PACKAGE = "gpt-tokenizer@4.0.0"
COUNT = """
const {encode} = require("gpt-tokenizer/encoding/o200k_base")
console.log(JSON.stringify(JSON.parse(require("fs").readFileSync(0)).map(text => encode(text).length)))
"""
COLUMNS = ["game", "players", "rules", "longest description", "observation", "longest observation", "factor"]


def collect_texts(name: str, players: int, games: int = GAMES) -> list[str]:
    """Return the rules, then description and observation of each decision in games of random players."""
    env, rng = text_env(game_class(name), players=players, seat="all"), random.Random(SEED)
    texts = [env.rules()]
    for game in range(games):
        observation, info = env.reset(seed=SEED + game)
        while "legal_actions" in info:
            texts += env.describe(), observation
            observation, *_, info = env.step(rng.choice(info["legal_actions"]))
    return texts


def count_o200k(texts: list[str]) -> list[int]:
    """Return the number of tokens of each text by o200k_base."""
    with TemporaryDirectory() as folder:
        subprocess.run(["npm", "install", "--silent", PACKAGE], cwd=folder, check=True)
        counts = subprocess.run(
            ["node", "-e", COUNT], cwd=folder, input=json.dumps(texts).encode(), stdout=subprocess.PIPE, check=True
        )
    return list(json.loads(counts.stdout))


def summarize(counts: list[int]) -> list[float]:
    """Return what the table shows: rules, longest description, mean and longest observation.

    counts : those of the texts of `collect_texts`
    """
    return [counts[0], max(counts[1::2]), mean(counts[2::2]), max(counts[2::2])]


def main(games: int = GAMES) -> None:
    """Print the table."""
    if not (shutil.which("node") and shutil.which("npm")):
        raise SystemExit("The tokenizer requires node and npm, which are not installed")
    texts = {(name, players): collect_texts(name, players, games) for name in PLAYERS for players in PLAYERS[name]}
    public = iter(count_o200k(list(chain.from_iterable(texts.values()))))
    rows = []
    for config, own in texts.items():
        pairs = list(zip(summarize(list(islice(public, len(own)))), summarize(list(map(count_tokens, own))), strict=True))
        rows.append([*config, *(f"{first:,.0f} / {second:,.0f}" for first, second in pairs), f"{pairs[2][0] / pairs[2][1]:.2f}"])
    print(markdown_table(COLUMNS, rows), end="")


if __name__ == "__main__":
    typer.run(main)
