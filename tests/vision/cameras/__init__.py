"""Tests of the cameras."""
