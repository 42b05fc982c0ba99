"""M9: alone, and what players of one deal share (M14.23, M14.24)."""

from __future__ import annotations

import numpy as np
import pytest

from .positions import PLAYERS, Table, game_of, played, table, table_from_seed

# --- M9.1, M9.2 ----------------------------------------------------------------------------------------------------------------


def test_m9_1_alone_the_winner_is_seat_0() -> None:
    found = played("Y1 e1E", "R1 end")
    assert found.winners == (0,) and found.outcome.scores == (-65,)


# --- M9.3, M14.23, M14.24: equal chances --------------------------------------------------------------------------------------


def choices(found: Table, rng: np.random.Generator) -> str:
    """A placement, a pass or an end; ends are rare."""
    legal = found.legal
    return legal[-1] if rng.random() < 0.03 or len(legal) == 1 else legal[rng.integers(len(legal) - 1)]


def history(players: int, seed: int) -> tuple[list[str], list[list[str]], Table]:
    """A random game: deck, the choices of each seat in order, and its end."""
    rng = np.random.default_rng(seed)
    deck = [str(card) for card in rng.permutation(game_of().buildings.cards)]
    found, texts = table(*deck, players=players), [list[str]() for _ in range(players)]
    while found.actor is not None:
        text = choices(found, rng)
        texts[found.actor].append(text)
        found.play(text)
    return deck, texts, found


def replayed(deck: list[str], texts: list[list[str]]) -> Table:
    """The game in which each seat makes these choices."""
    found, rest = table(*deck, players=len(texts)), [iter(own) for own in texts]
    while found.actor is not None:
        found.play(next(rest[found.actor]))
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_m14_23_permuting_the_seats_permutes_the_results(players: int) -> None:
    for seed in range(3):
        deck, texts, found = history(players, seed)
        order = np.random.default_rng(seed).permutation(players)
        other = replayed(deck, [texts[p] for p in order])
        assert other.sources == [found.sources[p] for p in order] and other.ended == [found.ended[p] for p in order]
        assert {order[p] for p in other.winners} == set(found.winners)
        assert other.position["players"] == [found.position["players"][p] for p in order]
        for name in ("ending", "revealed", "gold_round"):
            assert other.position[name] == found.position[name]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_m9_4_m14_23_players_of_a_game_and_alone(players: int) -> None:
    """Apart from gold, and passes it pays for, each gets what the same choices bring alone."""
    compared = 0
    for seed in range(10, 14):
        deck, texts, found = history(players, seed)
        for p in range(players):
            if any(found.by_seat("gold")) and not found.player(p)["gold"]:
                continue  # alone they might have had gold
            alone = replayed(deck, [texts[p]])
            assert alone.sources == [found.sources[p]]
            compared += 1
    assert compared > players


def test_m3_3_m14_24_later_seats_do_not_depend_on_earlier_choices() -> None:
    """Whatever seat 0 chooses, legal actions and views of the others are the same."""
    opening = table("Y1", "R1", "B1", players=3).play("e1E", "e1E", "f1E", "f1E", "f1E", "pass")
    after = [opening.copy().play(text) for text in opening.legal]
    assert len(after) > 10
    for found in after:
        assert (found.actor, found.legal, found.seen(1), found.seen(2)) == (1, after[0].legal, after[0].seen(1), after[0].seen(2))


def test_m12_5_m14_24_gold_of_an_earlier_seat_is_not_seen() -> None:
    """Whoever chooses later in the round of the gold does not know of it (M3.3)."""
    found = table("B1", "Y1", players=2)
    before = found.seen(1)
    found.play("e1E")
    after = found.seen(1)
    assert before == after


def test_m9_3_all_meet_the_same_cards() -> None:
    """A deal is one for all numbers of players: the deck follows from the seed alone."""
    for seed in range(1, 6):
        positions = [table_from_seed(seed, players).position for players in PLAYERS]
        one, *others = [position["revealed"] + position["deck"] for position in positions]
        assert others == [one] * 3
