"""The lobby in a real browser: the tables that one has, languages, keyboard, phones, colors."""

from __future__ import annotations

import urllib.error

import pytest

pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")

from ginkgo_env.registry import OWN_GAMES
from ginkgo_table.translations import texts_of

from .browsing import CHROMIUM, Served
from .lobbying import Visit, back, choose, opened, stored, text_of
from .served import until

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium, or its path in GINKGO_CHROMIUM"),
]


# --- one's tables ----------------------------------------------------------------------------------------------------------


def test_the_list_survives_a_reload_and_says_how_tables_stand(lobby: Visit, served: Served) -> None:
    page = lobby()
    assert page.is_visible("#none")
    first = opened(page)
    back(page, served)
    choose(page, "golden_city")
    opened(page)
    back(page, served)
    page.reload()
    until(lambda: "Your turn" in text_of(page, "#tables") and "Looking" not in text_of(page, "#tables"))
    assert page.locator("#tables h3").all_inner_texts() == ["The Golden City", "Ginkgopolis"] and not page.is_visible("#none")
    page.click(f'#tables a[href="/seat/{first}"]')
    page.wait_for_url(f"**/seat/{first}")


def test_a_finished_table_tells_who_won(lobby: Visit, served: Served) -> None:
    page = lobby()
    choose(page, "my_city")
    page.select_option('select[data-seat="1"]', "random")
    token = opened(page)
    back(page, served)
    while not (view := until(lambda: v if (v := served.view(token))["decision"] or v["result"] else None))["result"]:
        decision = view["decision"]
        served.ask(f"/api/seats/{token}/act", {"decision": decision["number"], "action": decision["actions"][0]["id"]})
    page.reload()
    until(lambda: "Over" in text_of(page, "#tables"))
    for name, score in zip(view["names"], view["result"]["scores"], strict=True):
        assert f"{name}: {score}".replace("-", "\u2212") in text_of(page, "#tables")
    assert text_of(page, "#tables a") == "Look at it"


def test_another_tab_adds_to_the_list(lobby: Visit, served: Served) -> None:
    page = lobby()
    other = page.context.new_page()
    other.goto(served.address)
    other.wait_for_selector("#seats li")
    opened(other)
    until(lambda: page.locator("#tables li").count() == 1)


def test_a_table_is_removed_after_asking(lobby: Visit, served: Served) -> None:
    page = lobby()
    token = opened(page)
    back(page, served)
    page.click("[data-act=remove]")
    assert page.is_visible("#removing") and "Ginkgopolis with Player 1 and search" in text_of(page, "#removing-text")
    page.keyboard.press("Escape")
    assert not page.is_visible("#removing") and len(stored(page)) == 1
    page.click("[data-act=remove]")
    page.click("#remove")
    until(lambda: page.locator("#tables li").count() == 0)
    assert stored(page) == [] and page.is_visible("#none") and page.evaluate("document.activeElement.id") == "mine-title"
    with pytest.raises(urllib.error.HTTPError, match="404"):
        served.view(token)


def test_a_table_of_several_people_is_only_taken_off_the_list(lobby: Visit, served: Served) -> None:
    page = lobby()
    page.click('[data-preset="people"]')
    token = opened(page)
    link = served.ask(f"/api/seats/{token}/invite", {"seat": 1})["invitation"]
    served.ask(f"/api/invitations/{link}/claim", {"name": "Bob"})
    back(page, served)
    page.click("[data-act=remove]")
    page.click("#remove")
    page.wait_for_selector("#kept-text:visible")
    assert len(text_of(page, "#kept-text")) > 10 and not page.is_visible("#remove")
    page.click("#forget")
    assert stored(page) == [] and served.view(token)["seat"] == 0


def test_a_table_that_is_gone_says_so(lobby: Visit, served: Served) -> None:
    page = lobby()
    token = opened(page)
    served.ask(f"/api/seats/{token}/remove", {})
    back(page, served)
    until(lambda: "Gone" in text_of(page, "#tables"))
    assert page.locator("#tables a").count() == 0
    page.click("[data-act=remove]")
    until(lambda: page.locator("#tables li").count() == 0)


def test_what_others_have_left_in_the_store_breaks_nothing(lobby: Visit) -> None:
    page = lobby()
    for text in ("nonsense", "7", '[7, {"seats": []}, {"seats": [{"token": "x"}], "names": ["a"], "time": 1}]', "null"):
        page.evaluate(
            "text => { for (const key of ['tables', 'last', 'language', 'theme', 'name']) localStorage['ginkgo.' + key] = text }",
            text,
        )
        page.reload()
        page.wait_for_selector("#seats li")
        assert page.get_attribute("#open", "aria-disabled") == "false"


