"""Tests of `companion.threads`."""
