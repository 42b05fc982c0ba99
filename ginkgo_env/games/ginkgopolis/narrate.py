"""What happened, in words: what a seat may know of a step (R10), sentences, the outcome.

Decisions with one legal action are made unasked, and whether a player was asked can be a secret. So lines about choices of
others follow from how many players have chosen, never from the steps that it took.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.events import Row, runs_of
from ginkgo_env.core.game import States, VisibleStep
from ginkgo_env.games.ginkgopolis.components import EVENT_NAMES, EVENTS_OF_EXPERT, EXPERT_NAMES, NAMES, TILE_VALUE
from ginkgo_env.games.ginkgopolis.constants import (
    FIRST_NEW_BUILDING,
    GREEN_SPACE,
    MAX_BUILDINGS,
    MAX_PLAYERS,
    N_TILES,
    NONE,
    SQUARE,
    WILLIAM,
    Ending,
    Event,
    EventTile,
    Item,
    Module,
    Shuffle,
    Source,
    Stage,
)
from ginkgo_env.games.ginkgopolis.notation import action_text, names_at, names_in
from ginkgo_env.games.ginkgopolis.queries import (
    CHOOSING,
    LETTERS,
    characters,
    draft_picks_of,
    expert_of,
    packet_of,
    tiles_in,
    translate,
)
from ginkgo_env.games.ginkgopolis.rules.scoring import SCORE_PARTS

# --- rows of a log as lines of what a seat may know --------------------------------------------------------------------------


Line = dict[str, Any]

_VALUE_II = int(TILE_VALUE[FIRST_NEW_BUILDING])


def runs(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Group rows that make one line: a shuffle with its items, consecutive draws of one seat."""
    return runs_of(rows, lambda run, row: row[0] == Event.ITEM or (row[0] == Event.DRAW and row[:2] == run[-1][:2]))


def hidden_draw(row: Row) -> Row:
    """Return a DRAW row as others see it: without the tile, unless it was taken face up (X7.4)."""
    kind, seat, _, rights = row
    return row if rights not in (0, _VALUE_II) else (kind, seat, NONE, rights)


def draw_line(run: Sequence[Row], *, secret: bool) -> Line:
    """Describe the tiles that a seat draws; if drawn in secret, their number and what everybody sees."""
    names = [NAMES[tile] for _, _, tile, _ in run if tile != NONE]
    if not secret:
        return {"seat": run[0][1], "draws": names}
    new = sum(tile == NONE and rights == _VALUE_II for _, _, tile, rights in run)
    more: Line = {"new_buildings": new} if new else {}
    return {"seat": run[0][1], "draws": len(run)} | more | ({"open": names} if names else {})


def shuffle_line(run: Sequence[Row]) -> Line:
    """Describe a random outcome as far as everybody sees it."""
    which = Shuffle(run[0][1])
    items = [item for _, item, _, _ in run[1:]]
    line: Line = {"random": which.name.lower()}
    if which == Shuffle.FIRST_PLAYER:
        line["outcome"] = items[0]
    elif which == Shuffle.START_TILES:
        line["outcome"] = [NAMES[i] for i in items]
    elif which == Shuffle.RANDOM_EXPERT:
        line |= {"seat": run[0][3], "outcome": EXPERT_NAMES[items[0]]}
    return line


def commitment(card: int, tile: int) -> str:
    """Return card and tile in the notation of actions."""
    return NAMES[card] + ("" if tile == NONE else f"+{NAMES[tile]}")


def _item(number: int) -> str:
    return Item(number).name.lower()


