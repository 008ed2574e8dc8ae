"""A game's board under the camera: located by its markers or set by hand, with the pieces on its cells.

May import mat, print, deck and features. Enter at `board_reader.BoardReader`.
"""
