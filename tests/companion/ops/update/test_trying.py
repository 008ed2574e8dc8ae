"""A new version is tried in a separate folder, and its dependencies are checked."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.ops.update import examine, trying
from companion.ops.update.places import Places
from companion.ops.update.sentences import UpdateError
from companion.ops.update.system import Done, run
from tests.support.packages import PROGRAM, write_package
from tests.support.paths import ROOT

dpkg = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="there is no dpkg-deb")


def missing(depends: str, listed: str) -> str:
    """Return the missing dependencies."""

    def answer(command: Sequence[str]) -> Done:
        return Done(0, listed) if command[0] == "dpkg-query" else run(command)

    try:
        examine.check_dependencies(depends, answer)
    except UpdateError as error:
        return str(error.fields["names"])
    return ""


@pytest.mark.skipif(shutil.which("dpkg") is None, reason="there is no dpkg")
def test_dependencies_are_read_as_dpkg_does() -> None:
    """Dependencies are compared as dpkg does, with versions, alternatives and half-installed packages."""
    listed = (
        "installed\tpython3\t3.13.5-1\t\ninstalled\texim4\t4.98\tmail-transport-agent, smtp (= 1)\n"
        "config-files\tgone\t1.0\t\nunpacked\thalf\t1.0\t\n"
    )
    well = "python3 (>= 3.11), python3:any (<< 4), nonesuch | python3, mail-transport-agent, smtp"
    assert missing(well, listed) == ""
    assert missing("python3 (>= 3.14~), python3 (= 3.13.5-1)", listed) == "python3 (>= 3.14~)"
    assert missing("gone, half, mail-transport-agent (>= 1), a | b (>= 2)", listed) == (
        "gone, half, mail-transport-agent (>= 1), a | b (>= 2)"
    )


UNLINKED = "import sys; sys.meta_path = [each for each in sys.meta_path if 'editable' not in repr(each).lower()]"
"""Without this line, an environment that links to this tree would supply what the tried version lacks."""


def plainly(command: Sequence[str]) -> Done:
    """Run a command as the present user with this Python, because only root can become the table's user."""
    words = list(command)
    if words[0] == "setpriv":
        words = words[words.index("--") + 1 :]
    own = {trying.PYTHON: sys.executable, trying.STARTING: f"{UNLINKED}; {trying.STARTING}"}
    return run([own.get(word, word) for word in words])


def tried(places: Places, files: dict[str, bytes | str]) -> str:
    """Try a package of some files and return the error, or an empty string."""
    path = write_package(
        places.work / "candidate.deb", files={f"{PROGRAM}/{name}": text for name, text in files.items()}
    )
    try:
        trying.try_out(path, places, plainly)
    except UpdateError as error:
        return f"{error.key}: {error.fields.get('why')}"
    return ""


@dpkg
def test_a_mistake_in_any_file_is_found_before_it_is_installed(places: Places) -> None:
    """A syntax error in any file is found before the installation and reported with the file."""
    good: dict[str, bytes | str] = {"companion/__init__.py": "", "vision/service/loop.py": "def f(:\n"}
    said = tried(places, good)
    assert said.startswith("broken_file: ") and "vision/service/loop.py" in said and "SyntaxError" in said


@dpkg
def test_a_package_without_our_program_is_none(places: Places) -> None:
    """A package without the companion's program is refused."""
    path = write_package(places.work / "candidate.deb", files={"usr/share/x": "y"})
    with pytest.raises(UpdateError, match="/usr/lib/table-companion"):
        trying.try_out(path, places, plainly)


@dpkg
def test_a_version_that_says_nothing_of_itself_is_refused(places: Places) -> None:
    """A version whose trial is missing, fails or prints nonsense is refused."""
    assert tried(places, {"companion/__init__.py": ""}).startswith("does_not_load: ")
    own = dict.fromkeys(["companion/__init__.py", "companion/ops/__init__.py", "companion/ops/update/__init__.py"], "")
    assert tried(places, {**own, "companion/ops/update/trial.py": "print(1)"}) == "does_not_load: 1"


def test_this_version_loads(places: Places) -> None:
    """The present version can be loaded and reports its journal format."""
    from companion.engine import FORMAT

    assert trying.trial_in(ROOT, places, plainly).format == FORMAT


def test_a_broken_part_is_named(tmp_path: Path, places: Places) -> None:
    """A module that cannot be imported and a game that cannot be played are reported by name."""
    for name in ("companion", "hardware", "web", "vision"):
        shutil.copytree(ROOT / name, tmp_path / "new" / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path, text, said in (
        ("web/app.py", "import nonesuch\n", "No module named 'nonesuch'"),
        ("hardware/buttons_service.py", "raise SystemExit(3)\n", "SystemExit: 3"),
        ("companion/games/trains/__init__.py", "GAME = 1 / 0\n", "companion.games.trains: "),
    ):
        broken = tmp_path / "new" / path
        kept = broken.read_text()
        broken.write_text(text)
        with pytest.raises(UpdateError) as error:
            trying.trial_in(tmp_path / "new", places, plainly)
        assert error.value.key == "does_not_load" and said in str(error.value)
        broken.write_text(kept)
