"""Rendered tables with ground truth: the companion's own cards under light, tilt, blur, glare and hands.

May import mat, deck, print and the ports of cameras. Enter at `rendered_table` and `rendered_camera`.
"""
