"""Everything needed for a decision is in sight: on each screen, in each game, with each number of players."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")

from .browsing import CHROMIUM, Served, Visitor
from .served import until

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium, or its path in GINKGO_CHROMIUM"),
]

DESKTOPS = [(1280, 720), (1440, 900), (1920, 1080)]
TABLETS = [(1024, 768), (1180, 820), (900, 1200)]
PHONES = [(360, 740), (740, 360)]
MODULES = ("new_buildings", "prestige", "green_spaces", "events", "keep_card", "experts")
TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("ginkgopolis", 1, {}),
    *(("ginkgopolis", n, {"modules": MODULES}) for n in (2, 3, 4, 5)),
    *(("golden_city", n, {}) for n in (2, 3, 4)),
    *(("my_city", n, {}) for n in (1, 2, 3, 4)),
]
MOST = 40  # decisions

# What is wrong on the page, as sentences.
WRONG = """async (kind) => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const wrong = [], screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const box = (node) => node.getBoundingClientRect();
    const holds = (outer, one) => one.left >= outer.left - 1 && one.top >= outer.top - 1
        && one.right <= outer.right + 1 && one.bottom <= outer.bottom + 1;
    const check = (node, outer, words) => holds(outer, box(node)) || wrong.push(`${words} is out of sight`);
    const all = (selector, root = document) => [...root.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    const hasText = (node) => [...node.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && one.data.trim());
    for (const one of all("main *").filter((one) => !one.closest("svg, .unseen") && hasText(one))) {
        const line = parseFloat(getComputedStyle(one).fontSize);
        for (let outer = one; outer !== document.body; outer = outer.parentElement) {
            const isLow = getComputedStyle(outer).overflowY !== "visible" && outer.clientHeight < line;
            if (isLow) wrong.push(`${outer.id} with "${one.textContent}" is lower than a line`);
        }
    }
    for (const name of ["turn", "question", "confirm", "undo", "hint", "figure", "hand"]) check(byId(name), screen, name);
    const hand = box(byId("hand"));
    if (kind === "phone") {
        const first = all(`#hand [data-row="${game.picture.hand[0]?.[0]}"] [data-piece]`)[0];
        if (first) check(first, hand, "the first card of the hand");
        if (box(byId("figure")).height < 90) wrong.push("the board has no room");
        if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page is too wide");
        for (const one of all("#figure text, #hand text")) {
            const pixels = Number(one.getAttribute("font-size")) * one.getScreenCTM().a;
            if (pixels < 10) wrong.push(`${one.textContent} has ${pixels.toFixed(1)} pixels`);
        }
        for (const one of all("#figure .live, #hand .live, button, a, select")) {
            const { width, height } = box(one);
            const words = `${one.dataset.part || one.id} has ${width.toFixed(1)} x ${height.toFixed(1)}`;
            if (Math.min(width, height) < 24) wrong.push(words);
        }
    } else {
        check(document.querySelector("#figure > svg"), box(byId("figure")), "the whole board");
        for (const one of all("#hand [data-row]")) check(one, hand, one.dataset.row);
        const asked = { ...screen, top: box(byId("top")).bottom, bottom: box(byId("deciding")).top };
        for (const one of all(".group h3, .group button")) check(one, asked, one.textContent);
        for (const one of all("#sides tr")) check(one, screen, one.textContent);
        const column = byId("column"), most = getComputedStyle(column).display === "contents" ? 2 : 1;
        const scrolling = [column, ...all("#column *")].filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowY));
        if (scrolling.length > most) wrong.push(`${scrolling.map((one) => one.id || one.tagName)} scroll`);
        if (document.documentElement.scrollHeight > innerHeight) wrong.push("the page scrolls");
    }
    return [...new Set(wrong)];
}"""


def decide(served: Served, token: str, chance: random.Random) -> None:
    """Take a decision at random; in My City without giving up."""
    decision = served.turn(token)["decision"]
    actions = decision["actions"]
    liked = [one for one in actions if one["picks"][0][0] != "instead"] or actions
    served.ask(f"/api/seats/{token}/act", {"decision": decision["number"], "action": chance.choice(liked)["id"]})


@pytest.mark.parametrize(("game", "players", "options"), TABLES, ids=lambda value: str(value) if type(value) is not dict else "")
def test_everything_needed_for_a_decision_is_in_sight(
    served: Served, visitor: Visitor, game: str, players: int, options: dict[str, Any]
) -> None:
    """At the first decision of each kind, and late in the game, when most is on the table."""
    (token,) = served.table(game, None, *["random"] * (players - 1), seed=7, **options)
    page, chance, kinds = visitor.seat(token), random.Random(7), set[str]()
    for step in range(MOST):
        view = until(lambda: view if (view := served.view(token))["decision"] or view["result"] else None)
        if view["result"]:
            break
        if view["decision"]["kind"] not in kinds or step == MOST - 1:
            kinds.add(view["decision"]["kind"])
            until(lambda view=view: page.evaluate("game.version") == view["version"])
            for screen, sizes in (("desktop", DESKTOPS), ("tablet", TABLETS), ("phone", PHONES)):
                for width, height in sizes:
                    page.set_viewport_size({"width": width, "height": height})
                    wrong = page.evaluate(WRONG, screen)
                    assert not wrong, (view["decision"]["kind"], step, (width, height), wrong)
        decide(served, token, chance)
    assert kinds


NOTE = "Das Plättchen ist jetzt nicht bezahlbar: Die Karte zählt allein (R5.7)"
# What is out of sight when an action with a note is chosen; null before its preview is there. A view may have come since the last
# call, without the note.
CHOSEN = """(note) => {
    const noted = actions().findLast((action) => action.note) || Object.assign(actions().at(-1), { note });
    choose({ ...noChoice(), action: noted.id });
    const box = (id) => byId(id).getBoundingClientRect();
    const isOut = (id) => box(id).top < box("top").bottom || box(id).bottom > innerHeight;
    const out = ["chosen", "note", "preview", "confirm"].filter(isOut);
    return byId("preview").hidden ? null : { note: byId("note").textContent, out };
}"""


@pytest.mark.parametrize(("game", "players"), [("my_city", 2), ("ginkgopolis", 1)])
def test_the_note_of_what_is_chosen_is_in_sight(served: Served, visitor: Visitor, game: str, players: int) -> None:
    """In German, which is longer; for My City, which has no notes, with one of Ginkgopolis."""
    (token,) = served.table(game, None, *["random"] * (players - 1), seed=7)
    while game == "ginkgopolis" and not any(one["note"] for one in served.turn(token)["decision"]["actions"]):
        served.act(token)
    served.turn(token)
    page = visitor.seat(token, locale="de-DE")
    for width, height in (*DESKTOPS, *TABLETS, *PHONES):
        page.set_viewport_size({"width": width, "height": height})
        assert until(lambda: page.evaluate(CHOSEN, NOTE)) == {"note": NOTE, "out": []}, (width, height)


CUT = """() => {
    const about = byId("about"), range = document.createRange();
    range.setStart(about.firstChild, 0);
    range.setEnd(about.firstChild, about.textContent.indexOf(": ") + 3);
    return range.getBoundingClientRect().right > about.getBoundingClientRect().right + 1;
}"""


@pytest.mark.parametrize("locale", ["en-US", "de-DE"])
def test_the_header_tells_the_number_of_players(served: Served, visitor: Visitor, locale: str) -> None:
    for game, options in (("my_city", {}), ("golden_city", {}), ("ginkgopolis", {"modules": MODULES})):
        (token,) = served.table(game, None, "random", seed=7, **options)
        page = visitor.seat(token, locale=locale)
        for width, height in (*DESKTOPS, *TABLETS):
            page.set_viewport_size({"width": width, "height": height})
            assert not page.evaluate(CUT), (game, width, height)
            assert page.evaluate("document.querySelector('header').offsetHeight < 60") or width < 1200, (game, width)


# --- fingers ---------------------------------------------------------------------------------------------------------------


def touched(page: Any, *moments: list[tuple[float, float]]) -> None:
    """Fingers at these points, one moment after the other."""
    devtools = page.context.new_cdp_session(page)
    for at, points in enumerate(moments):
        kind = "touchMove" if at else "touchStart"
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.fixture
def phone(served: Served, visitor: Visitor) -> Any:
    """A seat in My City on an upright phone."""
    (token,) = served.table("my_city", None, "random", seed=7)
    return visitor.seat(token, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)


def middle(page: Any, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_two_fingers_enlarge_the_board_and_one_moves_it(phone: Any) -> None:
    (x, y), wide = middle(phone, "#figure"), "document.querySelector('#figure > svg').clientWidth"
    before = phone.evaluate(wide)
    spread = [[(x - d, y), (x + d, y)] for d in range(40, 101, 10)]
    touched(phone, *spread)
    assert 2 * before < phone.evaluate(wide) < 3 * before
    left = phone.evaluate("byId('figure').scrollLeft")
    touched(phone, *([(x + 80 - d, y)] for d in range(0, 121, 20)))
    until(lambda: phone.evaluate("byId('figure').scrollLeft") > left + 60)
    touched(phone, *reversed(spread))
    assert phone.evaluate(wide) < 1.2 * before
    assert phone.evaluate("[scrollX, scrollY]") == [0, 0] and not phone.evaluate("chosen.about")


def test_a_tap_with_two_fingers_turns_the_building(phone: Any) -> None:
    """Fingers that stay, or that move, do not."""
    phone.evaluate("window.clock = 0; performance.now = () => window.clock")  # however slow the machine is
    phone.evaluate("choose({ ...noChoice(), action: actions()[0].id })")
    heading = "Object.fromEntries(actionOf(chosen.action)?.picks || Object.entries(chosen.picks)).heading"
    headings, (x, y) = [phone.evaluate(heading)], middle(phone, "#figure")
    fingers = [(x - 40, y), (x + 40, y)]
    for _ in range(2):
        touched(phone, fingers)
        headings.append(phone.evaluate(heading))
    assert len(set(headings)) > 1 and all(one != other for one, other in pairwise(headings))
    phone.evaluate("performance.now = () => (window.clock += 400)")
    touched(phone, fingers)
    phone.evaluate("performance.now = () => window.clock")
    touched(phone, fingers, [(x - 80, y), (x + 80, y)])
    assert phone.evaluate(heading) == headings[-1]


def test_the_choice_is_a_sheet_that_never_hides_the_hand(phone: Any) -> None:
    def pulled(to: float) -> tuple[float, float, float]:
        """Heights of board and choice, and what is between hand and sheet."""
        x, y = middle(phone, "#turn")
        phone.mouse.move(x, y)
        phone.mouse.down()
        phone.mouse.move(x, (y + to) / 2)
        phone.mouse.move(x, to)
        phone.mouse.up()
        found = phone.evaluate("""["figure", "choice", "hand", "panel"].map((name) => byId(name).getBoundingClientRect())""")
        board, choice, hand, panel = found
        assert hand["height"] > 60 and panel["bottom"] <= 741 and phone.is_visible("#confirm")
        return board["height"], choice["height"], panel["top"] - hand["bottom"]

    phone.click("#left-title")
    opened, high, low = pulled(420), pulled(10), pulled(730)
    assert high[1] > opened[1] + 60 and high[0] >= 90 and phone.evaluate("byId('panel').classList.contains('folded')")
    assert low[0] > opened[0] + 60 and low[1] < opened[1]
    assert max(abs(one[2]) for one in (opened, high, low)) < 1
    assert pulled(400)[1] > low[1] and phone.is_visible("#question")
