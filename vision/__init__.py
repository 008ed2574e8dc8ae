"""Cameras, and the reading of cards from pictures. OpenCV and picamera2 are known only here."""
