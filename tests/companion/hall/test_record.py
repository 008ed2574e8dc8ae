"""The record of a hall: its entries, the state after them, and entries that are refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from weakref import ref

import msgspec
import pytest

from companion.devices.hall_link.messages import Placing, Result
from companion.devices.hall_link.signing import TableKey
from companion.hall import entries as e
from companion.hall.checks import HallError, check
from companion.hall.databases import open_store
from companion.hall.record import HallRecord
from companion.hall.round_results import once, open_tables, passed_over, round_results, unexpected_results
from companion.hall.rounds import standings
from companion.hall.sqlite import sqlite_url
from companion.hall.state import HallState, ResultRecord, fold, last_undoable, supersedes
from companion.hall.store import StoreError
from companion.hall.striking import Striking, strike

KEY = TableKey.from_bytes(bytes(32))
TABLE = "ab12cd34"
PLAN = e.TournamentPlanned("Cup", "trains", 3, "swiss", (2, 3), 2)
ADMITTED = e.TableAdmitted(TABLE, "Window", 1, KEY.public, "$7$")
NAMES = ("Ann", "Bob", "Cid", "Dee")


def numbered(bodies: Sequence[e.Body], after: int = 0) -> list[e.Entry]:
    """Return numbered entries with these bodies."""
    return [e.Entry(after + 1 + at, 1000.0 + at, "organiser", body) for at, body in enumerate(bodies)]


def state_of(*bodies: e.Body) -> HallState:
    """Return the state after entries, each of which must be allowed."""
    state = HallState()
    for entry in numbered(bodies):
        check(state, entry.body)
        state = fold([entry], state)
    assert state == fold(numbered(bodies))
    return state


def result(**fields: object) -> Result:
    """Return a result for table 1 of the first round."""
    plain = Result(
        hall="h", table=TABLE, round=1, match="m1", sequence=1, game="trains", names=("Bob", "Ann"),
        placings=(Placing((0,), 1, 9), Placing((1,), 2, 4)),
    )  # fmt: skip
    return msgspec.structs.replace(plain, **fields)


def reported(found: Result) -> e.ResultReported:
    """Return the entry of a table's result with its signature."""
    signed = KEY.sign(found)
    return e.ResultReported(found.table, signed.payload, signed.signature)


ROUND = (
    ADMITTED,
    PLAN,
    e.PlayersEntered(NAMES),
    e.RoundSeated(1, (e.SeatedTable(1, (1, 2)), e.SeatedTable(2, (3, 4)))),
)


def refusal(state: HallState, body: e.Body) -> str:
    """Return the reason why an entry is refused."""
    with pytest.raises(HallError) as caught:
        check(state, body)
    return caught.value.key.removeprefix("hall.fault.")


def test_what_follows_from_a_state_is_found_once_and_goes_with_it() -> None:
    """A value computed from a state is cached with that state and is freed with it."""

    def names(state: HallState) -> set[str]:
        return once(state, "names", lambda: {each.name for each in state.players.values()})

    for name in ("Ann", "Bob"):
        state = fold(numbered([e.PlayersEntered((name,))]))
        found = [names(state), names(state)]
        assert found[0] is found[1] and found[0] == {name}
    last = ref(found[0])
    del state, found
    assert last() is None


def test_a_round_gets_its_results_from_tables_by_the_people_there() -> None:
    """A result counts for a round by its players' names, in any order of seats."""
    state = state_of(*ROUND, reported(result()))
    found = round_results(state, 1)
    assert found[1].players == (2, 1) and found[1].status == "waiting" and not found[1].holds
    confirmed = fold(numbered([reported(result(confirmed=(0, 1)))], state.number), state)
    assert round_results(confirmed, 1)[1].holds and 2 not in round_results(confirmed, 1)
    assert not unexpected_results(confirmed)


def test_people_who_were_not_seated_there_make_no_result() -> None:
    """A result of players who were not seated together counts for no table and is listed as unexpected."""
    state = state_of(*ROUND, reported(result(names=("Bob", "Cid"))), reported(result(match="m2", names=("Bob", "X"))))
    assert not round_results(state, 1)
    assert [record.result.match for record in unexpected_results(state)] == ["m1", "m2"]