LINES: dict[Event, Callable[[Row], Line]] = {
    Event.FALLBACK: lambda row: {"seat": row[1], "cannot_pay": commitment(row[2], row[3])},
    Event.GAIN: lambda row: {"seat": row[1], "gains": _item(row[2]), "number": row[3]},
    Event.PAY: lambda row: {"seat": row[1], "pays": _item(row[2]), "number": row[3]},
    Event.PLACE: lambda row: {"seat": row[1], "builds": NAMES[row[2]], "floors": row[3]},
    Event.RETURN_RESOURCES: lambda row: {"seat": row[1], "takes_back": row[2], "points": row[3]},
    Event.TOKEN: lambda row: {"token": NAMES[N_TILES + row[1]], "cell": [row[2], row[3]]},
    Event.EXHAUSTED: lambda row: {"exhaustions": row[1]},
    Event.KEEP_CARD: lambda row: {"seat": row[1], "keeps": NAMES[row[2]]},
    Event.REPLACED: lambda row: {"seat": WILLIAM, "second_card": NAMES[row[2]], "uses": NAMES[row[3]]},
    Event.ENDING: lambda row: {"ending": Ending(row[1]).name.lower()},
    Event.OPERATE: lambda row: {"seat": row[1], "operates": NAMES[row[2]], "floors": row[3]},
    Event.SHOW_LOWER: lambda row: {"seat": row[1], "second_tile": True},
    Event.SHOW_EVENT: lambda row: {"seat": row[1], "event": EVENT_NAMES[row[2]]},
    Event.TAKE_EFFECT: lambda row: {"seat": row[1], "takes_effect": EVENT_NAMES[row[2]], "resources": row[3]},
    Event.EVENT_BACK: lambda row: {"seat": row[1], "goes_back": EVENT_NAMES[row[2]]},
    Event.EXPROPRIATE: lambda row: {"seat": row[1], "loses": NAMES[row[2]], "takes_back": row[3]},
    Event.CONTROL: lambda row: {"seat": row[1], "pays_control": {"resources": row[2], "points": row[3]}},
    Event.PARK: lambda row: {"seat": row[1], "park": row[2], "points": row[3]},
    Event.BUY: lambda row: {"seat": row[1], "buys": row[2]},
}
"""Lines of events that depend on their row alone. ACT has none, as it adds nothing."""


# --- what a seat may know of one step: lines for its view of a record, and rows of the log -----------------------------------


_OPEN_SHUFFLES = (Shuffle.START_TILES, Shuffle.FIRST_PLAYER, Shuffle.RANDOM_EXPERT)  # everybody sees the outcome
_HIDDEN_SHUFFLES = (Shuffle.DECK, Shuffle.RETURNED_TILES, Shuffle.NEW_BUILDINGS)  # everybody sees that they happen
_OPEN_DECISIONS = (Stage.TAKE, Stage.TOKEN, Stage.TIMING, Stage.SPLIT, Stage.PAY)  # everybody sees what is chosen


def visible_step(seat: int, before: Any | None, action: int, after: Any, rows: Sequence[Row]) -> VisibleStep:
    """Return what a seat may know of a step; `before` is None at the start of a game."""
    return VisibleStep(_Step(seat, before, action, after, rows).lines(), visible_rows(seat, bool(after.solo), rows))


def visible_rows(seat: int, solo: bool, rows: Sequence[Row]) -> list[Row]:
    """Return the rows that a seat may know: draws of others without tiles, shuffles without order."""
    visible: list[Row] = []
    hidden = False
    for row in rows:
        kind, a, _, _ = row
        if kind == Event.OUTCOME:
            hidden = a not in _OPEN_SHUFFLES
            if hidden and a not in _HIDDEN_SHUFFLES:
                continue
        elif kind == Event.ITEM and hidden:
            continue
        elif kind == Event.DRAW and _draws_in_secret(seat, a, solo):
            row = hidden_draw(row)
        visible.append(row)
    return visible


def _draws_in_secret(seat: int, drawer: int, solo: bool) -> bool:
    return drawer != seat and not (solo and drawer == WILLIAM)


