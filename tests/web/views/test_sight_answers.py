"""Test entries, questions and problems of the camera on everybody's page, and people's answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.take_a_train import events as ev
from companion.i18n import LANGUAGES
from companion.match.actor import Actor
from companion.messages import SECOND, Doubt, Sighted, Sighting
from companion.sight.lasting import PATIENCE, SHOWN
from tests.support.paths import ROOT
from tests.support.web.camera_double import Seeing, seated
from tests.support.web.visitors import regions, said
from web.live.rendering import URLS
from web.words import package, words

LOCOS = ("steam-1", "steam-4", "diesel-1")


@pytest.fixture
def seeing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Seeing]:
    """Yield three people with printed cards; the token is drawn, and locomotives turn up next."""
    with seated(tmp_path, monkeypatch) as room:
        room.begin("pass")
        yield room


def lie(room: Seeing, *cards: str | None, likeliest: tuple[str, ...] = (), place: str = "auction") -> None:
    """Lay cards down for the sight observer."""
    doubt: Doubt = "unknown"
    seen = [
        Sighting(place, card, at, likeliest=(card,) if card else likeliest, doubt="" if card else doubt)
        for at, card in enumerate(cards)
    ]
    room.observer.accept_reading(Sighted(room.now, 1, tuple(seen)))
    room.observer.look()
    room.context.hub.refresh()


def later(room: Seeing, nanoseconds: int) -> None:
    """Let this time pass."""
    room.now += nanoseconds
    room.observer.look()
    room.context.hub.refresh()


def sights(room: Seeing) -> dict[str, str]:
    """Return the part about sightings on each kind of page."""
    there = {"seat": room.seats[0], "host": room.host, "table": room.page("tablet"), "watch": room.page("watch")}
    return {name: regions(room.anybody.read(path))["sight"] for name, path in there.items()}


def test_what_was_taken_is_shown_for_a_while(seeing: Seeing) -> None:
    """Everybody reads an accepted sighting for a while; host and tablet can undo it, a seat only its own moves."""
    lie(seeing, *LOCOS)
    assert seeing.table.snapshot().entries[-1].event == ev.LocosRevealed(LOCOS)
    found = sights(seeing)
    assert all("the steam locomotive ×2 (150)" in part for part in found.values())
    assert {name for name, part in found.items() if 'value="undo"' in part} == {"host", "table"}
    later(seeing, SHOWN + SECOND)
    assert not any(part.strip() for part in sights(seeing).values())


def test_what_was_taken_is_taken_back(seeing: Seeing) -> None:
    """One tap undoes a sighting, which needs all seats' consent if cards turned up; an outdated page is told so."""
    lie(seeing, *LOCOS)
    page = sights(seeing)["host"]
    (to,) = re.findall(r'name="to" value="(\d+)"', page)
    answer = seeing.anybody.tap(seeing.host, "sight", {"do": "undo", "to": "999"})
    assert (answer.status_code, said(answer)) == (409, words("en")("sight.stale"))
    assert seeing.anybody.tap(seeing.seats[1], "sight", {"do": "undo", "to": to}).status_code == 403
    assert seeing.anybody.tap(seeing.host, "sight", {"do": "undo", "to": to}).status_code == 204
    undo = seeing.table.snapshot().undo
    assert undo is not None and undo.to == int(to)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_several_things_may_have_happened(seeing: Seeing, lang: str) -> None:
    """For an uncertain card each likely one is a button, except for spectators, and one tap chooses it."""
    seeing.anybody.headers["Accept-Language"] = lang
    lie(seeing, "steam-1", "steam-4", None, likeliest=("diesel-1", "diesel-2"))
    found = sights(seeing)
    assert all(words(lang)("sight.which") in part for part in found.values())
    marks = re.findall(r'name="mark" value="(\w+)"', found["seat"])
    assert len(marks) == 2
    assert {name for name, part in found.items() if 'value="choose"' in part} == {"seat", "host", "table"}
    count = seeing.count
    answer = seeing.anybody.tap(seeing.seats[2], "sight", {"do": "choose", "mark": "0" * 16})
    assert (answer.status_code, said(answer)) == (409, words(lang)("sight.stale"))
    assert seeing.count == count
    assert seeing.anybody.tap(seeing.seats[2], "sight", {"do": "choose", "mark": marks[1]}).status_code == 204
    entry = seeing.table.snapshot().entries[-1]
    assert entry.event == ev.LocosRevealed(("steam-1", "steam-4", "diesel-2")) and entry.by == Actor.at_seat(2)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_does_not_fit_is_said(seeing: Seeing, lang: str) -> None:
    """After a while every page reports cards that do not fit; host and tablet see the picture and can correct a
    card."""
    seeing.anybody.headers["Accept-Language"] = lang
    lie(seeing, *LOCOS)
    later(seeing, SHOWN)
    lie(seeing, "steam-1", "steam-4", "diesel-2")
    assert not any(words(lang)("sight.mismatch") in part for part in sights(seeing).values())
    later(seeing, PATIENCE)
    found = sights(seeing)
    say = words(lang, package(seeing.table.snapshot().game))
    assert all(words(lang)("sight.mismatch") in part and say("place.auction")[1:] in part for part in found.values())
    assert {name for name, part in found.items() if "data-mismatch=" in part} == {"host", "table"}
    assert 'data-mismatch-cards="diesel-2"' in found["host"]
    assert {name for name, part in found.items() if 'value="right"' in part} == {"host", "table"}
    assert seeing.anybody.tap(seeing.seats[0], "sight", {"do": "right", "place": "auction"}).status_code == 403
    assert seeing.anybody.tap(seeing.host, "sight", {"do": "right", "place": "market"}).status_code == 409
    assert seeing.anybody.tap(seeing.host, "sight", {"do": "right", "place": "auction"}).status_code == 204
    revealed = [e.event for e in seeing.table.snapshot().entries if isinstance(e.event, ev.LocosRevealed)]
    assert revealed == [ev.LocosRevealed(("steam-1", "steam-4", "diesel-2"))]


