"""Public names, for the program and for type checkers, and the packages of a wheel."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from dataclasses import fields
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import ginkgo_env
from ginkgo_env.envs.interface import LearnerOptions, VectorOptions
from ginkgo_env.games.ginkgopolis.config import GinkgopolisConfig, GinkgopolisOptions
from ginkgo_env.games.golden_city.config import GoldenCityConfig, GoldenCityOptions
from ginkgo_env.games.my_city.config import MyCityConfig, MyCityOptions
from ginkgo_env.registry import OPTION_NAMES, OWN_GAMES, GameName

ROOT = Path(__file__).parents[2]
PACKAGES = {"ginkgo_env": "Batch", "ginkgo_env.datasets": "Dataset", "ginkgo_agents": "FunctionAgent"}
"""Each with one of its classes."""


@pytest.mark.parametrize("package", PACKAGES)
def test_all_public_names_can_be_imported(package: str) -> None:
    module = import_module(package)
    assert PACKAGES[package] in module.__all__
    for name in module.__all__:
        assert getattr(module, name) is not None, name
    with pytest.raises(AttributeError, match="nothing"):
        module.nothing  # noqa: B018


@pytest.mark.full
def test_type_checkers_know_the_public_names(tmp_path: Path) -> None:
    """An unknown name is an error, and a class is one: as many findings as packages, and no other."""
    lines = [line for package in PACKAGES for line in (f"import {package}", f"{package}.nothing")]
    lines += [f"variable_{k}: {package}.{name} = 1" for k, (package, name) in enumerate(PACKAGES.items())]
    (tmp_path / "snippet.py").write_text("\n".join(lines) + "\n")
    quick = ["--no-site-packages", "--ignore-missing-imports", "--follow-imports=silent", f"--cache-dir={tmp_path / 'cache'}"]
    command = [sys.executable, "-m", "mypy", "--config-file=pyproject.toml", *quick, str(tmp_path / "snippet.py")]
    report = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    errors = re.findall(r"snippet\.py:(\d+): error: (.*)", report)
    assert len(errors) == report.count("error:") == 2 * len(PACKAGES), report
    for number, text in errors[: len(PACKAGES)]:
        assert lines[int(number) - 1].endswith(".nothing") and 'no attribute "nothing"' in text
    for (_, text), name in zip(errors[len(PACKAGES) :], PACKAGES.values(), strict=True):
        assert f'"int", variable has type "{name}"' in text


# --- a script with mistakes --------------------------------------------------------------------------------------------------


SCRIPT = """\
import numpy as np
from numpy.typing import NDArray

import ginkgo_env
from ginkgo_env.registry import game_class

# --- right
game = ginkgo_env.make_game("ginkgopolis", players=3, setup="draft", modules={"events", "prestige"})
other = game_class("connect_four")()
batch = ginkgo_env.Batch(ginkgo_env.make_game("my_city", players=2, board="own"), 8)
env = ginkgo_env.env("golden_city", players=3, reward="margin", legal_actions=True)
env.reset(seed=7)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    mask: NDArray[np.int8] = observation["action_mask"]
    env.step(None if termination or truncation else env.action_space(agent).sample(mask))
vector: NDArray[np.float32] = ginkgo_env.raw_env(players=1, level="advanced", observation="features").last()[0]
learner = ginkgo_env.GinkgoEnv("my_city", opponents="random", seat="rotating", observation="dict")
first, info = learner.reset(seed=1)
first, paid, terminated, truncated, info = learner.step(int(first["action_mask"].argmax()))
ginkgo_env.GinkgoEnv(game_class("connect_four"), anything=1).reset()
many = ginkgo_env.GinkgoVectorEnv(num_envs=4, players=2)
rows, infos = many.reset(seed=[1, 2, 3, 4])
rows = many.step(np.zeros(4, np.int64))[0]
parallel = ginkgo_env.parallel_env("my_city", players=4)
seen, infos = parallel.reset()
seen, rewards, *_ = parallel.step({"player_0": 1})
total: float = rewards["player_0"] + float(seen["player_0"]["observation"].sum())
model = ginkgo_env.text_env("my_city", retries=1, illegal_action="random", rules=True)
text, info = model.reset(seed=np.int64(7))
seed = np.int64(7)
env.reset(seed=seed)
batch.reset(seed=seed)
print(learner.reset(seed=seed), many.reset(seed=seed), parallel.reset(seed=seed))
ginkgo_env.GinkgoVectorEnv("my_city", autoreset_mode="SameStep", render_mode="ansi", reward=lambda step: step.before.totals)
mixed = ginkgo_env.make_game("ginkgopolis", mixture=[{"modules": ["events"]}, {"modules": ["experts"]}], players=3)
rows = ginkgo_env.GinkgoVectorEnv(num_envs=4, mixture="held_out_modules").reset()[0]
name = "my_city"
again = ginkgo_env.make_game(game_class(name), players=2)
print(mixed.games[0].name, again.name)
print(text.upper(), game.modules, env.outcome().scores, other, batch, vector.dtype, rows.shape)

