"""Doubles and builders for tests of pages."""
