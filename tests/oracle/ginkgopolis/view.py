"""What one seat may know (R10, X7.3, X7.4): an independent statement of the observation."""

from dataclasses import replace
from typing import Any

from .components import characters_in_order, in_order
from .expansion import events_in_order
from .position import building_to_json, pending_to_json, side_to_json, tokens_to_json
from .table import Question, Side, Table

Json = dict[str, Any]
SEQUENCE = ("commit", "lower", "event", "keep")  # X7.3: one player's choice; to the others it is all "commit"
UNSEEN = ("draft", "events", *SEQUENCE)  # what lies on cards is not to be seen yet (R3.1, X4.2)
SETTING_TILES_ASIDE = (*SEQUENCE, "return")  # R10.1: R3.1 and R7.1
OWN = ("hand", "tiles", "commitment", "returning", "characters", "packet", "passed")
OWN_WITH_MODULES = ("expert", "packet_experts", "events", "kept", "lower_tiles")


def view(table: Table, question: Question, seat: int) -> Json:
    """Public things, the own things, and what is known of the others from play.

    As in a position: round, first_player, ending, exhaustions, pending, city, tokens, buried, returned, discard.
    ``seat`` the viewer; ``alone``; ``decision`` kind and actor, where a player who chooses is always at "commit" to the
    others (X7.3); ``supply``, ``deck`` numbers of tiles and cards; ``players`` see :func:`public_side`; ``own`` see
    :func:`own_side`. With modules: ``new_buildings`` number of tiles, ``prestige`` tiles, ``green_spaces`` number.
    """
    modules = bool(table.modules)
    hidden = question.kind in SEQUENCE and question.actor != seat
    seen = {
        "seat": seat,
        "alone": table.alone,
        "round": table.round,
        "first_player": table.first_player,
        "decision": {"kind": "commit" if hidden else question.kind, "actor": question.actor},
        "ending": table.ending,
        "exhaustions": table.exhaustions,
        "pending": pending_to_json(table.pending, modules),
        "city": [building_to_json(plot) for plot in table.city.plots],
        "tokens": tokens_to_json(table.city),
        "buried": in_order(table.city.buried),  # each was seen lying on top
        "supply": len(table.supply),
        "returned": in_order(table.returned),  # R10.3: the supply was this set after R7.1
        "deck": len(table.deck),
        "discard": in_order(table.discard),
        "players": [public_side(table, question, other, seat) for other in range(len(table.sides))],
        "own": own_side(table, seat),
    }
    if not modules:
        return seen
    return seen | {
        "modules": table.modules,
        "hand_size": table.config["hand_size"],
        "new_buildings": len(table.new_buildings),  # X7.4: not known as a set
        "prestige": in_order(table.prestige),
        "green_spaces": table.green_spaces,
    }


def public_side(table: Table, question: Question, seat: int, viewer: int) -> Json:
    """What all know of one side (R10.1, R10.3, X7.4).

    Numbers: points, resources, supply, new_hands; hand (without the cards committed and kept); tiles behind the screen (while
    tiles are set aside, R10.1, with those on the card and those to be returned). ``characters`` None during the draft,
    ``character_count`` how many cards are kept (with experts the expert is one of them); ``committed``; ``tile_on_card``
    None while it is not to be seen; ``card`` that is being resolved; known_tiles; tableau.

    With modules: ``expert`` None during the draft; ``kept`` whether a card is kept; ``event_count`` event tiles behind the
    screen, while players choose with the one committed; ``events`` the kinds that all know to be there or unseen on the card:
    with module 6 all of them, else those that went back (X7.4); events_played; ``lower_count`` lower tiles in the city;
    ``tiles_on_card`` 0 to 2 and ``event_on_card``, None while not to be seen; ``upper`` tile of the card that is being
    resolved, while it lies there.
    """
    side = table.sides[seat]
    if question.kind in SEQUENCE and question.actor == seat != viewer:
        side = before_choosing(side)
    drafting = question.kind == "draft"
    lying = side.commitment.tiles() if side.commitment is not None else []
    unseen = question.kind in UNSEEN
    aside = [*side.returning, *lying] if question.kind in SETTING_TILES_ASIDE else []
    resolving = table.pending is not None and table.pending.player == seat and side.commitment is not None
    seen = {
        "points": side.points,
        "resources": side.resources,
        "supply": side.supply,
        "new_hands": side.new_hands,
        # R2.7: revealed together after the draft
        "characters": None if drafting else characters_in_order(side.characters),
        "character_count": picks_made(table, question, seat) if drafting else len(side.characters),
        "hand": len(side.hand),
        "tiles": len(side.tiles) + len(aside),
        "committed": side.commitment is not None,
        # R3.1: visible while actions are resolved
        "tile_on_card": None if unseen else bool(lying),
        "card": side.commitment.card if resolving and side.commitment is not None else None,
        "known_tiles": in_order(side.known_tiles),
        "tableau": in_order(side.tableau),
    }
    if not table.modules:
        return seen
    event = [side.commitment.event] if side.commitment is not None and side.commitment.event is not None else []
    return seen | {
        "expert": None if drafting else side.expert,
        "kept": side.kept is not None,
        "event_count": len(side.events) + (len(event) if question.kind in SEQUENCE else 0),
        "events": events_in_order([e for e in side.events + event if "experts" in table.modules or e in side.known_events]),
        "events_played": events_in_order(side.events_played),
        "lower_count": len(side.lower_tiles),
        "tiles_on_card": None if unseen else len(lying),
        "event_on_card": None if unseen else bool(event),
        "upper": side.commitment.tile if resolving and side.commitment is not None else None,
    }


def before_choosing(side: Side) -> Side:
    """X7.3: a player in the middle of the sequence, as the others see them."""
    if side.commitment is None:
        return side
    lying = side.commitment
    return replace(
        side,
        hand=[*side.hand, lying.card] + ([] if side.kept is None else [side.kept]),
        tiles=side.tiles + lying.tiles(),
        events=side.events + ([] if lying.event is None else [lying.event]),
        commitment=None,
        kept=None,
    )


def picks_made(table: Table, question: Question, seat: int) -> int:
    """Cards kept so far in the draft: whether one of them is an expert is not to be seen (X6)."""
    assert question.actor is not None
    deciding = table.sides[question.actor]
    full = 4 + (2 if "experts" in table.modules else 0)
    before = full - len(deciding.packet) - len(deciding.packet_experts)
    return before + (1 if seat < question.actor else 0)


def own_side(table: Table, seat: int) -> Json:
    """What only this seat knows of its own things (R10.2), and what its neighbors know (R10.3).

    Keys as in a position, and ``right_knows``, ``right_knows_committed``, ``right_knows_kept``: cards that the right
    neighbor passed, which lie in this hand, are committed or kept.
    """
    side, modules = table.sides[seat], bool(table.modules)
    whole = side_to_json(side, modules)
    own = {key: whole[key] for key in (*OWN, *(OWN_WITH_MODULES if modules else ()))}
    from_right = [] if table.alone else table.sides[table.right_of(seat)].passed
    committed = [side.commitment.card] if side.commitment is not None else []
    own["right_knows"] = in_order([card for card in from_right if card in side.hand])
    own["right_knows_committed"] = [card for card in from_right if card in committed]
    if modules:
        own["right_knows_kept"] = [card for card in from_right if card == side.kept]
    return own
