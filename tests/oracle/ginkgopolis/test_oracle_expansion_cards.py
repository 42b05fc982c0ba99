"""The Experts, cards: keep a card and hands of five (X5), the draft (X6)."""

from .expansion import EVENTS, EXPERTS
from .ginkgopolis import Oracle
from .helpers import Scripted, blank, config, kinds_of, play

# --- X5 ----------------------------------------------------------------------------------------------------------------------


def test_a_card_is_kept() -> None:
    """X5, R3.5: compulsory, hidden, one of the cards left; two are passed; it joins the hand before the draw."""
    position = blank(3, "keep_card", max_rounds=9)
    for side, hand in zip(position["players"], ("ABCD", "EFGH", "IJKL"), strict=True):
        side["hand"] = list(hand)
    oracle = play(position, "A")
    assert oracle.decision() == ("keep", 0) and oracle.legal() == ["keep:B", "keep:C", "keep:D"]
    oracle.apply("keep:C")
    assert oracle.position()["players"][0] | {"hand": ["B", "D"], "kept": "C"} == oracle.position()["players"][0]
    for text in ("E", "keep:F", "I", "keep:L", "take:resource", "take:resource", "take:resource"):
        oracle.apply(text)
    after = oracle.position()
    assert [side["hand"] for side in after["players"]] == [["R10", "C", "J", "K"], ["R8", "B", "D", "F"], ["R9", "G", "H", "L"]]
    assert [side["passed"] for side in after["players"]] == [["B", "D"], ["G", "H"], ["J", "K"]]
    assert [side["kept"] for side in after["players"]] == [None] * 3 and after["round"] == 2


def test_a_new_hand_discards_the_card_kept_before() -> None:
    """X5: it is a card of the hand by then."""
    position = blank(2, "keep_card", max_rounds=9)
    position["players"][0] |= {"hand": ["A", "B", "C"], "new_hands": 1}
    position["players"][1]["hand"] = ["E", "F", "G"]
    oracle = play(position, "A", "keep:B", "E", "keep:F", "take:resource", "take:resource", "F", "keep:C")
    assert oracle.decision() == ("commit", 0) and "B" in oracle.position()["players"][0]["hand"]
    oracle.apply("new-hand")
    assert {"B", "G"} <= set(oracle.position()["discard"])


def test_five_cards() -> None:
    """X5, R3.6: with three players the deal exhausts the deck; three cards are passed."""
    chance = Scripted()
    position = Oracle(config(3, modules=["keep_card"], hand_size=5), chance).position()
    assert [len(side["hand"]) for side in position["players"]] == [5, 5, 5]
    # fourteen cards; the third player still draws one: six of the seven discarded stay, and are shuffled at once again
    decks = [items for name, items in chance.asked if name == "deck"]
    assert [len(items) for items in decks] == [21, 7, 6] and position["deck"] == [] and len(position["discard"]) == 6
    oracle = Oracle(config(2, modules=["keep_card"], hand_size=5, max_rounds=9), Scripted())
    hands = [oracle.position()["players"][seat]["hand"] for seat in (0, 1)]
    assert [len(hand) for hand in hands] == [5, 5]
    while oracle.position()["round"] == 1:
        oracle.apply(oracle.legal()[0])
    after = oracle.position()["players"]
    assert [len(side["hand"]) for side in after] == [5, 5] and [len(side["passed"]) for side in after] == [3, 3]
    assert set(after[0]["passed"]) < set(hands[0]) and set(after[0]["passed"]) < set(after[1]["hand"])


def test_short_hands() -> None:
    """X5: play one, keep one if any is left, pass the rest."""
    position = blank(3, "keep_card", max_rounds=2)
    for side, hand in zip(position["players"], ("A", "EF", "IJK"), strict=True):
        side["hand"] = list(hand)
    oracle = play(position, "E")
    assert oracle.position()["players"][0]["kept"] is None
    assert oracle.position()["players"][1]["kept"] == "F"  # the only one left: not asked
    for text in ("I", "keep:K", *["take:resource"] * 3):
        oracle.apply(text)
    assert [side["hand"] for side in oracle.position()["players"]] == [["R10", "J"], ["R8", "F"], ["R9", "K"]]


