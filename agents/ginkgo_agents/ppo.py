"""A policy network for any game, built from its layouts, and the agent that plays it with numpy alone.

With the input ``features`` the network is a multilayer perceptron on the compact features. With ``blocks`` or ``both`` it also
sees the observation. If the observation has the blocks ``hand``, ``cards``, ``tiles`` and ``city``, and the actions have a block
``commit`` of shape (cards in hand, 1 + tiles), the network is *structured*: all buildings share an encoder, as do all cards in
hand and all tiles, and the logit of a card with a tile is the product of two vectors, one from the card and one from the tile.
Blocks are found by these names in the layouts, whatever the game.

The forward pass is the same for numpy and torch. In numpy the result of a row does not depend, bit for bit, on the rows beside
it: products with weights are compiled and sum in a fixed order; all other products are over arrays (B, k, n), with a matrix of
the same shape for each row.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from ginkgo_agents.base import Agent, DecisionBatch, sample_actions
from ginkgo_agents.checkpoints import (
    Checkpoint,
    Layouts,
    Settings,
    columns_in,
    networks_of,
    read_checkpoint,
    read_settings,
    require_arrays,
    require_fit,
)
from ginkgo_agents.nets import layer_of
from ginkgo_env.core.afterstates import LegalActions
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.checks import flag
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game
from ginkgo_env.core.layout import Layout

InputKind = Literal["features", "blocks", "both"]
LAYOUTS: dict[InputKind, tuple[str, ...]] = {
    "features": ("features",),
    "blocks": ("observation",),
    "both": ("observation", "features"),
}
"""The layouts of a game that make up the input, in their order."""
Weights = Mapping[str, Any]
"""Arrays or tensors by name."""

ENCODED = ("hand", "cards", "tiles", "city")
COMMIT = "commit"
CRITIC = "value"
"""Prefix of the names of the weights that are not needed to play."""
_MOST_UNITS = 1 << 16
_LIMIT = 5.0  # largest magnitude of an input, in units of its spread
_SMALL = {
    "other": 0.001,
    "query_bias": 0.01,
    "value_3": 0.01,
    "tile_names": 0.1,
}  # standard deviations of initial weights; the others follow He initialization
_BUILDINGS = 8.0  # keeps the sum over buildings near 1


class NetworkSettings(Settings, frozen=True):
    """The settings from which a network is built, besides the game.

    observation : the input: ``features``, ``blocks``, or ``both``
    hidden : number of units of each of the two hidden layers
    width : length of the encoding of a card, a tile or a building in a structured network
    """

    observation: InputKind = "features"
    hidden: Annotated[int, Meta(ge=1, le=_MOST_UNITS)] = 256
    width: Annotated[int, Meta(ge=1, le=_MOST_UNITS)] = 32


class Network:
    """The network of a game.

    game : the game, or its layouts as a checkpoint has them

    size : length of its input
    actions : number of logits
    structured : whether it has encoders and the product of cards and tiles
    shapes : shapes of the weights by name; matrices are (inputs, outputs), vectors are added
    """

    def __init__(self, game: Game | Layouts, settings: NetworkSettings) -> None:
        self.game, self.settings, self.actions = game, settings, game.actions.size
        self._layouts: list[Layout] = [getattr(game, name) for name in LAYOUTS[settings.observation]]
        starts = np.cumsum([0, *(layout.size for layout in self._layouts)]).tolist()
        self.size = int(starts[-1])
        blocks = [
            (name, slice(start + block.start, start + block.stop), block.shape)
            for layout, start in zip(self._layouts, starts, strict=False)
            for name, block in layout.items()
        ]
        self.structured = settings.observation != "features" and _has_pieces(game)
        self._pieces: dict[str, list[tuple[slice, tuple[int, ...]]]] = {name: [] for name in ENCODED}
        self._flat: list[slice] = []
        hand = game.observation["hand"].shape[0] if self.structured else None
        for name, where, shape in blocks:
            # The features of cards in hand are joined with their part of the observation.
            if self.structured and name in ENCODED and len(shape) == 2 and (name != "hand" or shape[0] == hand):
                self._pieces[name].append((where, shape))
            else:
                self._flat.append(where)
        self.shapes = self._shapes()

    def input_of(self, turn: DecisionBatch) -> NDArray[np.float32]:
        """The input (rows, size) from what the deciding seats of a turn see."""
        kind = self.settings.observation
        parts: list[NDArray[Any]] = [] if kind == "features" else [turn.observe()]
        if kind != "blocks":
            parts.append(turn.features())
        return np.concatenate(parts, axis=1, dtype=np.float32)

    def forward(self, xp: Any, weights: Weights, x: Any, *, critic: bool = False, last: Any = None) -> tuple[Any, Any]:
        """Compute logits (B, actions) and, with `critic`, values (B,) of inputs (B, size).

        xp : ``numpy`` or ``torch``; weights and x are its arrays
        last : unless the network is structured, may compute the logits from the last hidden units (B, n), weights and bias
        """
        layer = layer_of if xp is np else _torch_layer
        w, rows = weights, len(x)
        x = ((x - w["mean"]) * w["scale"]).clip(-_LIMIT, _LIMIT)
        context = x[:, None]
        if self.structured:
            context = xp.concatenate([x[:, where] for where in self._flat], axis=1)[:, None]
            hand, cards, tiles, city = (self._piece(xp, x, name) for name in ENCODED)
            card = layer(hand, w["hand"], w["hand_bias"], positive=True)
            buildings = layer(city.swapaxes(1, 2), w["city"], positive=True).sum(axis=1) / _BUILDINGS
            sets = [layer(each, w[name]).reshape(rows, 1, -1) for name, each in (("cards", cards), ("tiles", tiles))]
            context = xp.concatenate([context, card.sum(axis=1)[:, None], buildings[:, None], *sets], axis=2)
        h = layer(context, w["trunk_1"], w["trunk_1_bias"], positive=True)
        h = layer(h, w["trunk_2"], w["trunk_2_bias"], positive=True)
        other = w["other"], w["other_bias"]
        logits = last(h.squeeze(1), *other) if last else layer(h, *other).squeeze(1)
        if self.structured:
            query = layer(_relu(layer(card, w["card_query"]) + layer(h, w["context_query"])), w["query"])
            tile = layer(tiles.swapaxes(1, 2), w["tile_key"])
            tile = _relu(tile + w["tile_names"] + layer(h, w["context_key"]))
            keys = xp.concatenate([layer(h, w["alone"]), layer(tile, w["key"])], axis=1).swapaxes(1, 2)
            commit = (query @ keys) * (1 / math.sqrt(self.settings.width)) + layer(query, w["query_bias"])
            start = self.game.actions[COMMIT].start
            logits = xp.concatenate([logits[:, :start], commit.reshape(rows, -1), logits[:, start:]], axis=1)
        if not critic:
            return logits, None
        v = layer(context, w["value_1"], w["value_1_bias"], positive=True)
        v = layer(v, w["value_2"], w["value_2_bias"], positive=True)
        return logits, layer(v, w["value_3"], w["value_3_bias"]).reshape(rows)

    def first_weights(self, seed: int) -> dict[str, NDArray[np.float32]]:
        """Random initial weights."""
        rng, weights = np.random.default_rng(seed), {}
        for name, shape in self.shapes.items():
            spread = _SMALL.get(name, math.sqrt(2.0 / shape[0]))
            drawn = rng.normal(0, spread, shape) if len(shape) == 2 else np.full(shape, name == "scale")
            weights[name] = drawn.astype(np.float32)
        return weights

    def scales(self, seed: int, steps: int = 400, size: int = 32) -> dict[str, NDArray[np.float32]]:
        """Estimate ``mean`` and ``scale`` of the inputs in random play, which normalize inputs to size 1.

        Numbers that share an encoder share a scale. Zero stays zero, since it means an empty slot.

        Raises ConfigError for a network that was made from layouts, without a game.
        """
        if not isinstance(self.game, Game):
            raise ConfigError("scales are those of a game; make the network from one")
        batch = Batch(self.game, size, autoreset=True)
        batch.reset(seed)
        rows: list[NDArray[np.float32]] = []
        for step in range(steps):
            if step % 4 == 0:
                rows.append(self.input_of(DecisionBatch(batch, np.arange(size), np.zeros(size, np.uint64))))
            batch.step(batch.sample())
        x = np.concatenate(rows).astype(np.float64)
        mean, spread = x.mean(axis=0), x.std(axis=0)
        for name, pieces in self._pieces.items():
            slots = 1 if name == "hand" else 2  # the axis, after the rows, along which an encoder is shared
            for where, shape in pieces:
                size_of = np.sqrt((x[:, where].reshape(-1, *shape) ** 2).mean(axis=(0, slots), keepdims=True))[0]
                mean[where] = 0
                spread[where] = 1 if name in ("cards", "tiles") else np.broadcast_to(size_of, shape).ravel()
        return {"mean": mean.astype(np.float32), "scale": (1 / np.maximum(spread, 0.05)).astype(np.float32)}

    def _piece(self, xp: Any, x: Any, name: str) -> Any:
        """An encoded block as (B, ...); blocks of one name are joined."""
        parts = [x[:, where].reshape(len(x), *shape) for where, shape in self._pieces[name]]
        return parts[0] if len(parts) == 1 else xp.concatenate(parts, axis=2)

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        hidden, d = self.settings.hidden, self.settings.width
        context, logits = sum(where.stop - where.start for where in self._flat), self.actions
        shapes: dict[str, tuple[int, ...]] = {"mean": (self.size,), "scale": (self.size,)}
        if self.structured:
            block = {name: self._pieces[name][0][1] for name in ENCODED}
            fields = sum(shape[1] for _, shape in self._pieces["hand"])
            planes, tiles, half = block["tiles"][0], block["tiles"][1], d // 2 or 1
            shapes |= {"hand": (fields, d), "hand_bias": (d,), "city": (block["city"][0], d)}
            shapes |= {"cards": (block["cards"][1], half), "tiles": (tiles, half)}
            shapes |= {"card_query": (d, 2 * d), "context_query": (hidden, 2 * d), "query": (2 * d, d), "query_bias": (d, 1)}
            shapes |= {"tile_key": (planes, 2 * d), "tile_names": (tiles, 2 * d), "context_key": (hidden, 2 * d)}
            shapes |= {"key": (2 * d, d), "alone": (hidden, d)}
            context += 2 * d + half * (block["cards"][0] + planes)
            logits -= self.game.actions[COMMIT].size
        shapes |= {
            "trunk_1": (context, hidden),
            "trunk_1_bias": (hidden,),
            "trunk_2": (hidden, hidden),
            "trunk_2_bias": (hidden,),
        }
        shapes |= {"other": (hidden, logits), "other_bias": (logits,)}
        half = hidden // 2 or 1
        shapes |= {"value_1": (context, half), "value_1_bias": (half,), "value_2": (half, half), "value_2_bias": (half,)}
        return shapes | {"value_3": (half, 1), "value_3_bias": (1,)}


def _relu(x: Any) -> Any:
    return x.clip(0)


def _torch_layer(x: Any, w: Any, b: Any = None, *, positive: bool = False) -> Any:
    """The same as :func:`~ginkgo_agents.nets.layer_of` for tensors."""
    flat = x.reshape(-1, x.shape[-1])
    out = flat @ w if b is None else b.addmm(flat, w)
    return (out.relu() if positive else out).reshape(*x.shape[:-1], w.shape[1])


def _has_pieces(game: Game | Layouts) -> bool:
    """Whether a structured network fits the game's layouts."""
    if not all(name in game.observation and len(game.observation[name].shape) == 2 for name in ENCODED):
        return False
    wanted = (game.observation["hand"].shape[0], 1 + game.observation["tiles"].shape[1])
    return COMMIT in game.actions and game.actions[COMMIT].shape == wanted


