"""The blueprints, one for each page.

May import everything in web but app and server. Enter at `live_pages.add_live_routes` and `viewer_pages.render_page`.
"""
