"""Text blocks about a game in progress, from what one view may know: history, choices, scores, hints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from ginkgo_env.core.errors import plain, short
from ginkgo_table.live import HistoryEntry, LiveGame
from ginkgo_table.terminal.output import Grid, Output, TextBlock, TextKind
from ginkgo_table.terminal.selection import InputError, MenuItem, Selection
from ginkgo_table.terminal.translator import Translator, in_columns
from ginkgo_table.view import chosen_options, scores_of

_MIN_NAME_WIDTH = 6


def opening(live: LiveGame, translate: Translator) -> Iterator[TextBlock]:
    """Introduce the game, its options and its players."""
    game = live.game
    title = game.title + (f" ({game.variant})" if game.variant else "")
    chosen = chosen_options(game).items()
    options = "; ".join(f"{translate.label('option', name)}: {_option_value(name, text, translate)}" for name, text in chosen)
    yield TextBlock(translate("welcome", title=title, options=options) if options else title, TextKind.STRONG, 4)
    for name, description in game.named_values.items():
        yield TextBlock(translate("own_design", what=_design(name, description, translate)), TextKind.DIM, 4)
    yield TextBlock(translate("places", places="; ".join(_places(live, translate))), indent=4)


def _design(name: str, description: str, translate: Translator) -> str:
    """Describe a value such as ``board own``: by the game's own text in English, else by its label."""
    option, _, value = name.partition(" ")
    label = translate.note("value", option, value) if translate.language != "en" else ""
    return f"{translate.label('option', option)}: {label}" if label else f"{name} ({description})"


def _option_value(option: str, text: str, translate: Translator) -> str:
    """Translate the value of an option; a list, such as modules, item by item."""
    return translate.note("value", option, text) or ", ".join(
        translate.label("value", option, value) for value in text.split(",")
    )


def _places(live: LiveGame, translate: Translator) -> Iterator[str]:
    for seat, (name, place) in enumerate(zip(live.names, live.places, strict=False)):
        if place.agent is None:
            yield translate("place.person", name=name, seat=seat)
        else:
            yield translate("place.agent", name=name, seat=seat, agent=place.agent)
    yield from (translate("place.automaton", name=name) for name in live.names[live.game.seats :])


def history(entries: Sequence[HistoryEntry], since: int, names: Sequence[str], translate: Translator) -> Iterator[TextBlock]:
    """Format the history from an entry on, with a heading for each round."""
    before = entries[since - 1].round if since else None
    for number, entry in enumerate(entries[since:], since):
        if number == 0 or (entry.round is not None and entry.round != before):
            yield TextBlock(translate("round", number=entry.round) if entry.round else translate("setup"), TextKind.STRONG)
        before = entry.round
        for seat, action in entry.choices:
            yield TextBlock(translate("chosen", name=names[seat]) if action is None else f"{names[seat]}: {action}")
        for sentence in entry.said[translate.language]:
            yield TextBlock(f"    {sentence}", indent=6)


# --- choices ---------------------------------------------------------------------------------------------------------------


