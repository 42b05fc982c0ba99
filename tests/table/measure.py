"""Measures of the table's pages: ``python -m tests.table.measure`` plays games by mouse and prints them (docs/table.md).

Clicks for a decision, alone: the shortest way that the page offers to the action that ``greedy`` takes, a drag counting as one
click, Confirm included. Moves of others that light up: in the log, and on the board where they name a place. Smallest text and
target of the board, the hand and the panel at each size, in pixels. Cold start: from a click in the lobby to the first
decision, with an empty kernel cache.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from ginkgo_agents.base import act, nth_keys
from ginkgo_agents.registry import make_agent
from ginkgo_env.core.batch import Batch
from ginkgo_table.web.game_catalog import GameCatalog

from .browsing import Served, Visitor, chromium
from .clicking import POINT, Person
from .served import until

GAMES: list[tuple[str, int]] = [("ginkgopolis", 1), ("golden_city", 2), ("my_city", 1)]
SIZES = [(1920, 1080), (1440, 900), (1280, 720), (1180, 820), (1024, 768), (900, 1200), (390, 844), (844, 390)]
MOST = 400  # decisions

# Where a part can be clicked, where nothing has to be scrolled for it.
NEAR = POINT.replace("center", "nearest")

# The shortest way to an action by clicks on pieces, places and buttons, and by drags; null if there is none of at most four.
WAY = """(id) => {
    const action = actionOf(id), seen = new Set();
    const isThere = (part) => [...byId("figure").querySelectorAll("[data-part]"), ...byId("hand").querySelectorAll("[data-part]")]
        .some((node) => node.dataset.part === part);
    const parts = [...new Set(partsOf(action))].filter(isThere);
    const buttons = action.picks.filter(([group, name]) =>
        document.querySelector(`[data-group="${group}"] [data-name="${CSS.escape(name)}"]`)?.checkVisibility());
    const gestures = [
        ...parts.map((part) => [["click", part], (choice) => withPart(choice, part)]),
        ...buttons.map(([group, name]) => [["button", group, name], (choice) => withPick(actions(), choice, group, name)]),
        ...parts.flatMap((part) => parts.filter((onto) => onto !== part && isThere(onto))
            .map((onto) => [["drag", part, onto], () => withPart(withPart(noChoice(), part), onto)])),
    ];
    let ways = [[noChoice(), []]];
    for (let length = 1; length <= 4; length += 1) {
        const longer = [];
        for (const [choice, way] of ways) {
            for (const [gesture, then] of gestures) {
                const next = then(choice), key = JSON.stringify(next);
                if (seen.has(key)) continue;
                seen.add(key);
                if (next.action === id) return [...way, gesture];
                longer.push([next, [...way, gesture]]);
            }
        }
        ways = longer;
    }
    return null;
}"""

# Counts the moves of others, and those that light up: in the log, and on the board where they name a place that is drawn.
WATCH = """() => {
    const told = { moves: 0, lit: 0, named: 0, framed: 0 };
    const before = showMove;
    let last = null;
    showMove = () => {
        before();
        const [move] = moves;
        if (!move || move === last) return;
        last = move;
        told.moves += 1;
        told.lit += move.node.classList.contains("now");
        const isNamed = namesIn(move.text).some((name) => partsNamed(`place:${name}`).length);
        told.named += isNamed;
        told.framed += isNamed && document.querySelectorAll('[data-frames="moved"] rect').length > 0;
    };
    window.told = told;
}"""

# The smallest text and the smallest target, with what they are.
SMALLEST = """async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const visible = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    const least = (all) => all.reduce((one, other) => (other[0] < one[0] ? other : one), [Infinity, ""]);
    const texts = visible("#figure text, #hand text")
        .map((one) => [Number(one.getAttribute("font-size")) * one.getScreenCTM().a, one.textContent]);
    const words = visible("#panel *, aside *")
        .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
        .map((one) => [parseFloat(getComputedStyle(one).fontSize), one.textContent]);
    const targets = visible("#figure .live, #hand .live, button, a, select, summary").map((one) => {
        const { width, height } = one.getBoundingClientRect();
        return [Math.min(width, height), one.dataset.part || one.id || one.textContent];
    });
    return [least([...texts, ...words]), least(targets)];
}"""


class Direct(Person):
    """Takes the shortest way to an action that the page offers, and counts the clicks."""

    clicks = decisions = 0

    def wanted(self, seen: Any) -> Any:
        """The action that ``greedy`` takes."""
        live = self.live()
        state = live.seen_state(seen["seat"])
        batch = Batch(live.game, 1)
        batch.set_states([0], state, check=False)
        keys = nth_keys(np.array([live.seed], np.uint64), len(live.actions))
        action = int(act(make_agent("greedy", live.game.name), batch, keys)[0])
        return next(one for one in seen["decision"]["actions"] if one["id"] == action)

    def __init__(self, page: Any, served: Served, token: str) -> None:
        super().__init__(page)
        self.live = lambda: served.live(token)

    def put_together(self, action: Any) -> None:
        """Click, and drag; the list of all actions is the last resort."""
        way = self.page.evaluate(WAY, action["id"])
        for kind, *what in way or ():
            if kind == "button":
                self.page.click(f'[data-group="{what[0]}"] [data-name="{what[1]}"]', force=True)
            elif kind == "click":
                self.page.mouse.click(*self.page.evaluate(POINT, what[0]))
            else:
                first, onto = (self.page.evaluate(NEAR, part) for part in what)
                self.page.mouse.move(*first)
                self.page.mouse.down()
                self.page.mouse.move(*onto, steps=3)
                self.page.mouse.up()
        if way is None:
            self.page.click("#left-title")
            self.page.click(f"#action-{action['id']}")
        assert self.page.evaluate("chosen.action") == action["id"], (way, action)
        self.clicks += 1 + len(way or ("unfold", "line"))
        self.decisions += 1


def cold_start(browser: Any, game: str) -> float:
    """Seconds from a click on "Play now" to the first decision, where nothing was ever compiled."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "ginkgo_env", "table", "--no-open", "--port", "0", "--data", f"{folder}/table.sqlite3"]
        environment = {**os.environ, "GINKGO_CACHE_DIR": f"{folder}/cache", "PYTHONUNBUFFERED": "1"}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = server.stdout.readline().split(" at ")[1].split(" ")[0]
            page = browser.new_page()
            page.goto(address)
            page.wait_for_selector(f'[data-game="{game}"] .main')
            start = time.monotonic()
            page.click(f'[data-game="{game}"] .main')
            page.wait_for_selector("#choice:not([hidden])", timeout=600_000)
            seconds = time.monotonic() - start
            page.close()
            server.terminate()
    return seconds


