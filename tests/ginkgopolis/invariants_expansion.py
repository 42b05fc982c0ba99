"""What must be true besides of every record of a game with modules of The Experts, said slowly and apart from the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ginkgo_env.games.ginkgopolis.constants import NONE, Action, EventTile, Expert, Phase, Split, Stage, Timing

if TYPE_CHECKING:
    from .invariants import Table

DRAWN = {"new_buildings", "prestige", "green_spaces"}
NEEDS = {
    Stage.EVENTS: {"events"},
    Stage.LOWER: {"experts"},
    Stage.EVENT: {"events"},
    Stage.KEEP: {"keep_card"},
    Stage.TIMING: {"events"},
    Stage.SPLIT: DRAWN,
    Stage.PAY: {"events"},
}
PAIRS = {  # X4.1
    Expert.ARTIST: {EventTile.DESIGN, EventTile.PRESS},
    Expert.BANKER: {EventTile.EXPROPRIATION, EventTile.CONTROL},
    Expert.LAWYER: {EventTile.PRESS, EventTile.CONTROL},
    Expert.CONTROLLER: {EventTile.DESIGN, EventTile.EXPROPRIATION},
    Expert.ENTREPRENEUR: {EventTile.DESIGN, EventTile.PRESS},
    Expert.PROFESSOR: {EventTile.PRESS, EventTile.CONTROL},
    Expert.JOURNALIST: {EventTile.DESIGN, EventTile.EXPROPRIATION},
    Expert.ENGINEER: {EventTile.EXPROPRIATION, EventTile.CONTROL},
    Expert.MAYOR: {EventTile.DESIGN, EventTile.CONTROL},
    Expert.ARCHITECT: {EventTile.PRESS, EventTile.EXPROPRIATION},
}
LETTERS, GREEN_SPACE = range(60, 72), 87


def same(found: object, wanted: object, what: str) -> None:
    assert found == wanted, f"{what}: {found}, not {wanted}"


def bits(number: int) -> set[int]:
    return {i for i in range(16) if int(number) >> i & 1}


def check_expansion(t: Table) -> None:
    """Raise AssertionError if anything is amiss."""
    for check in (decisions, greens, stacks, experts, events, choices, phases, zone, draws, payments):
        check(t)


def decisions(t: Table) -> None:
    """Only what the modules bring is decided."""
    stage = Stage(t.stage)
    assert stage not in NEEDS or NEEDS[stage] & t.modules, f"{stage.name} is decided without its module"
    assert stage != Stage.EVENTS or "experts" not in t.modules, "experts bring their events"


def greens(t: Table) -> None:
    """Equal tiles are members of a set exactly if there are any; in the city they belong to who placed them (X3)."""
    for pile, count in (
        ("tiles", "green"),
        ("aside", "green_aside"),
        ("known_tiles", "green_known"),
        ("lower_tiles", "green_lower"),
    ):
        for p in range(5):
            there = bool(int(t.g[pile][p][GREEN_SPACE >> 6]) >> (GREEN_SPACE & 63) & 1)
            same(there, int(t.g[count][p]) > 0, f"a green space in {pile} of seat {p}, and in its count")
            assert 0 <= t.g[count][p] <= 9, f"{count} of seat {p} is {t.g[count][p]}"
    for s, top in enumerate(t.top):
        if top == GREEN_SPACE:
            assert t.owner[s] in t.players and t.floors[s] <= 2, f"the green space {s} has a wrong owner, or was built on"
            assert t.floors[s] == 1 or t.expert[t.owner[s]] == Expert.ARCHITECT, f"the green space {s} lies on something"
    for p in t.players:
        same(t.tile[p] == GREEN_SPACE and t.card[p] not in LETTERS, False, f"a green space on the building card of seat {p}")


def stacks(t: Table) -> None:
    """Sizes kept in the record are what counting gives; what is hidden under others lies with its architect (X6)."""
    stack = [int(tile) for tile in t.g.new_buildings]
    n = int(t.g.n_new_buildings)
    assert NONE not in stack[:n] and set(stack[n:]) <= {NONE}, f"the stack of value II has {n} tiles: {stack}"
    same(sum(t.pile("lower_tiles", p).total() for p in range(5) if t.expert[p] != Expert.ARCHITECT), 0, "lower tiles of others")
    for p in t.players:
        two = t.lower[p] != NONE
        assert not two or (t.tile[p] != NONE and t.expert[p] == Expert.ARCHITECT), f"seat {p} has committed a second tile"


def experts(t: Table) -> None:
    """X6: in the draft packets of six go round; then everybody has one, no two the same."""
    packets = [bits(t.g.packet_experts[p, 0]) for p in range(5)]
    about = [expert for expert in t.expert if expert != NONE] + [expert for packet in packets for expert in packet]
    same(len(set(about)), len(about), "experts in one place")
    if "experts" not in t.modules:
        same(about, [], "experts without their module")
    elif t.stage != Stage.DRAFT:
        same((len(about), any(packets)), (len(t.players), False), "experts after the draft")
    else:
        same(len(about), 2 * len(t.players), "experts in the draft")
        for p in t.players:
            kept = int(t.g.characters[p].sum()) + (t.expert[p] != NONE)
            same(int(t.g.packet[p].sum()) + len(packets[p]), 6 - kept, f"the packet of seat {p}")
            nothing_to_pick = t.g.pick == 3 and t.expert[p] == NONE and not packets[p]
            assert kept == t.g.pick + (p < t.g.actor) or (nothing_to_pick and p < t.g.actor), f"seat {p} has kept {kept} cards"
            assert len(packets[p]) <= 2 and t.g.characters[p].sum() <= 3, f"seat {p}: too many experts, or characters"


def events(t: Table) -> None:
    """X4.1: four to choose from, then two each, which stay theirs until they have been played."""
    for p in t.players:
        places = [bits(t.g.events[p]), bits(t.g.events_played[p]), {t.event[p]} - {NONE}]
        mine = set().union(*places)
        same(sum(map(len, places)), len(mine), f"events of seat {p} in one place")
        wanted = 2
        if "events" not in t.modules or t.stage == Stage.DRAFT:
            wanted = 0
        elif t.stage == Stage.EVENTS and p >= t.g.actor:
            wanted = 4
        same(len(mine), wanted, f"events of seat {p}")
        if wanted == 2 and "experts" in t.modules:
            same(mine, PAIRS[Expert(t.expert[p])], f"events of seat {p}'s expert")
        if t.event[p] == EventTile.EXPROPRIATION and t.card[p] != NONE:
            assert t.card[p] not in LETTERS, f"seat {p} expropriates with an urbanization card"


def choices(t: Table) -> None:
    """X5, X7.3: who has chosen keeps a card if any is left, and nobody else."""
    before = (Stage.COMMIT, Stage.LOWER, Stage.EVENT, Stage.KEEP)
    done = t.order()[: int(t.g.cursor)] if t.stage in before else list(t.players)
    for p in t.players:
        keeps = "keep_card" in t.modules and p in done and t.stage not in (Stage.DRAFT, Stage.EVENTS)
        assert t.kept[p] == NONE or keeps, f"seat {p} keeps a card"
        assert not keeps or t.kept[p] != NONE or not t.hand[p], f"seat {p} has cards left and keeps none"
        acting = p == t.g.player
        assert t.event[p] == NONE or t.card[p] != NONE or acting, f"seat {p} has an event out without a card"
    if t.stage == Stage.LOWER:
        p = int(t.g.actor)
        same((t.lower[p], t.event[p], t.expert[p]), (NONE, NONE, Expert.ARCHITECT), "who is asked for a second tile")
    if t.stage == Stage.EVENT:
        same(t.event[t.g.actor], NONE, "the event of who is asked for one")


def phases(t: Table) -> None:
    """X7.1: phase, timing and event of the turn under way."""
    g, p = t.g, int(t.g.player)
    if p == NONE:
        same((int(g.phase), int(g.timing), int(g.action)), (Phase.ACTION, NONE, Action.EXPLOIT), "the turn of nobody")
        return
    same(t.stage == Stage.TIMING, t.phase == Phase.TIMING, "timing is asked in its phase")
    wanted = {Phase.TIMING: {NONE}, Phase.BEFORE: {Timing.BEFORE}, Phase.AFTER: {Timing.AFTER}, Phase.ACTION: {NONE, *Timing}}
    assert g.timing in wanted[Phase(t.phase)], f"timing {g.timing} in phase {t.phase}"
    same(t.event[p] != NONE, t.phase != Phase.ACTION or g.timing == Timing.AFTER, "the event is on until it has taken effect")
    if t.phase in (Phase.BEFORE, Phase.AFTER):
        same(t.event[p], EventTile.CONTROL if t.stage == Stage.PAY else EventTile.DESIGN, "the event that asks something")
    if t.phase in (Phase.TIMING, Phase.BEFORE):
        same(int(g.action), Action.EXPLOIT, "the action before R5.7 has been tested")
    same(t.card[p] == NONE, t.phase == Phase.AFTER, "the card of the turn has been put away")


def zone(t: Table) -> None:
    """X4.3: the zone's cell holds the building named, or the token, or what was built there since."""
    g, p = t.g, int(t.g.player)
    x, y, center = (int(n) for n in g.zone)
    if p == NONE or t.event[p] == NONE:
        same((x, y, center), (0, 0, 0), "the zone of no event")
        return
    lies = t.top[t.cells.index((x, y))] if (x, y) in t.cells else None
    letters = [60 + i for i in range(12) if (int(g.token_x[i]), int(g.token_y[i])) == (x, y)]
    if g.action == Action.URBANIZE:
        same((center, (x, y)), (0, t.cells[-1]), "the zone of who has urbanized")
    elif g.action == Action.CONSTRUCT:
        same((center, t.owner[t.cells.index((x, y))]), (1, p), "the zone of who has constructed")
    elif center:
        assert lies is not None and t.card[p] in (lies, NONE), "the zone is not about the building named"
    else:
        assert lies is None and letters and t.card[p] in (*letters, NONE), "the zone is not about the token"


