"""Test players, sides, figures, the draw for the dealer and the deal (R-01 to R-03)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from companion.engine import BadSetup, Seat, Setup
from companion.games.express import GAME
from companion.games.express import events as ev
from companion.games.express.profile import Profile, faults, holes, shipped
from companion.games.express.rules import RULES
from companion.games.express.scoring import value_of
from companion.games.express.table import hand_of
from tests.games.express.build import A, B, C, D, accepted, after, begun, hand, laid, offered, why
from tests.games.proofs import proves


def bad(setup: Setup) -> tuple[str, str]:
    """Return the rule and the key of the refusal of a set-up."""
    with pytest.raises(BadSetup) as caught:
        RULES.begin(setup)
    return caught.value.refusal.rule, caught.value.refusal.key


def owners(**changed: Any) -> Any:
    """Return the shipped figures as an owner's data, with changes."""
    return to_builtins(replace(shipped("ours"), name="owner", **changed))


@proves("R-01", "partners=usual", "partners=alone", "partners=sides")
def test_who_plays_together() -> None:
    """Four or six play in alternating pairs unless they choose to play alone. Other numbers play alone."""
    pairs = {4: ((A, C), (B, D)), 6: ((0, 3), (1, 4), (2, 5))}
    for players in RULES.seats:
        sides = begun(players).table.fixed.sides.groups
        assert (
            sides
            == RULES.sides(Setup("express", players))
            == pairs.get(players, tuple([(Seat(s),) for s in range(players)]))
        )
    alone = Setup("express", 4, {"partners": "alone"})
    assert RULES.begin(alone).table.fixed.sides.groups == RULES.sides(alone) == ((A,), (B,), (C,), (D,))
    assert begun(6, partners="sides", side=(1, 2, 3, 1, 2, 3)).table.fixed.sides.groups == pairs[6]


@proves("R-01", "side")
def test_sides_that_cannot_play_are_refused() -> None:
    """Sides are refused if they are unequal, seated together, of the wrong size, or for the wrong number of players."""
    one_and_three, neighbours, all_together = (1, 2, 2, 2), (1, 1, 2, 2), (1, 1, 1, 1)
    assert bad(Setup(RULES.name, 4, {"side": one_and_three})) == ("R-01", "unequal_sides")
    assert bad(Setup(RULES.name, 4, {"side": neighbours})) == ("R-01", "seated_together")
    assert bad(Setup(RULES.name, 4, {"side": all_together})) == ("R-01", "side_size")
    assert bad(Setup(RULES.name, 6, {"side": (1, 2, 1, 2, 1, 2)})) == ("R-01", "side_size")
    assert bad(Setup(RULES.name, 3, {"partners": "sides"})) == ("R-01", "no_sides")
    for players in (1, 7):
        assert bad(Setup(RULES.name, players)) == ("R-00", "bad_player_count")
    profile = owners(side_sizes={"6": (3,)})
    state = RULES.begin(Setup(RULES.name, 6, {"side": (1, 2, 1, 2, 1, 2)}, catalogue=profile))
    assert state.table.fixed.sides.groups == ((0, 2, 4), (1, 3, 5))


@proves("R-03", "A-06", "profile=ours")
def test_our_deck_keeps_to_what_is_known() -> None:
    """The shipped deck has 132 cards, and each freight type has 13 cards less its value."""
    profile = shipped("ours")
    cards = GAME.cards()
    assert cards is not None and sum(cards.counts.values()) == 132
    assert not faults(profile) and not holes(profile)
    freight = [card for card in profile.cards if card.group == "freight"]
    assert [card.count for card in freight] == [13 - (card.value or 0) for card in freight]
    counts = {
        group: sum([c.count or 0 for c in profile.cards if c.group == group])
        for group in ("freight", "passenger", "maintenance", "disaster", "turntable", "diesel", "caboose", "wild")
    }
    assert list(counts.values()) == [90, 14, 10, 8, 3, 2, 3, 2] and len(freight) == 9
    assert profile.deck(3)["turntable"] == 2 and profile.deck(4)["turntable"] == 3


@proves("S-02", "R-01", "T-36", "profile=reconstruction", "profile=owner")
def test_missing_figures_are_asked_for_by_their_rules() -> None:
    """The set-up names the rule and the figure that is missing, and never guesses it."""
    with pytest.raises(BadSetup) as caught:
        RULES.begin(Setup(RULES.name, 2, {"profile": "reconstruction"}))
    assert "S-02: value of hopper not entered." in caught.value.message
    assert "S-08: hand cost not entered." in caught.value.message
    with pytest.raises(BadSetup) as entered:
        RULES.begin(Setup(RULES.name, 2, {"profile": "owner"}))
    assert entered.value.refusal == caught.value.refusal
    cards = tuple([replace(card, value=None) if card.id == "hopper" else card for card in shipped("ours").cards])
    with pytest.raises(BadSetup) as caught:
        RULES.begin(Setup(RULES.name, 2, catalogue=owners(cards=cards)))
    assert caught.value.message == "S-02: value of hopper not entered."
    assert RULES.begin(Setup(RULES.name, 2, catalogue=owners())).table.fixed.profile.name == "owner"


