"""Files of agents made by strangers: refused with one typed error, whatever is in them, before anything uses them."""

from __future__ import annotations

import hashlib
import io
import json
import os
import struct
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ginkgo_agents
from ginkgo_agents import MatchConfig, checkpoints, make_agent, play_match
from ginkgo_agents.checkpoints import Checkpoint, blocks_of, read_checkpoint, unpacked, write_checkpoint
from ginkgo_agents.evaluation.matches import choice_keys
from ginkgo_agents.lookahead import LAYOUTS, NetSettings, used_columns
from ginkgo_agents.nets import net_shapes
from ginkgo_agents.ppo import CRITIC, Network, NetworkSettings
from ginkgo_agents.registry import choice_key
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game
from ginkgo_env.registry import make_game

MODELS = sorted((Path(ginkgo_agents.__file__).parent / "models").glob("*.npz"))
MODEL = str(next(path for path in MODELS if path.name == "my_city_2p.npz"))
DIGITS = 64
Change = Callable[[Checkpoint], Checkpoint]


def small(seed: int = 1, *others: str) -> Checkpoint:
    """A lookahead agent that reads a single block, and some others."""
    game, rng = make_game("my_city", players=2), np.random.default_rng(seed)
    without = tuple(name for name in game.features if name not in ("game", *others))
    columns, arrays = used_columns(game.features, without), dict[str, Any](tau=np.float32(1))
    for prefix in ("scorer", "critic"):
        arrays[f"{prefix}.columns"] = columns
        for name, shape in net_shapes(arrays, prefix, 3).items():
            arrays.setdefault(name, rng.normal(size=shape).astype(np.float32))
    settings = NetSettings(3, without, without).as_dict()
    return Checkpoint("lookahead", game.name, game.config_dict, blocks_of(game, LAYOUTS), settings, {"seed": seed}, arrays)


def policy() -> Checkpoint:
    """A policy of the smallest size."""
    game, settings = make_game("my_city", players=2), NetworkSettings("features", 2, 2)
    shapes = {f"policy/{name}": shape for name, shape in Network(game, settings).shapes.items() if not name.startswith(CRITIC)}
    arrays = {name: np.ones(shape, np.float32) for name, shape in shapes.items()}
    return Checkpoint("ppo", game.name, game.config_dict, blocks_of(game, LAYOUTS), settings.as_dict(), {}, arrays)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_checkpoint(tmp_path / "agent.npz", small())


def load(path: Path, game: Game | None = None) -> Any:
    """Load an agent as the commands do."""
    agent = make_agent(str(path))
    agent.check(game or make_game("my_city", players=2))
    return agent


def refused(path: Path, data: bytes | None = None, match: str = ".") -> None:
    """Assert that a file is refused with one sentence."""
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(ConfigError, match=match) as caught:
        load(path)
    assert 10 < len(str(caught.value)) < 300 and "\n" not in str(caught.value)


