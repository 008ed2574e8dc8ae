"""A whole small machine with its own systemd, in a container (systemd-nspawn) above a root that stays untouched.

Its changes are discarded when it ends. Needs Linux, root, `systemd-nspawn` and a root made by `make systemd`.
"""

from __future__ import annotations

import os
import platform
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

PROJECT = Path(__file__).parents[2]
PATIENCE = 60.0
"""The timeout in seconds, long enough for a busy machine."""
LOOK = 0.1
AGAIN = 133
"""The exit code of systemd-nspawn when the machine asks for a restart."""
ADDRESS = "10.11.12.1"
"""The address of a machine with its own network."""
PIP = ("/etc/pip.conf", "/etc/ssl/certs", "/opt/wheels", "/opt/pypi", "/opt/pypi-more")
"""Settings for access to Python's packages, which are passed to the container."""


def roots() -> Path:
    """Return the folder of the roots."""
    named = os.environ.get("COMPANION_ROOTS")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(named) if named else cache / "table-companion" / "roots"


def debian() -> str:
    """Return Debian's name for this machine's architecture."""
    return {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())


def wheels(suite: str = "bookworm") -> Path:
    """Return the folder of Python packages for machines of this architecture."""
    return (roots().parent / "wheels" / f"{suite}-{debian()}").resolve()


def missing(name: str) -> str:
    """Return why no machine can be started above the root of this name, or an empty text."""
    if os.geteuid() != 0:
        return "only root can start a container"
    if shutil.which("systemd-nspawn") is None:
        return "there is no systemd-nspawn (apt install systemd-container)"
    if not (roots() / name / ".made").exists():
        return f"there is no root {name} (make systemd)"
    return ""


class Failed(AssertionError):
    """An error of a command in the machine, with its whole output."""


class Machine:
    """A running machine. Commands run in it as root, unless a user is named."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], alone: bool) -> None:
        self.command, self.environment, self.alone = command, environment, alone
        self.process: subprocess.Popen[bytes]
        self.leader = 0
        self.changes = Path()

    def start(self) -> None:
        """Start the machine, wait until systemd has finished starting, and set up the network."""
        quiet = subprocess.DEVNULL
        settings = {**os.environ, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"}
        self.process = subprocess.Popen(self.command, env=settings, stdin=quiet, stdout=quiet, stderr=quiet)
        try:
            self.leader = child_of(self.process)
            self.until(lambda: is_up(self), "the machine's start")
            if self.alone:
                self.sh("ip link add net0 type veth peer name net1; ip link set net0 up; ip link set net1 up")
                self.sh(f"ip address add {ADDRESS}/24 dev net0")
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        """Kill the machine, as a power cut does."""
        if self.process.poll() is not None:
            return
        if self.leader:
            os.kill(self.leader, signal.SIGKILL)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def run(
        self, *command: str, user: str = "", code: int | None = 0, timeout: float = PATIENCE
    ) -> subprocess.CompletedProcess[str]:
        """Run a command; raise `Failed` for an unexpected exit code (None: any is allowed)."""
        as_user = ("runuser", "-u", user, "--") if user else ()
        words = ("nsenter", "--target", str(self.leader), "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup")
        done = subprocess.run(
            (*words, "--root", "env", "--chdir=/", *as_user, *command),
            env={"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", **self.environment},
            capture_output=True,
            text=True,
            errors="replace",  # a file may be read while it is being rewritten
            stdin=subprocess.DEVNULL,
            timeout=timeout,
            check=False,
        )
        if code is not None and done.returncode != code:
            raise Failed(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done

    def sh(self, script: str, user: str = "", code: int | None = 0, timeout: float = PATIENCE) -> str:
        """Run a shell script, and return its standard output and error output."""
        done = self.run("bash", "-c", script, user=user, code=code, timeout=timeout)
        return (done.stdout + done.stderr).strip()

    def show(self, unit: str, property: str) -> str:
        """Return a property of a unit."""
        return self.run("systemctl", "show", unit, f"--property={property}", "--value").stdout.strip()

    def until(self, wanted: Callable[[], bool], what: str, patience: float = PATIENCE) -> None:
        """Wait until a condition holds."""
        until = time.monotonic() + patience
        while not wanted():
            if time.monotonic() > until:
                raise Failed(f"this did not come: {what}\n{self.log()}")
            time.sleep(LOOK)

    def active(self, unit: str) -> bool:
        """Return whether a unit is active."""
        return self.run("systemctl", "is-active", unit, code=None).stdout.strip() == "active"

    def log(self, *words: str) -> str:
        """Return the end of the log."""
        return self.run("journalctl", "--no-pager", "-q", "-n", "60", *words, code=None).stdout

    def until_off(self) -> int:
        """Wait until the machine has powered off; return the container's exit code."""
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Failed(f"the machine did not switch itself off\n{self.log()}") from None

    def until_started_again(self) -> None:
        """Wait until the machine asks for a restart, and start it."""
        if self.until_off() != AGAIN:
            raise Failed("the machine switched itself off instead of starting again")
        self.start()


