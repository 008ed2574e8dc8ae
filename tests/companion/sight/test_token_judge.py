"""Tokens under the camera: which are taken, asked about, reported or ignored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from companion.engine import Refusal
from companion.match.actor import Actor
from companion.messages import Ready, Sighted, Stopped
from companion.table.sight_records import AcceptedEvents, TokenNotice
from tests.support.coin_table import DOUBT, PLAYERS, A, B, C, CoinTable, coin_table
from tests.support.sealed_coins.rules import (
    BadgeClaimed,
    Confirmed,
    Counted,
    HouseDrawn,
    Recounted,
    Signalled,
)

MONEY = ("seat.1.money", "seat.2.money", "seat.3.money")
ALL = ("house.token", *MONEY)
OPEN_HAND = TokenNotice("open_hand", MONEY[1], B)


@pytest.fixture
def coins(tmp_path: Path) -> Iterator[CoinTable]:
    """Yield a table before the house's token is drawn."""
    with coin_table(tmp_path) as found:
        yield found


@pytest.fixture
def fists(coins: CoinTable) -> CoinTable:
    """Return a table with closed fists, at which the house bids at least 100."""
    coins.lay("house.token", "house-low")
    assert coins.events == [HouseDrawn("house-low")]
    return coins


@pytest.fixture
def opened(fists: CoinTable) -> CoinTable:
    """Return a table right after the signal, with no tokens in front of the seats."""
    fists.signal()
    assert fists.events[-1] == Signalled()
    return fists


# --- taken ----------------------------------------------------------------------------------------


def test_the_house_token_is_taken_at_once_and_shown_with_an_undo(coins: CoinTable) -> None:
    """The house's token is taken at once, and an undo is offered for some seconds."""
    before = coins.shown.seq
    coins.lay("house.token", "house-high")
    assert coins.events == [HouseDrawn("house-high")]
    assert coins.shown.entries[0].by == Actor.CAMERA
    assert coins.sight.accepted == AcceptedEvents((HouseDrawn("house-high"),), before)
    coins.wait(4)
    assert coins.sight.accepted is None


def test_sums_are_proposed_and_each_is_confirmed_with_a_press(opened: CoinTable) -> None:
    """Sums are counted from one reading, and each is confirmed by its seat's press."""
    opened.lying |= {MONEY[0]: ("money-500", "money-50", "money-50"), MONEY[1]: ("money-500",)}
    opened.look(6)
    assert opened.events[2:] == [Counted(A, 600), Counted(B, 500), Counted(C, 0)]
    for seat in (A, B, C):
        opened.say(Confirmed(seat), Actor.at_seat(seat))
    assert opened.shown.state is not None and opened.shown.state.table.cash == (400, 1000, 1000)
    assert opened.sight.accepted is None


def test_an_empty_place_counts_only_after_a_while(opened: CoinTable) -> None:
    """An empty place counts as zero only after a while, because hands may still be moving."""
    opened.look()
    assert opened.events[-1] == Signalled()
    opened.lay(MONEY[1], "money-500")
    assert opened.events[2:] == [Counted(B, 500)]
    opened.lay(MONEY[0], "money-500")
    opened.wait(6)
    assert opened.events[2:] == [Counted(B, 500), Counted(A, 500), Counted(C, 0)]


def test_old_money_is_no_count_though_no_camera_saw_the_fists_close(coins: CoinTable) -> None:
    """Money that lay there before the signal does not count, even after the camera was lost."""
    coins.lay(MONEY[1], "money-500")
    coins.observer.accept_reading(None)
    coins.wait()
    coins.say(HouseDrawn("house-low"))
    coins.signal()
    coins.look()
    assert coins.events[-1] == Signalled()
    coins.lay(MONEY[1], "money-500", "money-50")
    assert coins.events[-1] == Counted(B, 550)


def test_an_empty_place_does_not_count_while_something_moves(opened: CoinTable) -> None:
    """An empty place does not count while something moves, because there is no new reading."""
    opened.look()
    opened.observer.accept_moving(True)
    opened.wait(10)
    assert opened.events[-1] == Signalled()
    opened.observer.accept_moving(False)
    opened.wait()
    assert opened.events[2:] == [Counted(B, 0), Counted(C, 0)]


