"""Test that dates follow the reader's language."""

from __future__ import annotations

import pytest

from web.presenters.dates import long_date


@pytest.mark.parametrize(("lang", "written"), [("en", "3 February 2026"), ("fr", "3 février 2026")])
def test_a_date_is_written_as_the_language_does(lang: str, written: str) -> None:
    """The day precedes the month, which is a word."""
    assert long_date("2026-02-03T12:00:00.000Z", lang) == written