@proves("R-01")
def test_impossible_figures_are_refused() -> None:
    """A profile with negative, doubled, misplaced or non-numeric figures is refused."""
    cards = shipped("ours").cards
    wrong: list[Any] = [
        owners(cards=(*cards[:-1], replace(cards[-1], count=-1))),
        owners(cards=(*cards, cards[0])),
        owners(cards=(*cards, replace(cards[0], id="wild2", group="wild"))),
        owners(target=-1),
        owners() | {"target": "many"},
        owners(cards=(replace(cards[0], group="passenger"), *cards[1:])),
        owners(side_sizes={"4": (3,)}),
        owners(side_sizes={"2": (2,)}),
        owners(side_sizes={"many": (2,)}),
    ]
    for profile in wrong:
        assert bad(Setup(RULES.name, 2, catalogue=profile)) == ("R-01", "bad_profile")
    assert bad(Setup(RULES.name, 6, catalogue=owners(deal_sides=30))) == ("R-03", "too_few_cards")


def test_nobody_deals_before_all_have_drawn() -> None:
    """Pages name the dealer and the first round only after everybody has drawn."""
    assert [fact.key for fact in RULES.facts(begun())] == []
    state = after(begun(), ev.DealerCardDrawn(A, "hopper"), ev.DealerCardDrawn(B, "box_car"))
    assert [fact.key for fact in RULES.facts(state)] == ["dealer", "first_round"]


@proves("R-02", "T-2")
def test_tied_dealers_draw_again() -> None:
    """Two seats that tie for the highest card draw again. The winner deals, and the seat to its left begins."""
    state = begun(3)
    assert why(state, ev.DealerCardDrawn(B, "wild")) == ("R-02", "not_your_turn", None)
    assert why(state, ev.DealerCardDrawn(A, "sedan")) == ("R-02", "not_in_deck", None)
    five = "auto_carrier"
    state = after(state, ev.DealerCardDrawn(A, five), ev.DealerCardDrawn(B, five), ev.DealerCardDrawn(C, "wild"))
    assert state.effects == (ev.DealersTied((A, B)),)
    assert why(state, ev.DealerCardDrawn(C, five)) == ("R-02", "not_tied", None)
    state = after(state, ev.DealerCardDrawn(A, "hopper"), ev.DealerCardDrawn(B, "reefer"))
    assert state.effects == (ev.DealerChosen(B),)
    assert (state.table.match.dealer, state.table.turn) == (B, C)


@proves("R-02")
def test_cards_of_a_tie_stay_out() -> None:
    """Tied seats draw from the remaining cards, and from the whole deck once too few remain."""
    state = begun(2)
    ranked = sorted(state.table.fixed.cards, key=lambda card: value_of(state.table.fixed.book, card))
    odd = ranked.index("turntable")
    pairs = [card for at, card in enumerate(ranked) if at != odd]
    for one, other in zip(pairs[::2], pairs[1::2], strict=True):
        assert accepted(state, ev.DealerCardDrawn(A, one))
        state = after(state, ev.DealerCardDrawn(A, one), ev.DealerCardDrawn(B, other))
        assert state.effects == (ev.DealersTied((A, B)),)
        if one == other == "wild":
            assert why(state, ev.DealerCardDrawn(A, "wild")) == ("R-02", "not_in_deck", None)
    assert accepted(state, ev.DealerCardDrawn(A, "wild"))


@proves("R-03", "T-1")
def test_the_deal() -> None:
    """With four players, partners get eight cards each and lone players ten. The rest forms the pile."""
    for options, each in (({}, 8), ({"partners": "alone"}, 10)):
        state = begun(4, **options)
        for seat, card in enumerate(("reefer", "hopper", "hopper", "wild")):
            state = after(state, ev.DealerCardDrawn(Seat(seat), card))
        assert why(state, ev.HandsDealt(("hopper",))) == ("R-03", "deal", None)
        state = after(state, state.agenda[0].legal(state.table)[0].pick(lambda: 0.5))
        zones = state.table.zones
        assert [zones.count(hand_of(seat)) for seat in range(4)] == [each] * 4
        assert (zones.count("pile"), zones.count("discard"), zones.count("slot")) == (132 - 4 * each, 0, 0)
        assert state.table.turn == B and len(hand(state, 0)) == each


@proves("R-03")
def test_real_cards_are_dealt_by_people() -> None:
    """People deal real cards, so the companion knows how many cards each hand has but not which."""
    state = begun(4, "ours")
    for seat, card in enumerate(("reefer", "hopper", "hopper", "wild")):
        state = after(state, ev.DealerCardDrawn(Seat(seat), card))
    assert offered(state, B) == [ev.PileDrawn(B)]
    assert (state.table.hand(0), hand(state, 0), state.table.zones.count("pile")) == (8, [], 100)


@proves("R-20", "T-35", "variant=family", "variant=full")
def test_the_family_variant_has_no_disasters() -> None:
    """The family variant refuses disasters, turntables and maintenance cards, which its deck lacks."""
    state = laid({0: "hopper hopper", 1: "gondola"}, variant="family")
    assert sum(state.table.fixed.deck.values()) == 111
    assert why(state, ev.DisasterPlayed(A, "wreck", B, 1)) == ("R-20", "not_in_profile", None)
    assert why(state, ev.MaintenanceLaid(A, "boom")) == ("R-20", "not_in_profile", None)
    assert why(state, ev.CarLaid(A, 0, "turntable")) == ("R-20", "not_in_profile", None)


def test_a_match_keeps_its_figures() -> None:
    """The resolved set-up stores every figure, so that later releases cannot change the match."""
    setup = RULES.resolve_setup(Setup(RULES.name, 2))
    assert isinstance(setup.catalogue, dict)
    assert RULES.begin(setup).table.fixed.profile == shipped("ours")
    assert isinstance(shipped("reconstruction"), Profile)
