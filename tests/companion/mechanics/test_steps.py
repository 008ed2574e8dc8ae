"""Each ready-made step works in a game of a few lines."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.engine import Amounts, Choice, Effect, Event, Layout, Seat, SeatEvent, Spot, State, Turn, begin
from companion.mechanics import steps
from companion.mechanics.hands import SeveralHands
from companion.mechanics.plain import PlainGame
from companion.mechanics.sealed import ChoicesOpened
from companion.mechanics.zones import HIDDEN, OPEN, Zones, only
from companion.mechanics.zones_game import ZonesGame, ZonesTable, hand_of, with_zones
from tests.games.playing import Playing

A, B, C = Seat(0), Seat(1), Seat(2)
MARKET = ("market.1", "market.2")


class Dealt(Event, frozen=True):
    """Hands of two cards were dealt."""

    cards: tuple[str, ...]


class Turned(Event, frozen=True):
    """The trump was turned up."""

    card: str


class Sealed(SeatEvent, frozen=True):
    """A seat sealed a bid."""

    amount: int


class Bid(SeatEvent, frozen=True):
    """A seat bid."""

    amount: int


class Passed(SeatEvent, frozen=True):
    """A seat passed."""


class Seen(SeatEvent, frozen=True):
    """A seat's card was seen."""

    card: str


class Called(SeatEvent, frozen=True):
    """The dealer called the next hand."""


class Drawn(SeatEvent, frozen=True):
    """A seat drew these cards."""

    cards: tuple[str, ...]


class Shuffled(SeatEvent, frozen=True):
    """A seat shuffled the discard."""


class Remade(Effect, frozen=True):
    """The discard became the pile."""

    count: int


class Named(Event, frozen=True):
    """Lots named the first player."""

    seat: Seat


class Table(ZonesTable, frozen=True):
    """A table with zones, recorded results and a match in which the second seat deals."""

    told: tuple[Any, ...] = ()
    match: SeveralHands = SeveralHands(3, 3, 2, first_dealer=B)


class Deal(steps.Deal[Table], frozen=True):
    """A deal of two cards for each hand."""

    kind = Dealt

    def counts(self, table: Table) -> dict[str, int]:
        """Return two for each hand."""
        return {hand_of(seat): 2 for seat in (A, B)}


class Turn_(steps.TurnUp[Table], frozen=True):
    """The turn-up of the trump."""

    kind = Turned

    def cards(self, table: Table) -> tuple[str, ...]:
        """Return the pile."""
        return table.zones.kinds("pile")

    def turned(self, table: Table, card: str) -> Turn[Table]:
        """Put the card face up as the trump."""
        return msgspec.structs.replace(table, zones=table.zones.draw("pile", "trump", 1, (card,))), (), ()


class Seal(steps.SecretChoice[Table, Sealed], frozen=True):
    """Sealed bids of 1 to 5."""

    def choices(self, table: Table, seat: Seat) -> Amounts:
        """Return the amounts 1 to 5."""
        return Amounts(seat, Sealed, 1, 5, 1)

    def opened(self, table: Table, chosen: tuple[Sealed, ...]) -> Turn[Table]:
        """Record the amounts."""
        return msgspec.structs.replace(table, told=tuple([each.amount for each in chosen])), (), ()


class Open(steps.OpenTogether[Table], frozen=True):
    """The opening of real cards."""

    kind = Seen

    def cards(self, table: Table, seat: Seat) -> tuple[str, ...]:
        """Return the cards that the hand may hold."""
        return table.zones.kinds(hand_of(seat))

    def seen(self, table: Table, event: SeatEvent) -> Table:
        """Move the card from the hand to the table."""
        assert isinstance(event, Seen)
        zones = table.zones.move(hand_of(event.seat), "trump", event.card)
        return msgspec.structs.replace(table, zones=zones)

    def opened(self, table: Table) -> Turn[Table]:
        """Record the opening."""
        return msgspec.structs.replace(table, told=("open",)), (), ()


class Auction(steps.BiddingInTurn[Table], frozen=True):
    """An auction with bids in steps of ten, up to 35."""

    bid, passed, step = Bid, Passed, 10

    def most(self, table: Table, seat: Seat) -> int:
        """Return the seat's money: 5 for seat C, else 35."""
        return 5 if seat == C else 35

    def sold(self, table: Table, buyer: Seat | None, price: int) -> Turn[Table]:
        """Record buyer and price."""
        return msgspec.structs.replace(table, told=(buyer, price)), (), ()