KIND = "ppo"
POLICY = "policy/"
"""Prefix of the names of the arrays that are weights of the policy."""
_CHUNK = 256  # rows at a time: bounds memory


class PpoAgent(Agent):
    """Plays the likeliest action of a policy network, with one forward pass and no lookahead.

    An action depends on its own row alone, neither on the other rows of a turn nor on their number (see ``network``).

    checkpoint : a checkpoint of kind ``ppo``, or the path of its file
    sample : sample actions by the network's probabilities instead

    Raises ConfigError for an invalid checkpoint, and when it is to play a game that it does not fit.
    """

    plays_mixtures = True

    def __init__(self, checkpoint: Checkpoint | str | Path, *, sample: bool = False) -> None:
        self.checkpoint = checkpoint if isinstance(checkpoint, Checkpoint) else read_checkpoint(checkpoint)
        self.layouts = self.checkpoint.options
        self._settings = read_settings(self.checkpoint, KIND, NetworkSettings)
        self._weights = {name.removeprefix(POLICY): array for name, array in self.checkpoint.arrays.items()}
        self._sample = flag(sample, "sample", ConfigError)
        self._last: tuple[Game, Network, NDArray[np.int64] | None] | None = None

    def check(self, game: Game) -> None:
        """Raise ConfigError unless the checkpoint fits the game."""
        self._network(game)

    def identity(self, game: Game) -> dict[str, Any]:
        """The digest of the network that the agent reads."""
        return networks_of(self.checkpoint, game)

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn."""
        if self._sample:
            return sample_actions(self.probabilities(turn), turn.keys)
        return np.asarray(np.where(turn.masks != 0, self.all_logits(turn), -np.inf).argmax(axis=1), np.int64)

    def probabilities(self, turn: DecisionBatch) -> NDArray[np.float64]:
        """The network's probability (rows, A) of each action."""
        logits = np.where(turn.masks != 0, self.all_logits(turn).astype(np.float64), -np.inf)
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def logits(self, turn: DecisionBatch) -> tuple[LegalActions, NDArray[np.float64]]:
        """The legal actions, and the logit (N,) of each."""
        legal = turn.legal_actions()
        rows = np.repeat(np.arange(len(turn)), np.diff(legal.offsets))
        return legal, self.all_logits(turn)[rows, legal.actions].astype(np.float64)

    def all_logits(self, turn: DecisionBatch) -> NDArray[np.float32]:
        """The logits (rows, A) of all actions, legal or not."""
        turn = turn.with_layouts_of(self.checkpoint.options)
        network, columns = self._network(turn.game)
        x = network.input_of(turn)
        x = x if columns is None else x[:, columns]
        parts = [network.forward(np, self._weights, x[i : i + _CHUNK])[0] for i in range(0, len(x), _CHUNK)]
        return np.concatenate(parts) if parts else np.zeros((0, network.actions), np.float32)

    def _network(self, game: Game) -> tuple[Network, NDArray[np.int64] | None]:
        """The network, and where the input of a game has the numbers that it reads, if not at their places in training.

        Those of the last game are cached.
        """
        last = self._last
        if last is None or last[0] is not game:
            layouts = LAYOUTS[self._settings.observation]
            require_fit(self.checkpoint, game, ("actions", *layouts))
            network = Network(self.checkpoint.trained, self._settings)
            shapes = {POLICY + name: shape for name, shape in network.shapes.items() if not name.startswith(CRITIC)}
            require_arrays(self.checkpoint.arrays, shapes)
            starts = np.cumsum([0, *(getattr(game, name).size for name in layouts)])
            found = [start + columns_in(self.checkpoint, game, name) for name, start in zip(layouts, starts, strict=False)]
            columns = np.concatenate(found)
            self._last = last = game, network, None if np.array_equal(columns, np.arange(starts[-1])) else columns
        return last[1], last[2]
