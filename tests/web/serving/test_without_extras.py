"""A table on a machine that lacks the packages of a hall."""

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
LACKING = ("cryptography", "spake2")


def test_a_table_starts_without_the_packages_of_a_hall(tmp_path: Path) -> None:
    """The installation says "Everything works" where they cannot be fetched."""
    for package in LACKING:
        (tmp_path / "packages" / package).mkdir(parents=True)
        missing = f"raise ModuleNotFoundError(\"No module named '{package}'\", name='{package}')\n"
        (tmp_path / "packages" / package / "__init__.py").write_text(missing)
    port = free_port()
    program = "from companion.cli import main; main()"
    options = ("--port", str(port), "--host", "127.0.0.1", "--pins", "none", "--camera", "none", "--data", "data")
    with subprocess.Popen(
        [sys.executable, "-c", program, "run", *options],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "packages"), "XDG_STATE_HOME": str(tmp_path)},
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
