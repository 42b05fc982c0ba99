"""How strong agents are and what a decision costs, as ``benchmarks/agents.py`` measured it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

from ginkgo_agents.registry import suggested_agents
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game
from ginkgo_env.core.strict_json import StrictStruct, convert, parse
from ginkgo_env.registry import game_class, make_game

YARDSTICK = "lookahead:version=1"
"""The opponents of all agents; alone, Ginkgopolis is played against William at the advanced level, and My City for points."""
PATH = Path(str(files(__package__).joinpath("strengths.json")))
BUDGETS = (0.1, 1.0, 10.0, 50.0)
"""Milliseconds a decision, for which the strongest agents are listed."""


class Strength(StrictStruct):
    """What one agent reached in one configuration.

    games : number of games
    value : share in the wins of one seat against the yardstick in all others, or mean score alone in My City, with the ends of
        its 95 % interval
    milliseconds : processor time of a decision, where many games are played together
    """

    game: str
    config: dict[str, Any]
    agent: str
    games: int
    value: list[float]
    milliseconds: float

    @property
    def text(self) -> str:
        """The value with its interval: ``64.5 % [57.6, 70.8]``, or points without a sign."""
        scale, unit = (1, "") if (self.game, self.config["players"]) == ("my_city", 1) else (100, " %")
        mean, low, high = (scale * end for end in self.value)
        return f"{mean:.1f}{unit} [{low:.1f}, {high:.1f}]"


@cache
def read_strengths() -> tuple[Strength, ...]:
    """All measurements; empty if there are none yet."""
    return tuple(convert(parse(PATH.read_text("utf-8")), list[Strength])) if PATH.exists() else ()


def strongest(strengths: Sequence[Strength], milliseconds: float) -> Strength | None:
    """The strongest agent in one configuration whose decisions cost at most this; None if there is none."""
    return max((one for one in strengths if one.milliseconds <= milliseconds), key=lambda one: one.value[0], default=None)


LEVELS = ("easy", "medium", "strong", "strongest")
"""Words for the strength of an agent."""
_MEDIUM, _STRONG = 0.05, 0.8  # wins against the yardstick from which an agent is called so, as parts of an even share


def levels(game: Game, agents: Sequence[str]) -> dict[str, str | None]:
    """The agents by name, the weakest first, each with one of :data:`LEVELS`.

    The measurements are those with the same number of players; alone, those with two. An agent that was not measured counts as
    the one before it among the suggested agents. Others come last, with None.
    """
    players = max(2, game.seats)
    measured = [one for one in read_strengths() if one.game == game.name and one.config["players"] == players]
    shares = {one.agent: players * one.value[0] for one in measured}
    for weaker, name in pairwise(suggested_agents(game.name)):
        if weaker in shares:
            shares.setdefault(name, shares[weaker])
    best = max((shares[name] for name in agents if name in shares), default=math.inf)

    def word(share: float) -> str:
        return LEVELS[3 if share == best else (share >= _MEDIUM) + (share >= _STRONG)]

    ordered = sorted(agents, key=lambda name: shares.get(name, math.inf))
    return {name: word(shares[name]) if name in shares else None for name in ordered}


def listed_games(name: str, players: int | None, every: bool) -> list[Game]:
    """A game with this number of players, in all configurations that are measured, or with two players."""
    measured = [one.config for one in read_strengths() if one.game == name]
    configs = list({config["players"]: config for config in measured}.values()) or [{}]
    if players is not None:
        configs = [config for config in configs if config.get("players") == players] or [{"players": players}]
    elif not every:
        configs = [config for config in configs if config.get("players", 2) == 2]
    games = []
    for config in configs:
        with suppress(ConfigError):  # a game for other numbers of players
            games.append(make_game(game_class(name), **config))
    return games
