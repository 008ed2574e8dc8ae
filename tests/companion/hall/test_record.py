"""What a hall writes down: its entries, the state that follows from them, and what cannot be written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from companion.hall import entries as e
from companion.hall.checks import HallError, check
from companion.hall.databases import open_store
from companion.hall.messages import Placing, Result
from companion.hall.round_results import round_results, unexpected_results
from companion.hall.signing import TableKey
from companion.hall.state import HallState, ResultRecord, fold, last_undoable, supersedes
from companion.hall.store import StoreError, sqlite_url

KEY = TableKey.from_bytes(bytes(32))
TABLE = "ab12cd34"
PLAN = e.TournamentPlanned("Cup", "trains", 3, "swiss", (2, 3), 2)
ADMITTED = e.TableAdmitted(TABLE, "Window", 1, KEY.public, "$7$")
NAMES = ("Ann", "Bob", "Cid", "Dee")


def numbered(bodies: Sequence[e.Body], after: int = 0) -> list[e.Entry]:
    """Return entries of these bodies."""
    return [e.Entry(after + 1 + at, 1000.0 + at, "organiser", body) for at, body in enumerate(bodies)]


def state_of(*bodies: e.Body) -> HallState:
    """Return the state after these entries, each of which must have been possible."""
    state = HallState()
    for entry in numbered(bodies):
        check(state, entry.body)
        state = fold([entry], state)
    assert state == fold(numbered(bodies))
    return state


def result(**fields: object) -> Result:
    """Return a result of the first round's table 1."""
    plain = Result(
        hall="h", table=TABLE, round=1, match="m1", sequence=1, game="trains", names=("Bob", "Ann"),
        placings=(Placing((0,), 1, 9), Placing((1,), 2, 4)),
    )  # fmt: skip
    return msgspec.structs.replace(plain, **fields)


def reported(found: Result) -> e.ResultReported:
    """Return the entry of a table's result."""
    signed = KEY.sign(found)
    return e.ResultReported(found.table, signed.payload, signed.signature)


ROUND = (
    ADMITTED,
    PLAN,
    e.PlayersEntered(NAMES),
    e.RoundSeated(1, (e.SeatedTable(1, (1, 2)), e.SeatedTable(2, (3, 4)))),
)


def refusal(state: HallState, body: e.Body) -> str:
    """Return why an entry is impossible."""
    with pytest.raises(HallError) as caught:
        check(state, body)
    return caught.value.key.removeprefix("hall.fault.")


def test_a_round_gets_its_results_from_tables_by_the_people_there() -> None:
    """Seats may be taken in another order; what counts is who sat there."""
    state = state_of(*ROUND, reported(result()))
    found = round_results(state, 1)
    assert found[1].players == (2, 1) and found[1].status == "waiting" and not found[1].holds
    confirmed = fold(numbered([reported(result(confirmed=(0, 1)))], state.number), state)
    assert round_results(confirmed, 1)[1].holds and 2 not in round_results(confirmed, 1)
    assert not unexpected_results(confirmed)


def test_people_who_were_not_seated_there_make_no_result() -> None:
    """Such a result is listed for the organiser."""
    state = state_of(*ROUND, reported(result(names=("Bob", "Cid"))), reported(result(match="m2", names=("Bob", "X"))))
    assert not round_results(state, 1)
    assert [record.result.match for record in unexpected_results(state)] == ["m1", "m2"]


def test_a_table_speaks_for_the_people_at_another_only_with_a_judge() -> None:
    """Though two seats confirm it: any table can write names that are not there."""
    other = result(table="zz99zz99", match="m9", confirmed=(0, 1))
    signed = KEY.sign(other)
    forged = e.ResultReported("zz99zz99", signed.payload, signed.signature)
    state = state_of(*ROUND, e.TableAdmitted("zz99zz99", "Door", 2, KEY.public, "$7$"), forged)
    assert not round_results(state, 1) and [each.id for each in unexpected_results(state)] == [other.id]
    judged = fold(numbered([e.ResultJudged(other.id, True)], state.number), state)
    assert round_results(judged, 1)[1].holds and not unexpected_results(judged)


def test_a_table_that_gets_another_number_keeps_its_results() -> None:
    """What counts is the number that it had when it reported."""
    state = state_of(*ROUND, reported(result(confirmed=(0, 1))), e.TableNumbered(TABLE, 9))
    assert round_results(state, 1)[1].holds


def test_a_typed_result_counts_before_the_tables_own() -> None:
    """The organiser's word holds, also against a table's result that comes later."""
    typed = e.ResultTyped(1, 1, (1, 2), (Placing((0, 1), 1, 7),))
    state = state_of(*ROUND, reported(result(confirmed=(0, 1))), typed, reported(result(match="m2", confirmed=(0, 1))))
    assert round_results(state, 1)[1].status == "typed" and not unexpected_results(state)


def test_an_absent_player_is_not_expected() -> None:
    """The table plays without."""
    three = e.RoundSeated(1, (e.SeatedTable(1, (1, 2, 3, 4)),))
    absent = (e.NoShow(1, 3), e.NoShow(1, 4))
    state = state_of(*ROUND[:3], three, *absent, reported(result(confirmed=(0, 1))))
    assert round_results(state, 1)[1].players == (2, 1)


