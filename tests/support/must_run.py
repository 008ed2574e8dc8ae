"""Which tests with special requirements must not be skipped."""

from __future__ import annotations

import os

VARIABLE = "COMPANION_MUST_RUN"
"""Names of markers, separated by commas: `browser,broker`."""


def must_run(marker: str) -> bool:
    """Whether tests with this marker must fail if they cannot run."""
    return marker in (name.strip() for name in os.environ.get(VARIABLE, "").split(","))
