"""The registry of games.

Other packages add games by entry points of the group ``ginkgo_env.games``. The name of an entry point is the name of the game,
its object is the subclass of :class:`~ginkgo_env.core.game.Game`. It is imported when the game is first used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from inspect import Parameter, isabstract, signature
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, overload

from ginkgo_env.core.errors import ConfigError, PositionError, join_names, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.mixture import MIXTURE, Mixture

if TYPE_CHECKING:
    from ginkgo_env.games.ginkgopolis.config import GinkgopolisOptions
    from ginkgo_env.games.ginkgopolis.game import Ginkgopolis
    from ginkgo_env.games.golden_city.config import GoldenCityOptions
    from ginkgo_env.games.golden_city.game import GoldenCity
    from ginkgo_env.games.my_city.config import MyCityOptions
    from ginkgo_env.games.my_city.game import MyCity

    class GameOptions(GinkgopolisOptions, GoldenCityOptions, MyCityOptions, total=False):
        """The options of the games of this package."""

else:  # empty when the program runs, so that a game loads nothing of another

    class GameOptions(TypedDict):
        """The options of the games of this package, which type checkers know."""


GameName = Literal["ginkgopolis", "golden_city", "my_city"]
"""The games of this package."""
OPTION_NAMES = (
    *("players", "mixture", "modules", "setup", "level", "strict", "max_rounds", "hand_size", "padded"),
    *("board", "buildings"),
)
"""The options of the games of this package."""
GROUP = "ginkgo_env.games"
DEFAULT_GAME: GameName = "ginkgopolis"
OWN_GAMES = {
    DEFAULT_GAME: "ginkgo_env.games.ginkgopolis.game:Ginkgopolis",
    "golden_city": "ginkgo_env.games.golden_city.game:GoldenCity",
    "my_city": "ginkgo_env.games.my_city.game:MyCity",
}
_LONGEST = 80


class _Games(Mapping[str, str]):
    """Entry points by name of a game, from the packages that are installed at the moment."""

    def __getitem__(self, name: str) -> str:
        return OWN_GAMES[name] if name in OWN_GAMES else _external_games()[name][0].value

    def __iter__(self) -> Iterator[str]:
        return iter([*OWN_GAMES, *_external_games()])

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __repr__(self) -> str:
        return f"GAMES({dict(self)})"


GAMES: Mapping[str, str] = _Games()
"""Games as ``module:Class`` by name: the games of this package first, then those of other packages."""


def game_names() -> list[str]:
    """The names of all games, including those that cannot be loaded."""
    return list(GAMES)


def game_class(name: str | type[Game]) -> type[Game]:
    """The class of a game by its name; a class is returned as it is.

    Type checkers accept any name here.

    Raises ConfigError for an unknown name, and for a game of another package that cannot be loaded.
    """
    if isinstance(name, type) and issubclass(name, Game) and not isabstract(name):
        return name
    if isinstance(name, str) and name in OWN_GAMES:
        own: type[Game] = resolve_name(OWN_GAMES[name])
        return own
    points = _external_games().get(name, []) if isinstance(name, str) else []
    if not points:
        raise ConfigError(f"unknown game {short_repr(name)}; expected one of: {join_names(GAMES)}")
    if len(points) > 1:
        raise ConfigError(f"the game {name!r} is offered by several packages: {join_names(map(_package, points))}")
    return _loaded(points[0])


def completes(names: Iterable[str] = ()) -> Callable[[Any], Any]:
    """Return a decorator that adds the options of games, and others, to a signature before ``**config``.

    IPython and editors complete from it, and the reference shows it.
    """

    def decorate(function: Any) -> Any:
        own = signature(function)
        *given, config = own.parameters.values()
        more = [name for name in dict.fromkeys((*names, *OPTION_NAMES)) if name not in own.parameters]
        options = (Parameter(name, Parameter.KEYWORD_ONLY, default=...) for name in more)
        function.__signature__ = own.replace(parameters=[*given, *options, config])
        return function

    return decorate


@overload
def make_game(name: Literal["ginkgopolis"] = "ginkgopolis", /, **config: Unpack[GinkgopolisOptions]) -> Ginkgopolis: ...
@overload
def make_game(name: Literal["golden_city"], /, **config: Unpack[GoldenCityOptions]) -> GoldenCity: ...
@overload
def make_game(name: Literal["my_city"], /, **config: Unpack[MyCityOptions]) -> MyCity: ...
@overload
def make_game(
    name: GameName = DEFAULT_GAME, /, *, mixture: str | Sequence[Mapping[str, Any]], **config: Unpack[GameOptions]
) -> Mixture: ...
@overload
def make_game(name: type[Game], /, **config: Any) -> Game: ...
@completes()
def make_game(name: str | type[Game] = DEFAULT_GAME, /, **config: Any) -> Game:
    """Make a game in a configuration, for example ``make_game("ginkgopolis", players=3)``.

    Type checkers know the games of this package with their options. For others, and for names in variables, give the class:
    ``make_game(game_class(name), players=3)``.

    With ``mixture``, a list of options or the name of one, it is a game of several configurations, one of which each game draws:
    a :class:`~ginkgo_env.core.mixture.Mixture`. The other options are those of all of them that do not say otherwise.

    Raises ConfigError for an unknown game, option or value.

    >>> make_game("ginkgopolis", players=3, modules=["events"])
    Ginkgopolis(players=3, setup='draft', level='standard', strict=False, max_rounds=200, modules=['events'], hand_size=4)
    """
    if MIXTURE in config:
        return _mixture(game_class(name), config.pop(MIXTURE), config)
    return game_class(name)(**config)


def _mixture(game: type[Game], options: Any, shared: Mapping[str, Any]) -> Mixture:
    """A mixture from a list of options, or from the name of one (``Game.mixtures``), and the options of all its games."""
    if isinstance(options, str):
        named = game.mixtures()
        if options not in named:
            raise ConfigError(f"{game.name} has no mixture {short_repr(options)}; it has {', '.join(named) or 'none'}")
        options = named[options]
    if not isinstance(options, list | tuple) or not all(isinstance(one, Mapping) for one in options):
        raise ConfigError(f"mixture must be a list of options, each a mapping, or a name, got {short_repr(options)}")
    if wrong := [name for one in options for name in one if not isinstance(name, str) or name == MIXTURE]:
        raise ConfigError(f"mixture: unknown option {short_repr(wrong[0])}")
    return Mixture([game(**{**shared, **one}) for one in options])


def position_game(position: Mapping[str, Any], **options: Any) -> Game:
    """The game of a position, in its configuration. Raises PositionError if game or options are invalid.

    options : options of the game that replace those of the position, such as the path of a board
    """
    name, config = position.get("game"), position.get("config")
    if not isinstance(name, str) or not isinstance(config, Mapping) or not all(isinstance(key, str) for key in config):
        raise PositionError("position: expected an object with 'game' and 'config'")
    try:
        return make_game(game_class(name), **{**config, **options})
    except (ConfigError, TypeError) as error:
        raise PositionError(f"position: {error}") from None


def refused_games() -> list[str]:
    """A sentence for each game of another package that cannot be played: a taken name, or a failed import."""
    sentences = [
        f"the game {point.name!r} of {_package(point)} is refused: this package has a game of that name"
        for point in entry_points(group=GROUP)
        if point.name in OWN_GAMES
    ]
    for name in _external_games():
        try:
            game_class(name)
        except ConfigError as error:
            sentences.append(str(error))
    return sentences


def playable_games() -> list[str]:
    """The names of the games that can be loaded."""
    names = []
    for name in GAMES:
        try:
            game_class(name)
        except ConfigError:
            continue
        names.append(name)
    return names


def _external_games() -> dict[str, list[EntryPoint]]:
    """Games of other packages by name; several packages may have the same name."""
    games: dict[str, list[EntryPoint]] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        same = games.setdefault(point.name, [])
        if point.value not in {other.value for other in same}:  # a package may be listed twice
            same.append(point)
    return {name: points for name, points in games.items() if name not in OWN_GAMES}


def _package(point: EntryPoint) -> str:
    return point.value.partition(":")[0].partition(".")[0]


def _loaded(point: EntryPoint) -> type[Game]:
    """The class of an entry point. Raises ConfigError for any failure."""
    where = f"the game {point.name!r} of {_package(point)} cannot be loaded"
    try:
        cls = point.load()
    except Exception as error:
        raise ConfigError(f"{where}: {type(error).__name__}: {' '.join(str(error).split())[:_LONGEST]}") from error
    if not isinstance(cls, type) or not issubclass(cls, Game):
        raise ConfigError(f"{where}: {point.value} is not a subclass of ginkgo_env.Game")
    if getattr(cls, "name", None) != point.name:
        raise ConfigError(f"{where}: its class has the name {short_repr(getattr(cls, 'name', None))}")
    return cls
