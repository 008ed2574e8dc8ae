"""A table's end of a hall, and the parts common to both ends: messages, signatures, joining by a code.

May import table and below, and the bus. Enter at `table_hall.TableHall`; `messages.py` defines the messages.
"""
