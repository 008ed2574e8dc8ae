"""Test how the camera follows Express: what it records by itself, what it asks, and what people must enter."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.engine import Event, Layout, Setup, Spot, State, apply
from companion.games.express import sight
from companion.games.express.bot.player import imagined_hand
from companion.games.express.events import (
    CarLaid,
    DealerCardDrawn,
    DisasterPlayed,
    Discarded,
    DiscardedUnused,
    DiscardTaken,
    HandShown,
    MaintenanceLaid,
    PileDrawn,
    ProtectionDeclined,
    ProtectionPlayed,
    Reshuffled,
    TrainBegun,
    TurntablePlayed,
    WentOut,
)
from companion.games.express.rules import RULES
from companion.games.express.sight import LARGE, MOST_SHOWN, SHOWN, SMALL, maintenance_of, places, row_of
from companion.games.express.steps.endings import ScoreHand, ShowHand
from companion.games.express.steps.setup import AfterHand
from companion.games.express.table import DISCARD, PILE, SLOT, WRECK, Table
from companion.sight.reconcile import find_mismatches, reconcile
from tests.games.express.build import A, B, C, after, begun
from tests.support.perfect_sight import PerfectSight
from vision.bench.followed_game import follow_game

ROW = row_of(A, 1)
BEFORE = (
    PileDrawn(A), TrainBegun(A, "hopper", ""), CarLaid(A, 1, "hopper"), TrainBegun(A, "tank_car", ""),
    CarLaid(A, 2, "tank_car"), Discarded(A, "box_car"),
    PileDrawn(B), TrainBegun(B, "reefer", ""), CarLaid(B, 1, "reefer"), TrainBegun(B, "gondola", ""),
    CarLaid(B, 2, "gondola"), Discarded(B, "log_car"),
)  # fmt: skip
"""First round of a hand of two, in which both have twelve cards and must lay seven."""
DEALERS = ((A, "box_car"), (B, "gondola"), (C, "box_car"), (3, "hopper"))
"""Cards that four seats draw for the deal. The fourth seat becomes the dealer."""
SHIELDS = ("light_crane", "light_crane", "office", "office", "transfer", "boom")
"""As many maintenance cards as fit beside one seat."""


def real(*events: Event, **options: object) -> State[Table]:
    """Return a match of two with real cards, after a first round begun by A and these events."""
    state = begun(deck="ours", **options)
    state = after(state, DealerCardDrawn(A, "box_car"), DealerCardDrawn(B, "hopper"))
    return after(state, *roomy(state), *events)


def roomy(state: State[Table]) -> tuple[Event, ...]:
    """Return the events of the first round, in which each seat lays enough to be allowed to discard."""
    more = {A: ("hopper", "tank_car"), B: ("reefer", "gondola")}
    found: list[Event] = []
    for event in BEFORE:
        if isinstance(event, Discarded):
            found += [CarLaid(event.seat, number, card) for number, card in enumerate(more[event.seat], 1)]
        found.append(event)
    return tuple(found)


def seen(state: State[Table], gone: str = "", down: str = "", **cards: tuple[str, ...]) -> Layout:
    """Return the expected layout with extra cards. Keys are place names with `_` for `.`.

    On piles, the extra cards lie on top. `gone` names a place to empty, `down` a row with an extra card face down.
    """
    lies = dict(RULES.layout(state).spots)
    for name, more in cards.items():
        place = name.replace("_", ".")
        spot = lies.get(place, Spot())
        lies[place] = replace(spot, up=more if place in (DISCARD, SLOT) else (*spot.up, *more))
    if gone:
        lies[gone] = Spot()
    if down:
        lies[down] = replace(lies[down], down=1)
    return Layout(lies)


def explained(state: State[Table], lies: Layout) -> tuple[tuple[Event, ...], ...]:
    """Return the possible explanations of what the camera sees."""
    return reconcile(RULES, state, lies).explanations


# --- drawing --------------------------------------------------------------------------------------


def test_who_deals_is_seen() -> None:
    """Each seat lays its drawn card on its own place, and tied seats lay another one."""
    state = begun(deck="ours")
    first = explained(state, seen(state, seat_1_maintenance=("hopper",)))
    assert first == ((DealerCardDrawn(A, "hopper"),),)
    state = after(state, *first[0])
    assert explained(state, seen(state, seat_2_maintenance=("hopper",))) == ((DealerCardDrawn(B, "hopper"),),)
    tied = after(state, DealerCardDrawn(B, "hopper"))
    assert explained(tied, seen(tied, seat_1_maintenance=("gondola",))) == ((DealerCardDrawn(A, "gondola"),),)


def test_a_draw_from_the_pile_shows_with_what_is_laid() -> None:
    """A draw from the pile is recorded with the car or the new train that follows it."""
    state = real()
    laid = PileDrawn(A), CarLaid(A, 1, "hopper")
    assert explained(state, seen(state, seat_1_train_1=("hopper",))) == (laid,)
    begun_train = seen(state, seat_1_train_4=("coach",), down=row_of(A, 4))
    assert explained(state, begun_train) == ((PileDrawn(A), TrainBegun(A, "coach", "")),)


def test_a_discard_that_is_gone_was_taken() -> None:
    """A missing top discard was taken, unless a card of the kind below it may have been discarded onto it."""
    state = real()
    taken = seen(state)
    taken.spots[DISCARD] = Spot(("box_car",))
    either = ((DiscardTaken(A, "log_car"),), (PileDrawn(A), Discarded(A, "box_car")))
    assert explained(state, taken) == either
    full = replace(state, table=replace(state.table, fixed=replace(state.table.fixed, profile=strict(state))))
    assert explained(full, taken) == either[:1]


def strict(state: State[Table]) -> object:
    """Return the figures with a hand limit of zero, so that every seat must lay before it discards."""
    return replace(state.table.fixed.profile, hand_limit=0)


def test_a_draw_that_was_covered_is_asked() -> None:
    """If an arm covers the discard while a car is laid, the camera asks where the drawn card came from."""
    state = real()
    lies = seen(state, seat_1_train_1=("hopper",))
    del lies.spots[DISCARD]
    car = CarLaid(A, 1, "hopper")
    assert explained(state, lies) == ((PileDrawn(A), car), (DiscardTaken(A, "log_car"), car))


def test_an_empty_discard_is_the_new_pile() -> None:
    """People shuffle the discard when the pile is empty and a card must be drawn (R-06)."""
    state = real()
    zones = state.table.zones.move_all(PILE, WRECK)
    state = replace(state, table=replace(state.table, zones=zones))
    assert explained(state, seen(state, gone=DISCARD)) == ((PileDrawn(A), Reshuffled(A)),)


# --- laying ---------------------------------------------------------------------------------------


def test_cars_are_laid_in_the_order_in_which_they_lie() -> None:
    """Cars are recorded in the order they lie in, because the order of passenger cars affects bonuses (S-06)."""
    state = real(PileDrawn(A))
    lies = seen(state, seat_1_train_3=("coach", "mail_baggage", "diesel"), down=row_of(A, 3))
    laid = TrainBegun(A, "coach", ""), CarLaid(A, 3, "mail_baggage"), CarLaid(A, 3, "diesel")
    assert explained(state, lies) == (laid,)
    wrong = seen(state, seat_1_train_1=("coach",))
    assert explained(state, wrong) == ()


def test_a_train_may_begin_in_any_row() -> None:
    """A new train may lie in any row, and later cars are looked for in that row."""
    state = real(PileDrawn(A))
    lies = seen(state, seat_1_train_6=("coach",), down=row_of(A, 6))
    assert explained(state, lies) == ((TrainBegun(A, "coach", ""),),)
    state = after(state, TrainBegun(A, "coach", ""))
    lies = seen(state, gone=row_of(A, 3))
    lies.spots[row_of(A, 6)] = Spot(("coach", "dome"), 1)
    assert explained(state, lies) == ((CarLaid(A, 3, "dome"),),)


def test_partners_lay_before_both_of_them() -> None:
    """Maintenance cards that do not fit beside the first partner lie beside the next one."""
    state = after(begun(4, deck="ours"), *[DealerCardDrawn(s, card) for s, card in DEALERS])
    turn = state.table.turn
    lies = seen(state, **{f"seat_{C + 1}_maintenance": ("boom",)})
    assert turn == A and explained(state, lies) == ()
    full = after(state, PileDrawn(A), *[MaintenanceLaid(A, card) for card in SHIELDS])
    assert RULES.layout(full).spots[maintenance_of(A)] == Spot(SHIELDS)
    assert explained(full, seen(full, **{f"seat_{C + 1}_maintenance": ("boom",)})) == ((MaintenanceLaid(A, "boom"),),)


def test_a_card_that_is_missing_is_not_taken_back() -> None:
    """A missing card may be hidden under others, so the camera never records it as taken back."""
    state = real(PileDrawn(A), CarLaid(A, 1, "hopper"))
    lies = seen(state)
    lies.spots[ROW] = Spot(("hopper",) * 3, 1)
    assert explained(state, lies) == ()
    assert [each.name for each in find_mismatches(RULES, state, lies)] == [ROW]


# --- the end of a turn ----------------------------------------------------------------------------


def test_a_turn_ends_by_the_card_on_the_discard() -> None:
    """A card on the discard ends the turn. A disaster there has no effect, and a last card goes out (R-21, R-26)."""
    state = real(PileDrawn(A))
    assert explained(state, seen(state, discard=("coach",))) == ((Discarded(A, "coach"),),)
    assert explained(state, seen(state, discard=("wreck",))) == ((DiscardedUnused(A, "wreck"),),)
    long = real(PileDrawn(A), *[CarLaid(A, 1, "hopper")] * 2, CarLaid(A, 2, "tank_car"))
    zones = long.table.zones
    long = replace(
        long, table=replace(long.table, zones=zones.move_numbers("hand.0", WRECK, *range(1, zones.count("hand.0"))))
    )
    assert explained(long, seen(long, discard=("coach",))) == ((WentOut(A, "coach"),),)


def test_a_card_on_one_of_its_kind_shows_when_the_next_seat_lays() -> None:
    """A discard on a card of the same kind is recorded only when the next seat lays."""
    state = real(PileDrawn(A))
    assert explained(state, seen(state)) == ()
    discarded, laid = Discarded(A, "log_car"), CarLaid(B, 1, "reefer")
    either = (discarded, PileDrawn(B), laid), (discarded, DiscardTaken(B, "log_car"), laid)
    assert explained(state, seen(state, seat_2_train_1=("reefer",))) == either


def test_where_a_card_finds_no_room_people_end_the_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A discard does not end the turn while a full row may have more cards beside the mat."""
    monkeypatch.setattr(sight, "LARGE", LARGE._replace(train=6))
    state = real(PileDrawn(A), CarLaid(A, 1, "hopper"))
    assert explained(state, seen(state, discard=("coach",))) == ((Discarded(A, "coach"),),)
    state = after(state, CarLaid(A, 1, "wild"))
    assert explained(state, seen(state, discard=("coach",))) == ()


