"""Ginkgopolis, 1 to 5 players, with The Experts 2 to 5: the oracle (ginkgopolis.md is cited as R3.4, experts.md as X3.2).

The game is told as one long story in generators: `yield Question(...)` asks a player and gets the answer in notation.
"""

from collections.abc import Sequence
from typing import Any

from .actions import resolve
from .choices import choose
from .draws import draw_cards
from .expansion import check_config
from .position import from_position, to_position
from .scoring import score, winners
from .setup import set_up
from .table import Chance, Commitment, Flow, Question, Side, Table
from .view import view
from .william import william_builds

OVER = Question("over", None, [])
PICKS = ("first_player", "random_expert")  # random outcomes that are one of the items; the others are the items shuffled


class Oracle:
    """One game. `chance(name, items)` supplies each random outcome (R11.4)."""

    def __init__(self, config: dict[str, Any], chance: Chance) -> None:
        check_config(config)
        sides = [Side() for _ in range(max(2, int(config["players"])))]
        self.table = Table(dict(config), chance, sides)
        self._start(self._whole_game())

    @classmethod
    def from_position(cls, position: dict[str, Any], chance: Chance) -> "Oracle":
        """A game that goes on from a position in which a commitment is to be chosen, or that is over."""
        kind, actor = position["decision"]["kind"], position["decision"]["actor"]
        if kind not in ("commit", "over"):
            raise ValueError(f"cannot go on from a {kind} decision")
        oracle = cls.__new__(cls)
        oracle.table = from_position(position, chance)
        oracle._start(oracle._rest_of_game(actor) if kind == "commit" else iter_nothing())
        return oracle

    def decision(self) -> tuple[str, int | None]:
        """Kind of the open decision and the seat that decides."""
        return self._question.kind, self._question.actor

    def legal(self) -> list[str]:
        """The legal actions in notation."""
        return list(self._question.options)

    def apply(self, text: str) -> None:
        """Takes an action and runs on to the next decision with at least two legal actions."""
        if text not in self._question.options:
            raise ValueError(f"{text!r} is not legal: {self._question}")
        self._run(text)

    def position(self) -> dict[str, Any]:
        """The position (text-forms.md) without "random" and "seed"."""
        return to_position(self.table, self._question)

    def view(self, seat: int) -> dict[str, Any]:
        """What a seat may know (R10)."""
        return view(self.table, self._question, seat)

    def scores(self) -> list[dict[str, Any]]:
        """Score breakdown of each side as things stand (R8.2); alone William is the second."""
        return [score(self.table, seat) for seat in range(len(self.table.sides))]

    def winners(self) -> list[int]:
        """The winners of a game that is over (R8.4, R9.6)."""
        if self._question.kind != "over":
            raise ValueError("the game is not over")
        return winners(self.table)

    def _start(self, flow: Flow) -> None:
        self._flow = flow
        self._run(None)

    def _run(self, answer: str | None) -> None:
        """Sends the answer and goes on to the next question worth asking.

        A decision with one legal action is taken, one without any is skipped (modelling rulings).
        """
        try:
            question = next(self._flow) if answer is None else self._flow.send(answer)
            while len(question.options) < 2:
                question = self._flow.send(question.options[0] if question.options else "")
            self._question = question
        except StopIteration:
            self._question = OVER

    def _whole_game(self) -> Flow:
        yield from set_up(self.table)
        yield from self._rounds()

    def _rest_of_game(self, actor: int) -> Flow:
        """From the choice of this seat on: the round under way, then the others."""
        order = self.table.turn_order()
        yield from self._play_round(order[order.index(actor) :])
        yield from self._rounds()

    def _rounds(self) -> Flow:
        """Round after round until one ends the game (R8.1, R8.4)."""
        table = self.table
        while table.ending is None:
            if table.alone:
                deal_round_alone(table)
            elif table.round > 0:
                prepare_next_round(table)
            table.round += 1
            yield from self._play_round(table.turn_order())

    def _play_round(self, choosing: Sequence[int]) -> Flow:
        """R3.1-4: these seats still choose, then all actions are resolved; alone R9.2, R9.3."""
        table = self.table
        for seat in choosing:
            yield from choose(table, seat)
        for seat in table.turn_order():
            if table.sides[seat].commitment is not None:
                yield from resolve(table, seat)
        if table.alone:
            discard_unused(table)
            yield from william_builds(table)
        if table.round >= table.config["max_rounds"]:
            table.trigger_end("max_rounds")  # R8.4: a real end in this round came first


def iter_nothing() -> Flow:
    """The story of a game that is over."""
    yield from ()


def prepare_next_round(table: Table) -> None:
    """R3.5: hands and the first-player card go to the left, kept cards join (X5), then each draws one card."""
    hands = [side.hand for side in table.sides]
    for seat, hand in enumerate(hands):
        left = table.sides[table.left_of(seat)]
        table.sides[seat].passed = list(hand)
        left.hand = list(hand) + ([] if left.kept is None else [left.kept])
        left.kept = None
    assert table.first_player is not None
    table.first_player = table.left_of(table.first_player)
    for seat in table.turn_order():
        table.sides[seat].hand += draw_cards(table, 1)


def deal_round_alone(table: Table) -> None:
    """R9.2: three cards for the player, the fourth, unseen, for William, in one draw (R3.6)."""
    player, william = table.sides
    cards = draw_cards(table, 4)
    player.hand = cards[:3]
    william.commitment = Commitment(cards[3]) if len(cards) == 4 else None


def discard_unused(table: Table) -> None:
    """R9.2: after the player's action the two other cards go to the discard pile."""
    table.discard += table.sides[0].hand
    table.sides[0].hand = []
