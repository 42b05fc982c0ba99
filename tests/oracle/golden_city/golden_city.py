"""The Golden City, 2 to 4 players: the oracle (golden_city.md is cited as G3.4).

A decision is a kind and an actor; playing it changes the table and leads to the next one.
"""

from pathlib import Path
from typing import Any

from .bidding import bid, bids, lay_out_pairs, next_bidder, take_pairs
from .building import builds, discards, is_blocked, pay_and_build, payments
from .cards import put_away
from .position import from_position, to_position
from .rewards import bonus_choices, box, box_choices, gain, goods_choices, take_bonus, take_goods
from .scoring import score, score_card, standing, winners
from .setup import set_up
from .table import Chance, Decision, Table, Turn
from .view import view

OVER = Decision("over", None)


class Oracle:
    """One game. `chance(name, items)` supplies each random outcome (G11.2)."""

    def __init__(self, config: dict[str, Any], chance: Chance, board_folder: Path | str | None = None) -> None:
        self.table = set_up(config, chance, board_folder)
        self._go_on(begin_round(self.table))

    @classmethod
    def from_position(cls, position: dict[str, Any], chance: Chance, board_folder: Path | str | None = None) -> "Oracle":
        """A game that goes on from any position. The decision there is asked even if it has one legal action (G10.6)."""
        oracle = cls.__new__(cls)
        oracle.table, oracle._decision = from_position(position, chance, board_folder)
        return oracle

    def decision(self) -> tuple[str, int | None]:
        """Kind of the open decision and the seat that decides."""
        return self._decision.kind, self._decision.actor

    def legal(self) -> list[str]:
        """The legal actions in notation, in the order of G11.4."""
        return options(self.table, self._decision)

    def apply(self, text: str) -> None:
        """Takes an action and runs on to the next decision with at least two legal actions."""
        if text not in self.legal():
            raise ValueError(f"{text!r} is not legal: {self._decision}, {self.legal()}")
        self._go_on(play(self.table, self._decision, text))

    def position(self) -> dict[str, Any]:
        """The position (G11.5) without "random" and "seed"."""
        return to_position(self.table, self._decision)

    def view(self, seat: int) -> dict[str, Any]:
        """What a seat is shown: the blocks of G11.6 as nested lists."""
        return view(self.table, self._decision, seat)

    def scores(self) -> list[dict[str, int]]:
        """Points by source and "total" of each seat as things stand (G9.2); bonus cards count when they are shown (G9.1)."""
        return [score(self.table, seat, shown=self._decision == OVER) for seat in self.table.seats]

    def standings(self) -> list[int]:
        """G9.5, as things stand."""
        return [standing(self.table, seat, shown=self._decision == OVER) for seat in self.table.seats]

    def winners(self) -> list[int]:
        """The winners of a game that is over (G9.3, G9.4)."""
        if self._decision != OVER:
            raise ValueError("the game is not over")
        return winners(self.table)

    def _go_on(self, decision: Decision) -> None:
        """A decision with one legal action is taken, one without any is skipped (general modelling rulings)."""
        while decision.kind != "over":
            legal = options(self.table, decision)
            if len(legal) > 1:
                break
            decision = play(self.table, decision, legal[0] if legal else None)
        self._decision = decision


def options(table: Table, decision: Decision) -> list[str]:
    """The legal actions of a decision."""
    kind, seat = decision.kind, decision.actor
    if seat is None:
        return []
    if kind == "bid":
        return bids(table, seat)
    if kind == "build":
        return builds(table, seat)
    if kind == "pay":
        assert table.turn is not None and table.turn.place is not None
        return payments(table, seat, table.board.places[table.turn.place])
    if kind == "discard":
        return discards(table, seat)
    return {"goods": goods_choices(table), "box": box_choices(table, seat), "bonus": bonus_choices(table)}[kind]


def play(table: Table, decision: Decision, text: str | None) -> Decision:
    """The next decision after an action, or after skipping a decision (None)."""
    seat = decision.actor
    assert seat is not None
    if decision.kind == "bid":
        assert text is not None
        return play_bid(table, seat, text)
    turn = table.turn
    assert turn is not None and turn.player == seat
    if decision.kind == "build":
        if text in (None, "build:done"):
            return Decision("discard", seat)
        turn.place = str(text).removeprefix("build:")
        return Decision("pay", seat)
    if decision.kind == "pay":
        assert turn.place is not None and text is not None
        place = table.board.places[turn.place]
        pay_and_build(table, seat, place, text)
        asked = gain(table, seat, place)
        return rewarded(turn) if asked is None else Decision(asked, seat)
    if decision.kind == "discard":
        if text is None:
            return end_turn(table, seat)
        turn.discarded = text.removeprefix("discard:")
        put_away(table, seat, turn.discarded)
        return Decision("discard", seat)
    return play_reward(table, turn, decision.kind, text)


def play_bid(table: Table, seat: int, text: str) -> Decision:
    """G4.2, G4.5."""
    bid(table, seat, text)
    bidder = next_bidder(table, seat)
    if bidder is not None:
        return Decision("bid", bidder)
    take_pairs(table)
    return begin_turn(table, table.first_player)


def play_reward(table: Table, turn: Turn, kind: str, text: str | None) -> Decision:
    """G6.2 to G6.4; None if there is nothing to gain."""
    if text is None:
        return rewarded(turn)
    if kind == "goods":
        if take_goods(table, turn.player, text):
            return Decision("box", turn.player)
    elif kind == "box":
        box(table, turn.player, text)
    else:
        take_bonus(table, turn.player, text)
    return rewarded(turn)


def rewarded(turn: Turn) -> Decision:
    """The reward of a house is done; the next house (G5.1)."""
    turn.place = None
    return Decision("build", turn.player)


def begin_round(table: Table) -> Decision:
    """G3, phases 1 and 2."""
    table.round += 1
    table.scoring_card = table.scoring_stack.pop(0)
    lay_out_pairs(table)
    return Decision("bid", table.first_player)


def begin_turn(table: Table, seat: int) -> Decision:
    """G5.9: who is blocked is so at this moment only; the turn has nothing to build then."""
    table.turn = Turn(seat)
    if is_blocked(table, seat):
        table.blocked = sorted([*table.blocked, seat])
        table.trigger_end("blocked")
    return Decision("build", seat)


def end_turn(table: Table, seat: int) -> Decision:
    """G3, phases 4 to 6."""
    following = table.after(seat)
    if following != table.first_player:
        return begin_turn(table, following)
    table.turn = None
    score_card(table)
    if not table.scoring_stack:
        table.trigger_end("cards")
    if table.ending is not None:
        return OVER
    table.first_player = table.after(table.first_player)
    return begin_round(table)
