"""The bench of cards: a person without camera and cards moves cards on the rendered table, as hands would.

Only where the camera's service renders its table. Knows no rules: what should lie where, the game's layout says.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any, NamedTuple

import msgspec
from flask import Blueprint, Response, render_template, request

from companion.devices.camera_requests import CameraRefusal, ReadRenderedTable
from companion.engine import Layout
from companion.messages import CardLaid
from companion.table.snapshot import Snapshot
from web.context import house
from web.presenters.camera_status import place_name, told
from web.presenters.card_moves import HIDDEN, CardTarget, Face, settling, steads, turned_up, turning
from web.presenters.card_names import BACK, CardPickGroup, names_of, say_card
from web.presenters.scene import players_of
from web.views import common
from web.views.camera import ask, camera_link
from web.words import language, package, words

bp = Blueprint("laying", __name__)
CARD = re.compile(r"[\w][\w +&'()-]{0,39}")
LUCK = random.SystemRandom()


class Chip(NamedTuple):
    """One card on the page. `odd`: `extra` (it should not lie there), `missing` (it should, and does not), or empty."""

    card: str
    name: str
    look: str
    icon: str
    face: str
    odd: str


class Board(msgspec.Struct, frozen=True):
    """The rendered table as it lies. `key`: why it cannot be told, as an answer's."""

    key: str = ""
    fields: dict[str, Any] = {}
    steads: tuple[CardTarget, ...] = ()
    moving: int = 0
    lacks: tuple[int, ...] = ()
    """Seats for which the rendered mat has no places."""


@bp.get("/laying")
def page(token: str) -> str:
    """Show the bench, or say that the table is real."""
    viewer = common.asker("host", "table")
    there = house().watcher.lens().rendered
    groups = names_of(house().snapshot(), language()) if there else ()
    return common.show("laying.html", viewer, rendered=there, groups=groups, board=drawn(board()) if there else "")


@bp.get("/laying/board")
def again(token: str) -> Response:
    """Show the table as it lies now."""
    common.asker("host", "table")
    return Response(drawn(board()))


@bp.get("/laying.json")
def lies(token: str) -> Response:
    """Say which cards lie where on the rendered table, for programs that sit at it: nothing that the bench hides."""
    common.asker("host", "table")
    found = board()
    if found.key:
        return common.said(told(words(language()), "answer", found.key, found.fields), 409)
    cards = {stead.place.name: [(each.card, each.face) for each in stead.cards] for stead in found.steads}
    return Response(msgspec.json.encode(cards), mimetype="application/json", headers={"Cache-Control": "no-store"})


@bp.post("/laying")
def act(token: str) -> Response:
    """Move a card, turn cards up, or lay the table as the rules say; return what was done in a sentence."""
    common.asker("host", "table")
    say = words(language())
    found, eye = board(), camera_link()
    if found.key or eye is None:
        return common.said(told(say, "answer", found.key, found.fields), 409)
    if found.moving:
        return common.said(say("laying.wait"), 409)
    moves = wanted(found)
    if not moves:
        return common.said(say("laying.nothing"))
    if not all(eye.lay(each) for each in moves):
        return common.said(say("answer.absent"), 409)
    return common.said(say("laying.moved", count=len(moves)))


def wanted(found: Board) -> tuple[CardLaid, ...]:
    """Return the moves that a form asks for; raise `Gone` where it asks for what cannot be."""
    snapshot = house().snapshot()
    match request.form.get("do", ""):
        case "move":
            return (moved(found, snapshot),)
        case "settle":
            return settling(found.steads, back_of(snapshot))
        case "turn":
            assert snapshot.state is not None
            return turning(found.steads, turned_up(snapshot.game, snapshot.state, LUCK.random))
    raise common.PageGone("error.malformed", 422)