def test_what_lies_where_more_finds_room_explains_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that overflows is not compared, so its cards are no evidence of a draw."""
    monkeypatch.setattr(sight, "LARGE", LARGE._replace(train=3))
    state = real()
    assert ROW in RULES.layout(state).overflowing
    lies = seen(state)
    lies.spots[ROW] = Spot(("hopper", "hopper"), 1)
    assert explained(state, lies) == ()


def test_the_slot_shows_turntables_and_disasters() -> None:
    """The camera offers each train that a disaster may hit, and detects the card that averts it (R-20, R-23)."""
    state = real(PileDrawn(A))
    assert explained(state, seen(state, slot=("turntable",))) == ((TurntablePlayed(A),),)
    hits = explained(state, seen(state, slot=("broken_car",)))
    assert hits == tuple([(DisasterPlayed(A, "broken_car", B, train, 3),) for train in (1, 2)])
    views = [RULES.view(apply(RULES, state, *hit), None).facts for hit in hits]
    assert views[0] != views[1], "everybody sees which train is meant"
    state = after(state, *hits[0])
    assert explained(state, seen(state, slot=("light_crane",))) == ((ProtectionPlayed(B, "light_crane"),),)
    struck = after(state, ProtectionDeclined(B))
    assert RULES.layout(struck).spots[SLOT] == Spot(("reefer",))


def test_a_pile_has_no_misread_cards() -> None:
    """Only cards that stay visible are corrected. A discard is not, because the next card rightly covers it."""
    assert tuple(RULES.with_other_card(Discarded(A, "coach"), "coach", "dome")) == ()
    assert tuple(RULES.with_other_card(CarLaid(A, 1, "coach"), "coach", "dome")) == (CarLaid(A, 1, "dome"),)


def test_hands_are_shown_one_after_another() -> None:
    """Each seat shows its hand in turn, and a hand still on the table is not taken for the next seat's (S-08)."""
    state = real()
    state = replace(state, agenda=(ShowHand((A, B)), ScoreHand(), AfterHand()))
    hands = {seat: state.table.hand(seat) for seat in (A, B)}
    assert hands == {A: hands[B], B: hands[B]} and hands[A] <= MOST_SHOWN
    cards = ("coach", "dome", "sleeper", "wild", "wreck")[: hands[A]]
    assert explained(state, seen(state, shown=cards[:-1])) == ()
    assert explained(state, seen(state, shown=cards)) == ((HandShown(A, tuple(sorted(cards))),),)
    state = after(state, HandShown(A, tuple(sorted(cards))))
    assert explained(state, seen(state, shown=cards)) == ()
    others = ("caboose", "dome", "sleeper", "coach", "wreck")[: hands[B]]
    assert explained(state, seen(state, shown=others)) == ((HandShown(B, tuple(sorted(others))),),)