def test_a_table_speaks_for_the_people_at_another_only_with_a_judge() -> None:
    """A result reported by another table counts only after a judge's decision, even if two seats confirmed it."""
    other = result(table="zz99zz99", match="m9", confirmed=(0, 1))
    signed = KEY.sign(other)
    forged = e.ResultReported("zz99zz99", signed.payload, signed.signature)
    state = state_of(*ROUND, e.TableAdmitted("zz99zz99", "Door", 2, KEY.public, "$7$"), forged)
    assert not round_results(state, 1) and [each.id for each in unexpected_results(state)] == [other.id]
    judged = fold(numbered([e.ResultJudged(other.id, True)], state.number), state)
    assert round_results(judged, 1)[1].holds and not unexpected_results(judged)


def test_a_table_that_gets_another_number_keeps_its_results() -> None:
    """A result counts for the number that its table had when it reported."""
    state = state_of(*ROUND, reported(result(confirmed=(0, 1))), e.TableNumbered(TABLE, 9))
    assert round_results(state, 1)[1].holds


def test_a_typed_result_counts_before_the_tables_own() -> None:
    """A result typed by the organiser takes precedence over the table's own, earlier or later."""
    typed = e.ResultTyped(1, 1, (1, 2), (Placing((0, 1), 1, 7),))
    state = state_of(*ROUND, reported(result(confirmed=(0, 1))), typed, reported(result(match="m2", confirmed=(0, 1))))
    assert round_results(state, 1)[1].status == "typed" and not unexpected_results(state)


REMATCH = result(match="m2", confirmed=(0, 1), placings=(Placing((1,), 1, 9), Placing((0,), 2, 4)))
CONFIRMED = result(confirmed=(0, 1))
OTHER_TABLE = e.ResultTyped(1, 2, (3, 4), (Placing((0, 1), 1, 7),))
NEXT = e.RoundSeated(2, (e.SeatedTable(1, (1, 3)), e.SeatedTable(2, (2, 4))))


def written(state: HallState, *bodies: e.Body) -> HallState:
    """Return the state after more entries, each of which must be allowed."""
    for body in bodies:
        check(state, body)
        state = fold(numbered([body], state.number), state)
    return state


def winner(state: HallState, number: int = 1, table: int = 1) -> int:
    """Return the winner of a table in a round, or 0 if it has no valid result."""
    found = round_results(state, number).get(table)
    if found is None or not found.holds:
        return 0
    return next(found.players[each.seats[0]] for each in found.placings if each.place == 1)


def test_the_first_confirmed_match_of_a_table_stands() -> None:
    """The first confirmed match of a table counts, and a rematch counts only if a judge assigns it."""
    state = state_of(*ROUND, reported(CONFIRMED), reported(REMATCH))
    assert winner(state) == 2 and [each.id for each in unexpected_results(state)] == [REMATCH.id]
    assert passed_over(state) == ((1, 1),)
    judged = written(state, e.ResultJudged(REMATCH.id, True))
    assert winner(judged) == 2 and unexpected_results(judged)
    used = written(judged, e.ResultUsed(REMATCH.id, 1, 1))
    assert winner(used) == 1 and [each.id for each in unexpected_results(used)] == [CONFIRMED.id]
    dropped = written(state, e.ResultJudged(REMATCH.id, False))
    assert winner(dropped) == 2 and not unexpected_results(dropped) and not passed_over(dropped)


def test_a_match_that_was_only_played_first_gives_way_to_the_first_confirmed_one() -> None:
    """An unconfirmed match gives way to the first confirmed one."""
    state = state_of(*ROUND, reported(result(confirmed=(0,))), reported(REMATCH))
    assert winner(state) == 1
    assert winner(written(state, reported(CONFIRMED))) == 1


def test_a_rematch_does_not_slip_in_when_the_first_is_found_wrong() -> None:
    """After a judge rejects the first match, only a match played after that counts, not an earlier rematch."""
    state = state_of(*ROUND, reported(CONFIRMED), reported(REMATCH), e.ResultJudged(CONFIRMED.id, False))
    assert winner(state) == 0 and [each.id for each in unexpected_results(state)] == [REMATCH.id]
    again = msgspec.structs.replace(REMATCH, match="m3")
    assert winner(written(state, reported(again))) == 1


