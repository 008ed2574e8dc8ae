"""The units, their installation and the hotspot; under a real systemd where there is a root for it."""
