"""The camera must record moves in Game of Trains, and report an illegal table before play continues."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.engine import Fault, Layout, Seat, Setup, Spot, State, apply
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.catalogue import ABILITIES, number_of, wagon_id
from companion.games.game_of_trains.layout import MOST_POOL, POOL, line_place
from companion.games.game_of_trains.rules import RULES
from companion.games.game_of_trains.steps.pool import KeepOdd, Pair
from companion.games.game_of_trains.steps.setup import Choose, Deal, NameFirst
from companion.games.game_of_trains.steps.turn import Act, Draw, Place, Refill
from companion.games.game_of_trains.table import Table
from companion.match.actor import Actor
from companion.messages import Sighted
from companion.sight.reconcile import Reconciliation, reconcile
from companion.table.sight_records import SightState
from tests.games.game_of_trains.build import A, B, C, at, drawing, holding, table, turn, wagon
from tests.games.game_of_trains.seeing import Perfect
from vision.bench.followed_game import Follower, follow_game

OURS = Setup("game-of-trains", 3, {}, "reconstruction", "ours")


def seen(state: State[Table], *moved: tuple[str, tuple[int, ...]]) -> Layout:
    """Return the expected layout, with other cards at some places."""
    return Layout(RULES.layout(state).spots | {place: Spot(tuple(map(wagon_id, cards))) for place, cards in moved})


def explained(state: State[Table], *moved: tuple[str, tuple[int, ...]]) -> tuple[Any, ...]:
    """Return the only sequence of events that explains the layout."""
    (found,) = reconcile(RULES, state, seen(state, *moved)).explanations
    return found


def by_sight(state: State[Table], *events: Any) -> None:
    """Assert that these events alone explain the table after them."""
    after = state
    for event in events:
        after = apply(RULES, after, event)
    outcome = reconcile(RULES, state, Layout(RULES.layout(after).spots))
    assert outcome.explanations == (events,)


def line(seat: int, position: int, *cards: int) -> tuple[str, tuple[int, ...]]:
    """Return a place in a line and its cards."""
    return line_place(seat, position), cards


# --- places -----------------------------------------------------------------------------------------


def test_every_wagon_has_a_place_and_padlocks_show_below_three_of_them() -> None:
    """Each line has seven places, and padlocks can be tucked only at 1, 4 and 7 (B-8)."""
    for players in RULES.seats:
        places = {place.name: place for place in RULES.places(players)}
        lines = [place for place in places.values() if place.seat is not None]
        assert len(lines) == 7 * players
        for seat in range(players):
            kinds = [(places[line_place(seat, p)].kind, places[line_place(seat, p)].most) for p in range(1, 8)]
            assert kinds == [("row", 2) if p in (1, 4, 7) else ("spread", 1) for p in range(1, 8)]
        assert places[POOL].most == MOST_POOL == 12
        assert {place.name for place in places.values() if place.kind == "pile"} == {"deck.wagons", "discard.wagons"}


def test_a_card_in_a_hand_lies_nowhere() -> None:
    """A drawn card does not change the layout until it is placed (R-08)."""
    assert RULES.layout(holding(24)).spots == RULES.layout(turn()).spots
    assert RULES.layout(holding(24)).held == ("wagon-24",)


def test_a_gap_that_waits_for_its_refill_is_a_gap() -> None:
    """Position 4 is empty for seats that must refill it, and a protected wagon stays (R-15)."""
    state = turn(pool=(wagon("remove_middle"),), locks={(1, 4): wagon("protect", 9)})
    after = apply(RULES, state, ev.Removed(A, wagon("remove_middle")))
    spots = RULES.layout(after).spots
    assert spots[line_place(0, 4)].empty and spots[line_place(2, 4)].empty
    assert spots[line_place(1, 4)] == Spot(("wagon-34", wagon_id(wagon("protect", 9))))


# --- the set-up -------------------------------------------------------------------------------------


def test_lines_are_known_as_they_are_laid() -> None:
    """The camera records each complete falling line, and ignores lines that are still being laid."""
    state = RULES.begin(OURS)
    first = Layout({line_place(1, p): Spot((wagon_id(card),)) for p, card in enumerate((80, 61, 47, 33, 12, 9, 5), 1)})
    assert reconcile(RULES, state, first).explanations == ((ev.LineDealt(B, (80, 61, 47, 33, 12, 9, 5)),),)
    some = Layout({line_place(1, p): Spot((wagon_id(card),)) for p, card in enumerate((80, 61, 47), 1)})
    assert reconcile(RULES, state, some) == Reconciliation()


def test_a_line_in_another_order_is_said() -> None:
    """The camera reports the correct order of a start line that does not fall, and records nothing (R-04)."""
    state = RULES.begin(OURS)
    laid = (80, 61, 47, 33, 9, 12, 5)
    spots = {line_place(1, p): Spot((wagon_id(card),)) for p, card in enumerate(laid, 1)}
    (mismatch,) = reconcile(RULES, state, Layout(spots)).mismatches
    assert mismatch.fault is not None and mismatch.fault.key == "must_fall" and mismatch.fault.seat == B
    assert [number_of(card) for card in mismatch.fault.cards] == sorted(laid, reverse=True)


def test_who_begins_is_not_guessed() -> None:
    """Players enter who begins with one tap, and the camera records no exchange before (R-05)."""
    state = at(table(dealt=False), NameFirst())
    assert reconcile(RULES, state, seen(state)) == Reconciliation()
    assert not reconcile(RULES, state, seen(state, line(0, 3, 40), (POOL, (47,)))).explanations


def test_a_card_that_was_kept_is_known_by_its_place() -> None:
    """The camera identifies the kept card by its place in the line, with the old wagon in the pool (R-06)."""
    state = at(table(drawn=3, dealt=False), Choose((B, C, A)))
    assert explained(state, line(1, 3, 40), (POOL, (48,))) == (ev.Kept(B, 40, 3),)
    assert not reconcile(RULES, state, seen(state, line(2, 3, 40), (POOL, (49,)))).explanations  # B chooses first


# --- turns ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("begun", [turn, drawing, lambda **table: holding(24, **table)])
def test_a_new_number_in_the_own_line_was_drawn(begun: Any) -> None:
    """The camera records drawing and placing a card as one move when the card lies in the line (R-08)."""
    events = (ev.Drew(A), ev.CardDrawn(24), ev.Placed(A, 2))
    skip = {Act: 0, Draw: 1, Place: 2}[type(begun().agenda[0])]
    by_sight(begun(), *events[skip:])


def test_a_pair_that_leaves_the_pool_goes_with_the_move() -> None:
    """The replaced wagon and its partner leave the pool within the same move (R-11)."""
    state = turn(pool=(wagon("swap_one_between", 3), wagon("protect")), abilities={61: "swap_one_between"})
    by_sight(state, ev.Drew(A), ev.CardDrawn(24), ev.Placed(A, 2))


@pytest.mark.parametrize(
    ("ability", "event"),
    [
        ("swap_adjacent", ev.Swapped(A, 1, 2, 3)),
        ("swap_one_between", ev.Swapped(A, 2, 1, 3)),
        ("move_right_2", ev.Shifted(A, 3, 5)),
        ("move_left_2", ev.Shifted(A, 4, 7)),
        ("protect", ev.Protected(A, 8, 4)),
    ],
)
def test_an_ability_is_known_by_what_moved(ability: str, event: Any) -> None:
    """The camera infers a used pool card from the moved wagons or the new padlock (B-1 to B-4, B-8)."""
    lines = ((80, 61, 47, 33, 30, 29, 28), (81, 62, 48, 34, 26, 25, 24), (82, 63, 49, 35, 23, 22, 21))
    state = turn(lines=lines, pool=(wagon(ability), wagon("remove_left", 4)))
    by_sight(state, event)


def test_a_padlock_that_shows_only_its_edge_is_known() -> None:
    """A card below a wagon, of which only the edge shows, is the padlock that left the pool."""
    lock = wagon("protect", 3)
    state = turn(pool=(lock,))
    shown = seen(state, (POOL, ()))
    shown = Layout(shown.spots | {line_place(0, 7): Spot(("wagon-5",), 0, 1)})
    assert reconcile(RULES, state, shown).explanations == ((ev.Protected(A, lock, 7),),)


def test_a_padlock_falls_with_the_move() -> None:
    """A moved wagon loses its padlock within the same move (R-16)."""
    state = turn(pool=(wagon("move_right_2"),), locks={(0, 4): wagon("protect", 9)})
    by_sight(state, ev.Shifted(A, wagon("move_right_2"), 3))


def test_uncoupling_where_all_are_locked_is_one_card_less() -> None:
    """If every wagon at the position is protected, only the used card disappears from the table (A-03)."""
    locks = {(seat, 1): wagon("protect", 6 + seat) for seat in range(3)}
    by_sight(turn(pool=(wagon("remove_left"),), locks=locks), ev.Removed(A, wagon("remove_left")))


def test_refills_are_known_one_by_one_or_together() -> None:
    """The camera records refills one at a time or several at once, in the right order (R-15)."""
    state = turn(pool=(wagon("remove_middle"),), seat=B)
    events = (
        ev.Removed(B, wagon("remove_middle")),
        ev.Refilled(B, 4, 24),
        ev.Refilled(C, 4, 25),
        ev.Refilled(A, 4, 26),
    )
    for cut in range(1, len(events) + 1):
        by_sight(state, *events[:cut])
    for event in events:
        by_sight(state, event)
        state = apply(RULES, state, event)


def test_a_victory_leaves_gaps_that_nobody_misses() -> None:
    """After a victory, the gaps of other lines are not reported (R-14, R-15)."""
    lines = ((80, 61, 47, 33, 12, 9, 5), (2, 6, 10, 60, 70, 71, 72), (82, 63, 49, 35, 14, 11, 7))
    state = turn(seat=B, lines=lines, pool=(wagon("remove_middle"),))
    removed = ev.Removed(B, wagon("remove_middle"))
    by_sight(state, removed, ev.Refilled(B, 4, 24))
    over = apply(RULES, apply(RULES, state, removed), ev.Refilled(B, 4, 24))
    assert over.over and reconcile(RULES, over, Layout(RULES.layout(over).spots)) == Reconciliation()


def test_an_empty_pile_was_shuffled_first() -> None:
    """A new card from an empty pile shows that people shuffled the discard first (R-13)."""
    by_sight(turn(pile=()), ev.Drew(A), ev.Reshuffled(), ev.CardDrawn(24), ev.Placed(A, 1))
    state = turn(pile=(24,), pool=(wagon("remove_middle"),))
    by_sight(state, ev.Removed(A, 6), ev.Refilled(A, 4, 24), ev.Reshuffled(), ev.Refilled(B, 4, 26))


def test_which_of_three_equal_cards_stays_is_seen() -> None:
    """The camera records which of three cards with the same ability people left in the pool (R-11, A-01)."""
    abilities = dict.fromkeys((33, 34, 35), "protect")
    state = turn(dealt=False, pool=(wagon("remove_middle"),), abilities=abilities)
    removed = ev.Removed(A, wagon("remove_middle"))
    assert type(apply(RULES, state, removed).agenda[0]) is KeepOdd
    by_sight(state, removed)  # all three may stay until people decide
    by_sight(state, removed, ev.OddKept(34))


def test_an_ability_that_nobody_has_read_is_asked_unless_a_pair_shows_it() -> None:
    """The companion asks for the unread ability of a card in the pool, unless a pair that left reveals it."""
    setup = Setup("game-of-trains", 2, {}, "box", "box")
    state = RULES.begin(setup)
    lines = ((80, 61, 47, 33, 12, 9, 5), (81, 62, 48, 34, 13, 10, 6))
    for event in (ev.LineDealt(A, lines[0]), ev.LineDealt(B, lines[1]), ev.FirstNamed(A), ev.Kept(A, 40, 3)):
        state = apply(RULES, state, event)
    assert reconcile(RULES, state, seen(state)) == Reconciliation()  # people must enter the ability
    state = apply(RULES, state, ev.AbilityRead(47, "protect"))
    assert explained(state, line(1, 3, 41), (POOL, (47, 48))) == (ev.Kept(B, 41, 3),)
    assert explained(state, line(1, 3, 41), (POOL, ())) == (ev.Kept(B, 41, 3), ev.AbilityRead(48, "protect"))


# --- illegal tables ---------------------------------------------------------------------------------


def fault(state: State[Table], *moved: tuple[str, tuple[int, ...]]) -> Fault:
    """Return the only fault of the layout, which no events explain."""
    outcome = reconcile(RULES, state, seen(state, *moved))
    assert not outcome.explanations and outcome.barred
    (found,) = [mismatch.fault for mismatch in outcome.mismatches if mismatch.fault is not None]
    return found


def test_a_line_of_six_or_eight() -> None:
    """The fault names the position that has no wagon or one too many."""
    assert fault(turn(), line(1, 3)) == Fault("seat.2.wagon.3", "six", B, (), 3)
    assert fault(turn(), line(1, 3, 48, 70)) == Fault("seat.2.wagon.3", "eight", B, ("wagon-48", "wagon-70"), 3)
    assert fault(turn(), line(1, 4, 34, 70)) == Fault("seat.2.wagon.4", "eight", B, ("wagon-34", "wagon-70"), 4)


def test_a_pair_left_lying() -> None:
    """The fault names the two pool cards with the same ability (R-11)."""
    state = turn(pool=(wagon("protect"),), abilities={61: "protect"})
    assert fault(state, line(0, 2, 24), (POOL, (8, 61))) == Fault(POOL, "pair", None, ("wagon-8", "wagon-61"))


def test_a_padlock_below_another_wagon() -> None:
    """The fault names a padlock that is not below position 1, 4 or 7 (B-8)."""
    state = turn(pool=(wagon("protect"),))
    assert fault(state, line(0, 2, 61, 8), (POOL, ())) == Fault("seat.1.wagon.2", "lock_misplaced", A, ("wagon-8",), 2)


def test_a_padlock_that_should_have_fallen() -> None:
    """A padlock must be discarded when its wagon is replaced (R-16)."""
    lock = wagon("protect", 9)
    found = fault(turn(locks={(0, 4): lock}), line(0, 4, 24, lock), (POOL, (33,)))
    assert (found.place, found.key, found.cards) == ("seat.1.wagon.4", "lock_fallen", (wagon_id(lock),))


def test_a_use_is_known_by_its_wagons_while_the_pool_is_covered() -> None:
    """While the pool is covered, moved wagons alone identify the used card, and unmoved wagons mean no use."""
    pool = tuple([wagon(ability, 2) for ability in ABILITIES])
    state = turn(pool=pool)
    for used in (
        ev.Swapped(A, wagon("swap_adjacent", 2), 2, 3),
        ev.Swapped(A, wagon("swap_one_between", 2), 2, 4),
        ev.Shifted(A, wagon("move_right_2", 2), 1),
        ev.Shifted(A, wagon("move_left_2", 2), 7),
        ev.Removed(A, wagon("remove_middle", 2)),
        ev.Protected(A, wagon("protect", 2), 4),
    ):
        spots = RULES.layout(apply(RULES, state, used)).spots
        covered = Layout({place: spot for place, spot in spots.items() if place != POOL})
        assert reconcile(RULES, state, covered).explanations == ((used,),)
    spots = RULES.layout(state).spots
    assert (
        reconcile(RULES, state, Layout({place: spots[place] for place in spots if place != POOL})) == Reconciliation()
    )


def test_a_used_card_that_still_lies_in_the_pool() -> None:
    """The fault asks people to discard the pool card that moved or removed the wagons (R-09)."""
    lines = ((80, 61, 47, 33, 12, 9, 5), (81, 62, 48, 34, 13, 10, 6), (82, 63, 49, 35, 14, 15, 11))
    state = turn(lines=lines, pool=(wagon("swap_adjacent"), wagon("remove_right")))
    assert fault(state, line(0, 2, 47), line(0, 3, 61)).key == "moved"
    gaps = [line(seat, 7) for seat in range(3)]
    found = fault(state, *gaps, (POOL, (1, 7, 5, 6, 11)))
    assert (found.key, found.cards, found.number) == ("uncoupled", ("wagon-7",), 7)


def test_a_refill_out_of_turn() -> None:
    """The fault names the seat that must refill first (R-15)."""
    state = apply(RULES, turn(pool=(wagon("remove_middle"),)), ev.Removed(A, wagon("remove_middle")))
    assert isinstance(state.agenda[0], Refill)
    assert fault(state, line(2, 4, 24)) == Fault("seat.3.wagon.4", "refill_first", A, (), 4)


def test_pairs_may_lie_while_people_are_asked() -> None:
    """Equal pool cards are no fault while people decide which of three stays."""
    cards = (33, 34, 35)
    given = table(dealt=False, pool=cards, abilities=dict.fromkeys(cards, "protect"), lines=((80, 61, 47, 36, 12, 9, 5),
                  (81, 62, 48, 37, 13, 10, 6), (82, 63, 49, 38, 14, 11, 7)))  # fmt: skip
    state = at(given, KeepOdd(cards), Pair(), Act(A))
    assert list(RULES.faults(state, RULES.layout(state), seen(state))) == []


def test_every_dealt_seat_is_looked_at_while_others_deal() -> None:
    """A complete line is checked even while other lines are still being dealt."""
    state = at(table(dealt=False, lines=((80, 61, 47, 33, 12, 9, 5), (), ())), Deal((B, C)))
    assert fault(state, line(0, 5)).key == "six"


# --- at a live table --------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "seed"), [(2, 3), (2, 8), (3, 1), (3, 4), (4, 5), (4, 2)])
def test_a_whole_game_needs_one_tap(tmp_path: Path, players: int, seed: int) -> None:
    """The camera records a whole game, and people tap only to name the first player."""
    setup = Setup("game-of-trains", players, {}, "reconstruction", "ours")
    with follow_game(tmp_path, RULES, setup, Perfect(players)) as people:
        found = people.play(random.Random(seed).random)
        assert found.over and found.right
        assert (found.tapped, found.asked, found.told) == (1, 0, 0)
        assert found.seen == found.events - 1


def begun(people: Follower) -> None:
    """Play the set-up of three seats with A first, up to everybody's exchange."""
    for seat, cards in enumerate(
        ((80, 61, 47, 33, 12, 9, 5), (81, 62, 48, 34, 13, 10, 6), (82, 63, 49, 35, 14, 11, 7))
    ):
        people.do(ev.LineDealt(Seat(seat), cards))
    people.do(ev.FirstNamed(A))
    for seat, card in enumerate((40, 41, 42)):
        people.do(ev.Kept(Seat(seat), card, 3))
    assert people.in_step and not people.counts.told


