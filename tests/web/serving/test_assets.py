"""Test style sheets and scripts: one of each for a kind of page, complete, and cached forever."""

from __future__ import annotations

import gzip
import re
from importlib import resources

import pytest

from tests.support.web.visitors import Room
from tests.web.views.test_pages import pages
from web.serving import assets

WALL = "wall.css"
SELECTED = re.compile(r"\.([a-zA-Z][\w-]*)")


def linked(html: str, ending: str) -> list[str]:
    """Return the addresses of the style sheets or scripts on a page."""
    return re.findall(rf'(?:src|href)="(/static/[^"]+\.{ending})"', html)


def classes(sheet: str) -> set[str]:
    """Return the classes that a style sheet styles."""
    bare = re.sub(r"\{[^{}]*\}", "{}", assets.COMMENT.sub("", sheet))
    return set(SELECTED.findall(bare))


def read_pages(room: Room) -> dict[str, str]:
    """Return every page of HTML by its path."""
    found = {path: room.anybody.get(path) for path in pages(room)}
    return {path: answer.text for path, answer in found.items() if answer.mimetype == "text/html"}


def test_every_page_has_one_sheet_and_one_script(room: Room) -> None:
    """Each page has one sheet and one script: the common ones before a game, with the game's parts during it."""
    room.set_up()
    room.join_all()
    for path, html in read_pages(room).items():
        sheets, scripts = linked(html, "css"), linked(html, "js")
        assert (len(sheets), len(scripts)) == (1, 1), path
        for link in (*sheets, *scripts):
            answer = room.anybody.get(link)
            assert answer.status_code == 200 and answer.headers["Cache-Control"] == assets.FOREVER, link
        assert "+take_a_train" in sheets[0]


def test_no_page_does_without_what_it_shows(room: Room) -> None:
    """No page lacks the styles of a class that it uses, and a page with htmx has its script."""
    room.set_up()
    room.join_all()
    room.begin()
    ours = {file.name: classes(file.read_text()) for file in assets.listed(assets.folders()[""] / "css", ".css")}
    for path, html in read_pages(room).items():
        group = linked(html, "css")[0].removeprefix(assets.WHERE).split(".")[0].split("+")[0]
        there = set().union(*[found for name, found in ours.items() if name not in assets.LEFT_OUT[group]])
        shown = {each for found in re.findall(r'class="([^"]*)"', html) for each in found.split()}
        left_out = assets.LEFT_OUT[group] - (set() if "wall" in shown else {WALL})
        spared = set().union(*[found for name, found in ours.items() if name in left_out]) - there
        assert not shown & spared, (path, shown & spared)
        body = html.partition("<body")[2]
        assert " hx-" not in body or "htmx.min.js" not in assets.LEFT_OUT[group], path


def outermost(sheet: str) -> list[str]:
    """Return the selectors of a style sheet's top-level rules."""
    found, around = [], list[str]()
    for head, mark in re.findall(r"([^{};]*)([{};])", assets.COMMENT.sub("", sheet)):
        if mark == "{":
            if all(each.startswith("@") for each in around) and not head.strip().startswith("@"):
                found.append(head.strip())
            around.append(head.strip())
        elif mark == "}":
            around.pop()
    return found


def test_what_dresses_the_table_s_page_dresses_no_other() -> None:
    """Sheets for the table's page, the common ones and the games', style nothing else, so that seats' pages omit
    them."""
    sheets = [place / ("" if folder else "css") / WALL for folder, place in assets.folders().items()]
    rules = [rule for sheet in sheets if sheet.is_file() for rule in outermost(sheet.read_text(encoding="utf-8"))]
    assert rules
    assert [rule for rule in rules if ".wall" not in rule] == []


def test_comments_stay_with_their_authors_and_quotes_as_they_are() -> None:
    """Comments are removed, even at the end of a line, and similar texts in quotes are kept."""
    assert assets.lean("  a(1); // why\n// all of it\n\n  b();") == "a(1);\nb();"
    for line in ('say("x; // y");', "go(`http://${host}; // z`);", 'ask("it\'s"); // the "?" of it', "a = b // c;"):
        assert assets.lean(line) == line


