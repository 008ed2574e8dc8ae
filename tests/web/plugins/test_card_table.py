"""Test the card table, a page that moves the cards of a rendered table; a double of the service moves them."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from companion.games.take_a_train.rules import RULES
from companion.messages import RENDERED, CardLaid, Message, Sighted
from tests.support.web.camera_double import PATIENCE, Camera, Seeing, seated
from tests.support.web.visitors import said
from web.presenters.card_moves import cards_to_turn_up
from web.words import words

EN = words("en")
PLACES = [place.name for place in RULES.places(3)]


class Drawn(Camera):
    """A double of the service above a rendered table: its hand moves at once, or later if `moving` says so."""

    kind = RENDERED

    def __init__(self, path: Path, shelf: Path) -> None:
        self.lain: list[dict[str, str]] = []
        self.moving = 0
        self.places = PLACES
        self.moved: list[CardLaid] = []
        self.expected = 1
        self.done = threading.Event()
        super().__init__(path, shelf)

    def live(self, state: Any = None) -> None:
        """Report that the service is alive and its table is rendered."""
        self.client.send(self.health())
        self.client.send(Sighted(time.monotonic_ns(), 1))

    def heard(self, message: Message) -> None:
        """Move a card, or answer a question."""
        if not isinstance(message, CardLaid):
            super().heard(message)
            return
        self.moved.append(message)
        if message.source:
            self.lain.remove(next(e for e in self.lain if (e["place"], e["card"]) == (message.source, message.card)))
        if message.place:
            self.lain.append({"place": message.place, "card": message.card, "face": message.face})
        if len(self.moved) >= self.expected:
            self.done.set()

    def _do_lying(self) -> dict[str, Any] | str:
        return {"cards": self.lain, "moving": self.moving, "places": self.places}


@pytest.fixture
def seeing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Seeing]:
    """Yield three people around a table of printed cards, without a camera yet."""
    with seated(tmp_path, monkeypatch) as room:
        yield room


@pytest.fixture
def drawn(seeing: Seeing) -> Drawn:
    """Return the service of a rendered table."""
    heard = threading.Event()
    seeing.board.camera_link.listen_to_readings(lambda sighted: heard.set())
    camera = Drawn(seeing.board.bus.path, seeing.context.frames)
    seeing.cameras.append(camera)
    assert heard.wait(PATIENCE)
    return camera


def do(room: Seeing, what: str, page: str = "", **form: str) -> TestResponse:
    """Press a button of the card table."""
    return room.anybody.tap(page or room.host, "laying", {"do": what, **form})


def waited(camera: Drawn, count: int) -> list[CardLaid]:
    """Wait for this many moves of the hand, and return them."""
    camera.done.clear()
    camera.expected = count
    assert len(camera.moved) >= count or camera.done.wait(PATIENCE)
    return camera.moved


def chips(room: Seeing) -> list[tuple[str, str, str]]:
    """Return the place, name and mismatch of each card on the card table."""
    board = room.anybody.read(room.host + "laying/board")
    found = re.findall(
        r'class="card-table-card (.*?)" data-card-table-card="([^"]+)" data-face="\w+" data-source="([^"]*)"', board
    )
    odd = {name: next((o for o in ("extra", "missing") if o in look.split()), "") for look, name, _ in found}
    return [(source, name, odd[name]) for _, name, source in found]


def test_pages_lead_to_the_card_table_where_the_table_is_rendered(seeing: Seeing, drawn: Drawn) -> None:
    """The host's and the camera's pages link to the card table, the shared tablet has it too, and seats and
    spectators do not."""
    assert 'href="laying"' in seeing.anybody.get(seeing.host).text
    tablet = seeing.page("tablet")
    for page in (seeing.host, tablet):
        assert 'href="laying"' in seeing.anybody.get(page + "camera").text
        assert EN("card_table.note") in seeing.anybody.read(page + "laying")
    for page in (seeing.seats[0], seeing.page("watch")):
        assert seeing.anybody.get(page + "laying").status_code == 404
        assert seeing.anybody.get(page + "laying/board").status_code == 404


def test_a_real_table_has_no_card_table(seeing: Seeing) -> None:
    """For a real table no page links to the card table, which has no cards and moves nothing."""
    camera = seeing.camera()
    camera.refuse["lying"] = "unknown"
    for page in ("", "camera"):
        assert 'href="laying"' not in seeing.anybody.get(seeing.host + page).text
    page = seeing.anybody.read(seeing.host + "laying")
    assert EN("card_table.absent") in page and "data-card-table" not in page
    answer = do(seeing, "settle")
    assert (answer.status_code, said(answer)) == (409, EN("answer.unknown"))


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_places_are_called_as_people_do(seeing: Seeing, drawn: Drawn, lang: str) -> None:
    """Each readable place appears by its name, with a button that names it as a target."""
    board = seeing.visitor(lang).read(seeing.host + "laying")
    say = words(lang, "companion.games.take_a_train")
    for where in (say("place.market"), say("place.seat.train", seat="Bill", train=2)):
        assert f'aria-label="{words(lang)("card_table.here_at", where=where)}"' in board
    assert 'data-card-table-place="deck.wagons"' not in board


def test_programs_at_the_table_see_what_the_card_table_shows(seeing: Seeing, drawn: Drawn) -> None:
    """Viewers who can open the card table can also read its cards and places as JSON."""
    do(seeing, "move", card="coal-200", place="market")
    waited(drawn, 1)
    answer = seeing.anybody.get(seeing.host + "laying.json")
    lies = [(place, card, face) for place, cards in answer.get_json().items() for card, face in cards]
    assert lies == [("market", "coal-200", "up")]
    assert seeing.anybody.get(seeing.seats[0] + "laying.json").status_code == 404


def test_a_card_is_moved_from_place_to_place(seeing: Seeing, drawn: Drawn) -> None:
    """A card can be moved from beside the table to the market, to a train, face down, and off the table."""
    moves = (
        CardLaid("coal-200", "market"),
        CardLaid("coal-200", "seat.1.train.2", "market"),
        CardLaid("coal-200", "", "seat.1.train.2"),
        CardLaid("back-locomotive", "seat.1.train.1", face="down"),
    )
    for count, each in enumerate(moves, 1):
        fields = {"card": each.card, "place": each.place, "source": each.source, "face": each.face}
        answer = do(seeing, "move", **fields)
        assert (answer.status_code, said(answer)) == (200, EN("card_table.moved", count=1))
        assert waited(drawn, count)[-1] == each
        drawn.done.clear()
    assert chips(seeing) == [("seat.1.train.1", "back-locomotive", "extra")]


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"card": "coal-200", "place": "deck.wagons"}, 422),
        ({"card": "coal-200", "place": "seat.9.train.1"}, 422),
        ({"card": "coal-200"}, 422),
        ({"card": "no-card", "place": "market"}, 422),
        ({"card": "", "place": "market"}, 422),
        ({"card": "coal-200", "place": "market", "source": "auction"}, 410),
        ({"card": "coal-200", "place": "auction", "source": "x"}, 410),
    ],
)
def test_what_cannot_be_moved_is_refused(seeing: Seeing, drawn: Drawn, form: dict[str, str], code: int) -> None:
    """An unknown place, an unknown card and a card at another place are refused, and the hand does not move."""
    assert do(seeing, "move", **form).status_code == code
    assert do(seeing, "else").status_code == 422
    assert drawn.moved == []


def test_a_full_place_takes_no_more(seeing: Seeing, drawn: Drawn) -> None:
    """A full market has no button and accepts no card."""
    most = next(place.most for place in RULES.places(3) if place.name == "market")
    drawn.lain = [{"place": "market", "card": "coal-200", "face": "up"}] * most
    assert 'data-card-table-place="market"' not in seeing.anybody.get(seeing.host + "laying").text
    answer = do(seeing, "move", card="food-50", place="market")
    assert (answer.status_code, said(answer)) == (409, EN("card_table.full"))


def test_while_the_hand_moves_nothing_else_is(seeing: Seeing, drawn: Drawn) -> None:
    """While the hand moves, the page shows the number of cards to come, and another tap waits."""
    drawn.moving = 3
    assert EN("card_table.moving", count=3) in seeing.anybody.read(seeing.host + "laying")
    answer = do(seeing, "move", card="food-50", place="market")
    assert (answer.status_code, said(answer)) == (409, EN("card_table.wait"))
    assert drawn.moved == []


def test_cards_turn_up_when_the_game_says_so(seeing: Seeing, drawn: Drawn) -> None:
    """No card turns up before the auction is drawn; then one locomotive of the deck turns up once."""
    assert EN("card_table.turn_nothing") in seeing.anybody.read(seeing.host + "laying")
    assert said(do(seeing, "turn")) == EN("card_table.nothing")
    seeing.begin("open")
    assert EN("card_table.turn", count=1, where="the auction") in seeing.anybody.read(seeing.host + "laying")
    assert do(seeing, "turn").status_code == 200
    (laid,) = waited(drawn, 1)
    state = seeing.table.snapshot().state
    assert state is not None
    assert (laid.place, laid.source, laid.face) == ("auction", "", "up") and laid.card in state.table.pool
    assert said(do(seeing, "turn")) == EN("card_table.nothing")
    assert EN("card_table.turn_nothing") in seeing.anybody.read(seeing.host + "laying")


def test_the_table_is_laid_as_the_rules_say(seeing: Seeing, drawn: Drawn) -> None:
    """Laying the table adds missing cards and removes extra ones, and then every place is right."""
    seeing.begin("open")
    state = seeing.table.snapshot().state
    assert state is not None
    ((card,),) = cards_to_turn_up(RULES, state, lambda: 0.0).values()
    assert seeing.anybody.say(seeing.page("tablet"), "locos_revealed", cards=[card]).status_code == 204
    drawn.lain = [{"place": "market", "card": "coal-200", "face": "up"}]
    assert chips(seeing) == [("", card, "missing"), ("market", "coal-200", "extra")]
    assert said(do(seeing, "settle")) == EN("card_table.moved", count=2)
    assert waited(drawn, 2) == [CardLaid("coal-200", "", "market"), CardLaid(card, "auction")]
    assert chips(seeing) == [("auction", card, "")]
    assert EN("card_table.settled") in seeing.anybody.read(seeing.host + "laying")
    assert said(do(seeing, "settle")) == EN("card_table.nothing")


def test_a_mat_for_fewer_people_is_told(seeing: Seeing, drawn: Drawn) -> None:
    """The page names the players without a place on the rendered mat, and lays no card for them."""
    drawn.places = [place for place in PLACES if not place.startswith("seat.3.")]
    page = seeing.anybody.read(seeing.host + "laying")
    assert EN("card_table.lacks", names="Tom") in page and 'data-card-table-place="seat.3.train.1"' not in page
    assert do(seeing, "move", card="coal-200", place="seat.3.train.1").status_code == 422


def test_a_service_that_says_nonsense_moves_nothing(seeing: Seeing, drawn: Drawn) -> None:
    """If the service's answer is unreadable, the page says so and no card moves."""
    drawn.lain = [{"place": "market", "card": "coal-200", "face": "sideways"}]
    assert EN("answer.failed") in seeing.anybody.read(seeing.host + "laying")
    assert do(seeing, "settle").status_code == 409
