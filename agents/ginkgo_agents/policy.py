"""The small policy network that plays the playouts of ``search``, in compiled code, and its critic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.base import DecisionBatch
from ginkgo_agents.checkpoints import Checkpoint, Layouts, Settings, columns_in, read_settings, require_arrays, require_fit
from ginkgo_agents.lookahead import used_columns
from ginkgo_agents.nets import BLOCK, Layers, Net, net_of, net_shapes, new_layers, prepare_block
from ginkgo_env.core.afterstates import LegalActions
from ginkgo_env.core.checks import integer
from ginkgo_env.core.compile.dense import PRODUCTS, dense, modulate, multiply_add, products
from ginkgo_env.core.compile.intrinsics import scratch
from ginkgo_env.core.compile.jit import entry, kernel
from ginkgo_env.core.errors import ConfigError, join_names, short_repr
from ginkgo_env.core.game import Game

KIND = "search"
LAYOUTS = ("actions", "observation", "features")
_MOST_UNITS = 1 << 12
_ZERO = np.float32(0.0)
_PARTS = 8  # partial sums of a product, which can be added to in parallel


class PolicySettings(Settings, frozen=True):
    """The settings from which the networks are rebuilt, besides the game.

    hidden : number of units of each of the two hidden layers of the policy
    critic_hidden : the same for the critic; 0 for no critic
    without, critic_without : blocks of the features that the policy and the critic do not read
    observed : blocks of the observation that the policy reads besides; ``tiles/0`` is the first plane of the block ``tiles``
    slots : blocks of actions whose first axis runs over places, such as those of the hand; actions that differ only in their
        place share weights
    slot_features : blocks of the features that describe these places, with the same first axis
    reward : what the critic estimates, see :class:`~ginkgo_agents.lookahead.NetSettings`
    belief : the temperature at which the policy fits the choices of players best, see :class:`~ginkgo_agents.playouts.Playouts`

    >>> PolicySettings(hidden=128).critic_hidden
    128
    """

    hidden: int = 64
    critic_hidden: int = 128
    without: tuple[str, ...] = ()
    critic_without: tuple[str, ...] = ()
    observed: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    slot_features: tuple[str, ...] = ()
    reward: str = ""
    belief: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        integer(self.hidden, 1, _MOST_UNITS, "hidden", ConfigError)
        integer(self.critic_hidden, 0, _MOST_UNITS, "critic_hidden", ConfigError)
        if bool(self.slots) != bool(self.slot_features):
            raise ConfigError("slots and slot_features require each other")


class Slots(NamedTuple):
    """How actions share weights.

    Actions of a slot read the second hidden layer after the slot's features have modulated it (feature-wise linear modulation,
    Perez et al. 2018). Without slots the arrays of slots are empty.

    >>> from ginkgo_env import make_game
    >>> policy_slots(make_game("ginkgopolis"), PolicySettings()).slots.shape
    (323,)
    """

    inputs: NDArray[np.int64]
    """(K, m) the indices of the inputs of the network that are the features of the K slots."""
    slots: NDArray[np.int64]
    """(A,) the slot of each action, -1 for none."""
    rows: NDArray[np.int64]
    """(A,) the output of the network that each action reads."""


class PolicyNet(NamedTuple):
    """A network with a logit for each action.

    >>> from ginkgo_agents.pretrained import pretrained
    >>> from ginkgo_env import make_game
    >>> Policy(pretrained("my_city_2p_search.npz"), make_game("my_city")).net.net.w1.shape
    (1186, 64)
    """

    net: Net
    """Two hidden layers (rectified linear) and R outputs. Here ``w3`` is transposed, (R, units): only some rows are read."""
    gain: NDArray[np.float32]
    shift: NDArray[np.float32]
    """(m, units) each: a slot with features s reads max(0, z (1 + s gain) + s shift) in place of max(0, z)."""
    slots: Slots


@kernel
def hidden_layers(net: Net, layers: Layers) -> None:
    """Compute the layers from the inputs ``layers.x``, all but the last; h2 is not rectified."""
    x, h1, h2, _ = layers
    dense(x, net.w1, net.b1, h1)
    for r in range(BLOCK):
        for j in range(h1.shape[1]):
            h1[r, j] = max(_ZERO, h1[r, j])
    dense(h1, net.w2, net.b2, h2)


@kernel
def logits_of(policy: PolicyNet, layers: Layers, r: int, ids: Any, logits: Any) -> None:
    """Write the logits (n,) float32 of the actions ids (n,) in row r of a block.

    It follows :func:`hidden_layers` and overwrites ``h1``. It is fastest if the actions of a slot follow each other.
    """
    units, place, first = layers.h1[0], policy.slots, 0
    while first < ids.shape[0]:
        slot, stop = place.slots[ids[first]], first + 1
        while stop < ids.shape[0] and place.slots[ids[stop]] == slot:
            stop += 1
        if slot >= 0:
            modulate(layers.h2[r], layers.x[r], place.inputs[slot], policy.gain, policy.shift, units)
        else:
            for j in range(units.shape[0]):
                units[j] = max(_ZERO, layers.h2[r, j])
        write_logits(policy, units, ids[first:stop], layers.h1[1], logits[first:stop])
        first = stop


@kernel
def write_logits(policy: PolicyNet, units: Any, ids: Any, found: Any, logits: Any) -> None:
    """Write the logits of actions that read the same units; found (units,) is workspace."""
    w3, b3, rows, n = policy.net.w3, policy.net.b3, policy.slots.rows, ids.shape[0]
    if units.shape[0] % PRODUCTS > 0:
        for k in range(n):
            logits[k] = b3[rows[ids[k]]] + product(units, w3[rows[ids[k]]])
        return
    outputs = scratch(PRODUCTS)
    for start in range(0, n, PRODUCTS):
        for i in range(PRODUCTS):  # the last ones are repeated
            outputs[i] = rows[ids[min(start + i, n - 1)]]
        products(units, w3, outputs, found)
        for i in range(min(PRODUCTS, n - start)):
            logits[start + i] = b3[outputs[i]] + found[i]


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
def logits_many(start: int, stop: int, views: Any, legal: LegalActions, policy: PolicyNet, out: Any) -> None:
    """Write the logits of the legal actions (N,) into out (N,).

    views (rows, n) : features, followed by observations if the policy reads them
    """
    (offsets, actions), layers = legal, new_layers(policy.net)
    for first in range(start, stop, BLOCK):
        prepare_block(views, first, stop, policy.net, layers.x)
        hidden_layers(policy.net, layers)
        for r in range(min(BLOCK, stop - first)):
            own = slice(offsets[first + r], offsets[first + r + 1])
            logits_of(policy, layers, r, actions[own], out[own])


def policy_columns(game: Game | Layouts, settings: PolicySettings) -> NDArray[np.int64]:
    """The indices of the features and observed numbers that a policy reads.

    Raises ConfigError for a block that the observation does not have.
    """
    parts = [used_columns(game.features, settings.without)]
    for name in settings.observed:
        block, _, plane = name.partition("/")
        if block not in game.observation:
            raise ConfigError(
                f"invalid block {short_repr(name)} of the observation; expected one of {join_names(game.observation)}"
            )
        where = game.observation[block]
        indices = np.arange(where.start, where.stop).reshape(where.shape)
        if plane:
            number = integer(int(plane) if plane.isdigit() else -1, 0, where.shape[0] - 1, f"plane of {block}", ConfigError)
            indices = indices[number]
        parts.append(game.features.size + indices.ravel())
    return np.unique(np.concatenate(parts)).astype(np.int64)


def policy_slots(game: Game | Layouts, settings: PolicySettings) -> Slots:
    """How actions share weights.

    Raises ConfigError for blocks that the game does not have, that do not fit each other, or that the policy does not read.
    """
    for names, layout, what in ((settings.slots, game.actions, "actions"), (settings.slot_features, game.features, "features")):
        if unknown := [short_repr(name) for name in names if name not in layout]:
            raise ConfigError(f"invalid blocks {join_names(unknown)} of the {what}; expected some of {join_names(layout)}")
    blocks, described = [game.actions[name] for name in settings.slots], [game.features[name] for name in settings.slot_features]
    lengths = {block.shape[0] for block in (*blocks, *described)}
    if len(lengths) > 1:
        raise ConfigError(f"invalid slots; expected blocks of one length, got {join_names(sorted(lengths))}")
    slots, rows, count = np.full(game.actions.size, -1), np.arange(game.actions.size), lengths.pop() if lengths else 0
    for block in blocks:
        slots[block.start : block.stop] = np.repeat(np.arange(count), block.size // count)
        rows[block.start : block.stop] = np.tile(rows[block.start : block.start + block.size // count], count)
    rows = np.unique(rows, return_inverse=True)[1]
    ids = [np.arange(block.start, block.stop).reshape(count, -1) for block in described]
    features = np.concatenate(ids, axis=1) if ids else np.zeros((0, 0), np.int64)
    columns = policy_columns(game, settings)
    if not np.isin(features, columns).all():
        raise ConfigError("invalid slot_features; expected blocks that the policy reads")
    return Slots(np.searchsorted(columns, features).astype(np.int64), slots.astype(np.int64), rows.astype(np.int64))


def policy_shapes(arrays: Mapping[str, NDArray[Any]], slots: Slots, hidden: int) -> dict[str, tuple[int, ...]]:
    """The shapes of a policy's arrays by name."""
    shapes = net_shapes(arrays, "policy", hidden, int(slots.rows.max()) + 1)
    modulation = {"policy.gain": (slots.inputs.shape[1], hidden), "policy.shift": (slots.inputs.shape[1], hidden)}
    return shapes | (modulation if slots.inputs.size else {})


