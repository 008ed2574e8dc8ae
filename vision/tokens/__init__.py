"""Enrolled tokens, and reading those at a mat's places for tokens.

May import mat, print, deck and features. Enter at `places.TokenPlaces`.
"""
