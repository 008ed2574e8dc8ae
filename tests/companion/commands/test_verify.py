"""`companion verify` checks the seals of an exported match on another computer, lot by lot."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from companion import cli
from companion.engine import Seat, Setup
from companion.games.take_a_train import events as ev
from companion.journal.journal import Journal
from companion.match.actor import Actor
from companion.match.match import Match
from companion.match.notation import export
from companion.referee.verdict import Judged, PressMark
from tests.support.sealing import LOT, held, sealed

Row = dict[str, Any]


def played(folder: Path, *, undo: bool = False, amend: bool = False, secrets: bool = True) -> list[Row]:
    """Return the export of a match with one lot in which Jane's and Bill's bids are sealed and Tom's is not."""
    with Journal(folder / "journal.db") as journal:
        setup = Setup("take-a-train", 3, {"reveal": "signal"}, "reconstruction", "ours")
        match = Match.begin(journal, setup)
        begun = (
            ev.StarterNamed(Seat(0)),
            ev.TokenDrawn("blind"),
            ev.LocosRevealed(("steam-1", "diesel-1", "electric-1")),
        )
        bids = {0: sealed(match.id, 0, 2000), 1: sealed(match.id, 1, 350), 2: ev.Committed(Seat(2), 0)}
        for event in (*begun, ev.Nominated(Seat(0), "steam-1")):
            assert match.propose(event, Actor.TABLE) is None
        before = match.seq
        for seat, bid in bids.items():
            assert match.propose(bid, Actor.at_seat(seat)) is None
        marks = tuple([PressMark(seat, -5, "ready", held=held(match.id, bids)) for seat in bids])
        assert match.judge(Judged("reveal", LOT, marks), Actor.REFEREE, ev.RevealSignalled()) is None
        if undo:
            assert match.rewind(before, Actor.HOST) is None
        if amend:
            match.amend(before + 2, ev.Committed(Seat(1), 450), Actor.HOST)
        return [msgspec.json.decode(line) for line in export(journal, match.id, secrets=secrets)]


def verify(folder: Path, rows: list[Row], *words: str) -> Result:
    """Run `companion verify` on an export."""
    file = folder / "game.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return CliRunner().invoke(cli.main, ["verify", str(file), *words])


def bid_of(rows: list[Row], seat: int) -> Row:
    """Return the line with a seat's bid."""
    return next(row for row in rows if row.get("event") == "committed" and row["seat"] == seat)


def test_an_untouched_export_is_checked(tmp_path: Path) -> None:
    """In an unchanged export two of three bids are checked, and the bid without a seal is listed separately."""
    result = verify(tmp_path, played(tmp_path))
    assert (result.exit_code, result.output) == (
        0, "Lot 1 steam-1 only, record 8: 2 of 3 checked. Without a seal: Player 3.\n",
    )  # fmt: skip


def amount(rows: list[Row]) -> None:
    """Change the amount of a bid."""
    bid_of(rows, 1)["amount"] = 400


def nonce(rows: list[Row]) -> None:
    """Change the nonce of a bid."""
    bid_of(rows, 1)["nonce"] = "0" * 32


def match_id(rows: list[Row]) -> None:
    """Change the identifier of the match."""
    rows[0]["match"] = "77"


@pytest.mark.parametrize("change", [amount, nonce, match_id])
def test_a_changed_record_names_its_lot(tmp_path: Path, change: Callable[[list[Row]], None]) -> None:
    """A changed export is reported with the lot and the seats whose bids do not fit, and exit code 1."""
    rows = played(tmp_path)
    change(rows)
    result = verify(tmp_path, rows)
    assert result.exit_code == 1
    assert result.output.startswith("Lot 1 steam-1 only, record 8: ") and "Does not fit the seal: " in result.output
    assert ("Player 1" in result.output) == (change is match_id)


def test_another_set_than_phones_held_is_found(tmp_path: Path) -> None:
    """A bid with a fresh seal is found, because the phones were ready with other seals."""
    rows = played(tmp_path)
    fresh = sealed(rows[0]["match"], 1, 400, nonce="ff" * 16)
    bid_of(rows, 1).update(amount=400, nonce=fresh.nonce, seal=fresh.seal)
    result = verify(tmp_path, rows)
    assert result.exit_code == 1
    assert "2 of 3 checked. A phone was ready with other seals than these." in result.output


def test_a_text_that_breaks_the_rules_is_checked_up_to_there(tmp_path: Path) -> None:
    """If the text breaks the rules, all lots before that line are checked, and then the error is reported."""
    rows = [*played(tmp_path), {"event": "starter_named", "seat": 1}]
    result = verify(tmp_path, rows)
    assert result.exit_code == 1
    assert "2 of 3 checked" in result.output and "cannot be checked any further" in result.output


def test_what_the_host_corrected_says_so(tmp_path: Path) -> None:
    """An opening that was undone and a bid that was amended are reported as the host's corrections."""
    (one := tmp_path / "undone").mkdir()
    (two := tmp_path / "amended").mkdir()
    undone, amended = verify(one, played(one, undo=True)), verify(two, played(two, amend=True))
    assert undone.exit_code == amended.exit_code == 0
    assert "Corrected by the host: the opening was taken back." in undone.output
    assert "1 of 3 checked. Without a seal: Player 3. Corrected by the host: Player 2." in amended.output


def test_a_match_with_secrets_left_out_is_not_called_checked(tmp_path: Path) -> None:
    """An export with a bid that is still secret cannot be verified to its end, and is not reported as checked."""
    rows = played(tmp_path, secrets=False)
    row = replace_with_secret(rows)
    result = verify(tmp_path, row)
    assert result.exit_code == 1 and "checked." not in result.output and "secret" in result.output


def replace_with_secret(rows: list[Row]) -> list[Row]:
    """Replace the first bid of an export with a secret one, and return the export."""
    bid_of(rows, 0).update(amount=None, nonce=None, secret=True)
    return rows


def test_a_match_without_seals_says_so(tmp_path: Path) -> None:
    """A match without seals is reported as such, unless phones held seals that are missing."""
    rows = played(tmp_path)
    plain = [{k: v for k, v in row.items() if k not in ("seal", "device", "nonce")} for row in rows]
    result = verify(tmp_path, plain)
    assert result.exit_code == 1 and "0 of 3 checked. A phone was ready with other seals" in result.output
    for mark in plain[-1]["marks"]:
        del mark["held"]
    result = verify(tmp_path, plain)
    assert (result.exit_code, result.output) == (0, "No bid of this match was sealed.\n")


def test_programs_get_json(tmp_path: Path) -> None:
    """`--json` prints the same results as data."""
    found = json.loads(verify(tmp_path, played(tmp_path), "--json").output)
    assert found["lots"] == [
        {
            "seq": 8, "lot": LOT, "checked": [0, 1], "unsealed": [2], "corrected": [], "misfit": [], "apart": False,
            "undone": False, "sound": True,
        }
    ]  # fmt: skip
