"""Generate the pages and pictures of the games: ``python docs/generate.py``.

A test checks that they are up to date.
"""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from textwrap import wrap

import numpy as np
from gymnasium import spaces

import ginkgo_env
from ginkgo_agents import agent_names
from ginkgo_env.core import rewards
from ginkgo_env.core.game import Game
from ginkgo_env.core.layout import Layout
from ginkgo_env.core.state import fields_of
from ginkgo_env.core.text import markdown_table
from ginkgo_env.envs.observation_writer import KINDS, ObservationWriter
from ginkgo_env.envs.registration import gymnasium_ids, pettingzoo_id, text_id
from ginkgo_env.envs.rendering import RENDER_MODES
from ginkgo_env.registry import OWN_GAMES, game_class

DOCS = Path(__file__).resolve().parent


def _layout(layout: Layout) -> list[str]:
    """Return a table of blocks, and a list of their meanings."""
    blocks = layout.values()
    rows = [(f"`{b.name}`", " x ".join(map(str, b.shape)), b.start, f"{b.low}..{b.high}", b.seen_by) for b in blocks]
    table = markdown_table(("block", "shape", "from", "values", "visible to"), rows)
    return [table, *(line for block in blocks for line in _wrapped(f"* `{block.name}`: {block.meaning}"))]


def _wrapped(text: str) -> list[str]:
    """Wrap a paragraph or an item of a list to 128 characters."""
    return wrap(text, 128, subsequent_indent="  " * text.startswith("*"), break_long_words=False, break_on_hyphens=False)


def _configurations(name: str) -> list[str]:
    cls = game_class(name)
    rows = []
    for config in cls.configurations():
        game = game_class(name)(**config)
        options = ", ".join(f"`{key}={text}`" for key, text in cls.option_texts(config).items())
        options += f" ({game.variant})" if game.variant else ""
        rows.append((options, game.seats, ", ".join(game.side_names), game.actions.size, game.observation.size))
    defaults = asdict(game_class(name)().config)
    table = markdown_table(("options", "seats", "sides that score", "actions", "observation"), rows)
    return [table, *_wrapped("Options and defaults: " + ", ".join(f"`{k}={v!r}`" for k, v in defaults.items()) + ".")]


def _values(cls: type[Game], option: str) -> list[str]:
    """Return the section of an option with named values."""
    text = re.sub(r"docs/games/(\w+)\.md", r"[\1](\1.md)", cls.option_notes.get(option, "").capitalize())
    note = [f"{text}.", ""] if text else []
    rows = [(f"`{name}`", meaning) for name, meaning in cls.option_values[option].items()]
    return [f"## Option `{option}`", "", *note, markdown_table(("name", "meaning"), rows)]


def _layouts(game: Game, label: str) -> list[str]:
    """Return the sections of actions, observation and features of a configuration."""
    observed = f"{game.observation.size} numbers of {np.dtype(game.observation_dtype).name}"
    decisions = [f"`{kind}`" for number, kind in enumerate(game.decisions) if number != game.over]
    which = f" {label}" if label else ""
    note = [game.observation_note, ""] if game.observation_note else []
    return [
        *(f"## Actions{which}: Discrete({game.actions.size})", ""),
        *(f"Decisions: {', '.join(decisions)}.", ""),
        *(*_layout(game.actions), ""),
        *(f"## Observation{which}, {game.sides} sides: {observed}", ""),
        *(*note, *_layout(game.observation), ""),
        *(f"### Features: {game.features.size} numbers of float32", "", *_layout(game.features), ""),
    ]


def _state(game: Game) -> list[str]:
    """Return the section of the state: a table of its fields."""
    assert game.state is not None
    rows, meanings = [], []
    for name, field in fields_of(game.state).items():
        shape, kind = " x ".join(getattr(n, "used", "") or str(n) for n in field.shape), np.dtype(field.dtype).name
        rows.append((f"`{name}`", kind, shape, field.values, field.empty, field.seen_by.value))
        meanings += _wrapped(f"* `{name}`: {field.meaning}")
    note = "Entries of an axis that is named after another field are in use as far as that field says; the others are empty."
    table = markdown_table(("field", "type", "shape", "values", "empty", "seen by"), rows)
    size = _wrapped(f"A record of {game.template.dtype.itemsize} bytes. {note}")
    return ["## State", "", *size, "", table, *meanings, ""]


