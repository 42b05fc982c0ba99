"""What must be true of every record of The Golden City, said slowly and apart from the code that keeps it so.

Every card, coin, key, goods card and house is in one place, and every counter kept in the record is what counting gives.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ginkgo_env.core.game import Game, States
from ginkgo_env.games.golden_city.constants import BACKS, NOBODY, NONE, Ending, Kind, Landscape, Reward, Source, Stage

from ..rules.golden_city.components import HOUSES

COPIES, COINS, KEYS, ROUNDS = 10, 35, 6, 16
HAND, HAND_IN_TURN, GOODS_CARDS = 5, 7, 4
BUILDING = (Stage.BUILD, Stage.PAY, Stage.GOODS, Stage.BOX, Stage.BONUS, Stage.DISCARD)
REWARDED = {Stage.GOODS: Reward.GOODS, Stage.BOX: Reward.GOODS, Stage.BONUS: Reward.BONUS}


def members(word: Any) -> set[int]:
    """The places in a set of a record."""
    return {i for i in range(64) if int(word) >> i & 1}


def same(found: Any, wanted: Any, what: str) -> None:
    assert found == wanted, f"{what}: {found}, not {wanted}"


def pile(cards: Any, size: int) -> list[int]:
    """The cards of a stack; there is nothing above them."""
    found = [int(card) for card in cards]
    assert all(card != NONE for card in found[:size]) and all(card == NONE for card in found[size:]), f"a gap in {found}"
    return found[:size]


class Table:
    """A record read into plain Python."""

    def __init__(self, game: Game, state: States) -> None:
        g = self.g = state[0]
        t = game.components[0]
        self.n = int(g.players)
        self.seats = range(self.n)
        self.stage = Stage(int(g.stage))
        self.kind = [Kind(int(kind)) for kind in t.kind]
        self.reward = [int(reward) for reward in t.reward]
        self.letters_of = [(int(one), int(two)) for one, two in zip(t.letters_first, t.letters_second, strict=True)]
        self.copies = [int(n) for n in t.copies]
        self.roads = [members(word) for word in t.roads]
        self.houses = [members(word) for word in g.houses]
        self.hand = [[int(n) for n in row] for row in g.hand]
        self.known = [[int(n) for n in row] for row in g.known]
        self.goods = [[int(n) for n in row] for row in g.goods]
        self.built = [place for own in self.houses for place in own]

    def waiting(self) -> set[int]:
        """Seats whose building turn of this round is under way or to come, with their pair in hand."""
        if self.stage in (Stage.BID, Stage.OVER):
            return set()
        first, turns = int(self.g.first), int(self.g.turns)
        return {(first + k) % self.n for k in range(turns, self.n)}


def check_invariants(game: Game, state: States) -> None:
    """Raise AssertionError if anything is in two places, in none, or miscounted."""
    t = Table(game, state)
    for check in (
        landscapes,
        coins_and_keys,
        goods,
        bonus,
        houses,
        connection,
        letters,
        scoring,
        bidding,
        turn,
        ending,
        nobody_else,
    ):
        check(t)


def landscapes(t: Table) -> None:
    """G1.1: ten cards of each landscape. G10.3: what is known is in hand. G5.8: the hand limit."""
    g = t.g
    places = Counter(pile(g.deck, int(g.deck_size)))
    places.update(int(card) for pair in g.pairs for card in pair if card != NONE)
    for landscape in Landscape:
        places[landscape] += int(g.discard[landscape]) + sum(hand[landscape] for hand in t.hand)
        assert all(0 <= known[landscape] <= hand[landscape] for known, hand in zip(t.known, t.hand, strict=True)), "known cards"
    same(places, Counter(dict.fromkeys(Landscape, COPIES)), "landscape cards in their places")
    waiting = t.waiting()
    for p in t.seats:
        assert sum(t.hand[p]) <= (HAND_IN_TURN if p in waiting else HAND), f"{sum(t.hand[p])} cards in hand {p}"


def coins_and_keys(t: Table) -> None:
    """G1.4: 35 coins; a key is in the stack, held, or was spent on a house in an inner district (G5.6)."""
    g = t.g
    same(int(g.supply) + sum(map(int, g.coins)), COINS, "coins")
    spent = sum(t.kind[place] == Kind.INNER for place in t.built)
    same(int(g.key_stack) + sum(map(int, g.keys)) + spent, KEYS, "keys")
    assert min(int(g.supply), int(g.key_stack), *map(int, g.coins), *map(int, g.keys)) >= 0, "a number below zero"


def goods(t: Table) -> None:
    """G2.2, G6.2, G6.3: eight cards; the display is full while the stack lasts; four a player, five during ``box``."""
    g = t.g
    stack = pile(g.goods_stack, int(g.goods_size))
    places = [int(g.display[k]) + int(g.boxed[k]) + stack.count(k) + sum(own[k] for own in t.goods) for k in range(len(t.copies))]
    same(places, t.copies, "goods cards")
    shown = sum(map(int, g.display))
    assert shown == 3 or (shown < 3 and not stack), f"{shown} goods cards lie open"
    for p in t.seats:
        boxing = t.stage == Stage.BOX and g.actor == p
        assert sum(t.goods[p]) == GOODS_CARDS + 1 if boxing else sum(t.goods[p]) <= GOODS_CARDS, "goods cards of a player"
    taken = sum(map(int, g.boxed)) + sum(map(sum, t.goods))
    same(taken, min(8, rewards(t, Reward.GOODS) - (t.stage == Stage.GOODS)), "goods cards taken")


def bonus(t: Table) -> None:
    """G6.4: each card once; one for each house that brings one, as long as there are any."""
    g = t.g
    taken = pile(g.bonus_card, int(g.n_bonus))
    assert len(set(taken)) == len(taken), "a bonus card twice"
    seats = [int(seat) for seat in g.bonus_seat]
    assert all(seat in t.seats for seat in seats[: len(taken)]) and set(seats[len(taken) :]) <= {NOBODY}, f"takers {seats}"
    same(len(taken), min(8, rewards(t, Reward.BONUS) - (t.stage == Stage.BONUS)), "bonus cards taken")
    for p in t.seats:
        own = sum(t.reward[place] == Reward.BONUS for place in t.houses[p])
        assert seats[: len(taken)].count(p) <= own, "a bonus card without a house"


def rewards(t: Table, reward: Reward) -> int:
    """Houses on places with this reward."""
    return sum(t.reward[place] == reward for place in t.built)


def houses(t: Table) -> None:
    """G1.4, G5.2: houses left and built; one house on a place, in a district one of each player."""
    for p in t.seats:
        same(int(t.g.houses_left[p]) + len(t.houses[p]), HOUSES[t.n], f"houses of {p}")
        assert t.g.houses_left[p] >= 0, "houses left"
    for place, n in Counter(t.built).items():
        assert n == 1 or t.kind[place] in (Kind.OUTER, Kind.INNER), f"{n} houses on place {place}"


def connection(t: Table) -> None:
    """G5.2: from an own coast place own houses lead to each; the reach kept in the record is what the roads give."""
    for p in t.seats:
        own = t.houses[p]
        reached = {place for place in own if t.kind[place] == Kind.COAST}
        while more := {near for place in reached for near in t.roads[place]} & own - reached:
            reached |= more
        same(reached, own, f"houses of {p} that hang together")
        same(members(t.g.reach[p]), {near for place in own for near in t.roads[place]}, f"reach of {p}")


def letters(t: Table) -> None:
    """G6.5: what districts brought in all; G7: at most four letters of each kind a round."""
    for source, kind in ((Source.OUTER, Kind.OUTER), (Source.INNER, Kind.INNER)):
        built = Counter(place for place in t.built if t.kind[place] == kind)
        wanted = sum(sum(t.letters_of[place][:n]) for place, n in built.items())
        same(sum(int(row[source]) for row in t.g.letters), wanted, f"letters by {kind.name.lower()} districts")
    scored = int(t.g.rounds) - (t.stage != Stage.OVER)
    for row in t.g.letters[: t.n]:
        for source in (Source.GOODS, Source.RIVERS, Source.QUARTERS):
            assert row[source] % 2 == 0 and 0 <= row[source] <= 4 * scored, f"{row[source]} letters of {source.name.lower()}"
        assert row[Source.RIVERS] + row[Source.QUARTERS] <= 4 * scored, "a card has one area"


def scoring(t: Table) -> None:
    """G2.3: sixteen cards by their backs, one a round."""
    g = t.g
    cards = [int(g.scoring), *reversed(pile(g.scoring_stack, int(g.n_scoring)))]
    same(len(set(cards)), ROUNDS + 1 - int(g.rounds), "different scoring cards left")
    back = [number for number, n in enumerate(BACKS) for _ in range(n)]
    same([back[card] for card in cards], back[int(g.rounds) - 1 :], "backs of scoring cards")


def bidding(t: Table) -> None:
    """G4: ascending pairs, one hand a player, a free pair for the actor, seven displacements at most (G8.2)."""
    g = t.g
    pairs = [tuple(map(int, pair)) for pair in g.pairs]
    seats = [int(seat) for seat in g.pair_seat]
    n = t.n if t.stage == Stage.BID else 0
    assert pairs[:n] == sorted(tuple(sorted(pair)) for pair in pairs[:n]), f"order of pairs {pairs}"
    assert set(pairs[n:]) <= {(NONE, NONE)} and set(seats[n:]) <= {NOBODY} and NONE not in {c for pair in pairs[:n] for c in pair}
    lying = [seat for seat in seats[:n] if seat != NOBODY]
    assert len(set(lying)) == len(lying) and (n == 0 or (len(lying) < n and int(g.actor) not in lying)), f"hands {seats}"
    assert 0 <= g.displacements <= (7 if n else 0), "displacements"


def turn(t: Table) -> None:
    """G11.5: what belongs to a building turn is there in one only."""
    g = t.g
    assert 1 <= g.rounds <= ROUNDS and g.first in t.seats, "round and first player"
    assert (g.actor == NOBODY) == (t.stage == Stage.OVER), "actor"
    if t.stage not in BUILDING:
        same([int(g.built), int(g.place), int(g.discarded)], [0, NONE, NONE], "a turn outside of turns")
        same(int(g.turns), t.n if t.stage == Stage.OVER else 0, "turns")
        return
    same(int(g.actor), (int(g.first) + int(g.turns)) % t.n, "whose turn it is")
    assert 0 <= g.built <= 2 and (g.discarded == NONE or t.stage == Stage.DISCARD), "built and discarded"
    same(g.place != NONE, t.stage == Stage.PAY or t.stage in REWARDED, "a place")
    if g.place != NONE:
        same(int(g.place) in t.houses[int(g.actor)], t.stage != Stage.PAY, "a house on the place")
    if t.stage in REWARDED:
        same(t.reward[int(g.place)], REWARDED[t.stage], "reward of the place")


def ending(t: Table) -> None:
    """G8.1: an ending has a reason, and while there is none nothing is over."""
    g = t.g
    reasons = {Ending.NONE} if t.stage != Stage.OVER else set()
    if any(g.houses_left[p] == 0 for p in t.seats):
        reasons = {Ending.HOUSES, *([Ending.BLOCKED] if any(g.blocked) else [])}
    elif any(g.blocked):
        reasons = {Ending.BLOCKED}
    elif t.stage == Stage.OVER:
        same(int(g.rounds), ROUNDS, "rounds of a game that ended by cards")
        reasons = {Ending.CARDS}
    assert Ending(int(g.ending)) in reasons, f"ending {Ending(int(g.ending)).name}, not one of {reasons}"
    assert t.stage != Stage.BID or g.ending == Ending.NONE, "a round after the end"
    free = set(range(16)) - set(t.built)
    assert not any(g.blocked) or not free, "blocked with a free coast place"


def nobody_else(t: Table) -> None:
    """Seats that do not play have nothing."""
    for p in range(t.n, len(t.g.coins)):
        own = (t.g.coins[p], t.g.keys[p], t.g.houses_left[p], t.g.blocked[p], t.g.houses[p], t.g.reach[p])
        assert not any(map(int, own)) and not sum(t.hand[p]) + sum(t.known[p]) + sum(t.goods[p]) + t.g.letters[p].sum(), (
            f"seat {p}"
        )
