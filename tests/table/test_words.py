"""Words for people: agents by their strength, actions as sentences, replays without numbers for programs."""

from __future__ import annotations

from typing import Any

import pytest

from .browsing import CHROMIUM, Served, Visitor
from .lobbying import Visit, text_of
from .served import ANN, BOT, LocalServer, until

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium, or its path in GINKGO_CHROMIUM")
STRENGTHS = ["strongest (search)", "strong (lookahead)", "medium (greedy)", "easy (builder)", "easy (random)"]


def test_actions_are_sentences_in_the_language_of_the_request(server: LocalServer) -> None:
    (token,) = server.open(ANN, BOT)
    told = {}
    for language in ("en", "de"):
        decision = server.get(f"/api/seats/{token}?language={language}")["decision"]
        told[language] = {action["text"]: action["sentence"] for action in decision["actions"]}
    place = next(text for text in told["en"] if text.endswith("N"))
    assert told["en"][place].endswith(f" at {place[:-1]}, not turned") and told["en"]["end"] == ""
    assert told["de"][place].endswith(f" auf {place[:-1]} bauen, nicht gedreht")


@pytest.mark.full
@needs_chromium
def test_agents_are_chosen_by_their_strength(lobby: Visit, visitor: Visitor, served: Served) -> None:
    """In the lobby, for hints and to take over; the strongest first."""
    page = lobby()
    page.click('.card label:has([value="my_city"])')
    options = page.locator('select[data-seat="1"] option')
    until(lambda: options.all_inner_texts() == ["person", *STRENGTHS])
    (token,) = served.table("my_city", None, "greedy")
    page = visitor.seat(token)
    until(lambda: page.locator("#adviser option").count() == 4)
    assert page.locator("#adviser option").all_text_contents() == STRENGTHS[:4]
    page.click("#links")
    until(lambda: page.locator("#seats select option").all_text_contents() == STRENGTHS)
    assert text_of(page, '#seats [data-seat="1"] .who').endswith("computer player: medium (greedy)")
    page.keyboard.press("Escape")
    page.select_option("#language", "de")
    until(lambda: page.locator("#adviser option").first.text_content() == "am stärksten (search)")


@pytest.mark.full
@needs_chromium
@pytest.mark.parametrize(
    ("game", "options", "sentence"),
    [
        ("ginkgopolis", {"setup": "introductory"}, "keep card"),
        ("golden_city", {}, "it is free"),
        ("my_city", {}, "not turned"),
    ],
)
def test_actions_are_listed_as_sentences(
    visitor: Visitor, served: Served, game: str, options: dict[str, Any], sentence: str
) -> None:
    (token,) = served.table(game, None, "random", seed=3, **options)
    action = next(one for one in served.turn(token)["decision"]["actions"] if sentence in one["sentence"])
    page = visitor.seat(token)
    page.evaluate(f"chooseAnew({action['id']})")
    until(lambda: text_of(page, "#chosen") == f"Chosen: {action['sentence']}")
