"""Tests of updates: packages, their signature, and the order of an update with its ways back."""
