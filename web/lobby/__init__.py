"""The lobby: the people who arrive before a game begins, until the host starts it.

May import `companion` and `web.security`. Enter at `keeper.LobbyKeeper`; `record` holds what is kept, and all that may
happen to it, without clock, luck or disk.
"""
