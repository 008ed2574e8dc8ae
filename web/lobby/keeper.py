"""Keeps the table's lobby. There is one at a time; it is stored before anybody sees it, so that it survives a
restart.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec
from msgspec.structs import replace

from companion.table.session import Keeps
from web.lobby.record import Lobby, Person, changed
from web.security.access import Access, Viewer, digest
from web.security.credentials import Credentials, room_pin

KEY = "web.lobby"
"""The key of the stored lobby."""
MOST_TABLETS = 16
"""The most shared tablets of one lobby; a further one ends the oldest."""
AWAY = 120.0
"""Seconds without the host's page after which others may close the lobby."""


class NoLobby(Exception):
    """No lobby is waiting for people, or it has ended."""


class LobbyKeeper:
    """The lobby of a table. Any thread may call it; `clock` gives monotonic seconds."""

    def __init__(self, access: Access, clock: Callable[[], float] = time.monotonic) -> None:
        self.access = access
        self.clock = clock
        self._lock = threading.RLock()
        self._host_seen = clock()
        text = access.store.read_value(KEY)
        try:
            self._lobby = msgspec.json.decode(text, type=Lobby) if text else None
        except msgspec.DecodeError:  # stored by a newer companion
            self._lobby = None

    @property
    def last(self) -> Lobby | None:
        """The lobby that waits for people, else the one that started the last match."""
        return self._lobby

    @property
    def waiting(self) -> Lobby | None:
        """The lobby that waits for people."""
        found = self._lobby
        return found if found is not None and not found.match else None

    def open(self, game: str, people: tuple[Person, ...] = (), before: tuple[Person, ...] = ()) -> str:
        """Open a lobby in place of the last one, and return its host's token; `before` are the previous players."""
        token = secrets.token_urlsafe(32)
        lobby = Lobby(f"lobby-{secrets.token_hex(8)}", game, room_pin(), digest(token), people, before=before)
        with self._lock:
            self._keep(lobby)
            self._host_seen = self.clock()
        return token

    def change(self, make: Callable[[Lobby], Lobby]) -> Lobby:
        """Change the lobby that waits for people, and return it; raise `NoLobby` if there is none."""
        with self._lock:
            if (lobby := self.waiting) is None:
                raise NoLobby
            changed_lobby = make(lobby)
            self._keep(changed_lobby)
            return changed_lobby

    def close(self) -> None:
        """End the lobby that waits for people: its devices lose their place."""
        with self._lock:
            if self.waiting is not None:
                self._keep(None)

    def close_for(self, match: str) -> None:
        """End the lobby if a match other than its own is on the table."""
        if self.waiting is not None and match:
            self.close()

    @contextmanager
    def held(self) -> Iterator[Lobby]:
        """Yield the lobby that waits for people, locked against changes; raise `NoLobby` if there is none."""
        with self._lock:
            if (lobby := self.waiting) is None:
                raise NoLobby
            yield lobby

    def begin(self, lobby: Lobby, lay: Callable[[Keeps], object]) -> None:
        """Begin a lobby's match by calling `lay`, in one commit with everybody's access. Raise `NoLobby` if the
        lobby changed.
        """
        begun: list[Lobby] = []

        def also(match: str) -> dict[str, bytes]:
            begun.append(replace(lobby, match=match, changes=lobby.changes + 1))
            return {KEY: msgspec.json.encode(begun[-1])}

        with self._lock:
            if self.waiting is not lobby:
                raise NoLobby
            self.access.begin_with(credentials_of(lobby), lay, also)
            self._lobby = begun[-1]

    def _keep(self, lobby: Lobby | None) -> None:
        self.access.store.keep_all({KEY: None if lobby is None else msgspec.json.encode(lobby)})
        self._lobby = lobby

    # --- the requesting device --------------------------------------------------------------------

    def see_host(self) -> None:
        """Record that the host's page is open."""
        self._host_seen = self.clock()

    @property
    def host_is_away(self) -> bool:
        """Whether the host's page has been closed for a while."""
        return self.clock() - self._host_seen > AWAY

    def add_tablet(self) -> str:
        """Make a device a shared tablet, and return its token."""
        token = secrets.token_urlsafe(32)
        self.change(
            lambda now: replace(changed(now, now.people), tablets=(*now.tablets, digest(token))[-MOST_TABLETS:])
        )
        return token


def credentials_of(lobby: Lobby) -> Credentials:
    """Return the initial access for a lobby's match: its devices have their pages, and nobody is asked for a PIN."""
    tokens = {hashed: Viewer("table", "") for hashed in lobby.tablets} | {lobby.host: Viewer("host", "")}
    seats = dict(enumerate(lobby.people))
    tokens |= {each.token: Viewer("seat", "", seat) for seat, each in seats.items() if each.token}
    return Credentials(
        lobby.room,
        "",
        pins={seat: each.pin for seat, each in seats.items() if each.token or each.pin},
        tokens=tokens,
        bots=tuple([seat for seat, each in seats.items() if each.device == "bot"]),
        tablet=tuple([seat for seat, each in seats.items() if each.device == "tablet"]),
        spectators=lobby.id,
    )
