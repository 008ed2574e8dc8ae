"""The lobby: the people who arrive before a game begins, until the host starts it.

May import `companion` and `web.security`. Enter at `keeper.LobbyKeeper`; `record` holds the stored state and its
changes, without clock, randomness or disk.
"""
