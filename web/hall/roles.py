"""The roles in a hall: their rights, their passwords, and the signed cookies that remember a role.

A hall that only its own machine can reach has no passwords: its user is the organiser. Otherwise each role has a
password, and a higher role may do all that a lower one may. Viewers use HTTP: their password protects only what they
see. Judges and organisers use HTTPS, so that nobody in the network can read along.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ParamSpec, TypeVar

import msgspec
from flask import Response, current_app, request
from itsdangerous import BadData, URLSafeSerializer
from werkzeug.wrappers import Response as BaseResponse

from companion.devices.hall_link.joining import ALIKE, ALPHABET
from companion.files.atomic_file import replace_file
from web.security.client_network import client_network, request_address

VIEWER, JUDGE, ORGANISER = "viewer", "judge", "organiser"
ROLES = (VIEWER, JUDGE, ORGANISER)
"""From the lowest to the highest."""
COOKIE, SECURE_COOKIE = "hall", "__Host-hall"
"""The cookies of a viewer and of a higher role. Browsers accept and send the second over HTTPS only."""
SESSION_S = 14 * 24 * 3600
"""Seconds that browsers keep a role."""
FILE = "passwords.json"
GROUP, GROUPS = 4, 2
"""Letters per group, and groups per password. In the alphabet of codes they make 37 bits; guesses are limited."""
COST = {"n": 2**14, "r": 8, "p": 1}
"""scrypt's parameters: 16 MB and a twentieth of a second."""
P = ParamSpec("P")
R = TypeVar("R")


class RoleMissing(Exception):
    """A request needs a higher role."""

    def __init__(self, role: str) -> None:
        super().__init__(role)
        self.role = role


class StoredPasswords(msgspec.Struct, frozen=True):
    """The password file: the salt, each role's hash, and the secret that signs cookies."""

    salt: bytes
    secret: bytes
    hashes: Mapping[str, bytes] = {}


class RoleAccess:
    """Determines roles. Without passwords everybody is the organiser."""

    def __init__(self, stored: StoredPasswords) -> None:
        self._stored = stored
        self.secret = stored.secret
        generation = hashlib.sha256(msgspec.json.encode(stored.hashes)).hexdigest()[:8]
        self._signer = URLSafeSerializer(stored.secret, salt=f"hall role {generation}")

    @classmethod
    def unguarded(cls) -> RoleAccess:
        """Return access without restrictions, for a hall that only its own machine can reach."""
        return cls(StoredPasswords(b"", secrets.token_bytes(32)))

    @property
    def guarded(self) -> bool:
        """Whether there are passwords."""
        return bool(self._stored.hashes)

    def role_of(self, password: str) -> str:
        """Return the role that a password opens, empty for a wrong one. Takes a twentieth of a second."""
        hashed = hash_of(password, self._stored.salt)
        found = [role for role, each in self._stored.hashes.items() if hmac.compare_digest(each, hashed)]
        return found[0] if found else ""

    def session(self, role: str) -> str:
        """Return a role's cookie, unique to each browser; it becomes invalid with new passwords."""
        return str(self._signer.dumps(f"{role} {secrets.token_hex(8)}"))

    def role_in(self, cookie: str) -> str:
        """Return the role in a cookie; empty if there is none."""
        return self._read(cookie)[0] if self.guarded else ORGANISER

    def browser_in(self, cookie: str) -> str:
        """Return the browser that a cookie was issued to; empty for none or an older format."""
        return self._read(cookie)[1]

    def _read(self, cookie: str) -> tuple[str, str]:
        try:
            role, _, browser = str(self._signer.loads(cookie)).partition(" ")
        except BadData:
            return "", ""
        return (role, browser) if role in ROLES else ("", "")


def open_access(folder: Path, new: bool = False) -> tuple[RoleAccess, dict[str, str]]:
    """Return a hall's access, and the passwords made now (`new`, or because they were lost) by role; raise
    `OSError`.
    """
    file = folder / FILE
    if not new:
        try:
            stored = msgspec.json.decode(file.read_bytes(), type=StoredPasswords)
        except (FileNotFoundError, msgspec.DecodeError, UnicodeDecodeError):
            pass
        else:
            if set(stored.hashes) == set(ROLES) and len(stored.secret) >= 32:
                return RoleAccess(stored), {}
    made = {role: new_password() for role in ROLES}
    salt = secrets.token_bytes(16)
    stored = StoredPasswords(salt, secrets.token_bytes(32), {role: hash_of(made[role], salt) for role in ROLES})
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(file, msgspec.json.encode(stored).decode(), 0o600)
    return RoleAccess(stored), made


def new_password() -> str:
    """Return a new password, as `K7F3-QD9R`."""
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(GROUP)) for _ in range(GROUPS))


def hash_of(password: str, salt: bytes) -> bytes:
    """Return a password's hash, ignoring grouping and case."""
    letters = unicodedata.normalize("NFKC", password[:100]).upper().translate(ALIKE)
    plain = "".join([letter for letter in letters if letter in ALPHABET])
    return hashlib.scrypt(plain.encode(), salt=salt, dklen=32, **COST)


# --- in a request ---------------------------------------------------------------------------------


def current_role() -> str:
    """Return the requester's role; empty for none. Over HTTP a guarded hall grants only the viewer's role."""
    access: RoleAccess = current_app.extensions["hall"].access
    role = access.role_in(request.cookies.get(SECURE_COOKIE, "")) if request.is_secure or not access.guarded else ""
    if role:
        return role
    return VIEWER if access.role_in(request.cookies.get(COOKIE, "")) == VIEWER else ""


def give_role(answer: BaseResponse, role: str) -> None:
    """Make the browser remember a role."""
    access: RoleAccess = current_app.extensions["hall"].access
    secure = role != VIEWER
    answer.set_cookie(
        SECURE_COOKIE if secure else COOKIE, access.session(role), max_age=SESSION_S, httponly=True, samesite="Lax",
        secure=secure,
    )  # fmt: skip


def take_roles(answer: Response) -> None:
    """Make the browser forget its role."""
    answer.delete_cookie(COOKIE)
    if request.is_secure:
        answer.delete_cookie(SECURE_COOKIE, secure=True)


def current_sender() -> str:
    """Return the name of the quota that a request uses: the browser's with a signed cookie, else its network's."""
    access: RoleAccess = current_app.extensions["hall"].access
    cookie = request.cookies.get(SECURE_COOKIE) or request.cookies.get(COOKIE, "")
    return access.browser_in(cookie) or client_network(request_address())


def is_trusted() -> bool:
    """Whether the requester is a proven judge or organiser: some capacity is reserved for them."""
    access: RoleAccess = current_app.extensions["hall"].access
    return access.guarded and has_role(JUDGE)


def has_role(role: str) -> bool:
    """Whether the requester has this role or a higher one."""
    current = current_role()
    return bool(current) and ROLES.index(current) >= ROLES.index(role)


def require(role: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator for views that require at least this role; they raise `RoleMissing`."""

    def decorate(view: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(view)
        def checked(*args: P.args, **fields: P.kwargs) -> R:
            if not has_role(role):
                raise RoleMissing(role)
            return view(*args, **fields)

        return checked

    return decorate
