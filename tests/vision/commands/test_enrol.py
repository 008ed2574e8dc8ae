"""Tests of `companion enrol` and `companion recognise`: decks from folders, readings of pictures and errors."""

from __future__ import annotations

import json
import os
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from tests.support.vision.pictures import card, laid, photographed, table
from vision.commands import enrol, recognise
from vision.deck.deck_file import load
from vision.deck.stored_decks import ALLOWED


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of three cards, one with two pictures."""
    (tmp_path / "cards" / "cat").mkdir(parents=True)
    for name, seed in (("ace.png", 0), ("bee.png", 1), ("cat/1.png", 2), ("cat/2.png", 2)):
        cv2.imwrite(str(tmp_path / "cards" / name), card(seed))
    return tmp_path


def test_a_folder_becomes_a_deck_that_names_cards(folder: Path) -> None:
    """`--json` prints only JSON on standard output, with image, names, confidence, corners and face."""
    on = table()
    laid(on, card(1), 400, 260, 170, turned=20)
    cv2.imwrite(str(folder / "table.png"), photographed(on))
    made = CliRunner().invoke(enrol.command, ["--from", str(folder / "cards"), "--deck", str(folder / "d"), "--json"])
    assert json.loads(made.stdout)["cards"] == ["ace", "bee", "cat"]
    told = CliRunner().invoke(recognise.command, [str(folder / "table.png"), "--deck", str(folder / "d"), "--json"])
    (result,) = json.loads(told.stdout)
    assert result["image"] == str(folder / "table.png")
    assert [(one["card"], one["face"], len(one["corners"])) for one in result["cards"]] == [("bee", "up", 4)]


def test_a_contact_sheet_shows_what_was_taken(tmp_path: Path) -> None:
    """A photograph without a card is named, the exit code is 1, and the contact sheet shows the others."""
    (tmp_path / "cards").mkdir()
    for name, seed in (("ace", 1), ("bee", 2), ("cat", None)):
        on = table(3, (480, 560))
        if seed is not None:
            laid(on, card(seed), 240, 280, 250, turned=7)
        cv2.imwrite(str(tmp_path / "cards" / f"{name}.png"), photographed(on, light=1.0))
    words = ["--from", str(tmp_path / "cards"), "--deck", str(tmp_path / "d.deck")]
    told = CliRunner().invoke(enrol.command, words)
    assert told.exit_code == 1 and "cat, picture 1: no card's edge was found" in told.stderr
    assert "1 of 3 pictures left out" in told.stderr and "d.deck.png" in told.stdout
    sheet = cv2.imread(str(tmp_path / "d.deck.png"))
    assert sheet is not None and sheet.shape == (224, 2 * 208, 3)
    assert load(tmp_path / "d.deck").cards == ("ace", "bee")
    assert CliRunner().invoke(enrol.command, [*words, "--whole"]).exit_code == 0
    assert load(tmp_path / "d.deck").cards == ("ace", "bee", "cat")


@pytest.fixture
def six(tmp_path: Path) -> Path:
    """Return a folder with one photograph of six cards in two rows, one of them turned further."""
    on = table(3, (960, 720))
    for at in range(6):
        laid(on, card(at), 200 + 280 * (at % 3), 180 + 340 * (at // 3), 190, turned=(2, 12, -5)[at % 3])
    (tmp_path / "cards").mkdir()
    cv2.imwrite(str(tmp_path / "cards" / "table.png"), photographed(on, light=1.0))
    return tmp_path


def test_one_photograph_enrols_many_cards(six: Path) -> None:
    """A file of names labels cards row by row, a dash skips one, and the deck recognises them elsewhere."""
    (six / "cards" / "table.txt").write_text("ace\nbee\n-\ndog\n\nback-wagon\nfox\n")
    words = ["--from", str(six / "cards"), "--deck", str(six / "d.deck")]
    made = CliRunner().invoke(enrol.command, words)
    assert made.exit_code == 0, made.output
    deck = load(six / "d.deck")
    assert deck.cards == ("ace", "bee", "dog", "fox") and deck.backs == ("back-wagon",)
    for name, seed in (("ace", 0), ("bee", 1), ("dog", 3), ("fox", 5)):
        small = cv2.resize(deck.picture(name), (63, 88)), cv2.resize(card(seed), (63, 88))
        assert np.abs(small[0].astype(int) - small[1]).mean() < 25


def test_as_many_names_as_cards(six: Path) -> None:
    """A photograph with one name too few is refused with both counts."""
    (six / "cards" / "table.txt").write_text("ace\nbee\ncat\ndog\nelk\n")
    told = CliRunner().invoke(enrol.command, ["--from", str(six / "cards"), "--deck", str(six / "d.deck")])
    assert told.exit_code == 1 and "6 cards were found, but table.txt has 5 names" in told.stderr
    assert not (six / "d.deck").exists()


@pytest.mark.parametrize(("ending", "called"), [("heic", "HEIC"), ("HEIF", "HEIF"), ("avif", "AVIF"), ("dng", "DNG")])
def test_pictures_of_other_kinds_are_named(folder: Path, ending: str, called: str) -> None:
    """A HEIC picture is reported by name with advice, and the exit code is 1."""
    (folder / "cards" / f"dog.{ending}").write_bytes(b"\0\0\0\x18ftypheic" + bytes(64))
    (folder / "cards" / "cat" / f"3.{ending}").write_bytes(b"\0\0\0\x18ftypheic" + bytes(64))
    told = CliRunner().invoke(enrol.command, ["--from", str(folder / "cards"), "--deck", str(folder / "d.deck")])
    assert told.exit_code == 1 and f"dog.{ending} is a {called} picture, which cannot be read here" in told.stderr
    assert "2 of 6 pictures left out" in told.stderr and load(folder / "d.deck").cards == ("ace", "bee", "cat")


def test_jfif_is_jpeg(folder: Path) -> None:
    """A JPEG picture with the ending .jfif is accepted."""
    cv2.imwrite(str(folder / "dog.jpg"), card(3))
    (folder / "dog.jpg").rename(folder / "cards" / "dog.jfif")
    words = ["--from", str(folder / "cards"), "--deck", str(folder / "d.deck")]
    assert CliRunner().invoke(enrol.command, words).exit_code == 0 and "dog" in load(folder / "d.deck").cards


@pytest.mark.parametrize("files", [{}, {"a.txt": b"text"}, {"cat.jpg": b"no picture"}])
def test_nothing_is_written_where_there_are_no_pictures(tmp_path: Path, files: dict[str, bytes]) -> None:
    """Empty folders, folders without pictures and broken pictures are refused, and no deck is written."""
    source = tmp_path / "cards"
    source.mkdir()
    for name, data in files.items():
        (source / name).write_bytes(data)
    told = CliRunner().invoke(enrol.command, ["--from", str(source), "--deck", str(tmp_path / "d")])
    assert told.exit_code == 1 and told.output.startswith("Error: ")
    assert not (tmp_path / "d").exists()


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("cards/bee.png", "has the name of a picture"),
        ("cards/new.JPG", "has the name of a picture"),
        ("notes", "is not a readable deck"),
    ],
)
def test_only_a_deck_is_replaced(folder: Path, target: str, said: str) -> None:
    """A deck never replaces a photograph or another file, and its name cannot end like a picture's."""
    (folder / "notes").write_text("who won")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    told = CliRunner().invoke(enrol.command, ["--from", str(folder / "cards"), "--deck", str(folder / target)])
    assert told.exit_code == 1 and told.stdout == ""
    assert told.stderr.startswith(f"Error: {folder / target} ") and said in told.stderr
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_deck_is_made_anew(folder: Path) -> None:
    """A new deck replaces an old deck at the same path."""
    words = ["--from", str(folder / "cards"), "--deck", str(folder / "d.deck"), "--json"]
    assert CliRunner().invoke(enrol.command, words).exit_code == 0
    (folder / "cards" / "ace.png").unlink()
    assert CliRunner().invoke(enrol.command, words).exit_code == 0
    assert load(folder / "d.deck").cards == ("bee", "cat")


