"""Test cues on streams: everybody gets them at once, only the pressing seat gets a refusal, and none mentions money."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from companion.engine import Refusal, Seat
from companion.messages import Count, Leading, Raise, Trouble, YourTurn
from tests.support.web.visitors import Room, said
from tests.web.live.test_streams import key, opened, waiting
from tests.web.security.test_secrecy import step
from web.live.channels import Stream
from web.live.clocks import seat_key

JANE, BILL, TOM = 0, 1, 2
VIEWERS = (("seat", 0), ("seat", 1), ("seat", 2), ("table", None), ("watch", None), ("host", None))


def told(sent: list[bytes], kind: str) -> list[dict[str, Any]]:
    """Return a stream's messages of one kind."""
    found = []
    for block in b"".join(sent).split(b"\n\n"):
        lines = dict(line.split(b": ", 1) for line in block.split(b"\n") if line and not line.startswith(b":"))
        if lines.get(b"event") == kind.encode():
            assert b"id" not in lines
            found.append(msgspec.json.decode(lines[b"data"]))
    return found


def cues(sent: list[bytes], kind: str) -> list[dict[str, Any]]:
    """Return a stream's cues of one kind that must be shown at once."""
    found = [each["cue"] for each in told(sent, "cue") if each["cue"]["message"] == kind]
    assert all(cue.pop("at") == 0 for cue in found)
    return found


@pytest.fixture
def lot(room: Room) -> Room:
    """Return an Open lot in which Jane has opened at 300; presses are judged without delay."""
    room.set_up(deck="ours")
    room.join_all()
    room.begin("open")
    seats = room.seats
    assert room.anybody.say(seats[0], "locos_revealed", cards=["steam-4"]).status_code == 204
    assert room.anybody.say(seats[0], "opened", seat=0, amount=300).status_code == 204
    return room


def streams(room: Room) -> dict[tuple[str, int | None], Stream]:
    """Open a stream for each kind of viewer."""
    return {where: opened(room, key(room, *where), page=str(where))[0] for where in VIEWERS}


def press(room: Room, seat: int, **form: str) -> int:
    """Press a page's button, and return the status of the answer."""
    return room.anybody.tap(room.seats[seat], "press", {"page": "p"} | form).status_code


def test_a_press_is_shown_on_every_stream(lot: Room) -> None:
    """If Bill raises with his page's button, every stream gets the same cues, without amounts, and the new regions."""
    there = streams(lot)
    for stream in there.values():
        waiting(stream)
    assert press(lot, BILL) == 204
    lot.context.hub.refresh()
    state = lot.table.snapshot().state
    assert state is not None
    sent = {where: waiting(stream) for where, stream in there.items()}
    for each in sent.values():
        assert cues(each, "raise") == [{"message": "raise", "seat": BILL, "amount": 350}]
        assert cues(each, "leading") == [{"message": "leading", "seat": BILL}]
        assert b"event: regions" in b"".join(each)
        assert not re.search(rb"5.?000", b"".join(m for m in each if b"event: cue" in m))


def test_standing_cues_are_sent_to_newcomers(lot: Room) -> None:
    """After the greeting a new stream gets the current cues, and the host's also gets the state of the pins."""
    page = lot.context.hub.page(key(lot, "seat", 2))
    assert page is not None
    for path, pins in ((lot.seats[2], 0), (lot.host, 1), (lot.page("watch"), 0)):
        answer = lot.anybody.get(path + f"stream?page=z&lang=en&last={page.id}")
        flow: Iterator[bytes] = answer.iter_encoded()
        sent = [next(flow), next(flow)]
        answer.close()
        assert sent[0].startswith(b"retry: 1000\n\n")
        assert cues(sent, "leading") == [{"message": "leading", "seat": JANE}]
        assert len(told(sent, "pins")) == pins


