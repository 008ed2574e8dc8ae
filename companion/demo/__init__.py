"""Programs that play whole matches as people do, through the pages of a running companion.

May import everything below commands. Enter at `director.Director`.
"""
