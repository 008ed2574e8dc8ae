"""The header's chip is found by its label under any number, and is never replaced by simulated pins."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from companion.findings import bad
from companion.messages import Health
from hardware.buttons import ButtonBoard
from hardware.doctor.diagnosis import judge_running
from hardware.pins import factory
from hardware.pins.factory import PinsError, closed_pins, open_pins
from hardware.pins.header_chip import NoHeaderError, PinChip, find_header, read_chips
from hardware.wiring.wiring import DEFAULT

NEEDS_LGPIO = pytest.mark.skipif(find_spec("lgpio") is None, reason="there is no lgpio")
PI_5 = (PinChip(10, "gpio-brcmstb@107d508500"), PinChip(11, "gpio-brcmstb@107d508520"), PinChip(13, "pinctrl-rp1"))


@pytest.mark.parametrize(
    ("chips", "number"),
    [
        (PI_5, 13),
        ((PinChip(0, "pinctrl-rp1"), PinChip(4, "pinctrl-rp1")), 0),
        ((PinChip(1, "raspberrypi-exp-gpio"), PinChip(0, "pinctrl-bcm2711")), 0),
        ((PinChip(0, "raspberrypi-exp-gpio"), PinChip(512, "pinctrl-bcm2835")), 512),
        ((PinChip(0, "", "permission denied"), PinChip(4, "pinctrl-rp1")), 4),
    ],
)
def test_the_header_is_found_by_its_label(chips: tuple[PinChip, ...], number: int) -> None:
    """The label is found on a Pi 5 with a kernel of 2026, with two names for one chip, on a Pi 4 and 3, and with a
    closed chip."""
    assert find_header(chips) == number


@pytest.mark.parametrize(
    ("chips", "said"),
    [
        ((), "there is no /dev/gpiochip*"),
        (PI_5[:2], "no chip is a Raspberry Pi's header: gpiochip10 is gpio-brcmstb@107d508500, "
                   "gpiochip11 is gpio-brcmstb@107d508520"),
        ((PinChip(0, "", "can not open gpiochip"), PI_5[0]), "/dev/gpiochip0: can not open gpiochip"),
    ],
)  # fmt: skip
def test_without_a_header_the_sentence_names_what_there_is(chips: tuple[PinChip, ...], said: str) -> None:
    """Without a header's chip no other chip is used, because its lines belong to the machine itself."""
    with pytest.raises(NoHeaderError) as found:
        find_header(chips)
    assert str(found.value) == said


@NEEDS_LGPIO
def test_pins_that_exist_and_do_not_open_are_never_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a Raspberry Pi a sentence says why the pins do not open, because simulated pins would ignore real buttons."""
    monkeypatch.setattr(factory, "is_raspberry", lambda: True)
    monkeypatch.setattr(factory, "read_chips", lambda _: PI_5[:2])
    with pytest.raises(PinsError, match="no chip is a Raspberry Pi's header: gpiochip10 is gpio-brcmstb") as found:
        open_pins("auto")
    assert "no pins" not in str(found.value) and "simulated" not in str(found.value)


@NEEDS_LGPIO
def test_a_header_that_is_seen_is_enough_to_know_that_there_are_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    """A header's chip is sufficient even if the machine does not call itself a Raspberry Pi."""
    monkeypatch.setattr(factory, "is_raspberry", lambda: False)
    monkeypatch.setattr(factory, "read_chips", lambda _: PI_5)
    with pytest.raises(PinsError, match="cannot be opened"):
        open_pins("auto")


@NEEDS_LGPIO
def test_a_laptop_with_other_chips_has_simulated_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    """A laptop's own chips are left alone, and nothing is reported as missing."""
    monkeypatch.setattr(factory, "is_raspberry", lambda: False)
    monkeypatch.setattr(factory, "read_chips", lambda _: (PinChip(0, "INTC1056:00"),))
    pins = open_pins("auto")
    assert pins.kind == "simulated" and pins.said.startswith("This machine has no real buttons")
    assert "gpiochip0 is INTC1056:00" in pins.said


class Library:
    """An lgpio whose chip 10 is closed to this user and whose chip 13 is the header."""

    def __init__(self) -> None:
        self.open: list[int] = []

    def gpiochip_open(self, number: int) -> int:
        """Return a handle for a chip, or raise as lgpio does."""
        if number == 10:
            raise Exception("'can not open gpiochip'")
        self.open.append(number)
        return number

    def gpio_get_chip_info(self, handle: int) -> list[object]:
        """Return a chip's number of lines, name and label."""
        return [0, 54, f"gpiochip{handle}", "pinctrl-rp1"]

    def gpiochip_close(self, handle: int) -> None:
        """Record that a chip was closed."""
        self.open.remove(handle)


def test_every_chip_is_asked_and_closed_again(tmp_path: Path) -> None:
    """A chip that does not open is reported with the reason."""
    for name in ("gpiochip10", "gpiochip13", "gpiomem0"):
        (tmp_path / name).touch()
    library = Library()
    assert sorted(read_chips(library, tmp_path)) == [
        PinChip(10, "", "can not open gpiochip"),
        PinChip(13, "pinctrl-rp1"),
    ]
    assert not library.open


def test_a_service_without_pins_says_so_and_keeps_going() -> None:
    """The service's health lists no wired button, and its examination says that the pins cannot be reached."""
    board = ButtonBoard(DEFAULT, closed_pins("The pins of this machine cannot be opened: no chip."))
    assert (board.buttons(), board.lamps()) == ((), ())
    assert board.said == ("The pins of this machine cannot be opened: no chip.",)
    board.show((True,) * 6, buzzer=True)
    board.close()
    (pins,) = judge_running(DEFAULT, Health("buttons", 0, "closed"), board.said[0])
    assert pins == bad("buttons.pins", "unopened", said="The pins of this machine cannot be opened: no chip")
