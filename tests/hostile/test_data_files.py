"""Boards and buildings of users: their files are never taken for the shipped ones, nor for other files of the same name."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ginkgo_env import Record, draw, make_game
from ginkgo_env.cli.app import app
from ginkgo_env.core.errors import ConfigError, GinkgoError, PositionError, RecordError
from ginkgo_env.core.game import Game
from ginkgo_env.core.playback import Playback
from ginkgo_env.games.golden_city import board as golden_city
from ginkgo_env.games.my_city import board as my_city

WIDER = ("M M M . . . . t . . v", "M M M . . . . . . . v")  # a row without its rocks
GOLDEN = Path(__file__).parents[1] / "golden" / "two_players.jsonl"
FEWER = ("Y8,", "Y9,")


def copied(folder: Path, option: str, name: str = "mine", change: tuple[str, str] = ("", "")) -> Path:
    """A copy of the shipped board or buildings of My City, with a name and a change of its own."""
    file = {"board": "board.txt", "buildings": "buildings.csv"}[option]
    text = (my_city.SHIPPED / file).read_text("utf-8").replace("name own", f"name {name}").replace(*change)
    copy = folder / (file if option == "board" else f"{name}.csv")
    copy.parent.mkdir(exist_ok=True)
    copy.write_text(text, encoding="utf-8", newline="\n")
    return copy


def island(folder: Path, change: tuple[str, str] = ("", "")) -> Path:
    """A copy of the shipped board of The Golden City."""
    shutil.copytree(golden_city.SHIPPED / "own", folder)
    text = (folder / "bonus.csv").read_text("utf-8").replace(*change)
    (folder / "bonus.csv").write_text(text, encoding="utf-8", newline="\n")
    return folder


def position_of(game: Game, steps: int = 4) -> dict[str, Any]:
    playback = Playback(game)
    playback.start(3)
    for _ in range(steps):
        playback.play(int(playback.mask[0].nonzero()[0][0]))
    return game.position(playback.states)


def record_of(game: Game) -> Record:
    playback, actions = Playback(game), []
    playback.start(3)
    while playback.actor is not None:
        actions.append(int(playback.mask[0].nonzero()[0][0]))
        playback.play(actions[-1])
    return Record.from_actions(game, 3, actions)


# --- names -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("option", ["board", "buildings"])
def test_no_file_of_a_user_is_called_own(tmp_path: Path, option: str) -> None:
    """Not even an exact copy: its owner means to change it."""
    with pytest.raises(ConfigError, match="'own' is the name of the shipped"):
        make_game("my_city", **{option: str(copied(tmp_path, option, "own"))})
    with pytest.raises(ConfigError, match="'own' is the name of the shipped"):
        make_game("my_city", **{option: str(copied(tmp_path / "changed", option, "own", WIDER if option == "board" else FEWER))})


def test_no_folder_of_a_user_is_called_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = island(tmp_path / "own")
    monkeypatch.chdir(tmp_path)
    for board in (str(folder), "./own", "own/", "own/../own"):
        with pytest.raises(ConfigError, match="'own' is the name of the shipped"):
            make_game("golden_city", board=board)
    assert make_game("golden_city", board="own").component_ids == make_game("golden_city").component_ids


# --- positions ---------------------------------------------------------------------------------------------------------------


def test_positions_of_shipped_data_have_no_digest() -> None:
    assert not {"board_digest", "buildings_digest"} & position_of(make_game("my_city")).keys()


@pytest.mark.parametrize("option", ["board", "buildings"])
def test_a_position_is_refused_by_another_file_of_the_same_name(tmp_path: Path, option: str) -> None:
    change = WIDER if option == "board" else FEWER
    mine = make_game("my_city", **{option: str(copied(tmp_path / "mine", option))})
    changed = make_game("my_city", **{option: str(copied(tmp_path / "changed", option, "mine", change))})
    data = position_of(mine)
    key = f"{option}_digest"
    assert data[key] == mine.component_ids[key] and {"board_digest", "buildings_digest"} - data.keys()
    assert mine.position(mine.from_position(data)) == data
    with pytest.raises(PositionError, match=f"^position: {key}: expected '[0-9a-f]{{16}}'"):
        changed.from_position(data)
    with pytest.raises(PositionError, match=f"missing {key}"):
        mine.from_position({name: value for name, value in data.items() if name != key})
    with pytest.raises(PositionError, match=rf"config.{option}: expected 'own', got 'mine'"):
        make_game("my_city").from_position(data)


def test_positions_of_islands_are_told_apart_by_their_digest(tmp_path: Path) -> None:
    game = make_game("golden_city", board=str(island(tmp_path / "isle")))
    other = make_game("golden_city", board=str(island(tmp_path / "changed" / "isle", ("rule book", "made up"))))
    data = position_of(game)
    assert game.position(game.from_position(data)) == data
    with pytest.raises(PositionError, match=r"^position: board_digest: expected"):
        other.from_position(data)


# --- commands ----------------------------------------------------------------------------------------------------------------


def run(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, [str(word) for word in words])
    return result.exit_code, " ".join(result.output.split())


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record and a position of a game on files that have since been moved, and changed copies of these."""
    folder = tmp_path_factory.mktemp("files")
    game = make_game("my_city", board=str(copied(folder / "old", "board")), buildings=str(copied(folder / "old", "buildings")))
    record_of(game).write(folder / "game.jsonl")
    (folder / "position.json").write_text(json.dumps(position_of(game)), encoding="utf-8")
    (folder / "old").rename(folder / "moved")
    copied(folder / "changed", "board", "mine", WIDER)
    return folder