def test_a_reading_from_before_the_signal_counts_nothing(fists: CoinTable) -> None:
    """A reading from before the signal counts nothing, even if it is delivered later."""
    fists.lying[MONEY[1]] = ("money-500",)
    late = fists.reading(MONEY)
    fists.signal()
    fists.observer.accept_reading(late)
    fists.wait(10)
    assert fists.events[-1] == Signalled()
    fists.look()
    assert fists.events[2:] == [Counted(B, 500), Counted(C, 0)]


def test_a_closed_place_says_nothing_even_if_the_camera_reads_it(fists: CoinTable) -> None:
    """A place that may not be read has no effect, even if the camera reads it."""
    before = fists.sight
    fists.lying |= {MONEY[1]: ("money-500",), MONEY[2]: (DOUBT,)}
    fists.now += 1
    fists.observer.accept_reading(fists.reading((*fists.readable(), *MONEY)))
    fists.wait(10)
    assert (fists.sight, fists.events[-1]) == (replace(before, accepted=None), HouseDrawn("house-low"))


def test_a_refused_sum_is_counted_again_without_its_reason(opened: CoinTable) -> None:
    """A sum above the seat's money is counted again, and only that seat learns why."""
    opened.lay(MONEY[1], *["money-500"] * 3)
    assert opened.events[-1] == Signalled()
    opened.wait(2.5)
    assert opened.notices == [TokenNotice("again", MONEY[1], B)]
    assert opened.sight.reasons == ((B, Refusal("S-1", "too_much", {"cash": 1000}, B)),)
    opened.look(1)
    assert opened.notices == [TokenNotice("again", MONEY[1], B)]
    opened.lay(MONEY[1], "money-500")
    assert (opened.events[-1], opened.notices, opened.sight.reasons) == (Counted(B, 500), [], ())


def test_one_reading_is_counted_once(opened: CoinTable) -> None:
    """A recount needs a new reading."""
    opened.lay(MONEY[1], "money-500")
    opened.say(Recounted(B))
    opened.wait(5)
    assert opened.events[2:4] == [Counted(B, 500), Recounted(B)]
    opened.lay(MONEY[1], "money-500", "money-50")
    assert opened.events[-1] == Counted(B, 550)


def test_nothing_is_taken_again_after_an_undo(coins: CoinTable) -> None:
    """After an undo a token is taken again only when it has changed."""
    coins.lay("house.token", "house-low")
    assert coins.table.ask_undo(0, Actor.HOST).accepted
    for seat in (A, B, C):
        coins.table.consent(seat, True)
    coins.look(5)
    assert coins.events == [] and coins.sight.waits
    coins.lay("house.token", "house-high")
    assert coins.events == [HouseDrawn("house-high")] and not coins.sight.waits


def test_somebody_says_that_it_is_right_as_it_lies(coins: CoinTable) -> None:
    """After an undo a token is taken again if somebody accepts it as it lies."""
    coins.lay("house.token", "house-low")
    coins.table.ask_undo(0, Actor.HOST)
    for seat in (A, B, C):
        coins.table.consent(seat, True)
    coins.look(1)
    coins.observer.accept_as_it_lies()
    coins.wait()
    assert coins.events == [HouseDrawn("house-low")]


def test_a_pause_takes_nothing_and_opens_nothing(coins: CoinTable) -> None:
    """During a pause the readable places stay and nothing is taken until play goes on."""
    before = coins.readable()
    coins.table.pause(Actor.HOST)
    assert coins.readable() == before != ()
    coins.lay("house.token", "house-low")
    assert coins.events == []
    coins.table.unpause(Actor.HOST)
    coins.wait()
    assert coins.events == [HouseDrawn("house-low")]


# --- open hands and old money ---------------------------------------------------------------------


def test_an_open_hand_is_said_at_once_and_cannot_be_ready(fists: CoinTable) -> None:
    """A seat with an open hand cannot be ready and is told why, until it closes the hand."""
    fists.open_hands = (MONEY[1],)
    fists.look()
    assert fists.notices == [OPEN_HAND]
    fists.press(B)
    assert fists.told == [(B, Refusal("R-00", "hand_open", {}))] and fists.shown.ready == ()
    fists.open_hands = ()
    fists.look()
    assert fists.notices == []
    fists.press(B)
    assert fists.shown.ready == (B,)


