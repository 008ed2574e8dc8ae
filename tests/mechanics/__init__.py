"""Tests of `companion.mechanics`."""
