"""The hall's own pages: its board, its walls, its judges, its tournament and its organiser.

Enter at `app.create_hall_app`; `commands` is the command `companion hall`.
"""
