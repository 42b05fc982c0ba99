"""Servers for tests of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

import pytest

from ginkgo_agents.registry import register_agent
from ginkgo_agents.table.offer import Offer

from .served import FailingAgent, House, WaitingAgent, serving

Serve = Callable[..., AbstractContextManager[House]]


@pytest.fixture(scope="session")
def offer() -> Offer:
    """What the package offers."""
    return Offer()


@pytest.fixture
def waiting() -> Iterator[WaitingAgent]:
    """The agent ``waiting``, which waits no longer when the test ends."""
    agent = WaitingAgent()
    register_agent("waiting", agent)
    register_agent("failing", FailingAgent)
    yield agent
    agent.may.set()


@pytest.fixture
def odd_offer(waiting: WaitingAgent) -> Offer:
    """An offer with the agents ``waiting`` and ``failing`` too."""
    return Offer()


@pytest.fixture
def serve(tmp_path: Path, offer: Offer) -> Serve:
    """``with serve(...) as house``: a server of the same file each time."""

    def with_file(offered: Offer = offer, **more: Any) -> AbstractContextManager[House]:
        return serving(tmp_path / "table.sqlite3", offered, **more)

    return with_file


@pytest.fixture
def house(serve: Serve) -> Iterator[House]:
    """A server."""
    with ExitStack() as stack:
        yield stack.enter_context(serve())
