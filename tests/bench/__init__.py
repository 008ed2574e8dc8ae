"""Benchmarks: they print figures beside a peer's, measured in the same run, and never assert on time."""
