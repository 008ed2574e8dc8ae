"""The observer at a live table recognises events from moved cards and presses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.engine import Seat
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.layout import train_place
from companion.match.actor import Actor
from companion.messages import SECOND
from companion.table.sight_records import AcceptedEvents, Explanation, SightState
from companion.table.table import Table
from tests.support.observed_table import ObservedTable, observed_match, played


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[ObservedTable]:
    """Yield three people in the first wagon stage, with Preemption's locomotives on the table."""
    with observed_match(tmp_path, 3) as people:
        to_the_market(people)
        yield people


def to_the_market(people: ObservedTable) -> None:
    """Play a Preemption in which every seat buys, up to a market of three wagons."""
    people.tell(ev.StarterNamed(Seat(0)))
    people.tell(ev.TokenDrawn("preemption"))
    lots = (("steam-1", "steam-2", "steam-3"), ("steam-4", "steam-5", "steam-6"), ("diesel-1", "diesel-2", "diesel-3"))
    for cards in lots:
        bids = {0: 900, 1: 850, 2: 800}
        for seat, amount in bids.items():
            people.tell(ev.Committed(Seat(seat), amount))
        people.show(ev.LocosRevealed(cards))
        for seat, card in zip(bids, cards, strict=True):
            if type(people.true.agenda[0]).__name__ == "Choose":
                people.show(ev.LocoChosen(Seat(seat), card))
    people.show(ev.CardsRevealed(("coal-100", "oil-150", "food-100")))
    assert people.agrees(), people.sight


def test_a_whole_game_is_known_by_sight_and_buttons_alone(tmp_path: Path) -> None:
    """A whole game is followed by sight and buttons alone, and everybody's money is right at the end."""
    with observed_match(tmp_path, 3, (2, 0, 1)) as people:
        played(people, 16)
        assert people.state.over
        assert people.state.table.cash == people.true.table.cash
        assert people.counts["seen"] > 150


@pytest.mark.parametrize(("seed", "players"), [(12, 4), (25, 2), (19, 6), (28, 5)])
def test_special_cards_are_known_by_sight(tmp_path: Path, seed: int, players: int) -> None:
    """All special cards are recognised by sight without typing."""
    with observed_match(tmp_path, players, (1, 2, 0)) as people:
        played(people, seed, 150)


def test_what_was_taken_is_shown_before_the_next_reveal_is_read(scene: ObservedTable) -> None:
    """A refill right after a taken wagon waits until the undo of that event is no longer offered."""
    seat = scene.state.table.order[0]
    before = scene.table.snapshot().seq
    scene.lying.take("market", "coal-100")
    scene.lying.lay(f"seat.{seat + 1}.train.1", "coal-100")
    scene.lying.lay("market", "luxury-300")
    scene.observer.accept_reading(scene.lying.seen())
    scene.observer.look()
    assert scene.sight.accepted == AcceptedEvents((ev.Took(seat, 0, 0),), before)
    assert scene.state.table.market == (None, "oil-150", "food-100")
    scene.clock.now += 4 * SECOND
    scene.observer.look()
    assert scene.state.table.market == ("luxury-300", "oil-150", "food-100")


def test_after_an_undo_the_camera_waits_until_the_table_matches(scene: ObservedTable) -> None:
    """After an undo the same event is not taken again until the table matches, and then play goes on."""
    seat = scene.state.table.order[0]
    place = f"seat.{seat + 1}.train.2"
    scene.lying.take("market", "oil-150")
    scene.lying.lay(place, "oil-150")
    scene.observer.accept_reading(scene.lying.seen())
    scene.observer.look()
    taken = scene.sight.accepted
    assert taken is not None
    assert scene.table.rewind(taken.undo_to, Actor.HOST).accepted
    scene.look()
    assert scene.sight.waits and scene.state.table.market == ("coal-100", "oil-150", "food-100")
    scene.lying.take(place, "oil-150")
    scene.lying.lay("market", "oil-150")
    scene.look()
    assert not scene.sight.waits and scene.sight.mismatches == ()
    scene.show(ev.Took(seat, 2, 0))
    assert scene.state.table.trains == scene.true.table.trains