def sealed(data: bytes) -> bytes:
    """The file with the digest that belongs to its other bytes, as its maker can write it."""
    return data[:-DIGITS] + hashlib.sha256(data[:-DIGITS]).hexdigest().encode()


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def archive(contents: Any, method: int = zipfile.ZIP_STORED) -> bytes:
    """A sealed file of any members."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as out:
        for name, content in contents.items() if isinstance(contents, dict) else contents:
            out.writestr(name, content)
        out.comment = bytes(DIGITS)
    return sealed(file.getvalue())


def npy(header: bytes, content: bytes = b"", version: bytes = b"\1\0") -> bytes:
    """An array file with any header."""
    return b"\x93NUMPY" + version + struct.pack("<H" if version == b"\1\0" else "<I", len(header)) + header + content


# --- damage ------------------------------------------------------------------------------------------------------------------


def test_a_whole_file_is_read(file: Path) -> None:
    """Also by numpy alone; equal contents give equal bytes."""
    load(file)
    load(write_checkpoint(file.with_name("policy.npz"), policy()))
    checkpoint = read_checkpoint(file)
    with np.load(file, allow_pickle=False) as arrays:
        assert all(np.array_equal(arrays[name], array) for name, array in checkpoint.arrays.items())
    data = file.read_bytes()
    backwards = replace(checkpoint, arrays=dict(reversed(checkpoint.arrays.items())))
    assert write_checkpoint(file, backwards).read_bytes() == data == archive(members(file))[: len(data)] or data == sealed(data)


def test_every_change_of_one_byte_is_refused(file: Path) -> None:
    data, rng = file.read_bytes(), np.random.default_rng(1)
    assert len(data) < 10_000
    for i, bits in enumerate(rng.integers(1, 256, len(data))):
        changed = data[:i] + bytes([data[i] ^ int(bits)]) + data[i + 1 :]
        with pytest.raises(ValueError, match="SHA-256"):
            unpacked(changed)
        if i % 50 == 0:
            refused(file, changed, "damaged")


def test_every_other_length_is_refused(file: Path) -> None:
    data = file.read_bytes()
    for n in range(0, len(data), 43):
        refused(file, data[:n], "damaged")
    for more in (b"\0", b"PK", data):
        refused(file, data + more, "damaged")
        refused(file, more + data, "damaged")


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.stem)
def test_one_byte_of_a_pretrained_agent(model: Path, tmp_path: Path) -> None:
    data, rng, file = bytearray(model.read_bytes()), np.random.default_rng(2), tmp_path / "agent.npz"
    read_checkpoint(model)
    for i in [0, len(data) - 1, *rng.integers(len(data), size=10)]:
        data[i] ^= 1
        refused(file, bytes(data), "damaged")
        data[i] ^= 1


def damages(data: bytes, n: int, seed: int) -> Iterator[bytes]:
    """Random damages: bytes changed, cut out, doubled, exchanged."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        damaged = bytearray(data)
        for _ in range(rng.integers(1, 4)):
            i, j = sorted(int(k) for k in rng.integers(len(damaged) - DIGITS, size=2))
            match rng.integers(5):
                case 0:
                    damaged[i] = rng.integers(256)
                case 1:
                    damaged[i : i + int(rng.integers(1, 9))] = rng.bytes(int(rng.integers(9)))
                case 2:
                    damaged[i:i] = damaged[i:j]
                case 3:
                    del damaged[i : i + 1 + (j - i) % 100]
                case _:
                    damaged[i : i + 8] = struct.pack("<Q", int(rng.choice([0, 1 << 31, 1 << 40, (1 << 63) - 1])))
        yield bytes(damaged)


@pytest.mark.parametrize(
    "n", [50, pytest.param(1_000, marks=pytest.mark.full), pytest.param(10_000, marks=pytest.mark.exhaustive)]
)
def test_random_damages(n: int, file: Path) -> None:
    """Nothing passes the digest. With a digest that fits, what is read is whole or refused."""
    data, wanted = file.read_bytes(), {name: array.shape for name, array in small().arrays.items()}
    for damaged in damages(data, n, n):
        if damaged != data:
            refused(file, damaged, "damaged")
        file.write_bytes(sealed(damaged))
        try:
            arrays = load(file).checkpoint.arrays
        except ConfigError as error:
            assert "\n" not in str(error)
            continue
        assert {name: array.shape for name, array in arrays.items()} == wanted
        assert all(np.isfinite(array).all() for array in arrays.values())


# --- malformed on purpose: the digest fits -----------------------------------------------------------------------------------

