"""Tests of the commands around the camera."""
