"""Pictures and doubles for tests of the camera."""
