"""The pretrained agents."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ginkgo_agents
import ginkgo_env
from ginkgo_agents import Agent, MatchConfig, make_agent, play_match
from ginkgo_agents.base import DecisionBatch, nth_keys, sample_actions
from ginkgo_agents.datasets import GenerationJob
from ginkgo_agents.evaluation.files import record_of
from ginkgo_agents.lookahead import LookaheadAgent
from ginkgo_agents.playouts import Playouts
from ginkgo_agents.policy import Policy
from ginkgo_agents.pretrained import Model, PretrainedLookahead, manifest, models_of, pretrained
from ginkgo_agents.registry import choice_key, identities_of
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game
from ginkgo_env.core.layout import Block, Layout
from ginkgo_env.records import Record, replay
from ginkgo_env.registry import make_game

from ..tiers import by_tier

MODELS = Path(ginkgo_agents.__file__).parent / "models"
ROWS = manifest().agents
NAMES = list(dict.fromkeys(model.agent for model in ROWS))
FAST = {"lookahead": "worlds=1", "held_out_lookahead": "worlds=1", "search": "simulations=16"}


def title(model: Model) -> str:
    return f"{model.agent}-{model.version}-{model.game}"


def game_of(model: Model) -> Game:
    """A game that a model is made for."""
    options = {"all": "all", True: ["events", "experts"], False: []}
    config = {name: options.get(value, value) if name == "modules" else value for name, value in model.configurations.items()}
    if "board" in config:
        config["board"] = config["board"].partition("|")[0].replace("[0-9]+", "1")  # a value that the pattern matches
    return make_game(model.game or "my_city", **config)


def agent_of(model: Model) -> Agent:
    version = "" if make_agent(model.agent).held_out else f":version={model.version}"
    return make_agent(f"{model.agent}{version}{':' * (model.agent in FAST)}{FAST.get(model.agent, '')}", model.game or None)


def with_layout(game: Game, name: str, *blocks: Block, instead: bool = False) -> Game:
    """The same game whose layout has these blocks at its end, or in place of blocks of the same names."""
    own = {block.name: block for block in getattr(game, name).values()}
    twin = make_game(type(game), **game.config_dict)
    assert instead == all(block.name in own for block in blocks)
    setattr(twin, name, Layout([*(own | {block.name: block for block in blocks}).values()]))
    return twin


def choices(agent: Agent, game: Game) -> list[list[int]]:
    """What an agent chooses in some positions of a game."""
    batch, chosen = Batch(game, 4), []
    batch.reset(seed=3)
    for step in range(14):
        if step % 6 == 1:
            rows = np.flatnonzero(~batch.over)
            chosen.append(agent.act(DecisionBatch(batch, rows, rows.astype(np.uint64))).tolist())
        batch.step(batch.sample())
    return chosen


def test_the_manifest_names_every_file() -> None:
    there = {path.relative_to(MODELS).as_posix(): sha256(path.read_bytes()).hexdigest() for path in MODELS.rglob("*.npz")}
    assert manifest().files == there
    assert {file for model in ROWS for file in (*model.roles.values(), *filter(None, [model.critic]))} == there.keys()
    for file in there:
        checkpoint = pretrained(file)
        assert (checkpoint.about.get("held_out") is True) == file.startswith("held_out/")
        assert checkpoint.about and all(np.isfinite(array).all() for array in checkpoint.arrays.values())
        assert '"/' not in json.dumps(checkpoint.about), f"{file} names a path of the machine that trained it"


@pytest.mark.parametrize("model", ROWS, ids=title)
def test_each_model_is_found_and_fits(model: Model) -> None:
    game = game_of(model)
    if model.game:
        assert models_of(model.agent, game)[model.version] is model
    agent = agent_of(model)
    agent.check(game)
    assert all(file in agent.identity(game)["networks"] for file in model.roles.values())


def test_a_file_that_is_not_the_one_of_the_manifest_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = {**manifest().files, "my_city_2p.npz": "0" * 64}
    monkeypatch.setattr("ginkgo_agents.pretrained.manifest", lambda: type(manifest())(ROWS, changed))
    with pytest.raises(ConfigError, match=r"my_city_2p\.npz is not the file that the manifest"):
        pretrained.__wrapped__("my_city_2p.npz")


def test_where_none_fits() -> None:
    five = make_game("ginkgopolis", players=5, modules=["events", "experts"])
    with pytest.raises(ConfigError, match="no pretrained lookahead agent for ginkgopolis with players=5, modules=events and exp"):
        make_agent("lookahead").check(five)
    for wrong, versions in (("ppo:version=3", "1, 2"), ("lookahead:version=0", "1, 2"), ("search:version=x", "1, 2, 3")):
        with pytest.raises(ConfigError, match=f"version must be {versions}, got"):
            make_agent(wrong)
    for wrong in ("lookahead:worlds=0", "lookahead:prior=greedy", f"{MODELS}/ginkgopolis_2p.npz:prior=true"):
        with pytest.raises(ConfigError, match=r"worlds|prior"):
            make_agent(wrong)


@pytest.mark.parametrize(
    ("name", "config"),
    [
        ("ppo", {"players": 1}),
        ("ppo", {"players": 5}),
        ("lookahead", {"players": 3}),
        ("search", {"players": 3, "modules": "all"}),
    ],
)
def test_a_version_that_does_not_exist_is_refused(name: str, config: dict[str, Any]) -> None:
    """With those that do; the plain name plays the latest of these."""
    game = make_game("ginkgopolis", **config)
    with pytest.raises(ConfigError, match=f"there is no {name}:version=2, only {name}:version=1, for ginkgopolis with players="):
        make_agent(f"{name}:version=2").check(game)
    assert make_agent(name).identity(game)["version"] == 1
    assert make_agent(name).identity(make_game("ginkgopolis", players=2))["version"] == 2


@pytest.mark.parametrize("model", [model for model in ROWS if model.agent == "lookahead" and "board" in model.configurations])
def test_search_has_the_networks_of_lookahead_on_generated_boards(model: Model) -> None:
    game = make_game(model.game, players=model.configurations["players"], board="generated_1")
    assert make_agent("search").identity(game)["networks"].keys() == set(model.roles.values())


@pytest.mark.parametrize(
    "model", by_tier(ROWS, [ROWS[1], ROWS[-1]]), ids=lambda model: f"{model.agent}-{model.version}-{model.game}"
)
@pytest.mark.parametrize("layout", ["features", "observation"])
def test_an_appended_block_changes_no_choice(model: Model, layout: str) -> None:
    game = game_of(model)
    extended = with_layout(game, layout, Block("appended", (2, 5), "numbers that no agent knows"))
    assert choices(agent_of(model), extended) == choices(agent_of(model), game)


@pytest.mark.parametrize("name", NAMES)
def test_a_block_that_a_network_reads_must_be_the_same(name: str) -> None:
    """Else no weaker agent of the same name plays: the error names the file."""
    model = next(model for model in ROWS if model.agent == name and model.roles)
    game, block = game_of(model), Block("sides", (7, 3), "")
    changed = with_layout(game, "features", block, instead=True)
    file = model.roles.get("policy") or model.roles["networks"]
    with pytest.raises(
        ConfigError, match=f"{file} does not fit this game: .*block sides of the features had the shape .* now 7x3"
    ):
        agent_of(model).check(changed)
    more = with_layout(game, "actions", Block("more", (1,), ""))
    with pytest.raises(ConfigError, match=f"{file} does not fit.*block more of the actions was added after the training"):
        agent_of(model).check(more)


def test_the_prior_must_fit_as_well() -> None:
    """The networks of lookahead do not read the observation, but its prior does."""
    game = make_game("ginkgopolis", players=2)
    hand = game.observation["hand"]
    changed = with_layout(game, "observation", Block("hand", (*hand.shape[:-1], 3), ""), instead=True)
    with pytest.raises(ConfigError, match=r"ginkgopolis_2p_ppo\.npz does not fit this game: .*block hand of the observation"):
        make_agent("lookahead").check(changed)
    with pytest.raises(ConfigError, match=r"ginkgopolis_2p_ppo\.npz does not fit"):
        make_agent("search").check(changed)


def test_the_identity_says_what_plays(tmp_path: Path) -> None:
    two, alone = make_game("ginkgopolis", players=2), make_game("ginkgopolis", players=1)
    (one,), (latest,) = identities_of("lookahead:version=1:worlds=2", [two]), identities_of("lookahead", [two])
    assert one == {
        "name": "lookahead",
        "options": {"worlds": 2, "prior": True},
        "version": 1,
        "networks": {file: manifest().files[file] for file in ("ginkgopolis_2p.npz", "ginkgopolis_2p_ppo.npz")},
        "missing": [],
    }
    assert latest["version"] == 2 and "version_2/ginkgopolis_2p_ppo.npz" in latest["networks"]
    assert latest == identities_of("lookahead:version=2", [two])[0]
    first, second = identities_of("lookahead:version=1", [two, alone])
    assert first["configurations"] == [two.config_dict] and second["configurations"] == [alone.config_dict]
    assert second["missing"] == ["lookahead without prior"]
    (search,) = identities_of("search", [alone])
    assert search["networks"].keys() == {"ginkgopolis_1p_search.npz", "ginkgopolis_1p.npz", "ginkgopolis_1p_ppo.npz"}
    board = tmp_path / "board.txt"
    board.write_text(
        (Path(ginkgo_env.__file__).parent / "games/my_city/data/board.txt").read_text().replace("name own", "name mine")
    )
    own = make_game("my_city", players=2, board=str(board))
    assert identities_of("search", [own])[0]["missing"] == ["search without networks"]
    make_agent("search:simulations=4").check(own)
    with pytest.raises(ConfigError, match=r"no pretrained lookahead agent for my_city with players=2, board=.*board\.txt"):
        make_agent("lookahead").check(own)
    generated = make_game("my_city", players=2, board="generated_3")
    assert identities_of("lookahead", [generated])[0]["networks"].keys() == {"my_city_2p.npz"}
    assert identities_of("search", [generated])[0]["missing"] == ["search without policy"]


def test_random_choices_follow_the_version() -> None:
    """Version 1 has the key of the plain name, as in results that were published before there was another."""
    two, three = (make_game("ginkgopolis", players=n) for n in (2, 3))
    keys = {
        ("lookahead:version=1", two): "lookahead",
        ("lookahead", two): "lookahead:version=2",
        ("lookahead", three): "lookahead",
        ("lookahead:worlds=4:version=2", two): "lookahead:version=2:worlds=4",
        ("search:version=1:simulations=9", two): "search:simulations=9",
        ("search:version=2:simulations=1300", two): "search:version=2:simulations=1300",
        ("held_out_ppo", two): "held_out_ppo",
        ("greedy:worlds=2", two): "greedy:worlds=2",
    }
    for (name, game), key in keys.items():
        assert choice_key(name, game) == key
    mixed = make_game("ginkgopolis", mixture=[{"players": 2}, {"players": 2, "setup": "introductory"}])
    assert choice_key("ppo", mixed) == "ppo:version=2"
    assert len(identities_of("ppo", [mixed])) == 1


def test_the_prior_of_lookahead() -> None:
    """With several players the policy for as many; alone only in version 2, with a small weight."""

    def agent(name: str, game: str = "ginkgopolis", **config: Any) -> Any:
        return make_agent(name).agent_for(make_game(game, **config))  # type: ignore[attr-defined]

    for players, has_prior in ((1, False), (2, True), (5, False)):
        assert (agent("lookahead:version=1", players=players).prior is not None) == has_prior
    one, two, alone = (agent(f"lookahead:version={k}", players=n) for k, n in ((1, 2), (2, 2), (2, 1)))
    assert one.prior.checkpoint.digest != two.prior.checkpoint.digest and two.prior_weight > one.prior_weight == 1
    assert alone.prior.checkpoint is pretrained("ginkgopolis_1p_ppo.npz") and alone.prior_weight == 0.3
    assert agent("lookahead", "my_city", players=1).prior is None and agent("lookahead:prior=false", players=2).prior is None


def test_the_prior_counts_by_its_weight(played: Callable[..., Batch]) -> None:
    batch = played(30, 6, players=2)
    turn = DecisionBatch(batch, np.arange(6), np.arange(6, dtype=np.uint64))
    checkpoint, prior = pretrained("ginkgopolis_2p.npz"), make_agent("ppo:version=2")
    none, once, twice, never = (
        LookaheadAgent(checkpoint, 2, given, prior_weight=weight).logits(turn)[1]
        for given, weight in ((None, 1), (prior, 1), (prior, 2), (prior, 0))
    )
    np.testing.assert_allclose(twice - none, 2 * (once - none), atol=1e-9)
    np.testing.assert_array_equal(never, none)
    assert (once < none).all() and np.ptp(once - none) > 1
    for wrong in (-1, 1e7):
        with pytest.raises(ConfigError, match=f"invalid prior_weight {wrong:.0f}"):
            LookaheadAgent(checkpoint, prior=prior, prior_weight=wrong)


def test_a_search_knows_the_temperature_that_fits_its_policy(played: Callable[..., Batch]) -> None:
    """Analyses make hidden choices of others again at the ``belief`` of the manifest; games are played without it."""
    batch = played(31, 6, players=2)
    turn = DecisionBatch(batch, np.arange(6), np.arange(6, dtype=np.uint64))
    agent: Any = make_agent("search:version=2")
    policy, rows = Policy(pretrained("ginkgopolis_2p_search.npz"), batch.game), np.repeat(np.arange(6), 20)
    actions = turn.legal_actions()
    actions, keys = actions.actions[actions.offsets[rows]], nth_keys(np.arange(len(rows), dtype=np.uint64), 1)
    found = agent.playouts(batch.game, 3).values(turn, rows, actions, keys)
    fitted, plain = (
        Playouts(batch.game, policy.net, policy.critic, 3, 0.3, by_rounds=False, belief=belief).values(turn, rows, actions, keys)
        for belief in (agent.model_for(batch.game).belief, 1.0)
    )
    assert (found == fitted).all() and (found != plain).any()


def test_version_2_of_search_tries_what_version_2_of_ppo_ranks(played: Callable[..., Batch]) -> None:
    batch = played(30, 6, players=2)
    turn = DecisionBatch(batch, np.arange(6), np.arange(6, dtype=np.uint64))
    found = make_agent("search:version=2:simulations=0").search(turn)  # type: ignore[attr-defined]
    policy = make_agent("ppo:version=2")
    np.testing.assert_array_equal(found.chosen, policy.act(turn))
    logits = policy.agent_for(batch.game).all_logits(turn)  # type: ignore[attr-defined]
    for row, (start, end) in enumerate(pairwise(found.offsets)):
        legal = np.flatnonzero(turn.masks[row])
        best = legal[np.argsort(-logits[row, legal], kind="stable")][:8]
        np.testing.assert_array_equal(found.actions[start:end], best)
        np.testing.assert_array_equal(found.logits[start:end], logits[row, best])


@pytest.mark.full
def test_it_plays_without_torch() -> None:
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "import numpy as np, ginkgo_env\n"
        "from ginkgo_agents import act, make_agent\n"
        "batch = ginkgo_env.Batch(ginkgo_env.make_game('ginkgopolis', players=2), 2)\n"
        "batch.step(act(make_agent('lookahead:worlds=1'), batch, np.arange(2, dtype=np.uint64)))\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.full
@pytest.mark.parametrize("name", ["lookahead:worlds=2", "ppo", "greedy"])
def test_chances(name: str) -> None:
    """Probabilities of legal actions, of which the agent plays the likeliest, the same whatever stands in other rows."""
    batch, rows = Batch(make_game("ginkgopolis", players=2), 24, autoreset=True), np.arange(24)
    agent, keys = make_agent(name), np.arange(24, dtype=np.uint64)
    batch.reset(seed=5)
    for _ in range(30):
        batch.step(batch.sample())
    chances = agent.probabilities(DecisionBatch(batch, rows, keys))
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert (chances >= 0).all() and not chances[batch.mask == 0].any()
    actions = agent.act(DecisionBatch(batch, rows, keys))
    np.testing.assert_array_equal(chances[rows, actions], chances.max(axis=1))
    alone = [agent.probabilities(DecisionBatch(batch, rows[k : k + 1], keys[k : k + 1]))[0] for k in rows]
    np.testing.assert_array_equal(chances, alone)
    if name != "greedy":  # which has no probabilities: it plays one action
        assert ((chances > 0.01).sum(axis=1) > 1).any()


def test_draws_follow_the_chances() -> None:
    chances = np.tile([0.0, 0.5, 0.3, 0.2, 0.0], (20_000, 1))
    drawn = sample_actions(chances, nth_keys(np.arange(20_000, dtype=np.uint64), 3))
    np.testing.assert_allclose(np.bincount(drawn, minlength=5) / 20_000, chances[0], atol=0.02)


@pytest.mark.full
def test_it_is_strong() -> None:
    """Far from chance, so that a network that is fed wrongly is noticed."""
    assert isinstance(make_agent("lookahead"), PretrainedLookahead)
    played = play_match(MatchConfig("ginkgopolis", ("lookahead", "greedy"), {"players": 2}), 60, 4)
    assert played.wins[:, :, 0].mean() > 0.65
    alone = play_match(MatchConfig("ginkgopolis", ("lookahead",), {"players": 1, "level": "advanced"}), 100, 4)
    assert alone.wins[:, :, 0].mean() > 0.45
    reactive = play_match(MatchConfig("ginkgopolis", ("ppo", "greedy"), {"players": 2}), 60, 4)
    assert reactive.wins[:, :, 0].mean() > 0.6


def test_records_and_data_sets_say_what_played() -> None:
    names, config = ("lookahead:version=1:worlds=1", "random"), {"players": 2}
    expected = {name: identities_of(name, [make_game("my_city", **config)]) for name in names}
    (game,) = play_match(MatchConfig("my_city", names, config), 1, 1, record=1).recorded
    record = Record.read(record_of(game).dumps())
    assert record.header["identities"] == expected and [*replay(record)]
    assert GenerationJob("my_city", names, config, games=1).info.identities == expected
