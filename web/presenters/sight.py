"""What the camera entered, asks and cannot explain, in words.

All of it lies on the table for everybody to see; nothing secret is part of it.
"""

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
from companion.table.sight_records import Explanation, LayoutMismatch
from companion.table.snapshot import Snapshot
from web.game_pages import GameTeller
from web.presenters.board import piece_title
from web.presenters.camera_status import place_name

Say = Callable[[str], str]


class SightChoice(msgspec.Struct, frozen=True):
    """One of several things that may have happened. A page sends `mark` to choose it."""

    mark: str
    sentences: tuple[str, ...]


class SightMisfit(msgspec.Struct, frozen=True):
    """A mismatch at one place. `right` says how it could be corrected; empty if nothing fits."""

    place: str
    sentence: str
    cards: tuple[str, ...]
    """The cards that should not lie there, by their names in the deck."""
    right: str = ""


class SightText(msgspec.Struct, frozen=True):
    """The whole sight in words."""

    active: bool = False
    waits: bool = False
    taken: tuple[str, ...] = ()
    undo_to: int = 0
    """The record to go back to when that is undone."""
    movers: tuple[int, ...] = ()
    """The seats whose moves were entered: they may undo them."""
    choices: tuple[SightChoice, ...] = ()
    odd: tuple[SightMisfit, ...] = ()
    barred: bool = False
    """Whether the table lies as no rule allows, so that nothing is entered until it is corrected."""


def explanation_mark(explanation: Explanation) -> str:
    """Return a short digest that identifies an explanation."""
    return hashlib.sha256(msgspec.json.encode(explanation)).hexdigest()[:16]


def sight_text(
    snapshot: Snapshot,
    say: Words,
    teller: GameTeller,
    lines: Callable[[int], list[str]],
) -> SightText:
    """Return a sight in words. `lines` returns what was entered by sight after a record, the earliest first."""
    sight = snapshot.sight
    if snapshot.setup is None or snapshot.state is None or not sight.active:
        return SightText()
    taken: tuple[str, ...] = ()
    movers: tuple[int, ...] = ()
    if sight.taken is not None:
        taken = tuple(lines(sight.taken.undo_to))
        seats = [seat_of(event) for event in sight.taken.events]
        movers = tuple(sorted({seat for seat in seats if isinstance(seat, int)}))
    all_told = [(each, supposed_sentences(snapshot, each, say, teller)) for each in sight.choices]
    choices = tuple([SightChoice(explanation_mark(each), told) for each, told in all_told if told])
    odd = tuple([misfit_text(snapshot, each, say, teller) for each in sight.odd])
    barred = any(each.fault is not None for each in sight.odd)
    return SightText(True, sight.waits, taken, sight.taken.undo_to if sight.taken else 0, movers, choices, odd, barred)


def supposed_sentences(snapshot: Snapshot, explanation: Explanation, say: Words, teller: GameTeller) -> tuple[str, ...]:
    """Return what an explanation says has happened, as the log would tell it; () where the table has moved on since."""
    assert snapshot.setup is not None
    state, players = snapshot.state, snapshot.setup.seated()
    table = state.table if state is not None else None
    told: list[str] = []
    for event in explanation:
        if state is None or not state.agenda or rule(snapshot.game, state, event) is not None:
            return ()
        state = follow(snapshot.game, state, event)
        told += teller.tell(event, state.effects, players, say, False, table)
    return tuple(told)


def misfit_text(snapshot: Snapshot, odd: LayoutMismatch, say: Words, teller: GameTeller) -> SightMisfit:
    """Return a mismatch at a place in one sentence, and its correction."""
    assert snapshot.setup is not None and snapshot.state is not None
    players, table = snapshot.setup.seated(), snapshot.state.table
    where = place_name(odd.place, players, say)
    on_board = odd.place.startswith(ON_BOARD)

    def card(name: str) -> str:
        return piece_title(name, players, say) if on_board else teller.card_name(name, say, table)

    extra, missing = list_cards(odd.extra, say, card), list_cards(odd.missing, say, card)
    fields = {"where": where, "extra": extra, "missing": missing}
    if odd.fault is not None:
        fault = odd.fault
        name = players[fault.seat].name if fault.seat is not None else ""
        cards = list_cards(fault.cards, say, card)
        sentence = say(f"fault.{fault.key}", name=name, cards=cards, number=fault.number)
    elif odd.extra and odd.missing:
        sentence = say.plural("sight.other", len(odd.extra), **fields)
    elif odd.extra:
        sentence = say.plural("sight.extra", len(odd.extra), **fields)
    elif odd.missing and odd.seen.unnamed:
        sentence = say.plural("sight.unnamed", len(odd.missing), **fields)
    elif odd.missing:
        sentence = say.plural("sight.missing", len(odd.missing), **fields)
    elif odd.seen.down != odd.said.down:
        sentence = say("sight.down", where=where, seen=odd.seen.down, said=odd.said.down)
    else:
        sentence = say("sight.strange", where=where)
    right = ""
    if odd.right is not None:
        right = " ".join(teller.tell(odd.right.event, (), players, say, False, table)) or say(
            "sight.right_to", card=extra
        )
    return SightMisfit(odd.place, sentence[:1].upper() + sentence[1:], odd.extra, right)


def list_cards(cards: tuple[str, ...], say: Words, card: Say) -> str:
    """Return cards as a list to be read aloud; empty for none."""
    names = [card(each) for each in cards]
    if len(names) < 2:
        return "".join(names)
    return say("sight.and", first=", ".join(names[:-1]), last=names[-1])
