"""What a seat learns from one step (R10): lines for records as seen by it, and the rows of the log that it may hear.

Decisions with one legal action are not asked, and whether one was asked can be a secret. So what is told of the others'
choices follows from how far the choosing has come, never from the steps that it took.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ginkgo_env.core.game import Seen
from ginkgo_env.games.ginkgopolis.actions import DONE, NEW_HAND, RETURN
from ginkgo_env.games.ginkgopolis.constants import (
    DRAFT_PICKS,
    N_CHARACTERS,
    N_TILES,
    NONE,
    WILLIAM,
    Ending,
    Event,
    Item,
    Shuffle,
    Stage,
)
from ginkgo_env.games.ginkgopolis.notation import action_text, names_in
from ginkgo_env.games.ginkgopolis.tables import CARD_NAMES, CHARACTER_NAMES

Row = tuple[int, int, int, int]
Line = dict[str, Any]

_SEEN_SHUFFLES = (Shuffle.START_TILES, Shuffle.FIRST_PLAYER)  # with what came out
_HEARD_SHUFFLES = (Shuffle.DECK, Shuffle.RETURNED_TILES)  # without


def seen(seat: int, before: Any | None, action: int, after: Any, rows: Sequence[Row]) -> Seen:
    """What a seat learns from a step; `before` is None and `action` means nothing at the start of a game."""
    return Seen(_Step(seat, before, action, after, rows).lines(), heard(seat, bool(after.solo), rows))


def heard(seat: int, solo: bool, rows: Sequence[Row]) -> list[Row]:
    """The rows that a seat may hear: tiles that others draw without their names, shuffles without their order."""
    kept: list[Row] = []
    hidden = False
    for row in rows:
        kind, a, _, _ = row
        if kind == Event.OUTCOME:
            hidden = a not in _SEEN_SHUFFLES
            if hidden and a not in _HEARD_SHUFFLES:
                continue
        elif kind == Event.ITEM and hidden:
            continue
        elif kind == Event.DRAW and _draws_in_secret(seat, a, solo):
            row = (kind, a, NONE, 0)
        kept.append(row)
    return kept


def _draws_in_secret(seat: int, drawer: int, solo: bool) -> bool:
    return drawer != seat and not (solo and drawer == WILLIAM)


class _Step:
    """One step, told to one seat."""

    def __init__(self, seat: int, before: Any | None, action: int, after: Any, rows: Sequence[Row]) -> None:
        self.seat, self.before, self.action, self.after, self.rows = seat, before, action, after, rows
        self.stage = None if before is None else Stage(int(before.stage))
        self.sides = int(after.players)
        self.choosers = 1 if after.solo else self.sides
        self.told: list[Line] = []
        # Where choosing cards stands: the next to choose, counted in turn order; None while nobody chooses cards.
        self.first = NONE if before is None else int(before.first)
        self.chosen = int(before.cursor) if before is not None and self.stage == Stage.COMMIT else None

    def lines(self) -> list[Line]:
        """All that the seat learns, in order."""
        self._own_action()
        if self.after.draft and self.stage in (None, Stage.DRAFT):
            self._draft()
        if self.before is not None and self.stage == Stage.RETURN:
            self._returning(int(self.before.returner))
        for run in _runs(heard(self.seat, bool(self.after.solo), self.rows)):
            self._event(Event(run[0][0]), run)
        if self.after.stage == Stage.COMMIT:
            self._choose_up_to(int(self.after.cursor))
        self._at_hand()
        return self.told

    # --- choices -----------------------------------------------------------------------------------------------------------

    def _own_action(self) -> None:
        """The seat's own action, or anybody's who decides in the open; a New Hand is told as such."""
        if self.before is None or self.action == NEW_HAND:
            return
        actor = int(self.before.actor)
        if actor == self.seat or self.stage in (Stage.TAKE, Stage.TOKEN):
            self.told.append({"seat": actor, "action": action_text(self.before, self.action)})

    def _others_choose(self, seats: Sequence[int]) -> None:
        self.told.extend({"seat": s, "chooses": True} for s in seats if s != self.seat)

    def _draft(self) -> None:
        """Picks since the last step, and all characters when the draft is over (R2.7)."""
        start = 0 if self.before is None else int(self.before.pick) * self.sides + int(self.before.actor)
        over = self.after.stage != Stage.DRAFT
        stop = DRAFT_PICKS * self.sides if over else int(self.after.pick) * self.sides + int(self.after.actor)
        self._others_choose([k % self.sides for k in range(start, stop)])
        if over:
            self._characters()

    def _characters(self) -> None:
        for p in range(self.sides):
            self.told.append({"seat": p, "characters": _characters(self.after.characters[p])})

    def _choose_up_to(self, stop: int) -> None:
        """Cards committed since the last step, in turn order (R3.1)."""
        if self.chosen is not None:
            self._others_choose([(self.first + k) % self.sides for k in range(self.chosen, stop)])
            self.chosen = stop

    def _returning(self, start: int) -> None:
        """Who is done with giving back tiles (R7.1), and what was given back when all are."""
        stop = int(self.after.returner) if self.after.stage == Stage.RETURN else self.sides
        self._others_choose([(self.first + k) % self.sides for k in range(start, stop)])

    def _given_back(self, p: int) -> list[str]:
        """The tiles that a seat had set aside, with the one of this step's action."""
        assert self.before is not None  # nothing can be set aside and shown in the same step without a decision before
        tiles = names_in(self.before.aside[p])
        place = self.action - RETURN
        if p == self.before.actor and place != DONE:
            tiles.append(CARD_NAMES[place])  # set aside in ascending order
        return tiles

    def _at_hand(self) -> None:
        """What the seat sees when it has to choose in secret: its packet, or its cards and tiles."""
        g, p = self.after, self.seat
        if g.actor != p:
            return
        if g.stage == Stage.DRAFT:
            self.told.append({"seat": p, "packet": _characters(g.packet[p])})
        elif g.stage == Stage.COMMIT:
            self.told.append({"seat": p, "hand": names_in(g.hand[p]), "tiles": names_in(g.tiles[p])})

    # --- events ------------------------------------------------------------------------------------------------------------

    def _event(self, kind: Event, run: list[Row]) -> None:
        """The rows of one line."""
        if kind == Event.OUTCOME:
            self._shuffle(run)
        elif kind == Event.DRAW:
            tiles = [tile for _, _, tile, _ in run]
            secret = _draws_in_secret(self.seat, run[0][1], bool(self.after.solo))
            self.told.append({"seat": run[0][1], "draws": len(tiles) if secret else [CARD_NAMES[t] for t in tiles]})
        elif kind == Event.NEW_HAND:
            self._new_hand(run[0][1])
        elif kind == Event.REVEAL:
            self._choose_up_to(self.choosers)
            self.chosen = None
            self.told.append({"seat": run[0][1], "reveals": _commitment(run[0][2], run[0][3])})
        elif kind == Event.ROUND:
            self.first, self.chosen = run[0][2], 0
            self.told.append({"round": run[0][1], "first_player": self.first, "discard": names_in(self.after.discard)})
        elif kind == Event.GIVE_BACK:
            self.told.append({"seat": run[0][1], "returns": self._given_back(run[0][1])})
        else:
            self.told.extend(_LINES[kind](row) for row in run)
            if kind == Event.EXHAUSTED and run[0][1] == 1 and not self.after.solo:
                self._returning(0)

    def _shuffle(self, run: list[Row]) -> None:
        which = Shuffle(run[0][1])
        line: Line = {"random": which.name.lower()}
        items = [item for _, item, _, _ in run[1:]]
        if which == Shuffle.FIRST_PLAYER:
            line["outcome"] = items[0]
        elif which == Shuffle.START_TILES:
            line["outcome"] = [CARD_NAMES[i] for i in items]
        self.told.append(line)
        if which == Shuffle.DECK and self.before is None and not self.after.draft and not self.after.solo:
            self._characters()  # introductory sets lie open from the start (R2.7)

    def _new_hand(self, p: int) -> None:
        """The old hand goes to the discard pile, face up (R3.2, R3.6)."""
        assert self.before is not None  # a New Hand is never the only thing to do
        self.told.append({"seat": p, "action": "new-hand", "discards": names_in(self.before.hand[p])})


