"""Test the first page: a newcomer's choices, printing, checking the machine, and the demonstration."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import Template, TemplateSyntaxError
from werkzeug.test import TestResponse

from companion.findings import sentences
from companion.games import GAMES, GameFolder
from companion.games.examples import hill_and_harbour, twenty_tons
from companion.i18n import LANGUAGES
from tests.support.broken_games import Copies, copies
from tests.support.web.visitors import Room
from web.game_pages import OFFERED, usable_games
from web.plugins.demonstration.beside import Demonstration
from web.views import check, past, setup
from web.words import package, words

__all__ = ["copies"]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """Yield a room with an empty table."""
    with Room(tmp_path) as found:
        yield found


def test_a_broken_game_is_named_with_the_reason_under_check(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check names the folder and the fault in the reader's language; players see only the other games."""
    why = "/games/bad_one/rules.py, line 7: invalid syntax <here>"
    monkeypatch.setattr(check, "BROKEN", (GameFolder("companion.games.bad_one", why),))
    for lang in LANGUAGES:
        page = room.visitor(lang).read("/check")
        assert sentences(lang)("check.services.game.what", folder="bad_one") in page
        assert sentences(lang)("check.services.game.failed", why=why) in page
        start_page = room.visitor(lang).read("/")
        assert words(lang)("start.which") in start_page and "bad_one" not in start_page
    assert "<here>" not in room.anybody.get("/check").text, "what a folder says is text"


