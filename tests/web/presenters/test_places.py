"""Test the colours of plain cards."""

from __future__ import annotations

from companion.games.examples.freight_whist.rules import DECK, RULES
from web.presenters.places import card_kinds


def test_cards_of_one_kind_share_a_colour_that_no_other_kind_has() -> None:
    """Four suits of thirteen cards have four colours."""
    kinds = card_kinds(RULES)
    assert set(kinds) == set(DECK)
    assert len({(card.partition("-")[0], colour) for card, colour in kinds.items()}) == 4
    assert len(set(kinds.values())) == 4
