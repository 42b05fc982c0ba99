"""Games by all styles: what must hold in every position, what no seat may see, seats that do not matter: M14.23 to M14.28."""

import json
import random
from typing import Any

import pytest

from ...tiers import by_tier
from .board import BLOCKING, VEIN
from .helpers import BOARD, BUILDINGS, CARDS, config, game, no_chance, play
from .my_city import Oracle, RandomChance
from .scoring import SOURCES, empty_by_row
from .styles import STYLES, Style, builder, seat_styles, uniform

QUICK_GAMES, GAMES = 3, 60


def check(oracle: Oracle) -> None:
    """M14.28: every building of every player is somewhere; points follow from what happened; choices of the right seats."""
    position = oracle.position()
    revealed, current = position["revealed"], position["revealed"][-1:] if position["ending"] is None else []
    assert sorted(revealed + position["deck"]) == sorted(CARDS)
    played = [card for card in revealed if card not in (BLOCKING, position["blocked"], *current)]
    assert position["round"] == len(played) + len(current)
    assert (BLOCKING in revealed[:-1]) == (position["blocked"] is not None)
    for seat, (player, points) in enumerate(zip(position["players"], oracle.scores(), strict=True)):
        chosen = [entry["building"] for entry in player["placed"]] + player["passed"]
        lasted = len(played) if player["ended"] is None else player["ended"] - 1
        assert sorted(chosen) == sorted(played[:lasted])
        assert player["points"] == 10 - len(player["passed"]) + 3 * player["gold"] >= 0
        assert points["start"] + points["passes"] + points["gold"] == player["points"]
        assert points["total"] == sum(points[name] for name in SOURCES)
        assert points["empty"] == -sum(empty_by_row(oracle.table, seat))
        cells = [cell for _, cells in oracle.table.players[seat].placed.values() for cell in cells]
        assert len(set(cells)) == len(cells) and {*cells} <= BOARD.light_green
        assert not (player["gold"] and BOARD.showing(VEIN) - {*cells})
        waiting = position["decision"]["actor"] is not None and player["ended"] is None
        assert (player["choice"] is not None) == (waiting and seat < position["decision"]["actor"])


def random_game(players: int, seed: int) -> Oracle:
    chance = random.Random(seed)
    oracle, styles = Oracle(config(players), RandomChance(seed)), seat_styles(chance, players)
    decisions = 0
    while oracle.decision()[0] != "over":
        check(oracle)
        position, legal = oracle.position(), oracle.legal()
        seat = position["decision"]["actor"]
        assert len({*legal}) == len(legal) >= 2 and legal[-1] == "end"
        assert position["players"][seat]["ended"] is None
        if decisions % 4 == seed % 4:  # M14.26: the story goes on from the position alone
            again = Oracle.from_position(json.loads(json.dumps(position)), no_chance)
            assert again.position() == position and again.legal() == legal and again.view(seat) == oracle.view(seat)
            oracle = again
        oracle.apply(styles[seat](chance, legal, position, seat))
        decisions += 1
    assert decisions <= 27 * players
    check(oracle)
    assert oracle.legal() == [] and Oracle.from_position(oracle.position(), no_chance).winners() == oracle.winners()
    return oracle


@pytest.mark.parametrize("players", by_tier([1, 2, 3, 4], [2]))
def test_random_games(players: int) -> None:
    for seed in range(QUICK_GAMES):
        random_game(players, seed)


@pytest.mark.full
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_many_random_games(players: int) -> None:
    endings = {random_game(players, seed).position()["ending"] for seed in range(QUICK_GAMES, GAMES)}
    assert endings == {"cards", "ended"}


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.__name__)
def test_styles_play_legally(style: Style) -> None:
    oracle, chance = Oracle(config(2), RandomChance(3)), random.Random(3)
    while oracle.decision()[0] != "over":
        seat = oracle.decision()[1]
        assert seat is not None
        oracle.apply(style(chance, oracle.legal(), oracle.position(), seat))
    assert style is uniform or len(oracle.table.players[0].placed) + len(oracle.table.players[0].passed) > 0


def by_plans(plans: list[int], deck: str, *, seats: int | None = None) -> Oracle:
    """A game in which each seat builds by its own plan: a seed for each card."""
    oracle = game(deck, seats or len(plans))
    while oracle.decision()[0] != "over":
        position, seat = oracle.position(), oracle.decision()[1]
        assert seat is not None
        chance = random.Random(1000 * plans[seat] + position["round"])
        oracle.apply(builder(chance, oracle.legal(), position, seat))
    return oracle


def shuffled(seed: int) -> str:
    return " ".join(random.Random(seed).sample(CARDS, len(CARDS)))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_seats_do_not_matter(seed: int) -> None:
    """M14.23: the same plans in other seats have the same results."""
    one, other = by_plans([5, 6, 7], shuffled(seed)), by_plans([7, 5, 6], shuffled(seed))
    ours, theirs = one.position()["players"], other.position()["players"]
    assert ours == [theirs[1], theirs[2], theirs[0]]
    scores = other.scores()
    assert one.scores() == [scores[1], scores[2], scores[0]]
    assert sorted((seat + 1) % 3 for seat in one.winners()) == other.winners()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_players_together_are_players_alone(seed: int) -> None:
    """M14.23, M9.3: apart from gold and the passes it pays for."""
    together = by_plans([5, 6, 7, 8], shuffled(seed)).position()["players"]
    for plan, player in zip([5, 6, 7, 8], together, strict=True):
        alone = by_plans([plan], shuffled(seed)).position()["players"][0]
        if alone["gold"] == player["gold"]:
            assert alone == player
        else:
            assert alone["placed"][:5] == player["placed"][:5]