ARRAY = "scorer.b1.npy"
FLOATS = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }"
ARRAYS_REFUSED = {
    "declares 2**40 numbers": npy(FLOATS.encode() % (b"<f4", b"False", b"(1099511627776,)")),
    "declares a negative number": npy(FLOATS.encode() % (b"<f4", b"False", b"(-3, -1)"), bytes(12)),
    "declares too few": npy(FLOATS.encode() % (b"<f4", b"False", b"(2,)"), bytes(12)),
    "declares zero of many": npy(FLOATS.encode() % (b"<f4", b"False", b"(0, 1099511627776, 1099511627776)")),
    "too many axes": npy(FLOATS.encode() % (b"<f4", b"False", b"(" + b"1," * 80 + b")"), bytes(4)),
    "columns first": npy(FLOATS.encode() % (b"<f4", b"True", b"(3,)"), bytes(12)),
    "big endian": npy(FLOATS.encode() % (b">f4", b"False", b"(3,)"), bytes(12)),
    "objects": npy(FLOATS.encode() % (b"|O", b"False", b"(3,)"), bytes(24)),
    "text": npy(FLOATS.encode() % (b"<U1", b"False", b"(3,)"), bytes(12)),
    "dates": npy(FLOATS.encode() % (b"<M8[s]", b"False", b"(3,)"), bytes(24)),
    "complex": npy(FLOATS.encode() % (b"<c8", b"False", b"(3,)"), bytes(24)),
    "records": npy(b"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,), }", bytes(12)),
    "bool of 2": npy(FLOATS.encode() % (b"|b1", b"False", b"(3,)"), b"\0\1\2"),
    "float64": npy(FLOATS.encode() % (b"<f8", b"False", b"(3,)"), bytes(24)),
    "float16": npy(FLOATS.encode() % (b"<f2", b"False", b"(3,)"), bytes(6)),
    "two axes": npy(FLOATS.encode() % (b"<f4", b"False", b"(3, 1)"), bytes(12)),
    "version 2": npy(FLOATS.encode() % (b"<f4", b"False", b"(3,)"), bytes(12), b"\2\0"),
    "version 9": npy(FLOATS.encode() % (b"<f4", b"False", b"(3,)"), bytes(12), b"\x09\0"),
    "a nested header": npy(b"(" * 200 + b")" * 200),
    "a long header": npy(b" " * 60_000),
    "a header of minus signs": npy(b"-" * 250 + b"1"),
    "a header without end": npy(b"{'descr': '''"),
    "a header of another language": npy("{'descr': 'ä'}".encode("latin1")),
    "a header that is a call": npy(b"__import__('os')"),
    "keys missing": npy(b"{'descr': '<f4'}"),
    "true as a size": npy(FLOATS.encode() % (b"<f4", b"False", b"(True, True, True)"), bytes(4)),
    "a pickle": b"\x80\x04\x95\x00",
    "nothing": b"",
}


@pytest.mark.parametrize("content", ARRAYS_REFUSED.values(), ids=ARRAYS_REFUSED.keys())
def test_malformed_arrays(content: bytes, file: Path) -> None:
    refused(file, archive(members(file) | {ARRAY: content}))


HEADER = "header.json"
HEADERS_REFUSED = {
    "nothing": lambda text: "",
    "not JSON": lambda text: text[:-1],
    "a list": lambda text: "[]",
    "deep": lambda text: text.replace('"about": {', '"about": {"a": ' + "[" * 100_000 + "]" * 100_000 + ", ", 1),
    "very deep": lambda text: '{"a":' * 150_000,
    "long": lambda text: text.replace('"about": {', '"about": {"a": "' + "x" * (1 << 20) + '", ', 1),
    "duplicate key": lambda text: text.replace('"about": {', '"about": {"a": 1, "a": 2, ', 1),
    "duplicate field": lambda text: text.replace("{", '{"kind": "ppo", ', 1),
    "NaN": lambda text: text.replace('"about": {', '"about": {"a": NaN, ', 1),
    "a number of 10,000 digits": lambda text: text.replace('"about": {', '"about": {"a": ' + "1" * 10_000 + ", ", 1),
    "not UTF-8": lambda text: text.encode() + b"\xff",
    "another field": lambda text: text.replace("{", '{"code": "x", ', 1),
    "a field missing": lambda text: json.dumps({key: value for key, value in json.loads(text).items() if key != "layouts"}),
    "format 3": lambda text: text.replace('"format": 2', '"format": 3'),
    "format true": lambda text: text.replace('"format": 2', '"format": true'),
    "format 2.0": lambda text: text.replace('"format": 2', '"format": 2.0'),
    "a number as kind": lambda text: text.replace('"kind": "lookahead"', '"kind": 5'),
    "a list as settings": lambda text: json.dumps(json.loads(text) | {"settings": []}),
    "a list as config": lambda text: json.dumps(json.loads(text) | {"config": ["players"]}),
    "numbers as layouts": lambda text: json.dumps(json.loads(text) | {"layouts": {"actions": 1}}),
}


