"""A hall with real tables and a broker: its board is live, each result counts once, and forgeries are refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.devices.bus.address import BrokerAddress
from companion.devices.bus.mqtt_link import MqttLink
from companion.devices.hall_link import messages as m
from companion.devices.hall_link.signing import TableKey
from companion.engine import Seat
from companion.hall import entries as e
from companion.hall.checks import HallError
from companion.hall.hall import Hall
from companion.hall.round_results import open_tables, round_results
from companion.hall.store import StoreError
from companion.match.actor import Actor
from companion.threads.quotas import Quotas, Rate
from tests.support.brokers import until
from tests.support.hall_room import HallRoom, hall_room
from tests.support.shared_entries import SharedEntries, shared_database

pytestmark = pytest.mark.broker
NAMES = ("Ada", "Ben", "Cleo")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[HallRoom]:
    """Return a hall without tables."""
    with hall_room(tmp_path) as found:
        yield found


def recorded(room: HallRoom) -> list[m.Result]:
    """Return the hall's results in the order of their matches."""
    return [record.result for record in room.hall.state.results.values()]


def test_a_table_appears_with_its_game_and_names(room: HallRoom) -> None:
    """A table appears with its game and names."""
    table = room.add_table(1)
    table_id = room.id_of(table)
    table.begin(NAMES)
    until(lambda: room.hall.live(table_id).names == NAMES)
    live = room.hall.live(table_id)
    assert live.here and live.summary.stage == "playing" and live.summary.game == "game-of-trains"
    events = live.summary.events
    table.act()
    until(lambda: room.hall.live(table_id).summary.events > events)


def test_the_view_crosses_only_while_somebody_watches(room: HallRoom) -> None:
    """A table sends its view only while somebody watches it."""
    table = room.add_table(1)
    table_id = room.id_of(table)
    table.begin(NAMES)
    until(lambda: room.hall.live(table_id).names == NAMES)
    assert room.hall.live(table_id).view is None
    with room.hall.watching(table_id):
        until(lambda: room.hall.live(table_id).view is not None)
    view = room.hall.live(table_id).view
    assert view is not None and view.view["moment"]


def test_a_finished_match_is_recorded_once_and_confirmed_by_two_seats(room: HallRoom) -> None:
    """A finished match is recorded once, and two seats confirm it."""
    table = room.add_table(1)
    table.play_match(NAMES)
    until(lambda: [record.status for record in room.hall.state.results.values()] == ["confirmed"])
    until(lambda: table.hall.status().owed == 0)
    result = recorded(room)[0]
    state = table.table.snapshot().state
    game = table.table.snapshot().game
    assert state is not None
    winners = {seat for placing in result.placings if placing.place == 1 for seat in placing.seats}
    assert winners == set(game.winners(state)) and result.names == NAMES


def test_two_seats_that_disagree_need_a_judge(room: HallRoom) -> None:
    """A result on which two seats disagree needs a judge."""
    table = room.add_table(1)
    table.begin(NAMES)
    while not table.act():
        pass
    member = table.hall.member
    assert member is not None
    until(lambda: member.result() is not None)
    assert member.say(0, True) and member.say(1, False) and not member.say(1, False)
    until(lambda: [record.status for record in room.hall.state.results.values()] == ["disputed"])
    until(lambda: len(recorded(room)[0].confirmed) == 1)
    record = next(iter(room.hall.state.results.values()))
    room.hall.record("judge", e.ResultJudged(record.id, True))
    assert next(iter(room.hall.state.results.values())).status == "confirmed"
    with pytest.raises(HallError, match="judged_differently"):
        room.hall.record("judge", e.ResultJudged(record.id, False))


def test_results_wait_while_the_hall_is_away(room: HallRoom) -> None:
    """Results of matches played while the hall is away are sent when it returns."""
    table = room.add_table(1)
    room.hall.close()
    for _ in range(2):
        table.play_match(NAMES)
    assert table.hall.status().owed == 2
    room.open_hall()
    until(lambda: len(recorded(room)) == 2 and table.hall.status().owed == 0)
    assert {result.match for result in recorded(room)} == {each.id for each in table.table.matches()}


def test_a_killed_broker_loses_nothing(room: HallRoom) -> None:
    """A match that ends while the broker is down is recorded after its restart."""
    table = room.add_table(1)
    room.kill_broker()
    table.play_match(NAMES)
    until(lambda: len(recorded(room)) == 1 and table.hall.status().owed == 0)
    until(lambda: room.hall.live(room.id_of(table)).here)


