"""What registers itself with the pages of a table: the card table, the demonstration, the link to a hall.

May import everything in web but hall; nothing but hall imports it. Each folder's `plugin.py` says what it brings.
"""
