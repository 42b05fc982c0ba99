"""Observations and features in the layout of five seats (the option ``padded``)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from ginkgo_env import Batch, ConfigError, make_game
from ginkgo_env.games.ginkgopolis.constants import MAX_PLAYERS
from ginkgo_env.games.ginkgopolis.observe import CONFIGURATION_FIELDS, EVENT_PLANES
from ginkgo_env.testing import CHECKS, run_contract

from ..tiers import by_tier

OPTIONS: dict[str, dict[str, Any]] = {
    **{f"{n} players": {"players": n} for n in range(1, MAX_PLAYERS + 1)},
    **{f"{n} players with modules": {"players": n, "modules": "all"} for n in range(2, MAX_PLAYERS + 1)},
    "advanced": {"players": 1, "level": "advanced"},
    "introductory and strict": {"players": 2, "setup": "introductory", "strict": True},
}
_FEW = ("3 players", "2 players with modules")


def both(name: str, size: int = 6) -> tuple[Batch, Batch]:
    """The same games, padded and not, at their start."""
    padded, ordinary = (Batch(make_game("ginkgopolis", padded=on, **OPTIONS[name]), size) for on in (True, False))
    for batch in (padded, ordinary):
        batch.reset(seed=2)
    return padded, ordinary


def kept(name: str, block: Any, sides: int) -> np.ndarray:
    """Which rows of a padded block, along its first axis, an ordinary one has."""
    rows = np.arange(block.shape[0])
    if name == "events":  # what each seat holds, then what each has played
        first = len(EVENT_PLANES)
        return rows[(rows < first) | ((rows - first) % MAX_PLAYERS < sides)]
    return rows


@pytest.mark.parametrize("name", OPTIONS)
def test_padded_views_are_the_ordinary_ones_and_zeros(name: str) -> None:
    padded, ordinary = both(name)
    sides = ordinary.game.sides
    for step in range(400):
        if step % 15 == 0:
            for seat in range(ordinary.game.seats):
                for view in ("observation", "features"):
                    call = "observe" if view == "observation" else "features"
                    long, short = getattr(padded, call)(seat), getattr(ordinary, call)(seat)
                    layouts = getattr(padded.game, view), getattr(ordinary.game, view)
                    rest = np.ones(layouts[0].size, np.bool_)
                    for block in layouts[1]:
                        rows = kept(block, layouts[0][block], sides)[: layouts[1][block].shape[0]]
                        assert (layouts[0].view(long, block)[:, rows] == layouts[1].view(short, block)).all(), (view, block)
                        layouts[0].view(rest, block)[rows] = False
                    rest[layouts[0]["configuration"].slice] = False
                    assert not long[:, rest].any(), view
        actions = ordinary.sample()
        for batch in (padded, ordinary):
            batch.step(actions)
        assert padded.states.tobytes() == ordinary.states.tobytes() and (padded.mask == ordinary.mask).all()


@pytest.mark.parametrize("name", OPTIONS)
def test_the_block_configuration_says_who_plays_and_how(name: str) -> None:
    padded, ordinary = both(name, 1)
    game, config = padded.game, ordinary.game.config
    expected = [float(seat < game.sides) for seat in range(MAX_PLAYERS)]
    solo = config.players == 1
    expected += [solo, config.level == "advanced", config.setup == "draft" and not solo, config.strict]
    for view, layout in ((padded.observe(0), game.observation), (padded.features(0), game.features)):
        assert layout.view(view, "configuration")[0].tolist() == expected
        assert list(layout)[-1] == "configuration" and layout["configuration"].size == len(CONFIGURATION_FIELDS)


@pytest.mark.parametrize("modules", [(), "all"])
def test_all_numbers_of_players_have_the_same_layouts(modules: Any) -> None:
    games = [make_game("ginkgopolis", players=n, padded=True, modules=modules) for n in range(2, MAX_PLAYERS + 1)]
    for name in ("actions", "observation", "features"):
        first, *others = (list(getattr(game, name).values()) for game in games)
        assert all(other == first for other in others)
        ends = [(block.start, block.stop) for block in first]
        assert ends[0][0] == 0 and all(stop == start for (_, stop), (start, _) in pairwise(ends))
        assert ends[-1][1] == getattr(games[0], name).size


@pytest.mark.parametrize("name", by_tier(OPTIONS, _FEW))
def test_contract(name: str) -> None:
    game = make_game("ginkgopolis", padded=True, **OPTIONS[name])
    wanted = ("check_layouts", "check_observations", "check_features", "check_resampling_is_blind", "check_copies")
    run_contract(game, [check for check in CHECKS if check.__name__ in wanted])


def test_padded_changes_layouts_alone() -> None:
    ordinary, padded = make_game("ginkgopolis", players=3), make_game("ginkgopolis", players=3, padded=True)
    assert padded.shares_states(ordinary) and padded.kernels is ordinary.kernels
    assert ordinary.with_layouts_of({"padded": True}).config == padded.config
    assert padded.with_layouts_of({}).config == ordinary.config
    assert padded.with_layouts_of({"padded": True, "players": 5}) is padded and ordinary.with_layouts_of({}) is ordinary
    assert ordinary.with_layouts_of({"padded": True}) is ordinary.with_layouts_of({"padded": True})
    assert "padded" not in ordinary.config_dict and padded.config_dict["padded"] is True
    batch = Batch(padded, 1)
    position = batch.position(0)
    assert "padded" not in position["config"]
    assert ordinary.from_position(position).tobytes() == padded.from_position(position).tobytes() == batch.states.tobytes()
    with pytest.raises(ConfigError, match="padded must be True or False, got 1"):
        make_game("ginkgopolis", padded=1)
