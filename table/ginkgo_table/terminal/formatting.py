"""Text blocks about a game in progress, from what one view may know: history, choices and so on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from ginkgo_agents.registry import agent_names
from ginkgo_agents.strengths import levels
from ginkgo_env.core.errors import plain, truncate
from ginkgo_table.live import HistoryEntry, LiveGame
from ginkgo_table.terminal.selection import InputError, MenuItem, Selection
from ginkgo_table.terminal.translator import Grid, Output, TextBlock, TextKind, Translator, in_columns
from ginkgo_table.view import chosen_options, scores_of

_MIN_NAME_WIDTH = 6
_MEANINGS = {
    "win": "The chance to win after this action, with its 95 % interval.",
    "score": "The points that would be expected at the end after this action, with its 95 % interval.",
}
"""What the values of a hint mean, by their unit."""


def opening(live: LiveGame, translate: Translator) -> Iterator[TextBlock]:
    """Introduce the game, its options and its players."""
    game = live.game
    title = game.title + (f" ({game.variant})" if game.variant else "")
    chosen = chosen_options(game).items()
    options = "; ".join(f"{translate.label('option', name)}: {_option_value(name, text, translate)}" for name, text in chosen)
    yield TextBlock(translate("{title}: {options}", title=title, options=options) if options else title, TextKind.STRONG, 4)
    for name, description in game.named_values.items():
        yield TextBlock(translate("With {what}.", what=_design(name, description, translate)), TextKind.DIM, 4)
    yield TextBlock(translate("At the table: {players}", players="; ".join(_players(live, translate))), indent=4)


def _design(name: str, description: str, translate: Translator) -> str:
    """Describe a value such as ``board own``: by the game's own text in English, else by its label."""
    option, _, value = name.partition(" ")
    label = translate.get(f"value:{option}:{value}") if translate.language != "en" else ""
    return f"{translate.label('option', option)}: {label}" if label else f"{name} ({description})"


def _option_value(option: str, text: str, translate: Translator) -> str:
    """Translate the value of an option; a list, such as modules, item by item."""
    return translate.get(f"value:{option}:{text}") or ", ".join(
        translate.label("value", option, value) for value in text.split(",")
    )


def _players(live: LiveGame, translate: Translator) -> Iterator[str]:
    known = levels(live.game, agent_names(live.game.name))
    for seat, (name, assignment) in enumerate(zip(live.names, live.seats, strict=False)):
        if assignment.agent is None:
            yield translate("{name} (seat {seat}, at this keyboard)", name=name, seat=seat)
        else:
            agent = assignment.agent
            if level := known.get(agent):
                word = translate.label("level", level)
                agent = word if name.startswith(agent) else f"{word} ({agent})"
            yield translate("{name} (seat {seat}, computer player: {agent})", name=name, seat=seat, agent=agent)
    yield from (translate("{name} (automaton)", name=name) for name in live.names[live.game.seats :])


def history(entries: Sequence[HistoryEntry], since: int, names: Sequence[str], translate: Translator) -> Iterator[TextBlock]:
    """Format the history from an entry on, with a heading for each round."""
    before = entries[since - 1].round if since else None
    for number, entry in enumerate(entries[since:], since):
        if number == 0 or (entry.round is not None and entry.round != before):
            yield TextBlock(
                translate("Round {number}", number=entry.round) if entry.round else translate("Setup"), TextKind.STRONG
            )
        before = entry.round
        for seat, action in entry.choices:
            yield TextBlock(translate("{name} has chosen", name=names[seat]) if action is None else f"{names[seat]}: {action}")
        for sentence in entry.narration[translate.language]:
            yield TextBlock(f"    {sentence}", indent=6)


# --- choices ---------------------------------------------------------------------------------------------------------------


