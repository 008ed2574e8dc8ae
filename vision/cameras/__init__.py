"""Cameras of every kind behind one protocol: the Raspberry Pi's, USB, videos, pictures. A rendered one is handed in.

May import image. Enter at `sources.open_camera`.
"""
