"""Every ruling, worked example and edge case of the rules has a test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TESTS = {file.stem: file for file in (*HERE.glob("test_*.py"), *(HERE.parent / "rules" / HERE.name).glob("test_*.py"))}
RULES = HERE.parents[1] / "docs" / "rules" / "golden_city.md"

RULINGS: dict[tuple[str, str], str] = {
    (
        "general",
        "a decision with one legal action is made unasked, one with none is passed over",
    ): "g3_round::g3_one_legal_action",
    ("general", "equal cards are one action"): "g6_rewards::e19_a_fifth_goods_card",
    ("G1.4", "letters are unlimited; notes are not told apart"): "observation::letters_are_clipped",
    ("G1.5", "coins beyond the supply are lost"): "g6_rewards::e22_coins_beyond",
    (
        "G1.6.2",
        "an id has at most 8 characters, and a place is drawn at whole numbers from -10000 to 10000",
    ): "g1_files::g1_6_2_refused",
    ("G1.6.2", "letters of a bonus card are a whole number from -500 to 500"): "g1_files::g1_6_2_refused",
    ("G1.6.3", "another board is named by the path of its folder"): "g1_files::g1_6_3_a_folder_by_its_path",
    ("G2.1", "the first cards are drawn in seat order from seat 0"): "g2_setup::g2_1_a_coast_card",
    ("G2.4", "the first player is picked at random"): "g2_setup::g2_4_the_first_player",
    ("G4.1", "pairs lie in ascending order; their places have no meaning"): "g4_bidding::g4_1_every_order_of_cards",
    ("G4.4", "of equal free pairs only the first is an action"): "g4_bidding::e2_equal_pairs",
    ("G4.4", "equal pairs with hands on them are different actions"): "g4_bidding::e2_equal_pairs",
    ("G4.6", "the deck is rebuilt when a card is needed, not before"): "g4_bidding::g4_6_no_new_deck",
    ("G4.6", "without any card none is drawn"): "g4_bidding::g4_6_without_any_card",
    ("G5.1", "building is never compulsory"): "g5_building::g5_1_building_is_never_compulsory",
    ("G5.6", "cards just paid can come back by the reward"): "g6_rewards::e7_the_deck_is_empty",
    ("G5.8", "discarded cards lie open"): "g5_turn::g5_8_discarded_cards_lie_open",
    ("G5.8", "cards are discarded one at a time, in ascending order"): "g5_turn::e11_in_ascending_order",
    ("G5.9", "inner districts do not count for a player without a key"): "g5_turn::e26_an_inner_district",
    ("G5.9", "only the start of the building turn counts"): "g5_turn::g5_9_blocked_by_the_own_turn",
    ("G5.9", "a player can be blocked in the last round too"): "g5_turn::g5_9_blocked_in_the_last_round",
    ("G6", "rewards are compulsory"): "g6_rewards::g6_rewards_are_compulsory",
    ("G6.1", "no key card left: nothing"): "g6_rewards::g6_1_a_key_if_one_is_left",
    ("G6.2", "only goods cards that are there are offered; none left: nothing"): "g6_rewards::e20_the_stack_is_empty",
    ("G6.2", "the display is refilled before a fifth card is given up"): "g6_rewards::e19_a_fifth_goods_card",
    ("G6.3", "the new goods card can be given up too"): "g6_rewards::e19_a_fifth_goods_card",
    ("G6.4", "no bonus card left: nothing"): "g6_rewards::e21_bonus_cards_run_out",
    ("G7.2", "coast places and districts are at no river"): "g7_scoring::g7_2_coast_places",
    ("G8.1", "the first trigger in time is the one reported"): "g8_end::e26_blocked_after_all_houses",
    ("G9.4", "the score of a blocked player stands"): "g9_score::t9_e25_winners",
    ("G9.4", "blocked players rank by G9.3 among themselves"): "g9_score::t9_e25_winners",
    ("G9.5", "higher scores need more thousands in the standing"): "g9_files::g9_5_higher_scores",
    ("G10.1", "letters are public"): "g10_knowledge::g10_1_letters_are_public",
    ("G10.3", "what is paid or discarded comes from the known part first"): "g10_knowledge::e30_what_is_paid",
    ("G10.4", "counting of shuffles is left to memory"): "g10_knowledge::g10_4_counting_shuffles",
    ("G10.6", "a deal that leaves another seat nothing to do is made again"): "resample::another_player_who_pays",
    ("G10.6", "a seat with a single action is asked all the same"): "resample::another_player_who_pays",
}
"""Each row of "Rulings at a glance": the file and the beginning of the name of a test that fails when it does not hold."""


def test_every_ruling_is_in_the_table() -> None:
    table = RULES.read_text(encoding="utf-8").partition("## Rulings at a glance")[2].partition("\n## ")[0]
    rows = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in table.splitlines() if line.startswith("|")]
    assert rows[2:] == list(RULINGS)


@pytest.mark.parametrize("test", sorted(set(RULINGS.values())))
def test_the_tests_are_there(test: str) -> None:
    file, _, name = test.partition("::")
    assert f"\ndef test_{name}" in TESTS[f"test_{file}"].read_text(encoding="utf-8")


@pytest.mark.parametrize("example", [*(f"T{n}" for n in range(1, 11)), *(f"E{n}" for n in range(1, 36))])
def test_every_example_is_named_by_a_test(example: str) -> None:
    """In the name of a test, in its sentence, or beside one of its cases."""
    named = re.compile(rf"\b{example}\b|def test_(\w+_)?{example.lower()}_")
    others = [path.read_text(encoding="utf-8").splitlines() for path in TESTS.values() if path != Path(__file__)]
    lines = [line for text in others for line in text[1:] if '"""' in line or "#" in line or line.startswith("def ")]
    assert any(named.search(line) for line in lines)
