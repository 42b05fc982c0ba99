"""The lobby in a real browser, against a real server: opening tables, finding them again, records, languages, keyboard."""

from __future__ import annotations

import json
import urllib.error
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ginkgo_env.registry import OWN_GAMES

pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")

from ginkgo_agents.table.labels import catalog_of
from ginkgo_agents.table.offer import Offer

from .browsing import CHROMIUM, Served, Visitor, chromium, until

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium, or its path in GINKGO_CHROMIUM"),
]
Visit = Callable[..., Any]
GOLDEN = Path(__file__).parents[2] / "golden"
PHONE = {"viewport": {"width": 360, "height": 740}}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def offered() -> Offer:
    return Offer()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, offered: Offer) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("lobby") / "tables.sqlite3", offered, pace=3600)
    yield served
    served.stop()


@pytest.fixture
def lobby(browser: Any, served: Served) -> Iterator[Visit]:
    visitor = Visitor(browser, served)

    def ready(**options: Any) -> Any:
        page = visitor.open("/", **{"viewport": {"width": 1200, "height": 900}} | options)
        page.wait_for_selector("#places li")
        return page

    yield ready
    visitor.close()
    assert visitor.trouble == []


def words(page: Any, selector: str) -> str:
    return " ".join(page.inner_text(selector).split())


def choose(page: Any, game: str) -> None:
    page.click(f'.card:has([value="{game}"])')
    until(lambda: page.get_attribute("#opening", "aria-busy") == "false")


def option(page: Any, name: str, text: str) -> None:
    page.click(f'.pill:has([name="option-{name}"]):has-text("{text}")')


def opened(page: Any) -> str:
    """Press the button; returns the token of the seat that one gets to."""
    page.click("#open")
    page.wait_for_url("**/seat/*")
    return str(page.url.rpartition("/")[2])


def back(page: Any, served: Served) -> None:
    page.goto(served.address)
    page.wait_for_selector("#places li")


def kept(page: Any) -> Any:
    return json.loads(page.evaluate("localStorage.getItem('ginkgo.tables')"))


# --- opening ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", OWN_GAMES)
def test_a_table_is_two_clicks_away(lobby: Visit, served: Served, game: str) -> None:
    page = lobby()
    choose(page, game)
    view = served.view(opened(page))
    assert view["game"] == game and view["seat"] == 0 and view["names"][0] == "Player 1"
    assert view["agents"][0] is None and set(view["agents"][1 : view["seats"]]) == {"lookahead"}
    (table,) = kept(page)
    assert (
        table["title"] in view["title"] and table["names"] == view["names"] and [seat["seat"] for seat in table["seats"]] == [0]
    )


def test_the_options_that_were_chosen_are_opened(lobby: Visit, served: Served) -> None:
    page = lobby()
    option(page, "players", "3")
    option(page, "modules", "events")
    option(page, "modules", "experts")
    option(page, "modules", "events")  # off again
    until(lambda: page.locator("#places li").count() == 3)
    page.fill('input[aria-label="Name at seat 1"]', "Ann <b>")
    page.select_option('select[data-seat="1"]', "random")
    page.select_option('select[data-seat="2"]', "random")
    view = served.view(opened(page))
    assert dict(view["options"])["players"] == "3" and dict(view["options"])["modules"] == "experts"
    assert view["names"] == ["Ann <b>", "random 1", "random 2"]
    back(page, served)
    assert page.input_value('input[aria-label="Name at seat 1"]') == "Ann <b>"  # as chosen last
    assert page.is_checked('.pill:has-text("experts") input') and page.locator("#places li").count() == 3
    assert "Ann <b>" in words(page, "#tables") and page.locator("#tables b").count() == 0


def test_an_invalid_combination_is_told(lobby: Visit) -> None:
    page = lobby()
    option(page, "players", "1,")
    until(lambda: "william" in words(page, "#places"))
    assert page.get_attribute("#open", "aria-disabled") == "false"
    option(page, "setup", "introductory")
    page.wait_for_selector("#refused:visible")
    assert words(page, "#refused").startswith("These do not go together: setup='introductory' requires players >= 2")
    assert page.get_attribute("#refused span", "lang") == "en" and page.get_attribute("#refused", "role") == "alert"
    assert page.get_attribute("#open", "aria-disabled") == "true" and not page.is_visible("#who")
    page.click("#open", force=True)
    assert page.url.endswith("/") and page.evaluate("localStorage.getItem('ginkgo.tables')") is None
    option(page, "players", "2")
    page.wait_for_selector("#who:visible")
    assert not page.is_visible("#refused")


