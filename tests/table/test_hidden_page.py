"""Every byte that reaches the page of a seat tells nothing that the seat cannot know: two tables whose hidden parts differ.

Both tables have the same seed and are played with the same decisions. At the second one, whatever seat 0 cannot know (hands,
decks, what others have chosen) is dealt anew after every decision, and put back only while the next one is played. So the two
differ in nothing but that, all the game long: a page that was sent anything about it would get other bytes at the one than at the
other.
"""

from __future__ import annotations

import json
import queue
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")

from ginkgo_env import Batch
from ginkgo_table.live import LiveGame
from ginkgo_table.view import picture_of, view_of
from ginkgo_table.web import manager
from ginkgo_table.web.game_catalog import GameCatalog

from .browsing import CHROMIUM, Served, Visitor
from .clicking import Person
from .served import texts_of, until

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium, or its path in GINKGO_CHROMIUM"),
]
SEED = 6_480_215_937_402_117_733


class Stepped(LiveGame):
    """A game whose agents decide what the test says, and whose hidden part, as seat 0 sees it, may be another one."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        self.dealt = False  # set for the second table, and no other
        self.says: queue.Queue[int] = queue.Queue()
        self._real: Any = None
        super().__init__(*arguments, **more)

    def choose(self) -> int | None:
        return self.says.get(timeout=600) if self.is_agent_turn else None

    def act(self, seat: int, action: int) -> None:
        self._restore()
        super().act(seat, action)
        self._deal()

    def advance(self, chosen: int | None = None) -> bool:
        self._restore()
        played = super().advance(chosen)
        self._deal()
        return played

    def _restore(self) -> None:
        """What is played, and what is pending, is legal in the real state, not in the other one."""
        if self._real is not None:
            self._playback.continue_from(self._real)

    def _deal(self) -> None:
        if self.dealt and not self.is_over:
            self._real = self.state
            self._playback.continue_from(self._anew(self._real))
            self._last_seen = {view: self._anew(state) for view, state in self._last_seen.items()}

    def _anew(self, state: Any) -> Any:
        batch = Batch(self.asked_game, 1)
        batch.set_states([0], state)
        batch.resample(0, seed=len(self.actions))
        return batch.state(0)


class Wire:
    """All that reaches a page: answers, the stream of events, what it keeps and what it shows. A token reads TOKEN."""

    def __init__(self, page: Any, token: str) -> None:
        self._page, self._token = page, token
        self._answers: list[Any] = []
        self._read: list[tuple[str, int, str]] = []
        self.events: list[str] = []
        page.on("response", self._keep)
        self._devtools = page.context.new_cdp_session(page)
        self._devtools.send("Network.enable")
        self._names: list[str] = []
        self._devtools.on("Network.eventSourceMessageReceived", self._hear)

    def _hear(self, event: Any) -> None:
        self._names.append(event["eventName"])
        self.events.append(self._plain(event["data"]))

    def views(self) -> list[Any]:
        """What the events tell."""
        return [json.loads(text) for text in texts_of([*zip(self._names, self.events, strict=True)])]

    def _keep(self, response: Any) -> None:  # Playwright takes no method of a list
        self._answers.append(response)

    def answers(self) -> list[tuple[str, int, str]]:
        """What was asked for and what came, by address: the order of what is loaded at once is the browser's."""
        while self._answers:
            one = self._answers.pop(0)
            if "/events?" not in one.url and not one.url.endswith("/preview"):  # the page asks for previews where there is time
                text = "" if one.status == 304 else one.text()
                self._read.append((self._plain(f"{one.request.method} {one.url}"), one.status, self._plain(text)))
        return sorted(self._read)

    def page(self) -> str:
        """The document, and what the page keeps, without the time."""
        stored = json.loads(self._page.evaluate("JSON.stringify({...localStorage})"))
        mine = [{**table, "time": 0} for table in json.loads(stored.pop("ginkgo.tables", "[]"))]
        html = self._page.content().replace('aria-live="polite"', 'aria-live="off"')  # the log is read out a moment later
        # the title of a piece appears where the pointer rests long enough; all titles are in ``data-title``
        html = re.sub(r'<div id="piece".*?</div>', "", html, flags=re.DOTALL)
        return self._plain(html + json.dumps([stored, mine]))

    def _plain(self, text: str) -> str:
        return text.replace(self._token, "TOKEN")


