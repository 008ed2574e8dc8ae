"""Tests of enrolling cards and tokens by photograph."""
