"""Findings about tokens in words: notices for all, claims and reasons for one seat only."""

from __future__ import annotations

import hashlib

import msgspec

from companion.engine import Event, Player, Seat, rule, seat_of
from companion.engine.token_rules import MONEY_PLACE
from companion.i18n import Words
from companion.mechanics.telling import AnyTeller, capital, format_money
from companion.table.cues import tokens_readable
from companion.table.sight_records import TokenNotice
from companion.table.snapshot import Snapshot
from web.presenters.camera_status import place_name
from web.presenters.match_log import players_of, table_of

IN_ORDER = ("take_back", "open_hand")
"""Keys of notices that a seat may confirm to be in order, because the camera may not look."""
URGENT = ("open_hand", "take_back", "put_back", "spread", "edge", "hands", "less", "again")
"""Notices that a seat must act on before play can go on."""


class NoticeText(msgspec.Struct, frozen=True):
    """One sentence about tokens. If it concerns one `seat`, pages of other seats leave it out."""

    key: str
    seat: int | None
    sentence: str
    urgent: bool = False
    unseen: bool = False
    """Whether the camera may not look at the place now; then the seat confirms it."""
    amount: int = 0


class ClaimText(msgspec.Struct, frozen=True):
    """A claim suggested by a seat's tokens, identified by `mark`; for its own page, as it may depend on hidden
    tokens.
    """

    mark: str
    seat: int | None
    sentence: str


def claim_mark(claim: Event) -> str:
    """Return a short digest that identifies a claim."""
    return hashlib.sha256(msgspec.json.encode(claim)).hexdigest()[:16]


def notice_texts(snapshot: Snapshot, say: Words) -> tuple[NoticeText, ...]:
    """Return the notices in words, the most urgent first."""
    players, readable = players_of(snapshot), tokens_readable(snapshot).places
    return tuple([
        NoticeText(
            each.key,
            each.seat,
            notice_sentence(each, players, say),
            each.key in URGENT,
            each.key in IN_ORDER and each.place not in readable,
            each.amount,
        )
        for each in snapshot.sight.notices
    ])  # fmt: skip


def notice_sentence(notice: TokenNotice, players: tuple[Player, ...], say: Words) -> str:
    """Return a notice as one sentence, with variants for a place not for money and for one without a seat."""
    variant = "" if notice.seat is not None and notice.place.endswith(MONEY_PLACE) else "_elsewhere"
    key = f"tokens.{notice.key}"
    fields = {
        "name": players[notice.seat].name if notice.seat is not None else "",
        "where": place_name(notice.place, players, say),
        "amount": format_money(notice.amount, say.lang),
        "due": format_money(notice.due, say.lang),
    }
    return capital(say(key + variant if say.has(key + variant) else key, **fields))


def claim_texts(snapshot: Snapshot, say: Words, teller: AnyTeller) -> tuple[ClaimText, ...]:
    """Return the claims in words, without outdated ones."""
    players, state = players_of(snapshot), snapshot.state
    found = []
    for claim in snapshot.sight.claims:
        if state is None or not state.agenda or rule(snapshot.game, state, claim) is not None:
            continue
        sentence = teller.choice(claim, players, say, state.table)
        found.append(ClaimText(claim_mark(claim), seat_of(claim), sentence))
    return tuple(found)


def own_reason(snapshot: Snapshot, seat: int, say: Words, teller: AnyTeller) -> str:
    """Return why a seat's tokens were not accepted, for that seat's own page only; empty for no reason."""
    told = [
        teller.refused(why, players_of(snapshot), say, table_of(snapshot))
        for of, why in snapshot.sight.reasons
        if of == seat and why.audience in (None, Seat(seat))
    ]
    return " ".join(told)
