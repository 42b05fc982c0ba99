"""A game of another package: held to the contract, and played through everything that stands on games."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test
from typer.testing import CliRunner

import ginkgo_env
from ginkgo_env.cli.app import app
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.compile import jit
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.rewards import RewardName
from ginkgo_env.registry import game_class
from ginkgo_env.testing import CHECKS, Check, run_contract
from ginkgo_env.testing.hidden import check_resampling_is_blind

ROOT = Path(__file__).resolve().parents[2]
PASS, BET = 0, 1
DECKS = ("kuhn", "pairs")
CONFIGS: list[dict[str, Any]] = [
    *({"deck": deck, "cards": cards} for deck, cards in product(DECKS, ("closed", "open", "sorted"))),
    *({"players": 1, "deck": deck} for deck in DECKS),
]

pytestmark = pytest.mark.usefixtures("trial_game")


def played(actions: list[int], seed: int = 0, reward: RewardName | None = None, **config: Any) -> Batch:
    batch = Batch(ginkgo_env.make_game("three_cards", **config), 1, reward=reward)
    batch.reset(seed=[seed])
    for action in actions:
        batch.step([action])
    return batch


# --- the contract ----------------------------------------------------------------------------------------------------------


def test_configurations() -> None:
    assert game_class("three_cards").configurations() == CONFIGS


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_promises(check: Check) -> None:
    for config in CONFIGS:
        run_contract(ginkgo_env.make_game("three_cards", **config), [check])


@pytest.mark.skipif(jit.JIT_DISABLED, reason="nothing is compiled")
def test_another_deck_compiles_nothing() -> None:
    kernels = ginkgo_env.make_game("three_cards").kernels
    compiled = []
    for deck in DECKS:
        batch = Batch(ginkgo_env.make_game("three_cards", deck=deck), 2)
        batch.step(batch.sample())
        batch.observe()
        batch.scores()
        batch.resample(seed=0)
        compiled.append([len(loop.signatures) for loop in kernels.rules])  # type: ignore[attr-defined]
    assert compiled == [[1] * 5] * 2


def test_a_game_that_pretends_is_found_out() -> None:
    """Chance and hidden information are demanded exactly where a game says that it has them."""
    by_name = {check.__name__: check for check in CHECKS}
    for cards, flag, check in (
        ("sorted", "has_chance", "check_reproducible"),
        ("open", "has_hidden_information", "check_resampling"),
    ):
        game = ginkgo_env.make_game("three_cards", cards=cards)
        setattr(game, flag, True)
        with pytest.raises(AssertionError, match=check):
            run_contract(game, [by_name[check]])
    for flag, check in (("has_chance", "check_reproducible"), ("has_hidden_information", "check_resampling")):
        game = ginkgo_env.make_game("three_cards")
        setattr(game, flag, False)
        with pytest.raises(AssertionError, match=check):
            run_contract(game, [by_name[check]])


def test_resampling_that_peeks_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is dealt depends on what was there: by chance alone it could not be told from honest dealing."""
    honest = Batch.resample

    def peeking(batch: Batch, seat: int, *, seed: int) -> None:
        honest(batch, seat, seed=seed + sum(batch.states.tobytes()))

    game = ginkgo_env.make_game("three_cards", cards="closed")
    check_resampling_is_blind(game)
    monkeypatch.setattr(Batch, "resample", peeking)
    with pytest.raises(AssertionError, match=r"hidden information affects .*hand"):
        check_resampling_is_blind(game)


def test_a_game_that_pretends_to_be_simultaneous_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    checks = [check for check in CHECKS if check.__name__ == "check_simultaneous"]
    game = ginkgo_env.make_game("three_cards", cards="closed")
    run_contract(game, checks)
    monkeypatch.setattr(type(game), "simultaneous", True)
    with pytest.raises(AssertionError, match=r"check_simultaneous.*has no rounds"):
        run_contract(game, checks)
    monkeypatch.setattr(type(game), "round_of", lambda self, state: 1)
    with pytest.raises(AssertionError, match=r"check_simultaneous.*the choice of seat"):
        run_contract(game, checks)


def unchecked_options(game: Any) -> None:
    game.__init__ = lambda self, **options: None


