"""What a seat may know of one step (R10): lines for its view of a record, and rows of the log.

Decisions with one legal action are made unasked, and whether a player was asked can be a secret. So lines about choices of
others follow from how many players have chosen, never from the steps that it took.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ginkgo_env.core.game import VisibleStep
from ginkgo_env.core.log import Row
from ginkgo_env.games.ginkgopolis.constants import (
    NONE,
    WILLIAM,
    Log,
    Module,
    Shuffle,
    Stage,
)
from ginkgo_env.games.ginkgopolis.tables import EVENT_NAMES, EVENTS_OF_EXPERT, EXPERT_NAMES
from ginkgo_env.games.ginkgopolis.text.lines import LINES, Line, commitment, draw_line, hidden_draw, runs, shuffle_line
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
        if kind == Log.OUTCOME:
            hidden = a not in _OPEN_SHUFFLES
            if hidden and a not in _HIDDEN_SHUFFLES:
                continue
        elif kind == Log.ITEM and hidden:
            continue
        elif kind == Log.DRAW and _draws_in_secret(seat, a, solo):
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
            self._event(Log(run[0][0]), run)
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
                if with_module(self.after, Module.EVENTS):
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
            if with_module(g, Module.EVENTS):
                line["events"] = names_at(g.events[p], EVENT_NAMES)
            self.result.append(line)

    # --- events ------------------------------------------------------------------------------------------------------------

    def _event(self, kind: Log, run: list[Row]) -> None:
        """Add the line of an event."""
        if kind == Log.OUTCOME:
            self._shuffle(run)
        elif kind == Log.DRAW:
            self.result.append(draw_line(run, secret=_draws_in_secret(self.seat, run[0][1], bool(self.after.solo))))
        elif kind == Log.NEW_HAND:
            self._new_hand(run[0][1])
        elif kind == Log.REVEAL:
            self._choose_up_to(self.choosers)
            self.chosen = None
            self.result.append({"seat": run[0][1], "reveals": commitment(run[0][2], run[0][3])})
        elif kind == Log.ROUND:
            self.first, self.chosen = run[0][2], 0
            self.result.append({"round": run[0][1], "first_player": self.first, "discard": names_in(self.after.discard)})
        elif kind == Log.GIVE_BACK:
            self.result.append({"seat": run[0][1], "returns": self._given_back(run[0][1])})
        elif kind in LINES:
            self.result.extend(LINES[kind](row) for row in run)
            if kind == Log.EXHAUSTED and run[0][1] == 1 and not self.after.solo:
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