# --- wrong
ginkgo_env.make_game("ginkgopoliss")  # mistake
ginkgo_env.make_game("ginkgopolis", player=2)  # mistake
ginkgo_env.make_game("ginkgopolis", players="2")  # mistake
ginkgo_env.make_game("golden_city", setup="draft")  # mistake
ginkgo_env.make_game("ginkgopolis", players=1, level="hard")  # mistake
ginkgo_env.env("ginkgopolis", player=2)  # mistake
print(env.last()[0]["mask"])  # mistake
learner.step("e1E")  # mistake
number: int = ginkgo_env.GinkgoEnv(observation="features").reset()[0]  # mistake
model.step(17)  # mistake
ginkgo_env.env("my_city", modules="all")  # mistake
ginkgo_env.GinkgoEnv("golden_city", buildings="own")  # mistake
ginkgo_env.GinkgoVectorEnv(board="own")  # mistake
ginkgo_env.parallel_env("ginkgopolis")  # mistake
ginkgo_env.raw_env(reward="margn")  # mistake
ginkgo_env.Batch(game, 8, reward="margn")  # mistake
ginkgo_env.parallel_env("my_city", render_mode="rgb")  # mistake
ginkgo_env.GinkgoVectorEnv(autoreset_mode="Same")  # mistake
"""
MISTAKES = {number for number, line in enumerate(SCRIPT.splitlines(), 1) if line.endswith("# mistake")}


def mypy(script: Path) -> set[int]:
    """The lines on which mypy reports errors."""
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", script.name]
    done = subprocess.run(command, cwd=script.parent, capture_output=True, text=True, check=False)
    lines = [re.match(rf"{script.name}:(\d+): error: ", line) for line in done.stdout.splitlines() if ": error: " in line]
    assert all(lines) and not done.stderr, done.stdout + done.stderr
    return {int(line[1]) for line in lines if line}


def pyright(script: Path) -> set[int]:
    """The lines on which pyright reports errors."""
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, script.name]
    done = subprocess.run(command, cwd=script.parent, capture_output=True, text=True, check=False)
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["summary"]["filesAnalyzed"] == 1
    return {1 + each["range"]["start"]["line"] for each in found["generalDiagnostics"] if each["severity"] == "error"}


@pytest.mark.full
@pytest.mark.parametrize("checker", [mypy, pyright])
def test_each_mistake_is_reported_and_nothing_else(checker: Any, tmp_path: Path) -> None:
    pytest.importorskip(checker.__name__)
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    assert len(MISTAKES) == 18
    assert checker(script) == MISTAKES


@pytest.mark.parametrize(
    ("options", "config"),
    [(GinkgopolisOptions, GinkgopolisConfig), (GoldenCityOptions, GoldenCityConfig), (MyCityOptions, MyCityConfig)],
)
def test_options_for_checkers_are_those_of_the_game(options: Any, config: Any) -> None:
    assert get_type_hints(options) == get_type_hints(config)
    assert [*options.__annotations__] == [field.name for field in fields(config)]
    assert not options.__required_keys__


def test_names_for_checkers_are_those_of_the_games() -> None:
    assert get_args(GameName) == tuple(OWN_GAMES)


def test_signatures_have_all_options() -> None:
    """IPython and editors complete from them."""
    own = {"mixture", *GinkgopolisOptions.__annotations__, *GoldenCityOptions.__annotations__, *MyCityOptions.__annotations__}
    assert {*OPTION_NAMES} == own
    made = [ginkgo_env.make_game, ginkgo_env.env, ginkgo_env.raw_env, ginkgo_env.parallel_env, ginkgo_env.text_env]
    for function in (*made, ginkgo_env.GinkgoEnv, ginkgo_env.GinkgoVectorEnv):
        assert own <= {*signature(function).parameters}, function
    assert {*LearnerOptions.__annotations__} <= {*signature(ginkgo_env.GinkgoEnv).parameters}
    assert {*VectorOptions.__annotations__} <= {*signature(ginkgo_env.GinkgoVectorEnv).parameters}


# --- packages ----------------------------------------------------------------------------------------------------------------


def test_top_level_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = [Path(name) for name in project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]]
    assert {package.name for package in packages} == {"ginkgo_env", "ginkgo_agents", "ginkgo_table", "ginkgo_training"}
    assert all((ROOT / package / "__init__.py").exists() for package in packages)
    parents = {package.parent for package in packages if package.parent != Path()}
    assert parents and not any((ROOT / parent / "__init__.py").exists() for parent in parents)


# --- systems that lack what only Unix has ------------------------------------------------------------------------------------


CODE = """
import importlib, os, pkgutil, signal, sys

def import_all():
    failed = {}
    for package in ("ginkgo_env", "ginkgo_agents", "ginkgo_table", "ginkgo_training"):
        folders = importlib.import_module(package).__path__
        for module in pkgutil.walk_packages(folders, package + ".", onerror=lambda name: None):
            if not module.name.endswith("__main__"):
                try:
                    importlib.import_module(module.name)
                except ImportError as error:  # of an optional dependency
                    failed[module.name] = str(error)
    return failed

before = import_all()  # now other packages, which may use anything of this system, are imported
assert len([name for name in sys.modules if name.startswith("ginkgo_")]) > 150
for name in [name for name in sys.modules if name.startswith(("ginkgo_", "textarena"))]:  # with what ours add to it
    del sys.modules[name]
for name in ("fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"):
    sys.modules[name] = None  # an import raises ImportError
windows = {"SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM", "SIG_DFL", "SIG_IGN"}
for name in {name for name in dir(signal) if name.startswith("SIG")} - windows:
    delattr(signal, name)
for module, names in {
    signal: ("alarm", "pause", "pthread_kill", "pthread_sigmask", "setitimer", "sigwait"),
    os: ("fork", "forkpty", "getpgid", "geteuid", "getuid", "killpg", "register_at_fork", "sched_getaffinity", "setsid", "uname"),
}.items():
    for name in names:
        delattr(module, name)
after = import_all()
assert after == before, {name: after[name] for name in after if after[name] != before.get(name)}
"""


@pytest.mark.full
def test_every_module_can_be_imported_without_unix() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
