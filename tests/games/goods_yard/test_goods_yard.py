"""Test Goods Yard, the example of a game of hidden hands."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.demo_records import own_fields, public_fields
from companion.engine import BadSetup, Event, Seat, Setup, State, begin
from companion.games import files, game_words, teller_of
from companion.games.examples.goods_yard.rules import (
    DECK,
    HAND,
    RULES,
    SIDINGS,
    Choose,
    HandCalled,
    HandsDealt,
    SidingBegun,
    Table,
    TrainDelivered,
    WagonChosen,
    WagonCoupled,
    WagonSeen,
)
from companion.i18n import LANGUAGES
from companion.mechanics.hands import SeveralHands
from companion.mechanics.sealed import ChoicesOpened
from companion.mechanics.zones import HIDDEN, OPEN, Zones, only
from companion.mechanics.zones_game import hand_of
from companion.table.bot_seat import BotSeat
from companion.table.table import Table as LiveTable
from tests.games import adding
from tests.games.playing import Playing
from tests.games.proofs import proves
from tests.support.matches import quick
from tests.tools.sizes import files_of, lines_of

__all__ = ["quick"]

FOLDER = Path(str(files(RULES, "")))
LIMIT = 180
PLAYING: Playing[Table] = Playing(RULES)
A, B = Seat(0), Seat(1)
after, why = PLAYING.after, PLAYING.why


def wagons(*numbers: int) -> tuple[str, ...]:
    """Return the card names of wagons with these numbers."""
    return tuple(map("wagon-{}".format, numbers))


def yard(hands: Sequence[Sequence[int]], *sidings: Sequence[int], points: tuple[int, ...] = ()) -> State[Table]:
    """Return a state in which all seats must choose a wagon from these hands, with these wagons on the sidings."""
    players = len(hands)
    held = {hand_of(seat): wagons(*hand) for seat, hand in enumerate(hands)}
    lying = dict(zip(SIDINGS, [wagons(*siding) for siding in sidings], strict=True))
    left = [
        card for card in DECK if card not in {card for cards in (*held.values(), *lying.values()) for card in cards}
    ]
    audiences = {"pile": HIDDEN, "delivered": OPEN, **dict.fromkeys((*lying, *map(own, range(players))), OPEN)}
    seen = {hand_of(seat): only(seat) for seat in range(players)}
    zones = Zones.of({**audiences, **seen}, {"pile": left, **lying, **held})
    table = Table(True, zones, SeveralHands(players, players, 12), points or (0,) * players)
    return begin(RULES, table, (Choose(table.seats),))


def own(seat: int) -> str:
    """Return the name of a seat's zone for its chosen wagon."""
    return f"seat.{seat + 1}.wagon"


def numbers(state: State[Table], siding: int) -> list[int]:
    """Return the numbers of the wagons on a siding."""
    return [int(card.removeprefix("wagon-")) for card in state.table.zones.named(SIDINGS[siding])]


def choosing(state: State[Table], *chosen: int) -> State[Table]:
    """Return the state after each seat, in order, chose the wagon with the given number."""
    return after(state, *[WagonChosen(Seat(seat), *wagons(number)) for seat, number in enumerate(chosen)])


def test_the_whole_game_has_at_most_180_lines() -> None:
    """The code and one language together have at most 180 lines, without empty lines, comments and docstrings."""
    counted = [file for file in files_of(FOLDER) if file.suffix == ".py" or file.name == "en.toml"]
    assert 0 < sum(len(lines_of(file)) for file in counted) <= LIMIT


def test_its_page_shows_the_game_as_it_is() -> None:
    """The listings in docs/hidden-hands.md match the code, and so does the number of lines."""
    text = adding.HIDDEN_HANDS.document.read_text(encoding="utf-8")
    assert text == adding.written(adding.HIDDEN_HANDS, text)


