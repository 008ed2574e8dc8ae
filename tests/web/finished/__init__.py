"""Tests of `web.finished`."""