def test_late_and_repeated_messages_change_nothing() -> None:
    """Only a higher sequence or a further seat's word is news."""
    old = result(confirmed=(0,))
    assert not supersedes(old, old) and not supersedes(result(), old)
    assert supersedes(result(confirmed=(0, 1)), old) and supersedes(result(sequence=2), old)
    assert not supersedes(result(confirmed=(1,)), old) and not supersedes(result(disputed=(0,)), old)
    assert supersedes(result(confirmed=(0,), disputed=(1,)), old)
    assert not supersedes(result(confirmed=(0, 1)), result(sequence=2))


def test_what_a_judge_said_holds_until_the_result_is_another() -> None:
    """Another word of a seat does not undo it; another placing does."""
    judged = e.ResultJudged(result().id, True)
    state = state_of(ADMITTED, reported(result()), judged, reported(result(sequence=2, disputed=(1,))))
    record = next(iter(state.results.values()))
    assert record.status == "confirmed"
    other = result(sequence=3, placings=(Placing((1,), 1, 9), Placing((0,), 2, 4)))
    again = fold(numbered([reported(other)], state.number), state)
    assert next(iter(again.results.values())).status == "waiting"


@pytest.mark.parametrize(
    ("confirmed", "disputed", "judged", "status"),
    [
        ((), (), None, "waiting"),
        ((0,), (), None, "waiting"),
        ((0, 1), (), None, "confirmed"),
        ((0,), (1,), None, "disputed"),
        ((0,), (1,), True, "confirmed"),
        ((0, 1), (), False, "rejected"),
    ],
)
def test_two_seats_or_a_judge_confirm(
    confirmed: tuple[int, ...], disputed: tuple[int, ...], judged: bool | None, status: str
) -> None:
    """One seat alone does not, and a judge's word is the last."""
    assert ResultRecord("x", result(confirmed=confirmed, disputed=disputed), 1, judged).status == status


def test_undo_takes_back_the_latest_step_of_the_organiser() -> None:
    """What tables have reported stays."""
    entries = numbered([*ROUND, reported(result())])
    last = last_undoable(entries)
    assert last is not None and isinstance(last.body, e.RoundSeated)
    entries += numbered([e.Undone(last.number)], len(entries))
    state = fold(entries)
    assert not state.rounds and state.results
    before = last_undoable(entries)
    assert before is not None and isinstance(before.body, e.PlayersEntered)


def test_what_cannot_be_is_refused_with_its_reason() -> None:
    """Every reason has its own key."""
    state = state_of(*ROUND)
    call = state_of(*ROUND, e.CallMade("c", TABLE, 0), e.CallTaken("c", "Jo"))
    for body, key in (
        (e.PlayersEntered(("Eve", "ann")), "player_twice"),
        (e.PlayersEntered(("Eve", "Eve")), "player_twice"),
        (e.PlayersEntered(()), "no_names"),
        (e.PlayersEntered(("x" * 41,)), "name_unfit"),
        (e.PlayersEntered(("\u202eeve",)), "name_unfit"),
        (e.PlayersEntered((" ",)), "name_missing"),
        (e.PlayerRenamed(9, "Eve"), "player_gone"),
        (e.PlayerRenamed(1, "BOB"), "player_twice"),
        (e.PlayerBack(1), "there_already"),
        (e.TableAdmitted("zz99zz99", "window", 2, b"", ""), "table_name_taken"),
        (e.TableAdmitted("zz99zz99", "Door", 1, b"", ""), "number_taken"),
        (e.TableNumbered(TABLE, 0), "number"),
        (e.TableNumbered("zz99zz99", 3), "table_gone"),
        (e.RoundSeated(3, ()), "not_the_round"),
        (e.RoundSeated(1, (e.SeatedTable(1, (1, 2, 3)),)), "other_players"),
        (e.RoundSeated(1, (e.SeatedTable(1, (1, 2)), e.SeatedTable(1, (3, 4)))), "numbers_twice"),
        (e.RoundSeated(2, (e.SeatedTable(1, (1, 2, 3, 4)),)), "results_missing"),
        (e.TournamentPlanned("Cup", "", 0, "swiss", (2,), 2), "rounds"),
        (e.TournamentPlanned("Cup", "", 3, "luck", (2,), 2), "unknown_choice"),
        (e.TournamentPlanned("Cup", "", 3, "swiss", (7,), 7), "sizes"),
        (e.ResultTyped(1, 9, (1, 2), ()), "no_such_table"),
        (e.ResultTyped(1, 1, (1, 3), ()), "other_players"),
        (e.ResultTyped(1, 1, (1, 2), (Placing((0,), 1, 5), Placing((1,), 3, 4))), "places_impossible"),
        (e.NoShow(1, 9), "not_seated"),
        (e.ResultJudged("x:y:1", True), "result_gone"),
        (e.CallTaken("c", "Jo"), "call_gone"),
        (e.NamesShown("loud"), "unknown_choice"),
    ):
        assert refusal(state, body) == key, body
    assert refusal(call, e.CallTaken("c", "Mo")) == "call_taken"


@pytest.mark.parametrize("body", [*ROUND, reported(result()), e.ResultTyped(1, 1, (1, 2), (Placing((0, 1), 1, 5),))])
def test_entries_are_read_as_they_were_written(body: e.Body) -> None:
    """Every body survives the database."""
    assert e.decode_body(e.encode_body(body)) == body


def test_a_database_that_cannot_be_opened_says_why(tmp_path: Path) -> None:
    """No folder is made where nobody asked for one."""
    for url in (sqlite_url(tmp_path / "missing" / "hall.sqlite"), "nonsense://x"):
        with pytest.raises(StoreError, match="unable to open"):
            open_store(url)
    assert not (tmp_path / "missing").exists()
