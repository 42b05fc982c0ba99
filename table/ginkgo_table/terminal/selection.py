"""Selection of an action pick by pick, and the parsing of input; nothing here reads or prints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

Pick = tuple[str, str]
"""A group and a name, such as ``("card", "R3")``."""
MAX_LISTED = 9
"""The largest number of actions that are listed one by one; more are selected pick by pick."""


class LegalAction(NamedTuple):
    """A legal action with the picks that make it up."""

    id: int
    text: str
    """The action in notation."""
    picks: tuple[Pick, ...]
    note: str = ""
    """A warning that the action does less than its picks say."""


def legal_actions(actions: Iterable[Mapping[str, Any]]) -> tuple[LegalAction, ...]:
    """Convert the actions of ``view.decision_of``."""
    return tuple(
        LegalAction(row["id"], row["text"], tuple((group, name) for group, name in row["picks"]), row["note"]) for row in actions
    )


class MenuItem(NamedTuple):
    """A line of the list to choose from: a pick with the actions that contain it, or one whole action."""

    pick: Pick | None
    actions: tuple[LegalAction, ...]

    @property
    def note(self) -> str:
        """The note that all actions share; empty if one has none."""
        return self.actions[0].note if all(action.note for action in self.actions) else ""


class InputError(ValueError):
    """Raised for input that matches nothing, or is ambiguous."""

    def __init__(self, text: str, prefix: str, candidates: Sequence[str], is_excluded: bool = False) -> None:
        super().__init__(text)
        self.text = text
        self.prefix = prefix
        """The longest beginning of the input that matches something; the whole input if it is ambiguous."""
        self.candidates = tuple(candidates)
        """The names that begin with the prefix."""
        self.is_excluded = is_excluded
        """Whether the input is an action that the picks exclude."""


@dataclass(frozen=True)
class Selection:
    """The legal actions of a decision and the picks so far; immutable."""

    actions: tuple[LegalAction, ...]
    picks: tuple[Pick, ...] = ()

    @property
    def remaining(self) -> tuple[LegalAction, ...]:
        """The actions that contain all picks."""
        return tuple(action for action in self.actions if set(self.picks) <= set(action.picks))

    @property
    def is_stepwise(self) -> bool:
        """Whether the list has picks instead of whole actions: if there are many actions, or any picks."""
        return bool(self.picks) or (len(self.actions) > MAX_LISTED and any(len(action.picks) > 1 for action in self.actions))

    @property
    def items(self) -> list[MenuItem]:
        """The list to choose from, in the order of the actions."""
        return self._next_items if self.is_stepwise else [MenuItem(None, (action,)) for action in self.actions]

    @property
    def _next_items(self) -> list[MenuItem]:
        """The possible next picks, and the actions that need no further pick."""
        by_pick: dict[Pick | LegalAction, list[LegalAction]] = {}
        for action in self.remaining:
            following = next((pick for pick in action.picks if pick not in self.picks), None)
            by_pick.setdefault(following or action, []).append(action)
        return [MenuItem(None if isinstance(key, LegalAction) else key, tuple(actions)) for key, actions in by_pick.items()]

    def without_last_pick(self) -> Selection:
        """Return the selection without its last pick."""
        return Selection(self.actions, self.picks[:-1])

    def rest(self, item: MenuItem) -> list[tuple[Pick, ...]]:
        """Return the picks that would remain after an item, for each of its actions."""
        done = {*self.picks, item.pick}
        return [tuple(pick for pick in action.picks if pick not in done) for action in item.actions]

    def _with(self, item: MenuItem) -> Selection:
        return self if item.pick is None else Selection(self.actions, (*self.picks, item.pick))


class ParsedInput(NamedTuple):
    """The result of parsing a line of input: a selection or an action."""

    selection: Selection
    chosen: LegalAction | None
    """The only remaining action; None if there are several."""
    is_complete: bool
    """Whether the action was given in full by its number or name, so that it needs no confirmation."""


PickNote = Callable[[Pick], str]
"""Gives the translation of a pick; may be empty."""


def parse(selection: Selection, line: str, translate: PickNote = lambda pick: "") -> ParsedInput:
    """Parse a line: a number of the list, a notation, a pick, a beginning of these, or several picks.

    Case is ignored. A text that is both an action and a pick that allows further picks means the pick. Raises InputError.
    """
    try:
        return _parse_part(selection, line, translate)
    except InputError:
        if len(line.split()) < 2:
            raise
    repeated = {name.casefold() for _, name in selection.picks}
    parts = [part for part in line.split() if part.casefold() not in repeated]
    parsed = ParsedInput(selection, None, False)
    for part in parts:
        if parsed.chosen is not None:
            raise InputError(line, "", [action.text for action in selection.remaining])
        parsed = _parse_part(parsed.selection, part, translate)
    return parsed._replace(is_complete=False)


def _parse_part(selection: Selection, line: str, translate: PickNote) -> ParsedInput:
    text = line.strip().casefold()
    numbered = _item_by_number(selection.items, text)
    named = _items_by_name(selection, translate)
    exact = [item for name, item in named if name.casefold() == text]
    if numbered and not text.startswith("#") and any(item.actions != numbered.actions for item in exact):
        raise InputError(line, line, [f"#{text}", *(item.actions[0].text for item in exact)])
    if item := numbered or _common_item(exact):
        return _select(selection, item, not selection.picks)
    if exact:
        raise InputError(line, line, [action.text for item in exact for action in item.actions])
    if any(name.casefold() == text for _, name in selection.picks):
        return ParsedInput(selection, None, False)  # repeats a pick
    starting = _common_item([item for name, item in named if text and name.casefold().startswith(text)])
    if starting is None:
        raise _input_error(selection, line.strip(), named)
    return _select(selection, starting, False)


def _item_by_number(items: Sequence[MenuItem], text: str) -> MenuItem | None:
    """Return the item of a number, written as ``3`` or ``#3``."""
    digits = text.removeprefix("#")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > len(str(len(items))):
        return None
    return items[int(digits) - 1] if 1 <= int(digits) <= len(items) else None


