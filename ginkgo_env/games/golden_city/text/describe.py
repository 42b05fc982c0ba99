"""A description of the table as text, for all to see or as a seat may know it (G10)."""

from __future__ import annotations

from collections.abc import Sequence

from ginkgo_env.core.fields import Fields, members
from ginkgo_env.core.text import Line, fitted, labelled
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import (
    BACKS,
    FIRST_DISTRICT,
    N_BONUS,
    N_SCORING,
    NOBODY,
    NONE,
    Ending,
    Landscape,
    Reward,
    Stage,
)
from ginkgo_env.games.golden_city.state import State
from ginkgo_env.games.golden_city.text.describe_players import MARKS, player_rows, tallied, what_players_have
from ginkgo_env.games.golden_city.text.narrate import scoring_text
from ginkgo_env.games.golden_city.text.reading import (
    ENDINGS,
    LANDSCAPES,
    PAIRS,
    REWARDED,
    counts_of,
    names_of,
    owners_of,
)
from ginkgo_env.games.golden_city.text.words import pair_text, say

_LONGEST_NAME, _INDENT = 12, 4
_DECIDES = {
    Stage.BID: "bids for a pair of landscape cards",
    Stage.BUILD: "may build a house",
    Stage.PAY: "pays for a house",
    Stage.GOODS: "takes a goods card",
    Stage.BOX: "has five goods cards and puts one out of the game",
    Stage.BONUS: "takes a bonus card",
    Stage.DISCARD: "has too many cards and discards one",
}
_LEGEND = (
    "F1·bonus~W=a: place F1 brings a bonus card, lies at river W, has a house of a. "
    "FO2·5/3+coin: letters for the first and the second house here, and what the first one gets besides"
)


def describe(record: State, board: Board, seat: int | None, names: Sequence[str], width: int) -> str:
    """Return the table as text of at most width columns.

    seat : whose hand and bonus cards are shown; None shows those of all players
    """
    g = Fields(record)
    names = [name[:_LONGEST_NAME] for name in names[: g.players]]
    lines = [Line(headline(g, names), _INDENT), "", *_scoring(g, board), *_pairs(g, names), *_turn(g, board), ""]
    lines += [*player_rows(g, names), "", *what_players_have(g, board, seat), ""]
    lines += [*_map(g, board), Line(say(_LEGEND), _INDENT), "", *_piles(g, board)]
    return "\n".join(fitted(lines, width))


def headline(g: Fields, names: Sequence[str]) -> str:
    """Return the round, who decides and the kind of decision."""
    if g.stage == Stage.OVER:
        return say("The game is over after round {n} ({reason})", n=g.rounds, reason=_reason(g))
    last = "" if g.ending == Ending.NONE else say(" · last round ({reason})", reason=_reason(g))
    return f"{say('Round {n} of {most}', n=g.rounds, most=N_SCORING)} · {names[g.actor]} {say(_DECIDES[Stage(g.stage)])}{last}"


def _reason(g: Fields) -> str:
    return say("ending: {ending}", ending=say(str(ENDINGS[g.ending])))


# --- the round -------------------------------------------------------------------------------------------------------------


def _scoring(g: Fields, board: Board) -> list[str]:
    """Return lines with the scoring card of the round and those to come, by their backs (G10.1)."""
    label = "scored last:" if g.stage == Stage.OVER else "scoring card:"
    lines = labelled(say(label), scoring_text(board, g.scoring))
    for back, cards in cards_to_come(g).items():
        lines += labelled(say("with back {back}:", back=back), ", ".join(scoring_text(board, card) for card in cards))
    return lines


def cards_to_come(g: Fields) -> dict[int, list[int]]:
    """Return the scoring cards to come by back, sorted, as their order is hidden (G10.1, G10.5)."""
    to_come, first, by_back = sorted(g.scoring_stack[: g.n_scoring]), 0, {}
    for back, n in enumerate(BACKS, 1):
        if cards := [card for card in to_come if first <= card < first + n]:
            by_back[back] = cards
        first += n
    return by_back


