"""A seat must be able to do what its sign says, in games of bots and in random games.

`PROMISES` lists by hand the events that each sentence promises. A new sentence without an entry fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from companion.bots.simulation import simulate
from companion.engine import AnyGame, AnyState, Event, JsonObject, Offer, Seat, Setup, legal, name_of
from companion.games import GAMES, teller_of
from companion.games.take_a_train.steps.lots import Lone
from companion.games.take_a_train.steps.sealed_auctions import Fists, OpenFists
from companion.games.take_a_train.steps.twist import Flips
from companion.games.trains import events as train_events
from companion.i18n import LANGUAGES
from companion.mechanics.signs import USUAL, signs_for, some_events
from tests.games.completeness import HOUSE
from tests.games.express import build as express
from tests.games.take_a_train import build as take_a_train
from tests.games.trains import build as trains
from web.words import package, words

LAY = "train_begun|car_laid|maintenance_laid"
DISCARD = "discarded|discarded_unused"
USE = "swapped|shifted|removed|protected"
BUY = "bought|bought_on_deck"
END = "ended"
PASS = "turn_passed"
FIST = "committed>0|reveal_signalled"
PROMISES: dict[str, dict[str, str]] = {
    "take-a-train": {
        "deal_purposes.you": "purposes_dealt", "name_starter.you": "starter_named", "draw_token.you": "token_drawn",
        "reveal_locos.you": "locos_revealed|figure_read", "nominate.you": "nominated", "lone.you": "bought",
        "lone.too_dear": "replacement_taken", "opening.you": "opened", "opening.may": "opened + opening_declined",
        "opening.too_dear": "opening_declined", "bidding.you": "bid + passed", "bidding.too_dear": "passed",
        "calling.you": "counted", "calling.raise": "raised",
        "call_tie.you": "tie_broken", "fists.you": FIST, "fists.empty": "committed",
        "fists_second.you": FIST, "fists_second.empty": "committed", "fists_preemption.you": FIST,
        "fists_preemption.empty": "committed", "fists_ready.you": "reveal_signalled", "fists_opening.you": "",
        "open_fists.you": "fist_confirmed", "open_fists_correction.you": "correction_answered",
        "break_tie.you": "tie_broken", "order_tie.you": "tie_ordered", "choose.you": "loco_chosen",
        "deal.you": "twist_dealt", "pick.you": "twist_picked", "turn_up.you": "twist_revealed|figure_read",
        "flips.you": "flipped", "flips.none": "flipped", "reveal_cards.you": "cards_revealed",
        "act.you": "took + turn_passed", "act.exchange": "exchanged + turn_passed", "act.nothing_fits": "turn_passed",
        "choose_wagon.you": "wagon_chosen", "last_claims.you": "claimed + claims_done",
        "last_claims.nothing": "claims_done", "over.you": "",
    },
    "game-of-trains": {
        "deal.you": "line_dealt", "name_first.you": "first_named", "draw_hands.you": "hands_drawn",
        "choose.you": "kept",
        "act.you": f"drew + {USE}", "act.draw": "drew", "draw.you": "card_drawn|reshuffled", "place.you": "placed",
        "refill.you": "refilled|reshuffled", "keep_odd.you": "odd_kept", "read_ability.you": "ability_read",
        "over.you": "",
    },
    "trains": {
        "draw_kingdom.you": "kingdom_drawn", "name_first.you": "first_named", "deal_cards.you": "cards_drawn",
        "shuffle.you": "reshuffled", "place_start.you": "start_placed", "act.you": f"played + {BUY} + {END}",
        "act.play": f"played + {END}", "act.buy": f"{BUY} + {END}", "act.end": END,
        "act.first": f"played + {PASS}", "act.pass": PASS,
        "apply_text.rail": "rail_laid + declined",
        "apply_text.station": "station_built + declined", "apply_text.you": "!declined + declined",
        "apply_text.copied": "!declined", "apply_text.decline": "declined",
        "discard_two.you": "cards_discarded", "look_at_top.you": "top_seen", "name_card.you": "card_named",
        "name_card.no_deck": "card_named", "check_guess.you": "guessed_right|guessed_wrong",
        "decide_top.you": "top_kept + top_discarded", "decide_top.no_card": "top_kept",
        "turn_up_card.you": "card_revealed", "take_revealed.you": "revealed_taken",
        "take_revealed.none": "revealed_taken", "over.you": "",
    },
    "express": {
        "draw_for_deal.you": "dealer_card_drawn", "deal_hands.you": "hands_dealt",
        "draw.you": "pile_drawn + discard_taken", "draw.pile": "pile_drawn", "draw.rest": "pile_drawn",
        "deal_cards.you": "cards_drawn", "shuffle.you": "reshuffled", "lay.you": f"{LAY} + {DISCARD}",
        "lay.out": "went_out", "lay.end": DISCARD, "lay.stuck": f"{LAY}|laid_taken_back|misdeal_called",
        "answer_partner.you": "partner_agreed + partner_forbade",
        "protect.you": "protection_played + protection_declined", "protect.without": "protection_declined",
        "answer_misdeal.you": "misdeal_accepted + misdeal_rejected", "show_hand.you": "hand_shown",
        "next_hand.you": "hand_called", "over.you": "",
    },
    "goods-yard": {
        "deal.you": "hands_dealt", "begin_siding.you": "siding_begun", "choose.you": "wagon_chosen",
        "turn_over.you": "wagon_seen", "next_hand.you": "hand_called", "over.you": "",
    },
    "branch-lines": {
        "turn_up.you": "line_turned", "auction.you": "bid + passed", "auction.too_dear": "passed", "over.you": "",
    },
    "freight-whist": {
        "deal.you": "hands_dealt", "turn_up.you": "trump_turned", "next_hand.you": "hand_called",
        "play.you": "card_played|card_seen", "over.you": "",
    },
    "hill-and-harbour": {
        "turn_up.you": "contract_turned", "build.you": "laid + delivered + ended", "build.lay": "laid + ended",
        "build.deliver": "delivered + ended", "build.end": "ended", "build.you_or_wait": "laid + delivered + waited",
        "build.lay_or_wait": "laid + waited", "build.deliver_or_wait": "delivered + waited", "build.wait": "waited",
        "over.you": "",
    },
    "twenty-tons": {
        "turn_up.you": "wagon_turned", "ask.you": "took + passed", "ask.too_heavy": "passed", "over.you": "",
    },
}  # fmt: skip
"""By game and sentence, the promised events: all parts (+), one alternative each (|), an amount (>0), any event but
this one (!)."""
LOOKING = ("command_central", "signals", "information_central", "garage", "stationmasters_office", "pulling",
           "maintenance_factory", "wagon_factory")  # fmt: skip
OPTIONS: dict[str, tuple[JsonObject, ...]] = {
    "take-a-train": (
        {}, {"bid_channel": "hand"}, {"edition": "fr", "replacement_wagon": "ask", "twist_flips": "free_choice"},
        {"min_raise": 400},
    ),
    "trains": ({}, {"kingdom": LOOKING}, {"kingdom": LOOKING, "edition": "later"}, {"draw_kingdom": "yes"}),
    "express": ({}, {"partners": "alone", "variant": "family"}),
}  # fmt: skip
"""Further options with which the games are played, by game."""


def moment_of(state: AnyState, seat: Seat) -> str:
    """Return the step that a seat's sign shows, as the pages name it."""
    head = state.agenda[0]
    if isinstance(head, Fists) and head.stage in ("second", "preemption"):
        return f"{head.name}_{head.stage}"
    return "open_fists_correction" if isinstance(head, OpenFists) and seat in head.asked else head.name


