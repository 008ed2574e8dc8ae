"""Answers seats that ask for advice, and keeps each answer as long as the seat faces the same question."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping

import msgspec

from companion.bots.advice import Question, can_advise, question_of
from companion.bots.adviser import AdviceFailed, Adviser
from companion.engine import AnyState, Event, Raising, Seat, Unveiling, legal
from companion.games import teller_of
from companion.i18n import LANGUAGES
from companion.mechanics.advising import Advice, said
from companion.mechanics.policy import Ranked
from companion.mechanics.telling import SentenceContext
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from web.forms import InvalidForm
from web.live.regions import PerSeat
from web.plugins.advice.permissions import OFF, ONCE, Permissions, has_asked
from web.presenters.match_log import players_of
from web.words import package, words

LOG = logging.getLogger(__name__)
THINKING, HINT, MOVES, NOTHING, FAILED = "thinking", "hint", "moves", "nothing", "failed"
"""The stages of a seat's advice. `nothing`: the seat had better wait."""


class Told(msgspec.Struct, frozen=True):
    """A seat's advice about one position, by language."""

    match: str
    state: AnyState
    stage: str = THINKING
    best: Event | None = None
    advice: dict[str, Advice] = {}


class SeatAdvice(msgspec.Struct, frozen=True):
    """The content of a seat's page: whether it may ask now, and its advice."""

    may: bool = False
    stage: str = ""
    advice: dict[str, Advice] = {}