def test_the_same_match_may_change_until_the_next_round_is_seated() -> None:
    """A match can change until the next round is seated, and a rematch does not replace it meanwhile."""
    changed = msgspec.structs.replace(REMATCH, match="m1", sequence=2, confirmed=())
    state = state_of(*ROUND, reported(CONFIRMED), OTHER_TABLE, reported(changed), reported(REMATCH))
    assert winner(state) == 0 and open_tables(state, 1) == (1,)
    assert winner(written(state, reported(msgspec.structs.replace(changed, confirmed=(0, 1))))) == 1


def test_afterwards_only_a_judge_changes_a_match() -> None:
    """After the next round is seated, a changed match keeps its old result until a judge decides."""
    state = state_of(*ROUND, reported(CONFIRMED), OTHER_TABLE, NEXT)
    doubted = written(state, reported(result(sequence=2, disputed=(1,))))
    assert winner(doubted) == 2 and doubted.results[f"{TABLE}:m1"].status == "disputed"
    assert passed_over(doubted) == ((1, 1),)
    assert winner(written(doubted, e.ResultJudged(result(sequence=2).id, False))) == 0
    changed = msgspec.structs.replace(REMATCH, match="m1", sequence=2)
    later = written(state, reported(changed))
    more = written(later, reported(msgspec.structs.replace(changed, sequence=3)))
    for found in (later, more):
        assert winner(found) == 2 and found.results[f"{TABLE}:m1"].status == "waiting"
    assert winner(written(later, e.ResultJudged(changed.id, True))) == 1
    refused = written(later, e.ResultJudged(changed.id, False))
    assert winner(refused) == 2 and not passed_over(refused)
    back = msgspec.structs.replace(CONFIRMED, sequence=3)
    assert winner(written(later, reported(back))) == 2 and not passed_over(written(later, reported(back)))


def test_a_match_of_a_round_that_ends_in_the_next_counts_for_neither() -> None:
    """A match of one round that ends in the next counts for neither, but a judge can use it."""
    state = state_of(*ROUND, reported(CONFIRMED), OTHER_TABLE, NEXT, reported(REMATCH))
    assert winner(state) == 2 and not round_results(state, 2) and unexpected_results(state)
    lost = written(state, e.ResultJudged(CONFIRMED.id, False))
    late = written(lost, reported(msgspec.structs.replace(REMATCH, match="m3")))
    assert winner(lost) == winner(late) == 0
    assert winner(written(late, e.ResultUsed(f"{TABLE}:m3:1", 1, 1))) == 1
    assert refusal(state, e.ResultUsed(REMATCH.id, 2, 1)) == "result_gone"
    assert refusal(state, e.ResultUsed(REMATCH.id, 1, 2)) == "other_players"
    assert refusal(state, e.ResultUsed(REMATCH.id, 1, 9)) == "no_such_table"


def test_of_used_and_typed_results_the_later_one_counts() -> None:
    """Of a used and a typed result the later one counts, and later reports of the match do not change it."""
    typed = e.ResultTyped(1, 1, (1, 2), (Placing((0,), 1, 7), Placing((1,), 2, 1)))
    state = state_of(*ROUND, reported(result(confirmed=())), typed)
    assert winner(state) == 1
    used = written(state, e.ResultUsed(result().id, 1, 1))
    assert winner(used) == 2 and winner(written(used, typed)) == 1
    changed = msgspec.structs.replace(REMATCH, match="m1", sequence=2)
    assert winner(written(used, OTHER_TABLE, NEXT, reported(changed))) == 2


def test_another_table_cannot_take_a_tables_place_first() -> None:
    """Another table's result cannot replace the players' own match."""
    other = msgspec.structs.replace(REMATCH, table="zz99zz99")
    signed = KEY.sign(other)
    admitted = e.TableAdmitted("zz99zz99", "Door", 2, KEY.public, "$7$")
    forged = e.ResultReported("zz99zz99", signed.payload, signed.signature)
    assert winner(state_of(*ROUND, admitted, forged, reported(CONFIRMED))) == 2


# --- striking entries -----------------------------------------------------------------------------


def struck(bodies: Sequence[e.Body], at: int) -> Striking:
    """Return the effect of striking the entry at an index from 0."""
    return strike(numbered(bodies), at + 1)


