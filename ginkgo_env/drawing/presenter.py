"""Legal actions as people put them together, and the words with which people are asked: what a table for people needs of a game.

A game tells both in its own folder (``Game.choice``, ``Game.labels``); pages and terminals show them and know no game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

Labels = Mapping[str, str]
"""Words by what they name:

``question:<kind>``
    what a person is asked who has to decide, by the kind of decision
``group:<group>``
    the heading of a group of picks
``pick:<group>:<name>``
    a pick whose name in notation says too little
``source:<source>``, ``note:<source>``
    a source of points, and in a sentence what brings them
``option:<option>``, ``value:<option>:<value>``
    an option of the game, and one of its values
``ending:<ending>``
    in a sentence how a game ended
"""


class Choice(NamedTuple):
    """A legal action as the picks that make it up, such as a card and a tile.

    Legal actions of one position differ in their picks. Whoever has picked something is shown what still goes with it.
    """

    picks: Mapping[str, str]
    """By group, in the order in which people pick: names as in notation. In pictures a pick is the part ``group:name``."""
    places: tuple[str, ...] = ()
    """Further parts of the picture that the action is about, such as the cells that a building would cover."""

    @property
    def parts(self) -> tuple[str, ...]:
        """All parts of the picture (``drawing.svg.named``) that the action is about, if they are drawn."""
        return (*(f"{group}:{name}" for group, name in self.picks.items()), *self.places)
