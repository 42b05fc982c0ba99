"""What texts and pictures ask of a record: names, sets of places, derived values; translations.

German follows the rule book.
"""

from __future__ import annotations

from collections.abc import Sequence

from ginkgo_env.core.language import Texts, shared
from ginkgo_env.core.state import PlainRecord
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import MAX_PAIRS, N_LETTER_SOURCES, NONE, Ending, Landscape, Reward, Source, Stage
from ginkgo_env.games.golden_city.state import State

translate = Texts(__package__, shared)


def pair_text(name: str) -> str:
    """Return a goods card, which is named by its two goods, in words."""
    return "+".join(map(translate, name.split("+")))


Readable = State | PlainRecord
"""A record or its fields; functions that only read accept either."""

LANDSCAPES = [landscape.name.lower() for landscape in Landscape]
DECISIONS = [stage.name.lower() for stage in Stage if stage <= Stage.OVER]
ENDINGS: list[str | None] = [ending.name.lower() if ending else None for ending in Ending]
SOURCES = [source.name.lower() for source in Source]
LETTER_SOURCES = SOURCES[:N_LETTER_SOURCES]
REWARDS = [reward.name.lower() for reward in Reward]
PAIRS = "abcd"[:MAX_PAIRS]
"""The letters that name pairs (G4.1)."""
REWARDED = {Stage.GOODS: Reward.GOODS, Stage.BOX: Reward.GOODS, Stage.BONUS: Reward.BONUS}
"""The decisions on a reward, with that reward (G6)."""


def names_of(counts: Sequence[int], names: Sequence[str]) -> list[str]:
    """Return the name of each of a number of things, given their numbers by kind."""
    return [name for name, n in zip(names, counts, strict=False) for _ in range(n)]


def counts_of(ids: Sequence[int], kinds: int) -> list[int]:
    """Return numbers by kind of things given by their kinds."""
    counts = [0] * kinds
    for i in ids:
        counts[i] += 1
    return counts


def turn_order(g: PlainRecord) -> list[int]:
    """Return the seats in turn order, the first player first (G2.4)."""
    return [(g.first + k) % g.players for k in range(g.players)]


def owners_of(g: PlainRecord, place: int) -> list[int]:
    """Return the seats with a house on a place."""
    return [p for p in range(g.players) if g.houses[p] >> place & 1]


def bonus_left(g: PlainRecord, board: Board) -> list[str]:
    """Return the bonus cards that nobody is known to have taken."""
    return [name for card, name in enumerate(board.bonus_names) if card not in g.bonus_card]


def bonus_of(g: PlainRecord, p: int) -> list[int]:
    """Return a player's bonus cards in the order of the file."""
    return sorted(g.bonus_card[i] for i in range(g.n_bonus) if g.bonus_seat[i] == p)


def hide_bonus_cards(g: PlainRecord, seat: int) -> None:
    """Hide others' bonus cards from a seat, which knows the cards taken before each of its looks.

    It does not know who of the others took which of them (G10.3 (b)).
    """
    looks = [i for i in range(g.n_bonus) if g.bonus_seat[i] == seat]
    looks += [g.n_bonus] if g.stage == Stage.BONUS and g.actor == seat else []
    start = 0
    for look in looks:
        g.bonus_card[start:look] = sorted(g.bonus_card[start:look])
        start = look + 1
    g.bonus_card[start:] = [NONE] * len(g.bonus_card[start:])
