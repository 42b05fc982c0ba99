"""Render modes: the same pictures and texts from all front ends, of what the viewer may know."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ginkgo_env
from ginkgo_env import ConfigError, Game, GinkgoEnv, GinkgoVectorEnv
from ginkgo_env.pictures import export
from ginkgo_env.pictures.export import png
from ginkgo_env.pictures.picture import Picture

from .playing import plain

SHORT = {"players": 2, "max_rounds": 2}


def stepped(env: Any, steps: int = 8) -> Any:
    env.reset(seed=3)
    for _ in range(steps):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    return env


def test_aec_pictures() -> None:
    svg, array = (stepped(ginkgo_env.env(render_mode=mode, players=2)) for mode in ("svg", "rgb_array"))
    game, one = svg.unwrapped.game, svg.unwrapped._one
    seat = svg.possible_agents.index(svg.agent_selection)
    before = stepped(ginkgo_env.env(players=2), 7).unwrapped._one.states
    picture = game.picture(one.states, seat, since=before)
    assert svg.render() == picture.svg()
    pixels_seen, whole = array.render(), export.rgb_array(picture)
    assert pixels_seen.dtype == np.uint8 and pixels_seen.shape[1:] == (export.PIXELS, 3)
    assert np.array_equal(pixels_seen[: len(whole)], whole), "a picture that is smaller than the frame is not scaled"
    assert (pixels_seen[len(whole) :] == whole[0, 0]).all(), "below it is empty page"


@pytest.mark.full
@pytest.mark.parametrize("game", ["ginkgopolis", "golden_city", "my_city"])
def test_pixels_have_one_size_for_a_whole_game(game: str) -> None:
    players = {"ginkgopolis": 2, "golden_city": 3, "my_city": 1}[game]
    shapes, heights = set(), set()
    for seed in range(2):
        env = ginkgo_env.raw_env(game, render_mode="rgb_array", players=players)
        env.reset(seed=seed)
        steps = 0
        while not any(env.terminations.values()):
            env.step(env.action_space(env.agent_selection).sample(env.infos[env.agent_selection]["action_mask"]))
            steps += 1
            if steps in (1, 20, 40):
                shapes.add(env.render().shape)
                heights.add(ginkgo_env.draw(env).height)
        shapes.add(env.render().shape)
        heights.add(ginkgo_env.draw(env).height)
    assert len(shapes) == 1 and len(heights) > 1
    rows, columns, _ = shapes.pop()
    assert rows % 2 == columns % 2 == 0, "as encoders of videos require"


@pytest.mark.parametrize("growth", [1.0, 1.3, 2.0])
def test_a_picture_larger_than_its_frame_is_scaled_down_and_not_cut(growth: float) -> None:
    picture = ginkgo_env.draw(stepped(ginkgo_env.env(players=2)))
    frame = export.frame_array(picture, (picture.width, picture.height / growth), 400)
    page = frame[0, 0]
    assert frame.shape == (2 * np.ceil(200 * picture.height / growth / picture.width), 400, 3)
    drawn = np.argwhere((frame != page).any(axis=2))
    (top, left), (bottom, right) = drawn.min(axis=0), drawn.max(axis=0)
    margin = 16 / picture.width * 400 / growth  # of every picture
    assert abs(top - margin) <= 0.5 * margin and abs(len(frame) - 1 - bottom - margin) <= 0.5 * margin + 1
    assert abs(left - (400 - 1 - right)) <= 2, "it stands in the middle"


def test_what_the_last_step_changed_is_framed() -> None:
    env = ginkgo_env.raw_env(render_mode="svg", players=1)
    env.reset(seed=1)
    assert "s-mark" not in drawn_city(env), "nothing has changed at the start"
    changes = set()
    for _ in range(20):
        before = city(env)
        env.step(int(env.observe("player_0")["action_mask"].argmax()))
        changes.add(city(env) != before)
        assert ("s-mark" in drawn_city(env)) == (city(env) != before)
    assert changes == {False, True}


def city(env: Any) -> Any:
    """Buildings without their pawns, and tokens."""
    position = env.game.position(env._one.states)
    return [{**building, "pawn": None} for building in position["city"]], position["tokens"]


def drawn_city(env: Any) -> str:
    """The city's part of a picture: panels frame whose turn it is."""
    return str(env.render()).split("</style>")[1].split(">construction site<")[0]