def test_a_result_that_was_not_sent_before_the_plug_was_pulled_is_made_from_the_journal(room: HallRoom) -> None:
    """If the power fails before a result is sent, the table rebuilds it from the journal."""
    table = room.add_table(1)
    table.begin(NAMES)
    until(lambda: len(table.hall._store.reports()) == 1)
    table.hall.close()
    while not table.act():
        pass
    match = table.table.snapshot().match_id
    table.table.leave()
    table.table.close()
    room.tables.clear()
    again = type(table)(room.folder / "table-1", 1, 0.0)
    room.tables.append(again)
    until(lambda: [result.match for result in recorded(room)] == [match])


def test_a_result_is_not_recorded_twice(room: HallRoom) -> None:
    """A repeated result is not recorded again."""
    table = room.add_table(1)
    table.play_match(NAMES)
    until(lambda: table.hall.status().owed == 0)
    number = room.hall.state.number
    member = table.hall.member
    assert member is not None
    result = recorded(room)[0]
    signed = table.hall._store.key(room.hall.state.hall).sign(result)
    heard: list[m.Recorded] = []
    member._on_message = lambda topic, payload, retained, at: heard.append(m.decode("recorded", payload))  # type: ignore[method-assign]
    member._link.on_message = member._on_message
    member._publish("result", m.encode(signed))
    until(lambda: m.Recorded(m.receipt(signed)) in heard)
    assert room.hall.state.number == number


def test_forged_and_foreign_results_are_refused(room: HallRoom) -> None:
    """A forged result, another table's result and one for another hall are refused."""
    table, other = room.add_table(1), room.add_table(2)
    table.play_match(NAMES)
    until(lambda: table.hall.status().owed == 0)
    number, result = room.hall.state.number, recorded(room)[0]
    better = msgspec.structs.replace(result, sequence=result.sequence + 1, confirmed=(0, 1))
    member = other.hall.member
    assert member is not None
    forged = TableKey.generate().sign(better)
    foreign = other.hall._store.key(room.hall.state.hall).sign(better)
    late = table.hall._store.key(room.hall.state.hall).sign(msgspec.structs.replace(better, hall="another"))
    for sender, signed in ((table.hall.member, forged), (member, foreign), (table.hall.member, late)):
        assert sender is not None
        before = len(room.refused)
        sender._publish("result", m.encode(signed))
        until(lambda before=before: len(room.refused) > before)
    assert room.hall.state.number == number


def test_rubbish_is_refused_and_said(room: HallRoom) -> None:
    """Invalid messages are refused and reported."""
    table = room.add_table(1)
    member = table.hall.member
    assert member is not None
    for kind, payload in (
        ("summary", b"\xff" * 100),
        ("summary", b"x" * 501),
        ("view", b"x" * 3000),
        ("call", b'{"id": "' + b"x" * 200 + b'"}'),
        ("result", b"{}"),
    ):
        before = len(room.refused)
        member._publish(kind, payload)
        until(lambda before=before: len(room.refused) > before)
        assert room.refused[-1][0] == room.id_of(table)


def test_a_call_reaches_the_judge_and_the_answer_the_table(room: HallRoom) -> None:
    """A call from a table reaches the judge, and the judge's answer reaches the table."""
    table = room.add_table(1)
    member = table.hall.member
    assert member is not None
    member.call_judge(2)
    until(lambda: len(room.hall.state.calls) == 1)
    call = next(iter(room.hall.state.calls.values()))
    assert (call.table, call.seat) == (room.id_of(table), 2)
    until(lambda: member.call is not None and member.call.state == "waiting")
    room.hall.record("judge", e.CallTaken(call.id, "Jo"))
    until(lambda: member.call is not None and (member.call.state, member.call.judge) == ("taken", "Jo"))
    room.hall.record("judge", e.CallClosed(call.id))
    until(lambda: member.call is None)
    member.call_judge()
    until(lambda: len(room.hall.state.calls) == 2)
    member.withdraw_call()
    member.call_judge(1)  # at once: the withdrawn call is closed all the same
    until(lambda: [each.closed for each in room.hall.state.calls.values()] == [True, True, False])
    until(lambda: member.call is not None and member.call.state == "waiting")


def test_a_removed_table_is_out(room: HallRoom) -> None:
    """A removed table is disconnected, and its results are no longer recorded."""
    table = room.add_table(1)
    room.hall.record("organiser", e.TableRemoved(room.id_of(table)))
    until(lambda: not table.hall.status().connected)
    table.play_match(NAMES)
    assert recorded(room) == [] and table.hall.status().owed == 1