class Twins:
    """Two tables of one game, the page of seat 0 at each, and all that reaches it."""

    def __init__(self, served: Served, visitor: Visitor, game: str, **options: Any) -> None:
        self.served, seats = served, (None, None, "random")
        self.tokens = [served.table(game, *seats, **options) for _ in range(2)]
        self.lives = [served.live(tokens[0]) for tokens in self.tokens]
        self.lives[1].dealt = True
        self.lives[1]._deal()
        pages = [visitor.open("/assets/lobby.css", reduced_motion="reduce") for _ in range(2)]  # nothing moves as we look
        self.wires = [Wire(page, tokens[0]) for page, tokens in zip(pages, self.tokens, strict=True)]
        for page, tokens in zip(pages, self.tokens, strict=True):
            page.goto(f"{served.address}/seat/{tokens[0]}")
            page.wait_for_selector("#figure svg")
        for page in pages:
            until(lambda page=page: page.locator("#adviser option").count())
        self.people = [Person(page, seed=1) for page in pages]
        self._chance = random.Random(1)

    def step(self) -> None:
        """The next decision, at both tables alike: by clicks, from elsewhere, or by the agent."""
        live = self.lives[0]
        if 0 in live.deciding and not live.is_agent_turn:  # the agent does not wait long
            self._compare_previews()
            for person in self.people:
                person.decide(person.wanted(person.ready()))
            assert self.people[0].decided == self.people[1].decided
            return
        decision = None if live.is_agent_turn else live.decision(1)
        action = self._chance.choice(live.legal() if decision is None else decision.legal)
        if live.is_agent_turn:
            for each in self.lives:
                each.says.put(action)
        else:
            for tokens in self.tokens:
                number = self.served.turn(tokens[1])["decision"]["number"]
                self.served.ask(f"/api/seats/{tokens[1]}/act", {"decision": number, "action": action})

    def _compare_previews(self) -> None:
        decision = self.served.view(self.tokens[0][0])["decision"]
        asked = {"decision": decision["number"], "action": self._chance.choice(decision["actions"])["id"]}
        first, second = (self.served.ask(f"/api/seats/{tokens[0]}/preview", asked) for tokens in self.tokens)
        assert first == second, "other previews"

    def settle(self, played: int) -> list[str]:
        """Wait until both tables are so far, and both pages show what the server has for them. Returns these views."""
        tables = self.served.manager._tables.values()

        def settled() -> bool:
            told = all(sum(map(live.decision_count, range(3))) == played for live in self.lives)
            return told and not any(one.lock.locked() for one in tables)

        until(settled)
        for person in self.people:
            person.page.mouse.move(0, 0)  # what the pointer is on depends on when the page moves below it
        views = [self.served.view(tokens[0]) for tokens in self.tokens]
        for view, person in zip(views, self.people, strict=True):
            until(lambda view=view, person=person: person.page.evaluate("game.version + sending") == view["version"] + "false")
        for view, wire in zip(views, self.wires, strict=True):  # what we are told of the stream may come later than to the page
            until(lambda view=view, wire=wire: wire.page() and wire.events and view["version"] in wire.events[-1])
        return [json.dumps(view) for view in views]

    def hint(self) -> None:
        """Ask for a hint at both."""
        for person in self.people:
            person.page.click("#hint")
            until(lambda person=person: person.page.locator(".advised").count(), patience=300)  # the agent may be compiled first

    def others_differ(self) -> bool:
        """Whether the persons at seat 1 see different things now."""
        return len({json.dumps(self.served.view(tokens[1])["picture"]) for tokens in self.tokens}) == 2

    def check(self) -> None:
        """Nothing that has come to the one is different from what has come to the other."""
        first, second = self.wires
        assert first.events == second.events, "other events"
        assert first.answers() == second.answers(), "other answers"
        assert first.page() == second.page(), "another page"

    def play(self, most: int) -> tuple[int, int]:
        """Play and compare; returns the number of decisions, and at how many the hidden parts looked different to others."""
        differ = hints = 0
        for played in range(most):
            first, second = self.settle(played)
            self.check()
            assert first == second
            differ += self.others_differ()
            if self.lives[0].is_over:
                return played, differ
            if 0 in self.lives[0].deciding and played > 4 and hints < 2:
                self.hint()
                hints += 1
            self.step()
        self.settle(most)
        self.check()
        return most, differ


@pytest.fixture
def twins(browser: Any, catalog: GameCatalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """``twins(game, **options)``: both tables, at a server where every table has the same seed."""
    monkeypatch.setattr(manager, "LiveGame", Stepped)
    monkeypatch.setattr(manager.secrets, "randbits", lambda bits: SEED)
    served = Served(tmp_path / "tables.sqlite3", catalog, long_tasks=4)
    with Visitor(browser, served) as visitor:
        yield lambda game, **options: Twins(served, visitor, game, **options)
    served.stop()


def check_told(twins: Twins) -> None:
    """What has come is what a view has, of seat 0, without the seed; what others chose in secret is told when it is shown."""
    allowed = set(view_of(twins.lives[0], 0)) | {"version", "people", "empty", "trouble", "working", "watch", "public", "hints"}
    allowed |= {"levels", "rematch", "takes_back", "language", "rules", "learn", "present", "signals"}
    wire, shut = twins.wires[0], 0
    for view in wire.views():
        assert set(view) == allowed and view["seat"] == 0
        assert view["decision"] is None or view["simultaneous"] or view["actor"] == 0
        shut += any(not told["picks"] and not told["sentences"] for told in view["log"])
    everything = [*wire.events, *(text for _, _, text in wire.answers()), wire.page()]
    assert not any(str(SEED) in text for text in everything)
    assert shut or twins.lives[0].game.name != "ginkgopolis"


@pytest.mark.parametrize(("game", "options", "most"), [("ginkgopolis", {"setup": "introductory"}, 45), ("golden_city", {}, 30)])
def test_what_reaches_a_page_tells_nothing_hidden(twins: Any, game: str, options: dict[str, Any], most: int) -> None:
    """With answers, events, hints, the document and what is kept in the browser compared after each decision."""
    both = twins(game, **options)
    played, differ = both.play(most)
    assert differ > played // 8 and played == most
    assert len(both.wires[0].events) > played // 2
    check_told(both)


@pytest.mark.parametrize("leak", ["picture", "description"])
def test_a_leak_would_be_noticed(twins: Any, monkeypatch: pytest.MonkeyPatch, leak: str) -> None:
    """The picture, or its text, as it is with everything open, in place of what seat 0 sees."""

    def leaking(live: LiveGame, view: int | None) -> dict[str, Any]:
        shown = picture_of(live, None) if leak == "picture" else live.game.describe(live.state, None, live.names)
        return view_of(live, view) | {leak: shown}

    monkeypatch.setattr(manager, "view_of", leaking)
    with pytest.raises(AssertionError, match="other events"):
        twins("ginkgopolis", setup="introductory").play(3)