def test_an_agent_that_cannot_play_this_is_replaced_and_told(lobby: Visit) -> None:
    page = lobby()
    page.select_option('select[data-seat="1"]', "ppo")
    option(page, "modules", "experts")
    page.wait_for_selector("#replaced:visible")
    assert words(page, "#replaced") == "Not able to play this: ppo. lookahead sits there instead."
    assert page.input_value('select[data-seat="1"]') == "lookahead"


def test_everyone_a_person_or_nobody(lobby: Visit, served: Served) -> None:
    page = lobby()
    choose(page, "golden_city")
    assert page.get_attribute('[data-preset="agents"]', "aria-pressed") == "true"
    page.click('[data-preset="people"]')
    assert page.get_attribute('[data-preset="people"]', "aria-pressed") == "true"
    view = served.view(opened(page))
    assert view["agents"] == [None] * 3 and [seat["seat"] for seat in kept(page)[0]["seats"]] == [0, 1, 2]
    back(page, served)
    assert page.locator("#tables a").all_inner_texts() == ["Play as Player 1", "Play as Player 2", "Play as Player 3"]
    page.click('[data-preset="watch"]')
    view = served.view(opened(page))
    assert view["watch"] and view["seat"] is None and set(view["agents"]) == {"lookahead"}
    back(page, served)
    assert words(page, "#tables li >> nth=0").count("Watch") == 1


def test_a_seed_gives_the_same_game(lobby: Visit, served: Served) -> None:
    page = lobby()
    choose(page, "my_city")
    pictures = []
    for seed in ("7", "7", "8"):
        page.click("#more summary")
        page.fill("#seed", seed)
        pictures.append(served.view(opened(page))["picture"]["body"])
        back(page, served)
    assert pictures[0] == pictures[1] != pictures[2]
    page.click("#more summary")
    for wrong in ("1.5", "-1", "x", "9999999999999999"):
        page.fill("#seed", wrong)
        page.click("#open")
        assert words(page, "#refused").startswith("A seed is a whole number")
    page.click('[data-preset="people"]')
    assert page.is_disabled("#seed") and "at most one person" in words(page, "#seed-note")


def test_a_name_is_needed(lobby: Visit) -> None:
    page = lobby()
    page.fill('input[aria-label="Name at seat 1"]', "  ")
    page.click("#open")
    assert words(page, "#refused") == "Seat 1 needs a name." and page.url.endswith("/")


def test_a_full_house_is_told(browser: Any, offered: Offer, tmp_path: Path) -> None:
    small = Served(tmp_path / "tables.sqlite3", offered, tables=1)
    visitor = Visitor(browser, small)
    page = visitor.open("/")
    page.wait_for_selector("#places li")
    opened(page)
    back(page, small)
    page.click("#open")
    page.wait_for_selector("#refused:visible")
    assert words(page, "#refused").startswith("there is no room") and page.get_attribute("#refused span", "lang") == "en"
    assert page.get_attribute("#open", "aria-disabled") == "false" and len(kept(page)) == 1
    visitor.close()
    small.stop()
    assert visitor.trouble == []


def test_a_server_that_is_away_is_told(lobby: Visit) -> None:
    page = lobby()
    page.route("**/api/**", lambda route: route.abort())
    page.click("#open")
    page.wait_for_selector("#refused:visible")
    assert words(page, "#refused") == catalog_of("en")["page.away"]
    page.unroute("**/api/**")
    opened(page)


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
    until(lambda: "Your turn" in words(page, "#tables") and "Looking" not in words(page, "#tables"))
    assert page.locator("#tables h3").all_inner_texts() == ["The Golden City", "Ginkgopolis"] and not page.is_visible("#none")
    page.click(f'#tables a[href="/seat/{first}"]')
    page.wait_for_url(f"**/seat/{first}")


