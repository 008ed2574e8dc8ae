"""Test names: those in any script are accepted and shown completely, invisible or too similar ones are refused."""

from __future__ import annotations

import pytest

from companion.engine import Player
from tests.support.web.visitors import HOST_PIN, Room
from web.forms import InvalidForm
from web.names import END, ISOLATE, LONGEST_NAME, as_shown, in_order, isolated, look_alike, plain_letters, read_name
from web.words import words

FAMILY = "👩‍👩‍👧‍👦"
PERSIAN = "علی‌رضا"
ZALGO = "a" + "\u0301" * 99


@pytest.mark.parametrize(
    "name", ["Jane", "Ève", FAMILY * 8, PERSIAN, "יעל", "O'Neil 2", "👍🏽", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "❤️", "நி" * LONGEST_NAME, "李小龍"]
)
def test_names_of_people_are_taken(name: str) -> None:
    """Joiners and variation selectors belong to names, and letters are counted as people count them."""
    assert read_name(f"  {name} ") == name


def test_a_name_is_composed_and_spaced_once() -> None:
    """The same name typed on two keyboards is one name, with single spaces."""
    assert read_name("Eve\u0301  Marie\t") == "Ev\u00e9 Marie"
    assert read_name(" \u00a0 ") == ""


@pytest.mark.parametrize(
    "name", ["Ja\u202ene", "\u2066Jane", "\u200d", "\u3164", "Ja\x07ne", "x\U000e0041", "Ja\u00adne"]
)
def test_what_nobody_sees_is_refused(name: str) -> None:
    """Direction marks and fillers are refused, with a sentence that shows the visible rest."""
    with pytest.raises(InvalidForm) as refused:
        read_name(name)
    assert refused.value.key == "error.name_unseen"
    assert refused.value.fields["name"] == "".join([each for each in name if each.isascii() and each.isprintable()])


@pytest.mark.parametrize("name", ["B" * (LONGEST_NAME + 1), FAMILY * 25, ZALGO])
def test_a_long_name_is_refused(name: str) -> None:
    """Too many letters, or one letter with a hundred accents, are refused with the beginning of the name."""
    with pytest.raises(InvalidForm) as refused:
        read_name(name)
    beginning = str(refused.value.fields["name"])
    assert refused.value.key == "error.name_long"
    assert beginning.endswith("…") and name.startswith(beginning[:-1]) and not beginning[:-1].endswith("\u200d")


def test_names_that_look_alike() -> None:
    """Names look alike if they differ only in case, in I and l, or in similar letters of other scripts; accents
    count."""
    assert look_alike(["Anna", "Bob", "Аnna"]) == ("Anna", "Аnna")
    assert (
        look_alike(["Il", "ll"])
        and look_alike(["JANE", "jane"])
        and look_alike(["BILL", "Bill"])
        and look_alike(["Bob", "Bo\u200cb"])
    )
    assert look_alike(["Zoe", "Zoé", "Anna", "Anne", "李", "季"]) is None


def test_a_name_from_right_to_left_turns_nothing_around() -> None:
    """A name written from right to left is isolated, so that the following text stays in place."""
    assert isolated(PERSIAN) == f"{ISOLATE}{PERSIAN}{END}"
    assert isolated("Jane") == "Jane"
    assert as_shown([Player("יעל", "red")]) == (Player(f"{ISOLATE}יעל{END}", "red"),)


def test_a_refusal_names_the_name(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A refused name is quoted in the sentence, and no game begins."""
    with Room(tmp_path_factory.mktemp("names")) as room:
        form = room.form(3) | {"name": ["Anna", "Аnna", PERSIAN]}
        page = room.anybody.submit("/setup", form, "/setup").text
        assert words("en")("error.names_alike", one="Anna", other="Аnna") in page
        assert HOST_PIN not in page and room.table.snapshot().match_id == ""
        room.set_up(3, name=["Anna", FAMILY, PERSIAN])
        assert isolated(PERSIAN) in room.anybody.read(room.host)


def test_names_are_in_the_order_of_the_alphabet() -> None:
    """Accented letters are sorted with plain ones and other scripts come last; equal names keep their order."""
    ordered = [
        "Adam", "Æneas", "Ágnes", "Bo", "Ðan", "Đoko", "Dora", "Éva", "Ilja", "İpek", "Lucas", "Lukasz", "Łukasz",
        "Luke", "Noël", "Œdipe", "Oscar", "Øystein", "O’Zoe", "Straße", "Strasser", "Þór", "Zoë", "Борис", "Иван", "李",
    ]  # fmt: skip
    assert sorted(reversed(ordered), key=in_order) == ordered


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("lukasz", "Łukasz"), ("oystein", "Øystein Ås"), ("ANGSTROM", "Ångström"), ("dordevic", "Đorđević"),
        ("aeneas", "Æneas"), ("oeuvre", "Œuvre"), ("strasse", "Straße"), ("thor", "Þór"), ("gudrun", "Guðrún"),
        ("ipek", "İpek"), ("isik", "Işık"), ("nguyen", "Nguyễn"), ("dang", "Đặng"), ("obrien", "O’Brien"),
        ("o'brien", "OBrien"), ("jean luc", "Jean-Luc"), ("ŁUKASZ", "Lukasz"), ("иван", "ИВАН"), ("علی", "علی رضا"),
        ("शर्मा", "शर्मा"), ("מ", "\u2068משה\u2069"),
    ],
)  # fmt: skip
def test_a_name_is_found_without_its_marks(typed: str, name: str) -> None:
    """A name is found without its accents, because keyboards may lack them."""
    assert plain_letters(typed) in plain_letters(name)
