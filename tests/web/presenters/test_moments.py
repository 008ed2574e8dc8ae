"""Test the content of moments: the order of fists, growing sums, sales, and cards that turn over."""

from __future__ import annotations

import pytest

from companion.engine import Seat
from companion.games.take_a_train import events as ev
from companion.mechanics.moments import CardTurned, FistReveal, Income, IncomePart, Sale, sales
from tests.support.finished import finished
from web.presenters.moments import Fist, earnings, fists, moments_of
from web.words import package, words

A, B, C, D = (Seat(seat) for seat in range(4))


def test_the_winner_s_fist_opens_last_even_if_another_holds_more() -> None:
    """The winner's fist opens last, even if another one holds more, as the sums decide in Double Blind."""
    shown = fists(FistReveal((300, 100, None, 200), Sale(B, 900)))
    assert shown == (Fist(A, 2, 300, False), Fist(B, 3, 100, True), Fist(D, 1, 200, False))


def test_tied_fists_open_last() -> None:
    """Equal highest bidders open last, one after the other."""
    shown = fists(FistReveal((300, 300, 100, 200), tied=(A, B)))
    assert [(fist.seat, fist.beat, fist.best) for fist in shown] == [
        (0, 3, True),
        (1, 4, True),
        (2, 1, False),
        (3, 2, False),
    ]


def test_money_counts_up_from_train_to_train() -> None:
    """The sum of a seat's second train continues from the first one's, and ends at the true sum."""
    say = words("en", package(finished("take-a-train", 3).game))
    parts = [((A,), 700), ((B,), 100), ((A,), 350)]
    shown = earnings([IncomePart(seats, amount, "source.train", {"number": 1}) for seats, amount in parts], say)
    assert [(each.beat, each.sums[0], each.sums[-1]) for each in shown] == [(1, 0, 700), (2, 0, 100), (3, 700, 1050)]
    assert {each.name for each in shown} == {"train 1"}


def test_several_sales_at_once_are_no_moment() -> None:
    """A single sale is a moment; several at once, as in Twist, are not."""
    one, other = ev.Sold(A, "steam-1", 200), ev.Sold(B, "steam-2", 300)
    assert sales((one,)) == (Sale(A, 200, "steam-1"),)
    assert sales((one, other)) == sales(()) == ()


@pytest.mark.parametrize(("name", "players"), [("take-a-train", 3), ("express", 4)])
def test_income_is_what_was_paid(name: str, players: int) -> None:
    """In whole games the amounts in a moment equal the change of cash, and each purpose is turned once."""
    snapshot = finished(name, players)
    game, state, turned = snapshot.game, snapshot.game.begin(snapshot.setup), 0
    for entry in snapshot.entries:
        gained = [now - was for now, was in zip(game.scores(entry.after), game.scores(state), strict=True)]
        for moment in moments_of(game, entry):
            if isinstance(moment, Income):
                paid = [sum(p.amount for p in moment.parts if seat in p.seats) for seat in range(players)]
                assert paid == gained
            if isinstance(moment, CardTurned):
                turned += 1
                assert gained[moment.seat] == moment.amount
        state = entry.after
    assert turned == sum(isinstance(entry.event, ev.Claimed) for entry in snapshot.entries)
