"""The real match as the people play it: its state, the bots' decisions, random cards, and acts for each event."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Sequence

import msgspec

from companion.bots.simulation import policies_for
from companion.demo.acts import Act, PressButton, Rest, TapPage
from companion.demo.physical_table import PhysicalTable
from companion.demo.token_truth import SLIPS, token_truth
from companion.demo_records import PageState, own_fields, public_fields
from companion.engine import (
    Amounts,
    AnySeenGame,
    AnyState,
    Confirming,
    Deciding,
    Event,
    Layout,
    Offer,
    Raising,
    Seat,
    SeatEvent,
    Setup,
    Timing,
    Unveiling,
    apply,
    fields_of,
    follow,
    legal,
    rule,
    seat_of,
    tags_with,
    tokens_played,
)
from companion.referee.pace import USUAL

ON_BUTTON = 0.75
"""The share of raises that people press; they type the others, with the bot's intended amount."""
COUNTS_FIRST = 0.3
"""The probability that the leader counts on before somebody raises."""
BREATH = 0.8
"""Seconds before people press. Nobody decides faster, and the companion cannot attribute the press to another
moment."""
MARGIN = 0.15
"""Seconds by which a leader counts slower than necessary."""


class GroundTruth:
    """The real match. Cards are real (`deck="ours"`); only `luck` decides which card turns up."""

    def __init__(
        self, game: AnySeenGame, setup: Setup, seed: int, bots: str = "sensible", slips: float = SLIPS
    ) -> None:
        """`slips` is the probability that people first handle tokens wrongly."""
        self.game = game
        self.setup = msgspec.structs.replace(setup, deck="ours")
        self.luck = random.Random(seed).random
        self.seats = tuple([Seat(seat) for seat in range(len(setup.seated()))])
        self.minds = policies_for(game, bots, len(self.seats))
        self.state: AnyState = game.begin(self.setup)
        self.unordered_fields: Collection[str] = game.unordered_fields
        self._by_cards = tags_with(game.events, lambda facts: facts.by_cards)
        self.tokens = token_truth(game, self.state, seed, slips)
        """The people's handling of real tokens; None if the match has none."""
        self.counts: tuple[Event, ...] = ()
        """The counts of the hands opened last."""
        self._todo: list[Event] = list(game.draws_before_match(self.state, self.luck))

    @property
    def timing(self) -> Timing | None:
        """The meaning of a press now."""
        agenda = self.state.agenda
        return agenda[0].timing(self.state.table) if agenda else None

    def layout(self) -> Layout:
        """Return the cards that lie on the table according to the rules."""
        return self.game.layout(self.state)

    # --- deciding ---------------------------------------------------------------------------------

    def decide(self, without: Collection[Seat] = ()) -> Event | None:
        """Return the next event; None if only seats in `without` can act."""
        while self._todo:
            drawn = self._todo.pop(0)
            if seat_of(drawn) not in without and rule(self.game, self.state, drawn) is None:
                return drawn
        asked = [seat for seat in self.minds[0].asked(self.state) if seat not in without]
        for at, seat in enumerate(asked):
            chosen = self._choice(seat)
            if chosen is not None:
                return self._counted_first(chosen, asked[at + 1 :]) or self._as_raise(chosen, without)
        return self.chance_event() or self.minds[0].together(self.state, self.luck)

    def _choice(self, seat: Seat) -> Event | None:
        return self.minds[seat].choose(self.minds[seat].look(self.state, seat), self.luck)

    def _counted_first(self, chosen: Event, others: Iterable[Seat]) -> Event | None:
        """Return the first count of hands that open together if the chosen event needs one; schedule the other
        counts."""
        if self.tokens is None or self.tokens.game.count_of(self.state, chosen) is None:
            return None
        choices = [chosen, *[each for each in map(self._choice, others) if each is not None]]
        counts = [self.tokens.game.count_of(self.state, each) for each in choices]
        self.counts = self.tokens.within_purses(self.state, [each for each in counts if each is not None])
        self._todo = [*self.counts[1:], *self._todo]
        return self.counts[0]

    def simultaneous(self, event: Event) -> tuple[Event, ...]:
        """Return an event together with those that the same hands make at the same time, and remove these from the
        schedule."""
        if event not in self.counts:
            return (event,)
        with_it = tuple([each for each in self._todo if each in self.counts])
        self._todo = [each for each in self._todo if each not in with_it]
        return (event, *with_it)

    def say_instead(self, counts: Iterable[Event]) -> None:
        """Have seats enter the contents of their hands when the camera cannot count them or miscounts them."""
        assert self.tokens is not None
        self._todo = [*[self.tokens.game.word_of(each) for each in counts], *self._todo]

    def chance_event(self) -> Event | None:
        """Return the next chance event, even if players could act before it; None if there is none."""
        offers: list[Offer] = [offer for offer in legal(self.game, self.state) if offer.chance]
        return offers[int(self.luck() * len(offers)) if len(offers) > 1 else 0].pick(self.luck) if offers else None

    def _as_raise(self, event: Event, without: Collection[Seat]) -> Event:
        """Return a raise in the form people use: mostly by the step of a press, sometimes after one more count."""
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

    def apply(self, event: Event) -> None:
        """Apply an event."""
        self.state = apply(self.game, self.state, event)

    # --- carrying out an event ------------------------------------------------------------------------

    def made_with_cards(self, before: AnyState, event: Event) -> bool:
        """Return whether people carry out an event only with cards, without a press or a tap."""
        if self._by_cards:
            return event.facts.by_cards
        return self.pressing_seats(before, event) is None and self._changes_layout(before, event)

    def made_with_tokens(self, event: Event) -> bool:
        """Return whether people carry out an event only with tokens."""
        return self.tokens is not None and self.tokens.only_tokens(event)

    def claimed_with_tokens(self, event: Event) -> bool:
        """Return whether a seat first lays tokens open for an event and then enters it."""
        return self.tokens is not None and self.tokens.claims(event)

    def shown_on_table(self, before: AnyState, event: Event) -> bool:
        """Return whether people carry out an event on the table, and enter it only if no camera sees it."""
        with_tokens = self.made_with_tokens(event) or self.claimed_with_tokens(event)
        return with_tokens or self.made_with_cards(before, event) or self.only_taken_in_hand(before, event)

    def amount_said(self, event: Event) -> tuple[str, ...]:
        """Return `spoken` if people enter an amount that is said aloud, and `numbers` for other amounts."""
        if not any(isinstance(offer, Amounts) and event in offer for offer in legal(self.game, self.state)):
            return ()
        spoken = tokens_played(self.game) and event.facts.spoken
        return ("spoken",) if spoken else ("numbers",)

    def only_taken_in_hand(self, before: AnyState, event: Event) -> bool:
        """Return whether an event only adds cards to a hand; the camera sees it with the hand's next action."""
        if event.facts.drawing:
            return not self._changes_layout(before, event)
        return bool(self.game.layout(follow(self.game, before, event)).held) and not self._changes_layout(before, event)

    def _changes_layout(self, before: AnyState, event: Event) -> bool:
        now, then = self.game.layout(before), self.game.layout(follow(self.game, before, event))
        return bool(then.differing(now))

    def chance(self, event: Event) -> bool:
        """Return whether an event is due to chance rather than to a decision."""
        return any(offer.chance and event in offer for offer in legal(self.game, self.state))

    def pressing_seats(self, before: AnyState, event: Event) -> tuple[Seat, ...] | None:
        """Return the seats whose presses make an event; None if presses cannot make it."""
        now = before.agenda[0].timing(before.table) if before.agenda else None
        match now:
            case Raising():
                if type(event) is type(now.counted(now.leader, 1)):
                    return (now.leader,) if now.counting == "leader" or not now.count else ()
                if isinstance(event, SeatEvent) and event == now.raised(event.seat, now.price + now.step):
                    return (event.seat,)
            case Unveiling() if event == now.signalled():
                return now.seats
            case Deciding() if event == now.event:
                return (now.seat,)
            case Confirming():
                return next(((seat,) for seat, meant in now.events if meant == event), None)
        return None

    def pause(self, before: AnyState, event: Event) -> float:
        """Return the seconds that people wait before the presses for an event."""
        now = before.agenda[0].timing(before.table)
        if isinstance(now, Raising) and type(event) is type(now.counted(now.leader, 1)):
            milliseconds = USUAL.gap_ms(now) if now.count else USUAL.double_tap_ms
            return max(BREATH, milliseconds / 1000 + MARGIN)
        return BREATH

    def after_break(self, before: AnyState, broken: Event) -> Iterator[AnyState]:
        """Yield the possible states after an interrupted count: at its beginning, or one number further after a
        press."""
        after = follow(self.game, before, broken)
        yield after
        now = before.agenda[0].timing(before.table)
        if isinstance(now, Raising) and now.count > 1:
            yield follow(self.game, after, now.counted(now.leader, 1))

    def tap_for(self, before: AnyState, event: Event) -> TapPage | None:
        """Return the tap that enters an event; None if no tap enters it."""
        shown = self.made_with_cards(before, event) or self.made_with_tokens(event) or self.claimed_with_tokens(event)
        if shown or self.pressing_seats(before, event) is not None:
            return None
        return TapPage(self.tapping_seat(before, event), event)

    def tapping_seat(self, before: AnyState, event: Event) -> Seat | None:
        """Return the seat on whose tablet people enter an event; None: on the shared one."""
        return None if self._is_everybodys(before, event) else seat_of(event)

    def adapt_event(self, before: AnyState, event: Event, shown: PageState) -> Event:
        """Adapt an event to a page that shows the same cards in another order, because people point at the card
        itself."""
        changed: dict[str, object] = {}
        for field, name in event.facts.numbers.items():
            here = public_fields(self.game.view(before, None))[name]
            left = list(enumerate(shown.view[name]))
            said = fields_of(event)[field]
            found = []
            for at in said if isinstance(said, tuple) else (said,):
                other = next((each for each in left if each[1] == here[at]), (at, here[at]))
                left = [each for each in left if each != other]
                found.append(other[0])
            changed[field] = tuple(sorted(found)) if isinstance(said, tuple) else found[0]
        return msgspec.structs.replace(event, **changed)

    def hides_an_act(self, before: AnyState, event: Event) -> bool:
        """Return whether a seat's move of cards may become visible only with the next ones."""
        return self.made_with_cards(before, event) and not self._is_everybodys(before, event)

    def _is_everybodys(self, before: AnyState, event: Event) -> bool:
        """Return whether everybody sees an event, so that anybody may enter it on the shared tablet."""
        return any(offer.chance and event in offer for offer in legal(self.game, before))

    def clear(self, before: AnyState, event: Event, lying: PhysicalTable) -> Iterator[Act]:
        """Yield the moves that clear a finished hand's cards away before people enter an event."""
        after = self.game.layout(follow(self.game, before, event))
        if self.game.layout(before).loose and not after.loose and not self.made_with_cards(before, event):
            away = [move for move in lying.moves(after) if not move.place]
            yield from away
            if away:
                yield Rest()

    def use_tokens(self, before: AnyState, events: Sequence[Event], lying: PhysicalTable) -> Iterator[Act]:
        """Yield the people's acts with tokens for simultaneous events, or before they press for one."""
        event, now = events[0], before.agenda[0].timing(before.table) if before.agenda else None
        if self.tokens is None:
            return
        if self.tokens.only_tokens(event):
            yield from self.tokens.show(before, events, lying.tokens)
        elif self.tokens.claims(event):
            yield from self.tokens.claim(event, lying.tokens)
        elif isinstance(now, Unveiling) and event == now.signalled():
            yield from self.tokens.open_early(now, lying.tokens)

    def settle_tokens(self, lying: PhysicalTable) -> Iterator[Act]:
        """Yield the acts with tokens that settle an event: seats pay, and take back their own.

        Nobody touches tokens while a seat has to enter the contents of its hand.
        """
        if self.tokens is not None and not self._todo:
            yield from self.tokens.settle(self.state, lying.tokens)

    def announce(self, before: AnyState, event: Event) -> Iterator[Act]:
        """Yield the people's presses and taps for an event."""
        seats = self.pressing_seats(before, event)
        if seats is not None:
            yield Rest(self.pause(before, event))
            yield from [PressButton(seat) for seat in seats]
        tapped = self.tap_for(before, event)
        if tapped is not None:
            yield tapped

    def moves(self, before: AnyState, event: Event, lying: PhysicalTable) -> Iterator[Act]:
        """Yield the moves of cards for an event, with rests in between."""
        after = follow(self.game, before, event)
        stands = self.game.layout(before).pieces
        rests = [
            # the event concerns only cards
            rest if rest.pieces else msgspec.structs.replace(rest, pieces=stands)
            for rest in self.game.resting_layouts(before, event, after)
        ]
        by_hand = self.made_with_cards(before, event)
        for layout, briefly in (*[(each, True) for each in rests], (self.game.layout(after), False)):
            moves = () if layout.loose and not by_hand else lying.moves(layout)
            yield from moves
            if moves:
                yield Rest(briefly=briefly)

    def lay_straight(self, lying: PhysicalTable) -> Iterator[Act]:
        """Yield the moves that make the cards match the rules, from any position."""
        layout = self.layout()
        moves = () if layout.loose else lying.moves(layout)
        yield from moves
        if moves:
            yield Rest()

    # --- comparing --------------------------------------------------------------------------------

    def differs(self, shown: PageState, state: AnyState | None = None) -> tuple[str, ...]:
        """Return the fields in which the pages differ from the real state, or from another one."""
        state = state or self.state
        public = public_fields(self.game.view(state, None))
        found = differences(shown.view, public, self.unordered_fields)
        for seat, view in shown.own.items():
            true = own_fields(self.game.view(state, Seat(seat)))
            found += differences(view, true, self.unordered_fields, f"seat {seat + 1}")
        return found


def differences(shown: object, true: object, orderless: Collection[str] = (), name: str = "") -> tuple[str, ...]:
    """Return the paths of the fields in which two pieces of plain data differ; lists in `orderless` have no order."""
    if isinstance(shown, dict) and isinstance(true, dict) and shown.keys() == true.keys():
        found = [differences(shown[key], true[key], orderless, f"{name}.{key}".strip(".")) for key in shown]
        return tuple([path for paths in found for path in paths])
    if isinstance(shown, list | tuple) and isinstance(true, list | tuple) and len(shown) == len(true):
        pairs = (shown, true)
        if name.rpartition(".")[2] in orderless:
            pairs = (sorted(shown, key=_rank), sorted(true, key=_rank))
        found = [differences(a, b, orderless, f"{name}.{at}") for at, (a, b) in enumerate(zip(*pairs, strict=True))]
        return tuple([path for paths in found for path in paths])
    return () if shown == true else (name or "all",)


def _rank(value: object) -> bytes:
    return msgspec.json.encode(value)