def main() -> None:
    """Play the games, and print what was measured."""
    served = Served(Path(tempfile.mkdtemp()) / "table.sqlite3", GameCatalog(), pace=0)
    with chromium() as browser, Visitor(browser, served) as visitor:
        for game, players in GAMES:
            print(f"{game}: {cold_start(browser, game):.0f} s from a click in the lobby to the first decision")
            (token,) = served.table(game, None, *["greedy"] * (players - 1), seed=1)
            page = visitor.seat(token, viewport={"width": 1440, "height": 900})
            page.evaluate(WATCH)
            person = Direct(page, served, token)
            person.play(MOST)
            until(lambda page=page: not page.evaluate("moves.length"))
            told = page.evaluate("told")
            rate = person.clicks / person.decisions
            print(f"{game}, {players} players: {rate:.2f} clicks for each of {person.decisions} decisions")
            moves, lit, named, framed = (told[key] for key in ("moves", "lit", "named", "framed"))
            print(f"  moves of others: {moves}, lit {lit}; naming a place {named}, lit there {framed}")
            (token,) = served.table(game, None, *["random"] * (players - 1), seed=1)
            for _ in range(12):
                served.act(token)
            page = visitor.seat(token)
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                (text, what), (target, which) = page.evaluate(SMALLEST)
                print(f"  {width} x {height}: smallest text {text:.1f} ({what[:24]}), target {target:.1f} ({which[:24]})")
    served.stop()


if __name__ == "__main__":
    main()
