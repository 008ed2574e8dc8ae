"""Benchmarks that print figures beside a peer's from the same run and never assert on time."""

import vision  # noqa: F401  (turns NumPy's own threads off, which it must before NumPy is imported)
