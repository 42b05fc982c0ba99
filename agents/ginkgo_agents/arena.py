"""Matches between agents, *duplicate*: the same deals with the seats rotated, so that luck cancels.

A deal is the seed of a game. At a :class:`Table` with n seats each deal is played n times, in rotation r by the agent at position
(s + r) mod n of the lineup at seat s. All tables with as many players play the same deals, and the games alone against William at
both levels too. The deal is the unit of all statistics: games of a deal are not independent, deals are.

Deals come from the seed alone: the first ones do not depend on how many are played, nor on the other tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.base import Crew, Turn, Words, ask, nth_words
from ginkgo_agents.registry import make_agent
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError, IllegalActionError
from ginkgo_env.core.masks import NO_ACTION
from ginkgo_env.games.ginkgopolis.constants import HAND_SIZE
from ginkgo_env.registry import make_game

GAME = "ginkgopolis"
LEVELS = ("standard", "advanced")
_BLOCK = 250  # games played side by side; what is finished when a run is interrupted is counted in blocks
_DEALS, _CHOICES = 0, 1  # streams of a seed

Tick = Callable[[int], None]


@dataclass(frozen=True)
class Table:
    """Who plays what: a name of an agent for each seat. One player is alone against William at a level, without modules."""

    lineup: tuple[str, ...]
    players: int = 2
    level: str = "standard"
    modules: tuple[str, ...] = ()
    hand_size: int = HAND_SIZE

    def __post_init__(self) -> None:
        if len(self.lineup) != self.players:
            raise ConfigError(f"{self.players} players need as many agents, not {len(self.lineup)}")

    @property
    def config(self) -> dict[str, Any]:
        """The options of the game."""
        options = {"players": self.players, "modules": self.modules, "hand_size": self.hand_size}
        return {**options, "level": self.level} if self.players == 1 else options

    @property
    def title(self) -> str:
        """In words."""
        names = ", ".join(self.lineup)
        return f"{names} alone, {self.level} level" if self.players == 1 else f"{self.players} players: {names}"


@dataclass(frozen=True)
class KeptGame:
    """A game as it was played, for a record."""

    config: dict[str, Any]
    seed: int
    players: tuple[str, ...]
    actions: tuple[int, ...]


@dataclass
class Played:
    """The finished games of a table."""

    table: Table
    seeds: Words = field(default_factory=lambda: np.zeros(0, np.uint64))
    """(deals,) seeds of the games."""
    totals: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 0, 0), np.int64))
    """(deals, rotations, sides) scores, sides in the order of the lineup (alone: agent, William)."""
    cut_off: int = 0
    """How many of the games were cut off by the bound on rounds; their scores count as they stood."""
    kept: list[KeptGame] = field(default_factory=list)
    """The first games with their actions."""

    @property
    def deals(self) -> int:
        """How many deals were played to the end in all rotations."""
        return len(self.seeds)

    @property
    def games(self) -> int:
        """How many games that makes."""
        return int(self.totals.shape[0] * self.totals.shape[1])

    @property
    def wins(self) -> NDArray[np.float64]:
        """(deals, rotations, sides): 1 for a win, shared equally when several are first, else 0."""
        best = self.totals == self.totals.max(axis=2, keepdims=True)
        return np.asarray(best / best.sum(axis=2, keepdims=True))

    @property
    def margins(self) -> NDArray[np.float64]:
        """(deals, rotations, sides): own score less the mean of the others'."""
        others = self.totals.sum(axis=2, keepdims=True) - self.totals
        return np.asarray(self.totals - others / (self.totals.shape[2] - 1))

    def and_then(self, more: Played) -> Played:
        """These games and then those of further deals."""
        return Played(
            self.table,
            np.concatenate([self.seeds, more.seeds]),
            np.concatenate([self.totals, more.totals]),
            self.cut_off + more.cut_off,
            self.kept + more.kept,
        )

    def seats_of(self, name: str) -> NDArray[np.int64]:
        """The positions of an agent in the lineup."""
        return np.array([i for i, other in enumerate(self.table.lineup) if other == name], np.int64)


def solo_tables(names: Sequence[str]) -> list[Table]:
    """Every agent alone against William, at both levels."""
    return [Table((name,), 1, level) for level in LEVELS for name in names]


def tables_of(names: Sequence[str], players: int, modules: tuple[str, ...] = (), hand_size: int = HAND_SIZE) -> list[Table]:
    """Every combination of as many different agents as there are seats or agents, whichever is less.

    A combination of k agents fills n seats in its order, again and again. If n is no multiple of k there is a table for each
    agent to begin with, so that everybody has as many seats. The rotations of a deal bring every agent to every seat.
    """
    k = min(players, len(names))
    if k < 2:
        return []
    starts = range(1) if players % k == 0 else range(k)
    return [
        Table(tuple(chosen[(seat + start) % k] for seat in range(players)), players, modules=modules, hand_size=hand_size)
        for chosen in combinations(names, k)
        for start in starts
    ]


