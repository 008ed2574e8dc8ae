"""Tests of the examination of the machine."""
