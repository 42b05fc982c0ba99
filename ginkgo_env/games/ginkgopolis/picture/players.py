"""The sides: what everybody counts, what lies in front of the screen, and behind it what the viewer may know."""

from __future__ import annotations

from ginkgo_env.core.pieces import INNER, badge_box, panel, row
from ginkgo_env.core.svg import SMALL, Box, below, beside, flow, label
from ginkgo_env.games.ginkgopolis.picture.city import sign_of
from ginkgo_env.games.ginkgopolis.picture.pieces import card_backs, cards_of, counter_of, tile_backs, tiles_of
from ginkgo_env.games.ginkgopolis.text.describe_players import counts, doing, mark
from ginkgo_env.games.ginkgopolis.text.fields import Fields
from ginkgo_env.games.ginkgopolis.text.notation import names_in
from ginkgo_env.games.ginkgopolis.text.reading import characters, count_cards_of, count_tiles_of, expert_of, tiles_in


def player_box(g: Fields, p: int, name: str, shown: bool) -> Box:
    """One side; `shown`: the viewer sees what is behind its screen."""
    title = below([label(name, bold=True), label(doing(g, p) or " ", "dim", size=SMALL)], 0)
    counters = beside([counter_of(what, n) for what, n in counts(g, p).items()], 12)
    head = flow([beside([badge_box(sign_of(g, p), mark(g, p)), title]), counters], INNER, 30)
    front = row("tableau", cards_of([*expert_of(g, p), *characters(g.characters[p]), *names_in(g.tableau[p])]))
    hand, tiles = _open(g, p) if shown else _closed(g, p)
    return panel(below([head, front, row("hand", hand), row("tiles", tiles)], 6), active=g.actor == p)


def _open(g: Fields, p: int) -> tuple[list[Box], list[Box]]:
    return cards_of(names_in(g.hand[p])), tiles_of(tiles_in(g, "tiles", p))


def _closed(g: Fields, p: int) -> tuple[list[Box], list[Box]]:
    known = tiles_in(g, "known_tiles", p)
    return [card_backs(count_cards_of(g, p))], [*tiles_of(known), tile_backs(count_tiles_of(g, p) - len(known))]
