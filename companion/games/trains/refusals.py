"""The game's refusals, by rule: the key of each sentence and the values it may contain."""

from __future__ import annotations

from companion.engine import Reason

SAME_COLOUR = Reason("R-01", "same_colour")
STATION_COLOUR = Reason("R-01", "station_colour")
BAD_LIST = Reason("R-02", "bad_list", "why")
KINGDOM = Reason("R-02", "kingdom", "count")
NO_SUCH_LIST = Reason("R-02", "no_such_list", "name")
NO_SUCH_CELL_R05 = Reason("R-05", "no_such_cell", "cell")
OCCUPIED = Reason("R-05", "occupied", "cell")
REMOTE = Reason("R-05", "remote", "cell")
WATER = Reason("R-05", "water", "cell")
FINISH_FIRST = Reason("R-06", "finish_first", "card")
NO_SUCH_CARD = Reason("R-07", "no_such_card", "card")
NOT_IN_HAND = Reason("R-07", "not_in_hand", "card")
WASTE_IS_USELESS = Reason("R-07", "waste_is_useless")
GARAGE = Reason("R-08", "garage")
GUESS = Reason("R-08", "guess")
NAME_UNKNOWN = Reason("R-08", "name_unknown")
ONE_OF_FOUR = Reason("R-08", "one_of_four")
TOP = Reason("R-08", "top")
WHOLE = Reason("R-08", "whole", "card", "rebuilds")
COST_MISSING = Reason("R-10", "cost_missing", "cards")
NO_SUCH_PILE = Reason("R-10", "no_such_pile", "card")
NOT_ON_DECK = Reason("R-10", "not_on_deck", "card")
PILE_EMPTY = Reason("R-10", "pile_empty", "card")
WASTE_NOT_SOLD = Reason("R-10", "waste_not_sold")
TOO_DEAR_R11 = Reason("R-11", "too_dear", "card", "cost", "coins")
ALL_OR_NONE = Reason("R-12", "all_or_none")
HAS_ACTED = Reason("R-12", "has_acted")
HAS_ACTED_WITH_WASTE = Reason("R-12", "has_acted", "waste")
NOTHING_DONE = Reason("R-12", "nothing_done")
NOT_DUE = Reason("R-14", "not_due", "seat", "count")
NOT_IN_DECK = Reason("R-14", "not_in_deck")
SHUFFLE_FIRST = Reason("R-14", "shuffle_first", "seat")
ALREADY_YOURS = Reason("R-15", "already_yours", "cell")
BARRIER = Reason("R-15", "barrier", "cell")
NO_CUBE = Reason("R-15", "no_cube")
NO_SUCH_CELL = Reason("R-15", "no_such_cell", "cell")
NOT_ADJACENT = Reason("R-15", "not_adjacent", "cell")
SEA = Reason("R-15", "sea", "cell")
TOO_DEAR = Reason("R-16", "too_dear", "cost", "coins")
CITY_FULL = Reason("R-17", "city_full", "cell")
NO_MARKER = Reason("R-17", "no_marker")
NOT_A_CITY = Reason("R-17", "not_a_city", "cell")
ASKED = {
    card: Reason("R-08", card, "card", "rebuilds")
    for card in (
        "amusement_park", "conductors_station", "freight_train", "garage", "landfill", "mail_train",
        "maintenance_factory", "pulling", "station_crew", "stationmasters_office", "switchback", "wagon_factory",
    )
}  # fmt: skip
"""The question of a card's text, by card."""
