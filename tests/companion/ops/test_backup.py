"""A backup restores everything, contains secrets only if it is encrypted, and is checked before use."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tarfile
from collections.abc import Callable
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from companion import cli, config
from companion.commands.backup import OLD, OPTION, VARIABLE
from companion.engine import Seat, Setup, state_hash
from companion.files import atomic_folder
from companion.games.game_of_trains.events import CardDrawn, Drew, FirstNamed, Kept, LineDealt, Placed
from companion.journal.journal import Journal, JournalError, JournalInUse
from companion.match.actor import Actor
from companion.match.history import Stamp
from companion.match.match import Match, make_record
from companion.ops.backup import archive, encryption
from companion.ops.backup.archive import BackupError
from companion.ops.backup.backup import make_backup
from companion.ops.backup.encryption import EncryptionError, check_passphrase
from companion.ops.backup.restore import ASIDE, restore
from companion.table.table import Table
from tests.support.matches import BLIND_LOT, TO_WAGONS, dealt, ours, say, stroll
from tests.support.must_run import must_run
from tests.support.paces import HURRIED
from tests.support.web.visitors import HOST_PIN, Room

SECRET = "correct horse battery"
sealing = pytest.mark.skipif(
    find_spec("cryptography") is None and not must_run("cryptography"),
    reason="the package cryptography is not installed: backups cannot be sealed",
)


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the hashing of passphrases fast."""
    monkeypatch.setattr(encryption, "HARDNESS", 8)


def run(*words: str, **settings: Any) -> Result:
    """Run the command line with the given words."""
    return CliRunner().invoke(cli.main, list(words), **settings)


def unpacked(path: Path, into: Path) -> None:
    """Unpack an unencrypted backup into a folder."""
    with archive.open_backup(path) as file:
        archive.read_archive(path, file, into=into)


def standing(folder: Path, match: str = "1") -> tuple[int, str]:
    """Return the number of a match's last record and the hash of its state."""
    with Journal(folder / "journal.db", read_only=True) as journal:
        opened = Match.open(journal, match)
        return opened.seq, state_hash(opened.state)


def filled(folder: Path) -> Path:
    """Fill a data folder with four matches, decks, settings, places and files that are not saved."""
    (folder / "decks" / "half").mkdir(parents=True)
    (folder / "decks" / "ours.deck").write_bytes(Random(1).randbytes(200_000))
    (folder / "decks" / "used").write_text("ours")
    (folder / "decks" / "half" / "card.jpg").write_bytes(b"picture")
    (folder / "decks" / ".ours.deck.77").write_bytes(b"half written")
    (folder / "companion.toml").write_text("[camera]\nsource = 'none'\n")
    (folder / "places.json").write_text("{}")
    (folder / "board.json").write_text('{"board": 1}')
    (folder / "mqtt.password").write_text("hunter2")
    with Journal(folder / "journal.db") as journal:
        stroll(Match.begin(journal, dealt(2)), Random(1), 10_000)
        say(Match.begin(journal, ours()), *BLIND_LOT[:5], BLIND_LOT[7])  # this record contains the bid of seat 2
        say(Match.begin(journal, ours(2)), *TO_WAGONS[:2])
        stroll(Match.begin(journal, dealt(2), "feed" * 16), Random(2), 20)
        journal.keep("web.secret", b"S" * 32)
        journal.keep("web.doors.3", b'{"room":"271828"}')
        journal.keep("catalogue/take-a-train", b"{}")
        journal.keep("table/current", b"3")
    return folder


# --- backup and restore ---------------------------------------------------------------------------


@sealing
def test_a_sealed_backup_brings_everything_back(tmp_path: Path) -> None:
    """An encrypted backup restores every match, file and secret in another folder."""
    data, card = filled(tmp_path / "data"), tmp_path / "card"
    path, contents = make_backup(data, tmp_path, SECRET)
    assert [match.id for match in contents.matches] == ["4", "3", "2", "1"]
    assert restore(path, card, SECRET).contents == contents
    for match in "1234":
        assert standing(card, match) == standing(data, match)
    for name in ("decks/ours.deck", "decks/used", "decks/half/card.jpg", "companion.toml", "places.json", "board.json"):
        assert (card / name).read_bytes() == (data / name).read_bytes()
    assert not (card / "mqtt.password").exists()
    assert not list(card.rglob(".*"))
    with Journal(card / "journal.db") as journal:
        assert (journal.read_value("web.secret"), journal.read_value("table/current")) == (b"S" * 32, b"3")
        match = Match.open(journal, "2")
        assert match.propose(BLIND_LOT[5], "seat:1") is None


