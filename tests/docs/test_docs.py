"""What the docs say is true: examples run, generated pages are up to date, links lead somewhere."""

from __future__ import annotations

import csv
import doctest
import importlib
import importlib.util
import re
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, get_args

import nbformat
import pytest
from typer.main import get_command

import ginkgo_env
from ginkgo_agents import agent_names
from ginkgo_env.core.rewards import RewardName
from ginkgo_env.registry import OWN_GAMES, game_class
from ginkgo_training.cli import train

from .notebooks import NOTEBOOKS, executed, texts

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def test_generated_pages_are_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None and spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    for name in OWN_GAMES:
        page = (ROOT / "docs" / "games" / f"{name}.md").read_text()
        assert page == generate.game_page(name), "run: python docs/generate.py"
        picture = (ROOT / "docs" / "pictures" / f"{name}.svg").read_text()
        assert picture == generate.game_picture(name), "run: python docs/generate.py"


PARAGRAPH = r"\b[GMRX]\d+(?:\.\d+)+"
RULES = {page.stem: page.read_text() for page in sorted((ROOT / "docs" / "rules").glob("*.md"))}


def cited(test_file: str) -> set[str]:
    """The numbered paragraphs that a file of tests names: ``test_m1_4_m1_7_...`` and ``M1.4`` in its text."""
    names = re.findall(r"(?<=_)([gmrx]\d+)((?:_\d+)+)_", " ".join(re.findall(r"^def test(_\w+_)", test_file, re.MULTILINE)))
    return {section.upper() + part.replace("_", ".") for section, part in names} | {*re.findall(PARAGRAPH, test_file)}


@pytest.mark.parametrize("page", RULES)
def test_every_numbered_paragraph_has_a_test(page: str) -> None:
    """In files of tests, or in the tables of a game by which ``tests/contract`` tests it."""
    names = ("test_*.py", "flaws.py", "hidden.py")
    tests = [file for folder in ("", "rules") for name in names for file in (ROOT / "tests" / folder / page).glob(name)]
    missing = {*re.findall(rf"^(?:\*\*|### )({PARAGRAPH})", RULES[page], re.MULTILINE)}.difference(
        *(cited(t.read_text()) for t in tests)
    )
    assert not missing


def marked(text: str, marks: str) -> list[str]:
    """The paragraphs in which sentences start with one of the marks, as often as they do."""
    place, found = "general", []
    pattern = rf"\*\*([GMRX]\d+(?:\.\d+)+)|^#{{2,3}} ([GMRX][\d.]+) |\*\*(?:{marks})\.\*\*"
    for each in re.finditer(pattern, text[text.index("**Decisions.**") :], re.MULTILINE):
        if each[1] or each[2]:
            place = each[1] or each[2]
        else:
            found.append(place)
    return found


def listed(text: str, heading: str) -> list[str]:
    """The paragraphs in the first column of the table under a heading; nothing without the heading."""
    table = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| ([GMRX][\d.]+|general) \|", table, re.MULTILINE)


@pytest.mark.parametrize("page", RULES)
def test_every_ruling_is_listed(page: str) -> None:
    """The table at the end names the paragraphs of all rulings and assumptions, in order."""
    assert listed(RULES[page], "Rulings at a glance") == marked(RULES[page], "Ruling|Assumption")
    assert marked(RULES[page], "Ruling|Assumption")


@pytest.mark.parametrize("page", RULES)
def test_everything_of_our_own_design_is_listed(page: str) -> None:
    """A second table names what this project made up where no source shows the printed game."""
    assert listed(RULES[page], "What is ours and what stays unknown") == marked(RULES[page], "Our design")