def test_nothing_is_taken_until_the_table_is_put_right(tmp_path: Path) -> None:
    """While a line has eight wagons the camera records nothing, and it catches up once the line is corrected."""
    camera = Perfect(3)
    with follow_game(tmp_path, RULES, OURS, camera) as people:
        begun(people)
        camera.put("seat.2.wagon.6", "wagon-10", "wagon-77")
        people.look()
        people.look()
        (mismatch,) = people.table.snapshot().sight.mismatches
        assert mismatch.fault is not None and mismatch.fault.key == "eight"
        state = people.state
        old = wagon_id(state.table.lines[0][0])
        camera.put("seat.1.wagon.1", "wagon-1")
        camera.put(POOL, *RULES.layout(state).spots[POOL].up, old)
        people.look()
        people.look()
        assert people.state.table == state.table
        camera.put("seat.2.wagon.6", "wagon-10")
        people.look()
        assert people.state.table.lines[0][0] == 1
        assert people.table.snapshot().sight.mismatches == ()


def test_a_pair_that_was_typed_and_still_lies_is_said(tmp_path: Path) -> None:
    """A pair left in the pool after a typed move is reported, and blocks further moves (R-11)."""
    camera = Perfect(3)
    with follow_game(tmp_path, RULES, OURS, camera) as people:
        begun(people)
        for event in (ev.Drew(A), ev.CardDrawn(24), ev.Placed(A, 1)):
            people.do(event)  # 80, which swaps neighbours, goes to the pool
        assert people.table.propose(ev.Drew(B), Actor.HOST, more=(ev.CardDrawn(70), ev.Placed(B, 2))).accepted
        camera.put("seat.2.wagon.2", "wagon-70")
        camera.put(POOL, "wagon-47", "wagon-80", "wagon-62")  # so does 62
        people.look()
        people.look()
        (mismatch,) = people.table.snapshot().sight.mismatches
        assert mismatch.fault == Fault(POOL, "pair", None, ("wagon-80", "wagon-62"))
        camera.put("seat.3.wagon.2", "wagon-71")
        people.look()
        people.look()
        assert people.state.table.lines[2][1] == 63
        camera.put(POOL, "wagon-47", "wagon-63")
        people.look()
        assert people.state.table.lines[2][1] == 71


