"""Test the set-up and the rounds: components, players, cash, purposes, starters, tokens (R-00 to R-12, R-68)."""

from __future__ import annotations

import tomllib
from collections import Counter
from importlib import resources
from typing import Any

import msgspec
import pytest

from companion.engine import BadSetup, Player, Setup
from companion.games.take_a_train.catalogue import CARGO, MONEY, SPECIALS, Catalogue, complaints, shipped
from companion.games.take_a_train.events import (
    KINDS,
    Bid,
    CardsRevealed,
    CashCorrected,
    Claimed,
    ClaimsDone,
    CostRead,
    Exchanged,
    FigureRead,
    LocosRevealed,
    Opened,
    PurposesDealt,
    PurposesEntered,
    StarterNamed,
    TokenDrawn,
    Took,
    TurnPassed,
)
from companion.games.take_a_train.purposes import ALL, PURPOSES, ids
from companion.games.take_a_train.steps.lots import Nominate
from companion.games.take_a_train.steps.market import RevealCards
from companion.games.take_a_train.steps.reveal import RevealLocos
from companion.games.take_a_train.steps.round import DrawToken, LastClaims, NextRound
from companion.games.take_a_train.table import BANK_TOTAL, MARKET_SIZE
from companion.mechanics.money import form, tokens, total
from tests.games.take_a_train.build import (
    DECK,
    GAME,
    REST,
    A,
    B,
    C,
    accepted,
    after,
    at,
    head,
    new,
    offered,
    payments,
    reveal,
    sale,
    table,
    turn,
    why,
)
from tests.games.take_a_train.proofs import proves


def bad(setup: Setup) -> tuple[str, str]:
    """Return the rule and the key of the refusal of a set-up."""
    with pytest.raises(BadSetup) as caught:
        GAME.begin(setup)
    return caught.value.refusal.rule, caught.value.refusal.key


def raw() -> dict[str, Any]:
    """Return the shipped catalogue as data that a test may change."""
    return msgspec.to_builtins(shipped("reconstruction"))  # type: ignore[no-any-return]


@proves("R-00")
def test_who_is_not_on_turn_is_told_so() -> None:
    """An event out of turn, in the wrong phase, from an unknown seat or after the end is refused."""
    state = sale("pass", "s300")
    assert why(state, Opened(B, 300)) == ("R-00", "not_your_turn", None)
    assert why(state, StarterNamed(B)) == ("R-00", "wrong_phase", None)
    assert why(state, Opened(7, 300)) == ("R-00", "unknown_seat", None)  # type: ignore[arg-type]
    over = at(table(ended=True))
    assert why(over, Bid(A, 300)) == ("R-00", "game_over", None)


@proves("R-00")
def test_options_that_do_not_exist_cannot_be_set_up() -> None:
    """Unknown options, editions and choices are refused, and so are amounts that tokens cannot form."""
    assert bad(Setup("take-a-train", 3, {"edition": "de"})) == ("R-00", "bad_option")
    assert bad(Setup("take-a-train", 3, {"counting": "never"})) == ("R-00", "bad_option")
    assert bad(Setup("take-a-train", 3, {"edition": ["en"]})) == ("R-00", "bad_option")
    assert bad(Setup("take-a-train", 3, {"weather": "fine"})) == ("R-00", "bad_option")
    assert bad(Setup("take-a-train", 3, {"sequence_costs": [600, 500]})) == ("R-00", "bad_option")
    assert bad(Setup("take-a-train", 3, {"min_raise": 75})) == ("R-04", "not_multiple_of_50")
    assert bad(Setup("take-a-train", 3, {"sequence_costs": [600, 525, 0, 0, 0, 0]})) == ("R-04", "not_multiple_of_50")


