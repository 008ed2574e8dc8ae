"""The steps of Express: dealing, drawing, laying, disasters, the end of a hand.

May import mechanics and the engine. Enter at `setup.start`.
"""
