"""The log must use correct sentences in both languages and never reveal a secret."""

from __future__ import annotations

import random

import pytest

from companion.engine import Event, Moved, Player, Refusal, Seat, Setup, apply, legal
from companion.games import words_folders
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.rules import RULES
from companion.games.take_a_train.tell import TELLER
from companion.i18n import LANGUAGES, Words, load
from companion.mechanics.telling import format_money

PLAYERS = (Player("Jane", "red", "circle"), Player("Bill", "blue", "square"), Player("Tom", "green", "triangle"))
JANE, BILL, TOM = Seat(0), Seat(1), Seat(2)
NNBSP = "\u202f"
differs, refused, score, stale, tell = TELLER.differs, TELLER.refused, TELLER.score, TELLER.stale, TELLER.tell


def words(lang: str) -> Words:
    """Return the game's words in a language."""
    return load(lang, words_folders("companion.games.take_a_train"))


EN, FR = words("en"), words("fr")


def test_money_is_written_as_each_language_writes_it() -> None:
    """Amounts are written as `$2,550` in English and `2 550 $` in French, and a debt has a minus sign."""
    assert format_money(2550, "en") == "$2,550"
    assert format_money(2550, "fr") == f"2{NNBSP}550{NNBSP}$"
    assert format_money(-100, "en") == "−$100"


def test_a_sale_is_told_with_its_payment() -> None:
    """After the third count, the log names the counting seat, the buyer and the price."""
    effects = (ev.Sold(JANE, "electric-1", 2550), Moved(JANE, -2550, "locomotive"), ev.LotBegan(BILL, False))
    assert tell(ev.Counted(JANE, 3), effects, PLAYERS, EN) == [
        "Jane counts: three!",
        "Jane gets electric 1.",
        "Jane pays $2,550 to the bank.",
        "Bill begins the next lot.",
    ]


def test_a_card_is_told_with_its_figures_where_they_are_known() -> None:
    """If the companion knows a locomotive's figures, the log describes the locomotive by them."""
    table = RULES.begin(Setup("take-a-train", 3)).table
    loco = table.fixed.book.locos["electric-1"]
    said = f"Jane puts the electric locomotive ×{loco.multiplier} ({loco.power}) up for sale."
    assert tell(ev.Nominated(JANE, "electric-1"), (), PLAYERS, EN, False, table) == [said]
    assert tell(ev.Nominated(JANE, "electric-1"), (), PLAYERS, FR) == ["Jane met aux enchères électrique 1."]


def test_a_bought_card_is_told_once() -> None:
    """The log does not repeat a lone bidder's purchase as a sale."""
    effects = (ev.Sold(JANE, "steam-1", 100), Moved(JANE, -100, "locomotive"))
    assert tell(ev.Bought(JANE, "steam-1", 100), effects, PLAYERS, EN) == [
        "Jane buys steam 1.",
        "Jane pays $100 to the bank.",
    ]


def test_fists_that_open_name_every_amount() -> None:
    """The log lists all opened fists by seat, without the seats that took no part."""
    said = tell(ev.Committed(TOM, 150), (ev.FistsOpened((300, None, 150)),), PLAYERS, EN)
    assert said == ["Tom's fist is closed.", "The fists open: Jane $300 and Tom $150."]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (ev.Committed(JANE, 50), ev.Committed(JANE, 4950)),
        (ev.TwistPicked(JANE, "steam-1"), ev.TwistPicked(JANE, "electric-5")),
        (ev.TwistPicked(JANE, "steam-1"), ev.TwistPicked(JANE, None)),
        (ev.CashCorrected(JANE, 0), ev.CashCorrected(JANE, 9000)),
        (ev.PurposesEntered(JANE, ("P-1", "P-2", "P-3")), ev.PurposesEntered(JANE, ("P-4", "P-5", "P-6"))),
        (ev.PurposesDealt((("P-1",),)), ev.PurposesDealt((("P-9",),))),
        (ev.TwistDealt((("steam-1",),)), ev.TwistDealt((("diesel-2",),))),
        (ev.ReplacementTaken(JANE, "steam-1"), ev.ReplacementTaken(JANE, "diesel-2")),
        (ev.Flipped(JANE, ("steam-1",)), ev.Flipped(JANE, ("diesel-2",))),
    ],
)
def test_secrets_change_no_sentence(lang: str, one: Event, other: Event) -> None:
    """Events that differ only in secrets have the same sentence."""
    assert tell(one, (), PLAYERS, words(lang)) == tell(other, (), PLAYERS, words(lang))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_correction_moves_money_in_silence(lang: str) -> None:
    """The log mentions a correction, but not its amount."""
    said = tell(ev.CashCorrected(JANE, 4000), (Moved(JANE, -850, "correction"),), PLAYERS, words(lang))
    assert len(said) == 1
    assert not any(c.isdigit() for c in said[0])


