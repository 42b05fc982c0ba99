"""Another world that a seat cannot tell from this one: whatever is hidden from it is dealt anew (R10, X7.3, X7.4)."""

import random
from collections import Counter
from collections.abc import Iterator

from .expansion import EVENTS
from .position import from_position, to_position
from .table import Commitment, Question, Side, Table
from .view import SEQUENCE, before_choosing


def scrambled(table: Table, question: Question, seat: int, rng: random.Random) -> tuple[Table, Question]:
    """A copy of the table with hidden things changed. Counts that the seat may know stay."""
    table = from_position(to_position(table, question), table.chance)
    if question.kind in SEQUENCE and question.actor not in (None, seat):
        # X7.3: a player who chooses is only choosing
        table.sides[question.actor] = before_choosing(table.sides[question.actor])
        question = Question("commit", question.actor, [])
    shuffle_tiles(table, seat, rng)
    shuffle_cards(table, seat, rng)
    for other, side in enumerate(table.sides):
        if other == seat:
            continue
        if question.kind in SEQUENCE and side.commitment is not None:
            commit_otherwise(side, rng)
        if question.kind == "draft":
            draft_otherwise(side, rng)
        set_aside_otherwise(side, rng)
        change_events(table, side, rng)
    return table, question


def others(table: Table, seat: int) -> list[Side]:
    """The sides that the seat cannot look behind."""
    return [side for other, side in enumerate(table.sides) if other != seat]


def unshown(table: Table, seat: int) -> Iterator[Commitment]:
    """Commitments of the others that lie face down."""
    for other, side in enumerate(table.sides):
        resolving = table.pending is not None and table.pending.player == other
        if other != seat and side.commitment is not None and not resolving:
            yield side.commitment


def deal(piles: list[list[str]], rng: random.Random) -> None:
    """Mixes what lies in the piles; every pile keeps its size."""
    pool = [name for pile in piles for name in pile]
    rng.shuffle(pool)
    for pile in piles:
        pile[:] = [pool.pop() for _ in pile]


def shuffle_tiles(table: Table, seat: int, rng: random.Random) -> None:
    """Supply, stack II, tiles out of the game, lower tiles, and what lies behind screens and on cards unknown."""
    piles = [table.supply, table.new_buildings, table.removed]
    known: list[tuple[Side, list[str]]] = []
    for side in others(table, seat):
        seen = Counter(side.known_tiles)
        for commitment in [side.commitment] if side.commitment is not None else []:
            seen -= Counter(commitment.tiles())  # those stay where they are
        seen -= Counter(side.returning)
        side.tiles = list((Counter(side.tiles) - seen).elements())
        known.append((side, list(seen.elements())))
        piles += [side.tiles, side.lower_tiles]
    deal(piles, rng)
    for side, tiles in known:
        side.tiles += tiles
    for commitment in unshown(table, seat):
        change_tiles_on_card(table, commitment, rng)


def change_tiles_on_card(table: Table, commitment: Commitment, rng: random.Random) -> None:
    """Exchanges tiles of a hidden card with tiles out of the game."""
    if table.removed and commitment.tile is not None:
        place = rng.randrange(len(table.removed))
        commitment.tile, table.removed[place] = table.removed[place], commitment.tile
    if table.removed and commitment.lower is not None:
        place = rng.randrange(len(table.removed))
        commitment.lower, table.removed[place] = table.removed[place], commitment.lower


def shuffle_cards(table: Table, seat: int, rng: random.Random) -> None:
    """The deck, the other hands, what the others keep and have committed, but for the cards passed to the left."""
    passed = table.sides[seat].passed
    piles = [table.deck]
    for side in others(table, seat):
        side.hand = [card for card in side.hand if card not in passed]
        piles.append(side.hand)
    kept = [side for side in others(table, seat) if side.kept is not None and side.kept not in passed]
    committed = [commitment for commitment in unshown(table, seat) if commitment.card not in passed]
    loose = [side.kept for side in kept if side.kept is not None] + [commitment.card for commitment in committed]
    deal([*piles, loose], rng)
    for side in kept:
        side.kept = loose.pop()
    for commitment in committed:
        commitment.card = loose.pop()
    left = table.sides[table.left_of(seat)]
    held = [left.kept, left.commitment.card if left.commitment is not None else None]
    left.hand += [card for card in passed if card not in held]


def commit_otherwise(side: Side, rng: random.Random) -> None:
    """While players choose, not even how much lies on a card is to be seen."""
    lying = side.commitment
    assert lying is not None
    side.tiles += lying.tiles()
    side.events += [lying.event] if lying.event is not None else []
    lying.tile = lying.lower = lying.event = None
    if side.tiles and rng.random() < 0.5:
        lying.tile = side.tiles.pop(rng.randrange(len(side.tiles)))
    if side.events and rng.random() < 0.5:
        lying.event = side.events.pop()


def set_aside_otherwise(side: Side, rng: random.Random) -> None:
    """R7.1: what and how many tiles the others set aside is hidden until all have chosen."""
    if side.returning:
        pool = side.tiles + side.returning
        rng.shuffle(pool)
        cut = rng.randrange(len(pool) + 1)
        side.tiles, side.returning = pool[:cut], pool[cut:]


def draft_otherwise(side: Side, rng: random.Random) -> None:
    """X6: which cards are kept, and whether one of them is the expert."""
    if side.packet_experts and side.characters and side.expert is None:
        side.packet.append(side.characters.pop())
        side.expert = side.packet_experts.pop()
    deal([side.packet, side.characters], rng)


def change_events(table: Table, side: Side, rng: random.Random) -> None:
    """X4.1: kinds are private without experts; with them only which of the two lies on a hidden card."""
    lying = side.commitment
    if "experts" not in table.modules:
        kinds = [event for event in EVENTS if event not in side.known_events]
        side.events = [event if event in side.known_events else rng.choice(kinds) for event in side.events]
        if lying is not None and lying.event is not None and lying.event not in side.known_events:
            lying.event = rng.choice(kinds)
    elif lying is not None and lying.event is not None and side.events:
        lying.event, side.events[0] = side.events[0], lying.event