def choices(selection: Selection, translate: Translator, width: int) -> Iterator[TextBlock]:
    """Format the numbered list to choose from."""
    items = selection.items
    if selection.is_stepwise:
        yield TextBlock(_heading(selection, translate), TextKind.DIM)
    digits = len(str(len(items)))
    lines = [f" {number:>{digits}}  {_item_text(item, selection, translate)}" for number, item in enumerate(items, 1)]
    for is_narrow, run in groupby(lines, lambda line: len(line) < width // 2):
        if is_narrow:
            yield TextBlock("\n".join(in_columns(run, width)))
        else:
            yield from (TextBlock(line, indent=digits + 4) for line in run)


def _heading(selection: Selection, translate: Translator) -> str:
    groups = dict.fromkeys(item.pick[0] for item in selection.items if item.pick is not None)
    group = " / ".join(translate.label("group", group) for group in groups)
    return translate("next", group=group) if selection.picks else translate("in_steps", n=len(selection.remaining), group=group)


def _item_text(item: MenuItem, selection: Selection, translate: Translator) -> str:
    """Format an item: its name, its translation, and the picks that can follow."""
    if item.pick is None:
        picks = () if selection.picks else item.actions[0].picks
        name = translate("alone") if selection.picks else item.actions[0].text
        return "  ".join([name, ", ".join(text for pick in picks if (text := translate.pick_note(pick)))]).rstrip()
    name = translate.describe_pick(item.pick)
    rests = ["+".join(translate.pick_note(pick) or pick[1] for pick in rest) for rest in selection.rest(item)]
    if not any(rests):
        return name
    texts = [rest or translate("alone") for rest in rests]
    return f"{name}: {', '.join(texts) if any(' ' in text for text in texts) else ' '.join(texts)}"


def input_error(error: InputError, selection: Selection, translate: Translator) -> str:
    """Explain why input is unknown or ambiguous, and list the possibilities."""
    text, possible, start = short(plain(error.text)), translate.some(error.candidates), plain(error.prefix)
    picks = ", ".join(map(translate.describe_pick, selection.picks))
    if error.is_excluded:
        return translate("elsewhere", text=text, picks=picks)
    if error.prefix == error.text:
        return translate("several", text=text, possible=possible)
    problem = translate("none_like" if start else "none", text=text, start=start, possible=possible)
    back = translate("undo_hint", picks=picks)
    return f"{problem} ({back})" if picks else problem


# --- scores and hints --------------------------------------------------------------------------------------------------------


def scores(live: LiveGame, translate: Translator, width: int) -> Grid:
    """Tabulate the points of each side by source; sources without points are left out."""
    sides = scores_of(live)
    rows = []
    for k, name in enumerate(live.game.sources):
        points = [side["sources"][k]["points"] for side in sides]
        if any(points):
            rows.append([translate.label("source", name), *map(str, points)])
    rows.append([translate("total"), *(str(side["total"]) for side in sides)])
    name_width = max(_MIN_NAME_WIDTH, (width - max(len(row[0]) for row in rows)) // len(sides) - 2)
    return Grid([translate("source"), *(name[:name_width] for name in live.names)], rows)


def score_details(live: LiveGame, translate: Translator) -> Iterator[TextBlock]:
    """Explain the sources of points, and list the items of those that have any."""
    sides = scores_of(live)
    for k, name in enumerate(live.game.sources):
        note, items = translate.note("note", name), [side["sources"][k]["items"] for side in sides]
        if note:
            yield TextBlock(f"{translate.label('source', name)}: {note}", TextKind.DIM, 2)
        for player, itemized in zip(live.names, items, strict=True):
            if texts := [f"{item}: {points}" for item, points in itemized if points]:
                yield TextBlock(f"  {translate.label('source', name)}, {player}: {', '.join(texts)}", indent=4)


def hint(advice: dict[str, Any], translate: Translator) -> Iterator[Output]:
    """Tabulate the actions that an agent recommends, with their values."""
    win = advice["unit"] == "win"
    rows = [
        [row["action"], _interval(row, "", win), "-" if row is advice["actions"][0] else _interval(row, "loss", win)]
        for row in advice["actions"]
    ]
    yield TextBlock(translate("hint", agent=advice["agent"]), TextKind.STRONG)
    yield Grid([translate("hint.action"), translate("hint.win" if win else "hint.score"), translate("hint.loss")], rows)
    meaning = translate.note(f"table.unit_{advice['unit']}") or advice["meaning"]
    yield TextBlock(translate("hint.note", meaning=meaning), TextKind.DIM)


def _interval(row: dict[str, Any], name: str, win: bool) -> str:
    """Format a mean with its 95 % interval."""
    keys = (name or "value", f"{name}_low" if name else "low", f"{name}_high" if name else "high")
    mean, low, high = (row[key] for key in keys)
    if low is None or high is None or mean is None:
        return "?" if mean is None else f"{mean * (100 if win else 1):.1f}"
    scale = 100 if win else 1
    return f"{mean * scale:.1f} ({low * scale:.1f} .. {high * scale:.1f})"


def result(live: LiveGame, translate: Translator) -> Iterator[TextBlock]:
    """Format how the game ended and who won."""
    outcome = live.game.outcome(live.state)
    yield TextBlock(" ".join([translate("over"), translate.note("ending", outcome.ending or "")]).strip(), TextKind.STRONG)
    if live.game.sides == 1:
        yield TextBlock(translate("alone_score", name=live.names[0], score=outcome.scores[0]), TextKind.STRONG)
        return
    names = [live.names[side] for side in outcome.winners]
    yield TextBlock(translate("wins" if len(names) == 1 else "share", names=translate.joined(names)), TextKind.STRONG)
    if outcome.is_tie_broken and (tie_break := translate.note("tie_break")):
        yield TextBlock(tie_break)