def any_number_of_players(game: Any) -> None:
    made = game.__init__

    def init(self: Any, players: int = 2, **options: Any) -> None:
        made(self, players=players if players in (1, 2) else 2, **options)

    game.__init__ = init


def other_errors(game: Any) -> None:
    game.parse_action = lambda self, state, text: ("pass", "bet").index(text)


def any_seat(game: Any) -> None:
    read = game.describe
    game.describe = lambda self, state, seat=None, names=None: read(self, state, None, names)


def further_keys(game: Any) -> None:
    read = game.from_position
    game.from_position = lambda self, data: read(
        self, {key: data[key] for key in ("game", "config", "rng", "seed", "cards", "acts")} if isinstance(data, dict) else data
    )


def other_kinds(game: Any) -> None:
    read = game.from_position
    game.from_position = lambda self, data: read(
        self, data | {"rng": int(data["rng"])} if isinstance(data, dict) and "rng" in data else data
    )


REFUSALS = {
    unchecked_options: r"check_options_refused.*an unknown option is accepted",
    any_number_of_players: r"check_options_refused.*players=object is accepted",
    other_errors: r"check_notation_refused.*raises ValueError instead of NotationError",
    any_seat: r"check_numbers_refused.*seat=-1 is accepted",
    further_keys: r"check_positions_refused.*raises KeyError instead of PositionError",
    other_kinds: r"check_positions_refused.*None as rng raises TypeError instead of PositionError",
}


@pytest.mark.parametrize("broken", REFUSALS, ids=lambda broken: broken.__name__)
def test_a_game_that_accepts_bad_input_is_found_out(broken: Any) -> None:
    made = ginkgo_env.make_game("three_cards")
    game = type("Careless", (type(made),), {})
    broken(game)
    game_object = made.__new__(game)
    vars(game_object).update(vars(made))
    with pytest.raises(AssertionError, match=REFUSALS[broken]):
        run_contract(game_object, [check for check in CHECKS if check.__name__.endswith("_refused")])


# --- its rules -------------------------------------------------------------------------------------------------------------

# Kuhn (1950): chips of the first player by what is done, won with the higher card and lost with the lower one.
PAYOFFS = {
    (PASS, PASS): (1, -1),
    (PASS, BET, PASS): (-1, -1),
    (PASS, BET, BET): (2, -2),
    (BET, PASS): (1, 1),
    (BET, BET): (2, -2),
}


@pytest.mark.parametrize("acts", PAYOFFS)
def test_payoffs_are_those_of_the_paper(acts: tuple[int, ...]) -> None:
    deals = set()
    for seed in range(24):
        batch = played(list(acts), seed)
        first, second = batch.states[0].hand.tolist()
        deals.add((first, second))
        won = PAYOFFS[acts][first < second]
        assert batch.over.all() and batch.totals[0].tolist() == [won, -won]
    assert len(deals) == 6


def test_ties_split_the_chips_and_rank_who_bet_first_higher() -> None:
    seeds = [seed for seed in range(60) if len(set(played([], seed, deck="pairs").states[0].hand.tolist())) == 1]
    assert seeds
    for acts, winners, paid in (([BET, BET], (0,), [1, -1]), ([PASS, BET, BET], (1,), [-1, 1]), ([PASS, PASS], (0, 1), [0, 0])):
        batch = played(acts, seeds[0], deck="pairs")
        outcome = batch.outcome(0)
        assert outcome.scores == (0, 0) and outcome.winners == winners and outcome.ending == "showdown"
        assert batch.rewards[0].tolist() == paid
        assert batch.standings[0].tolist() == list(outcome.standings)
        assert played(acts, seeds[0], "margin", deck="pairs").rewards[0].tolist() == [0, 0]
        env = ginkgo_env.raw_env("three_cards", deck="pairs")
        env.reset(seed=seeds[0])
        for action in acts:
            env.step(action)
        assert list(env.rewards.values()) == paid


