"""Tests of boards under the camera."""
