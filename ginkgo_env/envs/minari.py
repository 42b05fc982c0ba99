"""Export to Minari: the decisions of each seat in a game become an episode.

Minari has no data sets of several agents. An episode holds what a single learner at that seat would see; docs/data.md lists
what is lost. The export requires Minari: ``pip install 'ginkgo-env[minari]'``.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from numpy.typing import NDArray

from ginkgo_env.core.errors import short_repr
from ginkgo_env.core.imports import extra
from ginkgo_env.datasets import DataError, Dataset
from ginkgo_env.datasets.play import Columns
from ginkgo_env.envs.observation_writer import blocks_space, mask_space
from ginkgo_env.envs.opponents import RANDOM
from ginkgo_env.envs.registration import gymnasium_ids, register_gymnasium


def to_minari(dataset: Dataset, dataset_id: str, seats: Sequence[int] | None = None, **about: Any) -> Any:
    """Write a data set of Minari, and return it.

    seats : the seats whose decisions are written, by default all; each seat of each game gives an episode
    about : further arguments of ``minari.create_dataset_from_buffers``, such as ``author``

    Observations are a ``Dict`` of ``observation`` and ``action_mask``. An episode has one observation more than actions: what the
    seat knew when the game was over, with a mask of ones as in the environments for one learner. The games are replayed to
    find it, so the version of the game must still be that of the data set. Rewards are those of the data set.

    ``recover_environment()`` of the result is a :class:`~ginkgo_env.envs.gym.GinkgoEnv` with the same game, spaces and reward.
    Its opponents are the agent of the data set if there is only one and it has a name, otherwise ``"random"``.

    Raises MissingPackageError without Minari, DataError for an id that is taken or invalid, and for seats that the game does not
    have.

    >>> data = ginkgo_env.datasets.load("data/duels")  # doctest: +SKIP
    >>> to_minari(data, "ginkgopolis/duels-v0")  # doctest: +SKIP
    """
    minari, buffer = modules()
    game, chosen = dataset.game, tuple(range(dataset.info.seats)) if seats is None else tuple(seats)
    if not chosen or not set(chosen) <= set(range(game.seats)):
        raise DataError(f"invalid seats {short_repr(str(chosen))}; expected some of 0..{game.seats - 1}")
    about = {"algorithm_name": ", ".join(dataset.info.agents), "description": _description(dataset), **about}
    try:
        return minari.create_dataset_from_buffers(
            dataset_id,
            (buffer(**episode) for episode in episodes(dataset, chosen)),
            observation_space=spaces.Dict({"observation": blocks_space(game), "action_mask": mask_space(game)}),
            action_space=spaces.Discrete(game.actions.size),
            **{"env": _environment(dataset, chosen), **about},
        )
    except (ValueError, TypeError, OSError, ImportError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"Minari cannot write {short_repr(dataset_id)}: {error}") from None


def modules() -> tuple[Any, Any]:
    """Import Minari and its class of episodes. Raises MissingPackageError if it is not installed."""
    with extra("minari"):
        import minari
        from minari.data_collector import EpisodeBuffer
    return minari, EpisodeBuffer


def _description(dataset: Dataset) -> str:
    info = dataset.info
    return f"{info.game} v{info.game_version} {info.config}: an episode for each seat of each game; reward {info.reward}"


def _environment(dataset: Dataset, seats: Sequence[int]) -> EnvSpec:
    """The environment in which a learner plays the game of the data set."""
    register_gymnasium()
    info = dataset.info
    identifier, options = next(iter(gymnasium_ids(info.game).items()))
    known = len(info.agents) == 1 and info.agents[0].isidentifier()  # not module:attribute or a file
    spec = copy.deepcopy(gymnasium.spec(identifier))
    spec.kwargs = {
        **options,
        **info.config,
        "observation": "dict",
        "opponents": info.agents[0] if known else RANDOM,
        "reward": info.reward,
        "seat": seats[0] if len(seats) == 1 else "rotating",
    }
    return spec


def episodes(dataset: Dataset, seats: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Yield the arguments of Minari's ``EpisodeBuffer`` for each episode, game by game and seat by seat."""
    actions = dataset.game.actions.size
    for finished, runner in dataset.replay_games(("observation", "mask")):
        rows = finished.rows(0, len(finished))
        seen = rows["observation"].view(dataset.game.observation_dtype)
        masks = np.unpackbits(rows["mask"], axis=1, count=actions, bitorder="little").view(np.int8)
        ends = {seat: runner.final_observations(seat) for seat in seats}
        for k, number in enumerate(finished.numbers):
            for seat in seats:
                own = np.flatnonzero((rows["game"] == number) & (rows["seat"] == seat))
                if own.size:
                    cut = bool(finished.games["truncated"][k])
                    yield _episode(own, rows, (seen, ends[seat][k]), (masks, np.ones(actions, np.int8)), cut)


def _episode(
    own: NDArray[np.int64],
    rows: Columns,
    seen: tuple[NDArray[Any], NDArray[Any]],
    masks: tuple[NDArray[np.int8], NDArray[np.int8]],
    truncated: bool,
) -> dict[str, Any]:
    """The episode of a seat in a game. Observations and masks are pairs: those of all rows, and the last one."""
    over = np.arange(len(own)) == len(own) - 1
    both = {"observation": seen, "action_mask": masks}
    return {
        "observations": {name: np.concatenate([every[own], end[None]]) for name, (every, end) in both.items()},
        "actions": rows["action"][own].astype(np.int64),
        "rewards": rows["reward"][own],
        "terminations": over & (not truncated),
        "truncations": over & truncated,
    }
