"""A small policy network in compiled code, by which playouts of ``search`` play, and a critic."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.agents.base import Turn
from ginkgo_agents.agents.checkpoints import Checkpoint, read_settings, require_arrays, require_fit
from ginkgo_agents.agents.evaluate import BLOCK, Net, net_of, net_shapes, prepare_block
from ginkgo_agents.agents.lookahead import used_columns
from ginkgo_env.core.afterstates import LegalActions
from ginkgo_env.core.arguments import checked
from ginkgo_env.core.checks import integer
from ginkgo_env.core.compile.dense import dense, multiply_add
from ginkgo_env.core.compile.jit import entry, kernel
from ginkgo_env.core.errors import ConfigError, shown, some
from ginkgo_env.core.game import Game

KIND = "search"
LAYOUTS = ("actions", "observation", "features")
_MOST_UNITS = 1 << 12
_ZERO = np.float32(0.0)
_PARTS = 8  # sums of a product that do not wait for each other


class PolicySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings from which the networks are rebuilt, besides the game.

    hidden : number of units of each of the two hidden layers of the policy
    critic_hidden : the same of the critic; 0: there is none
    without, critic_without : blocks of the features that the policy and the critic do not read
    observed : blocks of the observation that the policy reads besides; ``tiles/0`` is the first plane of the block ``tiles``
    """

    hidden: int = 64
    critic_hidden: int = 128
    without: tuple[str, ...] = ()
    critic_without: tuple[str, ...] = ()
    observed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        integer(self.hidden, 1, _MOST_UNITS, "hidden", ConfigError)
        integer(self.critic_hidden, 0, _MOST_UNITS, "critic_hidden", ConfigError)

    def as_dict(self) -> dict[str, Any]:
        """The settings as plain data."""
        return msgspec.structs.asdict(self)


class PolicyNet(NamedTuple):
    """A network with two hidden layers (rectified linear) and a logit for each action."""

    columns: NDArray[np.int64]
    """(n,) indices of what it reads in the features, followed by the observation."""
    mean: NDArray[np.float32]
    scale: NDArray[np.float32]
    """(n,) each: the input is (x - mean) x scale, clipped to -CUT..CUT."""
    w1: NDArray[np.float32]
    b1: NDArray[np.float32]
    w2: NDArray[np.float32]
    b2: NDArray[np.float32]
    """Weights (inputs, outputs) and biases (outputs,) of the hidden layers."""
    w3: NDArray[np.float32]
    b3: NDArray[np.float32]
    """(A, units) and (A,), transposed for the kernels: only the rows of legal actions are read."""


@kernel
def hidden_block(
    views: Any,
    first: int,
    stop: int,
    columns: Any,
    mean: Any,
    scale: Any,
    w1: Any,
    b1: Any,
    w2: Any,
    b2: Any,
    x: Any,
    h1: Any,
    h2: Any,
) -> None:
    """Compute the second hidden layer h2 (BLOCK, units) of a policy for rows first to first + BLOCK - 1.

    views (rows, n) : what seats see; rows from ``stop`` on count as the last one before

    The other arguments are as for ``evaluate_block``.
    """
    prepare_block(views, first, stop, columns, mean, scale, x)
    dense(x, w1, b1, h1)
    for r in range(BLOCK):
        for j in range(h1.shape[1]):
            h1[r, j] = max(_ZERO, h1[r, j])
    dense(h1, w2, b2, h2)
    for r in range(BLOCK):
        for j in range(h2.shape[1]):
            h2[r, j] = max(_ZERO, h2[r, j])


@kernel
def product(a: Any, b: Any) -> np.float32:
    """Return the inner product of two vectors of the same length."""
    s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = _ZERO
    whole = a.shape[0] - a.shape[0] % _PARTS
    for j in range(0, whole, _PARTS):
        s0 = multiply_add(a[j], b[j], s0)
        s1 = multiply_add(a[j + 1], b[j + 1], s1)
        s2 = multiply_add(a[j + 2], b[j + 2], s2)
        s3 = multiply_add(a[j + 3], b[j + 3], s3)
        s4 = multiply_add(a[j + 4], b[j + 4], s4)
        s5 = multiply_add(a[j + 5], b[j + 5], s5)
        s6 = multiply_add(a[j + 6], b[j + 6], s6)
        s7 = multiply_add(a[j + 7], b[j + 7], s7)
    for j in range(whole, a.shape[0]):
        s0 = multiply_add(a[j], b[j], s0)
    return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))


