"""The exchange by which a table joins a hall with a short code: both ends, without the network.

The organiser's page shows a code of six characters; somebody types it at the table. Both ends agree on keys by SPAKE2,
so that an eavesdropper cannot test codes offline, and a man in the middle gets one guess per code typed. Three
messages, each a POST of JSON with its own answer:

1. opening: the table's SPAKE2 message; the answer has the hall's, and the exchange's id;
2. confirmation: the proof that the table has the same key, and its sealed request, with the table's signature of the
   exchange; the answer is a sealed verdict;
3. poll, again and again until the organiser has decided: the answer is a sealed verdict, with the grant at the end.

The counter is the nonce of a message and of its answer; one key per direction prevents replay.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import msgspec

from companion.devices.hall_link.messages import IDS, VERSION, fits
from companion.devices.hall_link.signing import TableKey, framed

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    from spake2 import SPAKE2_A, SPAKE2_B

PURPOSE = b"table-companion hall join 1"
ALPHABET = "2346789ACDEFHJKMNPQRTVWXY"
"""The characters of codes: at most one from each group that look alike."""
ALIKE = str.maketrans("BGUZ", "86V2")
"""The likely meaning of a character that no code contains. 0 and O may be D or Q; I, L, 1, S and 5 are ambiguous."""
CODE_LENGTH = 6
SINGLE, AGAIN = -1, 0
"""Replacements for a table's number: the code shown for one table, and the code for tables that were here before."""
REQUEST_BYTES, CA_BYTES = 4 * 1024, 16 * 1024
"""The largest message of a table, and the largest certificate in a grant."""
WAITING, APPROVED, REFUSED = "waiting", "approved", "refused"
FAULTS = {
    "hall.fault.unreadable": 400,
    "hall.fault.tampered": 400,
    "hall.fault.wrong_code": 403,
    "hall.fault.not_known": 403,
    "hall.fault.unknown_exchange": 404,
    "hall.fault.wrong_order": 409,
    "hall.fault.code_ended": 410,
    "hall.fault.too_large": 413,
    "hall.fault.busy": 429,
}
"""Faults that a hall may answer, with the HTTP status. Only the table itself says `hall.fault.not_a_hall`,
`hall.fault.code_letter` and `hall.fault.code_length`."""
KeyFor = Callable[[str], TableKey]
T = TypeVar("T")


class JoinError(ValueError):
    """Why joining fails, by its key in the words, with the fields of its sentence. Never holds a secret."""

    def __init__(self, key: str, **fields: str) -> None:
        super().__init__(key)
        self.key, self.fields = key, fields


class JoinRequest(msgspec.Struct, frozen=True):
    """A table's request for admission under a name, with its public key (32 bytes, Ed25519)."""

    public: bytes
    name: str
    version: int = VERSION
    signature: bytes = b""
    """The proof that the key is the table's own. Older tables send none, and are asked to update."""


