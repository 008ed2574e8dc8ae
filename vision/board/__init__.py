"""What lies at each place of a table: found, read, and remembered from picture to picture.

May import mat, recognise, deck and features. Enter at `TableReader`.
"""

from vision.board.table_reader import TableReader, TableReading

__all__ = ["TableReader", "TableReading"]
