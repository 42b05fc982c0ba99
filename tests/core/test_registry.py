"""Games of other packages: found, refused, broken."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import ginkgo_env
from ginkgo_env.cli.app import app
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.registry import OWN_GAMES, game_class, game_names, playable_games, refused_games

POINTS = (
    "ginkgopolis = intruder.game:Intruder",
    "absent = no_such_package_at_all.game:Absent",
    "failing = failing_game:Failing",
    "number = failing_numbers:NUMBER",
    "renamed = ginkgo_env.games.ginkgopolis.game:Ginkgopolis",
)
BROKEN = {
    "absent": "ModuleNotFoundError: No module named 'no_such_package_at_all'",
    "failing": "RuntimeError: first line second line",
    "number": "not a subclass of ginkgo_env.Game",
    "renamed": "its class has the name 'ginkgopolis'",
}


@pytest.fixture
def others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Packages with all kinds of defects."""
    for name, points in (("bad", POINTS), ("one", ["twin = one:Twin"]), ("two", ["twin = two:Twin"])):
        folder = tmp_path / f"{name}-0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n")
        (folder / "entry_points.txt").write_text("\n".join(["[ginkgo_env.games]", *points, ""]))
    (tmp_path / "failing_game.py").write_text("raise RuntimeError('first line\\nsecond line' + 500 * '!')\n")
    (tmp_path / "failing_numbers.py").write_text("NUMBER = 5\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def refused(name: Any) -> str:
    with pytest.raises(ConfigError) as caught:
        ginkgo_env.make_game(name)
    sentence = str(caught.value)
    assert "\n" not in sentence and len(sentence) <= 200
    return sentence


def test_own_games_are_there() -> None:
    assert set(OWN_GAMES) <= set(game_names()) == set(ginkgo_env.GAMES)
    assert ginkgo_env.GAMES["ginkgopolis"] == OWN_GAMES["ginkgopolis"]
    assert len(ginkgo_env.GAMES) == len(list(ginkgo_env.GAMES)) and "ginkgopolis" in repr(ginkgo_env.GAMES)


def test_unknown_names() -> None:
    assert "unknown game 'chess'; expected one of: ginkgopolis" in refused("chess")
    for name in ("", 7, None, [], "x" * 1000):
        assert "unknown game" in refused(name)
    with pytest.raises(KeyError):
        ginkgo_env.GAMES["chess"]


@pytest.mark.usefixtures("others")
def test_a_taken_name_stays_ours() -> None:
    assert game_class("ginkgopolis").__module__ == "ginkgo_env.games.ginkgopolis.game"
    assert game_names().count("ginkgopolis") == 1
    (sentence,) = [s for s in refused_games() if "intruder" in s]
    assert sentence == "the game 'ginkgopolis' of intruder is refused: this package has a game of that name"


@pytest.mark.usefixtures("others")
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_game_is_one_clear_error(name: str) -> None:
    assert name in game_names() and name not in playable_games()
    assert f"the game '{name}' of" in refused(name) and BROKEN[name] in refused(name)
    assert any(BROKEN[name] in sentence for sentence in refused_games())


@pytest.mark.usefixtures("others")
def test_two_packages_with_one_name() -> None:
    assert refused("twin") == "the game 'twin' is offered by several packages: one, two"


@pytest.mark.usefixtures("others")
def test_the_list_names_what_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    result = CliRunner().invoke(app, ["games"])
    assert result.exit_code == 0 and "ginkgopolis-v0" in result.output and "Traceback" not in result.output
    for sentence in (*BROKEN.values(), "intruder is refused", "offered by several packages"):
        assert sentence in " ".join(result.output.split())


@pytest.mark.full
def test_broken_games_stop_nobody_else(others: Path) -> None:
    code = f"import sys; sys.path.insert(0, {str(others)!r}); import ginkgo_env.envs; print(ginkgo_env.env().unwrapped.game.name)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "ginkgopolis\n"
