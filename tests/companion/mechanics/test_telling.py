"""Log sentences of a game that has words but no code for its log."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from companion.engine import CellName, Effect, Event, Player, Refusal, Seat, SeatEvent, track
from companion.i18n import Words
from companion.mechanics.telling import GameTeller, format_money, money, term

PLAYERS = (Player("Jane"), Player("Bill"), Player("Tom"))
SENTENCES = {
    "list.and": "{first} and {last}",
    "list.nobody": "nobody",
    "list.amount": "an amount",
    "card.wagon": "wagon {number}",
    "kind.open": "Open auction",
    "event.coupled": "{name} couples {cards} for {cost}: {kind}.",
    "event.chosen": "{chooser} chooses {chosen}.",
    "effect.tie": "{names}, all for {cost}.",
    "effect.lost": "{name} loses {count} cards.",
    "effect.lost_one": "{name} loses a card.",
    "refusal.R-01.no": "{seat} cannot: {card}, {limit}.",
}
EN = Words("en", SENTENCES)


class Coupled(SeatEvent, frozen=True):
    """An event with fields of every kind."""

    cards: tuple[str, ...]
    cost: int
    kind: str


class Chosen(Event, frozen=True):
    """An event of two seats."""

    chooser: Seat
    chosen: Seat | None


class Hushed(SeatEvent, frozen=True):
    """An event without words."""


class Built(SeatEvent, frozen=True):
    """An event that names a cell of a board."""

    cell: CellName


class Tie(Effect, frozen=True):
    """An effect on several seats."""

    seats: tuple[Seat, ...]
    cost: int


class Lost(Effect, frozen=True):
    """An effect with a count."""

    seat: Seat
    count: int


class Priced(GameTeller[Any]):
    """A game with money and several kinds of auctions."""

    formatters: ClassVar = {"cost": money, "kind": term("kind.{}")}


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        (Coupled(Seat(1), ("wagon-4", "caboose", "wagon-x"), 50, "open"),
         "Bill couples wagon 4, caboose and wagon-x for 50: open."),
        (Coupled(Seat(0), (), 50, "open"), "Jane couples nobody for 50: open."),
        (Chosen(Seat(2), Seat(0)), "Tom chooses Jane."),
        (Chosen(Seat(2), None), "Tom chooses None."),
        (Tie((Seat(0), Seat(2)), 0), "Jane and Tom, all for 0."),
        (Lost(Seat(0), 1), "Jane loses a card."),
        (Lost(Seat(0), 2), "Jane loses 2 cards."),
    ],
)  # fmt: skip
def test_words_can_name_every_field(fact: Event | Effect, said: str) -> None:
    """Seats and cards are written by name, lists in the language, and counts in the right form."""
    happened = (fact, ()) if isinstance(fact, Event) else (Hushed(Seat(0)), (fact,))
    assert GameTeller[Any]().tell(*happened, PLAYERS, EN) == [said]


def test_what_has_no_words_is_left_out() -> None:
    """An event without words gets no sentence, and a fallback language supplies missing words."""
    assert GameTeller[Any]().tell(Hushed(Seat(0)), (), PLAYERS, EN) == []
    assert GameTeller[Any]().tell(Hushed(Seat(0)), (Lost(Seat(0), 1),), PLAYERS, Words("fr", {}, EN)) == [
        "Jane loses a card."
    ]


def test_a_game_registers_how_its_fields_are_written() -> None:
    """A game can register how its fields are written, and amounts can be hidden."""
    told = Coupled(Seat(1), ("wagon-4",), 2550, "open")
    assert Priced().tell(told, (), PLAYERS, EN) == ["Bill couples wagon 4 for $2,550: Open auction."]
    assert Priced().tell(told, (), PLAYERS, EN, hide=True) == ["Bill couples wagon 4 for an amount: Open auction."]
    assert Priced().tell(Coupled(Seat(1), (), 0, "odd"), (), PLAYERS, EN) == ["Bill couples nobody for $0: odd."]
    assert format_money(-2550, "fr") == "−2\u202f550\u202f$"


def test_refusals_name_seats_and_cards() -> None:
    """A refusal names seats and cards, and a missing seat by its number from 1."""
    refusal = Refusal("R-01", "no", {"seat": 1, "card": "wagon-4", "limit": 20})
    assert GameTeller[Any]().refused(refusal, PLAYERS, EN) == "Bill cannot: wagon 4, 20."
    nobody = Refusal("R-01", "no", {"seat": 7, "card": "x", "limit": 20})
    assert GameTeller[Any]().refused(nobody, PLAYERS, EN) == "8 cannot: x, 20."


def test_cards_are_called_by_kind_and_number_or_by_their_name() -> None:
    """A card is called by its own name, else by kind and number, else by its identifier."""
    words = Words("en", SENTENCES | {"card.signal": "the signal", "card.wagon-7": "mail wagon {number}"})
    cards = ("wagon-4", "wagon-7", "signal", "signal-box", "crane")
    said = [GameTeller[Any]().card_name(card, words) for card in cards]
    assert said == ["wagon 4", "mail wagon 7", "the signal", "signal-box", "crane"]


def test_cells_are_called_by_their_own_names() -> None:
    """A cell is called by its name from the words, the board's name, or its identifier."""
    board = track("line", 3, cells={"1": {"label": "osaka"}, "2": {"label": "Kyoto"}})
    words = Words("en", SENTENCES | {"cell.osaka": "Osaka", "event.built": "{name} builds at {cell}."})
    said = [GameTeller[Any]([board]).tell(Built(Seat(0), CellName(cell)), (), PLAYERS, words) for cell in "123"]
    assert said == [["Jane builds at Osaka (1)."], ["Jane builds at Kyoto (2)."], ["Jane builds at 3."]]
