"""The protocol for learning methods: reserved seeds, and what is known about the training of agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, field

from ginkgo_agents.checkpoints import read_checkpoint
from ginkgo_agents.evaluation.benchmark.tasks import learning_protocol
from ginkgo_agents.registry import path_of
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.strict_json import JsonError, StrictStruct, convert

_Whole = Annotated[int, Meta(ge=0)]


def is_reserved(seed: int) -> bool:
    """Whether a seed lies in the range that is kept for present and future tasks of the benchmark.

    Deals are spawned from a seed and the number of seats (``evaluation.matches.deal_seeds``): the deals of a task from the task's
    seed. Trainers, ``ginkgo generate`` and imitation take no reserved seed, so none of them is told to play the deals of a task.

    The range holds seeds from which games are spawned, not the 64-bit seeds of the games themselves. A batch or an environment
    that is reset with a seed spawns its games in another stream, so not even a reserved seed gives it the deals of a task there.
    That a game with a spawned seed is by chance one of the some 4,000 deals of the tasks is not excluded, but has a probability
    of about 2e-16 for each game, 2e-8 in 100 million games, and is not checked. Nor is checked what a program does with seeds of
    its own: it can spawn or name the deals of a task, and batches and environments play them.

    >>> is_reserved(20261101), is_reserved(0)
    (True, False)
    """
    first, end = learning_protocol().reserved_seeds
    return first <= seed < end


def unreserved(seed: int) -> int:
    """Return a seed to train with. Raises ConfigError if it is reserved."""
    if is_reserved(seed):
        first, end = learning_protocol().reserved_seeds
        raise ConfigError(
            f"the seed {seed} is reserved: {first} to {end - 1} are for the tasks of ginkgo benchmark, on whose deals "
            "nothing is trained; take another seed"
        )
    return seed


class TrainedOn(StrictStruct, kw_only=True):
    """What an agent was trained on.

    game, config : name and version of the game, and its options
    opponents : the other agents in its games, besides itself and its past
    teachers : the agents whose decisions it learned
    data_set : name or digest of the data set that it learned from; empty: none
    """

    game: str
    config: dict[str, Any]
    opponents: list[str] = field(default_factory=list)
    teachers: list[str] = field(default_factory=list)
    data_set: str = ""


class Training(StrictStruct, kw_only=True):
    """What is known about the training of an agent; None: not known.

    training_decisions : number of training decisions, as the protocol counts them
    """

    trained_on: TrainedOn | None = None
    training_decisions: _Whole | None = None
    training_seed: _Whole | None = None

    @property
    def track(self) -> str:
        """The smallest track that covers the training decisions.

        It is ``open`` if none does, or if their number is not known.
        """
        known = self.training_decisions
        fitting = [size for size in sorted(learning_protocol().tracks) if known is not None and known <= size]
        return f"{fitting[0]} decisions" if fitting else "open"


def training_in(about: Mapping[str, Any]) -> Training:
    """What the data about a checkpoint say about its training; nothing where they are malformed."""
    try:
        return convert({name: about.get(name) for name in Training.__struct_fields__}, Training)
    except JsonError:
        return Training()


def training_of(agent: str) -> Training:
    """What the checkpoint of an agent says about its training. Raises ConfigError if it is damaged."""
    path = path_of(agent)
    return Training() if path is None else training_in(read_checkpoint(path).about)
