"""The command `companion hall` as a separate process."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
from pathlib import Path

from tests.support.hall_brokers import port_with_neighbour

LOCAL = "127.0.0.1"


class HallProcess:
    """A running hall and its output."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.broker_port = port_with_neighbour()
        self.port = port_with_neighbour()
        while self.port == self.broker_port:
            self.port = port_with_neighbour()
        self.printed = folder / "printed"
        command = [sys.executable, "-m", "companion", "hall", "--port", str(self.port), *options]
        command += ["--broker-port", str(self.broker_port), "--data", str(folder)]
        with self.printed.open("wb") as file:
            self.process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, env=os.environ)

    def get(self, path: str) -> str:
        """Return a page, or an empty text if nobody answers yet."""
        assert self.process.poll() is None, self.printed.read_text()
        try:
            with urllib.request.urlopen(f"http://{LOCAL}:{self.port}{path}", timeout=5) as answer:
                return str(answer.read().decode())
        except OSError:
            return ""

    @property
    def address(self) -> str:
        """The address of its pages."""
        return f"http://{LOCAL}:{self.port}"

    def stop(self) -> int:
        """Terminate the process; return its exit code."""
        self.process.terminate()
        return self.process.wait(20)

    def children(self) -> list[int]:
        """Return the child processes of the hall."""
        found = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True, check=False)
        return [int(line) for line in found.stdout.split()]
