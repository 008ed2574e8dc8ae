"""Starts and ends measured servers, at full speed or slowed, and reads their memory and processor time."""

from __future__ import annotations

import os
import re
import socket
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

HERE = Path(__file__).resolve()
LOOP = "127.0.0.1"
PATIENCE = 10.0
"""The seconds after which a change counts as lost."""
SLOW_START = 60.0
"""The seconds to wait for a start: on a quarter of a core, the first one compiles templates for some 16 s."""
AT_REST = 50.0
"""The processor milliseconds in 2.5 s that a table at rest may take."""
QUOTA = Path("/sys/fs/cgroup/cpu")
"""The folder of processor limits of the kernel (cgroup v1)."""
QUARTER = 0.25
"""The speed of Python on a Pi 4 relative to one core of a desktop machine."""
PERIOD = 5000
"""The period of a slowed process's quota in microseconds."""


def free_port() -> int:
    """Return a free port."""
    with socket.create_server((LOOP, 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def process(command: Sequence[str], share: float = 1.0, group: Path | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program, optionally with a fraction of one core's time or with that of a `group`, and end it afterwards."""
    # As in an installation, Python caches compiled files, even if this environment disables that.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    with ExitStack() as stack:
        if share < 1:
            group = stack.enter_context(slow_group(share))
        if group is not None:
            command = ("sh", "-c", f'echo $$ > {group}/tasks; exec "$@"', "sh", *command)
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=HERE.parents[2], env=environment)
        try:
            yield running
        finally:
            running.terminate()
            running.wait(4 * PATIENCE)


@contextmanager
def slowed(share: float) -> Iterator[None]:
    """Limit this process to a fraction of one core's time; 1 leaves it unlimited."""
    if share >= 1:
        yield
        return
    with slow_group(share) as group:
        (group / "cgroup.procs").write_text(str(os.getpid()))
        try:
            yield
        finally:
            (QUOTA / "cgroup.procs").write_text(str(os.getpid()))


@contextmanager
def slow_group(share: float) -> Iterator[Path]:
    """Yield a group of processes with this fraction of one core's time."""
    group = QUOTA / f"companion-{os.getpid()}"
    group.mkdir(exist_ok=True)
    (group / "cpu.cfs_period_us").write_text(str(PERIOD))
    (group / "cpu.cfs_quota_us").write_text(str(int(share * PERIOD)))
    try:
        yield group
    finally:
        group.rmdir()


def can_slow() -> bool:
    """Return whether this process may limit others to a fraction of a core."""
    return QUOTA.is_dir() and os.access(QUOTA, os.W_OK)


def wait_for(port: int) -> float:
    """Wait until a server answers, and return the seconds."""
    begun = time.perf_counter()
    while time.perf_counter() - begun < PATIENCE:
        try:
            with socket.create_connection((LOOP, port), PATIENCE) as probe:
                probe.sendall(b"GET / HTTP/1.0\r\n\r\n")
                if probe.recv(1 << 16):
                    return time.perf_counter() - begun
        except OSError:
            time.sleep(0.01)
    raise TimeoutError("the server did not start")


def resident(running: int) -> tuple[float, float]:
    """Return the memory of a process and its children in MB: resident, and its proportional share (PSS)."""
    family = [running]
    for line in Path("/proc").glob("[0-9]*/stat"):
        try:
            parts = line.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(parts[1]) == running:
            family.append(int(line.parent.name))
    whole = share = 0
    for each in family:
        text = Path(f"/proc/{each}/smaps_rollup").read_text()
        whole += int(re.findall(r"^Rss:\s+(\d+)", text, re.M)[0])
        share += int(re.findall(r"^Pss:\s+(\d+)", text, re.M)[0])
    return whole / 1024, share / 1024


def worked(running: int) -> float:
    """Return the processor time of a process and its children in milliseconds."""
    ticks = 0
    for line in Path("/proc").glob("[0-9]*/stat"):
        try:
            parts = line.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(line.parent.name) == running or int(parts[1]) == running:
            ticks += int(parts[11]) + int(parts[12])
    return 1000 * ticks / os.sysconf("SC_CLK_TCK")


def settle(running: int) -> None:
    """Wait until a process is idle, because people sit down long after it has prepared its pages."""
    late, before = time.perf_counter() + SLOW_START, -1.0
    while time.perf_counter() < late and (now := worked(running)) > before + AT_REST:
        before = now
        time.sleep(2.5)


def percentile(times: list[float], part: float) -> float:
    """Return the value below which that fraction of the times lies."""
    return sorted(times)[min(len(times) - 1, int(part * len(times)))]


def told(label: str, times: list[float]) -> str:
    """Return times as a line."""
    if not times:
        return f"{label:34s} none"
    return (
        f"{label:34s} p50 {statistics.median(times):6.2f} ms   p99 {percentile(times, 0.99):6.2f} ms   n {len(times)}"
    )