# --- whole hands ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "seed"), [(2, 5), (3, 3), (4, 6), (6, 2)])
def test_a_whole_hand_is_followed(tmp_path: Path, players: int, seed: int) -> None:
    """The camera never records an event that has not happened, and the final state is right."""
    setup = Setup("express", players, {"hands": 1}, deck="ours")
    with follow_game(tmp_path, RULES, setup, PerfectSight(RULES, players)) as people:
        found = people.play(random.Random(seed).random)
    assert found.right and found.hasty == 0
    assert found.seen > found.asked + found.told + found.tapped


def test_the_mat_has_room_for_what_usually_lies_there() -> None:
    """A mat for five or six has shorter and fewer rows."""
    assert len(places(4)) - 4 == 4 * (LARGE.trains + 1)
    assert len(places(6)) - 4 == 6 * (SMALL.trains + 1)
    assert {place.kind for place in places(6) if place.seat is not None} == {"row"}
    assert next(place.most for place in places(2) if place.name == SHOWN) == MOST_SHOWN


# --- what bots imagine ----------------------------------------------------------------------------


def test_an_imagined_hand_stays_the_same_while_it_is_laid() -> None:
    """A card that the bot lays leaves its imagined hand, and the rest of that hand stays the same."""
    state = real(PileDrawn(A))
    held = imagined_hand(state.table, A)
    assert len(held) == state.table.hand(A) and imagined_hand(state.table, A) == held
    card, *rest = held
    discarded = replace(state.table, zones=state.table.zones.move("hand.0", DISCARD, card))
    assert imagined_hand(discarded, A) == tuple(rest)