class Policy:
    """Policy and critic of a checkpoint of kind ``search``, for one game.

    net : the policy
    critic : estimates win and margin; None if the checkpoint has none
    belief : see :class:`PolicySettings`

    Raises ConfigError for an invalid checkpoint, and if it does not fit the game.
    """

    def __init__(self, checkpoint: Checkpoint, game: Game) -> None:
        settings = read_settings(checkpoint, KIND, PolicySettings)
        require_fit(checkpoint, game, LAYOUTS)
        self.belief = settings.belief
        arrays, trained = checkpoint.arrays, checkpoint.trained
        columns, slots = {"policy": policy_columns(trained, settings)}, policy_slots(trained, settings)
        shapes = policy_shapes(arrays, slots, settings.hidden)
        if settings.critic_hidden:
            columns["critic"] = used_columns(trained.features, settings.critic_without)
            shapes |= net_shapes(arrays, "critic", settings.critic_hidden)
        require_arrays(arrays, shapes, [f"{name}.columns" for name in columns])
        for name, expected in columns.items():
            if not np.array_equal(arrays[f"{name}.columns"], expected):
                raise ConfigError(f"invalid array '{name}.columns'; expected the columns that follow from the settings")

        def columns_of(net: Net) -> NDArray[np.int64]:
            end = trained.features.size
            seen, own = net.columns >= end, net.columns.copy()
            own[~seen] = columns_in(checkpoint, game, "features", net.columns[~seen])
            own[seen] = game.features.size + columns_in(checkpoint, game, "observation", net.columns[seen] - end)
            return own

        nets = {name: net_of(arrays, name) for name in columns}
        nets = {name: net._replace(columns=columns_of(net)) for name, net in nets.items()}
        net, none = nets["policy"], np.zeros((0, settings.hidden), np.float32)
        gain, shift = (np.array(arrays.get(f"policy.{name}", none), order="C") for name in ("gain", "shift"))
        self.net = PolicyNet(net._replace(w3=np.ascontiguousarray(net.w3.T)), gain, shift, slots)
        self.critic: Net | None = nets.get("critic")
        self._observes = bool((net.columns >= game.features.size).any())

    def logits(self, turn: DecisionBatch) -> tuple[LegalActions, NDArray[np.float64]]:
        """The legal actions, and the logit (N,) of each."""
        legal = turn.legal_actions()
        views = np.concatenate([turn.features(), turn.observe()], axis=1) if self._observes else turn.features()
        out = np.empty(len(legal.actions), np.float32)
        turn.threads.run(logits_many, len(turn), views.astype(np.float32, copy=False), legal, self.net, out)
        return legal, out.astype(np.float64)
