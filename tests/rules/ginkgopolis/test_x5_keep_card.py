"""X5: a card kept from one round to the next."""

import pytest

from .positions import LETTERS, Builder, Table, in_order, table_from_seed

PLAIN = ("RC", "BC", "YC")
MODULE = ("keep_card",)


def keep(players: int = 2, *modules: str, **config: object) -> Builder:
    return Builder(players, modules=(*MODULE, *modules), **config).characters(0, *PLAIN)


def test_x5_1_each_keeps_one_of_the_cards_left_in_hand_and_must() -> None:
    table = keep().hand(0, "A", "B", "R2", "Y1").hand(1, "C", "D").start().play("Y1")
    assert table.decision == ("keep", 0) and table.legal == {"keep:A", "keep:B", "keep:R2"}
    table.play("keep:R2")
    assert table.player(0)["kept"] == "R2" and table.player(0)["hand"] == ["A", "B"]


def test_x5_1_it_comes_last_in_a_choice() -> None:
    table = keep(2, "events").hand(0, "A", "B", "R2", "Y1").events(0, "press").start().play("Y1")
    assert table.decision == ("event", 0)
    assert table.play("event:none").decision == ("keep", 0)


def next_round(kept: str = "keep:R2") -> Table:
    """Seat 0 and seat 1 have played; seat 1 is first in the next round and decides."""
    builder = keep().hand(0, "A", "B", "R2", "Y1").hand(1, "C", "D", "R3", "Y2").next_cards("K", "L")
    return builder.start().play("Y1", kept, "Y2", "keep:D")


def test_x5_1_the_others_are_passed_and_the_kept_card_joins_the_hand() -> None:
    table = next_round()
    assert table.player(0)["hand"] == in_order(["R2", "C", "R3", "L"])
    assert table.player(1)["hand"] == in_order(["D", "A", "B", "K"])
    assert table.player(0)["kept"] is None
    # only what was passed is known to be there
    assert (table.player(0)["passed"], table.player(1)["passed"]) == (["A", "B"], ["R3", "C"])


def test_x5_1_a_new_hand_discards_the_kept_card_too_and_draws_as_many() -> None:
    table = next_round().play("new-hand")
    assert len(table.player(1)["hand"]) == 4 and table.player(1)["new_hands"] == 1
    assert {"A", "B", "D", "K"} <= {*table.position["discard"]}


def test_x5_1_a_new_hand_before_the_choice_leaves_four_cards_to_choose_from() -> None:
    table = keep().hand(0, "A", "B", "R2", "Y1").next_cards("C", "D", "E", "F").start().play("new-hand", "C", "keep:F")
    assert table.player(0)["kept"] == "F"


def test_x5_1_hidden() -> None:
    """Seats 1 and 2 see the same whichever card is kept, while seat 1's action is under way too."""
    views = []
    for card in ("A", "B", "R2"):
        builder = keep(3).hand(0, "A", "B", "R2", "Y1").hand(1, "C", "D", "R3")
        table = builder.start().play("Y1", f"keep:{card}")
        views.append(table.view(1, 2))
        table.play("C", "keep:D")
        assert table.decision == ("take", 1)
        views[-1] += table.view(1, 2)
    assert views[0] == views[1] == views[2]


def test_x5_1_what_was_passed_stays_known_in_hand_or_kept() -> None:
    """X7.4: until the next R3.5."""
    table = keep(3).hand(0, "A", "B", "R2", "Y1").hand(1, "C", "D", "R3").passed(2, "A", "B").start()
    table.play("Y1", "keep:A", "C", "keep:D")
    assert table.seen(2).cards("left_has") == table.seen(0).cards("right_knows") == {"A", "B"}
    table.play("take:resource")
    assert table.position["round"] == 6 and table.player(2)["passed"] == []


@pytest.mark.parametrize(("hand", "kept", "passed"), [("Y1", None, []), ("Y1 A", "A", []), ("Y1 A B", "A", ["B"])])
def test_x5_2_when_cards_run_short_play_one_keep_one_pass_the_rest(hand: str, kept: str | None, passed: list[str]) -> None:
    """With one card left it is kept unasked."""
    table = keep().hand(0, *hand.split()).hand(1, "Y2", "C").deck("K", "L").start().play("Y1")
    if passed:
        table.play("keep:A")
    assert table.decision == ("commit", 1) and table.player(0)["kept"] == kept and table.player(0)["hand"] == passed
    table.play("Y2")
    assert table.player(0)["hand"] == in_order(["L", *([kept] if kept else [])])
    assert table.player(1)["hand"] == in_order(["K", "C", *passed])


# --- hands of five ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 4])
def test_x5_2_hands_of_five(players: int) -> None:
    position = table_from_seed(3, players=players, setup="introductory", modules=MODULE, hand_size=5).position
    hands = [player["hand"] for player in position["players"]]
    assert [len(hand) for hand in hands] == [5] * players
    cards = position["deck"] + position["discard"] + [card for hand in hands for card in hand]
    assert len(cards) == len(set(cards)) == 21


def test_x5_2_with_three_players_the_deal_itself_exhausts_the_deck() -> None:
    """Fourteen cards for fifteen: of the seven discarded one comes back; that was the last one again (R3.6)."""
    for seed in range(5):
        position = table_from_seed(seed, players=3, setup="introductory", modules=MODULE, hand_size=5).position
        assert [len(player["hand"]) for player in position["players"]] == [5, 5, 5]
        assert position["deck"] == [] and len(position["discard"]) == 6


def test_x5_2_of_five_cards_three_are_passed() -> None:
    builder = keep(2, hand_size=5).hand(0, "A", "B", "E", "R2", "Y1").hand(1, "C", "D", "F", "R3", "Y2").next_cards("K", "L")
    table = builder.start().play("Y1", "keep:R2", "Y2", "keep:D")
    assert table.player(0)["hand"] == in_order(["R2", "C", "F", "R3", "L"])
    assert table.player(1)["hand"] == in_order(["D", "A", "B", "E", "K"])


def test_x5_2_a_new_hand_of_five() -> None:
    table = keep(2, hand_size=5).hand(0, *"ABCDE").next_cards(*"FGHIJ").start().play("new-hand")
    assert table.player(0)["hand"] == [*"FGHIJ"] and set(LETTERS) >= {*"FGHIJ"}


@pytest.mark.parametrize(
    "config",
    [
        {"players": 5, "modules": MODULE, "hand_size": 5},
        {"players": 3, "modules": ("events",), "hand_size": 5},
        {"players": 3, "hand_size": 5},
        {"players": 1, "modules": MODULE},
        {"players": 3, "modules": ("experts",), "setup": "introductory"},
    ],
)
def test_x5_2_what_the_configuration_refuses(config: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        table_from_seed(0, **config)