class _Step:
    """Collects the lines of one step for one seat."""

    def __init__(self, seat: int, before: Any | None, action: int, after: Any, rows: Sequence[Row]) -> None:
        self.seat, self.before, self.action, self.after, self.rows = seat, before, action, after, rows
        self.stage = None if before is None else Stage(int(before.stage))
        self.sides = int(after.players)
        self.choosers = 1 if after.solo else self.sides
        self.result: list[Line] = []
        # The number of players who have chosen a card, in turn order; None while nobody chooses cards.
        self.first = NONE if before is None else int(before.first)
        self.chosen = int(before.cursor) if before is not None and self.stage in CHOOSING else None

    def lines(self) -> list[Line]:
        """Return the lines in order."""
        self._own_action()
        if self.after.draft and self.stage in (None, Stage.DRAFT):
            self._draft()
        if self.before is not None and self.stage == Stage.EVENTS:
            self._others_choose([int(self.before.actor)])
        if self.before is not None and self.stage == Stage.RETURN:
            self._returning(int(self.before.returner))
        for run in runs(visible_rows(self.seat, bool(self.after.solo), self.rows)):
            self._event(Event(run[0][0]), run)
        if self.after.stage in CHOOSING:
            self._choose_up_to(int(self.after.cursor))
        self._at_hand()
        return self.result

    # --- choices -----------------------------------------------------------------------------------------------------------

    def _own_action(self) -> None:
        """Add the seat's own action, or a public decision of any seat; a New Hand has a line of its own."""
        if self.before is None or action_text(self.before, self.action) == "new-hand":
            return
        actor = int(self.before.actor)
        if actor == self.seat or self.stage in _OPEN_DECISIONS:
            self.result.append({"seat": actor, "action": action_text(self.before, self.action)})

    def _others_choose(self, seats: Sequence[int]) -> None:
        self.result.extend({"seat": s, "chooses": True} for s in seats if s != self.seat)

    def _draft(self) -> None:
        """Add picks since the last step, and all characters when the draft is over (R2.7)."""
        start = 0 if self.before is None else int(self.before.pick) * self.sides + int(self.before.actor)
        over = self.after.stage != Stage.DRAFT
        stop = draft_picks_of(self.after) * self.sides if over else int(self.after.pick) * self.sides + int(self.after.actor)
        self._others_choose([k % self.sides for k in range(start, stop)])
        if over:
            self._characters()

    def _characters(self) -> None:
        """Add the cards in front of screens, with the events that experts bring (X4.1)."""
        for p in range(self.sides):
            line: Line = {"seat": p, "characters": characters(self.after.characters[p])}
            for expert in expert_of(self.after, p):
                line["expert"] = expert
                if self.after.modules[Module.EVENTS]:
                    line["events"] = names_at(EVENTS_OF_EXPERT[EXPERT_NAMES.index(expert)], EVENT_NAMES)
            self.result.append(line)

    def _choose_up_to(self, stop: int) -> None:
        """Add cards committed since the last step, in turn order (R3.1)."""
        if self.chosen is not None:
            self._others_choose([(self.first + k) % self.sides for k in range(self.chosen, stop)])
            self.chosen = stop

    def _returning(self, start: int) -> None:
        """Add the players who have finished returning tiles (R7.1)."""
        stop = int(self.after.returner) if self.after.stage == Stage.RETURN else self.sides
        self._others_choose([(self.first + k) % self.sides for k in range(start, stop)])

    def _given_back(self, p: int) -> list[str]:
        """Return the tiles that a seat had set aside, including the one of this step's action."""
        assert self.before is not None  # tiles are set aside by decisions
        tiles = tiles_in(self.before, "aside", p)
        last = action_text(self.before, self.action).removeprefix("return:")
        if p == self.before.actor and last != "done":
            tiles.append(last)  # set aside in ascending order
        return tiles

    def _at_hand(self) -> None:
        """Add what the seat chooses from in secret: its packet, or its cards and tiles."""
        g, p = self.after, self.seat
        if g.actor != p:
            return
        if g.stage == Stage.DRAFT:
            self.result.append({"seat": p, "packet": packet_of(g, p)})
        elif g.stage == Stage.COMMIT:
            line: Line = {"seat": p, "hand": names_in(g.hand[p]), "tiles": tiles_in(g, "tiles", p)}
            if g.modules[Module.EVENTS]:
                line["events"] = names_at(g.events[p], EVENT_NAMES)
            self.result.append(line)

    # --- events ------------------------------------------------------------------------------------------------------------

    def _event(self, kind: Event, run: list[Row]) -> None:
        """Add the line of an event."""
        if kind == Event.OUTCOME:
            self._shuffle(run)
        elif kind == Event.DRAW:
            self.result.append(draw_line(run, secret=_draws_in_secret(self.seat, run[0][1], bool(self.after.solo))))
        elif kind == Event.NEW_HAND:
            self._new_hand(run[0][1])
        elif kind == Event.REVEAL:
            self._choose_up_to(self.choosers)
            self.chosen = None
            self.result.append({"seat": run[0][1], "reveals": commitment(run[0][2], run[0][3])})
        elif kind == Event.ROUND:
            self.first, self.chosen = run[0][2], 0
            self.result.append({"round": run[0][1], "first_player": self.first, "discard": names_in(self.after.discard)})
        elif kind == Event.GIVE_BACK:
            self.result.append({"seat": run[0][1], "returns": self._given_back(run[0][1])})
        elif kind in LINES:
            self.result.extend(LINES[kind](row) for row in run)
            if kind == Event.EXHAUSTED and run[0][1] == 1 and not self.after.solo:
                self._returning(0)

    def _shuffle(self, run: list[Row]) -> None:
        line = shuffle_line(run)
        first_deck = run[0][1] == Shuffle.DECK and line not in self.result
        self.result.append(line)
        if first_deck and self.before is None and not self.after.draft and not self.after.solo:
            self._characters()  # R2.7: introductory sets lie open from the start

    def _new_hand(self, p: int) -> None:
        """Add a New Hand with the cards discarded, face up (R3.2, R3.6)."""
        assert self.before is not None  # a New Hand is never the only legal action
        self.result.append({"seat": p, "action": "new-hand", "discards": names_in(self.before.hand[p])})


