"""Dates in a language's own style: 28 November 2026, 28 novembre 2026."""

from __future__ import annotations

from datetime import datetime

LOCALES = {"en": "en_GB", "fr": "fr"}
"""The locale whose date format each language of the pages uses (Unicode CLDR)."""


def long_date(moment: str, lang: str) -> str:
    """Return the date of a moment in ISO 8601, in this machine's time zone."""
    # Import late: it loads time zones and their tables, and no first page shows a date.
    from babel.dates import format_date

    return format_date(datetime.fromisoformat(moment).astimezone().date(), "long", LOCALES[lang])