def test_the_host_may_say_as_it_lies(scene: ObservedTable) -> None:
    """After an undo the host can accept the cards as they lie, and they are taken."""
    seat = scene.state.table.order[0]
    scene.lying.take("market", "oil-150")
    scene.lying.lay(f"seat.{seat + 1}.train.2", "oil-150")
    scene.observer.accept_reading(scene.lying.seen())
    scene.observer.look()
    assert scene.sight.accepted is not None
    scene.table.rewind(scene.sight.accepted.undo_to, Actor.HOST)
    scene.look()
    assert scene.sight.waits and len(scene.sight.mismatches) == 2
    scene.observer.accept_as_it_lies()
    scene.wait()
    assert not scene.sight.waits
    assert scene.state.table.trains[seat][1].cargo == "oil"


def test_what_does_not_fit_is_said_when_it_has_stood_for_a_while(scene: ObservedTable) -> None:
    """A card that no event explains is reported after a while, with its corners and without an event."""
    before = scene.table.snapshot().seq
    scene.lying.lay("seat.2.train.3", "cattle-200")
    scene.observer.accept_reading(scene.lying.seen())
    scene.observer.look()
    assert scene.sight.mismatches == ()
    scene.wait()
    (mismatch,) = scene.sight.mismatches
    assert (mismatch.place, mismatch.extra, mismatch.missing, mismatch.correction) == (
        "seat.2.train.3",
        ("cattle-200",),
        (),
        None,
    )
    assert len(mismatch.corners) == 2
    assert scene.table.snapshot().seq == before


def test_a_lost_camera_leaves_nothing_to_wait_for(scene: ObservedTable) -> None:
    """If the camera is lost, the observer drops its mismatches and waits for the next reading."""
    scene.lying.lay("seat.2.train.3", "cattle-200")
    scene.observer.accept_reading(scene.lying.seen())
    scene.observer.look()
    assert scene.observer.due() is not None
    scene.observer.accept_reading(None)
    scene.wait()
    assert scene.observer.due() is None and scene.sight.mismatches == ()
    scene.look()
    assert len(scene.sight.mismatches) == 1


def test_people_have_time_to_carry_a_card_before_it_is_said_to_be_missing(scene: ObservedTable) -> None:
    """After a taken wagon was entered by a tap, its train is reported as incomplete only after a while."""
    seat = scene.state.table.order[0]
    assert scene.touch(ev.Took(seat, 0, 0)).accepted
    scene.observer.look()
    for seconds, said in ((6, []), (2, [train_place(seat, 0)])):
        scene.clock.now += seconds * SECOND
        scene.observer.look()
        assert [mismatch.name for mismatch in scene.sight.mismatches] == said


def test_a_place_that_does_not_fit_for_long_does_not_stop_the_others(scene: ObservedTable) -> None:
    """A lasting mismatch at one place does not stop events at other places."""
    scene.lying.lay("seat.2.train.3", "cattle-200")
    scene.look()
    seat = scene.state.table.order[0]
    train = next(at for at in range(3) if (seat, at) != (1, 2))
    scene.show(ev.Took(seat, 0, train))
    assert scene.state.table.trains == scene.true.table.trains


def test_a_misread_is_put_right_with_one_tap(scene: ObservedTable) -> None:
    """A misread card is amended with one tap, together with the value of its train."""
    seat = scene.state.table.order[0]
    scene.show(ev.Took(seat, 0, 0))
    place = scene.lying.real(f"seat.{seat + 1}.train.1")
    scene.lying.take(place, "coal-100")
    scene.lying.lay(place, "coal-150")
    scene.look()
    (mismatch,) = scene.sight.mismatches
    assert (mismatch.extra, mismatch.missing) == (("coal-150",), ("coal-100",))
    assert scene.observer.correct_misread(mismatch.place, Actor.HOST).accepted
    assert scene.state.table.trains[seat][0].wagons[0].value == 150
    scene.wait()
    assert not scene.sight.waits and scene.sight.mismatches == ()


def test_a_persons_word_on_a_card_amends_without_another_tap(scene: ObservedTable) -> None:
    """A person's name for a card amends a misread one as soon as the camera sees it."""
    seat = scene.state.table.order[0]
    scene.show(ev.Took(seat, 0, 0))
    place = scene.lying.real(f"seat.{seat + 1}.train.1")
    scene.observer.name_card(place, "coal-150", Actor.HOST)
    scene.lying.take(place, "coal-100")
    scene.lying.lay(place, "coal-150")
    scene.look()
    assert scene.state.table.trains[seat][0].wagons[0].value == 150


