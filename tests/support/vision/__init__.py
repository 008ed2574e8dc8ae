"""Pictures and test doubles for tests of the camera."""
