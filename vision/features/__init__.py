"""Compare pictures: frames of cards, SIFT features, views in Lab, and the agreement of two views.

May import image alone. Enter at `sift.extract` and `blocks.agreement`.
"""
