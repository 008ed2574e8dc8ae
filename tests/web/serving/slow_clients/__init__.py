"""Tests of `web.serving`."""