@entry
def logits_many(
    start: int,
    stop: int,
    views: Any,
    offsets: Any,
    actions: Any,
    columns: Any,
    mean: Any,
    scale: Any,
    w1: Any,
    b1: Any,
    w2: Any,
    b2: Any,
    w3: Any,
    b3: Any,
    out: Any,
) -> None:
    """Write the logits of actions (N,), those of row i from offsets[i] on, into out (N,).

    views (rows, n) : features, followed by observations if the policy reads them
    """
    x, h1 = np.empty((BLOCK, columns.size), np.float32), np.empty((BLOCK, b1.size), np.float32)
    h2 = np.empty((BLOCK, b2.size), np.float32)
    for first in range(start, stop, BLOCK):
        hidden_block(views, first, stop, columns, mean, scale, w1, b1, w2, b2, x, h1, h2)
        for r in range(min(BLOCK, stop - first)):
            for k in range(offsets[first + r], offsets[first + r + 1]):
                out[k] = b3[actions[k]] + product(h2[r], w3[actions[k]])


@checked(ConfigError)
def policy_columns(game: Game, settings: PolicySettings) -> NDArray[np.int64]:
    """The indices of what a policy reads.

    Raises ConfigError for a block that the observation does not have.
    """
    parts = [used_columns(game.features, settings.without)]
    for name in settings.observed:
        block, _, plane = name.partition("/")
        if block not in game.observation:
            raise ConfigError(f"invalid block {shown(name)} of the observation; expected one of {some(game.observation)}")
        where = game.observation[block]
        indices = np.arange(where.start, where.stop).reshape(where.shape)
        if plane:
            number = integer(int(plane) if plane.isdigit() else -1, 0, where.shape[0] - 1, f"plane of {block}", ConfigError)
            indices = indices[number]
        parts.append(game.features.size + indices.ravel())
    return np.unique(np.concatenate(parts)).astype(np.int64)


def policy_shapes(n: int, actions: int, hidden: int) -> dict[str, tuple[int, ...]]:
    """The shapes of a policy's arrays by name, for n columns."""
    shapes = PolicyNet((n,), (n,), (n,), (n, hidden), (hidden,), (hidden, hidden), (hidden,), (hidden, actions), (actions,))  # type: ignore[arg-type]
    return {f"policy.{name}": shape for name, shape in shapes._asdict().items()}


class Policy:
    """Policy and critic of a checkpoint of kind ``search``, for one game.

    net : the policy
    critic : estimates win and margin; None if the checkpoint has none

    Raises ConfigError for an invalid checkpoint, and if it does not fit the game.
    """

    @checked(ConfigError)
    def __init__(self, checkpoint: Checkpoint, game: Game) -> None:
        settings = read_settings(checkpoint, KIND, PolicySettings)
        require_fit(checkpoint, game, LAYOUTS)
        arrays, columns = checkpoint.arrays, {"policy": policy_columns(game, settings)}
        shapes = policy_shapes(len(columns["policy"]), game.actions.size, settings.hidden)
        if settings.critic_hidden:
            columns["critic"] = used_columns(game.features, settings.critic_without)
            shapes |= net_shapes(arrays, "critic", settings.critic_hidden)
        require_arrays(arrays, shapes, [f"{name}.columns" for name in columns])
        for name, expected in columns.items():
            if not np.array_equal(arrays[f"{name}.columns"], expected):
                raise ConfigError(f"invalid array '{name}.columns'; expected what the settings say")
        net = PolicyNet(*(np.array(arrays[f"policy.{name}"], order="C") for name in PolicyNet._fields))
        self.net = net._replace(w3=np.ascontiguousarray(net.w3.T))
        self.critic: Net | None = net_of(arrays, "critic") if settings.critic_hidden else None
        self._observes = bool(self.net.columns[-1:] >= game.features.size)

    def logits(self, turn: Turn) -> tuple[LegalActions, NDArray[np.float64]]:
        """The legal actions, and the logit (N,) of each."""
        legal = turn.legal_actions()
        views = np.concatenate([turn.features, turn.observations], axis=1) if self._observes else turn.features
        out = np.empty(len(legal.actions), np.float32)
        turn.threads.run(logits_many, len(turn), views.astype(np.float32, copy=False), *legal, *self.net, out)
        return legal, out.astype(np.float64)