def test_a_backup_without_a_passphrase_holds_no_secret(tmp_path: Path) -> None:
    """An unencrypted backup contains no secrets, not even in deleted pages, and lists the matches left out."""
    data, card = filled(tmp_path / "data"), tmp_path / "card"
    with Journal(data / "journal.db") as journal:
        seed = journal.header("4").seed
        bid = journal.records("2")[-1].body
        Match.open(journal, "3").rename(Seat(0), "Zoë", Actor.HOST)
        Match.open(journal, "4").rename(Seat(0), "Eve", Actor.HOST)
    path, contents = make_backup(data, tmp_path)
    assert [match.id for match in contents.matches] == ["3", "1"]
    assert [match.id for match in contents.left_out] == ["4", "2"]
    raw = path.read_bytes()
    assert b"committed" in bid.encode() and len(seed) == 64
    for secret in (seed, bid, "271828", "S" * 32, "web.doors", "web.secret", "hunter2", "half written"):
        assert secret.encode() not in raw
    restore(path, card)
    assert standing(card, "3") == standing(data, "3")
    with Journal(card / "journal.db") as journal:
        assert {summary.id: summary.players[0] for summary in journal.matches()} == {"1": "Player 1", "3": "Zoë"}
        assert list(journal.read_values("players/")) == ["players/3"]
        assert journal.read_value("catalogue/take-a-train") == b"{}"
        assert journal.read_value("table/current") is None
        assert Match.begin(journal, ours()).id == "4"


def test_a_backup_is_for_its_owner_alone_and_never_written_over(tmp_path: Path) -> None:
    """A backup has mode 0600, leaves no temporary files and never overwrites a file."""
    data = filled(tmp_path / "data")
    path, _ = make_backup(data, tmp_path / "mine.backup")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(each.name for each in tmp_path.iterdir()) == ["data", "mine.backup"]
    assert not list(data.glob(".backup*"))
    with pytest.raises(BackupError, match="already: choose another name"):
        make_backup(data, path)
    assert len({make_backup(data, tmp_path)[0] for _ in range(3)}) == 3


def test_a_backup_is_of_one_moment_while_the_table_plays(tmp_path: Path) -> None:
    """A backup during play contains whole moves, and the table continues."""
    with Table(tmp_path / "journal.db", pace=HURRIED) as table:
        table.start(ours(2))
        for number, event in enumerate(TO_WAGONS[:2], 1):
            assert table.propose(event, Actor.TABLE).accepted
            _, contents = make_backup(tmp_path, tmp_path / f"{number}.backup")
            assert contents.matches[0].records == number
            with pytest.raises(JournalInUse, match="Another companion uses"):
                restore(tmp_path / f"{number}.backup", tmp_path)
    restore(tmp_path / "1.backup", tmp_path)
    assert standing(tmp_path)[0] == 1


def test_what_was_there_is_kept_aside_and_comes_back(tmp_path: Path) -> None:
    """Restoring moves the old data aside, and restoring those brings them back."""
    data = filled(tmp_path / "data")
    path, _ = make_backup(data, tmp_path)
    with Journal(data / "journal.db") as journal:
        say(Match.open(journal, "3"), *TO_WAGONS[2:4])
        newer = standing(data, "3")
    (data / "decks" / "new.deck").write_bytes(b"new")
    done = restore(path, data)
    assert standing(data, "3") != newer
    assert not (data / "decks" / "new.deck").exists()
    restore(Path(done.aside[0]), data)
    assert standing(data, "3") == newer
    assert (data / "decks" / "new.deck").exists()
    assert (data / "mqtt.password").exists()


def test_the_cameras_folder_may_be_another(tmp_path: Path) -> None:
    """Decks and places are saved from and restored to the camera's folder if it is a different one."""
    data, camera = tmp_path / "data", tmp_path / "camera"
    filled(data)
    camera.mkdir()
    for name in ("decks", "places.json", "board.json"):
        (data / name).rename(camera / name)
    path, _ = make_backup(data, tmp_path, camera=camera)
    (camera / "decks" / "ours.deck").write_bytes(b"spoilt")
    restore(path, data, camera=camera)
    assert (camera / "decks" / "ours.deck").stat().st_size == 200_000
    assert sorted(p.name for p in data.glob("*.json")) == []
    (kept,) = camera.glob(f"{ASIDE}*")
    restore(kept, data, camera=camera)
    assert (camera / "decks" / "ours.deck").read_bytes() == b"spoilt"
    with pytest.raises(BackupError, match="contains nothing to restore"):
        restore(tmp_path, data)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root restores for others")