def test_an_open_hand_stops_the_countdown(fists: CoinTable) -> None:
    """An open hand stops the countdown, and its seat is awaited again."""
    for seat in (A, B, C):
        fists.press(seat)
    assert fists.shown.ready == (A, B, C)
    fists.cues.clear()
    fists.open_hands = (MONEY[1],)
    fists.look()
    assert fists.cues == [Ready(seats=(A, C), waiting=(B,)), Stopped()]
    fists.wait(10)
    assert fists.events == [HouseDrawn("house-low")]


def test_an_open_hand_of_before_the_signal_is_forgotten_with_it(fists: CoinTable) -> None:
    """A reading of an open hand from before the signal is ignored when it arrives later."""
    fists.open_hands = (MONEY[1],)
    late = fists.reading()
    fists.open_hands = ()
    fists.signal()
    fists.observer.accept_reading(late)
    fists.wait()
    assert fists.notices == []


def test_old_money_must_be_taken_back_before_fists_close(coins: CoinTable) -> None:
    """Old money is reported after a while, and its seat cannot be ready until the place is empty."""
    coins.lay(MONEY[1], "money-500", "money-50")
    assert coins.notices == []
    coins.wait(2.5)
    back = TokenNotice("take_back", MONEY[1], B, 550)
    assert coins.notices == [back]
    coins.lay("house.token", "house-low")
    assert coins.notices == [back]
    coins.press(B)
    assert coins.told == [(B, Refusal("R-00", "money_first", {}))]
    coins.lay(MONEY[1])
    coins.press(B)
    assert (coins.notices, coins.shown.ready) == ([], (B,))


def test_a_seat_says_that_it_took_its_old_money_back(coins: CoinTable) -> None:
    """A seat can declare that it took its old money back, because the camera may no longer look."""
    coins.lay(MONEY[1], "money-50", seconds=3)
    coins.lay("house.token", "house-low")
    coins.observer.accept_in_order(A)
    coins.wait()
    assert coins.notices == [TokenNotice("take_back", MONEY[1], B, 50)]
    coins.observer.accept_in_order(B)
    coins.wait()
    assert coins.notices == []
    coins.open_hands = (MONEY[1],)
    coins.look()
    assert [each.key for each in coins.notices] == ["open_hand"]  # the declaration is only about old money


# --- reported -------------------------------------------------------------------------------------


def test_a_doubtful_place_is_to_be_spread_while_its_count_is_awaited(opened: CoinTable) -> None:
    """If tokens of an awaited count are covered, their seat is asked to spread them."""
    opened.lying |= {MONEY[0]: ("money-500",), MONEY[1]: ("money-500", DOUBT)}
    opened.look(2.5)
    assert opened.events[2:] == [Counted(A, 500)]
    assert opened.notices == [TokenNotice("spread", MONEY[1], B)]
    opened.lay(MONEY[1], "money-500", "money-50")
    assert (opened.events[3], opened.notices) == (Counted(B, 550), [])
    opened.lay(MONEY[1], DOUBT, seconds=3)
    assert [each.key for each in opened.notices] == []


def test_an_edge_is_to_be_kept_free_while_a_count_is_awaited(opened: CoinTable) -> None:
    """If a token covers the edge of an awaited place, its seat is asked to keep the edge free."""
    opened.lying |= {MONEY[0]: ("money-500",), MONEY[1]: ("money-500", "money-50")}
    opened.edges_hidden = (MONEY[1],)
    opened.look(2.5)
    assert opened.events[2:] == [Counted(A, 500)]
    assert opened.notices == [TokenNotice("edge", MONEY[1], B)]
    opened.edges_hidden = ()
    opened.look()
    assert (opened.events[3], opened.notices) == (Counted(B, 550), [])
    opened.edges_hidden = (MONEY[1],)
    opened.look(3)
    assert [each.key for each in opened.notices] == []


def test_a_hand_that_never_leaves_is_asked_to(opened: CoinTable) -> None:
    """If a hand stays over the table during a count, it is asked to leave, but not after the last count."""
    opened.lying |= {place: ("money-500",) for place in MONEY}
    opened.observer.accept_moving(True)
    opened.wait(7.5)
    assert opened.notices == []
    opened.wait(1)
    assert opened.notices == [TokenNotice("hands")]
    opened.observer.accept_moving(False)
    opened.look()
    assert (opened.events[2:], opened.notices) == ([Counted(seat, 500) for seat in (A, B, C)], [])
    opened.observer.accept_moving(True)
    opened.wait(20)
    opened.wait(20)
    assert opened.notices == []


