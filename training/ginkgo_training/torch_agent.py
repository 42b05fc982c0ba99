"""Agents that play with networks of the user's own, which are modules of torch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.imports import extra

with extra("train"):
    import torch
    from torch import nn

from ginkgo_agents.base import Agent, DecisionBatch, probabilities_of, sample_actions
from ginkgo_agents.checkpoints import Checkpoint, networks_of, read_checkpoint, read_settings, require_fit
from ginkgo_agents.lookahead import LAYOUTS as LOOKAHEAD_LAYOUTS
from ginkgo_agents.lookahead import LookaheadAgent
from ginkgo_agents.ppo import LAYOUTS, POLICY, InputKind
from ginkgo_env.core.checks import flag
from ginkgo_env.core.errors import ConfigError, join_names, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.rewards import Reward
from ginkgo_env.core.strict_json import StrictStruct
from ginkgo_training.networks import NetworkClass, load_module, module_arrays, own_estimator, own_network
from ginkgo_training.trainer import array_of

KIND, LOOKAHEAD_KIND = "torch", "torch_lookahead"
_CHUNK = 64  # rows at a time: always the same number, so that an action depends on its own row alone


class TorchSettings(StrictStruct, kw_only=True):
    """The settings of a checkpoint.

    network : ``module:Class`` as the user gave it, which is never imported because a file names it
    observation : the input of the network
    """

    network: str
    observation: InputKind


class TorchAgent(Agent):
    """Plays the likeliest action of a network that ``ginkgo train ppo --network`` has trained.

    checkpoint : a checkpoint of kind ``torch``, or the path of its file
    network : the class of the network, or ``module:Class``
    sample : sample actions by the network's probabilities instead

    Raises ConfigError for an invalid checkpoint, without a network, and for a game or a network that it does not fit.
    """

    plays_mixtures = True

    def __init__(self, checkpoint: Checkpoint | str | Path, network: NetworkClass | str = "", *, sample: bool = False) -> None:
        self._checkpoint = checkpoint if isinstance(checkpoint, Checkpoint) else read_checkpoint(checkpoint)
        self.layouts = self._checkpoint.options
        self._settings = read_settings(self._checkpoint, KIND, TorchSettings)
        self._network, self._sample = _passed(network, self._settings.network), flag(sample, "sample", ConfigError)
        self._last: tuple[Game, nn.Module] | None = None

    def check(self, game: Game) -> None:
        """Raise ConfigError unless checkpoint and network fit the game."""
        self._module(game)

    def identity(self, game: Game) -> dict[str, Any]:
        """The digest of the checkpoint, whose network is the user's own."""
        return networks_of(self._checkpoint, game)

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn."""
        if self._sample:
            return sample_actions(self.probabilities(turn), turn.keys)
        return np.asarray(np.where(turn.masks != 0, self._logits(turn), -np.inf).argmax(axis=1), np.int64)

    def probabilities(self, turn: DecisionBatch) -> NDArray[np.float64]:
        """The network's probability (rows, A) of each action."""
        legal = turn.legal_actions()
        rows = np.repeat(np.arange(len(turn)), np.diff(legal.offsets))
        return probabilities_of(legal, self._logits(turn)[rows, legal.actions].astype(np.float64), turn.masks.shape)

    def _logits(self, turn: DecisionBatch) -> NDArray[np.float32]:
        module, kind = self._module(turn.game), self._settings.observation
        parts: list[NDArray[Any]] = [] if kind == "features" else [turn.observe()]
        x = np.concatenate(parts if kind == "blocks" else [*parts, turn.features()], axis=1, dtype=np.float32)
        logits = _in_chunks(lambda chunk: module(chunk)[0], x, turn.game.actions.size)
        if not np.isfinite(logits[turn.masks != 0]).all():
            raise ConfigError("the network's logits are not finite")
        return logits

    def _module(self, game: Game) -> nn.Module:
        """The network for a game; that of the last game is cached."""
        if self._last is None or self._last[0] is not game:
            kind = self._settings.observation
            require_fit(self._checkpoint, game, names := ("actions", *LAYOUTS[kind]), names)
            module = own_network(self._network, game)
            if module.observation != kind:
                raise ConfigError(f"the network reads {module.observation}, but the checkpoint's network reads {kind}")
            _require_names(self._checkpoint, {POLICY + name for name in module_arrays(module)})
            load_module(module, self._checkpoint.arrays, POLICY)
            self._last = game, module.eval()
        return self._last[1]


