"""Compact features: what they count, against the score and the city as plain Python counts them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.batch import Batch
from ginkgo_env.games.ginkgopolis.components import TILE_COLOR, TILE_NUMBER
from ginkgo_env.games.ginkgopolis.constants import N_LETTERS, N_TILES, WORDS
from ginkgo_env.games.ginkgopolis.features import GAME, SIDES

CONFIGS = [
    {"players": 1},
    {"players": 2},
    {"players": 3},
    {"players": 5},
    {"players": 3, "modules": ("new_buildings", "green_spaces")},
]


def in_play(config: dict[str, Any], steps: int = 25) -> Batch:
    batch = Batch(ginkgo_env.make_game("ginkgopolis", **config), 6)
    batch.reset(seed=11)
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


def members(words: np.ndarray) -> set[int]:
    return {64 * w + i for w in range(WORDS) for i in range(64) if int(words[w]) >> i & 1}


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_sides_and_city(config: dict[str, Any]) -> None:
    """Totals are the scores; buildings, floors and numbers are those of the city."""
    batch = in_play(config)
    game, scores = batch.game, batch.scores()
    for seat in range(game.seats):
        features = ginkgo_env.Observation(game.features, batch.features(seat))
        for row in range(batch.size):
            g = batch.states[row]
            for k in range(game.sides):
                p = (seat + k) % game.sides
                side = dict(zip(SIDES, features["sides"][row, k], strict=False))
                total = scores[row, p].sum()
                assert side["total"] == total
                assert side["lead"] == total - max(scores[row, q].sum() for q in range(game.sides) if q != p)
                np.testing.assert_array_equal(features["sides"][row, k, len(SIDES) :], scores[row, p])
                own = [s for s in range(g["n_buildings"]) if g["owner"][s] == p and TILE_COLOR[g["top"][s]] < 3]
                for color, name in enumerate(("red", "blue", "yellow")):
                    of_color = [s for s in own if TILE_COLOR[g["top"][s]] == color]
                    assert side[f"buildings_{name}"] == len(of_color)
                    assert side[f"floors_{name}"] == sum(g["floors"][s] for s in of_color)
                assert side["high_buildings"] == sum(g["floors"][s] >= 3 for s in own)
                assert side["numbers"] == sum(TILE_NUMBER[g["top"][s]] for s in own)
                assert side["resources"] == g["resources"][p]


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_districts(config: dict[str, Any]) -> None:
    """Groups of buildings of one color, found by walking from building to building."""
    batch = in_play(config)
    game = batch.game
    for row in range(batch.size):
        g = batch.states[row]
        n, left, groups = int(g["n_buildings"]), set(range(int(g["n_buildings"]))), []
        while left:
            group, ahead = set(), [min(left)]
            while ahead:
                s = ahead.pop()
                group.add(s)
                beside = [int(o) for o in g["adjacent"][s] if o >= 0 and int(o) not in group]
                ahead += [o for o in beside if TILE_COLOR[g["top"][o]] == TILE_COLOR[g["top"][s]]]
            left -= group
            groups.append(group)
        built = [group for group in groups if TILE_COLOR[g["top"][min(group)]] < 3]
        features = ginkgo_env.Observation(game.features, batch.features(0))
        told = dict(zip(GAME, features["game"][row], strict=True))
        assert told["buildings"] == n
        assert told["districts"] == sum(len(group) >= 2 for group in built)
        assert told["lone_buildings"] == sum(len(group) == 1 for group in built)
        unowned = [s for s in range(n) if g["owner"][s] < 0]
        assert told["unowned_red"] == sum(TILE_COLOR[g["top"][s]] == 0 for s in unowned)
        if not batch.game.config.modules:
            shown = features["districts"][row]
            weights = sorted((sum(g["floors"][s] for s in d if g["owner"][s] >= 0), len(d)) for d in built if len(d) >= 2)[::-1]
            assert [(r, n) for n, r in shown[:, :2][: len(weights)]] == weights[:4]


@pytest.mark.parametrize("config", CONFIGS[:4], ids=str)
def test_what_is_unseen(config: dict[str, Any]) -> None:
    """Tiles: neither in the city nor buried, own, known or revealed. Letters: neither own, discarded nor passed on."""
    batch = in_play(config)
    for seat in range(batch.game.seats):
        features = ginkgo_env.Observation(batch.game.features, batch.features(seat))
        for row in range(batch.size):
            g = batch.states[row]
            known = members(g["buried"]) | members(g["tiles"][seat]) | members(g["aside"][seat])
            known |= {int(t) for t in g["top"][: g["n_buildings"]]} | {int(g["tile"][seat])}
            for p in range(batch.game.sides):
                known |= members(g["known_tiles"][p])
            if g["player"] >= 0:
                known.add(int(g["tile"][g["player"]]))
            unseen = set(range(N_TILES)) - known
            own = members(g["tiles"][seat])
            for color in range(3):
                numbers = [int(TILE_NUMBER[t]) for t in unseen if TILE_COLOR[t] == color]
                assert features["unseen_tiles"][row, :, color].tolist() == [len(numbers), sum(numbers)]
                mine = [int(TILE_NUMBER[t]) for t in own if TILE_COLOR[t] == color]
                assert features["own_tiles"][row, :, color].tolist() == [len(mine), max(mine, default=0), sum(mine)]
            cards = members(g["hand"][seat]) | members(g["discard"]) | members(g["passed"][seat]) | {int(g["card"][seat])}
            if g["player"] >= 0:
                cards.add(int(g["card"][g["player"]]))
            letters = set(range(N_TILES, N_TILES + N_LETTERS)) - cards
            assert features["unseen_cards"][row, 0] == len(letters)


def test_the_hand() -> None:
    """Cards stand in the places that actions name, with their ids."""
    batch = in_play({"players": 2})
    features = ginkgo_env.Observation(batch.game.features, batch.features())
    for row in np.flatnonzero(~batch.over):
        hand = sorted(members(batch.states["hand"][row, batch.actor[row]]))
        assert features["hand_ids"][row, : len(hand), 0].tolist() == [card + 1 for card in hand]
        assert features["hand"][row, :, 0].sum() == len(hand)
        assert features["hand"][row, : len(hand), 1].tolist() == [float(card >= N_TILES) for card in hand]
