"""A wiring is read from its settings, or refused with one sentence that names the mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import config
from companion.config import ConfigError
from hardware.wiring import header
from hardware.wiring.wiring import DEFAULT, WiredPart, Wiring, configured_wiring, read, remarks, shipped, uses

TWO = "seats = [{ button = 17, lamp = 18 }, { button = 27 }]\n"


def wired(text: str) -> Wiring:
    """Return the wiring in a text."""
    return configured_wiring(config.parse("[wiring]\n" + text, "x.toml"))


def refused(text: str) -> str:
    """Return the sentence with which a wiring is refused."""
    with pytest.raises(ConfigError) as caught:
        wired(text)
    return str(caught.value)


def test_the_shipped_wiring_has_six_seats_a_host_and_a_buzzer() -> None:
    """The shipped text is the default, and each of its pins is used once and has no other function."""
    assert (
        Wiring(
            (
                WiredPart(17, 18),
                WiredPart(27, 23),
                WiredPart(22, 24),
                WiredPart(5, 25),
                WiredPart(6, 16),
                WiredPart(13, 20),
            ),
            host=26,
            buzzer=12,
        )
        == DEFAULT
    )
    pins = [use.pin for use in uses(DEFAULT)]
    assert len(set(pins)) == len(pins) == 14
    assert not set(pins) & {*header.USES, *header.IDENTIFYING}
    assert remarks(DEFAULT) == ()


def test_a_folder_without_settings_is_wired_as_shipped(tmp_path: Path) -> None:
    """Without settings the default wiring is used."""
    assert read(tmp_path) == DEFAULT


def test_the_shipped_text_can_be_put_into_the_settings_as_it_is(tmp_path: Path) -> None:
    """The output of `companion wiring --write` is read back as the same wiring."""
    config.path_in(tmp_path).write_text(shipped(), encoding="utf-8")
    assert read(tmp_path) == DEFAULT


def test_a_small_table_is_read_with_the_usual_times() -> None:
    """Lamps, the host's button and the buzzer are optional, and missing times get their defaults."""
    assert wired(TWO) == Wiring((WiredPart(17, 18), WiredPart(27)))
    assert wired(TWO + "hold_ms = 900\n").hold_ms == 900


def test_the_settings_file_is_named_in_a_refusal(tmp_path: Path) -> None:
    """The sentence names the settings' file."""
    path = config.path_in(tmp_path)
    path.write_text("[wiring]\nseats = []\n", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        read(tmp_path)
    assert str(caught.value) == f"{path}, line 2, [wiring]: 0 seats are wired; there must be 2 to 6."


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "seats must be a list such as"),
        ("seats = 6", "seats must be a list such as"),
        ("seats = [{ button = 17 }]", "1 seats are wired; there must be 2 to 6"),
        ("seats = [" + "{ button = 17 }," * 7 + "]", "7 seats are wired; there must be 2 to 6"),
        ("seats = [17, 27]", "seat 1 is 17; write it as { button = 17, lamp = 18 }"),
        ("seats = [{ button = 17 }, { lamp = 18 }]", "seat 2 has no button; every seat needs one"),
        ("seats = [{ button = 17 }, { button = 17 }]", "GPIO 17 is used twice, for the button of seat 1 and for the b"),
        (TWO + "host = 18", "GPIO 18 is used twice, for the lamp of seat 1 and for the host's button"),
        (TWO + "host = 5\nbuzzer = 5", "GPIO 5 is used twice, for the host's button and for the buzzer"),
        (TWO + "host = 99", "the host's button cannot be on 99: the header has no such pin; allowed are GPIO 2 to 27"),
        (TWO + "host = -1", "the host's button cannot be on -1: the header has no such pin"),
        (TWO + "host = 39", "position 39 on the header is a ground pin, but settings use GPIO numbers"),
        (TWO + "host = 38", "position 38 on the header is GPIO20, but settings use GPIO numbers"),
        (TWO + "host = 0", "GPIO 0 and 1 are reserved for the chip that identifies add-on boards"),
        (TWO + 'host = "3V3"', 'cannot be on "3V3": that is a power pin'),
        (TWO + 'host = "gnd"', 'cannot be on "gnd": that is a ground pin'),
        (TWO + 'host = "GPIO5"', "write a pin as its GPIO number without quotation marks"),
        (TWO + "host = true", "cannot be on true: write a pin as its GPIO number"),
        (TWO + "host = 5.0", "cannot be on 5.0: write a pin as its GPIO number"),
        (TWO + "buzzer = 2", "the buzzer cannot be on 2: the board has resistors from GPIO 2 and 3 (I2C) to 3.3 V"),
        ("seats = [{ button = 17, lamp = 3 }, { button = 5 }]", "the lamp of seat 1 cannot be on 3: the board has"),
        (TWO + "hots = 5", "'hots' is unknown here; known keys are seats, host, buzzer"),
        (
            "seats = [{ button = 17, light = 3 }, { button = 5 }]",
            "x.toml, line 2, [wiring], seat 1: 'light' is unknown here",
        ),
        (TWO + "bounce_ms = 0", "bounce_ms is 0; it must be a whole number from 1 to 1000"),
        (TWO + "bounce_ms = -5", "bounce_ms is -5; it must be"),
        (TWO + "bounce_ms = 2.5", "bounce_ms is 2.5; it must be"),
        (TWO + 'stuck_s = "20"', 'stuck_s is "20"; it must be'),
        (TWO + "bounce_ms = 700", "bounce_ms (700 ms) must be shorter than hold_ms (700 ms)"),
        (TWO + "noise_ms = 800", "noise_ms (800 ms) must be shorter than hold_ms (700 ms)"),
        (TWO + "hold_ms = 3000\nstuck_s = 3", "hold_ms (3000 ms) must be shorter than stuck_s (3000 ms)"),
    ],
)
def test_a_bad_table_is_refused_with_one_sentence(text: str, wanted: str) -> None:
    """One sentence says where the mistake is, what it is, and which values are allowed."""
    said = refused(text)
    assert said.startswith("x.toml") and wanted in said
    assert said.endswith(".") and "\n" not in said


def test_a_button_may_hang_on_i2c_with_a_remark() -> None:
    """A button on GPIO 2 or 3 is allowed; a remark mentions the fixed pull-up resistors."""
    found = wired("seats = [{ button = 2 }, { button = 3 }]")
    assert [line.split(" ")[1] for line in remarks(found)] == ["2", "3"]


def test_the_header_agrees_with_gpiozero() -> None:
    """The places on the header agree with gpiozero's."""
    from gpiozero.pins.pi import PiBoardInfo

    for revision in (0xC03111, 0xC04170):
        board = PiBoardInfo.from_revision(revision).headers["J8"]
        assert tuple(board.pins[place].name for place in range(1, 41)) == header.HEADER
        assert {int(p.name[4:]) for p in board.pins.values() if p.pull == "up"} <= set(header.PULLED_UP)


def test_the_nearest_ground_is_a_ground() -> None:
    """For each pin the nearest ground is a ground pin, and no other is closer."""
    for place in range(1, 41):
        near = header.ground_near(place)
        assert header.HEADER[near - 1] == header.GROUND
        rows = [abs((n - 1) // 2 - (place - 1) // 2) for n in range(1, 41) if header.HEADER[n - 1] == header.GROUND]
        assert abs((near - 1) // 2 - (place - 1) // 2) == min(rows)
