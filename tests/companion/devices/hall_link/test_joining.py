"""The message exchange by which a table joins a hall with a code."""

from __future__ import annotations

import json
import threading
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.hall_link import joining
from companion.devices.hall_link.joining import (
    AGAIN,
    ALPHABET,
    FAULTS,
    REQUEST_BYTES,
    SINGLE,
    JoinChannel,
    JoinError,
    JoinGrant,
    JoiningTable,
    JoinRequest,
    JoinVerdict,
    read_code,
    seal,
)
from companion.devices.hall_link.signing import TableKey, fingerprint
from companion.hall import joining_desk
from companion.hall.joining_desk import CODE_S, OPEN, OPENINGS, SHEET_S, SILENT_S, JoinCandidate, JoiningDesk

KEY = TableKey.from_bytes(bytes(range(32)))
REQUEST = ("The window", lambda hall: KEY)
"""The name of a joining table, and its key for each hall."""
CA = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
GRANT = JoinGrant(
    hall="spring",
    hall_name="Salle des fêtes",
    table="ab12cd34",
    port=8883,
    tls=True,
    ca_pem=CA,
    user="ab12cd34",
    password="pass-word-that-is-secret",
)
FROM = "192.168.1.31"


class Clock:
    """Seconds that pass only when a test advances them."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """Return the time in seconds."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """Return the hall's clock."""
    return Clock()


@pytest.fixture
def desk(clock: Clock) -> JoiningDesk:
    """Return the hall's desk for joining tables."""
    return JoiningDesk(clock)


def other(code: str) -> str:
    """Return a code that differs in its last character."""
    return code[:-1] + ("2" if code[-1] != "2" else "3")


def confirmation(desk: JoiningDesk, table: JoiningTable) -> bytes:
    """Open an exchange and return the table's confirmation for it."""
    status, opened = desk.answer(table.opening(), FROM)
    assert status == 200
    return table.confirmation(opened)


def joined(desk: JoiningDesk) -> tuple[JoiningTable, str]:
    """Return a table that waits for the organiser, and its exchange."""
    table = JoiningTable(desk.code(), *REQUEST)
    assert table.verdict(said(desk, confirmation(desk, table))) == JoinVerdict("waiting")
    return table, desk.waiting()[-1].exchange


def said(desk: JoiningDesk, body: bytes) -> bytes:
    """Return the desk's answer to a message, which must succeed."""
    status, answer = desk.answer(body, FROM)
    assert status == 200, answer
    return answer


def fault(desk: JoiningDesk, body: bytes) -> str:
    """Return the key of the fault with which the desk refuses a message."""
    status, answer = desk.answer(body, FROM)
    key = json.loads(answer)["fault"]
    assert json.loads(answer) == {"fault": key}
    assert status == FAULTS[key]
    return str(key)


def changed(body: bytes, **fields: Any) -> bytes:
    """Return a message with some fields replaced."""
    return json.dumps(json.loads(body) | fields).encode()


def flipped(body: bytes, field: str, at: int = 0) -> bytes:
    """Return a message with one bit flipped in a field of bytes."""
    raw = bytearray(b64decode(json.loads(body)[field]))
    raw[at] ^= 1
    return changed(body, **{field: b64encode(raw).decode()})


def raised(call: Callable[[], object]) -> str:
    """Return the key of the fault raised by a call."""
    with pytest.raises(JoinError) as found:
        call()
    return found.value.key


# --- the expected course ------------------------------------------------------------------------


def test_a_table_joins(desk: JoiningDesk, clock: Clock) -> None:
    """A table with the right code waits, is shown to the organiser and gets its grant."""
    table, exchange = joined(desk)
    assert desk.waiting() == (JoinCandidate(exchange, "The window", KEY.public, FROM),)
    assert desk.waiting()[0].fingerprint == fingerprint(KEY.public)
    assert table.verdict(said(desk, table.poll())) == JoinVerdict("waiting")
    desk.approve(exchange, GRANT)
    assert desk.waiting() == ()
    assert table.verdict(said(desk, table.poll())) == JoinVerdict("approved", GRANT)
    assert table.verdict(said(desk, table.poll())) == JoinVerdict("approved", GRANT)


