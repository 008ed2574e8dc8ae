"""Tests of reading the cards at slots."""
