"""The log must describe every event in both languages and reveal nothing hidden."""

from __future__ import annotations

from importlib import resources

import pytest

from companion.engine import Player, Refusal, Seat, Setup
from companion.games import words_folders
from companion.games.game_of_trains.events import (
    AbilityRead,
    CardDrawn,
    Cleared,
    Drew,
    HandsDrawn,
    Kept,
    LockLost,
    OddKept,
    PairsDiscarded,
    PileMade,
    Placed,
    Rejected,
    Removed,
    Replaced,
    Reshuffled,
    Swapped,
    Won,
)
from companion.games.game_of_trains.rules import RULES
from companion.games.game_of_trains.tell import TELLER
from companion.i18n import LANGUAGES, load
from tests.games.game_of_trains.walk import play
from tests.games.proofs import proves

FOLDER = resources.files("companion.games.game_of_trains").joinpath("words")
WORDS = {lang: load(lang, words_folders("companion.games.game_of_trains")) for lang in LANGUAGES}
EN = WORDS["en"]
PLAYERS = tuple(Player(name) for name in ("Jane", "Bill", "Tom"))
A, B, C = (Seat(s) for s in range(3))
card_name, differs, refused = TELLER.card_name, TELLER.differs, TELLER.refused
score, stale, tell = TELLER.score, TELLER.stale, TELLER.tell


@pytest.mark.parametrize(
    ("event", "effects", "said"),
    [
        (Drew(A), (), ["Jane draws a card."]),
        (CardDrawn(40), (), []),
        (Placed(A, 3), (Replaced(A, 3, 47, 40),), ["Jane puts 40 at position 3; 47 goes to the pool."]),
        (Kept(B, 3, 7), (Replaced(B, 7, 6, 3), Rejected(B, 1)),
         ["Bill puts 3 at position 7; 6 goes to the pool.", "Bill discards one card face down."]),
        (Swapped(C, 4, 1, 2), (LockLost(C, 1, 8),),
         ["Tom uses 4 and swaps the wagons at positions 1 and 2.",
          "Tom loses the padlock at position 1: 8 is discarded."]),
        (Removed(A, 7), (Cleared(1, (17, 0, 40)), PairsDiscarded((1, 17))),
         ["Jane uses 7.", "Removed from position 1: Jane 17 and Tom 40.",
          "Cards with the same ability leave the pool: 1 and 17."]),
        (Removed(A, 7), (Cleared(1, (0, 0, 0)),),
         ["Jane uses 7.", "Position 1 is protected everywhere: nobody loses a wagon."]),
        (Reshuffled(), (PileMade(61),), ["The discard is shuffled into a new pile of 61 cards."]),
        (OddKept(17), (PairsDiscarded((1, 25)),),
         ["17 stays in the pool.", "Cards with the same ability leave the pool: 1 and 25."]),
        (AbilityRead(5, "protect"), (), ["5 says: Padlock."]),
        (Placed(A, 7), (Replaced(A, 7, 5, 84), Won(A)),
         ["Jane puts 84 at position 7; 5 goes to the pool.",
          "Jane's numbers go up from left to right: Jane wins!"]),
    ],
)  # fmt: skip
def test_the_log_says_what_happened(event: object, effects: tuple[object, ...], said: list[str]) -> None:
    """The log names seats and wagons in the order of the events."""
    assert tell(event, effects, PLAYERS, EN) == said  # type: ignore[arg-type]


@proves("E-1", "E-2")
def test_the_log_keeps_hidden_cards_hidden() -> None:
    """No log sentence mentions a card in a hand or a drawn card."""
    hands = ((71,), (72, 73), (74, 75, 76))
    for lang in LANGUAGES:
        events = (HandsDrawn(hands), CardDrawn(77))
        said = " ".join([sentence for event in events for sentence in tell(event, (), PLAYERS, WORDS[lang])])
        assert not any(str(card) in said for card in range(71, 78))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_whole_game_can_be_told(lang: str) -> None:
    """Every event and effect of random games has a complete sentence."""
    for seed in range(3):
        for _, event, state in play(Setup("game-of-trains", 3, {}, "box", "box"), seed, 150):
            for sentence in tell(event, state.effects, PLAYERS, WORDS[lang]):
                assert sentence[0].isupper() or sentence[0].isdigit()
                assert "{" not in sentence and sentence[-1] in ".!"


def test_cards_and_refusals_are_named() -> None:
    """Card names, corrections, refusals and scores are put into words."""
    assert card_name("wagon-42", EN) == "wagon 42"
    assert card_name("back-wagon", EN) == "back-wagon"
    assert differs("card", {"old": "wagon-6", "new": "wagon-9"}, EN) == "It was wagon 9, not wagon 6."
    said = refused(Refusal("R-09", "other_ability", {"card": 5, "ability": "protect"}), PLAYERS, EN)
    assert said == "5 cannot do that. It says: Padlock."
    assert refused(Refusal("R-15", "refills_next", {"seat": 1, "position": 7}), PLAYERS, EN) == (
        "Bill refills position 7 next."
    )
    assert [score(5, WORDS[lang]) for lang in LANGUAGES] == ["5 of 7", "5 sur 7"]
    assert stale([], EN) == "The table has changed since then. Look again, then decide."
    assert RULES.name == "game-of-trains"
