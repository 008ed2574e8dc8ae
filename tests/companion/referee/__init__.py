"""Tests of `companion.referee`."""
