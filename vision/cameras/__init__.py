"""Cameras of every kind behind one protocol: the Raspberry Pi's, USB, videos and pictures. A rendered one is passed in.

May import image. Enter at `sources.open_camera`.
"""
