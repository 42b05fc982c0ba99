"""Actions put together pick by pick: what is open, what a line of input means, what is left. Nothing here reads or prints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

Pick = tuple[str, str]
"""A group and a name, such as ``("card", "R3")``."""
FEW = 9
"""So many actions are listed one by one, more by what is picked first."""


class LegalAction(NamedTuple):
    """A legal action."""

    id: int
    text: str
    """In notation."""
    picks: tuple[Pick, ...]


def offers_of(actions: Iterable[Mapping[str, Any]]) -> tuple[LegalAction, ...]:
    """The actions of a decision as ``view.decision_of`` tells them."""
    return tuple(LegalAction(one["id"], one["text"], tuple((group, name) for group, name in one["picks"])) for one in actions)


class Item(NamedTuple):
    """A line of the list to choose from: a pick with the actions that it leaves, or one whole action."""

    pick: Pick | None
    offers: tuple[LegalAction, ...]


class UnclearError(ValueError):
    """Input that means no action and no pick, or several."""

    def __init__(self, text: str, start: str, possible: Sequence[str], elsewhere: bool = False) -> None:
        super().__init__(text)
        self.text = text
        self.start = start
        """How far the input is the beginning of something; all of it where it could mean several things."""
        self.possible = tuple(possible)
        """What begins like that."""
        self.elsewhere = elsewhere
        """Whether it is an action that does not go with what is picked."""


@dataclass(frozen=True)
class Picking:
    """The legal actions of a decision and what is picked of them so far. It never changes: each step gives another one."""

    offers: tuple[LegalAction, ...]
    taken: tuple[Pick, ...] = ()

    @property
    def left(self) -> tuple[LegalAction, ...]:
        """The actions that go with what is picked."""
        return tuple(offer for offer in self.offers if set(self.taken) <= set(offer.picks))

    @property
    def in_steps(self) -> bool:
        """Whether the list has picks instead of whole actions: when there are many, or once something is picked."""
        return bool(self.taken) or (len(self.offers) > FEW and any(len(offer.picks) > 1 for offer in self.offers))

    @property
    def items(self) -> list[Item]:
        """What to choose from, in the order of the actions."""
        return self._open if self.in_steps else [Item(None, (offer,)) for offer in self.offers]

    @property
    def _open(self) -> list[Item]:
        """What can be picked next; an action that is complete stands for itself."""
        found: dict[Pick | LegalAction, list[LegalAction]] = {}
        for offer in self.left:
            following = next((pick for pick in offer.picks if pick not in self.taken), None)
            found.setdefault(following or offer, []).append(offer)
        return [Item(None if isinstance(key, LegalAction) else key, tuple(offers)) for key, offers in found.items()]

    def undone(self) -> Picking:
        """Without the last pick."""
        return Picking(self.offers, self.taken[:-1])

    def rest(self, item: Item) -> list[tuple[Pick, ...]]:
        """What would still be picked after an item, for each of its actions."""
        gone = {*self.taken, item.pick}
        return [tuple(pick for pick in offer.picks if pick not in gone) for offer in item.offers]

    def _with(self, item: Item) -> Picking:
        return self if item.pick is None else Picking(self.offers, (*self.taken, item.pick))


class Found(NamedTuple):
    """What a line of input means."""

    picking: Picking
    chosen: LegalAction | None
    """The only action that is left; None if several are."""
    sure: bool
    """Whether it was called in full by its number or name: then it need not be confirmed."""


Words = Callable[[Pick], str]
"""What a pick is called besides its name; may be empty."""


def read(picking: Picking, line: str, words: Words = lambda pick: "") -> Found:
    """What a line means: a number of the list, a notation, a pick, the beginning of one of these, or several picks in a row.

    Case does not matter. A text that is both an action and a pick with which more goes is the pick. Raises UnclearError.
    """
    try:
        return _read(picking, line, words)
    except UnclearError:
        if len(line.split()) < 2:
            raise
    said = {name.casefold() for _, name in picking.taken}
    parts = [part for part in line.split() if part.casefold() not in said]
    found = Found(picking, None, False)
    for part in parts:
        if found.chosen is not None:
            raise UnclearError(line, "", [offer.text for offer in picking.left])
        found = _read(found.picking, part, words)
    return found._replace(sure=False)


def _read(picking: Picking, line: str, words: Words) -> Found:
    text = line.strip().casefold()
    numbered = _numbered(picking.items, text)
    named = _named(picking, words)
    exact = [item for name, item in named if name.casefold() == text]
    if numbered and not text.startswith("#") and any(item.offers != numbered.offers for item in exact):
        raise UnclearError(line, line, [f"#{text}", *(item.offers[0].text for item in exact)])
    if found := numbered or _only(exact):
        return _found(picking, found, not picking.taken)
    if exact:
        raise UnclearError(line, line, [offer.text for item in exact for offer in item.offers])
    if any(name.casefold() == text for _, name in picking.taken):
        return Found(picking, None, False)  # said once more
    starting = _only([item for name, item in named if text and name.casefold().startswith(text)])
    if starting is None:
        raise _unclear(picking, line.strip(), named)
    return _found(picking, starting, False)


def _numbered(items: Sequence[Item], text: str) -> Item | None:
    """The item of a number, written as ``3`` or ``#3``."""
    digits = text.removeprefix("#")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > len(str(len(items))):
        return None
    return items[int(digits) - 1] if 1 <= int(digits) <= len(items) else None


def _named(picking: Picking, words: Words) -> list[tuple[str, Item]]:
    """All that can be said, and what it means: notations, names of picks, and other words for these."""
    found = [(offer.text, Item(None, (offer,))) for offer in picking.left]
    for item in picking._open:
        if item.pick is not None:
            found += [(name, item) for name in (item.pick[1], words(item.pick)) if name]
    return found


def _only(items: Sequence[Item]) -> Item | None:
    """The item that holds the actions of all the others; None if there is none."""
    union = {offer for item in items for offer in item.offers}
    return next((item for item in sorted(items, key=lambda one: one.pick is None) if union == set(item.offers)), None)


def _found(picking: Picking, item: Item, sure: bool) -> Found:
    alone = len(item.offers) == 1
    return Found(picking._with(item), item.offers[0] if alone else None, sure and alone)


def _unclear(picking: Picking, text: str, named: Sequence[tuple[str, Item]]) -> UnclearError:
    folded = text.casefold()
    elsewhere = any(offer.text.casefold() == folded for offer in picking.offers if offer not in picking.left)
    length = max((_common(name.casefold(), folded) for name, _ in named), default=0)
    if not length:
        return UnclearError(text, "", _names(picking), elsewhere)
    like = [name for name, _ in named if name.casefold().startswith(folded[:length])]
    return UnclearError(text, text[:length], list(dict.fromkeys(like)), elsewhere)


def _names(picking: Picking) -> list[str]:
    return [item.offers[0].text if item.pick is None else item.pick[1] for item in picking.items]


def _common(one: str, other: str) -> int:
    """The length of the common beginning."""
    length = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        length += 1
    return length
