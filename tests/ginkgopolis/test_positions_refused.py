"""Positions that could not be played on are refused: what is accepted can be, and is read again at every decision."""

from collections.abc import Callable
from typing import Any

import pytest

import ginkgo_env

from ..rules.ginkgopolis.positions import Builder, Table, in_order

Json = dict[str, Any]


def two_hands() -> Builder:
    return Builder(2).hand(0, "A", "B", "C", "D").hand(1, "E", "F", "G", "H")


def read(builder: Builder, edit: Callable[[Json], None]) -> Table:
    position = builder.position()
    edit(position)
    table = Table(**builder.config)
    table.batch.set_position(0, position)
    return table


def refused(builder: Builder, edit: Callable[[Json], None]) -> None:
    with pytest.raises(ginkgo_env.PositionError) as error:
        read(builder, edit)
    assert str(error.value).startswith("position: ")


def test_a_player_who_has_chosen_has_a_card_out_or_none_at_all() -> None:
    """Else they would pass four cards on (R3.5), and their neighbor hold five."""

    def edit(position: Json) -> None:
        position["decision"]["actor"] = 1

    refused(two_hands(), edit)
    skipped = two_hands().hand(0)
    skipped.other(actor=1)
    assert skipped.start().decision == ("commit", 1)  # a player without cards was skipped (R3.6)


def resolving(position: Json, player: int, hands: tuple[list[str], list[str]], cards: tuple[str | None, str | None]) -> None:
    """Seat `player` takes something for an urbanization card."""
    for seat in (0, 1):
        card = cards[seat]
        position["players"][seat] |= {"hand": hands[seat], "commitment": card and {"card": card, "tile": None}}
    position["decision"] = {"kind": "take", "actor": player}
    position["pending"] = {"player": player, "action": "exploit", "draws": 0}


def test_who_has_acted_has_no_card_out_any_more() -> None:
    """Their card would never be put away, and be lost with the next choice."""
    refused(two_hands(), lambda position: resolving(position, 1, (["B", "C", "D"], ["F", "G", "H"]), ("A", "E")))


def test_who_has_acted_has_three_cards_at_most() -> None:
    refused(two_hands(), lambda position: resolving(position, 1, (["A", "B", "C", "D"], ["F", "G", "H"]), (None, "E")))


def test_who_has_not_acted_has_a_card_out_or_none_at_all() -> None:
    refused(two_hands(), lambda position: resolving(position, 0, (["B", "C", "D"], ["E", "F", "G", "H"]), ("A", None)))


def test_the_tile_of_the_card_being_resolved_has_left_it() -> None:
    """It lies in the city, or behind the screen again (R5.7); else it would be lost when the card is put away."""

    def edit(position: Json) -> None:
        resolving(position, 0, (["B", "C", "D"], ["F", "G", "H"]), ("A", "E"))
        position["players"][0]["commitment"]["tile"] = position["supply"].pop(0)

    refused(two_hands(), edit)


def test_a_take_decision_as_it_can_be() -> None:
    def edit(position: Json) -> None:
        resolving(position, 1, (["B", "C", "D"], ["F", "G", "H"]), (None, "E"))
        position["discard"] = in_order([*position["discard"], "A"])

    assert read(two_hands(), edit).legal == {"take:resource", "take:tile"}


def test_a_city_that_could_grow_beyond_the_numbers_of_the_record() -> None:
    """Cells are 8-bit numbers: a city at x = 91..99 with 51 tiles left can reach x = 128, which is "in hand" for a token."""
    tiles = [f"{color}{number}" for number in range(1, 21) for color in "RY"]
    builder = Builder(2).empty_city().characters(0, "RE", "YE", "RC").characters(1, "RE", "YE", "RC")
    for x, tile in enumerate(tiles[:9]):
        builder.building((91 + x, 0), tile)
    builder.token("A", (100, 0)).hand(0, "A", "B", "C", "D").hand(1, "E", "F", "G", "H")
    with pytest.raises(ginkgo_env.PositionError):
        builder.start()


@pytest.mark.parametrize("key", ["random", "seed"])
@pytest.mark.parametrize(
    "word",
    ["0x-000000000000001", "0x+000000000000001", "0x0000_0000_0000_01", "0x" + "\uff10" * 16, "0X0000000000000001", 1, None],
)
def test_words_are_sixteen_hexadecimal_digits(key: str, word: object) -> None:
    refused(two_hands(), lambda position: position.update({key: word}))


def test_the_supply_is_not_empty_before_it_has_run_out_twice() -> None:
    """R7: with an empty supply tiles are being returned, or the end is triggered. Else draws would silently give nothing."""
    for exhaustions in (0, 1):
        refused(two_hands().supply().other(exhaustions=exhaustions), lambda position: None)


def test_after_the_second_exhaustion_the_end_is_triggered() -> None:
    refused(two_hands().supply().other(exhaustions=2), lambda position: None)


def test_a_card_that_its_holder_has_revealed_is_not_known_to_be_held_any_more() -> None:
    """R10.3: the cards passed are known until they play or discard them."""

    def passing(*cards: str) -> Callable[[Json], None]:
        def edit(position: Json) -> None:
            resolving(position, 0, (["B", "C", "D"], ["F", "G", "H"]), ("A", "E"))
            position["players"][1]["passed"] = list(cards)

        return edit

    assert read(two_hands(), passing("B", "C", "D")).decision == ("take", 0)
    refused(two_hands(), passing("A", "B"))
    unseen = read(two_hands(), lambda position: resolving(position, 0, (["B", "C", "D"], ["F", "G", "H"]), ("A", "E")))
    position = unseen.position
    position["players"][0]["passed"] = ["E", "F"]  # E is committed and not revealed
    unseen.batch.set_position(0, position)