# --- clauses about what a seat does ------------------------------------------------------------------------------------------


_EVENTS = {
    EventTile.DESIGN: "a design competition",
    EventTile.PRESS: "a press campaign",
    EventTile.EXPROPRIATION: "an expropriation",
    EventTile.CONTROL: "a quality control",
}
_ITEMS = ("resource", "tile", "SP")
_BACK = ("the tile goes back", "both tiles go back")


class ResolvedCard(NamedTuple):
    """The card being resolved, NONE if it was revealed in an earlier step, and the number of tiles on it."""

    card: int = NONE
    tiles: int = 0


def clauses_of(run: Sequence[Row], resolved: ResolvedCard) -> list[str]:
    """Return a clause for each kind of event in the run, in order of first occurrence."""
    kinds = dict.fromkeys(_PART_OF.get(Event(row[0]), Event(row[0])) for row in run)
    return [_CLAUSES[kind]([row for row in run if _PART_OF.get(Event(row[0]), row[0]) == kind], resolved) for kind in kinds]


def _some(n: int, thing: str) -> list[str]:
    """Return a number of unnamed things in words; empty if there are none."""
    return [] if n == 0 else [translate(f"a {thing}") if n == 1 else translate.counted(n, thing)]


def _amounts(*numbers: int) -> str:
    """Return numbers of resources, tiles and SP in words, without those that are 0."""
    return translate.joined([translate.counted(n, word) for n, word in zip(numbers, _ITEMS, strict=True) if n])


def _totals(rows: Sequence[Row]) -> str:
    """Return the totals of GAIN or PAY rows in words."""
    return _amounts(*(sum(n for _, _, item, n in rows if item == kind) for kind in Item))


# --- a card is revealed ----------------------------------------------------------------------------------------------------


def _reveal(rows: Sequence[Row], resolved: ResolvedCard) -> str:
    _, _, card, tile = rows[0]
    extras = [] if tile == NONE else [NAMES[tile]]
    for kind, _, event, _ in rows[1:]:
        if kind == Event.SHOW_LOWER:
            extras[-1] = translate("{tile} on a hidden tile", tile=extras[-1])
        else:
            extras.append(translate(_EVENTS[EventTile(event)]))
    if not extras:
        return translate("reveals {card}", card=NAMES[card])
    return translate("reveals {card} with {things}", card=NAMES[card], things=translate.joined(extras))


def _fallback(rows: Sequence[Row], resolved: ResolvedCard) -> str:
    _, _, card, tile = rows[0]
    where = translate("at {card}" if card in LETTERS else "on {card}", card=NAMES[card])
    back = translate(_BACK[resolved.tiles == 2])
    return translate("cannot pay for {tile} {where}: {back}, the card counts alone", tile=NAMES[tile], where=where, back=back)


# --- the action ------------------------------------------------------------------------------------------------------------