def test_a_box_shows_a_picture_of_the_game_s_deck(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each game has one small picture that browsers keep; without one, its box shows the sign."""
    page = room.anybody.read("/")
    covers = re.findall(r'<img class="box-scene" src="(/static/\w+/cover\.webp\?\w+)"', page)
    assert len(covers) == len(OFFERED)
    with room.anybody.get(covers[0]) as answer:
        assert answer.mimetype == "image/webp" and "immutable" in answer.headers["Cache-Control"]
    monkeypatch.setattr(setup, "COVER", "none.webp")
    page = room.anybody.read("/")
    assert "cover.webp" not in page and page.count('class="box-cover" aria-hidden="true"><svg') == len(OFFERED)


def test_a_game_whose_words_cannot_be_read_is_not_offered(copies: Copies) -> None:
    """Only the game with unreadable words is missing."""
    copies.add("bad-words")
    copies.change("words/fr.toml", "game = {", "game = ", "bad-words")
    offered, broken = usable_games(copies.found().games)
    assert list(offered) == ["tried-out"]
    assert [(folder.package, "words/fr.toml: " in folder.why) for folder in broken] == [
        (f"{copies.package}.bad_words", True)
    ]


def test_past_games_are_listed_beside_one_whose_words_cannot_be_read(
    room: Room, copies: Copies, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list shows the name of a game whose words cannot be read."""
    copies.change("words/en.toml", "game = {", "game = ")
    monkeypatch.setitem(GAMES, "tried-out", copies.game())
    with room.app.test_request_context("/past/"):
        assert past.game_title("tried-out") == "tried-out"
        assert past.game_title("take-a-train") == "Take a Train"


def test_a_broken_template_of_one_game_stops_no_page(
    room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The templates are compiled at the start, and one that cannot be read is a line in the log."""
    found = room.app.jinja_env.get_template

    def get_template(name: str) -> Template:
        if name.endswith("sign.html"):
            raise TemplateSyntaxError("no such tag", 3, name)
        return found(name)

    monkeypatch.setattr(room.app.jinja_env, "get_template", get_template)
    room.context.renderer.load_templates()
    assert "sign.html cannot be read" in caplog.text


class Acting(Demonstration):
    """A demonstration that starts no processes."""

    def __init__(self) -> None:
        super().__init__("127.0.0.1")
        self.asked: list[tuple[str, int]] = []
        self.there = False

    def start(self, game: str, players: int) -> None:
        """Record the request."""
        self.asked.append((game, players))
        self.port = 4444

    @property
    def running(self) -> bool:
        """Return whether a demonstration was requested."""
        return bool(self.asked)

    def up(self) -> bool:
        """Return whether the test says that the demonstration is up."""
        return self.there


def test_every_game_stands_there_as_a_box(room: Room) -> None:
    """Each game's box has its drawing, title and tagline, and its number of players, duration, age and weight."""
    for lang in LANGUAGES:
        page = room.visitor(lang).read("/")
        say = words(lang)
        assert len(re.findall(r'<span class="box-cover" aria-hidden="true"><svg', page)) == len(OFFERED)
        for name, game in OFFERED.items():
            own = words(lang, package(game))
            assert f'name="game" value="{name}"' in page
            assert own("game.title") in page and own("game.tagline") in page
            assert say("box.players", players=f"{game.seats[0]}–{game.seats[-1]}") in page
            assert (
                say("box.minutes", minutes=own("game.minutes")) in page and say("box.age", age=own("game.age")) in page
            )
        assert say("box.light") in page and say("box.middling") in page and say("box.deck_dealt") in page


def test_the_first_page_has_this_machines_code(room: Room) -> None:
    """The code contains the address for other devices, but no room's PIN."""
    page = room.anybody.read("/")
    shown = re.search(r'<img class="qr" src="/qr.svg" alt="([^"]+)"', page)
    assert shown is not None and shown[1].startswith("http://") and "room" not in shown[1]
    with room.anybody.get("/qr.svg") as answer:
        assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")


def test_the_first_page_leads_everywhere(room: Room) -> None:
    """The first page links to past games, printing and checking, and each link opens."""
    page = room.anybody.get("/").text
    for where in ("/past/", "/print/", "/check"):
        assert f'href="{where}"' in page
        assert room.anybody.get(where).status_code == 200


def test_a_demonstration_is_offered_where_one_may_be_started(room: Room) -> None:
    """A service offers no demonstration; a companion that a person started does, and leads to it."""
    assert "/demonstration/" not in room.anybody.get("/").text
    assert room.anybody.submit("/demonstration/", {"game": "take-a-train", "players": "4"}).status_code == 409
    acting = room.app.extensions["demonstration"] = Acting()
    assert "/demonstration/" in room.anybody.get("/").text
    answer = room.anybody.submit("/demonstration/", {"game": "take-a-train", "players": "4"})
    assert (answer.status_code, acting.asked) == (303, [("take-a-train", 4)])
    assert 'http-equiv="refresh"' in room.anybody.get("/demonstration/").text
    acting.there = True
    assert room.anybody.get("/demonstration/").headers["Location"] == "http://localhost:4444/stage/"


@pytest.mark.parametrize(("game", "players"), [("chess", "4"), ("take-a-train", "9"), ("take-a-train", "x"), ("", "")])
def test_no_other_demonstration_can_be_asked_for(room: Room, game: str, players: str) -> None:
    """An unknown game or an impossible number of players is refused."""
    acting = room.app.extensions["demonstration"] = Acting()
    assert room.anybody.submit("/demonstration/", {"game": game, "players": players}).status_code == 422
    assert not acting.asked


def test_a_demonstration_that_fails_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A demonstration whose process ends at once is neither running nor up."""
    here = Demonstration("127.0.0.1")
    assert not here.running and not here.up()
    monkeypatch.setattr("web.plugins.demonstration.beside.sys.executable", "/bin/false")
    here.start("take-a-train", 4)
    late = time.monotonic() + 10
    while here.running and time.monotonic() < late:
        time.sleep(0.01)
    assert not here.running and not here.up()
    here.close()


def test_the_machine_is_checked_by_anybody_until_a_game_runs(room: Room) -> None:
    """During a game only the host can check the machine, and the first page has no link to it."""
    assert len(re.findall('class="check-what"', room.anybody.get("/check").text)) > 3
    room.set_up(3)
    assert room.anybody.get("/check").status_code == 409
    assert 'href="/check"' not in room.anybody.get("/").text
    assert room.anybody.get(f"{room.host}check").status_code == 200


def printed_at(room: Room, path: str) -> TestResponse:
    """Return the answer to a printing page's address, once the printer has finished."""
    room.anybody.get(path)
    thread = room.context.printer._thread
    if thread is not None:
        thread.join()
    return room.anybody.get(path)


def test_a_deck_is_printed(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The link gives a PDF from the same command that prints a deck in a terminal."""
    monkeypatch.setitem(OFFERED, twenty_tons.GAME.rules.name, twenty_tons.GAME.rules)
    assert "/print/" in room.anybody.get("/").text
    assert "deck-twenty-tons-a4.pdf" in room.anybody.get("/print/").text
    with printed_at(room, "/print/deck-twenty-tons-a4.pdf") as answer:
        assert (answer.status_code, answer.mimetype, answer.data[:5]) == (200, "application/pdf", b"%PDF-")


def test_sets_without_dividers_are_offered_alone(room: Room) -> None:
    """A game without dividers has links to its sets of cards only."""
    page = room.anybody.get("/print/").text
    assert 'href="cards/express/family-a4.pdf"' in page
    assert "dividers/trains/" in page and "dividers/express/" not in page


def test_some_cards_are_printed(room: Room) -> None:
    """Sets and dividers have links of their own, and chosen numbers of cards lead to a PDF of those cards."""
    page = room.anybody.get("/print/").text
    for path in ("cards/trains/osaka-a4.pdf", "dividers/trains/all-a4.pdf", "choose/trains"):
        assert f'href="{path}"' in page
    assert 'name="landfill"' in room.anybody.get("/print/choose/trains").text
    answer = room.anybody.get("/print/choose/trains?landfill=3&waste=&tunnel=x&moon=2&paper=a4")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/print/cards/trains/landfill=3-a4.pdf")
    with printed_at(room, "/print/cards/trains/landfill=3-a4.pdf") as pdf:
        assert (pdf.status_code, pdf.data[:5]) == (200, b"%PDF-")
    refused = printed_at(room, "/print/cards/trains/moon-a4.pdf")
    assert refused.status_code == 409 and "neither a card nor a set" in refused.text
    for path in ("cards/chess/moon-a4", "cards/trains/a;b-a4", "dividers/trains/all-b7"):
        assert room.anybody.get(f"/print/{path}.pdf").status_code == 404


def test_tokens_are_printed(room: Room) -> None:
    """A game with tokens has links to them; other games and unknown papers have none."""
    page = room.anybody.get("/print/").text
    assert 'href="tokens-take-a-train-letter.pdf"' in page and "tokens-express-" not in page
    with printed_at(room, "/print/tokens-take-a-train-a4.pdf") as pdf:
        assert (pdf.status_code, pdf.data[:5]) == (200, b"%PDF-")
    for path in ("tokens-express-a4", "tokens-take-a-train-b7", "tokens-chess-a4"):
        assert room.anybody.get(f"/print/{path}.pdf").status_code == 404


def test_a_mat_is_printed_without_places_for_tokens(room: Room) -> None:
    """A card mat without places for tokens has fewer pages, and a game without tokens has none."""
    page = room.anybody.get("/print/").text
    assert 'href="card-mat-take-a-train-4-a3.pdf"' in page and "card-mat-game-of-trains" not in page
    sizes = []
    for kind in ("mat", "card-mat"):
        with printed_at(room, f"/print/{kind}-take-a-train-6-a4.pdf") as pdf:
            assert (pdf.status_code, pdf.data[:5]) == (200, b"%PDF-")
            sizes.append(pdf.data.count(b"/Type /Page\n"))
    assert sizes[0] > sizes[1] > 1


def test_coasters_are_printed_where_cards_say_their_place(room: Room) -> None:
    """There is one sheet for each number of players, and a game that needs printed places has none."""
    page = room.anybody.get("/print/").text
    assert 'href="coasters-take-a-train-4-letter.pdf"' in page and "coasters-trains-" not in page
    with printed_at(room, "/print/coasters-take-a-train-4-a4.pdf") as pdf:
        assert (pdf.status_code, pdf.data[:5], pdf.data.count(b"/Type /Page\n")) == (200, b"%PDF-", 1)
    for path in ("coasters-trains-4-a4", "coasters-take-a-train-4-a3", "coasters-take-a-train-9-a4"):
        assert room.anybody.get(f"/print/{path}.pdf").status_code == 404


def test_what_cannot_be_printed_is_said(room: Room) -> None:
    """The printer's own words explain why a mat does not fit its paper, and an unknown game has no page."""
    for path in ("deck-chess-a4.pdf", "deck-take-a-train-b7.pdf", "mat-take-a-train-9-a4.pdf", "mat-../x-4-a4.pdf"):
        assert room.anybody.get(f"/print/{path}").status_code == 404
    settings = room.folder / "companion.toml"
    settings.write_text('[camera]\ncard = "400x600"\n')
    refused = printed_at(room, "/print/mat-take-a-train-6-a4.pdf")
    assert refused.status_code == 409 and "mm" in refused.text


def test_a_board_is_printed(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game has a link for each of its boards, and an unknown board has no page."""
    monkeypatch.setitem(OFFERED, hill_and_harbour.GAME.rules.name, hill_and_harbour.GAME.rules)
    page = room.anybody.get("/print/").text
    assert 'href="board/hill-and-harbour/country-a3.pdf"' in page and "The country" in page
    with printed_at(room, "/print/board/hill-and-harbour/country-a3.pdf") as answer:
        assert (answer.status_code, answer.mimetype, answer.data[:5]) == (200, "application/pdf", b"%PDF-")
    for path in ("hill-and-harbour/moon-a3", "hill-and-harbour/country-b7", "take-a-train/country-a3"):
        assert room.anybody.get(f"/print/board/{path}.pdf").status_code == 404
