"""Test submitted forms: an impossible one is refused with a sentence and changes nothing."""

from __future__ import annotations

import re
from typing import Any

import pytest
from werkzeug.datastructures import MultiDict

from companion.engine import Seat
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.rules import RULES
from companion.i18n import LANGUAGES
from companion.match.actor import Actor
from companion.mechanics.telling import format_money
from tests.support.web.visitors import Room, said
from web.forms import MOST_FOLLOW, InvalidForm, event_of, events_of, form_of
from web.security.access import Viewer
from web.words import words


@pytest.fixture
def auction(room: Room) -> Room:
    """Return a Pass auction with real cards in which Jane begins and three locomotives are face up."""
    room.set_up(deck="ours")
    room.join_all()
    room.begin("pass")
    cards = ["steam-1", "diesel-1", "electric-1"]
    assert room.anybody.say(room.page("tablet"), "locos_revealed", cards=cards).status_code == 204
    return room


@pytest.fixture
def bidding(auction: Room) -> Room:
    """Return the same auction after Jane has opened at the locomotive's power."""
    seat = auction.seats[0]
    assert auction.anybody.say(seat, "nominated", card="steam-1").status_code == 204
    power = auction.table.snapshot().state.table.fixed.book.locos["steam-1"].power  # type: ignore[union-attr]
    assert auction.anybody.say(seat, "opened", amount=power).status_code == 204
    return auction


@pytest.mark.parametrize(
    ("amount", "code"),
    [
        ("325", 409),
        ("-50", 409),
        ("1e9", 422),
        ("abc", 422),
        ("", 422),
        ("1000000000", 409),
        ("9" * 300, 422),
        ("1.5", 422),
    ],
)
def test_amounts_that_are_none(bidding: Room, amount: str, code: int) -> None:
    """An invalid amount, such as 325, -50, 1e9 or abc, is refused with a sentence and changes nothing."""
    before = bidding.count
    for lang in ("en", "fr"):
        phone = bidding.visitor(lang)
        token = phone.token(bidding.seats[1])
        answer = phone.client.post(
            bidding.seats[1] + "propose",
            data={"csrf": token, "event": "bid", "amount": amount},
            headers={"HX-Request": "true", "Accept-Language": lang},
        )
        assert answer.status_code == code
        assert said(answer)[-1] in ".:" and "refus" not in said(answer) and "<" not in said(answer)
    assert bidding.count == before


def sign(room: Room, page: str) -> str:
    """Return the sign's text on a page."""
    found = re.search(r'<h1 class="say">(.*?)</h1>', room.anybody.read(page), re.DOTALL)
    assert found is not None
    return re.sub(r"<[^>]+>", "", found[1]).strip()


def test_the_sign_offers_a_seat_what_it_can_pay_and_tells_nobody_else(bidding: Room) -> None:
    """Bill's own page says that he cannot bid more, and all other pages are the same as if he could."""
    others = [bidding.seats[0], bidding.seats[2], bidding.host, bidding.page("tablet"), bidding.page("watch")]
    assert sign(bidding, bidding.seats[1]) == "Bid more, or pass."
    before = [sign(bidding, page) for page in others]
    assert bidding.table.correct(Seat(1), 50, Actor.HOST).accepted
    assert sign(bidding, bidding.seats[1]) == "You cannot pay more: pass."
    assert [sign(bidding, page) for page in others] == before
    assert "Bill: bid more, or pass?" in before[0]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_bid_as_the_page_shows_it(bidding: Room, lang: str) -> None:
    """An amount copied from the page, with its signs and spaces, is valid."""
    answer = bidding.anybody.say(bidding.seats[1], "bid", amount=format_money(1200, lang))
    assert answer.status_code == 204
    last = bidding.table.snapshot().entries[-1].event
    assert last == ev.Bid(Seat(1), 1200)


def test_a_seat_speaks_for_itself_alone(bidding: Room) -> None:
    """An event belongs to the seat of its page, even if the form names another one."""
    before = bidding.count
    answer = bidding.anybody.say(bidding.seats[2], "passed", seat=1)
    assert answer.status_code == 409
    assert said(answer) == "It is not your turn. Waiting for Bill."
    assert bidding.count == before


@pytest.mark.parametrize("event", ["bid", "passed", "committed", "claimed"])
def test_neither_host_nor_tablet_decides_for_a_seat(bidding: Room, event: str) -> None:
    """The host and the tablet cannot make a seat's decisions."""
    before = bidding.count
    for page in (bidding.host, bidding.page("tablet")):
        answer = bidding.anybody.say(page, event, seat=1, amount=5000, purpose="P-1")
        assert (answer.status_code, said(answer)) == (422, words("en")("refused.seats_own"))
    assert bidding.count == before