def _items_by_name(selection: Selection, translate: PickNote) -> list[tuple[str, MenuItem]]:
    """Return the items by notation, names of picks and their translations."""
    named = [(action.text, MenuItem(None, (action,))) for action in selection.remaining]
    for item in selection._next_items:
        if item.pick is not None:
            named += [(name, item) for name in (item.pick[1], translate(item.pick)) if name]
    return named


def _common_item(items: Sequence[MenuItem]) -> MenuItem | None:
    """Return the item that contains the actions of all the others; None if there is none."""
    union = {action for item in items for action in item.actions}
    return next((item for item in sorted(items, key=lambda item: item.pick is None) if union == set(item.actions)), None)


def _select(selection: Selection, item: MenuItem, is_complete: bool) -> ParsedInput:
    is_single = len(item.actions) == 1
    return ParsedInput(selection._with(item), item.actions[0] if is_single else None, is_complete and is_single)


def _input_error(selection: Selection, text: str, named: Sequence[tuple[str, MenuItem]]) -> InputError:
    folded = text.casefold()
    is_excluded = any(action.text.casefold() == folded for action in selection.actions if action not in selection.remaining)
    known = [name.casefold() for name, _ in named]
    length = next(n for n in range(len(folded), -1, -1) if n == 0 or any(name.startswith(folded[:n]) for name in known))
    if not length:
        return InputError(text, "", _names(selection), is_excluded)
    similar = [name for name, _ in named if name.casefold().startswith(folded[:length])]
    return InputError(text, text[:length], list(dict.fromkeys(similar)), is_excluded)


def _names(selection: Selection) -> list[str]:
    return [item.actions[0].text if item.pick is None else item.pick[1] for item in selection.items]
