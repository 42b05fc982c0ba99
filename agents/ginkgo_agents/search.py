"""The agent ``search``: sequential halving over the likeliest actions, in resampled worlds.

``docs/search_agent.md`` describes the method and its strength.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.base import Agent, DecisionBatch, Keys, nth_keys, probabilities_of
from ginkgo_agents.checkpoints import Checkpoint, networks_of, read_checkpoint, read_settings
from ginkgo_agents.lookahead import LookaheadAgent, estimates_of, reward_to_play_with, value_of, win_share
from ginkgo_agents.nets import Net
from ginkgo_agents.playouts import Playouts
from ginkgo_agents.policy import KIND, Policy, PolicySettings
from ginkgo_agents.registry import make_agent
from ginkgo_env.core.afterstates import LegalActions
from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import ConfigError, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.rewards import Reward

SCALE = 100.0
"""How many logits an expected outcome of 1 is worth."""
_SALT = 1 << 21  # the worlds of a search are not those of other lookahead in the same turn
_ROWS = 64  # rows searched together, which bounds memory
_TRICKLE = 2  # playouts of each action between two checks of the clock
SIMULATIONS = 256
"""The default number of playouts for a decision."""
_MOST = 10**9

Ids = NDArray[np.int64]
Play = Callable[[Ids, Ids, Keys], NDArray[np.float32]]
"""Plays actions (n,) in rows (n,) of a turn with random keys (n,); returns win and margin (n, 2), each -1 to 1."""


class SearchResult(NamedTuple):
    """The results of a search: N candidates over all rows, those of a row by decreasing logit.

    >>> import ginkgo_env
    >>> from ginkgo_agents import DecisionBatch
    >>> batch = ginkgo_env.Batch(ginkgo_env.make_game("my_city"), 4)
    >>> batch.reset(seed=7)
    >>> turn = DecisionBatch(batch, np.arange(2), keys=np.arange(2, dtype=np.uint64))
    >>> result = turn.search(SearchAgent(simulations=16))
    >>> len(result.chosen), int(result.visits.sum())
    (2, 32)
    """

    offsets: NDArray[np.int64]
    """(rows + 1,): the candidates of row i are at offsets[i] to offsets[i + 1] - 1."""
    actions: NDArray[np.int64]
    """(N,) ids."""
    logits: NDArray[np.float64]
    """(N,) logits before the search."""
    visits: NDArray[np.int64]
    """(N,) number of playouts; all candidates of a row met the same worlds as long as they were tried."""
    win: NDArray[np.float64]
    """(N,) mean reward ``win``, -1 to 1; 0 with one side and for candidates without a playout."""
    margin: NDArray[np.float64]
    """(N,) mean of tanh(margin in points / 30), or of tanh(score / 30) in games with one side."""
    values: NDArray[np.float64]
    """(N,) mean outcome, -1 to 1, see ``ginkgo_env.core.rewards``."""
    chosen: NDArray[np.int64]
    """(rows,) the chosen action, which is the last candidate left."""
    worlds: NDArray[np.int64]
    """(rows,) number of worlds."""
    scores: NDArray[np.float64]
    """(N,) logits after the search: logits + SCALE x values."""

    def probabilities(self, actions: int) -> NDArray[np.float64]:
        """The softmax (rows, actions) of the scores, an improved policy, for this number of actions."""
        shape = len(self.chosen), actions
        return probabilities_of(LegalActions(self.offsets, self.actions), self.scores, shape)

    def estimates(self) -> NDArray[np.float64]:
        """Expected win and margin (rows, 2) under the improved policy; NaN in rows without playouts."""
        rows, tried = len(self.chosen), self.visits > 0
        row, scores = np.repeat(np.arange(rows), np.diff(self.offsets))[tried], self.scores[tried]
        top = np.full(rows, -np.inf)
        np.maximum.at(top, row, scores)
        weights = np.exp(scores - top[row])
        total, *sums = (np.bincount(row, weights * each, rows) for each in (1.0, self.win[tried], self.margin[tried]))
        means = np.full((rows, 2), np.nan)
        np.divide(np.stack(sums, axis=1), total[:, None], out=means, where=total[:, None] > 0)
        return means


class Budget(NamedTuple):
    """How much a search may try."""

    simulations: int
    """Number of playouts for each row."""
    candidates: int
    """Largest number of actions of a row to try."""
    seconds: float | None = None
    """Time limit of the search of all rows, in place of a number of simulations."""


def halve(legal: LegalActions, logits: NDArray[np.float64], keys: Keys, play: Play, share: float, budget: Budget) -> SearchResult:
    """Search by sequential halving (Karnin et al. 2013).

    The candidates of a row are tried in the same worlds, each equally often; then the better half goes on, with new worlds, until
    one is left. The budget is shared equally among these stages.

    legal, logits : the actions and their logits (N,)
    keys : (rows,) random keys
    play : plays actions
    share : the weight of ``win`` in the outcome; that of the margin is the rest
    """
    rows, (simulations, candidates, seconds) = len(keys), budget
    row = np.repeat(np.arange(rows), np.diff(legal.offsets))
    order = np.lexsort((-logits, row))
    rank = np.arange(len(row)) - legal.offsets[row]
    kept = order[rank < candidates]
    row, actions, logits = row[kept], legal.actions[kept], logits[kept]
    totals, visits, worlds = np.zeros((len(row), 2)), np.zeros(len(row), np.int64), np.zeros(rows, np.int64)
    alive = np.ones(len(row), bool)
    weights = np.array([share, 1 - share])

    def scores() -> NDArray[np.float64]:
        return np.asarray(logits + SCALE * (totals / np.maximum(visits, 1)[:, None]) @ weights)

    def try_all(each: NDArray[np.int64]) -> None:
        """Play each remaining candidate in as many new worlds as its row says."""
        jobs = np.repeat(np.flatnonzero(alive), each[row[alive]])
        if not jobs.size:
            return
        first = np.flatnonzero(np.r_[True, jobs[1:] != jobs[:-1]])
        world = np.arange(len(jobs)) - np.repeat(first, np.diff(np.r_[first, len(jobs)])) + worlds[row[jobs]]
        streams = nth_keys(keys[row[jobs]] ^ nth_keys(world.astype(np.uint64), _SALT), 1)
        values = play(row[jobs], actions[jobs], streams)
        for k in range(2):
            totals[:, k] += np.bincount(jobs, values[:, k], len(row))
        visits[:] += np.bincount(jobs, minlength=len(row))
        worlds[:] += each

    count = np.bincount(row, minlength=rows)
    offsets = np.r_[0, np.cumsum(count)]
    stages = np.ceil(np.log2(np.maximum(count, 2))).astype(np.int64)
    n_stages = int(stages.max(initial=1))
    started = time.monotonic()
    for stage in range(n_stages):
        count = np.bincount(row[alive], minlength=rows)
        undecided = count > 1
        if not undecided.any():
            break
        if seconds is None:
            each = np.maximum(1, simulations // (stages * np.maximum(count, 1))) if simulations else np.zeros(rows, np.int64)
            try_all(np.where(undecided, each, 0))
        while seconds is not None:
            try_all(np.where(undecided, _TRICKLE, 0))
            if time.monotonic() - started >= seconds * (stage + 1) / n_stages:
                break
        order = np.lexsort((-scores(), ~alive, row))
        rank = np.empty(len(row), np.int64)
        rank[order] = np.arange(len(row)) - offsets[row[order]]
        alive &= rank < -(-count // 2)[row]
    mean = totals / np.maximum(visits, 1)[:, None]
    return SearchResult(
        offsets, actions, logits, visits, mean[:, 0], mean[:, 1], mean @ weights, actions[alive], worlds, scores()
    )


def joined(parts: Sequence[SearchResult]) -> SearchResult:
    """The results of several groups of rows, one after another."""
    offsets = np.cumsum([0, *(n for part in parts for n in np.diff(part.offsets))])
    return SearchResult(offsets, *(np.concatenate(arrays) for arrays in list(zip(*parts, strict=True))[1:]))


class SearchAgent(Agent):
    """Searches among its likeliest actions, by playouts of a policy network that a critic values.

    In a playout, the actions of other seats depend only on what those seats may see. An action depends on its own row alone.

    checkpoint : policy and optional critic from ``ginkgo train search``, or the path of the file; None: the game's own playouts
    root : an agent with ``logits(turn)``, or its name, that chooses and ranks the candidates, and has a ``critic`` for a
        checkpoint without one; by default the policy. Without either, all actions are candidates and playouts go to the end
    simulations : number of playouts for each decision; 0 plays the likeliest action
    milliseconds : time for each decision, in place of a number of playouts: a decision then depends on the machine
    horizon : rounds after which the critic values a playout, at the seat's next decision; in games without rounds own decisions
    candidates : largest number of actions to try
    temperature : of the policy in playouts; 0 plays its likeliest actions
    belief : see :class:`~ginkgo_agents.playouts.Playouts`
    reward : the reward function, or ``module:function``, of a checkpoint that was trained with one

    >>> SearchAgent(simulations=64, candidates=4)
    SearchAgent(simulations=64, horizon=4, candidates=4, temperature=0.3)
    """

    def __init__(
        self,
        checkpoint: Checkpoint | str | Path | None = None,
        *,
        root: Agent | str | None = None,
        simulations: int = SIMULATIONS,
        milliseconds: float | None = None,
        horizon: int = 4,
        candidates: int = 8,
        temperature: float = 0.3,
        belief: float | None = None,
        reward: Reward | str = "",
    ) -> None:
        self.simulations = integer(simulations, 0, _MOST, "simulations", ConfigError)
        self.horizon = integer(horizon, 0, _MOST, "horizon", ConfigError)
        self.candidates = integer(candidates, 1, _MOST, "candidates", ConfigError)
        if milliseconds is not None and not 0 < milliseconds < _MOST:
            raise ConfigError(f"invalid milliseconds {short_repr(milliseconds)}; expected a number above 0")
        for name, each in {"temperature": temperature, "belief": belief}.items():
            if each is not None and not 0 <= each < _MOST:
                raise ConfigError(f"invalid {name} {short_repr(each)}; expected at least 0")
        self.milliseconds, self.temperature, self.belief = milliseconds, float(temperature), belief
        self.checkpoint = read_checkpoint(checkpoint) if isinstance(checkpoint, str | Path) else checkpoint
        self.layouts = self.checkpoint.options if self.checkpoint else None
        self.root = make_agent(root) if isinstance(root, str) else root
        if not isinstance(self.root, Agent | None):
            raise ConfigError(f"root must be an agent or its name, got {short_repr(root)}")
        stored = read_settings(self.checkpoint, KIND, PolicySettings).reward if self.checkpoint else ""
        self.reward = reward_to_play_with(stored, reward)
        self._last: _Prepared | None = None
        self._timed_playouts = 0

    @property
    def timed_playouts(self) -> int:
        """Number of playouts so far, with ``milliseconds``; else 0."""
        return self._timed_playouts

    def check(self, game: Game) -> None:
        """Raise ConfigError unless the checkpoint and the root fit the game."""
        self._prepared(game)

    def identity(self, game: Game) -> dict[str, Any]:
        """The digests of the networks that the agent reads."""
        return networks_of(self.checkpoint, game, self.root)

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn."""
        return self.search(turn).chosen

    def probabilities(self, turn: DecisionBatch) -> NDArray[np.float64]:
        """The softmax (rows, A) of the candidates' scores: an improved policy."""
        return self.search(turn).probabilities(turn.masks.shape[1])

    def value(self, turn: DecisionBatch) -> NDArray[np.float64] | None:
        """The probability of winning (rows,) by the critic, or the score in games with one side.

        None if there is no critic, or if it estimates another reward.
        """
        prepared = self._prepared(turn.game)
        if prepared.critic is None or prepared.reward is not None:
            return None
        return value_of(estimates_of(prepared.critic, turn, turn.features()), turn.game)

    def fast_variant(self) -> Agent:
        """The root or, without one, the same agent without a search."""
        if self.root is not None:
            return self.root.fast_variant()
        return SearchAgent(self.checkpoint, simulations=0, reward=self.reward or "") if self.checkpoint else self

    def playouts(self, game: Game, decisions: int, *, again: bool = True) -> Playouts:
        """Playouts that the critic values after a number of own decisions, for values of positions.

        decisions : the number; 0 for playouts to the end of the game, as always if there is no critic or it estimates another
            reward
        again : whether the policy makes hidden choices of others again, at ``belief`` or else at its own temperature
        """
        game = game if self.layouts is None else game.with_layouts_of(self.layouts)
        return self._prepared(game).playouts_to(decisions, again)

    def search(self, turn: DecisionBatch) -> SearchResult:
        """Search, and return the values, visits and worlds of all candidates."""
        turn = turn if self.layouts is None else turn.with_layouts_of(self.layouts)
        prepared = self._prepared(turn.game)
        legal, logits = prepared.logits(turn)
        budget = Budget(self.simulations, self.candidates, self.milliseconds and self.milliseconds / 1000)
        parts, size = list[SearchResult](), 1 if self.milliseconds else _ROWS
        for start in range(0, len(turn), size):
            rows = slice(start, min(start + size, len(turn)))
            some = slice(*legal.offsets[[rows.start, rows.stop]])
            own = LegalActions(legal.offsets[rows.start : rows.stop + 1] - some.start, legal.actions[some])

            def play(chosen: Ids, actions: Ids, keys: Keys, first: int = start) -> NDArray[np.float32]:
                return prepared.playouts.values(turn, first + chosen, actions, keys)

            parts.append(halve(own, logits[some], turn.keys[rows], play, win_share(turn.game), budget))
        result = joined(parts)
        self._timed_playouts += int(result.visits.sum()) if self.milliseconds else 0
        return result

    def _prepared(self, game: Game) -> _Prepared:
        if self._last is None or self._last.game is not game:
            self._last = _Prepared(self, game)
        return self._last