def _runs(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Rows that make one line: a shuffle with its items, the tiles that one seat draws; others by themselves."""
    run: list[Row] = []
    for row in rows:
        if run and not (row[0] == Event.ITEM or (row[0] == Event.DRAW and row[:2] == run[-1][:2])):
            yield run
            run = []
        run.append(row)
    if run:
        yield run


def _characters(counts: Any) -> list[str]:
    return [CHARACTER_NAMES[c] for c in range(N_CHARACTERS) for _ in range(int(counts[c]))]


def _commitment(card: int, tile: int) -> str:
    return CARD_NAMES[card] + ("" if tile == NONE else f"+{CARD_NAMES[tile]}")


def _item(number: int) -> str:
    return Item(number).name.lower()


_LINES: dict[Event, Callable[[Row], Line]] = {
    Event.FALLBACK: lambda row: {"seat": row[1], "cannot_pay": _commitment(row[2], row[3])},
    Event.GAIN: lambda row: {"seat": row[1], "gains": _item(row[2]), "number": row[3]},
    Event.PAY: lambda row: {"seat": row[1], "pays": _item(row[2]), "number": row[3]},
    Event.PLACE: lambda row: {"seat": row[1], "builds": CARD_NAMES[row[2]], "floors": row[3]},
    Event.RETURN_RESOURCES: lambda row: {"seat": row[1], "takes_back": row[2], "points": row[3]},
    Event.TOKEN: lambda row: {"token": CARD_NAMES[N_TILES + row[1]], "cell": [row[2], row[3]]},
    Event.EXHAUSTED: lambda row: {"exhaustions": row[1]},
    Event.KEEP_CARD: lambda row: {"seat": row[1], "keeps": CARD_NAMES[row[2]]},
    Event.REPLACED: lambda row: {"seat": WILLIAM, "second_card": CARD_NAMES[row[2]], "uses": CARD_NAMES[row[3]]},
    Event.ENDING: lambda row: {"ending": Ending(row[1]).name.lower()},
    Event.OPERATE: lambda row: {"seat": row[1], "operates": CARD_NAMES[row[2]], "floors": row[3]},
}
