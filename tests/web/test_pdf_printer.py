"""Test that PDFs are made once, in a separate process, and cached, while a page waits with the reader."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.web.visitors import Room, said
from web import pdf_printer
from web.pdf_printer import WAITING, PdfPrinter, PrintedFile, PrinterBusy
from web.words import words

PATIENCE = 20.0
PATH = "/print/deck-take-a-train-a4.pdf"
PDF = b"%PDF-"


class Press:
    """Makes PDFs as soon as a test allows it, and records their commands."""

    def __init__(self) -> None:
        self.made: list[tuple[str, ...]] = []
        self.go = threading.Event()
        self.begun = threading.Semaphore(0)
        self.why = ""

    def __call__(self, command: Sequence[str], path: Path) -> str:
        """Make a PDF."""
        self.begun.release()
        assert self.go.wait(PATIENCE)
        self.made.append(tuple(command))
        if not self.why:
            path.write_bytes(PDF + " ".join(command).encode())
        return self.why


@pytest.fixture
def press() -> Iterator[Press]:
    """Yield a function that makes PDFs and never waits forever."""
    found = Press()
    yield found
    found.go.set()


@pytest.fixture
def printer(tmp_path: Path, press: Press) -> Iterator[PdfPrinter]:
    """Yield a printer with a folder of its own."""
    with ExitStack() as stack:
        found = PdfPrinter(tmp_path, press)
        stack.callback(found.close)
        stack.callback(press.go.set)
        yield found


def finished(printer: PdfPrinter) -> None:
    """Wait until no job is running."""
    thread = printer._thread
    if thread is not None:
        thread.join(PATIENCE)
        assert not thread.is_alive()


def taken(found: PrintedFile) -> bytes:
    """Return the printed output."""
    assert found.file is not None
    with found.file:
        return found.file.read()


def test_what_many_ask_for_is_made_once_and_kept(printer: PdfPrinter, press: Press, tmp_path: Path) -> None:
    """A hundred requests share one process, and later ones, even after a restart, get the stored file."""
    assert [printer.ask("deck", "a4") for _ in range(100)] == [PrintedFile()] * 100
    press.go.set()
    finished(printer)
    assert taken(printer.ask("deck", "a4")) == PDF + b"deck a4"
    again = PdfPrinter(tmp_path, press)
    assert taken(again.ask("deck", "a4")) == PDF + b"deck a4"
    assert press.made == [("deck", "a4")]


def test_other_settings_are_another_file(printer: PdfPrinter, press: Press, tmp_path: Path) -> None:
    """A mat for another card size in the settings is another file."""
    press.go.set()
    printer.ask("mat")
    finished(printer)
    (tmp_path / "companion.toml").write_text('[camera]\ncard = "70x70"\n')
    assert printer.ask("mat") == PrintedFile()
    finished(printer)
    assert len(press.made) == 2


def test_only_so_many_wait(printer: PdfPrinter, press: Press) -> None:
    """A further request is refused while too many wait, but a repeated one is not."""
    for number in range(WAITING):
        printer.ask("deck", str(number))
    with pytest.raises(PrinterBusy):
        printer.ask("deck", "more")
    assert printer.ask("deck", "0") == PrintedFile()
    press.go.set()
    finished(printer)
    assert len(press.made) == WAITING
    assert printer.ask("deck", "more") == PrintedFile()


def test_only_so_many_are_kept(
    printer: PdfPrinter, press: Press, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Only the most recently requested files are kept."""
    monkeypatch.setattr(pdf_printer, "KEPT", 2)
    press.go.set()
    for number in range(3):
        printer.ask("deck", str(number))
        finished(printer)
        for path in (tmp_path / pdf_printer.FOLDER).iterdir():
            os.utime(path, ns=(0, path.stat().st_mtime_ns - 10**9))
    assert len(list((tmp_path / pdf_printer.FOLDER).iterdir())) == 2
    assert taken(printer.ask("deck", "2")) == PDF + b"deck 2"


def test_a_full_disk_stays_the_journal_s(printer: PdfPrinter, press: Press, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is printed if the disk is almost full, because the journal needs the space."""
    monkeypatch.setattr(pdf_printer, "ROOM", 1 << 62)
    printer.ask("deck")
    finished(printer)
    assert "space" in printer.ask("deck").why and press.made == []


def test_a_page_waits_and_then_offers_the_file(room: Room, press: Press) -> None:
    """Without scripts the page reloads by itself until the file is ready, and then links to it."""
    room.context.printer._make = press
    waiting = room.anybody.get(PATH)
    assert waiting.status_code == 202 and words("en")("print.making") in waiting.text
    assert f'<meta http-equiv="refresh" content="3; url={PATH}?waited=1">' in waiting.text
    assert room.visitor("fr").read(PATH).count(words("fr")("print.making")) == 1
    press.go.set()
    finished(room.context.printer)
    ready = room.anybody.get(f"{PATH}?waited=1")
    assert ready.status_code == 200 and f'href="{PATH}"' in ready.text and "refresh" not in ready.text
    with room.anybody.get(PATH) as answer:
        assert (answer.status_code, answer.mimetype, answer.data[:5]) == (200, "application/pdf", PDF)


def test_a_page_says_that_others_are_printing(room: Room, press: Press) -> None:
    """The page says in the reader's language that others are printing, and quotes the printer's refusal."""
    room.context.printer._make = press
    for number in range(WAITING):
        room.context.printer.ask("deck", str(number))
    refused = room.anybody.get(PATH)
    assert refused.status_code == 503 and said(refused) == words("en")("error.printing_busy")
    press.why = "Too large."
    press.go.set()
    finished(room.context.printer)
    room.anybody.get(PATH)
    finished(room.context.printer)
    refused = room.anybody.get(PATH)
    assert refused.status_code == 409 and "Too large." in refused.text


def test_what_is_being_made_ends_with_the_house(tmp_path: Path) -> None:
    """Closing the printer kills its process and leaves no partial file."""
    printer = PdfPrinter(tmp_path)
    printer.ask("deck", "print", "take-a-train", "--paper", "a4")
    printer.close()
    assert printer._thread is None
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_one_is_made_at_a_time(printer: PdfPrinter, press: Press) -> None:
    """Only one file is made at a time, because drawing needs memory."""
    for number in range(3):
        printer.ask("deck", str(number))
    assert press.begun.acquire(timeout=PATIENCE)
    assert not press.begun.acquire(blocking=False)
