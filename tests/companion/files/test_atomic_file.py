"""Replacing a file writes the whole content with the requested mode."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.files.atomic_file import replace_file


@pytest.mark.parametrize(("content", "found"), [("né\n", b"n\xc3\xa9\n"), (b"\xff\r\n", b"\xff\r\n")])
def test_a_file_has_the_new_content_and_mode(tmp_path: Path, content: str | bytes, found: bytes) -> None:
    """The file has the new content and mode, and an unfinished copy from a power cut is replaced."""
    path = tmp_path / "kept"
    path.write_text("the old content, which is longer")
    path.chmod(0o644)
    (tmp_path / ".kept.new").write_text("half a file, from when the power failed")
    replace_file(path, content, 0o600)
    assert path.read_bytes() == found and path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_the_mode_does_not_depend_on_the_mask(tmp_path: Path) -> None:
    """The mode of the file does not depend on the user's umask."""
    before = os.umask(0o077)
    try:
        replace_file(tmp_path / "kept", "", 0o640)
    finally:
        os.umask(before)
    assert (tmp_path / "kept").stat().st_mode & 0o777 == 0o640


def test_a_group_that_is_not_there_changes_nothing(tmp_path: Path) -> None:
    """If the group does not exist, the file keeps its default group."""
    replace_file(tmp_path / "kept", "x", 0o640, "nobody-has-this-group")
    assert (tmp_path / "kept").stat().st_gid == tmp_path.stat().st_gid


def test_a_failure_leaves_the_old_file(tmp_path: Path) -> None:
    """If writing fails, the file keeps its old content."""
    (tmp_path / "kept").write_text("old")
    with pytest.raises(UnicodeEncodeError):
        replace_file(tmp_path / "kept", "\udc00", 0o600)
    assert (tmp_path / "kept").read_text() == "old"
