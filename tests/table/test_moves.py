"""Moves of others light up one after another, on the board, in the log and beside the points."""

from __future__ import annotations

from itertools import pairwise

import pytest

pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")

from .browsing import CHROMIUM, Served, Visitor
from .served import until

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium, or its path in GINKGO_CHROMIUM"),
]

# Each move that lights up: when, its line in the log, and the number of frames on the board.
WATCH = """() => {
    window.seen = [];
    window.waits = [];
    const wait = window.setTimeout;
    window.setTimeout = (act, time, ...more) => { window.waits.push(time); return wait(act, time, ...more); };
    const look = () => {
        const line = document.querySelector("#log .now");
        const last = window.seen.at(-1);
        if (line && (!last || last.line !== line)) window.seen.push({ line, time: performance.now(), frames: 0 });
        if (line) window.seen.at(-1).side = document.querySelector("#sides tr.now")?.dataset.side;
        if (line) window.seen.at(-1).frames = document.querySelectorAll('#figure [data-frames="moved"] .line').length;
        window.most = Math.max(window.most || 0, document.querySelectorAll("#log .now").length);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""
TOLD = """() => window.seen.map(({ line, time, frames }) =>
    [[...document.querySelectorAll("#log .entry")].reverse().indexOf(line), time, frames])"""

# The text of each line that was lit, without its badge, and the side whose points were lit with it.
SAID = """() => window.seen.map(({ line, side }) =>
    [[...line.firstElementChild.childNodes].slice(1).map((one) => one.textContent).join(""), Number(side)])"""


@pytest.mark.parametrize("game", ["ginkgopolis", "golden_city"])
def test_moves_of_others_light_up_one_after_another(served: Served, visitor: Visitor, game: str) -> None:
    (token,) = served.table(game, None, "random", "random", seed=3)
    served.act(token)
    served.turn(token)
    page = visitor.seat(token)
    page.evaluate(WATCH)
    assert page.locator("#log .entry").count() and page.evaluate("seen.length") == 0  # the past does not light up
    while sum(bool(frames) for _, _, frames in page.evaluate(TOLD)) < 3:
        served.act(token)
        version = served.turn(token)["version"]
        until(lambda version=version: page.evaluate("game.version") == version and page.evaluate("moves.length === 0"))
    moved = page.evaluate(TOLD)
    view = served.view(token)
    assert page.evaluate("most") == 1
    numbers = [number for number, _, _ in moved]
    assert numbers == sorted(set(numbers)) and view["seat"] == 0
    # the timer says how long a move stays; the clock also has what the page computes after the timer has begun
    assert page.evaluate("waits.filter((time) => time === 400).length") == len(moved)
    assert all(later - time >= 200 for (_, time, _), (_, later, _) in pairwise(moved))
    assert page.locator('[data-frames="moved"]').count() == 0 and page.locator("#log .now").count() == 0


@pytest.mark.parametrize(("game", "players"), [("ginkgopolis", 1), ("ginkgopolis", 3), ("golden_city", 3), ("my_city", 3)])
def test_every_move_of_others_is_a_line_that_lights_up(served: Served, visitor: Visitor, game: str, players: int) -> None:
    """William's too; a line begins with the name of the side whose points light up with it."""
    (token,) = served.table(game, None, *["random"] * (players - 1), seed=3)
    served.turn(token)
    page = visitor.seat(token)
    page.evaluate(WATCH)
    known = len(served.view(token)["log"])
    for _ in range(5):
        served.act(token)
        version = served.turn(token)["version"]
        until(lambda version=version: page.evaluate("game.version") == version and page.evaluate("moves.length === 0"))
    view = served.view(token)
    sentences = [sentence for entry in view["log"][known:] for sentence in entry["sentences"]]
    others = [one for one in sentences if one.startswith(tuple(f"{name} " for name in view["names"][1:]))]
    lit = page.evaluate(SAID)
    assert others and [one for one in others if not any(one in text for text, _ in lit)] == []
    assert [
        text for text, side in lit if text.startswith(tuple(view["names"])) and not text.startswith(view["names"][side])
    ] == []
    assert {side for _, side in lit} == set(range(1, max(2, players)))


def test_nothing_moves_for_those_who_want_no_motion(served: Served, visitor: Visitor) -> None:
    (token,) = served.table("golden_city", None, "random", "random", seed=3)
    page = visitor.seat(token, reduced_motion="reduce")
    page.evaluate(WATCH)
    for _ in range(4):
        served.act(token)
    version = served.turn(token)["version"]
    until(lambda: page.evaluate("game.version") == version)
    assert page.evaluate("seen.length") == 0 and page.locator("#log .new").count() > 0


# --- what the others did, together ---


@pytest.mark.parametrize(("game", "players"), [("ginkgopolis", 1), ("ginkgopolis", 3), ("golden_city", 3), ("my_city", 3)])
def test_a_decision_begins_with_what_the_others_did(served: Served, visitor: Visitor, game: str, players: int) -> None:
    """William too, in the order in which it happened, in sight, until the first pick."""
    (token,) = served.table(game, None, *["random"] * (players - 1), seed=3)
    page, told = visitor.seat(token), set[int]()
    for _ in range(12):
        served.act(token)
        view = served.turn(token)
        until(lambda view=view: page.evaluate("game.version") == view["version"])
        others = tuple(f"{name} " for name in view["names"][1:])
        log = view["log"][max(k for k, entry in enumerate(view["log"]) if 0 in entry["seats"]) :]
        wanted = [sentence for entry in log for sentence in entry["sentences"] if sentence.startswith(others)]
        shown = page.locator("#news").text_content() or ""
        at = [shown.find(sentence) for sentence in wanted]
        assert -1 not in at and at == sorted(at) and page.is_visible("#news") == bool(wanted)
        assert not any(line.startswith(f"{view['names'][0]} ") for line in page.locator("#news p").all_text_contents())
        told |= {k for k, name in enumerate(others, 1) if name in shown}
        if wanted:
            news, question = (page.locator(selector).bounding_box() for selector in ("#news", "#question"))
            assert 0 < news["y"] < news["y"] + news["height"] <= question["y"] + 1
            page.evaluate("choose({ ...noChoice(), action: actions()[0].id })")
            assert page.is_hidden("#news")
            page.keyboard.press("Escape")
            assert page.is_hidden("#news")
    assert told == set(range(1, max(2, players))) and page.get_attribute("#news", "aria-live") == "polite"
