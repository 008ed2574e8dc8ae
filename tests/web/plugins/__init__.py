"""Tests of `web.plugins`."""
