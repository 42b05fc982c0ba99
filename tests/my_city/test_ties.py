"""M8.8: a tie that rows decide is explained."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import numpy as np

from ginkgo_env import Record, replay
from ginkgo_env.core.playback import Playback
from ginkgo_table.terminal import formatting
from ginkgo_table.terminal.translator import Translator

from ..rules.my_city.positions import game_of, table


def test_m8_8_a_tie_that_rows_decide_is_explained_where_winners_are_told() -> None:
    """By records, pictures and the terminal, in both languages; a shared win and a plain one are not."""
    ties = {"en": "The scores are tied: less empty land in row 1 wins", "de": "Gleichstand: Es gewinnt, wer in Zeile 1 weniger"}
    for texts, is_broken in (
        (("e1E", "d8N", "end", "end"), True),
        (("e1E", "e1E", "end", "end"), False),
        (("end", "pass"), False),
    ):
        found = table("Y1", "Y2", players=2).play(*texts)
        while found.actor is not None:
            found.play("end" if "end" in found.legal else "pass")
        game, state = found.game, found.state
        assert found.outcome.is_tie_broken == is_broken
        assert game.presenter.tie_break(found.outcome).startswith(ties["en"]) == is_broken
        words = re.sub("<[^>]*>", " ", game.picture(state).svg())
        assert ("The scores are tied" in words) == is_broken
        live: Any = SimpleNamespace(game=game, state=state, names=["Anna", "Berta"])
        for language, start in ties.items():
            told = [block.text for block in formatting.result(live, Translator(language, game))]
            assert any(text.startswith(start) for text in told) == is_broken, told


def test_m8_8_the_end_of_a_record_explains_a_tie() -> None:
    """Both end after the first building, which one has placed elsewhere than the other."""
    game, found = game_of(2), set[bool]()
    for place in range(0, 20, 2):
        playback, actions = Playback(game), list[int]()
        playback.start(5)
        while playback.actor is not None:
            legal = np.flatnonzero(playback.mask[0])
            at = 0 if not actions else place if len(actions) == 1 else -1
            actions.append(int(legal[at]))
            playback.play(actions[-1])
        record = Record.from_actions(game, 5, actions)
        assert record.result is not None
        is_broken = len(set(record.result["scores"])) == 1 == len(record.result["winners"])
        sentences = [*replay(record)][-1].narration
        assert len(sentences) == 1 + is_broken and sentences[-1].startswith("The scores are tied") == is_broken
        found.add(is_broken)
    assert found == {False, True}
