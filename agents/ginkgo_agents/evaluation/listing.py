"""``ginkgo agents``. Slow imports wait until the command runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from ginkgo_env.core.game import Game


def agents(
    name: Annotated[str | None, typer.Argument(help="One agent: all that is known of it.", show_default="all agents")] = None,
    game: Annotated[str | None, typer.Option(help="Name of a game.", show_default="all games")] = None,
    players: Annotated[int | None, typer.Option(help="Number of players.", show_default="2; all of them for one agent")] = None,
) -> None:
    """List the agents: how strong they are, what a decision costs, and which networks they have here.

    Strength is the share in the wins against lookahead:version=1 in all other seats, with a 95 % interval.
    """
    from rich.console import Console

    from ginkgo_agents.agents.registry import agent_names, plain_name
    from ginkgo_env.core.errors import ConfigError
    from ginkgo_env.registry import game_class, game_names

    if game is not None:
        game_class(game)  # refuses an unknown one
    plain = None if name is None else plain_name(name)[0]
    if plain is not None and plain not in agent_names(game):
        raise ConfigError(f"no agent {plain!r}; expected one of: {', '.join(agent_names(game))}")
    console, listed = Console(), 0
    for each in game_names() if game is None else [game]:
        for made in _games(each, players, every=name is not None):
            names = [one for one in agent_names(each) if plain in (None, one)]
            if table := _table(made, names, name):
                listed += 1
                console.print(table)
    if not listed:
        raise ConfigError(f"no game has {players} players" if name is None else f"{name} plays no such game")


def _games(name: str, players: int | None, every: bool) -> list[Game]:
    """The games to list: those with this number of players, all, or the one with two players."""
    from ginkgo_agents.agents.strengths import read_strengths
    from ginkgo_env.core.errors import ConfigError
    from ginkgo_env.registry import game_class, make_game

    measured = [one.config for one in read_strengths() if one.game == name]
    configs = list({config["players"]: config for config in measured}.values()) or [{}]
    if players is not None:
        configs = [config for config in configs if config.get("players") == players] or [{"players": players}]
    elif not every:
        configs = [config for config in configs if config.get("players", 2) == 2]
    games = []
    for config in configs:
        try:
            games.append(make_game(game_class(name), **config))
        except ConfigError:  # a game for other numbers of players
            continue
    return games


def _table(game: Game, names: list[str], full_name: str | None) -> Table | None:
    """What is known of some agents in one game; None if none of them plays it."""
    from rich.table import Table

    from ginkgo_agents.agents.pretrained import models_of
    from ginkgo_agents.agents.registry import identities_of, make_agent
    from ginkgo_agents.agents.strengths import YARDSTICK, read_strengths
    from ginkgo_agents.evaluation.options import describe_config
    from ginkgo_env.core.errors import ConfigError

    against = "against William" if game.seats == 1 and game.automaton else f"against {YARDSTICK}" if game.sides > 1 else "alone"
    known = [one for one in read_strengths() if one.game == game.name and one.config.items() <= game.config_dict.items()]
    table = Table("agent", "versions", "networks", title_justify="left")
    for column in ("strength", "ms a decision"):
        table.add_column(column, justify="right", no_wrap=True)
    config = {name: game.config_dict[name] for name in ("level",) if game.seats == 1 and name in game.config_dict}
    table.title = f"{game.title}, {describe_config(game, config)}; strength {'in points ' * (game.sides == 1)}{against}"
    for name in names:
        try:
            make_agent(full_name or name, game.name).check(game)
        except ConfigError:
            continue
        identity: dict[str, Any] = identities_of(full_name or name, [game])[0]
        versions = [f"{version}{' (played)' * (version == identity.get('version'))}" for version in models_of(name, game)]
        files = [*identity.get("networks", {})]
        networks = "\n".join(
            [
                *(files if full_name else [f"{len(files)} file{'s' * (len(files) > 1)}"] * bool(files)),
                *identity.get("missing", ()),
            ]
        )
        measured = [(one.agent, one.text, f"{one.milliseconds:g}") for one in known if one.agent.split(":")[0] == name]
        for agent, *numbers in measured or [(name, "", "")]:
            table.add_row(agent, ", ".join(versions), networks or "needs none", *numbers)
            versions, networks = [], " "
    return table if table.row_count else None
