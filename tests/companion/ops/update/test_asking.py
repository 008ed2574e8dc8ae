"""A page requests an update, root performs it, and both use the same words."""

from __future__ import annotations

import io
import os
import pwd
import tomllib
from pathlib import Path
from string import Formatter

import pytest

from companion.i18n import flatten
from companion.ops.update import asking
from companion.ops.update.asking import Outcome, Said
from companion.ops.update.places import Places
from companion.ops.update.sentences import FOLDER, UpdateError
from tests.support.paths import ROOT

ME = pwd.getpwuid(os.getuid()).pw_name


def test_a_request_is_heard_answered_and_forgotten(places: Places) -> None:
    """A request is stored, taken once, and answered with a result in the reader's language."""
    assert asking.outcome(places) is None
    asking.receive(io.BytesIO(b"a package"), places)
    asking.ask(places)
    now = asking.outcome(places)
    assert now is not None and now.state == "asked" and now.going_on
    assert asking.take_request(places) and not asking.take_request(places)
    target = places.work / "copy"
    asking.upload_of(places, ME)(target)
    assert target.read_bytes() == b"a package" and not places.upload.exists()
    asking.tell(places, Outcome("running", (Said("trying"),)))
    assert asking.outcome(places) == Outcome("running", (Said("trying"),))
    error = UpdateError("went_back", UpdateError("service_fails", version="2", service="camera"), version="1")
    asking.tell(places, asking.outcome_of(error, touched=True))
    end = asking.outcome(places)
    assert end is not None and end.state == "failed" and end.text("en") == str(error)
    assert "1 est de retour" in end.text("fr") and end.text("fr").startswith("La version 2 ne marche pas")
    assert places.outcome.stat().st_mode & 0o777 == 0o644 and len(list(places.outcome.parent.iterdir())) == 1


def test_nobody_waits_for_an_answer_that_does_not_come(places: Places) -> None:
    """A request that nobody takes and an update that was killed both count as failed after a while."""
    asking.ask(places)
    late = asking.outcome(places, lambda: places.request.stat().st_mtime + asking.HEARD + 1)
    assert late == Outcome("failed", (Said("not_heard"),))
    asking.take_request(places)
    asking.tell(places, Outcome("running", (Said("trying"),)))
    late = asking.outcome(places, lambda: places.outcome.stat().st_mtime + asking.LASTING + 1)
    assert late == Outcome("failed", (Said("ended"),))
    places.outcome.write_text("{")
    assert asking.outcome(places) is None


def test_what_is_too_large_is_not_kept(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that is too large is refused by the page and by root."""
    monkeypatch.setattr(asking, "MOST", 10)
    with pytest.raises(UpdateError, match="larger"):
        asking.receive(io.BytesIO(b"x" * 11), places)
    assert not places.upload.exists()
    places.upload.write_bytes(b"x" * 11)
    with pytest.raises(UpdateError, match="larger"):
        asking.upload_of(places, ME)(places.work / "copy")


def test_root_copies_nothing_but_the_tables_own_file(places: Places, tmp_path: Path) -> None:
    """Root refuses a link, a second name, a pipe and another user's file in place of the upload."""
    secret = tmp_path / "shadow"
    secret.write_text("secret")
    places.upload.parent.mkdir()
    stranger = next(each.pw_name for each in pwd.getpwall() if each.pw_uid != os.getuid())
    for lay, user in (
        (lambda: places.upload.symlink_to(secret), ME),
        (lambda: places.upload.hardlink_to(secret), ME),
        (lambda: os.mkfifo(places.upload), ME),
        (lambda: places.upload.write_text("x"), stranger),
    ):
        lay()
        with pytest.raises(UpdateError):
            asking.upload_of(places, user)(places.work / "copy")
        places.upload.unlink()
        (places.work / "copy").unlink(missing_ok=True)


def test_an_answer_follows_no_link(places: Places, tmp_path: Path) -> None:
    """Writing the result does not follow a link in the table's folder."""
    target = tmp_path / "target"
    target.write_text("mine")
    places.outcome.symlink_to(target)
    asking.tell(places, Outcome("running", (Said("trying"),)))
    assert target.read_text() == "mine" and not places.outcome.is_symlink()


def test_a_page_may_only_ask_where_there_is_a_key(places: Places) -> None:
    """Updates are offered only where there is a key and a folder for requests."""
    import base64

    assert not asking.is_offered(places)
    places.program.mkdir(parents=True)
    places.key.write_bytes(base64.b64encode(bytes(32)))
    assert asking.is_offered(places)
    places.request.parent.rmdir()
    assert not asking.is_offered(places)


def test_both_languages_say_the_same_things() -> None:
    """Both languages have the same keys and fields, and every key is used."""
    said = {lang: flatten(tomllib.loads(FOLDER.joinpath(f"words.{lang}.toml").read_text())) for lang in ("en", "fr")}
    fields = {lang: {key: {name for _, name, _, _ in Formatter().parse(text) if name} for key, text in each.items()}
              for lang, each in said.items()}  # fmt: skip
    assert fields["en"] == fields["fr"]
    assert not any("vous" in text or "votre" in text for text in said["fr"].values())
    sources = "".join(path.read_text() for path in (ROOT / "companion/ops/update").glob("*.py"))
    sources += (ROOT / "companion/commands/update.py").read_text() + (ROOT / "systemd/recover").read_text()
    unused = [key for key in said["en"] if f'"{key.removeprefix("updating.")}"' not in sources]
    assert unused == []
