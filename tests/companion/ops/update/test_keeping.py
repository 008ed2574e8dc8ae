"""Data and the installed package are kept for a rollback."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.ops.backup.restore import restore
from companion.ops.update import saving
from companion.ops.update.package import read_package
from companion.ops.update.places import Places
from companion.ops.update.repack import repack
from companion.ops.update.system import Done, run
from tests.support.packages import PROGRAM

dpkg = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="there is no dpkg-deb")


def test_the_data_are_copied_whole_and_can_be_put_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Journal and settings are copied with private modes and can be restored, and old copies are deleted."""
    from companion.journal.journal import Journal

    monkeypatch.delenv("COMPANION_CONFIG", raising=False)
    folder = tmp_path / "data"
    folder.mkdir()
    with Journal(folder / "journal.db") as journal:
        journal.keep("a", b"1")
    (folder / "companion.toml").write_text("# mine\n")
    for day in range(7):
        (folder / "backups" / f"{saving.PREFIX}2020010{day}T000000").mkdir(parents=True)
    saved = saving.save(folder)
    assert sorted(path.name for path in saved.iterdir()) == ["companion.toml", "journal.db"]
    assert saved.stat().st_mode & 0o077 == 0
    assert len(list((folder / "backups").iterdir())) == saving.KEPT
    assert saving.journal_format(folder) == 1 and saving.journal_format(tmp_path) == 0
    with Journal(folder / "journal.db") as journal:
        journal.keep("a", b"2")
    restore(saved, folder)
    with Journal(folder / "journal.db") as journal:
        assert journal.read_value("a") == b"1"


def test_a_journal_of_a_newer_version_is_known_by_its_number(tmp_path: Path) -> None:
    """The format of a journal from a newer version is read without opening its records."""
    with sqlite3.connect(tmp_path / "journal.db") as db:
        db.execute("PRAGMA user_version=7")
    db.close()
    assert saving.journal_format(tmp_path) == 7


@dpkg
def test_a_package_is_made_again_of_installed_files(places: Places) -> None:
    """A package is rebuilt from installed files, without settings, so that dpkg does not replace those."""
    info = places.root / "var/lib/dpkg/info"
    info.mkdir(parents=True)
    (info / "table-companion.postinst").write_text("#!/bin/sh\n")
    (info / "table-companion.postinst").chmod(0o755)
    (info / "table-companion.conffiles").write_text("/etc/companion/companion.toml\n")
    for name, text in ((f"{PROGRAM}/companion/x.py", "x = 1\n"), ("etc/companion/companion.toml", "# mine\n")):
        (places.root / name).parent.mkdir(parents=True, exist_ok=True)
        (places.root / name).write_text(text)
    (places.root / PROGRAM / "link").symlink_to("companion")
    listed = ["/.", "/usr", "/usr/lib", f"/{PROGRAM}", f"/{PROGRAM}/companion", f"/{PROGRAM}/companion/x.py",
              f"/{PROGRAM}/link", f"/{PROGRAM}/gone.py", "/etc", "/etc/companion",
              "/etc/companion/companion.toml"]  # fmt: skip
    status = (
        "Package: table-companion\nStatus: install ok installed\nMaintainer: T <t@example.org>\nArchitecture: all\n"
        "Version: 0.2.0\nConffiles:\n /etc/companion/companion.toml 0123\nDescription: one\n more of it\n"
    )

    def answer(command: Sequence[str]) -> Done:
        if command[0] != "dpkg-query":
            return run(command)
        return Done(0, status if command[1] == "-s" else "\n".join(listed) + "\n")

    repack(places, answer)
    assert read_package(places.current).version == "0.2.0" and not (places.work / "repacked").exists()
    out = places.work / "out"
    subprocess.run(("dpkg-deb", "--raw-extract", places.current, out), check=True)
    assert (out / PROGRAM / "companion/x.py").read_text() == "x = 1\n" and (out / PROGRAM / "link").is_symlink()
    assert os.access(out / "DEBIAN/postinst", os.X_OK) and "mine" not in (out / listed[-1].lstrip("/")).read_text()
    assert (
        "Status" not in (out / "DEBIAN/control").read_text() and " more of it" in (out / "DEBIAN/control").read_text()
    )
