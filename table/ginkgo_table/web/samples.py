"""Games that agents have begun: they compile the rules, and pages show pictures of them."""

from __future__ import annotations

import asyncio
from functools import lru_cache

from ginkgo_env.core.compile.jit import is_compiled, progress
from ginkgo_env.core.game import Game
from ginkgo_env.core.language import current_language, speaking
from ginkgo_env.core.state import States
from ginkgo_env.pictures.picture import Picture
from ginkgo_env.pictures.svg import GAP, PAGE, flow
from ginkgo_table.live import LiveGame, SeatAssignment
from ginkgo_table.web.limits import TableError
from ginkgo_table.web.manager import TableManager

_SEED = 6
_PLAYED = 0.7  # of the decisions of a whole game
_KEPT = 256  # pictures in memory
_MARGIN = 6.0
_FIRST, _OTHERS = 0.7, 0.25  # parts of the time that the first loop of the rules takes, and the others; measured


class Samples:
    """Prepares the games when a page first asks for them, one at a time."""

    def __init__(self, manager: TableManager) -> None:
        self._manager, self._lock = manager, asyncio.Lock()
        self._tasks = dict[str, asyncio.Task[tuple[Game, States]]]()
        self._pictures = lru_cache(_KEPT)(self._draw)

    def progress(self, name: str) -> float:
        """Begin to prepare a game, and return how much is done, from 0 to 1.

        Raises TableError for an unknown game.
        """
        if self._task(name).done():
            return 1.0
        first, *others = self._manager.catalog.game(name, {}).kernels.rules
        if not is_compiled(first):
            return _FIRST * progress.share
        return _FIRST + _OTHERS * min(1.0, (sum(map(is_compiled, others)) + progress.share) / len(others))

    async def picture(self, name: str, part: str) -> str:
        """Return a part of the table as SVG: ``board``, ``hand`` or a row of ``Areas``, as seat 0 sees it.

        Raises TableError for an unknown game or part.
        """
        await asyncio.wait({self._task(name)})
        return await self._manager.run_short(self._pictures, name, part, current_language())

    def _task(self, name: str) -> asyncio.Task[tuple[Game, States]]:
        if name not in self._manager.catalog.options:
            raise TableError(404, "there is no such game")
        if name not in self._tasks:
            self._tasks[name] = asyncio.create_task(self._prepare(name))
        return self._tasks[name]

    async def _prepare(self, name: str) -> tuple[Game, States]:
        async with self._lock:
            return await self._manager.run_long(self._play, name)

    def _play(self, name: str) -> tuple[Game, States]:
        catalog = self._manager.catalog
        game = catalog.game(name, {})
        seats = [SeatAssignment(side, catalog.first_opponent(game)) for side in game.side_names[: game.seats]]

        def begun(actions: list[int]) -> LiveGame:
            return LiveGame(game, _SEED, seats, actions, agent_factory=lambda agent, _: catalog.agent(agent, game), views=[])

        whole = begun([])
        while whole.advance():
            pass
        live = begun(whole.actions[: int(_PLAYED * len(whole.actions))])
        while live.actor != 0 and live.advance():
            pass
        return game, live.state

    def _draw(self, name: str, part: str, language: str) -> str:
        game, state = self._tasks[name].result()
        with speaking(language):
            areas = game.presenter.areas(state, 0)
        hand = [box for row in areas.hand.values() for box in row]
        parts = {**areas.table, **(areas.sides[0] if areas.sides else {}), **areas.hand, "board": [areas.board], "hand": hand}
        box = flow(parts.get(part, []), PAGE, GAP).padded(_MARGIN)
        if box.width <= 2 * _MARGIN:
            raise TableError(404, "there is no such page")
        return Picture(box.width, box.height, box.body, game.title).svg()
