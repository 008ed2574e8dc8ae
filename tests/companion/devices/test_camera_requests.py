"""Requests to the camera, their form on the bus, and their refusals."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.devices.camera_requests.camera_request import CameraRefusal
from companion.devices.camera_requests.decks import ImportDeck
from companion.devices.camera_requests.decoding import REQUESTS, AnyRequest, answer_fields, read_answer, read_request
from companion.devices.camera_requests.enrolment import (
    AlikePair,
    Capture,
    CaptureTokens,
    CardCaptureAnswer,
    CompareEnrolled,
    CompareTokens,
    ComparisonAnswer,
    EnrolledAnswer,
    EnrolPicture,
    EnrolToken,
    ForgetPicture,
    ForgetToken,
    ReadEnrolled,
    ReadTokens,
    TokensAnswer,
)
from companion.devices.camera_requests.table import Calibrate, NameCard, PlacesAnswer, SetPlaces, Watch
from companion.messages import Answered, decode

ON_THE_BUS: list[tuple[AnyRequest, str, bytes]] = [
    (Watch(8), "watch", b'{"seconds":8}'),
    (NameCard("market", 0, ""), "name", b'{"place":"market","at":0,"card":""}'),
    (SetPlaces(((0.1, 0.2),)), "places", b'{"corners":[[0.1,0.2]]}'),
    (Calibrate(), "calibrate", b"{}"),
    (Capture("ours"), "capture", b'{"deck":"ours"}'),
    (Capture("ours", "a.jpg"), "capture", b'{"deck":"ours","file":"a.jpg"}'),
    (ForgetPicture("ours", "x"), "forget", b'{"deck":"ours","card":"x"}'),
    (EnrolPicture("ours", "a.jpg", "x"), "enrol", b'{"deck":"ours","picture":"a.jpg","card":"x"}'),
    (EnrolPicture("ours", "a.jpg"), "enrol", b'{"deck":"ours","picture":"a.jpg"}'),
    (EnrolToken("ours", "a.jpg", "x"), "enrol_token", b'{"deck":"ours","picture":"a.jpg","token":"x"}'),
    (EnrolToken("ours", "a.jpg"), "enrol_token", b'{"deck":"ours","picture":"a.jpg"}'),
    (ForgetToken("ours", "x", "a.jpg"), "forget_token", b'{"deck":"ours","token":"x","picture":"a.jpg"}'),
    (CaptureTokens("ours"), "capture_tokens", b'{"deck":"ours"}'),
    (ReadTokens("ours"), "tokens", b'{"deck":"ours"}'),
    (CompareTokens("ours"), "compare_tokens", b'{"deck":"ours"}'),
    (ImportDeck("a.deck", "ours"), "import", b'{"file":"a.deck","deck":"ours"}'),
]


@pytest.mark.parametrize(("request_", "what", "fields"), ON_THE_BUS)
def test_a_request_keeps_its_bytes_on_the_bus(request_: AnyRequest, what: str, fields: bytes) -> None:
    """A request is encoded as before, without empty fields, and decodes to itself."""
    assert request_.what == what and msgspec.json.encode(request_) == fields
    assert read_request(what, msgspec.json.decode(fields)) == request_


def test_every_request_has_a_name_of_its_own() -> None:
    """All 24 requests have different names."""
    assert len(REQUESTS) == 24 and all(kind.what == what for what, kind in REQUESTS.items())


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("sing", {}, "unknown"), ("use", {}, "bad_name"), ("use", {"deck": ""}, "bad_name"),
    ("use", {"deck": 5}, "bad_name"),
    ("enrol", {"deck": "a"}, "bad_name"),
    ("enrol", {"deck": "a", "picture": "", "card": "b"}, "bad_name"),
    ("forget_token", {"deck": "a", "token": "b", "picture": ""}, "bad_name"),
    ("name", {"at": "x"}, "bad_name"), ("watch", {"seconds": "long"}, "failed"),
    ("name", {"place": "market", "at": True}, "failed"), ("places", {"slots": [{"place": 1}]}, "bad_places"),
    ("places", {"corners": [[1, 2, 3]]}, "bad_places"), ("places", {"players": "two"}, "failed"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "fields", "key"), REFUSED)
def test_a_request_that_cannot_be_read_is_refused_by_a_key(what: str, fields: dict[str, Any], key: str) -> None:
    """An unreadable request is refused with the key of its first wrong field."""
    with pytest.raises(CameraRefusal) as refused:
        read_request(what, fields)
    assert refused.value.key == key


def test_an_odd_pair_is_left_out_alone() -> None:
    """An invalid pair of pictures is skipped, and the other pairs are read."""
    pair = {"cards": ["a", "b"], "pictures": ["a.jpg", "b.jpg"], "margin": 0.5}
    fields = {"pairs": [{}, pair, {**pair, "margin": "x"}]}
    found = read_answer(CompareEnrolled("ours"), Answered(1, fields=fields))
    assert found == ComparisonAnswer((AlikePair(("a", "b"), ("a.jpg", "b.jpg"), 0.5),))


def test_answers_keep_their_bytes_on_the_bus() -> None:
    """Answers are encoded as before."""
    captured = CardCaptureAnswer("a.jpg", ("blur",), ("x",))
    fields = answer_fields(EnrolledAnswer({"x": ["b.jpg"]}, captured))
    assert msgspec.json.encode(fields) == (
        b'{"cards":{"x":["b.jpg"]},"captured":{"picture":"a.jpg","faults":["blur"],"likeliest":["x"],"sheet":"","cards":[]}}'
    )
    assert read_answer(ReadEnrolled("ours"), Answered(1, fields=fields)).captured == captured
    assert answer_fields(EnrolledAnswer()) == {"cards": {}, "captured": None}
    nothing = answer_fields(TokensAnswer())["captured"]
    assert nothing == {"picture": "", "faults": (), "likeliest": (), "tokens": ()}
    assert answer_fields(PlacesAnswer()) == {}
    assert msgspec.json.encode(answer_fields(PlacesAnswer((500.0, 400.0), 2))) == b'{"size":[500.0,400.0],"players":2}'


def test_an_answer_of_which_only_the_number_can_be_read_has_failed() -> None:
    """An answer with only a readable number counts as failed, and one without a number is invalid."""
    assert decode(b'{"message":"answered","number":3,"fields":[]}') == Answered(3, False, "failed")
    for line in (b'{"message":"answered","fields":[]}', b'{"message":"asked","number":3,"fields":[]}'):
        with pytest.raises(msgspec.DecodeError):
            decode(line)
