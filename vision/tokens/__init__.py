"""Enrolled tokens, and reading what lies at a mat's places for tokens.

May import mat, print, deck, features and board's camera. Enter at `places.TokenPlaces`.
"""
