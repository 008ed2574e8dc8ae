"""`companion game check` finds each fault in rules, words and places of a broken copy, with its file."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine import AnyGame, Layout, Piece, Seat, State
from companion.games import GAMES
from companion.ops.game_check import CHECKS, Shortcoming, play_checks, run_checks
from companion.ops.game_check.camera_checks import pieces
from companion.ops.game_check.play_checks import LONGEST
from companion.ops.game_check.rule_checks import sealed_observed, step_kinds
from companion.ops.new_game import create_game
from tests.support.broken_games import Copies, copies
from tests.support.hex_rails.rules import RULES as HEX_RAILS
from tests.support.hex_rails.rules import HexRails, Table
from web import game_trial

__all__ = ["copies"]

OPTIONS = '''"""Options."""

from typing import Literal

import msgspec


class Options(msgspec.Struct, frozen=True):
    """What can be chosen."""

    tempo: Literal["slow", "fast"] = "slow"
'''


def examine(game: AnyGame) -> list[Shortcoming]:
    """Return the faults, without drawing pages, mats and decks."""
    return [*run_checks(game, CHECKS), *run_checks(game, play_checks.CHECKS, game_trial)]


def found(copies: Copies) -> dict[str, list[str]]:
    """Return the messages by file, relative to the copy's folder."""
    texts: dict[str, list[str]] = {}
    for file, text, _ in examine(copies.game()):
        texts.setdefault(file.rpartition("/tried_out/")[2], []).append(text)
    return texts


def test_a_copy_lacks_nothing(copies: Copies) -> None:
    """An unchanged copy of the example has no faults."""
    assert found(copies) == {}


def test_a_game_without_words_is_told_all_of_them(copies: Copies) -> None:
    """A game without words gets a list of all missing keys in each language's file."""
    for file in copies.folder.glob("tried_out/words/*.toml"):
        file.unlink()
    told = found(copies)
    for lang in ("en", "fr"):
        assert told[f"words/rules.{lang}.toml"] == [f"The rules are not written down in {lang!r}."]
        assert told[f"words/{lang}.toml"][0].startswith(f"There are no words in {lang!r}")
        keys = {text.partition(" ")[0] for text in told[f"words/{lang}.toml"] if "is missing" in text}
        assert {"game.title", "moment.ask.you", "event.took", "place.middle", "refusal.R-04.too_heavy"} <= keys
    assert "The refusal 'too_heavy' names R-04, which is no rule of the game." in told["steps.py"]


def test_a_language_without_words_is_one_thing_to_do(copies: Copies) -> None:
    """A language without a file of words is one fault, not one for each key."""
    copies.folder.joinpath("tried_out", "words", "fr.toml").unlink()
    (text,) = found(copies)["words/fr.toml"]
    assert text.startswith("There are no words in 'fr'")


def test_a_missing_sentence_is_named_in_its_language(copies: Copies) -> None:
    """Missing sentences and differing fields are reported by key in their language."""
    copies.change("words/fr.toml", ' middle = "le milieu",', "")
    copies.change("words/fr.toml", ', other = "On retourne le wagon suivant."', "")
    copies.change("words/fr.toml", "{most} tonnes", "{weight} tonnes")
    copies.change("words/fr.toml", 'title = "Tried Out", ', "")
    copies.change("words/en.toml", ', passed = "{name} lets the wagon pass."', "")
    copies.change("__init__.py", "Cards(CARDS)", 'Cards(CARDS, {"wagon-1": "back-red"})')
    told = found(copies)
    assert set(told) == {"words/en.toml", "words/fr.toml"}
    french = told["words/fr.toml"]
    for key in ("place.middle", "moment.turn_up.other", "game.title", "back.red"):
        assert f"{key} is missing." in french
    assert "refusal.R-04.too_heavy has other fields in 'fr' than in 'en'." in french
    assert "refusal.R-04.too_heavy fills in weight, which the refusal does not give." in french
    assert any(text.startswith("event.passed is missing") for text in told["words/en.toml"])
    assert "back.red is missing." in told["words/en.toml"]


