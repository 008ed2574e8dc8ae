"""Tests that the reference pages agree with the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.tools.reference import PAGES, path_of, section_of, written

KEYS = re.compile(r"(?:CameraTrouble|CameraError)\(\s*\"(\w+)\"")
DOCUMENTS = (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))
MODULES = re.compile(r"`((?:companion/(?!up/|down/|here/)|hardware/|vision/|web/|tests/)[\w/.]+)`")
LINKS = re.compile(r"\]\((?!https?:)([^)#\s]+)")


@pytest.mark.parametrize("page", PAGES)
def test_a_reference_page_is_up_to_date(page: str) -> None:
    """Running `python -m tests.tools.reference` changes no page."""
    assert written(page) == path_of(page).read_text(encoding="utf-8")


def test_every_trouble_of_a_camera_is_a_finding() -> None:
    """Each key of a camera's fault in the code has a sentence, and so is on the page."""
    raised = {key for file in ROOT.glob("vision/**/*.py") for key in KEYS.findall(file.read_text(encoding="utf-8"))}
    assert {"no_mat", "no_camera", "deck_broken"} < raised
    assert raised - set(section_of("companion/findings/camera.en.toml", "camera")) == set()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_documents_name_files_that_exist(document: object) -> None:
    """Paths and links in the documents lead to existing files."""
    text = document.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    missing = [name for name in MODULES.findall(text) if "FOLDER" not in name and not (ROOT / name).exists()]
    missing += [link for link in LINKS.findall(text) if not (document.parent / link).exists()]  # type: ignore[attr-defined]
    assert missing == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_to_sections_that_exist(document: Path) -> None:
    """A link with a `#` leads to a heading in this document or another."""
    missing = []
    for name, section in re.findall(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)", document.read_text(encoding="utf-8")):
        target = document.parent / name if name else document
        if target.suffix == ".md" and section not in anchors(target):
            missing.append(f"{name}#{section}")
    assert missing == []


def anchors(document: Path) -> set[str]:
    """Return the anchors of a document's headings."""
    titles = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
