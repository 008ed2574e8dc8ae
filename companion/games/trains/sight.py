"""What lies where in Trains, and what is seen of it says: guesses at the next event, which the rules then try.

A decision that leaves no trace is guessed only together with all its alternatives, so that people are asked which it
was; one that names cards of a hand is never guessed, and people enter it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator

from companion.engine import CellName, Event, Fault, Layout, Piece, Place, Seat, Spot, State, by_cell, offers_of
from companion.engine.layout import ON_BOARD
from companion.games.trains import events as ev
from companion.games.trains.catalogue import STATION
from companion.games.trains.rails import barriers, station_refusal
from companion.games.trains.steps.applying import DRAWN
from companion.games.trains.steps.effects import OFFICE, RAIL_TEXTS, ApplyText, offers
from companion.games.trains.steps.turn import Act, for_sale
from companion.games.trains.table import GAINED, PLAY, REVEALED, Table, deck_of, discard_of, hand_of

ROOM = {PLAY: 8, GAINED: 6, REVEALED: 4}
"""The most cards that find room at a place. More lie together in a turn or two of a game; then nothing is compared."""
TRACED = (*RAIL_TEXTS, STATION, "maintenance_factory", "switchback", "holiday_timetable")
"""Texts that leave a piece, or change the cards on the mat, when they are applied."""
ENTERED = (
    "command_central", "conductors_station", "early_train", "garage", "information_central", "mail_train", "signals",
    "temporary_timetable", "wagon_factory",
)  # fmt: skip
"""Texts that go on with cards which no picture shows, or reveal some: people say whether they apply them. If they
were guessed, only doing without them would explain what is seen."""
FEW = 8
"""Decisions without a trace are asked where there are at most so many."""


def places(players: int) -> tuple[Place, ...]:
    """Return the places of the table: what is in play, gained and revealed. Decks, hands and supply have none."""
    return tuple([Place(name, "spread", most) for name, most in ROOM.items()])


def layout(state: State[Table]) -> Layout:
    """Return what lies there."""
    table, zones = state.table, state.table.zones
    spots = {name: Spot(zones.named(name)) for name, most in ROOM.items() if len(zones.named(name)) <= most}
    cubes = [Piece("cube", Seat(seat), cell) for seat, own in enumerate(table.rails) for cell in own]
    stations = [Piece("station", None, cell) for cell, count in sorted(table.stations.items()) for _ in range(count)]
    return Layout(spots, pieces=by_cell([*cubes, *stations]))


# --- what may have happened -----------------------------------------------------------------------


def candidate_events(state: State[Table], said: Layout, seen: Layout) -> Iterable[Event]:
    """Return what may have happened: cubes and stations first, then cards, then what leaves no trace."""
    table, step = state.table, state.agenda[0]
    for seat in step.awaits(table):
        for piece in said.added_pieces(seen):
            cell = CellName(piece.cell)
            if piece.kind == "station":
                yield ev.StationBuilt(seat, cell)
            else:
                yield from (ev.RailLaid(seat, cell), ev.StartPlaced(seat, cell))
        yield from [ev.Played(seat, card) for card in added(said, seen, PLAY)]
        yield from [ev.Bought(seat, card) for card in added(said, seen, GAINED)]
        if isinstance(step, ApplyText):
            yield from decisions(table, step, said, seen)
        if isinstance(step, Act):
            yield from endings(table, step)
        yield ev.Reshuffled(seat)
    yield from [ev.CardRevealed(table.turn, card) for card in added(said, seen, REVEALED)]


def decisions(table: Table, step: ApplyText, said: Layout, seen: Layout) -> Iterator[Event]:
    """Yield what may have been decided about a card's text.

    Where more cards are in play than find room, each picture shows some that nobody expects, and to decline would
    explain it: then people say whether they decline, and only what leaves a trace is guessed.
    """
    seat = step.seat
    if PLAY not in said.spots:
        return
    if step.card in TRACED:
        yield from [ev.CardChosen(seat, card) for card in (*added(said, seen, GAINED), *added(seen, said, PLAY))]
        yield from (ev.Declined(seat), ev.Applied(seat))
        return
    texts = table.played if step.card == OFFICE else (step.card,)
    if any(text in ENTERED or shuffles(table, seat, text) for text in texts):
        return
    ways = [event for offer in offers(table, seat, step.card, step.at) for event in offer]
    if len(ways) <= FEW:
        yield from (*ways, *(() if step.copied else (ev.Declined(seat),)))


def shuffles(table: Table, seat: Seat, text: str) -> bool:
    """Whether a text may need more cards than the deck has: then one of its ways is longer than the others."""
    wanted = 1 if text == "station_crew" else DRAWN.get(text, 0)
    return table.zones.count(deck_of(seat)) < wanted


def endings(table: Table, step: Act) -> Iterator[Event]:
    """Yield how a turn may end. How much Waste a seat that passes returned, only people know: any may be.

    A card that was bought onto the deck leaves no trace (K07), nor does one that finds no room on the mat: then people
    say that the turn ends.
    """
    if table.acted:
        if not (table.holds("early_train") and for_sale(table)) and has_room(table):
            yield ev.Ended(step.seat)
    else:
        ways = [event for offer in offers_of(step, table) for event in offer]
        yield from [event for event in ways if not isinstance(event, ev.Played | ev.Bought | ev.BoughtOnDeck)]


def has_room(table: Table) -> bool:
    """Whether one more card in play, and a purchase that brings Waste, would still find room."""
    lies = table.zones.named
    return len(lies(PLAY)) < ROOM[PLAY] and len(lies(GAINED)) + 2 <= ROOM[GAINED]


def added(said: Layout, seen: Layout, place: str) -> Iterator[str]:
    """Yield the cards that lie at a place and were not expected there, or that lay there for a while.

    Where more cards lie than find room, nothing is compared.
    """
    if place in said.spots:
        yield from dict.fromkeys((*said.added_cards(seen, place), *seen.passed.get(place, ())))


def beside_mat(state: State[Table]) -> Hashable:
    """Return what people know of piles, hands, coins and the track."""
    table, zones = state.table, state.table.zones
    piles = [zones.count(pile(seat)) for seat in range(table.fixed.players) for pile in (deck_of, hand_of, discard_of)]
    return table.coins, table.track, tuple(piles), tuple(table.supply.items()), table.in_play


# --- what no rule allows --------------------------------------------------------------------------


def faults(state: State[Table], said: Layout, seen: Layout) -> Iterable[Fault]:
    """Return cubes and stations that stand where no rule allows them, each with what would make it right."""
    came, gone = list(said.added_pieces(seen)), list(said.missing_pieces(seen))
    for piece in came:
        before = next((each for each in gone if each.sort == piece.sort), None)
        here = ON_BOARD + piece.cell
        if before is not None:
            gone.remove(before)
            yield Fault(here, f"{piece.kind}_moved", piece.owner, besides=(ON_BOARD + before.cell,))
            continue
        why = misplaced(state.table, piece, [each.cell for each in came if each.owner == piece.owner])
        if why:
            yield Fault(here, why, piece.owner)


def misplaced(table: Table, piece: Piece, came: list[str]) -> str:
    """Return why a piece cannot stand there, as the key of a fault; empty if it may. `came`: its owner's new cubes."""
    place = table.board.by_name[piece.cell]
    if piece.kind == "station":
        return "station_no_room" if station_refusal(table, piece.cell) is not None else ""
    if piece.owner is None:
        return ""
    own = [*table.rails[piece.owner], *came]
    if Counter(own)[piece.cell] > 1:
        return "cube_twice"
    if place.kind == "sea":
        return "cube_sea"
    near = [cell for cell in place.neighbours if cell in own and frozenset((cell, piece.cell)) not in barriers(table)]
    return "cube_apart" if table.rails[piece.owner] and not near else ""
