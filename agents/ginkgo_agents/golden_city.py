"""The agents that know The Golden City.

The *builder* is the scripted opponent. It builds the most valuable site that it can pay for, and bids for the pair that pays for
the best one. It does not look ahead, and ignores the other players.

*Greedy* looks one action ahead. Each legal action is played on to the end of the round in a few resampled worlds, and the result
is evaluated from the features of the player. The *stake* of a player, in letters, is the sum of letters and bonus cards as they
count now, of the scoring cards if they were scored now, and of the expected value of means::

    stake = letters and bonus cards + the card of the round + 0.8 x the cards to come
            + min(1, FADE x share of the game left) x (coins, keys, cards in hand, and sites by what they bring, each
              times its weight)

The value is the own stake less the highest of the others; once the game has ended, it is the margin plus WIN x the reward
``win``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.base import WORLDS, Agent, DecisionBatch, ResamplingAgent, best_actions, sample_legal
from ginkgo_env.core.errors import ConfigError, short_repr
from ginkgo_env.core.layout import Layout, Observation
from ginkgo_env.core.rewards import MARGIN_UNIT
from ginkgo_env.games.golden_city.actions import ACTIONS, SOURCES_OF_TWO
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import JOKER, N_GOODS, N_LANDSCAPES, N_PLACES, Kind, Landscape, Reward
from ginkgo_env.games.golden_city.features import GAME, SIDES
from ginkgo_env.games.golden_city.observe import PLAYER_FIELDS, STATUS_FIELDS

REWARD_VALUE = {Reward.CARD: 2.5, Reward.COIN: 1.0, Reward.TWO_COINS: 2.0, Reward.KEY: 3.5, Reward.BONUS: 7.0, Reward.GOODS: 7.0}
"""The value of rewards, in letters."""
FIRST_KEY = 2.0  # extra value of the first key, which opens inner districts
DISTRICT_VALUE = 1.0  # extra value of a house in the city, beyond its letters
SCORED = 2.0  # extra value of a house in the area that is scored in this round
ENOUGH = 3  # houses on the coast; further ones bring little
REACH = 0.4  # share of the value of the best place that the house turns into a site
WORTH_A_HOUSE = 3.0  # least value of a place to build on; for less, cards are better kept
COIN_VALUE = 1.0
STACK_VALUE = 0.9  # mean number of new goods on an unseen goods card

_COINS, _KEYS, _GOODS = (PLAYER_FIELDS.index(name) for name in ("coins", "keys", "goods_cards"))
_PRICE = STATUS_FIELDS.index("price")
_OWN_GOODS = 2  # row of the block "goods", after those of the display and of the cards out of the game

Values = NDArray[np.float64]


class BuilderAgent(Agent):
    """Plays the action with the highest value; ties are broken at random."""

    game_name = "golden_city"

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn."""
        game: Any = turn.game
        seen = Observation(game.observation, turn.observe())
        values = np.zeros(turn.masks.shape)
        sites = site_values(seen, game.board)
        ACTIONS.view(values, "build")[:, :N_PLACES] = sites - WORTH_A_HOUSE  # where this is negative, it is better to be done
        ACTIONS.view(values, "bid")[:] = pair_values(seen, game.board, sites)
        ACTIONS.view(values, "pay_one")[:] = (
            _kept(seen["hand"], np.eye(N_LANDSCAPES)) + 2.0 * np.eye(N_LANDSCAPES)[Landscape.COAST]
        )
        pairs = np.eye(N_LANDSCAPES)[SOURCES_OF_TWO].sum(axis=1)
        ACTIONS.view(values, "pay_two")[:] = _kept(seen["hand"], pairs) + _paid_as_is(seen, game.board, pairs)
        goods = new_goods(seen["goods"][:, _OWN_GOODS], game.board)
        ACTIONS.view(values, "goods")[:] = np.hstack([goods, np.full((len(goods), 1), STACK_VALUE)])
        ACTIONS.view(values, "box")[:] = seen["goods"][:, _OWN_GOODS]  # prefers the goods that it has most of
        ACTIONS.view(values, "bonus")[:] = bonus_values(seen, game.board)
        ACTIONS.view(values, "discard")[:] = seen["hand"]
        values[turn.masks == 0] = -np.inf
        best = values == values.max(axis=1, keepdims=True)
        return sample_legal(best.astype(np.int8), turn.keys)


