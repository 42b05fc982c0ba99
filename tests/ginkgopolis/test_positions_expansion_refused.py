"""Positions of The Experts that cannot be: the error names the place, or says which flaw their record has."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import ginkgo_env
from ginkgo_env.games.ginkgopolis.validity import Flaw

from ..rules.ginkgopolis.extras import MODULES, SPLIT
from ..rules.ginkgopolis.positions import Builder, game, table_from_seed

Json = dict[str, Any]
Edit = Callable[[Json], Any]
Make = Callable[[], Builder]
Case = tuple[Make, str | Flaw, *tuple[Edit, ...]]

TILE_LOST = "each tile must be in one place"

# --- positions as they can be -----------------------------------------------------------------------------------------------


def new(players: int = 2, **config: Any) -> Builder:
    return Builder(players, **{"modules": MODULES, **config})


def hands() -> Builder:
    """Seat 0, an architect, has tiles and events, and chooses."""
    builder = new().expert(0, "architect").events(0, "press", "expropriation").tiles(0, "R9", "B24", "Y21", "GS", "GS")
    return builder.building((0, 0), "R2", owner=0).hand(0, "R2", "A", "B", "C").hand(1, "D", "E", "F", "G").next_cards("H", "I")


def only(module: str) -> Make:
    """The same with one module, as far as it goes."""
    return lambda: new(modules=[module]).hand(0, "A", "B").hand(1, "D", "E")


def chosen() -> Builder:
    """Seat 0 has chosen all there is to choose, seat 1 is choosing."""
    builder = new().expert(0, "architect").hand(0, "B", "C").keeps(0, "D").hand(1, "E", "F", "G", "H")
    return builder.committed(0, "A", "R9", lower="GS", event="press").other(actor=1).next_cards("I", "J", "K")


def asked(kind: str, tile: str | None = None, lower: str | None = None, event: str | None = None) -> Make:
    """Seat 0 is asked something about a card that it has committed."""

    def make() -> Builder:
        builder = new().expert(0, "architect").events(0, *({"press", "expropriation"} - {event})).hand(0, "B", "C")
        return builder.committed(0, "A", tile, lower=lower, event=event).asked(kind)

    return make


def timing() -> Builder:
    """Seat 0 has shown its card and an event."""
    builder = new().building((0, 0), "R2", owner=1).committed(0, "R2", "R9").hand(0, "B").keeps(0, "C")
    return builder.committed(1, "A", "B9").asked("timing", event="expropriation")


def split(**pending: Any) -> Builder:
    """Seat 0 draws what an exploited card brought."""
    return new().committed(0, "R2").asked("split", **{"action": "exploit", "draws": 4, "split": {"red": 1}, **pending})


def paying(**pending: Any) -> Builder:
    """The first one pays for a quality control before the action."""
    builder = new(3).expert(0, "professor").building((0, 0), "R2", owner=1).player(1, points=3).committed(0, "R2")
    return builder.asked("pay", 1, player=0, event="control", phase="before", timing="before", **pending)


def designing(**pending: Any) -> Builder:
    """A design competition after an exploited urbanization card."""
    after: Json = {"action": "exploit", "phase": "after", "timing": "after", "event": "design", "zone": ((0, -1), False)}
    return new().expert(0, "artist").discard("A").asked("split", **{"draws": 5, **after, **pending})


def placing() -> Builder:
    """The token of a building on two tiles is to be placed."""
    builder = new().expert(0, "architect").building((0, -1), "B9", floors=2, owner=0, pawn=True).lower_tiles(0, "Y25")
    return builder.committed(0, "A").token("A", (9, 9)).asked("token", timing="after", event="press")


def returning(**pending: Any) -> Builder:
    """Tiles are returned in the middle of an exploited card's draw."""
    builder = new().tiles(0, "GS", "B24").supply().other(exhaustions=1).committed(0, "R2")
    return builder.asked("return", **{"action": "exploit", "draws": 1, **pending})


GOOD = {
    *((make.__name__, make) for make in (hands, chosen, timing, split, paying, designing, placing, returning)),
    *((f"asked {kind}", asked(kind, "R9")) for kind in ("lower", "event", "keep")),
    *((module, only(module)) for module in MODULES),
}