@pytest.mark.parametrize(
    "event", ["cash_corrected", "purposes_dealt", "twist_dealt", "raised_together", "count_broken"]
)
def test_what_no_seat_may_say(bidding: Room, event: str) -> None:
    """A seat cannot propose events that have addresses of their own."""
    answer = bidding.anybody.say(bidding.seats[1], event, to=99000, cause="x")
    assert (answer.status_code, said(answer)) == (422, words("en")("refused.not_yours"))


@pytest.mark.parametrize("event", ["", "rewound", "amended", "no_such", "Bid", "__class__"])
def test_events_that_there_are_not(bidding: Room, event: str) -> None:
    """An unknown event is refused, and so are the journal's own records."""
    answer = bidding.anybody.say(bidding.seats[1], event, to=0)
    assert (answer.status_code, said(answer)) == (422, words("en")("refused.no_such_event"))


@pytest.mark.parametrize(
    ("body", "key"),
    [
        (b"{", "refused.no_json"),
        (b"[1, 2]", "refused.not_an_object"),
        (b"null", "refused.not_an_object"),
        (b'{"event": "bid", "amount": {"a": 1}}', "refused.misfit"),
        (b'{"event": "bid", "amount": [1, 2]}', ""),
        (b"\xff\xfe", "refused.no_json"),
        (b"[" * 5000, "refused.no_json"),
    ],
)
def test_malformed_json(bidding: Room, body: bytes, key: str) -> None:
    """Anything but a JSON object of plain values is refused with a sentence."""
    before = bidding.count
    page = bidding.seats[1]
    answer = bidding.anybody.client.post(
        page + "propose",
        data=body,
        content_type="application/json",
        headers={"HX-Request": "true", "X-CSRF": bidding.anybody.token(page)},
    )
    assert answer.status_code in (409, 422)
    if key:
        assert said(answer) == words("en")(key, field="amount")
    assert bidding.count == before


@pytest.mark.parametrize(
    "body",
    [
        b'{"event":"passed","x":[[],1]}',
        b'{"event":"passed","x":[1,[]]}',
        b'{"event":"passed","x":[[[]]]}',
        b'{"event":"passed","x":[[{}]]}',
        b'{"event":"passed","x":{"a":1}}',
        b'{"event":"passed","then":[[]]}',
        b'{"event":"passed","then":[{"event":"passed","x":[[],1]}]}',
    ],
)
def test_json_of_odd_shapes_is_refused_with_a_sentence(bidding: Room, body: bytes) -> None:
    """Mixed lists, deeply nested lists and objects are refused as fields of an event."""
    before = bidding.count
    answer = bidding.anybody.client.post(
        bidding.seats[1] + "propose",
        data=body,
        content_type="application/json",
        headers={"X-CSRF": bidding.anybody.token(bidding.seats[1]), "HX-Request": "true"},
    )
    assert answer.status_code == 422 and said(answer).startswith("This is missing or does not fit")
    assert bidding.count == before


def test_a_page_names_no_message_of_thousands_of_digits(bidding: Room) -> None:
    """A message's number with more digits than Python reads counts as an outdated page."""
    shown = re.search(r'data-shown="([0-9a-f]+)-\d+"', bidding.anybody.get(bidding.seats[1]).text)
    assert shown is not None
    seen = f"{shown.group(1)}-{'9' * 5000}"
    assert bidding.anybody.say(bidding.seats[1], "passed", seen=seen).status_code in (204, 409)


def test_json_is_as_good_as_a_form(bidding: Room) -> None:
    """A proposal can also be JSON."""
    page = bidding.seats[1]
    answer = bidding.anybody.client.post(
        page + "propose",
        json={"event": "bid", "amount": 1500},
        headers={"HX-Request": "true", "X-CSRF": bidding.anybody.token(page)},
    )
    assert answer.status_code == 204
    assert bidding.table.snapshot().entries[-1].event == ev.Bid(1, 1500)  # type: ignore[arg-type]


def test_a_private_reason_is_read_by_its_seat_alone(bidding: Room) -> None:
    """A bid above a seat's money is refused with the reason in its language, on its own page only."""
    answer = bidding.anybody.say(bidding.seats[1], "bid", amount=5050)
    assert answer.status_code == 409
    assert "$5,000" in said(answer)


