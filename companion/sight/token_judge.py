"""Judge the tokens that the camera sees: find events, claims and notices."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from companion.engine import Event, Refusal, Seat, amount_of, money_place, seat_of
from companion.messages import Sighted
from companion.sight.lasting import LastingNotices, ShownEvents
from companion.sight.moves import ProposedMove, entries_since, is_other_match
from companion.sight.token_notices import CountedTokens, CountsAndDues, bidders_of, find_notices, place_of
from companion.sight.token_readings import TokenReadings
from companion.sight.token_scene import TokenScene, awaited_places, timing_of, without
from companion.table.sight_records import SightState, TokenNotice
from companion.table.snapshot import Snapshot, TableAnswer


class TokenJudge:
    """Follows the tokens of one table."""

    def __init__(self) -> None:
        self.sight = SightState()
        """The part of the sight shown for tokens, without cards."""
        self._readings = TokenReadings()
        self._scene: TokenScene | None = None
        self._forget()

    def _forget(self, bidders: tuple[Seat, ...] = ()) -> None:
        """Begin anew with another match."""
        self._money = CountsAndDues(bidders=bidders)
        self._tried: set[Event] = set()
        """Events already proposed from this reading."""
        self._refused: dict[Event, Refusal] = {}
        self._notices = LastingNotices()
        self._accepted = ShownEvents()

    # --- input ------------------------------------------------------------------------------------

    def accept_reading(self, sighted: Sighted | None) -> None:
        """Accept a reading of the table; None if the camera is lost."""
        self._readings.accept(sighted)
        self._tried.clear()

    def accept_moving(self, moving: bool) -> None:
        """Accept whether something moves above the table."""
        self._readings.hands.moving = moving

    def accept_as_it_lies(self) -> None:
        """Accept the table as it lies, even after an undo, and read it again."""
        self._readings.untouched = {}
        self._tried.clear()
        self._money.kept.clear()

    def accept_in_order(self, seat: Seat) -> None:
        """Accept a seat's word about its black place: the old money is gone, or the hand is closed."""
        place = money_place(seat)
        self._money.kept.pop(place, None)
        if any((each.key, each.place) == ("open_hand", place) for each in self._notices.found):
            self._readings.black.trusted |= {place}

    def follow_table(self, table: Snapshot) -> None:
        """Follow the table's new state."""
        old, now = self._readings.table, timing_of(table.state)
        other, happened = is_other_match(old, table), entries_since(old, table)
        closing = self._readings.follow(table)
        if other or happened is None:
            self._readings.begin(again=not other)
            self._forget(bidders_of(now, () if other else self._money.bidders))
            return
        self._money.note_entries(happened, self._scene)
        old_money = [each for each in self._notices.found if each.key == "take_back" and each.place in closing]
        if self._money.follow_fists(timing_of(old.state), now, old_money, self._readings.black.readable):
            self._readings.open_count()

    # --- output -----------------------------------------------------------------------------------

    def due(self) -> list[int]:
        """Return the moments at which the judgement may change without new input."""
        return self._notices.due() + self._accepted.due() + self._readings.due()

    def judge(self, now: int) -> ProposedMove | None:
        """Let the game interpret the tokens; return the next event to propose, if there is one."""
        self._accepted.hide_old(now)
        self._scene = scene = self._readings.look(now)
        if scene is None:
            self.sight = SightState()
            self._notices.note((), now)
            return None
        table, lying = self._readings.table, self._readings.untouched
        usable = without(scene.seen, {*self._readings.early, *lying})
        events = () if table.paused else tuple(scene.game.token_events(scene.state, usable))
        claims = () if table.paused else tuple(scene.game.token_claims(scene.state, usable))
        self._refused = {event: why for event, why in self._refused.items() if event in events}
        refusals = [(seat_of(event), why) for event, why in self._refused.items()]
        self._notices.note(() if table.paused else self._find(scene, [seat for seat, _ in refusals]), now)
        again = {each.seat for each in self._notices.shown if each.key == "again"}
        self.sight = SightState(
            True,
            bool(lying) and not table.paused and _shows_more(scene, events),
            self._accepted.events,
            tokens=bool(scene.seen.places),
            notices=self._notices.shown,
            claims=claims,
            reasons=tuple([(seat, why) for seat, why in refusals if seat is not None and seat in again]),
        )
        fresh = [event for event in events if event not in self._tried]
        return ProposedMove((fresh[0],), table.match_id, table.seq) if fresh else None

    def note_answer(self, move: ProposedMove, answer: TableAnswer, now: int) -> None:
        """Note the table's answer to a proposal. A late one may be proposed again."""
        event, scene = move.events[0], self._scene
        if answer.stale or scene is None:
            return
        self._tried.add(event)
        if not answer.accepted:
            self._refused |= {event: answer.refusal} if answer.refusal is not None else {}
            return
        self._refused.pop(event, None)
        place = place_of(seat_of(event), scene)
        if place in scene.seen.places:
            self._money.counted[place] = CountedTokens(scene.seen.places[place], amount_of(event) or 0)
        elif seat_of(event) is None:
            self._accepted.show(move, now)

    # --- inside -----------------------------------------------------------------------------------

    def _find(self, scene: TokenScene, refused: Sequence[Seat | None]) -> tuple[TokenNotice, ...]:
        """Return all current notices, even those that have not lasted long enough."""
        for place in scene.empty:
            self._money.kept.pop(place, None)
        self._money.note_payments(scene)
        hidden = awaited_places(scene, self._readings.unread_money(scene)) if self._readings.hands.stay() else ()
        return (
            *[TokenNotice("hands") for _ in hidden[:1]],
            *find_notices(scene, self._money),
            *[TokenNotice("again", place_of(seat, scene), seat) for seat in refused],
        )


def _shows_more(scene: TokenScene, events: Collection[Event]) -> bool:
    """Whether tokens are ignored only because they lie as before an undo."""
    return any(event not in events for event in scene.game.token_events(scene.state, scene.seen))
