"""Tests of `hardware.wiring`."""