def site_values(seen: Observation, board: Board) -> Values:
    """The value in letters of a house on each place, with the sites that it opens: (rows, 58)."""
    worth = _worth(seen, board)
    new = (seen["sites"] == 0) & (seen["houses"][:, 0] == 0)
    roads = _members(board, "roads")
    reached = np.where(roads > 0, np.where(new, worth, 0.0)[:, None], 0.0).max(axis=2)
    return np.asarray(worth + REACH * reached)


def _worth(seen: Observation, board: Board) -> Values:
    """The immediate value of a house on each place, whether legal or not: (rows, 58)."""
    t = board.components[0]
    there = seen["houses"].sum(axis=1)  # houses on each place
    reward = np.array([REWARD_VALUE.get(Reward(int(r)), 0.0) if r >= 0 else 0.0 for r in t.reward])
    value = np.repeat(reward[None], len(there), axis=0)
    value += FIRST_KEY * (t.reward == Reward.KEY) * (seen["players"][:, 0, _KEYS, None] == 0)
    value[:, t.kind == Kind.COAST] *= seen["houses"][:, 0, t.kind == Kind.COAST].sum(axis=1, keepdims=True) < ENOUGH
    value[(there > 0) & (t.reward >= 0)] = 0.0  # taken
    letters = np.where(there == 0, t.letters_first + COIN_VALUE * t.coins_first, np.where(there == 1, t.letters_second, 0))
    value += (t.reward < 0) * (DISTRICT_VALUE + letters)
    areas = np.concatenate([_members(board, "at_river"), _members(board, "in_quarter")])
    value += SCORED * (seen["scoring"][:, N_GOODS:] @ areas)
    value += (seen["bonus"][:, 0] * t.letters_each) @ _members(board, "counted")
    return np.asarray(value, np.float64)


@cache
def _members(board: Board, sets: str) -> NDArray[np.int64]:
    """Sets of places of a board, by the name of their field, as rows of 0 and 1: (sets, 58)."""
    return np.array([[int(word) >> i & 1 for i in range(N_PLACES)] for word in board.components[0][sets]])


def pair_values(seen: Observation, board: Board, sites: Values) -> Values:
    """The value of each pair: the best site that it pays for with the hand, minus the price (rows, pairs)."""
    t = board.components[0]
    inner_closed = (t.kind == Kind.INNER) & (seen["players"][:, :1, _KEYS] == 0)
    open_sites = np.where((seen["sites"] > 0) & ~inner_closed, sites, -np.inf)
    best = np.stack([open_sites[:, t.landscape == landscape].max(axis=1, initial=-np.inf) for landscape in Landscape], axis=1)
    hands = seen["hand"][:, None].astype(np.int64) + seen["pairs"]
    jokers = hands // JOKER
    units = hands + jokers.sum(axis=2, keepdims=True) - jokers
    affordable = units >= np.where(np.arange(N_LANDSCAPES) == Landscape.COAST, 1, 2)
    value = np.where(affordable, best[:, None], -np.inf).max(axis=2)
    taken = seen["pair_seat"].any(axis=2)
    return np.asarray(np.maximum(value, 0.0) - COIN_VALUE * 2 * taken * seen["status"][:, _PRICE, None])


def _kept(hand: NDArray[Any], sources: NDArray[Any]) -> Values:
    """Values that prefer to pay with the most frequent cards: (rows, payments)."""
    return np.asarray(hand.astype(np.float64) @ sources.T / 10)


