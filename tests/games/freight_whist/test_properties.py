"""Test the invariants and the secrecy of Freight Whist in random matches."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.bots.simulation import simulate
from companion.demo_records import own_fields, public_fields
from companion.engine import Seat, Setup, State, name_of
from companion.games import files, game_words, teller_of
from companion.games.examples.freight_whist.rules import DECK, RULES, CardPlayed, HandsDealt, Table
from companion.i18n import LANGUAGES
from companion.match.history import History
from companion.match.notation import read_text, sentence
from companion.table.bot_seat import BotSeat
from companion.table.table import Table as LiveTable
from tests.games.freight_whist import invariants
from tests.games.freight_whist.build import NAMES, PLAYING, PURE, SEATS, A, B, begun, dealt, seen, walk
from tests.games.freight_whist.invariants import HANDS
from tests.support.matches import quick
from tests.tools.sizes import files_of, lines_of
from web.game_pages import pages_of

__all__ = ["quick"]

FOLDER = Path(str(files(RULES, "")))
LIMIT = 350


def named(view: Any) -> str:
    """Return a view as JSON text."""
    return msgspec.json.encode(view).decode()


def hidden(state: State[Table], seat: Seat | None) -> set[str]:
    """Return the cards in hands that must be hidden from the seat."""
    held = {card for hand in HANDS for card in state.table.zones.named(hand)}
    known = {card for hand in HANDS for card in state.table.zones.view_of(hand, seat) if card}
    return held - known


@pytest.mark.parametrize("deck", ["dealt", "ours"])
@pytest.mark.parametrize("seed", range(2))
def test_what_holds_in_every_match(deck: str, seed: int) -> None:
    """All invariants hold after every event of a random match."""
    for before, event, state in walk(deck, seed):
        invariants.hold(before, event, state)


@pytest.mark.parametrize("seed", range(2))
def test_no_view_names_an_unplayed_card_of_another_hand(seed: int) -> None:
    """No view, log sentence or layout names a card that is hidden from its reader."""
    for before, event, state in walk("dealt", seed):
        for seat in (None, *SEATS):
            view = RULES.view(state, seat)
            plain = public_fields(view) if seat is None else own_fields(view)
            for text in (named(view), msgspec.json.encode(plain).decode(), str(view)):
                leaked = [card for card in hidden(state, seat) if f'"{card}"' in text or f"'{card}'" in text]
                assert not leaked
            if seat is not None and not state.over:
                assert set(view.own_cards) == set(state.table.zones.named(HANDS[seat]))
        if isinstance(event, HandsDealt):
            assert RULES.secret(before, event) == ("cards",)
            assert RULES.view(before, None) != RULES.view(state, None)
        for lang in LANGUAGES:
            told = teller_of(RULES).tell(
                event, state.effects, Setup(RULES.name, NAMES).seated(), game_words(RULES, lang)
            )
            assert told or name_of(event) == "hand_called"
            assert not any("{" in line or "." not in line for line in told)
        layout = RULES.layout(state)
        assert not hidden(state, None) & {card for name, spot in layout.spots.items() for card in spot.up}


def test_only_its_own_seat_plays_a_dealt_card() -> None:
    """Only its own seat may play a dealt card, so that nobody can probe a hand. Anybody may enter a real card."""
    pages = pages_of(RULES)
    assert {"card_played", "hand_called"}.isdisjoint({*pages.observed, *pages.hosts})
    assert {"card_seen", "trump_turned"} <= pages.observed


def test_a_real_hand_is_nobodys_to_know() -> None:
    """With real cards, a seat's page shows no hand except the turned-up card."""
    state = seen("coal-4")
    assert [RULES.view(state, seat).own_cards for seat in SEATS] == [("coal-4",), (), (), ()]
    assert RULES.view(state, None).offers == () and RULES.view(state, B).offers[0].chance


@pytest.mark.parametrize("bots", ["sensible", "random"])
def test_games_are_simulated(bots: str) -> None:
    """The same seed produces the same results, and partners win together."""
    setup = Setup(RULES.name, 4)
    results = list(simulate(RULES, setup, 3, 1, bots))
    assert results == list(simulate(RULES, setup, 3, 1, bots))
    assert all(result.winners in ((0, 2), (1, 3)) and max(result.scores) >= 5 for result in results)


@pytest.mark.usefixtures("quick")
def test_bots_play_a_match_at_a_table(tmp_path: Path) -> None:
    """Bots finish a match with dealt cards, and never play real cards."""
    for deck in ("dealt", "ours"):
        with LiveTable(tmp_path / f"{deck}.db") as table:
            table.start(Setup(RULES.name, NAMES, deck=deck))  # type: ignore[arg-type]
            driver = BotSeat(table, lambda seconds: None, random.Random(1).random)
            for seat in SEATS:
                driver.sit(seat)
            while driver.turn() is not None:
                pass
            assert table.snapshot().over == (deck == "dealt")


def test_both_languages_say_the_same() -> None:
    """French has a sentence for every English key, and every step and refusal has one."""
    english, french = (set(game_words(RULES, lang).sentences) for lang in LANGUAGES)
    own = {key for key in english if not key.startswith(("list.", "correct.", "region.", "ui.", "replay."))}
    assert own <= french
    state = dealt(PURE, "coal-4")
    said = PLAYING.refusal(state, CardPlayed(B, "oil-1"))
    assert sentence(RULES, Setup(RULES.name, NAMES), said) == "Bill does not hold oil 1."
    for step in ("deal", "turn_up", "next_hand", "play"):
        assert {f"moment.{step}.you", f"moment.{step}.other"} <= english


def test_a_journal_can_be_written_by_hand() -> None:
    """A handwritten journal needs a header and one event a line, and its events determine the deck."""
    line: History = read_text(
        [
            '{"game": "freight-whist", "players": ["Jane", "Bill", "Tom", "Ann"]}',
            '{"event": "trump_turned", "card": "coal-4"}',
            '{"event": "card_seen", "card": "oil-1"}',
        ]
    )
    assert line.state.table.lying == ("", "oil-1", "", "") and not line.state.table.dealt
    assert RULES.view(begun(), None).awaited == () and A == 0 and len(DECK) == 52


def test_the_whole_game_has_at_most_350_lines() -> None:
    """The game's code and English words together have at most 350 lines."""
    counted = [file for file in files_of(FOLDER) if file.suffix == ".py" or file.name == "en.toml"]
    assert sum(len(lines_of(file)) for file in counted) <= LIMIT