@proves("R-01")
def test_there_are_18_locomotives() -> None:
    """The catalogue has 7 steam, 6 diesel and 5 electric locomotives, with the known figures among them."""
    locos = shipped("reconstruction").locomotives
    assert Counter(loco.drive for loco in locos) == {"steam": 7, "diesel": 6, "electric": 5}
    fixed = {(loco.drive, loco.multiplier, loco.power) for loco in locos if loco.source == "rulebook"}
    assert fixed == {("steam", 1, 100), ("diesel", 2, 300), ("electric", 4, 700), ("electric", 4, 900)}
    assert {194, 150} <= {loco.speed for loco in locos}


@proves("R-01")
def test_a_catalogue_with_17_locomotives_cannot_be_played() -> None:
    """A catalogue without all printed cards is refused with a message."""
    data = raw()
    data["locomotives"] = data["locomotives"][1:]
    assert bad(Setup("take-a-train", 3, catalogue=data)) == ("R-01", "bad_catalogue")
    said = complaints(msgspec.convert(data, Catalogue))
    assert said == ["There must be 7 steam locomotives, and there are 6."]


@proves("R-01")
def test_a_locomotive_without_figures_is_only_for_the_owners_box() -> None:
    """Figures may be missing only when the owner's own cards are in play."""
    assert bad(Setup("take-a-train", 3, catalogue="box", deck="ours")) == ("R-01", "bad_catalogue")
    assert bad(Setup("take-a-train", 3, catalogue="box", deck="dealt")) == ("R-01", "bad_catalogue")
    assert bad(Setup("take-a-train", 3, catalogue="lost")) == ("R-01", "bad_catalogue")
    assert GAME.begin(Setup("take-a-train", 3, catalogue="box", deck="box")).agenda


@proves("R-01")
def test_an_owners_card_is_read_when_first_seen() -> None:
    """The figures of an owner's card must be entered before the card can be revealed."""
    state = after(new(2, "box", "box"), StarterNamed(A), TokenDrawn("open"))
    assert why(state, LocosRevealed(("diesel-2",))) == ("R-01", "figures_unread", None)
    assert why(state, FigureRead("diesel-2", 350, 0, 2)) == ("R-01", "bad_figures", None)
    assert why(state, FigureRead("diesel-2", 350, 140, 10)) == ("R-01", "bad_figures", None)
    assert why(state, FigureRead("horse-1", 350, 90, 2)) == ("R-01", "bad_figures", None)
    state = after(state, FigureRead("diesel-2", 350, 140, 2), LocosRevealed(("diesel-2",)))
    assert state.table.revealed == ("diesel-2",)
    assert state.table.fixed.book.locos["diesel-2"].power == 350
    assert why(state, LocosRevealed(("diesel-2",))) == ("R-00", "wrong_phase", None)


@proves("R-01")
def test_a_card_that_no_box_holds_cannot_turn_up() -> None:
    """A revealed locomotive must be one of the 18."""
    assert why(reveal(3), LocosRevealed(("s100a", "s100b", "ghost"))) == ("R-01", "no_such_locomotive", None)


@proves("R-02")
def test_there_are_87_wagon_cards() -> None:
    """The wagon deck has 82 wagons of six types and five special cards."""
    catalogue = shipped("reconstruction")
    counts: Counter[str] = Counter()
    for entry in catalogue.wagons:
        counts[entry.type] += entry.count
    assert counts == CARGO
    assert CARGO == {"food": 25, "cattle": 19, "coal": 15, "oil": 11, "luxury": 7, "passenger": 5}
    assert len(table().fixed.book.wagons) == sum(CARGO.values()) + len(SPECIALS) == 87


@proves("R-02")
def test_a_wagon_beyond_its_count_cannot_turn_up() -> None:
    """A wagon card can be revealed only as often as the deck has it, and with a possible value."""
    state = at(table(2, wagons=("coal-200", "bin"), market=(None, None, None)), RevealCards((0, 1)))
    assert why(state, CardsRevealed(("coal-200", "coal-200"))) == ("R-02", "card_over_count", None)
    assert why(state, CardsRevealed(("bin", "bin"))) == ("R-02", "card_over_count", None)
    assert why(state, CardsRevealed(("coal-200", "coal-525"))) == ("R-02", "bad_wagon_value", None)
    assert why(state, CardsRevealed(("coal-200", "coal-550"))) == ("R-02", "bad_wagon_value", None)
    assert why(state, CardsRevealed(("coal-200", "gold-200"))) == ("R-02", "no_such_wagon", None)


