"""Tests of `vision.print`."""
