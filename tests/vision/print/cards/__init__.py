"""Tests of our own printable decks."""
