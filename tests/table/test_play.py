"""Playing on the board: what the panel leaves to it, pieces that are dragged, the chosen tile on its place, and motion."""

from __future__ import annotations

import re
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")

from .browsing import CHROMIUM, Served, Visitor
from .clicking import MOVING, POINT
from .served import until

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium, or its path in GINKGO_CHROMIUM"),
]


@pytest.fixture
def seat(served: Served) -> str:
    """A seat alone against William that has to choose a card, alone or with a tile."""
    (token,) = served.table("ginkgopolis", None, seed=3)
    while served.turn(token)["decision"]["kind"] != "commit":
        served.act(token)
    return token


PAIR = "[one.closest('[data-group]').dataset.group, one.dataset.name]"


def placing(served: Served, seat: str) -> Any:
    """An action that puts a tile on a place of the board."""
    actions = served.turn(seat)["decision"]["actions"]
    return next(one for one in actions if one["places"] and dict(one["picks"]).get("tile", "none") != "none" and not one["note"])


def drag(page: Any, part: str, onto: str) -> None:
    page.evaluate(POINT, part)  # may scroll
    where = page.evaluate(POINT, onto)
    page.mouse.move(*page.evaluate(POINT, part))
    page.mouse.down()
    page.mouse.move(*where, steps=4)
    page.mouse.up()


# --- the board first -------------------------------------------------------------------------------------------------------


def test_the_panel_has_what_the_picture_has_not(served: Served, visitor: Visitor, seat: str) -> None:
    """Everything else is folded away until somebody wants it, and stays as it was left."""
    page = visitor.seat(seat)
    wanted = {(group, name) for action in served.turn(seat)["decision"]["actions"] for group, name in action["picks"]}
    pairs, names = (f"nodes => nodes.map((one) => {one})" for one in (PAIR, "one.dataset.part"))
    bare, drawn = (
        {tuple(pick) for pick in page.locator(f"#{at} button").evaluate_all(pairs)} for at in ("groups", "drawn-groups")
    )
    parts = set(page.locator("#figure [data-part], #hand [data-part]").evaluate_all(names))
    assert bare | drawn == wanted and ("tile", "none") in bare
    assert {f"{group}:{name}" for group, name in drawn} <= parts and not bare & drawn
    assert not page.is_visible("#actions") and not page.is_visible("#drawn-groups")
    assert page.is_visible("#question") and page.is_visible("#confirm")
    page.click("#left-title")
    assert page.is_visible("#actions") and page.is_visible("#drawn-groups")
    page.reload()
    until(lambda: page.is_visible("#actions"))
    number = page.evaluate("game.decision.number")
    served.act(seat)
    until(lambda: page.evaluate("game.decision?.number") == number + 1)
    assert page.evaluate("byId('left').open")


@pytest.mark.parametrize("key", ["l", "c"])
def test_keys_unfold_what_they_lead_to(visitor: Visitor, served: Served, key: str) -> None:
    (token,) = served.table("ginkgopolis", None, "random", seed=3)
    page = visitor.seat(token)
    assert served.turn(token)["decision"]["kind"] == "draft" and not page.locator("#groups button").count()
    page.keyboard.press(key)
    assert page.evaluate("document.activeElement.checkVisibility() && byId('left').contains(document.activeElement)")


@pytest.mark.parametrize("size", [(1280, 720), (1440, 900), (1920, 1080)])
def test_the_board_and_the_cards_are_as_large_as_the_room_allows(
    served: Served, visitor: Visitor, seat: str, size: tuple[int, int]
) -> None:
    page = visitor.seat(seat, viewport={"width": size[0], "height": size[1]})
    figure, board = (page.locator(one).bounding_box() for one in ("#figure", "#figure > svg"))
    assert max(board["width"] / figure["width"], board["height"] / figure["height"]) > 0.98
    assert figure["width"] > 0.5 * size[0] and figure["height"] > 0.85 * size[1]
    hand = page.locator("#hand").evaluate("node => [node.scrollHeight, node.clientHeight]")
    assert hand[0] <= hand[1]  # all of it is in sight
    card = page.locator('#hand [data-row="hand"] [data-piece]').first.bounding_box()
    assert min(card["width"], card["height"]) > 50


# --- pieces that are dragged, and the tile on its place ----------------------------------------------------------------------