# --- edits ------------------------------------------------------------------------------------------------------------------


def find(position: Json, path: str) -> tuple[Any, Any]:
    """What holds a place such as ``players.0.kept``, and its key there."""
    home: Any = position
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    for step in way:
        home = home[step]
    return home, last


def put(path: str, value: Any) -> Edit:
    def edit(position: Json) -> None:
        home, key = find(position, path)
        home[key] = value

    return edit


def lose(path: str) -> Edit:
    """Without a key."""

    def edit(position: Json) -> None:
        home, key = find(position, path)
        del home[key]

    return edit


def add(path: str, *values: Any) -> Edit:
    def edit(position: Json) -> None:
        home, key = find(position, path)
        home[key] = [*home[key], *values]

    return edit


def move(name: str, source: str, target: str) -> Edit:
    """A tile or card from one list to another."""

    def edit(position: Json) -> None:
        home, key = find(position, source)
        home[key].remove(name)
        add(target, name)(position)

    return edit


def east(n: int) -> Edit:
    """The whole city elsewhere."""

    def edit(position: Json) -> None:
        for cell in [building["cell"] for building in position["city"]] + list(position["tokens"].values()):
            cell[0] += n

    return edit


ON_CARD: Json = {"card": "A", "tile": None, "lower": None, "event": None}

# --- refused: a good position, the place that the error names or the flaw, and what is changed --------------------------------

CONFIGURATION: dict[str, Case] = {
    "no modules, but the key": (hands, "config.modules", put("config.modules", [])),
    "modules as text": (hands, "config.modules", put("config.modules", "events")),
    "an unknown module": (hands, "config.modules: expected a list of 6, got 1", put("config.modules", ["traffic"])),
    "a module twice": (hands, "config.modules: expected a list of 6, got 2", put("config.modules", ["events", "events"])),
    "hands of six": (hands, "config.hand_size: expected 4, got 6", put("config.hand_size", 6)),
    "hands of five without keep_card": (only("events"), "config.hand_size: expected 4, got 5", put("config.hand_size", 5)),
    "no hand size": (hands, "config", lose("config.hand_size")),
    "a hand size without modules": (lambda: Builder(2), "config", put("config.hand_size", 4)),
    "no stack": (hands, "the whole", lose("green_spaces")),
    "a stack without modules": (lambda: Builder(2), "the whole", put("green_spaces", 0)),
    "no kept card": (hands, "players[0]", lose("players.0.kept")),
    "a kept card without modules": (lambda: Builder(2), "players[0]", put("players.0.kept", None)),
    "no event on a card": (chosen, "players[0].commitment", lose("players.0.commitment.event")),
    "no phase": (timing, "pending", lose("pending.phase")),
    "events without their module": (only("experts"), Flaw.CHOICE, put("decision.kind", "event")),
    "a second tile without experts": (only("events"), Flaw.CHOICE, put("decision.kind", "lower")),
    "a kept card without its module": (only("events"), Flaw.CHOICE, put("decision.kind", "keep")),
    "a split without stacks": (only("keep_card"), Flaw.ROUND, put("decision.kind", "split")),
    "a choice of events with experts": (hands, Flaw.ROUND, put("decision.kind", "events")),
}