@proves("R-02")
def test_an_owners_wagon_may_have_any_printed_value() -> None:
    """With the owner's box, a wagon may have any printed value, and only the number of each type is checked."""
    book = msgspec.structs.replace(table().fixed.book, open_values=True)
    given = table(2, wagons=("coal", "coal", "twin"), market=(None, None, None))
    fixed = msgspec.structs.replace(given.fixed, book=book)
    state = at(msgspec.structs.replace(given, fixed=fixed), RevealCards((0, 1)))
    assert accepted(state, CardsRevealed(("coal-500", "coal-50")))
    assert why(state, CardsRevealed(("coal-525", "coal-50"))) == ("R-02", "bad_wagon_value", None)
    assert why(state, CardsRevealed(("oil-100", "coal-50"))) == ("R-02", "card_over_count", None)


@proves("R-03")
def test_tokens() -> None:
    """There are six auction tokens, 18 purposes and six sequence prices."""
    assert KINDS == ("pass", "blind", "double_blind", "preemption", "open", "twist")
    assert [p.id for p in PURPOSES] == [f"P-{n}" for n in range(1, 19)]
    assert len(shipped("reconstruction").sequence) == 6


@proves("R-04")
def test_money() -> None:
    """The 125 money tokens are worth 106,000."""
    assert MONEY == {50: 20, 100: 25, 500: 35, 1000: 35, 5000: 10}
    assert sum(MONEY.values()) == 125
    assert total(tokens(MONEY)) == BANK_TOTAL == 106_000


@proves("R-04", "T-2")
def test_amounts_are_multiples_of_50() -> None:
    """A bid that is negative or no multiple of 50 is refused."""
    state = after(sale("pass", "s300"), Opened(A, 300))
    assert why(state, Bid(B, 325)) == ("R-04", "not_multiple_of_50", None)
    assert why(state, Bid(B, -50)) == ("R-04", "negative_amount", None)


@proves("R-05")
def test_cash_can_be_put_right() -> None:
    """A correction moves the difference to or from the bank."""
    state = after(sale("pass", "s300"), CashCorrected(B, 4200))
    assert state.table.cash == (5000, 4200, 5000)
    assert state.table.bank == 106_000 - 14_200
    assert payments(state) == [(B, -800, "correction")]


@proves("R-05")
def test_a_correction_is_refused_only_to_the_seat_it_is_about() -> None:
    """A correction above all money or below a promise is refused, and only the seat concerned learns why."""
    state = after(sale("pass", "s300"), Opened(A, 700))
    assert why(state, CashCorrected(A, 650)) == ("R-16", "promised_more", A)
    assert why(state, CashCorrected(A, 106_050)) == ("R-04", "more_than_the_box", A)
    assert why(state, CashCorrected(A, 725)) == ("R-04", "not_multiple_of_50", None)
    assert accepted(state, CashCorrected(A, 700))


@proves("R-05")
def test_a_correction_never_stops_a_lot() -> None:
    """A seat that cannot pay after a correction has the same choices as one that never could (R-18)."""
    opening = after(sale("pass", "s300", "s400", "s500"), CashCorrected(A, 100))
    assert [type(e).__name__ for e in offered(opening, A)] == ["OpeningDeclined"]
    fists = after(sale("blind", "s300", "s400", "s500"), CashCorrected(A, 100))
    assert [e.amount for e in offered(fists, A)] == [0, 50, 100]  # type: ignore[attr-defined]


