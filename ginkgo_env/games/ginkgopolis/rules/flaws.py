"""What can be wrong with a record that does not come from play (``soundness``)."""

from __future__ import annotations

from ginkgo_env.core.state import Flaws


class Flaw(Flaws):
    """What can be wrong with a record."""

    CONFIGURATION = "the configuration is not possible"
    RANGE = "a number is out of its range"
    PILES = "a pile does not hold as many tiles or cards of its kind as it counts"
    CITY = "buildings, their neighbors and their tiles are inconsistent, too far out or not connected"
    TOKENS = "a token is not on a free cell beside a building, or not in hand during its token decision"
    EDGE = "the edge of the city has no room for all tokens"
    TILES = "a tile is not in exactly one place, or a floor is no tile"
    CARDS = "a card is not in exactly one place, or is in play without its building"
    CHARACTERS = "characters or experts are too many, too few or in two places"
    SEAT = "a seat has something that it cannot have in this game"
    RESOURCES = "the resources of a player do not add up"
    POINTS = "the SP of a player are below zero, or more than the rounds can have brought"
    BONUS = "the bonuses of a player are not those of the characters and cards"
    EVENTS = "the event tiles of a player are too many, too few or in two places"
    COMMITMENT = "what lies on a card does not go with it"
    KNOWN = "something is known to be where it is not"
    ROUND = "the decision does not fit the round, the first player and the actor"
    SUPPLY = "the decision does not fit the supply of tiles and the ending"
    CHOICE = "the decision does not fit the choices that the actor has made"
    DRAFT = "packets and cards kept do not fit the pick of the draft, or the supply is too small"
    TURN = "the turn under way does not fit the decision"
    DRAWS = "draws, their split or payments do not fit the decision and the stacks"
    ZONE = "the zone of an expropriation has no building"
    HAND = "the cards of a player do not fit the decision: in hand, committed or kept"
    ACTION = "the actor has no legal action"