def test_after_an_undo_it_waits_until_somebody_says_so(seeing: Seeing) -> None:
    """After an undo nothing is accepted until the cards match the table or a person confirms them."""
    lie(seeing, *LOCOS)
    seeing.table.rewind(seeing.table.snapshot().sight.accepted.undo_to, Actor.HOST)  # type: ignore[union-attr]
    for seat in (0, 1, 2):
        seeing.table.consent(seat, True)  # type: ignore[arg-type]
    seeing.table.ask_undo(seeing.table.snapshot().entries[-2].seq, Actor.HOST)
    for seat in (0, 1, 2):
        seeing.table.consent(seat, True)  # type: ignore[arg-type]
    later(seeing, PATIENCE)
    later(seeing, PATIENCE)
    assert seeing.table.snapshot().sight.waits
    found = sights(seeing)
    assert all(words("en")("sight.waits") in part for part in found.values())
    assert {name for name, part in found.items() if 'value="lies"' in part} == {"host", "table"}
    assert seeing.anybody.tap(seeing.seats[0], "sight", {"do": "lies"}).status_code == 403
    assert seeing.anybody.tap(seeing.host, "sight", {"do": "lies"}).status_code == 204
    later(seeing, SECOND)
    assert not seeing.table.snapshot().sight.waits


def test_a_choice_that_the_table_has_passed_by_is_not_shown(seeing: Seeing) -> None:
    """A question about a move that has been made is no longer shown, even before the sight is updated."""
    lie(seeing, "steam-1", "steam-4", None, likeliest=("diesel-1", "diesel-2"))
    old = seeing.table.snapshot().sight
    assert seeing.table.propose(ev.LocosRevealed(LOCOS), Actor.HOST).accepted
    seeing.table.show_sight(old)
    assert not any(words("en")("sight.which") in part for part in sights(seeing).values())


def test_nobody_else_answers(seeing: Seeing) -> None:
    """A spectator cannot answer, and an unknown answer does nothing."""
    lie(seeing, *LOCOS)
    watch = seeing.page("watch")
    assert seeing.anybody.tap(watch, "sight", {"do": "lies"}).status_code in (403, 404)
    assert seeing.anybody.tap(seeing.host, "sight", {"do": "look"}).status_code == 422


def test_without_an_observer_every_answer_is_too_late(seeing: Seeing) -> None:
    """Without a sight observer, every answer about the camera is refused as outdated."""
    seeing.context.observer = None
    for do in ("undo", "choose", "right", "lies"):
        answer = seeing.anybody.tap(seeing.host, "sight", {"do": do})
        assert (answer.status_code, said(answer)) == (409, words("en")("sight.stale"))


def test_every_control_of_a_region_leads_somewhere() -> None:
    """Every address that a template names is in `URLS`, because otherwise its control would do nothing."""
    root = ROOT
    templates = [*root.glob("web/templates/**/*.html"), *root.glob("companion/games/*/templates/*.html")]
    named = {name for path in templates for name in re.findall(r"urls\.(\w+)", path.read_text(encoding="utf-8"))}
    assert "sight" in named and named <= set(URLS)
