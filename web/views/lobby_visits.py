"""The requesting device in the lobby: its host's, a person's, a shared tablet or an onlooker's."""

from __future__ import annotations

from typing import Literal, NamedTuple

from flask import Response, request

from web.context import context
from web.lobby.record import Lobby, Person
from web.security import known_devices
from web.security.access import Viewer, digest
from web.views import responses, viewer_pages

LobbyRole = Literal["host", "person", "table", "watch"]


class LobbyVisit(NamedTuple):
    """One device in the lobby: its role, its owner, and the lobby."""

    role: LobbyRole
    lobby: Lobby
    person: Person | None


def find_visit(token: str) -> LobbyVisit | None:
    """Return the device with this token in the lobby that waits for people; None for an unknown token."""
    lobby, keeper = context().lobby.waiting, context().lobby
    if lobby is None or not token:
        return None
    hashed = digest(token)
    if hashed == lobby.host:
        keeper.see_host()
        return LobbyVisit("host", lobby, lobby.person(digest(context().access.own_seat(token))))
    person = lobby.person(hashed)
    if person is not None:
        return LobbyVisit("person", lobby, person)
    if hashed in lobby.tablets:
        return LobbyVisit("table", lobby, None)
    return LobbyVisit("watch", lobby, None) if context().access.watches(token, lobby.id) else None


def require_visit(*roles: LobbyRole) -> LobbyVisit:
    """Return the requesting device; raise `PageGone` for an unknown one."""
    found = find_visit(viewer_pages.page_token())
    if found is None or found.role not in roles:
        raise responses.PageGone("lobby.gone")
    return found


def begun_page(token: str) -> Response | None:
    """Return the path to a lobby device's page in the match that began there; None if it has none.

    The device on which the host plays has two pages. Its seat's comes first, because the first question appears there.
    """
    match = context().snapshot().match_id
    lobby = context().lobby.last
    if lobby is None or not match or lobby.match != match:
        return None
    viewer, own = context().viewer(token), context().access.own_seat(token)
    if viewer is None:
        return None
    seat = context().viewer(own) if viewer.role == "host" else None
    if seat is None:
        return viewer_pages.redirect_to_page(viewer, token)
    viewer_pages.remember_page(viewer, token)
    return viewer_pages.redirect_to_page(seat, own)


def to_lobby(token: str) -> Response:
    """Redirect a device to its page in the lobby, and let it remember the page and the room."""
    lobby = context().lobby.waiting
    if lobby is not None:
        known_devices.remember(context().access.room_door(lobby.id, lobby.room))
    known_devices.remember_page("l", token)
    return responses.redirect_to(f"/l/{token}/")


def is_in_lobby_room(lobby: Lobby) -> bool:
    """Whether this browser has entered the lobby's room: it has the mark, which cannot be forged."""
    return context().access.room_door(lobby.id, lobby.room).mark in known_devices.marks()


def own_page(letter: str) -> str:
    """Return the address of this browser's page (`l`: lobby, `s`: its seat, `h`: the host's), or empty."""
    token = known_devices.own_pages().get(letter, "")
    if letter == "l":
        return f"/l/{token}/" if find_visit(token) is not None and request.path != f"/l/{token}/" else ""
    viewer = context().viewer(token) if token else None
    return f"/{letter}/{token}/" if viewer is not None and is_fit(viewer, letter) else ""


def is_fit(viewer: Viewer, letter: str) -> bool:
    """Whether a browser's stored token is still valid for its page."""
    return viewer.role == viewer_pages.ROLE_OF[letter] and not viewer.under