def _draw(rows: Sequence[Row], resolved: ResolvedCard) -> str:
    """Name tiles as far as the reader may know them."""
    names = [NAMES[tile] for _, _, tile, _ in rows if tile != NONE]
    values = [rights for _, _, tile, rights in rows if tile == NONE]
    new = values.count(_VALUE_II)
    return translate(
        "draws {things}", things=translate.joined(names + _some(new, "new building") + _some(len(values) - new, "tile"))
    )


def _place(rows: Sequence[Row], resolved: ResolvedCard) -> str:
    _, _, tile, floors = rows[0]
    two, name = resolved.tiles == 2, NAMES[tile]
    if tile == GREEN_SPACE:
        return translate("lays out a green space on a hidden tile" if two else "lays out a green space")
    if floors == 1 or resolved.card in LETTERS:
        laid = translate("{tile} on a hidden tile", tile=name) if two else name
        built = "lays {tile} as a new building of {n} floors" if floors > 1 else "lays {tile} as a new building"
        return translate(built, tile=laid, n=floors)
    where = translate("on {card}", card=NAMES[resolved.card]) if resolved.card != NONE else translate("on top")
    put = "puts {tile} and a hidden tile under it {where} ({n} floors now)" if two else "puts {tile} {where} ({n} floors now)"
    return translate(put, tile=name, where=where, n=floors)


def _return_resources(rows: Sequence[Row], resolved: ResolvedCard) -> str:
    _, _, n, points = rows[0]
    taken = "takes back {resources} for {points} SP" if points else "takes back {resources}"
    return translate(taken, resources=translate.counted(n, "resource"), points=points)


def _operate(rows: Sequence[Row], resolved: ResolvedCard) -> str:
    """Name the buildings operated, and parks beside a new tile (X3.2)."""
    buildings = [
        f"{NAMES[tile]} ({translate.counted(floors, 'floor')})" for kind, _, tile, floors in rows if kind == Event.OPERATE
    ]
    parks = [
        translate("a park of {spaces}", spaces=translate.counted(n, "green space"))
        for kind, _, n, _ in rows
        if kind == Event.PARK
    ]
    things_of = {"operates {things}": buildings, "urbanizes beside {things}": parks}
    return translate.joined(
        [translate(clause, things=translate.joined(things)) for clause, things in things_of.items() if things]
    )


# --- events ----------------------------------------------------------------------------------------------------------------


def _take_effect(rows: Sequence[Row], resolved: ResolvedCard) -> str:
    _, _, kind, n = rows[0]
    event, resources = translate(_EVENTS[EventTile(kind)]), translate.counted(n, "resource") if n else translate("no resources")
    if kind == EventTile.CONTROL:
        return translate("holds {event}", event=event)
    if kind == EventTile.EXPROPRIATION:
        return translate("carries out {event} with {resources}", event=event, resources=translate.counted(n, "resource"))
    return translate("holds {event} for {resources} in the zone", event=event, resources=resources)


_CLAUSES: dict[Event, Callable[[Sequence[Row], ResolvedCard], str]] = {
    Event.REVEAL: _reveal,
    Event.FALLBACK: _fallback,
    Event.GAIN: lambda rows, _: translate("gains {things}", things=_totals(rows)),
    Event.PAY: lambda rows, _: translate("pays {things}", things=_totals(rows)),
    Event.DRAW: _draw,
    Event.PLACE: _place,
    Event.RETURN_RESOURCES: _return_resources,
    Event.NEW_HAND: lambda rows, _: translate(
        "spends a New Hand token and exchanges {cards}", cards=translate.counted(rows[0][2], "card")
    ),
    Event.GIVE_BACK: lambda rows, _: translate("gives back {tiles}", tiles=translate.counted(rows[0][2], "tile")),
    Event.KEEP_CARD: lambda rows, _: translate("keeps the card {card}", card=NAMES[rows[0][2]]),
    Event.OPERATE: _operate,
    Event.TAKE_EFFECT: _take_effect,
    Event.EVENT_BACK: lambda rows, _: translate(
        "cannot carry out {event}: the event tile goes back", event=translate(_EVENTS[EventTile(rows[0][2])])
    ),
    Event.EXPROPRIATE: lambda rows, _: translate(
        "loses {tile} and takes back {resources}", tile=NAMES[rows[0][2]], resources=translate.counted(rows[0][3], "resource")
    ),
    Event.CONTROL: lambda rows, _: translate("pays {things} for the quality control", things=_amounts(rows[0][2], 0, rows[0][3])),
    Event.BUY: lambda rows, _: translate(
        "buys {resources} for {n} SP", resources=translate.counted(rows[0][2], "resource"), n=rows[0][2]
    ),
}
_PART_OF = {Event.SHOW_LOWER: Event.REVEAL, Event.SHOW_EVENT: Event.REVEAL, Event.PARK: Event.OPERATE}
"""Events that are part of the clause of another event."""