class Next(steps.NextHand[Table], frozen=True):
    """The next hand, dealt by the second seat."""

    kind = Called

    def begun(self, table: Table) -> Turn[Table]:
        """Return the step that deals."""
        return table, (Deal(),), ()


class Fill(steps.Refill[Table], frozen=True):
    """The refill of a market of two places."""

    kind = Turned

    def cards(self, table: Table) -> tuple[str, ...]:
        """Return the pile."""
        return table.zones.kinds("pile")

    def empty(self, table: Table) -> list[str]:
        """Return the places without a card."""
        return [place for place in MARKET if not table.zones.count(place)]

    def filled(self, table: Table, place: str, card: str) -> Table:
        """Put the card from the pile at the place."""
        return with_zones(table, table.zones.draw("pile", place, 1, (card,)))


class DealCards(steps.DealCards[Table], frozen=True):
    """A draw of cards that the companion deals."""

    kind = Drawn

    def shuffled(self, table: Table) -> tuple[Effect, ...]:
        """Return the effect of the shuffle."""
        return (Remade(table.zones.count("discard")),)


class Shuffle(steps.Shuffle[Table], frozen=True):
    """A shuffle of real cards by people."""

    kind = Shuffled

    def shuffled(self, table: Table) -> tuple[Effect, ...]:
        """Return the effect of the shuffle."""
        return (Remade(table.zones.count("discard")),)


class DrawCards(steps.DrawFromPile[Table], frozen=True):
    """A draw of dealt or real cards."""

    deal, shuffle = DealCards, Shuffle


class Begin(steps.FirstPlayer[Table], frozen=True):
    """Lots drawn by three seats."""

    kind = Named

    def players(self, table: Table) -> int:
        """Return the number of players."""
        return 3

    def named(self, table: Table, seat: Seat) -> Turn[Table]:
        """Record the seat."""
        return msgspec.structs.replace(table, told=(seat,)), (), ()


class Tiny(ZonesGame[Table]):
    """A game of one step."""

    name = "tiny"
    seats = range(2, 4)
    events: Any = Dealt | Turned | Sealed | Bid | Passed | Seen | Called | Drawn | Shuffled | Named

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return 0 for each of three seats."""
        return (0, 0, 0)

    def places(self, players: int) -> tuple[Any, ...]:
        """Return no places."""
        return ()


GAME = Tiny()
PLAYING: Playing[Table] = Playing(GAME)
why, after = PLAYING.why, PLAYING.after


def start(*agenda: Any, dealt: bool = True) -> State[Table]:
    """Return a game that begins with the given steps."""
    hands = {hand_of(seat): only(seat) for seat in (A, B, C)}
    open_zones = dict.fromkeys(("trump", "discard", *MARKET), OPEN)
    zones = Zones.of({"pile": HIDDEN, **open_zones, **hands}, {"pile": tuple("abcdef")})
    return begin(GAME, Table(dealt, zones), agenda)


def test_the_companion_deals_and_nobody_reads_it() -> None:
    """Dealt cards are visible only to their own seat, and the event conceals them."""
    state = start(Deal())
    event = Dealt(("a", "b", "c", "d"))
    assert GAME.secret(state, event) == ("cards",)
    state = after(state, event)
    assert GAME.view(state, A).own_cards == ("a", "b") and GAME.view(state, B).own_cards == ("c", "d")
    assert GAME.view(state, None).own_cards == () and GAME.view(state, None).hands == (2, 2, 0)
    assert GAME.reveals(event, state)


def test_people_deal_real_cards_unseen() -> None:
    """A deal of real cards needs no event, and no card is known."""
    table, agenda = Deal().begin(start(Deal(), dealt=False).table)
    assert agenda == () and table.zones.count(hand_of(A)) == 2 and table.zones.named(hand_of(A)) == ()


def test_the_next_card_turns_up() -> None:
    """Only a card of the pile can turn up, and it then lies open."""
    state = start(Turn_())
    assert why(state, Turned("x")) == ("R-00", "card_not_offered", None)
    assert GAME.view(after(state, Turned("c")), None).lying == {"trump": ("c",)}


def test_a_secret_choice_may_change_until_all_have_chosen() -> None:
    """A secret choice can change until all have chosen, and then each seat's last choice becomes public."""
    state = after(start(Seal((A, B))), Sealed(A, 2), Sealed(A, 5))
    assert state.agenda[0].awaits(state.table) == (B,) and GAME.has_sealed(state)
    assert GAME.secret(state, Sealed(A, 5)) == ("amount",)
    assert GAME.sealing_events(state, A, [Sealed(A, 5), Sealed(A, 2)]) == (0,)
    assert GAME.sealing_events(state, B, [Sealed(A, 5), Sealed(A, 2)]) == ()
    for viewer in (None, B):
        assert GAME.view(state, viewer) == GAME.view(after(start(Seal((A, B))), Sealed(A, 3)), viewer)
    assert GAME.veiled_view(state, A).offers == GAME.view(start(Seal((A, B))), A).offers
    assert why(state, Sealed(B, 6)) == ("R-00", "amount_out_of_range", B)
    opened = after(state, Sealed(B, 1))
    assert opened.table.told == (5, 1) and opened.effects == (ChoicesOpened((A, B)),)
    assert not GAME.reveals(Sealed(A, 5), state) and GAME.reveals(Sealed(B, 1), opened)
    back = [Sealed(B, 1), Sealed(A, 5), Sealed(A, 2)]
    assert GAME.newly_public(back, opened.effects) == (0, 1) and GAME.newly_public(back, ()) == ()


