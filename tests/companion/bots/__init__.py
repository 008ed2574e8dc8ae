"""Tests of `companion.bots`."""