def test_striking_the_first_of_three_lists_renumbers_nobody() -> None:
    """Striking a list of players keeps the numbers of all others, in old logs without stored numbers too."""
    lists = [("Ann", "Abe"), ("Bob",), ("Cid", "Dee")]
    for firsts in ((0, 0, 0), (1, 3, 4)):
        bodies = [e.PlayersEntered(names, first) for names, first in zip(lists, firsts, strict=True)]
        found = struck(bodies, 0)
        assert not found.needed
        for state in (found.after, fold([*numbered(bodies), e.Entry(4, 0.0, "organiser", e.Undone(1))])):
            assert {each.id: each.name for each in state.players.values()} == {3: "Bob", 4: "Cid", 5: "Dee"}
    old = numbered([e.PlayersEntered(("Ann",)), e.Undone(1), e.PlayersEntered(("Bob",))])
    assert list(fold(old).players) == [1]  # as in versions that could strike only the last entry


def test_a_record_gives_players_their_numbers(tmp_path: Path) -> None:
    """The record stores the players' numbers in the entry, so that they never change."""
    record = HallRecord(open_store(sqlite_url(tmp_path / "hall.sqlite")), lambda: 0.0)
    record.add("organiser", [e.PlayersEntered(("Ann",)), e.PlayersEntered(("Bob", "Cid"))])
    record.undo("organiser", 1)
    record.add("organiser", [e.PlayersEntered(("Dee",))])
    stored = [entry.body for entry in record.store.read() if isinstance(entry.body, e.PlayersEntered)]
    assert [body.first for body in stored] == [1, 2, 4]
    assert {each.id: each.name for each in record.state.players.values()} == {2: "Bob", 3: "Cid", 4: "Dee"}
    record.store.close()


def test_whatever_is_needed_later_is_not_taken_back() -> None:
    """An entry that later entries need is not struck, and the refusal lists those entries."""
    bodies = [*ROUND, reported(CONFIRMED), OTHER_TABLE, e.PlayersEntered(("Eve",)), e.PlayerLeft(5), NEXT]
    for at, needed in (
        (1, [ROUND[3], NEXT]),
        (2, [ROUND[3], NEXT]),
        (3, [OTHER_TABLE, NEXT]),
        (5, [NEXT]),
        (7, [NEXT]),
    ):
        assert [each.body for each in struck(bodies, at).needed] == needed, at
    assert struck(bodies, 3).lost == ((1, 1), (1, 2)) and struck(bodies, 8).needed == ()


def test_a_name_or_a_number_that_a_result_needs_is_not_taken_back() -> None:
    """Striking a name or table number that a confirmed result needs reports the table that would lose it."""
    renamed = [*ROUND[:3], e.PlayerRenamed(1, "Anna"), ROUND[3], reported(result(names=("Bob", "Anna")))]
    confirmed = [*renamed[:-1], reported(result(names=("Bob", "Anna"), confirmed=(0, 1)))]
    assert struck(renamed, 3).lost == () and struck(confirmed, 3).lost == ((1, 1),)
    number = [e.TableAdmitted(TABLE, "Window", 9, KEY.public, "$7$"), e.TableNumbered(TABLE, 1), *ROUND[1:]]
    assert struck([*number, reported(CONFIRMED)], 1).lost == ((1, 1),)
    free = [*ROUND[:3], e.PlayerRenamed(1, "Anna"), e.PlayersEntered(("Ann",))]
    assert [each.body for each in struck(free, 3).needed] == [e.PlayersEntered(("Ann",), 5)]


def test_a_decision_on_a_result_is_taken_back_alone() -> None:
    """Striking a decision restores the result before it, unless the next round needs the decision."""
    typed = e.ResultTyped(1, 1, (1, 2), (Placing((0,), 1, 7), Placing((1,), 2, 1)))
    bodies = [*ROUND, reported(CONFIRMED), OTHER_TABLE, typed]
    found = struck(bodies, 6)
    assert (winner(found.before), winner(found.after), found.changed, found.lost) == (1, 2, ((1, 1),), ())
    assert struck([*bodies, NEXT], 6).needed == ()  # the table's own result remains
    assert [each.body for each in struck([*bodies, NEXT], 5).needed] == [NEXT]
    judged = struck([*bodies[:-1], e.ResultJudged(CONFIRMED.id, False)], 6)
    assert (winner(judged.before), winner(judged.after), judged.needed) == (0, 2, ())


