"""Test bids that phones seal: which the table accepts, when bids are frozen, and what pages receive before and
after."""

from __future__ import annotations

import random
import re
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.engine import Seat
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.steps.sealed_auctions import Fists
from companion.journal.journal import Journal
from companion.match.actor import Actor
from companion.match.notation import export
from companion.mechanics.seals import seal_of
from companion.table.snapshot import Snapshot
from tests.support.sealing import DEVICES, LOT, NONCES, held, sealed
from tests.support.web.swapping import sent
from tests.support.web.visitors import JOURNAL, Room, said
from web.live.channels import ChannelKey
from web.words import words

BIDS = (2000, 350, 0)


def lot(room: Room, **options: Any) -> dict[int, ev.Committed]:
    """Begin a lot of sealed bids that opens at a signal; return Jane's and Bill's bids with seals and Tom's without."""
    room.set_up(3, deck="ours", **({"reveal": "signal"} | options))
    room.join_all()
    room.begin("blind")
    say(room, 0, ev.LocosRevealed(("steam-1", "diesel-1", "electric-1")))
    say(room, 0, ev.Nominated(Seat(0), "steam-1"))
    match = room.table.snapshot().match_id
    return {0: sealed(match, 0, BIDS[0]), 1: sealed(match, 1, BIDS[1]), 2: ev.Committed(Seat(2), BIDS[2])}


def say(room: Room, seat: int, event: Any, status: int = 204) -> str:
    """Send an event from a seat's page, and return the answer's sentence."""
    given = msgspec.json.decode(msgspec.json.encode(event))
    fields = {k: v for k, v in given.items() if v != "" and k not in ("seat", "event")}
    answer = room.anybody.say(room.seats[seat], str(event.__struct_config__.tag), **fields)
    assert answer.status_code == status, answer.text
    return said(answer) if answer.text else ""


def ready(room: Room, seat: int, holds: str = "") -> tuple[int, ...]:
    """Press "ready" on a seat's page that holds some seals, and return the seats that are ready."""
    answer = room.anybody.tap(room.seats[seat], "press", {"held": holds} if holds else {})
    assert answer.status_code == 204, answer.text
    return room.table.snapshot().ready


def shown(room: Room, page: str) -> Any:
    """Return the seals that a page's script receives."""
    found = re.search(r'data-seals="([^"]*)"', room.anybody.get(page).text)
    return None if found is None else msgspec.json.decode(unescape(found.group(1)))


def pages(room: Room) -> list[str]:
    """Return a page of each seat, the host, the spectator and the tablet."""
    return [*room.seats, room.host, room.page("watch"), room.page("tablet")]


def everything(room: Room) -> str:
    """Return everything that devices in the room can read: pages, sentences, and the public text of the match."""
    read = [room.anybody.get(page + path).text for page in pages(room) for path in ("", "now.json", "said.json")]
    with Journal(room.folder / JOURNAL, read_only=True) as journal:
        return "".join([*read, *export(journal, room.table.snapshot().match_id)])


def finish(room: Room) -> None:
    """Wait until the fists open."""
    opens = room.table.referee.due()
    assert opens is not None
    while room.table.snapshot().state.agenda[0].name == "fists":  # type: ignore[union-attr]
        room.table.wait(room.table.snapshot().number, 5)


def test_a_seal_that_does_not_fit_is_refused_when_the_fist_closes(room: Room) -> None:
    """A bid with another amount, nonce, device, seat or lot, or with a missing part, is refused."""
    bids, count = lot(room), room.count
    match = room.table.snapshot().match_id
    wrong = [
        replace(bids[0], amount=1950), replace(bids[0], nonce="b" * 32), replace(bids[0], device="b" * 16),
        replace(bids[0], seal=bids[1].seal), replace(bids[0], nonce=""), replace(bids[0], seal=""),
        replace(bids[0], device=""), sealed(match, 0, 2000, lot="2 steam-1 only"), sealed("99", 0, 2000),
        sealed(match, 0, 2000, nonce="A0" * 16), sealed(match, 0, 2000, nonce="a0\n" * 10 + "aa"),
    ]  # fmt: skip
    for bid in wrong:
        assert say(room, 0, bid, 409) == words("en")("refusal.R-00.seal_misfit"), bid
    assert room.count == count
    say(room, 0, bids[0])
    assert [each["seal"] for each in shown(room, room.seats[1])["closed"]] == [bids[0].seal]


def test_a_seal_needs_a_lot_that_opens_at_a_signal(room: Room) -> None:
    """If the last fist opens all, bids must have no seal, because it would arrive together with its opening."""
    bids = lot(room, reveal="last_fist")
    assert shown(room, room.seats[0]) is None
    say(room, 0, bids[0], 409)
    say(room, 0, replace(bids[0], seal="", device="", nonce=""))