def test_players_hear_where_they_sit(room: HallRoom) -> None:
    """A table shows the players, number and round that the hall assigned."""
    table = room.add_table(7)
    room.hall.record("organiser", e.TournamentPlanned("Cup", "game-of-trains", 2, "swiss", (2, 3, 4), 3))
    room.hall.record("organiser", e.PlayersEntered(NAMES))
    room.hall.record("organiser", e.RoundSeated(1, (e.SeatedTable(7, (1, 2, 3)),)))
    until(lambda: table.hall.status().players == NAMES)
    assert (table.hall.status().number, table.hall.status().round) == (7, 1)
    assert not table.hall.status().advice
    room.hall.record("organiser", e.AdviceAllowed(True))
    until(lambda: table.hall.status().advice)
    table.play_match(NAMES)
    until(lambda: [result.round for result in recorded(room)] == [1])
    until(lambda: table.hall.status().owed == 0)
    until(lambda: table.hall._store.assigned().round == 1)
    table.close()
    room.tables.clear()
    room.hall.close()
    again = type(table)(room.folder / "table-7", 1, 0.0)
    room.tables.append(again)
    assert (again.hall.status().round, again.hall.status().players) == (1, NAMES)
    room.open_hall()


def test_playing_again_does_not_carry_the_round_on(room: HallRoom) -> None:
    """A second match counts for no round, unless a judge has rejected the first one."""
    table = room.add_table(7)
    room.hall.record("organiser", e.TournamentPlanned("Cup", "game-of-trains", 2, "swiss", (2, 3, 4), 3))
    room.hall.record("organiser", e.PlayersEntered(NAMES), e.RoundSeated(1, (e.SeatedTable(7, (1, 2, 3)),)))
    until(lambda: table.hall.status().players == NAMES)
    assert not table.hall.status().over
    table.play_match(NAMES)
    assert table.hall.status().over  # even if the hall does not have it yet
    table.play_match(NAMES)
    until(lambda: table.hall.status().owed == 0)
    assert [result.round for result in recorded(room)] == [1, 0] and table.hall.status().over
    room.hall.record("judge", e.ResultJudged(recorded(room)[0].id, False))
    until(lambda: not table.hall.status().over)
    table.play_match(NAMES)
    until(lambda: table.hall.status().owed == 0)
    assert [result.round for result in recorded(room)] == [1, 0, 1]
    assert [each.status for each in round_results(room.hall.state, 1).values()] == ["confirmed"]


def test_a_match_that_is_taken_up_again_belongs_to_its_round(room: HallRoom) -> None:
    """If a finished match of a round is undone, the table no longer reports the round as over."""
    table = room.add_table(7)
    room.hall.record("organiser", e.TournamentPlanned("Cup", "game-of-trains", 2, "swiss", (2, 3, 4), 3))
    room.hall.record("organiser", e.PlayersEntered(NAMES), e.RoundSeated(1, (e.SeatedTable(7, (1, 2, 3)),)))
    until(lambda: table.hall.status().players == NAMES)
    table.play_match(NAMES)
    until(lambda: table.hall.status().owed == 0)
    until(lambda: table.hall.status().over)
    table.table.ask_undo(table.table.snapshot().entries[-2].seq, Actor.HOST)
    for seat in range(len(NAMES)):
        table.table.consent(Seat(seat), True)
    assert not table.table.snapshot().over
    until(lambda: not table.hall.status().over)


def test_two_servers_on_one_database_agree() -> None:
    """Two servers on one database read each other's entries before they write, and once a second."""
    shared = shared_database()
    first, second = (Hall(SharedEntries(shared), BrokerAddress("127.0.0.1", 1, "hall")) for _ in range(2))
    first.record("organiser", e.PlayersEntered(("Ada",)))
    second.record("organiser", e.NamesShown("initials"))  # this server had not read the player yet
    assert [each.name for each in second.state.players.values()] == ["Ada"]
    first._looking.start()
    until(lambda: first.state == second.state)
    first._closing.set()
    first._looking.join()
    with pytest.raises(HallError, match="player_twice"):
        second.record("organiser", e.PlayersEntered(("Eve", "ADA")))
    assert len(second.state.players) == 1
    first.forget("organiser")
    second._record.refresh()
    assert first.state == second.state and not second.state.players
    shared.close()


def test_everything_about_persons_is_deleted(room: HallRoom) -> None:
    """Deleting personal data removes names from the database, and the tables stay in the hall."""
    table = room.add_table(1)
    table.play_match(("Zaphodine", "Ben"))
    until(lambda: len(recorded(room)) == 1 and table.hall.status().owed == 0)
    room.hall.record("organiser", e.PlayersEntered(("Zaphodine",)))
    room.hall.forget("organiser")
    assert not room.hall.state.players and not room.hall.state.results
    assert room.hall.live(room.id_of(table)).here
    until(lambda: room.hall.live(room.id_of(table)).summary.stage == "over")  # the table has sent its summary again
    assert [each.id for each in room.hall.state.present] == [room.id_of(table)]
    for path in room.folder.glob("hall.sqlite*"):
        assert b"Zaphodine" not in path.read_bytes(), path
    room.restart_hall()
    assert not room.hall.state.results and room.hall.state.present


