"""Test that one seat's secrets change no byte of other viewers' pages and messages.

In random games with any options, the secrets of one seat take extreme values at each moment. For each pair of seats,
two such worlds must have the same pages, and the same number and size of messages.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.engine import Event, Moved, Seat, Setup, State, legal
from companion.games.express import events as express
from companion.games.express.rules import RULES as EXPRESS
from companion.games.game_of_trains import events as trains
from companion.games.game_of_trains.steps.setup import Choose
from companion.games.game_of_trains.steps.turn import Place
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.looks import show_bank
from companion.games.take_a_train.purposes import BY_ID
from companion.games.take_a_train.steps.sealed_auctions import Fists
from companion.games.take_a_train.steps.twist import Pick
from companion.games.trains.bot import POLICY as RAILS
from companion.match.history import HistoryEntry
from companion.mechanics.money import Ledger
from companion.table.snapshot import Snapshot
from tests.games.express import swapping as express_swapping
from tests.games.game_of_trains import swapping as trains_swapping
from tests.games.game_of_trains import walk as trains_walk
from tests.games.take_a_train import walk
from tests.games.take_a_train.swapping import ready_to_claim, swapped
from tests.games.trains import swapping as rails_swapping
from tests.support.web.swapping import Sent, lay, played, sent
from tests.support.web.visitors import Room
from web.live.channels import ChannelKey

WINDOW, WINDOWS = 6, 6
"""The number of consecutive moments to compare, and the number of comparisons in a game."""


def keys(match: str, viewer: int) -> list[ChannelKey]:
    """Return the channels to compare: one seat's own, and those of people without a seat."""
    own = ChannelKey(match, "seat", viewer, "fr" if viewer % 2 else "en")
    return [own, *(ChannelKey(match, role, None, "en") for role in ("table", "watch", "host"))]


# --- Take a Train ---------------------------------------------------------------------------------


def other_event(entry: HistoryEntry, other: int, luck: random.Random) -> HistoryEntry:
    """Return an entry with a different secret of a seat."""
    match entry.event:
        case ev.Committed(seat) if seat == other:
            return replace(entry, event=ev.Committed(seat, luck.choice([0, 50, 5000])))
        case ev.PurposesEntered(seat) if seat == other:
            return replace(entry, event=ev.PurposesEntered(seat, tuple(luck.sample(list(BY_ID), 3))))
        case ev.PurposesDealt(purposes):
            some = tuple(luck.sample(list(BY_ID), 3))
            return replace(entry, event=ev.PurposesDealt((*purposes[:other], some, *purposes[other + 1 :])))
        case ev.CashCorrected(seat) if seat == other:
            amount = luck.choice([0, 50, 5000])
            effects = tuple([replace(e, amount=amount) if isinstance(e, Moved) else e for e in entry.effects])
            return replace(entry, event=ev.CashCorrected(seat, amount), effects=effects)
        case ev.TwistPicked(seat, card) if seat == other and card is not None:
            return replace(entry, event=ev.TwistPicked(seat, "steam-1"))
    return entry


def other_world(moment: Snapshot, state: State[Any], other: int, viewer: int, luck: random.Random) -> Snapshot:
    """Return a moment with different secrets of one seat: in its state, its event and its tokens."""
    assert moment.ledger is not None
    after = swapped(state, other, viewer, luck)
    entries = [other_event(entry, other, luck) for entry in moment.entries]
    entries[-1] = replace(entries[-1], after=after)
    tokens = tuple([(value, luck.randrange(5)) for value, _ in moment.ledger.bank])
    seats = tuple([own if s == viewer else tokens for s, own in enumerate(moment.ledger.seats)])
    bank = moment.ledger.bank if show_bank(after.table) else tokens
    return replace(moment, state=after, entries=tuple(entries), ledger=Ledger(bank, seats))


def any_setup(luck: random.Random) -> Setup:
    """Return a set-up with any options; the bank is hidden if two people play."""
    options: dict[str, Any] = {name: luck.choice(given) for name, given in walk.choices().items()}
    options["edition"] = luck.choice(["en", "fr"])
    players = luck.randrange(2, 7)
    if players == 2:
        options["show_bank"] = "no"
    return Setup("take-a-train", players, options, "reconstruction", luck.choice(["dealt", "ours"]))  # type: ignore[arg-type]


def choose(state: State[Any], luck: random.Random) -> Event:
    """Return any legal event, or sometimes a count of a player's money."""
    if state.table.order and luck.random() < 0.02:
        seat = luck.randrange(state.table.fixed.players)
        return ev.CashCorrected(seat, state.table.cash[seat])  # type: ignore[arg-type]
    return walk.choose(state, luck)


