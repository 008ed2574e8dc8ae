"""Tests of `companion.devices.hall_link`."""
