"""Tests of Branch Lines."""
