"""Tests of `companion.demo`."""
