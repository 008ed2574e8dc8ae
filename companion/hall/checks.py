"""Check entries before they are written: each fault is the key of a sentence, with its fields."""

from __future__ import annotations

from collections.abc import Sequence

from companion.devices.hall_link.messages import ANNOUNCEMENT, NAME_LENGTH, Placing, fits
from companion.engine.names import likeness, name_key, seen
from companion.hall import entries as e
from companion.hall.round_results import fitting_table, open_tables, round_results
from companion.hall.state import HallState

MOST_TABLES, MOST_PLAYERS, MOST_ROUNDS, MOST_POINTS = 5000, 30000, 99, 1000
MOST_LENGTH, MOST_MORE = 600, 60
"""Longest round in minutes, and the most minutes that can be added at once."""
SIZES = range(2, 7)
"""Possible numbers of players at a tournament's table."""
NAMES = ("full", "initials", "numbers")


class HallError(ValueError):
    """An impossible action; the sentence is `hall.fault.KEY` with the fields."""

    def __init__(self, key: str, /, **fields: object) -> None:
        super().__init__(key)
        self.key, self.fields = f"hall.fault.{key}", fields


def check(state: HallState, body: e.Body) -> None:
    """Raise `HallError` if an entry is impossible in this state."""
    match body:
        case e.HallOpened(_, name):
            _check_name(name)
        case e.NamesShown(how):
            _require(how in NAMES, "unknown_choice")
        case e.TableAdmitted(table, name, number):
            _check_number(state, table, number)
            _check_free_name(state, table, name)
        case e.TableNumbered(table, number):
            _require_table(state, table)
            _check_number(state, table, number)
        case e.TableRenamed(table, name):
            _require_table(state, table)
            _check_free_name(state, table, name)
        case e.TableRemoved(table):
            _require_table(state, table)
        case e.CallTaken(call, judge):
            _require(call in state.calls and not state.calls[call].closed, "call_gone")
            _require(state.calls[call].judge in ("", judge), "call_taken", name=state.calls[call].judge)
            _check_name(judge)
        case e.CallClosed(call):
            _require(call in state.calls and not state.calls[call].closed, "call_gone")
        case e.ResultJudged(result, right):
            found = state.find_result(result)
            _require(found is not None, "result_gone")
            assert found is not None
            _require(found.judged is None or found.judged == right, "judged_differently")
        case _:
            _check_tournament(state, body)


def _check_tournament(state: HallState, body: e.Body) -> None:
    match body:
        case e.TournamentPlanned():
            _check_name(body.name)
            _require(0 < body.rounds <= MOST_ROUNDS, "rounds", most=MOST_ROUNDS)
            _require(body.rounds >= len(state.rounds), "rounds_played", rounds=len(state.rounds))
            _require(body.method in e.METHODS, "unknown_choice")
            sizes_fit = bool(body.sizes) and set(body.sizes) <= set(SIZES) and body.preferred in body.sizes
            _require(sizes_fit, "sizes", least=SIZES.start, most=SIZES.stop - 1)
            _require(not body.final or body.final in SIZES, "final_size", least=SIZES.start, most=SIZES.stop - 1)
            scale = sorted(body.points, reverse=True) == [*body.points] and len(body.points) < SIZES.stop
            _require(not body.points or (scale and MOST_POINTS >= body.points[0] > body.points[-1] >= 0), "scale")
            for one, other in body.apart:
                _require(one != other and min(one, other) > 0, "couple")
        case e.TournamentClosed():
            _require(state.tournament is not None, "no_tournament")
        case e.PlayersEntered(names, first, families):
            _require(len(families) in (0, len(names)), "no_names")
            check_names(names, [player.name for player in state.players.values()])
            _require(first == 0 or first > max(state.players, default=0), "player_twice", name=names[0])
        case e.PlayerRenamed(player, name):
            _require_player(state, player)
            check_names([name], [each.name for each in state.players.values() if each.id != player])
        case e.PlayerLeft(player):
            _require_player(state, player)
            _require(state.players[player].present, "left_already", name=state.players[player].name)
        case e.PlayerBack(player):
            _require_player(state, player)
            _require(not state.players[player].present, "there_already", name=state.players[player].name)
        case e.RoundSeated():
            _check_seating(state, body)
        case e.RoundCalled(number, _, minutes):
            _require(state.round is not None and state.round.number == number, "not_the_round")
            _require(0 <= minutes <= MOST_LENGTH, "round_length", most=MOST_LENGTH)
        case e.MinutesAdded() | e.Announced() | e.ResultSaid():
            _check_said(state, body)
        case e.NoShow(number, player, alone):
            current, left = state.rounds.get(number), others_left(state, number, player)
            _require(left is not None, "not_seated")
            _require(current is not None and player not in current.absent, "absent_already")
            _require(alone or len(left or ()) > 1, "leaves_alone")
        case e.PlayerCame(number, player):
            current = state.rounds.get(number)
            _require(current is not None and player in current.absent, "not_absent")
        case e.ResultTyped(number, table, players, placings):
            expected = _expected_at(state, number, table)
            _require(set(players) == expected and len(players) == len(expected), "other_players")
            _require(placings_fit(placings, len(players)), "places_impossible")
        case e.ResultUsed(result, number, table):
            found = state.find_result(result)
            _require(found is not None and found.result.round == number, "result_gone")
            assert found is not None
            _expected_at(state, number, table)
            _require(fitting_table(state, found.result) == table, "other_players")


