"""Without a suitable gpiozero the buttons say why they are missing, and everything else runs."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion import cli
from companion.findings import finding_text, sentences
from hardware import commands
from hardware.pins import library


def test_what_is_installed_here_will_do() -> None:
    """The tests run with a version of gpiozero that is recent enough."""
    assert library.missing_library() == ()


@pytest.mark.parametrize(("found", "state"), [("1.6.2", "old"), ("2.0", "old"), ("2.0.1.post3", ""), ("3.0", "")])
def test_one_that_is_too_old_is_named(monkeypatch: pytest.MonkeyPatch, found: str, state: str) -> None:
    """gpiozero 1.6.2, which Debian 13 has, is refused because it does not pass on the time of an edge."""
    monkeypatch.setattr(library, "version", lambda _: found)
    assert [each.state for each in library.missing_library()] == [state] * bool(state)


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide gpiozero from imports."""

    def version(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(library, "version", version)


@pytest.mark.usefixtures("without")
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_without_one_the_doctor_says_what_to_install(tmp_path: Path, lang: str) -> None:
    """Without gpiozero the doctor examines no pin and asks for no press."""
    (found,) = commands.examine(tmp_path, "auto")
    assert (found.key, found.state, found.grade) == ("buttons.library", "missing", "bad")
    what, how, advice = finding_text(found, sentences(lang))
    assert "gpiozero" in how and "python3-gpiozero" in advice and "2.0.1" in advice and what
    assert commands.press(tmp_path, "auto", 0.1, lambda _: None) == []


@pytest.mark.usefixtures("without")
def test_without_one_the_command_is_one_sentence(tmp_path: Path) -> None:
    """Without gpiozero the command prints one sentence instead of a traceback."""
    done = CliRunner().invoke(cli.main, ["buttons", "--data", str(tmp_path), "--test"])
    assert (done.exit_code, done.stderr) == (1, "Error: Buttons: gpiozero is not installed.\n")
