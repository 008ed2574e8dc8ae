"""Tests of enrolled tokens and of reading them."""