def test_ready_with_all_seals_freezes_every_fist(room: Room) -> None:
    """A phone is ready only with the table's own set of seals, and then no fist can change until it withdraws."""
    bids = lot(room)
    match = room.table.snapshot().match_id
    say(room, 0, bids[0])
    assert ready(room, 0, held(match, {0: bids[0]})) == ()
    say(room, 1, bids[1])
    say(room, 2, bids[2])
    assert ready(room, 0, held(match, {0: bids[0], 1: bids[1]})) == ()
    assert ready(room, 0, held(match, bids)) == (0,)
    frozen = words("en")("refusal.R-00.bids_frozen")
    other = sealed(match, 1, 400)
    for seat, bid in ((0, bids[0]), (1, other), (2, ev.Committed(Seat(2), 50))):
        assert say(room, seat, bid, 409) == frozen
    assert ready(room, 0) == ()
    say(room, 1, other)
    assert ready(room, 0, held(match, bids)) == ()
    assert ready(room, 0, held(match, bids | {1: other})) == (0,)


def test_a_button_without_seals_freezes_nothing(room: Room) -> None:
    """A seat that is ready by a button holds no seals, so fists can still change."""
    bids = lot(room)
    for seat, bid in bids.items():
        say(room, seat, bid)
    assert ready(room, 2) == (2,)
    say(room, 1, sealed(room.table.snapshot().match_id, 1, 400))
    assert room.table.snapshot().ready == (2,)


def test_nobody_reads_a_nonce_before_the_fists_open(room: Room) -> None:
    """Pages, JSON and the public text contain the seals at once, but nonces only together with the amounts."""
    bids = lot(room)
    match = room.table.snapshot().match_id
    for seat, bid in bids.items():
        say(room, seat, bid)
    before = everything(room)
    assert bids[0].seal in before and bids[1].seal in before
    assert not any(nonce in before for nonce in NONCES)
    assert shown(room, room.host)["opened"] is None
    for seat in range(3):
        ready(room, seat, held(match, bids))
    finish(room)
    for page in pages(room):
        opened = shown(room, page)["opened"]
        assert [(each["amount"], each["nonce"]) for each in opened["bids"]] == [
            (2000, NONCES[0]), (350, NONCES[1]), (0, ""),
        ]  # fmt: skip
        assert sorted(opened["held"]) == [[seat, held(match, bids)] for seat in range(3)]
        assert (opened["lot"], opened["missing"]) == (LOT, [])
    after = everything(room)
    assert NONCES[0] in after and NONCES[1] in after


def test_a_freed_seats_new_device_gets_no_nonce(room: Room) -> None:
    """After the host takes Bill's freed seat, that device gets neither amount nor nonce, and the bid still opens."""
    bids = lot(room)
    for seat, bid in bids.items():
        say(room, seat, bid)
    assert room.anybody.tap(room.host, "free", {"seat": "1"}).status_code == 204
    device = room.visitor()
    page = room.join(1, "9999", device).headers["Location"]
    read = "".join([device.get(page + path).text for path in ("", "now.json", "said.json")])
    assert bids[1].seal in read and NONCES[1] not in read
    for seat in (0, 2):
        ready(room, seat)
    assert device.tap(page, "press").status_code == 204
    finish(room)
    assert shown(room, room.host)["opened"]["bids"][1]["nonce"] == NONCES[1]


def test_the_text_of_a_match_hides_earlier_nonces_with_their_amounts(room: Room) -> None:
    """The public text omits the nonces of hidden and replaced amounts, because with the seal they would reveal the
    amount."""
    bids = lot(room)
    match = room.table.snapshot().match_id
    replaced = sealed(match, 1, 700, nonce="b1" * 16)
    for seat, bid in (bids | {1: replaced}).items():
        say(room, seat, bid)
    say(room, 1, bids[1])
    assert room.anybody.tap(room.host, "propose", {"event": "reveal_signalled"}).status_code == 204
    assert replaced.nonce not in everything(room)
    with Journal(room.folder / JOURNAL, read_only=True) as journal:
        lines = [msgspec.json.decode(line) for line in export(journal, match)]
    closed = [line for line in lines if line.get("event") == "committed"]
    assert [(line.get("amount"), line.get("nonce")) for line in closed] == [
        (2000, NONCES[0]), (None, None), (0, None), (350, NONCES[1]),
    ]  # fmt: skip
    state = room.table.snapshot().state
    assert state is not None
    later = replace(state, table=replace(state.table, round=state.table.round + 1))
    game = room.table.snapshot().game
    assert game.no_longer_shown(later, state, bids[0]) == ("amount", "nonce")