TILES: dict[str, Case] = {
    "a tile of another module": (only("events"), TILE_LOST, put("players.0.tiles", ["R21"])),
    "a green space without its module": (only("events"), TILE_LOST, put("green_spaces", 1)),
    "a green space lost": (hands, TILE_LOST, put("green_spaces", 6)),
    "a green space too many": (hands, TILE_LOST, put("players.0.tiles", ["R9", "B24", "Y21", "GS", "GS", "GS"])),
    "more green spaces than there are": (hands, "green_spaces", put("green_spaces", 10)),
    "a prestige tile in two places": (hands, TILE_LOST, add("players.1.tiles", "R25")),
    "a new building lost": (hands, TILE_LOST, put("new_buildings", ["R21"])),
    "a prestige tile in the other stack": (hands, "new_buildings", move("B25", "prestige", "new_buildings")),
    "a new building in the other stack": (hands, "prestige", move("R21", "new_buildings", "prestige")),
    "a base tile twice": (hands, "players[0].tiles", put("players.0.tiles", ["R9", "R9"])),
    "value II in the supply": (hands, "supply", move("R21", "new_buildings", "supply")),
    "value III out of the game": (hands, "removed", move("R24", "prestige", "removed")),
    "a green space in the returned supply": (hands, "returned", put("returned", ["GS"])),
    "known green spaces that are not there": (hands, Flaw.KNOWN, put("players.0.known_tiles", ["GS"] * 3)),
    "a prestige building covered": (hands, "buried", move("R24", "prestige", "buried")),
    "a green space covered": (hands, "buried", put("buried", ["GS"])),
    "a pawn on a prestige building": (lambda: hands().building((3, 0), "B25", owner=0, pawn=True), Flaw.CITY),
    "a pawn on a green space": (lambda: hands().building((3, 0), "GS", owner=0, pawn=True), Flaw.CITY),
    "a green space of nobody": (lambda: hands().building((3, 0), "GS"), Flaw.CITY),
    "a lower tile without a floor": (hands, Flaw.TILES, move("Y4", "supply", "players.0.lower_tiles")),
    "a city near the edge of the map": (hands, Flaw.CITY, east(46)),
}

CARDS: dict[str, Case] = {
    "the card of a prestige building": (hands, "players[1].hand", add("players.1.hand", "R24")),
    "the card of a green space": (hands, "deck", add("deck", "GS")),
    "the card of a tile behind a screen": (hands, Flaw.CARDS, add("deck", "Y21")),
    "five cards in a hand of four": (hands, Flaw.HAND, move("H", "deck", "players.1.hand")),
    "six cards in a hand of five": (lambda: new(hand_size=5).hand(0, *"ABCDEF"), Flaw.HAND),
    "a kept card without the module": (lambda: only("events")().keeps(0, "F"), Flaw.SEAT),
    "no card kept": (chosen, Flaw.HAND, put("players.0.kept", None), add("players.0.hand", "D")),
    "a card kept before the choice": (
        chosen,
        Flaw.HAND,
        put("players.1.kept", "E"),
        put("players.1.hand", ["F", "G", "H"]),
    ),
    "a card kept by who committed none": (lambda: new().keeps(0, "B").hand(1, "A").other(actor=1), Flaw.HAND),
    "too many with the kept one": (chosen, Flaw.HAND, move("I", "deck", "players.0.hand")),
    "too many after the choice": (
        lambda: split().hand(1, "E", "F", "G").keeps(1, "H").asked("split", 1, action="exploit", draws=1).committed(1, "A"),
        Flaw.HAND,
    ),
    "passed cards that are not with the neighbor": (chosen, Flaw.KNOWN, put("players.1.passed", ["E"])),
}

EXPERTS_AND_EVENTS: dict[str, Case] = {
    "no expert": (hands, Flaw.CHARACTERS, put("players.1.expert", None)),
    "one expert twice": (hands, "there are too many experts", put("players.1.expert", "architect")),
    "an expert without the module": (only("events"), Flaw.CHARACTERS, put("players.1.expert", "mayor")),
    "an unknown expert": (hands, "players[1].expert", put("players.1.expert", "gardener")),
    "a packet after the draft": (hands, Flaw.CHARACTERS, put("players.0.packet_experts", ["mayor"])),
    "events without the module": (only("experts"), Flaw.EVENTS, put("players.0.events", ["press"])),
    "three events": (lambda: only("events")().events(0, "press", "control", "design"), Flaw.EVENTS),
    "one event": (hands, Flaw.EVENTS, put("players.0.events", ["press"])),
    "an event behind the screen and played": (hands, Flaw.EVENTS, put("players.0.events_played", ["press"])),
    "an event committed and played": (chosen, Flaw.EVENTS, put("players.0.events_played", ["press", "expropriation"])),
    "events of another expert": (hands, Flaw.EVENTS, put("players.0.events", ["design", "control"])),
    "an unknown event": (hands, "players[0].events", put("players.0.events", ["party"])),
}

