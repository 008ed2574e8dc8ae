"""The story of a finished game: the places from last to first, the reason for each, and the decisive move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from companion.engine import AnyGame, AnyState, Seat
from companion.games import definition_of, load_part, teller_of
from companion.i18n import Words
from companion.match.history import HistoryEntry
from companion.mechanics.definition import Moments
from companion.mechanics.moments import Income
from companion.table.snapshot import Snapshot
from web.game_pages import pages_of
from web.presenters.match_log import entry_sentences, players_of
from web.presenters.moments import moments_of, signed
from web.presenters.report import turning_point
from web.presenters.standings import Sides, Standing, standings_of

MOST = 2
"""The most sources named for each side: the largest."""
SENTENCES = 1
"""Sentences on the decisive moment."""
HANDS = range(2, 9)
"""The fewest hands for a story that goes hand by hand."""

Leaders = tuple[Seat, ...]
Scores = Sequence[Sequence[int]]
"""Every seat's score at the beginning and after each event."""
Names = Callable[[Sequence[Seat]], str]


class SideSources(NamedTuple):
    """The sources of a side's points or money, the largest first: signed amount, and name."""

    seats: tuple[Seat, ...]
    parts: tuple[tuple[str, str], ...]


class ToldPlace(NamedTuple):
    """A side's place, and its reason in short: the tie rule, its hands, its sources or its distance."""

    standing: Standing
    why: tuple[str, ...]


class Story(NamedTuple):
    """The content of the ceremony, the best place first."""

    places: tuple[ToldPlace, ...]
    winner_seats: tuple[Seat, ...]
    winners: str
    lead_sentence: str
    decisive: tuple[str, ...]
    started_lead: bool
    """Whether the decisive moment gave the winner the lead; otherwise it was the winner's largest gain."""


def story_of(snapshot: Snapshot, lang: str, say: Words) -> Story:
    """Return the story of a finished match."""
    assert snapshot.state is not None and snapshot.setup is not None
    game, setup, entries = snapshot.game, snapshot.setup, snapshot.entries
    states = [game.begin(setup), *(entry.after for entry in entries)]
    history = [game.scores(state) for state in states]
    players, sides = players_of(snapshot), game.sides(setup)
    leaders = [leading(game, sides, state) for state in states]
    winners = game.winners(snapshot.state)
    at, gained_lead = decisive_entry(history, sides, winners)
    teller = teller_of(game)

    def names(seats: Sequence[Seat]) -> str:
        return str(teller.names(seats, players, say))

    return Story(
        places=told_places(snapshot, states, history, names, say),
        winner_seats=tuple(winners),
        winners=names(winners),
        lead_sentence=lead_sentence(leaders, names, say),
        decisive=() if at is None else public_sentences(snapshot, at, lang, [players[seat].name for seat in winners]),
        started_lead=gained_lead,
    )


def told_places(
    snapshot: Snapshot, states: Sequence[AnyState], history: Scores, names: Names, say: Words
) -> tuple[ToldPlace, ...]:
    """Return every side with its place and the reason, the best first."""
    assert snapshot.state is not None and snapshot.setup is not None
    standings = standings_of(snapshot.game, snapshot.setup, snapshot.state)
    paid = {each.seats: each.parts for each in sources(snapshot, states, say)}
    by_hand = hands(snapshot, history)
    found = []
    for at, own in enumerate(standings):
        why = [tie] if (tie := tie_reason(standings, at, say)) else []
        if by_hand:
            sums = " ".join([signed(scores[own.seats[0]], lambda points: f" {points}") for scores in by_hand])
            why.append(say("ending.by_hand", sums=sums.removeprefix("+ ")))
        elif paid.get(own.seats):
            why += [say("ending.source", amount=amount, name=name) for amount, name in paid[own.seats]]
        elif not tie and at:
            ahead = standings[at - 1]
            why.append(say("ending.behind", gap=abs(ahead.score - own.score), name=names(ahead.seats)))
        found.append(ToldPlace(own, tuple(why)))
    return tuple(found)