@pytest.mark.parametrize("name", ["my.cards 2024", "../evil", "used", " ours", "x" * 41, "[ours]"])
def test_a_deck_is_called_as_the_pages_take_it(folder: Path, name: str) -> None:
    """A deck name that the pages would refuse is refused before any picture is read, with the rule for names."""
    (folder / "cards" / "ace.png").write_bytes(b"no picture")
    words = ["--from", str(folder / "cards"), "--deck", str(folder / "d.deck"), "--name", name]
    told = CliRunner().invoke(enrol.command, words)
    assert (told.exit_code, told.stdout) == (1, "")
    assert told.stderr == f"Error: --name: {name!r} cannot be a name. {ALLOWED}\n"
    assert not (folder / "d.deck").exists()


def test_a_deck_is_called_as_its_file(folder: Path) -> None:
    """Without `--name` a deck is called like its file, so decks from folders of the same name can coexist."""
    words = ["--from", str(folder / "cards"), "--deck"]
    assert CliRunner().invoke(enrol.command, [*words, str(folder / "our box.deck")]).exit_code == 0
    assert load(folder / "our box.deck").name == "our box"
    for file, name in (("our.box, 2.deck", "our-box- 2"), ("[ours]", "ours"), ("used.deck", "deck")):
        assert CliRunner().invoke(enrol.command, [*words, str(folder / file)]).exit_code == 0
        assert load(folder / file).name == name