def test_cues_do_not_wait_for_pages(lot: Room) -> None:
    """Cues with their time are sent while the hub still renders under its lock."""
    there = streams(lot)
    for stream in there.values():
        waiting(stream)
    with lot.context.hub._lock:
        lot.context.cue_publisher.show((Count(at=2**53, number=2),))
        for stream in there.values():
            (message,) = told(waiting(stream), "cue")
            assert message["cue"] == {"message": "count", "at": 2**53, "number": 2, "seat": None, "to": "sale"}
            assert 0 < message["now"] < 2**62


def test_a_stream_that_is_closed_is_told_nothing(lot: Room) -> None:
    """A closed stream gets no more cues."""
    stream, _ = opened(lot, key(lot, "seat", 0))
    lot.context.hub.close(stream)
    waiting(stream)
    lot.context.cue_publisher.show((Raise(seat=1, amount=400),))
    assert waiting(stream) == []


def test_why_a_press_came_to_nothing_is_for_its_seat_alone(lot: Room) -> None:
    """Only the pages of the pressing seat get the reason, each in its own language."""
    there = streams(lot)
    french, _ = opened(lot, key(lot, "seat", 1, "fr"), page="fr")
    for stream in (*there.values(), french):
        waiting(stream)
    lot.context.cue_publisher.tell(Seat(BILL), Refusal("R-00", "too_late", {"ms": 12}))
    for where, stream in there.items():
        expected = [{"sentence": "Too late: 12 milliseconds after three."}] if where == ("seat", BILL) else []
        assert told(waiting(stream), "said") == expected
    assert told(waiting(french), "said") == [
        {"sentence": "Trop tard\N{NO-BREAK SPACE}: 12 millièmes de seconde après trois."}
    ]


@pytest.mark.parametrize("name", ["just_raised", "pressed_twice"])
def test_a_second_tap_is_mentioned_to_its_seat_alone(lot: Room, name: str) -> None:
    """The pressing seat's page mentions a second tap quietly, and no other page does."""
    there = streams(lot)
    for stream in there.values():
        waiting(stream)
    lot.context.cue_publisher.tell(Seat(BILL), Refusal("R-00", name, {}))
    for where, stream in there.items():
        said = told(waiting(stream), "said")
        assert [each["quiet"] for each in said] == ([True] if where == ("seat", BILL) else [])


@pytest.mark.parametrize(("rule", "name"), [("R-00", "same_moment"), ("R-00", "outbid"), ("R-49", "grows_not")])
def test_refusals_name_the_other_seat(lot: Room, rule: str, name: str) -> None:
    """Sentences about another seat's press name that seat, in every language."""
    for lang in ("en", "fr"):
        sentence = lot.context.cue_publisher.sentence(Seat(0), Refusal(rule, name, {"seat": BILL}), lang)
        assert "Bill" in sentence and "{" not in sentence


def test_a_refusal_for_another_seat_is_not_told(lot: Room) -> None:
    """A sentence to one seat does not contain the amount in a refusal for another seat."""
    secret = Refusal("R-16", "bid_exceeds_cash", {"cash": 1250}, Seat(0))
    assert "1,250" in lot.context.cue_publisher.sentence(Seat(0), secret, "en")
    assert "1,250" not in lot.context.cue_publisher.sentence(Seat(BILL), secret, "en")


def test_a_press_without_the_money_is_told_to_its_seat_alone(lot: Room) -> None:
    """The verdict says only that the press did not count, so that the seat's money stays secret."""
    assert lot.anybody.say(lot.seats[0], "raised", seat=0, amount=5000).status_code != 204
    assert lot.anybody.say(lot.seats[1], "raised", seat=1, amount=5000).status_code == 204
    there = streams(lot)
    for stream in there.values():
        waiting(stream)
    assert press(lot, TOM) == 204
    lot.context.hub.refresh()
    for where, stream in there.items():
        sent = waiting(stream)
        assert cues(sent, "refused") == [{"message": "refused", "seat": TOM}]
        assert len(told(sent, "said")) == (where == ("seat", TOM))
    assert lot.table.snapshot().verdicts[-1].marks[-1].outcome == "not_accepted"


