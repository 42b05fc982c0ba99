"""Games of several configurations as one: each game draws its configuration from its own seed.

A batch of a mixture plays games of all its configurations side by side. The game of a seed equals, byte for byte, the game of
this seed in the configuration that the seed draws, whatever row it is in; :meth:`Mixture.game_of` returns that game.

>>> import ginkgo_env
>>> sets = [{"modules": ["events"]}, {"modules": ["experts", "prestige"]}]
>>> game = ginkgo_env.make_game("ginkgopolis", players=3, mixture=sets)
>>> batch = ginkgo_env.Batch(game, 4, autoreset=True)
>>> batch.reset(seed=7)
>>> batch.configurations
array([0, 1, 0, 1])
>>> game.game_of(batch.state(1)).config.modules
('prestige', 'experts')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.errors import BatchError, ConfigError, PositionError, short_repr, truncate
from ginkgo_env.core.game import Game
from ginkgo_env.core.loops import any_components, standing_of_points
from ginkgo_env.core.state import States

MIXTURE = "mixture"
"""The option of ``make_game`` that makes a mixture."""
_ALIKE = ("actions", "observation", "features", "observation_dtype", "decisions", "over", "sources", "components", "kernels")


@dataclass(frozen=True)
class MixtureConfig:
    """The configuration of a mixture.

    mixture : the options of its games
    """

    mixture: tuple[Mapping[str, Any], ...]


def _by_state(name: str) -> Any:
    """Return a method that takes a state and calls the same method of that state's game."""

    @wraps(getattr(Game, name), updated=())  # its mark of being abstract is not copied
    def method(self: Mixture, state: States, *arguments: Any, **options: Any) -> Any:
        return getattr(self.game_of(state), name)(state, *arguments, **options)

    return method


def _of_first(name: str) -> Any:
    """Return a method that is the same in all games and calls that of the first one."""

    @wraps(getattr(Game, name), updated=())  # its mark of being abstract is not copied
    def method(self: Mixture, *arguments: Any, **options: Any) -> Any:
        return getattr(self.games[0], name)(*arguments, **options)

    return method


