"""Descriptions of a state as text: map, players, cards; for a seat only of what it may know (R10)."""

from __future__ import annotations

from collections.abc import Sequence

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.game import OBSERVER
from ginkgo_env.core.text import Line, fitted, labelled
from ginkgo_env.games.ginkgopolis.constants import (
    N_LETTERS,
    N_TILES,
    NOBODY,
    NONE,
    NOWHERE,
    WILLIAM,
    Ending,
    Module,
    Phase,
    Split,
    Stage,
    Timing,
)
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import COLOR_LETTERS, EVENT_NAMES, NAMES
from ginkgo_env.games.ginkgopolis.text.describe_players import (
    behind_screen,
    in_front,
    mark,
    player_rows,
)
from ginkgo_env.games.ginkgopolis.text.narrate import narrate
from ginkgo_env.games.ginkgopolis.text.notation import names_in
from ginkgo_env.games.ginkgopolis.text.reading import CHOOSING, draft_picks_of, with_module
from ginkgo_env.games.ginkgopolis.text.words import say

__all__ = ["describe", "narrate"]

_LONGEST_NAME, _INDENT = 12, 4
_MARGIN = 4  # of the map
_LEGEND = "R7·3b*: tile R7 on 3 floors, owned by b, with a construction-site pawn; A to L: tokens"
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


def describe(record: State, seat: int | None, names: Sequence[str], width: int) -> str:
    """Describe a state as text of at most `width` columns; a wider map is split from west to east.

    With a seat, the text has the hidden information of that seat only, otherwise of all seats.
    """
    g = Fields(record)
    names = [name[:_LONGEST_NAME] for name in names[: g.players]]
    open_seats = open_seats_of(g, seat)
    lines = [headline(g, names, open_seats), "", *_map(g, width), "", *_legend(g), ""]
    lines += [*player_rows(g, names), *_event_lines(g), *in_front(g, open_seats), ""]
    for p in open_seats:
        lines += behind_screen(g, p)
    if seat is None and g.solo and g.card[WILLIAM] != NONE and g.player != WILLIAM:
        lines.append(say("w has the card {card} face down", card=NAMES[g.card[WILLIAM]]))
    return "\n".join(fitted([*lines, *_piles(g)], width))


def open_seats_of(g: Fields, seat: int | None) -> list[int]:
    """Return the seats whose hidden information a viewer sees: all for None, none for OBSERVER."""
    if seat is None:
        return list(range(1 if g.solo else g.players))
    return [] if seat == OBSERVER else [seat]


# --- headline and map ------------------------------------------------------------------------------------------------------


def headline(g: Fields, names: Sequence[str], open_seats: Sequence[int]) -> str:
    if g.stage == Stage.OVER:
        return Line(say("The game is over after round {n} ({reason})", n=g.rounds, reason=_reason(g)), _INDENT)
    last = say(" · last round ({reason})", reason=_reason(g)) if g.ending != Ending.NONE else ""
    return Line(f"{_when(g)} · {names[g.actor]} {_decides(g, open_seats)}{last}", _INDENT)


def _when(g: Fields) -> str:
    if g.stage == Stage.DRAFT:
        return say("Draft, pick {n} of {most}", n=g.pick + 1, most=draft_picks_of(g))
    return say("Round {n}", n=g.rounds) if g.rounds > 0 else say("Setup")


def _decides(g: Fields, open_seats: Sequence[int]) -> str:
    """Say what the actor decides; others only see that a card is being chosen (X7.3)."""
    if g.stage == Stage.DRAFT and with_module(g, Module.EXPERTS):
        return say("keeps a character or an expert")
    return say(_DECIDES[Stage.COMMIT if g.stage in CHOOSING and g.actor not in open_seats else Stage(g.stage)])


def _reason(g: Fields) -> str:
    return say("ending: {ending}", ending=say(Ending(g.ending).name.lower()))


def _cells(g: Fields) -> dict[tuple[int, int], str]:
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


def _map(g: Fields, text_width: int) -> list[str]:
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


def _legend(g: Fields) -> list[str]:
    texts = [_LEGEND, _GREEN_LEGEND] if with_module(g, Module.GREEN_SPACES) else [_LEGEND]
    return [Line(say(text), _INDENT) for text in texts]


# --- the event of the turn (X4) --------------------------------------------------------------------------------------------


def _event_lines(g: Fields) -> list[str]:
    text = event_text(g)
    return ["", *labelled(say("event of {side}:", side=mark(g, g.player)), text)] if text else []


def event_text(g: Fields) -> str:
    """Describe the event tile that was revealed and has not taken full effect; empty without one."""
    p = g.player
    kind = NONE if p == NOBODY else g.event[p]
    if kind == NONE:
        return ""
    phase, timing = g.phase, g.timing
    now = say("now, ") if phase in (Phase.BEFORE, Phase.AFTER) else ""
    when = say("before or after" if timing == NONE else Timing(timing).name.lower())
    x, y, center = g.zone
    zone = say("({x}, {y}) and the cells beside it" if center else "the cells beside ({x}, {y})", x=x, y=y)
    received = say("; SP received so far: {n}", n=g.received) if g.stage == Stage.PAY else ""
    sentence = "{event} takes effect {when} the action; zone: {zone}"
    return say(sentence, event=say(EVENT_NAMES[kind]), when=now + when, zone=zone) + received


# --- supply, stacks, deck and discard pile ---------------------------------------------------------------------------------


def _piles(g: Fields) -> list[str]:
    discard = names_in(g.discard)
    owed = say("; still to be drawn: {n}", n=g.draws) if g.draws and g.stage != Stage.SPLIT else ""
    exhausted = f", {say(EXHAUSTED[g.exhaustions])}" if g.exhaustions else ""
    lines = labelled(say("tile supply:"), f"{say.counted(g.supply_size, 'tile')}{exhausted}{owed}")
    if g.stage == Stage.SPLIT:
        lines += labelled(say("to be drawn:"), split_text(g))
    if names_in(g.returned):
        lines += labelled(say("given back:"), " ".join(names_in(g.returned)))
    if stacks := _stacks(g):
        lines += labelled(say("stacks:"), "; ".join(stacks))
    lines += labelled(say("deck:"), say.counted(g.deck_size, "card"))
    return lines + labelled(
        say("discard pile:"), f"{say.counted(len(discard), 'card')}{': ' if discard else ''}{' '.join(discard)}"
    )


def split_text(g: Fields) -> str:
    """Describe how a draw has been split so far (X0.1)."""
    chosen = g.split
    parts = []
    for color, letter in enumerate(COLOR_LETTERS):
        parts += [name for name in names_in(g.prestige) if name[0] == letter][: chosen[color]]
    for choice, thing in ((Split.NEW_BUILDING, "new building"), (Split.GREEN_SPACE, "green space")):
        parts += [say.counted(chosen[choice], thing)] if chosen[choice] else []
    return say("{parts}; rights left: {n}", parts=", ".join(parts) or say("nothing chosen yet"), n=g.draws)


def _stacks(g: Fields) -> list[str]:
    """Describe the stacks of modules 1 to 3."""
    stacks = {
        Module.NEW_BUILDINGS: say.counted(g.n_new_buildings, "new building"),
        Module.PRESTIGE: say("prestige {tiles}", tiles=" ".join(names_in(g.prestige)) or "-"),
        Module.GREEN_SPACES: say.counted(g.green_stack, "green space"),
    }
    return [text for module, text in stacks.items() if with_module(g, module)]