def test_real_cards_are_turned_over_in_any_order() -> None:
    """Opened cards can be entered in any order of seats, and the last one ends the step."""
    table, _ = Deal().begin(start(dealt=False).table)
    state = begin(GAME, table, (Open((A, B)),))
    assert not after(state, Seen(B, "c")).table.told
    assert after(state, Seen(B, "c"), Seen(A, "a")).table.told == ("open",)
    assert why(after(state, Seen(B, "c")), Seen(A, "c")) == ("R-00", "card_not_offered", A)
    assert why(after(state, Seen(B, "c")), Seen(B, "a")) == ("R-00", "not_your_turn", None)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ([Bid(A, 10), Passed(B)], (A, 10)),
        ([Passed(A), Passed(B)], (None, 0)),
        ([Passed(A), Bid(B, 10)], (B, 10)),
        ([Bid(A, 10), Bid(B, 30), Passed(A)], (B, 30)),
    ],
)
def test_the_last_one_left_buys(said: list[SeatEvent], told: tuple[Any, ...]) -> None:
    """The last seat that has not passed buys, unless all have passed."""
    assert after(start(Auction((A, B))), *said).table.told == told


def test_bids_are_refused_by_their_bounds() -> None:
    """A bid is refused if it is too low, no multiple, above the purse or out of turn."""
    state = after(start(Auction((A, B, C))), Bid(A, 10))
    for amount in (10, 25, 40):
        assert why(state, Bid(B, amount)) == ("R-00", "amount_out_of_range", B)
    assert why(state, Bid(A, 20)) == ("R-00", "not_your_turn", None)
    poor = after(state, Bid(B, 20))
    assert why(poor, Bid(C, 30)) == ("R-00", "cannot_pay", C)
    assert list(poor.agenda[0].legal(poor.table)) == [Choice(C, (Passed(C),))]
    assert state.agenda[0].timing(state.table).event == Passed(B)  # type: ignore[union-attr]


def test_a_market_is_refilled_until_no_place_or_no_card_is_left() -> None:
    """A market is refilled card by card, until it is full or the pile is empty."""
    seen = Layout({"market.1": Spot(("c",))})
    assert list(GAME.candidate_events(start(Fill()), Layout({}), seen)) == [Turned("c")]
    state = after(start(*Fill().begin(start().table), Next()), Turned("c"))
    assert isinstance(state.agenda[0], Fill) and why(state, Turned("c")) == ("R-00", "card_not_offered", None)
    state = after(state, Turned("a"))
    assert GAME.view(state, None).lying == {"market.1": ("c",), "market.2": ("a",)} and state.agenda == (Next(),)
    assert Fill().begin(state.table) == ()
    taken = with_zones(state.table, state.table.zones.move("market.1", "trump", "c"))
    assert list(Fill().begin(taken)[0].legal(taken)[0]) == [Turned(card) for card in "bdef"]
    bare = with_zones(taken, taken.zones.draw("pile", hand_of(A), 4, tuple("bdef")))
    assert Fill().begin(bare) == ()