def test_later_seats_do_not_depend_on_earlier_choices() -> None:
    """M14.24, M3.3."""
    opening = "e1E f1E e1E", "f1E e1E pass"
    found = set()
    for text in play(game("Y1 R1 B1", 3), *opening).legal():
        oracle = play(game("Y1 R1 B1", 3), *opening, text)
        found.add(json.dumps([oracle.decision(), oracle.legal(), oracle.view(1), oracle.view(2)]))
    assert len(found) == 1


@pytest.mark.parametrize("players", [2, 4])
def test_no_seat_sees_what_is_hidden(players: int) -> None:
    """M14.25, M10.3: the deck in another order, other choices of others."""
    chance, oracle, changed = random.Random(players), Oracle(config(players), RandomChance(9)), 0
    while oracle.decision()[0] != "over":
        position = oracle.position()
        for viewer in range(players) if chance.random() < 0.3 else []:
            other = hidden_changed(position, viewer, chance)
            changed += other != position
            assert Oracle.from_position(other, no_chance).view(viewer) == oracle.view(viewer)
        oracle.apply(builder(chance, oracle.legal(), position, 0))
    assert changed > 20


def hidden_changed(position: dict[str, Any], viewer: int, chance: random.Random) -> dict[str, Any]:
    """A position that looks the same (M10.4)."""
    other: dict[str, Any] = json.loads(json.dumps(position))
    chance.shuffle(other["deck"])
    for seat, player in enumerate(other["players"]):
        if player["choice"] is not None and seat != viewer:
            player["choice"] = chance.choice(["end", "pass"])
    return other


def flat(numbers: Any) -> list[int]:
    return [number for entry in numbers for number in flat(entry)] if isinstance(numbers, list) else [numbers]


@pytest.mark.parametrize("players", [1, 4])
def test_shapes_of_views(players: int) -> None:
    """M12.3: every block in order, and its size."""
    blocks = {"current": 27, "shape": 144, "left": 28, "blocked": 27, "turn": 3, "terrain": 1210, "boards": 847 * players}
    blocks |= {"players": 15 * players, "buildings": 54 * players, "chosen": 487}
    oracle, chance = Oracle(config(players), RandomChance(5)), random.Random(5)
    while oracle.decision()[0] != "over":
        view = oracle.view(chance.randrange(players))
        assert {name: len(flat(block)) for name, block in view.items()} == blocks and list(view) == list(blocks)
        oracle.apply(builder(chance, oracle.legal(), oracle.position(), 0))


def test_what_is_seen() -> None:
    """M12.3, by hand: Y1 at e1 and e2, a church right of it, the second player passed."""
    oracle = play(game("Y1 X R3 C1 R1", 2), "e1E pass", "f1E")
    mine, theirs = oracle.view(0), oracle.view(1)
    names = [*BUILDINGS]
    assert [name for name, here in zip(names, mine["current"], strict=True) if here] == ["C1"]
    assert [name for name, here in zip(names, mine["blocked"], strict=True) if here] == ["R3"]
    assert mine["turn"] == [2, 24, 1] and sum(mine["left"]) == 24 and mine["left"][-1] == 0
    assert [sum(flat(heading)) for heading in mine["shape"]] == [3, 3, 0, 0]
    assert mine["shape"][1][0] == [1, 0, 0, 0, 0, 0] and mine["shape"][0][0] == [1, 1, 1, 0, 0, 0]
    assert [sum(flat(plane)) for plane in mine["terrain"]] == [78, 6, 6, 3, 2, 13, 13, 53, 11, 6]
    assert [sum(flat(plane)) for plane in mine["boards"][0]] == [93, 2, 0, 0, 0, 0, 1]
    assert [sum(flat(plane)) for plane in mine["boards"][1]] == [95, 0, 0, 0, 0, 0, 0]
    assert mine["players"] == [
        [10, 0, 0, 0, 10, 0, 0, 12, -12, 1, 0, 0, 0, 0, -76],
        [9, 0, 0, 0, 10, -1, 0, 12, -12, 0, 0, 0, 0, 0, -78],
    ]
    assert mine["buildings"][0][names.index("Y1")] == [1, 0] and mine["buildings"][1][names.index("Y1")] == [0, 1]
    assert mine["buildings"][0][names.index("R3")] == [0, 1] and mine["buildings"][0][names.index("C1")] == [0, 0]
    assert mine["chosen"].index(1) == 121 + 5 and theirs["chosen"].index(1) == 486
    assert theirs["boards"] == mine["boards"][::-1] and theirs["players"] == mine["players"][::-1]


def test_what_is_seen_of_who_has_ended() -> None:
    view = play(game("Y1 R1", 2), "e1E e1E", "end f1E").view(0)
    assert view["players"][0][1] == 1 and view["players"][1][1] == 0
    assert [sum(lost) for lost in zip(*view["buildings"][0], strict=True)] == [1, 26]
    over = play(game("Y1", 1), "end").view(0)
    assert sum(over["current"]) == 0 and sum(flat(over["shape"])) == 0 and over["chosen"][-1] == 1
