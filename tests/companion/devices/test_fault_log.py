"""Repeated faults are logged once and then counted."""

from __future__ import annotations

import logging

import pytest

from companion.devices.fault_log import LONGEST, MOST_KINDS, FaultLog

LOG = logging.getLogger("companion.tests")


def test_a_fault_is_logged_at_its_first_tenth_and_hundredth_time(caplog: pytest.LogCaptureFixture) -> None:
    """Faults are counted by kind and peer, and logged at powers of ten."""
    faults = FaultLog(LOG)
    for number in range(20_000):
        faults.note("bad line", "buttons", f"byte {number}")
    faults.note("bad line", "camera")
    faults.note("too long", "buttons")
    assert [record.getMessage() for record in caplog.records] == [
        "bad line: buttons: byte 0 (logged once, then counted)",
        "bad line: buttons: byte 9 (10 times by now)",
        "bad line: buttons: byte 99 (100 times by now)",
        "bad line: buttons: byte 999 (1000 times by now)",
        "bad line: buttons: byte 9999 (10000 times by now)",
        "bad line: camera (logged once, then counted)",
        "too long: buttons (logged once, then counted)",
    ]


def test_kinds_that_a_peer_makes_up_are_counted_together(caplog: pytest.LogCaptureFixture) -> None:
    """Kinds beyond a limit are counted together, and text of a peer cannot break a line of the log."""
    faults = FaultLog(LOG)
    for number in range(10_000):
        faults.note(f"kind {number}", "x\n\x1b[31mERROR forged", "y" * 100_000)
    assert len(caplog.records) < MOST_KINDS + 6
    assert all(len(record.getMessage()) < 6 * 3 * LONGEST for record in caplog.records)
    assert all(record.getMessage().isprintable() for record in caplog.records)


def test_an_error_of_our_own_is_logged_with_its_traceback_once(caplog: pytest.LogCaptureFixture) -> None:
    """An exception is logged with its traceback once for each place in the source."""
    faults = FaultLog(LOG)

    def here() -> None:
        raise LookupError("cat")

    def there() -> None:
        raise LookupError("dog")

    for act in (here, here, there, here):
        try:
            act()
        except LookupError as error:
            faults.trace("odd", error)
    assert [record.exc_info is not None for record in caplog.records] == [True, True]
    assert "cat" in caplog.text and "dog" in caplog.text
