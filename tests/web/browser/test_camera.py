"""Test the camera's page and enrolment in a browser, with a scripted camera service."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.messages import Sighted, Sighting
from tests.support.web.camera_double import SEEN, Camera, Seeing
from tests.web.browser.truth import unfit
from tests.web.browser.watched import Watched, watching
from web.words import words

pytestmark = pytest.mark.browser
EN = words("en")
PATIENCE = 20.0


def named_by(camera: Camera) -> list[object]:
    """Return the names that people gave to cards."""
    return [asked.fields for asked in camera.said if asked.what == "name"]


def sit_down(room: Seeing) -> None:
    """Begin a match with printed cards, and let everybody take a seat."""
    room.set_up(deck="ours")
    room.join_all()


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser) -> Iterator[Watched]:
    """Yield three people with printed cards under a camera; afterwards no page may have logged errors."""
    with tempfile.TemporaryDirectory() as shelf:
        monkeypatch.setenv("COMPANION_SHELF", shelf)
        with watching(tmp_path, browser, sit_down) as found:
            yield found


def test_a_card_is_put_right_by_touch_and_by_key(watched: Watched) -> None:
    """All cards are drawn and listed; a tap on the picture and a key in the list open the same question."""
    page = watched.open(watched.room.host + "camera")
    page.locator("polygon.card").nth(len(SEEN) - 1).wait_for()
    assert page.locator(".sighting").count() == len(SEEN)
    assert page.locator("polygon.doubt").count() == 1 and page.locator("polygon.unknown").count() == 2
    page.locator("polygon.doubt").click()
    likely = page.locator("[data-naming-likely] button")
    assert likely.all_text_contents() == ["heating oil 200", "heating oil 250", "coal 200"]
    likely.nth(1).click()
    page.get_by_text(EN("camera_page.named")).wait_for()
    page.locator(".sighting", has_text="food 50").focus()
    page.keyboard.press("Enter")
    page.locator("[data-naming-find]").fill("coal 250")
    page.keyboard.press("Enter")
    page.locator("dialog[open]").wait_for(state="detached")
    end = time.monotonic() + PATIENCE  # the answer to the first request may still be shown
    while len(named := named_by(watched.camera)) < 2 and time.monotonic() < end:
        page.wait_for_timeout(50)
    assert named == [
        {"place": "market", "at": 2, "card": "oil-250"},
        {"place": "market", "at": 1, "card": "coal-250"},
    ]


def test_tucked_cards_bear_their_names(watched: Watched) -> None:
    """The visible part bears the whole name, or only the value at the end of a name."""
    page = watched.open(watched.room.host + "camera")
    names = ("coal 200", "coal 250", "Log Car")
    tops = [0.5, 0.44, 0.38]
    cards = [
        {"name": name, "place": "train", "outline": [[0.1, y], [0.2, y], [0.2, y + 0.25], [0.1, y + 0.25]]}
        for name, y in zip(names, tops, strict=True)
    ]
    drawn = "cards => companionAnnotations(() => 0.6).labels(cards).map(each => each.textContent)"
    assert page.evaluate(drawn, cards) == ["coal 200", "250", "Log Car"]


def test_places_are_set_by_key_and_by_finger(watched: Watched) -> None:
    """Arrow keys set the first corner, and a tap the second; the page then confirms the places."""
    page = watched.open(watched.room.host + "camera")
    page.locator("polygon.card").first.wait_for()
    page.locator("[data-place]").click()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    frame = page.locator("[data-camera-frame]").bounding_box()
    assert frame is not None
    page.locator("[data-handle='1']").focus()
    page.mouse.move(frame["x"] + 0.9 * frame["width"], frame["y"] + 0.1 * frame["height"])
    page.mouse.down()
    page.mouse.move(frame["x"] + 0.95 * frame["width"], frame["y"] + 0.2 * frame["height"])
    page.mouse.up()
    page.locator("[data-place-save]").click()
    expect(page.get_by_text(EN("camera_page.placed"))).to_be_in_viewport(ratio=1)
    (asked,) = [asked.fields["corners"] for asked in watched.camera.said if asked.what == "places"]
    assert asked[0] == [0.12, 0.13]
    assert [round(value, 2) for value in asked[1]] == [0.95, 0.2] and asked[2:] == [[0.9, 0.9], [0.1, 0.9]]


@pytest.mark.parametrize("phone", [True, False])
def test_every_page_of_the_camera_fits(watched: Watched, phone: bool) -> None:
    """With everything open, the page fits a phone and a tablet, and has tall buttons and named inputs."""
    host, camera = watched.room.host, watched.camera
    camera.faults = ("blur", "glare")
    camera.decks["box"] = {card: [f"{card}.jpg"] for card in ("coal-100", "coal-200", "oil-200")}
    camera._do_capture("box")
    camera.decks["cloth"], camera.cards_in_picture = {}, 12
    camera._do_capture("cloth")
    page = watched.open(host + "camera", phone)
    page.locator("polygon.card").first.wait_for()
    wrong = {"camera": unfit(page, touch=True)}
    page.locator(".sighting").first.click()
    wrong["naming"] = unfit(page, touch=True)
    for path in ("enrolment", "enrolment?deck=box", "enrolment?deck=cloth&at=5", "report?deck=box"):
        page.goto(f"{watched.address}{host}{path}")
        page.evaluate("() => document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
        wrong[path] = unfit(page, touch=True)
    assert {name: found for name, found in wrong.items() if found} == {}


@pytest.mark.parametrize("phone", [True, False])
def test_tokens_are_taught_by_touch(watched: Watched, phone: bool) -> None:
    """One picture finds three tokens, one tap names each, and the report shows which ones look alike."""
    host, camera = watched.room.host, watched.camera
    page = watched.open(host + "tokens?deck=our+cards", phone)
    page.get_by_role("button", name=EN("enrolment.capture")).click()
    wrong, named = {}, []
    for nth in range(3):
        page.get_by_role("heading", name=EN.plural("token_enrolment.found", 3 - nth)).wait_for()
        wrong[f"naming {nth}"] = unfit(page, touch=True)
        named.append(page.locator(".teach-likely button").last.get_attribute("value"))
        page.locator(".teach-likely button").last.click()
    page.locator(".token-how").wait_for()
    page.evaluate("() => document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    wrong["taught"] = unfit(page, touch=True)
    assert sorted(camera.tokens) == sorted({*named})
    page.get_by_role("link", name=EN("token_enrolment.report")).click()
    page.locator("h1", has_text=EN("token_enrolment.report")).wait_for()
    wrong["report"] = unfit(page, touch=True)
    assert {name: found for name, found in wrong.items() if found} == {}


def test_what_does_not_fit_is_shown_on_the_picture(watched: Watched) -> None:
    """The tablet shows the camera's picture of the place, with the wrong card outlined."""
    seen = (Sighting("market", "coal-200", 0, likeliest=("coal-200",)),)
    watched.camera.seen = seen
    watched.room.observer.accept_reading(Sighted(watched.room.now, 1, seen))
    watched.room.observer.look()
    watched.room.now += 10**10
    watched.room.observer.look()
    page = watched.open(watched.room.page("tablet"))
    page.locator(".sight-crop polygon.wrong").wait_for()
    assert page.locator(".sight-crop image").count() == 1