def test_an_old_page_is_told_what_changed(bidding: Room) -> None:
    """A bid from a page that has not shown the last bid is refused with the events since then."""
    page = bidding.seats[2]
    html = bidding.anybody.get(page).text
    shown = html.partition('data-shown="')[2].partition('"')[0]
    assert bidding.anybody.say(bidding.seats[1], "bid", amount=1500).status_code == 204
    answer = bidding.anybody.say(page, "bid", amount=1550, seen=shown)
    assert answer.status_code == 409
    assert "Bill" in said(answer) and "$1,500" in said(answer)
    fresh = bidding.anybody.get(page).text.partition('data-shown="')[2].partition('"')[0]
    assert bidding.anybody.say(page, "bid", amount=1550, seen=fresh).status_code == 204


@pytest.mark.parametrize("seen", ["nonsense", "00000000-0", "-1", "12"])
def test_a_page_too_old_to_tell_is_stale(bidding: Room, seen: str) -> None:
    """A page whose last message is forgotten must be reloaded."""
    before = bidding.count
    answer = bidding.anybody.say(bidding.seats[1], "bid", amount=1500, seen=seen)
    assert answer.status_code == 409
    assert bidding.count == before


def test_where_the_companion_deals_nobody_chooses_a_card(game: Room) -> None:
    """When the companion deals, a person cannot name the drawn token or the next card."""
    assert game.anybody.say(game.seats[0], "starter_named", seat=1).status_code == 204
    before = game.count
    for page in (game.seats[0], game.host, game.page("tablet")):
        answer = game.anybody.say(page, "token_drawn", kind="open")
        assert (answer.status_code, said(answer)) == (409, words("en")("refusal.R-00.dealer_draws"))
    assert game.count == before
    assert game.anybody.tap(game.seats[0], "draw").status_code == 204


def test_a_plain_form_works_without_our_script(bidding: Room) -> None:
    """Without scripts a move leads back to its page, and a refusal to a page with the sentence."""
    page = bidding.seats[1]
    assert bidding.anybody.submit(page + "propose", {"event": "bid", "amount": "1500"}, page).status_code == 303
    refused = bidding.anybody.submit(page + "propose", {"event": "bid", "amount": "1500"}, page)
    assert refused.status_code == 409 and "<!doctype html>" in refused.text


EVENTS: list[tuple[dict[str, Any], Any]] = [
    ({"event": "locos_revealed", "cards": ["steam-1", "diesel-2"]}, ev.LocosRevealed(("steam-1", "diesel-2"))),
    ({"event": "bids_revealed", "amounts": ["300", "", "0"]}, ev.BidsRevealed((300, None, 0))),
    (
        {"event": "twist_revealed", "trains_0": ["steam-1", "steam-2"], "trains_1": ["diesel-1"]},
        ev.TwistRevealed((("steam-1", "steam-2"), ("diesel-1",))),
    ),
    ({"event": "took", "slot": "2", "train": ""}, ev.Took(1, 2, None)),  # type: ignore[arg-type]
    ({"event": "exchanged", "slots": ["0", "2"]}, ev.Exchanged(1, (0, 2))),  # type: ignore[arg-type]
    ({"event": "tie_ordered", "order": ["2", "0"]}, ev.TieOrdered(1, (2, 0))),  # type: ignore[arg-type]
    ({"event": "twist_picked"}, ev.TwistPicked(1)),  # type: ignore[arg-type]
    ({"event": "correction_answered", "yes": "true"}, ev.CorrectionAnswered(1, True)),  # type: ignore[arg-type]
    ({"event": "correction_answered", "yes": "False"}, ev.CorrectionAnswered(1, False)),  # type: ignore[arg-type]
    ({"event": "starter_named", "seat": "2"}, ev.StarterNamed(2)),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("form", "event"), EVENTS)
def test_forms_become_events(form: dict[str, Any], event: ev.Event) -> None:
    """Numbers, booleans, ordered cards, empty places and trains of each seat are read from fields."""
    assert event_of(RULES, MultiDict(form), Viewer("seat", "1", 1)) == event


# --- several events at once -------------------------------------------------------------------------


def power(auction: Room) -> int:
    """Return the minimum price of the first locomotive."""
    found: int = auction.table.snapshot().state.table.fixed.book.locos["steam-1"].power  # type: ignore[union-attr]
    return found


def test_what_follows_at_once_goes_with_it(auction: Room) -> None:
    """All events of a form with `then` are one move, which an undo takes back together."""
    before = auction.table.snapshot()
    form = {"card": "steam-1", "then": "opened", "amount": power(auction)}
    assert auction.anybody.say(auction.seats[0], "nominated", **form).status_code == 204
    *_, first, second = auction.table.snapshot().entries
    assert [first.event, second.event] == [ev.Nominated(0, "steam-1"), ev.Opened(0, power(auction))]  # type: ignore[arg-type]
    assert first.move == second.move
    auction.table.ask_undo(before.seq, Actor.HOST)
    assert auction.table.snapshot().state == before.state