def test_the_bonus_is_asked_for(scene: ObservedTable) -> None:
    """If Bonus is replaced, people are asked whether it was taken or exchanged."""
    seat = scene.state.table.order[0]
    scene.show(ev.Took(seat, 0, 0))
    scene.show(ev.CardsRevealed(("bonus",)))
    assert scene.agrees()
    other = scene.state.table.order[1]
    cash = scene.state.table.cash[other]
    scene.show(ev.Took(other, 0))
    scene.show(ev.CardsRevealed(("food-50",)))
    firsts = {choice[0] for choice in scene.sight.choices}
    assert firsts == {ev.Took(other, 0), ev.Exchanged(other, (0,))}
    assert scene.choose(next(c for c in scene.sight.choices if c[0] == ev.Took(other, 0))).accepted
    assert scene.state.table.cash[other] == cash + 600
    scene.wait()
    assert "food-50" in scene.state.table.market


def test_an_exchange_in_which_a_card_like_one_of_those_turns_up_counts_both(scene: ObservedTable) -> None:
    """An exchange is complete even if a card equal to an exchanged one turns up."""
    seat = scene.state.table.order[0]
    scene.show(ev.Exchanged(seat, (0, 1)))
    scene.show(ev.CardsRevealed(("coal-100", "food-50")))
    assert scene.agrees(), scene.sight
    assert scene.state.table.discard == ("coal-100", "oil-150")
    assert scene.sight.choices == () and scene.sight.mismatches == ()


def test_longer_stock_that_an_exchange_turns_up_is_known_after_it_has_gone(scene: ObservedTable) -> None:
    """Longer stock seen during an exchange is credited to the new cards after it has gone."""
    seat = scene.state.table.order[0]
    scene.show(ev.Exchanged(seat, (0, 1, 2)))
    scene.show(ev.CardsRevealed(("oil-200", "coal-200", "longer")))
    scene.show(ev.CardsRevealed(("food-50",)))
    assert scene.agrees(), scene.sight
    assert scene.state.table.longer and scene.sight.mismatches == ()


def test_bin_is_remembered_though_a_hand_covers_the_market_before_it_is_gone(scene: ObservedTable) -> None:
    """Bin is remembered even if a hand covers the market before it is cleared."""
    seat = scene.state.table.order[0]
    scene.show(ev.Exchanged(seat, (0, 1, 2)))
    for card in ("oil-200", "bin"):
        scene.lying.lay("market", card)
    scene.look()
    sighted = scene.lying.seen()
    scene.observer.accept_reading(type(sighted)(sighted.at, sighted.number, sighted.sightings, ("market",)))
    scene.wait()
    for card in ("oil-200", "bin"):
        scene.lying.take("market", card)
    for card in ("coal-200", "food-50", "food-200"):
        scene.lying.lay("market", card)
    scene.look()
    scene.wait(8)
    assert sorted(scene.state.table.discard) == ["coal-100", "food-100", "oil-150", "oil-200"]
    assert scene.state.table.market == ("coal-200", "food-50", "food-200")


def test_an_equal_card_laid_where_one_was_cleared_away_is_asked_about(scene: ObservedTable) -> None:
    """If an equal card lies where one was cleared away unseen, people are asked whether it is a new one."""
    scene.show(ev.Took(scene.state.table.order[0], 0, 1))
    scene.lying.lay("market", "bin")
    scene.look()
    assert scene.state.table.market == (None, None, None)
    sighted = scene.lying.seen()
    scene.observer.accept_reading(type(sighted)(sighted.at, sighted.number, sighted.sightings, ("market",)))
    scene.wait()
    for card in ("oil-150", "food-100", "bin"):
        scene.lying.take("market", card)
    for card in ("oil-150", "coal-200", "food-50"):
        scene.lying.lay("market", card)
    scene.observer.accept_reading(scene.lying.seen())
    scene.observer.look()
    assert scene.sight.choices == ()  # the old card may still be there
    scene.wait()
    ((revealed,),) = scene.sight.choices
    assert isinstance(revealed, ev.CardsRevealed) and sorted(revealed.cards) == ["coal-200", "food-50", "oil-150"]
    assert scene.sight.mismatches == ()
    assert scene.choose(scene.sight.choices[0]).accepted
    scene.wait(8)
    assert scene.state.table.market == revealed.cards
    assert scene.sight.mismatches == () and scene.sight.choices == ()


