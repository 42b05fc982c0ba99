"""axe-core finds nothing on the pages, in light and dark, on a desktop and on a phone; and a few keys decide."""

from __future__ import annotations

import random
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")

from ..axe import findings, needs_axe
from .browsing import CHROMIUM, Served, Visitor
from .lobbying import Visit
from .served import until

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium, or its path in GINKGO_CHROMIUM"),
]
GAMES = ("ginkgopolis", "golden_city", "my_city")
LOOKS: list[dict[str, Any]] = [
    {"viewport": {"width": 1280, "height": 720}, "color_scheme": "light"},
    {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark", "locale": "de-DE"},
]
MOST_KEYS = 6


def act(served: Served, token: str, chance: random.Random) -> bool:
    """Take a decision at random; returns whether the game goes on."""
    view = until(lambda: view if (view := served.view(token))["decision"] or view["result"] else None)
    if view["result"]:
        return False
    action = chance.choice(view["decision"]["actions"])
    served.ask(f"/api/seats/{token}/act", {"decision": view["decision"]["number"], "action": action["id"]})
    return True


@needs_axe
@pytest.mark.parametrize("look", LOOKS, ids=("light", "dark"))
def test_axe_finds_nothing_in_the_lobby(lobby: Visit, look: dict[str, Any]) -> None:
    page = lobby(**look)
    assert findings(page) == []
    page.click("#more summary")
    assert findings(page) == []


@needs_axe
@pytest.mark.parametrize("look", LOOKS, ids=("light", "dark"))
@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_nothing_where_games_are_learned(lobby: Visit, visitor: Visitor, game: str, look: dict[str, Any]) -> None:
    for path in (f"/learn/{game}", f"/rules/{game}"):
        page = visitor.open(path, **look)
        until(lambda page=page: page.inner_text("#first"))  # its texts have come
        assert findings(page) == [], path
    page = lobby(**look)
    page.click(f'[data-game="{game}"] button')
    page.wait_for_selector("#guide:visible", timeout=120_000)
    assert findings(page) == []


@needs_axe
@pytest.mark.parametrize("look", LOOKS, ids=("light", "dark"))
@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_nothing_at_a_seat(served: Served, visitor: Visitor, game: str, look: dict[str, Any]) -> None:
    """In the middle of a game, with everything open; and at its end."""
    (token,) = served.table(game, None, "random", "random", seed=2)
    chance = random.Random(2)
    for _ in range(9):
        act(served, token, chance)
    served.turn(token)
    page = visitor.seat(token, **look)
    assert findings(page) == []
    for node in page.locator("#sides button, #beside summary, #text summary").all():
        node.click()
    page.locator("#confirm").scroll_into_view_if_needed()
    assert findings(page) == []
    while act(served, token, chance):
        pass
    page.wait_for_selector("#verdict")
    assert findings(page) == []
    page.click("#replay")
    page.wait_for_url("**/replays/*")
    page.wait_for_selector("#figure svg")
    assert findings(page) == []


# --- by keys ---------------------------------------------------------------------------------------------------------------

KEYS = """(action) => action.picks.map(([group, name]) => {
    const made = document.querySelector(`[data-group="${group}"] [data-name="${CSS.escape(name)}"]`);
    return made.getAttribute("aria-keyshortcuts") || name.toLowerCase();
})"""


@pytest.mark.parametrize("game", GAMES)
def test_a_few_keys_decide(served: Served, visitor: Visitor, game: str) -> None:
    """The digits of the picks, or their names where there are many; then Enter."""
    (token,) = served.table(game, None, "random", "random", seed=4)
    page, chance, most = visitor.seat(token), random.Random(4), 0
    page.keyboard.press("c")  # shows all picks, and so it stays
    for _ in range(14):
        view = served.turn(token)
        until(lambda view=view: page.evaluate("game.version") == view["version"])
        action = chance.choice(view["decision"]["actions"])
        strokes = 0
        for keys in page.evaluate(KEYS, action):
            if page.evaluate("chosen.action") != action["id"]:
                keys = keys if keys.isdigit() or strokes else f"c{keys}"  # letters spell where the focus is
                for key in keys:
                    page.keyboard.press(key)
                strokes += len(keys)
        assert page.evaluate("chosen.action") == action["id"], action
        page.keyboard.press("Enter")
        most = max(most, strokes + 1)
        until(
            lambda view=view: (
                page.evaluate("game.version") != view["version"] and served.turn(token)["version"] != view["version"]
            )
        )
    assert 1 < most <= MOST_KEYS
