"""Lists saved by real programs and people contain exactly the expected names."""

from __future__ import annotations

import pytest

from companion.hall.tournament.list_text import PlayerListError
from companion.hall.tournament.player_list import ListChoice, read_list

REAL = {
    "a spreadsheet's hint": (
        b"\xef\xbb\xbfsep=;\r\nName;Club\r\nAda Falk;Ost\r\nBo Lund;S\xc3\xbcd\r\n",
        "Ada Falk, Bo Lund",
    ),
    "a French club's export": (
        "Référence;Nom;Prénom;Date;Statut\n1001;Petit;Zoé;01/09/2026;Validé\n1002;Petit;Luc;01/09/2026;Validé\n",
        "Zoé Petit, Luc Petit",
    ),
    "tickets": (
        "Order #,Order Date,First Name,Last Name,Email,Quantity\n55,2026-09-01,Ana,Kim,a@example.org,1\n"
        "56,2026-09-01,Rob,Hay,b@example.org,1\n",
        "Ana Kim, Rob Hay",
    ),
    "German columns": ("Nr;Nachname;Vorname;Verein\n1;Meier;Eva;SC\n2;Hofer;Max;SC\n", "Eva Meier, Max Hofer"),
    "family name, comma, given name": (
        "Casale, Marco\nAriosto, Carlo\nDe Vri, Ben\n",
        "Marco Casale, Carlo Ariosto, Ben De Vri",
    ),
    "UTF-16 with its mark": (
        "\ufeffName\tClub\r\nAda Falk\tOst\r\nJürgen Groß\tSüd\r\n".encode("utf-16-le"),
        "Ada Falk, Jürgen Groß",
    ),
    "Italian columns": (
        "Cognome;Nome;Circolo\nBianchi;Mario;Roma\nBianchi;Lucia;Roma\n",
        "Mario Bianchi, Lucia Bianchi",
    ),
    "a heading of two words": ("Pos,Player Name,Score\n1,Ana Kim,3\n2,Rob Hay,2\n", "Ana Kim, Rob Hay"),
    "a form's answers": (
        "Horodateur,Nom et prénom,E-mail\n01/09/2026 10:00,Ana Kim,a@x.org\n01/09/2026 10:05,Rob Hay,b@x.org\n",
        "Ana Kim, Rob Hay",
    ),
    "quotation marks within a cell": ('Name,Nick\nAda "Ace" Falk,x\nBo Lund,"The "Rock""\n', 'Ada "Ace" Falk, Bo Lund'),
    "spaces that nobody sees": (
        "Ada\u00a0Falk\nBo\u200bLund\n\ufeffCy Meier\nDana\u200e\n",
        "Ada Falk, Bo Lund, Cy Meier, Dana",
    ),
    "long names": (
        "Jean-Baptiste Grandpierre-Lefèvre\nWIM Anne-Marie Smith-Jones\nBo Lund\n",
        "Jean-Baptiste Grandpierre-Lefèvre, WIM Anne-Marie Smith-Jones, Bo Lund",
    ),
    "strokes": ("Name|Club\nAda|Ost\nBo|Süd\n", "Ada, Bo"),
    "a sum": ("Name;Betrag\nAda;5,00\nBo;5,00\nSumme;10,00\n", "Ada, Bo"),
    "pasted from a spreadsheet": ("Ada\tFalk\nBo\tLund\nAda\tLund\n", "Ada Falk, Bo Lund, Ada Lund"),
    "capitals and a space in the heading": ("ID,NAME ,Paid\n1,Ana Kim,yes\n2,Rob Hay,no\n", "Ana Kim, Rob Hay"),
    "given name first": ("Prénom,Nom\nZoé,Petit\nLuc,Petit\n", "Zoé Petit, Luc Petit"),
    "cells of several lines": ('Name,Note\n"Ada\nFalk","x"\nBo,"line 1\nline 2"\n', "Ada Falk, Bo"),
    # Further shapes of the same kinds
    "a data set's headings": ("playerid,fname,lname\n7,Ana,Kim\n8,Rob,Hay\n", "Ana Kim, Rob Hay"),
    "a title above the heading": (
        "Summer cup 2026;;\n;;\nName;Vorname;Club\nMeier;Eva;SC\nHofer;Max;SC\n",
        "Eva Meier, Max Hofer",
    ),
    "a title above names": ("Summer cup 2026\n\nAda Falk\nBo Lund\n", "Ada Falk, Bo Lund"),
    "the payer beside the player": (
        "Nom participant;Prénom participant;Nom payeur;Prénom payeur\nPetit;Zoé;Roux;Ève\nPetit;Luc;Roux;Ève\n",
        "Zoé Petit, Luc Petit",
    ),
    "a heading nobody knows": ("Kuka;Pisteet\nAda Falk;3\nBo Lund;2\n", "Ada Falk, Bo Lund"),
    "numbered by hand": ("1. Ada Falk\n2. Bo Lund\n10. Cy\n", "Ada Falk, Bo Lund, Cy"),
    "with dots": ("- Ada Falk\n- Bo Lund\n", "Ada Falk, Bo Lund"),
    "all on one line": ("Ada, Bo, Cy\n", "Ada, Bo, Cy"),
    "each in quotation marks": ('"Ada Falk"\n"Bo ""Ace"" Lund"\n', 'Ada Falk, Bo "Ace" Lund'),
    "numbers first": ("1;Ada Falk;5,00\n2;Bo Lund;5,00\n", "Ada Falk, Bo Lund"),
    "addresses of mail first": ("a@example.org,Ada,Falk\nb@example.org,Bo,Lund\n", "Ada Falk, Bo Lund"),
    "French totals": ("Nom;Payé\nAda;5,00\nTotal général;5,00\n;5,00\n", "Ada"),
    "full names in Spanish": ("Nombre y apellidos;Club\nAna Gómez;A\nLuz Gil;B\n", "Ana Gómez, Luz Gil"),
    "Spanish columns": ("Nombre;Apellidos\nAna;Gómez Ruiz\nLuz;Gil\n", "Ana Gómez Ruiz, Luz Gil"),
    "a comma in a heading's column": (
        'Name;Club\nFalk, Ada;Ost\n"Lund, Bo";Süd\nCher;Ost\n',
        "Ada Falk, Bo Lund, Cher",
    ),
}


