"""The replay viewer in a real browser: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ginkgo_env.pictures.viewer import contents, replay_page
from ginkgo_env.records import replay

from ..render.made_up import golden, made_up_analysis

CHROMIUM = os.environ.get("GINKGO_CHROMIUM") or shutil.which("chromium")
api = pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium, or its path in GINKGO_CHROMIUM"),
]

STEPS = 24
Open = Callable[..., Any]


@cache
def page_text(seat: int | None = None, analysed: bool = False, names: tuple[str, ...] = ()) -> str:
    record = golden(steps=STEPS, names=list(names) or None)
    return replay_page(record, seat, analysis=made_up_analysis(record) if analysed else None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with api.sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """Opens a page from a file; at the end nothing must have been asked of a network, and no error have come."""
    trouble: list[str] = []
    contexts = []

    def show(text: str, address: str = "", **options: Any) -> Any:
        path = tmp_path / f"{len(contexts)}.html"
        path.write_text(text, encoding="utf-8")
        contexts.append(browser.new_context(**{"viewport": {"width": 1280, "height": 800}} | options))
        page = contexts[-1].new_page()
        page.on("console", lambda message: trouble.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: trouble.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (trouble.append("a dialog"), dialog.dismiss()))
        page.on("request", lambda request: request.url.startswith("file:") or trouble.append(f"request: {request.url}"))
        page.goto(f"file://{path}{address}")
        page.wait_for_selector("#figure svg")
        return page

    yield show
    for context in contexts:
        context.close()
    assert trouble == []


def counter(page: Any) -> int:
    return int(page.inner_text("#counter").split("/")[0])


def until(happens: Callable[[], bool]) -> None:
    """Wait for it: what Playwright has for this evaluates text as a script, which the page forbids."""
    while not happens():
        time.sleep(0.02)


def words(page: Any, selector: str) -> str:
    return " ".join(page.inner_text(selector).split())


def number(page: Any) -> int:
    """The step that the page shows, after checking that all its parts say the same."""
    shown = counter(page)
    current = page.locator("#moves [aria-current]")
    assert current.count() == 1 and int(current.locator(".number").inner_text()) == shown
    assert f"step={shown}&" in page.url and f"step {shown}," in page.get_attribute("#figure svg", "aria-label")
    return shown


def view(page: Any) -> str:
    return str(page.inner_text("#views [aria-pressed=true]").split()[-1])


# --- steps -----------------------------------------------------------------------------------------------------------------


def test_buttons_step_through_the_game(opened: Open) -> None:
    page = opened(page_text())
    assert number(page) == 0 and "Setup" in page.inner_text("#what")
    seen = []
    for id_, expected in [("next", 1), ("next", 2), ("previous", 1), ("last", STEPS + 1), ("next", STEPS + 1), ("first", 0)]:
        page.click(f"#{id_}", force=True)  # where there is no further step a button is marked as disabled
        assert number(page) == expected
        seen.append(page.inner_html("#figure"))
    assert len(set(seen)) == 4  # as many pictures as different steps
    assert page.get_attribute("#previous", "aria-disabled") == "true"


def test_pictures_and_sentences_are_those_of_the_step(opened: Open) -> None:
    page = opened(page_text(), "#step=10&view=all")
    content, step = contents(page_text()), list(replay(golden(steps=STEPS)))[10]
    elements = [content["elements"][n] for n in content["views"][0]["entries"][10]["picture"]]
    texts = [re.sub(r"<[^>]*>", "", one) for one in elements if one.startswith("<text")]
    assert page.locator("#figure svg text").all_text_contents() == texts and len(texts) > 40
    assert page.locator("#sentences p").all_inner_texts() == step.narration
    page.click("#text summary")
    game = golden(steps=STEPS).game
    assert page.inner_text("#description").strip() == game.describe(step.state, None, content["names"]).strip()


def test_the_slider_scrubs(opened: Open) -> None:
    page = opened(page_text())
    page.locator("#slider").fill("9")
    assert number(page) == 9
    page.focus("#slider")
    page.keyboard.press("ArrowRight")
    assert number(page) == 10  # once, not twice
    box = page.locator("#slider").bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + box["height"] / 2)
    page.mouse.down()
    met = set()
    for share in (0.2, 0.4, 0.6):
        page.mouse.move(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
        met.add(number(page))
    page.mouse.up()
    assert len(met) == 3 and "Step" in page.get_attribute("#slider", "aria-valuetext")


def test_a_move_is_jumped_to(opened: Open) -> None:
    page = opened(page_text())
    page.click('#moves button:has-text("B3+Y17")')
    assert number(page) == 9 and "ann B3+Y17" in words(page, "#what")
    page.keyboard.press("ArrowDown")
    assert number(page) == 10 and page.evaluate("document.activeElement.dataset.index") == "10"
    assert page.locator("#moves h3").all_inner_texts()[:2] == ["Before round 1", "Round 1"]
    page.keyboard.press("End")
    assert page.locator("#moves [aria-current]").is_visible()
    list_, now = page.locator("#moves").bounding_box(), page.locator("#moves [aria-current]").bounding_box()
    assert list_["y"] <= now["y"] and now["y"] + now["height"] <= list_["y"] + list_["height"] + 1


def test_keys(opened: Open) -> None:
    page = opened(page_text())
    keys = ("ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "ArrowLeft", "Home", "ArrowLeft")
    for key, expected in zip(keys, (1, 2, 1, STEPS + 1, STEPS + 1, STEPS, 0, 0), strict=True):
        page.keyboard.press(key)
        assert number(page) == expected, key
    page.keyboard.press("]")
    assert number(page) == 7  # the first step of round 1
    page.keyboard.press("]")
    page.keyboard.press("[")
    assert number(page) == 7
    for key, expected in (("1", "bob"), ("0", "ann"), ("7", "ann"), ("a", "Everything")):
        page.keyboard.press(key)
        assert view(page) == expected, key
    page.keyboard.press("Control+ArrowRight")
    assert number(page) == 7  # the browser's own keys are left alone


def test_playing_ends_at_the_end(opened: Open) -> None:
    page = opened(page_text(), f"#step={STEPS - 4}")
    page.select_option("#speed", value="375")
    page.focus("#moves [aria-current]")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    assert page.get_attribute("#play", "aria-label") == "Pause"
    until(lambda: counter(page) == STEPS + 1)
    assert page.get_attribute("#play", "aria-label") == "Play"
    page.click("#play")  # from the beginning
    until(lambda: 0 < counter(page) < STEPS)
    page.click("#next")  # whoever takes a step by hand stops it
    shown = number(page)
    page.wait_for_timeout(800)
    assert page.get_attribute("#play", "aria-label") == "Play" and number(page) == shown


def test_space_on_a_button_presses_that_button(opened: Open) -> None:
    page = opened(page_text())
    page.focus("#next")
    page.keyboard.press("Space")
    assert number(page) == 1 and page.get_attribute("#play", "aria-label") == "Play"


# --- views -----------------------------------------------------------------------------------------------------------------


def test_the_view_is_switched(opened: Open) -> None:
    page = opened(page_text(), "#step=9")
    assert "B3+Y17" in page.inner_text("#what")
    page.click('#views button:has-text("bob")')
    assert number(page) == 9 and view(page) == "bob" and "view=1" in page.url
    assert "has chosen" in page.inner_text("#what") and "as bob sees it" in page.inner_html("#figure")
    assert "B3+Y17" not in page.inner_text("main")
    page.click('#views button:has-text("Everything")')
    assert "B3+Y17" in page.inner_text("#moves")


def test_the_address_names_step_and_view(opened: Open) -> None:
    page = opened(page_text(), "#step=12&view=1")
    assert (number(page), view(page)) == (12, "bob")
    page.evaluate("location.hash = '#step=3&view=all'")
    until(lambda: counter(page) == 3)
    assert (number(page), view(page)) == (3, "Everything")
    page.evaluate("location.hash = '#step=99999&view=nobody'")
    until(lambda: counter(page) == STEPS + 1)
    assert number(page) == STEPS + 1 and view(page) == "Everything"


def test_the_file_of_a_seat_offers_no_other_view(opened: Open) -> None:
    page = opened(page_text(1), "#step=4&view=0")
    assert page.locator("#views button").count() == 0 and "as bob saw it" in page.inner_text("#about")
    page.keyboard.press("0")
    page.keyboard.press("a")
    assert "as bob sees it" in page.inner_html("#figure") and "view=1" in page.url


def test_the_head_has_no_options_and_no_seed(opened: Open) -> None:
    """They are in the help, for those who look for them."""
    page = opened(page_text(), "#step=4")
    assert words(page, "#about") == "not finished"
    page.click("#help-button")
    assert "players 2" in words(page, "#configuration") and "seed " in words(page, "#configuration")


def test_names_are_never_markup(opened: Open) -> None:
    names = ("</script><script>alert(1)</script>", "<img src=x onerror=alert(2)>")
    page = opened(page_text(None, True, names), "#step=5")
    assert page.locator("#views").inner_text().count("alert") == 2 and page.locator("main img").count() == 0
    for key in ("1", "End", "Home", "ArrowRight"):
        page.keyboard.press(key)
    assert names[0][:9] in page.inner_text("#what") or names[1][:9] in page.inner_text("#what")


# --- the analysis ----------------------------------------------------------------------------------------------------------


def test_the_analysis_is_shown(opened: Open) -> None:
    page = opened(page_text(None, True), "#step=9")
    assert page.inner_text("#analysis-title") == "Analysis by lookahead"
    assert words(page, ".verdict") == "B3+Y17 lost 5.0 % against better."
    rows = [row.split() for row in page.locator(".options tbody tr").all_inner_texts()]
    assert rows == [["better", "45", "%", "0"], ["B3+Y17", "taken", "40", "%", "\u22125.0", "%"]]
    assert page.get_attribute("[data-interval] >> nth=0", "aria-label") == "35\u00a0% to 55\u00a0%"
    assert page.locator("#curve polyline").count() == 2
    page.keyboard.press("1")  # bob does not see what ann could do
    assert page.locator("#curve polyline").count() == 1 and page.locator(".options").count() == 0
    assert "better" not in page.inner_text("aside")
    page.keyboard.press("ArrowLeft")
    assert page.locator(".options").count() == 1


def test_the_curve_and_the_worst_decisions_lead_to_steps(opened: Open) -> None:
    page = opened(page_text(None, True))
    box = page.locator("#curve > svg").bounding_box()
    page.mouse.click(box["x"] + 0.9 * box["width"], box["y"] + box["height"] / 2)
    assert number(page) > STEPS / 2
    page.click("#analysis summary")
    page.click('#summary p:has-text("bob") button >> nth=0')
    assert number(page) == 2


def test_choices_made_at_once_are_shown_together(opened: Open) -> None:
    record = golden("my_city_three", steps=9)
    page = opened(replay_page(record, analysis=made_up_analysis(record)), "#step=6&view=1")
    own = [line["action"] for line in record.lines if "action" in line][3:6]
    assert words(page, "#what") == " ".join(f"{m} {n} {a}" for m, n, a in zip("abc", record.names, own, strict=True)) + " Round 2"
    assert words(page, ".options .played th") == f"{own[1]} taken"
    assert page.locator("#moves .loss").count() == 3 and number(page) == 6
    page.keyboard.press("a")
    assert words(page, ".options .played th") == f"{own[2]} taken"  # of the seat that chose last


def test_without_an_analysis_there_is_no_panel(opened: Open) -> None:
    assert not opened(page_text()).locator("#analysis").is_visible()


# --- the look --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "height"), [(320, 640), (390, 844), (844, 390), (1024, 768)])
def test_narrow_screens_do_not_scroll_sideways(opened: Open, width: int, height: int) -> None:
    long_names = ("W" * 40, "a name of " + "x" * 30)
    for text in (page_text(None, True), page_text(0, True, long_names), page_text(None, True, long_names)):
        page = opened(text, "#step=9", viewport={"width": width, "height": height}, has_touch=True)
        for key in ("ArrowRight", "z", "z"):
            page.keyboard.press(key)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        bar = page.locator("#bar").bounding_box()
        assert bar["y"] + bar["height"] <= height + 1  # in reach
        sizes = [one.bounding_box() for one in page.locator("#buttons button").all()]
        assert all(size["width"] >= 36 and size["height"] >= 36 for size in sizes)


LIGHT, DARK = ("rgb(250, 248, 243)", "rgb(34, 38, 43)"), ("rgb(21, 24, 28)", "rgb(239, 236, 229)")


def colors(page: Any) -> tuple[str, str]:
    """The color of the page and that of words in the picture."""
    ink = "getComputedStyle(document.querySelector('#figure svg .ink')).fill"
    return tuple(page.evaluate(f"[getComputedStyle(document.body).backgroundColor, {ink}]"))


def test_colors_follow_the_system_until_they_are_chosen(opened: Open) -> None:
    page = opened(page_text(), color_scheme="dark")

    assert colors(page) == DARK
    page.emulate_media(color_scheme="light")
    until(lambda: colors(page) == LIGHT)
    page.click("#theme")
    page.click("#theme")
    page.keyboard.press("ArrowRight")
    until(lambda: colors(page) == DARK)
    assert page.inner_text("#theme") == "Colors: dark"


def test_help_lists_the_keys_and_closes(opened: Open) -> None:
    page = opened(page_text())
    page.keyboard.press("?")
    assert page.locator("#help").is_visible() and "Space" in page.inner_text("#keys")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    assert not page.locator("#help").is_visible() and number(page) == 0


def test_it_can_be_used_without_seeing_it(opened: Open) -> None:
    """Every control has a name, what happens is announced, and the picture has a text."""
    page = opened(page_text(None, True), "#step=9")
    for one in page.locator("button:visible, input:visible, select:visible").all():
        named = one.evaluate("node => node.ariaLabel || node.innerText.trim() || (node.labels && node.labels.length)")
        assert named, one.evaluate("node => node.outerHTML")
    assert page.get_attribute("#sentences", "aria-live") == "polite"
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    tabs = page.locator("#moves button").evaluate_all("all => all.filter((one) => one.tabIndex === 0).length")
    assert tabs == 1  # one stop for the whole list


def test_print_is_light_and_without_controls(opened: Open) -> None:
    page = opened(page_text(), "#step=9", color_scheme="dark")
    page.emulate_media(media="print")
    assert colors(page) == LIGHT and not page.locator("#bar").is_visible()
    page.emulate_media(media="screen")
    assert colors(page) == DARK
