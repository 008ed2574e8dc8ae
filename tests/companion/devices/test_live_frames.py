"""The outlines over the live picture reach pages completely or not at all."""

from __future__ import annotations

from pathlib import Path

from companion.devices.frames import CardOutline, LiveFrame, read_frame, write_frame
from companion.messages import Sighting

CORNERS = ((0.1, 0.1), (0.2, 0.1), (0.2, 0.3), (0.1, 0.3))


def test_what_is_put_is_read(tmp_path: Path) -> None:
    """A frame that was written is read back with its outlines."""
    live = LiveFrame(
        7, (CardOutline(Sighting("market", "coal-100", 1, confidence=0.9), CORNERS),), {"market": CORNERS}, ("auction",)
    )
    write_frame(tmp_path, b"picture", live)
    assert (tmp_path / "live.jpg").read_bytes() == b"picture"
    assert read_frame(tmp_path) == live


def test_nothing_and_nonsense_are_none(tmp_path: Path) -> None:
    """A missing or invalid file is read as None."""
    assert read_frame(tmp_path) is None
    for text in ("{", '{"at": "x"}', "[]"):
        (tmp_path / "live.json").write_text(text)
        assert read_frame(tmp_path) is None
