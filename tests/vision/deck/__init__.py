"""Tests of enrolled decks."""
