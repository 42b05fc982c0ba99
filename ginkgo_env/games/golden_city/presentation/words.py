"""Words for people: the files in ``translations``, and texts composed of their words.

German follows the rule book. The letters of bonus cards are filled in, as a board may differ from the rule book (G1.6.2).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from ginkgo_env.drawing.presenter import Translation, read_translations
from ginkgo_env.games.golden_city.actions import SOURCES_OF_TWO
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import JOKER, Landscape
from ginkgo_env.games.golden_city.text.reading import LANDSCAPES

_TEXTS = read_translations(__package__)


def translations_of(board: Board) -> dict[str, Translation]:
    """The words of a game on a board, by language."""
    return {language: _filled_in(texts, board) | dict(_composed(texts)) for language, texts in _TEXTS.items()}


def _filled_in(texts: Translation, board: Board) -> dict[str, str]:
    """Fill in the letters of the board's bonus cards, and drop words for composing (keys without a colon)."""
    each = zip(board.bonus_names, board.tables[0].letters_each.tolist(), strict=True)
    letters = {card: texts["letters.one" if n == 1 else "letters.other"].format(n=n) for card, n in each}
    return {key: text.format(**letters) for key, text in texts.items() if ":" in key}


def _composed(texts: Translation) -> Iterator[tuple[str, str]]:
    """Texts of payments as cards (G5.3, G5.4) and of goods cards."""
    words = [texts[f"pick:card:{name}"] for name in LANDSCAPES]
    for needed, name in enumerate(LANDSCAPES):
        payments = [[source] for source in Landscape] if needed == Landscape.COAST else SOURCES_OF_TWO.tolist()
        for sources in payments:
            cards = {source: sources.count(source) * (1 if source == needed else JOKER) for source in sources}
            payment = "+".join(LANDSCAPES[source] for source in sources)
            yield f"pick:pay_{name}:{payment}", " + ".join(f"{n} {words[source]}" for source, n in cards.items())
    goods = {key.removeprefix("good."): text for key, text in texts.items() if key.startswith("good.")}
    for first, second in permutations(goods, 2):
        for group in ("goods", "box"):
            yield f"pick:{group}:{first}+{second}", f"{goods[first]} + {goods[second]}"
