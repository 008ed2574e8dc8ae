"""Tests of the units, their installation and the hotspot, some under a real systemd where a root for it exists."""
