"""Cameras and the reading of cards. OpenCV and picamera2 are known only here. (Nothing lives here yet.)"""