def test_a_table_is_refused(desk: JoiningDesk) -> None:
    """A refused table learns of the refusal, and cannot be approved afterwards."""
    table, exchange = joined(desk)
    desk.refuse(exchange)
    assert table.verdict(said(desk, table.poll())) == JoinVerdict("refused")
    assert raised(lambda: desk.approve(exchange, GRANT)) == "hall.fault.unknown_exchange"


def test_several_tables_wait_with_a_code_each(desk: JoiningDesk) -> None:
    """Each table has its own exchange and gets its own verdict."""
    first, one = joined(desk)
    second, two = joined(desk)
    assert [each.exchange for each in desk.waiting()] == [one, two]
    desk.refuse(one)
    desk.approve(two, GRANT)
    assert first.verdict(said(desk, first.poll())).state == "refused"
    assert second.verdict(said(desk, second.poll())).state == "approved"


def test_an_answer_that_was_lost_is_given_again(desk: JoiningDesk) -> None:
    """A repeated confirmation gets the same answer and changes nothing."""
    table = JoiningTable(desk.code(), *REQUEST)
    body = confirmation(desk, table)
    assert said(desk, body) == said(desk, body)
    assert len(desk.waiting()) == 1


def test_nothing_legible_crosses(desk: JoiningDesk) -> None:
    """No message contains the code, the request or the grant in readable form."""
    code = desk.code()
    table = JoiningTable(code, *REQUEST)
    opening = table.opening()
    crossed = [opening, said(desk, opening)]
    crossed.append(table.confirmation(crossed[-1]))
    crossed.append(said(desk, crossed[-1]))
    desk.approve(desk.waiting()[0].exchange, GRANT)
    crossed.append(table.poll())
    crossed.append(said(desk, crossed[-1]))
    everything = b"".join(crossed) + b"".join(b64decode(each["sealed"]) for each in map(json.loads, crossed[2:]))
    for secret in (GRANT.password, GRANT.hall, CA[:20], REQUEST[0], read_code(code)[1], code):
        assert secret.encode() not in everything


def test_listeners_hear_of_the_code_and_of_who_waits(desk: JoiningDesk) -> None:
    """Listeners are notified once per change of the code or of the waiting tables, and not without a change."""
    heard: list[int] = []
    desk.listen(lambda: heard.append(len(desk.waiting())))
    table, exchange = joined(desk)
    assert heard == [0, 1]
    said(desk, table.poll())
    assert heard == [0, 1]
    desk.approve(exchange, GRANT)
    assert heard == [0, 1, 0]


# --- codes --------------------------------------------------------------------------------------


def test_a_code_is_shown_until_it_ends(desk: JoiningDesk) -> None:
    """The code stays the same until a new one is requested, and has the documented form."""
    code = desk.code()
    assert desk.code() == code
    assert len(code) == 7
    assert code[2] == "-"
    assert set(code.replace("-", "")) <= set(ALPHABET)
    assert desk.new_code() != code


@pytest.mark.parametrize(
    "typed", ["K7-F3QD", "k7f3qd", " k7 f3 qd ", "K7–F3QD", "K7‑F3‑QD", "Ｋ７F3QD", "K7\u00a0F3QD\n", "k7\u200bf3qd"]
)
def test_a_code_may_be_typed_in_many_ways(typed: str) -> None:
    """Case, spaces, hyphens and full-width characters of a typed code do not matter."""
    assert read_code(typed) == (SINGLE, "K7F3QD")


def test_lookalikes_are_corrected_where_one_alone_is_meant() -> None:
    """A letter outside the alphabet is replaced by its lookalike if there is exactly one."""
    assert read_code("bguz-22") == (SINGLE, "86V222")
    assert not set("BGUZ0O1IL5S") & set(ALPHABET)


@pytest.mark.parametrize("letter", "0O1IL5S?é")
def test_a_character_of_no_code_is_named(letter: str) -> None:
    """A character with several lookalikes is refused by name."""
    with pytest.raises(JoinError) as found:
        JoiningTable("K7F3Q" + letter, *REQUEST)
    assert (found.value.key, found.value.fields) == ("hall.fault.code_letter", {"letter": letter.upper()})


