"""Test the form for the cards of an owner's box, where each card is confirmed on its own."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine import BadSetup, Setup
from companion.games import files
from companion.games.trains.catalogue import Catalogue, shipped
from companion.games.trains.options import TOKYO
from companion.games.trains.rules import RULES
from companion.games.trains.sheet import Row, choices, fill_list, rows, suggest_rows, titles
from companion.i18n import load

SAY = load("en", (files(RULES, "words"),))
BOX = rows(None)


def row_of(card: str) -> int:
    """Return the index of a card in the form."""
    return [each.id for each in shipped().cards].index(card)


def test_a_box_has_the_reconstructions_figures_until_cards_are_compared() -> None:
    """The form starts with the reconstructed figures, suggests them for emptied lines, and suffices for a match."""
    assert not any(row.checked for row in BOX) and RULES.begin(Setup(RULES.name, 2, {}, "box", "box")).agenda
    assert BOX[row_of("tunnel")] == Row(str(row_of("tunnel") + 1), "5/0", False, "rail")
    proposed = suggest_rows([row._replace(value="") for row in BOX])
    assert tuple(proposed) == BOX
    assert titles(SAY)[str(row_of("tunnel") + 1)] == ("Tunnel", "Rails")
    assert {row.value for row in proposed} <= {choice.value for choice in choices(SAY)}


def test_a_card_with_a_tick_or_other_figures_is_the_owners() -> None:
    """A card with a tick or changed figures becomes the owner's, and the others stay public or unknown."""
    form = list(suggest_rows(BOX))
    form[row_of("tunnel")] = form[row_of("tunnel")]._replace(value="4/1")
    form[row_of("landfill")] = form[row_of("landfill")]._replace(checked=True)
    form[row_of("viaduct")] = form[row_of("viaduct")]._replace(value="")
    data, wrong = fill_list(BOX, form, SAY)
    book = {card.id: card for card in msgspec.convert(data, Catalogue).cards}
    assert not wrong
    assert [(c, book[c].cost, book[c].source) for c in ("tunnel", "landfill", "viaduct", "garage")] == [
        ("tunnel", 4, "owner"), ("landfill", 2, "owner"), ("viaduct", None, "unknown"), ("garage", 3, "public"),
    ]  # fmt: skip
    assert rows(data)[row_of("tunnel")].checked and not rows(data)[row_of("garage")].checked


def test_a_match_needs_the_cards_that_are_for_sale() -> None:
    """A missing cost prevents a match only if the card is for sale (R-10)."""
    form = list(suggest_rows(BOX))
    form[row_of("tunnel")] = form[row_of("tunnel")]._replace(value="")
    data, _ = fill_list(BOX, form, SAY)
    assert data is not None
    assert RULES.begin(Setup(RULES.name, 2, {}, data, "box")).agenda
    with pytest.raises(BadSetup) as caught:
        RULES.begin(Setup(RULES.name, 2, {"kingdom": (*TOKYO[:7], "tunnel")}, data, "box"))
    assert caught.value.refusal.fields["cards"] == ("tunnel",)


def test_another_form_changes_nothing() -> None:
    """A form with a missing row is refused."""
    assert fill_list(BOX, BOX[1:], SAY) == (None, ["The form has other rows than the 39 kinds of card."])