def test_an_event_may_be_left_out_of_the_log(copies: Copies) -> None:
    """An event with an empty sentence is left out of the log without a fault."""
    copies.change("words/en.toml", '"{name} lets the wagon pass."', '""')
    copies.change("words/fr.toml", '"{name} laisse passer le wagon."', '""')
    assert found(copies) == {}


def test_a_log_that_shows_a_field_or_lacks_one_is_noticed(copies: Copies) -> None:
    """A sentence of the log that shows braces or uses an unknown field is reported."""
    copies.change("words/en.toml", '"{name} takes the wagon."', '"{name} takes {{it}}."')
    copies.change("words/fr.toml", '"{name} prend le wagon."', '"{wagon} pris."')
    told = found(copies)
    assert any("'en' says" in text and "{it}" in text for text in told["words/en.toml"])
    assert any("event.took fills in {wagon}" in text for text in told["words/fr.toml"])


def test_words_of_options_are_asked_for(copies: Copies) -> None:
    """Missing titles, texts and values of options are reported in each language."""
    copies.declare_options(OPTIONS)
    told = found(copies)
    keys = [f"option.tempo.{part} is missing." for part in ("title", "text", "slow", "fast")]
    assert told == {"words/en.toml": keys, "words/fr.toml": keys}


def test_an_option_needs_a_default(copies: Copies) -> None:
    """An option without a default is reported, because the setup page cannot show it."""
    copies.declare_options(OPTIONS.replace(' = "slow"', ""))
    assert found(copies)["options.py"] == ["The option 'tempo' has no default."]


def test_one_rule_with_two_numbers_is_noticed(copies: Copies) -> None:
    """Duplicate rule numbers, missing rules and refusals with unknown rules are reported."""
    copies.change("words/rules.en.toml", "R-05.text", "R-4.text")
    copies.change("steps.py", 'Reason("R-04"', 'Reason("R-07"')
    told = found(copies)
    assert "One rule number is there 2 times: R-04, R-4." in told["words/rules.en.toml"]
    assert "R-4 is missing." in told["words/rules.fr.toml"]
    assert told["steps.py"] == ["The refusal 'too_heavy' names R-07, which is no rule of the game."]
    assert "refusal.R-07.too_heavy is missing." in told["words/fr.toml"]


def test_the_sign_agrees_with_several_people(copies: Copies) -> None:
    """If a step may wait for several people, the sign needs forms for one and for several."""
    copies.change(
        "steps.py",
        "    def explain(self, table: Table, event: Event) -> Refusal | None:\n",
        """\
    def awaits(self, table: Table) -> tuple[Seat, ...]:
        \"\"\"Return all who are still asked.\"\"\"
        return self.seats

    def explain(self, table: Table, event: Event) -> Refusal | None:
""",
    )
    why = "moment.ask.other_one is missing: ask may wait for one person, or for several."
    assert found(copies) == {"words/en.toml": [why], "words/fr.toml": [why]}
    for lang, one, several in (("en", "{name} decides", "{name} decide"), ("fr", "{name} décide", "{name} décident")):
        copies.change(f"words/{lang}.toml", f'other = "{one}', f'other_one = "{one}.", other = "{several}')
    assert found(copies) == {}


def test_the_sign_names_nobody_where_chance_decides(copies: Copies) -> None:
    """A sign with a name is reported if chance decides, because it would read "nobody"."""
    copies.change("words/en.toml", 'other = "The next wagon', 'other = "{name} sees: the next wagon')
    copies.change("words/fr.toml", 'other = "', 'other = "{name} : ')
    told = found(copies)
    assert told["words/en.toml"] == [
        "moment.turn_up.other fills in name, but turn_up may wait for nobody: people read 'nobody'."
    ]
    assert told["words/fr.toml"][0].endswith("people read 'personne'.")


def test_a_name_of_a_card_stays_in_its_folder(copies: Copies) -> None:
    """A card whose name leaves its folder is refused, because files are named after cards."""
    copies.change("cards.py", "CARDS = {", 'CARDS = {"../wagon": 1} | {')
    texts = [text for each in found(copies).values() for text in each]
    assert any(
        "not offered to anybody" in text and "cards.py: '../wagon' is no name of a card" in text for text in texts
    )


