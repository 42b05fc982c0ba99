"""The draft of characters and experts (R2.7, X6)."""

from .components import ALL_CHARACTERS, characters_in_order
from .expansion import EXPERTS, experts_in_order
from .table import Flow, Question, Side, Table

CHARACTERS_DEALT, CHARACTERS_KEPT = 4, 3  # R2.7
EXPERTS_DEALT, EXPERTS_KEPT = 2, 1  # X6


def draft(table: Table) -> Flow:
    """Each keeps one card of the packet, which then goes to the left, until each has three characters (and an expert)."""
    with_experts = "experts" in table.modules
    deal_packets(table, with_experts)
    for _ in range(CHARACTERS_KEPT + (EXPERTS_KEPT if with_experts else 0)):
        for seat in range(table.players):
            yield from pick(table, seat)
        pass_packets(table)
    lost = [name for side in table.sides for name in side.packet_experts]
    for side in table.sides:
        side.packet, side.packet_experts = [], []  # the rest goes back to the box
        if with_experts and side.expert is None:
            side.expert = table.chance("random_expert", experts_in_order(lost))
            lost.remove(side.expert)


def deal_packets(table: Table, with_experts: bool) -> None:
    """Four characters and two experts for each (X7.5: the outcomes in this order)."""
    characters = table.chance("characters", list(ALL_CHARACTERS))
    experts = table.chance("experts", list(EXPERTS)) if with_experts else []
    for seat, side in enumerate(table.sides):
        side.packet = list(characters[CHARACTERS_DEALT * seat :][:CHARACTERS_DEALT])
        side.packet_experts = list(experts[EXPERTS_DEALT * seat :][:EXPERTS_DEALT])


def pick(table: Table, seat: int) -> Flow:
    """One card of the packet; never a fourth character, never a second expert."""
    side = table.sides[seat]
    answer = yield Question("draft", seat, [f"draft:{name}" for name in pickable(side)])
    kept = answer.removeprefix("draft:")
    if kept in EXPERTS:
        side.packet_experts.remove(kept)
        side.expert = kept
    elif kept:
        side.packet.remove(kept)
        side.characters.append(kept)


def pickable(side: Side) -> list[str]:
    """What may be kept; equal characters are one action (R2.7)."""
    characters = characters_in_order(list(set(side.packet))) if len(side.characters) < CHARACTERS_KEPT else []
    experts = experts_in_order(side.packet_experts) if side.expert is None else []
    return characters + experts


def pass_packets(table: Table) -> None:
    """Every packet goes to the left."""
    packets = [(side.packet, side.packet_experts) for side in table.sides]
    for seat, packet in enumerate(packets):
        left = table.sides[table.left_of(seat)]
        left.packet, left.packet_experts = packet
