"""What one seat may know (R10): an independent statement of the observation."""

from typing import Any

from .components import characters_in_order, in_order
from .table import Question, Side, Table, building_to_json, pending_to_json, side_to_json, tokens_to_json

CHOOSING = ("commit", "return")  # R10.1: R3.1 and R7.1


def view(table: Table, question: Question, seat: int) -> dict[str, Any]:
    """Public things, the own things, and what is known of the others from play."""
    return {
        "seat": seat,
        "alone": table.alone,
        "round": table.round,
        "first_player": table.first_player,
        "decision": {"kind": question.kind, "actor": question.actor},
        "ending": table.ending,
        "exhaustions": table.exhaustions,
        "pending": pending_to_json(table.pending),
        "city": [building_to_json(building) for building in table.city.buildings],
        "tokens": tokens_to_json(table.city),
        "buried": in_order(table.city.buried),  # each was seen lying on top
        "supply": len(table.supply),
        "returned": in_order(table.returned),  # R10.3: the supply was this set after R7.1
        "deck": len(table.deck),
        "discard": in_order(table.discard),
        "players": [public_side(table, question, other) for other in range(len(table.sides))],
        "own": own_side(table, seat),
    }


def public_side(table: Table, question: Question, seat: int) -> dict[str, Any]:
    """What all know of one side (R10.1, R10.3)."""
    side = table.sides[seat]
    drafting = question.kind == "draft"
    return {
        "points": side.points,
        "resources": side.resources,
        "supply": side.supply,
        "new_hands": side.new_hands,
        # R2.7: revealed together after the draft
        "characters": None if drafting else characters_in_order(side.characters),
        "character_count": len(side.characters),
        "hand": len(side.hand),
        "tiles": tile_count(side, question),
        "committed": side.commitment is not None,
        "tile_on_card": tile_on_card(side, question),
        "card": revealed_card(table, seat),
        "known_tiles": in_order(side.known_tiles),
        "tableau": in_order(side.tableau),
    }


def tile_count(side: Side, question: Question) -> int:
    """R10.1: tiles behind the screen; while players choose also the committed one and those set aside."""
    count = len(side.tiles)
    if question.kind in CHOOSING:
        count += len(side.returning)
        count += 1 if side.commitment is not None and side.commitment.tile is not None else 0
    return count


def tile_on_card(side: Side, question: Question) -> bool | None:
    """R3.1: visible while actions are resolved; None while it is not to be seen."""
    if question.kind in ("draft", "commit"):
        return None
    return side.commitment is not None and side.commitment.tile is not None


def revealed_card(table: Table, seat: int) -> str | None:
    """The card of the action that is being resolved (R3.4); every other commitment is hidden (R10.4)."""
    commitment = table.sides[seat].commitment
    revealed = table.pending is not None and table.pending.player == seat
    return commitment.card if revealed and commitment is not None else None


def own_side(table: Table, seat: int) -> dict[str, Any]:
    """What only this seat knows of its own things (R10.2), and what its neighbors know (R10.3)."""
    whole = side_to_json(table.sides[seat])
    own = {key: whole[key] for key in ("hand", "tiles", "commitment", "returning", "characters", "packet", "passed")}
    from_right = [] if table.alone else table.sides[table.right_of(seat)].passed
    own["right_knows"] = in_order([card for card in from_right if card in table.sides[seat].hand])
    own["right_knows_committed"] = [card for card in from_right if card not in table.sides[seat].hand]
    return own
