"""A hall of tables: a board, judges and a tournament, connected by MQTT to tables that stay masters of their games.

Knows only messages and results, never a game's rules or pages. The broker carries messages; the hall's database
remembers.
"""
