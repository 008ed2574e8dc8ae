"""Programs that play a whole match as people do, over the pages of a running companion.

May import everything below commands. Enter at `director.Director`.
"""
