"""Tests of the guide to a Raspberry Pi: short, without commands, with the screen's exact words and valid links."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.systemd.cards import VENDOR
from tests.tools.console_picture import PICTURE, installed, installing, picture

GUIDE, REFERENCE = (ROOT / "docs" / name for name in ("on-your-pi.md", "pi-reference.md"))
WORDS, STEPS = 900, 6


def anchors(page: Path) -> set[str]:
    """Return the names of a page's sections in links."""
    titles = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_guide_is_short_and_has_no_command() -> None:
    """The guide has at most 900 words and six steps, and no commands for a terminal."""
    text = GUIDE.read_text("utf-8")
    steps = [int(number) for number in re.findall(r"^\*\*(\d+)\. ", text, re.M)]
    assert len(text.split()) <= WORDS
    assert steps == list(range(1, STEPS + 1))
    assert "```" not in text and "sudo" not in text


def test_the_picture_shows_what_the_screen_says() -> None:
    """The committed picture equals the one drawn by `python -m tests.tools.console_picture`."""
    assert PICTURE.read_text("utf-8") == picture((installing(), installed()))
    assert "about 3 minutes" in " ".join(installing())
    assert any("http://192.168.1.20:8080/" in line for line in installed())


def test_what_the_guide_quotes_from_the_screen_is_said_there() -> None:
    """Quotations in the guide are the exact words of the screen, so that people can search for them."""
    said = VENDOR.read_text("utf-8")
    quoted = re.findall("^\\| (“.*?) \\|", GUIDE.read_text("utf-8"), re.M)
    words = [word for cell in quoted for word in re.findall("“(.*?)”", cell)]
    assert len(words) >= 5
    assert [word for word in words if word not in said] == []


@pytest.mark.parametrize("page", [GUIDE, REFERENCE], ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    """Each link leads to an existing page or picture, and to one of its sections."""
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if link.startswith("http"):
            continue
        name, _, section = link.partition("#")
        target = page.parent / name if name else page
        assert target.is_file(), link
        assert not section or section in anchors(target), link


def test_pages_that_lead_to_the_reference_find_their_section() -> None:
    """Links of all pages to the reference lead to existing sections."""
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")):
        for name, section in re.findall(
            r"\]\([\w/.]*(pi-reference|on-your-pi)\.md#([\w-]+)\)", page.read_text("utf-8")
        ):
            assert section in anchors(ROOT / "docs" / f"{name}.md"), page
