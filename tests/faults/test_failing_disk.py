"""A disk that is full, broken or gone while the table plays: refused in a sentence, nothing lost, play goes on."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import IO

import pytest
from click.testing import CliRunner

from companion import cli
from companion.journal.database import check_free
from companion.journal.journal import Journal, JournalError
from tests.bench.tapping import Browser
from tests.faults.disk import between
from tests.faults.serving import Evening
from tests.faults.truth import Said, everything, lines, wrong
from tests.support.brokers import until

ILLS = {
    "full": ("F", "the disk is full: free some space"),
    "input/output errors": ("I", "the disk reported an error"),
    "failing syncs": ("S", "the disk reported an error"),
    "only readable": ("O", "the file is read-only|the disk reported an error|cannot be opened"),
}
WELL, HALF = "0", "H"
"""A disk that is well; and one that takes half of what it is given each time, which SQLite gives again."""


class Player:
    """A table in a process of its own that makes a move when it is told to."""

    def __init__(self, path: Path, ill: Path | None = None, seed: str = "1") -> None:
        command = [sys.executable, "-m", "tests.faults.player", str(path), seed, "--asked"]
        told = between(str(path.parent), ill=ill) if ill else between("/nowhere")
        self.process = subprocess.Popen(
            command, env=told, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.resumed = self._pipe(self.process.stdout).readline()

    def move(self) -> str:
        """Have one move made, and return the answer."""
        pipe = self._pipe(self.process.stdin)
        pipe.write("go\n")
        pipe.flush()
        return self._pipe(self.process.stdout).readline().strip()

    @staticmethod
    def _pipe(found: IO[str] | None) -> IO[str]:
        assert found is not None
        return found

    def close(self) -> str:
        """Stop the process and return the errors that it reported."""
        return self.process.communicate(timeout=60)[1]


@contextmanager
def playing(path: Path, ill: Path | None = None) -> Iterator[Player]:
    """Have a table play in a folder, and end it."""
    player = Player(path, ill)
    try:
        yield player
    finally:
        player.process.kill()
        player.process.communicate()


def moved(player: Player, count: int) -> list[Said]:
    """Return the acknowledgements of some moves, each of which must be taken."""
    found = [player.move() for _ in range(count)]
    assert not [line for line in found if line.startswith("no ")], found
    return lines("".join(f"{line}\n" for line in found).encode())


def test_nothing_is_acknowledged_while_a_disk_is_ill_and_all_goes_on_when_it_is_well(tmp_path: Path) -> None:
    """One table lives through every illness: each is said in a sentence, and afterwards the next move is taken."""
    path, ill = tmp_path / "data" / "journal.db", tmp_path / "ill"
    path.parent.mkdir()
    ill.write_text(WELL)
    with playing(path, ill) as player:
        said = moved(player, 8)
        for letter, sentence in ILLS.values():
            ill.write_bytes(letter.encode())
            refused = [player.move() for _ in range(3)]
            assert all(line.startswith("no ") for line in refused), (letter, refused)
            assert any(part in refused[0] for part in sentence.split("|")), (letter, refused)
            ill.write_text(WELL)
            said += moved(player, 4)
        ill.write_text(HALF)
        said += moved(player, 4)
        assert "Traceback" not in player.close()
    assert wrong(path, said) == ""


def campaign(folder: Path, luck: Random, rounds: int) -> tuple[int, int, list[str]]:
    """Fall ill at random moments, for a while or until a kill; return moves taken, refused, and what was wrong."""
    path, ill = folder / "data" / "journal.db", folder / "ill"
    path.parent.mkdir()
    taken = refused = 0
    faults: list[str] = []
    said: list[Said] = []
    for number in range(rounds):
        ill.write_text(WELL)
        with playing(path, ill) as player:
            for _ in range(luck.randrange(2, 12)):
                ill.write_text(luck.choice([WELL, WELL, HALF, *(letter for letter, _ in ILLS.values())]))
                for _ in range(luck.randrange(1, 6)):
                    answer = player.move()
                    if answer.startswith("no "):
                        refused += 1
                    else:
                        taken += 1
                        said += lines(f"{answer}\n".encode())
        fault = wrong(path, said)
        if fault:
            faults.append(f"round {number}: {fault}")
    return taken, refused, faults


pytestmark = pytest.mark.gcc


@pytest.mark.faults
def test_a_disk_that_falls_ill_again_and_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two hundred tables, each killed in the end, most with a disk that is ill at the time."""
    taken, refused, faults = campaign(tmp_path, Random(3), 200)
    with capsys.disabled():
        print(f"\nfailing disk: 200 tables, {taken} moves acknowledged, {refused} refused, bad {faults}")
    assert faults == []