@contextmanager
def booted(name: str, binds: Sequence[str] = (), pip: bool = False, changes: Path | None = None) -> Iterator[Machine]:
    """Start a machine above the root of this name; the project is at /src.

    With the `changes` of another, ended machine, it starts from that one's state, which stays unchanged. With `pip` it
    shares this machine's network and its settings for Python's packages; otherwise it is isolated, with its own
    address.
    """
    environment = {k: v for k, v in os.environ.items() if k.startswith("PIP_")} if pip else {}
    shared = [f"--bind-ro={path}" for path in PIP if pip and Path(path).exists()]
    with layered(*((changes,) if changes else ()), roots() / name) as folder:
        command = (
            *("systemd-nspawn", "--quiet", "--directory", str(folder), "--register=no", "--keep-unit"),
            *("--console=read-only", "--hostname=table", f"--bind-ro={PROJECT}:/src", *shared),
            *(f"--bind-ro={bind}" for bind in binds),
            *(() if pip else ("--private-network",)),
            "--boot",
        )
        machine = Machine(command, environment, not pip)
        machine.changes = folder.with_name("upper")
        machine.start()
        try:
            yield machine
        finally:
            machine.end()


@contextmanager
def layered(*roots: Path) -> Iterator[Path]:
    """Yield a folder that overlays roots, the first on top, and collects all changes; it survives restarts."""
    with tempfile.TemporaryDirectory(prefix="companion-machine-") as name, ExitStack() as stack:

        def mount(kind: str, where: Path, options: str) -> None:
            subprocess.run(("mount", "-t", kind, "companion", "-o", options, str(where)), check=True)
            stack.callback(subprocess.run, ("umount", str(where)), check=True)

        memory = Path(name)
        mount("tmpfs", memory, "mode=755")
        upper, work, merged = (memory / each for each in ("upper", "work", "merged"))
        for each in (upper, work, merged):
            each.mkdir()
        mount("overlay", merged, f"lowerdir={':'.join(map(str, roots))},upperdir={upper},workdir={work}")
        yield merged


def is_up(machine: Machine) -> bool:
    """Return whether systemd has finished starting."""
    said = machine.run("systemctl", "is-system-running", code=None).stdout.strip()
    return said in ("running", "degraded")


def child_of(process: subprocess.Popen[bytes]) -> int:
    """Return the first process of the container, which systemd-nspawn starts after some preparation."""
    until = time.monotonic() + PATIENCE
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while time.monotonic() < until and process.poll() is None:
        for child in children.read_text().split():
            try:
                if Path(f"/proc/{child}/comm").read_text().strip() == "systemd":
                    return int(child)
            except OSError:
                continue
        time.sleep(LOOK)
    raise Failed(f"the container did not start (exit code {process.poll()})")