def test_every_edge_may_be_hidden(opened: CoinTable) -> None:
    """If the edges of all places are covered, every bidder is asked."""
    opened.edges_hidden = MONEY
    opened.look(2.5)
    assert opened.notices == [TokenNotice("edge", MONEY[seat], seat) for seat in (A, B, C)]


def test_a_mat_without_places_for_tokens_has_no_hidden_edges(opened: CoinTable) -> None:
    """A mat without places for tokens reports no covered edges."""
    opened.edges_hidden = tuple([place.name for place in opened.game.token_places(PLAYERS)])
    opened.look(10)
    assert opened.notices == []


def test_the_house_token_cannot_be_read(coins: CoinTable) -> None:
    """If the house's token cannot be read, its place is reported without a seat."""
    coins.lay("house.token", "back-house", seconds=2.5)
    assert coins.notices == [TokenNotice("spread", "house.token")]


def test_a_doubt_that_stops_nothing_is_left_alone(coins: CoinTable) -> None:
    """A doubtful place is not reported if no count is awaited."""
    coins.lay(MONEY[1], DOUBT, seconds=5)
    assert coins.notices == []


def test_tokens_that_move_after_their_count_are_announced(opened: CoinTable) -> None:
    """Tokens that change after their count are reported, and the count stays until the seat asks for another."""
    opened.lay(MONEY[1], "money-500", "money-50")
    opened.lay(MONEY[1], "money-500", "money-500", seconds=2.5)
    assert opened.events[2:] == [Counted(B, 550)]
    assert TokenNotice("moved", MONEY[1], B, 1000) in opened.notices
    opened.lay(MONEY[1], "money-50", "money-500")
    assert [each for each in opened.notices if each.key == "moved"] == []


def test_tokens_that_come_after_their_count_and_cannot_be_read_are_to_be_spread(opened: CoinTable) -> None:
    """If tokens added after the count are covered, their seat is asked to spread them, and then the sum is reported."""
    opened.lay(MONEY[1], "money-50")
    opened.lay(MONEY[1], "money-50", DOUBT, seconds=2.5)
    assert opened.notices == []
    opened.lay(MONEY[1], "money-50", "money-500", DOUBT, seconds=2.5)
    assert Counted(B, 50) in opened.events and Counted(B, 550) not in opened.events
    assert TokenNotice("spread", MONEY[1], B) in opened.notices
    opened.lay(MONEY[1], "money-50", "money-500", "money-500", seconds=3)
    assert [each for each in opened.notices if each.seat == B] == [TokenNotice("moved", MONEY[1], B, 1050)]


def test_money_that_disappears_after_the_sale_is_no_event(opened: CoinTable) -> None:
    """Money that is taken away after the sale is not reported."""
    opened.lying |= {MONEY[0]: ("money-500",), MONEY[1]: ("money-500", "money-50")}
    opened.look(6)
    for seat in (A, B, C):
        opened.say(Confirmed(seat))
    for place in MONEY[:2]:
        opened.lay(place, seconds=3)
        assert [each for each in opened.notices if each.seat == B] == []
    assert opened.notices == []


def test_a_payment_that_is_not_complete_is_said_until_it_was(opened: CoinTable) -> None:
    """An incomplete payment is reported until the whole amount has lain there."""
    opened.lying |= {MONEY[0]: ("money-50", "money-50"), MONEY[1]: ("money-500", "money-50")}
    opened.look(6)
    opened.lay(MONEY[1], "money-500")
    for seat in (A, B, C):
        opened.say(Confirmed(seat))
    opened.wait(2.5)
    assert TokenNotice("pays", MONEY[1], B, 500, 550) in opened.notices
    opened.lay(MONEY[1], "money-500", "money-50")
    opened.lay(MONEY[1], "money-50", seconds=3)
    assert [each for each in opened.notices if each.key == "pays"] == []
    assert TokenNotice("take_back", MONEY[1], B, 50) in opened.notices


def test_money_of_a_seat_that_takes_no_part(tmp_path: Path) -> None:
    """Money in front of a seat that takes no part is reported."""
    with coin_table(tmp_path, purses=(1000, 1000, 0)) as coins:
        coins.lay("house.token", "house-low")
        coins.signal()
        coins.lay(MONEY[2], "money-50", seconds=2.5)
        assert coins.notices == [TokenNotice("not_playing", MONEY[2], C, 50)]


