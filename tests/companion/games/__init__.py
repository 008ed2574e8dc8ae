"""Tests of how games are found."""
