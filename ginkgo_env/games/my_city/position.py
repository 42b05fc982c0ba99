"""Positions: the complete state as plain data, and back (M11.9).

A position holds the whole game, so reading it replays the game with the rules' kernels: a position that is accepted can be
reached by play, and is written again exactly as it was read. Illegal decisions, and values that differ from the state that play
reaches, are refused with an error that names the place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ginkgo_env.core.errors import NotationError, short_repr
from ginkgo_env.core.events import SILENT
from ginkgo_env.core.forms import WORD, check_constants, checked_list, checked_object, decision, fail, ids_of, name_of, or_null
from ginkgo_env.core.playback import Playback
from ginkgo_env.core.state import PlainRecord, States
from ginkgo_env.games.my_city.board import Board
from ginkgo_env.games.my_city.buildings import Buildings
from ginkgo_env.games.my_city.config import OWN, MyCityConfig
from ginkgo_env.games.my_city.constants import NONE
from ginkgo_env.games.my_city.notation import END, PASS, action_text, parse_action
from ginkgo_env.games.my_city.queries import DECISIONS, ENDINGS
from ginkgo_env.games.my_city.rules.machine import open_game
from ginkgo_env.games.my_city.state import State

# --- a player: writing, and reading the decisions that the player made -------------------------------------------------------


_PLAYER_KEYS = {"points", "gold", "ended", "placed", "passed", "choice"}


class Decision(NamedTuple):
    """A decision of a player."""

    action: int
    where: str
    """Its place in the position, for errors."""


class PlayerDecisions(NamedTuple):
    """The decisions of a player."""

    by_building: dict[int, Decision]
    """Placements and passes by building."""
    choice: Decision | None
    """The choice of this round if it is not yet in effect (M3.3)."""
    ended: Any
    """The round in which the player ended, as it stands in the position, unchecked."""


def write_player(g: PlainRecord, board: Board, buildings: Buildings, p: int) -> dict[str, Any]:
    """Return the player of seat p as plain data; buildings are in the order in which they came up."""
    ids, came_up = buildings.ids, [card for card in g.deck[: g.drawn] if card < len(buildings.ids)]
    return {
        "points": g.points[p],
        "gold": bool(g.gold[p]),
        "ended": g.ended[p] or None,
        "placed": [{"building": ids[b], "at": action_text(board, g.at[p][b])} for b in came_up if g.placed[p] >> b & 1],
        "passed": [ids[b] for b in came_up if g.passed[p] >> b & 1],
        "choice": None if g.choice[p] == NONE else action_text(board, g.choice[p]),
    }


def read_player(value: Any, board: Board, buildings: Buildings, where: str) -> PlayerDecisions:
    """Return the decisions of a player, be they legal or not. Raises PositionError for malformed data."""
    document, ids = checked_object(value, _PLAYER_KEYS, where), buildings.ids
    decisions: dict[int, Decision] = {}

    def add(name: Any, text: Any, place: str, at: str = "") -> None:
        building = ids_of([name], ids, place + (".building" if at else ""))[0]
        if building in decisions:
            raise fail(place, f"{name} was built or passed before")
        decisions[building] = Decision(_action(text, board, place + at), place + at)

    for i, entry in enumerate(checked_list(document["placed"], "buildings", f"{where}.placed")):
        place = f"{where}.placed[{i}]"
        placed = checked_object(entry, {"building", "at"}, place)
        if placed["at"] in (PASS, END):
            raise fail(f"{place}.at", f"expected a cell and a heading, got {short_repr(placed['at'])}")
        add(placed["building"], placed["at"], place, ".at")
    for i, name in enumerate(checked_list(document["passed"], "names", f"{where}.passed")):
        add(name, PASS, f"{where}.passed[{i}]")
    chosen = document["choice"]
    choice = None if chosen is None else Decision(_action(chosen, board, f"{where}.choice"), f"{where}.choice")
    return PlayerDecisions(decisions, choice, document["ended"])


def _action(text: Any, board: Board, where: str) -> int:
    try:
        return parse_action(board, text)
    except NotationError as error:
        raise fail(where, str(error)) from None


# --- positions as a whole ----------------------------------------------------------------------------------------------------


_KEYS = {"random", "seed", "round", "decision", "ending", "revealed", "blocked", "deck", "gold_round", "players"}


def write_position(record: State, config: MyCityConfig, board: Board, buildings: Buildings) -> dict[str, Any]:
    """Return a record as plain data."""
    g, cards = PlainRecord(record), buildings.cards
    deck = [cards[card] for card in g.deck[: len(cards)]]
    return {
        **_constant(config, board, buildings),
        "random": WORD.write(g.rng),
        "seed": WORD.write(g.seed),
        "round": g.rounds,
        "decision": decision(DECISIONS).write(g, None),
        "ending": ENDINGS[g.ending],
        "revealed": deck[: g.drawn],
        "blocked": or_null(name_of(cards)).write(g.blocked),
        "deck": deck[g.drawn :],
        "gold_round": g.gold_round or None,
        "players": [write_player(g, board, buildings, p) for p in range(g.players)],
    }


def _constant(config: MyCityConfig, board: Board, buildings: Buildings) -> dict[str, Any]:
    """Return what all positions of a configuration have: also digests of what is not shipped, whose names may recur (M1.6)."""
    components = ("board_digest", board.name, board.digest), ("buildings_digest", buildings.name, buildings.digest)
    return {
        "format": "ginkgo-position",
        "version": 1,
        "game": "my_city",
        "config": {"players": config.players, "board": board.name, "buildings": buildings.name},
        **{key: digest for key, name, digest in components if name != OWN},
    }


def read_position(position: Any, playback: Playback, config: MyCityConfig, board: Board, buildings: Buildings) -> States:
    """Return a record of shape (1,) from plain data.

    playback : a new one of the configuration

    Raises PositionError for malformed data, and for a position that play cannot reach.
    """
    constant = _constant(config, board, buildings)
    check_constants(position, constant)
    document = checked_object(position, _KEYS | constant.keys(), "")
    players = checked_list(document["players"], "players", "players", config.players)
    decisions = [read_player(player, board, buildings, f"players[{p}]") for p, player in enumerate(players)]
    revealed, deck = _read_cards(document, buildings)
    record = playback.states[0]
    record["rng"], record["seed"] = (WORD.read(document[key], record, key) for key in ("random", "seed"))
    record["deck"][: len(buildings.cards)] = [*revealed, *deck]
    open_game(playback.states, playback.game.components, playback.mask[0], SILENT)
    playback.refresh()
    _replay(playback, decisions, len(revealed), board, buildings)
    return playback.state()


def _read_cards(document: Mapping[str, Any], buildings: Buildings) -> tuple[list[int], list[int]]:
    """Return the cards turned up and those of the deck, which together must be all cards, each once."""
    revealed, deck = (ids_of(document[key], buildings.cards, key) for key in ("revealed", "deck"))
    if sorted([*revealed, *deck]) != list(range(len(buildings.cards))):
        raise fail("deck", "expected each card once, revealed or in the deck")
    return revealed, deck


def _replay(playback: Playback, players: list[PlayerDecisions], n_revealed: int, board: Board, buildings: Buildings) -> None:
    """Play the decisions of the players up to the first one that is missing, or to the end of the game."""
    g, end = playback.states[0], parse_action(board, END)
    while (p := playback.actor) is not None and g["drawn"] <= n_revealed:
        building, rounds, is_last = int(g["current"]), int(g["rounds"]), bool(g["drawn"] == n_revealed)
        decision = players[p].by_building.get(building) or (players[p].choice if is_last else None)
        if decision is None and type(players[p].ended) is int and players[p].ended == rounds:
            decision = Decision(end, f"players[{p}].ended")
        if decision is None and is_last:
            return
        name = buildings.ids[building]
        if decision is None:
            raise fail(f"players[{p}]", f"expected {name} among the buildings placed or passed, or the end in round {rounds}")
        if not playback.is_legal(decision.action):
            raise fail(decision.where, f"{action_text(board, decision.action)} is not legal with {name} in round {rounds}")
        playback.play(decision.action)