def own_offers(game: AnyGame, state: AnyState, seat: Seat) -> list[Offer]:
    """Return the offers to a seat alone."""
    return [offer for offer in legal(game, state) if offer.by == seat]


def offered(game: AnyGame, state: AnyState, seat: Seat) -> set[str]:
    """Return the names of the events offered to a seat or to nobody in particular. Positive amounts add `>0`."""
    common = [offer for offer in legal(game, state) if offer.by is None]
    events = [event for offer in (*own_offers(game, state, seat), *common) for event in some_events(offer)]
    more = [f"{name_of(event)}>0" for event in events if getattr(event, "amount", 0)]
    return {*map(name_of, events), *more}


def is_kept(promise: str, names: set[str]) -> bool:
    """Return whether the offered events keep a promise of `PROMISES`."""
    if promise.startswith("!"):
        return bool(names - {promise[1:]})
    return bool(names & set(promise.split("|")))


def key_for(game: AnyGame, state: AnyState, seat: Seat) -> str:
    """Return the key of the sentence that the sign shows to an awaited seat."""
    moment = moment_of(state, seat)
    said = signs_for({moment: teller_of(game).signs.get(moment, {})}, own_offers(game, state, seat))
    return f"{moment}.{said[moment]}"


@cache
def states(name: str, players: int, deck: Any, bots: str, at: int) -> tuple[AnyState, ...]:
    """Return one state of a game for each step and each set of offers, under the options at this index."""
    game, found = GAMES[name], {}

    def watch(before: AnyState, event: Event, after: AnyState) -> None:
        if after.agenda:
            kinds = [frozenset(offered(game, after, seat)) for seat in game.view(after, None).awaited]
            found.setdefault((after.agenda[0].name, *kinds), after)

    list(simulate(game, Setup(name, players, OPTIONS.get(name, ({},))[at], deck=deck), 1, 7, bots, watch))
    return tuple(found.values())