def test_what_root_restores_belongs_to_the_folders_owner(tmp_path: Path) -> None:
    """Files restored by root belong to the owner of their folder, and links in the folder are not followed."""
    path, _ = make_backup(filled(tmp_path / "data"), tmp_path)
    for above in (tmp_path, *tmp_path.parents):
        if above.name.startswith(("pytest-", "popen-", tmp_path.name)):
            above.chmod(0o755)
    table, camera = tmp_path / "table", tmp_path / "camera"
    for folder, user, mode in ((table, 6501, 0o700), (camera, 6502, 0o750)):
        folder.mkdir()
        folder.chmod(mode)
        os.chown(folder, user, user)
    with Journal(table / "journal.db"):
        pass
    for left in table.iterdir():
        os.chown(left, 6501, 6501)
    done = restore(path, table, camera=camera)
    assert len(done.aside) == 1
    for folder, user in ((table, 6501), (camera, 6502)):
        assert {each.stat().st_uid for each in (folder, *folder.rglob("*"))} == {user}
    assert stat.S_IMODE((camera / "decks" / "ours.deck").stat().st_mode) == 0o640
    assert stat.S_IMODE((table / "journal.db").stat().st_mode) == 0o600
    assert (os.geteuid(), os.getegid()) == (0, os.getgid())
    kept = Path(done.aside[0])
    (camera / "decks").rename(kept / "decks")
    for each in (kept / "decks", *(kept / "decks").rglob("*")):
        os.chown(each, 6501, 6501)
    restore(kept, table, camera=camera)  # the camera's user may not look into the table's folder
    assert {each.stat().st_uid for each in (camera, *camera.rglob("*"))} == {6502}
    assert stat.S_IMODE((camera / "decks" / "ours.deck").stat().st_mode) == 0o640
    victim = tmp_path / "victim"
    victim.write_text("")
    (table / "journal.db.lock").unlink()
    (table / "journal.db.lock").symlink_to(victim)
    with pytest.raises(JournalError, match="cannot be used"):
        restore(path, table)
    assert victim.stat().st_uid == 0


def test_a_cameras_folder_that_is_closed_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the camera's folder cannot be read, the rest is saved, and the backup reports what is missing."""
    data, camera = filled(tmp_path / "data"), tmp_path / "camera"
    camera.mkdir()
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != camera and real(path, mode))
    _, contents = make_backup(data, tmp_path, camera=camera)
    assert contents.said == (f"The camera's folder {camera} cannot be read: its decks are not in the backup.",)
    assert contents.matches


def test_settings_of_the_system_are_not_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings outside of the data folder are not overwritten, and the restored ones are written into the folder."""
    data = filled(tmp_path / "data")
    path, _ = make_backup(data, tmp_path)
    outside = tmp_path / "companion.toml"
    outside.write_text("")
    monkeypatch.setattr(config, "path_in", lambda folder: outside)
    done = restore(path, data)
    assert done.settings == str(data / "companion.toml.restored")
    assert "camera" in Path(done.settings).read_text()
    assert outside.read_text() == ""


@sealing
def test_phones_go_on_after_a_sealed_restoration(tmp_path: Path) -> None:
    """After restoring an encrypted backup the seats' pages work again, and after an unencrypted one they do not."""
    with Room(tmp_path / "data") as room:
        room.set_up(2, deck="ours")
        room.join_all()
        sealed, _ = make_backup(room.folder, tmp_path / "sealed.backup", SECRET)
        plain, _ = make_backup(room.folder, tmp_path / "plain.backup")
        seat, pin = room.seats[0], room.pin
    for path, word, status in ((sealed, SECRET, 200), (plain, "", 404)):
        restore(path, tmp_path / path.stem, word)
        with Room(tmp_path / path.stem) as room:
            assert room.anybody.get(seat).status_code == status
            if not word:
                answer = room.anybody.submit("/past/1/resume", {"pin": HOST_PIN}, "/past/")
                assert answer.headers["Location"].startswith("/h/")
                assert pin.encode() not in path.read_bytes()


