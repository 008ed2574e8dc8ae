"""The camera's entries, questions and unexplained findings in words; all of it is public on the table."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import msgspec

from companion.engine import (
    follow,
    rule,
    seat_of,
)
from companion.engine.layout import ON_BOARD
from companion.i18n import Words
from companion.mechanics.telling import AnyTeller
from companion.table.sight_records import Explanation, LayoutMismatch
from companion.table.snapshot import Snapshot
from web.presenters.board_words import piece_title
from web.presenters.camera_status import place_name
from web.presenters.match_log import players_of
from web.presenters.token_notices import ClaimText, NoticeText, claim_texts, notice_texts

Say = Callable[[str], str]


class SightChoice(msgspec.Struct, frozen=True):
    """One of several possible explanations. A page sends `mark` to choose it."""

    mark: str
    sentences: tuple[str, ...]


class MismatchText(msgspec.Struct, frozen=True):
    """A mismatch at one place. `correction` says how to correct it; empty if nothing fits."""

    place: str
    sentence: str
    cards: tuple[str, ...]
    """The cards that should not lie there, by name in the deck."""
    correction: str = ""


class SightText(msgspec.Struct, frozen=True):
    """All findings of the camera in words."""

    active: bool = False
    waits: bool = False
    accepted: tuple[str, ...] = ()
    undo_to: int = 0
    """The record to return to on undo."""
    movers: tuple[int, ...] = ()
    """The seats whose moves were entered, and who may undo them."""
    choices: tuple[SightChoice, ...] = ()
    mismatches: tuple[MismatchText, ...] = ()
    barred: bool = False
    """Whether the table's layout is illegal. Until it is corrected, the camera enters nothing."""
    notices: tuple[NoticeText, ...] = ()
    claims: tuple[ClaimText, ...] = ()
    tokens: bool = False
    """Whether the camera reads token places; if not, people type sums."""


def explanation_mark(explanation: Explanation) -> str:
    """Return a short digest that identifies an explanation."""
    return hashlib.sha256(msgspec.json.encode(explanation)).hexdigest()[:16]


def sight_text(
    snapshot: Snapshot,
    say: Words,
    teller: AnyTeller,
    lines: Callable[[int], list[str]],
) -> SightText:
    """Return findings in words. `lines` returns the camera's entries after a record, the earliest first."""
    sight = snapshot.sight
    if snapshot.setup is None or snapshot.state is None or not sight.active:
        return SightText()
    accepted: tuple[str, ...] = ()
    movers: tuple[int, ...] = ()
    if sight.accepted is not None:
        accepted = tuple(lines(sight.accepted.undo_to))
        seats = [seat_of(event) for event in sight.accepted.events]
        movers = tuple(sorted({seat for seat in seats if isinstance(seat, int)}))
    all_told = [(each, supposed_sentences(snapshot, each, say, teller)) for each in sight.choices]
    choices = tuple([SightChoice(explanation_mark(each), told) for each, told in all_told if told])
    mismatches = tuple([mismatch_text(snapshot, each, say, teller) for each in sight.mismatches])
    barred = any(each.fault is not None for each in sight.mismatches)
    undo_to = sight.accepted.undo_to if sight.accepted else 0
    notices, claims = notice_texts(snapshot, say), claim_texts(snapshot, say, teller)
    return SightText(
        True, sight.waits, accepted, undo_to, movers, choices, mismatches, barred, notices, claims, sight.tokens
    )


def supposed_sentences(snapshot: Snapshot, explanation: Explanation, say: Words, teller: AnyTeller) -> tuple[str, ...]:
    """Return an explanation's events as the log would word them; () if the table has moved on."""
    assert snapshot.setup is not None
    state, players = snapshot.state, players_of(snapshot)
    table = state.table if state is not None else None
    told: list[str] = []
    for event in explanation:
        if state is None or not state.agenda or rule(snapshot.game, state, event) is not None:
            return ()
        state = follow(snapshot.game, state, event)
        told += teller.tell(event, state.effects, players, say, False, table)
    return tuple(told)


def mismatch_text(snapshot: Snapshot, mismatch: LayoutMismatch, say: Words, teller: AnyTeller) -> MismatchText:
    """Return a mismatch at a place in one sentence, with its correction."""
    assert snapshot.setup is not None and snapshot.state is not None
    players, table = players_of(snapshot), snapshot.state.table
    where = place_name(mismatch.place, players, say)
    on_board = mismatch.place.startswith(ON_BOARD)

    def card(name: str) -> str:
        return piece_title(name, players, say) if on_board else teller.card_name(name, say, table)

    extra, missing = list_cards(mismatch.extra, say, card), list_cards(mismatch.missing, say, card)
    fields = {"where": where, "extra": extra, "missing": missing}
    if mismatch.fault is not None:
        fault = mismatch.fault
        name = players[fault.seat].name if fault.seat is not None else ""
        cards = list_cards(fault.cards, say, card)
        besides = ", ".join([place_name(place, players, say) for place in fault.besides])
        told = {"name": name, "cards": cards, "number": fault.number, "where": where, "besides": besides}
        sentence = say(f"fault.{fault.key}", **told)
    elif mismatch.extra and mismatch.missing:
        sentence = say.plural("sight.other", len(mismatch.extra), **fields)
    elif mismatch.extra:
        sentence = say.plural("sight.extra", len(mismatch.extra), **fields)
    elif mismatch.missing and mismatch.seen.unnamed:
        sentence = say.plural("sight.unnamed", len(mismatch.missing), **fields)
    elif mismatch.missing:
        sentence = say.plural("sight.missing", len(mismatch.missing), **fields)
    elif more := mismatch.seen.down - mismatch.expected.down:
        sentence = say.plural("sight.down_extra" if more > 0 else "sight.down_missing", abs(more), where=where)
    elif mismatch.seen.unnamed:
        sentence = say.plural("sight.unknown", mismatch.seen.unnamed, where=where)
    else:
        sentence = say("sight.strange", where=where)
    correction = ""
    if mismatch.correction is not None:
        correction = " ".join(teller.tell(mismatch.correction.event, (), players, say, False, table)) or say(
            "sight.right_to", card=extra
        )
    return MismatchText(mismatch.place, sentence[:1].upper() + sentence[1:], mismatch.extra, correction)


def list_cards(cards: tuple[str, ...], say: Words, card: Say) -> str:
    """Return cards as a list for screen readers; empty for none."""
    names = [card(each) for each in cards]
    if len(names) < 2:
        return "".join(names)
    return say("sight.and", first=", ".join(names[:-1]), last=names[-1])
