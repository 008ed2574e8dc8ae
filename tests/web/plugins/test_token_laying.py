"""Test laying tokens on a rendered table with a form that does not reveal which tokens are there."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.messages import RENDERED, Message, Sighted, TokensLaid
from tests.support.web.camera_double import PATIENCE, Camera, Seeing, seated
from tests.support.web.visitors import said
from web.words import words

EN = words("en")
PLACE = "seat.1.money"


class TokenTable(Camera):
    """A double of the service above a rendered table, which records the tokens that hands lay."""

    kind = RENDERED

    def __init__(self, path: Path, shelf: Path) -> None:
        self.laid: list[TokensLaid] = []
        self.expected, self.done = 1, threading.Event()
        super().__init__(path, shelf)

    def live(self, state: Any = None) -> None:
        """Report that the service is alive and its table is rendered."""
        self.client.send(self.health())
        self.client.send(Sighted(time.monotonic_ns(), 1))

    def heard(self, message: Message) -> None:
        """Record tokens, or answer a question."""
        if not isinstance(message, TokensLaid):
            super().heard(message)
            return
        self.laid.append(message)
        if len(self.laid) >= self.expected:
            self.done.set()

    def _do_lying(self) -> dict[str, Any] | str:
        return {"cards": [], "moving": 0, "places": []}


@pytest.fixture
def seeing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Seeing]:
    """Yield three people around a table, without a camera yet."""
    with seated(tmp_path, monkeypatch) as room:
        yield room


@pytest.fixture
def drawn(seeing: Seeing) -> TokenTable:
    """Return the service of a rendered table."""
    heard = threading.Event()
    seeing.board.camera_link.listen_to_readings(lambda sighted: heard.set())
    camera = TokenTable(seeing.board.bus.path, seeing.context.frames)
    seeing.cameras.append(camera)
    assert heard.wait(PATIENCE)
    return camera


def test_exactly_the_tokens_of_the_form_are_laid(seeing: Seeing, drawn: TokenTable) -> None:
    """The form counts each face, tokens may overlap, and exactly these tokens are laid."""
    answer = seeing.anybody.tap(
        seeing.host, "laying/tokens", {"place": PLACE, "money-500": "2", "money-50": "1", "heaped": "1"}
    )
    assert (answer.status_code, said(answer)) == (200, EN("card_table.tokens_laid"))
    assert drawn.done.wait(PATIENCE)
    assert drawn.laid == [TokensLaid(PLACE, ("money-50", "money-500", "money-500"), True)]


def test_all_places_are_cleared(seeing: Seeing, drawn: TokenTable) -> None:
    """A new match starts without the tokens of the last one."""
    drawn.expected = 10
    assert seeing.anybody.tap(seeing.host, "laying/tokens", {"do": "clear"}).status_code == 200
    assert drawn.done.wait(PATIENCE)
    assert {each.tokens for each in drawn.laid} == {()}
    assert {"auction.token", PLACE, "seat.3.sequence"} <= {each.place for each in drawn.laid}


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"place": "seat.7.money"}, 422),
        ({"place": PLACE, "money-50": "many"}, 422),
        ({"place": PLACE, "money-50": "15"}, 409),
        ({"place": "auction.token", "auction-blind": "1", "auction-open": "1"}, 409),
    ],
)
def test_what_cannot_lie_there_is_refused(seeing: Seeing, drawn: TokenTable, form: dict[str, str], code: int) -> None:
    """An unknown place, an invalid number and a lack of room are refused."""
    assert seeing.anybody.tap(seeing.host, "laying/tokens", form).status_code == code
    assert drawn.laid == []


def test_only_a_rendered_table_has_tokens_to_lay(seeing: Seeing, drawn: TokenTable) -> None:
    """The card table of a rendered table has the form, and a seat cannot lay tokens."""
    assert EN("card_table.tokens_lay") in seeing.anybody.read(seeing.host + "laying")
    assert seeing.anybody.tap(seeing.seats[0], "laying/tokens", {"place": PLACE}).status_code == 403


def test_a_real_table_has_none(seeing: Seeing) -> None:
    """No tokens can be laid under a camera above a real table."""
    seeing.camera()
    answer = seeing.anybody.tap(seeing.host, "laying/tokens", {"place": PLACE})
    assert (answer.status_code, said(answer)) == (409, EN("card_table.absent"))
