"""All moments that a bidding can reach, enumerated with players who can always pay (G4.2, G4.3)."""

from __future__ import annotations

from ginkgo_env.games.golden_city.constants import MAX_PLAYERS
from ginkgo_env.games.golden_city.text.position.moment import MOST_DISPLACEMENTS

Moment = tuple[int, int, int]
"""The set of players with a hand on a pair, the number of displacements, and the actor; players are in turn order."""


def _biddings(players: int) -> frozenset[Moment]:
    moments: set[Moment] = set()
    new: list[Moment] = [(0, 0, 0)]
    while new:
        moment = new.pop()
        if moment in moments:
            continue
        moments.add(moment)
        hands, displacements, actor = moment
        outcomes = [(hands | 1 << actor, displacements)]
        if displacements < MOST_DISPLACEMENTS:
            outcomes += [((hands & ~(1 << p)) | 1 << actor, displacements + 1) for p in range(players) if hands >> p & 1]
        for after, paid in outcomes:
            ahead = [(actor + k) % players for k in range(1, players)]
            if free := [p for p in ahead if not after >> p & 1]:
                new.append((after, paid, free[0]))
    return frozenset(moments)


BIDDINGS = {players: _biddings(players) for players in range(2, MAX_PLAYERS + 1)}
"""The moments by number of players."""
