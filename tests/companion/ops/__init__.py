"""Tests of `companion.ops`."""
