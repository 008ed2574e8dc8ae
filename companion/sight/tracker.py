"""Track the camera's view and the table's events, and decide what happened. Callers pass the time."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from companion.engine import Event
from companion.match.actor import Actor
from companion.messages import Sighted
from companion.sight.card_judge import CardJudge
from companion.sight.moves import Propose, ProposedMove
from companion.sight.token_judge import TokenJudge
from companion.table.sight_records import Explanation, SightState
from companion.table.snapshot import Snapshot, TableAnswer


class CardNaming(msgspec.Struct, frozen=True):
    """A person's statement of which card lies at a place."""

    place: str
    card: str
    by: Actor
    until: int


class SightTracker:
    """Follows one table and one camera. Pass in readings and events, then call `judge`, and again when it is `due`."""

    def __init__(self) -> None:
        self._cards = CardJudge()
        self.tokens = TokenJudge()
        self._naming: CardNaming | None = None

    @property
    def sight(self) -> SightState:
        """Everything to show: accepted events, questions, mismatches and notices about tokens."""
        return self._with_tokens(self._cards.sight)

    # --- input ------------------------------------------------------------------------------------

    def accept_reading(self, sighted: Sighted | None) -> None:
        """Accept a reading of the table; None if the camera is lost."""
        self._cards.accept_reading(sighted)
        self.tokens.accept_reading(sighted)

    def accept_as_it_lies(self) -> None:
        """Accept the table as it lies, even after an undo, and read it again."""
        self._cards.accept_as_it_lies()
        self.tokens.accept_as_it_lies()

    def name_card(self, naming: CardNaming) -> None:
        """Accept a person's name for a card."""
        self._naming = naming

    def follow_table(self, table: Snapshot) -> None:
        """Follow the table's new state."""
        self._cards.follow_table(table)
        self.tokens.follow_table(table)

    # --- output -----------------------------------------------------------------------------------

    def due(self) -> int | None:
        """Return the moment from which `judge` may decide differently without new input, or None."""
        return min(self._cards.due() + self.tokens.due(), default=None)

    def judge(self, now: int, propose: Propose) -> None:
        """Compare the view with the table and propose the certain moves. `sight` has the rest."""
        move = self._cards.judge(now)
        if move is not None:
            self._propose_cards(move, now, propose)
        while (move := self.tokens.judge(now)) is not None:
            answer = propose(move)
            self.tokens.note_answer(move, answer, now)
            if answer.accepted or answer.stale:
                return

    def choose(self, explanation: Explanation, now: int, propose: Propose) -> TableAnswer:
        """Propose the explanation that a person chose. It is stale if the question has changed."""
        if explanation not in self._cards.sight.choices:
            return TableAnswer(False, stale=True)
        return self._propose_cards(self._cards.propose(explanation), now, propose)

    def correct(self, now: int, amend: Callable[[int, Event, Actor], object]) -> None:
        """Amend, once, a misread card that a person has named. `amend` takes a record, its event and the person."""
        naming = self._naming
        if naming is None or now > naming.until:
            return
        correction = self._cards.correction_at(naming.place, naming.card)
        if correction is not None:
            self._naming = None
            amend(correction.seq, correction.event, naming.by)

    # --- inside -----------------------------------------------------------------------------------

    def _propose_cards(self, move: ProposedMove, now: int, propose: Propose) -> TableAnswer:
        """Propose a move with the camera's display for the case that it is accepted."""
        answer = propose(replace(move, shown=self._with_tokens(self._cards.sight_after(move))))
        if answer.accepted:
            self._cards.note_accepted(move, now)
        return answer

    def _with_tokens(self, cards: SightState) -> SightState:
        """Return the display of cards together with that of tokens."""
        tokens = self.tokens.sight
        return replace(
            cards,
            active=cards.active or tokens.active,
            waits=cards.waits or tokens.waits,
            accepted=cards.accepted or tokens.accepted,
            tokens=tokens.tokens,
            notices=tokens.notices,
            claims=tokens.claims,
            reasons=tokens.reasons,
        )
