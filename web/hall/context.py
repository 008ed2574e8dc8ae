"""The objects that the views of a running hall share."""

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
"""Wrong passwords per address. The phones of 300 people may share one; a password has 37 bits."""
HASHING, HASHING_EACH, HASHING_KEPT = 6, 3, 2
"""Passwords that may queue for hashing per address, and an extra number for judges and organisers."""
JOINING = Rate(600, 150)
"""Messages per address from joining tables. Each asks every second or two, and 300 tables may share an address."""
CROWD = Rate(900, 30)
"""Forms per address without a password; the phones of 300 people may share one."""
WORDS, ALL_WORDS = Rate(6, 1 / 30), Rate(300, 0.5)
"""Reports per address about one player, which also limits guesses of a code, and reports in total. The phones of 300
people may share a router.
"""


class HallContext:
    """A hall, its access rules, and the feeds of its open pages.

    Without an `approval` no table can join. Without `access` everybody may do everything.
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
        """`address` is how browsers reach the pages (empty: our own, with `port`); `names` are further host names.

        `secure` is our HTTPS port (0: none), or the address of a proxy that serves HTTPS.
        """
        self.hall, self.approval, self.access = hall, approval, access or RoleAccess.unguarded()
        self.forms = FormTokens(self.access.secret)
        self.rates = Rates(PLAYER, CROWD)
        self.guesses, self.hashing = Quotas(GUESSES), Turns(HASHING, HASHING_EACH, HASHING_KEPT)
        self.joining = Rates(address=JOINING)
        self.words = Rates(WORDS, ALL_WORDS)
        self.feeds = HallFeeds()
        self.lists = Drafts()
        """Player lists being previewed."""
        self.broker_fault = ""
        """The problem with the broker's executable, as an English sentence; empty if there is none."""
        self._address, self._port, self._secure = address.rstrip("/"), port, secure
        named = [host for each in (address, secure) if isinstance(each, str) and (host := urlsplit(each).hostname)]
        self.hosts = HostNames((*names, *named))

    def first_page(self) -> str:
        """Return the pages' address for other devices, ending in a slash."""
        return f"{self._address}/" if self._address else page_address(own_address(), self._port)

    def secure_page(self, host: str) -> str:
        """Return the pages' HTTPS address for a browser that requested this host; empty if there is none."""
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
    """Return the words of the reader's language."""
    return words(language())
