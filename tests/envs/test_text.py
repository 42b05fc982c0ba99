"""The environment of language models: texts, counts, policies, games of a scripted model, and the length of descriptions."""

from __future__ import annotations

import copy
import pickle
import random
import re
import warnings
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ginkgo_env
from ginkgo_env import Batch, ConfigError, FinishedGameError, IllegalActionError, NotationError
from ginkgo_env.core.game import summary_for
from ginkgo_env.envs.text import count_tokens, text_env
from ginkgo_env.games.ginkgopolis.components import CHARACTER_NAMES, CHARACTER_START
from ginkgo_env.registry import OWN_GAMES, game_class

from ..tiers import by_tier

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 600
BAD = [
    "I am not sure yet.",
    "I play Q99+Z3.",
    "Let me think about {0} and {1} first.",
    "<answer>nothing</answer>",
    "",
    '{{"action": 99999}}',
]


class ScriptedModel:
    """Writes what language models write: chatty, in many forms, and wrong now and then.

    wrong : how often an answer names no legal action
    """

    FORMS = (
        "{0}",
        "Action: {0}",
        "I play {0}.",
        "**{0}**",
        "After some thought, this seems best.\n\n```\n{0}\n```",
        '```json\n{{"thoughts": "there are {1} ways", "action": "{0}"}}\n```',
        "<think>What about {1}? No.</think>\n<answer>{0}</answer>",
        "My final answer is \\boxed{{{0}}}.",
        "The neighbors are strong, so I choose `{0}`, because it pays at once.",
    )

    def __init__(self, seed: int, wrong: float) -> None:
        self.rng, self.wrong, self.answers, self.errors = random.Random(seed), wrong, 0, 0

    def __call__(self, observation: str, legal: list[str]) -> str:
        """Choose from the list in the observation, where there is one."""
        if "Legal actions: " in observation:
            assert observation.rpartition("Legal actions: ")[2].split(", ") == legal
        self.answers += 1
        chosen, other = self.rng.choice(legal), self.rng.choice(legal)
        if self.rng.random() < self.wrong:
            self.errors += 1
            return self.rng.choice([form for form in BAD if other != chosen or "{1}" not in form]).format(chosen, other)
        return self.rng.choice(self.FORMS).format(chosen, other)


def play(env: text_env, model: ScriptedModel, seed: int) -> tuple[float, dict[str, Any]]:
    observation, info = env.reset(seed=seed)
    paid, over = 0.0, False
    while not over:
        assert env.observation_space.contains(observation)
        observation, reward, terminated, truncated, info = env.step(model(observation, info["legal_actions"]))
        paid, over = paid + reward, terminated or truncated
    return paid, info


@pytest.mark.full
@pytest.mark.parametrize("game", [*OWN_GAMES])
@pytest.mark.parametrize("seat", [0, "all"])
def test_a_scripted_model_plays_whole_games(game: str, seat: Any) -> None:
    for seed, legal_actions in ((1, True), (2, False)):
        model = ScriptedModel(seed, wrong=0.2)
        env = text_env(game, seat=seat, illegal_action="random", retries=1, rules=True, legal_actions=legal_actions)
        paid, info = play(env, model, seed)
        assert "scores" in info and sum(info["answers"]) == model.answers
        assert sum(info["illegal_answers"]) == model.errors
        assert sum(info["random_actions"]) <= model.errors
        outcome = env.outcome()
        assert info["scores"].tolist() == [*outcome.scores] and info["winners"] == outcome.winners
        if seat == 0:
            assert paid == (1 if 0 in outcome.winners and len(outcome.winners) == 1 else paid)
            assert info["is_success"] == (0 in outcome.winners)
        else:
            assert len(info["rewards"]) == env.game.seats and all(info["answers"])


