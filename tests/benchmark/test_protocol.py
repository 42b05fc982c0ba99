"""Agents that are processes: whatever they do, matches end, and what goes wrong loses games, which are counted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from queue import Empty

import numpy as np
import pytest

from ginkgo_agents import DecisionBatch, MatchConfig, MatchResults, make_agent, play_match, process
from ginkgo_agents.registry import identities_of
from ginkgo_env import Batch, ConfigError, make_game

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "benchmarks" / "client.py"
GAMES = [("ginkgopolis", {"players": 2}), ("golden_city", {"players": 3}), ("my_city", {"players": 1})]
ANSWERS = {
    "timeout": "time.sleep(600)",
    "crash": "sys.exit(3)",
    "closed": "os.close(1); time.sleep(600)",
    "illegal": 'say({"action": 100000})',
    "illegal text": 'say({"action": "no such action"})',
    "an id as a text": 'say({"action": str(first(message))})',
    "an id as a float": 'say({"action": float(first(message))})',
    "not JSON": 'print("hello there", flush=True)',
    "no object": "say(7)",
    "no number": "print('{\"action\": NaN}', flush=True)",
    "a truth value": 'say({"action": True})',
    "another field": 'say({"action": first(message), "more": 1})',
    "nested": "print('[' * 60000, flush=True)",
    "not UTF-8": r"sys.stdout.buffer.write(b'\xff\xfe\n'); sys.stdout.flush()",
    "too long": "print('x' * 100000, flush=True)",
    "endless line": "sys.stdout.write('x' * 100000); sys.stdout.flush(); time.sleep(600)",
    "a flood": "[say({}) for _ in range(100000)]",
    "two answers": 'say({"action": first(message)}); say({"action": 100000})',
}
REASONS = {
    "timeout": {"timeout"},
    "crash": {"crash"},
    "closed": {"crash"},
    "illegal": {"illegal"},
    "illegal text": {"illegal"},
    "an id as a text": {"illegal"},
    "two answers": {"garbage", "illegal"},
}

QUICK = ("crash", "illegal", "not JSON", "too long")


def bot(
    folder: Path, answer: str, seconds: float = 60, ready: str = '{"type": "ready", "protocol": 2}', end: str = "pass"
) -> str:
    """A bot that says hello, and then does what a line of code says at its second decision; before, it plays."""
    code = f"""
        import json, os, sys, time

        def say(thing):
            print(json.dumps(thing), flush=True)

        def made(path):
            try:
                os.mkdir(path)
            except FileExistsError:
                return False
            return True

        def first(message):
            return message["legal"][0]["id"]

        decisions = 0
        for line in sys.stdin:
            message = json.loads(line)
            if message["type"] == "hello":
                say({ready})
            elif message["type"] == "end":
                {end}
            elif message["type"] == "decide":
                decisions += 1
                if decisions < 2:
                    say({{"action": message["legal"][0]["text"]}})
                else:
                    {answer}
    """
    path = folder / "bot.py"
    path.write_text(textwrap.dedent(code))
    return f"process:seconds={seconds}:{sys.executable} {path}"


def played(name: str, deals: int = 1, game: str = "ginkgopolis", players: int = 2) -> MatchResults:
    return play_match(MatchConfig(game, (name, *("random",) * (players - 1)), {"players": players}), deals, seed=4)


@pytest.mark.parametrize(("game", "config"), [GAMES[2], *(pytest.param(*one, marks=pytest.mark.full) for one in GAMES[:2])])
def test_the_client_plays_whole_games_and_repeats_them(game: str, config: dict[str, int]) -> None:
    name = f"process:{sys.executable} {CLIENT}"
    one, other = (played(name, 2, game, config["players"]) for _ in range(2))
    assert one.lost == [] and one.cut_off == 0
    assert (one.totals == other.totals).all()


def test_the_client_is_plain_python_and_short() -> None:
    text = CLIENT.read_text()
    assert len(text.splitlines()) <= 35
    assert "import ginkgo" not in text
    lines = '{"type": "hello", "protocol": 3, "seed": "1"}\n'
    done = subprocess.run([sys.executable, "-I", str(CLIENT)], input=lines, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {"type": "unable", "reason": "unknown protocol 3"}


@pytest.mark.parametrize("what", [what if what in QUICK else pytest.param(what, marks=pytest.mark.full) for what in ANSWERS])
def test_what_goes_wrong_loses_the_game(what: str, tmp_path: Path) -> None:
    # Waiting for a bot that has already lost would exceed the limit of this test.
    results = played(bot(tmp_path, ANSWERS[what], seconds=1 if what == "timeout" else 600))
    assert len(results.lost) == results.games == 2
    assert {game.why for game in results.lost} <= REASONS.get(what, {"garbage"})
    assert all(game.message and game.position == 0 for game in results.lost)
    assert (results.wins[:, :, 0] == 0).all() and (results.wins[:, :, 1] == 1).all()
    assert sorted(game.rotation for game in results.lost) == [0, 1]


@pytest.mark.full
def test_the_next_game_gets_a_new_process(tmp_path: Path) -> None:
    """Games run at the same time. The one process that can make a folder ends, so exactly one game is lost."""
    mark = tmp_path / "mark"
    answer = f'sys.exit(3) if made({str(mark)!r}) else say({{"action": first(message)}})'
    results = played(bot(tmp_path, answer), deals=3)
    assert [game.why for game in results.lost] == ["crash"]
    assert results.games == 6


@pytest.mark.full
def test_a_match_is_given_up_after_ten_lost_games(tmp_path: Path) -> None:
    results = played(bot(tmp_path, "sys.exit(1)"), deals=8)
    assert len(results.lost) == results.games == 16
    assert any("not played, after 10 lost games in a row" in game.message for game in results.lost)


def test_it_sees_what_its_seat_may_know(tmp_path: Path) -> None:
    """The same text and numbers as the observation of the seat, and all legal actions as ids and texts."""
    log = tmp_path / "log"
    answer = f'open({str(log)!r}, "a").write(line); say({{"action": message["legal"][-1]["text"]}})'
    name = bot(tmp_path, answer)
    results = played(name)
    assert results.lost == []
    game = make_game("ginkgopolis", players=2)
    for line in log.read_text().splitlines():
        message = json.loads(line)
        assert set(message) == {"type", "kind", "observation", "legal"}
        assert len(message["observation"]["numbers"]) == game.observation.size
        assert message["kind"] in game.decisions
        assert all(set(action) == {"id", "text"} for action in message["legal"])


def test_a_game_begins_with_its_components_and_a_seed_as_text(tmp_path: Path) -> None:
    log, game = tmp_path / "log", make_game("golden_city", players=2)
    ready = f'open({str(log)!r}, "a").write(line) and {{"type": "unable", "reason": "not today"}}'
    results = played(bot(tmp_path, "pass", ready=ready), game="golden_city")
    assert {(lost.why, lost.message) for lost in results.lost} == {("unable", "not today")}
    for line in log.read_text().splitlines():
        hello = json.loads(line)
        assert hello["protocol"] == 2 and 0 <= int(hello["seed"]) < 2**64 and isinstance(hello["seed"], str)
        assert hello["component_data"] == json.loads(json.dumps(game.component_data))
        assert [row["place"] for row in hello["component_data"]["places"]] == list(game.board.place_ids)  # type: ignore[attr-defined]


def test_numbers_can_be_switched_off(tmp_path: Path) -> None:
    log = tmp_path / "log"
    answer = f'open({str(log)!r}, "a").write(line); say({{"action": first(message)}})'
    name = bot(tmp_path, answer, ready='{"type": "ready", "protocol": 2, "numbers": False}')
    assert played(name).lost == []
    assert {tuple(json.loads(line)["observation"]) for line in log.read_text().splitlines()} == {("text",)}


def test_a_decision_with_one_action_is_skipped(tmp_path: Path) -> None:
    batch, seed = Batch(make_game("golden_city").with_forced_decisions, 1), 0
    while batch.mask.sum() != 1:
        if batch.done[0] or not seed:
            seed += 1
            batch.reset(seed=seed)
        batch.step(batch.sample())
    agent, seat = make_agent(bot(tmp_path, "pass", ready='{"type": "unable"}')), int(batch.actor[0])
    assert isinstance(agent, process.ProcessAgent)
    agent._playing[0, seat] = object()  # type: ignore[assignment] # which cannot be asked
    assert agent.act(DecisionBatch(batch, np.arange(1), np.ones(1, np.uint64))).tolist() == batch.mask[0].nonzero()[0].tolist()


def test_an_answer_to_the_end_loses_no_game(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It is ignored, whether it comes before the next game begins or after."""
    for pause in ("", "time.sleep(0.2); "):
        name = bot(tmp_path, 'say({"action": first(message)})', end=f'{pause}say({{"type": "bye"}})')
        assert played(name, deals=8, game="my_city").lost == []
        assert "] ignored an answer to 'end', which takes none: type: " in capfd.readouterr().err
    name = bot(tmp_path, 'say({"action": first(message)})', end='say({"type": "bye"}); say({"type": "bye"})')
    assert {lost.why for lost in played(name, deals=8, game="my_city").lost} == {"garbage"}