@pytest.mark.parametrize("seed", range(5))
def test_no_byte_of_take_a_train_tells_a_secret(room: Room, seed: int) -> None:
    """Another seat's cash, fists, purposes and hands change neither pages nor the number and size of messages."""
    luck = random.Random(seed)
    moments = played(lay(room, any_setup(luck)), 4000, lambda state: choose(state, luck))
    alone = [(at, first) for at, moment in enumerate(moments) if (first := first_fist(head(moment))) is not None]
    for window in range(WINDOWS):
        at, other = luck.choice(alone) if alone and window % 2 else (luck.randrange(len(moments)), None)
        some = [moment for moment in moments[at : at + WINDOW] if moment.state and not moment.state.over]
        if not some:
            continue
        seats = range(len(some[0].setup.seated()))  # type: ignore[union-attr]
        other = luck.choice(seats) if other is None else other
        viewer = luck.choice([s for s in seats if s != other])
        states = [ready_to_claim(m.state, viewer, luck) for m in some if m.state]
        worlds = [
            [other_world(m, state, other, viewer, luck) for m, state in zip(some, states, strict=True)]
            for _ in range(2)
        ]
        assert worlds[0] != worlds[1]
        one, two = (sent(room, world, keys(some[0].match_id, viewer)) for world in worlds)
        assert one == two, (window, viewer, other)


def first_fist(step: object) -> int | None:
    """Return the seat with the only fist or placed card so far, which other seats could infer."""
    match step:
        case Fists():
            closed = [s for s, amount in enumerate(step.amounts) if amount is not None]
        case Pick():
            closed = [s for s, ready in enumerate(step.ready) if ready]
        case _:
            return None
    return closed[0] if len(closed) == 1 else None


def head(moment: Snapshot) -> object:
    """Return the step for which the table waits at a moment."""
    return moment.state.agenda[0] if moment.state and moment.state.agenda else None


def test_the_comparison_can_fail(room: Room) -> None:
    """A seat's own page changes with its secrets, so the comparison can fail."""
    luck = random.Random(4)
    setup = Setup("take-a-train", 3, {}, "reconstruction", "dealt")
    moments = played(lay(room, setup), 60, lambda state: walk.choose(state, luck))[-4:]
    worlds = [[other_world(m, m.state, 1, 0, luck) for m in moments if m.state] for _ in range(2)]
    one, two = (sent(room, world, keys(moments[0].match_id, 1)) for world in worlds)
    assert changed(one, two) == {"seat"}


def changed(one: Sent, two: Sent) -> set[str]:
    """Return the roles that received different data."""
    return {role for (role, first), (_, second) in zip(one, two, strict=True) if first != second}


# --- Game of Trains -------------------------------------------------------------------------------


def other_hands(moment: Snapshot, other: int, luck: random.Random) -> Snapshot:
    """Return a moment with different cards in one seat's hand, including in its event."""
    assert moment.state is not None
    after = trains_swapping.swapped(moment.state, other, luck)
    entries = [other_card(entry, other, luck) for entry in moment.entries]
    if isinstance(after.agenda[0], Place) and after.agenda[0].seat == other:
        (card,) = after.table.hand(other)
        entries[-1] = replace(entries[-1], event=trains.CardDrawn(card))
    entries[-1] = replace(entries[-1], after=after)
    return replace(moment, state=after, entries=tuple(entries))


def other_card(entry: HistoryEntry, other: int, luck: random.Random) -> HistoryEntry:
    """Return an entry with other cards in a seat's hand of the set-up."""
    match entry.event:
        case trains.HandsDrawn(hands):
            hand = tuple([luck.randrange(1, 85) for _ in hands[other]])
            return replace(entry, event=trains.HandsDrawn((*hands[:other], hand, *hands[other + 1 :])))
    return entry


