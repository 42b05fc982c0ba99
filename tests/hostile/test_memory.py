"""Nothing that users hold, pass or do at the same time reaches memory that kernels trust."""

from __future__ import annotations

import contextlib
import copy
import pickle
import shutil
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_agents.base import DecisionBatch
from ginkgo_agents.registry import make_agent
from ginkgo_env.core.afterstates import LegalActions, look_ahead
from ginkgo_env.core.errors import BatchError, ConfigError, IllegalActionError
from ginkgo_env.core.masks import NO_ACTION, RESET
from ginkgo_env.core.playback import Playback
from ginkgo_env.datasets.loader import _ShuffleBuffer
from ginkgo_env.datasets.metadata import DataError
from ginkgo_env.envs.learner import Learner
from ginkgo_env.envs.one_game import OneGame
from ginkgo_env.games.ginkgopolis.config import MODULES
from ginkgo_env.pictures.export import png

GAME = "my_city"


def batch_of(size: int = 8, game: str = GAME, **options: Any) -> ginkgo_env.Batch:
    batch = ginkgo_env.Batch(ginkgo_env.make_game(game), size, **options)
    batch.reset(seed=1)
    return batch


def illegal_in(batch: ginkgo_env.Batch) -> np.ndarray:
    """An action for each row that is not legal there."""
    return np.array([np.flatnonzero(row == 0)[0] for row in batch.mask])


# --- what users write to ---------------------------------------------------------------------------------------------------


def test_illegal_actions_are_refused_whatever_the_mask_says() -> None:
    batch = batch_of()
    bad, before = illegal_in(batch), batch.states.tobytes()
    batch.mask[:] = 1
    with pytest.raises(IllegalActionError):
        batch.step(bad)
    assert batch.states.tobytes() == before


@pytest.mark.parametrize("game", ginkgo_env.GAMES)
def test_a_mask_of_ones_neither_changes_what_is_sampled_nor_what_is_listed(game: str) -> None:
    one, other = batch_of(8, game, autoreset=True), batch_of(8, game, autoreset=True)
    for _ in range(400):
        other.mask[:] = 1
        actions = other.sample()
        assert (one.sample() == actions).all()
        other.mask &= 0  # assigns to the attribute as well
        assert (one.legal_actions().actions == other.legal_actions().actions).all()
        one.step(actions)
        other.step(actions)
        assert (one.mask == other.mask).all() and one.states.tobytes() == other.states.tobytes()


def test_lookahead_plays_legal_actions_only() -> None:
    batch = batch_of()
    bad, wanted = illegal_in(batch), batch.afterstates(seed=1)
    batch.mask[:] = 1
    same = batch.afterstates(seed=1)
    assert all(np.array_equal(a, b) for a, b in zip(same, wanted, strict=True))
    legal = LegalActions(np.arange(9), bad)
    with pytest.raises(IllegalActionError):
        batch.afterstates(seed=1, legal=legal)
    worlds, keys = batch.states.copy().reshape(8, 1), np.arange(8, dtype=np.uint64)
    with pytest.raises(IllegalActionError):
        look_ahead(batch.game, worlds, np.zeros(8, np.int64), legal, keys, batch._threads.run)
    with pytest.raises(BatchError, match="ascending offsets"):
        look_ahead(batch.game, worlds, np.zeros(8, np.int64), LegalActions(np.arange(12), bad), keys, batch._threads.run)


@pytest.mark.parametrize(
    "legal", [5, "ab", (1, 2, 3), ([0, 1], [0.5]), (np.arange(9), np.full(8, 2**70)), (np.arange(9), np.ones(8))]
)
def test_lists_of_actions_are_integers(legal: Any) -> None:
    with pytest.raises(BatchError, match="invalid legal actions"):
        batch_of().afterstates(legal=legal)


@pytest.mark.parametrize("name", ginkgo_env.GAMES)
def test_greedy_agents_play_legal_actions_only(name: str) -> None:
    batch = ginkgo_env.Batch(ginkgo_env.make_game(name), 4)
    batch.reset(seed=1)
    turns = [DecisionBatch(batch, np.arange(4), np.arange(4, dtype=np.uint64)) for _ in range(2)]
    turns[1].masks[:] = 1
    agent = make_agent("greedy", name)
    wanted = agent.act(turns[0])
    with contextlib.suppress(IllegalActionError):
        assert (agent.act(turns[1]) == wanted).all()


