"""The box: landscapes, numbers of components (G1), and a board read from its five files (G1.6)."""

import csv
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

OWN_BOARD = Path(__file__).resolve().parents[3] / "ginkgo_env" / "games" / "golden_city" / "data" / "own"
FILES = ("places.csv", "roads.csv", "goods.csv", "scoring.csv", "bonus.csv")  # also the order of the digest

LANDSCAPES = ("coast", "forest", "meadow", "mountain", "desert")
INLAND = LANDSCAPES[1:]
RIVERS = ("N", "E", "S", "W")
GOODS = ("pottery", "wine", "cloth", "spices")
COPIES = 10  # landscape cards of each kind
HOUSES = {2: 18, 3: 18, 4: 16}
COINS, COINS_AT_START = 35, 3
KEYS = 6
ROUNDS = 16
HAND_LIMIT = 5
GOODS_LIMIT = 4
DISPLAY = 3


@dataclass(frozen=True)
class Place:
    """A row of places.csv."""

    name: str
    kind: str
    landscape: str
    quarter: str
    river: str
    reward: str
    letters: tuple[int, int]
    coins_first: int
    cards_first: int

    @property
    def is_district(self) -> bool:
        return self.kind in ("outer", "inner")


@dataclass(frozen=True)
class ScoringCard:
    """A row of scoring.csv."""

    name: str
    back: int
    good: str
    kind: str
    area: str


@dataclass(frozen=True)
class Board:
    """What never changes during a game."""

    digest: str
    places: dict[str, Place]
    neighbors: dict[str, list[str]]
    goods: dict[str, tuple[str, str]]
    goods_copies: dict[str, int]
    scoring: dict[str, ScoringCard]
    bonus: dict[str, int]  # letters for each

    def goods_in_order(self, cards: Iterable[str]) -> list[str]:
        return sorted(cards, key=list(self.goods).index)

    def areas(self, kind: str, area: str) -> list[str]:
        """The places that a scoring card counts: three suburbs of a river, or three districts of a quarter (G7)."""
        if kind == "river":
            return [p.name for p in self.places.values() if p.river == area]
        return [p.name for p in self.places.values() if p.is_district and p.quarter == area]


def landscapes_in_order(cards: Iterable[str]) -> list[str]:
    return sorted(cards, key=LANDSCAPES.index)


def load_board(folder: Path | str | None = None) -> Board:
    """The board of a folder; the shipped one by default, which is read once. Nothing is checked here."""
    return own_board() if folder is None else _read(Path(folder))


@cache
def own_board() -> Board:
    """The shipped board (G1.7)."""
    return _read(OWN_BOARD)


def _read(folder: Path) -> Board:
    rows = {name: _rows(folder / name) for name in FILES}
    places = {row["place"]: _place(row) for row in rows["places.csv"]}
    neighbors: dict[str, list[str]] = {name: [] for name in places}
    for row in rows["roads.csv"]:
        neighbors[row["place_1"]].append(row["place_2"])
        neighbors[row["place_2"]].append(row["place_1"])
    scoring = [ScoringCard(r["card"], int(r["back"]), r["good"], r["kind"], r["area"]) for r in rows["scoring.csv"]]
    return Board(
        digest=_digest(folder),
        places=places,
        neighbors=neighbors,
        goods={row["card"]: (row["good_1"], row["good_2"]) for row in rows["goods.csv"]},
        goods_copies={row["card"]: int(row["copies"]) for row in rows["goods.csv"]},
        scoring={card.name: card for card in scoring},
        bonus={row["card"]: int(row["letters_each"]) for row in rows["bonus.csv"]},
    )


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _place(row: dict[str, str]) -> Place:
    return Place(
        *(row["place"], row["kind"], row["landscape"], row["quarter"], row["river"], row["reward"]),
        (int(row["letters_first"]), int(row["letters_second"])),
        *(int(row["coins_first"]), int(row["cards_first"])),
    )


def _digest(folder: Path) -> str:
    """G1.6.3."""
    whole = b"".join((folder / name).read_bytes().replace(b"\r\n", b"\n") for name in FILES)
    return hashlib.sha256(whole).hexdigest()[:16]