class _Prepared:
    """The networks of an agent for one game."""

    def __init__(self, agent: SearchAgent, game: Game) -> None:
        self.game, root = game, agent.root
        if root is not None:
            root.check(game)
            root = root.agent_for(game) if hasattr(root, "agent_for") else root  # pretrained agents have one for each game
            if not hasattr(root, "logits"):
                raise ConfigError(f"invalid root {type(root).__name__}; expected an agent with logits, such as lookahead")
        policy = Policy(agent.checkpoint, game) if agent.checkpoint else None
        self.critic = policy.critic if policy and policy.critic else None
        if self.critic is None and isinstance(root, LookaheadAgent):
            self.critic = root.critic_for(game)
        self.reward: Reward | None = agent.reward if policy and policy.critic else getattr(root, "reward", None)
        self._net, self._temperature = policy.net if policy else None, agent.temperature
        self._belief = agent.belief if agent.belief is not None else policy.belief if policy else 1.0
        self.playouts = self._playouts(self.critic, agent.horizon, reward=self.reward, belief=agent.belief)
        self._root: Any = policy if root is None else root

    def playouts_to(self, decisions: int, again: bool) -> Playouts:
        """See :meth:`SearchAgent.playouts`."""
        critic = self.critic if decisions and self.reward is None else None
        return self._playouts(critic, decisions, by_rounds=False, belief=self._belief if again else None)

    def _playouts(self, critic: Net | None, horizon: int, **options: Any) -> Playouts:
        return Playouts(self.game, self._net, critic, horizon, self._temperature, **options)

    def logits(self, turn: DecisionBatch) -> tuple[LegalActions, NDArray[np.float64]]:
        """The legal actions, and the logit (N,) of each."""
        if self._root is None:
            legal = turn.legal_actions()
            return legal, np.zeros(len(legal.actions))
        found, logits = self._root.logits(turn)
        return LegalActions(found.offsets, found.actions), logits
