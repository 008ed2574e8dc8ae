"""Tests of Trains."""