@proves("R-05", "bank_limit=iou")
def test_the_bank_may_owe() -> None:
    """By default an empty bank still pays and goes below zero."""
    state = turn("bonus", bank=200, cash=5000)
    state = after(state, Took(A, 0))
    assert (state.table.cash[A], state.table.bank) == (5600, -400)
    full = turn("coal-50", players=2, bank=200, passes=1, owned=(("s100x4: oil-500", "-", "-"), ("-", "-", "-")))
    state = after(full, TurnPassed(A))
    assert (state.table.cash, state.table.bank) == ((7000, 5000), -1800)


@proves("R-05", "bank_limit=strict")
def test_a_strict_bank_pays_no_more_than_it_has() -> None:
    """Under `strict`, payments beyond an empty bank are refused, and profits stop when the bank is empty."""
    options = {"bank_limit": "strict"}
    state = turn("bonus", bank=200, options=options)
    assert why(state, Took(A, 0)) == ("R-05", "bank_empty", None)
    claiming = turn("food-50", bank=200, options=options, met=(ALL, 0, 0), ripe=True)
    assert why(claiming, Claimed(A, "P-4")) == ("R-05", "bank_empty", A)
    full = turn("coal-50", players=2, bank=200, options=options, passes=1, owned=(("s100x4: oil-500", "-", "-"),) * 2)
    state = after(full, TurnPassed(A))
    assert (state.table.cash, state.table.bank) == ((5200, 5000), 0)


@proves("R-04", "R-05")
@pytest.mark.parametrize("limit", ["iou", "strict"])
def test_corrections_bring_no_more_money_into_hands_than_the_box_has(limit: str) -> None:
    """A correction cannot use money that others hold. If the bank owes money, the order of corrections is free."""
    options = {"bank_limit": limit, "show_bank": "yes"}
    state = turn("food-50", players=2, cash=(5000, 100_000), options=options)
    assert accepted(state, CashCorrected(A, 6000))
    assert why(state, CashCorrected(A, 6050)) == ("R-04", "more_than_the_box", A)
    owing = turn("food-50", players=2, cash=(7000, 100_000), options=options)
    assert owing.table.bank == -1000
    assert after(owing, CashCorrected(A, 7050)).table.bank == -1050
    assert after(owing, CashCorrected(A, 6950)).table.bank == -950
    assert why(owing, CashCorrected(A, 106_050)) == ("R-04", "more_than_the_box", A)


@proves("R-04", "G-26")
def test_a_refused_correction_tells_one_of_two_nothing_of_the_other() -> None:
    """With a hidden bank, a refused correction depends only on the seat's own cash."""
    for other in (0, 5000, 50_000, 100_000):
        state = turn("food-50", players=2, cash=(5000, other))
        assert accepted(state, CashCorrected(A, 53_000))
        assert why(state, CashCorrected(A, 53_050)) == ("R-04", "more_than_half", A)


@proves("R-05", "T-55")
def test_a_payout_in_tokens() -> None:
    """2,550 is paid as 2×1000, 1×500 and 1×50, and cannot be paid without tokens of 50."""
    bank = tokens(MONEY)
    assert form(2550, bank) == ((5000, 0), (1000, 2), (500, 1), (100, 0), (50, 1))
    assert form(2550, tokens(MONEY | {50: 0})) is None


@proves("R-06")
@pytest.mark.parametrize("players", [0, 1, 7])
def test_two_to_six_play(players: int) -> None:
    """Two to six may play, and each player gets a name, a colour and a shape."""
    assert bad(Setup("take-a-train", players)) == ("R-06", "bad_player_count")
    seated = Setup("take-a-train", ("Tom", Player("Jane", "gold"))).seated()
    assert seated == (Player("Tom", "red", "circle"), Player("Jane", "gold", "square"))


