"""Benchmarks of the camera: they print figures and never assert on time."""
