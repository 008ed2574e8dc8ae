"""Tests of vision."""
