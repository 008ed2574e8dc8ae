"""Test the camera on pages: its line on everybody's page, its own page, and corrections of cards."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.devices.camera_link import CameraSnapshot as Known
from companion.games.take_a_train import extras
from companion.games.take_a_train.catalogue import SPECIALS
from companion.i18n import LANGUAGES
from companion.match.actor import Actor
from companion.messages import CameraState, HangingAdvice, Looking
from tests.support.paths import ROOT
from tests.support.web.camera_double import PATIENCE, SEEN, STILL, Seeing, seated
from tests.support.web.visitors import Room, regions, said
from tests.web.live.test_streams import key, opened
from web.live import watcher
from web.presenters.camera_status import CameraStatus, camera_sentence, camera_status, place_name
from web.presenters.card_names import card_groups_of
from web.presenters.match_log import players_of
from web.views.camera import taps
from web.words import package, words

SQUARE = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]


@pytest.fixture
def seeing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Seeing]:
    """Yield three people around a table of printed cards, without a camera yet."""
    with seated(tmp_path, monkeypatch) as room:
        yield room


def lines(room: Room) -> dict[str, str]:
    """Return the text about the camera on each kind of page."""
    there = {"seat": room.seats[0], "host": room.host, "table": room.page("tablet"), "watch": room.page("watch")}
    found = {name: regions(room.anybody.read(path)) for name, path in there.items()}
    return {name: parts["sight"] + parts.get("wiring", "") for name, parts in found.items()}


def live(room: Seeing, page: str = "", lang: str = "en") -> dict[str, object]:
    """Return the live data of the camera's page."""
    answer = room.visitor(lang).get((page or room.host) + "camera/live.json")
    assert answer.status_code == 200
    found: dict[str, object] = json.loads(answer.text)
    return found


# --- on everybody's page ----------------------------------------------------------------------------


def test_without_a_camera_only_the_host_reads_of_one(seeing: Seeing) -> None:
    """Only the host reads that the game goes on by touch, and where to read how to get a camera."""
    told = lines(seeing)
    host = told.pop("host")
    assert words("en")("camera_page.host_none") in host and 'href="camera"' in host
    assert not any("camera" in part.lower() for part in told.values())


def test_a_lost_camera_is_on_every_page_and_when_it_is_back(seeing: Seeing) -> None:
    """Every page says that the camera does not answer and what to do, and for a while that it is back."""
    camera = seeing.camera()
    where = key(seeing, "watch")
    page = seeing.context.hub.page(where)
    assert page is not None
    stream, _ = opened(seeing, where, last=page.id)
    camera.close()
    message = stream.outbox.get(timeout=PATIENCE)
    assert message is not None and words("en")("camera.lost").split(";")[0].encode() in message
    assert live(seeing)["doing"] == "The camera connection was lost. Restarting…"
    assert all(words("en")("camera.lost") in part for part in lines(seeing).values())
    seeing.camera()
    message = stream.outbox.get(timeout=PATIENCE)
    assert message is not None and words("en")("camera_page.back").encode() in message
    told = lines(seeing)
    assert all(words("en")("camera_page.back") in part for part in told.values())
    assert words("en")("camera_page.fine") in told["host"]