def test_a_model_without_errors_plays_as_in_the_environment_of_ids() -> None:
    """The same seeds and actions give the same game, rewards and end."""
    texts, ids = text_env(players=3, seat="rotating"), ginkgo_env.GinkgoEnv(players=3, seat="rotating")
    for seed in (4, None):
        _, info = texts.reset(seed=seed)
        _, other = ids.reset(seed=seed)
        over = False
        while not over:
            np.testing.assert_array_equal(info["action_mask"], other["action_mask"])
            assert info["seat"] == other["seat"]
            action = int(np.flatnonzero(info["action_mask"])[-1])
            _, reward, *ended, info = texts.step(info["legal_actions"][-1])
            _, same, *so_ended, other = ids.step(action)
            assert (reward, ended) == (same, so_ended)
            over = any(ended)
        assert info["scores"].tolist() == other["scores"].tolist()


def test_check_env() -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*Not able to test alternative render modes.*")
        check_env(text_env("my_city"), skip_render_check=True)


def test_a_refused_answer_leaves_the_game_as_it_is() -> None:
    env = text_env("golden_city", retries=2)
    _, info = env.reset(seed=1)
    table, legal = env.describe(), info["legal_actions"]
    for left in (1, 0):
        observation, reward, terminated, truncated, info = env.step("build:Q9")
        assert (reward, terminated, truncated, info["action"], info["retries_left"]) == (0.0, False, False, None, left)
        assert observation.startswith(f"Your answer was not accepted: {info['error']}.\n\n{table}")
        assert info["legal_actions"] == legal and "Q9" in info["error"]
    assert info["answers"] == info["illegal_answers"] == [2, 0, 0]
    observation, _, _, _, info = env.step(legal[0])
    assert info["error"] == "" and info["action"] == legal[0] and info["retries_left"] == 2
    assert info["answers"] == [3, 0, 0] and info["illegal_answers"] == [2, 0, 0]
    _, info = env.reset()
    assert info["answers"] == [0, 0, 0]


@pytest.mark.parametrize("seat", [0, "all"])
def test_the_penalty_ends_the_game(seat: Any) -> None:
    env = text_env("my_city", seat=seat, retries=1)
    env.reset(seed=1)
    env.step("?")
    observation, reward, terminated, truncated, info = env.step("?")
    assert (reward, terminated, truncated, info["illegal_action"]) == (-1.0, True, False, True)
    assert info["illegal_answers"] == [2, 0] and "scores" not in info and "Legal actions" not in observation
    assert info.get("rewards") == ([-1.0, 0.0] if seat == "all" else None)
    with pytest.raises(FinishedGameError):
        env.step("pass")
    with pytest.raises(NotationError):
        env.parse("pass")


def test_random_actions_follow_from_the_seed() -> None:
    def end(seed: int) -> list[int]:
        env = text_env("my_city", retries=0, illegal_action="random")
        env.reset(seed=seed)
        over = False
        while not over:
            _, _, terminated, truncated, info = env.step("no idea")
            assert info["action"] and info["error"]
            over = terminated or truncated
        assert info["random_actions"] == info["illegal_answers"] == info["answers"]
        return [*info["scores"].tolist(), *info["answers"]]

    assert end(5) == end(5) and len({tuple(end(seed)) for seed in range(5)}) > 1


def test_observations_are_those_of_the_seat_that_decides() -> None:
    env = text_env(players=3, seat="all")
    observation, info = env.reset(seed=3)
    seats = set()
    for _ in range(40):
        seat = info["seat"]
        assert f"You are player_{seat}." in observation
        assert env.game.describe(env._snapshot()[1], seat) in observation
        seats.add(seat)
        observation, *_, info = env.step(info["legal_actions"][0])
    assert seats == {0, 1, 2}


def test_rules_come_once_to_each_seat_and_on_request() -> None:
    env = text_env("my_city", seat="all", rules=True)
    observation, info = env.reset(seed=1)
    for expected in (True, True, False, False):
        assert observation.startswith(env.rules().strip()) == expected
        observation, _, _, _, info = env.step(info["legal_actions"][0])
    plain, _ = text_env("my_city").reset(seed=1)
    assert "# My City in short" not in plain


