"""Tests of what pictures are compared by."""
