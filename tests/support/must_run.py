"""Names the tests with special requirements that must not be skipped."""

from __future__ import annotations

import os

VARIABLE = "COMPANION_MUST_RUN"
"""The environment variable with the names of markers, separated by commas: `browser,broker`."""


def must_run(marker: str) -> bool:
    """Return whether tests with this marker must fail if they cannot run."""
    return marker in (name.strip() for name in os.environ.get(VARIABLE, "").split(","))