@pytest.mark.parametrize("card", ["KS [x]", "photo.1", "Jace, the second", "2♣"])
def test_programs_call_cards_as_they_like(folder: Path, card: str) -> None:
    """Dots, commas and symbols in a file's name become part of the card's name."""
    (folder / "cards" / "ace.png").rename(folder / "cards" / f"{card}.png")
    words = ["--from", str(folder / "cards"), "--deck", str(folder / "d.deck")]
    assert CliRunner().invoke(enrol.command, words).exit_code == 0
    assert card in load(folder / "d.deck").cards


@pytest.mark.parametrize("card", ["a\nb", "x" * 90])
def test_a_name_that_no_deck_may_hold_is_said(folder: Path, card: str) -> None:
    """A card name that would make the deck unreadable is refused."""
    (folder / "cards" / "ace.png").rename(folder / "cards" / f"{card}.png")
    told = CliRunner().invoke(enrol.command, ["--from", str(folder / "cards"), "--deck", str(folder / "d.deck")])
    assert told.exit_code == 1 and "cannot be a card's name" in told.stderr and not (folder / "d.deck").exists()


def test_an_empty_file_may_become_a_deck(folder: Path) -> None:
    """An empty file can be replaced by a deck, because some programs create one to reserve a name."""
    (folder / "d.deck").touch()
    words = ["--from", str(folder / "cards"), "--deck", str(folder / "d.deck")]
    assert CliRunner().invoke(enrol.command, words).exit_code == 0


def test_a_back_is_somebodys(folder: Path) -> None:
    """A file called only `back-` is refused, as is a folder with only backs."""
    words = ["--from", str(folder / "cards"), "--deck", str(folder / "d.deck")]
    (folder / "cards" / "bee.png").rename(folder / "cards" / "back-.png")
    told = CliRunner().invoke(enrol.command, words)
    assert told.exit_code == 1 and "back-.png needs a name after back-" in told.stderr
    (folder / "cards" / "back-.png").rename(folder / "cards" / "back-bee.png")
    (folder / "cards" / "ace.png").unlink()
    (folder / "cards" / "cat").rename(folder / "cards" / "back-cat")
    told = CliRunner().invoke(enrol.command, words)
    assert told.exit_code == 1 and "There are only backs" in told.stderr
    assert not (folder / "d.deck").exists()


def test_letters_that_a_mac_took_apart_are_letters(folder: Path) -> None:
    """A decomposed accent in a file's name becomes one letter in the card's name."""
    (folder / "cards" / "ace.png").rename(
        folder / "cards" / "e\N{COMBINING ACUTE ACCENT}te\N{COMBINING ACUTE ACCENT}.png"
    )
    made = CliRunner().invoke(enrol.command, ["--from", str(folder / "cards"), "--deck", str(folder / "d"), "--json"])
    assert json.loads(made.stdout)["cards"] == ["bee", "cat", "été"]


def test_a_broken_deck_is_a_sentence(folder: Path) -> None:
    """A broken deck is refused with a sentence."""
    (folder / "d").write_bytes(b"PK no deck")
    told = CliRunner().invoke(recognise.command, [str(folder / "cards" / "ace.png"), "--deck", str(folder / "d")])
    assert told.exit_code == 1 and "is damaged or is not a deck" in told.output