def test_a_misread_number_is_put_right_with_one_tap(tmp_path: Path) -> None:
    """One tap corrects a wagon read as 71 that is really 77."""
    camera = Perfect(3)
    with follow_game(tmp_path, RULES, OURS, camera) as people:
        begun(people)
        people.do(ev.Drew(A))
        people.do(ev.CardDrawn(71))
        people.do(ev.Placed(A, 2))
        assert people.state.table.lines[0][1] == 71
        camera.put("seat.1.wagon.2", "wagon-77")
        people.look()
        people.look()
        (mismatch,) = people.table.snapshot().sight.mismatches
        assert mismatch.correction is not None and mismatch.correction.event == ev.CardDrawn(77)
        assert people.observer.correct_misread(mismatch.place, Actor.HOST).accepted
        assert people.state.table.lines[0][1] == 77


def test_a_misread_in_a_dealt_line_is_put_right_too(tmp_path: Path) -> None:
    """Correcting a card keeps the order of a dealt line, and a card that is no wagon corrects nothing."""
    assert list(RULES.with_other_card(ev.LineDealt(A, (80, 61, 47, 33, 12, 9, 5)), "wagon-33", "wagon-38")) == [
        ev.LineDealt(A, (80, 61, 47, 38, 12, 9, 5))
    ]
    assert list(RULES.with_other_card(ev.Kept(A, 3, 3), "wagon-3", "wagon-5")) == [ev.Kept(A, 5, 3)]
    assert list(RULES.with_other_card(ev.Kept(A, 3, 3), "back-wagon", "wagon-5")) == []


