"""Test the state of buttons on pages, the pins panel, and the set-up form at a table with buttons."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.devices.camera_link import CameraLink
from companion.devices.registry import ButtonsStatus
from companion.messages import HOST, ButtonState, LampState, PinDriven
from companion.table.table import Table
from tests.support.paces import HURRIED
from tests.support.web.visitors import JOURNAL, Room, Visitor, regions
from tests.web.live.test_cue_publisher import told
from tests.web.live.test_streams import key, opened, waiting
from web.app import create_app
from web.presenters.buttons import ButtonsView, buttons_view
from web.words import words

WELL = ButtonsStatus(
    True,
    True,
    "simulated",
    buttons=(ButtonState(0, 17), ButtonState(1, 27), ButtonState(2, 22, "closed"), ButtonState(HOST, 26)),
    lamps=(LampState(0, 18), LampState(1, 23, True), LampState(HOST, 12)),
)
LOST = ButtonsStatus(True, False, "simulated")


class Board:
    """A device registry whose buttons a test drives; it records the driven pins."""

    def __init__(self) -> None:
        self.buttons = WELL
        self.camera_link = CameraLink(lambda: 0)
        self.camera = self.camera_link.camera
        self.driven: list[PinDriven] = []
        self.listeners: list[Callable[[ButtonsStatus, ButtonsStatus], None]] = []
        self.address = "nowhere"

    def listen(self, listener: Callable[[ButtonsStatus, ButtonsStatus], None]) -> None:
        """Remember the listener."""
        self.listeners.append(listener)

    def hear(self, listener: object) -> None:
        """Ignore the listener, because no button is pressed."""

    def answer(self, what: str, answer: object) -> None:
        """Ignore the answer, because nothing is asked."""

    def drive(self, driven: PinDriven) -> bool:
        """Record a driven pin."""
        self.driven.append(driven)
        return self.buttons.alive

    def turn(self, now: ButtonsStatus) -> None:
        """Change the state of the buttons, and tell the listeners."""
        was, self.buttons = self.buttons, now
        for listener in self.listeners:
            listener(was, now)


class Wired(Room):
    """A room whose table has buttons."""

    def open(self) -> None:
        """Open the application with a device registry."""
        self.board = Board()
        self.table = Table(self.folder / JOURNAL, pace=HURRIED)
        self.app = create_app(self.table, self.folder / JOURNAL, testing=True, registry=self.board)  # type: ignore[arg-type]
        self.anybody = Visitor(self.app.test_client())


@pytest.fixture
def wired(tmp_path: Path) -> Iterator[Wired]:
    """Yield three people at a table with buttons."""
    with ExitStack() as stack:
        room = stack.enter_context(Wired(tmp_path))
        room.set_up()
        room.join_all()
        yield room


def pages(room: Room) -> dict[str, str]:
    """Return the text about the buttons on each kind of page."""
    there = {"seat": room.seats[0], "host": room.host, "table": room.page("tablet"), "watch": room.page("watch")}
    found = {name: regions(room.anybody.read(path)) for name, path in there.items()}
    return {name: parts["buttons"] + parts.get("faults", "") + parts.get("wiring", "") for name, parts in found.items()}


def test_while_all_is_well_only_the_host_is_told(wired: Wired) -> None:
    """Only the host's page shows the number of buttons and how their pins are reached."""
    said = pages(wired)
    assert "Buttons on the table: 3, simulated, not real." in said.pop("host")
    assert all(not part.strip() for part in said.values())


@pytest.mark.parametrize(("lang", "told"), [("en", "does not timestamp presses"), ("fr", "n'horodate pas les appuis")])
def test_the_host_reads_that_presses_are_not_stamped(wired: Wired, lang: str, told: str) -> None:
    """With RPi.GPIO the host reads that contested presses are judged less fairly; with lgpio nobody reads anything."""
    wired.anybody.headers["Accept-Language"] = lang
    wired.board.turn(ButtonsStatus(True, True, "rpigpio", False, WELL.buttons))
    said = pages(wired)
    assert told in said.pop("host")
    assert all(not part.strip() for part in said.values())
    wired.board.turn(ButtonsStatus(True, True, "lgpio", buttons=WELL.buttons))
    assert told not in pages(wired)["host"]