class TorchLookaheadSettings(StrictStruct, kw_only=True):
    """The settings of a checkpoint.

    network : ``module:Class`` as the user gave it
    reward : see :class:`~ginkgo_agents.lookahead.NetSettings`
    """

    network: str
    reward: str = ""


class TorchLookaheadAgent(LookaheadAgent):
    """Plays as ``lookahead`` does, with networks that ``ginkgo train lookahead --network`` has trained.

    checkpoint : a checkpoint of kind ``torch_lookahead``, or the path of its file
    network : the class of scorer and critic, or ``module:Class``
    worlds, prior, reward : as for :class:`~ginkgo_agents.lookahead.LookaheadAgent`

    Raises ConfigError for an invalid checkpoint, without a network, and for a game or a network that it does not fit.
    """

    def __init__(
        self,
        checkpoint: Checkpoint | str | Path,
        network: NetworkClass | str = "",
        worlds: int = 8,
        prior: Agent | str | None = None,
        reward: Reward | str = "",
    ) -> None:
        self._network, self._modules = network, dict[str, nn.Module]()
        self._fitted: Game | None = None
        super().__init__(checkpoint, worlds, prior, reward)

    def _read_networks(self) -> str:
        own = read_settings(self.checkpoint, LOOKAHEAD_KIND, TorchLookaheadSettings)
        self._network = _passed(self._network, own.network)
        array_of(self.checkpoint.arrays, "tau", np.zeros((), np.float32))
        return own.reward

    def _estimates(self, name: str, turn: DecisionBatch, features: NDArray[np.float32]) -> NDArray[np.float32]:
        estimates = _in_chunks(self._modules[name], features, 2)
        if not np.isfinite(estimates).all():
            raise ConfigError("the network's estimates are not finite")
        return estimates

    def critic_for(self, game: Game) -> None:
        """None: playouts in compiled code cannot call a module."""

    def _require_fit(self, game: Game) -> None:
        if self._fitted is game:
            return
        require_fit(self.checkpoint, game, LOOKAHEAD_LAYOUTS, LOOKAHEAD_LAYOUTS)
        modules, names = {}, {"tau"}
        for name in ("scorer", "critic"):
            modules[name] = module = own_estimator(self._network, game)
            names |= {f"{name}/{key}" for key in module_arrays(module)}
            load_module(module, self.checkpoint.arrays, f"{name}/")
            module.eval()
        _require_names(self.checkpoint, names)
        self._modules, self._fitted = modules, game


def _passed(network: NetworkClass | str, name: str) -> NetworkClass | str:
    """The network that the user passed. Raises ConfigError, with the name in the file, if there is none."""
    if not network:
        raise ConfigError(
            f"a checkpoint of the network {short_repr(name)} plays only with it; pass it, as in agent.npz:network=module:Class"
        )
    return network


def _require_names(checkpoint: Checkpoint, names: set[str]) -> None:
    if unexpected := [name for name in checkpoint.arrays if name not in names]:
        raise ConfigError(f"the checkpoint has unexpected arrays {join_names(map(short_repr, unexpected))}")


@torch.no_grad()
def _in_chunks(function: Callable[[torch.Tensor], torch.Tensor], x: NDArray[np.float32], width: int) -> NDArray[np.float32]:
    """Apply a function to rows (n, m), always the same number at a time; return an array (n, width)."""
    outputs = np.empty((len(x), width), np.float32)
    chunk = torch.zeros((_CHUNK, x.shape[1]))
    for start in range(0, len(x), _CHUNK):
        rows = x[start : start + _CHUNK]
        chunk[: len(rows)] = torch.from_numpy(rows)
        outputs[start : start + _CHUNK] = function(chunk)[: len(rows)].numpy()
    return outputs