def test_a_judges_word_is_not_taken_back_from_under_another_match() -> None:
    """Striking a judge's decision reports the table whose later match counts because of it."""
    again = msgspec.structs.replace(REMATCH, match="m3")
    bodies = [*ROUND, reported(CONFIRMED), e.ResultJudged(CONFIRMED.id, False), reported(again)]
    found = struck(bodies, 5)
    assert (winner(found.before), winner(found.after), found.lost) == (1, 2, ((1, 1),))
    used = struck([*ROUND, reported(CONFIRMED), reported(REMATCH), e.ResultUsed(REMATCH.id, 1, 1)], 6)
    assert (winner(used.before), winner(used.after), used.lost) == (1, 2, ())


def test_a_game_outside_rounds_changes_as_it_likes() -> None:
    """A match outside of rounds can always change, because no seating depends on it."""
    free = msgspec.structs.replace(CONFIRMED, round=0, match="m5")
    changed = msgspec.structs.replace(free, sequence=2, placings=REMATCH.placings)
    state = state_of(*ROUND, reported(free), reported(changed))
    assert state.results[f"{TABLE}:m5"].stood is None and not unexpected_results(state)


def test_what_says_nothing_any_more_goes_along() -> None:
    """Striking a seating also strikes its call and its absences."""
    bodies = [*ROUND, e.RoundCalled(1, 5), e.NoShow(1, 1, True), e.PlayerCame(1, 1), e.PlayerLeft(4)]
    found = struck(bodies, 3)
    assert [each.body for each in found.idle] == bodies[4:7] and not found.needed and not found.after.rounds
    assert [each.body for each in struck(bodies, 2).idle] == [bodies[7]]


def test_the_first_seating_of_a_round_is_needed_by_nothing_after_the_second() -> None:
    """Nothing depends on the first seating of a round after a second one has replaced it."""
    second = e.RoundSeated(1, (e.SeatedTable(1, (1, 3)), e.SeatedTable(2, (2, 4))), instead=5)
    bodies = [*ROUND, e.RoundCalled(1, 5), second]
    assert refusal(state_of(*bodies), second) == "round_changed"
    assert not struck(bodies, 4).needed and not struck(bodies, 3).needed
    assert struck(bodies, 5).after.rounds[1].tables == ROUND[3].tables


@pytest.mark.parametrize(
    ("number", "why"), [(1, "not_undoable"), (5, "judged_not_undone"), (6, "undone_already"), (99, "nothing_to_undo")]
)
def test_what_can_never_be_taken_back_says_why(number: int, why: str) -> None:
    """An entry that can never be struck, such as a reported result, is refused with the reason."""
    bodies = [*ROUND, reported(CONFIRMED), e.NamesShown("full"), e.Undone(6)]
    with pytest.raises(HallError, match=f"^{why}$"):
        strike(numbered(bodies), number)


# --- attendance -----------------------------------------------------------------------------------


def test_a_no_show_is_taken_back_for_that_player_alone() -> None:
    """If an absent player arrives after all, a typed result without that player no longer counts."""
    three = e.RoundSeated(1, (e.SeatedTable(1, (1, 2, 3, 4)),))
    without = e.ResultTyped(1, 1, (1, 2), (Placing((0,), 1, 1), Placing((1,), 2, 0)))
    state = state_of(*ROUND[:3], three, e.NoShow(1, 3), e.NoShow(1, 4), without)
    assert winner(state) == 1 and refusal(state, e.PlayerCame(1, 2)) == "not_absent"
    came = written(state, e.PlayerCame(1, 3))
    assert came.rounds[1].absent == (4,) and winner(came) == 0 and open_tables(came, 1) == (1,)
    places = (Placing((2,), 1, 9), Placing((0,), 2, 1), Placing((1,), 3, 0))
    assert winner(written(came, e.ResultTyped(1, 1, (1, 2, 3), places))) == 3
    reports = reported(result(names=("Bob", "Cid", "Ann"), placings=places, confirmed=(0, 1)))
    assert winner(written(came, reports)) == 1


