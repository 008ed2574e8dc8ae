"""Tests of `companion.sight`."""