# --- killed while restoring -----------------------------------------------------------------------

DIES = """
import os, sys
from pathlib import Path
from companion.files import atomic_folder
from companion.games.game_of_trains.events import CardDrawn, Drew, FirstNamed, Kept, LineDealt, Placed
from companion.ops.backup.restore import restore

class Dies:
    left = 0
    def __init__(self, real):
        self.real = real
    def __get__(self, path, owner):
        def call(*args, **more):
            if Dies.left == 0:
                os.kill(os.getpid(), 9)
            Dies.left -= 1
            return self.real(*(args if path is None else (path, *args)), **more)
        return call

for name in ("rename", "mkdir", "write_bytes", "rmdir"):
    setattr(Path, name, Dies(getattr(Path, name)))
atomic_folder.shutil.rmtree = Dies(atomic_folder.shutil.rmtree).__get__(None, None)
for Dies.left, folder in enumerate(sys.argv[2:]):
    if not (child := os.fork()):
        restore(Path(sys.argv[1]), Path(folder))
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(code, flush=True)
    if code == 0:
        break
"""


def snapshot(folder: Path) -> dict[str, bytes]:
    """Return the content of the relevant files in a data folder."""
    names = ("companion.toml", "places.json", "board.json", "decks/used", "decks/ours.deck", "decks/old.deck")
    return {name: (folder / name).read_bytes() for name in names if (folder / name).exists()}


def test_killed_at_any_step_a_folder_is_old_or_new(tmp_path: Path) -> None:
    """If restoring is killed at any step, the folder holds either the old or the new data."""
    path, _ = make_backup(filled(tmp_path / "data"), tmp_path)
    new = standing(tmp_path / "data", "3"), snapshot(tmp_path / "data")
    first = tmp_path / "0"
    (first / "decks").mkdir(parents=True)
    (first / "decks" / "old.deck").write_bytes(b"old")
    (first / "companion.toml").write_text("")
    with Journal(first / "journal.db") as journal:
        for _ in range(3):
            Match.begin(journal, ours())
    old = standing(first, "3"), snapshot(first)
    folders = [first, *(Path(shutil.copytree(first, tmp_path / str(step))) for step in range(1, 40))]
    command = [sys.executable, "-c", DIES, str(path), *map(str, folders)]
    died = [int(code) for code in subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.split()]
    whole = len(died) - 1
    assert whole > 8
    assert died == [-signal.SIGKILL] * whole + [0]
    seen = []
    for folder in folders[: whole + 1]:
        Journal(folder / "journal.db").close()
        seen.append((standing(folder, "3"), snapshot(folder)))
        assert not (folder / atomic_folder.READY).exists()
    turn = seen.index(new)
    assert 0 < turn < whole
    assert seen == [old] * turn + [new] * (whole + 1 - turn)


# --- bad backups ----------------------------------------------------------------------------------


@pytest.fixture
def saved(tmp_path: Path) -> tuple[Path, Path]:
    """Return a data folder and a backup of it."""
    data = filled(tmp_path / "data")
    return data, make_backup(data, tmp_path / "good.backup")[0]


