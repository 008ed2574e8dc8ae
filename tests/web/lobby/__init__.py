"""Tests of `web.lobby`."""