@pytest.mark.parametrize(("lang", "told"), [("en", "cannot reach the buttons"), ("fr", "n'atteint pas les boutons")])
def test_pins_that_cannot_be_opened_are_said_to_the_host(wired: Wired, lang: str, told: str) -> None:
    """The host reads the reason; the page neither calls the pins simulated nor links to their panel."""
    wired.anybody.headers["Accept-Language"] = lang
    wired.board.turn(ButtonsStatus(True, True, "closed", said="No chip is a Raspberry Pi's header."))
    host = pages(wired)["host"]
    assert told in host and 'href="pins"' not in host and words(lang)("buttons.kind_simulated") not in host
    assert "No chip is a Raspberry Pi's header." not in host


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_the_buttons_report_is_one_sentence_without_its_details(wired: Wired, lang: str) -> None:
    """The host reads that there is a problem and where to find it; simulated buttons show nothing."""
    wired.anybody.headers["Accept-Language"] = lang
    why = "lgpio cannot claim GPIO 17."
    wired.board.turn(ButtonsStatus(True, True, "lgpio", buttons=WELL.buttons, said=why))
    host = pages(wired)["host"]
    assert words(lang)("buttons.reported") in host and "lgpio" not in host
    wired.board.turn(ButtonsStatus(True, True, "simulated", buttons=WELL.buttons, said=why))
    host = pages(wired)["host"]
    assert words(lang)("buttons.reported") not in host and "lgpio" not in host


def test_lost_buttons_are_told_on_every_page(wired: Wired) -> None:
    """Every page says that the buttons do not answer and that pages have their own, and later that the buttons are
    back."""
    where = key(wired, "watch")
    page = wired.context.hub.page(where)
    assert page is not None
    stream, _ = opened(wired, where, last=page.id)
    wired.board.turn(LOST)
    message = stream.outbox.get(timeout=5)
    assert message is not None
    assert words("en")("buttons.lost").split(".")[0].encode() in message
    assert all(words("en")("buttons.lost") in part for part in pages(wired).values())
    wired.board.turn(WELL)
    assert not any(words("en")("buttons.lost") in part for part in pages(wired).values())


@pytest.mark.parametrize("condition", ["stuck", "chattering", "missing"])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_button_out_of_play_is_named(wired: Wired, condition: str, lang: str) -> None:
    """Every page names the seat of an unreliable button and the reason, in the page's language."""
    out = (ButtonState(1, 27, condition), ButtonState(HOST, 26, condition))  # type: ignore[arg-type]
    wired.board.turn(ButtonsStatus(True, True, "lgpio", buttons=out))
    wired.anybody.headers["Accept-Language"] = lang
    for part in pages(wired).values():
        assert words(lang)(f"buttons.{condition}", name="Bill") in part
        assert words(lang)(f"buttons.host_{condition}") in part


def test_a_finger_on_a_button_draws_no_page() -> None:
    """Values that change at every press and lamp are not part of the input of regions."""
    pressed = ButtonsStatus(
        True, True, "simulated", buttons=tuple(ButtonState(each.seat, each.pin) for each in WELL.buttons)
    )
    assert buttons_view(pressed, 3) == buttons_view(WELL, 3) == ButtonsView(True, False, "simulated", 3)
    assert buttons_view(None, 3) == ButtonsView()


def test_what_is_wrong_with_the_bus_is_said_also_when_the_buttons_are_lost() -> None:
    """The bus's error replaces earlier reports about lost buttons, because it explains why they do not return."""
    lost = ButtonsStatus(True, False, said="There is no sign of seat 2's wireless button.", bus="No broker answers.")
    assert buttons_view(lost, 3).said == "No broker answers."


def test_only_players_buttons_are_named() -> None:
    """The page shows no problem of a free seat's button."""
    stuck = tuple(ButtonState(seat, 5 + seat, "stuck") for seat in (HOST, 1, 2, 5))
    assert buttons_view(ButtonsStatus(True, True, "lgpio", buttons=stuck), 2).out == ((HOST, "stuck"), (1, "stuck"))


