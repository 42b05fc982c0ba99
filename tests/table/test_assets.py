"""The files of the pages: all that a page names is there, and nothing is named that is elsewhere."""

from __future__ import annotations

import importlib.resources
import re

import pytest

from ginkgo_table.web.assets import assets

PAGES = ["lobby.html", "table.html", "join.html", "reading.html", "error.html"]


def text(name: str) -> str:
    return assets()[name].content.decode()


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_files_that_are_there_and_nothing_else(page: str) -> None:
    named = re.findall(r'(?:src|href)="([^"#]*)"', text(page))
    home = {"lobby.html": "./", "error.html": "{{home}}"}.get(page, "../")
    files = {name.removeprefix(f"{home}assets/") for name in named if name.startswith(f"{home}assets/")}
    assert files <= assets().keys() and len(files) == 2
    others = {home, *(f"../{text}/{{{{name}}}}" for text in ("learn", "rules") if page == "reading.html")}
    assert all(name.startswith((f"{home}assets/", "data:")) or name in others for name in named)


@pytest.mark.parametrize("page", PAGES)
def test_pages_keep_to_a_policy_without_inline_scripts(page: str) -> None:
    assert not re.search(r"<script(?![^>]*\ssrc=)|\son[a-z]+=|javascript:|<style", text(page))


def test_every_file_is_used() -> None:
    named = set(re.findall(r'[/}]assets/([^"]*)"', "".join(map(text, PAGES))))
    assert assets().keys() - named == set(PAGES)
    folder = importlib.resources.files("ginkgo_table.web") / "page"
    whole = "".join(map(text, named))
    for kept in (file for part in folder.iterdir() for file in part.iterdir() if not file.name.endswith(".html")):
        assert kept.read_text(encoding="utf-8") in whole, kept.name


def test_nothing_is_loaded_from_elsewhere() -> None:
    for name in assets():
        addresses = set(re.findall(r"https?://[^\s\"'<>`]*", text(name)))
        assert addresses <= {"http://www.w3.org/2000/svg"}, name  # a name, not a place
        assert not re.search(r"@import|\beval\(|new Function|insertAdjacentHTML|document\.write|outerHTML", text(name)), name


def test_addresses_are_relative_so_that_a_proxy_can_have_all_below_a_path() -> None:
    for name in assets():
        assert not re.search(r"""["'`(]/(?:api|assets|replays|seat)\b|(?:href|src|action)="/""", text(name)), name


def test_words_never_become_markup() -> None:
    """Only drawings of the server, where all words are escaped, are set as markup."""
    scripts = ("lobby.js", "table.js", "join.js", "reading.js", "error.js")
    assert [text(name).count("innerHTML") for name in scripts] == [1] * len(scripts)


@pytest.mark.parametrize("page", PAGES)
def test_scripts_find_the_elements_that_they_name(page: str) -> None:
    scripts = re.findall(r'src="[./{}a-z]*assets/([^"]*)"', text(page))
    made = set(re.findall(r'\bid(?:=|: )"([\w-]+)"', "".join(map(text, [page, *scripts]))))
    wanted = {(name, id_) for name in scripts for id_ in re.findall(r'byId\("([\w-]+)"\)', text(name))}
    assert wanted and [(name, id_) for name, id_ in wanted if id_ not in made] == []


def test_kinds_are_told() -> None:
    kinds = {name.rpartition(".")[2]: asset.media_type for name, asset in assets().items()}
    assert kinds == {
        kind: f"text/{long}; charset=utf-8" for kind, long in (("html", "html"), ("css", "css"), ("js", "javascript"))
    }