def spoilt(folder: Path) -> dict[Path, str]:
    """Add unreadable files to a folder and return the expected message for each."""
    made = {
        "empty.png": (b"", "is not a readable picture"),
        "text.jpg": (b"no picture", "is not a readable picture"),
        "tiny.png": (cv2.imencode(".png", card(3)[:40])[1].tobytes(), "is too small to show a card"),
        "strip.png": (cv2.imencode(".png", np.zeros((50, 3000, 3), np.uint8))[1].tobytes(), "is too narrow"),
    }
    for name, (data, _) in made.items():
        (folder / name).write_bytes(data)
    os.mkfifo(folder / "pipe.png")
    with (folder / "endless.png").open("wb") as file:
        file.truncate(1 << 40)
    (folder / "gone.png").symlink_to(folder / "nowhere")
    more = {"pipe.png": "is not a file", "endless.png": "is too large for a picture", "gone.png": "No such file"}
    return {folder / name: said for name, said in {**{name: said for name, (_, said) in made.items()}, **more}.items()}


def test_bad_pictures_do_not_stop_recognising(folder: Path) -> None:
    """Each unreadable file, folder or pipe prints one sentence, good pictures are read, and the exit code is not 0."""
    words = ["--from", str(folder / "cards"), "--deck", str(folder / "d")]
    assert CliRunner().invoke(enrol.command, words).exit_code == 0
    on = table()
    laid(on, card(1), 400, 260, 170, turned=20)
    cv2.imwrite(str(folder / "table.png"), photographed(on))
    bad = {**spoilt(folder), folder / "cards": "is a folder"}
    words = [*map(str, bad), str(folder / "table.png"), "--deck", str(folder / "d")]
    told = CliRunner().invoke(recognise.command, [*words, "--json"])
    assert told.exit_code == 1
    (result,) = json.loads(told.stdout)
    assert [one["card"] for one in result["cards"]] == ["bee"]
    *lines, last = told.stderr.splitlines()
    assert [line for line, (path, said) in zip(lines, bad.items(), strict=True)
            if not line.startswith(f"{path} ") or said not in line] == []  # fmt: skip
    assert last == f"Error: {len(bad)} of {len(bad) + 1} pictures left out."
    assert "bee" in CliRunner().invoke(recognise.command, words).stdout


def test_bad_pictures_do_not_stop_enrolling(folder: Path) -> None:
    """A deck is made of the good pictures, blank ones are left out, and the exit code reports it."""
    bad = spoilt(folder / "cards")
    cv2.imwrite(str(folder / "cards" / "blank.png"), np.full((352, 252, 3), 240, np.uint8))
    cv2.imwrite(str(folder / "cards" / "cat" / "3.png"), np.full((352, 252, 3), 240, np.uint8))
    words = ["--from", str(folder / "cards"), "--deck", str(folder / "d"), "--json"]
    told = CliRunner().invoke(enrol.command, words)
    assert told.exit_code == 1
    assert json.loads(told.stdout)["cards"] == ["ace", "bee", "cat"] == list(load(folder / "d").cards)
    assert len(load(folder / "d").card("cat").shots) == 2
    for path, said in bad.items():
        assert any(line.startswith(f"{path} ") and said in line for line in told.stderr.splitlines())
    assert "blank, picture 1: it shows nothing. It was left out." in told.stderr
    assert "cat, picture 3: it shows nothing. It was left out." in told.stderr
    assert told.stderr.endswith("Error: 9 of 13 pictures left out.\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_a_sentence(folder: Path) -> None:
    """A file without read permission is left out, and such a folder prevents the deck."""
    (folder / "cards" / "ace.png").chmod(0)
    words = ["--from", str(folder / "cards"), "--deck", str(folder / "d")]
    told = CliRunner().invoke(enrol.command, words)
    assert told.exit_code == 1 and "ace.png cannot be read: Permission denied." in told.stderr
    assert load(folder / "d").cards == ("bee", "cat")
    (folder / "cards" / "cat").chmod(0)
    told = CliRunner().invoke(enrol.command, words)
    (folder / "cards" / "cat").chmod(0o755)
    assert (told.exit_code, told.stderr) == (
        1,
        f"Error: {folder / 'cards' / 'cat'} cannot be read: Permission denied.\n",
    )
