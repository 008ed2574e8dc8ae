"""Test the form for the figures of an owner's box, where each line is confirmed on its own."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.engine import BadSetup, JsonObject, Setup
from companion.games import teller_of
from companion.games.express.profile import FIGURES, Profile, shipped, unconfirmed
from companion.games.express.rules import RULES
from companion.games.express.sheet import Row, fill_list, proposals, row_choices, rows, sections, suggest_rows, titles
from companion.mechanics.view import Fact
from tests.games.proofs import proves
from web.words import words

SAY = words("en", "companion.games.express")
BOX = rows(None)
LINES = [*[card.id for card in unconfirmed().cards], *FIGURES]


def line(name: str) -> int:
    """Return the index in the form of a card or another figure."""
    return LINES.index(name)


def complete() -> list[Row]:
    """Return the form with every missing figure filled in and nothing ticked."""
    choices = row_choices(SAY)
    return [
        row._replace(
            value=row.value or ("printed" if LINES[at] == "hand_cost" else "2"),
            kind=row.kind or ("8" if choices[row.number][0] else ""),
        )
        for at, row in enumerate(BOX)
    ]


def saved(form: list[Row]) -> JsonObject:
    """Return the data saved from a form."""
    data, wrong = fill_list(BOX, form, SAY)
    assert data is not None and wrong == []
    return data


@proves("R-01", "profile=owner")
def test_the_form_begins_with_the_reconstruction() -> None:
    """The form starts with the reconstructed figures unconfirmed, leaves unknown ones empty, and names their rules."""
    assert not any(row.checked for row in BOX) and suggest_rows(BOX) == BOX
    shown = {name: BOX[line(name)][1:] for name in ("box_car", "hopper", "coach", "turntable", "wild", "target")}
    assert shown == {
        "box_car": ("1", False, "12"),
        "hopper": ("", False, ""),
        "coach": ("", False, "6"),
        "turntable": ("3", False, "2"),
        "wild": ("2", False, ""),
        "target": ("100", False, ""),
    }
    assert list(titles(SAY).values())[line("box_car") :: line("turntable")] == [
        ("Box Car", "R-03 · S-02"),
        ("Turntable, with 2 or 3 and with 4 to 6 players", "R-20"),
    ]
    assert titles(SAY)[str(line("hand_limit") + 1)] == ("Most cards in hand after a turn", "R-19")
    choices = row_choices(SAY)
    assert all(row.value in [value for value, *_ in choices[row.number][1]] for row in BOX)
    assert msgspec.convert(saved(list(BOX)), Profile) == unconfirmed()


def test_a_line_with_a_tick_or_other_figures_is_the_owners() -> None:
    """A complete line with a tick or a changed figure becomes the owner's, and all other lines stay unverified."""
    form = list(BOX)
    form[line("wild")] = form[line("wild")]._replace(value="4")
    form[line("box_car")] = form[line("box_car")]._replace(checked=True)
    form[line("hopper")] = form[line("hopper")]._replace(value="3")
    form[line("target")] = form[line("target")]._replace(checked=True)
    form[line("hand_cost")] = form[line("hand_cost")]._replace(value="5")
    form[line("turntable")] = form[line("turntable")]._replace(kind="3")
    data = saved(form)
    profile = msgspec.convert(data, Profile)
    owners = [card.id for card in profile.cards if card.source == "owner"]
    assert (owners, profile.confirmed) == (["box_car", "wild", "turntable"], ("target", "hand_cost"))
    assert (profile.hand_cost, profile.deck(2)["turntable"], profile.deck(2)["wild"]) == (5, 3, 4)
    assert [rows(data)[line(name)] for name in ("hopper", "turntable")] == [
        Row("4", "3", False, ""),
        Row("28", "3", True, "3"),
    ]


@proves("R-01", "S-02")
def test_a_match_begins_with_the_owners_figures() -> None:
    """A match begins when no figure is missing, and pages show the number of unverified lines."""
    data = saved(complete())
    table = RULES.begin(Setup(RULES.name, 4, {}, data, "box"))
    assert table.table.fixed.profile == msgspec.convert(data, Profile)
    owners = sum(row.checked for row in rows(data))
    assert RULES.facts(table)[0] == Fact("unverified", {"count": len(LINES) - owners})
    ticked = saved([row._replace(checked=True) for row in complete()])
    assert RULES.facts(RULES.begin(Setup(RULES.name, 2, {}, ticked, "box"))) == ()
    assert shipped("reconstruction").confirmed == ()