@pytest.mark.parametrize("typed", ["", "K7F3Q", "K7F3QDD", " - "])
def test_a_code_has_six_characters(typed: str) -> None:
    """The table itself refuses a code of another length."""
    assert raised(lambda: JoiningTable(typed, *REQUEST)) == "hall.fault.code_length"


@given(st.text())
def test_any_text_is_a_code_or_a_known_fault(typed: str) -> None:
    """Any text is read as a code or refused with a known fault."""
    try:
        found = set(read_code(typed)[1])
    except JoinError as error:
        found = {error.key}
    assert found <= {*ALPHABET, "hall.fault.code_letter", "hall.fault.code_length"}


# --- wrong codes --------------------------------------------------------------------------------


def test_a_wrong_code_tells_only_that_it_is_wrong(desk: JoiningDesk) -> None:
    """A wrong code ends the exchange and shows no table to the organiser, and the right code still works."""
    code = desk.code()
    table = JoiningTable(other(code), *REQUEST)
    body = confirmation(desk, table)
    status, answer = desk.answer(body, FROM)
    assert (status, json.loads(answer)) == (403, {"fault": "hall.fault.wrong_code"})
    assert raised(lambda: table.verdict(answer)) == "hall.fault.wrong_code"
    assert desk.waiting() == ()
    assert fault(desk, body) == "hall.fault.unknown_exchange"
    assert fault(desk, table.poll()) == "hall.fault.unknown_exchange"
    assert desk.code() == code
    joined(desk)


def wrong_tries(desk: JoiningDesk, code: str, senders: Iterable[str]) -> list[str]:
    """Return the answers to one wrong code from each sender."""
    found = []
    for sender in senders:
        table = JoiningTable(other(code), *REQUEST)
        _, opened = desk.answer(table.opening(), sender)
        if b"fault" not in opened:
            _, opened = desk.answer(table.confirmation(opened), sender)
        found.append(str(json.loads(opened)["fault"]))
    return found


def test_a_stranger_s_wrong_codes_end_the_code_for_the_stranger_alone(desk: JoiningDesk) -> None:
    """Three wrong codes block only their sender, also in its open exchanges."""
    code = desk.code()
    begun = [confirmation(desk, JoiningTable(other(code), *REQUEST)) for _ in range(4)]
    right = confirmation(desk, JoiningTable(code, *REQUEST))
    assert [fault(desk, each) for each in begun[:3]] == ["hall.fault.wrong_code"] * 3
    assert fault(desk, begun[3]) == "hall.fault.code_ended"
    assert fault(desk, right) == "hall.fault.code_ended"
    assert fault(desk, JoiningTable(code, *REQUEST).opening()) == "hall.fault.code_ended"
    assert desk.code() == code
    table = JoiningTable(code, *REQUEST)
    _, opened = desk.answer(table.opening(), "192.168.1.32")
    assert desk.answer(table.confirmation(opened), "192.168.1.32")[0] == 200
    joined(desk)  # the first sender may try again with the next code


