"""A table's end of a hall, and what both ends share: messages, signatures, joining by a code.

May import table and below, and the bus. Enter at `table_hall.TableHall`; `messages.py` says what crosses.
"""
