"""`reconcile` finds the shortest legal sequences that explain a reading, or the places that do not match."""

from __future__ import annotations

from msgspec.structs import replace

from companion.engine import Layout, Spot, State, follow
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.table import Table
from companion.sight.reconcile import Reconciliation, find_mismatches, reconcile
from tests.games.take_a_train.build import GAME, A, B, C, after, turn


def seen(state: State[Table], **changed: Spot) -> Layout:
    """Return the layout that the rules expect, with some places changed (`seat_1_train_2` for a name with dots)."""
    said = GAME.layout(state)
    spots = {name: spot for name, spot in said.spots.items()} | {
        name.replace("_", "."): spot for name, spot in changed.items()
    }
    return Layout(spots)


def market(*cards: str) -> Spot:
    """Return a market with the given cards."""
    return Spot(cards)


def test_a_table_as_the_rules_say_needs_no_explanation() -> None:
    """A layout that matches the rules needs no explanation."""
    state = turn("coal-100", "oil-150", "food-50")
    assert reconcile(GAME, state, seen(state)) == Reconciliation()


def test_a_wagon_that_moved_from_the_market_to_a_train_was_taken() -> None:
    """A wagon that moved from the market to a train of the seat on turn was taken."""
    state = turn("coal-100", "oil-150", "food-50")
    now = seen(state, market=market("oil-150", "food-50"), seat_1_train_2=Spot(("d300x2", "coal-100")))
    assert reconcile(GAME, state, now).explanations == ((ev.Took(A, 0, 1),),)


def test_the_refill_may_lie_there_already() -> None:
    """A wagon taken and refilled between two readings is explained by two events."""
    state = turn("coal-100", "oil-150", "food-50")
    now = seen(state, market=market("oil-150", "food-50", "food-300"), seat_1_train_2=Spot(("d300x2", "coal-100")))
    assert reconcile(GAME, state, now).explanations == ((ev.Took(A, 0, 1), ev.CardsRevealed(("food-300",))),)


def test_those_before_the_seat_that_took_have_passed() -> None:
    """If only C's train is longer, A and B have passed."""
    state = turn("coal-100", "oil-150", "food-50")
    now = seen(state, market=market("oil-150", "food-50"), seat_3_train_1=Spot(("s300x2", "coal-100")))
    assert reconcile(GAME, state, now).explanations == ((ev.TurnPassed(A), ev.TurnPassed(B), ev.Took(C, 0, 0)),)


def test_an_exchange_shows_when_the_new_cards_lie_there() -> None:
    """Missing cards alone explain nothing, but with new cards in their place they were exchanged."""
    state = turn("coal-100", "oil-150", "food-50")
    assert reconcile(GAME, state, seen(state, market=market("food-50"))).explanations == ()
    now = seen(state, market=market("food-50", "food-300", "food-250"))
    new = ev.CardsRevealed(("food-300", "food-250"))
    assert reconcile(GAME, state, now).explanations == ((ev.Exchanged(A, (0, 1)), new),)


def test_one_card_that_was_replaced_may_lie_tucked_and_unseen() -> None:
    """A single replaced card may have been exchanged or lie unseen on a train, and all explanations are offered."""
    state = turn("coal-100", "oil-150", "food-50", owned=(("s300x2: oil-100", "d300x2", "-"),) * 3)
    assert reconcile(GAME, state, seen(state, market=market("oil-150", "food-50"))).explanations == ()
    now = seen(state, market=market("oil-150", "food-50", "food-300"))
    new = ev.CardsRevealed(("food-300",))
    where_it_may_go = tuple([(ev.Took(A, 0, train), new) for train in (1, 2)])
    assert reconcile(GAME, state, now).explanations == ((ev.Exchanged(A, (0,)), new), *where_it_may_go)


