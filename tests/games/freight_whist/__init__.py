"""Tests of Freight Whist."""
