"""Find, read and track the cards at each slot of a mat.

May import mat, recognise, deck and features. Enter at `TableReader`, or at `FreeReader` without a mat.
"""

from vision.slots.free_reader import FreeReader as FreeReader
from vision.slots.table_reader import TableReader as TableReader
from vision.slots.table_reader import TableReading as TableReading