def test_other_protocols_are_refused(tmp_path: Path) -> None:
    name = bot(tmp_path, "pass", ready='{"type": "ready"}')
    with pytest.raises(ConfigError, match=r"cannot play: its 'ready' states protocol 1; expected 2$"):
        make_agent(name).check(make_game("my_city"))
    assert {lost.why for lost in played(name).lost} == {"unable"}


@pytest.mark.parametrize("session", [pytest.param(False, marks=pytest.mark.full), True])
def test_no_process_is_left(tmp_path: Path, session: bool) -> None:
    """Nor what it has started, on Linux even in a session of its own."""
    if os.name != "posix" or (session and sys.platform != "linux"):
        pytest.skip("process groups are POSIX; others are found in /proc")
    child = "import time; time.sleep(300)"
    pids = tmp_path / "pids"
    answer = f"""import subprocess; p = subprocess.Popen([sys.executable, "-c", {child!r}], start_new_session={session}); \
open({str(pids)!r}, "a").write(f"{{p.pid}} {{os.getpid()}} "); time.sleep(600)"""
    played(bot(tmp_path, answer, seconds=5))
    while any(map(is_running, pids.read_text().split())):
        time.sleep(0.05)


def is_running(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_games_asked_together_share_their_time_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting times are those after the last question, whatever was waited for before; no time passes in this test."""
    now, waited = [0.0], list[float]()

    class Silent:
        def put(self, _: object) -> None: ...

        def get_nowait(self) -> bytes:
            raise Empty

        def get(self, timeout: float) -> bytes:
            waited.append(timeout)
            now[0] += timeout
            raise Empty

    monkeypatch.setattr(process.time, "monotonic", lambda: now[0])
    asked = [process.Lines(f"{sys.executable} -c 0", process.ErrorLines("bot")) for _ in range(3)]
    for one in asked:
        one._read = Silent()  # type: ignore[assignment]
        one.send({"type": "hello"})
    for one in asked:
        with pytest.raises(process.Failure, match="no answer within 60 s"):
            one.receive(60)
    assert waited == [60, 0, 0]
    monkeypatch.undo()
    for one in asked:
        one.close()


def test_what_it_writes_to_stderr_has_its_name_and_an_end(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    played(bot(tmp_path, r'[print("oh \x1b[31m no", file=sys.stderr) for _ in range(90)]; sys.exit(1)'))
    shown = capfd.readouterr().err.splitlines()
    name = f"[{sys.executable} {tmp_path}"[:30]
    assert all(line.startswith(name) for line in shown)
    assert [line.partition("] ")[2] for line in shown] == [r"oh \x1b[31m no"] * 100 + ["further lines are not shown"]


def test_what_cannot_play_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot run 'no_such_program'"):
        make_agent("process:no_such_program").check(make_game("my_city"))
    path = tmp_path / "unable.py"
    path.write_text('input(); print(\'{"type": "unable", "reason": "only chess"}\', flush=True)')
    with pytest.raises(ConfigError, match="cannot play: only chess"):
        make_agent(f"process:{sys.executable} {path}").check(make_game("my_city"))
    for name in ("process:", "process:seconds=0:bot", "process:seconds=1.2.3:bot"):
        with pytest.raises(ConfigError, match="expected process:COMMAND or process:seconds=NUMBER:COMMAND"):
            make_agent(name)


def test_options_are_in_the_name() -> None:
    agent = make_agent("process:seconds=2.5:python bot.py a:b --model=x.npz")
    assert isinstance(agent, process.ProcessAgent)
    assert (agent.seconds, agent.command) == (2.5, "python bot.py a:b --model=x.npz")


def test_the_identity_of_a_bot(tmp_path: Path) -> None:
    """Its program and its script, or the version that the user states."""
    script, game = tmp_path / "bot.py", make_game("my_city", players=2)
    script.write_text("first")
    (first,) = identities_of(f"process:{sys.executable} {script}", [game])
    assert first["files"].keys() == {Path(sys.executable).name, "bot.py"} and first["options"]["seconds"] == 60
    script.write_text("second")
    (second,) = identities_of(f"process:{sys.executable} {script}", [game])
    assert {name for name in first["files"] if first["files"][name] != second["files"][name]} == {"bot.py"}
    (stated,) = identities_of(f"process:seconds=5:version=1.2:{sys.executable} {script}", [game])
    assert stated["version"] == "1.2" and "files" not in stated and stated["options"]["seconds"] == 5
    with pytest.raises(ConfigError, match="expected process:COMMAND"):
        make_agent("process:seconds=x:bot")
