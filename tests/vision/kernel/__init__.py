"""Tests of cameras on a real kernel."""
