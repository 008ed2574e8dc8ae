"""Tests of Express."""