def rewritten(path: Path, name: str, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the content of a member of a backup."""
    with tarfile.open(path) as tar:
        members = [(info, tar.extractfile(info).read()) for info in tar]  # type: ignore[union-attr]
    with tarfile.open(path, "w") as tar:
        for info, data in members:
            if info.name == name:
                told = json.loads(data)
                change(told)
                data = json.dumps(told).encode()
                info.size = len(data)
            archive._add_member(tar, info.name, data)


def cut(path: Path) -> None:
    """Truncate a file to half of its size."""
    os.truncate(path, path.stat().st_size // 2)


def flipped(path: Path) -> None:
    """Flip one bit in the middle of a deck."""
    data = bytearray(path.read_bytes())
    data[data.index(b"decks/ours.deck") + 100_000] ^= 1
    path.write_bytes(data)


WRONG: dict[str, tuple[Callable[[Path], object], str]] = {
    "cut off": (cut, "damaged or cut off.*Take another backup"),
    "one bit changed": (flipped, "checksums do not fit"),
    "empty": (lambda path: os.truncate(path, 0), "not a backup of the companion|damaged"),
    "noise": (lambda path: path.write_bytes(Random(1).randbytes(50_000)), "not a backup of the companion"),
    "a photograph": (lambda path: path.write_bytes(b"\xff\xd8\xff" + bytes(100)), "not a backup of the companion"),
    "another program's": (
        lambda path: rewritten(path, archive.HEADER_NAME, lambda told: told.update(kind="chess")),
        "not a backup of the companion",
    ),
    "a newer program's": (
        lambda path: rewritten(path, archive.HEADER_NAME, lambda told: told.update(format=2, version="9.1")),
        r"newer companion \(9.1; this one is .*Update the companion first",
    ),
    "a state that is another": (
        lambda path: rewritten(path, archive.CONTENTS_NAME, lambda told: told["matches"][0].update(state="00")),
        "would not continue from the same state",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_bad_backup_is_one_sentence_and_changes_nothing(saved: tuple[Path, Path], wrong: str) -> None:
    """A bad backup is refused with a sentence before anything is changed."""
    data, path = saved
    spoil, sentence = WRONG[wrong]
    spoil(path)
    before = {each: each.read_bytes() for each in data.rglob("*") if each.is_file()}
    with pytest.raises(BackupError, match=sentence):
        restore(path, data)
    assert {each: each.read_bytes() for each in data.rglob("*") if each.is_file()} == before
    told = run("restore", str(path), "--data", str(data))
    assert (told.exit_code, told.stdout, "Traceback" in told.stderr) == (1, "", False)


# --- backups of other versions --------------------------------------------------------------------

EARLIER = Path(__file__).parent / "backups" / "earlier.backup.gz"
"""A backup with a running match of Game of Trains, twelve records long, from before states used zones."""


def test_an_earlier_versions_running_match_goes_on(tmp_path: Path) -> None:
    """A running match from an earlier version can be restored and continued, although its hash differs."""
    path, data = tmp_path / "earlier.backup", tmp_path / "data"
    path.write_bytes(gzip.decompress(EARLIER.read_bytes()))
    (match,) = restore(path, data).contents.matches
    seq, found = standing(data)
    assert (match.state, match.shape, match.records) == ("150301fe604f1bbc", "", seq)
    assert found != match.state
    with Journal(data / "journal.db") as journal:
        opened = Match.open(journal, "1")
        say(opened, CardDrawn(35), Placed(Seat(1), 3))
        lines = (80, 71, 47, 33, 12, 9, 40), (1, 70, 35, 34, 13, 10, 6)
        assert (opened.state.table.lines, opened.seq) == (lines, 14)


OTHERWISE: dict[str, tuple[dict[str, Any], str]] = {
    "the same scores": ({}, ""),
    "other scores": ({"scores": [1, 2]}, "would not continue from the same state"),
    "a record less": ({"records": 1}, "would not continue from the same state"),
}


@pytest.mark.parametrize("changed", OTHERWISE)
def test_states_recorded_otherwise_are_compared_by_what_they_mean(saved: tuple[Path, Path], changed: str) -> None:
    """If the shape of states has changed, the number of records and the scores are compared instead of hashes."""
    data, path = saved
    fields, sentence = OTHERWISE[changed]
    other = {"state": "00", "shape": "00", **fields}
    rewritten(path, archive.CONTENTS_NAME, lambda told: told["matches"][0].update(other))
    if sentence:
        with pytest.raises(BackupError, match=sentence):
            restore(path, data)
    else:
        assert restore(path, data).contents.matches[0].state == "00"


def test_states_recorded_otherwise_need_records_that_fit(tmp_path: Path) -> None:
    """If hashes cannot be compared, an illegal record is still found by the rules."""
    data = tmp_path / "data"
    data.mkdir()
    with Journal(data / "journal.db") as journal:
        match = Match.begin(journal, Setup("game-of-trains", 2, deck="ours"))
        lines = (80, 61, 47, 33, 12, 9, 5), (81, 62, 48, 34, 13, 10, 6)
        say(match, *[LineDealt(Seat(seat), line) for seat, line in enumerate(lines)], FirstNamed(Seat(1)))
        say(match, Kept(Seat(1), 1, 1), Kept(Seat(0), 40, 7))
        journal.append(match.id, [make_record(Drew(Seat(0)), Stamp(6))])  # it is the other seat's turn
    path, contents = make_backup(data, tmp_path / "b.backup")
    assert contents.matches[0].state
    restore(path, tmp_path / "same")
    rewritten(path, archive.CONTENTS_NAME, lambda told: told["matches"][0].update(state="00", shape=""))
    with pytest.raises(BackupError, match=r"cannot continue .*record 6 cannot be read: the rules do not allow it here"):
        restore(path, tmp_path / "other")


def test_scores_of_a_match_left_out_are_not_told(saved: tuple[Path, Path]) -> None:
    """The list of matches left out contains no scores, because money may be secret."""
    with archive.open_backup(saved[1]) as file:
        contents = archive.read_archive(saved[1], file)
    assert [(match.id, match.scores) for match in contents.left_out] == [("4", ()), ("2", ())]
    assert [bool(match.scores) for match in contents.matches] == [True, False]


def test_names_that_lead_elsewhere_are_refused(tmp_path: Path) -> None:
    """A backup with a path outside of the data folder is refused."""
    path = tmp_path / "forged.backup"
    for name in ("../evil", "decks/../../evil", "/etc/evil", "decks/.hidden", "journal.db.lock", "bus"):
        with tarfile.open(path, "w") as tar:
            head = archive.BackupHeader(archive.KIND, 1, "0", "", False)
            archive._add_member(tar, archive.HEADER_NAME, msgspec.json.encode(head))
            archive._add_member(tar, name, b"x")
        with pytest.raises(BackupError, match="does not belong in a backup"):
            unpacked(path, tmp_path / "into")
    assert not (tmp_path / "evil").exists()


@sealing
def test_a_wrong_passphrase_and_damage_are_told_apart(saved: tuple[Path, Path], tmp_path: Path) -> None:
    """A wrong passphrase and damage have different errors, and no byte is used before it is verified."""
    data, _ = saved
    path, _ = make_backup(data, tmp_path / "sealed.backup", SECRET)
    raw = path.read_bytes()
    assert b"Player" not in raw and b"decks" not in raw
    head = len(encryption.MAGIC) + encryption.SALT + 1
    whole = head + 2 * (encryption.PIECE + encryption.TAG)
    cases = (
        (raw, "wrong horse battery", "passphrase is wrong"),
        (raw, "", "needs a passphrase"),
        (raw, "short", "too short"),
        (raw[:whole], SECRET, "damaged or cut off"),
        (raw[: whole + 100], SECRET, "damaged or cut off"),
        (raw[:-1], SECRET, "damaged or cut off"),
        (raw + b"x", SECRET, "damaged or cut off"),
        (raw[: head - 3], SECRET, "beginning of the file is damaged"),
    )
    for data_, word, sentence in cases:
        path.write_bytes(data_)
        with pytest.raises((BackupError, EncryptionError), match=sentence):
            restore(path, tmp_path / "card", word)


def test_without_the_package_a_passphrase_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the package for encryption a passphrase is refused, and unencrypted backups work."""
    monkeypatch.setattr(encryption, "find_spec", lambda name: None)
    with pytest.raises(EncryptionError, match="sudo apt install python3-cryptography"):
        check_passphrase(SECRET)
    make_backup(filled(tmp_path / "data"), tmp_path)


def test_a_target_that_cannot_be_written_is_said(saved: tuple[Path, Path], tmp_path: Path) -> None:
    """A missing folder, an empty one and an unwritable target are reported, and no partial file remains."""
    data, _ = saved
    with pytest.raises(BackupError, match="There is no folder"):
        make_backup(data, tmp_path / "nowhere" / "a.backup")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BackupError, match="nothing to back up"):
        make_backup(tmp_path / "empty", tmp_path)
    with pytest.raises(BackupError, match="There is no data folder"):
        make_backup(tmp_path / "missing", tmp_path)
    if Path("/dev/full").exists() and os.geteuid() == 0:
        with pytest.raises(BackupError, match="could not be written"):
            make_backup(data, Path("/proc/a.backup"))
    assert sorted(each.name for each in tmp_path.iterdir()) == ["data", "empty", "good.backup"]


