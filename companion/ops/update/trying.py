"""Tries out a new version beside the installed one: unpacks it, compiles it, and imports it as the table's user."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import NamedTuple

from companion.ops.update.places import Places
from companion.ops.update.sentences import UpdateError
from companion.ops.update.system import Done, Run, must

USER, GROUPS = "companion", "companion,companion-pictures"
PYTHON = "/usr/bin/python3"
BESIDE = "usr/lib/table-companion"
"""The program's folder inside a package."""
STARTING = (
    "import runpy,sys; sys.path.insert(0, sys.argv.pop(1)); runpy.run_module(sys.argv.pop(1), run_name='__main__')"
)
"""Code that runs a module from a folder outside Python's own path."""


class TrialResult(NamedTuple):
    """The result of a trial: the newest journal format that a version can read."""

    format: int

    @classmethod
    def of_installed(cls, places: Places, run: Run) -> TrialResult:
        """Return the result for the installed version."""
        return trial_in(places.program, places, run)


def as_table(places: Places, folder: Path, module: str, *words: str) -> tuple[str, ...]:
    """Return the command that runs a module from a folder as the table's user, without any of root's rights."""
    return (
        "setpriv", f"--reuid={USER}", f"--regid={USER}", f"--groups={GROUPS}", "--no-new-privs", "--inh-caps=-all",
        "--bounding-set=-all", "--", "env", f"COMPANION_DATA={places.data}",
        f"COMPANION_CAMERA_DATA={places.root / 'var/lib/companion-camera'}",
        f"COMPANION_CONFIG={places.root / 'etc/companion/companion.toml'}",
        PYTHON, "-I", "-B", "-c", STARTING, str(folder), module, *words,
    )  # fmt: skip


def try_out(package: Path, places: Places, run: Run) -> TrialResult:
    """Unpack a package to a separate folder, compile all its files, and import its entry points; raise
    `UpdateError`."""
    folder = places.work / "trial"
    must(run(("dpkg-deb", "--extract", str(package), str(folder))), "cannot_unpack")
    folder.chmod(0o755)
    program = folder / BESIDE
    if not program.is_dir():
        raise UpdateError("cannot_unpack", why=f"/{BESIDE}")
    done = run((PYTHON, "-I", "-m", "compileall", "-q", str(program)))
    if done.code:
        must(done._replace(said=compiler_said(done, program)), "broken_file")
    found = trial_in(program, places, run)
    shutil.rmtree(folder, ignore_errors=True)
    return found


def compiler_said(done: Done, program: Path) -> str:
    """Return the compiler's first error on one line, with the file's path after the installation."""
    lines = [line.strip() for line in done.said.replace(f"{program}/", "").splitlines() if line.strip()]
    first = next((line for line in lines if line.startswith("*** ")), "")
    kind = next((line for line in lines if "Error:" in line), lines[-1] if lines else "")
    where = first.removeprefix("*** Error compiling ").rstrip(".")
    return f"{where}: {kind}" if where else kind


def trial_in(program: Path, places: Places, run: Run) -> TrialResult:
    """Import the entry points of a version; raise `UpdateError` with its faults."""
    done = must(run(as_table(places, program, "companion.ops.update.trial")), "does_not_load")
    try:
        found = json.loads(done.last_line)
        number, why = int(found["format"]), str(found["why"])
    except (ValueError, KeyError, TypeError):
        raise UpdateError("does_not_load", why=done.last) from None
    if why:
        raise UpdateError("does_not_load", why=why[:400])
    return TrialResult(number)


def journal_format(places: Places, run: Run) -> int:
    """Return the format of the table's journal; 0 if there is none."""
    said = must(run(as_table(places, places.program, "companion.ops.update.saving", "format")), "cannot_save").last
    return int(said) if said.isdecimal() else 0


def save_data(places: Places, run: Run) -> str:
    """Copy the table's data and return the folder of the copy; empty if there is no data."""
    done = must(run(as_table(places, places.program, "companion.ops.update.saving", "save")), "cannot_save")
    return done.said.strip()