def all_states(name: str) -> Iterator[AnyState]:
    """Yield states of games with different numbers of players, decks, options and bots."""
    seats = GAMES[name].seats
    for players in {seats[0], seats[len(seats) // 2], seats[-1]}:
        yield from states(name, players, "ours", "sensible", 0)
        for at in range(len(OPTIONS.get(name, ({},)))):
            yield from states(name, players, "dealt", "sensible", at)
        if name != "express":  # random games of Express take long
            yield from states(name, players, "dealt", "random", 0)


def awaited(state: AnyState, game: AnyGame) -> tuple[Seat, ...]:
    """Return the seats whose sign speaks to them directly."""
    shown = game.view(state, None).awaited
    assert isinstance(shown, tuple)
    return shown


@pytest.mark.parametrize("name", PROMISES)
def test_an_awaited_seat_may_do_what_its_sign_says(name: str) -> None:
    """An awaited seat can do everything that its sign says, in every state."""
    game = GAMES[name]
    for state in all_states(name):
        for seat in awaited(state, game):
            key, names = key_for(game, state, seat), offered(game, state, seat)
            kept = [is_kept(promise, names) for promise in PROMISES[name][key].split(" + ") if promise]
            assert all(kept), (key, sorted(names))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sentence_of_a_sign_says_what_it_promises(lang: str) -> None:
    """Every sentence of a sign has an entry in `PROMISES`, and every entry has a sentence."""
    assert set(HOUSE) <= set(PROMISES) <= set(GAMES)
    for name, promises in PROMISES.items():
        said = words(lang, package(GAMES[name])).section("moment")
        assert {key for key in said if not key.endswith((".other", ".other_one"))} == set(promises), name
        for moment, sentences in teller_of(GAMES[name]).signs.items():
            assert {f"{moment}.{each}" for each in (*sentences, USUAL)} <= set(promises)


@pytest.mark.parametrize("name", PROMISES)
def test_events_that_signs_promise_are_the_game_s_own(name: str) -> None:
    """Every promised event exists in the game, so that no misspelt name goes unnoticed."""
    kinds = {str(kind.__struct_config__.tag) for kind in GAMES[name].events.__args__}
    for promise in " + ".join(filter(None, PROMISES[name].values())).split(" + "):
        assert {each.strip("!").removesuffix(">0") for each in promise.split("|")} <= kinds, promise


def trains_state(card: str, *events: Event, hand: tuple[str, ...] = ()) -> AnyState:
    """Return a turn of Trains without a deck, after a card was played and these events happened."""
    return trains.plays(trains.turn([card, *hand]), card, *events)


def flips_state(cash: int) -> AnyState:
    """Return the end of a Twist in which the first seat has this cash."""
    hands = (("s100a", "s100b", "s100c"), ("s100d", "s100e", "s100f"))
    deck = (*hands[0], *hands[1])
    return take_a_train.at(take_a_train.table(2, kind="twist", cash=(cash, 0), deck=deck), Flips(hands, (Seat(0),)))


def lone_state(cash: int) -> AnyState:
    """Return a lot whose lone bidder has this cash."""
    return take_a_train.at(take_a_train.table(2, cash=cash, revealed=("s100a", "s200b")), Lone(Seat(0)))


def preemption_state(cash: int) -> AnyState:
    """Return a Preemption auction with empty fists in which the first seat has this cash."""
    seats = (Seat(0), Seat(1))
    fists = Fists("preemption", seats[0], seats, (None, None))
    return take_a_train.at(take_a_train.table(2, kind="preemption", cash=(cash, 500), revealed=("s100a",)), fists)


OFFICE = "stationmasters_office"
RARE: dict[str, tuple[str, AnyState]] = {
    "lay.end": ("express", express.laid({0: "steal_car steal_car broken_car"})),
    "fists_preemption.empty": ("take-a-train", preemption_state(0)),
    "flips.you": ("take-a-train", flips_state(150)),
    "lone.too_dear": ("take-a-train", lone_state(0)),
    "flips.none": ("take-a-train", flips_state(9000)),
    "take_revealed.none": ("trains", trains_state("information_central", train_events.Applied(Seat(0)))),
    "decide_top.no_card": ("trains", trains_state("signals", train_events.Applied(Seat(0)))),
    "apply_text.decline": ("trains", trains_state("pulling")),
    "apply_text.copied": (
        "trains",
        trains.plays(
            trains.declines(trains.turn(["holiday_timetable", OFFICE]), "holiday_timetable"), OFFICE,
            train_events.CardChosen(Seat(0), "holiday_timetable"),
        ),
    ),
}  # fmt: skip
"""Sentences that games rarely show, each with its game and a state in which the first seat reads it."""


@pytest.mark.parametrize("key", RARE)
def test_rare_sentences_hold_too(key: str) -> None:
    """Rare sentences keep their promises too."""
    name, state = RARE[key]
    assert key_for(GAMES[name], state, Seat(0)) == key
    names = offered(GAMES[name], state, Seat(0))
    assert all([is_kept(promise, names) for promise in PROMISES[name][key].split(" + ")])


def test_every_sentence_of_several_is_said_somewhere() -> None:
    """Every alternative sentence of a sign appears in some state."""
    for name in PROMISES:
        game = GAMES[name]
        said = {key_for(game, state, seat) for state in all_states(name) for seat in awaited(state, game)}
        several = {f"{moment}.{each}" for moment, known in teller_of(game).signs.items() for each in known}
        assert several <= said | set(RARE), (name, several - said - set(RARE))
