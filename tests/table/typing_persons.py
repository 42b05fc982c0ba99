"""Persons at a keyboard for tests of ``ginkgo play``: they type actions in all the ways that there are."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import ginkgo_env
from ginkgo_table import LiveGame, SeatAssignment
from ginkgo_table.terminal.app import Terminal
from ginkgo_table.terminal.seating import Autosave
from ginkgo_table.terminal.translator import Grid, Output, TextKind, Translator

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("ginkgopolis", {"players": 2}),
    ("golden_city", {"players": 2}),
    ("my_city", {"players": 2}),
]


def make_terminal(
    name: str, options: dict[str, Any], *, persons: int = 1, seed: int = 4, language: str = "en", autosave: Autosave | None = None
) -> Terminal:
    """A new game with persons at the first seats and the agent random at the others."""
    game = ginkgo_env.make_game(name, **options)
    seats = [SeatAssignment(f"Ann{seat}") if seat < persons else SeatAssignment("random", "random") for seat in range(game.seats)]
    return Terminal(LiveGame(game, seed, seats), Translator(language, game), autosave or Autosave())


def text(pieces: Iterator[Output]) -> str:
    """All that is shown, as text; what only says that something is being done is left out."""
    found = []
    for piece in pieces:
        if isinstance(piece, Grid):
            found += [" ".join(row) for row in [piece.columns, *piece.rows]]
        elif piece.kind is not TextKind.BUSY:
            found.append(piece.text)
    return "\n".join(found)


def by_number(terminal: Terminal, action: int) -> Iterator[str]:
    while terminal._unconfirmed is None:
        items = terminal._selection.items
        yield f"#{1 + next(k for k, item in enumerate(items) if any(offer.id == action for offer in item.actions))}"


def by_notation(terminal: Terminal, action: int) -> Iterator[str]:
    notation = terminal.live.game.action_text(terminal.live.state, action)
    yield notation.upper()
    yield notation


def by_picks(terminal: Terminal, action: int) -> Iterator[str]:
    yield from terminal.live.game.presenter.choice(terminal.live.state, action).picks.values()


WAYS: list[Callable[[Terminal, int], Iterator[str]]] = [by_number, by_notation, by_picks]


def played(terminal: Terminal, chance: random.Random, most: int = 10_000) -> Iterator[tuple[str, str]]:
    """Type random actions; gives each line and what was shown after it."""
    yield "", text(terminal.start())
    for _ in range(most):
        if terminal.is_finished:
            return
        if terminal._is_hidden:
            yield "", text(terminal.respond(""))
        yield from _typed(terminal, chance.choice(terminal.live.legal()), chance.choice(WAYS))


def _typed(terminal: Terminal, action: int, way: Callable[[Terminal, int], Iterator[str]]) -> Iterator[tuple[str, str]]:
    """Type until the action is played; another action than this one is an error."""
    before = len(terminal.live.actions)
    for line in way(terminal, action):
        yield line, text(terminal.respond(line))
        if len(terminal.live.actions) > before or terminal._unconfirmed is not None:
            break
    if len(terminal.live.actions) == before:
        assert terminal._unconfirmed is not None and terminal._unconfirmed.id == action, (action, way.__name__)
        yield "", text(terminal.respond(""))
    assert terminal.live.actions[before] == action
