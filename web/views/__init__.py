"""One blueprint a page.

May import everything in web but app and server.
"""
