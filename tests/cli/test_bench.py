"""``ginkgo bench``: which configurations are measured, and that every workload runs."""

from __future__ import annotations

import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from pettingzoo import AECEnv

from ginkgo_env import env, make_game, raw_env
from ginkgo_env.cli import bench
from ginkgo_env.cli.bench import Speed, Workload

Calls = list[tuple[str, dict[str, Any]]]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """The games that would be played, with their configurations; Ginkgopolis is half as fast as the others."""
    played: Calls = []

    def playing(game: str, size: int, config: dict[str, Any] | None = None, **options: Any) -> Workload:
        played.append((game, dict(config or {})))
        return lambda: 1 if game == "ginkgopolis" else 2

    def timed(seconds: float, **works: Workload) -> dict[str, Speed]:
        return {name: Speed(*[work()] * 3) for name, work in works.items()}  # type: ignore[arg-type]

    monkeypatch.setattr(bench, "playing", playing)
    monkeypatch.setattr(bench, "timed", timed)
    return played


def test_a_game_is_held_to_its_targets_in_a_configuration_of_its_own(calls: Calls) -> None:
    lines = {line.name: line[1:] for line in bench._decisions("my_city", 0.01)}
    assert lines["1 player: decisions against ginkgopolis, mask"] == (2, "ratio", ">= 2", True)
    assert lines["1 player: decisions against ginkgopolis, mask and observation"] == (2, "ratio", ">= 1.5", True)
    assert calls[:6] == [*[("my_city", {"players": 1})] * 2, ("ginkgopolis", {})] * 2


def test_by_default_in_its_first_one(calls: Calls) -> None:
    lines = [line.name for line in bench._decisions("golden_city", 0.01) if "against ginkgopolis" in line.name]
    assert [name[:9] for name in lines] == ["3 players"] * 2
    assert calls[:6] == [*[("golden_city", {})] * 2, ("ginkgopolis", {})] * 2
    assert not [line for line in bench._decisions("ginkgopolis", 0.01) if "against ginkgopolis" in line.name]


@pytest.mark.parametrize(("game", "who"), [("my_city", "1 player"), ("golden_city", "3 players"), ("ginkgopolis", "2 players")])
def test_speeds_tell_the_players(calls: Calls, game: str, who: str) -> None:
    names = [line.name for line in bench._decisions(game, 0.01)]
    assert {f"{who}, batch 1,024, mask", f"{who}, batch 1,024, mask and observation"} <= set(names)
    assert {len(options) for name, options in calls[:2]} == {int(game == "my_city")}


@pytest.mark.full
def test_other_packages_add_measurements(monkeypatch: pytest.MonkeyPatch) -> None:
    points = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]["entry-points"][bench.GROUP]
    own = [EntryPoint(name, value, bench.GROUP) for name, value in points.items()]
    monkeypatch.setattr(bench, "entry_points", lambda group: own if group == bench.GROUP else [])
    lines = {line.name: line for line in bench._others("my_city", 0.01)}
    alone, together = lines["lookahead, one game at a time"], lines["lookahead, 64 games together"]
    assert alone.value > 0 < together.value and lines["search, playouts to the critic"].value > 0


def test_targets() -> None:
    assert bench.line("a", [3, 1, 2], "ratio", 2) == ("a", 2, "ratio", ">= 2", True)
    assert bench.line("a", 1999, "ns", least=2000) == ("a", 1999, "ns", ">= 2,000", False)
    assert bench.line("a", 1.5, "s", most=1) == ("a", 1.5, "s", "<= 1", False)
    assert bench.line("a", 1.5, "s") == ("a", 1.5, "s", "", None)


def test_workloads_count_their_units(tmp_path: Path) -> None:
    assert bench.playing("ginkgopolis", 8, {"players": 3}, observed=True)() == 8
    assert bench.writing(make_game("ginkgopolis", players=1, max_rounds=1), tmp_path)() >= 4000
    assert len(list(tmp_path.glob("steps/*.parquet"))) == 4
    for make in (raw_env, env):
        environment: AECEnv = make("ginkgopolis", players=1, max_rounds=3)
        assert 3 <= bench.playing_aec(environment)() < 60


def test_groups_measure_games_beside_the_batch() -> None:
    names = {line.name: line for group in (bench._states, bench._lookahead) for line in group("my_city", 0.01)}
    assert names["afterstates against decisions with mask"].value > 0
    assert names["copying a game"].value < names["features of a game"].value