# --- real file systems ----------------------------------------------------------------------------

libc = ctypes.CDLL(None, use_errno=True)
READ_ONLY, REMOUNT, DETACH = 1, 32, 2


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """Give a small file system of its own in memory."""
    place = tmp_path / "small"
    place.mkdir()
    if libc.mount(b"small", str(place).encode(), b"tmpfs", 0, b"size=3m"):
        pytest.skip("no file system can be mounted here: that takes root")
    yield place
    libc.umount2(str(place).encode(), DETACH)


def read_only(place: Path, on: bool = True) -> None:
    """Make a file system read-only, or writable again."""
    assert libc.mount(None, str(place).encode(), None, REMOUNT | (READ_ONLY if on else 0), b"size=3m") == 0


def filled(path: Path) -> None:
    """Fill a file system to its last byte."""
    with path.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(4096)):
            pass


def test_a_file_system_that_is_full_and_has_room_again(small: Path) -> None:
    """A real full disk: moves are refused until somebody makes room."""
    with playing(small / "journal.db") as player:
        said = moved(player, 5)
        filled(small / "photographs")
        answers = [player.move()]
        while not answers[-1].startswith("no ") and len(answers) < 2000:  # the log has its whole length already
            answers.append(player.move())
        assert "no The journal could not be written" in answers[-1]
        assert "the disk is full: free some space" in answers[-1]
        said += lines("".join(f"{line}\n" for line in answers if not line.startswith("no ")).encode())
        (small / "photographs").unlink()
        said += moved(player, 5)
        assert "Traceback" not in player.close()
    assert wrong(small / "journal.db", said) == ""


def test_a_full_disk_at_the_start_is_one_sentence(small: Path) -> None:
    """Before anything is announced; nothing is left behind, and with room the table starts."""
    filled(small / "photographs")
    with pytest.raises(JournalError, match=r"No match can be saved in .*: the disk is full: free some space"):
        check_free(small / "journal.db")
    (small / "photographs").unlink()
    check_free(small / "journal.db")
    assert [path.name for path in small.iterdir()] == ["journal.db.lock"]


def test_a_file_system_that_becomes_read_only(small: Path) -> None:
    """As Linux does with a card that reports errors: the game cannot go on, and says so; written again, it goes on."""
    with playing(small / "journal.db") as player:
        said = moved(player, 5)
    with playing(small / "journal.db") as player:
        said += moved(player, 2)
        player.close()
    read_only(small)
    with playing(small / "journal.db") as player:
        assert lines(player.resumed.encode())[0] == said[-1]
        answers = [player.move() for _ in range(3)]
        assert all("the disk is read-only" in line for line in answers), answers
        read_only(small, False)
        said += moved(player, 3)
        assert "Traceback" not in player.close()
    assert wrong(small / "journal.db", said) == ""


