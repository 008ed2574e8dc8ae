"""The folder with pictures for pages on the same machine."""

import os
from pathlib import Path

import pytest

from companion.devices.frames import frames_folder, replace_file


def test_a_data_folder_has_one_frames_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each data folder has its own folder of pictures, which only its owner can read."""
    monkeypatch.delenv("COMPANION_SHELF", raising=False)
    here, there = frames_folder(tmp_path / "a"), frames_folder(tmp_path / "b")
    try:
        assert here == frames_folder(tmp_path / "a") != there
        assert here.stat().st_mode & 0o777 == 0o700
    finally:
        here.rmdir()
        there.rmdir()


def test_a_picture_is_replaced_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture is replaced as a whole, without a partial file beside it."""
    monkeypatch.setenv("COMPANION_SHELF", str(tmp_path / "s"))
    path = frames_folder(tmp_path) / "live.jpg"
    replace_file(path, b"old")
    replace_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert [each.name for each in path.parent.iterdir()] == ["live.jpg"]


def test_a_frames_folder_that_the_system_names_may_be_somebody_elses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder of another user is refused, unless the environment names it as shared."""
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    monkeypatch.setenv("COMPANION_SHELF", str(tmp_path / "s"))
    assert frames_folder(tmp_path) == tmp_path / "s"
    monkeypatch.delenv("COMPANION_SHELF")
    monkeypatch.setattr("companion.devices.frames.MEMORY", tmp_path)
    with pytest.raises(PermissionError, match="belongs to another user"):
        frames_folder(tmp_path)