def test_the_events_of_experts_are_those_of_the_data() -> None:
    with (ROOT / "ginkgo_env" / "games" / "ginkgopolis" / "data" / "experts.csv").open(newline="") as file:
        rows = [f"| {row['expert']} | {row['event_1']}, {row['event_2']} |" for row in csv.DictReader(file)]
    assert "\n".join(rows) in RULES["ginkgopolis"]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def slugs(text: str) -> set[str]:
    """The names of a page's headings in links, as GitHub and the site make them."""
    titles = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_to_headings_lead_there(page: Path) -> None:
    for target, heading in re.findall(r"\]\(([^)#:]*\.md)?#([^)]+)\)", page.read_text()):
        found = page.parent / target if target else page
        assert heading in slugs(found.read_text()), f"{page.name} links to {target}#{heading}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_tables_are_whole(page: Path) -> None:
    """Each begins with a head; a blank line in a table would make text of the rest."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        assert re.fullmatch(r"[|: -]+", (table.splitlines() + [""])[1]), f"{page.name}: {table[:80]}"


def test_tests_that_pages_name_exist() -> None:
    for page in ("docs/faq.md", "docs/libraries.md"):
        name = ""
        for found, test in re.findall(r"`((?:\w+/)+test_\w+\.py)?(?:::(test_\w+))?`", (ROOT / page).read_text()):
            name = found or name
            if name:
                text = (ROOT / "tests" / name.removeprefix("tests/")).read_text()
                assert f"def {test}" in text, f"{page}: {name} has no {test}"


def test_every_complaint_is_answered() -> None:
    """A question that names no test says what is not solved."""
    _, *answers = re.split(r"^### ", (ROOT / "docs" / "faq.md").read_text(), flags=re.MULTILINE)
    assert len(answers) == 21
    assert not [answer for answer in answers if "\nTests: `" not in answer and "Not solved" not in answer]


def test_every_agent_is_on_the_page_of_agents() -> None:
    page = (ROOT / "docs" / "agents.md").read_text()
    listed = re.findall(r"^\| `(\w+)` \| (.+?) \|", page, re.MULTILINE)
    titles = {game: game_class(game).title for game in OWN_GAMES}
    for name, plays in listed:
        assert plays == "every game" or plays.split(", ") == [titles[game] for game in OWN_GAMES if name in agent_names(game)]
    assert {name for name, _ in listed} == {name for game in OWN_GAMES for name in agent_names(game)}


def test_the_page_of_training_has_every_option() -> None:
    """Those of a cluster are on a page of their own."""
    listed = (ROOT / "docs" / "training.md").read_text().partition("## Options")[2].partition("## ")[0]
    options = {
        name: {option for p in command.params for option in p.opts} for name, command in get_command(train).commands.items()
    }  # type: ignore[attr-defined]
    del options["curves"]
    shared = {option for of in options.values() for option in of if not option.startswith("--ray") and option != "--help"}
    assert {*re.findall(r"`(--[a-z-]+)", listed)} == shared
    assert {name: sorted(shared - of) for name, of in options.items()} == {"lookahead": [], "ppo": [], "search": ["--network"]}


def test_the_environment_documents_every_reward() -> None:
    text = (ginkgo_env.GinkgoEnv.__doc__ or "").partition("reward : ")[2].partition(":mod:")[0]
    assert re.findall(r"``\"(\w+)\"``", text) == [*get_args(RewardName)]


def test_versions_on_the_page_of_libraries_are_those_that_are_tested() -> None:
    page = (ROOT / "docs" / "libraries.md").read_text()
    for file in ("requirements.txt", "requirements-rllib.txt"):
        pins = re.findall(r"^(\S+)==(\S+)", (ROOT / "training" / "examples" / file).read_text(), re.MULTILINE)
        assert pins
        for name, version in pins:
            assert re.search(rf"^\| .*{re.escape(name)} [^|]*\b{re.escape(version)}\b", page, re.MULTILINE), f"{name} {version}"


def first_tier() -> dict[str, Any]:
    """The functions and classes that the reference names one by one."""
    found = {}
    for page in (ROOT / "docs" / "api").glob("*.md"):
        module = ""
        for kind, name in re.findall(r"^\.\. (currentmodule|autofunction|autoclass):: (\S+)", page.read_text(), re.MULTILINE):
            module, path = (name, "") if kind == "currentmodule" else (module, name if "." in name else f"{module}.{name}")
            found |= {path: resolve_name(path)} if path else {}
    return found


FIRST_TIER = first_tier()
TRAINERS = ["ginkgo_training.runs", "ginkgo_training.ppo", "ginkgo_training.lookahead", "ginkgo_training.search"]


def test_names_of_the_reference_have_examples() -> None:
    assert len(FIRST_TIER) > 60
    assert [name for name, each in FIRST_TIER.items() if ">>> " not in each.__doc__] == []


@pytest.mark.parametrize(
    "module", ["ginkgo_env", "ginkgo_env.pictures.svg", *TRAINERS, *sorted({each.__module__ for each in FIRST_TIER.values()})]
)
def test_docstring_examples(module: str) -> None:
    if module in TRAINERS:
        pytest.importorskip("torch")
    assert doctest.testmod(importlib.import_module(module)).failed == 0


@pytest.mark.full
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.name)
def test_notebook_gives_the_outputs_that_it_shows(path: Path) -> None:
    """Every number in its texts, but for those of the machine. To write new ones: ``python -m tests.docs.notebooks``."""
    notebook = nbformat.read(path, as_version=4)
    if any("ginkgo_training" in cell.source or "import torch" in cell.source for cell in notebook.cells):
        pytest.importorskip("torch")
    assert texts(executed(path)) == texts(notebook)


def test_numbers_of_the_machine_are_blank_and_no_others() -> None:
    output = nbformat.v4.new_output("stream", text="wins 41.5 %,   2,575/s\n")
    cells = [nbformat.v4.new_code_cell("f()", outputs=[output], metadata={"tags": tags}) for tags in ([], ["machine"])]
    blank = ("f()", "wins # %, #/s ")
    assert texts(nbformat.v4.new_notebook(cells=cells)) == [("f()", "wins 41.5 %,   2,575/s\n"), blank]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.name)
def test_notebook_shows_its_outputs(path: Path) -> None:
    """Run from top to bottom, small, without warnings and without what only one machine has."""
    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == [*range(1, len(cells) + 1)]
    assert path.stat().st_size < 500_000
    outputs = [output for cell in cells for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error" or output.get("name") == "stderr"]
    texts = [str(output.get("text") or output.data.get("text/plain")) for output in outputs]
    assert not [text for text in texts if re.search(r"/(tmp|home|work|Users)/|\x1b", text)]
