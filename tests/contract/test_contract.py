"""Every registered game, in every configuration, keeps every promise of the contract suite."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial, update_wrapper
from pathlib import Path

import pytest

from ginkgo_env.core.compile import cache, jit
from ginkgo_env.core.game import Game, States
from ginkgo_env.registry import OWN_GAMES, game_class, make_game
from ginkgo_env.testing import CHECKS, Check, check_every_state, check_one_signature, fresh, run_contract
from ginkgo_env.testing.hidden import check_seen
from ginkgo_env.testing.play import without_streams
from ginkgo_env.testing.text import check_positions_refused

from ..tiers import by_tier
from .games import as_case, cases, combinations, game_of, id_of, invariant_of, tiered_cases

TRACE = Path(__file__).with_name("trace.py")
FEWER = {
    "check_mask_by_trial": {"n": 3},
    "check_resampling": {"n": 3, "deals": 2},
    "check_resampling_is_blind": {"rows": 1},
    "check_positions": {"n": 10},
    "check_features": {"n": 8},
    "check_reproducible": {"rows": 2},
    "check_rewards": {"rows": 2},
    "check_pictures": {"n": 1},
    "check_seen": {"n": 1},
}
CASES = tiered_cases()
QUICK = [case for case in CASES if isinstance(case, str)]
LAST = [*{case.split()[0]: case for case in QUICK}.values()]  # one of each game
PLAIN = {as_case(name, config) for name in OWN_GAMES for config in game_class(name).configurations()}


def tier_of(check: Check, case: str) -> list[pytest.MarkDecorator]:
    """The slowest checks leave the options that change no kind of state or picture to the large simulations."""
    if case in (LAST if check is check_positions_refused else QUICK):
        return []
    slow = check in (check_positions_refused, check_seen)
    return [pytest.mark.full if case in PLAIN or not slow else pytest.mark.exhaustive]


PROMISES = [
    pytest.param(check, case, id=f"{check.__name__}-{id_of(case)}", marks=tier_of(check, case))
    for check in CHECKS
    for case in (case if isinstance(case, str) else case.values[0] for case in CASES)
]
THOROUGH = combinations("THOROUGH")[::12]


@pytest.mark.parametrize(("check", "case"), PROMISES)
def test_promise(check: Check, case: str) -> None:
    fewer(check)(game_of(case))


@pytest.mark.full
@pytest.mark.parametrize("case", QUICK, ids=id_of)
@pytest.mark.parametrize("check", [check for check in CHECKS if check.__name__ in FEWER], ids=lambda check: check.__name__)
def test_promise_in_more_states(check: Check, case: str) -> None:
    check(game_of(case))


@pytest.mark.parametrize("case", CASES, ids=id_of)
def test_invariants(case: str) -> None:
    """What each game's own tests say of its states, by hand and apart from declarations; and each is read back exactly."""
    game = game_of(case)
    own = invariant_of(game)

    def check(game: Game, state: States) -> None:
        own(game, state)
        assert game.from_position(json.loads(json.dumps(game.position(state)))).tobytes() == state.tobytes()

    check_every_state(game, check, seed=3, rows=1)


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=pytest.mark.full if case in THOROUGH else pytest.mark.exhaustive) for case in combinations()],
    ids=id_of,
)
def test_every_combination_of_modules(case: str) -> None:
    """Every set of modules keeps all invariants and promises; most of them are left to the large simulations."""
    game = game_of(case)
    run_contract(game, [fewer(check) for check in CHECKS])
    check_every_state(game, invariant_of(game), seed=3, rows=1)


@pytest.mark.parametrize("case", CASES, ids=id_of)
def test_every_seed_deals_another_game(case: str) -> None:
    """The hidden part counts as well: of a deck one card may be all that shows at the start."""
    starts = [without_streams(fresh(game_of(case), 1, seed).states[0]) for seed in range(4)]
    assert len(set(starts)) == len(starts)