@proves("R-01")
def test_two_to_five_play() -> None:
    """One player is too few, and six are too many."""
    for players in (1, 6):
        with pytest.raises(BadSetup) as caught:
            RULES.begin(Setup(RULES.name, players))
        assert caught.value.refusal.key == "bad_player_count"


@proves("R-02")
@pytest.mark.parametrize("deck", ["dealt", "ours"])
def test_eight_wagons_each_and_one_on_each_siding(deck: Any) -> None:
    """Each seat has eight wagons, which it sees only if the companion dealt them. Each siding starts with one."""
    state = RULES.begin(Setup(RULES.name, 3, deck=deck))
    if deck == "dealt":
        state = after(state, HandsDealt(DECK[: 3 * HAND]))
    state = after(state, *map(SidingBegun, DECK[-3:]))
    assert [RULES.view(state, seat).hands for seat in (None, A)] == [(HAND,) * 3] * 2
    assert len(RULES.view(state, A).own_cards) == (HAND if deck == "dealt" else 0)
    assert [len(numbers(state, siding)) for siding in range(3)] == [1, 1, 1]


@proves("R-03")
def test_the_choice_is_secret_and_may_change() -> None:
    """A choice is hidden from others and may change until the last seat has chosen."""
    state = after(yard([(1, 2), (3, 4)], [10], [20], [30]), WagonChosen(A, "wagon-1"))
    other = after(yard([(1, 2), (3, 4)], [10], [20], [30]), WagonChosen(A, "wagon-2"))
    for viewer in (None, B):
        assert RULES.view(state, viewer) == RULES.view(other, viewer)
    assert RULES.secret(state, WagonChosen(A, "wagon-1")) == ("card",)
    assert why(state, WagonChosen(A, "wagon-3")) == ("R-00", "card_not_offered", A)
    opened = after(state, WagonChosen(A, "wagon-2"), WagonChosen(B, "wagon-3"))
    assert isinstance(opened.effects[0], ChoicesOpened)
    assert numbers(opened, 0) == [10, 2, 3]


@proves("R-03")
def test_real_wagons_are_entered_as_they_are_turned_over() -> None:
    """Players enter real wagons in any order, and the wagons lie before their seats until people move them."""
    state = after(RULES.begin(Setup(RULES.name, 2, deck="ours")), *map(SidingBegun, wagons(10, 20, 30)))
    state = after(state, WagonSeen(B, "wagon-29"))
    assert RULES.layout(state).spots[own(B)].up == ("wagon-29",)
    done = after(state, WagonSeen(A, "wagon-11"))
    assert numbers(done, 0) == [10, 11] and numbers(done, 2) == [30, 29]
    (before,) = RULES.resting_layouts(state, WagonSeen(A, "wagon-11"), done)
    assert (before.spots[own(A)].up, before.spots[own(B)].up) == (("wagon-11",), ("wagon-29",))
    assert RULES.layout(done).loose and not before.loose


@proves("R-04")
def test_wagons_roll_from_the_lowest_on_to_the_nearest_end() -> None:
    """The lowest wagon rolls first, to the nearest end of a siding, and to the lower one of two equally near ends."""
    state = choosing(yard([(15, 1), (16, 2)], [10], [20], [50]), 15, 16)
    assert numbers(state, 0) == [10, 15, 16]
    assert state.effects[1:] == (WagonCoupled(A, "wagon-15", 1), WagonCoupled(B, "wagon-16", 1))


@proves("R-05", "R-06")
def test_who_completes_a_train_delivers_it() -> None:
    """The seat that completes a train of five scores it, and the siding starts with a new wagon."""
    state = choosing(yard([(12, 1), (55, 2)], [5, 6, 7, 14], [30], [50]), 12, 55)
    assert TrainDelivered(A, 9) in state.effects and RULES.scores(state) == (9, 0)
    assert numbers(state, 0) == [] and state.agenda[0].name == "begin_siding"
    assert numbers(after(state, SidingBegun("wagon-60")), 0) == [60]


