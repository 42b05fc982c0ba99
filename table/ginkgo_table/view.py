"""What one seat may see of a game in progress, as plain data: all that a page or a terminal gets to know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from typing import Any

from ginkgo_env.core.game import Game
from ginkgo_env.drawing.shapes import badges, hues
from ginkgo_env.render.viewer.parts import body
from ginkgo_table.live import LiveGame

View = dict[str, Any]


def view_of(live: LiveGame, view: int | None) -> View:
    """The game as a view sees it, ready for JSON.

    Everything comes from what the game tells that seat: ``Game.picture``, ``describe``, ``visible``, ``Presenter.choice`` and the
    points that all know. So two states that differ only in what the seat cannot know give the same view.
    """
    game, state = live.game, live.state
    picture = game.picture(state, view, live.names, since=live.since(view))
    deciding = live.actor if live.actor is not None and live.actor == view else None
    return {
        **_head(live, view),
        "round": game.round_of(state),
        "picture": {"width": picture.width, "height": picture.height, "body": body(picture)},
        "told": picture.description,
        "log": [{"round": told.round, "choices": told.choices, "said": told.said} for told in live.log(view)],
        "scores": scores_of(live),
        "actor": live.actor,
        "decision": None if deciding is None else decision_of(live, deciding),
        "result": result_of(live),
    }


def _head(live: LiveGame, view: int | None) -> View:
    """What does not change while the game goes on."""
    game = live.game
    return {
        "game": game.name,
        "title": game.title + (f" ({game.variant})" if game.variant else ""),
        "options": [[name, text] for name, text in chosen_options(game).items()],
        "seat": view,
        "seats": game.seats,
        "names": list(live.names),
        "agents": [place.agent for place in live.places] + [None] * (game.sides - game.seats),
        "badges": badges(game),
        "hues": hues(game),
    }


def chosen_options(game: Game) -> dict[str, str]:
    """Options that somebody has chosen, with values in few words: the number of players, and what is not the default."""
    usual = _usual(type(game))
    chosen = [name for name, value in asdict(game.config).items() if name == "players" or value != usual[name]]
    return {name: text for name, text in game.option_texts(game.config_dict).items() if name in chosen}


@cache
def _usual(cls: type[Game]) -> dict[str, Any]:
    """The default of each option, from a game of its own, which is not to be made anew for each view."""
    return asdict(cls().config)  # of all options: the configuration as records have it may leave some out


def decision_of(live: LiveGame, seat: int) -> View:
    """What the seat that decides can choose from.

    ``number`` counts the seat's own decisions, so that an answer to an earlier question is recognized.
    """
    game, state = live.game, live.state
    actions = []
    for action in live.legal():
        choice = game.presenter.choice(state, action)
        picks = [[group, name] for group, name in choice.picks.items()]
        actions.append({"id": action, "text": game.action_text(state, action), "picks": picks, "places": list(choice.places)})
    return {"number": live.decided(seat), "kind": game.decisions[int(game.kind(state)[0])], "actions": actions}


def scores_of(live: LiveGame) -> list[View]:
    """For each side its points by source, as the game would be scored now with what all know."""
    outcome, sources = live.game.outcome(live.state), live.game.sources
    return [
        {"total": total, "sources": [_source(name, points[name]) for name in sources]}
        for total, points in zip(outcome.scores, outcome.breakdown, strict=True)
    ]


def _source(name: str, points: Any) -> View:
    """A source of points; those that are itemized with their items, which have a name or just a number."""
    if isinstance(points, Mapping):
        items = [[str(key), int(value)] for key, value in points.items()]
    elif isinstance(points, list | tuple):
        items = [[str(k + 1), int(value)] for k, value in enumerate(points)]
    else:
        return {"name": name, "points": int(points), "items": []}
    return {"name": name, "points": sum(value for _, value in items), "items": items}


def result_of(live: LiveGame) -> View | None:
    """How the game ended; None as long as it goes on."""
    if not live.over:
        return None
    outcome = live.game.outcome(live.state)
    return {"ending": outcome.ending, "scores": list(outcome.scores), "winners": list(outcome.winners)}
