"""The settings' file: read as it is, or one sentence about what is wrong and where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion import config
from companion.config import ConfigError


def refused(act: Callable[[], object]) -> str:
    """Return the sentence with which the settings are refused."""
    with pytest.raises(ConfigError) as caught:
        act()
    return str(caught.value)


def test_no_file_means_no_settings(tmp_path: Path) -> None:
    """A folder without settings has none, and that is no error."""
    assert config.read(tmp_path) == {}


def test_the_tables_are_given_as_they_stand(tmp_path: Path) -> None:
    """What stands in the file is handed on unchanged."""
    config.path_in(tmp_path).write_text('[wiring]\nhost = 26\n[radio]\nbroker = "table"\n', encoding="utf-8")
    assert config.read(tmp_path) == {"wiring": {"host": 26}, "radio": {"broker": "table"}}


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        (b"[wiring]\nhost = \n", "line 2"),
        (b"[wiring]\nhost = 1\nhost = 2\n", "line 3"),
        (b"host = 26\n", "'host' stands outside any table"),
        (b"[wiring]\nhost = '\xff'\n", "is no text: byte 17"),
    ],
)
def test_a_bad_file_is_refused_with_its_name_and_the_place(tmp_path: Path, content: bytes, wanted: str) -> None:
    """Whoever wrote the file learns which file, and where in it."""
    path = config.path_in(tmp_path)
    path.write_bytes(content)
    said = refused(lambda: config.read(tmp_path))
    assert said.startswith(str(path)) and wanted in said and said.endswith(".")


def test_a_folder_in_the_files_place_is_refused(tmp_path: Path) -> None:
    """What the system says about a file reaches the reader."""
    config.path_in(tmp_path).mkdir()
    assert refused(lambda: config.read(tmp_path)) == f"{config.path_in(tmp_path)} cannot be read: Is a directory."


def test_a_key_that_nobody_knows_is_refused_with_those_that_are_known() -> None:
    """A misspelt key is not passed over."""
    assert refused(lambda: config.only({"hots": 26}, ("host", "buzzer"), "[wiring]")) == (
        "[wiring]: 'hots' is not known here; known are host, buzzer."
    )


@pytest.mark.parametrize(
    ("value", "told"), [(0, "0"), (11, "11"), (2.5, "2.5"), ("5", '"5"'), (True, "true"), ([5], "a list")]
)
def test_a_number_must_be_whole_and_in_its_bounds(value: object, told: str) -> None:
    """Anything but a whole number in its bounds is refused as it was written."""
    assert refused(lambda: config.whole({"port": value}, "port", "[radio]", 1, 10, 5)) == (
        f"[radio]: port is {told}; it must be a whole number from 1 to 10."
    )


def test_what_is_left_out_is_the_default() -> None:
    """A key that is not there means its default."""
    assert config.whole({}, "port", "[radio]", 1, 10, 5) == 5
    assert config.words({}, "broker", "[radio]", "here") == "here"


def test_a_text_must_be_one() -> None:
    """A number where a text belongs is refused."""
    assert refused(lambda: config.words({"broker": 7}, "broker", "[radio]")) == (
        "[radio]: broker is 7; it must be a text in quotation marks."
    )