def _paid_as_is(seen: Observation, board: Board, pairs: NDArray[Any]) -> Values:
    """Values that prefer to pay with few cards, by the cards of the required landscape: (rows, payments)."""
    place = seen["place"].argmax(axis=1)
    return np.asarray(pairs[:, board.components[0].landscape[place]].T * 2.0)


def new_goods(owned: NDArray[Any], board: Board) -> Values:
    """The number of new goods on each kind of goods card (rows, 6); owned (rows, 6) are cards by kind."""
    shown = board.components[0].shown
    shows = np.array([[(good in pair) for pair in shown] for good in range(N_GOODS)])
    has = (owned > 0) @ shows.T
    return np.asarray((~has).astype(np.float64) @ shows)


def bonus_values(seen: Observation, board: Board) -> Values:
    """The present value of each bonus card: (rows, 8)."""
    t = board.components[0]
    houses = seen["houses"][:, 0].astype(np.float64)
    number = houses @ _members(board, "counted").T
    number[:, board.bonus_names.index("goods")] = seen["players"][:, 0, _GOODS]
    number[:, board.bonus_names.index("coins")] = seen["players"][:, 0, _COINS]
    return np.asarray(number * t.letters_each)


WEIGHTS: dict[str, float] = {
    "total": 100.0,
    "now": 8.0,
    "coming": 80.0,
    "coins": 8.0,
    "keys": 5.0,
    "hand": 5.0,
    "sites_goods": 2.0,
    "sites_bonus": 2.0,
    "sites_key": 1.0,
    "outer_first": 4.0,
    "outer_second": 2.0,
    "inner_first": 4.0,
    "inner_second": 2.0,
}
"""Value in letters of each unit of these features of a side (``features.SIDES``). These are scaled to about 0 to 1:
letters by 1/100, those of the card of the round by 1/8."""
CERTAIN = ("total", "now", "coming")
"""The features that count in full until the end; the others are means, which lose their value."""
FADE = 4.0
WIN = 30.0


class GreedyAgent(ResamplingAgent):
    """Plays the action with the best average value at the end of the round over resampled worlds.

    Ties go to the action with the lower id.

    worlds : number of resampled worlds for each decision
    weights : weights of the evaluation; the defaults are in :data:`WEIGHTS`
    fade : inverse of the share of the game left from which means lose their value
    """

    game_name = "golden_city"

    def __init__(self, worlds: int = WORLDS, weights: Mapping[str, float] | None = None, fade: float = FADE) -> None:
        super().__init__(worlds)
        for unknown in set(weights or {}) - set(SIDES):
            raise ConfigError(f"weights must name features of a side such as coins, got {short_repr(unknown)}")
        self.fade = fade
        chosen = {**WEIGHTS, **(weights or {})}
        self._certain = _column(chosen, CERTAIN)
        self._means = _column(chosen, [name for name in chosen if name not in CERTAIN])

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn."""
        after = turn.afterstates(self.worlds)
        values = np.where(
            after.done, MARGIN_UNIT * after.margin + WIN * after.win, self.evaluate(turn.game.features, after.views)
        ).mean(axis=1)
        return best_actions(after, values)

    def evaluate(self, layout: Layout, views: NDArray[Any]) -> NDArray[np.float64]:
        """The value of features (..., n) to their viewer, in letters."""
        sides = layout.view(views, "sides")
        left = layout.view(views, "game")[..., GAME.index("share_left")]
        fade = np.minimum(1.0, self.fade * left)[..., None]
        stakes = sides @ self._certain + fade * (sides @ self._means)
        return np.asarray(stakes[..., 0] - stakes[..., 1:].max(axis=-1))


def _column(weights: Mapping[str, float], names: Any) -> NDArray[np.float64]:
    return np.array([weights[name] if name in names else 0.0 for name in SIDES])
