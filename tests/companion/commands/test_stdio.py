"""Output suits every terminal: its encoding is respected, and control characters in names are harmless."""

from __future__ import annotations

import io
import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import click
import msgspec
import pytest
from click.testing import CliRunner

from companion import cli
from companion.commands.stdio import ERRORS, OneLine, SafeStream, in_ascii
from companion.commands.terminal import print_code
from companion.engine import Player
from companion.games import GAMES
from companion.journal.journal import Journal
from companion.match.match import Match
from tests.support.matches import ours

EVIL = "Zoë\x1b[31m\u202e\n\x9bł✓"
"""A name with control characters: red text, right-to-left text and a line break."""
SHOWN = "Zoë\\u001b[31m\\u202e\\n\\u009bł✓"


def commands(group: click.Group = cli.main, *words: str) -> list[tuple[str, ...]]:
    """Return the words of every command and group below a group."""
    found = [words]
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        found += commands(command, *words, name) if isinstance(command, click.Group) else [(*words, name)]
    return found


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """Yield a data folder with a match in which a player's name contains terminal commands."""
    setup = ours()
    players = tuple(msgspec.structs.replace(each, name=EVIL) for each in setup.seated())
    assert isinstance(players[0], Player)
    with Journal(tmp_path / "journal.db") as journal:
        Match.begin(journal, msgspec.structs.replace(setup, players=players))
        journal.keep("table/current", b"1")
    return tmp_path


SAMPLES = (
    ("address",), ("doctor", "--lang", "fr"), ("wiring",), ("game", "list"), ("camera", "--list"),
    *(("rules", game, "--lang", lang) for game in sorted(GAMES) for lang in ("en", "fr")),
    *(("catalogue", "show", "--game", game) for game in sorted(GAMES)),
    ("simulate", "take-a-train", "--players", "3", "--games", "2", "--seed", "1"),
    ("export", "--list", "--data", "DATA"), ("export", "--data", "DATA"), ("replay", "DATA/journal.db"),
    ("export", "--list", "--json", "--data", "DATA"), ("replay", "DATA/nothing-é-ł.db"),
    ("backup", "--open", "--data", "DATA"), ("host-pin", "--data", "DATA"), ("broker", "DATA/broker"),
)  # fmt: skip


@pytest.mark.parametrize("charset", ["ascii", "iso-8859-1", "iso-8859-15"])
@pytest.mark.parametrize("words", SAMPLES, ids=" ".join)
def test_commands_print_in_any_encoding(
    evil: Path, words: tuple[str, ...], charset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command prints in every encoding without an error and sends no control sequences to the terminal."""
    monkeypatch.setenv("COMPANION_DATA", str(evil))
    line = [word.replace("DATA", str(evil)) for word in words]
    result = CliRunner(charset=charset).invoke(cli.main, line, input="1234\n")
    assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
    text = result.stdout_bytes.decode(charset) + result.stderr_bytes.decode(charset)
    assert "Unexpected error" not in text
    assert not set("\x1b\x9b\u202e") & set(text)


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_explains_itself_in_ascii(words: tuple[str, ...]) -> None:
    """The help of every command can be printed in ASCII, even of those that need a running table."""
    result = CliRunner(charset="ascii").invoke(cli.main, [*words, "--help"])
    assert (result.exit_code, result.exception) == (0, None)


@pytest.mark.parametrize("words", [("replay", "DATA/journal.db"), ("export", "--list", "--data", "DATA")], ids=" ".join)
def test_names_are_shown_and_not_obeyed(evil: Path, words: tuple[str, ...]) -> None:
    """Escape codes, bidi marks and line breaks in a name are escaped, and the rest is unchanged."""
    line = [word.replace("DATA", str(evil)) for word in words]
    result = CliRunner(env={"COLUMNS": "400"}).invoke(cli.main, line)
    assert result.exit_code == 0, result.output
    assert SHOWN in result.stdout.replace("\n", "")


def test_json_is_the_same_json_on_every_terminal(evil: Path) -> None:
    """JSON output preserves a name in every encoding."""
    for charset in ("utf-8", "iso-8859-1", "ascii"):
        for words in (["export", "--list", "--json", "--data", str(evil)], ["export", "--data", str(evil)]):
            result = CliRunner(charset=charset).invoke(cli.main, words)
            first = json.loads(result.stdout_bytes.decode("utf-8").splitlines()[0])
            header = first[0]["setup"] if isinstance(first, list) else first
            assert header["players"][0]["name"] == EVIL


def test_a_terminal_without_utf_8_gets_a_process_that_prints(tmp_path: Path) -> None:
    """In the locale C without UTF-8 mode every command prints ASCII without a traceback."""
    told = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "COMPANION_DATA": str(tmp_path)}
    for words in (["doctor", "--lang", "fr"], ["address"], ["wiring"], ["rules", "express", "--lang", "fr"]):
        done = subprocess.run([sys.executable, "-m", "companion", *words], env=told, capture_output=True, check=False)
        assert b"Traceback" not in done.stderr and b"UnicodeEncodeError" not in done.stderr
        assert (done.stdout + done.stderr).isascii()


def test_a_character_is_told_in_ascii() -> None:
    """Letters lose their accents, signs have replacements, and only a lone accent becomes empty."""
    assert "".join(map(in_ascii, "déjà Łódź œuf – 5 × 3 ½ ✓ │ 10 € …")) == "deja Lodz oeuf - 5 x 3 1/2 + | 10 EUR ..."
    assert (in_ascii("漢"), in_ascii("\u0301"), in_ascii("╬")) == ("?", "", "+")


def test_a_log_line_is_one_line() -> None:
    """A line break in a message or traceback cannot forge another log entry."""
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(OneLine("%(levelname)s %(message)s"))
    try:
        raise ValueError("bad\nERROR forged")
    except ValueError:
        handler.handle(
            logging.makeLogRecord({"msg": "a\nERROR forged", "levelname": "WARNING", "exc_info": sys.exc_info()})
        )
    assert [line for line in out.getvalue().splitlines() if line.startswith("ERROR")] == []


class Screen(io.StringIO):
    """A terminal with a given encoding."""

    def __init__(self, encoding: str, terminal: bool) -> None:
        super().__init__()
        self.named, self.terminal = encoding, terminal

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """Return its encoding."""
        return self.named

    def isatty(self) -> bool:
        """Return whether it is a terminal."""
        return self.terminal


@pytest.mark.parametrize(
    ("encoding", "terminal", "part"),
    [("utf-8", False, "█"), ("iso-8859-1", True, "\x1b[7m"), ("iso-8859-1", False, "")],
)
def test_a_code_is_shown_as_the_terminal_can(
    encoding: str, terminal: bool, part: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The QR code is drawn with blocks or reverse-video spaces, or is left out with a message."""
    screen = Screen(encoding, terminal)
    monkeypatch.setattr(sys, "stdout", SafeStream(screen))
    print_code("http://192.168.1.20:8080/")
    assert part in screen.getvalue()
    assert bool(screen.getvalue()) == bool(part)
    assert ("QR code is left out" in capsys.readouterr().err) == (not part)


def test_streams_are_as_before_in_the_end() -> None:
    """A command leaves the standard streams as it found them."""
    before = sys.stdout, sys.stderr, getattr(sys.stdout, "errors", "")
    CliRunner().invoke(cli.main, ["rules", "express"])
    assert (sys.stdout, sys.stderr, getattr(sys.stdout, "errors", "")) == before
    assert "é".encode("ascii", ERRORS) == b"e"