def test_one_of_two_tucked_wagons_may_be_unseen_and_the_other_have_no_name() -> None:
    """An unnamed card on a train may be the replaced one or another expected wagon, so both are offered."""
    state = turn("oil-200", "oil-150", "food-50", owned=(("s300x2: oil-100", "d300x2", "-"),) * 3)
    spot = Spot(("s300x2",), unnamed=1)
    now = seen(state, market=market("oil-150", "food-50", "food-300"), seat_1_train_1=spot)
    new = ev.CardsRevealed(("food-300",))
    assert (ev.Took(A, 0, 0), new) in reconcile(GAME, state, now).explanations
    assert (ev.Exchanged(A, (0,)), new) in reconcile(GAME, state, now).explanations


def test_what_was_replaced_may_lie_on_a_train_that_is_covered() -> None:
    """A replaced card may lie on a covered train, so take and exchange are both offered."""
    state = turn("coal-100", "oil-150", "food-50", owned=(("s300x2: oil-100", "d300x2", "s100x1: oil-100"),) * 3)

    def hidden(now: Layout) -> Layout:
        return Layout({name: spot for name, spot in now.spots.items() if name != "seat.1.train.2"})

    assert reconcile(GAME, state, hidden(seen(state, market=market("oil-150", "food-50")))).explanations == ()
    now = hidden(seen(state, market=market("oil-150", "food-50", "food-300")))
    new = ev.CardsRevealed(("food-300",))
    assert reconcile(GAME, state, now).explanations == ((ev.Took(A, 0, 1), new), (ev.Exchanged(A, (0,)), new))


def test_an_exchange_and_a_take_between_two_looks() -> None:
    """An exchange, a take and a refill between two readings are found together."""
    state = turn("coal-100", "oil-150", "food-50")
    now = seen(state, market=market("food-50", "food-250", "food-400"), seat_1_train_1=Spot(("s300x2", "food-300")))
    (found,) = {explanation[0] for explanation in reconcile(GAME, state, now).explanations}
    assert found == ev.Exchanged(A, (0, 1))
    for explanation in reconcile(GAME, state, now).explanations:
        end = after(state, *explanation)
        assert end.table.trains[A][0].wagons[0].value == 300
        assert sorted(c for c in end.table.market if c) == ["food-250", "food-400", "food-50"]


def test_bonus_gone_and_replaced_has_two_explanations() -> None:
    """If Bonus was replaced, it may have been taken or exchanged."""
    state = turn("bonus", "oil-150", "food-50")
    now = seen(state, market=market("food-300", "oil-150", "food-50"))
    firsts = [explanation[0] for explanation in reconcile(GAME, state, now).explanations]
    assert firsts == [ev.Took(A, 0), ev.Exchanged(A, (0,))]


def test_a_wagon_that_may_not_go_there_is_no_event() -> None:
    """A wagon on a train that cannot take it is a mismatch of both places."""
    owned = (("s300x2: oil-100", "d300x2", "-"), ("s300x2", "d300x2", "-"), ("s300x2", "d300x2", "-"))
    state = turn("coal-100", "oil-150", "food-50", owned=owned)
    now = seen(state, market=market("oil-150", "food-50"), seat_1_train_1=Spot(("s300x2", "oil-100", "coal-100")))
    outcome = reconcile(GAME, state, now)
    assert outcome.explanations == ()
    assert [(mismatch.place, mismatch.extra, mismatch.missing) for mismatch in outcome.mismatches] == [
        ("market", (), ("coal-100",)),
        ("seat.1.train.1", ("coal-100",), ()),
    ]


def test_a_misread_value_is_odd_at_its_place() -> None:
    """A card with another value than expected is a mismatch of its place."""
    owned = (("s300x2: coal-100", "d300x2", "-"), ("s300x2", "d300x2", "-"), ("s300x2", "d300x2", "-"))
    state = turn("food-100", "oil-150", "food-50", owned=owned)
    (mismatch,) = reconcile(GAME, state, seen(state, seat_1_train_1=Spot(("s300x2", "coal-150")))).mismatches
    assert (mismatch.extra, mismatch.missing) == (("coal-150",), ("coal-100",))


