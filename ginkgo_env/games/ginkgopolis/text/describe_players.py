"""Players in descriptions: public numbers, cards in front of screens, private information."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.text import Line, labelled
from ginkgo_env.games.ginkgopolis.constants import NONE, WILLIAM, Action, Module, Stage
from ginkgo_env.games.ginkgopolis.tables import EVENT_NAMES, NAMES
from ginkgo_env.games.ginkgopolis.text.lines import commitment
from ginkgo_env.games.ginkgopolis.text.notation import names_in
from ginkgo_env.games.ginkgopolis.text.position.player import FIELD
from ginkgo_env.games.ginkgopolis.text.reading import (
    CHOOSING,
    UNTESTED,
    characters,
    count_cards_of,
    count_events_of,
    count_kept_of,
    count_tiles_of,
    events_known,
    expert_of,
    is_shown,
    tiles_in,
    tiles_on_card,
    with_module,
)
from ginkgo_env.games.ginkgopolis.text.words import say

_MARKS = "abcde"  # of owners, by seat
_WILLIAM_MARK = "w"
_PLAYS = {
    Action.EXPLOIT: "exploits with {card}",
    Action.URBANIZE: "urbanizes with {card}",
    Action.CONSTRUCT: "constructs with {card}",
}
_COLUMNS: dict[str, Callable[[Fields, int], int] | None] = {
    "points": None,
    "resources": None,
    "supply": None,
    "tiles": count_tiles_of,
    "hand": count_cards_of,
    "new_hands": None,
    "events": count_events_of,
    "kept": count_kept_of,
}
"""Public numbers by field; None for a number that is written as it is."""
PRIVATE = ("packet", "packet_experts", "hand", "kept", "tiles", "events", "commitment", "returning", "lower_tiles")
"""Fields of a player that are private."""
_NEVER_EMPTY = ("hand", "tiles")


def mark(g: Fields, p: int) -> str:
    """Return the letter that stands for a side."""
    return _WILLIAM_MARK if g.solo and p == WILLIAM else _MARKS[p]


# --- public numbers (R10.1) ------------------------------------------------------------------------------------------------


def player_rows(g: Fields, names: Sequence[str]) -> list[str]:
    """Return a table with a row for each side."""
    player, columns = say("player"), [say(column) for column in counts(g, 0)]
    width = max(len(player), *map(len, names))
    lines = [f"   {player:<{width}}" + "".join(f"  {column}" for column in columns)]
    for p in range(g.players):
        numbers = "".join(f"  {n:>{len(column)}}" for column, n in zip(columns, counts(g, p).values(), strict=True))
        lines.append(Line(f" {mark(g, p)} {names[p]:<{width}}{numbers}  {doing(g, p)}".rstrip(), width + 5))
    return lines


def counts(g: Fields, p: int) -> dict[str, int]:
    """Return the public numbers of a side, by name."""
    modules = (None, *(module for module in Module if with_module(g, module)))
    return {
        FIELD[key].label: (count or FIELD[key].write)(g, p) for key, count in _COLUMNS.items() if FIELD[key].module in modules
    }


def doing(g: Fields, p: int) -> str:
    """Say what everybody sees a side do now."""
    notes = []
    if g.first == p and not g.solo:
        notes.append(say("first"))
    if g.actor == p:
        notes.append(say("decides"))
    if g.card[p] != NONE and not (g.solo and p == WILLIAM and not is_shown(g, p)):
        notes.append(_card_note(g, p))
    return ", ".join(filter(None, notes))


def _card_note(g: Fields, p: int) -> str:
    """Say what everybody sees of a committed card."""
    if is_shown(g, p):
        if g.phase in UNTESTED:  # the action is not known yet
            return say("shows {card}", card=_on_card(g, p))
        return say(_PLAYS[Action(g.action)], card=NAMES[g.card[p]])
    if g.stage in CHOOSING:
        return "" if g.actor == p else say("has chosen")
    lying = [
        say(thing) for thing in (("", "a tile", "two tiles")[tiles_on_card(g, p)], "an event" * (g.event[p] != NONE)) if thing
    ]
    return say("card with {things}", things=say.joined(lying)) if lying else say("card alone")


def _on_card(g: Fields, p: int) -> str:
    """Return a card with its tiles; the lower tile stays hidden."""
    card = commitment(g.card[p], g.tile[p])
    return say("{tile} on a hidden tile", tile=card) if tiles_on_card(g, p) > 1 else card


# --- in front of the screens -----------------------------------------------------------------------------------------------


def in_front(g: Fields, open_seats: Sequence[int]) -> list[str]:
    """Describe tableaus, and what everybody knows of each side (R10.3, X7.4)."""
    lines = []
    for p in range(g.players):
        kept = [*map(say, expert_of(g, p)), *characters(g.characters[p])]
        if drafts_in_secret(g, p, open_seats):
            kind = "card" if with_module(g, Module.EXPERTS) else "character"
            kept = [say("{cards}, secret", cards=say.counted(count_kept_in_draft(g, p), kind))]
        lines += labelled(say("tableau of {side}:", side=mark(g, p)), " ".join([*kept, *names_in(g.tableau[p])]) or "-")
        if facts := labelled_names(known(g, p)):
            lines += labelled(say("known of {side}:", side=mark(g, p)), "; ".join(facts))
    return ["", *lines]


def drafts_in_secret(g: Fields, p: int, open_seats: Sequence[int]) -> bool:
    """Whether the cards that a side has kept in the draft are hidden from the viewer (R2.7)."""
    return g.stage == Stage.DRAFT and p not in open_seats


def count_kept_in_draft(g: Fields, p: int) -> int:
    """Count the characters and experts that a side has kept in the draft."""
    return g.pick + (p < g.actor)


def known(g: Fields, p: int) -> dict[str, list[str]]:
    """Return the tiles and events that everybody knows a side to have, or to have had."""
    lower = len(tiles_in(g, "lower_tiles", p))
    return {
        FIELD["known_tiles"].label: FIELD["known_tiles"].names(g, p),
        FIELD["known_events"].label: events_known(g, p),
        FIELD["events_played"].label: FIELD["events_played"].names(g, p),
        f"{FIELD['lower_tiles'].label}:": [str(lower)] if lower else [],
    }


def labelled_names(facts: Mapping[str, list[str]]) -> list[str]:
    """Return names after their labels; labels without names are left out."""
    return [f"{say(label)} {' '.join(map(say, names))}" for label, names in facts.items() if names]


# --- behind the screens ----------------------------------------------------------------------------------------------------


def behind_screen(g: Fields, p: int) -> list[str]:
    """Describe private information: cards, tiles, choices, and cards known by passing (R10.2, R10.3)."""
    facts: dict[str, list[str]] = {}
    for key in PRIVATE:
        if key == "commitment":
            facts |= _own_card(g, p)
        else:
            label = FIELD[key].label
            facts[label] = facts.get(label, []) + (FIELD[key].names(g, p) or ["-"] * (key in _NEVER_EMPTY))
    lines = labelled(say("only {side} sees:", side=mark(g, p)), "; ".join(labelled_names(facts)))
    if not g.solo:
        left, right = (p + 1) % g.players, (p - 1) % g.players
        for text, words in (
            (say("{side} has", side=mark(g, left)), g.passed[p]),
            (say("{side} knows of", side=mark(g, right)), g.passed[right]),
        ):
            if names_in(words):
                lines += labelled("", f"{text} {' '.join(names_in(words))}")
    return lines


def _own_card(g: Fields, p: int) -> dict[str, list[str]]:
    """Return the own card with all that lies on it; once revealed, only what stays hidden."""
    if is_shown(g, p):
        return {"under the tile shown": [] if g.lower[p] == NONE else [NAMES[g.lower[p]]]}
    return {"chosen": [] if g.card[p] == NONE else [_chosen(g, p)]}


def _chosen(g: Fields, p: int) -> str:
    """Return a commitment in the notation of actions."""
    lower = "" if g.lower[p] == NONE else say(" on {tile}", tile=NAMES[g.lower[p]])
    event = "" if g.event[p] == NONE else say(" with {event}", event=say(EVENT_NAMES[g.event[p]]))
    return f"{commitment(g.card[p], g.tile[p])}{lower}{event}"