@proves("R-07", "R-09", "R-59", "X-7")
@pytest.mark.parametrize(
    ("players", "deck", "market", "bank"),
    [(2, 6, 3, 96_000), (3, 9, 3, 91_000), (4, 12, 4, 86_000), (5, 15, 4, 81_000), (6, 18, 5, 76_000)],
)
def test_sizes(players: int, deck: int, market: int, bank: int) -> None:
    """Decks, cash, bank and market have the right size for each number of players."""
    state = after(new(players), StarterNamed(A), TokenDrawn("blind"))
    assert (state.table.deck, len(state.table.pool)) == (deck, 18)
    assert (state.table.cash, state.table.bank) == ((5000,) * players, bank)
    assert MARKET_SIZE[players] == market


@proves("R-09")
def test_six_can_be_given_their_money_in_tokens() -> None:
    """The box has enough tokens to give six players 5,000 each."""
    split = {1000: 3, 500: 3, 100: 4, 50: 2}
    assert sum(value * count for value, count in split.items()) == 5000
    assert all(6 * count <= MONEY[value] for value, count in split.items())


@proves("R-08")
def test_the_order_of_a_deck_is_unknown() -> None:
    """Any locomotive of the deck may be revealed first, because the state stores no order."""
    state = after(new(2), StarterNamed(A), TokenDrawn("open"))
    assert {card for e in offered(state, None) for card in e.cards} == set(state.table.pool)  # type: ignore[attr-defined]


@proves("R-10")
def test_dealt_purposes_are_three_each_and_all_different() -> None:
    """The companion deals three different purposes to each seat."""
    state = new(2, "dealt")
    assert why(state, PurposesDealt((("P-1", "P-2", "P-3"), ("P-3", "P-4", "P-5")))) == (
        "R-10",
        "duplicate_purpose",
        None,
    )
    assert why(state, PurposesDealt((("P-1", "P-2"), ("P-3", "P-4", "P-5")))) == ("R-10", "duplicate_purpose", None)
    state = after(state, PurposesDealt((("P-1", "P-2", "P-3"), ("P-6", "P-4", "P-5"))))
    assert [ids(mask) for mask in state.table.held] == [("P-1", "P-2", "P-3"), ("P-4", "P-5", "P-6")]
    assert why(state, PurposesEntered(A, ("P-1", "P-2", "P-4"))) == ("R-10", "purposes_known", A)


@proves("R-10")
def test_drawn_purposes_may_be_entered() -> None:
    """A seat may enter its three real purposes, which must be different and not yet claimed."""
    state = after(new(3), StarterNamed(A))
    assert (state.table.held, state.table.known) == ((ALL,) * 3, (False,) * 3)
    assert why(state, PurposesEntered(A, ("P-1", "P-2"))) == ("R-10", "three_purposes", A)
    assert why(state, PurposesEntered(A, ("P-1", "P-2", "P-99"))) == ("R-10", "three_purposes", A)
    assert why(state, PurposesEntered(A, ("P-1", "P-2", "P-2"))) == ("R-10", "duplicate_purpose", A)
    shown = at(table(claimed=(0, 1 << 4, 0)), DrawToken(A))
    assert why(shown, PurposesEntered(A, ("P-1", "P-2", "P-5"))) == ("R-10", "duplicate_purpose", A)
    assert why(shown, PurposesEntered(B, ("P-1", "P-2", "P-3"))) == ("R-10", "duplicate_purpose", B)
    state = after(state, PurposesEntered(B, ("P-7", "P-8", "P-9")))
    assert (ids(state.table.held[B]), state.table.known) == (("P-7", "P-8", "P-9"), (False, True, False))


@proves("R-11", "T-64")
def test_the_starter_goes_left() -> None:
    """The starter moves to the left each round, no matter who began the last lot."""
    state = after(new(3), StarterNamed(B))
    assert head(state) == DrawToken(B)
    second = at(table(round=1, starter=B), NextRound())
    assert head(second) == DrawToken(C)
    third = at(table(round=2, starter=C), NextRound())
    assert head(third) == DrawToken(A)