# --- the commands ---------------------------------------------------------------------------------


def test_the_commands_say_what_they_did(tmp_path: Path) -> None:
    """The commands print what was saved, what was left out and why, and how to undo a restoration."""
    data = filled(tmp_path / "data")
    made = run("backup", "--data", str(data))
    assert made.exit_code == 0, made.output
    (path,) = (data / "backups").iterdir()
    assert f"2 matches, 1 deck, 5 other files saved in {path}" in made.stdout
    assert "copy it to another one" in made.stdout
    assert "Match 2 (Player 1, Player 2, Player 3) is not over and still has secrets." in made.stderr
    assert "is complete: 2 matches" in run("restore", "--check", str(path)).stdout
    back = run("restore", str(path), "--data", str(data))
    assert "Match 3 (Player 1, Player 2) goes on from record 2." in back.stdout
    assert "`companion restore " in back.stdout and ASIDE in back.stdout
    told = json.loads(run("restore", str(path), "--data", str(tmp_path / "card"), "--json").stdout)
    assert [match["id"] for match in told["contents"]["matches"]] == ["3", "1"]


@sealing
def test_the_passphrase_comes_from_a_file(tmp_path: Path) -> None:
    """The passphrase is the first line of a file, and an empty or missing file is reported."""
    data, word = filled(tmp_path / "data"), tmp_path / "word"
    word.write_text(f"{SECRET}\n")
    target = str(tmp_path / "a.backup")
    made = run("backup", "--data", str(data), "--to", target, "--passphrase-file", str(word))
    assert "4 matches" in made.stdout and made.stderr == ""
    assert "needs a passphrase" in run("restore", target, "--data", str(data)).stderr
    back = run("restore", target, "--data", str(data), "--passphrase-file", str(word))
    assert "Match 4" in back.stdout
    word.write_text("\n")
    assert "is empty" in run("restore", target, "--passphrase-file", str(word)).stderr
    assert "cannot be read" in run("backup", "--passphrase-file", str(tmp_path / "no")).stderr


