"""The first page: what a newcomer can do; printing, checking the machine, watching a demonstration."""

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
    """Give a room with an empty table."""
    with Room(tmp_path) as found:
        yield found


def test_a_broken_game_is_named_with_the_reason_under_check(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which folder, and why, in the reader's language; players read nothing of it and can play everything else."""
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
    """One small file a game, kept for good; its sign is below, and all that a game has that draws none."""
    page = room.anybody.read("/")
    covers = re.findall(r'<img class="box-scene" src="(/static/\w+/cover\.webp\?\w+)"', page)
    assert len(covers) == len(OFFERED)
    with room.anybody.get(covers[0]) as answer:
        assert answer.mimetype == "image/webp" and "immutable" in answer.headers["Cache-Control"]
    monkeypatch.setattr(setup, "COVER", "none.webp")
    page = room.anybody.read("/")
    assert "cover.webp" not in page and page.count('class="box-cover" aria-hidden="true"><svg') == len(OFFERED)


def test_a_game_whose_words_cannot_be_read_is_not_offered(copies: Copies) -> None:
    """All others are."""
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
    """It goes by its name."""
    copies.change("words/en.toml", "game = {", "game = ")
    monkeypatch.setitem(GAMES, "tried-out", copies.game())
    with room.app.test_request_context("/past/"):
        assert past.game_title("tried-out") == "tried-out"
        assert past.game_title("take-a-train") == "Take a Train"


def test_a_broken_template_of_one_game_stops_no_page(
    room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """All templates are compiled at the start; one that cannot be read is a line in the log."""
    found = room.app.jinja_env.get_template

    def get_template(name: str) -> Template:
        if name.endswith("sign.html"):
            raise TemplateSyntaxError("no such tag", 3, name)
        return found(name)

    monkeypatch.setattr(room.app.jinja_env, "get_template", get_template)
    room.context.renderer.load_templates()
    assert "sign.html cannot be read" in caplog.text


class Acting(Demonstration):
    """A demonstration without processes."""

    def __init__(self) -> None:
        super().__init__("127.0.0.1")
        self.asked: list[tuple[str, int]] = []
        self.there = False

    def start(self, game: str, players: int) -> None:
        """Take note of what is asked for."""
        self.asked.append((game, players))
        self.port = 4444

    @property
    def running(self) -> bool:
        """Whether one was asked for."""
        return bool(self.asked)

    def up(self) -> bool:
        """Whether it is said to be up."""
        return self.there


def test_every_game_stands_there_as_a_box(room: Room) -> None:
    """With its drawing, its title and one line about it, for how many, how long, from which age and how heavy."""
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
    """Its address, which other devices open; there is no room yet."""
    page = room.anybody.read("/")
    shown = re.search(r'<img class="qr" src="/qr.svg" alt="([^"]+)"', page)
    assert shown is not None and shown[1].startswith("http://") and "room" not in shown[1]
    with room.anybody.get("/qr.svg") as answer:
        assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")


def test_the_first_page_leads_everywhere(room: Room) -> None:
    """Past games, printing and checking are one tap away, and each of them opens."""
    page = room.anybody.get("/").text
    for where in ("/past/", "/print/", "/check"):
        assert f'href="{where}"' in page
        assert room.anybody.get(where).status_code == 200


def test_a_demonstration_is_offered_where_one_may_be_started(room: Room) -> None:
    """A service on a Raspberry Pi starts none; a companion that a person started does, and leads there."""
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
    """Neither a game that is not here nor a number of players that it is not for."""
    acting = room.app.extensions["demonstration"] = Acting()
    assert room.anybody.submit("/demonstration/", {"game": game, "players": players}).status_code == 422
    assert not acting.asked


def test_a_demonstration_that_fails_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A process that ends at once is not up, not running, and may be started again."""
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
    """Then the check is the host's, and the first page leads to it no more."""
    assert len(re.findall('class="check-what"', room.anybody.get("/check").text)) > 3
    room.set_up(3)
    assert room.anybody.get("/check").status_code == 409
    assert 'href="/check"' not in room.anybody.get("/").text
    assert room.anybody.get(f"{room.host}check").status_code == 200


def printed_at(room: Room, path: str) -> TestResponse:
    """Return what a page of the printer leads to in the end."""
    room.anybody.get(path)
    thread = room.context.printer._thread
    if thread is not None:
        thread.join()
    return room.anybody.get(path)


def test_a_deck_is_printed(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's link gives a PDF, made by the same command that prints one in a terminal."""
    monkeypatch.setitem(OFFERED, twenty_tons.GAME.rules.name, twenty_tons.GAME.rules)
    assert "/print/" in room.anybody.get("/").text
    assert "deck-twenty-tons-a4.pdf" in room.anybody.get("/print/").text
    with printed_at(room, "/print/deck-twenty-tons-a4.pdf") as answer:
        assert (answer.status_code, answer.mimetype, answer.data[:5]) == (200, "application/pdf", b"%PDF-")


def test_sets_without_dividers_are_offered_alone(room: Room) -> None:
    """A game that draws no dividers has links to its sets of cards, and none to dividers."""
    page = room.anybody.get("/print/").text
    assert 'href="cards/express/family-a4.pdf"' in page
    assert "dividers/trains/" in page and "dividers/express/" not in page


def test_some_cards_are_printed(room: Room) -> None:
    """Sets and dividers have their own links; numbers of cards lead to a PDF of these alone."""
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
    """A game that draws its tokens has links to them; of other games and papers there are none."""
    page = room.anybody.get("/print/").text
    assert 'href="tokens-take-a-train-letter.pdf"' in page and "tokens-express-" not in page
    with printed_at(room, "/print/tokens-take-a-train-a4.pdf") as pdf:
        assert (pdf.status_code, pdf.data[:5]) == (200, b"%PDF-")
    for path in ("tokens-express-a4", "tokens-take-a-train-b7", "tokens-chess-a4"):
        assert room.anybody.get(f"/print/{path}.pdf").status_code == 404


def test_a_mat_is_printed_without_places_for_tokens(room: Room) -> None:
    """A smaller camera reads the cards of this mat; a game without tokens has no such mat."""
    page = room.anybody.get("/print/").text
    assert 'href="card-mat-take-a-train-4-a3.pdf"' in page and "card-mat-game-of-trains" not in page
    sizes = []
    for kind in ("mat", "card-mat"):
        with printed_at(room, f"/print/{kind}-take-a-train-6-a4.pdf") as pdf:
            assert (pdf.status_code, pdf.data[:5]) == (200, b"%PDF-")
            sizes.append(pdf.data.count(b"/Type /Page\n"))
    assert sizes[0] > sizes[1] > 1


def test_coasters_are_printed_where_cards_say_their_place(room: Room) -> None:
    """One sheet for each number of players; a game that needs printed places has none."""
    page = room.anybody.get("/print/").text
    assert 'href="coasters-take-a-train-4-letter.pdf"' in page and "coasters-trains-" not in page
    with printed_at(room, "/print/coasters-take-a-train-4-a4.pdf") as pdf:
        assert (pdf.status_code, pdf.data[:5], pdf.data.count(b"/Type /Page\n")) == (200, b"%PDF-", 1)
    for path in ("coasters-trains-4-a4", "coasters-take-a-train-4-a3", "coasters-take-a-train-9-a4"):
        assert room.anybody.get(f"/print/{path}.pdf").status_code == 404


def test_what_cannot_be_printed_is_said(room: Room) -> None:
    """A mat that is larger than its paper allows is refused in the printer's own words; another game is not here."""
    for path in ("deck-chess-a4.pdf", "deck-take-a-train-b7.pdf", "mat-take-a-train-9-a4.pdf", "mat-../x-4-a4.pdf"):
        assert room.anybody.get(f"/print/{path}").status_code == 404
    settings = room.folder / "companion.toml"
    settings.write_text('[camera]\ncard = "400x600"\n')
    refused = printed_at(room, "/print/mat-take-a-train-6-a4.pdf")
    assert refused.status_code == 409 and "mm" in refused.text


def test_a_board_is_printed(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game with a board has a link for each of its boards; a board that it does not have is not here."""
    monkeypatch.setitem(OFFERED, hill_and_harbour.GAME.rules.name, hill_and_harbour.GAME.rules)
    page = room.anybody.get("/print/").text
    assert 'href="board/hill-and-harbour/country-a3.pdf"' in page and "The country" in page
    with printed_at(room, "/print/board/hill-and-harbour/country-a3.pdf") as answer:
        assert (answer.status_code, answer.mimetype, answer.data[:5]) == (200, "application/pdf", b"%PDF-")
    for path in ("hill-and-harbour/moon-a3", "hill-and-harbour/country-b7", "take-a-train/country-a3"):
        assert room.anybody.get(f"/print/board/{path}.pdf").status_code == 404