class Mixture(Game):
    """Several configurations of a game with the same layouts, one of which each game draws.

    All are equally likely. Its layouts are those of all its games; ``seats`` and ``sides`` are the largest numbers among them.
    In games with fewer sides the others never decide, score 0, see nothing and have the standing ``ABSENT``
    (:mod:`~ginkgo_env.core.rewards`).

    games : at least one. Raises ConfigError unless they are of one game and have the same layouts and kernels, and the same
        components or a kernel that tells them apart (``Scalars.has_components``)

    Attributes
    ----------
    games : the games, in the order of ``template``
    """

    games: tuple[Game, ...]

    def __init__(self, games: Sequence[Game]) -> None:
        if not isinstance(games, list | tuple) or not games or not all(isinstance(game, Game) for game in games):
            raise ConfigError(f"games of a mixture must be a list of at least one game, got {short_repr(games)}")
        self.games, first = tuple(games), games[0]
        for game in self.games:
            _require_alike(first, game)
        vars(self).update({name: getattr(first, name) for name in (*Game.__annotations__, "features") if hasattr(first, name)})
        if self.components is not None:
            each = {game.components.tobytes(): game.components for game in self.games if game.components is not None}
            self.components = np.concatenate([*each.values()])
            self.components.setflags(write=False)
        self.config = MixtureConfig(tuple(game.config_dict for game in self.games))
        self.template = cast(States, np.concatenate([game.template for game in self.games]).view(np.recarray))
        self.seats, self.sides = max(game.seats for game in self.games), max(game.sides for game in self.games)
        for name in ("has_chance", "has_hidden_information", "seats_matter"):
            setattr(self, name, any(getattr(game, name) for game in self.games))
        self.has_chance |= len(self.games) > 1
        self.variant = f"mixture of {len(self.games)} configurations"
        self._layouts = first._layouts
        self._seats = np.array([game.seats for game in self.games])

    @cached_property
    def _copies(self) -> NDArray[np.int64]:
        return np.concatenate([game._copies for game in self.games])

    def __repr__(self) -> str:
        return f"<{self.variant} of {self.title}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the games."""
        return Mixture, (self.games,)

    @property
    def config_dict(self) -> dict[str, Any]:
        """The configurations as plain data, for ``make_game``."""
        return {MIXTURE: [dict(config) for config in self.config.mixture]}

    @property
    def has_equal_seats(self) -> bool:
        """Whether all its games have the same number of seats."""
        return bool((self._seats == self.seats).all())

    def game_of(self, state: States) -> Game:
        """Return the game of a state (1,) in its own configuration.

        Raises BatchError for a state of another configuration.
        """
        number = int(self.configuration_of(self.checked_state(state))[0])
        if number < 0:
            raise BatchError("invalid state; expected one of the configurations of the mixture")
        return self.games[number]

    def seats_of(self, states: States) -> NDArray[np.int64]:
        """Return the number of seats of each row, (n,)."""
        return np.asarray(self._seats[self.configuration_of(states)], np.int64)

    def by_seats(self) -> list[Game]:
        """Return the parts with the same number of seats, each a mixture; the fewest seats come first."""
        parts = [[game for game in self.games if game.seats == seats] for seats in sorted(set(self._seats.tolist()))]
        return [Mixture(part) for part in parts]

    def _with_options(self, options: Mapping[str, Any]) -> Game:
        return Mixture([game.with_layouts_of(options) for game in self.games])

    @property
    def rules_summary(self) -> str:
        """An empty text, as the rules depend on the configuration: see :meth:`game_of`."""
        return ""

    # --- states ----------------------------------------------------------------------------------------------------------------

    actor = _of_first("actor")
    kind = _of_first("kind")
    truncated = _of_first("truncated")
    chances = _of_first("chances")
    narrate = _of_first("narrate")
    illegal_action = _by_state("illegal_action")
    round_of = _by_state("round_of")
    ending = _by_state("ending")
    points = _by_state("points")
    breakdown = _by_state("breakdown")
    outcome = _by_state("outcome")
    result_details = _by_state("result_details")
    action_text = _by_state("action_text")
    parse_action = _by_state("parse_action")
    position = _by_state("position")
    describe = _by_state("describe")
    seen = _by_state("seen")
    visible_state = _by_state("visible_state")
    validated = _by_state("validated")

    def from_position(self, position: Mapping[str, Any]) -> States:
        """The state that a position of one of the configurations describes."""
        errors: list[PositionError] = []
        for game in self.games:
            try:
                return game.from_position(position)
            except PositionError as error:
                errors.append(error)
        raise PositionError(f"position: expected one of the {len(errors)} configurations of a mixture; of the first: {errors[0]}")

    # --- text and pictures -----------------------------------------------------------------------------------------------------

    def visible(self, seat: int, before: States | None, action: int, after: States, rows: Any) -> Any:
        """What a seat learns from a step."""
        return self.game_of(after).visible(seat, before, action, after, rows)

    @property
    def presenter(self) -> Any:
        """The presenter of its first game; that of a state is the presenter of its :meth:`game_of`."""
        return self.games[0].presenter

    @property
    def picture(self) -> Callable[..., Any]:
        """The function that draws the table: see :meth:`ginkgo_env.pictures.presenter.Presenter.picture`."""
        return lambda state, *arguments, **options: self.game_of(state).picture(state, *arguments, **options)


def _differing(first: Game, game: Game, what: str) -> str:
    """The options in which two games differ, as text, with a hint if layouts can be made alike."""
    options = first.config_dict, game.config_dict
    names = [name for name in {**options[0], **options[1]} if options[0].get(name) != options[1].get(name)]
    texts = [", ".join(f"{name}={truncate(str(one.get(name)))}" for name in names) for one in options]
    alike = [f"{name}=True" for name in first.layout_options if what in ("observation", "features") and name not in options[0]]
    return f"{texts[0]} and {texts[1]}" + (f"; see the option {', '.join(alike)}" if alike else "")


def _require_alike(first: Game, game: Game) -> None:
    """Raise ConfigError unless two games can be in one batch."""
    if isinstance(game, Mixture) or type(game) is not type(first):
        raise ConfigError(f"a mixture takes configurations of one game, got {first.name} and {game.name}")
    for name in _ALIKE:
        ours, theirs = getattr(first, name), getattr(game, name)
        if name == "components":
            same = first.kernels.scalars.has_components is not any_components
            same |= np.array_equal(np.asarray(ours), np.asarray(theirs))
        elif hasattr(ours, "offsets"):
            same = list(ours.values()) == list(theirs.values())
            ours, theirs = ours.size, theirs.size
        else:
            same = ours == theirs
        if not same:
            sizes = f" ({ours} and {theirs})" if isinstance(ours, int) and ours != theirs else ""
            raise ConfigError(f"a mixture takes configurations with the same {name}{sizes}, got {_differing(first, game, name)}")
    if game.sides != first.sides and (
        game.sides != game.seats or first.sides != first.seats or game.kernels.scalars.standing is standing_of_points
    ):
        raise ConfigError(
            f"a mixture of {game.name} takes configurations with the same number of sides, got {first.sides} and {game.sides}"
        )
