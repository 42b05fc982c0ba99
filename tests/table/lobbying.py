"""What tests of the lobby do there."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from .browsing import Served
from .served import until

Visit = Callable[..., Any]


def text_of(page: Any, selector: str) -> str:
    return " ".join(page.inner_text(selector).split())


def settle(page: Any) -> None:
    """Wait until the server has answered what was chosen."""
    until(lambda: page.get_attribute("#opening", "aria-busy") == "false")


def choose(page: Any, game: str) -> None:
    page.click(f'.card label:has([value="{game}"])')
    settle(page)


def option(page: Any, name: str, text: str) -> None:
    page.click(f'.pill:has([name="option-{name}"]):has-text("{text}")')
    settle(page)


def opened(page: Any) -> str:
    """Press the button; returns the token of the seat that one gets to."""
    page.click("#open")
    page.wait_for_url("**/seat/*", timeout=120_000)  # kernels may have to be compiled first
    return str(page.url.rpartition("/")[2])


def joined(visitor: Any, link: str, name: str) -> str:
    """Take a seat by its link; returns its token."""
    page = visitor.open("/join/" + link.rpartition("/")[2])
    page.wait_for_selector("#taking:visible")
    page.fill("#name", name)
    page.click("#take")
    page.wait_for_url("**/seat/*")
    return str(page.url.rpartition("/")[2])


def back(page: Any, served: Served) -> None:
    page.goto(served.address)
    page.wait_for_selector("#seats li")
    until(lambda: page.locator("#tables .asking").count() == 0)  # a row gets its buttons anew with the answer


def stored(page: Any) -> Any:
    return json.loads(page.evaluate("localStorage.getItem('ginkgo.tables')"))