def options_of(folder: Path, board: str = "moved") -> list[str]:
    return ["--set", f"board={folder / board / 'board.txt'}", "--set", f"buildings={folder / 'moved' / 'mine.csv'}"]


@pytest.mark.full
@pytest.mark.parametrize("file", ["game.jsonl", "position.json"])
def test_commands_open_games_on_files(files: Path, tmp_path: Path, file: str) -> None:
    analyzing = ["analyze", files / file, "--agent", "random", "--worlds", 2, "--top", 2]
    analyzing += ["--step", 2] if file == "game.jsonl" else []
    commands = [["draw", files / file, "--out", tmp_path / "out.svg"], analyzing]
    if file == "game.jsonl":
        commands += [["replay", files / file], ["replay", files / file, "--html", tmp_path / "out.html"]]
    for command in commands:
        code, output = run(*command, *options_of(files))
        assert code == 0, output
        code, output = run(*command)
        assert code == 2 and "cannot be read" in output
        code, output = run(*command, *options_of(files, "changed"))
        assert code == 2 and "board_digest" in output
        code, output = run(*command, *options_of(files), "--set", "players=3")
        assert code == 2 and "players" in output
        code, output = run(*command, "--set", "board")
        assert code == 2 and "--set requires KEY=VALUE" in output
    assert (tmp_path / "out.svg").stat().st_size > 1000


def test_a_record_with_the_paths_of_its_files(files: Path) -> None:
    moved = {"board": str(files / "moved" / "board.txt"), "buildings": str(files / "moved" / "mine.csv")}
    record = Record.read(files / "game.jsonl", **moved)
    assert record.game.config_dict == {"players": 2, **moved} and record.result is not None
    assert "empty land" in draw(record).svg()
    with pytest.raises(RecordError, match="'players' cannot be replaced; the files of the game are: board, buildings"):
        Record.read(files / "game.jsonl", players="2")
    with pytest.raises(RecordError, match="'board' cannot be replaced; the files of the game are: none"):
        Record.read(GOLDEN, board="x")
    with pytest.raises(GinkgoError, match="components: board is"):
        Record.read(record_of(make_game("my_city")).dumps(), board=moved["board"])
