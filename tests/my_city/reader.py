"""A reader of My City's texts: from those of one seat to its observation (M12.3)."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.game import Game
from ginkgo_env.games.my_city.components import TerrainPlane
from ginkgo_env.games.my_city.observe import PLAYER_FIELDS, BoardPlane, BuildingField, PlayerField, TurnField

from ..contract.reading import Vector, number

CONFIGURATIONS: list[dict[str, Any]] = [{"players": n} for n in (2, 1, 3, 4)]
"""What the proof that texts are complete goes through."""

SIGNS = {
    "empty land": TerrainPlane.EMPTY_LAND,
    "two trees": TerrainPlane.TREES,
    "two rocks": TerrainPlane.ROCKS,
    "well": TerrainPlane.WELL,
    "vein of gold": TerrainPlane.VEIN,
    "mountain": TerrainPlane.MOUNTAIN,
    "forest": TerrainPlane.FOREST,
}
COLORS = ("yellow", "red", "blue", "church")


class Reader:
    """The reader of a seat's texts in one game."""

    def __init__(self, game: Game, seat: int, rules: str) -> None:
        self.game, self.seat, self.seats = game, seat, game.seats
        listed = re.findall(r"^(yellow|red|blue|church): (.*)$", rules, re.MULTILINE)
        self.color = {building.split()[0]: color for color, all_of_it in listed for building in all_of_it.split(", ")}
        self.ids = list(self.color)
        self.terrain: NDArray[Any] | None = None

    def read(self, text: str) -> NDArray[Any]:
        """The observation at a text."""
        self.out, self.lines = Vector(self.game), text.splitlines()
        self.text = re.sub(r"\n {2,}(?=\S)", " ", text)
        blocks = self._blocks()
        if self.terrain is None:
            self._learn_terrain(text, blocks[0])
        self.out["terrain"][...] = self.terrain
        over, cards = "The game is over" in text, number(r"cards left: +(\d+)", text)
        self.out["turn"][TurnField.ROUND] = number(r"(?:^|after )[Rr]ound (\d+)", text)
        self.out["turn"][TurnField.CARDS_LEFT] = cards
        self.out["turn"][TurnField.GOLD_OPEN] = "gold:" in text and "given in round" not in text
        if cards:
            left = re.search(r"^cards left: +\d+: (.*)$", self.text, re.MULTILINE)
            assert left
            for card in left[1].split()[:cards]:
                self.out["left"][[*self.ids, "X"].index(card)] = 1
        blocked = re.search(r"^blocked: +(\S+)", text, re.MULTILINE)
        if blocked:
            self.out["blocked"][self.ids.index(blocked[1])] = 1
        if not over:
            self._read_current()
        for p, block in enumerate(blocks):
            self._read_player((p - self.seat) % self.seats, p, block, blocked[1] if blocked else "")
        self.out["chosen"][-1] = 1  # at an own decision nothing is chosen
        return self.out.numbers

    def _read_current(self) -> None:
        match = re.match(r"Round \d+: (\S+),", self.lines[0])
        assert match
        self.out["current"][self.ids.index(match[1])] = 1
        first = next(i for i, line in enumerate(self.lines) if re.match(r" {4}N [@# ]", line))
        height = next(i for i, line in enumerate(self.lines[first:]) if not line.strip())
        starts = [(m.start(), "NESW".index(m[0])) for m in re.finditer("[NESW]", self.lines[first])]
        for start, heading in starts:
            end = min((other for other, _ in starts if other > start), default=1000)
            for r, line in enumerate(self.lines[first : first + height]):
                for c, sign in enumerate(line[start + 2 : end]):
                    if sign in "@#":
                        self.out["shape"][heading, r, c] = 1

    def _blocks(self) -> list[list[str]]:
        """The lines of each player's block."""
        blocks: list[list[str]] = []
        for i, line in enumerate(self.lines):
            starts = [m.start() for m in re.finditer(r"player_\d: -?\d+ points", line)]
            height = next((k for k, other in enumerate(self.lines[i:]) if not other.strip()), 0)
            for start, end in zip(starts, [*starts[1:], 1000], strict=False):
                blocks.append([other[start:end].rstrip() for other in self.lines[i : i + height]])
        return blocks

    def _grid(self, block: list[str]) -> tuple[list[list[str]], list[list[bool]], list[list[bool]]]:
        """The cells of a board, where the river runs to the east, and where to the south."""
        columns = [m.start() for m in re.finditer(r"[a-p]", block[1])]
        cells, east, south = [], [], []
        for i, line in enumerate(block[2:], 2):
            if not re.match(r" ?\d+ ", line):
                continue
            line, below = line.ljust(1000), (block[i + 1] if "═" in block[i + 1] else "").ljust(1000)
            cells.append([line[c : c + 3].rstrip("║ ").split("║")[0].split(" ")[0] for c in columns])
            east.append([line[d - 1] == "║" for d in [*columns[1:], 999]])
            south.append([below[c] == "═" for c in columns])
        return cells, east, south

    def _learn_terrain(self, text: str, block: list[str]) -> None:
        cells, east, south = self._grid(block)
        legend = re.sub(r"\s+", " ", text)
        signs = {re.search(rf"(\S) {meaning}", legend)[1]: plane for meaning, plane in SIGNS.items()}  # type: ignore[index]
        rows, columns = len(cells), len(cells[0])
        planes = np.zeros((len(TerrainPlane), rows, columns), np.int8)
        for r, row in enumerate(cells):
            for c, sign in enumerate(row):
                planes[signs[sign], r, c] = 1
        planes[TerrainPlane.RIVER_TO_THE_EAST], planes[TerrainPlane.RIVER_TO_THE_SOUTH] = east, south
        bank, rest = planes[TerrainPlane.FIRST_BANK], [(0, 0)]
        while rest:  # the bank of the first cell
            r, c = rest.pop()
            if not (0 <= r < rows and 0 <= c < columns) or bank[r, c]:
                continue
            bank[r, c] = 1
            steps = (not east[r][c], (r, c + 1)), (not south[r][c], (r + 1, c)), (c and not east[r][c - 1], (r, c - 1))
            rest += [cell for is_open, cell in (*steps, (r and not south[r - 1][c], (r - 1, c))) if is_open]
        self.terrain = planes

    def _read_player(self, k: int, p: int, block: list[str], blocked: str) -> None:
        assert self.terrain is not None
        cells, _, _ = self._grid(block)
        ids = np.array([[cell if cell in self.color else "" for cell in row] for row in cells])
        facts = " ".join(line.strip() for line in block if not re.match(r" ?\d+ | .*═", line))
        planes, built = self.out["boards"][k], ids != ""
        light = self.terrain[: TerrainPlane.MOUNTAIN].any(0)
        planes[BoardPlane.UNCOVERED] = light & ~built
        for i, color in enumerate(COLORS):
            planes[BoardPlane.YELLOW + i] = np.isin(ids, [b for b in self.ids if self.color[b] == color])
        planes[BoardPlane.SAME_BUILDING_TO_THE_EAST, :, :-1] = built[:, :-1] & (ids[:, :-1] == ids[:, 1:])
        planes[BoardPlane.SAME_BUILDING_TO_THE_SOUTH, :-1] = built[:-1] & (ids[:-1] == ids[1:])
        out = self.out["players"][k]
        out[PlayerField.COUNTER] = number(r"counter (\d+)", facts)
        ended = "ended in round" in facts
        out[PlayerField.HAS_ENDED] = ended
        out[PlayerField.VEINS_COVERED] = (self.terrain[TerrainPlane.VEIN].astype(bool) & built).sum()
        given = re.search(r"given in round \d+ to (.*)", self.text)
        out[PlayerField.GOT_GOLD] = bool(given and f"player_{p}" in given[1])
        sources = facts.split("passed:")[0].partition("counter")[2]
        for field in range(PlayerField.START, len(PLAYER_FIELDS)):
            out[field] = number(rf"\b{PLAYER_FIELDS[field]} (-?\d+)", sources)
        passed = facts.partition("passed: ")[2].split()
        for b, name in enumerate(self.ids):
            placed = name in ids
            lost = not placed if ended else name in passed or name == blocked
            self.out["buildings"][k, b, BuildingField.PLACED] = placed
            self.out["buildings"][k, b, BuildingField.LOST] = lost
