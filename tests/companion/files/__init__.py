"""Tests of `companion.files`."""