def test_only_a_seat_presses_its_own_button(lot: Room) -> None:
    """The pages of the table, the host and spectators have no button, and a page can press only for its own seat."""
    before = lot.count
    for page in (lot.host, lot.page("tablet"), lot.page("watch")):
        assert lot.anybody.tap(page, "press", {"seat": "1"}).status_code in (403, 404)
    assert lot.count == before
    assert lot.anybody.tap(lot.seats[BILL], "press", {"seat": "2"}).status_code == 204
    leading = [cue for cue in lot.table.cues.standing_cues() if isinstance(cue, Leading)]
    assert leading == [Leading(seat=BILL)]


def test_a_press_needs_the_pages_form_token(lot: Room) -> None:
    """A press without the page's form token is refused."""
    before = lot.count
    answer = lot.anybody.client.post(lot.seats[1] + "press", data={"contact": "closed"})
    assert answer.status_code == 403 and lot.count == before


@pytest.mark.parametrize(
    "form", [{"contact": "opened"}, {"contact": "x"}, {"at": "-5"}, {"at": "1e9"}, {"since": "9" * 40}]
)
def test_a_press_that_is_none_is_refused(lot: Room, form: dict[str, str]) -> None:
    """A malformed press or time is refused with a sentence and changes nothing."""
    before = lot.count
    answer = lot.anybody.tap(lot.seats[1], "press", form)
    assert answer.status_code == 422 and said(answer)
    assert lot.count == before


@pytest.mark.parametrize("kind", ["seat", "table", "watch", "host"])
def test_every_page_can_ask_what_time_it_is(lot: Room, kind: str) -> None:
    """The clock answers known pages only, with the server's time and a nonce."""
    path = {"seat": lot.seats[0], "host": lot.host}.get(kind) or lot.page("tablet" if kind == "table" else kind)
    before = lot.context.clocks.clock()
    answer = msgspec.json.decode(lot.anybody.get(path + "clock?page=a").data)
    assert before < answer["now"] < lot.context.clocks.clock() and len(answer["nonce"]) == 16
    lot.anybody.get(path + f"clock?page=a&nonce={answer['nonce']}")
    match = lot.table.snapshot().match_id
    measured = lot.context.clocks.trips(seat_key(match, 0), f"{path.split('/')[-2]}/a")
    assert len(measured) == (1 if kind == "seat" else 0), "only a seat's page presses"
    assert lot.anybody.get(path.replace(path.split("/")[-2], "x" * 43) + "clock").status_code == 404


def test_a_handed_over_seat_has_its_button(lot: Room) -> None:
    """A seat's page on the shared tablet can press like any other page."""
    tablet = lot.page("tablet")
    answer = lot.anybody.submit(tablet + "hand", {"seat": "1", "pin": "1111"}, tablet + "hand")
    page = tablet + answer.headers["Location"]
    assert 'id="press" data-press' in lot.anybody.get(page).text
    assert lot.anybody.tap(page, "press", {"page": "p"}).status_code == 204
    assert Leading(seat=BILL) in lot.table.cues.standing_cues()


def test_a_page_does_not_pass_by_its_button(room: Room) -> None:
    """A late press does nothing while a seat chooses among the wagons, because its page has a control for passing."""
    room.set_up()
    room.join_all()
    room.begin()
    luck = random.Random(5)
    while True:
        state = room.table.snapshot().state
        assert state is not None and step(room, luck)
        view = room.table.snapshot().game.view(room.table.snapshot().state, None)
        if view.moment == "act":
            break
    before = room.count
    assert press(room, view.awaited[0]) == 204
    assert room.count == before


def test_trouble_stands_until_it_is_over(lot: Room) -> None:
    """A trouble is among the standing cues until it ends."""
    lot.table.trouble("buttons")
    assert Trouble(what="buttons") in lot.table.cues.standing_cues()
    lot.table.trouble("")
    assert Trouble() in lot.table.cues.standing_cues()
    assert any(isinstance(cue, YourTurn) for cue in lot.table.cues.standing_cues())
