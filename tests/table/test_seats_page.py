"""Two persons at one table in a real browser: links, codes, names, leaving."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")

from .browsing import CHROMIUM, Served, Visitor
from .lobbying import Visit, choose, opened, stored, text_of
from .served import until

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium, or its path in GINKGO_CHROMIUM"),
]


def test_a_name_that_is_being_typed_stays(lobby: Visit) -> None:
    """Also when the names of the agents arrive after it."""
    page = lobby()
    choose(page, "my_city")
    page.click('[data-preset="people"]')
    held: list[Any] = []
    page.route("**/api/offer", lambda route: held.append(route))  # noqa: PLW0108 - Playwright counts its parameters
    opened(page)
    page.fill('[data-state="own"] .name', "Bobby")
    until(lambda: page.evaluate("1") and held)  # routes are handled while Playwright is asked something
    assert page.locator('[data-state="own"] option').count() == 0
    for route in held:
        route.continue_()
    until(lambda: page.locator('[data-state="own"] option').count())
    assert page.input_value('[data-state="own"] .name') == "Bobby"


def test_two_persons_take_their_seats(lobby: Visit, visitor: Visitor, served: Served) -> None:
    ann = lobby()
    choose(ann, "my_city")
    ann.click('[data-preset="people"]')
    assert ann.is_visible("#inviting")
    ann.fill("#seats li >> nth=0 >> input", "Ann")
    own = opened(ann)
    ann.wait_for_selector("#others[open] .link")  # it opens by itself: there is somebody to invite
    link = until(lambda: ann.input_value("#others .link"))
    ann.click(".show-code")
    ann.wait_for_selector(".code svg")
    assert "Empty seats: Player 2" in text_of(ann, "#turn") and ann.is_hidden("#choice")
    bob = visitor.open("/join/" + link.rpartition("/")[2], locale="de-DE")
    bob.wait_for_selector("#taking:visible")
    assert "Am Tisch: Ann." in text_of(bob, "#about") and bob.input_value("#name") == "Player 2"
    bob.fill("#name", "Bob")
    bob.click("#take")
    bob.wait_for_url("**/seat/*")
    until(lambda: "Bob" in text_of(ann, '[data-seat="1"] .who') and "sits there" in text_of(ann, '[data-seat="1"] .who'))
    assert ann.locator("#others .link").count() == 0
    assert [seat["token"] for table in stored(ann) for seat in table["seats"]] == [own]
    late = visitor.open("/join/" + link.rpartition("/")[2])
    late.wait_for_selector("#refused:visible")
    assert late.is_hidden("#taking") and "Somebody has taken this seat" in text_of(late, "#refused")
    bob.click("#links")
    bob.fill('[data-state="own"] .name', "Bobby")
    bob.click(".rename")
    until(lambda: "Bobby" in text_of(ann, '[data-seat="1"] .who'))
    bob.click(".leave")
    bob.click(".leave")
    bob.wait_for_selector("#opening #seats li")  # in the lobby
    assert stored(bob) == []
    until(lambda: ann.locator("#others .link").count() == 1 and ann.input_value("#others .link") == link)
    ann.select_option('[data-seat="1"] select', "greedy")
    ann.click('[data-seat="1"] .assign')
    until(
        lambda: (
            served.view(own)["agents"] == [None, "greedy"]
            and "computer player: medium (greedy)" in text_of(ann, '[data-seat="1"]')
        )
    )
    ann.click("#others form button")
    ann.wait_for_selector("#choice:visible")