def fewer(check: Check) -> Check:
    """A check with less to do, if it is a slow one."""
    return update_wrapper(partial(check, **FEWER[check.__name__]), check) if check.__name__ in FEWER else check


def test_a_broken_promise_is_told() -> None:
    def check_nothing(_: object) -> None:
        raise AssertionError("the moon is no cheese")

    with pytest.raises(AssertionError, match=r"check_nothing\(ginkgopolis, .*moon"):
        run_contract(game_of(cases("ginkgopolis")[0]), [check_nothing])


# --- other processes ---------------------------------------------------------------------------------------------------------


def _run(script: str, *arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, script, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, f"{script} {arguments} failed:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout


TRACED = [
    {"players": 1, "level": "advanced"},
    {"players": 2, "setup": "introductory", "strict": True},
    {"players": 3, "setup": "draft", "max_rounds": 6},
    {"players": 5, "setup": "draft", "max_rounds": 3},
]


@pytest.mark.full
@pytest.mark.timeout(900)
@pytest.mark.parametrize("config", TRACED, ids=str)
def test_plain_python_does_exactly_what_machine_code_does(config: dict[str, object]) -> None:
    lines = [_run(str(TRACE), json.dumps(config), NUMBA_DISABLE_JIT=off).splitlines() for off in ("0", "1")]
    for step, (compiled, plain) in enumerate(zip(*lines, strict=False)):
        assert compiled == plain, f"step {step}: with and without JIT differ"
    assert len(lines[0]) == len(lines[1]) > 20


@pytest.mark.full
@pytest.mark.skipif(jit.JIT_DISABLED, reason="nothing is compiled")
def test_each_kernel_has_one_signature_when_compiled_afresh(tmp_path: Path) -> None:
    """Kernels from the cache hide what is inside them, so this compiles anew: once for each version of the sources."""
    folder, kernels = cache.folder(), make_game("ginkgopolis", players=3).kernels
    marker = None if folder is None else folder / f"signatures-{cache.digest(*kernels)}.checked"
    if marker is not None and marker.exists():
        pytest.skip("checked before for these sources")
    script = tmp_path / "signatures.py"
    script.write_text(
        "import ginkgo_env\n"
        "from ginkgo_env.testing import batches\n"
        "game = ginkgo_env.make_game('ginkgopolis', players=3)\n"
        "batches.check_one_signature(game)\n"
        "print(sum(len(k.signatures) for k in batches.compiled_kernels(game).values()))\n"
    )
    compiled = int(_run(str(script), GINKGO_CACHE_DIR=str(tmp_path / "cache"), NUMBA_DISABLE_JIT="0"))
    assert compiled > 100, "the kernels were not compiled here, so nothing was checked"
    if marker is not None:
        marker.touch()


def test_the_check_of_signatures_sees_copies() -> None:
    class Twice:
        py_func = jit.kernel
        signatures = ((int, str), (int, bytes))

    game = game_of(cases("ginkgopolis")[0])
    module = sys.modules[type(game).__module__]
    module.twice = Twice  # type: ignore[attr-defined]
    try:
        if not jit.JIT_DISABLED:
            with pytest.raises(AssertionError, match="compiled for 2 kinds of numbers"):
                check_one_signature(game)
    finally:
        del module.twice


@pytest.mark.parametrize("game", by_tier(OWN_GAMES, ["my_city"]))
def test_a_game_loads_nothing_of_another(game: str) -> None:
    """So its machine code is not compiled either."""
    others = [other for other in OWN_GAMES if other != game]
    code = (
        "import sys, ginkgo_env, ginkgo_agents\n"
        f"ginkgo_env.make_game({game!r})\n"
        f"for name in ginkgo_agents.agent_names({game!r}): ginkgo_agents.make_agent(name, {game!r})\n"
        f"print([name for name in sys.modules if any(other in name for other in {others!r})])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n"), done.stdout
