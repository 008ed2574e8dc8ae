"""The game's refusals, by rule: the key of each sentence and the values it may contain."""

from companion.engine import Reason

NO_CUBES = Reason("R-01", "no_cubes", "most")
ENOUGH = Reason("R-02", "enough", "most")
NOT_IN_REACH = Reason("R-03", "not_in_reach", "cell")
BEGIN_IN_A_CITY = Reason("R-03", "begin_in_a_city", "cell")
TOO_DEAR = Reason("R-04", "too_dear", "amount")
FULL = Reason("R-05", "full", "cell")
NOT_OPEN = Reason("R-07", "not_open", "card")
NOT_LINKED = Reason("R-07", "not_linked", "card")
HAS_ACTED = Reason("R-08", "has_acted")
