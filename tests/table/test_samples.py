"""Games that agents have begun: their rules are compiled, and pages show pictures of them."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from ginkgo_env.registry import OWN_GAMES

from .served import LocalServer, until


@pytest.mark.parametrize("name", OWN_GAMES)
def test_a_game_is_prepared_once(server: LocalServer, name: str) -> None:
    shares = []
    until(lambda: shares.append(server.get(f"/api/prepared/{name}")["done"]) or shares[-1] == 1)
    assert all(0 <= share <= 1 for share in shares) and shares == sorted(shares)
    assert server.get(f"/api/prepared/{name}") == {"done": 1}


@pytest.mark.parametrize("name", OWN_GAMES)
def test_pictures_are_drawn_by_the_game(server: LocalServer, name: str) -> None:
    """The board has been played on; a picture is sent once, and is in the language of the request."""
    answer = server.get(f"/pictures/{name}/board.svg")
    assert answer.headers["content-type"] == "image/svg+xml" and answer.headers["cache-control"] == "no-cache"
    assert ElementTree.fromstring(answer.content).tag.endswith("svg") and len(answer.content) > 10_000
    known = {"if-none-match": answer.headers["etag"]}
    assert server.client.get(f"/pictures/{name}/board.svg", headers=known).status_code == 304
    words = [server.get(f"/pictures/{name}/signs.svg?language={language}").text for language in ("en", "de")]
    assert words[0] != words[1]
    assert server.get(f"/pictures/{name}/hand.svg").content != answer.content


def test_what_is_not_there_is_told(server: LocalServer) -> None:
    for path in ("/pictures/chess/board.svg", "/api/prepared/chess", "/pictures/my_city/nothing.svg", "/pictures/my_city/board"):
        assert server.client.get(path).status_code == 404, path