@pytest.mark.parametrize("ill", ["full", "only readable"])
@pytest.mark.parametrize("clean", [True, False])
def test_a_table_that_is_killed_comes_back_on_a_disk_that_takes_nothing(tmp_path: Path, ill: str, clean: bool) -> None:
    """The game is shown as it was, every move is refused with the reason, and with room the same table goes on."""
    path, how = tmp_path / "data" / "journal.db", tmp_path / "ill"
    path.parent.mkdir()
    how.write_text(WELL)
    with playing(path, how) as player:
        said = moved(player, 12)
        if clean:
            player.close()
    how.write_bytes(ILLS[ill][0].encode())
    for _ in range(2):
        with playing(path, how) as player:
            assert lines(player.resumed.encode())[0] == said[-1]
            answers = [player.move() for _ in range(3)]
            assert all(f"the disk is {'full' if ill == 'full' else 'read-only'}" in line for line in answers), answers
    with playing(path, how) as player:
        assert player.move().startswith("no ")
        how.write_text(WELL)
        said += moved(player, 4)
        assert "Traceback" not in player.close()
    assert wrong(path, said) == ""


def test_a_read_only_card_can_be_read_and_backed_up(small: Path, tmp_path: Path) -> None:
    """As every sentence about such a card advises: its matches are listed, exported and saved on another disk."""
    with playing(small / "journal.db") as player:
        said = moved(player, 6)
    (small / "journal.db-shm").unlink()
    read_only(small)
    for words in (["export", "--list"], ["export"], ["backup", "--open", "--to", str(tmp_path / "a.backup")]):
        result = CliRunner().invoke(cli.main, [*words, "--data", str(small)])
        assert result.exit_code == 0, result.output
    assert everything(small / "journal.db")["1"][-1].seq >= said[-1].seq
    result = CliRunner().invoke(cli.main, ["restore", "--check", str(tmp_path / "a.backup")])
    assert result.exit_code == 0, result.output


def test_a_server_that_is_killed_serves_its_pages_on_a_read_only_disk(small: Path, tmp_path: Path) -> None:
    """The seat's page and the first page say why the game stands; a tap is refused, and taken once it can be saved."""
    with Evening(small, tmp_path / "log") as evening:
        evening.kill()
        read_only(small)
        evening.start()
        browser = Browser(evening.port)
        browser.cookies = dict(evening.cookies)
        until(lambda: "no move can be saved" in browser.ask("GET", evening.seats[0])[2])
        assert "no move can be saved" in browser.ask("GET", "/")[2]
        tap = evening.first_tap()
        status, _, answer = browser.ask(*tap, script=True)
        assert (status, "The disk is read-only, so nothing can be saved" in answer) == (409, True)
        assert browser.ask("GET", evening.host)[0] == 200
        assert (small / "journal.db.lock").exists()
        read_only(small, False)
        until(lambda: "no move can be saved" not in browser.ask("GET", evening.seats[0])[2])
        assert browser.ask(*tap, script=True)[0] == 204
        browser.close()
        evening.kill()
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_a_folder_that_vanishes_takes_no_moves_with_it(tmp_path: Path) -> None:
    """A data folder that is moved away in the middle: moves are refused until it is back."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    with playing(here / "journal.db") as player:
        said = moved(player, 5)
        here.rename(there)
        answers = [player.move() for _ in range(3)]
        assert all(line.startswith("no ") and "Bring its folder back." in line for line in answers), answers
        there.rename(here)
        said += moved(player, 3)
    assert wrong(here / "journal.db", said) == ""
    shutil.rmtree(here)


def test_a_folder_that_is_deleted_is_said(tmp_path: Path) -> None:
    """With its data folder deleted a table does not go on as if it kept anything."""
    here = tmp_path / "here"
    here.mkdir()
    with playing(here / "journal.db") as player:
        moved(player, 5)
        shutil.rmtree(here)
        answers = [player.move() for _ in range(3)]
        assert all("is gone" in line for line in answers), answers
        here.mkdir()
        Journal(here / "journal.db").close()
        assert "has been replaced by another file. Restart the companion." in player.move()
        assert player.move().startswith("no ")
