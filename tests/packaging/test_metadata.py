"""Metadata of the package, the citation and the cards."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

import ginkgo_env

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
REPOSITORY = PROJECT["urls"]["Repository"]
MODEL_CARD = ROOT / "agents" / "ginkgo_agents" / "models" / "README.md"
GAMES = ("Ginkgopolis", "The Golden City", "My City")


def test_pythons() -> None:
    versions = {name.rpartition(" ")[2] for name in PROJECT["classifiers"] if "Python :: 3." in name}
    assert versions == {"3.11", "3.12", "3.13"} and PROJECT["requires-python"] == ">=3.11"
    tried = re.search(r"set -- (.*)", (ROOT / ".ci" / "pythons").read_text())
    assert tried is not None and tried[1].split() == ["python3.12", "python3.13"]


def test_three_games_are_named() -> None:
    yaml = pytest.importorskip("yaml")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    for text in (PROJECT["description"], citation["title"], citation["abstract"]):
        assert all(game in text for game in GAMES)
    assert citation["cff-version"] == "1.2.0" and citation["authors"] and citation["message"]


def test_one_version() -> None:
    yaml = pytest.importorskip("yaml")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert PROJECT["version"] == ginkgo_env.__version__ == citation["version"]


def test_extras_name_the_networks_of_this_version() -> None:
    models = tomllib.loads((ROOT / "agents" / "pyproject.toml").read_text())["project"]
    extras = PROJECT["optional-dependencies"]
    for name in ("eval", "table"):
        assert f"{models['name']}=={models['version']}" in extras[name]
    assert "ginkgo-env[eval]" in extras["train"] and extras["all"][0].startswith("ginkgo-env[eval,table,")


def test_developers_get_what_tests_import_of_the_extras() -> None:
    extras = PROJECT["optional-dependencies"]
    assert {*extras["eval"], *extras["table"]} - {*extras["dev"]} == {"ginkgo-env-models==0.1.0"}
    assert not [text for text in extras["dev"] if "models" in text]  # on no index yet


def test_links_of_the_long_description_are_absolute() -> None:
    pytest.importorskip("hatchling")
    made: dict[str, Any] = dict(PROJECT)
    run_path(str(ROOT / "hatch_build.py"))["LongDescription"](str(ROOT), {}).update(made)
    assert made["readme"]["content-type"] == "text/markdown"
    text = made["readme"]["text"]
    links = re.findall(r"(!?)\[[^\]]*\]\(([^)]+)\)", text)
    relative = re.findall(r"\[[^\]]*\]\(([^)]+)\)", (ROOT / "README.md").read_text())
    assert [link for _, link in links if not link.startswith(f"{REPOSITORY}/")] == []
    tag = f"v{ginkgo_env.__version__}"
    assert [link.removeprefix(f"{REPOSITORY}/{'raw' if image else 'blob'}/{tag}/") for image, link in links] == relative
    assert "CITATION.cff" in relative and all((ROOT / link).exists() for link in relative)


def test_the_repository_is_named_once() -> None:
    """Set before the first release, see docs/support.md."""
    named = [path for pattern in ("*.toml", "*.cff", "*.md", "docs/**/*.md", "docs/*.py") for path in ROOT.glob(pattern)]
    assert [path.name for path in named if REPOSITORY in path.read_text()] == ["pyproject.toml"]


def test_the_model_card_is_that_of_a_hub() -> None:
    hub = pytest.importorskip("huggingface_hub")
    card = hub.ModelCard.load(MODEL_CARD)
    assert (card.data.license, card.data.library_name) == ("mit", "ginkgo-env")
    assert card.data.pipeline_tag == "reinforcement-learning" and "board-games" in card.data.tags
    assert card.text.lstrip().startswith("# Pretrained agents")
