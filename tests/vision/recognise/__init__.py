"""Tests of reading cards."""
