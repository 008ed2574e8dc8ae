"""The positions of cards and pieces in Trains, and guesses at the next event, for the rules to try.

A decision without a trace is guessed only together with all its alternatives, so that people must choose; one that
names cards of a hand is never guessed, and people enter it.
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
"""The most cards that fit at a place. A turn or two in a game exceeds it; then the place is not compared."""
TRACED = (*RAIL_TEXTS, STATION, "maintenance_factory", "switchback", "holiday_timetable")
"""Texts that leave a piece, or change the cards on the mat, when applied."""
ENTERED = (
    "command_central", "conductors_station", "early_train", "garage", "information_central", "mail_train", "signals",
    "temporary_timetable", "wagon_factory",
)  # fmt: skip
"""Texts that go on to cards outside any picture, or reveal some: people enter whether they apply them. If they were
guessed, only declining them would explain the picture.
"""
FEW = 8
"""The most decisions without a trace to ask people about."""


def places(players: int) -> tuple[Place, ...]:
    """Return the places of the table: for cards in play, gained and revealed. Decks, hands and supply have none."""
    return tuple([Place(name, "spread", most) for name, most in ROOM.items()])


def layout(state: State[Table]) -> Layout:
    """Return the cards and pieces at each place."""
    table, zones = state.table, state.table.zones
    spots = {name: Spot(zones.named(name)) for name, most in ROOM.items() if len(zones.named(name)) <= most}
    cubes = [Piece("cube", Seat(seat), cell) for seat, own in enumerate(table.rails) for cell in own]
    stations = [Piece("station", None, cell) for cell, count in sorted(table.stations.items()) for _ in range(count)]
    return Layout(spots, pieces=by_cell([*cubes, *stations]))


# --- possible events ---------------------------------------------------------------------------------


def candidate_events(state: State[Table], said: Layout, seen: Layout) -> Iterable[Event]:
    """Return possible events: cubes and stations first, then cards, then decisions without a trace."""
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
    """Yield possible decisions about a card's text.

    With more cards in play than fit, each picture shows unexpected ones, and declining would explain it: then people
    enter that they decline, and only decisions with a trace are guessed.
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
    """Return whether a text may need more cards than the deck has: then one of its ways is longer than the others."""
    wanted = 1 if text == "station_crew" else DRAWN.get(text, 0)
    return table.zones.count(deck_of(seat)) < wanted


def endings(table: Table, step: Act) -> Iterator[Event]:
    """Yield possible ends of a turn. Only people know how much Waste a passing seat returned: any amount is possible.

    A card bought onto the deck leaves no trace (K07), nor does one without space on the mat: then people enter the end
    of the turn.
    """
    if table.acted:
        if not (table.holds("early_train") and for_sale(table)) and has_room(table):
            yield ev.Ended(step.seat)
    else:
        ways = [event for offer in offers_of(step, table) for event in offer]
        yield from [event for event in ways if not isinstance(event, ev.Played | ev.Bought | ev.BoughtOnDeck)]


def has_room(table: Table) -> bool:
    """Return whether one more card in play, and a purchase that brings Waste, would still fit."""
    lies = table.zones.named
    return len(lies(PLAY)) < ROOM[PLAY] and len(lies(GAINED)) + 2 <= ROOM[GAINED]


def added(said: Layout, seen: Layout, place: str) -> Iterator[str]:
    """Yield the unexpected cards at a place, including those that lay there for a while.

    Places with more cards than fit are not compared.
    """
    if place in said.spots:
        yield from dict.fromkeys((*said.added_cards(seen, place), *seen.passed.get(place, ())))


def beside_mat(state: State[Table]) -> Hashable:
    """Return public facts about piles, hands, coins and the track."""
    table, zones = state.table, state.table.zones
    piles = [zones.count(pile(seat)) for seat in range(table.fixed.players) for pile in (deck_of, hand_of, discard_of)]
    return table.coins, table.track, tuple(piles), tuple(table.supply.items()), table.in_play


# --- faults ------------------------------------------------------------------------------------------


def faults(state: State[Table], said: Layout, seen: Layout) -> Iterable[Fault]:
    """Return cubes and stations against every rule, each with its remedy."""
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
    """Return why a piece cannot be there, as the key of a fault; empty if it can. `came`: its owner's new cubes."""
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
