"""Tests that all commands in documents exist with their options."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from companion.cli import main
from tests.support.paths import ROOT

DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("companion/games/**/rules.md")])
TYPED = re.compile(r"(?:sudo )?companion (?=[a-z-])(.+)")
SERVICES = frozenset(
    word
    for label in re.findall(r"^  ([a-z |-]+)\)", (ROOT / "systemd" / "companion").read_text(encoding="utf-8"), re.M)
    for word in label.split(" | ")
)
"""Options that the wrapper of the services handles before or instead of the program."""
NAMES = re.compile(r"\bmake ([a-z-]+)")
MODULES = re.compile(r"python -m (tests[\w.]*)(?: ([a-z_]+))?")


def code(text: str) -> list[str]:
    """Return the lines of fenced blocks and the spans of inline code."""
    blocks = re.findall(r"^ *```\w*\n(.*?)^ *```", text, re.M | re.S)
    prose = re.sub(r"^ *```\w*\n.*?^ *```", "", text, flags=re.M | re.S)
    return [line for block in blocks for line in block.splitlines()] + re.findall(r"`([^`]+)`", prose)


def commands(document: Path) -> list[list[str]]:
    """Return the words of each of the companion's commands in a document, without comments and further commands."""
    lines = [" ".join(line.split()) for line in code(document.read_text(encoding="utf-8"))]
    typed = [found[1] for line in lines if (found := TYPED.match(line))]
    return [shlex.split(re.split(r" && | > |; ", line)[0], comments=True) for line in typed]


def refused(words: list[str]) -> str:
    """Return why the command line refuses words, or an empty text; required arguments may be missing."""
    command: click.Command | None = main
    context = click.Context(main, info_name="companion")
    while isinstance(command, click.Group) and words:
        command = command.get_command(context, words[0])
        if command is None:
            return "" if context.parent is None and words[0] in SERVICES else f"there is no {words[0]}"
        words = words[1:]
        context = click.Context(command, parent=context, info_name=command.name)
    assert command is not None
    try:
        command.make_parser(context).parse_args([*words])
    except click.UsageError as error:
        return error.format_message()
    return ""


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_document_names_commands_that_can_be_typed(document: Path) -> None:
    """Each command and option in a document exists."""
    assert [(words, why) for words in commands(document) if (why := refused(words))] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_document_names_targets_that_make_has(document: Path) -> None:
    """Each `make NAME` in code is a target of the Makefile."""
    made = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    named = {name for line in code(document.read_text(encoding="utf-8")) for name in NAMES.findall(line)}
    assert named - made == set()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_document_names_tools_that_exist(document: Path) -> None:
    """Each `python -m tests…` names a module, and each `python -m tests.bench NAME` a benchmark."""
    for module, name in MODULES.findall(" ".join(code(document.read_text(encoding="utf-8")))):
        file = "tests/bench/bench_" + name if module == "tests.bench" and name else module.replace(".", "/")
        assert (ROOT / f"{file}.py").is_file() or (ROOT / file / "__init__.py").is_file(), file


def test_a_misspelt_command_is_found() -> None:
    """A missing command or option is refused with its name."""
    assert refused(["simulat"]) == "there is no simulat"
    assert "--playrs" in refused(["mat", "print", "--playrs", "4"])
    assert sum(len(commands(document)) for document in DOCUMENTS) > 80