def test_a_table_is_removed_after_asking(lobby: Visit, served: Served) -> None:
    page = lobby()
    token = opened(page)
    back(page, served)
    page.click("[data-act=remove]")
    assert page.is_visible("#removing") and "Ginkgopolis with Player 1 and lookahead" in words(page, "#removing-text")
    page.keyboard.press("Escape")
    assert not page.is_visible("#removing") and len(kept(page)) == 1
    page.click("[data-act=remove]")
    page.click("#remove")
    until(lambda: page.locator("#tables li").count() == 0)
    assert kept(page) == [] and page.is_visible("#none") and page.evaluate("document.activeElement.id") == "mine-title"
    with pytest.raises(urllib.error.HTTPError, match="404"):
        served.view(token)


def test_a_table_of_several_people_is_only_taken_off_the_list(lobby: Visit, served: Served) -> None:
    page = lobby()
    page.click('[data-preset="people"]')
    token = opened(page)
    back(page, served)
    page.click("[data-act=remove]")
    page.click("#remove")
    page.wait_for_selector("#kept-text:visible")
    assert len(words(page, "#kept-text")) > 10 and not page.is_visible("#remove")
    page.click("#forget")
    assert kept(page) == [] and served.view(token)["seat"] == 0


def test_a_table_that_is_gone_says_so(lobby: Visit, served: Served) -> None:
    page = lobby()
    token = opened(page)
    served.ask(f"/api/seats/{token}/remove", {})
    back(page, served)
    until(lambda: "Gone" in words(page, "#tables"))
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
        page.wait_for_selector("#places li")
        assert page.get_attribute("#open", "aria-disabled") == "false"


# --- records ---------------------------------------------------------------------------------------------------------------


def test_a_recorded_game_is_watched(lobby: Visit) -> None:
    page = lobby()
    page.set_input_files("#record", GOLDEN / "my_city_one.jsonl")
    page.wait_for_url("**/replays/*")
    page.wait_for_selector("#figure svg")
    assert "My City" in page.inner_text("#title")


def test_a_file_is_dropped_anywhere(lobby: Visit) -> None:
    page = lobby()
    text = (GOLDEN / "my_city_one.jsonl").read_text(encoding="utf-8")
    page.evaluate(
        """text => {
            const files = new DataTransfer();
            files.items.add(new File([text], "game.jsonl"));
            document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
        }""",
        text,
    )
    page.wait_for_url("**/replays/*")


def test_a_file_that_is_no_record_is_told(lobby: Visit, tmp_path: Path) -> None:
    page = lobby()
    for content, sentence in ((b"hello", ""), (b"", ""), (b"\xff\xfe", ""), (b"x" * (4 * 1024 * 1024 + 1), "longer than 4 MB")):
        (tmp_path / "file.jsonl").write_bytes(content)
        page.evaluate("document.getElementById('unread').hidden = true")
        page.set_input_files("#record", tmp_path / "file.jsonl")
        page.wait_for_selector("#unread:visible")
        assert sentence in words(page, "#unread") and len(words(page, "#unread")) > 10
    assert page.url.endswith("/")


# --- languages, keyboard, looks ----------------------------------------------------------------------------------------------


def test_german_is_german_throughout(lobby: Visit, served: Served) -> None:
    english = {
        text for key, text in catalog_of("en").items() if catalog_of("de")[key] != text and len(text) > 3 and "{" not in text
    }
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
    page.wait_for_selector("#places li")
    assert page.get_attribute("html", "lang") == "de" and page.title() == catalog_of("de")["lobby.title"]


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
    assert page.evaluate("getComputedStyle(document.activeElement.parentElement).outlineStyle") == "solid"
    page.keyboard.press("ArrowRight")
    until(lambda: page.locator("#places li").count() == 3)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")  # players: 4
    until(lambda: page.locator("#places li").count() == 4)
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
    page.fill("#places input", "W" * 40)
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
    assert (
        page.get_attribute("html", "data-theme") == "dark" and page.get_attribute(".card svg >> nth=0", "class") == "gk gk-dark"
    )
    page.emulate_media(color_scheme="light")
    until(lambda: page.get_attribute("html", "data-theme") == "light")
    page.click("[data-theme-button]")
    page.click("[data-theme-button]")
    assert page.get_attribute("html", "data-theme") == "dark" and words(page, "[data-theme-button]") == "Colors: dark"
    page.reload()
    page.wait_for_selector("#places li")
    assert page.get_attribute("html", "data-theme") == "dark"
