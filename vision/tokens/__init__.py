"""Enrolled tokens, and reading what lies at a mat's places for tokens.

May import mat, print, deck and features. Enter at `places.TokenPlaces`.
"""
