"""Tests of `hardware.radio`."""
