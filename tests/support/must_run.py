"""Which of the tests that need something more may not be skipped for want of it."""

from __future__ import annotations

import os

VARIABLE = "COMPANION_MUST_RUN"
"""Names markers, separated by commas: `browser,broker`."""


def must_run(marker: str) -> bool:
    """Whether tests with this marker have to fail where they cannot be run."""
    return marker in (name.strip() for name in os.environ.get(VARIABLE, "").split(","))