CHOICES: dict[str, Case] = {
    "a green space with a building card": (
        lambda: new().hand(1, "D").committed(0, "R2", "GS").other(actor=1),
        Flaw.COMMITMENT,
    ),
    "a second tile without a first": (
        chosen,
        Flaw.COMMITMENT,
        put("players.0.commitment.tile", None),
        add("players.0.tiles", "R9"),
    ),
    "a second tile of who is no architect": (
        lambda: new().expert(0, "mayor").hand(1, "D").committed(0, "A", "R9", lower="R8").other(actor=1),
        Flaw.COMMITMENT,
    ),
    "an expropriation with a letter": (
        lambda: new().hand(1, "D").committed(0, "A", event="expropriation").other(actor=1),
        Flaw.COMMITMENT,
    ),
    "a second tile asked of who is no architect": (
        lambda: new().expert(0, "mayor").committed(0, "A", "R9").asked("lower"),
        Flaw.CHOICE,
    ),
    "a second tile without a first one": (asked("lower"), Flaw.CHOICE),
    "a second tile asked twice": (asked("lower", "R9", "R8"), Flaw.CHOICE),
    "a second tile after the event": (asked("lower", "R9", event="press"), Flaw.CHOICE),
    "an event asked twice": (asked("event", event="press"), Flaw.CHOICE),
    "an event of who has none": (lambda: new().committed(0, "A").asked("event"), Flaw.CHOICE),
    "a card to keep out of none": (lambda: new().committed(0, "A").asked("keep"), Flaw.ACTION),
    "a card to keep before one is committed": (lambda: new().hand(0, "A", "B").asked("keep"), Flaw.CHOICE),
    "a card to keep twice": (lambda: asked("keep")().keeps(0, "D"), Flaw.HAND),
    "a choice with an action under way": (asked("keep"), Flaw.ROUND, lambda p: p.update(pending=timing().position()["pending"])),
}

TURNS: dict[str, Case] = {
    "a tile on the card of an action": (lambda: split().committed(0, "R2", "R9"), Flaw.TURN),
    "an event shown and still on the card": (
        timing,
        "players[0].commitment.event",
        put("players.0.commitment.event", "expropriation"),
    ),
    "a phase of another decision": (timing, Flaw.TURN, put("pending.phase", "before")),
    "an unknown phase": (timing, "pending.phase", put("pending.phase", "during")),
    "a timing asked in the action": (timing, Flaw.TURN, put("pending.phase", "action"), put("pending.action", "exploit")),
    "a timing before it is chosen": (timing, Flaw.TURN, put("pending.timing", "after")),
    "a timing of the other phase": (paying, Flaw.TURN, put("pending.timing", "after")),
    "an unknown timing": (paying, "pending.timing", put("pending.timing", "later")),
    "an action before R5.7 was tested": (timing, Flaw.TURN, put("pending.action", "construct")),
    "no action after R5.7 was tested": (split, "pending.action", put("pending.action", None)),
    "an action that its card cannot be": (split, Flaw.TURN, put("pending.action", "urbanize")),
    "no event to choose a timing for": (
        timing,
        Flaw.TURN,
        put("pending.event", None),
        put("pending.zone", None),
        add("players.0.events_played", "expropriation"),
    ),
    "an event without a timing": (lambda: split(event="press"), Flaw.TURN),
    "an event on after it was before": (lambda: split(event="press", timing="before"), Flaw.TURN),
    "no event that is to come": (lambda: split(timing="after"), Flaw.TURN),
    "a card out that was put away": (
        designing,
        Flaw.TURN,
        move("A", "discard", "returned"),
        put("returned", []),
        put("players.0.commitment", ON_CARD),
    ),
    "a card put away that is out": (split, Flaw.TURN, put("players.0.commitment", None), add("deck", "R2")),
    "an event without a zone": (timing, Flaw.ZONE, put("pending.zone", None)),
    "a zone without an event": (split, "pending.zone", put("pending.zone", {"cell": [0, 0], "center": True})),
    "a zone about an empty cell": (timing, Flaw.ZONE, put("pending.zone.cell", [7, 7])),
    "a building's zone without its cell": (timing, Flaw.ZONE, put("pending.zone.center", False)),
    "a timing of another player": (timing, Flaw.ROUND, put("decision.actor", 1)),
    "a split of another player": (split, Flaw.ROUND, put("decision.actor", 1)),
    "who plays a quality control pays": (paying, Flaw.ROUND, put("decision.actor", 0)),
}

