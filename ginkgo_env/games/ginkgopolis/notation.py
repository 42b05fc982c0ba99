"""Text of actions (``docs/design/text-forms.md``)."""

from __future__ import annotations

from typing import Any

from ginkgo_env.core.errors import NotationError, shown
from ginkgo_env.games.ginkgopolis.actions import (
    ACTIONS,
    ALONE,
    CHOICES,
    COMMIT,
    DONE,
    DRAFT,
    NEW_HAND,
    RETURN,
    TAKE,
    TAKE_RESOURCE,
    TAKE_TILE,
    TOKEN,
)
from ginkgo_env.games.ginkgopolis.constants import N_TILES, Side, Stage
from ginkgo_env.games.ginkgopolis.tables import CARD_IDS, CARD_NAMES, CHARACTER_IDS, CHARACTER_NAMES

_LONGEST = 32
_SIDES = {side.name if side < Side.AFTER else side.name.lower(): int(side) for side in Side}
_SIDE_NAMES = {number: name for name, number in _SIDES.items()}
_TAKES = {"resource": TAKE_RESOURCE, "tile": TAKE_TILE}
_TILE_IDS = {name: i for name, i in CARD_IDS.items() if i < N_TILES}


def names_in(words: Any) -> list[str]:
    """The names of the cards or tiles in a set, in order."""
    found = []
    for w, word in enumerate(words):
        rest = int(word)
        while rest:
            low = rest & -rest
            found.append(CARD_NAMES[64 * w + low.bit_length() - 1])
            rest ^= low
    return found


def action_text(g: Any, action: int) -> str:
    """The notation of an action of the actor of a record."""
    if not 0 <= action < ACTIONS.size:
        raise NotationError(f"{shown(action)} is no action: they are 0..{ACTIONS.size - 1}")
    block, place = ACTIONS.locate(action)
    if block.name == "commit":
        hand = names_in(g.hand[g.actor])
        if place[0] >= len(hand):
            raise NotationError(f"there is no card in place {place[0]} of the hand")
        card = hand[place[0]]
        return card if place[1] == ALONE else f"{card}+{CARD_NAMES[place[1] - 1]}"
    if block.name == "new_hand":
        return "new-hand"
    if block.name == "take":
        return "take:resource" if place[0] == TAKE_RESOURCE else "take:tile"
    if block.name == "token":
        return f"token:{_SIDE_NAMES[place[0]]}"
    if block.name == "return":
        return "return:done" if place[0] == DONE else f"return:{CARD_NAMES[place[0]]}"
    return f"draft:{CHARACTER_NAMES[place[0]]}"


def parse_action(g: Any, text: str) -> int:
    """The action that a text means for the actor of a record; whether it is legal is not asked here.

    Raises NotationError for text that is malformed, or names a card that is not in hand.
    """
    if not isinstance(text, str):
        raise NotationError(f"an action is text, not {type(text).__name__}")
    if len(text) > _LONGEST:
        raise NotationError(f"an action has at most {_LONGEST} characters; this text has {len(text)}")
    if g.stage == Stage.OVER:
        raise NotationError(f"the game is over, so {text!r} means nothing")
    if text == "new-hand":
        return NEW_HAND
    verb, colon, rest = text.partition(":")
    if not colon:
        return _parse_commit(g, text)
    if verb == "take":
        return TAKE + _look_up(_TAKES, rest, text, "resource or tile")
    if verb == "token":
        return TOKEN + _look_up(_SIDES, rest, text, "one of " + " ".join(_SIDES))
    if verb == "return":
        return RETURN + (DONE if rest == "done" else _look_up(_TILE_IDS, rest, text, "a tile or done"))
    if verb == "draft":
        return DRAFT + _look_up(CHARACTER_IDS, rest, text, "one of " + " ".join(CHARACTER_NAMES))
    raise NotationError(f"{text!r}: actions begin with a card, or are new-hand, take:, token:, return: or draft:")


def _parse_commit(g: Any, text: str) -> int:
    card, plus, tile = text.partition("+")
    if card not in CARD_IDS:
        raise NotationError(f"{text!r}: there is no card {card!r}")
    hand = names_in(g.hand[g.actor])
    if card not in hand:
        raise NotationError(f"{text!r}: {card} is not in the hand of player_{int(g.actor)} ({' '.join(hand) or 'empty'})")
    choice = 1 + _look_up(_TILE_IDS, tile, text, "a tile after the +") if plus else ALONE
    return COMMIT + hand.index(card) * CHOICES + choice


def _look_up(table: dict[str, int], word: str, text: str, wanted: str) -> int:
    if word not in table:
        raise NotationError(f"{text!r}: expected {wanted}")
    return table[word]