# --- languages, keyboard, looks ----------------------------------------------------------------------------------------------


def test_german_is_german_throughout(lobby: Visit, served: Served) -> None:
    german, labels = texts_of("de"), texts_of("en")
    english = {text for key in german if german[key] != (text := labels.get(key, key)) and len(text) > 3 and "{" not in text}
    page = lobby()
    opened(page)
    back(page, served)
    assert "New table" in page.inner_text("main")
    page.select_option("#language", "de")
    until(lambda: "Neuer Tisch" in page.inner_text("main"))
    for game in OWN_GAMES:
        choose(page, game)
        page.evaluate("document.getElementById('more').open = true")
        until(lambda: "Du bist am Zug" in page.inner_text("main"))
        lines = {line.strip() for line in page.inner_text("body").split("\n")}
        marks = page.locator("[aria-label]").evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
        assert (lines | set(marks)) & english == set()
        assert page.locator('[lang="en"]:visible:not(option)').count() == 0
    page.reload()
    page.wait_for_selector("#seats li")
    assert page.get_attribute("html", "lang") == "de" and page.title() == texts_of("de")["Ginkgo: tables"]


def test_the_browser_says_the_language(lobby: Visit) -> None:
    for locale, language in (("de-AT", "de"), ("fr-FR", "en"), ("en-US", "en")):
        page = lobby(locale=locale)
        assert page.get_attribute("html", "lang") == language and page.input_value("#language") == language


def test_a_table_is_opened_by_keys_alone(lobby: Visit, served: Served) -> None:
    page = lobby()
    page.focus("#language")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.name") == "game"
    assert page.evaluate("getComputedStyle(document.activeElement.closest('.card')).outlineStyle") == "solid"
    page.keyboard.press("ArrowRight")
    until(lambda: page.locator("#seats li").count() == 3)
    while page.evaluate("document.activeElement.name") != "option-players":  # ways to begin at once are on the way
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")  # players: 4
    until(lambda: page.locator("#seats li").count() == 4)
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "open":
            break
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    else:
        page.focus("#open")
    page.keyboard.press("Enter")
    page.wait_for_url("**/seat/*")
    view = served.view(page.url.rpartition("/")[2])
    assert view["game"] == "golden_city" and view["seats"] == 4


def test_every_control_has_a_name(lobby: Visit, served: Served) -> None:
    page = lobby()
    opened(page)
    back(page, served)
    page.click("#more summary")
    for one in page.locator("button:visible, input, select:visible, a:visible").all():
        named = one.evaluate(
            "node => node.ariaLabel || node.innerText?.trim() || (node.labels && node.labels[0].innerText.trim())"
        )
        assert named, one.evaluate("node => node.outerHTML")
    ids = page.locator("[id]").evaluate_all("all => all.map((one) => one.id)")
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("width", [320, 360, 844])
@pytest.mark.parametrize("locale", ["en", "de"])
def test_narrow_screens_do_not_scroll_sideways(lobby: Visit, served: Served, width: int, locale: str) -> None:
    page = lobby(viewport={"width": width, "height": 740}, locale=locale, has_touch=True)
    page.fill("#seats input", "W" * 40)
    opened(page)
    back(page, served)
    for game in OWN_GAMES:
        choose(page, game)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        small = page.locator("button:visible, select:visible, a.button:visible, .pill:visible").evaluate_all(
            "all => all.filter((one) => one.getBoundingClientRect().height < 36).map((one) => one.outerHTML)"
        )
        assert small == []
    page.click("[data-act=remove]")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_colors_follow_the_system_until_they_are_chosen(lobby: Visit) -> None:
    page = lobby(color_scheme="dark")

    def colors() -> tuple[str, str]:
        well = "getComputedStyle(document.querySelector('.board')).backgroundColor"
        return tuple(page.evaluate(f"[getComputedStyle(document.body).backgroundColor, {well}]"))

    light, dark = ("rgb(250, 248, 243)", "rgb(238, 235, 227)"), ("rgb(21, 24, 28)", "rgb(42, 48, 56)")
    assert colors() == dark
    page.emulate_media(color_scheme="light")
    until(lambda: colors() == light)
    page.click("[data-theme-button]")
    page.click("[data-theme-button]")
    until(lambda: colors() == dark)
    assert text_of(page, "[data-theme-button]") == "Colors: dark"
    page.reload()
    page.wait_for_selector("#seats li")
    assert colors() == dark
