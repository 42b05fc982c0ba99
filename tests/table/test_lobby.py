"""The lobby in a real browser, against a real server: opening tables, watching records."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")

from ginkgo_env.registry import OWN_GAMES
from ginkgo_table.web.game_catalog import GameCatalog

from .browsing import CHROMIUM, Served, Visitor
from .lobbying import Visit, back, choose, opened, option, settle, stored, text_of
from .served import until

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium, or its path in GINKGO_CHROMIUM"),
]
GOLDEN = Path(__file__).parents[1] / "golden"


# --- opening ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", OWN_GAMES)
def test_a_table_is_two_clicks_away(lobby: Visit, served: Served, game: str) -> None:
    page = lobby()
    choose(page, game)
    view = served.view(opened(page))
    assert view["game"] == game and view["seat"] == 0 and view["names"][0] == "Player 1"
    assert view["agents"][0] is None and set(view["agents"][1 : view["seats"]]) == {"search"}
    (table,) = stored(page)
    assert (
        table["title"] in view["title"] and table["names"] == view["names"] and [seat["seat"] for seat in table["seats"]] == [0]
    )


@pytest.mark.parametrize("game", OWN_GAMES)
def test_a_first_game_is_one_click_away(lobby: Visit, served: Served, game: str) -> None:
    """With the defaults, whatever was chosen before; only the first table of a game is guided."""
    page = lobby()
    choose(page, game)
    page.click('[data-preset="watch"]')
    for is_guided in (True, False):
        page.click(f'[data-game="{game}"] button')
        page.wait_for_url("**/seat/*", timeout=120_000)
        view = served.view(str(page.url.rpartition("/")[2]))
        easy = "william" if game == "ginkgopolis" else "builder"
        assert view["game"] == game and view["seat"] == 0
        assert view["agents"][: view["seats"]] == [None] + [easy] * (view["seats"] - 1)
        assert stored(page)[0]["guided"] is is_guided
        back(page, served)


def test_games_are_shown_by_their_boards(lobby: Visit) -> None:
    """First a bar, then the picture, in the language of the page."""
    page = lobby(locale="de-DE")
    until(lambda: page.locator(".board img").count() == len(OWN_GAMES))
    for game in OWN_GAMES:
        card = page.locator(f'[data-game="{game}"]')
        until(lambda card=card: card.locator("img").evaluate("one => one.complete && one.naturalWidth > 300"))
        assert re.search(r"\d.\d Spieler · etwa \d\d Minuten", card.inner_text())
    page.select_option("#language", "en")
    until(lambda: "about" in page.inner_text(".card >> nth=0") and "Plan a city" in page.inner_text(".card >> nth=0"))
    assert all("language=en" in one.get_attribute("src") for one in page.locator(".board img").all())


def test_rules_are_compiled_while_the_lobby_is_read(lobby: Visit) -> None:
    """The chosen game first, with a bar."""
    asked = list[str]()

    def answer(route: Any) -> None:
        asked.append(route.request.url.rpartition("/")[2])
        is_done = asked.count(asked[-1]) > 1 and "my_city" in asked
        route.fulfill(json={"done": 1 if is_done else 0.5})

    page = lobby()
    page.route("**/api/prepared/*", answer)
    loaded: list[str] = []
    page.on("request", lambda one: loaded.append(one.url))
    page.reload()
    until(lambda: page.locator('[data-game="ginkgopolis"] progress').get_attribute("value") == "0.5")
    assert not [url for url in loaded if "/pictures/ginkgopolis/" in url]  # there is none yet
    choose(page, "my_city")
    until(lambda: page.locator(".board img").count() == len(OWN_GAMES))
    assert list(dict.fromkeys(asked)) == ["ginkgopolis", "my_city", "golden_city"]
    assert page.locator(".board progress").count() == 0


def test_the_options_that_were_chosen_are_opened(lobby: Visit, served: Served) -> None:
    page = lobby()
    option(page, "players", "3")
    option(page, "modules", "events")
    option(page, "modules", "experts")
    option(page, "modules", "events")  # off again
    until(lambda: page.locator("#seats li").count() == 3)
    page.fill('input[aria-label="Name at seat 1"]', "Ann <b>")
    page.select_option('select[data-seat="1"]', "random")
    page.select_option('select[data-seat="2"]', "random")
    view = served.view(opened(page))
    assert dict(view["options"])["players"] == "3" and dict(view["options"])["modules"] == "experts"
    assert view["names"] == ["Ann <b>", "random 1", "random 2"]
    back(page, served)
    assert page.input_value('input[aria-label="Name at seat 1"]') == "Ann <b>"  # as chosen last
    assert page.is_checked('.pill:has-text("experts") input') and page.locator("#seats li").count() == 3
    assert "Ann <b>" in text_of(page, "#tables") and page.locator("#tables b").count() == 0


def test_an_answer_does_not_interrupt_who_types_a_name(lobby: Visit) -> None:
    page = lobby()
    settle(page)
    page.fill('input[aria-label="Name at seat 1"]', "An")
    page.evaluate("seatAll(); showSeats()")
    page.keyboard.type("n")
    assert page.evaluate("chosen.seats[0].name") == "Ann"


def test_options_without_a_choice_stay_away(lobby: Visit) -> None:
    page = lobby()

    def shown() -> list[str]:
        found: list[str] = page.locator("#options fieldset:visible").evaluate_all(
            "nodes => nodes.map((one) => one.dataset.option)"
        )
        return found

    until(lambda: shown() == ["players", "setup", "modules"])
    option(page, "players", "1")
    until(lambda: shown() == ["players", "level"])
    option(page, "level", "advanced")
    option(page, "players", "2")
    until(lambda: page.locator("#refused").is_visible() and "level" in shown())  # what does not go together can be mended
    option(page, "level", "standard")
    option(page, "modules", "keep a card")
    until(lambda: shown() == ["players", "setup", "modules", "hand_size"])


def test_an_invalid_combination_is_told(lobby: Visit) -> None:
    page = lobby()
    option(page, "setup", "introductory")
    option(page, "players", "1,")
    page.wait_for_selector("#refused:visible")
    assert text_of(page, "#refused").startswith("These do not go together: setup='introductory' requires players >= 2")
    assert page.get_attribute("#refused span", "lang") == "en" and page.get_attribute("#refused", "role") == "alert"
    assert page.get_attribute("#open", "aria-disabled") == "true" and not page.is_visible("#who")
    page.click("#open", force=True)
    assert page.url.endswith("/") and page.evaluate("localStorage.getItem('ginkgo.tables')") is None
    option(page, "setup", "draft")
    until(lambda: page.get_attribute("#open", "aria-disabled") == "false")
    assert not page.is_visible("#refused") and page.is_visible("#who")


def test_an_agent_that_cannot_play_this_is_replaced_and_told(lobby: Visit) -> None:
    page = lobby()
    option(page, "players", "3")  # where no policy plays modules
    page.select_option('select[data-seat="1"]', "ppo")
    option(page, "modules", "experts")
    page.wait_for_selector("#replaced:visible")
    assert text_of(page, "#replaced") == "Not able to play this: ppo. search sits there instead."
    assert page.input_value('select[data-seat="1"]') == "search"


def test_everyone_a_person_or_nobody(lobby: Visit, served: Served) -> None:
    page = lobby()
    choose(page, "golden_city")
    assert page.get_attribute('[data-preset="agents"]', "aria-pressed") == "true"
    page.click('[data-preset="people"]')
    assert page.get_attribute('[data-preset="people"]', "aria-pressed") == "true"
    view = served.view(opened(page))
    assert view["agents"] == [None] * 3 and view["empty"] == [False, True, True]
    assert [seat["seat"] for seat in stored(page)[0]["seats"]] == [0]  # no key to the seats of others
    back(page, served)
    until(lambda: "Empty seats: Player 2 and Player 3" in text_of(page, "#tables"))
    assert page.locator("#tables a").all_inner_texts() == ["Go on"]
    page.click('[data-preset="watch"]')
    view = served.view(opened(page))
    assert view["watch"] and view["seat"] is None and set(view["agents"]) == {"search"}
    back(page, served)
    assert text_of(page, "#tables li >> nth=0").count("Watch") == 1


def test_a_seed_gives_the_same_game(lobby: Visit, served: Served) -> None:
    page = lobby()
    choose(page, "my_city")
    pictures = []
    for seed in ("7", "7", "8"):
        page.click("#more summary")
        page.fill("#seed", seed)
        pictures.append(served.view(opened(page))["picture"])
        back(page, served)
    assert pictures[0] == pictures[1] != pictures[2]
    page.click("#more summary")
    for wrong in ("1.5", "-1", "x", "9999999999999999"):
        page.fill("#seed", wrong)
        page.click("#open")
        assert text_of(page, "#refused").startswith("A seed is a whole number")
    page.click('[data-preset="people"]')
    assert page.is_disabled("#seed") and "at most one person" in text_of(page, "#seed-note")


def test_a_name_is_needed(lobby: Visit) -> None:
    page = lobby()
    page.fill('input[aria-label="Name at seat 1"]', "  ")
    page.click("#open")
    assert text_of(page, "#refused") == "Seat 1 needs a name." and page.url.endswith("/")


def test_a_full_house_is_told(browser: Any, catalog: GameCatalog, tmp_path: Path) -> None:
    small = Served(tmp_path / "tables.sqlite3", catalog, tables=1)
    with Visitor(browser, small) as visitor:
        page = visitor.open("/")
        page.wait_for_selector("#seats li")
        opened(page)
        back(page, small)
        page.click("#open")
        page.wait_for_selector("#refused:visible")
        assert text_of(page, "#refused").startswith("the server is full") and page.get_attribute("#refused span", "lang") == "en"
        assert page.get_attribute("#open", "aria-disabled") == "false" and len(stored(page)) == 1
    small.stop()


def test_a_server_that_is_away_is_told(lobby: Visit) -> None:
    page = lobby()
    page.route("**/api/**", lambda route: route.abort())
    page.click("#open")
    page.wait_for_selector("#refused:visible")
    assert text_of(page, "#refused") == "The server does not answer. Is “ginkgo table” still running?"
    page.unroute("**/api/**")
    opened(page)


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
        assert sentence in text_of(page, "#unread") and len(text_of(page, "#unread")) > 10
    assert page.url.endswith("/")
