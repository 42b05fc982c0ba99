"""The agents that know Ginkgopolis.

*William* plays at a seat among 2 to 5 players. In the solo game (R9) William is part of the rules: it plays a random card, always
with a random tile. Among players this agent does the same as far as the rules for players allow.

*Greedy* looks one action ahead, with a compiled lookahead that plays in resampled states only.

**The value of a state** for a side is its *stake* less the highest stake of the others. The stake of a side is its score as it
stands (R8.2: SP, New Hand tokens, endgame cards, districts) and, until the game is over, the expected value of its
means. With ``left`` the share of the game still ahead (0 to 1)::

    stake = score + min(1, FADE x left) x (RESOURCE x resources behind the screen + TILE x tiles behind the screen)
                  + left x sum over actions of TIMES[action] x (its bonus: RESOURCE, TILE or 1 for each item)

``left`` is the smallest of these, each as a share of its amount at the start: the tiles in the supply, and the resources of
each side that are not on buildings. The game ends when they run out (R8.1). William alone has no use for means. A game that is
over is worth WIN more to a winner and WIN less to a loser. The names are :class:`Weight`.

With modules of The Experts tiles behind the screen are weighed by their value, event tiles behind the screen are means as well,
and so are the further points that an expert may still bring, in proportion to ``left``. A kept card is worth nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.base import WORLDS, Agent, DecisionBatch, ResamplingAgent, nth_keys, sample_legal
from ginkgo_env.core.afterstates import masks_of
from ginkgo_env.core.compile.bits import count, popcount
from ginkgo_env.core.compile.jit import entry, kernel
from ginkgo_env.core.compile.specialize import specialize
from ginkgo_env.core.errors import ConfigError, short_repr
from ginkgo_env.core.events import no_log
from ginkgo_env.core.layout import Layout
from ginkgo_env.core.rng import GOLDEN, mix
from ginkgo_env.games.ginkgopolis.actions import ALONE
from ginkgo_env.games.ginkgopolis.constants import (
    MAX_PLAYERS,
    N_COLORS,
    N_EVENTS,
    NONE,
    PLAYER,
    RESOURCES,
    Action,
    EventTile,
    Expert,
    Item,
    Source,
    Stage,
)
from ginkgo_env.games.ginkgopolis.features import HIGH_WORD, NEW_BUILDINGS, PRESTIGE, share_left
from ginkgo_env.games.ginkgopolis.modules import EXPANSION
from ginkgo_env.games.ginkgopolis.playout import playout
from ginkgo_env.games.ginkgopolis.rules.machine import step
from ginkgo_env.games.ginkgopolis.rules.scoring import score
from ginkgo_env.games.ginkgopolis.state import State

# --- William -----------------------------------------------------------------------------------------------------------------


class WilliamAgent(Agent):
    """Plays a random card of its hand, with a random tile if any is legal.

    It never takes a New Hand and returns no tile (R7.1). All other choices are random.
    """

    game_name = "ginkgopolis"

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn."""
        actions = sample_legal(turn.masks, turn.keys)
        actions[turn.kinds == Stage.RETURN] = turn.game.actions["return"].stop - 1  # done
        commits = np.flatnonzero(turn.kinds == Stage.COMMIT)
        if commits.size:
            actions[commits] = build(turn.game.actions, turn.masks[commits], turn.keys[commits])
        return actions


