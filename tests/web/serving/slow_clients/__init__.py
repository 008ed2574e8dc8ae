"""Tests of `web.serving.slow_clients`."""