@pytest.mark.full
@pytest.mark.parametrize("seat", [0, "all"])
def test_texts_of_a_mixture_are_of_the_configuration_played(seat: Any) -> None:
    sets = [{"modules": ["events"]}, {"modules": ["keep_card"]}]
    env = text_env("ginkgopolis", players=2, mixture=sets, seat=seat, rules=True)
    seen = set()
    for seed in range(4):
        _, info = play(env, ScriptedModel(seed, wrong=0), seed)
        assert len(info["scores"]) == 2 and not any(info["illegal_answers"])
        sections = re.findall(r"^## (.*)$", env.rules(), re.MULTILINE)
        assert sections == [
            {"events": "Events", "keep_card": "Keep a card"}[env.game.game_of(env._snapshot()[1]).config.modules[0]]
        ]
        seen.add(*sections)
    assert len(seen) == 2


@pytest.mark.parametrize(
    ("game", "config", "sections"),
    [
        ("ginkgopolis", {}, []),
        ("ginkgopolis", {"players": 1}, ["Alone against William"]),
        ("ginkgopolis", {"modules": ["keep_card", "events"]}, ["Events", "Keep a card"]),
        (
            "ginkgopolis",
            {"modules": "all"},
            ["New buildings", "Prestige buildings", "Green spaces", "Events", "Keep a card", "Experts"],
        ),
        ("golden_city", {}, []),
        ("my_city", {}, []),
        ("my_city", {"players": 1}, ["Alone"]),
    ],
)
def test_rules_are_short_and_of_the_configuration(game: str, config: dict[str, Any], sections: list[str]) -> None:
    rules = game_class(game)(**config).rules_summary
    assert re.findall(r"^## (.*)$", rules, re.MULTILINE) == sections
    assert 200 < len(rules.split()) < 1_300 and max(map(len, rules.splitlines())) <= 130


def test_sections_of_other_configurations_are_left_out() -> None:
    text = "# G\n\nAll.\n\n## One [n=1]\n\nx\n\n## Two [n=2]\n\ny\n\n## Always\n\nz\n"
    assert summary_for(text, {"n": 2}) == "# G\n\nAll.\n\n## Two\n\ny\n\n## Always\n\nz\n"
    assert "One" in summary_for(text, {"n": [1, 3]}) and "One" not in summary_for(text, {})


def test_the_notation_in_the_rules_is_that_of_the_game() -> None:
    """Each verb of the notation stands in the summary."""
    for game, config in (("ginkgopolis", {"modules": "all"}), ("golden_city", {}), ("my_city", {})):
        made = game_class(game)(**config)
        batch, verbs = Batch(made, 8), set[str]()
        batch.reset(seed=2)
        while not batch.over.all():
            row = int(np.flatnonzero(~batch.over)[0])
            texts = made.action_texts(batch.state(row), np.flatnonzero(batch.mask[row]))
            verbs |= {
                text.partition(":")[0] + ":" if ":" in text else text
                for text in texts
                if ":" in text or (text.isalpha() and len(text) > 2)
            }
            batch.step(batch.sample())
        missing = [verb for verb in verbs if f"`{verb}" not in made.rules_summary]
        assert not missing and verbs, (game, missing)


def test_rules_have_the_constants_of_the_configuration() -> None:
    """Each road of the board stands in the rules once, and each building with its shape."""
    game = game_class("golden_city")(players=4)
    listed = [entry.split() for entry in " ".join(game.rules_summary.partition("two places:")[2].split()).split(";")]
    roads = [{first, other} for first, *others in listed for other in others]
    printed = [{row["place_1"], row["place_2"]} for row in game.board.roads]
    assert sorted(map(sorted, roads)) == sorted(map(sorted, printed)) and len(roads) == 106
    assert "has 16 houses" in game.rules_summary
    city = game_class("my_city")()
    assert all(f"{building.id} {building.rows}" in city.rules_summary for building in city.buildings.list)
    rules = " ".join(game_class("ginkgopolis")(modules="all", hand_size=5, max_rounds=60).rules_summary.split())
    assert "Hands have 5 cards; after 60 rounds" in rules
    starts = re.findall(r"((?:`[RBY][EUC]`(?:, )?)+) (\d) (\d) (\d)", rules)
    given = {name: [*map(int, numbers)] for names, *numbers in starts for name in re.findall(r"\w+", names)}
    assert given == dict(zip(CHARACTER_NAMES, CHARACTER_START.tolist(), strict=True))