DRAWS: dict[str, Case] = {
    "a split that is not asked": (paying, "pending.split", put("pending.split", SPLIT)),
    "no split where it is asked": (split, "pending.split", put("pending.split", None)),
    "a split of something else": (split, "pending.split", put("pending.split.orange", 1)),
    "a split of more than the stack": (lambda: split().prestige("R25"), Flaw.DRAWS, put("pending.split.red", 2)),
    "two green spaces": (split, Flaw.DRAWS, put("pending.split.green_space", 2)),
    "a second green space in one turn": (lambda: designing(green_drawn=True, split={"green_space": 1}), Flaw.DRAWS),
    "a split without rights": (split, Flaw.DRAWS, put("pending.draws", 0)),
    "a split after the second exhaustion": (lambda: split().supply().other(exhaustions=2, ending="tiles"), Flaw.DRAWS),
    "draws while somebody pays": (paying, Flaw.DRAWS, put("pending.draws", 1)),
    "draws while a timing is chosen": (timing, Flaw.DRAWS, put("pending.draws", 1)),
    "something received in another decision": (split, Flaw.DRAWS, put("pending.received", 1)),
    "more than six received": (paying, "pending.received", put("pending.received", 7)),
}


REFUSED = CONFIGURATION | TILES | CARDS | EXPERTS_AND_EVENTS | CHOICES | TURNS | DRAWS


def says(where: str | Flaw) -> str:
    """How the error begins: with the place, or with all that it says of a flaw."""
    return f"position: {where.sentence if isinstance(where, Flaw) else where}"


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused(name: str) -> None:
    make, where, *edits = REFUSED[name]
    builder = make()
    position = builder.position()
    for edit in edits:
        edit(position)
    with pytest.raises(ginkgo_env.PositionError) as error:
        game(**builder.config).from_position(position)
    assert str(error.value) == says(where) or str(error.value).startswith(f"{says(where)}: ")


@pytest.mark.parametrize(("name", "make"), sorted(GOOD, key=str))
def test_what_those_were_made_from_is_accepted(name: str, make: Make) -> None:
    assert make().start().legal, name


def test_a_draft_that_cannot_be() -> None:
    """Packets of six, two experts for each player, three characters and one expert to keep (X6)."""
    table = table_from_seed(2, players=3, modules=("experts", "events"))
    while table.decision != ("draft", 1):
        table.play(max(table.legal))
    assert table.player(0)["expert"]
    cases: list[tuple[Edit, str | Flaw]] = [
        (put("players.0.expert", None), Flaw.CHARACTERS),
        (put("players.1.packet_experts", []), Flaw.CHARACTERS),
        (put("players.1.packet", []), Flaw.DRAFT),
        (put("decision.actor", 2), Flaw.DRAFT),
        (put("players.0.events", ["press"]), Flaw.EVENTS),
        (put("green_spaces", 1), TILE_LOST),
        (put("round", 1), Flaw.ROUND),
    ]
    for edit, where in cases:
        position = table.position
        edit(position)
        with pytest.raises(ginkgo_env.PositionError, match=f"^{re.escape(says(where))}(: |$)"):
            table.game.from_position(position)


def test_a_choice_of_events_that_cannot_be() -> None:
    """A player who has not chosen yet has one of each kind, the others have two, and nobody has cards (X4.1)."""
    table = table_from_seed(2, players=3, modules=("events", "new_buildings"), setup="introductory").play("events:press+control")
    cases: list[tuple[Edit, str | Flaw]] = [
        (put("players.1.events", ["press", "control"]), Flaw.EVENTS),
        (put("players.0.events", ["design", "press", "control"]), Flaw.EVENTS),
        (put("players.0.events_played", ["design"]), Flaw.EVENTS),
        (put("decision.actor", 0), Flaw.EVENTS),
        (put("first_player", 1), Flaw.ROUND),
        (lambda p: p["players"][0]["hand"].append(p["deck"].pop()), Flaw.HAND),
    ]
    for edit, where in cases:
        position = table.position
        edit(position)
        with pytest.raises(ginkgo_env.PositionError, match=f"^{re.escape(says(where))}(: |$)"):
            table.game.from_position(position)
