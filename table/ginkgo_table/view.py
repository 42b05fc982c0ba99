"""Plain data about a game in progress as one seat may see it, for pages and the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from typing import Any

from ginkgo_env.core.game import OBSERVER, Game
from ginkgo_env.pictures.presenter import Rows
from ginkgo_env.pictures.svg import OWN, Box
from ginkgo_env.pictures.viewer.page import PREFIX, body
from ginkgo_env.pictures.widgets import badges, hues
from ginkgo_table.live import HistoryEntry, LiveGame

View = dict[str, Any]


def view_of(live: LiveGame, view: int | None) -> View:
    """Return a game as a view sees it, as JSON data.

    All of it comes from what the game shows that seat: ``Presenter.areas``, ``Game.describe``, ``visible``, ``Presenter.choice``
    and the public points. So states that the seat cannot distinguish give the same data.
    """
    game, state = live.game, live.seen_state(view)
    return {
        **_head(live, view),
        "round": game.round_of(state),
        "picture": picture_of(live, view),
        "description": game.describe(state, view, live.names),
        "log": [_logged(entry) for entry in live.history(view)],
        "scores": scores_of(live),
        "actor": None if live.is_simultaneous else live.actor,
        "simultaneous": live.is_simultaneous,
        "pending": [] if view is None else live.pending_texts(view),
        "decision": None if view is None or live.decision(view) is None else decision_of(live, view),
        "result": result_of(live),
    }


def picture_of(live: LiveGame, view: int | None) -> View:
    """Return the drawing of the table in areas."""
    areas = live.game.presenter.areas(live.seen_state(view), view, live.names, since=live.last_seen(view))
    return {
        "board": _box(areas.board),
        "hand": _rows(areas.hand),
        "sides": [_rows(rows) for rows in areas.sides],
        "table": _rows(areas.table),
    }


def _box(box: Box) -> View:
    return {"width": box.width, "height": box.height, "body": box.body.replace(OWN, PREFIX)}


def _rows(rows: Rows) -> list[Any]:
    """Return rows that are not empty, with their names."""
    drawn = {name: [_box(box) for box in boxes if box.width] for name, boxes in rows.items()}
    return [[name, boxes] for name, boxes in drawn.items() if boxes]


def moment_of(live: LiveGame, view: int | None, number: int) -> View:
    """Return an earlier moment as a view may know it: the whole picture, and a text.

    It is the moment after entry ``number`` of the view's history, with the changes of that entry marked.
    """
    entries = live.history(view)
    since = live.state_after(entries[number - 1].played) if number else None
    picture = live.game.picture(live.state_after(entries[number].played), view, live.names, since=since)
    drawn = {"width": picture.width, "height": picture.height, "body": body(picture)}
    return {"picture": drawn, "description": picture.description}


def _logged(entry: HistoryEntry) -> View:
    """Return a step: its sentences or who has chosen, and the picks of an action without sentences."""
    sentences = entry.sentences
    picks = [] if sentences else entry.picks
    return {"round": entry.round, "seats": [seat for seat, _ in entry.choices], "picks": picks, "sentences": sentences}


def _head(live: LiveGame, view: int | None) -> View:
    """Return the data that do not change during the game."""
    game = live.game
    return {
        "game": game.name,
        "title": game.title + (f" ({game.variant})" if game.variant else ""),
        "options": [[name, text] for name, text in chosen_options(game).items()],
        "seat": None if view == OBSERVER else view,
        "seats": game.seats,
        "names": list(live.names),
        "agents": [assignment.agent for assignment in live.seats] + [None] * (game.sides - game.seats),
        "badges": badges(game),
        "hues": hues(game),
    }


def chosen_options(game: Game) -> dict[str, str]:
    """Return the number of players and the options that are not the default, with short texts."""
    defaults = _defaults(type(game))
    chosen = [name for name, value in asdict(game.config).items() if name == "players" or value != defaults[name]]
    return {name: text for name, text in game.option_texts(game.config_dict).items() if name in chosen}


@cache
def _defaults(cls: type[Game]) -> dict[str, Any]:
    """Return the default of each option; cached, as it makes a game."""
    return asdict(cls().config)  # ``config_dict`` may leave options out


def decision_of(live: LiveGame, seat: int) -> View:
    """Return the legal actions of a seat that has to decide.

    ``number`` counts the seat's own decisions, so that an outdated answer is recognized. Actions with a note come last.
    """
    decision = live.decision(seat)
    assert decision is not None
    game, state = live.game, decision.state
    actions = []
    for action, choice in zip(decision.legal, game.presenter.choices(state, decision.legal), strict=True):
        picks = [[group, name] for group, name in choice.picks.items()]
        text, shown = game.action_text(state, action), {"places": list(choice.places), "note": choice.note}
        actions.append({"id": action, "text": text, "picks": picks, "sentence": choice.sentence, **shown})
    actions.sort(key=lambda action: action["note"] != "")
    return {"number": live.decision_count(seat), "kind": game.decisions[int(game.kind(state)[0])], "actions": actions}


def scores_of(live: LiveGame) -> list[View]:
    """Return the points of each side by source, as the game would be scored now with public information."""
    outcome, sources = live.game.outcome(live.state), live.game.sources
    return [
        {"total": total, "sources": [_source(name, points[name]) for name in sources]}
        for total, points in zip(outcome.scores, outcome.breakdown, strict=True)
    ]


def _source(name: str, points: Any) -> View:
    """Return the points of a source with its items, if it has any, by name or number."""
    if isinstance(points, Mapping):
        items = [[str(key), int(value)] for key, value in points.items()]
    elif isinstance(points, list | tuple):
        items = [[str(k + 1), int(value)] for k, value in enumerate(points)]
    else:
        return {"name": name, "points": int(points), "items": []}
    return {"name": name, "points": sum(value for _, value in items), "items": items}


def result_of(live: LiveGame) -> View | None:
    """Return how the game ended; None while it is in progress."""
    if not live.is_over:
        return None
    outcome = live.game.outcome(live.state)
    return {"ending": outcome.ending, "scores": list(outcome.scores), "winners": list(outcome.winners)}
