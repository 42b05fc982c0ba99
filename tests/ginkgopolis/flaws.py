"""What cannot be in Ginkgopolis: the table of flaws (``tests/contract/flaws.py``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ginkgo_env.games.ginkgopolis.constants import Action, Ending, EventTile, Phase, Stage
from ginkgo_env.games.ginkgopolis.notation import members
from ginkgo_env.games.ginkgopolis.validity import Flaw

from ..contract.flaws import Edit, Json, Says, add, lose, more, mover, put, reverse, to
from ..contract.hidden import flip
from ..rules.ginkgopolis.extras import ALL_NAMES, MODULES, SPLIT
from ..rules.ginkgopolis.positions import Builder, Table, solo, table_from_seed

TILE_LOST = "each tile must be in one place"
move = mover(ALL_NAMES)

# --- valid positions: something of everything, and moments that random play seldom meets -------------------------------------


def new(players: int = 2, **config: Any) -> Builder:
    return Builder(players, **{"modules": MODULES, **config})


def two_hands() -> Builder:
    return Builder(2).hand(0, "A", "B", "C", "D").hand(1, "E", "F", "G", "H")


def hands() -> Builder:
    """Seat 0, an architect, has tiles and events, and chooses."""
    builder = new().expert(0, "architect").events(0, "press", "expropriation").tiles(0, "R9", "B24", "Y21", "GS", "GS")
    return builder.building((0, 0), "R2", owner=0).hand(0, "R2", "A", "B", "C").hand(1, "D", "E", "F", "G").next_cards("H", "I")


def only(module: str) -> Builder:
    """The same with one module, as far as it goes."""
    return new(modules=[module]).hand(0, "A", "B").hand(1, "D", "E")


def chosen() -> Builder:
    """Seat 0 has chosen all there is to choose, seat 1 is choosing."""
    builder = new().expert(0, "architect").hand(0, "B", "C").keeps(0, "D").hand(1, "E", "F", "G", "H")
    return builder.committed(0, "A", "R9", lower="GS", event="press").other(actor=1).next_cards("I", "J", "K")


def asked(kind: str, tile: str | None = None, lower: str | None = None, event: str | None = None) -> Builder:
    """Seat 0 is asked something about a card that it has committed."""
    builder = new().expert(0, "architect").events(0, *({"press", "expropriation"} - {event})).hand(0, "B", "C")
    return builder.committed(0, "A", tile, lower=lower, event=event).asked(kind)


def timing() -> Builder:
    """Seat 0 has shown its card and an event."""
    builder = new().building((0, 0), "R2", owner=1).committed(0, "R2", "R9").hand(0, "B").keeps(0, "C")
    return builder.committed(1, "A", "B9").asked("timing", event="expropriation")


def split(**pending: Any) -> Builder:
    """Seat 0 draws what an exploited card brought."""
    return new().committed(0, "R2").asked("split", **{"action": "exploit", "draws": 4, "split": {"red": 1}, **pending})


def constructing(**pending: Any) -> Builder:
    """Seat 0 has built on R2, seat 1 has not acted yet."""
    builder = new().building((0, 0), "B12", floors=2, owner=0, pawn=True).committed(0, "R2").committed(1, "C", "B5")
    return builder.asked("split", 0, **{"action": "construct", "draws": 4, **pending})


def paying(seat: int = 1, phase: str = "before", **pending: Any) -> Builder:
    """Others pay for a quality control."""
    builder = new(3).expert(0, "professor").building((0, 0), "R2", owner=1).building((1, 0), "Y1", owner=2)
    builder.player(1, points=3).player(2, points=3)
    builder = builder.committed(0, "R2", "B12") if phase == "before" else builder.discard("R2")
    return builder.asked("pay", seat, player=0, event="control", phase=phase, timing=phase, **pending)


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


def taking(player: int) -> Json:
    """Seat 0, or then seat 1, takes something for an urbanization card, in a game without modules."""
    builder = Builder(2).hand(0, "B", "C", "D").hand(1, "F", "G", "H").committed(1, "E")
    builder = builder.committed(0, "A") if player == 0 else builder.discard("A")
    return builder.asked("take", player).position()


def drafting() -> Json:
    """The second player picks, the first one has an expert."""
    table = table_from_seed(2, players=3, modules=("experts", "events"))
    while table.decision != ("draft", 1):
        table.play(max(table.legal))
    assert table.player(0)["expert"]
    return table.position


def last_picks() -> Json:
    """X6.1: seats 2 and 3 take an expert each out of the packet that is the last one for seat 0, which has three characters."""
    table: Table = table_from_seed(1, players=4, modules=("experts",))
    for pick in range(3):
        for seat in range(4):
            experts = {f"draft:{name}" for name in table.player(seat)["packet_experts"]} & table.legal
            table.play(min(experts if pick > 0 and pick == seat - 1 else table.legal - experts))
    assert table.decision == ("draft", 1) and table.player(0)["expert"] is None
    return table.position


BASES: dict[str, Callable[[], Json]] = {
    "two hands": lambda: two_hands().position(),
    **{make.__name__: lambda make=make: make().position()  # type: ignore[misc]
       for make in (hands, chosen, timing, split, constructing, paying, designing, placing, returning)},
    **{module: lambda module=module: only(module).position() for module in MODULES},  # type: ignore[misc]
    "a skipped player": lambda: two_hands().hand(0).other(actor=1).position(),  # R3.6
    "passed cards": lambda: two_hands().passed(0, "E", "F").position(),
    "take": lambda: taking(0),
    "second take": lambda: taking(1),
    "draft": lambda: table_from_seed(2, players=2).position,
    "expert draft": drafting,
    "last picks": last_picks,
    "events to choose": lambda: table_from_seed(
        2, players=3, modules=("events", "new_buildings"), setup="introductory").play("events:press+control").position,
    "lower": lambda: new().expert(0, "architect").tiles(0, "GS", "GS", "B24").committed(0, "R2", "Y9").asked("lower").position(),
    "event": lambda: asked("event", "R9").position(),
    "keep": lambda: asked("keep", "R9").position(),
    "kept": lambda: new().hand(0, "B").committed(0, "A").keeps(0, "C").hand(1, "D").other(actor=1).position(),
    "timing of a token": lambda: new().committed(0, "A", "GS").asked("timing", event="press").position(),
    "split after the event": lambda: constructing(timing="before", green_drawn=True).events(0, "press").position(),
    "split before the event": lambda: constructing(
        timing="after", event="design", zone=((0, 0), True), split={"new_building": 1}, draws=1).position(),
    "split of the event before": lambda: new().committed(0, "R2", "B12").asked(
        "split", phase="before", timing="before", event="design", draws=2).position(),
    "split of the event of who has urbanized": lambda: new().building((0, -1), "R9", owner=0, pawn=True).token("A", (0, -2))
        .discard("A").asked("split", 0, action="urbanize", phase="after", timing="after", event="design", zone=((0, -1), False),
                            draws=2, green_drawn=True).position(),
    "return in the event": lambda: new().tiles(0, "GS", "GS", "Y9").supply().other(exhaustions=1).committed(0, "A", "B12").asked(
        "return", phase="before", timing="before", event="design", draws=1).position(),
    "return after the card": lambda: new().tiles(1, "B24").supply().other(exhaustions=1).discard("R2").asked(
        "return", 1, player=0, action="exploit", phase="after", timing="after", event="design", zone=((0, 0), True),
        green_drawn=True).position(),
    "pay after": lambda: paying(phase="after", action="exploit", zone=((0, 0), True), green_drawn=True).position(),
    "second to pay": lambda: paying(2, received=1).position(),
    "take after the event": lambda: new().expert(0, "artist").events(0, "press").committed(0, "A").asked(
        "take", timing="before", green_drawn=True).position(),
    "token": lambda: new().expert(0, "architect").green_space((0, -1), 0, tiles=2).lower_tiles(0, "Y25").committed(0, "A")
        .token("A", (9, 9)).asked("token", timing="after", event="press").position(),
    "alone": lambda: solo().hand(0, "Y1", "R2", "A").william("L").tiles(0, "Y4").discard("C", "D").position(),
    **{f"split of {module}": lambda module=module: new(modules=[module]).committed(0, "R2").asked(  # type: ignore[misc]
        "split", action="exploit", draws=4).position() for module in MODULES[:3]},
    "over": lambda: solo().hand(0, "B1", "R2").william("L").discard("C").supply("R20").start().play("B1").position,
    "many points": lambda: Builder(2).hand(0, "A").player(0, points=1500).position(),
}  # fmt: skip

# --- positions that are refused ------------------------------------------------------------------------------------------------


def city_to(dx: int) -> Edit:
    """The whole city elsewhere."""

    def edit(position: Json) -> None:
        for cell in [building["cell"] for building in position["city"]] + list(position["tokens"].values()):
            cell[0] += dx

    return edit


def long_city() -> Json:
    """At x = 91..99 with 51 tiles left: it could reach x = 128, which cells of 8-bit numbers do not have."""
    tiles = [f"{color}{number}" for number in range(1, 21) for color in "RY"]
    builder = Builder(2).empty_city().characters(0, "RE", "YE", "RC").characters(1, "RE", "YE", "RC")
    for x, tile in enumerate(tiles[:9]):
        builder.building((91 + x, 0), tile)
    return builder.token("A", (100, 0)).hand(0, "A", "B", "C", "D").hand(1, "E", "F", "G", "H").position()


def one_building() -> Json:
    """R6.3: four cells at the edge for twelve tokens."""
    position = two_hands().position()
    position["supply"] += [building["tile"] for building in position["city"][1:]]
    position["deck"] = [card for card in position["deck"] if card not in [b["tile"] for b in position["city"][1:]]]
    position["city"] = position["city"][:1]
    for i, letter in enumerate("ABCDEFGHIJKL"):
        position["tokens"][letter] = [[0, -1], [1, 0], [0, 1], [-1, 0]][i % 4]
    return position


def to_removed(position: Json) -> None:
    move("supply", "removed", *position["supply"])(position)


def uncommitted(position: Json) -> None:
    """The cards of seat 0 are all in hand, though it has chosen."""
    put("decision.actor", 1)(position)


def nothing_to_take(position: Json) -> None:
    to_removed(position)
    player = position["players"][0]
    position |= {"exhaustions": 2, "ending": "tiles"}
    player["resources"], player["supply"] = player["resources"] + player["supply"], 0


def fourth_character(position: Json) -> None:
    """R2.7: three characters are kept of four."""
    for player in position["players"]:
        player["characters"], player["packet"] = player["packet"][:3], player["packet"][3:]


def experts_in_one_packet(position: Json) -> None:
    """X6.1: two of the six cards of each packet are experts."""
    one, other = position["players"][1:]
    while other["packet_experts"]:
        one["packet_experts"].append(other["packet_experts"].pop())
        other["packet"].append(one["packet"].pop())


FREE_CARD: Json = {"card": "A", "tile": None, "lower": None, "event": None}
Base = str | Callable[[], Json]

POSITIONS: list[tuple[Base, Says, *tuple[Edit, ...]]] = [
    # --- form: what the table of forms does not derive
    ("two hands", "players[0].hand[0]: expected 'A', got 'D'", reverse("players.0.hand")),
    ("two hands", "city[0].cell: expected [x, y], got 3", put("city.0.cell", 3)),
    ("two hands", "city[0].cell: expected a whole number from -127 to 127", put("city.0.cell", [0, 128])),
    ("two hands", "tokens.A: expected [x, y]", put("tokens.A", [1])),
    ("two hands", "players[0]: unknown 'kept'", put("players.0.kept", None)),
    ("two hands", "the whole: unknown 'green_spaces'", put("green_spaces", 0)),
    ("hands", "config.modules: expected a list of 6, got 2", put("config.modules", ["events", "events"])),
    ("hands", "config.modules[0]: expected", reverse("config.modules")),
    ("split", "pending.action: expected", put("pending.action", None)),
    ("split", "pending.zone: expected None, got dict", put("pending.zone", {"cell": [0, 0], "center": True})),
    ("split", "pending.split: expected an object", put("pending.split", None)),
    ("split", "pending.split: unknown 'orange'", put("pending.split.orange", 1)),
    ("paying", "pending.split: expected None, got dict", put("pending.split", SPLIT)),
    ("paying", "pending.received: expected a whole number from 0 to 6, got 7", put("pending.received", 7)),
    ("timing", "pending.zone: expected an object, got 1", put("pending.zone", 1)),
    ("timing", "pending.zone.cell: expected [x, y]", put("pending.zone.cell", None)),
    ("timing", "players[0].commitment.event: expected None", put("players.0.commitment.event", "expropriation")),
    ("keep", Flaw.ROUND, lambda p: p.update(pending=timing().position()["pending"])),
    # --- tiles, where declarations have bounds of their own
    ("hands", TILE_LOST, put("players.0.tiles", ["R9", "B24", "Y21", "GS", "GS", "GS"])),
    ("hands", TILE_LOST, put("green_spaces", 6)),
    ("events", TILE_LOST, put("green_spaces", 1)),
    ("events", TILE_LOST, put("players.0.tiles", ["R21"])),
    ("hands", "new_buildings: expected", move("prestige", "new_buildings", "B25")),
    ("hands", "prestige: expected", move("new_buildings", "prestige", "R21")),
    ("hands", "supply: expected", move("new_buildings", "supply", "R21")),
    ("hands", "removed: expected", move("prestige", "removed", "R24")),
    ("hands", "returned: expected", put("returned", ["GS"])),
    ("hands", "buried: expected", move("prestige", "buried", "R24")),
    ("hands", "players[1].hand: unexpected 'R24'", add("players.1.hand", "R24")),
    ("hands", "there are too many experts", put("players.1.expert", "architect")),
    ("hands", Flaw.TILES, move("supply", "players.0.lower_tiles", "Y4")),
    ("hands", Flaw.TILES, lambda p: put("returned", p["removed"][:3])(p)),
    # --- the city
    ("hands", Flaw.CITY, city_to(46)),
    (long_city, Flaw.CITY),
    (one_building, Flaw.TOKENS),
    (lambda: hands().building((3, 0), "B25", owner=0, pawn=True).position(), Flaw.CITY),
    (lambda: hands().building((3, 0), "GS", owner=0, pawn=True).position(), Flaw.CITY),
    (lambda: hands().building((3, 0), "GS").position(), Flaw.CITY),
    ("two hands", Flaw.CITY, lambda p: put("city.1.cell", p["city"][0]["cell"])(p)),
    ("two hands", Flaw.CITY, put("city.2.cell", [9, 9])),
    ("two hands", Flaw.TOKENS, put("tokens.A", None)),
    ("two hands", Flaw.TOKENS, put("tokens.A", [0, 0])),
    ("two hands", Flaw.TOKENS, lambda p: put("tokens.A", p["tokens"]["B"])(p)),
    ("two hands", Flaw.TOKENS, put("tokens.A", [5, 5])),
    ("placing", Flaw.TOKENS, put("tokens.A", [-1, -1])),
    # --- cards
    ("hands", Flaw.CARDS, add("deck", "Y21")),
    ("hands", "there are too many cards", add("deck", "A")),
    ("hands", Flaw.CARDS, lose("deck.0")),
    ("split", Flaw.CARDS, put("city.0.pawn", True)),
    ("hands", Flaw.HAND, move("deck", "players.1.hand", "H")),
    (lambda: new(hand_size=5).hand(0, *"ABCDEF").position(), Flaw.HAND),
    (lambda: only("events").keeps(0, "F").position(), Flaw.SEAT),
    ("chosen", Flaw.HAND, put("players.0.kept", None), add("players.0.hand", "D")),
    ("chosen", Flaw.HAND, put("players.1.kept", "E"), put("players.1.hand", ["F", "G", "H"])),
    (lambda: new().keeps(0, "B").hand(1, "A").other(actor=1).position(), Flaw.HAND),
    ("chosen", Flaw.HAND, move("deck", "players.0.hand", "I")),
    (lambda: split().hand(1, "E", "F", "G").keeps(1, "H").asked("split", action="exploit", draws=1).committed(1, "A")
        .position(), Flaw.HAND),
    ("two hands", Flaw.HAND, uncommitted),  # he would pass four cards on (R3.5)
    ("second take", Flaw.HAND, put("players.0.commitment", {"card": "A", "tile": None}), put("discard", [])),
    ("second take", Flaw.HAND, move("discard", "players.0.hand", "A")),
    ("take", Flaw.HAND, put("players.1.commitment", None), put("players.1.hand", ["E", "F", "G", "H"])),
    ("expert draft", Flaw.HAND, lambda p: p["players"][0]["hand"].append(p["deck"].pop())),
    ("draft", Flaw.HAND, lambda p: move("deck", "players.0.tableau", next(card for card in p["deck"] if len(card) > 1))(p)),
    # --- what is known
    ("hands", Flaw.KNOWN, put("players.0.known_tiles", ["GS"] * 3)),
    ("hands", Flaw.KNOWN, put("players.0.known_tiles", ["R10"])),
    ("chosen", Flaw.KNOWN, put("players.1.passed", ["E"])),
    ("take", Flaw.KNOWN, put("players.1.passed", ["A", "B"])),  # A has been revealed (R10.3)
    ("hands", Flaw.KNOWN, put("players.0.known_events", ["control"])),
    # --- characters, experts and events
    ("two hands", Flaw.CHARACTERS, lose("players.0.characters.0")),
    ("hands", Flaw.CHARACTERS, put("players.1.expert", None)),
    ("events", Flaw.CHARACTERS, put("players.1.expert", "mayor")),
    ("hands", Flaw.CHARACTERS, put("players.0.packet_experts", ["mayor"])),
    ("two hands", Flaw.CHARACTERS, put("players.0.packet", ["RE"])),
    ("experts", Flaw.EVENTS, put("players.0.events", ["press"])),
    (lambda: only("events").events(0, "press", "control", "design").position(), Flaw.EVENTS),
    ("hands", Flaw.EVENTS, put("players.0.events", ["press"])),
    ("hands", Flaw.EVENTS, put("players.0.events_played", ["press"])),
    ("chosen", Flaw.EVENTS, put("players.0.events_played", ["press", "expropriation"])),
    ("hands", Flaw.EVENTS, put("players.0.events", ["design", "control"])),
    # --- points and resources
    ("many points", Flaw.POINTS, put("players.0.points", 1501)),  # else play could lead to positions that are refused
    ("two hands", Flaw.RESOURCES, put("players.0.resources", 6)),
    # --- what has been committed, and what is asked about it
    (lambda: new().hand(1, "D").committed(0, "R2", "GS").other(actor=1).position(), Flaw.COMMITMENT),
    ("chosen", Flaw.COMMITMENT, put("players.0.commitment.tile", None), add("players.0.tiles", "R9")),
    (lambda: new().expert(0, "mayor").hand(1, "D").committed(0, "A", "R9", lower="R8").other(actor=1).position(),
     Flaw.COMMITMENT),
    (lambda: new().hand(1, "D").committed(0, "A", event="expropriation").other(actor=1).position(), Flaw.COMMITMENT),
    (lambda: new().expert(0, "mayor").committed(0, "A", "R9").asked("lower").position(), Flaw.CHOICE),
    (lambda: asked("lower").position(), Flaw.CHOICE),
    (lambda: asked("lower", "R9", "R8").position(), Flaw.CHOICE),
    (lambda: asked("lower", "R9", event="press").position(), Flaw.CHOICE),
    (lambda: asked("event", event="press").position(), Flaw.CHOICE),
    (lambda: new().committed(0, "A").asked("event").position(), Flaw.CHOICE),
    (lambda: new().hand(0, "A", "B").asked("keep").position(), Flaw.CHOICE),
    ("events", Flaw.CHOICE, put("decision.kind", "lower")),
    ("events", Flaw.CHOICE, put("decision.kind", "keep")),
    ("experts", Flaw.CHOICE, put("decision.kind", "event")),
    (lambda: new().committed(0, "A").asked("keep").position(), Flaw.ACTION),
    ("two hands", Flaw.ACTION, move("players.0.hand", "discard", "A", "B", "C", "D")),
    ("take", Flaw.ACTION, nothing_to_take),  # R4.1
    (lambda: asked("keep").keeps(0, "D").position(), Flaw.HAND),
    # --- the draft
    ("draft", Flaw.DRAFT, lambda p: move("supply", "removed", *p["supply"][1:])(p)),
    ("draft", Flaw.DRAFT, fourth_character),
    ("draft", Flaw.DRAFT, put("decision.actor", 1)),
    ("expert draft", Flaw.CHARACTERS, put("players.0.expert", None)),
    ("expert draft", Flaw.CHARACTERS, put("players.1.packet_experts", [])),
    ("expert draft", Flaw.DRAFT, put("players.1.packet", [])),
    ("expert draft", Flaw.DRAFT, put("decision.actor", 2)),
    ("expert draft", Flaw.DRAFT, experts_in_one_packet),
    ("expert draft", Flaw.EVENTS, put("players.0.events", ["press"])),
    ("expert draft", Flaw.ROUND, put("round", 1)),
    ("events to choose", Flaw.EVENTS, put("players.1.events", ["press", "control"])),
    ("events to choose", Flaw.EVENTS, put("players.0.events", ["design", "press", "control"])),
    ("events to choose", Flaw.EVENTS, put("players.0.events_played", ["design"])),
    ("events to choose", Flaw.EVENTS, put("decision.actor", 0)),
    ("events to choose", Flaw.ROUND, put("first_player", 1)),
    ("events to choose", Flaw.HAND, lambda p: p["players"][0]["hand"].append(p["deck"].pop())),
    # --- whose decision it is
    ("hands", Flaw.ROUND, put("decision.kind", "events")),
    ("hands", Flaw.ROUND, put("round", 0)),
    ("timing", Flaw.ROUND, put("decision.actor", 1)),
    ("split", Flaw.ROUND, put("decision.actor", 1)),
    ("paying", Flaw.ROUND, put("decision.actor", 0)),
    ("keep_card", Flaw.ROUND, put("decision.kind", "split")),
    # --- the supply (R7): where it is empty, tiles are being returned, or the end is triggered
    ("two hands", Flaw.SUPPLY, to_removed),
    ("two hands", Flaw.SUPPLY, to_removed, put("exhaustions", 1)),
    ("two hands", Flaw.SUPPLY, to_removed, put("exhaustions", 2)),
    ("two hands", Flaw.SUPPLY, put("exhaustions", 2)),
    ("alone", Flaw.SUPPLY, to_removed),
    ("returning", Flaw.SUPPLY, put("exhaustions", 2)),
    ("two hands", "decision.actor: expected", put("decision", {"kind": "over", "actor": None}), put("decision.actor", 7)),
    # --- the turn under way
    ("take", Flaw.TURN, lambda p: put("players.0.commitment.tile", p["supply"].pop())(p)),  # it has left the card (R5.7)
    ("timing", Flaw.TURN, put("pending.phase", "before")),
    ("timing", Flaw.TURN, put("pending.phase", "action"), put("pending.action", "exploit")),
    ("timing", Flaw.TURN, put("pending.timing", "after")),
    ("timing", Flaw.TURN, put("pending.action", "construct")),
    ("timing", Flaw.TURN, put("pending.event", None), put("pending.zone", None), add("players.0.events_played", "expropriation")),
    ("paying", Flaw.TURN, put("pending.timing", "after")),
    ("split", Flaw.TURN, put("pending.action", "urbanize")),
    (lambda: split(event="press").position(), Flaw.TURN),
    (lambda: split(event="press", timing="before").position(), Flaw.TURN),
    (lambda: split(timing="after").position(), Flaw.TURN),
    ("designing", Flaw.TURN, move("discard", "returned", "A"), put("returned", []), put("players.0.commitment", FREE_CARD)),
    ("split", Flaw.TURN, put("players.0.commitment", None), add("deck", "R2")),
    ("returning", Flaw.TURN, lambda p: (p["deck"].remove("A"), p["deck"].append("R2")), put("players.0.commitment.card", "A"),
     put("pending.action", "construct")),  # an urbanization card would become a bonus card
    ("timing", Flaw.ZONE, put("pending.zone", None)),
    ("timing", Flaw.ZONE, put("pending.zone.cell", [7, 7])),
    ("timing", Flaw.ZONE, put("pending.zone.center", False)),
    # --- draws
    (lambda: split().prestige("R25").position(), Flaw.DRAWS, put("pending.split.red", 2)),
    ("split", Flaw.DRAWS, put("pending.split.green_space", 2)),
    (lambda: designing(green_drawn=True, split={"green_space": 1}).position(), Flaw.DRAWS),
    ("split", Flaw.DRAWS, put("pending.draws", 0)),
    (lambda: split().supply().other(exhaustions=2, ending="tiles").position(), Flaw.DRAWS),
    ("paying", Flaw.DRAWS, put("pending.draws", 1)),
    ("timing", Flaw.DRAWS, put("pending.draws", 1)),
    ("split", Flaw.DRAWS, put("pending.received", 1)),
]  # fmt: skip

# --- states that are refused, for what positions do not say --------------------------------------------------------------------


def exchange(g: Any, one: str, other: str) -> None:
    """What seat 0 has in one set is in another."""
    g[one][0], g[other][0] = g[other][0].copy(), g[one][0].copy()


def tile_without_card(g: Any) -> None:
    tile = members(g.tiles[0])[0]
    flip(g.tiles[0], tile)
    g.tile[0] = tile


def before_the_action(g: Any) -> None:
    """The event is still to take effect, though what the action brings is asked."""
    g.phase, g.event[0] = Phase.BEFORE, EventTile.DESIGN
    g.events_played[0] ^= 1 << EventTile.DESIGN


STATES: list[tuple[Base, Says, *tuple[Edit, ...]]] = [
    ("keep_card", "expected states of this configuration", to("players", 9)),
    ("keep_card", "expected states of this configuration", to("modules", 2, 3)),
    ("two hands", "stage: expected Stage 0..12", to("stage", Stage.DEAL)),
    ("hands", Flaw.CITY, more("x", 1, 4)),
    ("hands", Flaw.CITY, to("adjacent", 0, 0, 0)),
    ("hands", Flaw.CITY, to("slot", 0, 59)),
    ("hands", Flaw.TILES, more("floors", 1, 0)),
    ("hands", Flaw.EDGE, more("west", -1)),
    ("hands", Flaw.EDGE, more("north", -1)),
    ("hands", Flaw.SEAT, lambda g: exchange(g, "tiles", "aside"), lambda g: exchange(g, "green", "green_aside")),
    ("hands", Flaw.BONUS, more("bonus", 1, 0, 0, 0)),
    ("hands", Flaw.ROUND, to("cursor", 1)),
    ("hands", Flaw.ROUND, to("returner", 1)),
    ("hands", Flaw.ROUND, to("payer", 1)),
    ("hands", Flaw.ROUND, to("player", 0)),
    ("placing", Flaw.ROUND, to("building", 0)),
    ("second to pay", Flaw.ROUND, to("payer", 0)),
    ("hands", Flaw.SUPPLY, to("stage", Stage.OVER), to("actor", -1)),
    ("draft", Flaw.DRAFT, more("pick", 1)),
    ("hands", Flaw.DRAFT, to("pick", 1)),
    ("hands", Flaw.TURN, to("phase", 1)),
    ("hands", Flaw.TURN, to("action", Action.URBANIZE)),
    ("hands", Flaw.TURN, to("timing", 0)),
    ("hands", Flaw.TURN, to("green_drawn", 1)),
    ("take", Flaw.TURN, to("action", Action.CONSTRUCT)),
    ("hands", Flaw.DRAWS, to("draws", 1)),
    ("hands", Flaw.DRAWS, to("split", 1, 0)),
    ("returning", Flaw.DRAWS, to("is_split", 0)),
    ("split", Flaw.DRAWS, to("is_split", 1)),
    ("timing", Flaw.ZONE, to("zone", 99, 0)),
    (lambda: new(modules=["events"]).committed(0, "A").asked("take").position(), Flaw.DRAWS, to("green_drawn", 1)),
    ("hands", Flaw.COMMITMENT, tile_without_card),
    ("take after the event", Flaw.TURN, before_the_action),
    ("alone", Flaw.ROUND, to("actor", 1)),
    ("alone", Flaw.SEAT, to("new_hands", 1, 1)),
    ("alone", Flaw.SEAT, lambda g: to("passed", g.hand[0], 0)(g)),
    ("alone", Flaw.SEAT, lambda g: exchange_seats(g, "tiles")),
    ("alone", Flaw.SEAT, lambda g: exchange_seats(g, "hand")),
    ("alone", Flaw.BONUS, more("bonus", 1, 1, 0, 0)),
    ("over", Flaw.SUPPLY, to("ending", Ending.NONE)),
]


def exchange_seats(g: Any, name: str) -> None:
    g[name][[0, 1]] = g[name][[1, 0]]


ACCEPTED: list[tuple[Base, *tuple[Edit, ...]]] = [
    ("take", put("players.0.passed", ["E", "F"])),  # E is committed and not revealed
    ("two hands", put("players.0.points", 1500)),
]
