"""Tests of `hardware.pins`."""
