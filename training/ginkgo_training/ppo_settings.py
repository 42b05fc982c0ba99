"""The settings of PPO."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any

from ginkgo_agents.agents.network import NetworkSettings
from ginkgo_env.core.errors import ConfigError


@dataclass(frozen=True)
class OpponentSettings:
    """Who plays the other seats.

    Before each rollout each of these seats draws anew, from the seed and the rollout's number:

    * with probability ``baseline_share`` one of ``baselines``, all equally likely;
    * with probability ``past_share`` one of the kept snapshots of the policy, all equally likely (none yet: the policy of now);
    * else the policy as it is now.

    The policy and its snapshots play by their probabilities. Games under way go on with the new opponents.

    baselines : names of agents
    snapshot_every : rollouts from one kept snapshot to the next
    snapshots : how many are kept; the oldest makes room
    """

    baselines: tuple[str, ...] = ("random",)
    baseline_share: float = 0.1
    past_share: float = 0.3
    snapshot_every: int = 20
    snapshots: int = 6

    def __post_init__(self) -> None:
        object.__setattr__(self, "baselines", tuple(self.baselines))
        shares = self.baseline_share, self.past_share
        if min(shares) < 0 or sum(shares) > 1:
            raise ConfigError("the shares of opponents must be at least 0, and not more than 1 together")
        if self.baseline_share > 0 and not self.baselines:
            raise ConfigError("a share of baselines requires at least one baseline")
        if self.snapshots < 1 or self.snapshot_every < 1:
            raise ConfigError("snapshots and snapshot_every must be at least 1")


@dataclass(frozen=True)
class PpoSettings:
    """All settings but the budget. The reward is ``outcome``: see ``ginkgo_env.core.rewards``.

    games : played side by side
    steps : learner decisions of each game in a rollout
    batch : decisions in a minibatch
    epochs : passes over a rollout
    learning_rate : at first; it falls linearly with the share of the budget that is used, to ``last_rate`` times this
    gamma, gae_lambda, clip, entropy, critic, max_gradient : discount, lambda of the advantages, clip range, weight of the
        entropy, weight of the critic's error, largest norm of a gradient
    imitate_epochs, imitate_rate : of imitation, if there is one
    network : what the network is like
    opponents : who plays the other seats
    """

    games: int = 128
    steps: int = 32
    batch: int = 1024
    epochs: int = 2
    learning_rate: float = 1e-3
    last_rate: float = 0.1
    gamma: float = 1.0
    gae_lambda: float = 0.9
    clip: float = 0.2
    entropy: float = 0.005
    critic: float = 0.5
    max_gradient: float = 0.5
    imitate_epochs: int = 4
    imitate_rate: float = 1e-3
    network: NetworkSettings = field(default_factory=NetworkSettings)
    opponents: OpponentSettings = field(default_factory=OpponentSettings)

    def __post_init__(self) -> None:
        whole = ("games", "steps", "batch", "epochs", "imitate_epochs")
        for name in (*whole, "learning_rate", "clip", "max_gradient", "imitate_rate"):
            if getattr(self, name) <= 0:
                raise ConfigError(f"{name} must be above 0")
        if self.games * self.steps < 2:
            raise ConfigError("a rollout requires at least 2 decisions")

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> PpoSettings:
        """From plain data. Raises ConfigError for what is no setting."""
        known = {one.name for one in fields(cls)}
        if unknown := sorted(set(data) - known):
            raise ConfigError(f"PPO has no settings {', '.join(unknown)}; settings: {', '.join(sorted(known))}")
        parts = {"network": NetworkSettings, "opponents": OpponentSettings}
        try:
            return cls(**{name: parts[name](**value) if name in parts else value for name, value in data.items()})
        except TypeError as error:
            raise ConfigError(f"these are no settings of PPO: {error}") from None
