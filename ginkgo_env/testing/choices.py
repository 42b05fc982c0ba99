"""Promises about choices, which present actions as picks, and about areas."""

from __future__ import annotations

import re
from html import unescape

import numpy as np

from ginkgo_env.core.game import Game, States
from ginkgo_env.pictures.presenter import Areas
from ginkgo_env.testing.play import at, each, repeated, require, visited

_PART = re.compile(r'data-part="([^"]*)"')


def check_choices(game: Game, *, seed: int = 0, n: int = 6) -> None:
    """Legal actions differ in their picks, whose places are in the picture; nothing in them is hidden."""
    for i, state in enumerate(each(at(game, visited(game, seed=seed, n=n)).states)):
        batch, where = repeated(game, state, 1), f"state {i}"
        seat, legal = int(batch.actor[0]), np.flatnonzero(batch.mask[0]).tolist()
        choices = [game.presenter.choice(state, action) for action in legal]
        picks = {tuple(choice.picks.items()) for choice in choices}
        require(all(choice.picks for choice in choices), f"{where}: an action has no picks")
        require(len(picks) == len(choices), f"{where}: two legal actions have the same picks")
        drawn = parts_in(game, state, seat)
        for action, choice in zip(legal, choices, strict=True):
            missing = set(choice.places) - drawn
            require(not missing, f"{where}: action {action} picks {sorted(missing)}, which the picture of seat {seat} lacks")
        batch.resample(seat, seed=1000 * seed + i)
        new = batch.state(0)
        require([game.presenter.choice(new, action) for action in legal] == choices, f"{where}: resampling changes the choices")


def check_areas(game: Game, *, seed: int = 0, n: int = 6) -> None:
    """The areas of a seat have all parts of its picture."""
    for i, state in enumerate(each(at(game, visited(game, seed=seed, n=n)).states)):
        seat = int(game.actor(state)[0])
        missing = parts_in(game, state, seat) - parts_of(game.presenter.areas(state, seat))
        require(not missing, f"state {i}: {sorted(missing)} is in the picture of seat {seat}, but not in its areas")


def parts_in(game: Game, state: States, seat: int | None) -> set[str]:
    """The names of the parts of a seat's picture."""
    return _names(game.picture(state, seat).body)


def parts_of(areas: Areas) -> set[str]:
    """The names of the parts of a table in areas."""
    boxes = [box for rows in (areas.hand, areas.table, *areas.sides) for boxes in rows.values() for box in boxes]
    return _names(areas.board.body).union(*(_names(box.body) for box in boxes))


def _names(body: str) -> set[str]:
    return {unescape(part) for part in _PART.findall(body)}