def test_an_ignored_place_hides_nothing_elsewhere() -> None:
    """An ignored place does not keep events elsewhere from being explained."""
    state = turn("coal-100", "oil-150", "food-50")
    other = Spot(("s300x2", "cattle-100"))
    now = seen(
        state,
        market=market("oil-150", "food-50"),
        seat_1_train_2=Spot(("d300x2", "coal-100")),
        seat_2_train_1=other,
    )
    assert reconcile(GAME, state, now).explanations == ()
    assert reconcile(GAME, state, now, {"seat.2.train.1"}).explanations == ((ev.Took(A, 0, 1),),)


def test_trains_may_lie_in_any_order() -> None:
    """Trains can lie in any order of places, and a mismatch names both the place and the train."""
    state = turn("coal-100", "oil-150", "food-50")
    now = seen(
        state,
        market=market("oil-150", "food-50"),
        seat_1_train_1=Spot(down=1),
        seat_1_train_2=Spot(("d300x2",)),
        seat_1_train_3=Spot(("s300x2", "coal-100")),
    )
    assert reconcile(GAME, state, now).explanations == ((ev.Took(A, 0, 0),),)
    back = seen(state, seat_1_train_1=Spot(down=1), seat_1_train_3=Spot(("s300x2", "food-300")))
    (mismatch,) = find_mismatches(GAME, state, back)
    assert (mismatch.place, mismatch.name) == ("seat.1.train.3", "seat.1.train.1")


def test_an_unnamed_card_stands_for_the_one_that_is_gone() -> None:
    """An unnamed card stands for the only card that is missing."""
    state = turn("coal-100", "oil-150", "food-50")
    now = seen(state, market=market("oil-150", "food-50"), seat_1_train_2=Spot(("d300x2",), unnamed=1))
    assert reconcile(GAME, state, now).explanations == ((ev.Took(A, 0, 1),),)


def test_a_reveal_is_not_made_up_from_an_unnamed_card() -> None:
    """A newly revealed card without a name explains nothing."""
    state = after(turn("coal-100", "oil-150", "food-50"), ev.Took(A, 0, 1))
    now = seen(state, market=Spot(("oil-150", "food-50"), unnamed=1))
    assert reconcile(GAME, state, now).explanations == ()


def test_bin_may_still_lie_there_with_the_market() -> None:
    """Bin is recognised even if the market that it clears still lies there."""
    state = after(
        turn("coal-100", "oil-150", "food-50", wagons=("bin", "food-300", "food-350", "food-400")), ev.Took(A, 0, 1)
    )
    now = seen(state, market=market("bin", "oil-150", "food-50"))
    assert reconcile(GAME, state, now).explanations == ((ev.CardsRevealed(("bin",)),),)


def test_a_card_that_is_not_in_the_deck_is_never_turned_up() -> None:
    """A card of which no copy is left in the deck is a mismatch, not a reveal."""
    state = after(turn("coal-100", "oil-150", "food-50", wagons=("food-300", "food-350")), ev.Took(A, 0, 1))
    now = seen(state, market=market("oil-150", "food-50", "passenger-500"))
    outcome = reconcile(GAME, state, now)
    assert outcome.explanations == ()
    assert [mismatch.extra for mismatch in outcome.mismatches] == [("passenger-500",)]


def test_while_people_clear_the_table_nothing_is_odd() -> None:
    """Between two rounds no card is a mismatch."""
    state = after(turn("coal-100", "oil-150", "food-50"), ev.TurnPassed(A), ev.TurnPassed(B), ev.TurnPassed(C))
    assert GAME.layout(state).loose
    assert reconcile(GAME, state, Layout({"market": Spot(("oil-150",))})) == Reconciliation()


def test_longer_stock_and_the_card_that_took_its_place_are_two_reveals() -> None:
    """Longer stock that has already been put away and its replacement are two reveals."""
    state = follow(GAME, turn("coal-100", "oil-150", "food-50"), ev.Took(A, 0, 1))
    now = seen(state, market=market("oil-150", "food-50", "food-300"))
    state = replace(state, table=replace(state.table, wagons=(*state.table.wagons, "longer")))
    now = Layout(now.spots, passed={"market": ("longer",)})
    expected = ((ev.CardsRevealed(("longer",)), ev.CardsRevealed(("food-300",))),)
    assert reconcile(GAME, state, now).explanations == expected