def _pairs(g: Fields, names: Sequence[str]) -> list[str]:
    if g.stage != Stage.BID:
        return []
    pairs = []
    for i in range(g.players):
        seat = g.pair_seat[i]
        whose = say("free") if seat == NOBODY else say("hand of {name}", name=names[seat])
        pairs.append(f"{PAIRS[i]} {say(LANDSCAPES[g.pairs[i][0]])}+{say(LANDSCAPES[g.pairs[i][1]])} ({whose})")
    return labelled(say("pairs:"), ", ".join(pairs)) + labelled(say("price:"), price_text(g))


def price_text(g: Fields) -> str:
    """Return the price of displacing a hand (G4.3)."""
    return say("{coins} to displace a hand", coins=say.counted(g.displacements + 1, "coin"))


def _turn(g: Fields, board: Board) -> list[str]:
    facts = turn_facts(g, board)
    return labelled(say("turn of {side}:", side=MARKS[g.actor]), ", ".join(facts)) if facts else []


def turn_facts(g: Fields, board: Board) -> list[str]:
    """Return the state of the current building turn, if there is one."""
    if g.stage in (Stage.BID, Stage.OVER):
        return []
    facts = [say("{houses} built", houses=say.counted(g.built, "house"))]
    if g.place != NONE:
        fact = "reward of {place}" if g.stage in REWARDED else "pays for {place}"
        facts.append(say(fact, place=board.place_ids[g.place]))
    if g.discarded != NONE:
        facts.append(say("has discarded {card}", card=say(LANDSCAPES[g.discarded])))
    return facts


# --- the board -------------------------------------------------------------------------------------------------------------


def _map(g: Fields, board: Board) -> list[str]:
    """Return all places by landscape, with reward, river and houses."""
    lines = []
    of_landscape = board.tables[0].of_landscape.tolist()
    for landscape in Landscape:
        places = " ".join(_place(g, board, i) for i in members(of_landscape[landscape]))
        lines += labelled(f"{say(LANDSCAPES[landscape])}:", places)
    return lines


def _place(g: Fields, board: Board, i: int) -> str:
    row, t = board.places[i], board.tables[0]
    if i < FIRST_DISTRICT:
        brings = say(Reward(int(t.reward[i])).name.lower()) + (f"~{row['river']}" if row["river"] else "")
    else:
        brings = f"{t.letters_first[i]}/{t.letters_second[i]}"
        for n, thing in ((t.coins_first[i], "coin"), (t.cards_first[i], "card")):
            brings += f"+{say(thing)}" * int(n)
    owners = "".join(MARKS[p] for p in owners_of(g, i))
    return f"{board.place_ids[i]}·{brings}" + (f"={owners}" if owners else "")


# --- piles -----------------------------------------------------------------------------------------------------------------


def _piles(g: Fields, board: Board) -> list[str]:
    kinds = [pair_text(name) for name in board.goods_names]
    stack = names_of(counts_of(g.goods_stack[: g.goods_size], len(g.display)), kinds)
    lines = labelled(say("goods cards:"), say("display {cards}", cards=" ".join(names_of(g.display, kinds)) or "-"))
    lines += labelled("", say("stack, {n}: {cards}", n=say.counted(g.goods_size, "card"), cards=" ".join(stack) or "-"))
    if any(g.boxed):
        lines += labelled("", say("out of the game: {cards}", cards=" ".join(names_of(g.boxed, kinds))))
    lines += labelled(say("deck:"), say.counted(g.deck_size, "card"))
    lines += labelled(say("discard pile:"), f"{say.counted(sum(g.discard), 'card')}: {tallied(g.discard)}")
    left = say.counted(N_BONUS - g.n_bonus, "bonus card"), say.counted(g.key_stack, "key card"), say.counted(g.supply, "coin")
    return lines + labelled(say("left:"), ", ".join(left))
