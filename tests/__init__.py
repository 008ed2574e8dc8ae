"""Tests of the table companion."""