@pytest.mark.parametrize("seed", range(3))
def test_no_byte_of_game_of_trains_tells_a_secret(room: Room, seed: int) -> None:
    """A card in another seat's hand changes neither pages nor the number and size of messages."""
    luck = random.Random(seed)
    options = {"training": luck.choice(["yes", "no"])}
    setup = Setup("game-of-trains", luck.randrange(2, 5), options, "reconstruction", luck.choice(["dealt", "ours"]))
    moments = played(lay(room, setup), 200, lambda state: trains_walk.choose(state, luck))
    held = [at for at, m in enumerate(moments) if isinstance(head(m), Place | Choose)]
    for _ in range(WINDOWS):
        at = luck.choice(held)
        some = [moment for moment in moments[at : at + WINDOW] if moment.state and not moment.state.over]
        step = head(some[0])
        other = step.seat if isinstance(step, Place) else luck.choice(step.seats)  # type: ignore[attr-defined]
        viewer = luck.choice([s for s in range(len(setup.seated())) if s != other])
        one, two = (
            sent(room, [other_hands(m, other, luck) for m in some], keys(some[0].match_id, viewer)) for _ in range(2)
        )
        assert one == two, (viewer, other)


# --- Express --------------------------------------------------------------------------------------


def other_cards(moment: Snapshot, viewer: Seat, luck: random.Random) -> Snapshot:
    """Return a moment with other cards among the hands, locomotives and draws that a viewer does not know."""
    assert moment.state is not None
    after = express_swapping.swapped(moment.state, viewer, luck)
    entries = [
        replace(entry, event=express_swapping.other_event(entry.event, viewer, luck)) for entry in moment.entries
    ]
    entries[-1] = replace(entries[-1], after=after)
    return replace(moment, state=after, entries=tuple(entries))


def any_offer(state: State[Any], luck: random.Random) -> Event:
    """Return any legal event, more often a car or locomotive than the end of the turn."""
    events = [offer.pick(luck.random) for offer in legal(EXPRESS, state)]
    laying = [event for event in events if isinstance(event, express.TrainBegun | express.CarLaid)]
    return luck.choice(laying or events)


@pytest.mark.parametrize("seed", range(3))
def test_no_byte_of_express_tells_a_secret(room: Room, seed: int) -> None:
    """Other seats' hands and locomotives, even a partner's hand, change neither pages nor the size of messages."""
    luck = random.Random(seed)
    setup = Setup("express", luck.randrange(2, 7), {"hands": 1}, "reconstruction", "dealt")
    moments = played(lay(room, setup), 200, lambda state: any_offer(state, luck))
    for _ in range(WINDOWS):
        at = luck.randrange(len(setup.seated()) + 1, len(moments) - WINDOW)
        some = [moment for moment in moments[at : at + WINDOW] if moment.state and not moment.state.over]
        viewer = Seat(luck.randrange(len(setup.seated())))
        worlds = [[other_cards(moment, viewer, luck) for moment in some] for _ in range(2)]
        assert worlds[0] != worlds[1]
        one, two = (sent(room, world, keys(some[0].match_id, viewer)) for world in worlds)
        assert one == two, viewer


# --- Trains ---------------------------------------------------------------------------------------


def other_decks(moment: Snapshot, viewer: Seat, luck: random.Random) -> Snapshot:
    """Return a moment with other cards in others' hands and in all decks, including in its event."""
    assert moment.state is not None
    after = rails_swapping.swapped(moment.state, viewer, luck)
    entries = [replace(entry, event=rails_swapping.other_event(entry.event, viewer, luck)) for entry in moment.entries]
    entries[-1] = replace(entries[-1], after=after)
    return replace(moment, state=after, entries=tuple(entries))


def played_by_program(state: State[Any], luck: random.Random) -> Event:
    """Return the program's choice for the asked seat, or a result of chance."""
    for seat in RAILS.asked(state):
        event = RAILS.choose(RAILS.look(state, seat), luck.random)
        if event is not None:
            return event
    return next(offer for offer in legal(RAILS.game, state) if offer.chance).pick(luck.random)


@pytest.mark.parametrize("seed", range(3))
def test_no_byte_of_trains_tells_a_secret(room: Room, seed: int) -> None:
    """Other seats' hands, decks and discards change neither pages nor the number and size of messages."""
    luck = random.Random(seed)
    setup = Setup("trains", luck.randrange(2, 5), {}, "reconstruction", "dealt")
    moments = played(lay(room, setup), 250, lambda state: played_by_program(state, luck))
    for _ in range(WINDOWS):
        at = luck.randrange(20, len(moments) - WINDOW)
        some = [moment for moment in moments[at : at + WINDOW] if moment.state and not moment.state.over]
        viewer = Seat(luck.randrange(len(setup.seated())))
        worlds = [[other_decks(moment, viewer, luck) for moment in some] for _ in range(2)]
        assert worlds[0] != worlds[1]
        one, two = (sent(room, world, keys(some[0].match_id, viewer)) for world in worlds)
        assert one == two, viewer
