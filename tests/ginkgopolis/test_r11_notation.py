"""R11.1: the notation of actions, and text that is none."""

import pytest

import ginkgo_env

from ..rules.ginkgopolis.positions import CHARACTER_NAMES, TILES, Builder, game


def test_r11_1_the_places_of_the_hand_that_actions_name_are_in_order() -> None:
    table = Builder(2).hand(0, "A", "Y2", "R1", "B1").start()
    action = table.game.parse_action(table.batch.state(0), "Y2")
    assert table.game.actions.locate(action)[1] == (2, 0)


def test_r11_1_every_name_makes_the_round_trip() -> None:
    layout = game(players=2, setup="introductory").actions
    table = Builder(2).hand(0, *TILES[:1], "L", "B2", "Y3").start()
    state = table.batch.state(0)
    for k, card in enumerate(["R1", "B2", "Y3", "L"]):
        for place, tile in enumerate(["", *TILES]):
            text = f"{card}+{tile}" if tile else card
            action = layout.index("commit", k, place)
            assert table.game.action_text(state, action) == text and table.game.parse_action(state, text) == action
    for i, tile in enumerate([*TILES, "done"]):
        assert table.game.parse_action(state, f"return:{tile}") == layout.index("return", i)
    for i, name in enumerate(CHARACTER_NAMES):
        assert table.game.parse_action(state, f"draft:{name}") == layout.index("draft", i)
    for i, side in enumerate(("N", "E", "S", "W", "after", "before")):
        assert table.game.parse_action(state, f"token:{side}") == layout.index("token", i)


@pytest.mark.parametrize(
    "text",
    ["", "R21", "R0", "R01", "r1", "M", "B+", "+R4", "A+B", "A+A", "R1+", "A++R4", "A+R4+R5", "G20", "R1 +R4", "new hand"]
    + ["take:", "take:sp", "token:", "token:NE", "return:", "return:A", "draft:RX", "move:N", "R1" * 40, "B1\n", "\uff21"],
)
def test_r11_1_other_text_is_refused(text: str) -> None:
    table = Builder(2).hand(0, "R1", "A", "B1").tiles(0, "R4").start()
    before = table.position
    with pytest.raises(ginkgo_env.NotationError):
        table.play(text)
    assert table.position == before


def test_r11_1_a_card_that_is_not_in_hand_is_refused() -> None:
    with pytest.raises(ginkgo_env.NotationError):
        Builder(2).hand(0, "R1", "A").start().play("B")