@pytest.mark.parametrize(
    ("form", "code", "sentence"),
    [
        ({"then": "opened", "amount": "55"}, 409, ""),
        ({"then": "opened"}, 422, words("en")("refused.misfit", field="amount")),
        ({"then": "cash_corrected", "to": "9000"}, 422, words("en")("refused.not_yours")),
        ({"then": "count_broken", "cause": "x"}, 422, words("en")("refused.not_yours")),
        ({"then": "no_such"}, 422, words("en")("refused.no_such_event")),
        ({"then": ["passed"] * (MOST_FOLLOW + 1)}, 422, words("en")("refused.misfit", field="then")),
    ],
)
def test_all_of_it_is_taken_or_nothing(auction: Room, form: dict[str, Any], code: int, sentence: str) -> None:
    """If one of several events is impossible, none of them happens."""
    before = auction.count
    answer = auction.anybody.say(auction.seats[0], "nominated", card="steam-1", **form)
    assert answer.status_code == code and sentence in said(answer)
    assert auction.count == before


def test_a_seat_cannot_slip_another_seats_move_behind_its_own(auction: Room) -> None:
    """Further events of a form belong to the page's own seat as well."""
    before = auction.count
    form = {"card": "steam-1", "then": ["opened", "passed"], "amount": power(auction), "then2_seat": "1"}
    answer = auction.anybody.say(auction.seats[0], "nominated", **form)
    assert (answer.status_code, said(answer)) == (409, "It is not your turn. Waiting for Bill.")
    assert auction.count == before


def test_a_page_is_stale_for_what_follows_too(auction: Room) -> None:
    """A move is refused completely if the page could not know its second part."""
    page = auction.seats[0]
    shown = auction.anybody.get(page).text.partition('data-shown="')[2].partition('"')[0]
    form = {"card": "steam-1", "then": "opened", "amount": power(auction), "seen": shown}
    assert auction.anybody.say(page, "nominated", **form).status_code == 204
    before = auction.count
    answer = auction.anybody.say(page, "nominated", **form)
    assert answer.status_code == 409 and "Jane" in said(answer)
    assert auction.count == before


def test_raises_and_counts_come_alone(room: Room) -> None:
    """An event that is judged by its time cannot be combined with others in one form."""
    room.set_up(deck="ours")
    room.join_all()
    room.begin("open")
    state = room.table.snapshot().state
    cards = ["steam-1", "diesel-1", "electric-1"][: RULES.view(state, None).reveal]  # type: ignore[arg-type, union-attr]
    form: dict[str, Any] = {"cards": cards, "amount": power(room), "count": "1"}
    before = room.count
    answer = room.anybody.say(room.seats[0], "locos_revealed", then=["opened", "counted"], **form)
    assert (answer.status_code, said(answer)) == (409, words("en")("refusal.R-00.by_itself"))
    assert room.count == before
    assert room.anybody.say(room.seats[0], "locos_revealed", then="opened", **form).status_code == 204
    before = room.count
    answer = room.anybody.say(room.seats[1], "raised", amount=power(room) + 50, then="raised", then1_amount="9000")
    assert (answer.status_code, said(answer)) == (409, words("en")("refusal.R-00.by_itself"))
    assert room.count == before


@pytest.mark.parametrize(
    "form",
    [
        {"event": "nominated", "card": "steam-1", "then": ["opened", "passed"], "amount": 300},
        {"event": "nominated", "card": "steam-1", "then": [{"event": "opened", "amount": 300}, "passed"]},
        {"event": "nominated", "card": "steam-1", "then": [{"event": "opened", "amount": 300}, {"event": "passed"}]},
        {"event": "nominated", "card": "steam-1", "amount": 5, "then": [{"event": "opened", "amount": 300}, "passed"]},
    ],
)
def test_following_events_as_json(form: dict[str, Any]) -> None:
    """`then` can name events that share the fields, or contain objects with fields of their own."""
    viewer = Viewer("seat", "1", 1)
    assert events_of(RULES, form_of(form), viewer) == (ev.Nominated(1, "steam-1"), ev.Opened(1, 300), ev.Passed(1))  # type: ignore[arg-type]


@pytest.mark.parametrize("then", ["opened", [[1]], [{"amount": 3}], [{"event": 7}], [None], {"event": "opened"}])
def test_following_events_that_are_none(then: Any) -> None:
    """An invalid list of further events is refused with a sentence."""
    with pytest.raises(InvalidForm) as caught:
        form_of({"event": "passed", "then": then})
    assert caught.value.fields == {"field": "then"}
