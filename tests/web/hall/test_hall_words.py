"""Test that every refusal and every entry of a hall has a sentence in each language."""

from __future__ import annotations

import re
import typing
from pathlib import Path

import pytest

import companion.hall
from companion.devices.hall_link.joining import FAULTS
from companion.devices.hall_link.messages import Placing, Result
from companion.devices.hall_link.signing import TableKey
from companion.hall import entries as e
from companion.hall.state import HallState
from companion.i18n import LANGUAGES
from web.hall.audit import entry_text
from web.words import words

RAISED = re.compile(r'(?:_require\((?:[^"]|"")*?|HallError\()"([a-z_]+)"')
SOURCES = [*Path(companion.hall.__file__).parent.rglob("*.py"), *Path("web/hall").glob("*.py")]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_refusal_has_its_sentence(lang: str) -> None:
    """Refusals by the record's checks and on joining have sentences."""
    keys = {found for file in SOURCES for found in RAISED.findall(file.read_text(encoding="utf-8"))}
    assert len(keys) > 30
    wanted = {f"hall.fault.{key}" for key in keys} | set(FAULTS)
    assert {key for key in wanted if key not in words(lang)} == set()


def bodies() -> list[e.Body]:
    """Return an entry of each kind."""
    key = TableKey.generate()
    placing = Placing((0,), 1, 3)
    result = Result(hall="h", table="aaaaaaaa", match="m", sequence=1, game="g", names=("Ann",), placings=(placing,))
    signed = key.sign(result)
    return [
        e.HallOpened("h", "Name"), e.TableAdmitted("aaaaaaaa", "Name", 1, key.public, ""),
        e.TableNumbered("aaaaaaaa", 2), e.TableRemoved("aaaaaaaa"),
        e.ResultReported("aaaaaaaa", signed.payload, signed.signature), e.ResultTyped(1, 2, (1,), (placing,)),
        e.ResultJudged(result.id, True), e.ResultJudged(result.id, False), e.CallMade("c", "aaaaaaaa", 0),
        e.CallTaken("c", "Mira"), e.CallClosed("c"), e.TournamentPlanned("Cup", "g", 3, "swiss", (4,), 4),
        e.PlayersEntered(("Ann",)), e.PlayersEntered(("Ann", "Bob")), e.PlayerRenamed(1, "Ann"), e.PlayerLeft(1),
        e.PlayerBack(1), e.RoundSeated(1, ()), e.RoundCalled(1, 0), e.NoShow(1, 1), e.NamesShown("initials"),
        e.Undone(1), e.TableRenamed("aaaaaaaa", "New"), e.TournamentClosed(),
        e.MinutesAdded(1, 5), e.MinutesAdded(1, -5, 2), e.Announced("Pizza"), e.Announced(""),
        e.AdviceAllowed(True), e.AdviceAllowed(False),
        e.ResultSaid(1, 2, 1, True, (1,), (placing,)), e.ResultSaid(1, 2, 1, False, (1,), (placing,)),
        e.ResultSaid(1, 2, 1, True),
        e.PlayerCame(1, 1), e.ResultUsed(result.id, 1, 2),
    ]  # fmt: skip


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_entry_has_its_sentence(lang: str) -> None:
    """Every kind of entry has a complete sentence, even if its subject has gone."""
    found = bodies()
    assert {type(body) for body in found} == set(typing.get_args(e.Body))
    for body in found:
        said = entry_text(e.Entry(1, 0.0, "hall", body), HallState(), words(lang))
        assert said, body
        assert not said.startswith("hall."), body
        assert "{" not in said, body
