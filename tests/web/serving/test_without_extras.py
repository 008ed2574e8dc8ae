"""Test a table without the dependencies of halls, demonstrations and development."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.support.brokers import free_port

PATIENCE = 30.0
LACKING = {
    "packages of a hall": ("cryptography", "spake2"),
    "rooms of ours": ("companion.demo", "companion.hall", "vision.bench", "vision.simulate", "web.hall"),
}
"""Modules that cannot be imported: optional packages, and parts of the project that no table uses."""


@pytest.mark.parametrize("lacking", LACKING.values(), ids=LACKING)
def test_a_table_starts_without_them(tmp_path: Path, lacking: tuple[str, ...]) -> None:
    """A table with settings of its own starts without these modules, and its settings are checked."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "companion.toml").write_text("[presses]\ncount_gap_ms = 900\n")
    port = free_port()
    program = f"import sys; sys.modules.update(dict.fromkeys({lacking})); from companion.cli import main; main()"
    options = ("--port", str(port), "--host", "127.0.0.1", "--pins", "none", "--camera", "none", "--data", "data")
    with subprocess.Popen(
        [sys.executable, "-c", program, "run", *options],
        cwd=tmp_path,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        ends = time.monotonic() + PATIENCE
        try:
            while process.poll() is None and time.monotonic() < ends:
                try:
                    with urlopen(f"http://127.0.0.1:{port}/health", timeout=PATIENCE) as answer:
                        assert answer.status == 200
                        return
                except URLError:
                    time.sleep(0.1)
            pytest.fail(process.stdout.read() if process.poll() is not None else "It does not answer.")
        finally:
            process.terminate()
