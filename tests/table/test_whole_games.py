"""Whole games in a real browser: by clicks, by keys, with other persons, across reloads and restarts, and the replay after."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")

from ginkgo_env import Record, replay
from ginkgo_table.live import LiveGame, SeatAssignment
from ginkgo_table.web.game_catalog import GameCatalog

from .browsing import CHROMIUM, Served, Visitor
from .clicking import Person
from .lobbying import choose, joined, opened, option, text_of
from .served import until

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium, or its path in GINKGO_CHROMIUM"),
]
GAMES = ("ginkgopolis", "golden_city", "my_city")
PASSES = ("instead",)  # My City: a person who passes at random is soon out


class Strict(Visitor):
    """Every answer that is a refusal is trouble as well, but for a preview that comes after the decision."""

    def tab(self, context: Any, path: str) -> Any:
        context.on("response", self._check)
        return super().tab(context, path)

    def _check(self, one: Any) -> None:
        late = one.status == 409 and one.url.endswith("/preview")
        if one.status >= 400 and not late:
            self.trouble.append(f"answer: {one.status} {one.url}")


@pytest.fixture(scope="module", autouse=True)
def compiled(catalog: GameCatalog) -> None:
    """Compile the games at once, so that no test waits for that."""
    for name in GAMES:
        game = catalog.game(name, {"players": 2})
        live = LiveGame(game, 0, [SeatAssignment(f"Robot {seat}", "random") for seat in range(game.seats)])
        while not live.is_over:
            live.advance()


@pytest.fixture
def visitor(browser: Any, served: Served) -> Iterator[Strict]:
    with Strict(browser, served) as made:
        yield made


Start = Callable[..., Person]


@pytest.fixture
def start(visitor: Visitor) -> Start:
    """``start(game, options, {seat: agent}, seed)``: a person at seat 0 of a table that was opened through the lobby."""

    def sit(game: str, options: dict[str, str], agents: dict[int, str], seed: int, modules: bool = False, **more: Any) -> Person:
        page = visitor.open("/")
        page.wait_for_selector("#seats li")
        choose(page, game)
        for name, texts in options.items():
            for text in texts.split():
                option(page, name, text)
        for pill in page.locator('.pill:has([name="option-modules"])').all() if modules else []:
            pill.click()
        for seat, agent in agents.items():
            page.wait_for_selector(f'select[data-seat="{seat}"]')
            page.select_option(f'select[data-seat="{seat}"]', agent)
        page.click("#more summary")
        page.fill("#seed", str(seed))  # else how long a game is would be luck
        opened(page)
        page.wait_for_selector("#figure svg")
        return Person(page, seed, **more)

    return sit


def downloaded(page: Any) -> Record:
    """The record that the page gives at the end."""
    with page.expect_download() as download:
        page.click("#record")
    return Record.read(download.value.path())


def plain(text: str) -> str:
    """With a minus as Python has it."""
    return text.replace("\u2212", "-")


def shown_scores(page: Any) -> list[int]:
    return [int(plain(text)) for text in page.locator("#sides .total").all_inner_texts()]


def check_end(person: Person, served: Served) -> dict[str, Any]:
    """The result is shown; the record replays, has what this person did and nothing else of it, and ends as the page says."""
    page = person.page
    view = served.view(page.url.rpartition("/")[2])
    assert page.is_visible("#result") and page.is_hidden("#choice") and page.get_attribute("body", "class") == "table over"
    result, names = view["result"], view["names"]
    until(lambda: shown_scores(page) == result["scores"])  # numbers count
    verdict, best = plain(text_of(page, "#verdict")), max(result["scores"][side] for side in result["winners"])
    assert str(best) in verdict and all(names[side] in verdict for side in result["winners"])
    record = downloaded(page)
    assert [step.action for step in replay(record) if step.actor == view["seat"]] == person.decided
    assert {key: record.result[key] for key in result} == result
    return view


# --- by clicks -------------------------------------------------------------------------------------------------------------


def test_a_solo_game_against_william(start: Start, served: Served) -> None:
    person = start("ginkgopolis", {"players": "1,"}, {}, seed=1)
    assert person.play()
    view = check_end(person, served)
    assert len(view["names"]) == 2 and len(person.decided) > 20
    assert person.drawn > 2 * person.beside  # cards and tiles were clicked where they are drawn


def test_a_game_of_three_against_two_agents(start: Start, served: Served) -> None:
    person = start("ginkgopolis", {"players": "3"}, {1: "greedy", 2: "random"}, seed=2)
    assert person.play()
    view = check_end(person, served)
    assert view["agents"] == [None, "greedy", "random"] and len(person.decided) > 20


def test_a_game_of_the_golden_city(start: Start, served: Served) -> None:
    person = start("golden_city", {"players": "3"}, {1: "random", 2: "random"}, seed=3)
    assert person.play()
    assert check_end(person, served)["seats"] == 3 and len(person.decided) > 30 and person.drawn > 10


def test_a_game_of_my_city(start: Start, served: Served) -> None:
    person = start("my_city", {"players": "2"}, {1: "random"}, seed=4, avoid=PASSES)
    assert person.play()
    assert check_end(person, served)["seats"] == 2 and len(person.decided) > 8 and person.drawn > 8


def test_a_game_with_all_modules(start: Start, served: Served) -> None:
    person = start("ginkgopolis", {"players": "3"}, {1: "random", 2: "random"}, modules=True, seed=5)
    assert person.play()
    assert dict(check_end(person, served)["options"])["modules"] == "all" and len(person.decided) > 30


PHONES = [((360, 740), "ginkgopolis"), ((740, 360), "golden_city"), ((360, 740), "my_city")]


@pytest.mark.parametrize(("size", "game"), PHONES)
def test_a_game_on_a_phone(served: Served, visitor: Visitor, size: tuple[int, int], game: str) -> None:
    (token,) = served.table(game, None, "random", seed=6)
    viewport = {"width": size[0], "height": size[1]}
    person = Person(visitor.seat(token, viewport=viewport, has_touch=True, is_mobile=True), 6, avoid=PASSES)
    assert person.play()
    assert len(person.decided) > 8 and person.drawn > 4
    check_end(person, served)


# --- by keys ---------------------------------------------------------------------------------------------------------------


def test_a_game_by_keys_alone(served: Served, visitor: Visitor) -> None:
    (token,) = served.table("ginkgopolis", None, "random", setup="introductory", seed=6)
    person = Person(visitor.seat(token), seed=6)
    while not (seen := person.ready())["over"]:
        person.press(person.wanted(seen))
    check_end(person, served)
    assert person.drawn == person.beside == 0
    person.page.keyboard.press("Tab")
    until(lambda: person.page.evaluate("document.activeElement !== document.body"))


# --- the replay ------------------------------------------------------------------------------------------------------------


def test_the_replay_of_a_finished_game(served: Served, visitor: Visitor) -> None:
    (token,) = served.table("my_city", None, "random", seed=7)
    page = visitor.seat(token)
    person = Person(page, seed=7, avoid=PASSES)
    assert person.play()
    view = check_end(person, served)
    page.click("#replay")
    page.wait_for_url("**/replays/*")
    page.wait_for_selector("#figure svg")
    end = int(page.get_attribute("#slider", "max"))
    assert text_of(page, "#counter") == f"0 / {end}" and end > len(person.decided)
    pictures, said = [page.inner_html("#figure")], [text_of(page, "#happened")]
    for step in range(1, end + 1):
        page.keyboard.press("ArrowRight")
        until(lambda step=step: text_of(page, "#counter") == f"{step} / {end}")
        pictures.append(page.inner_html("#figure"))
        said.append(text_of(page, "#happened"))
    assert len(set(pictures)) > end // 2 and len(set(said)) > end // 2 and all(said)
    for name, score in zip(view["names"], view["result"]["scores"], strict=True):
        assert name in said[-1] and f"{score} points" in plain(said[-1])
    for step in (end // 3, 0, end):  # the slider leads to what the keys led to
        page.locator("#slider").evaluate(
            "(node, at) => { node.value = at; node.dispatchEvent(new Event('input', { bubbles: true })); }", step
        )
        assert (page.inner_html("#figure"), text_of(page, "#happened")) == (pictures[step], said[step])
    page.focus("#slider")
    for key, step in (("Home", 0), ("ArrowRight", 1), ("End", end), ("ArrowLeft", end - 1)):
        page.keyboard.press(key)
        assert text_of(page, "#counter") == f"{step} / {end}" and text_of(page, "#happened") == said[step]
    page.go_back()
    page.wait_for_selector("#verdict")


# --- reloads and restarts --------------------------------------------------------------------------------------------------


def half_picked(person: Person) -> dict[str, Any]:
    """Put an action together, but do not confirm it; returns what stands on the page."""
    person.put_together(person.wanted(person.ready()))
    seen = person.seen()
    assert seen["can"]
    return seen


def check_unpicked(person: Person, before: dict[str, Any]) -> None:
    """The same question as before, with nothing picked."""
    seen = person.ready()
    assert seen["decision"] == before["decision"]
    assert seen["picks"] == {} and seen["pressed"] == [] and seen["chosen"] == [] and not seen["can"]


def test_reloading_closing_and_reopening(served: Served, visitor: Visitor) -> None:
    (token,) = served.table("ginkgopolis", None, "random", "random", setup="introductory", seed=8)
    page = visitor.seat(token)
    person = Person(page, seed=8)
    assert not person.play(4)
    before = half_picked(person)
    picture = served.view(token)["picture"]
    page.reload()
    check_unpicked(person, before)
    assert served.view(token)["picture"] == picture
    half_picked(person)
    page.close()
    lobby = visitor.tab(page.context, "/")  # the table is found again where one's tables are listed
    lobby.wait_for_selector("#tables li")
    until(lambda: lobby.locator("#tables .asking").count() == 0)  # a row gets its links anew with the answer
    lobby.click(f'#tables a[href="/seat/{token}"]')
    lobby.wait_for_selector("#figure svg")
    person.page = lobby
    check_unpicked(person, before)
    assert person.play()
    check_end(person, served)


def test_a_restart_in_the_middle_of_a_game(served: Served, browser: Any) -> None:
    """The open page goes on by itself, from the same file and at the same port; only the connection was in trouble."""
    with Visitor(browser, served) as visitor:
        (token,) = served.table("ginkgopolis", None, "greedy", "random", setup="introductory", seed=9)
        page = visitor.seat(token)
        person = Person(page, seed=9)
        for decisions in (3, 5):
            assert not person.play(decisions)
            before = half_picked(person)
            served.stop()
            until(lambda: page.get_attribute("#connection", "data-state") == "away")
            served.start()
            until(lambda: page.get_attribute("#connection", "data-state") == "")
            assert person.seen() == before  # picks too: the page was never reloaded
            page.keyboard.press("Escape")
        assert person.play()
        check_end(person, served)


def test_an_answer_that_comes_late_is_no_news(served: Served, visitor: Visitor) -> None:
    """The page asks for its view, but the stream is faster: what was asked for earlier must not stand in the place of it."""
    tokens = served.table("ginkgopolis", None, None, setup="introductory")
    tokens.sort(key=lambda token: served.view(token)["decision"] is None)  # who begins is drawn
    page = visitor.seat(tokens[1])
    late: list[Any] = []
    whole = {"if-none-match": ""}  # and not that there is nothing new
    page.route(
        f"**/api/seats/{tokens[1]}", lambda route: late.append((route, route.fetch(headers=route.request.headers | whole)))
    )
    page.evaluate("void refresh()")
    until(lambda: page.evaluate("1") and late)
    decision = served.turn(tokens[0])["decision"]
    served.ask(f"/api/seats/{tokens[0]}/act", {"decision": decision["number"], "action": decision["actions"][0]["id"]})
    until(lambda: page.is_visible("#choice"))
    (route, answer), version = late[0], served.view(tokens[1])["version"]
    with page.expect_response(f"**/api/seats/{tokens[1]}"):
        route.fulfill(response=answer)
    page.unroute(f"**/api/seats/{tokens[1]}")
    until(lambda: page.evaluate("new Promise((done) => setTimeout(() => done(true), 300))"))
    assert page.is_visible("#choice") and page.evaluate("game.version") == version


# --- two persons -----------------------------------------------------------------------------------------------------------


def hand(page: Any) -> set[str]:
    """What one can pick from."""
    return set(page.locator('[data-group="card"] [data-name]').evaluate_all("all => all.map((one) => one.dataset.name)"))


def told(people: list[Person], served: Served) -> list[dict[str, Any]]:
    """What all see, once all pages show what the server has for them: one may hear of a move before the other."""
    for person in people:
        version = served.view(person.page.url.rpartition("/")[2])["version"]
        until(lambda person=person, version=version: person.page.evaluate("game.version + sending") == version + "false")
    return [person.seen() for person in people]


def drawn(page: Any) -> str:
    """Picture, frames and words; without the layer for what the pointer is at, as long as nothing is in it."""
    html: str = page.inner_html("#stage") + page.inner_text("body")
    return html.replace('<g data-frames="pointed" aria-hidden="true"></g>', "")


def check_waits(person: Person, served: Served) -> None:
    """Clicks and keys of one who is not on turn do nothing, but that the page says so."""
    page, sent = person.page, []
    until(lambda: page.evaluate("moves.length === 0"))  # what others have just done goes dark by itself
    box, before, seen = page.locator("#stage").bounding_box(), drawn(page), person.seen()
    page.on("request", lambda one: sent.append(one.url))
    for step in range(25):
        page.mouse.click(box["x"] + box["width"] * (step % 5 + 0.5) / 5, box["y"] + box["height"] * (step // 5 + 0.5) / 5)
    for key in ("Enter", "c", "l", "ArrowDown", "Enter", "h"):
        page.keyboard.press(key)
    page.mouse.move(0, 0)
    page.keyboard.press("Escape")  # a piece that was clicked has the focus, and its title may be open
    until(lambda: page.is_hidden("#piece"))
    assert sent == [] and person.seen() == seen and page.is_hidden("#choice")
    assert served.view(page.url.rpartition("/")[2])["decision"] is None
    assert page.inner_text("#trouble").startswith("Not your turn")
    page.evaluate("showTrouble('')")
    assert drawn(page) == before


def test_two_persons_at_one_table(served: Served, visitor: Visitor) -> None:
    lobby = visitor.open("/")
    lobby.wait_for_selector("#seats li")
    option(lobby, "setup", "introductory")
    lobby.click('[data-preset="people"]')
    first = opened(lobby)
    assert served.view(first)["empty"] == [False, True]
    lobby.wait_for_selector("#others[open] .link")
    second = joined(visitor, until(lambda: lobby.input_value("#others .link")), "Bob")
    lobby.keyboard.press("Escape")
    people = [Person(lobby, seed=10), Person(visitor.seat(second), seed=11)]
    hands, decisions, at_once = [set[str](), set[str]()], 0, 0
    while not (seen := told(people, served))[0]["over"]:
        at = next(at for at, one in enumerate(seen) if one["decision"])
        on, off = people[at], people[1 - at]
        if seen[1 - at]["decision"]:  # both choose at the same time
            at_once += 1
        else:
            assert seen[1 - at]["actor"] in (None, seen[at]["seat"]) and off.page.is_hidden("#choice")
        if decisions < 2:
            hands[at] = hand(on.page)
        if decisions in (1, 7) and not seen[1 - at]["decision"]:
            check_waits(off, served)
        on.decide(on.wanted(seen[at]))
        decisions += 1
    assert all(one["over"] for one in seen)
    assert min(len(one) for one in hands) >= 4 and hands[0] & hands[1] <= {"new-hand"}  # each picked from its own cards
    for person in people:
        check_end(person, served)
    assert text_of(people[0].page, "#verdict") == text_of(people[1].page, "#verdict") and decisions > 40 and at_once > 10


def test_who_has_no_link_sees_only_the_lobby(served: Served, browser: Any) -> None:
    with Visitor(browser, served) as visitor:
        served.table("ginkgopolis", None, None, setup="introductory")
        page = visitor.open("/")
        page.wait_for_selector("#seats li")
        assert (
            page.evaluate("localStorage.getItem('ginkgo.tables')") is None
            and page.is_visible("#none")
            and page.locator("#tables li, a[href*=seat]").count() == 0
        )
        for guess in ("", "0", "x" * 22):
            page.goto(f"{served.address}/seat/{guess}")
            assert page.locator("#figure svg").count() == 0
        page.wait_for_selector("#sentence:visible")
        assert page.is_hidden("main")
