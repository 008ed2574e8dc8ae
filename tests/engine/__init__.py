"""Tests of `companion.engine`."""
