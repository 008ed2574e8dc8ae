"""Tests of the picture features used for comparisons."""
