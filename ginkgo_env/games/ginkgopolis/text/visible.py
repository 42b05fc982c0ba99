"""What a seat learns from one step (R10): lines for records as seen by it, and the rows of the log that it may hear.

Decisions with one legal action are not asked, and whether one was asked can be a secret. So what is told of the others'
choices follows from how far the choosing has come, never from the steps that it took.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ginkgo_env.core.game import VisibleStep
from ginkgo_env.games.ginkgopolis.constants import (
    NONE,
    WILLIAM,
    Log,
    Module,
    Shuffle,
    Stage,
)
from ginkgo_env.games.ginkgopolis.tables import EVENT_NAMES, EVENTS_OF_EXPERT, EXPERT_NAMES
from ginkgo_env.games.ginkgopolis.text.lines import LINES, Line, Row, commitment, drawn, hidden_draw, runs, shuffled
from ginkgo_env.games.ginkgopolis.text.notation import action_text, names_at, names_in
from ginkgo_env.games.ginkgopolis.text.reading import (
    CHOOSING,
    characters,
    draft_picks_of,
    expert_of,
    packet_of,
    tiles_in,
    with_module,
)

_SEEN_SHUFFLES = (Shuffle.START_TILES, Shuffle.FIRST_PLAYER, Shuffle.RANDOM_EXPERT)  # with what came out
_HEARD_SHUFFLES = (Shuffle.DECK, Shuffle.RETURNED_TILES, Shuffle.NEW_BUILDINGS)  # without
_OPEN_DECISIONS = (Stage.TAKE, Stage.TOKEN, Stage.TIMING, Stage.SPLIT, Stage.PAY)  # everybody sees what is chosen


def seen(seat: int, before: Any | None, action: int, after: Any, rows: Sequence[Row]) -> VisibleStep:
    """What a seat learns from a step; `before` is None and `action` means nothing at the start of a game."""
    return VisibleStep(_Step(seat, before, action, after, rows).lines(), heard(seat, bool(after.solo), rows))


def heard(seat: int, solo: bool, rows: Sequence[Row]) -> list[Row]:
    """The rows that a seat may hear: tiles that others draw without their names, shuffles without their order."""
    kept: list[Row] = []
    hidden = False
    for row in rows:
        kind, a, _, _ = row
        if kind == Log.OUTCOME:
            hidden = a not in _SEEN_SHUFFLES
            if hidden and a not in _HEARD_SHUFFLES:
                continue
        elif kind == Log.ITEM and hidden:
            continue
        elif kind == Log.DRAW and _draws_in_secret(seat, a, solo):
            row = hidden_draw(row)
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
        self.chosen = int(before.cursor) if before is not None and self.stage in CHOOSING else None

    def lines(self) -> list[Line]:
        """All that the seat learns, in order."""
        self._own_action()
        if self.after.draft and self.stage in (None, Stage.DRAFT):
            self._draft()
        if self.before is not None and self.stage == Stage.EVENTS:
            self._others_choose([int(self.before.actor)])
        if self.before is not None and self.stage == Stage.RETURN:
            self._returning(int(self.before.returner))
        for run in runs(heard(self.seat, bool(self.after.solo), self.rows)):
            self._event(Log(run[0][0]), run)
        if self.after.stage in CHOOSING:
            self._choose_up_to(int(self.after.cursor))
        self._at_hand()
        return self.told

    # --- choices -----------------------------------------------------------------------------------------------------------

    def _own_action(self) -> None:
        """The seat's own action, or a public decision of any seat; a New Hand is told as such."""
        if self.before is None or action_text(self.before, self.action) == "new-hand":
            return
        actor = int(self.before.actor)
        if actor == self.seat or self.stage in _OPEN_DECISIONS:
            self.told.append({"seat": actor, "action": action_text(self.before, self.action)})

    def _others_choose(self, seats: Sequence[int]) -> None:
        self.told.extend({"seat": s, "chooses": True} for s in seats if s != self.seat)

    def _draft(self) -> None:
        """Picks since the last step, and all characters when the draft is over (R2.7)."""
        start = 0 if self.before is None else int(self.before.pick) * self.sides + int(self.before.actor)
        over = self.after.stage != Stage.DRAFT
        stop = draft_picks_of(self.after) * self.sides if over else int(self.after.pick) * self.sides + int(self.after.actor)
        self._others_choose([k % self.sides for k in range(start, stop)])
        if over:
            self._characters()

    def _characters(self) -> None:
        """What lies in front of the screens, with the events that experts bring (X4.1)."""
        for p in range(self.sides):
            line: Line = {"seat": p, "characters": characters(self.after.characters[p])}
            for expert in expert_of(self.after, p):
                line["expert"] = expert
                if with_module(self.after, Module.EVENTS):
                    line["events"] = names_at(EVENTS_OF_EXPERT[EXPERT_NAMES.index(expert)], EVENT_NAMES)
            self.told.append(line)

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
        tiles = tiles_in(self.before, "aside", p)
        last = action_text(self.before, self.action).removeprefix("return:")
        if p == self.before.actor and last != "done":
            tiles.append(last)  # set aside in ascending order
        return tiles

    def _at_hand(self) -> None:
        """What the seat sees when it has to choose in secret: its packet, or its cards and tiles."""
        g, p = self.after, self.seat
        if g.actor != p:
            return
        if g.stage == Stage.DRAFT:
            self.told.append({"seat": p, "packet": packet_of(g, p)})
        elif g.stage == Stage.COMMIT:
            line: Line = {"seat": p, "hand": names_in(g.hand[p]), "tiles": tiles_in(g, "tiles", p)}
            if with_module(g, Module.EVENTS):
                line["events"] = names_at(g.events[p], EVENT_NAMES)
            self.told.append(line)

    # --- events ------------------------------------------------------------------------------------------------------------

    def _event(self, kind: Log, run: list[Row]) -> None:
        """The rows of one line."""
        if kind == Log.OUTCOME:
            self._shuffle(run)
        elif kind == Log.DRAW:
            self.told.append(drawn(run, secret=_draws_in_secret(self.seat, run[0][1], bool(self.after.solo))))
        elif kind == Log.NEW_HAND:
            self._new_hand(run[0][1])
        elif kind == Log.REVEAL:
            self._choose_up_to(self.choosers)
            self.chosen = None
            self.told.append({"seat": run[0][1], "reveals": commitment(run[0][2], run[0][3])})
        elif kind == Log.ROUND:
            self.first, self.chosen = run[0][2], 0
            self.told.append({"round": run[0][1], "first_player": self.first, "discard": names_in(self.after.discard)})
        elif kind == Log.GIVE_BACK:
            self.told.append({"seat": run[0][1], "returns": self._given_back(run[0][1])})
        elif kind in LINES:
            self.told.extend(LINES[kind](row) for row in run)
            if kind == Log.EXHAUSTED and run[0][1] == 1 and not self.after.solo:
                self._returning(0)

    def _shuffle(self, run: list[Row]) -> None:
        line = shuffled(run)
        first_deck = run[0][1] == Shuffle.DECK and line not in self.told
        self.told.append(line)
        if first_deck and self.before is None and not self.after.draft and not self.after.solo:
            self._characters()  # introductory sets lie open from the start (R2.7)

    def _new_hand(self, p: int) -> None:
        """The old hand goes to the discard pile, face up (R3.2, R3.6)."""
        assert self.before is not None  # a New Hand is never the only thing to do
        self.told.append({"seat": p, "action": "new-hand", "discards": names_in(self.before.hand[p])})
