"""What pages say, computed without HTTP.

May import security and the game pages.
"""
