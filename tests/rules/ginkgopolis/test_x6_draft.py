"""X6: the draft of characters and experts, and what it brings."""

from collections.abc import Callable

import pytest

from ..oracle_play import Generator
from .extras import EVENTS_OF
from .positions import CHARACTER_NAMES, LETTERS, TILES, Table, in_order, table_from_seed

EXPERTS = [
    "artist",
    "banker",
    "lawyer",
    "controller",
    "entrepreneur",
    "professor",
    "journalist",
    "engineer",
    "mayor",
    "architect",
]
START = [f"{color}{number}" for color in "RBY" for number in (1, 2, 3)]
COPIES = {"R": 4, "B": 3, "Y": 2}
Choice = Callable[[int, int, list[str]], str]  # of a seat, at its pick 1 to 4, from these


class Outcomes:
    """The random outcomes of a setup with experts as the only module, in their order (X7.5)."""

    def __init__(self, seed: str, players: int) -> None:
        self.generator = Generator(seed)
        self.generator.shuffled(START)
        self.tiles = self.generator.shuffled([tile for tile in TILES if tile not in START])
        self.generator.shuffled(START + list(LETTERS))
        characters = self.generator.shuffled([name for name in CHARACTER_NAMES for _ in range(COPIES[name[0]])])
        experts = self.generator.shuffled(EXPERTS)
        self.packets = [characters[4 * seat :][:4] + experts[2 * seat :][:2] for seat in range(players)]


def drafted(seed: int, players: int, choose: Choice) -> tuple[Table, list[list[str]], list[str], Outcomes]:
    """Play a draft and follow it by the rule: the table, what each has kept, the experts left over, the outcomes."""
    table = table_from_seed(seed, players=players, modules=("experts",))
    outcomes = Outcomes(table.position["seed"], players)
    packets, kept = outcomes.packets, [[] for _ in range(players)]
    for pick in range(1, 5):
        for seat in range(players):
            packet, mine = packets[(seat - pick + 1) % players], kept[seat]
            full = {"experts": any(name in EXPERTS for name in mine), "characters": sum(n not in EXPERTS for n in mine) == 3}
            options = [n for n in packet if not full["experts" if n in EXPERTS else "characters"]]
            if not options:
                continue
            if len({*options}) > 1:
                assert table.decision == ("draft", seat) and table.legal == {f"draft:{name}" for name in options}
                choice = choose(seat, pick, options)
                table.play(f"draft:{choice}")
            else:
                choice = options[0]  # taken unasked
            mine.append(choice)
            packet.remove(choice)
    assert table.decision[0] != "draft"
    return table, kept, [name for packet in packets for name in packet if name in EXPERTS], outcomes


def hashed(seat: int, pick: int, options: list[str]) -> str:
    return options[(7 * seat + 3 * pick) % len(options)]


def characters_first(seat: int, pick: int, options: list[str]) -> str:
    return min(options, key=lambda name: (name in EXPERTS, name))


def expert_first(seat: int, pick: int, options: list[str]) -> str:
    return min(options, key=lambda name: (name not in EXPERTS, name))


def none_for_seat_0(seat: int, pick: int, options: list[str]) -> str:
    """Three players; seats 1 and 2 take the two experts of seat 0's packet, which comes back to it at last."""
    return expert_first(seat, pick, options) if (seat, pick) in ((1, 2), (2, 3)) else characters_first(seat, pick, options)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("choose", [hashed, characters_first, expert_first])
def test_x6_1_six_cards_go_round_until_each_has_three_characters_and_an_expert(players: int, choose: Choice) -> None:
    """Never a fourth character, never a second expert: what is offered is compared at each pick."""
    for seed in range(4):
        table, kept, _, _ = drafted(seed, players, choose)
        for seat, mine in enumerate(kept):
            player = table.player(seat)
            assert sorted(player["characters"]) == sorted(name for name in mine if name not in EXPERTS)
            assert player["expert"] in mine if set(mine) & set(EXPERTS) else player["expert"] in EXPERTS
            assert len(player["characters"]) == 3 and player["packet"] == player["packet_experts"] == []
        experts = [table.player(seat)["expert"] for seat in range(players)]
        assert len(set(experts)) == players


def test_x6_1_who_finds_no_expert_in_the_last_packet_gets_a_random_one_of_those_dealt_and_kept_by_nobody() -> None:
    found = set()
    for seed in range(12):
        table, kept, left, outcomes = drafted(seed, 3, none_for_seat_0)
        assert len(kept[0]) == 3 and not set(kept[0]) & set(EXPERTS) and len(left) == 4
        options = sorted(left, key=EXPERTS.index)
        expert = options[outcomes.generator.below(4)]
        assert table.player(0)["expert"] == expert
        assert table.position["first_player"] == outcomes.generator.below(3)
        found.add(options.index(expert))
    assert len(found) > 1


def test_x6_1_all_are_revealed_together() -> None:
    """While others still choose, what has been kept is hidden; then everybody sees every expert."""

    def view(choice: str) -> object:
        table = table_from_seed(1, players=2, modules=("experts",))
        table.play(f"draft:{table.player(0)[choice][0]}")
        assert table.decision == ("draft", 1)
        return table.view(1)

    assert view("packet_experts") == view("packet")
    table = drafted(1, 3, hashed)[0]
    for seat in range(3):
        assert [table.seen(viewer).side(seat)["expert"] for viewer in range(3)] == [[table.player(seat)["expert"]]] * 3


def test_x6_4_the_architect_starts_with_two_more_tiles_drawn_after_the_start_items() -> None:
    """In seat order; red and yellow characters bring a tile each (R1.6)."""
    seats = set()
    for seed in range(40):
        table, _, _, outcomes = drafted(seed, 4, hashed)
        first = 0
        for seat in range(4):
            player = table.player(seat)
            n = sum(name[0] in "RY" for name in player["characters"]) + (2 if player["expert"] == "architect" else 0)
            assert player["tiles"] == in_order(outcomes.tiles[first : first + n])
            seats |= {seat} if player["expert"] == "architect" else set()
            first += n
        assert table.position["supply"] == outcomes.tiles[first:]
    assert len(seats) > 1


def test_x4_1_the_table_of_experts_and_their_events() -> None:
    """X4.1, with module 4."""
    assert set(EVENTS_OF) == set(EXPERTS)
    table = table_from_seed(2, players=5, modules=("events", "experts"))
    table.play_at_random("draft")
    assert all(player["events"] == EVENTS_OF[player["expert"]] for player in table.position["players"])