def test_effects_of_placements_come_true() -> None:
    """The change of the points by source that is listed is what happens when all have chosen, whatever they choose."""
    env, rng = text_env("my_city", players=3, seat="all", effects=True), random.Random(2)
    observation, info = env.reset(seed=5)
    expected, covered, over = dict[int, str](), set[str](), False
    while not over:
        seat = info["seat"]
        listed = dict(line.split(" ", 1) for line in observation.partition("your points:\n")[2].splitlines())
        assert [*listed] == info["legal_actions"]
        state, game = env._snapshot()[1], env.game
        hidden = game.resample(state, seat, seed=1)
        assert game.action_effects(hidden, np.flatnonzero(info["action_mask"]).tolist()) == [*listed.values()]
        before = state["sources"][0].copy()
        choice = rng.choice(info["legal_actions"])
        expected[seat] = listed[choice]
        covered |= set(re.findall(r"(\w+) \d+", listed[choice].partition("covers")[2]))
        observation, _, over, _, info = env.step(choice)
        after = env._snapshot()[1]["sources"][0]
        if over or info["seat"] <= seat:
            for player, effect in expected.items():
                changed = re.findall(r"(\w+) ([+-]\d+)", effect.partition(";")[0])
                assert {name: int(n) for name, n in changed} == {
                    name: n for name, n in zip(game.sources, (after - before)[player].tolist(), strict=True) if n
                }
                assert effect.startswith(f"{(after - before)[player].sum():+}")
            expected.clear()
    assert covered == {"trees", "rocks", "well", "vein"}


def test_effects_are_refused_for_other_games() -> None:
    with pytest.raises(ConfigError, match="effects=True"):
        text_env("golden_city", effects=True)


def test_copies_play_on_as_the_original() -> None:
    for seat in (0, "all"):
        env = text_env("golden_city", seat=seat, illegal_action="random", retries=0)
        _, info = env.reset(seed=1)
        env.step(info["legal_actions"][0])
        others = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env), copy.copy(env)]
        for _ in range(20):
            result, *same = (each.step("?") for each in (env, *others))
            assert all(other[:4] == result[:4] and other[4]["action"] == result[4]["action"] for other in same)
            if result[2]:
                break


def test_rendering() -> None:
    env = text_env("my_city", render_mode="ansi")
    env.reset(seed=1)
    assert "player_1" in env.render()
    assert text_env("my_city", render_mode="svg").render().startswith("<svg")


