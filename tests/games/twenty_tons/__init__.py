"""Tests of Twenty Tons, the example game."""