def test_a_tile_is_dragged_onto_a_place(served: Served, visitor: Visitor, seat: str) -> None:
    page, action = visitor.seat(seat), placing(served, seat)
    tile, (place,) = dict(action["picks"])["tile"], action["places"]
    drag(page, f"tile:{tile}", place)
    assert page.evaluate("chosen.action") == action["id"] and not page.locator(".flying").count()
    ghost, cell = (page.locator(one).first.bounding_box() for one in ("#figure .ghost", f'#figure [data-part="{place}"]'))
    assert abs(ghost["x"] + ghost["width"] / 2 - cell["x"] - cell["width"] / 2) < 8
    page.click("#undo")  # Escape would close a title first, if one has come up
    assert not page.locator(".ghost").count()
    drag(page, f"tile:{tile}", f"tile:{tile}")  # back to where it was: it is picked
    assert page.evaluate("chosen.picks") == {"tile": tile}


def test_a_tile_that_cannot_be_paid_is_pale_in_the_hand(served: Served, visitor: Visitor) -> None:
    (token,) = served.table("ginkgopolis", None, seed=7)
    while not any(one["note"] for one in served.turn(token)["decision"]["actions"]):
        served.act(token)
    page = visitor.seat(token)
    (_, card), (_, tile) = next(one["picks"] for one in served.turn(token)["decision"]["actions"] if one["note"])
    page.mouse.click(*page.evaluate(POINT, f"card:{card}"))
    piece = page.locator(f'#hand [data-piece]:has([data-part="tile:{tile}"])')
    assert piece.locator(".frame.noted.line").count() == 1 and piece.locator(".frame.can").count() == 0


# --- motion ----------------------------------------------------------------------------------------------------------------

FLIES = """() => {
    window.flown = [];
    const note = (node) => node.matches?.(".flying") && flown.push(node.textContent.trim());
    new MutationObserver((all) => all.forEach((one) => one.addedNodes.forEach(note)))
        .observe(document.body, { childList: true });
}"""


@pytest.mark.parametrize("calm", [False, True])
def test_a_placed_tile_flies_to_its_place_and_points_count(served: Served, visitor: Visitor, seat: str, calm: bool) -> None:
    page, action = visitor.seat(seat, reduced_motion="reduce" if calm else "no-preference"), placing(served, seat)
    page.evaluate(FLIES)
    page.evaluate("id => choose({ action: id })", action["id"])
    number = page.evaluate("game.decision.number")
    page.keyboard.press("Enter")
    until(lambda: page.evaluate("game.decision === null || game.decision.number") in (True, number + 1))
    (tile,) = (name for group, name in action["picks"] if group == "tile")
    assert page.evaluate("flown").count(tile) == (0 if calm else 1)
    until(lambda: ("w" in page.evaluate("flown")) is not calm)  # William's sign, to where he builds
    until(lambda: not page.evaluate(MOVING) and not page.locator(".flying").count())
    totals = [score["total"] for score in served.turn(seat)["scores"]]
    shown = "nodes => nodes.map((one) => Number(one.textContent.replace('\u2212', '-')))"
    until(lambda: page.locator("#sides .total").evaluate_all(shown) == totals)


def test_a_number_passes_those_between(served: Served, visitor: Visitor, seat: str) -> None:
    page = visitor.seat(seat)
    said = page.evaluate("""async () => {
        const node = document.querySelector("#sides .total"), said = new Set();
        const changes = { childList: true, characterData: true, subtree: true };
        new MutationObserver(() => said.add(Number(node.textContent))).observe(node, changes);
        countTo(node, 40, 0);
        while (node.textContent !== "40") await new Promise((done) => requestAnimationFrame(done));
        return [...said];
    }""")
    assert said == sorted(said) and said[-1] == 40 and len(said) > 2


# --- after the game --------------------------------------------------------------------------------------------------------


def test_the_end_has_points_by_source_and_a_review(served: Served, visitor: Visitor) -> None:
    (token,) = served.table("my_city", None, "random", seed=1)
    while not served.view(token)["result"]:
        served.act(token) if until(lambda: (view := served.view(token))["decision"] or view["result"]) else None
    view, page = served.view(token), visitor.seat(token)
    rows = page.locator("#by-source tbody tr").evaluate_all(
        "nodes => nodes.map((row) => [...row.children].map((one) => one.textContent))"
    )
    numbers = [[int(text.replace("\u2212", "-")) for text in row[1:]] for row in rows]
    assert numbers[-1] == view["result"]["scores"] == [sum(column) for column in zip(*numbers[:-1], strict=True)]
    assert all(any(row) for row in numbers[:-1])
    page.wait_for_selector("#review polyline")
    mistakes = page.locator("#review li")
    assert 1 <= mistakes.count() <= 3
    told = r"would have brought \d+ percentage points? more \(95 % interval .?\d+ to \d+\)"
    assert re.search(told, mistakes.first.inner_text())
    assert page.locator("#review path").count() == mistakes.count()
    step = mistakes.first.locator("button").get_attribute("data-step")
    mistakes.first.locator("button").click()
    page.wait_for_url(lambda url: "/replays/" in url and f"#step={step}" in url)