@pytest.mark.parametrize(
    "arguments",
    [
        *({"illegal_action": value} for value in ("raise", None, 1)),
        *({"retries": value} for value in (-1, 1.5, "2", True)),
        *({"rules": 1}, {"legal_actions": "yes"}, {"width": 3}, {"seat": "every"}, {"seat": 2}, {"player": 2}),
        *({"seat": "all", "opponents": "greedy"}, {"seat": "all", "opponents": len}),
    ],
)
def test_wrong_arguments(arguments: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        text_env("my_city", **arguments)


def test_answers_that_are_no_text() -> None:
    env = text_env("my_city")
    with pytest.raises(FinishedGameError):
        env.step("pass")
    env.reset(seed=1)
    for answer in (17, None, b"pass"):
        with pytest.raises(IllegalActionError, match="expected a text"):
            env.step(answer)  # type: ignore[arg-type]


# --- the length of descriptions --------------------------------------------------------------------------------------------


def test_the_rule_of_tokens() -> None:
    assert count_tokens("R7+B12: 2 floors") == 8 and count_tokens(" \n ") == 0 and count_tokens("player_0") == 3
    assert count_tokens("Äpfel, 3.5") == 5


@pytest.mark.parametrize(("game", "players"), [("my_city", 1), ("ginkgopolis", 1)])
def test_the_page_has_the_tokens_of_the_rule(game: str, players: int) -> None:
    """Its other numbers are those of a tokenizer, which `benchmarks/tokens.py` installs."""
    script = run_path(str(ROOT / "benchmarks" / "tokens.py"))
    counts = script["summarize"](list(map(count_tokens, script["collect_texts"](game, players))))
    page = (ROOT / "docs" / "language_models.md").read_text()
    (row,) = re.findall(rf"^\| {game} \| {players} \|(.*) \| [\d.]+ \|$", page, re.MULTILINE)
    assert [cell.partition(" / ")[2] for cell in row.split(" | ")] == [f"{count:,.0f}" for count in counts]


def longest(config: dict[str, Any], games: int, seed: int) -> int:
    """The most tokens of a description in whole games of random players, of all seats at each decision."""
    batch, most = Batch(game_class("ginkgopolis")(players=2, **config), games), 0
    batch.reset(seed=seed)
    while not batch.over.all():
        for row in np.flatnonzero(~batch.over):
            for seat in (0, 1):
                most = max(most, count_tokens(batch.game.describe(batch.state(row), seat)))
        batch.step(batch.sample())
    return most


@pytest.mark.parametrize(
    ("config", "games"),
    [
        ({}, 4),
        pytest.param({}, 40, marks=pytest.mark.full),
        pytest.param({"modules": "all", "hand_size": 5}, 20, marks=pytest.mark.full),
    ],
)
def test_descriptions_for_two_players_are_short(config: dict[str, Any], games: int) -> None:
    assert 300 < longest(config, games, seed=5) <= LIMIT


@pytest.mark.full
@pytest.mark.parametrize("config", [{}, {"modules": "all", "hand_size": 5}], ids=["base", "all"])
def test_descriptions_are_short_whatever_is_played(config: dict[str, Any]) -> None:
    """Each player chooses the action after which the description is longest."""
    game = game_class("ginkgopolis")(players=2, **config)
    size, rng = 60, np.random.default_rng(1)
    batch = Batch(game, size)
    batch.reset(seed=[3] * size)
    most = 0
    while not batch.over[0]:
        legal = np.flatnonzero(batch.mask[0])
        tried = rng.choice(legal, min(size, legal.size), replace=False)
        batch.step(np.resize(tried, size))
        lengths = [count_tokens(game.describe(batch.state(row), max(0, int(batch.actor[row])))) for row in range(tried.size)]
        most = max(most, *lengths)
        batch.set_states(np.arange(size), np.repeat(batch.states[[int(np.argmax(lengths))]], size))
    assert 300 < most <= LIMIT


@pytest.mark.parametrize("game", by_tier(OWN_GAMES, ["my_city"]))
def test_descriptions_have_what_a_seat_knows(game: str) -> None:
    """In whole games, a seat whose observation has changed gets another description."""
    for config in game_class(game).configurations()[:1]:
        made = game_class(game)(**config)
        batch = Batch(made, 1)
        batch.reset(seed=11)
        seen: dict[tuple[int, str], bytes] = {}
        while not batch.over.all():
            for seat in range(made.seats):
                key = seat, made.describe(batch.state(0), seat)
                assert seen.setdefault(key, batch.observe(seat).tobytes()) == batch.observe(seat).tobytes(), key[1]
            batch.step(batch.sample())


@pytest.mark.full
@pytest.mark.parametrize(
    ("game", "config"),
    [*((game, {}) for game in OWN_GAMES), ("ginkgopolis", {"players": 3, "modules": "all"})],
    ids=[*OWN_GAMES, "all modules"],
)
def test_texts_have_only_what_a_seat_knows(game: str, config: dict[str, Any]) -> None:
    """In whole games, everything hidden from a seat can change without a change of its texts."""
    made = game_class(game)(**config)
    batch, hidden = Batch(made, 1), 0
    batch.reset(seed=11)
    while not batch.over.all():
        state, actor = batch.state(0).copy(), int(batch.actor[0])
        for seat in range(made.seats):
            other = made.resample(state, seat, seed=seat)
            hidden += other.tobytes() != state.tobytes()
            assert made.describe(other, seat) == made.describe(state, seat)
            if seat == actor:
                assert made.legal_actions(other).tolist() == (legal := made.legal_actions(state)).tolist()
                assert made.action_texts(other, legal) == made.action_texts(state, legal)
        batch.step(batch.sample())
    assert hidden > 10
