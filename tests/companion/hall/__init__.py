"""Tests of `companion.hall`."""