@pytest.mark.parametrize(("data", "names"), REAL.values(), ids=REAL)
def test_a_real_list_gives_its_people(data: bytes | str, names: str) -> None:
    """A real list gives its players in order, with first and family names joined and other lines left out."""
    read = read_list(data.encode() if isinstance(data, str) else data)
    assert ", ".join(read.names) == names
    assert not read.faults and not read.encodings


@pytest.mark.parametrize(
    ("text", "written", "others"),
    [
        ("Imię i nazwisko;Klub\nŁukasz Żuk;A\nMałgosia Wiśnia;B\nJiří Dvorský;C\n", "cp1250", set()),
        ("氏名,クラブ\n佐藤 花,東京\n鈴木 一,大阪\n表 太,京都\n", "cp932", {"gb18030"}),
        ("Name\tClub\r\nAda Falk\tOst\r\n", "utf-16-le", set()),
        ("Prénom;Nom\nThérèse;Petit\nZoé;Roux\n", "cp1252", {"cp1250"}),
        ("Имя\nИван Петров\nОльга Сидорова\n", "cp1251", {"cp1252"}),
        ("Ad Soyad\nİpek Şahin\nIşık Çağlar\n", "cp1254", {"cp1252"}),
        ("Prénom,Nom\nÉlodie,Müller\n", "mac_roman", set()),
        ("姓名\n李小龙\n王伟\n", "gb18030", set()),
        ("이름\n김철수\n이영희\n", "cp949", {"gb18030"}),
    ],
)
def test_an_encoding_in_doubt_is_asked(text: str, written: str, others: set[str]) -> None:
    """If the encoding is ambiguous, no name is read until one is chosen, and then all names are right."""
    data = text.encode(written)
    asked = read_list(data)
    assert asked.names == () and {written, *others} <= set(asked.encodings)
    chosen = read_list(data, choice=ListChoice(written))
    assert chosen.names == read_list(text.encode()).names and chosen.encoding == written
    assert set(asked.encodings[written]) <= set(chosen.names) and chosen.encodings == asked.encodings
    assert read_list(data, choice=ListChoice("rot13")).names == ()


def test_letters_that_all_encodings_share_are_not_asked() -> None:
    """If all likely encodings give the same names, no choice is offered."""
    assert read_list("Zoë\nJürgen Groß\n".encode("cp1252")).names == ("Zoë", "Jürgen Groß")


def test_what_is_left_out_is_said_and_can_be_kept() -> None:
    """Lines that are left out are listed and can be kept, because a player may be called Summe."""
    data = b"Cup 2026;\nName;Euro\nAda;5\nKnown One;5\nSumme;10\n"
    read = read_list(data, ["known one"])
    assert [(each.line, each.text, each.key.rpartition(".")[2]) for each in read.left_out] == [
        (1, "Cup 2026", "title"),
        (2, "Name · Euro", "heading"),
        (4, "Known One · 5", "known"),
        (5, "Summe · 10", "sum"),
    ]
    kept = read_list(data, ["known one"], ListChoice(kept=(1, 5)))
    assert kept.names == ("Cup 2026", "Ada", "Summe") and kept.left_out == read.left_out


def test_columns_are_proposed_and_can_be_chosen() -> None:
    """Columns for the name and family name are proposed and can be changed."""
    data = "Nom;Prénom;Surnom\nPetit;Zoé;Ace\nRoux;Luc;Bo\n".encode()
    read = read_list(data)
    assert (read.headings, read.column, read.family) == (("Nom", "Prénom", "Surnom"), 1, 0)
    assert (read.names, read.families) == (("Zoé Petit", "Luc Roux"), ("Petit", "Roux"))
    chosen = read_list(data, choice=ListChoice(column=2, family=-1))
    assert (chosen.names, chosen.families) == (("Ace", "Bo"), ("", ""))


def test_all_faulty_lines_are_named_at_once_and_can_be_mended() -> None:
    """All faulty lines are listed at once, and each can be corrected or emptied."""
    data = f"Ada\n{'x' * 41}\nA\u202ea\nADA\nАda\nBo\n".encode()
    read = read_list(data)
    assert [(each.line, each.key) for each in read.faults] == [
        (2, "hall.fault.list_long"), (3, "hall.fault.list_unseen"), (4, "hall.fault.list_twice"),
        (5, "hall.fault.list_alike"),
    ]  # fmt: skip
    assert read.faults[2].fields == {"line": 4, "name": "ADA", "first": 1}
    mended = read_list(data, choice=ListChoice(typed={2: " Xaver ", 3: "", 4: "Ada B.", 5: "Adam"}))
    assert mended.names == ("Ada", "Xaver", "Ada B.", "Adam", "Bo") and not mended.faults


@pytest.mark.parametrize("data", [b"Name;Club\n", b"Cup 2026\nName\n", b"", b" \n;;\n"])
def test_a_list_of_nobody_is_refused(data: bytes) -> None:
    """A list with only a heading is refused."""
    with pytest.raises(PlayerListError, match="list_empty"):
        read_list(data)
