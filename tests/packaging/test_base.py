"""The base without its extras: what it brings, that it plays, and what it says about what is missing."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from ginkgo_agents import pretrained
from ginkgo_env.core.errors import ConfigError, MissingPackageError
from ginkgo_env.core.imports import extra, imported
from ginkgo_env.registry import OWN_GAMES

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PLAY = Path(__file__).with_name("one_game_of_each.py")
MOST_PACKAGES, MOST_MEGABYTES = 15, 340
HIDE = "import json, os, sys\nsys.modules |= dict.fromkeys(json.loads(sys.argv.pop(1)))\n"
ONLY_POSIX = ("fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty")
ON_WINDOWS = """
import json, os, signal, sys
os.name  # a module that is imported
for module, names in ((os, ("fork", "getuid", "killpg", "sched_getaffinity")), (signal, ("SIGHUP", "SIGKILL", "alarm"))):
    for name in names:
        delattr(module, name)
sys.modules |= dict.fromkeys(json.loads(sys.argv.pop(1)))
import ginkgo_agents, ginkgo_table
assert ginkgo_agents.play_match(ginkgo_agents.MatchConfig("my_city", ("random",) * 2, {"players": 2}), deals=1, seed=0)
"""
LIBRARY = {
    "data": "from ginkgo_env.datasets.metadata import arrow; arrow()",
    "eval": "from ginkgo_agents.evaluation.strength import evaluate\n"
    "evaluate('random', ginkgo_env.make_game('my_city'), ['random'], games=4, seed=0)",
    "minari": "from ginkgo_env.envs.minari import modules; modules()",
    "openenv": "import ginkgo_env.envs.openenv",
    "openspiel": "import ginkgo_env.envs.openspiel",
    "pictures": "from ginkgo_env.pictures.export import require_resvg; require_resvg()",
    "ray": "from ginkgo_agents.evaluation.cluster import Cluster; Cluster(workers=1)",
    "textarena": "import ginkgo_env.envs.textarena",
    "train": "import ginkgo_env.envs.sb3",
}
"""By extra, what needs it in Python."""
COMMANDS = {
    "data": "generate games --agents random --games 1",
    "eval": "leaderboard --agents random --games 2",
    "table": "table --no-open",
    "train": "train lookahead --rollouts 1 --out run",
}
"""By extra, a command that needs it besides ``cli``."""


def required(*extras: str) -> set[str]:
    """The distributions that the package and some extras bring."""
    texts = [*PROJECT["dependencies"], *(text for name in extras for text in PROJECT["optional-dependencies"][name])]
    found, waiting = set[str](), [*map(Requirement, texts)]
    while waiting:
        name = canonicalize_name(waiting.pop().name)
        if name not in found:
            found.add(name)
            needed = map(Requirement, distribution(name).requires or ())
            waiting += [one for one in needed if one.marker is None or one.marker.evaluate({"extra": ""})]
    return found


def others(kept: set[str]) -> list[str]:
    """The modules that are installed here, and not by the distributions that are kept."""
    return [
        module
        for module, owners in packages_distributions().items()
        if kept.isdisjoint(map(canonicalize_name, owners)) and not module.startswith(("ginkgo", "_"))
    ]


def run(script: str, hidden: Iterable[str], *arguments: str, folder: Path) -> str:
    """The output of a script that cannot import some modules."""
    command = [sys.executable, "-c", script, json.dumps([*hidden]), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def check_sentences(extras: Iterable[str], output: str, before: str = "") -> None:
    """Each line of an output is one sentence with the command that installs an extra."""
    for name, line in zip(extras, filter(None, output.splitlines()), strict=True):
        assert re.fullmatch(rf"{before}\w+ is not installed: pip install 'ginkgo-env\[{name}\]'", line)


def test_the_base_is_small() -> None:
    assert len(required()) < MOST_PACKAGES  # and the package itself


def test_the_base_plays_every_environment(tmp_path: Path) -> None:
    output = run(HIDE + PLAY.read_text(), others(required()), folder=tmp_path)
    assert [line.split()[0] for line in output.splitlines()] == [*OWN_GAMES]


def test_it_plays_without_modules_of_posix(tmp_path: Path) -> None:
    output = run(ON_WINDOWS + PLAY.read_text(), ONLY_POSIX, folder=tmp_path)
    assert [line.split()[0] for line in output.splitlines()] == [*OWN_GAMES]


def test_without_an_extra_python_says_how_to_install_it(tmp_path: Path) -> None:
    script = (
        f"{HIDE}import ginkgo_env\nfor code in sys.argv[1:]:\n    try: exec(code)\n    except ImportError as error: print(error)"
    )
    codes = [*LIBRARY.values(), "import ginkgo_training.torch_agent", "import ginkgo_training.trainer"]
    check_sentences([*LIBRARY, "train", "train"], run(script, others(required()), *codes, folder=tmp_path))


def test_without_an_extra_a_command_says_how_to_install_it(tmp_path: Path) -> None:
    script = f"{HIDE}from ginkgo_env.cli import main\nsys.stderr = sys.stdout\nfor line in sys.argv[1:]:\n"
    script += "    sys.argv[1:] = line.split()\n    try: main()\n    except SystemExit as end: assert end.code"
    check_sentences(["cli"], run(f"{script}; print(end.code)", others(required()), "games", folder=tmp_path), "ginkgo: ")
    check_sentences(COMMANDS, run(script, others(required("cli")), *COMMANDS.values(), folder=tmp_path), "ginkgo: ")
    assert not [*tmp_path.iterdir()]


def test_without_the_networks_one_sentence_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretrained.manifest()
    monkeypatch.setattr(pretrained, "files", lambda package: tmp_path)
    with pytest.raises(MissingPackageError, match=r"^ginkgo-env-models is not installed: pip install ginkgo-env-models$"):
        pretrained.pretrained.__wrapped__("my_city_2p.npz")


def test_errors_of_installed_packages_stay_what_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ZeroDivisionError), extra("eval"):
        1 / 0  # noqa: B018
    (tmp_path / "needs_torch.py").write_text(
        "from ginkgo_env.core.imports import extra\nwith extra('train'):\n    import torch.no_such"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingPackageError, match="torch is not installed"):
        imported("needs_torch:agent", "agent")
    with pytest.raises(ConfigError, match="agent 'no_such:agent' cannot be imported"):
        imported("no_such:agent", "agent")


@pytest.mark.full
def test_the_base_alone_in_an_environment(tmp_path: Path) -> None:
    """As a user would install it: needs the index of packages."""
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "base")], check=True)
    python = next((tmp_path / "base").glob("[bS]*/python*"))
    subprocess.run([python, "-m", "pip", "install", "-q", str(ROOT)], check=True)
    listed = subprocess.run([python, "-m", "pip", "list", "--format=json"], check=True, capture_output=True).stdout
    assert len([one for one in json.loads(listed) if one["name"] not in ("pip", "setuptools")]) <= MOST_PACKAGES
    sizes = [path.stat().st_size for path in (tmp_path / "base").rglob("*") if path.is_file() and not path.is_symlink()]
    assert sum(sizes) < MOST_MEGABYTES * 2**20
    command = [python, "-c", "import ginkgo_agents; ginkgo_agents.make_agent('lookahead')"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stderr.endswith("MissingPackageError: ginkgo-env-models is not installed: pip install ginkgo-env-models\n")
    output = subprocess.run([python, str(PLAY)], check=True, capture_output=True, text=True, cwd=tmp_path, env=os.environ).stdout
    assert [line.split()[0] for line in output.splitlines()] == [*OWN_GAMES]
