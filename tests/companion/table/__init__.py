"""Tests of `companion.table`."""
