"""What positions with modules of The Experts have besides: the part of ``positions.Builder`` that only they need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

Json = dict[str, Any]
Cell = tuple[int, int]

MODULES = ("new_buildings", "prestige", "green_spaces", "events", "keep_card", "experts")
NEW_BUILDINGS = [f"{color}{number}" for color in "RBY" for number in (21, 22, 23)]
PRESTIGE = [f"{color}{number}" for color in "RBY" for number in (24, 25)]
GREEN_SPACE, GREEN_SPACES = "GS", 9
CARDLESS = [*PRESTIGE, GREEN_SPACE]
EVENTS = ["design", "press", "expropriation", "control"]
EVENTS_OF = {  # X4.1
    "entrepreneur": ["design", "press"],
    "professor": ["press", "control"],
    "journalist": ["design", "expropriation"],
    "engineer": ["expropriation", "control"],
    "mayor": ["design", "control"],
    "lawyer": ["press", "control"],
    "controller": ["design", "expropriation"],
    "artist": ["design", "press"],
    "banker": ["expropriation", "control"],
    "architect": ["press", "expropriation"],
}
"""Events of each expert; who matters least to an action comes first."""
ALL_TILES = [f"{color}{number}" for color in "RBY" for number in range(1, 26)] + [GREEN_SPACE]
ALL_NAMES = [*ALL_TILES, *"ABCDEFGHIJKL"]
SPLIT = {"red": 0, "blue": 0, "yellow": 0, "new_building": 0, "green_space": 0}
_ACTION = {"take": "exploit", "token": "urbanize", "timing": None}


class Extras:
    """Stacks, green spaces, events, experts, kept cards, lower tiles, and decisions other than a choice of card.

    What is not said: all tiles of the expansion lie in their stacks; players have experts that matter little (and whose events
    fit those that were said), have played all events, keep no card and have placed no lower tile.
    """

    config: Json
    sides: int
    data: Json
    _city: list[Json]
    _tiles: dict[int, list[str]]
    _commitments: dict[int, tuple[str, str | None]]

    def __init__(self) -> None:
        self._experts: dict[int, str] = {}
        self._events: dict[int, list[str]] = {}
        self._kept: dict[int, str] = {}
        self._known_events: dict[int, list[str]] = {}
        self._lower_tiles: dict[int, list[str]] = {}
        self._on_card: dict[int, Json] = {}
        self._stacks: dict[str, list[str]] = {}
        self._first_new: list[str] = []
        self._asked: Json | None = None
        self._pending: Json = {}

    @property
    def modules(self) -> tuple[str, ...]:
        return tuple(self.config.get("modules", ()))

    # --- stacks and the city

    def green_space(self, cell: Cell, owner: int, *, tiles: int = 1) -> Self:
        """A green space; with two tiles if an architect placed it (say which with `lower_tiles`)."""
        return self.building(cell, GREEN_SPACE, owner=owner, floors=tiles)  # type: ignore[attr-defined, no-any-return]

    def next_new_buildings(self, *tiles: str) -> Self:
        """The first tiles of the stack of value II."""
        self._first_new = list(tiles)
        return self

    def new_buildings(self, *tiles: str) -> Self:
        """Exactly these in the stack of value II, in drawing order; the last player has those left over behind the screen."""
        self._stacks["new_buildings"] = list(tiles)
        return self

    def prestige(self, *tiles: str) -> Self:
        """Exactly these in the stacks of value III; the last player has those left over behind the screen."""
        self._stacks["prestige"] = list(tiles)
        return self

    def green_spaces(self, n: int) -> Self:
        """So many green spaces in their stack; the last player has those left over behind the screen."""
        self._stacks["green_spaces"] = [GREEN_SPACE] * n
        return self

    # --- players

    def expert(self, seat: int, name: str) -> Self:
        self._experts[seat] = name
        return self

    def events(self, seat: int, *names: str) -> Self:
        """Event tiles behind the screen; of the two that everybody has the others have been played."""
        self._events[seat] = list(names)
        return self

    def known_events(self, seat: int, *names: str) -> Self:
        """Event tiles that everybody knows to be behind the screen or committed: they went back (X4.4)."""
        self._known_events[seat] = list(names)
        return self

    def keeps(self, seat: int, card: str) -> Self:
        """The card kept (X5), of one who has chosen."""
        self._kept[seat] = card
        return self

    def lower_tiles(self, seat: int, *tiles: str) -> Self:
        """Tiles in the city that an architect has placed under others; give buildings the floors."""
        self._lower_tiles[seat] = list(tiles)
        return self

    def committed(
        self, seat: int, card: str, tile: str | None = None, *, lower: str | None = None, event: str | None = None
    ) -> Self:
        """A card out, with what lies on it. Of the player whose action it is the event is told in `asked`."""
        self._commitments[seat] = (card, tile)
        self._on_card[seat] = {"lower": lower, "event": event}
        return self

    # --- decisions

    def asked(self, kind: str, actor: int = 0, **pending: Any) -> Self:
        """Another decision than a choice of card: ``asked("lower", 0)``, ``asked("split", 0, draws=5, action="construct")``.

        pending: ``player`` (the actor unless told), ``action`` (it follows from the kind for take, token and timing), ``draws``,
        ``phase`` (timing while that is asked, else action), ``timing``, ``event``, ``zone`` as (cell, center) (from the card
        unless told), ``split`` (what has been chosen so far), ``green_drawn``, ``received``. A card that constructs covers its
        tile: say the building as it is now. A token to be placed is in hand, and the building named last is the new one.
        """
        self._asked = {"kind": kind, "actor": actor}
        self._pending = dict(pending)
        return self

    # --- how it becomes data

    def _kind(self) -> str:
        return self._asked["kind"] if self._asked else "commit"

    def _acting(self) -> int | None:
        """Whose action is under way."""
        if self._asked is None or self._kind() in ("commit", "lower", "event", "keep"):
            return None
        return int(self._pending.get("player", self._asked["actor"]))

    def _constructed(self) -> list[str]:
        """The card of the action under way if its tile is covered already."""
        player = self._acting()
        if player is None or self._pending.get("action") != "construct" or player not in self._commitments:
            return []
        return [self._commitments[player][0]]

    def _lower(self) -> list[str]:
        """All lower tiles, in the city or on cards."""
        on_cards = [on["lower"] for on in self._on_card.values() if on["lower"]]
        return [tile for tiles in self._lower_tiles.values() for tile in tiles] + on_cards

    def _held(self) -> list[str]:
        """Tiles that are not in a stack or the supply."""
        tiles = [b["tile"] for b in self._city] + [tile for tiles in self._tiles.values() for tile in tiles]
        return tiles + [tile for _, tile in self._commitments.values() if tile] + self._lower()

    def _removed_tiles(self) -> int:
        """Base tiles out of the game (R2.3, X); without modules rule tests may have them all."""
        few = 6 if self.sides <= 3 else 0
        return few + 3 * len({*self.modules} & {"new_buildings", "prestige", "green_spaces"}) if self.modules else 0

    def _lay_out_stacks(self, buried: Sequence[str]) -> Json:
        """The stacks; what is left over goes behind the last player's screen."""
        piles = {"new_buildings": NEW_BUILDINGS, "prestige": PRESTIGE, "green_spaces": [GREEN_SPACE] * GREEN_SPACES}
        found: Json = {}
        for module, tiles in piles.items():
            rest = list(tiles) if module in self.modules else []
            for tile in [*self._held(), *buried]:
                if tile in rest:
                    rest.remove(tile)
            stack = self._stacks.get(module)
            if stack is None:
                first = self._first_new if module == "new_buildings" else []
                stack = first + [tile for tile in rest if tile not in first]
            for tile in stack:
                rest.remove(tile)
            if rest:
                last = self.sides - 1
                self._tiles[last] = self._tiles.get(last, []) + rest
            found[module] = stack
        return found | {"green_spaces": len(found["green_spaces"])}

    def _choose_experts(self) -> None:
        """Experts for who was given none."""
        for seat in range(self.sides):
            if seat not in self._experts:
                given = {*self._events.get(seat, []), self._event_out(seat)} - {None}
                free = [name for name in EVENTS_OF if name not in self._experts.values()]
                self._experts[seat] = next((name for name in free if given <= {*EVENTS_OF[name]}), free[0])

    def _event_out(self, seat: int) -> str | None:
        """The event committed or being resolved."""
        event: str | None = self._pending.get("event") if seat == self._acting() else self._on_card.get(seat, {}).get("event")
        return event

    def _events_of(self, seat: int) -> tuple[list[str], list[str]]:
        """Events behind the screen, and played."""
        if "events" not in self.modules:
            return [], []
        mine = self._events.get(seat, [])
        out = {*mine, self._event_out(seat)} - {None}
        pool = EVENTS_OF[self._experts[seat]] if "experts" in self.modules else EVENTS
        played = [event for event in pool if event not in out][: max(0, 2 - len(out))]
        return sorted(mine, key=EVENTS.index), played

    def _more_of_player(self, seat: int) -> Json:
        events, played = self._events_of(seat)
        return {
            "expert": self._experts[seat] if "experts" in self.modules else None,
            "packet_experts": [],
            "events": events,
            "events_played": played,
            "kept": self._kept.get(seat),
            "lower_tiles": sorted(self._lower_tiles.get(seat, []), key=ALL_TILES.index),
            "known_events": self._known_events.get(seat, []),
        }

    def _pending_data(self, tokens: Json) -> Json | None:
        player = self._acting()
        if player is None:
            return None
        given, kind = self._pending, self._kind()
        pending = {"player": player, "action": given.get("action", _ACTION.get(kind)), "draws": given.get("draws", 0)}
        if not self.modules:
            return pending
        event = given.get("event")
        cell, center = given.get("zone") or self._zone(player, tokens)
        return pending | {
            "phase": given.get("phase", "timing" if kind == "timing" else "action"),
            "timing": given.get("timing"),
            "event": event,
            "zone": None if event is None else {"cell": list(cell), "center": center},
            "split": SPLIT | given.get("split", {}) if kind == "split" else None,
            "green_drawn": given.get("green_drawn", False),
            "received": given.get("received", 0),
        }

    def _zone(self, player: int, tokens: Json) -> tuple[Cell, bool]:
        """The zone of the committed card: about the token, or the new building on its cell, or with the building named (X4.3)."""
        if player not in self._commitments:
            return (0, 0), True
        card = self._commitments[player][0]
        if len(card) == 1:
            return tuple(tokens[card] or self._city[-1]["cell"]), False  # type: ignore[return-value]
        return next((tuple(b["cell"]) for b in self._city if b["tile"] == card), (0, 0)), True
