"""The commands around the camera, one module each.

May import everything in vision, late where OpenCV is needed. Enter at `command` in each.
"""
