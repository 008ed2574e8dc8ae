"""The hall's own pages: board, walls, judges, tournament and organiser.

Enter at `app.create_hall_app`; `commands` is the command `companion hall`.
"""