class AdviceDesk:
    """Takes questions and keeps answers. Any thread may call it; it calls `show` after each answer.

    `forbidden` says whether the table belongs to a hall whose organiser allows no advice.
    """

    def __init__(self, table: Table, adviser: Adviser, forbidden: Callable[[], bool]) -> None:
        self.table, self.adviser, self.forbidden = table, adviser, forbidden
        self.permissions = Permissions(table)
        self.show: Callable[[], object] = lambda: None
        self._told: dict[Seat, Told] = {}
        self._lock = threading.Lock()

    def close(self) -> None:
        """End the process that computes advice."""
        self.adviser.close()

    def choices(self) -> Mapping[int, str] | None:
        """Return the permissions of this table's seats; None if no seat can get permission."""
        snapshot = self.table.snapshot()
        if not snapshot.match_id or self.forbidden() or not can_advise(snapshot.game):
            return None
        return self.permissions.of(snapshot.match_id)

    def allow(self, seat: Seat, choice: str) -> None:
        """Change a seat's permission; raise `InvalidForm` if no seat can get permission."""
        if self.choices() is None:
            raise InvalidForm("advice.not_here")
        self.permissions.allow(self.table.snapshot().match_id, seat, choice)
        if choice == OFF:
            self._told.pop(seat, None)
        else:
            threading.Thread(target=self._warm_up, name="advice", daemon=True).start()

    def _warm_up(self) -> None:
        try:
            self.adviser.warm_up()
        except AdviceFailed:
            LOG.exception("the adviser cannot be started")

    # --- asking -----------------------------------------------------------------------------------

    def ask(self, match: str, seat: Seat) -> None:
        """Begin to answer a seat, or tell it the move after the hint; raise `InvalidForm` if it may not ask."""
        with self._lock:
            snapshot = self.table.snapshot()
            key = "advice.gone" if snapshot.match_id != match else self.refusal(snapshot, seat)
            if key:
                raise InvalidForm(key)
            told = self._standing(snapshot, seat)
            if told is not None and told.stage != FAILED:
                self._tell_more(seat, told)
                return
            if told is None and self.permissions.of(match)[seat] == ONCE and has_asked(snapshot, seat):
                raise InvalidForm("advice.once_used")
            question = question_of(snapshot.game, state_of(snapshot), seat)
            if question is None:
                raise InvalidForm("advice.not_your_turn")
            if told is None:
                self._write_down(seat)
            self._told[seat] = told = Told(match, state_of(snapshot))
        threading.Thread(target=self._answer, args=(seat, told, question, snapshot), name="advice", daemon=True).start()

    def _write_down(self, seat: Seat) -> None:
        """Record in the journal that a seat has asked; raise `InvalidForm` if the table refuses."""
        answer = self.table.ask_advice(seat)
        if answer.refusal is not None:
            raise InvalidForm(f"refusal.{answer.refusal.rule}.{answer.refusal.key}", **answer.refusal.fields)

    def _tell_more(self, seat: Seat, told: Told) -> None:
        """Tell a seat the move after the hint; raise `InvalidForm` if there is no more to tell."""
        if told.stage != HINT:
            raise InvalidForm("advice.on_its_way" if told.stage == THINKING else "advice.all_said")
        self._told[seat] = msgspec.structs.replace(told, stage=MOVES)

    def refusal(self, snapshot: Snapshot, seat: Seat) -> str:
        """Return the key of the sentence that says why a seat cannot ask now; empty if it can."""
        state = snapshot.state
        if state is None or snapshot.over:
            return "advice.over"
        if self.forbidden():
            return "advice.in_hall"
        if seat not in self.permissions.of(snapshot.match_id) or not can_advise(snapshot.game):
            return "advice.not_allowed"
        if seat in snapshot.veiled:
            return "advice.veiled"
        if snapshot.paused or snapshot.undo is not None:
            return "advice.paused"
        if races(snapshot, seat):
            return "advice.races"
        return "" if seat in snapshot.game.view(state, None).awaited else "advice.not_your_turn"

    def _answer(self, seat: Seat, told: Told, question: Question, snapshot: Snapshot) -> None:
        """Wait for the process's answer, store it and show it."""
        try:
            found = self.adviser.ask(question)
            done = in_words(told, found, snapshot, seat) if found else msgspec.structs.replace(told, stage=NOTHING)
        except Exception:  # a game's own sentences may raise anything
            LOG.exception("no advice")
            done = msgspec.structs.replace(told, stage=FAILED)
        with self._lock:
            if self._told.get(seat) is told:
                self._told[seat] = done
        self.show()

    # --- showing ----------------------------------------------------------------------------------

    def _standing(self, snapshot: Snapshot, seat: Seat) -> Told | None:
        """Return a seat's advice if the seat still faces the same question."""
        told, state = self._told.get(seat), snapshot.state
        if told is None or state is None or told.match != snapshot.match_id:
            return None
        if told.state is state:
            return told
        if told.best is None or seat not in snapshot.game.view(state, None).awaited:
            return None
        same = snapshot.game.question(told.state, told.best) == snapshot.game.question(state, told.best)
        return told if same else None

    def values(self) -> Mapping[str, object]:
        """Return the values for pages: the host's choices, and each seat's own advice."""
        snapshot, choices = self.table.snapshot(), self.choices()
        if choices is None:
            return {"advice_choices": None, "advice": PerSeat()}
        found = {Seat(seat): self._shown(snapshot, Seat(seat), may) for seat, may in choices.items()}
        return {"advice_choices": tuple(sorted(choices.items())), "advice": PerSeat(tuple(sorted(found.items())))}

    def _shown(self, snapshot: Snapshot, seat: Seat, may: str) -> SeatAdvice:
        """Return the content of a seat's page."""
        if self.refusal(snapshot, seat):
            return SeatAdvice()
        told = self._standing(snapshot, seat)
        if told is not None:
            return SeatAdvice(told.stage == FAILED, told.stage, told.advice)
        return SeatAdvice(may != ONCE or not has_asked(snapshot, seat))


def state_of(snapshot: Snapshot) -> AnyState:
    """Return the state of the match on the table."""
    assert snapshot.state is not None
    return snapshot.state


def races(snapshot: Snapshot, seat: Seat) -> bool:
    """Whether presses or counts race now, or all options of a seat are sealed until others have chosen."""
    if isinstance(snapshot.timing, Raising | Unveiling):
        return True
    game, state = snapshot.game, state_of(snapshot)
    offers = [offer for offer in legal(game, state) if offer.by == seat]
    return bool(offers) and all(game.secret(state, offer.pick(lambda: 0.0)) for offer in offers)


def in_words(told: Told, found: tuple[Ranked, ...], snapshot: Snapshot, seat: Seat) -> Told:
    """Return an answer in all languages, at the stage of the hint."""
    game, table = snapshot.game, state_of(snapshot).table
    advice = {}
    for lang in LANGUAGES:
        context = SentenceContext(players_of(snapshot), words(lang, package(game)), table=table)
        advice[lang] = said(found, teller_of(game), context, seat, bool(game.money))
    return msgspec.structs.replace(told, stage=HINT, best=found[0].event, advice=advice)
