"""Streams of live pages that need no browser."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from urllib.parse import urlencode, urlsplit


class Listeners:
    """Streams of many pages; each remembers its last message, and resumes from there after an end."""

    def __init__(self, address: str, match: str, pages: Iterable[str]) -> None:
        self.last: dict[str, str] = {}
        self._address, self._match = urlsplit(address).netloc, match
        self._told = threading.Condition()
        for page in pages:
            self.last[page] = ""
            first = self._open(page)
            assert first.status == 200, (page, first.status, first.read())
            threading.Thread(target=self._hear, args=(page, first), daemon=True).start()

    def _open(self, page: str) -> http.client.HTTPResponse:
        """Request the missed and future messages of a page."""
        query = urlencode({"page": "p", "last": self.last[page], "match": self._match, "lang": "en"})
        line = http.client.HTTPConnection(self._address)
        try:
            line.request("GET", f"{page}stream?{query}", headers={"Connection": "close"})  # it closes with the answer
            return line.getresponse()
        except (OSError, http.client.HTTPException):
            line.close()
            raise

    def _hear(self, page: str, answer: http.client.HTTPResponse) -> None:
        """Read a page's stream until the server stops. A stream that is too slow is ended, and reconnects as pages
        do."""
        with suppress(OSError, http.client.HTTPException):
            while answer.status == 200:
                with answer:
                    while line := answer.readline():
                        if line.startswith(b"id: "):
                            with self._told:
                                self.last[page] = line[4:].strip().decode()
                                self._told.notify_all()
                answer = self._open(page)

    def wait(self, page: str, message: str, seconds: float) -> None:
        """Wait until the given message is the page's last one."""
        late = time.monotonic() + seconds
        with self._told:
            while self.last[page] != message:
                assert self._told.wait(late - time.monotonic()), (page, self.last[page], message)
