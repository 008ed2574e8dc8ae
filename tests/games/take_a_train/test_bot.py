"""The bot of Take a Train must finish every kind of game, earn money and use only what its seat knows."""

from __future__ import annotations

import random
from collections.abc import Iterator
from statistics import mean
from typing import Any

import pytest
from msgspec.structs import replace

from companion.bots.bot import BotPolicy, policy_of
from companion.bots.simulation import next_event, play, simulate
from companion.engine import Effect, Event, Moved, Seat, Setup, State, apply
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.bot import POLICY, WINNING
from companion.games.take_a_train.bot.auctions import top, units
from companion.games.take_a_train.bot.known import TO_WIN
from companion.games.take_a_train.purposes import ALL, claimable
from companion.games.take_a_train.rules import RULES
from companion.games.take_a_train.steps import sealed_auctions, twist
from companion.games.take_a_train.table import BANK_TOTAL, Table
from tests.games.take_a_train.build import A, B, C, after, sale, turn


def finished(setup: Setup, seed: int, bots: list[BotPolicy] | None = None) -> tuple[State[Any], list[Event]]:
    """Return the final state of a game between sensible bots, and its events."""
    events: list[Event] = []
    seats = len(setup.seated())
    luck = random.Random(seed).random
    end, _ = play(RULES, setup, bots or [POLICY] * seats, luck, lambda before, event, after: events.append(event))
    return end, events


@pytest.mark.parametrize("edition", ["en", "fr"])
@pytest.mark.parametrize("players", range(2, 7))
def test_bots_play_whole_games_in_both_editions(players: int, edition: str) -> None:
    """Bots finish games of two to six players with all six auctions, and the amount of money stays the same."""
    kinds: set[str] = set()
    for seed in range(6):
        end, _ = finished(Setup("take-a-train", players, {"edition": edition}), seed)
        assert end.over
        assert sum(end.table.cash) + end.table.bank == BANK_TOTAL
        kinds |= set(end.table.used)
    assert kinds == set(ev.KINDS)


@pytest.mark.parametrize("deck", ["ours", "box"])
def test_bots_play_with_real_cards(deck: Any) -> None:
    """Bots finish games with real cards whose hidden cards, purposes or figures the companion does not know."""
    catalogue = "box" if deck == "box" else "reconstruction"
    for seed in range(5):
        end, events = finished(Setup("take-a-train", 3, {}, catalogue, deck), seed)
        assert end.over
        assert not any(isinstance(event, ev.Claimed) for event in events)


def test_bots_play_with_fists_opened_by_hand() -> None:
    """With real fists, bots confirm their own amounts after the signal."""
    said = 0
    for seed in range(6):
        _, events = finished(Setup("take-a-train", 4, {"bid_channel": "hand"}), seed)
        said += sum(isinstance(event, ev.FistConfirmed) for event in events)
        assert not any(isinstance(event, ev.Committed | ev.BidsRevealed) for event in events)
    assert said > 0


def test_bots_confirm_what_was_counted_and_agree_to_corrections() -> None:
    """A bot confirms the amount counted in its hand, but answers a pending correction first."""
    state = after(sale("blind", "s300", options={"bid_channel": "hand"}), ev.RevealSignalled())
    state = after(state, ev.FistCounted(A, 550), ev.FistConfirmed(B, 100), ev.FistCorrected(B, 150))
    assert POLICY.asked(state) == (A, C)
    luck = random.Random(1).random
    assert POLICY.choose(POLICY.look(state, A), luck) == ev.CorrectionAnswered(A, True)
    refused = after(state, ev.CorrectionAnswered(C, False))
    assert POLICY.choose(POLICY.look(refused, A), luck) == ev.FistConfirmed(A, 550)
    assert POLICY.choose(POLICY.look(refused, B), luck) is None


@pytest.mark.parametrize(
    "options",
    [
        {"replacement_wagon": "ask", "lone_bidder": "en_literal"},
        {"exchanges_per_turn": "unlimited", "bank_limit": "strict"},
        {"twist_flips": "free_choice", "twist_payment": "sum_only"},
        {"beginner_broke": "skip_lot", "min_raise": "100"},
        {"claim_window": "immediate"},
    ],
)
def test_bots_play_under_every_kind_of_option(options: dict[str, str]) -> None:
    """Bots finish games under every kind of house rule."""
    for seed in range(4):
        assert finished(Setup("take-a-train", 3, options), seed)[0].over


def decisions(setup: Setup, seed: int) -> Iterator[tuple[State[Table], Seat]]:
    """Yield every state of a game in which a seat must decide, with that seat."""
    minds: list[BotPolicy] = [POLICY] * len(setup.seated())
    luck = random.Random(seed).random
    state = RULES.begin(setup)
    while state.agenda:
        for seat in POLICY.asked(state):
            yield state, seat
        state = apply(RULES, state, next_event(RULES, state, minds, luck))


