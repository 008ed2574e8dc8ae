"""Tests of `companion.devices`."""
