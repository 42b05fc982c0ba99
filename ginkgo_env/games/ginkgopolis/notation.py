"""Notation of actions (``docs/design/text-forms.md``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import NotationError, join_names
from ginkgo_env.core.layout import Layout
from ginkgo_env.core.state import PlainRecord
from ginkgo_env.games.ginkgopolis.actions import ACTIONS, ALONE, EXPANSION_ACTIONS
from ginkgo_env.games.ginkgopolis.components import CHARACTER_NAMES, EVENT_NAMES, EVENT_PAIRS, EXPERT_NAMES, IDS, NAMES, RANK
from ginkgo_env.games.ginkgopolis.constants import (
    GREEN_SPACE,
    N_ALL_CARDS,
    N_CARDS,
    N_TILES,
    RESOURCES,
    Side,
    Split,
    Stage,
    Timing,
)
from ginkgo_env.games.ginkgopolis.state import State

Readable = State | PlainRecord
"""A record or its fields; functions that only read accept both."""

_LONGEST = 32
_RANK = RANK.tolist()  # lists are faster than arrays here
_TILE_NAMES = [name for name, i in IDS.items() if not N_TILES <= i < N_CARDS]  # by index in blocks
_PAIRS = ["+".join(name for kind, name in enumerate(EVENT_NAMES) if int(pair) >> kind & 1) for pair in EVENT_PAIRS]


def _places(layout: Layout) -> dict[str, dict[str, int]]:
    """Return the places of actions in their blocks, by verb and name; those of "commit" are the places of tiles."""
    tiles = _TILE_NAMES[: layout["return"].shape[0] - 1]
    names = {
        "take": ("resource", "tile"),
        "token": [side.name if side < Side.AFTER else side.name.lower() for side in Side],
        "return": [*tiles, "done"],
        "draft": (*CHARACTER_NAMES, *EXPERT_NAMES),
        "events": _PAIRS,
        "lower": ["none", *tiles],
        "event": ["none", *EVENT_NAMES],
        "timing": [timing.name.lower() for timing in Timing],
        "split": [split.name.lower().replace("_", "-") for split in Split],
        "pay": [str(n) for n in range(max(RESOURCES) + 1)],
    }
    places = {
        verb: {name: place for place, name in enumerate(table[: layout[verb].shape[0]])}
        for verb, table in names.items()
        if verb in layout
    }
    return places | {"commit": {name: 1 + place for place, name in enumerate(tiles)}}


_PLACES = (_places(ACTIONS), _places(EXPANSION_ACTIONS))
"""Places without and with modules, by the record's field ``expansion``."""
_TEXTS = [{verb: {place: name for name, place in table.items()} for verb, table in tables.items()} for tables in _PLACES]
_EXPECTED = {"return": "a tile or done", "lower": "a tile or none", "pay": f"a number from 0 to {max(RESOURCES)}"}


def layout_of(g: Readable) -> Layout:
    """Return the layout of actions of a record's game."""
    return EXPANSION_ACTIONS if g.expansion else ACTIONS


def card_ids(g: Readable) -> dict[str, int]:
    """Return the cards of the game, by name."""
    return _ALL_CARD_IDS if g.expansion else _CARD_IDS


_CARD_IDS = {name: i for name, i in IDS.items() if i < N_CARDS}
_ALL_CARD_IDS = {name: i for name, i in IDS.items() if i < N_ALL_CARDS}


def members(words: Any) -> list[int]:
    """Return the numbers in a set, in ascending order."""
    ids = []
    for w, word in enumerate(words):
        rest = int(word)
        while rest:
            low = rest & -rest
            ids.append(64 * w + low.bit_length() - 1)
            rest ^= low
    return ids


def names_in(words: Any, green: int = 0) -> list[str]:
    """Return the names of the cards or tiles in a set, in order; `green` is the number of green spaces."""
    names = [NAMES[i] for i in sorted(members(words), key=_RANK.__getitem__)]
    return names + [NAMES[GREEN_SPACE]] * (green - 1)


def names_at(bits: int, names: Sequence[str]) -> list[str]:
    """Return the names whose bits are set."""
    return [name for i, name in enumerate(names) if int(bits) >> i & 1]


def action_text(g: State, action: int) -> str:
    """Return the notation of an action of the actor."""
    layout = layout_of(g)
    action = integer(action, 0, layout.size - 1, "action", NotationError)
    block, place = layout.locate(action)
    verb, texts = block.name, _TEXTS[g.expansion]
    if verb == "new_hand":
        return "new-hand"
    if verb == "commit":
        card = _card_at(g, place[0])
        return card if place[1] == ALONE else f"{card}+{texts[verb][place[1]]}"
    return f"{verb}:{_card_at(g, place[0]) if verb == 'keep' else texts[verb][place[0]]}"


def _hand(g: State) -> list[str]:
    """Return the actor's cards in the order that actions use."""
    return [NAMES[i] for i in members(g.hand[g.actor])]


def _card_at(g: State, place: int) -> str:
    hand = _hand(g)
    if place >= len(hand):
        raise NotationError(f"invalid action: expected a card in place 0..{len(hand) - 1} of the hand, got place {place}")
    return hand[place]


def parse_action(g: State, text: str) -> int:
    """Return the action that a text means for the actor; it may be illegal.

    Raises NotationError if the text is malformed or names a card that is not in hand.
    """
    if not isinstance(text, str):
        raise NotationError(f"action must be text, got {type(text).__name__}")
    if len(text) > _LONGEST:
        raise NotationError(f"action must have at most {_LONGEST} characters, got {len(text)}")
    if g.stage == Stage.OVER:
        raise NotationError(f"{text!r}: no action is legal, the game is over")
    layout = layout_of(g)
    if text == "new-hand":
        return layout["new_hand"].start
    verb, colon, rest = text.partition(":")
    if not colon:
        return _parse_commit(g, text)
    if verb not in layout or verb in ("commit", "new_hand"):
        *verbs, last = (f"{name}:" for name in layout if name not in ("commit", "new_hand"))
        raise NotationError(f"{text!r}: expected a card, new-hand, {', '.join(verbs)} or {last}")
    return layout[verb].start + _parse_place(g, verb, rest, text)


def _parse_place(g: State, verb: str, rest: str, text: str) -> int:
    """Return the place in the block of a verb."""
    if verb == "keep":
        return _place_in_hand(g, rest, text)
    places = _PLACES[g.expansion][verb]
    return _look_up(places, rest, text, _EXPECTED.get(verb) or f"one of {join_names(places)}")


def _parse_commit(g: State, text: str) -> int:
    card, plus, tile = text.partition("+")
    place = _place_in_hand(g, card, text)
    choice = _look_up(_PLACES[g.expansion]["commit"], tile, text, "a tile after the +") if plus else ALONE
    block = layout_of(g)["commit"]
    return block.start + place * block.shape[1] + choice


def _place_in_hand(g: State, card: str, text: str) -> int:
    if card not in card_ids(g):
        raise NotationError(f"{text!r}: unknown card {card!r}")
    hand = _hand(g)
    if card not in hand:
        raise NotationError(f"{text!r}: {card} is not in the hand of player_{int(g.actor)} ({' '.join(hand) or 'empty'})")
    return hand.index(card)


def _look_up(table: dict[str, int], word: str, text: str, expected: str) -> int:
    if word not in table:
        raise NotationError(f"{text!r}: expected {expected}")
    return table[word]
