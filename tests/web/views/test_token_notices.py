"""Test notices about tokens: those for everybody, those for one seat, and those that nobody else may read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.engine import Refusal, Seat
from companion.i18n import LANGUAGES
from companion.match.actor import Actor
from companion.messages import SECOND, Sighted, TokenSighting
from companion.table.sight_records import SightState, TokenNotice
from tests.support.sealed_coins.rules import RULES, BadgeClaimed, HouseDrawn
from tests.support.web import any_game
from tests.support.web.camera_double import Seeing
from tests.support.web.offering import offered
from tests.support.web.visitors import regions, said
from web.presenters.token_notices import claim_mark
from web.words import words

JANE, BILL, TOM = Seat(0), Seat(1), Seat(2)
BACK = TokenNotice("take_back", "seat.2.money", BILL, 550)
OPEN = TokenNotice("open_hand", "seat.2.money", BILL)
AGAIN = TokenNotice("again", "seat.2.money", BILL)
WHY = ((BILL, Refusal("S-1", "too_much", {"cash": 750}, BILL)),)


@pytest.fixture
def coins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Seeing]:
    """Yield a room in which Sealed Coins is played with real coins."""
    monkeypatch.setenv("COMPANION_SHELF", str(tmp_path / "shelf"))
    with offered(RULES), Seeing(tmp_path) as room:
        any_game.lay(room, RULES.name, deck="ours")
        yield room


def show(room: Seeing, *notices: TokenNotice, **fields: Any) -> None:
    """Publish notices of the camera."""
    room.table.show_sight(SightState(True, notices=notices, **fields))
    room.context.hub.refresh()


def pages(room: Seeing) -> dict[str, str]:
    """Return the address of each kind of page."""
    seats = dict(zip(("Jane", "Bill", "Tom"), room.seats, strict=True))
    return seats | {"host": room.host, "tablet": room.page("tablet"), "watch": room.page("watch")}


def sights(room: Seeing) -> dict[str, str]:
    """Return the part about sightings on each page."""
    return {who: regions(room.anybody.read(path))["sight"] for who, path in pages(room).items()}


def readers(found: dict[str, str], text: str) -> set[str]:
    """Return the pages that contain a text."""
    return {who for who, part in found.items() if text in part}


def test_a_notice_is_read_at_the_table_and_by_its_seat(coins: Seeing) -> None:
    """A notice for Bill appears on his page and on shared pages; a notice for no seat appears on every page."""
    show(coins, BACK, TokenNotice("two_tokens", "house.token"))
    found = sights(coins)
    assert readers(found, "Bill, take back $550 before the fists close.") == {"Bill", "host", "tablet", "watch"}
    assert readers(found, "The house's place: only one token may lie there.") == set(found)
    assert readers(found, 'class="urgent mine"') == {"Bill"}


def test_the_reason_is_read_by_its_seat_alone(coins: Seeing) -> None:
    """Everybody at the table reads that Bill counts again, and only Bill reads the reason."""
    show(coins, AGAIN, reasons=WHY)
    found = sights(coins)
    assert readers(found, "Bill, count your money again.") == {"Bill", "host", "tablet", "watch"}
    assert readers(found, "You have $750.") == {"Bill"}
    whole = {who: coins.anybody.read(path) for who, path in pages(coins).items()}
    assert readers(whole, "$750") == {"Bill"}  # "750" alone could occur in a page's random tokens
    show(coins, AGAIN, reasons=((BILL, Refusal("S-1", "too_much", {"cash": 750}, JANE)),))
    assert readers(sights(coins), "750") == set()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_notice_has_a_sentence(coins: Seeing, lang: str) -> None:
    """Every notice has a sentence, for which a game can use its own words."""
    keys = (
        *("open_hand", "take_back", "put_back", "spread", "edge", "moved"),
        *("pays", "less", "not_playing", "sequence", "again"),
    )
    lone = ("spread", "two_tokens", "again", "hands")
    show(
        coins,
        *[TokenNotice(key, "seat.2.money", BILL, 550, 1000) for key in keys],
        *[TokenNotice(key, "house.token") for key in lone],
    )
    coins.anybody.headers["Accept-Language"] = lang
    part = sights(coins)["host"]
    assert part.count("<li") == len(keys) + len(lone)
    assert "tokens." not in part and "{" not in part
    assert {"en": "Bill pays the house:", "fr": "Bill paie la banque"}[lang] in part


@pytest.mark.parametrize("notice", [BACK, OPEN])
def test_a_seat_says_that_its_place_is_in_order(coins: Seeing, notice: TokenNotice) -> None:
    """Only Bill, the host and the tablet can confirm that his place is in order, and only while the camera may not
    look."""
    show(coins, notice)
    assert readers(sights(coins), 'value="in_order"') == set()
    assert coins.table.propose(HouseDrawn("house-low"), Actor.HOST).accepted
    show(coins, notice)
    assert readers(sights(coins), 'value="in_order"') == {"Bill", "host", "tablet"}
    tap = {"do": "in_order", "seat": "1"}
    assert coins.anybody.tap(coins.seats[0], "sight", tap).status_code == 403
    assert coins.anybody.tap(coins.seats[1], "sight", tap).status_code == 204
    for gone in ("0", "x", "9" * 40):
        assert coins.anybody.tap(coins.host, "sight", {"do": "in_order", "seat": gone}).status_code == 409


def test_a_claim_is_taken_with_a_tap_on_its_own_page(coins: Seeing) -> None:
    """Only Bill's page shows his claim and can accept it, because it may depend on what he hides."""
    show(coins)
    before = sights(coins)
    claim = BadgeClaimed(BILL)
    show(coins, claims=(claim,))
    found = sights(coins)
    assert readers(found, "Bill shows a badge.") == readers(found, 'value="claim"') == {"Bill"}
    assert {who: part for who, part in found.items() if before[who] != part}.keys() == {"Bill"}
    tap = {"do": "claim", "mark": claim_mark(claim)}
    for page in (coins.seats[0], coins.host, coins.page("tablet")):
        assert coins.anybody.tap(page, "sight", tap).status_code == 403
    assert coins.anybody.tap(coins.seats[1], "sight", tap).status_code == 204
    assert coins.table.snapshot().entries[-1].event == claim
    assert coins.table.snapshot().entries[-1].by == Actor.at_seat(BILL)
    show(coins)
    answer = coins.anybody.tap(coins.seats[1], "sight", tap)
    assert (answer.status_code, said(answer)) == (409, words("en")("sight.stale"))