def moved(found: Board, snapshot: Snapshot) -> CardLaid:
    """Return the move of one card that a form asks for."""
    form = request.form
    card, source, place = form.get("card", ""), form.get("source", ""), form.get("place", "")
    face: Face = "down" if form.get("face") == "down" else "up"
    names = {stead.place.name: stead for stead in found.steads}
    if not CARD.fullmatch(card) or (place and place not in names):
        raise common.PageGone("error.malformed", 422)
    if source and (source not in names or card not in [each.card for each in names[source].cards]):
        raise common.PageGone("laying.gone", 410)
    if not (source or place) or card not in known(names_of(snapshot, language())):
        raise common.PageGone("error.malformed", 422)
    room = names[place].place.most - len(names[place].cards) + (source == place) if place else 1
    if room < 1:
        raise common.PageGone("laying.full", 409)
    return CardLaid(card, place, source, face)


# --- what is shown --------------------------------------------------------------------------------


def board() -> Board:
    """Return the rendered table as it lies, compared with what the rules say."""
    snapshot = house().snapshot()
    try:
        lying = ask(ReadRenderedTable())
    except CameraRefusal as refusal:
        return Board(refusal.key or "failed", refusal.fields)
    if snapshot.state is None:
        return Board("failed")
    players = players_of(snapshot)
    places = snapshot.game.places(len(players))
    seats = {each.seat for each in places if each.seat is not None and each.name not in lying.places}
    here = [each for each in places if each.name in lying.places]
    said: Layout = snapshot.game.layout(snapshot.state)
    said = msgspec.structs.replace(said, spots={n: s for n, s in said.spots.items() if n in lying.places})
    return Board("", {}, steads(lying.cards, said, here), lying.moving, tuple(sorted(seats)))


def drawn(found: Board) -> str:
    """Return the table as a piece of the page."""
    snapshot = house().snapshot()
    say = words(language(), package(snapshot.game))
    if found.key:
        return render_template("laying_board.html", wrong=told(say, "answer", found.key, found.fields))
    players = players_of(snapshot)
    card, looks = say_card(snapshot, say), known(names_of(snapshot, language()))

    def chip(name: str, face: str, odd: str) -> Chip:
        called, group = looks.get(name, (card(name), CardPickGroup("", "", "", ())))
        return Chip(name, called, group.look, group.icon, face, odd)

    back = back_of(snapshot)
    rows = [(stead, place_name(stead.place.name, players, say), chips(stead, chip, back)) for stead in found.steads]
    return render_template(
        "laying_board.html",
        common=[row for row in rows if row[0].place.seat is None],
        seats=[(seat, [row for row in rows if row[0].place.seat == seat]) for seat in range(len(players))],
        lacks=[players[seat].name for seat in found.lacks],
        players=players,
        moving=found.moving,
        turns=turns(found, snapshot),
        odd=sum(len(stead.extra) + len(stead.missing) for stead in found.steads) + any(s.upended for s in found.steads),
        words=say,
    )


def chips(stead: CardTarget, chip: Any, back: str) -> list[Chip]:
    """Return the cards of a place: those that lie there, then those that should."""
    extra = Counter(stead.extra)
    found: list[Chip] = []
    for each in reversed(stead.cards):
        odd = extra[each.shows] > 0
        extra[each.shows] -= odd
        found.insert(0, chip(each.card, each.face, "extra" if odd else ""))
    return found + [chip(name or back, "down" if name == HIDDEN else "up", "missing") for name in stead.missing]


def turns(found: Board, snapshot: Snapshot) -> tuple[tuple[int, str], ...]:
    """Return how many cards turn up now, and where, as people say it."""
    if snapshot.state is None or snapshot.over:
        return ()
    say, players = words(language(), package(snapshot.game)), players_of(snapshot)
    moves = turning(found.steads, turned_up(snapshot.game, snapshot.state, lambda: 0.0))
    counts = Counter([each.place for each in moves])
    return tuple([(count, place_name(place, players, say)) for place, count in counts.items()])


def known(groups: tuple[CardPickGroup, ...]) -> dict[str, tuple[str, CardPickGroup]]:
    """Return how every card of the game is called, and its group, by its name in a deck."""
    return {pick.card: (pick.name, group) for group in groups for pick in group.picks}


def back_of(snapshot: Snapshot) -> str:
    """Return the back that a card shows of which only that is known: the first of the deck's."""
    names = [card for card in known(names_of(snapshot, language())) if card.startswith(BACK)]
    return names[0] if names else ""