@pytest.mark.parametrize("change", HEADERS_REFUSED.values(), ids=HEADERS_REFUSED.keys())
def test_malformed_headers(change: Callable[[str], str], file: Path) -> None:
    text = members(file)[HEADER].decode()
    assert change(text) != text
    refused(file, archive(members(file) | {HEADER: change(text)}))


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_compressed_archives(method: int, file: Path) -> None:
    """Bombs are compressed: a gigabyte of zeros is not unpacked."""
    refused(file, archive(members(file), method), "compressed")
    refused(file, archive(members(file) | {ARRAY: bytes(1 << 20)}, method), "compressed")


NAMES = [
    "../x.npy",
    "/x.npy",
    "a//b.npy",
    "a\\b.npy",
    "C:x.npy",
    "x",
    "x.npy.exe",
    ".npy",
    "a b.npy",
    "ä.npy",
    "x" * 9_000 + ".npy",
]


@pytest.mark.parametrize("name", NAMES, ids=[name[:20] for name in NAMES])
def test_other_members(name: str, file: Path) -> None:
    refused(file, archive(members(file) | {name: members(file)[ARRAY]}))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_malformed_archives(file: Path) -> None:
    whole, data = members(file), file.read_bytes()
    for name in (HEADER, ARRAY):
        refused(file, archive([*whole.items(), (name, whole[name])]), "duplicate")
    refused(file, archive({name: content for name, content in whole.items() if name != HEADER}), "damaged")
    refused(file, archive({HEADER: whole[HEADER]} | {f"a{k}.npy": whole[ARRAY] for k in range(10_001)}), "more than 10000")
    refused(file, sealed(bytes(DIGITS)), "damaged")
    for at, value in (
        (6, 1),
        (6, 8),
        (8, 8),
        (18, 1 << 31),
        (22, 1 << 31),
        (28, 1),
    ):  # encrypted, descriptor, method, sizes, extra
        damaged = bytearray(data)
        struct.pack_into("<H" if at < 18 or at == 28 else "<I", damaged, at, value)
        refused(file, sealed(bytes(damaged)), "compressed, encrypted or incomplete")
    np.savez(file, checkpoint=np.array([{"a": 1}], object))
    refused(file, match="SHA-256")


