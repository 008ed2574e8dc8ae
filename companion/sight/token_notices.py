"""What people should know of the tokens on the table, or do with them, judged from one scene."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

import msgspec

from companion.engine import Confirming, Event, Seat, Timing, amount_of, money_place, seat_of
from companion.sight.token_reading import TokenScene, awaited_places, hidden_places, is_money_place
from companion.table.sight_records import TokenNotice


class CountedTokens(msgspec.Struct, frozen=True):
    """The tokens of a count, and the dollars for which it stands."""

    tokens: tuple[str, ...]
    amount: int


class TokenMemory(msgspec.Struct):
    """What is remembered of a match besides its state, by the names of places."""

    counted: dict[str, CountedTokens] = {}
    """What was counted at each place, as long as counts are confirmed."""
    dues: dict[str, int] = {}
    """Dollars that a seat owes the bank and has not laid down completely yet, or that still lie there."""
    paid: set[str] = set()
    """Places of `dues` where the whole sum has lain."""
    bidders: tuple[Seat, ...] = ()
    """The seats whose fists opened last."""
    kept: dict[str, TokenNotice] = {}
    """Old money that lay at a place when fists closed and the place became black."""


def timing_of(scene: TokenScene) -> Timing | None:
    """Return what a press means now, also while the game is paused."""
    agenda = scene.state.agenda
    return agenda[0].timing(scene.state.table) if agenda else None


def find_notices(scene: TokenScene, memory: TokenMemory) -> tuple[TokenNotice, ...]:
    """Return all notices but those of refused events, the most urgent first."""
    timing = timing_of(scene)
    counting = isinstance(timing, Confirming)
    return (
        *_open_hands(scene),
        *_compare_lying(scene, memory, counting),
        *memory.kept.values(),
        *_unread(scene, "spread", scene.seen.doubtful),
        *_more_than_counted(scene, memory.counted),
        *_unread(scene, "edge", hidden_places(scene)),
        *_moved(scene, memory.counted),
        *_payments(scene, memory),
        *(_bystanders(scene, memory.bidders) if counting else ()),
        *[TokenNotice("two_tokens", place, scene.places[place].seat) for place in scene.crowded],
        *_sequence(scene),
    )


def _open_hands(scene: TokenScene) -> Iterator[TokenNotice]:
    for place in scene.open_hands:
        if place in scene.places:
            yield TokenNotice("open_hand", place, scene.places[place].seat)


def _unread(scene: TokenScene, key: str, places: Collection[str]) -> Iterator[TokenNotice]:
    """Find unread places without which play does not go on."""
    for place in awaited_places(scene, places):
        yield TokenNotice(key, place, scene.places[place].seat)


def _compare_lying(scene: TokenScene, memory: TokenMemory, counting: bool) -> Iterator[TokenNotice]:
    """Compare money with what may lie there; what a seat still owes the bank may lie there too."""
    for place, due in sorted(scene.game.lying_money(scene.state).items()):
        lies = scene.money(place) if place in scene.readable else None
        if lies is None:
            continue
        seat = scene.places[place].seat
        owed = memory.dues.get(place, 0)
        if lies < due:
            yield TokenNotice("less" if counting else "put_back", place, seat, lies if counting else due - lies, due)
        elif lies > due + owed and not counting:
            yield TokenNotice("take_back", place, seat, lies - due - owed, due)


def _moved(scene: TokenScene, counted: Mapping[str, CountedTokens]) -> Iterator[TokenNotice]:
    """Find places where other tokens lie than were counted."""
    for place, count in counted.items():
        lies = scene.money(place)
        if lies is not None and Counter(scene.seen.places[place]) != Counter(count.tokens):
            yield TokenNotice("moved", place, scene.places[place].seat, lies)


def _more_than_counted(scene: TokenScene, counted: Mapping[str, CountedTokens]) -> Iterator[TokenNotice]:
    """Find places where not all can be named, but other tokens than were counted."""
    for place, count in counted.items():
        if place in scene.seen.doubtful and Counter(scene.seen.places[place]) - Counter(count.tokens):
            yield TokenNotice("spread", place, scene.places[place].seat)


def note_sum(scene: TokenScene, memory: TokenMemory, event: Event) -> None:
    """Note a sum that a seat has said: if it is what lies there now, that is its count."""
    place, amount = place_of(seat_of(event), scene), amount_of(event)
    count, lies = memory.counted.get(place), scene.money(place)
    if count is None or lies is None or amount is None:
        return
    if lies - scene.worth(count.tokens) == amount - count.amount:
        memory.counted[place] = CountedTokens(scene.seen.places[place], amount)


def _payments(scene: TokenScene, memory: TokenMemory) -> Iterator[TokenNotice]:
    """Find payments of which only a part lies there."""
    for place, due in sorted(memory.dues.items()):
        lies = scene.money(place)
        if lies is not None and 0 < lies < due and place not in memory.paid:
            yield TokenNotice("pays", place, scene.places[place].seat, lies, due)


def note_payments(scene: TokenScene, memory: TokenMemory) -> None:
    """Note which payments are complete; a complete one whose money is gone is over."""
    for place, due in tuple(memory.dues.items()):
        lies = scene.money(place)
        if lies is None:
            continue
        if lies >= due:
            memory.paid.add(place)
        elif place in memory.paid:
            memory.paid.discard(place)
            del memory.dues[place]


def _bystanders(scene: TokenScene, bidders: Collection[Seat]) -> Iterator[TokenNotice]:
    """Find money of seats that take no part."""
    for place in sorted(scene.readable):
        seat = scene.places[place].seat
        if bidders and is_money_place(place) and seat is not None and seat not in bidders:
            lies = scene.money(place)
            if lies or place in scene.seen.doubtful:
                yield TokenNotice("not_playing", place, seat, lies or 0)


def _sequence(scene: TokenScene) -> Iterator[TokenNotice]:
    """Find seats whose own token is another one than the rules give them."""
    for place, token in sorted(scene.game.ordered_tokens(scene.state).items()):
        if place in scene.readable and scene.seen.certain(place) and place not in scene.crowded:
            lies = scene.seen.places[place]
            if lies and lies != (token,):
                yield TokenNotice("sequence", place, scene.places[place].seat)


def place_of(seat: Seat | None, scene: TokenScene) -> str:
    """Return the place of a seat's money; empty for an event of no seat, or a game without such a place."""
    place = "" if seat is None else money_place(seat)
    return place if place in scene.places else ""
