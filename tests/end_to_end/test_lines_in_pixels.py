"""Tests of a short game of Game of Trains in pixels: the companion reads cards laid on a rendered table."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine import Event, Seat, Setup
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.catalogue import wagon_id
from companion.games.game_of_trains.rules import RULES
from vision.bench.followed_game import follow_game
from vision.bench.sight_source import RenderedSightSource
from vision.deck.making import enrol
from vision.print.cards import faces
from vision.recognise import Recogniser

A, B = Seat(0), Seat(1)
PLAYED: tuple[Event, ...] = (
    ev.LineDealt(A, (80, 61, 47, 33, 12, 9, 5)),
    ev.LineDealt(B, (81, 62, 48, 34, 13, 10, 6)),
    ev.FirstNamed(A),
    ev.Kept(A, 40, 3),
    ev.Kept(B, 41, 3),
    ev.Swapped(A, 48, 1, 3),
    ev.Drew(B),
    ev.CardDrawn(70),
    ev.Placed(B, 4),
    ev.Protected(A, 34, 7),  # the padlock is tucked below 5: its upper quarter shows
    ev.Removed(B, 47),
    ev.Refilled(B, 1, 77),
    ev.Refilled(A, 1, 78),
    ev.Drew(A),
    ev.CardDrawn(20),
    ev.Placed(A, 7),  # its padlock is removed
)
CARDS = (80, 61, 47, 33, 12, 9, 5, 81, 62, 48, 34, 13, 10, 6, 40, 41, 70, 77, 78, 20)


@pytest.mark.pixels
def test_lines_padlocks_and_refills_are_read(tmp_path: Path) -> None:
    """One turn of each kind is read without questions, typing or wrong names."""
    drawn = faces("game-of-trains")
    pictures = {name: drawn[name] for name in (*map(wagon_id, CARDS), "back-wagon")}
    deck, _ = enrol("some", {name: (picture,) for name, picture in pictures.items()}, drawn=True)
    source = RenderedSightSource("game-of-trains", 2, Recogniser(deck, 1), pictures, 11, (1920, 1080))
    setup = Setup("game-of-trains", 2, {}, "reconstruction", "ours")
    with follow_game(tmp_path, RULES, setup, source) as people:
        for event in PLAYED:
            people.do(event, at_once=isinstance(event, ev.LineDealt | ev.Removed))
        people.rest()
        assert people.in_step and people.state.table == people.true.table
        assert (people.counts.told, people.counts.asked, people.counts.tapped) == (0, 0, 1)
        assert source.wrong == [] and source.named > 100