@proves("R-11")
def test_the_starter_sits_at_the_table() -> None:
    """The starter must be a seat of the game."""
    assert why(new(3), StarterNamed(3)) == ("R-11", "starter_not_seated", None)  # type: ignore[arg-type]


@proves("R-12", "T-65")
def test_an_auction_token_comes_once() -> None:
    """Each kind of auction is drawn at most once in a game."""
    state = at(table(round=1, used=("pass",), starter=A), DrawToken(B))
    assert why(state, TokenDrawn("pass")) == ("R-12", "token_already_used", None)
    assert [e.kind for e in offered(state, None)] == [k for k in KINDS if k != "pass"]  # type: ignore[attr-defined]
    state = after(state, TokenDrawn("open"))
    assert (state.table.used, state.table.kind, state.table.starter) == (("pass", "open"), "open", B)


@proves("R-12")
def test_the_round_starter_begins_the_first_lot() -> None:
    """The round starter begins the first lot."""
    state = after(new(3), StarterNamed(C), TokenDrawn("pass"))
    assert state.agenda[:2] == (RevealLocos(3), Nominate(C))


@proves("R-68")
def test_everything_comes_back_for_the_next_round() -> None:
    """For a new round, all cards return except the specials out of the game. Cash, purposes and claims stay."""
    given = table(
        2,
        cash=(700, 9000),
        owned=(("s300: coal-200", "d300", "-"), ("s200", "e700", "-")),
        order=(B, A),
        boxed=("bin", "longer"),
        longer=True,
        round=2,
        used=("pass", "open"),
        claimed=(1 << 3, 0),
    )
    state = at(given, NextRound())
    assert state.table.trains == given.trains, "trains lie there until the next token is drawn"
    state = after(state, TokenDrawn("preemption"))
    now = state.table
    assert (now.round, now.trains, now.order, now.longer) == (3, ((), ()), (), False)
    assert (now.deck, len(now.pool)) == (6, len(now.fixed.book.locos))
    assert (now.cash, now.claimed, now.boxed) == ((700, 9000), (1 << 3, 0), ("bin", "longer"))


@proves("R-68")
def test_boxed_cards_are_not_in_the_next_market() -> None:
    """Bin and Longer stock, once revealed, do not return, but the other specials do."""
    state = at(table(2, owned=(("s300", "d300", "-"),) * 2, boxed=("bin",), order=(A, B)), REST[2])
    assert Counter(state.table.wagons)["bin"] == 0
    assert {"longer", "twin", "bonus", "multiplier"} <= set(state.table.wagons)


@proves("R-68")
def test_there_is_no_fourth_round() -> None:
    """After round 3, seats can only claim."""
    state = at(table(2, round=3), NextRound())
    assert head(state) == LastClaims((A, B))
    state = after(state, ClaimsDone(B))
    assert why(state, ClaimsDone(B)) == ("R-75", "already_done", None)


@proves("R-58")
def test_the_catalogue_says_where_its_figures_come_from() -> None:
    """Every figure in the catalogue has a source, and the sequence prices are assumed."""
    text = resources.files("companion.games.take_a_train").joinpath("catalogue.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    assert data["sequence_source"] == "assumed"
    assert {entry["source"] for entry in data["locomotives"] + data["wagons"]} == {"rulebook", "reconstruction"}


@proves("R-58")
def test_an_unread_price_is_asked_for() -> None:
    """A seat cannot exchange before somebody has entered its token's price, once for the whole game."""
    state = turn("food-50", "coal-200", "oil-150", sequence=(None,) * 6)
    assert why(state, Exchanged(A, (0,))) == ("R-58", "exchange_cost_unknown", None)
    state = after(state, CostRead(1, 650))
    assert why(state, CostRead(1, 600)) == ("R-58", "cost_known", None)
    state = after(state, Exchanged(A, (0,)), CardsRevealed((DECK[0],)))
    assert state.table.cash[A] == 4350
