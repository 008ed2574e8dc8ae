"""The effects of taps on a board's cells: legal events as forms, their prices, and cells for an amendment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from companion.engine import AnyState, Board, CostItem, Event, Player, Seat, fields_of, layout_for, name_of
from companion.engine.board import BoardRules, board_of, cell_fields, cells_named, plays_on_board
from companion.i18n import Words
from web.presenters.accepted_values import alike_events
from web.presenters.board import BoardView, CellMove, LitCell, MoveForm, drawn_board
from web.presenters.board_words import cost_sentence


def board_view(
    game: object,
    state: AnyState,
    players: Sequence[Player],
    say: Words,
    events: Iterable[Event] = (),
    say_event: Callable[[Event], str] = name_of,
    seat: Seat | None = None,
) -> BoardView | None:
    """Return a match's board with the effects of these legal events; None for a game without a board.

    `say_event` words an event as a choice, such as "Lay a cube". `seat` is the viewer, who may see its own hidden
    pieces.
    """
    board = board_of(game, state)
    if board is None or not plays_on_board(game):
        return None
    pieces = layout_for(game, state, seat).pieces  # type: ignore[arg-type]
    view = drawn_board(board, pieces, players, say, game.cell_figures(state))
    forms, lit = moves_by_cell(game, state, board, view, say, events, say_event)
    return msgspec.structs.replace(view, forms=forms, lit=lit)


def moves_by_cell(
    game: BoardRules[object],
    state: AnyState,
    board: Board,
    view: BoardView,
    say: Words,
    events: Iterable[Event],
    say_event: Callable[[Event], str],
) -> tuple[tuple[MoveForm, ...], tuple[LitCell, ...]]:
    """Return the forms of legal events that name cells, and those cells. If an event names several cells, the first
    is tapped.
    """
    forms: dict[tuple[str, tuple[tuple[str, str], ...], str], MoveForm] = {}
    found: dict[str, list[tuple[CellMove, int]]] = {}
    for event in events:
        named = cells_named(event)
        if not named or named[0] not in board.by_name:
            continue
        field = next(name for name in cell_fields(type(event)) if fields_of(event)[name] == named[0])
        key = (name_of(event), form_fields(event, field))
        form = forms.setdefault((*key, field), MoveForm(f"do-{len(forms)}", *key))
        items = tuple([CostItem(*item) for item in game.cost(state, event)])
        price = sum(item.amount for item in items if not item.unit)
        move = CellMove(form.key, field, move_title(event, say_event(event), say), cost_sentence(items, say))
        found.setdefault(named[0], []).append((move, price))
    lit = []
    for mark in view.cells:
        if mark.name in found:
            moves, least = found[mark.name], min(price for _, price in found[mark.name])
            paid = any(move.cost for move, _ in moves)
            asks = len(moves) > 1 or paid
            shown = str(least) if paid else ""
            only = tuple([move for move, _ in moves])
            lit.append(LitCell(mark.name, mark.title, mark.x, mark.y, mark.radius, shown, asks, only))
    return tuple(forms.values()), tuple(lit)


def form_fields(event: Event, tapped: str) -> tuple[tuple[str, str], ...]:
    """Return an event's fields except the tapped one, as a form sends them."""
    found: list[tuple[str, str]] = []
    for name, value in fields_of(event).items():
        if name == tapped:
            continue
        values = value if isinstance(value, tuple) else (value,)
        found += [(name, "" if each is None else str(each)) for each in values]
    return tuple(found)


def move_title(event: Event, said: str, say: Words) -> str:
    """Return the label of an event's button: the game's words for the choice, and its destination."""
    named, title = cells_named(event), say("cells.choose") if said == name_of(event) else said
    return say("cells.to", title=title, cell=", ".join(named[1:])) if named[1:] else title


# --- amending -------------------------------------------------------------------------------------


def amending_view(
    game: object, before: AnyState, event: Event, field: str, players: Sequence[Player], say: Words
) -> BoardView | None:
    """Return the board before an event, lighting the cells that its field could have named; None without a board."""
    view = board_view(game, before, players, say)
    if view is None:
        return None
    alike = alike_events(game, before, event, field, chance=False)  # type: ignore[arg-type]
    fits = {fields_of(each)[field] for each in (event, *alike)}
    lit = [LitCell(c.name, c.title, c.x, c.y, c.radius, "", False, ()) for c in view.cells if c.name in fits]
    return msgspec.structs.replace(view, lit=tuple(lit))
