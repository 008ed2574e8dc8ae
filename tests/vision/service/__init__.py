"""Tests of `vision.service`."""