def test_a_code_bears_so_many_wrong_tries_in_all(desk: JoiningDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a limited number of wrong codes the code is replaced, printed ones too, and listeners are notified."""
    monkeypatch.setattr(joining_desk, "WRONG", 6)
    desk.print_codes([7])
    heard: list[int] = []
    for code, read in ((desk.code(), desk.code), (desk.printed()[0].shown, lambda: desk.printed()[0].shown)):
        desk.listen(lambda: heard.append(1))
        assert wrong_tries(desk, code, [f"10.0.0.{n // 3}" for n in range(6)]) == ["hall.fault.wrong_code"] * 6
        assert read() != code and read()[:-7] == code[:-7] and heard
        assert fault(desk, confirmation(desk, JoiningTable(code, *REQUEST))) == "hall.fault.wrong_code"


def test_openings_that_nobody_finishes_keep_nobody_out(desk: JoiningDesk) -> None:
    """When too many exchanges are open, the oldest of the busiest sender makes room for a new one."""
    stranger = JoiningTable(desk.code(), *REQUEST)
    senders = [f"10.0.{n % 5}.1" for n in range(OPEN)]
    assert [desk.answer(stranger.opening(), sender)[0] for sender in senders] == [200] * OPEN
    joined(desk)
    begun = [of.sender for of in desk._exchanges.values() if of.request is None]
    assert len(begun) == OPEN - 1 and begun[0] == "10.0.1.1"


def test_who_begins_too_much_is_told_to_wait(desk: JoiningDesk, clock: Clock) -> None:
    """A sender that opens too many exchanges must wait, and other senders need not."""
    table = JoiningTable(desk.code(), *REQUEST)
    begun = [desk.answer(table.opening(), "10.0.0.1")[0] for _ in range(int(OPENINGS.burst) + 1)]
    assert begun == [*[200] * int(OPENINGS.burst), 429]
    said(desk, table.opening())
    clock.now += 1 / OPENINGS.second
    assert desk.answer(table.opening(), "10.0.0.1")[0] == 200


# --- printed codes, and former tables -----------------------------------------------------------


def test_a_printed_code_says_which_table_it_is(desk: JoiningDesk, clock: Clock) -> None:
    """A printed code belongs to one table number, works once and for an hour, and leaves the shown code valid."""
    shown = desk.code()
    desk.print_codes([3, 12])
    three, twelve = desk.printed()
    assert (three.number, twelve.number, twelve.left_s) == (3, 12, 3600)
    assert twelve.shown.startswith("12-") and read_code(twelve.shown) == (12, twelve.shown[3:].replace("-", ""))
    said(desk, confirmation(desk, JoiningTable(twelve.shown.lower().replace("-", " "), *REQUEST)))
    assert [each.number for each in desk.waiting()] == [12]
    assert (desk.code(), desk.printed()) == (shown, (three,))
    assert fault(desk, JoiningTable(twelve.shown, *REQUEST).opening()) == "hall.fault.code_ended"
    assert fault(desk, confirmation(desk, JoiningTable("3-" + twelve.shown[3:], *REQUEST))) == "hall.fault.wrong_code"
    clock.now += SHEET_S
    assert desk.printed() == ()


@pytest.mark.parametrize("typed", ["12345-K7F3QD", "K7F3QDD", "x-K7F3QD", "1K-K7F3QD", "²-K7F3QD9"])
def test_a_number_before_a_code_has_at_most_four_digits(typed: str) -> None:
    """The number before a code has at most four digits."""
    assert raised(lambda: read_code(typed)) == "hall.fault.code_length"


def test_tables_of_before_come_again_by_one_code(clock: Clock) -> None:
    """One code readmits all former tables and no other table."""
    keys = [TableKey.generate() for _ in range(3)]
    known = {key.public for key in keys[:2]}
    desk = JoiningDesk(clock, "spring", known.__contains__)
    desk.print_codes([AGAIN])
    code = desk.printed()[0].shown
    assert code.startswith("0-")
    bodies = [confirmation(desk, JoiningTable(code, "Bar", lambda hall, key=key: key)) for key in keys]
    assert [desk.answer(body, FROM)[0] for body in bodies] == [200, 200, 403]
    assert fault(desk, confirmation(desk, JoiningTable(code, "Bar", lambda hall: keys[2]))) == "hall.fault.not_known"
    assert [(each.public, each.again, each.number) for each in desk.waiting()] == [
        (key.public, True, 0) for key in keys[:2]
    ]


# --- the proof of the key -----------------------------------------------------------------------


def confirmed_as(desk: JoiningDesk, request: Callable[[JoinChannel], JoinRequest]) -> bytes:
    """Return the confirmation of a sender that knows the code and builds its request for the channel."""
    table = JoiningTable(desk.code(), *REQUEST)
    body = confirmation(desk, table)
    assert table._channel is not None
    sealed = seal(table._channel.to_hall, 0, request(table._channel))
    return changed(body, sealed=b64encode(sealed).decode())


@pytest.mark.parametrize("hall", ["", "autumn"])
def test_a_key_is_its_own_only_with_the_exchange_signed(clock: Clock, hall: str) -> None:
    """A key is accepted only if it signed this exchange of this hall."""
    desk, mine = JoiningDesk(clock, "spring"), TableKey.generate()
    for signer, halls, transcript in ((mine, "spring", None), (KEY, hall, None), (KEY, "spring", b"another")):
        body = confirmed_as(
            desk,
            lambda channel, signer=signer, halls=halls, transcript=transcript: JoinRequest(
                KEY.public, "Bar", signature=signer.prove(transcript or channel.transcript, halls)
            ),
        )
        assert fault(desk, body) == "hall.fault.tampered"
    assert desk.waiting() == ()
    joined(desk)


def test_an_older_table_is_told_to_update(desk: JoiningDesk) -> None:
    """A request without a signature, as from an older version, is refused and does not use up the code."""
    code = desk.code()
    opening = json.loads(JoiningTable(code, *REQUEST).opening())
    assert desk.answer(json.dumps({k: v for k, v in opening.items() if k != "number"}).encode(), FROM)[0] == 200
    body = confirmed_as(desk, lambda channel: JoinRequest(KEY.public, "Bar"))
    assert fault(desk, body) == "hall.fault.unreadable"
    assert desk.code() == code


def test_a_table_signs_for_the_hall_that_it_enters(clock: Clock) -> None:
    """The table learns the hall's identity before it chooses a key, and the hall cannot change it later."""
    desk = JoiningDesk(clock, "spring")
    asked: list[str] = []
    table = JoiningTable(desk.code(), "Bar", lambda hall: asked.append(hall) or KEY)
    said(desk, confirmation(desk, table))
    assert (asked, table.public) == (["spring"], KEY.public)
    desk.approve(desk.waiting()[0].exchange, msgspec.structs.replace(GRANT, hall="autumn"))
    answer = said(desk, table.poll())
    assert raised(lambda: table.verdict(answer)) == "hall.fault.unreadable"


def test_two_halls_know_different_keys() -> None:
    """A table has a different, repeatable key for each hall, and none reveals another."""
    keys = [KEY.for_hall("spring"), KEY.for_hall("autumn"), KEY]
    assert len({key.public for key in keys}) == 3
    assert keys[0].raw == TableKey.from_bytes(KEY.raw).for_hall("spring").raw


def test_two_wrong_codes_leave_a_third_attempt(desk: JoiningDesk) -> None:
    """After two wrong codes a third attempt still succeeds."""
    for _ in range(2):
        assert fault(desk, confirmation(desk, JoiningTable(other(desk.code()), *REQUEST))) == "hall.fault.wrong_code"
    joined(desk)


def test_a_code_serves_one_table(desk: JoiningDesk) -> None:
    """As soon as a table waits, its code is invalid for all other exchanges, and a new code is shown."""
    code = desk.code()
    late = confirmation(desk, JoiningTable(code, *REQUEST))
    joined(desk)
    assert fault(desk, late) == "hall.fault.code_ended"
    assert fault(desk, JoiningTable(code, *REQUEST).opening()) == "hall.fault.code_ended"
    assert desk.code() != code


def test_of_tables_that_confirm_at_once_one_waits(desk: JoiningDesk) -> None:
    """If several tables confirm the same code at once, exactly one of them waits."""
    bodies = [confirmation(desk, JoiningTable(desk.code(), *REQUEST)) for _ in range(8)]
    gate = threading.Barrier(len(bodies))
    statuses: list[int] = []

    def confirm(body: bytes) -> None:
        gate.wait()
        statuses.append(desk.answer(body, FROM)[0])

    threads = [threading.Thread(target=confirm, args=(body,)) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200] + [410] * 7
    assert len(desk.waiting()) == 1


# --- time ---------------------------------------------------------------------------------------


def test_a_code_ends_after_ten_minutes(desk: JoiningDesk, clock: Clock) -> None:
    """A code is valid for ten minutes and not longer, even for an exchange that is open."""
    code = desk.code()
    clock.now += CODE_S - 0.1
    body = confirmation(desk, JoiningTable(code, *REQUEST))
    assert desk.code() == code
    clock.now += 0.1
    assert fault(desk, JoiningTable(code, *REQUEST).opening()) == "hall.fault.code_ended"
    assert fault(desk, body) == "hall.fault.code_ended"
    assert desk.code() != code


def test_without_a_code_no_table_joins(desk: JoiningDesk) -> None:
    """Before the organiser's page shows a code, every table is refused."""
    assert fault(desk, JoiningTable("K7F3QD", *REQUEST).opening()) == "hall.fault.code_ended"


def test_a_silent_table_is_forgotten(desk: JoiningDesk, clock: Clock) -> None:
    """A table that polls stays listed, and a silent one is removed and cannot be approved."""
    table, exchange = joined(desk)
    for _ in range(3):
        clock.now += SILENT_S - 1
        said(desk, table.poll())
    assert len(desk.waiting()) == 1
    clock.now += SILENT_S
    assert desk.waiting() == ()
    assert raised(lambda: desk.approve(exchange, GRANT)) == "hall.fault.unknown_exchange"
    assert fault(desk, table.poll()) == "hall.fault.unknown_exchange"


def test_a_grant_cannot_be_asked_for_ever(desk: JoiningDesk, clock: Clock) -> None:
    """An exchange ends a minute after its decision, even if the table keeps polling."""
    table, exchange = joined(desk)
    clock.now += SILENT_S / 2
    desk.approve(exchange, GRANT)
    clock.now += SILENT_S - 1
    said(desk, table.poll())
    clock.now += 1
    assert fault(desk, table.poll()) == "hall.fault.unknown_exchange"


# --- replayed, out of order, changed in transit -------------------------------------------------


def test_old_messages_are_not_taken_again(desk: JoiningDesk) -> None:
    """A replayed poll or confirmation is refused, and an old answer does not match a new poll."""
    table = JoiningTable(desk.code(), *REQUEST)
    body = confirmation(desk, table)
    waits = said(desk, body)
    first = table.poll()
    answer = said(desk, first)
    desk.refuse(desk.waiting()[0].exchange)
    assert said(desk, first) == answer  # repeating the latest poll returns the same answer
    latest = table.poll()
    verdict = said(desk, latest)
    assert fault(desk, first) == "hall.fault.wrong_order"
    assert fault(desk, body) == "hall.fault.wrong_order"
    assert raised(lambda: table.verdict(waits)) == "hall.fault.tampered"
    assert raised(lambda: table.verdict(answer)) == "hall.fault.tampered"
    assert table.verdict(verdict).state == "refused"


def test_messages_of_another_exchange_do_not_fit(desk: JoiningDesk) -> None:
    """A confirmation from an exchange with another code is refused."""
    old = confirmation(desk, JoiningTable(desk.code(), *REQUEST))
    said(desk, old)
    fresh = confirmation(desk, JoiningTable(desk.code(), *REQUEST))
    assert fault(desk, changed(old, exchange=json.loads(fresh)["exchange"])) == "hall.fault.wrong_code"


def test_steps_have_an_order(desk: JoiningDesk) -> None:
    """Both ends report messages that come out of order."""
    table = JoiningTable(desk.code(), *REQUEST)
    assert raised(table.poll) == "hall.fault.wrong_order"
    assert raised(lambda: table.verdict(b"{}")) == "hall.fault.wrong_order"
    opened = said(desk, table.opening())
    body = table.confirmation(opened)
    assert raised(lambda: table.confirmation(opened)) == "hall.fault.wrong_order"
    assert fault(desk, table.poll()) == "hall.fault.wrong_order"
    said(desk, body)
    assert desk.waiting()


def test_what_is_tampered_with_is_refused_by_the_hall(desk: JoiningDesk) -> None:
    """A changed poll is refused without effect, and a changed request ends its exchange."""
    table, _ = joined(desk)
    poll = table.poll()
    assert fault(desk, flipped(poll, "sealed")) == "hall.fault.tampered"
    assert fault(desk, changed(poll, count=2)) == "hall.fault.tampered"
    assert fault(desk, changed(poll, count=2**96)) in ("hall.fault.tampered", "hall.fault.unreadable")
    assert fault(desk, changed(poll, count=0)) == "hall.fault.wrong_order"
    assert table.verdict(said(desk, poll)).state == "waiting"
    body = confirmation(desk, JoiningTable(desk.code(), *REQUEST))
    assert fault(desk, flipped(body, "sealed", -1)) == "hall.fault.tampered"
    assert fault(desk, body) == "hall.fault.unknown_exchange"


def test_a_man_in_the_middle_cannot_change_the_certificate(desk: JoiningDesk) -> None:
    """The table rejects a grant in which any single byte was changed."""
    table, exchange = joined(desk)
    desk.approve(exchange, GRANT)
    answer = said(desk, table.poll())
    for at in range(0, len(b64decode(json.loads(answer)["sealed"])), 16):
        forged = flipped(answer, "sealed", at)
        assert raised(partial(table.verdict, forged)) == "hall.fault.tampered"
    assert table.verdict(answer).grant == GRANT


def test_a_man_in_the_middle_cannot_be_both_ends(desk: JoiningDesk) -> None:
    """A man in the middle with another code can impersonate neither the hall nor the table."""
    code = desk.code()
    his = JoiningDesk()
    while his.new_code() == code:
        pass
    table = JoiningTable(code, *REQUEST)
    body = table.confirmation(said(his, table.opening()))
    assert fault(his, body) == "hall.fault.wrong_code"
    forged = JoiningTable(his.code(), *REQUEST)
    mine = JoiningTable(his.code(), *REQUEST)
    faked = said(his, confirmation(his, mine))
    assert mine.verdict(faked).state == "waiting"
    assert raised(lambda: table.verdict(faked)) == "hall.fault.tampered"
    assert fault(desk, confirmation(desk, forged)) == "hall.fault.wrong_code"

    bent = JoiningTable(code, *REQUEST)
    opened = said(desk, bent.opening())
    body = bent.confirmation(changed(opened, exchange="0123456789abcdef"))
    body = changed(body, exchange=json.loads(opened)["exchange"])
    assert fault(desk, body) == "hall.fault.wrong_code"


def test_the_table_s_own_message_sent_back_is_no_hall(desk: JoiningDesk) -> None:
    """A table rejects its own message as an answer."""
    table = JoiningTable(desk.code(), *REQUEST)
    mirrored = changed(table.opening(), exchange="0123456789abcdef")
    assert raised(lambda: table.confirmation(mirrored)) == "hall.fault.unreadable"


# --- invalid messages ---------------------------------------------------------------------------

BYTES = st.binary(max_size=32).map(lambda raw: b64encode(raw).decode())
VALUES = BYTES | st.integers() | st.none() | st.text(max_size=20) | st.lists(st.integers(), max_size=3)
LIKELY = st.fixed_dictionaries(
    {"step": st.sampled_from(["opening", "confirmation", "poll", "else"])},
    optional={"message": VALUES, "exchange": VALUES, "proof": VALUES, "sealed": VALUES, "count": VALUES},
)


@given(st.binary(max_size=200) | LIKELY.map(lambda fields: json.dumps(fields).encode()))
def test_rubbish_is_refused(body: bytes) -> None:
    """The hall answers every invalid message with a known fault, and no table waits."""
    desk = JoiningDesk()
    desk.code()
    assert fault(desk, body)
    assert desk.waiting() == ()


@given(LIKELY)
def test_rubbish_in_an_exchange_is_refused(fields: dict[str, Any]) -> None:
    """Invalid messages within an open exchange are refused as well."""
    desk = JoiningDesk()
    opened = said(desk, JoiningTable(desk.code(), *REQUEST).opening())
    assert fault(desk, json.dumps(fields | {"exchange": json.loads(opened)["exchange"]}).encode())


@given(st.binary(min_size=33, max_size=33))
def test_points_that_are_none_are_refused(message: bytes) -> None:
    """A SPAKE2 message of the right length is answered or refused as unreadable."""
    desk = JoiningDesk()
    desk.code()
    body = json.dumps({"step": "opening", "message": b64encode(message).decode()}).encode()
    status, _ = desk.answer(body, FROM)
    assert status == 200 or fault(desk, body) == "hall.fault.unreadable"


@pytest.mark.parametrize("point", [bytes(32), b"\1" + bytes(31), b"\xec" + b"\xff" * 30 + b"\x7f"])
def test_points_of_small_order_are_refused(desk: JoiningDesk, point: bytes) -> None:
    """A point of small order is refused, because it would reveal the key without the code."""
    desk.code()
    body = json.dumps({"step": "opening", "message": b64encode(b"A" + point).decode()}).encode()
    assert fault(desk, body) == "hall.fault.unreadable"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b" " * (REQUEST_BYTES + 1), "hall.fault.too_large"),
        (b" " * REQUEST_BYTES, "hall.fault.unreadable"),
        (b"[" * REQUEST_BYTES, "hall.fault.unreadable"),
        (b"", "hall.fault.unreadable"),
        (b'{"step":"poll","exchange":"x","count":1,"sealed":""}', "hall.fault.unknown_exchange"),
    ],
)
def test_each_kind_of_rubbish_has_its_fault(desk: JoiningDesk, body: bytes, why: str) -> None:
    """A message that is too large, unreadable or of an unknown exchange is refused with its own fault."""
    desk.code()
    assert fault(desk, body) == why


