"""Compact features: what they count, as plain Python counts it; bounds; seats relative to the viewer."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.layout import field_names
from ginkgo_env.games.golden_city.constants import N_LETTER_SOURCES, Good, Landscape, Quarter, Reward, River, Source, Stage
from ginkgo_env.games.golden_city.features import (
    GAME,
    GOODS,
    HAND,
    LANDSCAPES,
    OFFERED,
    PAIRS,
    SIDES,
    GoodsFeature,
    OfferedFeature,
    PairFeature,
    SideFeature,
    SiteFeature,
)
from ginkgo_env.testing import at
from ginkgo_env.testing.hidden import check_features

from ..rules.golden_city.boards import copied, with_cells
from ..rules.golden_city.components import LANDSCAPES as NAMES
from ..rules.golden_city.positions import SEVENTEEN, bidding, game_of, turn
from .random_games import PLAYERS, crafted, in_play, repeated, rotated
from .slow import GOODS_NAMES, RIVERS, places_of, scoring_rows, sites_of

EACH = {"goods": 3, "coins": 2, "city": 1, "rivers": 2}


def worth(board: Any, g: Any, p: int, card: int) -> int:
    """G9.1."""
    name, rows = board.bonus_names[card], [board.places[i] for i in places_of(g["houses"][p])]
    if name == "goods":
        n = int(g["goods"][p].sum())
    elif name == "coins":
        n = int(g["coins"][p])
    elif name == "city":
        n = sum(row["kind"] in ("outer", "inner") for row in rows)
    elif name == "rivers":
        n = sum(row["river"] != "" for row in rows)
    else:
        n = sum(row["kind"] != "coast" and row["landscape"] == name for row in rows)
    return n * EACH.get(name, 1)


def in_area(board: Any, g: Any, p: int, row: dict[str, str]) -> int:
    rows = [board.places[i] for i in places_of(g["houses"][p])]
    if row["kind"] == "river":
        return sum(place["river"] == row["area"] for place in rows)
    return sum(place["kind"] in ("outer", "inner") and place["quarter"] == row["area"] for place in rows)


def letters_of(board: Any, g: Any, p: int, card: int) -> int:
    """What a scoring card would bring a player now (G7)."""
    row, players = scoring_rows()[card], range(int(g["players"]))
    has = [any(n and row["good"] in board.goods_names[kind].split("+") for kind, n in enumerate(g["goods"][q])) for q in players]
    houses = [in_area(board, g, q, row) for q in players]
    letters = 2 * has[p] * (1 + (sum(has) == 1))
    if houses[p]:
        letters += 2 + 2 * (houses[p] > max(houses[q] for q in players if q != p))
    return letters


def test_rows_within_blocks_follow_the_enums() -> None:
    """Kernels write these fields as a row: the first field, and a place in the row."""

    def names(prefix: str, members: Iterable[IntEnum]) -> list[str]:
        return [f"{prefix}_{member.name.lower()}" for member in members]

    rows: list[tuple[tuple[str, ...], IntEnum, list[str]]] = [
        (SIDES, SideFeature.LETTERS_OUTER, names("letters", list(Source)[:N_LETTER_SOURCES])),
        (SIDES, SideFeature.KNOWN_COAST, names("known", Landscape)),
        (SIDES, SideFeature.GOOD_POTTERY, names("good", Good)),
        (SIDES, SideFeature.INLAND_FOREST, names("inland", list(Landscape)[1:])),
        (SIDES, SideFeature.HOUSES_RIVER_N, [*names("houses_river", River), *names("houses_quarter", Quarter)]),
        (SIDES, SideFeature.LEAD_RIVER_N, [*names("lead_river", River), *names("lead_quarter", Quarter)]),
        (SIDES, SideFeature.SITES_COAST, list(field_names(SiteFeature))),
        (OFFERED, OfferedFeature.SITES_COAST, list(field_names(SiteFeature))),
        (field_names(SiteFeature), SiteFeature.SITES_COAST, names("sites", Landscape)),
        (field_names(SiteFeature), SiteFeature.SITES_CARD, names("sites", Reward)),
        (GOODS, GoodsFeature.DISPLAY_POTTERY, names("display", Good)),
        (GOODS, GoodsFeature.STACK_POTTERY, names("stack", Good)),
        (PAIRS, PairFeature.COAST, [landscape.name.lower() for landscape in Landscape]),
    ]
    for fields, first, wanted in rows:
        assert list(fields[first : first + len(wanted)]) == wanted


@pytest.mark.parametrize("players", PLAYERS)
def test_sides(players: int) -> None:
    for batch in in_play(players, rows=2, seed=20 + players, every=13):
        game = batch.game
        for seat in range(players):
            features = ginkgo_env.Observation(game.features, batch.features(seat))
            for row in range(batch.size):
                check_sides(game, batch.states[row], seat, {name: features[name][row] for name in features})


def check_sides(game: Any, g: Any, seat: int, features: dict[str, Any]) -> None:
    board, n = game.board, int(g["players"])
    over = g["stage"] == Stage.OVER
    for k in range(n):
        p = (seat + k) % n
        side = dict(zip(SIDES, features["sides"][k].tolist(), strict=True))
        rows = [board.places[i] for i in places_of(g["houses"][p])]
        to_come = sum(letters_of(board, g, p, int(card)) for card in g["scoring_stack"][: g["n_scoring"]])
        wanted = {
            "letters": g["letters"][p].sum() / 100,
            "coins": g["coins"][p] / 10,
            "keys": g["keys"][p] / 2,
            "hand": g["hand"][p].sum() / 5,
            "unknown": (g["hand"][p].sum() - g["known"][p].sum()) / 5,
            "goods_cards": g["goods"][p].sum() / 4,
            "now": 0 if over else letters_of(board, g, p, int(g["scoring"])) / 8,
            "coming": to_come / 100,
            "turns_after_first": (p - g["first"]) % n / 4,
            "coasts": sum(row["kind"] == "coast" for row in rows) / 10,
            "outer": sum(row["kind"] == "outer" for row in rows) / 10,
            "inner": sum(row["kind"] == "inner" for row in rows) / 4,
            "houses_river_e": sum(row["river"] == "E" for row in rows) / 3,
            "inland_desert": sum(row["kind"] != "coast" and row["landscape"] == "desert" for row in rows) / 10,
        }
        found = [i for i in sites_of(board, g, p) if g["keys"][p] or board.places[i]["kind"] != "inner"]
        for name in ("coast", "meadow"):
            wanted[f"sites_{name}"] = sum(board.places[i]["landscape"] == name for i in found) / 10
        for name in ("goods", "key", "two_coins"):
            wanted[f"sites_{name}"] = sum(board.places[i]["reward"] == name for i in found) / 4
        for name, houses in (("first", 0), ("second", 1)):
            built = {i: sum(i in places_of(g["houses"][q]) for q in range(n)) for i in found}
            for kind in ("outer", "inner"):
                wanted[f"{kind}_{name}"] = sum(board.places[i]["kind"] == kind and built[i] == houses for i in found) / 4
        for river in RIVERS:
            counts = [in_area(board, g, q, {"kind": "river", "area": river}) for q in range(n)]
            wanted[f"lead_river_{river.lower()}"] = (counts[p] - max(c for q, c in enumerate(counts) if q != p)) / 3
        for good in GOODS_NAMES:
            wanted[f"good_{good}"] = sum(n for kind, n in enumerate(g["goods"][p]) if good in board.goods_names[kind]) / 2
        for name, value in wanted.items():
            assert side[name] == pytest.approx(float(value), abs=1e-5), (name, k)
        if k == 0:
            own = [int(card) for card, q in zip(g["bonus_card"], g["bonus_seat"], strict=True) if q == p]
            assert side["bonus"] == pytest.approx(sum(worth(board, g, p, card) for card in own) / 50, abs=1e-5)
        counted = [worth(board, g, p, card) / 10 for card in range(8)]
        np.testing.assert_allclose(features["counts"][k], counted, atol=1e-5)


@pytest.mark.parametrize("players", PLAYERS)
def test_hand_and_unseen_cards(players: int) -> None:
    for batch in in_play(players, rows=3, seed=30 + players, every=11):
        for seat in range(players):
            features = ginkgo_env.Observation(batch.game.features, batch.features(seat))
            for row in range(batch.size):
                g = batch.states[row]
                np.testing.assert_allclose(features["hand"][row, HAND.index("cards")], g["hand"][seat] / 4)
                others = [p for p in range(players) if p != seat]
                unseen = np.bincount(g["deck"][: g["deck_size"]], minlength=5) + (g["hand"] - g["known"])[others].sum(axis=0)
                np.testing.assert_allclose(features["landscapes"][row, LANDSCAPES.index("unseen")], unseen / 10, atol=1e-6)


@pytest.mark.parametrize("players", PLAYERS)
def test_what_is_offered(players: int) -> None:
    """The number of places that the mask of a player who builds has."""
    seen = 0
    for batch in in_play(players, rows=8, seed=40 + players, every=3):
        features = ginkgo_env.Observation(batch.game.features, batch.features())
        block = batch.game.actions["build"]
        for row in np.flatnonzero(batch.kind == Stage.BUILD):
            offered = dict(zip(OFFERED, features["offered"][row].tolist(), strict=True))
            places = np.flatnonzero(batch.mask[row, block.slice][:-1])
            assert offered["places"] == pytest.approx(len(places) / 10, abs=1e-5)
            for name in NAMES:
                n = sum(batch.game.board.places[i]["landscape"] == name for i in places)
                assert offered[f"sites_{name}"] == pytest.approx(n / 10, abs=1e-5)
            seen += 1
    assert seen > 50


def test_bonus_cards_of_others_count_by_what_they_may_be() -> None:
    """Seat 0 has taken second: who took before has a card of a known set, later ones came out of what it left."""
    takes = {"n_bonus": 4, "bonus_seat": [1, 0, 2, 1, -1, -1, -1, -1], "bonus_card": [6, 3, 0, 7, -1, -1, -1, -1]}
    state = crafted(3, decisions=110, seed=3, **takes)
    batch = repeated(3, state, 1)
    board, g = batch.game.board, batch.states[0]
    sides = ginkgo_env.Observation(batch.game.features, batch.features(0))["sides"][0]
    left = [0, 1, 2, 4, 5, 7]
    mean = [sum(worth(board, g, p, card) for card in left) / len(left) for p in range(3)]
    wanted = [worth(board, g, 0, 3), worth(board, g, 1, 6) + mean[1], mean[2]]
    assert sum(wanted) > 0
    np.testing.assert_allclose(sides[:, SIDES.index("bonus")] * 50, wanted, atol=0.11)  # in tenths, rounded down
    bonus = ginkgo_env.Observation(batch.game.features, batch.features(0))["bonus"][0]
    assert np.flatnonzero(bonus[0]).tolist() == [3] and np.flatnonzero(bonus[2]).tolist() == left


@pytest.mark.parametrize("players", PLAYERS)
def test_seats_are_relative_and_most_numbers_small(players: int) -> None:
    highest = 0.0
    for batch in in_play(players, seed=8, every=11):
        turned = repeated(players, rotated(batch.states, players), 1)
        for seat in range(players):
            features = batch.features(seat)
            np.testing.assert_array_equal(turned.features((seat + 1) % players), features)
            highest = max(highest, float(np.abs(features).max()))
    assert 1 < highest < 6


@pytest.mark.parametrize("players", PLAYERS)
def test_bounds(players: int) -> None:
    check_features(ginkgo_env.make_game("golden_city", players=players), seed=5, n=12)


def test_the_share_of_the_game_that_is_left() -> None:
    share = GAME.index("share_left")
    state = crafted(2)
    layout = repeated(2, state, 1).game.features
    first = ginkgo_env.Observation(layout, repeated(2, state, 1).features(0))["game"][0, share]
    assert 0 < first < 1
    near = at(game_of(2), game_of(2).from_position(turn("c", "", houses=SEVENTEEN)))
    assert ginkgo_env.Observation(layout, near.features(0))["game"][0, share] == pytest.approx(1 / 18)
    last = turn("", "c", seat=1, first=0, houses=SEVENTEEN | {"FO1": 0}, ending="houses")
    ending = at(game_of(2), game_of(2).from_position(last))
    assert ginkgo_env.Observation(layout, ending.features(0))["game"][0, share] == 0


def test_leads_on_a_board_where_bonus_cards_cost_letters(tmp_path: Path) -> None:
    """20 coins at -500 letters: far behind, and the other far ahead."""
    folder = with_cells(copied(tmp_path / "dear"), "bonus", (2, "letters_each", "-500"))
    game: Any = game_of(2, str(folder))
    position = bidding("cc cd", coins=[20, 3], bonus_taken=[[0, "coins"]], digest=game.board.digest, board=folder.name)
    batch = at(game, game.from_position(position))
    sides = ginkgo_env.Observation(game.features, batch.features(0))["sides"][0]
    assert sides[:, SIDES.index("lead")].tolist() == pytest.approx([-200, 200])
