"""Test amounts as pages show them, and as people type, paste or generate them."""

from __future__ import annotations

import pytest

from companion.i18n import LANGUAGES
from companion.mechanics.telling import format_money
from web.forms import InvalidForm, read_number
from web.whole_numbers import NotWhole, whole_number

UNDERSTOOD = {
    " 1,000": 1000, "0050": 50, "0": 0, "$2\u202f550": 2550, "1200 $": 1200, "$ 1200": 1200, "1 200 $": 1200,
    "1\u202f200\u202f$": 1200, "1\u00a0200": 1200, "1\u2009200": 1200, "1’200": 1200, "1'200": 1200, "1.200": 1200,
    "1,200,000": 1_200_000, "1200.00": 1200, "1,200.00": 1200, "1.200,00": 1200, "1 200,00 $": 1200, "\u200e1200": 1200,
    "1200\u200b": 1200, "１２００": 1200, "١٢٠٠": 1200, "−$50": -50, "-50 $": -50,
}  # fmt: skip
"""Spellings of amounts with their values in whole dollars."""
UNCLEAR = ("1.5", "1,5", "12 00", "1.20", "1,200.000", "1.200.00", "0.200", "1200.", "12,34,567", "1 2000")
"""Texts with ambiguous digits."""
NO_NUMBER = ("", "$", "-", "0x10", "1_000", "--5", "5-", "+5", "NaN", "1e3", "1²", "½", "①", "$5$", "9" * 16, "zwölf")


@pytest.mark.parametrize(("text", "number"), UNDERSTOOD.items())
def test_what_people_write_is_understood(text: str, number: int) -> None:
    """An amount can have any usual separator of thousands, the dollar sign on either side, and invisible marks."""
    assert whole_number(text) == number


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("amount", [0, 50, 999, 1000, 12_350, 1_000_000, -1200])
def test_an_amount_is_understood_as_it_is_shown(lang: str, amount: int) -> None:
    """An amount that a page shows can be typed or pasted."""
    assert read_number("amount", format_money(amount, lang)) == amount


@pytest.mark.parametrize(
    ("key", "text"), [("unclear_number", t) for t in UNCLEAR] + [("no_number", t) for t in NO_NUMBER]
)
def test_nothing_is_guessed(key: str, text: str) -> None:
    """Fractions of a dollar, other groups of digits and other notations are refused with the reason."""
    with pytest.raises(NotWhole) as caught:
        whole_number(text)
    assert caught.value.key == key
    with pytest.raises(InvalidForm) as told:
        read_number("amount", text)
    assert (told.value.key, told.value.fields["said"]) == (f"refused.{key}", text or "–")