@proves("R-05")
def test_where_all_sidings_are_empty_a_wagon_begins_one() -> None:
    """If all sidings are empty, the next wagon begins one."""
    full = ([1, 2, 3, 4], [21, 22, 23, 24], [41, 42, 43, 44])
    state = choosing(yard([(5, 9), (25, 8), (45, 10), (60, 11)], *full), 5, 25, 45, 60)
    assert [len(numbers(state, siding)) for siding in range(3)] == [1, 0, 0] and numbers(state, 0) == [60]
    assert game_words(RULES, "en")("moment.begin_siding.you") == "Turn up a wagon for the first empty siding."


@proves("R-07")
def test_the_next_seat_deals_until_somebody_has_thirty() -> None:
    """An empty hand ends the hand and the next seat deals. At 30 points the match ends, and the highest score wins."""
    short = choosing(yard([(11,), (21,)], [10], [20], [50], points=(29, 3)), 11, 21)
    assert why(short, HandCalled(A)) == ("R-00", "not_your_turn", None)
    assert after(short, HandCalled(B)).agenda[0].name == "deal" and RULES.scores(short) == (29, 3)
    over = choosing(yard([(11,), (21,)], [10], [20], [50], points=(31, 33)), 11, 21)
    assert over.over and RULES.winners(over) == (B,)


@pytest.mark.parametrize("deck", ["dealt", "ours"])
@pytest.mark.parametrize("players", RULES.seats)
def test_what_holds_in_every_match(deck: Any, players: int) -> None:
    """Every wagon exists once, no siding exceeds its length, and views hide other hands."""
    names = game_words(RULES, "en")
    for before, event, state in PLAYING.at_random(Setup(RULES.name, players, deck=deck), players):
        zones = state.table.zones
        assert sum(map(zones.count, zones.zones)) == len(DECK)
        assert all(zones.count(siding) < 5 for siding in SIDINGS)
        hidden = {seat: set(zones.named(hand_of(seat))) for seat in range(players)}
        for seat in (None, *range(players)):
            view = RULES.view(state, None if seat is None else Seat(seat))
            plain = public_fields(view) if seat is None else own_fields(view)
            text = msgspec.json.encode((view, plain)).decode()
            others = {card for other, cards in hidden.items() if other != seat for card in cards}
            assert not [card for card in others if f'"{card}"' in text]
        for lang in LANGUAGES:
            told = teller_of(RULES).tell(event, state.effects, Setup(RULES.name, players).seated(), names)
            assert not any("{" in line for line in told), (lang, before)


@pytest.mark.usefixtures("quick")
def test_bots_play_a_match_at_a_table(tmp_path: Path) -> None:
    """Bots finish a match, and reopening its journal restores the final state."""
    with LiveTable(tmp_path / "journal.db") as table:
        table.start(Setup(RULES.name, ("Ann", "Bo", "Cy"), deck="dealt"))  # type: ignore[arg-type]
        driver = BotSeat(table, lambda seconds: None, random.Random(1).random)
        for seat in map(Seat, range(3)):
            driver.sit(seat)
        while driver.turn() is not None:
            pass
        assert table.snapshot().over
        state = table.snapshot().state
    with LiveTable(tmp_path / "journal.db") as table:
        assert table.snapshot().state == state


def test_a_camera_sees_what_turns_up() -> None:
    """The camera explains a new wagon in front of a seat as that seat's choice, and nothing else."""
    state = after(RULES.begin(Setup(RULES.name, 2, deck="ours")), *map(SidingBegun, wagons(10, 20, 30)))
    said = RULES.layout(state)
    seen = replace(said, spots=said.spots | {own(A): replace(said.spots[own(A)], up=("wagon-4",))})
    guesses: list[Event] = list(RULES.candidate_events(state, said, seen))
    assert guesses == [WagonSeen(A, "wagon-4")]
