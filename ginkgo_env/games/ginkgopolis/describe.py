"""Descriptions of a state as text: map, players, cards; for a seat only of what it may know (R10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ginkgo_env.core.state import PlainRecord, VisibleState
from ginkgo_env.core.text import Line, fitted, labelled
from ginkgo_env.games.ginkgopolis.components import COLOR_LETTERS, EVENT_NAMES, NAMES
from ginkgo_env.games.ginkgopolis.constants import (
    N_LETTERS,
    N_TILES,
    NOBODY,
    NONE,
    NOWHERE,
    WILLIAM,
    Action,
    Ending,
    Module,
    Phase,
    Split,
    Stage,
    Timing,
)
from ginkgo_env.games.ginkgopolis.narrate import commitment, narrate
from ginkgo_env.games.ginkgopolis.notation import names_in
from ginkgo_env.games.ginkgopolis.position import FIELD
from ginkgo_env.games.ginkgopolis.queries import (
    CHOOSING,
    UNTESTED,
    characters,
    count_cards_of,
    count_events_of,
    count_kept_of,
    count_tiles_of,
    draft_picks_of,
    events_known,
    expert_of,
    is_shown,
    tiles_in,
    tiles_on_card,
    translate,
)

# --- players: public numbers, cards in front of screens, private information -------------------------------------------------


_MARKS = "abcde"  # of owners, by seat
_WILLIAM_MARK = "w"
_PLAYS = {
    Action.EXPLOIT: "exploits with {card}",
    Action.URBANIZE: "urbanizes with {card}",
    Action.CONSTRUCT: "constructs with {card}",
}
_COLUMNS: dict[str, Callable[[PlainRecord, int], int] | None] = {
    "points": None,
    "resources": None,
    "supply": None,
    "tiles": count_tiles_of,
    "hand": count_cards_of,
    "new_hands": None,
    "events": count_events_of,
    "kept": count_kept_of,
}
"""Public numbers by field; None for a number that is written as it is."""
PRIVATE = ("packet", "packet_experts", "hand", "kept", "tiles", "events", "commitment", "returning", "lower_tiles")
"""Fields of a player that are private."""
_NEVER_EMPTY = ("hand", "tiles")


def mark(g: PlainRecord, p: int) -> str:
    """Return the letter that stands for a side."""
    return _WILLIAM_MARK if g.solo and p == WILLIAM else _MARKS[p]


# --- public numbers (R10.1) ------------------------------------------------------------------------------------------------


def player_rows(g: VisibleState) -> list[str]:
    """Return a table with a row for each side."""
    player, columns = translate("player"), [translate(column) for column in counts(g, 0)]
    width = max(len(player), *map(len, g.names))
    lines = [f"   {player:<{width}}" + "".join(f"  {column}" for column in columns)]
    for p in range(g.players):
        numbers = "".join(f"  {n:>{len(column)}}" for column, n in zip(columns, counts(g, p).values(), strict=True))
        lines.append(Line(f" {mark(g, p)} {g.names[p]:<{width}}{numbers}  {doing(g, p)}".rstrip(), width + 5))
    return lines


def counts(g: PlainRecord, p: int) -> dict[str, int]:
    """Return the public numbers of a side, by name."""
    modules = (None, *(module for module in Module if g.modules[module]))
    return {
        FIELD[key].label: (count or FIELD[key].write)(g, p) for key, count in _COLUMNS.items() if FIELD[key].module in modules
    }


def doing(g: PlainRecord, p: int) -> str:
    """Say what everybody sees a side do now."""
    notes = []
    if g.first == p and not g.solo:
        notes.append(translate("first"))
    if g.actor == p:
        notes.append(translate("decides"))
    if g.card[p] != NONE:
        notes.append(_card_note(g, p))
    return ", ".join(filter(None, notes))


def _card_note(g: PlainRecord, p: int) -> str:
    """Say what everybody sees of a committed card."""
    if is_shown(g, p):
        if g.phase in UNTESTED:  # the action is not known yet
            return translate("shows {card}", card=_on_card(g, p))
        return translate(_PLAYS[Action(g.action)], card=NAMES[g.card[p]])
    if g.solo and p == WILLIAM:
        return translate("card face down")
    if g.stage in CHOOSING:
        return "" if g.actor == p else translate("has chosen")
    lying = [
        translate(thing)
        for thing in (("", "a tile", "two tiles")[tiles_on_card(g, p)], "an event" * (g.event[p] != NONE))
        if thing
    ]
    return translate("card with {things}", things=translate.joined(lying)) if lying else translate("card alone")


def _on_card(g: PlainRecord, p: int) -> str:
    """Return a card with its tiles; the lower tile stays hidden."""
    card = commitment(g.card[p], g.tile[p])
    return translate("{tile} on a hidden tile", tile=card) if tiles_on_card(g, p) > 1 else card


# --- in front of the screens -----------------------------------------------------------------------------------------------


def in_front(g: VisibleState) -> list[str]:
    """Describe tableaus, and what everybody knows of each side (R10.3, X7.4)."""
    lines = []
    for p in range(g.players):
        kept = [*map(translate, expert_of(g, p)), *characters(g.characters[p])]
        if drafts_in_secret(g, p):
            kind = "card" if g.modules[Module.EXPERTS] else "character"
            kept = [translate("{cards}, secret", cards=translate.counted(count_kept_in_draft(g, p), kind))]
        lines += labelled(translate("tableau of {side}:", side=mark(g, p)), " ".join([*kept, *names_in(g.tableau[p])]) or "-")
        if facts := labelled_names(known(g, p)):
            lines += labelled(translate("known of {side}:", side=mark(g, p)), "; ".join(facts))
    return ["", *lines]


def drafts_in_secret(g: VisibleState, p: int) -> bool:
    """Whether the cards that a side has kept in the draft are hidden from the viewer (R2.7)."""
    return g.stage == Stage.DRAFT and p not in g.open_seats


def count_kept_in_draft(g: VisibleState, p: int) -> int:
    """Count the characters and experts that a side has kept in the draft."""
    return g.pick + (p < g.actor)


def known(g: PlainRecord, p: int) -> dict[str, list[str]]:
    """Return the tiles and events that everybody knows a side to have, or to have had."""
    lower = len(tiles_in(g, "lower_tiles", p))
    return {
        FIELD["known_tiles"].label: FIELD["known_tiles"].names(g, p),
        FIELD["known_events"].label: events_known(g, p),
        FIELD["events_played"].label: FIELD["events_played"].names(g, p),
        f"{FIELD['lower_tiles'].label}:": [str(lower)] if lower else [],
    }


def labelled_names(facts: Mapping[str, list[str]]) -> list[str]:
    """Return names after their labels; labels without names are left out."""
    return [f"{translate(label)} {' '.join(map(translate, names))}" for label, names in facts.items() if names]


# --- behind the screens ----------------------------------------------------------------------------------------------------


def behind_screen(g: VisibleState, p: int) -> list[str]:
    """Describe private information: cards, tiles, choices, and cards known by passing (R10.2, R10.3)."""
    facts: dict[str, list[str]] = {}
    for key in PRIVATE:
        if key == "commitment":
            facts |= _own_card(g, p)
        else:
            label = FIELD[key].label
            facts[label] = facts.get(label, []) + (FIELD[key].names(g, p) or ["-"] * (key in _NEVER_EMPTY))
    lines = labelled(translate("only {side} sees:", side=mark(g, p)), "; ".join(labelled_names(facts)))
    if not g.solo:
        left, right = (p + 1) % g.players, (p - 1) % g.players
        for text, words in (
            (translate("{side} has", side=mark(g, left)), g.passed[p]),
            (translate("{side} knows of", side=mark(g, right)), g.passed[right]),
        ):
            if names_in(words):
                lines += labelled("", f"{text} {' '.join(names_in(words))}")
    return lines


def _own_card(g: VisibleState, p: int) -> dict[str, list[str]]:
    """Return the own card with all that lies on it; once revealed, only what stays hidden."""
    if is_shown(g, p):
        return {"under the tile shown": [] if g.lower[p] == NONE else [NAMES[g.lower[p]]]}
    return {"chosen": [] if g.card[p] == NONE else [_chosen(g, p)]}


def _chosen(g: VisibleState, p: int) -> str:
    """Return a commitment in the notation of actions."""
    lower = "" if g.lower[p] == NONE else translate(" on {tile}", tile=NAMES[g.lower[p]])
    event = "" if g.event[p] == NONE else translate(" with {event}", event=translate(EVENT_NAMES[g.event[p]]))
    return f"{commitment(g.card[p], g.tile[p])}{lower}{event}"


# --- the table ---------------------------------------------------------------------------------------------------------------


__all__ = ["describe", "narrate"]

_LONGEST_NAME, _INDENT = 12, 4
_MARGIN = 4  # of the map
_LEGEND = (
    "R7·3b*: tile R7 on 3 floors, owned by b, with a construction-site pawn; A to L: letters, not colors",
    "resources: at hand, supply: not yet gained",
)
_GREEN_LEGEND = "GS·1b: green space with 1 resource of b"
EXHAUSTED = ("", "exhausted once", "exhausted for the second time")
_DECIDES = {
    Stage.DRAFT: "keeps a character",
    Stage.COMMIT: "chooses a card",
    Stage.TAKE: "takes a resource or a tile",
    Stage.TOKEN: "places a token",
    Stage.RETURN: "may give tiles back",
    Stage.EVENTS: "keeps two event tiles",
    Stage.LOWER: "may add a second tile under the first",
    Stage.EVENT: "may add an event",
    Stage.KEEP: "keeps a card for the next round",
    Stage.TIMING: "chooses when the event takes effect",
    Stage.SPLIT: "chooses which tiles to draw",
    Stage.PAY: "pays for the quality control",
}


def describe(g: VisibleState, width: int) -> str:
    """Describe a state as text of at most `width` columns; a wider map is split from west to east."""
    g.names = [name[:_LONGEST_NAME] for name in g.names[: g.players]]
    lines = [headline(g), "", *_map(g, width), "", *_legend(g), ""]
    lines += [*player_rows(g), *_event_lines(g), *in_front(g), ""]
    for p in g.open_seats:
        lines += behind_screen(g, p)
    if has_face_down_card(g):
        lines.append(translate("w has the card {card} face down", card=NAMES[g.card[WILLIAM]]))
    return "\n".join(fitted([*lines, *_piles(g)], width))


def has_face_down_card(g: VisibleState) -> bool:
    """Whether William has a card that has not been revealed, and the viewer knows it."""
    return g.viewer is None and g.solo and g.card[WILLIAM] != NONE and not is_shown(g, WILLIAM)


# --- headline and map ------------------------------------------------------------------------------------------------------


def headline(g: VisibleState) -> str:
    if g.stage == Stage.OVER:
        return Line(translate("The game is over after round {n} ({reason})", n=g.rounds, reason=_reason(g)), _INDENT)
    last = translate(" · last round ({reason})", reason=_reason(g)) if g.ending != Ending.NONE else ""
    return Line(f"{_when(g)} · {g.names[g.actor]} {_decides(g)}{last}", _INDENT)


def _when(g: VisibleState) -> str:
    if g.stage == Stage.DRAFT:
        return translate("Draft, pick {n} of {most}", n=g.pick + 1, most=draft_picks_of(g))
    return translate("Round {n}", n=g.rounds) if g.rounds > 0 else translate("Setup")


def _decides(g: VisibleState) -> str:
    if g.stage == Stage.DRAFT and g.modules[Module.EXPERTS]:
        return translate("keeps a character or an expert")
    return translate(_DECIDES[Stage(g.stage)])


def _reason(g: VisibleState) -> str:
    return translate("ending: {ending}", ending=translate(Ending(g.ending).name.lower()))


def _cells(g: VisibleState) -> dict[tuple[int, int], str]:
    """Return the text of each cell of the map."""
    cells = {}
    for s in range(g.n_buildings):
        owner = "" if g.owner[s] == NOBODY else mark(g, g.owner[s])
        text = f"{NAMES[g.top[s]]}·{g.floors[s]}{owner}{'*' if g.pawn[s] else ''}"
        cells[g.x[s], g.y[s]] = text
    for letter in range(N_LETTERS):
        if g.token_x[letter] != NOWHERE:
            cells[g.token_x[letter], g.token_y[letter]] = NAMES[N_TILES + letter]
    return cells


def _map(g: VisibleState, text_width: int) -> list[str]:
    """Draw the city, north up, with coordinates in the margins."""
    cells = _cells(g)
    columns = range(min(x for x, _ in cells), max(x for x, _ in cells) + 1)
    rows = range(min(y for _, y in cells), max(y for _, y in cells) + 1)
    width = max(map(len, cells.values())) + 1
    room = text_width - _MARGIN
    if (width + 1) * len(columns) <= room:
        width += 1
    lines: list[str] = []
    for part in parts_of(columns, max(1, room // width)):
        head = " " * _MARGIN + "".join(f"{x:^{width}}" for x in part)
        body = [f"{y:>{_MARGIN - 1}} " + "".join(f"{cells.get((x, y), '.'):^{width}}" for x in part) for y in rows]
        lines += ["", *(line.rstrip() for line in [head, *body])]
    return lines[1:]


def parts_of(columns: range, most: int) -> list[range]:
    """Split columns or rows into the fewest parts of at most `most`, about equally wide."""
    n = -(-len(columns) // most)
    return [columns[len(columns) * k // n : len(columns) * (k + 1) // n] for k in range(n)]


def _legend(g: VisibleState) -> list[str]:
    texts = [*_LEGEND, _GREEN_LEGEND] if g.modules[Module.GREEN_SPACES] else _LEGEND
    return [Line(translate(text), _INDENT) for text in texts]


# --- the event of the turn (X4) --------------------------------------------------------------------------------------------


def _event_lines(g: VisibleState) -> list[str]:
    text = event_text(g)
    return ["", *labelled(translate("event of {side}:", side=mark(g, g.player)), text)] if text else []


def event_text(g: VisibleState) -> str:
    """Describe the event tile that was revealed in this turn; empty without one."""
    p, phase, timing = g.player, g.phase, g.timing
    kind = NONE if p == NOBODY else g.event[p]
    if p == NOBODY or kind == timing == NONE:
        return ""
    now = translate("now, ") if phase in (Phase.BEFORE, Phase.AFTER) else ""
    when = translate("before or after" if timing == NONE else Timing(timing).name.lower())
    if kind == NONE:
        return translate("done, {when} the action", when=now + when)
    x, y, center = g.zone
    zone = translate("({x}, {y}) and the cells beside it" if center else "the cells beside ({x}, {y})", x=x, y=y)
    received = translate("; SP received so far: {n}", n=g.received) if g.stage == Stage.PAY else ""
    sentence = "{event} takes effect {when} the action; zone: {zone}"
    return translate(sentence, event=translate(EVENT_NAMES[kind]), when=now + when, zone=zone) + received


# --- supply, stacks, deck and discard pile ---------------------------------------------------------------------------------


def _piles(g: VisibleState) -> list[str]:
    discard = names_in(g.discard)
    owed = translate("; still to be drawn: {n}", n=g.draws) if g.draws and g.stage != Stage.SPLIT else ""
    exhausted = f", {translate(EXHAUSTED[g.exhaustions])}" if g.exhaustions else ""
    lines = labelled(translate("tile supply:"), f"{translate.counted(g.supply_size, 'tile')}{exhausted}{owed}")
    if g.stage == Stage.SPLIT:
        lines += labelled(translate("to be drawn:"), split_text(g))
    if names_in(g.returned):
        lines += labelled(translate("given back:"), " ".join(names_in(g.returned)))
    if stacks := _stacks(g):
        lines += labelled(translate("stacks:"), "; ".join(stacks))
    lines += labelled(translate("deck:"), translate.counted(g.deck_size, "card"))
    return lines + labelled(
        translate("discard pile:"), f"{translate.counted(len(discard), 'card')}{': ' if discard else ''}{' '.join(discard)}"
    )


def split_text(g: VisibleState) -> str:
    """Describe how a draw has been split so far (X0.1)."""
    chosen = g.split
    parts = []
    for color, letter in enumerate(COLOR_LETTERS):
        parts += [name for name in names_in(g.prestige) if name[0] == letter][: chosen[color]]
    for choice, thing in ((Split.NEW_BUILDING, "new building"), (Split.GREEN_SPACE, "green space")):
        parts += [translate.counted(chosen[choice], thing)] if chosen[choice] else []
    return translate("{parts}; rights left: {n}", parts=", ".join(parts) or translate("nothing chosen yet"), n=g.draws)


def _stacks(g: VisibleState) -> list[str]:
    """Describe the stacks of modules 1 to 3."""
    drawn = translate(", one drawn in this turn") if g.green_drawn and g.player != NOBODY else ""
    stacks = {
        Module.NEW_BUILDINGS: translate.counted(g.n_new_buildings, "new building"),
        Module.PRESTIGE: translate("prestige {tiles}", tiles=" ".join(names_in(g.prestige)) or "-"),
        Module.GREEN_SPACES: translate.counted(g.green_stack, "green space") + drawn,
    }
    return [text for module, text in stacks.items() if g.modules[module]]