def with_other_secrets(state: State[Table], seat: Seat) -> State[Table]:
    """Return the state with everything changed that is hidden from a seat."""
    table, head = state.table, state.agenda[0]
    others = [s for s in range(table.fixed.players) if s != seat]
    cash = tuple([c + 850 * (s != seat) for s, c in enumerate(table.cash)])
    mine = table.held[seat]
    held = tuple([mine if s == seat else ALL & ~mine for s in range(table.fixed.players)])
    trains = tuple(
        [
            own if s == seat else tuple([t if t.face_up else replace(t, loco="steam-1") for t in own])
            for s, own in enumerate(table.trains)
        ]
    )
    own_down = tuple([t if t.face_up else replace(t, loco="diesel-1") for t in trains[seat]])
    trains = (*trains[:seat], own_down, *trains[seat + 1 :])
    met = tuple([m if s == seat else 0 for s, m in enumerate(table.met)])
    table = replace(table, cash=cash, bank=table.bank - 77_000, held=held, trains=trains, met=met)
    if isinstance(head, sealed_auctions.Fists):
        fists = tuple([b if s == seat or b is None else b + 350 for s, b in enumerate(head.amounts)])
        head = replace(head, amounts=fists)
    elif isinstance(head, twist.Pick):
        turned = others[1:] + others[:1]
        hands, placed = list(head.hands), list(head.placed)
        for s, t in zip(others, turned, strict=True):
            hands[s], placed[s] = head.hands[t], head.placed[t]
        head = replace(head, hands=tuple(hands), placed=tuple(placed))
    return State(table, (head, *state.agenda[1:]))


@pytest.mark.parametrize(("players", "edition"), [(3, "en"), (4, "fr")])
def test_a_bot_decides_without_other_seats_secrets(players: int, edition: str) -> None:
    """A bot's knowledge and its decision do not depend on other seats' secrets."""
    compared = 0
    for seed in range(5):
        for state, seat in decisions(Setup("take-a-train", players, {"edition": edition}), seed):
            other = with_other_secrets(state, seat)
            known = POLICY.look(state, seat)
            assert POLICY.look(other, seat) == known
            luck = random.Random(compared).random
            again = random.Random(compared).random
            assert POLICY.choose(known, luck) == POLICY.choose(POLICY.look(other, seat), again)
            compared += 1
    assert compared > 1000


def test_bots_make_money_against_random_ones() -> None:
    """Two sensible bots end much richer than they began, and far richer than two random ones."""
    setup = Setup("take-a-train", 4)
    results = list(simulate(RULES, setup, 30, 1, "sensible,random"))
    sensible = mean(r.scores[s] for r in results for s in (0, 2))
    others = mean(r.scores[s] for r in results for s in (1, 3))
    assert sensible > 8000
    assert sensible > 3 * others
    assert all(winner in (0, 2) for r in results for winner in r.winners)


@pytest.mark.parametrize("players", range(2, 7))
def test_bots_make_money_among_themselves(players: int) -> None:
    """Sensible bots earn more with their trains than they pay, and end with over 8,000 on average."""
    results = list(simulate(RULES, Setup("take-a-train", players), 15, 1))
    assert mean(score for r in results for score in r.scores) > 8000


def test_bots_claim_whatever_they_can() -> None:
    """At the end of a game, no bot holds a token that it could still claim."""
    claims = 0
    for seed in range(8):
        last = finished(Setup("take-a-train", 4), seed)[0].table
        assert not any(claimable(last, seat) for seat in range(4))
        claims += sum(mask.bit_count() for mask in last.claimed)
    assert claims > 8 * 4


def test_bots_never_bid_more_than_a_card_is_worth_to_them() -> None:
    """Spoken bids stay below the amount that the best train could earn."""
    dearest = 0
    for seed in range(8):
        _, events = finished(Setup("take-a-train", 4), seed)
        said = [e.amount for e in events if isinstance(e, ev.Bid | ev.Raised | ev.Opened)]
        dearest = max(dearest, *said, 0)
    assert 900 <= dearest <= 2600


def test_bots_exchange_and_end_rounds() -> None:
    """Bots exchange cards, and more than half of their rounds end with a full train."""
    effects: list[Effect] = []
    for seed in range(12):
        luck = random.Random(seed).random
        play(
            RULES,
            Setup("take-a-train", 4),
            [POLICY] * 4,
            luck,
            lambda before, event, after: effects.extend(after.effects),
        )
    ends = [effect for effect in effects if isinstance(effect, ev.RoundEnded)]
    full = sum(effect.reason == "full" for effect in ends)
    exchanged = sum(isinstance(effect, Moved) and effect.why == "exchange" for effect in effects)
    assert len(ends) == 12 * 3
    assert full > len(ends) / 2
    assert exchanged > 0