def drawing(count: int, pile: int, discard: str, *, dealt: bool = True) -> State[Table]:
    """Return a game in which seat A draws, with the given number of cards in the pile."""
    table = start(dealt=dealt).table
    zones = table.zones.move("pile", "discard", *discard)
    zones = zones.draw("pile", hand_of(B), zones.count("pile") - pile)
    return begin(GAME, with_zones(table, zones), (DrawCards(A, count), Next()))


def test_the_companion_deals_what_a_seat_draws() -> None:
    """Drawn cards are visible only to their seat, and the discard is reshuffled if the pile is too small."""
    state = drawing(2, pile=4, discard="")
    assert state.agenda[0] == DealCards(A, 2) and state.agenda[0].awaits(state.table) == ()
    assert GAME.secret(state, Drawn(A, ("a", "b"))) == ("cards",)
    state = after(state, Drawn(A, ("a", "b")))
    assert GAME.view(state, A).own_cards == ("a", "b") and state.agenda == (Next(),) and not state.effects
    state = drawing(9, pile=1, discard="ab")
    assert state.agenda[0] == DealCards(A, 3), "as many as there are"
    (card, *_) = state.table.zones.remaining("pile")
    state = after(state, Drawn(A, (card, "b", "a")))
    assert state.effects == (Remade(2),) and state.table.zones.count("discard") == 0
    assert drawing(2, pile=0, discard="").agenda == (Next(),), "there is nothing to draw"


def test_people_draw_real_cards_unseen_and_shuffle() -> None:
    """Real cards are drawn unseen, and the rest of a draw follows after the discard is shuffled."""
    state = drawing(2, pile=4, discard="", dealt=False)
    assert state.agenda == (Next(),) and GAME.view(state, A).hands == (2, 2, 0)
    assert GAME.view(state, A).own_cards == ()
    state = drawing(2, pile=1, discard="abc", dealt=False)
    assert state.agenda[0] == Shuffle(A) and state.agenda[0].awaits(state.table) == (A,)
    assert why(state, Shuffled(B)) == ("R-00", "not_your_turn", None)
    assert list(GAME.candidate_events(state, Layout({}), Layout({}))) == [Shuffled(A)]
    assert state.table.zones.count(hand_of(A)) == 1
    state = after(state, Shuffled(A))
    assert state.effects == (Remade(3),) and state.agenda == (Next(),)
    assert (state.table.zones.count(hand_of(A)), state.table.zones.count("pile")) == (2, 2)


def test_cards_that_the_companion_knows_need_no_chance() -> None:
    """A card that the companion knows on top of the pile is drawn at once."""
    table = start().table
    zones = table.zones.move("pile", "trump", "f").move("trump", "pile", "f")
    state = begin(GAME, with_zones(table, zones), (DrawCards(A, 1), Next()))
    assert GAME.view(state, A).own_cards == ("f",) and state.agenda == (Next(),)


def test_the_dealer_begins_another_hand() -> None:
    """Only the dealer can begin the next hand."""
    state = start(Next())
    assert why(state, Called(A)) == ("R-00", "not_your_turn", None)
    assert [type(step) for step in after(state, Called(B)).agenda] == [Deal]


def test_lots_say_who_begins() -> None:
    """Lots can name any existing seat and wait for no particular one."""
    state = start(Begin())
    (offer,) = state.agenda[0].legal(state.table)
    assert offer.chance and list(offer) == [Named(A), Named(B), Named(C)]
    assert state.agenda[0].awaits(state.table) == ()
    assert why(state, Named(Seat(3))) == ("R-00", "unknown_seat", None)
    assert after(state, Named(C)).table.told == (C,)


def test_a_game_without_its_own_answers_says_so() -> None:
    """A method that a game does not implement raises NotImplementedError."""
    with pytest.raises(NotImplementedError):
        steps.TurnUp[Any]().cards(None)
    with pytest.raises(NotImplementedError):
        PlainGame.layout(GAME, start())
