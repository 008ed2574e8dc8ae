"""Tests of the mat."""