class JoinGrant(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a table needs to enter the hall. Its `repr` leaves the password out."""

    hall: str
    """The hall's id."""
    hall_name: str
    table: str
    """The table's id."""
    host: str = ""
    """The broker's host; empty: the hall's own."""
    port: int
    tls: bool
    ca_pem: str = ""
    """The certificate of the authority that vouches for the broker."""
    user: str
    password: str

    def __repr__(self) -> str:
        return f"JoinGrant(hall={self.hall!r}, table={self.table!r})"


class JoinVerdict(msgspec.Struct, frozen=True):
    """The organiser's decision: `waiting` (not decided yet), `approved` with a grant, or `refused`."""

    state: str
    grant: JoinGrant | None = None


class JoinOpening(msgspec.Struct, frozen=True, tag_field="step", tag="opening"):
    """The table's SPAKE2 message, 33 bytes, and the number of the hall's code: a table's number, or `SINGLE`."""

    message: bytes
    number: int = SINGLE


class JoinConfirmation(msgspec.Struct, frozen=True, tag_field="step", tag="confirmation"):
    """The proof that the table has the same key, and its sealed `JoinRequest`."""

    exchange: str
    proof: bytes
    sealed: bytes


class JoinPoll(msgspec.Struct, frozen=True, tag_field="step", tag="poll"):
    """A question for the verdict, with its count."""

    exchange: str
    count: int
    sealed: bytes


class JoinAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """Any answer of a hall: exchange, message and the hall's id, or a sealed record, or a fault."""

    exchange: str = ""
    message: bytes = b""
    sealed: bytes = b""
    fault: str = ""
    hall: str = ""


class JoinChannel:
    """The common state of both ends of an exchange: transcript, proof of the key, and a cipher for each direction."""

    def __init__(self, shared: bytes, exchange: str, table: bytes, hall: bytes) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        self.transcript = transcript = framed(PURPOSE, exchange.encode(), table, hall)
        keys = HKDF(algorithm=SHA256(), length=96, salt=hashlib.sha256(transcript).digest(), info=PURPOSE).derive(
            shared
        )
        self.proof = hmac.digest(keys[:32], transcript, "sha256")
        self.to_hall, self.to_table = ChaCha20Poly1305(keys[32:64]), ChaCha20Poly1305(keys[64:])


def seal(cipher: ChaCha20Poly1305, count: int, content: object) -> bytes:
    """Return a record that only the other end can read. Use each count only once per cipher."""
    sealed: bytes = cipher.encrypt(count.to_bytes(12, "big"), msgspec.json.encode(content), None)
    return sealed


def unseal(cipher: ChaCha20Poly1305, count: int, sealed: bytes, kind: type[T]) -> T:
    """Return a sealed record; raise `JoinError` if another sender sealed it or it cannot be read."""
    from cryptography.exceptions import InvalidTag

    try:
        content: bytes = cipher.decrypt(count.to_bytes(12, "big"), sealed, None)
    except (InvalidTag, ValueError, OverflowError):
        raise JoinError("hall.fault.tampered") from None
    return decode_step(content, kind)


def decode_step(body: bytes, kind: type[T], fault: str = "hall.fault.unreadable") -> T:
    """Return the record in a message; raise `JoinError` with this fault if there is none."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise JoinError(fault) from None  # the cause would quote the message


def agree(side: SPAKE2_A | SPAKE2_B, message: bytes) -> bytes:
    """Return the key that follows from the other end's SPAKE2 message; both keys agree if the codes do."""
    if len(message) != 33:
        raise JoinError("hall.fault.unreadable")
    try:
        shared: bytes = side.finish(message)
    except Exception:  # for invalid points, spake2 raises several kinds without a common base
        raise JoinError("hall.fault.unreadable") from None
    return shared


def read_code(text: str) -> tuple[int, str]:
    """Return the number of a code and its characters; raise `JoinError` for a text that is no code.

    A code on a printed sheet begins with its table's number (`12-K7-F3QD`), the one for former tables with 0.
    """
    letters = unicodedata.normalize("NFKC", text).upper()
    typed = "".join(each for each in letters if unicodedata.category(each) not in ("Pd", "Zs", "Cc", "Cf"))
    number, code = typed[:-CODE_LENGTH], typed[-CODE_LENGTH:].translate(ALIKE)
    strange = [letter for letter in code if letter not in ALPHABET]
    if strange:
        raise JoinError("hall.fault.code_letter", letter=strange[0])
    if len(code) != CODE_LENGTH or not re.fullmatch("[0-9]{0,4}", number):
        raise JoinError("hall.fault.code_length")
    return int(number or SINGLE), code


HOST = re.compile(r"[A-Za-z0-9.:_-]{0,253}")


def check_grant(grant: JoinGrant) -> None:
    """Raise `JoinError` if a grant is impossible."""
    texts = (grant.hall, grant.hall_name, grant.user, grant.password)
    if not (
        all(fits(text, 200) for text in texts)
        and IDS.fullmatch(grant.table)
        and HOST.fullmatch(grant.host)
        and 0 < grant.port < 2**16
        and len(grant.ca_pem) <= CA_BYTES
        and grant.ca_pem.isascii()
    ):
        raise JoinError("hall.fault.unreadable")


class JoiningTable:
    """The table's end of one exchange. `key_for` returns its key for a hall's id (empty for an older hall)."""

    def __init__(self, code: str, name: str, key_for: KeyFor) -> None:
        from spake2 import SPAKE2_A  # prepares its curve, which only a joining table needs

        self._number, letters = read_code(code)
        self._side = SPAKE2_A(letters.encode(), idA=PURPOSE + b" table", idB=PURPOSE + b" hall")
        self._message: bytes = self._side.start()
        self._name, self._key_for = name, key_for
        self.public = b""
        """The table's key for this hall, once the hall has named itself."""
        self._exchange, self._hall, self._count = "", "", 0
        self._channel: JoinChannel | None = None

    def opening(self) -> bytes:
        """Return the first message."""
        return msgspec.json.encode(JoinOpening(self._message, self._number))

    def confirmation(self, answer: bytes) -> bytes:
        """Return the second message, given the first one's answer; raise `JoinError` if that is unusable."""
        if self._channel is not None:
            raise JoinError("hall.fault.wrong_order")
        opened = _read_answer(answer)
        if not re.fullmatch(r"[0-9a-f]{16}", opened.exchange) or not fits(opened.hall, 200):
            raise JoinError("hall.fault.not_a_hall")
        shared = agree(self._side, opened.message)
        self._exchange, self._hall = opened.exchange, opened.hall
        self._channel = JoinChannel(shared, opened.exchange, self._message, opened.message)
        key = self._key_for(opened.hall)
        self.public = key.public
        request = JoinRequest(key.public, self._name, signature=key.prove(self._channel.transcript, opened.hall))
        sealed = seal(self._channel.to_hall, 0, request)
        return msgspec.json.encode(JoinConfirmation(self._exchange, self._channel.proof, sealed))

    def poll(self) -> bytes:
        """Return the next message that asks for the verdict; raise `JoinError` before the confirmation."""
        if self._channel is None:
            raise JoinError("hall.fault.wrong_order")
        self._count += 1
        sealed = seal(self._channel.to_hall, self._count, None)
        return msgspec.json.encode(JoinPoll(self._exchange, self._count, sealed))

    def verdict(self, answer: bytes) -> JoinVerdict:
        """Return the verdict in the answer to the last message; raise `JoinError` if it is not the hall's."""
        if self._channel is None:
            raise JoinError("hall.fault.wrong_order")
        verdict = unseal(self._channel.to_table, self._count, _read_answer(answer).sealed, JoinVerdict)
        if verdict.state not in (WAITING, APPROVED, REFUSED) or (verdict.state == APPROVED) != bool(verdict.grant):
            raise JoinError("hall.fault.unreadable")
        if verdict.grant is not None:
            check_grant(verdict.grant)
            # The key belongs to another hall.
            if self._hall not in ("", verdict.grant.hall):
                raise JoinError("hall.fault.unreadable")
        return verdict


def _read_answer(body: bytes) -> JoinAnswer:
    """Return a hall's answer; raise `JoinError` for a fault in it, and for an answer that is not a hall's."""
    answer = decode_step(body, JoinAnswer, "hall.fault.not_a_hall")
    if answer.fault or not (answer.message or answer.sealed):
        raise JoinError(answer.fault if answer.fault in FAULTS else "hall.fault.not_a_hall")
    return answer
