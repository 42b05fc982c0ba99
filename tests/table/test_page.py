"""The page of a seat in a real browser: how actions are put together, by pointer and by keys, and that nothing gets lost."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")

from .browsing import CHROMIUM, Served, Visitor
from .served import until

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium, or its path in GINKGO_CHROMIUM"),
]

Action = dict[str, Any]


@pytest.fixture
def seat(served: Served) -> str:
    """A seat that has to choose a card, alone or with a tile."""
    (token,) = served.table("ginkgopolis", None, "random", seed=3, setup="introductory")
    assert served.turn(token)["decision"]["kind"] == "commit"
    return token


def legal(served: Served, token: str, **picks: str) -> list[Action]:
    """The legal actions that have these picks."""
    actions = served.turn(token)["decision"]["actions"]
    return [one for one in actions if all([group, name] in one["picks"] for group, name in picks.items())]


def button(page: Any, group: str, name: str) -> Any:
    return page.locator(f'[data-group="{group}"] [data-name="{name}"]')


def pick(page: Any, group: str, name: str) -> None:
    if not button(page, group, name).is_visible():
        page.click("#left-title")
    button(page, group, name).click(force=True)  # what does not fit is marked as disabled and can be picked


def picked(page: Any) -> set[tuple[str, str]]:
    pairs = "nodes => nodes.map((one) => [one.closest('[data-group]').dataset.group, one.dataset.name])"
    return {(group, name) for group, name in page.locator('.group [aria-pressed="true"]').evaluate_all(pairs)}


def listed(page: Any) -> list[int]:
    return list(page.locator("#actions [role=option]").evaluate_all("nodes => nodes.map((one) => Number(one.dataset.action))"))


def chosen(page: Any) -> int | None:
    selected = page.locator('#actions [aria-selected="true"]')
    found = selected.evaluate_all("nodes => nodes.map((one) => Number(one.dataset.action))")
    assert len(found) <= 1
    return found[0] if found else None


def can_confirm(page: Any) -> bool:
    return bool(page.get_attribute("#confirm", "aria-disabled") == "false")


def pair(served: Served, token: str) -> tuple[str, str]:
    """A card and a tile that go together."""
    action = next(one for one in legal(served, token) if len(one["picks"]) == 2 and one["picks"][1][1] != "none")
    return action["picks"][0][1], action["picks"][1][1]


# --- putting an action together --------------------------------------------------------------------------------------------


def test_picks_narrow_what_remains(served: Served, visitor: Visitor, seat: str) -> None:
    page, (card, tile) = visitor.seat(seat), pair(served, seat)
    assert listed(page) == [one["id"] for one in legal(served, seat)] and picked(page) == set()
    assert not can_confirm(page) and page.get_attribute("#undo", "aria-disabled") == "true"
    pick(page, "card", card)
    assert listed(page) == [one["id"] for one in legal(served, seat, card=card)] and picked(page) == {("card", card)}
    assert chosen(page) is None and not can_confirm(page)
    pick(page, "tile", tile)
    (action,) = legal(served, seat, card=card, tile=tile)
    assert listed(page) == [action["id"]] and chosen(page) == action["id"] and can_confirm(page)
    pick(page, "card", card)  # again: it is taken back
    assert picked(page) == {("tile", tile)} and listed(page) == [one["id"] for one in legal(served, seat, tile=tile)]


def test_names_stand_in_the_order_in_which_people_look_them_up(served: Served, visitor: Visitor) -> None:
    (token,) = served.table("my_city", None, "random", seed=1)
    page = visitor.seat(token)
    cells = page.locator('[data-group="cell"] button').evaluate_all("nodes => nodes.map((one) => one.dataset.name)")
    assert cells == sorted(cells, key=lambda name: (name[0], int(name[1:])))
    first, *others = legal(served, token)
    by_action = [dict(one["picks"]).get("cell") for one in (first, *others)]
    assert cells != [name for name in dict.fromkeys(by_action) if name is not None]
    said = page.locator("#actions li").first
    assert said.get_attribute("title") == first["text"] not in said.inner_text()  # said once, in words


def test_the_log_tells_choices_in_words(served: Served, visitor: Visitor) -> None:
    (token,) = served.table("ginkgopolis", None, "random", seed=3)
    first = served.turn(token)["decision"]
    served.ask(f"/api/seats/{token}/act", {"decision": first["number"], "action": first["actions"][0]["id"]})
    served.turn(token)
    page = visitor.seat(token)
    told = first["actions"][0]["text"]  # such as draft:RE
    line = page.locator("#log .choice").last
    assert (
        told.startswith("draft:") and f"Chosen: {told.partition(':')[2]}: " in line.inner_text() and told not in line.inner_text()
    )


def test_what_contradicts_a_pick_is_dropped(served: Served, visitor: Visitor, seat: str) -> None:
    page, (card, tile) = visitor.seat(seat), pair(served, seat)
    pick(page, "card", card)
    pick(page, "tile", tile)
    assert button(page, "card", "new-hand").get_attribute("aria-disabled") == "true"
    pick(page, "card", "new-hand")
    assert picked(page) == {("card", "new-hand")} and can_confirm(page)
    assert button(page, "tile", tile).get_attribute("aria-disabled") == "true"
    pick(page, "tile", tile)
    assert picked(page) == {("tile", tile)} and chosen(page) is None


def test_another_name_of_a_group_replaces_the_pick(served: Served, visitor: Visitor, seat: str) -> None:
    page, (card, tile) = visitor.seat(seat), pair(served, seat)
    other = next(one["picks"][0][1] for one in legal(served, seat, tile=tile) if one["picks"][0][1] != card)
    for name in (card, other):
        pick(page, "card", name)
        pick(page, "tile", tile)
        (action,) = legal(served, seat, card=name, tile=tile)
        assert chosen(page) == action["id"]
        pick(page, "tile", tile)
    assert picked(page) == {("card", other)}


def test_nothing_is_decided_before_it_is_confirmed(served: Served, visitor: Visitor, seat: str) -> None:
    page, (card, tile) = visitor.seat(seat), pair(served, seat)
    before = served.view(seat)["version"]
    pick(page, "card", card)
    pick(page, "tile", tile)
    page.keyboard.press("Escape")
    assert picked(page) == set() and chosen(page) is None and served.view(seat)["version"] == before
    pick(page, "card", card)
    page.click("#undo")
    assert picked(page) == set() and len(listed(page)) == len(legal(served, seat))
    page.click("#confirm", force=True)
    assert served.view(seat)["version"] == before


def test_parts_of_the_picture_do_what_buttons_do(served: Served, visitor: Visitor, seat: str) -> None:
    page, (card, tile) = visitor.seat(seat), pair(served, seat)
    page.locator(f'.gk [data-part="tile:{tile}"]').first.click()
    assert picked(page) == {("tile", tile)} and page.locator(".frame.picked.line").count() >= 1
    page.locator(f'.gk [data-part="card:{card}"]').first.click()
    (action,) = legal(served, seat, card=card, tile=tile)
    assert chosen(page) == action["id"] and page.locator(".frame.place").count() == (2 if action["places"] else 0)
    page.locator(f'.gk [data-part="tile:{tile}"]').first.click()
    assert picked(page) == {("card", card)}


def test_a_place_goes_through_its_actions(served: Served, visitor: Visitor) -> None:
    (token,) = served.table("my_city", None, "random", seed=1)
    actions = served.turn(token)["decision"]["actions"]
    places = {place for action in actions for place in action["places"]}
    about = {place: [one["id"] for one in actions if place in one["places"]] for place in places}
    place = max(sorted(about), key=lambda one: len(about[one]))
    page, seen = visitor.seat(token), []
    for _ in range(len(about[place]) + 1):
        page.locator(f'.gk [data-part="{place}"]').first.click(force=True)
        seen.append(chosen(page))
        assert listed(page) == about[place] and page.locator(".ground").count() >= 1
    assert seen == [*about[place], about[place][0]]


def test_parts_that_fit_are_framed(served: Served, visitor: Visitor, seat: str) -> None:
    page = visitor.seat(seat)
    framed = page.locator(".frame.can.line")
    parts = {f"{group}:{name}" for one in legal(served, seat) for group, name in one["picks"]}
    drawn = [page.locator(f'.gk [data-part="{part}"]').count() for part in sorted(parts)]
    assert framed.count() == sum(drawn) > 4
    pick(page, "card", "new-hand")
    assert 0 < framed.count() < sum(drawn)  # the other cards, which can replace it, but no tile
    page.keyboard.press("Escape")
    assert framed.count() == sum(drawn)


# --- on every screen -------------------------------------------------------------------------------------------------------

SMALL = """() => [...document.querySelectorAll("button:not(.place), a, select, summary, [role=option]")]
    .filter((one) => one.offsetParent && one.getBoundingClientRect().height < 39.5).map((one) => one.id || one.textContent)"""
SIZES = [(360, 740), (740, 360), (768, 1024), (1400, 900)]


@pytest.mark.parametrize("size", SIZES)
def test_all_is_in_reach_of_a_finger(served: Served, visitor: Visitor, seat: str, size: tuple[int, int]) -> None:
    page = visitor.seat(seat, viewport={"width": size[0], "height": size[1]}, locale="de-DE")
    box = page.locator("#confirm").bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= size[1]
    if page.is_visible("#menu"):
        page.click("#menu")
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_a_card_frames_its_place_and_a_place_picks_its_card(served: Served, visitor: Visitor, seat: str) -> None:
    page, (card, tile) = visitor.seat(seat), pair(served, seat)
    pick(page, "card", card)
    assert page.locator("#figure .frame.place.line").count() == 1 and chosen(page) is None
    page.keyboard.press("Escape")
    cell = page.locator(f'#figure [data-part="cell:{card}"]').first
    cell.click()
    assert picked(page) == {("card", card)} and chosen(page) is None and not can_confirm(page)
    page.keyboard.press("Escape")
    pick(page, "tile", tile)
    cell.click()
    (action,) = legal(served, seat, card=card, tile=tile)
    assert chosen(page) == action["id"] and can_confirm(page)


def elsewhere(page: Any, actions: list[Action], kind: str = "cell") -> str:
    """A place of the board that no action is about."""
    places = {place for action in actions for place in (*action["places"], *(":".join(pick) for pick in action["picks"]))}
    drawn = page.locator("#figure [data-place]").evaluate_all("nodes => nodes.map((one) => one.dataset.place)")
    return str(next(name for name in drawn if f"{kind}:{name}" not in places))


def click_place(page: Any, name: str) -> None:
    page.locator(f'#figure [data-place="{name}"]').first.click(force=True)


def test_a_place_that_no_card_names_says_so(served: Served, visitor: Visitor, seat: str) -> None:
    page = visitor.seat(seat)
    name = elsewhere(page, legal(served, seat))
    click_place(page, name)
    assert page.inner_text("#problem") == f"{name}: No card in your hand names this place." and not picked(page)
    pick(page, "card", pair(served, seat)[0])
    assert page.is_hidden("#problem")


def test_a_place_whose_tile_cannot_be_paid_says_so(served: Served, visitor: Visitor) -> None:
    (token,) = served.table("ginkgopolis", None, seed=7)
    while not any(one["note"] for one in served.turn(token)["decision"]["actions"]):
        served.act(token)
    noted = served.turn(token)["decision"]["actions"][-1]
    page, (card, tile) = visitor.seat(token), (name for _, name in noted["picks"])
    pick(page, "tile", tile)
    click_place(page, card)
    assert chosen(page) == noted["id"] and page.inner_text("#note") == noted["note"] != ""


def test_a_place_of_the_golden_city_says_why_nobody_builds_there(served: Served, visitor: Visitor) -> None:
    (token,) = served.table("golden_city", None, "random", seed=3)
    page = visitor.seat(token, locale="de-DE")
    click_place(page, "FI")
    assert page.inner_text("#problem") == "FI: Gebaut wird nach dem Bieten."
    while served.turn(token)["decision"]["kind"] != "build":
        served.act(token)
    until(lambda: page.evaluate("game.decision?.kind") == "build")
    click_place(page, elsewhere(page, legal(served, token), "site"))
    assert "führt keine Straße hierher" in page.inner_text("#problem")


def test_a_heading_that_does_not_fit_a_place_is_told(served: Served, visitor: Visitor) -> None:
    (token,) = served.table("my_city", None, "random", seed=1)
    page, actions = visitor.seat(token), served.turn(token)["decision"]["actions"]
    about: dict[str, set[str]] = {}
    for action in actions:
        for place in action["places"]:
            about.setdefault(place, set()).add(dict(action["picks"])["heading"])
    place, fits = next((place, fits) for place, fits in about.items() if len(fits) == 1)
    heading = next(name for _, name in (one["picks"][0] for one in actions) if name in "NESW" and name not in fits)
    pick(page, "heading", heading)
    page.locator(f'#figure [data-part="{place}"]').first.click(force=True)
    words = page.evaluate(f"t('pick:heading:{heading}')")
    assert page.inner_text("#problem") == f"{words} does not go with {place.partition(':')[2]}." and chosen(page) is not None


def test_a_click_when_others_decide_says_so(served: Served, visitor: Visitor) -> None:
    tokens = served.table("golden_city", None, None)
    views = [served.view(token) for token in tokens]
    waiting = next(token for token, view in zip(tokens, views, strict=True) if not view["decision"])
    page = visitor.seat(waiting)
    click_place(page, "FI")
    name = views[0]["names"][views[0]["actor"]]
    assert page.inner_text("#trouble") == f"Not your turn: Waiting for {name}."
    served.act(next(token for token in tokens if token != waiting))
    until(lambda: page.is_hidden("#trouble"))


def test_a_building_is_seen_under_the_pointer_and_turned(served: Served, visitor: Visitor) -> None:
    (token,) = served.table("my_city", None, "random", seed=1)
    page, actions = visitor.seat(token), served.turn(token)["decision"]["actions"]
    place = actions[0]["places"][0]
    first = next(one for one in actions if place in one["places"])
    page.locator(f'#figure [data-part="{place}"]').first.hover()
    assert page.evaluate("pointed") == ",".join(first["places"])
    page.locator(f'#figure [data-part="{place}"]').first.click()
    headings = [dict(first["picks"])["heading"]]
    for turn in (lambda: page.keyboard.press("r"), lambda: page.mouse.wheel(0, 100)):
        turn()
        until(lambda: dict(page.evaluate("actionOf(chosen.action)?.picks || []")).get("heading") not in (None, headings[-1]))
        headings.append(dict(page.evaluate("actionOf(chosen.action).picks"))["heading"])
    assert len(set(headings)) > 1


def test_what_cannot_be_paid_is_marked_and_last(served: Served, visitor: Visitor) -> None:
    (token,) = served.table("ginkgopolis", None, seed=7)
    while not any(one["note"] for one in served.turn(token)["decision"]["actions"]):
        served.act(token)
    actions, page = served.turn(token)["decision"]["actions"], visitor.seat(token)
    noted = [one for one in actions if one["note"]]
    assert noted == actions[-len(noted) :] != actions and listed(page) == [one["id"] for one in actions]
    page.click("#left-title")
    for action in (actions[0], noted[-1]):
        line = page.locator(f"#action-{action['id']}")
        assert line.locator(".action-note").inner_text() == action["note"]
        line.click()
        assert page.inner_text("#note") == action["note"] and can_confirm(page)
    page.keyboard.press("Escape")
    (_, card), (_, tile) = noted[-1]["picks"]
    pick(page, "card", card)
    for name, note in ((tile, noted[-1]["note"]), ("none", "")):
        assert button(page, "tile", name).get_attribute("aria-description") == note


WRONG = {
    "/nothing/here": "Diese Seite kann nicht gezeigt werden: Diese Seite gibt es nicht.",
    "/rules/chess": "Diese Seite kann nicht gezeigt werden: Dieses Spiel gibt es nicht.",
    "/replays/old": "Diese Seite kann nicht gezeigt werden: Diese Wiederholung gibt es nicht: Nur die neuesten sind verfügbar.",
    "/seat/none": "Dieser Tisch kann nicht gezeigt werden: Diesen Tisch gibt es nicht: "
    "Er wurde entfernt, oder der Link stimmt nicht.",
}


@pytest.mark.parametrize("path", WRONG)
def test_a_wrong_address_says_so_and_leads_to_the_lobby(visitor: Visitor, path: str) -> None:
    page = visitor.open(path, locale="de-DE")
    until(lambda: page.inner_text("#sentence") == WRONG[path])
    page.click("#notice a")
    page.wait_for_selector("#games")


# --- deciding --------------------------------------------------------------------------------------------------------------


def last_of(served: Served, token: str) -> str | None:
    """What the seat chose last, in notation."""
    seat = served.view(token)["seat"]
    choices = [choice for entry in served.live(token).history(seat) for choice in entry.choices]
    return next((what for who, what in choices[::-1] if who == seat), None)


def test_the_button_decides_once(served: Served, visitor: Visitor, seat: str) -> None:
    page, (card, tile) = visitor.seat(seat), pair(served, seat)
    number = served.turn(seat)["decision"]["number"]
    pick(page, "card", card)
    pick(page, "tile", tile)
    sent: list[str] = []
    page.on("request", lambda one: sent.append(one.url) if one.url.endswith("/act") else None)
    page.dblclick("#confirm")
    until(lambda: last_of(served, seat) == f"{card}+{tile}")
    assert served.turn(seat)["decision"]["number"] == number + 1 and len(sent) == 1
    until(lambda: picked(page) == set() and page.is_hidden("#problem"))


def test_the_keyboard_alone_suffices(served: Served, visitor: Visitor, seat: str) -> None:
    page, (card, tile) = visitor.seat(seat), pair(served, seat)
    for key, group, name in (("c", "card", card), ("Tab", "tile", tile)):
        page.keyboard.press(key)
        names = [
            one.get_attribute("data-name") for one in page.locator(f'#drawn-groups [data-group="{group}"] [data-name]').all()
        ]
        for _ in range(names.index(name)):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
    (action,) = legal(served, seat, card=card, tile=tile)
    assert picked(page) == {("card", card), ("tile", tile)} and chosen(page) == action["id"]
    page.keyboard.press("Enter")  # the second time, on a button that is picked: it confirms
    served.turn(seat)
    until(lambda: last_of(served, seat) == f"{card}+{tile}")


def test_the_list_is_moved_through_with_arrow_keys(served: Served, visitor: Visitor, seat: str) -> None:
    page = visitor.seat(seat)
    page.keyboard.press("l")
    seen = []
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "End", "ArrowUp"):
        page.keyboard.press(key)
        seen.append(chosen(page))
        assert page.get_attribute("#actions", "aria-activedescendant") == f"action-{seen[-1]}"
    ids = [one["id"] for one in legal(served, seat)]
    assert seen == [ids[0], ids[1], ids[0], ids[-1], ids[-2]]
    text = legal(served, seat)[-2]["text"]
    page.keyboard.press("Enter")
    until(lambda: last_of(served, seat) == text)


def test_two_tabs_at_one_seat_stay_in_step(served: Served, visitor: Visitor, seat: str) -> None:
    first = visitor.seat(seat)
    second = visitor.tab(first.context, f"/seat/{seat}")
    second.wait_for_selector("#figure svg")
    card, tile = pair(served, seat)
    for page in (first, second):
        pick(page, "card", card)
        pick(page, "tile", tile)
    second.click("#sides button >> nth=1")
    first.click("#confirm")
    until(lambda: not picked(second) and listed(second) == [one["id"] for one in legal(served, seat)])
    until(lambda: first.evaluate("game.version") == second.evaluate("game.version") == served.view(seat)["version"])
    assert second.locator("#log").inner_text() == first.locator("#log").inner_text()
    assert second.evaluate("document.activeElement.dataset.side") == "1"  # the focus, and what was opened, stay
    assert second.locator("#sources-1 dt").count() == len(served.view(seat)["scores"][1]["sources"])


def test_news_about_the_same_decision_leave_the_picks(served: Served, visitor: Visitor, seat: str) -> None:
    view, (card, tile) = served.turn(seat), pair(served, seat)
    news: list[str] = []

    def notify(route: Any) -> None:  # a stream that ends, so that the browser comes again
        news.append(f"news {len(news)}")
        text = json.dumps(view | {"version": news[-1], "description": news[-1]})
        body = f"retry: 300\nevent: view\ndata: {json.dumps([text])}\n\n"
        route.fulfill(body=body, content_type="text/event-stream")

    page = visitor.open("/")
    page.route("**/events?*", notify)
    page.goto(f"{served.address}/seat/{seat}")
    page.wait_for_selector("#figure svg")
    pick(page, "card", card)
    pick(page, "tile", tile)
    so_far, told = len(news), page.text_content("#description")
    until(lambda: page.text_content("#description") != told and len(news) > so_far + 1)
    assert picked(page) == {("card", card), ("tile", tile)} and can_confirm(page)


def test_the_end_of_the_game_has_the_focus_and_another_game(served: Served, visitor: Visitor) -> None:
    (token,) = served.table("my_city", None, seed=1)
    page = visitor.seat(token)
    page.focus("#confirm")
    while not served.view(token)["result"]:
        served.act(token)
    until(lambda: page.is_visible("#replay"))
    assert page.evaluate("document.activeElement.id") == "replay"
    assert page.inner_text("#rematch") == "Play again"  # there is nobody to play together with
    page.click("#rematch")
    page.wait_for_url(lambda url: not url.endswith(token))


# --- a look back, and being told -------------------------------------------------------------------------------------------


def test_a_look_back_goes_through_the_game_and_leaves_the_picks(served: Served, visitor: Visitor, seat: str) -> None:
    for _ in range(3):
        served.act(seat)
    served.turn(seat)
    page = visitor.seat(seat)
    page.click("#left-title")
    page.locator(".group [data-name]").first.click()
    before = picked(page)
    log = served.view(seat)["log"]
    page.keyboard.press("b")
    texts = []
    for number in range(len(log), 0, -1):
        until(lambda number=number: page.inner_text("#past-entry p").startswith(f"Moment {number} of {len(log)}"))
        moment = served.ask(f"/api/seats/{seat}/moments/{number - 1}")
        assert page.text_content("#past-text") == moment["description"] and page.locator("#past-figure svg").count() == 1
        assert all(sentence in page.inner_text("#past-entry") for sentence in log[number - 1]["sentences"])
        texts.append(moment["description"])
        page.click("#earlier", force=True)
    assert len(set(texts)) > 2
    page.focus("#moment")
    page.keyboard.press("ArrowRight")
    until(lambda: page.inner_text("#past-entry p").startswith("Moment 2 "))
    page.keyboard.press("Escape")
    assert page.is_hidden("#past") and picked(page) == before != set()


NOTED = """
    window.noted = [];
    window.Notification = class { constructor(title, more) { noted.push([title, more.body]); } addEventListener() {} };
    Object.assign(Notification, { permission: "default", requestPermission: async () => (Notification.permission = "granted") });
    Object.defineProperty(document, "hidden", { get: () => window.away === true });
