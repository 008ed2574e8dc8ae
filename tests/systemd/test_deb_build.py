"""Tests of the built Debian package without a machine: reproducible bytes, the right places and dependencies."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.systemd.machine import PROJECT

BUILD = PROJECT / "systemd/deb/build"
CONTROL = (PROJECT / "systemd/deb/control").read_text()
NAMED = {"fpdf2": "fpdf", "opencv-python-headless": "opencv"}
"""Packages with another name in Debian."""
pytestmark = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="there is no dpkg-deb (this is no Debian)")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Yield a wheel with a module and pip's metadata."""
    path = tmp_path_factory.mktemp("wheel") / "table_companion-1.2.3-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as files:
        files.writestr("companion/cli.py", "def main() -> int:\n    print('hello')\n    return 3\n")
        files.writestr("companion/__init__.py", "")
        files.writestr("table_companion-1.2.3.dist-info/METADATA", "Name: table-companion\nVersion: 1.2.3\n")
        files.writestr("table_companion-1.2.3.dist-info/RECORD", "companion/cli.py,,\n")
    return path


def built(wheel: Path, out: Path, *words: str) -> Path:
    """Build a package and return its path."""
    settings = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
    command = (sys.executable, str(BUILD), "--wheel", str(wheel), *words, str(out))
    subprocess.run(command, env=settings, check=True, stdout=subprocess.DEVNULL)
    return out


def fields(line: str) -> dict[str, str]:
    """Return the packages in a line of the control file with the lowest version of each."""
    (found,) = re.findall(rf"^{line}: (.*)$", CONTROL, re.M)
    rows = (re.fullmatch(r"(\S+)(?: \(>= (.*)\))?", each.strip()) for each in found.split(","))
    return {row[1]: row[2] or "" for row in rows if row}


def needs(lines: list[str]) -> dict[str, str]:
    """Return the requirements of pyproject.toml by Debian's names, with each lowest version."""
    rows = (re.match(r"([a-z0-9-]+)>=([0-9.]+)", line) for line in lines)
    return {f"python3-{NAMED.get(row[1], row[1])}": row[2] for row in rows if row}


def test_it_depends_on_all_that_the_program_needs() -> None:
    """The package depends on each requirement in a suitable version, and recommends pins and camera."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = needs([*project["dependencies"], *extras["hall"], *extras["vision"]])
    assert len(wanted) >= 17
    there = {**fields("Depends"), **fields("Recommends")}
    bare = {name: re.sub(r"^\d+:", "", version) for name, version in there.items()}
    assert there["python3-regex"] == "0.1.20240416", "Debian's version is the date alone"
    bare["python3-regex"] = "2024.4.16"
    assert {name: bare.get(name) for name in wanted} == wanted
    assert {name for name in wanted if name in fields("Recommends")} == {
        "python3-gpiozero", "python3-numpy", "python3-opencv",
    }  # fmt: skip


def test_the_same_source_gives_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    """The package's bytes do not depend on the time, the folder or the rights of new files."""
    first = built(wheel, tmp_path / "a.deb")
    old = os.umask(0o077)
    try:
        second = built(wheel, tmp_path / "elsewhere" / "b.deb")
    finally:
        os.umask(old)
    assert first.read_bytes() == second.read_bytes()


def test_everything_lies_where_the_package_has_it(wheel: Path, tmp_path: Path) -> None:
    """Each file is in the package's place, without references to the places of systemd/install or unfilled fields."""
    key = tmp_path / "key"
    key.write_text("a-key\n")
    tree = tmp_path / "tree"
    subprocess.run(("dpkg-deb", "-R", str(built(wheel, tmp_path / "a.deb", "--key", str(key))), str(tree)), check=True)
    ours = tree / "usr/lib/table-companion"
    assert (ours / "release-key").read_text() == "a-key\n"
    assert not (ours / "table_companion-1.2.3.dist-info/RECORD").exists()
    units = tree / "usr/lib/systemd/system"
    assert {each.name for each in units.iterdir()} >= {each.name for each in (PROJECT / "systemd/units").iterdir()}
    takes_over = ("preinst", "postinst", "postrm")
    for path in (each for each in tree.rglob("*") if each.is_file() and each.suffix != ".gz"):
        text = path.read_text()
        assert "/opt/companion" not in text or path.name in takes_over, path
        assert not re.search(r"@[A-Z]+@", text), path
        if text.startswith("#!"):
            assert path.stat().st_mode & 0o111, path
    started = [re.search(r"^ExecStart=(\S+)", each.read_text(), re.M) for each in units.glob("*.service")]
    assert all(found and (tree / found[1].lstrip("/")).exists() for found in started)
    for name in ("preinst", "postinst", "prerm", "postrm"):
        subprocess.run(("sh", "-n", str(tree / "DEBIAN" / name)), check=True)
    assert (tree / "DEBIAN/conffiles").read_text() == "/etc/companion/companion.toml\n"


def test_the_program_finds_its_own_folder(wheel: Path, tmp_path: Path) -> None:
    """The program and its child processes find its folder from any working directory."""
    tree = tmp_path / "tree"
    subprocess.run(("dpkg-deb", "-R", str(built(wheel, tmp_path / "a.deb")), str(tree)), check=True)
    ours = tree / "usr/lib/table-companion"
    (tmp_path / "companion.py").write_text("raise SystemExit(9)\n")
    program = (ours / "bin/companion").read_text().replace('"/usr/lib/table-companion"', repr(str(ours)))
    (tmp_path / "program").write_text(program)
    done = subprocess.run(
        (sys.executable, "-Ps", str(tmp_path / "program")), cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (3, "hello\n"), done.stderr
