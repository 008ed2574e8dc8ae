"""Which sentence answers an HTTP error."""

from __future__ import annotations

KEYS = {404: "not_found", 405: "not_found", 413: "too_big", 429: "too_many", 400: "malformed", 415: "malformed"}


def error_key(code: int) -> str:
    """Return the key of the sentence for a status code from 400 on."""
    return f"error.{KEYS.get(code, 'broken' if code >= 500 else 'malformed')}"
