"""Tests of `companion.journal`."""
