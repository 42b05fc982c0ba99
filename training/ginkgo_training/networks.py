"""The policy network of :mod:`ginkgo_agents.agents.network` as a policy of sb3-contrib."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor, nn

from ginkgo_agents.agents.network import Network, Weights

_FIXED = ("mean", "scale")  # not learned
_NEVER = -1e8  # the logit of an illegal action: its probability is exactly 0


class NetworkPolicy(MaskableActorCriticPolicy):  # type: ignore[misc, unused-ignore]
    """Actor and critic of a :class:`~ginkgo_agents.agents.network.Network` for ``MaskablePPO``.

    network : the network
    weights : initial weights
    """

    def __init__(self, *args: Any, network: Network, weights: Mapping[str, NDArray[np.float32]], **kwargs: Any) -> None:
        self._made = network, weights
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        """Make the weights and the optimizer; called by the base class."""
        self.network, weights = self._made
        self.weights = nn.ParameterDict(
            {name: nn.Parameter(torch.from_numpy(array.copy()), name not in _FIXED) for name, array in weights.items()}
        )
        learned = [value for name, value in self.weights.items() if name not in _FIXED]
        self.optimizer = torch.optim.Adam(learned, lr=lr_schedule(1), eps=1e-5)

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Copies of the weights."""
        return {name: value.detach().cpu().numpy().copy() for name, value in self.weights.items()}

    def evaluate_inputs(self, x: Tensor, masks: Any) -> tuple[Tensor, Tensor]:
        """Compute masked log probabilities (B, A) and values (B,) of inputs (B, size)."""
        logits, values = self.network.forward(torch, cast(Weights, self.weights), x.float(), critic=True)
        if masks is not None:
            logits = torch.where(torch.as_tensor(masks, device=x.device).bool(), logits, _NEVER)
        return torch.log_softmax(logits, dim=1), values

    def forward(self, obs: Tensor, deterministic: bool = False, action_masks: Any = None) -> tuple[Tensor, Tensor, Tensor]:
        """Compute actions (B,), values (B, 1) and log probabilities (B,)."""
        logs, values = self.evaluate_inputs(obs, action_masks)
        actions = logs.argmax(dim=1) if deterministic else torch.multinomial(logs.exp(), 1)[:, 0]
        return actions, values[:, None], logs.gather(1, actions[:, None])[:, 0]

    def evaluate_actions(self, obs: Tensor, actions: Tensor, action_masks: Any = None) -> tuple[Tensor, Tensor, Tensor]:
        """Compute values (B, 1), log probabilities of actions (B,) and entropies (B,)."""
        logs, values = self.evaluate_inputs(obs, action_masks)
        return values[:, None], logs.gather(1, actions[:, None])[:, 0], -(logs.exp() * logs).sum(dim=1)

    def predict_values(self, obs: Any) -> Tensor:
        """Compute values (B, 1)."""
        return self.evaluate_inputs(obs, None)[1][:, None]

    def _predict(self, observation: Any, deterministic: bool = False, action_masks: Any = None) -> Tensor:
        """Actions (B,)."""
        return self.forward(observation, deterministic, action_masks)[0]
