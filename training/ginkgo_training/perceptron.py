"""The small networks that compiled code evaluates, as modules of torch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ginkgo_agents.nets import CUT
from ginkgo_agents.policy import Slots
from ginkgo_env.core.checks import shaped
from ginkgo_env.core.compile.dense import apply_tanh
from ginkgo_env.core.compile.jit import entry
from ginkgo_env.core.errors import ConfigError
from ginkgo_training.trainer import Arrays, array_of


class Tanh(nn.Module):
    """The tanh of the agents' compiled networks, which is faster than that of torch."""

    def forward(self, x: torch.Tensor) -> Any:
        """Compute tanh of contiguous numbers."""
        return _CompiledTanh.apply(x) if x.device.type == "cpu" else torch.tanh(x)  # type: ignore[no-untyped-call, unused-ignore]


class _CompiledTanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        values = x.clone()
        _apply_tanh(values.numpy().reshape(-1))
        ctx.save_for_backward(values)
        return values

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> torch.Tensor:
        (values,) = ctx.saved_tensors
        return torch.ops.aten.tanh_backward(gradient, values)


@entry
def _apply_tanh(values: Any) -> None:
    apply_tanh(values)


class Perceptron(nn.Module):
    """A network with two hidden layers of the same size, on normalized columns of its input.

    columns : indices of the columns that it reads
    inputs : length of the input rows
    hidden, outputs : number of units of each hidden layer, and of outputs
    activation : makes the function of the hidden units, such as :class:`Tanh`
    spread : standard deviation of the initial weights of the last layer
    """

    columns: torch.Tensor
    mean: torch.Tensor
    scale: torch.Tensor

    def __init__(
        self,
        columns: NDArray[np.int64],
        inputs: int,
        hidden: int,
        outputs: int,
        activation: Callable[[], nn.Module],
        spread: float,
    ) -> None:
        super().__init__()
        self._inputs = inputs
        self.register_buffer("columns", torch.from_numpy(columns))
        self.register_buffer("mean", torch.zeros(len(columns)))
        self.register_buffer("scale", torch.ones(len(columns)))
        first, second = nn.Linear(len(columns), hidden), nn.Linear(hidden, hidden)
        self.body = nn.Sequential(first, activation(), second, activation())
        self.head = nn.Linear(hidden, outputs)
        nn.init.orthogonal_(self.head.weight, spread)
        nn.init.zeros_(self.head.bias)

    def prepared(self, rows: NDArray[np.float32]) -> torch.Tensor:
        """Select and normalize the columns of rows (rows, n) that the network reads."""
        x = self._columns(rows)
        return x.sub_(self.mean).mul_(self.scale).clamp_(-CUT, CUT)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Compute the outputs (rows, outputs) of prepared rows."""
        outputs: torch.Tensor = self.head(self.body(x))
        return outputs

    def normalize(self, rows: NDArray[np.float32]) -> None:
        """Set mean and scale of the inputs from examples (rows, n)."""
        self._normalize(self._columns(rows))

    def _normalize(self, x: torch.Tensor) -> None:
        self.mean.copy_(x.mean(0))
        self.scale.copy_(1.0 / x.std(0).clamp_min(0.1))

    def _columns(self, rows: NDArray[np.float32]) -> torch.Tensor:
        x = torch.from_numpy(shaped(rows, (None, self._inputs), "features")).to(self.mean.device)
        return x.index_select(1, self.columns)

    def load(self, arrays: Mapping[str, NDArray[Any]], prefix: str) -> None:
        """Load the weights from the arrays of a checkpoint. Raises ConfigError if they do not fit."""
        with torch.no_grad():
            for name, tensor in self._tensors(prefix).items():
                array = torch.from_numpy(array_of(arrays, name, tensor.detach().cpu().numpy()))
                if tensor is self.columns and not torch.equal(array, self.columns.cpu()):
                    raise ConfigError(f"invalid checkpoint; array {name} must hold the columns that follow from the settings")
                tensor.copy_(array)

    def arrays(self, prefix: str) -> Arrays:
        """Copies of the weights as ``ginkgo_agents.nets.net_of`` reads them."""
        return {name: tensor.detach().cpu().numpy().copy() for name, tensor in self._tensors(prefix).items()}

    def _tensors(self, prefix: str) -> dict[str, torch.Tensor]:
        tensors: dict[str, Any] = {"columns": self.columns, "mean": self.mean, "scale": self.scale}
        for k, layer in enumerate((self.body[0], self.body[2], self.head), 1):
            tensors |= {f"w{k}": layer.weight.T, f"b{k}": layer.bias}
        return {f"{prefix}.{name}": tensor for name, tensor in tensors.items()}


class PolicyPerceptron(Perceptron):
    """A logit for each action.

    It computes the same function as ``ginkgo_agents.policy.logits_many``.

    columns, inputs, hidden : as for :class:`Perceptron`
    slots : how actions share weights
    """

    slots: torch.Tensor
    places: torch.Tensor

    def __init__(self, columns: NDArray[np.int64], inputs: int, hidden: int, slots: Slots) -> None:
        outputs = int(slots.rows.max()) + 1
        super().__init__(columns, inputs, hidden, outputs, nn.ReLU, spread=0.01)
        self._size = slots.inputs.shape[1]
        self.register_buffer("slots", torch.from_numpy(slots.inputs), persistent=False)
        self.register_buffer("places", torch.from_numpy((slots.slots + 1) * outputs + slots.rows), persistent=False)
        if self._size:
            self.gain, self.shift = (nn.Parameter(torch.zeros(self._size, hidden)) for _ in range(2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Compute the logits (rows, A) of all actions from prepared rows."""
        if not self._size:
            return super().forward(x)
        z = self.body[:3](x)[:, None]
        features = x[:, self.slots]
        modulated = z * (1 + features @ self.gain) + features @ self.shift
        outputs: torch.Tensor = self.head(torch.relu(torch.cat([z, modulated], 1)))
        return outputs.flatten(1)[:, self.places]

    def _normalize(self, x: torch.Tensor) -> None:
        """Normalize the features of all slots alike, as they share weights."""
        super()._normalize(x)
        if not self._size:
            return
        values = x[:, self.slots].flatten(0, 1)
        self.mean[self.slots] = values.mean(0)
        self.scale[self.slots] = 1.0 / values.std(0).clamp_min(0.1)

    def _tensors(self, prefix: str) -> dict[str, torch.Tensor]:
        modulation = {f"{prefix}.gain": self.gain, f"{prefix}.shift": self.shift} if self._size else {}
        return super()._tensors(prefix) | modulation