def test_more_players_than_colours_are_too_many(copies: Copies) -> None:
    """A game for more players than there are colours and shapes is reported."""
    copies.change("rules.py", "seats = range(2, 5)", "seats = range(2, 12)")
    told = found(copies)["rules.py"]
    assert any("11 players are more than the house has colours" in text for text in told)
    assert any("11 players are more than the house has shapes" in text for text in told)


def test_cards_need_a_place_and_room(copies: Copies) -> None:
    """A card at an unknown place, or too many cards at a place, are reported."""
    copies.change("rules.py", '"row", LONGEST', '"row", 1')
    copies.change("rules.py", 'Layout({"middle"', 'Layout({"market"')
    copies.change("rules.py", 'seen.spots["middle"]', 'seen.spots["market"]')
    told = found(copies)["rules.py"]
    assert "Cards lie at market, which is no place." in told
    assert any("has room for 1" in text for text in told)


def test_there_are_not_more_pieces_than_in_the_box(monkeypatch: pytest.MonkeyPatch) -> None:
    """More pieces than in the box and pieces beside the board are reported."""
    monkeypatch.setitem(GAMES, HEX_RAILS.name, HEX_RAILS)
    assert run_checks(HEX_RAILS, [pieces]) == []
    monkeypatch.setattr(type(HEX_RAILS), "piece_counts", {"cube": 1}, raising=False)
    texts = {text for _, text, _ in run_checks(HEX_RAILS, [pieces])}
    assert "2 pieces of seat 1 of the kind 'cube' stand on the board: there are 1." in texts
    layout = type(HEX_RAILS).layout

    def beside(self: HexRails, state: State[Table]) -> Layout:
        return msgspec.structs.replace(layout(self, state), pieces={"Z9": (Piece("cube", Seat(0), "Z9"),)})

    monkeypatch.setattr(type(HEX_RAILS), "layout", beside)
    assert {text for _, text, _ in run_checks(HEX_RAILS, [pieces])} == {
        "Pieces stand on Z9, which is no cell of the board."
    }


def test_a_view_says_what_the_table_waits_for(copies: Copies) -> None:
    """A view without the fields that pages read is reported."""
    own = "    def view(self, state, seat):\n        return SimpleNamespace(moment='', awaited=())\n\n    def places("
    copies.change("rules.py", "    def places(", own)
    copies.change("rules.py", "from typing import Any", "from types import SimpleNamespace\nfrom typing import Any")
    lacking = [
        "line 29: The public view has no 'chance', which pages show.",
        "line 29: The view of a seat has no 'offers', which pages show.",
    ]
    assert set(lacking) <= set(found(copies)["rules.py"])


def test_partners_have_one_score(copies: Copies) -> None:
    """Partners with different scores are reported, because lists show a side's score once."""
    pairs = """    def sides(self, setup: Setup) -> tuple[tuple[Seat, ...], ...]:
        return (tuple([Seat(seat) for seat in range(len(setup.seated()))]),)

    def ranking(self, state: State[Table]) -> tuple[tuple[Seat, ...], ...]:
        return self.sides(Setup(self.name, len(state.table.trains)))

    def places("""
    copies.change("rules.py", "    def places(", pairs)
    text = "Partners have different scores: give each of them that of the side (Sides.each_seat)."
    assert found(copies) == {"rules.py": [text]}


def test_a_secret_that_a_view_shows_is_found(copies: Copies) -> None:
    """A secret that the public view or the table shows is reported."""
    kept = "return ('wagon',) if hasattr(event, 'wagon') else ()"
    secret = f"    def secret(self, before, event):\n        {kept}\n\n    def places("
    copies.change("rules.py", "    def places(", secret)
    assert found(copies) == {
        "rules.py": [
            "line 13: The public view shows what is secret of WagonTurned (wagon): leave it out here.",
            "line 36: The table shows what is secret of WagonTurned (wagon): leave it out here.",
        ]
    }


