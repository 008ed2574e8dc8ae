"""Test what phones compute for seals, in a browser: hashes, manipulated lots, and a lot that is played by touch."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from importlib import resources
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from companion.engine import Seat
from companion.games.take_a_train import events as ev
from companion.mechanics.seals import seal_of, set_of
from companion.referee.verdict import Judged
from tests.support.paces import HURRIED
from tests.support.sealing import LOT, held, sealed
from tests.web.browser.devices import PATIENCE
from tests.web.browser.manipulated_lots import MANIPULATIONS, lots
from tests.web.browser.room import Room

pytestmark = pytest.mark.browser
LOTS, SHARE, AT_ONCE = 10_000, 0.01, 500
CHECK = """(phones) => phones.map(
  ({ match, opened, seals, own }) => window.companion.seals.check(match, opened, seals, own),
)"""
CARDS = ("steam-1", "steam-4", "diesel-1")
PROMISE = "No bid changed after your phone was shown its seal. "
PROMISE += "The table itself knew the bids, and this page came from the table."


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """Yield an empty page that has loaded the scripts for checking seals."""
    page = browser.new_page()
    static = resources.files("web").joinpath("static")
    for script in ("vendor/sha256.min.js", "js/seals.js"):
        page.add_script_tag(content=static.joinpath(script).read_text(encoding="utf-8"))
    yield page
    page.close()


def test_the_hash_is_sha_256(phone: Page) -> None:
    """For texts of every length around the block size and for non-ASCII letters, the hash equals Python's SHA-256."""
    luck = random.Random(5)
    texts = ["", "abc", "Céline – 5 000 $", "🚂" * 40]
    texts += ["".join(luck.choices("abcdef0123456789\n -", k=length)) for length in (*range(1, 260), 1000, 70_000)]
    found = phone.evaluate("(texts) => texts.map((text) => window.sha256(text))", texts)
    assert found == [sha256(text.encode()).hexdigest() for text in texts]


def test_phones_and_table_seal_alike(phone: Page) -> None:
    """The script and the server hash the same bytes, for one bid and for a set that contains an unsealed bid."""
    bid = sealed("12", 3, 1250)
    assert bid.seal == phone.evaluate(
        "([match, lot, bid]) => window.companion.seals.sealOf(match, lot, bid)",
        ["12", LOT, {"seat": 3, "amount": 1250, "device": bid.device, "nonce": bid.nonce}],
    )
    seals = {10: bid.seal, 2: "", 0: "ab" * 32}
    given = {str(seat): seal for seat, seal in seals.items()}
    asked = "([match, lot, seals]) => window.companion.seals.setOf(match, lot, seals)"
    assert phone.evaluate(asked, ["12", LOT, given]) == set_of("12", LOT, seals)
    assert seal_of("12", LOT, bid) != seal_of("13", LOT, bid) != seal_of("13", "2 steam-1 only", bid)


