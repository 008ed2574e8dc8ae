"""Tests of `web.presenters`."""
