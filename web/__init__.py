"""The pages and streams for tablets and phones. Only this package imports Flask.

May import companion. Enter at `app.create_app` and `server.serve`.
"""
