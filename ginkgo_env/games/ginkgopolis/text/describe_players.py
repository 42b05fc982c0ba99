"""The players in a description of the table: what everybody counts, what lies in front of screens, what a seat sees alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ginkgo_env.core.text import Line
from ginkgo_env.games.ginkgopolis.constants import NONE, WILLIAM, Action, EventTile, Module, Phase, Stage
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import EVENT_NAMES, NAMES
from ginkgo_env.games.ginkgopolis.text.notation import names_at, names_in
from ginkgo_env.games.ginkgopolis.text.reading import (
    CHOOSING,
    characters,
    count_cards_of,
    count_events_of,
    count_kept_of,
    count_tiles_of,
    events_held,
    expert_of,
    extra,
    is_shown,
    packet_of,
    tiles_in,
    tiles_on_card,
    with_module,
)

_MARKS = "abcde"  # of owners, by seat
_WILLIAM_MARK = "w"
_INDENT = 14
_VERBS = {Action.EXPLOIT: "exploits", Action.URBANIZE: "urbanizes", Action.CONSTRUCT: "constructs"}
_COLUMNS: dict[str, Callable[[Any, int], int]] = {
    "SP": lambda g, p: int(g.points[p]),
    "resources": lambda g, p: int(g.resources[p]),
    "supply": lambda g, p: int(g.supply_resources[p]),
    "tiles": count_tiles_of,
    "cards": count_cards_of,
    "New Hands": lambda g, p: int(g.new_hands[p]),
}
_MORE_COLUMNS = {Module.EVENTS: ("events", count_events_of), Module.KEEP_CARD: ("kept", count_kept_of)}


def mark(g: State, p: int) -> str:
    """The letter that stands for a side."""
    return _WILLIAM_MARK if g.solo and p == WILLIAM else _MARKS[p]


def labelled(label: str, text: str) -> list[str]:
    """A line with a label in the margin."""
    return [Line(f"{label:<{_INDENT}}{text}", _INDENT)]


# --- what everybody counts (R10.1) -----------------------------------------------------------------------------------------


def player_rows(g: State, names: Sequence[str]) -> list[str]:
    """A row for each side."""
    columns = _COLUMNS | {heading: count for module, (heading, count) in _MORE_COLUMNS.items() if with_module(g, module)}
    width = max(len("player"), *map(len, names))
    lines = [f"   {'player':<{width}}" + "".join(f"  {column}" for column in columns)]
    for p in range(int(g.players)):
        numbers = "".join(f"  {count(g, p):>{len(column)}}" for column, count in columns.items())
        lines.append(Line(f" {mark(g, p)} {names[p]:<{width}}{numbers}  {_doing(g, p)}".rstrip(), width + 5))
    return lines


def _doing(g: State, p: int) -> str:
    """What everybody sees this side do now."""
    notes = []
    if g.first == p and not g.solo:
        notes.append("first")
    if g.actor == p:
        notes.append("decides")
    if g.card[p] != NONE and not (g.solo and p == WILLIAM and not is_shown(g, p)):
        notes.append(_card_note(g, p))
    return ", ".join(filter(None, notes))


def _card_note(g: State, p: int) -> str:
    """What everybody sees of a card that is out."""
    if is_shown(g, p):
        if extra(g, "phase") in (Phase.TIMING, Phase.BEFORE):  # not known yet what action it will be
            return f"shows {_on_card(g, p)}"
        return f"{_VERBS[Action(int(g.action))]} with {NAMES[g.card[p]]}"
    if g.stage in CHOOSING:
        return "" if g.actor == p else "has chosen"
    lying = ["", "a tile", "two tiles"][tiles_on_card(g, p)], "an event" if extra(g, "event", p, NONE) != NONE else ""
    return f"card with {' and '.join(filter(None, lying))}" if any(lying) else "card alone"


def _on_card(g: State, p: int) -> str:
    """A card and its tiles; the lower one has no name here."""
    tile = "" if g.tile[p] == NONE else f"+{NAMES[g.tile[p]]}"
    return f"{NAMES[g.card[p]]}{tile}" + (" on a hidden tile" if tiles_on_card(g, p) > 1 else "")


# --- in front of the screens -----------------------------------------------------------------------------------------------


def in_front(g: State, shown: Sequence[int]) -> list[str]:
    """Tableaus, and what everybody knows of a side (R10.3, X7.4). During the draft what was kept is secret (R2.7)."""
    lines = []
    for p in range(int(g.players)):
        kept = [*expert_of(g, p), *characters(g.characters[p])]
        if g.stage == Stage.DRAFT and p not in shown:
            what = "cards" if with_module(g, Module.EXPERTS) else "characters"
            kept = [f"{int(g.pick) + (p < g.actor)} {what}, secret"]
        lines += labelled(f"tableau of {mark(g, p)}:", " ".join([*kept, *names_in(g.tableau[p])]) or "-")
        if known := _known(g, p):
            lines += labelled(f"known of {mark(g, p)}:", "; ".join(known))
    return ["", *lines]


def _known(g: State, p: int) -> list[str]:
    """Tiles and events that everybody knows a side to have, or to have had."""
    held = events_held(g, p) if with_module(g, Module.EXPERTS) else []
    lower = len(tiles_in(g, "lower_tiles", p))
    facts = {
        "tiles": tiles_in(g, "known_tiles", p),
        "events": held,
        "events played": names_at(extra(g, "events_played", p), EVENT_NAMES),
        "hidden tiles in the city:": [str(lower)] if lower else [],
    }
    return [f"{what} {' '.join(names)}" for what, names in facts.items() if names]


# --- behind the screens ----------------------------------------------------------------------------------------------------


def behind_screen(g: State, p: int) -> list[str]:
    """What a player sees and nobody else: cards, tiles, choices, and the cards known by passing (R10.2, R10.3)."""
    facts = {
        "packet": packet_of(g, p) if g.stage == Stage.DRAFT else [],
        "cards": names_in(g.hand[p]) or ["-"],
        "kept": _named(g, "kept", p),
        "tiles": tiles_in(g, "tiles", p) or ["-"],
        "events": names_at(extra(g, "events", p), EVENT_NAMES),
        "chosen": [_chosen(g, p)] if g.card[p] != NONE and not is_shown(g, p) else [],
        "under the tile shown": _named(g, "lower", p) if is_shown(g, p) else [],
        "giving back": tiles_in(g, "aside", p),
        "hidden tiles in the city": tiles_in(g, "lower_tiles", p),
    }
    lines = labelled(f"only {mark(g, p)} sees:", "; ".join(f"{what} {' '.join(names)}" for what, names in facts.items() if names))
    if not g.solo:
        left, right = (p + 1) % int(g.players), (p - 1) % int(g.players)
        for text, words in ((f"{mark(g, left)} has", g.passed[p]), (f"{mark(g, right)} knows of", g.passed[right])):
            if names_in(words):
                lines += labelled("", f"{text} {' '.join(names_in(words))}")
    return lines


def _named(g: State, name: str, p: int) -> list[str]:
    """The card or tile in a field of the expansion."""
    number = extra(g, name, p, NONE)
    return [] if number == NONE else [NAMES[number]]


def _chosen(g: State, p: int) -> str:
    """A commitment in the notation of actions."""
    tile = "" if g.tile[p] == NONE else f"+{NAMES[g.tile[p]]}"
    lower = [f"on {name}" for name in _named(g, "lower", p)]
    event = extra(g, "event", p, NONE)
    events = [] if event == NONE else [f"with {EVENT_NAMES[EventTile(event)]}"]
    return " ".join([f"{NAMES[g.card[p]]}{tile}", *lower, *events])