def build(layout: Layout, masks: NDArray[np.int8], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Choose a random card, and a random legal tile with it if there is one."""
    commits = layout.view(masks, "commit")
    cards = sample_legal(commits[:, :, ALONE], nth_keys(keys, 1))
    with_tile = commits[np.arange(len(commits)), cards].copy()
    with_tile[:, ALONE] = 0
    choices = sample_legal(with_tile, nth_keys(keys, 2))
    indices = cards * commits.shape[2] + np.where(choices < 0, ALONE, choices)
    return np.asarray(layout["commit"].start + indices, np.int64)


# --- greedy: the value of a state, and the lookahead -------------------------------------------------------------------------


_RESOURCES = np.array(RESOURCES, np.float64)
_N_SOURCES = len(Source)


class Weight(IntEnum):
    """The weights of the parts of the evaluation, in points."""

    RESOURCE = 0  # a resource behind the screen
    TILE = 1  # a tile behind the screen
    FADE = 2  # inverse of the share of the game left from which these lose their worth
    EXPLOIT = 3  # how often in a whole game a bonus pays: by action, in the order of Action
    URBANIZE = 4
    CONSTRUCT = 5
    WIN = 6  # having won
    NEW_BUILDING = 7  # a tile of value II behind the screen
    PRESTIGE = 8  # one of value III
    GREEN_SPACE = 9  # a green space
    DESIGN = 10  # an event tile behind the screen: by kind, in the order of EventTile
    PRESS = 11
    EXPROPRIATION = 12
    CONTROL = 13
    ARTIST = 14  # what an expert brings in a whole game beyond their points, in the order of Expert
    BANKER = 15
    LAWYER = 16
    CONTROLLER = 17
    ENTREPRENEUR = 18
    PROFESSOR = 19
    JOURNALIST = 20
    ENGINEER = 21
    MAYOR = 22
    ARCHITECT = 23


def weights_of(table: type[IntEnum], first: Weight) -> tuple[Weight, ...]:
    """The weights for the members of a table, from the first one on.

    Raises TypeError unless names and order agree, since kernels read weights by number.
    """
    weights = tuple(Weight)[first : first + len(table)]
    names = [member.name for member in table]
    if [weight.name for weight in weights] != names:
        raise TypeError(f"weights from {first.name} on must be those of {table.__name__}: {', '.join(names)}")
    return weights


ACTION_WEIGHTS = weights_of(Action, Weight.EXPLOIT)
EVENT_WEIGHTS = weights_of(EventTile, Weight.DESIGN)
EXPERT_WEIGHTS = weights_of(Expert, Weight.ARTIST)


@kernel
def play_on(g: State, action: int, mask: np.ndarray, key: np.uint64, log: np.ndarray) -> None:
    """Play an action, and then random actions to the end of the round.

    The actor plays at random too, but returns no further tiles (R7.1). In decisions of modules all players take the usual choice
    (``playout``).
    """
    seat, round_now = int(g.actor), int(g.rounds)
    step(g, None, action, mask, log)
    while g.stage != Stage.OVER and g.rounds == round_now:
        key += GOLDEN
        step(g, None, playout(g, None, seat, mask, key), mask, log)


@kernel
def value_of(g: State, seat: int, weights: np.ndarray, scores: np.ndarray) -> float:
    """The seat's stake less the highest of the others."""
    score(g, None, scores)
    left = share_left(g)
    own, best = 0.0, -np.inf
    for p in range(g.players):
        stake = 0.0
        for source in range(_N_SOURCES):
            stake += scores[p, source]
        if g.stage != Stage.OVER and not (g.solo and p != PLAYER):
            stake += worth_of_means(g, p, left, weights)
        if p == seat:
            own = stake
        else:
            best = max(best, stake)
    value = own - best
    if g.stage == Stage.OVER and value != 0.0:
        value += weights[Weight.WIN] if value > 0.0 else -weights[Weight.WIN]
    return value


@kernel
def worth_of_means(g: State, p: int, left: float, weights: np.ndarray) -> float:
    """The expected value of a player's resources, tiles and bonuses."""
    resource, tile = float(weights[Weight.RESOURCE]), float(weights[Weight.TILE])
    fade = min(1.0, float(weights[Weight.FADE]) * left)
    worth = fade * (resource * int(g.resources[p]) + tile * count(g.tiles[p]))
    for action in range(N_COLORS):
        bonus = g.bonus[p, action]
        items = resource * bonus[Item.RESOURCE] + tile * bonus[Item.TILE] + bonus[Item.POINT]
        worth += left * float(weights[Weight.EXPLOIT + action]) * float(items)
    if EXPANSION:
        worth += fade * worth_of_extras(g, p, weights)
        if g.expert[p] != NONE:
            worth += left * float(weights[Weight.ARTIST + g.expert[p]])
    return worth


@kernel
def worth_of_extras(g: State, p: int, weights: np.ndarray) -> float:
    """The value of event tiles, and the extra value of new buildings, prestige buildings and green spaces."""
    worth = 0.0
    for kind in range(N_EVENTS):
        if g.events[p] >> kind & 1:
            worth += float(weights[Weight.DESIGN + kind])
    tile = float(weights[Weight.TILE])
    worth += (float(weights[Weight.NEW_BUILDING]) - tile) * popcount(g.tiles[p, HIGH_WORD] & NEW_BUILDINGS)
    worth += (float(weights[Weight.PRESTIGE]) - tile) * popcount(g.tiles[p, HIGH_WORD] & PRESTIGE)
    if g.green[p] > 0:  # the set holds equal tiles once
        worth += float(weights[Weight.GREEN_SPACE]) * int(g.green[p]) - tile
    return worth


def look_ahead(start, stop, states, keys, weights, values):  # type: ignore[no-untyped-def]
    """Evaluate each legal action for the actor, on average over worlds.

    states (rows, worlds) are resampled, keys (rows,) uint64 random keys. Writes values (rows, A) float64 but for those that are
    minus infinity, as of actions that are not legal. All actions of a world meet the same random numbers.
    """
    worlds, log = states.shape[1], no_log()
    scratch = states[0, :1].copy()
    mask = np.empty(values.shape[1], np.int8)
    scores = np.empty((MAX_PLAYERS, _N_SOURCES), np.int32)
    for i in range(start, stop):
        seat = int(states[i, 0].actor)
        for action in range(values.shape[1]):
            if values[i, action] == -np.inf:
                continue
            total = 0.0
            for k in range(worlds):
                scratch[0] = states[i, k]
                key = mix(keys[i] ^ np.uint64(k))
                play_on(scratch[0], action, mask, key, log)
                total += value_of(scratch[0], seat, weights, scores)
            values[i, action] = total / worlds


LOOK_AHEAD = {expansion: entry(specialize(look_ahead, EXPANSION=expansion)) for expansion in (False, True)}
"""The lookahead without and with modules."""


WEIGHTS: Mapping[Weight, float] = {
    Weight.RESOURCE: 1.5,
    Weight.TILE: 1.3,
    Weight.FADE: 8.0,
    Weight.EXPLOIT: 10.5,
    Weight.URBANIZE: 1.2,
    Weight.CONSTRUCT: 10.0,
    Weight.WIN: 7.5,
    Weight.NEW_BUILDING: 1.3,
    Weight.PRESTIGE: 1.3,
    Weight.GREEN_SPACE: 1.3,
    Weight.DESIGN: 5.0,
    Weight.PRESS: 5.0,
    Weight.EXPROPRIATION: 5.0,
    Weight.CONTROL: 5.0,
    **dict.fromkeys(EXPERT_WEIGHTS, 0.0),
}
"""Tuned in games against earlier versions, ``random`` and ``william``."""


class GreedyAgent(ResamplingAgent):
    """Plays the action with the best average value at the end of the round over resampled worlds.

    Each legal action is played in each of a few resampled worlds, followed by random actions to the end of the round, and the
    result is evaluated. All actions meet the same worlds and random numbers.
    Ties go to the action with the lower id.

    worlds : number of resampled worlds for each decision
    weights : weights of the evaluation; the defaults are in :data:`WEIGHTS`
    """

    game_name, plays_mixtures = "ginkgopolis", True

    def __init__(self, worlds: int = WORLDS, weights: Mapping[Weight, float] | None = None) -> None:
        super().__init__(worlds)
        for unknown in set(weights or {}) - set(Weight):
            raise ConfigError(f"weights must be numbered 0..{len(Weight) - 1}, got {short_repr(unknown)}")
        chosen = {**WEIGHTS, **(weights or {})}
        self._weights = np.array([chosen[weight] for weight in Weight], np.float64)

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn."""
        return np.asarray(self.values(turn).argmax(axis=1), np.int64)

    def values(self, turn: DecisionBatch) -> NDArray[np.float64]:
        """The value of each action in points: (rows, A), minus infinity where it is not legal."""
        worlds = turn.resampled_states(self.worlds).reshape(len(turn), self.worlds)
        masks = turn.masks & masks_of(turn.game, worlds[:, 0])  # the caller may have written to the masks of the turn
        values = np.where(masks != 0, 0.0, -np.inf)
        look_ahead = LOOK_AHEAD[bool(turn.game.template["expansion"][0])]
        turn.threads.run(look_ahead, len(turn), worlds, turn.keys, self._weights, values)
        return values