@proves("R-01")
def test_what_is_open_is_asked_for_in_words() -> None:
    """The refusal lists the missing figures by rule in the page's language, and the family variant needs fewer."""
    form = complete()
    for name in ("hopper", "coach", "reefer", "hand_cost"):
        form[line(name)] = form[line(name)]._replace(value="")
    form[line("wreck")] = form[line("wreck")]._replace(value="")
    form[line("boom")] = form[line("boom")]._replace(kind="")
    data = saved(form)
    said = {}
    for lang, variant in (("en", "full"), ("fr", "family")):
        with pytest.raises(BadSetup) as caught:
            RULES.begin(Setup(RULES.name, 2, {"variant": variant}, data, "box"))
        say = words(lang, "companion.games.express")
        said[lang] = teller_of(RULES).refused(caught.value.refusal, (), say)
    assert said == {
        "en": "Figures are missing. S-08: What each card left in hand costs. R-15: number of cards (Boom). "
        "R-20: number of cards (Wreck). S-02: points (Hopper and Reefer). S-05: points (Coach). "
        "Enter them under “The figures of your box”, and play with the owner's figures.",
        "fr": "Il manque des chiffres. S-08\xa0: Coût de chaque carte restée en main. "
        "S-02\xa0: points (wagon-trémie et wagon réfrigérant). S-05\xa0: points (voiture à places assises). "
        "Saisis-les sous «\xa0Les chiffres de ta boîte\xa0», et joue avec les chiffres du propriétaire.",
    }


def test_suggested_counts_stay_unverified_until_they_are_confirmed() -> None:
    """The form suggests a freight card's count from its value. The line stays unverified until ticked or changed."""
    counts = proposals()
    assert (counts[str(line("hopper") + 1)]["3"], "1" in counts, len(counts)) == ("10", False, 7)
    form = list(BOX)
    form[line("hopper")] = form[line("hopper")]._replace(value="3", kind="10")
    form[line("reefer")] = form[line("reefer")]._replace(value="4", kind="9", checked=True)
    form[line("gondola")] = form[line("gondola")]._replace(value="2", kind="12")
    data = saved(form)
    profile = {card.id: (card.value, card.count, card.source) for card in msgspec.convert(data, Profile).cards}
    assert [profile[name] for name in ("hopper", "reefer", "gondola")] == [
        (3, 10, "unknown"),
        (4, 9, "owner"),
        (2, 12, "owner"),
    ]


def test_parts_of_the_form_begin_with_their_first_lines() -> None:
    """The sections are freight, passenger cars, other cars, maintenance, disasters with turntables, and the deal."""
    first = ("box_car", "mail_baggage", "wild", "light_crane", "broken_car", "deal_alone")
    assert [LINES[int(number) - 1] for number in sections(SAY)] == list(first)


@pytest.mark.parametrize(
    ("name", "typed", "said"),
    [
        ("hopper", {"value": "-1"}, "S-02: points (Hopper): “-1” is not possible, only 0 to 15."),
        ("hopper", {"kind": "many"}, "R-03: number of cards (Hopper): “many” is not possible, only 0 to 20."),
        ("coach", {"checked": True}, "S-05: points (Coach) is missing: fill it in, or take the tick away."),
        ("boom", {"checked": True}, "R-15: number of cards (Boom) is missing: fill it in, or take the tick away."),
        ("wreck", {"value": "2.5"}, "R-20: number of cards (Wreck): “2.5” is not possible, only 0 to 20."),
        ("turntable", {"kind": "99"}, "R-20: number of cards (Turntable, with 2 or 3 and with 4 to 6 players): "
            "“99” is not possible, only 0 to 20."),
        ("hand_limit", {"value": "0"}, "R-19: Most cards in hand after a turn: “0” is not possible, only 2 to 12."),
        ("hand_cost", {"checked": True},
            "S-08: What each card left in hand costs is missing: fill it in, or take the tick away."),
    ],
)  # fmt: skip
def test_a_figure_that_cannot_be_is_refused_with_its_rule(name: str, typed: dict[str, Any], said: str) -> None:
    """The form refuses a figure that is negative, too large or not a number, and a tick beside a missing figure."""
    form = list(BOX)
    form[line(name)] = form[line(name)]._replace(**typed)
    assert fill_list(BOX, form, SAY) == (None, [said])


def test_a_form_with_other_lines_is_refused() -> None:
    """The form refuses a missing line, and ignores a second figure in a line that takes only one."""
    assert fill_list(BOX, BOX[1:], SAY) == (None, ["The form has other lines than the 35 of the list."])
    form = list(BOX)
    form[line("wild")] = form[line("wild")]._replace(kind="many")
    assert msgspec.convert(saved(form), Profile) == unconfirmed()
