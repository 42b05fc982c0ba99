"""The comparison notices a difference of every kind: an oracle that is wrong in one thing is told apart from the kernels."""

import argparse
from collections.abc import Callable
from typing import Any

import pytest

from ginkgo_env.core.game import Chance

from .golden_city import compare
from .golden_city.compare import GoldenCityMatch
from .golden_city.golden_city import Oracle
from .side_by_side import Difference, Json, play_matches
from .soaking import options_of_a_soak, soak


def differently(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A change of what a method of the oracle returns."""
    return lambda method: lambda self, *args: change(method(self, *args))


def richer(position: Json) -> Json:
    player, *others = position["players"]
    return position | {"players": [player | {"coins": player["coins"] + 1}, *others]}


WRONG: dict[str, tuple[str, Callable[[Any], Any], str]] = {
    "scores": ("scores", lambda scores: [scores[0] | {"inner": scores[0]["inner"] + 1}, *scores[1:]], r"scores\[0\].inner"),
    "totals": ("scores", lambda scores: [scores[0] | {"total": scores[0]["total"] + 1}, *scores[1:]], r"scores\[0\].total"),
    "standings": ("standings", lambda standings: [standing + 1 for standing in standings], "standings"),
    "winners": ("winners", lambda winners: [*winners, 9], "winners"),
    "position": ("position", richer, r"position.players\[0\].coins"),
    "actor": ("decision", lambda decision: (decision[0], 1 - decision[1]), "decision"),
    "kind": ("decision", lambda decision: ("discard", decision[1]), "decision"),
    "an action less": ("legal", lambda legal: legal[1:], "legal actions differ"),
    "order of actions": ("legal", lambda legal: legal[::-1], "their order"),
    "view": ("view", lambda view: view | {name: [] for name in list(view)[:1]}, "seen by 0"),
    "order of blocks": ("view", lambda view: dict(reversed(view.items())), "blocks"),
}


@pytest.mark.parametrize("what", WRONG)
def test_an_oracle_that_is_wrong_is_noticed(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    method, change, message = WRONG[what]
    monkeypatch.setattr(Oracle, method, differently(change)(getattr(Oracle, method)))
    with pytest.raises(Difference, match=message):
        play_matches(compare.play_match, {"players": 2}, 1, seed=4)


@pytest.mark.parametrize(
    ("name", "outcome", "message"),
    [
        ("deck", ["a", "b"], "the kernels had deck"),
        ("bag", ["a", "a"], "kernels shuffled"),
        ("bag", "c", "kernels picked"),
        (None, None, "the kernels had no such outcome"),
    ],
)
def test_chance_that_is_not_the_same_is_noticed(name: str | None, outcome: Any, message: str) -> None:
    match = GoldenCityMatch({"players": 2}, 0)
    if name is not None:
        match.ours.chances.append(Chance(name, outcome))
    with pytest.raises(Difference, match=message):
        match._chance("bag", ["a", "b"])


def test_chance_that_is_not_asked_for_is_noticed() -> None:
    match = GoldenCityMatch({"players": 2}, 0)
    match.ours.chances.append(Chance("bag", ["a"]))
    with pytest.raises(Difference, match="did not ask"):
        match.compare()


def played_with(config: Json, seed: int) -> int:
    """Games of 40 decisions; in that of the third seed there is a difference."""
    if config["players"] == 3 and seed == 12:
        raise Difference("here they differ")
    return 40


@pytest.mark.full
def test_a_soak_ends_at_the_first_difference(capsys: pytest.CaptureFixture[str]) -> None:
    configs = [{"players": 2}, {"players": 3}]
    options = ["--jobs", "1", "--seed", "10", "--decisions"]
    assert soak(played_with, configs, parsed(*options, "200")) == 0
    assert "200 decisions in 5 games over 2 configurations, no difference" in capsys.readouterr().out
    assert soak(played_with, configs, parsed(*options, "201")) == 1
    assert "after 200 decisions: here they differ" in capsys.readouterr().out


def parsed(*words: str) -> argparse.Namespace:
    return options_of_a_soak(None).parse_args(words)
