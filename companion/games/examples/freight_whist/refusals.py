"""What the game refuses, by rule: the key of its sentence, and what the sentence may fill in."""

from companion.engine import Reason

MUST_FOLLOW = Reason("R-05", "must_follow", "card", "seat")
ALREADY_PLAYED = Reason("R-10", "already_played", "card")
IN_ANOTHER_HAND = Reason("R-10", "in_another_hand", "card", "seat")
DID_NOT_FOLLOW = Reason("R-10", "did_not_follow", "card", "seat")
