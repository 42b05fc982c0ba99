"""Two persons at one table in a real browser: links, codes, names, leaving."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")

from .browsing import CHROMIUM, Served, Visitor
from .lobbying import Visit, choose, opened, stored, words
from .served import until

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium, or its path in GINKGO_CHROMIUM"),
]


@pytest.fixture
def visitor(browser: Any, served: Served) -> Iterator[Visitor]:
    """Further browsers, with nothing wrong at the end."""
    with Visitor(browser, served) as visitor:
        yield visitor


def test_two_persons_take_their_seats(lobby: Visit, visitor: Visitor, served: Served) -> None:
    ann = lobby()
    choose(ann, "my_city")
    ann.click('[data-preset="people"]')
    assert ann.is_visible("#inviting")
    ann.fill("#places li >> nth=0 >> input", "Ann")
    own = opened(ann)
    ann.wait_for_selector("#others[open] .link")  # it opens by itself: there is somebody to invite
    link = until(lambda: ann.input_value("#others .link"))
    ann.click(".show-code")
    ann.wait_for_selector(".code svg")
    assert "Empty seats: Player 2" in words(ann, "#turn") and ann.is_hidden("#choice")
    bob = visitor.open("/join/" + link.rpartition("/")[2], locale="de-DE")
    bob.wait_for_selector("#taking:visible")
    assert "Am Tisch: Ann." in words(bob, "#about") and bob.input_value("#name") == "Player 2"
    bob.fill("#name", "Bob")
    bob.click("#take")
    bob.wait_for_url("**/seat/*")
    until(lambda: "Bob" in words(ann, '[data-seat="1"] .who') and "sits there" in words(ann, '[data-seat="1"] .who'))
    assert ann.locator("#others .link").count() == 0
    assert [seat["token"] for table in stored(ann) for seat in table["seats"]] == [own]
    late = visitor.open("/join/" + link.rpartition("/")[2])
    late.wait_for_selector("#refused:visible")
    assert late.is_hidden("#taking") and "Somebody has taken this seat" in words(late, "#refused")
    bob.click("#links")
    bob.fill('[data-state="own"] .name', "Bobby")
    bob.click(".rename")
    until(lambda: "Bobby" in words(ann, '[data-seat="1"] .who'))
    bob.click(".leave")
    bob.click(".leave")
    bob.wait_for_selector("#places li")
    assert stored(bob) == []
    until(lambda: ann.locator("#others .link").count() == 1 and ann.input_value("#others .link") == link)
    ann.select_option('[data-seat="1"] select', "greedy")
    ann.click('[data-seat="1"] .assign')
    until(lambda: served.view(own)["agents"] == [None, "greedy"] and "computer player greedy" in words(ann, '[data-seat="1"]'))
    ann.click("#others form button")
    ann.wait_for_selector("#choice:visible")
