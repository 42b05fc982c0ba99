"""Policy networks as modules of torch, which PPO and imitation train.

A policy is a ``torch.nn.Module`` that takes inputs (B, n) float32 and returns logits (B, actions) and values (B,).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ginkgo_agents.ppo import LAYOUTS, InputKind, Network, Weights
from ginkgo_env.core.afterstates import LegalActions
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.imports import imported
from ginkgo_training.legal import LastLayer
from ginkgo_training.trainer import Arrays, array_of

_FIXED = ("mean", "scale")  # not learned
NetworkClass = Callable[[Game], nn.Module]


class NetworkPolicy(nn.Module):
    """A :class:`~ginkgo_agents.ppo.Network` as a module.

    network : the network
    seed : seed of its initial weights
    """

    def __init__(self, network: Network, seed: int) -> None:
        super().__init__()
        self.network, self.observation = network, network.settings.observation
        for name, array in network.first_weights(seed).items():
            tensor = torch.from_numpy(array)
            if name in _FIXED:
                self.register_buffer(name, tensor)
            else:
                self.register_parameter(name, nn.Parameter(tensor))

    def scale_inputs(self, seed: int) -> None:
        """Scale the inputs by what they are in random play."""
        for name, array in self.network.scales(seed).items():
            self.get_buffer(name).copy_(torch.from_numpy(array))

    def forward(self, x: Tensor, last: Any = None) -> tuple[Tensor, Tensor]:
        """Compute logits (B, actions) and values (B,) of inputs (B, size); see :meth:`Network.forward`."""
        weights: Weights = {**self._parameters, **self._buffers}
        return self.network.forward(torch, weights, x, critic=True, last=last)


def own_network(network: NetworkClass | str, game: Game, shapes: tuple[tuple[int, ...], ...] = ()) -> nn.Module:
    """Make a network of the user's own for a game.

    network : a class, or ``module:Class``, made from the game. Its attribute ``observation`` names the input: ``features`` (the
        default), ``blocks`` or ``both``
    shapes : shapes of its outputs for two rows, by default logits (2, actions) and values (2,)

    Raises ConfigError unless it is a module that returns tensors of these shapes.
    """
    module = (imported(network, "network") if isinstance(network, str) else network)(game)
    name, shapes = short_repr(network if isinstance(network, str) else network.__name__), shapes or ((2, game.actions.size), (2,))
    if not isinstance(module, nn.Module):
        raise ConfigError(f"invalid network {name}; expected a torch.nn.Module, got {type(module).__name__}")
    kind: Any = getattr(module, "observation", "features")
    module.observation = kind
    if kind not in LAYOUTS:
        raise ConfigError(f"invalid observation {short_repr(kind)} of network {name}; expected one of {', '.join(LAYOUTS)}")
    with torch.no_grad():
        outputs = module.eval()(torch.zeros((2, input_size(game, kind))))
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    if tuple(tuple(getattr(each, "shape", ())) for each in outputs) != shapes:
        raise ConfigError(f"invalid outputs of network {name}; expected {' and '.join(map(str, shapes))} for two rows")
    return module


def own_estimator(network: NetworkClass | str, game: Game) -> nn.Module:
    """Make a network of the user's own that estimates win and margin.

    It takes features (B, n) and returns (B, 2), each -1 to 1. Raises ConfigError for any other network.
    """
    module = own_network(network, game, ((2, 2),))
    if module.observation != "features":
        raise ConfigError(
            f"invalid observation {short_repr(str(module.observation))} of a network that estimates; expected features"
        )
    return module


def evaluate(policy: nn.Module, inputs: Tensor, legal: LegalActions) -> tuple[Tensor, Tensor]:
    """Compute logits (N,) of legal actions and values (B,) of inputs (B, n), on the processor."""
    if isinstance(policy, NetworkPolicy) and not policy.network.structured:
        last: Any = LastLayer.apply
        logits, values = policy(inputs, lambda *layer: last(*(each.cpu() for each in layer), legal))
        return logits, values.cpu()
    logits, values = policy(inputs)
    rows = np.repeat(np.arange(len(inputs)), np.diff(legal.offsets))
    places = torch.from_numpy(rows * logits.shape[1] + legal.actions)
    return logits.cpu().reshape(-1).index_select(0, places), values.cpu()


def write_inputs(batch: Batch, kind: InputKind, out: NDArray[np.float32], seat: int | None = None) -> None:
    """Write what a seat sees in each row into out (B, n) float32: the inputs of a network.

    seat : the viewer; by default the seat that decides
    """
    if kind == "features":
        batch.features(seat, out)
        return
    observed = batch.game.observation.size
    out[:, :observed] = batch.observe(seat)
    if kind == "both":
        out[:, observed:] = batch.features(seat)


def input_size(game: Game, kind: InputKind) -> int:
    """The length of a row of inputs."""
    return sum(getattr(game, name).size for name in LAYOUTS[kind])


def module_arrays(module: nn.Module) -> Arrays:
    """Copies of the weights and buffers of a module by name."""
    return {name: tensor.detach().cpu().numpy().copy() for name, tensor in module.state_dict().items()}


def load_module(module: nn.Module, arrays: Mapping[str, NDArray[Any]], prefix: str) -> None:
    """Load weights and buffers from the arrays of a checkpoint. Raises ConfigError if they do not fit."""
    own = module_arrays(module)
    module.load_state_dict({name: torch.from_numpy(array_of(arrays, prefix + name, array)) for name, array in own.items()})
