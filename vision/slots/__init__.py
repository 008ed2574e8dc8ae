"""The cards at each slot of a mat: found, read, and remembered from picture to picture.

May import mat, recognise, deck and features. Enter at `TableReader`, without a mat at `FreeReader`.
"""

from vision.slots.free_reader import FreeReader as FreeReader
from vision.slots.table_reader import TableReader as TableReader
from vision.slots.table_reader import TableReading as TableReading
