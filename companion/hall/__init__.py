"""A hall of tables: one board, judges and a tournament, joined by MQTT to tables that stay masters of their own games.

Knows messages and results alone, never a game's rules or pages. The broker carries; the hall's database remembers.
"""
