"""Test the checks of pages in `companion game check`, which find visible faults before people do."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games import GAMES
from companion.i18n import Words
from companion.ops.game_check import Shortcoming, run_checks
from companion.ops.game_check.page_checks import (
    CHECKS,
    chance_events,
    drawn_pages,
    guide_words,
    help_words,
    page_parts,
    page_words,
    raw_texts,
    style_sheets,
)
from tests.support.broken_games import Copies, copies
from tests.support.hex_rails.rules import RULES as HEX_RAILS
from web import game_trial
from web.game_pages import OFFERED

__all__ = ["copies"]


@pytest.fixture(autouse=True)
def installed(copies: Copies, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the copied game count as an installed one."""

    def game() -> object:
        made = Copies.game(copies)
        monkeypatch.setitem(GAMES, made.name, made)
        return made

    monkeypatch.setattr(copies, "game", game)


def told(copies: Copies, *checks: object) -> list[tuple[str, str]]:
    """Return the file and the text of each finding."""
    found: list[Shortcoming] = run_checks(copies.game(), checks, game_trial)  # type: ignore[arg-type]
    return [(Path(file).name, text) for file, text, _ in found]


def test_pages_of_a_copy_lack_nothing_and_leave_no_trace(copies: Copies) -> None:
    """The example's pages are complete, and the check does not change the offered games."""
    offered = dict(OFFERED)
    assert told(copies, *CHECKS) == []
    assert offered == OFFERED


def test_a_template_that_cannot_be_read_or_drawn_is_named(copies: Copies) -> None:
    """The finding names the line of an invalid template, and all other regions are drawn."""
    folder = copies.folder / "tried_out" / "templates"
    folder.mkdir(exist_ok=True)
    folder.joinpath("seats.html").write_text("<p>\n{{ view.trains[9][0].weight }}</p>", encoding="utf-8")
    folder.joinpath("sign.html").write_text("<p>\n{% if %}</p>", encoding="utf-8")
    found = told(copies, drawn_pages)
    assert any(file == "sign.html" and text.startswith("line 2: ") for file, text in found)
    assert any("The region seats" in text and "seats.html, line 2" in text for _, text in found)


def test_a_key_or_a_field_that_people_would_read_is_found(copies: Copies) -> None:
    """A key or an unfilled field is found in text, also for screen readers, but not in addresses."""
    folder = copies.folder / "tried_out" / "templates"
    folder.mkdir(exist_ok=True)
    folder.joinpath("seats.html").write_text('<a href="/x/place.y">{{ words("place.nowhere") }}</a>', encoding="utf-8")
    copies.change("words/fr.toml", '"{name} prend le wagon."', '"{name} prend le wagon, {{lui}}."')
    found = told(copies, drawn_pages)
    assert ("en.toml", "The region seats shows 'place.nowhere' in 'en'.") in found
    assert ("fr.toml", "The region log shows '{lui}' in 'fr'.") in found
    html = '<b aria-label="moment.x.you" class="place.z">1.5 t</b><script>event.y</script>'
    assert list(raw_texts(html, {"moment", "place", "event"})) == ["moment.x.you"]


def test_help_that_is_begun_has_to_be_whole(copies: Copies) -> None:
    """A game without help is complete; one with help needs every moment, a known picture and short sentences."""
    assert told(copies, help_words) == []
    words = copies.folder / "tried_out" / "words"
    for lang in ("en", "fr"):
        lines = f'picture = "cards"\none = "A wagon."\ntwo = "Look."\nthree = "{"So " * 50}"\n'
        words.joinpath(f"help.{lang}.toml").write_text(f"[help.ask]\n{lines}[help.over]\npicture = 'moon'\n")
    found = told(copies, help_words)
    assert ("help.en.toml", "help.turn_up.three is missing.") in found
    assert ("help.fr.toml", "help.over.one is missing.") in found
    assert ("help.fr.toml", "help.ask.three has 150 characters, more than 140.") in found
    assert any(file == "help.en.toml" and text.startswith("help.over.picture names 'moon'") for file, text in found)
    assert not [text for _, text in found if text.startswith("help.ask.one")]


def test_a_sign_that_leaves_its_help_out_is_found(copies: Copies) -> None:
    """A game that explains its moments but has no "?" on its own sign is reported."""
    folder = copies.folder / "tried_out"
    for lang in ("en", "fr"):
        for moment in ("turn_up", "ask", "over"):
            with folder.joinpath("words", f"help.{lang}.toml").open("a") as file:
                file.write(f'[help.{moment}]\npicture = "cards"\none = "A"\ntwo = "B"\nthree = "C"\n')
    assert told(copies, help_words, drawn_pages) == []
    folder.joinpath("templates").mkdir(exist_ok=True)
    folder.joinpath("templates", "status.html").write_text("<p>{{ view.moment }}</p>", encoding="utf-8")
    assert ("status.html", "The sign has no \"?\" at 'turn_up'.") in told(copies, help_words, drawn_pages)