def test_after_an_undo_the_camera_waits_until_the_table_is_as_before(tmp_path: Path) -> None:
    """After an undo the camera waits until people have restored the table, and then continues."""
    camera = Perfect(3)
    with follow_game(tmp_path, RULES, OURS, camera) as people:
        begun(people)
        before = people.state
        people.do(ev.Drew(A))
        people.do(ev.CardDrawn(71))
        people.do(ev.Placed(A, 2))
        people.rest()
        snapshot = people.table.snapshot()
        answer = people.table.ask_undo(snapshot.entries[-4].seq, Actor.HOST)
        assert answer.accepted
        for seat in range(3):
            people.table.consent(Seat(seat), True)
        assert people.state.table == before.table
        people.look()
        assert people.table.snapshot().sight.waits and people.state.table == before.table
        camera.lay(RULES.layout(before))
        people.look()
        assert not people.table.snapshot().sight.waits
        camera.put("seat.1.wagon.2", "wagon-71")
        camera.put(POOL, *RULES.layout(before).spots[POOL].up, wagon_id(before.table.lines[0][1]))
        people.look()
        assert people.state.table.lines[0][1] == 71


def test_another_games_mat_says_nothing(tmp_path: Path) -> None:
    """A reading of another game's mat reports no faults, and people can still play by touch."""
    camera = Perfect(3)
    with follow_game(tmp_path, RULES, OURS, camera) as people:
        begun(people)
        people.observer.accept_reading(replace(Sighted(9, 9), game="take-a-train"))
        people.wait()
        assert people.table.snapshot().sight == SightState()
        people.look()
        assert people.table.snapshot().sight == SightState(active=True)