def deal_seeds(seed: int, players: int, deals: int) -> Words:
    """(deals,) seeds of games."""
    return _words(seed, players, _DEALS, deals)


def choice_words(seed: int, players: int, deals: int) -> Words:
    """(deals, players) random words: where the agents' chance in each game begins."""
    return _words(seed, players, _CHOICES, deals * players).reshape(deals, players)


def _words(seed: int, players: int, stream: int, n: int) -> Words:
    """The first n words of a stream; they do not depend on n."""
    return np.asarray(np.random.SeedSequence(seed, spawn_key=(players, stream)).generate_state(n, np.uint64), np.uint64)


def play_table(table: Table, deals: int, seed: int, *, threads: int = 1, keep: int = 0) -> Played:
    """Play so many deals at a table in all rotations. The first `keep` games are kept with their actions."""
    crew = Crew(threads)
    try:
        played = Played(table)
        for played in play_blocks(table, deals, seed, crew, keep=keep):  # noqa: B007 -- the last one is complete
            pass
        return played
    finally:
        crew.close()


def play_blocks(table: Table, deals: int, seed: int, crew: Crew, *, keep: int = 0, tick: Tick | None = None) -> Iterator[Played]:
    """Play block by block; yields all that is finished after each. tick is told how many games each step has ended."""
    match = _Match(table, crew)
    seeds, words = deal_seeds(seed, table.players, deals), choice_words(seed, table.players, deals)
    size = max(1, _BLOCK // table.players)
    played = Played(table)
    for start in range(0, deals, size):
        now = slice(start, min(deals, start + size))
        block = match.play(seeds[now], words[now], keep - len(played.kept), tick)
        played = played.and_then(block) if start else block
        yield played


class _Match:
    """The agents of a table, in a game of its configuration."""

    def __init__(self, table: Table, crew: Crew) -> None:
        names = list(dict.fromkeys(table.lineup))
        self.table, self.crew = table, crew
        self.game = make_game(GAME, **table.config)
        self.agents = [make_agent(name) for name in names]
        self.places = np.array([names.index(name) for name in table.lineup])  # which agent, by position in the lineup

    def play(self, seeds: Words, words: Words, keep: int, tick: Tick | None) -> Played:
        """Play deals (deals,) side by side; words (deals, rotations) are where the agents' chance begins."""
        deals, n = words.shape
        batch = Batch(self.game, deals * n, threads=self.crew.threads)
        batch.reset(np.repeat(seeds, n))
        rotations, streams = np.tile(np.arange(n), deals), words.reshape(-1)
        taken: list[list[int]] = [[] for _ in range(min(max(keep, 0), batch.size))]
        step = cut_off = 0
        while not batch.over.all():
            step += 1
            actions = self._decide(batch, rotations, nth_words(streams, step))
            for row, log in enumerate(taken):
                if actions[row] != NO_ACTION:
                    log.append(int(actions[row]))
            self._step(batch, actions)
            cut_off += int(batch.truncated.sum())
            if tick is not None:
                tick(int(batch.done.sum()))
        batch.close()
        kept = [self._kept(int(seeds[row // n]), row % n, log) for row, log in enumerate(taken)]
        totals = batch.totals.reshape(deals, n, self.game.sides).astype(np.int64)
        return Played(self.table, seeds, _by_position(totals), cut_off, kept)

    def _decide(self, batch: Batch, rotations: NDArray[np.int64], words: Words) -> NDArray[np.int64]:
        """Ask each agent once, for all rows in which it has to decide."""
        actions = np.full(batch.size, NO_ACTION, np.int64)
        rows = np.flatnonzero(~batch.over)
        acting = self.places[(batch.actor[rows] + rotations[rows]) % len(self.places)]
        for k, agent in enumerate(self.agents):
            mine = rows[acting == k]
            if mine.size:
                actions[mine] = ask(agent, Turn(batch, mine, words[mine], self.crew))
        return actions

    def _step(self, batch: Batch, actions: NDArray[np.int64]) -> None:
        try:
            batch.step(actions)
        except IllegalActionError as error:
            raise IllegalActionError(f"{self.table.title}: {error}") from None

    def _kept(self, seed: int, rotation: int, actions: list[int]) -> KeptGame:
        """A game for a record, the agents in the order of the seats."""
        n = self.table.players
        players = tuple(self.table.lineup[(seat + rotation) % n] for seat in range(n))
        return KeptGame(self.game.config_dict, seed, players, tuple(actions))


def _by_position(totals: NDArray[np.int64]) -> NDArray[np.int64]:
    """(deals, rotations, seats) to (deals, rotations, positions of the lineup). Alone there is nothing to rotate."""
    out = totals.copy()
    for rotation in range(1, totals.shape[1]):
        out[:, rotation] = np.roll(totals[:, rotation], rotation, axis=1)
    return out