def test_a_card_that_is_lifted_and_put_back_is_not_exchanged(scene: ObservedTable) -> None:
    """A card that is lifted and put back does not count as exchanged together with another."""
    seat = scene.state.table.order[0]
    scene.lying.take("market", "coal-100")
    scene.look()
    scene.lying.lay("market", "coal-100")
    scene.look()
    scene.show(ev.Exchanged(seat, (1,)))
    scene.show(ev.CardsRevealed(("food-50",)))
    assert {choice[0] for choice in scene.sight.choices[1:]} == {ev.Took(seat, 1, train) for train in range(3)}
    assert scene.choose(scene.sight.choices[0]).accepted
    scene.wait(8)
    assert scene.agrees(), scene.sight
    assert scene.state.table.discard == ("oil-150",)


@pytest.mark.parametrize(("moved", "asked"), [(0.0, 0), (0.5, 0), (1.6, 2)])
def test_a_card_among_exchanged_ones_that_lies_a_little_otherwise_may_be_an_equal_one(
    scene: ObservedTable, moved: float, asked: int
) -> None:
    """After three cards changed under a hand, an equal card that has moved a little is asked about."""
    seat = scene.state.table.order[0]
    for old, new in (("coal-100", "coal-200"), ("food-100", "food-50")):
        scene.lying.take("market", old)
        scene.lying.lay("market", new)
    sighted = scene.lying.seen()
    cards = [
        replace(each, corners=tuple([(x + moved, y) for x, y in each.corners])) if each.card == "oil-150" else each
        for each in sighted.sightings
    ]
    scene.observer.accept_reading(replace(sighted, sightings=tuple(cards)))
    scene.wait(8)
    assert len(scene.sight.choices) == asked
    if asked:
        whole = next(each for each in scene.sight.choices if each[0] == ev.Exchanged(seat, (0, 1, 2)))
        assert scene.choose(whole).accepted
        scene.wait(8)
    assert ("oil-150" in scene.state.table.discard) == bool(asked)
    assert sorted(map(str, scene.state.table.market)) == ["coal-200", "food-50", "oil-150"]
    assert scene.sight.mismatches == () and scene.sight.choices == ()


def test_a_card_that_was_overlooked_before_is_not_taken_for_exchanged(scene: ObservedTable) -> None:
    """If a card was overlooked before, people are asked whether it was exchanged."""
    first, seat = scene.state.table.order[:2]
    scene.lying.take("market", "oil-150")
    scene.look(0.3)
    scene.press_pass(first)
    scene.look(0.3)
    scene.lying.take("market", "coal-100")
    scene.lying.lay(train_place(seat, 1), "coal-100")
    scene.lying.lay("market", "food-50")
    scene.look(0.3)
    assert {choice[0] for choice in scene.sight.choices} == {ev.Exchanged(seat, (1,)), ev.Took(seat, 0, 1)}
    taken = next(each for each in scene.sight.choices if each[0] == ev.Took(seat, 0, 1))
    assert scene.choose(taken).accepted
    scene.wait(8)
    assert sorted(map(str, scene.state.table.market)) == ["food-100", "food-50", "oil-150"]
    assert [mismatch.missing for mismatch in scene.sight.mismatches] == [("oil-150",)]


def test_play_goes_on_though_a_tucked_wagon_is_never_seen(scene: ObservedTable) -> None:
    """After a person places an unseen wagon, play continues by sight, and its absence is reported."""
    first, second = scene.state.table.order[:2]
    scene.lying.take("market", "coal-100")
    scene.look()
    scene.lying.lay("market", "food-50")
    scene.look()
    choice = next(each for each in scene.sight.choices if each[0] == ev.Took(first, 0, 1))
    assert scene.choose(choice).accepted
    scene.wait(8)
    assert scene.state.table.trains[first][1].wagons[0].value == 100
    scene.lying.take("market", "oil-150")
    scene.lying.lay(train_place(second, 1), "oil-150")
    scene.look()
    scene.wait(8)
    assert [wagon.type for wagon in scene.state.table.trains[second][1].wagons] == ["oil"]
    assert [(mismatch.place, mismatch.missing) for mismatch in scene.sight.mismatches] == [
        (train_place(first, 1), ("coal-100",))
    ]
    scene.lying.lay(train_place(first, 1), "coal-100")
    scene.look()
    assert scene.sight.mismatches == ()


