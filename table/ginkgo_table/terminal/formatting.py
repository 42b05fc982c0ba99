"""What a terminal tells of a game in progress: news, choices, scores, hints. All of it is what one view may know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from ginkgo_env.core.errors import plain, short
from ginkgo_table.live import HistoryEntry, LiveGame
from ginkgo_table.terminal.output import Grid, Kind, Piece, Shown
from ginkgo_table.terminal.picking import Item, Picking, UnclearError
from ginkgo_table.terminal.words import Wording, in_columns
from ginkgo_table.view import chosen_options, scores_of

_SHORTEST = 6


def opening(live: LiveGame, words: Wording) -> Iterator[Piece]:
    """What is played and by whom."""
    game = live.game
    title = game.title + (f" ({game.variant})" if game.variant else "")
    told = chosen_options(game).items()
    options = "; ".join(f"{words.label('option', name)}: {_value(name, text, words)}" for name, text in told)
    yield Piece(words("welcome", title=title, options=options) if options else title, Kind.STRONG, 4)
    for name, what in game.named_values.items():
        yield Piece(words("own_design", what=_design(name, what, words)), Kind.DIM, 4)
    yield Piece(words("places", places="; ".join(_places(live, words))), indent=4)


def _design(name: str, what: str, words: Wording) -> str:
    """What a value such as ``board own`` adds to the game: what the game says, in English, or in other languages its label."""
    option, _, value = name.partition(" ")
    told = words.note("value", option, value) if words.language != "en" else ""
    return f"{words.label('option', option)}: {told}" if told else f"{name} ({what})"


def _value(option: str, text: str, words: Wording) -> str:
    """The value of an option; several, such as modules, one by one."""
    return words.note("value", option, text) or ", ".join(words.label("value", option, one) for one in text.split(","))


def _places(live: LiveGame, words: Wording) -> Iterator[str]:
    for seat, (name, place) in enumerate(zip(live.names, live.places, strict=False)):
        if place.agent is None:
            yield words("place.person", name=name, seat=seat)
        else:
            yield words("place.agent", name=name, seat=seat, agent=place.agent)
    yield from (words("place.automaton", name=name) for name in live.names[live.game.seats :])


def news(log: Sequence[HistoryEntry], since: int, names: Sequence[str], words: Wording) -> Iterator[Piece]:
    """What a log tells from an entry on, with a heading where a round begins."""
    before = log[since - 1].round if since else None
    for number, told in enumerate(log[since:], since):
        if number == 0 or (told.round is not None and told.round != before):
            yield Piece(words("round", number=told.round) if told.round else words("setup"), Kind.STRONG)
        before = told.round
        for seat, action in told.choices:
            yield Piece(words("chosen", name=names[seat]) if action is None else f"{names[seat]}: {action}")
        for sentence in told.sentences:
            yield Piece(f"    {sentence}", indent=6)


# --- choices ---------------------------------------------------------------------------------------------------------------


def choices(picking: Picking, words: Wording, width: int) -> Iterator[Piece]:
    """The numbered list to choose from."""
    items = picking.items
    if picking.in_steps:
        yield Piece(_heading(picking, words), Kind.DIM)
    digits = len(str(len(items)))
    lines = [f" {number:>{digits}}  {_told(item, picking, words)}" for number, item in enumerate(items, 1)]
    for narrow, run in groupby(lines, lambda line: len(line) < width // 2):
        if narrow:
            yield Piece("\n".join(in_columns(run, width)))
        else:
            yield from (Piece(line, indent=digits + 4) for line in run)


def _heading(picking: Picking, words: Wording) -> str:
    groups = dict.fromkeys(item.pick[0] for item in picking.items if item.pick is not None)
    group = " / ".join(words.label("group", group) for group in groups)
    return words("next", group=group) if picking.taken else words("in_steps", n=len(picking.left), group=group)


def _told(item: Item, picking: Picking, words: Wording) -> str:
    """An item by its name, what else it is called, and what goes with it."""
    if item.pick is None:
        said = () if picking.taken else item.offers[0].picks
        name = words("alone") if picking.taken else item.offers[0].text
        return "  ".join([name, ", ".join(text for pick in said if (text := words.pick(pick)))]).rstrip()
    name = words.picked(item.pick)
    rests = ["+".join(words.pick(pick) or pick[1] for pick in rest) for rest in picking.rest(item)]
    if not any(rests):
        return name
    told = [rest or words("alone") for rest in rests]
    return f"{name}: {', '.join(told) if any(' ' in one for one in told) else ' '.join(told)}"


def unclear(error: UnclearError, picking: Picking, words: Wording) -> str:
    """What is said about input that means nothing here or several things, with what is possible."""
    text, possible, start = short(plain(error.text)), words.some(error.possible), plain(error.start)
    picks = ", ".join(map(words.picked, picking.taken))
    if error.elsewhere:
        return words("elsewhere", text=text, picks=picks)
    if error.start == error.text:
        return words("several", text=text, possible=possible)
    said = words("none_like" if start else "none", text=text, start=start, possible=possible)
    back = words("undo_hint", picks=picks)
    return f"{said} ({back})" if picks else said


# --- scores and hints --------------------------------------------------------------------------------------------------------


def scores(live: LiveGame, words: Wording, width: int) -> Grid:
    """The points of each side by source; sources that brought nobody anything are left out."""
    sides = scores_of(live)
    rows = []
    for k, name in enumerate(live.game.sources):
        points = [side["sources"][k]["points"] for side in sides]
        if any(points):
            rows.append([words.label("source", name), *map(str, points)])
    rows.append([words("total"), *(str(side["total"]) for side in sides)])
    room = max(_SHORTEST, (width - max(len(row[0]) for row in rows)) // len(sides) - 2)
    return Grid([words("source"), *(name[:room] for name in live.names)], rows)


def explained(live: LiveGame, words: Wording) -> Iterator[Piece]:
    """What the sources of points are, and the items of those that have them."""
    sides = scores_of(live)
    for k, name in enumerate(live.game.sources):
        note, items = words.note("note", name), [side["sources"][k]["items"] for side in sides]
        if note:
            yield Piece(f"{words.label('source', name)}: {note}", Kind.DIM, 2)
        for who, itemized in zip(live.names, items, strict=True):
            if brought := [f"{item}: {points}" for item, points in itemized if points]:
                yield Piece(f"  {words.label('source', name)}, {who}: {', '.join(brought)}", indent=4)


def hinted(found: dict[str, Any], words: Wording) -> Iterator[Shown]:
    """The actions that an agent recommends, with what they are worth."""
    win = found["unit"] == "win"
    rows = [
        [one["action"], _interval(one, "", win), "-" if one is found["actions"][0] else _interval(one, "loss", win)]
        for one in found["actions"]
    ]
    yield Piece(words("hint", agent=found["agent"]), Kind.STRONG)
    yield Grid([words("hint.action"), words("hint.win" if win else "hint.score"), words("hint.loss")], rows)
    meaning = words.note(f"table.unit_{found['unit']}") or found["meaning"]
    yield Piece(words("hint.note", meaning=meaning), Kind.DIM)


def _interval(one: dict[str, Any], name: str, win: bool) -> str:
    """A mean with the ends of its 95 % interval."""
    keys = (name or "value", f"{name}_low" if name else "low", f"{name}_high" if name else "high")
    mean, low, high = (one[key] for key in keys)
    if low is None or high is None or mean is None:
        return "?" if mean is None else f"{mean * (100 if win else 1):.1f}"
    scale = 100 if win else 1
    return f"{mean * scale:.1f} ({low * scale:.1f} .. {high * scale:.1f})"


def verdict(live: LiveGame, words: Wording) -> Iterator[Piece]:
    """How the game ended and who won."""
    outcome = live.game.outcome(live.state)
    yield Piece(" ".join([words("over"), words.note("ending", outcome.ending or "")]).strip(), Kind.STRONG)
    if live.game.sides == 1:
        yield Piece(words("alone_score", name=live.names[0], score=outcome.scores[0]), Kind.STRONG)
        return
    names = [live.names[side] for side in outcome.winners]
    yield Piece(words("wins" if len(names) == 1 else "share", names=words.joined(names)), Kind.STRONG)