def test_a_table_is_left_alone_only_seen() -> None:
    """A player is left alone at a table only with the organiser's explicit consent."""
    state = state_of(*ROUND)
    assert refusal(state, e.NoShow(1, 1)) == "leaves_alone"
    alone = written(state, e.NoShow(1, 1, alone=True))
    assert refusal(alone, e.NoShow(1, 2)) == "leaves_alone"
    three = e.RoundSeated(1, (e.SeatedTable(1, (1, 2, 3)),), (4,))
    bodies = [*ROUND[:3], three, e.NoShow(1, 1), e.PlayerCame(1, 1), e.NoShow(1, 2)]
    assert [each.body for each in struck(bodies, 5).needed] == [e.NoShow(1, 2)]


def test_an_absent_player_is_not_expected() -> None:
    """A result without the players marked absent counts for its table."""
    three = e.RoundSeated(1, (e.SeatedTable(1, (1, 2, 3, 4)),))
    absent = (e.NoShow(1, 3), e.NoShow(1, 4))
    state = state_of(*ROUND[:3], three, *absent, reported(result(confirmed=(0, 1))))
    assert round_results(state, 1)[1].players == (2, 1)


def test_late_and_repeated_messages_change_nothing() -> None:
    """Only a result with a higher sequence or a further seat's word supersedes an older one."""
    old = result(confirmed=(0,))
    assert not supersedes(old, old) and not supersedes(result(), old)
    assert supersedes(result(confirmed=(0, 1)), old) and supersedes(result(sequence=2), old)
    assert not supersedes(result(confirmed=(1,)), old) and not supersedes(result(disputed=(0,)), old)
    assert supersedes(result(confirmed=(0,), disputed=(1,)), old)
    assert not supersedes(result(confirmed=(0, 1)), result(sequence=2))


def test_what_a_judge_said_holds_until_the_result_is_another() -> None:
    """A judge's decision stays valid when a seat objects, and ends when the placings change."""
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
    """Two seats or a judge confirm a result, and a judge has the last word."""
    assert ResultRecord("x", result(confirmed=confirmed, disputed=disputed), 1, judged).status == status


def test_undo_takes_back_the_latest_step_of_the_organiser() -> None:
    """Undo applies to the organiser's latest entry, and tables' reports stay."""
    entries = numbered([*ROUND, reported(result())])
    last = last_undoable(entries)
    assert last is not None and isinstance(last.body, e.RoundSeated)
    entries += numbered([e.Undone(last.number)], len(entries))
    state = fold(entries)
    assert not state.rounds and state.results
    before = last_undoable(entries)
    assert before is not None and isinstance(before.body, e.PlayersEntered)


def test_what_cannot_be_is_refused_with_its_reason() -> None:
    """Each impossible entry is refused with its own key."""
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
    """Every kind of entry decodes to what was encoded."""
    assert e.decode_body(e.encode_body(body)) == body


def test_a_database_that_cannot_be_opened_says_why(tmp_path: Path) -> None:
    """A database that cannot be opened is reported, and no folder is created for it."""
    for url in (sqlite_url(tmp_path / "missing" / "hall.sqlite"), "nonsense://x"):
        with pytest.raises(StoreError, match="unable to open"):
            open_store(url)
    assert not (tmp_path / "missing").exists()


def test_an_old_log_opens_and_gives_what_it_gave() -> None:
    """Old entries without numbers, with absences and with replaced seatings give the same state as before."""
    old = [
        b'{"type":"players","names":["Ann","Bob","Cid","Dee"]}',
        b'{"type":"round","round":1,"tables":[{"number":1,"players":[1,2]},{"number":2,"players":[3,4]}],"byes":[]}',
        b'{"type":"absent","round":1,"player":1}',
    ]
    state = fold(numbered([PLAN, *map(e.decode_body, old)]))
    assert list(state.players) == [1, 2, 3, 4] and state.rounds[1].absent == (1,)
    assert open_tables(state, 1) == (2,)  # the other table was won by its only player, by the rules of that version
    assert standings(written(state, e.ResultTyped(1, 2, (3, 4), (Placing((0, 1), 1, 7),))))[0].player == 2


def test_players_of_an_older_log_have_no_family_names() -> None:
    """Players in an older log have no family names."""
    body = e.decode_body(b'{"type":"players","names":["Ann Berg","Bo"]}')
    assert body == e.PlayersEntered(("Ann Berg", "Bo"))
    players = fold([e.Entry(1, 0.0, "organiser", body)]).players
    assert [(player.name, player.family) for player in players.values()] == [("Ann Berg", ""), ("Bo", "")]
