"""Test moments on streams: everybody gets them in their language after the event is stored, and they reveal nothing
else."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.engine import Seat
from companion.i18n import LANGUAGES
from companion.match.actor import Actor
from companion.messages import MILLISECOND
from companion.table.ending import Telling
from tests.support.finished import finished
from tests.support.web.visitors import Room
from tests.web.live.test_cue_publisher import cues, streams, told
from tests.web.live.test_streams import key, opened, waiting
from web.live.channels import ChannelKey, Stream
from web.live.moment_publisher import ending_moment

BIDS = (250, 400, 300)
JANE, BILL = 0, 1
Sent = dict[tuple[str, int | None], list[bytes]]


@pytest.fixture
def fists(room: Room) -> Room:
    """Return a Blind lot before the first closed fist; later moments are shown."""
    room.set_up(deck="ours")
    room.join_all()
    room.begin("blind")
    say(room, 0, "locos_revealed", cards=["steam-1", "steam-4", "diesel-1"])
    say(room, 0, "nominated", seat=0, card="steam-4")
    room.context.moments.look(room.table.snapshot())
    return room


def say(room: Room, by: int, event: str, **fields: Any) -> None:
    """Send an event from a seat's page."""
    assert room.anybody.say(room.seats[by], event, **fields).status_code == 204


def commit(room: Room, seat: int) -> None:
    """Close a seat's fist."""
    say(room, seat, "committed", seat=seat, amount=BIDS[seat])


def look(room: Room, there: dict[tuple[str, int | None], Stream]) -> Sent:
    """Show the moments since the last check, and return each stream's messages."""
    room.context.moments.look(room.table.snapshot())
    return {where: waiting(stream) for where, stream in there.items()}


def moments(sent: list[bytes]) -> list[tuple[str, str]]:
    """Return the kind and the drawing of each moment on a stream."""
    return [(each["kind"], each["html"]) for each in told(sent, "moment")]


def test_fists_open_for_everybody_the_winner_s_last(fists: Room) -> None:
    """Streams get no moment before the last fist is closed; then each gets every amount, with the winner's last."""
    there = streams(fists)
    for seat in (JANE, BILL):
        commit(fists, seat)
        assert all(moments(sent) == [] for sent in look(fists, there).values())
    commit(fists, 2)
    for where, sent in look(fists, there).items():
        ((kind, html),) = moments(sent)
        found = re.findall(r'data-beat="(\d)">.*?class="name">(\w+)<.*?fist-amount">([^<]+)', html, re.DOTALL)
        assert (kind, found) == ("reveal", [("1", "Jane", "$250"), ("3", "Bill", "$400"), ("2", "Tom", "$300")]), where
        assert 'data-say="Bill buys for $400"' in html
    assert all(moments(sent) == [] for sent in look(fists, there).values())


def test_a_moment_is_never_shown_again(fists: Room) -> None:
    """Neither a page that opens later nor an undo shows a moment again."""
    there = streams(fists)
    for seat in range(3):
        commit(fists, seat)
    look(fists, there)
    _, missed = opened(fists, key(fists, "watch"), page="late")
    assert moments(missed) == moments(fists.context.hub.greeting(key(fists, "watch"))) == []
    fists.table.ask_undo(fists.table.snapshot().last_move or 0, Actor.HOST)
    for seat in range(3):
        fists.table.consent(Seat(seat), True)
    assert fists.table.snapshot().entries[-1].seq < fists.table.snapshot().seq
    assert all(moments(sent) == [] for sent in look(fists, there).values())


def test_each_reads_moments_in_their_own_language(fists: Room) -> None:
    """Two tablets, one of them French, get the same moment in their own language."""
    where = [key(fists, "watch"), key(fists, "watch", lang="fr")]
    there = {(each.lang, None): opened(fists, each, page=each.lang)[0] for each in where}
    for seat in range(3):
        commit(fists, seat)
    sent = look(fists, there)
    assert "Bill buys for $400" in moments(sent["en", None])[0][1]
    assert "Bill achète pour 400\N{NARROW NO-BREAK SPACE}$" in moments(sent["fr", None])[0][1]


def test_a_sale_is_a_moment_with_its_price_and_no_cue_of_a_page(room: Room) -> None:
    """When Jane counts to three, the lamps get the sale as a cue, and pages get one moment with the price."""
    room.set_up(deck="ours")
    room.join_all()
    room.begin("open")
    say(room, 0, "locos_revealed", cards=["steam-4"])
    say(room, 0, "opened", seat=0, amount=300)
    there = streams(room)
    look(room, there)
    heard: list[str] = []
    room.table.cues.listen(lambda shown: heard.extend(type(cue).__name__ for cue in shown))
    for count in (1, 2, 3):
        say(room, JANE, "counted", seat=JANE, count=count)
    for sent in look(room, there).values():
        assert [kind for kind, _ in moments(sent)] == ["sold"]
        assert "Jane buys for $300" in moments(sent)[0][1]
        assert cues(sent, "sold") == []
    assert heard.count("Sold") == 1


def test_a_moment_that_cannot_be_drawn_disturbs_nothing(fists: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken template loses its moment and logs one line, and the next check works."""
    there = streams(fists)
    monkeypatch.setattr(fists.context.moments, "environment", lambda: 1 / 0)
    for seat in range(3):
        commit(fists, seat)
    assert all(moments(sent) == [] for sent in look(fists, there).values())


def test_another_match_s_streams_get_nothing(fists: Room) -> None:
    """A stream of another match gets no moment of the current one."""
    got: list[object] = []
    fists.context.hub.send = lambda message: got.append(message(ChannelKey("9999", "watch", None, "en")))  # type: ignore[method-assign]
    opened(fists, key(fists, "watch"))
    for seat in range(3):
        commit(fists, seat)
    fists.context.moments.look(fists.table.snapshot())
    assert got[-1] is None and not any(b"event: moment" in each for each in got if isinstance(each, bytes))


@pytest.mark.parametrize(
    ("game", "players"), [("take-a-train", 3), ("game-of-trains", 3), ("trains", 3), ("express", 4)]
)
def test_the_end_of_every_game_is_told_from_the_last_place_to_the_first(room: Room, game: str, players: int) -> None:
    """In both languages the places appear in order from the last to the first, then the winners with a train, then
    the podium."""
    snapshot = finished(game, players)
    lasts = 14_000 * MILLISECOND
    told = replace(snapshot, telling=Telling(0, lasts))
    for lang in LANGUAGES:
        message = room.context.moments.message(partial(ending_moment, told), told, lang, 0)
        assert message is not None
        found = msgspec.json.decode(message.partition(b"data: ")[2])
        at = [int(each) for each in re.findall(r'data-at="(\d+)"', found["html"])]
        *places, winner, podium = at
        assert places == sorted(places, reverse=True) and places[-1] > 0 and max(places) < winner < podium
        assert podium + 1500 < lasts // MILLISECOND and "end-train" in found["html"]
