"""Tests of the hall's own pages."""