def test_a_side_alone_has_its_score_only() -> None:
    batch = played([BET], players=1)
    assert batch.reward == "score" and batch.rewards[0, 0] in (1, 3)  # from the ante of -1 to 2 or -2 by way of the bet
    assert ginkgo_env.raw_env("three_cards", players=1).reward == "score"
    for make in (lambda **o: played([], players=1, **o), lambda **o: ginkgo_env.env("three_cards", players=1, **o)):
        for reward in ("win", "margin"):
            with pytest.raises(ConfigError, match=f"'{reward}' compares sides"):
                make(reward=reward)


def test_states_of_another_configuration() -> None:
    batch = played([PASS])
    with pytest.raises(ginkgo_env.BatchError, match="states of this configuration"):
        batch.set_states([0], played([], deck="pairs").states)
    with pytest.raises(ginkgo_env.BatchError, match="same game and configuration"):
        batch.copy_rows(played([], deck="pairs"), [0], [0])


# --- front ends ------------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")
def test_environment() -> None:
    for config in CONFIGS:
        api_test(ginkgo_env.env("three_cards", **config), num_cycles=20)


def record(tmp_path: Path, **config: Any) -> tuple[Path, list[str]]:
    game = ginkgo_env.make_game("three_cards", **config)
    made = ginkgo_env.Record.from_actions(game, 5, [PASS, BET, BET], ["ann", "bob"])
    made.write(tmp_path / "game.jsonl")
    assert ginkgo_env.Record.read(tmp_path / "game.jsonl") == made
    cards = next(line["outcome"] for line in made.lines if line.get("random") == "deal")
    return tmp_path / "game.jsonl", cards


def run(*arguments: str | Path) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.output


def test_replay_goes_step_by_step(tmp_path: Path) -> None:
    path, _ = record(tmp_path)
    whole = run("replay", path)
    assert whole.startswith("Three Cards: players 2, deck kuhn, cards closed, seed 5\n")
    assert whole.count("so far:") == 5  # after the deal, after each of three decisions, at the end
    assert [f"#{k} {who}" in whole for k, who in ((1, "ann: pass"), (2, "bob: bet"), (3, "ann: bet"))] == [True] * 3
    assert "ann 2, bob -2" in whole or "ann -2, bob 2" in whole
    some = run("replay", path, "--from", "2", "--to", "2")
    assert "#2 bob: bet" in some and "#1" not in some and "#3" not in some and some.count("so far:") == 1
    assert run("replay", path, "--step") == whole


def test_replay_as_a_seat_hides_the_other_card(tmp_path: Path) -> None:
    path, cards = record(tmp_path)
    before_the_end = run("replay", path, "--seat", "0", "--to", "2")
    assert "bob: face down" in before_the_end and f"ann: {cards[0]}" in before_the_end and "bob gets" not in before_the_end
    seen = ginkgo_env.Record.read(path).seen_by(0)
    assert {"hand": 0, "card": cards[0]} in seen and "seed" not in seen[0]


def test_lists() -> None:
    text = run("games")
    for word in ("three_cards-v0", "deck=pairs", "Deck of three_cards", "two of each"):
        assert word in text


def test_docs_page() -> None:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None and spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    page = generate.game_page("three_cards")
    assert "# Three Cards" in page and "## Option `deck`" in page and "`betting`" in page
    assert "city" not in page and "module" not in page


def test_found_by_a_fresh_process(tmp_path: Path) -> None:
    code = (
        "import ginkgo_env, json, sys\n"
        "print(json.dumps([list(ginkgo_env.GAMES), 'three_cards' in sys.modules]))\n"
        "print(ginkgo_env.make_game('three_cards', deck='pairs').title)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names, imported = json.loads(done.stdout.splitlines()[0])
    assert {"ginkgopolis", "three_cards"} <= set(names) and not imported
    assert done.stdout.splitlines()[1] == "Three Cards"


def test_resampling_is_fair() -> None:
    """The other card is each of those left as often."""
    game = ginkgo_env.make_game("three_cards", deck="pairs")
    batch = Batch(game, 6000)
    batch.set_states(np.arange(batch.size), played([], deck="pairs").states)
    own = int(batch.states[0].hand[0])
    batch.resample(0, seed=3)
    counts = np.bincount(batch.states["hand"][:, 1], minlength=3) / batch.size
    expected = np.full(3, 2 / 5)
    expected[own] = 1 / 5
    assert np.abs(counts - expected).max() < 0.03