def draws(t: Table) -> None:
    """X0.1: a split stands while it is asked; what has been split is drawn at once, but for returning tiles."""
    g, split = t.g, [int(n) for n in t.g.split]
    if t.stage != Stage.SPLIT:
        same(split, [0] * 5, "a split that is not asked")
    else:
        assert g.draws > 0 and g.supply_size > 0, "a split without rights, or after R7.3"
        prestige = [sum(int(g.prestige[1]) >> (tile & 63) & 1 for tile in (81 + 2 * c, 82 + 2 * c)) for c in range(3)]
        there = [*prestige, int(g.n_new_buildings), int(g.green_stack)]
        assert all(0 <= n <= m for n, m in zip(split, there, strict=True)), f"split {split} of {there}"
        assert split[Split.GREEN_SPACE] + int(g.green_drawn) <= 1, "two green spaces in one turn"
    same(int(g.is_split), int(t.stage == Stage.RETURN), "draws have been split, and are under way")
    if t.phase in (Phase.BEFORE, Phase.AFTER):
        assert g.draws + 3 * sum(split[:3]) + 2 * split[3] + split[4] <= 9, "a design competition of more than nine draws"
    if g.green_drawn:
        assert "green_spaces" in t.modules and int(g.player) != NONE, "a green space was drawn in nobody's turn"


def payments(t: Table) -> None:
    """X4.4: the others pay in turn, six SP in all are received."""
    g = t.g
    if t.stage != Stage.PAY:
        same((int(g.payer), int(g.received)), (0, 0), "payments")
        return
    same(int(g.actor), (int(g.player) + 1 + int(g.payer)) % len(t.players), "who pays")
    assert g.actor != g.player and 0 <= g.received <= 6, "who pays, or how much was received"
    assert g.payer > 0 or g.received == 0, "something was received before anybody has paid"
