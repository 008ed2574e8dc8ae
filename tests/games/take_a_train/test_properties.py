"""Test the invariants in random games of both editions, with all decks and kinds of bids (F-1 to F-20)."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise, permutations
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from companion.engine import Event, Offer, Seat, Setup, State, apply, legal, rule, state_hash
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.catalogue import MONEY
from companion.games.take_a_train.options import resolve
from companion.games.take_a_train.purposes import PURPOSES
from companion.games.take_a_train.steps.lots import Lone, Nominate
from companion.games.take_a_train.steps.preemption import Choose
from companion.games.take_a_train.steps.reveal import RevealLocos
from companion.games.take_a_train.steps.round import DrawToken
from companion.games.take_a_train.steps.sealed_auctions import Fists, OpenFists
from companion.games.take_a_train.steps.twist import Flips, Pick
from companion.games.take_a_train.table import TRAINS, Table
from companion.mechanics.money import Ledger, tokens
from tests.games.take_a_train import invariants
from tests.games.take_a_train.build import GAME
from tests.games.take_a_train.proofs import proves
from tests.games.take_a_train.swapping import attempts, ready_to_claim, swapped
from tests.games.take_a_train.walk import (
    MOST_EVENTS,
    bounded,
    choose,
    every_option,
    log,
    play,
    seeds,
    setups,
    some_of,
    view_bytes,
)

DECODER = msgspec.json.Decoder(GAME.events)


@proves("F-1")
@given(setups(), seeds())
@bounded(80)
def test_money_is_conserved(setup: Setup, seed: int) -> None:
    """Cash and bank add up to 106,000 after every event, and no seat has less than zero."""
    for _, _, state in play(setup, seed):
        invariants.money_is_conserved(state)


@proves("F-2", "R-05")
@given(setups(bank_limit="iou"), seeds())
@bounded(40)
def test_tokens_are_conserved(setup: Setup, seed: int) -> None:
    """The suggested payments keep the number of tokens of each value constant."""
    players = len(setup.seated())
    split = tokens({5000: 0, 1000: 3, 500: 3, 100: 4, 50: 2})
    bank = tokens({value: count - players * dict(split)[value] for value, count in MONEY.items()})
    ledger = Ledger(bank, (split,) * players)
    for _, _, state in play(setup, seed):
        for effect in state.effects:
            if type(effect).__name__ == "Moved":
                ledger, _ = ledger.pay(effect.seat, effect.amount)  # type: ignore[attr-defined]
        every = (ledger.bank, *ledger.seats)
        assert all(count >= 0 for held in every for _, count in held)
        assert {value: sum(dict(held)[value] for held in every) for value in MONEY} == MONEY


@proves("F-3", "R-24", "R-68")
@given(setups(deck="dealt"), seeds())
@bounded(60)
def test_every_card_is_in_one_place(setup: Setup, seed: int) -> None:
    """Every locomotive, wagon card, purpose and auction token is in exactly one place."""
    for _, _, state in play(setup, seed):
        invariants.every_card_is_in_one_place(state)


@proves("F-4", "R-13")
@given(setups(), seeds())
@bounded(80)
def test_as_many_are_unsold_as_are_missing(setup: Setup, seed: int) -> None:
    """In stage one, as many locomotives are unsold as the seats need. Afterwards every seat has three."""
    for _, _, state in play(setup, seed):
        invariants.as_many_are_unsold_as_are_missing(state)


@proves("F-5", "R-20", "R-24")
@given(setups(), seeds())
@bounded(80)
def test_how_stage_one_ends(setup: Setup, seed: int) -> None:
    """A sequential auction ends with a lone bidder or a stall, and sales and replacements add up to three per seat."""
    sold = replaced = reshuffles = 0
    last_lone = stalled = False
    for before, event, state in play(setup, seed):
        if isinstance(event, ev.TokenDrawn):
            sold = replaced = reshuffles = 0
            last_lone = stalled = False
        lone = before.agenda[0]
        if isinstance(lone, Nominate | Lone):
            last_lone = isinstance(lone, Lone)
        for effect in state.effects:
            sold += isinstance(effect, ev.Sold)
            replaced += effect.count if isinstance(effect, ev.Replaced) else 0
            reshuffles += isinstance(effect, ev.Reshuffled) and effect.deck == "locos"
            stalled |= isinstance(effect, ev.Stalled)
        if invariants.stage_one(before.table) and state.table.order:
            assert sold + replaced == TRAINS * state.table.fixed.players
            if state.table.kind in invariants.SEQUENTIAL:
                assert last_lone or stalled
            else:
                assert reshuffles == 0


@proves("F-6", "F-7", "R-17", "R-28", "R-29")
@given(setups(), seeds())
@bounded(80)
def test_prices_and_bids(setup: Setup, seed: int) -> None:
    """A winner pays at least the power and at most its cash, spoken bids rise, and a seat that passed stays out."""
    last = 0
    passed: set[Seat] = set()
    for before, event, state in play(setup, seed):
        match event:
            case ev.Nominated() | ev.Opened():
                last, passed = event.amount if isinstance(event, ev.Opened) else 0, set()
            case ev.Bid() | ev.Raised():
                assert event.amount > last
                assert event.seat not in passed
                last = event.amount
            case ev.Passed():
                assert event.seat not in passed
                passed.add(event.seat)
        invariants.winners_can_pay(before, state)


@proves("F-8", "F-9", "F-10", "R-63", "R-65", "R-67b")
@given(setups(), seeds())
@bounded(80)
def test_trains_and_market(setup: Setup, seed: int) -> None:
    """Trains and market obey the rules, and special cards that left the game stay out."""
    boxed: list[str] = []
    for _, _, state in play(setup, seed):
        table = state.table
        invariants.trains_and_market_are_legal(state)
        boxed += [card for card in table.boxed if card not in boxed]
        assert list(table.boxed) == boxed, "each resolves at most once, and for good"


@proves("F-11", "F-14", "R-11", "R-12")
@given(setups(), seeds())
@bounded(120)
def test_three_rounds_and_an_end(setup: Setup, seed: int) -> None:
    """Some event is always legal until the end, and three rounds use three kinds with starters moving to the left."""
    kinds: list[str] = []
    starters: list[int] = []
    players = len(setup.seated())
    for before, event, state in play(setup, seed):
        offers = legal(GAME, before)
        assert any(rule(GAME, before, offer.pick(random.Random(seed).random)) is None for offer in offers)
        for effect in state.effects:
            if isinstance(effect, ev.RoundBegan):
                starters.append(effect.starter)
        if isinstance(event, ev.TokenDrawn):
            kinds.append(event.kind)
    assert len(kinds) == len(set(kinds)) == 3
    assert all((one + 1) % players == following for one, following in pairwise(starters))
    assert state.over
    assert state.table.ended
    assert GAME.winners(state)


@proves("F-1", "F-14", "R-05")
@given(setups(), seeds())
@bounded(60)
def test_corrections_never_stop_a_game(setup: Setup, seed: int) -> None:
    """A game can always continue to its end, even after cash corrections at any moment."""
    luck = random.Random(seed)
    state = GAME.begin(setup)
    for _ in range(MOST_EVENTS):
        if state.over:
            break
        seat = Seat(luck.randrange(state.table.fixed.players))
        correction = ev.CashCorrected(seat, 50 * luck.choice([0, 1, 2, 7, 20, 100]))
        if luck.random() < 0.2 and rule(GAME, state, correction) is None:
            state = apply(GAME, state, correction)
        event = choose(state, luck)
        assert rule(GAME, state, event) is None, event
        state = apply(GAME, state, event)
        assert sum(state.table.cash) + state.table.bank == 106_000
        assert min(state.table.cash) >= 0
    assert state.over


@proves("F-12")
@given(setups(), seeds())
@bounded(40)
def test_the_same_seed_is_the_same_game(setup: Setup, seed: int) -> None:
    """The same seed produces the same log, and replaying the log leads to the same state."""
    events, last = log(setup, seed)
    again, other = log(setup, seed)
    lines = [msgspec.json.encode(event) for event in events]
    assert lines == [msgspec.json.encode(event) for event in again]
    assert state_hash(last) == state_hash(other)
    state = GAME.begin(setup)
    for line in lines:
        state = apply(GAME, state, DECODER.decode(line))
    assert state == last


@proves("F-13")
@given(setups(), seeds(), st.floats(0, 1))
@bounded(40)
def test_undo_is_replay(setup: Setup, seed: int, where: float) -> None:
    """Replaying the first events of a log restores the state at that point, and the next event continues from it."""
    states = [GAME.begin(setup)]
    events: list[Event] = []
    for _, event, state in play(setup, seed):
        events.append(event)
        states.append(state)
    at = int(where * (len(events) - 1))
    folded = GAME.begin(setup)
    for event in events[:at]:
        folded = apply(GAME, folded, event)
    assert folded.table == states[at].table
    assert folded.agenda == states[at].agenda
    assert apply(GAME, folded, events[at]) == states[at + 1]


def anything(table: Table, luck: random.Random) -> Event:
    """Return a random event of any kind, which is usually illegal."""
    seat = Seat(luck.randrange(-1, table.fixed.players + 1))
    cards = [*table.fixed.book.locos][:6] + ["coal-200", "food-50", "bin", "ghost"]
    card = luck.choice(cards)
    some = tuple(luck.choices(cards, k=luck.randrange(5)))
    amount = luck.choice([-50, 0, 25, 50, 325, 600, 5000, 10**9])
    number = luck.randrange(-2, 6)
    seats = tuple(Seat(luck.randrange(-1, 8)) for _ in range(luck.randrange(4)))
    trains = tuple(tuple(luck.choices(cards, k=3)) for _ in range(table.fixed.players))
    return luck.choice(
        [
            ev.StarterNamed(seat),
            ev.PurposesDealt(trains),
            ev.PurposesEntered(seat, luck.choice([some, ("P-1", "P-2", "P-2"), ("P-1",)])),
            ev.TokenDrawn(luck.choice(ev.KINDS)),
            ev.LocosRevealed(some),
            ev.FigureRead(card, amount, number, number),
            ev.CostRead(number, amount),
            ev.Nominated(seat, card),
            ev.Opened(seat, amount),
            ev.OpeningDeclined(seat),
            ev.Bid(seat, amount),
            ev.Passed(seat),
            ev.Committed(seat, amount),
            ev.BidsRevealed(tuple(luck.choice([None, amount]) for _ in range(luck.randrange(7)))),
            ev.RevealSignalled(),
            ev.FistCounted(seat, amount),
            ev.FistConfirmed(seat, amount),
            ev.FistCorrected(seat, amount),
            ev.CorrectionAnswered(seat, luck.choice([True, False])),
            ev.TieBroken(seat, Seat(number)),
            ev.TieOrdered(seat, seats),
            ev.LocoChosen(seat, card),
            ev.Bought(seat, card, amount),
            ev.ReplacementTaken(seat, card),
            ev.Raised(seat, amount),
            ev.RaisedTogether(seats, amount),
            ev.Counted(seat, number),
            ev.CountBroken("fuzz"),
            ev.TwistDealt(trains),
            ev.TwistPicked(seat, luck.choice([card, None])),
            ev.TwistRevealed(trains),
            ev.Flipped(seat, some),
            ev.CardsRevealed(some),
            ev.Exchanged(seat, tuple(luck.choices(range(-1, 6), k=luck.randrange(4)))),
            ev.Took(seat, number, luck.choice([None, number])),
            ev.TurnPassed(seat),
            ev.WagonChosen(seat, number, number),
            ev.Claimed(seat, luck.choice(["P-1", "P-4", "P-17", "P-99"])),
            ev.ClaimsDone(seat),
            ev.CashCorrected(seat, amount),
        ]
    )


@proves("F-15", "R-00")
@given(setups(), seeds())
@bounded(80)
def test_listed_is_accepted_and_unlisted_refused(setup: Setup, seed: int) -> None:
    """Every listed event is accepted. Every other one is refused under a rule and changes nothing."""
    luck = random.Random(seed)
    for before, _, _ in play(setup, seed):
        offers = legal(GAME, before)
        for offer in luck.sample(offers, min(2, len(offers))):
            for event in some_of(offer, luck, 3):
                assert event in offer
                assert rule(GAME, before, event) is None, event
        for _ in range(4):
            event = anything(before.table, luck)
            said = rule(GAME, before, event)
            listed = any(event in offer for offer in offers)
            if said is None:
                assert listed or GAME.stands(event), event
                apply(GAME, before, event)
                continue
            assert not listed, event
            assert said.rule.startswith("R-")
            assert said.key
            assert said.audience is None or said.audience == getattr(event, "seat", said.audience)
            hashed = state_hash(before) if luck.random() < 0.05 else ""
            try:
                apply(GAME, before, event)
            except ValueError:
                pass
            else:
                raise AssertionError(f"{event} was refused and applied")
            assert not hashed or state_hash(before) == hashed


@proves("F-15")
def test_after_the_end_nothing_is_accepted() -> None:
    """A finished game lists no events and refuses every one."""
    setup = Setup("take-a-train", 3)
    _, last = log(setup, 7)
    luck = random.Random(7)
    assert legal(GAME, last) == ()
    for _ in range(300):
        said = rule(GAME, last, anything(last.table, luck))
        assert said is not None
        assert (said.rule, said.key) == ("R-00", "game_over")


def other_secrets(state: State[Table], seat: Seat, luck: random.Random) -> State[Table]:
    """Return the state with the secrets of all other seats changed: cash, purposes, closed fists and Twist hands."""
    table = state.table
    players = table.fixed.players
    others = [s for s in range(players) if s != seat]
    cash = list(table.cash)
    owes = [state.agenda[0].owes(Seat(s)) if state.agenda else 0 for s in range(players)]
    giver, taker = luck.choice(others), luck.choice(others)
    given = 50 * luck.randrange((cash[giver] - owes[giver]) // 50 + 1)
    if len(others) > 1:
        cash[giver] -= given
        cash[taker] += given
    bank = table.bank
    if len(others) == 1:
        cash[giver], bank = cash[giver] - given, bank + given
    held, met = list(table.held), list(table.met)
    for other in others:
        met[other] = luck.getrandbits(len(PURPOSES))
        held[other] = luck.getrandbits(len(PURPOSES)) | table.claimed[other]
    table = msgspec.structs.replace(table, cash=tuple(cash), bank=bank, held=tuple(held), met=tuple(met), ripe=True)
    return State(table, (hidden(state, seat, luck), *state.agenda[1:]), state.effects)


def hidden(state: State[Table], seat: Seat, luck: random.Random) -> Any:
    """Return the current step with other seats' fists and hands changed."""
    head = state.agenda[0]
    if isinstance(head, Fists):
        amounts = tuple(
            a if a is None or s == seat else 50 * luck.randrange(state.table.cash[s] // 50 + 1)
            for s, a in enumerate(head.amounts)
        )
        return msgspec.structs.replace(head, amounts=amounts)
    if isinstance(head, Pick) and state.table.fixed.dealt:
        others = [s for s in range(len(head.hands)) if s != seat]
        loose = [card for s in others for card in (*head.hands[s], *head.placed[s])]
        luck.shuffle(loose)
        hands, placed = list(head.hands), list(head.placed)
        for s in others:
            hands[s] = tuple(loose.pop() for _ in head.hands[s])
            placed[s] = tuple(loose.pop() for _ in head.placed[s])
        return msgspec.structs.replace(head, hands=tuple(hands), placed=tuple(placed))
    return head


def everything(state: State[Table], seat: Seat, tried: list[Event]) -> list[Any]:
    """Return the views, offers and refusals that the seat receives, with the public view."""
    own = [(type(offer), *map(repr, offer_parts(offer))) for offer in legal(GAME, state) if offer.by == seat]
    return [view_bytes(state, seat), view_bytes(state, None), own, [rule(GAME, state, event) for event in tried]]


def offer_parts(offer: Offer) -> tuple[Any, ...]:
    """Return the fields of an offer."""
    return tuple(getattr(offer, name) for name in offer.__struct_fields__)  # type: ignore[attr-defined]


@proves("F-16", "E-1", "E-2", "E-3", "E-4", "E-5", "E-7", "E-8", "E-12", "E-13")
@given(setups(chosen=every_option()), seeds())
@bounded(60)
def test_nobody_is_told_other_peoples_secrets(setup: Setup, seed: int) -> None:
    """With any options, another seat's secrets change no view, offer or refusal of a seat, and no public refusal."""
    if len(setup.seated()) == 2:
        setup = msgspec.structs.replace(setup, options=setup.options | {"show_bank": "no"})
    luck = random.Random(seed)
    for before, _, _ in play(setup, seed):
        if before.over or luck.random() > (0.3 if isinstance(before.agenda[0], Fists | OpenFists) else 0.02):
            continue
        pairs = list(permutations(range(before.table.fixed.players), 2))
        for viewer, other in luck.sample(pairs, 2):
            state = ready_to_claim(before, viewer, luck)
            one, two = swapped(state, other, viewer, luck), swapped(state, other, viewer, luck)
            tried = list(attempts(one, Seat(viewer)))
            assert everything(one, Seat(viewer), tried) == everything(two, Seat(viewer), tried)
            tried = list(attempts(one, Seat(other)))
            for event, first, second in zip(
                tried, [rule(GAME, one, e) for e in tried], [rule(GAME, two, e) for e in tried], strict=True
            ):
                for said in (first, second):
                    assert said is None or said.audience is not None or first == second, event


def tells_cash(state: State[Table]) -> bool:
    """Return whether the rules themselves reveal that a seat could not pay."""
    head = state.agenda[0] if state.agenda else None
    return (
        isinstance(head, Choose | Flips | Lone)
        or getattr(head, "broke", False)
        or getattr(head, "unable", None) is not None
    )


@proves("F-16", "E-13")
@given(setups(least=3), seeds())
@bounded(60)
def test_secrets_change_nothing_that_others_see_happen(setup: Setup, seed: int) -> None:
    """If only other seats' cash and purposes differ, the same events produce the same views."""
    luck = random.Random(seed)
    viewer = Seat(luck.randrange(len(setup.seated())))
    one = GAME.begin(setup)
    while not one.over and not isinstance(one.agenda[0], DrawToken):
        one = apply(GAME, one, choose(one, luck))
    other = other_secrets(one, viewer, luck)
    for _ in range(400):
        if one.over:
            return
        event = choose(one, luck)
        if isinstance(event, ev.Claimed) or rule(GAME, other, event) is not None:
            return
        one, other = apply(GAME, one, event), apply(GAME, other, event)
        if tells_cash(one) or tells_cash(other):
            return
        assert view_bytes(one, viewer) == view_bytes(other, viewer), event
        assert view_bytes(one, None) == view_bytes(other, None), event


def owed_profit(cards: list[str], power_on: bool, multiplier: int, boosted: bool, twin_first: bool) -> int:
    """Return a train's profit by the rulebook's wording, from its cards in the order they were taken."""
    values: list[int] = []
    for card in cards:
        if card != "twin":
            values.append(int(card.split("-")[1]))
        elif twin_first:
            values.insert(0, values[0])
        else:
            values.append(values[-1])
    if not power_on:
        return max(values, default=0)
    return sum(values) * (multiplier + (1 if boosted else 0))


@proves("F-17", "R-66", "R-67e")
@given(setups(replacement_wagon="auto_max"), seeds())
@bounded(80)
def test_profits_by_the_book(setup: Setup, seed: int) -> None:
    """Every train pays its profit by the rulebook, and with equal wagons both readings of Twin agree."""
    loads: dict[tuple[int, int], list[str]] = {}
    boosted: set[tuple[int, int]] = set()
    for before, event, state in play(setup, seed):
        if isinstance(event, ev.TokenDrawn):
            loads, boosted = {}, set()
        if isinstance(event, ev.Took) and event.train is not None:
            card = before.table.market[event.slot]
            if card == "multiplier":
                boosted.add((event.seat, event.train))
            else:
                loads.setdefault((event.seat, event.train), []).append(str(card))
        edition = state.table.fixed.options.edition
        for effect in state.effects:
            if isinstance(effect, ev.Profited):
                place = (effect.seat, effect.train)
                train = state.table.trains[effect.seat][effect.train]
                cards = loads.get(place, [])
                book = (train.face_up, train.multiplier, place in boosted)
                assert effect.amount == owed_profit(cards, *book, edition == "fr")
                if len({c for c in cards if c != "twin"}) == 1:
                    assert owed_profit(cards, *book, True) == owed_profit(cards, *book, False)


@proves("F-18", "R-73")
@given(setups(), seeds())
@bounded(60)
def test_claims_are_paid_once(setup: Setup, seed: int) -> None:
    """Each purpose is paid once, at most three per seat, and all together at most 13,200."""
    claims = [event for event in log(setup, seed)[0] if isinstance(event, ev.Claimed)]
    assert len({c.purpose for c in claims}) == len(claims)
    assert all(count <= 3 for count in Counter(c.seat for c in claims).values())
    prizes = {p.id: p.prize for p in PURPOSES}
    assert sum(prizes[c.purpose] for c in claims) <= 13_200


def turned(event: Event, by: int, players: int) -> Event:
    """Return the event after all seats moved `by` places to the left."""
    moved: dict[str, Any] = {}
    fields = msgspec.structs.asdict(event)
    for name, value in fields.items():
        if name in ("seat", "winner"):
            moved[name] = Seat((value + by) % players)
        elif name in ("order", "seats"):
            moved[name] = tuple(Seat((s + by) % players) for s in value)
        elif name in ("amounts", "hands", "trains") or (name == "purposes" and isinstance(event, ev.PurposesDealt)):
            moved[name] = tuple(value[(s - by) % players] for s in range(players))
    return msgspec.structs.replace(event, **moved)


@proves("F-19")
@given(setups(), seeds(), st.integers(1, 5))
@bounded(60)
def test_no_seat_is_special(setup: Setup, seed: int, by: int) -> None:
    """Rotating the seats, decisions and random results rotates the outcome."""
    players = len(setup.seated())
    events, last = log(setup, seed)
    state = GAME.begin(setup)
    for event in events:
        state = apply(GAME, state, turned(event, by, players))
    here, there = last.table, state.table
    for name in ("cash", "trains", "claimed", "met"):
        own = getattr(here, name)
        assert getattr(there, name) == tuple(own[(s - by) % players] for s in range(players)), name
    assert sorted((w + by) % players for w in GAME.winners(last)) == sorted(GAME.winners(state))


@proves("F-20")
@given(setups(), seeds())
@bounded(40)
def test_an_edition_is_only_its_options(setup: Setup, seed: int) -> None:
    """Renaming the edition with the same options changes nothing until a seat takes the Twin."""
    chosen = msgspec.to_builtins(resolve(setup.options))
    renamed = chosen | {"edition": "fr" if chosen["edition"] == "en" else "en"}
    events, _ = log(setup, seed)
    state, other = GAME.begin(setup), GAME.begin(msgspec.structs.replace(setup, options=renamed))
    for event in events:
        if isinstance(event, ev.Took) and state.table.market[event.slot] == "twin":
            break
        state, other = apply(GAME, state, event), apply(GAME, other, event)
    assert other.agenda == state.agenda
    fixed = msgspec.structs.replace(other.table.fixed, options=state.table.fixed.options)
    assert msgspec.structs.replace(other.table, fixed=fixed) == state.table


@proves("F-5", "R-40", "R-51")
def test_preemption_and_twist_never_reshuffle() -> None:
    """Preemption and Twist deal exactly three cards per seat, so they never reshuffle."""
    for kind in ("preemption", "twist"):
        for seed in range(3):
            luck = random.Random(seed)
            state = GAME.begin(Setup("take-a-train", 4))
            while not state.table.order:
                event = ev.TokenDrawn(kind) if isinstance(state.agenda[0], DrawToken) else choose(state, luck)
                state = apply(GAME, state, event)
                assert not any(isinstance(e, ev.Reshuffled) for e in state.effects)
                if isinstance(state.agenda[0], RevealLocos):
                    assert state.table.aside == ()
