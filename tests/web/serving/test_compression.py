"""Test compressed pages: fewer bytes with the same text, and no way to guess their content."""

from __future__ import annotations

import gzip
import re

import pytest

from tests.support.web.visitors import Room, without_code
from web.serving.compression import Packing
from web.serving.event_stream import Flow, Outbox

UNPACKS = {"Accept-Encoding": "gzip, deflate"}


def test_a_page_is_compressed_for_whoever_can_unpack_it(game: Room) -> None:
    """A page is compressed for clients that accept it, and every page declares that it depends on this."""
    packed, plain = game.anybody.get(game.seats[0], **UNPACKS), game.anybody.get(game.seats[0])
    text = gzip.decompress(packed.data).decode()
    assert (packed.headers["Content-Encoding"], packed.headers["Content-Length"]) == ("gzip", str(len(packed.data)))
    assert len(packed.data) < len(text) / 3 and "data-region" in text and text.endswith(plain.text[-20:])
    assert "Accept-Encoding" in packed.headers["Vary"] and "Accept-Encoding" in plain.headers["Vary"]
    assert "Content-Encoding" not in plain.headers


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_sites_request_learns_nothing_from_a_length(game: Room, site: str) -> None:
    """A cross-site request gets an uncompressed page, because a guess in its address would change the length."""
    answer = game.anybody.get("/join?room=123456", **UNPACKS, **{"Sec-Fetch-Site": site})
    assert "Content-Encoding" not in answer.headers and without_code(answer.text).startswith("<!doctype html>")


def test_a_form_token_is_another_one_in_every_answer(game: Room) -> None:
    """Each answer has another valid form token, so that compression does not help to guess it."""
    tokens = {game.anybody.token("/join") for _ in range(4)}
    assert len(tokens) == 4
    signed = [token.rpartition(".")[2] for token in tokens]
    assert len(set(signed)) == 4
    for token in tokens:
        form = {"csrf": token, "lang": "en", "back": "/"}
        assert game.anybody.client.post("/preferences", data=form).status_code == 303


def test_pictures_made_of_text_are_compressed_and_others_are_not(room: Room) -> None:
    """A sprite is compressed, also as a 304, and fonts are sent unchanged, also in ranges."""
    sprite = "/static/take_a_train/sprite.svg"
    with room.anybody.get(sprite, **UNPACKS) as answer:
        data, mark = answer.data, answer.headers["ETag"]
        assert answer.headers["Content-Encoding"] == "gzip" and mark.startswith("W/")
    with room.anybody.get(sprite) as plain:
        assert gzip.decompress(data) == plain.data
    with room.anybody.get(sprite, **UNPACKS, **{"If-None-Match": mark}) as again:
        assert (again.status_code, again.data) == (304, b"") and "Accept-Encoding" in again.headers["Vary"]
    with room.anybody.get(sprite, **UNPACKS, Range="bytes=0-9") as part:
        assert (part.status_code, part.data) == (206, plain.data[:10]) and "Content-Encoding" not in part.headers
    letters = "/static/fonts/barlow-semi-condensed-latin-500-normal.woff2"
    with room.anybody.get(letters, **UNPACKS) as answer:
        assert "Content-Encoding" not in answer.headers and answer.data.startswith(b"wOF2")


def test_a_short_answer_is_left_as_it_is(room: Room) -> None:
    """A short answer is not compressed, because that would make it longer."""
    answer = room.anybody.get("/health", **UNPACKS)
    assert "Content-Encoding" not in answer.headers


def test_a_stream_is_compressed_message_by_message(game: Room) -> None:
    """Each message of a compressed stream can be read on arrival, and repetitions cost almost nothing."""
    import zlib

    answer = game.anybody.get(f"{game.seats[0]}stream?page=p", **UNPACKS)
    assert answer.headers["Content-Encoding"] == "gzip"
    unpack = zlib.decompressobj(31)
    parts = answer.iter_encoded()
    assert unpack.decompress(next(parts)).startswith(b"retry: 1000\n\nid: ")
    answer.close()
    for other in (UNPACKS | {"Sec-Fetch-Site": "cross-site"}, {}):
        plain = game.anybody.get(f"{game.seats[0]}stream?page=q", **other)
        assert "Content-Encoding" not in plain.headers
        plain.close()
    asked = game.anybody.get(f"{game.seats[0]}stream?page=r&plain=1", **UNPACKS)
    assert "Content-Encoding" not in asked.headers
    asked.close()


def test_a_flow_ends_what_it_compressed() -> None:
    """An iterated flow is one complete gzip file, and each message is available at once."""
    outbox = Outbox()
    message = b"id: 1\nevent: regions\ndata: " + bytes(range(32, 126)) * 40 + b"\n\n"
    for each in (message, message, None):
        outbox.put(each)
    parts = list(Flow(outbox, iter([b"retry: 1000\n\n"]), lambda: None, Packing()))
    assert gzip.decompress(b"".join(parts)) == b"retry: 1000\n\n" + message * 2
    assert len(parts[2]) < len(parts[1]) / 3
    assert re.fullmatch(
        rb"retry: 1000\n\n", Flow(Outbox(), iter([b"retry: 1000\n\n"]), lambda: None).opening.__next__()
    )