def others_left(state: HallState, number: int, player: int) -> tuple[int, ...] | None:
    """Return the others expected at a player's table of a round; None if the player has no table."""
    current = state.rounds.get(number)
    tables = current.tables if current is not None else ()
    gone = {player, *(current.absent if current is not None else ())}
    return next(
        (tuple([each for each in at.players if each not in gone]) for at in tables if player in at.players), None
    )


def _expected_at(state: HallState, number: int, table: int) -> set[int]:
    """Return the players expected at a table of a round; raise `HallError` if there is no such table."""
    current = state.rounds.get(number)
    seated = next((each.players for each in (current.tables if current else ()) if each.number == table), None)
    _require(seated is not None, "no_such_table", number=table)
    return set(seated or ()).difference(current.absent if current else ())


def _check_said(state: HallState, body: e.MinutesAdded | e.Announced | e.ResultSaid) -> None:
    """Check a judge's or a phone's entry about a round in play, or an announcement."""
    if isinstance(body, e.Announced):
        _require(fits(body.text, ANNOUNCEMENT) and body.text == body.text.strip(), "announcement", most=ANNOUNCEMENT)
        return
    current = state.round
    _require(current is not None and current.number == body.round, "round_gone", round=body.round)
    assert current is not None
    if isinstance(body, e.MinutesAdded):
        _require(bool(current.ends), "no_clock")
        _require(0 < abs(body.minutes) <= MOST_MORE, "more_minutes", most=MOST_MORE)
        _require(not body.table or bool(current.people(body.table)), "no_such_table", number=body.table)
        return
    here = current.people(body.number)
    _require(body.player in here, "not_at_table", number=body.number)
    found = round_results(state, body.round).get(body.number)
    _require(found is None or not found.holds, "has_result", number=body.number)
    if body.placings:
        _require(sorted(body.players) == sorted(here), "other_players")
        _require(placings_fit(body.placings, len(here)), "places_impossible")


def _check_seating(state: HallState, body: e.RoundSeated) -> None:
    """Check a round's seating."""
    _require(state.tournament is not None, "no_tournament")
    last = max(state.rounds, default=0)
    _require(body.round in (last, last + 1) and body.round > 0, "not_the_round")
    if body.round == last:
        _require(body.instead in (0, state.rounds[last].entry), "round_changed")
        _require(not any(each.holds for each in round_results(state, last).values()), "round_has_results")
    elif last:
        missing = open_tables(state, last)
        _require(not missing, "results_missing", numbers=", ".join(map(str, missing)))
    assert state.tournament is not None
    _require(body.round <= state.tournament.rounds, "rounds_over", rounds=state.tournament.rounds)
    seated = [*[player for table in body.tables for player in table.players], *body.byes]
    present = sorted([player.id for player in state.players.values() if player.present])
    before = state.rounds[last] if body.round == last else None
    same = [] if before is None else [*before.byes, *[player for table in before.tables for player in table.players]]
    _require(sorted(seated) in (present, sorted(same)), "other_players")
    numbers = [table.number for table in body.tables]
    _require(len(set(numbers)) == len(numbers) and all(number > 0 for number in numbers), "numbers_twice")
    _require(not body.final or body.final in numbers, "no_such_table", number=body.final)


def placings_fit(placings: Sequence[Placing], players: int) -> bool:
    """Whether placings contain every seat once, with places of a possible ranking (1, 2, 2, 4)."""
    seats = sorted([seat for placing in placings for seat in placing.seats])
    places = [placing.place for placing in placings]
    ranks = all(place == 1 + sum(other < place for other in places) for place in places)
    return seats == list(range(players)) and ranks and all(abs(each.score) < 2**53 for each in placings)


def check_names(names: Sequence[str], existing: Sequence[str]) -> None:
    """Check entered names: either all can be used or none is."""
    _require(bool(names), "no_names")
    _require(len(names) + len(existing) <= MOST_PLAYERS, "too_many_players", most=MOST_PLAYERS)
    looks = {look: name for name in existing for look in likeness(name)}
    for name in names:
        _check_name(name)
        other = next((looks[look] for look in likeness(name) if look in looks), None)
        _require(other is None or name_key(other) != name_key(name), "player_twice", name=name)
        _require(other is None, "players_alike", name=name, other=other)
        looks |= dict.fromkeys(likeness(name), name)


def _check_name(name: str) -> None:
    _require(bool(name.strip()), "name_missing")
    _require(fits(name) and name == name.strip(), "name_unfit", name=seen(name), most=NAME_LENGTH)


def _check_free_name(state: HallState, table: str, name: str) -> None:
    _check_name(name)
    same = [each for each in state.present if each.id != table and name_key(each.name) == name_key(name)]
    _require(not same, "table_name_taken", name=name)


def _check_number(state: HallState, table: str, number: int) -> None:
    _require(0 < number <= MOST_TABLES, "number", most=MOST_TABLES)
    other = state.at_number(number)
    _require(other is None or other.id == table, "number_taken", number=number)


def _require_table(state: HallState, table: str) -> None:
    _require(table in state.tables and not state.tables[table].removed, "table_gone")


def _require_player(state: HallState, player: int) -> None:
    _require(player in state.players, "player_gone")


def _require(holds: bool, key: str, /, **fields: object) -> None:
    if not holds:
        raise HallError(key, **fields)
