"""A simulated machine without dpkg and systemd, which records the steps of updates."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.ops.update.package import read_package
from companion.ops.update.places import Places
from companion.ops.update.sentences import UpdateError
from companion.ops.update.system import Done
from companion.ops.update.updater import Stage, Updater, copy_of
from tests.support.packages import write_package

OLD, NEW = "0.2.0", "0.3.0"


class FakeServices:
    """Services, of which one may fail with a version."""

    def __init__(self, machine: FakeMachine) -> None:
        self.machine, self.bad = machine, dict[str, str]()

    def working(self) -> tuple[str, ...]:
        """Return the running services."""
        return ("table", "camera")

    def restart(self, names: tuple[str, ...]) -> None:
        """Record a restart."""
        self.machine.record.append(f"restart {' '.join(names)} {self.machine.version}")

    def stop_table(self) -> None:
        """Record that the table stops."""
        self.machine.record.append("stop table")

    def failing(self, names: tuple[str, ...]) -> str:
        """Return the service that fails with the installed version, or an empty string."""
        return self.bad.get(self.machine.version, "")


class FakeMachine:
    """A machine that answers for dpkg and Python and records the calls."""

    def __init__(self, folder: Path) -> None:
        self.places, self.folder = Places(folder / "root"), folder
        for path in (self.places.program, self.places.kept, self.places.data, self.places.lock.parent,
                     self.places.root / "run/companion", self.places.root / "var/lib/dpkg/info"):  # fmt: skip
            path.mkdir(parents=True)
        self.version, self.architecture, self.record, self.stages = OLD, "arm64", list[str](), list[Stage]()
        self.formats = {OLD: 1, NEW: 1}
        self.journal = 1
        self.fails: dict[str, Done] = {}
        """Results of failing commands, by a part of the command."""
        self.there = [("python3", "3.13.5-1", ""), ("python3-flask", "3.1.1-1", "flask (= 3.1.1), python-flask")]
        self.before: Callable[[str], None] = lambda line: None
        """A function that is called with each command before it runs."""
        self.half_done = False
        """Whether a failing dpkg leaves the package half configured."""
        self.services = FakeServices(self)
        write_package(self.places.current, OLD)

    def run(self, command: Sequence[str]) -> Done:
        """Run a command."""
        line = " ".join(command)
        self.before(line)
        for part, done in self.fails.items():
            if part in line:
                self.record.append(f"failed: {part}")
                return done
        for pattern, answer in (
            (r"dpkg-query -W -f \$\{db:Status-Status\} ", lambda _: self.state()),
            (r"dpkg-query -W -f \$\{db:Status-Status\}\t", lambda _: self.listed()),
            (r"dpkg --print-architecture", lambda _: self.architecture),
            (r"env SYSTEMD_OFFLINE=1 dpkg .*--install (\S+)", self.install),
            (r"dpkg-deb --extract \S+ (\S+)", self.extract),
            (r"-m compileall", lambda _: self.note("compile")),
            (r"companion\.ops\.update\.trial", lambda _: self.trial(line)),
            (r"companion\.ops\.update\.saving format", lambda _: str(self.journal)),
            (r"companion\.ops\.update\.saving save", lambda _: self.note("save") or "/saved"),
            (r"bin/companion restore .* (\S+)", self.restore),
        ):
            if found := re.search(pattern, line):
                return Done(0, answer(found))
        if found := re.search(r"--compare-versions (\S+) (\w+) (\S+)", line):
            one, other = (tuple(map(int, re.findall(r"\d+", each))) for each in (found[1], found[3]))
            holds = {"lt": one < other, "ge": one >= other, "eq": one == other}
            return Done(0 if holds[found[2]] else 1, "")
        raise AssertionError(f"nobody knows this command: {line}")

    def note(self, what: str) -> str:
        """Record a step and return an empty output."""
        self.record.append(what)
        return ""

    def state(self) -> str:
        """Return the package's state as dpkg prints it."""
        half = self.half_done and self.record[-1:] == [f"failed: --install {self.places.work}"]
        return f"half-configured {NEW}" if half else f"installed {self.version}"

    def listed(self) -> str:
        """Return the list of installed packages as dpkg prints it."""
        rows = [*self.there, ("table-companion", self.version, "")]
        return "".join(f"installed\t{name}\t{version}\t{more}\n" for name, version, more in rows)

    def install(self, found: re.Match[str]) -> str:
        """Install a package."""
        self.version = read_package(Path(found[1])).version
        marker = json.loads(self.places.marker.read_text()) if self.places.marker.exists() else {}
        self.record.append(f"install {self.version} while {marker.get('from')} is the way back")
        if self.formats[self.version] > self.journal:
            self.journal = self.formats[self.version]
        return ""

    def extract(self, found: re.Match[str]) -> str:
        """Create the folder of an unpacked package without its content."""
        (Path(found[1]) / "usr/lib/table-companion").mkdir(parents=True)
        return self.note("extract")

    def trial(self, line: str) -> str:
        """Record the trial of the unpacked or installed version and return its result."""
        version = NEW if f"{self.places.work}/" in line else self.version
        self.record.append(f"trial {version}")
        return json.dumps({"format": self.formats[version], "why": ""})

    def restore(self, found: re.Match[str]) -> str:
        """Record that saved data are restored."""
        self.journal = 1
        return self.note(f"restore {found[1]}")

    def update(self, package: Path, signed: bool = False, older: bool = False) -> str:
        """Update to a package and return the keys of the result."""
        self.record.clear()
        self.stages.clear()
        try:
            version = Updater(self.places, self.run, self.services, self.stages.append).update(
                copy_of(package), signed, older
            )
        except UpdateError as error:
            return f"{error.cause.key}, {error.key}" if error.cause else error.key
        return f"done {version}"

    def kept(self) -> list[str]:
        """Return the versions of the kept packages by file name."""
        return [f"{path.stem} {read_package(path).version}" for path in sorted(self.places.kept.iterdir())]

    def untouched(self) -> bool:
        """Return whether nothing has changed since the start."""
        switched = [each for each in self.record if each.startswith(("install", "restart", "restore", "stop"))]
        return (self.version, switched, self.kept(), self.places.marker.exists()) == (
            OLD,
            [],
            [f"current {OLD}"],
            False,
        )
