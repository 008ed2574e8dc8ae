"""Test doubles and builders for tests of pages."""
