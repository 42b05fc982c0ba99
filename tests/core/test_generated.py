"""Generated boards: the same for ever, as the rules want them, playable, and as the documentation describes them."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_agents import make_agent
from ginkgo_agents.base import act
from ginkgo_env import Batch, ConfigError, Record, make_game
from ginkgo_env.core.generated import SplitMix64, board_mixtures, generated_number
from ginkgo_env.core.rng import mix
from ginkgo_env.games.golden_city import board as golden_city
from ginkgo_env.games.golden_city.generate import generated_files
from ginkgo_env.games.my_city import board as my_city
from ginkgo_env.games.my_city.buildings import load_buildings
from ginkgo_env.games.my_city.components import components_of
from ginkgo_env.games.my_city.generate import generated_text
from ginkgo_env.registry import game_class

GAMES = "my_city", "golden_city"
NAMES = [option["board"] for options in board_mixtures().values() for option in options]
PAGE = Path(__file__).parents[2] / "docs" / "games" / "boards.md"
LIGHT = ".trwv"


def load(game: str, name: str) -> Any:
    return my_city.load_board(name) if game == "my_city" else golden_city.load_board(name)


# --- names and random numbers ------------------------------------------------------------------------------------------------


def test_names() -> None:
    assert [generated_number(name) for name in ("generated_0", "generated_17", "generated_9999")] == [0, 17, 9999]
    others = (
        "own",
        "generated_",
        "generated_01",
        "generated_10000",
        "generated_-1",
        "generated_1 ",
        "Generated_1",
        "generated_\u0661",
    )
    assert [generated_number(name) for name in others] == [None] * len(others)
    assert [f"generated_{k}" for k in range(48)] == NAMES


def test_random_numbers_are_those_of_splitmix64() -> None:
    """The published outputs for the seed 1234567, and those of the compiled generator."""
    random, known = SplitMix64(1234567), [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [random.below(2**32) for _ in known] == [bits >> 32 for bits in known]
    state = np.uint64(1234567 + 0x9E3779B97F4A7C15)
    with np.errstate(over="ignore"):
        assert int(getattr(mix, "py_func", mix)(state)) == known[0]
    random = SplitMix64(5)
    assert sorted(random.shuffled(range(9))) == list(range(9)) and {random.between(2, 4) for _ in range(99)} == {2, 3, 4}


# --- the boards ---------------------------------------------------------------------------------------------------------------

DIGESTS = {
    "my_city": {
        "generated_0": "d806655986c86c59",
        "generated_17": "6a778ebff7a10355",
        "generated_9999": "b20a9776414cb029",
    },
    "golden_city": {
        "generated_0": "e8210969ad333830",
        "generated_17": "f1310191d66b01d5",
        "generated_9999": "1a0e4800d4dce7b0",
    },
}
ALL_DIGESTS = {"my_city": "c50bf2423d836049", "golden_city": "cf7ffa8d7b28ff79"}
"""Of the digests of the boards of the tasks, in their order."""


@pytest.mark.parametrize("game", GAMES)
def test_a_number_gives_the_same_board_for_ever(game: str) -> None:
    assert {name: load(game, name).digest for name in DIGESTS[game]} == DIGESTS[game]
    digests = [load(game, name).digest for name in NAMES]
    assert hashlib.sha256("".join(digests).encode()).hexdigest()[:16] == ALL_DIGESTS[game] and len(set(digests)) == 48


@pytest.mark.parametrize("game", GAMES)
def test_layouts_are_those_of_the_shipped_board(game: str) -> None:
    own = make_game(game_class(game))
    for name in NAMES[::8]:
        other = make_game(game_class(game), board=name)
        assert list(other.actions.values()) == list(own.actions.values())
        assert list(other.observation.values()) == list(own.observation.values())
        assert list(other.features.values()) == list(own.features.values())
        assert other.config_dict["board"] == other.component_ids["board"] == name


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("agents", [("random",), ("builder", "greedy")])
def test_all_are_playable_to_the_end(game: str, agents: tuple[str, ...]) -> None:
    mixture = make_game(game_class(game), mixture=[{"board": name} for name in NAMES])
    batch = Batch(mixture, len(NAMES))
    batch.set_states(np.arange(len(NAMES)), np.concatenate([one.initial_state(k) for k, one in enumerate(mixture.games)]))  # type: ignore[attr-defined]
    assert batch.configurations.tolist() == list(range(len(NAMES)))
    players = [make_agent(agent, game) for agent in agents]
    for step in range(500):
        if batch.over.all():
            break
        assert not mixture.find_flaw(batch.states)
        actions = act(players[step % len(players)], batch, np.arange(step, step + len(NAMES), dtype=np.uint64))
        batch.step(actions)
    assert batch.over.all() and (agents == ("random",) or len(np.unique(batch.totals)) > 20)


@pytest.mark.parametrize("game", GAMES)
def test_records_and_positions_name_the_board(game: str, tmp_path: Path) -> None:
    made = make_game(game_class(game), board="generated_7")
    record = Record.from_actions(made, 3, [])
    assert record.header["config"]["board"] == "generated_7"
    assert record.header["components"]["board_digest"] == load(game, "generated_7").digest
    assert Record.read(record.dumps()).header == record.header
    state = made.initial_state(3)
    position = made.position(state)
    assert position["config"]["board"] == "generated_7" and made.from_position(position).tobytes() == state.tobytes()
    with pytest.raises(ginkgo_env.PositionError):
        make_game(game_class(game), board="generated_8").from_position(position)


@pytest.mark.parametrize("game", GAMES)
def test_the_name_is_never_a_file(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in the working directory, nor at another path."""
    if game == "my_city":
        (tmp_path / "mine.txt").write_text(generated_text(3))
        (tmp_path / "generated_3").write_text(generated_text(4).replace("name generated_4", "name mine"))
        path = tmp_path / "mine.txt"
    else:
        path = tmp_path / "generated_3"
        path.mkdir()
        own = golden_city.load_board()
        texts = generated_files(4, {file: getattr(own, file) for file in golden_city.COLUMNS})
        for file, text in zip(golden_city.COLUMNS, texts, strict=True):
            (path / f"{file}.csv").write_text(text)
    monkeypatch.chdir(tmp_path)
    made = make_game(game_class(game), board="generated_3")
    assert made.config_dict["board"] == "generated_3" and made.component_ids["board_digest"] == load(game, "generated_3").digest
    with pytest.raises(ConfigError, match="'generated_3' is the name of a generated board; expected another name"):
        make_game(game_class(game), board=str(path))
    with pytest.raises(ConfigError, match="generated_10000"):
        make_game(game_class(game), board="generated_10000")


