"""Tests of `hardware.lamps`."""