def test_the_learner_and_its_opponents_do_not_read_the_mask() -> None:
    learner = Learner(ginkgo_env.make_game(GAME), 8, illegal_action="raise")
    learner.reset(list(range(8)))
    bad = illegal_in(learner.batch)
    learner.batch.mask[:] = 1
    with pytest.raises(IllegalActionError):
        learner.step(bad)
    for _ in range(5):
        actions = learner.batch.sample()
        learner.batch.mask[:] = 1
        learner.step(actions, np.flatnonzero(~learner.over))


def test_copies_of_rows_and_of_batches_know_what_is_legal() -> None:
    batch = batch_of()
    bad = illegal_in(batch)
    batch.mask[:] = 1
    other = batch_of(8)
    other.copy_rows(batch, np.arange(8), np.arange(8))
    twins = [other, copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    for twin in twins:
        with pytest.raises(IllegalActionError):
            twin.step(bad)
        assert (twin.sample() == copy.deepcopy(batch).sample()).all()


def test_a_playback_does_not_read_its_mask() -> None:
    playback = Playback(ginkgo_env.make_game(GAME))
    playback.start(1)
    bad = int(np.flatnonzero(playback.mask[0] == 0)[0])
    playback.mask[:] = 1
    assert not playback.is_legal(bad) and not playback.is_legal(10**30) and not playback.is_legal(-(10**30))
    with pytest.raises(IllegalActionError):
        playback.play(bad)


def test_assigned_arrays_are_copied() -> None:
    batch = batch_of(autoreset=True, keep_last=True, reward="score")
    for name in ("mask", "done", "truncated", "rewards", "totals", "standings", "final"):
        own = getattr(batch, name)
        setattr(batch, name, np.ones_like(own))
        assert getattr(batch, name) is own and (own == 1).all()
        with pytest.raises(ValueError, match="broadcast"):
            setattr(batch, name, np.ones((3, 1000, 2)))
    for _ in range(60):
        batch.step(batch.sample())


def test_the_seats_that_decide_are_read_only_and_the_mask_is_not() -> None:
    batch = batch_of()
    for _ in range(2):
        for view in (batch.actor, batch.kind):
            with pytest.raises(ValueError, match="read-only"):
                view[:] = 100
        assert batch.mask.flags.writeable
        batch = copy.deepcopy(batch)
    torch = pytest.importorskip("torch")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        torch.from_numpy(batch.mask)


def test_last_observations_of_rows_in_which_no_game_has_ended() -> None:
    batch = ginkgo_env.Batch(ginkgo_env.make_game(GAME), 8, autoreset=True, keep_last=True)
    batch.done[:] = True
    assert (batch.observe_last(0) == batch.observe(0)).all()


HOSTILE = """
    import numpy as np, ginkgo_env
    for name in ginkgo_env.GAMES:
        batch = ginkgo_env.Batch(ginkgo_env.make_game(name), 64, autoreset=True, keep_last=True)
        random = np.random.default_rng(0)
        for step in range(40):
            batch.mask[:] = 1
            batch.done[:] = True
            batch.rewards[:] = batch.totals[:] = batch.standings[:] = batch.final[:] = 10**6
            for check in (True, False):
                for actions in (random.integers(0, batch.game.actions.size, 64), random.integers(-(2**62), 2**62, 64)):
                    try:
                        if check or (actions >= batch.game.actions.size).any():
                            batch.step(actions, check=check)
                    except ginkgo_env.IllegalActionError:
                        pass
            batch.step(batch.sample())
            batch.observe(), batch.observe_last(), batch.features(), batch.legal_actions(), batch.scores()
            batch.afterstates(1, seed=0, average=True) if step == 0 else None
    print("alive")
"""


@pytest.mark.full
def test_a_process_survives_whoever_writes_to_all_arrays() -> None:
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(HOSTILE)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr[-2000:]


# --- ids -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [RESET, -3, -(2**63), "size", 10**6, 2**62, 2**63 - 1])
@pytest.mark.parametrize("check", [True, False])
def test_only_ids_and_no_action_are_played(action: Any, check: bool) -> None:
    batch = batch_of()
    number = batch.game.actions.size if action == "size" else action
    actions = np.array([NO_ACTION] * 7 + [number])
    before = batch.states.tobytes()
    with pytest.raises(IllegalActionError, match="row 7"):
        batch.step(actions, check=check)
    assert batch.states.tobytes() == before
    batch.step(np.full(8, NO_ACTION), check=False)
    assert batch.states.tobytes() == before


# --- threads ---------------------------------------------------------------------------------------------------------------


def held(lock: Any) -> Callable[[], None]:
    """Hold a lock on another thread; returns the function that ends this."""
    taken, leave = Barrier(2), Barrier(2)

    def hold() -> None:
        with lock:
            taken.wait()
            leave.wait()

    thread = Thread(target=hold)
    thread.start()
    taken.wait()

    def end() -> None:
        leave.wait()
        thread.join()

    return end


CALLS: dict[str, Callable[[ginkgo_env.Batch], object]] = {
    "reset": lambda batch: batch.reset(seed=2),
    "step": lambda batch: batch.step(np.full(8, NO_ACTION)),
    "sample": lambda batch: batch.sample(),
    "observe": lambda batch: batch.observe(),
    "observe_last": lambda batch: batch.observe_last(),
    "features": lambda batch: batch.features(),
    "legal_actions": lambda batch: batch.legal_actions(),
    "afterstates": lambda batch: batch.afterstates(1),
    "scores": lambda batch: batch.scores(),
    "outcome": lambda batch: batch.outcome(0),
    "position": lambda batch: batch.position(0),
    "positions": lambda batch: batch.positions(),
    "set_states": lambda batch: batch.set_states([0], batch.state(1)),
    "copy_rows": lambda batch: batch.copy_rows(batch, [0], [1]),
    "copy_rows from it": lambda batch: batch_of(8).copy_rows(batch, [0], [1]),
    "resample": lambda batch: batch.resample(seed=1),
    "close": lambda batch: batch.close(),
    "run": lambda batch: batch.run(batch.game.kernels.score, np.zeros(0)),
    "refresh": lambda batch: batch.refresh(),
    "pickle": pickle.dumps,
    "deepcopy": copy.deepcopy,
    "html": lambda batch: batch._repr_html_(),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_batch_serves_one_thread_at_a_time(name: str) -> None:
    batch = batch_of(autoreset=True, keep_last=True)
    before = batch.states.tobytes()
    end = held(batch._lock)
    with pytest.raises(BatchError, match="this batch is in use by another thread"):
        CALLS[name](batch)
    end()
    assert batch.states.tobytes() == before
    if name != "run":
        CALLS[name](batch)


def test_games_and_learners_serve_one_thread_at_a_time() -> None:
    game = ginkgo_env.make_game(GAME)
    playback, one, learner = Playback(game), OneGame(game, "win"), Learner(game, 2)
    playback.start(1)
    calls: list[tuple[Any, list[Callable[[], object]]]] = [
        (playback, [lambda: playback.start(1), lambda: playback.play(0), playback.state]),
        (one, [lambda: one.reset(1), lambda: one.step(0), lambda: one.observe(0), one.saved_states, lambda: one.features(0)]),
        (learner, [learner.reset, lambda: learner.step([0, 0]), learner.observe, learner.masks]),
    ]
    for thing, methods in calls:
        end = held(thing._lock)
        for method in methods:
            with pytest.raises(BatchError, match="in use by another thread"):
                method()
        end()
    copied = copy.deepcopy(learner)
    copied.reset([1, 2])


def test_four_threads_on_a_batch() -> None:
    """Steps take place one after the other, or not at all."""
    batch, results = batch_of(2048, autoreset=True), list[str]()

    def play() -> None:
        for _ in range(15):
            try:
                batch.step(batch.sample())
                results.append("played")
            except BatchError as error:
                results.append(str(error))
            except IllegalActionError:
                results.append("another thread has played since sample()")

    threads = [Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 60
    assert set(results) <= {
        "played",
        "this batch is in use by another thread",
        "another thread has played since sample()",
    }
    mask = batch.mask.copy()
    batch.refresh()
    assert (batch.mask == mask).all()


# --- files -----------------------------------------------------------------------------------------------------------------

CHANGES: dict[tuple[str, str], tuple[str, str, str]] = {
    ("my_city", "board"): ("board.txt", "name mine", "# changed\nname mine"),
    ("my_city", "buildings"): ("buildings.csv", "yellow", "red"),
    ("golden_city", "board"): ("own", "2,", "1,"),
}


def mine(game: str, option: str, folder: Path) -> Path:
    """Copy the shipped file or folder of an option, under another name."""
    source = Path(ginkgo_env.__file__).parent / "games" / game / "data" / CHANGES[game, option][0]
    target = folder / f"mine{source.suffix}"
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        target.write_text(source.read_text().replace("name own", "name mine"))
    return target


def change(game: str, option: str, path: Path) -> None:
    _, old, new = CHANGES[game, option]
    file = path / "bonus.csv" if path.is_dir() else path
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(("game", "option"), CHANGES)
def test_a_pickle_refuses_changed_files(game: str, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    path = mine(game, option, tmp_path)
    monkeypatch.chdir(tmp_path)
    made = ginkgo_env.make_game(game, **{option: path.name})
    assert made.config_dict[option] == str(path.resolve())
    pickled = pickle.dumps(made)
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert pickle.loads(pickled).component_ids == made.component_ids
    change(game, option, path)
    changed = ginkgo_env.make_game(game, **{option: str(path)})
    with pytest.raises(ConfigError, match="have changed since it was pickled") as error:
        pickle.loads(pickled)
    for components in (made.component_ids, changed.component_ids):
        assert components[f"{option}_digest"] in str(error.value)


def test_pickled_environments_refuse_changed_files(tmp_path: Path) -> None:
    path = mine("my_city", "board", tmp_path)
    things = [make("my_city", board=str(path)) for make in (ginkgo_env.raw_env, ginkgo_env.parallel_env)]
    for thing in things:
        thing.reset(seed=1)
    pickles = [pickle.dumps(thing) for thing in [*things, ginkgo_env.Batch(things[0].game, 1)]]
    for pickled in pickles:
        pickle.loads(pickled)
    change("my_city", "board", path)
    for pickled in pickles:
        with pytest.raises(ConfigError, match="have changed"):
            pickle.loads(pickled)


def test_a_board_of_128_veins(tmp_path: Path) -> None:
    rows = [["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"]]
    terrain, banks = [["v"] * 16] * 8, [["a"] * 8 + ["b"] * 8] * 8
    lines = ["name veins", f"columns {' '.join(rows[0])}", "terrain", *map(" ".join, terrain), "banks", *map(" ".join, banks)]
    (tmp_path / "veins.txt").write_text("\n".join([*lines, ""]))
    batch = ginkgo_env.Batch(ginkgo_env.make_game("my_city", board=str(tmp_path / "veins.txt")), 8)
    batch.reset(seed=1)
    while not batch.over.all():
        batch.step(batch.sample())
        low, high = batch.game.observation.bounds(np.int8)
        seen = batch.observe()
        assert (seen >= low).all() and (seen <= high).all()
    batch.scores()


# --- memory that is asked for ------------------------------------------------------------------------------------------------


def test_lookahead_in_more_worlds_than_memory_holds() -> None:
    batch = batch_of()
    turn = DecisionBatch(batch, np.arange(8), np.arange(8, dtype=np.uint64))
    refusal = r"invalid (worlds|n) .*(: such a call takes .* GiB of memory|; expected 1\.\.)"
    for worlds in (10**8, 10**30):
        calls: list[Callable[[int], object]] = [batch.afterstates, turn.afterstates, turn.resampled_states, turn.resampled_batch]
        for call in calls:
            with pytest.raises(BatchError, match=refusal):
                call(worlds)
    for worlds in (0, 1.5, True):
        for call in calls:
            with pytest.raises(BatchError, match=r"expected (an integer >= 1|1\.\.)"):
                call(worlds)  # type: ignore[arg-type]


def test_a_million_worlds_of_a_large_batch() -> None:
    with pytest.raises(BatchError, match=r"invalid worlds 1000000: such a call takes [\d,]+ GiB of memory"):
        batch_of(256).afterstates(10**6)


def test_pictures_larger_than_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resvg_py")
    monkeypatch.setattr("ginkgo_env.core.checks._memory", lambda: 2**30)
    batch = batch_of(1)
    with pytest.raises(BatchError, match=r"invalid width 20000: such a picture takes \d+ GiB of memory"):
        png(batch.game.picture(batch.state(0)), 20_000)


def test_a_shuffle_buffer_is_no_larger_than_the_data_set(monkeypatch: pytest.MonkeyPatch) -> None:
    buffer = _ShuffleBuffer(2**40, least=10**9, most=100)
    buffer.add({"action": np.zeros(10, np.int64)})
    assert buffer._data["action"].shape == (100,)
    monkeypatch.setattr("ginkgo_env.core.checks._memory", lambda: 2**30)
    with pytest.raises(DataError, match="such a buffer takes 8 GiB of memory"):
        _ShuffleBuffer(2**40, least=10**9, most=10**9).add({"action": np.zeros(10, np.int64)})


@pytest.mark.parametrize("make", [lambda **options: ginkgo_env.make_game("ginkgopolis", **options), ginkgo_env.raw_env])
def test_all_modules(make: Callable[..., Any]) -> None:
    made = make(modules="all")
    game = getattr(made, "game", made)
    assert game.config.modules == tuple(MODULES) and game.config_dict["modules"] == list(MODULES)