def test_what_is_left_out_is_there() -> None:
    """Every file that a group of pages omits exists, so that no name is misspelt."""
    ours = assets.folders()[""]
    there = {file.name for folder in ("css", "js", "vendor") for file in (ours / folder).iterdir()}
    assert set().union(*assets.LEFT_OUT.values()) <= there
    assert set(assets.GROUP_OF.values()) <= set(assets.LEFT_OUT)


def test_a_sheet_brings_letters_and_pictures_with_their_hash(room: Room) -> None:
    """All fonts and pictures of a style sheet exist at addresses with a hash, and are cached forever."""
    sheet = room.anybody.get(linked(room.anybody.get("/").text, "css")[0]).text
    found = re.findall(r'url\("(/static/[^"#]+)', sheet)
    assert len([each for each in found if "woff2" in each]) == 2 and any("train.svg" in each for each in found)
    for each in found:
        with room.anybody.get(each) as answer:
            assert answer.status_code == 200 and answer.headers["Cache-Control"] == assets.FOREVER, each
    with room.anybody.get(found[0].partition("?")[0] + "?0123456789") as older:
        assert "immutable" not in older.headers["Cache-Control"]


def test_an_older_address_gets_what_there_is_now(room: Room) -> None:
    """A page from before an update gets the current sheet, which its browser does not cache."""
    now = linked(room.anybody.get("/").text, "css")[0]
    older = re.sub(r"\.[0-9a-f]{16}\.", ".0123456789abcdef.", now)
    answer = room.anybody.get(older)
    assert answer.data == room.anybody.get(now).data
    assert answer.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("name", ["plain.css", "nonsense.0123456789abcdef.css", "live+nothing.0123456789abcdef.css",
                                  "live+trains+trains.0123456789abcdef.css", "live+trains.0123456789abcdef.js",
                                  "live.0123456789ABCDEF.css", "live.0123456789abcdef.html"])  # fmt: skip
def test_nothing_else_is_joined(room: Room, name: str) -> None:
    """The server joins no files for an unknown name."""
    assert room.anybody.get(assets.WHERE + name).status_code == 404


def test_a_joined_file_comes_compressed_where_it_can_be_unpacked(room: Room) -> None:
    """The compressed and the plain file have the same content and their own ETags, and a matching ETag gets no
    content."""
    link = linked(room.anybody.get("/").text, "js")[0]
    plain, packed = room.anybody.get(link), room.anybody.get(link, **{"Accept-Encoding": "br, gzip"})
    refused = room.anybody.get(link, **{"Accept-Encoding": "gzip;q=0"})
    assert gzip.decompress(packed.data) == plain.data == refused.data
    assert packed.headers["Content-Encoding"] == "gzip" and "Content-Encoding" not in plain.headers
    assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"
    assert packed.headers["ETag"] != plain.headers["ETag"]
    again = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
    assert (room.anybody.get(link, **again).status_code, room.anybody.get(link, **again).data) == (304, b"")
    head = room.anybody.client.head(link, headers={"Accept-Encoding": "gzip"})
    assert (head.data, head.headers["Content-Length"]) == (b"", str(len(packed.data)))


def test_our_scripts_stay_strict_and_apart() -> None:
    """Each of our scripts is a separate function whose error stops no other, and third-party scripts are unchanged."""
    ours = resources.files("web").joinpath("static")
    whole = assets.joined(assets.WHOLE, (), assets.SCRIPT).plain.decode()
    scripts = assets.listed(ours / "js", ".js")
    assert whole.count('try{(()=>{\n"use strict";') == len(scripts)
    assert (ours / "vendor" / "htmx.min.js").read_text() in whole


def test_a_file_by_another_name_is_not_remembered(room: Room) -> None:
    """A name with dots leads to the same file, is neither cached forever nor remembered, and never fails."""
    remembered = assets.hashed.cache_info().currsize
    for path in ("/static/img/./sprite.svg", "/static/img/././sprite.svg", "/static/nowhere/../img/sprite.svg"):
        answer = room.anybody.client.get(f"{path}?0123456789")
        assert answer.status_code in (200, 404) and "immutable" not in answer.headers.get("Cache-Control", "")
        answer.close()
    assert assets.hashed.cache_info().currsize == remembered
