"""Notices for people about the tokens on the table, judged from one scene."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

import msgspec

from companion.engine import Confirming, Event, Moved, Seat, Timing, Unveiling, amount_of, money_place, seat_of
from companion.match.history import HistoryEntry
from companion.sight.token_scene import TokenScene, awaited_places, hidden_places, is_money_place, timing_of
from companion.table.sight_records import TokenNotice


class CountedTokens(msgspec.Struct, frozen=True):
    """The tokens of a count, and their value in dollars."""

    tokens: tuple[str, ...]
    amount: int


class CountsAndDues(msgspec.Struct):
    """Facts about the money that seats lay down, by place name."""

    counted: dict[str, CountedTokens] = {}
    """The counted tokens at each place while counts are confirmed."""
    dues: dict[str, int] = {}
    """Dollars that a seat owes the bank, until they have been laid down completely and removed."""
    paid: set[str] = set()
    """Places of `dues` at which the whole sum has lain."""
    bidders: tuple[Seat, ...] = ()
    """The seats whose fists opened last."""
    kept: dict[str, TokenNotice] = {}
    """Old money at a place when fists closed and the place became black."""

    def note_entries(self, entries: Iterable[HistoryEntry], scene: TokenScene | None) -> None:
        """Note which sums seats have announced, and what they must pay to the bank."""
        for entry in entries:
            if scene is not None:
                self._note_sum(scene, entry.event)
            dues: Counter[str] = Counter()
            for effect in entry.effects:
                if isinstance(effect, Moved) and effect.amount < 0:
                    dues[money_place(effect.seat)] -= effect.amount
            self.dues |= dues
            self.paid -= dues.keys()

    def _note_sum(self, scene: TokenScene, event: Event) -> None:
        """Note an announced sum: if the present money matches it, that is the seat's count."""
        place, amount = place_of(seat_of(event), scene), amount_of(event)
        count, lies = self.counted.get(place), scene.money(place)
        if count is None or lies is None or amount is None:
            return
        if lies - scene.worth(count.tokens) == amount - count.amount:
            self.counted[place] = CountedTokens(scene.seen.places[place], amount)

    def note_payments(self, scene: TokenScene) -> None:
        """Note which payments are complete; a complete payment ends when its money is gone."""
        for place, due in tuple(self.dues.items()):
            lies = scene.money(place)
            if lies is not None and lies >= due:
                self.paid.add(place)
            elif lies is not None and place in self.paid:
                self.paid.discard(place)
                del self.dues[place]

    def follow_fists(
        self, was: Timing | None, now: Timing | None, old_money: Iterable[TokenNotice], readable: Collection[str]
    ) -> bool:
        """Follow fists and return whether they open. `old_money` lay at places that became black."""
        opens = isinstance(was, Unveiling) and (not isinstance(now, Unveiling) or now.lot != was.lot)
        if opens:
            self.kept.clear()
        if isinstance(was, Confirming) and not isinstance(now, Confirming):
            self.counted.clear()
        if isinstance(now, Unveiling):
            self.kept |= {each.place: each for each in old_money}
            self.dues = {place: due for place, due in self.dues.items() if place in readable}
        self.bidders = bidders_of(now, self.bidders)
        return opens


def bidders_of(timing: Timing | None, before: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Return the seats whose fists open together; if there are none now, those of `before`."""
    return timing.seats if isinstance(timing, Unveiling) else before


def find_notices(scene: TokenScene, money: CountsAndDues) -> tuple[TokenNotice, ...]:
    """Return all notices except those of refused events, the most urgent first."""
    counting = isinstance(timing_of(scene.state), Confirming)
    return (
        *[TokenNotice("open_hand", place, scene.places[place].seat) for place in scene.open_hands],
        *_compare_lying(scene, money, counting),
        *money.kept.values(),
        *_unread(scene, "spread", scene.seen.doubtful),
        *_more_than_counted(scene, money.counted),
        *_unread(scene, "edge", hidden_places(scene)),
        *_moved(scene, money.counted),
        *_payments(scene, money),
        *(_bystanders(scene, money.bidders) if counting else ()),
        *[TokenNotice("two_tokens", place, scene.places[place].seat) for place in scene.crowded],
        *_sequence(scene),
    )


def _unread(scene: TokenScene, key: str, places: Collection[str]) -> Iterator[TokenNotice]:
    """Find unread places that block play."""
    for place in awaited_places(scene, places):
        yield TokenNotice(key, place, scene.places[place].seat)


def _compare_lying(scene: TokenScene, money: CountsAndDues, counting: bool) -> Iterator[TokenNotice]:
    """Compare money with the allowed sums; a seat's debt to the bank may lie there too."""
    for place, due in sorted(scene.game.lying_money(scene.state).items()):
        lies = scene.money(place) if place in scene.readable else None
        if lies is None:
            continue
        seat = scene.places[place].seat
        owed = money.dues.get(place, 0)
        if lies < due:
            yield TokenNotice("less" if counting else "put_back", place, seat, lies if counting else due - lies, due)
        elif lies > due + owed and not counting:
            yield TokenNotice("take_back", place, seat, lies - due - owed, due)


def _moved(scene: TokenScene, counted: Mapping[str, CountedTokens]) -> Iterator[TokenNotice]:
    """Find places whose tokens differ from the counted ones."""
    for place, count in counted.items():
        lies = scene.money(place)
        if lies is not None and Counter(scene.seen.places[place]) != Counter(count.tokens):
            yield TokenNotice("moved", place, scene.places[place].seat, lies)


def _more_than_counted(scene: TokenScene, counted: Mapping[str, CountedTokens]) -> Iterator[TokenNotice]:
    """Find places with unnamed tokens besides the counted ones."""
    for place, count in counted.items():
        if place in scene.seen.doubtful and Counter(scene.seen.places[place]) - Counter(count.tokens):
            yield TokenNotice("spread", place, scene.places[place].seat)


def _payments(scene: TokenScene, money: CountsAndDues) -> Iterator[TokenNotice]:
    """Find incomplete payments."""
    for place, due in sorted(money.dues.items()):
        lies = scene.money(place)
        if lies is not None and 0 < lies < due and place not in money.paid:
            yield TokenNotice("pays", place, scene.places[place].seat, lies, due)


def _bystanders(scene: TokenScene, bidders: Collection[Seat]) -> Iterator[TokenNotice]:
    """Find money of seats that do not take part."""
    for place in sorted(scene.readable):
        seat = scene.places[place].seat
        if bidders and is_money_place(place) and seat is not None and seat not in bidders:
            lies = scene.money(place)
            if lies or place in scene.seen.doubtful:
                yield TokenNotice("not_playing", place, seat, lies or 0)


def _sequence(scene: TokenScene) -> Iterator[TokenNotice]:
    """Find seats whose token is not the one that the rules gave them."""
    for place, token in sorted(scene.game.ordered_tokens(scene.state).items()):
        if place in scene.readable and scene.seen.certain(place) and place not in scene.crowded:
            lies = scene.seen.places[place]
            if lies and lies != (token,):
                yield TokenNotice("sequence", place, scene.places[place].seat)


def place_of(seat: Seat | None, scene: TokenScene) -> str:
    """Return the place of a seat's money; empty for an event without a seat, or a game without such a place."""
    place = "" if seat is None else money_place(seat)
    return place if place in scene.places else ""
