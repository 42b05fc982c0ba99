"""The agent that looks one action ahead with a trained network, without torch.

``training/README.md`` describes its training.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.base import WORLDS, Agent, DecisionBatch, ResamplingAgent, best_actions, probabilities_of
from ginkgo_agents.checkpoints import (
    Checkpoint,
    Settings,
    columns_in,
    networks_of,
    read_checkpoint,
    read_settings,
    require_arrays,
    require_fit,
)
from ginkgo_agents.nets import Net, evaluate_many, net_of, net_shapes
from ginkgo_agents.registry import make_agent
from ginkgo_env.core.afterstates import Afterstates
from ginkgo_env.core.errors import ConfigError, join_names, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.imports import code_in
from ginkgo_env.core.layout import Layout
from ginkgo_env.core.rewards import MARGIN_UNIT, OUTCOME_UNIT, WIN_SHARE, Reward, chosen_reward, require_final

KIND = "lookahead"
LAYOUTS = ("actions", "features")
"""The layouts of a game that a checkpoint depends on."""


class NetSettings(Settings, frozen=True):
    """The settings from which the networks are rebuilt, besides the game.

    hidden : number of units of each of the two hidden layers
    without, critic_without : blocks of the features that the scorer and the critic do not read
    reward : what the networks estimate. Empty: win and margin; otherwise the name of the reward that both outputs estimate
    """

    hidden: int
    without: tuple[str, ...]
    critic_without: tuple[str, ...]
    reward: str = ""


_LARGEST_TAU = 20.0
_LARGEST_WEIGHT = 1e6
_RARE = 1e-9  # lower bound of the probabilities of a prior, which may be wrong


def win_share(game: Game) -> float:
    """The weight of winning in the outcome; the rest is the margin. It is 0 in games with one side."""
    return WIN_SHARE if game.sides > 1 else 0.0


def outcome_of(game: Game, win: NDArray[np.float32], margin: NDArray[np.float32]) -> NDArray[np.float32]:
    """The reward ``outcome`` of finished games from the rewards ``win`` and ``margin``.

    In games with one side the margin is the score.
    """
    share = win_share(game)
    return np.asarray(share * win + (1 - share) * np.tanh(margin * (MARGIN_UNIT / OUTCOME_UNIT)), np.float32)


def outcomes_of(after: Afterstates, game: Game, seats: NDArray[np.int64], reward: Reward | None) -> NDArray[np.float32]:
    """The values (N, K) of finished games to the deciding seats (rows,), -1 to 1.

    reward : the reward, clipped to -1..1; None for the reward ``outcome``
    """
    if reward is None:
        return outcome_of(game, after.win, after.margin)
    return np.clip(after.rewards(reward, seats), -1, 1)


def estimated_reward(reward: Reward | str, sides: int) -> Reward | None:
    """The reward that networks estimate; None for an empty one, which means win and margin.

    Raises ConfigError for one that does not exist, and for one that is not paid at the end.
    """
    chosen = chosen_reward(reward, sides) if reward else None
    require_final(chosen)
    if chosen == "score":
        raise ConfigError("invalid reward 'score', which is paid at each step; expected win, margin, outcome or module:function")
    return chosen


def reward_to_play_with(stored: str, passed: Reward | str) -> Reward | None:
    """The reward of a checkpoint; None for win and margin.

    stored : its name in the file, which is never imported because a file names it
    passed : the reward that the user has passed again; empty if none

    Raises ConfigError if a function has not been passed.
    """
    if passed and not stored:
        raise ConfigError(f"invalid reward {short_repr(passed)}: the networks estimate win and margin, no other reward")
    if [*code_in(stored)] and not passed:
        raise ConfigError(
            f"a checkpoint of the reward {short_repr(stored)} plays only with it; pass it, as in agent.npz:reward=module:function"
        )
    return estimated_reward(passed or stored, 2)


def used_columns(layout: Layout, without: Sequence[str]) -> NDArray[np.int64]:
    """The indices of the features outside the blocks `without`."""
    columns = [i for name, block in layout.items() if name not in without for i in range(block.start, block.stop)]
    return np.array(columns, np.int64)


def estimates_of(net: Net, turn: DecisionBatch, features: NDArray[np.float32]) -> NDArray[np.float32]:
    """Evaluate features (n, m) by a network: win and margin (n, 2), each -1 to 1."""
    outputs = np.empty((len(features), 2), np.float32)
    turn.threads.run(evaluate_many, len(features), features, net, outputs)
    return outputs


def expectation_of(outputs: NDArray[np.float32], game: Game) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Chances to win (rows,) and margins in points (rows,) by the outputs (rows, 2) of a critic.

    A shared first place counts as its share of the win. In games with one side the margin is the score.
    """
    margin = np.arctanh(np.clip(outputs[:, 1], -0.999, 0.999)) * OUTCOME_UNIT
    return win_chance(outputs[:, 0], game.sides), margin.astype(np.float32)


