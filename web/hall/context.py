"""What the views of a running hall share."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import current_app

from companion.hall.approval import TableApproval
from companion.hall.hall import Hall
from companion.i18n import Words
from companion.ops.network_address import own_address, page_address
from companion.threads.quotas import Quotas, Rate, Turns
from web.forms import Drafts
from web.hall.feeds import HallFeeds
from web.hall.roles import RoleAccess
from web.hall.settings import PORT
from web.security.csrf import FormTokens
from web.security.host_names import HostNames
from web.security.rate_limits import PLAYER, Rates
from web.words import language, words

GUESSES = Rate(60, 0.5)
"""Wrong passwords of one address; the phones of 300 people may be behind it. There are 37 bits to guess."""
HASHING, HASHING_EACH, HASHING_KEPT = 6, 3, 2
"""Passwords that may wait to be hashed, of one address, and further ones of judges and organisers."""
JOINING = Rate(600, 150)
"""Messages of tables that join, from one address: each asks every second or two, and 300 may be behind it."""
CROWD = Rate(900, 30)
"""Forms from one address without a password, of 300 phones behind it."""
WORDS, ALL_WORDS = Rate(6, 1 / 30), Rate(300, 0.5)
"""What one address may say for one player, so often is a code tried; and for all: 300 phones may be behind a router."""


class HallContext:
    """A hall, who may do what, and what its open pages are sent.

    Without an `approval` no table can join; without `access` everybody may do everything.
    """

    def __init__(
        self,
        hall: Hall,
        approval: TableApproval | None = None,
        access: RoleAccess | None = None,
        address: str = "",
        port: int = PORT,
        names: tuple[str, ...] = (),
        secure: int | str = 0,
    ) -> None:
        """`address` is how browsers reach the pages (empty: our own, at `port`); `names` are further host names.

        `secure` is the port of our pages over HTTPS (0: none), or the address of a proxy that speaks it.
        """
        self.hall, self.approval, self.access = hall, approval, access or RoleAccess.unguarded()
        self.forms = FormTokens(self.access.secret)
        self.rates = Rates(PLAYER, CROWD)
        self.guesses, self.hashing = Quotas(GUESSES), Turns(HASHING, HASHING_EACH, HASHING_KEPT)
        self.joining = Rates(address=JOINING)
        self.words = Rates(WORDS, ALL_WORDS)
        self.feeds = HallFeeds()
        self.lists = Drafts()
        """Lists of players that are being looked at."""
        self.broker_fault = ""
        """What is wrong with the broker's program, as an English sentence."""
        self._address, self._port, self._secure = address.rstrip("/"), port, secure
        named = [host for each in (address, secure) if isinstance(each, str) and (host := urlsplit(each).hostname)]
        self.hosts = HostNames((*names, *named))

    def first_page(self) -> str:
        """Return the address of the pages, for other devices, with a slash at the end."""
        return f"{self._address}/" if self._address else page_address(own_address(), self._port)

    def secure_page(self, host: str) -> str:
        """Return the pages' address over HTTPS for a browser that has asked for this host; empty if there is none."""
        if isinstance(self._secure, str) or not self._secure:
            return self._secure or ""
        name = urlsplit(f"//{host}").hostname or ""
        return f"https://{f'[{name}]' if ':' in name else name}:{self._secure}"


def hall_context() -> HallContext:
    """Return the context of the running application."""
    found: HallContext = current_app.extensions["hall"]
    return found


def hall() -> Hall:
    """Return the running hall."""
    return hall_context().hall


def say() -> Words:
    """Return the reader's words."""
    return words(language())