def test_phones_find_every_manipulated_lot_and_accuse_nobody_else(
    phone: Page, capsys: pytest.CaptureFixture[str]
) -> None:
    """Phones find every manipulated lot among 10,000, of which 1 % are manipulated, and accuse nobody else."""
    made = lots(LOTS, SHARE, seed=46)
    found, phones = Counter[str](), 0
    for start in range(0, LOTS, AT_ONCE):
        some = made[start : start + AT_ONCE]
        flat = [each for lot in some for each in lot.phones]
        answers = iter(phone.evaluate(CHECK, flat))
        phones += len(flat)
        for number, lot in enumerate(some, start):
            said: list[dict[str, Any]] = [next(answers) for _ in lot.phones]
            accused = {seat for each in said for seat in each["misfit"]}
            apart = any(each["apart"] for each in said)
            assert accused == lot.forged, (number, lot.kind)
            assert apart == (lot.kind == "sets"), (number, lot.kind)
            found[lot.kind] += bool(accused or apart)
            if lot.kind == "honest":
                assert all(each["checked"] == lot.sealed for each in said if not each["unshown"])
                slept = [each["unshown"] for each in said if each["unshown"]]
                assert slept == ([[lot.victim]] if number % 3 == 0 else []), number
    assert found == dict.fromkeys(MANIPULATIONS, round(LOTS * SHARE) // len(MANIPULATIONS)) | {"honest": 0}
    with capsys.disabled():
        print(
            f"\n{LOTS} lots on {phones} phones: all {sum(found.values())} manipulated ones found, nobody else accused"
        )


@pytest.mark.parametrize("paced_room", [replace(HURRIED, count_gap_ms=150)], indirect=True)
def test_a_lot_from_the_fist_to_the_sentence(paced_room: Room) -> None:
    """Jane's and Bill's phones seal and Tom's bid has no seal; Ready waits for everybody; then every page checks the
    bids."""
    room = paced_room
    begun = (
        ev.StarterNamed(Seat(0)),
        ev.TokenDrawn("blind"),
        ev.LocosRevealed(CARDS),
        ev.Nominated(Seat(0), "steam-4"),
    )
    room.begin(*begun, reveal="signal")
    jane, bill, tom = room.phones
    jane.move("committed", amount=200)
    jane.page.locator("[data-press]").dispatch_event("pointerdown", {"button": 0, "pointerId": 5})
    expect(jane.page.locator("[data-press-message]")).to_contain_text("Wait until all fists are closed")
    bill.move("committed", amount=350)
    room.say(ev.Committed(Seat(2), 300))
    room.agree()
    for device in (room.tablet, room.host, *room.phones):
        expect(device.page.locator("#region-seals .seal:not(.none)")).to_have_count(2)
        expect(device.page.locator("#region-seals .seal .pic")).to_have_count(8)
    jane.press()
    expect(jane.page.locator("[data-press]")).to_have_attribute("aria-pressed", "true")
    entries = room.match.entries
    bids = {int(e.event.seat): e.event for e in entries if isinstance(e.event, ev.Committed)}
    assert [bool(bids[seat].seal) for seat in range(3)] == [True, True, False]
    jane.page.reload()  # the page's stored seals and bid survive
    bill.press()
    tom.press()
    room.until(lambda view: view.seats[1].trains)
    room.agree()
    for device in (room.tablet, room.host, jane, bill, tom):
        told = device.page.locator("[data-seals-found]")
        expect(told).to_contain_text("2 of 3 checked", timeout=PATIENCE)
        expect(told).to_contain_text(PROMISE)
        expect(told).to_contain_text("Without a seal: Tom.")
        expect(told.locator(".bad")).to_have_count(0)
    lot = "1 steam-4 only"
    judged = next(body for body in room.match.line.bodies if isinstance(body, Judged))
    assert {mark.held for mark in judged.marks} == {held(room.match.id, bids, lot)}
    remember(tom.page, "held")
    told = tom.page.locator("[data-seals-found]")
    expect(told).to_contain_text("This bid does not fit the seal that this page was shown: Bill.")
    expect(told).to_contain_text("1 of 3 checked")
    expect(told).not_to_contain_text("No bid changed")
    remember(room.host.page, "seals")
    told = room.host.page.locator("[data-seals-found]")
    expect(told).to_contain_text("Not checked, because this page was not shown the last seal: Bill.")
    expect(told.locator(".bad")).to_have_count(0)
    expect(told).not_to_contain_text("No bid changed")


def remember(page: Page, which: str) -> None:
    """Replace Bill's seal in a page's memory, among the seals that it was shown or that it confirmed (`which`)."""
    page.evaluate(
        """(which) => {
          const [store] = Object.keys(sessionStorage).filter((each) => each.startsWith("seals "));
          const kept = JSON.parse(sessionStorage.getItem(store));
          kept.lots[0][which][1] = "0".repeat(64);
          sessionStorage.setItem(store, JSON.stringify(kept));
        }""",
        which,
    )
    page.reload()
