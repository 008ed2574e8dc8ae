"""Tests of `companion.match`."""