def test_what_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing blocks, and nothing fills the memory."""
    monkeypatch.setattr(checkpoints, "MOST_BYTES", 1 << 20)
    fifo, large = tmp_path / "fifo.npz", tmp_path / "large.npz"
    os.mkfifo(fifo)
    large.touch()
    os.truncate(large, checkpoints.MOST_BYTES + 1)
    (tmp_path / "folder.npz").mkdir()
    (tmp_path / "zero.npz").symlink_to("/dev/zero")
    (tmp_path / "loop.npz").symlink_to("loop.npz")
    refused(fifo, match="not a regular file")
    refused(tmp_path / "zero.npz", match="not a regular file")
    refused(tmp_path / "folder.npz", match="Is a directory")
    refused(large, match="larger than")
    for name in ("loop.npz", "none.npz", "x" * 5_000 + ".npz", "a\0b.npz"):
        refused(tmp_path / name)


# --- whole files that do not fit -----------------------------------------------------------------------------------------------


def array(name: str, change: Callable[[Any], Any]) -> Change:
    return lambda one: replace(one, arrays={**one.arrays, name: change(np.array(one.arrays[name]))})


def put(at: Any, value: Any) -> Callable[[Any], Any]:
    def change(values: Any) -> Any:
        values[at] = value
        return values

    return change


def settings(**changes: Any) -> Change:
    return lambda one: replace(one, settings={**one.settings, **changes})


def config(**changes: Any) -> Change:
    return lambda one: replace(one, config={**one.config, **changes})


def layout(name: str, blocks: Any) -> Change:
    """A checkpoint with other blocks of a layout."""
    return lambda one: replace(one, layouts={**one.layouts, name: blocks})


LOOKAHEAD_REFUSED: dict[str, tuple[Change, str]] = {
    "columns of 10**9": (array("scorer.columns", put(0, 10**9)), "scorer.columns"),
    "columns beyond the features": (array("critic.columns", put(-1, 2**62)), "critic.columns"),
    "negative columns": (array("scorer.columns", put(0, -1)), "scorer.columns"),
    "unsorted columns": (array("scorer.columns", lambda values: values[::-1]), "scorer.columns"),
    "a column twice": (array("scorer.columns", put(1, 5)), "scorer.columns"),
    "columns as int32": (array("scorer.columns", lambda values: values.astype(np.int32)), "int32"),
    "fewer columns": (array("scorer.columns", lambda values: values[1:]), "scorer"),
    "no columns": (array("scorer.columns", lambda values: values[:0]), "scorer"),
    "columns as one number": (array("scorer.columns", lambda values: values[0]), "scorer"),
    "NaN": (array("scorer.w1", put((0, 0), np.nan)), "scorer.w1.*finite"),
    "infinity": (array("critic.b3", put(0, -np.inf)), "critic.b3.*finite"),
    "float64": (array("scorer.w2", lambda values: values.astype(np.float64)), "float64"),
    "a row missing": (array("scorer.w2", lambda values: values[1:]), "scorer.w2"),
    "transposed": (array("scorer.w3", lambda values: values.T), "scorer.w3"),
    "one axis": (array("scorer.w1", lambda values: values.reshape(-1)), "scorer.w1"),
    "three outputs": (array("scorer.b3", lambda values: np.zeros(3, np.float32)), "scorer.b3"),
    "tau of an axis": (array("tau", lambda values: values.reshape(1)), "tau"),
    "a huge tau": (array("tau", lambda values: np.float32(1e6)), "tau"),
    "tau that is NaN": (array("tau", lambda values: np.float32(np.nan)), "tau"),
    "an array missing": (lambda one: replace(one, arrays={k: v for k, v in one.arrays.items() if k != "critic.b2"}), "lacks"),
    "columns missing": (lambda one: replace(one, arrays={k: v for k, v in one.arrays.items() if k != "scorer.columns"}), "lacks"),
    "an array more": (lambda one: replace(one, arrays={**one.arrays, "scorer.w4": np.zeros(2)}), "unexpected"),
    "no arrays": (lambda one: replace(one, arrays={}), "lacks"),
    "another number of units": (settings(hidden=4), "w1"),
    "10**9 units": (settings(hidden=10**9), "w1"),
    "minus one unit": (settings(hidden=-1), "w1|hidden"),
    "true units": (settings(hidden=True), "hidden"),
    "units as text": (settings(hidden="3"), "hidden"),
    "other blocks": (settings(without=["decision"]), "scorer.columns"),
    "all blocks left out": (settings(without=["decision", "game", "sides", "fits", "joins"]), "scorer.columns"),
    "blocks as numbers": (settings(critic_without=[1]), "critic_without"),
    "an unknown setting": (settings(layers=3), "unknown 'layers'"),
    "a setting missing": (lambda one: replace(one, settings={"hidden": 3}), "missing 'without'"),
    "another kind": (lambda one: replace(one, kind="ppo"), "unknown"),
    "an unknown kind": (lambda one: replace(one, kind="os:system"), "unknown kind"),
    "another game": (lambda one: replace(one, game="golden_city"), "golden_city.*my_city"),
    "an unknown option": (config(level="hard"), "no option 'level'"),
    "too many players": (config(players=10**9), "players"),
    "players as text": (config(players="2"), "players"),
    "a number as board": (config(board=5), "board"),
    "no layouts": (lambda one: replace(one, layouts={}), "layouts"),
    "a layout missing": (lambda one: replace(one, layouts={"actions": one.layouts["actions"]}), "layouts"),
    "a layout more": (lambda one: replace(one, layouts={**one.layouts, "states": []}), "layouts"),
    "no features": (layout("features", []), "columns"),
    "other features": (layout("features", [("game", (5,))]), "columns"),
    "features that the game does not have": (layout("features", [("games", (16,))]), "columns|no block games"),
    "a block twice": (layout("features", [("game", (3,)), ("game", (3,))]), "invalid blocks of the features"),
    "a block of no size": (layout("features", [("game", (0,))]), "invalid blocks of the features"),
    "a negative size": (layout("features", [("game", (-3, -4))]), "invalid blocks of the features"),
    "a huge block": (layout("features", [("game", (10**9, 10**9, 10**9))]), "invalid blocks of the features"),
    "fewer actions": (layout("actions", [("take", (2,))]), "of the actions"),
    "no actions": (layout("actions", []), "was added after the training"),
}
POLICY_REFUSED: dict[str, tuple[Change, str]] = {
    "NaN": (array("policy/trunk_1", put((0, 0), np.nan)), "trunk_1.*finite"),
    "float64": (array("policy/mean", lambda values: values.astype(np.float64)), "policy/mean"),
    "another shape": (array("policy/other", lambda values: values[:, 1:]), "policy/other"),
    "a critic": (lambda one: replace(one, arrays={**one.arrays, "policy/value_1": np.ones((2, 2), np.float32)}), "unexpected"),
    "another prefix": (lambda one: replace(one, arrays={"x" + name: a for name, a in one.arrays.items()}), "lacks"),
    "an array missing": (lambda one: replace(one, arrays={k: v for k, v in one.arrays.items() if k != "policy/mean"}), "lacks"),
    "10**9 units": (settings(hidden=10**9), "hidden"),
    "a huge number of units": (settings(width=10**4000), "width"),
    "no units": (settings(hidden=0), "hidden"),
    "another input": (settings(observation="both"), "layouts"),
    "an unknown input": (settings(observation="x"), "observation"),
    "an unknown setting": (settings(depth=3), "unknown 'depth'"),
    "another kind": (lambda one: replace(one, kind="lookahead"), "unknown"),
    "no layouts": (lambda one: replace(one, layouts={}), "layouts"),
}


@pytest.mark.parametrize(("change", "match"), LOOKAHEAD_REFUSED.values(), ids=LOOKAHEAD_REFUSED.keys())
def test_lookahead_that_does_not_fit(change: Change, match: str, file: Path) -> None:
    refused(write_checkpoint(file, change(small())), match=match)


@pytest.mark.parametrize(("change", "match"), POLICY_REFUSED.values(), ids=POLICY_REFUSED.keys())
def test_a_policy_that_does_not_fit(change: Change, match: str, file: Path) -> None:
    refused(write_checkpoint(file, change(policy())), match=match)


@pytest.mark.parametrize("wrong", [{"a": np.array(["x"])}, {"a": np.array([{}])}, {"../a": np.zeros(1)}, {"": np.zeros(1)}])
def test_what_cannot_be_written(wrong: Any, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot store|expected a mapping from a text to an array of numbers"):
        write_checkpoint(tmp_path / "agent.npz", replace(small(), arrays=wrong))
    with pytest.raises(ConfigError, match="cannot store"):
        write_checkpoint(tmp_path / "agent.npz", replace(small(), about={"win": float("nan")}))
    assert not list(tmp_path.iterdir())


def test_another_configuration_is_named(file: Path, tmp_path: Path) -> None:
    """Both: that of the model and that of the game."""
    fewer = tmp_path / "few.csv"
    lines = (Path(make_game.__code__.co_filename).parent / "games/my_city/data/buildings.csv").read_text().splitlines()
    fewer.write_text("\n".join(lines[:-1]) + "\n")
    one = make_game("my_city", players=2, buildings=str(fewer))
    n = len(lines) - 1
    all_blocks = write_checkpoint(tmp_path / "all.npz", small(1, "sides", "decision"))
    with pytest.raises(
        ConfigError,
        match=rf"with buildings='own' does not fit buildings='.*block decision .* {n} .*{n - 1}",
    ):
        load(all_blocks, one)
    with pytest.raises(ConfigError, match="with players=2 does not fit players=3: the block sides of the features had"):
        load(all_blocks, make_game("my_city", players=3))
    load(file, one)  # it reads a block that is the same there
    with pytest.raises(ConfigError, match="'my_city' does not play golden_city"):
        load(file, make_game("golden_city"))
    with pytest.raises(ConfigError, match=r"no pretrained lookahead agent for my_city .*buildings=.*few\.csv"):
        make_agent("lookahead").check(one)
    modules = make_game("ginkgopolis", players=2, modules=["events", "experts"])
    with pytest.raises(ConfigError, match="with modules=none does not fit modules=events and experts: the block commit"):
        make_agent(MODEL.replace("my_city_2p", "ginkgopolis_2p_ppo")).check(modules)


# --- names ---------------------------------------------------------------------------------------------------------------------


def test_the_contents_of_a_file_determine_the_choices(file: Path, tmp_path: Path) -> None:
    """Not its path, nor what is said about it; other weights and other options do."""

    def words(name: str) -> list[int]:
        return choice_keys(1, make_game("my_city", players=2), 3, name).tolist()

    copy = write_checkpoint(tmp_path / "b" / "c.npz", replace(small(), about={"seconds": 3}))
    other = write_checkpoint(tmp_path / "other.npz", small(2))
    assert words(str(copy)) == words(str(file)) != words(str(other))
    assert words(f"{copy}:worlds=2") == words(f"{file}:worlds=2") != words(str(file))
    assert words(f"{other}:prior={copy}") == words(f"{other}:prior={file}") != words(f"{other}:prior={other}")
    for name in ("lookahead", "lookahead:worlds=16", "a.module:Agent:weights=none.npz"):
        assert choice_key(name, make_game("my_city", players=2)) == name
    results = [play_match(MatchConfig("my_city", (f"{path}:worlds=1", "random"), {"players": 2}), 2, 1) for path in (copy, file)]
    assert np.array_equal(results[0].totals, results[1].totals)


@pytest.mark.parametrize(
    ("name", "match"),
    [
        ("11x11", "unknown agent '11x11'; expected one of: random"),
        ("random:11x11", "invalid option '11x11' of agent 'random'; expected name=value"),
        ("random:11x11=2", "does not take these options"),
        (f"{MODEL}:11x11", "invalid option '11x11'.*; expected name=value"),
        (f"{MODEL}:checkpoint=1", "does not take these options.*checkpoint"),
        ("lookahead:worlds=11x11", "invalid worlds '11x11'"),
        ("11x11:a", "cannot be imported: No module named '11x11'"),
        ("math:pi", "not a ginkgo_agents.Agent but float"),
        ("lookahead:worlds=" + "[" * 100_000, "worlds"),
        ("x" * 100_000, "unknown agent"),
    ],
)
def test_names_of_agents(name: str, match: str) -> None:
    with pytest.raises(ConfigError, match=match):
        make_agent(name)
