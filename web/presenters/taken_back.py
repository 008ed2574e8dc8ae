"""Moves that seats take back by themselves, in words: the offer to their seat, and the news for everybody.

Requests for advice join them in the log.
"""

from __future__ import annotations

import msgspec

from companion.match.history import TakenBack
from companion.table.snapshot import Snapshot
from web.presenters.match_log import LogLine, Teller, entry_sentences, players_of
from web.words import package, words


class OwnMoveView(msgspec.Struct, frozen=True):
    """The move that a seat may take back, in a sentence, and the deadline on the table's clock; times are in
    nanoseconds.
    """

    sentence: str
    until: int
    lasts: int


def taken_back_sentence(snapshot: Snapshot, move: TakenBack, lang: str) -> str:
    """Return the public sentence about a take-back; empty for a move that was never public."""
    told = [sentence for entry in move.entries for sentence in entry_sentences(snapshot, entry, lang)]
    if not told:
        return ""
    name = players_of(snapshot)[move.seat].name
    return words(lang, package(snapshot.game))("takeback.told", name=name, what=" ".join(told))


def just_taken_back(snapshot: Snapshot, lang: str) -> str:
    """Return the move that has just been taken back, in a sentence; empty once play has gone on."""
    last = snapshot.taken_back[-1:]
    if not last or (snapshot.entries and snapshot.entries[-1].seq > last[0].seq):
        return ""
    return taken_back_sentence(snapshot, last[0], lang)


def with_asides(teller: Teller, snapshot: Snapshot, log: tuple[LogLine, ...], lang: str) -> tuple[str, ...]:
    """Return a log's sentences, the latest first, with moves taken back and requests for advice where they happened."""
    waiting = asides(snapshot, lang)
    places = teller.places(snapshot) if waiting else ()
    found: list[str] = []
    for line in log:
        while waiting and waiting[-1][0] > snapshot.entries[places[line.number - 1]].seq:
            found.append(waiting.pop()[1])
        found += reversed(line.sentences)
    if not log or log[-1].number == 1:
        found += [sentence for _, sentence in reversed(waiting)]
    return tuple([sentence for sentence in found if sentence])


def asides(snapshot: Snapshot, lang: str) -> list[tuple[int, str]]:
    """Return sentences about records outside the line of play, with the number of each record, in order."""
    say, players = words(lang, package(snapshot.game)), players_of(snapshot)
    found = [(move.seq, taken_back_sentence(snapshot, move, lang)) for move in snapshot.taken_back]
    found += [(seq, say("advice.asked", name=players[seat].name)) for seq, seat in snapshot.advised]
    return sorted(found)