BY_SEAT = frozenset(_CLAUSES) | frozenset(_PART_OF)
"""Events of a seat; other events belong to the table."""


# --- sentences ---------------------------------------------------------------------------------------------------------------


_WITH_REVEAL = (Event.SHOW_LOWER, Event.SHOW_EVENT)
_FIRST = (Event.REVEAL, Event.TAKE_EFFECT, Event.EVENT_BACK)  # these begin a sentence
_LAST = (Event.REVEAL, *_WITH_REVEAL, Event.FALLBACK, Event.EVENT_BACK)  # these end a sentence
_EXHAUSTED = {1: "The tile supply is exhausted for the first time.", 2: "The tile supply is exhausted for the second time."}
_ENDINGS = {
    Ending.TILES: "The tile supply is empty for good: this is the last round.",
    Ending.RESOURCES: "All resources of one player are placed: this is the last round.",
    Ending.MAX_ROUNDS: "The game is cut off after this round.",
}


def narrate(rows: Sequence[Row], names: Sequence[str]) -> list[str]:
    """Return the rows of a log as sentences; consecutive actions of a seat make one sentence.

    A DRAW row with the tile NONE is a tile that the reader may not see; shuffles may lack their items.
    """
    sentences: list[str] = []
    resolved = ResolvedCard()
    for run in runs_of(rows, _goes_on):
        kind, seat, _, _ = run[0]
        resolved = _resolved_card(run, resolved)
        if kind in BY_SEAT:
            sentences.append(f"{names[seat]} {translate.joined(clauses_of(run, resolved))}.")
        else:
            sentences.extend(_TABLE[Event(kind)](run, names, rows))
    return sentences


def _resolved_card(run: Sequence[Row], resolved: ResolvedCard) -> ResolvedCard:
    """Return the card being resolved after the first row of a run."""
    kind, _, second, third = run[0]
    if kind == Event.REVEAL:
        return ResolvedCard(second, (third != NONE) + any(row[0] == Event.SHOW_LOWER for row in run))
    if kind == Event.ACT:
        return ResolvedCard(second, third)
    return ResolvedCard(third) if kind == Event.REPLACED else resolved


def _goes_on(run: list[Row], row: Row) -> bool:
    """Whether a row belongs to the sentence of a run: of the same seat, or a detail of an event of the table."""
    last = run[-1]
    if row[0] in _WITH_REVEAL:
        return True
    if row[0] in _FIRST or last[0] in _LAST:
        return False
    if row[0] in BY_SEAT:
        return last[0] in BY_SEAT and last[1] == row[1]
    return row[0] == Event.ITEM or (row[0] == Event.TOKEN and last[0] == Event.TOKEN)


# --- what happens on the table ---------------------------------------------------------------------------------------------


def _outcome(run: Sequence[Row], names: Sequence[str], rows: Sequence[Row]) -> list[str]:
    _, kind, n, seat = run[0]
    items = [item for _, item, _, _ in run[1:]]
    if kind == Shuffle.START_TILES:
        tiles = [NAMES[item] for item in items]
        square = " / ".join(" ".join(tiles[i : i + SQUARE]) for i in range(0, n, SQUARE))
        return [translate("The start square: {tiles}.", tiles=square)]
    if kind == Shuffle.SETS:
        shares = [translate("{name} gets set {n}", name=name, n=number) for name, number in zip(names, items, strict=False)]
        return [translate("Characters: {shares}.", shares=", ".join(shares))]
    if kind == Shuffle.RANDOM_EXPERT:
        expert = translate(EXPERT_NAMES[items[0]])
        return [
            translate("{name} has found no expert and gets one of those left over: {expert}.", name=names[seat], expert=expert)
        ]
    known = kind in _SHUFFLED and not _is_of_setup(run[0], rows)
    return [translate(_SHUFFLED[Shuffle(kind)], n=n)] if known else []


