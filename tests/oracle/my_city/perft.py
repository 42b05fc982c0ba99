"""Numbers of sequences of decisions, to compare with other implementations."""

from ..observations import no_chance
from .my_city import Oracle


def sequences(oracle: Oracle, decisions: int) -> int:
    """How many sequences of exactly so many decisions, at least one, there are from here."""
    if decisions == 1:
        return len(oracle.legal())
    return sum(sequences(after(oracle, text), decisions - 1) for text in oracle.legal())


def after(oracle: Oracle, text: str) -> Oracle:
    """A copy, an action further."""
    other = type(oracle).from_position(oracle.position(), no_chance)
    other.apply(text)
    return other
