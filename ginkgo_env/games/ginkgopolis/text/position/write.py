"""Positions: the complete state as plain data (``docs/design/text-forms.md``); the way back is ``position_read``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ginkgo_env.games.ginkgopolis.config import GinkgopolisConfig
from ginkgo_env.games.ginkgopolis.constants import (
    FEW_PLAYERS,
    HAND_SIZE,
    N_LETTERS,
    N_TILES,
    NONE,
    NOWHERE,
    REMOVED_FOR_MODULE,
    REMOVED_TILES,
    SOLO_HAND_SIZE,
    Action,
    Ending,
    Module,
    Phase,
    Split,
    Stage,
    Timing,
)
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import EVENT_NAMES, EXPERT_NAMES, NAMES
from ginkgo_env.games.ginkgopolis.text.notation import names_at, names_in
from ginkgo_env.games.ginkgopolis.text.reading import characters, tiles_in, with_module

FORMAT, VERSION, GAME = "ginkgo-position", 1, "ginkgopolis"

RESOLVING = frozenset({Stage.TAKE, Stage.TOKEN, Stage.RETURN, Stage.TIMING, Stage.SPLIT, Stage.PAY})
"""Decisions while an action is under way: those with ``pending``."""
DRAWING = frozenset({Stage.RETURN, Stage.SPLIT})
"""Decisions in the middle of drawing."""
UNTESTED = frozenset({Phase.TIMING, Phase.BEFORE})
"""Phases in which R5.7 has not been tested yet, and tiles still lie on the card."""
DRAWN_MODULES = (Module.NEW_BUILDINGS, Module.PRESTIGE, Module.GREEN_SPACES)
"""Those that bring stacks of tiles to draw from (X0)."""
SPLITS = [split.name.lower() for split in Split if split < Split.DONE]


def tested(g: State) -> bool:
    """Whether R5.7 has been tested for the action under way: then no tile lies on the card any more."""
    return not g.expansion or g.phase not in UNTESTED


def put_away(g: State) -> bool:
    """Whether the card of the player whose turn it is has been put away."""
    return bool(g.expansion and g.phase == Phase.AFTER)


def full_hand(g: State) -> int:
    """Cards in a full hand (R2.9, R9.2, X5)."""
    if g.expansion:
        return int(g.hand_size)
    return SOLO_HAND_SIZE if g.solo else HAND_SIZE


def removed_tiles(g: State) -> int:
    """Base tiles that leave the game at the setup (R2.3, X)."""
    gone = REMOVED_TILES if g.players <= FEW_PLAYERS else 0
    return gone + REMOVED_FOR_MODULE * sum(with_module(g, module) for module in DRAWN_MODULES)


def write_position(g: State, config: GinkgopolisConfig) -> dict[str, Any]:
    """A record as plain data."""
    stage = Stage(int(g.stage))
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": GAME,
        "config": config.as_dict(),
        "random": f"0x{int(g.rng):016x}",
        "seed": f"0x{int(g.seed):016x}",
        "round": int(g.rounds),
        "first_player": _or_null(g.first),
        "decision": {"kind": stage.name.lower(), "actor": _or_null(g.actor)},
        "ending": Ending(int(g.ending)).name.lower() if g.ending else None,
        "exhaustions": int(g.exhaustions),
        "pending": _pending(g) if stage in RESOLVING else None,
        "city": [_building(g, s) for s in range(int(g.n_buildings))],
        "tokens": {NAMES[N_TILES + i]: _token(g, i) for i in range(N_LETTERS)},
        "buried": names_in(g.buried),
        "supply": _drawn_from(g.supply, g.supply_size),
        "removed": names_in(g.removed),
        "returned": names_in(g.returned),
        "deck": _drawn_from(g.deck, g.deck_size),
        "discard": names_in(g.discard),
        **(_stacks(g) if g.expansion else {}),
        "players": [_player(g, p) for p in range(int(g.players))],
    }


def _or_null(number: Any) -> int | None:
    return None if number == NONE else int(number)


def _name_or_null(number: Any, names: Sequence[str]) -> str | None:
    return None if number == NONE else names[int(number)]


def _drawn_from(pile: Any, size: Any) -> list[str]:
    """A pile, whose next item is the last, in drawing order."""
    return [NAMES[i] for i in reversed(pile[: int(size)])]


def _pending(g: State) -> dict[str, Any]:
    pending = {"player": int(g.player), "action": Action(int(g.action)).name.lower(), "draws": int(g.draws)}
    return pending | _turn(g) if g.expansion else pending


def _turn(g: State) -> dict[str, Any]:
    """What the expansion adds to what is pending (X7.1)."""
    phase, event = Phase(int(g.phase)), g.event[g.player]
    x, y, center = (int(n) for n in g.zone)
    return {
        **({"action": None} if phase in UNTESTED else {}),
        "phase": phase.name.lower(),
        "timing": _name_or_null(g.timing, [timing.name.lower() for timing in Timing]),
        "event": _name_or_null(event, EVENT_NAMES),
        "zone": None if event == NONE else {"cell": [x, y], "center": bool(center)},
        "split": dict(zip(SPLITS, (int(n) for n in g.split), strict=True)) if g.stage == Stage.SPLIT else None,
        "green_drawn": bool(g.green_drawn),
        "received": int(g.received),
    }


def _stacks(g: State) -> dict[str, Any]:
    """The stacks of the expansion (X1 to X3)."""
    return {
        "new_buildings": _drawn_from(g.new_buildings, g.n_new_buildings),
        "prestige": names_in(g.prestige),
        "green_spaces": int(g.green_stack),
    }


def _building(g: State, s: int) -> dict[str, Any]:
    return {
        "cell": [int(g.x[s]), int(g.y[s])],
        "tile": NAMES[g.top[s]],
        "floors": int(g.floors[s]),
        "owner": _or_null(g.owner[s]),
        "pawn": bool(g.pawn[s]),
    }


def _token(g: State, letter: int) -> list[int] | None:
    return None if g.token_x[letter] == NOWHERE else [int(g.token_x[letter]), int(g.token_y[letter])]


def _player(g: State, p: int) -> dict[str, Any]:
    return {
        "points": int(g.points[p]),
        "resources": int(g.resources[p]),
        "supply": int(g.supply_resources[p]),
        "new_hands": int(g.new_hands[p]),
        "characters": characters(g.characters[p]),
        "packet": characters(g.packet[p]),
        "hand": names_in(g.hand[p]),
        "commitment": None if g.card[p] == NONE else _commitment(g, p),
        "tiles": tiles_in(g, "tiles", p),
        "returning": tiles_in(g, "aside", p),
        "known_tiles": tiles_in(g, "known_tiles", p),
        "tableau": names_in(g.tableau[p]),
        "passed": names_in(g.passed[p]),
        **(_more_of_player(g, p) if g.expansion else {}),
    }


def _commitment(g: State, p: int) -> dict[str, Any]:
    card = {"card": NAMES[g.card[p]], "tile": _name_or_null(g.tile[p], NAMES)}
    if not g.expansion:
        return card
    event = NONE if p == g.player else g.event[p]  # once shown it is no longer on the card
    return card | {"lower": _name_or_null(g.lower[p], NAMES), "event": _name_or_null(event, EVENT_NAMES)}


def _more_of_player(g: State, p: int) -> dict[str, Any]:
    """What players have with the expansion."""
    return {
        "expert": _name_or_null(g.expert[p], EXPERT_NAMES),
        "packet_experts": names_at(g.packet_experts[p, 0], EXPERT_NAMES),
        "events": names_at(g.events[p], EVENT_NAMES),
        "events_played": names_at(g.events_played[p], EVENT_NAMES),
        "kept": _name_or_null(g.kept[p], NAMES),
        "lower_tiles": tiles_in(g, "lower_tiles", p),
    }