def win_chance(win: NDArray[np.float32], sides: int) -> NDArray[np.float32]:
    """Convert expected rewards ``win`` (n,) to probabilities of winning (n,).

    A shared first place counts as its share.
    """
    others = max(1, sides - 1)  # a loss is -1 / others
    return np.asarray(np.clip((win + 1 / others) / (1 + 1 / others), 0, 1), np.float32)


def value_of(outputs: NDArray[np.float32], game: Game) -> NDArray[np.float64]:
    """Chances to win (rows,) by outputs (rows, 2) of a critic, or final scores in games with one side."""
    chance, margin = expectation_of(outputs, game)
    return (chance if game.sides > 1 else margin).astype(np.float64)


class LookaheadAgent(ResamplingAgent):
    """Plays the action with the best afterstates on average over resampled worlds, by a trained network.

    Each legal action is played on to the end of the round in each of a few worlds. A finished game counts with its outcome, any
    other with the estimate of the network. Ties go to the action with the lower id. An action depends on its own row alone.

    checkpoint : a checkpoint of ``ginkgo train lookahead``, or the path of its file
    worlds : number of resampled worlds for each decision
    prior : another agent, or its name; its log-probabilities times `prior_weight` are added to the logits, which are the
        expected outcomes times exp(tau)
    reward : the reward function, or ``module:function``, of a checkpoint that was trained with one
    prior_weight : 0 to 10**6
    """

    plays_mixtures = True

    def __init__(
        self,
        checkpoint: str | Path | Checkpoint,
        worlds: int = WORLDS,
        prior: Agent | str | None = None,
        reward: Reward | str = "",
        prior_weight: float = 1.0,
    ) -> None:
        self.checkpoint = checkpoint if isinstance(checkpoint, Checkpoint) else read_checkpoint(checkpoint)
        self.layouts = self.checkpoint.options
        super().__init__(worlds)
        if not isinstance(prior, Agent | str | None):
            raise ConfigError(f"prior must be an agent or its name, got {short_repr(prior)}")
        if not 0 <= prior_weight <= _LARGEST_WEIGHT:
            raise ConfigError(f"invalid prior_weight {short_repr(prior_weight)}; expected 0..{_LARGEST_WEIGHT:g}")
        self.prior_weight = float(prior_weight)
        self.prior = make_agent(prior, self.checkpoint.game) if isinstance(prior, str) else prior
        self.reward = reward_to_play_with(self._read_networks(), reward)
        self.tau = float(self.checkpoint.arrays["tau"])
        if not abs(self.tau) <= _LARGEST_TAU:
            raise ConfigError(f"invalid array 'tau' of {self.tau:g}; expected {-_LARGEST_TAU:g}..{_LARGEST_TAU:g}")
        self._last: tuple[Game, dict[str, Net]] | None = None

    def _read_networks(self) -> str:
        """Read settings and networks; returns the name of the reward.

        Raises ConfigError if they are of another kind of agent or do not fit.
        """
        self._settings = read_settings(self.checkpoint, KIND, NetSettings)
        arrays, hidden = self.checkpoint.arrays, self._settings.hidden
        shapes = net_shapes(arrays, "scorer", hidden) | net_shapes(arrays, "critic", hidden)
        require_arrays(arrays, {"tau": (), **shapes}, ("scorer.columns", "critic.columns"))
        return self._settings.reward

    def _estimates(self, name: str, turn: DecisionBatch, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """Evaluate features (n, m) by the network ``scorer`` or ``critic``: win and margin (n, 2), each -1 to 1."""
        return estimates_of(self._nets(turn.game)[name], turn, features)

    def check(self, game: Game) -> None:
        """Raise ConfigError unless the checkpoint and the prior fit the game."""
        self._require_fit(game)
        if self.prior is not None:
            self.prior.check(game)

    def identity(self, game: Game) -> dict[str, Any]:
        """The digests of the networks that the agent reads."""
        return networks_of(self.checkpoint, game, self.prior)

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn."""
        after, logits = self.logits(turn)
        return best_actions(after, logits)

    def probabilities(self, turn: DecisionBatch) -> NDArray[np.float64]:
        """The probability (rows, A) of each action, as in training."""
        after, logits = self.logits(turn)
        return probabilities_of(after, logits, turn.masks.shape)

    def logits(self, turn: DecisionBatch) -> tuple[Afterstates, NDArray[np.float64]]:
        """The afterstates, and the logit (N,) of each legal action."""
        after, values = self.values(turn)
        logits = math.exp(self.tau) * values.astype(np.float64)
        if self.prior is not None:
            rows = np.repeat(np.arange(len(turn)), np.diff(after.offsets))
            logits += self.prior_weight * np.log(np.maximum(self.prior.probabilities(turn)[rows, after.actions], _RARE))
        return after, logits

    def values(self, turn: DecisionBatch) -> tuple[Afterstates, NDArray[np.float32]]:
        """The afterstates, and the expected outcome or reward (N,) of each legal action, -1 to 1."""
        turn = turn.with_layouts_of(self.checkpoint.options)
        self._require_fit(turn.game)
        after = turn.afterstates(self.worlds)
        n, worlds, size = after.views.shape
        outputs = self._estimates("scorer", turn, after.views.reshape(-1, size))
        share = win_share(turn.game)
        expected = (share * outputs[:, 0] + (1 - share) * outputs[:, 1]).reshape(n, worlds)
        return after, np.where(after.done, outcomes_of(after, turn.game, turn.seats, self.reward), expected).mean(axis=1)

    def expectation(self, turn: DecisionBatch) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Estimate the probability of winning (rows,) and the margin in points (rows,).

        See :func:`expectation_of`.
        """
        turn = turn.with_layouts_of(self.checkpoint.options)
        self._require_fit(turn.game)
        return expectation_of(self._estimates("critic", turn, turn.features()), turn.game)

    def value(self, turn: DecisionBatch) -> NDArray[np.float64] | None:
        """The probability of winning (rows,) by the critic, or the final score in games with one side.

        None if the critic estimates another reward.
        """
        if self.reward is not None:
            return None
        self._require_fit(turn.game)
        return value_of(self._estimates("critic", turn, turn.features()), turn.game)

    def critic_for(self, game: Game) -> Net | None:
        """The critic as it reads the features of a game. Raises ConfigError if it does not fit the game."""
        return self._nets(game)["critic"]

    def _require_fit(self, game: Game) -> None:
        """Raise ConfigError unless the checkpoint fits the game."""
        self._nets(game)

    def _nets(self, game: Game) -> dict[str, Net]:
        """Scorer and critic as they read the features of a game; those of the last game are cached."""
        last = self._last
        if last is None or last[0] is not game:
            require_fit(self.checkpoint, game, LAYOUTS)
            nets = {}
            for name, without in (("scorer", self._settings.without), ("critic", self._settings.critic_without)):
                net = net_of(self.checkpoint.arrays, name)
                if not np.array_equal(net.columns, used_columns(self.checkpoint.trained.features, without)):
                    raise ConfigError(
                        f"invalid array '{name}.columns'; expected the features outside {join_names(map(short_repr, without))}"
                    )
                nets[name] = net._replace(columns=columns_in(self.checkpoint, game, "features", net.columns))
            self._last = last = game, nets
        return last[1]
