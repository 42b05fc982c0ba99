"""G9: bonus cards and scores by the files of a board, and rewards by standings."""

from __future__ import annotations

from pathlib import Path

import pytest

import ginkgo_env
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.games.golden_city.board import load_board
from ginkgo_env.games.golden_city.components import BONUS_RULES
from ginkgo_env.games.golden_city.constants import Counted, Ending

from ..rules.golden_city.boards import copied, with_cells
from ..rules.golden_city.components import BONUS
from ..rules.golden_city.positions import over, start


@pytest.mark.parametrize("card", BONUS)
def test_g9_1_a_card_without_a_rule_is_refused_by_name(card: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a card would silently count nothing."""
    folder = copied(tmp_path / f"without_{card}")  # a name of its own: boards that were read are kept by name and digest
    without = {name: rule for name, rule in BONUS_RULES.items() if name != card}  # deleting it would change the order for good
    monkeypatch.setattr("ginkgo_env.games.golden_city.board.BONUS_RULES", without)
    with pytest.raises(ConfigError, match=rf"^bonus\.csv, row {BONUS.index(card) + 1}: card '{card}'; expected "):
        load_board(str(folder))


def test_g9_1_a_card_added_to_the_data_is_refused_by_name(tmp_path: Path) -> None:
    folder = with_cells(copied(tmp_path / "isle"), "bonus", (8, "card", "suburbs"))
    with pytest.raises(ConfigError, match=r"^bonus\.csv, row 8: card 'suburbs'; expected goods, coins, city"):
        load_board(str(folder))


def test_g9_1_rules_of_the_shipped_cards() -> None:
    """The rules say what is counted, also on which places; letters are those of the rule book, which the shipped file has too."""
    board = load_board()
    t = board.components[0]
    for i, card in enumerate(board.bonus_names):
        rule = BONUS_RULES[card]
        assert (t.bonus_source[i], t.bonus_counts[i], t.letters_each[i]) == (rule.source, rule.counts, rule.letters)
        assert bool(t.counted[i]) == (rule.counts == Counted.HOUSES), f"{card}: houses count on places, and nothing else does"
    assert list(BONUS_RULES) == BONUS and {rule.counts for rule in BONUS_RULES.values()} == set(Counted)


def test_g9_5_higher_scores_need_more_thousands(tmp_path: Path) -> None:
    """A board where a coin is worth 500 letters: no score makes up for being blocked."""
    folder = with_cells(copied(tmp_path / "isle"), "bonus", (2, "letters_each", "500"))
    data = over(3, coins=[30, 3, 2], blocked=[0], ending="blocked", bonus_taken=[[0, "coins"]], board=str(folder))
    outcome = start(data, board=str(folder)).outcome
    assert outcome.scores == (15000, 0, 0) and outcome.winners == (1,)
    assert outcome.standings[1] > outcome.standings[2] > outcome.standings[0]


def test_g9_5_letters_of_second_houses_count_as_well(tmp_path: Path) -> None:
    """A board where second houses bring most: what makes up for any score is counted from them."""
    cells = [(i, name, n) for i in range(47, 59) for name, n in (("letters_first", "0"), ("letters_second", "20"))]
    folder = with_cells(copied(tmp_path / "late"), "places", *cells)
    with_cells(folder, "bonus", (2, "letters_each", "21"))
    assert load_board(str(folder)).components[0].thousands == 2


def test_g9_5_a_reward_for_winning_goes_by_standings() -> None:
    """The blocked player has the most letters, and loses."""
    batch = ginkgo_env.Batch(ginkgo_env.make_game("golden_city", players=3), 1, reward="win")
    batch.reset(seed=3)
    while batch.states["rounds"][0] < 16 or batch.kind[0] != batch.game.decisions.index("build") or batch.states["turns"][0] < 2:
        batch.step(batch.sample())
    state = batch.state(0)
    state["letters"][0, 0, 2:4], state["blocked"][0, 0], state["ending"] = 50, 1, Ending.BLOCKED
    batch.set_states([0], state)
    while not batch.over[0]:
        batch.step(batch.sample())
    assert batch.totals[0].argmax() == 0 and batch.rewards[0, 0] < 0 < batch.rewards[0].max()
