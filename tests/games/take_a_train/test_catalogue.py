"""Test the reconstructed list of cards: its counts, its sources and its balance."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from typing import Any

import msgspec
import pytest

from companion.bots.simulation import simulate
from companion.engine import Setup
from companion.games.take_a_train.balance import Criterion, Study, figures, ratio, verdicts
from companion.games.take_a_train.catalogue import (
    CARGO,
    Catalogue,
    Loco,
    WagonCount,
    book_of,
    can_be,
    complaints,
    shipped,
)
from companion.games.take_a_train.rules import RULES
from tests.games.take_a_train.proofs import proves

CARDS = shipped("reconstruction")


@proves("R-01", "R-02")
def test_counts_are_as_printed() -> None:
    """The list has the printed numbers of locomotives and wagons, and no faults."""
    assert complaints(CARDS) == []
    assert Counter(loco.drive for loco in CARDS.locomotives) == {"steam": 7, "diesel": 6, "electric": 5}
    counts: Counter[str] = Counter()
    for wagon in CARDS.wagons:
        counts[wagon.type] += wagon.count
    assert counts == CARGO
    assert len(book_of(CARDS).wagons) == 87


def origin(card: Loco | WagonCount, figure: str) -> str:
    """Return the source of a figure on a card."""
    return card.sources.get(figure, card.source)


def test_figures_of_the_rulebooks_are_there_and_marked() -> None:
    """Figures from examples have the source `rulebook`, and all others `reconstruction`."""
    powers = {
        (x.drive, x.multiplier, x.power)
        for x in CARDS.locomotives
        if origin(x, "power") == origin(x, "multiplier") == "rulebook"
    }
    assert powers == {("steam", 1, 100), ("diesel", 2, 300), ("electric", 4, 700), ("electric", 4, 900)}
    assert {x.speed for x in CARDS.locomotives if origin(x, "speed") == "rulebook"} == {194, 150}
    assert {(w.type, w.value) for w in CARDS.wagons if origin(w, "value") == "rulebook"} == {
        ("coal", 150),
        ("coal", 200),
    }
    assert all(origin(w, "count") == "reconstruction" for w in CARDS.wagons)
    assert any(x.multiplier == 3 for x in CARDS.locomotives)
    every = {origin(x, f) for x in CARDS.locomotives for f in ("power", "speed", "multiplier")}
    assert every == {"rulebook", "reconstruction"}


@proves("R-58")
def test_exchange_prices_are_assumed_but_one() -> None:
    """Only the price of token 2 comes from the rulebooks, and the others are assumed."""
    assert CARDS.sequence[1] == 500 and CARDS.sequence_sources == {"2": "rulebook"}
    assert CARDS.sequence_source == "assumed" and CARDS.second_of_two == 300


def test_totals_of_the_examples_come_out_of_three_cards() -> None:
    """Three cards can add up to 1,400 or 900, and two sets of 900 have top speeds of 194 and 150."""
    sets = [
        (sum(x.power or 0 for x in three), max(x.speed or 0 for x in three))
        for three in combinations(CARDS.locomotives, 3)
    ]
    assert any(total == 1400 for total, _ in sets)
    assert {(900, 194), (900, 150)} <= set(sets)


def test_all_amounts_can_be_paid() -> None:
    """Powers are multiples of 50, and wagon values run from 50 to 500 in steps of 50."""
    assert all((loco.power or 1) % 50 == 0 for loco in CARDS.locomotives)
    values = [wagon.value or 0 for wagon in CARDS.wagons]
    assert all(can_be("value", value) for value in values)
    assert (min(values), max(values)) == (50, 500)


def test_stronger_cards_of_a_drive_are_never_weaker_in_all() -> None:
    """Within a drive, a locomotive with more power has at least the same multiplier."""
    for one in CARDS.locomotives:
        for other in CARDS.locomotives:
            if one.drive == other.drive and (one.power or 0) > (other.power or 0):
                assert (one.multiplier or 0) >= (other.multiplier or 0)


def changed(**fields: Any) -> Catalogue:
    """Return the shipped catalogue with some fields replaced."""
    return msgspec.structs.replace(CARDS, **fields)


@pytest.mark.parametrize(
    ("catalogue", "said"),
    [
        (changed(locomotives=CARDS.locomotives[:-1]), "There must be 5 electric locomotives, and there are 4."),
        (
            changed(locomotives=(*CARDS.locomotives[:-1], Loco("electric-5", "electric", 700, 0, 4, "owner"))),
            "electric-5: the speed cannot be 0, only whole numbers from 1 to 999.",
        ),
        (
            changed(locomotives=(*CARDS.locomotives[:-1], Loco("electric-5", "electric", 700, 200, None, "owner"))),
            "electric-5: give power, speed and multiplier, or set the source to unknown.",
        ),
        (
            changed(wagons=(*CARDS.wagons[:-1], WagonCount("passenger", 525, 1))),
            "passenger wagon: the value cannot be 525, only multiples of 50 from 50 to 500.",
        ),
        (
            changed(sequence=(600, 525, 400, 300, 200, 100)),
            "Sequence token 2: the price cannot be 525, only multiples of 50 from 0 to 5,000.",
        ),
        (
            changed(second_of_two=-50),
            "Sequence token 2 of two players: the price cannot be -50, only multiples of 50 from 0 to 5,000.",
        ),
    ],
)
def test_what_is_wrong_is_said_in_words(catalogue: Catalogue, said: str) -> None:
    """The message states each fault in one sentence."""
    assert said in complaints(catalogue)


# --- balance --------------------------------------------------------------------------------------


@cache
def studied(players: int) -> dict[str, Any]:
    """Return the figures of 240 games among sensible bots with a fixed seed."""
    study = Study()
    for _ in simulate(RULES, Setup("take-a-train", players), 240, 1, watch=study.watch):
        pass
    return figures(study)


@pytest.mark.parametrize("players", [3, 5])
def test_nothing_dominates(players: int) -> None:
    """No auction, drive, cargo, starting seat or sequence token dominates."""
    assert [verdict for verdict in verdicts(studied(players)) if not verdict.good] == []


def test_a_study_adds_up() -> None:
    """The study counts every round, seat and locomotive, and its shares add up to one."""
    found = studied(3)
    assert sum(a["rounds"] for a in found["auctions"].values()) == 240 * 3 * 3
    drives = found["drives"].values()
    assert sum(d["locomotives"] for d in drives) == 240 * 3 * 3 * 3
    assert sum(d["profit_share"] for d in drives) == pytest.approx(1, abs=0.005)
    assert sum(found["seats"]["wins"]) == pytest.approx(1, abs=0.005)
    assert all(a["price_over_power"] >= 1 for a in found["auctions"].values())


def test_a_lopsided_list_of_cards_is_found_out() -> None:
    """The study detects a list in which one cargo is worth far more than the others."""
    wagons = tuple(msgspec.structs.replace(w, value=500 if w.type == "food" else 50) for w in CARDS.wagons)
    study = Study()
    setup = Setup("take-a-train", 3, catalogue=msgspec.to_builtins(changed(wagons=wagons)))
    for _ in simulate(RULES, setup, 25, 1, watch=study.watch):
        pass
    cargo = next(v for v in verdicts(figures(study)) if "cargo" in v.asked)
    assert not cargo.good and cargo.measured > 3


def test_ratios_and_verdicts() -> None:
    """A criterion holds up to and including its limit, and a ratio to zero is infinite."""
    assert ratio([300, 200, 250]) == 1.5
    assert ratio([300, 0]) == float("inf")
    assert Criterion("x", 1.5, 1.5).good and not Criterion("x", 1.51, 1.5).good
