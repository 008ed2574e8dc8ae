"""Cameras on a real kernel."""
