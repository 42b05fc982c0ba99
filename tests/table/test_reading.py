"""Pages to read: how to play each game, and the rules; and the explanations of a first game."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ginkgo_env.core.language import LANGUAGES, speaking
from ginkgo_env.pictures.presenter import Presenter
from ginkgo_env.registry import OWN_GAMES, make_game

from .browsing import CHROMIUM, Served, Visitor
from .lobbying import Visit, stored, text_of
from .served import LocalServer, until

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium, or its path in GINKGO_CHROMIUM")
PICTURE = re.compile(r'<img src="\.\./([^"]*)" alt="([^"]*)"')


def article(server: LocalServer, path: str) -> str:
    answer = server.get(path)
    assert answer.headers["content-type"].startswith("text/html")
    found = re.search(r"<article lang=\"(\w\w)\">(.*)</article>", answer.text, re.DOTALL)
    assert found is not None and found[1] == ("de" if "language=de" in path else "en")
    return found[2]


@pytest.mark.parametrize("name", OWN_GAMES)
def test_every_game_can_be_learned_in_both_languages(server: LocalServer, name: str) -> None:
    """In few words, with the same headings and the same pictures, each of which has an alternative text and is drawn."""
    texts = [article(server, f"/learn/{name}?language={language}") for language in LANGUAGES]
    assert len({tuple(re.findall(r"<h(\d)>", text)) for text in texts}) == 1
    pictures = [PICTURE.findall(text) for text in texts]
    assert [path.partition("?")[0] for path, _ in pictures[0]] == [path.partition("?")[0] for path, _ in pictures[1]]
    for language, text, drawn in zip(LANGUAGES, texts, pictures, strict=True):
        assert 300 <= len(re.sub(r"<[^>]*>", " ", text).split()) <= 510, language
        assert len(drawn) >= 3 and all(len(alternative) > 30 for _, alternative in drawn)
        for path, _ in drawn:
            assert path.endswith(f"?language={language}") and server.get(f"/{path}").content.startswith(b"<svg")


def test_a_game_without_a_text_has_no_such_page(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    assert server.client.get("/learn/chess").status_code == 404
    monkeypatch.setattr(type(make_game("my_city").presenter), "how_to_play_file", "")
    server.get("/learn/my_city", 404)
    assert [game["has_guide"] for game in server.get("/api/offer")["games"] if game["name"] in OWN_GAMES] == [True, True, False]


def test_a_text_in_english_alone_is_shown_to_all() -> None:
    presenter = make_game("my_city").presenter
    with speaking("de"):
        assert presenter.how_to_play().startswith("# So spielt man")
        presenter.how_to_play_file = "data/rules.md"  # the same in all languages
        assert presenter.how_to_play().startswith("# My City in short")
        presenter.how_to_play_file = "how_to_play/en{language}.md".replace("{language}", "")
        assert presenter.how_to_play().startswith("# How to play")
    assert Presenter(make_game("my_city")).how_to_play() == ""


@pytest.mark.parametrize("name", OWN_GAMES)
def test_rules_begin_with_the_idea_and_end_with_chance(server: LocalServer, name: str) -> None:
    text = article(server, f"/rules/{name}")
    first, *others = re.findall(r"<p>(.*?)</p>", text, re.DOTALL)
    assert first.startswith("The idea of the game: ") and PICTURE.search(others[0]) and others[1].startswith("This page states")
    assert text.index("splitmix64") > len(text) / 2 and text.rindex("<h2>Chance</h2>") > 0.95 * len(text)
    for here, other in (("rules", "learn"), ("learn", "rules")):
        links = re.findall(r'class="button" href="../(learn|rules)/[^>]*"( hidden)?>', server.get(f"/{here}/{name}").text)
        assert sorted(links) == sorted([(here, " hidden"), (other, "")])


@pytest.mark.parametrize("name", OWN_GAMES)
def test_every_kind_of_decision_is_explained(name: str) -> None:
    game = make_game(name, **({"modules": "all"} if name == "ginkgopolis" else {}))
    for language in LANGUAGES:
        labels = game.presenter.texts.labels(language)
        kinds = {kind for number, kind in enumerate(game.decisions) if number != game.over}
        assert {key.partition(":")[2] for key in labels if key.startswith("guide:")} == kinds
        assert all(labels[f"guide:{kind}"].endswith(".") for kind in kinds)


# --- in the browser --------------------------------------------------------------------------------------------------------


@pytest.mark.full
@needs_chromium
def test_from_the_page_to_a_first_game_with_explanations(lobby: Visit, served: Served) -> None:
    page = lobby(locale="de-DE")
    page.click('[data-game="my_city"] a')
    until(lambda: page.title() == "So spielt man My City")
    page.select_option("#language", "en")
    until(lambda: page.title() == "How to play My City" and "language=en" in page.url)
    until(lambda: page.locator("article img").evaluate_all("all => all.every((one) => one.complete && one.naturalWidth)"))
    page.click("#first")
    page.wait_for_url("**/seat/*", timeout=120_000)
    page.wait_for_selector("#guide:visible")
    token = page.url.rpartition("/")[2]
    assert text_of(page, "#guide-text").startswith("Turn the building") and stored(page)[0]["title"] == "My City"
    page.reload()
    page.wait_for_selector("#guide:visible")
    served.act(token)
    until(lambda: not page.is_visible("#guide"))  # the second decision of its kind
    assert page.get_attribute("#learn", "href").endswith("/learn/my_city?language=en")
    page.goto(served.address)
    page.wait_for_selector("#seats li")
    assert "seat" not in page.url  # the page opens no second game


@pytest.mark.full
@needs_chromium
def test_each_kind_is_explained_once_until_that_is_enough(lobby: Visit, served: Served) -> None:
    page = lobby()
    page.click('[data-game="ginkgopolis"] button')
    page.wait_for_url("**/seat/*", timeout=120_000)
    page.wait_for_selector("#question:visible")
    token, told = page.url.rpartition("/")[2], list[str]()
    for _ in range(6):
        view = served.turn(token)
        until(lambda view=view: page.evaluate("game.version") == view["version"])
        if page.is_visible("#guide"):
            told.append(view["decision"]["kind"])
        served.act(token)
        until(lambda view=view: served.turn(token)["version"] != view["version"])
    assert told == list(dict.fromkeys(told)) and told[:2] == ["draft", "commit"]


@pytest.mark.full
@needs_chromium
def test_explanations_can_be_ended(lobby: Visit, served: Served, visitor: Visitor) -> None:
    page = lobby()
    page.click('[data-game="golden_city"] button')
    page.wait_for_url("**/seat/*", timeout=120_000)
    page.wait_for_selector("#guide:visible")
    page.click("#guide-off")
    assert not page.is_visible("#guide") and stored(page)[0]["guided"] is False
    page.reload()
    page.wait_for_selector("#question:visible")
    assert not page.is_visible("#guide")
    other: Any = visitor.seat(page.url.rpartition("/")[2])  # a browser that has not begun a guided game
    assert not other.is_visible("#guide")
