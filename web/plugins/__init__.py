"""Plugins for a table's pages: advice, the card table, the demonstration, the link to a hall.

May import everything in web but hall; only hall imports it. Each folder's `plugin.py` declares its additions.
"""