# --- My City ------------------------------------------------------------------------------------------------------------------


def my_city_statistics(board: my_city.Board) -> dict[str, int]:
    cells = [(r, c) for r in range(board.rows) for c in range(board.columns)]
    kinds = {cell: board.terrain[cell[0]][cell[1]] for cell in cells}
    light = [cell for cell in cells if kinds[cell] in LIGHT]
    first = board.banks[0][0]
    sides = sum(
        board.banks[r][c] != board.banks[i][j] for r, c in cells for i, j in ((r + 1, c), (r, c + 1)) if i < 11 and j < 11
    )
    anchors = components_of(board, load_buildings())[0].anchors
    return {
        "light green cells": len(light),
        "of these left of the river": sum(board.banks[r][c] == first for r, c in light),
        "mountain": sum(kind == "M" for kind in kinds.values()),
        "forest": sum(kind == "F" for kind in kinds.values()),
        "river sides": sides,
        "trees": sum(kind == "t" for kind in kinds.values()),
        "rocks": sum(kind == "r" for kind in kinds.values()),
        "wells": sum(kind == "w" for kind in kinds.values()),
        "veins": sum(kind == "v" for kind in kinds.values()),
        "placements of all buildings": sum(int(word).bit_count() for word in anchors.ravel()),
    }


@pytest.mark.parametrize("name", NAMES)
def test_boards_of_my_city(name: str) -> None:
    board = my_city.load_board(name)
    around = {(r, c): board.neighbors(r, c) for r in range(11) for c in range(11)}
    kind = {cell: board.terrain[cell[0]][cell[1]] for cell in around}
    marks = [cell for cell in around if kind[cell] in LIGHT[1:]]
    assert not any(kind[other] in LIGHT[1:] for cell in marks for other in around[cell])
    wells = [cell for cell in marks if kind[cell] == "w"]
    assert all(len(around[cell]) == 4 and all(kind[other] in LIGHT for other in around[cell]) for cell in wells)
    assert {board.banks[r][c] for r, c in marks if kind[r, c] == "v"} == {"l", "r"}
    for letter in "lr":  # every light green cell can be reached on its bank
        light = {cell for cell in around if kind[cell] in LIGHT and board.banks[cell[0]][cell[1]] == letter}
        assert my_city.connected(light) == light


# --- The Golden City ----------------------------------------------------------------------------------------------------------


