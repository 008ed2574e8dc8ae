"""Tests of `web.live`."""
