"""Tracks the tokens that the camera sees and what the table does, and decides what they show. Time is passed in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.engine import (
    AnyState,
    Confirming,
    Event,
    Moved,
    Refusal,
    Seat,
    Timing,
    Unveiling,
    amount_of,
    money_place,
    seat_of,
    tokens_seen,
    worth,
)
from companion.match.history import HistoryEntry
from companion.messages import SECOND, Sighted
from companion.sight.token_notices import CountedTokens, TokenMemory, find_notices, note_payments, note_sum, place_of
from companion.sight.token_reading import (
    AnyTokenGame,
    TokenScene,
    awaited_places,
    crowded_places,
    is_money_place,
    read_tokens,
    without,
)
from companion.sight.tracker import PATIENCE, SHOWN, ProposedMove
from companion.table.cues import tokens_readable
from companion.table.sight_records import AcceptedEvents, SightState, TokenNotice
from companion.table.snapshot import Snapshot, TableAnswer

REACHING = 6 * SECOND
"""How long after the signal a place where nothing new lies may not be counted: its owner may still reach for it."""
MOVING = 8 * SECOND
"""How long something must move over the table, while sums are awaited, until people are asked to take it away."""
AT_ONCE = ("open_hand", "hands")
"""Notices that are shown without patience."""

NoticeKey = tuple[str, str, Seat | None]
"""A notice without its figures, which may change while it lasts."""


class TokenTracker:
    """Follows one table and one camera. Pass in what is seen and done, then call `judge`, again when it is `due`."""

    def __init__(self) -> None:
        self.sight = SightState()
        """What is to be shown of tokens: nothing of cards."""
        self._sighted: Sighted | None = None
        self._moving = False
        """Whether something moves above the table."""
        self._moving_since: int | None = None
        self._judged_at = 0
        """When `judge` was called last: what was due by then is not due again."""
        self._table = Snapshot(0)
        self._readable: frozenset[str] = frozenset()
        self._scene: TokenScene | None = None
        self._begun = 0
        """When this match was followed first: after a restart hands may just be opening."""
        self._forget()

    def _forget(self) -> None:
        """Begin anew with another match."""
        self._turned: dict[str, int] = {}
        """When a place became readable, black, or open to a new count: older readings say nothing about it."""
        self._lay: dict[str, tuple[str, ...]] = {}
        """The tokens last seen at each place, also by a camera that has been lost since."""
        self._closed: dict[str, tuple[str, ...]] = {}
        """The tokens that lay at each place when it became black; nothing of a place that was seen empty since."""
        self._watched = False
        """Whether the camera has been there since places became black, so that it remembers what lay there."""
        self._trusted: frozenset[str] = frozenset()
        """Black places about which their seats have said that no hand is open there."""
        self._undone: dict[str, tuple[str, ...]] = {}
        """The tokens that lay at each place at an undo or before the match: they are not taken as they lie."""
        self._tried: set[Event] = set()
        """Events that were proposed from this reading."""
        self._refused: dict[Event, Refusal] = {}
        self._memory = TokenMemory()
        self._first: dict[NoticeKey, int] = {}
        """Since when each notice has lasted."""
        self._found: tuple[TokenNotice, ...] = ()
        self._accepted: AcceptedEvents | None = None
        self._accepted_until = 0
        self._early: list[str] = []
        """Unchanged places whose owners may still lay something down."""

    # --- input ------------------------------------------------------------------------------------

    def accept_reading(self, sighted: Sighted | None) -> None:
        """Accept what lies on the table now; None if the camera is lost."""
        self._sighted = sighted
        self._watched = self._watched and sighted is not None
        self._tried.clear()
        for place, tokens in tuple(self._undone.items()):
            if sighted is not None and place in sighted.token_places and _lying(sighted, place) != tokens:
                del self._undone[place]

    def accept_moving(self, moving: bool) -> None:
        """Accept whether something moves above the table."""
        self._moving = moving

    def accept_as_it_lies(self) -> None:
        """Accept the table as it lies, after an undo or not: it is read again."""
        self._undone, self._tried = {}, set()
        self._memory.kept.clear()

    def accept_in_order(self, seat: Seat) -> None:
        """Accept a seat's word on its place that may not be read now: old money is gone, or its hand is closed."""
        place = money_place(seat)
        self._memory.kept.pop(place, None)
        self._trusted |= {each.place for each in self._found if (each.key, each.place) == ("open_hand", place)}

    def follow_table(self, table: Snapshot) -> None:
        """Follow the table's new state."""
        old, self._table = self._table, table
        before, self._readable = self._readable, frozenset(tokens_readable(table).places)
        if table.match_id != old.match_id or old.state is None or table.state is None:
            self._forget()
            self._begun = table.at
            self._memory.bidders = _bidders(_timing(table.state), ())
            self._keep_lying()
            return
        for place in before ^ self._readable:
            self._turned[place] = table.at
        self._trusted -= self._readable
        self._watched = self._watched or (bool(before - self._readable) and self._sighted is not None)
        self._closed |= {place: self._lay[place] for place in before - self._readable if place in self._lay}
        if table.entries[: len(old.entries)] != old.entries:
            self._go_back()
            return
        self._note_entries(table.entries[len(old.entries) :])
        self._follow_timing(_timing(old.state), _timing(table.state), before)

    def _go_back(self) -> None:
        """Follow an undo or an amendment."""
        bidders, turned = self._memory.bidders, self._turned
        self._forget()
        self._turned, self._memory.bidders = turned, _bidders(_timing(self._table.state), bidders)
        self._keep_lying()

    def _keep_lying(self) -> None:
        """Take nothing that lies there from before."""
        if self._sighted is not None:
            self._undone = {place: _lying(self._sighted, place) for place in self._sighted.token_places}

    def _note_entries(self, entries: Sequence[HistoryEntry]) -> None:
        """Note which sums seats have said, and what they must pay to the bank."""
        for entry in entries:
            if self._scene is not None:
                note_sum(self._scene, self._memory, entry.event)
            dues: Counter[str] = Counter()
            for effect in entry.effects:
                if isinstance(effect, Moved) and effect.amount < 0:
                    dues[money_place(effect.seat)] -= effect.amount
            self._memory.dues |= dues
            self._memory.paid -= dues.keys()

    def _follow_timing(self, was: Timing | None, now: Timing | None, before: frozenset[str]) -> None:
        """Follow fists: they close, open at a signal, are counted and confirmed."""
        memory = self._memory
        memory.bidders = _bidders(now, memory.bidders)
        if isinstance(was, Unveiling) and (not isinstance(now, Unveiling) or now.lot != was.lot):
            self._turned |= dict.fromkeys(self._readable, self._table.at)
            self._undone = {place: lay for place, lay in self._undone.items() if place not in self._readable}
            memory.kept.clear()
        if isinstance(was, Confirming) and not isinstance(now, Confirming):
            memory.counted.clear()
        if isinstance(now, Unveiling):
            black = before - self._readable
            memory.kept |= {each.place: each for each in self._found if each.key == "take_back" and each.place in black}
            memory.dues = {place: due for place, due in memory.dues.items() if place in self._readable}

    # --- output -----------------------------------------------------------------------------------

    def due(self) -> int | None:
        """Return the moment from which `judge` may decide otherwise without new input, or None."""
        shown = {_key(each) for each in self.sight.notices}
        times = [first + PATIENCE for key, first in self._first.items() if key not in shown]
        if self._accepted is not None:
            times.append(self._accepted_until)
        if self._moving_since is not None and self._judged_at < self._moving_since + MOVING:
            times.append(self._moving_since + MOVING)
        if not self._moving:
            times += [self._opened(place) + REACHING for place in self._early]
        return min(times, default=None)

    def judge(self, now: int) -> ProposedMove | None:
        """Ask the game what the tokens show; return the next event to propose, if there is one.

        `sight` has the rest: notices, claims, and events accepted.
        """
        if self._accepted is not None and now >= self._accepted_until:
            self._accepted = None
        self._judged_at = now
        self._moving_since = (self._moving_since or now) if self._moving else None
        self._scene = scene = self._look()
        if scene is None:
            self.sight, self._first, self._found, self._early = SightState(), {}, (), []
            return None
        self._lay |= scene.seen.places
        self._closed = {place: lay for place, lay in self._closed.items() if place not in scene.empty}
        self._early = [place for place in self._unchanged(scene) if self._is_early(place, now)]
        usable = without(scene.seen, {*self._early, *self._undone})
        events = () if self._table.paused else tuple(scene.game.token_events(scene.state, usable))
        claims = () if self._table.paused else tuple(scene.game.token_claims(scene.state, usable))
        self._refused = {event: why for event, why in self._refused.items() if event in events}
        reasons = [(seat_of(event), why) for event, why in self._refused.items()]
        shown = self._patient(self._find(scene, [seat for seat, _ in reasons], now), now)
        told = {each.seat for each in shown if each.key == "again"}
        own = tuple([(seat, why) for seat, why in reasons if seat is not None and seat in told])
        self.sight = SightState(
            True,
            self._waits(scene, events),
            self._accepted,
            tokens=bool(scene.seen.places),
            notices=shown,
            claims=claims,
            reasons=own,
        )
        fresh = [event for event in events if event not in self._tried]
        return ProposedMove((fresh[0],), self._table.match_id, self._table.seq) if fresh else None

    def note_answer(self, move: ProposedMove, answer: TableAnswer, now: int) -> None:
        """Note what the table answered to a proposed event. One that came too late may be proposed again."""
        (event,) = move.events
        scene = self._scene
        if answer.stale or scene is None:
            return
        self._tried.add(event)
        if not answer.accepted:
            if answer.refusal is not None:
                self._refused[event] = answer.refusal
            return
        self._refused.pop(event, None)
        place = place_of(seat_of(event), scene)
        if place in scene.seen.places:
            self._memory.counted[place] = CountedTokens(scene.seen.places[place], amount_of(event) or 0)
        elif seat_of(event) is None:
            self._accepted, self._accepted_until = AcceptedEvents(move.events, move.seq), now + SHOWN

    # --- inside -----------------------------------------------------------------------------------

    def _look(self) -> TokenScene | None:
        """Return the tokens as they may be read now; None where no tokens are read at all."""
        table, sighted = self._table, self._sighted
        game, state, setup = table.match_game, table.state, table.setup
        if sighted is None or game is None or state is None or setup is None or not state.agenda:
            return None
        if not tokens_seen(game) or setup.deck == "dealt" or sighted.game not in ("", game.name):
            return None
        places = {place.name: place for place in game.token_places(len(setup.seated()))}
        recent = frozenset([name for name in places if sighted.at > self._turned.get(name, 0)])
        known = recent & self._readable
        black = recent - self._readable
        return TokenScene(
            game,
            state,
            places,
            known,
            read_tokens(sighted, game.token_kinds, known),
            crowded_places(sighted, places, known),
            tuple([place for place in sighted.open_hands if place in black and self._is_hand(place, game, state)]),
            tuple([place for place in sighted.empty_places if place in black]),
        )

    def _is_hand(self, place: str, game: AnyTokenGame, state: AnyState) -> bool:
        """Whether what the camera does not know at a black place is an open hand.

        It may also be a first fist that the camera could not read, or has forgotten since, or that was taken up and
        laid back.
        """
        first = game.lying_money(state).get(place)
        if place in self._trusted:
            return False
        return not first or (self._watched and worth(game.token_kinds, self._closed.get(place, ())) == first)

    def _unchanged(self, scene: TokenScene) -> list[str]:
        """Return the places for money that were black and where nothing new lies.

        After a restart nobody knows which tokens lay there, but a first fist's worth is known.
        """
        known = scene.game.lying_money(scene.state)

        def is_unchanged(place: str) -> bool:
            tokens = Counter(scene.seen.places[place])
            return tokens in (Counter(), Counter(self._closed.get(place, ()))) or scene.money(place) == known.get(place)

        certain = [place for place in scene.seen.places if scene.seen.certain(place)]
        return [place for place in certain if is_money_place(place) and is_unchanged(place)]

    def _opened(self, place: str) -> int:
        """Return the moment from which a place's owner may have opened a hand."""
        return max(self._turned.get(place, 0), self._begun)

    def _is_early(self, place: str, now: int) -> bool:
        """Whether the owner of an unchanged place may still lay something down."""
        return self._moving or now < self._opened(place) + REACHING

    def _waits(self, scene: TokenScene, events: Sequence[Event]) -> bool:
        """Whether something is not taken only because it lies there as before an undo."""
        if not self._undone or self._table.paused:
            return False
        return any(event not in events for event in scene.game.token_events(scene.state, scene.seen))

    def _find(self, scene: TokenScene, refused: Sequence[Seat | None], now: int) -> tuple[TokenNotice, ...]:
        """Return all notices of this moment, also those that have not lasted long enough."""
        if self._table.paused:
            return ()
        memory = self._memory
        for place in scene.empty:
            memory.kept.pop(place, None)
        note_payments(scene, memory)
        hands = [TokenNotice("hands")] if self._hands_hide(scene, now) else []
        found = (*hands, *find_notices(scene, memory))
        return (*found, *[TokenNotice("again", place_of(seat, scene), seat) for seat in refused])

    def _hands_hide(self, scene: TokenScene, now: int) -> bool:
        """Whether something has moved over the table for so long that an awaited sum cannot be counted."""
        if self._moving_since is None or now < self._moving_since + MOVING:
            return False
        unread = [place for place in self._readable if place not in scene.seen.places or place in self._early]
        return bool(awaited_places(scene, [place for place in unread if is_money_place(place)]))

    def _patient(self, found: tuple[TokenNotice, ...], now: int) -> tuple[TokenNotice, ...]:
        """Return the notices that have lasted long enough to be shown."""
        self._found = found
        self._first = {key: self._first.get(key, now) for key in map(_key, found)}
        return tuple([each for each in found if each.key in AT_ONCE or now >= self._first[_key(each)] + PATIENCE])


def _key(notice: TokenNotice) -> NoticeKey:
    return notice.key, notice.place, notice.seat


def _timing(state: AnyState | None) -> Timing | None:
    """Return what a press means in a state, also while the game is paused."""
    return state.agenda[0].timing(state.table) if state is not None and state.agenda else None


def _bidders(timing: Timing | None, before: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Return the seats whose fists open together; if none do now, those of `before`."""
    return timing.seats if isinstance(timing, Unveiling) else before


def _lying(sighted: Sighted, place: str) -> tuple[str, ...]:
    """Return what lies at a place, in alphabetical order."""
    return tuple(sorted([each.token or "?" for each in sighted.tokens if each.place == place]))
