"""The table as text for people: map, players, cards. With a seat it is made of public fields and that seat's own (R10)."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from ginkgo_env.games.ginkgopolis.constants import (
    DRAFT_PICKS,
    N_CHARACTERS,
    N_LETTERS,
    N_TILES,
    NOBODY,
    NONE,
    NOWHERE,
    WILLIAM,
    Action,
    Ending,
    Stage,
)
from ginkgo_env.games.ginkgopolis.narrate import narrate
from ginkgo_env.games.ginkgopolis.notation import names_in
from ginkgo_env.games.ginkgopolis.tables import CARD_NAMES, CHARACTER_NAMES

__all__ = ["describe", "narrate"]

WIDTH = 100
_LONGEST_NAME = 12
_MARKS = "abcde"  # of owners, by seat
_WILLIAM_MARK = "w"
_LEGEND = "R7·3b*: tile R7 on 3 floors, owned by b, with a construction-site pawn; A to L: tokens"
_EXHAUSTED = ("", ", exhausted once", ", exhausted for the second time")
_DECIDES = {
    Stage.DRAFT: "keeps a character",
    Stage.COMMIT: "chooses a card",
    Stage.TAKE: "takes a resource or a tile",
    Stage.TOKEN: "places a token",
    Stage.RETURN: "may give tiles back",
}
_COLUMNS = ("SP", "resources", "supply", "tiles", "cards", "New Hands")


def describe(g: Any, seat: int | None, names: Sequence[str]) -> str:
    """The table as text of at most 100 columns (more only for a city wider than that).

    With a seat, hands, tiles, commitments and characters in the draft are that seat's only; otherwise everybody's.
    """
    names = [name[:_LONGEST_NAME] for name in names[: int(g.players)]]
    shown = [seat] if seat is not None else list(range(1 if g.solo else int(g.players)))
    lines = [_headline(g, names), "", *_map(g), "", _LEGEND, ""]
    lines += [*_players(g, names), *_in_front(g, shown), ""]
    for p in shown:
        lines += _behind_screen(g, p)
    if seat is None and g.solo and g.card[WILLIAM] != NONE and g.player != WILLIAM:
        lines.append(f"w has the card {CARD_NAMES[g.card[WILLIAM]]} face down")
    return "\n".join([*lines, *_piles(g)])


def _mark(g: Any, p: int) -> str:
    return _WILLIAM_MARK if g.solo and p == WILLIAM else _MARKS[p]


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False)


# --- the head and the map --------------------------------------------------------------------------------------------------


def _headline(g: Any, names: Sequence[str]) -> str:
    if g.stage == Stage.OVER:
        return f"The game is over after round {int(g.rounds)} ({_reason(g)})"
    when = f"Draft, pick {int(g.pick) + 1} of {DRAFT_PICKS}" if g.stage == Stage.DRAFT else f"Round {int(g.rounds)}"
    last = f" · last round ({_reason(g)})" if g.ending != Ending.NONE else ""
    return f"{when} · {names[g.actor]} {_DECIDES[Stage(int(g.stage))]}{last}"


def _reason(g: Any) -> str:
    return f"ending: {Ending(int(g.ending)).name.lower()}"


def _cells(g: Any) -> dict[tuple[int, int], str]:
    """What lies on each cell of the map."""
    cells = {}
    for s in range(int(g.n_buildings)):
        owner = "" if g.owner[s] == NOBODY else _mark(g, int(g.owner[s]))
        text = f"{CARD_NAMES[g.top[s]]}·{int(g.floors[s])}{owner}{'*' if g.pawn[s] else ''}"
        cells[int(g.x[s]), int(g.y[s])] = text
    for letter in range(N_LETTERS):
        if g.token_x[letter] != NOWHERE:
            cells[int(g.token_x[letter]), int(g.token_y[letter])] = CARD_NAMES[N_TILES + letter]
    return cells


def _map(g: Any) -> list[str]:
    """The city, north up, with coordinates in the margins."""
    cells = _cells(g)
    columns = range(min(x for x, _ in cells), max(x for x, _ in cells) + 1)
    rows = range(min(y for _, y in cells), max(y for _, y in cells) + 1)
    width = max(map(len, cells.values())) + 1
    if (width + 1) * len(columns) + 4 <= WIDTH:
        width += 1
    head = "    " + "".join(f"{x:^{width}}" for x in columns)
    body = [f"{y:>3} " + "".join(f"{cells.get((x, y), '.'):^{width}}" for x in columns) for y in rows]
    return [line.rstrip() for line in [head, *body]]


# --- players ---------------------------------------------------------------------------------------------------------------


def _players(g: Any, names: Sequence[str]) -> list[str]:
    """A row for each side: what everybody can count (R10.1)."""
    width = max(len("player"), *map(len, names))
    lines = [f"   {'player':<{width}}" + "".join(f"  {column}" for column in _COLUMNS)]
    for p in range(int(g.players)):
        numbers = "".join(f"  {n:>{len(column)}}" for n, column in zip(_counts(g, p), _COLUMNS, strict=True))
        lines.append(f" {_mark(g, p)} {names[p]:<{width}}{numbers}  {_doing(g, p)}".rstrip())
    return lines


def _counts(g: Any, p: int) -> tuple[int, ...]:
    """SP, resources, those in the supply, tiles, cards, New Hand tokens; what is chosen in secret still counts (R10.1)."""
    tiles, cards = len(names_in(g.tiles[p])), len(names_in(g.hand[p]))
    if g.stage in (Stage.COMMIT, Stage.RETURN):
        tiles += len(names_in(g.aside[p])) + int(g.tile[p] != NONE)
    if g.stage == Stage.COMMIT and not (g.solo and p == WILLIAM):
        cards += int(g.card[p] != NONE)
    return int(g.points[p]), int(g.resources[p]), int(g.supply_resources[p]), tiles, cards, int(g.new_hands[p])


def _doing(g: Any, p: int) -> str:
    """What everybody sees this side do now."""
    notes = []
    if g.first == p and not g.solo:
        notes.append("first")
    if g.actor == p:
        notes.append("decides")
    if g.player == p:
        notes.append(f"{_verb(Action(int(g.action)))} with {CARD_NAMES[g.card[p]]}")
    elif g.card[p] != NONE and not (g.solo and p == WILLIAM):
        with_tile = g.stage != Stage.COMMIT and g.tile[p] != NONE
        notes.append("has chosen" if g.stage == Stage.COMMIT else "card with a tile" if with_tile else "card alone")
    return ", ".join(notes)


def _verb(action: Action) -> str:
    return {Action.EXPLOIT: "exploits", Action.URBANIZE: "urbanizes", Action.CONSTRUCT: "constructs"}[action]


def _characters(counts: Any) -> str:
    return " ".join(CHARACTER_NAMES[c] for c in range(N_CHARACTERS) for _ in range(int(counts[c])))


def _in_front(g: Any, shown: Sequence[int]) -> list[str]:
    """Tableaus, and tiles that everybody knows of (R10.3). During the draft characters are secret (R2.7)."""
    lines = []
    for p in range(int(g.players)):
        cards = " ".join(names_in(g.tableau[p]))
        if g.stage == Stage.DRAFT:
            characters = _characters(g.characters[p]) if p in shown else f"{int(g.pick) + (p < g.actor)} characters, secret"
        else:
            characters = _characters(g.characters[p])
        known = names_in(g.known_tiles[p])
        lines += _labelled(f"tableau of {_mark(g, p)}:", " ".join(filter(None, [characters, cards])) or "-")
        if known:
            lines += _labelled(f"known of {_mark(g, p)}:", f"tiles {' '.join(known)}")
    return ["", *lines]


def _labelled(label: str, text: str) -> list[str]:
    return _wrapped(f"{label:<14}{text}", " " * 14)


def _behind_screen(g: Any, p: int) -> list[str]:
    """What a player sees and nobody else: cards, tiles, choices, and the cards known by passing (R10.2, R10.3)."""
    mark = _mark(g, p)
    packet = _characters(g.packet[p]) if g.stage == Stage.DRAFT else ""
    parts = [f"packet {packet}"] if packet else []
    parts.append(f"cards {' '.join(names_in(g.hand[p])) or '-'}")
    parts.append(f"tiles {' '.join(names_in(g.tiles[p])) or '-'}")
    if g.card[p] != NONE and g.player != p:
        tile = "" if g.tile[p] == NONE else f"+{CARD_NAMES[g.tile[p]]}"
        parts.append(f"chosen {CARD_NAMES[g.card[p]]}{tile}")
    if names_in(g.aside[p]):
        parts.append(f"giving back {' '.join(names_in(g.aside[p]))}")
    lines = _labelled(f"only {mark} sees:", "; ".join(parts))
    if not g.solo:
        left, right = (p + 1) % int(g.players), (p - 1) % int(g.players)
        for text, words in ((f"{_mark(g, left)} has", g.passed[p]), (f"{_mark(g, right)} knows of", g.passed[right])):
            if names_in(words):
                lines += _labelled("", f"{text} {' '.join(names_in(words))}")
    return lines


def _piles(g: Any) -> list[str]:
    """Supply, deck and discard pile."""
    discard = names_in(g.discard)
    owed = f"; still to be drawn: {int(g.draws)}" if g.draws else ""
    lines = _labelled("tile supply:", f"{int(g.supply_size)} tile{_s(int(g.supply_size))}{_EXHAUSTED[int(g.exhaustions)]}{owed}")
    if names_in(g.returned):
        lines += _labelled("given back:", " ".join(names_in(g.returned)))
    lines += _labelled("deck:", _cards(int(g.deck_size)))
    return lines + _labelled("discard pile:", f"{_cards(len(discard))}{': ' if discard else ''}{' '.join(discard)}")


def _s(n: int) -> str:
    return "" if n == 1 else "s"


def _cards(n: int) -> str:
    return f"{n} card{_s(n)}"
