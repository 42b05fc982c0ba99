"""Servers for tests of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

import pytest

from ginkgo_agents.registry import register_agent
from ginkgo_table.web.game_catalog import GameCatalog

from .browsing import Served, Visitor, chromium
from .lobbying import Visit
from .served import FailingAgent, LocalServer, WaitingAgent, serving

Serve = Callable[..., AbstractContextManager[LocalServer]]


@pytest.fixture(scope="session")
def catalog() -> GameCatalog:
    """What the package offers."""
    return GameCatalog()


@pytest.fixture
def waiting() -> Iterator[WaitingAgent]:
    """The agent ``waiting``, which waits no longer when the test ends."""
    agent = WaitingAgent()
    register_agent("waiting", agent)
    register_agent("failing", FailingAgent)
    yield agent
    agent.may.set()


@pytest.fixture
def odd_catalog(waiting: WaitingAgent) -> GameCatalog:
    """An offer with the agents ``waiting`` and ``failing`` too."""
    return GameCatalog()


@pytest.fixture
def serve(tmp_path: Path, catalog: GameCatalog) -> Serve:
    """``with serve(...) as server``: a server of the same file each time."""

    def with_file(offered: GameCatalog = catalog, **more: Any) -> AbstractContextManager[LocalServer]:
        return serving(tmp_path / "table.sqlite3", offered, **more)

    return with_file


@pytest.fixture
def server(serve: Serve) -> Iterator[LocalServer]:
    """A server."""
    with ExitStack() as stack:
        yield stack.enter_context(serve())


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium."""
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, catalog: GameCatalog) -> Iterator[Served]:
    """A server on a port, at which agents among themselves do not move."""
    served = Served(tmp_path_factory.mktemp("lobby") / "tables.sqlite3", catalog, pace=3600)
    yield served
    served.stop()


@pytest.fixture
def visitor(browser: Any, served: Served) -> Iterator[Visitor]:
    """Opens pages, in which nothing may go wrong."""
    with Visitor(browser, served) as made:
        yield made


@pytest.fixture
def lobby(browser: Any, served: Served) -> Iterator[Visit]:
    """``lobby(**options)``: the lobby in a browser of its own; at the end no error has come and nobody else was asked."""
    with Visitor(browser, served) as visitor:

        def ready(**options: Any) -> Any:
            page = visitor.open("/", **{"viewport": {"width": 1200, "height": 900}} | options)
            page.wait_for_selector("#seats li")
            return page

        yield ready