@pytest.mark.parametrize(("public", "name"), [(b"short", "x"), (KEY.public, "x" * 41)])
def test_an_impossible_request_does_not_wait(desk: JoiningDesk, public: bytes, name: str) -> None:
    """An impossible request is refused even with the right code, and the code stays valid."""
    code = desk.code()
    body = confirmed_as(desk, lambda channel: JoinRequest(public, name, signature=KEY.prove(channel.transcript, "")))
    assert fault(desk, body) in ("hall.fault.unreadable", "hall.fault.tampered")
    assert desk.waiting() == ()
    assert desk.code() == code


@given(st.binary(max_size=200))
def test_rubbish_from_a_hall_is_refused(answer: bytes) -> None:
    """The table refuses every invalid answer as not coming from a hall."""
    assert raised(lambda: JoiningTable("K7F3QD", *REQUEST).confirmation(answer)) == "hall.fault.not_a_hall"


@pytest.mark.parametrize(
    "answer", [b'{"fault":"hall.fault.invented"}', b'{"fault":"<b>"}', b"{}", b'{"sealed":"AAAA"}']
)
def test_a_fault_that_no_hall_names_is_not_shown(answer: bytes) -> None:
    """A fault with an unknown key is not shown, so that a stranger cannot put text on the table's page."""
    assert raised(lambda: JoiningTable("K7F3QD", *REQUEST).confirmation(answer)) == "hall.fault.not_a_hall"