def test_the_host_opens_without_waiting_and_that_is_said(room: Room) -> None:
    """A phone that is never ready does not stop the table, and the page names the seats that were not ready."""
    bids = lot(room)
    say(room, 0, bids[0])
    say(room, 1, bids[1])
    assert room.anybody.tap(room.host, "propose", {"event": "reveal_signalled"}).status_code == 409
    say(room, 2, bids[2])
    assert 'value="reveal_signalled"' in room.anybody.get(room.host).text
    assert all('value="reveal_signalled"' not in room.anybody.get(page).text for page in room.seats)
    assert room.anybody.say(room.seats[0], "reveal_signalled").status_code == 422
    assert room.anybody.tap(room.host, "propose", {"event": "reveal_signalled"}).status_code == 204
    sentence = words("en")("seals.without", names="Jane, Bill and Tom")
    assert all(sentence in room.anybody.read(page) for page in pages(room))
    assert shown(room, room.host)["opened"]["held"] == []


def test_an_amended_bid_reads_corrected_by_the_host(room: Room) -> None:
    """Pages mark an opened bid that the host corrected, instead of accusing its seat."""
    bids = lot(room)
    for seat, bid in bids.items():
        say(room, seat, bid)
    seq = room.table.snapshot().entries[-2].seq
    room.table.propose(ev.RevealSignalled(), Actor.HOST)
    assert room.table.amend(seq, ev.Committed(Seat(1), 450), Actor.HOST).accepted
    assert [each["corrected"] for each in shown(room, room.host)["opened"]["bids"]] == [False, True, False]


# --- two worlds that differ in secrets alone ----------------------------------------------------------


def swapped(moment: Snapshot, seat: int, luck: random.Random) -> Snapshot:
    """Return a moment in which a seat's closed fist has another amount and nonce under the same seal."""
    amount, nonce = luck.randrange(0, 5000, 50), f"{luck.getrandbits(128):032x}"
    state = moment.state
    assert state is not None
    head = state.agenda[0]
    assert isinstance(head, Fists)
    amounts = tuple([amount if s == seat and old is not None else old for s, old in enumerate(head.amounts)])
    state = replace(state, agenda=(replace(head, amounts=amounts), *state.agenda[1:]))
    entries = list(moment.entries)
    for at, entry in enumerate(entries):
        if isinstance(entry.event, ev.Committed) and entry.event.seat == seat:
            entries[at] = replace(entry, event=replace(entry.event, amount=amount, nonce=nonce))
    entries[-1] = replace(entries[-1], after=state)
    return replace(moment, state=state, entries=tuple(entries))


@pytest.mark.parametrize("seed", range(3))
def test_no_byte_tells_an_amount_or_nonce_under_a_seal(room: Room, seed: int) -> None:
    """The amount and nonce of a sealed bid change nothing that others receive, and the seat's own page has no nonce."""
    bids, moments, luck = lot(room), [], random.Random(seed)
    for seat, bid in bids.items():
        say(room, seat, bid)
        moments.append(room.table.snapshot())
    moments = moments[1:]
    match = moments[0].match_id
    others = [
        ChannelKey(match, "seat", 0, "en"),
        *(ChannelKey(match, role, None, "fr") for role in ("table", "watch", "host")),
    ]
    own = [ChannelKey(match, "seat", 1, "en")]
    worlds = [[swapped(moment, 1, random.Random(luck.random())) for moment in moments] for _ in range(2)]
    one, two = (sent(room, world, others) for world in worlds)
    assert one == two
    assert bids[1].seal.encode() in b"".join(one[0][1])
    mine = [sent(room, world, own) for world in worlds]
    assert mine[0] != mine[1]
    nonces = [
        e.event.nonce
        for world in worlds
        for e in world[-1].entries
        if isinstance(e.event, ev.Committed) and e.event.seat == 1
    ]
    assert len(nonces) == 2 and not any(nonce.encode() in repr(mine).encode() for nonce in nonces)


def test_devices_are_told_apart(room: Room) -> None:
    """If two devices of a seat close its fist, the last one counts, and the seal names that device."""
    bids = lot(room)
    match = room.table.snapshot().match_id
    say(room, 0, bids[0])
    second = replace(bids[0], device="ee" * 8)
    second = replace(second, seal=seal_of(match, LOT, second))
    say(room, 0, second)
    assert [(each["seal"], each["device"]) for each in shown(room, room.seats[1])["closed"]] == [
        (second.seal, "ee" * 8)
    ]
    assert DEVICES[0] not in str(shown(room, room.seats[1])["closed"])


def test_a_restart_keeps_seals_and_forgets_who_was_ready(tmp_path: Path) -> None:
    """After a restart the journal still has bids and nonces, and every phone must be ready again."""
    with Room(tmp_path) as room:
        bids = lot(room)
        match = room.table.snapshot().match_id
        for seat, bid in bids.items():
            say(room, seat, bid)
        assert ready(room, 0, held(match, bids)) == (0,)
        room.restart()
        assert room.table.snapshot().ready == ()
        assert [each["seal"] for each in shown(room, room.seats[0])["closed"]] == [bids[0].seal, bids[1].seal, ""]
        assert ready(room, 0, held(match, bids)) == (0,)
