"""A reader of The Golden City's texts: from those of one seat to its observation (G11.6)."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.game import Game
from ginkgo_env.games.golden_city.observe import BonusRow, GoodsRow, PlayerField, StatusField, TurnField

from ..contract.reading import Vector, number, unwrapped

CONFIGURATIONS: list[dict[str, Any]] = [{"players": n} for n in (3, 2, 4)]
"""What the proof that texts are complete goes through."""

LANDSCAPES = ("coast", "forest", "meadow", "mountain", "desert")
GOODS = ("pottery", "wine", "cloth", "spices")
AREAS = (*(f"river {name}" for name in "NESW"), *(f"{landscape} quarter" for landscape in LANDSCAPES[1:]))
KINDS = ("pottery+wine", "pottery+cloth", "pottery+spices", "wine+cloth", "wine+spices", "cloth+spices")
BONUS = ("goods", "coins", "city", "rivers", "forest", "meadow", "mountain", "desert")
SCORING = [f"{back}{letter}" for back, letters in ((1, "ABCD"), (2, "ABCDEFGH"), (3, "ABCD")) for letter in letters]
DECISIONS = (
    "bids for a pair",
    "may build",
    "pays for a house",
    "takes a goods card",
    "has five goods cards",
    "takes a bonus card",
    "has too many cards",
)
HAND_LIMIT = 5


class Reader:
    """The reader of a seat's texts in one game."""

    def __init__(self, game: Game, seat: int, rules: str) -> None:
        self.game, self.seat, self.seats = game, seat, game.seats
        roads = [entry.split() for entry in " ".join(rules.partition("two places:")[2].split()).split("; ")]
        self.roads = {frozenset((entry[0], other)) for entry in roads for other in entry[1:]}
        self.taken = self.seen = np.zeros(self.seats, np.int64)
        self.left, self.asked = np.ones(len(BONUS), np.int64), False

    def read(self, text: str) -> NDArray[Any]:
        """The observation at a text."""
        self.out, self.lines = Vector(self.game), unwrapped(text, 14)
        self.text, head = "\n".join(self.lines), self.lines[0]
        over = "game is over" in head
        for i, decision in enumerate(DECISIONS):
            self.out["decision"][i] = not over and decision in head
        self._read_status(head)
        self._read_places()
        for p in range(self.seats):
            self._read_player((p - self.seat) % self.seats, p)
        self._read_bonus()
        self._read_scoring()
        if "\npairs:" in self.text:
            self._read_pairs()
        for row, label in enumerate(("display", "out of the game:")):
            self._count(self.out["goods"][row], KINDS, self._after(rf"{label} ").partition(" stack,")[0])
        place = re.search(r"(?:pays for|reward of) (\w+)", self.text.partition("\nturn of")[2].partition("\n")[0])
        if place:
            self.out["place"][self.places.index(place[1])] = 1
        return self.out.numbers

    def _after(self, pattern: str) -> str:
        match = re.search(rf"{pattern}(.*)", self.text)
        return match[1] if match else ""

    @staticmethod
    def _count(out: NDArray[Any], names: tuple[str, ...], text: str) -> None:
        """Count names in a text, in which a number may stand before each."""
        for i, name in enumerate(names):
            out[i] = sum(int(n or 1) for n in re.findall(rf"(?<![+\w])(?:(\d+) )?{re.escape(name)}(?![+\w])", text))

    def _read_status(self, head: str) -> None:
        status, discard = self.out["status"], self._after("discard pile: +")
        self._count(self.out["discard"], LANDSCAPES, discard.partition(":")[2])
        turn = self._after(r"\nturn of \w: +")
        status[StatusField.ROUND] = number(r"[Rr]ound (\d+)", head)
        status[StatusField.SCORING_CARDS_TO_COME] = len(self._to_come())
        status[StatusField.PRICE] = number(r"price: +(\d+)", self.text)
        status[StatusField.DECK] = number(r"deck: +(\d+)", self.text)
        status[StatusField.DISCARD_PILE] = number(r"(\d+)", discard)
        status[StatusField.GOODS_STACK] = number(r"stack, (\d+)", self.text)
        status[StatusField.BONUS_CARDS_LEFT] = number(r"left: +(\d+) bonus", self.text)
        status[StatusField.KEYS_LEFT] = number(r"(\d+) key cards?", self.text)
        status[StatusField.SUPPLY] = number(r"(\d+) coins?$", self.text)
        status[StatusField.HOUSES_BUILT] = number(r"(\d+) houses? built", turn)
        status[StatusField.END_TRIGGERED] = "last round" in head or "game is over" in head

    def _to_come(self) -> list[str]:
        return [card for line in re.findall(r"with back \d: +(.*)", self.text) for card in re.findall(r"(\w+) \(", line)]

    def _read_places(self) -> None:
        """Read the places; they come by kind, then by landscape."""
        brings, self.owners, found = {}, {}, {}
        for landscape in LANDSCAPES:
            for name, gift, owners in re.findall(r"(\w+)·([^\s=]+)(?:=(\w+))?", self._after(rf"\n{landscape}: +")):
                brings[name], self.owners[name] = gift, owners
                found[name] = (2 if "/" in gift else landscape != "coast"), LANDSCAPES.index(landscape)
        self.places = sorted(found, key=lambda name: found[name])  # sorted is stable
        self.districts = {name for name, (kind, _) in found.items() if kind == 2}
        taken = {name for name, owners in self.owners.items() if owners}
        mine = {name for name, owners in self.owners.items() if "abcd"[self.seat] in owners}
        for i, name in enumerate(self.places):
            reached = found[name][0] == 0 or any(frozenset((name, other)) in self.roads for other in mine)
            self.out["sites"][i] = reached and name not in (mine if name in self.districts else taken)
            for p in range(self.seats):
                k = (p - self.seat) % self.seats
                if "abcd"[p] in self.owners[name]:
                    self.out["houses"][k, i] = 1
                    if "~" in brings[name]:
                        self.out["at_rivers"][k, "NESW".index(brings[name][-1])] += 1
                    if name in self.districts:
                        self.out["in_quarters"][k, found[name][1] - 1] += 1

    def _read_player(self, k: int, p: int) -> None:
        mark = "abcd"[p]
        row = re.search(rf"^ {mark} player_{p} +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+)(.*)$", self.text, re.MULTILINE)
        assert row
        letters, coins, keys, houses, cards, goods, bonus = map(int, row.groups()[:7])
        turn, player = self.out["turn"][k], self.out["players"][k]
        turn[TurnField.IS_ACTOR], turn[TurnField.IS_FIRST] = "decides" in row[8], "first" in row[8]
        turn[TurnField.IS_BLOCKED] = "blocked" in row[8]
        own, _, known = re.split(r"(known to all:|of these known:)", self._after(f"cards of {mark}: +"))
        self._count(self.out["known"][k], LANDSCAPES, known)
        if k == 0:
            self._count(self.out["hand"], LANDSCAPES, own)
        self._count(self.out["goods"][GoodsRow.VIEWER + k], KINDS, self._after(f"goods of {mark}: +"))
        player[PlayerField.LETTERS], player[PlayerField.COINS], player[PlayerField.KEYS] = min(255, letters), coins, keys
        player[PlayerField.HOUSES_LEFT], player[PlayerField.HAND], player[PlayerField.GOODS_CARDS] = houses, cards, goods
        player[PlayerField.HAND_UNKNOWN] = cards - self.out["known"][k].sum()
        player[PlayerField.BONUS_CARDS] = bonus
        player[PlayerField.IN_CITY] = self.out["houses"][k, [self.places.index(name) for name in self.districts]].sum()
        if turn[TurnField.IS_ACTOR] and "has too many cards" in self.lines[0]:
            self.out["status"][StatusField.DISCARDS_OWED] = cards - HAND_LIMIT

    def _read_bonus(self) -> None:
        own, _, left = re.sub(r"\)$", "", self._after(f"bonus of {'abcd'[self.seat]}: +")).partition(" (")
        self._count(self.out["bonus"][BonusRow.OWN], BONUS, own)
        if left:
            self.left = self.out["bonus"][BonusRow.LEFT].copy()
            self._count(self.left, BONUS, left.partition(":")[2])
        self.left *= 1 - self.out["bonus"][BonusRow.OWN]  # the own card may be newer than what was left
        taken = self.out["players"][:, PlayerField.BONUS_CARDS].copy()
        asked = "takes a bonus card" in self.lines[0]
        if asked:
            self.seen = taken
        elif taken[0] > self.taken[0]:  # within the own turn, in which nobody else takes any
            self.seen = self.taken.copy()
            self.seen[0] = taken[0]
            self.left *= self.asked  # the game asks unless a single card is left
        self.taken, self.asked = taken, asked
        self.out["bonus"][BonusRow.LEFT] = self.left
        self.out["players"][:, PlayerField.BONUS_SINCE] = taken - self.seen

    def _read_scoring(self) -> None:
        card = re.search(r"^(?:scoring card|scored last): +\w+ \((\w+), (.*)\)$", self.text, re.MULTILINE)
        if card:
            self.out["scoring"][GOODS.index(card[1])] = self.out["scoring"][len(GOODS) + AREAS.index(card[2])] = 1
        for name in self._to_come():
            self.out["to_come"][SCORING.index(name)] = 1

    def _read_pairs(self) -> None:
        for i, (pair, whose) in enumerate(re.findall(r"[a-d] ([\w+]+) \((.*?)\)", self._after(r"\npairs: +"))):
            for landscape in pair.split("+"):
                self.out["pairs"][i, LANDSCAPES.index(landscape)] += 1
            if whose != "free":
                k = (int(whose[-1]) - self.seat) % self.seats
                self.out["pair_seat"][i, k] = self.out["turn"][k, TurnField.HAS_BID] = 1