"""


def test_whose_turn_it_is_stands_in_the_title_and_in_a_notification(served: Served, visitor: Visitor) -> None:
    other, own = served.table("ginkgopolis", None, None, setup="introductory")
    while served.view(own)["decision"]:
        served.act(own)
    page = visitor.open("/assets/lobby.css")
    page.context.add_init_script(NOTED)
    page.goto(f"{served.address}/seat/{own}")
    page.wait_for_selector("#figure svg")
    assert page.title() == "Ginkgopolis"
    page.click("#notify")
    until(lambda: page.get_attribute("#notify", "aria-pressed") == "true")
    for away in (False, True):
        page.evaluate(f"window.away = {json.dumps(away)}")
        while not (view := served.view(own))["decision"]:
            served.act(other)
        until(lambda: page.title().startswith("\u25cf Your turn: Ginkgopolis"))
        name = view["names"][view["seat"]]
        assert page.evaluate("noted") == [["Ginkgopolis", f"Your turn, {name}"]] * away
        while served.view(own)["decision"]:
            served.act(own)
        until(lambda: page.title() == "Ginkgopolis")


# --- what goes wrong -------------------------------------------------------------------------------------------------------


def test_a_server_that_was_started_anew_finds_the_page_as_it_was(served: Served, visitor: Visitor, seat: str) -> None:
    page, (card, tile) = visitor.seat(seat), pair(served, seat)
    pick(page, "card", card)
    served.stop()
    until(lambda: page.get_attribute("#connection", "data-state") == "away")
    pick(page, "tile", tile)
    page.click("#confirm")
    until(lambda: page.is_visible("#problem"))
    served.start()
    until(lambda: page.get_attribute("#connection", "data-state") == "")
    assert picked(page) == {("card", card), ("tile", tile)}
    page.click("#confirm")
    until(lambda: last_of(served, seat) == f"{card}+{tile}")
    until(lambda: page.is_hidden("#problem"))


def test_a_table_that_is_gone_is_a_sentence_and_a_way_back(served: Served, visitor: Visitor, seat: str) -> None:
    for page in (visitor.open("/seat/unknown"), visitor.seat(seat)):
        if page.url.endswith(seat):
            served.ask(f"/api/seats/{seat}/remove", {})
        page.wait_for_selector("#sentence")
        assert page.is_hidden("main") and "there is no such table" in page.inner_text("#sentence")
        page.click("#notice a")
        assert page.url == served.address + "/"


# --- hints and scores ------------------------------------------------------------------------------------------------------


def test_a_hint_shows_what_actions_are_worth_and_chooses_one(served: Served, visitor: Visitor, seat: str) -> None:
    page, before = visitor.seat(seat), served.view(seat)["version"]
    page.select_option("#adviser", "greedy") if page.is_visible("#adviser") else None
    page.keyboard.press("h")
    until(lambda: page.locator(".advised").count())
    wanted = served.ask(f"/api/seats/{seat}/hint", {"agent": page.input_value("#adviser") or None})
    ids = page.locator(".advised").evaluate_all("nodes => nodes.map((one) => Number(one.dataset.action))")
    assert ids == [one["id"] for one in wanted["actions"]] and set(ids) <= set(listed(page))
    values = page.locator(".advised .value").all_inner_texts()
    assert values == [f"{100 * one['value']:.0f}%" for one in wanted["actions"]]
    assert page.locator(".advised svg[data-interval]").count() == len(ids)
    page.locator(".advised").nth(1).click()
    assert chosen(page) == ids[1] and can_confirm(page) and served.view(seat)["version"] == before


def test_a_click_on_a_score_explains_it(served: Served, visitor: Visitor, seat: str) -> None:
    page, scores = visitor.seat(seat), served.view(seat)["scores"]
    labels = served.ask("/api/labels/en/ginkgopolis")
    for side, score in enumerate(scores):
        assert page.locator(f"#sources-{side}").count() == 0
        page.click(f'#sides button[data-side="{side}"]')
        for source in score["sources"]:
            shown = page.locator(f'#sources-{side} dt[data-source="{source["name"]}"]')
            assert shown.inner_text().split("\n") == [labels[f"source:{source['name']}"], str(source["points"])]
            note = shown.locator("xpath=following-sibling::dd[1]").inner_text()
            assert labels[f"note:{source['name']}"] in note and "(R" in note
    page.click('#sides button[data-side="0"]')
    assert page.locator("#sources-0").count() == 0 and page.locator("#sources-1").count() == 1
