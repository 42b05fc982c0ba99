"""R2: setup for 2 to 5 players."""

from collections import Counter

import pytest

from ..oracle_play import Generator
from .positions import LETTERS, RESOURCES, RING, TILES, Builder, table_from_seed

START = [f"{color}{number}" for color in "RBY" for number in (1, 2, 3)]
PLAYERS = (2, 3, 4, 5)


@pytest.mark.parametrize("players", PLAYERS)
def test_r2_1_nine_buildings_of_one_floor_in_a_square(players: int) -> None:
    city = table_from_seed(5, players=players).position["city"]
    assert [tuple(b["cell"]) for b in city] == [(x, y) for y in range(3) for x in range(3)]
    assert sorted(b["tile"] for b in city) == sorted(START)
    assert all((b["floors"], b["owner"], b["pawn"]) == (1, None, False) for b in city)


def test_r2_1_the_tiles_lie_at_random() -> None:
    corners = Counter(table_from_seed(seed, players=2).position["city"][0]["tile"] for seed in range(90))
    assert set(corners) == set(START) and max(corners.values()) <= 25


def test_r2_1_a_start_building_counts_as_one_floor() -> None:
    """Exploited it gives one item; beside a new building one too; built upon it has two floors and returns nothing."""
    assert Builder(2).hand(0, "R2").start().play("R2").player(0)["resources"] == 6
    table = Builder(2).hand(0, "A").tiles(0, "Y4").start().play("A+Y4", "token:N")
    assert table.player(0)["resources"] == 5  # one placed, one from R2
    table = Builder(2).hand(0, "R2").tiles(0, "R4").characters(0, "RE", "BE", "YE").start().play("R2+R4")
    assert table.building((0, 0))["floors"] == 2
    assert (table.player(0)["resources"], table.player(0)["points"], table.player(1)["points"]) == (3, 0, 0)


@pytest.mark.parametrize("players", PLAYERS)
def test_r2_2_tokens_lie_around_the_square_clockwise(players: int) -> None:
    assert table_from_seed(5, players=players).tokens == RING


@pytest.mark.parametrize(("players", "stays"), [(2, 45), (3, 45), (4, 51), (5, 51)])
def test_r2_3_the_supply_of_tiles(players: int, stays: int) -> None:
    position = table_from_seed(11, players=players, setup="introductory").position
    drawn = [tile for player in position["players"] for tile in player["tiles"]]
    assert len(position["supply"]) + len(drawn) == stays
    assert len(position["removed"]) == 51 - stays
    assert sorted(position["supply"] + drawn + position["removed"]) == sorted(set(TILES) - set(START))


@pytest.mark.parametrize(("players", "discarded", "left"), [(2, 7, 6), (3, 7, 2), (4, 0, 5), (5, 0, 1)])
def test_r2_4_the_deck(players: int, discarded: int, left: int) -> None:
    position = table_from_seed(11, players=players, setup="introductory").position
    hands = [card for player in position["players"] for card in player["hand"]]
    assert (len(position["discard"]), len(position["deck"])) == (discarded, left)
    assert sorted(position["deck"] + position["discard"] + hands) == sorted(START + list(LETTERS))


@pytest.mark.parametrize("players", PLAYERS)
def test_r2_5_resources_of_each_player(players: int) -> None:
    for player in table_from_seed(2, players=players, setup="introductory").position["players"]:
        assert player["resources"] + player["supply"] == {2: 25, 3: 20, 4: 18, 5: 16}[players] == RESOURCES[players]


def test_r2_5_gains_come_out_of_the_own_supply_and_what_is_missing_is_lost() -> None:
    builder = Builder(3).building((0, 0), "R9", floors=4, owner=1).hand(0, "R9", "Y1").player(0, resources=18)
    table = builder.characters(0, "RE", "RC", "RC").characters(1, "RU", "BU", "YU").start().play("R9")
    me = table.player(0)  # 18 + 4 + 1, but only 2 are there
    assert (me["resources"], me["supply"], me["points"]) == (20, 0, 0)
    assert (table.player(1)["supply"], table.player(2)["supply"]) == (11, 15)


@pytest.mark.parametrize("players", PLAYERS)
def test_r2_6_two_new_hand_tokens(players: int) -> None:
    assert [p["new_hands"] for p in table_from_seed(2, players=players).position["players"]] == [2] * players


def test_r2_7_introductory_sets_are_given_at_random_no_set_twice() -> None:
    first = Counter()
    for seed in range(60):
        table = table_from_seed(seed, players=5, setup="introductory")
        sets = [" ".join(table.player(seat)["characters"]) for seat in range(5)]
        assert len(set(sets)) == 5
        first[sets[0]] += 1
        assert table.decision[0] == "commit" and all(p["packet"] == [] for p in table.position["players"])
    assert len(first) == 6


def test_r2_7_the_draft_is_the_default() -> None:
    table = table_from_seed(1, players=3)
    assert table.position["config"]["setup"] == "draft" and table.decision == ("draft", 0)