def test_a_database_that_fails_confirms_nothing(room: HallRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the database fails, no result is confirmed, and the fault is shown until it recovers."""
    table = room.add_table(1)

    def fail(*args: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(room.hall._record.store, "append", fail)
    table.play_match(NAMES)
    until(lambda: "the disk is full" in room.hall.faults)
    assert table.hall.status().owed == 1 and not recorded(room)
    room.hall._record.refresh()
    room.hall._set_store_fault("read", "")
    assert "the disk is full" in room.hall.faults  # a successful read does not hide the fault of writing
    monkeypatch.undo()
    until(lambda: len(recorded(room)) == 1 and table.hall.status().owed == 0)
    assert "the disk is full" not in room.hall.faults


def test_a_hall_that_floods_a_table_is_left_alone(room: HallRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table ignores a hall that sends too much, plays on, and reconnects later."""
    monkeypatch.setattr("companion.devices.hall_link.member.MOST_HEARD", 20)
    table = room.add_table(1)
    member = table.hall.member
    assert member is not None
    kept: list[m.Assigned] = []
    monkeypatch.setattr(table.hall._store, "keep_assigned", kept.append)
    lost: list[int] = []
    quiet = member._link.on_lost
    member._link.on_lost = lambda: (lost.append(1), quiet())[1]
    for number in range(100):
        room.hall._link.publish(
            m.down(room.id_of(table), "assigned"), m.encode(m.Assigned(number, 1, (f"Player {number}",))), 1, True
        )
    until(lambda: lost)
    table.play_match(NAMES)
    until(lambda: table.hall.status().owed == 0)
    assert len(kept) < 20  # fewer than the hundred that were sent


def test_a_table_cannot_fill_the_database(room: HallRoom) -> None:
    """Above a limit a table's results are refused, and other tables are not affected."""
    room.hall._written = Quotas(Rate(3, 0))
    table, other = room.add_table(1), room.add_table(2)
    table.play_match(NAMES)
    until(lambda: table.hall.status().owed == 0)
    member, result = table.hall.member, recorded(room)[0]
    assert member is not None
    for sequence in range(2, 8):
        signed = table.hall._store.key(room.hall.state.hall).sign(msgspec.structs.replace(result, sequence=sequence))
        member._publish("result", m.encode(signed))
    member._publish("summary", m.encode(m.TableSummary("playing", match="after")))
    until(lambda: room.refused)
    until(lambda: room.hall.live(room.id_of(table)).summary.match == "after")
    entries = [entry for entry in room.hall.entries() if entry.by == room.id_of(table)]
    assert len(entries) == 3
    other.play_match(NAMES)
    until(lambda: other.hall.status().owed == 0)


def test_a_table_speaks_for_itself_alone(room: HallRoom) -> None:
    """A table cannot send a summary in another table's name."""
    table, other = room.add_table(1), room.add_table(2)
    member = table.hall.member
    assert member is not None
    link = member._link
    assert isinstance(link, MqttLink)
    until(lambda: room.hall.live(room.id_of(other)).here)
    link.publish(m.up(room.id_of(other), "summary"), m.encode(m.TableSummary("playing", "chess", "x")), 1, True)
    table.begin(NAMES)
    until(lambda: room.hall.live(room.id_of(table)).names == NAMES)
    assert room.hall.live(room.id_of(other)).summary.game == ""


def test_a_match_of_an_earlier_tournament_does_not_count_in_the_next(room: HallRoom) -> None:
    """A match begun in an earlier tournament does not count in the next one."""
    table = room.add_table(1)
    member = table.hall.member
    assert member is not None

    def begin() -> None:
        plan = e.TournamentPlanned("Open", "", 2, "swiss", (3,), 3)
        room.hall.record("organiser", plan, e.PlayersEntered(NAMES), e.RoundSeated(1, (e.SeatedTable(1, (1, 2, 3)),)))

    begin()
    until(lambda: member.assigned.round == 1)
    table.begin(NAMES)
    match = table.table.snapshot().match_id
    until(lambda: member.book.round_of(match) == 1)
    room.hall.record("organiser", e.TournamentClosed())
    begin()
    until(lambda: member.assigned.tournament == 1)
    while not table.act():
        pass
    table.confirm()
    until(lambda: [each.status for each in room.hall.state.results.values()] == ["confirmed"])
    assert open_tables(room.hall.state, 1) == (1,)
    table.play_match(NAMES)
    until(lambda: not open_tables(room.hall.state, 1))
