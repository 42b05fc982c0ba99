"""Kernels against the oracle (docs/trust.md): positions, legal actions, scores and random outcomes, decision by decision."""

from pathlib import Path

import pytest

from ...rules.my_city.positions import board_file, buildings_file
from ..side_by_side import play_matches
from .compare import play_match

QUICK_DECISIONS, DECISIONS = 80, 2_500  # for each number of players

BOARDS = {  # terrain, banks
    "creek": (
        "...... .v..v. ......",
        "lllrrr lllrrr lllrrr",
    ),
    "wide": (
        "t..............w ..w...r...FF.... ....MM...w....t. .r......v...w... "
        "...w..t......... ...........r.... .t...w....t...w. ...............r",
        "aaaabbbbbbbbbbcc aaaabbbbbbbbbccc aaaaabbbbbbbbccc aaaaabbbbbbbbccc "
        "aaaabbbbbbbbbccc aaaabbbbbbbbcccc aaaaabbbbbbbcccc aaaaabbbbbbbcccc",
    ),
    "three": (
        "..t.. ..... M..r.",
        "llmmr llmrr llmrr",
    ),
}
FEW = ["Y1 yellow ##", "R4 red #", "B2 blue #####./....##", "C7 church #./##/##/#.", "Y3 yellow .#./###/.#."]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_kernels_and_oracle_agree(players: int) -> None:
    play_matches(play_match, {"players": players}, QUICK_DECISIONS, 1000)


@pytest.mark.full
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_they_agree_in_many_games(players: int) -> None:
    play_matches(play_match, {"players": players}, DECISIONS, 2000)


@pytest.mark.parametrize("few", [False, True], ids=["own buildings", "few"])
@pytest.mark.parametrize("name", BOARDS)
def test_they_agree_on_other_boards(name: str, few: bool, tmp_path: Path) -> None:
    """M14.27: no veins, one or two, three banks, 16 columns, 128 cells; buildings of one cell and of six columns."""
    config = {"players": 2, "board": board_file(tmp_path, *BOARDS[name], name)}
    if few:
        config |= {"buildings": buildings_file(tmp_path, *FEW)}
    play_matches(play_match, config, 40, 3000)


def test_enough_is_compared() -> None:
    assert 4 * DECISIONS >= 10_000 and 4 * QUICK_DECISIONS >= 320
