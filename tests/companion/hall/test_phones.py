"""Results from players' phones: codes of tables, words of seats, and the table's own report."""

from __future__ import annotations

from itertools import permutations

import msgspec
import pytest

from companion.devices.hall_link.messages import Placing, Result
from companion.hall import entries as e
from companion.hall.checks import HallError, check
from companion.hall.phones import LETTERS, is_code, table_code, words_by_table
from companion.hall.round_results import open_tables, round_results, unexpected_results
from companion.hall.state import HallState, fold

NAMES = ("Ann", "Ben", "Cleo", "Dora", "Eve")
TABLES = (e.SeatedTable(1, (1, 2, 3)), e.SeatedTable(2, (4, 5)))
START: tuple[e.Body, ...] = (
    e.HallOpened("h" * 8, "Hall", "secret"),
    e.TableAdmitted("table001", "One", 1, b"", ""),
    e.TournamentPlanned("Open", "", 3, "swiss", (2, 3), 3),
    e.PlayersEntered(NAMES),
    e.RoundSeated(1, TABLES),
)


def places(*each: int) -> tuple[Placing, ...]:
    """Return placings with the given place of each seat."""
    return tuple([Placing((seat,), place, 0) for seat, place in enumerate(each)])


def said(player: int, *each: int, coded: bool = True) -> e.ResultSaid:
    """Return the entry of a result for table 1 from a player's phone."""
    return e.ResultSaid(1, 1, player, coded, (1, 2, 3), places(*each))


def reported(*each: int, confirmed: tuple[int, ...] = (), disputed: tuple[int, ...] = ()) -> e.ResultReported:
    """Return the entry of a report by the companion of table 1, always of the same match."""
    result = Result(
        hall="h" * 8, table="table001", round=1, match="m", sequence=1, game="g", names=NAMES[:3],
        placings=tuple([Placing((seat,), place, 7) for seat, place in enumerate(each)]),
        confirmed=confirmed, disputed=disputed,
    )  # fmt: skip
    return e.ResultReported("table001", msgspec.json.encode(result), b"")


RIGHT = e.ResultJudged("table001:m:1", True)
WRONG = e.ResultJudged("table001:m:1", False)


def after(*bodies: e.Body) -> HallState:
    """Return the state after the seating and some entries."""
    return fold([e.Entry(number, 0.0, "phone", body) for number, body in enumerate((*START, *bodies), 1)])


def status(*bodies: e.Body) -> tuple[str, tuple[int, ...]]:
    """Return the status of table 1's result and the place of each seat."""
    found = round_results(after(*bodies), 1).get(1)
    if found is None:
        return "missing", ()
    return found.status, tuple([each.place for each in sorted(found.placings, key=lambda each: each.seats)])


@pytest.mark.parametrize(
    ("bodies", "expected"),
    [
        ((said(1, 1, 2, 3),), ("waiting", (1, 2, 3))),
        ((said(1, 1, 2, 3), said(1, 1, 2, 3)), ("waiting", (1, 2, 3))),
        ((said(1, 1, 2, 3), said(2, 1, 2, 3)), ("confirmed", (1, 2, 3))),
        ((said(1, 1, 2, 3), said(2, 2, 1, 3)), ("disputed", (1, 2, 3))),
        ((said(1, 1, 2, 3), said(2, 2, 1, 3), said(1, 2, 1, 3)), ("confirmed", (2, 1, 3))),
        ((said(1, 1, 2, 3, coded=False), said(2, 1, 2, 3, coded=False)), ("missing", ())),
        ((said(1, 1, 2, 3), said(1, 2, 1, 3, coded=False), said(2, 1, 2, 3)), ("confirmed", (1, 2, 3))),
        ((said(1, 1, 2, 3), said(2, 1, 2, 3, coded=False)), ("waiting", (1, 2, 3))),
        ((said(1, 1, 2, 3), said(2, 1, 2, 3), e.NoShow(1, 3)), ("missing", ())),
        ((said(1, 1, 2, 3), e.ResultSaid(1, 1, 1, True)), ("missing", ())),
    ],
)
def test_two_seats_that_say_the_same_by_code_confirm_it(
    bodies: tuple[e.Body, ...], expected: tuple[str, tuple[int, ...]]
) -> None:
    """Two seats that report the same result with the table's code confirm it, but a single seat does not."""
    assert status(*bodies) == expected
    assert (1 in open_tables(after(*bodies), 1)) == (expected[0] != "confirmed")


