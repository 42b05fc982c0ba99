"""Titles of pieces: what each is and brings, with a paragraph that the rules page of the table has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ginkgo_env import Batch
from ginkgo_env.core.language import speaking
from ginkgo_env.core.state import PlainRecord
from ginkgo_env.games.ginkgopolis.components import CHARACTER_NAMES, EVENT_NAMES, EXPERT_NAMES, NAMES
from ginkgo_env.games.ginkgopolis.pictures.city import districts_of
from ginkgo_env.games.ginkgopolis.pictures.pieces import card_title
from ginkgo_env.registry import OWN_GAMES, make_game
from ginkgo_table.web.assets import rules_page

from .browsing import Served, Visitor
from .served import LocalServer

CITED = re.compile(r"\b([RXGM]\d+(?:\.\d+)*)\b(?=[^(]*\))")
PIECES = {"ginkgopolis": "cell", "golden_city": "site", "my_city": "heading"}
"""A group of parts by game, all of which have titles."""


def played(name: str, steps: int, **options: Any) -> tuple[Any, Any]:
    game = make_game(name, **options)
    batch = Batch(game, 1)
    batch.reset(seed=4)
    for _ in range(steps):
        batch.step(batch.sample())
    return game, batch.state(0)


def titles_of(game: Any, state: Any) -> Iterator[str]:
    yield from re.findall(r"<title>([^<]*)</title>", game.picture(state, int(game.actor(state)[0])).body)


@pytest.mark.parametrize("name", OWN_GAMES)
@pytest.mark.parametrize("language", ["en", "de"])
def test_titles_cite_paragraphs_that_the_table_serves(name: str, language: str) -> None:
    game, state = played(name, 12, players=2)
    page = (rules_page(name) or b"").decode()
    with speaking(language):
        titles = list(titles_of(game, state))
    cited = {paragraph for title in titles for paragraph in CITED.findall(title)}
    assert len(titles) > 20 and len(cited) > 5
    assert [paragraph for paragraph in cited if f'id="{paragraph}"' not in page] == []
    assert [title for title in titles if not CITED.search(title) and "G10" in title] == []


@pytest.mark.parametrize("name", OWN_GAMES)
def test_every_piece_that_can_be_picked_has_a_title(name: str) -> None:
    game, state = played(name, 8, players=2)
    body = game.picture(state, int(game.actor(state)[0])).body
    parts = re.findall(rf'<g data-part="{PIECES[name]}:[^"]*">(.{{0,80}})', body)
    assert parts and all("<title>" in start for start in parts)


def test_cards_say_what_they_bring() -> None:
    assert "1 resource and 1 SP whenever you exploit (R1.5)" in card_title("R7")
    assert "1 SP at the end for each own resource on yellow buildings (R1.5)" in card_title("R11")
    with speaking("de"):
        assert "1 Ressource und 1 EP bei jedem Planen (R1.5)" in card_title("R7")
        assert "1 EP am Ende für jede eigene Ressource auf gelben Gebäuden (R1.5)" in card_title("R11")
    cards = [name for name in NAMES if not re.fullmatch("GS|[RBY]2[45]", name)]
    for name in (*cards, *CHARACTER_NAMES, *EXPERT_NAMES, *EVENT_NAMES):
        assert re.search(r"\([RX]\d", card_title(name)), name


@pytest.mark.parametrize("modules", [(), ("green_spaces", "new_buildings")])
def test_districts_are_numbered_as_the_points_name_them(modules: tuple[str, ...]) -> None:
    """The points of a district are those of the resources on its cells (R8.3)."""
    seen = 0
    for steps in range(20, 120, 10):
        game, state = played("ginkgopolis", steps, players=2, modules=modules)
        g, points = PlainRecord(state[0]), [parts["districts"] for parts in game.outcome(state).breakdown]
        districts = districts_of(g)
        assert [len(own) for own in points] == [len(districts)] * 2
        for k, cells in enumerate(districts):
            floors = np.zeros(2, int)
            for s in range(g.n_buildings):
                if (g.x[s], g.y[s]) in cells and g.owner[s] >= 0:
                    floors[g.owner[s]] += g.floors[s]
            if not modules:  # parks beside a district count too (X3.3)
                second = min(floors) or max(floors)  # a player alone takes both ranks
                assert sum(own[k] for own in points) == floors.sum() + second
                seen += floors.any()
    assert modules or seen > 10


def test_the_table_serves_the_rules(server: LocalServer) -> None:
    for name in OWN_GAMES:
        answer = server.get(f"/rules/{name}")
        assert answer.headers["content-type"].startswith("text/html") and "<strong>" in answer.text
        assert not re.search(r'<a href="(?!#)', answer.text)
    server.get("/rules/chess", 404)
    server.get("/rules/..%2Fdesign%2Flayout", 404)


@pytest.mark.full
@pytest.mark.parametrize("name", OWN_GAMES)
def test_titles_are_reached_by_pointer_and_by_keys(served: Served, visitor: Visitor, name: str) -> None:
    (token,) = served.table(name, None, "random", seed=3)
    page = visitor.seat(token)
    box, piece = page.locator("#piece"), page.locator("#figure [data-title]").first
    assert piece.get_attribute("aria-label") == piece.get_attribute("data-title") and not box.is_visible()
    piece.hover()
    box.wait_for(state="visible")
    page.keyboard.press("Escape")
    assert not box.is_visible()
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("Boolean(document.activeElement.dataset.title)"):
            break
    box.wait_for(state="visible")
    first = box.inner_text()
    page.keyboard.press("ArrowRight")
    assert box.is_visible() and box.inner_text() != first
    cited = page.locator("#figure [data-title*='(']").first
    cited.evaluate("node => node.focus({focusVisible: true})")
    link = box.locator("a").first
    link.wait_for(state="visible")
    assert re.fullmatch(rf"\.\./rules/{name}#[A-Z][\d.]+", link.get_attribute("href") or "")
