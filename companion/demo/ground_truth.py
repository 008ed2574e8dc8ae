"""The match as its people really play it: a state of their own, bots that decide, luck for cards; what an event is done
with. Refuses to know the companion's state.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from typing import Any

import msgspec

from companion.bots.simulation import policies_for
from companion.demo import world
from companion.demo.acts import Act, PressButton, Rest, TapPage
from companion.demo.physical_table import PhysicalTable
from companion.engine import (
    AnySeenGame,
    Deciding,
    Event,
    Layout,
    Offer,
    Raising,
    Seat,
    SeatEvent,
    Setup,
    State,
    Timing,
    Unveiling,
    apply,
    follow,
    legal,
    rule,
    seat_of,
)

ON_BUTTON = 0.75
"""Part of the raises that are said by a press; the others are typed, to the amount that the bot has in mind."""
COUNTS_FIRST = 0.3
"""How often the leader has counted on before somebody raises after all."""
BREATH = 0.8
"""Seconds that people take before they press: nobody decides any faster, and no press is taken for another's moment."""
MARGIN = 0.15
"""Seconds that a leader counts slower than it must."""


class GroundTruth:
    """One match as it really is. Cards are real (`deck="ours"`): what turns up is decided by `luck` alone."""

    def __init__(self, game: AnySeenGame, setup: Setup, seed: int, bots: str = "sensible") -> None:
        self.game = game
        self.setup = msgspec.structs.replace(setup, deck="ours")
        self.luck = random.Random(seed).random
        self.seats = tuple([Seat(seat) for seat in range(len(setup.seated()))])
        self.minds = policies_for(game, bots, len(self.seats))
        self.state: State[Any] = game.begin(self.setup)
        self.orderless: Collection[str] = game.orderless
        self._todo: list[Event] = list(game.drawn(self.state, self.luck))

    @property
    def timing(self) -> Timing | None:
        """What a press means now."""
        agenda = self.state.agenda
        return agenda[0].timing(self.state.table) if agenda else None

    def lies(self) -> Layout:
        """Return what the rules say lies on the table."""
        return self.game.layout(self.state)

    # --- deciding ---------------------------------------------------------------------------------

    def decides(self, without: Collection[Seat] = ()) -> Event | None:
        """Return what happens next; None where only seats that are left out (`without`) can act."""
        while self._todo:
            drawn = self._todo.pop(0)
            if seat_of(drawn) not in without:
                return drawn
        asked = [seat for seat in self.minds[0].asked(self.state) if seat not in without]
        for seat in asked:
            chosen = self.minds[seat].choose(self.minds[seat].look(self.state, seat), self.luck)
            if chosen is not None:
                return self._said(chosen, without)
        return self.brought() or self.minds[0].together(self.state, self.luck)

    def brought(self) -> Event | None:
        """Return what chance brings now, whatever else somebody may want to do first; None: nothing."""
        offers: list[Offer] = [offer for offer in legal(self.game, self.state) if offer.chance]
        return offers[int(self.luck() * len(offers)) if len(offers) > 1 else 0].pick(self.luck) if offers else None

    def _said(self, event: Event, without: Collection[Seat]) -> Event:
        """Return a raise as it is made: mostly by the step that a press says, now and then after one more count."""
        now = self.timing
        if not isinstance(now, Raising) or not isinstance(event, SeatEvent):
            return event
        if type(event) is not type(now.raised(now.leader, 0)):
            return event
        count = now.counted(now.leader, now.count + 1)
        leads = now.leader not in without and (now.counting == "leader" or not now.count)
        if leads and now.count < 2 and self.luck() < COUNTS_FIRST and rule(self.game, self.state, count) is None:
            return count
        pressed = now.raised(event.seat, now.price + now.step)
        by_button = self.luck() < ON_BUTTON and rule(self.game, self.state, pressed) is None
        return pressed if by_button else event

    def happens(self, event: Event) -> None:
        """Let an event happen."""
        self.state = apply(self.game, self.state, event)

    # --- what an event is done with ---------------------------------------------------------------

    def shown(self, before: State[Any], event: Event) -> bool:
        """Whether an event is done with the cards, and told by nobody."""
        if self.game.shown is not None:
            return isinstance(event, self.game.shown)
        return self.pressed(before, event) is None and self._changes(before, event)

    def held(self, before: State[Any], event: Event) -> bool:
        """Whether by an event a card only comes into a hand: it shows with what is done with it."""
        return bool(self.game.layout(follow(self.game, before, event)).held) and not self._changes(before, event)

    def _changes(self, before: State[Any], event: Event) -> bool:
        now, then = self.game.layout(before), self.game.layout(follow(self.game, before, event))
        return bool(then.differing(now))

    def chance(self, event: Event) -> bool:
        """Whether chance brings an event now, and nobody's decision."""
        return any(offer.chance and event in offer for offer in legal(self.game, self.state))

    def pressed(self, before: State[Any], event: Event) -> tuple[Seat, ...] | None:
        """Return the seats whose presses say an event; None: it is not said by presses."""
        now = before.agenda[0].timing(before.table) if before.agenda else None
        match now:
            case Raising():
                if type(event) is type(now.counted(now.leader, 1)):
                    return (now.leader,) if now.counting == "leader" or not now.count else ()
                if isinstance(event, SeatEvent) and event == now.raised(event.seat, now.price + now.step):
                    return (event.seat,)
            case Unveiling() if now.signalled is not None and event == now.signalled():
                return now.seats
            case Unveiling() if now.signalled is None and seat_of(event) is None:
                return now.seats
            case Deciding() if event == now.event:
                return (now.seat,)
        return None

    def pause(self, before: State[Any], event: Event) -> float:
        """Return how long people wait before they press what says an event, in seconds."""
        now = before.agenda[0].timing(before.table)
        if isinstance(now, Raising) and type(event) is type(now.counted(now.leader, 1)):
            return max(BREATH, now.double_tap_ms / 1000 + MARGIN) if not now.count else now.gap_ms / 1000 + MARGIN
        return BREATH

    def anew(self, before: State[Any], broken: Event) -> Iterator[State[Any]]:
        """Yield the states in which a broken count may be found: at its beginning, or a number further by a press."""
        after = follow(self.game, before, broken)
        yield after
        now = before.agenda[0].timing(before.table)
        if isinstance(now, Raising) and now.count > 1:
            yield follow(self.game, after, now.counted(now.leader, 1))

    def told(self, before: State[Any], event: Event) -> TapPage | None:
        """Return how an event is said on a tablet; None: it is not."""
        now = before.agenda[0].timing(before.table) if before.agenda else None
        by_hand = isinstance(now, Unveiling) and now.signalled is None
        if self.shown(before, event) or (self.pressed(before, event) is not None and not by_hand):
            return None
        return TapPage(self.teller(before, event), event)

    def teller(self, before: State[Any], event: Event) -> Seat | None:
        """Return on whose tablet an event is said; None: on the shared one."""
        return None if self._everybodys(before, event) else seat_of(event)

    def pointed(self, before: State[Any], event: Event, shown: world.PageState) -> Event:
        """Return an event as it is said where the same cards are shown in another order: people point at the card."""
        changed: dict[str, Any] = {}
        for field, name in self.game.numbered.items():
            if hasattr(event, field):
                here = world.everybody(self.game.view(before, None))[name]
                left = list(enumerate(shown.view[name]))
                said = getattr(event, field)
                found = []
                for at in said if isinstance(said, tuple) else (said,):
                    other = next((each for each in left if each[1] == here[at]), (at, here[at]))
                    left = [each for each in left if each != other]
                    found.append(other[0])
                changed[field] = tuple(sorted(found)) if isinstance(said, tuple) else found[0]
        return msgspec.structs.replace(event, **changed)

    def acted(self, before: State[Any], event: Event) -> bool:
        """Whether a seat did something with the cards, which may show only with the next ones."""
        return self.shown(before, event) and not self._everybodys(before, event)

    def _everybodys(self, before: State[Any], event: Event) -> bool:
        """Whether everybody sees an event, and anybody may say it on the shared tablet."""
        return any(offer.chance and event in offer for offer in legal(self.game, before))

    def acts(self, before: State[Any], event: Event, lying: PhysicalTable) -> Iterator[Act]:
        """Yield what people do for an event to happen, and then with the cards; whoever does it keeps `lying` up."""
        yield from self.says(before, event)
        yield from self.moves(before, event, lying)

    def says(self, before: State[Any], event: Event) -> Iterator[Act]:
        """Yield what people press or tap for an event to happen."""
        seats = self.pressed(before, event)
        if seats is not None:
            yield Rest(self.pause(before, event))
            yield from [PressButton(seat) for seat in seats]
        tapped = self.told(before, event)
        if tapped is not None:
            yield tapped

    def moves(self, before: State[Any], event: Event, lying: PhysicalTable) -> Iterator[Act]:
        """Yield what hands do with the cards when an event happens, and where they rest on the way."""
        after = follow(self.game, before, event)
        rests = self.game.rests(before, event, after)
        by_hand = self.shown(before, event)
        for layout, briefly in (*[(each, True) for each in rests], (self.game.layout(after), False)):
            moves = () if layout.loose and not by_hand else lying.moves(layout)
            yield from moves
            if moves:
                yield Rest(briefly=briefly)

    def laid(self, lying: PhysicalTable) -> Iterator[Act]:
        """Yield what hands do so that the cards lie by the rules, however they came to lie otherwise."""
        layout = self.lies()
        moves = () if layout.loose else lying.moves(layout)
        yield from moves
        if moves:
            yield Rest()

    # --- what is to be seen -----------------------------------------------------------------------

    def differs(self, shown: world.PageState, state: State[Any] | None = None) -> tuple[str, ...]:
        """Return the fields in which what is shown differs from the truth (or from another state)."""
        state = state or self.state
        public = world.everybody(self.game.view(state, None))
        found = world.differing(shown.view, public, self.orderless)
        for seat, view in shown.own.items():
            true = world.own(self.game.view(state, Seat(seat)))
            found += world.differing(view, true, self.orderless, f"seat {seat + 1}")
        return found