def tie_reason(standings: Sequence[Standing], at: int, say: Words) -> str:
    """Return the rule in words that ranks a side before or behind another with equal points; empty for none."""
    own = standings[at]
    level = [each for each in standings if each is not own and each.score == own.score]
    if any(each.place == own.place for each in level):
        return say("ending.shared" if own.place == 1 else "ending.same_place")
    return say("score.tie_rule") if level and say.has("score.tie_rule") else ""


def hands(snapshot: Snapshot, history: Scores) -> tuple[tuple[int, ...], ...]:
    """Return each seat's points hand by hand, if all points come at the ends of several hands."""
    found = []
    for (before, after), entry in zip(pairwise(history), snapshot.entries, strict=True):
        if before != after:
            if not any(isinstance(moment, Income) for moment in moments_of(snapshot.game, entry)):
                return ()
            found.append(tuple([now - was for was, now in zip(before, after, strict=True)]))
    return tuple(found) if len(found) in HANDS else ()


def leading(game: AnyGame, sides: Sides, state: AnyState) -> Leaders:
    """Return the seats of the side that leads alone, by score until the game has a ranking; empty for a tie."""
    ranked, scores = game.ranking(state), game.scores(state)
    best = ranked[0] if ranked else [Seat(seat) for seat, score in enumerate(scores) if score == max(scores)]
    side = next(side for side in sides if best[0] in side)
    return side if set(best) <= set(side) else ()


def lead_sentence(leaders: Sequence[Leaders], names: Names, say: Words) -> str:
    """Return a sentence about changes of the lead."""
    alone = [seats for seats in leaders[1:] if seats]
    if not alone:
        return say("moments.nobody_led")
    order = [seats for seats, _ in groupby(alone)]
    if len(order) == 1:
        return say("moments.led_always", names=names(order[0]))
    longest = Counter(alone).most_common(1)[0][0]
    return say.plural("moments.led", len(order) - 1, names=names(longest))


def decisive_entry(history: Sequence[Sequence[int]], sides: Sides, winners: Sequence[Seat]) -> tuple[int | None, bool]:
    """Return the entry that put the winners ahead for good and True, or their largest gain and False."""
    if at := turning_point(history, sides, winners):
        return at - 1, True
    gains = [now[winners[0]] - before[winners[0]] for before, now in pairwise(history)]
    best = max(range(len(gains)), key=lambda at: gains[at], default=0)
    return (best, False) if gains and gains[best] > 0 else (None, False)


def sources(snapshot: Snapshot, states: Sequence[AnyState], say: Words) -> Iterator[SideSources]:
    """Yield the sources of each side's points or money, in a game that names sources."""
    own = load_part(snapshot.game, definition_of(snapshot.game).moments, Moments)
    if own is None or own.sources is None:
        return
    assert snapshot.setup is not None
    sums: Counter[tuple[Seat, str]] = Counter()
    for (before, after), entry in zip(pairwise(states), snapshot.entries, strict=True):
        for each in own.sources(before, entry.event, after):
            sums[each.seats[0], each.key] += each.amount
    teller = teller_of(snapshot.game)
    for side in snapshot.game.sides(snapshot.setup):
        paid = [(amount, key) for (seat, key), amount in sums.items() if seat in side and amount]
        largest = sorted(paid, key=lambda each: -abs(each[0]))[:MOST]
        parts = [(signed(amount, lambda n: str(teller.score(n, say))), say(key)) for amount, key in largest]
        yield SideSources(side, tuple(parts))


def public_sentences(snapshot: Snapshot, at: int, lang: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the log's sentences for an entry, those that name these players first."""
    entry: HistoryEntry = snapshot.entries[at]
    before = snapshot.entries[at - 1].after if at else entry.after
    assert snapshot.state is not None
    hide = pages_of(snapshot.game).hides(snapshot.state, before)
    told = entry_sentences(snapshot, entry, lang, hide)
    named = [sentence for sentence in told if any(name in sentence for name in names)]
    return tuple((named or told)[:SENTENCES])
