"""Test all pages: headers, languages, and sentences instead of tracebacks."""

from __future__ import annotations

import re

import pytest

from companion.engine import COLOURS, SHAPES
from companion.i18n import LANGUAGES
from tests.support.web.visitors import Room, said
from web.words import words

GAMES_OWN = ("ui", "option", "correct", "kind", "game", "score", "amend", "sheet")
"""The sections of words that every game provides for the common pages."""
INLINE = re.compile(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=|javascript:")


def pages(game: Room) -> list[str]:
    """Return one page of each kind."""
    return [
        "/",
        "/join",
        f"/join?room={game.pin}",
        "/host",
        "/past/",
        game.host,
        game.seats[0],
        (tablet := game.page("tablet")),
        tablet + "hand",
        tablet + "qr.svg",
        game.page("watch"),
        "/nowhere",
        "/s/nobody/",
    ]


def test_every_page_is_strict(game: Room) -> None:
    """Every page, including errors, has the content policy and the other headers, and is never cached."""
    for path in pages(game):
        headers = game.anybody.get(path).headers
        assert headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"
        assert "camera=()" in headers["Permissions-Policy"]


def test_no_other_window_holds_a_page_where_a_browser_can_see_to_it(room: Room) -> None:
    """Pages over HTTPS or on this machine have the header against other windows; over HTTP browsers would only warn."""
    name = "Cross-Origin-Opener-Policy"
    assert room.anybody.get("/", **{"Sec-Fetch-Mode": "navigate"}).headers[name] == "same-origin"
    assert room.anybody.client.get("/", base_url="https://localhost").headers[name] == "same-origin"
    assert name not in room.anybody.get("/").headers


def test_pages_are_there_before_anything_is_set_up(room: Room) -> None:
    """On an empty table every page without a match answers, and pages of a match say that there is none."""
    for path in ("/", "/join", "/host", "/past/", "/print/", "/check"):
        answer = room.anybody.get(path)
        assert answer.status_code in (200, 302, 303, 403), path
    joining = room.anybody.get("/join")
    assert words("en")("error.no_match") in said(joining) and 'href="/"' in joining.text
    assert 'name="room"' not in joining.text


@pytest.mark.parametrize("kind", ["", "open"])
def test_no_page_has_code_or_style_in_it(room: Room, kind: str) -> None:
    """No page contains inline scripts or styles, which the content policy forbids."""
    room.set_up(deck="ours" if kind else "dealt")
    room.join_all()
    room.begin(kind)
    for path in pages(room):
        found = INLINE.search(room.anybody.get(path).text)
        assert found is None, (path, found)


def test_static_files_are_served_and_kept(game: Room) -> None:
    """Every linked file exists on this machine and can be cached."""
    html = game.anybody.get(game.seats[0]).text
    links = re.findall(r'(?:src|href)="(/static/[^"#]+)', html)
    assert any(link.endswith(".js") for link in links) and any(link.endswith(".css") for link in links)
    for link in set(links):
        with game.anybody.get(link) as answer:
            assert answer.status_code == 200, link
    assert not re.findall(r'(?:src|href)="https?:', html)


def test_language_is_the_devices_own(room: Room) -> None:
    """A French phone reads French, and the switch changes the language of that device only."""
    room.set_up(edition="en")
    english, french = room.visitor("en"), room.visitor("fr-CH, fr;q=0.9")
    assert '<html lang="en"' in english.get("/").text and '<html lang="fr"' in french.get("/").text
    assert words("fr")("start.join") in french.get("/").text
    assert french.submit("/preferences", {"lang": "en", "back": "/join"}).headers["Location"] == "/join"
    assert '<html lang="en"' in french.get("/").text
    assert french.submit("/preferences", {"theme": "dark"}).status_code == 303
    assert 'data-theme="dark"' in french.get("/").text


@pytest.mark.parametrize("back", ["//evil.example/", "https://evil.example/", "/\\evil.example", "nonsense"])
def test_preferences_lead_nowhere_else(room: Room, back: str) -> None:
    """The language switch returns only to a page of this server."""
    assert room.anybody.submit("/preferences", {"lang": "fr", "back": back}).headers["Location"] == "/"


@pytest.mark.parametrize("path", ["/nowhere", "/s/abc/", "/h/abc/", "/t/abc/", "/w/abc/stream", "/past/9/", "/past/x/"])
def test_what_is_not_there_is_said(room: Room, path: str) -> None:
    """A wrong address is answered with a sentence in the reader's language and no traceback."""
    answer = room.visitor("fr").get(path)
    assert answer.status_code == 404
    assert "Traceback" not in answer.text and said(answer).endswith(".")


def test_too_much_is_refused(game: Room) -> None:
    """A request above 64 KB is not read."""
    answer = game.anybody.say(game.seats[0], "bid", amount="9" * 70_000)
    assert answer.status_code == 413
    assert said(answer) == words("en")("error.too_big")


def test_an_error_of_ours_is_a_sentence(
    game: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An unexpected error is answered with a sentence, and the log contains no page's address."""
    token = game.anybody.token(game.seats[0])
    monkeypatch.setattr(game.table, "propose", lambda *_: 1 // 0)
    answer = game.anybody.client.post(
        game.seats[0] + "propose", data={"csrf": token, "event": "passed"}, headers={"HX-Request": "true"}
    )
    assert answer.status_code == 500
    assert said(answer) == words("en")("error.broken")
    assert "ZeroDivisionError" in caplog.text
    assert game.seats[0].strip("/").split("/")[1] not in caplog.text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_colour_and_shape_has_a_name(lang: str) -> None:
    """Each colour and shape has a name in the common words."""
    assert set(words(lang).section("colour")) == set(COLOURS)
    assert set(words(lang).section("shape")) == set(SHAPES)


def test_every_sentence_is_there_in_every_language() -> None:
    """Both languages have the same keys, which include every key in the code and the pages."""
    from importlib import resources

    keys = [frozenset(words(lang).sentences) for lang in LANGUAGES]
    assert keys[0] == keys[1]
    used: set[str] = set()
    root = resources.files("web")
    texts = [file.read_text() for file in root.iterdir() if file.name.endswith(".py")]
    for folder in (root / "templates", root / "templates" / "regions"):
        texts += [file.read_text() for file in folder.iterdir() if file.name.endswith(".html")]
    for text in texts:
        used |= set(re.findall(r"""words\((?:language\(\)\)\()?"([a-z_]+\.[a-z_.]+)"[,)]""", text))
        used |= set(re.findall(r"""(?:Unfit|Gone|say|page_of)\("([a-z_]+\.[a-z_]+)\"""", text))
    ours = {key for key in used if key.partition(".")[0] not in GAMES_OWN and key != "advice.blind"}
    assert len(ours) > 80
    assert ours <= keys[0], ours - keys[0]