def test_a_claim_that_the_table_has_overtaken_is_not_shown(coins: Seeing) -> None:
    """A claim that Bill has made by hand is no longer shown."""
    assert coins.table.propose(BadgeClaimed(BILL), Actor.at_seat(BILL)).accepted
    show(coins, claims=(BadgeClaimed(BILL),))
    assert readers(sights(coins), "badge") == set()


def test_programs_read_what_their_page_shows(coins: Seeing) -> None:
    """A seat's program receives its own notices and claims, with the mark that accepts one."""
    show(coins, BACK, TokenNotice("two_tokens", "house.token"), claims=(BadgeClaimed(BILL),))

    def told(page: str) -> tuple[list[Any], list[Any]]:
        found = json.loads(coins.anybody.get(page + "now.json").data)
        notices = [(each["key"], each["seat"], each["amount"]) for each in found["notices"]]
        return notices, [(each["mark"], each["seat"]) for each in found["claims"]]

    both, claims = [("take_back", 1, 550), ("two_tokens", None, 0)], [(claim_mark(BadgeClaimed(BILL)), 1)]
    assert told(coins.host) == told(coins.page("tablet")) == (both, [])
    assert told(coins.seats[1]) == (both, claims)
    assert told(coins.seats[0]) == (both[1:], [])


def test_a_pause_opens_no_fist(coins: Seeing) -> None:
    """During a pause the camera can show the whole table before the first fists, but not while they are closed."""
    camera = coins.camera()

    def whole() -> bool:
        """Return whether the camera is asked for the whole table."""
        coins.anybody.tap(coins.host, "camera/watch", {"whole": "1"})
        return bool(camera.said[-1].fields.get("whole", False))

    assert coins.table.propose(BadgeClaimed(BILL), Actor.HOST).accepted
    coins.table.pause(Actor.HOST)
    assert whole()
    coins.table.unpause(Actor.HOST)
    assert coins.table.propose(HouseDrawn("house-low"), Actor.HOST).accepted
    coins.table.pause(Actor.HOST)
    assert not whole()


# --- secrets --------------------------------------------------------------------------------------


def public_output(folder: Path, purse: int) -> list[Any]:
    """Let Bill, who owns `purse`, lay down 1,500 and then 500; return everything that the others can see or read."""
    with offered(RULES), Seeing(folder) as room:
        any_game.lay(room, RULES.name, deck="ours", purses=(1000, purse, 1000))  # type: ignore[arg-type]
        found: list[Any] = []
        room.table.cues.listen(lambda cues: found.extend(replace(cue, at=0) for cue in cues))
        room.table.propose(HouseDrawn("house-low"), Actor.HOST)
        timing = room.table.snapshot().timing
        assert timing is not None
        room.table.propose(timing.signalled(), Actor.REFEREE)  # type: ignore[union-attr]
        room.observer.look()
        for number, coins in enumerate((30, 30, 10), 1):
            places = tuple([f"seat.{seat}.money" for seat in (1, 2, 3)])
            tokens = tuple([TokenSighting(places[1], "money-50", middle=(float(at), 0.0)) for at in range(coins)])
            later = room.table.snapshot().at + SECOND
            room.observer.accept_reading(Sighted(later, number, tokens=tokens, token_places=places))
            for _ in range(2):
                room.observer.look()
                room.now += 3 * SECOND
            room.observer.look()
            room.context.hub.refresh()
            sight = room.table.snapshot().sight
            found += [sight.notices, sight.claims, sight.accepted]
            for who, path in pages(room).items():
                if who != "Bill":
                    told = {} if who == "watch" else json.loads(room.anybody.get(path + "now.json").data)
                    found.append((who, regions(room.anybody.read(path)), told))
        found += [entry.event for entry in room.table.snapshot().entries]
        return found


def test_bills_coins_change_no_byte_for_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tables that differ only in Bill's money are the same for all others, with a refused sum and a counted one."""
    monkeypatch.setenv("COMPANION_SHELF", str(tmp_path / "shelf"))
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    one, two = public_output(tmp_path / "one", 1000), public_output(tmp_path / "two", 1450)
    assert (AGAIN,) in one
    assert one == two