def test_a_guided_first_turn_is_short_and_due_at_moments_of_the_game(copies: Copies) -> None:
    """A game can have at most five short tips, and none for an unknown moment."""
    assert told(copies, guide_words) == []
    words = copies.folder / "tried_out" / "words"
    known = 'sign = "A"\nhand = "B"\nboard = "C"\nchoices = "D"\n'
    words.joinpath("guide.en.toml").write_text(f'[guide.ask]\n{known}[guide.any]\nsign = "{"E" * 90}"\n')
    assert told(copies, guide_words) == []
    words.joinpath("guide.fr.toml").write_text(f'[guide.asked]\n{known}[guide]\nsign = "{"E" * 91}"\nhand = "F"\n')
    assert told(copies, guide_words)[:2] == [
        ("guide.fr.toml", "There are 6 tips, more than 5."),
        ("guide.fr.toml", "guide.asked.sign is not guide.<moment>.<place>, with a moment of the game or `any`."),
    ]
    assert ("guide.fr.toml", "guide.sign has 91 characters, more than 90.") in told(copies, guide_words)


def test_style_sheets_are_examined(copies: Copies) -> None:
    """A block that is not closed and a missing picture are reported."""
    folder = copies.folder / "tried_out" / "static"
    folder.mkdir()
    folder.joinpath("sprite.svg").write_text("<svg/>", encoding="utf-8")
    folder.joinpath("good.css").write_text(
        '/* { */ .a::before { content: "{"; background: url("sprite.svg#a"), url(data:x), url(/static/img/b.svg); }',
        encoding="utf-8",
    )
    folder.joinpath("style.css").write_text(".a { color: red;\n.b { background: url(lost.png) }", encoding="utf-8")
    assert told(copies, style_sheets) == [
        ("style.css", "Not every { has its }: browsers leave out what follows."),
        ("style.css", "There is no lost.png, which url() names."),
    ]


def test_an_option_that_no_page_can_ask_for_is_named(copies: Copies) -> None:
    """An option whose type has no control is reported, because it always keeps its default."""
    copies.declare_options(
        '"""Options."""\n\nimport msgspec\n\n\nclass Options(msgspec.Struct, frozen=True):\n'
        '    """What can be chosen."""\n\n    rounds: int = 3\n    pace: float = 1.5\n'
        "    names: tuple[str, ...] = ()\n"
    )
    assert told(copies, page_parts) == [
        ("options.py", f"The option {name!r} is of a type that has no control: it always keeps its default.")
        for name in ("pace", "names")
    ]


def test_words_of_corrections_and_groups_are_asked_for(copies: Copies) -> None:
    """A field that can be corrected needs a name, and a group of options a title."""
    copies.declare(
        'pages=lambda: PageParts(from_hand=("wagon_turned", "lost"), option_groups={"house": ("tempo",)}, '
        'catalogues={"paper": "x"}, asked_first=("tempo",))'
    )
    copies.change("words/fr.toml", 'amend = { wagon = "Wagon" }\n', "")
    found = told(copies, page_parts, page_words)
    assert ("fr.toml", "amend.wagon is missing.") in found
    assert {("en.toml", "setup.group_house is missing."), ("fr.toml", "setup.group_house is missing.")} <= set(found)
    said = [text for file, text in found if file == "__init__.py"]
    assert said == [
        "'lost' is no event of the game.",
        "'paper' is no deck: there are dealt, ours, box.",
        "asked_first names 'tempo', which is not in the group main.",
        "option_groups has 'tempo', which is no option.",
    ]


def test_an_option_without_words_shows_on_the_setup_page(copies: Copies) -> None:
    """An option without words is found by reading the page for setting up a game."""
    copies.declare_options(
        '"""Options."""\n\nimport msgspec\n\n\nclass Options(msgspec.Struct, frozen=True):\n'
        '    """What can be chosen."""\n\n    rounds: int = 3\n'
    )
    found = told(copies, drawn_pages)
    assert ("en.toml", "The page /l/…/ shows 'option.rounds.title' in 'en'.") in found


@pytest.mark.parametrize("own", [False, True])
def test_chance_that_nobody_may_enter_is_found(copies: Copies, own: bool) -> None:
    """An event of chance that names a seat can be entered by anybody, unless the game lists other events as
    observed."""
    copies.change("steps.py", "class WagonTurned(Event, frozen=True)", "class WagonTurned(SeatEvent, frozen=True)")
    seen = "tuple([WagonTurned(Seat(0), wagon) for wagon in table.pile])"
    legal = f"    def legal(self, table):\n        return (Choice(None, {seen}, chance=True),)\n"
    copies.change("steps.py", "    kind = WagonTurned\n", f"    kind = WagonTurned\n\n{legal}")
    if own:
        copies.change(
            "steps.py", "    wagon: int\n\n\n", "    facts = EventFacts(observed=False)\n\n    wagon: int\n\n\n"
        )
    text = "line 22: Chance brings 'wagon_turned', which nobody may enter: say that it is `observed`."
    assert told(copies, chance_events) == ([("steps.py", text)] if own else [])


def test_a_board_without_words_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kinds of cells, pieces and parts of prices need words in every language, except those with default words."""
    monkeypatch.setitem(GAMES, HEX_RAILS.name, HEX_RAILS)
    assert run_checks(HEX_RAILS, [page_words], game_trial) == []
    said = game_trial.words

    def poorer(lang: str, where: str) -> Words:
        keys = ("cell.kind.sea", "cost.river", "cost.unit.waste_one", "piece.cube_other")
        return Words(lang, {key: text for key, text in said(lang, where).sentences.items() if key not in keys})

    monkeypatch.setattr(game_trial, "words", poorer)
    texts = [text for file, text, _ in run_checks(HEX_RAILS, [page_words], game_trial) if file.endswith("fr.toml")]
    assert texts == [
        f"{key} is missing." for key in ("cell.kind.sea", "cost.river", "cost.unit.waste_one", "piece.cube_other")
    ]
