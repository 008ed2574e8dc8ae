"""Tests of the rendered table."""