def choices(selection: Selection, translate: Translator, width: int) -> Iterator[TextBlock]:
    """Format the numbered list to choose from."""
    items = selection.items
    if selection.is_stepwise:
        yield TextBlock(_heading(selection, translate), TextKind.DIM)
    digits = len(str(len(items)))
    texts = [" ".join([_item_text(item, selection, translate), *([f"({item.note})"] if item.note else [])]) for item in items]
    lines = [f" {number:>{digits}}  {text}" for number, text in enumerate(texts, 1)]
    for is_narrow, run in groupby(lines, lambda line: len(line) < width // 2):
        if is_narrow:
            yield TextBlock("\n".join(in_columns(run, width)))
        else:
            yield from (TextBlock(line, indent=digits + 4) for line in run)


def _heading(selection: Selection, translate: Translator) -> str:
    groups = dict.fromkeys(item.pick[0] for item in selection.items if item.pick is not None)
    group = " / ".join(translate.label("group", group) for group in groups)
    if selection.picks:
        return translate("Then: {group}", group=group)
    return translate("{n} actions are possible. First: {group}", n=len(selection.remaining), group=group)


def _item_text(item: MenuItem, selection: Selection, translate: Translator) -> str:
    """Format an item: its name, its translation, and the picks that can follow."""
    if item.pick is None:
        picks = () if selection.picks else item.actions[0].picks
        name = translate("nothing more") if selection.picks else item.actions[0].text
        return "  ".join([name, ", ".join(text for pick in picks if (text := translate.pick_note(pick)))]).rstrip()
    name = translate.describe_pick(item.pick)
    rests = ["+".join(translate.pick_note(pick) or pick[1] for pick in rest) for rest in selection.rest(item)]
    if not any(rests):
        return name
    texts = [rest or translate("nothing more") for rest in rests]
    return f"{name}: {', '.join(texts) if any(' ' in text for text in texts) else ' '.join(texts)}"


def input_error(error: InputError, selection: Selection, translate: Translator) -> str:
    """Explain why input is unknown or ambiguous, and list the possibilities."""
    text, possible, start = truncate(plain(error.text)), translate.some(error.candidates), plain(error.prefix)
    picks = ", ".join(map(translate.describe_pick, selection.picks))
    if error.is_excluded:
        return translate("{text} does not go with what is picked ({picks}): u takes that back.", text=text, picks=picks)
    if error.prefix == error.text:
        return translate("{text} can be: {possible}", text=text, possible=possible)
    problem = "{text} is not possible here. Possible: {possible}"
    if start:
        problem = "{text} is not possible. Beginning with {start}: {possible}"
    problem = translate(problem, text=text, start=start, possible=possible)
    back = translate("u takes back {picks}", picks=picks)
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
    rows.append([translate("Total"), *(str(side["total"]) for side in sides)])
    name_width = max(_MIN_NAME_WIDTH, (width - max(len(row[0]) for row in rows)) // len(sides) - 2)
    return Grid([translate("Source"), *(name[:name_width] for name in live.names)], rows)


def score_details(live: LiveGame, translate: Translator) -> Iterator[TextBlock]:
    """Explain the sources of points, and list the items of those that have any."""
    sides = scores_of(live)
    for k, name in enumerate(live.game.sources):
        note, items = translate.get(f"note:{name}"), [side["sources"][k]["items"] for side in sides]
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
    yield translate.block("What {agent} thinks:", TextKind.STRONG, agent=advice["agent"])
    yield Grid([translate("Action"), translate("Chance %" if win else "Points"), translate("Behind the best")], rows)
    meaning = translate(_MEANINGS.get(advice["unit"], advice["meaning"]))
    yield translate.block("± and brackets: 95 % intervals. {meaning}", TextKind.DIM, meaning=meaning)


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
    ending = translate.get(f"ending:{outcome.ending}")
    yield TextBlock(f"{translate('The game is over.')} {ending}".strip(), TextKind.STRONG)
    if live.game.sides == 1:
        yield translate.block("{name} has {score} points.", TextKind.STRONG, name=live.names[0], score=outcome.scores[0])
        return
    names = [live.names[side] for side in outcome.winners]
    yield translate.block(
        "{names} wins." if len(names) == 1 else "{names} share the first place.", TextKind.STRONG, names=translate.joined(names)
    )
    if outcome.is_tie_broken and (tie_break := translate.get("tie_break")):
        yield TextBlock(tie_break)


# --- descriptions, folded to the rows of a screen -----------------------------------------------------------------------------


Sections = list[list[str]]
"""The parts of a description between blank lines, as lines."""


def sections_of(text: str) -> Sections:
    """Return the sections of a description; the first one is its headline."""
    return [part.strip("\n").split("\n") for part in re.split(r"\n{2,}", text.strip("\n"))]


def by_importance(text: str, order: Sequence[str]) -> list[int]:
    """Rank the sections of a description after its headline, by expressions for how important ones begin."""
    sections = sections_of(text)

    def rank(section: int) -> int:
        return next((k for k, start in enumerate(order) if re.match(start, sections[section][0])), len(order))

    return sorted(range(1, len(sections)), key=rank)


def folded(text: str, rows: int, reserved: int, ranked: Sequence[int], note: Callable[[int, int], str], width: int) -> str:
    """Return a description in at most ``rows`` lines, or in one line for each section.

    All sections keep their first line. The remaining rows go to the sections in order of importance.

    Parameters
    ----------
    rows : the rows of the screen for the description
    reserved : the rows to keep free if possible without folding the most important section
    ranked : the sections but the headline, the most important first
    note : returns the end of a folded section, given its number (from 1) and its number of missing lines
    """
    if text.count("\n") + 1 <= rows - reserved:
        return text
    sections = sections_of(text)
    least = len(sections[0]) + (len(sections[ranked[0]]) + len(ranked) - 1 if ranked else 0)
    free = min(rows, max(rows - reserved, least)) - len(sections)
    shown = [1] * len(sections)
    for k in [0, *ranked]:
        extra = max(0, min(len(sections[k]) - 1, free))
        shown[k], free = 1 + extra, free - extra
    return "\n".join(line for k, lines in enumerate(sections) for line in _cut(lines, shown[k], k + 1, note, width))


def _cut(lines: list[str], shown: int, number: int, note: Callable[[int, int], str], width: int) -> list[str]:
    """Return the first lines of a section, the last of them with a note if there are more."""
    if shown == len(lines):
        return lines
    end = note(number, len(lines) - shown)
    return [*lines[: shown - 1], f"{lines[shown - 1][: width - len(end) - 1]} {end}"]
