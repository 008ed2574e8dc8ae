"""Messages between table and hall are checked for form and size at both ends."""

from __future__ import annotations

import contextlib
import random
import zlib
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.hall_link import messages as m
from companion.devices.hall_link.signing import TableKey, fingerprint, verify

RESULT = m.Result(
    hall="h1", table="ab12cd34", round=2, match="m1", sequence=1, game="trains", names=("Ann", "Bob", "Cid"),
    placings=(m.Placing((1,), 1, 50), m.Placing((0,), 2, 40), m.Placing((2,), 2, 40)),
)  # fmt: skip
MESSAGES: tuple[Any, ...] = (
    m.Presence("s1", name="The club"),
    m.TableSummary("playing", "trains", "m1", 2, "turn", (1,), 30, (0,), 77, ("camera",)),
    m.Players("m1", ("Ann", "Bob")),
    m.PublicView("m1", 77, "trains", {"moment": "turn"}, (1, 2), {"en": ("Ann builds.",)}),
    m.JudgeCall("c1", 1, 5),
    TableKey.generate().sign(RESULT),
    m.Watched(True),
    m.Recorded("r1"),
    m.CallAnswered("c1", "taken", "Jo"),
    m.Assigned(7, 2, ("Ann", "Bob")),
)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda each: type(each).__name__)
def test_what_is_sent_is_what_arrives(message: Any) -> None:
    """Every kind of message decodes to what was encoded."""
    assert m.decode(m.NAMES[type(message)], m.encode(message)) == message


@given(st.sampled_from(sorted(m.KINDS)), st.binary(max_size=4000))
def test_rubbish_is_refused_or_harmless(kind: str, payload: bytes) -> None:
    """Invalid bytes raise only `MessageError`, and some of them are valid messages, such as `{}`."""
    with contextlib.suppress(m.MessageError):
        m.decode(kind, payload)


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("summary", b'{"stage": "dancing"}'),
        ("summary", b'{"awaited": [12]}'),
        ("summary", b'{"awaited": [-1]}'),
        ("summary", b'{"moment": "' + b"x" * 81 + b'"}'),
        ("summary", b'{"game": "a\\u0007b"}'),
        ("players", b'{"match": "m", "names": ["' + b'","'.join([b"x"] * 13) + b'"]}'),
        ("players", b'{"match": "m", "names": ["' + b"x" * 161 + b'"]}'),
        ("call", b'{"id": "c", "seat": 99}'),
        ("here", b'{"session": "s", "name": "\\u202e"}'),
        ("summary", b" " * 501),
        ("view", zlib.compress(b'{"match":"m","events":1,"game":"g","view":{"x":"' + b"y" * 70_000 + b'"}}', 9)),
        ("view", zlib.compress(b'{"match":"m","events":1,"game":"g"}')[:-3]),
        ("players", b"[" * 5000),
    ],
)
def test_what_breaks_a_limit_is_refused(kind: str, payload: bytes) -> None:
    """A message with a size, seat, stage or text beyond its limit is refused."""
    with pytest.raises(m.MessageError):
        m.decode(kind, payload)


def test_a_newer_table_is_understood_as_far_as_possible() -> None:
    """Unknown fields from a newer version are ignored."""
    assert m.decode("summary", b'{"stage": "playing", "version": 9, "weather": "fine"}').version == 9


@pytest.mark.parametrize(
    "topic",
    ["hall/ab12cd34/up", "hall/ab12cd34/up/x", "other/ab12cd34/up/here", "hall/AB/up/here", "hall//up/here", ""],
)
def test_other_topics_are_refused(topic: str) -> None:
    """Topics outside the hall's own ones are refused."""
    with pytest.raises(m.MessageError):
        m.split_topic(topic)


def test_a_view_that_is_too_large_is_not_sent() -> None:
    """A view above the size limit is not encoded."""
    noise = random.Random(1).randbytes(6000).hex()
    with pytest.raises(m.MessageError, match="too large"):
        m.encode(m.PublicView("m1", 1, "g", {"x": noise}))


def test_a_signature_holds_for_its_table_and_its_bytes_alone() -> None:
    """A signature is valid only for its key, its payload and its own bytes."""
    key = TableKey.generate()
    signed = key.sign(RESULT)
    assert verify(signed, key.public) == RESULT
    assert TableKey.from_bytes(key.raw).sign(RESULT) == signed
    better = msgspec.json.encode(msgspec.structs.replace(RESULT, confirmed=(0, 1)))
    for forged, public in (
        (signed, TableKey.generate().public),
        (m.SignedResult(better, signed.signature), key.public),
        (m.SignedResult(signed.payload, signed.signature[:-1]), key.public),
        (signed, b"short"),
    ):
        with pytest.raises(m.MessageError, match="signature"):
            verify(forged, public)
    assert fingerprint(key.public).count(" ") == 2


@pytest.mark.parametrize(
    "fields",
    [
        {"names": ()},
        {"names": tuple("abcdefghijklm")},
        {"placings": ()},
        {"placings": (m.Placing((0, 1), 1, 5), m.Placing((1, 2), 3, 5))},
        {"placings": (m.Placing((0, 1, 2), 2, 5),)},
        {"placings": (m.Placing((0,), 1, 5), m.Placing((1,), 2, 5), m.Placing((2,), 4, 5))},
        {"confirmed": (3,)},
        {"confirmed": (1,), "disputed": (1,)},
        {"sequence": 0},
        {"match": "a:b"},
        {"names": ("A", "B", "\x00")},
        {"placings": (m.Placing((0, 1, 2), 1, 2**60),)},
    ],
)
def test_an_impossible_result_is_refused_though_it_is_signed(fields: dict[str, Any]) -> None:
    """An impossible result is refused even with a valid signature."""
    key = TableKey.generate()
    with pytest.raises(m.MessageError):
        verify(key.sign(msgspec.structs.replace(RESULT, **fields)), key.public)


def test_the_longest_names_of_a_full_table_cross() -> None:
    """Six names of forty characters, each of several code points, fit into every message."""
    names = tuple([f"{'👩🏽‍🚀' * 39}{letter}" for letter in "abcdef"])
    placings = tuple([m.Placing((seat,), seat + 1, 10 - seat) for seat in range(6)])
    result = m.Result(hall="h", table="t", match="m", sequence=1, game="g", names=names, placings=placings)
    payload = msgspec.json.encode(result)
    assert m.read_result(payload).names == names
    assert m.decode("result", m.encode(m.SignedResult(payload, b"s" * 64))).payload == payload
    assert m.decode("players", m.encode(m.Players("m", names))).names == names