@pytest.mark.parametrize("players", PLAYERS)
def test_r2_7_four_characters_each_three_kept_packets_go_left(players: int) -> None:
    table = table_from_seed(7, players=players)
    packets = [list(table.player(seat)["packet"]) for seat in range(players)]
    assert [len(packet) for packet in packets] == [4] * players
    kept: list[list[str]] = [[] for _ in range(players)]
    asked = []
    while table.decision[0] == "draft":
        seat = table.decision[1]
        asked.append(seat)
        pick = len(kept[seat])
        origin = (seat - pick) % players  # the packet comes from `pick` seats to the right
        assert table.player(seat)["packet"] == packets[origin]
        assert table.legal == {f"draft:{name}" for name in packets[origin]}
        name = packets[origin][-1]
        table.play(f"draft:{name}")
        packets[origin].remove(name)
        kept[seat].append(name)
        # With only equal characters in a packet the next ones are picked unasked: follow them.
        for _ in range(3 * players):
            nxt = (seat + 1) % players
            pick = len(kept[nxt])
            packet = packets[(nxt - pick) % players]
            if table.decision == ("draft", nxt) or pick == 3 or len(set(packet)) > 1:
                break
            kept[nxt].append(packet.pop())
            seat = nxt
    assert asked[:players] == list(range(players))
    assert [sorted(names) for names in kept] == [sorted(table.player(seat)["characters"]) for seat in range(players)]
    assert all(p["packet"] == [] for p in table.position["players"])


def test_r2_7_nobody_learns_what_the_others_keep_until_all_have_chosen() -> None:
    table = table_from_seed(7, players=3)
    table.play_at_random()
    kept = table.player(0)["characters"]
    assert len(kept) == 1
    assert table.seen(0).side(0)["characters"] == kept
    assert table.seen(1).side(0)["characters"] == table.seen(2).side(0)["characters"] == []
    table.play_at_random("draft")
    assert all(len(table.seen(viewer).side(seat)["characters"]) == 3 for viewer in range(3) for seat in range(3))


def test_r2_7_equal_characters_in_a_packet_are_one_action() -> None:
    for seed in range(100):
        table = table_from_seed(seed, players=2)
        packet = table.player(0)["packet"]
        if len(set(packet)) == 3:
            break
    assert len(packet) == 4 and table.legal == {f"draft:{name}" for name in packet} and len(table.legal) == 3
    twice = next(name for name in packet if packet.count(name) == 2)
    table.play(f"draft:{twice}")
    assert table.player(0)["characters"] == [twice] and table.player(0)["packet"].count(twice) == 1


def setup_of(seed: int, players: int) -> dict:
    """The random outcomes of an introductory setup, computed here."""
    generator = Generator(seed)
    start = generator.shuffled(START)
    tiles = generator.shuffled([tile for tile in TILES if tile not in START])
    deck = generator.shuffled([*START, *LETTERS])
    sets = generator.shuffled([1, 2, 3, 4, 5, 6])
    return {"start": start, "tiles": tiles, "deck": deck, "sets": sets, "first": generator.below(players)}


@pytest.mark.parametrize("players", PLAYERS)
def test_r2_8_start_items_in_seat_order(players: int) -> None:
    """Each introductory set brings two tiles: seat 0 takes the first two of the supply, whoever is first player."""
    for seed in (3, 4, 5):
        tiles = setup_of(seed, players)["tiles"]
        position = table_from_seed(seed, players=players, setup="introductory").position
        for seat in range(players):
            assert set(position["players"][seat]["tiles"]) == set(tiles[2 * seat : 2 * seat + 2])


def test_r2_8_start_tiles_are_not_seen_by_the_others() -> None:
    table = table_from_seed(3, players=3, setup="introductory")
    seen = table.seen(1)
    assert seen.tiles("screen") == set(table.player(1)["tiles"])
    assert seen.known(0) == seen.known(1) == seen.known(2) == set()
    assert [seen.player(seat, "tiles") for seat in range(3)] == [2, 2, 2]


def test_r2_9_the_first_player_is_picked_at_random() -> None:
    first = Counter(table_from_seed(seed, players=4, setup="introductory").position["first_player"] for seed in range(80))
    assert set(first) == {0, 1, 2, 3} and max(first.values()) < 40


@pytest.mark.parametrize("players", PLAYERS)
def test_r2_9_each_player_in_turn_order_is_dealt_four_cards_at_once(players: int) -> None:
    for seed in range(8):
        setup = setup_of(seed, players)
        position = table_from_seed(seed, players=players, setup="introductory").position
        deck = setup["deck"][7:] if players <= 3 else setup["deck"]
        assert position["first_player"] == setup["first"]
        for k in range(players):
            seat = (setup["first"] + k) % players
            assert set(position["players"][seat]["hand"]) == set(deck[4 * k : 4 * k + 4])
        assert position["deck"] == deck[4 * players :]
        assert position["decision"] == {"kind": "commit", "actor": setup["first"]} and position["round"] == 1
