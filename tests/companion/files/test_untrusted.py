"""Malicious catalogues, matches and backups are each refused with one sentence."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
import tarfile
import urllib.request
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from companion import cli
from companion.ops.backup.archive import CONTENTS_NAME, FORMAT, HEADER_NAME, KIND, LARGEST, BackupHeader
from tests.support.brokers import PATIENCE, free_port, until

OURS = msgspec.json.encode(BackupHeader(KIND, FORMAT, "1", "now", True))
GAME = b'{"game":"take-a-train","players":3}\n'
DEEP = b"[" * 100_000 + b"]" * 100_000


def refused(*words: str) -> str:
    """Run a command that must fail, and return its error message."""
    result = CliRunner().invoke(cli.main, list(words))
    assert result.exit_code == 1, result.output
    assert "Traceback" not in result.output and "should not have" not in result.output
    return result.output


@pytest.mark.parametrize("words", [("catalogue", "check"), ("catalogue", "show"), ("replay",), ("restore",)])
def test_a_pipe_or_a_device_is_not_waited_for(tmp_path: Path, words: tuple[str, ...]) -> None:
    """A pipe or device is refused at once, because reading it would never end."""
    where = ("--data", str(tmp_path / "data")) if words == ("restore",) else ()
    os.mkfifo(tmp_path / "pipe")
    assert "it is a pipe, not a file" in refused(*words, str(tmp_path / "pipe"), *where)
    assert "it is a device, not a file" in refused(*words, "/dev/zero", *where)


@pytest.mark.parametrize(("content", "why"), [
    (b"a = " + b"[" * 3000, "nested too deeply"),
    (b".".join([b"a"] * 20_000) + b" = 1", "nested too deeply"),
    (b"a = " + b"9" * 5000, "a number or a date that no computer takes"),
    (b"#" * (1 << 21), "larger than 1024 KiB"),
])  # fmt: skip
def test_a_catalogue_beyond_the_bounds_is_a_sentence(tmp_path: Path, content: bytes, why: str) -> None:
    """A catalogue with too many brackets, keys or digits is refused."""
    path = tmp_path / "cards.toml"
    path.write_bytes(content)
    assert why in refused("catalogue", "check", str(path))


@pytest.mark.parametrize("content", [
    DEEP, GAME + b'{"event":"purposes_dealt","purposes":' + DEEP + b"}", b'{"game":"take-a-train","players":999999999}',
    b'{"game":"take-a-train","players":' + b"9" * 5000 + b"}", GAME + b'{"event":"\xff"}',
])  # fmt: skip
def test_a_match_beyond_the_bounds_is_a_sentence(tmp_path: Path, content: bytes) -> None:
    """A match beyond the limits is refused, such as one with an enormous number of players."""
    path = tmp_path / "match.jsonl"
    path.write_bytes(content + b"\n")
    assert str(path.name) in refused("replay", str(path))


def packed(path: Path, *members: tuple[str, bytes] | tarfile.TarInfo) -> str:
    """Write a tar file with members whose announced size may exceed their content, and return its path."""
    out = io.BytesIO()
    for member in members:
        info, data = (
            (member, b"") if isinstance(member, tarfile.TarInfo) else (announced(member[0], len(member[1])), member[1])
        )
        out.write(info.tobuf(tarfile.PAX_FORMAT) + data + bytes(-len(data) % tarfile.BLOCKSIZE))
    path.write_bytes(out.getvalue() + bytes(tarfile.RECORDSIZE))
    return str(path)


def announced(name: str, size: int, kind: bytes = tarfile.REGTYPE) -> tarfile.TarInfo:
    """Return a member that announces the given size."""
    info = tarfile.TarInfo(name)
    info.size, info.type = size, kind
    return info


@pytest.mark.parametrize("members", [
    [(HEADER_NAME, DEEP)],
    [(HEADER_NAME, OURS.replace(b"now", b"\xff"))],
    [(HEADER_NAME, OURS), (CONTENTS_NAME, b'{"files":[],"matches":[],"x":' + DEEP + b"}")],
    [(HEADER_NAME, OURS), ("decks/" + "/".join("a" * 1500), b"x")],
    [(HEADER_NAME, OURS), ("decks/../../x", b"x")],
    [(HEADER_NAME, OURS), ("decks/x", b"x"), ("decks/x", b"y")],
    [(HEADER_NAME, OURS), ("decks/x", b"x"), ("decks/x/y", b"y")],
    [(HEADER_NAME, OURS), announced("decks/x", LARGEST + 1)],
    [(HEADER_NAME, OURS), announced("decks/x", 1 << 30)],
    [announced("x", 3 << 30, tarfile.XHDTYPE)],
    [(HEADER_NAME, OURS), announced("x", 3 << 30, tarfile.GNUTYPE_LONGNAME)],
])  # fmt: skip
def test_a_backup_beyond_the_bounds_is_a_sentence_and_leaves_nothing(
    tmp_path: Path, members: list[tuple[str, bytes] | tarfile.TarInfo]
) -> None:
    """A backup beyond the limits is refused, and no unpacked file remains."""
    data = tmp_path / "data"
    data.mkdir()
    refused("restore", packed(tmp_path / "backup", *members), "--data", str(data))
    assert {path.name for path in tmp_path.iterdir()} == {"data", "backup"}
    assert not [path for path in data.iterdir() if path.is_dir()]


def test_the_real_table_starts_beside_settings_that_are_a_pipe(tmp_path: Path) -> None:
    """If the settings are a pipe, the table reports that, serves its pages and ends on request."""
    os.mkfifo(tmp_path / "companion.toml")
    port = free_port()
    address = f"http://127.0.0.1:{port}/health"
    command = [sys.executable, "-m", "companion", "run", "--host", "127.0.0.1", "--port", str(port)]
    command += ["--data", str(tmp_path)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COMPANION_")}
    with subprocess.Popen(
        [*command, "--data", str(tmp_path)], stderr=subprocess.PIPE, text=True, env=environment
    ) as table:

        def served() -> bool:
            assert table.poll() is None
            with (
                contextlib.suppress(OSError),
                urllib.request.urlopen(address, timeout=5) as page,
            ):
                return page.status == 200
            return False

        try:
            until(served)
            table.send_signal(signal.SIGTERM)
            _, told = table.communicate(timeout=PATIENCE)
        finally:
            table.kill()
    assert "this is not a file but a pipe" in told and "Traceback" not in told
