"""Test how offers become controls: a button for each event, an amount, or values to tick."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import ClassVar

import msgspec
import pytest

from companion.engine import Amounts, Choice, Event, Luck, Part, Seat, SeatEvent
from web.presenters.choices import AmountField, ChoiceButton, ChoiceGroup, PickField, choice_groups, form_fields
from web.presenters.natural_order import in_natural_order


class Called(SeatEvent, frozen=True):
    """An event in which a seat names an amount."""

    amount: int


class Swapped(SeatEvent, frozen=True):
    """An event in which a seat exchanges cards for one card."""

    cards: tuple[str, ...]
    target: int | None


def say(event: Event) -> str:
    """Return an event's class as its words."""
    return type(event).__name__


def value(kind: type[Event], field: str, said: object) -> str:
    """Return a value with its field as its words."""
    return f"{field} {said}"


def test_few_events_are_a_button_each() -> None:
    """Equal events are one button; fields have their form values, without the seat."""
    events = (Swapped(Seat(1), ("a", "b"), None), Swapped(Seat(1), ("a",), 3), Swapped(Seat(1), ("a",), 3))
    (group,) = choice_groups([Choice(Seat(1), events)], say, value)
    assert group == ChoiceGroup(
        "swapped",
        "Swapped",
        (
            ChoiceButton("Swapped", (("cards", "a"), ("cards", "b"), ("target", ""))),
            ChoiceButton("Swapped", (("cards", "a"), ("target", "3"))),
        ),
    )


def test_a_range_is_an_amount() -> None:
    """A range of bids is a field with bounds."""
    (group,) = choice_groups([Amounts(Seat(0), Called, 300, 900, 50)], say, value)
    assert (group.event, group.amounts, group.buttons) == ("called", (AmountField("amount", 300, 900, 50),), ())


def test_each_range_of_amounts_has_a_field() -> None:
    """Two ranges of one event, and single events besides, all stay; duplicate ranges appear once."""
    small, large = Amounts(Seat(0), Called, 1, 5, 1), Amounts(Seat(0), Called, 10, 50, 10)
    groups = choice_groups([small, Choice(Seat(0), (Called(Seat(0), 99),)), large, small], say, value)
    assert [group.amounts for group in groups] == [
        (AmountField("amount", 1, 5, 1),),
        (),
        (AmountField("amount", 10, 50, 10),),
    ]
    assert groups[1].buttons == (ChoiceButton("Called", (("amount", "99"),)),)
    assert choice_groups([Amounts(Seat(0), Called, 9, 1, 1)], say, value) == ()


@pytest.mark.parametrize(("count", "step"), [(12, 1), (13, 1), (41, 5)])
def test_listed_numbers_in_equal_steps_are_an_amount(count: int, step: int) -> None:
    """More than twelve bids that a game lists in equal steps become one field instead of buttons."""
    events = tuple([Called(Seat(0), 10 + step * number) for number in range(count)])
    (group,) = choice_groups([Choice(Seat(0), events)], say, value)
    if count > 12:
        assert (group.buttons, group.amounts) == ((), (AmountField("amount", 10, 10 + step * (count - 1), step),))
    else:
        assert len(group.buttons) == count and group.amounts == ()


def test_numbers_with_gaps_stay_buttons() -> None:
    """Numbers with gaps stay buttons, because a field would suggest impossible amounts."""
    events = tuple([Called(Seat(0), number**2) for number in range(14)])
    (group,) = choice_groups([Choice(Seat(0), events)], say, value)
    assert len(group.buttons) == 14


def test_a_shared_page_groups_by_seat_what_is_nobodys_choice() -> None:
    """Cards that turn up for each seat are grouped by seat, and events that name only a seat are one question."""
    drawn = Choice(None, tuple([Swapped(Seat(s), ("a",), t) for s in (1, 0) for t in (1, 2)]), chance=True)
    groups = choice_groups([drawn], say, value, seated=True)
    assert [(group.seat, len(group.buttons)) for group in groups] == [(1, 2), (0, 2)]
    first = Choice(None, tuple([Called(Seat(s), 5) for s in range(3)]), chance=True)
    (group,) = choice_groups([first], say, value, seated=True)
    assert group.seat is None and [button.fields[0] for button in group.buttons] == [
        ("seat", "0"),
        ("seat", "1"),
        ("seat", "2"),
    ]


@pytest.mark.parametrize(
    ("names", "ordered"),
    [
        (("c-1", "c-101", "c-12"), ["c-1", "c-12", "c-101"]),
        (("c-12", "c-1", "c-101"), ["c-12", "c-1", "c-101"]),
        (("a-2", "b", "b-1"), ["a-2", "b", "b-1"]),
        ((101, 12), [101, 12]),
    ],
)
def test_numbers_in_names_count_as_numbers(names: tuple[object, ...], ordered: list[object]) -> None:
    """Names in alphabetical order are sorted with numbers as numbers, and any other order is the game's own."""
    assert in_natural_order(names) == ordered


def test_many_events_are_chosen_by_their_parts() -> None:
    """Of 120 events the cards become ticks and the target a choice, and constant parts are not asked."""
    cards = [f"c-{n}" for n in range(6)]
    events = tuple([Swapped(Seat(0), pair, target) for pair in combinations(cards, 2) for target in range(8)])
    (group,) = choice_groups([Choice(Seat(0), events)], say, value)
    assert group.buttons == ()
    assert group.picks == (
        PickField("cards", tuple([(card, f"cards {card}") for card in cards]), 2, 2, True),
        PickField("target", tuple([(str(n), f"target {n}") for n in range(8)]), 1, 1, False),
    )


def test_kinds_stay_in_the_order_of_the_offers() -> None:
    """Each kind of event is one group, in the order of the offers."""
    offers = [Choice(Seat(0), (Swapped(Seat(0), ("a",), 1),)), Amounts(Seat(0), Called, 1, 2, 1)]
    assert {group.event for group in choice_groups(offers, say, value)} == {"swapped", "called"}
    assert form_fields(Called(Seat(0), 5)) == (("amount", "5"),)


class Sorted(SeatEvent, frozen=True):
    """An event in which a seat takes at most one card and puts back the others in an order."""

    card: str | None
    back: tuple[str, ...]


class Sorting(msgspec.Struct, frozen=True):
    """An offer with too many orders to list: a card to take, and a pile of the others."""

    by: Seat
    kind: ClassVar[type[Event]] = Sorted
    chance: ClassVar[bool] = False

    def __contains__(self, event: object) -> bool:
        return isinstance(event, Sorted)

    def __iter__(self) -> Iterator[Event]:
        return iter((Sorted(self.by, None, ("b", "a", "a")),))

    def pick(self, luck: Luck) -> Event:
        """Return the only listed event."""
        return next(iter(self))

    def parts(self) -> tuple[Part, ...]:
        """Return the parts for the card and the pile."""
        return Part("card", ("a", "b"), least=0), Part("back", ("b", "a", "a"), stacks="card")


def test_an_offer_of_too_many_events_names_its_parts() -> None:
    """Equal cards stay separate, the card is optional, and the others are an ordered pile."""
    (group,) = choice_groups([Sorting(Seat(0))], say, value)
    assert group == ChoiceGroup(
        "sorted",
        "Sorted",
        picks=(
            PickField("card", (("a", "card a"), ("b", "card b")), 0, 1, False),
            PickField("back", (("b", "back b"), ("a", "back a"), ("a", "back a")), 1, 1, False, "card"),
        ),
    )
