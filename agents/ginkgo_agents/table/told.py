"""What a terminal tells of a game in progress: news, choices, scores, hints. All of it is what one view may know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ginkgo_agents.table.live import LiveGame, Told
from ginkgo_agents.table.picking import Item, Picking
from ginkgo_agents.table.pieces import Grid, Kind, Piece, Shown
from ginkgo_agents.table.view import scores_of
from ginkgo_agents.table.words import Wording, in_columns

_SHORTEST = 6


def opening(live: LiveGame, words: Wording) -> Iterator[Piece]:
    """What is played and by whom."""
    game = live.game
    title = game.title + (f" ({game.variant})" if game.variant else "")
    options = ", ".join(f"{_option(words, name)} {text}" for name, text in game.option_texts(game.config_dict).items())
    yield Piece(words("welcome", title=title, options=options), Kind.STRONG, 4)
    for name, what in game.named_values.items():
        yield Piece(words("own_design", what=f"{name} ({what})"), Kind.DIM, 4)
    yield Piece(words("places", places="; ".join(_places(live, words))), indent=4)


def _option(words: Wording, name: str) -> str:
    return words.note("option", name) or name


def _places(live: LiveGame, words: Wording) -> Iterator[str]:
    for seat, (name, place) in enumerate(zip(live.names, live.places, strict=False)):
        if place.agent is None:
            yield words("place.person", name=name, seat=seat)
        else:
            yield words("place.agent", name=name, seat=seat, agent=place.agent)
    yield from (words("place.automaton", name=name) for name in live.names[live.game.seats :])


def news(log: Sequence[Told], since: int, names: Sequence[str], words: Wording) -> Iterator[Piece]:
    """What a log tells from an entry on, with a heading where a round begins."""
    before = log[since - 1].round if since else None
    for number, told in enumerate(log[since:], since):
        if number == 0 or (told.round is not None and told.round != before):
            yield Piece(words("round", number=told.round) if told.round else words("setup"), Kind.STRONG)
        before = told.round
        for seat, action in told.choices:
            yield Piece(words("chosen", name=names[seat]) if action is None else f"{names[seat]}: {action}")
        for sentence in told.said:
            yield Piece(f"    {sentence}", indent=6)


# --- choices ---------------------------------------------------------------------------------------------------------------


def choices(picking: Picking, words: Wording, width: int) -> Iterator[Piece]:
    """The numbered list to choose from."""
    items = picking.items
    if picking.in_steps:
        yield Piece(_heading(picking, words), Kind.DIM)
    lines = [_line(number, item, picking, words, len(str(len(items)))) for number, item in enumerate(items, 1)]
    if all(_plain(item, picking, words) for item in items):
        yield Piece("\n".join(in_columns(lines, width)))
    else:
        indent = len(str(len(items))) + 4
        yield from (Piece(line, indent=indent) for line in lines)


def _heading(picking: Picking, words: Wording) -> str:
    groups = dict.fromkeys(item.pick[0] for item in picking.items if item.pick is not None)
    group = " / ".join(words.label("group", group) for group in groups)
    return words("next", group=group) if picking.taken else words("in_steps", n=len(picking.left), group=group)


def _plain(item: Item, picking: Picking, words: Wording) -> bool:
    """Whether an item is told by its name alone."""
    return not _more(item, picking, words) and (item.pick is not None or bool(_name(item, picking, words)))


def _line(number: int, item: Item, picking: Picking, words: Wording, digits: int) -> str:
    more = _more(item, picking, words)
    return f" {number:>{digits}}  {_name(item, picking, words)}" + (f"  {more}" if more else "")


def _name(item: Item, picking: Picking, words: Wording) -> str:
    if item.pick is not None:
        return item.pick[1]
    return words("alone") if picking.taken else item.offers[0].text


def _more(item: Item, picking: Picking, words: Wording) -> str:
    """What an item is called besides its name, and what goes with it."""
    if item.pick is None:
        return ", ".join(text for pick in item.offers[0].picks if not picking.taken and (text := words.pick(pick)))
    rests = picking.rest(item)
    if len(rests) == 1 and not rests[0]:
        return words.pick(item.pick)
    told = ["+".join(words.pick(pick) or pick[1] for pick in rest) or words("alone") for rest in rests]
    own = words.pick(item.pick)
    return (f"{own}: " if own else "") + (", ".join(told) if any(" " in one for one in told) else " ".join(told))


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
            if brought := [f"{item} {points}" for item, points in itemized if points]:
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
    yield Piece(words("hint.note", meaning=found["meaning"]), Kind.DIM)


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
    yield Piece(words("over", ending=words.label("ending", str(outcome.ending))), Kind.STRONG)
    if live.game.sides == 1:
        yield Piece(words("alone_score", name=live.names[0], score=outcome.scores[0]), Kind.STRONG)
        return
    names = [live.names[side] for side in outcome.winners]
    yield Piece(words("wins" if len(names) == 1 else "share", names=words.joined(names)), Kind.STRONG)


def joined(texts: Iterable[str]) -> str:
    """Texts as lines."""
    return "\n".join(texts)