def test_two_tokens_of_the_house(coins: CoinTable) -> None:
    """A second token of the house is reported and not taken."""
    coins.lay("house.token", "house-low", "house-high", seconds=2.5)
    assert coins.notices == [TokenNotice("two_tokens", "house.token")]


def test_an_order_token_that_is_not_its_seats(coins: CoinTable) -> None:
    """A token with another seat's number is reported, and a missing one is not."""
    coins.lay("seat.1.order", "order-1")
    coins.lay("seat.2.order", "order-1", seconds=2.5)
    assert coins.notices == [TokenNotice("sequence", "seat.2.order", B)]


def test_a_notice_outlasts_new_figures_but_not_its_cause(coins: CoinTable) -> None:
    """A notice is updated with a new sum and ends with its cause."""
    coins.lay(MONEY[1], "money-50", seconds=2.5)
    coins.lay(MONEY[1], "money-50", "money-50")
    assert coins.notices == [TokenNotice("take_back", MONEY[1], B, 100)]
    coins.lay(MONEY[1])
    assert coins.notices == []


# --- asked about ----------------------------------------------------------------------------------


def test_a_claim_is_taken_with_a_press_of_its_seat(fists: CoinTable) -> None:
    """While a press means readiness, a claim is taken by a tap of its seat."""
    fists.lay("seat.2.badge", "badge")
    assert fists.sight.claims == (BadgeClaimed(B),)
    assert fists.events == [HouseDrawn("house-low")]
    fists.press(B)
    assert fists.shown.ready == (B,)
    assert fists.observer.take_claim(BadgeClaimed(B), Actor.at_seat(A)).accepted is False
    assert fists.observer.take_claim(BadgeClaimed(B), Actor.at_seat(B)).accepted
    fists.wait()
    assert fists.sight.claims == () and fists.events[-1] == BadgeClaimed(B)
    assert fists.observer.take_claim(BadgeClaimed(B), Actor.at_seat(B)).stale


def test_a_press_that_means_nothing_else_takes_a_claim(coins: CoinTable) -> None:
    """If a press has no other meaning, the seat's press takes its claim."""
    coins.lay("seat.2.badge", "badge")
    coins.press(C)
    assert coins.events == []
    coins.press(B)
    assert coins.events == [BadgeClaimed(B)]
    assert coins.shown.entries[0].by == Actor.at_seat(B)


def test_a_lost_camera_says_nothing(opened: CoinTable) -> None:
    """If the camera is lost, its notices are removed."""
    opened.lay(MONEY[1], DOUBT, seconds=2.5)
    assert opened.notices != []
    opened.observer.accept_reading(None)
    opened.wait()
    assert (opened.notices, opened.sight.active) == ([], False)


# --- a camera that reads too much -----------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_only_what_lay_there_after_the_signal_is_ever_counted(tmp_path: Path, seed: int) -> None:
    """Only sums that lay there at or after the signal are counted, even if the camera reads at all times."""
    luck = Random(seed)
    with coin_table(tmp_path) as coins:
        seen: list[tuple[int, str, int]] = []
        waiting: list[Sighted] = []
        coins.lay("house.token", "house-low")
        before, signalled = len(coins.events), 0
        for step in range(120):
            coins.now += luck.randrange(10**9)
            place = luck.choice(MONEY)
            coins.lying[place] = ("money-50",) * luck.randrange(5)
            waiting.append(coins.reading(ALL))
            seen.append((coins.now, place, 50 * len(coins.lying[place])))
            if luck.random() < 0.7:
                coins.observer.accept_reading(waiting.pop(luck.randrange(len(waiting))))
            if step == 60:
                coins.table.propose(Signalled(), Actor.REFEREE)
                signalled, before = coins.shown.at, len(coins.events)
            coins.wait()
            if not signalled:
                assert coins.events == [HouseDrawn("house-low")] and coins.notices == []
        lay = {(place, amount) for at, place, amount in lying_since(seen, signalled)}
        counted = {(MONEY[each.seat], each.amount) for each in coins.events[before:] if isinstance(each, Counted)}
        assert counted and counted <= lay


def lying_since(seen: list[tuple[int, str, int]], signalled: int) -> list[tuple[int, str, int]]:
    """Return the sums that lay at each place at the signal or later."""
    last = {place: (at, place, amount) for at, place, amount in seen if at < signalled}
    return [*last.values(), *[each for each in seen if each[0] >= signalled]]
