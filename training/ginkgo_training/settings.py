"""Settings of the trainers, and functions that read them from files and command lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Annotated, Any, TypeVar

from msgspec import Meta
from msgspec.structs import fields

from ginkgo_agents.checkpoints import Settings
from ginkgo_agents.policy import PolicySettings
from ginkgo_agents.ppo import NetworkSettings
from ginkgo_env.core.errors import ConfigError, short_repr
from ginkgo_env.core.files import read_some
from ginkgo_env.core.strict_json import JsonError, convert, parse

_PAIR = re.compile(r"([\w.]+)=(.*)", re.DOTALL)
_LARGEST = 1_000_000  # bytes of a file of settings
_MOST = 1e9  # no infinite numbers
_LISTS = {"without", "critic_without", "opponents.baselines"}  # on a command line their names are separated by commas

Count = Annotated[int, Meta(ge=1)]
Positive = Annotated[float, Meta(gt=0, le=_MOST)]
Share = Annotated[float, Meta(ge=0, le=1)]
Weight = Annotated[float, Meta(ge=0, le=_MOST)]
S = TypeVar("S", bound="Settings")


class OpponentSettings(Settings, frozen=True, kw_only=True):
    """Settings of the opponents in training.

    When a game begins, one of its seats, at random, goes to the learner. Each other seat draws:

    * with probability ``baseline_share`` one of ``baselines``;
    * with probability ``past_share`` one of the snapshots of the learner (if there is any);
    * otherwise the learner, who learns from all seats that it plays.

    Baselines and snapshots are drawn in proportion to weight x (1 - w) ** ``priority``, where w is how often the learner has
    recently finished above that opponent.

    baselines : agents: names, paths of checkpoints, or ``module:attribute``
    weights : weights of the baselines, in their order; empty: all equal. Snapshots have the weight 1
    priority : 0 draws by weight alone; values of 1 and more prefer opponents that often win
    snapshot_every : rollouts from one snapshot to the next
    snapshots : number of snapshots stored; a new one replaces the oldest
    """

    baselines: tuple[str, ...] = ()
    weights: tuple[Positive, ...] = ()
    baseline_share: Share = 0.0
    past_share: Share = 0.0
    priority: Weight = 0.0
    snapshot_every: Count = 20
    snapshots: Count = 6

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.baseline_share + self.past_share > 1:
            raise ConfigError(f"baseline_share + past_share must be at most 1, got {self.baseline_share + self.past_share}")
        if self.baseline_share > 0 and not self.baselines:
            raise ConfigError(f"baseline_share={self.baseline_share} requires at least one of baselines")
        if self.weights and len(self.weights) != len(self.baselines):
            raise ConfigError(f"weights must be one for each of {len(self.baselines)} baselines, got {len(self.weights)}")


class TrainerSettings(Settings, frozen=True, kw_only=True):
    """Settings that all trainers have, named as in Stable-Baselines3.

    games : games played side by side
    n_steps : decisions of each game in a rollout
    batch_size : decisions in a minibatch
    n_epochs : passes over a rollout
    learning_rate : learning rate at the start; it falls linearly to ``final_rate`` times this
    gamma, gae_lambda : discount, and lambda of the generalized advantages
    clip_range : how far the probability ratio may move
    ent_coef : weight of the entropy
    opponents : the opponents of the learner in a share of the games, by default none
    start : a checkpoint with whose weights a new run starts, of the same kind, game and configuration, or ``ppo``, the pretrained
        policy with its critic; empty: random weights
    """

    games: Count = 128
    n_steps: Count = 40
    batch_size: Count = 1024
    n_epochs: Count = 2
    learning_rate: Positive = 1e-3
    final_rate: Share = 0.1
    gamma: Share = 1.0
    gae_lambda: Share = 0.9
    clip_range: Positive = 0.2
    ent_coef: Weight = 0.002
    opponents: OpponentSettings = OpponentSettings()
    start: str = ""

    def rate_at(self, remaining: float) -> float:
        """The learning rate when this share of a run remains, 1 to 0."""
        if not 0 <= remaining <= 1:
            raise ConfigError(f"invalid remaining {remaining}; expected 0..1")
        return self.learning_rate * (self.final_rate + (1 - self.final_rate) * remaining)


class ShardedSettings(TrainerSettings, frozen=True, kw_only=True):
    """Settings of trainers whose games can be played on workers.

    shards : parts of the games with random numbers of their own, which workers can play (see ``ginkgo_training.shards``)
    reward : what is learned: ``win``, ``margin`` or ``module:function``, see ``ginkgo_env.core.rewards``; empty: win and margin,
        from which the agent makes the reward ``outcome``. Rewards are clipped to -1..1
    """

    shards: Count = 1
    reward: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.games % self.shards:
            raise ConfigError(f"games={short_repr(self.games)} cannot be divided into shards={short_repr(self.shards)}")
        if self.shards > 1 and self.opponents.baseline_share + self.opponents.past_share > 0:
            raise ConfigError(f"opponents play in this process alone; expected shards=1, got {short_repr(self.shards)}")


class LookaheadSettings(ShardedSettings, frozen=True, kw_only=True):
    """Settings of ``ginkgo train lookahead``.

    worlds : resampled worlds for each decision while training
    hidden : units of each of the two hidden layers
    average : the agent plays with a moving average of the weights, of which each rollout keeps this share
    tau : logarithm of the factor from expected outcomes to logits, at the start; it is learned
    without : blocks of the features that the scorer does not read: at the end of a round the hand is mostly unknown
    critic_without : blocks of the features that the critic does not read
    network_class : ``module:Class`` of a torch module to train as scorer and as critic instead, see
        ``ginkgo_training.networks.own_estimator``
    """

    worlds: Count = 2
    hidden: Count = 64
    average: Annotated[float, Meta(ge=0, lt=1)] = 0.98
    tau: float = 2.5
    without: tuple[str, ...] = ("decision", "hand", "hand_ids")
    critic_without: tuple[str, ...] = ("hand_ids",)
    network_class: str = ""


class PpoSettings(ShardedSettings, frozen=True, kw_only=True):
    """Settings of ``ginkgo train ppo``.

    reward : see ``ginkgo_env.core.rewards``, a name or ``module:function``; empty: ``outcome`` or, with one side, ``score`` in
        units of 30 points
    vf_coef : weight of the critic's error
    critic_share : share of the run, at its start, in which the critic alone learns; 1: the policy stays as it is, bit for bit
    max_grad_norm : largest norm of a gradient
    imitate : an agent to imitate first, such as ``greedy``; empty: none
    imitate_games, imitate_epochs, imitate_rate : number of games to imitate, passes over them, learning rate at the start
    network : the network
    network_class : ``module:Class`` of a torch module to train instead, see ``ginkgo_training.networks.own_network``
    """

    games: Count = 256
    n_steps: Count = 32
    batch_size: Count = 2048
    ent_coef: Weight = 0.005
    vf_coef: Weight = 0.5
    critic_share: Share = 0.0
    max_grad_norm: Positive = 0.5
    imitate: str = ""
    imitate_games: Count = 400
    imitate_epochs: Count = 4
    imitate_rate: Positive = 1e-3
    network: NetworkSettings = NetworkSettings()
    network_class: str = ""
    opponents: OpponentSettings = OpponentSettings(baselines=("random",), baseline_share=0.1, past_share=0.3)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.critic_share and self.network_class:
            raise ConfigError("critic_share requires the network of ppo: policy and critic of your own may share weights")


class SearchSettings(ShardedSettings, frozen=True, kw_only=True):
    """Settings of ``ginkgo train search``; ``gamma``, ``clip_range`` and ``ent_coef`` are not used.

    window : number of the latest rollouts to learn from
    teacher : the agent whose decisions are learned, such as ``lookahead``; empty: the search of the networks themselves
    simulations, horizon, candidates, temperature : of the search, see ``ginkgo_agents.search.SearchAgent``
    auxiliary : weight with which the critic also learns the seat's points by source at the end of the game, from the same hidden
        units; 0 turns this off. Agents do not keep these outputs
    warm_up : steps of random play before the first rollout
    network : policy and critic, without their ``reward``
    """

    games: Count = 64
    n_steps: Count = 32
    batch_size: Count = 512
    n_epochs: Count = 4
    learning_rate: Positive = 2e-3
    final_rate: Share = 0.05
    window: Count = 16
    teacher: str = ""
    simulations: Count = 128
    horizon: Annotated[int, Meta(ge=0)] = 4
    candidates: Count = 8
    temperature: Weight = 0.5
    auxiliary: Weight = 0.0
    warm_up: Count = 120
    network: PolicySettings = PolicySettings()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.network.reward not in ("", self.reward):
            raise ConfigError(
                f"setting network.reward must be {short_repr(self.reward)}, as reward, got {short_repr(self.network.reward)}"
            )


def settings_of(kind: type[S], document: Mapping[str, Any]) -> S:
    """Settings from plain data; raises ConfigError for unknown settings and invalid values."""
    try:
        return convert(document, kind)
    except JsonError as error:
        _require_known(kind, document)
        raise ConfigError(f"settings: {error}") from None


def _require_known(kind: type[Settings], document: Mapping[str, Any], prefix: str = "") -> None:
    """Raise ConfigError for an unknown setting, also a nested one; the message names the nearest that exists."""
    types = {field.name: field.type for field in fields(kind)}
    for name, value in document.items():
        if name not in types:
            near = get_close_matches(str(name), types, 1)
            hint = f"did you mean {prefix}{near[0]}?" if near else f"expected one of: {', '.join(types)}"
            raise ConfigError(f"settings: unknown {short_repr(f'{prefix}{name}')}; {hint}")
        if isinstance(value, Mapping) and isinstance(types[name], type) and issubclass(types[name], Settings):
            _require_known(types[name], value, f"{prefix}{name}.")


def read_settings(texts: Iterable[str]) -> dict[str, Any]:
    """Read settings from texts, each a JSON file or KEY=VALUE; later ones take precedence.

    A dot leads to a nested setting, as in ``network.hidden=128``. A value is JSON or plain text. Raises ConfigError for a file
    that cannot be read.
    """
    settings: dict[str, Any] = {}
    for text in texts:
        if pair := _PAIR.fullmatch(text):
            value = _value(*pair.groups())
            for key in reversed(pair[1].split(".")):
                value = {key: value}
        else:
            try:
                value = parse(read_some(text, _LARGEST, ConfigError))
            except JsonError as error:
                raise ConfigError(f"cannot read the settings {short_repr(text)}: {error}") from None
            if not isinstance(value, dict):
                raise ConfigError(f"the settings {short_repr(text)} must be a JSON object, got {type(value).__name__}")
        settings = merged(settings, value)
    return settings


def merged(settings: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Merge settings as plain data, nested ones included; those in ``more`` take precedence."""
    both = dict(settings)
    for key, value in more.items():
        nested = isinstance(value, dict) and isinstance(both.get(key), dict)
        both[key] = merged(both[key], value) if nested else value
    return both


def _value(key: str, text: str) -> Any:
    try:
        return parse(text)
    except JsonError:
        return [name.strip() for name in text.split(",") if name.strip()] if key in _LISTS else text