def _is_of_setup(outcome: Row, rows: Sequence[Row]) -> bool:
    """Whether a shuffle belongs to the setup."""
    kinds = [row[:2] for row in rows]
    return (Event.OUTCOME, Shuffle.START_TILES) in kinds and kinds.index(outcome[:2]) == rows.index(outcome)


_SHUFFLED = {
    Shuffle.DECK: "The deck is shuffled anew: {n} cards.",
    Shuffle.RETURNED_TILES: "The tiles given back are shuffled and become the new supply of {n}.",
    Shuffle.NEW_BUILDINGS: "The new buildings given back are shuffled into their stack: {n} tiles.",
}


def _token(run: Sequence[Row], names: Sequence[str], rows: Sequence[Row]) -> list[str]:
    first, *pushed = [(NAMES[N_TILES + letter], f"({x}, {y})") for _, letter, x, y in run]
    others = "".join(translate(", pushing {token} to {cell}", token=letter, cell=cell) for letter, cell in pushed)
    return [translate("Token {token} goes to {cell}{others}.", token=first[0], cell=first[1], others=others)]


def _replaced(run: Sequence[Row], names: Sequence[str], rows: Sequence[Row]) -> list[str]:
    _, first, second, used = run[0]
    sentence = "{name}'s second card {second} is no better and is discarded."
    if used == second:
        sentence = "{name}'s second card {second} replaces {first}."
    return [translate(sentence, name=names[1], first=NAMES[first], second=NAMES[second])]


def _ending(run: Sequence[Row], names: Sequence[str], rows: Sequence[Row]) -> list[str]:
    if run[0][1] != Ending.WILLIAM:
        return [translate(_ENDINGS[Ending(run[0][1])])]
    placed = rows.index(run[0]) > 0 and rows[rows.index(run[0]) - 1][0] == Event.PLACE
    sentence = "{name} has placed its last resource: the game ends." if placed else "{name} cannot pay: the game ends."
    return [translate(sentence, name=names[1])]


_TABLE: dict[Event, Callable[[Sequence[Row], Sequence[str], Sequence[Row]], list[str]]] = {
    Event.OUTCOME: _outcome,
    Event.TOKEN: _token,
    Event.EXHAUSTED: lambda run, _, __: [translate(_EXHAUSTED[run[0][1]])],
    Event.REPLACED: _replaced,
    Event.ENDING: _ending,
    Event.ROUND: lambda run, names, _: [translate("Round {n} begins, {name} is first.", n=run[0][1], name=names[run[0][2]])],
    Event.ACT: lambda run, _, __: [],  # only sets the card being resolved
}


# --- points at the end by source, card, district and park --------------------------------------------------------------------


def breakdown_of(state: States, points: NDArray[np.int32]) -> tuple[dict[str, Any], ...]:
    """See :meth:`ginkgo_env.core.game.Game.breakdown`."""
    with_modules = bool(state[0].modules.any())
    cards = np.zeros((MAX_PLAYERS, len(NAMES)), np.int32)
    districts, parks = np.zeros((2, MAX_BUILDINGS, MAX_PLAYERS), np.int32)
    n, n_parks = SCORE_PARTS[bool(state[0].expansion)](state, cards, districts, parks)
    return tuple(
        {
            "points": int(own[Source.POINTS]),
            "new_hands": int(own[Source.NEW_HANDS]),
            "cards": {NAMES[c]: int(cards[p, c]) for c in np.flatnonzero(cards[p] >= 0)},
            "districts": districts[:n, p].tolist(),
            **({"parks": parks[:n_parks, p].tolist(), "expert": int(own[Source.EXPERT])} if with_modules else {}),
            "total": int(own.sum()),
        }
        for p, own in enumerate(points)
    )
