"""Comparing pictures: frames of cards, SIFT features, views in Lab, and how far two views agree.

May import image alone. Enter at `sift.extract` and `blocks.agreement`.
"""
