"""The referee's reasons to refuse a press: the key of each sentence and the values it may contain."""

from __future__ import annotations

from companion.engine import Reason

COUNTING = Reason("R-00", "counting")
FIST_FIRST = Reason("R-00", "fist_first")
JUST_RAISED = Reason("R-00", "just_raised")
LOT_CLOSED = Reason("R-00", "lot_closed")
NOT_OPEN = Reason("R-00", "not_open")
NOT_TAKING_PART = Reason("R-00", "not_taking_part")
OPENING = Reason("R-00", "opening")
OUTBID = Reason("R-00", "outbid", "seat")
PRESSED_TWICE = Reason("R-00", "pressed_twice")
RECALLED = Reason("R-00", "recalled")
SAME_MOMENT = Reason("R-00", "same_moment", "seat")
TOO_LATE = Reason("R-00", "too_late", "ms")
TOO_SOON = Reason("R-00", "too_soon")
UNDELIVERED = Reason("R-00", "undelivered", "ms")
