"""The data card: what a data set is, for people. It depends on the data alone, so that it can be made again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ginkgo_env.data.loader import Dataset, load
from ginkgo_env.data.metadata import KEY, REPLAY, STEPS, VERSION, DatasetInfo
from ginkgo_env.data.play import Columns
from ginkgo_env.data.schema import games_schema, replay_schema, steps_schema
from ginkgo_env.data.shards import CARD, write_text


def write_card(folder: Path, command: str) -> None:
    """Write the card of a data set that is whole. Raises DataError, OSError."""
    write_text(folder / CARD, card_of(load(folder), command))


_CARD = """---
license: mit
pretty_name: Games of {game}
tags:
  - reinforcement-learning
  - board-games
configs:
  - config_name: {content}
    data_files: {content}/*.parquet
  - config_name: games
    data_files: games/*.parquet
---

# Games of {game}

{games:,} games of {game} (version {game_version} of the game) with {decisions:,} decisions, played by {agents}.
Configuration: `{config}`.

Made with ginkgo_env {package} by

```bash
{command}
```

{hidden}

## Results

{by_side}
{by_agent}
A game has {mean:.1f} decisions on average, from {least} to {most}; {truncated} were cut off. Endings: {endings}.

## Schema, version {version}

`dataset.json` says what the data set is: layouts, agents, settings. The same stands in the metadata of each Parquet file,
as `{key}`. Rewards are of the kind `{reward}`.

{schemas}
## Reading it

```python
from ginkgo_env import data

dataset = data.load(".")
for batch in dataset.batches(1024, seed=0):
    print(batch["action"])
```

## License

MIT, as ginkgo_env itself. A program made this data; nothing in it is about persons.
"""
_HIDDEN = {
    STEPS: """Observations hold what the deciding seat may know, and nothing else. The table of games has the seeds, and a seed
decides everything hidden: an agent must not see it.""",
    REPLAY: """It holds seeds and actions, from which the loader makes observations of what the deciding seat may know. A seed
decides everything hidden: an agent must not see it.""",
}


def card_of(dataset: Dataset, command: str) -> str:
    """The card, in Markdown, with a header that dataset hubs read."""
    about, games = dataset.about, dataset.games
    return _CARD.format(
        **{name: getattr(about, name) for name in ("game", "game_version", "package", "content", "reward")},
        games=len(dataset.numbers),
        decisions=len(dataset),
        agents=", ".join(about.agents),
        config=json.dumps(about.config),
        command=command,
        hidden=_HIDDEN[about.content],
        by_side=_table(("side", "mean score", "share of wins"), _by_side(about, games)),
        by_agent=_table(("agent", "seats", "mean score", "share of wins"), _by_agent(about, games)),
        mean=games["decisions"].mean(),
        least=games["decisions"].min(),
        most=games["decisions"].max(),
        truncated=int(games["truncated"].sum()),
        endings=_endings(games),
        version=VERSION,
        key=KEY,
        schemas="\n".join(_schemas(about)),
    )


def _by_side(about: DatasetInfo, games: Columns) -> list[tuple[str, ...]]:
    return [
        (name, f"{games[f'score_{side}'].mean():.2f}", f"{games[f'share_{side}'].mean():.3f}")
        for side, name in enumerate(about.sides)
    ]


def _by_agent(about: DatasetInfo, games: Columns) -> list[tuple[str, ...]]:
    names, scores, shares = (
        np.concatenate([games[f"{column}_{seat}"] for seat in range(about.seats)]) for column in ("agent", "score", "share")
    )
    found: list[tuple[str, ...]] = []
    for name in about.agents:
        own = names == name
        if own.any():
            found.append((name, f"{int(own.sum()):,}", f"{scores[own].mean():.2f}", f"{shares[own].mean():.3f}"))
    return found


def _endings(games: Columns) -> str:
    names, counts = np.unique(games["ending"].astype(str), return_counts=True)
    return ", ".join(f"{name} {count:,}" for name, count in zip(names, counts, strict=True))


def _schemas(about: DatasetInfo) -> list[str]:
    rows = (STEPS, steps_schema(about)) if about.content == STEPS else ("replay", replay_schema(about))
    return [
        f"`{name}/`:\n\n" + _table(("column", "type"), [(field.name, str(field.type)) for field in schema])
        for name, schema in (rows, ("games", games_schema(about)))
    ]


def _table(heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines) + "\n"