def test_a_card_that_stays_in_a_hand_is_understood_though_another_is_never_seen(scene: ObservedTable) -> None:
    """While one wagon is unseen, another player's taken card is understood after the refill."""
    first, second = scene.state.table.order[:2]
    scene.lying.take("market", "coal-100")
    scene.lying.lay("market", "food-50")
    scene.look()
    assert scene.choose(choice_of(scene, ev.Took(first, 0, 1))).accepted
    scene.wait(8)
    scene.lying.take("market", "oil-150")
    scene.look(8)
    scene.lying.lay(train_place(second, 1), "oil-150")
    scene.lying.lay("market", "twin")
    scene.look(8)
    assert [wagon.type for wagon in scene.state.table.trains[second][1].wagons] == ["oil"]
    assert "twin" in scene.state.table.market
    assert [mismatch.place for mismatch in scene.sight.mismatches] == [train_place(first, 1)]


def test_what_an_unnamed_card_may_be_explains_nothing_where_it_does_not_belong(scene: ObservedTable) -> None:
    """An unnamed card explains a taken wagon only where that wagon can lie."""
    first, second, third = scene.state.table.order[:3]

    def look_without_a_name() -> None:
        sighted = scene.lying.seen()
        cards = [
            replace(each, card=None, doubt="value", likeliest=("food-300",)) if each.card == "coal-200" else each
            for each in sighted.sightings
        ]
        scene.observer.accept_reading(replace(sighted, sightings=tuple(cards)))
        scene.wait(8)

    scene.lying.take("market", "coal-100")
    scene.look()
    scene.lying.lay("market", "coal-200")
    scene.look()
    assert scene.choose(choice_of(scene, ev.Took(first, 0, 1))).accepted
    scene.press_pass(second)
    scene.press_pass(third)
    scene.wait(8)
    scene.lying.take("market", "coal-200")
    scene.lying.lay(train_place(first, 1), "coal-200")
    scene.lying.lay("market", "food-50")
    look_without_a_name()
    assert scene.choose(choice_of(scene, ev.Took(first, 0, 1))).accepted
    scene.wait(8)
    scene.lying.take("market", "oil-150")
    look_without_a_name()
    assert scene.sight.choices == ()
    missing = {each.place: each.missing for each in scene.sight.mismatches}
    assert missing == {"market": ("oil-150",), train_place(first, 1): ("coal-100", "coal-200")}


def choice_of(scene: ObservedTable, event: ev.Took) -> Explanation:
    """Return the offered choice that begins with an event."""
    return next(each for each in scene.sight.choices if each[0] == event)


def take_oil_at_once(scene: ObservedTable, seat: Seat) -> None:
    """Let a player take the oil and refill the market before a mismatch is shown, and check both events."""
    scene.lying.take("market", "oil-150")
    scene.lying.lay(train_place(seat, 1), "oil-150")
    scene.look(0.3)
    scene.lying.lay("market", "twin")
    scene.look()
    scene.wait(8)
    assert [wagon.type for wagon in scene.state.table.trains[seat][1].wagons] == ["oil"]
    assert "twin" in scene.state.table.market


def test_nobody_waits_until_the_camera_has_missed_a_wagon_for_long(scene: ObservedTable) -> None:
    """After a person places an unseen wagon, the next player's event is understood at once."""
    first, second = scene.state.table.order[:2]
    scene.lying.take("market", "coal-100")
    scene.lying.lay("market", "food-50")
    scene.look()
    choice = next(each for each in scene.sight.choices if each[0] == ev.Took(first, 0, 1))
    assert scene.choose(choice).accepted
    scene.look(0.5)
    take_oil_at_once(scene, second)