def golden_city_statistics(board: golden_city.Board) -> dict[str, int]:
    ids, own = board.place_ids, golden_city.load_board()

    def roads(of: golden_city.Board) -> set[frozenset[int]]:
        return {frozenset(of.place_ids.index(row[end]) for end in ("place_1", "place_2")) for row in of.roads}

    joined = roads(board)
    around: dict[int, set[int]] = {i: {j for road in joined if i in road for j in road - {i}} for i in range(len(ids))}
    coast, outer, inner = (
        [i for i, row in enumerate(board.places) if row["kind"] == kind] for kind in ("coast", "outer", "inner")
    )

    def distance(targets: list[int]) -> int:
        """Of the coast place that is farthest from all of these, in roads over places inland."""
        steps, rest = dict.fromkeys(targets, 0), deque(targets)
        while rest:
            place = rest.popleft()
            for other in around[place] - steps.keys():
                steps[other] = steps[place] + 1
                if other not in coast:
                    rest.append(other)
        return max(steps[place] for place in coast)

    inland = [len(around[i]) for i in range(16, 58)]
    return {
        "roads": len(joined),
        "of these not on `own`": len(joined - roads(own)),
        "fewest roads of a coast place": min(len(around[i]) for i in coast),
        "fewest roads of a place inland": min(inland),
        "most roads of a place inland": max(inland),
        "roads from the farthest coast place to an outer district": distance(outer),
        "roads from the farthest coast place to an inner district": distance(inner),
        "suburbs with another landscape than on `own`": sum(
            row["landscape"] != other["landscape"] for row, other in zip(board.places, own.places, strict=True)
        ),
        "places with another reward than on `own`": sum(
            row["reward"] != other["reward"] for row, other in zip(board.places, own.places, strict=True)
        ),
    }


@pytest.mark.parametrize("name", NAMES)
def test_boards_of_the_golden_city(name: str) -> None:
    board, own = golden_city.load_board(name), golden_city.load_board()

    def counts(of: golden_city.Board, part: slice, *columns: str) -> list[tuple[str, ...]]:
        return sorted(tuple(row[column] for column in columns) for row in of.places[part])

    for part in (slice(0, 16), slice(16, 46), slice(46, 58)):
        assert counts(board, part, "reward") == counts(own, part, "reward")
        assert counts(board, part, "landscape") == counts(own, part, "landscape")
    firsts = "kind", "letters_first", "letters_second", "coins_first", "cards_first"
    assert counts(board, slice(46, 58), *firsts) == counts(own, slice(46, 58), *firsts)
    for row, other in zip(board.places, own.places, strict=True):
        assert [row[column] for column in ("kind", "quarter", "river", "x", "y")] == [
            other[column] for column in ("kind", "quarter", "river", "x", "y")
        ]
        assert row["kind"] != "suburb" or row["place"][0] == {"mountain": "T"}.get(row["landscape"], row["landscape"][0].upper())
    for good in golden_city._GOODS:
        assert sum(int(row["copies"]) for row in board.goods if good in (row["good_1"], row["good_2"])) == 4
        assert sum(row["good"] == good for row in board.scoring) == 4
    for area in (*golden_city._RIVERS, *golden_city._INLAND):
        assert sum(row["area"] == area for row in board.scoring) == 2
    assert board.bonus == tuple(row | {"provenance": "generated"} for row in own.bonus)


def test_roads_of_the_golden_city_do_not_cross() -> None:
    for name in NAMES[::6]:
        board = golden_city.load_board(name)
        point = {row["place"]: complex(int(row["x"]), int(row["y"])) for row in board.places}
        lines = [(point[row["place_1"]], point[row["place_2"]]) for row in board.roads]

        def side(p: complex, q: complex, r: complex) -> float:
            return ((q - p).conjugate() * (r - p)).imag

        for i, (a, b) in enumerate(lines):
            for c, d in lines[:i]:
                assert side(a, b, c) * side(a, b, d) >= 0 or side(c, d, a) * side(c, d, b) >= 0


# --- the table of the documentation -------------------------------------------------------------------------------------------


def rows_of(statistics: Callable[[Any], dict[str, int]], game: str) -> list[str]:
    """The rows of the table in docs/games/boards.md: on ``own``, and least, mean and most on the boards of the tasks."""
    own, each = statistics(load(game, "own")), [statistics(load(game, name)) for name in NAMES]
    values = {what: [one[what] for one in each] for what in own}
    return [f"| {what} | {own[what]:,} | {min(n):,} | {np.mean(n):,.1f} | {max(n):,} |" for what, n in values.items()]


@pytest.mark.parametrize(("game", "statistics"), [("my_city", my_city_statistics), ("golden_city", golden_city_statistics)])
def test_the_documentation_has_their_statistics(game: str, statistics: Callable[[Any], dict[str, int]]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert "\n".join(rows_of(statistics, game)) in text, "\n".join(rows_of(statistics, game))
