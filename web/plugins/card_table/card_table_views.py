"""The card table: a page on which people without a camera move cards and pieces on the rendered table."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec
from flask import Blueprint, Response, render_template, request

from companion.devices.camera_requests.camera_request import CameraRefusal
from companion.devices.camera_requests.table import ReadRenderedTable
from companion.engine import Layout, Player
from companion.engine.board import board_of
from companion.engine.layout import cell_places
from companion.messages import CardLaid
from companion.table.snapshot import Snapshot
from web.context import context
from web.plugins.card_table import token_laying
from web.plugins.card_table.pieces import is_cell, named_by_colour, named_by_seat, piece_of, rendered_map, supply
from web.presenters.board import BoardView
from web.presenters.board_words import piece_title
from web.presenters.camera_status import camera_sentence, place_name
from web.presenters.card_moves import (
    HIDDEN,
    CardTarget,
    Face,
    cards_to_turn_up,
    compare_places,
    settling_moves,
    turning_moves,
)
from web.presenters.card_names import CardPickGroup, back_of, card_groups_of, say_card
from web.presenters.match_log import players_of
from web.views import responses, viewer_pages
from web.views.camera import ask, camera_link
from web.words import language, package, words

bp = Blueprint("card_table", __name__)
CARD = re.compile(r"[\w][\w +&'().-]{0,39}")
LUCK = random.SystemRandom()


class Chip(NamedTuple):
    """One card on the page. `mismatch`: `extra` (it should not be there), `missing` (it should), or empty."""

    card: str
    name: str
    look: str
    icon: str
    face: str
    mismatch: str


class RenderedBoard(msgspec.Struct, frozen=True):
    """The present rendered table. `key` says why it is unknown; it names an answer's sentence."""

    key: str = ""
    fields: Mapping[str, object] = {}
    targets: tuple[CardTarget, ...] = ()
    moving: int = 0
    lacks: tuple[int, ...] = ()
    """Seats that have no places on the rendered mat."""
    cells: BoardView | None = None
    """The rendered board with its pieces; None for a game without one."""
    supply: tuple[str, ...] = ()
    """Pieces that can be brought from beside the table."""


@bp.get("/laying")
def page(token: str) -> str:
    """Show the table, or report that the table is real."""
    viewer = viewer_pages.require_viewer("host", "table")
    there = context().watcher.camera().rendered
    groups = card_groups_of(context().snapshot(), language()) if there else ()
    return viewer_pages.render_page(
        "card_table/page.html",
        viewer,
        rendered=there,
        groups=groups,
        board=render_board(read_board()) if there else "",
        tokens=token_laying.render_form() if there else "",
    )


@bp.get("/laying/board")
def board(token: str) -> Response:
    """Show the present table."""
    viewer_pages.require_viewer("host", "table")
    return Response(render_board(read_board()))


@bp.get("/laying.json")
def laid_cards(token: str) -> Response:
    """Return the cards at each place of the rendered table, for programs that play. Leave out cards that the page
    hides.
    """
    viewer_pages.require_viewer("host", "table")
    found = read_board()
    if found.key:
        return responses.message(camera_sentence(words(language()), "answer", found.key, found.fields), 409)
    cards = {target.place.name: [(each.card, each.face) for each in target.cards] for target in found.targets}
    return Response(msgspec.json.encode(cards), mimetype="application/json", headers={"Cache-Control": "no-store"})


@bp.post("/laying")
def act(token: str) -> Response:
    """Move a card, turn cards up, or lay the table by the rules; describe the change in a sentence."""
    viewer_pages.require_viewer("host", "table")
    say = words(language())
    found, link = read_board(), camera_link()
    if found.key or link is None:
        return responses.message(camera_sentence(say, "answer", found.key, found.fields), 409)
    if found.moving:
        return responses.message(say("card_table.wait"), 409)
    moves = read_moves(found)
    if not moves:
        return responses.message(say("card_table.nothing"))
    players = players_of(context().snapshot())
    if not all(link.lay(named_by_colour(each, players)) for each in moves):
        return responses.message(say("answer.absent"), 409)
    return responses.message(say("card_table.moved", count=len(moves)))


def read_moves(found: RenderedBoard) -> tuple[CardLaid, ...]:
    """Return the moves that a form requests; raise `PageGone` for impossible ones."""
    snapshot = context().snapshot()
    match request.form.get("do", ""):
        case "move":
            return (read_move(found, snapshot),)
        case "settle":
            return settling_moves(found.targets, back_of(snapshot, language()))
        case "turn":
            assert snapshot.state is not None
            return turning_moves(found.targets, cards_to_turn_up(snapshot.seen_game, snapshot.state, LUCK.random))
    raise responses.PageGone("error.malformed", 422)


