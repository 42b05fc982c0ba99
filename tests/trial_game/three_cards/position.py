"""A state as plain data and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from ginkgo_env.core.checks import difference
from ginkgo_env.core.errors import PositionError, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.playback import Playback
from ginkgo_env.core.state import States
from three_cards.actions import ACTION_NAMES
from three_cards.components import DECKS, RANKS
from three_cards.state import State

_KEYS = ("game", "config", "rng", "seed", "cards", "acts")
_WORDS = 2**64


def write_position(g: State, config: dict[str, Any]) -> dict[str, Any]:
    """All that is in a record, as plain data."""
    cards = [RANKS[rank] for rank in g.hand]
    acts = [ACTION_NAMES[act - 1] for act in g.acts[: g.n_acts]]
    return dict(zip(_KEYS, ("three_cards", config, int(g.rng), int(g.seed), cards, acts), strict=True))


def read_position(game: Game, data: Any) -> States:
    """The record (1,) that plain data describe. Raises PositionError."""
    if not isinstance(data, Mapping) or set(data) != set(_KEYS):
        _fail(f"expected the keys {', '.join(_KEYS)}")
    config = data["config"]
    if data["game"] != game.name or not isinstance(config, Mapping) or difference(config, game.config_dict):
        _fail("it is of another game or configuration")
    states: States = game.template.copy()
    g = states[0]
    for word in ("rng", "seed"):
        if type(data[word]) is not int or not 0 <= data[word] < _WORDS:
            _fail(f"{word}: expected a number 0..2**64 - 1, not {short_repr(data[word])}")
        g[word] = data[word]
    _read_cards(g, data["cards"], game.config.deck)
    g.actor = 0
    playback = Playback(game)
    playback.continue_from(states)
    _play(playback, data["acts"])
    return playback.state()


def _fail(problem: str) -> NoReturn:
    raise PositionError(f"position: {problem}")


def _read_cards(g: Any, cards: Any, deck: str) -> None:
    if not isinstance(cards, list) or len(cards) != len(g.hand) or any(card not in RANKS for card in cards):
        _fail(f"cards: expected {len(g.hand)} of {', '.join(RANKS)}")
    for hand, card in enumerate(cards):
        g.hand[hand] = RANKS.index(card)
        if cards.count(card) > DECKS[deck]["cards"][0][g.hand[hand]]:
            _fail(f"cards: the deck has fewer {card}")
    if g.sorted and cards != sorted(cards, key=RANKS.index):
        _fail("cards: they are dealt from the lowest up")


def _play(playback: Playback, acts: Any) -> None:
    if not isinstance(acts, list) or any(act not in ACTION_NAMES for act in acts):
        _fail(f"acts: expected a list of {', '.join(ACTION_NAMES)}")
    for act in acts:
        if playback.actor is None:
            _fail("acts: the game was over before the last one")
        playback.play(ACTION_NAMES.index(act))