@pytest.mark.parametrize(
    ("bodies", "expected"),
    [
        ((reported(1, 2, 3, confirmed=(0,)), said(2, 1, 2, 3)), ("confirmed", (1, 2, 3))),
        ((reported(1, 2, 3, confirmed=(0,)), said(1, 1, 2, 3)), ("waiting", (1, 2, 3))),
        ((said(2, 1, 2, 3), said(3, 1, 2, 3), reported(1, 2, 3)), ("confirmed", (1, 2, 3))),
        ((reported(1, 2, 3, confirmed=(0,)), said(2, 2, 1, 3)), ("disputed", (1, 2, 3))),
        ((reported(1, 2, 3), said(1, 2, 1, 3), said(2, 2, 1, 3)), ("disputed", (1, 2, 3))),
        ((reported(1, 2, 3, disputed=(2,)), said(1, 1, 2, 3), said(2, 1, 2, 3)), ("disputed", (1, 2, 3))),
        ((reported(1, 2, 3), WRONG, said(1, 2, 1, 3), said(2, 2, 1, 3)), ("confirmed", (2, 1, 3))),
        ((said(1, 2, 1, 3), reported(1, 2, 3, confirmed=(0, 1))), ("confirmed", (1, 2, 3))),
        ((said(1, 2, 1, 3), said(2, 2, 1, 3), reported(1, 2, 3, confirmed=(0, 1))), ("confirmed", (2, 1, 3))),
        ((said(1, 2, 1, 3), said(2, 2, 1, 3), reported(1, 2, 3), RIGHT), ("confirmed", (1, 2, 3))),
        ((said(1, 2, 1, 3), e.ResultTyped(1, 1, (1, 2, 3), places(1, 1, 3))), ("typed", (1, 1, 3))),
    ],
)
def test_phones_and_the_tables_own_companion_speak_together(
    bodies: tuple[e.Body, ...], expected: tuple[str, tuple[int, ...]]
) -> None:
    """Reports by phones and by the table count together, and a contradiction needs a judge."""
    assert status(*bodies) == expected


def test_what_comes_after_the_phones_have_confirmed_is_not_expected() -> None:
    """A different result from the table after the phones' confirmation is listed for the judge."""
    words = (said(1, 2, 1, 3), said(2, 2, 1, 3))
    assert [each.id for each in unexpected_results(after(*words, reported(1, 2, 3, confirmed=(0, 1))))]
    assert not unexpected_results(after(*words, reported(2, 1, 3, confirmed=(0, 1))))


@pytest.mark.parametrize(
    ("before", "body", "key"),
    [
        ((), e.ResultSaid(2, 1, 1, True, (1, 2, 3), places(1, 2, 3)), "round_gone"),
        ((), said(4, 1, 2, 3), "not_at_table"),
        ((e.NoShow(1, 3),), said(3, 1, 2, 3), "not_at_table"),
        ((e.NoShow(1, 3),), said(1, 1, 2, 3), "other_players"),
        ((), said(1, 1, 1, 2), "places_impossible"),
        ((), e.ResultSaid(1, 1, 1, True, (1, 2, 3), places(1, 2)), "places_impossible"),
        ((e.ResultTyped(1, 1, (1, 2, 3), places(1, 2, 3)),), said(1, 2, 1, 3), "has_result"),
        ((said(1, 1, 2, 3), said(2, 1, 2, 3)), said(3, 2, 1, 3), "has_result"),
        ((), e.ResultSaid(1, 7, 1, True, (1, 2, 3), places(1, 2, 3)), "not_at_table"),
    ],
)
def test_what_a_phone_cannot_say_is_refused(before: tuple[e.Body, ...], body: e.Body, key: str) -> None:
    """Each impossible report of a phone is refused with its own fault."""
    with pytest.raises(HallError) as refused:
        check(after(*before), body)
    assert refused.value.key == f"hall.fault.{key}"


def test_a_table_has_a_code_in_each_round() -> None:
    """A table's code differs by round, table, seating and hall, and can be typed in any common form."""
    state = after(e.RoundSeated(1, (e.SeatedTable(1, (2, 1, 3)), e.SeatedTable(2, (4, 5)))))
    was = after()
    assert was.round is not None and state.round is not None
    other = msgspec.structs.replace(was, codes="another")
    later = msgspec.structs.replace(was.round, number=2)
    codes = [
        table_code(was, was.round, 1), table_code(was, was.round, 2), table_code(state, state.round, 1),
        table_code(other, was.round, 1), table_code(was, later, 1),
    ]  # fmt: skip
    assert len(set(codes)) == len(codes) and all(len(code) == LETTERS for code in codes)
    assert table_code(after(e.NoShow(1, 3), said(1, 1, 2, 3)), was.round, 1) == codes[0]
    assert is_code(f" {codes[0][:2].lower()}-{codes[0][2:]} ", codes[0])
    for wrong in ("", codes[1], codes[0][:3], codes[0] + "2", "é😀"):
        assert not is_code(wrong, codes[0])
    assert table_code(was, was.round, 3) == "" and not is_code("", "")
    unsealed = msgspec.structs.replace(was, codes="")
    assert table_code(unsealed, was.round, 1) == ""


def test_what_phones_say_counts_for_the_people_who_are_there() -> None:
    """A new seating discards the phones' reports, whose order does not matter."""
    assert status(said(1, 1, 2, 3), said(2, 1, 2, 3), e.RoundSeated(1, TABLES)) == ("missing", ())
    words = (said(1, 1, 2, 3), said(2, 1, 2, 3), said(3, 1, 2, 3))
    assert {status(*order) for order in permutations(words)} == {("confirmed", (1, 2, 3))}
    state = after(said(1, 1, 2, 3), said(1, 2, 1, 3, coded=False))
    assert state.round is not None
    assert [each.coded for each in words_by_table(state.round)[1]] == [True, False]