def test_lamps_go_to_the_host_alone(wired: Wired) -> None:
    """A change of a lamp is sent to the panel at once, and to no other page."""
    there = {role: opened(wired, key(wired, role), page=role)[0] for role in ("host", "table", "watch")}
    for stream in there.values():
        waiting(stream)
    wired.board.turn(ButtonsStatus(True, True, "simulated", buttons=WELL.buttons, lamps=(LampState(0, 18, True),)))
    (message,) = told(waiting(there["host"]), "pins")
    assert message["lamps"] == {"18": True} and message["buttons"]["22"] == "closed"
    assert waiting(there["table"]) == waiting(there["watch"]) == []


def test_the_pins_panel_drives_the_pins_of_buttons(wired: Wired) -> None:
    """A press on the panel drives that button's pin low, a release drives it high, and no other pin can be driven."""
    assert 'href="pins"' in wired.anybody.get(wired.host).text
    panel = wired.anybody.read(wired.host + "pins")
    assert re.findall(r'data-pin="(\d+)"', panel) == ["17", "27", "22", "26"]
    assert re.findall(r'data-lamp="(\d+)"', panel) == ["18", "23", "12"]
    assert words("en")("pins_panel.note") in panel
    for high in ("0", "1"):
        assert wired.anybody.tap(wired.host, "drive", {"pin": "17", "high": high}).status_code == 204
    assert wired.board.driven == [PinDriven(17, False), PinDriven(17, True)]
    for pin in ("18", "", "x", "-1", "999"):
        assert wired.anybody.tap(wired.host, "drive", {"pin": pin, "high": "0"}).status_code == 409
    assert len(wired.board.driven) == 2


def test_only_the_host_has_a_pins_panel(wired: Wired) -> None:
    """Only the host's page can drive pins."""
    for page in (wired.seats[0], wired.page("tablet"), wired.page("watch")):
        assert wired.anybody.get(page + "pins").status_code == 404
    token = wired.host.split("/")[-2]
    assert wired.anybody.get(wired.seats[0].replace("/s/", "/h/") + "pins").status_code == 404
    assert wired.anybody.get(f"/h/{token}/pins").status_code == 200


def test_the_former_address_of_the_pins_panel_leads_on(wired: Wired) -> None:
    """The old address of the panel, which people may have stored, still works for the host alone."""
    answer = wired.anybody.get(wired.host + "bench")
    assert (answer.status_code, answer.headers["Location"]) == (303, "pins")
    assert wired.anybody.get(wired.seats[0].replace("/s/", "/h/") + "bench").status_code == 404


@pytest.mark.parametrize("now", [LOST, ButtonsStatus(True, True, "lgpio", buttons=WELL.buttons), ButtonsStatus()])
def test_real_pins_have_no_panel(wired: Wired, now: ButtonsStatus) -> None:
    """With real pins, or without the service, nothing links to the panel, and it has no buttons."""
    wired.board.turn(now)
    assert 'href="pins"' not in wired.anybody.get(wired.host).text
    assert "data-pin" not in wired.anybody.get(wired.host + "pins").text


def test_without_a_registry_there_is_no_trouble(game: Room) -> None:
    """At a table without buttons no page reports a problem, and the host reads that pages have their own buttons."""
    said = pages(game)
    assert words("en")("buttons.none") in said.pop("host")
    assert all(not part.strip() for part in said.values())
    assert game.anybody.tap(game.host, "drive", {"pin": "17", "high": "0"}).status_code == 409


@pytest.mark.parametrize(("now", "proposed"), [(WELL, "signal"), (LOST, "last_fist")])
def test_with_buttons_the_form_proposes_the_signal(tmp_path: Path, now: ButtonsStatus, proposed: str) -> None:
    """With buttons the form proposes that fists open at a signal, otherwise with the last fist."""
    with Wired(tmp_path) as room:
        room.board.buttons = now
        form = room.anybody.get(room.lobby()).text
        room.context.lobby.close()
        asked = form[form.index('name="reveal"') :].split("</select>")[0]
        assert re.findall(r'value="(\w+)" selected', asked) == [proposed]
        room.set_up(reveal=proposed)
        setup = room.table.snapshot().setup
        assert setup is not None and setup.options.get("reveal", "last_fist") == proposed
