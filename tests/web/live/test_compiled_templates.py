"""Test that compiled templates survive a restart, and that a damaged file costs no page."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment

from web.live.compiled_templates import FOLDER, CompiledTemplates, NamesRead
from web.page_app import TemplatesInMemory


def shown(data: Path, source: str = "{% if seat %}Seat {{ seat }}{% endif %}") -> str:
    """Return a page from a new start with this data folder."""
    start = Environment(loader=DictLoader({"page": source}), bytecode_cache=CompiledTemplates(data), autoescape=True)
    return start.get_template("page").render(seat=3)


def compiling(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows with every template compiled from now on."""
    found: list[str] = []
    inner = Environment._compile

    def noted(self: Environment, source: str, filename: str) -> object:
        found.append(filename)
        return inner(self, source, filename)

    monkeypatch.setattr(Environment, "_compile", noted)
    return found


def test_a_second_start_compiles_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second start uses the files of the first one, and compiles only changed templates."""
    compiled = compiling(monkeypatch)
    assert [shown(tmp_path), shown(tmp_path)] == ["Seat 3", "Seat 3"]
    assert len(compiled) == 1
    assert shown(tmp_path, "{{ seat }} moved") == "3 moved"
    assert len(compiled) == 2


def test_applications_of_a_process_share_what_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second application of a process compiles only templates with a different text."""
    compiled, memory = compiling(monkeypatch), TemplatesInMemory()
    said = []
    for source in ("Seat {{ seat }}", "Seat {{ seat }}", "{{ seat }} moved"):
        app = Environment(loader=DictLoader({"page": source}), bytecode_cache=memory)
        said.append(app.get_template("page").render(seat=3))
    assert said == ["Seat 3", "Seat 3", "3 moved"]
    assert len(compiled) == 2


@pytest.mark.parametrize("left", [0, 10, 40, 200])
@pytest.mark.parametrize("rest", [b"", b"\0" * 4096])
def test_a_file_that_a_power_cut_damaged_is_compiled_anew(tmp_path: Path, left: int, rest: bytes) -> None:
    """A file that is short or ends in zeros is compiled again."""
    shown(tmp_path)
    (file,) = (tmp_path / FOLDER).iterdir()
    whole = file.read_bytes()
    assert len(whole) > 200
    file.write_bytes(whole[:left] + rest)
    assert shown(tmp_path) == "Seat 3"
    assert file.read_bytes() == whole


def test_a_folder_that_cannot_be_written_costs_no_page(tmp_path: Path) -> None:
    """Pages work even if the folder cannot be made, because a file has its name."""
    (tmp_path / FOLDER).write_text("a file")
    assert shown(tmp_path) == "Seat 3"


def test_what_a_template_reads_is_parsed_once(tmp_path: Path) -> None:
    """A second start reads the stored names of a template; changed texts and damaged files are parsed again."""
    parsed: list[str] = []

    def parse() -> NamesRead:
        parsed.append("again")
        return NamesRead(frozenset(["view", "me"]), frozenset(["macros.html", None]))

    said = [CompiledTemplates(tmp_path).names_read("page", text, parse) for text in ("old", "old", "new", "new")]
    assert said == [parse()] * 4
    assert len(parsed) == 3
    (file,) = (tmp_path / FOLDER).iterdir()
    file.write_bytes(file.read_bytes()[:-1])
    assert CompiledTemplates(tmp_path).names_read("page", "new", parse) == said[0]
    assert len(parsed) == 4