def read_move(found: RenderedBoard, snapshot: Snapshot) -> CardLaid:
    """Return the single card's move that a form requests."""
    form = request.form
    card, source, place = form.get("card", ""), form.get("source", ""), form.get("place", "")
    face: Face = "down" if form.get("face") == "down" else "up"
    names = {target.place.name: target for target in found.targets}
    if (
        not CARD.fullmatch(card)
        or (place and place not in names)
        or (source and place and is_cell(source) != is_cell(place))
    ):
        raise responses.PageGone("error.malformed", 422)
    if source and (source not in names or card not in [each.card for each in names[source].cards]):
        raise responses.PageGone("card_table.gone", 410)
    if is_cell(source or place):
        known = card in found.supply
    else:
        known = bool(source or place) and card in card_looks(card_groups_of(snapshot, language()))
    if not known:
        raise responses.PageGone("error.malformed", 422)
    room = names[place].place.most - len(names[place].cards) + (source == place) if place else 1
    if room < 1:
        raise responses.PageGone("card_table.full", 409)
    return CardLaid(card, place, source, face)


# --- what is shown --------------------------------------------------------------------------------


def read_board() -> RenderedBoard:
    """Return the present rendered table, compared with the rules."""
    snapshot = context().snapshot()
    try:
        lying = ask(ReadRenderedTable())
    except CameraRefusal as refusal:
        return RenderedBoard(refusal.key or "failed", refusal.fields)
    if snapshot.state is None:
        return RenderedBoard("failed")
    players = players_of(snapshot)
    board = board_of(snapshot.game, snapshot.state)
    places = (*snapshot.seen_game.places(len(players)), *cell_places(board))
    seats = {each.seat for each in places if each.seat is not None and each.name not in lying.places}
    here = [each for each in places if each.name in lying.places]
    said: Layout = snapshot.seen_game.layout(snapshot.state)
    spots = {name: spot for name, spot in said.spots.items() if name in lying.places}
    spots |= {place.name: said.spot(place.name) for place in here if is_cell(place.name)}
    cards = named_by_seat(lying.cards, players)
    targets = compare_places(cards, msgspec.structs.replace(said, spots=spots), here)
    found = RenderedBoard("", {}, targets, lying.moving, tuple(sorted(seats)))
    if board is None or not any(is_cell(place.name) for place in here):
        return found
    say = words(language(), package(snapshot.game))
    cells = rendered_map(board, cards, players, say)
    return msgspec.structs.replace(found, cells=cells, supply=supply(board, said, cards, len(players)))


def render_board(found: RenderedBoard) -> str:
    """Return the table as an HTML fragment."""
    snapshot = context().snapshot()
    say = words(language(), package(snapshot.game))
    if found.key:
        return render_template("card_table/board.html", wrong=camera_sentence(say, "answer", found.key, found.fields))
    players = players_of(snapshot)
    card, looks = say_card(snapshot, say), card_looks(card_groups_of(snapshot, language()))

    def chip(name: str, face: str, mismatch: str) -> Chip:
        if name in found.supply:
            return Chip(name, piece_title(name, players, say), piece_look(name, players), "", face, mismatch)
        called, group = looks.get(name, (card(name), CardPickGroup("", "", "", ())))
        return Chip(name, called, group.look, group.icon, face, mismatch)

    back = back_of(snapshot, language())
    rows = [
        (target, place_name(target.place.name, players, say), chips(target, chip, back)) for target in found.targets
    ]
    cells = [row for row in rows if is_cell(row[0].place.name)]
    return render_template(
        "card_table/board.html",
        common=[row for row in rows if row[0].place.seat is None and row not in cells],
        cells=cells,
        map=found.cells,
        supply=[chip(name, "up", "") for name in found.supply],
        seats=[(seat, [row for row in rows if row[0].place.seat == seat]) for seat in range(len(players))],
        lacks=[players[seat].name for seat in found.lacks],
        players=players,
        moving=found.moving,
        turns=turns(found, snapshot),
        mismatches=sum(len(target.extra) + len(target.missing) for target in found.targets)
        + any(s.upended for s in found.targets),
        words=say,
    )


def chips(target: CardTarget, chip: Callable[[str, str, str], Chip], back: str) -> list[Chip]:
    """Return a place's cards: those that lie there, then the missing ones."""
    extra = Counter(target.extra)
    found: list[Chip] = []
    for each in reversed(target.cards):
        misplaced = extra[each.shows] > 0
        extra[each.shows] -= misplaced
        found.insert(0, chip(each.card, each.face, "extra" if misplaced else ""))
    return found + [chip(name or back, "down" if name == HIDDEN else "up", "missing") for name in target.missing]


def piece_look(name: str, players: Sequence[Player]) -> str:
    """Return the style of a piece: its seat's colour."""
    piece = piece_of(name, "", len(players))
    return "" if piece is None or piece.owner is None else f"card-table-piece seat-{players[piece.owner].colour}"


def turns(found: RenderedBoard, snapshot: Snapshot) -> tuple[tuple[int, str], ...]:
    """Return the number of cards to turn up now, and their places in words."""
    if snapshot.state is None or snapshot.over:
        return ()
    say, players = words(language(), package(snapshot.game)), players_of(snapshot)
    moves = turning_moves(found.targets, cards_to_turn_up(snapshot.seen_game, snapshot.state, lambda: 0.0))
    counts = Counter([each.place for each in moves])
    return tuple([(count, place_name(place, players, say)) for place, count in counts.items()])


def card_looks(groups: tuple[CardPickGroup, ...]) -> dict[str, tuple[str, CardPickGroup]]:
    """Return every card's worded name and group, by its name in the deck."""
    return {pick.card: (pick.name, group) for group in groups for pick in group.picks}
