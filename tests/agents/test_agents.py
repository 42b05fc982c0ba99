"""What the agents do."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
import pytest

from ginkgo_agents.base import Agent, act
from ginkgo_agents.evaluation.matches import MatchConfig, play_match
from ginkgo_agents.ginkgopolis import EVENT_WEIGHTS, EXPERT_WEIGHTS, GreedyAgent, Weight, weights_of
from ginkgo_agents.pretrained import models_of
from ginkgo_agents.registry import agent_names, make_agent, register_agent
from ginkgo_env.core.errors import BatchError, ConfigError, IllegalActionError
from ginkgo_env.core.layout import Observation
from ginkgo_env.games.ginkgopolis.actions import ACTIONS, EXPANSION_ACTIONS
from ginkgo_env.games.ginkgopolis.components import IDS
from ginkgo_env.games.ginkgopolis.constants import N_TILES, NOBODY, Ending, EventTile, Expert, Stage
from ginkgo_env.games.ginkgopolis.game import Ginkgopolis

from ..ginkgopolis.cases import QUICK
from ..tiers import by_tier

GAME = "ginkgopolis"
GAMES = 12
CHOICES = ACTIONS["commit"].shape[1]
DONE = ACTIONS["return"].stop - 1
ALL = tuple(Ginkgopolis.modules)
CONFIGS = [
    *Ginkgopolis.configurations(),
    {"players": 2, "strict": True},
    {"players": 4, "max_rounds": 3},
    *({"players": 2 + k % 4, "modules": [module]} for k, module in enumerate(ALL)),
    {"players": 2, "strict": True, "modules": ALL},
]


PRETRAINED = ("lookahead", "ppo")
SLOW = {"lookahead": "", "search": ":simulations=2:horizon=1"}
"""Agents that take long, with options that make them faster."""


@pytest.mark.parametrize("config", by_tier(CONFIGS, QUICK[::2]), ids=str)  # greedy with modules is compiled by the longer runs
@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.full] * (n in SLOW)) for n in agent_names(GAME)])
def test_every_agent_plays_every_configuration(name, config, played):
    games, full_name = 2 if name in SLOW else GAMES, name + SLOW.get(name, "")
    agent, keys, step = make_agent(full_name), np.arange(games, dtype=np.uint64), 0
    one, two = played(0, games, **config), played(0, games, **config)
    if name in PRETRAINED and not models_of(name, one.game):
        with pytest.raises(ConfigError, match="train one"):
            act(agent, one, keys)
        return
    while not one.over.all():
        if step % 8 == 0:
            other = make_agent(full_name)  # knows nothing of what came before
        actions, step = act(agent, one, keys), step + 1
        assert np.array_equal(actions, act(other, two, keys))
        one.step(actions)  # raises for illegal actions
        two.step(actions)
        keys += np.uint64(1)


def test_random_is_uniform(played):
    batch = played(0, 1, players=2)
    batch.set_states([0], played(8, 1, players=2).states)
    rows = played(0, 3000, players=2)
    rows.set_states(np.arange(3000), np.repeat(batch.states, 3000).view(np.recarray))
    keys = np.random.default_rng(0).integers(2**63, size=3000).astype(np.uint64)
    counts = np.bincount(act(make_agent("random"), rows, keys), minlength=len(rows.mask[0]))
    legal = rows.mask[0] == 1
    assert not counts[~legal].any()
    expected = 3000 / legal.sum()
    assert ((counts[legal] - expected) ** 2 / expected).sum() < 3 * legal.sum()


WILLIAMS = [CONFIGS[2], {"players": 5, "setup": "introductory"}, {"players": 3, "strict": True}, {"players": 2, "modules": ALL}]


@pytest.mark.parametrize("config", WILLIAMS, ids=str)
def test_william_always_builds_if_he_can(config, played):
    batch, keys = played(0, 30, **config), np.arange(30, dtype=np.uint64)
    william, cards = make_agent("william"), []
    layout = EXPANSION_ACTIONS if "modules" in config else ACTIONS
    choices = layout["commit"].shape[1]
    while not batch.over.all():
        actions = act(william, batch, keys)
        for row in np.flatnonzero(~batch.over):
            kind, mask = batch.kind[row], batch.mask[row]
            if kind == Stage.COMMIT:
                block, place = layout.locate(int(actions[row]))
                assert block.name == "commit"  # never a New Hand
                card, choice = place
                assert (choice > 0) == bool(mask[card * choices + 1 : (card + 1) * choices].any())
                cards.append(card)
            elif kind == Stage.RETURN:
                assert actions[row] == layout["return"].stop - 1
        batch.step(actions)
        keys += np.uint64(30)
    share = np.bincount(cards) / len(cards)
    assert np.abs(share[:4] - 0.25).max() < 0.05  # any card of the hand


def test_greedy_uses_the_tall_building(played):
    """In the last round a card that brings forty points is worth more than all others; without resources nothing can be built."""
    batch = played(0, 60, players=2, setup="introductory")
    while (batch.states["rounds"] < 8).any():
        batch.step(np.where(batch.states["rounds"] < 8, batch.sample(), -1))
    last = (batch.kind == Stage.COMMIT) & (batch.states["cursor"] == 0)
    batch.step(np.where(last, batch.sample(), -1))
    right, seen = [], 0
    for row in np.flatnonzero((batch.kind == Stage.COMMIT) & (batch.states["cursor"] == 1)):
        state, seat = batch.state(row)[0], batch.actor[row]
        cards = [c for c in range(N_TILES) if int(state.hand[seat][c >> 6]) >> (c & 63) & 1]
        yellow = [c for c in cards if c >= IDS["Y1"]]
        if not yellow:
            continue
        seen += 1
        slot = int(np.flatnonzero(state.top[: state.n_buildings] == yellow[0])[0])
        state.floors[slot], state.owner[slot] = 40, NOBODY
        state.ending, state.resources[seat] = Ending.RESOURCES, 0
        batch.set_states([row], batch.state(row), check=False)  # more floors than tiles: a number that is only added and compared
        keys = np.full(batch.size, 3, np.uint64)
        action = act(make_agent("greedy"), batch, keys)[row]
        right.append(action // CHOICES == cards.index(yellow[0]))
    assert seen > 10
    assert all(right)


def test_greedy_gives_tiles_back_when_the_game_is_over_anyway(played):
    batch = played(0, 200, players=2)
    for _ in range(120):
        batch.step(np.where(batch.kind == Stage.RETURN, -1, batch.sample()))
    rows = np.flatnonzero(batch.kind == Stage.RETURN)
    batch.states["ending"][rows] = Ending.RESOURCES
    actions = act(GreedyAgent(worlds=32), batch, np.arange(200, dtype=np.uint64))[rows]
    assert rows.size > 20
    assert (actions != DONE).mean() > 0.9


def test_greedy_beats_random_and_william():
    for other in ("random", "william"):
        wins = play_match(MatchConfig(GAME, ("greedy", other)), 40, seed=1, threads=2).wins[:, :, 0]
        assert wins.mean() > 0.9


def test_greedy_wins_more_alone_than_random_does():
    alone = {
        name: play_match(MatchConfig(GAME, (name,), {"players": 1}), 60, seed=1).wins[:, :, 0].mean()
        for name in ("random", "greedy")
    }
    assert alone["greedy"] > 0.3 > 0.1 > alone["random"]


def test_greedy_can_be_asked_what_it_thinks(played, turn_of):
    turn = turn_of(played(10, 5, players=3))
    values = GreedyAgent(worlds=2).values(turn)
    assert np.isfinite(values[turn.masks == 1]).all()
    assert np.isneginf(values[turn.masks == 0]).all()
    with pytest.raises(ConfigError, match=r"weights must be numbered 0\.\.23, got 24"):
        GreedyAgent(weights={len(Weight): 1.0})


def test_registry():
    class Last(Agent):
        def act(self, turn):
            seen = Observation(turn.game.observation, turn.observe())
            assert seen["decision"].sum(axis=1).all()
            return turn.masks.shape[1] - 1 - turn.masks[:, ::-1].argmax(axis=1)

    register_agent("last", Last)
    register_agent("last", Last)
    assert isinstance(make_agent("last"), Last)
    assert play_match(MatchConfig(GAME, ("last", "random")), 3, seed=0).deals == 3
    assert make_agent("ginkgo_agents.base:RandomAgent")
    with pytest.raises(ConfigError, match="duplicate agent 'last'"):
        register_agent("last", GreedyAgent)
    for bad, message in {
        "clever": "unknown agent 'clever'; expected one of: random, greedy, william",
        "no.such.module:Agent": "cannot be imported",
        "ginkgo_agents.base:Nothing": "cannot be imported",
        "builtins:dict": "is not a ginkgo_agents.Agent but dict",
    }.items():
        with pytest.raises(ConfigError, match=message):
            make_agent(bad)


def test_an_agent_that_is_held_out_is_not_listed():
    register_agent("examiner", GreedyAgent, games=[GAME], held_out=True)
    assert "examiner" not in agent_names(GAME) and make_agent("examiner", GAME).held_out
    assert not make_agent("greedy", GAME).held_out


def test_agents_of_a_game():
    register_agent("tester", GreedyAgent, games=["checkers", "go"])
    register_agent("tester", GreedyAgent, games=("checkers", "go"))
    assert {"random", "greedy", "william"} <= {*agent_names(GAME)}
    assert "tester" in agent_names("go") and "tester" not in agent_names(GAME)
    assert "random" in agent_names("go") and not {"greedy", "william"} & {*agent_names("go")}
    assert make_agent("tester", "go")
    for name, game in (("tester", GAME), ("william", "go"), ("greedy", "go")):
        with pytest.raises(ConfigError, match=f"agent '{name}' does not play {game}; agents that do: random"):
            make_agent(name, game)
    with pytest.raises(ConfigError, match="does not play ginkgopolis"):
        play_match(MatchConfig(GAME, ("tester", "random")), 1, seed=0)
    with pytest.raises(ConfigError, match="duplicate agent 'tester'"):
        register_agent("tester", GreedyAgent)


def test_weights_are_those_of_the_tables():
    assert len(EXPERT_WEIGHTS) == len(Expert) and len(EVENT_WEIGHTS) == len(EventTile)
    assert EXPERT_WEIGHTS[-1] == max(Weight)  # the last ones: no expert reads beyond them
    eleventh = IntEnum("Expert", [*Expert.__members__, "ECOLOGIST"], start=0)
    with pytest.raises(TypeError, match=r"weights from ARTIST on must be those of Expert: ARTIST, .*, ECOLOGIST"):
        weights_of(eleventh, Weight.ARTIST)
    other = IntEnum("EventTile", ["DESIGN", "PRESS", "CONTROL", "EXPROPRIATION"], start=0)
    with pytest.raises(TypeError, match="weights from DESIGN on"):
        weights_of(other, Weight.DESIGN)


class Bad(Agent):
    """Returns whatever it was told to."""

    answer: object = 0

    def act(self, turn):
        return self.answer


@pytest.mark.parametrize(
    ("answer", "error", "sentence"),
    [
        (0, BatchError, r"Bad must return integers of shape \(2,\), got int64 of shape \(\)"),
        (np.zeros(2), BatchError, "Bad must return .* got float64"),
        (np.array([0, 9999]), IllegalActionError, "2 players: bad, bad: row 0: action 0"),
    ],
)
def test_what_an_agent_does_wrong_is_said(answer, error, sentence, monkeypatch):
    monkeypatch.setattr(Bad, "answer", answer)
    register_agent("bad", Bad)
    with pytest.raises(error, match=sentence):
        play_match(MatchConfig(GAME, ("bad", "bad")), 1, seed=0)
