"""Tests of buttons, lamps and their service."""
