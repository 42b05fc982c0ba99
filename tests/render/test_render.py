"""Pixels, animations and ``draw``: what comes out, in which size, and that no text gets lost."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from PIL import Image

import ginkgo_env
from ginkgo_env import Batch, BatchError, ConfigError, PositionError, Record, RecordError, draw, make_game, png, rgb_array
from ginkgo_env.pictures import export
from ginkgo_env.pictures.picture import Picture
from ginkgo_env.pictures.svg import text, text_width
from ginkgo_env.records.record import is_noticed, pictures
from ginkgo_env.testing.pictures import texts_in

GOLDEN = Path(__file__).parent.parent / "golden" / "solo_advanced.jsonl"


@pytest.fixture(scope="module")
def record() -> Record:
    return Record.read(GOLDEN)


@pytest.fixture(scope="module")
def game() -> ginkgo_env.Game:
    return make_game("ginkgopolis", players=2)


@pytest.fixture
def batch(game: ginkgo_env.Game) -> Batch:
    made = Batch(game, 2)
    made.reset(seed=7)
    return made


# --- pixels ----------------------------------------------------------------------------------------------------------------


def ink(string: str, **style: Any) -> np.ndarray:
    """Where a text leaves something, as columns of a picture 400 wide."""
    picture = Picture(400, 40, text(10, 20, string, size=20, **style), "words")
    return np.flatnonzero((rgb_array(picture, 400) < 128).any(axis=(0, 2)))


@pytest.mark.parametrize("style", [{}, {"bold": True}, {"mono": True}], ids=str)
def test_text_is_drawn_and_as_wide_as_it_is_taken_for(style: dict[str, Any]) -> None:
    """A font that is missing leaves out text silently, and one that is wider breaks every layout."""
    for string in ("Hamburgefonstiv 0123456789", "R7 B12 \u00b7 \u00d7 \u2026", "\u00c4\u00e9\u0142 \u0416\u03a9"):
        columns = ink(string, **style)
        assert columns.size, f"{string!r} is not drawn"
        width, expected = columns[-1] - columns[0], text_width(string, 20, **style)
        assert 0.6 * expected <= width <= expected + 1, f"{string!r} is {width} wide instead of {expected}"
    assert ink("  ", **style).size == 0
    assert np.ptp(ink("bold", bold=True)) > np.ptp(ink("bold")) < np.ptp(ink("bold", mono=True))


def test_the_fonts_have_every_character_that_is_not_replaced() -> None:
    fonts = [set(TTFont(path).getBestCmap()) for path in export._fonts()]
    for code in range(0x20, 0x3000):
        if not export._UNDRAWN.match(chr(code)):
            assert all(code in font for font in fonts), f"{code:04x} would be left out"
    for string in ("\u540d\u524d", "\U0001f98a"):
        assert export._UNDRAWN.match(string) and ink(string).size > 5


def test_a_missing_font_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "FONTS", ("Missing.ttf",))
    export._fonts.cache_clear()
    try:
        with pytest.raises(ConfigError, match=r"Missing\.ttf is missing"):
            png(Picture(10, 10, "", "nothing"))
    finally:
        monkeypatch.undo()
        export._fonts.cache_clear()


@pytest.mark.parametrize("width", [1, 400, 1600])
def test_png(width: int) -> None:
    picture = Picture(100, 50, "", "nothing")
    with Image.open(io.BytesIO(png(picture, width))) as image:
        assert image.size[0] == width and abs(image.size[1] - width / 2) <= 1
    light, dark = (rgb_array(picture, 10, theme=theme)[0, 0] for theme in ("light", "dark"))
    assert light.min() > 200 and dark.max() < 60
    assert np.array_equal(rgb_array(picture, 10, theme="auto")[0, 0], light)


@pytest.mark.parametrize("width", [0, 30_000, "wide", 1.5])
def test_bad_widths(width: Any) -> None:
    with pytest.raises(BatchError, match="width"):
        png(Picture(100, 50, "", "nothing"), width)


# --- draw ------------------------------------------------------------------------------------------------------------------


def test_draw_takes_whatever_shows_a_table(game: ginkgo_env.Game, batch: Batch, record: Record) -> None:
    wanted = game.picture(batch.state(1), 0)
    assert draw(batch, 0, row=1) == wanted == draw(batch.position(1), 0) == draw(batch.state(1), 0, game=game)
    steps = list(ginkgo_env.replay(record))
    assert draw(steps[3], game=record.game).body == record.game.picture(steps[3].state).body
    assert draw(record).title == "Ginkgopolis" and draw(record).body != draw(record, step=0).body


def test_a_seat_hears_in_a_picture_what_it_heard_then() -> None:
    record = Record.read(GOLDEN.with_name("two_players.jsonl"))
    told = {seat: [" ".join(step.narration) for step in ginkgo_env.replay(record, seat)] for seat in (None, 0)}
    step = next(k for k, (all_of_it, heard) in enumerate(zip(*told.values(), strict=True)) if k > 5 and all_of_it != heard)
    for seat, sentences in told.items():
        string = " ".join(texts_in(draw(record, seat, step=step)))
        assert sentences[step] in string
    assert told[None][step] not in " ".join(texts_in(draw(record, 0, step=step)))


def test_draw_refuses_the_rest(batch: Batch, record: Record) -> None:
    for thing in (None, 5, "a position", object()):
        with pytest.raises(BatchError, match="cannot draw"):
            draw(thing)
    with pytest.raises(BatchError, match="which game"):
        draw(batch.state(0))
    with pytest.raises(BatchError, match="states of golden_city"):
        draw(batch.state(0), game=make_game("golden_city"))
    bad = ({}, {"game": 5, "config": {}}, {"game": "ginkgopolis"}, {"game": "ginkgopolis", "config": {1: 2}})
    for position in (*bad, {"game": "chess", "config": {}}, {"game": "ginkgopolis", "config": {"players": 9}}):
        with pytest.raises(PositionError):
            draw(position)
    for step in (-1, 10_000, "last", 1.5):
        with pytest.raises(RecordError):
            draw(record, step=step)
    with pytest.raises(BatchError, match="seat"):
        draw(batch, 2)


def test_notebooks_show_batches_and_records(batch: Batch, record: Record) -> None:
    shown = batch._repr_html_()
    assert shown.count("<svg") == 2 and "2 games" in shown
    many = Batch(batch.game, 9)
    many.reset(seed=1)
    assert many._repr_html_().count("<svg") == 4 and "9 games, of which 4 are shown" in many._repr_html_()
    told = record._repr_html_()
    assert record.names[0] in told and "Game over" in told and f"seed {record.header['seed']}" in told
    ElementTree.fromstring(f"<div>{told}{shown}</div>")


# --- animations ------------------------------------------------------------------------------------------------------------


def test_an_animation_has_every_step(record: Record) -> None:
    short = Record.from_actions(record.game, 7, [])
    steps = len(list(ginkgo_env.replay(short)))
    root = ElementTree.fromstring(ginkgo_env.animation(short, seconds=0.5))
    frames = root.findall("{http://www.w3.org/2000/svg}g")
    assert len(frames) == steps == 2
    for form in ("gif", "webp"):
        with Image.open(io.BytesIO(ginkgo_env.animation(short, form=form, width=100))) as film:  # type: ignore[arg-type]
            assert film.n_frames == steps and film.size[0] == 100
            assert film.info["loop"] == 0


@pytest.mark.full
def test_the_animation_of_a_seat_has_no_frame_for_what_the_seat_does_not_notice() -> None:
    """How many steps are hidden from a seat may tell what others could do."""
    record = Record.read(Path(__file__).parents[1] / "golden" / "golden_city_three.jsonl")
    noticed = [step for step in ginkgo_env.replay(record, 0) if is_noticed(step, 0)]
    root = ElementTree.fromstring(ginkgo_env.animation(record, 0))
    frames = root.findall("{http://www.w3.org/2000/svg}g")
    assert len(frames) == len(noticed) < len(list(ginkgo_env.replay(record)))


@pytest.mark.full
def test_frames_are_the_pictures_of_the_steps(record: Record) -> None:
    """What several frames have in common is in the file once, and looks the same."""
    film = ginkgo_env.animation(record).decode()
    steps = list(pictures(record))
    assert len(film) < 0.6 * sum(len(step.body) for step in steps)
    root = ElementTree.fromstring(film)
    frames = root.findall("{http://www.w3.org/2000/svg}g")
    for number in (len(steps) // 2,):
        for frame in frames:
            frame.set("display", "inline" if frame is frames[number] else "none")
        ElementTree.register_namespace("", "http://www.w3.org/2000/svg")
        wanted = steps[number].enlarged(*(max(getattr(step, size) for step in steps) for size in ("width", "height")))
        alone = Shown(wanted.width, wanted.height, ElementTree.tostring(root, encoding="unicode"), "")
        assert np.array_equal(rgb_array(alone, 300), rgb_array(wanted, 300))


class Shown(Picture):
    """A document in place of a picture: its body."""

    def svg(self, theme: str = "auto", *, width: float | None = None) -> str:
        return self.body


def test_frames_follow_each_other_without_gaps(record: Record) -> None:
    """At every moment exactly one frame is shown."""
    root = ElementTree.fromstring(ginkgo_env.animation(record))
    clocks = [frame[0] for frame in root.findall("{http://www.w3.org/2000/svg}g")]
    assert len(clocks) == len(list(ginkgo_env.replay(record)))
    for moment in np.linspace(0, 0.999, 101):
        shown = 0
        for clock in clocks:
            times, values = [float(t) for t in clock.attrib["keyTimes"].split(";")], clock.attrib["values"].split(";")
            shown += values[max(k for k, time in enumerate(times) if time <= moment)] == "inline"
        assert shown == 1


@pytest.mark.parametrize("bad", [{"form": "mp4"}, {"seconds": 0}, {"seconds": "1"}, {"seat": 7}, {"theme": "pink"}], ids=str)
def test_bad_animations(record: Record, bad: dict[str, Any]) -> None:
    with pytest.raises((BatchError, RecordError)):
        ginkgo_env.animation(record, **bad)
    with pytest.raises(RecordError):
        ginkgo_env.animation("film")  # type: ignore[arg-type]