def test_the_kept_card_stays_where_it_is_at_the_end() -> None:
    position = blank(2, "keep_card")
    position["players"][0]["hand"] = ["A", "B", "C"]
    oracle = play(position, "A", "keep:B", "take:resource")
    assert oracle.position()["players"][0] | {"kept": "B", "hand": ["C"]} == oracle.position()["players"][0]


# --- X6: the draft -----------------------------------------------------------------------------------------------------------

DEALT = ["RE", "RE", "RU", "YC", "BE", "BU", "BC", "YE"]


def draft(*picks: str) -> Oracle:
    """Two players: seat 0 is dealt artist and banker, seat 1 lawyer and controller."""
    chance = Scripted(characters=[[*DEALT, *["RC"] * 19]])
    oracle = Oracle(config(2, setup="draft", modules=["events", "experts"], hand_size=4), chance)
    for name in picks:
        oracle.apply(f"draft:{name}")
    return oracle


def test_draft_with_experts() -> None:
    """X6: six cards go round, four are kept: three characters and one expert in any order; then start items and events."""
    oracle = draft()
    assert oracle.legal() == ["draft:RE", "draft:RU", "draft:YC", "draft:artist", "draft:banker"]
    oracle.apply("draft:artist")
    start = oracle.position()["players"]
    assert start[0]["expert"] == "artist" and start[0]["packet_experts"] == ["banker"] and len(start[0]["packet"]) == 4
    oracle.apply("draft:BC")
    # seat 0 holds BE BU YE and lawyer controller: no second expert
    assert kinds_of(oracle) == ["BE", "BU", "YE"]
    oracle = draft("artist", "BC", "YE", "YC", "RU", "BE")
    # seat 0 has two characters and takes a third of BU and lawyer controller: not asked; seat 1 three: an expert
    assert oracle.decision()[0] == "commit"  # seat 1 had only the banker to take; events come with experts
    one, two = oracle.position()["players"]
    assert (one["characters"], one["expert"]) == (["RU", "BU", "YE"], "artist")
    assert (two["characters"], two["expert"]) == (["BE", "BC", "YC"], "banker")
    assert (one["events"], two["events"]) == (["design", "press"], ["expropriation", "control"])
    assert one["packet"] == one["packet_experts"] == two["packet_experts"] == []


def test_never_a_fourth_character() -> None:
    """X6: three characters first, then one of the experts of the last packet."""
    oracle = draft("RE", "BE", "BU", "RU", "RE", "BC")
    # the last packets: seat 0's is YE lawyer controller, seat 1's YC artist banker
    assert oracle.decision() == ("draft", 0) and kinds_of(oracle) == ["lawyer", "controller"]
    oracle.apply("draft:controller")
    assert oracle.decision() == ("draft", 1) and kinds_of(oracle) == ["artist", "banker"]


def test_random_expert() -> None:
    """X6: no expert in the last packet: a random one of those dealt and kept by nobody, after all picks, in seat order."""
    characters = ["RE"] * 4 + ["RU"] * 4 + ["RC"] * 4 + ["BE"] * 15
    experts = ["mayor", "artist", "banker", "lawyer", "engineer", "architect", "controller", *["professor"] * 3]
    chance = Scripted(characters=[characters], experts=[experts], random_expert=["engineer"])
    oracle = Oracle(config(3, setup="draft", modules=["experts"], hand_size=4), chance)
    while oracle.decision()[0] == "draft":
        seat, legal = oracle.decision()[1], oracle.legal()
        wanted = {0: ["draft:RE", "draft:RC", "draft:RU"], 1: ["draft:mayor"], 2: ["draft:artist"]}[seat or 0]
        oracle.apply(next((text for text in wanted if text in legal), legal[0]))
    sides = oracle.position()["players"]
    assert all(len(side["characters"]) == 3 for side in sides)
    assert [side["expert"] for side in sides] == ["engineer", "mayor", "artist"]
    asked = [items for name, items in chance.asked if name == "random_expert"]
    assert asked == [["banker", "lawyer", "engineer", "architect"]]  # sorted


def test_events_come_with_the_experts() -> None:
    """X4.1: as assumed for the printed cards."""
    assert all(len(set(expert.events)) == 2 and set(expert.events) <= set(EVENTS) for expert in EXPERTS.values())
    counts = {kind: sum(kind in expert.events for expert in EXPERTS.values()) for kind in EVENTS}
    assert counts == {"design": 5, "press": 5, "expropriation": 5, "control": 5} and len(EXPERTS) == 10
