"""Tests of the camera's benchmarks."""