def _ids(cls: type[Game]) -> list[str]:
    """Return the section of ids and classes of the game in each library."""
    rows = []
    for identifier, options in gymnasium_ids(cls.name).items():
        given = "".join(f", {key}={value!r}" for key, value in options.items() if key != "game")
        rows.append(("Gymnasium, one learner", f"`ginkgo_env:{identifier}`", f"`GinkgoEnv({cls.name!r}{given})`"))
        rows.append(("Gymnasium, text", f"`ginkgo_env:{text_id(identifier)}`", f"`ginkgo_env.text_env({cls.name!r}{given})`"))
    rows.append(("PettingZoo, AEC", f"`{pettingzoo_id(cls.name)}`", f"`ginkgo_env.env({cls.name!r})`, `raw_env`"))
    if cls.simultaneous:
        rows.append(("PettingZoo, parallel", f"`{pettingzoo_id(cls.name)}`", f"`ginkgo_env.parallel_env({cls.name!r})`"))
    rows.append(("Stable-Baselines3, one learner", "", f"`ginkgo_env.envs.sb3.GinkgoVecEnv({cls.name!r})`"))
    modes, agents = (", ".join(f"`{each}`" for each in some) for some in (RENDER_MODES, agent_names(cls.name)))
    table = markdown_table(("library", "id", "class or function"), rows)
    return ["## Environments", "", table, f"Render modes: {modes}. Opponents by name: {agents}.", ""]


def _space(space: spaces.Space[object]) -> str:
    if isinstance(space, spaces.Dict):
        return ", ".join(f"`{name}`: {_space(part)}" for name, part in space.items())
    assert isinstance(space, spaces.Box)
    return f"Box {space.low.min():g} to {space.high.max():g}, {space.shape}, {np.dtype(space.dtype).name}"


def _spaces(game: Game) -> list[str]:
    """Return the spaces of a configuration by kind of observation."""
    rows = [(f"`{kind}`", _space(ObservationWriter(game, kind).space)) for kind in KINDS]
    options = ", ".join(f"`{key}={value}`" for key, value in list(game.config_dict.items())[:1])
    note = f"With {options}; see the configurations for other sizes. Actions: `Discrete({game.actions.size})`."
    return ["## Spaces", "", note, "", markdown_table(("`observation=`", "observation space"), rows)]


def _rewards(cls: type[Game]) -> list[str]:
    """Return the rewards by name, from the docstring of their module, and the sources of points."""
    documented = re.findall(r"^\* ``(\w+)``: (.*?)(?=^\*|^$)", rewards.__doc__ or "", re.MULTILINE | re.DOTALL)
    defaults = {game.sides: f"`{rewards.chosen_reward(None, game.sides)}`" for game in _games(cls)}
    default = defaults[max(defaults)] + (f"; with one side {defaults[1]}" if 1 in defaults else "")
    texts = {name: " ".join(text.split()).replace("``", "`") for name, text in documented}
    items = [
        f"* `{name}`: {re.sub(r'[A-Z_]{5,}', lambda at: f'{getattr(rewards, at[0]):g}', text)}" for name, text in texts.items()
    ]
    sources = ", ".join(f"`{source}`" for source in _games(cls)[0].sources)
    lines = [f"By default: {default}. Values of `reward`:", "", *(line for item in items for line in _wrapped(item)), ""]
    return ["## Rewards", "", *lines, *_wrapped(f"Sources of points (`Outcome.breakdown`): {sources}."), ""]


def _games(cls: type[Game]) -> list[Game]:
    return [game_class(cls.name)(**config) for config in cls.configurations()]


def _picture(cls: type[Game]) -> list[str]:
    """Return the image of the game, if it exists."""
    images = sorted((DOCS / "pictures").glob(f"{cls.name}.*"))
    return [f"![A position of {cls.title}](../pictures/{images[0].name})", ""] if images else []


def _history(cls: type[Game]) -> list[str]:
    """Return the section of version history."""
    return ["## Version history", "", *(f"* v{version}: {cls.history[version]}." for version in range(cls.version, -1, -1)), ""]


def game_page(name: str) -> str:
    """Return the page of a game: environments, rewards, configurations, options and layouts."""
    cls = game_class(name)
    lines = [f"# {cls.title}", "", "Generated by `python docs/generate.py`.", ""]
    lines += [f"The rules, with every ruling: [Rules of {cls.title}](../rules/{name}.md).", ""]
    lines += [*_picture(cls), f"Environment version: v{cls.version}.", "", *_ids(cls), *_spaces(game_class(name)())]
    lines += [*_rewards(cls), "## Configurations", "", *_configurations(name), ""]
    for option in cls.option_values:
        lines += _values(cls, option)
    for label, config in cls.layouts().items():
        lines += _layouts(game_class(name)(**config), label)
    lines += _state(game_class(name)())
    return "\n".join([*lines, *_history(cls)])


def game_picture(name: str) -> str:
    """Return a position of a random game as SVG, with all information visible."""
    batch = ginkgo_env.Batch(game_class(name)(), 1)
    batch.reset(seed=7)
    states = [batch.state(0).copy()]
    while not batch.over[0]:
        batch.step(batch.sample())
        states.append(batch.state(0).copy())
    return str(batch.game.picture(states[3 * len(states) // 5]).svg()) + "\n"


def main() -> None:
    """Write the pages and pictures of all games."""
    for name in OWN_GAMES:
        (DOCS / "pictures" / f"{name}.svg").write_text(game_picture(name), encoding="utf-8")
        (DOCS / "games" / f"{name}.md").write_text(game_page(name), encoding="utf-8")


if __name__ == "__main__":
    main()
