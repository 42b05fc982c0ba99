"""Words for people who play (``drawing.presenter.Labels``), in English and German; German as in the rule book where it has one.

What a bonus card brings is filled in, as a board's file may have other numbers than the rule book (G1.6.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations

from ginkgo_env.drawing.presenter import Labels
from ginkgo_env.games.golden_city.actions import SOURCES_OF_TWO
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import JOKER, Bonus, Good, Landscape

RULE_BOOK = dict(zip((bonus.name.lower() for bonus in Bonus), (3, 2, 1, 2, 1, 1, 1, 1), strict=True))
"""Letters of each bonus card for each thing that it counts (G9.1)."""

ENGLISH = {
    "question:bid": "Choose a pair of landscape cards: a free one costs nothing, driving a hand off costs coins",
    "question:build": "Choose a place to build a house on, or build no more",
    "question:pay": "Choose the cards to pay with: two of a landscape stand for one of another",
    "question:goods": "Take a goods card: an open one, or the top one of the stack unseen",
    "question:box": "You have five goods cards: choose the one that leaves the game",
    "question:bonus": "Choose a bonus card; it stays hidden from the others until the end",
    "question:discard": "You have more than five landscape cards: discard one, going in order from coast to desert",
    "group:bid": "Pair of landscape cards",
    "group:site": "Place to build on",
    "group:pay_coast": "Price: 1 coast card",
    "group:pay_forest": "Price: 2 forest cards",
    "group:pay_meadow": "Price: 2 meadow cards",
    "group:pay_mountain": "Price: 2 mountain cards",
    "group:pay_desert": "Price: 2 desert cards",
    "group:goods": "Goods card",
    "group:box": "Goods card out of the game",
    "group:bonus": "Bonus card",
    "group:card": "Card to discard",
    "pick:bid:a": "pair a",
    "pick:bid:b": "pair b",
    "pick:bid:c": "pair c",
    "pick:bid:d": "pair d",
    "pick:site:done": "build no more",
    "pick:goods:stack": "top card of the stack, unseen",
    "pick:bonus:goods": "goods: {goods} for each goods card",
    "pick:bonus:coins": "coins: {coins} for each coin",
    "pick:bonus:city": "city: {city} for each house in the Golden City",
    "pick:bonus:rivers": "rivers: {rivers} for each house at a river",
    "pick:bonus:forest": "forest: {forest} for each house in the forest, on a suburb or in a district",
    "pick:bonus:meadow": "meadow: {meadow} for each house in the meadow, on a suburb or in a district",
    "pick:bonus:mountain": "mountain: {mountain} for each house in the mountains, on a suburb or in a district",
    "pick:bonus:desert": "desert: {desert} for each house in the desert, on a suburb or in a district",
    "source:outer": "outer districts",
    "source:inner": "inner districts",
    "source:goods": "goods",
    "source:rivers": "rivers",
    "source:quarters": "quarters",
    "source:bonus_goods": "bonus card: goods",
    "source:bonus_coins": "bonus card: coins",
    "source:bonus_city": "bonus card: city",
    "source:bonus_rivers": "bonus card: rivers",
    "source:bonus_landscapes": "bonus cards: landscapes",
    "note:outer": "The first and the second house in an outer district bring letters, as the map shows, later ones none (G6.5).",
    "note:inner": "The first and the second house in an inner district bring letters, as the map shows, later ones none (G6.5).",
    "note:goods": "If you have the good that is scored, you get 2 letters, and 2 more if nobody else has it (G7.1).",
    "note:rivers": "A house at the scored river brings 2 letters, and 2 more if you alone have the most there (G7.2).",
    "note:quarters": "A house in the scored quarter brings 2 letters, and 2 more if you alone have the most there (G7.3).",
    "note:bonus_goods": "At the end this bonus card brings {goods} for each of your goods cards (G9.1).",
    "note:bonus_coins": "At the end this bonus card brings {coins} for each of your coins (G9.1).",
    "note:bonus_city": "At the end this bonus card brings {city} for each of your houses in the Golden City (G9.1).",
    "note:bonus_rivers": "At the end this bonus card brings {rivers} for each of your houses at a river (G9.1).",
    "note:bonus_landscapes": "At the end these bonus cards bring letters for each of your houses in their landscape (G9.1).",
    "option:players": "Players",
    "value:players:2": "2 (a variant of our own)",
    "value:players:3": "3",
    "value:players:4": "4",
    "option:board": "Board",
    "value:board:own": "of our own design",
    "ending:houses": "A player had built the last house.",
    "ending:blocked": "A player could never build again, and so has lost.",
    "ending:cards": "The last scoring card had been scored.",
}
GERMAN = {
    "question:bid": "Setze deine Biethand auf ein Kartenpaar: Ein freies ist kostenlos, jemanden zu vertreiben kostet Münzen",
    "question:build": "Wähle einen Ort oder Stadtteil für ein Handelshaus oder baue nicht weiter",
    "question:pay": "Womit bezahlst du? Zwei gleiche Karten gelten als eine Karte einer anderen Landschaft",
    "question:goods": "Nimm eine Warenkarte: eine offene oder die oberste vom verdeckten Stapel",
    "question:box": "Du hast fünf Warenkarten: Welche legst du in die Schachtel zurück?",
    "question:bonus": "Such dir eine Bonuskarte aus; sie bleibt bis zum Spielende verdeckt",
    "question:discard": "Du hast mehr als fünf Landschaftskarten: Lege eine ab, der Reihe nach von Küste bis Wüste",
    "group:bid": "Kartenpaar",
    "group:site": "Bauplatz",
    "group:pay_coast": "Preis: 1 Küste",
    "group:pay_forest": "Preis: 2 Wald",
    "group:pay_meadow": "Preis: 2 Wiese",
    "group:pay_mountain": "Preis: 2 Gebirge",
    "group:pay_desert": "Preis: 2 Wüste",
    "group:goods": "Warenkarte",
    "group:box": "Warenkarte für die Schachtel",
    "group:bonus": "Bonuskarte",
    "group:card": "Karte zum Ablegen",
    "pick:bid:a": "Paar a",
    "pick:bid:b": "Paar b",
    "pick:bid:c": "Paar c",
    "pick:bid:d": "Paar d",
    "pick:site:done": "nicht weiter bauen",
    "pick:goods:stack": "oberste Karte vom Stapel, verdeckt",
    "pick:bonus:goods": "Waren: {goods} für jede Warenkarte",
    "pick:bonus:coins": "Münzen: {coins} für jede Münze",
    "pick:bonus:city": "Stadt: {city} für jedes Handelshaus in der Goldenen Stadt",
    "pick:bonus:rivers": "Flüsse: {rivers} für jedes Handelshaus an einem Fluss",
    "pick:bonus:forest": "Wald: {forest} für jedes Handelshaus im Wald, in Vororten und Stadtteilen",
    "pick:bonus:meadow": "Wiese: {meadow} für jedes Handelshaus auf der Wiese, in Vororten und Stadtteilen",
    "pick:bonus:mountain": "Gebirge: {mountain} für jedes Handelshaus im Gebirge, in Vororten und Stadtteilen",
    "pick:bonus:desert": "Wüste: {desert} für jedes Handelshaus in der Wüste, in Vororten und Stadtteilen",
    "source:outer": "äußere Stadtteile",
    "source:inner": "innere Stadtteile",
    "source:goods": "Waren",
    "source:rivers": "Flüsse",
    "source:quarters": "Stadtviertel",
    "source:bonus_goods": "Bonuskarte Waren",
    "source:bonus_coins": "Bonuskarte Münzen",
    "source:bonus_city": "Bonuskarte Stadt",
    "source:bonus_rivers": "Bonuskarte Flüsse",
    "source:bonus_landscapes": "Bonuskarten Landschaften",
    "note:outer": "Die ersten beiden Häuser in einem äußeren Stadtteil bringen Handelsbriefe, wie auf dem Plan gezeigt (G6.5).",
    "note:inner": "Die ersten beiden Häuser in einem inneren Stadtteil bringen Handelsbriefe, wie auf dem Plan gezeigt (G6.5).",
    "note:goods": "Hast du die gewertete Ware, erhältst du 2 Handelsbriefe, als Einziger 2 weitere (G7.1).",
    "note:rivers": "Ein Haus am gewerteten Fluss bringt 2 Handelsbriefe, die alleinige Mehrheit dort 2 weitere (G7.2).",
    "note:quarters": "Ein Haus im gewerteten Stadtviertel bringt 2 Handelsbriefe, die alleinige Mehrheit dort 2 weitere (G7.3).",
    "note:bonus_goods": "Am Spielende bringt diese Bonuskarte {goods} für jede deiner Warenkarten (G9.1).",
    "note:bonus_coins": "Am Spielende bringt diese Bonuskarte {coins} für jede deiner Münzen (G9.1).",
    "note:bonus_city": "Am Spielende bringt diese Bonuskarte {city} für jedes deiner Häuser in der Goldenen Stadt (G9.1).",
    "note:bonus_rivers": "Am Spielende bringt diese Bonuskarte {rivers} für jedes deiner Häuser an einem Fluss (G9.1).",
    "note:bonus_landscapes": "Am Spielende bringen sie Handelsbriefe für jedes deiner Häuser in ihrer Landschaft (G9.1).",
    "option:players": "Spielerzahl",
    "value:players:2": "2 (eigene Variante)",
    "value:players:3": "3",
    "value:players:4": "4",
    "option:board": "Spielplan",
    "value:board:own": "eigener Entwurf",
    "ending:houses": "Ein Spieler hatte sein letztes Handelshaus gebaut.",
    "ending:blocked": "Ein Spieler konnte nie wieder bauen und hat deshalb verloren.",
    "ending:cards": "Die letzte Wertungskarte war gewertet.",
}
_LETTERS = {"en": ("letter", "letters"), "de": ("Handelsbrief", "Handelsbriefe")}
_LANDSCAPES = {
    "en": ("coast", "forest", "meadow", "mountain", "desert"),
    "de": ("Küste", "Wald", "Wiese", "Gebirge", "Wüste"),
}
_GOODS = {"en": ("pottery", "wine", "cloth", "spices"), "de": ("Tongefäße", "Wein", "Stoffe", "Gewürze")}


def letters_of(board: Board) -> dict[str, int]:
    """What each bonus card of a board brings for each thing that it counts, as in RULE_BOOK."""
    return dict(zip(board.bonus_names, board.tables[0].letters_each.tolist(), strict=True))


def labels_with(letters: Mapping[str, int]) -> dict[str, Labels]:
    """The labels, with these letters of bonus cards."""
    found: dict[str, Labels] = {}
    for language, words in (("en", ENGLISH), ("de", GERMAN)):
        one, more = _LETTERS[language]
        each = {card: f"{n} {one if n == 1 else more}" for card, n in letters.items()}
        found[language] = {key: text.format(**each) for key, text in words.items()} | dict(_cards(language))
    return found


def _cards(language: str) -> Iterator[tuple[str, str]]:
    """Landscape cards, alone and as payments, and goods cards."""
    words, goods = _LANDSCAPES[language], _GOODS[language]
    for landscape in Landscape:
        yield f"pick:card:{landscape.name.lower()}", words[landscape]
        for source, text in _payments(landscape, words).items():
            yield f"pick:pay_{landscape.name.lower()}:{source}", text
    for one, other in permutations(Good, 2):
        for group in ("goods", "box"):
            yield f"pick:{group}:{one.name.lower()}+{other.name.lower()}", f"{goods[one]} + {goods[other]}"


def _payments(needed: Landscape, words: tuple[str, ...]) -> dict[str, str]:
    """By its sources each payment for a place, as cards: two stand for one of another landscape (G5.3, G5.4)."""
    paid = [[a] for a in range(len(Landscape))] if needed == Landscape.COAST else SOURCES_OF_TWO.tolist()
    found = {}
    for sources in paid:
        cards = {a: sources.count(a) * (1 if a == needed else JOKER) for a in sources}
        found["+".join(Landscape(a).name.lower() for a in sources)] = " + ".join(f"{n} {words[a]}" for a, n in cards.items())
    return found


LABELS = labels_with(RULE_BOOK)
"""By language, with the bonus cards of the rule book."""
