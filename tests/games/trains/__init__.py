"""Trains: rules, cards, the book's example, invariants."""
