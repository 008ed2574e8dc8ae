"""Tests of `companion.commands`."""