def test_bots_do_not_pay_for_nothing() -> None:
    """A bot that has paid for fresh cards hardly ever passes afterwards."""
    seats: list[Seat] = []
    paid = passed = 0

    def watch(before: State[Any], event: Event, after: State[Any]) -> None:
        nonlocal paid, passed
        if isinstance(event, ev.Exchanged):
            seats.append(event.seat)
            paid += 1
        elif isinstance(event, ev.Took | ev.TurnPassed):
            passed += isinstance(event, ev.TurnPassed) and seats[-1:] == [event.seat]
            seats.clear()

    for seed in range(20):
        play(RULES, Setup("take-a-train", 5), [POLICY] * 5, random.Random(seed).random, watch)
    assert paid >= 20
    assert passed <= paid / 50


@pytest.mark.parametrize(
    ("own", "market", "pays"),
    [
        (("s300x4: food-200", "d300x4: cattle-200", "e300x4: coal-200"), ("oil-100",) * 4, True),
        (("s300x4: passenger-400", "d300x4: luxury-300", "e300x4: oil-300"), ("food-100",) * 4, False),
    ],
)
def test_a_bot_pays_for_fresh_cards_where_one_nearly_surely_fits(
    own: tuple[str, ...], market: tuple[str, ...], pays: bool
) -> None:
    """A bot pays for fresh cards if food, cattle and coal would fit, but not if only rare cargos would."""
    state = turn(*market, players=4, owned=(own,) * 4, sequence=(100,) * 6)
    event = POLICY.choose(POLICY.look(state, A), random.Random(1).random)
    assert event == (ev.Exchanged(A, (0, 1, 2, 3)) if pays else ev.TurnPassed(A))


def test_to_win_it_denies_a_card_that_another_seat_needs() -> None:
    """The bot that plays to win takes a coal wagon that the next seat needs, and gives this reason."""
    mine = ("s300x3: food-100", "d300x3: coal-100", "e300x3: cattle-100")
    theirs = ("s300x5: coal-100 coal-100", "d300x2: passenger-100", "e300x2: luxury-100")
    state = turn("food-100", "coal-100", "oil-50", players=2, owned=(mine, theirs), sequence=(300,) * 6)
    known = WINNING.look(state, A)
    assert known == replace(POLICY.look(state, A), style=TO_WIN)
    named = {}
    for each in WINNING.ranked(known, random.Random(1).random):
        if isinstance(each.event, ev.Took):
            named[each.event.slot] = {part.key: part for part in each.terms}
    assert named[0]["others"].amount == pytest.approx(-TO_WIN.deny * 500)
    assert dict(named[0]["others"].fields) == {"seat": B, "most": 500.0}
    assert "others" not in named[1]


def test_values_are_the_sums_of_their_reasons() -> None:
    """In the market, the value of each choice is the sum of its stated reasons."""
    own = ("s300x3: food-100", "d300x5", "e300x3: coal-100")
    state = turn("food-100", "coal-300", "bonus", players=3, owned=(own,) * 3)
    for policy in (POLICY, WINNING):
        for each in policy.ranked(policy.look(state, A), random.Random(1).random):
            assert each.value == pytest.approx(sum([part.amount for part in each.terms]))


def test_to_win_it_bids_less() -> None:
    """The bot that plays to win stops bidding earlier than the plain one."""
    state = sale("pass", "s300")
    most = [top(policy.look(state, A), "s300") for policy in (POLICY, WINNING)]
    assert most[1] == pytest.approx(most[0] * TO_WIN.eager)
    for policy in (POLICY, WINNING):
        (bid,) = policy.ranked(policy.look(sale("blind", "s300"), A), random.Random(1).random)
        assert bid.value == pytest.approx(sum([part.amount for part in bid.terms]))


def test_amounts_are_whole_tokens() -> None:
    """Amounts are rounded down to multiples of 50, and never below zero."""
    assert [units(amount) for amount in (-20.0, 49.9, 50, 324.9)] == [0, 0, 50, 300]


def test_random_bots_do_anything_legal() -> None:
    """Random bots finish games and cause all usual kinds of events."""
    setup = Setup("take-a-train", 3)
    seen: set[str] = set()
    for seed in range(12):
        end, events = finished(setup, seed, [policy_of(RULES, "random")] * 3)
        assert end.over
        seen |= {type(event).__name__ for event in events}
    assert {"Bid", "Raised", "Counted", "Committed", "TwistPicked", "Exchanged", "Took"} <= seen


def test_there_are_three_kinds_of_bots() -> None:
    """`plain` is the same bot as `sensible`, and an unknown name is refused with the list of known ones."""
    assert policy_of(RULES, "plain") is policy_of(RULES, "sensible")
    with pytest.raises(ValueError, match="sensible, plain, random, learns, plays or wins"):
        policy_of(RULES, "clever")
