"""The people's access to a running companion, over HTTP as from tablets in the room. Failures raise `OSError`."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, RemoteDisconnected
from urllib.parse import urlencode, urlsplit

import msgspec

from companion.demo.acts import HIDDEN, Face, MoveCard
from companion.demo_records import PageLogLine, PageState
from companion.engine import COLOURS, SHAPES, Event, Seat

TIMEOUT = 30.0
"""Seconds to wait for a page, enough for a busy machine."""
FINGER = 0.12
"""Seconds for which a finger holds its button."""
SOON = 0.06
"""Seconds between two checks of a moving hand."""
CAMERA = 300.0
"""Seconds that a camera may take to start, including the time to render its deck."""
AGAIN = 0.3
"""Seconds between two attempts."""
CALM = 0.5
"""Seconds for which the camera must have reported a table at rest."""
HAND = 20.0
"""Seconds after which a hand over the table counts as stuck."""
PATIENCE = 60.0
"""Seconds to wait for a missing companion or camera that may be restarting."""
REACTION = 1.2
"""Seconds within which a camera notices a hand."""
BUSY, TAKEN, GONE = 409, 204, 410
FORM, JSON = "application/x-www-form-urlencoded", "application/json"
HOST_PIN, ROOM_PIN = "2468", re.compile(r'<b class="pin">(\d+)')
CSRF = re.compile(r'name="csrf" content="([^"]+)"')
SAID = re.compile(r'<p class="message[^>]*>(.*?)</p>', re.S)


RemoteClosed = (RemoteDisconnected, BrokenPipeError, ConnectionResetError)
"""The errors of a connection that the server has closed after a pause."""


class Unreachable(OSError):
    """The companion does not answer, or answers unexpectedly."""


class NotThere(Unreachable):
    """A card is not in its place; only a restarted camera, with a bare table, removes cards."""


class Browser:
    """One browser in the room. It keeps cookies and each page's form token."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._where = (parts.hostname or "127.0.0.1", parts.port or 80)
        self._connection: HTTPConnection | None = None
        self._cookies: dict[str, str] = {}
        self._tokens: dict[str, str] = {}

    def get(self, path: str) -> bytes:
        """Return a page; raise `Unreachable` if there is none."""
        code, _, data = self._request("GET", path)
        if code != 200:
            raise Unreachable(f"{path.partition('/')[0]} answered {code}")
        return data

    def post(self, page: str, action: str, fields: Mapping[str, object] | bytes) -> tuple[int, str, str]:
        """Send what a page's form or script sends; return the code, the redirection, and the message shown."""
        plain = isinstance(fields, bytes)
        data = fields if isinstance(fields, bytes) else urlencode(fields, doseq=True).encode()
        head = {"Content-Type": JSON if plain else FORM, "HX-Request": "true", "X-CSRF": self._token(page)}
        code, where, text = self._request("POST", action, data, head)
        found = SAID.search(text.decode(errors="replace"))
        return code, where, re.sub(r"<[^>]*>", "", found[1]).strip() if found else ""

    def close(self) -> None:
        """Close the connection; the next request opens another one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _token(self, page: str) -> str:
        if page not in self._tokens:
            found = CSRF.search(self.get(page).decode(errors="replace"))
            if found is None:
                raise Unreachable("a page without a form token")
            self._tokens[page] = found[1]
        return self._tokens[page]

    def _request(
        self, method: str, path: str, data: bytes | None = None, more: Mapping[str, str] | None = None
    ) -> tuple[int, str, bytes]:
        """Send a request over one persistent connection; repeat it if the server cannot have received it."""
        head = {"Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items()), **(more or {})}
        end = time.monotonic() + PATIENCE
        while True:
            fresh = self._connection is None
            if self._connection is None:
                self._connection = HTTPConnection(*self._where, timeout=TIMEOUT)
            try:
                self._connection.request(method, path, data, head)
                answer = self._connection.getresponse()
                text = answer.read()
                break
            except (OSError, HTTPException) as error:
                self.close()
                unheard = isinstance(error, ConnectionRefusedError) or (not fresh and isinstance(error, RemoteClosed))
                if not unheard or time.monotonic() > end:
                    raise Unreachable(str(error)) from None
                if fresh:
                    time.sleep(AGAIN)
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self._cookies[key] = rest.partition(";")[0]
        return answer.status, answer.headers.get("HX-Redirect") or answer.headers.get("Location") or "", text

    def raw(self, path: str, data: bytes, head: Mapping[str, str]) -> bytes:
        """Send data without a form and return the answer; raise `Unreachable` if it is refused."""
        code, _, text = self._request("POST", path, data, {"Content-Type": JSON, **head})
        if code != 200:
            raise Unreachable(f"{code}")
        return text


class HttpWorld:
    """One match of a running companion that these people have set up and joined."""

    def __init__(self, browser: Browser, sleep: Callable[[float], None] = time.sleep) -> None:
        self.browser = browser
        self._sleep = sleep
        self.host = self.shared = ""
        self.seats: tuple[str, ...] = ()
        self._seen = False
        """Whether the camera has seen the table. People set up without it, and wait for it before their first card."""

    def sit_down(self, game: str, names: Collection[str], **options: str) -> None:
        """Set up a match with real cards, join every seat by PIN, and add a shared tablet."""
        ask: dict[str, object] = {"game": game, "name": list(names), "deck": "ours", "pin": HOST_PIN, **options}
        ask |= {"colour": COLOURS[: len(names)], "shape": SHAPES[: len(names)]}
        self.host = self._post_and_follow("/join", "/setup", ask)
        found = ROOM_PIN.search(self.browser.get(self.host).decode(errors="replace"))
        if found is None:
            raise Unreachable("a host's page without the room's PIN")
        room = {"room": found[1]}
        pins = [f"{seat + 1}" * 4 for seat in range(len(names))]
        self.seats = tuple(
            [self._post_and_follow("/join", "/join", room | {"seat": s, "pin": pin}) for s, pin in enumerate(pins)]
        )
        self.shared = self._post_and_follow("/join", "/tablet", room)

    def leave(self) -> None:
        """Remove the match from the table."""
        self.browser.post(self.host, f"{self.host}leave", {"sure": "1"})

    def interrupt(self) -> None:
        """Remove a match that earlier people have begun, if there is one, and its cards first."""
        _, where, _ = self.browser.post("/host", "/host", {"pin": HOST_PIN})
        if where:
            self.host = self.shared = urlsplit(where).path
            self.clear()
            self.leave()

    def clear(self) -> None:
        """Remove all cards, pieces and tokens from the rendered table, and let the camera see that it is bare."""
        self.wait_for_camera()
        lying = [(card, place) for place, cards in self.read_cards().items() for card, _ in cards]
        for card, place in lying:
            with suppress(NotThere):  # somebody was already taking it away
                self.move(MoveCard(card, place, ""))
        self.browser.post(self.host, f"{self.host}laying/tokens", {"do": "clear"})
        if lying:
            # otherwise the next match begins with the last reading, of the old cards
            self.settle()

    def lay(self, cards: Mapping[str, Sequence[tuple[str, Face]]]) -> None:
        """Lay the previous cards again after a restarted camera has emptied the rendered table."""
        self.clear()
        for place, here in cards.items():
            for card, face in here:
                self.move(MoveCard(card, "", place, face))
        self.settle()

    def _post_and_follow(self, page: str, action: str, fields: Mapping[str, object]) -> str:
        code, where, said = self.browser.post(page, action, fields)
        if not where:
            raise Unreachable(f"{action} answered {code}: {said}")
        return urlsplit(where).path

    # --- the people's actions ---------------------------------------------------------------------

    def press(self, seat: Seat) -> None:
        """Press a seat's button."""
        pin = self._page_state(self.host).pins.get(seat)
        if pin is None:
            raise Unreachable("no simulated button at this seat")
        for high in ("0", "1"):
            self.browser.post(self.host, f"{self.host}drive", {"pin": pin, "high": high})
            self._sleep(FINGER)

    def move(self, moved: MoveCard) -> None:
        """Have a hand move a card; return when the hand is gone. The first call waits until the camera sees the
        table."""
        if not self._seen:
            self.wait_for_camera()
            self._seen = True
        card = moved.card
        if card == HIDDEN:
            card = self._page_state(self.host).back
        fields = {"do": "move", "card": card, "source": moved.source, "place": moved.place, "face": moved.face}
        end, said = time.monotonic() + PATIENCE, ""
        while time.monotonic() < end:
            code, _, said = self.browser.post(self.host, f"{self.host}laying", fields)
            if code < 400:
                return
            if code == GONE:
                raise NotThere(f"{card}: {said}")
            if code != BUSY:
                raise Unreachable(f"{card}: {said}")
            self._sleep(SOON)
        raise Unreachable(f"{card}: {said}")

    def lay_tokens(self, place: str, tokens: Sequence[str], heaped: bool = False) -> None:
        """Have hands lay exactly these tokens at a place. The hands may still be there when this returns."""
        if not self._seen:
            self.wait_for_camera()
            self._seen = True
        fields = {"place": place, "heaped": str(int(heaped)), **Counter(tokens)}
        code, _, said = self.browser.post(self.host, f"{self.host}laying/tokens", fields)
        if code >= 400:
            raise Unreachable(f"tokens at {place}: {said}")

    def claim(self, seat: Seat, mark: str) -> None:
        """Claim what a seat's tokens suggest, on its own tablet."""
        page = self.seats[seat]
        self.browser.post(page, f"{page}sight", {"do": "claim", "mark": mark})

    def wait_for_camera(self) -> None:
        """Wait until the camera sees the table; raise `Unreachable` if it never does."""
        end = time.monotonic() + CAMERA
        while self._page_state(self.shared).looking not in ("still", "moving"):
            if time.monotonic() > end:
                raise Unreachable("the camera does not see the table")
            self._sleep(AGAIN)

    def settle(self) -> None:
        """Keep the hands away until the camera has taken a reading."""
        began = time.monotonic()
        still: float | None = None
        moved = False
        while (now := time.monotonic()) - began < HAND:
            looking = self._page_state(self.shared).looking
            if not looking or looking in ("none", "blind"):
                return
            moved = moved or looking != "still"
            still = (still or now) if looking == "still" else None
            if still is not None and now - still >= CALM and (moved or now - began > REACTION):
                return
            self._sleep(SOON)

    def tap(self, seat: Seat | None, event: Event, *then: Event) -> str:
        """Enter an event on a tablet; return the reason if it is refused."""
        page = self.shared if seat is None else self.seats[seat]
        code, _, said = self.browser.post(page, f"{page}propose", msgspec.json.encode(event))
        return "" if code == TAKEN else said or str(code)

    def choose(self, mark: str) -> None:
        """Answer a question of the camera's."""
        self.browser.post(self.shared, f"{self.shared}sight", {"do": "choose", "mark": mark})

    def amend(self, place: str) -> None:
        """Correct a misread place."""
        self.browser.post(self.shared, f"{self.shared}sight", {"do": "right", "place": place})

    def look(self, seats: Collection[Seat] = ()) -> PageState:
        """Return the state of the shared tablet and of some seats' own."""
        pages = [self._page_state(self.seats[each]) for each in seats]
        own = {seat: view for page in pages for seat, view in page.own.items()}
        claims = tuple([claim for page in pages for claim in page.claims])
        return msgspec.structs.replace(self._page_state(self.shared), own=own, claims=claims)

    def read_log(self, seat: Seat | None) -> tuple[PageLogLine, ...]:
        """Return the latest log lines of a seat's tablet (None: the shared one)."""
        page = self.shared if seat is None else self.seats[seat]
        return msgspec.json.decode(self.browser.get(f"{page}said.json"), type=tuple[PageLogLine, ...])

    def read_cards(self) -> dict[str, list[tuple[str, Face]]]:
        """Return the cards on the rendered table by place."""
        return msgspec.json.decode(self.browser.get(f"{self.host}laying.json"), type=dict[str, list[tuple[str, Face]]])

    def rest(self, seconds: float) -> None:
        """Wait for some seconds."""
        self._sleep(seconds)

    def _page_state(self, page: str) -> PageState:
        return msgspec.json.decode(self.browser.get(f"{page}now.json"), type=PageState)