def test_that_it_is_back_is_not_said_for_ever(seeing: Seeing, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line about the camera's return disappears after a while, even on an open page."""
    monkeypatch.setattr(watcher, "BACK", 0.0)
    where = key(seeing, "watch")
    seeing.camera().close()
    seeing.until(lambda: seeing.board.camera.lost)
    stream, _ = opened(seeing, where)
    seeing.camera()
    sentences = (words("en")("camera_page.back").encode(), words("en")("camera.lost").split(";")[0].encode())
    last = sentences[0]
    while b'"sight"' not in last or any(sentence in last for sentence in sentences):
        message = stream.outbox.get(timeout=PATIENCE)
        assert message is not None
        last = message
    assert not any(words("en")("camera_page.back") in part for part in lines(seeing).values())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_wrong_is_for_those_who_can_mend_it(seeing: Seeing, lang: str) -> None:
    """Host and shared tablet show the fault and the remedy in their language; seats' pages do not."""
    camera = seeing.camera()
    camera.live(msgspec.structs.replace(STILL, trouble="mat_half", fields={"side": "left"}))
    seeing.until(lambda: seeing.board.camera.state.trouble == "mat_half")
    seeing.anybody.headers["Accept-Language"] = lang
    sentence = words(lang)("camera.mat_half", side=words(lang)("camera_page.side_left"))
    found = {name for name, part in lines(seeing).items() if sentence in part}
    assert found == {"host", "table"}


def test_what_stops_nothing_is_the_hosts_alone(seeing: Seeing) -> None:
    """If the camera hangs too high but still reads most cards, only the host is told."""
    camera = seeing.camera()
    fields = {"scale": 2.6, "needed": 3.3, "width": 2304, "height": 1296}
    camera.live(msgspec.structs.replace(STILL, trouble="too_small", fields=fields, scale=2.6))
    seeing.until(lambda: seeing.board.camera.state.trouble == "too_small")
    sentence = words("en")("camera.too_small", **fields)
    assert {name for name, part in lines(seeing).items() if sentence in part} == {"host"}


@pytest.mark.parametrize(("looking", "told"), [("unplaced", {"host", "table"}), ("still", {"host"})])
def test_a_focus_that_is_not_found_is_told_to_who_can_mend_it(seeing: Seeing, looking: Looking, told: set[str]) -> None:
    """While the cards are still readable, only the host is told that the camera finds no focus."""
    camera = seeing.camera()
    camera.live(msgspec.structs.replace(STILL, looking=looking, trouble="unfocused"))
    seeing.until(lambda: seeing.board.camera.state.trouble == "unfocused")
    sentence = words("en")("camera.unfocused")
    assert {name for name, part in lines(seeing).items() if sentence in part} == told


def test_a_service_without_a_camera_troubles_nobody(seeing: Seeing) -> None:
    """If the service finds no camera, the host reads the same quiet line as without a service."""
    camera = seeing.camera()
    camera.live(CameraState("none", "no_camera", {"source": "auto"}))
    seeing.until(lambda: seeing.board.camera.state.looking == "none")
    told = lines(seeing)
    assert words("en")("camera_page.host_none") in told.pop("host")
    assert not any("camera" in part.lower() for part in told.values())
    found = live(seeing)
    assert found["there"] is False and found["trouble"] == words("en")("camera.no_camera")


def test_a_hand_over_the_table_draws_no_page() -> None:
    """Values that change all the time are not part of the input of regions."""
    moving = msgspec.structs.replace(STILL, looking="moving", fps=1.0, scale=3.1)
    assert (
        camera_status(Known(True, True, moving))
        == camera_status(Known(True, True, STILL))
        == CameraStatus(True, sees=True)
    )
    assert camera_status(None) == CameraStatus()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_trouble_and_answer_has_a_sentence(lang: str) -> None:
    """Every trouble and answer of the reference page has a sentence with its fields, and so do unknown ones."""
    text = (ROOT / "docs" / "reference" / "camera.md").read_text(encoding="utf-8")
    answers, troubles = text.partition("## Answers to a refused request")[2].split("## Troubles")
    listed = re.findall(r"^\| `(\w+)` \|([^|]*)\|", troubles, re.M)
    assert len(listed) > 12
    for name, fields in listed:
        filled = {field: "left" if field == "side" else 7 for field in re.findall(r"`(\w+)`", fields)}
        assert words(lang)("camera_page.trouble", key=name) != camera_sentence(words(lang), "camera", name, filled)
    keys = dict(re.findall(r"^\| `(\w+)` \|([^|]*)\|", answers, re.M))
    assert "bad_file" in keys
    for name, fields in keys.items():
        filled = dict.fromkeys(re.findall(r"`(\w+)`", fields), 7)
        assert words(lang)("camera_page.trouble", key=name) != camera_sentence(words(lang), "answer", name, filled)
    assert camera_sentence(words(lang), "answer", "xyz") == words(lang)("camera_page.trouble", key="xyz")
    assert camera_sentence(words(lang), "camera", "sheet_off") == words(lang)("camera_page.trouble", key="sheet_off")


# --- its page ---------------------------------------------------------------------------------------


def test_host_and_tablet_see_the_camera_and_nobody_else(seeing: Seeing) -> None:
    """Only the host and the shared tablet can open the camera's page, its picture and its data."""
    camera = seeing.camera()
    camera.picture()
    for page in (seeing.host, seeing.page("tablet")):
        for part in ("camera", "camera/live.jpg", "camera/live.json"):
            assert seeing.anybody.get(page + part).status_code == 200
    for page in (seeing.seats[0], seeing.page("watch")):
        for part in ("camera", "camera/live.jpg", "camera/live.json"):
            assert seeing.anybody.get(page + part).status_code == 404
    for page in (seeing.seats[0], seeing.page("watch")):
        token = page.split("/")[-2]
        assert seeing.anybody.get(f"/h/{token}/camera/live.jpg").status_code == 404


def test_without_a_camera_the_page_says_how_to_get_one(seeing: Seeing) -> None:
    """The page lists short steps and says that the game goes on by touch; a request for a picture causes no error."""
    page = seeing.anybody.read(seeing.host + "camera")
    assert words("en")("camera_page.none_note") in page and words("en")("camera_page.get_three") in page
    assert 'href="/print/"' in page and "companion mat print" not in page
    assert live(seeing)["there"] is False
    assert seeing.anybody.get(seeing.host + "camera/live.jpg").status_code == 404
    assert seeing.anybody.tap(seeing.host, "camera/watch").status_code == 204


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_seen_is_said_as_people_say_it(seeing: Seeing, lang: str) -> None:
    """Cards have the game's names, doubtful ones a question mark, and places their owners' names; unplaced cards
    come last."""
    camera = seeing.camera()
    camera.picture()
    found = live(seeing, lang=lang)
    cards = found["cards"]
    assert isinstance(cards, list)
    say = words(lang, package(seeing.table.snapshot().game))
    assert [(c["name"], c["sure"]) for c in cards[:4]] == [
        (say("card.wagon", cargo=say("cargo.coal"), value=200), "named"),
        (say("card.wagon", cargo=say("cargo.food"), value=50), "named"),
        (say("card.wagon", cargo=say("cargo.oil"), value=200) + " ?", "doubt"),
        (say("special.twin"), "named"),
    ]
    assert cards[4]["where"] == say("place.seat.train", seat="Jane", train=1)
    assert cards[-1]["where"] == say("camera_page.nowhere") and cards[-1]["sure"] == "unknown"
    assert [len(c["outline"]) for c in cards] == [4] * len(SEEN)
    assert cards[2]["likeliest"][1][0] == "oil-250" and cards[2]["why"] == say("camera_page.doubt_value")
    assert found["covered"] == [say("place.auction")]


TABLE = ((0.1, 0.2), (0.9, 0.2), (0.9, 0.8), (0.1, 0.8))


def test_the_page_says_how_to_hang_the_camera(seeing: Seeing) -> None:
    """The page first lists changes and then their effect on play; if the camera reads everything, it says so."""
    camera = seeing.camera()
    advice = (HangingAdvice("hang_lower", {"cm": 15}), HangingAdvice("hang_glare", {"side": "left"}))
    camera.live(msgspec.structs.replace(STILL, scale=2.4, hanging=advice, table=TABLE))
    seeing.until(lambda: seeing.board.camera.state.scale == 2.4)
    found, say = live(seeing), words("en")
    assert found["hanging"] == [
        say("camera_page.hang_lower", cm=15), say("camera_page.hang_glare", side="on the left"),
        say("camera_page.hang_often", scale="2.4", least=3.3),
    ]  # fmt: skip
    assert found["hangs_ill"] and found["table"] == [list(corner) for corner in TABLE]
    camera.live(msgspec.structs.replace(STILL, scale=3.4, table=TABLE))
    seeing.until(lambda: seeing.board.camera.state.scale == 3.4)
    found = live(seeing)
    assert (found["hanging"], found["hangs_ill"]) == ([say("camera_page.hang_good")], False)


def test_nothing_is_said_of_a_camera_that_sees_no_table(seeing: Seeing) -> None:
    """Without a visible table, the page gives no advice on the camera's position."""
    camera = seeing.camera()
    camera.live(msgspec.structs.replace(STILL, scale=0.0, mat=False))
    seeing.until(lambda: not seeing.board.camera.state.mat)
    assert live(seeing)["hanging"] == []


@pytest.mark.parametrize(
    ("lang", "name"), [("en", "Our printed cards of Take a Train"), ("fr", "Nos cartes imprimées de Take a Train")]
)
def test_a_deck_that_we_have_drawn_is_said_as_people_say_it(seeing: Seeing, lang: str, name: str) -> None:
    """Our own decks have translated names on all pages; a deck named by people keeps its name."""
    camera = seeing.camera()
    camera.decks |= {"ours take-a-train": {}, "ours and theirs": {}}
    camera.live(msgspec.structs.replace(STILL, deck="ours take-a-train"))
    seeing.until(lambda: seeing.board.camera.state.deck == "ours take-a-train")
    assert live(seeing, lang=lang)["facts"]["deck"] == words(lang)("camera_page.deck", deck=name)  # type: ignore[index]
    for page in ("enrolment", "enrolment?deck=ours+take-a-train", "report?deck=ours+take-a-train"):
        shown = re.sub(r'(href|value)="[^"]*"', "", seeing.visitor(lang).read(seeing.host + page))
        assert name in shown and "ours take-a-train" not in shown
    assert "<b>ours and theirs</b>" in seeing.visitor(lang).read(seeing.host + "enrolment")


def test_nobody_is_told_to_hang_a_rendered_camera_lower(seeing: Seeing) -> None:
    """A rendered camera gets no advice, because the companion positions it itself."""
    camera = seeing.camera()
    camera.kind = "rendered"
    camera.live(msgspec.structs.replace(STILL, scale=3.2, table=TABLE))
    seeing.until(lambda: seeing.board.camera.rendered and seeing.board.camera.state.scale == 3.2)
    found = live(seeing)
    assert found["facts"]["scale"].startswith("3.2") and found["hanging"] == []  # type: ignore[index]


def test_an_old_picture_is_not_shown_as_live(seeing: Seeing, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page shows no frame that is too old, and lists the last reading without outlines."""
    camera = seeing.camera()
    camera.picture()
    monkeypatch.setattr("web.views.camera.STALE", -1)
    found = live(seeing)
    assert found["at"] == "" and found["places"] == {}
    assert [card["outline"] for card in found["cards"]] == [[]] * len(SEEN)  # type: ignore[attr-defined]


@pytest.mark.parametrize("prefix", ["host", "tablet"])
def test_a_card_is_put_right(seeing: Seeing, prefix: str) -> None:
    """Host and tablet can name a card for the camera, and withdraw the name with an empty one."""
    camera = seeing.camera()
    page = seeing.host if prefix == "host" else seeing.page("tablet")
    answer = seeing.anybody.tap(page, "camera/name", {"place": "market", "at": "2", "card": "oil-250"})
    assert (answer.status_code, said(answer)) == (200, words("en")("camera_page.named"))
    answer = seeing.anybody.tap(page, "camera/name", {"place": "", "at": "0", "card": ""})
    assert said(answer) == words("en")("camera_page.unnamed")
    asked = [each.fields for each in camera.said if each.what == "name"]
    assert asked == [{"place": "market", "at": 2, "card": "oil-250"}, {"place": "", "at": 0, "card": ""}]


def test_the_table_hears_of_it_too(seeing: Seeing, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sight observer is told when a person names a card, unless the camera refuses it or the name is withdrawn."""
    camera = seeing.camera()
    heard: list[tuple[object, ...]] = []
    monkeypatch.setattr(seeing.observer, "name_card", lambda *said: heard.append(said))
    seeing.anybody.tap(seeing.host, "camera/name", {"place": "market", "at": "2", "card": "oil-250"})
    seeing.anybody.tap(seeing.host, "camera/name", {"place": "market", "at": "2", "card": ""})
    camera.refuse["name"] = "no_card"
    answer = seeing.anybody.tap(seeing.host, "camera/name", {"place": "market", "at": "1", "card": "oil-250"})
    assert (answer.status_code, said(answer)) == (409, words("en")("answer.no_card"))
    assert heard == [("market", "oil-250", Actor.HOST)]


@pytest.mark.parametrize(
    "form",
    [
        {"place": "../market", "at": "1", "card": "coal-200"},
        {"place": "market", "at": "-1", "card": "coal-200"},
        {"place": "market", "at": "1", "card": "<b>"},
        {"place": "market", "at": "1", "card": "x" * 41},
        {},
    ],
)
def test_nonsense_is_not_handed_on(seeing: Seeing, form: dict[str, str]) -> None:
    """Impossible places, positions and names do not reach the camera."""
    camera = seeing.camera()
    assert seeing.anybody.tap(seeing.host, "camera/name", form).status_code == 422
    assert not [each for each in camera.said if each.what == "name"]


def test_only_host_and_tablet_change_anything(seeing: Seeing) -> None:
    """Seats and spectators can neither name cards nor calibrate nor set places."""
    camera = seeing.camera()
    for page in (seeing.seats[0], seeing.page("watch")):
        for action in ("name", "calibrate", "places", "watch"):
            assert seeing.anybody.tap(page, f"camera/{action}").status_code in (403, 404)
    assert camera.said == []


def test_calibrating_and_placing_ask_the_camera(seeing: Seeing) -> None:
    """The page's buttons calibrate the camera and set places, and the page explains a failure."""
    camera = seeing.camera()
    answer = seeing.anybody.tap(seeing.host, "camera/calibrate")
    assert said(answer) == words("en")("camera_page.calibrated")
    answer = seeing.anybody.tap(seeing.host, "camera/places", {"corners": json.dumps(SQUARE)})
    assert said(answer) == words("en")("camera_page.placed")
    assert camera.said[-1].fields == {"corners": SQUARE}
    camera.refuse["calibrate"] = "no_mat"
    answer = seeing.anybody.tap(seeing.host, "camera/calibrate")
    assert (answer.status_code, said(answer)) == (409, words("en")("answer.no_mat"))
    answer = seeing.anybody.tap(seeing.host, "camera/places", {"corners": "[]"})
    assert (answer.status_code, said(answer)) == (422, words("en")("camera_page.bad_corners"))


def test_four_taps_are_clockwise_corners() -> None:
    """Four taps must form a clockwise, convex quadrilateral inside the picture."""
    assert taps(json.dumps(SQUARE)) == tuple([(x, y) for x, y in SQUARE])
    crossed = [SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3]]
    beyond = [[0.1, 0.1], [1.1, 0.1], [0.9, 0.9], [0.1, 0.9]]
    for wrong in (SQUARE[::-1], SQUARE[:3], crossed, beyond, [[0.5, 0.5]] * 4, "x", None, [["a", 1]] * 4):
        assert taps(json.dumps(wrong)) is None
    for text in ("", "{", "[[NaN,0],[1,0],[1,1],[0,1]]"):
        assert taps(text) is None


# --- words ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_place_has_a_name(seeing: Seeing, lang: str) -> None:
    """All places of the game have a name in words, and an unknown place keeps its own name."""
    snapshot = seeing.table.snapshot()
    say = words(lang, package(snapshot.game))
    players = players_of(snapshot)
    names = [place_name(place.name, players, say) for place in snapshot.game.places(len(players))]
    assert len(set(names)) == len(names)
    assert not any("." in name or "{" in name for name in names)
    assert place_name("drawer.9", players, say) == "drawer.9"
    assert place_name("seat.9.train.1", players, say) == say("place.seat.train", seat=9, train=1)


@pytest.mark.parametrize("deck", ["ours", "box"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_card_can_be_chosen(room: Room, lang: str, deck: str) -> None:
    """Each card of the match and both backs can be chosen once, with a name that is unique in its group."""
    room.set_up(deck=deck)
    snapshot = room.table.snapshot()
    groups = card_groups_of(snapshot, lang)
    picks = [pick for group in groups for pick in group.picks]
    cards = {card for card in extras.card_names(snapshot.state) if "-" in card or card in SPECIALS}
    assert cards | {"back-locomotive", "back-wagon"} <= {pick.card for pick in picks}
    assert len({pick.card for pick in picks}) == len(picks)
    if deck == "ours":
        assert len({pick.name for pick in picks}) == len(picks)
        assert all(len({pick.label for pick in group.picks}) == len(group.picks) for group in groups)
    page = room.anybody.read(room.host + "camera")
    assert all(f'data-name-card="{pick.card}"' in page for pick in picks)