def framed(game: Game, picture: Picture) -> Any:
    return export.frame_array(picture, game.presenter.frame_size)


@pytest.mark.full
def test_gymnasium_pictures() -> None:
    for mode in ("svg", "rgb_array"):
        env = GinkgoEnv(render_mode=mode, seat=1, players=2)
        env.reset(seed=2)
        seen = env.render()
        picture = env.game.picture(env.learner.batch.state(0), 1)
        assert (
            (seen == picture.svg())
            if mode == "svg"
            else np.array_equal(seen, export.frame_array(picture, env.game.presenter.frame_size))
        )
        for _ in range(6):
            before = env.learner.batch.state(0).copy()
            env.step(int(env.action_masks().argmax()))
        seat = None if env.learner.over[0] else 1
        picture = env.game.picture(env.learner.batch.state(0), seat, since=before)
        again = env.render()
        assert (
            (again == picture.svg())
            if mode == "svg"
            else np.array_equal(again, export.frame_array(picture, env.game.presenter.frame_size))
        )
        assert not np.array_equal(np.asarray(again), np.asarray(seen))


def test_gymnasium_checker() -> None:
    env = gymnasium.make("ginkgo_env/Ginkgopolis-v0", render_mode="rgb_array", illegal_action="penalty", **SHORT)
    check_env(env.unwrapped, skip_render_check=False)


def test_vector_pictures() -> None:
    envs = GinkgoVectorEnv(num_envs=2, render_mode="svg", **SHORT)
    envs.reset(seed=1)
    first, second = envs.render() or ()
    assert first.startswith("<svg") and first != second


def test_parallel_pictures() -> None:
    env = ginkgo_env.parallel_env("my_city", players=2, render_mode="svg")
    env.reset(seed=1)
    assert str(env.render()).startswith("<svg")
    assert ginkgo_env.draw(env).svg().startswith("<svg")


def test_text_in_colors(monkeypatch: pytest.MonkeyPatch) -> None:
    env = stepped(ginkgo_env.env(render_mode="ansi", players=2))
    text = env.render()
    assert "\x1b[31mR" in text and plain(text) != text
    monkeypatch.setenv("NO_COLOR", "1")
    assert env.render() == plain(text)


def test_without_resvg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(TypeError, match=r"pip install .ginkgo-env\[pictures\]"):  # Stable-Baselines3 then does without
        GinkgoEnv(render_mode="rgb_array")
    with pytest.raises(ConfigError, match=r"ginkgo-env\[pictures\]"):
        ginkgo_env.env(render_mode="rgb_array")
    assert GinkgoEnv(render_mode="svg").render_mode == "svg"


def test_without_resvg_pictures_in_pixels_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ConfigError, match=r"ginkgo-env\[pictures\]"):
        png(ginkgo_env.draw(stepped(ginkgo_env.env(players=2))))


@pytest.mark.full
def test_without_resvg_the_metadata_name_no_pixels_and_gymnasiums_checker_passes() -> None:
    """The checker tries every mode that the metadata name."""
    script = """
import sys, warnings
sys.modules["resvg_py"] = None
import gymnasium, ginkgo_env
from gymnasium.utils.env_checker import check_env
warnings.simplefilter("ignore")
env = gymnasium.make("ginkgo_env/Ginkgopolis-v0", illegal_action="penalty", players=2)
check_env(env.unwrapped)
print(env.metadata["render_modes"], ginkgo_env.env(players=2).metadata["render_modes"])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines()[-1] == "['human', 'ansi', 'svg'] ['human', 'ansi', 'svg']"
