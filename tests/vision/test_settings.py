"""Tests of the camera's settings and of the messages for mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.config import ConfigError
from vision.settings import CameraSettings, settings


def written(folder: Path, text: str) -> Path:
    """Write settings into a data folder and return the folder."""
    (folder / "companion.toml").write_text(f"[camera]\n{text}\n", encoding="utf-8")
    return folder


def test_without_settings_all_is_usual(tmp_path: Path) -> None:
    """Without a file or table, the defaults are the usual card, any camera and the number of players from the mat."""
    assert settings(tmp_path) == settings(written(tmp_path, "")) == CameraSettings()


def test_settings_are_read(tmp_path: Path) -> None:
    """Each key of the settings is read."""
    text = (
        'source = "usb:1"\ndeck = "ours"\ncard = "70 x 120 mm"\nplayers = 5\nrotate = 180\nfocus = 1.5\nsensor = "half"'
        "\nmains = 60"
    )
    assert settings(written(tmp_path, text)) == CameraSettings(
        "usb:1", "ours", (70.0, 120.0), 5, 180, 1.5, "take-a-train", "half", "easy", 60
    )
    assert settings(written(tmp_path, 'mains = "auto"')) == CameraSettings()


@pytest.mark.parametrize(
    ("text", "said"),
    [('card = "63"', "63x88"), ("rotate = 45", "0, 90, 180 or 270"), ("players = 40", "0 to 20"),
     ('focus = "near"', "dioptres"), ('sensor = "big"', "half"), ('lens = "wide"', "lens"),
     ("source = 1", "quotation"), ("mains = 55", "50 or 60"), ("mains = 50.0", "50 or 60"),
     ('mains = "60"', "50 or 60")],
)  # fmt: skip
def test_mistakes_are_told_with_what_was_allowed(tmp_path: Path, text: str, said: str) -> None:
    """A mistake is reported with the file, the key and the allowed values."""
    with pytest.raises(ConfigError, match=r"companion\.toml") as found:
        settings(written(tmp_path, text))
    assert said in str(found.value)