def test_play_goes_on_though_a_wagon_vanishes_just_before(scene: ObservedTable) -> None:
    """If the camera loses a wagon, the next player's event is still understood."""
    first, second = scene.state.table.order[:2]
    scene.show(ev.Took(first, 0, 1))
    scene.show(ev.CardsRevealed(("food-50",)))
    scene.wait()
    assert scene.agrees()
    scene.lying.take(train_place(first, 1), "coal-100")
    scene.look(0.3)
    take_oil_at_once(scene, second)
    assert [(each.place, each.missing) for each in scene.sight.mismatches] == [(train_place(first, 1), ("coal-100",))]


def test_a_choice_that_is_not_asked_any_more_changes_nothing(scene: ObservedTable) -> None:
    """A choice that is no longer offered changes nothing."""
    before = scene.table.snapshot().seq
    assert not scene.choose((ev.TurnPassed(Seat(0)),)).accepted
    assert scene.table.snapshot().seq == before


def test_a_covered_place_is_not_compared(scene: ObservedTable) -> None:
    """A covered place is not compared."""
    sighted = scene.lying.seen()
    rest = tuple([each for each in sighted.sightings if each.place != "market"])
    covered = type(sighted)(sighted.at, sighted.number, rest, ("market",))
    scene.observer.accept_reading(covered)
    scene.wait()
    assert scene.sight == SightState(active=True)


def test_an_unnamed_wagon_on_a_train_is_the_one_that_left_the_market(scene: ObservedTable) -> None:
    """An unnamed wagon on a train is identified by the only card missing from the market."""
    seat = scene.state.table.order[0]
    scene.lying.take("market", "food-100")
    sighted = scene.lying.seen()
    loco = next(s for s in sighted.sightings if s.place == f"seat.{seat + 1}.train.1")
    strip = type(loco)(loco.place, None, 1, doubt="hidden")
    scene.observer.accept_reading(type(sighted)(sighted.at, sighted.number, (*sighted.sightings, strip)))
    scene.wait()
    assert scene.state.table.trains[seat][0].cargo == "food"


def test_a_card_that_cannot_be_named_in_the_market_is_asked_for(scene: ObservedTable) -> None:
    """A new card without a name in the market is asked about, with its likeliest names."""
    seat = scene.state.table.order[0]
    scene.show(ev.Took(seat, 0, 0))
    sighted = scene.lying.seen()
    place = next(s for s in sighted.sightings if s.place == "market")
    doubtful = type(place)("market", None, 0, doubt="value", likeliest=("food-50", "food-100"))
    scene.observer.accept_reading(type(sighted)(sighted.at, sighted.number, (*sighted.sightings, doubtful)))
    scene.wait()
    assert set(scene.sight.choices) == {(ev.CardsRevealed(("food-50",)),), (ev.CardsRevealed(("food-100",)),)}
    assert scene.choose((ev.CardsRevealed(("food-100",)),)).accepted


def test_losing_the_camera_changes_nothing_but_sight(scene: ObservedTable) -> None:
    """If the camera is lost, the state stays and nothing is asked or reported."""
    before = scene.state
    scene.observer.accept_reading(None)
    scene.wait()
    assert scene.sight == SightState() and scene.state == before


def test_where_the_companion_deals_nothing_is_taken_by_sight(tmp_path: Path) -> None:
    """In a match with dealt cards nothing is taken by sight."""
    from companion.engine import Setup
    from companion.sight.observer import SightObserver
    from tests.support.laid_cards import Lying
    from tests.support.observed_table import Clock

    clock = Clock()
    with Table(tmp_path / "journal", clock) as table:
        table.start(Setup("take-a-train", 3, {}, "reconstruction", "dealt"))
        observer = SightObserver(table, clock)
        observer.accept_reading(Lying(3).seen())
        observer.look()
        assert table.snapshot().sight == SightState()
        observer.close()


def test_a_round_begins_while_old_cards_still_lie_there(scene: ObservedTable) -> None:
    """Leftover cards of the last round are not reported, and the new lot is read."""
    for _ in range(3):
        seat = scene.state.agenda[0].legal(scene.state.table)[0].by
        assert scene.touch(ev.TurnPassed(seat)).accepted
    assert scene.touch(ev.TokenDrawn("blind")).accepted
    scene.look()
    assert scene.sight.mismatches == ()
    for card in ("electric-1", "electric-2", "electric-3"):
        scene.lying.lay("auction", card)
    scene.look()
    assert scene.state.table.revealed == ("electric-1", "electric-2", "electric-3")
