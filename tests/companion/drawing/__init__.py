"""Tests of drawings as data."""
