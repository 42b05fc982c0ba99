"""What commands say when there is no cluster to work on. None of these tests starts one."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ginkgo_agents.evaluation.cluster import Cluster
from ginkgo_env.cli.app import app
from ginkgo_env.core.errors import ConfigError


def refused(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2, result.output
    assert len(result.output.strip().splitlines()) == 1
    return result.output


COMMANDS = pytest.mark.parametrize(
    "command",
    [
        ["leaderboard", "--games", "2"],
        ["evaluate", "random", "--games", "2"],
        ["generate", "games", "--agents", "random", "--games", "2"],
        ["train", "lookahead", "--rollouts", "1"],
    ],
    ids=lambda command: command[0],
)


@COMMANDS
def test_ray_is_not_installed(command: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if command[0] == "train":
        pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "ray", None)
    assert "ray is not installed: pip install 'ginkgo-env[ray]'" in refused(*command, "--ray")
    assert not list(tmp_path.iterdir())


@COMMANDS
def test_nobody_listens(command: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    if command[0] == "train":
        pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        assert f"cannot reach a Ray cluster at 127.0.0.1:{port}" in refused(*command, "--ray-address", f"127.0.0.1:{port}")


def test_options_that_do_not_go_together() -> None:
    assert "--threads and --ray exclude each other" in refused("leaderboard", "--games", "2", "--ray", "--threads", "2")
    with pytest.raises(ConfigError, match="ray_address and ray_workers exclude each other"):
        Cluster("auto", 2)
    with pytest.raises(ConfigError, match="invalid workers 0"):
        Cluster(workers=0)