def test_a_lost_camera_is_told_on_open_pages(watched: Watched) -> None:
    """Every open page reports a lost camera by itself, and its return."""
    pages = [watched.open(path) for path in (watched.room.host + "camera", watched.room.seats[0])]
    for page in pages:
        page.locator("body[data-live]").wait_for()
    watched.camera.close()
    for page in pages:
        page.locator(".devices.lost", has_text=EN("camera.lost")).wait_for()
    watched.room.cameras.clear()
    watched.room.camera()
    for page in pages:
        page.locator(".devices", has_text=EN("camera_page.back")).wait_for()


def test_a_card_of_any_game_is_named_on_a_phone(watched: Watched) -> None:
    """The button is below the name's field; before the first picture the list only says that it is empty."""
    page = watched.open(watched.room.host + "enrolment", phone=True)
    page.locator("input[name=deck][required]").fill("Our other box")
    page.locator("label.choice", has=page.locator("input[name=free][value='1']")).click()
    page.get_by_role("button", name=EN("enrolment.begin")).click()
    page.locator(".teach-all").wait_for()
    assert page.locator(".teach-all .hint").inner_text() == EN("enrolment.no_pictures")
    page.locator(".teach-take form .button.huge").click()
    page.locator(".teach-pick").wait_for()
    name, keep = page.locator(".teach-pick input[name=card]"), page.locator(".teach-pick .button.main")
    field, button = name.bounding_box(), keep.bounding_box()
    assert field and button and field["y"] + field["height"] + 5 < button["y"]
    assert unfit(page, touch=True) == []


def test_the_card_table_fits_a_phone(watched: Watched) -> None:
    """Every control of the table of cards is tall enough for a finger."""
    watched.camera.kind = "rendered"
    watched.camera.live()
    watched.room.until(lambda: watched.room.board.camera.rendered)
    page = watched.open(watched.room.host + "laying", phone=True)
    for nth in range(2):
        page.locator(".card-table-more summary").nth(nth).click()
    page.locator(".card-table-more button").last.wait_for()
    assert unfit(page, touch=True) == []
