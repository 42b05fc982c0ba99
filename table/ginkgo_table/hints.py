"""Hints, previews of actions and reviews of finished games, from what the seat may know or knew."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ginkgo_agents.analysis import Decision, Option, analyze
from ginkgo_agents.base import Agent
from ginkgo_agents.registry import suggested_agents_for
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.playback import Playback
from ginkgo_env.records import Record, replay
from ginkgo_table.live import LiveGame

WORLDS, TOP = 32, 5


def hint_agents(game: Game) -> list[str]:
    """Return the agents that give hints in a game, the best first: ``search`` and those that it suggests."""
    return ["search", *(name for name in reversed(suggested_agents_for(game)) if name != "random")]


def hint(live: LiveGame, agent: str, *, worlds: int = WORLDS, top: int = TOP) -> dict[str, Any]:
    """Return the best actions of the seat whose turn it is, as ``Analysis.to_dict`` does, with ids.

    Worlds are sampled from what that seat may know, so a hint reveals nothing hidden. A position always gives the same hint.
    Raises AnalysisError when the game is over, ConfigError for an unknown agent.
    """
    return hint_at(live.game, live.state, agent, worlds=worlds, top=top)


def hint_at(
    game: Game, state: States, agent: str | Agent, name: str | None = None, *, worlds: int = WORLDS, top: int = TOP
) -> dict[str, Any]:
    """Return a hint for a state, by an agent or its name; ``name`` replaces the agent's name in the hint."""
    analysis = analyze(game.position(state), agent, worlds=worlds, top=top, game=game)
    analysis = analysis if name is None else replace(analysis, agent=name)
    decision, data = analysis.decisions[0], analysis.to_dict()
    rows = data["decisions"][0]["actions"]
    actions = [{"id": option.id, **row} for option, row in zip(decision.options, rows, strict=True)]
    return {
        "agent": analysis.agent,
        "unit": analysis.unit,
        "meaning": analysis.meaning,
        "seat": decision.seat,
        "actions": actions,
    }


# --- previews of the results of an action before it is chosen -----------------------------------------------------------------


PREVIEW_WORLDS = 8
"""The number of worlds in which the action is tried; each resamples what the seat cannot know."""


def preview_at(game: Game, state: States, action: int) -> dict[str, Any]:
    """Return the results of a legal action for the seat whose turn it is.

    The game is played on until the seat decides again, or the round is over.

    Worlds are resampled from what the seat may know, and others choose at random, so a preview reveals nothing hidden. A position
    always gives the same preview: the points of the seat by source, the total first, and its counters, such as coins, each as
    ``{"name", "before", "least", "most"}``, with the lowest and the highest value over all worlds.
    """
    seat = int(game.actor(state)[0])
    batch = Batch(game, PREVIEW_WORLDS)
    batch.set_states(np.arange(PREVIEW_WORLDS), np.repeat(state, PREVIEW_WORLDS).view(np.recarray), check=False)
    batch.resample(seat, seed=0)
    after = [_played(game, batch.state(k), seat, action, k) for k in range(PREVIEW_WORLDS)]
    return {"sources": _changes(game, _points, state, after, seat), "counters": _changes(game, _counters, state, after, seat)}


def _changes(
    game: Game, count: Callable[[Game, States, int], dict[str, int]], before: States, after: Sequence[States], seat: int
) -> list[dict[str, Any]]:
    """Return the counts before, and their lowest and highest values afterwards."""
    new = [count(game, state, seat) for state in after]
    return [
        {"name": name, "before": n, "least": min(each[name] for each in new), "most": max(each[name] for each in new)}
        for name, n in count(game, before, seat).items()
    ]


def _played(game: Game, state: States, seat: int, action: int, seed: int) -> States:
    """Return the state after an action, in one world."""
    playback, chance, number = Playback(game), random.Random(seed), game.round_of(state)
    playback.continue_from(state)
    playback.play(action)
    while playback.actor not in (seat, None) and game.round_of(playback.states) == number:
        playback.play(int(chance.choice(np.flatnonzero(playback.mask[0]))))
    return playback.state()


def _points(game: Game, state: States, seat: int) -> dict[str, int]:
    """Return a seat's points as the game would be scored now: the total, then by source."""
    own = game.points(state)[0][seat].tolist()
    return {"total": sum(own), **dict(zip(game.sources, own, strict=True))}


def _counters(game: Game, state: States, seat: int) -> dict[str, int]:
    return dict(game.presenter.counters(state, seat))


# --- reviews of finished games: what a seat could expect, and what its decisions lost ----------------------------------------


REVIEW_WORLDS, REVIEW_SECONDS = 64, 60.0
"""Worlds for each decision, and the processor time after which a review ends with the decisions done until then."""


def review(
    record: Record, seat: int, agent: str | Agent, progress: Callable[[int, int], None] = lambda done, of: None
) -> dict[str, Any]:
    """Return what a seat could expect before each decision, and its largest mistakes, as JSON data.

    All values are estimates of the agent, in worlds that are sampled from what the seat knew when it decided: see
    ``ginkgo_agents.analyze``.

    progress : called with the number of decisions done and of all decisions

    Raises AnalysisError if the seat made no decision.
    """
    end = time.thread_time() + REVIEW_SECONDS

    def proceed(done: int, of: int) -> None:
        progress(done, of)
        if time.thread_time() > end:
            raise KeyboardInterrupt  # the analysis returns what is done

    analysis = analyze(record, agent, seat, worlds=REVIEW_WORLDS, progress=proceed)
    states = [step.state for step in replay(record)]
    (player,) = analysis.players
    return {
        "unit": analysis.unit,
        "complete": analysis.complete,
        "course": [[decision.step, *decision.value] for decision in analysis.decisions],
        "end": None if analysis.end is None else analysis.end[seat],
        "steps": sum("action" in line for line in record.lines),
        "best": player.best,
        "decisions": player.decisions,
        "mistakes": [_mistake(record.game, states[(decision.step or 1) - 1], decision) for decision in player.worst],
    }


def _mistake(game: Game, state: States, decision: Decision) -> dict[str, Any]:
    """Return a decision that lost something: what was chosen, what would have been better and by how much."""
    taken = decision.taken or decision.best

    def action(option: Option) -> dict[str, Any]:
        (choice,) = game.presenter.choices(state, [option.id])
        return {"text": option.action, "picks": [list(pick) for pick in choice.picks.items()], "sentence": choice.sentence}

    chosen = {"step": decision.step, "round": decision.round, "taken": action(taken)}
    return {**chosen, "best": action(decision.best), "loss": taken.loss.mean, "low": taken.loss.low, "high": taken.loss.high}
