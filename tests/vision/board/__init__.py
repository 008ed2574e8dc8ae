"""Tests of the reading of whole tables."""
