"""Every script that a page, a notebook or an example names can be run, with the smallest arguments here."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = "training/examples"
TINY = ["--rollouts", "1", "--games", "4"]
SELF_PLAY = ["--steps", "320", "--games", "8", "--rollout", "8", "--every", "1", "--pool", "3", "--evaluate", "4"]
SMALLEST: dict[str, list[str]] = {
    "benchmarks/agents.py": [],  # measures only what its file lacks
    "benchmarks/aggregate.py": ["{tmp}/results"],
    "benchmarks/baselines.py": ["{tmp}/runs", "--only", "nothing"],  # each run takes minutes
    "benchmarks/calibration.py": ["--games", "2", "--simulations", "4"],
    "benchmarks/client.py": [],
    "benchmarks/learners.py": ["maskable_ppo", "--decisions", "4096", "--out", "{tmp}/run"],
    "benchmarks/models.py": [],
    "benchmarks/peers.py": ["--seconds", "0.1"],
    "benchmarks/seeds.py": [
        "{tmp}/runs",
        *["--minutes", "0.01", "--seeds", "1", "--only", "alone-seed1", "--policy-games", "2", "--search-games", "2"],
    ],
    "benchmarks/strength.py": ["{tmp}/strength.json", "--only", "My City, alone | lookahead", "--games", "2"],
    "benchmarks/tokens.py": ["--games", "1"],
    "benchmarks/training.py": ["--rounds", "1"],
    "docs/generate.py": [],
    "docs/generate_benchmark.py": [],
    "tests/cluster/measure.py": ["--quick"],
    "tests/golden/test_golden.py": ["{tmp}"],
    "tests/mutations.py": ["--out", "{tmp}/mutations.jsonl", "--count", "0"],  # each takes minutes
    **{f"tests/oracle/{game}/soak.py": ["--decisions", "200"] for game in ("ginkgopolis", "golden_city", "my_city")},
    f"{EXAMPLES}/cleanrl_ppo.py": ["--steps", "64", "--games", "4", "--rollout", "8", "--evaluate", "4"],
    f"{EXAMPLES}/mixed_games.py": [*TINY, "--evaluate-games", "4"],
    f"{EXAMPLES}/my_city_cnn.py": [
        "--steps",
        "64",
        "--envs",
        "4",
        "--batch",
        "32",
        "--epochs",
        "1",
        "--points",
        "1",
        "--evaluate",
        "4",
        "--channels",
        "4",
    ],
    f"{EXAMPLES}/own_network.py": TINY,
    f"{EXAMPLES}/own_opponents.py": TINY,
    f"{EXAMPLES}/own_reward.py": [],
    f"{EXAMPLES}/sb3_self_play.py": SELF_PLAY,
    f"{EXAMPLES}/tianshou_dqn.py": ["--steps", "200", "--batch", "16", "--evaluate", "4"],
    f"{EXAMPLES}/torchrl_pettingzoo.py": ["--steps", "100", "--rollout", "50", "--batch", "25", "--evaluate", "4"],
    f"{EXAMPLES}/torchrl_self_play.py": SELF_PLAY,
}
BY_OTHER_TESTS = {
    f"{EXAMPLES}/rllib_ppo.py": "tests/examples/test_rllib.py",  # its libraries need an installation of their own
    f"{EXAMPLES}/language_model.py": "tests/examples/test_language_model.py",  # reads what a run has written
}
OPTIONAL = {"city_of_gold", "pyspiel", "ray", "sb3_contrib", "tensordict", "tianshou", "torch", "torchrl"}


def named_scripts() -> set[str]:
    """Scripts after ``python``, and those of benchmarks and examples wherever their names stand."""
    pages = [*ROOT.glob("*.md"), *(path for suffix in ("md", "ipynb", "py") for path in ROOT.glob(f"*/**/*.{suffix}"))]
    pages = [
        path for path in pages if path.relative_to(ROOT).parts[0] in {path.name, "docs", "notebooks", "benchmarks", "training"}
    ]
    scripts = {path for folder in ("benchmarks", "docs", EXAMPLES, "tests") for path in (ROOT / folder).rglob("*.py")}
    scripts = {path for path in scripts if '__name__ == "__main__"' in path.read_text(encoding="utf-8")}
    listed = {path.name: path for path in scripts if path.parent in (ROOT / "benchmarks", ROOT / EXAMPLES)}
    found = set[Path]()
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for name in re.findall(r"python3? ([\w/<>.-]+\.py)\b", text):
            pattern = re.sub("<.*?>", "*", name)
            found |= {*ROOT.glob(pattern), *page.parent.glob(pattern)} & scripts or {ROOT / name}
        if page.suffix != ".py":
            found |= {listed[name] for name in re.findall(r"[\w-]+\.py\b", text) if name in listed}
    return {path.relative_to(ROOT).as_posix() for path in found}


def test_each_is_run() -> None:
    elsewhere = {"bot.py", ".ci/machine_code.py"}  # the reader's own, and one that .ci/full runs
    assert named_scripts() - elsewhere == SMALLEST.keys() | BY_OTHER_TESTS.keys()
    for script, test in BY_OTHER_TESTS.items():
        assert f'example("{Path(script).stem}").main(' in (ROOT / test).read_text(encoding="utf-8")


def sources() -> dict[Path, bytes]:
    """The files that scripts without arguments generate, and others beside them."""
    folders = (ROOT / "docs", ROOT / "benchmarks", ROOT / "agents")
    return {
        path: path.read_bytes() for folder in folders for path in folder.rglob("*.*") if path.suffix in (".md", ".json", ".svg")
    }


@pytest.mark.full
@pytest.mark.parametrize("script", SMALLEST)
def test_it_runs(script: str, tmp_path: Path) -> None:
    """What generates files finds nothing to change."""
    if script.endswith("aggregate.py"):
        ginkgo = [str(Path(sys.executable).with_name("ginkgo")), "benchmark", "random", "--quick", "--task", "my_city/table-4-v1"]
        subprocess.run([*ginkgo, "--out", str(tmp_path / "results")], check=True, capture_output=True)
    before, arguments = sources(), [argument.format(tmp=tmp_path) for argument in SMALLEST[script]]
    done = subprocess.run(
        [sys.executable, str(ROOT / script), *arguments], cwd=tmp_path, capture_output=True, text=True, input="", check=False
    )
    if missing := re.search(r"requires .*\bnpm\b", done.stderr):
        pytest.skip(missing[0])
    if (missing := re.search(r"No module named '(\w+)", done.stderr)) and missing[1] in OPTIONAL:
        pytest.skip(f"{missing[1]} is not installed")
    assert done.returncode == 0, done.stderr[-3000:]
    assert sources() == before
