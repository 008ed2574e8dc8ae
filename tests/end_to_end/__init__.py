"""Tests of people who play at a companion that hears pins, pictures and tablets alone."""