def test_games_end_and_somebody_wins(copies: Copies, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that does not end is reported."""
    copies.change("steps.py", "(TurnUp(),) if table.pile else (), ()", "(Ask((Seat(0),)),), ()")
    monkeypatch.setattr("companion.ops.game_check.play_checks.LONGEST", 500)
    assert LONGEST > 500
    assert any(text.startswith("A game of 2 bots does not end") for text in found(copies)["rules.py"])


def test_the_ranking_has_every_seat_and_the_winners_first(copies: Copies) -> None:
    """A ranking without every seat, or without the winners first, is reported."""
    lost = """    def ranking(self, state: State[Table]) -> tuple[tuple[Seat, ...], ...]:
        return ((Seat(0),),)

    def winners(self, state: State[Table]) -> tuple[Seat, ...]:
        return (Seat(1),)

    def places("""
    copies.change("rules.py", "    def places(", lost)
    assert set(found(copies)["rules.py"]) == {
        "The winners are not the first group of the ranking.",
        *[f"The ranking of {players} players does not have every seat once." for players in (2, 3, 4)],
    }


def test_a_check_that_fails_is_told_with_its_line(copies: Copies) -> None:
    """A check that raises an exception is reported with its line, and the other checks run."""
    copies.change("rules.py", "        table = state.table\n", "        table = state.tables\n")
    copies.change("words/fr.toml", ' middle = "le milieu",', "")
    told = examine(copies.game())
    assert any("rules.py, line" in each.text and "tables" in each.text for each in told)
    assert any(each.text == "place.middle is missing." for each in told)


def test_a_game_without_a_bot_or_a_layout_lacks_them(copies: Copies) -> None:
    """A game without a bot or layout is reported, although both have defaults."""
    copies.change("__init__.py", ", bots=_bots", "")
    copies.change("rules.py", "def places", "def spots")
    told = found(copies)
    assert told["__init__.py"] == ["It declares no `bots`: programs play at random."]
    assert any("no camera can follow it" in text for text in told["rules.py"])


# --- ready-made steps and parts -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("    kind = WagonTurned\n", "", "The step TurnUp needs `kind`: an event."),
        ("    kind = WagonTurned\n", "    kind = CityReached\n", "which is not in the events of the game."),
    ],
)
def test_a_ready_made_step_needs_events_of_the_game(copies: Copies, old: str, new: str, text: str) -> None:
    """A ready-made step with a missing or unknown event class is reported."""
    other = "class CityReached(Event, frozen=True):\n    card: str\n\n\nclass TurnUp("
    copies.change("steps.py", "class TurnUp(", other)
    copies.change("steps.py", old, new)
    assert any(text in each for each in found(copies)["steps.py"])


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("    kind = HandCalled", "    kind = HandsDealt", "NextHand needs `kind`: an event with seat."),
        (
            "    kind = WagonSeen",
            "    kind = HandCalled",
            "an event with seat and card as its `kind`, not HandCalled.",
        ),
        ("dealt_only=True, observed=False", "dealt_only=True, observed=True", "WagonChosen is sealed, but `observed`"),
    ],
)
def test_a_step_of_hidden_hands_with_another_event_is_found(copies: Copies, old: str, new: str, text: str) -> None:
    """A step of hidden hands whose event lacks a seat or card, or that anybody could enter, is reported."""
    create_game("yard", "Yard", copies.folder, copies.package, like="goods-yard")
    copies.change("rules.py", old, new, "yard")
    assert any(text in each.text for each in run_checks(copies.game("yard"), (step_kinds, sealed_observed)))


def test_a_part_that_is_no_function_costs_that_part_alone(copies: Copies) -> None:
    """A part that is not a function is reported with file and remedy, and the game is still found."""
    copies.change("__init__.py", "bots=_bots", "bots='x'")
    copies.change("__init__.py", "cards=_cards", "cards=dict.fromkeys(range(99), 1)")
    said = found(copies)["__init__.py"]
    assert any(each.endswith("bots is 'x', and must be a function that returns Bots") for each in said)
    cards = "cards is a value of type dict, and must be a function that returns Cards"
    assert any(each.endswith(cards) and "__init__.py: cards" in each for each in said)


def test_a_part_of_another_type_is_found(copies: Copies) -> None:
    """A part that returns another type is reported with its name, file and type."""
    copies.change("__init__.py", "return Bots(POLICY)", "return POLICY")
    (text,) = [each for each in found(copies)["__init__.py"] if "'bots'" in each]
    assert "cannot be used" in text and text.endswith("must return Bots")