@sealing
@pytest.mark.parametrize("variable", [VARIABLE, OLD])
def test_the_passphrases_file_is_named_in_the_environment(tmp_path: Path, variable: str) -> None:
    """An environment variable can name the file of the passphrase, and its old name works with a notice."""
    data, word, target = filled(tmp_path / "data"), tmp_path / "word", str(tmp_path / "a.backup")
    word.write_text(f"{SECRET}\n")
    made = run("backup", "--data", str(data), "--to", target, env={variable: str(word)})
    assert "4 matches" in made.stdout
    assert made.stderr == ("" if variable == VARIABLE else f"{OLD} is the old name of {VARIABLE}: use the new one.\n")
    assert "Match 4" in run("restore", target, "--data", str(data), env={variable: str(word)}).stdout


@pytest.mark.parametrize("passphrase", ["correct horse battery staple", "~/x", "p" * 5000, ".", "a/b\x1b[31m"])
@pytest.mark.parametrize("where", [VARIABLE, OLD, OPTION])
def test_a_passphrase_in_place_of_its_file_is_refused_and_never_printed(
    tmp_path: Path, where: str, passphrase: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A passphrase given in place of its file is refused and never printed."""
    data = filled(tmp_path / "data")
    more = [OPTION, passphrase] if where == OPTION else []
    env = {} if where == OPTION else {where: passphrase}
    result = run("backup", "--data", str(data), *more, env=env)
    assert result.exit_code != 0 and where in result.output
    assert passphrase == "." or passphrase not in result.output + caplog.text
    assert not list((data / "backups").glob("*.backup"))


def test_names_are_those_that_others_use() -> None:
    """The names of saved files are those that the camera's modules use."""
    from vision.board import manual_board
    from vision.deck import stored_decks
    from vision.mat import manual

    assert (archive.DECKS, archive.PLACES) == (stored_decks.FOLDER, manual.NAME)
    assert archive.BOARD == manual_board.NAME


def test_what_sqlite_deleted_is_gone(tmp_path: Path) -> None:
    """The database in an unencrypted backup has no free pages that could hold deleted secrets."""
    path, _ = make_backup(filled(tmp_path / "data"), tmp_path)
    unpacked(path, tmp_path / "into")
    with closing(sqlite3.connect(tmp_path / "into" / "journal.db")) as db:
        assert db.execute("PRAGMA freelist_count").fetchone() == (0,)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_a_folder_of_kept_data_is_not_checked_but_said_so(tmp_path: Path) -> None:
    """A folder of old data has no checksums, so `--check` refuses it and changes nothing."""
    kept = tmp_path / "before-restore-1"
    kept.mkdir()
    (kept / "journal.db").write_bytes(b"kept")
    answer = run("restore", "--check", str(kept))
    assert answer.exit_code == 1 and "has no checksums" in answer.stderr
    assert (kept / "journal.db").read_bytes() == b"kept"