def test_old_amounts_are_left_out() -> None:
    """Once amounts are hidden, no sentence contains one."""
    effects = (
        ev.FistsOpened((300, 2550, 0)),
        ev.Tied((JANE, BILL), 2550),
        ev.Sold(BILL, "steam-1", 2550),
        Moved(BILL, -2550, "locomotive"),
        ev.Profited(BILL, 0, 2550),
    )
    for event in (ev.Bid(BILL, 2550), ev.Opened(BILL, 2550), ev.Raised(BILL, 2550), ev.RaisedTogether((JANE,), 2550)):
        said = " ".join(tell(event, effects, PLAYERS, EN, hide=True))
        assert "2" not in said
        assert "$" not in said
        assert "Bill gets steam 1." in said


@pytest.mark.parametrize("deck", ["dealt", "ours", "box"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_games_are_told_in_whole_sentences(deck: str, seed: int) -> None:
    """Every event of random games has a complete sentence in both languages."""
    luck = random.Random(seed)
    setup = Setup("take-a-train", 3, deck=deck)  # type: ignore[arg-type]
    state = RULES.begin(setup)
    said: list[str] = []
    for _ in range(600):
        event = luck.choice(legal(RULES, state)).pick(luck.random)
        state = apply(RULES, state, event)
        for each in (EN, FR):
            said += tell(event, state.effects, setup.seated(), each, table=state.table)
        if state.over:
            break
    assert len(said) > 200
    keys = {*EN.sentences, *FR.sentences}
    for sentence in said:
        assert sentence[-1] in ".!?", sentence
        assert sentence[0] == sentence[0].upper()
        assert "{" not in sentence
        assert sentence not in keys


def test_refusals_are_worded_for_people() -> None:
    """Refusals show names, amounts of money, cards and cargo in words."""
    cases = [
        (Refusal("R-28", "must_raise", {"price": 300, "minimum": 350}), "The price is $300 already: bid $350 or more"),
        (Refusal("R-00", "not_your_turn", {"seat": 1}), "It is not your turn. Waiting for Bill."),
        (
            Refusal("R-23", "not_tied", {"seat": 2, "tied": (0, 1)}),
            "Tom did not bid the same. Choose one of these: Jane",
        ),
        (Refusal("R-63", "type_mismatch", {"cargo": "oil", "train": "coal"}), "This locomotive pulls coal."),
        (Refusal("R-73", "not_your_token", {"purpose": "P-14"}, JANE), "All steam is not one of your tokens."),
        (Refusal("R-73", "not_your_token", {"purpose": "P-99"}, JANE), "P-99 is not one of your tokens."),
        (Refusal("R-12", "token_already_used", {"kind": "open"}), "Open auction has been used already."),
        (Refusal("R-24", "card_already_in_play", {"cards": "steam-1, nonsense"}), "One of these cards cannot"),
        (Refusal("R-00", "not_your_turn", {"seat": 7}), "It is not your turn. Waiting for 8."),
    ]
    for refusal, beginning in cases:
        assert refused(refusal, PLAYERS, EN).startswith(beginning)


def test_mending_is_said_in_words() -> None:
    """Corrections tell people to take money from the bank or give it back, or which card it was."""
    more, less = ({"name": "Jane", "change": change} for change in (150, -150))
    assert differs("money", more, EN) == "Jane should have $150 more: take it from the bank."
    assert differs("money", less, EN) == "Jane should have $150 less: give it back to the bank."
    assert differs("card", {"old": "coal-200", "new": "coal-150"}, EN) == "It was coal 150, not coal 200."


def test_the_score_is_money() -> None:
    """The score is written as an amount of money."""
    assert score(2550, EN) == format_money(2550, "en") == "$2,550"


def test_a_stale_page_is_told_what_changed() -> None:
    """An outdated page shows what happened since, or asks people to look again."""
    assert stale(["Bill says $350."], EN) == "The table has changed since then: Bill says $350."
    assert stale([], EN) == "The table has changed since then. Look again, then decide."