@pytest.mark.parametrize(
    "fields",
    [
        {"table": "../etc"},
        {"host": "a b"},
        {"port": 0},
        {"port": 65536},
        {"ca_pem": "x" * (16 * 1024 + 1)},
        {"ca_pem": "é"},
        {"password": "a\nb"},
        {"hall_name": "x" * 201},
    ],
)
def test_an_impossible_grant_is_neither_given_nor_taken(
    desk: JoiningDesk, monkeypatch: pytest.MonkeyPatch, fields: dict[str, Any]
) -> None:
    """Both the hall and the table refuse a grant with impossible content."""
    table, exchange = joined(desk)
    grant = msgspec.structs.replace(GRANT, **fields)
    assert raised(lambda: desk.approve(exchange, grant)) == "hall.fault.unreadable"
    with monkeypatch.context() as careless:
        careless.setattr(joining, "check_grant", lambda grant: None)
        desk.approve(exchange, grant)
    answer = said(desk, table.poll())
    assert raised(lambda: table.verdict(answer)) == "hall.fault.unreadable"


@pytest.mark.parametrize("verdict", [JoinVerdict("approved"), JoinVerdict("refused", GRANT), JoinVerdict("maybe")])
def test_an_impossible_verdict_is_not_taken(desk: JoiningDesk, verdict: JoinVerdict) -> None:
    """A verdict whose state and grant do not match is refused."""
    table, exchange = joined(desk)
    desk._decide(exchange, verdict)
    answer = said(desk, table.poll())
    assert raised(lambda: table.verdict(answer)) == "hall.fault.unreadable"


def test_no_secret_is_written(desk: JoiningDesk, caplog: pytest.LogCaptureFixture) -> None:
    """Codes and passwords appear in no representation, log or fault."""
    caplog.set_level(0)
    code = desk.code()
    with pytest.raises(JoinError) as wrong:
        JoiningTable(code + code, *REQUEST)
    table, exchange = joined(desk)
    desk.approve(exchange, GRANT)
    verdict = table.verdict(said(desk, table.poll()))
    texts = [repr(each) for each in (desk, table, verdict, GRANT, REQUEST, wrong.value, wrong.value.fields)]
    texts.extend([f"{GRANT}", f"{[verdict]}", caplog.text])
    for secret in (GRANT.password, "BEGIN CERT", code, read_code(code)[1]):
        assert not any(secret in text for text in texts)
