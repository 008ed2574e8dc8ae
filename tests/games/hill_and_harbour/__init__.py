"""Tests of Hill and Harbour."""
